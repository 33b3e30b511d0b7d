"""Clauses that users add, in terms of cells and values: a cell holds a value or does not, a grid is excluded."""

import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError, GeometryError, short
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.arrays import as_array
from sudoku_encode.puzzles.constraints.parsing import cells_of
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle, are_wrong, violations

# Cells by name, by coordinates from 0, or by number; with the value that they hold, or, negated, do not hold; also as
# pairs. Or texts, such as `r1c1=5,r1c2!=3`.
Wishes = Mapping[Any, int] | Iterable[tuple[Any, int]] | Iterable[str] | str
_WISH = re.compile(r"([^=!]+)(!?)=([0-9]{1,4})")
# Unit clauses in place of the empty clause, which some solvers reject.
_FALSE = [1, -1]
_EMPTY_CLAUSE = [[literal] for literal in _FALSE]


class Meaning(NamedTuple):
    """The meaning of the variables of an encoding; see `Encoding` for each field."""

    puzzle: Puzzle
    candidates: Candidates
    literals: Literals
    contradiction: str


def clauses_of(meaning: Meaning, wishes: Wishes) -> Iterator[tuple[int, int, list[list[int]]]]:
    """Yield the cell, the value and the clauses of each assumption.

    Raises:
        FormatError: as `checked_wishes`.
    """
    for cell, value in checked_wishes(meaning.puzzle, wishes):
        candidate = cell, abs(value) - 1
        literals = [literal for literal in meaning.literals[candidate].tolist() if literal]
        if meaning.contradiction:
            # The formula has no model anyway.
            yield cell, value, []
        elif not literals:
            # A candidate without literals is decided.
            yield (
                cell,
                value,
                [] if bool(meaning.candidates[candidate]) == (value > 0) else _EMPTY_CLAUSE,
            )
        elif value > 0:
            yield cell, value, [[literal] for literal in literals]
        else:
            yield cell, value, [[-literal for literal in literals]]


def blocking(meaning: Meaning, grids: Any) -> tuple[Literals, NDArray[np.int64]]:
    """Return the literals in a row of the clauses that exclude grids, and the number of literals of each clause.

    Raises:
        FormatError: these are not full grids.
    """
    puzzle = meaning.puzzle
    board = puzzle.geometry
    values = _grids(board, grids)
    allowed = meaning.candidates[np.arange(board.n_grid), values - 1].all(axis=1)
    givens = puzzle.givens[: board.n_grid]
    allowed &= ((givens == 0) | (values == givens)).all(axis=1)
    # Grids that are not models need no clause, and could equal a solution on the blanks.
    blanks, values = np.flatnonzero(givens == 0), values[allowed]
    if meaning.contradiction or not len(values):
        return np.zeros(0, np.int32), np.zeros(0, np.int64)
    literals = -meaning.literals[blanks, values[:, blanks] - 1].reshape(len(values), -1)
    used = literals != 0
    if not used.any():
        return np.array(_FALSE, np.int32), np.ones(len(_FALSE), np.int64)
    return literals[used], used.sum(axis=1)


def require_solutions(puzzle: Puzzle, grids: Any) -> None:
    """Check that grids are solutions of a puzzle.

    Raises:
        FormatError: they are not full grids, or one of them is not a solution.
    """
    puzzle = puzzle.on_grid
    values = _grids(puzzle.geometry, grids).astype(np.uint8)
    wrong = are_wrong(puzzle, values)
    if wrong.any():
        number = int(wrong.argmax())
        reason = next(violations(puzzle, values[number]))
        raise FormatError(f"grid {number + 1} to exclude is not a solution: {reason}")


def checked_wishes(puzzle: Puzzle, wishes: Wishes) -> list[tuple[int, int]]:
    """Return the number of the cell of each assumption, and the value that it holds or, negated, does not hold.

    Raises:
        FormatError: there is no such cell or value; or texts contradict each other or the puzzle.
    """
    if isinstance(wishes, Mapping):
        return list(_checked(puzzle.geometry, wishes.items()))
    if not isinstance(wishes, Iterable):
        raise FormatError(f"not a mapping of cells to values, such as {{'r1c1': 5}}: {short(repr(wishes))}")
    several: list[Any] = [wishes] if isinstance(wishes, str) else list(wishes)
    if all(isinstance(pair, tuple) and len(pair) == 2 for pair in several):
        return list(_checked(puzzle.geometry, several))
    return list(_parsed(puzzle, several))


