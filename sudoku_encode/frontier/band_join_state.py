"""What the compiled loops of `band_join` work on."""

from typing import NamedTuple

from sudoku_encode.puzzles.arrays import Int32s, Int64s, Uint64s


class Tree(NamedTuple):
    """Groups sorted, as a tree of their three parts; see `band_join_kernel.join`.

    Attributes:
        nodes: int32 (nodes,): a node for each pair of a first and a second part that some group has: the number of the
            second one among the distinct second parts. Those of one first part are neighbours.
        starts: int64 (distinct first parts + 1,): where the nodes of each first part start.
        leaves: int64 (nodes + 1,): where the third parts of each node start.
        parts: uint64 (groups,): the third parts, ascending within a node.
        counts: uint64 (groups,): by how many fillings, see `band_join.Groups`.
    """

    nodes: Int32s
    starts: Int64s
    leaves: Int64s
    parts: Uint64s
    counts: Uint64s
