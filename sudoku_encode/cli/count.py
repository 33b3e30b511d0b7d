"""The command count."""

import json
import sys
from typing import TYPE_CHECKING

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome, total
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput, remark
from sudoku_encode.run.events import Chose, Event, emit

if TYPE_CHECKING:
    from sudoku_encode.methods.asking import Numbered
    from sudoku_encode.methods.options import Options
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids
    from sudoku_encode.run.limits import Limits


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    limit: options.Limit = None,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    as_json: options.Json = False,
) -> None:
    """Print the number of solutions of each puzzle: a bare number when it is proved, else `at least N`.

    A method that only estimates prints `about N`. The exit status is 3 when it is not proved that there are no more. To
    ask whether a puzzle is unique, use --limit 2.
    """
    from sudoku_encode.methods.calls import find
    from sudoku_encode.methods.options import Options

    source, outcome = PuzzleInput(given), Outcome()
    chosen, wanted = solver.options(), limits.limits(limit)
    quick = method in ("auto", "search") and chosen == Options() and not wanted.need_a_process and not as_json
    if quick and limit and (many := source.bulk()):
        _count_many(*many, limit, method, outcome)
    elif find(method).finds == "estimate":
        chosen.for_method(find(method))
        _estimate(source, outcome, method, wanted, as_json)
    else:
        _count(source, outcome, method, wanted, chosen, as_json)
    raise typer.Exit(outcome.status(source))


def _count(
    source: PuzzleInput, outcome: Outcome, method: str, limits: "Limits", chosen: "Options", as_json: bool
) -> None:
    """Print the number of solutions of each puzzle."""
    from sudoku_encode.methods.asking import count_each
    from sudoku_encode.run.counting import INTERRUPTED

    choices: list[str] = []

    def observe(item: "Numbered", event: Event) -> None:
        if not isinstance(event, Chose):
            emit(event)
            return
        choices.append(str(event))
        # Among many puzzles a remark for each quick one would only be in the way.
        if not (source.many and (event.method.startswith("search") or event.why.startswith("which ended"))):
            remark(f"by {event}")

    with progress("searching ..."):
        for (number, puzzle), counted in count_each(source.puzzles(), method, limits, chosen, observe):
            outcome.note(counted)
            if as_json:
                report = {"count": counted.value, "complete": counted.complete, "stopped": counted.stopped}
                print(json.dumps({"puzzle": number, **report, "method": method, "chosen": choices}), flush=True)
            else:
                print(counted, flush=True)
            if not counted.complete or not counted.value:
                remark(f"{prefix(number, source)}{total(counted, puzzle)}")
            if counted.stopped == INTERRUPTED:
                break
            choices.clear()


def _count_many(board: "Geometry", givens: "Grids", limit: int, method: str, outcome: Outcome) -> None:
    """Count the solutions of each puzzle in a file of plain lines, up to a limit."""
    from sudoku_encode.methods.asking import solve_batches

    for found in solve_batches(board, givens, limit, method):
        numbers = found.counts.tolist()
        outcome.negative |= 0 in numbers
        outcome.incomplete |= limit in numbers
        lines = [str(number) if number < limit else f"at least {number}" for number in numbers]
        sys.stdout.write("\n".join(lines) + "\n")


def _estimate(source: PuzzleInput, outcome: Outcome, method: str, limits: "Limits", as_json: bool) -> None:
    """Print about how many solutions each puzzle has; an estimate is never complete."""
    from sudoku_encode.errors import Stopped
    from sudoku_encode.methods.asking import estimate_each

    outcome.incomplete = True
    with progress("estimating ..."):
        for (number, _), found in estimate_each(source.puzzles(), method, limits):
            if isinstance(found, Stopped):
                remark(f"{prefix(number, source)}no estimate; stopped: {found}")
            elif as_json:
                guess = {"estimate": found.value, "tolerance": found.tolerance, "confidence": found.confidence}
                print(json.dumps({"puzzle": number, **guess, "complete": False, "method": method}), flush=True)
            else:
                print(found, flush=True)
