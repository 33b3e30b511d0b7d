"""Two almost locked sets: the ALS-XZ rule.

An almost locked set is a set of cells of a unit with one candidate more than cells: if it loses one, it contains all
others. Take two such sets and a value x that only one of them can hold: then one of them has all its other values. The
candidates that see all places of another common value z in both sets go.

Source: Sudopedia, ALS-XZ; HoDoKu, Almost Locked Sets (hodoku.sourceforge.net/en/tech_als.php).
Differs: sets have up to four cells, and fewer if there are very many sets; they share no cell. For any board.
"""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.questions.techniques import words
from sudoku_encode.questions.techniques.links import Links, members

_MAX_CELLS, _MAX_SETS, _MAX_VALUES = 4, 1000, 64


class _Set(NamedTuple):
    cells: tuple[int, ...]
    values: int


def als_xz(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two almost locked sets, only one of which can hold x: candidates z that see every z of both sets go."""
    links = Links.of(marks)
    sets = _sets(links, tick) if links.n_values <= _MAX_VALUES else []
    if len(sets) < 2:
        return
    best = _best(links, sets)
    if best is None:
        return
    pair, x, z = best
    n = links.n_values
    pattern = [cell * n + value for locked in pair for cell in locked.cells for value in members(links.masks[cell])]
    removed = links.seen_by_all(candidate for candidate in pattern if candidate % n == z)
    texts = [
        f"{words.cell_names(links.board, locked.cells)} {'holds' if len(locked.cells) == 1 else 'hold'} all but one of "
        f"{words.value_names(links.board, (value + 1 for value in members(locked.values)))}"
        for locked in pair
    ]
    shown = links.board.shown
    end = f"only one of the two sets can hold {shown(x + 1)}, and then the other one holds {shown(z + 1)}"
    why = f"{texts[0]}, and {texts[1]}; {end}"
    yield links.deduction("ALS-XZ", removed, pattern, why)


def _sets(links: Links, tick: Tick) -> list[_Set]:
    """Return the almost locked sets, those with few cells first, each once."""
    sets: dict[tuple[int, ...], int] = {}
    for size in range(1, _MAX_CELLS + 1):
        new: dict[tuple[int, ...], int] = {}
        for unit in links.sight.layout.units:
            tick()
            cells = sorted(cell for cell in unit.cells if 1 < links.masks[cell].bit_count() <= size + 1)
            _grow(links, cells, size, (), 0, 0, new)
        if len(sets) + len(new) > _MAX_SETS:
            break
        sets |= new
    return [_Set(cells, values) for cells, values in sets.items()]


def _grow(
    links: Links,
    cells: list[int],
    size: int,
    chosen: tuple[int, ...],
    union: int,
    start: int,
    sets: dict[tuple[int, ...], int],
) -> None:
    if len(chosen) == size:
        if union.bit_count() == size + 1:
            sets[chosen] = union
        return
    for number in range(start, len(cells) - (size - len(chosen)) + 1):
        longer = union | links.masks[cells[number]]
        if longer.bit_count() <= size + 1:
            _grow(links, cells, size, (*chosen, cells[number]), longer, number + 1, sets)


def _best(links: Links, sets: list[_Set]) -> tuple[tuple[_Set, _Set], int, int] | None:
    """Return two sets with as few cells as possible, their x and their z, both from 0; None if no sets fit."""
    from sudoku_encode.questions.techniques.almost_locked_kernel import best_pair

    column = {cell: number for number, cell in enumerate(cell for cell, mask in enumerate(links.masks) if mask)}
    n_bytes = 8 * (len(column) // 64 + 1)
    having = [
        _bits(column[cell] for cell in column if links.masks[cell] >> value & 1) for value in range(links.n_values)
    ]
    peers = {
        cell: _bits(column[peer] for peer in links.sight.layout.peers[cell] if peer in column)
        for cell in dict.fromkeys(cell for locked in sets for cell in locked.cells)
    }
    inside, places, seen = bytearray(), bytearray(), bytearray()
    for locked in sets:
        inside += _bits(column[cell] for cell in locked.cells).to_bytes(n_bytes, "little")
        for value in range(links.n_values):
            holders = [cell for cell in locked.cells if links.masks[cell] >> value & 1]
            sees = having[value] if holders else 0
            for cell in holders:
                sees &= peers[cell]
            places += _bits(column[cell] for cell in holders).to_bytes(n_bytes, "little")
            seen += sees.to_bytes(n_bytes, "little")
    first, second, x, z = best_pair(
        np.frombuffer(inside, "<u8").reshape(len(sets), -1),
        np.array([locked.values for locked in sets], np.uint64),
        np.frombuffer(places, "<u8").reshape(len(sets), links.n_values, -1),
        np.frombuffer(seen, "<u8").reshape(len(sets), links.n_values, -1),
        np.array([len(locked.cells) for locked in sets], np.int64),
    )
    return None if first < 0 else ((sets[first], sets[second]), x, z)


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
