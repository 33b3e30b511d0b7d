"""Boards, puzzles and constraints, and the definition of a solution."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "arrays",
    "boards",
    "constraints.constraint",
    "constraints.expressions",
    "constraints.indexing",
    "constraints.layers",
    "constraints.lowering",
    "constraints.outside_clues",
    "constraints.pairs",
    "constraints.parsing",
    "constraints.primitives",
    "constraints.sets",
    "constraints.sums",
    "constraints.table",
    "constraints.written_automata",
    "dead_ends",
    "geometry",
    "neighbours",
    "puzzle",
    "rules",
    "shapes",
    "square_rules",
    "step",
    "table",
)
