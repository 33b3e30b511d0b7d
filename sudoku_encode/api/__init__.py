"""The public functions, one file per kind of question; `sudoku_encode` exports them."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("answers", "drawing", "encodings", "evidence", "puzzles", "symmetries", "true_candidates")
