"""How inner loops are compiled: modules called `*_kernel`, imported where they are used."""

from collections.abc import Callable
from typing import ParamSpec, TypeVar, cast

from numba import njit

_P = ParamSpec("_P")
_R = TypeVar("_R")


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function when it is first called, which takes seconds, and keep the result on disk."""
    return cast("Callable[_P, _R]", njit(cache=True)(function))
