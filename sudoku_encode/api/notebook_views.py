"""How notebooks and pages show puzzles and answers: as HTML by a function for each class, boards also as a picture.

Pictures in HTML are images, since an untrusted notebook shows no other drawings there. Everything shown by colour is
also shown by words or signs, and text has the page's own colours, which fit light and dark pages. A class has
`_repr_html_` and perhaps `_repr_svg_` from `puzzles.showing`, which calls `html` and `svg` here.
"""

from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from html import escape
from typing import Any

from sudoku_encode.api.drawing import draw
from sudoku_encode.encoders.cp import CpModel
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import plural
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.proving import Certificate, CheckedCount
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown, sentences, sub_puzzle_sentence
from sudoku_encode.questions.hinting import Hint, SolvePath
from sudoku_encode.questions.rating import Rating
from sudoku_encode.questions.sampling import Samples
from sudoku_encode.questions.true_candidates import TrueCandidates
from sudoku_encode.render.drawing import Drawing
from sudoku_encode.render.page import within
from sudoku_encode.run.counting import Count
from sudoku_encode.verifying import Report

# Larger boards are shown as a line of text, since their pictures would take megabytes.
MAX_DRAWN_CELLS = 5000
# Of samples, which may be millions.
_MAX_DRAWN_SAMPLES = 4


def html(value: object) -> str:
    """Return an object as HTML; empty if its picture would be too large."""
    return next(VIEWS[kind] for kind in type(value).__mro__ if kind in VIEWS)(value)


def svg(value: Any) -> str:
    """Return the picture of something on a board, of a cube all its layers; empty if it would be too large."""
    shown = Puzzle.of(value) if isinstance(value, Geometry) else value
    return _picture((shown if isinstance(shown, (Puzzle, Grid)) else shown.puzzle).geometry, shown)


def board(value: Puzzle | Grid | Geometry) -> str:
    """Show a board as a picture, and a cube as a page to rotate it."""
    shown = Puzzle.of(value) if isinstance(value, Geometry) else value
    picture, board = svg(shown), shown.geometry
    return within(str(draw(shown, "html")), board.name) if board.is_cube and picture else _figure(picture)


def drawing(drawing: Drawing) -> str:
    """Show a picture in SVG no wider than the page; other forms show themselves."""
    return _figure(str(drawing)) if drawing.form == "svg" else ""


def samples(samples: Samples) -> str:
    """Show the first samples, and how they were drawn."""
    n, board = len(samples.grids), samples.puzzle.geometry
    caption = f"{n:,} {plural('sample', n)}, {'uniform' if samples.uniform else 'not uniform'}"
    if samples.total is not None:
        caption += f", of {_number(samples.total)} {plural('solution', samples.total.value)}"
    caption += f"; stopped: {samples.stopped}" if samples.stopped else ""
    shown = [_figure(_picture(board, samples.puzzle, solution=grid)) for grid in samples.grids[:_MAX_DRAWN_SAMPLES]]
    return _paragraph(f"{caption}; the first {len(shown)}:" if 0 < len(shown) < n else caption) + "".join(shown)


def generated(generated: GeneratedPuzzle) -> str:
    """Show a generated puzzle with its number of solutions."""
    caption = "at least one solution"
    if generated.solutions is not None:
        caption = f"{generated.solutions:,} {plural('solution', generated.solutions)}, proved"
    caption += "" if generated.reached else "; the target was not reached"
    return _figure(_picture(generated.puzzle.geometry, generated.puzzle), caption)


def count(count: Count) -> str:
    """Show a number of solutions, and whether it is proved."""
    rest = "proved" if count.complete else f"stopped: {count.stopped}"
    noun = f" {plural('solution', count.value)}" if count.complete or count.value else ""
    return f"<b>{_number(count)}</b>{noun}, {escape(rest)}"


def _number(count: Count) -> str:
    """Return a number of solutions as `Count` writes it, with commas between thousands."""
    return str(count).replace(str(count.value), f"{count.value:,}")


