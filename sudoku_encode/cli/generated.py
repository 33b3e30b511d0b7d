"""Random puzzles as they are written: to standard output, or to a file that a later run can go on with."""

import json
import re
import shlex
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sudoku_encode.cli.printing import Printer
from sudoku_encode.formats.table import TEXT_FORMATS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.generating import Made, Wanted
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids
    from sudoku_encode.storage.journal import Results


@dataclass(frozen=True, eq=False)
class Request:
    """What is to be made, as `generate.puzzles` takes it."""

    board: "Geometry"
    wanted: "Wanted"
    seed: int
    attempts: int
    method: str
    timeout: float | None
    grid: "Grids | None"

    def command(self, form: list[str]) -> str:
        """Return a command that makes the same puzzles, however many, in a form that an option says."""
        wanted = self.wanted
        words = ["sudoku-encode", "generate", "--board", self.board.name, "--rules", ",".join(self.board.rule_names)]
        words += [] if wanted.clues is None else ["--clues", f"{wanted.clues}"]
        words += ["--solutions", f"{wanted.solutions}", *(["--minimal"] if wanted.minimal else [])]
        words += ["--symmetry", wanted.symmetry, "--method", self.method, "--attempts", f"{self.attempts}"]
        words += ["--seed", f"{self.seed}", *form]
        words += [] if self.grid is None else [",".join(map(str, self.grid.tolist()))]
        return shlex.join(words)

    def made(self, numbers: range) -> "Iterator[Made | None]":
        """Make the puzzles of these numbers."""
        from sudoku_encode.generating import process

        return process.puzzles(
            *(self.board, self.wanted, self.seed, numbers, self.attempts, self.method, self.timeout, self.grid)
        )

    def record(self, number: int, made: "Made | None") -> dict[str, Any]:
        """Return a puzzle as what JSON can hold."""
        fields = {"reached": False, "no_solution": self._impossible} if made is None else _report(made)
        return self.heading(number) | fields

    def heading(self, number: int) -> dict[str, Any]:
        """Return what JSON says of every puzzle."""
        return {"puzzle": number, "seed": self.seed, "board": self.board.name, "rules": self.board.rule_names}

    def missed(self, number: int, made: "Made | None") -> str:
        """Say why there is no puzzle of a number; nothing where there is one."""
        if made is None:
            return f"{self.board.name} has no solution: {self._impossible}"
        if made.reached:
            return ""
        return f"puzzle {number}: not reached in {_some(self.attempts, 'attempt')}: {_missed(made, self.wanted)}"

    @property
    def _impossible(self) -> str:
        return self.board.why_impossible or "searched in full"


class Screen:
    """Writes puzzles to standard output."""

    first, done, status, advice = 1, 0, 0, ""

    def __init__(self, request: Request, to: str | None, as_json: bool) -> None:
        self.request, self.as_json, self.shown = request, as_json, Printer(to, False)

    def put(self, number: int, made: "Made | None") -> None:
        """Write a puzzle, or with --json why there is none."""
        if self.as_json:
            print(json.dumps(self.request.record(number, made)), flush=True)
        elif made is not None and made.reached:
            self.shown.grid(number, made.puzzle, made.puzzle.givens)
            sys.stdout.flush()

    def stop(self, number: int, reason: str) -> None:
        """With --json, write why there is no puzzle and none that follows."""
        if self.as_json:
            print(json.dumps(self.request.heading(number) | {"reached": False, "stopped": reason}), flush=True)

    def finish(self) -> None:
        """Nothing is left to do."""


