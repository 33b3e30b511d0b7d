"""Clauses and their files, independent of Sudoku."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("cardinality", "cnf", "dimacs", "solver_output", "table")
