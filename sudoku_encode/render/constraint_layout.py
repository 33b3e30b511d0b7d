"""Which constraints go on which square of a picture, and what is written below: a legend, and what has no place."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.render.constraint_drawings import CONSTRAINT_DRAWINGS
from sudoku_encode.render.outside_clues import Clue, apart, clue_shapes, frame
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.shapes import Lines, Point, Shape, Text
from sudoku_encode.render.site import LETTER_WIDTH, Site, beside
from sudoku_encode.render.text import Layer

# The font of what is below the picture, its lines, and the room for samples of the legend.
_SIZE, _LINE, _SAMPLE = 0.32, 0.52, 1.2
_LETTERS = "abcdefghijklmnopqrstuvwxyz"
# Kinds whose lists of cells belong together, so that each constraint has a letter of its own where there are several.
_APART = ("clone", "equal-sums", "counting-circles")


class OnSquare(NamedTuple):
    """What is drawn of constraints on a square.

    Attributes:
        inside: the constraints.
        clues: beside it, in cells from its upper left corner.
    """

    inside: tuple[Constraint, ...] = ()
    clues: tuple[Clue, ...] = ()


class Margins(NamedTuple):
    """How much room clues need at each side of a square, in cells."""

    left: float = 0.0
    top: float = 0.0
    right: float = 0.0
    bottom: float = 0.0


class Entry(NamedTuple):
    """A line of the legend: the kind whose sample is shown, none if it is empty, and a text."""

    kind: str
    text: str


class Plan(NamedTuple):
    """Where the constraints of a picture go.

    Attributes:
        squares: for each layer.
        margins: of each square.
        letters: of constraints whose kind occurs in several forms.
        framed: whether there are clues of several kinds.
        entries: the lines below the picture.
    """

    squares: tuple[OnSquare, ...]
    margins: Margins
    letters: Mapping[Constraint, str]
    framed: bool
    entries: tuple[Entry, ...]


def planned(picture: Picture, layers: Sequence[Layer]) -> Plan:
    """Return where the constraints of a picture go."""
    corners = [corners_of(layer) for layer in layers]
    inside, clues = [list[Constraint]() for _ in layers], [list[Clue]() for _ in layers]
    written, drawn = list[Constraint](), list[Constraint]()
    for constraint in picture.constraints:
        row = CONSTRAINT_DRAWINGS.get(constraint.kind)
        cells = {cell for cells in constraint.cells for cell in cells}
        at = next((at for at, here in enumerate(corners) if cells and cells <= here.keys()), None)
        if row is not None and at is not None:
            site = Site(picture.board, constraint, corners[at], picture.constraints)
            clue = row.clue(site) if row.clue else None
            if clue:
                clues[at].append(clue)
            elif row.draw:
                inside[at].append(constraint)
            if clue or row.draw:
                drawn.append(constraint)
                if not (row.is_vague and row.is_vague(site)):
                    continue
        written.append(constraint)
    letters = _letters(drawn)
    kinds = {clue.kind for some in clues for clue in some} - {"little-killer"}
    clues = [list(apart(some)) for some in clues]
    squares = tuple(OnSquare(tuple(some), tuple(beside)) for some, beside in zip(inside, clues, strict=True))
    entries = (*_legend(drawn, letters), *(Entry("", constraint.text(picture.board)) for constraint in written))
    sides = layers[0].cells.shape
    margins = _margins([clue.corner for some in clues for clue in some], sides[1], sides[0])
    return Plan(squares, margins, letters, len(kinds) > 1, entries)


def corners_of(layer: Layer, x: float = 0.0, y: float = 0.0) -> dict[int, Point]:
    """Return the upper left corner of each cell of a layer whose own is (x, y)."""
    # Boards that overlap have holes, in which there is no cell.
    places = np.argwhere(layer.cells >= 0).tolist()
    return {int(layer.cells[row, column]): beside((x, y), column, row) for row, column in places}


def constraint_shapes(picture: Picture, plan: Plan, at: int, corners: Mapping[int, Point]) -> Iterator[Shape]:
    """Yield the shapes of the constraints on a square.

    Args:
        picture: what is drawn.
        plan: where constraints go.
        at: the number of the square.
        corners: of its cells.
    """
    letters_in: dict[int, str] = {}
    for constraint in plan.squares[at].inside:
        draw = CONSTRAINT_DRAWINGS[constraint.kind].draw
        assert draw is not None
        yield from draw(Site(picture.board, constraint, corners, picture.constraints))
        # Of a line it is at the beginning; both lists of a clone have it.
        for cells in constraint.cells if constraint.kind in _APART else constraint.cells[:1]:
            letters_in[cells[0]] = letters_in.get(cells[0], "") + plan.letters.get(constraint, "")
    for cell, letters in letters_in.items():
        if letters:
            x, y = corners[cell]
            yield Text("letter", x + 0.08, y + 0.92, min(0.22, 1.2 / len(letters)), letters, begins=True)


def clues_of(plan: Plan, at: int, x: float, y: float) -> Iterator[Shape]:
    """Yield the clues beside a square whose upper left corner is (x, y)."""
    for clue in plan.squares[at].clues:
        corner = clue.corner[0] + x, clue.corner[1] + y
        yield from clue_shapes(clue._replace(corner=corner), plan.framed)


def below(plan: Plan, y: float, end: float) -> tuple[list[Shape], float]:
    """Return what is written below a picture that ends at y and to the right at `end`, and where it ends then.

    Short lines of the legend are in two columns, before all others.
    """
    if not plan.entries:
        return [], y
    x = plan.margins.left
    width = end - x
    half = _letters_in(width / 2 - _SAMPLE)
    short = [entry for entry in plan.entries if entry.kind and len(entry.text) <= half]
    shapes: list[Shape] = []
    y += 0.3
    for at, entry in enumerate(short):
        left = x + at % 2 * width / 2
        shapes += _sample(plan, entry.kind, left, y + at // 2 * _LINE)
        shapes.append(_written(entry.text, left + _SAMPLE, y + at // 2 * _LINE))
    y += -(-len(short) // 2) * _LINE
    for entry in plan.entries:
        if entry not in short:
            left = x + (_SAMPLE if entry.kind else 0.0)
            shapes += _sample(plan, entry.kind, x, y)
            for text in wrap(entry.text, _letters_in(end - left)):
                shapes.append(_written(text, left, y))
                y += _LINE
    return shapes, y


def _letters_in(width: float) -> int:
    """Return how many letters have room beside each other, and at least a few, since a line must go somewhere."""
    return max(8, int(width / (LETTER_WIDTH * _SIZE)))


def _written(text: str, x: float, y: float) -> Text:
    """Return a text in a line whose top is at y."""
    return Text("caption", x, y + _LINE / 2 + 0.11, _SIZE, text, begins=True)


def _sample(plan: Plan, kind: str, x: float, y: float) -> Iterator[Shape]:
    """Yield what stands before a line of the legend, from x on, in a line whose top is at y."""
    row = CONSTRAINT_DRAWINGS.get(kind)
    if row is not None and row.sample is not None:
        shapes = [*row.sample(kind), *(frame(kind, 0.5, 0, 0.24) if row.clue and plan.framed else ())]
        yield from (_moved(shape, x, y + _LINE / 2) for shape in shapes)


def _letters(drawn: Sequence[Constraint]) -> dict[Constraint, str]:
    """Return a letter for each constraint whose kind has a line in the legend for each of several forms."""
    forms: dict[str, dict[str, str]] = {}
    with_letters = [one for one in drawn if (row := CONSTRAINT_DRAWINGS[one.kind]).sample and row.draw]
    for constraint in with_letters:
        forms.setdefault(constraint.kind, {})[_form(constraint)] = ""
    number = 0
    for some in forms.values():
        for form in some if len(some) > 1 else ():
            some[form] = _LETTERS[number % 26] + (str(number // 26) if number >= 26 else "")
            number += 1
    return {one: letter for one in with_letters if (letter := forms[one.kind][_form(one)])}


def _form(constraint: Constraint) -> str:
    """Return what tells constraints of a kind apart in the legend."""
    cells = [str(constraint.cells)] if constraint.kind in _APART else []
    return " ".join([*map(str, constraint.numbers), constraint.expression, *cells])


def _legend(drawn: Sequence[Constraint], letters: Mapping[Constraint, str]) -> Iterator[Entry]:
    """Yield a line for each form of a kind that has a sample, with the letters of its constraints."""
    found: dict[Entry, dict[str, None]] = {}
    for constraint in drawn:
        row = CONSTRAINT_DRAWINGS[constraint.kind]
        if row.sample is not None:
            said = [constraint.kind, *(map(str, constraint.numbers) if row.draw else ()), constraint.expression]
            entry = Entry(constraint.kind, " ".join(filter(None, said)))
            found.setdefault(entry, {})[letters.get(constraint, "")] = None
    for entry, some in found.items():
        before = ", ".join(filter(None, some))
        yield entry._replace(text=f"{before}: {entry.text}" if before else entry.text)


def _margins(corners: Sequence[Point], columns: int, rows: int) -> Margins:
    """Return how far places reach beyond a square."""
    if not corners:
        return Margins()
    left, top = (max(0.0, -min(axis)) for axis in zip(*corners, strict=True))
    ends = (max(axis) + 1 for axis in zip(*corners, strict=True))
    right, bottom = (max(0.0, end - side) for end, side in zip(ends, (columns, rows), strict=True))
    return Margins(left, top, right, bottom)


def _moved(shape: Shape, x: float, y: float) -> Shape:
    """Return a shape that is moved to the right and down."""
    if isinstance(shape, Lines):
        return shape._replace(paths=tuple(tuple((at_x + x, at_y + y) for at_x, at_y in path) for path in shape.paths))
    return shape._replace(x=shape.x + x, y=shape.y + y)
