"""Options that several commands share. The choices are written out, since the tables behind them load numpy."""

import math
import re
from collections.abc import Iterable
from typing import Annotated, Any, Literal

import typer

from sudoku_encode.errors import SudokuError

EncodingName = Literal["minimal", "efficient", "extended", "dual", "colouring", "triads", "order", "log"]
ReductionName = Literal["none", "givens", "singles"]
AmoName = Literal["pairwise", "sequential", "product", "commander", "bitwise", "ladder"]
FormName = Literal["cnf", "cp-sat", "cp-sat-bool", "col", "opb", "dlx", "mzn", "mps", "lp", "smt2"]
TextName = Literal[
    "line", "grid", "sdk", "sdm", "ss", "opensudoku", "sukaku", "numbers", "csv", "layers", "table", "json"
]
DrawingName = Literal["text", "dot", "graphml", "svg"]
GeneratorName = Literal["sat", "keck2022"]
SymmetryName = Literal["none", "point", "mirror", "diagonal", "quarter", "full"]
PageName = Literal["text", "markdown", "json"]
ALPHABETS = ("1-G", "0-F", "A-P")


def one_of(names: Iterable[str]) -> dict[str, Any]:
    """Return what `typer.Option` needs to take one of some names, such as the keys of a table, and to list them."""
    choices = list(names)

    def parsed(text: str) -> str:
        if text not in choices:
            raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, choices))}.")
        return text

    return {"parser": parsed, "metavar": f"[{'|'.join(choices)}]"}


def finite(seconds: float | None) -> float | None:
    """Refuse `nan`, which no time is more than."""
    if seconds is not None and math.isnan(seconds):
        raise typer.BadParameter("nan is no number of seconds")
    return seconds


PuzzleArgument = Annotated[
    str,
    typer.Argument(
        metavar="[PUZZLE]",
        help="A file, - for standard input, or the puzzle itself; left out, the empty board of --board. "
        "A file may hold many puzzles.",
        show_default=False,
    ),
]
Board = Annotated[
    str | None,
    typer.Option(
        help="The board: 9x9, 6x6:2x3 (boxes of 2 rows and 3 columns), 9x9+diagonals, 9x9+windoku, 9x9x9, "
        "9x9x9:literal, jigsaw:FILE or jigsaw:MAP. By default what the text fits."
    ),
]
Rules = Annotated[
    str | None,
    typer.Option(
        help="The rules to keep, separated by commas: row, column, box on a square; row-x, row-y, row-z, box-xy, "
        "box-xz, box-yz on a cube. By default all."
    ),
]
Alphabet = Annotated[
    str | None,
    typer.Option(help="Which letters stand for values above 9, named by their 16x16 look.", **one_of(ALPHABETS)),
]
InputFormat = Annotated[
    TextName | None, typer.Option("--from", help="The puzzle's format. By default what the text looks like.")
]
TextFormat = Annotated[
    TextName | None, typer.Option("--to", help="The format of the grids. By default one a line.", show_default=False)
]
Json = Annotated[bool, typer.Option("--json", help="One JSON object a line.")]
Timeout = Annotated[float | None, typer.Option(min=0, callback=finite, help="Seconds for each puzzle.")]
Limit = Annotated[int | None, typer.Option(min=1, help="Stop at so many solutions of each puzzle.")]
Memory = Annotated[
    str | None,
    typer.Option(
        help="Memory for each puzzle, besides what the program itself takes, such as 500M or 2G. On Linux only.",
        show_default=False,
    ),
]
Reduction = Annotated[
    ReductionName | None,
    typer.Option(
        "--reduce",
        help="What is left out before a model is made: none, what the givens exclude, or what naked and hidden "
        "singles decide. By default singles for solving and for a CNF, none for other models.",
        show_default=False,
    ),
]
Amo = Annotated[AmoName, typer.Option(help="How at-most-one becomes clauses.")]
SatSolver = Annotated[str, typer.Option(help="A solver of PySAT, such as cadical195, glucose4 or minisat22.")]
Seed = Annotated[int, typer.Option(min=0, max=2**31 - 1, help="Seed of CP-SAT.")]
AutoMethod = Annotated[
    str,
    typer.Option(
        help="See `sudoku-encode methods`; auto takes search, frontier or sat, by what a moment of search shows."
    ),
]
Method = Annotated[str, typer.Option(help="See `sudoku-encode methods`.")]
Output = Annotated[str, typer.Option("-o", "--output", help="Where to write; - is standard output.")]

_SIZES = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}


def in_bytes(memory: str) -> int:
    """Return the number of bytes that --memory means.

    Raises:
        SudokuError: it means none.
    """
    number, unit = (memory[:-1], memory[-1].upper()) if memory[-1:].upper() in _SIZES else (memory, "")
    size = int(number) * _SIZES.get(unit, 1) if re.fullmatch("[0-9]{1,19}", number) else 0
    # What the system can be told.
    if not 0 < size < 1 << 62:
        raise SudokuError(f"--memory {memory}: write a number of bytes, or one with K, M or G, such as 500M")
    return size
