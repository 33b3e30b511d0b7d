"""Options: those that travel together are a named tuple, and `flat` turns its fields into options of a command.

No dataclasses, since each takes a millisecond to make, and every command makes all of them.
"""

import inspect
import math
import re
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, ExitStack, nullcontext
from contextvars import ContextVar
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple, get_type_hints

import typer

from sudoku_encode.cli.completion import each_of, several_of
from sudoku_encode.cli.remarks import set_quiet
from sudoku_encode.encoders.table import REDUCTIONS
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.table import COMMON_ALPHABETS, TEXT_FORMATS, alphabet_symbols
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles import boards, rules

if TYPE_CHECKING:
    from sudoku_encode.methods.options import Options
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool
    from sudoku_encode.storage.journal import Results
    from sudoku_encode.storage.parts_file import PartsFile

from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.run.limits import MAX_PROCESSES, MAX_SECONDS
from sudoku_encode.run.pools import EXECUTORS
from sudoku_encode.solvers.table import DEFAULT_SOLVER, SAT_SOLVERS

# What is closed when the command ends.
_at_end: ContextVar[ExitStack] = ContextVar("at_end")


def flat(command: Callable[..., None]) -> Callable[..., None]:
    """Return a command whose options are the fields of its parameters, where those are named tuples.

    A field is annotated as typer wants an option annotated. A parameter of the command itself comes where it stands.
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


def one_of(names: Iterable[str], endings: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return what `typer.Option` needs to take one of some names, such as the keys of a table, and to list them.

    A name may have one of the endings.
    """
    choices = list(names)

    def parsed(text: str) -> str:
        ending = next((ending for ending in endings if text.endswith(ending)), "")
        if text.removesuffix(ending) not in choices:
            from difflib import get_close_matches

            near = "".join(f"; did you mean {name!r}?" for name in get_close_matches(text, choices, n=1))
            raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, choices))}{near or '.'}")
        return text

    return {"parser": parsed, "metavar": f"[{'|'.join(choices)}]", "autocompletion": each_of(choices)}


def alphabet_name(text: str) -> str:
    """Refuse a text that is not the name of an alphabet."""
    if not (alphabet_symbols(text) or alphabet_symbols(text.upper())):
        raise typer.BadParameter(f"{text!r} is not an alphabet; write its first and last symbol, such as 0-8 or 1-G")
    return text


def finite(seconds: float | None) -> float | None:
    """Refuse `nan`: a deadline of `nan` would never be reached."""
    if seconds is not None and math.isnan(seconds):
        raise typer.BadParameter("nan is no number of seconds")
    if seconds is not None and seconds > MAX_SECONDS:
        raise typer.BadParameter(f"{seconds:g} seconds are more than {MAX_SECONDS:g}; leave it out for no limit")
    return seconds


def record_form(as_json: bool, as_csv: bool, to: str | None = None) -> str:
    """Return the form of the records: `json`, `csv` or `text`.

    Raises:
        SudokuError: two forms are asked for.
    """
    asked = [*(["--json"] if as_json else []), *(["--csv"] if as_csv else []), *([f"--to {to}"] if to else [])]
    if len(asked) > 1:
        raise SudokuError(f"{' and '.join(asked)}: one form of the answers at a time")
    return "json" if as_json else "csv" if as_csv else "text"


