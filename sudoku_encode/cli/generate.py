"""The command generate: random puzzles."""

import json
import sys
from itertools import islice
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import Printer, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import stopped_status
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.generating.table import GENERATORS, KINDS, PLACED, SYMMETRIES
from sudoku_encode.questions.figures.table import DEFAULT_FIGURE

if TYPE_CHECKING:
    from sudoku_encode.generating.file import PuzzleFile
    from sudoku_encode.generating.making import GeneratedPuzzle
    from sudoku_encode.generating.request import Request
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.run.pools import Pool

_GENERATORS = ", ".join(f"{name} ({row.summary})" for name, row in GENERATORS.items())
_KINDS = ", ".join(f"{name} ({summary})" for name, summary in KINDS.items())
_SYMMETRIES = ", ".join(f"{name} ({symmetry.summary})" for name, symmetry in SYMMETRIES.items())


def command(
    solution: Annotated[
        str,
        typer.Argument(
            metavar="[SOLUTION]",
            help="A full grid to cut the puzzles out of: a file, - or the text; left out, a random one for each.",
            show_default=False,
        ),
    ] = "",
    *,
    board: options.Board = None,
    rules: options.Rules = None,
    constraint: options.Constraints = None,
    placed: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="KIND[:NUMBER]",
            help="Put a number of random constraints of a kind where the solution fulfils them, such as thermometer:3; "
            f"may be given several times. Kinds: {', '.join(PLACED)}.",
            show_default=False,
        ),
    ] = None,
    clues: Annotated[int | None, typer.Option(min=0, help="The number of givens, exactly.")] = None,
    blanks: Annotated[int | None, typer.Option(min=0, help="The number of blanks; 0 makes a full grid.")] = None,
    solutions: Annotated[int, typer.Option(min=1, help="The number of solutions, exactly.")] = 1,
    minimal: Annotated[
        bool,
        typer.Option(
            "--minimal", help="Leave no given that could go without adding solutions; without --clues it is so anyway."
        ),
    ] = False,
    symmetry: Annotated[
        str,
        typer.Option(
            help=f"The symmetry of the pattern of givens: {_SYMMETRIES}. Minimal then means that no "
            "group of givens that belong together can go.",
            **options.one_of(SYMMETRIES),
        ),
    ] = "none",
    kind: Annotated[
        str,
        typer.Option(
            help=f"On the 9x9x9 cube with all six rules, which cubes to cut the puzzles out of: {_KINDS}.",
            **options.one_of(KINDS),
        ),
    ] = "usual",
    uniform: Annotated[
        bool,
        typer.Option(
            "--uniform",
            help="Start each attempt from a solution drawn as `sample` does, each as likely as the others; for boards "
            "whose solutions can be counted, such as 9x9. Otherwise some are likelier than others.",
        ),
    ] = False,
    method: Annotated[
        str, typer.Option(help=f"How puzzles are made: {_GENERATORS}.", **options.one_of(GENERATORS))
    ] = "sat",
    rating: Annotated[
        str | None,
        typer.Option(
            metavar="[FIGURE:]LOW-HIGH",
            help=f"What a figure of `rate` should be, such as backdoor:1-2 or {DEFAULT_FIGURE}:5-50; either end may "
            f"be left out, and without a name it is {DEFAULT_FIGURE}. A technique is meant by its number.",
            show_default=False,
        ),
    ] = None,
    many: Annotated[int, typer.Option(min=1, help="How many puzzles.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The same seed makes the same puzzles. By default a new one.",
        ),
    ] = None,
    ladder: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=10_000,
            help="Choose this number of puzzles of growing hardness among eight times as many, and write them and "
            "their CNFs to the folder of -o. Hardness is how many literals minisat propagates.",
            show_default=False,
        ),
    ] = None,
    attempts: Annotated[int, typer.Option(min=1, help="How often to try for each puzzle.")] = 100,
    timeout: options.Timeout = None,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    output: options.Output = "-",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a file of -o whose run did not end, or make it longer.")
    ] = False,
    work: options.WorkOptions,
) -> None:
    """Make random puzzles: cut givens out of a solution while the number of solutions stays as wanted, and proved.

    Each given is tried once, in random order, so an attempt always ends. With --rating, attempts go on until the figure
    is in the range; how often is up to --attempts. When all attempts miss the target, nothing is
    printed (with --json the nearest attempt is), standard error says how near the nearest came, and the exit status is
    3. It is 3 too when the time is over, and 1 when the board has no solution.

    With --uniform the solutions that attempts start from are uniform. The puzzles are not: a solution that leads to
    what was wanted in more attempts than another is that of more puzzles.

    A seed makes the same puzzles on any machine and any executor. Only where a question is too hard for the SAT solver,
    as with few clues on a 9x9x9 cube, may another version of the solver leave another given.

    A file that is written with -o is called FILE.part until all puzzles are there, and says how they were made; a
    puzzle that missed the target is a comment in its place. A run that was stopped goes on with --resume, with the same
    options and, if none is given, the same seed: the last puzzle in the file is made again to compare, those before it
    are not. That needs a puzzle a line: --json, or --to line, sdm, sukaku or csv. A ladder goes on with --resume too.
    """
    import secrets

    from sudoku_encode.generating.file import PuzzleFile, seed_of
    from sudoku_encode.generating.placing import parse_placed
    from sudoku_encode.generating.request import Request
    from sudoku_encode.generating.wanted import Wanted, clues_of
    from sudoku_encode.storage.journal import results
    from sudoku_encode.storage.outputs import refuse_inputs

    if ladder:
        from sudoku_encode.cli.ladder import refuse_ladder, write_ladder

        refuse_ladder(
            output,
            {
                "--rating": rating is not None,
                "--many": many > 1,
                "--to": to is not None,
                "--json": as_json,
                "--constraint": bool(constraint),
                "--with": bool(placed),
            },
        )
    if clues is not None and blanks is not None:
        raise SudokuError("--clues and --blanks say the same thing: give one of them")
    if resume and not as_json and not TEXT_FORMATS[to or "line"].is_one_line:
        raise SudokuError(f"--resume needs a puzzle a line, which --to {to} is not: use --json, or line, sdm or csv")
    if resume and not as_json and (placed or constraint):
        raise SudokuError("--resume needs a puzzle a line, and those with constraints have several: use --json")
    pool = work.pool()
    source = PuzzleInput(
        options.PuzzleOptions(
            *([solution] if solution else None, board if solution or board else GENERATORS[method].board, rules),
            constraints=constraint,
        )
    )
    refuse_inputs(source.inputs, *([] if ladder else [output, f"{output}.part"]))
    given = _given(source)
    geometry = given.geometry
    if rating is not None:
        from sudoku_encode.questions.aiming import aim_of
    wanted = Wanted(
        *(clues_of(geometry, clues, blanks), solutions, minimal, symmetry, kind, uniform),
        aim=None if rating is None else aim_of(rating),
        constraints=given.constraints,
        placed=parse_placed(placed or (), geometry),
    )
    wanted.check(geometry, method)
    if ladder:
        chosen = secrets.randbelow(2**32) if seed is None else seed
        request = Request(geometry, wanted, chosen, attempts, method, timeout, given.givens if solution else None)
        raise typer.Exit(write_ladder(output, source.inputs, request, ladder, pool, seed, resume=resume))
    with results(output, resume) as journal:
        known = seed_of(journal) if journal else None
        chosen = seed if seed is not None else secrets.randbelow(2**32) if known is None else known
        request = Request(geometry, wanted, chosen, attempts, method, timeout, given.givens if solution else None)
        to_file = None if journal is None else PuzzleFile(journal, request, to, as_json)
        written = to_file or _PuzzleStream(request, to, as_json)
        status = _generate(request, many, pool, written, seed is None)
    raise typer.Exit(status)


