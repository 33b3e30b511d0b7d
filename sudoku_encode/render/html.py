"""Drawings as a stand-alone page for a browser, in the light or dark colours of the system.

A cube can be turned, unless marks or constraints are shown, which only its layers show.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from html import escape
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.puzzles.geometry import Geometry, units_of_cells
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.render.clues import clues, heading, solution_text
from sudoku_encode.render.layout import scene
from sudoku_encode.render.page import asset, page, within
from sudoku_encode.render.picture import Picture
from sudoku_encode.render.svg import lines
from sudoku_encode.render.table import Details
from sudoku_encode.render.text import AXES, layers

# The page of a cube: the cells in space, and the layers through the chosen one as boards.

_STYLES = ("board.css", "cube.css")
_PICTURE_STYLES = ("pictures.css",)
# Around a board on a page, in sides of a cell: the page has a margin of its own.
_MARGIN = 0.06
# In the order of their dependencies.
_SCRIPTS = (
    "board.js",
    "cube_puzzle.js",
    "cube_camera.js",
    "cube_shaders.js",
    "cube_gl.js",
    "cube_scene.js",
    "cube_labels.js",
    "cube_view.js",
    "cube_slices.js",
    "cube.js",
)


def cube_page(
    puzzle: Puzzle,
    *,
    solution: ArrayLike | None = None,
    candidates: Candidates | None = None,
    title: str | None = None,
    fallback: str = "",
) -> str:
    """Return a page of HTML with a cube that can be turned and looked into.

    The page is a single file and needs WebGL 2; without that it shows all layers as boards, without scripts the
    fallback, HTML too. It can show a solution in the blanks, and candidates, by default the puzzle's pencilmarks. Its
    title is plain text.

    Raises:
        GeometryError: the board is not a cube.
        FormatError: the solution or the candidates have the wrong shape.

    >>> from sudoku_encode import Puzzle, board
    >>> cube_page(Puzzle.of(board("4x4x4"), [1] + 63 * [0]), title="One given").count("<title>One given</title>")
    1
    """
    name = title or puzzle.name or puzzle.geometry.name
    body = asset("cube.html").format(title=escape(name), fallback=fallback)
    data = _data(puzzle, solution, puzzle.pencilmarks if candidates is None else candidates)
    return page(name, body, styles=_STYLES, scripts=_SCRIPTS, data=data)


def _data(puzzle: Puzzle, solution: ArrayLike | None, candidates: Candidates | None) -> Mapping[str, Any]:
    """Return the data for the page's scripts; assets/cube_puzzle.js defines each name."""
    board = puzzle.geometry
    if not board.is_cube:
        raise GeometryError(f"{board.name} is not a cube; only cubes can be turned")
    if not board.first:
        raise GeometryError(f"values from 0 on {board.name}; a cube that can be turned has values from 1")
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
    """Return for each axis how many layers there are between gaps: a box's side if a rule has boxes along it."""
    planes = [rule.name.removeprefix("box-") for rule in board.rules if rule.name.startswith("box-")]
    n = board.n_values
    return [isqrt(n) if any(axis in plane for plane in planes) else n for axis in AXES]


def drawn(pictures: Sequence[Picture], details: Details) -> str:
    """Return a page with the pictures; each puzzle has its clues as text, and a solution is shown on demand."""
    if len(pictures) == 1:
        (picture,) = pictures
        if can_turn(picture):
            return _cube_to_turn(picture)
        return page(picture.label, f"<main>\n{_puzzle(picture, 'h1')}\n</main>", styles=_PICTURE_STYLES)
    title = f"{len(pictures)} puzzles"
    names = "".join(
        f'<li><a href="#puzzle-{number}">{escape(picture.label)}</a></li>'
        for number, picture in enumerate(pictures, start=1)
    )
    parts = [
        f"<header><h1>{title}</h1><details><summary>Contents</summary><ul>{names}</ul></details></header>",
        "<main>",
        *(_part(picture, number) for number, picture in enumerate(pictures, start=1)),
        "</main>",
    ]
    return page(title, "\n".join(parts), styles=_PICTURE_STYLES)


def _part(picture: Picture, number: int) -> str:
    """Return one of several puzzles of a page."""
    identity = f"puzzle-{number}"
    if can_turn(picture):
        return f'<section id="{identity}">{within(_cube_to_turn(picture), picture.label)}</section>'
    return _puzzle(picture, "h2", identity)


def can_turn(picture: Picture) -> bool:
    """Return whether a picture is of a cube and contains nothing that a cube to turn does not show."""
    marked = picture.cells or picture.units or picture.marks or picture.constraints or picture.others is not None
    is_cube = picture.board.is_cube and picture.board.first == 1
    return is_cube and not marked and picture.shares is None and picture.axis is None


def _cube_to_turn(picture: Picture) -> str:
    """Return a page with a cube to turn; without scripts it shows the layers."""
    return cube_page(
        Puzzle.of(picture.board, picture.givens),
        solution=np.maximum(picture.givens, picture.values) if picture.values.any() else None,
        candidates=picture.candidates,
        title=picture.title or picture.name or None,
        fallback=_figure(picture, f"{picture.label}: {heading(picture)}"),
    )


def _puzzle(picture: Picture, tag: str, identity: str = "") -> str:
    """Return a puzzle as an article: a heading of a tag, the board, and beside it the clues."""
    titled = replace(picture, title="")
    name, about = picture.label, heading(picture)
    solution = (
        [
            '<label class="reveal"><input type="checkbox" autocomplete="off"> Show the solution</label>',
            f'<details class="solved"><summary>Solution as text</summary><pre>{solution_text(picture)}</pre></details>',
        ]
        if picture.has_solution
        else []
    )
    return "\n".join(
        [
            f'<article class="puzzle"{f" id={chr(34)}{identity}{chr(34)}" if identity else ""}>',
            f"<header><{tag}>{escape(name)}</{tag}><p>{escape(about)}</p></header>",
            _figure(titled, f"{name}: {about}"),
            '<div class="clues">',
            *solution,
            *clues(picture),
            "</div>",
            "</article>",
        ]
    )


def _figure(picture: Picture, name: str) -> str:
    """Return a picture as an element of a page, with a name; a puzzle with a solution is in it without it too."""
    drawn = scene(picture)
    # The page makes the board as large as the window allows: it needs the ratio of the sides, and the number of cells.
    width, height = drawn.width + 2 * _MARGIN, drawn.height + 2 * _MARGIN
    wide = " wide" if len(layers(picture.board, picture.axis)) > 1 else ""
    parts = [f'<figure class="board{wide}" style="--ratio: {width / height:.4g}; --cells: {width:.4g}">']
    if picture.has_solution:
        blank = replace(picture, values=np.zeros_like(picture.values))
        parts += [
            *lines(blank, name, "sudoku unsolved", _MARGIN),
            *lines(picture, f"{name}, solved", "sudoku solved", _MARGIN),
        ]
    else:
        parts += lines(picture, name, margin=_MARGIN)
    return "\n".join([*parts, "</figure>"])
