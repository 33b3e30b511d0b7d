"""Drawings as SVG.

Each class of shapes is a group of that class with its look in attributes, not in a style sheet: some programs ignore
style sheets, the rules of one drawing would apply to others on a page, and a page's own rules override attributes.
"""

from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby

from sudoku_encode.render.layout import scene
from sudoku_encode.render.picture import Picture, raster
from sudoku_encode.render.shapes import LOOKS, Box, Circle, Lines, Scene, Shape, ShapeLook, Text, is_closed
from sudoku_encode.render.table import Details

MARGIN = 0.5
# The size of a cell, unless a page overrides it; a small digit should be seven pixels wide.
_CELL_PIXELS, _PLACE_PIXELS = 40, 14
# Attributes of a group of texts, since not all programs inherit them from the picture, or support a list of fonts.
_TEXTS = ' font-family="sans-serif" text-anchor="middle"'


def drawn(pictures: Sequence[Picture], details: Details) -> str:
    """Return the only picture as SVG, with a newline at the end."""
    (picture,) = pictures
    return "\n".join(lines(picture)) + "\n"


def lines(picture: Picture, name: str = "", classes: str = "sudoku", margin: float = MARGIN) -> Iterator[str]:
    """Yield the lines of a picture, with a name for readers who cannot see it, by default its label."""
    drawn = scene(picture)
    scale = cell_pixels(picture)
    width, height = drawn.width + 2 * margin, drawn.height + 2 * margin
    size = f'width="{width * scale:g}" height="{height * scale:g}"'
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="{classes}" {size} '
        f'viewBox="{-margin:g} {-margin:g} {width:g} {height:g}" role="img">'
    )
    yield f"<title>{escape(name or picture.label)}</title>"
    yield f'<rect class="paper" x="{-margin:g}" y="{-margin:g}" width="{width:g}" height="{height:g}" fill="#ffffff"/>'
    yield from groups(drawn)
    yield "</svg>"


def cell_pixels(picture: Picture) -> int:
    """Return the side of a cell, in pixels, at which its contents are legible."""
    if picture.candidates is None:
        return _CELL_PIXELS
    # Constraints leave less room for small digits.
    place = _PLACE_PIXELS + 3 if picture.constraints else _PLACE_PIXELS
    return max(_CELL_PIXELS, place * raster(picture.board)[1])


def groups(drawn: Scene) -> Iterator[str]:
    """Yield a group for each class of shapes."""
    for kind, group in groupby(drawn.shapes, key=lambda shape: shape.kind):
        shapes = list(group)
        texts = _TEXTS if isinstance(shapes[0], Text) else ""
        yield f'<g class="{kind}"{_attributes(LOOKS[kind])}{texts}>'
        yield from map(_element, shapes)
        yield "</g>"


def _attributes(look: ShapeLook) -> str:
    """Return the look of a class, as attributes of its group."""
    attributes = {"fill": look.fill or "none"}
    if look.stroke:
        attributes |= {"stroke": look.stroke, "stroke-width": f"{look.width:g}"}
    if look.square:
        attributes["stroke-linecap"] = "square"
    if look.round:
        attributes |= {"stroke-linecap": "round", "stroke-linejoin": "round"}
    if look.dashes:
        attributes["stroke-dasharray"] = " ".join(f"{length:g}" for length in look.dashes)
    if look.opacity < 1:
        # For each line, not for the group, so that both are visible where two cross.
        attributes["stroke-opacity"] = f"{look.opacity:g}"
    if look.bold:
        attributes["font-weight"] = "bold"
    return "".join(f' {name}="{value}"' for name, value in attributes.items())


def _element(shape: Shape) -> str:
    match shape:
        case Lines(_, paths):
            return f'<path d="{"".join(map(_path, paths))}"/>'
        case Box(_, x, y, width, height):
            return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"/>'
        case Circle(_, x, y, radius):
            return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:.4g}"/>'
        case Text(_, x, y, size, text, opacity, says, begins):
            # For the whole text, since not all programs support `fill-opacity`.
            pale = f' opacity="{opacity:g}"' if opacity < 1 else ""
            more = f"<title>{escape(says)}</title>" if says else ""
            start = ' text-anchor="start"' if begins else ""
            return f'<text x="{x:.5g}" y="{y:.5g}" font-size="{size:.4g}"{start}{pale}>{more}{escape(text)}</text>'


def _path(points: Sequence[tuple[float, float]]) -> str:
    path = "M" + "L".join(f"{x:.5g} {y:.5g}" for x, y in points)
    return f"{path}Z" if is_closed(points) else path
