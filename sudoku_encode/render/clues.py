"""The clues of a picture as text, in HTML: rules, givens and constraints, for readers who cannot see the picture."""

import re
from collections.abc import Iterable, Iterator
from html import escape

import numpy as np

from sudoku_encode.errors import SudokuError, plural, short
from sudoku_encode.puzzles.boards import board as board_of
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.text import layers

# The units of a rule in words; those of other rules have the rule's name.
_UNITS = {
    "diagonal": "diagonal from the upper left",
    "antidiagonal": "diagonal from the upper right",
    **{f"row-{axis}": f"row along {axis}" for axis in "xyz"},
    **{f"box-{plane}": f"box in an {plane} plane" for plane in ("xy", "xz", "yz")},
    **{f"plane-{axis}": f"plane across {axis}" for axis in "xyz"},
}


def heading(picture: Picture) -> str:
    """Return the numbers of givens, blanks and constraints, after the board unless the label names it, as plain text.

    >>> import sudoku_encode as se
    >>> from sudoku_encode.render.picture import picture
    >>> heading(picture(se.read("1...............", board="4x4")))
    '1 given, 15 blanks'
    """
    givens = int(np.count_nonzero(picture.givens))
    blanks = picture.board.n_grid - givens
    counts = f"{givens:,} {plural('given', givens)}, {blanks:,} {plural('blank', blanks)}"
    n_constraints = len(picture.constraints)
    more = f", {n_constraints:,} {plural('constraint', n_constraints)}" if n_constraints else ""
    board = short(picture.board.name)
    return f"{counts}{more}" if picture.label.endswith(board) else f"{board}, {counts}{more}"


def clues(picture: Picture) -> Iterator[str]:
    """Yield the rules, the givens, the constraints and the highlights of a picture, as elements of a page."""
    if picture.text:
        yield f"<p>{escape(picture.text)}</p>"
    yield f"<p>{escape(_rules(picture.board))}</p>"
    if picture.givens.any():
        listed = "".join(f"<li>{line}</li>" for line in _by_row(picture, picture.givens))
        number = int(np.count_nonzero(picture.givens))
        yield f"<details><summary>{number:,} {plural('given', number)}</summary><ul>{listed}</ul></details>"
    if picture.constraints:
        yield f"<dl>{''.join(_constraints(picture))}</dl>"
    names = picture.board.cell_names
    if picture.cells:
        yield f"<p>Highlighted: {', '.join(names[cell] for cell in sorted(picture.cells))}.</p>"
    if picture.marks is not None:
        yield "<p>A ring marks a value that the step places, a line through a digit a candidate that it removes.</p>"
    if picture.shares is not None:
        total = f"{picture.total:,} {plural('solution', picture.total)}"
        yield f"<p>{total}. The fewer solutions have a candidate, the paler it is; point at it to see how many.</p>"
    if picture.others is not None:
        shown, other = picture.givens | picture.values, picture.others
        pairs = [
            f"{names[cell]}: {_value(picture, shown, cell)}, {_value(picture, other, cell)}"
            for cell in sorted(picture.differs)
        ]
        text = "; ".join(pairs) if pairs else "none"
        yield f"<p>Cells that differ, with the value here and in the other grid: {text}.</p>"


def solution_text(picture: Picture) -> str:
    """Return the values of all cells as plain text, a line for each row of the board; `.` is a blank."""
    shown = picture.givens | picture.values
    width = len(str(picture.board.last))
    blocks = []
    for layer in layers(picture.board, picture.axis):
        rows = (
            ("" if width == 1 else " ").join(
                f"{_value(picture, shown, cell) if cell >= 0 else '':>{width}}" for cell in row
            )
            for row in layer.cells.tolist()
        )
        blocks.append("\n".join([*([layer.title] if layer.title else []), *rows]))
    return "\n\n".join(blocks)


def _rules(board: Geometry) -> str:
    """Return sentences about the values and the rules of a board, and those that are left out."""
    names = board.rule_names
    try:
        all_names = board_of(board.name, files=False).rule_names
    except SudokuError:
        # A board that a program made has the rules that it has.
        all_names = names
    values = f"Values {board.first} to {board.last}."
    if not names:
        return f"{values} No rule of the board holds."
    sentences = f"{values} No value occurs twice in a {_list(names)}."
    missing = [name for name in all_names if name not in names]
    return f"{sentences} Values may repeat in a {_list(missing)}." if missing else sentences


def _list(names: Iterable[str]) -> str:
    """Return the units of rules as a list with `or`."""
    words = [_UNITS.get(name, name) for name in names]
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _by_row(picture: Picture, values: Grids) -> Iterator[str]:
    """Yield the cells with a value and the values, a line for each row of the board that has any."""
    for layer in layers(picture.board, picture.axis):
        for row in layer.cells.tolist():
            cells = [cell for cell in row if cell >= 0 and values[cell]]
            if cells:
                yield ", ".join(f"{picture.board.cell_name(cell)} = {_value(picture, values, cell)}" for cell in cells)


def _value(picture: Picture, values: Grids, cell: int) -> str:
    return picture.board.shown(int(values[cell])) if values[cell] else "."


def _constraints(picture: Picture) -> Iterator[str]:
    """Yield each kind of constraints, its meaning, and a list of its constraints."""
    by_kind: dict[str, list[Constraint]] = {}
    for constraint in picture.constraints:
        by_kind.setdefault(constraint.kind, []).append(constraint)
    for kind, constraints in by_kind.items():
        # In reading order, so that a reader finds the clue of a cell.
        constraints.sort(key=lambda constraint: constraint.cells)
        summary = CONSTRAINTS[kind].summary
        number = f" ({len(constraints)})" if len(constraints) > 1 else ""
        # Backquotes are around names of kinds.
        words = re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(summary[:1].upper() + summary[1:]))
        yield f"<dt>{kind}{number}</dt><dd>{words}.</dd>"
        if listed := "".join(f"<li>{escape(line)}</li>" for line in _lines(constraints, picture.board)):
            yield f"<dd><ul>{listed}</ul></dd>"


def _lines(constraints: Iterable[Constraint], board: Geometry) -> Iterator[str]:
    """Yield the numbers and cells of each constraint that has any."""
    for constraint in constraints:
        text = constraint.text(board).removeprefix(constraint.kind).strip()
        numbers = "" if constraint.expression else " ".join(constraint.words)
        cells = text.removeprefix(numbers).strip()
        line = ": ".join(filter(None, (numbers, cells)))
        if line:
            yield line
