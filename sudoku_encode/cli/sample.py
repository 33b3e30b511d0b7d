"""The command sample: random solutions."""

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import Printer, prefix, progress
from sudoku_encode.cli.reading import Outcome, PuzzleInput, no_solution_reason
from sudoku_encode.cli.records import grid_texts, stopped_status
from sudoku_encode.cli.streams import remark
from sudoku_encode.errors import SudokuError, plural
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.questions.table import NOT_UNIFORM, SAMPLERS
from sudoku_encode.run.events import Event, MethodChosen, emit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.limited_calls import Numbered
    from sudoku_encode.questions.sampling import Samples

    # The samples, or the error that stopped the drawing, and the seconds.
    TimedAnswer = tuple[Samples | StoppedError, float]

_METHODS = f"How they are drawn: {', '.join(SAMPLERS)} ({NOT_UNIFORM} alone is not uniform).\n\n" + "; ".join(
    f"{name}: {summary}" for name, summary in SAMPLERS.items()
)
_INSTEAD = f"--method {NOT_UNIFORM} finds solutions without counting them; those are not uniform"


def command(
    given: options.PuzzleOptions,
    *,
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, help="The number of solutions to draw for each puzzle.")
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The same seed draws the same solutions; the next puzzle of many uses the next seed. By default a "
            "new one, which is printed.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[str, typer.Option(help=_METHODS, **options.one_of(SAMPLERS))] = "auto",
    limits: options.LimitOptions,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Print random solutions of each puzzle, each solution with exactly the same probability.

    If the solutions cannot be counted, nothing is printed, and the exit status is 3; --method walk still finds
    solutions, but some more often than others, and each close to the one before it: they are not uniform, which is
    reported. The exit status is 1 if a puzzle has no solution.

    Details:

    Counting numbers all solutions, and random numbers are drawn, so that nothing is approximate. Sampling is with
    replacement, so a solution can occur more than once. To see what a few givens leave open, look at twenty solutions:
    sample few-givens.txt -n 20 --to grid.

    The executor and the number of processes do not change the drawn solutions, but another --memory may.
    """
    import secrets

    from sudoku_encode.questions.sampling import require_sampler, samples_each

    if as_json and to is not None:
        raise SudokuError("--json and --to: give only one form of output")
    source, outcome, pool = PuzzleInput(given), Outcome(), work.pool()
    chosen = secrets.randbelow(2**32) if seed is None else seed
    printer = _Printer(source, outcome, to, as_json, method, chosen)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, TimedAnswer]]":
        def checked() -> "Iterator[Numbered]":
            for item in puzzles:
                require_sampler(item[1], number, chosen, method)
                yield item

        arguments = checked(), number, chosen, method, limits.limits()
        for item, answer, seconds in samples_each(*arguments, printer.observe, pool):
            yield item, (answer, seconds)

    with progress("counting ...", total=source.total) as shown:
        for item, timed in source.answered(ask):
            shown.hide()
            if seed is None and item.number == 1:
                remark(f"seed {chosen}")
            printer.show(item, timed)
            shown.advance(1)
            sys.stdout.flush()
    raise typer.Exit(outcome.status(source))


class _Printer:
    """Prints the answers.

    Args:
        source: where the puzzles are from.
        outcome: collects statuses for the exit status.
        to: the format of the grids as text.
        as_json: whether to print a JSON object for each puzzle.
        method: the given method.
        seed: for puzzle 1.
    """

    def __init__(
        self, source: PuzzleInput, outcome: Outcome, to: str | None, as_json: bool, method: str, seed: int
    ) -> None:
        self.source, self.outcome, self.as_json, self.method, self.seed = source, outcome, as_json, method, seed
        self.is_document, self.printer = TEXT_FORMATS[to or "line"].is_document, Printer(to)
        self._chosen: dict[int, list[str]] = {}

    def observe(self, item: "Numbered", event: Event) -> None:
        """Note chosen methods; emit other events."""
        if not isinstance(event, MethodChosen):
            emit(event)
            return
        self._chosen.setdefault(item[0], []).append(str(event))

    def show(self, item: "SourceItem", timed: "TimedAnswer | None") -> None:
        """Print the solutions of a puzzle, or the error in it."""
        from sudoku_encode.questions.sampling import Samples

        answer, seconds = timed if timed is not None else (None, None)
        status, reason = _status(item, answer)
        self.outcome.note_status(status)
        chosen = self._chosen.pop(item.number, [])
        samples = answer if isinstance(answer, Samples) else None
        if answer is not None:
            remark(f"{prefix(item.number, self.source)}{_in_words(samples, status, reason, self.method)}")
        if self.as_json:
            by = None if answer is None else samples.method if samples is not None else self.method
            print(self._record(item.place.record(status, by, seconds), samples, reason, item.number, chosen))
            return
        if self.source.many and not self.is_document:
            verdict = "" if status == "drawn" else f": {status}{f': {reason}' if reason else ''}"
            self.printer.line(f"# puzzle {item.number}{verdict}")
        if samples is not None and len(samples.grids):
            self.printer.grids(samples.puzzle, samples.grids)

    def _record(
        self, record: dict[str, Any], samples: "Samples | None", reason: str, number: int, chosen: list[str]
    ) -> str:
        """Return a JSON object; the grids, which may be many, are inserted into its text."""
        from sudoku_encode.questions.sampling import seed_of

        fields = {
            "seed": seed_of(self.seed, number),
            "uniform": self.method != NOT_UNIFORM,
            "total": None if samples is None or samples.total is None else samples.total.value,
            "complete": samples is not None and samples.complete,
            "reason": reason or None,
            "chosen": chosen,
        }
        texts = (
            None if samples is None else f"[{', '.join(grid_texts(samples.puzzle.geometry, samples.grids, 'json'))}]"
        )
        return f'{json.dumps(record | fields)[:-1]}, "solutions": {"null" if texts is None else texts}}}'


def _status(item: "SourceItem", answer: "Samples | StoppedError | None") -> tuple[str, str]:
    """Return the status of a puzzle, and its reason if there is one."""
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.questions.sampling import Samples

    puzzle = item.entry.content
    if answer is None or not isinstance(puzzle, Puzzle):
        return "bad input", str(getattr(puzzle, "message", ""))
    stopped = answer.stopped if isinstance(answer, Samples) else str(answer)
    if stopped:
        return stopped_status(stopped), stopped
    if isinstance(answer, Samples) and not len(answer.grids):
        return "no solution", no_solution_reason(puzzle).removeprefix(": ")
    return "drawn", ""


def _in_words(samples: "Samples | None", status: str, reason: str, method: str) -> str:
    """Return the number of draws and of solutions in words; or why nothing was drawn."""
    if status == "no solution":
        return f"no solution{f': {reason}' if reason else ''}"
    n = 0 if samples is None else len(samples.grids)
    if status != "drawn":
        advice = "" if method == NOT_UNIFORM or status == "interrupted" else f"; {_INSTEAD}"
        return f"stopped after {n:,} {plural('solution', n)}: {reason}{advice}"
    if samples is None or not samples.uniform:
        return f"{n:,} {plural('solution', n)}, NOT uniform: by {NOT_UNIFORM}"
    of = f" of {samples.total.value:,}" if samples.total is not None else ""
    return f"{n:,} {plural('draw', n)}{of}, uniform: by {samples.method}"
