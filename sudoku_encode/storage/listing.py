"""A file of solutions that survives whatever ends the program: nothing is lost, and nothing stands in it twice.

What is written goes to `NAME.part`, whole lines at a time, and becomes `NAME` when the run ends by itself. To go on,
the run is made once more: as long as it says what the file has already, the two are compared, and from there on it is
written. So no second file has to be trusted, a line that was changed or cut is found, and since listing is faster than
most disks it costs little. A run that was stopped, by a limit of its own too, ends in a comment that says so; from the
first such comment on everything is done again.
"""

from pathlib import Path
from types import TracebackType

from sudoku_encode.errors import Stopped, SudokuError
from sudoku_encode.storage import journal

# A line that begins so says that what is above it is not all.
INCOMPLETE = b"# at least "
_CHUNK = 1 << 20


class Listing:
    """A file to put solutions into. Use it as a context manager.

    Args:
        path: the file. While it is not finished, its name ends in `.part`.
        resume: go on with what an earlier run left there.

    Raises:
        SudokuError: as `journal.opened`.
    """

    def __init__(self, path: Path, resume: bool) -> None:
        self.path, self.resumed = path, resume
        # How many bytes of an earlier run this one has not come to yet; whether no more can be written.
        self.known, self.failed = 0, False
        # Whether the earlier run had given the file its name, and this one has changed nothing yet.
        self.file, self.whole = journal.opened(path, resume)
        if resume:
            self.known = self._kept()
            self.file.seek(0)
        # What follows is cut off before anything is written; whoever named the wrong file finds it as it was.
        self.cut = resume

    def _kept(self) -> int:
        """Return how many bytes are whole lines before the first comment that says that something is missing."""
        marker = b"\n" + INCOMPLETE
        # As if a line ended before the first one.
        size, tail = 0, b"\n"
        while chunk := self.file.read(_CHUNK):
            window = tail + chunk
            if (at := window.find(marker)) >= 0:
                return size - len(tail) + at + 1
            size, tail = size + len(chunk), window[1 - len(marker) :]
        start = max(0, size - _CHUNK)
        self.file.seek(start)
        return start + self.file.read().rfind(b"\n") + 1

    def put(self, text: bytes) -> None:
        """Write some lines; those that the file has already are compared.

        Raises:
            SudokuError: the file has something else there.
            Stopped: there is no room on the disk, or another program has removed or changed the file. What was written
                before is kept, as far as it is up to us.
        """
        if self.known:
            wanted = text[: self.known]
            there = self.file.read(len(wanted))
            if len(there) < len(wanted):
                self.check()
            if there != wanted:
                raise SudokuError(
                    f"{self.kept}:{self._line(there, wanted)}: this run says something else here; "
                    "are the puzzle, the method and all options the same?"
                )
            self.known -= len(there)
            text = text[len(there) :]
        if not text:
            return
        try:
            self._cut()
            journal.write(self.file, text)
        except Stopped:
            # Half a line may be there now; whoever goes on cuts it off.
            self.failed = True
            raise

    def check(self) -> None:
        """See whether the file is still as it was written.

        Raises:
            Stopped: another program has removed or changed it.
        """
        if fault := self.file.fault:
            self.failed = True
            raise Stopped(f"{fault} ({self.file.path})")

    def expect_no_more(self) -> None:
        """See whether all that the file has was said again.

        Raises:
            SudokuError: it has more, as of another puzzle.
        """
        if self.known:
            raise SudokuError(f"{self.kept} has more than this run says; are the puzzles and all options the same?")

    @property
    def kept(self) -> Path:
        """Where what was written is, if the run ends now."""
        return self.path if self.whole else self.file.path

    @property
    def advice(self) -> str:
        """How to go on if the run ends now, where there is something to go on with."""
        return journal.advice(self.file, self.kept) if self.file.size else ""

    def _cut(self) -> None:
        if self.cut:
            journal.cut(self.file, self.file.tell())
            self.cut = self.whole = False

    def _line(self, there: bytes, text: bytes) -> int:
        """Return the line of the first difference, from 1."""
        pairs = zip(there, text, strict=False)
        same = next((at for at, (one, other) in enumerate(pairs) if one != other), len(there))
        start = self.file.tell() - len(there)
        self.file.seek(0)
        lines = there[:same].count(b"\n") + 1
        while start:
            chunk = self.file.read(min(start, _CHUNK))
            lines, start = lines + chunk.count(b"\n"), start - len(chunk)
        return lines

    def __enter__(self) -> "Listing":
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Give the file its name if all went well; else leave what is there, to be resumed."""
        with self.file:
            if kind is None and not self.failed and not self.known:
                self._cut()
                journal.finish(self.file, self.path)
            elif self.whole:
                journal.give_back(self.file, self.path)
            elif not self.resumed and not self.file.size:
                # Bad input, say: there is nothing to resume.
                self.file.remove()
