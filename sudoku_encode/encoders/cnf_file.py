"""DIMACS files of puzzles, read back: what their comments say (see `cnf_comments`) is enough to decode a model."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.cnf_comments import VARIABLES, first_variables, variables
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.puzzle_comments import (
    KEYS,
    MAX_COMMENTS,
    Comment,
    cell_numbers,
    mask,
    misunderstood,
    read_puzzle,
    whole,
)
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.errors import FormatError
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

# More than any board has with any encoding, and more than the comments of any take: 10,000 cells of 100 values.
MAX_VARIABLES, MAX_COMMENT_CHARACTERS = 1 << 26, 1 << 26


def load_encoding(path: str | Path) -> Encoding:
    """Read back what the comments of a file say: an encoding without its clauses, good for decoding.

    The file is a CNF or an incremental one.

    What follows the header is not read, and what comes before it only up to 64 MB.

    Raises:
        FormatError: the file cannot be read, is no CNF of a puzzle, or contradicts itself.
    """
    path = str(path)
    properties = {"encoding": "", "kind": "direct", "contradiction": "", "seed": "", "variables": ""}
    comments: list[Comment] = []
    for number, line in enumerate(files.read_lines(path, MAX_COMMENT_CHARACTERS), 1):
        if line.startswith("p "):
            # The header of an incremental CNF says no sizes; a comment does.
            header = f"p cnf {properties['variables']} 0" if line.split() == ["p", "inccnf"] else line
            return _encoding(path, _cells(path, comments), properties, _n_variables(path, number, header))
        if not line.startswith("c "):
            break
        comment = Comment.of(number, line[2:])
        if comment.key.rstrip(":") in properties:
            properties[comment.key.rstrip(":")] = comment.text
        elif comment.key in KEYS or comment.key == "cell":
            comments.append(comment)
        if len(comments) > MAX_COMMENTS:
            break
    raise FormatError("this is no CNF that sudoku-encode wrote: it lacks the comments or the header", path)


class _Cells(NamedTuple):
    """What the comments say of the cells.

    Attributes:
        puzzle: with its givens and pencilmarks.
        candidates: bool (n_cells, n_values), the values that a cell may have in a model.
        decided: bool (n_cells,), whether a cell has no variable.
        first_variables: of cells, the number of the first variable.
        shuffled: of cells and values from 0, the literals, where variables were shuffled.
    """

    puzzle: Puzzle
    candidates: Candidates
    decided: NDArray[np.bool_]
    first_variables: dict[int, int]
    shuffled: dict[tuple[int, int], list[int]]


def _cells(path: str, comments: list[Comment]) -> _Cells:
    """Read the comments on the puzzle and on the variables of its cells."""
    puzzle = read_puzzle(comments, path)
    board = puzzle.geometry
    cell_of = cell_numbers(board)
    candidates = np.ones((board.n_cells, board.n_values), bool)
    decided = np.zeros(board.n_cells, bool)
    first_variables: dict[int, int] = {}
    shuffled: dict[tuple[int, int], list[int]] = {}
    for comment in comments:
        if comment.key != "cell":
            continue
        try:
            label, *words = comment.text.split(None, 2 * board.n_values + 3)
            cell = cell_of[label.removesuffix(":")]
            if label.endswith(":"):
                for word in words:
                    value, _, literals = word.partition("=")
                    at = cell, int(np.flatnonzero(mask([value], board))[0])
                    if at in shuffled:
                        raise ValueError(f"value {value} again")
                    shuffled[at] = [_literal(literal) for literal in literals.split("&")]
            elif words[0] == "=":
                candidates[cell], decided[cell] = mask(words[1:], board), True
            else:
                candidates[cell], first_variables[cell] = mask(words[2:], board), whole(words[1].rstrip(":"))
        except (ValueError, KeyError, IndexError) as error:
            raise misunderstood(comment, path, error) from error
    return _Cells(puzzle, candidates, decided, first_variables, shuffled)


def _literal(word: str) -> int:
    """Return a literal, which is not 0."""
    variable = whole(word.removeprefix("-"))
    if not 1 <= variable <= MAX_VARIABLES:
        raise ValueError(f"{word[:20]!r} is no literal")
    return -variable if word.startswith("-") else variable


def _encoding(path: str, cells: _Cells, properties: dict[str, str], n_variables: int) -> Encoding:
    """Return the encoding without clauses, if its variables are numbered as its kind does it."""
    kind, contradiction = properties["kind"], properties["contradiction"]
    if kind not in VARIABLES:
        raise FormatError(f"unknown kind of encoding {kind[:60]!r}; known: {', '.join(VARIABLES)}", path)
    if properties["seed"] and not contradiction:
        return _shuffled(path, cells, properties, n_variables)
    literals, n = variables(kind).candidate_literals(Reduction(cells.candidates, cells.decided))
    if contradiction:
        literals = np.zeros_like(literals)
    first = first_variables(literals)
    fits = all(first[cell] == start for cell, start in cells.first_variables.items())
    if not contradiction and (n > n_variables or not fits):
        raise FormatError("the numbers of the variables do not fit the candidates or the header", path)
    cnf = Cnf(n_variables, None)
    return Encoding(cells.puzzle, properties["encoding"], kind, cnf, cells.candidates, literals, contradiction)


def _shuffled(path: str, cells: _Cells, properties: dict[str, str], n_variables: int) -> Encoding:
    """Return the encoding without clauses whose literals the comments list."""
    width = max(map(len, cells.shuffled.values()), default=1)
    literals = np.zeros((*cells.candidates.shape, width), np.int32)
    candidates = cells.candidates & cells.decided[:, None]
    for (cell, value), of_value in cells.shuffled.items():
        candidates[cell, value] = True
        literals[cell, value, : len(of_value)] = of_value
    if np.abs(literals).max(initial=0) > n_variables or (cells.decided & literals.any(axis=(1, 2))).any():
        raise FormatError("the literals of the cells do not fit the header, or each other", path)
    if unknown := np.flatnonzero(~cells.decided & ~literals.any(axis=(1, 2))).tolist():
        name = cells.puzzle.geometry.cell_name(unknown[0])
        raise FormatError(f"no comment says what the variables of {name} are", path)
    try:
        seed = whole(properties["seed"])
    except ValueError as error:
        raise FormatError(f"the seed cannot be understood: {error}", path) from error
    cnf = Cnf(n_variables, None)
    return Encoding(cells.puzzle, properties["encoding"], properties["kind"], cnf, candidates, literals, seed=seed)


def _n_variables(path: str, number: int, line: str) -> int:
    """Return the number of variables in a header."""
    words = line.split(None, 4)
    try:
        if len(words) == 4 and words[1] == "cnf" and 0 <= whole(words[2]) <= MAX_VARIABLES:
            return int(words[2])
    except ValueError:
        pass
    expected = f"the header is `p cnf VARIABLES CLAUSES`, with at most {MAX_VARIABLES:,} variables"
    raise FormatError(f"cannot be understood: {line.strip()[:60]!r} ({expected})", path, number)
