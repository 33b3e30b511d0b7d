"""The comments of a puzzle's DIMACS file, from which the puzzle and the meaning of its variables can be read back.

Besides those of `puzzle_comments`, each with a `c ` before it:

c encoding extended
c kind direct
c variable cell * 9 + value, ...       the numbering, where it is regular; else a line for every cell:
c cell r1c1 from 17: 3 5 8             variables 17, ... stand for the candidates 3, 5 and 8
c cell r1c2 = 4                        no variable: it holds 4
c seed 7                               what the variables were shuffled by; then there is for every cell that has any
c cell r1c1: 3=17 5=-30 8=2&-9         r1c1 holds 3 iff 17 is true, 5 iff 30 is false, 8 iff 2 is true and 9 is false
p cnf 729 10530
"""

from collections.abc import Iterator
from importlib import import_module
from typing import Any

import numpy as np

from sudoku_encode.encoders.puzzle_comments import board_comments, given_comments, masks, values
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# By the kind of an encoding the module that says what its variables mean.
VARIABLES = {encoder.kind: encoder.variables for encoder in ENCODINGS.values()}
# Safely below what a comment of a DIMACS file may have.
_MAX_LINE = 800


def variables(kind: str) -> Any:
    """Return the module that says what the variables of a kind of encodings mean."""
    return import_module(VARIABLES[kind])


def comments(
    puzzle: Puzzle,
    name: str,
    kind: str,
    candidates: Candidates,
    literals: Literals,
    contradiction: str,
    projection: Literals | None,
    seed: int | None,
) -> Iterator[str]:
    """Yield the comment lines of an encoding's file, without their `c `.

    Args:
        puzzle: what was encoded.
        name: of the encoding and its options.
        kind: what its variables mean, a key of VARIABLES.
        candidates: bool (n_cells, n_values): the values that a cell may have in a model.
        literals: int32 (n_cells, n_values, width), as in `Encoding`.
        contradiction: why there is no solution, where encoding found that out.
        projection: the variables that tell solutions apart; None where they are not written.
        seed: by which the variables were shuffled; None where they were not.
    """
    board = puzzle.geometry
    yield from board_comments(board)
    yield f"encoding {name}"
    yield f"kind {kind}"
    if seed is not None:
        yield f"seed {seed}"
    yield from given_comments(puzzle)
    if contradiction:
        yield f"contradiction: {contradiction}"
    elif seed is not None:
        yield from _shuffled_cells(board, candidates, literals)
    elif candidates.all() and literals.any(axis=(1, 2)).all():
        rule = variables(kind).NUMBERING.format(n=board.n_values, bits=literals.shape[2])
        yield f"{rule}; cells are numbered from 0 in reading order"
    else:
        yield from _cells(board, candidates, literals)
    if projection is not None:
        yield f"p show {' '.join(map(str, [*projection.tolist(), 0]))}"


def _cells(board: Geometry, candidates: Candidates, literals: Literals) -> list[str]:
    return [
        f"cell {name} from {start}: {values(mask)}" if start else f"cell {name} = {values(mask)}"
        for name, start, mask in zip(board.cell_names, first_variables(literals), masks(candidates), strict=True)
    ]


def _shuffled_cells(board: Geometry, candidates: Candidates, literals: Literals) -> Iterator[str]:
    """Yield for each cell its values with their literals, on as many lines as they take."""
    for cell, (name, mask) in enumerate(zip(board.cell_names, masks(candidates), strict=True)):
        if not literals[cell].any():
            yield f"cell {name} = {values(mask)}"
            continue
        line = ""
        for value in np.flatnonzero(candidates[cell]).tolist():
            word = f" {value + 1}={'&'.join(str(literal) for literal in literals[cell, value].tolist() if literal)}"
            if len(line) + len(word) > _MAX_LINE:
                yield f"cell {name}:{line}"
                line = ""
            line += word
        yield f"cell {name}:{line}"


def first_variables(literals: Literals) -> list[int]:
    """Return for each cell the smallest variable among its literals (n_cells, n_values, width), 0 if there is none."""
    # As an unsigned number 0 is the largest one after 1 is taken from it.
    before = np.abs(literals).reshape(len(literals), -1).view(np.uint32) - np.uint32(1)
    first: list[int] = (before.min(axis=1) + np.uint32(1)).tolist()
    return first
