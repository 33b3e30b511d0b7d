"""Algorithm 1 of Jana et al. 2023, lines 18 to 62: the linked list, by hand and against the tree."""

import numpy as np
from hypothesis import given, settings

from sudoku_encode.papers import jana2021, jana2023_v1
from sudoku_encode.papers.jana2021 import Tree
from sudoku_encode.papers.jana2023_v1_printed import LinkedList, build
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from tests.helpers.known_puzzles import known
from tests.helpers.small_cubes import cubes
from tests.helpers.solution_sets import never, rows_of

PAPER = "papers/jana-2023-table-2.txt row-z,box-xy,box-xz,box-yz"


def line(*lists: str) -> Tree:
    """A tree over the first cells of one line along z, with these candidates."""
    left: Candidates = np.array([[str(value) in some for value in range(1, 5)] for some in lists])
    return Tree.of(board("4x4x4", ["row-z"]), np.arange(len(lists)), left)


def ways(made: LinkedList) -> list[tuple[int, ...]]:
    """The values along every way by NEXT and DOWN."""
    return [tuple(node.value for node in branch) for branch in made.branches()]


def test_head_of_list() -> None:
    """The first node is linked to the head and would be to itself."""
    made = build(line("1"), never)

    assert made.head.down is made.nodes[0]
    assert made.nodes[0].down is None
    assert made.own_links == 1
    assert made.path_matrix == [(1,)]


def test_shared_node() -> None:
    """Two branches share the node of a candidate."""
    made = build(line("12", "3"), never)
    one, two, three = made.nodes

    assert one.down is two
    assert one.next is three
    assert two.next is three
    assert made.path_matrix == ways(made) == [(1, 3), (2, 3)]


def test_first_candidate_ends_branch() -> None:
    """A candidate that does not fit first ends its branch."""
    tree = line("1", "12")

    assert build(tree, never).path_matrix == []
    assert build(tree, never, wait=True).path_matrix == [(1, 2)]


def test_shared_end() -> None:
    """An end behind a shared node ends every branch to it."""
    # 1 3 2 is a solution; 2 3 2 is none, and its END is behind the same 3.
    tree = line("21", "3", "2")

    assert rows_of(tree.grow(never)) == [(1, 3, 2)]
    for wait in (False, True):
        made = build(tree, never, wait)
        assert made.path_matrix in ([], [(1, 3, 2)])
        assert sum(node.level < 0 for node in made.nodes) <= 1


def test_siblings() -> None:
    """A sibling is there for every branch to the first."""
    # 1 fits behind 2 and 3; 3 fits behind 2 only, but is linked below the 1 that both share.
    made = build(line("23", "13"), never, wait=True)

    assert sorted(ways(made)) == [(2, 1), (2, 3), (3, 1), (3, 3)]
    assert made.path_matrix == [(2, 1), (3, 1), (2, 3)]


def test_solutions_lost() -> None:
    """Both solutions of table 3 are lost as printed."""
    tree = jana2023_v1.plan(known(PAPER).puzzle, never)

    assert len(rows_of(tree.grow(never))) == 2
    assert build(tree, never).path_matrix == []
    assert build(tree, never, wait=True).path_matrix == rows_of(tree.grow(never))[:1]
    assert build(jana2021.plan(known(PAPER).puzzle), never, wait=True).path_matrix == []


@given(puzzle=cubes(wrong=False))
@settings(derandomize=True, max_examples=40, deadline=None)
def test_path_matrix(puzzle: Puzzle) -> None:
    """The path matrix holds solutions only each once."""
    tree = jana2023_v1.plan(puzzle, never)
    if sum(map(len, tree.grow(never))) > 20 or len(tree.cells) > 12:
        tree = line("12", "21")
    expected = set(rows_of(tree.grow(never)))
    for wait in (False, True):
        made = build(tree, never, wait)
        assert len(set(made.path_matrix)) == len(made.path_matrix)
        assert set(made.path_matrix) <= expected
        assert not any(node.prev or node.up for node in made.nodes)
