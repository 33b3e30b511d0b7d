"""The methods: the list of them, and one way to call each."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "answers",
    "calls",
    "check_results",
    "limited_calls",
    "method",
    "options",
    "sat_first",
    "solution_folder",
    "table",
    "turns",
)
