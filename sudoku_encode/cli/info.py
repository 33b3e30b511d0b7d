"""The command info: figures about puzzles, boards and encodings."""

import json
from collections.abc import Iterable, Iterator
from textwrap import fill
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import several_of
from sudoku_encode.encoders.table import ALL, ENCODINGS, MODEL_FORMATS
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.styles import STYLES
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.report.reading import Outcome, PuzzleInput
from sudoku_encode.run.pools import EXECUTORS

if TYPE_CHECKING:
    pass

# All forms except the first draw the constraint graph.
_FORMS = ("text", "svg", "dot", "graphml")
_LIST_WIDTH = 100
_SIZES = ("encoding", "amo", "variables", "clauses", "reduced_variables", "reduced_clauses")


class ListOptions(NamedTuple):
    """Lists to print instead of figures."""

    boards: Annotated[bool, typer.Option("--boards", help="List the boards instead, with their rules.")] = False
    formats: Annotated[bool, typer.Option("--formats", help="List the formats of puzzles and models instead.")] = False
    executors: Annotated[bool, typer.Option("--executors", help="List the values of --executor instead.")] = False


class InfoOptions(NamedTuple):
    """Options for the output."""

    encodings: Annotated[
        str | None,
        typer.Option(
            help="Print only the sizes of these encodings, separated by commas; all names those that fit the board.",
            autocompletion=several_of([*ENCODINGS, ALL]),
        ),
    ] = None
    amo: Annotated[
        str | None,
        typer.Option(
            help="At-most-one encodings for --encodings, separated by commas, or all; by default pairwise.",
            autocompletion=several_of([*AT_MOST_ONE, ALL]),
        ),
    ] = None
    to: Annotated[
        str,
        typer.Option(
            help="The form of the output: text; or the constraint graph, as a picture (svg, up to 81 cells) or for "
            "other programs (dot, graphml).",
            **options.one_of(_FORMS),
        ),
    ] = "text"


class SymmetryOptions(NamedTuple):
    """Options for symmetries, which are printed instead of figures."""

    symmetry: Annotated[bool, typer.Option("--symmetry", help="Print the symmetries of each puzzle instead.")] = False
    same: Annotated[
        str | None,
        typer.Option(metavar="PUZZLE", help="Print a symmetry that maps each puzzle to this one.", show_default=False),
    ] = None


def command(
    given: options.PuzzleOptions,
    *,
    own: InfoOptions,
    symmetries: SymmetryOptions,
    lists: ListOptions,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
) -> None:
    """Print figures about each puzzle and its board: units, edges, clashes, blanks after singles, sizes of encodings.

    For a full cube of side 4 or 9 with all six rules, the output also contains the pattern of signs of each value, and
    whether the cube is uniform (one pattern for all values) or mixed; for another puzzle on such a cube, the number of
    possible patterns of each value. docs/internals/measurements.md defines patterns of signs.

    With --encodings, only sizes are printed, a line for each encoding and each --amo: for the whole puzzle, and after
    the encoding's default simplification.

    With --to, the constraint graph is printed instead: a vertex for each cell, and an edge between any two cells that
    must differ, labelled with the first rule that requires it.

    Details:

    With --symmetry, the number of symmetries and generators of them are printed: maps of cells and values that keep the
    rules, givens, pencilmarks and constraints. A map is written in cycles: (r1c1 r1c2) swaps two cells, and
    (1 2 3) renames 1 to 2, 2 to 3 and 3 to 1. With constraints there may be more symmetries than those that are
    printed. With --same, the exit status is 1 if no symmetry maps a puzzle to the other one.
    """
    from sudoku_encode.report.figures import write_figures

    figures = {"--encodings": own.encodings, "--amo": own.amo, "--csv": as_csv}
    if any(lists):
        others = {**figures, "--to": own.to != "text", "--symmetry": symmetries.symmetry, "--same": symmetries.same}
        _list(lists, given, others, as_json)
        return
    if symmetries.symmetry or symmetries.same is not None:
        chosen = "--symmetry" if symmetries.symmetry else "--same"
        both = {"--same": symmetries.symmetry and symmetries.same is not None}
        options.refuse_given({**figures, "--to": own.to != "text", **both}, f"with {chosen}")
        raise typer.Exit(_write_symmetries(given, symmetries.same, as_json))
    if own.to != "text":
        _only_figures({**figures, "--json": as_json}, own.to)
        raise typer.Exit(_print_graphs(PuzzleInput(given), own.to))
    form = options.record_form(as_json, as_csv)
    requested, ways = _requested_sizes(own.encodings, own.amo, as_csv)
    raise typer.Exit(write_figures(PuzzleInput(given), form, requested, ways))


def _write_symmetries(given: options.PuzzleOptions, same: str | None, as_json: bool) -> int:
    """Write the symmetries of each puzzle, or a map to another puzzle, and return the exit status."""
    from sudoku_encode.report.symmetries import SameReport, SymmetryReport

    source, form = PuzzleInput(given), "json" if as_json else "text"
    if same is None:
        return SymmetryReport(source, form).write_all()
    other = [puzzle for _, puzzle in PuzzleInput(given._replace(puzzles=[same])).puzzles()]
    if len(other) != 1:
        raise SudokuError(f"--same {same}: {len(other)} puzzles; expected one")
    return SameReport(source, form, other[0]).write_all()


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
    for name, style in STYLES.items():
        yield {"format": name, "of": "puzzles", "summary": f"read only: {style.summary}"}
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
