"""Exact cover, in the text format of Knuth's dlx1, and the output of dlx1."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.answers import Answer, first_missing, from_truth
from sudoku_encode.encoders.forms.common import heading, joined, lines, numbered_rules, read_heading, unit_numbering
from sudoku_encode.errors import FormatError, MethodError, short
from sudoku_encode.puzzles.constraints.lowering import require_units_only
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

# dlx1 stores a name in eight bytes.
MAX_NAME = 8


def exact_cover(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write items and options whose exact covers are the solutions.

    Item `c12` is cell 12, item `u3.7` is value 7 in unit 3; the first line lists all of them, even
    without options. A unit with as many cells as there are values must hold each value, so its items are primary; any
    other unit holds a value at most once, so its items are secondary. An option is a candidate.

    Raises:
        MethodError: a name would have more than eight characters; no board up to 100x100 or 25x25x25 needs more. Or the
            puzzle has constraints other than units.
    """
    board = require_units_only(puzzle, "model format dlx").geometry
    longest = max(f"c{board.n_cells - 1}", f"u{board.n_units - 1}.{board.n_values}", key=len)
    if len(longest) > MAX_NAME:
        raise MethodError(f"{board.name} is too large for dlx: item {longest} has more than {MAX_NAME} characters")
    return _write(puzzle, board, candidates)


def _write(puzzle: Puzzle, board: Geometry, candidates: Candidates) -> Iterator[bytes]:
    yield heading(
        "|",
        "dlx",
        puzzle,
        "item cC: cell C, from 0 in reading order",
        f"item uU.V: value V in unit U; {unit_numbering(board)}",
    )
    # Every name but the first brings the blank before it.
    yield b"c0"
    yield from lines(" c%d", np.arange(1, board.n_cells)[:, None])
    yield from _unit_items(board, full=True)
    if len(board.full_rules) < len(board.rules):
        yield b" |"
        yield from _unit_items(board, full=False)
    yield b"\n"
    yield from joined(_options(board, candidates))


def _unit_items(board: Geometry, full: bool) -> Iterator[bytes]:
    """Yield the items of full units, or of the other units."""
    for first, rule in numbered_rules(board):
        if (rule.units.shape[1] == board.n_values) == full:
            units = np.arange(first, first + len(rule.units)).repeat(board.n_values)
            values = np.tile(np.arange(1, board.n_values + 1), len(rule.units))
            yield from lines(" u%d.%d", np.stack([units, values], axis=1))


def _options(board: Geometry, candidates: Candidates) -> Iterator[str]:
    """Yield the options of each cell, a line each."""
    for cell, (units, allowed) in enumerate(zip(board.units_of_cells.tolist(), candidates, strict=True)):
        mine = [f" u{unit}.%d" for unit in units if unit >= 0]
        values = np.flatnonzero(allowed) + 1
        yield f"c{cell}{''.join(mine)}\n" * len(values) % tuple(values.repeat(len(mine)).tolist())


# Output of dlx1: `1:` and the options of a solution, one per line, such as ` c0 u0.1 u4.1 (2 of 5)`.

_NUMBER = re.compile(r"[0-9]+:")
_NO_SOLUTION = re.compile(r"Altogether 0 solutions,? .*")
_OPTION = re.compile(r"(?:c[0-9]+|u[0-9]+\.[0-9]+)(?: (?:c[0-9]+|u[0-9]+\.[0-9]+))*(?: \([0-9]+ of [0-9]+\))?")


def read(model: str, output: str) -> Answer:
    """Read the solutions that dlx1 prints, each after a line with its number.

    Raises:
        FormatError: a line is not an option, or a cell or value is not of the board.
    """
    puzzle, source = read_heading(model, "|"), files.source_name(output)
    truths: list[NDArray[np.bool_]] = []
    claim: bool | None = None
    timed_out = False
    for number, line in enumerate(files.read_lines(output), 1):
        text = line.strip()
        if _NUMBER.fullmatch(text):
            truths.append(np.zeros_like(puzzle.candidates))
        elif _NO_SOLUTION.fullmatch(text):
            # It also prints this after a timeout.
            claim = None if timed_out else False
        elif text == "TIMEOUT!":
            timed_out = True
        elif _OPTION.fullmatch(text):
            truths = truths or [np.zeros_like(puzzle.candidates)]
            cells, values = (
                {int(word) for word in re.findall(what, text)} for what in (r"c([0-9]{1,9})", r"\.([0-9]{1,9})")
            )
            n_cells, n = puzzle.candidates.shape
            if len(cells) != 1 or len(values) != 1 or max(cells) >= n_cells or not 1 <= min(values) <= n:
                raise FormatError(f"{short(text)!r} is not an option of this model", source, number)
            truths[-1][min(cells), min(values) - 1] = True
        elif text and not text.startswith(("(", "Altogether ", "after ")):
            raise FormatError(f"{short(text)!r} is not a line of dlx1", source, number)
    missing = first_missing(puzzle, truths[-1], truths[-1]) if truths else ""
    if missing:
        return from_truth(puzzle, claim, truths[:-1], f"it has no option of {missing}")
    return from_truth(puzzle, claim, truths)
