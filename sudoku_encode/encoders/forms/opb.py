"""Pseudo-Boolean constraints, OPB."""

from collections.abc import Iterator

import numpy as np

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders.forms.common import (
    cell_variables,
    heading,
    joined,
    lines,
    numbering,
    unit_numbering,
    unit_variables,
)
from sudoku_encode.encoders.forms.linear import Row, auxiliary, linear
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


def opb(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write one constraint per cell, per unit and value, and per excluded candidate.

    What strict readers refuse is avoided: `<=`, a coefficient that is not written out, a constraint over two lines, any
    name but x<number>, and anything but the counts in the first line. The variable of an excluded candidate is fixed
    rather than left out: a free one would multiply the solutions. Sums are equalities over the variables of cells, and
    other constraints clauses.

    Yields:
        The file, in chunks.
    """
    low = lowered(puzzle)
    board, n = low.puzzle.geometry, puzzle.geometry.n_values
    more = linear(low, candidates)
    excluded = np.flatnonzero(~candidates)[:, None] + 1
    n_constraints = board.n_cells + board.n_units * n + len(excluded) + more.n_rows
    yield f"* #variable= {more.n_variables} #constraint= {n_constraints}\n".encode("ascii")
    yield heading(
        "*",
        "opb",
        puzzle,
        numbering(board, "xN"),
        f"first the cells, then each value of each unit: {unit_numbering(board)}",
        *auxiliary(more, candidates, "x"),
    )
    yield from lines("+1 x%d " * n + "= 1 ;\n", cell_variables(board))
    for rule in board.rules:
        size = rule.units.shape[1]
        template = "+1 x%d " * size + "= 1 ;\n" if size == n else "-1 x%d " * size + ">= -1 ;\n"
        yield from lines(template, unit_variables(rule, n))
    yield from lines("+1 x%d = 0 ;\n", excluded)
    if more.n_rows:
        yield from joined(map(_text, more.rows()))


def _text(row: Row) -> str:
    terms = (f"{factor:+d} x{variable}" for factor, variable in zip(row.coefficients, row.variables, strict=True))
    return f"{' '.join(terms)} {'=' if row.is_equality else '>='} {row.bound} ;\n"
