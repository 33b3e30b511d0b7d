"""Puzzle to model: CNF by several encodings, CP-SAT models, and other standard formats; `table` lists them."""
