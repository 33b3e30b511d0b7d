"""Check a certificate from any source: nothing in its folder is trusted."""

import time
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError, MethodError, SudokuError, short
from sudoku_encode.proving import checkers, hints, plain, veripb
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.proving.rup import ProofError
from sudoku_encode.puzzles.arrays import freeze_fields
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, are_wrong, violations
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.run.events import Progress, emit

# A certificate with more clauses is not checked: to check this many takes some 2 GB of memory.
MAX_CLAUSES = 4_000_000


class CertificateError(SudokuError):
    """The certificate does not prove what it says; the message names the file and says why.

    >>> import pathlib, tempfile
    >>> from sudoku_encode import check_certificate, prove
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = prove("1...............", folder, board="4x4")
    >>> _ = (folder / "solutions.txt").write_text("")
    >>> try:
    ...     check_certificate(folder)
    ... except CertificateError:
    ...     print("refused")
    refused
    """


@dataclass(frozen=True, eq=False, repr=False)
class CheckedCount:
    """The proved result of a certificate.

    Attributes:
        puzzle: the puzzle.
        count: exactly how many solutions it has.
        lemmas: how many clauses the proof derives.
        checkers: which programs accepted the proof.
        seconds: how long the check took.
        n_cubes: of a certificate in cubes, how many there are; otherwise 0.
        n_compared: how many constraints had their primitives compared with their definitions, on all values.
        n_states: of a count without a list, how many states the recount passed; otherwise None.
        n_counted: of a certificate in cubes, in how many of these the solutions are counted, not listed.

    >>> import tempfile
    >>> from sudoku_encode import check_certificate, prove
    >>> folder = tempfile.mkdtemp()
    >>> _ = prove("1...............", folder, board="4x4")
    >>> check_certificate(folder).count
    72
    """

    puzzle: Puzzle
    count: int
    lemmas: int
    checkers: tuple[str, ...]
    seconds: float
    n_cubes: int = 0
    n_compared: int = 0
    n_states: int | None = None
    n_counted: int = 0

    _repr_html_ = shown_as_html

    def __post_init__(self) -> None:
        freeze_fields(self)

    def __repr__(self) -> str:
        """Return the proved result on one short line."""
        board, by = short(self.puzzle.geometry.name, 20), short(" and ".join(self.checkers), 30)
        return f"CheckedCount({board!r}, {self.count} solutions, by {by})"


class ExtraClauses(NamedTuple):
    """The clauses that the blocked formula must have besides those of the puzzle."""

    clauses: Numbers  # int32, a clause a row
    wrong: str  # the fault of any other clause, as the end of a sentence
    missing: str  # the message if a clause is missing, with a place for its number


def check(folder: Path) -> CheckedCount:
    """Check a certificate from its puzzle to its proof; see `folder`.

    Every grid must be a solution, the CNF must encode the puzzle, each solution and nothing else must be blocked, and
    the proof must show that no other solution is left.

    Raises:
        CertificateError: it proves nothing.
        FormatError: a file is missing or invalid.
    """
    start = time.perf_counter()
    puzzle = files.puzzle(folder)
    emit(Progress("checking the solutions ..."))
    grids = checked_solutions(folder, puzzle)
    blocking = ExtraClauses(
        plain.blocking(puzzle, grids), "does not block a listed solution", "solution {} is not blocked"
    )
    n_lemmas, by = check_refuted(folder, puzzle, grids, blocking)
    files.check_kind(folder, of_candidates=False)
    if (folder / files.OPB).exists() and files.data(folder / files.OPB) != veripb.opb(puzzle):
        raise refusal(folder, files.OPB, "these are not the constraints of the puzzle, or not as `prove` writes them")
    n_compared = plain.compare_definitions(puzzle)
    return CheckedCount(puzzle, len(grids), n_lemmas, by, time.perf_counter() - start, n_compared=n_compared)


def check_refuted(folder: Path, puzzle: Puzzle, grids: Grids, further: ExtraClauses) -> tuple[int, tuple[str, ...]]:
    """Check the formula, the blocked one, the proof that this has no model, and the figures.

    Return how many clauses the proof derives, and which programs checked it.

    Raises:
        CertificateError: one of them is wrong.
        FormatError: a file is missing or invalid.
    """
    emit(Progress("checking the formula ..."))
    expected = _expected_clauses(folder, puzzle)
    n_clauses = _count(_check_formula(folder, puzzle, expected).values)
    emit(Progress("checking the blocking clauses ..."))
    blocked = _check_blocked(folder, puzzle, expected, further)
    emit(Progress("checking the proof ..."))
    n_lemmas, by = _check_proof(folder, puzzle, blocked)
    check_figures(folder, {"solutions": len(grids), "clauses": n_clauses, "lemmas": n_lemmas})
    return n_lemmas, by


