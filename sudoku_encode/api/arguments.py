"""The arguments of the public functions: their types are checked, and an executor is opened for the call."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import partial, wraps
from inspect import signature
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from sudoku_encode.errors import GeometryError, MethodError, short, whole_number
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.run.events import Event, observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ExecutorLike, Pool, local_pool, pool_of

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
OnEvent = Callable[[Event], None]

NO_LIMITS, NO_OPTIONS = Limits(), Options()

# The types that annotations may contain, with the advice for an argument of another type.
_EXPECTED: dict[Any, str] = {
    bool: "True or False",
    int: "a whole number",
    str: "text",
    Geometry: "a board like board('9x9')",
    Limits: "limits like Limits(seconds=10)",
    Options: "options like Options(seed=1)",
    Iterable[str]: "a list of texts",
    Iterable: "a list",
    Callable: "a function",
    NoneType: "None",
}


def check_arguments(function: Callable[P, R]) -> Callable[P, R]:
    """Return a public function that first checks the types of its arguments; numpy's integers become Python's.

    The function itself checks parameters whose annotation contains other types, such as `PuzzleLike`, and the method,
    for which `calls.find` lists the names.
    """
    parameters = signature(function).parameters
    checks = {
        name: check
        for name, parameter in parameters.items()
        if (check := _check_for(name, parameter.annotation)) is not None
    }
    in_order = [checks.get(name) for name in parameters]

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        """Check the arguments, and call the function."""
        positional: Any = [*args]
        for index, check in zip(range(len(positional)), in_order, strict=False):
            positional[index] = positional[index] if check is None else check(positional[index])
        named: Any = {name: checks[name](value) if name in checks else value for name, value in kwargs.items()}
        return function(*positional, **named)

    return call


def _check_for(name: str, annotation: Any) -> Callable[[Any], Any] | None:
    """Return the function that checks an argument and returns it; None where the annotation contains other types."""
    if name == "method":
        return None
    members = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    kinds = {member if member in _EXPECTED else get_origin(member) for member in members}
    return partial(_require_kind, name, frozenset(kinds)) if kinds <= set(_EXPECTED) else None


def _require_kind(name: str, kinds: frozenset[Any], value: Any) -> Any:
    """Return an argument whose type is among `kinds`, keys of _EXPECTED, or raise MethodError or GeometryError."""
    if int in kinds and (number := whole_number(value, -(1 << 63))) is not None:
        return number
    if bool in kinds and isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, tuple(kinds - {bool, int, Iterable, Iterable[str]})):
        return value
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        # An iterator can be read only once.
        items = value if Iterable in kinds else tuple(value)
        if Iterable in kinds or (Iterable[str] in kinds and all(isinstance(item, str) for item in items)):
            return items
    expected = " or ".join(text for kind, text in _EXPECTED.items() if kind in kinds)
    error = GeometryError if Geometry in kinds else MethodError
    raise error(f"{name}={short(repr(value))}: expected {expected}")


# Where a call runs, and who observes it.


@contextmanager
def open_pool(executor: "ExecutorLike | None", processes: int = 1) -> Generator[Pool]:
    """Yield a pool, by default of processes on this machine; the caller's own executor stays open afterwards.

    Raises:
        SudokuError: not an executor.
    """
    if executor is None:
        yield local_pool(processes)
        return
    pool = pool_of(executor)
    try:
        yield pool
    finally:
        if pool is not executor:
            pool.close()


def iterate_on(executor: "ExecutorLike | None", work: Callable[[Pool], Iterator[T]], processes: int = 1) -> Iterator[T]:
    """Return an iterator over the results of `work`, whose pool is open while you iterate.

    Raises:
        SudokuError: not an executor; raised at once.
    """
    if executor is not None:
        pool_of(executor)

    def results() -> Iterator[T]:
        with open_pool(executor, processes) as pool:
            yield from work(pool)

    return results()


def observing_if(on_event: OnEvent | None) -> AbstractContextManager[object]:
    """Return a context in which `on_event`, if given, is called with each event."""
    return nullcontext() if on_event is None else observing(on_event)
