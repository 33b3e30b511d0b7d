"""Functions that all forms share: comments at the top, lines from a template, and numbers of units and variables."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders import model_comments
from sudoku_encode.encoders.constraint_clauses import constraint_groups
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle
from sudoku_encode.puzzles.constraints.primitives import ConnectedCells, EqualSums, Regions, Runs, Sum
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

Numbers = NDArray[np.int64]

# Numbers and characters that are handled at once: enough that calls are cheap, few enough for memory.
CHUNK_NUMBERS = CHUNK_CHARACTERS = 1 << 16


# Of the forms with an integer variable for each cell.
CELL_NUMBERING = "x[C] is the value of cell C, from 0 in reading order"


def heading(mark: str, form: str, puzzle: Puzzle, *more: str) -> bytes:
    """Return the comments at the top of a file, a line each after `mark`: the puzzle, for `read_heading`, then more."""
    text = (*model_comments.board_comments(puzzle.geometry, form), *model_comments.given_comments(puzzle), *more)
    # A name may contain a line break, which would end the comment, and the forms are ASCII.
    return "".join(f"{mark} {ascii(line)[1:-1]}\n" for line in text).encode("ascii")


def read_heading(path: str, mark: str, lines: Iterable[str] | None = None) -> Puzzle:
    """Return the puzzle in the comments of a file, or in its changed lines; text before the first is ignored.

    Raises:
        FormatError: the file cannot be read, or has no such comments.
    """
    comments: list[model_comments.Comment] = []
    for number, line in enumerate(files.read_lines(path) if lines is None else lines, 1):
        comment = model_comments.Comment.of(number, line.removeprefix(f"{mark} "))
        if not comments and comment.key != model_comments.PROGRAM:
            continue
        if not line.startswith(f"{mark} ") or len(comments) > model_comments.MAX_COMMENTS:
            break
        comments.append(comment)
    return model_comments.read_puzzle(comments, path)


def numbering(geometry: Geometry, variable: str) -> str:
    """Return the comment about the numbering of variables; variable N is written as `variable`."""
    n = geometry.n_values
    return f"{variable} is (cell, value) with N = cell * {n} + value; cells from 0 in reading order, values from 1"


def unit_numbering(geometry: Geometry) -> str:
    """Return the comment about the units of each rule."""
    parts, first = [], 0
    for name, rules in groupby(geometry.rules, key=lambda rule: rule.name):
        last = first + sum(len(rule.units) for rule in rules) - 1
        parts.append(f"{first} to {last} {name}")
        first = last + 1
    return f"units {', '.join(parts)}"


def numbered_rules(geometry: Geometry) -> Iterator[tuple[int, Rule]]:
    """Yield each rule with the number of its first unit, with units numbered from 0 over all rules."""
    first = 0
    for rule in geometry.rules:
        yield first, rule
        first += len(rule.units)


def cell_variables(geometry: Geometry) -> Numbers:
    """Return the variables of each cell, int64 (n_cells, n_values)."""
    return np.arange(1, geometry.n_cells * geometry.n_values + 1, dtype=np.int64).reshape(geometry.n_cells, -1)


def unit_variables(rule: Rule, n_values: int) -> Numbers:
    """Return the variables of each unit and value, int64 (units * n_values, cells per unit), a unit's rows together."""
    values = np.arange(1, n_values + 1, dtype=np.int64)
    variables: Numbers = rule.units[:, None, :].astype(np.int64) * n_values + values[:, None]
    return variables.reshape(-1, rule.units.shape[1])


def lines(template: str, numbers: NDArray[np.signedinteger]) -> Iterator[bytes]:
    """Yield a template, which has one `%d` for each column, filled with each row of numbers, many at once."""
    step = max(1, CHUNK_NUMBERS // numbers.shape[1])
    for start in range(0, len(numbers), step):
        rows = numbers[start : start + step]
        # One formatting of many lines, so that no Python string per number is made.
        yield (template * len(rows) % tuple(rows.ravel().tolist())).encode("ascii")


def joined(parts: Iterator[str]) -> Iterator[bytes]:
    """Join short texts into chunks."""
    texts: list[str] = []
    size = 0
    for part in parts:
        texts.append(part)
        size += len(part)
        if size >= CHUNK_CHARACTERS:
            yield "".join(texts).encode("ascii")
            texts, size = [], 0
    yield "".join(texts).encode("ascii")


def cell_values(candidates: NDArray[np.bool_]) -> Iterator[list[int]]:
    """Yield the values that each cell may hold, ascending."""
    for row in candidates:
        yield (np.flatnonzero(row) + 1).tolist()


def integer(word: str, source: str, line: int) -> int:
    """Return the whole number in a word of an answer.

    Raises:
        FormatError: it is not a whole number, or has more than nine digits.
    """
    if not re.fullmatch("[-+]?[0-9]{1,9}", word):
        raise FormatError(f"{short(word)!r} is not a value of a cell", source, line)
    return int(word)


def sum_terms(primitive: Sum | EqualSums) -> Iterator[tuple[dict[int, int], int]]:
    """Yield sums as cells with their coefficients, none of them 0, and the total; equal sums differ by 0."""
    if isinstance(primitive, Sum):
        yield dict(zip(primitive.cells, primitive.coefficients, strict=True)), primitive.total
        return
    first, *others = primitive.parts
    for part in others:
        terms = {cell: first.count(cell) - part.count(cell) for cell in dict.fromkeys((*first, *part))}
        # A sum without cells is 0 on both sides.
        if nonzero := {cell: factor for cell, factor in terms.items() if factor}:
            yield nonzero, 0


def region_clauses(low: LoweredPuzzle, candidates: Candidates) -> tuple[list[list[int]], int]:
    """Return the clauses of regions, connected cells and runs, and how many variables there are with auxiliary ones."""
    primitives = [primitive for primitive in low.primitives if isinstance(primitive, ConnectedCells | Regions | Runs)]
    if not primitives:
        return [], candidates.size
    reduced = Reduction(candidates, np.zeros(len(candidates), bool))
    x = cell_variables(low.puzzle.geometry).astype(np.int32)
    groups, n_variables, possible = constraint_groups(primitives, reduced, x, candidates.size)
    clauses = [clause for group in groups for chunk in group.chunks() for clause in chunk.tolist()]
    return (clauses if possible else [*clauses, []]), n_variables
