"""The techniques of solving by hand without guessing, each a function from candidates to deductions.

Each deduction is sound: the candidates that it removes are in no solution, the value that it places is in all. A
technique changes nothing itself; the caller may apply a deduction before it asks for the next, which sees the change.

Source: chapter 4 of the GTSPS thesis (A Novel Graph Theoretic Sudoku Solver) names them in Table 4.7 as those of the
    solvers [46] and [49]. Its lone ranger is the hidden single, its twin a pair, its triplet a triple.
Differs: the thesis does not define them; these are the definitions that are in general use. They are for any board: a
    technique that argues that a value must be somewhere in a unit needs a unit that holds every value; a fish needs two
    rules whose units cross in one cell at most, such as rows and columns; the wings need peers only.
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import combinations, compress

from sudoku_encode.papers.marks import Deduction, Marks, Unit, values_of
from sudoku_encode.puzzles.geometry import Rule

Tick = Callable[[], None]
Technique = Callable[["Marks", Tick], Iterator["Deduction"]]
SIZES = {2: "pair", 3: "triple", 4: "quad"}
FISH = {2: "X-wing", 3: "swordfish", 4: "jellyfish"}


def naked_single(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Yield the naked singles: a blank has one candidate."""
    for cell in sorted(marks.blanks):
        mask = marks.masks[cell]
        if mask.bit_count() == 1:
            yield _placing("naked single", marks, cell, mask, "")


