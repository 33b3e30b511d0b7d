"""Write random puzzles, to standard output or a file; and folders of puzzles with their CNFs, such as ladders."""

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_encode.errors import INTERRUPTED, StoppedError, SudokuError, plural
from sudoku_encode.formats.place import Place
from sudoku_encode.report.model_folder import MANIFEST
from sudoku_encode.report.printing import Printer, progress
from sudoku_encode.report.streams import remark
from sudoku_encode.run.status import status_of_stop

if TYPE_CHECKING:
    from sudoku_encode.generating.file import PuzzleFile, Rung
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


# A folder contains puzzles, such as a ladder of growing hardness, their CNFs, and a manifest.

# All puzzles of a folder, one per line.
PUZZLES = "puzzles.txt"
# The puzzles, or those from which the rungs of a ladder are chosen, while they are made.
CANDIDATES = "generated.jsonl"


def write_folder(
    folder: str,
    inputs: Iterable[str],
    request: "Request",
    size: "FolderSize",
    pool: "Pool",
    seed: int | None,
    *,
    resume: bool,
) -> int:
    """Generate puzzles and write them with their CNFs into a folder; return the exit status.

    Args:
        folder: created if it does not exist.
        inputs: the names of the input files, which are not overwritten.
        request: the puzzles to generate, apart from their seed.
        size: how many.
        pool: where puzzles are generated, and how many at a time.
        seed: the given seed, if any.
        resume: continue a stopped run, or make the folder of a finished one longer.

    Raises:
        SudokuError: a file cannot be written, or the files of the earlier run belong to other puzzles.
    """
    from sudoku_encode.generating.file import PuzzleFile, seed_of
    from sudoku_encode.storage import outputs
    from sudoku_encode.storage.journal import Journal

    home = Path(folder)
    is_unfinished = resume and (home / f"{CANDIDATES}.part").exists()
    is_finished = resume and not size.is_ladder and (home / MANIFEST).exists()
    if resume and not (is_finished or is_unfinished):
        raise SudokuError(f"{folder}: there is nothing to resume")
    outputs.make_folder(folder)
    outputs.refuse_inputs(inputs, *(home / name for name in _file_names(size.n)))
    with Journal(home / CANDIDATES, is_unfinished) as journal:
        # A stopped run that began with puzzle 1 replaces the puzzles of the finished one.
        is_longer = is_finished and not (journal.lines and b'"puzzle": 1,' in journal.lines[0])
        finished = _finished_rungs(home, size.n) if is_longer else _FinishedRungs([], [])
        chosen_seed = seed_of(journal, finished.lines) if seed is None else seed
        request = request if chosen_seed is None else replace(request, seed=chosen_seed)
        if chosen_seed is None:
            remark(f"seed {request.seed}")
        finished.check(home, request)
        written = PuzzleFile(journal, request, None, as_json=True, before=finished.last)
        origin = _Puzzles(request, written, size.candidates)
        try:
            status = _write_rungs(home, request, origin, size, pool, finished)
        except (StoppedError, KeyboardInterrupt) as reason:
            advice = written.advice or "; nothing is written"
            remark(f"{str(reason) or INTERRUPTED}: {origin.done:,} of {origin.total:,} puzzles are made{advice}")
            return 3
        journal.discard()
    return status


class FolderSize(NamedTuple):
    """How many puzzles a folder contains.

    Attributes:
        n: the number of puzzles.
        is_ladder: whether they are chosen for growing hardness among more.
    """

    n: int
    is_ladder: bool

    @property
    def candidates(self) -> int:
        """The number of puzzles to generate."""
        from sudoku_encode.generating.file import PUZZLES_PER_RUNG

        return self.n * PUZZLES_PER_RUNG if self.is_ladder else self.n


def _file_names(n: int) -> list[str]:
    from sudoku_encode.encoders.model_jobs import numbered_name

    return [PUZZLES, MANIFEST, CANDIDATES, *(f"{numbered_name(number, n)}.cnf" for number in range(1, n + 1))]


