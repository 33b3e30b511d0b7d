"""CP-SAT models: integers that are all different, or Booleans of which exactly one is true.

With reduction `none` they share no code with the CNF encoders: then an equal count is evidence.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.answers import Answer, Values, from_truth, from_values
from sudoku_encode.encoders.constraint_clauses import constraint_groups
from sudoku_encode.encoders.model_comments import (
    FORMAT,
    Comment,
    board_comments,
    cell_numbers,
    comment_error,
    given_comments,
    parse_values,
    read_puzzle,
    values_text,
)
from sudoku_encode.encoders.reduction import Reduction, reduce
from sudoku_encode.encoders.table import DEFAULT_REDUCTION
from sudoku_encode.errors import FormatError, MethodError, SudokuError, printable, short
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import (
    Count,
    EqualSums,
    Primitive,
    Relation,
    SameCounts,
    Sum,
    primitive_cells,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.geometry import with_hidden
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.storage import files
from sudoku_encode.storage.outputs import make_temporary


@dataclass(frozen=True, eq=False, repr=False)
class CpModel:
    """A puzzle as a CP-SAT model.

    Attributes:
        puzzle: what was encoded.
        name: a key of MODELS.
        model: the `ortools.sat.python.cp_model.CpModel`.
        n_variables: number of variables of the model as it was made; a user may add others.
        decode_all: from the values of these in many solutions, (m, n_variables), to grids, uint8 (m, n_cells).
        candidates: bool (n_cells, n_values): the values that a cell may have in the model.
        variables: int64, the number of the variable by cell, or by cell and value from 0; -1 for no variable, if it is
            decided.
        contradiction: why there is no solution, if the reduction shows that.

    >>> from ortools.sat.python.cp_model import CpSolver
    >>> from sudoku_encode import cp_model
    >>> encoded = cp_model("1...............", board="4x4")
    >>> _ = encoded.model.add(encoded[0, 1] + encoded[0, 2] == 7)
    >>> solver = CpSolver()
    >>> _ = solver.solve(encoded.model)
    >>> encoded.decode(solver)[0, 3]
    2
    """

    puzzle: Puzzle
    name: str
    model: Any
    n_variables: int
    decode_all: Callable[[Literals], Grids]
    candidates: Candidates
    variables: NDArray[np.int64]
    contradiction: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return a short description; the model itself would fill pages."""
        proto = self.model.proto
        size = f"{len(proto.variables):,} variables, {len(proto.constraints):,} constraints"
        return f"CpModel({self.name}, board {printable(self.puzzle.geometry.name):.20}, {size})"

    def __getitem__(self, place: Any) -> Any:
        """Return the variable of a cell, for your own constraints.

        Args:
            place: the coordinates of the cell from 0, and of a model with Booleans the value from 1.

        Returns:
            A variable of `model`; 0 or 1 if the model has none, since it is decided.

        Raises:
            IndexError: there is no such cell or value, or not as many numbers as the model needs.
        """
        cell, *values = self._numbers(place)
        number = int(self.variables[cell, values[0] - 1] if values else self.variables[cell])
        # A decided cell has no Booleans, neither for its value nor for excluded values.
        return (
            int(self.candidates[cell, values[0] - 1]) if number < 0 else self.model.get_int_var_from_proto_index(number)
        )

    def _numbers(self, place: Any) -> list[int]:
        """Return the number of a cell and, of a model with Booleans, a value from 1; see `__getitem__`."""
        board = self.puzzle.geometry
        axes = ["x", "y", "z"] if board.has_axes else ["face", "row", "column"][-len(board.coordinates[0]) :]
        names = axes + ["value"] * (self.variables.ndim > 1)
        given = place if isinstance(place, tuple) else (place,)
        are_whole = all(isinstance(number, int | np.integer) and not isinstance(number, bool) for number in given)
        if len(given) != len(names) or not are_whole:
            text = short(", ".join(map(repr, given)))
            raise IndexError(
                f"[{text}] is not a variable of a {self.name} model: expected [{', '.join(names)}], whole numbers"
            )
        numbers = list(map(int, given))
        cell = board.cells_by_coordinates.get(tuple(numbers[: len(axes)]))
        if cell is None:
            expected = f"expected [{', '.join(axes)}], each from 0"
            raise IndexError(f"{numbers[: len(axes)]} is not a cell of {short(board.name)}: {expected}")
        if len(names) > len(axes) and not 1 <= numbers[-1] <= board.n_values:
            raise IndexError(f"{numbers[-1]} is not a value of {short(board.name)}: expected 1 to {board.n_values}")
        return [cell, *numbers[len(axes) :]]

    def decode(self, solved: Any) -> Grid:
        """Return the grid of a solution.

        Args:
            solved: a `CpSolver` after `solve`, a solution callback while it is called, or a response, such as
                `CpSolver.response_proto` or a `CpSolverResponse` read from a file.

        Raises:
            FormatError: there is no solution in it, or one of another model.
        """
        from ortools.sat.python import cp_model

        try:
            response = getattr(solved, "response_proto", solved)
        except RuntimeError as error:
            raise FormatError("there is no solution to decode: the solver was not run") from error
        if not hasattr(response, "status"):
            raise FormatError(f"{short(repr(solved))} is not an answer of CP-SAT: expected a solver, or its response")
        # Not whether there are values: a solution of a model without variables is empty.
        if response.status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            status = type(cp_model.OPTIMAL)(int(response.status)).name
            raise FormatError(f"there is no solution to decode: the solver says {status}")
        values = list(response.solution)
        if len(values) < self.n_variables:
            message = f"the solution has {len(values)} variables, but this model has {self.n_variables}"
            raise FormatError(message)
        board = with_hidden(self.puzzle.geometry, 0)
        return Grid(board, self.decode_all(np.array([values[: self.n_variables]]))[0, : board.n_cells])


