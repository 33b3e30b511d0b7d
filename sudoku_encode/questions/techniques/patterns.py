"""Patterns of one value, fish with fins, and the W-wing.

*Skyscraper, two-string kite, empty rectangle*: two pairs, or a pair and a box, of a value.

*Fish with fins*: a fish except for a few places, the fins; the candidates that see all fins go.

*W-wing*: two cells with the same two values, joined by a unit in which one of these has two places.

Source: HoDoKu, Single Digit Patterns (hodoku.sourceforge.net/en/tech_sdp.php), Finned/Sashimi Fish (tech_fishfs.php)
    and W-Wing (tech_wings.php); Sudopedia, Skyscraper, 2-String Kite, Empty Rectangle, Finned X-Wing and W-Wing.
Differs: for any board. Rows and columns are two rules whose units cross in one cell at most, and the box is a unit of a
    third rule. An empty rectangle's box may have its places anywhere, as long as one end of the pair sees some of them
    and the removed candidate sees all others. A fish may have no place in some column besides the fins (sashimi), and
    fins may be anywhere, as long as the removed candidates see all of them.
"""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.papers.marks import Deduction, Marks, Unit
from sudoku_encode.papers.techniques import FISH, Tick
from sudoku_encode.puzzles.geometry import Rule
from sudoku_encode.questions.techniques import words
from sudoku_encode.questions.techniques.links import Links, Pair, members


