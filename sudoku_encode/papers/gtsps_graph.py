"""The graph G of GTSPS as a result: DOT, GraphML, and a picture in SVG. What was deleted stays in it, marked.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), Figures 4.3, 4.5 and 4.6.
Differs: the figures stack the minigrids in nine levels; here they lie as on the board, so that every edge runs along a
    row or a column of them. The three figures are one: each deleted vertex carries the step that deleted it, and
    so does each edge, in its colour.
"""

from collections.abc import Callable, Iterator
from math import ceil, sqrt

import numpy as np

from sudoku_encode.errors import MethodError
from sudoku_encode.papers.gtsps4 import DEGREE, STEPS, STRUCTURE, Graph, graph
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.puzzle import Puzzle

# Of what is left, and of what each step deleted: the class in the picture, and the colour for Graphviz.
_CLASSES, _COLOURS = ("v", "d", "s"), ("", "grey", "orange")
_LEGEND = "grey: deleted for its degree, between Fig. 4.3 and 4.5; orange: by structure, between Fig. 4.5 and 4.6"
# Sides in the picture: of a vertex's own square, of the space between minigrids, of the edge of the picture.
_DOT, _GAP, _MARGIN = 26, 90, 60
_STYLE = (
    "text{font:9px sans-serif;text-anchor:middle}.m{fill:#f4f1ea;stroke:#b8b0a0}.m+text{font-size:12px;fill:#666}"
    "path{fill:none;stroke:#35689b;stroke-width:.8;stroke-opacity:.6}.v circle{fill:#fff;stroke:#35689b}"
    "path.d{stroke:#bbb;stroke-width:.5}.d circle{fill:#eee;stroke:#bbb}.d text{fill:#999}"
    "path.s{stroke:#d9a066;stroke-width:.5}.s circle{fill:#fdf3e6;stroke:#d9a066}.s text{fill:#b07030}"
)


def draw(puzzle: Puzzle, tick: Callable[[], None], form: str) -> Iterator[str]:
    """Yield the lines of a file with the graph of a puzzle.

    Args:
        puzzle: on a board that GTSPS 4.1 takes.
        tick: called now and then; it may raise StoppedError.
        form: `dot`, `graphml` or `svg`.

    Raises:
        MethodError: two givens clash: there is no graph.
    """
    if puzzle.clash is not None:
        raise MethodError("two givens clash: there is no graph")
    yield from {"dot": dot, "graphml": graphml, "svg": svg}[form](graph(puzzle, tick))


def _vertices(made: Graph) -> Iterator[tuple[str, str, str, str]]:
    """Yield name, minigrid, permutation and the step that deleted it of each vertex."""
    texts = [(one.label, text) for one in made.minigrids for text in one.texts()]
    for name, (label, text), step in zip(made.names, texts, made.deleted.tolist(), strict=True):
        yield name, label, text, STEPS[step]


def dot(made: Graph) -> Iterator[str]:
    """Yield the graph for Graphviz, a line at a time: minigrids are clusters, each step of deletion a colour."""
    yield "graph G {"
    yield "  node [shape=circle];"
    cluster = ""
    for name, label, text, step in _vertices(made):
        if label != cluster:
            yield from ["  }"] if cluster else []
            yield f'  subgraph "cluster_{label}" {{'
            yield f'    label="{label}";'
            cluster = label
        colour = _COLOURS[STEPS.index(step)]
        gone = f', deleted="{step}", color={colour}, fontcolor={colour}' if step else ""
        yield f'    "{name}" [tooltip="{text}"{gone}];'
    yield from ["  }"] if cluster else []
    for (one, other), gone_with in zip(made.edges.tolist(), _gone_with(made), strict=True):
        colour = f" [color={_COLOURS[gone_with]}]" if gone_with else ""
        yield f'  "{made.names[one]}" -- "{made.names[other]}"{colour};'
    yield "}"


