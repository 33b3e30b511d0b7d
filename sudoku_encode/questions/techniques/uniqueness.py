"""Techniques that take for granted that a puzzle has one solution: unique rectangles and BUG+1.

They are sound only where that is known, so they are not used unless this is asked for.

Source: HoDoKu, Uniqueness (hodoku.sourceforge.net/en/tech_ur.php), types 1, 2 and 4 of the unique rectangle; Sudopedia,
    Bivalue Universal Grave.
Differs: for any board. A rectangle is one whose cells each share every unit of theirs with one neighbour, so that two
    values may be exchanged in it; BUG+1 is for boards all of whose units hold every value.
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
    """Four cells of a rectangle may not all be x or y only: these could be exchanged, in a second solution."""
    links = Links.of(marks)
    masks = links.masks
    for base, cover in marks.layout.crossings:
        homes, crossing = links.sight.homes[base], links.sight.homes[cover]
        cells: dict[tuple[object, object], int] = {
            (homes[cell], crossing[cell]): cell for cell in homes if cell in crossing
        }
        rows = [unit for unit in marks.layout.units if unit.rule is base]
        for one, other in combinations(links.two_valued, 2):
            if masks[one] != masks[other] or one not in homes or homes.get(other) is not homes[one]:
                continue
            tick()
            for row in rows:
                roof = tuple(cells.get((row, crossing.get(cell))) for cell in (one, other))
                if row is homes[one] or roof[0] is None or roof[1] is None:
                    continue
                corners = one, other, roof[0], roof[1]
                if all(masks[cell] & masks[one] == masks[one] for cell in corners) and _exchangeable(marks, corners):
                    yield from _rectangle(links, corners)


def _exchangeable(marks: Marks, corners: tuple[int, int, int, int]) -> bool:
    """Say whether each unit of a corner has another one too, which is not opposite, and no third."""
    one, other, below_one, below_other = corners
    opposite = {one: below_other, other: below_one, below_one: other, below_other: one}
    for cell in corners:
        for unit in marks.layout.units_of_cell[cell]:
            inside = [corner for corner in corners if corner in unit.cells]
            if len(inside) != 2 or opposite[inside[0]] == inside[1]:
                return False
    return True


def _rectangle(links: Links, corners: tuple[int, int, int, int]) -> Iterator[Deduction]:
    """Find what goes from the roof, the last two corners, or from what sees it."""
    masks, n = links.masks, links.n_values
    floor, roof = corners[:2], corners[2:]
    both = masks[floor[0]]
    x, y = members(both)
    pattern = [cell * n + value for cell in corners for value in members(masks[cell])]
    square = f"{words.cells(links.board, corners)} would otherwise be {x + 1} and {y + 1} in either of two ways"
    more = [masks[cell] & ~both for cell in roof]
    if not all(more):
        for cell, extra in zip(roof, more, strict=True):
            if extra and both:
                name = links.board.cell_name(cell)
                why = f"{square}; {_ASSUMED}, {name} is {words.numbers(values_of(extra), 'or')}"
                yield links.found("unique rectangle", both << cell * n, pattern, why)
        return
    if more[0] == more[1] and more[0].bit_count() == 1:
        (z,) = members(more[0])
        removed = links.seen_by_all(cell * n + z for cell in roof)
        if removed:
            why = f"{square}; {_ASSUMED}, one of {words.cells(links.board, roof)} is {z + 1}"
            yield links.found("unique rectangle", removed, pattern, why)
    for value, other in ((x, y), (y, x)):
        ends = {cell * n + value for cell in roof}
        pair = next((pair for pair in links.pairs_of_value.get(value + 1, ()) if set(pair.ends) == ends), None)
        if pair is not None:
            removed = sum(1 << cell * n + other for cell in roof)
            why = (
                f"{square}; {value + 1} has these places only in {pair.unit.name}, and {_ASSUMED}, neither of "
                f"{words.cells(links.board, roof)} is {other + 1}"
            )
            yield links.found("unique rectangle", removed, pattern, why)


def bug_plus_one(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """All blanks but one have two candidates, all values two places: the value with three is there."""
    links = Links.of(marks)
    board = links.board
    counts = Counter(mask.bit_count() for mask in links.masks if mask)
    if counts.keys() != {2, 3} or counts[3] != 1 or len(board.full_rules) != len(board.rules):
        return
    tick()
    cell = next(cell for cell, mask in enumerate(links.masks) if mask.bit_count() == 3)
    n = links.n_values
    odd = [(unit, value, some) for unit, value, some in links.places if len(some) != 2]
    values = {value for _, value, _ in odd}
    own = [unit for unit in marks.layout.units_of_cell[cell] if unit.full]
    if len(values) != 1 or len(odd) != len(own):
        return
    (value,) = values
    at = cell * n + value - 1
    if any(len(some) != 3 or at not in some for _, _, some in odd):
        return
    name = board.cell_name(cell)
    why = (
        f"if {name} were not {value}, every blank would have two candidates and every value two places in each unit, "
        "and all of them could be exchanged, but the puzzle has one solution"
    )
    mask = 1 << value - 1
    removed = marks.having([cell], ~mask) + marks.having(marks.layout.peers[cell], mask)
    yield Deduction("BUG+1", (cell,), (value,), "", removed, (cell, value), why, ((cell, value),))
