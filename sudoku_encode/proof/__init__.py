"""Certificates: "this puzzle has exactly N solutions", with all that is needed to check it without trusting anybody.

The solver works on what naked and hidden singles leave, which is quick and makes short proofs. What it learns there
follows by unit propagation from the whole formula too, so the proof is written in the variables of the whole formula
and is checked against that: the reduction is not trusted, and nothing has to justify it.
"""

import json
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sudoku_encode import __version__, cnf_file, formats
from sudoku_encode.encoders import encode
from sudoku_encode.encoding import Encoding
from sudoku_encode.errors import InternalError, MethodError, SudokuError
from sudoku_encode.formats import bulk
from sudoku_encode.methods import solutions
from sudoku_encode.proof import folder as files
from sudoku_encode.proof import plain
from sudoku_encode.proof.checking import Checked, check, check_board
from sudoku_encode.puzzle import Grids, Puzzle
from sudoku_encode.result import Budget
from sudoku_encode.solvers.sat import IncrementalSolver

__all__ = ["PROVERS", "Certificate", "Checked", "check", "prove"]

# Solvers of PySAT whose proofs an independent checker accepts. Those of maplesat are wrong; others give none.
PROVERS = (
    *("glucose4", "cadical195", "cadical153", "cadical103", "cadical300", "gluecard3", "gluecard4"),
    *("glucose3", "glucose42", "lingeling", "maplechrono", "maplecm"),
)
DEFAULT = PROVERS[0]


def _silent(what: str) -> None:
    pass


@dataclass(frozen=True, eq=False)
class Certificate:
    """What was written.

    Attributes:
        folder: where.
        count: exactly how many solutions there are, according to it.
        lemmas: how many clauses the proof has.
        proof_bytes: how large it is.
        seconds: what listing the solutions and proving the end took together.
    """

    folder: Path
    count: int
    lemmas: int
    proof_bytes: int
    seconds: float


def prove(
    puzzle: Puzzle,
    folder: Path,
    budget: Budget,
    solver: str = DEFAULT,
    watch: Callable[[str], None] = _silent,
) -> Certificate:
    """Find all solutions of a puzzle and write a certificate that these are all. It is not checked yet: see `check`.

    Args:
        puzzle: any.
        folder: where to write; it is made if it is not there, and files of its own names are replaced.
        budget: its deadline holds for listing and for solving; as many solutions as its limit are too many.
        solver: one of PROVERS.
        watch: told what is being done.

    Raises:
        MethodError: the proofs of that solver cannot be trusted, or it gives none; the board is too large.
        Stopped: the deadline came, or there are as many solutions as the limit.
        SudokuError: the folder cannot be written.
        InternalError: a solver lost a solution.
    """
    if solver not in PROVERS:
        raise MethodError(f"no proof that can be trusted comes from {solver!r}; choose from {', '.join(PROVERS)}")
    check_board(puzzle.geometry)
    start = time.perf_counter()
    watch("listing the solutions ...")
    grids = np.concatenate([np.empty((0, puzzle.geometry.n_cells), np.uint8), *solutions(puzzle, "sat", budget)])
    whole, left = encode(puzzle, reduction="none"), encode(puzzle)
    watch(f"proving that there are no more than {len(grids)} ...")
    lemmas = list(_renamed(_lemmas(left, grids, budget, solver), left, whole))
    watch("writing ...")
    _make(folder)
    _write(folder, whole, grids, lemmas, solver)
    size = (folder / files.PROOF).stat().st_size
    return Certificate(folder, len(grids), len(lemmas), size, time.perf_counter() - start)


def _lemmas(left: Encoding, grids: Grids, budget: Budget, solver: str) -> Iterator[list[int]]:
    """Yield what the solver derives, the empty clause last, from what is left and the blocking clauses."""
    if not left.contradiction:
        with IncrementalSolver(left, solver, proof=True) as prover:
            for grid in grids:
                prover.add(left.blocking_clause(grid, left.puzzle.blanks))
            # The givens are clauses, and nothing is assumed: after assumptions some solvers prove what is not so.
            if prover.solve([], budget):
                raise InternalError("a solution is left: the solver that listed the solutions lost one")
            for line in prover.proof():
                if line[:1] != "d":
                    lemma = [int(word) for word in line.split()[:-1]]
                    # Some solvers go on after the end.
                    if not lemma:
                        break
                    yield lemma
    # Some leave it out, as when unit propagation alone refutes.
    yield []


def _renamed(lemmas: Iterator[list[int]], left: Encoding, whole: Encoding) -> Iterator[list[int]]:
    """Write lemmas in the variables of the whole formula."""
    names = np.zeros(left.cnf.n_variables + 1, np.int64)
    own = left.literals[:, :, 0]
    names[own[own > 0]] = whole.literals[:, :, 0][own > 0]
    for lemma in lemmas:
        yield [int(names[literal]) if literal > 0 else -int(names[-literal]) for literal in lemma]


def _make(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        # Nothing of an earlier certificate is left, nor a link to somewhere else.
        for name in files.FILES:
            (folder / name).unlink(missing_ok=True)
    except OSError as error:
        raise SudokuError(f"{folder}: no certificate can be made there: {error.strerror}") from error


def _write(folder: Path, whole: Encoding, grids: Grids, lemmas: list[list[int]], solver: str) -> None:
    """Write all files of a certificate."""
    puzzle, board = whole.puzzle, whole.puzzle.geometry
    form = "line" if board.n_values <= bulk.LETTERS else "csv"
    try:
        text = formats.write(board, puzzle.givens, "json", pencilmarks=puzzle.pencilmarks)
        (folder / files.PUZZLE).write_text(f"{text}\n", encoding="ascii")
        figures = {"solutions": len(grids), "clauses": whole.cnf.n_clauses, "lemmas": len(lemmas)}
        made = {**figures, "program": f"sudoku-encode {__version__}", "solver": solver}
        (folder / files.CERTIFICATE).write_text(f"{json.dumps(made, indent=1)}\n", encoding="ascii")
        lines = [formats.write(board, grid, form) for grid in grids]
        (folder / files.SOLUTIONS).write_text("".join(f"{line}\n" for line in lines), encoding="ascii")
        cnf_file.save(whole, str(folder / files.FORMULA))
        blocking = [plain.blocking(puzzle, grid.tolist()) for grid in grids]
        with (folder / files.BLOCKED).open("w", encoding="ascii") as out:
            out.write(f"p cnf {whole.cnf.n_variables} {whole.cnf.n_clauses + len(blocking)}\n")
            for chunk in whole.cnf.chunks():
                out.writelines(f"{' '.join(map(str, clause))} 0\n" for clause in chunk.tolist())
            out.writelines(f"{' '.join(map(str, [*sorted(clause, key=abs), 0]))}\n" for clause in blocking)
        with (folder / files.PROOF).open("w", encoding="ascii") as out:
            out.writelines(f"{' '.join(map(str, [*lemma, 0]))}\n" for lemma in lemmas)
    except OSError as error:
        raise SudokuError(f"{folder}: cannot be written: {error.strerror or error}") from error
