"""The answer of CP-SAT to a model: a CpSolverResponse, binary or text."""

import re
from typing import Any

import numpy as np

from sudoku_encode.encoders.answers import Answer, Values, from_truth, from_values
from sudoku_encode.encoders.model_comments import (
    FORMAT,
    Comment,
    cell_numbers,
    comment_error,
    parse_values,
    read_puzzle,
)
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

# The name of a variable: its cell, and its value, if it has one.
_INTEGER, _BOOLEAN = re.compile("([a-z0-9]+)()"), re.compile("([a-z0-9]+)=([0-9]{1,9})")


def read_cp_answer(model: str, output: str) -> Answer:
    """Read the solution of a response, and the others that it may hold (`fill_additional_solutions_in_response`).

    Raises:
        FormatError: not a model of this program, not a response, or one for another model; or CP-SAT finds the model
            invalid.
    """
    from ortools.sat import cp_model_pb2

    written, source = _read_protocol_buffer(cp_model_pb2.CpModelProto(), model), files.source_name(output)
    comments = [Comment.of(number, line) for number, line in enumerate(written.name.splitlines(), 1)]
    puzzle = read_puzzle(comments, model)
    response = _read_protocol_buffer(cp_model_pb2.CpSolverResponse(), output)
    is_status = response.status in cp_model_pb2.CpSolverStatus.values()
    status = cp_model_pb2.CpSolverStatus.Name(response.status) if is_status else ""
    if status == "MODEL_INVALID":
        raise FormatError("CP-SAT says that the model is invalid", source)
    claim = {"OPTIMAL": True, "FEASIBLE": True, "INFEASIBLE": False}.get(status)
    others = (tuple(solution.values) for solution in response.additional_solutions)
    solutions = list(dict.fromkeys([tuple(response.solution), *others]))
    # A solution without variables is valid if CP-SAT says so.
    solutions = [solution for solution in solutions if solution or (claim and not written.variables)]
    for solution in solutions:
        if len(solution) != len(written.variables):
            message = f"the solution has {len(solution)} variables, but this model has {len(written.variables)}"
            raise FormatError(message, source)
    return _answer_of_solutions(
        puzzle, claim, written, [np.array(solution, np.int64) for solution in solutions], comments, model
    )


def _answer_of_solutions(
    puzzle: Puzzle, claim: bool | None, written: Any, solutions: list[Values], comments: list[Comment], model: str
) -> Answer:
    """Read the solutions by the names of the variables: `r1c1` for a cell, `r1c1=5` for a cell and value."""
    # A model of integers may also have Booleans, and a model of Booleans integers, which follow from the others.
    board, are_integers = puzzle.geometry, Comment(2, FORMAT, "cp-sat") in comments
    cell_of, pattern = cell_numbers(board), _INTEGER if are_integers else _BOOLEAN
    matches = [(number, pattern.fullmatch(variable.name)) for number, variable in enumerate(written.variables)]
    named = [(number, cell_of[name[1]], int(name[2] or 0)) for number, name in matches if name and name[1] in cell_of]
    numbers, cells, values = np.array(named, np.int64).reshape(-1, 3).T
    if are_integers:
        if sorted(cells.tolist()) != list(range(board.n_cells)):
            raise FormatError("invalid model: expected exactly one variable for each cell", model)
        return from_values(puzzle, claim, [solution[numbers[np.argsort(cells)]] for solution in solutions])
    values -= board.first
    if len(values) and not 0 <= values.min() <= values.max() < board.n_values:
        raise FormatError("invalid model: unexpected names of variables of cells", model)
    truths = [_decided_values(puzzle, comments, model) for _ in solutions]
    for solution, grid in zip(solutions, truths, strict=True):
        grid[cells, values] = solution[numbers] != 0
    return from_truth(puzzle, claim, truths)


def _decided_values(puzzle: Puzzle, comments: list[Comment], model: str) -> Candidates:
    """Return the values of the cells that have no variables."""
    decided = np.zeros_like(puzzle.candidates)
    cell_of = cell_numbers(puzzle.geometry)
    for comment in comments:
        if comment.key == "cell":
            try:
                label, _, *words = comment.text.split()
                decided[cell_of[label]] = parse_values(words, puzzle.geometry)
            except (ValueError, KeyError) as error:
                raise comment_error(comment, model, error) from error
    return decided


def _read_protocol_buffer(message: Any, path: str) -> Any:
    """Return the protocol buffer in a file, in text or binary form."""
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    content, source = files.read_bytes(path), files.source_name(path)
    message_type = type(message).__name__
    is_text = content.isascii() and not re.search(rb"[\0-\x08\x0e-\x1f]", content)
    try:
        if is_text:
            text_format.Parse(content, message)
        else:
            message.ParseFromString(content)
    except (DecodeError, text_format.ParseError, ValueError, RecursionError) as error:
        raise FormatError(f"not a {message_type}: {short(' '.join(str(error).split()), 200)}", source) from error
    return message
