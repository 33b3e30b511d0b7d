"""Where constraints go in a picture: on which square, in the legend, or in the list below."""

from collections.abc import Iterator, Mapping, Sequence
from textwrap import wrap
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.parsing import bind
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.render.constraint_drawings import CONSTRAINT_DRAWINGS, drawing_of, sample_of
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.shapes import Lines, Point, Shape, Text
from sudoku_encode.render.site import (
    DIAGONAL_STEPS,
    LETTER_WIDTH,
    Clue,
    Site,
    apart,
    beside,
    clue_shapes,
    frame,
    picture_of,
)
from sudoku_encode.render.text import Layer

# Below the picture: the size of the font, the height of a line, and the width of samples in the legend.
_SIZE, _LINE, _SAMPLE = 0.32, 0.52, 1.2
_LETTERS = "abcdefghijklmnopqrstuvwxyz"


class OnSquare(NamedTuple):
    """The constraints drawn on a square."""

    inside: tuple[Constraint, ...] = ()  # the constraints
    clues: tuple[Clue, ...] = ()  # beside it, in cells from its upper left corner


class Margins(NamedTuple):
    """The room for clues at each side of a square, in cells."""

    left_width: float = 0.0
    top_height: float = 0.0
    right_width: float = 0.0
    bottom_height: float = 0.0


class Entry(NamedTuple):
    """A line of the legend: the kind of its sample, or empty for no sample, and its text."""

    kind: str
    text: str


class Plan(NamedTuple):
    """The places of the constraints of a picture."""

    squares: tuple[OnSquare, ...]  # for each layer
    margins: Margins  # of each square
    letters: Mapping[Constraint, str]  # of the constraints of kinds that occur in several forms
    framed: bool  # whether there are clues of several kinds
    entries: tuple[Entry, ...]  # the lines below the picture


def plan_constraints(picture: Picture, layers: Sequence[Layer]) -> Plan:
    """Return the places of the constraints of a picture."""
    corners = [corners_of(layer) for layer in layers]
    inside, clues = [list[Constraint]() for _ in layers], [list[Clue]() for _ in layers]
    written, drawn = list[Constraint](), list[Constraint]()
    for constraint in picture.constraints:
        row = drawing_of(constraint.kind)
        cells = {cell for cells in constraint.cells for cell in cells}
        if row is not None and not cells:
            cells = set(bind(constraint, picture.board, picture.constraints).scope_cells)
        number = next((number for number, square in enumerate(corners) if cells and cells <= square.keys()), None)
        if row is not None and number is not None:
            site = Site(picture.board, constraint, corners[number], picture.constraints)
            clue = row.clue(site) if row.clue else None
            if clue:
                clues[number].append(clue)
            elif row.draw:
                inside[number].append(constraint)
            if clue or row.draw:
                drawn.append(constraint)
                if not (row.is_vague and row.is_vague(site)):
                    continue
        written.append(constraint)
    letters = _letters(drawn)
    # Clues of diagonals have an arrow.
    kinds = {clue.kind for row in clues for clue in row if clue.step not in DIAGONAL_STEPS}
    clues = [list(apart(row)) for row in clues]
    squares = tuple(OnSquare(tuple(constraints), tuple(row)) for constraints, row in zip(inside, clues, strict=True))
    entries = (*_legend(drawn, letters), *(Entry("", constraint.text(picture.board)) for constraint in written))
    sides = layers[0].cells.shape
    margins = _margins([clue.corner for row in clues for clue in row], sides[1], sides[0])
    return Plan(squares, margins, letters, len(kinds) > 1, entries)


def corners_of(layer: Layer, x: float = 0.0, y: float = 0.0) -> dict[int, Point]:
    """Return the upper left corner of each cell of a layer whose own corner is (x, y)."""
    # Overlapping boards have holes without cells.
    places = np.argwhere(layer.cells >= 0).tolist()
    return {int(layer.cells[row, column]): beside((x, y), column, row) for row, column in places}


def constraint_shapes(picture: Picture, plan: Plan, number: int, corners: Mapping[int, Point]) -> Iterator[Shape]:
    """Yield the shapes of the constraints on a square, by its number and the corners of its cells."""
    letters_in: dict[int, str] = {}
    for constraint in plan.squares[number].inside:
        row, site = drawing_of(constraint.kind), Site(picture.board, constraint, corners, picture.constraints)
        assert row is not None
        assert row.draw is not None
        yield from row.draw(site)
        # A line has its letter at the beginning; a clone has it in both lists.
        for cells in constraint.cells if site.picture.has_letters else constraint.cells[:1]:
            letters_in[cells[0]] = letters_in.get(cells[0], "") + plan.letters.get(constraint, "")
    for cell, letters in letters_in.items():
        if letters:
            x, y = corners[cell]
            yield Text("letter", x + 0.08, y + 0.92, min(0.22, 1.2 / len(letters)), letters, begins=True)


def clues_of(plan: Plan, number: int, x: float, y: float) -> Iterator[Shape]:
    """Yield the clues beside a square whose upper left corner is (x, y)."""
    for clue in plan.squares[number].clues:
        corner = clue.corner[0] + x, clue.corner[1] + y
        yield from clue_shapes(clue._replace(corner=corner), plan.framed)


