"""Write all solutions of puzzles, to standard output, a file, or a folder of files."""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_encode.errors import INTERRUPTED, FormatError, SudokuError, missing_package, plural
from sudoku_encode.formats.table import DEFAULT_FORM, TEXT_FORMATS
from sudoku_encode.report.printing import Printer, grid_texts, prefix, progress
from sudoku_encode.report.reading import Outcome, PuzzleInput, no_solution_reason, total
from sudoku_encode.report.streams import Choices, quiet, remark
from sudoku_encode.run.events import Event, SolutionsFound
from sudoku_encode.run.status import status_of_count
from sudoku_encode.storage.outputs import is_special, refuse_inputs

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.answers import BatchQuestion
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.run.asking import Numbered
    from sudoku_encode.run.counting import Count
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool


class SolutionForm(NamedTuple):
    """How solutions are written."""

    method: str  # in the records
    to: str | None  # the format of the grids as text
    as_json: bool
    stats: bool = False  # whether the figures of the solver are reported


def list_solutions(
    source: PuzzleInput, question: "BatchQuestion", form: SolutionForm, output: str, resume: bool
) -> int:
    """Write all solutions of each puzzle to a file or `-`, and return the exit status."""
    from sudoku_encode.storage.listing import Listing

    outcome = Outcome()
    refuse_inputs(source.inputs, output, f"{output}.part")
    with _opened(output, resume) as listing:
        written = SolutionWriter(source, listing.put, form)
        for number, puzzle, counted in _list_all(written, question, output != "-"):
            confirmed = _write_verdict(listing, written, counted, puzzle)
            outcome.note(confirmed)
            if not quiet.get():
                remark(f"{prefix(number, source)}{total(confirmed, puzzle)}")
                if form.stats and not form.as_json and (figures := written.choices.take_figures()):
                    remark(f"{prefix(number, source)}{figures}")
            written.choices.take()
            if isinstance(listing, Listing) and (
                listing.failed or (listing.bytes_to_compare and not confirmed.complete)
            ):
                outcome.incomplete = True
                if listing.advice:
                    remark(listing.advice)
                break
            if counted.stopped == INTERRUPTED:
                break
        else:
            written.bad_ones()
            if isinstance(listing, Listing):
                listing.expect_no_more()
    return outcome.status(source)


def _write_verdict(listing: Any, written: "SolutionWriter", counted: "Count", puzzle: "Puzzle") -> "Count":
    """Write the number of solutions below those of a puzzle, unless some are missing in a file; return the number."""
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.storage.listing import Listing

    if not isinstance(listing, Listing):
        written.verdict(counted, puzzle, to_file=False)
        return counted
    if listing.failed or (listing.bytes_to_compare and not counted.complete):
        return counted
    try:
        written.verdict(counted, puzzle, to_file=True)
        listing.check()
    except StoppedError as reason:
        # Some solutions may be missing in the file.
        return replace(counted, complete=False, stopped=reason.reason)
    return counted


class SolutionWriter:
    """Writes the solutions of each puzzle, their number below them, and invalid puzzles in their places.

    Args:
        source: the puzzles.
        put: called with the bytes.
        form: of the solutions.
    """

    def __init__(self, source: PuzzleInput, put: Callable[[bytes], object], form: SolutionForm) -> None:
        self.source, (self.method, self.to, self.as_json, _) = source, form
        self.choices = Choices(lambda event: True, form.stats)
        self.printer = Printer(form.to, put)
        # The puzzles that are read but have no verdict yet.
        self._read: deque[SourceItem] = deque()

    def puzzles(self) -> "Iterator[Numbered]":
        """Yield the valid puzzles with their numbers."""
        for item in self.source.entries():
            self._read.append(item)
            if not isinstance(item.entry.content, FormatError):
                yield item.number, item.entry.content

    def solutions(self, puzzle: "Puzzle", grids: "Grids") -> None:
        """Write some solutions of the next puzzle, (m, n_cells)."""
        self.bad_ones()
        if not self.as_json:
            self.printer.grids(puzzle, grids)
            return
        begin = json.dumps(self._read[0].place.record("solution", self.method))[:-1]
        texts = grid_texts(puzzle.geometry, grids, "json")
        self.printer.put("".join(f'{begin}, "solution": {text}}}\n' for text in texts).encode())

    def verdict(self, counted: "Count", puzzle: "Puzzle", to_file: bool) -> None:
        """Write the number of solutions of the next puzzle; as text only to a file, since people read a remark."""
        self.bad_ones()
        item = self._read.popleft()
        if self.as_json:
            record = item.place.record(status_of_count(counted), self.method)
            record |= {"count": counted.value, "complete": counted.complete}
            reason = counted.stopped or ("" if counted.value else no_solution_reason(puzzle).removeprefix(": "))
            work = {name: field for name, field in self.choices.take().items() if name == "work"}
            self.printer.line(json.dumps(record | {"reason": reason or None} | work))
        elif to_file and self.to in (None, "line"):
            self.printer.line(f"# {total(counted, puzzle)}")

    def bad_ones(self) -> None:
        """Write the invalid puzzles before the next one in their places."""
        while self._read and isinstance(error := self._read[0].entry.content, FormatError):
            item = self._read.popleft()
            if self.as_json:
                self.printer.line(json.dumps(item.place.record("bad input") | {"reason": error.message}))
            elif not TEXT_FORMATS[self.to or "line"].is_document:
                self.printer.line(f"# puzzle {item.number}: bad input: {error.message}")


