"""The content of a drawing, independent of its form: a board, the contents of its cells, and marks."""

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_encode.errors import FormatError, SudokuError, printable, short
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Candidate

# The name of a rule, and optionally a number.
_UNIT = re.compile(r"\s*(.*?)(?:\s+(\d{1,9}))?\s*", re.DOTALL)

CellName = int | str | tuple[int, ...]
"""A cell as a caller may give it: its number, its name such as `r1c3`, or its coordinates from 0."""


@dataclass(frozen=True)
class Marks:
    """The marks of a step of solving."""

    cells: Collection[int] = ()  # the cells that it is about
    pattern: Collection[Candidate] = ()  # the candidates that it is about
    removes: Collection[Candidate] = ()  # the candidates that go
    places: Collection[Candidate] = ()  # the values that are put into cells


@dataclass(frozen=True, eq=False, repr=False)
class Picture:
    """The content of a drawing. `picture` creates and checks it."""

    board: Geometry
    givens: Grids  # (n_cells,): 0 for a cell without a given
    values: Grids  # (n_cells,): the values of other cells, such as those of a solution; 0 for no value
    has_solution: bool = False  # whether the values are a solution of the puzzle, which a page shows only on demand
    # (n_cells, n_values): the small digits in cells without a value; None for no small digits.
    candidates: Candidates | None = None
    # (n_cells, n_values) of integers: how many solutions have each value; the fewer, the paler its digit. None if that
    # is not known.
    shares: NDArray[Any] | None = None
    total: int = 0  # how many solutions there are
    cells: frozenset[int] = frozenset()  # the cells that are highlighted
    units: tuple[tuple[int, ...], ...] = ()  # the cells of each unit that is highlighted
    marks: Marks | None = None  # of a step, shown by its small digits
    others: Grids | None = None  # (n_cells,): the grid to compare with, or None
    differs: frozenset[int] = frozenset()  # the cells that hold another value there
    title: str = ""  # above the picture; may be empty
    name: str = ""  # of the puzzle, for readers who cannot see the picture, and for pages; may be empty
    text: str = ""  # sentences below the name on a page; may be empty
    axis: str | None = None  # along which the layers of a cube are drawn
    constraints: tuple[Constraint, ...] = ()  # of the puzzle

    @property
    def label(self) -> str:
        """The name of the picture: its title, or else the name of the puzzle, or of the board."""
        return self.title or self.name or short(self.board.name)

    def __repr__(self) -> str:
        """Return the board and how many values there are on one short line."""
        filled = np.count_nonzero(self.givens | self.values)
        return f"Picture({short(self.board.name, 30)!r}, {filled} of {self.board.n_cells} cells filled)"


def picture(
    puzzle: Puzzle,
    *,
    solution: ArrayLike | None = None,
    candidates: Candidates | None = None,
    shares: NDArray[Any] | None = None,
    total: int = 0,
    cells: str | Iterable[CellName] = (),
    units: str | Iterable[str] = (),
    marks: Marks | None = None,
    against: ArrayLike | None = None,
    title: str = "",
    axis: str | None = None,
) -> Picture:
    """Return the picture of a puzzle: its givens, and its pencilmarks unless the other arguments fill its blanks.

    Values of a solution look different from the givens; candidates are small digits in the cells without a value.
    `shares` are how many solutions of the `total` have each value. Cells are highlighted by name, number or
    coordinates, units by name, such as `row 3` or `box-xy 12`. Cells with another value in `against` are marked. Layers
    of a cube follow each other along the axis.

    Raises:
        SudokuError: an argument does not fit this board.
    """
    board = puzzle.geometry
    values = np.zeros(board.n_cells, np.uint8)
    if solution is not None:
        solved = _values(board, solution, "solution")
        if len(wrong := np.flatnonzero((puzzle.givens != 0) & (solved != puzzle.givens) & (solved != 0))):
            cell = int(wrong[0])
            given = puzzle.givens[cell]
            raise SudokuError(f"{board.cell_name(cell)} is {solved[cell]} in the solution, but its given is {given}")
        values = np.where(puzzle.givens == 0, solved, 0).astype(np.uint8)
    asks = bool(puzzle.givens.any()) or bool(puzzle.constraints) or puzzle.pencilmarks is not None
    others_filled = candidates is None and marks is None and against is None
    if candidates is None and puzzle.pencilmarks is not None:
        candidates = puzzle.candidates
    shown = puzzle.givens | values
    others = None if against is None else _values(board, against, "grid to compare with")
    differs = () if others is None else np.flatnonzero(others != shown).tolist()
    drawn = Picture(
        board,
        puzzle.givens,
        values,
        has_solution=bool(values.any()) and asks and others_filled,
        candidates=None if candidates is None else np.asarray(_of_shape(board, candidates, "candidates"), bool),
        shares=None if shares is None or not total else _of_shape(board, shares, "shares"),
        total=total,
        marks=marks,
        others=others,
        differs=frozenset(differs),
        constraints=puzzle.constraints,
        name=printable(puzzle.name),
    )
    return marked(drawn, cells, units, axis, title)


