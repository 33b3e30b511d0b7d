"""Packages of the extra `counters`, which may be absent."""

from importlib import import_module
from typing import Any

from sudoku_encode.errors import MethodError


def package(name: str, what: str) -> Any:
    """Load an optional package.

    Raises:
        MethodError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MethodError(f"{what} needs the package {name}: pip install 'sudoku-encode[counters]'") from error