def hidden_single(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Yield the hidden singles (lone rangers): a value has one place in a unit that holds every value."""
    for unit in marks.layout.full_units:
        once = twice = 0
        cells = marks.blank(unit.cells)
        for cell in cells:
            twice |= once & marks.masks[cell]
            once |= marks.masks[cell]
        if single := once & ~twice:
            for cell in cells:
                # The deduction before may have removed it.
                lone = marks.masks[cell] & single
                if lone:
                    yield _placing("hidden single", marks, cell, lone & -lone, unit.name)


def _placing(technique: str, marks: Marks, cell: int, mask: int, where: str) -> Deduction:
    values = values_of(mask)
    removed = marks.having([cell], ~mask) + marks.having(marks.layout.peers[cell], mask)
    return Deduction(technique, (cell,), values, where, removed, (cell, values[0]))


def pointing(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Locked candidates: the places of a value in a box (or region, window) are all in one row: not elsewhere there."""
    return _locked("pointing", marks, tick, lines=False)


def claiming(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Locked candidates: the places of a value in a row are all in one box: not elsewhere in the box."""
    return _locked("claiming", marks, tick, lines=True)


def _locked(technique: str, marks: Marks, tick: Tick, lines: bool) -> Iterator[Deduction]:
    for unit in marks.layout.full_units:
        if _is_line(unit) != lines:
            continue
        tick()
        for value, places in marks.places(unit):
            if len(places) < 2:
                continue
            for other in marks.layout.units_of_cell[places[0]]:
                if other.rule != unit.rule and all(other in marks.layout.units_of_cell[cell] for cell in places[1:]):
                    removed = marks.having([cell for cell in other.cells if cell not in places], 1 << value - 1)
                    if removed:
                        yield Deduction(technique, places, (value,), f"{unit.name}, {other.name}", removed)


def _is_line(unit: Unit) -> bool:
    return unit.rule.name.startswith(("row", "column", "diagonal", "antidiagonal"))


def _subsets(sets: Sequence[int], size: int) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield each choice of `size` of these sets (bit masks) that have `size` members together, and those members."""
    few = [number for number, members in enumerate(sets) if 1 < members.bit_count() <= size]

    def more(chosen: tuple[int, ...], union: int, start: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(chosen) == size:
            if union.bit_count() == size:
                yield chosen, union
            return
        for place in range(start, len(few) - (size - len(chosen)) + 1):
            longer = union | sets[few[place]]
            if longer.bit_count() <= size:
                yield from more((*chosen, few[place]), longer, place + 1)

    return more((), 0, 0)


def naked_subset(size: int, marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Some `size` blanks of a unit have `size` candidates together: its other cells have none of them."""
    for unit in marks.layout.units:
        tick()
        cells = marks.blank(unit.cells)
        for chosen, union in _subsets([marks.masks[cell] for cell in cells], size):
            subset = tuple(cells[number] for number in chosen)
            removed = marks.having([cell for cell in cells if cell not in subset], union)
            if removed:
                yield Deduction(f"naked {SIZES[size]}", subset, values_of(union), unit.name, removed)


def hidden_subset(size: int, marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Some `size` values have `size` places together in a unit that holds every value: no other value is there."""
    for unit in marks.layout.full_units:
        tick()
        places = marks.places(unit)
        sets = [sum(1 << unit.cells.index(cell) for cell in cells) for _, cells in places]
        for chosen, union in _subsets(sets, size):
            values = tuple(places[number][0] for number in chosen)
            cells = tuple(unit.cells[at - 1] for at in values_of(union))
            removed = marks.having(cells, ~sum(1 << value - 1 for value in values))
            if removed:
                yield Deduction(f"hidden {SIZES[size]}", cells, values, unit.name, removed)


def fish(size: int, marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The places of a value in `size` rows are all in `size` columns: in those it is nowhere else. And turned."""
    for base, cover in marks.layout.crossings:
        rows = [places for unit in marks.layout.units if unit.rule is base for places in marks.places(unit)]
        for value in range(1, marks.layout.board.n_values + 1):
            tick()
            few = [cells for other, cells in rows if other == value and 2 <= len(cells) <= size]
            yield from _fish_of(size, marks, value, few, cover)


def _fish_of(size: int, marks: Marks, value: int, rows: list[tuple[int, ...]], cover: Rule) -> Iterator[Deduction]:
    columns = [
        [unit for cell in cells for unit in marks.layout.units_of_cell[cell] if unit.rule is cover] for cells in rows
    ]
    # A cover rule may leave cells out, as diagonals do: a row with a place there has no cover.
    covered = [len(cells) == len(units) for cells, units in zip(rows, columns, strict=True)]
    rows, columns = list(compress(rows, covered)), list(compress(columns, covered))
    for chosen, _ in _subsets([sum(1 << unit.number for unit in units) for units in columns], size):
        cells = tuple(cell for number in chosen for cell in rows[number])
        covers = sorted({unit for number in chosen for unit in columns[number]}, key=lambda unit: unit.number)
        removed = marks.having([cell for unit in covers for cell in unit.cells if cell not in cells], 1 << value - 1)
        if removed:
            yield Deduction(FISH[size], cells, (value,), ", ".join(unit.name for unit in covers), removed)


def xy_wing(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A blank of x, y with peers of x, z and y, z: a cell that sees both peers is not z."""
    return _wing("XY-wing", 2, marks, tick)


def xyz_wing(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A blank of x, y, z with peers of x, z and y, z: a cell that sees all three is not z."""
    return _wing("XYZ-wing", 3, marks, tick)


def _wing(technique: str, size: int, marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Find both wings: pivot and pincers have three values together, z is in each that the wing is about."""
    masks = marks.masks
    for pivot in sorted(marks.blanks):
        if masks[pivot].bit_count() != size:
            continue
        tick()
        pincers = [cell for cell in marks.blank(marks.layout.peers[pivot]) if masks[cell].bit_count() == 2]
        for first, second in combinations(pincers, 2):
            z = masks[first] & masks[second]
            x_and_y = masks[first] ^ masks[second]
            if z.bit_count() != 1 or masks[pivot] != (x_and_y if size == 2 else x_and_y | z):
                continue
            about = (first, second) if size == 2 else (pivot, first, second)
            seen = set.intersection(*(set(marks.layout.peers[cell]) for cell in about))
            removed = marks.having(sorted(seen), z)
            if removed:
                yield Deduction(technique, (pivot, first, second), values_of(x_and_y | z), "", removed)


SINGLES: tuple[Technique, ...] = (naked_single, hidden_single)
PENCIL_PAPER: tuple[Technique, ...] = (
    *SINGLES,
    pointing,
    claiming,
    *(partial(subset, size) for size in (2, 3, 4) for subset in (naked_subset, hidden_subset)),
)
LOGIC: tuple[Technique, ...] = (*PENCIL_PAPER, partial(fish, 2), xy_wing, partial(fish, 3), xyz_wing)
