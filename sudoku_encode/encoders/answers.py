"""The answer of a solver to a model, decoded to grids, for all formats of models and answers."""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.table import DEFAULT_FORMAT, MODEL_FORMATS, Loader, ModelFormat
from sudoku_encode.errors import FormatError, SudokuError, short
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.storage import files

Values = NDArray[np.int64]


class DecodedModel(NamedTuple):
    """A model as a grid."""

    grid: NDArray[np.integer]  # whole numbers (n_cells,); 0 where the model gives a cell no value, or two
    faults: list[str]  # the reasons why it is not a solution; empty for a solution
    # The cells whose givens it drops, if the model has givens as soft clauses, which do not count as faults.
    dropped: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Answer:
    """The answer of a solver."""

    puzzle: Puzzle  # the puzzle in the comments of the model
    claim: bool | None  # True for satisfiable, False for unsatisfiable, None for neither
    n_models: int  # number of complete models
    # These as grids; each is checked against the rules and the givens when it is iterated.
    models: Iterable[DecodedModel]
    cut_off: str = ""  # why the last model is not complete; empty if it is
    # Additions to the puzzle in the comments of the model, such as `3 clauses added`; "no solution" then applies to
    # both together.
    added: str = ""
    is_optimal: bool = False  # whether the solver claims that no model drops fewer givens than the last one


def from_values(puzzle: Puzzle, claim: bool | None, grids: list[list[int]] | list[Values], cut_off: str = "") -> Answer:
    """Return the answer of models that give the value of each cell; a value may be any number."""
    return Answer(puzzle, claim, len(grids), (_checked(puzzle, np.array(grid, np.int64)) for grid in grids), cut_off)


def from_truth(puzzle: Puzzle, claim: bool | None, truths: list[NDArray[np.bool_]], cut_off: str = "") -> Answer:
    """Return the answer of models that give the truth of each cell and value, bool (n_cells, n_values)."""
    return Answer(puzzle, claim, len(truths), _decoded(puzzle, truths), cut_off)


def _checked(puzzle: Puzzle, grid: Values) -> DecodedModel:
    return DecodedModel(grid, list(violations(puzzle, grid)))


def _decoded(puzzle: Puzzle, models: list[NDArray[np.bool_]]) -> Iterator[DecodedModel]:
    for truth in models:
        single = truth.sum(axis=1, dtype=np.int64) == 1
        grid = np.where(single, truth.argmax(axis=1) + 1, 0)
        yield DecodedModel(grid, faults(puzzle, truth, grid))


def faults(puzzle: Puzzle, truth: NDArray[np.bool_], grid: NDArray[np.integer]) -> list[str]:
    """Return why a model is not a solution, from the values (n_cells, n_values) that it sets and its grid."""
    board = puzzle.geometry
    several = [
        f"{board.cell_name(cell)} holds {' and '.join(map(str, (np.flatnonzero(truth[cell]) + board.first).tolist()))}"
        for cell in np.flatnonzero(truth.sum(axis=1) > 1).tolist()
    ]
    none = [f"{board.cell_name(cell)} holds no value" for cell in np.flatnonzero(~truth.any(axis=1)).tolist()]
    return several + none or list(violations(puzzle, grid))


def first_missing(puzzle: Puzzle, truth: NDArray[np.bool_], named: NDArray[np.bool_]) -> str:
    """Return a cell that holds no value in a model though the model does not mention all its variables.

    `truth` and `named`, bool (n_cells, n_values), are the values of each cell, and those that the model mentions. The
    name of the first such cell shows that the model is cut off; without one it is empty.
    """
    missing = np.flatnonzero(~truth.any(axis=1) & ~named.all(axis=1))
    return puzzle.geometry.cell_name(int(missing[0])) if len(missing) else ""


# Recognise the format of a model, and read the answer to it.


class ReadAnswer(Protocol):
    """The function that reads the answers to models of a format."""

    def __call__(self, model: str, output: str, /) -> Answer:
        """Return the answer in the file `output` to the model in the file `model`; either may be `-`."""


_load_reader: Loader[ReadAnswer] = Loader()
_NAMED_READER = "sudoku_encode.encoders.cnf_file:read_named_answer"
_load_named_reader: Loader[Callable[[str | None, str, Any], Answer]] = Loader()

# Far more than the bytes before the comment that names the format.
_HEAD_BYTES = 1 << 16
# After the mark of a comment; a protocol buffer contains the lines in its name, in text form with `\n` for line ends.
_FORMAT = re.compile(rb"(?:^|\n|\\n)(?:[c*%;|\\#]? )?format ([a-z0-9-]{1,20})(?=\r?\n|\\n)")
_CNF = re.compile(rb"(?:^|\n)(?:p cnf |c (?:encoding|kind) )")


def recognise_format(model: str) -> ModelFormat:
    """Return the format that the comments of a model name; a model on standard input is a CNF.

    Raises:
        FormatError: the file cannot be read, or names no format.
    """
    if model == "-":
        return MODEL_FORMATS[DEFAULT_FORMAT]
    head = files.read_bytes(model, _HEAD_BYTES, whole=False)
    match = _FORMAT.search(head)
    if match and match[1].decode() in MODEL_FORMATS:
        return MODEL_FORMATS[match[1].decode()]
    if _CNF.search(head):
        return MODEL_FORMATS[DEFAULT_FORMAT]
    if match:
        raise FormatError(f"no model format is called {short(match[1].decode())!r}", model)
    raise FormatError(
        "not a model with the comments of sudoku-encode, which decoding needs; if an older version wrote it, encode "
        "the puzzle again; if another program removed the comments of a CNF, name its puzzle with --puzzle",
        model,
    )


def read_answer(model: str | None, output: str, named: Any = None) -> Answer:
    """Return the answer of a solver (`-` is standard input) to a model; each grid is checked against rules and givens.

    Args:
        model: the file; None for the CNF of `named`.
        output: the file of the answer.
        named: the `Encoding` of a CNF that does not name its puzzle.

    Raises:
        SudokuError: either cannot be read, or they do not fit each other.
    """
    if model == output == "-":
        raise SudokuError("the model and the answer cannot both be standard input")
    if named is not None:
        return _without_hidden_cells(_load_named_reader(_NAMED_READER)(model, output, named))
    assert model is not None
    return _without_hidden_cells(_load_reader(recognise_format(model).answers)(model, output))


def _without_hidden_cells(answer: Answer) -> Answer:
    """Return an answer whose puzzle and grids are without hidden cells."""
    n_grid = answer.puzzle.geometry.n_grid
    models = (model._replace(grid=model.grid[:n_grid]) for model in answer.models)
    return replace(answer, puzzle=answer.puzzle.on_grid, models=models) if answer.puzzle.geometry.n_hidden else answer
