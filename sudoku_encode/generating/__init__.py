"""Random puzzles of any board, with a given number of clues and solutions."""