def skyscraper(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two rows have two places of a value each, two of them in one column: one of the other two has the value."""
    links = Links.of(marks)
    for base, cover in marks.layout.crossings:
        homes = links.sight.homes[cover]
        for pairs in links.pairs_of_value.values():
            tick()
            for first, second in combinations([pair for pair in pairs if pair.unit.rule is base], 2):
                for joined in _joins(first, second):
                    unit = homes.get(links.cell(joined[1]))
                    if unit is not None and homes.get(links.cell(joined[2])) is unit:
                        yield from _turbot("skyscraper", links, (first, second), joined, unit)


def two_string_kite(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A row and a column have two places of a value each, two of them in a box: one of the other two has it."""
    links = Links.of(marks)
    both = {frozenset(rules) for rules in marks.layout.crossings}
    for pairs in links.pairs_of_value.values():
        tick()
        for first, second in combinations(pairs, 2):
            rules = frozenset((first.unit.rule, second.unit.rule))
            if rules in both:
                for joined in _joins(first, second):
                    unit = _shared(links, joined[1], joined[2], rules)
                    if unit is not None:
                        yield from _turbot("two-string kite", links, (first, second), joined, unit)


def _joins(first: Pair, second: Pair) -> Iterator[tuple[int, int, int, int]]:
    """Yield the four ends of two disjoint pairs as far, near, near, far."""
    if not set(first.ends) & set(second.ends):
        for near, far in first.turns():
            for its_near, its_far in second.turns():
                yield far, near, its_near, its_far


def _shared(links: Links, first: int, second: int, excluded: frozenset[Rule]) -> Unit | None:
    """Return a unit that two candidates share, of a rule other than some."""
    units = links.sight.layout.units_of_cell
    its = units[links.cell(second)]
    return next((unit for unit in units[links.cell(first)] if unit.rule not in excluded and unit in its), None)


def _turbot(
    technique: str, links: Links, pairs: tuple[Pair, Pair], ends: tuple[int, int, int, int], unit: Unit
) -> Iterator[Deduction]:
    removed = links.sees(ends[0]) & links.sees(ends[3])
    if not removed:
        return
    name = [links.board.cell_name(links.cell(end)) for end in ends]
    value = links.board.shown(pairs[0].value)
    why = (
        f"{value} has two places in {pairs[0].unit.name}, {name[0]} and {name[1]}, and two in {pairs[1].unit.name}, "
        f"{name[2]} and {name[3]}; {name[1]} and {name[2]} are both in {unit.name}, so at least one of them is not "
        f"{value}, and then {name[0]} or {name[3]} is"
    )
    yield links.deduction(technique, removed, ends, why, f"{pairs[0].unit.name}, {pairs[1].unit.name}, {unit.name}")


def empty_rectangle(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A row has two places of a value, one of which sees some of its places in a box."""
    links = Links.of(marks)
    for box, value, places in links.places:
        if _is_line(box) or len(places) < 3:
            continue
        tick()
        for pair in links.pairs_of_value.get(value, ()):
            if not _is_line(pair.unit) or set(pair.ends) & set(places):
                continue
            for near, far in pair.turns():
                rest = [place for place in places if not links.sight.all(near) >> place & 1]
                if not rest or len(rest) == len(places):
                    continue
                removed = links.sees(far) & links.seen_by_all(rest)
                if removed:
                    yield _empty_rectangle(links, box, pair, (near, far), (places, tuple(rest)), removed)


def _is_line(unit: Unit) -> bool:
    return unit.rule.name.startswith(("row", "column", "line", "hoop"))


def _empty_rectangle(
    links: Links,
    box: Unit,
    pair: Pair,
    ends: tuple[int, int],
    places: tuple[tuple[int, ...], tuple[int, ...]],
    removed: int,
) -> Deduction:
    board = links.board
    near, far = (board.cell_name(links.cell(end)) for end in ends)
    rest = words.cell_names(board, map(links.cell, places[1]), "or")
    value = board.shown(pair.value)
    why = (
        f"{value} is at {near} or {far} in {pair.unit.name}; at {near} it leaves {rest} as its places in "
        f"{box.name}; either way one of {far} and {rest} is {value}"
    )
    return links.deduction("empty rectangle", removed, (*ends, *places[0]), why, f"{box.name}, {pair.unit.name}")


Rows = list[tuple[Unit, tuple[int, ...]]]


def finned_fish(size: int, marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The places of a value in `size` rows are in `size` columns, except for fins; candidates that see all fins go."""
    links = Links.of(marks)
    for base, cover in marks.layout.crossings:
        by_value: dict[int, Rows] = {}
        for unit, value, places in links.places:
            if unit.rule is base:
                by_value.setdefault(value, []).append((unit, places))
        for value, rows in by_value.items():
            tick()
            yield from _finned_fish_of_value(size, links, value, rows, cover)


def _finned_fish_of_value(size: int, links: Links, value: int, rows: Rows, cover: Rule) -> Iterator[Deduction]:
    """Try each place of the value: would it leave some rows with too few columns?"""
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
            unseen = [place for place in places if not seen >> place & 1]
            if target in places or len(unseen) >= size or not unseen or not all(place in numbers for place in unseen):
                continue
            few.append((unit, places, _union(numbers[place] for place in unseen)))
        for chosen in combinations(few, size):
            columns = _union(mask for _, _, mask in chosen)
            if columns.bit_count() < size:
                covers = [
                    unit for unit in links.sight.layout.units if unit.rule is cover and columns >> unit.number & 1
                ]
                base = [(unit, places) for unit, places, _ in chosen]
                if deduction := _finned_deduction(size, links, value, base, [*covers, home]):
                    yield deduction


def _union(masks: Iterator[int]) -> int:
    union = 0
    for mask in masks:
        union |= mask
    return union


def _finned_deduction(size: int, links: Links, value: int, rows: Rows, covers: list[Unit]) -> Deduction | None:
    """Return the deduction: places in the columns, outside of the rows, that see all fins go; None without fins."""
    n = links.n_values
    inside = _union(1 << cell * n + value - 1 for unit in covers for cell in unit.cells)
    places = _union(1 << place for _, row_places in rows for place in row_places)
    fins = list(members(places & ~inside))
    if not fins:
        return None
    removed = links.seen_by_all(fins) & inside & links.of_value[value] & ~places
    names = [unit.name for unit in sorted(covers, key=lambda unit: unit.number)]
    why = (
        f"the places of {links.board.shown(value)} in {words.join_words([unit.name for unit, _ in rows])} all lie in "
        f"{words.join_words(names)}, but for {words.cell_names(links.board, map(links.cell, fins))}; the removed "
        f"candidates are in {words.join_words(names, 'or')} and see {'it' if len(fins) == 1 else 'all of these'}"
    )
    return links.deduction(f"finned {FISH[size]}", removed, list(members(places)), why, ", ".join(names))


def w_wing(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two cells are x or y each; each sees one of two places of x in a unit: one of the cells is y."""
    links = Links.of(marks)
    cells: dict[int, list[int]] = {}
    for cell in links.two_valued:
        cells.setdefault(links.masks[cell], []).append(cell)
    for mask, equal_cells in cells.items():
        for first, second in combinations(equal_cells, 2):
            tick()
            values = tuple(members(mask))
            for x, y in (values, values[::-1]):
                yield from _w_wing(links, (first, second), x, y)


def _w_wing(links: Links, cells: tuple[int, int], x: int, y: int) -> Iterator[Deduction]:
    n = links.n_values
    # If the cells see each other, they are a naked pair.
    first_x, second_x = (cell * n + x for cell in cells)
    first_y, second_y = (cell * n + y for cell in cells)
    removed = links.sees(first_y) & links.sees(second_y)
    seen_by_first, seen_by_second = links.sees(first_x), links.sees(second_x)
    if not removed or seen_by_first >> second_x & 1:
        return
    for pair in links.pairs_of_value.get(x + 1, ()):
        for near, far in pair.turns():
            if seen_by_first >> near & 1 and seen_by_second >> far & 1:
                name, x_name, y_name = links.board.cell_name, *map(links.board.shown, (x + 1, y + 1))
                first, second, near_place, far_place = (
                    links.cell(candidate) for candidate in (first_x, second_x, near, far)
                )
                why = (
                    f"both {name(first)} and {name(second)} are {x_name} or {y_name}, and they are not both {x_name}, "
                    f"since {pair.unit.name} has {x_name} at {name(near_place)}, which sees {name(first)}, or at "
                    f"{name(far_place)}, which sees {name(second)}; one of them is {y_name}"
                )
                yield links.deduction(
                    "W-wing", removed, (first_x, first_y, second_x, second_y, near, far), why, pair.unit.name
                )
                return
