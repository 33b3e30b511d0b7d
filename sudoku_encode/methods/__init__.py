"""Run the methods of THE LIST, `table.METHODS`: the command line, the tests and every comparison go through it."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib import import_module
from itertools import chain, groupby, islice
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.table import REDUCTIONS
from sudoku_encode.errors import MethodError, Stopped
from sudoku_encode.methods.table import METHODS, Method, Options, Shown
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, check
from sudoku_encode.run import kernels, result
from sudoku_encode.run.result import Budget, Count, checked
from sudoku_encode.solvers import sat
from sudoku_encode.solvers.table import sat_solver

__all__ = [
    "AUTO", "METHODS", "Answer", "Method", "Options",
    "count", "estimate", "explain", "find", "first", "load", "solutions",
]  # fmt: skip

if TYPE_CHECKING:
    from sudoku_encode.solvers.approxmc import Estimate

# Picks one of the others; see `auto`.
AUTO = "auto"
# Neighbours in a batch share one solver where a board has at most so many variables; above, reducing first is faster.
_SMALL = 5_000
_CHUNK = 256

# Of a search for one solution: a grid (n_cells,), None when there is none, or what stopped the search.
Answer = Grids | Stopped | None


def find(name: str) -> Method:
    """Return the method of that name.

    Raises:
        MethodError: there is none.
    """
    if name not in METHODS:
        raise MethodError(f"no method is called {name!r}; choose from {', '.join(METHODS)}")
    return METHODS[name]


def load(method: str) -> None:
    """Load what a method takes long to load, so that a process made from this one need not.

    Raises:
        MethodError: there is no such method.
    """
    families = {"sat": "pysat.solvers", "cp-sat": "ortools.sat.python.cp_model"}
    if method == AUTO:
        from sudoku_encode.methods import auto

        auto.load()
    elif find(method).compiled:
        # It loads numba, if there is one.
        kernels.unavailable()
    family = "sat" if method == AUTO else find(method).family
    if family in families:
        import_module(families[family])


def _silent(what: str) -> None:
    pass


def solutions(
    puzzle: Puzzle,
    method: str = "sat",
    budget: Budget | None = None,
    options: Options | None = None,
    say: Callable[[str], None] = _silent,
    repeatable: bool = False,
) -> Iterator[Grids]:
    """Yield the solutions of a puzzle in batches (m, n_cells), each once, each checked against the rules.

    Ends by itself only when there are no more.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS, or AUTO.
        budget: how far it may go.
        options: see there.
        say: told which method AUTO takes, and why.
        repeatable: whether a later call should give the same order, though by then more may be compiled.

    Raises:
        Stopped: the limit or the deadline of the budget was reached.
        MethodError: the method cannot do this board.
        InternalError: a method returned a grid that is no solution.
    """
    budget, options = budget or Budget(), options or Options()
    chosen = None if method == AUTO else _fitting(puzzle, method, options)
    if puzzle.geometry.clique:
        # A unit with more cells than there are values is the whole proof; most solvers would never find it.
        return iter(())
    if chosen is None:
        from sudoku_encode.methods import auto

        return auto.solutions(puzzle, budget, options, say, repeatable)
    if chosen.run is None:
        raise MethodError(f"method {method} counts solutions and does not list them; choose another to list")
    return checked(puzzle, chosen.run(puzzle, budget, options), budget)


def count(
    puzzle: Puzzle,
    method: str = "sat",
    budget: Budget | None = None,
    options: Options | None = None,
    through: Callable[[Iterator[Grids]], Iterator[Grids]] = iter,
    say: Callable[[str], None] = _silent,
    watch: Callable[[str], None] = _silent,
) -> Count:
    """Count the solutions of a puzzle; a method that can do so does not list them, unless there is a limit.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS, or AUTO.
        budget: how far it may go.
        options: see there.
        through: what the batches go through on their way, where they are listed.
        say: told which method AUTO takes, and why.
        watch: told how far it is, where that is AUTO's.

    Raises:
        MethodError: the method cannot do this board.
        InternalError: a method returned a grid that is no solution.
    """
    budget, options = budget or Budget(), options or Options()
    if method == AUTO:
        from sudoku_encode.methods import auto

        return auto.count(puzzle, budget, options, say, watch)
    chosen = _fitting(puzzle, method, options)
    if chosen.estimate is not None:
        raise MethodError(f"method {method} estimates and does not count; see `estimate`")
    if chosen.count is None or puzzle.geometry.clique or (budget.limit is not None and chosen.run is not None):
        return result.count(through(solutions(puzzle, method, budget, options)))
    counting = partial(chosen.count, puzzle, budget)
    found = result.until_stopped(counting)
    if budget.limit is not None and found.value >= budget.limit:
        return Count(budget.limit, False, f"limit of {budget.limit}")
    return found


def estimate(puzzle: Puzzle, method: str, budget: Budget | None = None) -> "Estimate":
    """Return about how many solutions a puzzle has.

    Raises:
        MethodError: the method does not estimate, cannot do this board, or its package is not installed.
        Stopped: the deadline of the budget was reached.
    """
    chosen = _fitting(puzzle, method, Options())
    if chosen.estimate is None:
        raise MethodError(f"method {method} does not estimate")
    return chosen.estimate(puzzle, (budget or Budget()).check_time)


def _fitting(puzzle: Puzzle, method: str, options: Options) -> Method:
    """Return the method if it can do the puzzle's board as the options say."""
    chosen = find(method)
    if chosen.compiled:
        kernels.need(method)
    if options.reduction not in (None, *REDUCTIONS):
        raise MethodError(f"no reduction is called {options.reduction!r}; choose from {', '.join(REDUCTIONS)}")
    if reason := chosen.refuses(puzzle.geometry):
        raise MethodError(f"method {method} does not fit {puzzle.geometry.name}: {reason}")
    return chosen


