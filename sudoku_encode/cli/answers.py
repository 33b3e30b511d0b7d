"""Commands that answer: solve, enumerate, count."""

import json
import sys
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import Printer, prefix, progress
from sudoku_encode.cli.reading import Answers, Source, remark
from sudoku_encode.errors import SudokuError

if TYPE_CHECKING:
    from sudoku_encode.geometry import Geometry
    from sudoku_encode.listing import Listing
    from sudoku_encode.methods import Options
    from sudoku_encode.puzzle import Grids, Puzzle
    from sudoku_encode.result import Budget, Count

Limit = Annotated[int | None, typer.Option(min=1, help="Stop at so many solutions of each puzzle.")]


def solve(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    method: Annotated[
        str | None,
        typer.Option(
            help="See `sudoku-encode methods`. By default cp-sat; search for a file with nothing but 9x9 puzzles, one "
            "a line.",
            show_default=False,
        ),
    ] = None,
    reduce: options.Reduction = None,
    amo: options.Amo = "pairwise",
    sat_solver: options.SatSolver = "cadical195",
    timeout: options.Timeout = None,
    seed: options.Seed = 0,
    workers: Annotated[int, typer.Option(min=1, help="Workers of CP-SAT.")] = 1,
    to: options.TextFormat = None,
    as_json: options.Json = False,
) -> None:
    """Print one solution of each puzzle, by CP-SAT unless told otherwise.

    A puzzle without a solution is a comment line (#) in its place, and the exit status is 1.
    """
    from sudoku_encode import methods
    from sudoku_encode.errors import Stopped

    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    answers, shown = Answers(), Printer(to, as_json)
    if method in (None, "search") and timeout is None and not as_json and (many := source.bulk()) is not None:
        _solve_many(*many, source, answers, shown)
        raise typer.Exit(source.exit_status(answers))
    method = method or "cp-sat"
    chosen = methods.Options(reduce, amo, sat_solver, seed, workers)
    numbered: list[tuple[int, Puzzle]] = []

    def remembered() -> Iterator["Puzzle"]:
        for item in source.puzzles():
            numbered.append(item)
            yield item[1]

    for answer in methods.first(remembered(), method, timeout, chosen):
        number, asked = numbered.pop(0)
        if isinstance(answer, Stopped):
            answers.incomplete = True
            shown.no_grid(number, source, "stopped", f"not solved: {answer}")
        elif answer is None:
            answers.negative = True
            shown.no_grid(number, source, "no solution", f"no solution{_why(asked)}")
        else:
            shown.grid(number, asked, answer)
    raise typer.Exit(source.exit_status(answers))


def _solve_many(board: "Geometry", givens: "Grids", source: Source, answers: Answers, shown: Printer) -> None:
    """Solve a file of plain lines, and write solutions as arrays but where a puzzle has none."""
    import numpy as np

    from sudoku_encode.methods import bulk
    from sudoku_encode.puzzle import Puzzle

    empty, first = Puzzle.of(board), 1
    for found in bulk.answers(board, givens, 1):
        ends = [*np.flatnonzero(found.counts == 0).tolist(), len(found.grids)]
        start = 0
        for end in ends:
            shown.grids(first, empty, found.grids[start:end])
            if end < len(found.grids):
                answers.negative = True
                reason = _why(Puzzle.of(board, givens[first + end - 1]))
                shown.no_grid(first + end, source, "no solution", f"no solution{reason}")
            start = end + 1
        first += len(found.grids)


