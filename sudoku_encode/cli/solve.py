"""The command solve."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome, why_none
from sudoku_encode.cli.printing import Printer
from sudoku_encode.cli.reading import PuzzleInput

if TYPE_CHECKING:
    from sudoku_encode.methods.batches import Batch
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids


def command(
    given: options.PuzzleOptions,
    *,
    method: Annotated[
        str | None,
        typer.Option(
            help="See `sudoku-encode methods`. By default cp-sat; search for a file with nothing but 9x9 puzzles, one "
            "a line.",
            show_default=False,
        ),
    ] = None,
    solver: options.SolverOptions,
    limits: options.LimitOptions,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Workers of CP-SAT. By default 1.", show_default=False)
    ] = None,
    to: options.TextFormat = None,
    as_json: options.Json = False,
) -> None:
    """Print one solution of each puzzle, by CP-SAT unless told otherwise.

    A puzzle without a solution is a comment line (#) in its place, and the exit status is 1.
    """
    from sudoku_encode.errors import Stopped
    from sudoku_encode.methods.asking import first_of_each
    from sudoku_encode.methods.options import Options

    source, outcome, shown = PuzzleInput(given), Outcome(), Printer(to, as_json)
    chosen, wanted = solver.options(workers), limits.limits()
    quick = method in (None, "search") and chosen == Options() and not wanted.need_a_process and not as_json
    if quick and (many := source.bulk()) is not None:
        _solve_many(*many, method or "auto", source, outcome, shown)
        raise typer.Exit(outcome.status(source))
    for (number, puzzle), answer in first_of_each(source.puzzles(), method or "cp-sat", wanted, chosen):
        if isinstance(answer, Stopped):
            outcome.incomplete = True
            shown.no_grid(number, source, "stopped", f"not solved: {answer}")
        elif answer is None:
            outcome.negative = True
            shown.no_grid(number, source, "no solution", f"no solution{why_none(puzzle)}")
        else:
            shown.grid(number, puzzle, answer)
    raise typer.Exit(outcome.status(source))


def _solve_many(
    board: "Geometry", givens: "Grids", method: str, source: PuzzleInput, outcome: Outcome, shown: Printer
) -> None:
    """Solve a file of plain lines; solutions are written in arrays, between the puzzles that have none."""
    import numpy as np

    from sudoku_encode.methods.asking import solve_batches
    from sudoku_encode.puzzles.puzzle import Puzzle

    empty, first = Puzzle.of(board), 1
    found: Batch
    answers: Iterator[Batch] = solve_batches(board, givens, 1, method)
    for found in answers:
        ends = [*np.flatnonzero(found.counts == 0).tolist(), len(found.grids)]
        start = 0
        for end in ends:
            shown.grids(first, empty, found.grids[start:end])
            if end < len(found.grids):
                outcome.negative = True
                reason = why_none(Puzzle.of(board, givens[first + end - 1]))
                shown.no_grid(first + end, source, "no solution", f"no solution{reason}")
            start = end + 1
        first += len(found.grids)
