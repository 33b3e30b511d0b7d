"""The command rate: the difficulty of puzzles."""

import json
import math
import sys
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput, status_of_all
from sudoku_encode.cli.records import stopped_status
from sudoku_encode.cli.streams import remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.questions.table import COPIES, FIGURES

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.limited_calls import Numbered
    from sudoku_encode.questions.rating import Rating

    # The rating, or the error that stopped it, and the seconds.
    TimedAnswer = tuple[Rating | StoppedError, float]

_WIDTH = max(map(len, FIGURES))


def command(
    given: options.PuzzleOptions,
    *,
    figure: Annotated[
        list[str] | None,
        typer.Option(
            help="The only figure to compute; may be repeated. By default all: "
            + "; ".join(f"{row.name}, {row.says}" for row in FIGURES.values())
            + ".",
            show_default=False,
            **options.one_of(FIGURES),
        ),
    ] = None,
    sort: Annotated[
        str | None,
        typer.Option(
            help="Sort many puzzles by this figure after all are rated.\n\nThose without a value come last. By default "
            "each is printed in its place as soon as it is rated.",
            show_default=False,
            **options.one_of(FIGURES),
        ),
    ] = None,
    copies: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=100_000,
            help=f"The number of relabelled and permuted copies of which a median is taken. By default {COPIES}.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(min=0, max=2**32 - 1, help="The seed of the copies. By default 0.", show_default=False),
    ] = None,
    limits: options.LimitOptions,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Measure the difficulty of each puzzle by several figures.

    To sort puzzles from easy to hard: rate many.sdm --figure technique --sort technique.

    The exit status is 0 if all puzzles are unique, 1 if one is not, and 3 if a figure is not known in time.

    Details:

    The figures are the hardest technique and the steps to solve it by hand; the nodes of a search and the conflicts of
    a SAT solver until it is proved that there is one solution, each the median over disguised copies of the puzzle; and
    the fewest blanks that, once filled, leave only singles. They are meaningless for a puzzle with several solutions;
    for one without, nodes and conflicts are those of the proof.
    """
    from sudoku_encode.questions.rating import RateOptions, rate_each

    names = tuple(name for name in FIGURES if figure is None or name in figure)
    if sort is not None and sort not in names:
        raise SudokuError(f"--sort {sort}: this figure is not computed; add --figure {sort}")
    for name, value in (("--copies", copies), ("--seed", seed)):
        if value is not None and not any(FIGURES[name].of_copies for name in names):
            raise SudokuError(f"{name} has no effect on {' and '.join(names)}, measured without copies")
    rating_options = RateOptions(names, copies or COPIES, seed or 0)
    source, pool = PuzzleInput(given), work.pool()
    printer = _Printer(source, names, as_json, sort)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, TimedAnswer]]":
        for item, answer, seconds in rate_each(puzzles, limits.limits(), rating_options, pool):
            yield item, (answer, seconds)

    try:
        with progress("rating ...", total=source.total) as shown:
            for item, timed in source.answered(ask):
                if sort is None:
                    shown.hide()
                printer.add(item, timed)
                shown.advance(1)
    finally:
        # After Ctrl-C, the results so far.
        printer.flush_sorted()
    raise typer.Exit(printer.status())


class _Printer:
    """Prints ratings.

    Args:
        source: where the puzzles are from.
        names: of the requested figures.
        as_json: whether to print records.
        sort: the figure to sort by, or None.
    """

    def __init__(self, source: PuzzleInput, names: tuple[str, ...], as_json: bool, sort: str | None) -> None:
        self.source, self.names, self.as_json, self.sort = source, names, as_json, sort
        self._seen = set[str]()
        # Pairs of the value to sort by and the text.
        self._waiting: list[tuple[float, str]] = []

    def add(self, item: "SourceItem", timed: "TimedAnswer | None") -> None:
        """Print the figures of a puzzle, or keep them until all puzzles are rated."""
        from sudoku_encode.questions.rating import Rating

        answer, seconds = timed if timed is not None else (None, None)
        rating = answer if isinstance(answer, Rating) else None
        status, reason = _status(item, answer)
        self._seen |= {status} - {"bad input"}
        if answer is not None and reason:
            remark(f"{prefix(item.number, self.source)}not all known; stopped: {reason}")
        if self.as_json:
            text = json.dumps(self._record(item, rating, status, reason, seconds))
        else:
            text = self._text(item, rating, status, reason)
        key = rating.figures[self.sort].value if rating is not None and self.sort is not None else None
        if self.sort is not None:
            self._waiting.append((math.inf if key is None else key, text))
            return
        print(text)
        sys.stdout.flush()

    def flush_sorted(self) -> None:
        """Print the kept puzzles, sorted; ties stay in the order of reading."""
        for _, text in sorted(self._waiting, key=lambda pair: pair[0]):
            print(text)
        self._waiting.clear()
        sys.stdout.flush()

    def status(self) -> int:
        """Return the exit status."""
        return status_of_all(self._seen, self.source)

    def _record(
        self, item: "SourceItem", rating: "Rating | None", status: str, reason: str, seconds: float | None
    ) -> dict[str, Any]:
        record: dict[str, Any] = item.place.record(status, None, seconds)
        if status == "bad input":
            return record | {"reason": reason}
        figures = None
        if rating is not None:
            figures = {
                name: {"value": figure.value, **figure.data, "reason": figure.reason or None}
                for name, figure in rating.figures.items()
            }
        count = None if rating is None else rating.status
        return record | {"solutions": count, "figures": figures, "reason": reason or None}

    def _text(self, item: "SourceItem", rating: "Rating | None", status: str, reason: str) -> str:
        name = getattr(item.entry.content, "name", "")
        heading = f"# puzzle {item.number}{': ' + name if name else ''}\n" if self.source.many else ""
        if rating is None:
            text = f"{status}: {reason}"
            return f"# puzzle {item.number}: {text}" if self.source.many else text
        lines = [rating.status]
        for figure in rating.figures.values():
            text = figure.text if figure.value is not None else f"not known: {figure.reason}"
            if figure.value is None and figure.reason != rating.stopped:
                text = f"no meaning: {figure.reason}"
            lines.append(f"{figure.name:<{_WIDTH}}  {text}")
        return heading + "\n".join(lines)


def _status(item: "SourceItem", answer: "Rating | StoppedError | None") -> tuple[str, str]:
    """Return the status of a puzzle, and the reason why a figure is unknown, if one is."""
    from sudoku_encode.questions.rating import Rating

    if answer is None:
        return "bad input", str(getattr(item.entry.content, "message", ""))
    if not isinstance(answer, Rating):
        return stopped_status(str(answer)), str(answer)
    return (stopped_status(answer.stopped), answer.stopped) if answer.stopped else (answer.status, "")
