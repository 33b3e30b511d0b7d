"""Boards, puzzles and constraints, and the definition of a solution."""
