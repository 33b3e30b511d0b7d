"""Figures of a puzzle and its board: units, edges, clashes, what singles leave, sizes of encodings."""

from typing import Any

import numpy as np

from sudoku_encode.encoders.encoding import encode, unsupported_reason
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle


def of_board(board: Geometry) -> dict[str, Any]:
    """Return the figures of a board; `degree` is the smallest and the largest number of peers."""
    degrees = np.bincount(board.edges.ravel(), minlength=board.n_cells)
    figures: dict[str, Any] = {
        "board": board.name,
        "rules": list(board.rule_names),
        "cells": board.n_cells,
        "values": board.n_values,
        "units": {name: sum(len(rule.units) for rule in board.rules if rule.name == name) for name in board.rule_names},
        "unit_count": board.n_units,
        "edges": len(board.edges),
        "pairs_with_duplicates": board.n_pairs,
        "degree": [int(degrees.min()), int(degrees.max())],
    }
    if board.why_impossible:
        figures["no_solution"] = f"no colouring exists: {board.why_impossible}"
    return figures


def of_puzzle(puzzle: Puzzle) -> dict[str, Any]:
    """Return the figures of a puzzle: givens, blanks, and what singles leave, where no two givens clash."""
    board = puzzle.geometry
    figures: dict[str, Any] = {"givens": board.n_cells - len(puzzle.blanks), "blanks": len(puzzle.blanks)}
    if puzzle.clash:
        first, second = puzzle.clash
        value = int(puzzle.givens[first])
        figures["clash"] = f"{board.cell_name(first)} and {board.cell_name(second)} are peers and both hold {value}"
        return figures
    left = reduce(puzzle, "singles")
    figures["blanks_after_singles"] = int((~left.decided).sum())
    figures["candidates_after_singles"] = int(left.candidates[~left.decided].sum())
    if left.contradiction:
        figures["contradiction"] = left.contradiction
    return figures


def of_encodings(puzzle: Puzzle) -> dict[str, dict[str, int | None]]:
    """Return the variables and clauses of each encoding, of the whole puzzle and of what singles leave."""
    sizes: dict[str, dict[str, int | None]] = {}
    for name, encoder in ENCODINGS.items():
        if unsupported_reason(name, puzzle.geometry):
            continue
        whole = encode(puzzle, name, reduction="none").cnf
        reduced = encode(puzzle, name).cnf if "reduce" in encoder.options else None
        sizes[name] = {
            "variables": whole.n_variables,
            "clauses": whole.n_clauses,
            "reduced_variables": reduced.n_variables if reduced else None,
            "reduced_clauses": reduced.n_clauses if reduced else None,
        }
    return sizes
