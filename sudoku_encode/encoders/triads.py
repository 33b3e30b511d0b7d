"""The encoding with triads: what a line and a box share is a variable of its own."""

from math import isqrt

import numpy as np

from sudoku_encode.encoders.direct import at_least_one, number_candidates, unit_clauses
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.formula.cardinality import at_most_one
from sudoku_encode.formula.cnf import Cnf, Group, Literals
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is not a square with square boxes and their three rules, or an empty string."""
    return "" if board.is_classic else "it needs a square with square boxes and just the rules row, column and box"


def encode(puzzle: Puzzle, reduced: Reduction, amo: str, duplicates: bool) -> tuple[Cnf, Literals]:
    """Encode with a variable for each value in each triad, the k cells that a line and a box share.

    A triad has a value iff exactly one of its cells holds it; of the k triads of a line, or of a box in one direction,
    exactly one has it. Nothing else keeps lines and boxes together.

    Source: Dillon, tdoku, other_minisat.cc (encoding 3, augmented).
    """
    n = puzzle.geometry.n_values
    k = isqrt(n)
    x, count = number_candidates(reduced)
    cells = np.arange(n * n).reshape(n, n)
    # (triads, k): those along rows line by line, then those along columns column by column.
    members = np.concatenate([cells.reshape(-1, k), cells.T.reshape(-1, k)])
    triad = (count + 1 + np.arange(2 * n * k * n, dtype=np.int32)).reshape(2, n, k, n)
    flat = triad.reshape(-1, n)
    definition = np.concatenate([x[members].transpose(1, 0, 2), -flat[None]]).reshape(k + 1, -1)
    # In both directions: a line's k triads, and a box's k triads, those of k neighbouring lines at one place.
    lines = triad.transpose(2, 0, 1, 3).reshape(k, -1)
    boxes = triad.reshape(2, k, k, k, n).transpose(2, 0, 1, 3, 4).reshape(k, -1)
    sets: dict[str, Literals] = {
        "cell": np.ascontiguousarray(x.T),
        "triad": definition,
        "line": lines,
        "box": boxes,
    }
    groups: list[Group] = []
    for name, table in sets.items():
        groups += at_least_one(f"alo-{name}", [table])
        groups += at_most_one(f"amo-{name}", amo, [table], 0)[0]
    return Cnf.of(count + triad.size, [*groups, *unit_clauses(puzzle, x)]), x[:, :, None]
