"""Puzzles cut out of random solutions; the same seed gives the same puzzles."""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.random import RandomState

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import MethodError, SudokuError
from sudoku_encode.frontier.ranks import Ranked
from sudoku_encode.generating import cubes, grids
from sudoku_encode.generating.digging import Digger
from sudoku_encode.generating.drawing import drawn
from sudoku_encode.generating.symmetry import orbits, shuffled_orbits, sides
from sudoku_encode.generating.table import GENERATORS, KINDS, SYMMETRIES
from sudoku_encode.papers import keck2022
from sudoku_encode.placements.structure import side
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.solvers.sat import IncrementalSolver

# While a puzzle is generated, several times as many solutions are listed again and again.
MAX_SOLUTIONS = 10_000


@dataclass(frozen=True)
class Aim:
    """A range that a figure of a puzzle should be in; what measures it belongs to a room above.

    Attributes:
        text: as it is written: `FIGURE:LOW-HIGH`.
        low: the least that is wanted.
        high: the most.
        measure: returns the figure of a puzzle, None where it is not known.
    """

    text: str
    low: float
    high: float
    measure: Callable[[Puzzle, Deadline], float | None]


@dataclass(frozen=True)
class Wanted:
    """What a puzzle should be.

    Attributes:
        clues: how many givens; None for as few as one pass of removals leaves.
        solutions: exactly how many.
        minimal: no given can go without adding solutions. So it is without `clues`; with `clues` both must hold.
            With a symmetry, no group of givens can go.
        symmetry: of the pattern of givens, a key of `SYMMETRIES`.
        kind: of the cube that it is cut out of, a key of `KINDS`.
        uniform: whether each solution of the board is as likely to be the one that an attempt starts from.
        aim: what a figure of it should be, or None.
    """

    clues: int | None = None
    solutions: int = 1
    minimal: bool = False
    symmetry: str = "none"
    kind: str = "usual"
    uniform: bool = False
    aim: Aim | None = None

    @property
    def must_be_minimal(self) -> bool:
        """Whether no given may be left that could go."""
        return self.minimal or self.clues is None

    def check(self, board: Geometry, method: str) -> None:
        """Raise MethodError, with the reason, when there can be no such puzzle, or the method cannot generate it."""
        if self.clues is not None and not 0 <= self.clues <= board.n_cells:
            raise MethodError(f"{self.clues} clues on {board.name}: it has {board.n_cells} cells")
        if self.solutions < 1:
            raise MethodError("a puzzle that is cut out of a solution has at least 1 solution")
        if self.solutions > MAX_SOLUTIONS:
            raise MethodError(f"{self.solutions} solutions are too many to list them; at most {MAX_SOLUTIONS}")
        if self.aim is not None and self.solutions != 1:
            raise MethodError(f"a puzzle with {self.solutions} solutions has no rating")
        if self.symmetry not in SYMMETRIES:
            raise MethodError(f"no symmetry is called {self.symmetry!r}; choose from {', '.join(SYMMETRIES)}")
        if SYMMETRIES[self.symmetry].needs_equal_sides and len(set(sides(board))) > 1:
            raise MethodError(f"symmetry {self.symmetry} needs equal sides")
        if self.clues is not None and not _is_sum(self.clues, map(len, orbits(board, self.symmetry))):
            raise MethodError(f"no pattern of {self.clues} clues has symmetry {self.symmetry} on {board.name}")
        if method not in GENERATORS:
            raise MethodError(f"no generator is called {method!r}; choose from {', '.join(GENERATORS)}")
        if method == "keck2022" and (self.solutions != 1 or self.symmetry != "none"):
            raise MethodError("keck2022 makes puzzles with one solution and without symmetry; use --method sat")
        self._check_origin(board, method)

    def _check_origin(self, board: Geometry, method: str) -> None:
        """Raise MethodError where the method cannot choose such full grids to begin with."""
        if self.kind not in KINDS:
            raise MethodError(f"no kind of cube is called {self.kind!r}; choose from {', '.join(KINDS)}")
        if self.kind != "usual" and side(board) != 3:
            rules = ", ".join(board.rule_names)
            raise MethodError(f"kind {self.kind} is for 9x9x9 with all six rules; this is {board.name} with {rules}")
        if self.kind != "usual" and method != "sat":
            raise MethodError(f"{method} makes cubes of its own, not of kind {self.kind}; use --method sat")
        if self.uniform and (method != "sat" or self.kind != "usual"):
            other = f"method {method}" if method != "sat" else f"kind {self.kind}"
            raise MethodError(f"{other} chooses solutions in a way of its own, which is not uniform")