def encoding(encoding: Encoding) -> str:
    """Show how large a CNF is."""
    rows = [
        ("board", encoding.puzzle.geometry.name),
        ("variables", f"{encoding.cnf.n_variables:,}, {encoding.n_auxiliary:,} of them auxiliary"),
        ("clauses", "not read" if encoding.cnf.read_groups is None else f"{encoding.cnf.n_clauses:,}"),
    ]
    rows += [("no solution", encoding.contradiction)] if encoding.contradiction else []
    return _table([f"encoding {encoding.name}", ""], rows)


def cp_model(model: CpModel) -> str:
    """Show how large a CP-SAT model is."""
    proto = model.model.proto
    rows = [
        ("board", model.puzzle.geometry.name),
        ("variables", f"{len(proto.variables):,}"),
        ("constraints", f"{len(proto.constraints):,}"),
    ]
    rows += [("no solution", model.contradiction)] if model.contradiction else []
    return _table([f"model {model.name}", ""], rows)


def report(report: Report) -> str:
    """Show the verdict on a puzzle, and the answer of each method."""
    guilty = {fault.method for fault in report.faults}
    rows = [
        (
            ("\u2717 " if run.method in guilty else "\u2713 " if run.count.complete else "") + run.method,
            run.family,
            _number(run.count),
            f"{run.seconds:.2f}",
            ("complete (listed)" if run.listed else "complete (counted)") if run.count.complete else run.count.stopped,
        )
        for run in report.runs
    ]
    return _paragraph(str(report)) + _table(["method", "family", "solutions", "seconds", "status"], rows, (2, 3))


def certificate(certificate: Certificate) -> str:
    """Show the number claimed by a certificate that is not checked yet."""
    exactly = f"<b>exactly {certificate.count:,}</b> {plural('solution', certificate.count)}"
    rows = [
        ("folder", str(certificate.folder)),
        _work(certificate),
        ("proof", f"{certificate.proof_bytes:,} bytes"),
        ("made in", f"{certificate.seconds:.2f} s"),
    ]
    return f"{exactly}, according to this certificate" + _table(["certificate", ""], rows)


def _work(certificate: Certificate | CheckedCount) -> tuple[str, str]:
    """Return the amount of work of a checker."""
    if certificate.n_states is not None:
        return "states passed by a recount", f"{certificate.n_states:,}"
    return "derived clauses", f"{certificate.lemmas:,}"


def checked_certificate(certificate: CheckedCount) -> str:
    """Show the number proved by a certificate, and the checkers that accepted it."""
    exactly = f"<b>exactly {certificate.count:,}</b> {plural('solution', certificate.count)}, proved"
    rows = [
        ("accepted by", ", ".join(certificate.checkers)),
        _work(certificate),
        ("checked in", f"{certificate.seconds:.2f} s"),
    ]
    return exactly + _table(["certificate", ""], rows)


def true_candidates(candidates: TrueCandidates) -> str:
    """Show true candidates, fainter if fewer solutions have them."""
    n = int(candidates.seen.sum())
    caption = f"{n:,} true {plural('candidate', n)}"
    caption += (
        "" if candidates.total is None else f" of {candidates.total} {plural('solution', candidates.total.value)}"
    )
    caption += ", complete" if candidates.complete else f"; there may be more, stopped: {candidates.stopped}"
    return _figure(_picture(candidates.puzzle.geometry, candidates), caption)


def hint(hint: Hint) -> str:
    """Show a step as a picture and a sentence."""
    return _figure(_picture(hint.puzzle.geometry, hint), str(hint))


def solve_path(path: SolvePath) -> str:
    """Show all steps by techniques, one per line."""
    end = path.ended + (f": {path.reason}" if path.reason else "")
    steps = "".join(f"<li>{escape(str(step))}</li>" for step in path.steps)
    return _paragraph(f"{end}, hardest: {path.hardest or 'none'}") + f"<ol>{steps}</ol>"


