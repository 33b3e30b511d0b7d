"""Generate puzzles by removing givens from random solutions; a seed always gives the same puzzles."""

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.random import RandomState

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import MethodError, plural
from sudoku_encode.frontier.ranks import RankedSolutions
from sudoku_encode.generating import cubes, families, grids, placing
from sudoku_encode.generating.digging import Digger
from sudoku_encode.generating.options import GenerateOptions, shuffled_orbits
from sudoku_encode.generating.ranking import draw_solutions
from sudoku_encode.papers import keck2022
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.solvers.sat import IncrementalSolver


@dataclass(frozen=True, eq=False, repr=False)
class GeneratedPuzzle:
    """A puzzle that an attempt led to, or an instance of a family.

    Attributes:
        puzzle: the puzzle.
        solutions: how many it has, proved; None for an instance with holes, which has at least one.
        solution: the grid that it was made from; the family `unsat` changes a given of it.
        attempt: the number of the attempt, from 1.
        reached: whether it meets all options.
        minimal: whether no given (with a symmetry, no group of givens) can go without adding solutions.
        uniform: whether every solution of the board was equally likely to be the start of the attempt.
        rating: the figure of the aim; None without an aim, or if it is not known.
        lacking: how many of the constraints to be placed found no place in the solution.
        proof: what proves that an instance of the family `unsat` has no solution.

    >>> from sudoku_encode import generate
    >>> next(generate("4x4", clues=6, seed=1)).clues
    6
    """

    puzzle: Puzzle
    solutions: int | None
    solution: Grids
    attempt: int
    reached: bool
    minimal: bool
    uniform: bool = False
    rating: float | None = None
    lacking: int = 0
    proof: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return the puzzle and whether it meets all options on one short line."""
        solutions = "some" if self.solutions is None else self.solutions
        return f"GeneratedPuzzle({self.puzzle!r}, {solutions} solutions, reached={self.reached})"

    @property
    def clues(self) -> int:
        """How many givens there are."""
        return int(np.count_nonzero(self.puzzle.givens))


# Makes a puzzle with the random numbers, the number of the attempt and the deadline; None if there is no solution.
_Attempt = Callable[[RandomState, int, Deadline], GeneratedPuzzle | None]


def puzzles(
    board: Geometry,
    options: GenerateOptions,
    seed: int = 0,
    many: int = 1,
    attempts: int = 100,
    method: str = "sat",
    seconds: float | None = None,
    grid: Grids | None = None,
    first: int = 1,
    ranked: RankedSolutions | None = None,
) -> Iterator[GeneratedPuzzle | None]:
    """Yield puzzles, each made from its own solution; puzzle i of a seed is the same for any number of puzzles.

    It depends only on the random numbers and on proofs, not on the solver, with one exception: a question that is too
    hard to decide (on 9x9x9 with few clues) ends an attempt at a minimal puzzle, and in other attempts the given stays.
    Each puzzle gets some seconds and attempts, each on a new solution; on that in `grid` if it is given, on one of
    `ranked` if solutions must be uniform. The method is `sat`, or `keck2022` for Keck's generator. Puzzles `first` to
    `many` are made.

    If no attempt succeeded, it is the nearest puzzle: first by solutions, then by whether it is minimal, if that is
    required, then by clues. If the board has no solution, it is None, and no more follow.

    Raises:
        MethodError: there is no such puzzle, or the grid is not a solution; at once, before the first puzzle.
        StoppedError: a puzzle's time is over; no more follow.
    """
    options.check(board, method)
    if grid is not None:
        if options.kind != "usual":
            raise MethodError(f"kind {options.kind} has no effect if the full grid is given")
        if options.uniform:
            raise MethodError("uniform has no effect if the full grid is given")
        _check_solution(Puzzle.of(board, constraints=options.constraints), grid)
    return _PuzzleMaker(board, options, method, grid, ranked).puzzles(seed, range(first, many + 1), attempts, seconds)


def _check_solution(puzzle: Puzzle, grid: Grids) -> None:
    board = puzzle.geometry
    blanks = np.flatnonzero(grid == 0)
    if len(blanks):
        first = board.cell_name(int(blanks[0]))
        raise MethodError(f"not a full grid: {len(blanks)} {plural('blank', len(blanks))}, the first at {first}")
    if fault := next(violations(puzzle, grid), ""):
        raise MethodError(f"the full grid is not a solution: {fault}")


@dataclass(frozen=True, eq=False)
class _PuzzleMaker:
    """Generates puzzles of one kind; see the arguments of `puzzles`."""

    board: Geometry
    options: GenerateOptions
    method: str
    grid: Grids | None
    ranked: RankedSolutions | None

    def puzzles(
        self, seed: int, numbers: range, attempts: int, seconds: float | None
    ) -> Iterator[GeneratedPuzzle | None]:
        if self.board.oversized_unit:
            yield None
            return
        if self.options.family is not None:
            yield from self._each(self._instance, seed, numbers, attempts, seconds)
            return
        with IncrementalSolver(encode(self._bare, reduction="none"), grids.SOLVER) as solver:
            yield from self._each(partial(self._attempt, solver), seed, numbers, attempts, seconds)

    @property
    def _bare(self) -> Puzzle:
        return Puzzle.of(self.board, constraints=self.options.constraints)

    def _each(
        self, make: _Attempt, seed: int, numbers: range, attempts: int, seconds: float | None
    ) -> Iterator[GeneratedPuzzle | None]:
        """Yield the puzzle of each number that an attempt reached, or the nearest one."""
        for number in numbers:
            deadline, best = Limits(seconds=seconds).start(), None
            for attempt in range(1, attempts + 1):
                generated = make(RandomState([seed, number, attempt]), attempt, deadline)
                if generated is None:
                    yield None
                    return
                generated = self._with_rating(generated, deadline)
                best = generated if best is None else min(best, generated, key=self._distance)
                if generated.reached:
                    break
            yield best

    def _distance(self, generated: GeneratedPuzzle) -> tuple[bool, int, bool, int, float]:
        """Return how far a puzzle is from the required properties, the most important first."""
        options = self.options
        unproved = options.must_be_minimal and not generated.minimal
        solutions = abs((generated.solutions or 0) - options.solutions)
        clues = abs(generated.clues - (options.clues or 0))
        return not generated.reached, solutions, unproved, clues + generated.lacking, self._distance_from_aim(generated)

    def _with_rating(self, generated: GeneratedPuzzle, deadline: Deadline) -> GeneratedPuzzle:
        """Return a puzzle with the figure of the aim; outside its range it is not `reached`."""
        aim = self.options.aim
        if aim is None or not generated.reached:
            return generated
        emit(Progress(f"attempt {generated.attempt}: its rating"))
        rating = aim.measure(generated.puzzle, deadline)
        reached = rating is not None and aim.low <= rating <= aim.high
        return replace(generated, rating=rating, reached=reached)

    def _distance_from_aim(self, generated: GeneratedPuzzle) -> float:
        """Return how far the figure of a puzzle is from the range of the aim."""
        aim = self.options.aim
        if aim is None:
            return 0.0
        if generated.rating is None:
            return math.inf
        return max(0.0, aim.low - generated.rating, generated.rating - aim.high)

    def _attempt(
        self, solver: IncrementalSolver, rng: RandomState, attempt: int, deadline: Deadline
    ) -> GeneratedPuzzle | None:
        emit(Progress(f"attempt {attempt}: a solution"))
        options, minimal = self.options, self.options.must_be_minimal
        grid = self._solution(solver, rng, deadline) if self.grid is None else self.grid
        if grid is None:
            return None
        if self.method == "keck2022":
            puzzle = keck2022.puzzle(grid, self.board, 0 if minimal else options.clues or 0, rng, deadline)
            reached = options.clues in (None, np.count_nonzero(puzzle.givens))
            return GeneratedPuzzle(puzzle, 1, grid, attempt, reached, minimal)
        if not options.placed:
            return self._remove_givens(solver, grid, rng, attempt, deadline)
        puzzle = self._with_placed(grid, rng)
        with IncrementalSolver(encode(puzzle, reduction="none"), grids.SOLVER) as with_more:
            generated = self._remove_givens(with_more, grid, rng, attempt, deadline)
        lacking = self._lacking(puzzle)
        return replace(generated, lacking=lacking, reached=generated.reached and not lacking)

    def _with_placed(self, grid: Grids, rng: RandomState) -> Puzzle:
        """Return the puzzle without givens, with constraints placed where the solution satisfies them."""
        more = placing.place_constraints(self.board, grid, self.options.placed, rng) if self.options.placed else ()
        return Puzzle.of(self.board, constraints=(*self.options.constraints, *more))

    def _lacking(self, puzzle: Puzzle) -> int:
        """Return how many constraints to be placed a puzzle lacks."""
        n_required = len(self.options.constraints) + sum(number for _, number in self.options.placed)
        return n_required - len(puzzle.constraints)

    def _instance(self, rng: RandomState, attempt: int, deadline: Deadline) -> GeneratedPuzzle | None:
        """Return an instance of the family, or None if the board has no solution."""
        emit(Progress(f"attempt {attempt}: a solution"))
        options = self.options
        if options.clues is None:
            return self._changed_unique(rng, attempt, deadline)
        grid = self._full_grid(rng, deadline) if self.grid is None else self.grid
        if grid is None:
            return None
        bare = self._with_placed(grid, rng)
        choose = families.balanced_holes if options.family == "balanced" else families.random_holes
        givens = grid.copy()
        givens[choose(self.board, self.board.n_cells - options.clues, rng)] = 0
        lacking = self._lacking(bare)
        puzzle = replace(bare, givens=givens)
        generated = GeneratedPuzzle(
            puzzle, None, grid, attempt, not lacking, minimal=False, uniform=options.uniform, lacking=lacking
        )
        return self._changed(generated, rng, deadline) if options.family == "unsat" else generated

    def _full_grid(self, rng: RandomState, deadline: Deadline) -> Grids | None:
        if self.ranked is not None:
            return self._drawn(self.ranked, rng, deadline)
        if self.options.kind != "usual":
            return cubes.solution(self.board, self.options.kind, rng, deadline, cubes.ROUNDS)
        return families.full_grid(self._bare, rng, deadline)

    def _changed_unique(self, rng: RandomState, attempt: int, deadline: Deadline) -> GeneratedPuzzle | None:
        """Return a puzzle with one solution after a change of a given that leaves none."""
        with IncrementalSolver(encode(self._bare, reduction="none"), grids.SOLVER) as solver:
            generated = self._attempt(solver, rng, attempt, deadline)
        return generated and self._changed(generated, rng, deadline)

    @staticmethod
    def _changed(generated: GeneratedPuzzle, rng: RandomState, deadline: Deadline) -> GeneratedPuzzle:
        """Return a puzzle after a change of a given that leaves no solution; not `reached` if no such change exists."""
        emit(Progress(f"attempt {generated.attempt}: a given that leaves no solution"))
        refuted = families.unsatisfiable_neighbour(generated.puzzle, rng, deadline)
        if refuted is None:
            return replace(generated, reached=False)
        changed = replace(generated, puzzle=refuted.puzzle, proof=refuted.proof, solutions=0)
        return replace(changed, minimal=False, reached=not generated.lacking)

    def _remove_givens(
        self, solver: IncrementalSolver, grid: Grids, rng: RandomState, attempt: int, deadline: Deadline
    ) -> GeneratedPuzzle:
        """Return the puzzle that remains when givens of a solution of the solver's puzzle are removed."""

        def progress(step: str) -> None:
            emit(Progress(f"attempt {attempt}: {step}"))

        options, minimal = self.options, self.options.must_be_minimal
        digger = Digger(solver, grid, shuffled_orbits(self.board, options.symmetry, rng), options.solutions, deadline)
        if options.solutions > 1:
            digger.multiply(rng, progress)
        solutions = len(digger.solutions)
        proved = (
            digger.remove_givens(None if minimal else options.clues, progress)
            if solutions == options.solutions
            else False
        )
        clues = len(digger.clues)
        reached = solutions == options.solutions and options.clues in (None, clues) and (proved or not minimal)
        return GeneratedPuzzle(digger.puzzle, solutions, grid, attempt, reached, minimal and proved, options.uniform)

    def _solution(self, solver: IncrementalSolver, rng: RandomState, deadline: Deadline) -> Grids | None:
        if self.method == "keck2022":
            return keck2022.solution(self.board, rng, deadline)
        if self.ranked is not None:
            return self._drawn(self.ranked, rng, deadline)
        # Proving that no given can go takes minutes on most refilled cubes, but seconds on many shuffled ones.
        refill = self.board.has_rows_and_columns or not self.options.must_be_minimal
        if self.options.kind != "usual":
            return cubes.solution(self.board, self.options.kind, rng, deadline, cubes.ROUNDS if refill else 0)
        return grids.solution(solver, rng, deadline, grids.REFILLING_ROUNDS if refill else 0)

    @staticmethod
    def _drawn(ranked: RankedSolutions, rng: RandomState, deadline: Deadline) -> Grids | None:
        """Return a solution, each with the same probability; None if no solution exists."""
        seed = [int(word) for word in rng.randint(0, 2**32, size=8, dtype=np.uint32)]
        return draw_solutions(ranked, 1, seed, deadline)[0] if ranked.total else None
