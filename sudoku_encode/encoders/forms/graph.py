"""Graph colouring, DIMACS .col, and colourings in the form of the DIMACS challenge."""

from collections.abc import Iterator

import numpy as np

from sudoku_encode.encoders.answers import Answer, Values, from_values
from sudoku_encode.encoders.forms.common import heading, integer, lines, read_heading
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.lowering import require_units_only
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files


def graph(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write the graph that has a colouring in n colours exactly when the puzzle has a solution.

    Vertices 1 to n_cells are the cells. The format has no givens. If a candidate is excluded, n more vertices
    follow, the colours, which form a clique; a cell is joined to every colour that it must not have.
    A solution is then one colouring up to the names of the colours: the colour of vertex n_cells + v is value v.

    Raises:
        MethodError: the puzzle has constraints other than edges.
    """
    board, n = require_units_only(puzzle, "model format col").geometry, puzzle.geometry.n_values
    cells, values = np.nonzero(~candidates)
    n_colours = n if len(cells) else 0
    n_edges = len(board.edges) + len(cells) + n_colours * (n_colours - 1) // 2
    colours = f"vertices {board.n_cells + 1} to {board.n_cells + n} are the values 1 to {n}"
    yield heading(
        "c",
        "col",
        puzzle,
        f"vertices 1 to {board.n_cells} are the cells in reading order",
        colours if n_colours else "no candidate is excluded, so no vertex stands for a value",
        f"a colouring in {n} colours is a solution",
    )
    yield f"p edge {board.n_cells + n_colours} {n_edges}\n".encode("ascii")
    clique = np.stack(np.triu_indices(n_colours, 1), axis=1) + board.n_cells
    excluded = np.stack([cells, values + board.n_cells], axis=1)
    for edges in (board.edges, clique, excluded):
        yield from lines("e %d %d\n", edges + 1)


# Colourings, in the form of the DIMACS challenge: `s col COLOURS`, then `l VERTEX COLOUR`.


def read(model: str, output: str) -> Answer:
    """Read one colouring. Colours may have any numbers, since only the classes matter.

    The colour of a vertex that stands for a value means that value; without such vertices, colours are numbered in
    order of their first use.

    Raises:
        FormatError: an unexpected line, an unknown vertex, or a vertex with two colours.
    """
    puzzle, source = read_heading(model, "c"), files.source_name(output)
    n_vertices = _n_vertices(model)
    colours: dict[int, int] = {}
    for number, line in enumerate(files.read_lines(output), 1):
        kind, *words = line.split() or ["c"]
        if kind == "l" and len(words) == 2:
            vertex, colour = (integer(word, source, number) for word in words)
            if not 1 <= vertex <= n_vertices:
                raise FormatError(f"vertex {vertex} is not in this graph: expected 1 to {n_vertices}", source, number)
            if colours.setdefault(vertex, colour) != colour:
                raise FormatError(f"vertex {vertex} has two colours", source, number)
        elif kind not in ("c", "s", "b") and line.split():
            raise FormatError(f"{short(line.strip())!r} is not a line `l VERTEX COLOUR`", source, number)
    if not colours:
        return from_values(puzzle, None, [])
    if len(colours) < n_vertices:
        return from_values(puzzle, None, [], f"it colours {len(colours)} of {n_vertices} vertices")
    return from_values(puzzle, None, [_grid(puzzle, [colours[vertex] for vertex in range(1, n_vertices + 1)])])


def _n_vertices(model: str) -> int:
    """Return how many vertices the graph has, which depends on whether a candidate is excluded."""
    header = next((line.split() for line in files.read_lines(model) if line.startswith("p edge ")), [])
    if len(header) != 4:
        raise FormatError("this graph has no line `p edge VERTICES EDGES`", model)
    return integer(header[2], model, 0)


def _grid(puzzle: Puzzle, colours: list[int]) -> Values:
    n_cells, n = puzzle.geometry.n_cells, puzzle.geometry.n_values
    order = colours[n_cells:] or list(dict.fromkeys(colours))
    value_of = {colour: value for value, colour in enumerate(order, 1)}
    # More colours than values, or two values with one colour: not a colouring in n colours.
    if len(value_of) > n or len(value_of) < len(order):
        value_of = {}
    return np.array([value_of.get(colour, 0) for colour in colours[:n_cells]], np.int64)
