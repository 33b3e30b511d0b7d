"""Fish with fins: a fish but for a few places, which all see what goes.

Source: HoDoKu, Finned/Sashimi Fish (hodoku.sourceforge.net/en/tech_fishfs.php); Sudopedia, Finned X-Wing.
Differs: for any board, as the plain fish of `papers.techniques`. What has no place in some column besides the fins
    (sashimi) is found too. Fins may be anywhere, as long as what goes sees all of them.
"""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.papers.marks import Deduction, Marks, Unit
from sudoku_encode.papers.techniques import FISH, Tick
from sudoku_encode.puzzles.geometry import Rule
from sudoku_encode.questions.techniques import words
from sudoku_encode.questions.techniques.links import Links, members

Rows = list[tuple[Unit, tuple[int, ...]]]


def finned_fish(size: int, marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The places of a value in `size` rows are in `size` columns, but for fins; what sees all fins goes there."""
    links = Links.of(marks)
    for base, cover in marks.layout.crossings:
        by_value: dict[int, Rows] = {}
        for unit, value, places in links.places:
            if unit.rule is base:
                by_value.setdefault(value, []).append((unit, places))
        for value, rows in by_value.items():
            tick()
            yield from _of_value(size, links, value, rows, cover)


def _of_value(size: int, links: Links, value: int, rows: Rows, cover: Rule) -> Iterator[Deduction]:
    """Try each place of the value: if it had it, would some rows have too few columns left?"""
    homes = links.sight.homes[cover]
    numbers = {
        place: 1 << homes[place // links.n_values].number
        for _, places in rows
        for place in places
        if place // links.n_values in homes
    }
    for target in members(links.of_value[value]):
        home = homes.get(links.cell(target))
        if home is None:
            continue
        seen = links.sight.all(target)
        few = []
        for unit, places in rows:
            left = [place for place in places if not seen >> place & 1]
            if target in places or len(left) >= size or not left or not all(place in numbers for place in left):
                continue
            few.append((unit, places, _union(numbers[place] for place in left)))
        for some in combinations(few, size):
            columns = _union(mask for _, _, mask in some)
            if columns.bit_count() < size:
                covers = [
                    unit for unit in links.sight.layout.units if unit.rule is cover and columns >> unit.number & 1
                ]
                found = _found(size, links, value, [(unit, places) for unit, places, _ in some], [*covers, home])
                if found is not None:
                    yield found


def _union(masks: "Iterator[int]") -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _found(size: int, links: Links, value: int, rows: Rows, covers: list[Unit]) -> Deduction | None:
    """Return what goes: all places in the columns, outside of the rows, that see all fins."""
    n = links.n_values
    inside = _union(1 << cell * n + value - 1 for unit in covers for cell in unit.cells)
    places = _union(1 << place for _, some in rows for place in some)
    fins = list(members(places & ~inside))
    if not fins:
        return None
    removed = links.seen_by_all(fins) & inside & links.of_value[value] & ~places
    names = [unit.name for unit in sorted(covers, key=lambda unit: unit.number)]
    why = (
        f"the places of {value} in {words.listed([unit.name for unit, _ in rows])} all lie in {words.listed(names)}, "
        f"but for {words.cells(links.board, map(links.cell, fins))}; what goes is in {words.listed(names, 'or')} and "
        f"sees {'it' if len(fins) == 1 else 'all of these'}"
    )
    return links.found(f"finned {FISH[size]}", removed, list(members(places)), why, ", ".join(names))