def clues_of(board: Geometry, clues: int | None, blanks: int | None) -> int | None:
    """Return the number of givens, where that or the number of blanks is wanted; else None.

    Raises:
        SudokuError: both are, or there are not as many cells.
    """
    if blanks is None:
        return clues
    if clues is not None:
        raise SudokuError("clues and blanks say the same thing: give one of them")
    if blanks > board.n_cells:
        raise SudokuError(f"{blanks} blanks on {board.name}: it has {board.n_cells} cells")
    return board.n_cells - blanks


@dataclass(frozen=True, eq=False, repr=False)
class Generated:
    """A puzzle that an attempt led to.

    Attributes:
        puzzle: the puzzle.
        solutions: how many it has, proved.
        solution: the grid that it was cut out of.
        attempt: the number of the attempt, from 1.
        reached: whether it is as wanted.
        minimal: whether no given (with a symmetry, no group of givens) can go without adding solutions.
        uniform: whether each solution of the board was as likely to be the one that its attempt started from.
        rating: the figure that was aimed at; None where none was, or it is not known.

    >>> from sudoku_encode import generate
    >>> next(generate("4x4", clues=6, seed=1)).clues
    6
    """

    puzzle: Puzzle
    solutions: int
    solution: Grids
    attempt: int
    reached: bool
    minimal: bool
    uniform: bool = False
    rating: float | None = None

    def __repr__(self) -> str:
        """Return the puzzle and whether it is as wanted on one short line."""
        return f"Generated({self.puzzle!r}, {self.solutions} solutions, reached={self.reached})"

    @property
    def clues(self) -> int:
        """How many givens there are."""
        return int(np.count_nonzero(self.puzzle.givens))


def _is_sum(number: int, sizes: Iterable[int]) -> bool:
    """Say whether some of the sizes add up to a number."""
    sums = 1
    for size in sizes:
        sums |= sums << size
    return bool(sums >> number & 1)


def puzzles(
    board: Geometry,
    wanted: Wanted,
    seed: int = 0,
    many: int = 1,
    attempts: int = 100,
    method: str = "sat",
    seconds: float | None = None,
    grid: Grids | None = None,
    first: int = 1,
    ranked: Ranked | None = None,
) -> Iterator[Generated | None]:
    """Yield puzzles, each cut out of its own solution; puzzle i of a seed is the same for any number of puzzles.

    It depends on the random numbers and on proofs alone, not on the solver, with one exception: a question that is too
    hard to decide (on 9x9x9 with few clues) ends an attempt at a minimal puzzle, and in other attempts a given stays.

    Args:
        board: the board.
        wanted: what the puzzles should be.
        seed: of everything that is random, from 0 to 2**32 - 1.
        many: the number of the last.
        attempts: how often to try for each, on a new solution each time.
        method: `sat`, or `keck2022` for Keck's generator.
        seconds: for each puzzle.
        grid: cut all of them out of this solution, (n_cells,).
        first: the number of the first; those before it are left out.
        ranked: all solutions of the board by rank, where they are to be uniform.

    Yields:
        Each puzzle as wanted; where no attempt reached that, the nearest: first by solutions, then by whether it is
        minimal, where it should be, then by clues. None, and no more, when the board has no solution.

    Raises:
        MethodError: there can be no such puzzle, or the grid is no solution; at once, before the first puzzle.
        Stopped: a puzzle's time is over; no more follow.
    """
    wanted.check(board, method)
    if grid is not None:
        if wanted.kind != "usual":
            raise MethodError(f"kind {wanted.kind} has no effect where the full grid is given")
        if wanted.uniform:
            raise MethodError("no solution is drawn uniformly where the full grid is given")
        _check_solution(board, grid)
    return _Generator(board, wanted, method, grid, ranked).puzzles(seed, range(first, many + 1), attempts, seconds)


def _check_solution(board: Geometry, grid: Grids) -> None:
    blanks = np.flatnonzero(grid == 0)
    if len(blanks):
        first = board.cell_name(int(blanks[0]))
        raise MethodError(f"puzzles are cut out of a full grid, and this one has {len(blanks)} blanks, first {first}")
    if fault := next(violations(Puzzle.of(board), grid), ""):
        raise MethodError(f"puzzles are cut out of a solution, and this grid is none: {fault}")


