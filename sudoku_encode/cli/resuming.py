"""What a file of records has from an earlier run, so that another run goes on after it.

While `FILE.part` is written, `FILE.run` beside it says what the run is asked, and has a number for each puzzle that has
a record. A run goes on only with the same options, and where these puzzles are the same: so the file becomes what one
run would write now. Puzzles after the last record may change. A complete file stands alone, and is not gone on with.
"""

import csv
import io
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.printing import plain_text
from sudoku_encode.errors import FormatError, SudokuError, short
from sudoku_encode.formats.entries import Block, Found
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.repeats import marks
from sudoku_encode.storage.part_journal import PartJournal, Record, header_of
from sudoku_encode.storage.parts_file import PartsFile

if TYPE_CHECKING:
    from sudoku_encode.cli.options import PuzzleOptions
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.methods.question import Question
    from sudoku_encode.storage.journal import Journal, Results

_JSON_STATUS = re.compile(rb'"status": "([a-z ]+)"')
_TEXT_STATUS = re.compile(rb"^# puzzle \d+: ([a-z ]+)", re.MULTILINE)
_ANNOUNCEMENT = re.compile(rb"^# board: (.*)\n# rules: (.*)\n", re.MULTILINE)


def options_read(given: "PuzzleOptions") -> dict[str, Any]:
    """Return by their names the options that say how puzzles are read."""
    return {
        "--board": given.board,
        "--rules": given.rules,
        "--alphabet": given.alphabet,
        "--from": given.source_format,
        "--constraint": given.constraints or None,
    }


def options_asked(question: "Question") -> dict[str, Any]:
    """Return by their names the options that say what is asked of each puzzle; limits of time and memory may change."""
    chosen = question.options
    return {
        "command": "solve" if question.solve else "count",
        "--method": question.method,
        "--limit": question.limits.solutions,
        "--reduce": chosen.reduction,
        "--amo": chosen.amo,
        "--sat-solver": chosen.sat_solver,
        "--seed": chosen.seed,
        "--workers": chosen.workers,
    }


class RunFile:
    """What a run is asked: its options, and a number for each puzzle with a record, in a file beside its records.

    Args:
        journal: the records.
        asked: by their names the options that change a record.
        with_answers: whether the solution beside a puzzle counts too.

    Raises:
        SudokuError: the records are complete, do not say what was asked, or are of a run that was asked another thing;
            another program has a file of that name.
    """

    def __init__(self, journal: "Journal", asked: dict[str, Any], with_answers: bool = False) -> None:
        self._path, self._part = Path(f"{journal.path}.run"), journal.file.path
        self._header, self._with_answers = {"form": 1, **asked}, with_answers
        self._file: PartJournal | None = None
        self._marks: list[int] = []
        if journal.untouched:
            raise SudokuError(
                f"{journal.path}: there is nothing to resume, since it is complete; remove it to start again, or give "
                "-o another name"
            )
        earlier = self._earlier_header()
        if journal.resumed and earlier:
            self._check_asked(earlier)
            self._file = PartJournal(self._path, self._header)
            self._marks = self._read_marks(self._file)
        elif journal.complete_bytes:
            raise SudokuError(
                f"{self._part}: it does not say what it was asked, since {self._path} is missing or damaged; "
                "remove it to start again"
            )
        elif self._path.exists():
            # A run left it that wrote no record.
            self._path.unlink()

    def _earlier_header(self) -> Record:
        try:
            return header_of(PartsFile(self._path, True))
        except SudokuError:
            raise SudokuError(
                f"{self._path}: this is not a file of this program, which needs that name for a while; move it, or "
                "give -o another name"
            ) from None

    def _check_asked(self, earlier: Record) -> None:
        for name in {**self._header, **earlier}:
            theirs, ours = earlier.get(name), self._header.get(name)
            if theirs != ours:
                raise SudokuError(
                    f"{self._part}: it was begun with {_worded(name, theirs)}, and this run has {_worded(name, ours)}; "
                    "give the same options, or remove it to start again"
                )

    def _read_marks(self, file: PartJournal) -> list[int]:
        found: list[int] = []
        for number, record in enumerate(file.records):
            try:
                first, texts = int(record["first"]), bytes.fromhex(record["marks"])
                if not 1 <= first <= len(found) + 1:
                    raise ValueError
                found[first - 1 :] = np.frombuffer(texts, ">u8").tolist()
            except (LookupError, TypeError, ValueError) as error:
                raise file.fault(number, "expected the numbers of some puzzles") from error
        return found

    def check(self, number: int, located: "Located", n: int) -> None:
        """Check that the first n puzzles of what was read are those that have the records from a number on.

        Raises:
            SudokuError: one is not.
        """
        begin = number - 1
        earlier = np.array(self._marks[begin : begin + n], np.uint64)
        ours = marks_of(located.found, self._with_answers)[:n]
        different = np.flatnonzero(ours[: len(earlier)] != earlier)
        if len(different):
            row = int(different[0])
            place = next(islice(located.singles(), row, None)).place
            raise SudokuError(
                f"{place.text}: puzzle {located.number + row} is not the one that {self._part} has a record of; give "
                "the same puzzles, or remove it to start again"
            )
        if len(earlier) < n:
            raise SudokuError(
                f"{self._part}: it has {begin + n:,} records or more, and {self._path} lists {len(self._marks):,}; "
                "remove both to start again"
            )

    def note(self, number: int, found: Found) -> None:
        """Note puzzles whose records are written next.

        Args:
            number: of the first record, from 1.
            found: the puzzles.

        Raises:
            StoppedError: there is no room on the disk.
        """
        self.begin()
        assert self._file is not None
        texts = marks_of(found, self._with_answers).astype(">u8").tobytes().hex()
        self._file.put({"first": number, "marks": texts})

    def begin(self) -> None:
        """Write what is asked, before the first record; raises as `note`."""
        if self._file is None:
            self._file = PartJournal(self._path, self._header)

    def remove(self) -> None:
        """Remove the file: the records are complete."""
        if self._file is not None:
            self._file.remove()

    def close(self) -> None:
        """Close the file."""
        if self._file is not None:
            self._file.close()