def rating(rating: Rating) -> str:
    """Show the figures of a puzzle."""
    rows = [] if rating.difficulty is None else [("difficulty", rating.difficulty)]
    for name, figure in rating.figures.items():
        rows.append((name, figure.text if figure.value is not None else f"not known: {figure.reason}"))
    return _table([rating.status, ""], rows) + (_paragraph(f"stopped: {rating.stopped}") if rating.stopped else "")


def unique(verdict: Unique) -> str:
    """Show the solution of a unique puzzle, and its redundant givens."""
    board = verdict.puzzle.geometry
    shown = _verdict("unique", sentences(verdict))
    shown += _figure(_picture(board, verdict.puzzle, solution=verdict.solution, cells=verdict.redundant))
    if (smaller := verdict.sub_puzzle) is not None:
        shown += _figure(_picture(board, smaller.puzzle), sub_puzzle_sentence(smaller))
    return shown


def several(verdict: Several) -> str:
    """Show two solutions of a puzzle, and the cells in which they differ."""
    cells, board = verdict.differing, verdict.puzzle.geometry
    differ = f"{verdict.count} solutions; two of them differ in {len(cells)} cells (*)"
    shown = _verdict("several", [differ, *sentences(verdict)])
    for values in (verdict.first, verdict.second):
        shown += _figure(_picture(board, verdict.puzzle, solution=values, cells=cells))
    return shown


def no_solution(verdict: NoSolution) -> str:
    """Show clashing givens."""
    picture = _picture(verdict.puzzle.geometry, verdict.puzzle, cells=verdict.clash)
    return _verdict("no solution", sentences(verdict)) + _figure(picture)


def unknown(verdict: Unknown) -> str:
    """Show why the number of solutions is unknown."""
    return _paragraph(sentences(verdict)[0])


def _picture(board: Geometry, shown: Puzzle | Grid | TrueCandidates | Hint, **options: Any) -> str:
    """Return a picture as SVG, of a cube all its layers; empty for a board that is too large."""
    return str(draw(shown, **options)) if board.n_cells <= MAX_DRAWN_CELLS else ""


def _figure(picture: str, caption: str = "") -> str:
    """Return a picture with a caption, or the caption alone if there is no picture."""
    if not picture:
        return _paragraph(caption) if caption else ""
    source = f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"
    below = f"<figcaption>{escape(caption)}</figcaption>" if caption else ""
    image = f'<img style="max-width: 100%; height: auto" alt="{escape(caption) or "board"}" src="{source}">'
    return f'<figure style="display: inline-block; margin: 0.5em">{image}{below}</figure>'


def _verdict(word: str, lines: Iterable[str]) -> str:
    """Return a word and sentences; a star in them stands for the cells marked in the picture."""
    return f"<p><b>{escape(word)}</b></p>" + "".join(_paragraph(text.replace("(*)", "(marked)")) for text in lines)


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Collection[int] = ()) -> str:
    """Return a table with right-aligned columns of numbers; the other columns are left-aligned."""

    def line(tag: str, cells: Sequence[str]) -> str:
        sides = ("right" if column in numbers else "left" for column in range(len(cells)))
        parts = zip(sides, cells, strict=True)
        return "".join(f'<{tag} style="text-align: {side}">{escape(cell)}</{tag}>' for side, cell in parts)

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{line('th', headings)}</tr></thead><tbody>{body}</tbody></table>"


# The function that shows the objects of each class.
VIEWS: Mapping[type, Callable[[Any], str]] = {
    CheckedCount: checked_certificate,
    Certificate: certificate,
    Count: count,
    CpModel: cp_model,
    Drawing: drawing,
    Encoding: encoding,
    GeneratedPuzzle: generated,
    Geometry: board,
    Grid: board,
    Hint: hint,
    NoSolution: no_solution,
    Puzzle: board,
    Rating: rating,
    Report: report,
    Samples: samples,
    Several: several,
    SolvePath: solve_path,
    TrueCandidates: true_candidates,
    Unique: unique,
    Unknown: unknown,
}
