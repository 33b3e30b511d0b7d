"""How constraints are drawn: the drawings and samples that the pictures of kinds name.

A constraint is written below the picture if its kind has no picture, or if it has no place in the picture: its cells
are on several layers of a cube, or not a whole row.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sudoku_encode.puzzles.constraints.constraint import NO_CELLS, Constraint, Picture
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.render import constraint_areas as areas
from sudoku_encode.render import constraint_lines as lines
from sudoku_encode.render.shapes import Box, Circle, Lines, Shape
from sudoku_encode.render.site import Clue, Site, centred, diagonal_clue, edge_clue, polygon


class Drawing(NamedTuple):
    """How constraints are drawn. It has `draw` or `clue`."""

    draw: Callable[[Site], Iterable[Shape]] | None = None  # the shapes of a constraint
    # The clue of a constraint; None if the cells are not a whole line.
    clue: Callable[[Site], Clue | None] | None = None
    has_numbers: bool = False  # whether the drawing of a constraint contains its numbers, so that the legend omits them
    # Whether the drawing of a constraint is incomplete, so that it is also written below.
    is_vague: Callable[[Site], bool] | None = None


CONSTRAINT_DRAWINGS = {
    # Along lines, between two cells, and around a corner.
    "line": Drawing(lines.line),
    "loop": Drawing(lines.loop),
    "directed": Drawing(lines.directed),
    "thermometer": Drawing(lines.thermometer),
    "slow-thermometer": Drawing(lines.slow_thermometer),
    "arrow": Drawing(lines.arrow),
    "double-arrow": Drawing(lines.double_arrow),
    "between": Drawing(lines.between),
    "lockout": Drawing(lines.lockout),
    "white-dot": Drawing(lines.white_dot),
    "black-dot": Drawing(lines.black_dot),
    "pair-sum": Drawing(lines.pair_sum),
    "greater": Drawing(lines.greater),
    "quadruple": Drawing(lines.quadruple),
    # Around and in cells.
    "cage": Drawing(areas.cage, has_numbers=True, is_vague=areas.is_unclear),
    "weighted-sum": Drawing(areas.weighted_sum, has_numbers=True, is_vague=areas.is_unclear),
    "same-values": Drawing(areas.same_values),
    "count-distinct": Drawing(areas.count_distinct),
    "clone": Drawing(areas.clone, is_vague=areas.have_different_shapes),
    "extra-region": Drawing(areas.extra_region),
    "diagonals": Drawing(areas.diagonals),
    "windows": Drawing(areas.windows),
    "odd": Drawing(areas.odd),
    "even": Drawing(areas.even),
    "values": Drawing(areas.values, has_numbers=True, is_vague=areas.are_many_values),
    "extreme": Drawing(areas.extreme, is_vague=areas.is_in_cube),
    "counting-circles": Drawing(areas.counting_circles),
    "indexer": Drawing(areas.indexer),
    # Beside the grid.
    "edge-clue": Drawing(clue=edge_clue),
    "diagonal-clue": Drawing(clue=diagonal_clue),
}
"""The drawings, by the names in the pictures of kinds: from a `Site` to shapes, or to a clue beside the grid."""


def drawing_of(kind: str) -> Drawing | None:
    """Return how constraints of a kind are drawn; None if they are only written."""
    picture = CONSTRAINTS[kind].picture
    return CONSTRAINT_DRAWINGS[picture.draw] if picture else None


def without_drawing(constraints: Iterable[Constraint]) -> list[str]:
    """Return the kinds of some constraints that have cells but no drawing, so that they are only written."""
    kinds = dict.fromkeys(constraint.kind for constraint in constraints)
    return [kind for kind in kinds if CONSTRAINTS[kind].picture is None and CONSTRAINTS[kind].n_lists != NO_CELLS]


# Samples for the legend: shapes one cell wide around (0.5, 0), in a line whose middle is at height 0.


def _line_sample(kind: str, picture: Picture) -> Iterator[Shape]:
    yield Lines(kind, (((0.2, 0.0), (0.85, 0.0)),))


def _clue_sample(kind: str, picture: Picture) -> Iterator[Shape]:
    yield centred("clue", 0.5, 0, 0.28, "1")


def _circle_sample(kind: str, picture: Picture) -> Iterator[Shape]:
    yield Circle(kind, 0.5, 0, 0.2)


def _box_sample(kind: str, picture: Picture) -> Iterator[Shape]:
    yield Box(kind, 0.3, -0.2, 0.4, 0.4)


def _indexer_sample(kind: str, picture: Picture) -> Iterator[Shape]:
    yield from areas.indexer_cell(kind, picture.sign, 0.3, -0.2, 0.4)


def _cage_sample(kind: str, picture: Picture) -> Iterator[Shape]:
    yield polygon(kind, [(0.2, -0.18), (0.85, -0.18), (0.85, 0.18), (0.2, 0.18)])
    if picture.sample_text:
        yield from areas.marked(0.45, -0.13, 0.24, picture.sample_text, picture.sign)


SAMPLES: dict[str, Callable[[str, Picture], Iterable[Shape]]] = {
    "line": _line_sample,
    "clue": _clue_sample,
    "circle": _circle_sample,
    "box": _box_sample,
    "indexer": _indexer_sample,
    "cage": _cage_sample,
}
"""The samples of the legend, by the names in the pictures of kinds."""


def sample_of(kind: str) -> list[Shape]:
    """Return the shapes of a kind in the legend; none for a kind that is obvious from its drawing."""
    picture = CONSTRAINTS[kind].picture
    return list(SAMPLES[picture.legend](kind, picture)) if picture and picture.legend else []
