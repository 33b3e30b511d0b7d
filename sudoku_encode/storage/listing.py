"""A file of solutions that survives whatever ends the program: no solution is lost, and none is in it twice.

Lines are written to `NAME.part`, which is renamed to `NAME` when the run ends by itself. A run that resumes lists all
solutions again: those that the file has are compared with it, and those that follow are appended. So no second file has
to be trusted, and a line that was changed or cut is found; since listing is faster than most disks, it costs little. A
run that was stopped, also by a limit of its own, ends in a line that says so; from the first such line on the file is
written anew.
"""

import re
from pathlib import Path
from types import TracebackType

from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.storage import journal

# The line below solutions that are not all: a comment, or a JSON object.
_INCOMPLETE = re.compile(rb'^(?:# at least |# not known; |\{.*"complete": false)', re.MULTILINE)
_CHUNK_BYTES = 1 << 20


class Listing:
    """A file to put solutions into. Use it as a context manager.

    Args:
        path: the file. While it is not finished, its name ends in `.part`.
        resume: go on with the file of an earlier run.

    Attributes:
        bytes_to_compare: how many bytes of the earlier run are not compared yet.
        failed: whether no more can be written.
        untouched: whether the earlier run had finished the file, and this one has not changed it.

    Raises:
        SudokuError: as `journal.open_part`.
    """

    def __init__(self, path: Path, resume: bool) -> None:
        self.path, self.resumed = path, resume
        self.bytes_to_compare, self.failed = 0, False
        self.file, self.untouched = journal.open_part(path, resume)
        if resume:
            self.bytes_to_compare = self._resumable_bytes()
            self.file.seek(0)
        # What follows those bytes is cut off when the first line is written, not now: a file that is named by mistake
        # must stay unchanged.
        self.rest_to_cut = resume

    def _resumable_bytes(self) -> int:
        """Return how many bytes of complete lines come before the first that says that solutions are missing."""
        size, rest = 0, b""
        while chunk := self.file.read(_CHUNK_BYTES):
            window = rest + chunk
            end = window.rfind(b"\n") + 1
            if found := _INCOMPLETE.search(window, 0, end):
                return size + found.start()
            size, rest = size + end, window[end:]
        return size

    def put(self, text: bytes) -> None:
        """Write some lines; those that the file has already are compared.

        Raises:
            SudokuError: the file has something else there.
            StoppedError: there is no room on the disk, or another program has removed or changed the file; the lines
                before
                stay in it.
        """
        if self.bytes_to_compare:
            expected = text[: self.bytes_to_compare]
            found = self.file.read(len(expected))
            if len(found) < len(expected):
                self.check()
            if found != expected:
                raise SudokuError(
                    f"{self.current_path}:{self._first_different_line(found, expected)}: this run says something else "
                    "here; are the puzzle, the method and all options the same?"
                )
            self.bytes_to_compare -= len(found)
            text = text[len(found) :]
        if not text:
            return
        try:
            self._cut_rest()
            journal.write(self.file, text)
        except StoppedError:
            # Half a line may be written now; a run that resumes cuts it off.
            self.failed = True
            raise

    def check(self) -> None:
        """Check that the file is still as it was written.

        Raises:
            StoppedError: another program has removed or changed it.
        """
        if fault := self.file.fault:
            self.failed = True
            raise StoppedError(f"{fault} ({self.file.path})")

    def expect_no_more(self) -> None:
        """Check that all of the earlier run was compared.

        Raises:
            SudokuError: the file has more lines, for instance of another puzzle.
        """
        if self.bytes_to_compare:
            raise SudokuError(
                f"{self.current_path} has more than this run says; are the puzzles and all options the same?"
            )

    @property
    def current_path(self) -> Path:
        """The name that the file has if the run ends now."""
        return self.path if self.untouched else self.file.path

    @property
    def advice(self) -> str:
        """How to go on if the run ends now; empty where there is nothing to resume."""
        return journal.advice(self.file, self.current_path) if self.file.size else ""

    def _cut_rest(self) -> None:
        if self.rest_to_cut:
            journal.cut(self.file, self.file.tell())
            self.rest_to_cut = self.untouched = False

    def _first_different_line(self, found: bytes, expected: bytes) -> int:
        """Return the line of the first difference, from 1; `found` was just read from the file."""
        pairs = zip(found, expected, strict=False)
        same = next((at for at, (ours, theirs) in enumerate(pairs) if ours != theirs), len(found))
        start = self.file.tell() - len(found)
        self.file.seek(0)
        lines = found[:same].count(b"\n") + 1
        while start:
            chunk = self.file.read(min(start, _CHUNK_BYTES))
            lines, start = lines + chunk.count(b"\n"), start - len(chunk)
        return lines

    def __enter__(self) -> "Listing":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Give the file its final name if all went well; else leave it to be resumed."""
        with self.file:
            if kind is None and not self.failed and not self.bytes_to_compare:
                self._cut_rest()
                journal.finish(self.file, self.path)
            elif self.untouched:
                journal.restore_name(self.file, self.path)
            elif not self.resumed and not self.file.size:
                # There is nothing to resume, for instance after bad input.
                self.file.remove()
