"""The questions of setters: candidates, uniqueness, hints, ratings, samples."""

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = (
    "benchmark",
    "checking",
    "hinting",
    "kinds",
    "objectives",
    "rating",
    "rule_sets",
    "sampling",
    "subsets",
    "table",
    "techniques.table",
    "true_candidates",
)
