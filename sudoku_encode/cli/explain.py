"""The command explain."""

from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.printing import prefix
from sudoku_encode.cli.reading import PuzzleInput, remark
from sudoku_encode.methods.table import METHODS
from sudoku_encode.run.events import Event, Line, emit

if TYPE_CHECKING:
    from sudoku_encode.methods.asking import Numbered

_FORMS = tuple(dict.fromkeys(["text", *(form for method in METHODS.values() for form in method.drawings)]))


def command(
    given: options.PuzzleOptions,
    *,
    method: Annotated[str, typer.Option(help="One that can, as `sudoku-encode methods` says.")] = "jana2023-v1",
    to: Annotated[
        str, typer.Option(help="text; or, for gtsps-4.1, its graph as a file.", **options.one_of(_FORMS))
    ] = "text",
    limits: options.LimitOptions,
) -> None:
    """Show a published method at work on each puzzle: its candidates, its steps, the width of its search."""
    from sudoku_encode.errors import Stopped
    from sudoku_encode.methods.asking import explain_each

    source, outcome, shown = PuzzleInput(given), Outcome(), 0

    def observe(item: "Numbered", event: Event) -> None:
        nonlocal shown
        if not isinstance(event, Line):
            emit(event)
            return
        if source.many and to == "text" and shown != item[0]:
            print(f"# puzzle {item[0]}")
        shown = item[0]
        print(event.text)

    for (number, _), stopped in explain_each(source.puzzles(), method, limits.limits(), to, observe):
        if isinstance(stopped, Stopped):
            outcome.incomplete = True
            remark(f"{prefix(number, source)}stopped: {stopped}")
    raise typer.Exit(outcome.status(source))
