"""The graph of GTSPS as DOT, GraphML and SVG, each read back by a reader that knows nothing of what wrote it."""

import re
from xml.etree import ElementTree

import pytest

from sudoku_encode.errors import MethodError
from sudoku_encode.papers import gtsps4, gtsps_contracted_graph, gtsps_graph
from sudoku_encode.papers.gtsps4 import STEPS, Graph
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.known_puzzles import known

GRAPHML = "{http://graphml.graphdrawing.org/xmlns}"
SVG = "{http://www.w3.org/2000/svg}"
NAMES = (
    "papers/gtsps-fig-4.2.ss",
    "papers/gtsps-fig-4.9.sdk",
    "small/6x6.txt",
    "small/10x10.txt",
    "small/4x4-none.txt",
)


def made(name: str) -> Graph:
    return gtsps4.build_graph(known(name).puzzle, lambda: None)


def pairs(graph: Graph) -> list[tuple[str, str]]:
    return [(graph.names[one], graph.names[other]) for one, other in graph.edges.tolist()]


@pytest.mark.parametrize("name", NAMES)
def test_graphml(name: str) -> None:
    """GraphML holds every vertex with its attributes and every edge."""
    graph = made(name)
    root = ElementTree.fromstring("\n".join(gtsps_graph.graphml(graph)))
    keys = {key.attrib["id"]: key.attrib for key in root.iter(f"{GRAPHML}key")}
    nodes = {
        node.attrib["id"]: {data.attrib["key"]: data.text or "" for data in node}
        for node in root.iter(f"{GRAPHML}node")
    }

    assert root.tag == f"{GRAPHML}graphml"
    assert {key["attr.name"] for key in keys.values()} == {"minigrid", "permutation", "deleted"}
    assert list(nodes) == graph.names
    assert [node["deleted"] for node in nodes.values()] == [STEPS[step] for step in graph.deleted.tolist()]
    texts = [(one.label, text) for one in graph.minigrids for text in one.texts()]
    assert [(node["minigrid"], node["permutation"]) for node in nodes.values()] == texts
    edges = [(edge.attrib["source"], edge.attrib["target"]) for edge in root.iter(f"{GRAPHML}edge")]
    assert edges == pairs(graph)


def test_graphml_steps() -> None:
    """The steps of fig 4 2 are in its GraphML."""
    text = "\n".join(gtsps_graph.graphml(made(NAMES[0])))

    assert text.count("<node ") == 33
    assert text.count("<edge ") == 104
    assert text.count('<data key="deleted">degree</data>') == 7
    assert text.count('<data key="deleted">structure</data>') == 17
    assert '<node id="7d"><data key="minigrid">M7</data><data key="permutation">163247</data>' in text


@pytest.mark.parametrize("name", NAMES)
def test_dot(name: str) -> None:
    """DOT holds every vertex in the cluster of its minigrid and every edge."""
    graph = made(name)
    lines = list(gtsps_graph.dot(graph))
    cluster, found = "", []
    for line in lines:
        if match := re.fullmatch(r'  subgraph "cluster_(M\d+)" \{', line):
            cluster = match[1]
        elif match := re.fullmatch(r'    "(\w+)" \[tooltip="([\d ]*)"(, deleted="(\w+)", .*)?\];', line):
            found.append((match[1], cluster, match[2], match[4] or ""))
    edges = [match.groups() for line in lines if (match := re.match(r'  "(\w+)" -- "(\w+)"', line))]

    assert found == [
        (vertex, *text, STEPS[step])
        for vertex, text, step in zip(
            graph.names,
            [(one.label, text) for one in graph.minigrids for text in one.texts()],
            graph.deleted.tolist(),
            strict=True,
        )
    ]
    assert edges == pairs(graph)
    assert "\n".join(lines).count("{") == "\n".join(lines).count("}")


def test_dot_colours() -> None:
    """An edge of a deleted vertex has the colour of its step in DOT."""
    lines = list(gtsps_graph.dot(made(NAMES[0])))

    assert '  "1a" -- "2b";' in lines
    assert '  "1b" -- "4a" [color=grey];' in lines
    assert '  "1a" -- "7b" [color=orange];' in lines
    assert sum(" -- " in line and "color" not in line for line in lines) == 18


