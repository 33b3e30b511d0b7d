"""Descriptions of the methods that explain: what each does, and for which boards it is. Pages of steps begin with them.

The sources are in the table of methods.
"""

from collections.abc import Mapping

_ANY_BOARD = "It works on every board, under any of its rules."
_UP_TO_64 = "It works on boards with up to 64 values, under any of their rules."
_CUBES = "It works on cubes of any side, under any of their rules; the paper's figures use four of the six."
_SQUARES = "It works on squares whose rules are rows, columns and boxes alone"
_GTSPS = f"{_SQUARES}; a box is called a minigrid."
_FULL_UNITS = "It works on boards with a rule whose units hold every value, such as rows."
_UHBPNP = f"{_SQUARES}, with up to 25 values."
_ROBOTS = f"{_SQUARES}, with up to 62 values; a box is called a subblock, and a value is a numbered box."

_LAYERS = "Solves each layer of a cube as a 2D Sudoku"
_JOINS = "and joins the solutions layer by layer"
_PRINTED = "and checks the rules of the cube only on complete combinations of their solutions, as Algorithm 2 prints it"
_TURNS = "The robots take turns, one for each number; each puts its box on the lowest position that is valid for it"
_PERMUTATIONS = "Lists the valid permutations of every minigrid from the clues alone, and joins those that match"

_FIVE = "Removes candidates by five constraints (naked and hidden singles, and lone rangers, twins and triplets in"
_THEN = "and then grows a search tree over the blanks, those with the fewest candidates first"
_ROUNDS = (
    "Places lone and hidden singles and uses lone pairs in rounds, and guesses the first blank when a round changes"
    " nothing"
)

DESCRIPTIONS: Mapping[str, str] = {
    "frontier": "Counts the solutions without listing them: it fills the board part by part, and counts fillings"
    f" together that forbid the same values to the rest. {_UP_TO_64}",
    "placements": "Fills a cube value by value: it lists all ways to place each value in the whole cube, and tries the"
    " value with the fewest ways first. It works on cubes of side 4 and 9 with all six rules.",
    "jana2021": "Grows a search tree with a level for each blank, in scan order: each open branch is extended by every"
    f" candidate that breaks no rule. {_CUBES}",
    "jana2023-v1": f"{_FIVE} rows), {_THEN}. {_CUBES}",
    "jana2023-v1-boxes": f"{_FIVE} rows and boxes), {_THEN}. {_CUBES}",
    **{
        f"jana2023-v2{name}": f"{_LAYERS} from the givens of the layer alone, {then}. {_CUBES}"
        for axis in ("", ":y", ":z")
        for name, then in ((axis, _PRINTED), (f"-plain{axis}", _JOINS))
    },
    "jana2023-v2-joined": f"{_LAYERS}, with the candidates that elimination leaves in the whole cube, {_JOINS}."
    f" {_CUBES}",
    "brute-force": "Tries the values of each blank in ascending order, cell by cell in scan order, and goes back to the"
    f" blank before when no value fits. {_ANY_BOARD}",
    "norvig2006": "Propagates every elimination (the only candidate of a cell, and the only place of a value in a unit,"
    f" are assigned), and then guesses the cell with the fewest candidates. {_UP_TO_64}",
    "pencil-paper": "Applies singles, locked candidates and subsets until none of them applies; it never guesses, so it"
    f" may stop with blanks left. {_FULL_UNITS}",
    "logic": "Applies singles, locked candidates, subsets, fish and wings until none of them applies; it never guesses,"
    f" so it may stop with blanks left. {_FULL_UNITS}",
    "gtsps-3.1": "Fills the minigrids one by one, those with the most clues first, with every permutation that fits the"
    f" minigrids before. {_GTSPS}",
    "gtsps-3.2": f"{_PERMUTATIONS}, minigrid by minigrid in zigzag order. {_GTSPS}",
    "gtsps-3.2-spiral": f"{_PERMUTATIONS}, minigrid by minigrid in spiral order. {_GTSPS}",
    "gtsps-3.2-semi-spiral": f"{_PERMUTATIONS}, minigrid by minigrid in semi-spiral order. {_GTSPS}",
    "gtsps-4.1": "Builds a graph with a vertex for each valid permutation of a minigrid and an edge between two that"
    " match, deletes vertices that are in no solution, and lists the solutions: a vertex of each minigrid, all"
    f" matching. {_GTSPS}",
    "gtsps-4.2": "Contracts the graph of valid permutations: a super-vertex stands for a row or column of minigrids"
    f" whose permutations match, and every cycle of super-vertices is a solution. {_GTSPS}",
    "hbpnp": f"{_ROUNDS}; it checks guesses only, so it may end in a wrong grid. {_UHBPNP}",
    "uhbpnp": f"{_ROUNDS}; it checks every value against its row, column and box. {_UHBPNP}",
    "uhbpnp-tables": f"{_ROUNDS}; the candidates are in tables that every value updates. {_UHBPNP}",
    "block-world-1": "Robot 1 puts the first box that fits on the lowest empty position; when no box fits, robot 2"
    f" takes the last one back. {_ROBOTS}",
    "block-world-2": f"{_TURNS}, and none guesses. {_ROBOTS}",
    "block-world-3": f"{_TURNS}; as printed, model 3 also puts wrong boxes. {_ROBOTS}",
    "block-world-4": f"{_TURNS}; as printed, model 4 is model 3 and also puts wrong boxes. {_ROBOTS}",
    "block-world-4-sound": f"{_TURNS}, the only place for the number in the subblock. {_ROBOTS}",
    "block-world-4-sound+1": "The robots of the sound model 4 put every forced box, and model 1 searches for the rest:"
    f" robot 1 puts boxes, and robot 2 takes them back. {_ROBOTS}",
    "block-world-4+1": "The robots of model 4 as printed put boxes, some of them wrong, and model 1 searches"
    f" for the rest; it cannot take boxes of model 4 back. {_ROBOTS}",
}
"""Two sentences about each method that explains, by its name.

>>> DESCRIPTIONS["brute-force"].partition(". ")[2]
'It works on every board, under any of its rules.'
"""
