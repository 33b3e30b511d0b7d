"""Make a certificate.

The solver works on the puzzle that naked and hidden singles leave, which is quick and makes short proofs. Its lemmas
follow by unit propagation from the whole formula too, so the proof is written in the variables of the whole formula and
checked against that: the reduction is not trusted, and need not be proved. If constraints have auxiliary variables, the
solver works on the whole formula: see `left_of`.
"""

import json
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sudoku_encode import __version__
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.errors import InternalError, MethodError, SudokuError, short
from sudoku_encode.formats import bulk
from sudoku_encode.formats.text import implementation
from sudoku_encode.formats.writing import write
from sudoku_encode.formula import dimacs
from sudoku_encode.formula.cnf import Cnf, Group
from sudoku_encode.methods.calls import solutions
from sudoku_encode.proving import folder as files
from sudoku_encode.proving import hints, numbers, plain, veripb
from sudoku_encode.proving.checking import check_puzzle
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver
from sudoku_encode.solvers.table import DEFAULT_PROVER, PROVERS
from sudoku_encode.storage import outputs


@dataclass(frozen=True, eq=False, repr=False)
class Certificate:
    """A certificate that was written.

    Attributes:
        folder: of its files.
        count: exactly how many solutions there are, according to it.
        lemmas: how many clauses the proof derives.
        proof_bytes: the size of the proof.
        seconds: how long it took to list the solutions and to prove that there are no more, or to count them.
        n_states: of a count without a list, how many states a recount passes; otherwise None.

    >>> import tempfile
    >>> from sudoku_encode import prove
    >>> prove("1...............", tempfile.mkdtemp(), board="4x4").count
    72
    """

    folder: Path
    count: int
    lemmas: int
    proof_bytes: int
    seconds: float
    n_states: int | None = None

    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return the folder and the counts on one short line."""
        size = f"{self.n_states} states" if self.n_states is not None else f"{self.lemmas} lemmas"
        return f"Certificate({short(str(self.folder), 30)!r}, {self.count} solutions, {size})"


def prove(
    puzzle: Puzzle,
    folder: Path,
    deadline: Deadline,
    solver: str = DEFAULT_PROVER,
    *,
    to_veripb: bool = False,
) -> Certificate:
    """Find all solutions of a puzzle and write a certificate that these are all. It is not checked yet: see `check`.

    A puzzle with values from 0 is certified with values from 1. The folder is made if it does not exist, and files of a
    certificate in it are replaced. The deadline is for listing, for solving and for the hints; as many solutions as its
    limit are too many. With `to_veripb` the folder also gets the files for VeriPB.

    Raises:
        MethodError: the solver makes no proofs that can be trusted; the board is too large.
        StoppedError: the deadline came, or there are as many solutions as the limit.
        SudokuError: the folder cannot be written.
        InternalError: a solver lost a solution, or its proof is invalid.
    """
    if solver not in PROVERS:
        raise MethodError(f"the proofs of {solver!r} cannot be trusted; choose from {', '.join(PROVERS)}")
    puzzle = puzzle.from_one
    check_puzzle(puzzle)
    start = time.perf_counter()
    emit(Progress("listing the solutions ..."))
    grids = np.concatenate([np.empty((0, puzzle.geometry.n_cells), np.uint8), *solutions(puzzle, "sat", deadline)])
    whole, reduced = formulas(puzzle)
    emit(Progress(f"proving that there are no more than {len(grids)} ..."))
    clauses = [reduced.blocking_clause(grid, puzzle.blanks) for grid in grids]
    proof = refuted(whole, reduced, clauses, plain.blocking(puzzle, grids), deadline, solver)
    emit(Progress("writing ..."))
    write_folder(folder, whole, grids, proof, solver)
    if to_veripb:
        veripb.write(folder, whole)
    size = (folder / files.PROOF).stat().st_size
    return Certificate(folder, len(grids), proof.n_lemmas, size, time.perf_counter() - start)


@dataclass(frozen=True, eq=False)
class Proof:
    """A formula with further clauses, and a proof that it has no model."""

    blocked: bytes  # the file of the formula
    steps: Numbers  # int32: the proof with hints

    @property
    def n_lemmas(self) -> int:
        """How many clauses it derives; each has two zeros."""
        return int(np.count_nonzero(self.steps == 0)) // 2


def refuted(
    whole: Encoding, reduced: Encoding, clauses: list[list[int]], further: Numbers, deadline: Deadline, solver: str
) -> Proof:
    """Return a proof that an encoding with further clauses has no model.

    The clauses are in the variables of `reduced`, the encoding after singles, without literals that are false there;
    the same clauses are `further` in the variables of `whole`, a clause a row.

    Raises:
        InternalError: there is a model, or the solver's proof is invalid.
    """
    derived = renamed(lemmas(reduced, clauses, deadline, solver), reduced, whole)
    emit(Progress("finding hints for the proof ..."))
    blocked = _blocked(whole, further)
    return Proof(blocked, _with_hints(blocked, derived, whole.cnf.n_variables, deadline, solver))


def lemmas(reduced: Encoding, clauses: list[list[int]], deadline: Deadline, solver: str) -> Numbers:
    """Return the lemmas that the solver derives from an encoding and further clauses; a 0 ends each lemma."""
    if reduced.contradiction or not all(clauses):
        # Unit propagation shows it.
        return np.empty(0, np.int32)
    with IncrementalSolver(reduced, solver, proof=True) as prover:
        for clause in clauses:
            prover.add(clause)
        # The givens are clauses, not assumptions: after assumptions some solvers give wrong proofs.
        if prover.solve([], deadline):
            raise InternalError("a solution is left: the solver that listed solutions lost one")
        try:
            return np.array(
                [int(word) for line in prover.proof() if line[:1] != "d" for word in line.split()], np.int32
            )
        except (ValueError, OverflowError) as error:
            raise InternalError(f"{solver} produced an invalid proof: {error}") from error


def renamed(derived: Numbers, reduced: Encoding, whole: Encoding) -> Numbers:
    """Write lemmas in the variables of the whole formula."""
    if reduced is whole:
        return derived
    names = np.zeros(reduced.cnf.n_variables + 1, np.int32)
    own = reduced.literals[:, :, 0]
    names[own[own > 0]] = whole.literals[:, :, 0][own > 0]
    if np.abs(derived).max(initial=0) >= len(names):
        raise InternalError("the solver's proof uses a variable that the formula does not have")
    return np.sign(derived) * names[np.abs(derived)]


def _blocked(whole: Encoding, further: Numbers) -> bytes:
    """Return the file of the formula and further clauses."""
    text = bytearray()
    dimacs.write(Cnf.of(whole.cnf.n_variables, [*whole.cnf.groups, Group.of("blocking", further)]), text.extend)
    return bytes(text)


def _with_hints(blocked: bytes, derived: Numbers, n_variables: int, deadline: Deadline, solver: str) -> Numbers:
    """Return the proof that a CNF has no model: see `hints`. It names clauses by their place in the file."""
    formula = numbers.read(blocked, files.BLOCKED, numbers.header(blocked, files.BLOCKED)[2])
    try:
        return hints.find(formula, derived, n_variables, deadline)
    except hints.NotRupError as error:
        raise InternalError(f"{solver} produced an invalid proof: {error}") from error


def prepare_folder(folder: Path) -> None:
    """Make a folder, and remove the files of an earlier certificate.

    Raises:
        SudokuError: it cannot be made, or they cannot be removed.
    """
    outputs.make_folder(folder)
    try:
        # No file of an earlier certificate may remain, or be a link through which another file would be written.
        for path in [*(folder / name for name in files.WRITTEN), *files.leaf_files(folder)]:
            path.unlink(missing_ok=True)
    except OSError as error:
        raise SudokuError(f"{folder}: cannot write a certificate there: {error.strerror}") from error


def write_folder(folder: Path, whole: Encoding, grids: Grids, proof: Proof, solver: str) -> None:
    """Write all files of a certificate, in the place of those of another one.

    Raises:
        SudokuError: they cannot be written.
    """
    prepare_folder(folder)
    puzzle = whole.puzzle.on_grid
    figures = {"solutions": len(grids), "clauses": whole.cnf.n_clauses, "lemmas": proof.n_lemmas}
    certificate = {**figures, "program": f"sudoku-encode {__version__}", "solver": solver}
    try:
        (folder / files.PUZZLE).write_text(puzzle_text(puzzle), encoding="ascii")
        (folder / files.CERTIFICATE).write_text(f"{json.dumps(certificate, indent=1)}\n", encoding="ascii")
        (folder / files.SOLUTIONS).write_bytes(solutions_text(puzzle.geometry, grids))
        whole.save(folder / files.FORMULA)
        (folder / files.BLOCKED).write_bytes(proof.blocked)
        with (folder / files.PROOF).open("w", encoding="ascii") as file:
            file.writelines(proof_lines(proof.steps))
    except OSError as error:
        raise outputs.unwritable(folder, error) from error


def puzzle_text(puzzle: Puzzle) -> str:
    """Return the file of a puzzle."""
    return f"{implementation('json').write(replace(puzzle, name=''))}\n"


def solutions_text(board: Geometry, grids: Grids) -> bytes:
    """Return the file of some solutions, one a line."""
    if board.n_values <= bulk.LETTERS:
        return bytes(bulk.lines(board, grids))
    return "".join(f"{write(board, grid, 'csv')}\n" for grid in grids).encode("ascii")


def proof_lines(proof: Numbers) -> Iterator[str]:
    """Yield the steps of a proof, a line each."""
    ends = np.flatnonzero(proof == 0)[1::2].tolist()
    start = 0
    for end in ends:
        yield " ".join(map(str, proof[start : end + 1].tolist())) + "\n"
        start = end + 1


# The formula of a certificate, and the one that a solver refutes.


def formulas(puzzle: Puzzle) -> tuple[Encoding, Encoding]:
    """Return the formula of a certificate, and the one that a solver refutes; see `whole_of` and `left_of`."""
    whole = whole_of(puzzle)
    return whole, left_of(puzzle, whole)


def whole_of(puzzle: Puzzle) -> Encoding:
    """Return the formula of a certificate: the extended encoding without a reduction.

    With constraints it is the plain one: how encoders write constraints may change, and a certificate may not. That
    the solutions were listed by an encoder, and that no other is left by the plain clauses, is then shown by two codes.
    """
    if not puzzle.constraints:
        return encode(puzzle, reduction="none")
    board = puzzle.extended.geometry
    groups = [Group.of("plain", rows) for rows in plain.each_once(puzzle).values()]
    x = np.arange(1, board.n_cells * board.n_values + 1, dtype=np.int32).reshape(board.n_cells, board.n_values, 1)
    everything = np.ones(x.shape[:2], bool)
    return Encoding(puzzle.extended, "extended", "direct", Cnf.of(plain.n_variables(puzzle), groups), everything, x)


def left_of(puzzle: Puzzle, whole: Encoding) -> Encoding:
    """Return the encoding of a puzzle, or of a cube of one, after singles, if it uses only variables of the whole.

    With auxiliary variables of constraints it does not: then return the whole formula itself, without the literals that
    a cube adds to its puzzle.
    """
    reduced = encode(puzzle)
    return whole if reduced.n_auxiliary else reduced
