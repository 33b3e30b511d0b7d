"""Write all solutions of a puzzle to a folder, in parts on any executor; an interrupted run can be resumed.

The puzzle alone determines the order of its parts, and a file contains as many of them as fit. So the bytes of the
files depend neither on the workers nor on how often the run was stopped. Until the list is complete, a journal says
which parts each file contains and which parts these left: a run that resumes does not list them again.
"""

import re
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable
from contextlib import ExitStack, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, NamedTuple

from sudoku_encode import __version__, search
from sudoku_encode.errors import InternalError, MethodError, StoppedError, SudokuError
from sudoku_encode.formats import grid_files
from sudoku_encode.formats.solution_folder import (
    FILE_NAME,
    MANIFEST,
    GridFile,
    Manifest,
    check_names,
    file_name,
    header,
    is_solution_folder,
    read_manifest,
)
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.counting import Count, stop_reason
from sudoku_encode.run.events import Remark, emit
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.parts import Number, as_text
from sudoku_encode.run.pools import Pool, pool_of
from sudoku_encode.search.in_parts import listed_answers
from sudoku_encode.search.part import Part, PartListing, unpack_grids
from sudoku_encode.storage.folder_files import (
    Digest,
    WrittenFile,
    file_fault,
    other_names,
    remove_unfinished,
    write_error,
    writing_whole,
)
from sudoku_encode.storage.outputs import make_folder as made_folder
from sudoku_encode.storage.part_journal import PartJournal, Record

JOURNAL = "manifest.part"
METHOD = "search"
_OWN_FILES = re.compile("|".join([re.escape(JOURNAL), re.escape(MANIFEST), FILE_NAME.pattern]))
# How many solutions a file has at most, and about how many bytes of text.
FILE_SOLUTIONS, FILE_BYTES = 1_000_000, 1 << 28


class Target(NamedTuple):
    """The folder for the solutions of a puzzle, and the form of its files.

    Attributes:
        folder: made if it does not exist.
        form: a key of GRID_FILES.
        number: of the puzzle, for the column `puzzle` of a table.
        resume: whether to resume an earlier run.
    """

    folder: Path
    form: str
    number: int = 1
    resume: bool = False


def list_to_folder(puzzle: Puzzle, target: Target, limits: Limits, pool: Pool) -> Count:
    """List all solutions of a puzzle to files.

    Returns:
        The number of solutions. If it is not complete, it has the reason, and the solutions are those in whole files;
        another run can resume.

    Raises:
        MethodError: the board has too many values; or there is a limit on solutions, which a folder does not take.
        SudokuError: the folder contains other files, or cannot be written; a library that the form needs is missing.
    """
    board = puzzle.geometry
    limits.without_solutions("a folder")
    if unfit := grid_files.unsupported_reason(board) or search.unsupported_reason(board):
        raise MethodError(unfit)
    if puzzle.extended is not puzzle:
        raise MethodError("solutions of a puzzle with hidden cells cannot be written to a folder; write them to a file")
    grid_files.check_form(target.form)
    _check_folder(target)
    made_folder(target.folder)
    if (earlier_count := _complete(puzzle, target)) is not None:
        return earlier_count
    header_ = header(puzzle, METHOD, target.form) | {"most": _most(puzzle), "program": __version__}
    try:
        opened = PartJournal(target.folder / JOURNAL, header_)
    except StoppedError as reason:
        return Count(0, False, reason.reason)
    with opened as journal:
        remove_unfinished(target.folder)
        good, earlier = _earlier(journal, target.folder)
        with _Files(puzzle, target, good, journal.put) as files:
            try:
                with nullcontext(pool) if not pool.is_here else pool_of(f"processes:{pool.size}") as workers:
                    for number, listed in listed_answers(
                        puzzle,
                        workers,
                        limits.start(),
                        most=_most(puzzle),
                        memory=limits.memory,
                        earlier=earlier,
                    ):
                        files.add(number, listed)
                files.close()
                _write_manifest(Manifest(puzzle, METHOD, target.form, tuple(files.done)), target.folder)
            except (StoppedError, KeyboardInterrupt, MemoryError) as reason:
                return Count(files.n_done, False, stop_reason(reason))
        journal.remove()
    return Count(files.n_done, True)


