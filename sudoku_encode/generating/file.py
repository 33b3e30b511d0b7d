"""A file of random puzzles that a later run can resume; and ladders, files of puzzles of growing hardness."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import version
from typing import Any, NamedTuple

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import InternalError
from sudoku_encode.formats.bulk import LETTERS
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formats.writing import write, write_all
from sudoku_encode.generating import grids
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.generating.request import Request
from sudoku_encode.generating.table import FAMILIES
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver
from sudoku_encode.storage.journal import Results

# A file names its board, by name and rules, unless it is this one.
_DEFAULT_BOARD = ("9x9", ("row", "column", "box"))


class PuzzleFile:
    """Writes puzzles to a file, a line each if the format allows, after those of an earlier run."""

    def __init__(self, journal: Results, request: Request, to: str | None, as_json: bool, before: int = 0) -> None:
        """Read the puzzles of an earlier run; `before` puzzles are in another file."""
        board = request.board
        self.journal, self.request, self.to, self.as_json = journal, request, to, as_json
        self.command = request.command(["--json"] if as_json else ["--to", to or "line"])
        # Whether each puzzle, or the comment that it was missed, is one line after the header.
        text_format = TEXT_FORMATS[to or "line"]
        self.in_lines = as_json or (text_format.is_one_line and not request.has_constraints)
        header = [f"# {self.command}", *_about_all(request)] if self.in_lines and not as_json else []
        if not (as_json or text_format.is_document or (board.name, board.rule_names) == _DEFAULT_BOARD):
            header += [f"# board: {board.name}", f"# rules: {','.join(board.rule_names)}"]
        lines = [line.decode(errors="replace") for line in journal.lines]
        for number, (line, ours) in enumerate(zip(lines, header, strict=False), start=1):
            if line != ours:
                raise journal.fault(number, f"this run begins differently: {ours}")
        self.header, self.lines = header, lines[len(header) :]
        self.before, self.done = before, before + len(self.lines)
        # The first puzzle to generate is the last one of the earlier run, to compare it.
        self.first = max(before + 1, self.done)
        self.status = 3 if any(self._is_missed(number) for number in range(before + 1, self.done + 1)) else 0
        self.unwritten = header[len(lines) :]

    def _is_missed(self, number: int) -> bool:
        """Check whether a line of the file is for a puzzle that was not reached."""
        line = self.lines[number - self.before - 1]
        if not self.as_json:
            return line.startswith("#")
        try:
            record = json.loads(line)
            fits = (record["puzzle"], record["command"]) == (number, self.command)
            missed = not record["reached"]
        except (ValueError, TypeError, KeyError, RecursionError):
            fits = False
        if not fits:
            where = number - self.before
            raise self.journal.fault(where, f"this is not puzzle {number} of: {self.command}")
        return missed

    def put(self, number: int, generated: GeneratedPuzzle | None) -> None:
        """Write a puzzle, or a comment in its place; if the file contains it already, compare it.

        Raises:
            SudokuError: the file contains another puzzle there.
            StoppedError: the disk is full.
        """
        for line in self.unwritten:
            self.journal.put(line)
        self.unwritten = []
        text = self._text(number, generated)
        place = number - self.before
        if place > len(self.lines):
            if text:
                self.journal.put(text)
        elif text != self.lines[place - 1]:
            raise self.journal.fault(
                len(self.header) + place, "this run makes a different puzzle here; are all options the same?"
            )

    def _text(self, number: int, generated: GeneratedPuzzle | None) -> str:
        if self.as_json:
            return json.dumps(self.request.record(number, generated) | {"command": self.command})
        if generated is None or not generated.reached:
            return "" if TEXT_FORMATS[self.to or "line"].is_document else f"# {self.request.missed(number, generated)}"
        form = self.to or one_line_form(self.request.board)
        if generated.puzzle.constraints:
            return "".join(write_all([generated.puzzle], form)).rstrip("\n")
        return write(self.request.board, generated.puzzle.givens, form)

    @property
    def advice(self) -> str:
        """How to resume the run, if that is possible; else an empty string."""
        return self.journal.advice(resumable=self.in_lines)

    def stop(self, number: int, reason: str) -> None:
        """Write nothing: a resumed run may reach the puzzle."""

    def finish(self) -> None:
        """Give the file its final name."""
        self.journal.finish()


def _about_all(request: Request) -> list[str]:
    """Return the comments about all instances of a family in a file, as `about` for one of them."""
    family = request.options.family
    if family is None:
        return []
    # Of neighbours without a solution, each has a proof of its own.
    evidence = request.evidence(f"naked and hidden singles, or by {grids.SOLVER}")
    return [f"# status: {FAMILIES[family].status}", f"# evidence: {evidence}"]


def one_line_form(board: Geometry) -> str:
    """Return the format in which a puzzle is a line of text."""
    return "line" if board.n_values <= LETTERS else "csv"


def seed_of(journal: Results, earlier: Sequence[str] = ()) -> int | None:
    """Return the seed in the first line of a file, or of the earlier lines of another file; None without one."""
    lines = [*(line.encode() for line in earlier[:1]), *journal.lines[:1]]
    match = re.search(rb" --seed (\d{1,10}) ", lines[0]) if lines else None
    if match and int(match[1]) >= 1 << 32:
        raise journal.fault(1, f"not a seed: {int(match[1])} (at most {(1 << 32) - 1})")
    return int(match[1]) if match else None


# Folders of CNFs: all puzzles, or ladders: puzzles of growing hardness, chosen among many.

# Hardness is the number of propagations of this plain solver, which does not depend on time.
SOLVER = "minisat22"
# The CNFs are not simplified.
REDUCTION = "none"
# How many puzzles are generated for each rung; with fewer, some rungs are hardly harder than the ones before.
PUZZLES_PER_RUNG = 8


# A solver gets this many conflicts for an instance of a family, and lists at most this many solutions.
_MEASURED_CONFLICTS, _LISTED_SOLUTIONS = 10_000, 100
# A CNF with more clauses is not measured: PySAT would need gigabytes.
_MEASURED_CLAUSES = 5_000_000


class Work(NamedTuple):
    """The work and the answer of a solver on an instance of a family."""

    figures: dict[str, Any]  # until its answer or the limit: the fields of `SolverFigures` without seconds
    answer: bool | None  # whether there is a solution; None if the limit came first
    solutions: int  # how many it listed
    complete: bool  # whether there are no more

    @property
    def fields(self) -> dict[str, Any]:
        """The answer and the work for the manifest; seconds would differ from run to run."""
        return {"answered": self.answer is not None, "work": self.figures}


def measured(puzzle: Puzzle) -> Work | None:
    """Return the work of minisat on the CNF of a puzzle within a number of conflicts; None if the CNF is too large."""
    encoding = encode(puzzle, reduction=REDUCTION)
    if encoding.cnf.n_clauses > _MEASURED_CLAUSES:
        return None
    with IncrementalSolver(encoding, SOLVER) as solver:
        answer = more = solver.decided([], _MEASURED_CONFLICTS)
        figures = {name: value for name, value in solver.figures().fields.items() if name != "solver_seconds"}
        solutions = 0
        while more:
            solutions += 1
            grid = encoding.decode_all(solver.model()[None])[0]
            solver.add(encoding.blocking_clause(grid, puzzle.blanks))
            remaining = _MEASURED_CONFLICTS - solver.conflicts
            more = solver.decided([], remaining) if remaining > 0 and solutions < _LISTED_SOLUTIONS else None
    return Work(figures, answer, solutions, more is False)


class Rung(NamedTuple):
    """A puzzle of a folder of CNFs."""

    number: int  # of the puzzle among the generated ones
    puzzle: Puzzle
    propagations: int | None  # its hardness; see `propagations`; None if it was not measured
    work: Work | None = None  # on an instance of a family


def rungs(puzzles: Iterable[tuple[int, Puzzle]], family: str | None) -> Iterator[Rung]:
    """Yield each puzzle with its hardness; for a family it is measured until the first answer, within a limit."""
    for number, puzzle in puzzles:
        if family is None:
            yield Rung(number, puzzle, propagations(puzzle))
            continue
        work = measured(puzzle)
        if work and work.answer is (FAMILIES[family].status != "SATISFIABLE"):
            raise InternalError(f"{SOLVER} contradicts the family {family} on puzzle {number}")
        yield Rung(number, puzzle, work and work.figures["propagations"], work)


def propagations(puzzle: Puzzle) -> int:
    """Return how many literals minisat propagates in the puzzle's CNF until it has found all solutions.

    The CNF contains the givens as clauses, so that no file of a ladder is empty, and the solver has to find singles.
    """
    with IncrementalSolver(encode(puzzle, reduction=REDUCTION), SOLVER) as solver:
        for _ in solver.solutions(Deadline()):
            pass
        return solver.propagations


def ladder(puzzles: Iterable[tuple[int, Puzzle]], n: int, family: str | None = None) -> list[Rung]:
    """Return n of the puzzles, each harder than the one before: the easiest, the hardest, and those at even steps.

    There are more than n puzzles; fewer are returned if fewer differ in hardness.
    """
    by_hardness: dict[int, Rung] = {}
    for rung in rungs(puzzles, family):
        # The first of several equally hard puzzles is taken.
        by_hardness.setdefault(rung.propagations or 0, rung)
    sorted_rungs = [by_hardness[hardness] for hardness in sorted(by_hardness)]
    if len(sorted_rungs) <= n:
        return sorted_rungs
    return [sorted_rungs[round(step * (len(sorted_rungs) - 1) / max(1, n - 1))] for step in range(n)]


def solution_fields(request: Request, rung: Rung, evidence: str) -> dict[str, Any]:
    """Return the status of a puzzle in a folder, its number of solutions, and how these are known.

    The number is None if it is not known. `evidence` is `Request.evidence` of the puzzle.
    """
    family = request.options.family
    status = FAMILIES[family].status if family else "SATISFIABLE"
    solutions: int | None = request.options.solutions if family is None else None
    if status != "SATISFIABLE":
        solutions = 0
    elif rung.work and rung.work.complete:
        solutions, evidence = rung.work.solutions, f"{evidence}; all solutions were listed by {SOLVER}"
    return {"expected": status, "solutions": solutions, "evidence": evidence}


def about(request: Request, rung: Rung, fields: dict[str, Any]) -> tuple[str, ...]:
    """Return the comments on a puzzle in a folder, for its text and its CNF.

    Args:
        request: what was requested.
        rung: the puzzle.
        fields: those of `solution_fields`, and perhaps which givens clash.

    Returns:
        Lines of a key and a text: what it is, the command that makes it, its status, and why that is known.
    """
    board, family = request.board, request.options.family
    clash = fields.get("clash", ())
    needed = "no smaller set clashes" if fields.get("clash_is_smallest") else "each of them is needed"
    least = rung.work.solutions if rung.work else 0
    number = fields["solutions"] if fields["solutions"] is not None else f"at least {max(1, least)}"
    what = f"{family}: {FAMILIES[family].summary}" if family else "puzzle: random givens that leave the solutions"
    return (
        f"instance {what}; {len(rung.puzzle.blanks)} of {board.n_cells} cells are blank",
        f"command {request.command(['--to', one_line_form(board), '--many', f'{rung.number}'])}",
        f"puzzle {rung.number}, the last of this command",
        f"status {fields['expected']}",
        f"solutions {number}",
        *([f"clash {len(clash)} givens alone leave no solution, {needed}: {', '.join(clash)}"] if clash else []),
        f"evidence {fields['evidence']}",
        f"versions {', '.join(f'{name} {version(name)}' for name in ('numpy', 'python-sat'))}",
    )


def as_comments(lines: Iterable[str]) -> Iterator[str]:
    """Yield lines of `about` as comments of a text, which `encode` keeps.

    >>> list(as_comments(["status SATISFIABLE"]))
    ['# status: SATISFIABLE']
    """
    for line in lines:
        key, _, text = line.partition(" ")
        yield f"# {key}: {text}"
