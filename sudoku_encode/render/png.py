"""Drawings as pixels: the SVG, rendered by resvg. Needs the extra `pictures`."""

from collections.abc import Sequence
from pathlib import Path

from sudoku_encode.render.picture import Picture
from sudoku_encode.render.svg import lines
from sudoku_encode.render.table import Details, require_package

# Pixels of the picture for each pixel of the SVG, so that small digits are sharp on fine screens too.
_ZOOM = 2.0
# The font of the digits, which comes with reportlab, so that they are drawn on machines without fonts.
_FONT, _FILES = "Bitstream Vera Sans", ("Vera.ttf", "VeraBd.ttf")


def drawn(pictures: Sequence[Picture], details: Details) -> bytes:
    """Return the only picture as PNG.

    Raises:
        SudokuError: resvg-py or reportlab is not installed.
    """
    (picture,) = pictures
    return pixels("\n".join(lines(picture)))


def pixels(svg: str, *, system_fonts: bool = True) -> bytes:
    """Return an SVG as PNG; letters of a title that the font lacks are taken from the system's fonts."""
    resvg = require_package("resvg_py", "resvg-py", "png")
    fonts = [str(path) for path in font_files()]
    data = resvg.svg_to_bytes(
        svg_string=svg, zoom=_ZOOM, font_files=fonts, sans_serif_family=_FONT, skip_system_fonts=not system_fonts
    )
    return bytes(data)


def font_files() -> list[Path]:
    """Return the files of the regular and the bold font."""
    folder = Path(require_package("reportlab", "reportlab", "png").__file__).parent / "fonts"
    return [folder / name for name in _FILES]