def _opened(output: str, resume: bool) -> AbstractContextManager[Any]:
    """Open the output: a file that can be resumed, or a stream, which cannot."""
    from sudoku_encode.storage.files import SUFFIXES, writing
    from sudoku_encode.storage.listing import Listing

    path = Path(output)
    if output == "-" or is_special(path) or path.suffix in SUFFIXES:
        if resume:
            raise SudokuError(f"--resume needs a plain file after -o, not {output}")
        return _stream(writing(output))
    return Listing(path, resume)


@contextmanager
def _stream(opened: AbstractContextManager[Any]) -> "Iterator[Any]":
    with opened as put:
        yield SimpleNamespace(put=put)


def _list_all(
    written: SolutionWriter, question: "BatchQuestion", to_file: bool
) -> "Iterator[tuple[int, Puzzle, Count]]":
    """Write all solutions of each puzzle, and yield the number written; for a file, show the progress."""
    from sudoku_encode.methods.limited_calls import list_each
    from sudoku_encode.run.machine import uninterrupted

    n_written = 0

    def observe(item: "Numbered", event: Event) -> None:
        nonlocal n_written
        if not isinstance(event, SolutionsFound):
            written.choices.observe(item, event)
        else:
            shown.hide()
            # Ctrl-C between the two would leave a wrong number of solutions in the file.
            with uninterrupted() if to_file else nullcontext():
                written.solutions(item[1], event.grids)
                n_written += len(event.grids)
            if not to_file:
                sys.stdout.flush()

    arguments = question.method, question.limits, question.options, observe, to_file, question.pool
    with progress("searching ...", total=written.source.total) as shown:
        for (number, puzzle), counted, _ in list_each(written.puzzles(), *arguments):
            # After Ctrl-C the number written may differ from the number found.
            yield number, puzzle, replace(counted, value=n_written)
            n_written = 0
            shown.advance(1)


# Folders with all solutions of a puzzle, written by `enumerate -o FOLDER/` and checked by `enumerate --check`.


class FolderTarget(NamedTuple):
    """Where the solutions of puzzles are written to files."""

    folder: Path
    form: str | None  # of the files; by default compressed if that is possible
    resume: bool


def list_to_folders(source: PuzzleInput, target: FolderTarget, limits: "Limits", pool: "Pool") -> int:
    """List all solutions of each puzzle to files in a folder, and return the exit status.

    A single puzzle uses the folder itself, and each of many a folder in it, named by its number.

    Raises:
        SudokuError: as `list_to_folder`.
    """
    from sudoku_encode.methods.solution_folder import Target, list_to_folder

    (home, form, to_resume), outcome = target, Outcome()
    form = form or _default_form()
    number = 0
    with progress("searching ...", total=source.total) as shown:
        for number, puzzle in source.puzzles():
            if source.many and not to_resume and number == 1:
                _refuse_full(home)
            if source.many and to_resume and number == 1:
                _refuse_others(home, source.total())
            folder = home / str(number) if source.many else home
            # A puzzle that the earlier run did not begin cannot be resumed.
            resume = to_resume and not (source.many and not folder.exists())
            counted = list_to_folder(puzzle, Target(folder, form, number, resume), limits, pool)
            outcome.note(counted)
            shown.advance(1)
            shown.hide()
            advice = "" if counted.complete else f"; {folder}/ keeps its files: continue with --resume"
            remark(f"{prefix(number, source)}{total(counted, puzzle)}{advice}")
            if counted.stopped == INTERRUPTED:
                break
        else:
            if source.many and to_resume:
                _refuse_others(home, number)
    return outcome.status(source)


def _default_form() -> str:
    """Return the default form of the files, with a remark if they cannot be compressed."""
    from sudoku_encode.formats.grid_files import default_form

    form = default_form()
    if form != DEFAULT_FORM:
        remark(f"files of the form {form}: {missing_package('zstandard', DEFAULT_FORM)}")
    return form


def _refuse_full(folder: Path) -> None:
    if folder.exists() and any(folder.iterdir()):
        raise SudokuError(f"{folder}: the folder is not empty: continue with --resume, or give another folder")


def _refuse_others(home: Path, n_puzzles: int | None) -> None:
    """Refuse a folder in which an earlier run listed the solutions of one puzzle, or of more puzzles than now."""
    from sudoku_encode.formats.solution_folder import MANIFEST
    from sudoku_encode.methods.solution_folder import JOURNAL

    for path in home.iterdir() if home.is_dir() else ():
        many = path.name.isdecimal() and n_puzzles is not None and int(path.name) > n_puzzles
        if many or path.name in (MANIFEST, JOURNAL):
            puzzles = f"{int(path.name):,} puzzles or more" if many else "one puzzle"
            raise SudokuError(f"{path}: it belongs to a run of {puzzles}; give -o another folder")


def check_folder(folder: Path) -> int:
    """Check a folder of solutions, print the result, and return the exit status.

    Raises:
        SudokuError: no such folder; a package for its files is not installed.
    """
    from sudoku_encode.formats.solution_folder import check_solutions, is_solution_folder

    if not is_solution_folder(folder):
        if folder.is_dir() and (folder / "manifest.part").exists():
            raise SudokuError(
                f"{folder}: the solutions are incomplete, since the run was stopped; continue with --resume"
            )
        raise SudokuError(f"{folder}: not a folder written by `enumerate`: it has no manifest.json")
    try:
        with progress("checking ..."):
            n = check_solutions(folder)
    except FormatError as reason:
        print("refused")
        remark(f"refused: {reason}")
        return 1
    print(f"{n} {plural('solution', n)}, all correct")
    return 0 if n else 1
