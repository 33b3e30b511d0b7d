"""The code of the text formats: modules by family, and the functions that each format of them has."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, Protocol, cast

from sudoku_encode.formats.table import TEXT_FORMATS

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import Entry
    from sudoku_encode.formats.lines import Setting
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle


class FormatFunctions(NamedTuple):
    """The functions that write and read the puzzles of a format."""

    write: "Callable[[Puzzle], str]"  # return one puzzle as text, without a newline at the end
    # Yield the entries of a text, puzzles or a FormatError in the place of one; for formats whose row has `begins`. For
    # the others `layouts` is enough to read the text.
    read: "Callable[[str, Setting], Iterator[Entry]] | None" = None
    # Yield segments of text that together are a file; for documents that are not a puzzle per line.
    write_all: "Callable[[Iterable[Puzzle]], Iterator[str]] | None" = None
    # Return the lines of many puzzles on a board that have givens only, as `write` does; for formats of one line.
    write_lines: "Callable[[Geometry, Grids], str] | None" = None
    # Return why the format cannot hold a puzzle, an empty text if it can; if the row does not say it all.
    fault: "Callable[[Puzzle], str] | None" = None


class FormatModule(Protocol):
    """A module of `text/`."""

    FORMATS: Mapping[str, FormatFunctions]
    """The functions of each format, by its name."""


def implementation(name: str) -> FormatFunctions:
    """Return the functions of a format; it loads their module."""
    module = import_module(f"sudoku_encode.formats.text.{TEXT_FORMATS[name].module}")
    return cast("FormatModule", module).FORMATS[name]
