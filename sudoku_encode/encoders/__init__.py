"""Puzzle to model: CNF by several encodings, CP-SAT models, and other standard formats; `table` lists them."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("constraint_clauses", "cp", "cubes", "encoding", "model_files", "model_jobs", "reduction", "table")
