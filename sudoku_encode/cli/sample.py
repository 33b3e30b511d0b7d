"""The command sample: solutions drawn at random."""

import json
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome, why_none
from sudoku_encode.cli.printing import Printer, prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import grid_texts, stopped_status
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError, plural
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.questions.table import NOT_UNIFORM, SAMPLERS
from sudoku_encode.run.events import Event, MethodChosen, emit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.methods.asking import Numbered
    from sudoku_encode.questions.sampling import Samples

    # What was drawn, or what stopped it, and the seconds that took.
    Answer = tuple[Samples | StoppedError, float]

_WAYS = "; ".join(f"{name} ({summary})" for name, summary in SAMPLERS.items())
_INSTEAD = f"--method {NOT_UNIFORM} finds solutions without counting them; those are not uniform"


def command(
    given: options.PuzzleOptions,
    *,
    number: Annotated[
        int, typer.Option("-n", "--number", min=1, help="How many solutions to draw of each puzzle.")
    ] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The same seed draws the same solutions; puzzle 2 of many has the next seed, and so on. By default a "
            "new one, which is said.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[str, typer.Option(help=f"How they are drawn: {_WAYS}.", **options.one_of(SAMPLERS))] = "auto",
    limits: options.LimitOptions,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Print solutions of each puzzle drawn at random from all of them, each solution exactly as likely as the others.

    All solutions are numbered by counting them, and numbers are drawn, so that nothing is approximate. They are drawn
    with replacement: a puzzle with few solutions gives the same one again and again. A setter who wants to know what a
    few givens leave open may look at twenty: sample few-givens.txt -n 20 --to grid.

    Where the solutions cannot be counted nothing is printed, and the exit status is 3; --method walk finds solutions
    there too, but some more often than others, each near the one before it: those are not uniform, and are said not to
    be. The exit status is 1 where a puzzle has no solution.

    Where they are drawn, and how many processes do it, changes nothing of what is drawn; another --memory may.
    """
    import secrets

    from sudoku_encode.questions.asking_samples import samples_each
    from sudoku_encode.questions.sampling import refuse

    if as_json and to is not None:
        raise SudokuError("--json and --to: one form of the answers at a time")
    source, outcome, pool = PuzzleInput(given), Outcome(), work.pool()
    chosen = secrets.randbelow(2**32) if seed is None else seed
    printer = _Printer(source, outcome, to, as_json, method, chosen)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, Answer]]":
        def checked() -> "Iterator[Numbered]":
            for item in puzzles:
                refuse(item[1], number, chosen, method)
                yield item

        asked = checked(), number, chosen, method, limits.limits()
        for item, found, seconds in samples_each(*asked, printer.observe, pool):
            yield item, (found, seconds)

    with progress("counting ...", total=source.total) as shown:
        for one, answer in source.answered(ask):
            shown.hide()
            if seed is None and one.number == 1:
                remark(f"seed {chosen}")
            printer.show(one, answer)
            shown.advance(1)
            sys.stdout.flush()
    raise typer.Exit(outcome.status(source))


class _Printer:
    """Prints the answers.

    Args:
        source: where the puzzles are from.
        outcome: takes what the exit status depends on.
        to: the format of the grids as text.
        as_json: whether each puzzle has a JSON object.
        method: the method that was named.
        seed: of puzzle 1.
    """

    def __init__(
        self, source: PuzzleInput, outcome: Outcome, to: str | None, as_json: bool, method: str, seed: int
    ) -> None:
        self.source, self.outcome, self.as_json, self.method, self.seed = source, outcome, as_json, method, seed
        self.is_document, self.printer = TEXT_FORMATS[to or "line"].is_document, Printer(to)
        self._chosen: dict[int, list[str]] = {}

    def observe(self, item: "Numbered", event: Event) -> None:
        """Note what was chosen; pass on what else happens."""
        if not isinstance(event, MethodChosen):
            emit(event)
            return
        self._chosen.setdefault(item[0], []).append(str(event))

    def show(self, one: "Located", answer: "Answer | None") -> None:
        """Print the solutions of a puzzle, or what is wrong with it."""
        from sudoku_encode.questions.sampling import Samples

        found, seconds = answer if answer is not None else (None, None)
        status, reason = _status(one, found)
        self.outcome.note_status(status)
        chosen = self._chosen.pop(one.number, [])
        known = found if isinstance(found, Samples) else None
        if found is not None:
            remark(f"{prefix(one.number, self.source)}{_in_words(known, status, reason, self.method)}")
        if self.as_json:
            by = None if found is None else known.method if known is not None else self.method
            print(self._record(one.place.record(status, by, seconds), known, reason, one.number, chosen))
            return
        if self.source.many and not self.is_document:
            verdict = "" if status == "drawn" else f": {status}{f': {reason}' if reason else ''}"
            self.printer.line(f"# puzzle {one.number}{verdict}")
        if known is not None and len(known.grids):
            self.printer.grids(known.puzzle, known.grids)

    def _record(
        self, record: dict[str, Any], known: "Samples | None", reason: str, number: int, chosen: list[str]
    ) -> str:
        """Return a JSON object; the grids, which may be many, are put into its text."""
        from sudoku_encode.questions.asking_samples import seed_of

        fields = {
            "seed": seed_of(self.seed, number),
            "uniform": self.method != NOT_UNIFORM,
            "total": None if known is None or known.total is None else known.total.value,
            "complete": known is not None and known.complete,
            "reason": reason or None,
            "chosen": chosen,
        }
        texts = None if known is None else f"[{', '.join(grid_texts(known.grids, 'json'))}]"
        return f'{json.dumps(record | fields)[:-1]}, "solutions": {"null" if texts is None else texts}}}'


def _status(one: "Located", found: "Samples | StoppedError | None") -> tuple[str, str]:
    """Return a word for what is known of a puzzle, and a reason if there is one."""
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.questions.sampling import Samples

    puzzle = one.entry.found
    if found is None or not isinstance(puzzle, Puzzle):
        return "bad input", str(getattr(puzzle, "message", ""))
    stopped = found.stopped if isinstance(found, Samples) else str(found)
    if stopped:
        return stopped_status(stopped), stopped
    if isinstance(found, Samples) and not len(found.grids):
        return "no solution", why_none(puzzle).removeprefix(": ")
    return "drawn", ""


def _in_words(known: "Samples | None", status: str, reason: str, method: str) -> str:
    """Say what was drawn, and from how many; or why nothing was."""
    if status == "no solution":
        return f"no solution{f': {reason}' if reason else ''}"
    n = 0 if known is None else len(known.grids)
    if status != "drawn":
        advice = "" if method == NOT_UNIFORM or status == "interrupted" else f"; {_INSTEAD}"
        return f"stopped after {n:,} {plural('solution', n)}: {reason}{advice}"
    if known is None or not known.uniform:
        return f"{n:,} {plural('solution', n)}, NOT uniform: by {NOT_UNIFORM}"
    of = f" of {known.total.value:,}" if known.total is not None else ""
    return f"{n:,} {plural('draw', n)}{of}, uniform: by {known.method}"
