"""DIMACS files of puzzles, read back: what their comments say (see `cnf_comments`) is enough to decode a model."""

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.cnf_comments import VARIABLES, first_variable, variables
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

# More than any board has with any encoding, and more than the comments of any take: 10,000 cells of 100 values.
MAX_VARIABLES, MAX_COMMENTS = 1 << 26, 1 << 24


def load_encoding(path: str | Path) -> Encoding:
    """Read back what the comments of a file say: an encoding without its clauses, good for decoding.

    What follows the header is not read, and what comes before it only up to 16 MB.

    Raises:
        FormatError: the file cannot be read, is no CNF of a puzzle, or contradicts itself.
    """
    path, board = str(path), None
    properties = {"encoding": "", "kind": "direct", "contradiction": ""}
    cell_lines: list[tuple[int, str, str]] = []
    # A board takes time to make, so that a file may name one only, and its rules once.
    seen: set[str] = set()
    for number, line in enumerate(files.read_lines(path, MAX_COMMENTS), 1):
        key, _, text = line.removeprefix("c ").rstrip("\n").partition(" ")
        try:
            if line.startswith("p ") and board:
                return _encoding(path, _cells(path, board, cell_lines), properties, _n_variables(line))
            if not line.startswith("c "):
                break
            if key in seen:
                raise ValueError(f"a second {key}")
            if key in ("board", "rules"):
                seen.add(key)
            if key == "board":
                board = boards.board(text, files=False)
            elif key == "rules" and board:
                board = board.with_rules(text.split())
            elif key.rstrip(":") in properties:
                properties[key.rstrip(":")] = text
            elif key in ("givens", "pencilmarks", "cell"):
                cell_lines.append((number, key, text))
        except (ValueError, IndexError, GeometryError) as error:
            raise FormatError(f"cannot be understood: {line.strip()[:60]!r} ({error})", path, number) from error
    raise FormatError("this is no CNF that sudoku-encode wrote: it lacks the comments or the header", path)


class _Cells(NamedTuple):
    """What the comments say of the cells.

    Attributes:
        puzzle: with its givens and pencilmarks.
        candidates: bool (n_cells, n_values), the values that a cell may have in a model.
        decided: bool (n_cells,), whether a cell has no variable.
        first_variables: of cells, the number of the first variable.
    """

    puzzle: Puzzle
    candidates: Candidates
    decided: NDArray[np.bool_]
    first_variables: dict[int, int]


def _cells(path: str, board: Geometry, lines: list[tuple[int, str, str]]) -> _Cells:
    """Read the comments on cells, each given as its line, its key and its text."""
    cell_of = {board.cell_name(cell): cell for cell in range(board.n_cells)}
    givens = np.zeros(board.n_cells, np.int64)
    pencilmarks, candidates = (np.ones((board.n_cells, board.n_values), bool) for _ in range(2))
    decided = np.zeros(board.n_cells, bool)
    first_variables: dict[int, int] = {}
    for number, key, text in lines:
        try:
            label, *words = text.split(None, 2 * board.n_values + 3)
            cell = cell_of[label]
            if key == "givens":
                givens[cell : cell + len(words)] = [0 if word == "." else _whole(word) for word in words]
            elif key == "pencilmarks":
                pencilmarks[cell] = _mask(words, board)
            elif words[0] == "=":
                candidates[cell], decided[cell] = _mask(words[1:], board), True
            else:
                candidates[cell], first_variables[cell] = _mask(words[2:], board), _whole(words[1].rstrip(":"))
        except (ValueError, KeyError, IndexError) as error:
            raise FormatError(f"cannot be understood: {f'{key} {text}'[:60]!r} ({error})", path, number) from error
    try:
        puzzle = Puzzle.of(board, givens, pencilmarks=None if pencilmarks.all() else pencilmarks)
    except FormatError as error:
        raise FormatError(error.message, path) from error
    return _Cells(puzzle, candidates, decided, first_variables)


def _encoding(path: str, cells: _Cells, properties: dict[str, str], n_variables: int) -> Encoding:
    """Return the encoding without clauses, if its variables are numbered as its kind does it."""
    kind, contradiction = properties["kind"], properties["contradiction"]
    if kind not in VARIABLES:
        raise FormatError(f"unknown kind of encoding {kind[:60]!r}; known: {', '.join(VARIABLES)}", path)
    literals, n = variables(kind).candidate_literals(Reduction(cells.candidates, cells.decided))
    if contradiction:
        literals = np.zeros_like(literals)
    elif n > n_variables or any(
        first_variable(literals[cell]) != start for cell, start in cells.first_variables.items()
    ):
        raise FormatError("the numbers of the variables do not fit the candidates or the header", path)
    cnf = Cnf(n_variables, ())
    return Encoding(cells.puzzle, properties["encoding"], kind, cnf, cells.candidates, literals, contradiction)


def _n_variables(line: str) -> int:
    """Return the number of variables in a header."""
    words = line.split(None, 4)
    if len(words) != 4 or words[1] != "cnf" or not 0 <= _whole(words[2]) <= MAX_VARIABLES:
        raise ValueError(f"the header is `p cnf VARIABLES CLAUSES`, with at most {MAX_VARIABLES:,} variables")
    return _whole(words[2])


def _whole(word: str) -> int:
    """Return a number; `int` takes signs and _ too, and does not fit everywhere."""
    if not (word.isascii() and word.isdigit() and len(word) < 10):
        raise ValueError(f"{word[:20]!r} is no number")
    return int(word)


def _mask(words: list[str], board: Geometry) -> NDArray[np.bool_]:
    mask = np.zeros(board.n_values, bool)
    for word in words:
        if not 1 <= _whole(word) <= board.n_values:
            raise ValueError(f"there is no value {word}")
        mask[int(word) - 1] = True
    return mask
