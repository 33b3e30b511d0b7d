"""CP-SAT models: integers that are all different, or Booleans of which exactly one is true.

With reduction `none` they share no code with the CNF encoders: then an equal count is evidence.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_encode.encoders.cp_cells import CellVariables, add_primitives
from sudoku_encode.encoders.model_comments import board_comments, given_comments, values_text
from sudoku_encode.encoders.reduction import Reduction, reduce
from sudoku_encode.encoders.table import DEFAULT_REDUCTION
from sudoku_encode.errors import FormatError, MethodError, SudokuError, printable, short, whole_number
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.geometry import with_hidden
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, checked_values
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.storage.outputs import make_temporary

if TYPE_CHECKING:
    from ortools.sat.cp_model_pb2 import CpSolverResponse as SavedResponse
    from ortools.sat.python import cp_model as ortools
    from ortools.sat.python.cp_model_helper import CpSolverResponse


@dataclass(frozen=True, eq=False, repr=False)
class CpModel:
    """A puzzle as a CP-SAT model, which you can extend.

    `model["r1c1"]` is the integer variable of a cell, and `model["r1c1", 5]` the literal that it holds 5; both are
    there for both kinds of models, and are added on first use where the model has only the other kind. Names of cells
    are those of puzzles: `r1c1` on a square, `f1r1c1` on a surface, `x0y0z0` on a cube. Coordinates, counted from 0 as
    in a `Grid`, may stand for a name: `model[0, 0]` and `model[0, 0, 5]`, on a cube `model[0, 0, 0]` and
    `model[0, 0, 0, 5]`. Values count from 1 as in arrays, even if the board has values from 0.

    Attributes:
        puzzle: what was encoded.
        name: a key of MODELS.
        model: the `CpModel` of OR-Tools, for your own constraints, an objective and a solver.
        n_variables: number of variables of the model as it was made; a user may add others.
        decode_all: from the values of all variables in many solutions, (m, at least n_variables), to grids, uint8
            (m, n_cells).
        cells: the variables of cells by number; it is behind `model["r1c1"]`.
        contradiction: why there is no solution, if the reduction shows that.

    >>> from ortools.sat.python.cp_model import CpSolver
    >>> from sudoku_encode import cp_model
    >>> encoded = cp_model("1...............", board="4x4")
    >>> _ = encoded.model.add(encoded["r1c2"] + encoded["r1c3"] == 7)
    >>> _ = encoded.model.add_implication(encoded["r1c2", 3], encoded["r2c1", 4])
    >>> encoded.model.maximize(encoded["r1c2"] + encoded["r4c4"])
    >>> solver = CpSolver()
    >>> _ = solver.solve(encoded.model)
    >>> encoded.decode(solver)[0]
    array([1, 4, 3, 2], dtype=uint8)
    """

    puzzle: Puzzle
    name: str
    model: "ortools.CpModel"
    n_variables: int
    decode_all: Callable[[Literals], Grids]
    cells: CellVariables
    contradiction: str = ""

    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return a short description; the model itself would fill pages."""
        proto = self.model.proto
        size = f"{len(proto.variables):,} variables, {len(proto.constraints):,} constraints"
        return f"CpModel({self.name}, board {printable(self.puzzle.geometry.name):.20}, {size})"

    def __getitem__(self, place: "str | tuple[str | int | np.integer, ...]") -> "ortools.IntVar":
        """Return the integer variable of a cell, or the literal that it holds a value.

        Args:
            place: the name of the cell, or its coordinates from 0; then a value from 1 for the literal. A literal is a
                constant if the givens, or the reduction, decide it.

        Raises:
            FormatError: there is no such cell or value.
        """
        board = self.puzzle.geometry
        parts = place if isinstance(place, tuple) and place else (place,)
        n_names = 1 if isinstance(parts[0], str) else len(board.coordinates[0])
        cell, values = self._cell(parts[:n_names]), parts[n_names:]
        if not values:
            return self.cells.integer(cell)
        value = whole_number(values[0], 1, board.n_values)
        if value is None or len(values) > 1:
            text = short(", ".join(map(repr, values)))
            raise FormatError(f"{text} is not a value of {short(board.name)}: expected 1 to {board.n_values}")
        return self.cells.literal(cell, value - 1)

    def _cell(self, names: tuple[object, ...]) -> int:
        """Return the number of a cell by its name or its coordinates."""
        board = self.puzzle.geometry
        axes = ("x", "y", "z") if board.has_axes else ("face", "row", "column")[-len(board.coordinates[0]) :]
        if isinstance(names[0], str):
            cell = board.cell_numbers.get(names[0])
        else:
            # None stands for what is not a number, such as a slice, and is in no place.
            place: tuple[Any, ...] = tuple(whole_number(name, 0) for name in names)
            cell = board.cells_by_coordinates.get(place)
        if cell is None:
            text = repr(names[0]) if len(names) == 1 else f"[{', '.join(map(repr, names))}]"
            raise FormatError(
                f"{short(text)} is not a cell of {short(board.name)}: expected a name such as "
                f"{board.cell_name(0)}, or [{', '.join(axes)}], each from 0"
            )
        return cell

    def hint(self, grid: "Grid | ArrayLike") -> None:
        """Suggest values to the solver, which tries them first; they replace an earlier hint for cells.

        Args:
            grid: values from 1 in the shape of the board or in the order of cells; 0 for no hint. They may be wrong.

        Raises:
            FormatError: not one value of the board, or 0, per cell.
        """
        board = with_hidden(self.puzzle.geometry, 0)
        values = checked_values(grid.values if isinstance(grid, Grid) else grid, board)
        numbers, truth = self.cells.numbers[: board.n_cells], values[:, None] == np.arange(1, board.n_values + 1)
        content = values if self.cells.are_integers else truth
        before, of_cells = self.model.proto.solution_hint, set(numbers.ravel().tolist())
        # OR-Tools rejects a model with two hints for one variable.
        hints = {
            number: value for number, value in zip(before.vars, before.values, strict=True) if number not in of_cells
        }
        hints |= zip(numbers[values > 0].ravel().tolist(), content[values > 0].ravel().tolist(), strict=True)
        self.model.clear_hints()  # type: ignore[no-untyped-call]
        for number, value in hints.items():
            if number >= 0:
                self.model.add_hint(self.model.get_int_var_from_proto_index(number), int(value))

    def callback(self, on_solution: Callable[[Grid], object]) -> "ortools.CpSolverSolutionCallback":
        """Return a callback for `CpSolver.solve` that calls a function with the grid of each solution.

        A grid comes again if only your own variables, or hidden cells, have other values. `model_solutions` lists
        each grid once.

        Args:
            on_solution: called with the grid; an array of it is `grid.values`, or `grid.array` in the shape of the
                board.

        >>> from ortools.sat.python.cp_model import CpSolver
        >>> from sudoku_encode import cp_model
        >>> encoded, grids, solver = cp_model("1234341221......", board="4x4"), [], CpSolver()
        >>> solver.parameters.enumerate_all_solutions, solver.parameters.num_workers = True, 1
        >>> status = solver.solve(encoded.model, encoded.callback(grids.append))
        >>> solver.status_name(status), len(grids)
        ('OPTIMAL', 1)
        """
        from ortools.sat.python.cp_model import CpSolverSolutionCallback

        model = self

        class Callback(CpSolverSolutionCallback):
            def on_solution_callback(self) -> None:
                on_solution(model.decode(self))

        return Callback()

    def decode(
        self,
        solved: "ortools.CpSolver | ortools.CpSolverSolutionCallback | CpSolverResponse | SavedResponse",
    ) -> Grid:
        """Return the grid of a solution.

        Args:
            solved: a `CpSolver` after `solve`, a solution callback while it is called, or a response, such as
                `CpSolver.response_proto` or a `CpSolverResponse` read from a file.

        Raises:
            FormatError: there is no solution in it, or one of another model.
        """
        from ortools.sat.python import cp_model

        try:
            response: Any = getattr(solved, "response_proto", solved)
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
        return Grid(board, self.decode_all(np.array([values]))[0, : board.n_cells])


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
    encoded.model.name = "\n".join(_comments(encoded))
    return encoded


