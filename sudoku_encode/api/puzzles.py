"""Puzzles from text, files and arrays, and back."""

from __future__ import annotations

import inspect
import os
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import Any, Protocol, Union

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.api.arguments import check_arguments
from sudoku_encode.errors import FormatError, short, whole_number
from sudoku_encode.formats import reading, writing
from sudoku_encode.formats.frame import SMALLEST_FRAME, cells_in_frame, overlap_of
from sudoku_encode.formats.region_maps import pieces_remark
from sudoku_encode.puzzles import boards, puzzle
from sudoku_encode.puzzles.arrays import Bools, as_array
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.storage import files
from sudoku_encode.storage.outputs import file_name

# The folder of this package, up to the sign before the name of a file in it.
_PACKAGE = f"{Path(__file__).parents[1]}{os.sep}"
# A text of a puzzle has as many symbols.
_FEWEST_SYMBOLS = 16
# Of the texts in arrays.
_CELL, _ROW = re.compile(r"\w{1,3}|[.*?-]", re.ASCII), re.compile(r"[\w .*?-]+", re.ASCII)
# No board has values beyond these.
_NUMBERS = -(1 << 31), 1 << 31


class Table(Protocol):
    """A table of another package, such as a DataFrame of pandas or polars."""

    @property
    def shape(self) -> tuple[int, ...]:
        """How many rows and columns it has."""

    def to_numpy(self) -> Any:
        """Return its values."""


PuzzleLike = Union[Puzzle, Grid, str, Path, NDArray[Any], Sequence[Any], Table]  # noqa: UP007  -- a NDArray has no `|`
"""A puzzle in any form that functions accept: a Puzzle, its text, its file, or its values.

Values are an array, a table or nested lists: numbers with 0, None, NaN or "." for a blank; or texts, one for each cell
or for each row, which are read like the text of a file.

>>> as_puzzle([[1, 0, 0, 0], [0, 0, 3, 0], [0] * 4, [0] * 4]) == as_puzzle("1.....3.........")
True
>>> as_puzzle([[1, None, None, None], [None, None, 3, None], [None] * 4, [None] * 4]).givens[:7]
array([1, 0, 0, 0, 0, 0, 3], dtype=uint8)
>>> as_puzzle(["1...", "..3.", "....", "...."]) == as_puzzle([[*"1..."], [*"..3."], [*"...."], [*"...."]])
True
"""


@check_arguments
def board(name: str, rules: Iterable[str] | None = None) -> Geometry:
    """Return the board of that name.

    Args:
        name: such as `9x9`, `6x6:2x3`, `9x9+diagonals`, `9x9x9`, `jigsaw:FILE`
            or `9x9:0-8`, whose texts have values from 0, and whose arrays are
            those of `9x9`.
        rules: the names of the rules to keep; all by default.

    Raises:
        GeometryError: no such board, or it does not have such a rule.

    >>> board("9x9x9").rule_names
    ('row-x', 'row-y', 'row-z', 'box-xy', 'box-xz', 'box-yz')
    """
    return boards.board(name, None if rules is None else tuple(rules))


def as_puzzle(source: PuzzleLike, board: str | Geometry | None = None, rules: Iterable[str] | None = None) -> Puzzle:
    """Return a puzzle given in any form.

    Args:
        source: a puzzle in any form; see `PuzzleLike`.
        board: a board or its name; by default the one named in a text, or the one that fits the text or the array.
        rules: the rules to keep.

    Raises:
        FormatError: not a puzzle, or several; or an array that fits no board, or two.
        GeometryError: no such board, or no such rule.
    """
    rules = None if rules is None else tuple(rules)
    if isinstance(source, Puzzle):
        geometry = board_of(source.geometry, board, rules)
        if geometry == source.geometry:
            return source
        return Puzzle.of(geometry, source.givens, source.pencilmarks, source.name, source.constraints)
    if isinstance(source, Grid):
        return Puzzle.of(board_of(source.geometry, board, rules), source.values)
    if isinstance(source, (str, Path)):
        return reading.read(source, board=board, rules=rules, remarked=_warn)
    puzzle = _from_array(source, board, rules)
    if text := pieces_remark(puzzle.geometry):
        _warn(text)
    return puzzle


