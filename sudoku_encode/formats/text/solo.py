"""Game IDs of Solo, of Simon Tatham's Portable Puzzle Collection, one a line: a kind of board, `:` and the puzzle.

The kind is `3x3`, `2x3` (boxes of 2 rows and 3 columns) or `9j` (a jigsaw with 9 values). `x` after it stands for both
diagonals, `k` for killer cages; how the program made the puzzle may follow (`a`, `m4`, `dt`) and has no meaning here.
The puzzle has parts with commas between them:

- its cells in reading order: numbers, with `_` between two of them, and `a` to `z` for 1 to 26 blanks;
- for a jigsaw, the borders of its regions;
- for killer, the borders of its cages, and a part like the first with the sum of each cage in one of its cells.

Borders are on sides of cells: first those between neighbours in a row, row by row, then those between neighbours in a
column, column by column. `_` and `a` to `y` stand for 0 to 25 sides without a border and then one with a border, `z`
for 26 sides without one. The last border is that of the grid. Each cell is in a cage, and a cage has 2 cells or more.

`3x3#` and a number is a seed: only the program makes a puzzle of it.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from string import ascii_lowercase
from typing import NamedTuple
from urllib.parse import unquote

from sudoku_encode.errors import FormatError, plural, short
from sudoku_encode.formats.cells import line_entries
from sudoku_encode.formats.entries import Entry
from sudoku_encode.formats.format_features import SOLO_MOST, SOLO_MOST_KILLER
from sudoku_encode.formats.lines import Row, Setting
from sudoku_encode.formats.region_maps import board_of, pieces
from sudoku_encode.formats.text import FormatFunctions
from sudoku_encode.formats.text.killer_cages import cage_fault, text_board
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

_START = re.compile(r"(?:https?://[^\s#]*#)?(\d{1,3})(?:x(\d{1,3}))?([a-z\d]*)([:#])", re.ASCII)
_OPTION = re.compile(r"d[a-z]|md?\d|r\d|[jxka]", re.ASCII)
_CELLS = re.compile(r"([1-9]\d{0,3})|([a-z])|_", re.ASCII)
_RUNS = f"_{ascii_lowercase}"


class _Kind(NamedTuple):
    """The part of a game ID before its colon."""

    n: int
    board: str  # the name of the board; empty for a jigsaw
    has_diagonals: bool
    is_killer: bool


# Reading.


def read_solo(text: str, setting: Setting) -> Iterator[Entry]:
    """Yield the puzzles of a text, or a FormatError in the place of one."""
    return line_entries(text, setting, _puzzle)


def _puzzle(row: Row, setting: Setting) -> Puzzle:
    line = unquote(row.text.strip())
    start = _START.match(line)
    if not start:
        raise FormatError(f"not a game ID of Solo: {short(line, 30)!r}; write one such as 3x3:a1b2_3c")
    if start[4] == "#":
        seed = f"{short(line[start.start(1) :], 30)} is a seed, of which only Solo itself makes a puzzle"
        raise FormatError(f"{seed}; give its game ID, with a colon after the kind (menu Game, Specific)")
    kind = _kind(start)
    parts = line[start.end() :].split(",")
    names = ["the cells"] + ["the borders of the regions"] * (not kind.board)
    names += ["the borders of the cages", "the sums of the cages"] * kind.is_killer
    if len(parts) != len(names):
        count = f"{len(parts)} {plural('part', len(parts))}"
        raise FormatError(f"{count} after {start[0]} where it has {len(names)}: {', '.join(names)}")
    n, part_of = kind.n, dict(zip(names, parts, strict=True))
    givens = _numbers(part_of["the cells"], n * n, n, "cells")
    board, more = _board(kind, part_of, setting)
    constraints = [*setting.constraints_on(board), *more]
    if kind.is_killer:
        cages = _bordered(part_of["the borders of the cages"], n, "the cages")
        sums = _numbers(part_of["the sums of the cages"], n * n, n * n * n, "sums")
        constraints += _cages(cages, sums, board)
    return Puzzle.of(board, givens, constraints=constraints)


def _kind(start: re.Match[str]) -> _Kind:
    """Return the kind of a game ID by the match of its beginning."""
    rows, columns = int(start[1]), int(start[2] or 1)
    options = _OPTION.findall(start[3])
    if "".join(options) != start[3] or (not start[2] and options[:1] != ["j"]):
        raise FormatError(f"not a kind of Solo: {short(start[0], 30)!r}; write one such as 3x3:, 3x3xk: or 9j:")
    is_jigsaw, is_killer, n = "j" in options, "k" in options, rows * columns
    most = SOLO_MOST_KILLER if is_killer else SOLO_MOST
    if min(rows, n if is_jigsaw else columns) < 2 or n > most:
        raise FormatError(
            f"{short(start[0], 30)} has {n} values; expected boxes of at least 2x2, and at most {most} values"
        )
    return _Kind(n, "" if is_jigsaw else f"{n}x{n}:{rows}x{columns}", "x" in options, is_killer)


def _board(kind: _Kind, part_of: dict[str, str], setting: Setting) -> tuple[Geometry, tuple[Constraint, ...]]:
    """Return the board, and the diagonals of a jigsaw, which no board has."""
    if kind.board:
        return text_board(f"{kind.board}{'+diagonals' * kind.has_diagonals}", setting), ()
    n, regions = kind.n, _bordered(part_of["the borders of the regions"], kind.n, "the regions")
    number_of = {cell: number for number, region in enumerate(regions) for cell in region}
    if {len(region) for region in regions} != {n}:
        sizes = ", ".join(str(len(region)) for region in regions)
        raise FormatError(f"regions of {short(sizes, 40)} cells where a jigsaw of {n} values has {n} regions of {n}")
    board, _ = board_of(n, [number_of[cell] for cell in range(n * n)], setting.boards)
    return text_board(board.name, setting), (Constraint("diagonal"),) * kind.has_diagonals


def _numbers(part: str, n_cells: int, most: int, name: str) -> list[int]:
    """Return the number of each cell of a part, 0 for a blank."""
    numbers: list[int] = []
    end = 0
    for match in _CELLS.finditer(part):
        if match.start() > end:
            break
        if match[1] and int(match[1]) > most:
            raise FormatError(f"{match[1]} among the {name}; numbers there go to {most}")
        numbers += [int(match[1])] if match[1] else [0] * _RUNS.index(match[0])
        end = match.end()
    if end < len(part):
        raise FormatError(
            f"{part[end]!r} among the {name}; write numbers, _ between two of them, and a to z for blanks"
        )
    if len(numbers) != n_cells:
        what = "cells" if name == "cells" else "cells in the part of the sums"
        raise FormatError(f"{len(numbers)} {what} where the board has {n_cells}")
    return numbers


def _bordered(part: str, n: int, name: str) -> list[list[int]]:
    """Return the cells of each piece that borders make, ascending, in the order of their first cells."""
    if wrong := next((letter for letter in part if letter not in _RUNS), ""):
        raise FormatError(f"{wrong!r} among the borders of {name}; write _ and a to z")
    has_border: list[bool] = []
    for letter in part:
        run = _RUNS.index(letter)
        has_border += [False] * run + [True] * (run < 26)
    sides = list(_sides(n))
    # The last border is that of the grid.
    if len(has_border) != len(sides) + 1 or not has_border[-1]:
        what = f"the borders of {name} are for {len(has_border) - 1} sides of cells"
        raise FormatError(f"{what} where {n} rows and columns have {len(sides)}")
    piece_of = [[cell] for cell in range(n * n)]
    for (first, second), is_border in zip(sides, has_border[:-1], strict=True):
        if not is_border and piece_of[first] is not piece_of[second]:
            piece_of[first] += piece_of[second]
            for cell in piece_of[second]:
                piece_of[cell] = piece_of[first]
    return list({min(piece): sorted(piece) for piece in piece_of}.values())


def _sides(n: int) -> Iterator[tuple[int, int]]:
    """Yield the cells on both sides of each side inside a grid, in the order of a game ID."""
    for row in range(n):
        yield from ((n * row + column, n * row + column + 1) for column in range(n - 1))
    for column in range(n):
        yield from ((n * row + column, n * row + column + n) for row in range(n - 1))


def _cages(cages: Iterable[Sequence[int]], sums: Sequence[int], board: Geometry) -> Iterator[Constraint]:
    """Yield the cages; each has its sum in one of its cells."""
    for cells in cages:
        first, totals = board.cell_name(cells[0]), [sums[cell] for cell in cells if sums[cell]]
        if not 2 <= len(cells) <= board.n_values:
            count = f"{len(cells)} {plural('cell', len(cells))}"
            raise FormatError(f"the cage of {first} has {count}; a cage has 2 to {board.n_values}")
        if len(totals) != 1:
            raise FormatError(f"the cage of {first} has {len(totals)} sums; write one in one of its cells")
        yield Constraint("cage", (tuple(cells),), (totals[0],))


# Writing.


def write_solo(puzzle: Puzzle) -> str:
    """Return one puzzle as text."""
    board, cages = puzzle.geometry, _cages_of(puzzle)
    regions = _regions_of(board)
    rows, columns = board.box or (0, 0)
    kind = f"{board.n_values}j" if regions else f"{rows}x{columns}"
    parts = [_cells_text(puzzle.givens.tolist())]
    if regions:
        parts.append(_borders_text(regions, board.n_values))
    if cages:
        sums = [0] * board.n_cells
        for cage in cages:
            sums[min(cage.cells[0])] = cage.numbers[0]
        parts += [_borders_text([cage.cells[0] for cage in cages], board.n_values), _cells_text(sums)]
    return f"{kind}{'x' * _has_diagonals(puzzle)}{'k' * bool(cages)}:{','.join(parts)}"


def _regions_of(board: Geometry) -> list[list[int]]:
    return [unit for rule in board.rules if rule.name == "region" for unit in rule.units.tolist()]


def _has_diagonals(puzzle: Puzzle) -> bool:
    has_rule = "diagonal" in puzzle.geometry.rule_names
    return has_rule or any(constraint.kind == "diagonal" for constraint in puzzle.constraints)


def _cages_of(puzzle: Puzzle) -> list[Constraint]:
    return [constraint for constraint in puzzle.constraints if constraint.kind == "cage"]


def _cells_text(values: Sequence[int]) -> str:
    """Return numbers, 0 for a blank, as a part of a game ID."""
    text, run = "", 0
    for value in [*values, None]:
        if value == 0:
            run += 1
            continue
        blanks = "z" * (run // 26) + (_RUNS[run % 26] if run % 26 else "")
        text += blanks or ("_" if text and value is not None else "")
        text += "" if value is None else str(value)
        run = 0
    return text


def _borders_text(groups: Iterable[Sequence[int]], n: int) -> str:
    """Return the borders between groups of cells as a part of a game ID."""
    group_of = {cell: number for number, cells in enumerate(groups) for cell in cells}
    text, run = "", 0
    for are_apart in [*(group_of[first] != group_of[second] for first, second in _sides(n)), True]:
        run += 1
        if are_apart:
            # Solo itself writes z for 25 sides, but reads 26.
            text += "z" * ((run - 1) // 26) + _RUNS[(run - 1) % 26]
            run = 0
    return text


def solo_fault(puzzle: Puzzle) -> str:
    """Return why the format cannot hold a puzzle; an empty text if it can."""
    board, cages = puzzle.geometry, _cages_of(puzzle)
    n = board.n_values
    regions = _regions_of(board)
    if regions and not _are_connected(regions, n):
        return "a region of the jigsaw is in several pieces"
    diagonals = {constraint.numbers for constraint in puzzle.constraints if constraint.kind == "diagonal"}
    if diagonals and not regions:
        return f"both diagonals are a rule of the board there: write --board {board.name}+diagonals"
    if diagonals and () not in diagonals and len(diagonals) < 2:
        return "it has one diagonal, and there they are two"
    return _cages_fault(puzzle) if cages else ""


def _cages_fault(puzzle: Puzzle) -> str:
    """Return why the format cannot hold the cages of a puzzle; an empty text if it can."""
    board = puzzle.geometry
    n, cages = board.n_values, _cages_of(puzzle)
    if n > SOLO_MOST_KILLER:
        return f"it has cages and {n} values; there are {SOLO_MOST_KILLER} at most with cages"
    if reason := cage_fault(puzzle, with_givens=True):
        return reason
    for cage in cages:
        if not sum(cage.numbers) or not 2 <= len(cage.cells[0]) <= n or not _are_connected(cage.cells, n):
            return f"`{cage.text(board)}` is not a cage of 2 to {n} connected cells with a sum"
    alone = set(range(board.n_cells)).difference(*(cage.cells[0] for cage in cages))
    return f"{board.cell_name(min(alone))} is in no cage, and there each cell is in one" if alone else ""


def _are_connected(groups: Sequence[Sequence[int]], n: int) -> bool:
    """Check whether the cells of each group are connected by their sides."""
    # Cells of no group are numbered apart.
    group_of = list(range(-n * n, 0))
    for number, cells in enumerate(groups):
        for cell in cells:
            group_of[cell] = number
    return sum(group_of[cells[0]] >= 0 for cells in pieces(n, n, group_of)) == len(groups)


FORMATS = {"solo": FormatFunctions(write_solo, read_solo, fault=solo_fault)}
