"""The linked list of Algorithm 1 as its lines 18 to 62 print it: one node for each candidate, which branches share.

It serves `reproduce` only, to show what these lines do to a puzzle; the methods use the tree of `jana2021`.

Source: Jana et al. 2023, Algorithm 1, Fig. 10 (the fields of a node) and section III-A (the path-matrix).
Differs: no line says in which order branches are visited while links are made; here the branches before the candidate's
    node, one after another. A node is not linked to itself, as lines 31 and 47 do at once, after which every later
    visit would loop for ever; `own_links` counts how often they would. No line fills the path-matrix; here it takes a
    branch when line 44 accepts a candidate of the last blank.
"""

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from sudoku_encode.papers.jana2021 import Tree


@dataclass(eq=False)
class Node:
    """A node of Fig. 10."""

    value: int = 0  # VAL, the candidate; 0 for an END and for the head
    level: int = -1  # INDEX, as the number of the blank in P from 0; -1 for an END and for the head
    prev: "Node | None" = None  # prev, next, down, up: the four pointers
    next: "Node | None" = None
    down: "Node | None" = None
    up: "Node | None" = None


Branch = tuple[Node, ...]


@dataclass(eq=False)
class LinkedList:
    """The linked list that lines 18 to 62 build."""

    head: Node = field(default_factory=Node)  # its DOWN is the first node
    nodes: list[Node] = field(default_factory=list)  # all nodes but the head, in the order of their creation
    # The values of the branches that line 44 accepts at the last blank, each in the order of P.
    path_matrix: list[tuple[int, ...]] = field(default_factory=list)
    own_links: int = 0  # how often a line would link a node to itself

    def branches(self) -> list[Branch]:
        """Return every path from the head to a leaf, by NEXT and DOWN."""
        complete: list[Branch] = []
        waiting: list[Branch] = [(node,) for node in reversed(_chain(self.head.down))]
        while waiting:
            branch = waiting.pop()
            following = [node for node in _chain(branch[-1].next) if node.level >= 0]
            if not following:
                complete.append(branch)
            waiting += [(*branch, node) for node in reversed(following)]
        return complete


def _chain(node: Node | None) -> list[Node]:
    nodes = []
    while node:
        nodes.append(node)
        node = node.down
    return nodes


def build(tree: Tree, tick: Callable[[], None], wait: bool = False) -> LinkedList:
    """Run lines 18 to 62 on the blanks and candidates of a tree.

    If it should wait, a branch ends only when no candidate of a blank fits, not when the first one does not.
    """
    linked = LinkedList()
    for level, allowed in enumerate(tree.candidates):
        values = (np.flatnonzero(allowed) + 1).tolist()
        for value in values:
            tick()
            ends = not wait or value == values[-1]
            _candidate(linked, tree, Node(value, level), ends)
    return linked


def _candidate(linked: LinkedList, tree: Tree, node: Node, ends: bool) -> None:
    """Run lines 26 to 60: add the node of a candidate, and link it to every open branch that it fits."""
    linked.nodes.append(node)
    level, last = node.level, len(tree.cells) - 1
    if linked.head.down is None:
        linked.head.down = node
    for branch in linked.branches():
        # An earlier branch may share the leaf: then the candidate, or an END, is linked already.
        leaf = branch[-1].next or branch[-1]
        if leaf.level < 0:
            continue
        before = {earlier.level: earlier.value for earlier in branch if earlier.level != level}
        if _fits(tree, before | {level: node.value}):
            _link(linked, leaf, node)
            if level == last:
                row = tuple((before | {level: node.value}).values())
                if row not in linked.path_matrix:
                    linked.path_matrix.append(row)
        elif leaf.level != level and ends:
            leaf.next = Node()
            linked.nodes.append(leaf.next)


def _link(linked: LinkedList, leaf: Node, node: Node) -> None:
    """Link a node after a leaf: by DOWN after its siblings (lines 45 to 47), or by NEXT (line 49)."""
    if leaf.level != node.level:
        leaf.next = node
        return
    siblings = _chain(leaf)
    if node in siblings:
        linked.own_links += 1
    else:
        siblings[-1].down = node


def _fits(tree: Tree, values: dict[int, int]) -> bool:
    """Check that the values of levels break no rule among themselves (line 44)."""
    return all(
        values[other] != value
        for level, value in values.items()
        for other in tree.earlier[level].tolist()
        if other in values
    )
