"""How inner loops are compiled: modules called `*_kernel`, imported where they are used."""

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

from llvmlite import ir
from numba import njit, types
from numba.core import event
from numba.extending import intrinsic

from sudoku_encode import hooks

_P = ParamSpec("_P")
_R = TypeVar("_R")


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function when it is first called, which takes seconds, and keep the result on disk."""
    return cast("Callable[_P, _R]", njit(cache=True)(function))


def compiled_without_gil(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function that lets other threads run meanwhile; what it is given must not change under it."""
    return cast("Callable[_P, _R]", njit(cache=True, nogil=True)(function))


def inlined(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function into each of its callers: for the small ones of an inner loop."""
    return cast("Callable[_P, _R]", njit(cache=True, forceinline=True)(function))


class _Listener(event.Listener):
    """Passes on when compiling begins and ends; compiling a function compiles those that it calls."""

    def __init__(self) -> None:
        self.depth = 0

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            hooks.compiling(True)

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if not self.depth:
            hooks.compiling(False)


event.register("numba:compile", _Listener())  # type: ignore[no-untyped-call]


def _zeros_below(typing: Any, mask: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generated


def _ones(typing: Any, mask: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generated


# One machine instruction each; for use in compiled functions only.
lowest = cast("Callable[[int], int]", intrinsic(_zeros_below))
ones = cast("Callable[[int], int]", intrinsic(_ones))
