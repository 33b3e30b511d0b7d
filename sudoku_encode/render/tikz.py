r"""Drawings as a LaTeX document, by TikZ alone: each `tikzpicture` may be copied into another document.

It needs the styles of its preamble, too, from `\usepackage` on.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from unicodedata import normalize

from sudoku_encode.render.layout import scene
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.shapes import LOOKS, Box, Circle, Lines, Point, Scene, Shape, ShapeLook, Text, is_closed
from sudoku_encode.render.table import Details

# The side of a cell, the margin of a page, and TeX points per millimetre.
_CELL_MM, _MARGIN_MM, _POINTS = 9.0, 5.0, 2.845
# Characters with a special meaning in TeX.
_ESCAPED = {
    **{letter: f"\\{letter}" for letter in "{}$&#_%"},
    "\\": r"\textbackslash{}",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}
# The non-ASCII letters of the fonts that come with every TeX: letters with these accents, and a few more.
_ACCENTS, _LETTERS = "\u0300\u0301\u0302\u0303\u0308\u030a\u030c", "\u00df\u00f8\u00d8\u00e6\u00c6\u0153\u0152"


def drawn(pictures: Sequence[Picture], details: Details) -> str:
    """Return a document with a page for each picture."""
    return "\n".join(_lines([scene(picture) for picture in pictures])) + "\n"


def _lines(scenes: Sequence[Scene]) -> Iterator[str]:
    width = max(drawn.width for drawn in scenes) * _CELL_MM + 2 * _MARGIN_MM
    height = max(drawn.height for drawn in scenes) * _CELL_MM + 2 * _MARGIN_MM
    yield r"\documentclass{article}"
    yield rf"\usepackage[paperwidth={width + 1:g}mm,paperheight={height + 1:g}mm,margin={_MARGIN_MM:g}mm]{{geometry}}"
    yield r"\usepackage{fix-cm}"
    yield r"\usepackage{tikz}"
    used = {shape.kind for drawn in scenes for shape in drawn.shapes}
    for kind, look in LOOKS.items():
        if kind in used:
            yield from _style(kind, look)
    yield r"\pagestyle{empty}"
    yield r"\setlength{\parindent}{0pt}"
    yield r"\begin{document}"
    for number, drawn in enumerate(scenes):
        if number:
            yield r"\newpage"
        yield rf"\begin{{tikzpicture}}[x={_CELL_MM:g}mm, y=-{_CELL_MM:g}mm]"
        for kind, shapes in groupby(drawn.shapes, key=lambda shape: shape.kind):
            yield f"% {kind}: {LOOKS[kind].says}"
            yield from map(_element, shapes)
        yield r"\end{tikzpicture}"
    yield r"\end{document}"


def _style(kind: str, look: ShapeLook) -> Iterator[str]:
    """Yield the colours and the style of a class of shapes."""
    yield rf"\definecolor{{sudoku-{kind}}}{{HTML}}{{{(look.fill or look.stroke)[1:].upper()}}}"
    how = [f"fill=sudoku-{kind}"] if look.fill else []
    if look.stroke:
        line = f"sudoku-{kind}"
        if look.fill:
            line += "-line"
            yield rf"\definecolor{{{line}}}{{HTML}}{{{look.stroke[1:].upper()}}}"
        how += [f"draw={line}", f"line width={look.width * _CELL_MM:.3g}mm"]
    if look.square or look.round:
        how.append("line cap=rect" if look.square else "line cap=round, line join=round")
    if look.dashes:
        lengths = [f"{length * _CELL_MM:.3g}mm" for length in look.dashes]
        pairs = zip(lengths[::2], lengths[1::2], strict=True)
        how.append("dash pattern=" + " ".join(f"on {dash} off {gap}" for dash, gap in pairs))
    if look.opacity < 1:
        how.append(f"draw opacity={look.opacity:g}")
    yield rf"\tikzset{{sudoku-{kind}/.style={{{', '.join(how)}}}}}"


def _element(shape: Shape) -> str:
    kind = f"sudoku-{shape.kind}"
    match shape:
        case Lines(_, paths):
            return rf"\path[{kind}] " + " ".join(map(_line, paths)) + ";"
        case Box(_, x, y, width, height):
            return rf"\path[{kind}] {_point((x, y))} rectangle {_point((x + width, y + height))};"
        case Circle(_, x, y, radius):
            return rf"\path[{kind}] {_point((x, y))} circle[radius={radius * _CELL_MM:.3g}mm];"
        case Text(_, x, y, size, text, opacity, _, begins):
            points = size * _CELL_MM * _POINTS
            font = rf"\fontsize{{{points:.4g}}}{{{points:.4g}}}\sffamily" + (
                r"\bfseries" if LOOKS[shape.kind].bold else ""
            )
            pale = f", opacity={opacity:g}" if opacity < 1 else ""
            side = " west" if begins else ""
            how = f"text={kind}, inner sep=0pt, anchor=base{side}{pale}, font={{{font}}}"
            return rf"\node[{how}] at {_point((x, y))} {{{_escaped(text)}}};"


def _line(points: Sequence[Point]) -> str:
    if is_closed(points):
        return " -- ".join([*map(_point, points[:-1]), "cycle"])
    return " -- ".join(map(_point, points))


def _point(point: Point) -> str:
    return f"({point[0]:.5g},{point[1]:.5g})"


def _escaped(text: str) -> str:
    """Return a text as TeX source; letters that its fonts lack become question marks."""
    return "".join(_ESCAPED.get(letter, letter) if _is_printable(letter) else "?" for letter in text)


def _is_printable(letter: str) -> bool:
    if letter.isascii():
        return letter.isprintable()
    plain, *accents = tuple(normalize("NFD", letter))
    return letter in _LETTERS or (plain.isascii() and len(accents) == 1 and accents[0] in _ACCENTS)