class File:
    """Writes puzzles to a file, a line each where that is possible, and knows those that are there already.

    Attributes:
        first: the number of the first puzzle to make: of the last that is there, to compare, or of the first.
        done: how many are there.
        status: what is there asks for this exit status.
    """

    def __init__(self, journal: "Results", request: Request, to: str | None, as_json: bool) -> None:
        board = request.board
        self.journal, self.request, self.to, self.as_json = journal, request, to, as_json
        self.command = request.command(["--json"] if as_json else ["--to", to or "line"])
        # A puzzle or its absence is one line, after the header.
        text_format = TEXT_FORMATS[to or "line"]
        self.in_lines = as_json or text_format.is_one_line
        header = [f"# {self.command}"] if self.in_lines and not as_json else []
        if (
            not as_json
            and not text_format.is_document
            and (board.name, board.rule_names) != Printer(to, False).announced
        ):
            header += [f"# board: {board.name}", f"# rules: {','.join(board.rule_names)}"]
        lines = [line.decode(errors="replace") for line in journal.lines]
        for number, (line, ours) in enumerate(zip(lines, header, strict=False), start=1):
            if line != ours:
                raise journal.fault(number, f"this run would begin otherwise: {ours}")
        self.header, self.kept = header, lines[len(header) :]
        self.done, self.first = len(self.kept), max(1, len(self.kept))
        self.status = 3 if any(self._was_missed(number) for number in range(1, len(self.kept) + 1)) else 0
        self.unwritten = header[len(lines) :]

    def _was_missed(self, number: int) -> bool:
        """Say whether a line of the file stands for a puzzle that was missed."""
        line = self.kept[number - 1]
        if not self.as_json:
            return line.startswith("#")
        try:
            there = json.loads(line)
            ours = (there["puzzle"], there["command"]) == (number, self.command)
            missed = not there["reached"]
        except (ValueError, TypeError, KeyError, RecursionError):
            ours = False
        if not ours:
            raise self.journal.fault(number, f"this is not puzzle {number} of: {self.command}")
        return missed

    def put(self, number: int, made: "Made | None") -> None:
        """Write a puzzle, or a comment that there is none; compare it if it is there already.

        Raises:
            SudokuError: it is not the one that is there.
            Stopped: the disk is full.
        """
        for line in self.unwritten:
            self.journal.put(line)
        self.unwritten = []
        text = self._text(number, made)
        if number > len(self.kept):
            if text:
                self.journal.put(text)
        elif text != self.kept[number - 1]:
            raise self.journal.fault(len(self.header) + number, "this run makes another puzzle here")

    def _text(self, number: int, made: "Made | None") -> str:
        if self.as_json:
            return json.dumps(self.request.record(number, made) | {"command": self.command})
        if made is None or not made.reached:
            return "" if TEXT_FORMATS[self.to or "line"].is_document else f"# {self.request.missed(number, made)}"
        written: list[bytes] = []
        shown = Printer(self.to, False, written.append)
        shown.announced = self.request.board.name, self.request.board.rule_names
        shown.grid(number, made.puzzle, made.puzzle.givens)
        return b"".join(written).decode().removesuffix("\n")

    @property
    def advice(self) -> str:
        """How to go on, where that is possible."""
        return self.journal.advice(resumable=self.in_lines)

    def stop(self, number: int, reason: str) -> None:
        """Write nothing: the puzzle may be made by the run that goes on."""

    def finish(self) -> None:
        """Give the file its name."""
        self.journal.finish()


def seed_of(journal: "Results") -> int | None:
    """Return the seed that a file says its puzzles have, in its first line."""
    found = re.search(rb" --seed (\d{1,10}) ", journal.lines[0]) if journal.lines else None
    if found and int(found[1]) >= 1 << 32:
        raise journal.fault(1, f"{int(found[1])} is no seed")
    return int(found[1]) if found else None


def _report(made: "Made") -> dict[str, Any]:
    return {
        "reached": made.reached,
        "clues": made.clues,
        "solutions": made.solutions,
        "minimal": made.minimal,
        "attempt": made.attempt,
        "givens": made.puzzle.givens.tolist(),
        "solution": made.solution.tolist(),
    }


def _missed(made: "Made", wanted: "Wanted") -> str:
    """Say how near the nearest attempt came."""
    nearest = f"the nearest has {_some(made.clues, 'clue')} and {_some(made.solutions, 'solution')}"
    if wanted.must_be_minimal:
        nearest += ", and is minimal" if made.minimal else ", and is not proved minimal"
    return nearest


def _some(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
