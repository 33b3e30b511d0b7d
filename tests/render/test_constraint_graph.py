"""The constraint graph of a board: `info --to`."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.render import constraint_graph
from tests.helpers.command import Command

SVG = "{http://www.w3.org/2000/svg}"
FIGURE = str(Path(__file__).parents[2] / "instances" / "papers" / "gtsps-fig-4.2.ss")


def pairs_by_rule(name: str) -> Counter[str]:
    """Count the pairs that must differ in plain code: each is of the first rule that has it."""
    first: dict[frozenset[int], str] = {}
    for rule in board(name).rules:
        for unit in rule.units.tolist():
            for pair in combinations(unit, 2):
                first.setdefault(frozenset(pair), rule.name)
    return Counter(first.values())


@pytest.mark.parametrize("name", ["4x4", "6x6", "9x9", "9x9+diagonals", "4x4x4", "latin:4x4x4", "corner:4"])
def test_edges_by_rule(name: str) -> None:
    """Each edge is drawn once by its rule."""
    tree = ElementTree.fromstring("\n".join(constraint_graph.svg(Puzzle.of(board(name)))))
    drawn = {group.get("data-rule"): len(group) for group in tree.iter(f"{SVG}g") if group.get("data-rule")}

    assert drawn == pairs_by_rule(name)
    assert sum(drawn.values()) == len(board(name).edges)
    assert len([group for group in tree.iter(f"{SVG}g") if group.get("class") == "vertex"]) == board(name).n_cells


@pytest.mark.parametrize("name", ["9x9+diagonals+windoku", "4x4x4"])
def test_rules_look_different(name: str) -> None:
    """No two rules look alike."""
    tree = ElementTree.fromstring("\n".join(constraint_graph.svg(Puzzle.of(board(name)))))
    groups = [group for group in tree.iter(f"{SVG}g") if group.get("data-rule")]
    looks = {(group[0].get("class"), group[0].get("stroke-dasharray")) for group in groups}

    assert len({dash for _, dash in looks}) == len({style for style, _ in looks}) == len(groups)


@pytest.mark.parametrize("name", ["9x9", "4x4x4", "corner:4"])
def test_inside_picture(name: str) -> None:
    """All is within the picture and no two vertices touch."""
    tree = ElementTree.fromstring("\n".join(constraint_graph.svg(Puzzle.of(board(name)))))
    width, height = float(tree.get("width", 0)), float(tree.get("height", 0))
    circles = [(float(one.get("cx", 0)), float(one.get("cy", 0))) for one in tree.iter(f"{SVG}circle")]

    for path in tree.iter(f"{SVG}path"):
        x, y, bend_x, bend_y, to_x, to_y = map(float, (re.findall(r"-?\d+", path.get("d", "")) + ["0"] * 3)[:6])
        assert 0 <= (x + 2 * bend_x + to_x) / 4 <= width
        assert 0 <= (y + 2 * bend_y + to_y) / 4 <= height
    assert min((x - u) ** 2 + (y - v) ** 2 for (x, y), (u, v) in combinations(circles, 2)) > 26**2


def test_dot_and_graphml(run: Command) -> None:
    """DOT and GraphML have the same edges."""
    dot = run("info", FIGURE, "--to", "dot")
    tree = ElementTree.fromstring(run("info", FIGURE, "--to", "graphml").out)
    space = "{http://graphml.graphdrawing.org/xmlns}"

    in_dot = re.findall(r'^  "(\S+)" -- "(\S+)" \[rule="(\S+)"\];$', dot.out, re.MULTILINE)
    edges = [(edge.get("source"), edge.get("target"), edge[0].text) for edge in tree.iter(f"{space}edge")]
    assert in_dot == edges
    assert len(edges) == 810
    assert '  "r1c2" [label="r1c2\\n1", given=1];' in dot.lines
    assert sum(node[0].text != "0" for node in tree.iter(f"{space}node")) == 35


def test_too_large(run: Command) -> None:
    """What is too large for a picture is one line that names the limit."""
    ran = run("info", "--board", "9x9x9", "--to", "svg")
    assert (ran.status, ran.out, len(ran.err.splitlines())) == (2, "", 1)
    assert "has 729 vertices; svg supports up to 81" in ran.err
    assert len(run("info", "--board", "9x9x9", "--to", "dot").lines) == 3 + 729 + 13_122


@pytest.mark.parametrize("option", ["--json", "--csv", "--encodings=all", "--amo=all"])
def test_unused_options(option: str, run: Command) -> None:
    """What is for figures is refused beside a graph."""
    ran = run("info", FIGURE, "--to", "svg", option)
    assert (ran.status, ran.out) == (2, "")
    assert f"{option.partition('=')[0]} is for figures" in ran.err