def each_of(puzzles: Any) -> Iterable[PuzzleLike]:
    """Return an iterable of puzzles from one puzzle or many; a list of cells or of rows is one puzzle."""
    # The items of a table are its columns; those of a single column may be puzzles.
    is_table = hasattr(puzzles, "to_numpy") and len(getattr(puzzles, "shape", ())) > 1
    is_one = is_table or isinstance(puzzles, (Puzzle, Grid, str, Path, np.ndarray))
    if isinstance(puzzles, Sequence) and puzzles and not is_one:
        first = puzzles[0]
        is_row = isinstance(first, str) and len(first) < _FEWEST_SYMBOLS and len(first) in (1, len(puzzles))
        is_one = is_row or not isinstance(first, (Puzzle, Grid, str, Path, np.ndarray))
    return puzzles if isinstance(puzzles, Iterable) and not is_one else [puzzles]


def board_of(own: str | Geometry, requested: str | Geometry | None, rules: tuple[str, ...] | None) -> Geometry:
    """Return the requested board, or else the puzzle's own, with the rules to keep."""
    board = own if requested is None else requested
    if not isinstance(board, Geometry):
        return boards.board(board, rules)
    return board if rules is None else board.with_rules(rules)


# Puzzles as arrays or nested lists: of numbers, or of texts as people write them.


def _from_array(source: Any, board: str | Geometry | None, rules: tuple[str, ...] | None) -> Puzzle:
    """Return the puzzle whose values are in an array, a table or nested lists."""
    values = as_array(source, "values")
    if not values.shape and not isinstance(source, np.ndarray):
        raise FormatError(f"not a puzzle: {short(repr(source))}; give its text, a file, or its values in an array")
    is_mark = np.zeros(values.shape, np.bool_)
    if values.dtype.kind in "OUTf" and values.shape:
        # In an array of texts alone, numbers beside texts would be texts too.
        cells = np.asarray(source, dtype=object)
        is_mark = np.array([_is_blank(cell) for cell in cells.ravel().tolist()], np.bool_).reshape(cells.shape)
        if not is_mark.all() and all(isinstance(text, str) for text in cells[~is_mark]):
            return _from_texts(cells, is_mark, board, rules)
        values = _numbers(cells, is_mark)
    geometry = board_of(board if board is not None else _board_for(values), None, rules)
    if is_mark.any() and geometry.n_values not in values:
        # Only the largest value says that the numbers are not from 0.
        if not geometry.first:
            expected = f"values from 1 to {geometry.n_values} (add 1 to each number), or the numbers as texts"
            raise FormatError(
                f"numbers with None, NaN or '.' for blanks may count from 0 or from 1 on {geometry.name}; expected "
                f"{expected}"
            )
        if not values[~is_mark].all():
            what = (
                "0 may be a blank or a value, since blanks are also written as None, NaN or '.' and there is no "
                f"{geometry.n_values}"
            )
            raise FormatError(f"{what}; write all blanks in the same way")
    return Puzzle.of(geometry, cells_in_frame(values, geometry) if values.dtype.kind in "iu" else values)


def _is_blank(cell: object) -> bool:
    """Check for a mark for a blank besides 0: None, NaN, a missing value of pandas, or a blank text."""
    if isinstance(cell, str):
        return cell.strip() in ("", ".")
    return cell is None or (isinstance(cell, float) and isnan(cell)) or type(cell).__name__ == "NAType"


