"""What the givens leave: candidates removed before a puzzle is encoded."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.table import REDUCTIONS
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


@dataclass(frozen=True, eq=False)
class Reduction:
    """What is left of a puzzle.

    Attributes:
        candidates: bool (n_cells, n_values).
        decided: bool (n_cells,): cells that need no variable, since they have one candidate and it is excluded from
            their peers.
        contradiction: why there is no solution, where the reduction found that out; otherwise empty.
    """

    candidates: Candidates
    decided: NDArray[np.bool_]
    contradiction: str = ""


def reduce(puzzle: Puzzle, level: str) -> Reduction:
    """Remove candidates; every solution of the puzzle stays, and nothing else becomes one.

    Raises:
        MethodError: no such level.

    Source: Kwon & Jain 2006 (level `givens`); naked and hidden singles together are what unit propagation
        does on the extended encoding (Lynce & Ouaknine 2006, section 3).
    """
    board = puzzle.geometry
    if level not in REDUCTIONS:
        raise MethodError(f"no reduction is called {level!r}; choose from {', '.join(REDUCTIONS)}")
    if level == "none":
        everything = np.ones((board.n_cells, board.n_values), bool)
        return Reduction(everything, np.zeros(board.n_cells, bool))
    if puzzle.clash:
        first, second = puzzle.clash
        value = puzzle.givens[first]
        return _failed(
            puzzle, f"{board.cell_name(first)} and {board.cell_name(second)} are peers and both hold {value}"
        )
    candidates = puzzle.candidates.copy()
    decided = puzzle.givens > 0
    _exclude(board, candidates, decided)
    if level == "singles":
        while not (reason := _contradiction(board, candidates)):
            before = np.count_nonzero(candidates)
            _hidden_singles(board, candidates)
            decided = np.count_nonzero(candidates, axis=1) == 1
            _exclude(board, candidates, decided)
            if np.count_nonzero(candidates) == before:
                break
    else:
        reason = _contradiction(board, candidates)
    return _failed(puzzle, reason) if reason else Reduction(candidates, decided)


def _failed(puzzle: Puzzle, reason: str) -> Reduction:
    return Reduction(puzzle.candidates, puzzle.givens > 0, reason)


def _exclude(board: Geometry, candidates: Candidates, decided: NDArray[np.bool_]) -> None:
    """Take the value of every decided cell from its peers."""
    placed = candidates & decided[:, None]
    for rule in board.rules:
        mine = placed[rule.units]
        # A decided cell keeps its own value: two of them with one value are found as a contradiction.
        candidates[rule.units] &= ~mine.any(axis=1, keepdims=True) | mine


def _hidden_singles(board: Geometry, candidates: Candidates) -> None:
    """Where a value has one cell left in a unit, leave that cell only such values."""
    for rule in board.full_rules:
        left = candidates[rule.units]
        hidden = left & (left.sum(axis=1, dtype=np.int32, keepdims=True) == 1)
        candidates[rule.units] = np.where(hidden.any(axis=2, keepdims=True), hidden, left)


def _contradiction(board: Geometry, candidates: Candidates) -> str:
    """Say why the candidates allow no solution, if they plainly do not."""
    left = candidates.sum(axis=1, dtype=np.int32)
    if (left == 0).any():
        return f"{board.cell_name(int(np.argmin(left)))} has no candidate left"
    single = candidates & (left == 1)[:, None]
    for rule in board.rules:
        twice = single[rule.units].sum(axis=1, dtype=np.int32) > 1
        if twice.any():
            unit, value = np.argwhere(twice)[0].tolist()
            first, second = rule.units[unit][single[rule.units[unit], value]][:2].tolist()
            return f"{board.cell_name(first)} and {board.cell_name(second)} are peers and both must hold {value + 1}"
    for rule in board.full_rules:
        missing = ~candidates[rule.units].any(axis=1)
        if missing.any():
            unit, value = np.argwhere(missing)[0].tolist()
            place = board.cell_name(int(rule.units[unit, 0]))
            return f"no cell is left for {value + 1} in the {rule.name} of {place}"
    return ""
