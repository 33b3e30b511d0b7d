"""Compilation by numba: once on a machine, by one process at a time, with the code cached on disk."""

import time
from collections.abc import Callable, Mapping
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any, ParamSpec, TypeVar, cast

from llvmlite import ir
from numba import njit, typeof, types
from numba.core import event, sigutils
from numba.core.compiler_lock import global_compiler_lock
from numba.extending import intrinsic, overload

from sudoku_encode.run.compiling.code_cache import CodeCache, exclusive
from sudoku_encode.run.events import Compiling, emit

_P = ParamSpec("_P")
_R = TypeVar("_R")


def compiled(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function when it is first called, which takes seconds, and save the code on disk.

    Other threads run meanwhile, so its arguments must not be changed by them. It can make no arrays: numba would count
    the uses of each array, also of those that are in a tuple of arguments, which takes two thirds of the time of a
    search that looks at one element after the other.
    """
    return _compiled_once(function, nogil=True, _nrt=False)


def compiled_with_arrays(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function that makes arrays, or calls one that returns a new array; else like `compiled`."""
    return _compiled_once(function, nogil=True)


def subroutine(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function that only compiled functions call, which takes less time; else like `compiled`."""
    return _compiled_for_others(function, nogil=True, _nrt=False)


def subroutine_with_arrays(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function that makes arrays and that only compiled functions call."""
    return _compiled_for_others(function, nogil=True)


def inlined(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """Compile a function into each of its callers: for the small ones of an inner loop."""
    return _compiled_for_others(function, forceinline=True, _nrt=False)


def by_length(choices: Mapping[int, Callable[..., _R]]) -> Callable[..., _R]:
    """Return a function for compiled code that calls the one for the length of its first argument, a tuple.

    Which one that is, is decided when the caller is compiled; it is given the other arguments.
    """

    def choose(*arguments: Any) -> Any:
        """Stand for the function that is called."""

    def calling(function: Any) -> Any:
        return lambda counted, *others: function(*others)

    # numba wants two functions whose arguments have the same names, and no annotations.
    overload(choose, jit_options={"forceinline": True})(lambda counted, *others: calling(choices[len(counted)]))
    return choose


def compiled_module(module: ModuleType, used: SimpleNamespace | None = None) -> Any:
    """Return a namespace like a module's with all its functions compiled: for a module that may run as Python too.

    The functions that it imports from another such module are those of `used`, the namespace of that module.
    """
    names = dict(vars(module))
    for name, function in vars(module).items():
        if isinstance(function, FunctionType) and function.__module__ != module.__name__:
            names[name] = getattr(used, name, function)
        elif isinstance(function, FunctionType):
            # The new names are its globals, so that the functions that it calls are the compiled ones.
            names[name] = compiled_with_arrays(FunctionType(function.__code__, names, name, function.__defaults__))
    return SimpleNamespace(**names)


def is_compiled(function: Callable[..., object], arguments: tuple[object, ...] = ()) -> bool:
    """Return whether a function can be called without waiting for the compiler: its code is loaded, or on disk.

    Without arguments the call is one that the function was compiled for, if it was for any.
    """
    dispatcher = cast(Any, function)
    signature = tuple(typeof(argument) for argument in arguments) or None  # type: ignore[no-untyped-call]
    loaded = signature in dispatcher.overloads if signature else dispatcher.overloads
    return bool(loaded) or dispatcher._cache.holds(dispatcher.targetctx.codegen(), signature)


def _compiled_for_others(function: Callable[_P, _R], **options: bool) -> Callable[_P, _R]:
    """Compile without the code that turns Python's objects into numbers and back, a quarter of the time of most."""
    compiled_function: Any = _compiled_once(function, no_cpython_wrapper=True, **options)

    def refuse(*arguments: Any, **keywords: Any) -> Any:
        raise TypeError(f"{function.__name__} can be called by compiled functions only")

    # numba would let Python call it, and since the code for that is missing, the call would end the process.
    compiled_function.add_overload = lambda code: compiled_function.overloads.update({tuple(code.signature.args): code})
    compiled_function._compile_for_args = refuse
    return cast("Callable[_P, _R]", compiled_function)


def _compiled_once(function: Callable[_P, _R], **options: bool) -> Callable[_P, _R]:
    # No function is passed to another one, for which numba would make one more function that calls it.
    dispatcher: Any = cast(Any, njit)(no_cfunc_wrapper=True, **options)(function)
    cache = CodeCache(function)
    compile_now = dispatcher.compile

    def compile_exclusively(signature: Any) -> Any:
        arguments, _ = sigutils.normalize_signature(signature)  # type: ignore[no-untyped-call]
        # numba's lock first: a thread that waits for the other lock with this one held could wait for itself.
        with global_compiler_lock:
            if tuple(arguments) in dispatcher.overloads or cache.holds(dispatcher.targetctx.codegen(), signature):
                return compile_now(signature)
            with exclusive(cache.lock):
                # Looks on disk first: another process may have compiled it meanwhile.
                return compile_now(signature)

    resolve = dispatcher.get_call_template

    def resolve_for_types(arguments: Any, keywords: Any) -> Any:
        # Else a call with a constant would compile the function once more for that very number, which takes long and
        # makes nothing faster: small functions are compiled into their callers anyway.
        types_ = tuple(types.unliteral(argument) for argument in arguments)  # type: ignore[no-untyped-call]
        named = {name: types.unliteral(kind) for name, kind in keywords.items()}  # type: ignore[no-untyped-call]
        return resolve(types_, named)

    dispatcher._cache = cache
    dispatcher.compile = compile_exclusively
    dispatcher.get_call_template = resolve_for_types
    return cast("Callable[_P, _R]", dispatcher)


# After this time an event says that compiling takes long.
_LONG_SECONDS = 1.0


class _Listener(event.Listener):
    """Emits when compiling begins and ends, and once that it takes long."""

    def __init__(self) -> None:
        # How many functions are being compiled: compiling one compiles those that it calls.
        self.depth = 0
        self.begun, self.seconds, self.is_long = 0.0, 0.0, False

    def on_start(self, event: Any) -> None:
        self.depth += 1
        if self.depth == 1:
            self.begun = time.monotonic()
            emit(Compiling(busy=True))
        elif not self.is_long and (seconds := self.seconds + time.monotonic() - self.begun) >= _LONG_SECONDS:
            self.is_long = True
            emit(Compiling(busy=True, seconds=seconds))

    def on_end(self, event: Any) -> None:
        self.depth -= 1
        if not self.depth:
            self.seconds += time.monotonic() - self.begun
            emit(Compiling(busy=False))


listener = _Listener()
event.register("numba:compile", listener)  # type: ignore[no-untyped-call]


def _zeros_below(typing: Any, mask: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 0))

    return types.int64(types.int64), generated


def _bit_count(typing: Any, mask: Any) -> Any:
    def generated(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generated


# One machine instruction each; for use in compiled functions only.
lowest = cast("Callable[[int], int]", intrinsic(_zeros_below))
bit_count = cast("Callable[[int], int]", intrinsic(_bit_count))
