"""Options of the commands: options that belong together form a named tuple, which `flat` expands into a command.

They are not dataclasses, since defining one takes a millisecond, and every command loads all of them.
"""

import inspect
import math
from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager, ExitStack, nullcontext
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from sudoku_encode.cli.completion import each_of, several_of
from sudoku_encode.cli.completion import one_of as one_of  # noqa: PLC0414
from sudoku_encode.cli.method_options import SolverOptions as SolverOptions  # noqa: PLC0414
from sudoku_encode.cli.method_options import method_option as method_option  # noqa: PLC0414
from sudoku_encode.encoders.table import REDUCTIONS
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.styles import STYLES
from sudoku_encode.formats.table import COMMON_ALPHABETS, TEXT_FORMATS, alphabet_symbols
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles import boards, rules
from sudoku_encode.report.streams import STATS, set_quiet

if TYPE_CHECKING:
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool
    from sudoku_encode.storage.journal import Results
    from sudoku_encode.storage.outputs import PartsFile

from sudoku_encode.run.limits import MAX_PROCESSES, MAX_SECONDS

# The headings of the help below the command's own arguments and options, for `rich_help_panel`.
COMMON, PUZZLES = "Common options", "Options for puzzles"
# Resources to close when the command ends.
_at_end: ContextVar[ExitStack] = ContextVar("at_end")


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command in which each parameter that is a named tuple is replaced by its fields.

    Fields have the same annotations as options of typer. The order of the parameters stays.
    """
    hints = get_type_hints(command, include_extras=True)
    shown: list[inspect.Parameter] = []
    groups: dict[str, Any] = {}
    for name, parameter in inspect.signature(command).parameters.items():
        kind = hints[name]
        if not hasattr(kind, "_fields"):
            shown.append(parameter.replace(annotation=kind, kind=parameter.KEYWORD_ONLY))
            continue
        groups[name] = kind
        fields = get_type_hints(kind, include_extras=True)
        shown += [
            inspect.Parameter(
                field, inspect.Parameter.KEYWORD_ONLY, default=kind._field_defaults[field], annotation=fields[field]
            )
            for field in kind._fields
        ]

    @wraps(command)
    def run(**values: Any) -> None:
        for name, kind in groups.items():
            values[name] = kind(*map(values.pop, kind._fields))
        with ExitStack() as at_end:
            _at_end.set(at_end)
            command(**values)

    run.__annotations__ = {parameter.name: parameter.annotation for parameter in shown}
    run.__signature__ = inspect.Signature(shown)  # type: ignore[attr-defined]
    return run


def alphabet_name(text: str) -> str:
    """Return a text if it is the name of an alphabet."""
    if not (alphabet_symbols(text) or alphabet_symbols(text.upper())):
        raise typer.BadParameter(f"not an alphabet: {text!r}; give its first and last symbol, such as 0-8 or 1-G")
    return text


def finite(seconds: float | None) -> float | None:
    """Return a number of seconds, but refuse `nan`, which would be a deadline that is never reached."""
    if seconds is not None and math.isnan(seconds):
        raise typer.BadParameter("nan is not a number of seconds")
    if seconds is not None and seconds > MAX_SECONDS:
        raise typer.BadParameter(f"at most {MAX_SECONDS:g} seconds, not {seconds:g}; leave it out for no limit")
    return seconds


def record_form(as_json: bool, as_csv: bool, to: str | None = None, add: str | None = None) -> str:
    """Return the form of the records: `json`, `csv`, `text`, or `table` for --add.

    Raises:
        SudokuError: several forms are given.
    """
    is_given = {"--json": as_json, "--csv": as_csv, f"--to {to}": bool(to), "--add": add is not None}
    given = [name for name, value in is_given.items() if value]
    if len(given) > 1:
        raise SudokuError(f"{' and '.join(given)}: give only one form of output")
    return "json" if as_json else "csv" if as_csv else "text" if add is None else "table"


_RULES = (*rules.SQUARE_RULES, *(name for row in rules.EXTRA_RULES.values() for name in row.names))
Board = Annotated[
    str | None,
    typer.Option(
        help=f"The board: {boards.HELP}.\n\nBy default the board that fits the text.",
        rich_help_panel=PUZZLES,
        autocompletion=each_of(boards.NAMES),
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        help="Keep only these rules, such as row,column or row-x,box-xy; all: sudoku-encode info --boards.\n\n"
        "By default all rules of the board.",
        rich_help_panel=PUZZLES,
        autocompletion=several_of(
            dict.fromkeys((*_RULES, *rules.CUBE_RULES, *rules.PLANE_RULES, *rules.SURFACE_RULES))
        ),
    ),
]
Alphabet = Annotated[
    str | None,
    typer.Option(
        help="The first and the last symbol of the values, such as 1-9, 0-8, 1-G, 0-F or A-P.\n\n"
        "A 9x9 board can have 1-9 or 0-8, a 16x16 board 1-G, 0-F or A-P, and a 36x36 board 1-Z0, with 0 after Z. If "
        "the first symbol is 0, numbers start at 0 too, and 0 is not a blank.",
        rich_help_panel=PUZZLES,
        parser=alphabet_name,
        metavar="FIRST-LAST",
        autocompletion=each_of(COMMON_ALPHABETS),
    ),
]
Constraints = Annotated[
    list[str] | None,
    typer.Option(
        "--constraint",
        help="Add a constraint, such as 'cage 15 r1c1 r1c2'; may be repeated. All kinds: docs/constraints.md.\n\n"
        "Another example is 'thermometer r1c1-r1c4'. The rules of the board still hold.",
        rich_help_panel=PUZZLES,
        show_default=False,
    ),
]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="The input format, such as csv or f-puzzles; detected by default. All: sudoku-encode info --formats.",
        rich_help_panel=PUZZLES,
        **one_of({**TEXT_FORMATS, **STYLES}),
    ),
]
TextFormat = Annotated[
    str | None,
    typer.Option(
        "--to",
        help="The format of the grids; by default one grid per line. All: sudoku-encode info --formats.\n\n"
        "Not with --json, whose grids are lists of numbers.",
        rich_help_panel=COMMON,
        show_default=False,
        **one_of(TEXT_FORMATS),
    ),
]
Timeout = Annotated[
    float | None,
    typer.Option(min=0, callback=finite, help="Time limit for each puzzle, in seconds.", rich_help_panel=COMMON),
]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object per line.", rich_help_panel=COMMON)]
Csv = Annotated[bool, typer.Option("--csv", help="Print CSV, with a header line.", rich_help_panel=COMMON)]
Stats = Annotated[
    bool,
    typer.Option(
        "--stats",
        help="Report the work of the SAT or CP solver: conflicts, decisions, propagations, restarts, seconds.\n\nAs "
        "fields of each record with --json and --csv, with the numbers of variables and clauses after the reduction, "
        "and else on standard error. The seconds are those of the solver alone. Each puzzle gets its own solver.",
        rich_help_panel=COMMON,
    ),
]
Add = Annotated[
    str | None,
    typer.Option(
        metavar="NAMES",
        help="Print the table of the input, with these fields of the answers added as columns, such as status,seconds.",
        rich_help_panel=COMMON,
        show_default=False,
    ),
]
Limit = Annotated[int | None, typer.Option(min=1, help="Stop after this number of solutions of each puzzle.")]
Reduction = Annotated[
    str | None,
    typer.Option(
        "--reduce",
        help="How to simplify the puzzle first: none (the default), givens or singles.\n\n`givens` removes the "
        "candidates that the givens exclude; `singles` also fills in naked and hidden singles.",
        show_default=False,
        **one_of(REDUCTIONS),
    ),
]
AutoMethod = Annotated[
    str,
    typer.Option(
        help="A method from `sudoku-encode methods`; by default auto, which picks search, frontier or sat.\n\nIt tries "
        "each puzzle briefly to decide.",
        show_default=False,
        autocompletion=each_of(METHODS),
    ),
]
Output = Annotated[
    str,
    typer.Option(
        "-o",
        "--output",
        metavar="FILE",
        help="The output file; by default standard output (-).",
        rich_help_panel=COMMON,
        show_default=False,
    ),
]
Resume = Annotated[
    bool, typer.Option("--resume", help="Continue an unfinished run in the file of -o.", rich_help_panel=COMMON)
]
Processes = Annotated[
    int | None,
    typer.Option(
        "-j",
        "--processes",
        min=1,
        max=MAX_PROCESSES,
        help="Puzzles in parallel; by default one per core.",
        rich_help_panel=COMMON,
        show_default=False,
    ),
]
Executor = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Where to process the puzzles, such as processes:4 or tcp://HOST:PORT; all: sudoku-encode info "
        "--executors.",
        rich_help_panel=COMMON,
        show_default=False,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "-q",
        "--quiet",
        callback=set_quiet,
        help="Print errors, but no remarks and no progress.",
        rich_help_panel=COMMON,
    ),
]


class PuzzleOptions(NamedTuple):
    """The puzzles for a command."""

    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...",
            help="A file, several files, - for standard input, or the text of a puzzle; by default the empty board of "
            "--board.",
            show_default=False,
        ),
    ] = None
    board: Board = None
    rules: Rules = None
    alphabet: Alphabet = None
    source_format: InputFormat = None
    constraints: Constraints = None


class OutputOptions(NamedTuple):
    """The output file for the answers."""

    output: Output = "-"
    resume: Resume = False

    def parts_file(self, work: "WorkOptions", method: str, limit: int | None) -> "PartsFile | None":
        """Return the file, beside the output, for finished parts of a puzzle that is counted on an executor.

        Args:
            work: where puzzles are processed.
            method: the counting method.
            limit: on the number of solutions.

        Raises:
            SudokuError: the file exists, and these options would not resume it.
        """
        from sudoku_encode.storage.journal import can_be_resumed
        from sudoku_encode.storage.outputs import PartsFile

        if not can_be_resumed(self.output):
            return None
        file = PartsFile(Path(f"{self.output}.parts"), self.resume)
        if self.resume and file.is_there:
            from sudoku_encode.storage.part_journal import read_header

            began_by = read_header(file).get("method", method)
            same = {
                "add --executor": work.executor is not None,
                "leave out --limit": limit is None,
                f"add --method {began_by}": began_by == method,
            }
            if changes := [change for change, is_same in same.items() if not is_same]:
                raise SudokuError(
                    f"{file.path} contains parts of an unfinished count; to resume it, {', '.join(changes)}"
                )
        return None if work.executor is None else file

    def opened(
        self, inputs: Iterable[str], parts_file: "PartsFile | None" = None
    ) -> "AbstractContextManager[Results | None]":
        """Open the file that records are put into; None for standard output.

        Args:
            inputs: what is read.
            parts_file: while it is there, an empty file of records is kept too, since a run can go on.

        Raises:
            SudokuError: it is one of the inputs, or as `journal.results`.
        """
        if self.output == "-" and not self.resume:
            return nullcontext()
        from sudoku_encode.storage.journal import open_results
        from sudoku_encode.storage.outputs import refuse_inputs

        refuse_inputs(inputs, self.output, *(f"{self.output}.{ending}" for ending in ("part", "parts", "run")))
        return open_results(self.output, self.resume, parts_file)


class WorkOptions(NamedTuple):
    """Where puzzles are processed, how many at a time, and whether remarks are printed."""

    processes: Processes = None
    executor: Executor = None
    # Its callback applies it.
    quiet: Quiet = False

    def pool(self, cores_each: int = 1) -> "Pool":
        """Return the pool that processes puzzles, each on some cores; it is closed when the command ends.

        Raises:
            SudokuError: -j is given too, or no such executor.
        """
        from sudoku_encode.run.machine import cores
        from sudoku_encode.run.pools import local_pool, pool_of

        if self.executor is None:
            return local_pool(self.processes or max(1, cores() // cores_each))
        if self.processes is not None:
            raise SudokuError("-j has no effect with --executor, which has its own number of workers")
        return _at_end.get().enter_context(pool_of(self.executor))

    @property
    def given(self) -> dict[str, bool]:
        """Whether -j and --executor are given, by name."""
        return {"-j": self.processes is not None, "--executor": self.executor is not None}


class LimitOptions(NamedTuple):
    """Limits on time and memory per puzzle."""

    timeout: Timeout = None
    memory: Annotated[
        str | None,
        typer.Option(
            help="Memory limit for each puzzle, such as 500M (Linux).\n\nThe program's own memory is not included.",
            rich_help_panel=COMMON,
            show_default=False,
        ),
    ] = None

    def limits(self, solutions: int | None = None) -> "Limits":
        """Return the limits, including one on the number of solutions.

        Raises:
            SudokuError: --memory is not a size.
        """
        from sudoku_encode.run.limits import Limits, in_bytes

        return Limits(solutions, self.timeout, None if self.memory is None else in_bytes(self.memory))


def refuse_given(given: Mapping[str, object], why: str) -> None:
    """Raise SudokuError for the first option that is given, of some that have no effect; `why` ends the sentence."""
    for name, is_given in given.items():
        if is_given:
            raise SudokuError(f"{name} has no effect {why}")


def has_stats(stats: bool, method: str, add: str | None = None) -> bool:
    """Return whether the figures of a solver are wanted: by --stats, or as columns by --add.

    Raises:
        SudokuError: --stats with a method that uses no SAT or CP solver, or with --add.
    """
    columns = {name.strip() for name in (add or "").split(",")} & STATS.keys()
    if (stats or columns) and method in METHODS and not METHODS[method].reports_work:
        raise SudokuError(f"--stats has no effect with method {method}, which uses no SAT or CP solver")
    if stats and add is not None:
        raise SudokuError(f"--stats has no effect with --add; name the columns there: {','.join(STATS)}")
    return stats or bool(columns)
