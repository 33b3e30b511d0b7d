"""How a notebook shows puzzles and answers: a function for each class, listed in `notebook`.

Each returns texts by MIME type. A board is a picture; an answer is HTML with its pictures as images, since an untrusted
notebook shows no other drawings within HTML. Everything shown by colour is also shown by words or signs, and text has
the notebook's own colours, which fit light and dark pages.
"""

import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Any

from sudoku_encode.api.drawing import draw
from sudoku_encode.api.puzzles import Grid
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import plural
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.proving import Certificate, CheckedCount
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown, sentences, sub_puzzle_sentence
from sudoku_encode.questions.hinting import Hint, SolvePath
from sudoku_encode.questions.rating import Rating
from sudoku_encode.questions.true_candidates import TrueCandidates
from sudoku_encode.render.drawing import Drawing
from sudoku_encode.render.page import within
from sudoku_encode.run.counting import Count
from sudoku_encode.verifying import Report

Bundle = dict[str, str]
# Larger boards are shown as a line of text, since their pictures would take megabytes.
MAX_DRAWN_CELLS = 5000
# Pages are rarely narrower than this.
_NARROW_PIXELS = 700


def puzzle(puzzle: Puzzle) -> Bundle:
    """Show a puzzle."""
    return _board(puzzle.geometry, puzzle)


def grid(grid: Grid) -> Bundle:
    """Show a solution."""
    return _board(grid.geometry, grid)


def geometry(board: Geometry) -> Bundle:
    """Show an empty board."""
    return _board(board, Puzzle.of(board))


def drawing(drawing: Drawing) -> Bundle:
    """Show a picture no wider than the page; other forms show themselves."""
    return _drawn(str(drawing)) if drawing.form == "svg" else {}


def generated(generated: GeneratedPuzzle) -> Bundle:
    """Show a generated puzzle with its number of solutions."""
    caption = f"{generated.solutions:,} {plural('solution', generated.solutions)}, proved"
    caption += "" if generated.reached else "; not as wanted"
    return _html(_figure(_picture(generated.puzzle.geometry, generated.puzzle), caption))


def count(count: Count) -> Bundle:
    """Show a number of solutions, and whether it is proved."""
    rest = "proved" if count.complete else f"stopped: {count.stopped}"
    noun = f" {plural('solution', count.value)}" if count.complete or count.value else ""
    return _html(f"<b>{_number(count)}</b>{noun}, {escape(rest)}")


def _number(count: Count) -> str:
    """Return a number of solutions as `Count` writes it, with commas between thousands."""
    return str(count).replace(str(count.value), f"{count.value:,}")


def encoding(encoding: Encoding) -> Bundle:
    """Show how large a CNF is, clauses by their groups."""
    rows = [
        ("board", encoding.puzzle.geometry.name),
        ("variables", f"{encoding.cnf.n_variables:,}, {encoding.n_auxiliary:,} of them auxiliary"),
        ("clauses", "not read" if encoding.cnf.read_groups is None else f"{encoding.cnf.n_clauses:,}"),
    ]
    rows += [("no solution", encoding.contradiction)] if encoding.contradiction else []
    return _html(_table([f"encoding {encoding.name}", ""], rows))


def report(report: Report) -> Bundle:
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
    return _html(_paragraph(str(report)) + _table(["method", "family", "solutions", "seconds", "status"], rows, (2, 3)))


def certificate(certificate: Certificate) -> Bundle:
    """Show the number claimed by a certificate that is not checked yet."""
    exactly = f"<b>exactly {certificate.count:,}</b> {plural('solution', certificate.count)}"
    rows = [
        ("folder", str(certificate.folder)),
        ("derived clauses", f"{certificate.lemmas:,}"),
        ("proof", f"{certificate.proof_bytes:,} bytes"),
        ("made in", f"{certificate.seconds:.2f} s"),
    ]
    return _html(f"{exactly}, according to this certificate" + _table(["certificate", ""], rows))


def checked_certificate(certificate: CheckedCount) -> Bundle:
    """Show the number proved by a certificate, and the checkers that accepted it."""
    exactly = f"<b>exactly {certificate.count:,}</b> {plural('solution', certificate.count)}, proved"
    rows = [
        ("accepted by", ", ".join(certificate.checkers)),
        ("derived clauses", f"{certificate.lemmas:,}"),
        ("checked in", f"{certificate.seconds:.2f} s"),
    ]
    return _html(exactly + _table(["certificate", ""], rows))


