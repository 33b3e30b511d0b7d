"""The folder of `generate --ladder`: puzzles of growing hardness, their CNFs, and the manifest that lists them."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from sudoku_encode.cli.model_folder import MANIFEST
from sudoku_encode.cli.printing import progress
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import StoppedError, SudokuError, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.counting import INTERRUPTED
from sudoku_encode.storage.outputs import is_folder

if TYPE_CHECKING:
    from sudoku_encode.generating.file import PuzzleFile
    from sudoku_encode.generating.request import Request
    from sudoku_encode.run.pools import Pool

# All puzzles of a ladder, one a line, the easiest first.
PUZZLES = "puzzles.txt"
# Those that the rungs are chosen among, while they are made.
CANDIDATES = "generated.jsonl"


def write_ladder(
    folder: str, inputs: Iterable[str], request: "Request", n: int, pool: "Pool", seed: int | None, *, resume: bool
) -> int:
    """Generate puzzles, choose n of growing hardness and write them; return the exit status.

    Args:
        folder: made if there is none.
        inputs: the files that are read, which are not written over.
        request: which puzzles, but for their seed; how many follows from n.
        n: how many rungs.
        pool: where puzzles are generated, and how many at a time.
        seed: that was given, if any.
        resume: go on with the puzzles of a run that was stopped.

    Raises:
        SudokuError: a file cannot be written, or those of the run that was stopped are of other puzzles.
    """
    from sudoku_encode.generating.file import PuzzleFile, seed_of
    from sudoku_encode.storage import outputs
    from sudoku_encode.storage.journal import Journal

    if resume and not Path(folder, f"{CANDIDATES}.part").exists():
        raise SudokuError(f"{folder}: there is nothing to resume")
    home = outputs.folder(folder)
    outputs.refuse_inputs(inputs, *(home / name for name in _file_names(n)))
    with Journal(home / CANDIDATES, resume) as journal:
        chosen = seed_of(journal) if seed is None else seed
        request = request if chosen is None else replace(request, seed=chosen)
        if chosen is None:
            remark(f"seed {request.seed}")
        written = PuzzleFile(journal, request, None, as_json=True)
        made = _Puzzles(request, written)
        try:
            status = _write_rungs(home, request, made.all(n, pool), n)
        except (StoppedError, KeyboardInterrupt) as reason:
            advice = written.advice or "; nothing is written"
            remark(f"{str(reason) or INTERRUPTED}: {made.done:,} of {made.total(n):,} puzzles are made{advice}")
            return 3
        journal.discard()
    return status


def _file_names(n: int) -> list[str]:
    from sudoku_encode.encoders.batch import numbered_name

    return [PUZZLES, MANIFEST, CANDIDATES, *(f"{numbered_name(number, n)}.cnf" for number in range(1, n + 1))]


def _write_rungs(home: Path, request: "Request", puzzles: "Iterator[tuple[int, Puzzle]]", n: int) -> int:
    """Choose n of some puzzles and write them; return the exit status."""
    from sudoku_encode.encoders.batch import numbered_name
    from sudoku_encode.encoders.saving import ModelOptions, save_model
    from sudoku_encode.formats.writing import write
    from sudoku_encode.generating.ladder import PUZZLES_PER_RUNG, REDUCTION, SOLVER, ladder
    from sudoku_encode.storage import files

    rungs = ladder(puzzles, n)
    if not rungs:
        remark("no puzzle came out as it was wanted; nothing is written")
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
        made = {"board": request.board.name, "rules": list(request.board.rule_names)}
        records.append({**heading, **figures, **made, "seed": request.seed, "generated": rung.number})
    # The manifest comes last: where it is, all else is.
    for file, text in ((PUZZLES, [*heads, *lines]), (MANIFEST, [json.dumps(record) for record in records])):
        with files.writing(str(home / file)) as out:
            out("".join(f"{line}\n" for line in text).encode())
    steps = f"{rungs[0].propagations:,} to {rungs[-1].propagations:,} propagations of {SOLVER}"
    remark(f"{home}/: {len(rungs)} {plural('puzzle', len(rungs))}, {steps}; {MANIFEST} lists them")
    if len(rungs) < n:
        remark(f"there are no {n} of different hardness among {n * PUZZLES_PER_RUNG} puzzles")
        return 3
    return 0


def refuse_ladder(output: str, given: dict[str, bool]) -> None:
    """Refuse a ladder without a folder, or with options that have no effect on it.

    Args:
        output: the name of the folder.
        given: by the name of an option, whether it is given.

    Raises:
        SudokuError: it is so.
    """
    if output == "-" or not is_folder(output):
        raise SudokuError("a ladder needs a folder to write to, such as -o ladder/")
    for option, is_given in given.items():
        if is_given:
            raise SudokuError(f"{option} has no effect on a ladder")


class _Puzzles:
    """The puzzles that the rungs are chosen among: those of an earlier run, and then new ones.

    Attributes:
        done: how many the file has.
    """

    def __init__(self, request: "Request", written: "PuzzleFile") -> None:
        self.request, self.written, self.done = request, written, written.done

    @staticmethod
    def total(n: int) -> int:
        """Return how many are generated for n rungs."""
        from sudoku_encode.generating.ladder import PUZZLES_PER_RUNG

        return n * PUZZLES_PER_RUNG

    def all(self, n: int, pool: "Pool") -> "Iterator[tuple[int, Puzzle]]":
        """Yield the puzzles that came out as wanted, with their numbers; each is in the file before."""
        with progress("making puzzles ...", total=lambda: self.total(n), as_lines=True) as shown:
            # The last one of the earlier run is made again to compare it.
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
