"""The comments of a model, in all formats, from which the puzzle and the meaning of variables can be read back.

sudoku-encode 0.2.0
format opb                           besides CNF
board 9x9
rules row column box
givens r1c1 . . . . . 7 . . 1        the first cell of a line of the board, then the values of that line
pencilmarks r1c1 1 3 5               a cell that may hold only these
constraint cage 15 r1c1 r1c2         a constraint, as in the text of a puzzle
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from sudoku_encode import __version__
from sudoku_encode.encoders.reduction import VariableScheme
from sudoku_encode.encoders.table import ENCODINGS, Loader
from sudoku_encode.errors import FormatError, GeometryError, short
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.parsing import parse
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# The first words of the first comment, and of the comment that names the format.
PROGRAM, FORMAT = "sudoku-encode", "format"
KEYS = frozenset({"board", "rules", "givens", "pencilmarks", "constraint"})
# More than the largest board has, with a line for every cell.
MAX_COMMENTS = 1 << 17


class Comment(NamedTuple):
    """A comment of a model."""

    line: int  # 1-based, in its file
    key: str  # its first word
    text: str  # the rest

    @staticmethod
    def of(line: int, text: str) -> "Comment":
        """Split a comment, without its mark, at the first blank."""
        key, _, rest = text.strip().partition(" ")
        return Comment(line, key, rest)


def board_comments(board: Geometry, form: str = "") -> Iterator[str]:
    """Yield the comments with the program, the format if it is not a CNF, the board and its rules."""
    yield f"{PROGRAM} {__version__}"
    if form:
        yield f"{FORMAT} {form}"
    yield f"board {board.name}"
    yield f"rules {' '.join(board.rule_names)}"
    if not board.first:
        yield f"values from 0 in comments; 1 to {board.n_values} in the model"


def with_about(comments: Iterable[str], about: Iterable[str]) -> Iterator[str]:
    """Yield the comments of a model, with more of them after that of the program."""
    program, *others = comments
    yield from (program, *about, *others)


def given_comments(puzzle: Puzzle) -> Iterator[str]:
    """Yield the comments with the givens, pencilmarks and constraints."""
    board, names = puzzle.geometry, puzzle.geometry.cell_names
    # Rows of overlapping boards differ in length, and a line that is read may have at most as many cells as values.
    side = board.n_values if board.places else board.shape[-1]
    numbers = [".", *map(str, board.numbers[1:])]
    for start in range(0, len(names), side):
        line = puzzle.givens[start : start + side].tolist()
        if any(line):
            yield f"givens {names[start]} {' '.join([numbers[value] for value in line])}"
    if puzzle.pencilmarks is not None:
        for name, mask in zip(names, cell_masks(puzzle.pencilmarks), strict=True):
            if not all(mask):
                yield f"pencilmarks {name} {values_text(mask, board.first)}"
    for constraint in puzzle.constraints:
        yield f"constraint {constraint.text(puzzle.geometry)}"


def cell_masks(candidates: Candidates) -> list[bytes]:
    """Return the candidates (n_cells, n_values) of each cell as a mask, a byte for each value."""
    n, together = candidates.shape[1], candidates.tobytes()
    return [together[start : start + n] for start in range(0, len(together), n)]


@lru_cache(maxsize=4096)
def values_text(mask: bytes, first: int) -> str:
    """Return the values of a mask as text, from the first number on; most cells of small puzzles share few masks."""
    return " ".join(str(value) for value, allowed in enumerate(mask, start=first) if allowed)


def read_puzzle(comments: Iterable[Comment], source: str) -> Puzzle:
    """Return the puzzle in comments, on a board with its hidden cells; comments with other keys are ignored.

    Raises:
        FormatError: there is no board, or two, or an invalid comment.
    """
    board: Geometry | None = None
    seen: set[str] = set()
    about_cells: list[Comment] = []
    for comment in comments:
        # Boards take time to make, so a file may name only one, and its rules once.
        if comment.key in seen:
            raise comment_error(comment, source, f"a second {comment.key}")
        try:
            if comment.key == "board":
                board = boards.board(comment.text, files=False)
                seen.add(comment.key)
            elif comment.key == "rules" and board:
                board = board.with_rules(comment.text.split())
                seen.add(comment.key)
        except GeometryError as error:
            raise comment_error(comment, source, error) from error
        if comment.key in ("givens", "pencilmarks", "constraint"):
            about_cells.append(comment)
    if board is None:
        raise FormatError("its comments do not name the board", source)
    return _puzzle_from_comments(board, about_cells, source)


def _puzzle_from_comments(board: Geometry, comments: list[Comment], source: str) -> Puzzle:
    cell_of = cell_numbers(board)
    givens = np.zeros(board.n_cells, np.int64)
    marks = np.ones((board.n_cells, board.n_values), bool)
    constraints = []
    for comment in comments:
        if comment.key == "constraint":
            constraints.append(_constraint(comment, board, source))
            continue
        try:
            label, *words = comment.text.split(None, board.n_values + 1)
            cell = cell_of[label]
            if comment.key == "givens":
                givens[cell : cell + len(words)] = [
                    0 if word == "." else parse_number(word) + 1 - board.first for word in words
                ]
            else:
                marks[cell] = parse_values(words, board)
        except (ValueError, KeyError) as error:
            raise comment_error(comment, source, error) from error
    try:
        return Puzzle.of(board, givens, pencilmarks=None if marks.all() else marks, constraints=constraints).extended
    except FormatError as error:
        raise FormatError(error.message, source) from error


def _constraint(comment: Comment, board: Geometry, source: str) -> Constraint:
    try:
        return parse(comment.text, board)
    except FormatError as error:
        raise FormatError(error.message, source, comment.line) from error


def cell_numbers(board: Geometry) -> Mapping[str, int]:
    """Return the number of each cell by its name."""
    return {board.cell_name(cell): cell for cell in range(board.n_cells)}


def comment_error(comment: Comment, source: str, reason: object) -> FormatError:
    """Return the error for an invalid comment."""
    text = f"{comment.key} {comment.text}"
    return FormatError(f"cannot be understood: {text[:60]!r} ({short(str(reason), 300)})", source, comment.line)


def parse_number(word: str) -> int:
    """Return a number of digits; unlike `int` it accepts no signs, no _ and no large numbers.

    Raises:
        ValueError: it is not a number, or too large.
    """
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise ValueError(f"{word[:20]!r} is not a number")
    return int(word)


def parse_values(words: Iterable[str], board: Geometry) -> Candidates:
    """Return the values in words, bool (n_values,).

    Raises:
        ValueError: a word is not a value of the board.
    """
    allowed = np.zeros(board.n_values, bool)
    for word in words:
        if not board.first <= parse_number(word) <= board.last:
            raise ValueError(f"not a value: {word} ({board.first} to {board.last})")
        allowed[int(word) - board.first] = True
    return allowed


# Further comments of a DIMACS file, about its variables, each after `c `:
#
# c encoding extended
# c kind direct
# c variable cell * 9 + value, ...       the numbering, if it is regular; else a line for every cell:
# c cell r1c1 from 17: 3 5 8             variables 17, ... stand for the candidates 3, 5 and 8
# c cell r1c2 = 4                        no variable: it holds 4
# c seed 7                               seed of the shuffling; then every cell with variables has a line
# c cell r1c1: 3=17 5=-30 8=2&-9         r1c1 holds 3 iff 17 is true, 5 iff 30 is false, 8 iff 2 is true and 9 is false
# p cnf 729 10530

# The name of the variable scheme of each kind of encodings.
VARIABLES = {encoder.kind: encoder.variables for encoder in ENCODINGS.values()}
# Safely below the limit of a comment in a DIMACS file.
_MAX_LINE = 800


_load_scheme: Loader[VariableScheme] = Loader()


def variable_scheme(kind: str) -> VariableScheme:
    """Return the meaning of the variables of a kind of encodings."""
    return _load_scheme(VARIABLES[kind])


def cnf_comments(
    puzzle: Puzzle,
    name: str,
    kind: str,
    candidates: Candidates,
    literals: Literals,
    contradiction: str,
    projection: Literals | None,
    seed: int | None,
) -> Iterator[str]:
    """Yield the comment lines of an encoding's file, without their `c `.

    `kind` is a key of VARIABLES; the projection is None if it is not written, the seed if variables are not shuffled.
    """
    board = puzzle.geometry
    yield from board_comments(board)
    yield f"encoding {name}"
    yield f"kind {kind}"
    if seed is not None:
        yield f"seed {seed}"
    yield from given_comments(puzzle)
    if contradiction:
        yield f"contradiction: {contradiction}"
    elif seed is not None:
        yield from _shuffled_cell_comments(board, candidates, literals)
    elif board.first and candidates.all() and literals.any(axis=(1, 2)).all():
        rule = variable_scheme(kind).numbering.format(n=board.n_values, bits=literals.shape[2])
        yield f"{rule}; cells are numbered from 0 in reading order"
    else:
        yield from _cell_comments(board, candidates, literals)
    if projection is not None:
        yield f"p show {' '.join(map(str, [*projection.tolist(), 0]))}"


def _cell_comments(board: Geometry, candidates: Candidates, literals: Literals) -> list[str]:
    return [
        f"cell {name} {f'from {start}:' if start else '='} {values_text(mask, board.first)}"
        for name, start, mask in zip(board.cell_names, first_variables(literals), cell_masks(candidates), strict=True)
    ]


def _shuffled_cell_comments(board: Geometry, candidates: Candidates, literals: Literals) -> Iterator[str]:
    """Yield the values of each cell with their literals, on one or more lines."""
    for cell, (name, mask) in enumerate(zip(board.cell_names, cell_masks(candidates), strict=True)):
        if not literals[cell].any():
            yield f"cell {name} = {values_text(mask, board.first)}"
            continue
        line = ""
        for value in np.flatnonzero(candidates[cell]).tolist():
            texts = (str(literal) for literal in literals[cell, value].tolist() if literal)
            word = f" {value + board.first}={'&'.join(texts)}"
            if len(line) + len(word) > _MAX_LINE:
                yield f"cell {name}:{line}"
                line = ""
            line += word
        yield f"cell {name}:{line}"


def first_variables(literals: Literals) -> list[int]:
    """Return the smallest variable among the literals (n_cells, n_values, width) of each cell, or 0."""
    # As unsigned numbers, 0 - 1 is the largest.
    before = np.abs(literals).reshape(len(literals), -1).view(np.uint32) - np.uint32(1)
    first: list[int] = (before.min(axis=1) + np.uint32(1)).tolist()
    return first