def _generate(
    request: "Request", many: int, pool: "Pool", written: "_PuzzleStream | PuzzleFile", print_seed: bool
) -> int:
    """Generate puzzles, some at a time, and write them; return the exit status."""
    numbers = range(written.first, max(many, written.first) + 1)
    puzzles = request.puzzles(numbers, pool)
    if print_seed:
        remark(f"seed {request.seed}")
    if request.wanted.uniform:
        remark("each attempt starts from a solution that is drawn uniformly from all of the board")
    status, number, done = written.status, numbers[0], written.done
    try:
        with progress("making puzzles ...", total=lambda: many) as shown:
            shown.advance(written.first - 1)
            for number in numbers:
                generated = next(puzzles)
                if isinstance(written, _PuzzleStream):
                    shown.hide()
                written.put(number, generated)
                shown.advance(1)
                done = number
                if missed := request.missed(number, generated):
                    remark(missed)
                    status = 3
                if generated is None:
                    status = 1
                    break
    except StoppedError as reason:
        written.stop(number, str(reason))
        remark(f"puzzle {number}: stopped: {reason}{written.advice}")
        return 3
    except KeyboardInterrupt:
        remark(f"interrupted: {done:,} of {many:,} puzzles are made{written.advice}")
        return 3
    written.finish()
    return status


class _PuzzleStream:
    """Writes puzzles to standard output."""

    first, done, status, advice = 1, 0, 0, ""

    def __init__(self, request: "Request", to: str | None, as_json: bool) -> None:
        self.request, self.as_json, self.printer = request, as_json, Printer(to)

    def put(self, number: int, generated: "GeneratedPuzzle | None") -> None:
        """Write a puzzle, or with --json why there is none."""
        if self.as_json:
            print(json.dumps(self.request.record(number, generated)), flush=True)
        elif generated is not None and generated.reached and generated.puzzle.constraints:
            from sudoku_encode.formats.bulk import LETTERS
            from sudoku_encode.formats.writing import write_all

            form = self.printer.format or ("line" if self.request.board.n_values <= LETTERS else "csv")
            print("".join(write_all([generated.puzzle], form)), end="", flush=True)
        elif generated is not None and generated.reached:
            self.printer.grid(generated.puzzle, generated.puzzle.givens)
            sys.stdout.flush()

    def stop(self, number: int, reason: str) -> None:
        """With --json, write why the run stopped at a puzzle."""
        if self.as_json:
            print(json.dumps(self.request.unreached(number, stopped_status(reason), reason)), flush=True)

    def finish(self) -> None:
        """Do nothing: a stream has no name to be given."""


def _given(source: PuzzleInput) -> "Puzzle":
    """Return the full grid to cut puzzles out of, or the empty board."""
    puzzles = [puzzle for _, puzzle in islice(source.puzzles(), 2)]
    if source.bad:
        raise typer.Exit(2)
    if len(puzzles) > 1:
        raise SudokuError("puzzles are cut out of one full grid, and here are several")
    return puzzles[0]
