"""The plain shapes of drawings, and their looks.

A drawing is a list of shapes in the order in which they are painted. Lengths are in sides of a cell; x goes right and y
goes down. The class of a shape names its meaning, and LOOKS defines the look of each class, so that a drawing looks the
same in every form.
"""

from collections.abc import Sequence
from typing import NamedTuple


class ShapeLook(NamedTuple):
    """The look of a class of shapes.

    Attributes:
        says: what the class is for.
        fill: colour of an area or a text; empty for none. Lines are never filled.
        stroke: colour of a line; empty for none.
        width: of a line.
        bold: whether a text is bold.
        square: whether lines extend half their width beyond their ends, so that corners are closed.
        round: whether lines have round ends and corners.
        dashes: the lengths of a dash and the gap after it, and so on in turn; empty for a solid line.
        opacity: from 0 to 1; shapes below show through.
    """

    says: str
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    bold: bool = False
    square: bool = False
    round: bool = False
    dashes: tuple[float, ...] = ()
    opacity: float = 1.0


# How constraints look: as setters are used to, in colours of Okabe and Ito's palette. Kinds of lines differ in their
# widths or dashes too, and not only in colour. A wide line is below a narrow one, so that both are visible where they
# overlap.

_INK, _GREY, _MIDDLE = "#1a1a1a", "#8a8a86", "#6a6a66"
_BLUE, _SKY, _GREEN, _ORANGE, _VERMILLION = "#0072b2", "#56b4e9", "#009e73", "#e69f00", "#d55e00"
_PURPLE, _YELLOW = "#c04fb4", "#e0cc00"

