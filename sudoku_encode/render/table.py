"""The table of the forms of drawings, and their details. Imports nothing heavy: --help reads this."""

from collections.abc import Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from sudoku_encode.errors import SudokuError, missing_package
from sudoku_encode.puzzles.table import brief, by_name

if TYPE_CHECKING:
    from sudoku_encode.render.picture import Picture


# The sides of a sheet in points, of which an inch has 72.
PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}


class Details(NamedTuple):
    """How pictures are drawn. A form uses the fields that its row of DRAWINGS names."""

    per_page: int = 1  # the maximum number of pictures on a page
    paper: str = "a4"  # a key of PAPERS
    answers: "tuple[Picture, ...]" = ()  # pictures on separate pages at the end
    ascii: bool = False  # whether lines consist of `+`, `-` and `|` alone
    coloured: bool = False  # whether text contains the colour codes of terminals


PLAIN = Details()


class DrawPictures(Protocol):
    """The function `drawn` of the module of a form."""

    def __call__(self, pictures: "Sequence[Picture]", details: Details) -> str | bytes:
        """Return pictures in the form, which uses those of the details that its row names.

        Raises:
            SudokuError: a library is not installed.
        """


class DrawingForm(NamedTuple):
    """A row of the table.

    Attributes:
        name: as in `--to`.
        summary: what it is, in a few words.
        suffix: of its files.
        module: the full name of the module with the function `drawn`, a `DrawPictures`.
        is_bytes: whether `drawn` returns bytes, not text.
        many: whether a file can contain several pictures.
        details: the fields of `Details` that it uses.
    """

    name: str
    summary: str
    suffix: str
    module: str
    is_bytes: bool = False
    many: bool = False
    details: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)

    def load(self) -> DrawPictures:
        """Return the function that draws pictures in this form."""
        return cast(DrawPictures, import_module(self.module).drawn)


DRAWINGS = by_name(
    DrawingForm(
        "text",
        "lines and letters, for a terminal",
        ".txt",
        "sudoku_encode.render.text",
        many=True,
        details=frozenset({"ascii", "coloured"}),
    ),
    DrawingForm("svg", "a picture of lines and texts, for pages", ".svg", "sudoku_encode.render.svg"),
    DrawingForm("png", "a picture of pixels", ".png", "sudoku_encode.render.png", is_bytes=True),
    DrawingForm(
        "pdf",
        "sheets to be printed",
        ".pdf",
        "sudoku_encode.render.pdf",
        is_bytes=True,
        many=True,
        details=frozenset({"per_page", "paper", "answers"}),
    ),
    DrawingForm("tikz", "a LaTeX document, a page a picture", ".tex", "sudoku_encode.render.tikz", many=True),
    DrawingForm("html", "a page for a browser", ".html", "sudoku_encode.render.html", many=True),
)
"""The forms of `draw` and `show --to`, by their names.

>>> DRAWINGS["svg"].suffix
'.svg'
"""


def require_package(module: str, package: str, form: str) -> Any:
    """Import a library of the extra `pictures`, which only some forms need.

    Raises:
        SudokuError: it is not installed; the message says what to install.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise SudokuError(missing_package(package, form)) from error