def cp_model(puzzle: Puzzle, name: str = "cp-sat", reduction: str = DEFAULT_REDUCTION) -> CpModel:
    """Return the CP-SAT model of a puzzle, with a reduction; with `none` only the givens are fixed.

    `cp-sat` has an integer per cell and AllDifferent per unit; `cp-sat-bool` has a Boolean per candidate, exactly one
    per cell and per value in a full unit, at most one per value in any other.

    Raises:
        MethodError: an unknown name.
    """
    if name not in MODELS:
        raise MethodError(f"no CP-SAT model is called {name!r}; choose from {', '.join(MODELS)}")
    puzzle = puzzle.extended
    if reduction == "none":
        reduced = Reduction(lower_puzzle(puzzle).puzzle.candidates, np.zeros(puzzle.geometry.n_cells, bool))
    else:
        reduced = reduce(lower_puzzle(puzzle).puzzle, reduction)
    encoded = unnamed_model(puzzle, name, reduced)
    # A protocol buffer has no comments.
    encoded.model.name = "\n".join(_comments(puzzle, name, reduced, encoded.variables))
    return encoded


def unnamed_model(puzzle: Puzzle, name: str, reduced: Reduction) -> CpModel:
    """Return the model of a reduced puzzle by a key of MODELS, without the comments that describe the puzzle."""
    low = lower_puzzle(puzzle)
    model, decode_all, variables = MODELS[name](low.puzzle, reduced)
    if low.primitives:
        own = len(model.proto.variables)
        add_primitives(model, low.primitives, reduced, variables)
        decode_all = partial(_decode_cell_variables, decode_all, own, len(model.proto.variables))
    if reduced.contradiction:
        # The model has no solution even without this clause, but a solver may need a search to find that.
        model.add_bool_or([])
    return CpModel(
        puzzle,
        name,
        model,
        n_variables=len(model.proto.variables),
        decode_all=decode_all,
        candidates=reduced.candidates,
        variables=variables,
        contradiction=reduced.contradiction,
    )


def _decode_cell_variables(
    decode_all: Callable[[Literals], Grids], own: int, n_variables: int, solutions: Literals
) -> Grids:
    """Return the grids of solutions; the variables of cells come before those of constraints."""
    return decode_all(solutions[:, :own] if solutions.shape[1] == n_variables else solutions)


def _comments(puzzle: Puzzle, name: str, reduced: Reduction, variables: NDArray[np.int64]) -> Iterator[str]:
    """Yield the comments about the puzzle and about the cells without a variable."""
    yield from (*board_comments(puzzle.geometry, name), *given_comments(puzzle))
    if variables.ndim > 1:
        for cell in np.flatnonzero((variables < 0).all(axis=1)).tolist():
            text = values_text(reduced.candidates[cell].tobytes(), puzzle.geometry.first)
            yield f"cell {puzzle.geometry.cell_names[cell]} = {text}"


def export_model(encoded: CpModel, *, as_text: bool) -> bytes:
    """Return the model as a protocol buffer, as text or binary.

    Raises:
        SudokuError: there is no room for it in the system's folder for temporary files.
    """
    with make_temporary(TemporaryDirectory) as folder:
        # OR-Tools can only write files, and writes text if the name ends so.
        file = Path(folder) / ("model.pbtxt" if as_text else "model.pb")
        if not encoded.model.export_to_file(str(file)):
            raise SudokuError(f"no CP-SAT model can be written to {folder}, a temporary folder")
        return file.read_bytes()


# The model, `CpModel.decode_all` and `CpModel.variables`.
_Parts = tuple[Any, Callable[[Literals], Grids], NDArray[np.int64]]


