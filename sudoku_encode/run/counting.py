"""How many solutions there are, and when that is complete.

A method yields its solutions in batches, each once. It ends by itself only when it has proved that there are no more;
what stops it before that raises `StoppedError`. So `complete` always means that it is proved.
"""

import operator
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from numbers import Integral, Number
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import (
    INTERRUPTED,
    OUT_OF_MEMORY,
    FormatError,
    IncompleteError,
    InternalError,
    StoppedError,
    plural,
    short,
    solution_limit,
    whole_number,
)
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.run.events import Event, Progress, SolutionEstimate, SolutionsFound, emit, observing

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle

# The `stopped` of a count that takes long and that its caller must continue in parts.
CONTINUE_IN_PARTS = "it takes long, and is done in parts"


def _binary(operation: Callable[[Any, Any], Any]) -> "Callable[[Count, object], Any]":
    """Return a method of `Count` that puts the exact number before the other operand."""

    def method(self: "Count", other: object) -> Any:
        return operation(self.exact, _number(other)) if isinstance(other, (Count, Number)) else NotImplemented

    return method


def _reflected(operation: Callable[[Any, Any], Any]) -> "Callable[[Count, object], Any]":
    """Return a method of `Count` that puts the exact number after the other operand."""
    return _binary(lambda exact, other: operation(other, exact))


def _number(operand: object) -> object:
    """Return an operand as Python's own number, so that no sum with one of numpy's is cut off at 64 bits."""
    if isinstance(operand, Count):
        return operand.exact
    if isinstance(operand, Integral):
        return int(operand)
    return float(operand) if isinstance(operand, float) else operand