def _most(puzzle: Puzzle) -> int:
    return min(FILE_SOLUTIONS, FILE_BYTES // (puzzle.geometry.n_cells + 1))


def _check_folder(target: Target) -> None:
    """Refuse a folder that is not empty, unless the run resumes; then refuse one without an earlier run."""
    folder = target.folder
    try:
        names = {path.name for path in folder.iterdir()} if folder.exists() else set()
    except OSError as error:
        raise SudokuError(f"{folder}: cannot create a folder for solutions: {error.strerror}") from error
    if names and not target.resume:
        written = names & {JOURNAL, MANIFEST}
        advice = "continue with --resume, or give another folder" if written else "give a folder that is empty or new"
        raise SudokuError(f"{folder}: the folder is not empty: {advice}")
    if target.resume and not names & {JOURNAL, MANIFEST}:
        raise SudokuError(f"{folder}: there is nothing to resume")
    if target.resume and (foreign := other_names(folder, _OWN_FILES)):
        raise SudokuError(f"{folder / foreign[0]} is not a file of solutions; move it elsewhere")


def _complete(puzzle: Puzzle, target: Target) -> Count | None:
    """Return the count of the solutions in the folder if it is complete; None if they must be listed."""
    folder = target.folder
    if not is_solution_folder(folder):
        return None
    manifest = read_manifest(folder)
    expected = header(puzzle, METHOD, target.form)
    _check_same(header(manifest.puzzle, manifest.method, manifest.form), expected, folder / MANIFEST)
    check_names(folder, manifest)
    for file in manifest.files:
        if wrong := file_fault(folder / file.name, file.digest):
            emit(Remark(f"{folder / file.name}: {wrong}; writing all files again"))
            (folder / MANIFEST).unlink()
            return None
    (folder / JOURNAL).unlink(missing_ok=True)
    return Count(manifest.solutions, True)


def _check_same(record: Record, expected: Record, path: Path) -> None:
    different = [key for key in expected if record.get(key) != expected[key]]
    if different:
        raise SudokuError(f"{path}: belongs to another run: different {different[0]}")


def _write_manifest(manifest: Manifest, folder: Path) -> None:
    with writing_whole(folder / MANIFEST) as (file, _):
        file.write(manifest.text().encode())


class _Files:
    """Writes the files of a folder, one after the other. As a context manager it removes an incomplete file.

    Args:
        puzzle: the puzzle.
        target: the folder, and the form of its files.
        good: by name, valid files of an earlier run.
        keep: writes a record to the journal.

    Attributes:
        done: the complete files.
    """

    def __init__(
        self, puzzle: Puzzle, target: Target, good: dict[str, GridFile], keep: Callable[[Record], None]
    ) -> None:
        self.puzzle, self.target, self.good, self.keep = puzzle, target, good, keep
        self.done: list[GridFile] = []
        self._most = _most(puzzle)
        self._parts: list[Record] = []
        self._n = 0
        self._open: ExitStack | None = None
        self._put: Callable[[Grids], None]
        self._written: WrittenFile

    @property
    def n_done(self) -> int:
        """The number of solutions in complete files."""
        return sum(file.solutions for file in self.done)

    def add(self, number: Number, listed: PartListing) -> None:
        """Add a part to the current file, if it fits, else to the next one; raises as `close`."""
        n = sum(listed.numbers)
        if n and self._n and self._n + n > self._most:
            self.close()
        self._parts.append(
            {"part": as_text(number), "count": n, "left": [_as_record(part) for part in listed.unfinished]}
        )
        self._n += n
        if not n or self._name in self.good:
            return
        if not listed.grids:
            raise InternalError(f"the solutions of part {as_text(number)} are missing")
        grids = unpack_grids(listed.grids, self.puzzle.geometry, n)
        try:
            if self._open is None:
                self._begin()
            self._put(grids)
        except OSError as error:
            raise write_error(self.target.folder / self._name, error) from error

    @property
    def _name(self) -> str:
        return file_name(len(self.done) + 1, self.target.form)

    def _begin(self) -> None:
        target = self.target
        self._open = ExitStack()
        file, self._written = self._open.enter_context(writing_whole(target.folder / self._name))
        writer = grid_files.grids_to(target.form, self.puzzle.geometry, target.number, file)
        self._put = self._open.enter_context(writer)

    def close(self) -> None:
        """Give the current file, if there is one, its name, and note its parts in the journal.

        Raises:
            SudokuError: it cannot be written.
            StoppedError: the disk is full.
        """
        if not self._n:
            return
        file = self.good.get(self._name)
        if file is None:
            assert self._open is not None
            opened, self._open = self._open, None
            opened.close()
            assert self._written.digest is not None
            file = GridFile(self._name, self._n, self._written.digest)
            self.keep(file.record | {"parts": self._parts})
        self.done.append(file)
        self._parts, self._n = [], 0

    def __enter__(self) -> "_Files":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._open is not None:
            opened, self._open = self._open, None
            # With an error the file does not get its name; and writing its end may fail on a full disk too.
            with suppress(StoppedError, SudokuError):
                opened.__exit__(StoppedError, StoppedError("not complete"), None)


def _as_record(part: Part) -> list[Any]:
    return [b64encode(part.boards).decode(), list(part.times)]


def _earlier(journal: PartJournal, folder: Path) -> tuple[dict[str, GridFile], dict[Number, PartListing]]:
    """Return the unchanged files of an earlier run, and the parts that they contain."""
    records: dict[str, tuple[GridFile, dict[Number, PartListing]]] = {}
    for line, record in enumerate(journal.records):
        try:
            digest = Digest(int(record["bytes"]), str(record["sha256"]))
            file = GridFile(str(record["file"]), int(record["solutions"]), digest)
            records[file.name] = file, {_number(part["part"]): _listed(part) for part in record["parts"]}
        except (LookupError, TypeError, ValueError, AttributeError, Base64Error) as error:
            raise journal.fault(line, "this is not a file of solutions") from error
    good, earlier = dict[str, GridFile](), dict[Number, PartListing]()
    for name, (file, parts) in records.items():
        if wrong := file_fault(folder / name, file.digest):
            emit(Remark(f"{folder / name}: {wrong}; writing it again"))
            continue
        good[name] = file
        earlier |= parts
    return good, earlier


def _number(text: str) -> Number:
    return tuple(map(int, text.split(".")))


def _listed(record: Record) -> PartListing:
    left_parts = [Part(b64decode(boards, validate=True), tuple(map(int, times))) for boards, times in record["left"]]
    return PartListing(b"", (int(record["count"]),), left_parts)
