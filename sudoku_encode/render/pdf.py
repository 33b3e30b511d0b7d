"""Drawings as PDF: sheets of paper with lines and texts. Needs reportlab, from the extra `pictures`."""

from collections.abc import Sequence
from io import BytesIO
from itertools import groupby
from typing import Any, NamedTuple

from sudoku_encode.errors import printable
from sudoku_encode.render.layout import scene
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.shapes import LOOKS, Box, Circle, Lines, Point, Scene, Shape, Text, is_closed
from sudoku_encode.render.table import PAPERS, Details, require_package

# In points: the margin of the paper, the gap between pictures, and the largest side of a cell.
_MARGIN, _GAP, _LARGEST_CELL = 42.0, 24.0, 34.0
# Both fonts are embedded, so that a file looks the same everywhere; they have the letters of western Europe.
_FONTS = {False: ("Vera", "Vera.ttf"), True: ("VeraBold", "VeraBd.ttf")}


class _Slots(NamedTuple):
    """The places for pictures on a page: rows and columns of them, each of the same size, in points."""

    rows: int
    columns: int
    width: float
    height: float


def drawn(pictures: Sequence[Picture], details: Details) -> bytes:
    """Return pictures on sheets, in their order, and the answers on their own sheets after them.

    Raises:
        SudokuError: reportlab is not installed.
    """
    require_package("reportlab", "reportlab", "pdf")
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.ttfonts import TTFont
    from reportlab.pdfgen.canvas import Canvas

    for name, file in _FONTS.values():
        pdfmetrics.registerFont(TTFont(name, file))
    out = BytesIO()
    # Without the date, the same pictures make the same file.
    canvas = Canvas(out, pagesize=PAPERS[details.paper], invariant=True, pageCompression=1)
    canvas.setTitle(printable(next((picture.title for picture in pictures if picture.title), "Sudoku")))
    canvas.setCreator("sudoku-encode")
    for group in (pictures, details.answers):
        for start in range(0, len(group), details.per_page):
            _page(canvas, [scene(picture) for picture in group[start : start + details.per_page]], details)
            canvas.showPage()
    canvas.save()
    return out.getvalue()


def _page(canvas: Any, scenes: Sequence[Scene], details: Details) -> None:
    """Draw scenes in rows on a page, each in the middle of its place and as large as fits."""
    paper = PAPERS[details.paper]
    slots = _slots(scenes, details.per_page, paper)
    for number, drawn in enumerate(scenes):
        row, column = divmod(number, slots.columns)
        side = _side([drawn], slots)
        x = _MARGIN + column * (slots.width + _GAP) + (slots.width - side * drawn.width) / 2
        # On paper y goes up. A picture is at the top of its place, so that the titles of a row are aligned.
        y = paper[1] - _MARGIN - row * (slots.height + _GAP)
        canvas.saveState()
        canvas.transform(side, 0, 0, -side, x, y)
        _draw(canvas, drawn)
        canvas.restoreState()


def _slots(scenes: Sequence[Scene], per_page: int, paper: Point) -> _Slots:
    """Return the places in which the pictures are as large as possible."""

    def of(columns: int) -> _Slots:
        rows = -(-per_page // columns)
        width = (paper[0] - 2 * _MARGIN - (columns - 1) * _GAP) / columns
        return _Slots(rows, columns, width, (paper[1] - 2 * _MARGIN - (rows - 1) * _GAP) / rows)

    return max(map(of, range(1, per_page + 1)), key=lambda slots: _side(scenes, slots))


def _side(scenes: Sequence[Scene], slots: _Slots) -> float:
    """Return the side of a cell for which all scenes fit their places."""
    fits = (min(slots.width / drawn.width, slots.height / drawn.height) for drawn in scenes)
    return min(_LARGEST_CELL, *fits)


def _draw(canvas: Any, drawn: Scene) -> None:
    for kind, shapes in groupby(drawn.shapes, key=lambda shape: shape.kind):
        look = LOOKS[kind]
        if look.fill:
            canvas.setFillColor(look.fill)
        if look.stroke:
            canvas.setStrokeColor(look.stroke)
            canvas.setLineWidth(look.width)
        canvas.setLineCap(2 if look.square else 1 if look.round else 0)
        canvas.setLineJoin(1 if look.round else 0)
        canvas.setDash(list(look.dashes))
        canvas.setStrokeAlpha(look.opacity)
        for shape in shapes:
            _shape(canvas, shape)


def _shape(canvas: Any, shape: Shape) -> None:
    look = LOOKS[shape.kind]
    painted = {"fill": int(bool(look.fill)), "stroke": int(bool(look.stroke))}
    match shape:
        case Lines(_, paths):
            path = canvas.beginPath()
            for first, *others in paths:
                path.moveTo(*first)
                for point in others:
                    path.lineTo(*point)
                if is_closed((first, *others)):
                    path.close()
            canvas.drawPath(path, **painted)
        case Box(_, x, y, width, height):
            canvas.rect(x, y, width, height, **painted)
        case Circle(_, x, y, radius):
            canvas.circle(x, y, radius, **painted)
        case Text(_, x, y, size, text, opacity, _, begins):
            canvas.saveState()
            # Turned upright again: y goes down in a scene.
            canvas.transform(1, 0, 0, -1, x, y)
            canvas.setFont(_FONTS[look.bold][0], size)
            if opacity < 1:
                canvas.setFillAlpha(opacity)
            (canvas.drawString if begins else canvas.drawCentredString)(0, 0, text)
            canvas.restoreState()
