"""Boards of ISS strings: from `Shape`, `RegionSize`, `NoBoxes` and `Jigsaw` to a board and regions beside it, and back.

Boxes have as many cells as the longer side, or as `RegionSize` says. Of the rectangles of that many cells that tile the
board they are the one closest to a square, and of two the one that is wider; where none tiles it there are no boxes.

Source: sigh/Interactive-Sudoku-Solver, js/cell_geometry.js and js/sudoku_constraint.js: `boxDimsForSize`, `Jigsaw`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from math import isqrt
from typing import NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.indexing import Indexer
from sudoku_encode.puzzles.constraints.parsing import bind, placement_fault
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.square_rules import windows


class Shape(NamedTuple):
    """The shape of a board, as an ISS string gives it.

    Attributes:
        rows: the number of rows.
        columns: the number of columns.
        n_values: the number of values.
        region_size: the number of cells in a box or a region of a jigsaw.
        has_boxes: whether there are boxes, if some tile the board.
        first: the smallest value, 0 or 1.
    """

    rows: int
    columns: int
    n_values: int
    region_size: int
    has_boxes: bool
    first: int = 1

    def text(self) -> str:
        """Return the sides, and the values if there are more than usual."""
        sides = f"{self.rows}x{self.columns}"
        return sides if self.n_values == max(self.rows, self.columns) else f"{sides}:{self.n_values}"


Items = Sequence[tuple[str, Sequence[str]]]
_Regions = list[tuple[int, ...]]


def shape_of(items: Items) -> Shape:
    """Return the shape of the board of a string.

    Args:
        items: types, each with its arguments.

    Raises:
        FormatError: sizes or values that are not read; the message names them.
    """
    first_arguments = dict(reversed(items))
    return _shape_of(
        tuple(first_arguments.get("Shape") or ("9x9",)),
        tuple(first_arguments.get("RegionSize") or ()),
        "NoBoxes" not in first_arguments,
    )


@lru_cache(maxsize=64)
def _shape_of(shape: tuple[str, ...], region_size: tuple[str, ...], has_boxes: bool) -> Shape:
    """Return the shape of a board from the arguments of `Shape` and `RegionSize`."""
    dimensions, *rest = shape
    values = rest[0] if rest else ""
    sides = [types.number_of(side) for side in dimensions.split("x")]
    if len(sides) != 2 or not all(2 <= side <= types.MAX_SIDE for side in sides):
        raise FormatError(f"Shape {dimensions}: only sides from 2 to {types.MAX_SIDE} are read")
    if len(rest) > 1:
        raise FormatError(f"Shape {'~'.join((dimensions, *rest))}: only a board with rows and columns is read")
    least = max(sides)
    values = values or str(least)
    begin, dash, last = values.rpartition("-")
    first = types.number_of(begin) if dash else 1
    n_values = types.number_of(last) - first + 1
    if first not in (0, 1) or not least <= n_values <= types.MAX_SIDE:
        values_allowed = f"there are {least} to {types.MAX_SIDE} values, from 0 or 1"
        raise FormatError(f"Shape {dimensions}~{values}: {values_allowed}")
    arguments = region_size or (str(least),)
    if len(arguments) > 1 or not 2 <= types.number_of(arguments[0]) <= n_values:
        raise FormatError(f"RegionSize {'~'.join(arguments)}: only regions of 2 to {n_values} cells are read")
    return Shape(sides[0], sides[1], n_values, int(arguments[0]), has_boxes, first)


def board_of(shape: Shape, items: Items, setting: Setting) -> tuple[Geometry, list[Constraint]]:
    """Return the board, and as constraints the regions that the board itself does not have; boxes come first.

    Args:
        shape: its shape.
        items: types, each with its arguments.
        setting: the options of the caller.

    Raises:
        FormatError: a region does not fit.
        GeometryError: there is no such board.
    """
    layouts = [arguments[-1] for name, arguments in items if name == "Jigsaw" and arguments]
    maps = [regions_of(shape, layout) for layout in layouts]
    boxes = list(boxes_of(shape)) if shape.has_boxes else []
    others = [cells for regions in maps for cells in regions]
    name = ""
    if boxes:
        name, beside = _with_boxes(shape, boxes)
        others = [*beside, *others]
    elif len(maps) == 1 and _tiles(shape, maps[0]):
        name, others = _jigsaw(shape, layouts[0]), []
    if not name:
        # A square whose side is prime has no boxes, by whatever name.
        is_prime = shape.rows == shape.columns == shape.n_values and not boxes_of(
            shape._replace(region_size=shape.rows)
        )
        name = shape.text() if is_prime else f"latin:{shape.text()}"
    values = "" if shape.first else f":0-{shape.n_values - 1}"
    name += values
    board = replace(setting, board=name).known_board() if setting.geometry else setting.named_board(name)
    assert board is not None
    if (*board.shape, board.n_values, board.first) != (shape.rows, shape.columns, shape.n_values, shape.first):
        raise FormatError(f"an ISS string of {shape.text()}{values} is not for {board.name}")
    constraints = [Constraint("extra-region", (cells,)) for cells in others]
    if any(name == "RegionSameValues" for name, _ in items):
        constraints += _same_values(shape, [*boxes, *(cells for regions in maps for cells in regions)])
    return board, constraints


def _same_values(shape: Shape, regions: _Regions) -> Iterator[Constraint]:
    """Yield the constraint that all regions and lines of the largest size have the same values; with all they do."""
    cells, width = range(shape.rows * shape.columns), shape.columns
    rows = [tuple(cells[at : at + width]) for at in cells[::width]]
    regions = [*rows, *(tuple(cells[at::width]) for at in range(width)), *regions]
    size = max(map(len, regions))
    largest = tuple(cells for cells in regions if len(cells) == size)
    if size != shape.n_values and len(largest) > 1:
        yield Constraint("same-values", largest)


def _with_boxes(shape: Shape, boxes: _Regions) -> tuple[str, _Regions]:
    """Return the name of a board, empty for rows and columns alone, and the boxes that it does not have itself."""
    if shape.rows == shape.columns == shape.n_values == shape.region_size:
        return shape.text(), []
    if not _tiles(shape, boxes):
        return "", boxes
    box_of = {cell: number for number, cells in enumerate(boxes, 1) for cell in cells}
    return _jigsaw(shape, "".join(types.SYMBOLS[box_of[cell]] for cell in sorted(box_of))), []


def _tiles(shape: Shape, regions: _Regions) -> bool:
    """Check whether each cell is in a region, and each region has all values."""
    return all(len(cells) == shape.n_values for cells in regions) and (
        len(regions) * shape.n_values == shape.rows * shape.columns
    )


def _jigsaw(shape: Shape, layout: str) -> str:
    square = shape.rows == shape.columns == shape.n_values
    return f"jigsaw:{layout}" if square else f"jigsaw:{shape.rows}x{shape.columns}:{layout}"


@lru_cache(maxsize=64)
def boxes_of(shape: Shape) -> tuple[tuple[int, ...], ...]:
    """Return the cells of each box; no box if no rectangle of that size tiles the board."""
    size = shape.region_size
    for small in range(isqrt(size), 1, -1):
        for height, width in ((small, size // small), (size // small, small)):
            if size % small == 0 and shape.rows % height == 0 and shape.columns % width == 0:
                return tuple(
                    tuple((top + at // width) * shape.columns + left + at % width for at in range(size))
                    for top in range(0, shape.rows, height)
                    for left in range(0, shape.columns, width)
                )
    return ()


def regions_of(shape: Shape, layout: str) -> _Regions:
    """Return the regions of a layout; one symbol may stand for cells in no region, and one region alone has no effect.

    Raises:
        FormatError: the layout does not fit the board.
    """
    n_cells, size = shape.rows * shape.columns, shape.region_size
    if len(layout) != n_cells or not (layout.isascii() and layout.isalnum()):
        raise FormatError(f"Jigsaw: {shape.text()} needs a letter or digit for each of its {n_cells} cells")
    parts: dict[str, list[int]] = {}
    for cell, symbol in enumerate(layout):
        parts.setdefault(symbol, []).append(cell)
    if len(parts) == 1:
        return []
    if sum(len(cells) != size for cells in parts.values()) > 1:
        raise FormatError(f"Jigsaw: each region has {size} cells; only the cells in no region may be another number")
    return [tuple(cells) for cells in parts.values() if len(cells) == size]


def text_of_board(board: Geometry) -> Iterator[str]:
    """Yield the parts of an ISS string for a board."""
    rows, columns = board.shape
    longer = max(rows, columns)
    values = f"~0-{board.last}" if not board.first else "" if board.n_values == longer else f"~{board.n_values}"
    yield f".Shape~{rows}x{columns}{values}"
    kind, _, text = board.from_one.name.partition(":")
    if kind in ("latin", "jigsaw"):
        yield ".NoBoxes"
    if kind == "jigsaw":
        if board.n_values != longer:
            yield f".RegionSize~{board.n_values}"
        yield f".Jigsaw~{text.rpartition(':')[2]}"


# Types that depend on boxes which the board itself does not have, or on its sides.
# Source: sigh/Interactive-Sudoku-Solver, js/sudoku_constraint.js: `Windoku`, `disjointSetRegions`; and
#     js/solver/sudoku_builder.js: `RegionSumLine`, `Indexing`.

_Reader = Callable[[Geometry, Sequence[str]], Iterator[Constraint]]


def readers_for(board: Geometry, shape: Shape, items: Items) -> Mapping[str, _Reader]:
    """Return readers of the types for which the board itself has no rule.

    Args:
        board: the board of the puzzle.
        shape: its shape.
        items: types, each with its arguments.
    """
    readers: dict[str, _Reader] = {}
    if not any(rule.name in ("box", "region") for rule in board.rules):
        regions = [*boxes_of(shape)] if shape.has_boxes else []
        regions = regions or [cells for layout in layouts_of(items) for cells in regions_of(shape, layout)]
        readers["RegionSumLine"] = lambda board, arguments: _region_sums(board, arguments, regions)
    if not board.box:
        size = shape.region_size if any(name == "RegionSize" for name, _ in items) else shape.n_values
        readers["Windoku"] = lambda board, arguments: _units(
            "Windoku", shape, _windows(shape._replace(region_size=size))
        )
        readers["DisjointSets"] = lambda board, arguments: _units("DisjointSets", shape, _same_places(shape))
    if board.shape != (board.n_values, board.n_values):
        readers["Indexing"] = _indexing
    return readers


def layouts_of(items: Items) -> list[str]:
    """Return the layouts of all jigsaws."""
    return [arguments[-1] for name, arguments in items if name == "Jigsaw" and arguments]


def _region_sums(board: Geometry, arguments: Sequence[str], regions: Sequence[Sequence[int]]) -> Iterator[Constraint]:
    region_of = {cell: number for number, cells in enumerate(regions) for cell in cells}
    cells = types.cells_of(board, arguments)
    # Cells in no region are parts of their own.
    parts = tuple(tuple(part) for _, part in groupby(cells, lambda cell: region_of.get(cell, -1)))
    if len(parts) > 1:
        yield Constraint("equal-sums", parts)


def _units(name: str, shape: Shape, units: Sequence[tuple[int, ...]]) -> Iterator[Constraint]:
    if shape.rows != shape.columns or not units:
        raise FormatError("it is read on a square that boxes tile")
    yield from (Constraint("extra-region", (cells,)) for cells in units)


def _windows(shape: Shape) -> list[tuple[int, ...]]:
    """Return the windows of a square that boxes tile."""
    first, *_ = boxes_of(shape) or [(0,)]
    height = (first[-1] - first[0]) // shape.columns + 1
    return windows(shape.rows, (height, len(first) // height)) if len(first) > 1 else []


def _same_places(shape: Shape) -> list[tuple[int, ...]]:
    """Return the cells in the same place of all boxes."""
    return list(zip(*boxes_of(shape), strict=True))


def _indexing(board: Geometry, arguments: Sequence[str]) -> Iterator[Constraint]:
    letter, *names = arguments
    if letter not in ("C", "R"):
        raise FormatError(f"{letter[:20]!r} is neither C nor R, for columns and rows")
    constraint = Constraint({"C": "column-indexer", "R": "row-indexer"}[letter], (types.cells_of(board, names),))
    if not (board.first and placement_fault(constraint, board)):
        yield constraint
        return
    bound = bind(constraint, board)
    assert isinstance(bound, Indexer)
    yield from bound.relations(first=1)


_WITH_SINGLE_VALUES = {"Shape", "RegionSize", "Quad", "LittleKiller", "Sandwich", *types.OUTSIDE}


def refuse_contradictions(items: Items) -> None:
    """Refuse two different values for the same thing: that program would take the last.

    Raises:
        FormatError: there are two.
    """
    seen: dict[tuple[str, str], str] = {}
    depth = 0
    for name, arguments in items:
        depth += (name in ("Or", "And", "Replicate")) - (name == "End")
        for place, value in _single_values(name, arguments) if depth == 0 and name in _WITH_SINGLE_VALUES else ():
            if seen.setdefault((name, place), value) != value:
                what = f"{place} has both {seen[name, place]} and {value}" if place else f"{seen[name, '']} and {value}"
                raise FormatError(f"{name}: {what}; only one of them can be meant")


def _single_values(name: str, arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each place that may have only one value, with its value."""
    if name in ("Shape", "RegionSize"):
        yield "", "~".join(arguments)
    elif name == "Quad" and arguments:
        yield arguments[0].upper(), "~".join(sorted(arguments[1:]))
    elif name in ("LittleKiller", "Sandwich") and len(arguments) > 1:
        yield arguments[1].upper(), arguments[0]
    elif name in types.OUTSIDE and arguments:
        ends = zip(("from its beginning", "from its end"), arguments[1:3], strict=False)
        yield from ((f"{arguments[0]} {end}", clue) for end, clue in ends if clue)