@dataclass(frozen=True, eq=False)
class _Generator:
    """Generates puzzles of one kind; see the arguments of `puzzles`."""

    board: Geometry
    wanted: Wanted
    method: str
    grid: Grids | None
    ranked: Ranked | None

    def puzzles(self, seed: int, numbers: range, attempts: int, seconds: float | None) -> Iterator[Generated | None]:
        if self.board.oversized_unit:
            yield None
            return
        with IncrementalSolver(encode(Puzzle.of(self.board), reduction="none"), grids.SOLVER) as solver:
            for number in numbers:
                deadline, best = Limits(seconds=seconds).start(), None
                for attempt in range(1, attempts + 1):
                    generated = self._attempt(solver, RandomState([seed, number, attempt]), attempt, deadline)
                    if generated is None:
                        yield None
                        return
                    generated = self._rated(generated, deadline)
                    best = generated if best is None else min(best, generated, key=self._distance)
                    if generated.reached:
                        break
                yield best

    def _distance(self, generated: Generated) -> tuple[bool, int, bool, int, float]:
        """Return how far a puzzle is from what was wanted, what matters most first."""
        wanted = self.wanted
        unproved = wanted.must_be_minimal and not generated.minimal
        solutions, clues = abs(generated.solutions - wanted.solutions), abs(generated.clues - (wanted.clues or 0))
        return not generated.reached, solutions, unproved, clues, self._off(generated)

    def _rated(self, generated: Generated, deadline: Deadline) -> Generated:
        """Return a puzzle with the figure that is aimed at; outside the range it is not as wanted."""
        aim = self.wanted.aim
        if aim is None or not generated.reached:
            return generated
        emit(Progress(f"attempt {generated.attempt}: its rating"))
        rating = aim.measure(generated.puzzle, deadline)
        reached = rating is not None and aim.low <= rating <= aim.high
        return replace(generated, rating=rating, reached=reached)

    def _off(self, generated: Generated) -> float:
        """Return how far the figure of a puzzle is from the range that is aimed at."""
        aim = self.wanted.aim
        if aim is None:
            return 0.0
        if generated.rating is None:
            return math.inf
        return max(0.0, aim.low - generated.rating, generated.rating - aim.high)

    def _attempt(
        self, solver: IncrementalSolver, rng: RandomState, attempt: int, deadline: Deadline
    ) -> Generated | None:
        def progress(step: str) -> None:
            emit(Progress(f"attempt {attempt}: {step}"))

        progress("a solution")
        wanted, minimal = self.wanted, self.wanted.must_be_minimal
        grid = self._solution(solver, rng, deadline) if self.grid is None else self.grid
        if grid is None:
            return None
        if self.method == "keck2022":
            puzzle = keck2022.puzzle(grid, self.board, 0 if minimal else wanted.clues or 0, rng, deadline)
            reached = wanted.clues in (None, np.count_nonzero(puzzle.givens))
            return Generated(puzzle, 1, grid, attempt, reached, minimal)
        digger = Digger(solver, grid, shuffled_orbits(self.board, wanted.symmetry, rng), wanted.solutions, deadline)
        if wanted.solutions > 1:
            digger.multiply(rng, progress)
        solutions = len(digger.solutions)
        proved = digger.thin(None if minimal else wanted.clues, progress) if solutions == wanted.solutions else False
        clues = len(digger.clues)
        reached = solutions == wanted.solutions and wanted.clues in (None, clues) and (proved or not minimal)
        return Generated(digger.puzzle, solutions, grid, attempt, reached, minimal and proved, wanted.uniform)

    def _solution(self, solver: IncrementalSolver, rng: RandomState, deadline: Deadline) -> Grids | None:
        if self.method == "keck2022":
            return keck2022.solution(self.board, rng, deadline)
        if self.ranked is not None:
            seed = [int(word) for word in rng.randint(0, 2**32, size=8, dtype=np.uint32)]
            return drawn(self.ranked, 1, seed, deadline)[0] if self.ranked.total else None
        # To prove that no given can go takes minutes on most refilled cubes, seconds on many that are only shuffled.
        refill = self.board.has_rows_and_columns or not self.wanted.must_be_minimal
        if self.wanted.kind != "usual":
            return cubes.solution(self.board, self.wanted.kind, rng, deadline, cubes.ROUNDS if refill else 0)
        return grids.solution(solver, rng, deadline, grids.REFILLING_ROUNDS if refill else 0)
