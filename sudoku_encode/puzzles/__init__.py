"""Boards, puzzles and constraints, and the definition of a solution."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "arrays",
    "boards",
    "constraint",
    "dead_ends",
    "geometry",
    "neighbours",
    "puzzle",
    "rules",
    "shapes",
    "step",
    "table",
)
