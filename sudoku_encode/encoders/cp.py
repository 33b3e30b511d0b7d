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
from sudoku_encode.encoders.table import DEFAULT_REDUCTION
from sudoku_encode.errors import FormatError, MethodError, SudokuError, printable, short
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle
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
        candidates: bool (n_cells, n_values): the values that a cell may have in the model.
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
    candidates: Candidates
    variables: NDArray[np.int64]
    contradiction: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen

    def __repr__(self) -> str:
        """Say on one line what it is; the model itself would fill pages."""
        proto = self.model.proto
        size = f"{len(proto.variables):,} variables, {len(proto.constraints):,} constraints"
        return f"CpModel({self.name}, board {printable(self.puzzle.geometry.name):.20}, {size})"

    def __getitem__(self, place: Any) -> Any:
        """Return the variable of a cell, for constraints of one's own.

        Args:
            place: the coordinates of the cell from 0, and of a model with Booleans the value from 1.

        Returns:
            A variable of `model`; 0 or 1 where the model has none, since it is decided.

        Raises:
            IndexError: there is no such cell or value, or not as many numbers as the model needs.
        """
        cell, *values = self._numbers(place)
        number = int(self.variables[cell, values[0] - 1] if values else self.variables[cell])
        # A cell that is decided has no Boolean: neither for its value nor for those that are excluded.
        return (
            int(self.candidates[cell, values[0] - 1]) if number < 0 else self.model.get_int_var_from_proto_index(number)
        )

    def _numbers(self, place: Any) -> list[int]:
        """Return the number of a cell and, of a model with Booleans, a value from 1; see `__getitem__`."""
        board = self.puzzle.geometry
        axes = ["x", "y", "z"] if board.is_cube else ["face", "row", "column"][-len(board.coordinates[0]) :]
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

    def decode(self, solved: Any) -> Grids:
        """Return the grid that was found, uint8 (n_cells,).

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
            raise FormatError("there is no solution to decode: the solver was not asked") from error
        if not hasattr(response, "status"):
            raise FormatError(f"{short(repr(solved))} is not an answer of CP-SAT: expected a solver, or its response")
        # Not whether there are values: a solution of a model without variables is empty.
        if response.status not in (cp_model.OPTIMAL, cp_model.FEASIBLE):
            status = type(cp_model.OPTIMAL)(int(response.status)).name
            raise FormatError(f"there is no solution to decode: the solver says {status}")
        values = list(response.solution)
        if len(values) < self.n_variables:
            message = f"a solution of {len(values)} variables is none of this model, which has {self.n_variables}"
            raise FormatError(message)
        grid: Grids = self.decode_all(np.array([values[: self.n_variables]]))[0]
        return grid


def cp_model(puzzle: Puzzle, name: str = "cp-sat", reduction: str = DEFAULT_REDUCTION) -> CpModel:
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
    if reduced.contradiction:
        # The model has no solution without this clause either, but a solver may need a search to see that.
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
