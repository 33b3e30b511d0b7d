"""The command info."""

import json
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Annotated, Any

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

if TYPE_CHECKING:
    from sudoku_encode.encoders.figures import Batch
    from sudoku_encode.formats.entries import Located

# The constraint graph is drawn in all but the first.
_FORMS = ("text", "svg", "dot", "graphml")
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
    to: Annotated[
        str,
        typer.Option(
            help="What to print: text; or the constraint graph as a picture, svg, of up to 81 cells, or for other "
            "programs as dot or graphml.",
            **options.one_of(_FORMS),
        ),
    ] = "text",
    as_json: options.Json = False,
    as_csv: options.Csv = False,
) -> None:
    """Print the figures of each puzzle and its board: units, edges, clashes, what singles leave, sizes of encodings.

    Of a full cube of side 4 or 9 with all six rules, also the pattern of signs of each value (docs/cubes.md), and
    whether it is uniform, all values having one, or mixed; of another puzzle there how many patterns each may have.

    With --encodings these sizes are printed alone, a line for each encoding and each way of --amo: of the whole puzzle,
    and of what the encoding leaves out by default.

    With --to the constraint graph is printed instead: a vertex for each cell, an edge between any two that must differ,
    with the first rule that asks for it.
    """
    from sudoku_encode.encoders import figures
    from sudoku_encode.puzzles.puzzle import Puzzle

    if to != "text":
        _only_figures({"--encodings": encodings, "--amo": amo, "--json": as_json, "--csv": as_csv}, to)
        raise typer.Exit(_print_graphs(PuzzleInput(given), to))
    form = options.record_form(as_json, as_csv)
    wanted = _names(encodings, ENCODINGS, "encoding") if encodings else None
    ways = _names(amo, AT_MOST_ONE, "way to write at most one") if amo else ["pairwise"]
    if wanted is None and (amo or as_csv):
        option = "--amo" if amo else "--csv"
        raise SudokuError(f"{option} is for the sizes of encodings: say of which, such as --encodings all")
    source = PuzzleInput(given)
    if form == "csv":
        print(",".join([*FIRST_KEYS, *_SIZES, "reason"]))
    for some in _batches(source):
        if isinstance(some[0].entry.found, FormatError):
            record, message = some[0].place.record("bad input"), some[0].entry.found.message
            if form == "json":
                print(json.dumps(record | {"reason": message}))
            elif form == "csv":
                print(row([*record.values(), *[None] * len(_SIZES), message]))
            continue
        batch = figures.Batch([one.entry.found for one in some if isinstance(one.entry.found, Puzzle)])
        board = figures.of_board(batch.board)
        found = _of_puzzles(batch)
        by_encoding = figures.sizes(batch, wanted or [ALL], ways)
        # The sizes of a large board, of which a batch has one, are printed as they are found.
        by_puzzle = [(size for (size,) in by_encoding)] if len(some) == 1 else zip(*by_encoding, strict=True)
        for one, sizes in zip(some, by_puzzle, strict=True):
            record = one.place.record("read")
            if wanted is not None:
                _print_sizes(record, sizes, form)
            elif form == "json":
                print(json.dumps({**record, **board, **next(found), "encodings": list(sizes)}))
            else:
                if source.many:
                    print(f"# puzzle {one.number}")
                _print_figures(board | next(found))
                print()
                _print_sizes(record, sizes, "text")
    raise typer.Exit(Outcome().status(source))


def _only_figures(chosen: dict[str, Any], to: str) -> None:
    """Refuse options that are for figures.

    Raises:
        SudokuError: one of them is chosen.
    """
    for name, value in chosen.items():
        if value:
            raise SudokuError(f"{name} is for figures, which --to {to} does not print: leave one of them out")


def _print_graphs(source: PuzzleInput, to: str) -> int:
    """Print the constraint graph of each puzzle, and return the exit status."""
    from sudoku_encode.constraints.lowering import plain
    from sudoku_encode.render import constraint_graph

    draw = {"svg": constraint_graph.svg, "dot": constraint_graph.dot, "graphml": constraint_graph.graphml}[to]
    for _, puzzle in source.puzzles():
        for line in draw(plain(puzzle, "the constraint graph")):
            print(line)
    return Outcome().status(source)


def _of_puzzles(batch: "Batch") -> Iterator[dict[str, Any]]:
    """Yield the figures of each puzzle; of a cube those of its patterns too, where singles find no contradiction."""
    from sudoku_encode.encoders.figures import of_puzzles
    from sudoku_encode.placements.figures import of_puzzle

    for puzzle, left, figures in zip(batch.puzzles, batch.left, of_puzzles(batch), strict=True):
        yield figures if left.contradiction else figures | of_puzzle(puzzle, left.candidates)


def _batches(source: PuzzleInput) -> "Iterator[list[Located]]":
    """Yield what is read: puzzles on one board that were read at a time, some at a time, or what is no puzzle."""
    from sudoku_encode.encoders.reduction import batch_size

    for located in source.located():
        some = list(located.singles())
        puzzle = some[0].entry.found
        size = 1 if isinstance(puzzle, FormatError) or puzzle.constraints else batch_size(puzzle.geometry)
        for start in range(0, len(some), size):
            yield some[start : start + size]


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
