"""Figures of a puzzle and its board: units, edges, clashes, what singles leave, sizes of encodings."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from sudoku_encode.encoders.encoding import encode, unsupported_reason
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.encoders.variants import variants
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


def sizes(puzzle: Puzzle, encodings: Sequence[str], amos: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Yield the variables and clauses of encodings, of the whole puzzle and of what they leave out by default.

    Args:
        puzzle: any.
        encodings: keys of ENCODINGS, or `all`: those that fit the board.
        amos: keys of AT_MOST_ONE, or `all`; an encoding that takes none is yielded once.

    Yields:
        `encoding` and `amo`, `variables` and `clauses`, `reduced_variables` and `reduced_clauses`, each None where it
        does not apply, and the `reason` why an encoding that was named does not fit.
    """
    wanted = [variant for name in encodings for amo in amos for variant in variants(name, amo, puzzle.geometry)]
    # An encoding that writes at-most-one in a way of its own takes none, so that each of `amos` is the same.
    takes = {name: "amo" in row.options for name, row in ENCODINGS.items()}
    for encoding, amo in dict.fromkeys((name, amo if takes[name or ""] else None) for name, amo in wanted):
        assert encoding
        empty = dict.fromkeys(("variables", "clauses", "reduced_variables", "reduced_clauses"))
        row = {
            "encoding": encoding,
            "amo": amo,
            **empty,
            "reason": unsupported_reason(encoding, puzzle.geometry) or None,
        }
        if not row["reason"]:
            whole = encode(puzzle, encoding, reduction="none", amo=amo or "pairwise").cnf
            row |= {"variables": whole.n_variables, "clauses": whole.n_clauses}
            if "reduce" in ENCODINGS[encoding].options:
                reduced = encode(puzzle, encoding, amo=amo or "pairwise").cnf
                row |= {"reduced_variables": reduced.n_variables, "reduced_clauses": reduced.n_clauses}
        yield row