_EXTRA = [name for row in rules.EXTRA_RULES.values() for name in row.names]
Board = Annotated[
    str | None,
    typer.Option(
        help=f"The board: {boards.HELP}. By default what the text fits.", autocompletion=each_of(boards.NAMES)
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        help="The rules to keep, separated by commas: row, column, box on a square; row-x, row-y, row-z, box-xy, "
        "box-xz, box-yz on a cube; line and box, or hoop and face, on a surface. By default all.",
        autocompletion=several_of(
            dict.fromkeys((*rules.SQUARE_RULES, *_EXTRA, *rules.CUBE_RULES, *rules.SURFACE_RULES))
        ),
    ),
]
Alphabet = Annotated[
    str | None,
    typer.Option(
        help="Which symbols stand for the values, by the first and the last of them: 1-9 or 0-8 on a 9x9, 1-G, 0-F or "
        "A-P on a 16x16, 1-Z0 (0 after Z) on a 36x36. Where it begins with 0, numbers do too, and 0 is not a blank.",
        parser=alphabet_name,
        metavar="FIRST-LAST",
        autocompletion=each_of(COMMON_ALPHABETS),
    ),
]
Constraints = Annotated[
    list[str] | None,
    typer.Option(
        "--constraint",
        help="What must hold besides the rules, such as 'cage 15 r1c1 r1c2' or 'thermometer r1c1-r1c4'; may be given "
        "several times. docs/constraints.md has all kinds.",
        show_default=False,
    ),
]
InputFormat = Annotated[
    str | None,
    typer.Option(
        "--from",
        help="The format that the puzzles are in. By default what the text looks like.",
        **one_of(TEXT_FORMATS),
    ),
]
TextFormat = Annotated[
    str | None,
    typer.Option(
        "--to", help="The format of the grids. By default one a line.", show_default=False, **one_of(TEXT_FORMATS)
    ),
]
Timeout = Annotated[float | None, typer.Option(min=0, callback=finite, help="Seconds for each puzzle.")]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Csv = Annotated[bool, typer.Option("--csv", help="A table with a line for each puzzle, between commas.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Stop after this number of solutions of each puzzle.")]
Reduction = Annotated[
    str | None,
    typer.Option(
        "--reduce",
        help="What is decided before a model is made: none; givens, which drops the candidates that they exclude; or "
        "singles, which also fills in naked and hidden singles. By default singles for solving, none for a "
        "model that is written.",
        show_default=False,
        **one_of(REDUCTIONS),
    ),
]
AutoMethod = Annotated[
    str,
    typer.Option(
        help="See `sudoku-encode methods`; auto takes search, frontier or sat, by what a moment of search shows.",
        autocompletion=each_of(METHODS),
    ),
]
Output = Annotated[
    str,
    typer.Option(
        "-o", "--output", metavar="FILE", help="Where to write. By default standard output, -.", show_default=False
    ),
]
Resume = Annotated[bool, typer.Option("--resume", help="Go on with a file of -o whose run did not end.")]
Processes = Annotated[
    int | None,
    typer.Option(
        "-j",
        "--processes",
        min=1,
        max=MAX_PROCESSES,
        help="How many puzzles are worked on at a time; by default one on each core.",
        show_default=False,
    ),
]
Executor = Annotated[
    str | None,
    typer.Option(
        metavar="TEXT",
        help="Where puzzles are worked on instead: "
        + "; ".join(f"{row.form}, {row.help}" for row in EXECUTORS.values())
        + ".",
        show_default=False,
    ),
]
Quiet = Annotated[
    bool,
    typer.Option(
        "-q", "--quiet", callback=set_quiet, help="No remarks and no progress on standard error, only errors."
    ),
]


class PuzzleOptions(NamedTuple):
    """Which puzzles a command works on."""

    puzzles: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PUZZLE]...",
            help="Files, - for standard input, or the puzzles themselves; left out, the empty board of --board. "
            "A file may hold many puzzles, and be compressed.",
            show_default=False,
        ),
    ] = None
    board: Board = None
    rules: Rules = None
    alphabet: Alphabet = None
    source_format: InputFormat = None
    constraints: Constraints = None


