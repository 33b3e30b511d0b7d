"""Commands that answer: solve and count."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.asking import Item, Limits, Tell, each, foreign, ignore, note, so_far, total, why
from sudoku_encode.cli.printing import Printer, prefix, progress
from sudoku_encode.cli.reading import Answers, Source, remark
from sudoku_encode.solvers.table import DEFAULT_SOLVER

if TYPE_CHECKING:
    from sudoku_encode.methods import Answer, Options
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.run.result import Count


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
    sat_solver: options.SatSolver = DEFAULT_SOLVER,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
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
    limits = Limits.of(None, timeout, memory)
    if method in (None, "search") and not limits.guarded and not as_json and (many := source.bulk()) is not None:
        _solve_many(*many, method or "auto", source, answers, shown)
        raise typer.Exit(source.exit_status(answers))
    method = method or "cp-sat"
    chosen = methods.Options(reduce, amo, sat_solver, seed, workers)
    for number, asked, answer in _first(source, method, chosen, limits):
        if isinstance(answer, Stopped):
            answers.incomplete = True
            shown.no_grid(number, source, "stopped", f"not solved: {answer}")
        elif answer is None:
            answers.negative = True
            shown.no_grid(number, source, "no solution", f"no solution{why(asked)}")
        else:
            shown.grid(number, asked, answer)
    raise typer.Exit(source.exit_status(answers))


def _first(source: Source, method: str, chosen: "Options", limits: Limits) -> "Iterator[tuple[int, Puzzle, Answer]]":
    """Yield each puzzle with its number and its answer; without limits neighbours may share one solver."""
    from sudoku_encode import methods
    from sudoku_encode.run import child

    if not limits.guarded and foreign(method):
        methods.load(method)

        def answered(items: list[Item]) -> "Iterator[Answer]":
            return methods.first((asked for _, asked in items), method, None, chosen)

        for (number, asked), answer in child.in_order(source.puzzles(), answered):
            yield number, asked, answer
        return
    yield from each(
        source,
        method,
        lambda item, tell: next(methods.first([item[1]], method, limits.seconds, chosen)),
        ignore,
        limits,
    )


def _solve_many(
    board: "Geometry", givens: "Grids", method: str, source: Source, answers: Answers, shown: Printer
) -> None:
    """Solve a file of plain lines, and write solutions as arrays but where a puzzle has none."""
    import numpy as np

    from sudoku_encode.methods import bulk
    from sudoku_encode.puzzles.puzzle import Puzzle

    empty, first = Puzzle.of(board), 1
    for found in bulk.answers(board, givens, 1, method):
        ends = [*np.flatnonzero(found.counts == 0).tolist(), len(found.grids)]
        start = 0
        for end in ends:
            shown.grids(first, empty, found.grids[start:end])
            if end < len(found.grids):
                answers.negative = True
                reason = why(Puzzle.of(board, givens[first + end - 1]))
                shown.no_grid(first + end, source, "no solution", f"no solution{reason}")
            start = end + 1
        first += len(found.grids)


def count(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    method: options.AutoMethod = "auto",
    limit: options.Limit = None,
    timeout: options.Timeout = None,
    memory: options.Memory = None,
    reduce: options.Reduction = None,
    amo: options.Amo = "pairwise",
    sat_solver: options.SatSolver = DEFAULT_SOLVER,
    seed: options.Seed = 0,
    as_json: options.Json = False,
) -> None:
    """Print the number of solutions of each puzzle: a bare number when it is proved, else `at least N`.

    A method that only estimates prints `about N`. The exit status is 3 when it is not proved that there are no more. To
    ask whether a puzzle is unique, use --limit 2.
    """
    import json

    from sudoku_encode import methods

    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    answers = Answers()
    chosen = methods.Options(reduce, amo, sat_solver, seed)
    limits = Limits.of(limit, timeout, memory)
    quick = method in ("auto", "search") and not limits.guarded and not as_json
    if quick and limit and (many := source.bulk()):
        _count_many(*many, limit, method, source, answers)
        raise typer.Exit(source.exit_status(answers))
    if method != "auto" and methods.find(method).estimate:
        _estimate(source, answers, method, limits, as_json)
        raise typer.Exit(source.exit_status(answers))
    for number, asked, counted, said in _counted(source, method, chosen, limits):
        note(answers, counted)
        if as_json:
            report = {"count": counted.value, "complete": counted.complete, "stopped": counted.stopped}
            print(json.dumps({"puzzle": number, **report, "method": method, "chosen": said}), flush=True)
        else:
            print(counted, flush=True)
        if not counted.complete or not counted.value:
            remark(f"{prefix(number, source)}{total(counted, asked)}")
        if counted.stopped == "interrupted":
            break
    raise typer.Exit(source.exit_status(answers))


def _counted(
    source: Source, method: str, chosen: "Options", limits: Limits
) -> "Iterator[tuple[int, Puzzle, Count, list[str]]]":
    """Yield each puzzle with its number of solutions and with what `auto` said; tell a person how far it is."""
    from sudoku_encode import methods

    found, said = 0, list[str]()

    def ask(item: Item, tell: Tell) -> "Count":
        through = partial(_watched, watch=lambda number: tell(("found", number)))
        by, far = (lambda what: tell(("by", what))), (lambda what: tell(("so far", what)))
        return methods.count(item[1], method, limits.budget(), chosen, through, by, far)

    def told(item: Item, what: tuple[str, Any]) -> None:
        nonlocal found
        if what[0] == "by":
            said.append(what[1])
            # Of many puzzles not the quick ones.
            if not (source.many and what[1].startswith(("search", "sat, which ended"))):
                remark(f"by {what[1]}")
        elif what[0] == "found":
            found = what[1]
            watch(f"{found:,} solutions so far ...")
        else:
            watch(what[1])

    with progress("searching ...") as watch:
        for number, asked, answer in each(source, method, ask, told, limits):
            yield number, asked, so_far(answer, found), said
            found, said = 0, []


def _count_many(board: "Geometry", givens: "Grids", limit: int, method: str, source: Source, answers: Answers) -> None:
    """Count the solutions of each puzzle in a file of plain lines, up to a limit."""
    from sudoku_encode.methods import bulk

    for found in bulk.answers(board, givens, limit, method):
        numbers = found.counts.tolist()
        answers.negative |= 0 in numbers
        answers.incomplete |= limit in numbers
        lines = [str(number) if number < limit else f"at least {number}" for number in numbers]
        sys.stdout.write("\n".join(lines) + "\n")


def _estimate(source: Source, answers: Answers, method: str, limits: Limits, as_json: bool) -> None:
    """Print about how many solutions each puzzle has; an estimate is never complete."""
    import json

    from sudoku_encode import methods
    from sudoku_encode.errors import Stopped

    answers.incomplete = True
    with progress("estimating ..."):
        asking = each(
            source, method, lambda item, tell: methods.estimate(item[1], method, limits.budget()), ignore, limits
        )
        for number, _, found in asking:
            if isinstance(found, Stopped):
                remark(f"{prefix(number, source)}no estimate; stopped: {found}")
            elif as_json:
                guess = {"estimate": found.value, "tolerance": found.tolerance, "confidence": found.confidence}
                print(json.dumps({"puzzle": number, **guess, "complete": False, "method": method}), flush=True)
            else:
                print(found, flush=True)


def _watched(batches: "Iterator[Grids]", watch: "Callable[[int], None]") -> "Iterator[Grids]":
    """Tell how many solutions there are so far."""
    found = 0
    for batch in batches:
        found += len(batch)
        watch(found)
        yield batch
