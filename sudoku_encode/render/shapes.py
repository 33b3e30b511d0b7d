"""The plain shapes of drawings, and their looks.

A drawing is a list of shapes in the order in which they are painted. Lengths are in sides of a cell; x goes right and y
goes down. The class of a shape names its meaning, and LOOKS defines the look of each class, so that a drawing looks the
same in every form.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sudoku_encode.puzzles.constraints.table import CONSTRAINTS


class ShapeLook(NamedTuple):
    """The look of a class of shapes."""

    says: str  # what the class is for
    fill: str = ""  # colour of an area or a text; empty for none. Lines are never filled.
    stroke: str = ""  # colour of a line; empty for none
    width: float = 0.0  # of a line
    bold: bool = False  # whether a text is bold
    square: bool = False  # whether lines extend half their width beyond their ends, so that corners are closed
    round: bool = False  # whether lines have round ends and corners
    # The lengths of a dash and the gap after it, and so on in turn; empty for a solid line.
    dashes: tuple[float, ...] = ()
    opacity: float = 1.0  # from 0 to 1; shapes below show through


# How constraints look: as setters are used to, in colours of Okabe and Ito's palette. Kinds of lines differ in their
# widths or dashes too, and not only in colour. The look of a kind is in its class.

_INK, _GREY, _MIDDLE = "#1a1a1a", "#8a8a86", "#6a6a66"
_BLUE, _GREEN, _ORANGE, _VERMILLION = "#0072b2", "#009e73", "#e69f00", "#d55e00"

# The other parts of drawings of constraints, each with its depth; see `puzzles.constraints.constraint.Look`.
_PARTS = {
    "indexer-lines": (
        950,
        ShapeLook("along the line of an indexer: a row, a column or both", stroke="#c4c4bc", width=0.03),
    ),
    "extreme": (940, ShapeLook("cells that are smaller or greater than their neighbours", fill="#e6e6e2")),
    "bulb": (900, ShapeLook("the bulb of a thermometer", fill="#cfcfcb")),
    "slow-bulb": (880, ShapeLook("the bulb of a slow thermometer", fill="#ffffff", stroke="#bccbd6", width=0.1)),
    "link": (720, ShapeLook("between cells that are not neighbours", stroke="#a9a9a5", width=0.03)),
    "line-head": (
        660,
        ShapeLook("the end of a line that is read from its beginning", stroke=_MIDDLE, width=0.05, opacity=0.7),
    ),
    "arrow-circle": (640, ShapeLook("the sum of an arrow", stroke=_GREY, width=0.05)),
    "line-end": (630, ShapeLook("the ends of a line", stroke="#a9a9a5", width=0.05)),
    "lockout-end": (620, ShapeLook("the ends of a lockout line", stroke="#8fb0cf", width=0.06)),
    "count-circle": (610, ShapeLook("a cell that says how many values others hold", stroke=_GREEN, width=0.045)),
    "region-outline": (500, ShapeLook("around an extra region", stroke="#9c9cb8", width=0.03)),
    "clone-outline": (490, ShapeLook("around cells that are cloned", stroke="#a6a69e", width=0.03)),
    "sum-frame": (390, ShapeLook("around the sum of a lunchbox", stroke="#a0703c", width=0.02)),
    "sign": (380, ShapeLook("which of two cells is greater", stroke="#5a5a56", width=0.045, round=True)),
    "white-dot": (370, ShapeLook("a difference", fill="#ffffff", stroke=_INK, width=0.025)),
    "black-dot": (360, ShapeLook("a ratio", fill=_INK, stroke=_INK, width=0.025)),
    "pair-sum": (350, ShapeLook("below a sum of two cells", fill="#ffffff")),
    "quadruple": (340, ShapeLook("values that the cells around have", fill="#ffffff", stroke=_INK, width=0.025)),
    "clue-frame": (330, ShapeLook("around a clue beside the grid", stroke=_GREY, width=0.025)),
    "clue-arrow": (320, ShapeLook("from a clue to its diagonal", stroke=_INK, width=0.035, round=True)),
    "cage-sum": (300, ShapeLook("the sum of a cage", fill=_INK)),
    "sum-strike": (290, ShapeLook("through a sum that does not occur", stroke=_VERMILLION, width=0.03)),
    "coefficient": (280, ShapeLook("how many times a cell counts", fill=_MIDDLE)),
    "cell-values": (270, ShapeLook("values of which a cell holds one", fill=_MIDDLE)),
    "pair-number": (260, ShapeLook("a sum of two cells", fill=_INK)),
    "dark-number": (250, ShapeLook("a number in a white dot or a circle", fill=_INK)),
    "light-number": (240, ShapeLook("a number in a black dot", fill="#ffffff")),
    "clue": (230, ShapeLook("a clue beside the grid", fill=_INK)),
    "letter": (220, ShapeLook("which of several of its kind a constraint is", fill=_MIDDLE)),
    "caption": (210, ShapeLook("below the picture: what lines are, and constraints without a place", fill=_INK)),
}
# Looks of a greater depth are below the lines between cells.
_LINES_DEPTH = 550


def _looks_of_constraints() -> list[tuple[int, str, ShapeLook]]:
    """Return the depth, the class and the look of all parts of drawings of constraints, the deepest first."""
    looks = [(depth, name, look) for name, (depth, look) in _PARTS.items()]
    for kind in CONSTRAINTS.values():
        if kind.picture and (look := kind.picture.look):
            details = look._asdict()
            looks.append((details.pop("depth"), kind.name, ShapeLook(kind.picture.about, **details)))
    return sorted(looks, reverse=True)


Point = tuple[float, float]


class Lines(NamedTuple):
    """Lines, each from point to point; one that ends where it begins is closed."""

    kind: str
    paths: tuple[tuple[Point, ...], ...]


class Box(NamedTuple):
    """A rectangle, by its upper left corner."""

    kind: str
    x: float
    y: float
    width: float
    height: float


class Circle(NamedTuple):
    """A circle, by its middle."""

    kind: str
    x: float
    y: float
    radius: float


class Text(NamedTuple):
    """A line of text: x is its middle, y its baseline, size the height of its font.

    `opacity` is from 0 to 1; `says` is a tooltip, for forms that can show one. With `begins`, x is the beginning of the
    text, not its middle.
    """

    kind: str
    x: float
    y: float
    size: float
    text: str
    opacity: float = 1.0
    says: str = ""
    begins: bool = False


Shape = Lines | Box | Circle | Text


class Scene(NamedTuple):
    """All shapes of a drawing, and its size without a margin."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def is_closed(points: Sequence[Point]) -> bool:
    """Return whether a line ends where it begins."""
    return len(points) > 2 and points[0] == points[-1]


