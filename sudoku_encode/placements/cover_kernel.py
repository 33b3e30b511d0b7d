"""That every cell has a value, where values may have different patterns: what follows from it, compiled."""

from sudoku_encode.placements.state import (
    ALLOWED,
    BEGIN,
    END,
    FRESH,
    N_PLACED,
    OPEN,
    ORDER,
    SIGNS,
    VALUE,
    PlacementsState,
    Tables,
)
from sudoku_encode.placements.structure import WORDS
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.run.compiling import compiled, inlined, lowest, ones


@compiled
def cover(t: Tables, s: PlacementsState, frame: Int64s) -> tuple[bool, bool]:
    """Require cells that one open value only may have, and bar those of the only line that a value may have in a block.

    Returns:
        Whether something changed, and whether each cell may have a value.
    """
    _find_cells(t, s, frame)
    n, full = len(s.chosen), (1 << t.through.shape[1]) - 1
    changed = False
    for block in range(t.blocks.shape[1]):
        one, two = s.cells[n, block], s.cells[n, block]
        alone = 0
        for value in range(n):
            if frame[OPEN] >> value & 1:
                may = s.cells[value, block]
                two |= one & may
                one |= may
                if ones(may) == len(t.ways):
                    alone |= may
        if one != full:
            return changed, False
        only = one & ~two
        if not only and not alone & two:
            continue
        for entry in range(frame[BEGIN], frame[END]):
            value = s.entries[entry, VALUE]
            may = s.cells[value, block]
            barred = 0 if ones(may) == len(t.ways) else alone & may
            if only & may or barred:
                changed |= _restrict(t, s, entry, block, only & may, barred)
    return changed, True


@compiled
def _find_cells(t: Tables, s: PlacementsState, frame: Int64s) -> None:
    """Find which cells each open value may have, and which are taken."""
    n, n_blocks, all_lines = len(s.chosen), t.blocks.shape[1], (1 << t.crossings.shape[1]) - 1
    for value in range(n + 1):
        for block in range(n_blocks):
            s.cells[value, block] = 0
    for place in range(frame[N_PLACED]):
        value = s.counts[ORDER + place]
        for block in range(n_blocks):
            lines = s.chosen[value, t.blocks[0, block]] >> t.blocks[1, block] & all_lines
            s.cells[n, block] |= t.cells[t.signs[0, s.chosen[value, WORDS], block], lines]
    for entry in range(frame[BEGIN], frame[END]):
        value, pattern = s.entries[entry, VALUE], s.entries[entry, SIGNS]
        for block in range(n_blocks):
            lines = s.entries[entry, ALLOWED + t.blocks[0, block]] >> t.blocks[1, block] & all_lines
            s.cells[value, block] |= t.cells[t.signs[0, pattern, block], lines]


@inlined
def _restrict(t: Tables, s: PlacementsState, entry: int, block: int, needed: int, barred: int) -> bool:
    """Leave an entry the lines of a block that have all needed cells and no barred ones; say whether some are gone."""
    all_lines = (1 << t.crossings.shape[1]) - 1
    word, shift = t.blocks[0, block], t.blocks[1, block]
    signs, kept = t.signs[0, s.entries[entry, SIGNS], block], all_lines
    while needed:
        kept &= 1 << t.through[signs, lowest(needed)]
        needed &= needed - 1
    while barred:
        kept &= ~(1 << t.through[signs, lowest(barred)])
        barred &= barred - 1
    gone = s.entries[entry, ALLOWED + word] & (all_lines & ~kept) << shift
    if gone:
        s.entries[entry, ALLOWED + word] ^= gone
        s.entries[entry, FRESH] = False
    return bool(gone)
