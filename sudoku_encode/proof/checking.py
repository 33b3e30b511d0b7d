"""Check a certificate that anybody may have made: nothing in the folder is believed."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sudoku_encode.errors import FormatError, MethodError, SudokuError
from sudoku_encode.geometry import Geometry
from sudoku_encode.proof import folder as files
from sudoku_encode.proof.plain import Clause, blocking, clauses, sentence
from sudoku_encode.puzzle import Grids, Puzzle, violations

# A certificate with more clauses, or with more lines in its proof, is not checked: that many take some 6 GB.
MAX_CLAUSES = MAX_STEPS = 4_000_000


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
    lemmas = _proof(folder, puzzle, blocked)
    _figures(folder, {"solutions": len(grids), "clauses": len(formula), "lemmas": lemmas})
    return Checked(puzzle, len(grids), lemmas, ("dratify",), time.perf_counter() - start)


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


def _proof(folder: Path, puzzle: Puzzle, blocked: list[Clause]) -> int:
    """Have the proof checked; return how many clauses it adds."""
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
    text = [f"p cnf {highest} {len(blocked)}", *(" ".join(map(str, [*sorted(c, key=abs), 0])) for c in blocked)]
    try:
        result = dratify.check_proof(dratify.parse_dimacs("\n".join(text) + "\n"), "\n".join(lines) + "\n")
    except ValueError as error:
        raise FormatError(f"dratify cannot read it: {error}", source) from error
    if not result.ok:
        raise _refuse(folder, files.PROOF, f"dratify does not accept it: {str(result).strip('<>')}")
    return lemmas
