"""Compilation by numba: once on a machine, by one process at a time, kept on disk."""

from collections.abc import Callable
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, ParamSpec, TypeVar, cast

from llvmlite import ir
from numba import njit, types
from numba.core import event, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic

from sudoku_encode.run.compiling.kept import Kept
from sudoku_encode.run.compiling.lock import alone
from sudoku_encode.run.events import Compiling, emit

_P = ParamSpec("_P")
_R = TypeVar("_R")


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function when it is first called, which takes seconds, and keep the result on disk."""
    return _compiled_once(function)


def compiled_without_gil(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function that lets other threads run meanwhile; what it is given must not change under it."""
    return _compiled_once(function, nogil=True)


def inlined(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function into each of its callers: for the small ones of an inner loop."""
    return _compiled_once(function, forceinline=True)


def whole(module: ModuleType) -> Any:
    """Return something like a module, with all its functions compiled: for one that may run as Python too."""
    names = dict(vars(module))
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ == module.__name__:
            # Its globals are these, so that what it calls is compiled too.
            names[name] = compiled(FunctionType(function.__code__, names, name, function.__defaults__))
    return SimpleNamespace(**names)


def ready(function: Callable[..., object]) -> bool:
    """Say whether a compiled function can be called without waiting for the compiler: it has been, here or on disk."""
    dispatcher = cast(Any, function)
    return bool(dispatcher.overloads) or dispatcher._cache.holds(dispatcher.targetctx.codegen())


def _compiled_once(function: Callable[_P, _R], **options: bool) -> Callable[_P, _R]:
    dispatcher: Any = cast(Any, njit)(**options)(function)
    kept = Kept(function)
    compile_now = dispatcher.compile

    def compile_alone(signature: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        # numba's lock first: a thread that waits for the other lock with this one held could wait for itself.
        with global_compiler_lock:
            if tuple(arguments) in dispatcher.overloads or kept.holds(dispatcher.targetctx.codegen(), signature):
                return compile_now(signature)
            with alone(kept.lock):
                # Looks on disk first: another process may have compiled it meanwhile.
                return compile_now(signature)

    dispatcher._cache = kept
    dispatcher.compile = compile_alone
    return cast("Callable[_P, _R]", dispatcher)


class _Listener(event.Listener):
    """Passes on when compiling begins and ends; compiling a function compiles those that it calls."""

    def __init__(self) -> None:
        self.depth = 0

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            emit(Compiling(busy=True))

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if not self.depth:
            emit(Compiling(busy=False))


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
