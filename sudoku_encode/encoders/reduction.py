"""Remove candidates from a puzzle before it is encoded."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.table import REDUCTIONS
from sudoku_encode.errors import InternalError, MethodError
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle, first_clashes

# Whether a cell may hold a value, with eight puzzles in a byte: uint8 (n_cells, n_values, bytes).
_Packed = NDArray[np.uint8]
# Limits of a batch: puzzles, and candidates of all of them.
_BATCH_PUZZLES, _BATCH_CANDIDATES = 256, 1 << 21
_FEW_BYTES = 1 << 12


@dataclass(frozen=True, eq=False)
class Reduction:
    """The candidates of a puzzle after a reduction."""

    candidates: Candidates  # (n_cells, n_values)
    # bool (n_cells,): cells that need no variable, since they have one candidate, which is excluded from their peers.
    decided: NDArray[np.bool_]
    # Why there is no solution, if the reduction shows that; otherwise empty. With a contradiction the candidates are
    # those of the puzzle and no cell is decided, so that a model of them has no solution either.
    contradiction: str = ""


class VariableScheme(NamedTuple):
    """The meaning of the variables of an encoding."""

    numbering: str  # the sentence about it in files, a template with `n` and `bits`
    # From a reduced puzzle to `Encoding.literals` and the number of their variables.
    candidate_literals: Callable[[Reduction], tuple[Literals, int]]


@dataclass(frozen=True, eq=False)
class Reductions:
    """The candidates of several puzzles on one board after a reduction; see `Reduction`."""

    candidates: Candidates  # (m, n_cells, n_values)
    decided: NDArray[np.bool_]  # bool (m, n_cells)
    contradictions: tuple[str, ...]  # one per puzzle

    def __iter__(self) -> Iterator[Reduction]:
        """Yield the reduction of each puzzle."""
        return map(Reduction, self.candidates, self.decided, self.contradictions)

    def of_rows(self, rows: NDArray[np.intp]) -> "Reductions":
        """Return the reductions of some of the puzzles."""
        contradictions = tuple(self.contradictions[row] for row in rows.tolist())
        return Reductions(self.candidates[rows], self.decided[rows], contradictions)

    @property
    def values(self) -> Grids:
        """The values of the decided cells, uint8 (m, n_cells); 0 elsewhere."""
        return np.where(self.decided, self.candidates.argmax(axis=2) + 1, 0).astype(np.uint8)


def reduce(puzzle: Puzzle, level: str) -> Reduction:
    """Remove candidates; the set of solutions is unchanged.

    Raises:
        MethodError: there is no such level.

    Source: Kwon & Jain 2006 (level `givens`); naked and hidden singles together are what unit propagation
        does on the extended encoding (Lynce & Ouaknine 2006, section 3).
    """
    (reduction,) = reduce_all([puzzle], level)
    return reduction


def reduce_all(puzzles: Sequence[Puzzle], level: str) -> Reductions:
    """Reduce several puzzles on one board, at least one, at once; see `reduce`.

    Raises:
        MethodError: there is no such level.
    """
    board, givens = puzzles[0].geometry, np.stack([puzzle.givens for puzzle in puzzles])
    whole = _candidates(board, givens)
    for row, puzzle in enumerate(puzzles):
        if puzzle.pencilmarks is not None:
            whole[row] = puzzle.candidates
    return _reduced(board, givens, whole, level)


def reduce_givens(board: Geometry, givens: Grids, level: str) -> Reductions:
    """Reduce several puzzles of givens alone, uint8 (m, n_cells); see `reduce_all`."""
    return _reduced(board, givens, _candidates(board, givens), level)


def _reduced(board: Geometry, givens: Grids, whole: Candidates, level: str) -> Reductions:
    """Reduce puzzles with these candidates, bool (m, n_cells, n_values); see `reduce_all`."""
    m = len(givens)
    if level not in REDUCTIONS:
        raise MethodError(f"no reduction is called {level!r}; choose from {', '.join(REDUCTIONS)}")
    if level == "none":
        everything = np.ones((m, board.n_cells, board.n_values), bool)
        return Reductions(everything, np.zeros((m, board.n_cells), bool), ("",) * m)
    candidates = _packed(whole)
    *_, decided = _steps(board, candidates, _packed(givens > 0), level)
    remaining, done = _unpacked(candidates, m), _unpacked(decided, m)
    reasons = [""] * m
    # Candidates are only removed, so a contradiction that shows once still shows at the end.
    rows = np.flatnonzero(_contradicted(board, candidates, m))
    for row, reason in zip(rows.tolist(), _reasons(board, givens[rows], whole[rows], level), strict=True):
        reasons[row] = reason
    failed = np.array([bool(reason) for reason in reasons])
    # Givens are then not excluded from their peers, so they are not decided: models leave out decided cells.
    remaining[failed], done[failed] = whole[failed], False
    return Reductions(remaining, done, tuple(reasons))


def _steps(board: Geometry, candidates: _Packed, decided: _Packed, level: str) -> Iterator[_Packed]:
    """Remove candidates of puzzles in place, and yield the decided cells after each step."""
    _exclude(board, candidates, decided)
    yield decided
    while level == "singles":
        before = candidates.copy()
        _hidden_singles(board, candidates)
        decided = _exactly_one(candidates)
        _exclude(board, candidates, decided)
        yield decided
        if np.array_equal(candidates, before):
            return


def batch_size(board: Geometry) -> int:
    """Return how many puzzles on a board should be reduced at once: many of a small one."""
    return max(1, min(_BATCH_PUZZLES, _BATCH_CANDIDATES // (board.n_cells * board.n_values)))


def _candidates(board: Geometry, givens: Grids) -> Candidates:
    """Return `Puzzle.candidates` of puzzles of givens alone, bool (m, n_cells, n_values)."""
    values = np.arange(1, board.n_values + 1, dtype=np.uint8)
    candidates: Candidates = (givens[:, :, None] == values) | (givens == 0)[:, :, None]
    return candidates


def contradictions(board: Geometry, givens: Grids) -> list[str]:
    """Return for each of many puzzles of givens why singles show that it has no solution; empty if they do not."""
    size, reasons = batch_size(board), list[str]()
    for start in range(0, len(givens), size):
        batch = givens[start : start + size]
        texts = _clashes(board, batch)
        rest = [row for row, text in enumerate(texts) if not text]
        if rest:
            reductions = reduce_givens(board, batch[rest], "singles")
            for row, text in zip(rest, reductions.contradictions, strict=True):
                texts[row] = text
        reasons += texts
    return reasons


def _reasons(board: Geometry, givens: Grids, whole: Candidates, level: str) -> list[str]:
    """Return the reasons why puzzles that a reduction refutes have no solution, from their candidates before it."""
    texts = _clashes(board, givens)
    rest = [row for row, text in enumerate(texts) if not text]
    if rest:
        for row, text in zip(rest, _first_contradictions(board, givens[rest], whole[rest], level), strict=True):
            texts[row] = text
    return texts


def _clashes(board: Geometry, givens: Grids) -> list[str]:
    """Return two clashing givens of each puzzle, as a text; empty without a clash."""
    texts = [""] * len(givens)
    for row, pair in enumerate(first_clashes(board, givens)):
        if pair is not None:
            first, second = map(board.cell_name, pair)
            texts[row] = f"{first} and {second} are peers and both hold {board.shown(int(givens[row, pair[0]]))}"
    return texts


def _packed(of_puzzles: NDArray[np.bool_]) -> _Packed:
    """Pack (m, ...) into bits, (..., bytes), so that whole bytes of puzzles are reduced by one operation."""
    bits = np.packbits(of_puzzles.reshape(len(of_puzzles), -1), axis=0, bitorder="little")
    return np.ascontiguousarray(bits.T).reshape(*of_puzzles.shape[1:], len(bits))


def _unpacked(packed: _Packed, m: int) -> NDArray[np.bool_]:
    """Return (..., bytes) as bool (m, ...)."""
    bits = np.unpackbits(packed.reshape(-1, packed.shape[-1]), axis=1, count=m, bitorder="little")
    return np.ascontiguousarray(bits.T).view(bool).reshape(m, *packed.shape[:-1])


def _exclude(board: Geometry, candidates: _Packed, decided: _Packed) -> None:
    """Remove the value of every decided cell from its peers."""
    placed = candidates & decided[:, None]
    for rule in board.rules:
        mine = placed[rule.units]
        # A decided cell keeps its own value; two of them with one value are a contradiction that is detected later.
        candidates[rule.units] &= ~np.bitwise_or.reduce(mine, axis=1, keepdims=True) | mine


def _hidden_singles(board: Geometry, candidates: _Packed) -> None:
    """If a value has one cell in a full unit, remove the other values from that cell."""
    for rule in board.full_rules:
        in_units = candidates[rule.units]
        hidden = in_units & _exactly_one(in_units)[:, None]
        candidates[rule.units] = hidden | (in_units & ~np.bitwise_or.reduce(hidden, axis=2, keepdims=True))


def _exactly_one(packed: _Packed) -> _Packed:
    """Return where exactly one bit along the second axis is set."""
    once, twice = _once_and_twice(packed)
    return once & ~twice


def _once_and_twice(packed: _Packed) -> tuple[_Packed, _Packed]:
    """Return where at least one bit, and where at least two bits, along the second axis are set."""
    if packed.size <= _FEW_BYTES:
        so_far = np.bitwise_or.accumulate(packed, axis=1)
        return so_far[:, -1], np.bitwise_or.reduce(so_far[:, :-1] & packed[:, 1:], axis=1)
    # More calls, but each is faster.
    once, twice = packed[:, 0].copy(), np.zeros_like(packed[:, 0])
    for number in range(1, packed.shape[1]):
        twice |= once & packed[:, number]
        once |= packed[:, number]
    return once, twice


def _contradicted(board: Geometry, candidates: _Packed, m: int) -> NDArray[np.bool_]:
    """Return which puzzles plainly have no solution, by their candidates, bool (m,)."""
    some_value, several = _once_and_twice(candidates)
    single = candidates & ~several[:, None]
    failed = _any_byte(~some_value)
    for rule in board.rules:
        failed |= _any_byte(_once_and_twice(single[rule.units])[1])
    for rule in board.full_rules:
        failed |= _any_byte(~np.bitwise_or.reduce(candidates[rule.units], axis=1))
    return _unpacked(failed, m)


def _first_contradictions(board: Geometry, givens: Grids, whole: Candidates, level: str) -> list[str]:
    """Reduce puzzles without a solution once more, and return the first reason for each."""
    m = len(givens)
    candidates, decided, texts = _packed(whole), _packed(givens > 0), [""] * m
    unsaid = np.ones(m, bool)
    for _ in _steps(board, candidates, decided, level):
        rows = np.flatnonzero(_contradicted(board, candidates, m) & unsaid)
        if len(rows):
            for row, text in zip(rows.tolist(), _texts(board, _unpacked(candidates, m)[rows]), strict=True):
                texts[row] = text
            unsaid[rows] = False
        if not unsaid.any():
            return texts
    raise InternalError("the reductions of a puzzle alone and among others differ")


def _any_byte(packed: _Packed) -> NDArray[np.uint8]:
    """Return which puzzles have a bit set, (bytes,)."""
    any_bit: NDArray[np.uint8] = np.bitwise_or.reduce(packed.reshape(-1, packed.shape[-1]), axis=0)
    return any_bit


def _texts(board: Geometry, candidates: Candidates) -> list[str]:
    """Return why puzzles plainly have no solution, by their candidates, bool (m, n_cells, n_values)."""
    n_candidates = candidates.sum(axis=2, dtype=np.int32)
    texts, unsaid = [""] * len(candidates), np.ones(len(candidates), bool)
    for row, cell in zip(*_firsts(n_candidates == 0, unsaid), strict=True):
        texts[row] = f"{board.cell_name(cell)} has no candidate left"
    single = candidates & (n_candidates == 1)[:, :, None]
    for rule in board.rules:
        twice = single[:, rule.units].sum(axis=2, dtype=np.int32) > 1
        for row, place in zip(*_firsts(twice, unsaid), strict=True):
            unit, value = divmod(place, board.n_values)
            cells = rule.units[unit]
            first, second = cells[single[row, cells, value]][:2].tolist()
            cause = f"{board.cell_name(first)} and {board.cell_name(second)} are peers"
            texts[row] = f"{cause} and both must hold {board.shown(value + 1)}"
    for rule in board.full_rules:
        missing = np.logical_not(candidates[:, rule.units].any(axis=2))
        for row, place in zip(*_firsts(missing, unsaid), strict=True):
            unit, value = divmod(place, board.n_values)
            name = board.cell_name(int(rule.units[unit, 0]))
            texts[row] = f"no cell is left for {board.shown(value + 1)} in the {rule.name} of {name}"
    return texts


def _firsts(shown: NDArray[np.bool_], unsaid: NDArray[np.bool_]) -> tuple[list[int], list[int]]:
    """Return the rows (m, ...) in `unsaid` (m,) with a bit, and their first bits; they leave `unsaid`."""
    flat = shown.reshape(len(shown), -1)
    rows = np.flatnonzero(flat.any(axis=1) & unsaid)
    unsaid[rows] = False
    return rows.tolist(), flat[rows].argmax(axis=1).tolist()
