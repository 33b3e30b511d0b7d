"""Puzzle text in and out."""

from sudoku_encode.formats.reading import read, read_one, read_text
from sudoku_encode.formats.symbols import ALPHABETS
from sudoku_encode.formats.writing import FORMATS, write, write_all

__all__ = ["ALPHABETS", "FORMATS", "read", "read_one", "read_text", "write", "write_all"]
