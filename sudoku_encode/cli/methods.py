"""The command methods."""

import json
from typing import Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.completion import each_of
from sudoku_encode.puzzles.boards import NAMES
from sudoku_encode.report.printing import row


def command(
    *,
    board: Annotated[
        str | None,
        typer.Option(help="Also list whether each method supports this board.", autocompletion=each_of(NAMES)),
    ] = None,
    as_json: options.Json = False,
    as_csv: options.Csv = False,
) -> None:
    """List the methods that solve, enumerate and count, with their sources."""
    from sudoku_encode.methods.table import METHODS
    from sudoku_encode.puzzles import boards

    geometry, form = boards.board(board) if board else None, options.record_form(as_json, as_csv)
    if form == "csv":
        print("method,finds,summary,source,explains,refuses")
    for method in METHODS.values():
        refused = method.unsupported_reason(geometry) if geometry else ""
        record: dict[str, Any] = {
            "method": method.name,
            "finds": method.finds,
            "summary": method.summary,
            "source": method.source,
        }
        record |= {"explains": method.explains, "refuses": refused or None}
        if form == "json":
            print(json.dumps(record))
        elif form == "csv":
            print(row(record.values()))
        else:
            shows = " Shows its steps: `explain`." if method.explains else ""
            print(f"{method.name:<17} finds {method.finds}: {method.summary}. Source: {method.source}.{shows}")
            if refused:
                print(f"{'':<17} not on this board: {refused}")
