"""The command info: figures about puzzles, boards and encodings."""

import json
from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import several_of
from sudoku_encode.cli.reading import Outcome, PuzzleInput
from sudoku_encode.cli.records import row
from sudoku_encode.encoders.table import ALL, ENCODINGS, MODEL_FORMATS
from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.formats.place import FIRST_KEYS
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.run.pools import EXECUTORS

if TYPE_CHECKING:
    from sudoku_encode.encoders.puzzle_sizes import PuzzleBatch
    from sudoku_encode.formats.entries import SourceItem

# All forms except the first draw the constraint graph.
_FORMS = ("text", "svg", "dot", "graphml")
_LIST_WIDTH = 100
_SIZES = ("encoding", "amo", "variables", "clauses", "reduced_variables", "reduced_clauses")


class ListOptions(NamedTuple):
    """Lists to print instead of figures."""

    boards: Annotated[bool, typer.Option("--boards", help="Only list boards, with their rules.")] = False
    formats: Annotated[bool, typer.Option("--formats", help="Only list the formats of puzzles and models.")] = False
    executors: Annotated[bool, typer.Option("--executors", help="Only list what --executor takes.")] = False


def command(
    given: options.PuzzleOptions,
    *,
    encodings: Annotated[
        str | None,
        typer.Option(
            help="Print only the sizes of these encodings, separated by commas; all means those that fit the board.",
            autocompletion=several_of([*ENCODINGS, ALL]),
        ),
    ] = None,
    amo: Annotated[
        str | None,
        typer.Option(
            help="Ways to encode `at most one of these` for --encodings, separated by commas, or all; by default "
            "pairwise.",
            autocompletion=several_of([*AT_MOST_ONE, ALL]),
        ),
    ] = None,
    to: Annotated[
        str,
        typer.Option(
            help="The form of the output: text; or the constraint graph as a picture, svg, of up to 81 cells, or for "
            "other programs as dot or graphml.",
            **options.one_of(_FORMS),
        ),
    ] = "text",
    lists: ListOptions,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
) -> None:
    """Print figures about each puzzle and its board: units, edges, clashes, blanks after singles, sizes of encodings.

    For a full cube of side 4 or 9 with all six rules, also the pattern of signs of each value (docs/cubes.md), and
    whether the cube is uniform, with one pattern for all values, or mixed; for another puzzle on such a cube the number
    of possible patterns of each value.

    With --encodings only sizes are printed, a line for each encoding and each way of --amo: for the whole puzzle,
    and after the encoding's default simplification.

    With --to the constraint graph is printed instead: a vertex for each cell, an edge between any two that must differ,
    labelled with the first rule that requires it.
    """
    from sudoku_encode.encoders import puzzle_sizes
    from sudoku_encode.puzzles.puzzle import Puzzle

    figures = {"--encodings": encodings, "--amo": amo, "--csv": as_csv}
    if any(lists):
        _list(lists, given, {**figures, "--to": to != "text"}, as_json)
        return
    if to != "text":
        _only_figures({**figures, "--json": as_json}, to)
        raise typer.Exit(_print_graphs(PuzzleInput(given), to))
    form = options.record_form(as_json, as_csv)
    requested, ways = _requested_sizes(encodings, amo, as_csv)
    source = PuzzleInput(given)
    if form == "csv":
        print(",".join([*FIRST_KEYS, *_SIZES, "reason"]))
    for batch in _batches(source):
        if isinstance(batch[0].entry.content, FormatError):
            record, message = batch[0].place.record("bad input"), batch[0].entry.content.message
            if form == "json":
                print(json.dumps(record | {"reason": message}))
            elif form == "csv":
                print(row([*record.values(), *[None] * len(_SIZES), message]))
            continue
        encoded = puzzle_sizes.PuzzleBatch(
            [item.entry.content for item in batch if isinstance(item.entry.content, Puzzle)]
        )
        board = puzzle_sizes.board_figures(encoded.board)
        puzzle_figures = _of_puzzles(encoded)
        by_encoding = puzzle_sizes.sizes(encoded, requested or [ALL], ways)
        # A batch contains a single large board, whose sizes are printed as they are found.
        by_puzzle = [(size for (size,) in by_encoding)] if len(batch) == 1 else zip(*by_encoding, strict=True)
        for item, sizes in zip(batch, by_puzzle, strict=True):
            record = item.place.record("read")
            if requested is not None:
                _print_sizes(record, sizes, form)
            elif form == "json":
                print(json.dumps({**record, **board, **next(puzzle_figures), "encodings": list(sizes)}))
            else:
                if source.many:
                    print(f"# puzzle {item.number}")
                _print_figures(board | next(puzzle_figures))
                print()
                _print_sizes(record, sizes, "text")
    raise typer.Exit(Outcome().status(source))


def _list(lists: ListOptions, given: options.PuzzleOptions, others: dict[str, Any], as_json: bool) -> None:
    """Print the list that is requested; raise an error if another list, puzzles or options are given too."""
    first, *more = (f"--{name}" for name, is_given in lists._asdict().items() if is_given)
    beside = [*more, *(["puzzles and their options"] if any(given) else []), *(name for name in others if others[name])]
    if beside:
        raise SudokuError(f"{first} prints a list of its own: leave out {beside[0]}")
    makers = {"--boards": _board_records, "--formats": _format_records, "--executors": _executor_records}
    _print_list(list(makers[first]()), as_json)


