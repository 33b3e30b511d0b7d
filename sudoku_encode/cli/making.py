"""The command that makes puzzles: generate."""

import json
import sys
from itertools import islice
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import Printer, progress
from sudoku_encode.cli.reading import Source, remark
from sudoku_encode.errors import Stopped, SudokuError

if TYPE_CHECKING:
    from sudoku_encode.generate import Made, Wanted
    from sudoku_encode.puzzle import Puzzle


def generate(
    solution: Annotated[
        str,
        typer.Argument(
            metavar="[SOLUTION]",
            help="A full grid to cut the puzzles out of: a file, - or the text; left out, a random one for each.",
            show_default=False,
        ),
    ] = "",
    board: options.Board = None,
    rules: options.Rules = None,
    clues: Annotated[int | None, typer.Option(min=0, help="Exactly so many givens.")] = None,
    blanks: Annotated[int | None, typer.Option(min=0, help="Exactly so many blanks; 0 makes a full grid.")] = None,
    solutions: Annotated[int, typer.Option(min=1, help="Exactly so many solutions.")] = 1,
    minimal: Annotated[
        bool,
        typer.Option("--minimal", help="No given can go without adding solutions. So it is without --clues anyway."),
    ] = False,
    symmetry: Annotated[
        options.SymmetryName,
        typer.Option(
            help="Of the pattern of givens: point (half a turn), mirror (left and right), diagonal, quarter (turns) or "
            "full (all of these). Minimal then means that no group of givens that belong together can go."
        ),
    ] = "none",
    method: Annotated[
        options.GeneratorName, typer.Option(help="sat, or keck2022: Keck's backtracking, for small boards.")
    ] = "sat",
    many: Annotated[int, typer.Option(min=1, help="How many puzzles.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The same seed makes the same puzzles. By default a new one.",
        ),
    ] = None,
    attempts: Annotated[int, typer.Option(min=1, help="How often to try for each puzzle.")] = 100,
    timeout: options.Timeout = None,
    to: options.TextFormat = None,
    as_json: options.Json = False,
) -> None:
    """Make random puzzles: cut givens out of a solution while the number of solutions stays as wanted, and proved.

    Each given is tried once, in random order, so an attempt always ends. When all attempts miss the target, nothing is
    printed (with --json the nearest attempt is), standard error says how near the nearest came, and the exit status is
    3. It is 3 too when the time is over, and 1 when the board has no solution.

    A seed makes the same puzzles on any machine. Only where a question is too hard for the SAT solver, as with few
    clues on a 9x9x9 cube, may another version of the solver leave another given.
    """
    import secrets

    from sudoku_encode.generate import Wanted, puzzles

    if clues is not None and blanks is not None:
        raise SudokuError("--clues and --blanks say the same thing: give one of them")
    given = _given(solution, board, rules)
    geometry = given.geometry
    if blanks is not None and blanks > geometry.n_cells:
        raise SudokuError(f"{blanks} blanks on {geometry.name}: it has {geometry.n_cells} cells")
    wanted = Wanted(clues if blanks is None else geometry.n_cells - blanks, solutions, minimal, symmetry)
    chosen = secrets.randbelow(2**32) if seed is None else seed
    made = puzzles(
        *(geometry, wanted, chosen, many, attempts, method, timeout),
        grid=given.givens if solution else None,
        watch=lambda what: watch(f"puzzle {number}, {what}"),
    )
    if seed is None:
        remark(f"seed {chosen}")

    def report(fields: dict[str, Any]) -> None:
        if as_json:
            heading = {"puzzle": number, "seed": chosen, "board": geometry.name, "rules": geometry.rule_names}
            print(json.dumps({**heading, **fields}), flush=True)

    status, shown = 0, Printer(to, False)
    for number in range(1, many + 1):
        try:
            # What is shown there must be gone before anything is printed.
            with progress("making a puzzle ...") as watch:
                one = next(made)
        except Stopped as reason:
            report({"reached": False, "stopped": str(reason)})
            remark(f"puzzle {number}: stopped: {reason}")
            raise typer.Exit(3) from None
        if one is None:
            why = geometry.impossible or "searched in full"
            report({"reached": False, "no_solution": why})
            remark(f"{geometry.name} has no solution: {why}")
            raise typer.Exit(1)
        report(_report(one))
        if one.reached and not as_json:
            shown.grid(number, one.puzzle, one.puzzle.givens)
            sys.stdout.flush()
        if not one.reached:
            status = 3
            remark(f"puzzle {number}: not reached in {_some(attempts, 'attempt')}: {_missed(one, wanted)}")
    raise typer.Exit(status)


def _given(solution: str, board: str | None, rules: str | None) -> "Puzzle":
    """Return the full grid to cut puzzles out of, or the empty board."""
    if not solution and board is None:
        board = "9x9"
    source = Source(solution, board, rules)
    puzzles = [puzzle for _, puzzle in islice(source.puzzles(), 2)]
    if source.bad:
        raise typer.Exit(2)
    if len(puzzles) > 1:
        raise SudokuError("puzzles are cut out of one full grid, and here are several")
    return puzzles[0]


def _report(made: "Made") -> dict[str, Any]:
    return {
        "reached": made.reached,
        "clues": made.clues,
        "solutions": made.solutions,
        "minimal": made.minimal,
        "attempt": made.attempt,
        "givens": made.puzzle.givens.tolist(),
        "solution": made.solution.tolist(),
    }


def _missed(made: "Made", wanted: "Wanted") -> str:
    """Say how near the nearest attempt came."""
    nearest = f"the nearest has {_some(made.clues, 'clue')} and {_some(made.solutions, 'solution')}"
    if wanted.must_be_minimal:
        nearest += ", and is minimal" if made.minimal else ", and is not proved minimal"
    return nearest


def _some(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