@dataclass(frozen=True, eq=False, repr=False)
class Count:
    """How many solutions there are.

    A complete count is used like its number: compared, added, divided, formatted, and as a truth value. One that is not
    complete is not a number: then all of that raises IncompleteError, and `value` says how many were found.

    Attributes:
        value: how many were found.
        complete: whether it is proved that there are no more. Then there are exactly `value`, else at least.
        stopped: what ended the search, where it is not complete.
        estimate: about how many solutions there are, where it is not complete and was estimated; its `solutions` and
            its standard `error`. It is not compared.

    Raises:
        FormatError: `value` is not a whole number from 0, `complete` not a truth value, or `stopped` not text.

    >>> str(Count(7, True)), str(Count(2, False, "limit of 2")), str(Count(0, False, "time limit"))
    ('7', 'at least 2', 'not known')
    >>> str(Count(5, False, "time limit", SolutionEstimate(3.2e9, 2.1e7)))
    'at least 5; estimated about 3.2e+09 solutions (give or take 2.1e+07)'
    >>> Count(7, True) == 7, Count(7, True) > 10, f"{Count(7000, True):,}", sum([Count(7, True), Count(8, True)])
    (True, False, '7,000', 15)
    >>> Count(2, False, "limit of 2") == 2
    Traceback (most recent call last):
    sudoku_encode.errors.IncompleteError: the count is not complete: at least 2 solutions (limit of 2); use .value
    """

    value: int
    complete: bool
    stopped: str = ""
    estimate: SolutionEstimate | None = None

    _repr_html_ = shown_as_html

    def __post_init__(self) -> None:
        value = whole_number(self.value, 0)
        if value is None:
            raise FormatError(f"a count of {short(repr(self.value))}; expected a whole number, at least 0")
        if not isinstance(self.complete, bool) or not isinstance(self.stopped, str):
            wrong = f"complete={short(repr(self.complete))} and stopped={short(repr(self.stopped))}"
            raise FormatError(f"a count with {wrong}; expected a truth value and text")
        object.__setattr__(self, "value", value)

    @property
    def exact(self) -> int:
        """The number of solutions.

        Raises:
            IncompleteError: it is not known.
        """
        if not self.complete:
            why = f" ({short(self.stopped, 60)})" if self.stopped else ""
            raise IncompleteError(
                f"the count is not complete: at least {self.value} {plural('solution', self.value)}{why}; use .value"
            )
        return self.value

    def __index__(self) -> int:
        """Return the number of solutions; see `exact`."""
        return self.exact

    def __int__(self) -> int:
        """Return the number of solutions; see `exact`."""
        return self.exact

    def __bool__(self) -> bool:
        """Check whether there is a solution; see `exact`."""
        return self.exact != 0

    def __eq__(self, other: object) -> bool:
        """Compare with a number by `exact`; with another count by values if both are complete, else by all fields."""
        if isinstance(other, Count):
            same = (self.value, self.complete) == (other.value, other.complete)
            return same and (self.complete or self.stopped == other.stopped)
        return bool(self.exact == _number(other)) if isinstance(other, Number) else NotImplemented

    def __hash__(self) -> int:
        """Hash the number if it is exact, so that equal ones have the same hash; else all fields."""
        return hash(self.value) if self.complete else hash((self.value, self.stopped))

    __lt__, __le__ = _binary(operator.lt), _binary(operator.le)
    __gt__, __ge__ = _binary(operator.gt), _binary(operator.ge)
    __add__, __radd__ = _binary(operator.add), _reflected(operator.add)
    __sub__, __rsub__ = _binary(operator.sub), _reflected(operator.sub)
    __mul__, __rmul__ = _binary(operator.mul), _reflected(operator.mul)
    __truediv__, __rtruediv__ = _binary(operator.truediv), _reflected(operator.truediv)
    __floordiv__, __rfloordiv__ = _binary(operator.floordiv), _reflected(operator.floordiv)
    __mod__, __rmod__ = _binary(operator.mod), _reflected(operator.mod)
    __divmod__, __rdivmod__ = _binary(divmod), _reflected(divmod)
    __pow__, __rpow__ = _binary(operator.pow), _reflected(operator.pow)

    def __trunc__(self) -> int:
        """Return the number; see `exact`."""
        return self.exact

    def __pos__(self) -> int:
        """Return the number; see `exact`."""
        return self.exact

    def __neg__(self) -> int:
        """Return minus the number; see `exact`."""
        return -self.exact

    def __abs__(self) -> int:
        """Return the number; see `exact`."""
        return self.exact

    def __round__(self, digits: int | None = None) -> int:
        """Return the number, rounded as Python rounds it; see `exact`."""
        return round(self.exact, digits)

    def __format__(self, form: str) -> str:
        """Return the number in a format of whole numbers; or `str` of the count in one of text, such as `>12`."""
        if form.endswith("s") or not form:
            return format(str(self), form)
        if not self.complete and not form[-1].isalpha() and not set(form) & set(".,_%+"):
            # A width alone cuts nothing off.
            return format(str(self), form)
        return format(self.exact, form)

    def __repr__(self) -> str:
        """Return the fields on one short line."""
        return f"Count(value={self.value}, complete={self.complete}, stopped={short(self.stopped, 30)!r})"

    def __str__(self) -> str:
        """Return the number as far as it is known: `7`, `at least 2`, or `not known` where no solution was found."""
        if self.complete:
            return str(self.value)
        floor = f"at least {self.value}" if self.value else "not known"
        return f"{floor}; estimated about {self.estimate}" if self.estimate else floor


@dataclass
class Floor:
    """How many solutions a puzzle has at least, by the progress of all that worked on it one after the other."""

    # The largest number that was reported. Numbers are never added: two methods find the same solutions.
    value: int = 0
    estimate: SolutionEstimate | None = None

    def note(self, event: Event) -> None:
        """Take an event into account."""
        if isinstance(event, Progress):
            self.value = max(self.value, event.found)
        elif isinstance(event, SolutionEstimate):
            self.estimate = event

    def note_listed(self, event: Event) -> None:
        """Take an event into account where solutions are listed: what was counted besides is not in the list."""
        if isinstance(event, SolutionsFound):
            self.value += len(event.grids)

    def under(self, counted: Count) -> Count:
        """Return a count that is not below what was reported before, with its estimate; a complete count as it is."""
        if counted.complete:
            return counted
        value, estimate = max(counted.value, self.value), counted.estimate or self.estimate
        # Probes may miss most solutions: an estimate below the floor would say nothing.
        return replace(counted, value=value, estimate=estimate if estimate and estimate.solutions > value else None)


