"""Boards, puzzles and constraints, and the definition of a solution."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "arrays",
    "boards",
    "constraints.constraint",
    "constraints.expressions",
    "constraints.lowering",
    "constraints.outside_clues",
    "constraints.own",
    "constraints.pairs",
    "constraints.parsing",
    "constraints.primitives",
    "constraints.sets",
    "constraints.sums",
    "constraints.table",
    "dead_ends",
    "geometry",
    "neighbours",
    "puzzle",
    "rules",
    "shapes",
    "step",
    "table",
)
