"""`auto`: the method that fits the puzzle, by its board and by what the first moments of search show.

`search` finishes most puzzles within a second, and lists and counts millions of solutions a second. Where a puzzle has
few solutions that are hard to find, as cubes and large boards with few givens have, a SAT solver learns what a search
only repeats. Where it has more than anybody lists, `frontier` counts without listing.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache

from sudoku_encode import boards, frontier, methods, result, search
from sudoku_encode.apart import apart
from sudoku_encode.errors import Stopped
from sudoku_encode.methods import bulk
from sudoku_encode.methods.table import frontier_bytes
from sudoku_encode.puzzle import Grids, Puzzle
from sudoku_encode.result import Budget, Count
from sudoku_encode.search.bands import is_plain

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


def solutions(puzzle: Puzzle, budget: Budget, options: "methods.Options", say: Say) -> Iterator[Grids]:
    """Yield all solutions in batches: by `search`, or by `sat` where search finds none soon, or cannot be.

    Raises:
        Stopped: the limit or the deadline of the budget was reached.
    """
    if search.refuses(puzzle.geometry):
        say(f"sat, since search refuses: {search.refuses(puzzle.geometry)}")
        yield from _by_sat(puzzle, budget, options)
        return
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


class _Nothing(Exception):
    """Search found nothing so far."""


def _first(puzzle: Puzzle) -> float:
    """Return how long search is tried first; it is loaded before that."""
    if is_plain(puzzle.geometry):
        return _FIRST_PLAIN
    _load_search()
    return _FIRST


@cache
def _load_search() -> None:
    """Load what search has compiled, once: that may take as long as search is tried."""
    search.count(Puzzle.of(boards.board("2x2")), lambda: None)


def _in_words(seconds: float) -> str:
    return "a second" if seconds == 1 else "a quarter of a second"


def _ended(found: Count, budget: Budget) -> bool:
    """Say whether nothing more is to be tried."""
    return found.complete or found.stopped == "interrupted" or budget.seconds_left <= 0