def _count(clauses: Numbers) -> int:
    return int(np.count_nonzero(clauses == 0))


def checked_formula(folder: Path, puzzle: Puzzle) -> files.Formula:
    """Return the formula of a certificate, if it has the clauses of the puzzle, each once.

    Raises:
        CertificateError: it has other clauses, or lacks some.
        FormatError: the file is missing or invalid.
    """
    return _check_formula(folder, puzzle, _expected_clauses(folder, puzzle))


def check_figures(folder: Path, counted: dict[str, int]) -> None:
    """Compare the figures of the certificate with the files: a proof may still hold when a line of it is lost."""
    for name, stated in files.figures(folder, tuple(counted)).items():
        if stated != counted[name]:
            raise refusal(folder, files.CERTIFICATE, f"it says {stated} {name}, but there are {counted[name]}")


def refusal(folder: Path, name: str, reason: str) -> CertificateError:
    """Return the error for a file that is refused."""
    return CertificateError(f"{folder / name}: {reason}")


def checked_solutions(folder: Path, puzzle: Puzzle, name: str = files.SOLUTIONS) -> Grids:
    """Return the grids of a file of a certificate, each a solution and no two the same.

    Raises:
        CertificateError: one is not a solution, or is there twice.
        FormatError: a line is not a full grid of the board.
    """
    grids = files.solutions(folder, puzzle, name)
    wrong = are_wrong(puzzle, grids)
    if wrong.any():
        number = int(np.argmax(wrong))
        fault = next(violations(puzzle, grids[number]))
        raise refusal(folder, name, f"grid {number + 1} is not a solution: {fault}")
    seen: dict[bytes, int] = {}
    for number, grid in enumerate(grids, start=1):
        if (first := seen.setdefault(grid.tobytes(), number)) != number:
            raise refusal(folder, name, f"grid {number} repeats grid {first}")
    return grids


def check_puzzle(puzzle: Puzzle) -> None:
    """Refuse a puzzle that is too large for a certificate.

    Raises:
        MethodError: its board or its constraints have too many clauses.
    """
    check_board(puzzle.geometry)
    plain.n_variables(puzzle)


def check_board(board: Geometry) -> None:
    """Refuse a board with too many clauses: a certificate of a few letters can name a board of any size.

    Raises:
        MethodError: the board has too many clauses.
    """
    if _pairs_in_cells(board) + board.n_pairs * board.n_values > MAX_CLAUSES:
        raise MethodError(f"{board.name} has more than {MAX_CLAUSES:,} clauses, too many for a certificate")


