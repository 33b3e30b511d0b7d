"""Types of ISS strings that depend on boxes which the board here does not have by itself, or on its sides.

Source: sigh/Interactive-Sudoku-Solver, js/sudoku_constraint.js: `Windoku`, `disjointSetRegions`; and
    js/solver/sudoku_builder.js: `RegionSumLine`, `Indexing`.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.iss_boards import Items, Shape, boxes_of, regions_of
from sudoku_encode.formats.iss_from_zero import indexer
from sudoku_encode.puzzles.constraint import Constraint, misplaced
from sudoku_encode.puzzles.geometry import Geometry

_Reader = Callable[[Geometry, Sequence[str]], Iterator[Constraint]]


def readers_for(board: Geometry, shape: Shape, items: Items) -> Mapping[str, _Reader]:
    """Return readers of the types that the board's own kinds do not say.

    Args:
        board: of the puzzle.
        shape: what the string says of it.
        items: types, and what follows each.
    """
    found: dict[str, _Reader] = {}
    has_regions = any(rule.name in ("box", "region") for rule in board.rules)
    regions = [*boxes_of(shape)] if shape.has_boxes else []
    regions = regions or [cells for layout in layouts_of(items) for cells in regions_of(shape, layout)]
    if not has_regions:
        found["RegionSumLine"] = lambda board, arguments: _region_sums(board, arguments, regions)
    if not board.box:
        size = shape.region_size if any(name == "RegionSize" for name, _ in items) else shape.n_values
        found["Windoku"] = lambda board, arguments: _units("Windoku", shape, _windows(shape._replace(region_size=size)))
        found["DisjointSets"] = lambda board, arguments: _units("DisjointSets", shape, _same_places(shape))
    if board.shape != (board.n_values, board.n_values):
        found["Indexing"] = lambda board, arguments: _indexing(board, arguments, shape.first)
    return found


def layouts_of(items: Items) -> list[str]:
    """Return the layouts of all jigsaws."""
    return [arguments[-1] for name, arguments in items if name == "Jigsaw" and arguments]


def _region_sums(board: Geometry, arguments: Sequence[str], regions: Sequence[Sequence[int]]) -> Iterator[Constraint]:
    region_of = {cell: number for number, cells in enumerate(regions) for cell in cells}
    cells = types.cells_of(board, arguments)
    # Cells that are in no region are parts of their own.
    parts = tuple(tuple(part) for _, part in groupby(cells, lambda cell: region_of.get(cell, -1)))
    if len(parts) > 1:
        yield Constraint("equal-sums", parts)


def _units(name: str, shape: Shape, units: Sequence[tuple[int, ...]]) -> Iterator[Constraint]:
    if shape.rows != shape.columns or not units:
        raise FormatError("it is read on a square that boxes tile")
    yield from (Constraint("extra-region", (cells,)) for cells in units)


def _windows(shape: Shape) -> list[tuple[int, ...]]:
    """Return windows as large as boxes, with a line of cells around each."""
    boxes = boxes_of(shape)
    if not boxes:
        return []
    first = boxes[0]
    height = (first[-1] - first[0]) // shape.columns + 1
    width = len(first) // height
    corners = [
        top * shape.columns + left
        for top in range(1, shape.rows - height, height + 1)
        for left in range(1, shape.columns - width, width + 1)
    ]
    return [tuple(corner + cell for cell in first) for corner in corners]


def _same_places(shape: Shape) -> list[tuple[int, ...]]:
    """Return the cells in the same place of all boxes."""
    return list(zip(*boxes_of(shape), strict=True))


def _indexing(board: Geometry, arguments: Sequence[str], first: int) -> Iterator[Constraint]:
    letter, *names = arguments
    if letter not in ("C", "R"):
        raise FormatError(f"{letter[:20]!r} is neither C nor R, for columns and rows")
    one = Constraint({"C": "column-indexer", "R": "row-indexer"}[letter], (types.cells_of(board, names),))
    # With values from 0 that is done for all constraints at once.
    yield from [one] if first == 0 or not misplaced(one, board) else indexer(board, one, first)


def refuse_two(items: Items) -> None:
    """Refuse what is said twice and otherwise: that program takes the last.

    Raises:
        FormatError: there is such a part.
    """
    seen: dict[tuple[str, str], str] = {}
    depth = 0
    for name, arguments in items:
        depth += (name in ("Or", "And", "Replicate")) - (name == "End")
        for place, said in _said(name, arguments) if depth == 0 else []:
            if seen.setdefault((name, place), said) != said:
                what = f"{place} has both {seen[name, place]} and {said}" if place else f"{seen[name, '']} and {said}"
                raise FormatError(f"{name}: {what}; only one of them can be meant")


def _said(name: str, arguments: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each place for which only one thing may be said, with what is said of it."""
    if name in ("Shape", "RegionSize"):
        yield "", "~".join(arguments)
    elif name == "Quad" and arguments:
        yield arguments[0].upper(), "~".join(sorted(arguments[1:]))
    elif name in ("LittleKiller", "Sandwich") and len(arguments) > 1:
        yield arguments[1].upper(), arguments[0]
    elif name in types.OUTSIDE and arguments:
        ends = zip(("from its beginning", "from its end"), arguments[1:3], strict=False)
        yield from ((f"{arguments[0]} {end}", clue) for end, clue in ends if clue)
