"""The board of an f-puzzles object: its side, and the regions of its cells."""

from collections.abc import Sequence

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.f_puzzles_keys import CELL_MEANING
from sudoku_encode.formats.json_objects import JsonObject, refuse_misspelt, shown
from sudoku_encode.formats.lines import NamedBoards
from sudoku_encode.puzzles.boards import MAX_JIGSAW, MAX_SQUARE
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.shapes import default_box

# The symbols of a jigsaw's map, a region each.
_SYMBOLS = "abcdefghijklmnopqrstuvwxyz123456789"
Regions = Sequence[int | None]


def cells_of(item: JsonObject) -> tuple[int, list[JsonObject]]:
    """Return the side of the grid, and what each cell says.

    Raises:
        FormatError: there is no square of objects; one of them has a key that is nearly one that is read.
    """
    grid = item.get("grid")
    if not isinstance(grid, list) or len(grid) < 2:
        raise FormatError('"grid" must be a list of rows, each a list of objects, such as {"value": 5, "given": true}')
    n = len(grid)
    if n > MAX_SQUARE:
        raise FormatError(f"a grid of {n} rows; a board may have {MAX_SQUARE}")
    if item.get("size", n) != n:
        raise FormatError(f'"size" is {shown(item["size"])}, and "grid" has {n} rows')
    for number, row in enumerate(grid, 1):
        if not isinstance(row, list) or len(row) != n or not all(isinstance(cell, dict) for cell in row):
            raise FormatError(f'row {number} of "grid" must be a list of {n} objects, such as {{"value": 5}}')
        for cell in row:
            refuse_misspelt(cell, CELL_MEANING)
    return n, [cell for row in grid for cell in row]


def default_regions(n: int) -> list[int]:
    """Return for each cell the number of its box, which is a row where the side is prime."""
    return _boxes(n, *(default_box(n) or (1, n)))


def _boxes(n: int, rows: int, columns: int) -> list[int]:
    """Return for each cell the number of its box of some rows and columns."""
    per_row = n // columns
    return [(cell // n // rows) * per_row + cell % n // columns for cell in range(n * n)]


def regions_of(n: int, cells: Sequence[JsonObject]) -> list[int | None]:
    """Return for each cell the number of its region, None where it is in none.

    Raises:
        FormatError: a region is no number.
    """
    found: list[int | None] = []
    for at, (cell, usual) in enumerate(zip(cells, default_regions(n), strict=True)):
        region = cell.get("region", usual)
        if region is not None and type(region) is not int:
            raise FormatError(f'"region" of r{at // n + 1}c{at % n + 1} is {shown(region)}; it is a number or null')
        found.append(region)
    return found


def board_of(
    n: int, regions: Regions, boards: NamedBoards, extra: Sequence[str] = (), *, are_named: bool = True
) -> tuple[Geometry, tuple[Constraint, ...]]:
    """Return the board with these regions, and those that no board has as constraints.

    Args:
        n: its side.
        regions: for each cell the number of its region.
        boards: those of the text.
        extra: names of rules that the board shall have where its regions are boxes.
        are_named: whether the text has regions; a board whose side is prime has none without them.

    Raises:
        FormatError: a region has more cells than there are values.
        GeometryError: the board is too large.
    """
    units: dict[int | None, list[int]] = {}
    for cell, region in enumerate(regions):
        units.setdefault(region, []).append(cell)
    order = {region: number for number, region in enumerate(units)}
    # Boxes are numbered in the order of their first cells, as these are.
    numbers = [None if region is None else order[region] for region in regions]
    if numbers == default_regions(n) and (default_box(n) or not are_named):
        return boards.board("+".join([f"{n}x{n}", *extra]), None), ()
    for rows in range(1, n + 1):
        if n % rows == 0 and numbers == _boxes(n, rows, n // rows):
            return boards.board("+".join([f"{n}x{n}:{rows}x{n // rows}", *extra]), None), ()
    if None not in units and {len(unit) for unit in units.values()} == {n} and n <= MAX_JIGSAW:
        return boards.board("jigsaw:" + "".join(_SYMBOLS[order[region]] for region in regions), None), ()
    units.pop(None, None)
    if large := next((unit for unit in units.values() if len(unit) > n), None):
        first = f"r{large[0] // n + 1}c{large[0] % n + 1}"
        raise FormatError(f"the region of {first} has {len(large)} cells, and there are {n} values")
    alone = tuple(Constraint("extra-region", (tuple(unit),)) for unit in units.values() if len(unit) > 1)
    return boards.board(f"latin:{n}x{n}", None), alone


def diagonal(n: int, key: str) -> tuple[int, ...]:
    """Return the cells of a diagonal from left to right: `diagonal-` goes down, `diagonal+` up."""
    return tuple(at * (n + 1) if key == "diagonal-" else (n - 1 - at) * n + at for at in range(n))
