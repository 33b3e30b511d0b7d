"""Two almost locked sets: the ALS-XZ rule.

An almost locked set is some cells of a unit with one candidate more than cells, so that if it loses one, all others are
in it. Two such sets with a value x that only one of them can hold: one of them has all its other values. What sees all
places of another common value z in both goes.

Source: Sudopedia, ALS-XZ; HoDoKu, Almost Locked Sets (hodoku.sourceforge.net/en/tech_als.php).
Differs: sets have up to four cells, and fewer where there are very many; they share no cell. For any board.
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
    """Two almost locked sets, only one of which can hold x: what sees every z of both is not z."""
    links = Links.of(marks)
    sets = _sets(links, tick) if links.n_values <= _MAX_VALUES else []
    if len(sets) < 2:
        return
    best = _best(links, sets)
    if best is None:
        return
    (one, other), x, z = best
    n = links.n_values
    about = [cell * n + value for some in (one, other) for cell in some.cells for value in members(links.masks[cell])]
    removed = links.seen_by_all(each for each in about if each % n == z)
    held = [
        f"{words.cells(links.board, some.cells)} {'holds' if len(some.cells) == 1 else 'hold'} all but one of "
        f"{words.numbers(value + 1 for value in members(some.values))}"
        for some in (one, other)
    ]
    why = f"{held[0]}, and {held[1]}; only one of the two sets can hold {x + 1}, and the other one holds {z + 1} then"
    yield links.found("ALS-XZ", removed, about, why)


def _sets(links: Links, tick: Tick) -> list[_Set]:
    """Return the almost locked sets, those with few cells first, each once."""
    found: dict[tuple[int, ...], int] = {}
    for size in range(1, _MAX_CELLS + 1):
        new: dict[tuple[int, ...], int] = {}
        for unit in links.sight.layout.units:
            tick()
            cells = sorted(cell for cell in unit.cells if 1 < links.masks[cell].bit_count() <= size + 1)
            _grow(links, cells, size, (), 0, 0, new)
        if len(found) + len(new) > _MAX_SETS:
            break
        found |= new
    return [_Set(cells, values) for cells, values in found.items()]


def _grow(
    links: Links,
    cells: list[int],
    size: int,
    chosen: tuple[int, ...],
    union: int,
    start: int,
    found: dict[tuple[int, ...], int],
) -> None:
    if len(chosen) == size:
        if union.bit_count() == size + 1:
            found[chosen] = union
        return
    for at in range(start, len(cells) - (size - len(chosen)) + 1):
        longer = union | links.masks[cells[at]]
        if longer.bit_count() <= size + 1:
            _grow(links, cells, size, (*chosen, cells[at]), longer, at + 1, found)


def _best(links: Links, sets: list[_Set]) -> tuple[tuple[_Set, _Set], int, int] | None:
    """Return two sets with as few cells as can be, their x and their z, both from 0; None where there are none."""
    from sudoku_encode.questions.techniques.almost_locked_kernel import best_pair

    column = {cell: at for at, cell in enumerate(cell for cell, mask in enumerate(links.masks) if mask)}
    n_bytes = 8 * (len(column) // 64 + 1)
    having = [
        _bits(column[cell] for cell in column if links.masks[cell] >> value & 1) for value in range(links.n_values)
    ]
    peers = {
        cell: _bits(column[peer] for peer in links.sight.layout.peers[cell] if peer in column)
        for cell in dict.fromkeys(cell for some in sets for cell in some.cells)
    }
    inside, places, seen = bytearray(), bytearray(), bytearray()
    for some in sets:
        inside += _bits(column[cell] for cell in some.cells).to_bytes(n_bytes, "little")
        for value in range(links.n_values):
            there = [cell for cell in some.cells if links.masks[cell] >> value & 1]
            sees = having[value] if there else 0
            for cell in there:
                sees &= peers[cell]
            places += _bits(column[cell] for cell in there).to_bytes(n_bytes, "little")
            seen += sees.to_bytes(n_bytes, "little")
    one, other, x, z = best_pair(
        np.frombuffer(inside, "<u8").reshape(len(sets), -1),
        np.array([some.values for some in sets], np.uint64),
        np.frombuffer(places, "<u8").reshape(len(sets), links.n_values, -1),
        np.frombuffer(seen, "<u8").reshape(len(sets), links.n_values, -1),
        np.array([len(some.cells) for some in sets], np.int64),
    )
    return None if one < 0 else ((sets[one], sets[other]), x, z)


def _bits(numbers: Iterable[int]) -> int:
    bits = 0
    for number in numbers:
        bits |= 1 << number
    return bits
