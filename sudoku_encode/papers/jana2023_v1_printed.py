"""The linked list of Algorithm 1 as its lines 18 to 62 print it: one node for each candidate, which branches share.

It is for the referee: what these lines do to a puzzle. Trees that are used are those of `jana2021`.

Source: Jana et al. 2023, Algorithm 1, Fig. 10 (the fields of a node) and section III-A (the path-matrix).
Differs: no line says in which order branches are visited while links are made; here those that are there before a
    candidate's node, one after another. A node is not linked to itself, which lines 31 and 47 do at once, and then
    every later visit would go round for ever; `own_links` counts where they would. No line fills the path-matrix; here
    it takes a branch when line 44 accepts a candidate of the last blank.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from sudoku_encode.papers.jana2021 import Tree


@dataclass(eq=False)
class Node:
    """A node of Fig. 10.

    Attributes:
        value: VAL, the candidate; 0 for an END and for the head.
        level: INDEX, as the number of the blank in P from 0; -1 for an END and for the head.
        prev, next, down, up: the four pointers.
    """

    value: int = 0
    level: int = -1
    prev: "Node | None" = None
    next: "Node | None" = None
    down: "Node | None" = None
    up: "Node | None" = None


Branch = tuple[Node, ...]


@dataclass(eq=False)
class LinkedList:
    """What lines 18 to 62 build.

    Attributes:
        head: its DOWN is the first node.
        nodes: all nodes besides the head, in the order in which they are made.
        path_matrix: the values of the branches that line 44 accepts at the last blank, each in the order of P.
        own_links: how often a line links a node to itself.
    """

    head: Node = field(default_factory=Node)
    nodes: list[Node] = field(default_factory=list)
    path_matrix: list[tuple[int, ...]] = field(default_factory=list)
    own_links: int = 0

    def branches(self) -> list[Branch]:
        """Return every way from the head to a leaf, by NEXT and DOWN."""
        found: list[Branch] = []
        waiting: list[Branch] = [(node,) for node in reversed(_chain(self.head.down))]
        while waiting:
            branch = waiting.pop()
            following = [node for node in _chain(branch[-1].next) if node.level >= 0]
            if not following:
                found.append(branch)
            waiting += [(*branch, node) for node in reversed(following)]
        return found


def _chain(node: Node | None) -> list[Node]:
    found = []
    while node:
        found.append(node)
        node = node.down
    return found


def build(tree: Tree, tick: Callable[[], None], wait: bool = False) -> LinkedList:
    """Run lines 18 to 62 on the blanks and candidates of a tree.

    Args:
        tree: its blanks in their order, and their candidates.
        tick: called for each candidate; branches may double at each blank.
        wait: give a branch its END only when no candidate of a blank fits, not when the first one does not.
    """
    made = LinkedList()
    for level, left in enumerate(tree.candidates):
        values = (np.flatnonzero(left) + 1).tolist()
        for value in values:
            tick()
            ends = not wait or value == values[-1]
            _candidate(made, tree, Node(value, level), ends)
    return made


def _candidate(made: LinkedList, tree: Tree, node: Node, ends: bool) -> None:
    """Run lines 26 to 60: make the node of a candidate, and link it to every open branch that it fits."""
    made.nodes.append(node)
    level, last = node.level, len(tree.cells) - 1
    if made.head.down is None:
        made.head.down = node
    for branch in made.branches():
        # A branch before may have had the same leaf: then the candidate, or an END, is there already.
        leaf = branch[-1].next or branch[-1]
        if leaf.level < 0:
            continue
        before = {at.level: at.value for at in branch if at.level != level}
        if _fits(tree, before | {level: node.value}):
            _link(made, leaf, node)
            if level == last:
                row = tuple((before | {level: node.value}).values())
                if row not in made.path_matrix:
                    made.path_matrix.append(row)
        elif leaf.level != level and ends:
            leaf.next = Node()
            made.nodes.append(leaf.next)


def _link(made: LinkedList, leaf: Node, node: Node) -> None:
    """Link a node behind a leaf: by DOWN at the end of its siblings (lines 45 to 47), or by NEXT (line 49)."""
    if leaf.level != node.level:
        leaf.next = node
        return
    siblings = _chain(leaf)
    if node in siblings:
        made.own_links += 1
    else:
        siblings[-1].down = node


def _fits(tree: Tree, values: dict[int, int]) -> bool:
    """Say whether values of levels break no rule among themselves (line 44)."""
    return all(
        values[other] != value
        for level, value in values.items()
        for other in tree.earlier[level].tolist()
        if other in values
    )
