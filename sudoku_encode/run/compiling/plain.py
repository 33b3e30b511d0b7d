"""Stand-ins for the compiler on machines without numba: functions stay Python."""

from collections.abc import Callable, Mapping
from types import ModuleType
from typing import ParamSpec, TypeVar

_P = ParamSpec("_P")
_R = TypeVar("_R")


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Return the function."""
    return function


compiled_with_arrays = subroutine = subroutine_with_arrays = inlined = compiled


def by_length(choices: Mapping[int, Callable[..., _R]]) -> Callable[..., _R]:
    """Return a function that calls the one for the length of its first argument, with the others."""
    return lambda counted, *others: choices[len(counted)](*others)


def compiled_module(module: ModuleType, used: object = None) -> ModuleType:
    """Return the module."""
    return module


def is_compiled(function: Callable[..., object], arguments: tuple[object, ...] = ()) -> bool:
    """Return False: nothing is compiled."""
    return False


def lowest(mask: int) -> int:
    """Return the number of the lowest bit that is set."""
    return int(mask & -mask).bit_length() - 1


def bit_count(mask: int) -> int:
    """Return how many bits are set."""
    return int(mask).bit_count()
