"""The command encode."""

from sudoku_encode.cli.models import encode as command

__all__ = ["command"]
