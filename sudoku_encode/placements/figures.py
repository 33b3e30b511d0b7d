"""Figures of a cube: the patterns of signs that its values have, or may have."""

from dataclasses import replace
from typing import Any

import numpy as np

from sudoku_encode.placements.state import allowed_lines
from sudoku_encode.placements.structure import bits, patterns_of, side
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle, violations


def of_puzzle(puzzle: Puzzle, candidates: Candidates) -> dict[str, Any]:
    """Return what is known of the patterns of a puzzle's values, which are numbered as in `structure.patterns`.

    Args:
        puzzle: on any board.
        candidates: bool (n_cells, n_values): the values that its cells may have.

    Returns:
        Of a solution its `kind`, uniform or mixed, and the `patterns` of its values. Of another puzzle `patterns_left`,
        how many the candidates leave to each value: those with a possible line in each block. Nothing on other boards,
        nor of a full grid that breaks a rule.
    """
    k = side(puzzle.geometry)
    if not k:
        return {}
    if not len(puzzle.blanks):
        if next(violations(puzzle, puzzle.givens), None):
            return {}
        patterns = patterns_of(puzzle.givens, k)
        return {"kind": "uniform" if len(set(patterns)) == 1 else "mixed", "patterns": list(patterns)}
    allowed = allowed_lines(replace(puzzle, pencilmarks=candidates), k)
    lines: Bools = np.unpackbits(allowed.view(np.uint8), axis=-1, bitorder="little")[..., bits(k)] > 0
    in_each_block: Bools = np.logical_and.reduce(lines.any(axis=3), axis=2)
    return {"patterns_left": in_each_block.sum(axis=0).tolist()}