def true_candidates(candidates: TrueCandidates) -> Bundle:
    """Show true candidates, fainter if fewer solutions have them."""
    n = int(candidates.seen.sum())
    caption = f"{n:,} true {plural('candidate', n)}"
    caption += (
        "" if candidates.total is None else f" of {candidates.total} {plural('solution', candidates.total.value)}"
    )
    caption += ", complete" if candidates.complete else f"; there may be more, stopped: {candidates.stopped}"
    return _html(_figure(_picture(candidates.puzzle.geometry, candidates), caption))


def hint(hint: Hint) -> Bundle:
    """Show a step as a picture and a sentence."""
    return _html(_figure(_picture(hint.puzzle.geometry, hint), str(hint)))


def solve_path(path: SolvePath) -> Bundle:
    """Show all steps by techniques, one per line."""
    end = path.ended + (f": {path.reason}" if path.reason else "")
    steps = "".join(f"<li>{escape(str(step))}</li>" for step in path.steps)
    return _html(_paragraph(f"{end}, hardest: {path.hardest or 'none'}") + f"<ol>{steps}</ol>")


def rating(rating: Rating) -> Bundle:
    """Show the figures of a puzzle."""
    rows = []
    for name, figure in rating.figures.items():
        rows.append((name, figure.text if figure.value is not None else f"not known: {figure.reason}"))
    return _html(
        _table([rating.status, ""], rows) + (_paragraph(f"stopped: {rating.stopped}") if rating.stopped else "")
    )


def unique(verdict: Unique) -> Bundle:
    """Show the solution of a unique puzzle, and its redundant givens."""
    board = verdict.puzzle.geometry
    shown = _verdict("unique", sentences(verdict))
    shown += _figure(_picture(board, verdict.puzzle, solution=verdict.solution, cells=verdict.redundant))
    if (smaller := verdict.sub_puzzle) is not None:
        shown += _figure(_picture(board, smaller.puzzle), sub_puzzle_sentence(smaller))
    return _html(shown)


def several(verdict: Several) -> Bundle:
    """Show two solutions of a puzzle, and the cells in which they differ."""
    cells, board = verdict.differing, verdict.puzzle.geometry
    differ = f"{verdict.count} solutions; two of them differ in {len(cells)} cells (*)"
    shown = _verdict("several", [differ, *sentences(verdict)])
    for values in (verdict.first, verdict.second):
        shown += _figure(_picture(board, verdict.puzzle, solution=values, cells=cells))
    return _html(shown)


def no_solution(verdict: NoSolution) -> Bundle:
    """Show clashing givens."""
    picture = _picture(verdict.puzzle.geometry, verdict.puzzle, cells=verdict.clash)
    return _html(_verdict("no solution", sentences(verdict)) + _figure(picture))


def unknown(verdict: Unknown) -> Bundle:
    """Show why the number of solutions is unknown."""
    return _html(_paragraph(sentences(verdict)[0]))


def _picture(board: Geometry, shown: Puzzle | Grid | TrueCandidates | Hint, **options: Any) -> str:
    """Return a picture as SVG, of a cube all its layers; empty for a board that is too large."""
    return str(draw(shown, **options)) if board.n_cells <= MAX_DRAWN_CELLS else ""


def _board(board: Geometry, shown: Puzzle | Grid) -> Bundle:
    """Show a board as a picture, and a cube also as a page to rotate it, which a notebook prefers."""
    picture = _picture(board, shown)
    if not board.is_cube or not picture:
        return _drawn(picture)
    return {"image/svg+xml": picture, "text/html": within(str(draw(shown, "html")), board.name)}


def _drawn(picture: str) -> Bundle:
    """Show a picture, scaled if the page may be narrower; without a picture the notebook shows a line of text."""
    width = re.search(r'<svg [^>]*?width="(\d+)', picture)
    if width is None or int(width[1]) <= _NARROW_PIXELS:
        return {"image/svg+xml": picture} if picture else {}
    return _html(_figure(picture))


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


def _html(text: str) -> Bundle:
    return {"text/html": text}
