"""The public functions, one file for each kind of question; `sudoku_encode` itself offers them by name."""