def explain(puzzle: Puzzle, method: str, budget: Budget, form: str = "text") -> Iterator[str]:
    """Yield lines that show a method at work on a puzzle.

    Args:
        puzzle: the puzzle.
        method: a key of METHODS.
        budget: its deadline holds.
        form: `text`, or a key of the method's drawings.

    Raises:
        MethodError: the method cannot show it, not in this form, or cannot do this board.
        Stopped: the deadline of the budget was reached.
    """
    show = _shown(find(method), form)
    if show is None:
        able = ", ".join(name for name, one in METHODS.items() if _shown(one, form))
        what = "does not show its working" if form == "text" else f"is not shown as {form}"
        raise MethodError(f"method {method} {what}; these can: {able}")
    _fitting(puzzle, method, Options())
    return show(puzzle, budget.check_time)


def _shown(method: Method, form: str) -> Shown | None:
    return method.explain if form == "text" else method.drawings.get(form)


def first(
    puzzles: Iterable[Puzzle], method: str = "sat", seconds: float | None = None, options: Options | None = None
) -> Iterator[Answer]:
    """Yield for each puzzle a solution (n_cells,), None where it has none, or what stopped the search.

    With the method `sat`, neighbours on one board share one incremental solver.

    Args:
        puzzles: of any boards.
        method: a key of METHODS.
        seconds: for each puzzle.
        options: see there.
    """
    options = options or Options()
    plain = method == "sat" and options == Options(sat_solver=options.sat_solver)
    for key, group in groupby(puzzles, key=_batch_key):
        head, rest = _first_two(group)
        if plain and key and len(head) == 2 and sat_solver(options.sat_solver).answers_again:
            yield from _first_incremental(rest, seconds, options.sat_solver)
        else:
            yield from (_first_alone(puzzle, method, seconds, options) for puzzle in rest)


def _first_two(puzzles: Iterable[Puzzle]) -> tuple[list[Puzzle], Iterator[Puzzle]]:
    """Return the first two puzzles, as far as there are so many, and all of them."""
    remaining = iter(puzzles)
    head = list(islice(remaining, 2))
    return head, chain(head, remaining)


def _batch_key(puzzle: Puzzle) -> Geometry | None:
    """Return what puzzles must share (the very same board) to be solved by one solver; None where it would not pay."""
    board = puzzle.geometry
    if puzzle.pencilmarks is not None or board.clique or board.n_cells * board.n_values > _SMALL:
        return None
    return board


def _first_incremental(puzzles: Iterator[Puzzle], seconds: float | None, solver: str) -> Iterator[Answer]:
    """Solve puzzles of one board: the empty board's encoding is loaded once, givens are assumptions."""
    chunk = list(islice(puzzles, _CHUNK))
    empty = Puzzle.of(chunk[0].geometry)
    with sat.IncrementalSolver(encode(empty, reduction="none"), solver) as incremental:
        while chunk:
            givens = np.stack([puzzle.givens for puzzle in chunk])
            grids, answers = incremental.first(givens, seconds)
            solved = [row for row, answer in enumerate(answers) if answer]
            check(empty, grids[solved], givens[solved])
            yield from (
                grid if answer else Stopped("time limit") if answer is None else None
                for grid, answer in zip(grids, answers, strict=True)
            )
            chunk = list(islice(puzzles, _CHUNK))


def _first_alone(puzzle: Puzzle, method: str, seconds: float | None, options: Options) -> Answer:
    try:
        # A limit of 1 lets a method stop there; having found one is then no incomplete answer.
        for batch in solutions(puzzle, method, Budget.of(1, seconds), options):
            return np.asarray(batch[0])
    except Stopped as reason:
        return reason
    return None
