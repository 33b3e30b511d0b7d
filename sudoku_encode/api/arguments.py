"""The arguments of the public functions: their types are checked, and an executor is opened for the call."""

import re
import textwrap
from collections.abc import Callable, Collection, Generator, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from functools import partial, wraps
from inspect import Signature, signature
from types import GeneratorType, NoneType, UnionType
from typing import Any, ParamSpec, TypedDict, TypeVar, Union, cast, get_args, get_origin

import numpy as np

from sudoku_encode.errors import GeometryError, MethodError, StoppedError, SudokuError, short, whole_number
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, observing
from sudoku_encode.run.limits import Limits, in_bytes
from sudoku_encode.run.pools import ExecutorLike, Pool, local_pool, pool_of

P = ParamSpec("P")
R = TypeVar("R")
T = TypeVar("T")
OnEvent = Callable[[Event], None]

NO_LIMITS, NO_OPTIONS = Limits(), Options()


class LimitNames(TypedDict, total=False):
    """Limits by the names of the options of the command, in place of `limits`."""

    limit: int  # on solutions
    timeout: float  # in seconds
    memory: int | str  # in bytes, or as text such as "2G"


class RateNames(LimitNames, total=False):
    """Limits, and `figures`, by the names of the options of the command."""

    figure: str | Iterable[str]


class HintNames(LimitNames, total=False):
    """Limits, and `techniques`, by the names of the options of the command."""

    technique: str | Iterable[str]


class SampleNames(LimitNames, total=False):
    """Limits, and `many`, by the names of the options of the command."""

    number: int


class MethodNames(LimitNames, total=False):
    """Limits and options of a method by the names of the options of the command, in place of `limits` and `options`."""

    encoding: str  # a key of ENCODINGS, for a SAT solver
    reduce: str  # the `reduction` of `Options`
    amo: str
    sat_solver: str
    seed: int
    workers: int


# The field of `Limits` or `Options` that each name stands for.
_LIMIT_FIELDS = {"limit": "solutions", "timeout": "seconds", "memory": "memory"}
_OPTION_FIELDS = {"reduce": "reduction", **{name: name for name in ("amo", "sat_solver", "seed", "workers")}}

# Parameters that have another name than the option of the command.
_OTHER_NAMES = {"figure": "figures", "technique": "techniques", "number": "many", "reduce": "reduction"}

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

    The function itself checks parameters whose annotation contains other types, such as `PuzzleLike`, and names of
    methods, boards and encodings, for which it lists the choices. Its errors come without the frames of this package,
    and its signature has the annotations as they are written.
    """
    parameters = signature(function, eval_str=True).parameters
    checks = {
        name: check
        for name, parameter in parameters.items()
        if (check := _check_for(name, parameter.annotation)) is not None
    }
    in_order = [checks.get(name) for name in parameters]
    usual = {name: parameters[name].default for name in ("limits", "options", "method") if name in parameters}
    methods_at = list(parameters).index("method") if "method" in parameters else -1

    def checked(args: tuple[Any, ...], kwargs: dict[str, Any]) -> R:
        if not kwargs.keys() <= parameters.keys():
            given = {"method": args[methods_at]} if 0 <= methods_at < len(args) else {}
            kwargs = _without_names(function.__name__, parameters, {**usual, **given}, kwargs)
            if given and "method" in kwargs:
                args = (*args[:methods_at], kwargs.pop("method"), *args[methods_at + 1 :])
            if unknown := [name for name in kwargs if name not in parameters]:
                raise TypeError(f"{function.__name__}() got an unexpected keyword argument {unknown[0]!r}")
        positional = [*args]
        for index, check in zip(range(len(positional)), in_order, strict=False):
            positional[index] = positional[index] if check is None else check(positional[index])
        named = {name: checks[name](value) if name in checks else value for name, value in kwargs.items()}
        return function(*positional, **named)

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        """Check the arguments, and call the function."""
        try:
            answer = checked(args, kwargs)
        except (SudokuError, StoppedError) as error:
            raise error.with_traceback(None) from None
        return cast(R, short_errors_of(answer)) if isinstance(answer, GeneratorType) else answer

    call.__signature__ = _ReadableSignature.of(function)  # type: ignore[attr-defined]
    return call


def short_errors_of(items: Iterator[T]) -> Iterator[T]:
    """Yield items; the error that ends them comes without the frames of this package, which say nothing to a user."""
    try:
        yield from items
    except (SudokuError, StoppedError) as error:
        raise error.with_traceback(None) from None


class _ReadableSignature(Signature):
    """A signature in lines of 80 columns, with annotations as they are written: `help` of Python 3.11 prints it so."""

    @classmethod
    def of(cls, function: Callable[..., Any]) -> "_ReadableSignature":
        """Return the signature of a function of a module with `from __future__ import annotations`."""
        written = signature(function)
        parameters = [part.replace(annotation=_Annotation(part.annotation)) for part in written.parameters.values()]
        return cls(parameters, return_annotation=_Annotation(written.return_annotation))

    def __str__(self) -> str:
        """Return it in lines that break after commas and before the arrow."""
        words = re.sub("(?<!,) (?!->)", "\0", super().__str__())
        # The first line begins with the name of the function.
        lines = textwrap.wrap(words, 80, initial_indent=18 * " ", subsequent_indent=8 * " ", break_long_words=False)
        return "\n".join(lines).replace("\0", " ").lstrip()


class _Annotation(str):
    """An annotation as it is written, which is shown without quotes."""

    __slots__ = ()
    __repr__ = str.__str__


def _without_names(
    function: str, parameters: Collection[str], usual: dict[str, Any], given: Mapping[str, Any]
) -> dict[str, Any]:
    """Return keyword arguments with `limits`, `options` and `method` in place of the names that stand for them."""
    named = dict(given)
    for other, name in _OTHER_NAMES.items():
        if name in parameters and other in named and other not in parameters:
            if name in named:
                raise MethodError(f"{function}: {other}= is the same as {name}=; give it once")
            value = named.pop(other)
            named[name] = (value,) if isinstance(value, str) and name in ("figures", "techniques") else value
    for keyword, fields in (("limits", _LIMIT_FIELDS), ("options", _OPTION_FIELDS)):
        values = {fields[name]: named.pop(name) for name in fields.keys() & given.keys() if keyword in usual}
        if not values:
            continue
        if keyword in given and (twice := [name for name in values if getattr(given[keyword], name, None) is not None]):
            raise MethodError(f"{function}: {keyword}= has {twice[0]} too; give it once")
        if isinstance(values.get("memory"), str):
            values["memory"] = in_bytes(values["memory"])
        named[keyword] = replace(named.get(keyword, usual[keyword]), **values)
    if "encoding" in named and "options" in usual:
        encoding, method = named.pop("encoding"), named.get("method", usual["method"])
        if method not in ("auto", "sat", "allsat"):
            raise MethodError(
                f"encoding={short(repr(encoding))} has no effect on method {method}; expected method sat or allsat"
            )
        named["method"] = f"{'sat' if method == 'auto' else method}:{encoding}"
    return named


def _check_for(name: str, annotation: Any) -> Callable[[Any], Any] | None:
    """Return the function that checks an argument and returns it; None where the annotation contains other types."""
    if name in ("method", "name"):
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


def run_in_process(work: Callable[[], T], limits: Limits) -> T:
    """Run a function in its own process, if the platform allows one, and return the result."""
    ((_, result, _),) = each(partial(one_by_one, _call), [work], limits)
    if isinstance(result, StoppedError):
        raise result
    return result


def _call(work: Callable[[], T]) -> T:
    return work()
