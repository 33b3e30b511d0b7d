"""Random puzzles of any board, with a wanted number of clues and solutions."""
