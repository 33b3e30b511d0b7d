"""Constraints: a file for each kind says what it means, and what it is made of; see `puzzles.constraint_kinds`."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("lowering", "primitives")
