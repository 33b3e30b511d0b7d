"""The command check."""

import json
import sys
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import status_of_all
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.cli.streams import has_lines
from sudoku_encode.errors import SudokuError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.cli.reading import Numbered
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.questions.checking import Verdict, Wishes
    from sudoku_encode.run.limits import Limits


def command(
    given: options.PuzzleOptions,
    *,
    minimize: Annotated[
        bool,
        typer.Option("--minimize", help="Of a unique puzzle, print a sub-puzzle none of whose givens can go."),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="In which order --minimize takes givens out: each seed may lead to another sub-puzzle. By default 0.",
            show_default=False,
        ),
    ] = None,
    towards: Annotated[
        str | None,
        typer.Option(
            metavar="SOLUTION",
            help="Of a puzzle with several solutions, the one that extra givens should leave: a file or the text. "
            "By default the first that is found.",
            show_default=False,
        ),
    ] = None,
    prove: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="Of a puzzle without a solution, certify that the givens that clash leave none; see `prove`.",
            show_default=False,
        ),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Print of each of many puzzles all that is printed of one.")
    ] = False,
    limits: options.LimitOptions,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Say of each puzzle whether it is unique, has several solutions or none, and what a setter wants to know then.

    Unique: which givens and constraints can go, one at a time. Several: two solutions with their differences, how many
    there are if that is quick to count, and extra givens that make it unique. None: givens that clash. As few givens as
    can be are searched for within --timeout, by default ten seconds; what is said to be the fewest is proved to be so.

    Of many puzzles each has a word alone, unless --details asks for more. The exit status is 0 where all are unique, 1
    where one is not, and 3 where that is not known.
    """
    if seed is not None and not minimize:
        raise SudokuError("--seed has no effect without --minimize")
    source = PuzzleInput(given)
    located = source.located()
    first = next(located)
    located = chain([first], located)
    if not source.many or details:
        wanted = _Wanted((seed or 0) if minimize else None, towards, prove)
        seen = _in_detail(source, located, wanted, limits.limits(), as_json, work)
    else:
        for name, value in (("--minimize", minimize), ("--towards", towards), ("--prove", prove)):
            if value:
                raise SudokuError(f"{name} is for one puzzle, or for many with --details")
        seen = _many(source, located, limits.limits(2), as_json, work)
    raise typer.Exit(status_of_all(seen, source))


def _many(
    source: PuzzleInput, located: "Iterator[Located]", limits: "Limits", as_json: bool, work: options.WorkOptions
) -> set[str]:
    """Print a word for each puzzle, or a short record; return the words."""
    from sudoku_encode.cli.check_text import answer_lines
    from sudoku_encode.methods.answers import answers
    from sudoku_encode.methods.options import Options
    from sudoku_encode.methods.question import BlockAnswer, Question
    from sudoku_encode.run.events import emit

    question, seen = Question("auto", limits, Options(), pool=work.pool()), set[str]()
    with progress("checking ...", total=source.total) as shown:
        for answer in answers(located, question, lambda item, event: emit(event)):
            shown.hide()
            words, text = answer_lines(answer, as_json)
            seen |= words
            sys.stdout.write(text)
            if not isinstance(answer, BlockAnswer):
                sys.stdout.flush()
            shown.advance(len(answer.counts) if isinstance(answer, BlockAnswer) else 1)
    return seen


class _Wanted(NamedTuple):
    """What is wanted of puzzles in detail: see the options."""

    seed: int | None
    towards: str | None
    prove: str | None

    def wishes(self, first: "Located") -> "Wishes":
        """Return what the check is asked for, where `first` has the only puzzle if a solution is wanted.

        Raises:
            SudokuError: the wanted solution is no grid of the puzzle's board.
        """
        from sudoku_encode.formats.reading import read
        from sudoku_encode.puzzles.puzzle import Puzzle
        from sudoku_encode.questions.checking import Wishes

        puzzle = next(first.singles()).entry.found
        if self.towards is None or not isinstance(puzzle, Puzzle):
            return Wishes(self.seed)
        return Wishes(self.seed, read(self.towards, board=puzzle.geometry).givens)


def _in_detail(
    source: PuzzleInput,
    located: "Iterator[Located]",
    wanted: _Wanted,
    limits: "Limits",
    as_json: bool,
    work: options.WorkOptions,
) -> set[str]:
    """Print all that is known of each puzzle, and return their statuses."""
    from sudoku_encode.cli.check_text import record_of, text_of
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.questions.checking import NoSolution, check_each

    first = next(located)
    if wanted.towards is not None and source.many:
        raise SudokuError("--towards is for one puzzle: another has other solutions")
    wishes, seen, pool = wanted.wishes(first), set[str](), work.pool()

    def checked(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, tuple[Verdict, float]]]":
        for item, found, seconds in check_each(puzzles, limits, wishes, pool):
            yield item, (found, seconds)

    with progress("checking ...", total=source.total) as shown:
        for one, answer in source.answered(checked, chain([first], located)):
            shown.advance(1)
            shown.hide()
            puzzle = one.entry.found
            if answer is None or not isinstance(puzzle, Puzzle):
                _print_bad(one, source, as_json)
                continue
            verdict, seconds = answer
            record, certificate = record_of(puzzle, verdict, one.place, seconds), None
            if isinstance(verdict, NoSolution) and wanted.prove is not None:
                certificate = _certificate(source, one.number, verdict.puzzle, wanted.prove, limits)
            seen.add(record["status"])
            if "clash" in record:
                record["certificate"] = certificate
            if as_json:
                print(json.dumps(record), flush=True)
            else:
                heading = f"# puzzle {one.number}\n" if source.many else ""
                print(heading + text_of(puzzle, verdict, certificate, ascii=not has_lines()), flush=True)
            _remark(verdict, wanted, prefix(one.number, source))
    return seen


def _print_bad(one: "Located", source: PuzzleInput, as_json: bool) -> None:
    """Print, in its place, what is no puzzle; what is wrong has been said on standard error."""
    message = getattr(one.entry.found, "message", "")
    if as_json:
        print(json.dumps(one.place.record("bad input") | {"reason": message}), flush=True)
    elif source.many:
        print(f"# puzzle {one.number}: bad input: {message}", flush=True)


def _remark(verdict: "Verdict", wanted: _Wanted, before: str) -> None:
    """Say on standard error what stopped the check, and which wishes had nothing to be done."""
    from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown

    if isinstance(verdict, Unknown):
        remark(f"{before}not known; stopped: {verdict.why}")
        return
    if wanted.seed is not None and not isinstance(verdict, Unique):
        remark(f"{before}nothing to minimize: the puzzle is not unique")
    if wanted.towards is not None and not isinstance(verdict, Several):
        remark(f"{before}no extra givens are needed: the puzzle is unique")
    if wanted.prove is not None and not isinstance(verdict, NoSolution):
        remark(f"{before}nothing clashes, so that there is no certificate")


def _certificate(source: PuzzleInput, number: int, puzzle: "Puzzle", folder: str, limits: "Limits") -> str | None:
    """Certify that a puzzle has no solution, and return the folder; None where that was stopped."""
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving.asking import certify_each
    from sudoku_encode.proving.folder import WRITTEN
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.solvers.table import DEFAULT_PROVER
    from sudoku_encode.storage.outputs import refuse_inputs

    path = Path(folder) / str(number) if source.many else Path(folder)
    refuse_inputs(source.inputs, *(path / name for name in WRITTEN))
    # It was proved that there is none, so a solution is a fault that one is enough to show.
    one = Limits(1, limits.seconds, limits.memory)
    ((_, found),) = certify_each([(number, puzzle)], lambda number: path, one, DEFAULT_PROVER)
    if isinstance(found, StoppedError):
        remark(f"{prefix(number, source)}not certified; stopped: {found}")
        return None
    _, checked = found
    remark(f"{path}: {checked.count} solutions, proved; checked by {' and '.join(checked.checkers)}")
    return str(path)
