"""SumoCue: killer and jigsaw puzzles, `SumoCueV1` and for each cell `=SUM`, or `+FIRST` and the first cell of its cage.

Cells are numbered from 0 in reading order. `=0` is a cell in no cage, or the first of a cage whose sum is not said.
On a jigsaw each cell goes on with `J` and its region, 0 to 8. `SumoCueV1D` says that the diagonals are units too.
"""

import re
from collections.abc import Iterator

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats.cages import Cage, board_of, cages_of, clash_of, puzzle_of
from sudoku_encode.formats.cells import line_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.puzzles.puzzle import Puzzle

_START = re.compile(r"SumoCueV1(D?)(?=[=+]|$)", re.ASCII)
_CELL = re.compile(r"([=+])(\d{1,3})(?:J([0-8]))?", re.ASCII)

unfit = clash_of


def write(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    text_of: dict[int, str] = {}
    for cage in cages_of(puzzle):
        text_of |= dict.fromkeys(cage.cells, f"+{cage.cells[0]}") | {cage.cells[0]: f"={cage.total}"}
    regions = [rule.units.tolist() for rule in puzzle.geometry.rules if rule.name == "region"]
    region_of = {cell: f"J{number}" for units in regions for number, unit in enumerate(units) for cell in unit}
    diagonals = "D" if "diagonal" in puzzle.geometry.rule_names else ""
    return f"SumoCueV1{diagonals}" + "".join(text_of[cell] + region_of.get(cell, "") for cell in range(81))


def read(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    return line_entries(text, setting, _puzzle)


def _puzzle(row: Row, setting: Setting) -> Puzzle:
    line = "".join(row.text.split())
    start = _START.match(line)
    if not start:
        raise FormatError(f"no SumoCue puzzle: {short(line, 30)!r}; write SumoCueV1 and 81 cells such as =15 or +0")
    found = [match.groups() for match in _CELL.finditer(line, start.end())]
    read = _CELL.sub("", line[start.end() :])
    if read or len(found) != 81:
        what = f"{short(read, 20)!r} in it is no cell" if read else f"it has {len(found)} cells"
        raise FormatError(f"no SumoCue puzzle: {what}; write 81 such as =15 or +0, with J0 to J8 on a jigsaw")
    regions = [int(region) for _, _, region in found if region is not None]
    name = "9x9+diagonals" if start[1] else "9x9"
    if regions:
        name = _jigsaw(regions, has_diagonals=bool(start[1]))
    board = board_of(name, setting)
    cells = {cell: [cell] for cell, (sign, _, _) in enumerate(found) if sign == "="}
    for cell, (sign, first, _) in enumerate(found):
        if sign == "+" and int(first) not in cells:
            raise FormatError(f"{board.cell_name(cell)} is of the cage of cell {first}, which has no = and sum")
        if sign == "+":
            cells[int(first)].append(cell)
    return puzzle_of([Cage(int(found[at][1]), tuple(sorted(cells[at]))) for at in cells], board, setting)


def _jigsaw(regions: list[int], has_diagonals: bool) -> str:
    """Return the name of the board of these regions."""
    if has_diagonals:
        raise FormatError("a jigsaw with diagonals, which no board here is")
    wrong = [region for region in range(9) if regions.count(region) != 9]
    if wrong or len(regions) != 81:
        what = (
            f"{len(regions)} cells with a region"
            if len(regions) != 81
            else f"{regions.count(wrong[0])} with J{wrong[0]}"
        )
        raise FormatError(f"{what}; each of J0 to J8 must be there nine times")
    return "jigsaw:" + "".join(str(region + 1) for region in regions)
