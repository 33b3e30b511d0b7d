"""What a puzzle is, on which board, and what solves it."""
