"""Puzzle text in and out: `table` says which formats there are, `reading` and `writing` have the functions."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "bulk",
    "entries",
    "grid_files",
    "known_counts",
    "place",
    "reading",
    "region_maps",
    "solution_folder",
    "styles",
    "table",
    "tables",
    "writing",
)
