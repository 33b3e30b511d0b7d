"""Exact cover, in the text that Knuth's dlx1 reads."""

from collections.abc import Iterator

import numpy as np

from sudoku_encode.constraints.lowering import plain
from sudoku_encode.encoders.forms.common import heading, joined, lines, numbered_rules, unit_numbering
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# dlx1 keeps a name in eight bytes.
MAX_NAME = 8


def exact_cover(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write items and options whose exact covers are the solutions.

    Item `c12` is cell 12, item `u3.7` is value 7 in unit 3; the first line has all of them, whether or not an option is
    left for them. A unit with as many cells as there are values must hold each value, so its items are primary; any
    other unit holds a value at most once, so its items are secondary. An option is a candidate.

    Returns:
        The file, in chunks.

    Raises:
        MethodError: a name would have more than eight characters; no board up to 100x100 or 25x25x25 needs more. Or the
            puzzle has constraints that are no units.
    """
    board = plain(puzzle, "model format dlx").geometry
    longest = max(f"c{board.n_cells - 1}", f"u{board.n_units - 1}.{board.n_values}", key=len)
    if len(longest) > MAX_NAME:
        raise MethodError(f"{board.name} is too large for dlx: item {longest} has more than {MAX_NAME} characters")
    return _write(puzzle, board, candidates)


def _write(puzzle: Puzzle, board: Geometry, candidates: Candidates) -> Iterator[bytes]:
    yield heading(
        "|",
        "dlx",
        puzzle,
        "item cC: cell C, from 0 in reading order",
        f"item uU.V: value V in unit U; {unit_numbering(board)}",
    )
    # Every name but the first brings the blank before it.
    yield b"c0"
    yield from lines(" c%d", np.arange(1, board.n_cells)[:, None])
    yield from _unit_items(board, full=True)
    if len(board.full_rules) < len(board.rules):
        yield b" |"
        yield from _unit_items(board, full=False)
    yield b"\n"
    yield from joined(_options(board, candidates))


def _unit_items(board: Geometry, full: bool) -> Iterator[bytes]:
    """Yield the items of the units that have, or have not, as many cells as there are values."""
    for first, rule in numbered_rules(board):
        if (rule.units.shape[1] == board.n_values) == full:
            units = np.arange(first, first + len(rule.units)).repeat(board.n_values)
            values = np.tile(np.arange(1, board.n_values + 1), len(rule.units))
            yield from lines(" u%d.%d", np.stack([units, values], axis=1))


def _options(board: Geometry, candidates: Candidates) -> Iterator[str]:
    """Yield the options of each cell, a line each."""
    for cell, (units, allowed) in enumerate(zip(board.units_of_cells.tolist(), candidates, strict=True)):
        mine = [f" u{unit}.%d" for unit in units if unit >= 0]
        values = np.flatnonzero(allowed) + 1
        yield f"c{cell}{''.join(mine)}\n" * len(values) % tuple(values.repeat(len(mine)).tolist())
