"""The graph G of GTSPS as DOT, GraphML and SVG, with the deleted vertices and edges marked.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), Figures 4.3, 4.5 and 4.6.
Differs: the figures stack the minigrids in nine levels; here they lie as on the board, so that every edge runs along a
    row or a column of them. The three figures are one: each deleted vertex carries the step that deleted it, and
    so does each edge, in its colour.
"""

from collections.abc import Callable, Iterator
from math import ceil, sqrt

import numpy as np

from sudoku_encode.errors import MethodError
from sudoku_encode.papers.gtsps4 import DEGREE, STEPS, STRUCTURE, Graph, build_graph
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Puzzle

# For remaining vertices and for those that each step deleted: the class in the picture, and the colour in Graphviz.
_CLASSES, _COLOURS = ("v", "d", "s"), ("", "grey", "orange")
_LEGEND = "grey: deleted for its degree, between Fig. 4.3 and 4.5; orange: by structure, between Fig. 4.5 and 4.6"
# Sizes in the picture: the square of a vertex, the gap between minigrids, the margin.
_DOT, _GAP, _MARGIN = 26, 90, 60
_STYLE = (
    "text{font:9px sans-serif;text-anchor:middle}.m{fill:#f4f1ea;stroke:#b8b0a0}.m+text{font-size:12px;fill:#666}"
    "path{fill:none;stroke:#35689b;stroke-width:.8;stroke-opacity:.6}.v circle{fill:#fff;stroke:#35689b}"
    "path.d{stroke:#bbb;stroke-width:.5}.d circle{fill:#eee;stroke:#bbb}.d text{fill:#999}"
    "path.s{stroke:#d9a066;stroke-width:.5}.s circle{fill:#fdf3e6;stroke:#d9a066}.s text{fill:#b07030}"
)


def draw(puzzle: Puzzle, tick: Callable[[], None], form: str) -> Iterator[str]:
    """Yield the lines of a file, `dot`, `graphml` or `svg`, with the graph of a puzzle.

    Raises:
        MethodError: two givens clash, so there is no graph.
    """
    if puzzle.clash is not None:
        raise MethodError("two givens clash: there is no graph")
    yield from {"dot": dot, "graphml": graphml, "svg": svg}[form](build_graph(puzzle, tick))


def _vertices(graph: Graph) -> Iterator[tuple[str, str, str, str]]:
    """Yield the name, minigrid and permutation of each vertex, and the step that deleted it."""
    texts = [(one.label, text) for one in graph.minigrids for text in one.texts()]
    for name, (label, text), step in zip(graph.names, texts, graph.deleted.tolist(), strict=True):
        yield name, label, text, STEPS[step]


def dot(graph: Graph) -> Iterator[str]:
    """Yield the graph for Graphviz, a line at a time: minigrids are clusters, each step of deletion a colour."""
    yield "graph G {"
    yield "  node [shape=circle];"
    cluster = ""
    for name, label, text, step in _vertices(graph):
        if label != cluster:
            yield from ["  }"] if cluster else []
            yield f'  subgraph "cluster_{label}" {{'
            yield f'    label="{label}";'
            cluster = label
        colour = _COLOURS[STEPS.index(step)]
        attributes = f', deleted="{step}", color={colour}, fontcolor={colour}' if step else ""
        yield f'    "{name}" [tooltip="{text}"{attributes}];'
    yield from ["  }"] if cluster else []
    for (first, second), deletion in zip(graph.edges.tolist(), _deletion_of_edges(graph), strict=True):
        colour = f" [color={_COLOURS[deletion]}]" if deletion else ""
        yield f'  "{graph.names[first]}" -- "{graph.names[second]}"{colour};'
    yield "}"


