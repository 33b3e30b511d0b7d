"""Puzzles from text, files and arrays, and back."""

import inspect
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import NoneType
from typing import Any, Union

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.api.arguments import checked
from sudoku_encode.errors import FormatError, GeometryError, short
from sudoku_encode.formats import reading, writing
from sudoku_encode.formats.frame import SMALLEST_FRAME, cells_in_frame, overlap_of
from sudoku_encode.puzzles import boards, puzzle
from sudoku_encode.puzzles.arrays import as_array, restore_frozen
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.storage import files
from sudoku_encode.storage.outputs import file_name

# From this many values on there is no symbol for each.
_SYMBOLS = 35
_PACKAGE = Path(__file__).parents[1]


@dataclass(frozen=True, eq=False, repr=False)
class Grid:
    """A solution: a value for each cell of a board. It prints as a line of text.

    Attributes:
        geometry: the board.
        values: uint8 (n_cells,), in the order of the cells: a copy that nobody can write into.

    Raises:
        FormatError: not a board, or not a value of it for each cell.

    >>> import sudoku_encode as se
    >>> grid = se.solve("1...............", board="4x4")
    >>> grid[0, 0], grid.array.shape
    (1, (4, 4))
    """

    geometry: Geometry
    values: NDArray[np.uint8]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", puzzle.checked_values(self.values, puzzle.require_board(self.geometry)))

    __setstate__ = restore_frozen

    @property
    def array(self) -> NDArray[np.uint8]:
        """The values in the shape of the board, such as (9, 9) or (9, 9, 9); in cell order where boards overlap."""
        return self.values.reshape(self.geometry.shape)

    def __getitem__(self, place: Any) -> int:
        """Return the value at some coordinates, counted from 0.

        Raises:
            IndexError: there is no such cell.
        """
        if self.geometry.places:
            if place not in self.geometry.cells_by_coordinates:
                raise IndexError(f"{self.geometry.name} has no cell at {place}")
            return int(self.values[self.geometry.cells_by_coordinates[place]])
        return int(self.array[place])

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the values in the shape of the board, for numpy."""
        return np.array(self.array, dtype=dtype)

    def __eq__(self, other: object) -> bool:
        """Compare boards and values."""
        return (
            isinstance(other, Grid)
            and self.geometry == other.geometry
            and self.values.tobytes() == other.values.tobytes()
        )

    def __hash__(self) -> int:
        """Hash what is compared."""
        return hash((self.geometry, self.values.tobytes()))

    def __str__(self) -> str:
        """Return it as text on one line."""
        form = "line" if self.geometry.n_values <= _SYMBOLS else "csv"
        return writing.write(self.geometry, self.values, form)

    def __repr__(self) -> str:
        """Return the board and the values on one short line."""
        text = str(self)
        return f"Grid({self.geometry.name[:30]!r}, {text if len(text) <= 50 else text[:47] + '...'})"


PuzzleLike = Union[Puzzle, Grid, str, Path, NDArray[Any], Sequence[Any]]  # noqa: UP007  -- a NDArray has no `|`
"""A puzzle as a caller may give it: itself, its text, the name or path of its file, or its values (0 for a blank).

>>> as_puzzle([[1, 0, 0, 0], [0, 0, 3, 0], [0] * 4, [0] * 4]) == as_puzzle("1.....3.........")
True
"""


def board(name: str, rules: Iterable[str] | None = None) -> Geometry:
    """Return the board of that name.

    Args:
        name: such as `9x9`, `6x6:2x3`, `9x9+diagonals`, `9x9x9` or `jigsaw:FILE`.
        rules: the names of the rules to keep; all by default.

    Raises:
        GeometryError: no such board, or no such rule on it.

    >>> board("9x9x9").rule_names
    ('row-x', 'row-y', 'row-z', 'box-xy', 'box-xz', 'box-yz')
    """
    if isinstance(rules, str) or not isinstance(rules, (Iterable, NoneType)):
        raise GeometryError(f"rules={short(repr(rules))}: expected a list of names")
    return boards.board(name, None if rules is None else tuple(rules))


def as_puzzle(source: PuzzleLike, board: str | Geometry | None = None, rules: Iterable[str] | None = None) -> Puzzle:
    """Return a puzzle from whatever stands for one.

    Args:
        source: a Puzzle, a Grid, the text or the file of one puzzle, or an array or a list of its values.
        board: a board or its name; by default what a text says or fits, or what the shape of an array fits.
        rules: the rules to keep.

    Raises:
        FormatError: it is no puzzle, or several; or an array that fits no board, or two.
        GeometryError: no such board, or no such rule.
    """
    kept = None if rules is None else tuple(rules)
    if isinstance(source, Puzzle):
        geometry = board_of(source.geometry, board, kept)
        if geometry == source.geometry:
            return source
        return Puzzle.of(geometry, source.givens, source.pencilmarks, source.name, source.constraints)
    if isinstance(source, Grid):
        return Puzzle.of(board_of(source.geometry, board, kept), source.values)
    if isinstance(source, (str, Path)):
        return reading.read(source, board=board, rules=kept, remarked=_warn)
    values = as_array(source, "values")
    if not values.shape and not isinstance(source, np.ndarray):
        raise FormatError(f"{short(repr(source))} is no puzzle: give its text, a file, or its values in an array")
    geometry = board_of(board if board is not None else _overlapping(values) or _fitting(values.shape), None, kept)
    return Puzzle.of(geometry, cells_in_frame(values, geometry) if values.dtype.kind in "iu" else values)


def each_of(puzzles: PuzzleLike | Iterable[PuzzleLike]) -> Iterable[PuzzleLike]:
    """Return what stands for puzzles, where that may be one of them or many. A list of numbers, or of rows, is one."""
    if isinstance(puzzles, (Puzzle, Grid, str, Path, np.ndarray)):
        return [puzzles]
    if isinstance(puzzles, Sequence) and puzzles and not isinstance(puzzles[0], (Puzzle, Grid, str, Path, np.ndarray)):
        return [puzzles]
    return puzzles if isinstance(puzzles, Iterable) else [puzzles]


def board_of(own: str | Geometry, asked: str | Geometry | None, rules: tuple[str, ...] | None) -> Geometry:
    """Return the board that was asked for, or else the own one, with the rules to keep."""
    found = own if asked is None else asked
    if not isinstance(found, Geometry):
        return boards.board(found, rules)
    return found if rules is None else found.with_rules(rules)


def _overlapping(values: NDArray[Any]) -> str | None:
    """Return the name of the boards that overlap whose rectangle an array fills; None where it is for another board."""
    if values.dtype.kind not in "iu" or values.ndim not in (1, 2) or values.size < SMALLEST_FRAME:
        return None
    return overlap_of([str(value) for value in values.ravel().tolist()], values.shape, "", "array")


def _fitting(shape: tuple[int, ...]) -> str:
    """Return the name of the board that an array's shape fits."""
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
    raise FormatError(f"values of shape {shape} fit no board that needs no name; say which with board=")


