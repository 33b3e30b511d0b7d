"""Drawings as pixels: the SVG, drawn by resvg. Needs the extra `pictures`."""

from collections.abc import Sequence
from pathlib import Path

from sudoku_encode.render.details import Details
from sudoku_encode.render.optional import needed
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.svg import lines

# Pixels of the picture for each pixel of the SVG, so that small digits are sharp on fine screens too.
_ZOOM = 2.0
# The font of the digits, which comes with reportlab, so that they are there on machines without fonts.
_FONT, _FILES = "Bitstream Vera Sans", ("Vera.ttf", "VeraBd.ttf")


def drawn(pictures: Sequence[Picture], details: Details) -> bytes:
    """Return the only picture as PNG.

    Raises:
        SudokuError: resvg-py or reportlab is not installed.
    """
    (picture,) = pictures
    return pixels("\n".join(lines(picture)))


def pixels(svg: str, *, system_fonts: bool = True) -> bytes:
    """Return an SVG as PNG; letters of a title that the own font has not are from the system's."""
    resvg = needed("resvg_py", "resvg-py", "png")
    fonts = [str(path) for path in font_files()]
    made = resvg.svg_to_bytes(
        svg_string=svg, zoom=_ZOOM, font_files=fonts, sans_serif_family=_FONT, skip_system_fonts=not system_fonts
    )
    return bytes(made)


def font_files() -> list[Path]:
    """Return the files of the regular and the bold font."""
    folder = Path(needed("reportlab", "reportlab", "png").__file__).parent / "fonts"
    return [folder / name for name in _FILES]
