"""How a notebook shows puzzles and answers: a function for each class, which `notebook` names.

Each returns what a notebook takes: texts by their kinds. A board is a picture; an answer is HTML, with its pictures as
images, since a notebook that is not trusted shows no other drawings within HTML. Words and signs say all that colours
say, and colours of text are the notebook's own, so that they fit light and dark pages.
"""

import re
from base64 import b64encode
from collections.abc import Collection, Iterable, Sequence
from html import escape
from typing import Any

from sudoku_encode.api.drawn import draw
from sudoku_encode.api.puzzles import Grid
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import plural
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.proving import Certificate, CheckedCount
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.candidates import TrueCandidates
from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown
from sudoku_encode.questions.hinting import Hint, SolvePath
from sudoku_encode.questions.rating import Rating
from sudoku_encode.questions.verdict_words import sentences, sub_puzzle_sentence
from sudoku_encode.render.drawing import Drawing
from sudoku_encode.render.page import within
from sudoku_encode.run.counting import Count
from sudoku_encode.verifying import Report

Bundle = dict[str, str]
# Larger boards are a line of text: their pictures would take megabytes.
MAX_DRAWN_CELLS = 5000
# A page is hardly narrower than this.
_NARROW_PIXELS = 700


def puzzle(found: Puzzle) -> Bundle:
    """Show a puzzle."""
    return _board(found.geometry, found)


def grid(found: Grid) -> Bundle:
    """Show a solution."""
    return _board(found.geometry, found)


def geometry(found: Geometry) -> Bundle:
    """Show a board without a value."""
    return _board(found, Puzzle.of(found))


def drawing(found: Drawing) -> Bundle:
    """Show a picture no wider than the page; other forms show themselves."""
    return _drawn(str(found)) if found.form == "svg" else {}


def generated(found: GeneratedPuzzle) -> Bundle:
    """Show a generated puzzle, with how many solutions it has."""
    said = f"{found.solutions:,} {plural('solution', found.solutions)}, proved"
    made = found.puzzle
    return _html(_figure(_picture(made.geometry, made), said if found.reached else f"{said}; not as wanted"))


def count(found: Count) -> Bundle:
    """Show a number of solutions, and whether it is proved."""
    rest = "proved" if found.complete else f"stopped: {found.stopped}"
    noun = f" {plural('solution', found.value)}" if found.complete or found.value else ""
    return _html(f"<b>{_number(found)}</b>{noun}, {escape(rest)}")


def _number(found: Count) -> str:
    """Return a number of solutions as `Count` writes it, with commas between thousands."""
    return str(found).replace(str(found.value), f"{found.value:,}")


def encoding(found: Encoding) -> Bundle:
    """Show how large a CNF is, clauses by their groups."""
    rows = [
        ("board", found.puzzle.geometry.name),
        ("variables", f"{found.cnf.n_variables:,}, {found.n_auxiliary:,} of them auxiliary"),
        ("clauses", "not read" if found.cnf.read_groups is None else f"{found.cnf.n_clauses:,}"),
    ]
    rows += [("no solution", found.contradiction)] if found.contradiction else []
    return _html(_table([f"encoding {found.name}", ""], rows))


def report(found: Report) -> Bundle:
    """Show the verdict on a puzzle, and what each method says of it."""
    guilty = {fault.method for fault in found.faults}
    rows = [
        (
            ("\u2717 " if run.method in guilty else "\u2713 " if run.found.complete else "") + run.method,
            run.family,
            _number(run.found),
            f"{run.seconds:.2f}",
            ("that is all" if run.listed else "that is all, counted") if run.found.complete else run.found.stopped,
        )
        for run in found.runs
    ]
    return _html(_said(str(found)) + _table(["method", "family", "solutions", "seconds", "says"], rows, (2, 3)))


def certificate(found: Certificate) -> Bundle:
    """Show what a certificate says, and that it is still to be checked."""
    exactly = f"<b>exactly {found.count:,}</b> {plural('solution', found.count)}"
    rows = [
        ("folder", str(found.folder)),
        ("derived clauses", f"{found.lemmas:,}"),
        ("proof", f"{found.proof_bytes:,} bytes"),
        ("made in", f"{found.seconds:.2f} s"),
    ]
    return _html(f"{exactly}, according to this certificate" + _table(["certificate", ""], rows))


def checked_certificate(found: CheckedCount) -> Bundle:
    """Show what a certificate proves, and who accepted it."""
    exactly = f"<b>exactly {found.count:,}</b> {plural('solution', found.count)}, proved"
    rows = [
        ("accepted by", ", ".join(found.checkers)),
        ("derived clauses", f"{found.lemmas:,}"),
        ("checked in", f"{found.seconds:.2f} s"),
    ]
    return _html(exactly + _table(["certificate", ""], rows))


def true_candidates(found: TrueCandidates) -> Bundle:
    """Show true candidates, fainter where fewer solutions have them."""
    n = int(found.seen.sum())
    said = f"{n:,} true {plural('candidate', n)}"
    said += "" if found.total is None else f" of {found.total} {plural('solution', found.total.value)}"
    said += ", complete" if found.complete else f"; there may be more, stopped: {found.stopped}"
    return _html(_figure(_picture(found.puzzle.geometry, found), said))


