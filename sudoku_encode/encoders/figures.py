"""Figures of a puzzle and its board: units, edges, clashes, what singles leave, sizes of encodings."""

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from sudoku_encode.constraints.lowering import lowered, plain
from sudoku_encode.encoders.encoding import encode, unsupported_reason
from sudoku_encode.encoders.reduction import Reduction, reduce_all
from sudoku_encode.encoders.sizes import Open, count_open, reduced, whole
from sudoku_encode.encoders.table import ALL, ENCODINGS
from sudoku_encode.encoders.variants import variants
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle

# The sizes of an encoding: of the whole puzzle, and of what it leaves out by default.
_NUMBERS = ("variables", "clauses", "reduced_variables", "reduced_clauses")


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


class Batch:
    """Puzzles on one board, with what singles leave of them.

    Args:
        puzzles: at least one, all on one board; see `reduction.batch_size`. One with constraints is alone.

    Attributes:
        given: the puzzles.
        puzzles: the same in units and candidates, without other constraints.
        left: what singles leave of these.
    """

    def __init__(self, puzzles: Sequence[Puzzle]) -> None:
        self.given, self.puzzles = puzzles, [lowered(puzzle).puzzle for puzzle in puzzles]
        self.left = reduce_all(self.puzzles, "singles")

    @property
    def board(self) -> Geometry:
        """That of the puzzles, with the units of their constraints."""
        return self.puzzles[0].geometry

    @cached_property
    def counted(self) -> Open:
        """What singles leave, in numbers."""
        return count_open(self.board, self.left)


def of_puzzles(batch: Batch) -> Iterator[dict[str, Any]]:
    """Yield the figures of each puzzle: givens, blanks, and what singles leave, where no two givens clash."""
    for given, puzzle, left in zip(batch.given, batch.puzzles, batch.left, strict=True):
        yield _of_puzzle(puzzle, left) | _of_constraints(given)


def _of_puzzle(puzzle: Puzzle, left: Reduction) -> dict[str, Any]:
    board = puzzle.geometry
    figures: dict[str, Any] = {"givens": board.n_cells - len(puzzle.blanks), "blanks": len(puzzle.blanks)}
    # Givens that clash are a contradiction.
    clash = puzzle.clash if left.contradiction else None
    if clash:
        first, second = clash
        value = int(puzzle.givens[first])
        figures["clash"] = f"{board.cell_name(first)} and {board.cell_name(second)} are peers and both hold {value}"
        return figures
    is_open = puzzle.givens == 0 if left.contradiction else ~left.decided
    figures["blanks_after_singles"] = int(np.count_nonzero(is_open))
    figures["candidates_after_singles"] = int(np.count_nonzero(left.candidates[is_open]))
    if left.contradiction:
        figures["contradiction"] = left.contradiction
    return figures


def _of_constraints(puzzle: Puzzle) -> dict[str, Any]:
    """Return how many constraints of each kind there are, and what they are made of besides units and candidates."""
    if not puzzle.constraints:
        return {}
    kinds = Counter(constraint.kind for constraint in puzzle.constraints)
    primitives = Counter(type(primitive).__name__ for primitive in lowered(puzzle).primitives)
    return {"constraints": dict(kinds), "primitives": dict(primitives)}


def sizes(batch: Batch, encodings: Sequence[str], amos: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
    """Yield the variables and clauses of encodings, of the whole puzzles and of what they leave out by default.

    Args:
        batch: the puzzles.
        encodings: keys of ENCODINGS, or `all`: those that fit the board and take the constraints.
        amos: keys of AT_MOST_ONE, or `all`; an encoding that takes none is yielded once.

    Yields:
        For each puzzle `encoding` and `amo`, `variables` and `clauses`, `reduced_variables` and `reduced_clauses`, each
        None where it does not apply, and the `reason` why an encoding that was named does not fit.
    """
    board = batch.board
    wanted = [variant for name in encodings for amo in amos for variant in variants(name, amo, board)]
    # An encoding that writes at-most-one in a way of its own takes none, so that each of `amos` is the same.
    takes = {name: "amo" in row.options for name, row in ENCODINGS.items()}
    for encoding, amo in dict.fromkeys((name, amo if takes[name or ""] else None) for name, amo in wanted):
        assert encoding
        reason = unsupported_reason(encoding, board) or _declined(batch, encoding) or None
        if reason and ALL in encodings:
            continue
        row = {"encoding": encoding, "amo": amo, **dict.fromkeys(_NUMBERS), "reason": reason}
        numbers: list[tuple[int, ...]] = [()] * len(batch.puzzles)
        if not reason:
            numbers = _sizes(batch, encoding, amo or "pairwise")
        yield [row | dict(zip(_NUMBERS, some, strict=False)) for some in numbers]


def _declined(batch: Batch, encoding: str) -> str:
    """Say why an encoding does not take the constraints of a puzzle; nothing where it does, or there are none."""
    if ENCODINGS[encoding].kind == "direct":
        return ""
    try:
        for puzzle in batch.given:
            plain(puzzle, f"encoding {encoding}")
    except MethodError as error:
        return str(error)
    return ""


def _sizes(batch: Batch, encoding: str, amo: str) -> list[tuple[int, ...]]:
    """Return the numbers of each puzzle; those of constraints are counted on the formula itself."""
    takes_reduction = "reduce" in ENCODINGS[encoding].options
    if lowered(batch.given[0]).primitives:
        levels = ("none", "singles") if takes_reduction else ("none",)
        made = [encode(batch.given[0], encoding, reduction=level, amo=amo).cnf for level in levels]
        return [tuple(number for cnf in made for number in (cnf.n_variables, cnf.n_clauses))]
    found = [*whole(batch.puzzles, encoding, amo)]
    if takes_reduction:
        found += reduced(batch.puzzles, batch.left, batch.counted, encoding, amo)
    return list(zip(*(column.tolist() for column in found), strict=True))
