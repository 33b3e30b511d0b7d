"""CP-SAT models: integers that are all different, or Booleans of which exactly one is true.

With reduction `none` they share no code with the CNF encoders: then an equal count is evidence.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.encoders import cp_constraints
from sudoku_encode.encoders.puzzle_comments import FORMAT, board_comments, given_comments, values
from sudoku_encode.encoders.reduction import Reduction, reduce
from sudoku_encode.errors import FormatError, MethodError, SudokuError, printable
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.storage.outputs import temporary


@dataclass(frozen=True, eq=False, repr=False)
class CpModel:
    """A puzzle as a CP-SAT model.

    Attributes:
        puzzle: what was encoded.
        name: a key of MODELS.
        model: the `ortools.sat.python.cp_model.CpModel`.
        n_variables: how many variables the model has as it was made; a user may add others.
        decode_all: from the values of these in many solutions, (m, n_variables), to grids, uint8 (m, n_cells).
        variables: int64, by cell, or by cell and value from 0, the number of the variable; -1 where there is none,
            since it is decided.
        contradiction: why there is no solution, where the reduction found that out.

    >>> from ortools.sat.python.cp_model import CpSolver
    >>> from sudoku_encode import cp_model
    >>> encoded = cp_model("1...............", board="4x4")
    >>> _ = encoded.model.add(encoded[0, 1] + encoded[0, 2] == 7)
    >>> solver = CpSolver()
    >>> _ = solver.solve(encoded.model)
    >>> int(encoded.decode(solver)[3])
    2
    """

    puzzle: Puzzle
    name: str
    model: Any
    n_variables: int
    decode_all: Callable[[Literals], Grids]
    variables: NDArray[np.int64]
    contradiction: str = ""

    def __repr__(self) -> str:
        """Say on one line what it is; the model itself would fill pages."""
        proto = self.model.proto
        size = f"{len(proto.variables):,} variables, {len(proto.constraints):,} constraints"
        return f"CpModel({self.name}, board {printable(self.puzzle.geometry.name):.20}, {size})"

    def __getitem__(self, place: tuple[int, ...]) -> Any:
        """Return the variable of a cell, for constraints of one's own.

        Args:
            place: the coordinates of the cell from 0, and of a model with Booleans the value from 1.

        Returns:
            A variable of `model`; 0 or 1 where the model has none, since it is decided.

        Raises:
            IndexError: there is no such cell or value.
        """
        *at, value = place if self.variables.ndim > 1 else (*place, 1)
        try:
            cell = self.puzzle.geometry.cells_by_coordinates[tuple(at)]
        except KeyError as error:
            raise IndexError(f"{tuple(at)} is no cell of {self.puzzle.geometry.name}") from error
        number = self.variables.reshape(self.puzzle.geometry.n_cells, -1)[cell, range(1, value + 1)[-1] - 1]
        if number < 0:
            return int(self.puzzle.candidates[cell, value - 1])
        return self.model.get_int_var_from_proto_index(int(number))

    def decode(self, solved: Any) -> Grids:
        """Return the grid that was found, uint8 (n_cells,).

        Args:
            solved: a `CpSolver` after `solve`, a solution callback while it is called, or a response, such as
                `CpSolver.response_proto` or a `CpSolverResponse` read from a file.

        Raises:
            FormatError: there is no solution in it, or one of another model.
        """
        try:
            values = list(getattr(solved, "response_proto", solved).solution)
        except RuntimeError:
            # A solver that was not asked has no response.
            values = []
        if not values:
            raise FormatError("there is no solution to decode: the solver found none, or was not asked")
        if len(values) < self.n_variables:
            message = f"a solution of {len(values)} variables is none of this model, which has {self.n_variables}"
            raise FormatError(message)
        grid: Grids = self.decode_all(np.array([values[: self.n_variables]]))[0]
        return grid


def cp_model(puzzle: Puzzle, name: str = "cp-sat", reduction: str = "none") -> CpModel:
    """Return the CP-SAT model of a puzzle.

    Args:
        puzzle: any board.
        name: `cp-sat`, an integer per cell and AllDifferent per unit; or `cp-sat-bool`, a Boolean per candidate,
            exactly one per cell and per value in a full unit, at most one per value in any other.
        reduction: a key of REDUCTIONS. With `none` the givens are the only thing fixed.

    Raises:
        MethodError: an unknown name.
    """
    if name not in MODELS:
        raise MethodError(f"no CP-SAT model is called {name!r}; choose from {', '.join(MODELS)}")
    if reduction == "none":
        reduced = Reduction(lowered(puzzle).puzzle.candidates, np.zeros(puzzle.geometry.n_cells, bool))
    else:
        reduced = reduce(lowered(puzzle).puzzle, reduction)
    encoded = unnamed_model(puzzle, name, reduced)
    # A protocol buffer has no comments.
    encoded.model.name = "\n".join(_comments(puzzle, name, reduced, encoded.variables))
    return encoded


def unnamed_model(puzzle: Puzzle, name: str, reduced: Reduction) -> CpModel:
    """Return the model of what is left of a puzzle, without the text that says what it is a model of.

    Args:
        puzzle: any board.
        name: a key of MODELS.
        reduced: what is left of it.
    """
    low = lowered(puzzle)
    model, decode_all, variables = MODELS[name](low.puzzle, reduced)
    if low.primitives:
        own = len(model.proto.variables)
        cp_constraints.add(model, low.primitives, reduced, variables)
        decode_all = partial(_decoded, decode_all, own, len(model.proto.variables))
    return CpModel(puzzle, name, model, len(model.proto.variables), decode_all, variables, reduced.contradiction)


def _decoded(decode_all: Callable[[Literals], Grids], own: int, n_variables: int, solutions: Literals) -> Grids:
    """Return the grids of solutions by the variables of the cells, which come before those of constraints."""
    return decode_all(solutions[:, :own] if solutions.shape[1] == n_variables else solutions)


def _comments(puzzle: Puzzle, name: str, reduced: Reduction, variables: NDArray[np.int64]) -> Iterator[str]:
    """Yield the lines that say the puzzle, and the cells that have no variable."""
    program, *board = board_comments(puzzle.geometry)
    yield from (program, f"{FORMAT} {name}", *board, *given_comments(puzzle))
    if variables.ndim > 1:
        for cell in np.flatnonzero((variables < 0).all(axis=1)).tolist():
            yield f"cell {puzzle.geometry.cell_names[cell]} = {values(reduced.candidates[cell].tobytes())}"


def exported(encoded: CpModel, *, as_text: bool) -> bytes:
    """Return the model as a protocol buffer, as text or binary.

    Raises:
        SudokuError: there is no room for it in the system's folder for temporary files.
    """
    with temporary(TemporaryDirectory) as folder:
        # OR-Tools writes files only, and text if the name ends so.
        file = Path(folder) / ("model.pbtxt" if as_text else "model.pb")
        if not encoded.model.export_to_file(str(file)):
            raise SudokuError(f"no CP-SAT model can be written to {folder}, a temporary folder")
        return file.read_bytes()


# Of a model: itself, `CpModel.decode_all` and `CpModel.variables`.
_Parts = tuple[Any, Callable[[Literals], Grids], NDArray[np.int64]]


def _integers(puzzle: Puzzle, reduced: Reduction) -> _Parts:
    from ortools.sat.python import cp_model

    board, model = puzzle.geometry, cp_model.CpModel()
    if not reduced.candidates.any(axis=1).all():
        # A variable may not have an empty domain; a disjunction of nothing is false.
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
            # What is decided is excluded from its peers already.
            members = [cells[cell] for cell in unit if is_open[cell]]
            if len(members) > 1:
                model.add_all_different(members)
    return model, lambda values: values.astype(np.uint8), np.arange(board.n_cells)


def _booleans(puzzle: Puzzle, reduced: Reduction) -> _Parts:
    from ortools.sat.python import cp_model

    board, model = puzzle.geometry, cp_model.CpModel()
    cells, values = np.nonzero(reduced.candidates & ~reduced.decided[:, None])
    # Which Boolean says that a cell holds a value, -1 where none does.
    x = np.full(reduced.candidates.shape, -1)
    x[cells, values] = np.arange(len(cells))
    x0 = [
        model.new_bool_var(f"{board.cell_name(cell)}={value + 1}")
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