@pytest.mark.parametrize("name", NAMES)
def test_picture_places(name: str) -> None:
    """A picture has every vertex in its minigrid and no two in one place."""
    graph = made(name)
    root = ElementTree.fromstring("\n".join(gtsps_graph.svg(graph)))
    boxes = [box.attrib for box in root.iter(f"{SVG}rect") if box.get("class") == "m"]
    drawn = list(root.iter(f"{SVG}g"))
    centres = []
    owners = [one.number for one in graph.minigrids for _ in one.permutations]
    for group, vertex, owner in zip(drawn, graph.names, owners, strict=True):
        circle, text, box = group.find(f"{SVG}circle"), group.find(f"{SVG}text"), boxes[owner]
        assert circle is not None
        assert text is not None
        assert text.text == vertex
        x, y, r = (int(circle.attrib[key]) for key in ("cx", "cy", "r"))
        assert int(box["x"]) + r < x < int(box["x"]) + int(box["width"]) - r
        assert int(box["y"]) + r < y < int(box["y"]) + int(box["height"]) - r
        centres.append((x, y))

    assert len(boxes) == len(graph.minigrids)
    assert len(set(centres)) == len(centres)
    assert [group.get("class") for group in drawn] == ["vds"[step] for step in graph.deleted.tolist()]
    ends = [tuple(map(int, re.findall(r"\d+", path.attrib["d"]))) for path in root.iter(f"{SVG}path")]
    assert {(end[:2], end[-2:]) for end in ends} == {
        (centres[one], centres[other]) for one, other in graph.edges.tolist()
    }
    assert len(ends) == len(graph.edges)


def test_picture_layers() -> None:
    """What is left is drawn over what was deleted."""
    lines = list(gtsps_graph.svg(made(NAMES[0])))
    classes = {'class="d"': "grey", 'class="s"': "orange"}
    paths = [line for line in lines if line.startswith("<path")]
    kinds = [next((colour for name, colour in classes.items() if name in line), "blue") for line in paths]

    # 104 edges of Fig. 4.3, 88 of Fig. 4.5, 18 of Fig. 4.6.
    assert kinds == ["grey"] * 16 + ["orange"] * 70 + ["blue"] * 18
    assert sum('class="v"' in line for line in lines) == 9
    assert any("<title>8g: 62854, deleted by degree</title>" in line for line in lines)


def test_empty_picture() -> None:
    """A puzzle without permutations is a picture too."""
    puzzle = known("small/4x4-no-candidate.txt").puzzle
    graph = gtsps4.build_graph(Puzzle(puzzle.geometry, puzzle.givens), lambda: None)

    for text in (gtsps_graph.svg, gtsps_graph.graphml):
        ElementTree.fromstring("\n".join(text(graph)))
    assert list(gtsps_graph.dot(graph))[-1] == "}"


def test_super_vertices() -> None:
    """The picture of G* has the super-vertices and edges of Fig. 4.8, and its two cycles of three."""
    puzzle = known("papers/gtsps-fig-4.2.ss").puzzle
    root = ElementTree.fromstring("\n".join(gtsps_contracted_graph.draw(puzzle, lambda: None, "svg")))
    texts = {text.text: text.get("class") for text in root.iter(f"{SVG}text") if (text.text or "").startswith("<")}
    paths = [path.get("class") for path in root.iter(f"{SVG}path")]

    # Of 40 super-vertices 21 have no edge (section 4.2 lists 35).
    assert (len(texts), list(texts.values()).count(None)) == (40, 21)
    cycles = "<1a-2b-3e> <4a-5b-6a> <7d-8f-9a> <1a-4a-7d> <2b-5b-8f> <3e-6a-9a>"
    assert {text for text, kind in texts.items() if kind == "c"} == set(cycles.split())
    assert (len(paths), paths.count("c")) == (19, 6)


def test_super_vertices_refused() -> None:
    """A puzzle whose givens clash has no graph of super-vertices."""
    with pytest.raises(MethodError, match="two givens clash"):
        list(gtsps_contracted_graph.draw(known("small/9x9-clash.txt").puzzle, lambda: None, "svg"))
