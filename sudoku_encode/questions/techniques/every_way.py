"""A technique for clauses of constraints: what each way in which one can hold excludes.

Source: the same as pointing, for any alternatives; verity in solvers by hand.
"""

from collections.abc import Iterator

from sudoku_encode.constraints.primitives import Clause
from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import Tick

# Of more ways hardly a cell is a peer of all.
_MOST_WAYS = 6


def every_way(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """One of some cells holds a value of its own: what each of these excludes goes."""
    for part in marks.constraints:
        if not isinstance(part.primitive, Clause) or any(value < 0 for _, value in part.primitive.literals):
            continue
        ways = [(cell, value) for cell, value in part.primitive.literals if marks.masks[cell] >> value - 1 & 1]
        if not 1 < len(ways) <= _MOST_WAYS:
            continue
        tick()
        gone = _excluded(marks, *ways[0])
        for way in ways[1:]:
            gone &= _excluded(marks, *way)
        if gone:
            removed = tuple(sorted(gone))
            values = tuple(sorted({value for _, value in removed}))
            reason = f"in `{part.text}` every way in which it holds excludes it"
            yield Deduction("every way", part.cells, values, "", removed, why=reason, pattern=tuple(ways))


def _excluded(marks: Marks, cell: int, value: int) -> set[tuple[int, int]]:
    """Return the candidates that a value of a cell excludes."""
    own = marks.having([cell], ~(1 << value - 1))
    return {*own, *marks.having(marks.layout.peers[cell], 1 << value - 1)}
