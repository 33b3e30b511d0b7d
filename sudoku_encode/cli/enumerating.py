"""The command enumerate: all solutions, to be read or kept."""

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.asking import Item, Limits, Tell, each, note, so_far, total
from sudoku_encode.cli.printing import Printer, prefix, progress
from sudoku_encode.cli.reading import Answers, Source, remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.solvers.table import DEFAULT_SOLVER
from sudoku_encode.storage.outputs import refuse_inputs, special

if TYPE_CHECKING:
    from sudoku_encode.methods import Options
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.run.result import Count
    from sudoku_encode.storage.listing import Listing


def enumerate_(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    method: options.AutoMethod = "auto",
    limit: options.Limit = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    reduce: options.Reduction = None,
    amo: options.Amo = "pairwise",
    sat_solver: options.SatSolver = DEFAULT_SOLVER,
    seed: options.Seed = 0,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    output: options.Output = "-",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a file of -o whose run did not end, or was stopped.")
    ] = False,
) -> None:
    """Print all solutions of each puzzle, each once, as they are found; standard error says whether that was all.

    A file that is written with -o is called FILE.part until the run ends; its last line says whether it is complete.
    A run that was killed goes on with --resume, with the same puzzles and options.

    The exit status is 3 when it is not proved that there are no more, because of a limit, a time limit, Ctrl-C or a
    full disk.
    """
    from sudoku_encode import methods
    from sudoku_encode.storage.listing import Listing

    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    answers = Answers()
    chosen = methods.Options(reduce, amo, sat_solver, seed)
    limits = Limits.of(limit, timeout, memory)
    refuse_inputs(source.inputs, output, f"{output}.part")
    with _writing(output, resume) as listing:
        shown = Printer(to, as_json, listing.put)
        for number, asked, counted in _listed(source, method, chosen, limits, shown, output != "-"):
            comment = to in (None, "line") and not as_json
            known = _ended(listing, counted, asked, comment) if isinstance(listing, Listing) else counted
            note(answers, known)
            remark(f"{prefix(number, source)}{total(known, asked)}")
            if isinstance(listing, Listing) and (listing.failed or (listing.known and not known.complete)):
                answers.incomplete = True
                if listing.advice:
                    remark(listing.advice)
                break
            if counted.stopped == "interrupted":
                break
        else:
            if isinstance(listing, Listing) and not source.bad:
                listing.expect_no_more()
    raise typer.Exit(source.exit_status(answers))


def _ended(listing: "Listing", counted: "Count", puzzle: "Puzzle", comment: bool) -> "Count":
    """Write below the solutions of a puzzle whether they are all, if the file has come so far; return what holds."""
    from sudoku_encode.errors import Stopped

    if listing.failed or (listing.known and not counted.complete):
        return counted
    try:
        if comment:
            listing.put(f"# {total(counted, puzzle)}\n".encode())
        listing.check()
    except Stopped as reason:
        # Not all solutions are there, or nobody knows how many.
        return replace(counted, complete=False, stopped=str(reason))
    return counted


def _writing(output: str, resume: bool) -> AbstractContextManager[Any]:
    """Open where solutions go: a file that can be resumed, or what cannot be taken up again."""
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


def _listed(
    source: Source,
    method: str,
    chosen: "Options",
    limits: Limits,
    shown: Printer,
    to_file: bool,
) -> "Iterator[tuple[int, Puzzle, Count]]":
    """Write all solutions of each puzzle, and yield how many were written; where that is a file, say how far it is.

    Args:
        source: the puzzles.
        method: a key of METHODS.
        chosen: what else the user wants.
        limits: of each puzzle.
        shown: where they go.
        to_file: whether that is a file.
    """
    from sudoku_encode import methods
    from sudoku_encode.run import result
    from sudoku_encode.run.interrupts import uninterrupted

    found = 0

    def ask(item: Item, tell: Tell) -> "Count":
        def batches() -> "Iterator[Grids]":
            for batch in methods.solutions(
                item[1], method, limits.budget(), chosen, lambda what: tell(("by", what)), to_file
            ):
                tell(("grids", batch))
                yield batch

        return result.count(batches())

    def told(item: Item, what: tuple[str, Any]) -> None:
        nonlocal found
        if what[0] == "by":
            remark(f"by {what[1]}")
            return
        # Between the two, a file would say another number than it holds.
        with uninterrupted() if to_file else nullcontext():
            shown.grids(*item, what[1])
            found += len(what[1])
        if to_file:
            watch(f"{found:,} solutions so far ...")
        else:
            sys.stdout.flush()

    with progress("searching ...") if to_file else nullcontext(lambda what: None) as watch:
        for number, asked, answer in each(source, method, ask, told, limits):
            # A key press may come between what is written and what is counted elsewhere.
            yield number, asked, replace(so_far(answer, found), value=found)
            found = 0
