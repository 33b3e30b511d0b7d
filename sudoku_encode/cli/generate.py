"""The command generate: random puzzles."""

from itertools import islice
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.generating.table import FAMILIES, GENERATORS, KINDS, PLACED, SYMMETRIES
from sudoku_encode.questions.table import DEFAULT_FIGURE
from sudoku_encode.questions.techniques.table import DIFFICULTIES
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.storage.outputs import is_folder

if TYPE_CHECKING:
    from sudoku_encode.generating.request import Request
    from sudoku_encode.puzzles.puzzle import Puzzle


_GENERATORS = ", ".join(f"{name} ({row.summary})" for name, row in GENERATORS.items())
_FAMILIES = ", ".join(f"{name} ({row.summary})" for name, row in FAMILIES.items())
_KINDS = ", ".join(f"{name} ({summary})" for name, summary in KINDS.items())
_SYMMETRIES = ", ".join(f"{name} ({symmetry.summary})" for name, symmetry in SYMMETRIES.items())


class SourceOptions(NamedTuple):
    """The board, or the solution to remove givens from."""

    solution: Annotated[
        str,
        typer.Argument(
            metavar="[SOLUTION]",
            help="A full grid to remove givens from (file, - or text); by default a random one for each puzzle.",
            show_default=False,
        ),
    ] = ""
    board: options.Board = None
    rules: options.Rules = None
    constraint: options.Constraints = None
    placed: Annotated[
        list[str] | None,
        typer.Option(
            "--with",
            metavar="KIND[:NUMBER]",
            help="Place random constraints of a kind, such as thermometer:3; may be repeated.\n\nThey are placed where "
            f"the solution satisfies them. Kinds: {', '.join(PLACED)}.",
            show_default=False,
        ),
    ] = None


class TargetOptions(NamedTuple):
    """The puzzles to make."""

    clues: Annotated[int | None, typer.Option(min=0, help="The exact number of givens.")] = None
    blanks: Annotated[int | None, typer.Option(min=0, help="The exact number of blanks; 0 makes a full grid.")] = None
    solutions: Annotated[int, typer.Option(min=1, help="The exact number of solutions.")] = 1
    minimal: Annotated[
        bool,
        typer.Option("--minimal", help="Keep no redundant given, as always without --clues."),
    ] = False
    symmetry: Annotated[
        str,
        typer.Option(
            help=f"The symmetry of the givens: {', '.join(SYMMETRIES)}.\n\n{_SYMMETRIES}. Minimal then means that no "
            "symmetric group of givens is redundant.",
            **options.one_of(SYMMETRIES),
        ),
    ] = "none"
    kind: Annotated[
        str,
        typer.Option(
            help=f"On the 9x9x9 cube, the kind of full cube to start from: {', '.join(KINDS)}.\n\n{_KINDS}. The cube "
            "has all six rules.",
            **options.one_of(KINDS),
        ),
    ] = "usual"
    family: Annotated[
        str | None,
        typer.Option(
            help=f"Make instances for solvers: {', '.join(FAMILIES)}.\n\n{_FAMILIES}. Without --clues or --blanks, "
            "Latin squares and 9x9x9 get about the hardest number of holes.",
            show_default=False,
            **options.one_of(FAMILIES),
        ),
    ] = None
    uniform: Annotated[
        bool,
        typer.Option(
            "--uniform",
            help="Start from solutions drawn uniformly, as by `sample`.\n\nThis is for boards whose solutions can be "
            "counted, such as 9x9. Without it, some solutions are more likely than others.",
        ),
    ] = False
    method: Annotated[
        str,
        typer.Option(
            help=f"How to make puzzles: {', '.join(GENERATORS)}.\n\n{_GENERATORS}.", **options.one_of(GENERATORS)
        ),
    ] = "sat"
    rating: Annotated[
        str | None,
        typer.Option(
            metavar="RANGE",
            help=f"Range for a figure of `rate`: [{DEFAULT_FIGURE}:]5-50.\n\nOnly puzzles in it are printed. "
            f"Either end may be left out, and the default figure is {DEFAULT_FIGURE}. Techniques are given by their "
            "numbers.",
            show_default=False,
        ),
    ] = None
    difficulty: Annotated[
        str | None,
        typer.Option(
            metavar="WORD",
            help=f"Difficulty to reach, such as hard or medium-hard.\n\nThe words are "
            f"{', '.join(DIFFICULTIES)}. Each is a range of the figure technique, as `hint --techniques` lists them.",
            show_default=False,
        ),
    ] = None


class RunOptions(NamedTuple):
    """How many puzzles to make, and how."""

    many: Annotated[int, typer.Option(min=1, help="The number of puzzles.")] = 1
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The same seed makes the same puzzles.\n\nBy default it is a new one.",
        ),
    ] = None
    ladder: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=10_000,
            help="Write this number of puzzles of growing hardness, with their CNFs, to the folder of -o.\n\nThey are "
            "chosen from eight times as many. Hardness is the number of literals that minisat propagates.",
            show_default=False,
        ),
    ] = None
    attempts: Annotated[int, typer.Option(min=1, help="The most attempts for each puzzle.")] = 100
    timeout: options.Timeout = None


