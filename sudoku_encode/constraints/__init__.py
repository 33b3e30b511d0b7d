"""Constraints: a file for each kind says what it means, and what it is made of; see `puzzles.constraint_kinds`."""
