"""Pictures of boards, puzzles, solutions and methods at work."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("drawing", "page", "picture", "plots", "steps_page", "table", "text")
