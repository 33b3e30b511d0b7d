"""A file of solutions that survives a crash, a kill or a full disk: no solution is lost or written twice.

Lines are written to `NAME.part`, which is renamed to `NAME` when the run ends by itself. A resumed run lists all
solutions again, compares those that are in the file, and appends the others. Thus no second file has to be trusted, and
a changed or cut line is detected; listing is faster than most disks, so this costs little. A run that stopped early,
also at a limit of its own, ends the file with a line that says so; the file is rewritten from the first such line on.
"""

import re
from pathlib import Path
from types import TracebackType

from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.storage import journal

# The line below an incomplete list: a comment, or a JSON object.
_INCOMPLETE = re.compile(rb'^(?:# at least |# not known; |\{.*"complete": false)', re.MULTILINE)
_SEGMENT_BYTES = 1 << 20


class Listing:
    """A file of solutions. Use it as a context manager. Until it is finished, its name ends in `.part`.

    Raises:
        SudokuError: as `journal.open_part`.
    """

    def __init__(self, path: Path, resume: bool) -> None:
        self.path, self.resumed = path, resume
        # How many of the earlier run's bytes are not compared yet, and whether writing failed.
        self.bytes_to_compare, self.failed = 0, False
        # Whether the earlier run had finished the file, and this one has not changed it.
        self.file, self.untouched = journal.open_part(path, resume)
        if resume:
            self.bytes_to_compare = self._resumable_bytes()
            self.file.seek(0)
        # The bytes after those are cut off when the first line is written, not now: a file named by mistake must stay
        # unchanged.
        self.rest_to_cut = resume

    def _resumable_bytes(self) -> int:
        """Return the size of the complete lines before the first line that says that solutions are missing."""
        size, rest = 0, b""
        while segment := self.file.read(_SEGMENT_BYTES):
            window = rest + segment
            end = window.rfind(b"\n") + 1
            if match := _INCOMPLETE.search(window, 0, end):
                return size + match.start()
            size, rest = size + end, window[end:]
        return size

    def put(self, text: bytes) -> None:
        """Write some lines; those that are in the file already are compared.

        Raises:
            SudokuError: the file contains other lines there.
            StoppedError: the disk is full, or another program removed or changed the file; earlier lines stay in it.
        """
        if self.bytes_to_compare:
            expected = text[: self.bytes_to_compare]
            earlier = self.file.read(len(expected))
            if len(earlier) < len(expected):
                self.check()
            if earlier != expected:
                raise SudokuError(
                    f"{self.current_path}:{self._first_different_line(earlier, expected)}: this run lists a "
                    "different solution here; are the puzzle, the method and all options the same?"
                )
            self.bytes_to_compare -= len(earlier)
            text = text[len(earlier) :]
        if not text:
            return
        try:
            self._cut_rest()
            journal.write(self.file, text)
        except StoppedError:
            # Half a line may have been written; a resumed run cuts it off.
            self.failed = True
            raise

    def check(self) -> None:
        """Check that the file is as it was written.

        Raises:
            StoppedError: another program removed or changed it.
        """
        if fault := self.file.fault:
            self.failed = True
            raise StoppedError(f"{fault} ({self.file.path})")

    def expect_no_more(self) -> None:
        """Check that all lines of the earlier run were compared.

        Raises:
            SudokuError: the file contains more lines, for instance of another puzzle.
        """
        if self.bytes_to_compare:
            raise SudokuError(
                f"{self.current_path} contains more than this run lists; are the puzzles and all options the same?"
            )

    @property
    def current_path(self) -> Path:
        """The name of the file if the run ended now."""
        return self.path if self.untouched else self.file.path

    @property
    def advice(self) -> str:
        """How to continue if the run ended now; empty if there is nothing to resume."""
        return journal.advice(self.file, self.current_path) if self.file.size else ""

    def _cut_rest(self) -> None:
        if self.rest_to_cut:
            journal.cut(self.file, self.file.tell())
            self.rest_to_cut = self.untouched = False

    def _first_different_line(self, earlier: bytes, expected: bytes) -> int:
        """Return the line of the first difference, from 1, after `earlier` was read from the file."""
        pairs = zip(earlier, expected, strict=False)
        same = next((index for index, (theirs, ours) in enumerate(pairs) if ours != theirs), len(earlier))
        start = self.file.tell() - len(earlier)
        self.file.seek(0)
        lines = earlier[:same].count(b"\n") + 1
        while start:
            segment = self.file.read(min(start, _SEGMENT_BYTES))
            lines, start = lines + segment.count(b"\n"), start - len(segment)
        return lines

    def __enter__(self) -> "Listing":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give the file its final name after success; else keep it so that it can be resumed."""
        with self.file:
            if kind is None and not self.failed and not self.bytes_to_compare:
                self._cut_rest()
                journal.finish(self.file, self.path)
            elif self.untouched:
                journal.restore_name(self.file, self.path)
            elif not self.resumed and not self.file.size:
                # There is nothing to resume, for instance after bad input.
                self.file.remove()
