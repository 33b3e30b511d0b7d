"""Write random puzzles, to standard output or a file; and ladders, folders of puzzles of growing hardness."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_encode.errors import INTERRUPTED, StoppedError, SudokuError, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.report.model_folder import MANIFEST
from sudoku_encode.report.printing import Printer, progress
from sudoku_encode.report.streams import remark
from sudoku_encode.run.status import status_of_stop

if TYPE_CHECKING:
    from sudoku_encode.generating.file import PuzzleFile
    from sudoku_encode.generating.making import GeneratedPuzzle
    from sudoku_encode.generating.request import Request
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.run.pools import Pool


def write_puzzles(
    output: str,
    request: "Request",
    many: int,
    pool: "Pool",
    seed: int | None,
    to: str | None,
    *,
    as_json: bool,
    resume: bool,
) -> int:
    """Generate puzzles and write them; return the exit status.

    Args:
        output: a file, or `-`.
        request: the puzzles; if no seed is given, an unfinished file has one.
        many: the number of puzzles.
        pool: where they are generated, and how many at a time.
        seed: the given seed, if any.
        to: the format.
        as_json: write records.
        resume: continue the file.

    Raises:
        SudokuError: the file cannot be written, or contains other puzzles.
    """
    from sudoku_encode.generating.file import PuzzleFile, seed_of
    from sudoku_encode.storage.journal import open_results

    with open_results(output, resume) as journal:
        earlier_seed = seed_of(journal) if journal and seed is None else None
        request = request if earlier_seed is None else replace(request, seed=earlier_seed)
        to_file = None if journal is None else PuzzleFile(journal, request, to, as_json)
        return _generate(request, many, pool, to_file or _PuzzleStream(request, to, as_json), seed is None)


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
