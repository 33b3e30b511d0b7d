"""Graph colouring, DIMACS .col."""

from collections.abc import Iterator

import numpy as np

from sudoku_encode.constraints.lowering import plain
from sudoku_encode.encoders.forms.common import heading, lines
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


def graph(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write the graph that has a colouring in n colours exactly when the puzzle has a solution.

    Vertices 1 to n_cells are the cells. The form has no place for givens, so where a candidate is excluded n more
    vertices follow, the colours, which are all joined to each other; a cell is joined to every colour it must not have.
    A solution is then one colouring up to the names of the colours: the colour of vertex n_cells + v is value v.

    Yields:
        The file, in chunks; each edge once.

    Raises:
        MethodError: the puzzle has constraints that no edges say.
    """
    board, n = plain(puzzle, "model format col").geometry, puzzle.geometry.n_values
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