class OutputOptions(NamedTuple):
    """Where the answers go."""

    output: Output = "-"
    resume: Resume = False

    def parts_file(self, work: "WorkOptions", method: str, limit: int | None) -> "PartsFile | None":
        """Return the file beside that of the records that keeps the parts of a puzzle while it is counted elsewhere.

        Args:
            work: where puzzles are worked on.
            method: that counts.
            limit: how many solutions are wanted.

        Raises:
            SudokuError: a file is there, and these options would not go on with it.
        """
        from sudoku_encode.storage.journal import can_be_resumed
        from sudoku_encode.storage.parts_file import PartsFile

        if not can_be_resumed(self.output):
            return None
        file = PartsFile(Path(f"{self.output}.parts"), self.resume)
        if self.resume and file.is_there:
            from sudoku_encode.storage.part_journal import header_of

            began_by = header_of(file).get("method", method)
            same = {
                "--executor": work.executor is not None,
                "no --limit": limit is None,
                f"--method {began_by}": began_by == method,
            }
            if needed := [option for option, is_given in same.items() if not is_given]:
                raise SudokuError(
                    f"{file.path} has parts of a puzzle that is counted: to go on takes {', '.join(needed)}"
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
        from sudoku_encode.storage.journal import results
        from sudoku_encode.storage.outputs import refuse_inputs

        refuse_inputs(inputs, self.output, *(f"{self.output}.{ending}" for ending in ("part", "parts", "run")))
        return results(self.output, self.resume, parts_file)


class WorkOptions(NamedTuple):
    """Where puzzles are worked on, how many at a time, and what is said meanwhile."""

    processes: Processes = None
    executor: Executor = None
    # Its callback does what it means.
    quiet: Quiet = False

    def pool(self, cores_each: int = 1) -> "Pool":
        """Return where puzzles are worked on, each by some cores; it is closed when the command ends.

        Raises:
            SudokuError: -j is given too, or there is no such executor.
        """
        from sudoku_encode.run.cores import cores
        from sudoku_encode.run.pools import here, pool_of

        if self.executor is None:
            return here(self.processes or max(1, cores() // cores_each))
        if self.processes is not None:
            raise SudokuError("-j has no effect with --executor, which has its own number of workers")
        return _at_end.get().enter_context(pool_of(self.executor))

    @property
    def given(self) -> dict[str, bool]:
        """By the names of the options that say where the work is done, whether each is given."""
        return {"-j": self.processes is not None, "--executor": self.executor is not None}


class LimitOptions(NamedTuple):
    """How much time and memory each puzzle may take."""

    timeout: Timeout = None
    memory: Annotated[
        str | None,
        typer.Option(
            help="Memory for each puzzle, besides what the program itself takes, such as 500M or 2G. On Linux only.",
            show_default=False,
        ),
    ] = None

    def limits(self, solutions: int | None = None) -> "Limits":
        """Return the limits, with one on the number of solutions.

        Raises:
            SudokuError: --memory is no size.
        """
        from sudoku_encode.run.limits import Limits

        return Limits(solutions, self.timeout, None if self.memory is None else in_bytes(self.memory))


class SolverOptions(NamedTuple):
    """The options of a method; it refuses those that it does not use."""

    reduce: Reduction = None
    amo: Annotated[
        str | None,
        typer.Option(
            help="How `at most one of these` becomes clauses. By default pairwise.",
            show_default=False,
            **one_of(AT_MOST_ONE),
        ),
    ] = None
    sat_solver: Annotated[
        str | None,
        typer.Option(
            help=f"A solver of PySAT. By default {DEFAULT_SOLVER}.", show_default=False, **one_of(SAT_SOLVERS)
        ),
    ] = None
    seed: Annotated[
        int | None, typer.Option(min=0, max=2**31 - 1, help="Seed of CP-SAT. By default 0.", show_default=False)
    ] = None

    def options(self, workers: int | None = None) -> "Options":
        """Return the options as a method takes them."""
        from sudoku_encode.methods.options import Options

        return Options(self.reduce, self.amo, self.sat_solver, self.seed, workers)


_UNIT_BYTES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def in_bytes(memory: str) -> int:
    """Return the number of bytes that --memory means.

    Raises:
        SudokuError: it means none.
    """
    number, unit = (memory[:-1], memory[-1].upper()) if memory[-1:].upper() in _UNIT_BYTES else (memory, "")
    size = int(number) * _UNIT_BYTES.get(unit, 1) if re.fullmatch("[0-9]{1,19}", number) else 0
    # Nothing can be done with less than a megabyte, so that a unit was forgotten; `setrlimit` takes no 63 bits.
    if not 1 << 20 <= size < 1 << 62:
        raise SudokuError(f"--memory {memory}: write a number of bytes, a million or more, or one such as 500M or 2G")
    return size