def enumerate_(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    method: options.AutoMethod = "auto",
    limit: Limit = None,
    timeout: options.Timeout = None,
    reduce: options.Reduction = None,
    amo: options.Amo = "pairwise",
    sat_solver: options.SatSolver = "cadical195",
    seed: options.Seed = 0,
    to: options.TextFormat = None,
    as_json: options.Json = False,
    output: options.Output = "-",
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with a file of -o whose run did not end, or was stopped.")
    ] = False,
) -> None:
    """Print all solutions of each puzzle, each once, as they are found; standard error says whether that was all.

    A file that is written with -o is called FILE.part until the run ends; its last line says whether it is complete.
    A run that was killed goes on with --resume, with the same puzzles and options.

    The exit status is 3 when it is not proved that there are no more, because of a limit, a time limit, Ctrl-C or a
    full disk.
    """
    from sudoku_encode import methods
    from sudoku_encode.listing import Listing
    from sudoku_encode.result import Budget

    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    answers = Answers()
    chosen = methods.Options(reduce, amo, sat_solver, seed)
    with _writing(output, resume) as listing:
        shown = Printer(to, as_json, listing.put)
        for number, asked in source.puzzles():
            counted = _list(number, asked, method, Budget.of(limit, timeout), chosen, shown, output != "-")
            _note(answers, counted)
            remark(f"{prefix(number, source)}{_total(counted, asked)}")
            comment = to in (None, "line") and not as_json
            if isinstance(listing, Listing) and not _ended(listing, counted, asked, comment):
                answers.incomplete = True
                remark(f"{listing.part} keeps what was written; go on with --resume")
                break
            if counted.stopped == "interrupted":
                break
    raise typer.Exit(source.exit_status(answers))


def _ended(listing: "Listing", counted: "Count", puzzle: "Puzzle", comment: bool) -> bool:
    """Write below the solutions of a puzzle whether they are all; say whether the file has come so far and has room."""
    from sudoku_encode.errors import Stopped

    if listing.full or (listing.known and not counted.complete):
        return False
    try:
        if comment:
            listing.put(f"# {_total(counted, puzzle)}\n".encode())
    except Stopped as reason:
        remark(str(reason))
        return False
    return True


def _writing(output: str, resume: bool) -> AbstractContextManager[Any]:
    """Open where solutions go: a file that can be resumed, or what cannot be taken up again."""
    from sudoku_encode.files import SUFFIXES, writing
    from sudoku_encode.listing import Listing

    path = Path(output)
    special = path.exists() and not path.is_file()
    if output == "-" or special or path.suffix in SUFFIXES:
        if resume:
            raise SudokuError(f"--resume needs a plain file after -o, not {output}")
        return _stream(writing(output))
    return Listing(path, resume)


@contextmanager
def _stream(opened: AbstractContextManager[Any]) -> "Iterator[Any]":
    with opened as put:
        yield SimpleNamespace(put=put)


def _list(
    number: int, puzzle: "Puzzle", method: str, budget: "Budget", chosen: "Options", shown: Printer, quietly: bool
) -> "Count":
    """Write all solutions of a puzzle; where they go to a file, say how far it is."""
    from sudoku_encode import methods, result

    def written(watch: "Callable[[str], None]") -> "Iterator[Grids]":
        for batch in _watched(methods.solutions(puzzle, method, budget, chosen, _teller()), watch):
            shown.grids(number, puzzle, batch)
            if not quietly:
                sys.stdout.flush()
            yield batch

    if not quietly:
        return result.count(written(lambda what: None))
    with progress("searching ...") as watch:
        return result.count(written(watch))