def graphml(made: Graph) -> Iterator[str]:
    """Yield the graph as GraphML, a line at a time; `deleted` is empty where a vertex is left."""
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    for key in ("minigrid", "permutation", "deleted"):
        yield f'  <key id="{key}" for="node" attr.name="{key}" attr.type="string"/>'
    yield '  <graph id="G" edgedefault="undirected">'
    for name, *values in _vertices(made):
        data = zip(("minigrid", "permutation", "deleted"), values, strict=True)
        inside = "".join(f'<data key="{key}">{value}</data>' for key, value in data)
        yield f'    <node id="{name}">{inside}</node>'
    for one, other in made.edges.tolist():
        yield f'    <edge source="{made.names[one]}" target="{made.names[other]}"/>'
    yield "  </graph>"
    yield "</graphml>"


def svg(made: Graph) -> Iterator[str]:
    """Yield a picture of the graph, a line at a time: minigrids as on the board, a colour for each step of deletion."""
    places, side = _places(made)
    per_minigrid = side * _DOT
    height, width = (count * (per_minigrid + _GAP) - _GAP + 2 * _MARGIN for count in made.shape)
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}">'
    yield f"<style>{_STYLE}</style>"
    yield f'<rect width="{width}" height="{height}" fill="#fff"/>'
    for one in made.minigrids:
        down, across = (_MARGIN + at * (per_minigrid + _GAP) for at in divmod(one.number, made.shape[1]))
        box = f'x="{across}" y="{down}" width="{per_minigrid}" height="{per_minigrid}" rx="6"'
        yield f'<rect class="m" {box}/><text x="{across + 10}" y="{down - 5}">{one.label}</text>'
    yield f'<text x="{width // 2}" y="{_MARGIN // 3}">{_LEGEND}</text>'
    gone = np.array(_gone_with(made), np.int64)
    # What is left lies above what was deleted, what was deleted later above the rest.
    for gone_with in (DEGREE, STRUCTURE, 0):
        name = f' class="{_CLASSES[gone_with]}"' if gone_with else ""
        for one, other in made.edges[gone == gone_with].tolist():
            yield f'<path{name} d="{_curve(places[one], places[other])}"/>'
    for at, (name, _, text, step) in zip(places.tolist(), _vertices(made), strict=True):
        title = f"{name}: {text}" + (f", deleted by {step}" if step else "")
        yield f'<g class="{_CLASSES[STEPS.index(step)]}"><title>{title}</title>{_circle(at, name)}</g>'
    yield "</svg>"


def _gone_with(made: Graph) -> list[int]:
    """Return for each edge the step that deleted the first of its ends, or 0."""
    steps = made.deleted[made.edges].astype(np.int64)
    first = np.where(steps == 0, STRUCTURE + 1, steps).min(axis=1, initial=STRUCTURE + 1)
    found: list[int] = np.where(first > STRUCTURE, 0, first).tolist()
    return found


def _places(made: Graph) -> tuple[Int64s, int]:
    """Return x and y of each vertex, and how many vertices lie side by side in a minigrid."""
    sizes = [len(one.permutations) for one in made.minigrids]
    side = max(2, ceil(sqrt(max(sizes))))
    places = np.empty((sum(sizes), 2), np.int64)
    for number, size in enumerate(sizes):
        corner = np.array(divmod(number, made.shape[1])) * (side * _DOT + _GAP) + _MARGIN
        own = max(1, ceil(sqrt(size)))
        within = np.column_stack(np.divmod(np.arange(size), own)) * 2 + 1
        free = np.array([side - ceil(size / own), side - own])
        places[made.starts[number] : made.starts[number + 1]] = (corner + (within + free) * _DOT // 2)[:, ::-1]
    return places, side


def _curve(one: Int64s, other: Int64s) -> str:
    """Draw an edge as an arc, so that one between the outer minigrids of a line goes round the middle one."""
    (x, y), (to_x, to_y) = one.tolist(), other.tolist()
    bend_x, bend_y = (x + to_x) // 2 + (to_y - y) // 8, (y + to_y) // 2 - (to_x - x) // 8
    return f"M{x} {y}Q{bend_x} {bend_y} {to_x} {to_y}"


def _circle(at: list[int], name: str) -> str:
    x, y = at
    return f'<circle cx="{x}" cy="{y}" r="{_DOT // 2 - 2}"/><text x="{x}" y="{y + 3}">{name}</text>'