def _integers(puzzle: Puzzle, reduced: Reduction) -> _Parts:
    from ortools.sat.python import cp_model

    board, model = puzzle.geometry, cp_model.CpModel()
    if not reduced.candidates.any(axis=1).all():
        # A variable must not have an empty domain; an empty disjunction is false.
        model.add_bool_or([])
        reduced = Reduction(reduced.candidates | ~reduced.candidates.any(axis=1, keepdims=True), reduced.decided)
    cells = [
        model.new_int_var_from_domain(
            cp_model.Domain.from_values((np.flatnonzero(allowed) + 1).tolist()), board.cell_name(cell)
        )
        for cell, allowed in enumerate(reduced.candidates)
    ]
    is_open = (~reduced.decided).tolist()
    for rule in board.rules:
        for unit in rule.units.tolist():
            # Values of decided cells are excluded from their peers already.
            members = [cells[cell] for cell in unit if is_open[cell]]
            if len(members) > 1:
                model.add_all_different(members)
    return model, lambda values: values.astype(np.uint8), np.arange(board.n_cells)


def _booleans(puzzle: Puzzle, reduced: Reduction) -> _Parts:
    from ortools.sat.python import cp_model

    board, model = puzzle.geometry, cp_model.CpModel()
    cells, values = np.nonzero(reduced.candidates & ~reduced.decided[:, None])
    # The number of the Boolean of each cell and value, -1 for none.
    x = np.full(reduced.candidates.shape, -1)
    x[cells, values] = np.arange(len(cells))
    x0 = [
        model.new_bool_var(f"{board.cell_name(cell)}={value + board.first}")
        for cell, value in zip(cells.tolist(), values.tolist(), strict=True)
    ]
    for row in x[~reduced.decided].tolist():
        model.add_exactly_one([x0[number] for number in row if number >= 0])
    for rule in board.rules:
        full = rule.units.shape[1] == board.n_values
        placed = (reduced.candidates & reduced.decided[:, None])[rule.units].any(axis=1).ravel()
        sets = x[rule.units].transpose(0, 2, 1).reshape(-1, rule.units.shape[1])
        for row in sets[~placed].tolist():
            members = [x0[number] for number in row if number >= 0]
            if full:
                model.add_exactly_one(members)
            else:
                model.add_at_most_one(members)

    def decode_all(solutions: Literals) -> Grids:
        holds = np.broadcast_to(reduced.candidates & reduced.decided[:, None], (len(solutions), *x.shape)).copy()
        holds[:, cells, values] = solutions[:, : len(cells)] > 0
        grids: Grids = (holds.argmax(axis=2) + 1).astype(np.uint8)
        return grids

    return model, decode_all, x


MODELS = {"cp-sat": _integers, "cp-sat-bool": _booleans}


# Primitives of constraints: sums, counts and relations of integers are native, the others are clauses. Automata never
# use `add_automaton`, with which CP-SAT 9.15 repeats solutions when it lists all.


def add_primitives(
    model: Any, primitives: Sequence[Primitive], reduced: Reduction, variables: NDArray[np.int64]
) -> None:
    """Add primitives, without `Unit` and `Domain`, to a model of ortools; its variables are `CpModel.variables`."""
    cells, n = _CellVariables(model, reduced, variables), reduced.candidates.shape[1]
    as_clauses: list[Primitive] = []
    for primitive in primitives:
        if isinstance(primitive, Count):
            numbers = [number for number in range(len(primitive.cells) + 1) if primitive.numbers >> number & 1]
            _add_in_domain(model, cells.count(primitive.cells, primitive.value), numbers)
        elif isinstance(primitive, SameCounts):
            for value in range(1, n + 1):
                first, *others = (cells.count(part, value) for part in primitive.parts)
                for other in others:
                    _add_in_domain(model, first - other, [0])
        elif isinstance(primitive, Sum):
            terms = zip(primitive.cells, primitive.coefficients, strict=True)
            model.add(sum(coefficient * cells.value(cell) for cell, coefficient in terms) == primitive.total)
        elif isinstance(primitive, EqualSums):
            first, *others = (sum(cells.value(cell) for cell in part) for part in primitive.parts)
            for other in others:
                model.add(first == other)
        elif isinstance(primitive, Relation) and variables.ndim == 1:
            ends = (cells.value(primitive.first), cells.value(primitive.second))
            pairs = [(a, b) for a, allowed in enumerate(primitive.allowed, 1) for b in values_in(allowed)]
            model.add_allowed_assignments(ends, pairs) if pairs else model.add_bool_or([])
        else:
            as_clauses.append(primitive)
    if as_clauses:
        _add_clauses(model, expanded(as_clauses, n), reduced, cells)


