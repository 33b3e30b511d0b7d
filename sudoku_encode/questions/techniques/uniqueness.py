"""Techniques that assume that a puzzle has one solution: unique rectangles and BUG+1.

They are sound only if that is known, so they are used only on request.

Source: HoDoKu, Uniqueness (hodoku.sourceforge.net/en/tech_ur.php), types 1, 2 and 4 of the unique rectangle; Sudopedia,
    Bivalue Universal Grave.
Differs: for any board. In a rectangle each cell shares each of its units with exactly one of its two neighbours, so
    that two values can be exchanged; BUG+1 is for boards all of whose units hold every value.
"""

from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.papers.marks import Deduction, Marks, values_of
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.questions.techniques import words
from sudoku_encode.questions.techniques.links import Links, members

_ASSUMED = "since the puzzle has one solution"


def unique_rectangle(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Four cells of a rectangle cannot all be x or y only: exchanging these would give a second solution."""
    links = Links.of(marks)
    masks = links.masks
    for base, cover in marks.layout.crossings:
        homes, crossing = links.sight.homes[base], links.sight.homes[cover]
        cells: dict[tuple[object, object], int] = {
            (homes[cell], crossing[cell]): cell for cell in homes if cell in crossing
        }
        rows = [unit for unit in marks.layout.units if unit.rule is base]
        for first, second in combinations(links.two_valued, 2):
            if masks[first] != masks[second] or first not in homes or homes.get(second) is not homes[first]:
                continue
            tick()
            for row in rows:
                roof = tuple(cells.get((row, crossing.get(cell))) for cell in (first, second))
                if row is homes[first] or roof[0] is None or roof[1] is None:
                    continue
                corners = first, second, roof[0], roof[1]
                if all(masks[cell] & masks[first] == masks[first] for cell in corners) and _exchangeable(
                    marks, corners
                ):
                    yield from _rectangle(links, corners)


def _exchangeable(marks: Marks, corners: tuple[int, int, int, int]) -> bool:
    """Check whether each unit of a corner contains exactly one other corner, which is not the opposite one."""
    first, second, below_first, below_second = corners
    opposite = {first: below_second, second: below_first, below_first: second, below_second: first}
    for cell in corners:
        for unit in marks.layout.units_of_cell[cell]:
            inside = [corner for corner in corners if corner in unit.cells]
            if len(inside) != 2 or opposite[inside[0]] == inside[1]:
                return False
    return True


def _rectangle(links: Links, corners: tuple[int, int, int, int]) -> Iterator[Deduction]:
    """Yield the deductions about the roof, the last two corners, and about the candidates that see it."""
    masks, n, shown = links.masks, links.n_values, links.board.shown
    floor, roof = corners[:2], corners[2:]
    both = masks[floor[0]]
    x, y = members(both)
    pattern = [cell * n + value for cell in corners for value in members(masks[cell])]
    pair_names = words.value_names(links.board, (x + 1, y + 1))
    square = f"{words.cell_names(links.board, corners)} would otherwise be {pair_names} in either of two ways"
    more = [masks[cell] & ~both for cell in roof]
    if not all(more):
        for cell, extra in zip(roof, more, strict=True):
            if extra and both:
                name = links.board.cell_name(cell)
                why = f"{square}; {_ASSUMED}, {name} is {words.value_names(links.board, values_of(extra), 'or')}"
                yield links.deduction("unique rectangle", both << cell * n, pattern, why)
        return
    if more[0] == more[1] and more[0].bit_count() == 1:
        (z,) = members(more[0])
        removed = links.seen_by_all(cell * n + z for cell in roof)
        if removed:
            why = f"{square}; {_ASSUMED}, one of {words.cell_names(links.board, roof)} is {shown(z + 1)}"
            yield links.deduction("unique rectangle", removed, pattern, why)
    for value, other in ((x, y), (y, x)):
        ends = {cell * n + value for cell in roof}
        pair = next((pair for pair in links.pairs_of_value.get(value + 1, ()) if set(pair.ends) == ends), None)
        if pair is not None:
            removed = sum(1 << cell * n + other for cell in roof)
            why = (
                f"{square}; {shown(value + 1)} has these places only in {pair.unit.name}, and {_ASSUMED}, neither of "
                f"{words.cell_names(links.board, roof)} is {shown(other + 1)}"
            )
            yield links.deduction("unique rectangle", removed, pattern, why)


def bug_plus_one(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """All blanks but one have two candidates, all values two places: the other blank has the value with three."""
    links = Links.of(marks)
    board = links.board
    counts = Counter(mask.bit_count() for mask in links.masks if mask)
    if counts.keys() != {2, 3} or counts[3] != 1 or len(board.full_rules) != len(board.rules):
        return
    tick()
    cell = next(cell for cell, mask in enumerate(links.masks) if mask.bit_count() == 3)
    n = links.n_values
    odd = [(unit, value, candidates) for unit, value, candidates in links.places if len(candidates) != 2]
    values = {value for _, value, _ in odd}
    own = [unit for unit in marks.layout.units_of_cell[cell] if unit.full]
    if len(values) != 1 or len(odd) != len(own):
        return
    (value,) = values
    candidate = cell * n + value - 1
    if any(len(candidates) != 3 or candidate not in candidates for _, _, candidates in odd):
        return
    name = board.cell_name(cell)
    why = (
        f"if {name} were not {board.shown(value)}, every blank would have two candidates and every value two places in "
        "each unit, and all of them could be exchanged, but the puzzle has one solution"
    )
    mask = 1 << value - 1
    removed = marks.having([cell], ~mask) + marks.having(marks.layout.peers[cell], mask)
    yield Deduction("BUG+1", (cell,), (value,), "", removed, (cell, value), why, ((cell, value),))
