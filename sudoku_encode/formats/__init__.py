"""Puzzle text in and out: `table` says which formats there are, `reading` and `writing` have the functions."""
