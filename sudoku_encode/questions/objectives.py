"""The best solution of a puzzle: the first or the last one, by the sum of some cells, or with the most givens kept.

The order of solutions is that of their cells, as a dictionary orders words: the first solution has the least value in
the first cell, among these the least in the second, and so on.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import NamedTuple

import numpy as np

from sudoku_encode.encoders import cp
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import TIME_LIMIT, FormatError, GeometryError, InternalError, StoppedError, short
from sudoku_encode.generating.grids import SOLVER
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.constraints.parsing import weighted_cells
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.questions.redundant import with_givens_of
from sudoku_encode.questions.table import FIRST, KEEP, LAST, LEAST, MOST, OBJECTIVES
from sudoku_encode.run.asking import Numbered, Question
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.status import Status, status_of_stop
from sudoku_encode.solvers.sat import IncrementalSolver


class Objective(NamedTuple):
    """The measure of solutions.

    Attributes:
        kind: `first`, `last`, `min`, `max` or `keep`.
        weights: the cells whose values are added up, each with a factor, of `min` and `max`.
    """

    kind: str
    weights: Mapping[int, int] = MappingProxyType({})


def parse_objective(text: str, board: Geometry) -> Objective:
    """Return the objective in a text.

    Raises:
        FormatError: not one of OBJECTIVES, or not cells of the board.

    >>> from sudoku_encode import board
    >>> parse_objective("max r1c1-r1c2 + 3*r5c5", board("9x9"))
    Objective(kind='max', weights={0: 1, 1: 1, 40: 3})
    """
    kind, *words = text.replace("+", " ").replace(",", " ").split() or [""]
    expected = f"expected {', '.join(OBJECTIVES)}"
    if kind not in (FIRST, LAST, LEAST, MOST, KEEP):
        raise FormatError(f"not an objective: {short(repr(text))}; {expected}")
    if bool(words) != (kind in (LEAST, MOST)):
        raise FormatError(f"objective {kind} {'takes no cells' if words else 'needs cells'}; {expected}")
    try:
        weights = weighted_cells(words, board)
    except GeometryError as error:
        raise FormatError(f"objective {kind}: {error}; write cells such as r1c1, r1c1-r1c3 or 2*r1c1") from error
    if weights and max(weights) >= board.n_grid:
        raise FormatError(
            f"objective {kind}: a solution does not contain hidden cells: {board.cell_name(max(weights))}"
        )
    return Objective(kind, weights)


@dataclass(frozen=True, eq=False)
class Optimum:
    """The best solution that was found.

    Attributes:
        grid: the solution (n_cells,); None if none was found.
        value: the weighted sum of the cells, or the number of givens kept; None for the first and the last solution.
        bound: a proved bound of the value; equal to it if the solution is proved to be best.
        dropped: the cells of givens that are not kept.
        stopped: what ended the search before a proof; empty if the solution is proved to be best, or not to exist.
    """

    grid: Grids | None
    value: int | None = None
    bound: int | None = None
    dropped: tuple[int, ...] = ()
    stopped: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen


@dataclass(frozen=True)
class ObjectiveQuestion(Question[Optimum]):
    """The question for the best solution."""

    text: str
    types = (Optimum,)

    def require(self, puzzle: Puzzle) -> None:
        """Check that the cells of the objective are on the board."""
        parse_objective(self.text, puzzle.geometry)

    def answer(self, item: Numbered, deadline: Deadline) -> Optimum:
        """Return the best solution, checked."""
        puzzle, objective = item[1], parse_objective(self.text, item[1].geometry)
        if objective.kind in (FIRST, LAST):
            best = _at_end(puzzle, objective.kind == LAST, deadline)
        else:
            best = _by_cp_sat(puzzle, objective, deadline)
        if best.grid is not None:
            solved = with_givens_of(puzzle, _without(puzzle, best.dropped)) if best.dropped else puzzle
            if fault := next(violations(solved, best.grid), ""):
                raise InternalError(f"the best solution is wrong: {fault}")
        return best

    def judge(self, puzzle: Puzzle, value: Optimum) -> tuple[Status, str]:
        """Return whether the solution is proved to be best."""
        if value.stopped:
            return status_of_stop(value.stopped), value.stopped
        return (Status.NO_SOLUTION if value.grid is None else Status.SOLVED), ""

    def method_of(self, value: Optimum | None) -> str:
        """Return the method."""
        return "sat" if self.text.split()[:1] in ([FIRST], [LAST]) else "cp-sat"


def _at_end(puzzle: Puzzle, last: bool, deadline: Deadline) -> Optimum:
    """Return the first or the last solution: cell by cell, the least or the greatest value with a solution."""
    encoding = encode(puzzle, reduction="none")
    board = puzzle.geometry
    with IncrementalSolver(encoding, SOLVER) as solver:
        try:
            if not solver.solve([], deadline):
                return Optimum(None)
        except StoppedError as reason:
            return Optimum(None, stopped=reason.reason)
        literals = encoding.literals[: board.n_cells, :, 0].tolist()
        grid = encoding.decode_all(solver.model()[None])[0]
        fixed: list[int] = []
        try:
            for cell in puzzle.blanks.tolist():
                value = int(grid[cell])
                better = range(board.n_values, value, -1) if last else range(1, value)
                for other in better:
                    if solver.solve([*fixed, literals[cell][other - 1]], deadline):
                        grid = encoding.decode_all(solver.model()[None])[0]
                        break
                fixed.append(literals[cell][int(grid[cell]) - 1])
        except StoppedError as reason:
            return Optimum(grid[: board.n_grid], stopped=reason.reason)
    return Optimum(grid[: board.n_grid])


def _by_cp_sat(puzzle: Puzzle, objective: Objective, deadline: Deadline) -> Optimum:
    """Return the best solution by an objective of CP-SAT."""
    from ortools.sat.python import cp_model

    keeps = objective.kind == KEEP
    if puzzle.geometry.oversized_unit is not None:
        return Optimum(None)
    encoded = cp.cp_model(with_givens_of(puzzle, ()) if keeps else puzzle, reduction="none")
    given = np.flatnonzero(puzzle.givens).tolist()
    # The numbers that people read begin at 0 on some boards.
    less = 1 - puzzle.geometry.first
    terms: list[cp_model.LinearExprT]
    if keeps:
        terms = []
        for cell in given:
            keeps_given = encoded.model.new_bool_var("")
            encoded.model.add(encoded.cells.integer(cell) == int(puzzle.givens[cell])).only_enforce_if(keeps_given)
            terms.append(keeps_given)
    else:
        terms = [weight * (encoded.cells.integer(cell) - less) for cell, weight in objective.weights.items()]
    (encoded.model.minimize if objective.kind == LEAST else encoded.model.maximize)(sum(terms))
    solver = cp_model.CpSolver()
    # With several workers the solution would differ from run to run, where several are best.
    solver.parameters.num_workers = 1
    solver.parameters.catch_sigint_signal = False
    if deadline.ends is not None:
        solver.parameters.max_time_in_seconds = deadline.seconds_left
    status = solver.solve(encoded.model)
    if status == cp_model.INFEASIBLE:
        return Optimum(None)
    if status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
        return Optimum(None, stopped=TIME_LIMIT)
    grid = encoded.decode(solver).values
    dropped = tuple(cell for cell in given if keeps and grid[cell] != puzzle.givens[cell])
    value = len(given) - len(dropped) if keeps else _weighted_sum(objective, grid, less)
    stopped = "" if status == cp_model.OPTIMAL else TIME_LIMIT
    return Optimum(grid, value, round(solver.best_objective_bound), dropped, stopped)


def _weighted_sum(objective: Objective, grid: Grids, less: int) -> int:
    """Return the weighted sum of the cells of a grid, whose numbers are by so much less than its values."""
    return sum(weight * (int(grid[cell]) - less) for cell, weight in objective.weights.items())


def _without(puzzle: Puzzle, dropped: Sequence[int]) -> list[int]:
    """Return the cells of the givens that are not dropped."""
    return [cell for cell in np.flatnonzero(puzzle.givens).tolist() if cell not in dropped]
