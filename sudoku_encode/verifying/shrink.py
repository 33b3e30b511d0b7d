"""Make a disagreement small: the smallest puzzle found on which a method still does the same wrong thing."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import RandomState

from sudoku_encode.methods.calls import unsupported_reason
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import local_pool
from sudoku_encode.verifying.report import WRONG, Fault, Report, judge
from sudoku_encode.verifying.running import Job, run_all

# Most faults show on a tiny board, where all solutions can be read by eye.
SMALL_BOARDS = ("2x2", "3x3", "4x4", "6x6", "4x4x4")
# Boards of these that have few enough solutions to list without any given.
_LISTED_EMPTY = ("2x2", "3x3", "4x4", "4x4x4")
# How many puzzles with random givens are tried on each small board.
_PROBES = 8
_MAX_SOLUTIONS = 5000


@dataclass(frozen=True, eq=False)
class Shrunk:
    """The smallest puzzle found."""

    report: Report  # on that puzzle; it has a fault of the same kind by the same method
    fault: Fault  # that fault
    methods: tuple[str, ...]  # the methods that show it
    tries: int  # the number of puzzles on which they were run


def shrink(report: Report, fault: Fault, limits: Limits) -> Shrunk | None:
    """Look for a smaller puzzle with the same fault: first on small boards, then with fewer rules and fewer givens.

    A run has a fifth of the time of the limits, and 5,000 solutions at most. None if the fault does not show again.
    """
    return _Search(report, fault, limits).run()


class _Search:
    def __init__(self, report: Report, fault: Fault, limits: Limits) -> None:
        self.puzzle, self.fault = report.puzzle, fault
        self.methods = tuple(dict.fromkeys([fault.method, *_witnesses(report, fault)]))
        few = min(limits.solutions or _MAX_SOLUTIONS, _MAX_SOLUTIONS)
        seconds = None if limits.seconds is None else min(limits.seconds, max(0.5, limits.seconds / 5))
        self.limits = replace(limits, solutions=few, seconds=seconds)
        self.tries = 0
        self.best: tuple[Report, Fault] | None = None

    def run(self) -> Shrunk | None:
        smallest = next((puzzle for puzzle in self._starts() if self._shows(puzzle)), None)
        if smallest is None:
            return None
        before = None
        while smallest is not before:
            before = smallest
            smallest = self._fewer_givens(self._fewer_rules(smallest))
        assert self.best is not None
        return Shrunk(*self.best, self.methods, self.tries)

    def _starts(self) -> Iterator[Puzzle]:
        """Yield puzzles on boards that are smaller, the smallest first, then the puzzle itself."""
        board = self.puzzle.geometry
        for name in SMALL_BOARDS:
            smaller = boards.board(name)
            if smaller.n_cells < board.n_cells:
                if common := [rule for rule in smaller.rule_names if rule in board.rule_names]:
                    smaller = smaller.with_rules(common)
                if not any(METHODS[method].unsupported_reason(smaller) for method in self.methods):
                    yield from _probes(smaller)
        yield self.puzzle

    def _fewer_rules(self, puzzle: Puzzle) -> Puzzle:
        """Leave out every rule without which the fault still shows, pencilmarks, and constraints."""
        for dropped in puzzle.geometry.rule_names:
            board = puzzle.geometry
            if len(board.rules) > 1:
                fewer = board.with_rules(name for name in board.rule_names if name != dropped)
                puzzle = self._if_it_shows(replace(puzzle, geometry=fewer), puzzle)
        if puzzle.pencilmarks is not None:
            puzzle = self._if_it_shows(replace(puzzle, pencilmarks=None), puzzle)
        for constraint in puzzle.constraints:
            fewer_constraints = tuple(other for other in puzzle.constraints if other != constraint)
            puzzle = self._if_it_shows(replace(puzzle, constraints=fewer_constraints), puzzle)
        return puzzle

    def _fewer_givens(self, puzzle: Puzzle) -> Puzzle:
        """Leave out givens without which the fault still shows, half of them first, then fewer at a time."""
        size = int(np.count_nonzero(puzzle.givens))
        while size:
            givens = np.flatnonzero(puzzle.givens)
            for start in range(0, len(givens), size):
                fewer = puzzle.givens.copy()
                fewer[givens[start : start + size]] = 0
                puzzle = self._if_it_shows(replace(puzzle, givens=fewer), puzzle)
            size //= 2
        return puzzle

    def _if_it_shows(self, puzzle: Puzzle, otherwise: Puzzle) -> Puzzle:
        return puzzle if self._shows(puzzle) else otherwise

    def _shows(self, puzzle: Puzzle) -> bool:
        """Return whether the fault shows on a puzzle; if so, note the report as the best."""
        board = puzzle.geometry
        if any(unsupported_reason(METHODS[method], puzzle) for method in self.methods):
            return False
        self.tries += 1
        n_givens = np.count_nonzero(puzzle.givens)
        emit(Progress(f"shrinking: {board.name}, {len(board.rules)} rules, {n_givens} givens ..."))
        jobs = [Job(0, puzzle, method) for method in self.methods]
        report = judge(puzzle, [run for _, run in run_all(jobs, self.limits, local_pool(len(self.methods)))])
        same = (self.fault.method, self.fault.kind)
        matching = next((fault for fault in report.faults if (fault.method, fault.kind) == same), None)
        if matching is not None:
            self.best = (report, matching)
        return matching is not None


def _witnesses(report: Report, fault: Fault) -> Iterator[str]:
    """Yield another method that shows the fault: its witness, or the fastest of another family without a fault."""
    if fault.witness:
        yield fault.witness
    elif fault.kind in WRONG:
        guilty = {other.method for other in report.faults}
        family = METHODS[fault.method].family
        sound = [run for run in report.runs if run.count.complete and run.method not in guilty and run.family != family]
        yield from [min(sound, key=lambda run: run.seconds).method] if sound else []


def _probes(board: Geometry) -> Iterator[Puzzle]:
    """Yield puzzles on a small board: the empty one, and some with givens of one solution."""
    if board.name in _LISTED_EMPTY:
        yield Puzzle.of(board)
    random = RandomState(0)
    grid = _solution(board)
    for number in range(_PROBES):
        relabelled = (random.permutation(board.n_values) + 1)[grid - 1]
        share = (number % 4 + 1) / 4
        yield Puzzle.of(board, np.where(random.random_sample(board.n_cells) < share, relabelled, 0))


def _solution(board: Geometry) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Return a solution by plain backtracking, which shares nothing with any method."""
    grid = [0] * board.n_cells
    cell = 0
    while cell < board.n_cells:
        taken = {grid[peer] for peer in board.peers[cell].tolist() if peer < cell}
        value = next((value for value in range(grid[cell] + 1, board.n_values + 1) if value not in taken), 0)
        grid[cell] = value
        cell += 1 if value else -1
    return np.array(grid, np.uint8)
