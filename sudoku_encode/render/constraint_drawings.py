"""How constraints are drawn: the drawings and samples that the pictures of kinds name.

A constraint is written below the picture if its kind has no picture, or if it has no place in the picture: its cells
are on several layers of a cube, or not a whole row.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import NamedTuple

from sudoku_encode.puzzles.constraints.constraint import NO_CELLS, Constraint, Picture
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.render import constraint_areas as areas
from sudoku_encode.render import constraint_lines as lines
from sudoku_encode.render.shapes import Box, Circle, Lines, Shape
from sudoku_encode.render.site import ALONG_SIDES, DIAGONAL_STEPS, Clue, Site, centred, clue_of_line, polygon


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
    "slow-thermometer": Drawing(lambda site: lines.thermometer(site, "slow-bulb", 0.33)),
    "arrow": Drawing(lines.arrow),
    "double-arrow": Drawing(lines.double_arrow),
    "between": Drawing(lines.between),
    "lockout": Drawing(lines.lockout),
    "white-dot": Drawing(lambda site: lines.dot(site, "dark-number", 1)),
    "black-dot": Drawing(lambda site: lines.dot(site, "light-number", 2)),
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
    "extreme": Drawing(areas.extreme, is_vague=lambda site: site.board.is_cube),
    "counting-circles": Drawing(areas.counting_circles),
    "indexer": Drawing(areas.indexer),
    # Beside the grid.
    "edge-clue": Drawing(clue=partial(clue_of_line, steps=ALONG_SIDES)),
    "diagonal-clue": Drawing(clue=partial(clue_of_line, steps=DIAGONAL_STEPS)),
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


def _cage_sample(kind: str, picture: Picture) -> Iterator[Shape]:
    yield polygon(kind, [(0.2, -0.18), (0.85, -0.18), (0.85, 0.18), (0.2, 0.18)])
    if picture.sample_text:
        yield from areas.marked(0.45, -0.13, 0.24, picture.sample_text, picture.sign)


SAMPLES: dict[str, Callable[[str, Picture], Iterable[Shape]]] = {
    "line": lambda kind, picture: [Lines(kind, (((0.2, 0.0), (0.85, 0.0)),))],
    "clue": lambda kind, picture: [centred("clue", 0.5, 0, 0.28, "1")],
    "circle": lambda kind, picture: [Circle(kind, 0.5, 0, 0.2)],
    "box": lambda kind, picture: [Box(kind, 0.3, -0.2, 0.4, 0.4)],
    "indexer": lambda kind, picture: areas.indexer_cell(kind, picture.sign, 0.3, -0.2, 0.4),
    "cage": _cage_sample,
}
"""The samples of the legend, by the names in the pictures of kinds."""


def sample_of(kind: str) -> list[Shape]:
    """Return the shapes of a kind in the legend; none for a kind that is obvious from its drawing."""
    picture = CONSTRAINTS[kind].picture
    return list(SAMPLES[picture.legend](kind, picture)) if picture and picture.legend else []
