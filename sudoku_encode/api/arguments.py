"""Checks of what callers give to the public functions, by the annotations of these: a wrong type is one clear error."""

from collections.abc import Callable, Iterable
from functools import partial, wraps
from inspect import signature
from types import NoneType, UnionType
from typing import Any, ParamSpec, TypeVar, Union, get_args, get_origin

import numpy as np

from sudoku_encode.errors import GeometryError, MethodError, short, whole_number
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.run.limits import Limits

P = ParamSpec("P")
R = TypeVar("R")

# What to write for a value of each type that annotations may name.
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


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return a public function that checks the types of its arguments first; numpy's integers become Python's.

    Annotations with types that are not in the table, such as `PuzzleLike`, are left to the function, and so is the
    method, of which `calls.find` lists the names.
    """
    parameters = signature(function).parameters
    checks = {name: check for name, one in parameters.items() if (check := _check(name, one.annotation)) is not None}
    in_order = [checks.get(name) for name in parameters]

    @wraps(function)
    def calling(*positional: P.args, **named: P.kwargs) -> R:
        """Check the arguments, and call the function."""
        given: Any = [*positional]
        for place, check in zip(range(len(given)), in_order, strict=False):
            given[place] = given[place] if check is None else check(given[place])
        others: Any = {name: checks[name](value) if name in checks else value for name, value in named.items()}
        return function(*given, **others)

    return calling


def _check(name: str, annotation: Any) -> Callable[[Any], Any] | None:
    """Return the function that checks a parameter and returns its argument; None where another type may be given."""
    if name == "method":
        return None
    members = get_args(annotation) if get_origin(annotation) in (Union, UnionType) else (annotation,)
    kinds = {member if member in _EXPECTED else get_origin(member) for member in members}
    return partial(_checked, name, frozenset(kinds)) if kinds <= set(_EXPECTED) else None


def _checked(name: str, kinds: frozenset[Any], value: Any) -> Any:
    """Return an argument that is of one of some kinds.

    Args:
        name: of the parameter.
        kinds: keys of _EXPECTED.
        value: the argument.

    Raises:
        MethodError: it is of another type.
        GeometryError: the same, of a board.
    """
    if int in kinds and (number := whole_number(value, -(1 << 63))) is not None:
        return number
    if bool in kinds and isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, tuple(kinds - {bool, int, Iterable, Iterable[str]})):
        return value
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        # An iterator can be read once only.
        items = value if Iterable in kinds else tuple(value)
        if Iterable in kinds or (Iterable[str] in kinds and all(isinstance(item, str) for item in items)):
            return items
    expected = " or ".join(text for kind, text in _EXPECTED.items() if kind in kinds)
    error = GeometryError if Geometry in kinds else MethodError
    raise error(f"{name}={short(repr(value))}: expected {expected}")
