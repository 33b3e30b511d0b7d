"""The command info."""

import json
from collections.abc import Iterable
from typing import Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.completion import several_of
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import row
from sudoku_encode.encoders.table import ALL, ENCODINGS
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.formats.place import FIRST_KEYS
from sudoku_encode.formula.table import AT_MOST_ONE

_SIZES = ("encoding", "amo", "variables", "clauses", "reduced_variables", "reduced_clauses")


def command(
    given: options.PuzzleOptions,
    *,
    encodings: Annotated[
        str | None,
        typer.Option(
            help="Print the sizes of these encodings alone, separated by commas; all are those that fit the board.",
            autocompletion=several_of([*ENCODINGS, ALL]),
        ),
    ] = None,
    amo: Annotated[
        str | None,
        typer.Option(
            help="And of these ways to write `at most one of these`, separated by commas, or all; by default pairwise.",
            autocompletion=several_of([*AT_MOST_ONE, ALL]),
        ),
    ] = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
) -> None:
    """Print the figures of each puzzle and its board: units, edges, clashes, what singles leave, sizes of encodings.

    With --encodings these sizes are printed alone, a line for each encoding and each way of --amo: of the whole puzzle,
    and of what the encoding leaves out by default.
    """
    from sudoku_encode.encoders import figures

    form = options.record_form(as_json, as_csv)
    wanted = _names(encodings, ENCODINGS, "encoding") if encodings else None
    ways = _names(amo, AT_MOST_ONE, "way to write at most one") if amo else ["pairwise"]
    if wanted is None and (amo or as_csv):
        option = "--amo" if amo else "--csv"
        raise SudokuError(f"{option} is for the sizes of encodings: say of which, such as --encodings all")
    source = PuzzleInput(given)
    if form == "csv":
        print(",".join([*FIRST_KEYS, *_SIZES, "reason"]))
    for one in source.entries():
        puzzle = one.entry.found
        if isinstance(puzzle, FormatError):
            record = one.place.record("bad input")
            if form == "json":
                print(json.dumps(record | {"reason": puzzle.message}))
            elif form == "csv":
                print(row([*record.values(), *[None] * len(_SIZES), puzzle.message]))
            continue
        record = one.place.record("read")
        if wanted is not None:
            _print_sizes(record, figures.sizes(puzzle, wanted, ways), form)
            continue
        found = figures.of_board(puzzle.geometry) | figures.of_puzzle(puzzle)
        sizes = list(figures.sizes(puzzle, [ALL], ["pairwise"]))
        if form == "json":
            print(json.dumps({**record, **found, "encodings": sizes}))
            continue
        if source.many:
            print(f"# puzzle {one.number}")
        _print_figures(found)
        print()
        _print_sizes(record, sizes, "text")
    raise typer.Exit(Outcome().status(source))


def _names(text: str, table: Iterable[str], what: str) -> list[str]:
    """Return the names in a list with commas; `all` alone stands for all.

    Raises:
        SudokuError: one of them is no name.
    """
    names = [name.strip() for name in text.split(",") if name.strip()]
    known = [*table, ALL]
    for name in names:
        if name not in known:
            raise SudokuError(f"no {what} is called {name!r}; known: {', '.join(known)}")
    if not names:
        raise SudokuError(f"no {what} is named; known: {', '.join(known)}")
    return [ALL] if ALL in names else names


def _print_sizes(record: dict[str, Any], sizes: Iterable[dict[str, Any]], form: str) -> None:
    """Print the sizes of encodings: as JSON and CSV each with what its record begins with."""
    if form == "text":
        print(f"{'encoding':<10} {'amo':<10} {'variables':>11} {'clauses':>12} {'reduced':>11} {'clauses':>12}")
    for size in sizes:
        values = [size[name] for name in _SIZES]
        record["status"] = "refused" if size["reason"] else "read"
        if form == "json":
            print(json.dumps({**record, **size}))
        elif form == "csv":
            print(row([*record.values(), *values, size["reason"]]))
        else:
            cells = [f"{value:,}" if isinstance(value, int) else "-" for value in values[2:]]
            says = "".join(f"{cell:>{width}}" for cell, width in zip(cells, (12, 13, 12, 13), strict=True))
            print(f"{values[0]:<10} {values[1] or '-':<10}{says}{'  ' + size['reason'] if size['reason'] else ''}")


def _print_figures(figures: dict[str, Any]) -> None:
    for name, value in figures.items():
        if isinstance(value, dict):
            text = ", ".join(f"{count} {rule}" for rule, count in value.items())
        elif isinstance(value, list):
            # The smallest and the largest degree, mostly the same.
            text = " to ".join(dict.fromkeys(map(str, value))) if name == "degree" else ", ".join(map(str, value))
        else:
            text = f"{value:,}" if isinstance(value, int) else value
        print(f"{name.replace('_', ' '):<24} {text}")