def graphml(graph: Graph) -> Iterator[str]:
    """Yield the graph as GraphML, a line at a time; `deleted` is empty for a remaining vertex."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for key in ("minigrid", "permutation", "deleted"):
        yield f'  <key id="{key}" for="node" attr.name="{key}" attr.type="string"/>'
    yield '  <graph id="G" edgedefault="undirected">'
    for name, *values in _vertices(graph):
        data = zip(("minigrid", "permutation", "deleted"), values, strict=True)
        inside = "".join(f'<data key="{key}">{value}</data>' for key, value in data)
        yield f'    <node id="{name}">{inside}</node>'
    for first, second in graph.edges.tolist():
        yield f'    <edge source="{graph.names[first]}" target="{graph.names[second]}"/>'
    yield "  </graph>"
    yield "</graphml>"


def svg(graph: Graph) -> Iterator[str]:
    """Yield a picture of the graph, a line at a time: minigrids as on the board, a colour for each step of deletion."""
    places, side = _places(graph)
    per_minigrid = side * _DOT
    height, width = (count * (per_minigrid + _GAP) - _GAP + 2 * _MARGIN for count in graph.shape)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    yield f"<style>{_STYLE}</style>"
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    for minigrid in graph.minigrids:
        down, across = (_MARGIN + place * (per_minigrid + _GAP) for place in divmod(minigrid.number, graph.shape[1]))
        box = f'x="{across}" y="{down}" width="{per_minigrid}" height="{per_minigrid}" rx="6"'
        yield f'<rect class="m" {box}/><text x="{across + 10}" y="{down - 5}">{minigrid.label}</text>'
    yield f'<text x="{width // 2}" y="{_MARGIN // 3}">{_LEGEND}</text>'
    deletions = np.array(_deletion_of_edges(graph), np.int64)
    # Drawn in this order: edges deleted first lie below, remaining edges on top.
    for deletion in (DEGREE, STRUCTURE, 0):
        name = f' class="{_CLASSES[deletion]}"' if deletion else ""
        for minigrid, other in graph.edges[deletions == deletion].tolist():
            yield f'<path{name} d="{_curve(places[minigrid], places[other])}"/>'
    for place, (name, _, text, step) in zip(places.tolist(), _vertices(graph), strict=True):
        title = f"{name}: {text}" + (f", deleted by {step}" if step else "")
        yield f'<g class="{_CLASSES[STEPS.index(step)]}"><title>{title}</title>{_circle(place, name)}</g>'
    yield "</svg>"


def _deletion_of_edges(graph: Graph) -> list[int]:
    """Return, for each edge, the step that deleted the first of its ends, or 0."""
    steps = graph.deleted[graph.edges].astype(np.int64)
    first = np.where(steps == 0, STRUCTURE + 1, steps).min(axis=1, initial=STRUCTURE + 1)
    deletions: list[int] = np.where(first > STRUCTURE, 0, first).tolist()
    return deletions


def _places(graph: Graph) -> tuple[Int64s, int]:
    """Return x and y of each vertex, and the number of vertices side by side in a minigrid."""
    sizes = [len(one.permutations) for one in graph.minigrids]
    side = max(2, ceil(sqrt(max(sizes))))
    places = np.empty((sum(sizes), 2), np.int64)
    for number, size in enumerate(sizes):
        corner = np.array(divmod(number, graph.shape[1])) * (side * _DOT + _GAP) + _MARGIN
        own = max(1, ceil(sqrt(size)))
        within = np.column_stack(np.divmod(np.arange(size), own)) * 2 + 1
        free = np.array([side - ceil(size / own), side - own])
        places[graph.starts[number] : graph.starts[number + 1]] = (corner + (within + free) * _DOT // 2)[:, ::-1]
    return places, side


def _curve(start: Int64s, end: Int64s) -> str:
    """Return the path of an edge, an arc, which avoids the middle minigrid of a line."""
    (x, y), (to_x, to_y) = start.tolist(), end.tolist()
    bend_x, bend_y = (x + to_x) // 2 + (to_y - y) // 8, (y + to_y) // 2 - (to_x - x) // 8
    return f"M{x} {y}Q{bend_x} {bend_y} {to_x} {to_y}"


def _circle(place: list[int], name: str) -> str:
    x, y = place
    return f'<circle cx="{x}" cy="{y}" r="{_DOT // 2 - 2}"/><text x="{x}" y="{y + 3}">{name}</text>'
