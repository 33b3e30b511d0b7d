"""The command count."""

import json
from typing import TYPE_CHECKING

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import Records, stopped_status
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.run.events import Event, MethodChosen, emit

if TYPE_CHECKING:
    from sudoku_encode.methods.asking import Numbered
    from sudoku_encode.run.limits import Limits


def command(
    given: options.PuzzleOptions,
    *,
    method: options.AutoMethod = "auto",
    limit: options.Limit = None,
    limits: options.LimitOptions,
    solver: options.SolverOptions,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
    to_file: options.OutputOptions,
    work: options.WorkOptions,
) -> None:
    """Print the number of solutions of each puzzle: a bare number when it is proved, else `at least N`.

    N is the largest number that any method had found by then; where none had found a solution it is `not known`. A
    method that only estimates prints `about N`. The exit status is 3 when it is not proved that there are no more. To
    ask whether a puzzle is unique, use --limit 2.

    A file that is written with -o is called FILE.part until all puzzles are done. A run that was stopped goes on with
    --resume, with the same puzzles and options; that needs --json or --csv, since bare numbers do not say their puzzle.
    With --executor a puzzle that takes long is counted in parts. Those that are done are in FILE.parts until it has its
    record, so that --resume goes on with the others, on whatever executor.
    """
    from sudoku_encode.methods.calls import find
    from sudoku_encode.methods.question import Question

    source, outcome, form = PuzzleInput(given), Outcome(), options.record_form(as_json, as_csv)
    parts_file = to_file.parts_file(work, method, limit)
    question = Question(method, limits.limits(limit), solver.options(), pool=work.pool(), parts_file=parts_file)
    if find(method).finds == "estimate":
        question.options.for_method(find(method))
        if to_file.output != "-" or to_file.resume or any(work.given.values()):
            options_ = "-o, --resume, -j and --executor"
            raise SudokuError(f"{options_} have no effect with method {method}, which estimates")
        _estimate(source, outcome, method, question.limits, as_json)
        raise typer.Exit(outcome.status(source))
    choices: list[str] = []

    def observe(item: "Numbered", event: Event) -> None:
        if not isinstance(event, MethodChosen):
            emit(event)
            return
        choices.append(str(event))
        # Among many puzzles a remark for each quick one would only be in the way.
        if not (source.many and (event.method.startswith("search") or event.why.startswith("which ended"))):
            remark(f"by {event}")

    def chosen() -> dict[str, list[str]]:
        """Return what was chosen for the next puzzle."""
        chosen = {"chosen": list(choices)}
        choices.clear()
        return chosen

    with to_file.opened(source.inputs, parts_file) as journal:
        Records(source, outcome, False, form, None, journal).write_all(source.located(), question, observe, chosen)
    raise typer.Exit(outcome.status(source))


def _estimate(source: PuzzleInput, outcome: Outcome, method: str, limits: "Limits", as_json: bool) -> None:
    """Print about how many solutions each puzzle has; an estimate is never complete."""
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.methods.asking import estimate_each

    outcome.incomplete = True
    with progress("estimating ..."):
        for one, found in source.answered(lambda puzzles: estimate_each(puzzles, method, limits)):
            record = one.place.record("bad input") | {"reason": getattr(one.entry.found, "message", None)}
            if isinstance(found, StoppedError):
                record = one.place.record(stopped_status(str(found)), method) | {"reason": str(found)}
                remark(f"{prefix(one.number, source)}no estimate; stopped: {found}")
            elif found is not None:
                guess = {"estimate": found.value, "tolerance": found.tolerance, "confidence": found.confidence}
                record = one.place.record("estimated", method) | guess
            if as_json:
                print(json.dumps(record), flush=True)
            elif "estimate" in record:
                print(found, flush=True)
            elif source.many:
                print(f"# puzzle {one.number}: {record['status']}: {record['reason']}", flush=True)