def _board_records() -> Iterator[dict[str, Any]]:
    """Yield a record for each form of a board's name."""
    from sudoku_encode.puzzles.boards import EXAMPLES, board

    for name, summary in EXAMPLES.items():
        # The size and the rules of a jigsaw depend on the map in its name.
        geometry = None if name.startswith("jigsaw") else board(name)
        yield {
            "board": name,
            "cells": geometry and geometry.n_cells,
            "values": geometry and geometry.n_values,
            "rules": geometry and list(dict.fromkeys(rule.name for rule in geometry.rules)),
            "summary": summary,
        }


def _format_records() -> Iterator[dict[str, Any]]:
    """Yield a record for each format of puzzles, and then of models."""
    for name, text_format in TEXT_FORMATS.items():
        yield {"format": name, "of": "puzzles", "summary": text_format.summary}
    for name, model_format in MODEL_FORMATS.items():
        yield {
            "format": name,
            "of": "models",
            "summary": f"{model_format.summary} ({', '.join(model_format.suffixes)})",
        }


def _executor_records() -> Iterator[dict[str, Any]]:
    """Yield a record for each form of an executor's text."""
    for kind in EXECUTORS.values():
        yield {"executor": kind.form, "summary": kind.help}


def _print_list(records: list[dict[str, Any]], as_json: bool) -> None:
    """Print records as JSON, or as a table whose last column is wrapped."""
    if as_json:
        for record in records:
            print(json.dumps(record))
        return
    heads = [key for key in records[0] if key != "rules"]
    lines = [heads, *(["-" if record[key] is None else str(record[key]) for key in heads] for record in records)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for cells, record in zip(lines, [{}, *records], strict=True):
        first = "".join(f"{cell:<{width}}  " for cell, width in zip(cells[:-1], widths[:-1], strict=True))
        rules = f"; rules: {', '.join(record['rules'])}" if record.get("rules") else ""
        print(fill(cells[-1] + rules, _LIST_WIDTH, initial_indent=first, subsequent_indent=" " * len(first)))


def _requested_sizes(encodings: str | None, amo: str | None, as_csv: bool) -> tuple[list[str] | None, list[str]]:
    """Return the encodings of --encodings, if any, and the ways of --amo; refuse what needs --encodings without it."""
    requested = _names(encodings, ENCODINGS, "encoding") if encodings else None
    ways = _names(amo, AT_MOST_ONE, "way to write at most one") if amo else ["pairwise"]
    if requested is None and (amo or as_csv):
        option = "--amo" if amo else "--csv"
        raise SudokuError(f"{option} is for the sizes of encodings: name them, such as --encodings all")
    return requested, ways


def _only_figures(chosen: dict[str, Any], to: str) -> None:
    """Raise an error if an option for figures is given."""
    for name, value in chosen.items():
        if value:
            raise SudokuError(f"{name} is for figures, which --to {to} does not print: leave out one of them")


def _print_graphs(source: PuzzleInput, to: str) -> int:
    """Print the constraint graph of each puzzle, and return the exit status."""
    from sudoku_encode.puzzles.constraints.lowering import require_units_only
    from sudoku_encode.render import constraint_graph

    draw = {"svg": constraint_graph.svg, "dot": constraint_graph.dot, "graphml": constraint_graph.graphml}[to]
    for _, puzzle in source.puzzles():
        for line in draw(require_units_only(puzzle, "the constraint graph")):
            print(line)
    return Outcome().status(source)


def _of_puzzles(batch: "PuzzleBatch") -> Iterator[dict[str, Any]]:
    """Yield the figures of each puzzle; for a cube also those of its patterns, unless singles find a contradiction."""
    from sudoku_encode.encoders.puzzle_sizes import puzzle_figures
    from sudoku_encode.placements import pattern_figures

    for puzzle, reduced, figures in zip(batch.puzzles, batch.left, puzzle_figures(batch), strict=True):
        yield figures if reduced.contradiction else figures | pattern_figures(puzzle, reduced.candidates)


def _batches(source: PuzzleInput) -> "Iterator[list[SourceItem]]":
    """Yield batches of puzzles on one board, and invalid puzzles one by one."""
    from sudoku_encode.encoders.reduction import batch_size

    for located in source.located():
        batch = list(located.singles())
        puzzle = batch[0].entry.content
        size = 1 if isinstance(puzzle, FormatError) or puzzle.constraints else batch_size(puzzle.geometry)
        for start in range(0, len(batch), size):
            yield batch[start : start + size]


def _names(text: str, table: Iterable[str], what: str) -> list[str]:
    """Return the names in a list with commas, or only `all` if it is among them."""
    names = [name.strip() for name in text.split(",") if name.strip()]
    choices = [*table, ALL]
    for name in names:
        if name not in choices:
            raise SudokuError(f"no {what} is called {name!r}; known: {', '.join(choices)}")
    if not names:
        raise SudokuError(f"no {what} is named; known: {', '.join(choices)}")
    return [ALL] if ALL in names else names


def _print_sizes(record: dict[str, Any], sizes: Iterable[dict[str, Any]], form: str) -> None:
    """Print the sizes of encodings; in JSON and CSV each line begins with the fields of the record."""
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