class _FinishedRungs(NamedTuple):
    """The puzzles of a finished folder, which a longer run keeps."""

    lines: list[str]  # of the file of puzzles
    rows: list[dict[str, Any]]  # of the manifest

    @property
    def last(self) -> int:
        """The number of the last puzzle that was generated; 0 without one."""
        return int(self.rows[-1]["generated"]) if self.rows else 0

    def check(self, home: Path, request: "Request") -> None:
        """Raise SudokuError if the puzzles belong to another request."""
        heads = _heads(request)
        for number, (line, ours) in enumerate(zip(self.lines, heads if self.rows else (), strict=False), 1):
            if line != ours:
                raise SudokuError(f"{home / PUZZLES}:{number}: this run begins differently: {ours}")


def _finished_rungs(home: Path, n: int) -> _FinishedRungs:
    """Return the puzzles of a finished folder; SudokuError if there are n already, or the files do not fit together."""
    try:
        rows = [json.loads(line) for line in (home / MANIFEST).read_text(encoding="utf-8").splitlines()]
        lines = (home / PUZZLES).read_text(encoding="utf-8").splitlines()[: rows[-1]["line"]]
        are_whole = all(lines[row["line"] - 1] == row["givens"] and (home / row["path"]).exists() for row in rows)
        is_counted = [row["puzzle"] for row in rows] == [*range(1, len(rows) + 1)] and rows[-1]["generated"] > 0
    except (OSError, ValueError, TypeError, LookupError) as error:
        raise SudokuError(f"{home / MANIFEST}: not the manifest of puzzles that `generate` made") from error
    if not (are_whole and is_counted):
        raise SudokuError(f"{home / MANIFEST}: a file that it lists is missing or changed")
    if len(rows) >= n:
        raise SudokuError(f"{home} contains {len(rows)} puzzles already; expected a larger --many")
    return _FinishedRungs(lines, rows)


def _heads(request: "Request") -> list[str]:
    """Return the comments at the top of the file of puzzles."""
    from sudoku_encode.generating.file import one_line_form

    board = request.board
    command = request.command(["--to", one_line_form(board)])
    return [f"# {command}", f"# board: {board.name}", f"# rules: {','.join(board.rule_names)}"]


def _write_rungs(
    home: Path, request: "Request", origin: "_Puzzles", size: FolderSize, pool: "Pool", finished: _FinishedRungs
) -> int:
    """Choose puzzles and write them after those of a finished run; return the exit status."""
    from sudoku_encode.formats.writing import write
    from sudoku_encode.generating.file import about, as_comments, ladder, one_line_form, rungs, solution_fields
    from sudoku_encode.storage import files

    puzzles, family = origin.all(pool), request.options.family
    chosen = ladder(puzzles, size.n, family) if size.is_ladder else list(rungs(puzzles, family))
    lines, records = finished.lines or _heads(request), [*finished.rows]
    # The names of a longer run are as wide as those before.
    width = len(Path(records[0]["path"]).stem) if records else len(str(size.n))
    for number, rung in enumerate(chosen, len(records) + 1):
        fields = solution_fields(request, rung, origin.evidence[rung.number])
        fields |= _clash(rung.puzzle) if fields["solutions"] == 0 else {}
        comments = about(request, rung, fields)
        givens = write(request.board, rung.puzzle.givens, one_line_form(request.board)).splitlines()[-1]
        lines = [*lines, *as_comments(comments), givens]
        place = Place(PUZZLES, len(lines), number).record("written", "cnf")
        path = home / f"{number:0{width}}.cnf"
        records.append(
            place | {"path": path.name, "givens": givens} | _write_cnf(path, request, rung, comments, fields)
        )
    if not records:
        remark("no puzzle reached the target; nothing is written")
        return 3
    # The manifest comes last: if it exists, so do all other files.
    for file, text in ((PUZZLES, lines), (MANIFEST, [json.dumps(record) for record in records])):
        with files.writing(str(home / file)) as out:
            out("".join(f"{line}\n" for line in text).encode())
    remark(f"{home}/: {len(records)} {plural('puzzle', len(records))}{_steps(records)}; {MANIFEST} lists them")
    if len(records) < size.n:
        few = f"different degrees of hardness among {origin.total} puzzles" if size.is_ladder else "puzzles are made"
        remark(f"fewer than {size.n} {few}")
        return 3
    return 0