def checked(puzzle: "Puzzle", batches: "Iterable[Grids]", limit: int | None) -> "Iterator[Grids]":
    """Yield the batches of a method up to a number of solutions, each checked against the rules first; see `of_grid`.

    Raises:
        StoppedError: the limit is reached, whether or not there are more; or the method stopped.
        InternalError: a grid is not a solution, or the method tried to end the program.
    """
    from sudoku_encode.puzzles.puzzle import check

    def check_each() -> "Iterator[Grids]":
        for batch in batches:
            check(puzzle if batch.shape[1] == puzzle.geometry.n_cells else puzzle.extended, batch)
            yield batch

    n_solutions = 0
    try:
        for batch in of_grid(puzzle, check_each()):
            within = batch if limit is None else batch[: limit - n_solutions]
            n_solutions += len(within)
            if len(within):
                yield within
            if n_solutions == limit:
                raise StoppedError(solution_limit(n_solutions))
    except SystemExit as error:
        raise _exit_error(error) from error


def of_grid(puzzle: "Puzzle", batches: "Iterable[Grids]") -> "Iterator[Grids]":
    """Yield batches without the values of hidden cells: a grid that comes again with others there is left out."""
    n_cells, seen = puzzle.geometry.n_cells, set[bytes]()
    for batch in batches:
        has_hidden = batch.ndim == 2 and batch.shape[1] > n_cells and puzzle.constraints
        yield new_grids(batch, n_cells, seen)[:, :n_cells] if has_hidden else batch


def new_grids(grids: "Grids", n_cells: int, seen: set[bytes]) -> "Grids":
    """Return the rows whose first cells were not seen before, each of these once, and add them to those seen."""
    new = {key: row for row, grid in enumerate(grids) if (key := grid[:n_cells].tobytes()) not in seen}
    seen.update(new)
    return grids[list(new.values())]


def _exit_error(error: SystemExit) -> InternalError:
    """Return the error to raise for a library's `sys.exit`: status 0 would pass for the end of a complete search."""
    return InternalError(f"a library tried to end the program with status {error.code}")


def count_or_stopped(counting: "Callable[[], int | Count]") -> Count:
    """Count the solutions; where that is stopped, by Ctrl-C too, the count is the largest that was reported meanwhile.

    `counting` returns the number of solutions, all of them, or a `Count`, which may be incomplete; its `Progress` says
    how many there are at least.

    Raises:
        InternalError: the method tried to end the program; or it says that there are fewer than were reported.
    """
    floor = Floor()

    def observe(event: Event) -> None:
        floor.note(event)
        emit(event)

    try:
        with observing(observe):
            counted = counting()
        result = counted if isinstance(counted, Count) else Count(counted, True)
    except SystemExit as error:
        raise _exit_error(error) from error
    except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
        result = Count(0, False, stop_reason(reason))
    if result.complete and result.value < floor.value:
        raise InternalError(f"found {floor.value} solutions, but then counted {result.value} in all")
    return floor.under(result)


def tally(batches: "Iterable[Grids]") -> Count:
    """Count the solutions in some batches; what stops them, Ctrl-C included, makes the count incomplete.

    How many there are so far is emitted as `Progress`.
    """
    value = 0
    try:
        for batch in batches:
            value += len(batch)
            emit(Progress.of_solutions(value))
    except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
        return Count(value, False, stop_reason(reason))
    return Count(value, True)


def stop_reason(reason: BaseException) -> str:
    """Return the reason why some work was stopped: a limit, Ctrl-C, or no more memory."""
    if isinstance(reason, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(reason, MemoryError):
        return OUT_OF_MEMORY
    return reason.reason if isinstance(reason, StoppedError) else str(reason)
