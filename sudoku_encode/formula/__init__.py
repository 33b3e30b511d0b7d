"""Clauses and their files, independent of Sudoku."""
