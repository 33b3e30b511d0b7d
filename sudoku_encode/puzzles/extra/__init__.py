"""Rules that a square may have besides its own, a file each; the table is in `rules`."""
