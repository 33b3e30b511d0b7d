"""What a file of records has from an earlier run, so that another run goes on after it."""

import csv
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from sudoku_encode.cli.answers import Outcome
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.table import TEXT_FORMATS

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.storage.journal import Results

_JSON_STATUS = re.compile(rb'"status": "([a-z ]+)"')
_TEXT_STATUS = re.compile(rb"^# puzzle \d+: ([a-z ]+)", re.MULTILINE)
_ANNOUNCEMENT = re.compile(rb"^# board: (.*)\n# rules: (.*)\n", re.MULTILINE)


@dataclass
class Earlier:
    """The records of an earlier run.

    Attributes:
        journal: the file that they are in.
        form: `text`, `json` or `csv`.
        n_records: how many there are.
        has_header: whether a table has its first line.
        last: the last of them.
        announced: the board and the rules that the text says last; see `printing.Printer`.
    """

    journal: "Results"
    form: str
    n_records: int = 0
    has_header: bool = False
    last: str = ""
    announced: tuple[str, tuple[str, ...]] | None = None

    @classmethod
    def read(
        cls, journal: "Results", solve: bool, form: str, to: str | None, header: str, outcome: Outcome
    ) -> "Earlier":
        """Return what a file has; the outcome takes the statuses.

        Raises:
            SudokuError: it has another form, or one in which a record is no line.
        """
        found = cls(journal, form)
        for number, piece in enumerate(journal.pieces()):
            if form == "text" and not solve:
                raise SudokuError("--resume needs records that say their puzzle, not bare numbers: use --json or --csv")
            if form == "text" and not TEXT_FORMATS[to or "line"].is_one_line:
                raise SudokuError(f"--resume needs a puzzle a line, which --to {to} is not: use --json, or --to line")
            if not number:
                found._check_form(piece[: piece.find(b"\n")], header)
                found.has_header = bool(header)
            found.n_records += piece.count(b"\n") - (form == "csv" and not number)
            found.last = piece[piece[:-1].rfind(b"\n") + 1 : -1].decode("utf-8", "replace")
            for match in _ANNOUNCEMENT.finditer(piece) if form == "text" else ():
                found.n_records -= 2
                found.announced = match[1].decode(), tuple(match[2].decode().split(","))
            for status in _statuses(piece, form):
                outcome.note_status(status)
        return found

    def _check_form(self, first: bytes, header: str) -> None:
        is_json, is_csv = first.startswith(b"{"), first.startswith(b"file,line,puzzle,")
        if (is_json, is_csv) != (self.form == "json", self.form == "csv") or (is_csv and first != header.encode()):
            raise self.journal.fault(1, f"this run would begin otherwise{f': {header}' if header else ''}")

    def unanswered(self, located: "Iterator[Located]") -> "Iterator[Located]":
        """Yield what was read behind the puzzles that have a record.

        Raises:
            SudokuError: there are fewer puzzles than records, or the last record is of another puzzle.
        """
        from sudoku_encode.formats.entries import Block, Located, n_puzzles

        left = self.n_records
        while left:
            one = next(located, None)
            if one is None:
                raise self._fault("there are more records than puzzles")
            n = n_puzzles(one.found)
            if n >= left:
                self._check_place(one, left - 1)
                if isinstance(one.found, Block) and n > left:
                    yield Located(one.number + left, one.source, one.found.part(left, n))
            left -= min(n, left)
        yield from located

    def _check_place(self, located: "Located", row: int) -> None:
        """Check that the last record is that of a puzzle, as far as it says which it is of."""
        from sudoku_encode.formats import bulk
        from sudoku_encode.puzzles.puzzle import Puzzle

        entry = next(islice(located.singles(), row, None)).entry
        if self.form == "text":
            puzzle = entry.found
            if isinstance(puzzle, Puzzle) and puzzle.geometry.n_values <= bulk.LETTERS:
                givens = bulk.lines(puzzle.geometry, puzzle.givens[None]).decode().strip()
                pairs = list(zip(givens, self.last, strict=False))
                if len(givens) == len(self.last) and any(given not in (".", shown) for given, shown in pairs):
                    raise self._fault("this is no solution of the puzzle in its place")
            return
        try:
            place = _place(self.last, self.form)
        except (ValueError, LookupError, TypeError, RecursionError):
            raise self._fault("this is no record") from None
        expected = [located.source, "" if entry.line is None else str(entry.line), str(located.number + row)]
        if place != expected:
            raise self._fault(f"this is the record of {':'.join(place)}, not of {':'.join(expected)}")

    def _fault(self, what: str) -> SudokuError:
        return self.journal.fault(self.n_records + (self.form == "csv"), f"{what}; are the puzzles the same?")


def _place(record: str, form: str) -> list[str]:
    """Return the file, the line and the number of the puzzle of a record, as text."""
    if form == "csv":
        return next(csv.reader([record]))[:3]
    fields = json.loads(record)
    return ["" if fields[key] is None else str(fields[key]) for key in ("file", "line", "puzzle")]


def _statuses(piece: bytes, form: str) -> Iterator[str]:
    """Yield the statuses among some records, where they can be anything but good."""
    if form == "json":
        yield from {status.decode() for status in _JSON_STATUS.findall(piece)}
    elif form == "csv":
        yield from {row[4] for row in csv.reader(piece.decode("utf-8", "replace").splitlines()) if len(row) > 4}
    else:
        yield from {status.decode().strip() for status in _TEXT_STATUS.findall(piece)}
