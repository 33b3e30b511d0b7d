"""Two almost locked sets: the ALS-XZ rule.

An almost locked set is some cells of a unit with one candidate more than cells, so that if it loses one, all others are
in it. Two such sets with a value x that only one of them can hold: one of them has all its other values. What sees all
places of another common value z in both goes.

Source: Sudopedia, ALS-XZ; HoDoKu, Almost Locked Sets (hodoku.sourceforge.net/en/tech_als.php).
Differs: sets have up to four cells, and fewer where there are very many; they share no cell. For any board.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.questions.techniques import words
from sudoku_encode.questions.techniques.links import Links, members

_MAX_CELLS, _MAX_SETS = 4, 1000
_Floats = NDArray[np.float32]


class _Set(NamedTuple):
    cells: tuple[int, ...]
    values: int


def als_xz(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two almost locked sets, only one of which can hold x: what sees every z of both is not z."""
    links = Links.of(marks)
    sets = _sets(links, tick)
    if len(sets) < 2:
        return
    best = _best(links, sets, tick)
    if best is None:
        return
    (one, other), x, z = best
    n = links.n_values
    about = [cell * n + value for some in (one, other) for cell in some.cells for value in members(links.masks[cell])]
    removed = links.seen_by_all(each for each in about if each % n == z)
    names = [words.cells(links.board, some.cells) for some in (one, other)]
    why = (
        f"{names[0]} have one value more than cells ({words.numbers(v + 1 for v in members(one.values))}), and so have "
        f"{names[1]} ({words.numbers(v + 1 for v in members(other.values))}); only one of both can hold {x + 1}, so "
        f"that the other one holds {z + 1}"
    )
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


def _best(links: Links, sets: list[_Set], tick: Tick) -> tuple[tuple[_Set, _Set], int, int] | None:
    """Return two sets with as few cells as can be, their x and their z, both from 0; None where there are none."""
    blanks = [cell for cell, mask in enumerate(links.masks) if mask]
    column = {cell: at for at, cell in enumerate(blanks)}
    peers = np.zeros((len(blanks), len(blanks)), np.float32)
    for at, cell in enumerate(blanks):
        peers[at, [column[peer] for peer in links.sight.layout.peers[cell] if peer in column]] = 1
    inside = np.zeros((len(sets), len(blanks)), np.float32)
    for at, some in enumerate(sets):
        inside[at, [column[cell] for cell in some.cells]] = 1
    masks = np.array([links.masks[cell] for cell in blanks], object)
    values = [value for value in range(links.n_values) if links.of_value[value + 1]]
    having = {value: (masks >> value & 1).astype(np.float32) for value in values}
    apart = np.triu(inside @ inside.T == 0, 1)
    common: dict[int, NDArray[np.bool_]] = {}
    seeing: dict[int, _Floats] = {}
    for value in values:
        tick()
        places = inside * having[value]
        n_places = places.sum(axis=1)
        seeing[value] = (places @ peers == n_places[:, None]).astype(np.float32)
        there = n_places > 0
        both = apart & there[:, None] & there[None, :]
        # All places in one see all places in the other.
        common[value] = both & (seeing[value] @ places.T == n_places[None, :])
        seeing[value] *= having[value] * there[:, None]
    return _smallest(sets, values, common, seeing, apart)


def _smallest(
    sets: list[_Set],
    values: list[int],
    common: dict[int, NDArray[np.bool_]],
    seeing: dict[int, _Floats],
    apart: NDArray[np.bool_],
) -> tuple[tuple[_Set, _Set], int, int] | None:
    n_common = np.zeros(apart.shape, np.int16)
    for value in values:
        n_common += common[value]
    sizes = np.array([len(some.cells) for some in sets])
    best, found = len(sets) * 100, None
    for z in values:
        usable = np.argwhere(apart & (n_common - common[z] > 0))
        if not len(usable):
            continue
        one, other = usable.T
        goes = np.einsum("ij,ij->i", seeing[z][one], seeing[z][other]) > 0
        if goes.any():
            cells = np.where(goes, sizes[one] + sizes[other], best)
            at = int(cells.argmin())
            if cells[at] < best:
                best, pair = int(cells[at]), (int(one[at]), int(other[at]))
                x = next(value for value in values if value != z and common[value][pair])
                found = (sets[pair[0]], sets[pair[1]]), x, z
    return found
