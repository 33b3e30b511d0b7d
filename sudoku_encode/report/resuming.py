"""Records of an earlier run in a file, which another run continues.

While `FILE.part` is written, `FILE.run` beside it lists the options of the run, and a number for each puzzle with a
record. A run is resumed only with the same options and the same puzzles, so that the file becomes what a single run
would write. Puzzles after the last record may change. A complete file cannot be resumed.
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

from sudoku_encode.errors import FormatError, SudokuError, short
from sudoku_encode.formats.entries import ParsedItem, PuzzleBatch
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.puzzles.arrays import grid_hashes
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.report.printing import plain_text
from sudoku_encode.report.reading import Outcome
from sudoku_encode.storage.outputs import PartsFile
from sudoku_encode.storage.part_journal import PartJournal, Record, read_header

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.answers import BatchQuestion
    from sudoku_encode.report.reading import PuzzleArguments
    from sudoku_encode.report.table_output import TableOutput
    from sudoku_encode.storage.journal import Journal, Results

_JSON_STATUS = re.compile(rb'"status": "([a-z ]+)"')
_TEXT_STATUS = re.compile(rb"^# puzzle \d+: ([a-z ]+)", re.MULTILINE)
_ANNOUNCEMENT = re.compile(rb"^# board: (.*)\n# rules: (.*)\n", re.MULTILINE)


def options_read(given: "PuzzleArguments") -> dict[str, Any]:
    """Return, by name, the options for reading puzzles."""
    return {
        "--board": given.board,
        "--rules": given.rules,
        "--alphabet": given.alphabet,
        "--from": given.source_format,
        "--constraint": given.constraints or None,
    }


def question_options(question: "BatchQuestion") -> dict[str, Any]:
    """Return, by name, the options of the question; limits on time and memory may change between runs."""
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
        "--stats": question.stats,
    }


class RunFile:
    """A file beside the records with the options of the run, and a number for each puzzle with a record.

    Args:
        journal: the records.
        settings: the options that change a record, by name.
        with_answers: whether the numbers also depend on the solutions beside the puzzles.
        with_rows: whether they also depend on the rows that the puzzles are from.

    Raises:
        SudokuError: the records are complete, or the options of their run are unknown or different; or the file belongs
            to another program.
    """

    def __init__(
        self, journal: "Journal", settings: dict[str, Any], with_answers: bool = False, with_rows: bool = False
    ) -> None:
        self._path, self._part = Path(f"{journal.path}.run"), journal.file.path
        self._header, self._depends_on = {"form": 1, **settings}, (with_answers, with_rows)
        self._file: PartJournal | None = None
        self._marks: list[int] = []
        if journal.untouched:
            raise SudokuError(
                f"{journal.path}: nothing to resume, since it is complete; remove it to start again, or give "
                "-o another name"
            )
        earlier = self._earlier_header()
        if journal.resumed and earlier:
            self._check_settings(earlier)
            self._file = PartJournal(self._path, self._header)
            self._marks = self._read_marks(self._file)
        elif journal.complete_bytes:
            raise SudokuError(
                f"{self._part}: the options of its run are unknown, since {self._path} is missing or damaged; "
                "remove it to start again"
            )
        elif self._path.exists():
            # It is from a run that wrote no record.
            self._path.unlink()

    def _earlier_header(self) -> Record:
        try:
            return read_header(PartsFile(self._path, True))
        except SudokuError:
            raise SudokuError(
                f"{self._path}: another program's file has the name that this run needs temporarily; move it, or "
                "give -o another name"
            ) from None

    def _check_settings(self, earlier: Record) -> None:
        for name in {**self._header, **earlier}:
            theirs, ours = earlier.get(name), self._header.get(name)
            if theirs != ours:
                raise SudokuError(
                    f"{self._part}: it was begun with {_in_words(name, theirs)}, but this run has "
                    f"{_in_words(name, ours)}; give the same options, or remove it to start again"
                )

    def _read_marks(self, file: PartJournal) -> list[int]:
        parsed: list[int] = []
        for number, record in enumerate(file.records):
            try:
                first, texts = int(record["first"]), bytes.fromhex(record["marks"])
                if not 1 <= first <= len(parsed) + 1:
                    raise ValueError
                parsed[first - 1 :] = np.frombuffer(texts, ">u8").tolist()
            except (LookupError, TypeError, ValueError) as error:
                raise file.fault(number, "expected the numbers of some puzzles") from error
        return parsed

    def check(self, number: int, located: "SourceItem", n: int) -> None:
        """Check that the first n puzzles of a batch belong to the records from a number on.

        Raises:
            SudokuError: one does not.
        """
        begin = number - 1
        earlier = np.array(self._marks[begin : begin + n], np.uint64)
        ours = marks_of(located.item, *self._depends_on)[:n]
        different = np.flatnonzero(ours[: len(earlier)] != earlier)
        if len(different):
            row = int(different[0])
            place = next(islice(located.singles(), row, None)).place
            raise SudokuError(
                f"{place.text}: puzzle {located.number + row} is not the one of the record in {self._part}; give "
                "the same puzzles, or remove it to start again"
            )
        if len(earlier) < n:
            raise SudokuError(
                f"{self._part}: it contains at least {begin + n:,} records, but {self._path} lists "
                f"{len(self._marks):,}; remove both to start again"
            )

    def note(self, number: int, parsed: ParsedItem) -> None:
        """Note the puzzles of the next records.

        Args:
            number: of the first record, from 1.
            parsed: the puzzles.

        Raises:
            StoppedError: the disk is full.
        """
        self.begin()
        assert self._file is not None
        texts = marks_of(parsed, *self._depends_on).astype(">u8").tobytes().hex()
        self._file.put({"first": number, "marks": texts})

    def begin(self) -> None:
        """Write the options, before the first record; raise StoppedError as `note`."""
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


def _in_words(name: str, value: object) -> str:
    """Return an option and its value as on a command line."""
    if value in (None, False):
        return f"no {name}"
    shown = " ".join(map(str, value)) if isinstance(value, list) else value
    return name if value is True else short(f"{name} {shown}", 60)


def marks_of(parsed: ParsedItem, with_answers: bool = False, with_rows: bool = False) -> NDArray[np.uint64]:
    """Return a hash of each puzzle, or of the error in its place; it is the same for a puzzle alone and in a batch."""
    if with_rows and parsed.rows:
        return marks_of(parsed, with_answers) ^ np.array([_mark(text) for text in parsed.rows.texts()], np.uint64)
    if isinstance(parsed, PuzzleBatch):
        numbers = grid_hashes(parsed.givens) ^ _mark_of_board(parsed.board)
        if with_answers:
            numbers ^= np.array([_mark(entry.answer) for entry in parsed.entries()], np.uint64)
        return numbers
    puzzle = parsed.content
    if isinstance(puzzle, FormatError):
        return np.array([_mark("wrong", puzzle.message)], np.uint64)
    number = grid_hashes(puzzle.givens[None]) ^ _mark_of_board(puzzle.geometry)
    if puzzle.name or not puzzle.has_givens_alone:
        allowed = b"" if puzzle.pencilmarks is None else np.packbits(puzzle.pencilmarks).tobytes()
        lines = [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]
        number ^= _mark(puzzle.name, puzzle.pencilmarks is None, allowed, *lines)
    return number ^ _mark(parsed.answer) if with_answers else number


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
        journal: the file.
        form: `text`, `json`, `csv` or `table`.
        n_records: their number.
        has_header: whether a table has its first line.
        last: the last record as text; empty for a table.
        last_place: for a table, the file, the line and the number of the puzzle in the last record.
        announced: the last board and rules in the text; see `printing.Printer`.
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
        cls,
        journal: "Results",
        solve: bool,
        form: str,
        to: str | None,
        header: str,
        outcome: Outcome,
        table: "TableOutput | None" = None,
    ) -> "Earlier":
        """Return the records in a file; the outcome collects their statuses.

        Raises:
            SudokuError: they have another form, or one in which a record is not a line.
        """
        parsed = cls(journal, form)
        first = table.header if table else header.encode()
        for number, segment in enumerate(journal.segments()):
            if form == "text" and not solve:
                raise SudokuError("--resume needs records with their puzzles, not bare numbers: use --json or --csv")
            if form == "text" and not TEXT_FORMATS[to or "line"].is_one_line:
                raise SudokuError(f"--resume needs one puzzle per line, not --to {to}: use --json, or --to line")
            if not number:
                parsed._check_form(segment[: segment.find(b"\n")].rstrip(b"\r"), first)
                parsed.has_header = bool(first)
            if first:
                continue
            parsed.n_records += segment.count(b"\n")
            parsed.last = segment[segment[:-1].rfind(b"\n") + 1 : -1].decode("utf-8", "replace")
            for match in _ANNOUNCEMENT.finditer(segment) if form == "text" else ():
                parsed.n_records -= 2
                parsed.announced = match[1].decode(), tuple(match[2].decode().split(","))
            for status in _statuses(segment, "json" if table else form):
                outcome.note_status(status)
        if parsed.has_header:
            parsed._read_table(outcome, table.delimiter if table else ",", table.status_column if table else 4)
        return parsed

    def _read_table(self, outcome: Outcome, delimiter: str, status_column: int) -> None:
        """Read the records of a table, in which a record may have several lines, and their statuses."""
        lines = (
            line for segment in self.journal.segments() for line in io.StringIO(segment.decode("utf-8", "replace"), "")
        )
        rows = csv.reader(lines, delimiter=delimiter, strict=True)
        try:
            next(rows)
            for row in rows:
                self.n_records += 1
                self.last_place = row[:3]
                outcome.note_status(row[status_column])
        except (csv.Error, IndexError):
            raise self._fault("not a record") from None

    def _check_form(self, first: bytes, header: bytes) -> None:
        is_json, is_csv = first.startswith(b"{"), first.startswith(b"file,line,puzzle,")
        as_expected = (is_json, is_csv) == (self.form == "json", self.form == "csv") or self.form == "table"
        if not as_expected or (header and first != header):
            shown = f": {header.decode('utf-8', 'replace')}" if header else ""
            raise self.journal.fault(1, f"this run begins differently{shown}")

    def unanswered(self, located: "Iterator[SourceItem]", run: RunFile | None) -> "Iterator[SourceItem]":
        """Yield the puzzles after those with a record.

        Raises:
            SudokuError: there are fewer puzzles than records, or a record belongs to another puzzle.
        """
        from sudoku_encode.formats.entries import SourceItem, n_puzzles

        remaining = self.n_records
        while remaining:
            located_ = next(located, None)
            if located_ is None:
                raise self._fault("there are more records than puzzles")
            n = n_puzzles(located_.item)
            if run is not None:
                run.check(located_.number, located_, min(n, remaining))
            if n >= remaining:
                self._check_place(located_, remaining - 1)
                if isinstance(located_.item, PuzzleBatch) and n > remaining:
                    yield SourceItem(located_.number + remaining, located_.source, located_.item.part(remaining, n))
            remaining -= min(n, remaining)
        yield from located

    def _check_place(self, located: "SourceItem", row: int) -> None:
        """Check that the last record belongs to a puzzle, as far as the record identifies it."""
        from sudoku_encode.formats import bulk
        from sudoku_encode.puzzles.puzzle import Puzzle

        if self.form == "table":
            # Its puzzles are known by the numbers of the run.
            return
        entry = next(islice(located.singles(), row, None)).entry
        if self.form == "text":
            puzzle = entry.content
            if isinstance(puzzle, Puzzle) and puzzle.geometry.n_values <= bulk.LETTERS:
                givens = bulk.lines(puzzle.geometry, puzzle.givens[None]).decode().strip()
                pairs = list(zip(givens, self.last, strict=False))
                if len(givens) == len(self.last) and any(given not in (".", shown) for given, shown in pairs):
                    raise self._fault("not a solution of the puzzle in its place")
            return
        try:
            place = self.last_place or _place(self.last)
        except (ValueError, LookupError, TypeError, RecursionError):
            raise self._fault("not a record") from None
        source = plain_text(located.source) if self.form == "csv" else located.source
        expected = [source, "" if entry.line is None else str(entry.line), str(located.number + row)]
        if place != expected:
            raise self._fault(f"this is the record of {':'.join(place)}, not of {':'.join(expected)}")

    def _fault(self, what: str) -> SudokuError:
        return self.journal.fault(self.n_records + (self.form == "csv"), f"{what}; are the puzzles the same?")


def _place(record: str) -> list[str]:
    """Return the file, the line and the number of the puzzle in a record, as text."""
    fields = json.loads(record)
    return ["" if fields[key] is None else str(fields[key]) for key in ("file", "line", "puzzle")]


def _statuses(segment: bytes, form: str) -> Iterator[str]:
    """Yield the statuses in a segment of records, as far as they can be bad."""
    if form == "json":
        yield from {status.decode() for status in _JSON_STATUS.findall(segment)}
    else:
        yield from {status.decode().strip() for status in _TEXT_STATUS.findall(segment)}
