"""Puzzle to the formats other than CNF and CP-SAT: each a function `(puzzle, candidates) -> chunks of the file`."""