def command(
    of: SourceOptions,
    *,
    target: TargetOptions,
    run: RunOptions,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    output: options.Output = "-",
    resume: Annotated[bool, typer.Option("--resume", help="Continue the file of -o, or add puzzles to it.")] = False,
    work: options.WorkOptions,
) -> None:
    """Make random puzzles: remove givens from a solution as long as the number of solutions provably stays the same.

    The exit status is 3 if all attempts miss the target or the time is over, and 1 if the board has no solution.

    Details:

    Each given is tried once, in random order, so an attempt always ends. With --rating or --difficulty, attempts are
    repeated until the figure is in the range, up to --attempts times. If all attempts miss the target, standard error
    reports the closest one; it is printed only with --json.

    With --uniform, each attempt starts from a uniformly drawn solution. The puzzles are not uniform: a solution that
    reaches the target in more attempts than another is the solution of more puzzles.

    A seed makes the same puzzles on any machine and any executor. There is one exception: if a step is too hard for the
    SAT solver, as with few clues on a 9x9x9 cube, another version of the solver may keep another given.

    The output file (-o) is called FILE.part until all puzzles are in it. Its comments describe how they were made; a
    puzzle that missed the target is a comment in its place. To continue a stopped run, repeat the command with
    --resume; the seed may be left out. The last puzzle in the file is made again for comparison. This needs one puzzle
    per line: --json, or --to with line, sdm, sukaku or csv. A ladder can be resumed too. A finished folder of puzzles
    gets more of them with --resume and a larger --many.
    """
    from sudoku_encode.report.generated import FolderSize, write_folder, write_puzzles
    from sudoku_encode.storage.outputs import refuse_inputs

    options.record_form(as_json, as_csv=False, to=to)
    _refuse_unused(of, target, run, to, output, as_json=as_json, resume=resume)
    pool = work.pool()
    board = of.board if of.solution or of.board else GENERATORS[target.method].board
    puzzles = [of.solution] if of.solution else None
    source = PuzzleInput(options.PuzzleOptions(puzzles, board, of.rules, constraints=of.constraint))
    to_folder = output != "-" and is_folder(output)
    refuse_inputs(source.inputs, *([] if to_folder else [output, f"{output}.part"]))
    request = _request(source, of, target, run)
    if to_folder:
        size = FolderSize(run.ladder or run.many, run.ladder is not None)
        raise typer.Exit(write_folder(output, source.inputs, request, size, pool, run.seed, resume=resume))
    raise typer.Exit(write_puzzles(output, request, run.many, pool, run.seed, to, as_json=as_json, resume=resume))


def _refuse_unused(
    of: SourceOptions,
    target: TargetOptions,
    run: RunOptions,
    to: str | None,
    output: str,
    *,
    as_json: bool,
    resume: bool,
) -> None:
    """Raise SudokuError for options that contradict each other, or have no effect."""
    if run.ladder and (output == "-" or not is_folder(output)):
        raise SudokuError("a ladder needs a folder to write to, such as -o ladder/")
    unused = {
        "--rating": target.rating is not None,
        "--difficulty": target.difficulty is not None,
        "--many": run.many > 1,
    }
    unused_in_folder = {
        "--to": to is not None,
        "--json": as_json,
        "--constraint": bool(of.constraint),
        "--with": bool(of.placed),
    }
    to_folder = output != "-" and is_folder(output)
    for option, is_given in (
        unused | unused_in_folder if run.ladder else unused_in_folder if to_folder else {}
    ).items():
        if is_given:
            raise SudokuError(f"{option} has no effect on {'a ladder' if run.ladder else 'a folder of CNFs'}")
    if target.clues is not None and target.blanks is not None:
        raise SudokuError("--clues and --blanks: give only one of them")
    if resume and not as_json and not TEXT_FORMATS[to or "line"].is_one_line:
        raise SudokuError(f"--resume needs one puzzle per line, not --to {to}: use --json, or line, sdm or csv")
    if resume and not as_json and (of.placed or of.constraint):
        raise SudokuError("--resume needs one puzzle per line, not constraints on further lines: use --json")


def _request(source: PuzzleInput, of: SourceOptions, target: TargetOptions, run: RunOptions) -> "Request":
    """Return the request for the puzzles; without a given seed, with a random one."""
    import secrets

    from sudoku_encode.generating.options import GenerateOptions, clue_count
    from sudoku_encode.generating.placing import parse_placed
    from sudoku_encode.generating.request import Request
    from sudoku_encode.questions.rating import choose_aim

    given = _given(source)
    options = GenerateOptions(
        clue_count(given.geometry, target.clues, target.blanks, target.family),
        target.solutions,
        target.minimal,
        target.symmetry,
        target.kind,
        target.uniform,
        aim=choose_aim(target.rating, target.difficulty),
        constraints=given.constraints,
        placed=parse_placed(of.placed or (), given.geometry),
        family=target.family,
    )
    options.check(given.geometry, target.method)
    seed = secrets.randbelow(2**32) if run.seed is None else run.seed
    solution = given.givens if of.solution else None
    return Request(given.geometry, options, seed, run.attempts, target.method, run.timeout, solution)


def _given(source: PuzzleInput) -> "Puzzle":
    """Return the full grid to remove givens from, or the empty board."""
    puzzles = [puzzle for _, puzzle in islice(source.puzzles(), 2)]
    if source.bad:
        raise typer.Exit(2)
    if len(puzzles) > 1:
        raise SudokuError("expected a single full grid to remove givens from, got several")
    return puzzles[0]
