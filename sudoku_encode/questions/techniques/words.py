"""Deductions in plain words: a sentence with the technique, its cells, the reason, and what follows."""

from collections.abc import Iterable, Sequence

from sudoku_encode.papers.marks import Deduction, Layout
from sudoku_encode.puzzles.geometry import Geometry, Rule

# That many cells are named; of more it is said how many there are.
_MAX_NAMED = 12


def listed(words: Sequence[str], last: str = "and") -> str:
    """Join some words: `a, b and c`."""
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {last} {words[-1]}" if words else ""


def numbers(values: Iterable[int], last: str = "and") -> str:
    """Name values."""
    return listed([str(value) for value in values], last)


def cells(board: Geometry, some: Iterable[int], last: str = "and") -> str:
    """Name cells."""
    names = [board.cell_name(cell) for cell in some]
    if len(names) > _MAX_NAMED:
        names = [*names[: _MAX_NAMED - 1], f"{len(names) - _MAX_NAMED + 1} more cells"]
    return listed(names, last)


def follows(board: Geometry, deduction: Deduction) -> str:
    """Say what goes, or what is placed."""
    if deduction.placed is not None:
        cell, value = deduction.placed
        return f"{board.cell_name(cell)} is {value}"
    values: dict[int, list[int]] = {}
    for cell, value in deduction.removed:
        values.setdefault(cell, []).append(value)
    groups: dict[tuple[int, ...], list[int]] = {}
    for cell, gone in values.items():
        groups.setdefault(tuple(gone), []).append(cell)
    return ", and ".join(
        f"{cells(board, some)} {'is' if len(some) == 1 else 'are'} not {numbers(gone, 'or')}"
        for gone, some in groups.items()
    )


def sentence(layout: Layout, deduction: Deduction) -> str:
    """Return a deduction as a sentence, without a full stop.

    >>> from sudoku_encode import board
    >>> print(sentence(Layout(board("9x9")), Deduction("naked single", (0,), (3,), "", (), (0, 3))))
    naked single in r1c1: no other value is left there, so r1c1 is 3
    """
    why = deduction.why or _reason(layout, deduction)
    about = cells(layout.board, deduction.cells)
    return f"{deduction.technique} in {about}: {why}, so {follows(layout.board, deduction)}"


def _reason(layout: Layout, deduction: Deduction) -> str:
    """Give the reason of a technique of the method `logic`, which does not say it itself."""
    name, board = deduction.technique, layout.board
    about, values, where = cells(board, deduction.cells), deduction.values, deduction.where
    if name == "naked single":
        return "no other value is left there"
    if name == "hidden single":
        return f"it is the only place for {values[0]} in {where}"
    if name in ("pointing", "claiming"):
        inside, outside = where.split(", ")
        places = cells(board, deduction.cells, "or")
        return f"{values[0]} is in {inside} at {places}, which lie in {outside}"
    if name.startswith("naked"):
        return f"these cells of {where} have the values {numbers(values)} among them"
    if name.startswith("hidden"):
        return f"in {where} the values {numbers(values)} have these places only"
    if name in ("XY-wing", "XYZ-wing"):
        return _wing(board, deduction)
    return _fish(layout, deduction, about)


def _wing(board: Geometry, deduction: Deduction) -> str:
    pivot, one, other = (board.cell_name(cell) for cell in deduction.cells)
    gone = deduction.removed[0][1]
    x, y = (value for value in deduction.values if value != gone)
    if deduction.technique == "XY-wing":
        return f"{pivot} is {x} or {y}; whichever it is, one of {one} and {other} is {gone}"
    return f"{pivot} is {x}, {y} or {gone}; whichever it is, it or one of {one} and {other} is {gone}"


def _fish(layout: Layout, deduction: Deduction, about: str) -> str:
    """Name the units of a fish: those whose places all are in the pattern, and those that it names itself."""
    covers = deduction.where.split(", ")
    units: dict[Rule, set[str]] = {}
    for cell in deduction.cells:
        for unit in layout.units_of_cell[cell]:
            units.setdefault(unit.rule, set()).add(unit.name)
    # The base has as many units as the cover, and each cell of the pattern is in one.
    bases = [
        sorted(names)
        for rule, names in units.items()
        if len(names) == len(covers)
        and not names & set(covers)
        and rule in layout.board.full_rules
        and any(base is rule and _covers(layout, cover.name, covers) for base, cover in layout.crossings)
    ]
    base = f" in {listed(bases[0])}" if bases else ""
    return f"the places of {deduction.values[0]}{base} all lie in {listed(covers)}"


def _covers(layout: Layout, rule: str, covers: Sequence[str]) -> bool:
    return all(name.startswith(rule) for name in covers)
