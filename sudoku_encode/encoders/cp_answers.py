"""The answer of CP-SAT to a model of ours: a CpSolverResponse, binary or text."""

import re
from typing import Any

import numpy as np

from sudoku_encode.encoders.answer import Answer, Values, from_truth, from_values
from sudoku_encode.encoders.puzzle_comments import FORMAT, Comment, cell_numbers, mask, misunderstood, read_puzzle
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

_NAME = re.compile(r"([a-z0-9]+)(?:=([0-9]{1,9}))?")


def read(model: str, output: str) -> Answer:
    """Read the solution of a response, and the others that it may hold (`fill_additional_solutions_in_response`).

    Raises:
        FormatError: no model of ours or no response, or one of another model; CP-SAT finds the model invalid.
    """
    from ortools.sat import cp_model_pb2

    written, source = _parsed(cp_model_pb2.CpModelProto(), model), files.source_name(output)
    comments = [Comment.of(number, line) for number, line in enumerate(written.name.splitlines(), 1)]
    puzzle = read_puzzle(comments, model)
    response = _parsed(cp_model_pb2.CpSolverResponse(), output)
    known = response.status in cp_model_pb2.CpSolverStatus.values()
    status = cp_model_pb2.CpSolverStatus.Name(response.status) if known else ""
    if status == "MODEL_INVALID":
        raise FormatError("CP-SAT says that the model is invalid", source)
    claim = {"OPTIMAL": True, "FEASIBLE": True, "INFEASIBLE": False}.get(status)
    others = (tuple(solution.values) for solution in response.additional_solutions)
    solutions = list(dict.fromkeys([tuple(response.solution), *others]))
    # A solution of no variables is one all the same, if CP-SAT says so.
    solutions = [solution for solution in solutions if solution or (claim and not written.variables)]
    for solution in solutions:
        if len(solution) != len(written.variables):
            message = (
                f"a solution of {len(solution)} variables is none of this model, which has {len(written.variables)}"
            )
            raise FormatError(message, source)
    return _answer(puzzle, claim, written, [np.array(solution, np.int64) for solution in solutions], comments, model)


def _answer(
    puzzle: Puzzle, claim: bool | None, written: Any, solutions: list[Values], comments: list[Comment], model: str
) -> Answer:
    """Read the solutions by the names of the variables: `r1c1` of a cell, `r1c1=5` of a cell and a value."""
    cell_of = cell_numbers(puzzle.geometry)
    found = [(number, _NAME.fullmatch(variable.name)) for number, variable in enumerate(written.variables)]
    named = [(number, cell_of[name[1]], int(name[2] or 0)) for number, name in found if name and name[1] in cell_of]
    numbers, cells, values = np.array(named, np.int64).reshape(-1, 3).T
    if Comment(2, FORMAT, "cp-sat") in comments:
        if values.any() or sorted(cells.tolist()) != list(range(puzzle.geometry.n_cells)):
            raise FormatError("this model has not one variable for each cell", model)
        return from_values(puzzle, claim, [solution[numbers[np.argsort(cells)]] for solution in solutions])
    if not values.all() or values.max(initial=0) > puzzle.geometry.n_values:
        raise FormatError("this model has variables of ours with strange names", model)
    decided = _decided(puzzle, comments, model)
    held = [decided.copy() for _ in solutions]
    for solution, grid in zip(solutions, held, strict=True):
        grid[cells, values - 1] = solution[numbers] != 0
    return from_truth(puzzle, claim, held)


def _decided(puzzle: Puzzle, comments: list[Comment], model: str) -> Candidates:
    """Return the values of the cells that have no variables."""
    decided = np.zeros_like(puzzle.candidates)
    cell_of = cell_numbers(puzzle.geometry)
    for comment in comments:
        if comment.key == "cell":
            try:
                label, _, *words = comment.text.split()
                decided[cell_of[label]] = mask(words, puzzle.geometry)
            except (ValueError, KeyError) as error:
                raise misunderstood(comment, model, error) from error
    return decided


def _parsed(message: Any, path: str) -> Any:
    """Return a protocol buffer of a file, which is text where all of it is."""
    from google.protobuf import text_format
    from google.protobuf.message import DecodeError

    content, source = files.read_bytes(path), files.source_name(path)
    what = type(message).__name__
    is_text = content.isascii() and not re.search(rb"[\0-\x08\x0e-\x1f]", content)
    try:
        if is_text:
            text_format.Parse(content, message)
        else:
            message.ParseFromString(content)
    except (DecodeError, text_format.ParseError, ValueError, RecursionError) as error:
        raise FormatError(f"this is no {what}: {short(' '.join(str(error).split()), 200)}", source) from error
    return message
