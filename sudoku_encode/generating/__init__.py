"""Random puzzles of any board, with a given number of clues and solutions."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("grids", "making", "options", "placing", "request", "table")