def _parsed(puzzle: Puzzle, texts: Iterable[Any]) -> Iterator[tuple[int, int]]:
    """Yield the assumptions in texts; each must leave its cell a value."""
    board, allowed = puzzle.geometry, puzzle.candidates.copy()
    words = (text.replace(",", " ").split() if isinstance(text, str) else [text] for text in texts)
    for wish in chain.from_iterable(words):
        cells, value = _parsed_wish(wish, board)
        for cell in cells:
            before = allowed[cell].copy()
            allowed[cell] &= (np.arange(1, board.n_values + 1) == abs(value)) == (value > 0)
            if not allowed[cell].any():
                values = " or ".join(map(str, (np.flatnonzero(before) + board.first).tolist())) or "no value"
                name = board.cell_name(cell)
                raise FormatError(f"assumption {wish}: the puzzle, or another assumption, leaves {name} {values}")
            yield cell, value


def _parsed_wish(wish: Any, board: Geometry) -> tuple[tuple[int, ...], int]:
    """Return the cells and the value, negated if they do not hold it, of a text such as `r1c1=5` or `r1c1-r1c3!=5`."""
    match = _WISH.fullmatch(wish) if isinstance(wish, str) else None
    if match is None:
        raise FormatError(f"not an assumption: {short(repr(wish))} (such as r1c1=5 or r1c1!=5)")
    try:
        cells = cells_of(match[1], board)
    except GeometryError as error:
        raise FormatError(f"assumption {wish}: {error}") from error
    if max(cells) >= board.n_cells:
        raise FormatError(f"assumption {wish}: no constraint of the puzzle names {board.cell_name(max(cells))}")
    if not board.first <= int(match[3]) <= board.last:
        raise FormatError(f"assumption {wish}: not a value: {int(match[3])} ({board.first} to {board.last})")
    value = int(match[3]) + 1 - board.first
    return cells, -value if match[2] else value


def _checked(board: Geometry, wishes: Iterable[tuple[Any, int]]) -> Iterator[tuple[int, int]]:
    """Yield the number and the value of each cell."""
    cell_of = {board.cell_name(cell): cell for cell in range(board.n_cells)}
    for place, value in wishes:
        try:
            cell = cell_of[place] if isinstance(place, str) else _number(board, place)
        except (KeyError, ValueError, TypeError) as error:
            raise FormatError(f"{short(repr(place))} is not a cell of {board.name}") from error
        if not isinstance(value, int | np.integer) or not 1 <= abs(value) <= board.n_values:
            raise FormatError(
                f"{board.cell_name(cell)}: {short(repr(value))} is not a value (1 to {board.n_values}, or negated)"
            )
        yield cell, int(value)


def _number(board: Geometry, place: Any) -> int:
    """Return the number of a cell that is given by coordinates or by number."""
    if isinstance(place, tuple):
        return board.cells_by_coordinates[place]
    return int(np.ravel_multi_index((place,), (board.n_cells,)))


def _grids(board: Geometry, grids: Any) -> NDArray[np.int64]:
    """Return grids in any form, such as an array, a list of `Grid` or a single one, as (m, n_grid)."""
    try:
        # A list may contain arrays, each with its own mask.
        items = grids if hasattr(grids, "__array__") else [as_array(grid, "a grid to exclude") for grid in grids]
        array = as_array(items, "grids to exclude")
        values = array.reshape(-1, board.n_grid) if array.size else np.ones((0, board.n_grid), np.int64)
    except (TypeError, ValueError) as error:
        raise FormatError(f"not grids of the {board.n_grid} cells of {board.name}") from error
    if values.dtype.kind not in "iu" or (values.size and not 1 <= values.min() <= values.max() <= board.n_values):
        raise FormatError(f"expected a value from 1 to {board.n_values} in each cell of a grid to exclude")
    return values.astype(np.int64)