def marked(
    drawn: Picture,
    cells: str | Iterable[CellName] = (),
    units: str | Iterable[str] = (),
    axis: str | None = None,
    title: str = "",
) -> Picture:
    """Return a picture with highlighted cells and units, an axis and a title; see `picture`."""
    # A string is one name, not a name for each letter.
    cells = [cells] if isinstance(cells, str) else cells
    units = [units] if isinstance(units, str) else units
    return replace(
        drawn,
        cells=frozenset(cell_number(drawn.board, cell) for cell in cells),
        units=tuple(unit_cells(drawn.board, unit) for unit in units),
        axis=axis,
        # A title must not break a line or a document.
        title=printable(str(title)),
    )


def cell_number(board: Geometry, cell: CellName) -> int:
    """Return the number of a cell.

    Raises:
        SudokuError: the board has no such cell.

    >>> from sudoku_encode import board
    >>> cell_number(board("9x9"), "r2c1"), cell_number(board("9x9"), (1, 0))
    (9, 9)
    """
    if isinstance(cell, str) and cell.strip() in board.cell_names:
        return board.cell_names.index(cell.strip())
    if isinstance(cell, (int, np.integer)) and 0 <= cell < board.n_cells:
        return int(cell)
    if isinstance(cell, tuple) and cell in board.cells_by_coordinates:
        return board.cells_by_coordinates[cell]
    ends = f"{board.cell_name(0)} to {board.cell_name(board.n_cells - 1)}"
    raise SudokuError(f"{short(board.name)} has no cell {short(str(cell))}; its cells are {ends}")


def unit_cells(board: Geometry, name: str) -> tuple[int, ...]:
    """Return the cells of a unit: `row 3` and `box 1` count from 1, a rule with a single unit needs no number.

    Raises:
        SudokuError: the board has no such unit.

    >>> from sudoku_encode import board
    >>> unit_cells(board("4x4"), "box 2")
    (2, 3, 6, 7)
    """
    match = _UNIT.fullmatch(str(name))
    name_of_rule, number = match.groups() if match else ("", None)
    units = [unit for each in board.rules if each.name == name_of_rule for unit in each.units.tolist()]
    if number is None and len(units) == 1:
        return tuple(units[0])
    if number is not None and 0 < int(number) <= len(units):
        return tuple(units[int(number) - 1])
    counts = {rule.name: 0 for rule in board.rules}
    for rule in board.rules:
        counts[rule.name] += len(rule.units)
    names = ", ".join(f"{rule_name} 1 to {count}" if count > 1 else rule_name for rule_name, count in counts.items())
    raise SudokuError(f"{short(board.name)} has no unit {short(str(name))!r}; its units are {names}")


def _values(board: Geometry, values: ArrayLike, what: str) -> Grids:
    """Return values of all cells, checked like those of a puzzle."""
    try:
        return Puzzle.of(board, values).givens
    except FormatError as error:
        raise SudokuError(f"the {what}: {error}") from error


def _of_shape(board: Geometry, values: ArrayLike, what: str) -> NDArray[Any]:
    array, shape = np.asarray(values), (board.n_cells, board.n_values)
    if array.shape != shape:
        raise SudokuError(
            f"{what} of shape {array.shape}; {short(board.name)} has {shape[0]} cells x {shape[1]} values"
        )
    return array


def raster(board: Geometry) -> tuple[int, int]:
    """Return the rows and columns of small digits in a cell: 3 and 3 on a 9x9, 2 and 3 on a 6x6."""
    columns = int(np.ceil(np.sqrt(board.n_values)))
    return -(-board.n_values // columns), columns