# In the order in which they are painted. These are below the lines between cells.
UNDER = {
    "extra-region": ShapeLook("cells of an extra region", fill="#ececf4"),
    "clone": ShapeLook("cells that are cloned", fill="#e2e2dc"),
    "row-indexer": ShapeLook("cells that say where the number of their row is", fill="#e4f1e8"),
    "column-indexer": ShapeLook("cells that say where the number of their column is", fill="#f8e6dd"),
    "box-indexer": ShapeLook("cells that say where their place of the box is", fill="#e0edf6"),
    "indexer-lines": ShapeLook("along the line of an indexer: a row, a column or both", stroke="#c4c4bc", width=0.03),
    "extreme": ShapeLook("cells that are smaller or greater than their neighbours", fill="#e6e6e2"),
    "even": ShapeLook("even cells", fill="#cacac6"),
    "odd": ShapeLook("odd cells", fill="#cacac6"),
    "thermometer": ShapeLook("the tube of a thermometer", stroke="#cfcfcb", width=0.26, round=True),
    "bulb": ShapeLook("the bulb of a thermometer", fill="#cfcfcb"),
    "slow-thermometer": ShapeLook("the tube of a slow thermometer", stroke="#bccbd6", width=0.2, round=True),
    "slow-bulb": ShapeLook("the bulb of a slow thermometer", fill="#ffffff", stroke="#bccbd6", width=0.1),
    "palindrome": ShapeLook("a palindrome", stroke="#808080", width=0.34, round=True, opacity=0.35),
    "region-sums": ShapeLook("equal sums in each box", stroke=_SKY, width=0.3, round=True, opacity=0.6),
    "renban": ShapeLook("consecutive values", stroke=_PURPLE, width=0.22, round=True, opacity=0.5),
    "equal-sums": ShapeLook(
        "lists of cells with equal sums", stroke=_BLUE, width=0.22, dashes=(0.08, 0.12), opacity=0.5
    ),
    "sum-line": ShapeLook("pieces with the same sum", stroke="#a0703c", width=0.24, dashes=(0.24, 0.08), opacity=0.5),
    "sum-loop": ShapeLook("the same on a loop", stroke="#a0703c", width=0.24, dashes=(0.4, 0.08), opacity=0.5),
    "zipper": ShapeLook("sums from the ends inwards", stroke="#9a86e0", width=0.18, dashes=(0.3, 0.08), opacity=0.7),
    "nabner": ShapeLook("values that are not neighbours", stroke=_YELLOW, width=0.18, dashes=(0.14, 0.1), opacity=0.75),
    "whispers": ShapeLook("neighbours that differ by much", stroke=_GREEN, width=0.16, round=True, opacity=0.6),
    "entropic": ShapeLook("low, middle and high values", stroke=_ORANGE, width=0.16, dashes=(0.42, 0.1), opacity=0.7),
    "modular": ShapeLook("different remainders", stroke="#17a2a2", width=0.16, dashes=(0.16, 0.16), opacity=0.7),
    "parity-line": ShapeLook(
        "odd and even in turn", stroke=_VERMILLION, width=0.12, dashes=(0.3, 0.1, 0.06, 0.1), opacity=0.7
    ),
    "between": ShapeLook("values between those of the ends", stroke="#a9a9a5", width=0.1, round=True),
    "lockout": ShapeLook("values not between those of the ends", stroke="#8fb0cf", width=0.1, round=True),
    "double-arrow": ShapeLook("ends with the sum of what is between them", stroke="#a9a9a5", width=0.06, round=True),
    "link": ShapeLook("between cells that are not neighbours", stroke="#a9a9a5", width=0.03),
    "slingshot": ShapeLook("a value that is further along", stroke=_BLUE, width=0.08, dashes=(0.2, 0.08), opacity=0.6),
    "pairs": ShapeLook(
        "pairs of values of the user's own", stroke=_MIDDLE, width=0.06, dashes=(0.04, 0.06), opacity=0.7
    ),
    "relation": ShapeLook("a relation of the user's own", stroke=_MIDDLE, width=0.06, round=True, opacity=0.7),
    "regex": ShapeLook("an expression of the user's own", stroke=_MIDDLE, width=0.06, dashes=(0.14, 0.07), opacity=0.7),
    "automaton": ShapeLook(
        "an automaton of the user's own", stroke=_MIDDLE, width=0.06, dashes=(0.14, 0.07, 0.03, 0.07), opacity=0.7
    ),
    "line-head": ShapeLook(
        "the end of a line that is read from its beginning", stroke=_MIDDLE, width=0.05, opacity=0.7
    ),
    "arrow": ShapeLook("an arrow", stroke=_GREY, width=0.05, round=True),
    "arrow-circle": ShapeLook("the sum of an arrow", stroke=_GREY, width=0.05),
    "line-end": ShapeLook("the ends of a line", stroke="#a9a9a5", width=0.05),
    "lockout-end": ShapeLook("the ends of a lockout line", stroke="#8fb0cf", width=0.06),
    "count-circle": ShapeLook("a cell that says how many values others hold", stroke=_GREEN, width=0.045),
    "counting-circles": ShapeLook("cells that count the cells with their value", stroke="#a07d9b", width=0.045),
}
# These are above the lines between cells.
OVER = {
    "region-outline": ShapeLook("around an extra region", stroke="#9c9cb8", width=0.03),
    "clone-outline": ShapeLook("around cells that are cloned", stroke="#a6a69e", width=0.03),
    "cage": ShapeLook("around a cage", stroke=_INK, width=0.03, dashes=(0.1, 0.07)),
    "sum": ShapeLook("around cells with a sum that may be equal", stroke=_MIDDLE, width=0.035, dashes=(0.035, 0.07)),
    "weighted-sum": ShapeLook(
        "around cells with coefficients", stroke=_MIDDLE, width=0.035, dashes=(0.14, 0.06, 0.035, 0.06)
    ),
    "lunchbox": ShapeLook("around cells with a sum of what is between two of them", stroke="#a0703c", width=0.04),
    "rellik-cage": ShapeLook("around cells that have no such sum", stroke=_VERMILLION, width=0.04, dashes=(0.06, 0.06)),
    "equality-cage": ShapeLook("around as many odd as even cells", stroke=_BLUE, width=0.03, dashes=(0.22, 0.06)),
    "look-and-say": ShapeLook("around cells whose values are counted", stroke=_GREEN, width=0.045, dashes=(0.1, 0.1)),
    "same-values": ShapeLook("around lists with the same values", stroke=_PURPLE, width=0.035, dashes=(0.16, 0.1)),
    "count-distinct": ShapeLook(
        "around cells whose values are counted", stroke=_GREEN, width=0.03, dashes=(0.03, 0.06)
    ),
    "sum-frame": ShapeLook("around the sum of a lunchbox", stroke="#a0703c", width=0.02),
    "sign": ShapeLook("which of two cells is greater", stroke="#5a5a56", width=0.045, round=True),
    "white-dot": ShapeLook("a difference", fill="#ffffff", stroke=_INK, width=0.025),
    "black-dot": ShapeLook("a ratio", fill=_INK, stroke=_INK, width=0.025),
    "pair-sum": ShapeLook("below a sum of two cells", fill="#ffffff"),
    "quadruple": ShapeLook("values that the cells around have", fill="#ffffff", stroke=_INK, width=0.025),
    "clue-frame": ShapeLook("around a clue beside the grid", stroke=_GREY, width=0.025),
    "clue-arrow": ShapeLook("from a clue to its diagonal", stroke=_INK, width=0.035, round=True),
    "sum-ground": ShapeLook("below the sum of a cage", fill="#ffffff"),
    "cage-sum": ShapeLook("the sum of a cage", fill=_INK),
    "sum-strike": ShapeLook("through a sum that does not occur", stroke=_VERMILLION, width=0.03),
    "coefficient": ShapeLook("how many times a cell counts", fill=_MIDDLE),
    "cell-values": ShapeLook("values of which a cell holds one", fill=_MIDDLE),
    "pair-number": ShapeLook("a sum of two cells", fill=_INK),
    "dark-number": ShapeLook("a number in a white dot or a circle", fill=_INK),
    "light-number": ShapeLook("a number in a black dot", fill="#ffffff"),
    "clue": ShapeLook("a clue beside the grid", fill=_INK),
    "letter": ShapeLook("which of several of its kind a constraint is", fill=_MIDDLE),
    "caption": ShapeLook("below the picture: what lines are, and constraints without a place", fill=_INK),
}


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

LOOKS = {
    "window": ShapeLook("the cells of an extra rule", fill="#e8e8e4"),
    "unit": ShapeLook("cells of a highlighted unit", fill="#fdf0d0"),
    "reason": ShapeLook("cells that a step is about", fill="#fff3c4"),
    "cell-highlighted": ShapeLook("highlighted cells", fill="#f9ef9f"),
    **UNDER,
    "diagonal": ShapeLook("an extra rule along a line", stroke="#b9b9b4", width=0.05),
    "thin": ShapeLook("between cells", stroke="#a8a8a8", width=0.02, square=True),
    "thick": ShapeLook("between boxes or regions, and around the board", stroke=_INK, width=0.06, square=True),
    "unit-outline": ShapeLook("around a highlighted unit", stroke=_ORANGE, width=0.08, square=True),
    **OVER,
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
