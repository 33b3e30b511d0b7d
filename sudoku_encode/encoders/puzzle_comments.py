"""A puzzle as the comments of its model, whatever the model's format, from which it can be read back.

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
from sudoku_encode.errors import FormatError, GeometryError, short
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.constraint import Constraint, parse
from sudoku_encode.puzzles.geometry import MAX_VALUES, Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# The first word of the first comment, and that of the comment that names the format.
PROGRAM, FORMAT = "sudoku-encode", "format"
KEYS = frozenset({"board", "rules", "givens", "pencilmarks", "constraint"})
_GIVENS = [".", *map(str, range(1, MAX_VALUES + 1))]
# Of the largest board with a line for every cell, and more.
MAX_COMMENTS = 1 << 17


class Comment(NamedTuple):
    """A comment of a model: what it is about, and what it says.

    Attributes:
        line: 1-based, in its file.
        key: its first word.
        text: what follows.
    """

    line: int
    key: str
    text: str

    @staticmethod
    def of(line: int, text: str) -> "Comment":
        """Cut a comment, without the mark that it begins with, at its first blank."""
        key, _, rest = text.strip().partition(" ")
        return Comment(line, key, rest)


def board_comments(board: Geometry) -> Iterator[str]:
    """Yield the comments that say who wrote the model, the board and its rules."""
    yield f"{PROGRAM} {__version__}"
    yield f"board {board.name}"
    yield f"rules {' '.join(board.rule_names)}"


def given_comments(puzzle: Puzzle) -> Iterator[str]:
    """Yield the comments that say what is given."""
    board, names = puzzle.geometry, puzzle.geometry.cell_names
    # The rows of boards that overlap differ in length, and a line that is read has at most as many cells as values.
    side = board.n_values if board.places else board.shape[-1]
    for start in range(0, len(names), side):
        line = puzzle.givens[start : start + side].tolist()
        if any(line):
            yield f"givens {names[start]} {' '.join([_GIVENS[value] for value in line])}"
    if puzzle.pencilmarks is not None:
        for name, mask in zip(names, masks(puzzle.pencilmarks), strict=True):
            if not all(mask):
                yield f"pencilmarks {name} {values(mask)}"
    for constraint in puzzle.constraints:
        yield f"constraint {constraint.text(puzzle.geometry)}"


def masks(candidates: Candidates) -> list[bytes]:
    """Return the mask of each cell, a byte for each value, from bool (n_cells, n_values)."""
    n, together = candidates.shape[1], candidates.tobytes()
    return [together[start : start + n] for start in range(0, len(together), n)]


@lru_cache(maxsize=4096)
def values(mask: bytes) -> str:
    """Return the values of a mask: of many small puzzles most cells have the same few masks."""
    return " ".join(str(value) for value, allowed in enumerate(mask, start=1) if allowed)


def read_puzzle(comments: Iterable[Comment], source: str) -> Puzzle:
    """Return the puzzle that comments say; those with other keys are passed over.

    Raises:
        FormatError: there is no board, or two, or a comment that cannot be understood.
    """
    board: Geometry | None = None
    seen: set[str] = set()
    about_cells: list[Comment] = []
    for comment in comments:
        # A board takes time to make, so that a file may name one only, and its rules once.
        if comment.key in seen:
            raise misunderstood(comment, source, f"a second {comment.key}")
        try:
            if comment.key == "board":
                board = boards.board(comment.text, files=False)
                seen.add(comment.key)
            elif comment.key == "rules" and board:
                board = board.with_rules(comment.text.split())
                seen.add(comment.key)
        except GeometryError as error:
            raise misunderstood(comment, source, error) from error
        if comment.key in ("givens", "pencilmarks", "constraint"):
            about_cells.append(comment)
    if board is None:
        raise FormatError("its comments do not name the board", source)
    return _with_givens(board, about_cells, source)


def _with_givens(board: Geometry, comments: list[Comment], source: str) -> Puzzle:
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
                givens[cell : cell + len(words)] = [0 if word == "." else whole(word) for word in words]
            else:
                marks[cell] = mask(words, board)
        except (ValueError, KeyError) as error:
            raise misunderstood(comment, source, error) from error
    try:
        return Puzzle.of(board, givens, pencilmarks=None if marks.all() else marks, constraints=constraints)
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


def misunderstood(comment: Comment, source: str, reason: object) -> FormatError:
    """Return the error for a comment that cannot be understood."""
    text = f"{comment.key} {comment.text}"
    return FormatError(f"cannot be understood: {text[:60]!r} ({short(str(reason), 300)})", source, comment.line)


def whole(word: str) -> int:
    """Return a number; `int` takes signs and _ too, and does not fit everywhere.

    Raises:
        ValueError: it is none, or too large.
    """
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise ValueError(f"{word[:20]!r} is no number")
    return int(word)


def mask(words: Iterable[str], board: Geometry) -> Candidates:
    """Return the values that words say, bool (n_values,).

    Raises:
        ValueError: a word that is no value of the board.
    """
    allowed = np.zeros(board.n_values, bool)
    for word in words:
        if not 1 <= whole(word) <= board.n_values:
            raise ValueError(f"there is no value {word}")
        allowed[int(word) - 1] = True
    return allowed
