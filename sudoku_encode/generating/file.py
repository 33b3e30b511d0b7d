"""A file of random puzzles that a later run can resume; and ladders, files of puzzles of growing hardness."""

import json
import re
from collections.abc import Iterable
from typing import NamedTuple

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.formats.bulk import LETTERS
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formats.writing import write, write_all
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.generating.request import Request
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver
from sudoku_encode.storage.journal import Results

# A file names its board, by name and rules, unless it is this one.
_DEFAULT_BOARD = ("9x9", ("row", "column", "box"))


class PuzzleFile:
    """Writes puzzles to a file, a line each if the format allows, after those of an earlier run."""

    def __init__(self, journal: Results, request: Request, to: str | None, as_json: bool) -> None:
        board = request.board
        self.journal, self.request, self.to, self.as_json = journal, request, to, as_json
        self.command = request.command(["--json"] if as_json else ["--to", to or "line"])
        # Whether each puzzle, or the comment that it was missed, is one line after the header.
        text_format = TEXT_FORMATS[to or "line"]
        self.in_lines = as_json or (text_format.is_one_line and not request.has_constraints)
        header = [f"# {self.command}"] if self.in_lines and not as_json else []
        if not (as_json or text_format.is_document or (board.name, board.rule_names) == _DEFAULT_BOARD):
            header += [f"# board: {board.name}", f"# rules: {','.join(board.rule_names)}"]
        lines = [line.decode(errors="replace") for line in journal.lines]
        for number, (line, ours) in enumerate(zip(lines, header, strict=False), start=1):
            if line != ours:
                raise journal.fault(number, f"this run begins differently: {ours}")
        self.header, self.lines = header, lines[len(header) :]
        # The first puzzle to generate is the last one of the earlier run, to compare it.
        self.done, self.first = len(self.lines), max(1, len(self.lines))
        self.status = 3 if any(self._is_missed(number) for number in range(1, len(self.lines) + 1)) else 0
        self.unwritten = header[len(lines) :]

    def _is_missed(self, number: int) -> bool:
        """Check whether a line of the file is for a puzzle that was not reached."""
        line = self.lines[number - 1]
        if not self.as_json:
            return line.startswith("#")
        try:
            record = json.loads(line)
            fits = (record["puzzle"], record["command"]) == (number, self.command)
            missed = not record["reached"]
        except (ValueError, TypeError, KeyError, RecursionError):
            fits = False
        if not fits:
            raise self.journal.fault(number, f"this is not puzzle {number} of: {self.command}")
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
        if number > len(self.lines):
            if text:
                self.journal.put(text)
        elif text != self.lines[number - 1]:
            raise self.journal.fault(
                len(self.header) + number, "this run makes a different puzzle here; are all options the same?"
            )

    def _text(self, number: int, generated: GeneratedPuzzle | None) -> str:
        if self.as_json:
            return json.dumps(self.request.record(number, generated) | {"command": self.command})
        if generated is None or not generated.reached:
            return "" if TEXT_FORMATS[self.to or "line"].is_document else f"# {self.request.missed(number, generated)}"
        form = self.to or ("line" if self.request.board.n_values <= LETTERS else "csv")
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


def seed_of(journal: Results) -> int | None:
    """Return the seed in the first line of a file, or None."""
    match = re.search(rb" --seed (\d{1,10}) ", journal.lines[0]) if journal.lines else None
    if match and int(match[1]) >= 1 << 32:
        raise journal.fault(1, f"not a seed: {int(match[1])} (at most {(1 << 32) - 1})")
    return int(match[1]) if match else None


# Ladders: puzzles of growing hardness, chosen among many, for benchmarks of SAT solvers.

# Hardness is the number of propagations of this plain solver, which does not depend on time.
SOLVER = "minisat22"
# The CNFs are not simplified.
REDUCTION = "none"
# How many puzzles are generated for each rung; with fewer, some rungs are hardly harder than the ones before.
PUZZLES_PER_RUNG = 8


class Rung(NamedTuple):
    """A puzzle of a ladder."""

    number: int  # of the puzzle among the generated ones
    puzzle: Puzzle
    propagations: int  # its hardness; see `propagations`


def propagations(puzzle: Puzzle) -> int:
    """Return how many literals minisat propagates in the puzzle's CNF until it has found all solutions.

    The CNF contains the givens as clauses, so that no file of a ladder is empty, and the solver has to find singles.
    """
    with IncrementalSolver(encode(puzzle, reduction=REDUCTION), SOLVER) as solver:
        for _ in solver.solutions(Deadline()):
            pass
        return solver.propagations


def ladder(puzzles: Iterable[tuple[int, Puzzle]], n: int) -> list[Rung]:
    """Return n of the puzzles, each harder than the one before: the easiest, the hardest, and those at even steps.

    There are more than n puzzles; fewer are returned if fewer differ in hardness.
    """
    by_hardness: dict[int, Rung] = {}
    for number, puzzle in puzzles:
        hardness = propagations(puzzle)
        # The first of several equally hard puzzles is taken.
        by_hardness.setdefault(hardness, Rung(number, puzzle, hardness))
    rungs = [by_hardness[hardness] for hardness in sorted(by_hardness)]
    if len(rungs) <= n:
        return rungs
    return [rungs[round(step * (len(rungs) - 1) / max(1, n - 1))] for step in range(n)]