def _numbers(cells: NDArray[Any], is_mark: Bools) -> NDArray[np.int64]:
    """Return the whole numbers in cells, 0 for each mark for a blank."""
    numbers = np.zeros(cells.shape, np.int64)
    for place in np.argwhere(~is_mark).tolist():
        cell = cells[tuple(place)]
        number = whole_number(int(cell) if isinstance(cell, float) and cell.is_integer() else cell, *_NUMBERS)
        if number is None:
            raise _wrong_cell(place, cell, "a whole number, or None, NaN or '.' for a blank")
        numbers[tuple(place)] = number
    return numbers


def _wrong_cell(place: list[int], cell: object, expected: str) -> FormatError:
    return FormatError(f"values[{', '.join(map(str, place))}] is {short(repr(cell))}; expected {expected}")


def _from_texts(
    cells: NDArray[Any], is_mark: Bools, board: str | Geometry | None, rules: tuple[str, ...] | None
) -> Puzzle:
    """Return the puzzle whose cells, or rows, are texts, which are read like the text of a file."""
    texts = np.array(["." if _is_blank(cell) else cell.strip() for cell in cells.ravel()], object).reshape(cells.shape)
    is_rows = texts.ndim == 1 and len(texts) > 1 and all(len(row) > 1 for row in texts)
    for place in np.argwhere(~is_mark).tolist():
        if not (_ROW if is_rows else _CELL).fullmatch(texts[tuple(place)]):
            raise _wrong_cell(
                place, cells[tuple(place)], "a row of symbols" if is_rows else "a value, or '.' for a blank"
            )
    rows = texts.tolist()
    if not is_rows:
        board = board if board is not None else _board_for(texts)
        gap = " " if any(len(text) > 1 for text in texts.ravel()) else ""
        rows = [gap.join(row) for row in (texts if texts.ndim == 2 else texts.reshape(1, -1))]
    contents = list(reading.read_text("\n".join(rows), "values", reading.ReadOptions(board, rules)))
    puzzles = [content for content in contents if isinstance(content, Puzzle)]
    for error in contents:
        if isinstance(error, FormatError):
            raise error
    if len(puzzles) != 1:
        raise FormatError(f"{len(puzzles)} puzzles where one is needed; count_all, solve_all and check_all take many")
    geometry = puzzles[0].geometry
    if texts.ndim > 1 and not geometry.places and texts.shape != geometry.shape:
        raise FormatError(f"values of shape {texts.shape} for {geometry.name}; expected {geometry.shape}")
    return puzzles[0]


def _board_for(values: NDArray[Any]) -> str:
    """Return the name of the board that fits the shape of an array, or whose rectangle the array fills."""
    shape = values.shape
    if values.dtype.kind in "iuO" and values.ndim in (1, 2) and values.size >= SMALLEST_FRAME:
        name = overlap_of([str(value) for value in values.ravel().tolist()], shape, "", "array")
        if name is not None:
            return name
    if len(shape) in (2, 3) and len(set(shape)) == 1:
        return "x".join(map(str, shape))
    if len(shape) == 1:
        squares, cubes = round(shape[0] ** (1 / 2)), round(shape[0] ** (1 / 3))
        fits = [f"{squares}x{squares}"] if squares > 1 and squares**2 == shape[0] else []
        # A cube has boxes in each plane.
        if cubes > 1 and cubes**3 == shape[0] and round(cubes ** (1 / 2)) ** 2 == cubes:
            fits.append(f"{cubes}x{cubes}x{cubes}")
        if len(fits) == 1:
            return fits[0]
        if fits:
            raise FormatError(f"{shape[0]} values may be {' or '.join(fits)}; say which with board=")
    raise FormatError(f"cannot tell the board from values of shape {shape}; say which with board=")