# The colours of page.css, and paler ones for areas: Okabe and Ito's palette, which colour-blind people can tell apart.
# Nothing is expressed by colour alone, but also by a weight, a frame or a line, since paper may be grey.
_DARK_GREEN = "#007a5a"

_OF_CONSTRAINTS = _looks_of_constraints()
LOOKS = {
    "window": ShapeLook("the cells of an extra rule", fill="#e8e8e4"),
    "unit": ShapeLook("cells of a highlighted unit", fill="#fdf0d0"),
    "reason": ShapeLook("cells that a step is about", fill="#fff3c4"),
    "cell-highlighted": ShapeLook("highlighted cells", fill="#f9ef9f"),
    **{name: look for depth, name, look in _OF_CONSTRAINTS if depth > _LINES_DEPTH},
    "diagonal": ShapeLook("an extra rule along a line", stroke="#b9b9b4", width=0.05),
    "thin": ShapeLook("between cells", stroke="#a8a8a8", width=0.02, square=True),
    "thick": ShapeLook("between boxes or regions, and around the board", stroke=_INK, width=0.06, square=True),
    "unit-outline": ShapeLook("around a highlighted unit", stroke=_ORANGE, width=0.08, square=True),
    **{name: look for depth, name, look in _OF_CONSTRAINTS if depth <= _LINES_DEPTH},
    "differs": ShapeLook(
        "a frame in cells whose value is another one in the other grid", stroke=_VERMILLION, width=0.06
    ),
    "placed-ring": ShapeLook("around a value that a step places", stroke=_DARK_GREEN, width=0.02),
    "given": ShapeLook("givens", fill=_INK, bold=True),
    "solution": ShapeLook("values that are not givens", fill=_BLUE),
    "candidate": ShapeLook("what a cell may hold", fill="#3c3c3c"),
    "pattern": ShapeLook("candidates that a step is about", fill=_BLUE, bold=True),
    "placed": ShapeLook("a value that a step places", fill=_DARK_GREEN, bold=True),
    "removed": ShapeLook("candidates that a step removes", fill=_VERMILLION),
    "strike": ShapeLook("through a candidate that is removed", stroke=_VERMILLION, width=0.02),
    "other": ShapeLook("what the other grid has", fill=_VERMILLION, bold=True),
    "label": ShapeLook("which layer of a cube or face of a surface it is", fill="#4a4a4a"),
    "title": ShapeLook("of the picture", fill=_INK, bold=True),
}
"""How each class of shapes looks, in the order in which they are painted.

>>> LOOKS["given"].bold, LOOKS["solution"].bold
(True, False)
"""
