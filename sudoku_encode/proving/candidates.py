"""Certificates of true candidates: each one listed is in a solution, and no other is in any.

The folder has the files of another certificate, see `folder`, and `candidates.json`, for each cell the list of its
values. `solutions.txt` has solutions that have all that is listed, and may be few of many. `blocked.cnf` has, besides
the clauses of the puzzle, one clause only: some cell has a value that is not listed for it.
"""

import json
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudoku_encode.errors import MethodError, short
from sudoku_encode.proving import checking, plain
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.making import formulas, refuted, write_folder
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.table import DEFAULT_PROVER, PROVERS
from sudoku_encode.storage import outputs


@dataclass(frozen=True, eq=False, repr=False)
class CheckedCandidates:
    """The proved result of a certificate of true candidates.

    Attributes:
        puzzle: the puzzle.
        seen: bool (n_cells, n_values): the values that some solution has, all of them.
        n_witnesses: how many solutions show it.
        lemmas: how many clauses the proof derives.
        checkers: which programs accepted the proof.
        seconds: how long the check took.

    >>> import tempfile
    >>> from sudoku_encode import check_candidates, prove_candidates
    >>> folder = tempfile.mkdtemp()
    >>> _ = prove_candidates("1...............", folder, board="4x4")
    >>> check_candidates(folder).seen[:2].tolist()
    [[True, False, False, False], [False, True, True, True]]
    """

    puzzle: Puzzle
    seen: Candidates
    n_witnesses: int
    lemmas: int
    checkers: tuple[str, ...]
    seconds: float

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    def __repr__(self) -> str:
        """Return the proved result on one short line."""
        board, by = short(self.puzzle.geometry.name, 20), short(" and ".join(self.checkers), 30)
        return f"CheckedCandidates({board!r}, {int(self.seen.sum())} candidates, by {by})"


def prove(puzzle: Puzzle, witnesses: Grids, folder: Path, deadline: Deadline, solver: str = DEFAULT_PROVER) -> None:
    """Write a certificate that the values of some solutions are all true candidates. It is not checked yet.

    The witnesses, uint8 (m, n_cells), are solutions which together have all true candidates; files of a certificate in
    the folder are replaced.

    Raises:
        MethodError: the proofs of that solver cannot be trusted, or the board is too large.
        SudokuError: the folder cannot be written.
        InternalError: a solution has another value.
    """
    if solver not in PROVERS:
        raise MethodError(f"the proofs of {solver!r} cannot be trusted; choose from {', '.join(PROVERS)}")
    puzzle = puzzle.from_one
    checking.check_puzzle(puzzle)
    listed = seen_values(puzzle, witnesses)
    emit(Progress("proving that there are no other candidates ..."))
    whole, reduced = formulas(puzzle)
    n_cells = len(listed)
    others = reduced.literals[:n_cells, :, 0][~listed & reduced.candidates[:n_cells]]
    # Without a solution nothing is listed, not even the values of singles: then the clause is always true.
    clauses = [others.tolist()] if (others > 0).all() else []
    proof = refuted(whole, reduced, clauses, further(listed), deadline, solver)
    write_folder(folder, whole, witnesses, proof, solver)
    lists = [(np.flatnonzero(row) + 1).tolist() for row in listed]
    try:
        (folder / files.CANDIDATES).write_text(f"{json.dumps(lists)}\n", encoding="ascii")
    except OSError as error:
        raise outputs.unwritable(folder, error) from error


def seen_values(puzzle: Puzzle, grids: Grids) -> Candidates:
    """Return which values the cells have in some grid, bool (n_cells, n_values)."""
    seen = np.zeros((puzzle.geometry.n_cells, puzzle.geometry.n_values), bool)
    for grid in grids:
        seen[np.arange(len(grid)), grid.astype(np.intp) - 1] = True
    return seen


def further(listed: Candidates) -> Numbers:
    """Return the clause that some cell has a value that is not listed for it, as a row."""
    return (np.flatnonzero(~listed.ravel()) + 1).astype(np.int32)[None]


def check(folder: Path) -> CheckedCandidates:
    """Check a certificate of true candidates; nothing in its folder is trusted.

    Every grid must be a solution; the list must be the values that they have; the CNF must encode the puzzle; the
    clause must contain all values that are not listed; and the proof must show that no other solution is left.

    Raises:
        CertificateError: it proves nothing.
        FormatError: a file is missing or invalid.
    """
    start = time.perf_counter()
    puzzle = files.puzzle(folder)
    emit(Progress("checking the solutions ..."))
    grids, listed = checking.checked_solutions(folder, puzzle), files.candidates(folder, puzzle)
    seen = seen_values(puzzle, grids)
    for cell, value in np.argwhere(listed != seen).tolist():
        name = f"{puzzle.geometry.cell_name(cell)} = {value + 1}"
        why = "is in none of the solutions here" if listed[cell, value] else "is in a solution, but not listed"
        raise checking.refusal(folder, files.CANDIDATES, f"{name} {why}")
    clause = checking.ExtraClauses(
        further(listed),
        "is not the clause of the candidates that are not listed",
        "no clause says that a candidate that is not listed is true",
    )
    n_lemmas, by = checking.check_refuted(folder, puzzle, grids, clause)
    files.check_kind(folder, of_candidates=True)
    plain.compare_definitions(puzzle)
    return CheckedCandidates(puzzle, seen, len(grids), n_lemmas, by, time.perf_counter() - start)
