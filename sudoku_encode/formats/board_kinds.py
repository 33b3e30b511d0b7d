"""Which boards a text format can hold; it imports nothing that takes time to load."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry


class BoardKind(NamedTuple):
    """The boards that a format can hold.

    Attributes:
        description: which they are, for errors.
        includes: whether a board is one of them.
        default: the name of the board that a text in the format has when nothing else says which; None if that is left
            to the number of its symbols.
    """

    description: str
    includes: Callable[["Geometry"], bool]
    default: str | None = None


def _is_plain_9x9(board: "Geometry") -> bool:
    return (board.name, board.rule_names) == ("9x9", ("row", "column", "box"))


def _is_of_iss(board: "Geometry") -> bool:
    """Say whether a board is one whose cells and rules an ISS string says: without boxes of another shape."""
    # Loaded here, since the table of formats, which --help reads, loads this module.
    from sudoku_encode.puzzles import boards

    sides = "x".join(map(str, board.shape))
    is_named = board.name == sides or (board.name.startswith(("latin:", "jigsaw:")) and "@" not in board.name)
    if len(board.shape) != 2 or max(*board.shape, board.n_values) > 16 or not is_named:
        return False
    return boards.board(board.name, files=False).rule_names == board.rule_names


def _is_f_puzzles(board: "Geometry") -> bool:
    """Say whether f-puzzles has a board: a square with all its rules, with regions, or with lines alone."""
    n, rules = board.n_values, board.rule_names
    if board.shape != (n, n) or rules[:2] != ("row", "column"):
        return False
    # A board whose side is prime has no boxes.
    lines_alone = board.name.startswith("latin:") or all(n % side for side in range(2, n))
    diagonals = ("diagonal", "antidiagonal")
    return rules[2:] in (("box",), ("region",), ("box", *diagonals)) or (lines_alone and rules[2:] in ((), diagonals))


def _is_sudokupad(board: "Geometry") -> bool:
    """Say whether SudokuPad has a board: a square with regions, or a Latin square."""
    rules = board.rule_names
    return board.shape == (board.n_values, board.n_values) and (
        rules in (("row", "column", "box"), ("row", "column", "region"))
        or (rules == ("row", "column") and board.name.startswith("latin:"))
    )


def _is_killer_9x9(board: "Geometry") -> bool:
    both = ("row", "column", "box", "diagonal", "antidiagonal")
    return _is_plain_9x9(board) or (board.name, board.rule_names) == ("9x9+diagonals", both)


ANY = BoardKind("any board", lambda board: True)
SQUARES = BoardKind("2D boards", lambda board: board.has_rows_and_columns)
CUBES = BoardKind("cubes", lambda board: board.is_cube)
LAYERED = BoardKind("cubes and surfaces", lambda board: len(board.shape) == 3)
ONLY_9X9 = BoardKind("9x9 boards", lambda board: (*board.shape, board.n_values) == (9, 9, 9), default="9x9")
F_PUZZLES = BoardKind("2D boards with all their rules, but for windoku", _is_f_puzzles)
SUDOKUPAD = BoardKind("2D boards with boxes or regions, and Latin squares", _is_sudokupad)
PLAIN_9X9 = BoardKind("the plain 9x9 board with all its rules", _is_plain_9x9, default="9x9")
ISS_BOARDS = BoardKind(
    "squares, jigsaws and boards of rows and columns alone, up to 16x16 and 16 values, with all their rules", _is_of_iss
)
# The text says which of these it is, so that none is the default.
KILLER_9X9 = BoardKind("9x9 and 9x9+diagonals with all their rules", _is_killer_9x9)
SNARFABLE_9X9 = BoardKind("the plain 9x9 board with all its rules", _is_plain_9x9)
SUMO_9X9 = BoardKind(
    "9x9, 9x9+diagonals and jigsaws of 9x9 with all their rules",
    lambda board: _is_killer_9x9(board) or (board.shape, board.rule_names) == ((9, 9), ("row", "column", "region")),
)
