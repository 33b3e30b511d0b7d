"""Whether a puzzle has one solution, several or none, and what a setter wants to know then."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sudoku_encode.errors import StoppedError, SudokuError, short
from sudoku_encode.methods import asking, calls
from sudoku_encode.methods.asking import Numbered
from sudoku_encode.methods.returned import wrong_found, wrong_grids
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.questions.completions import extra_givens, extra_givens_of_listed
from sudoku_encode.questions.conflicts import clash
from sudoku_encode.questions.givens import with_givens_of
from sudoku_encode.questions.redundant import Redundant, SubPuzzle, redundant, sub_puzzle
from sudoku_encode.questions.redundant_constraints import RedundantConstraints, redundant_constraints
from sudoku_encode.questions.subsets import Subset
from sudoku_encode.run.counting import Count
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, Found, emit
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import ONE, Pool

# How long all solutions are counted; and how long each other detail is looked for, where there is no time limit.
COUNT_SECONDS, DETAIL_SECONDS = 1.0, 10.0
_METHOD = "auto"
# Up to this many solutions are listed to find extra givens.
_MAX_LISTED = 1000
_NO_CONSTRAINTS = RedundantConstraints()


@dataclass(frozen=True, eq=False, repr=False)
class Unique:
    """A puzzle has one solution.

    Attributes:
        puzzle: the puzzle.
        solution: uint8 (n_cells,).
        redundant: the cells whose given can go, each by itself.
        undecided: the cells whose given may be able to go: that was not known in time.
        sub_puzzle: with the same solution and no given to spare, where that was asked for.
        constraints: those that can go, each by itself, and those of which that was not known in time.

    >>> import sudoku_encode as se
    >>> found = se.check("1234341221434...", board="4x4")
    >>> len(found.redundant), found.minimal
    (13, False)
    """

    puzzle: Puzzle
    solution: Grids
    redundant: tuple[int, ...]
    undecided: tuple[int, ...] = ()
    sub_puzzle: SubPuzzle | None = None
    constraints: RedundantConstraints = _NO_CONSTRAINTS

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    def __repr__(self) -> str:
        """Return the board and how many givens can go on one short line."""
        return f"Unique({_board(self.puzzle)}, {len(self.redundant)} givens can go)"

    @property
    def minimal(self) -> bool | None:
        """Whether no given can go; None where that is not known."""
        return Redundant(self.redundant, self.undecided).minimal


@dataclass(frozen=True, eq=False, repr=False)
class Several:
    """A puzzle has more than one solution.

    Attributes:
        puzzle: the puzzle.
        first: a solution, uint8 (n_cells,).
        second: another.
        count: how many there are, as far as that was quick to know.
        wanted: the solution that the extra givens leave.
        extra: the cells which, given what `wanted` has there, make the puzzle unique.
        fewest: whether it is proved that fewer are not enough.

    >>> import sudoku_encode as se
    >>> found = se.check("1...............", board="4x4")
    >>> str(found.count), len(found.extra), found.fewest
    ('72', 3, True)
    """

    puzzle: Puzzle
    first: Grids
    second: Grids
    count: Count
    wanted: Grids
    extra: tuple[int, ...]
    fewest: bool

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    def __repr__(self) -> str:
        """Return the board, how many solutions there are and how many givens are missing on one short line."""
        return f"Several({_board(self.puzzle)}, {short(str(self.count), 30)} solutions, {len(self.extra)} extra givens)"

    @property
    def differing(self) -> tuple[int, ...]:
        """The cells in which the two solutions differ."""
        return tuple(np.flatnonzero(self.first != self.second).tolist())


@dataclass(frozen=True, eq=False, repr=False)
class NoSolution:
    """A puzzle has no solution.

    Attributes:
        puzzle: with the clashing givens alone; it has no solution either.
        clash: the cells of givens that leave no solution together; none where the board itself leaves none.
        irreducible: whether it is proved that without any one of them there is a solution.
        smallest: whether it is proved that no fewer givens clash.

    >>> import sudoku_encode as se
    >>> found = se.check("11..............", board="4x4")
    >>> found.clash, found.smallest
    ((0, 1), True)
    """

    puzzle: Puzzle
    clash: tuple[int, ...]
    irreducible: bool
    smallest: bool

    def __post_init__(self) -> None:
        freeze_fields(self)

    def __repr__(self) -> str:
        """Return the board and how many givens clash on one short line."""
        return f"NoSolution({_board(self.puzzle)}, {len(self.clash)} givens clash)"


@dataclass(frozen=True, eq=False, repr=False)
class Unknown:
    """It is not known how many solutions a puzzle has.

    Attributes:
        why: what ended the search.
        solution: one that was found before, uint8 (n_cells,), or None.

    >>> import sudoku_encode as se
    >>> se.check("1...............", board="4x4", limits=se.Limits(seconds=0)).why
    'time limit'
    """

    why: str
    solution: Grids | None = None

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    def __repr__(self) -> str:
        """Return why it is not known on one short line."""
        return f"Unknown({short(self.why, 60)!r})"


def _board(puzzle: Puzzle) -> str:
    return repr(short(puzzle.geometry.name, 30))


Verdict = Unique | Several | NoSolution | Unknown


@dataclass(frozen=True)
class Wishes:
    """What is wanted besides.

    Attributes:
        seed: of a sub-puzzle without a given to spare, of a puzzle with one solution; None for no such puzzle.
        towards: the values, (n_cells,), of the solution that extra givens should leave; by default the first found.
    """

    seed: int | None = None
    towards: Grids | None = None


_NO_WISHES = Wishes()


def check(puzzle: Puzzle, deadline: Deadline, wishes: Wishes = _NO_WISHES) -> Verdict:
    """Say whether a puzzle has one solution, several or none, and what follows from it.

    Args:
        puzzle: the puzzle.
        deadline: when to stop; without one, each detail gets some seconds.
        wishes: what is wanted besides.

    Raises:
        SudokuError: the solution that is wanted is none.
    """
    if wishes.towards is not None and (fault := next(violations(puzzle, wishes.towards), "")):
        raise SudokuError(f"the wanted solution is no solution of the puzzle: {fault}")
    found: list[Grids] = []
    try:
        for batch in calls.solutions(puzzle, _METHOD, replace(deadline, solutions=2)):
            found += list(batch)
    except StoppedError as reason:
        if len(found) < 2:
            return Unknown(str(reason), found[0] if found else None)
    # Where a detail takes so long that the process is ended, this is not lost.
    emit(Found(np.array(found, np.uint8).reshape(len(found), puzzle.geometry.n_cells)))
    if not found:
        clashing = clash(puzzle, _for_detail(deadline))
        alone = with_givens_of(puzzle, clashing.cells)
        return NoSolution(alone, clashing.cells, clashing.irreducible, clashing.smallest)
    if len(found) == 1:
        return _unique(puzzle, found[0], deadline, wishes)
    return _several(puzzle, found, deadline, wishes)


def _without_details(puzzle: Puzzle, found: Grids, why: str, wishes: Wishes) -> Verdict:
    """Return what follows from the first solutions alone, at most two."""
    givens = tuple(np.flatnonzero(puzzle.givens).tolist())
    if not len(found):
        return NoSolution(puzzle, givens, False, False)
    if len(found) == 1:
        smaller = None if wishes.seed is None else SubPuzzle(puzzle, False, wishes.seed)
        return Unique(puzzle, found[0], (), givens, smaller, RedundantConstraints((), puzzle.constraints))
    wanted = found[0] if wishes.towards is None else wishes.towards
    return Several(puzzle, found[0], found[1], Count(2, False, why), wanted, tuple(puzzle.blanks.tolist()), False)


def _for_detail(deadline: Deadline) -> Deadline:
    return deadline if deadline.ends is not None else deadline.within(DETAIL_SECONDS)


def _unique(puzzle: Puzzle, solution: Grids, deadline: Deadline, wishes: Wishes) -> Unique:
    known = redundant(puzzle, solution, _for_detail(deadline))
    smaller = None
    if wishes.seed is not None:
        smaller = sub_puzzle(puzzle, solution, known, wishes.seed, _for_detail(deadline))
    constraints = redundant_constraints(puzzle, _for_detail(deadline))
    return Unique(puzzle, solution, known.cells, known.undecided, smaller, constraints)


def _several(puzzle: Puzzle, found: list[Grids], deadline: Deadline, wishes: Wishes) -> Several:
    wanted = found[0] if wishes.towards is None else wishes.towards
    count = calls.count(puzzle, _METHOD, deadline.within(COUNT_SECONDS))
    # Two are known, though counting may have been stopped before the first.
    count = count if count.complete or count.value > 2 else Count(2, False, count.stopped)
    extra = _extra(puzzle, wanted, count, _for_detail(deadline))
    return Several(puzzle, found[0], found[1], count, wanted, extra.cells, extra.smallest)


def _extra(puzzle: Puzzle, wanted: Grids, count: Count, deadline: Deadline) -> Subset:
    """Return extra givens: from all solutions where these are few, else by a solver."""
    if count.complete and count.value <= _MAX_LISTED:
        try:
            every = np.concatenate(list(calls.solutions(puzzle, _METHOD, deadline)))
            return extra_givens_of_listed(every, wanted, deadline)
        except StoppedError:
            # What is left of the time is none; but an answer of any size is known.
            pass
    return extra_givens(puzzle, wanted, deadline)


def check_each(
    puzzles: Iterable[Numbered], limits: Limits, wishes: Wishes = _NO_WISHES, pool: Pool = ONE
) -> Iterator[tuple[Numbered, Verdict, float]]:
    """Yield each puzzle with what `check` says, and the seconds that took; limits hold whatever a solver does.

    Args:
        puzzles: with their numbers.
        limits: of time and memory, for each puzzle.
        wishes: what is wanted besides.
        pool: where the work is done, and how many puzzles are worked on at a time.

    Raises:
        SudokuError: as `check`.
    """
    decided: dict[int, Grids] = {}

    def observe(item: Numbered, event: Event) -> None:
        if isinstance(event, Found):
            decided[item[0]] = event.grids
        else:
            emit(event)

    task = partial(one_by_one, partial(_answer, limits, wishes))
    prepare = partial(asking.warm_up_for, _METHOD) if limits.seconds is not None else None
    found: Iterator[tuple[Numbered, Verdict | StoppedError, float]]
    found = each(
        *(task, puzzles, limits),
        pool=pool,
        load=partial(asking.load_for_puzzle, _METHOD),
        prepare=prepare,
        on_event=observe,
        types=(Unique, Several, NoSolution, Unknown),
        usable=_wrong,
    )
    for item, verdict, seconds in found:
        grids = decided.pop(item[0], None)
        if isinstance(verdict, StoppedError):
            why = str(verdict)
            verdict = Unknown(why) if grids is None else _without_details(item[1], grids, why, wishes)  # noqa: PLW2901
        yield item, verdict, seconds


def _wrong(item: Numbered, answer: Verdict | StoppedError, events: Sequence[Event]) -> str:
    """Say what is wrong with a verdict: its solutions are checked, not that there are no others."""
    needed = {Unique: ("solution",), Several: ("first", "second", "wanted")}.get(type(answer), ())
    grids = [getattr(answer, name) for name in needed]
    if isinstance(answer, Unknown) and answer.solution is not None:
        grids.append(answer.solution)
    wrong = wrong_grids(*item, np.stack(grids)) if grids else ""
    if isinstance(answer, Unique | Several) and answer.puzzle != item[1]:
        wrong = wrong or f"the executor's answer for puzzle {item[0]} is that for another puzzle"
    return wrong or wrong_found(item, answer, events)


def _answer(limits: Limits, wishes: Wishes, item: Numbered) -> Verdict:
    return check(item[1], limits.start(), wishes)
