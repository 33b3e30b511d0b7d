"""Clauses and their files. Knows no Sudoku."""
