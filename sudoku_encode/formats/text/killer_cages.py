"""Killer cages as other programs write them: each cell says which cage it belongs to and the sum of that cage.

A cage of one cell is a given, and a given is written as one: these formats have no other way to write it.

- `killer`: `3x3::k:`, and a number and a colon for each cell: 256 times the sum of the cell's cage, plus the number of
  the cage. Cells whose sum is 0 are in no cage; programs write them with a number of their own. `3x3:d:k:` says that
  the diagonals are units too.
- `snarfable`, of the forum of enjoysudoku: 81 symbols. One cell of each cage holds its sum, `0` to `9`, `A` to `Z` for
  10 to 35 and `a` to `j` for 36 to 45. Every other cell points to a neighbour in its cage: `<`, `>`, `^` and `v`, or
  `` ` `` (up and left), `'` (up and right), `,` (down and left) and `.` (down and right). `0` is a cell in no cage, or
  in one without a sum.
- `sumocue`: `SumoCueV1` and for each cell `=SUM`, or `+FIRST` with the first cell of its cage. Cells are numbered from
  0 in reading order. `=0` is a cell in no cage, or the first of a cage without a sum. On a jigsaw `J` and the region of
  the cell, 0 to 8, follow. `SumoCueV1D` says that the diagonals are units too.
"""

import re
from collections.abc import Iterable, Iterator
from string import ascii_lowercase, ascii_uppercase, digits
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.cells import line_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.puzzles.constraints.constraint import UNBOUNDED, Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

_KILLER_START = re.compile(r"3x3:(d?):k:", re.ASCII)
_NUMBER, _NUMBERS = re.compile(r"\d{1,6}", re.ASCII), re.compile(r"(\d{1,6}:){80}\d{1,6}", re.ASCII)
_SUMS = digits + ascii_uppercase + ascii_lowercase[:10]
_STEPS = {"<": (0, -1), ">": (0, 1), "^": (-1, 0), "v": (1, 0), "`": (-1, -1), "'": (-1, 1), ",": (1, -1), ".": (1, 1)}
_SUMOCUE_START = re.compile(r"SumoCueV1(D?)(?=[=+]|$)", re.ASCII)
_SUMOCUE_CELL = re.compile(r"([=+])(\d{1,3})(?:J([0-8]))?", re.ASCII)

# Shared by the formats.


class Cage(NamedTuple):
    """Cells that differ."""

    total: int  # their sum; 0 if the cage has none
    cells: tuple[int, ...]  # ascending


def text_board(name: str, setting: Setting) -> Geometry:
    """Return the board that a puzzle's text names, or the caller's if that has the same units or more.

    Raises:
        FormatError: the caller's board lacks a unit.
    """
    named, asked_for = setting.named_board(name), setting.known_board()
    if asked_for is None or asked_for is named:
        return named
    units = {frozenset(unit) for rule in asked_for.rules for unit in rule.units.tolist()}
    if asked_for.shape != named.shape or any(set(map(frozenset, rule.units.tolist())) - units for rule in named.rules):
        raise FormatError(f"this puzzle is for {named.name}, not for {asked_for.name}; leave the board out")
    return asked_for


def _puzzle_with_cages(cages: Iterable[Cage], board: Geometry, setting: Setting) -> Puzzle:
    givens, constraints = np.zeros(board.n_cells, np.int64), list(setting.constraints_on(board))
    for total, cells in cages:
        if len(cells) > 1:
            constraints.append(Constraint("cage", (cells,), (total,) if total else ()))
        elif total > board.n_values:
            cell = board.cell_name(cells[0])
            raise FormatError(f"{cell} is a cage of one cell with the sum {total}; values go to {board.n_values}")
        else:
            givens[cells[0]] = total
    return Puzzle.of(board, givens, constraints=constraints)


def _cages_of(puzzle: Puzzle) -> list[Cage]:
    """Return the cages of a puzzle, and one for each other cell, given or blank; ordered by their first cells."""
    cages = [Cage(sum(constraint.numbers), tuple(sorted(constraint.cells[0]))) for constraint in puzzle.constraints]
    in_cages = {cell for cage in cages for cell in cage.cells}
    single = [Cage(value, (cell,)) for cell, value in enumerate(puzzle.givens.tolist()) if cell not in in_cages]
    return sorted(cages + single, key=lambda cage: cage.cells)


