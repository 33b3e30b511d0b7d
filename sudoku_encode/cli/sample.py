"""The command sample: random solutions."""

from functools import partial
from typing import Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.questions.table import NOT_UNIFORM, SAMPLERS
from sudoku_encode.report.reading import PuzzleInput

_METHODS = f"How to draw: {', '.join(SAMPLERS)} (only {NOT_UNIFORM} is not uniform).\n\n" + "; ".join(
    f"{name}: {summary}" for name, summary in SAMPLERS.items()
)


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
            help="The same seed draws the same solutions; each further puzzle uses the next seed. By default a new "
            "seed, which is printed.",
            show_default=False,
        ),
    ] = None,
    method: Annotated[str, typer.Option(help=_METHODS, **options.one_of(SAMPLERS))] = "auto",
    limits: options.LimitOptions,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Print random solutions of each puzzle; each solution has exactly the same probability.

    If the solutions cannot be counted, nothing is printed, and the exit status is 3. Then `--method walk` still finds
    solutions, but they are not uniform: some occur more often than others, and each is close to the one before it. The
    exit status is 1 if a puzzle has no solution.

    Details:

    The solutions are numbered, and random numbers are drawn, so nothing is approximate. Sampling is with replacement: a
    solution can occur more than once. To see what a few givens leave open, look at twenty solutions: `sample
    few-givens.txt -n 20 --to grid`.

    The executor and the number of processes do not change the drawn solutions, but another --memory may.
    """
    import secrets

    from sudoku_encode.questions.sampling import SampleQuestion
    from sudoku_encode.report.solutions import SampleReport
    from sudoku_encode.run.asking import ask_each

    options.record_form(as_json, as_csv=False, to=to)
    source, chosen = PuzzleInput(given), secrets.randbelow(2**32) if seed is None else seed
    report = SampleReport(source, "json" if as_json else "text", to, method, chosen, tells_seed=seed is None)
    question = SampleQuestion(number, chosen, method)
    ask = partial(ask_each, question, limits=limits.limits(), pool=work.pool(), on_event=report.observe)
    raise typer.Exit(report.write(source.answered(ask)))
