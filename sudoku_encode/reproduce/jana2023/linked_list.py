"""Jana et al. 2023, Algorithm 1, lines 18 to 62, Fig. 10 and section III-A: the linked list and the path-matrix."""

from collections.abc import Callable

import numpy as np

from sudoku_encode.papers import jana2021, jana2023_v1
from sudoku_encode.papers.jana2021 import Tree
from sudoku_encode.papers.jana2023_v1_printed import LinkedList, build
from sudoku_encode.reproduce.finding import Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.cube import FOUR, SIX, table_2
from sudoku_encode.reproduce.puzzles import no_tick

# Fig. 10: the fields of a node. Algorithm 1: the lines that put something into each.
FIELDS = {"VAL": "27", "INDEX": "28, 54", "PREV": "", "NEXT": "49, 55", "DOWN": "31, 47", "UP": ""}
# Algorithm 1: the lines that put something into the path-matrix, and into S, the set of solutions that it returns.
FILLS = {"path-matrix": "", "S": ""}

# The branches that a reading of the lines keeps, each as the values of the blanks.
Reading = Callable[[Tree], list[tuple[int, ...]]]


def own_nodes(tree: Tree, wait: bool) -> list[tuple[int, ...]]:
    """Grow a tree as lines 21 to 62 do if each branch is given a node of its own for a candidate.

    Unless it should wait, a candidate that does not fit gives the branch its END (lines 51 to 56) unless one before it
    did fit (the leaf has then the same INDEX), and line 36 passes over a branch that has its END.
    """
    branches: list[tuple[int, ...]] = [()]
    for earlier, left in zip(tree.earlier, tree.candidates, strict=True):
        values = (np.flatnonzero(left) + 1).tolist()
        longer = []
        for branch in branches:
            held = {branch[level] for level in earlier}
            if wait or values[0] not in held:
                longer += [(*branch, value) for value in values if value not in held]
        branches = longer
    return branches


READINGS: dict[str, Reading] = {
    "one node for a candidate, as printed; END at the first that does not fit, as printed": lambda tree: (
        build(tree, no_tick).path_matrix
    ),
    "one node for a candidate; END when none fits": lambda tree: build(tree, no_tick, wait=True).path_matrix,
    "a node for each branch; END at the first that does not fit": lambda tree: own_nodes(tree, wait=False),
    "a node for each branch; END when none fits": lambda tree: own_nodes(tree, wait=True),
}


def algorithm_1_as_printed(work: Work) -> Finding:
    """Run lines 18 to 62 of Algorithm 1 on Table 2, in four readings."""
    trees = (
        jana2023_v1.plan(table_2(FOUR), no_tick),
        jana2021.plan(table_2(FOUR)),
        jana2023_v1.plan(table_2(SIX), no_tick),
    )
    every = [sum(map(len, tree.grow(no_tick))) for tree in trees]
    rows = [(name, *(len(reading(tree)) for tree in trees)) for name, reading in READINGS.items()]
    printed = rows[0][1:]
    return Finding(
        "Algorithm 1, lines 26 to 57",
        "Algorithm 1 finds both solutions of Table 3.",
        f"Under the four rules it keeps {printed[0]} of {every[0]} as printed, with the blanks in scan order"
        f" {printed[1]}; under the six rules, where nothing is left to choose, {printed[2]} of {every[2]}.",
        verdict(printed[0] == every[0]),
        "Two things lose them. A branch gets END as soon as the first candidate of a blank does not fit, and is then"
        " passed over, so a later candidate that fits is lost. And line 26 makes one node for a candidate, which is"
        " then linked to every open branch: an END behind it ends all of them, and a candidate that is linked to it by"
        " DOWN is there for all of them. With a node for each branch, and an END only when no candidate fits, both are"
        " found: that is the tree of jana2021 and jana2023-v1. (Were an END taken for the leaf of its branch, line 36"
        " would find the branch open, and END would end nothing.)",
        side_by_side(
            ("reading", "four rules, order of P", "four rules, scan order", "six rules, order of P"),
            *rows,
            drawn={"solutions found": ("four rules, order of P", "four rules, scan order", "six rules, order of P")},
        ),
    )


def _wrong_branches(made: LinkedList, tree: Tree) -> tuple[int, int]:
    """Count the branches of full length, and those of them that break a rule."""
    last = len(tree.cells) - 1
    full = [[node.value for node in branch] for branch in made.branches() if branch[-1].level == last]
    wrong = sum(
        any(values[other] == values[level] for level in range(last + 1) for other in tree.earlier[level].tolist())
        for values in full
    )
    return len(full), wrong


def path_matrix(work: Work) -> Finding:
    """Look for the lines that fill the path-matrix, and for what the links alone say."""
    tree = jana2023_v1.plan(table_2(FOUR), no_tick)
    made = build(tree, no_tick, wait=True)
    full, wrong = _wrong_branches(made, tree)
    missing = [name for name, lines in FILLS.items() if not lines]
    return Finding(
        "section III-A, Algorithm 1",
        "The solution paths are stored in the path-matrix at the time they are being identified, since a second value"
        " of a blank is not linked to the value that follows it.",
        f"No line of Algorithm 1 puts anything into {' or '.join(missing)}. The reason given for it is right: where END"
        f" waits until no candidate fits, the links of Table 2 lead to {full} branches of full length, and {wrong} of"
        " them breaks a rule.",
        verdict(not missing),
        f"Filled where line 44 accepts a candidate of the last blank, the path-matrix has {len(made.path_matrix)} of"
        " the 2 solutions then. With a node for each branch it is not needed: a branch is its own row of it.",
    )


def fields_of_figure_10(work: Work) -> Finding:
    """Look for the lines that fill the fields of a node."""
    made = build(jana2023_v1.plan(table_2(FOUR), no_tick), no_tick)
    unset = [name for name, lines in FIELDS.items() if not lines]
    backward = sum(node.prev is not None or node.up is not None for node in made.nodes)
    return Finding(
        "Fig. 10",
        "A node has VAL, INDEX and four pointers: PREV to the node on its left, NEXT, DOWN and UP.",
        f"No line of Algorithm 1 sets {' or '.join(unset)}: after a run on Table 2 {backward} of the"
        f" {len(made.nodes)} nodes have one. Lines 31 and 47 link a node to itself {made.own_links} time"
        f"{'' if made.own_links == 1 else 's'} in that run.",
        verdict(not unset),
        "One PREV could not do: the node of a candidate has as many nodes on its left as branches that it fits. Line 31"
        " links the first node to the head, and lines 35 to 47 then come to it as the leaf of a branch with the same"
        " INDEX, and link it to its own DOWN; so does the third of three candidates that fit.",
        side_by_side(("field", "set in lines"), *((name, lines or "none") for name, lines in FIELDS.items())),
    )
