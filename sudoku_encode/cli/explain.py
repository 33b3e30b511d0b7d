"""The command explain."""

from itertools import chain, islice
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.completion import each_of
from sudoku_encode.cli.printing import prefix
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.methods.table import METHODS
from sudoku_encode.run.events import Event, Line, emit

if TYPE_CHECKING:
    from sudoku_encode.methods.asking import Numbered

_FORMS = tuple(dict.fromkeys(["text", *(form for method in METHODS.values() for form in method.drawings)]))


def command(
    given: options.PuzzleOptions,
    *,
    method: Annotated[
        str | None,
        typer.Option(
            help="One that shows its working, as `sudoku-encode methods` says. By default one that fits the "
            "first puzzle's board.",
            show_default=False,
            autocompletion=each_of(name for name, method in METHODS.items() if method.explains),
        ),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            help="What to print: text; or, of gtsps-4.1, its graph as dot, graphml or svg.", **options.one_of(_FORMS)
        ),
    ] = "text",
    limits: options.LimitOptions,
) -> None:
    """Show a published method at work on each puzzle: its candidates, its steps, the width of its search."""
    from sudoku_encode.errors import Stopped
    from sudoku_encode.methods.asking import explain_each
    from sudoku_encode.methods.calls import explaining

    source, outcome, shown, by_default = PuzzleInput(given), Outcome(), 0, ""

    def observe(item: "Numbered", event: Event) -> None:
        nonlocal shown
        if not isinstance(event, Line):
            emit(event)
            return
        if by_default and not shown:
            remark(f"by {by_default}")
        if source.many and to == "text" and shown != item[0]:
            print(f"# puzzle {item[0]}")
        shown = item[0]
        print(event.text)

    puzzles = source.puzzles()
    head = list(islice(puzzles, 1))
    if method is None and head:
        by_default = method = explaining(head[0][1].geometry, to)
    for (number, _), stopped in explain_each(chain(head, puzzles), method or "", limits.limits(), to, observe):
        if isinstance(stopped, Stopped):
            outcome.incomplete = True
            remark(f"{prefix(number, source)}stopped: {stopped}")
    raise typer.Exit(outcome.status(source))
