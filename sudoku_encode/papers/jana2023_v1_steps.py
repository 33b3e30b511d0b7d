"""The five constraints of Jana et al. 2023, step by step: what each removes, and the rule and cells behind it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sudoku_encode.papers.jana2021_drawing import index, named
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.step import Candidate, Step


@dataclass(frozen=True)
class Use:
    """One use of a constraint.

    Attributes:
        constraint: `naked single`, `hidden single`, `lone ranger`, `twin` or `triplet`.
        cells: the blanks that it is about.
        values: the values that it is about.
        rule: the rule of the row, or nothing for singles, which are about all peers.
        removed: the candidates that it removed, as (cell, value). A single may remove none.
    """

    constraint: str
    cells: tuple[int, ...]
    values: tuple[int, ...]
    rule: str
    removed: tuple[tuple[int, int], ...]


def steps(board: Geometry, log: Sequence[Use]) -> Iterator[Step]:
    """Yield a heading, and a step for each use of a constraint."""
    removed = sum(len(use.removed) for use in log)
    yield Step(f"constraints: {len(log)} steps, which remove {removed} candidates")
    # Of each candidate that is gone the cells behind it.
    behind: dict[Candidate, tuple[int, ...]] = {}
    for use in log:
        single = use.constraint.endswith("single")
        yield _single(board, use, behind) if single else _in_a_row(board, use)
        behind.update(dict.fromkeys(use.removed, use.cells))


def _single(board: Geometry, use: Use, behind: dict[Candidate, tuple[int, ...]]) -> Step:
    """Name the rules by which a single takes its value from others; of a hidden one also how it became single."""
    (cell,), (value,) = use.cells, use.values
    rules: dict[str, list[int]] = {}
    for peer, _ in use.removed:
        rules.setdefault(_shared(board, cell, peer), []).append(peer)
    taken = "; ".join(f"{value} from {_cells(board, some)} by {rule}" for rule, some in rules.items())
    gone = {other: cells for (at, other), cells in behind.items() if at == cell}
    why = ", ".join(f"{other} {_by(board, cell, cells)}" for other, cells in sorted(gone.items()))
    lost = f", which lost {why}" if use.constraint == "hidden single" and why else ""
    text = f"{use.constraint} {named(board, cell)}: {value}{lost}" + (f"; removes {taken}" if taken else "")
    data = {"value": value, "by": {rule: [board.cell_name(peer) for peer in some] for rule, some in rules.items()}}
    because = tuple(dict.fromkeys([cell, *(by for cells in gone.values() for by in cells)]))
    return Step(text, "place", use.constraint, because, ((cell, value),), use.removed, data)


def _by(board: Geometry, cell: int, cells: tuple[int, ...]) -> str:
    return "as a lone ranger" if cells == (cell,) else f"by {' '.join(index(board, by) for by in cells)}"


def _in_a_row(board: Geometry, use: Use) -> Step:
    """Name the row in which a lone ranger, a twin or a triplet is."""
    rule = next(rule for rule in board.rules if rule.name == use.rule)
    unit = next(cells for cells in rule.units.tolist() if use.cells[0] in cells)
    row = f"{use.rule} {index(board, unit[0])} to {index(board, unit[-1])}"
    values = " ".join(map(str, use.values))
    taken: dict[int, list[int]] = {}
    for cell, value in use.removed:
        taken.setdefault(cell, []).append(value)
    removes = ", ".join(f"{' '.join(map(str, some))} from {named(board, cell)}" for cell, some in taken.items())
    text = f"{use.constraint} {_cells(board, use.cells)}: {values} in {row}; removes {removes}"
    data = {"values": list(use.values), "rule": use.rule, "unit": [board.cell_name(cell) for cell in unit]}
    return Step(text, "remove", use.constraint, use.cells, removes=use.removed, data=data)


def _cells(board: Geometry, cells: Sequence[int]) -> str:
    return ", ".join(named(board, cell) for cell in cells)


def _shared(board: Geometry, one: int, other: int) -> str:
    """Return the rules by which two peers must differ, rows first."""
    same = board.units_of_cells[one] == board.units_of_cells[other]
    names = [rule.name for rule, both in zip(board.rules, same & (board.units_of_cells[one] >= 0), strict=True) if both]
    return " and ".join(names)
