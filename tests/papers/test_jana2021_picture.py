"""The search trees of Jana et al. as DOT and SVG, each read back by a reader that knows nothing of what wrote it."""

import re
from xml.etree import ElementTree

import pytest

from sudoku_encode.errors import MethodError
from sudoku_encode.methods.calls import explain
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command
from tests.helpers.known_puzzles import known

SVG = "{http://www.w3.org/2000/svg}"
PAPER = "papers/jana-2023-table-2.txt row-z,box-xy,box-xz,box-yz"
METHODS = ("jana2021", "jana2023-v1", "jana2023-v1-boxes")


def drawn(method: str, form: str, puzzle: Puzzle | None = None) -> str:
    return "\n".join(step.text for step in explain(puzzle or known(PAPER).puzzle, method, form=form))


def tree_of(method: str) -> tuple[list[str], list[tuple[int, int, int | str]]]:
    """The blanks and the nodes (level, parent, value) as `explain` lists them as data."""
    steps = explain(known(PAPER).puzzle, method)
    (data,) = (step.data for step in steps if "nodes" in step.data)
    return data["index"], [tuple(node) for node in data["nodes"]]


@pytest.mark.parametrize("method", METHODS)
def test_dot(method: str) -> None:
    """DOT has every node with its blank below its parent."""
    index, nodes = tree_of(method)
    text = drawn(method, "dot")
    labels = re.findall(r'^  n(\d+) \[label="(.+?)"', text, re.MULTILINE)
    edges = re.findall(r"^  (\w+) -> n(\d+);$", text, re.MULTILINE)

    named = [value if value == "END" else f"{index[level]}: {value}" for level, _, value in nodes]
    assert labels == [(str(number), label) for number, label in enumerate(named)]
    assert edges == [
        ("head" if parent < 0 else f"n{parent}", str(number)) for number, (_, parent, _) in enumerate(nodes)
    ]


# Nodes with a value, END nodes, and nodes on the branches that are solutions. Of these there are two of 16 blanks; in
# scan order they have their first 4 nodes in common, after the five constraints 10.
@pytest.mark.parametrize(
    ("method", "counts"), [("jana2021", (49, 10, 2 * 16 - 4)), ("jana2023-v1", (23, 1, 2 * 16 - 10))]
)
def test_figures_11_and_12(method: str, counts: tuple[int, int, int]) -> None:
    """A picture has the nodes of fig 11 and fig 12 and marks the solutions."""
    root = ElementTree.fromstring(drawn(method, "svg"))
    boxes = [box.attrib for box in root.iter(f"{SVG}rect") if "class" in box.attrib]
    kinds = [box["class"] for box in boxes]
    places = [(box["x"], box["y"]) for box in boxes]

    # One box more without a value is the head.
    assert (kinds.count("n") + kinds.count("s") - 1, kinds.count("e"), kinds.count("s")) == counts
    assert len(set(places)) == len(places)
    assert len(list(root.iter(f"{SVG}path"))) == counts[0] + counts[1]


def test_lines() -> None:
    """Each line of a picture leads from a node to one in the next column."""
    _, nodes = tree_of("jana2021")
    root = ElementTree.fromstring(drawn("jana2021", "svg"))
    boxes = [box.attrib for box in root.iter(f"{SVG}rect") if "class" in box.attrib]
    head, *centres = [
        (int(box["x"]) + int(box["width"]) // 2, int(box["y"]) + int(box["height"]) // 2) for box in boxes
    ]
    lines = [re.fullmatch(r"M(\d+) (\d+)H\d+V(\d+)H(\d+)", path.attrib["d"]) for path in root.iter(f"{SVG}path")]
    ends = [tuple(map(int, line.groups())) for line in lines if line]

    wanted = [
        (*(centres[parent] if parent >= 0 else head), *centres[at][::-1]) for at, (_, parent, _) in enumerate(nodes)
    ]
    assert ends == wanted
    assert all(to_x > x for x, _, _, to_x in ends)


def test_full_cube() -> None:
    """A full cube has the head alone."""
    root = ElementTree.fromstring(drawn("jana2021", "svg", known("papers/jana-2023-table-1.txt").puzzle))
    assert [box.get("class") for box in root.iter(f"{SVG}rect")] == [None, "n"]


@pytest.mark.parametrize(("board", "words"), [("9x9x9", "729 levels"), ("4x4x4", "more than 5,000 nodes")])
def test_too_large(run: Command, board: str, words: str) -> None:
    """A tree too large for a picture is refused in one line."""
    ran = run("explain", "--board", board, "--method", "jana2021", "--to", "svg")
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert words in ran.err


def test_clash() -> None:
    """A clash has no tree."""
    puzzle = known(PAPER).puzzle
    givens = puzzle.givens.copy()
    givens[0] = givens[1]
    clashing = Puzzle(puzzle.geometry, givens)
    for method in METHODS:
        with pytest.raises(MethodError, match="there is no tree"):
            drawn(method, "dot", clashing)
