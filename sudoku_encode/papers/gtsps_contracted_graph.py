"""The graph G* of GTSPS as SVG: super-vertices along rows and columns of minigrids, their edges, and its cycles.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), Figure 4.8.
Differs: the figure's picture is not in the text at hand; here the super-vertices of each row, and below them of each
    column, stand in a list. G is taken after the deletions by degree, as in section 4.2.
"""

from collections.abc import Callable, Iterator
from itertools import combinations

import numpy as np

from sudoku_encode.errors import MethodError
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.gtsps4 import DEGREE, Graph, Line, build_graph
from sudoku_encode.papers.gtsps4_contracted import crossing, names, super_vertices
from sudoku_encode.puzzles.puzzle import Puzzle

# A picture of a larger graph would be unreadable.
_MAX_VERTICES = 400
# Sizes in the picture: a letter, the distance of names in a list, the gap between lists, the margin.
_LETTER, _LINE, _GAP, _MARGIN = 7, 18, 110, 40
_STYLE = (
    "text{font:11px monospace;text-anchor:middle;fill:#999}text.h{font:12px sans-serif;fill:#666}text.e{fill:#333}"
    "text.c{fill:#a04000;font-weight:bold}path{fill:none;stroke:#35689b;stroke-width:.8}path.c{stroke:#d07020;stroke-width:2}"
)
_LEGEND = "grey: no edge; orange: in a cycle, which is a solution"

Place = tuple[int, int]


def draw(puzzle: Puzzle, tick: Callable[[], None], form: str) -> Iterator[str]:
    """Yield the lines of a file, `svg`, with the graph of super-vertices of a puzzle.

    Raises:
        MethodError: two givens clash, so there is no graph; or it is too large for a picture.
    """
    if puzzle.clash is not None:
        raise MethodError("two givens clash: there is no graph")
    graph = build_graph(puzzle, tick)
    parts: list[str] = []
    width, top = 0, _MARGIN
    for what, lines in (("row", graph.rows), ("column", graph.columns)):
        listed = [names(graph, super_vertices(graph, line, tick, DEGREE)) for line in lines]
        if (n_vertices := sum(map(len, listed))) > _MAX_VERTICES:
            raise MethodError(f"G* has {n_vertices} super-vertices along the {what}s: a picture has {_MAX_VERTICES}")
        places = _places(listed, top)
        edges, cycles = _edges_and_cycles(graph, lines, listed, tick)
        parts += _drawn(what, listed, places, edges, cycles)
        width = max([width, *(x + len(name) * _LETTER // 2 + _MARGIN for name, (x, _) in places.items())])
        top = max([top, *(y for _, y in places.values())]) + 3 * _LINE
    yield f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {top}" width="{width}" height="{top}">'
    yield f"<style>{_STYLE}</style>"
    yield f'<rect width="{width}" height="{top}" fill="#fff"/>'
    yield f'<text class="h" x="{width // 2}" y="{_MARGIN // 2}">{_LEGEND}</text>'
    yield from parts
    yield "</svg>"


def _places(listed: list[list[str]], top: int) -> dict[str, Place]:
    """Return the place of the middle of each name, a list beside the other."""
    places: dict[str, Place] = {}
    start = _MARGIN
    for vertices in listed:
        width = max(map(len, vertices), default=1) * _LETTER
        places |= {name: (start + width // 2, top + (number + 2) * _LINE) for number, name in enumerate(vertices)}
        start += width + _GAP
    return places


def _edges_and_cycles(
    graph: Graph, lines: tuple[Line, ...], listed: list[list[str]], tick: Callable[[], None]
) -> tuple[set[tuple[str, str]], set[str]]:
    """Return the edges of G* among some lines, and the super-vertices that are in a cycle."""
    levels = [crossing(graph, line, super_vertices(graph, line, tick, DEGREE)) for line in lines]
    edges = {
        (listed[first][a], listed[second][b])
        for first, second in combinations(range(len(lines)), 2)
        for batch in gtsps.matching([levels[first], levels[second]], tick)
        for a, b in batch.tolist()
    }
    cycles = np.concatenate([np.empty((0, len(lines)), np.int32), *gtsps.matching(levels, tick)])
    return edges, {listed[line][vertex] for row in cycles.tolist() for line, vertex in enumerate(row)}


def _drawn(
    what: str, listed: list[list[str]], places: dict[str, Place], edges: set[tuple[str, str]], cycles: set[str]
) -> Iterator[str]:
    """Yield the edges, then the names of the super-vertices with a heading for each line."""
    for pair in sorted(edges):
        (x, y), (to_x, to_y) = (places[name] for name in pair)
        start, end = (len(name) * _LETTER // 2 for name in pair)
        # An edge that passes over the list between its ends bends upwards.
        bend = 2 * _LINE if to_x - x > _GAP + 3 * start else 0
        name = ' class="c"' if cycles.issuperset(pair) else ""
        middle = f"{(x + to_x) // 2} {(y + to_y) // 2 - bend}"
        yield f'<path{name} d="M{x + start} {y - 4}Q{middle} {to_x - end} {to_y - 4}"/>'
    with_edge = {name for pair in edges for name in pair}
    for number, vertices in enumerate(listed, start=1):
        for name in vertices:
            x, y = places[name]
            kind = ' class="c"' if name in cycles else ' class="e"' if name in with_edge else ""
            yield f'<text{kind} x="{x}" y="{y}">{name.replace("<", "&lt;").replace(">", "&gt;")}</text>'
        if vertices:
            x, y = places[vertices[0]]
            yield f'<text class="h" x="{x}" y="{y - _LINE}">{what} {number} of minigrids</text>'
