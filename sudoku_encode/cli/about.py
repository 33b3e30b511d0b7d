"""Commands that tell: show, info, explain, methods."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.asking import Item, Limits, Tell, each
from sudoku_encode.cli.printing import prefix
from sudoku_encode.cli.reading import Answers, Source, remark

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Puzzle


def show(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
) -> None:
    """Draw each puzzle or solution as a grid, a cube layer by layer."""
    from sudoku_encode.formats import write

    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    for number, asked in source.puzzles():
        if source.many:
            print(f"# puzzle {number}{': ' + asked.name if asked.name else ''}")
        print(write(asked.geometry, asked.givens, "grid", pencilmarks=asked.pencilmarks))
    raise typer.Exit(source.exit_status(Answers()))


def info(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    as_json: options.Json = False,
) -> None:
    """Print the figures of each puzzle and its board: units, edges, clashes, what singles leave, sizes of encodings."""
    source = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format})
    for number, asked in source.puzzles():
        figures = {**_board_figures(asked.geometry), **_puzzle_figures(asked)}
        sizes = _encoding_sizes(asked)
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
    raise typer.Exit(source.exit_status(Answers()))


def explain(
    puzzle: options.PuzzleArgument = "",
    board: options.Board = None,
    rules: options.Rules = None,
    alphabet: options.Alphabet = None,
    source_format: options.InputFormat = None,
    method: Annotated[str, typer.Option(help="One that can, as `sudoku-encode methods` says.")] = "jana2023-v1",
    to: Annotated[options.DrawingName, typer.Option(help="text; or, for gtsps-4.1, its graph as a file.")] = "text",
    timeout: options.Timeout = None,
    memory: options.Memory = None,
) -> None:
    """Show a published method at work on each puzzle: its candidates, its steps, the width of its search."""
    from sudoku_encode import methods
    from sudoku_encode.errors import Stopped

    source, answers = Source(puzzle, board, rules, {"alphabet": alphabet, "format": source_format}), Answers()
    limits = Limits.of(None, timeout, memory)
    shown = 0

    def ask(item: Item, tell: Tell) -> None:
        for line in methods.explain(item[1], method, limits.budget(), to):
            tell(line)

    def told(item: Item, line: str) -> None:
        nonlocal shown
        if source.many and to == "text" and shown != item[0]:
            print(f"# puzzle {item[0]}")
        shown = item[0]
        print(line)

    for number, _, stopped in each(source, method, ask, told, limits):
        if isinstance(stopped, Stopped):
            answers.incomplete = True
            remark(f"{prefix(number, source)}stopped: {stopped}")
    raise typer.Exit(source.exit_status(answers))


def _board_figures(board: "Geometry") -> dict[str, Any]:
    import numpy as np

    degrees = np.bincount(board.edges.ravel(), minlength=board.n_cells)
    figures: dict[str, Any] = {
        "board": board.name,
        "rules": list(board.rule_names),
        "cells": board.n_cells,
        "values": board.n_values,
        "units": {rule.name: len(rule.units) for rule in board.rules},
        "unit_count": board.n_units,
        "edges": len(board.edges),
        "pairs_with_duplicates": board.n_pairs,
        "degree": [int(degrees.min()), int(degrees.max())],
    }
    if board.impossible:
        figures["no_solution"] = f"no colouring exists: {board.impossible}"
    return figures


def _puzzle_figures(puzzle: "Puzzle") -> dict[str, Any]:
    from sudoku_encode.encoders.reduction import reduce

    board = puzzle.geometry
    figures: dict[str, Any] = {"givens": board.n_cells - len(puzzle.blanks), "blanks": len(puzzle.blanks)}
    if puzzle.clash:
        first, second = puzzle.clash
        value = int(puzzle.givens[first])
        figures["clash"] = f"{board.label(first)} and {board.label(second)} are peers and both hold {value}"
        return figures
    left = reduce(puzzle, "singles")
    figures["blanks_after_singles"] = int((~left.decided).sum())
    figures["candidates_after_singles"] = int(left.candidates[~left.decided].sum())
    if left.contradiction:
        figures["contradiction"] = left.contradiction
    return figures


def _encoding_sizes(puzzle: "Puzzle") -> dict[str, dict[str, int | None]]:
    """Return the variables and clauses of each encoding, of the whole puzzle and of what singles leave."""
    from sudoku_encode.encoders.encoding import encode, refuses
    from sudoku_encode.encoders.table import ENCODINGS

    sizes: dict[str, dict[str, int | None]] = {}
    for name, encoder in ENCODINGS.items():
        if refuses(name, puzzle.geometry):
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


def methods(
    board: Annotated[str | None, typer.Option(help="Say which methods take this board.")] = None,
    as_json: options.Json = False,
) -> None:
    """List the methods that solve, enumerate and count, with their sources."""
    from sudoku_encode.methods import METHODS
    from sudoku_encode.puzzles import boards

    geometry = boards.board(board) if board else None
    for method in METHODS.values():
        refused = method.refuses(geometry) if geometry else ""
        row = {"method": method.name, "finds": method.finds, "summary": method.summary, "source": method.source}
        explains = method.explain is not None
        if as_json:
            print(json.dumps({**row, "explains": explains, "refuses": refused or None}))
        else:
            shows = " Shows its working: `explain`." if explains else ""
            print(f"{method.name:<17} finds {method.finds}: {method.summary}. Source: {method.source}.{shows}")
            if refused:
                print(f"{'':<17} not on this board: {refused}")
