"""The command decode."""

from sudoku_encode.cli.models import decode as command

__all__ = ["command"]
