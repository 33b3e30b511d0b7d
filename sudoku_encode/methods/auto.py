"""`auto`: the method that fits the puzzle, by its board and by what the first moments of search show.

`search` finishes most puzzles within a second, and lists and counts millions of solutions a second. Where a puzzle has
few solutions that are hard to find, as cubes and large boards with few givens have, a SAT solver learns what a search
only repeats. Where it has more than anybody lists, `frontier` counts without listing.

`search` is compiled, which takes seconds, once on a machine. Where that has not been done, a SAT solver has the first
turn, so that only what it does not finish soon waits for the compiler. Where nothing can be compiled it does all.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import cache

import numpy as np

from sudoku_encode import frontier, methods, search
from sudoku_encode.errors import Stopped
from sudoku_encode.methods import bulk
from sudoku_encode.methods.table import frontier_bytes
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels, result
from sudoku_encode.run.child import apart
from sudoku_encode.run.result import Budget, Count
from sudoku_encode.search.bitboard9 import is_plain

Say = Callable[[str], None]

# How long search is tried first, in seconds. On the plain 9x9 board nothing is as fast; elsewhere, what it does not do
# soon, a SAT solver often does in less than that.
_FIRST_PLAIN, _FIRST = 1.0, 0.25
_PROBES = 1000
# So many solutions, by an estimate, are counted by going on searching: a quarter of a minute.
_SEARCHABLE = 5e7
# So few, by an estimate, that a SAT solver will have them first.
_FEW = 100
# Up to so many blocking clauses do no harm.
_BLOCKABLE = 20_000
# How long a SAT solver may try a puzzle before anything is compiled for it, and how long all puzzles of this process
# together, in seconds: about as long as compiling takes.
_TURN_SECONDS, _ALL_TURNS_SECONDS = 2.0, 6.0


def count(puzzle: Puzzle, budget: Budget, options: "methods.Options", say: Say, watch: Say) -> Count:
    """Count the solutions of a puzzle by the method that fits it.

    Args:
        puzzle: any.
        budget: how far it may go.
        options: for the SAT solver, where it comes to that.
        say: told which method is used and why, and what is estimated meanwhile.
        watch: told how far it is.
    """
    if budget.limit is not None or search.refuses(puzzle.geometry) or puzzle.geometry.clique:
        return result.count(methods.solutions(puzzle, methods.AUTO, budget, options, say))
    if missing := search.missing(puzzle.geometry):
        found = _count_before_compiling(puzzle, budget, options, say, missing)
        if found is not None:
            return found
    first = _first(puzzle)
    early = methods.count(puzzle, "search", Budget.of(None, min(first, budget.seconds_left), budget.memory), options)
    if _ended(early, budget):
        say(f"search, which ended within {_in_words(first)}" if early.complete else "search")
        return early
    try:
        guess = search.estimate(puzzle, _PROBES, 0, budget.check_time)
    except Stopped as reason:
        return Count(0, False, str(reason))
    about = (
        f"there are about {guess.solutions:.3g} solutions (give or take {guess.solutions_error:.2g}) by random probes"
    )
    if not guess.solutions:
        about = f"none of {_PROBES} random probes came to a solution"
    if guess.solutions <= _FEW and not is_plain(puzzle.geometry):
        say(f"sat, since {about}")
        found = result.count(_by_sat(puzzle, replace(budget, limit=_BLOCKABLE), options))
        if _ended(found, budget):
            return found
        say(f"sat gave up ({found.stopped})")
    if guess.solutions <= _SEARCHABLE and guess.nodes <= _SEARCHABLE:
        say(f"search on {bulk.cores()} cores, since {about}")
        return result.until_stopped(lambda: bulk.count(puzzle, budget.check_time, watch))
    if not frontier.refuses(puzzle.geometry):
        say(f"frontier, since {about}")
        found = result.until_stopped(lambda: frontier.count(puzzle, budget.check_time, frontier_bytes(budget), watch))
        if _ended(found, budget):
            return found
        say(f"frontier gave up ({found.stopped})")
    if guess.solutions <= _BLOCKABLE:
        say(f"sat, since {about}")
        return result.count(_by_sat(puzzle, budget, options))
    say(f"search on {bulk.cores()} cores, since {about}")
    return result.until_stopped(lambda: bulk.count(puzzle, budget.check_time, watch))


def _count_before_compiling(
    puzzle: Puzzle, budget: Budget, options: "methods.Options", say: Say, missing: str
) -> Count | None:
    """Count with a SAT solver since search is `missing`; None where that does not do and search can be compiled."""
    found = result.count(_sat_turn(puzzle, budget, _BLOCKABLE))
    if _ended(found, budget):
        say(_instead(missing) if found.complete else "sat")
        return found
    if reason := kernels.unavailable():
        say(f"sat, since nothing can be compiled here: {reason}")
        return result.count(_by_sat(puzzle, budget, options))
    return None


def solutions(
    puzzle: Puzzle, budget: Budget, options: "methods.Options", say: Say, repeatable: bool
) -> Iterator[Grids]:
    """Yield all solutions in batches: by `search`, or by `sat` where search finds none soon, or cannot be.

    Args:
        puzzle: any.
        budget: how far it may go.
        options: for the SAT solver, where it comes to that.
        say: told which method is used and why.
        repeatable: whether the order should not depend on what is compiled.

    Raises:
        Stopped: the limit or the deadline of the budget was reached.
    """
    if search.refuses(puzzle.geometry):
        say(f"sat, since search refuses: {search.refuses(puzzle.geometry)}")
        yield from _by_sat(puzzle, budget, options)
        return
    if missing := search.missing(puzzle.geometry):
        # Of a single solution there is only one order.
        batches, complete = _collected(_sat_turn(puzzle, budget, 2 if repeatable else budget.limit or _BLOCKABLE))
        if repeatable and not complete:
            batches = []
        enough = complete or sum(map(len, batches)) == budget.limit
        if enough or budget.seconds_left <= 0:
            say(_instead(missing) if enough else "sat")
            yield from result.checked(puzzle, batches, budget)
            budget.check_time()
            return
        if reason := kernels.unavailable():
            say(f"sat, since nothing can be compiled here: {reason}")
            yield from _by_sat(puzzle, budget, options)
            return
    yield from _by_search(puzzle, budget, options, say)


def _by_search(puzzle: Puzzle, budget: Budget, options: "methods.Options", say: Say) -> Iterator[Grids]:
    """Yield all solutions by `search`, or by `sat` where that finds none soon."""
    found = 0
    first = _first(puzzle)
    turn = time.monotonic() + first

    def tick() -> None:
        budget.check_time()
        if not found and time.monotonic() >= turn:
            raise _Nothing

    try:
        for batch in result.checked(puzzle, search.solutions(puzzle, tick), budget):
            if not found:
                say("search")
            found += len(batch)
            yield batch
        if not found:
            say("search")
    except _Nothing:
        say(f"sat, since {_in_words(first)} of search found no solution")
        yield from _by_sat(puzzle, budget, options)


def _by_sat(puzzle: Puzzle, budget: Budget, options: "methods.Options") -> Iterator[Grids]:
    """Yield what `sat` finds in a process of its own: should a solver end its process, that is no answer.

    Raises:
        Stopped: the limit or the deadline of the budget was reached, or the process died.
    """

    def work(send: Callable[[Grids], None]) -> None:
        for batch in methods.solutions(puzzle, "sat", budget, options):
            send(batch)

    return apart(work, lambda: None)


@dataclass
class _Turns:
    """How long SAT solvers may go on to have the first turn in this process, in seconds."""

    left: float = _ALL_TURNS_SECONDS


_turns = _Turns()


def _sat_turn(puzzle: Puzzle, budget: Budget, most: int) -> Iterator[Grids]:
    """Yield what a SAT solver finds in its turn, and at most so many solutions.

    Always PySAT's default solver: not every one can be stopped.

    Raises:
        Stopped: it had its turn, or there is none left for it; or there are more solutions.
    """
    board = puzzle.geometry
    if _turns.left <= 0 or board.n_cells * board.n_values > bulk.LOADABLE:
        raise Stopped("time limit")
    begun = time.monotonic()
    turn = Budget.of(min(most, _BLOCKABLE), min(_TURN_SECONDS, budget.seconds_left), budget.memory)
    try:
        yield from _by_sat(puzzle, turn, methods.Options())
    finally:
        _turns.left -= time.monotonic() - begun


def _collected(batches: Iterator[Grids]) -> tuple[list[Grids], bool]:
    """Return some batches, and whether they are all that there are."""
    found = []
    try:
        for batch in batches:
            found.append(batch)
    except (Stopped, MemoryError):
        return found, False
    return found, True


def _instead(reason: str) -> str:
    return f"sat, which ended within {_TURN_SECONDS:.0f} seconds, instead of search: {reason}"


class _Nothing(Exception):
    """Search found nothing so far."""


def load() -> None:
    """Load search, as far as it is compiled."""
    search.missing(boards.board("9x9"))


def _first(puzzle: Puzzle) -> float:
    """Return how long search is tried first; it is loaded before that."""
    plain = is_plain(puzzle.geometry)
    _load_search(plain)
    return _FIRST_PLAIN if plain else _FIRST


@cache
def _load_search(plain: bool) -> None:
    """Compile search or load what is compiled, once: that may take longer than search is tried."""
    clash = Puzzle.of(boards.board("9x9"), np.ones(81, np.uint8))
    search.count(clash if plain else Puzzle.of(boards.board("2x2")), lambda: None)


def _in_words(seconds: float) -> str:
    return "a second" if seconds == 1 else "a quarter of a second"


def _ended(found: Count, budget: Budget) -> bool:
    """Say whether nothing more is to be tried."""
    return found.complete or found.stopped == "interrupted" or budget.seconds_left <= 0
