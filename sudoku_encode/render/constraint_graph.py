"""The constraint graph of a board: a vertex for each cell, an edge between any two that must differ, with its rule.

In SVG the vertices lie as the cells do, those of a cube in a projection. An edge that several rules require belongs to
the first of them. DOT and GraphML are for other programs.
"""

from collections.abc import Iterator, Sequence
from html import escape
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import GeometryError
from sudoku_encode.puzzles.folding import polygons
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.render.page import asset

# With more vertices the picture would be nothing but lines.
MAX_VERTICES = 81
# Lengths are in pixels: from cell to cell, of the space around, of a line of the legend, the radius of a vertex.
_STEP, _MARGIN, _LINE, _RADIUS = 72, 60, 20, 13
# How far a long edge is bent, so that edges on a line do not hide each other; it stays between two lines.
_BEND = 42
# The dashes of each rule's lines, so that they can be told apart without colours.
_DASHES = ("", "6 3", "1.5 3", "8 3 1.5 3", "12 4", "3 3", "10 3 2 3 2 3", "1 5")
# The directions of x, y and z of a cube in the picture, to the right and down. They differ in length, so that no two
# cells of a cube of side 4 are nearer to each other than half a step.
_AXES = np.array([[-0.43, 0.22], [0.85, 0.04], [0.0, -1.0]])


class RuleEdges(NamedTuple):
    """The edges of a rule."""

    name: str  # of the rule
    edges: NDArray[np.int32]  # (edges, 2): those that no earlier rule requires


def by_rule(board: Geometry) -> list[RuleEdges]:
    """Return the edges of the graph by the first rule that requires each, rules of one name together.

    >>> from sudoku_encode import board
    >>> [(name, len(edges)) for name, edges in by_rule(board("9x9"))]
    [('row', 324), ('column', 324), ('box', 162)]
    """
    first, second = board.units_of_cells[board.edges[:, 0]], board.units_of_cells[board.edges[:, 1]]
    number = ((first == second) & (first >= 0)).argmax(axis=1)
    names = np.array([rule.name for rule in board.rules])
    return [RuleEdges(name, board.edges[names[number] == name]) for name in board.rule_names]


def dot(puzzle: Puzzle) -> Iterator[str]:
    """Yield the graph for Graphviz, a line at a time: each vertex with its given, each edge with its rule."""
    board = puzzle.geometry
    yield "graph constraints {"
    yield "  node [shape=circle];"
    for name, value in zip(board.cell_names, puzzle.givens.tolist(), strict=True):
        number = board.shown(value)
        given = f' [label="{name}\\n{number}", given={number}]' if value else ""
        yield f'  "{name}"{given};'
    for rule, edges in by_rule(board):
        for first, second in edges.tolist():
            yield f'  "{board.cell_names[first]}" -- "{board.cell_names[second]}" [rule="{rule}"];'
    yield "}"


def graphml(puzzle: Puzzle) -> Iterator[str]:
    """Yield the graph as GraphML, a line at a time; `given` is 0 in a blank, or left out where 0 is a value."""
    board = puzzle.geometry
    yield '<?xml version="1.0" encoding="UTF-8"?>'
    yield '<graphml xmlns="http://graphml.graphdrawing.org/xmlns">'
    yield '  <key id="given" for="node" attr.name="given" attr.type="int"/>'
    yield '  <key id="rule" for="edge" attr.name="rule" attr.type="string"/>'
    yield '  <graph id="constraints" edgedefault="undirected">'
    for name, value in zip(board.cell_names, puzzle.givens.tolist(), strict=True):
        data = f'<data key="given">{board.shown(value)}</data>' if value or board.first else ""
        yield f'    <node id="{name}">{data}</node>'
    for rule, edges in by_rule(board):
        data = f'<data key="rule">{escape(rule)}</data>'
        for first, second in edges.tolist():
            source, target = board.cell_names[first], board.cell_names[second]
            yield f'    <edge source="{source}" target="{target}">{data}</edge>'
    yield "  </graph>"
    yield "</graphml>"