# The work to find the givens that clash: conflicts of a solver, and its slices. Unlike seconds, these always end the
# search at the same set.
_CLASH_CONFLICTS, _CLASH_SLICES = 10_000, 500


def _clash(puzzle: "Puzzle") -> dict[str, Any]:
    """Return which givens leave no solution, such that each of them is needed; empty if that is not known."""
    from sudoku_encode.questions.subsets import clashing_givens
    from sudoku_encode.run.limits import WatchingDeadline

    slices = iter(range(_CLASH_SLICES))

    def look() -> None:
        if next(slices, None) is None:
            raise StoppedError(f"limit of {_CLASH_SLICES} slices")

    givens = clashing_givens(puzzle, WatchingDeadline(conflicts=_CLASH_CONFLICTS, look=look))
    names = [puzzle.geometry.cell_name(cell) for cell in givens.cells]
    return {"clash": names, "clash_is_smallest": givens.smallest} if givens.irreducible else {}


def _write_cnf(
    path: Path, request: "Request", rung: "Rung", comments: tuple[str, ...], fields: dict[str, Any]
) -> dict[str, Any]:
    """Write the CNF of a puzzle, and return further fields of its line in the manifest."""
    from sudoku_encode.encoders.encoding import encode
    from sudoku_encode.generating.file import REDUCTION, SOLVER

    encoding = encode(rung.puzzle, reduction=REDUCTION)
    encoding.save(path, about=comments)
    sizes = {"variables": encoding.cnf.n_variables, "clauses": encoding.cnf.n_clauses}
    family = {} if request.options.family is None else {"family": request.options.family}
    work = {} if rung.work is None else rung.work.fields
    return {
        "clues": int((rung.puzzle.givens > 0).sum()),
        "propagations": rung.propagations,
        "solver": SOLVER,
        **sizes,
        **family,
        **fields,
        **work,
        "board": request.board.name,
        "rules": list(request.board.rule_names),
        "seed": request.seed,
        "generated": rung.number,
    }


def _steps(records: list[dict[str, Any]]) -> str:
    """Return the range of the hardness of puzzles as text."""
    from sudoku_encode.generating.file import SOLVER

    steps = [record["propagations"] for record in records if record["propagations"] is not None]
    return f", {min(steps):,} to {max(steps):,} propagations of {SOLVER}" if steps else ""


class _Puzzles:
    """The puzzles of a folder, or from which its rungs are chosen: those of an earlier run, and then new ones.

    Attributes:
        done: the number of puzzles in the file.
        known: by the number of a puzzle, how it is known whether it has a solution.
    """

    def __init__(self, request: "Request", written: "PuzzleFile", total: int) -> None:
        self.request, self.written, self.done, self.total = request, written, written.done, total
        self.evidence: dict[int, str] = {}

    def all(self, pool: "Pool") -> "Iterator[tuple[int, Puzzle]]":
        """Yield the puzzles that reached the target, with their numbers, after they are written to the file."""
        from sudoku_encode.puzzles.puzzle import Puzzle

        with progress("making puzzles ...", total=lambda: self.total, as_lines=True) as shown:
            # The last puzzle of the earlier run is made again for comparison.
            first = self.written.first
            before = self.written.before
            shown.advance(before)
            for number, line in enumerate(self.written.lines[: first - before - 1], before + 1):
                shown.advance(1)
                record = json.loads(line)
                if record["reached"]:
                    self.evidence[number] = record.get("evidence") or self.request.evidence()
                    yield number, Puzzle.of(self.request.board, record["givens"])
            numbers = range(first, max(self.total, first) + 1)
            for number, generated in zip(numbers, self.request.puzzles(numbers, pool), strict=False):
                self.written.put(number, generated)
                self.done = number
                shown.advance(1)
                if generated is None:
                    return
                if generated.reached:
                    self.evidence[number] = self.request.evidence(generated.proof)
                    yield number, generated.puzzle
                else:
                    remark(self.request.missed(number, generated))
