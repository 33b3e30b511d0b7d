"""The ways to draw solutions, as the help and errors list them. Light: what lists them loads none of them."""

from collections.abc import Mapping

# What `walk` draws is not uniform; each of the others draws every solution with the same probability.
SAMPLERS: Mapping[str, str] = {
    "auto": "listing where that is quick, else frontier, else parts",
    "listing": "from a list of all solutions",
    "frontier": "from tables of states with the numbers of their completions",
    "parts": "by the numbers of solutions of smaller and smaller sub-puzzles",
    "walk": "NOT uniform: from a solution to others near it, with a SAT solver",
}
NOT_UNIFORM = "walk"