def below(plan: Plan, y: float, end: float) -> tuple[list[Shape], float]:
    """Return the shapes below a picture that ends at y, and at `end` to the right, and where these end.

    Short lines of the legend are in two columns, before all others.
    """
    if not plan.entries:
        return [], y
    x = plan.margins.left_width
    width = end - x
    half = _letters_in(width / 2 - _SAMPLE)
    short = [entry for entry in plan.entries if entry.kind and len(entry.text) <= half]
    shapes: list[Shape] = []
    y += 0.3
    for number, entry in enumerate(short):
        start = x + number % 2 * width / 2
        shapes += _sample(plan, entry.kind, start, y + number // 2 * _LINE)
        shapes.append(_line_text(entry.text, start + _SAMPLE, y + number // 2 * _LINE))
    y += -(-len(short) // 2) * _LINE
    for entry in plan.entries:
        if entry not in short:
            start = x + (_SAMPLE if entry.kind else 0.0)
            shapes += _sample(plan, entry.kind, x, y)
            for text in wrap(entry.text, _letters_in(end - start)):
                shapes.append(_line_text(text, start, y))
                y += _LINE
    return shapes, y


def _letters_in(width: float) -> int:
    """Return how many letters fit into a width, at least 8, since a line must go somewhere."""
    return max(8, int(width / (LETTER_WIDTH * _SIZE)))


def _line_text(text: str, x: float, y: float) -> Text:
    """Return the text of a line whose top is at y."""
    return Text("caption", x, y + _LINE / 2 + 0.11, _SIZE, text, begins=True)


def _sample(plan: Plan, kind: str, x: float, y: float) -> Iterator[Shape]:
    """Yield the sample of a line of the legend, from x on, in a line whose top is at y."""
    if not kind:
        return
    row, picture = drawing_of(kind), CONSTRAINTS[kind].picture
    sign = picture.sign if row and row.clue and picture and plan.framed else ""
    shapes = [*sample_of(kind), *frame(sign, 0.5, 0, 0.24)]
    yield from (_moved(shape, x, y + _LINE / 2) for shape in shapes)


def _letters(drawn: Sequence[Constraint]) -> dict[Constraint, str]:
    """Return a letter for each constraint whose kind has several forms in the legend."""
    forms: dict[str, dict[str, str]] = {}
    with_letters = [
        constraint
        for constraint in drawn
        if picture_of(constraint).legend and CONSTRAINT_DRAWINGS[picture_of(constraint).draw].draw
    ]
    for constraint in with_letters:
        forms.setdefault(constraint.kind, {})[_form(constraint)] = ""
    number = 0
    for letter_of in forms.values():
        for form in letter_of if len(letter_of) > 1 else ():
            letter_of[form] = _LETTERS[number % 26] + (str(number // 26) if number >= 26 else "")
            number += 1
    return {constraint: letter for constraint in with_letters if (letter := forms[constraint.kind][_form(constraint)])}


def _form(constraint: Constraint) -> str:
    """Return a text that distinguishes the forms of a kind in the legend."""
    cells = [str(constraint.cells)] if picture_of(constraint).has_letters else []
    return " ".join([*_numbers(constraint), constraint.expression, *cells])


def _numbers(constraint: Constraint) -> list[str]:
    """Return the numbers for the legend, those that the drawing does not contain."""
    row = CONSTRAINT_DRAWINGS[picture_of(constraint).draw]
    return [] if row.clue or row.has_numbers else list(constraint.words)


def _legend(drawn: Sequence[Constraint], letters: Mapping[Constraint, str]) -> Iterator[Entry]:
    """Yield a line for each form of a kind with a sample, with the letters of its constraints."""
    entries: dict[Entry, dict[str, None]] = {}
    for constraint in drawn:
        if picture_of(constraint).legend:
            words = [constraint.kind, *_numbers(constraint), constraint.expression]
            entry = Entry(constraint.kind, " ".join(filter(None, words)))
            entries.setdefault(entry, {})[letters.get(constraint, "")] = None
    for entry, letters_of_entry in entries.items():
        before = ", ".join(filter(None, letters_of_entry))
        yield entry._replace(text=f"{before}: {entry.text}" if before else entry.text)


def _margins(corners: Sequence[Point], columns: int, rows: int) -> Margins:
    """Return how far clues extend beyond a square."""
    if not corners:
        return Margins()
    to_left, top = (max(0.0, -min(axis)) for axis in zip(*corners, strict=True))
    ends = (max(axis) + 1 for axis in zip(*corners, strict=True))
    right, bottom = (max(0.0, end - side) for end, side in zip(ends, (columns, rows), strict=True))
    return Margins(to_left, top, right, bottom)


def _moved(shape: Shape, x: float, y: float) -> Shape:
    """Return a shape that is moved to the right and down."""
    if isinstance(shape, Lines):
        return shape._replace(
            paths=tuple(tuple((point_x + x, point_y + y) for point_x, point_y in path) for path in shape.paths)
        )
    return shape._replace(x=shape.x + x, y=shape.y + y)