def unnamed_model(puzzle: Puzzle, name: str, reduced: Reduction) -> CpModel:
    """Return the model of a reduced puzzle by a key of MODELS, without the comments that describe the puzzle."""
    low = lower_puzzle(puzzle)
    model, decode_all, numbers = MODELS[name](low.puzzle, reduced)
    cells = CellVariables(low.puzzle.geometry, model, reduced, numbers)
    if low.primitives:
        add_primitives(cells, low.primitives, reduced)
    if reduced.contradiction:
        # The model has no solution even without this clause, but a solver may need a search to find that.
        model.add_bool_or([])
    return CpModel(puzzle, name, model, len(model.proto.variables), decode_all, cells, reduced.contradiction)


def _comments(encoded: CpModel) -> Iterator[str]:
    """Yield the comments about the puzzle and about the cells without a variable."""
    board, cells = encoded.puzzle.geometry, encoded.cells
    yield from (*board_comments(board, encoded.name), *given_comments(encoded.puzzle))
    if not cells.are_integers:
        for cell in np.flatnonzero((cells.numbers < 0).all(axis=1)).tolist():
            text = values_text(cells.candidates[cell].tobytes(), board.first)
            yield f"cell {board.cell_names[cell]} = {text}"


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


# The model, `CpModel.decode_all` and `CellVariables.numbers`.
_Parts = tuple["ortools.CpModel", Callable[[Literals], Grids], NDArray[np.int64]]


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
    return model, lambda values: values[:, : board.n_cells].astype(np.uint8), np.arange(board.n_cells)


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
