"""The table of the drawings of constraints: a row for each kind that has cells, and a few more.

A row contains a function from a `Site` to shapes, or to a clue beside the grid. A constraint is written below the
picture if it has no cells or no place in the picture: its cells are on several layers of a cube, or not a whole row.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.constraint_kinds import CONSTRAINTS
from sudoku_encode.puzzles.table import Table, brief
from sudoku_encode.render import constraint_areas as areas
from sudoku_encode.render import constraint_lines as lines
from sudoku_encode.render.shapes import Box, Circle, Lines, Shape
from sudoku_encode.render.site import Clue, Site, centred, diagonal_clue, edge_clue, polygon

# The shapes of a sample, in a line of the legend whose middle is at height 0.
Sample = Callable[[str], Iterable[Shape]]


class ConstraintDrawing(NamedTuple):
    """A row of the table. It has `draw` or `clue`.

    Attributes:
        says: what is drawn.
        draw: the shapes of a constraint.
        clue: the clue of a constraint; None if the cells are not a whole line.
        sample: for the legend of a kind that is not obvious from its drawing: shapes one cell wide around (0.5, 0).
        has_numbers: whether the drawing of a constraint contains its numbers, so that the legend omits them.
        is_vague: whether the drawing of a constraint is incomplete, so that it is also written below.
    """

    says: str
    draw: Callable[[Site], Iterable[Shape]] | None = None
    clue: Callable[[Site], Clue | None] | None = None
    sample: Sample | None = None
    has_numbers: bool = False
    is_vague: Callable[[Site], bool] | None = None

    def __repr__(self) -> str:
        """Return its description on one short line."""
        return brief(self)


def _line_sample(kind: str) -> Iterator[Shape]:
    yield Lines(kind, (((0.2, 0.0), (0.85, 0.0)),))


def _clue_sample(kind: str) -> Iterator[Shape]:
    yield centred("clue", 0.5, 0, 0.28, "1")


def _circle_sample(kind: str) -> Iterator[Shape]:
    yield Circle(kind, 0.5, 0, 0.2)


def _box_sample(kind: str) -> Iterator[Shape]:
    yield Box(kind, 0.3, -0.2, 0.4, 0.4)


def _indexer_sample(kind: str) -> Iterator[Shape]:
    yield from areas.indexer_cell(kind, 0.3, -0.2, 0.4)


def _cage_sample(kind: str) -> Iterator[Shape]:
    yield polygon(kind, [(0.2, -0.18), (0.85, -0.18), (0.85, 0.18), (0.2, 0.18)])
    if text := _SAMPLE_TEXTS.get(kind):
        yield from areas.marked(kind, 0.45, -0.13, 0.24, text)


# The text in the corner of the cages that it distinguishes.
_SAMPLE_TEXTS = {"lunchbox": "1", "rellik-cage": "1", "equality-cage": "="}


def _cage(says: str) -> ConstraintDrawing:
    """Return the row of a cage that needs no legend."""
    return ConstraintDrawing(says, areas.cage, has_numbers=True, is_vague=areas.is_unclear)


def _other_cage(says: str) -> ConstraintDrawing:
    return _cage(says)._replace(sample=_cage_sample)


def _line(says: str) -> ConstraintDrawing:
    return ConstraintDrawing(says, lines.line, sample=_line_sample)


def _edge(says: str) -> ConstraintDrawing:
    return ConstraintDrawing(says, clue=edge_clue, sample=_clue_sample)


CONSTRAINT_DRAWINGS: Table[ConstraintDrawing] = Table(
    {
        "cage": _cage("a dashed line around the cells, the sum in its corner"),
        "sum": _cage("a dotted line around the cells, the sum in its corner"),
        "little-killer": ConstraintDrawing("a number beside the grid with an arrow", clue=diagonal_clue),
        "arrow": ConstraintDrawing("a circle or a pill with an arrow", lines.arrow),
        "double-arrow": ConstraintDrawing("a line with a circle and an arrow at both ends", lines.double_arrow),
        "equal-sums": _line("a blue line of short dashes through each list"),
        "region-sums": _line("a wide light blue line"),
        "zipper": _line("a violet line of long dashes"),
        "weighted-sum": _other_cage(
            "a line of dashes and dots around the cells, the sum in its corner, in cells coefficients other than 1"
        )._replace(draw=areas.weighted_sum),
        "sum-line": _line("a wide brown line of dashes"),
        "sum-loop": ConstraintDrawing(
            "a wide brown line of long dashes that is closed", lines.loop, sample=_line_sample
        ),
        "lunchbox": _other_cage("a brown line around the cells, the sum in a frame in its corner"),
        "rellik-cage": _other_cage("a red line of dots around the cells, the number struck out in its corner"),
        "equality-cage": _other_cage("a blue line of long dashes around the cells, = in its corner"),
        "same-values": ConstraintDrawing(
            "a purple line of dashes around each list of cells, with a letter", areas.same_values, sample=_cage_sample
        ),
        "difference": ConstraintDrawing("a white dot, with the number where it is not 1", lines.white_dot),
        "ratio": ConstraintDrawing("a black dot, with the number where it is not 2", lines.black_dot),
        "xv": ConstraintDrawing("an X for 10, a V for 5, else the sum", lines.pair_sum),
        "greater": ConstraintDrawing("signs between the cells", lines.greater),
        "clone": ConstraintDrawing(
            "a fill and a line around it, with a letter",
            areas.clone,
            sample=_box_sample,
            is_vague=areas.have_different_shapes,
        ),
        "palindrome": _line("a wide grey line"),
        "diagonal": ConstraintDrawing("a thin line along each diagonal", areas.diagonals),
        "windoku": ConstraintDrawing("a pale fill of the windows", areas.windows),
        "odd": ConstraintDrawing("grey circles", areas.odd),
        "even": ConstraintDrawing("grey squares", areas.even),
        "values": ConstraintDrawing(
            "small values low in the cells", areas.values, has_numbers=True, is_vague=areas.are_many_values
        ),
        "minimum": ConstraintDrawing(
            "a fill, and signs whose tips point into the cell", areas.extreme, is_vague=areas.is_in_cube
        ),
        "maximum": ConstraintDrawing(
            "a fill, and signs whose tips point out of the cell", areas.extreme, is_vague=areas.is_in_cube
        ),
        "extra-region": ConstraintDrawing("a fill and a line around it", areas.extra_region),
        "quadruple": ConstraintDrawing("a circle with the values", lines.quadruple),
        "counting-circles": ConstraintDrawing("circles", areas.counting_circles, sample=_circle_sample),
        "look-and-say": _other_cage(
            "a green line of dashes around the cells, in its corner how often and which value, for each pair"
        ),
        "count-distinct": ConstraintDrawing(
            "a circle, and a green line of dots around the cells that it counts",
            areas.count_distinct,
            sample=_cage_sample,
        ),
        "slingshot": ConstraintDrawing("a blue arrow of dashes", lines.directed, sample=_line_sample),
        "thermometer": ConstraintDrawing("a tube with a bulb", lines.thermometer),
        "slow-thermometer": ConstraintDrawing("a tube with a hollow bulb", lines.slow_thermometer, sample=_line_sample),
        "whispers": _line("a green line"),
        "renban": _line("a purple line"),
        "nabner": _line("a yellow line of short dashes"),
        "entropic": _line("an orange line of long dashes"),
        "modular": _line("a line of short dashes, between blue and green"),
        "parity-line": _line("a red line of dashes and dots"),
        "between": ConstraintDrawing("a line with a circle at both ends", lines.between),
        "lockout": ConstraintDrawing("a line with a diamond at both ends", lines.lockout),
        "sandwich": _edge("a number beside the grid"),
        "x-sum": _edge("a number beside the grid, in a circle where there are several kinds"),
        "skyscraper": _edge("a number beside the grid, in a square where there are several kinds"),
        "hidden-skyscraper": _edge("a number beside the grid, between two upright lines where there are several kinds"),
        "numbered-room": _edge("a number beside the grid, in a house where there are several kinds"),
        "row-indexer": ConstraintDrawing("a fill with level lines", areas.indexer, sample=_indexer_sample),
        "column-indexer": ConstraintDrawing("a fill with upright lines", areas.indexer, sample=_indexer_sample),
        "box-indexer": ConstraintDrawing("a fill with both lines", areas.indexer, sample=_indexer_sample),
        "relation": ConstraintDrawing("a thin grey arrow", lines.directed, sample=_line_sample),
        "pairs": ConstraintDrawing("a thin dotted grey arrow", lines.directed, sample=_line_sample),
        "regex": ConstraintDrawing("a thin dashed grey arrow", lines.directed, sample=_line_sample),
        "automaton": ConstraintDrawing("a thin grey arrow of dots and dashes", lines.directed, sample=_line_sample),
    }
)
"""How each kind of constraint is drawn, by its name.

>>> CONSTRAINT_DRAWINGS["even"].says
'grey squares'
"""


def without_drawing(constraints: Iterable[Constraint]) -> list[str]:
    """Return the kinds of some constraints that have cells but no drawing, so that they are only written."""
    kinds = dict.fromkeys(constraint.kind for constraint in constraints)
    return [kind for kind in kinds if kind not in CONSTRAINT_DRAWINGS and CONSTRAINTS[kind].lists != (0, 0)]