def hint(found: Hint) -> Bundle:
    """Show a step as a picture and a sentence."""
    return _html(_figure(_picture(found.puzzle.geometry, found), str(found)))


def worked(found: SolvePath) -> Bundle:
    """Show how far techniques lead, a line for each step."""
    end = found.ended + (f": {found.reason}" if found.reason else "")
    steps = "".join(f"<li>{escape(str(step))}</li>" for step in found.steps)
    return _html(_said(f"{end}, hardest: {found.hardest or 'none'}") + f"<ol>{steps}</ol>")


def rating(found: Rating) -> Bundle:
    """Show the figures of a puzzle."""
    rows = []
    for name, known in found.figures.items():
        rows.append((name, known.text if known.value is not None else f"not known: {known.reason}"))
    return _html(_table([found.status, ""], rows) + (_said(f"stopped: {found.stopped}") if found.stopped else ""))


def unique(found: Unique) -> Bundle:
    """Show the solution of a puzzle, with the givens that can go."""
    board = found.puzzle.geometry
    shown = _verdict("unique", sentences(found))
    shown += _figure(_picture(board, found.puzzle, solution=found.solution, cells=found.redundant))
    if (smaller := found.sub_puzzle) is not None:
        shown += _figure(_picture(board, smaller.puzzle), sub_puzzle_sentence(smaller))
    return _html(shown)


def several(found: Several) -> Bundle:
    """Show two solutions of a puzzle, with the cells in which they differ."""
    cells, board = found.differing, found.puzzle.geometry
    differ = f"{found.count} solutions; two of them differ in {len(cells)} cells (*)"
    shown = _verdict("several", [differ, *sentences(found)])
    for values in (found.first, found.second):
        shown += _figure(_picture(board, found.puzzle, solution=values, cells=cells))
    return _html(shown)


def no_solution(found: NoSolution) -> Bundle:
    """Show the givens that leave no solution."""
    picture = _picture(found.puzzle.geometry, found.puzzle, cells=found.clash)
    return _html(_verdict("no solution", sentences(found)) + _figure(picture))


def unknown(found: Unknown) -> Bundle:
    """Say why it is not known how many solutions there are."""
    return _html(_said(sentences(found)[0]))


def _picture(board: Geometry, shown: Puzzle | Grid | TrueCandidates | Hint, **options: Any) -> str:
    """Return a picture as SVG, as `draw` makes it; of a cube all its layers. A board that is too large has none."""
    return str(draw(shown, **options)) if board.n_cells <= MAX_DRAWN_CELLS else ""


def _board(board: Geometry, shown: Puzzle | Grid) -> Bundle:
    """Show a board as a picture; a cube also as a page to turn it, which a notebook takes first."""
    picture = _picture(board, shown)
    if not board.is_cube or not picture:
        return _drawn(picture)
    return {"image/svg+xml": picture, "text/html": within(str(draw(shown, "html")), board.name)}


def _drawn(picture: str) -> Bundle:
    """Return a picture as it is, or scaled to the page if that may be narrower; without one there is a line of text."""
    width = re.search(r'<svg [^>]*?width="(\d+)', picture)
    if width is None or int(width[1]) <= _NARROW_PIXELS:
        return {"image/svg+xml": picture} if picture else {}
    return _html(_figure(picture))


def _figure(picture: str, said: str = "") -> str:
    """Return a picture and what is said of it; where there is no picture, that alone."""
    if not picture:
        return _said(said) if said else ""
    source = f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"
    caption = f"<figcaption>{escape(said)}</figcaption>" if said else ""
    image = f'<img style="max-width: 100%; height: auto" alt="{escape(said) or "board"}" src="{source}">'
    return f'<figure style="display: inline-block; margin: 0.5em">{image}{caption}</figure>'


def _verdict(word: str, said: Iterable[str]) -> str:
    """Return a word and sentences; a star in them means the cells that are marked in the picture."""
    return f"<p><b>{escape(word)}</b></p>" + "".join(_said(text.replace("(*)", "(marked)")) for text in said)


def _said(text: str) -> str:
    return f"<p>{escape(text)}</p>"


def _table(headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Collection[int] = ()) -> str:
    """Return a table; columns of numbers are aligned on the right, the others on the left."""

    def line(tag: str, cells: Sequence[str]) -> str:
        sides = ("right" if at in numbers else "left" for at in range(len(cells)))
        parts = zip(sides, cells, strict=True)
        return "".join(f'<{tag} style="text-align: {side}">{escape(cell)}</{tag}>' for side, cell in parts)

    body = "".join(f"<tr>{line('td', row)}</tr>" for row in rows)
    return f"<table><thead><tr>{line('th', headings)}</tr></thead><tbody>{body}</tbody></table>"


def _html(text: str) -> Bundle:
    return {"text/html": text}
