"""How far a piece of work may go: `Limits` as a user states them, and `Deadline`, the same with its time running."""

import math
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real

from sudoku_encode.errors import TIME_LIMIT, MethodError, StoppedError, repr_of_fields, short, whole_number

# `setrlimit` takes no number of 63 bits, nor do counters; and to wait for more seconds overflows.
MAX_SOLUTIONS = MAX_MEMORY_BYTES = (1 << 62) - 1
MAX_SECONDS = 1e9
# More processes at a time than these are a slip of the pen.
MAX_PROCESSES = 1000
_UNITS = {"solutions": "solutions", "memory": "bytes of memory"}


@dataclass(frozen=True, repr=False)
class Limits:
    """How far a piece of work may go.

    Attributes:
        solutions: stop at this number of solutions, at least 1.
        seconds: how long it may take.
        memory: how many bytes it may add to what the program takes. It holds on Linux.

    Raises:
        MethodError: a limit that nothing can keep to.

    >>> Limits(solutions=2, seconds=10)
    Limits(solutions=2, seconds=10)
    """

    solutions: int | None = None
    seconds: float | None = None
    memory: int | None = None

    def __post_init__(self) -> None:
        for name, most in (("solutions", MAX_SOLUTIONS), ("memory", MAX_MEMORY_BYTES)):
            value = getattr(self, name)
            number = None if value is None else whole_number(value, 1, most)
            if value is not None and number is None:
                raise MethodError(f"a limit of {_text(value)} {_UNITS[name]}; it must be a whole number, at least 1")
            object.__setattr__(self, name, number)
        if self.seconds is not None:
            object.__setattr__(self, "seconds", _seconds(self.seconds))

    def __repr__(self) -> str:
        """Return the limits that there are."""
        return repr_of_fields(self)

    def without_solutions(self, what: str) -> "Limits":
        """Return the limits, for a function that takes no limit on solutions.

        Raises:
            MethodError: there is a limit on solutions.
        """
        if self.solutions is not None:
            raise MethodError(f"{what} takes no limit on solutions, only on seconds and memory")
        return self

    @property
    def need_a_process(self) -> bool:
        """Whether they hold only for a process of its own, which can be ended and whose memory can be limited."""
        return self.seconds is not None or self.memory is not None

    def start(self) -> "Deadline":
        """Return the same limits, with the time that runs from now."""
        ends = None if self.seconds is None else time.monotonic() + self.seconds
        return Deadline(self.solutions, ends, self.memory)


_UNIT_BYTES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def in_bytes(memory: str) -> int:
    """Return the number of bytes in a text such as 500M or 2G.

    Raises:
        MethodError: not a size.
    """
    number, unit = (memory[:-1], memory[-1].upper()) if memory[-1:].upper() in _UNIT_BYTES else (memory, "")
    size = int(number) * _UNIT_BYTES.get(unit, 1) if re.fullmatch("[0-9]{1,19}", number) else 0
    # Below a megabyte the unit was probably forgotten; setrlimit needs less than 2^62.
    if not 1 << 20 <= size < 1 << 62:
        raise MethodError(f"memory {short(memory)}: expected a number of bytes, at least a million, such as 500M or 2G")
    return size


def _seconds(value: float) -> float:
    """Return a limit of seconds as Python's own number."""
    # It is false for NaN too.
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= value <= MAX_SECONDS:
        raise MethodError(f"a limit of {_text(value)} seconds; it must be from 0 to {MAX_SECONDS:.0e}")
    return value if type(value) in (int, float) else float(value)


def _text(value: object) -> str:
    return short(str(value))


@dataclass(frozen=True)
class Deadline:
    """Limits whose time is running. A method calls it again and again; it raises StoppedError when the time is over.

    Attributes:
        solutions: stop at this number of solutions.
        ends: the time of `time.monotonic` at which the work must stop.
        memory: how many bytes may be added to what the process has; for methods that size their tables by it.
        conflicts: how many conflicts a SAT solver may have, or fewer in a large formula; other methods have none.
    """

    solutions: int | None = None
    ends: float | None = None
    memory: int | None = None
    conflicts: int | None = None

    def __call__(self) -> None:
        """Raise StoppedError when the time is over."""
        if self.ends is not None and time.monotonic() >= self.ends:
            raise StoppedError(TIME_LIMIT)

    @property
    def seconds_left(self) -> float:
        """Seconds until the end, infinite without one, never below 0."""
        return math.inf if self.ends is None else max(0.0, self.ends - time.monotonic())

    def within(self, seconds: float, solutions: int | None = None) -> "Deadline":
        """Return the deadline of a part of the work: after some seconds, or with this deadline where that is sooner."""
        return Limits(solutions, min(seconds, self.seconds_left), self.memory).start()


@dataclass(frozen=True)
class WatchingDeadline(Deadline):
    """A deadline that looks at other work each time it is called.

    Attributes:
        look: called after the time was checked; its error ends the work.
    """

    look: Callable[[], None] = lambda: None

    @staticmethod
    def of(deadline: Deadline, look: Callable[[], None]) -> "WatchingDeadline":
        """Return the same limits, which also look."""
        return WatchingDeadline(deadline.solutions, deadline.ends, deadline.memory, deadline.conflicts, look)

    def __call__(self) -> None:
        """Raise StoppedError when the time is over, or an error of the other work."""
        super().__call__()
        self.look()
