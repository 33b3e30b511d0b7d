"""Libraries that only some forms of drawings need."""

from importlib import import_module
from typing import Any

from sudoku_encode.errors import SudokuError, missing_package


def needed(module: str, package: str, form: str) -> Any:
    """Return a module of the extra `pictures`.

    Raises:
        SudokuError: it is not installed; the message says what to install.
    """
    try:
        return import_module(module)
    except ImportError as error:
        raise SudokuError(missing_package(package, form)) from error
