"""Colourings of a graph of ours, in the form of the DIMACS challenge: `s col COLOURS`, then `l VERTEX COLOUR`."""

import numpy as np

from sudoku_encode.encoders.answer import Answer, Values, from_values
from sudoku_encode.encoders.forms.common import integer, read_heading
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.storage import files


def read(model: str, output: str) -> Answer:
    """Read one colouring. Colours may have any numbers, since a colouring is one up to their names.

    The colour of a vertex that stands for a value means that value; where no vertex does, the colours mean the values
    in the order in which they come.

    Raises:
        FormatError: a line that is none of these, a vertex that is none or has two colours.
    """
    puzzle, source = read_heading(model, "c"), files.source_name(output)
    n_vertices = _n_vertices(model)
    colours: dict[int, int] = {}
    for number, line in enumerate(files.read_lines(output), 1):
        kind, *words = line.split() or ["c"]
        if kind == "l" and len(words) == 2:
            vertex, colour = (integer(word, source, number) for word in words)
            if not 1 <= vertex <= n_vertices:
                raise FormatError(f"{vertex} is none of the {n_vertices} vertices of this graph", source, number)
            if colours.setdefault(vertex, colour) != colour:
                raise FormatError(f"vertex {vertex} has two colours", source, number)
        elif kind not in ("c", "s", "b") and line.split():
            raise FormatError(f"{short(line.strip())!r} is no line of a colouring: `l VERTEX COLOUR`", source, number)
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
    # More colours than values, or two values of one colour, are no colouring in that number of colours.
    if len(value_of) > n or len(value_of) < len(order):
        value_of = {}
    return np.array([value_of.get(colour, 0) for colour in colours[:n_cells]], np.int64)
