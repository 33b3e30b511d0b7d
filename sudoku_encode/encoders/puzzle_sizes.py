"""The sizes of encodings, by arithmetic without making clauses, and other figures of puzzles and boards.

The encoding of a whole puzzle has the size of that of the empty board, plus unit clauses for givens and pencilmarks.
After singles, the numbers in an `OpenCounts` determine the size; the table of encodings names a function for each.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.batch_encoding import encode_many_reduced
from sudoku_encode.encoders.encoding import CONTRADICTION, Choice, encode, encode_reduced, unsupported_reason, variants
from sudoku_encode.encoders.reduction import Reduction, Reductions, reduce_all
from sudoku_encode.encoders.table import ALL, ENCODINGS, Loader
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle, require_units_only
from sudoku_encode.puzzles.geometry import Cells, Geometry, Rule, units_of_cells
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

Counts = NDArray[np.int64]


class Sizes(NamedTuple):
    """The numbers of variables and of clauses of puzzles, int64 (m,) each."""

    variables: Counts
    clauses: Counts


@dataclass(frozen=True, eq=False)
class OpenCounts:
    """The counts, after singles, that determine sizes, for at-most-one by pairs and each clause once."""

    domains: Counts  # int64 (m, n_cells): number of candidates of each cell, 0 if it is decided
    # int64 (m,): values without a cell in a full unit, except those with the places of an earlier unit.
    unit_values: Counts
    conflicts: Counts  # int64 (m,): peers with a common candidate, each pair once for each such candidate

    @property
    def cells(self) -> Counts:
        """Number of cells that are not decided, (m,)."""
        counted: Counts = np.count_nonzero(self.domains, axis=1)
        return counted

    @property
    def candidates(self) -> Counts:
        """Number of their candidates, (m,)."""
        counted: Counts = self.domains.sum(axis=1)
        return counted

    @property
    def cell_pairs(self) -> Counts:
        """Number of pairs of candidates of one cell, (m,)."""
        counted: Counts = (self.domains * (self.domains - 1) // 2).sum(axis=1)
        return counted


class ComputeSizes(Protocol):
    """The function of an encoder from counts to sizes."""

    def __call__(self, counts: OpenCounts, /) -> Sizes:
        """Return the sizes of the encoding of puzzles after singles."""


_load_compute_sizes: Loader[ComputeSizes] = Loader()


def direct_sizes(*names: str) -> ComputeSizes:
    """Return the function for a `direct_encoder` with as many clauses as these counts together."""
    return lambda counts: Sizes(counts.candidates, np.sum([getattr(counts, name) for name in names], axis=0))


minimal_sizes = direct_sizes("cells", "conflicts")
efficient_sizes = direct_sizes("cells", "cell_pairs", "conflicts")
extended_sizes = direct_sizes("cells", "unit_values", "cell_pairs", "conflicts")
dual_sizes = direct_sizes("unit_values", "cell_pairs")


def order_sizes(counts: OpenCounts) -> Sizes:
    """Return the sizes of `order.encode`."""
    steps = np.maximum(counts.domains - 1, 0)
    return Sizes(steps.sum(axis=1), np.maximum(steps - 1, 0).sum(axis=1) + counts.conflicts)


def log_sizes(counts: OpenCounts) -> Sizes:
    """Return the sizes of `log.encode`."""
    bits = np.ceil(np.log2(np.maximum(counts.domains, 1))).astype(np.int64)
    unused = np.where(counts.domains > 0, (1 << bits) - counts.domains, 0)
    return Sizes(bits.sum(axis=1), unused.sum(axis=1) + counts.conflicts)


def whole_sizes(puzzles: Sequence[Puzzle], encoding: str, amo: str) -> Sizes:
    """Return the sizes of an encoding of puzzles on one board without a reduction."""
    empty, variables, clauses = _empty_board_size(puzzles[0].geometry, encoding, amo)
    given = np.stack([puzzle.givens for puzzle in puzzles])
    # A given is one unit clause per literal, the same in all cells of the empty board; 0 is a blank.
    of_value = np.concatenate([[0], np.count_nonzero(empty[0], axis=1)])
    excluded = [np.count_nonzero(~puzzle.candidates[puzzle.givens == 0]) for puzzle in puzzles]
    return Sizes(np.full(len(puzzles), variables), clauses + of_value[given].sum(axis=1) + excluded)


@lru_cache(maxsize=64)
def _empty_board_size(board: Geometry, encoding: str, amo: str) -> tuple[NDArray[np.int32], int, int]:
    """Return the literals of the first cell of an empty board, (1, n_values, width), and its variables and clauses."""
    encoded = encode(Puzzle.of(board), encoding, reduction="none", amo=amo)
    return encoded.literals[:1].copy(), encoded.cnf.n_variables, encoded.cnf.n_clauses


def reduced_sizes(
    puzzles: Sequence[Puzzle], reductions: Reductions, counted: OpenCounts, encoding: str, amo: str
) -> Sizes:
    """Return the sizes of an encoding that takes a reduction, for puzzles on one board after singles."""
    name = ENCODINGS[encoding].size
    if amo == "pairwise" and name:
        computed = _load_compute_sizes(name)(counted)
        failed = np.array([bool(reason) for reason in reductions.contradictions])
        none = CONTRADICTION.n_variables, CONTRADICTION.n_clauses
        return Sizes(*(np.where(failed, *both) for both in zip(none, computed, strict=True)))
    formulas = [one.cnf for one in encode_many_reduced(puzzles, list(reductions), Choice(encoding, amo))]
    return Sizes(*np.array([[cnf.n_variables, cnf.n_clauses] for cnf in formulas], np.int64).T)


def after_singles(puzzle: Puzzle, choice: Choice) -> tuple[int, int, str]:
    """Return the variables and clauses of a puzzle with `--reduce singles`, and why there is no solution, if so."""
    low = lower_puzzle(puzzle)
    reductions = reduce_all([low.puzzle], "singles")
    (reduction,) = reductions
    if low.primitives or choice.duplicates:
        # The arithmetic covers units only, and each clause once.
        encoded = encode_reduced(puzzle, reduction, choice)
        return encoded.cnf.n_variables, encoded.cnf.n_clauses, encoded.contradiction
    counted = count_open(low.puzzle.geometry, reductions)
    variables, clauses = reduced_sizes([low.puzzle], reductions, counted, choice.encoding, choice.amo)
    return int(variables[0]), int(clauses[0]), reduction.contradiction


def count_open(board: Geometry, reductions: Reductions) -> OpenCounts:
    """Count the candidates of puzzles on a board after singles; the counts of a refuted puzzle are meaningless."""
    candidates = reductions.candidates & ~reductions.decided[:, :, None]
    unit_values = np.zeros(len(candidates), np.int64)
    for rule in board.full_rules:
        unit_values += np.count_nonzero(candidates[:, rule.units].any(axis=2), axis=(1, 2))
    unit_values -= _repeated_place_sets(board, candidates)
    # Sets of values as bits.
    values = np.packbits(candidates, axis=2)
    both = np.bitwise_count(values[:, board.edges[:, 0]] & values[:, board.edges[:, 1]])
    return OpenCounts(candidates.sum(axis=2, dtype=np.int64), unit_values, both.sum(axis=(1, 2), dtype=np.int64))


def _repeated_place_sets(board: Geometry, candidates: Candidates) -> Counts:
    """Count the values with the same places in a full unit as in a unit of an earlier rule, (m,)."""
    repeated = np.zeros(len(candidates), np.int64)
    none = np.zeros_like(candidates[:, :1])
    with_no_cell = np.concatenate([candidates, none], axis=1)
    for shared, others, first_of_unit in _overlaps(board):
        same = with_no_cell[:, shared].any(axis=2) & ~with_no_cell[:, others].any(axis=2)
        repeated += np.count_nonzero(np.logical_or.reduceat(same, first_of_unit, axis=1), axis=(1, 2))
    return repeated


@lru_cache(maxsize=8)
def _overlaps(board: Geometry) -> list[tuple[Cells, Cells, NDArray[np.intp]]]:
    """Return for each full rule its units that share two cells or more with a unit of an earlier rule."""
    overlaps = []
    # Entries: the shared cells (p, n_values) and the others (p, 2 * n_values), both padded with `n_cells`; and the
    # indices where the pairs of the next unit of the rule begin.
    for later, rule in enumerate(board.full_rules):
        pairs = [_shared_cells(board, earlier, rule) for earlier in board.full_rules[:later]]
        units, shared, others = (np.concatenate(part) for part in zip(*pairs, strict=True)) if pairs else ((),) * 3
        if not len(units):
            continue
        in_order = np.argsort(units, kind="stable")
        first_of_unit = np.flatnonzero(np.diff(units[in_order], prepend=-1))
        overlaps.append((shared[in_order], others[in_order], first_of_unit))
    return overlaps


def _shared_cells(board: Geometry, first_rule: Rule, other: Rule) -> tuple[Cells, Cells, Cells]:
    """Return for units of two rules with two common cells the number of the second, and the cells of `_overlaps`."""
    unit_of_one, unit_of_other = (units_of_cells([rule], board.n_cells)[:, 0] for rule in (first_rule, other))
    in_both = (unit_of_one >= 0) & (unit_of_other >= 0)
    pairs, sizes = np.unique(np.stack([unit_of_one, unit_of_other])[:, in_both], axis=1, return_counts=True)
    first, second = pairs[:, sizes > 1]
    of_first, of_second = first_rule.units[first], other.units[second]
    is_shared = unit_of_other[of_first] == second[:, None]
    is_shared_too = unit_of_one[of_second] == first[:, None]
    shared = np.where(is_shared, of_first, board.n_cells)
    alone = [np.where(is_shared, board.n_cells, of_first), np.where(is_shared_too, board.n_cells, of_second)]
    return second, shared, np.concatenate(alone, axis=1)


# Figures of puzzles and boards: units, edges, clashes, singles, sizes of encodings.

# The sizes of an encoding: of the whole puzzle, and after the default reduction.
_NUMBERS = ("variables", "clauses", "reduced_variables", "reduced_clauses")


def board_figures(board: Geometry) -> dict[str, Any]:
    """Return the figures of a board; `degree` is the smallest and the largest number of peers."""
    degrees = np.bincount(board.edges.ravel(), minlength=board.n_cells)[: board.n_grid]
    figures: dict[str, Any] = {
        "board": board.name,
        "rules": list(board.rule_names),
        "cells": board.n_grid,
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


class PuzzleBatch:
    """Puzzles on one board, at least one, and their reductions by singles; a puzzle with constraints is alone."""

    def __init__(self, puzzles: Sequence[Puzzle]) -> None:
        # The second are in units and candidates, without other constraints.
        self.given, self.puzzles = puzzles, [lower_puzzle(puzzle).puzzle for puzzle in puzzles]
        self.left = reduce_all(self.puzzles, "singles")

    @property
    def board(self) -> Geometry:
        """The board of the puzzles, with the units of their constraints."""
        return self.puzzles[0].geometry

    @cached_property
    def counted(self) -> OpenCounts:
        """The counts after singles."""
        return count_open(self.board, self.left)


def puzzle_figures(batch: PuzzleBatch) -> Iterator[dict[str, Any]]:
    """Yield the figures of each puzzle: givens, blanks, and, if no givens clash, the figures after singles."""
    for given, puzzle, reduction in zip(batch.given, batch.puzzles, batch.left, strict=True):
        yield _reduction_figures(puzzle, reduction) | _constraint_figures(given)


def _reduction_figures(puzzle: Puzzle, reduction: Reduction) -> dict[str, Any]:
    board = puzzle.geometry
    n_givens = int(np.count_nonzero(puzzle.givens))
    figures: dict[str, Any] = {"givens": n_givens, "blanks": board.n_grid - n_givens}
    # Givens that clash are a contradiction.
    clash = puzzle.clash if reduction.contradiction else None
    if clash:
        first, second = clash
        value = board.shown(int(puzzle.givens[first]))
        figures["clash"] = f"{board.cell_name(first)} and {board.cell_name(second)} are peers and both hold {value}"
        return figures
    is_open = (puzzle.givens == 0 if reduction.contradiction else ~reduction.decided)[: board.n_grid]
    figures["blanks_after_singles"] = int(np.count_nonzero(is_open))
    figures["candidates_after_singles"] = int(np.count_nonzero(reduction.candidates[: board.n_grid][is_open]))
    if reduction.contradiction:
        figures["contradiction"] = reduction.contradiction
    return figures


def _constraint_figures(puzzle: Puzzle) -> dict[str, Any]:
    """Return the numbers of constraints by kind, and of their primitives besides units and domains."""
    if not puzzle.constraints:
        return {}
    kinds = Counter(constraint.kind for constraint in puzzle.constraints)
    low = lower_puzzle(puzzle)
    primitives = Counter(type(primitive).__name__ for primitive in low.primitives)
    n_hidden = low.puzzle.geometry.n_hidden
    hidden = {"hidden_cells": n_hidden} if n_hidden else {}
    return {"constraints": dict(kinds), "primitives": dict(primitives), **hidden}


def sizes(batch: PuzzleBatch, encodings: Sequence[str], amos: Sequence[str]) -> Iterator[list[dict[str, Any]]]:
    """Yield the variables and clauses of encodings, of whole puzzles and after the default reduction.

    `all` encodings are those that fit the board and take the constraints; an encoding that takes no at-most-one is
    yielded once. Each puzzle has `encoding` and `amo`, `variables` and `clauses`, `reduced_variables` and
    `reduced_clauses`, each None if it does not apply, and the `reason` why a named encoding does not fit.
    """
    board = batch.board
    pairs = [variant for name in encodings for amo in amos for variant in variants(name, amo, board)]
    # An encoding with its own at-most-one takes none, so all `amos` give the same.
    takes = {name: "amo" in row.options for name, row in ENCODINGS.items()}
    for encoding, amo in dict.fromkeys((name, amo if takes[name or ""] else None) for name, amo in pairs):
        assert encoding
        reason = unsupported_reason(encoding, board) or _constraints_reason(batch, encoding) or None
        if reason and ALL in encodings:
            continue
        row = {"encoding": encoding, "amo": amo, **dict.fromkeys(_NUMBERS), "reason": reason}
        numbers: list[tuple[int, ...]] = [()] * len(batch.puzzles)
        if not reason:
            numbers = _size_columns(batch, encoding, amo or "pairwise")
        yield [row | dict(zip(_NUMBERS, row_numbers, strict=False)) for row_numbers in numbers]


def _constraints_reason(batch: PuzzleBatch, encoding: str) -> str:
    """Return why an encoding does not support the constraints of a puzzle; empty if it does."""
    if ENCODINGS[encoding].kind == "direct":
        return ""
    try:
        for puzzle in batch.given:
            require_units_only(puzzle, f"encoding {encoding}")
    except MethodError as error:
        return str(error)
    return ""


def _size_columns(batch: PuzzleBatch, encoding: str, amo: str) -> list[tuple[int, ...]]:
    """Return the sizes of each puzzle; with constraints they are counted on the formula itself."""
    takes_reduction = "reduce" in ENCODINGS[encoding].options
    if lower_puzzle(batch.given[0]).primitives:
        levels = ("none", "singles") if takes_reduction else ("none",)
        formulas = [encode(batch.given[0], encoding, reduction=level, amo=amo).cnf for level in levels]
        return [tuple(number for cnf in formulas for number in (cnf.n_variables, cnf.n_clauses))]
    columns = [*whole_sizes(batch.puzzles, encoding, amo)]
    if takes_reduction:
        columns += reduced_sizes(batch.puzzles, batch.left, batch.counted, encoding, amo)
    return list(zip(*(column.tolist() for column in columns), strict=True))
