"""The command info."""

import json
from typing import Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.reading import PuzzleInput


def command(given: options.PuzzleOptions, *, as_json: options.Json = False) -> None:
    """Print figures of each puzzle: its board's units and edges (pairs of cells that must differ), clashes, encodings.

    Also how many candidates the givens and singles leave, and how large each encoding is as it stands and reduced.
    """
    from sudoku_encode.encoders import figures

    source = PuzzleInput(given)
    for number, puzzle in source.puzzles():
        found = figures.of_board(puzzle.geometry) | figures.of_puzzle(puzzle)
        sizes = figures.of_encodings(puzzle)
        if as_json:
            print(json.dumps({"puzzle": number, **found, "encodings": sizes}))
            continue
        if source.many:
            print(f"# puzzle {number}")
        _print_figures(found)
        print(f"\n{'encoding':<10} {'variables':>11} {'clauses':>12} {'reduced':>11} {'clauses':>12}")
        for name, size in sizes.items():
            cells = [f"{value:,}" if isinstance(value, int) else "-" for value in size.values()]
            print(f"{name:<10} {cells[0]:>11} {cells[1]:>12} {cells[2]:>11} {cells[3]:>12}")
    raise typer.Exit(Outcome().status(source))


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
