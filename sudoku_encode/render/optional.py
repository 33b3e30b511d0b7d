"""Libraries that only some forms of drawings need."""

from importlib import import_module
from typing import Any

from sudoku_encode.errors import SudokuError


def needed(module: str, package: str, form: str) -> Any:
    """Return a module of the extra `pictures`.

    Raises:
        SudokuError: it is not installed; the message says what to install.
    """
    try:
        return import_module(module)
    except ImportError as error:
        message = f"{form} needs the package {package}: pip install 'sudoku-encode[pictures]'"
        raise SudokuError(message) from error