@checked
def read(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
    constraints: Iterable[Constraint | str] = (),
) -> Puzzle:
    """Return the only puzzle of a file, of standard input (`-`) or of the text itself.

    Args:
        source: a string is the name of a file if there is one of that name, else the text; a Path is a file. It may be
            compressed.
        board: a board or its name; by default what the text says or fits.
        rules: the names of the rules to keep.
        format: a key of TEXT_FORMATS; by default what the text looks like.
        alphabet: which letters stand for values above 9.
        constraints: what must hold besides what the text says, such as `cage 15 r1c1 r1c2`; see docs/constraints.md.

    Warns:
        UserWarning: it says something that is not read, such as what is only drawn.

    Raises:
        FormatError: it is no puzzle, or several.
        GeometryError: no such board, or no such rule.

    >>> read("1...............", constraints=["thermometer r1c1-r1c3"])
    Puzzle('4x4', 1 givens, 1 constraint)
    >>> read("53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79")
    Puzzle('9x9', 30 givens)
    """
    kept = None if rules is None else tuple(rules)
    return reading.read(
        source,
        board=board,
        rules=kept,
        format=format,
        alphabet=alphabet,
        constraints=tuple(constraints),
        remarked=_warn,
    )


@checked
def read_all(
    source: str | Path,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    format: str | None = None,
    alphabet: str | None = None,
    constraints: Iterable[Constraint | str] = (),
) -> Iterator[Puzzle | FormatError]:
    r"""Yield the puzzles of a file, of standard input or of a text; in the place of a bad one its error.

    Args:
        source: a string is `-` for standard input, the name of a file if there is one of that name, else the text; a
            Path is a file. It may be compressed.
        board: a board or its name; by default what the text says or fits.
        rules: the names of the rules to keep.
        format: a key of TEXT_FORMATS; by default what the text looks like.
        alphabet: which letters stand for values above 9.
        constraints: what must hold besides what the text says, such as `cage 15 r1c1 r1c2`; see docs/constraints.md.

    Raises:
        FormatError: the text as a whole is no puzzles.
        GeometryError: no such board, or no such rule.

    >>> [puzzle.name for puzzle in read_all("1...............\n.2..............", board="4x4")]
    ['', '']
    """
    kept = None if rules is None else tuple(rules)
    return reading.read_all(
        source,
        board=board,
        rules=kept,
        format=format,
        alphabet=alphabet,
        constraints=tuple(constraints),
        remarked=_warn,
    )


def _warn(text: str) -> None:
    """Warn of what a person should know of how a puzzle was read, such as that drawings were left out."""
    # A warning names a line of the program that reads, so that it is shown once for each, and not one of ours.
    frame, level = inspect.currentframe(), 1
    while frame and frame.f_back and Path(frame.f_code.co_filename).is_relative_to(_PACKAGE):
        frame, level = frame.f_back, level + 1
    warnings.warn(text, stacklevel=level)


@checked
def write(puzzles: PuzzleLike | Iterable[PuzzleLike], path: str | Path = "-", format: str = "line") -> None:
    """Write puzzles or solutions as text.

    Args:
        puzzles: one, or many.
        path: where to, compressed if the name ends in .gz, .xz or .zst; `-` is standard output.
        format: a key of TEXT_FORMATS.

    Raises:
        FormatError: the format cannot hold one of the boards.
        SudokuError: the file cannot be written.

    >>> write("1...............", "/dev/null")
    """
    with files.writing(file_name(path)) as out:
        for piece in writing.write_all((as_puzzle(puzzle) for puzzle in each_of(puzzles)), format):
            out(piece.encode())


@checked
def violations(
    source: PuzzleLike,
    grid: PuzzleLike,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Iterator[str]:
    """Yield everything that keeps a grid from being a solution of a puzzle, a sentence for each fault.

    Args:
        source: the puzzle.
        grid: a value for each cell.
        board: of the puzzle, where its text or array does not say it.
        rules: to keep.

    >>> next(violations("1" + 15 * ".", "1234" * 4, board="4x4"))
    'r1c1 and r2c1 of one column both hold 1'
    """
    asked = as_puzzle(source, board, rules)
    values = as_puzzle(grid, asked.geometry).givens
    return puzzle.violations(asked, values)
