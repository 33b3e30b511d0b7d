"""Check whether functions can be compiled, and whether they are already, without loading numba where possible."""

import os
import sys
from collections.abc import Iterable
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from sudoku_encode.errors import MethodError

_NOT_YET = "its code is not compiled yet on this machine"


def loaded() -> bool:
    """Return whether numba is loaded already, which takes longer than a SAT solver needs for most puzzles."""
    return "numba" in sys.modules


def unavailable() -> str:
    """Return why nothing can be compiled here, or an empty string; for that numba is loaded."""
    if reason := _plainly_unavailable():
        return reason
    from sudoku_encode.run import compiling

    return compiling.UNAVAILABLE


def require(method: str) -> None:
    """Load the compiler for a method that cannot do without.

    Raises:
        MethodError: nothing can be compiled here.
    """
    if reason := unavailable():
        raise MethodError(
            f"method {method} needs compiled code, which cannot be made here: {reason}; choose another method, such "
            "as sat"
        )


def missing(package: str, functions: Iterable[tuple[str, str]], arguments: tuple[object, ...] = ()) -> str:
    """Return why functions of a package would have to wait for the compiler; an empty string where they can be called.

    Each is named by its module there and its own name; the arguments say of which types, if it is compiled for several.
    """
    if reason := _plainly_unavailable():
        return reason
    for module, name in functions:
        if f"{package}.{module}" not in sys.modules and not _has_cached_code(package, module, name):
            return _NOT_YET
    if reason := unavailable():
        return reason
    from sudoku_encode.run import compiling

    for module, name in functions:
        if not compiling.is_compiled(getattr(import_module(f"{package}.{module}"), name), arguments):
            return _NOT_YET
    return ""


def _plainly_unavailable() -> str:
    if os.environ.get("NUMBA_DISABLE_JIT", "0") not in ("", "0"):
        return "NUMBA_DISABLE_JIT is set"
    return "" if find_spec("numba") else "numba is not installed"


def _has_cached_code(package: str, module: str, name: str) -> bool:
    """Return whether a function has a file, perhaps an outdated one, in one of the usual folders of numba's cache."""
    # If numba is configured to use another folder, the answer is no; then `auto` may begin with another method.
    index = f"{module}.{name}-*.nbi"
    home = Path(os.environ.get("HOME", "/"))
    caches = [home / ".cache" / "numba", home / "Library" / "Caches" / "numba"]
    if "XDG_CACHE_HOME" in os.environ:
        caches.append(Path(os.environ["XDG_CACHE_HOME"], "numba"))
    if "NUMBA_CACHE_DIR" in os.environ:
        caches.append(Path(os.environ["NUMBA_CACHE_DIR"]))
    home_of_modules = Path(import_module(package).__file__ or "").parent
    beside = any(any((home_of_modules / folder).glob(index)) for folder in ("__pycache__", "__compiled__"))
    return beside or any(any(cache.glob(f"*/{index}")) for cache in caches)
