"""A picture of what the cells of a board may hold, as SVG: a small digit for each value, darker the more have it."""

import math
from collections.abc import Collection, Iterator, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.step import Candidate
from sudoku_encode.render.text import Layer, layers

# Lengths are in pixels: the width of a small digit's place, and the margin around a square.
_PLACE, _MARGIN, _TITLE = 14, 10, 18
_LEAST_OPACITY = 0.15
# Colours of a step: its cells, the candidates that it is about, what goes, what is placed.
_CELL, _ABOUT, _GONE, _PLACED = "#fff3c4", "#005a9c", "#c00000", "#007a33"


class Marking(NamedTuple):
    """A step of solving, as it is marked in a picture.

    Attributes:
        values: uint8 (n_cells,): what the cells hold before it, 0 for a blank.
        cells: the cells that it is about.
        about: the candidates that it is about.
        gone: the candidates that go.
        placed: the values that are put into cells.
    """

    values: Grids
    cells: Collection[int]
    about: Collection[Candidate]
    gone: Collection[Candidate]
    placed: Collection[Candidate]


def svg(
    puzzle: Puzzle,
    seen: Candidates,
    shares: Sequence[Sequence[int]] | None = None,
    total: int = 0,
    marking: Marking | None = None,
) -> Iterator[str]:
    """Yield the lines of a picture; givens are bold.

    Args:
        puzzle: whose board it is.
        seen: bool (n_cells, n_values): what each cell may hold.
        shares: for each cell how many solutions have each value; a digit that fewer have is paler.
        total: how many solutions there are.
        marking: of a step: its cells are shaded, the candidates that it is about are blue, what goes is red and struck
            out, and what is placed is green.
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
            given, values = int(puzzle.givens[cell]), np.flatnonzero(seen[cell]).tolist()
            if marking is None:
                yield from _cell(at, width, given, values, some, total)
            else:
                yield from _marked_cell(at, width, cell, given, values, marking)
        yield from _borders(layer, size)
        yield "</g>"
    yield "</svg>"


def _cell(
    at: tuple[int, int], width: int, given: int, values: list[int], shares: Sequence[int] | None, total: int
) -> Iterator[str]:
    """Yield what is in a cell: one large value, or small ones in their places."""
    if given or len(values) == 1:
        yield _large(at, width, given or values[0] + 1, bool(given))
        return
    for value in values:
        opacity, says = "", ""
        if shares is not None and total:
            share = shares[value] / total
            opacity = f' fill-opacity="{_LEAST_OPACITY + (1 - _LEAST_OPACITY) * share:.3f}"'
            says = f"<title>{value + 1}: {shares[value]} of {total}</title>"
        yield _small(at, width, value, opacity, says)


def _large(at: tuple[int, int], width: int, value: int, bold: bool) -> str:
    x, y = at
    half = width * _PLACE / 2
    weight = ' font-weight="bold"' if bold else ""
    size = min(22, 2 * half)
    return f'<text x="{x + half:g}" y="{y + half + size / 3:g}" font-size="{size:g}"{weight}>{value}</text>'


def _small(at: tuple[int, int], width: int, value: int, style: str, says: str = "") -> str:
    """Return a small digit in its place; values are from 0 here."""
    x = at[0] + (value % width + 0.5) * _PLACE
    y = at[1] + (value // width + 0.78) * _PLACE
    return f'<text x="{x:g}" y="{y:g}" font-size="11"{style}>{says}{value + 1}</text>'


def _marked_cell(
    at: tuple[int, int], width: int, cell: int, given: int, values: list[int], marking: Marking
) -> Iterator[str]:
    """Yield what is in a cell before a step, with what the step is about and what it does."""
    if cell in marking.cells:
        size = width * _PLACE
        yield f'<rect x="{at[0]}" y="{at[1]}" width="{size}" height="{size}" fill="{_CELL}"/>'
    if marking.values[cell]:
        yield _large(at, width, int(marking.values[cell]), bool(given))
        return
    for value in values:
        one, style = (cell, value + 1), ""
        if one in marking.placed:
            style = f' fill="{_PLACED}" font-weight="bold" text-decoration="underline"'
        elif one in marking.gone:
            style = f' fill="{_GONE}" text-decoration="line-through"'
        elif one in marking.about:
            style = f' fill="{_ABOUT}" font-weight="bold"'
        yield _small(at, width, value, style)


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
