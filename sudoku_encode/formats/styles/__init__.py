"""Styles: other ways in which people write puzzles, which are read after the formats of `table` do not fit.

A style turns the lines of a text into rows that the formats can read; `alternatives` tries all of them. To add a style,
write one small function in a module here, and a row in `STYLES`.
"""

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, NamedTuple, cast

if TYPE_CHECKING:
    from sudoku_encode.formats.lines import Row, Setting


class Rewritten(NamedTuple):
    """The puzzles of a text in rows that a format can read.

    Rows have the numbers of their lines in the text. An empty row separates puzzles, and a row may be a directive such
    as `# board: 9x9`.
    """

    rows: "list[Row]"
    remarks: tuple[str, ...] = ()  # for the user, such as that a part of the text was left out
    # The format or the style that reads them, a key of TEXT_FORMATS or STYLES; None for symbols or numbers.
    format: str | None = None


# Return the puzzles of the lines of a text, or None if they are not in the style. Raises FormatError if they are, but
# fit two boards, or contain an error.
Rewrite = Callable[["Sequence[Row]", "Setting"], Rewritten | None]


class Style(NamedTuple):
    """A row of the table.

    Attributes:
        summary: one line for people; it also names the style in errors.
        module: the module of this package with its function, which has the name of the style, with `read_` before it.
    """

    summary: str
    module: str


STYLES: Mapping[str, Style] = {
    "blanks": Style("another symbol for blanks, such as `e` or `#`", "grids"),
    "titles": Style("grids with titles, separators, numbers or nothing between, or their size before them", "grids"),
    "labels": Style("rows with a label before each, such as `R1:`, `A` or a dash", "grids"),
    "bars": Style("grids with other symbols for the bars between boxes, such as `!`", "grids"),
    "spaces": Style("grids and lines in which a space is a blank", "grids"),
    "rest": Style("a puzzle on a line, and more before or after it, such as a number or a rating", "words"),
    "rows": Style("the rows of a grid on one line, with `/` or another separator between", "words"),
    "cells": Style("tables with a cell in each field, some of them empty", "words"),
    "marks": Style("grids of candidates such as `{123}`, with `(5)` for a digit", "words"),
    "arrays": Style("an array in a program, such as Python, C, MATLAB, MiniZinc or Prolog", "code"),
    "triples": Style("a line for each given: its row, its column and its value", "code"),
    "facts": Style("a fact for each given, such as `cell(1,1,5).` or `grid[1][1] = 5`", "code"),
    "units": Style("unit clauses of a CNF, such as `115 0` for r1c1 = 5", "code"),
    "janko": Style("sections such as [problem] and [areas], as on janko.at", "markup"),
    "markup": Style("a grid in HTML, or in the XML of a program", "markup"),
}
"""The styles, by name."""


def rewrite_of(name: str) -> Rewrite:
    """Return the function of a style; it loads its module."""
    module = import_module(f"sudoku_encode.formats.styles.{STYLES[name].module}")
    return cast("Rewrite", getattr(module, f"read_{name}"))
