"""Events of work in progress, and their observers; events can be sent from process to process.

Code that works calls `emit` and does not know who observes. The caller of some work observes with `observing`. Events
of a child process (see `child`) reach the observer of the process that waits for it.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_encode.puzzles.step import Step

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Grids

T = TypeVar("T")


@dataclass(frozen=True)
class MethodChosen:
    """A method was chosen by `auto`.

    Attributes:
        method: its name.
        why: in a few words, or empty where it is the usual choice.
        details: its solver and encoding, or empty.

    >>> str(MethodChosen("sat", "since search refuses", "cadical195, encoding extended"))
    'sat (cadical195, encoding extended), since search refuses'
    """

    method: str
    why: str = ""
    details: str = ""

    @property
    def is_solver(self) -> bool:
        """Whether it is a SAT solver, so that the last `SolverFigures` are of the method that answered."""
        return self.method.startswith("sat")

    def __str__(self) -> str:
        """Return the method and why it was chosen, for a person to read."""
        details = f" ({self.details})" if self.details else ""
        return f"{self.method}{details}{', ' if self.why else ''}{self.why}"


@dataclass(frozen=True)
class SolutionEstimate:
    """The number of solutions was estimated, by random probes of the search tree.

    Attributes:
        solutions: the estimate; infinite above the largest float.
        error: its standard error; likewise.
        log10: the decimal logarithm of an estimate above the largest float, else None.

    >>> str(SolutionEstimate(3214567890.0, 21000000.0))
    '3.21e+09 solutions (give or take 2.1e+07)'
    >>> str(SolutionEstimate(float("inf"), float("inf"), 450.3))
    '10^450 solutions'
    """

    solutions: float
    error: float
    log10: float | None = None

    def __str__(self) -> str:
        """Return the estimate and its error, for a person to read."""
        if self.log10 is not None:
            return f"10^{self.log10:.0f} solutions"
        return f"{self.solutions:.3g} solutions (give or take {self.error:.2g})"


@dataclass(frozen=True)
class Progress:
    """How far the work is.

    Attributes:
        text: in a few words, for a person.
        found: how many different solutions the whole puzzle has at least, where that is known; else 0.

    >>> Progress.of_solutions(1234).text
    '1,234 solutions so far ...'
    """

    text: str
    found: int = 0

    @staticmethod
    def of_solutions(n_solutions: int, before: str = "") -> "Progress":
        """Return the progress of a method that has found some solutions, after what else there is to say."""
        return Progress(f"{before}{n_solutions:,} solutions so far ...", n_solutions)

    def after(self, earlier: "Progress") -> "Progress":
        """Return the progress that stands for both: this text, and the larger number of solutions.

        >>> Progress("the tables are joined ...").after(Progress.of_solutions(5)).found
        5
        """
        return replace(self, found=max(self.found, earlier.found))


@dataclass(frozen=True, eq=False)
class SolutionsFound:
    """Some solutions, of a method that lists them."""

    grids: "Grids"  # (m, n_cells)


@dataclass(frozen=True)
class Remark:
    """A sentence for the user, such as that compiled code cannot be kept. It changes no answer.

    >>> with observing(lambda event: print(event.text)):
    ...     emit(Remark("the disk is full"))
    the disk is full
    """

    text: str


@dataclass(frozen=True)
class Compiling:
    """A function begins to be compiled, or that has ended: once on a machine, which takes seconds."""

    busy: bool
    seconds: float = 0.0  # how long this process has compiled, in the one event that says that it takes long


@dataclass(frozen=True)
class SolverFigures:
    """How much a SAT or CP solver has worked on a puzzle so far; the last such event of a method has the totals.

    Attributes:
        solver: its name.
        variables: of the model that it got, after the reduction.
        clauses: of that model; constraints of a CP model.
        conflicts: how many there were; None where the solver does not report them, as for the next three.
        decisions: how many there were.
        propagations: how many literals were propagated.
        restarts: how many there were.
        solver_seconds: the time inside the solver alone, without making the model.

    >>> figures = SolverFigures("cadical195", 729, 8829, 12, 40, 2310, 0, 0.0021)
    >>> str(figures)
    'cadical195: 729 variables, 8,829 clauses, 12 conflicts, 40 decisions, 2,310 propagations, 0 restarts, 0.0021 s'
    """

    solver: str
    variables: int
    clauses: int
    conflicts: int | None
    decisions: int | None
    propagations: int | None
    restarts: int | None
    solver_seconds: float

    def after(self, earlier: "SolverFigures") -> "SolverFigures":
        """Return the figures of two solvers on parts of the same puzzle: the work together, the size of the first."""

        def total(now: int | None, before: int | None) -> int | None:
            return None if now is None or before is None else now + before

        return replace(
            earlier,
            conflicts=total(self.conflicts, earlier.conflicts),
            decisions=total(self.decisions, earlier.decisions),
            propagations=total(self.propagations, earlier.propagations),
            restarts=total(self.restarts, earlier.restarts),
            solver_seconds=self.solver_seconds + earlier.solver_seconds,
        )

    @property
    def fields(self) -> dict[str, Any]:
        """The figures by name, for records."""
        return asdict(self) | {"solver_seconds": round(self.solver_seconds, 6)}

    def __str__(self) -> str:
        """Return the figures on one line, for a person to read."""
        names = ("variables", "clauses", "conflicts", "decisions", "propagations", "restarts")
        numbers = [f"{value:,} {name}" for name in names if (value := getattr(self, name)) is not None]
        return f"{self.solver}: {', '.join(numbers)}, {self.solver_seconds:.2g} s"


Event = MethodChosen | SolutionEstimate | Progress | SolutionsFound | Step | Remark | Compiling | SolverFigures
"""The value passed to an observer, such as the `on_event` of `count`.

>>> from sudoku_encode import count
>>> events: list[Event] = []
>>> count("1...............", board="4x4", on_event=events.append)
Count(value=72, complete=True, stopped='')
>>> any(isinstance(event, MethodChosen) for event in events)
True
"""
Observer = Callable[[Event], None]


def ignore(event: Event) -> None:
    """Observe nothing."""


_observer: ContextVar[Observer] = ContextVar("observer", default=ignore)


def emit(event: Event) -> None:
    """Pass an event to the observer of this thread, if there is one."""
    _observer.get()(event)


@contextmanager
def observing(observer: Observer) -> Iterator[None]:
    """Observe events meanwhile; events that the observer emits itself, to pass them on, go to the previous observer."""
    before = _observer.get()

    def observe(event: Event) -> None:
        inner = _observer.set(before)
        try:
            observer(event)
        finally:
            _observer.reset(inner)

    token = _observer.set(observe)
    try:
        yield
    finally:
        _observer.reset(token)


def observed(items: Iterator[T], observer: Observer) -> Iterator[T]:
    """Yield some items; the observer gets what is emitted while an item is computed, not what is between two items."""
    while True:
        with observing(observer):
            try:
                item = next(items)
            except StopIteration:
                return
        yield item
