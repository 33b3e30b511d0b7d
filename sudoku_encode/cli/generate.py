"""The command generate: random puzzles."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.model_folder import MANIFEST
from sudoku_encode.errors import INTERRUPTED, StoppedError, SudokuError, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.generating.table import GENERATORS, KINDS, PLACED, SYMMETRIES
from sudoku_encode.questions.table import DEFAULT_FIGURE
from sudoku_encode.report.printing import Printer, progress
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import remark
from sudoku_encode.run.status import status_of_stop
from sudoku_encode.storage.outputs import is_folder

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
            help="A full grid to remove givens from (file, - or text); by default a random one for each puzzle.",
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
            help="Place random constraints of a kind, such as thermometer:3; may be repeated.\n\nThey are placed where "
            f"the solution satisfies them. Kinds: {', '.join(PLACED)}.",
            show_default=False,
        ),
    ] = None,
    clues: Annotated[int | None, typer.Option(min=0, help="The number of givens, exactly.")] = None,
    blanks: Annotated[int | None, typer.Option(min=0, help="The number of blanks; 0 makes a full grid.")] = None,
    solutions: Annotated[int, typer.Option(min=1, help="The number of solutions, exactly.")] = 1,
    minimal: Annotated[
        bool,
        typer.Option("--minimal", help="Keep no redundant given, as always without --clues."),
    ] = False,
    symmetry: Annotated[
        str,
        typer.Option(
            help=f"The symmetry of the givens: {', '.join(SYMMETRIES)}.\n\n{_SYMMETRIES}. Minimal then means that no "
            "symmetric group of givens is redundant.",
            **options.one_of(SYMMETRIES),
        ),
    ] = "none",
    kind: Annotated[
        str,
        typer.Option(
            help=f"On the 9x9x9 cube, the kind of cubes to start from: {', '.join(KINDS)}.\n\n{_KINDS}. The cube "
            "has all six rules.",
            **options.one_of(KINDS),
        ),
    ] = "usual",
    uniform: Annotated[
        bool,
        typer.Option(
            "--uniform",
            help="Start from solutions drawn uniformly, as by `sample`.\n\nThis is for boards whose "
            "solutions can be counted, such as 9x9. Otherwise some solutions are more likely than others.",
        ),
    ] = False,
    method: Annotated[
        str,
        typer.Option(
            help=f"How puzzles are made: {', '.join(GENERATORS)}.\n\n{_GENERATORS}.", **options.one_of(GENERATORS)
        ),
    ] = "sat",
    rating: Annotated[
        str | None,
        typer.Option(
            metavar="[FIGURE:]LOW-HIGH",
            help=f"A range for a figure of `rate`, such as {DEFAULT_FIGURE}:5-50.\n\nEither end may be left out, and "
            f"the default figure is {DEFAULT_FIGURE}. Techniques are given by their numbers.",
            show_default=False,
        ),
    ] = None,
    many: Annotated[int, typer.Option(min=1, help="The number of puzzles.")] = 1,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The same seed makes the same puzzles.\n\nBy default it is a new one.",
        ),
    ] = None,
    ladder: Annotated[
        int | None,
        typer.Option(
            min=2,
            max=10_000,
            help="Write this number of puzzles of growing hardness, with their CNFs, to the folder of -o.\n\nThey are "
            "chosen among eight times as many. Hardness is the number of literals that minisat propagates.",
            show_default=False,
        ),
    ] = None,
    attempts: Annotated[int, typer.Option(min=1, help="Attempts for each puzzle.")] = 100,
    timeout: options.Timeout = None,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    output: options.Output = "-",
    resume: Annotated[
        bool, typer.Option("--resume", help="Continue the unfinished file of -o, or make it longer.")
    ] = False,
    work: options.WorkOptions,
) -> None:
    """Make random puzzles: remove givens from a solution as long as the number of solutions provably stays the same.

    The exit status is 3 if all attempts miss the target or the time is over, and 1 if the board has no solution.

    Details:

    Each given is tried once, in random order, so an attempt always ends. With --rating, attempts are repeated until the
    figure is in the range, up to --attempts times. If all attempts miss the target, nothing is printed (with --json the
    closest attempt is), and standard error reports the closest attempt.

    With --uniform the solutions at the start of attempts are uniform. The puzzles are not: a solution that reaches the
    target in more attempts than another is the solution of more puzzles.

    A seed makes the same puzzles on any machine and any executor. Only if a question is too hard for the SAT solver,
    as with few clues on a 9x9x9 cube, may another version of the solver keep another given.

    The file of -o is called FILE.part until all puzzles are in it, and its comments describe how they were made; a
    puzzle that missed the target is a comment in its place. You can continue a stopped run with --resume, the same
    options and the same seed, which need not be given: the last puzzle in the file is made again for comparison, those
    before it are not. This needs one puzzle per line: --json, or --to line, sdm, sukaku or csv. A ladder can be
    resumed too.
    """
    import secrets

    from sudoku_encode.generating.file import PuzzleFile, seed_of
    from sudoku_encode.generating.options import GenerateOptions, clue_count
    from sudoku_encode.generating.placing import parse_placed
    from sudoku_encode.generating.request import Request
    from sudoku_encode.storage.journal import open_results
    from sudoku_encode.storage.outputs import refuse_inputs

    if ladder:
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
        raise SudokuError("--clues and --blanks: give only one of them")
    if resume and not as_json and not TEXT_FORMATS[to or "line"].is_one_line:
        raise SudokuError(f"--resume needs one puzzle per line, not --to {to}: use --json, or line, sdm or csv")
    if resume and not as_json and (placed or constraint):
        raise SudokuError("--resume needs one puzzle per line, not constraints on further lines: use --json")
    pool = work.pool()
    source = PuzzleInput(
        options.PuzzleOptions(
            [solution] if solution else None,
            board if solution or board else GENERATORS[method].board,
            rules,
            constraints=constraint,
        )
    )
    refuse_inputs(source.inputs, *([] if ladder else [output, f"{output}.part"]))
    given = _given(source)
    geometry = given.geometry
    if rating is not None:
        from sudoku_encode.questions.rating import parse_aim
    target = GenerateOptions(
        clue_count(geometry, clues, blanks),
        solutions,
        minimal,
        symmetry,
        kind,
        uniform,
        aim=None if rating is None else parse_aim(rating),
        constraints=given.constraints,
        placed=parse_placed(placed or (), geometry),
    )
    target.check(geometry, method)
    if ladder:
        chosen_seed = secrets.randbelow(2**32) if seed is None else seed
        request = Request(geometry, target, chosen_seed, attempts, method, timeout, given.givens if solution else None)
        raise typer.Exit(write_ladder(output, source.inputs, request, ladder, pool, seed, resume=resume))
    with open_results(output, resume) as journal:
        earlier_seed = seed_of(journal) if journal else None
        chosen_seed = seed if seed is not None else secrets.randbelow(2**32) if earlier_seed is None else earlier_seed
        request = Request(geometry, target, chosen_seed, attempts, method, timeout, given.givens if solution else None)
        to_file = None if journal is None else PuzzleFile(journal, request, to, as_json)
        written = to_file or _PuzzleStream(request, to, as_json)
        status = _generate(request, many, pool, written, seed is None)
    raise typer.Exit(status)


def _generate(
    request: "Request", many: int, pool: "Pool", written: "_PuzzleStream | PuzzleFile", print_seed: bool
) -> int:
    """Generate puzzles on a pool and write them; return the exit status."""
    numbers = range(written.first, max(many, written.first) + 1)
    puzzles = request.puzzles(numbers, pool)
    if print_seed:
        remark(f"seed {request.seed}")
    if request.options.uniform:
        remark("each attempt starts from a uniformly drawn solution of the board")
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
        written.stop(number, reason.reason)
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
        """Write a puzzle, or with --json the reason why it is missing."""
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
            print(json.dumps(self.request.unreached(number, status_of_stop(reason), reason)), flush=True)

    def finish(self) -> None:
        """Do nothing: a stream is not renamed."""


def _given(source: PuzzleInput) -> "Puzzle":
    """Return the full grid to remove givens from, or the empty board."""
    puzzles = [puzzle for _, puzzle in islice(source.puzzles(), 2)]
    if source.bad:
        raise typer.Exit(2)
    if len(puzzles) > 1:
        raise SudokuError("expected a single full grid to remove givens from, got several")
    return puzzles[0]


# The folder of `generate --ladder` contains puzzles of growing hardness, their CNFs, and a manifest.

# All puzzles of a ladder, one per line, the easiest first.
PUZZLES = "puzzles.txt"
# The puzzles from which the rungs are chosen, while they are made.
CANDIDATES = "generated.jsonl"


def write_ladder(
    folder: str, inputs: Iterable[str], request: "Request", n: int, pool: "Pool", seed: int | None, *, resume: bool
) -> int:
    """Generate puzzles, choose n of growing hardness and write them; return the exit status.

    Args:
        folder: created if it does not exist.
        inputs: the names of the input files, which are not overwritten.
        request: the puzzles to generate, apart from their seed; their number follows from n.
        n: the number of rungs.
        pool: where puzzles are generated, and how many at a time.
        seed: the given seed, if any.
        resume: continue a stopped run.

    Raises:
        SudokuError: a file cannot be written, or the files of the stopped run belong to other puzzles.
    """
    from sudoku_encode.generating.file import PuzzleFile, seed_of
    from sudoku_encode.storage import outputs
    from sudoku_encode.storage.journal import Journal

    if resume and not Path(folder, f"{CANDIDATES}.part").exists():
        raise SudokuError(f"{folder}: there is nothing to resume")
    home = outputs.make_folder(folder)
    outputs.refuse_inputs(inputs, *(home / name for name in _file_names(n)))
    with Journal(home / CANDIDATES, resume) as journal:
        chosen_seed = seed_of(journal) if seed is None else seed
        request = request if chosen_seed is None else replace(request, seed=chosen_seed)
        if chosen_seed is None:
            remark(f"seed {request.seed}")
        written = PuzzleFile(journal, request, None, as_json=True)
        origin = _Puzzles(request, written)
        try:
            status = _write_rungs(home, request, origin.all(n, pool), n)
        except (StoppedError, KeyboardInterrupt) as reason:
            advice = written.advice or "; nothing is written"
            remark(f"{str(reason) or INTERRUPTED}: {origin.done:,} of {origin.total(n):,} puzzles are made{advice}")
            return 3
        journal.discard()
    return status


def _file_names(n: int) -> list[str]:
    from sudoku_encode.encoders.model_jobs import numbered_name

    return [PUZZLES, MANIFEST, CANDIDATES, *(f"{numbered_name(number, n)}.cnf" for number in range(1, n + 1))]


def _write_rungs(home: Path, request: "Request", puzzles: "Iterator[tuple[int, Puzzle]]", n: int) -> int:
    """Choose n of some puzzles and write them; return the exit status."""
    from sudoku_encode.encoders.model_files import ModelOptions, save_model
    from sudoku_encode.encoders.model_jobs import numbered_name
    from sudoku_encode.formats.writing import write
    from sudoku_encode.generating.file import PUZZLES_PER_RUNG, REDUCTION, SOLVER, ladder
    from sudoku_encode.storage import files

    rungs = ladder(puzzles, n)
    if not rungs:
        remark("no puzzle reached the target; nothing is written")
        return 3
    heads = [f"# board: {request.board.name}", f"# rules: {','.join(request.board.rule_names)}"]
    lines, records = [], []
    form = "line" if request.board.n_values <= 35 else "csv"
    for number, rung in enumerate(rungs, 1):
        name = f"{numbered_name(number, n)}.cnf"
        saved = save_model(rung.puzzle, home / name, options=ModelOptions(reduction=REDUCTION))
        givens = write(request.board, rung.puzzle.givens, form).splitlines()[-1]
        lines.append(givens)
        figures = {"propagations": rung.propagations, "solver": SOLVER, **saved.figures}
        place = Place(PUZZLES, len(heads) + number, number).record("written", "cnf")
        heading = place | {"path": name, "givens": givens, "clues": int((rung.puzzle.givens > 0).sum())}
        origin = {"board": request.board.name, "rules": list(request.board.rule_names)}
        records.append({**heading, **figures, **origin, "seed": request.seed, "generated": rung.number})
    # The manifest comes last: if it exists, so do all other files.
    for file, text in ((PUZZLES, [*heads, *lines]), (MANIFEST, [json.dumps(record) for record in records])):
        with files.writing(str(home / file)) as out:
            out("".join(f"{line}\n" for line in text).encode())
    steps = f"{rungs[0].propagations:,} to {rungs[-1].propagations:,} propagations of {SOLVER}"
    remark(f"{home}/: {len(rungs)} {plural('puzzle', len(rungs))}, {steps}; {MANIFEST} lists them")
    if len(rungs) < n:
        remark(f"fewer than {n} different degrees of hardness among {n * PUZZLES_PER_RUNG} puzzles")
        return 3
    return 0


def refuse_ladder(output: str, given: dict[str, bool]) -> None:
    """Raise an error for a ladder without a folder, or with an option that has no effect.

    Args:
        output: the name of the folder.
        given: whether each option without effect is given, by name.

    Raises:
        SudokuError: no folder, or such an option.
    """
    if output == "-" or not is_folder(output):
        raise SudokuError("a ladder needs a folder to write to, such as -o ladder/")
    for option, is_given in given.items():
        if is_given:
            raise SudokuError(f"{option} has no effect on a ladder")


class _Puzzles:
    """The puzzles from which the rungs are chosen: those of an earlier run, and then new ones.

    Attributes:
        done: the number of puzzles in the file.
    """

    def __init__(self, request: "Request", written: "PuzzleFile") -> None:
        self.request, self.written, self.done = request, written, written.done

    @staticmethod
    def total(n: int) -> int:
        """Return the number of puzzles to generate for n rungs."""
        from sudoku_encode.generating.file import PUZZLES_PER_RUNG

        return n * PUZZLES_PER_RUNG

    def all(self, n: int, pool: "Pool") -> "Iterator[tuple[int, Puzzle]]":
        """Yield the puzzles that reached the target, with their numbers, after they are written to the file."""
        from sudoku_encode.puzzles.puzzle import Puzzle

        with progress("making puzzles ...", total=lambda: self.total(n), as_lines=True) as shown:
            # The last puzzle of the earlier run is made again for comparison.
            first = self.written.first
            for number, line in enumerate(self.written.lines[: first - 1], 1):
                shown.advance(1)
                record = json.loads(line)
                if record["reached"]:
                    yield number, Puzzle.of(self.request.board, record["givens"])
            numbers = range(first, max(self.total(n), first) + 1)
            for number, generated in zip(numbers, self.request.puzzles(numbers, pool), strict=False):
                self.written.put(number, generated)
                self.done = number
                shown.advance(1)
                if generated is None:
                    return
                if generated.reached:
                    yield number, generated.puzzle
