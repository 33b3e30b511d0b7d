"""The plain shapes that drawings are made of, and how they look.

A drawing is a list of shapes in the order in which they are painted. Lengths are in sides of a cell; x goes right and y
goes down. What a shape stands for is the name of its class, and LOOKS says how the shapes of a class look, so that a
drawing looks alike in every form.
"""

from collections.abc import Sequence
from typing import NamedTuple

from sudoku_encode.render.constraint_looks import OVER, UNDER
from sudoku_encode.render.look import Look

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
    """A line of text: x is its middle, y the line on which it stands, size the height of its font.

    `opacity` is from 0 to 1; `says` is more about it, where a form can show it (as a browser under the mouse). Where
    `begins`, x is not its middle but where it begins.
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
    """All shapes of a drawing, and how much room they take, without a margin."""

    width: float
    height: float
    shapes: tuple[Shape, ...]


def is_closed(points: Sequence[Point]) -> bool:
    """Say whether a line ends where it begins."""
    return len(points) > 2 and points[0] == points[-1]


# The colours of page.css, and paler ones for areas: Okabe and Ito's palette, which people who do not see all colours
# can tell apart. What a colour says, a weight, a frame or a line says too, since paper may be grey.
_INK, _BLUE, _GREEN, _VERMILLION, _ORANGE = "#1a1a1a", "#0072b2", "#007a5a", "#d55e00", "#e69f00"

LOOKS = {
    "window": Look("the cells of an extra rule", fill="#e8e8e4"),
    "unit": Look("cells of a highlighted unit", fill="#fdf0d0"),
    "reason": Look("cells that a step is about", fill="#fff3c4"),
    "cell-highlighted": Look("highlighted cells", fill="#f9ef9f"),
    **UNDER,
    "diagonal": Look("an extra rule along a line", stroke="#b9b9b4", width=0.05),
    "thin": Look("between cells", stroke="#a8a8a8", width=0.02, square=True),
    "thick": Look("between boxes or regions, and around the board", stroke=_INK, width=0.06, square=True),
    "unit-outline": Look("around a highlighted unit", stroke=_ORANGE, width=0.08, square=True),
    **OVER,
    "differs": Look("a frame in cells whose value is another one in the other grid", stroke=_VERMILLION, width=0.06),
    "placed-ring": Look("around a value that a step places", stroke=_GREEN, width=0.02),
    "given": Look("givens", fill=_INK, bold=True),
    "solution": Look("values that are no givens", fill=_BLUE),
    "candidate": Look("what a cell may hold", fill="#3c3c3c"),
    "pattern": Look("candidates that a step is about", fill=_BLUE, bold=True),
    "placed": Look("a value that a step places", fill=_GREEN, bold=True),
    "removed": Look("candidates that a step removes", fill=_VERMILLION),
    "strike": Look("through a candidate that is removed", stroke=_VERMILLION, width=0.02),
    "other": Look("what the other grid has", fill=_VERMILLION, bold=True),
    "label": Look("which layer of a cube or face of a surface it is", fill="#4a4a4a"),
    "title": Look("of the picture", fill=_INK, bold=True),
}
"""How each class of shapes looks, in the order in which they are painted.

>>> LOOKS["given"].bold, LOOKS["solution"].bold
(True, False)
"""
