"""CP-SAT models: integers that are all different, or Booleans of which exactly one is true.

With reduction `none` they share no code with the CNF encoders: then an equal count is evidence.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from sudoku_encode.encoders.encoding import CpModel
from sudoku_encode.encoders.reduction import Reduction, reduce
from sudoku_encode.errors import MethodError, SudokuError
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.puzzle import Grids, Puzzle


def encode(puzzle: Puzzle, name: str = "cp-sat", reduction: str = "singles") -> CpModel:
    """Return the CP-SAT model of a puzzle.

    Args:
        puzzle: any board.
        name: `cp-sat`, an integer per cell and AllDifferent per unit; or `cp-sat-bool`, a Boolean per candidate,
            exactly one per cell and per value in a full unit, at most one per value in any other.
        reduction: a key of `reduction.LEVELS`. With `none` the givens are the only thing fixed.

    Raises:
        MethodError: an unknown name.
    """
    if name not in MODELS:
        raise MethodError(f"no CP-SAT model is called {name!r}; choose from {', '.join(MODELS)}")
    if reduction == "none":
        left = Reduction(puzzle.candidates, np.zeros(puzzle.geometry.n_cells, bool))
    else:
        left = reduce(puzzle, reduction)
    model, decode = MODELS[name](puzzle, left)
    return CpModel(puzzle, name, model, decode, left.contradiction)


def exported(encoded: CpModel, *, as_text: bool) -> bytes:
    """Return the model as a protocol buffer, as text or binary.

    Raises:
        SudokuError: there is no room for it in the system's folder for temporary files.
    """
    with TemporaryDirectory() as folder:
        # OR-Tools writes files only, and text if the name ends so.
        file = Path(folder) / ("model.pbtxt" if as_text else "model.pb")
        if not encoded.model.export_to_file(str(file)):
            raise SudokuError(f"no CP-SAT model can be written to {folder}, a temporary folder")
        return file.read_bytes()


def _integers(puzzle: Puzzle, left: Reduction) -> tuple[Any, Callable[[Literals], Grids]]:
    from ortools.sat.python import cp_model

    board, model = puzzle.geometry, cp_model.CpModel()
    if not left.candidates.any(axis=1).all():
        # A variable may not have an empty domain; a disjunction of nothing is false.
        model.add_bool_or([])
        left = Reduction(left.candidates | ~left.candidates.any(axis=1, keepdims=True), left.decided)
    cells = [
        model.new_int_var_from_domain(
            cp_model.Domain.from_values((np.flatnonzero(allowed) + 1).tolist()), board.cell_name(cell)
        )
        for cell, allowed in enumerate(left.candidates)
    ]
    for rule in board.rules:
        for unit in rule.units.tolist():
            model.add_all_different([cells[cell] for cell in unit])
    return model, lambda values: values.astype(np.uint8)


def _booleans(puzzle: Puzzle, left: Reduction) -> tuple[Any, Callable[[Literals], Grids]]:
    from ortools.sat.python import cp_model

    board, model = puzzle.geometry, cp_model.CpModel()
    cells, values = np.nonzero(left.candidates & ~left.decided[:, None])
    # Which Boolean says that a cell holds a value, -1 where none does.
    x = np.full(left.candidates.shape, -1)
    x[cells, values] = np.arange(len(cells))
    x0 = [
        model.new_bool_var(f"{board.cell_name(cell)}={value + 1}")
        for cell, value in zip(cells.tolist(), values.tolist(), strict=True)
    ]
    for row in x[~left.decided].tolist():
        model.add_exactly_one([x0[number] for number in row if number >= 0])
    for rule in board.rules:
        full = rule.units.shape[1] == board.n_values
        placed = (left.candidates & left.decided[:, None])[rule.units].any(axis=1).ravel()
        sets = x[rule.units].transpose(0, 2, 1).reshape(-1, rule.units.shape[1])
        for row in sets[~placed].tolist():
            members = [x0[number] for number in row if number >= 0]
            if full:
                model.add_exactly_one(members)
            else:
                model.add_at_most_one(members)

    def decode(found: Literals) -> Grids:
        holds = np.broadcast_to(left.candidates & left.decided[:, None], (len(found), *x.shape)).copy()
        holds[:, cells, values] = found[:, : len(cells)] > 0
        grids: Grids = (holds.argmax(axis=2) + 1).astype(np.uint8)
        return grids

    return model, decode


MODELS = {"cp-sat": _integers, "cp-sat-bool": _booleans}
