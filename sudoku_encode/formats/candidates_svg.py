"""A picture of what the cells of a board may hold, as SVG: a small digit for each value, darker the more have it."""

import math
from collections.abc import Iterator, Sequence
from html import escape

import numpy as np

from sudoku_encode.formats.drawing import Layer, layers
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# Lengths are in pixels: the width of a small digit's place, and the margin around a square.
_PLACE, _MARGIN, _TITLE = 14, 10, 18
_LEAST_OPACITY = 0.15


def svg(
    puzzle: Puzzle, seen: Candidates, shares: Sequence[Sequence[int]] | None = None, total: int = 0
) -> Iterator[str]:
    """Yield the lines of a picture; givens are bold.

    Args:
        puzzle: whose board it is.
        seen: bool (n_cells, n_values): what each cell may hold.
        shares: for each cell how many solutions have each value; a digit that fewer have is paler.
        total: how many solutions there are.
    """
    squares = layers(puzzle.geometry)
    side = len(squares[0].cells)
    width = math.ceil(math.sqrt(puzzle.geometry.n_values))
    size = width * _PLACE
    height = side * size + 2 * _MARGIN + (_TITLE if squares[0].title else 0)
    wide = side * size + 2 * _MARGIN
    yield (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide}" height="{height * len(squares)}" '
        f'viewBox="0 0 {wide} {height * len(squares)}" font-family="sans-serif" text-anchor="middle">'
    )
    yield f"<title>{escape(puzzle.geometry.name)}</title>"
    yield f'<rect width="{wide}" height="{height * len(squares)}" fill="white"/>'
    for number, layer in enumerate(squares):
        top = number * height + _MARGIN
        if layer.title:
            yield f'<text x="{wide / 2:g}" y="{top + 8}" font-size="12">{escape(layer.title)}</text>'
            top += _TITLE
        yield f'<g transform="translate({_MARGIN} {top})">'
        for row, column in np.ndindex(layer.cells.shape):
            cell = int(layer.cells[row, column])
            some = None if shares is None else shares[cell]
            at = column * size, row * size
            yield from _cell(at, width, int(puzzle.givens[cell]), np.flatnonzero(seen[cell]).tolist(), some, total)
        yield from _borders(layer, size)
        yield "</g>"
    yield "</svg>"


def _cell(
    at: tuple[int, int], width: int, given: int, values: list[int], shares: Sequence[int] | None, total: int
) -> Iterator[str]:
    """Yield what is in a cell: one large value, or small ones in their places."""
    x, y = at
    half = width * _PLACE / 2
    if given or len(values) == 1:
        weight = ' font-weight="bold"' if given else ""
        large = min(22, 2 * half)
        value = given or values[0] + 1
        yield f'<text x="{x + half:g}" y="{y + half + large / 3:g}" font-size="{large:g}"{weight}>{value}</text>'
        return
    for value in values:
        opacity, says = "", ""
        if shares is not None and total:
            share = shares[value] / total
            opacity = f' fill-opacity="{_LEAST_OPACITY + (1 - _LEAST_OPACITY) * share:.3f}"'
            says = f"<title>{value + 1}: {shares[value]} of {total}</title>"
        place_x = x + (value % width + 0.5) * _PLACE
        place_y = y + (value // width + 0.78) * _PLACE
        yield f'<text x="{place_x:g}" y="{place_y:g}" font-size="11"{opacity}>{says}{value + 1}</text>'


def _borders(layer: Layer, size: int) -> Iterator[str]:
    """Yield the lines around cells, thick between regions."""
    n = len(layer.cells)
    outside = np.pad(layer.regions, 1, constant_values=-1)
    right, below = outside[1:-1, 1:] != outside[1:-1, :-1], outside[1:, 1:-1] != outside[:-1, 1:-1]
    lines: dict[bool, list[str]] = {False: [], True: []}
    for row, line in np.ndindex(n, n + 1):
        lines[bool(right[row, line])].append(f"M{line * size} {row * size}v{size}")
        lines[bool(below[line, row])].append(f"M{row * size} {line * size}h{size}")
    for thick, some in lines.items():
        if some:
            colour, width = ("black", 2) if thick else ("silver", 0.5)
            yield f'<path d="{"".join(some)}" stroke="{colour}" stroke-width="{width}" stroke-linecap="square"/>'