def _add_in_domain(model: Any, amount: Any, allowed: Sequence[int]) -> None:
    """Add that an amount, which may be a number already, is an allowed one."""
    from ortools.sat.python import cp_model

    if isinstance(amount, int):
        if amount not in allowed:
            model.add_bool_or([])
    else:
        model.add_linear_expression_in_domain(amount, cp_model.Domain.from_values(allowed))


class _CellVariables:
    """The cells of a model as integers and as Booleans, which are made when they are needed."""

    def __init__(self, model: Any, reduced: Reduction, variables: NDArray[np.int64]) -> None:
        self.model, self.reduced, self.variables = model, reduced, variables
        self._booleans: dict[int, dict[int, Any]] = {}

    def value(self, cell: int) -> Any:
        """Return the value of a cell as an integer expression."""
        if self.variables.ndim == 1:
            return self.model.get_int_var_from_proto_index(int(self.variables[cell]))
        values = np.flatnonzero(self.reduced.candidates[cell]).tolist()
        # The sum is 0 for a cell without candidates; then the model has no solution, by another constraint.
        return sum((value + 1) * self._boolean(cell, value) for value in values)

    def booleans(self, cell: int) -> dict[int, Any]:
        """Return the Boolean of each candidate (from 0) of a cell, without decided ones."""
        values = np.flatnonzero(self.reduced.candidates[cell]).tolist()
        if self.variables.ndim > 1:
            return {value: self._boolean(cell, value) for value in values if self.variables[cell, value] >= 0}
        if cell in self._booleans:
            return self._booleans[cell]
        integer, booleans = self.value(cell), self._booleans.setdefault(cell, {})
        for value in values:
            booleans[value] = self.model.new_bool_var(f"{integer.name}={value + 1}")
            self.model.add(integer == value + 1).only_enforce_if(booleans[value])
            self.model.add(integer != value + 1).only_enforce_if(~booleans[value])
        return booleans

    def count(self, cells: Sequence[int], value: int) -> Any:
        """Return how many of some cells hold a value: an expression, or a number if that is decided."""
        if self.variables.ndim == 1:
            return sum(self.booleans(cell).get(value - 1, 0) for cell in cells)
        return sum(self._boolean(cell, value - 1) for cell in cells if self.reduced.candidates[cell, value - 1])

    def _boolean(self, cell: int, value: int) -> Any:
        number = int(self.variables[cell, value])
        return 1 if number < 0 else self.model.get_bool_var_from_proto_index(number)


def _add_clauses(model: Any, primitives: Sequence[Primitive], reduced: Reduction, cells: _CellVariables) -> None:
    x = np.zeros(reduced.candidates.shape, np.int32)
    literals: list[Any] = []
    for cell in sorted({cell for primitive in primitives for cell in primitive_cells(primitive)}):
        for value, boolean in cells.booleans(cell).items():
            literals.append(boolean)
            x[cell, value] = len(literals)
    groups, n_variables, possible = constraint_groups(primitives, reduced, x, len(literals))
    if not possible:
        model.add_bool_or([])
        return
    literals += [model.new_bool_var(f"auxiliary {number}") for number in range(len(literals) + 1, n_variables + 1)]
    for group in groups:
        for chunk in group.chunks():
            for clause in chunk.tolist():
                model.add_bool_or(
                    [literals[literal - 1] if literal > 0 else ~literals[-literal - 1] for literal in clause]
                )


# The answer of CP-SAT to a model: a CpSolverResponse, binary or text.

_NAME = re.compile(r"([a-z0-9]+)(?:=([0-9]{1,9}))?")


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
    cell_of = cell_numbers(puzzle.geometry)
    matches = [(number, _NAME.fullmatch(variable.name)) for number, variable in enumerate(written.variables)]
    named = [(number, cell_of[name[1]], int(name[2] or 0)) for number, name in matches if name and name[1] in cell_of]
    numbers, cells, values = np.array(named, np.int64).reshape(-1, 3).T
    if Comment(2, FORMAT, "cp-sat") in comments:
        if values.any() or sorted(cells.tolist()) != list(range(puzzle.geometry.n_cells)):
            raise FormatError("invalid model: expected exactly one variable for each cell", model)
        return from_values(puzzle, claim, [solution[numbers[np.argsort(cells)]] for solution in solutions])
    if not values.all() or values.max(initial=0) > puzzle.geometry.n_values:
        raise FormatError("invalid model: unexpected names of variables of cells", model)
    decided = _decided_values(puzzle, comments, model)
    truths = [decided.copy() for _ in solutions]
    for solution, grid in zip(solutions, truths, strict=True):
        grid[cells, values - 1] = solution[numbers] != 0
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
