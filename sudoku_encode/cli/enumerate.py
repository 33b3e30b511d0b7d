"""The command enumerate: all solutions."""

import json
import sys
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options, solution_folder
from sudoku_encode.cli.answers import Outcome, total, why_none
from sudoku_encode.cli.printing import Printer, Shown, prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import grid_texts, status
from sudoku_encode.cli.remarks import quiet, remark
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.formats.table import DEFAULT_FORM, GRID_FILES, TEXT_FORMATS
from sudoku_encode.run.events import Event, Found, MethodChosen, emit
from sudoku_encode.storage.outputs import is_folder, refuse_inputs, special

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.methods.asking import Numbered
    from sudoku_encode.methods.question import Question
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.run.counting import Count


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    limit: options.Limit = None,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    to_file: options.OutputOptions,
    form: Annotated[
        str | None,
        typer.Option(
            help="The form of the files in a folder: "
            + "; ".join(f"{name}, {text}" for name, text in GRID_FILES.items())
            + f". By default {DEFAULT_FORM}, or txt where zstandard is not installed.",
            show_default=False,
            **options.one_of(GRID_FILES),
        ),
    ] = None,
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="List nothing, and check this folder: each file, and that each grid is a solution.",
            show_default=False,
        ),
    ] = None,
    work: options.WorkOptions,
) -> None:
    """Print all solutions of each puzzle, each once, as they are found; standard error says whether that was all.

    A file that is written with -o is called FILE.part until the run ends; its last line says whether it is complete.
    A run that was killed goes on with --resume, with the same puzzles and options.

    Where -o is a folder, all solutions go to files of up to a million there, and manifest.json says which; a folder
    that is complete can be read as a file of puzzles can.

    The exit status is 3 when it is not proved that there are no more, because of a limit, a time limit, Ctrl-C or a
    full disk.
    """
    unused = solution_folder.options_of(method=method, limit=limit, to=to, as_json=as_json, solver=solver)
    if check is not None:
        raise typer.Exit(solution_folder.checked(Path(check), given, to_file, form, limits, work, unused))
    if to_file.output != "-" and is_folder(to_file.output):
        raise typer.Exit(solution_folder.listed(given, to_file, form, limits, work, unused))
    solution_folder.refuse({"--form": form is not None}, "a file; give -o a folder, such as all/")
    from sudoku_encode.methods.question import Question
    from sudoku_encode.run.counting import INTERRUPTED
    from sudoku_encode.storage.listing import Listing

    source, outcome = PuzzleInput(given), Outcome()
    refuse_inputs(source.inputs, to_file.output, f"{to_file.output}.part")
    with _opened(to_file.output, to_file.resume) as listing:
        written = _Written(source, listing.put, method, to, as_json)
        question = Question(method, limits.limits(limit), solver.options(), pool=work.pool())
        for number, puzzle, counted in _list_all(written, question, to_file.output != "-"):
            known = _write_verdict(listing, written, counted, puzzle)
            outcome.note(known)
            if not quiet.get():
                remark(f"{prefix(number, source)}{total(known, puzzle)}")
            if isinstance(listing, Listing) and (listing.failed or (listing.bytes_to_compare and not known.complete)):
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
    raise typer.Exit(outcome.status(source))


def _write_verdict(listing: Any, written: "_Written", counted: "Count", puzzle: "Puzzle") -> "Count":
    """Write below the solutions of a puzzle how many there are, unless a file lacks some; return what it holds."""
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
        return replace(counted, complete=False, stopped=str(reason))
    return counted


