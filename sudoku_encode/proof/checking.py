"""Check a certificate that anybody may have made: nothing in the folder is believed."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

from sudoku_encode.errors import FormatError, MethodError, SudokuError
from sudoku_encode.geometry import Geometry
from sudoku_encode.proof import folder as files
from sudoku_encode.proof.core import core
from sudoku_encode.proof.plain import Clause, blocking, clauses, sentence
from sudoku_encode.puzzle import Grids, Puzzle, violations

# A certificate with more clauses, or with more lines in its proof, is not checked: that many take some 6 GB.
MAX_CLAUSES = MAX_STEPS = 4_000_000
# So many clauses times lemmas take the checker in Python some seconds.
_QUICK = 2 * 10**7


class Refused(SudokuError):
    """The certificate does not prove what it says; the message names the file and says why."""


@dataclass(frozen=True, eq=False)
class Checked:
    """What a certificate proves.

    Attributes:
        puzzle: the puzzle.
        count: it has exactly so many solutions.
        lemmas: how many clauses the proof has.
        checkers: who accepted the proof.
        seconds: what the check took.
    """

    puzzle: Puzzle
    count: int
    lemmas: int
    checkers: tuple[str, ...]
    seconds: float


def check(folder: Path, watch: Callable[[str], None] = lambda what: None) -> Checked:
    """Check a certificate from its puzzle to its proof.

    Every grid must be a solution, the CNF must encode the puzzle, each solution and nothing else must be blocked, and
    the proof must show that nothing is left.

    Args:
        folder: see `folder`.
        watch: told what is being checked.

    Raises:
        Refused: it proves nothing.
        FormatError: a file is missing, or not what it should be.
    """
    start = time.perf_counter()
    puzzle = files.puzzle(folder)
    watch("checking the solutions ...")
    grids = _solutions(folder, puzzle)
    watch("checking the formula ...")
    formula = _formula(folder, puzzle)
    watch("checking the blocking clauses ...")
    blocked = _blocked(folder, puzzle, grids, formula)
    watch("checking the proof ...")
    lemmas, checkers = _proof(folder, puzzle, blocked)
    _figures(folder, {"solutions": len(grids), "clauses": len(formula), "lemmas": lemmas})
    return Checked(puzzle, len(grids), lemmas, checkers, time.perf_counter() - start)


def _figures(folder: Path, found: dict[str, int]) -> None:
    """Compare what was found with what the certificate says: a proof may still hold when a line of it is lost."""
    for name, said in files.figures(folder).items():
        if said != found[name]:
            raise _refuse(folder, files.CERTIFICATE, f"it says {said} {name}, and {found[name]} are there")


def _refuse(folder: Path, name: str, reason: str) -> Refused:
    return Refused(f"{folder / name}: {reason}")


def _solutions(folder: Path, puzzle: Puzzle) -> list[Grids]:
    grids = files.solutions(folder, puzzle)
    seen: dict[bytes, int] = {}
    for number, grid in enumerate(grids, start=1):
        if (fault := next(violations(puzzle, grid), None)) is not None:
            raise _refuse(folder, files.SOLUTIONS, f"grid {number} is no solution: {fault}")
        if (first := seen.setdefault(grid.tobytes(), number)) != number:
            raise _refuse(folder, files.SOLUTIONS, f"grid {number} is grid {first} again")
    return grids


def _formula(folder: Path, puzzle: Puzzle) -> set[Clause]:
    """Return the clauses of the formula, if they are those of the puzzle."""
    _check_size(folder, puzzle)
    wanted, found = set(clauses(puzzle)), set()
    for line, clause in files.clauses(folder, files.FORMULA):
        if clause not in wanted:
            what = f"line {line}: the puzzle does not say {sentence(puzzle, clause)}"
            raise _refuse(folder, files.FORMULA, what)
        if clause in found:
            raise _refuse(folder, files.FORMULA, f"line {line}: {sentence(puzzle, clause)} is there twice")
        found.add(clause)
    if missing := wanted - found:
        first = sentence(puzzle, min(missing, key=lambda clause: (len(clause), sorted(map(abs, clause)))))
        raise _refuse(folder, files.FORMULA, f"{len(missing)} clauses of the puzzle are missing, such as {first}")
    return found


def check_board(board: Geometry) -> None:
    """Refuse a board, which may be named in a few letters, if it has too many clauses.

    Raises:
        MethodError: it has.
    """
    if _pairs_in_cells(board) + board.n_pairs * board.n_values > MAX_CLAUSES:
        raise MethodError(f"{board.name} has more than {MAX_CLAUSES:,} clauses, too many for a certificate")


def _pairs_in_cells(board: Geometry) -> int:
    return board.n_cells * (board.n_values * (board.n_values - 1) // 2)


def _check_size(folder: Path, puzzle: Puzzle) -> None:
    """Refuse a board whose clauses are too many, or more than the formula can hold, before they are made."""
    check_board(puzzle.geometry)
    in_cells = _pairs_in_cells(puzzle.geometry)
    # None is shorter than `-1 -2 0` and the end of its line.
    if files.size(folder, files.FORMULA) < 8 * in_cells:
        raise _refuse(folder, files.FORMULA, f"the puzzle alone has more than {in_cells} clauses, and fewer are here")


def _blocked(folder: Path, puzzle: Puzzle, grids: list[Grids], formula: set[Clause]) -> list[Clause]:
    """Return the clauses of the blocked formula, if they are the formula's and one for each solution."""
    left = {blocking(puzzle, grid.tolist()): number for number, grid in enumerate(grids, start=1)}
    missing, found = set(formula), []
    for line, clause in files.clauses(folder, files.BLOCKED):
        if clause in left:
            del left[clause]
        elif clause in missing:
            missing.remove(clause)
        else:
            again = "is there twice" if clause in formula else "blocks what is no listed solution"
            raise _refuse(folder, files.BLOCKED, f"line {line}: {sentence(puzzle, clause)} {again}")
        found.append(clause)
    if missing:
        raise _refuse(folder, files.BLOCKED, f"{len(missing)} clauses of {files.FORMULA} are missing")
    if left:
        raise _refuse(folder, files.BLOCKED, f"solution {min(left.values())} is not blocked")
    return found