def svg(puzzle: Puzzle) -> Iterator[str]:
    """Yield a picture of the graph, a line at a time: each rule has its own colour and dashes.

    Raises:
        GeometryError: there are more than MAX_VERTICES cells.
    """
    board = puzzle.geometry
    if board.n_cells > MAX_VERTICES:
        raise GeometryError(
            f"the graph of {board.name} has {board.n_cells} vertices; svg supports up to {MAX_VERTICES}; "
            "dot and graphml support any number"
        )
    groups, places = by_rule(board), _places(board)
    width, height = places.max(axis=0).round().astype(int) + _MARGIN
    legend = int(height)
    height = legend + _LINE * (len(groups) + 1)
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {width} {height}" width="{width}"'
    title = f"constraint graph of {board.name}: {board.n_cells} vertices, {len(board.edges):,} edges"
    yield f'{head} height="{height}" role="img" aria-label="{escape(title)}">'
    yield f"<style>{asset('plots.css')}</style>"
    yield '<rect class="ground" width="100%" height="100%"/>'
    for number, (rule, edges) in enumerate(groups):
        yield f'<g class="edges" data-rule="{escape(rule)}" opacity="0.7">'
        style = f'class="line c{number}" stroke-dasharray="{_DASHES[number % len(_DASHES)]}"'
        yield from (f'<path {style} d="{_arc(places[first], places[second])}"/>' for first, second in edges.tolist())
        yield "</g>"
    yield from _vertices(puzzle, places)
    yield from _legend(groups, legend, title)
    yield "</svg>"


def _places(board: Geometry) -> NDArray[np.float64]:
    """Return the place of each cell in the picture, to the right and down, float64 (n_cells, 2)."""
    if board.has_axes:
        points = np.indices(board.shape).reshape(3, -1).T @ _AXES
        # A cube is drawn larger, since three lines meet in each cell.
        points = points * 2
    else:
        points = polygons(board).mean(axis=1)
    moved: NDArray[np.float64] = (points - points.min(axis=0)) * _STEP + _MARGIN
    return moved


def _arc(start: NDArray[np.float64], end: NDArray[np.float64]) -> str:
    """Return the path of an edge: straight between neighbours, else bent the more the longer it is."""
    along = end - start
    length = float(np.hypot(*along))
    middle = (start + end) / 2
    if length > _STEP * 1.01:
        # To one side of the edge; a quadratic curve reaches half as far as its control point.
        middle = middle + np.array([along[1], -along[0]]) / length * 2 * _BEND * (1 - _STEP / length)
    (x, y), (bend_x, bend_y), (to_x, to_y) = start, middle, end
    return f"M{x:.0f} {y:.0f}Q{bend_x:.0f} {bend_y:.0f} {to_x:.0f} {to_y:.0f}"


def _vertices(puzzle: Puzzle, places: NDArray[np.float64]) -> Iterator[str]:
    """Yield a circle for each cell, with its given."""
    board, givens = puzzle.geometry, puzzle.givens.tolist()
    for cell, (x, y) in enumerate(places):
        says = f"{board.cell_names[cell]}: {len(board.peers[cell])} peers"
        value = (
            f'<text class="title" text-anchor="middle" x="{x:.0f}" y="{y + 4:.0f}">{board.shown(givens[cell])}</text>'
        )
        circle = f'<circle cx="{x:.0f}" cy="{y:.0f}" r="{_RADIUS}" fill="var(--ground)" stroke="var(--ink)"/>'
        yield f'<g class="vertex"><title>{says}</title>{circle}{value if givens[cell] else ""}</g>'


def _legend(groups: Sequence[RuleEdges], top: int, title: str) -> Iterator[str]:
    """Yield a title, and a sample line of each rule with its name."""
    yield f'<text class="title" x="12" y="{top}">{escape(title)}</text>'
    for number, (rule, edges) in enumerate(groups):
        y = top + _LINE * (number + 1)
        style = f'class="line c{number}" stroke-dasharray="{_DASHES[number % len(_DASHES)]}"'
        yield f'<path {style} d="M12 {y - 4}h44"/>'
        yield f'<text x="64" y="{y}">{escape(rule)}: {len(edges):,} edges</text>'
