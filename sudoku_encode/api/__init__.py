"""The public functions, one file per kind of question; `sudoku_encode` exports them."""
