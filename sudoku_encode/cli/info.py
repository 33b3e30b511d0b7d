"""The command info."""

import json
from typing import TYPE_CHECKING, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.reading import PuzzleInput

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Puzzle


def command(given: options.PuzzleOptions, *, as_json: options.Json = False) -> None:
    """Print the figures of each puzzle and its board: units, edges, clashes, what singles leave, sizes of encodings."""
    source = PuzzleInput(given)
    for number, puzzle in source.puzzles():
        figures = {**_board_figures(puzzle.geometry), **_puzzle_figures(puzzle)}
        sizes = _encoding_sizes(puzzle)
        if as_json:
            print(json.dumps({"puzzle": number, **figures, "encodings": sizes}))
            continue
        if source.many:
            print(f"# puzzle {number}")
        _print_figures(figures)
        print(f"\n{'encoding':<10} {'variables':>11} {'clauses':>12} {'reduced':>11} {'clauses':>12}")
        for name, size in sizes.items():
            cells = [f"{value:,}" if isinstance(value, int) else "-" for value in size.values()]
            print(f"{name:<10} {cells[0]:>11} {cells[1]:>12} {cells[2]:>11} {cells[3]:>12}")
    raise typer.Exit(Outcome().status(source))


def _board_figures(board: "Geometry") -> dict[str, Any]:
    import numpy as np

    degrees = np.bincount(board.edges.ravel(), minlength=board.n_cells)
    figures: dict[str, Any] = {
        "board": board.name,
        "rules": list(board.rule_names),
        "cells": board.n_cells,
        "values": board.n_values,
        "units": {name: sum(len(rule.units) for rule in board.rules if rule.name == name) for name in board.rule_names},
        "unit_count": board.n_units,
        "edges": len(board.edges),
        "pairs_with_duplicates": board.n_pairs,
        "degree": [int(degrees.min()), int(degrees.max())],
    }
    if board.why_impossible:
        figures["no_solution"] = f"no colouring exists: {board.why_impossible}"
    return figures


def _puzzle_figures(puzzle: "Puzzle") -> dict[str, Any]:
    from sudoku_encode.encoders.reduction import reduce

    board = puzzle.geometry
    figures: dict[str, Any] = {"givens": board.n_cells - len(puzzle.blanks), "blanks": len(puzzle.blanks)}
    if puzzle.clash:
        first, second = puzzle.clash
        value = int(puzzle.givens[first])
        figures["clash"] = f"{board.cell_name(first)} and {board.cell_name(second)} are peers and both hold {value}"
        return figures
    left = reduce(puzzle, "singles")
    figures["blanks_after_singles"] = int((~left.decided).sum())
    figures["candidates_after_singles"] = int(left.candidates[~left.decided].sum())
    if left.contradiction:
        figures["contradiction"] = left.contradiction
    return figures


def _encoding_sizes(puzzle: "Puzzle") -> dict[str, dict[str, int | None]]:
    """Return the variables and clauses of each encoding, of the whole puzzle and of what singles leave."""
    from sudoku_encode.encoders.encoding import encode, unsupported_reason
    from sudoku_encode.encoders.table import ENCODINGS

    sizes: dict[str, dict[str, int | None]] = {}
    for name, encoder in ENCODINGS.items():
        if unsupported_reason(name, puzzle.geometry):
            continue
        whole = encode(puzzle, name, reduction="none").cnf
        reduced = encode(puzzle, name).cnf if "reduce" in encoder.options else None
        sizes[name] = {
            "variables": whole.n_variables,
            "clauses": whole.n_clauses,
            "reduced_variables": reduced.n_variables if reduced else None,
            "reduced_clauses": reduced.n_clauses if reduced else None,
        }
    return sizes


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