def _worded(name: str, value: object) -> str:
    """Return an option and its value as they are given."""
    if value in (None, False):
        return f"no {name}"
    shown = " ".join(map(str, value)) if isinstance(value, list) else value
    return name if value is True else short(f"{name} {shown}", 60)


def marks_of(found: Found, with_answers: bool = False) -> NDArray[np.uint64]:
    """Return a number for each puzzle, or for what is wrong in its place: of others it is another one.

    It is the same for a puzzle alone and in a block.
    """
    if isinstance(found, Block):
        numbers = marks(found.givens) ^ _mark_of_board(found.board)
        if with_answers:
            numbers ^= np.array([_mark(entry.answer) for entry in found.entries()], np.uint64)
        return numbers
    puzzle = found.found
    if isinstance(puzzle, FormatError):
        return np.array([_mark("wrong", puzzle.message)], np.uint64)
    number = marks(puzzle.givens[None]) ^ _mark_of_board(puzzle.geometry)
    if puzzle.name or not puzzle.has_givens_alone:
        allowed = b"" if puzzle.pencilmarks is None else np.packbits(puzzle.pencilmarks).tobytes()
        lines = [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]
        number ^= _mark(puzzle.name, puzzle.pencilmarks is None, allowed, *lines)
    return number ^ _mark(found.answer) if with_answers else number


def _mark_of_board(board: Geometry) -> np.uint64:
    return _mark(board.name, *board.rule_names)


def _mark(*fields: object) -> np.uint64:
    return np.uint64(
        int.from_bytes(blake2b(repr(fields).encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")
    )


@dataclass
class Earlier:
    """The records of an earlier run.

    Attributes:
        journal: the file that they are in.
        form: `text`, `json` or `csv`.
        n_records: how many there are.
        has_header: whether a table has its first line.
        last: the last of them, as text; empty of a table.
        last_place: of a table, the file, the line and the number of the puzzle of the last one.
        announced: the board and the rules that the text says last; see `printing.Printer`.
    """

    journal: "Results"
    form: str
    n_records: int = 0
    has_header: bool = False
    last: str = ""
    last_place: list[str] = field(default_factory=list)
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
            if form == "csv":
                continue
            found.n_records += piece.count(b"\n")
            found.last = piece[piece[:-1].rfind(b"\n") + 1 : -1].decode("utf-8", "replace")
            for match in _ANNOUNCEMENT.finditer(piece) if form == "text" else ():
                found.n_records -= 2
                found.announced = match[1].decode(), tuple(match[2].decode().split(","))
            for status in _statuses(piece, form):
                outcome.note_status(status)
        if found.has_header:
            found._read_table(outcome)
        return found

    def _read_table(self, outcome: Outcome) -> None:
        """Take the records of a table, in which one may have several lines, and their statuses."""
        lines = (line for piece in self.journal.pieces() for line in io.StringIO(piece.decode("utf-8", "replace"), ""))
        rows = csv.reader(lines, strict=True)
        try:
            next(rows)
            for row in rows:
                self.n_records += 1
                self.last_place = row[:3]
                outcome.note_status(row[4])
        except (csv.Error, IndexError):
            raise self._fault("this is no record") from None

    def _check_form(self, first: bytes, header: str) -> None:
        is_json, is_csv = first.startswith(b"{"), first.startswith(b"file,line,puzzle,")
        if (is_json, is_csv) != (self.form == "json", self.form == "csv") or (is_csv and first != header.encode()):
            raise self.journal.fault(1, f"this run would begin otherwise{f': {header}' if header else ''}")

    def unanswered(self, located: "Iterator[Located]", run: RunFile | None) -> "Iterator[Located]":
        """Yield what was read behind the puzzles that have a record.

        Raises:
            SudokuError: there are fewer puzzles than records, or a record is of another puzzle.
        """
        from sudoku_encode.formats.entries import Located, n_puzzles

        left = self.n_records
        while left:
            one = next(located, None)
            if one is None:
                raise self._fault("there are more records than puzzles")
            n = n_puzzles(one.found)
            if run is not None:
                run.check(one.number, one, min(n, left))
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
            place = self.last_place or _place(self.last)
        except (ValueError, LookupError, TypeError, RecursionError):
            raise self._fault("this is no record") from None
        source = plain_text(located.source) if self.form == "csv" else located.source
        expected = [source, "" if entry.line is None else str(entry.line), str(located.number + row)]
        if place != expected:
            raise self._fault(f"this is the record of {':'.join(place)}, not of {':'.join(expected)}")

    def _fault(self, what: str) -> SudokuError:
        return self.journal.fault(self.n_records + (self.form == "csv"), f"{what}; are the puzzles the same?")


def _place(record: str) -> list[str]:
    """Return the file, the line and the number of the puzzle of a record, as text."""
    fields = json.loads(record)
    return ["" if fields[key] is None else str(fields[key]) for key in ("file", "line", "puzzle")]


def _statuses(piece: bytes, form: str) -> Iterator[str]:
    """Yield the statuses among some records, where they can be anything but good."""
    if form == "json":
        yield from {status.decode() for status in _JSON_STATUS.findall(piece)}
    else:
        yield from {status.decode().strip() for status in _TEXT_STATUS.findall(piece)}
