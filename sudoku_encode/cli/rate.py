"""The command rate."""

import json
import math
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import status_of_all
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import stopped_status
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.questions.figures.table import COPIES, FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.methods.asking import Numbered
    from sudoku_encode.questions.rating import Rating

    # What was found, or what stopped it, and the seconds that took.
    Answer = tuple[Rating | StoppedError, float]

_WIDTH = max(map(len, FIGURES))


def command(
    given: options.PuzzleOptions,
    *,
    figure: Annotated[
        list[str] | None,
        typer.Option(
            help="The only figure to work out; may be repeated. By default all: "
            + "; ".join(f"{row.name}, {row.says}" for row in FIGURES.values())
            + ".",
            show_default=False,
            **options.one_of(FIGURES),
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            help="Print many puzzles in ascending order of this figure, when all are rated; what has no value comes "
            "last. By default each in its place, as soon as it is rated.",
            show_default=False,
            **options.one_of(FIGURES),
        ),
    ] = None,
    copies: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000,
            help=f"Of how many relabelled and permuted copies a median is taken. By default {COPIES}.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**32 - 1, help="Which copies these are. By default 0.", show_default=False),
    ] = None,
    limits: options.LimitOptions,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Say in several figures how hard each puzzle is, each named as what it is.

    Hardest technique and steps of solving by hand; nodes of a search and conflicts of a SAT solver until it is proved
    that there is one solution, each the median over copies of the puzzle that look otherwise; and the fewest blanks
    that, once filled, leave nothing but singles. They mean nothing of a puzzle with several solutions; of one without,
    nodes and conflicts are those of the proof.

    A setter who orders puzzles from easy to hard: rate many.sdm --figure technique --sort technique.

    The exit status is 0 where all puzzles are unique, 1 where one is not, and 3 where a figure is not known in time.
    """
    from sudoku_encode.questions.rating import Wanted, rate_each

    names = tuple(name for name in FIGURES if figure is None or name in figure)
    if sort is not None and sort not in names:
        raise SudokuError(f"--sort {sort}: that figure is not worked out; add --figure {sort}")
    for name, value in (("--copies", copies), ("--seed", seed)):
        if value is not None and not any(FIGURES[name].of_copies for name in names):
            raise SudokuError(f"{name} has no effect on {' and '.join(names)}, measured of no copies")
    wanted = Wanted(names, copies or COPIES, seed or 0)
    source, pool = PuzzleInput(given), work.pool()
    printer = _Printer(source, names, as_json, sort)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, Answer]]":
        for item, found, seconds in rate_each(puzzles, limits.limits(), wanted, pool):
            yield item, (found, seconds)

    try:
        with progress("rating ...", total=source.total) as shown:
            for one, answer in source.answered(ask):
                if sort is None:
                    shown.hide()
                printer.take(one, answer)
                shown.advance(1)
    finally:
        # After Ctrl-C, what is known.
        printer.finish()
    raise typer.Exit(printer.status())


class _Printer:
    """Prints ratings.

    Args:
        source: where the puzzles are from.
        names: of the figures that are wanted.
        as_json: whether as records.
        sort: the figure that orders them, or None.
    """

    def __init__(self, source: PuzzleInput, names: tuple[str, ...], as_json: bool, sort: str | None) -> None:
        self.source, self.names, self.as_json, self.sort = source, names, as_json, sort
        self._seen = set[str]()
        # Each with what it is sorted by.
        self._waiting: list[tuple[float, str]] = []

    def take(self, one: "Located", answer: "Answer | None") -> None:
        """Print the figures of a puzzle, or keep them until all are there."""
        from sudoku_encode.questions.rating import Rating

        found, seconds = answer if answer is not None else (None, None)
        rating = found if isinstance(found, Rating) else None
        status, reason = _status(one, found)
        self._seen |= {status} - {"bad input"}
        if found is not None and reason:
            remark(f"{prefix(one.number, self.source)}not all known; stopped: {reason}")
        if self.as_json:
            text = json.dumps(self._record(one, rating, status, reason, seconds))
        else:
            text = self._text(one, rating, status, reason)
        key = rating.figures[self.sort].value if rating is not None and self.sort is not None else None
        if self.sort is not None:
            self._waiting.append((math.inf if key is None else key, text))
            return
        print(text)
        sys.stdout.flush()

    def finish(self) -> None:
        """Print what waits, in order; equals stay in the order in which they were read."""
        for _, text in sorted(self._waiting, key=lambda kept: kept[0]):
            print(text)
        self._waiting.clear()
        sys.stdout.flush()

    def status(self) -> int:
        """Return the exit status."""
        return status_of_all(self._seen, self.source)

    def _record(
        self, one: "Located", rating: "Rating | None", status: str, reason: str, seconds: float | None
    ) -> dict[str, Any]:
        record: dict[str, Any] = one.place.record(status, None, seconds)
        if status == "bad input":
            return record | {"reason": reason}
        figures = None
        if rating is not None:
            figures = {
                name: {"value": known.value, **known.data, "reason": known.reason or None}
                for name, known in rating.figures.items()
            }
        count = None if rating is None else rating.status
        return record | {"solutions": count, "figures": figures, "reason": reason or None}

    def _text(self, one: "Located", rating: "Rating | None", status: str, reason: str) -> str:
        name = getattr(one.entry.found, "name", "")
        heading = f"# puzzle {one.number}{': ' + name if name else ''}\n" if self.source.many else ""
        if rating is None:
            said = f"{status}: {reason}"
            return f"# puzzle {one.number}: {said}" if self.source.many else said
        lines = [rating.status]
        for known in rating.figures.values():
            said = known.text if known.value is not None else f"not known: {known.reason}"
            if known.value is None and known.reason != rating.stopped:
                said = f"no meaning: {known.reason}"
            lines.append(f"{known.name:<{_WIDTH}}  {said}")
        return heading + "\n".join(lines)


def _status(one: "Located", found: "Rating | StoppedError | None") -> tuple[str, str]:
    """Return a word for what is known of a puzzle, and why something is not."""
    from sudoku_encode.questions.rating import Rating

    if found is None:
        return "bad input", str(getattr(one.entry.found, "message", ""))
    if not isinstance(found, Rating):
        return stopped_status(str(found)), str(found)
    return (stopped_status(found.stopped), found.stopped) if found.stopped else (found.status, "")
