"""A model of ours and what a solver answered to it: back to grids, whatever the formats."""

import re
from pkgutil import resolve_name

from sudoku_encode.encoders.answer import Answer
from sudoku_encode.encoders.table import DEFAULT_FORMAT, MODEL_FORMATS, ModelFormat
from sudoku_encode.errors import FormatError, SudokuError, short
from sudoku_encode.storage import files

# Far more than comes before the comment that names the format.
_HEAD_BYTES = 1 << 16
# After the mark of a comment; a protocol buffer has the lines in its name, and as text writes their ends as `\n`.
_FORMAT = re.compile(rb"(?:^|\n|\\n)(?:[c*%;|\\] )?format ([a-z0-9-]{1,20})(?=\r?\n|\\n)")
_CNF = re.compile(rb"(?:^|\n)(?:p cnf |c (?:encoding|kind) )")


def format_of(model: str) -> ModelFormat:
    """Return the format of a model that `encode` wrote, by what it says itself; one on standard input is a CNF.

    Raises:
        FormatError: the file cannot be read, or does not say.
    """
    if model == "-":
        return MODEL_FORMATS[DEFAULT_FORMAT]
    head = files.read_bytes(model, _HEAD_BYTES, whole=False)
    found = _FORMAT.search(head)
    if found and found[1].decode() in MODEL_FORMATS:
        return MODEL_FORMATS[found[1].decode()]
    if _CNF.search(head):
        return MODEL_FORMATS[DEFAULT_FORMAT]
    if found:
        raise FormatError(f"no model format is called {short(found[1].decode())!r}", model)
    raise FormatError(
        "this is no model that sudoku-encode wrote with its puzzle in the comments, from which an answer is decoded; "
        "if it was written before they were, encode the puzzle again",
        model,
    )


def read_answer(model: str, output: str) -> Answer:
    """Return what a solver answered to a model, each grid checked against the rules and the givens.

    Args:
        model: a file that `encode` wrote.
        output: a file with what the solver printed or wrote; `-` is standard input.

    Raises:
        SudokuError: either cannot be read, or they do not fit each other.
    """
    if model == output == "-":
        raise SudokuError("the model and the answer cannot both be standard input")
    answer: Answer = resolve_name(format_of(model).answers)(model, output)
    return answer
