"""The command verify: many methods on each puzzle, compared."""

import json
import shlex
import sys
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import progress
from sudoku_encode.cli.reading import Source, remark
from sudoku_encode.errors import FormatError, SudokuError

if TYPE_CHECKING:
    from sudoku_encode.crosscheck import Case, Fault, Report, Run, Shrunk
    from sudoku_encode.puzzle import Puzzle

_SIZES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def _bytes(text: str) -> int:
    number, unit = (text[:-1], text[-1].upper()) if text[-1:].upper() in _SIZES else (text, "")
    if not number.isdecimal() or not int(number):
        raise SudokuError(f"--memory {text}: write a number of bytes, or one with K, M or G, such as 500M")
    return int(number) * _SIZES.get(unit, 1)


def verify(
    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...",
            help="Files, folders, - for standard input, or the puzzles themselves; left out, the empty board of "
            "--board. What a known.toml in or above a folder says is compared.",
            show_default=False,
        ),
    ] = None,
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    methods: Annotated[
        str, typer.Option(help="The methods to run where they take the board, separated by commas.")
    ] = "all",
    timeout: Annotated[float, typer.Option(min=0.01, help="Seconds for each method on each puzzle.")] = 10.0,
    memory: Annotated[str, typer.Option(help="Memory for each method on each puzzle, such as 500M or 2G.")] = "2G",
    limit: Annotated[int, typer.Option(min=1, help="How many solutions each method lists at most.")] = 100_000,
    processes: Annotated[
        int | None, typer.Option(min=1, help="How many methods run at a time; by default one a core.")
    ] = None,
    shrink: Annotated[
        bool, typer.Option("--shrink", help="Look for the smallest puzzle on which a method fails the same way.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Run many methods on each puzzle, each in its own process, and compare what they say.

    A number is confirmed when two methods that share no code list the same solutions, prove that there are no more, and
    every grid that any method lists is a solution. The exit status is 1 when a method is wrong or an expected number
    is, 3 when a number could not be confirmed.
    """
    from sudoku_encode.crosscheck import Limits, verify
    from sudoku_encode.crosscheck.cases import chosen
    from sudoku_encode.methods.bulk import cores

    limits = Limits(limit, timeout, _bytes(memory))
    source = Source("", board, rules, {"alphabet": alphabet, "format": source_format})
    cases = _Cases(puzzles or [""], source, chosen(methods))
    wanted = list(cases.all())
    tally: Counter[str] = Counter()
    begun = time.monotonic()
    interrupted = False
    with _bar(len(wanted)) as step:
        try:
            for case, report in zip(wanted, verify(wanted, limits, processes or cores()), strict=True):
                tally[report.status] += 1
                step(case.name)
                smallest = _smallest(report, limits) if shrink else []
                _show(case, report, smallest, as_json, len(wanted) > 1)
        except KeyboardInterrupt:
            interrupted = True
            remark("interrupted")
    if len(wanted) > 1:
        parts = ", ".join(f"{tally[status]} {status}" for status in ("confirmed", "unconfirmed", "disagree"))
        remark(f"{len(wanted)} puzzles: {parts}; {time.monotonic() - begun:.1f} s")
    raise typer.Exit(2 if source.bad else 1 if tally["disagree"] else 3 if interrupted or tally["unconfirmed"] else 0)


class _Cases:
    """The cases that some arguments name."""

    def __init__(self, arguments: list[str], source: Source, methods: tuple[str, ...]) -> None:
        self.arguments, self.source, self.methods = arguments, source, methods

    def all(self) -> "Iterator[Case]":
        from sudoku_encode.crosscheck.cases import of_folder

        for argument in self.arguments:
            folder = Path(argument)
            if not (argument and len(argument) < 4096 and folder.is_dir()):
                yield from self._of(argument)
                continue
            if (known := of_folder(folder, self.methods)) is not None:
                yield from known[0]
                if known[1]:
                    remark(f"{argument}: nothing is known of {', '.join(known[1])}, left out")
                continue
            for file in sorted(file for file in folder.rglob("*") if file.is_file()):
                yield from self._of(str(file))

    def _of(self, argument: str) -> "Iterator[Case]":
        from sudoku_encode.crosscheck.cases import known_of, of_known, of_puzzle

        source = Source(argument, self.source.board, self.source.rules, self.source.how)
        file = Path(argument) if argument and len(argument) < 4096 and Path(argument).is_file() else None
        free = self.source.board is None and self.source.rules is None
        try:
            for number, puzzle in source.puzzles():
                entries = known_of(file, number, puzzle, any_rules=free) if file else []
                for known in entries:
                    yield of_known(known, self.methods)
                if not entries:
                    yield of_puzzle(self._name(file, number, puzzle, source.many), puzzle, self.methods)
        except FormatError as error:
            # One bad file among many does not stop the others.
            source.bad = True
            remark(f"sudoku-encode: {error}")
        self.source.bad |= source.bad

    def _name(self, file: Path | None, number: int, puzzle: "Puzzle", many: bool) -> str:
        place = str(file) if file else puzzle.name or puzzle.geometry.name
        return f"{place}#{number}" if many else place


def _smallest(report: "Report", limits: Any) -> "list[Shrunk]":
    """Shrink one fault of each kind of each method."""
    from sudoku_encode.crosscheck import shrink

    with progress("shrinking ...") as watch:
        found = [shrink(report, fault, limits, watch) for fault in report.faults]
    return [one for one in found if one is not None]


def _show(case: "Case", report: "Report", smallest: "list[Shrunk]", as_json: bool, many: bool) -> None:
    if as_json:
        print(json.dumps(_json(case, report, smallest)), flush=True)
        return
    if not many or report.status != "confirmed":
        if many:
            print(f"\n{case.name}")
        _print_runs(report)
    for fault in report.faults:
        print(f"{fault.method} {fault.kind}: {fault.text}")
        if fault.grid is not None:
            print(f"    {_line(report.puzzle, fault.grid)}")
    for shrunk in smallest:
        print(_reproducing(shrunk))
    print(f"{case.name}: " if many else "", _verdict(case, report, many), sep="", flush=True)


def _print_runs(report: "Report") -> None:
    print(f"{'method':<21} {'family':<13} {'solutions':>18} {'seconds':>8} {'MB':>6}  says")
    for run in report.runs:
        print(
            f"{run.method:<21} {run.family:<13} {run.found!s:>18} {run.seconds:8.2f} {run.memory / 1e6:6.0f}"
            f"  {_says(run)}".rstrip()
        )


def _says(run: "Run") -> str:
    if not run.found.complete:
        return run.found.stopped
    return "that is all" if run.listed else "that is all, counted"


def _verdict(case: "Case", report: "Report", many: bool) -> str:
    if report.status == "disagree":
        wrong = ", ".join(dict.fromkeys(fault.method for fault in report.faults if fault.kind in _wrong()))
        sentence = f"disagree: {wrong} wrong" if wrong else "disagree"
        sentence += f"; {report.mismatch}" if report.mismatch else ""
        return f"{sentence}; {report.total} by {_list(report.families)}" if report.families else sentence
    if report.status == "confirmed":
        agreed = sum(run.found.complete for run in report.runs)
        families = f"{len(report.families)} families that share no code ({', '.join(report.families)})"
        return f"confirmed: {report.total}, by {agreed} methods of {families}{_expected(case, many)}"
    by = f" by {_list(report.families)} alone" if report.families else ""
    return f"unconfirmed: {report.total}{by}"


def _wrong() -> tuple[str, ...]:
    from sudoku_encode.crosscheck import WRONG

    return WRONG


def _expected(case: "Case", many: bool) -> str:
    if case.known is None:
        return ""
    return "; as expected" if many else f"; as expected ({case.known.source})"


def _list(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _line(puzzle: "Puzzle", grid: Any) -> str:
    from sudoku_encode.formats import write

    board = puzzle.geometry
    if (grid > board.n_values).any():
        return " ".join(map(str, grid.tolist()))
    return write(board, grid, "line" if board.n_values <= 35 else "csv").replace("\n", " / ")


def _reproducing(shrunk: "Shrunk") -> str:
    puzzle, fault = shrunk.report.puzzle, shrunk.fault
    found = f"smallest found in {shrunk.tries} tries: {fault.method} {fault.kind}: {fault.text}"
    if puzzle.pencilmarks is not None:
        return f"{found}\n    (its pencilmarks are needed)"
    board = puzzle.geometry
    words = ["sudoku-encode", "verify", "--board", board.name, "--rules", ",".join(board.rule_names)]
    words += ["--methods", ",".join(shrunk.methods)]
    # Without a puzzle it is the empty board.
    words += [_line(puzzle, puzzle.givens)] if puzzle.givens.any() else []
    return f"{found}\n    {shlex.join(words)}"


def _json(case: "Case", report: "Report", smallest: "list[Shrunk]") -> dict[str, Any]:
    return {
        "puzzle": case.name,
        "status": report.status,
        "count": report.value,
        "complete": report.complete,
        "independent": list(report.families),
        "expected": report.expected,
        "mismatch": report.mismatch or None,
        "runs": [
            {
                "method": run.method,
                "family": run.family,
                "count": run.found.value,
                "complete": run.found.complete,
                "listed": run.listed,
                "stopped": run.found.stopped or None,
                "failure": run.failure or None,
                "seconds": round(run.seconds, 4),
                "memory": run.memory,
            }
            for run in report.runs
        ],
        "faults": [_fault(fault) for fault in report.faults],
        "smallest": [
            {
                **_fault(shrunk.fault),
                "methods": list(shrunk.methods),
                "board": shrunk.report.puzzle.geometry.name,
                "rules": list(shrunk.report.puzzle.geometry.rule_names),
                "givens": shrunk.report.puzzle.givens.tolist(),
            }
            for shrunk in smallest
        ],
    }


def _fault(fault: "Fault") -> dict[str, Any]:
    return {
        "method": fault.method,
        "kind": fault.kind,
        "text": fault.text,
        "grid": None if fault.grid is None else fault.grid.tolist(),
        "witness": fault.witness or None,
    }


@contextmanager
def _bar(total: int) -> Iterator[Any]:
    """Show a bar over many puzzles where a person is looking; yields what is to be told each name."""
    if total < 2 or not sys.stderr.isatty():
        yield lambda name: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    # Without a thread of its own, since processes are forked meanwhile.
    shown = Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True, redirect_stdout=False)
    with shown:
        task = shown.add_task("", total=total)

        def step(name: str) -> None:
            shown.update(task, advance=1, description=name)
            shown.refresh()

        yield step