def count(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    method: options.AutoMethod = "auto",
    limit: Limit = None,
    timeout: options.Timeout = None,
    reduce: options.Reduction = None,
    amo: options.Amo = "pairwise",
    sat_solver: options.SatSolver = "cadical195",
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Print the number of solutions of each puzzle: a bare number when it is proved, else `at least N`.

    A method that only estimates prints `about N`. The exit status is 3 when it is not proved that there are no more. To
    ask whether a puzzle is unique, use --limit 2.
    """
    from sudoku_encode import methods, result

    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    answers = Answers()
    chosen = methods.Options(reduce, amo, sat_solver, seed)
    if method in ("auto", "search") and limit and timeout is None and not as_json and (many := source.bulk()):
        _count_many(*many, limit, source, answers)
        raise typer.Exit(source.exit_status(answers))
    if method != "auto" and methods.find(method).estimate:
        _estimate(source, answers, method, timeout, as_json)
        raise typer.Exit(source.exit_status(answers))
    for number, asked in source.puzzles():
        said: list[str] = []
        with progress("searching ...") as watch:
            seen = partial(_watched, watch=watch)
            counted = methods.count(
                asked, method, result.Budget.of(limit, timeout), chosen, seen, _teller(said, source.many), watch
            )
        _note(answers, counted)
        if as_json:
            report = {"count": counted.value, "complete": counted.complete, "stopped": counted.stopped}
            print(json.dumps({"puzzle": number, **report, "method": method, "chosen": said}), flush=True)
        else:
            print(counted, flush=True)
        if not counted.complete or not counted.value:
            remark(f"{prefix(number, source)}{_total(counted, asked)}")
        if counted.stopped == "interrupted":
            break
    raise typer.Exit(source.exit_status(answers))


def _teller(said: list[str] | None = None, many: bool = False) -> "Callable[[str], None]":
    """Return what tells a person which method `auto` takes, and keeps it; of many puzzles not the quick ones."""

    def tell(what: str) -> None:
        if said is not None:
            said.append(what)
        if not (many and what.startswith("search")):
            remark(f"by {what}")

    return tell


def _count_many(board: "Geometry", givens: "Grids", limit: int, source: Source, answers: Answers) -> None:
    """Count the solutions of each puzzle in a file of plain lines, up to a limit."""
    from sudoku_encode.methods import bulk

    for found in bulk.answers(board, givens, limit):
        numbers = found.counts.tolist()
        answers.negative |= 0 in numbers
        answers.incomplete |= limit in numbers
        lines = [str(number) if number < limit else f"at least {number}" for number in numbers]
        sys.stdout.write("\n".join(lines) + "\n")


def _estimate(source: Source, answers: Answers, method: str, timeout: float | None, as_json: bool) -> None:
    """Print about how many solutions each puzzle has; an estimate is never complete."""
    from sudoku_encode import methods
    from sudoku_encode.errors import Stopped
    from sudoku_encode.result import Budget

    answers.incomplete = True
    for number, asked in source.puzzles():
        try:
            with progress("estimating ..."):
                found = methods.estimate(asked, method, Budget.of(seconds=timeout))
        except Stopped as reason:
            remark(f"{prefix(number, source)}no estimate; stopped: {reason}")
            continue
        if as_json:
            guess = {"estimate": found.value, "tolerance": found.tolerance, "confidence": found.confidence}
            print(json.dumps({"puzzle": number, **guess, "complete": False, "method": method}), flush=True)
        else:
            print(found, flush=True)


def _note(answers: Answers, counted: Any) -> None:
    answers.incomplete |= not counted.complete
    answers.negative |= counted.complete and counted.value == 0


def _total(counted: Any, puzzle: "Puzzle") -> str:
    if counted.complete and not counted.value:
        return f"no solution{_why(puzzle)}"
    solutions = "solution" if counted.value == 1 else "solutions"
    if counted.complete:
        return f"{counted.value} {solutions}, complete"
    return f"at least {counted.value} {solutions}; stopped: {counted.stopped}"


def _why(puzzle: "Puzzle") -> str:
    """Say why there is no solution, where that is plain: two cells that clash, or a unit too large."""
    from sudoku_encode.reduction import reduce

    reason = puzzle.geometry.impossible or reduce(puzzle, "singles").contradiction
    return f": {reason}" if reason else ""


def _watched(batches: "Iterator[Grids]", watch: "Callable[[str], None]") -> "Iterator[Grids]":
    """Tell a person how many solutions there are so far."""
    found = 0
    for batch in batches:
        found += len(batch)
        watch(f"{found:,} solutions so far ...")
        yield batch