def _proof(folder: Path, puzzle: Puzzle, blocked: list[Clause]) -> tuple[int, tuple[str, ...]]:
    """Have the proof checked; return how many clauses it adds, and who checked it."""
    import dratify

    source = str(folder / files.PROOF)
    highest = puzzle.geometry.n_cells * puzzle.geometry.n_values
    lines: list[str] = []
    lemmas = 0
    for line, words in files.lines(folder, files.PROOF):
        if len(lines) == MAX_STEPS:
            raise FormatError(f"more than {MAX_STEPS:,} lines, too many to be checked", source, line)
        deleted = words[0] == "d"
        clause = files.literals(words[1:] if deleted else words, source, line, highest)
        lemmas += not deleted
        lines.append(" ".join([*(["d"] if deleted else []), *map(str, sorted(clause, key=abs)), "0"]))
    if "0" not in lines:
        raise _refuse(folder, files.PROOF, "it does not end in the empty clause")
    # Where the proof takes clauses back, propagation may be taken back too, and then all may be needed.
    needed = blocked if lemmas < len(lines) else core(blocked)
    text = [f"p cnf {highest} {len(needed)}", *(" ".join(map(str, [*sorted(c, key=abs), 0])) for c in needed)]
    engines = _engines(len(needed) * lemmas)
    for name, engine in engines.items():
        try:
            formula, proof = dratify.parse_dimacs("\n".join(text) + "\n"), "\n".join(lines) + "\n"
            result = dratify.check_proof(formula, proof, engine=engine)
        except ValueError as error:
            raise FormatError(f"{name} cannot read it: {error}", source) from error
        if not result.ok:
            raise _refuse(folder, files.PROOF, f"{name} does not accept it: {str(result).strip('<>')}")
    return lemmas, tuple(engines)


def _engines(work: int) -> dict[str, str]:
    """Return the checkers to ask, as dratify calls them: its two implementations, the slow one where that is quick."""
    with suppress(ImportError):
        # Makes its own checker known to dratify.
        import_module("cdclkit")
        native = {"dratify in Rust": "native"}
        return {**native, "dratify": "python"} if work < _QUICK else native
    return {"dratify": "python"}