class _Written:
    """Writes the solutions of each puzzle, what is known of it below them, and in its place what is no puzzle.

    Args:
        source: the puzzles.
        put: takes the bytes.
        method: a key of METHODS.
        to: the format of the grids as text.
        as_json: whether each is a JSON object.
    """

    def __init__(
        self, source: PuzzleInput, put: Callable[[bytes], object], method: str, to: str | None, as_json: bool
    ) -> None:
        self.source, self.method, self.as_json, self.to = source, method, as_json, to
        self.printer = Printer(to, put)
        # What was read and has no verdict yet.
        self._read: deque[Located] = deque()

    def puzzles(self) -> "Iterator[Numbered]":
        """Yield the good puzzles with their numbers."""
        for one in self.source.entries():
            self._read.append(one)
            if not isinstance(one.entry.found, FormatError):
                yield one.number, one.entry.found

    def solutions(self, puzzle: "Puzzle", grids: "Grids") -> None:
        """Write some solutions of the next puzzle, (m, n_cells)."""
        self.bad_ones()
        if not self.as_json:
            self.printer.grids(puzzle, grids)
            return
        begin = json.dumps(self._read[0].place.record("solution", self.method))[:-1]
        texts = grid_texts(grids, "json")
        self.printer.put("".join(f'{begin}, "solution": {text}}}\n' for text in texts).encode())

    def verdict(self, counted: "Count", puzzle: "Puzzle", to_file: bool) -> None:
        """Write how many solutions the puzzle has that is next; as text only to a file, since people read a remark."""
        self.bad_ones()
        one = self._read.popleft()
        if self.as_json:
            record = one.place.record(status(counted, False), self.method)
            record |= {"count": counted.value, "complete": counted.complete}
            reason = counted.stopped or ("" if counted.value else why_none(puzzle).removeprefix(": "))
            self.printer.line(json.dumps(record | {"reason": reason or None}))
        elif to_file and self.to in (None, "line"):
            self.printer.line(f"# {total(counted, puzzle)}")

    def bad_ones(self) -> None:
        """Write in its place what is no puzzle and comes before the next."""
        while self._read and isinstance(error := self._read[0].entry.found, FormatError):
            one = self._read.popleft()
            if self.as_json:
                self.printer.line(json.dumps(one.place.record("bad input") | {"reason": error.message}))
            elif not TEXT_FORMATS[self.to or "line"].is_document:
                self.printer.line(f"# puzzle {one.number}: bad input: {error.message}")


def _opened(output: str, resume: bool) -> AbstractContextManager[Any]:
    """Open where solutions go: a file that can be resumed, or a stream, which cannot."""
    from sudoku_encode.storage.files import SUFFIXES, writing
    from sudoku_encode.storage.listing import Listing

    path = Path(output)
    if output == "-" or special(path) or path.suffix in SUFFIXES:
        if resume:
            raise SudokuError(f"--resume needs a plain file after -o, not {output}")
        return _stream(writing(output))
    return Listing(path, resume)


@contextmanager
def _stream(opened: AbstractContextManager[Any]) -> "Iterator[Any]":
    with opened as put:
        yield SimpleNamespace(put=put)


def _list_all(written: _Written, question: "Question", to_file: bool) -> "Iterator[tuple[int, Puzzle, Count]]":
    """Write all solutions of each puzzle, and yield how many were written; for a file, show the progress.

    Args:
        written: writes them.
        question: by which method, within which limits, and how many puzzles at a time.
        to_file: whether they go to a file.
    """
    from sudoku_encode.methods.asking import list_each
    from sudoku_encode.run.interrupts import uninterrupted

    n_written = 0

    def observe(item: "Numbered", event: Event) -> None:
        nonlocal n_written
        if isinstance(event, MethodChosen):
            remark(f"by {event}")
        elif not isinstance(event, Found):
            emit(event)
        else:
            # Ctrl-C between the two would leave a number in the file that is not that of its solutions.
            with uninterrupted() if to_file else nullcontext():
                written.solutions(item[1], event.grids)
                n_written += len(event.grids)
            if not to_file:
                sys.stdout.flush()

    asked = question.method, question.limits, question.options, observe, to_file, question.pool
    with progress("searching ...", total=written.source.total) if to_file else nullcontext(Shown()) as shown:
        for (number, puzzle), counted, _ in list_each(written.puzzles(), *asked):
            # After Ctrl-C the number that was written may differ from the number that was found.
            yield number, puzzle, replace(counted, value=n_written)
            n_written = 0
            shown.advance(1)
