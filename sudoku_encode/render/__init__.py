"""Pictures of boards, puzzles, solutions and methods at work."""
