"""What the answer of a solver says of a puzzle, whatever the format of the model and of the answer."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.puzzle import Puzzle, violations

Values = NDArray[np.int64]


class Decoded(NamedTuple):
    """A model as a grid.

    Attributes:
        grid: whole numbers (n_cells,); 0 where the model gives a cell no value, or two.
        faults: everything that keeps it from being a solution; none of a solution.
    """

    grid: NDArray[np.integer]
    faults: list[str]


@dataclass(frozen=True)
class Answer:
    """What a solver answered.

    Attributes:
        puzzle: the question, as the comments of the model say it.
        claim: True for satisfiable, False for unsatisfiable, None for neither.
        n_models: how many models there are that are whole.
        models: these as grids, each checked against the rules and the givens as it is taken.
        cut_off: why the last model is not whole; empty where it is.
        added: what the model asks besides the puzzle, such as `3 clauses added`, where its comments say so. That there
            is no solution is then said of both.
    """

    puzzle: Puzzle
    claim: bool | None
    n_models: int
    models: Iterable[Decoded]
    cut_off: str = ""
    added: str = ""


def from_values(puzzle: Puzzle, claim: bool | None, grids: list[list[int]] | list[Values], cut_off: str = "") -> Answer:
    """Return the answer of models that say the value of each cell; any number may be such a value."""
    return Answer(puzzle, claim, len(grids), (_checked(puzzle, np.array(grid, np.int64)) for grid in grids), cut_off)


def from_truth(puzzle: Puzzle, claim: bool | None, held: list[NDArray[np.bool_]], cut_off: str = "") -> Answer:
    """Return the answer of models that say of each cell and value whether it holds it, bool (n_cells, n_values)."""
    return Answer(puzzle, claim, len(held), _decoded(puzzle, held), cut_off)


def _checked(puzzle: Puzzle, grid: Values) -> Decoded:
    return Decoded(grid, list(violations(puzzle, grid)))


def _decoded(puzzle: Puzzle, models: list[NDArray[np.bool_]]) -> Iterator[Decoded]:
    for held in models:
        single = held.sum(axis=1, dtype=np.int64) == 1
        grid = np.where(single, held.argmax(axis=1) + 1, 0)
        yield Decoded(grid, faults(puzzle, held, grid))


def faults(puzzle: Puzzle, held: NDArray[np.bool_], grid: NDArray[np.integer]) -> list[str]:
    """Say everything that keeps a model from being a solution.

    Args:
        puzzle: what it should solve.
        held: bool (n_cells, n_values), which values each cell holds.
        grid: (n_cells,), its value where it holds one.
    """
    board = puzzle.geometry
    several = [
        f"{board.cell_name(cell)} holds {' and '.join(map(str, (np.flatnonzero(held[cell]) + 1).tolist()))}"
        for cell in np.flatnonzero(held.sum(axis=1) > 1).tolist()
    ]
    none = [f"{board.cell_name(cell)} holds no value" for cell in np.flatnonzero(~held.any(axis=1)).tolist()]
    return several + none or list(violations(puzzle, grid))


def first_missing(puzzle: Puzzle, held: NDArray[np.bool_], named: NDArray[np.bool_]) -> str:
    """Return a cell that holds no value in a model though the model does not mention all its variables.

    Args:
        puzzle: what was asked.
        held: bool (n_cells, n_values), which values each cell holds.
        named: of the same shape, which of them the model mentions.

    Returns:
        The name of the first such cell, by which a model is known to be cut off; empty where there is none.
    """
    missing = np.flatnonzero(~held.any(axis=1) & ~named.all(axis=1))
    return puzzle.geometry.cell_name(int(missing[0])) if len(missing) else ""
