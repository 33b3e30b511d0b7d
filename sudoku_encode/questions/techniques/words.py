"""Deductions as sentences: the technique, its cells, the reason, and the conclusion."""

from collections.abc import Iterable, Sequence

from sudoku_encode.papers.marks import Deduction, Layout
from sudoku_encode.puzzles.geometry import Geometry, Rule

# At most this many cells are named; the rest are counted.
_MAX_NAMED = 12


def join_words(words: Sequence[str], last: str = "and") -> str:
    """Return some words joined: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def value_names(board: Geometry, values: Iterable[int], last: str = "and") -> str:
    """Return values joined as words."""
    return join_words([board.shown(value) for value in values], last)


def cell_names(board: Geometry, cells: Iterable[int], last: str = "and") -> str:
    """Return the names of cells joined as words."""
    names = [board.cell_name(cell) for cell in cells]
    if len(names) > _MAX_NAMED:
        names = [*names[: _MAX_NAMED - 1], f"{len(names) - _MAX_NAMED + 1} more cells"]
    return join_words(names, last)


def conclusion(board: Geometry, deduction: Deduction) -> str:
    """Return which candidates go, or which value is placed, in words."""
    if deduction.placed is not None:
        cell, value = deduction.placed
        return f"{board.cell_name(cell)} is {board.shown(value)}"
    values: dict[int, list[int]] = {}
    for cell, value in deduction.removed:
        values.setdefault(cell, []).append(value)
    groups: dict[tuple[int, ...], list[int]] = {}
    for cell, removed in values.items():
        groups.setdefault(tuple(removed), []).append(cell)
    return ", and ".join(
        f"{cell_names(board, group)} {'is' if len(group) == 1 else 'are'} not {value_names(board, removed, 'or')}"
        for removed, group in groups.items()
    )


def sentence(layout: Layout, deduction: Deduction) -> str:
    """Return a deduction as a sentence, without a full stop.

    >>> from sudoku_encode import board
    >>> print(sentence(Layout(board("9x9")), Deduction("naked single", (0,), (3,), "", (), (0, 3))))
    naked single in r1c1: no other value is left there, so r1c1 is 3
    """
    why = deduction.why or _reason(layout, deduction)
    about = cell_names(layout.board, deduction.cells)
    return f"{deduction.technique} in {about}: {why}, so {conclusion(layout.board, deduction)}"


def _reason(layout: Layout, deduction: Deduction) -> str:
    """Return the reason of a technique of the method `logic`, whose deductions contain none."""
    name, board = deduction.technique, layout.board
    about, values, where = cell_names(board, deduction.cells), deduction.values, deduction.where
    names = value_names(board, values)
    if name == "naked single":
        return "no other value is left there"
    if name == "hidden single":
        return f"it is the only place for {names} in {where}"
    if name in ("pointing", "claiming"):
        inside, outside = where.split(", ")
        places = cell_names(board, deduction.cells, "or")
        return f"in {inside}, {names} fits only at {places}, which lie in {outside}"
    if name.startswith("naked"):
        return f"these cells of {where} can only hold {names}"
    if name.startswith("hidden"):
        return f"in {where}, {names} fit only in these cells"
    if name in ("XY-wing", "XYZ-wing"):
        return _wing(board, deduction)
    return _fish(layout, deduction, about)


def _wing(board: Geometry, deduction: Deduction) -> str:
    pivot, first_wing, second_wing = (board.cell_name(cell) for cell in deduction.cells)
    last = deduction.removed[0][1]
    x, y, z = map(board.shown, (*(value for value in deduction.values if value != last), last))
    if deduction.technique == "XY-wing":
        return f"{pivot} is {x} or {y}; whichever it is, one of {first_wing} and {second_wing} is {z}"
    return f"{pivot} is {x}, {y} or {z}; whichever it is, it or one of {first_wing} and {second_wing} is {z}"


def _fish(layout: Layout, deduction: Deduction, about: str) -> str:
    """Return the reason of a fish: the units whose places are all in the pattern, and the units that cover them."""
    covers = deduction.where.split(", ")
    units: dict[Rule, set[str]] = {}
    for cell in deduction.cells:
        for unit in layout.units_of_cell[cell]:
            units.setdefault(unit.rule, set()).add(unit.name)
    # The base has as many units as the cover, and each cell of the pattern is in one unit of it.
    bases = [
        sorted(names)
        for rule, names in units.items()
        if len(names) == len(covers)
        and not names & set(covers)
        and rule in layout.board.full_rules
        and any(base is rule and _covers(layout, cover.name, covers) for base, cover in layout.crossings)
    ]
    base = f" in {join_words(bases[0])}" if bases else ""
    return f"the places of {value_names(layout.board, deduction.values[:1])}{base} all lie in {join_words(covers)}"


def _covers(layout: Layout, rule: str, covers: Sequence[str]) -> bool:
    return all(name.startswith(rule) for name in covers)
