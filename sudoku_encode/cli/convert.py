"""The command convert."""

from sudoku_encode.cli.models import convert as command

__all__ = ["command"]
