"""Sudoku puzzles, 2D and 3D, as SAT and CP models, with all their solutions."""

__version__ = "0.1.0"
