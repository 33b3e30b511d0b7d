"""The command verify: many methods on each puzzle, compared."""

import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import several_of
from sudoku_encode.cli.printing import progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import complain, remark
from sudoku_encode.cli.streams import output_is_closed
from sudoku_encode.cli.verify_text import sentences
from sudoku_encode.errors import FormatError, StoppedError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.run.events import Progress, emit

if TYPE_CHECKING:
    from sudoku_encode.formats.place import Place
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.verifying import Case, Report, Shrunk


def command(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...",
            help="Files, folders, - for standard input, or the puzzles themselves; left out, the empty board of "
            "--board. What a known.toml in or above a folder says is compared.",
            show_default=False,
        ),
    ] = None,
    *,
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    constraints: options.Constraints = None,
    methods: Annotated[
        str,
        typer.Option(
            help="The methods to run where they take the board, separated by commas.",
            autocompletion=several_of(("all", *METHODS)),
        ),
    ] = "all",
    timeout: Annotated[
        float, typer.Option(min=0.01, callback=options.finite, help="Seconds for each method on each puzzle.")
    ] = 10.0,
    memory: Annotated[
        str | None,
        typer.Option(
            help="Memory for each method on each puzzle, such as 500M or 2G. On Linux only; by default 2G there.",
            show_default=False,
        ),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, help="How many solutions each method lists at most.")] = 100_000,
    shrink: Annotated[
        bool, typer.Option("--shrink", help="Look for the smallest puzzle on which a method fails the same way.")
    ] = False,
    as_json: options.Json = False,
    output: Annotated[
        str,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write the results to this file too, as --json prints them.",
            show_default=False,
        ),
    ] = "-",
    resume: Annotated[
        bool,
        typer.Option("--resume", help="Go on with a file of -o whose run did not end; its results stay."),
    ] = False,
    work: options.WorkOptions,
) -> None:
    """Run many methods on each puzzle, each in its own process, and compare what they say.

    A number is confirmed when two methods that share no code list the same solutions, prove that there are no more, and
    every grid that any method lists is a solution. The exit status is 1 when a method is wrong or an expected number
    is, 3 when a number could not be confirmed.

    A file that is written with -o is called FILE.part until every puzzle is done. A run that was stopped goes on with
    --resume, with the same puzzles and options: what the file has is shown from there and not run again.
    """
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.storage.journal import results
    from sudoku_encode.storage.outputs import refuse_inputs
    from sudoku_encode.verifying import DEFAULT_LIMITS
    from sudoku_encode.verifying.cases import chosen
    from sudoku_encode.verifying.record import STATUSES, records

    limits = Limits(limit, timeout, DEFAULT_LIMITS.memory if memory is None else options.in_bytes(memory))
    given, pool = options.PuzzleOptions(None, board, rules, alphabet, source_format, constraints), work.pool()
    cases = _Cases(given, chosen(methods))
    wanted = [case for argument in puzzles or [""] for case in cases.of(argument)]
    if cases.bad and not wanted:
        # What is wrong has been said.
        raise typer.Exit(2)
    refuse_inputs(cases.inputs, output, f"{output}.part")
    smallest = partial(_smallest, limits=limits) if shrink else None
    tally: Counter[str] = Counter()
    begun, many, stopped = time.monotonic(), len(wanted) > 1, ""
    with results(output, resume) as journal:
        try:
            with progress("running all methods ...", total=lambda: len(wanted)) as shown:
                for case, found in records(wanted, journal, limits, pool, sentences, smallest):
                    shown.hide()
                    tally[found["status"]] += 1
                    # With standard output closed, the file still gets all results.
                    if not (journal and output_is_closed()):
                        print(json.dumps(found) if as_json else sentences(case, found, many), flush=True)
                    shown.advance(1)
        except (KeyboardInterrupt, StoppedError) as reason:
            stopped = str(reason) or "interrupted"
            advice = journal.advice() if journal else ""
            remark(f"{stopped}: {tally.total():,} of {len(wanted):,} puzzles are done{advice}")
        else:
            if journal:
                journal.finish()
    if many:
        parts = ", ".join(f"{tally[status]} {status}" for status in STATUSES)
        remark(f"{tally.total()} puzzles: {parts}; {time.monotonic() - begun:.1f} s")
    raise typer.Exit(2 if cases.bad else 1 if tally["disagree"] else 3 if stopped or tally["unconfirmed"] else 0)


@dataclass
class _Cases:
    """The cases that some arguments name.

    Attributes:
        given: the options that say what the puzzles are.
        methods: the names of the methods to run.
        inputs: the files that were read for them.
        bad: whether something was reported as bad.
    """

    given: options.PuzzleOptions
    methods: tuple[str, ...]
    inputs: list[str | Path] = field(default_factory=list)
    bad: bool = False

    def of(self, argument: str) -> "Iterator[Case]":
        """Yield the cases of an argument; what is bad is reported on standard error."""
        from sudoku_encode.formats.known_counts import NAME
        from sudoku_encode.verifying.cases import of_source

        free = self.given.board is None and self.given.rules is None and not self.given.constraints
        for case in of_source(argument, self._read, self.methods, free):
            if isinstance(case, FormatError):
                self.bad = True
                complain(case)
                continue
            if case.known:
                self.inputs += [case.known.home / NAME, case.known.home / case.known.file]
            yield case

    def _read(self, source: str) -> "Iterator[tuple[Place, str, Puzzle]]":
        from sudoku_encode.formats.known_counts import NAME, home_of

        found = PuzzleInput(self.given._replace(puzzles=[source] if source else None))
        file = Path(source) if os.path.isfile(source) else None  # noqa: PTH113  -- a text may be too long for a name
        self.inputs += [*found.inputs, *([home / NAME] if file and (home := home_of(file)) else [])]
        for one in found.entries():
            puzzle = one.entry.found
            if isinstance(puzzle, FormatError):
                continue
            name = str(file) if file else puzzle.name or puzzle.geometry.name
            yield one.place, f"{name}#{one.number}" if found.many else name, puzzle
        self.bad |= found.bad


def _smallest(report: "Report", limits: "Limits") -> "list[Shrunk]":
    """Return for each fault the smallest puzzle that shows it, where it shows again."""
    from sudoku_encode.verifying import shrink

    emit(Progress("shrinking ..."))
    shrunk = [shrink(report, fault, limits) for fault in report.faults]
    return [found for found in shrunk if found is not None]