def _pairs_in_cells(board: Geometry) -> int:
    return board.n_cells * (board.n_values * (board.n_values - 1) // 2)


def _expected_clauses(folder: Path, puzzle: Puzzle) -> dict[int, Numbers]:
    """Return the clauses that the formula must have, each once, by their width, a sorted clause a row."""
    # Refused before the clauses are made: a board with too many, or with more than the file can contain.
    check_board(puzzle.geometry)
    in_cells = _pairs_in_cells(puzzle.geometry)
    # No clause is shorter than `-1 -2 0` with its line break.
    if files.size(folder / files.FORMULA) < 8 * in_cells:
        raise refusal(
            folder, files.FORMULA, f"the puzzle alone has more than {in_cells} clauses, but the file has fewer"
        )
    return plain.each_once(puzzle)


def _compare(rows: files.Rows, expected: Numbers) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Return which clauses of a file, all of one width, are not expected, repeat another, and are missing from it."""
    keys = plain.keys(expected, rows[0])
    expected_keys, found_keys = np.sort(keys[: len(expected)]), keys[len(expected) :]
    order = np.argsort(found_keys, kind="stable")
    in_order = found_keys[order]
    extra, missing = ~_among(in_order, expected_keys), ~_among(expected_keys, in_order)
    repeated = np.zeros(len(found_keys), bool)
    repeated[1:] = in_order[1:] == in_order[:-1]
    return order[extra], order[repeated], np.argsort(keys[: len(expected)])[missing]


def _among(keys: NDArray[np.int64], others: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return which of some ascending numbers are among others, which are ascending too."""
    if not len(others):
        return np.zeros(len(keys), bool)
    nearest = np.minimum(np.searchsorted(others, keys), len(others) - 1)
    return np.asarray(others[nearest] == keys)


def _check_formula(folder: Path, puzzle: Puzzle, expected: dict[int, Numbers]) -> files.Formula:
    """Return the formula, if it has the clauses of the puzzle, each once."""
    formula = files.formula(folder, files.FORMULA, plain.n_variables(puzzle))
    rows_by_width = formula.rows_by_width()
    for width, extra in _extra_clauses(formula, puzzle, rows_by_width, expected).items():
        rows, numbers = rows_by_width[width]
        clause = plain.sentence(puzzle, rows[extra[0]].tolist())
        line = formula.line(int(numbers[extra[0]]))
        raise refusal(folder, files.FORMULA, f"line {line}: {clause} is not a clause of the puzzle")
    return formula


def _extra_clauses(
    formula: files.Formula, puzzle: Puzzle, rows_by_width: dict[int, files.Rows], expected: dict[int, Numbers]
) -> dict[int, NDArray[np.intp]]:
    """Refuse a file that lacks an expected clause or has one twice; return which others it has, by their width."""
    others = {}
    for width in sorted({*rows_by_width, *expected}):
        none = np.empty((0, width), np.int32)
        (rows, numbers), expected_rows = (
            rows_by_width.get(width, (none, np.empty(0, np.intp))),
            expected.get(width, none),
        )
        extra, repeated, missing = _compare((rows, numbers), expected_rows)
        if len(repeated):
            clause = plain.sentence(puzzle, rows[repeated[0]].tolist())
            raise CertificateError(
                f"{formula.path}: line {formula.line(int(numbers[repeated[0]]))}: {clause} appears twice"
            )
        if len(missing):
            first = plain.sentence(puzzle, expected_rows[missing[0]].tolist())
            raise CertificateError(f"{formula.path}: {len(missing)} clauses of the puzzle are missing, such as {first}")
        if len(extra):
            others[width] = extra
    return others


def _check_blocked(folder: Path, puzzle: Puzzle, expected: dict[int, Numbers], further: ExtraClauses) -> files.Formula:
    """Return the blocked formula, if it has the clauses of the puzzle and the further ones."""
    formula = files.formula(folder, files.BLOCKED, plain.n_variables(puzzle))
    rows_by_width = formula.rows_by_width()
    blocking = np.sort(further.clauses, axis=1)
    unblocked = np.arange(len(blocking))
    for width, extra in _extra_clauses(formula, puzzle, rows_by_width, expected).items():
        rows, numbers = rows_by_width[width][0][extra], rows_by_width[width][1][extra]
        expected_rows = blocking if width == blocking.shape[1] else np.empty((0, width), np.int32)
        wrong, _, missing = _compare((rows, numbers), expected_rows)
        if len(wrong):
            clause = plain.sentence(puzzle, rows[wrong[0]].tolist())
            where = f"line {formula.line(int(numbers[wrong[0]]))}"
            raise refusal(folder, files.BLOCKED, f"{where}: {clause} {further.wrong}")
        unblocked = missing
    if len(unblocked):
        raise refusal(folder, files.BLOCKED, further.missing.format(unblocked[0] + 1))
    return formula


def _check_proof(folder: Path, puzzle: Puzzle, blocked: files.Formula) -> tuple[int, tuple[str, ...]]:
    """Have the proof checked; return how many clauses it derives, and which programs checked it."""
    highest = plain.n_variables(puzzle)
    given = [name for name in (files.PROOF, files.DRAT) if (folder / name).exists()]
    if len(given) != 1:
        what = f"both {files.PROOF} and {files.DRAT} exist" if given else f"{files.PROOF} is missing"
        raise FormatError(f"{what}; expected one proof", str(folder))
    try:
        if given == [files.PROOF]:
            return checkers.check(checkers.Refutation(blocked, highest, files.steps(folder)))
        lemmas = files.lemmas(folder, highest)
        proof = hints.find(blocked.values, lemmas, highest, lambda: None)
        _, by = checkers.check(checkers.Refutation(blocked, highest, proof))
        return int(np.count_nonzero(lemmas == 0)), by
    except (ProofError, hints.NotRupError) as reason:
        raise refusal(folder, given[0], str(reason)) from reason
