"""Drawings as text: boxes and regions have borders, and a cube is drawn layer by layer."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_encode.errors import GeometryError, short
from sudoku_encode.puzzles.folding import face_names
from sudoku_encode.puzzles.geometry import Geometry, units_of_cells
from sudoku_encode.puzzles.puzzle import Candidates
from sudoku_encode.puzzles.rules import EXTRA_RULES
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.table import Details

AXES = ("x", "y", "z")
# The lines that meet at a corner, up (1), down (2), left (4) and right (8), as one character.
_LINES = " ╵╷│╴┘┐┤╶└┌├─┴┬┼"
_ASCII_LINES = "".join("-" if at in (4, 8, 12) else "|" if at in (1, 2, 3) else "+" if at else " " for at in range(16))
_HORIZONTAL, _VERTICAL = 12, 3


def draw(
    board: Geometry,
    values: ArrayLike,
    *,
    candidates: Candidates | None = None,
    axis: str | None = None,
    ascii: bool = False,
    marked: Collection[int] = (),
    texts: Mapping[int, str] | None = None,
    styles: Mapping[int, str] | None = None,
) -> str:
    """Return a drawing of a puzzle or of a solution, without a newline at the end.

    Boxes or regions have borders; above each layer of a cube, along an axis, by default x, or face of a surface is a
    line with its number: layers from 0, faces from 1. Candidates are drawn in each blank in place of a dot; a single
    candidate, or an empty set of them, is put in brackets, so that it does not look like a given. `ascii` draws lines
    with `+`, `-` and `|` alone. `marked` cells have a star after their content; `texts` are the content of some cells,
    and `styles` their styles on a terminal, as the numbers of an escape sequence: `1` is bold, `34` blue.

    Raises:
        GeometryError: an axis for a square or a surface, which have no layers.
    """
    cells = _texts(board, np.asarray(values).ravel().tolist(), candidates)
    for cell, text in (texts or {}).items():
        cells[cell] = text
    for cell in marked:
        cells[cell] += "*"
    lines = _ASCII_LINES if ascii else _LINES
    # The last text is for places without a cell.
    cells.append("")
    drawn, looks = [], [(styles or {}).get(cell, "") for cell in range(board.n_cells + 1)]
    for layer in layers(board, axis):
        title = f"{layer.title}\n" if layer.title else ""
        drawn.append(
            title + _framed_text(layer.regions, np.array(cells)[layer.cells], np.array(looks)[layer.cells], lines)
        )
    return "\n\n".join(drawn)


def drawn(pictures: Sequence[Picture], details: Details) -> str:
    """Return pictures as text. Highlighted cells have a star, those of highlighted units a dash, different cells `!`.

    In colour, givens are bold and other values blue.
    """
    texts = (_titled(picture, details) for picture in pictures)
    return "\n\n".join(texts) + "\n"


def _titled(picture: Picture, details: Details) -> str:
    """Return a picture as text, below its title."""
    board, shown = picture.board, picture.givens | picture.values
    in_units = {cell for unit in picture.units for cell in unit}
    signs = {cell: "-" * (cell in in_units) + "*" * (cell in picture.cells) for cell in in_units | picture.cells}
    signs |= {cell: signs.get(cell, "") + "!" for cell in picture.differs}
    plain = _texts(board, shown.tolist(), picture.candidates)
    styles = {cell: "1" if picture.givens[cell] else "34" for cell in np.flatnonzero(shown).tolist()}
    styles |= {cell: f"{styles.get(cell, '0')};33" for cell in signs} | {
        cell: f"{styles.get(cell, '0')};31" for cell in picture.differs
    }
    text = draw(
        board,
        shown,
        candidates=picture.candidates,
        axis=picture.axis,
        ascii=details.ascii,
        texts={cell: plain[cell] + sign for cell, sign in signs.items()},
        styles=styles if details.coloured else None,
    )
    # Rules and constraints that the borders do not show.
    also = [f"and {rule.summary}" for rule in EXTRA_RULES.values() if set(rule.names) & set(board.rule_names)]
    also += [constraint.text(board) for constraint in picture.constraints]
    return "\n".join([*([picture.title] if picture.title else []), text, *also])


class Layer(NamedTuple):
    """A square that a board is drawn as, or one of several."""

    title: str  # its name; empty if there is only one layer
    # intp (rows, columns): the numbers of its cells; -1 for places without a cell, as in overlapping boards.
    cells: NDArray[np.intp]
    # int32 (rows, columns): a border separates cells of different regions; -1 for places without a cell.
    regions: NDArray[np.int32]


def layers(board: Geometry, axis: str | None = None) -> list[Layer]:
    """Return the squares that a board is drawn as: itself, the layers of a cube, or the faces of a surface.

    Raises:
        GeometryError: an axis for a square or a surface, which have no layers, or an unknown axis.
    """
    if axis is not None and not board.has_axes:
        what = "square" if board.has_rows_and_columns else "surface"
        raise GeometryError(f"{short(board.name)} is a {what} and has no layers; an axis is for cubes")
    if axis not in (None, *AXES):
        raise GeometryError(f"not an axis: {short(str(axis))!r}; there are {', '.join(AXES)}")
    if board.has_rows_and_columns:
        framed, framed_regions = np.full(board.frame, -1, np.intp), np.full(board.frame, -1, np.int32)
        places = tuple(np.array(board.coordinates).T)
        framed[places] = np.arange(board.n_cells)
        framed_regions[places] = regions_of(board, ("box", "region")).ravel()
        return [Layer("", framed, framed_regions)]
    cells = np.arange(board.n_cells).reshape(board.shape)
    if not board.has_axes:
        regions = regions_of(board, ("box",))
        return [
            Layer(f"f{face + 1}: {name}", cells[face], regions[face]) for face, name in enumerate(face_names(board))
        ]
    axis = axis or AXES[0]
    along = AXES.index(axis)
    down, across = (name for name in AXES if name != axis)
    cells, regions = np.moveaxis(cells, along, 0), np.moveaxis(regions_of(board, (f"box-{down}{across}",)), along, 0)
    return [
        Layer(f"{axis} = {layer} ({down} down, {across} across)", cells[layer], regions[layer])
        for layer in range(len(cells))
    ]


def _texts(board: Geometry, values: Sequence[int], candidates: Candidates | None) -> list[str]:
    """Return the text of each cell."""
    if candidates is None:
        width = len(str(board.last))
        return [f"{board.shown(value) if value else '.':>{width}}" for value in values]
    gap = "," if candidates.shape[1] > 9 else ""
    texts = []
    for value, may_be in zip(values, candidates, strict=True):
        digits = [board.shown(number) for number in ([value] if value else (np.flatnonzero(may_be) + 1).tolist())]
        texts.append(gap.join(digits) if value or len(digits) > 1 else f"({gap.join(digits)})")
    return texts


def regions_of(board: Geometry, rules: Sequence[str]) -> NDArray[np.int32]:
    """Return for each cell, in the shape of the board, a number that is equal for cells of the same units.

    The units are those of the first rule that the board has; a cell has one, except where overlapping boxes share it.
    """
    name = next((name for name in rules if name in board.rule_names), None)
    homes = units_of_cells([rule for rule in board.rules if rule.name == name], board.n_cells)
    if not homes.size:
        return np.zeros(board.shape, np.int32)
    _, regions = np.unique(homes, axis=0, return_inverse=True)
    return regions.astype(np.int32).reshape(board.shape)


def _framed_text(regions: NDArray[np.int32], texts: NDArray[np.str_], looks: NDArray[np.str_], lines: str) -> str:
    """Return a rectangle as text; borders separate cells of different regions, and `looks` are the terminal styles."""
    # regions: -1 for places without a cell. lines: the characters for lines that meet at a corner, as _LINES.
    n = len(regions)
    # Whether a line is to the right of each cell, and below it; the first column and row are outside of the square.
    outside = np.pad(regions, 1, constant_values=-1)
    right = (outside[:, 1:] != outside[:, :-1])[1:-1]
    below = (outside[1:] != outside[:-1])[:, 1:-1]
    has_column, has_row = right.any(axis=0), below.any(axis=1)
    widths = [max(map(len, column)) for column in texts.T.tolist()]
    drawn = []
    for row in range(n + 1):
        if has_row[row]:
            drawn.append(_border(row, right, below, widths, has_column, lines))
        if row < n:
            padded = [f"{text:<{width}}" for text, width in zip(texts[row].tolist(), widths, strict=True)]
            coloured = [
                f"\033[{look}m{text}\033[0m" if look else text
                for text, look in zip(padded, looks[row].tolist(), strict=True)
            ]
            drawn.append(_row(coloured, right[row], has_column, lines))
    return "\n".join(line.rstrip() for line in drawn)


def _row(texts: list[str], right: NDArray[np.bool_], has_column: NDArray[np.bool_], lines: str) -> str:
    """Return a row of cells, with the lines between them."""
    drawn = lines[_VERTICAL if right[0] else 0]
    for column, text in enumerate(texts, start=1):
        between = f" {lines[_VERTICAL if right[column] else 0]}" if has_column[column] else ""
        drawn += f" {text}{between}"
    return drawn


def _border(
    row: int,
    right: NDArray[np.bool_],
    below: NDArray[np.bool_],
    widths: list[int],
    has_column: NDArray[np.bool_],
    lines: str,
) -> str:
    """Return the line above a row of cells: borders, and the corners where they meet."""
    n = len(widths)
    drawn = ""
    for column in range(n + 1):
        if has_column[column]:
            up, down = row > 0 and right[row - 1, column], row < len(right) and right[row, column]
            to_left, to_right = column > 0 and below[row, column - 1], column < n and below[row, column]
            drawn += lines[up + 2 * down + 4 * to_left + 8 * to_right]
        if column < n:
            # A space before each cell, and one before a line after it.
            room = 1 + widths[column] + bool(has_column[column + 1])
            drawn += lines[_HORIZONTAL if below[row, column] else 0] * room
    return drawn
