"""The command candidates: the values of each cell in the solutions."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import SudokuError
from sudoku_encode.render.table import DRAWINGS
from sudoku_encode.report.pictures import COLOURS, in_colour, refuse_terminal
from sudoku_encode.report.reading import PuzzleInput

if TYPE_CHECKING:
    from sudoku_encode.questions.true_candidates import CandidatesQuestion, TrueCandidates
    from sudoku_encode.report.solutions import CandidatesReport
    from sudoku_encode.run.asking import Answer, Numbered
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool


class CandidatesOptions(NamedTuple):
    """Options for the output, and for certificates."""

    counts: Annotated[
        bool,
        typer.Option("--counts", help="For each cell and value, count the solutions that contain it."),
    ] = False
    to: Annotated[str, typer.Option(help="The form of the output: text or a picture.", **options.one_of(DRAWINGS))] = (
        "text"
    )
    colour: Annotated[
        str,
        typer.Option(
            "--colour",
            help="Colour values in text by their share of the solutions; auto does this on a terminal.",
            **options.one_of(COLOURS),
        ),
    ] = "auto"
    prove: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Write a certificate of the output to this folder, and check it; many puzzles get a folder each.",
            show_default=False,
        ),
    ] = None
    check: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Check the certificate in this folder, trusting nothing in it, and print its candidates.",
            show_default=False,
        ),
    ] = None


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    own: CandidatesOptions,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    add: options.Add = None,
    work: options.WorkOptions,
) -> None:
    """Print the true candidates of each cell: the values that it has in some solution of the puzzle.

    The exit status is 1 if a puzzle has no solution, and 3 if a limit was reached, so that values may be missing.

    Details:

    A value is in brackets if it is the only one of a blank. With --counts, the lines below the grid list the number of
    solutions for each value of a cell with several values, or `at least` if not all solutions were counted. Each
    printed value is in a solution that was checked against the rules, and the method proves that no solution contains
    another value.

    With --prove, a folder is written that contains solutions with each printed value, and a proof that no solution has
    another value. It is checked at once, and with --check at any time (docs/internals/certificates.md).

    With --csv, a line is printed for each cell and value.
    """
    from sudoku_encode.methods.calls import find_method
    from sudoku_encode.questions.true_candidates import CandidatesQuestion
    from sudoku_encode.report.solutions import CandidatesReport
    from sudoku_encode.run.asking import ask_each

    form = options.record_form(as_json, as_csv, None if own.to == "text" else own.to, add)
    form = own.to if form == "text" else form
    if own.colour == "always" and form != "text":
        raise SudokuError("--colour is only for text")
    question = CandidatesQuestion(method, solver.options(), own.counts)
    if form in DRAWINGS:
        refuse_terminal(form)
    source = PuzzleInput(given)
    report = CandidatesReport(source, form, own.counts, form == "text" and in_colour(own.colour))
    if own.check is not None:
        if given.puzzles or given.board or own.prove or add is not None or question != CandidatesQuestion():
            raise SudokuError("--check takes a folder, but no puzzle or method: the folder contains the puzzle")
        raise typer.Exit(_check(own.check, limits.limits(), report))
    if own.prove is not None and (own.counts or not find_method(method).lists):
        excluded = "the numbers of --counts" if own.counts else f"the answers of method {method}, which only counts"
        raise SudokuError(f"--prove certifies solutions with each value, not {excluded}")
    report.add_columns(add)
    pool = work.pool()
    ask = partial(ask_each, question, limits=limits.limits(), pool=pool, on_event=report.observe)
    if own.prove is not None:
        ask = partial(_certified, question, report, Path(own.prove), limits.limits(), pool)
    raise typer.Exit(report.write(report.answered(ask)))


def _certified(
    question: "CandidatesQuestion",
    report: "CandidatesReport",
    folder: Path,
    limits: "Limits",
    pool: "Pool",
    puzzles: "Iterator[Numbered]",
) -> "Iterator[tuple[Numbered, Answer[TrueCandidates]]]":
    """Yield the answers for puzzles, with a certificate of each in a folder."""
    from sudoku_encode.api.true_candidates import certified_each

    source = report.source

    def folder_of(number: int) -> Path:
        return source.folder_of(folder, number)

    answers = certified_each(question, puzzles, folder_of, limits, on_event=report.observe, pool=pool)
    for item, answer, checked in answers:
        if checked is not None:
            report.proved[item[0]] = str(folder_of(item[0])), checked
        yield item, answer


def _check(folder: str, limits: "Limits", report: "CandidatesReport") -> int:
    """Check a certificate, print the proved candidates, and return the exit status."""
    from sudoku_encode.api.true_candidates import check_candidates
    from sudoku_encode.proving.folder import CANDIDATES, CERTIFICATE

    if (Path(folder) / CERTIFICATE).is_file() and not (Path(folder) / CANDIDATES).exists():
        raise SudokuError(f"{folder}: a certificate of all solutions; `sudoku-encode prove --check {folder}` checks it")
    return report.write_checked(folder, partial(check_candidates, folder, limits=limits))