def cage_fault(puzzle: Puzzle, *, with_givens: bool = False) -> str:
    """Return why a format in which each cell is in one cage cannot hold a puzzle; an empty text if it can.

    Args:
        puzzle: the puzzle.
        with_givens: whether a cell of a cage may be a given too.
    """
    seen: set[int] = set()
    for constraint in (constraint for constraint in puzzle.constraints if constraint.kind == "cage"):
        if constraint.bounds != UNBOUNDED:
            return f"`{constraint.text(puzzle.geometry)}` has bounds; here a cage has one sum"
        for cell in constraint.cells[0]:
            if cell in seen:
                return f"{puzzle.geometry.cell_name(cell)} is in two cages"
            if puzzle.givens[cell] and not with_givens:
                return f"{puzzle.geometry.cell_name(cell)} is a given in a cage; a cell cannot be both"
            seen.add(cell)
    return ""


# killer.


def write_killer(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    number_of = {
        cell: 256 * cage.total + number for number, cage in enumerate(_cages_of(puzzle)) for cell in cage.cells
    }
    diagonals = "d" if "diagonal" in puzzle.geometry.rule_names else ""
    return f"3x3:{diagonals}:k:" + "".join(f"{number_of[cell]}:" for cell in range(81))


def killer_fault(puzzle: Puzzle) -> str:
    """Return why the format cannot hold a puzzle; an empty text if it can."""
    for constraint in puzzle.constraints:
        if not constraint.numbers:
            return f"`{constraint.text(puzzle.geometry)}` has no sum, and here cells without one are in no cage"
    return cage_fault(puzzle)


def read_killer(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    return line_entries(text, setting, _killer_puzzle)


def _killer_puzzle(row: Row, setting: Setting) -> Puzzle:
    line = "".join(row.text.split())
    start = _KILLER_START.match(line)
    if not start:
        raise FormatError(f"not a killer puzzle: {short(line, 30)!r}; write 3x3::k: and 81 numbers, a colon after each")
    numbers = line[start.end() :].removesuffix(":")
    fields = numbers.split(":")
    if len(fields) != 81:
        raise FormatError(f"{len(fields)} numbers after {start[0]}, where a killer puzzle has 81, a colon after each")
    board = text_board("9x9+diagonals" if start[1] else "9x9", setting)
    if not _NUMBERS.fullmatch(numbers):
        cell, field = next((cell, field) for cell, field in enumerate(fields) if not _NUMBER.fullmatch(field))
        message = f"{short(field, 20)!r} at {board.cell_name(cell)} is not a number"
        raise FormatError(f"{message}; write 256 times the sum, plus the cage's number")
    groups: dict[int, list[int]] = {}
    for cell, number in enumerate(map(int, fields)):
        groups.setdefault(number, []).append(cell)
    totals: dict[int, int] = {}
    for number, cells in groups.items():
        total, cage = divmod(number, 256)
        if total and totals.setdefault(cage, total) != total:
            first = board.cell_name(cells[0])
            raise FormatError(f"{first} gives cage {cage} the sum {total}, a cell before it {totals[cage]}")
    cages = [Cage(number // 256, tuple(cells)) for number, cells in groups.items() if number >= 256]
    return _puzzle_with_cages(cages, board, setting)


# snarfable.


def write_snarfable(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    symbol_of: dict[int, str] = {}
    for cage in _cages_of(puzzle):
        symbol_of |= _pointers(cage)
    return "".join(symbol_of[cell] for cell in range(81))


def snarfable_fault(puzzle: Puzzle) -> str:
    """Return why the format cannot hold a puzzle; an empty text if it can."""
    for cage in _cages_of(puzzle):
        if cage.total >= len(_SUMS):
            return f"the sum {cage.total} is above {len(_SUMS) - 1}"
        if len(_pointers(cage)) < len(cage.cells):
            names = " ".join(map(puzzle.geometry.cell_name, cage.cells))
            return f"the cells {names} of a cage are not connected"
    return cage_fault(puzzle)


def read_snarfable(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    return line_entries(text, setting, _snarfable_puzzle)


def _pointers(cage: Cage) -> dict[int, str]:
    """Return the symbol of each cell of a cage that is connected to its first cell."""
    symbols = {cage.cells[0]: _SUMS[min(cage.total, len(_SUMS) - 1)]}
    while pointer := next(_more_pointers(cage, symbols), None):
        symbols[pointer[0]] = pointer[1]
    return symbols


def _more_pointers(cage: Cage, symbols: dict[int, str]) -> Iterator[tuple[int, str]]:
    """Yield cells without a symbol that can point to one with a symbol, side neighbours before corner neighbours."""
    for symbol, (rows, columns) in _STEPS.items():
        for cell in symbols:
            before = _moved(cell, (-rows, -columns))
            if before is not None and before in cage.cells and before not in symbols:
                yield before, symbol


def _moved(cell: int, step: tuple[int, int]) -> int | None:
    """Return the cell that is a step away; None outside the grid."""
    row, column = cell // 9 + step[0], cell % 9 + step[1]
    return 9 * row + column if 0 <= row < 9 and 0 <= column < 9 else None


def _snarfable_puzzle(row: Row, setting: Setting) -> Puzzle:
    symbols, board = row.text.strip(), text_board("9x9", setting)
    if len(symbols) != 81 or set(symbols) - set(_SUMS) - set(_STEPS):
        wrong = next((symbol for symbol in symbols if symbol not in _SUMS and symbol not in _STEPS), None)
        is_long = len(symbols) == 81
        fault = f"{wrong!r} in it" if wrong and is_long else f"{len(symbols)} symbols: {short(symbols, 20)!r}"
        raise FormatError(
            f"not a killer puzzle, {fault}; write 81 symbols, sums 0 to 9, A to Z and a to j, and < > ^ v"
        )
    target = [cell if s in _SUMS else _moved(cell, _STEPS[s]) for cell, s in enumerate(symbols)]
    members: dict[int, list[int]] = {}
    for cell in range(81):
        current, steps = cell, 0
        while (following := target[current]) != current:
            steps += 1
            if following is None or steps > 81:
                where = "out of the grid" if following is None else "in a circle"
                raise FormatError(f"{board.cell_name(cell)} points {where}; it must lead to the sum of its cage")
            current = following
        members.setdefault(current, []).append(cell)
    cages = [Cage(_SUMS.index(symbols[first]), tuple(cells)) for first, cells in members.items()]
    return _puzzle_with_cages(cages, board, setting)


# sumocue.


def write_sumocue(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    text_of: dict[int, str] = {}
    for cage in _cages_of(puzzle):
        text_of |= dict.fromkeys(cage.cells, f"+{cage.cells[0]}") | {cage.cells[0]: f"={cage.total}"}
    regions = [rule.units.tolist() for rule in puzzle.geometry.rules if rule.name == "region"]
    region_of = {cell: f"J{number}" for units in regions for number, unit in enumerate(units) for cell in unit}
    diagonals = "D" if "diagonal" in puzzle.geometry.rule_names else ""
    return f"SumoCueV1{diagonals}" + "".join(text_of[cell] + region_of.get(cell, "") for cell in range(81))


def read_sumocue(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    return line_entries(text, setting, _sumocue_puzzle)


def _sumocue_puzzle(row: Row, setting: Setting) -> Puzzle:
    line = "".join(row.text.split())
    start = _SUMOCUE_START.match(line)
    if not start:
        raise FormatError(f"not a SumoCue puzzle: {short(line, 30)!r}; write SumoCueV1 and 81 cells such as =15 or +0")
    cells = [match.groups() for match in _SUMOCUE_CELL.finditer(line, start.end())]
    rest = _SUMOCUE_CELL.sub("", line[start.end() :])
    if rest or len(cells) != 81:
        fault = f"{short(rest, 20)!r} in it is not a cell" if rest else f"it has {len(cells)} cells"
        raise FormatError(f"not a SumoCue puzzle: {fault}; write 81 such as =15 or +0, with J0 to J8 on a jigsaw")
    regions = [int(region) for _, _, region in cells if region is not None]
    name = "9x9+diagonals" if start[1] else "9x9"
    if regions:
        name = _jigsaw_name(regions, has_diagonals=bool(start[1]))
    board = text_board(name, setting)
    members = {cell: [cell] for cell, (sign, _, _) in enumerate(cells) if sign == "="}
    for cell, (sign, first, _) in enumerate(cells):
        if sign == "+" and int(first) not in members:
            raise FormatError(f"{board.cell_name(cell)} is in the cage of cell {first}, which has no = and sum")
        if sign == "+":
            members[int(first)].append(cell)
    cages = [Cage(int(cells[first][1]), tuple(sorted(others))) for first, others in members.items()]
    return _puzzle_with_cages(cages, board, setting)


def _jigsaw_name(regions: list[int], has_diagonals: bool) -> str:
    """Return the name of the board with these regions."""
    if has_diagonals:
        raise FormatError("a jigsaw with diagonals: no such board is known; write it without D, or without regions")
    wrong = [region for region in range(9) if regions.count(region) != 9]
    if wrong or len(regions) != 81:
        fault = (
            f"{len(regions)} cells with a region"
            if len(regions) != 81
            else f"{regions.count(wrong[0])} with J{wrong[0]}"
        )
        raise FormatError(f"{fault}; each of J0 to J8 must be there nine times")
    return "jigsaw:" + "".join(str(region + 1) for region in regions)


FORMATS = {
    "killer": FormatFunctions(write_killer, read_killer, fault=killer_fault),
    "snarfable": FormatFunctions(write_snarfable, read_snarfable, fault=snarfable_fault),
    "sumocue": FormatFunctions(write_sumocue, read_sumocue, fault=cage_fault),
}