@check_arguments
def read(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
    constraints: Iterable[Constraint | str] = (),
) -> Puzzle:
    """Return the only puzzle of a file, of standard input (`-`) or of a text.

    Args:
        source: a string is the name of a file if there is one of that name,
            else the text; a Path is a file. It may be compressed.
        board: a board or its name; by default the one named in the text, or the
            one that fits it.
        rules: the names of the rules to keep.
        format: a key of TEXT_FORMATS, or a style (docs/formats.md); detected
            by default.
        alphabet: the letters for values above 9.
        constraints: constraints in addition to those of the text, such as
            `cage 15 r1c1 r1c2`; see docs/constraints.md.

    Warns:
        UserWarning: part of the text is not read, such as decoration.

    Raises:
        FormatError: not a puzzle, or several.
        GeometryError: no such board, or no such rule.

    >>> read("1...............", constraints=["thermometer r1c1-r1c3"])
    Puzzle('4x4', 1 givens, 1 constraint)
    >>> read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    Puzzle('9x9', 30 givens)
    """
    rules = None if rules is None else tuple(rules)
    return reading.read(
        source,
        board=board,
        rules=rules,
        format=format,
        alphabet=alphabet,
        constraints=tuple(constraints),
        remarked=_warn,
    )


@check_arguments
def read_all(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
    constraints: Iterable[Constraint | str] = (),
) -> Iterator[Puzzle | FormatError]:
    r"""Yield the puzzles of a source, with an error in place of each bad puzzle.

    Args:
        source: a string is `-` for standard input, the name of a file if there
            is one of that name, else the text; a Path is a file. It may be
            compressed.
        board: a board or its name; by default the one named in the text, or the
            one that fits it.
        rules: the names of the rules to keep.
        format: a key of TEXT_FORMATS, or a style (docs/formats.md); detected
            by default.
        alphabet: the letters for values above 9.
        constraints: constraints in addition to those of the text, such as
            `cage 15 r1c1 r1c2`; see docs/constraints.md.

    Raises:
        FormatError: the text as a whole is wrong.
        GeometryError: no such board, or no such rule.

    >>> [puzzle.name for puzzle in read_all("1...............\n.2..............", board="4x4")]
    ['', '']
    """
    rules = None if rules is None else tuple(rules)
    return reading.read_all(
        source,
        board=board,
        rules=rules,
        format=format,
        alphabet=alphabet,
        constraints=tuple(constraints),
        remarked=_warn,
    )


def _warn(text: str) -> None:
    """Warn about how a puzzle was read, such as that decoration was ignored."""
    # The warning names a line of the caller's program, not one of this package, so that it is shown once per caller.
    frame, level = inspect.currentframe(), 1
    while frame and frame.f_back and frame.f_code.co_filename.startswith(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)


@check_arguments
def write(puzzles: PuzzleLike | Iterable[PuzzleLike], path: str | Path = "-", format: str = "line") -> None:
    """Write puzzles or solutions as text.

    Args:
        puzzles: one, or many.
        path: the file, compressed if the name ends in .gz, .xz or .zst; `-` is
            standard output.
        format: a key of TEXT_FORMATS.

    Raises:
        FormatError: the format cannot hold one of the boards.
        SudokuError: the file cannot be written.

    >>> write("1...............", "/dev/null")
    """
    with files.writing(file_name(path)) as out:
        for text in writing.write_all((as_puzzle(puzzle) for puzzle in each_of(puzzles)), format):
            out(text.encode())


@check_arguments
def violations(
    source: PuzzleLike,
    grid: PuzzleLike,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Iterator[str]:
    """Yield a sentence for each reason why a grid does not solve a puzzle.

    Args:
        source: the puzzle.
        grid: a value for each cell.
        board: of the puzzle; needed if its text or array does not identify it.
        rules: the names of the rules to keep; by default all.

    >>> next(violations("1" + 15 * ".", "1234" * 4, board="4x4"))
    'r1c1 and r2c1 of one column both hold 1'
    """
    parsed = as_puzzle(source, board, rules)
    values = as_puzzle(grid, parsed.geometry).givens
    return puzzle.violations(parsed, values)
