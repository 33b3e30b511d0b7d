"""A cube to turn, as one page of HTML: the cells in space, and the layers through the chosen one as boards."""

from collections.abc import Mapping
from html import escape
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.puzzles.geometry import Geometry, units_of_cells
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.render.page import asset, page
from sudoku_encode.render.text import AXES

_STYLES = ("board.css", "cube.css")
# In the order in which they need each other.
_SCRIPTS = (
    *("board.js", "cube_puzzle.js", "cube_camera.js", "cube_shaders.js", "cube_gl.js"),
    *("cube_scene.js", "cube_labels.js", "cube_view.js", "cube_slices.js", "cube.js"),
)


def cube_page(
    puzzle: Puzzle,
    *,
    solution: ArrayLike | None = None,
    candidates: Candidates | None = None,
    title: str | None = None,
    fallback: str = "",
) -> str:
    """Return a page of HTML with a cube that can be turned, and looked into.

    It needs nothing but the file, and WebGL 2; without that it has all layers as boards.

    Args:
        puzzle: on a cube.
        solution: one value per cell, which the page can show in the blanks.
        candidates: bool (n_cells, n_values), which it can show there too; by default the puzzle's pencilmarks.
        title: as plain text; by default the puzzle's name, or the board's.
        fallback: HTML for a browser that runs no scripts.

    Raises:
        GeometryError: the board is no cube.
        FormatError: a solution or candidates of another shape.

    >>> from sudoku_encode import Puzzle, board
    >>> cube_page(Puzzle.of(board("4x4x4"), [1] + 63 * [0]), title="One given").count("<title>One given</title>")
    1
    """
    name = title or puzzle.name or puzzle.geometry.name
    body = asset("cube.html").format(title=escape(name), fallback=fallback)
    data = _data(puzzle, solution, puzzle.pencilmarks if candidates is None else candidates)
    return page(name, body, styles=_STYLES, scripts=_SCRIPTS, data=data)


def _data(puzzle: Puzzle, solution: ArrayLike | None, candidates: Candidates | None) -> Mapping[str, Any]:
    """Return what the page's scripts are told; assets/cube_puzzle.js says what each name means."""
    board = puzzle.geometry
    if not board.is_cube:
        raise GeometryError(f"{board.name} is no cube; only cubes can be turned")
    values = None if solution is None else np.asarray(solution).ravel()
    if values is not None and len(values) != board.n_cells:
        raise FormatError(f"a solution of {len(values)} values for the {board.n_cells} cells of {board.name}")
    if candidates is not None and candidates.shape != (board.n_cells, board.n_values):
        raise FormatError(f"candidates of shape {candidates.shape} for {board.n_cells} x {board.n_values}")
    return {
        "name": board.name,
        "side": board.n_values,
        "boxes": _box_sides(board),
        "givens": puzzle.givens.tolist(),
        "solution": None if values is None else values.tolist(),
        "candidates": None if candidates is None else (candidates @ (1 << np.arange(board.n_values))).tolist(),
        "rules": [
            {"name": rule.name, "unitOf": units_of_cells([rule], board.n_cells)[:, 0].tolist()} for rule in board.rules
        ],
    }


def _box_sides(board: Geometry) -> list[int]:
    """Return for each axis how many layers there are between gaps: a box's side where a rule has boxes along it."""
    planes = [rule.name.removeprefix("box-") for rule in board.rules if rule.name.startswith("box-")]
    n = board.n_values
    return [isqrt(n) if any(axis in plane for plane in planes) else n for axis in AXES]
