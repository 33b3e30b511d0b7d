"""Patterns of a single value: skyscraper, two-string kite, empty rectangle.

Source: HoDoKu, Single Digit Patterns (hodoku.sourceforge.net/en/tech_sdp.php); Sudopedia, Skyscraper, 2-String Kite and
    Empty Rectangle.
Differs: for any board. Rows and columns are two rules whose units cross in one cell at most, and the box is a unit of a
    third rule. An empty rectangle's box may have its places anywhere, as long as one end of the pair sees some of them
    and the candidate that goes sees all others.
"""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.papers.marks import Deduction, Marks, Unit
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.puzzles.geometry import Rule
from sudoku_encode.questions.techniques import words
from sudoku_encode.questions.techniques.links import Links, Pair


def skyscraper(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two rows have two places of a value each, one of both in a column: one of the other two has the value."""
    links = Links.of(marks)
    for base, cover in marks.layout.crossings:
        homes = links.sight.homes[cover]
        for pairs in links.pairs_of_value.values():
            tick()
            for one, other in combinations([pair for pair in pairs if pair.unit.rule is base], 2):
                for joined in _joins(one, other):
                    unit = homes.get(links.cell(joined[1]))
                    if unit is not None and homes.get(links.cell(joined[2])) is unit:
                        yield from _turbot("skyscraper", links, (one, other), joined, unit)


def two_string_kite(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A row and a column have two places of a value each, one of both in a box: one of the other two has the value."""
    links = Links.of(marks)
    both = {frozenset(rules) for rules in marks.layout.crossings}
    for pairs in links.pairs_of_value.values():
        tick()
        for one, other in combinations(pairs, 2):
            rules = frozenset((one.unit.rule, other.unit.rule))
            if rules in both:
                for joined in _joins(one, other):
                    unit = _shared(links, joined[1], joined[2], rules)
                    if unit is not None:
                        yield from _turbot("two-string kite", links, (one, other), joined, unit)


def _joins(one: Pair, other: Pair) -> Iterator[tuple[int, int, int, int]]:
    """Yield the four ends of two pairs that share none: far, near, near, far."""
    if not set(one.ends) & set(other.ends):
        for near, far in one.turns():
            for its_near, its_far in other.turns():
                yield far, near, its_near, its_far


def _shared(links: Links, one: int, other: int, but: frozenset[Rule]) -> Unit | None:
    """Return a unit that two candidates share, of a rule that is none of some."""
    units = links.sight.layout.units_of_cell
    its = units[links.cell(other)]
    return next((unit for unit in units[links.cell(one)] if unit.rule not in but and unit in its), None)


def _turbot(
    technique: str, links: Links, pairs: tuple[Pair, Pair], ends: tuple[int, int, int, int], unit: Unit
) -> Iterator[Deduction]:
    removed = links.sees(ends[0]) & links.sees(ends[3])
    if not removed:
        return
    name = [links.board.cell_name(links.cell(end)) for end in ends]
    why = (
        f"{pairs[0].value} has two places in {pairs[0].unit.name}, {name[0]} and {name[1]}, and two in "
        f"{pairs[1].unit.name}, {name[2]} and {name[3]}; {name[1]} and {name[2]} are both in {unit.name}, so that one "
        f"of them at least is not {pairs[0].value}, and then {name[0]} or {name[3]} is"
    )
    yield links.found(technique, removed, ends, why, f"{pairs[0].unit.name}, {pairs[1].unit.name}, {unit.name}")


def empty_rectangle(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """One of two places of a value in a row sees some of its places in a box: the other one, or the rest, has it."""
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
    rest = words.cells(board, map(links.cell, places[1]), "or")
    why = (
        f"{pair.value} is at {near} or {far} in {pair.unit.name}; at {near} it leaves {rest} as its places in "
        f"{box.name}; either way one of {far} and {rest} is {pair.value}"
    )
    return links.found("empty rectangle", removed, (*ends, *places[0]), why, f"{box.name}, {pair.unit.name}")
