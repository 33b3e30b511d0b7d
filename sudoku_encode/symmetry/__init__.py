"""Symmetries: maps of cells and values that keep a board or a puzzle, and what is equal up to them."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("breaking", "canonical", "groups", "kinds", "structure")
