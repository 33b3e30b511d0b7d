"""Packages of the extra `counters`, which may be absent."""

from importlib import import_module
from typing import Any

from sudoku_encode.errors import MethodError, missing_package


def package(name: str, what: str) -> Any:
    """Load an optional package.

    Raises:
        MethodError: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError as error:
        raise MethodError(missing_package(name, what)) from error
