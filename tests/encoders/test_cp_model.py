"""CP-SAT models as their users extend them: variables by cell, hints, a callback, answers to written models."""

from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ortools.sat.python.cp_model import CpSolver, IntVar

import sudoku_encode as se
from sudoku_encode.encoders.answers import read_answer
from sudoku_encode.encoders.cp import MODELS
from sudoku_encode.encoders.table import REDUCTIONS

ONE_GIVEN = "1..............."
# All 288 grids of the 4x4, by trying all rows.
ROWS = [row for row in product((1, 2, 3, 4), repeat=4) if len(set(row)) == 4]
GRIDS = [
    rows
    for rows in product(ROWS, repeat=4)
    if all(len({row[c] for row in rows}) == 4 for c in range(4))
    and all(len({*rows[r][c : c + 2], *rows[r + 1][c : c + 2]}) == 4 for r in (0, 2) for c in (0, 2))
]


def listed(model: se.CpModel) -> list[se.Grid]:
    """Return the grids that a callback gets from a solver that lists all solutions."""
    grids, solver = list[se.Grid](), CpSolver()
    solver.parameters.enumerate_all_solutions, solver.parameters.num_workers = True, 1
    assert solver.status_name(solver.solve(model.model, model.callback(grids.append))) in ("OPTIMAL", "INFEASIBLE")
    return grids


@pytest.mark.parametrize("level", REDUCTIONS)
@pytest.mark.parametrize("name", MODELS)
def test_constraints_by_names(name: str, level: str) -> None:
    """Integers and literals of cells mean their values in both kinds of models, without more solutions."""
    model = se.cp_model(ONE_GIVEN, name, board="4x4", reduction=level)
    model.model.add(model["r1c2"] + model["r2c1"] == 6)
    model.model.add_implication(model["r1c1", 1], model["r1c3", 3])
    model.model.add_bool_or([model["r4c4", 1], ~model["r4c1", 2], model["r1c1", 3]])
    expected = [
        grid
        for grid in GRIDS
        if grid[0][0] == 1 and grid[0][1] + grid[1][0] == 6 and grid[0][2] == 3 and (grid[3][3] == 1 or grid[3][0] != 2)
    ]
    grids = [tuple(map(tuple, grid.array.tolist())) for grid in listed(model)]
    assert sorted(grids) == sorted(expected)
    assert 0 < len(expected) < 72


@pytest.mark.parametrize("name", MODELS)
def test_same_variable(name: str) -> None:
    """A cell has one integer and one literal for each value, by its name and by its coordinates."""
    model = se.cp_model(ONE_GIVEN, name, board="4x4")
    integer, literal = model["r2c3"], model["r2c3", 4]
    size = len(model.model.proto.variables)
    assert isinstance(integer, IntVar)
    assert (integer.name, literal.name) == ("r2c3", "r2c3=4")
    assert model["r2c3"].index == model[1, np.uint8(2)].index == integer.index
    assert model["r2c3", np.int64(4)].index == model[1, 2, 4].index == literal.index
    assert len(model.model.proto.variables) == size


def test_names_of_boards() -> None:
    """Names and coordinates are those of the board: a square, a cube, a surface, hidden cells, values from 0."""
    assert se.cp_model(64 * ".", "cp-sat-bool", board="4x4x4")[1, 2, 3, 4].name == "x1y2z3=4"
    assert se.cp_model(64 * ".", board="4x4x4")["x1y2z3"].name == "x1y2z3"
    surface = se.board("sudokube:2")
    assert se.cp_model(surface.n_cells * ".", board=surface)[0, 1, 0].name == "f1r2c1"
    hidden = se.cp_model(se.Puzzle.of(se.board("4x4"), constraints=["thermometer h1 r1c3"]))
    assert (hidden["h1"].name, hidden["h1", 2].name) == ("h1", "h1=2")
    from_zero = se.cp_model(16 * ".", board="4x4:0-3")
    assert from_zero["r1c1", 1].name == "r1c1=0"


@pytest.mark.parametrize("name", MODELS)
def test_decided_cell(name: str) -> None:
    """What the reduction decides is a constant, which constraints take."""
    model = se.cp_model("1234341221......", name, board="4x4", reduction="singles")
    grid = list(map(int, "1234341221434321"))
    for (row, column), value in zip(np.ndindex(4, 4), grid, strict=True):
        literals = [model[row, column, other] for other in range(1, 5)]
        domains = [list(model.model.proto.variables[literal.index].domain) for literal in literals]
        assert domains == [[int(other == value)] * 2 for other in range(1, 5)]
        assert list(model.model.proto.variables[model[row, column].index].domain) == [value, value]
    model.model.add_bool_or([~model["r1c1", 1], model["r1c1", 2]])
    assert listed(model) == []


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(
    ("board", "place", "said"),
    [
        ("4x4", "r5c1", "'r5c1' is not a cell of 4x4: expected a name such as r1c1, or [row, column], each from 0"),
        ("4x4", "h1", "'h1' is not a cell of 4x4"),
        ("4x4", 0, "0 is not a cell of 4x4"),
        ("4x4", (), "() is not a cell of 4x4"),
        ("4x4", (0, 0.5), "[0, 0.5] is not a cell of 4x4"),
        ("4x4", (slice(2), 0), "[slice(None, 2, None), 0] is not a cell of 4x4"),
        ("4x4", (-1, 0), "[-1, 0] is not a cell of 4x4"),
        ("4x4", (4, 0, 1), "[4, 0] is not a cell of 4x4"),
        ("4x4", (True, 0), "[True, 0] is not a cell of 4x4"),
        ("4x4", (0, 0, 0), "0 is not a value of 4x4: expected 1 to 4"),
        ("4x4", ("r1c1", 5), "5 is not a value of 4x4: expected 1 to 4"),
        ("4x4", ("r1c1", True), "True is not a value of 4x4"),
        ("4x4", (0, 0, 1, 2), "1, 2 is not a value of 4x4"),
        ("4x4x4", (0, 0), "[0, 0] is not a cell of 4x4x4: expected a name such as x0y0z0, or [x, y, z]"),
        (
            "sudokube:2",
            (0, 0),
            "[0, 0] is not a cell of sudokube:2: expected a name such as f1r1c1, or [face, row, col",
        ),
    ],
)
def test_unknown_variable(name: str, board: str, place: Any, said: str) -> None:
    """A place that is not on the board is refused with what would be one."""
    with pytest.raises(se.FormatError) as refused:
        se.cp_model(se.Puzzle.of(se.board(board)), name)[place]
    assert str(refused.value).startswith(said)


@pytest.mark.parametrize("name", MODELS)
def test_hint(name: str) -> None:
    """A solver without a search returns the grid that was hinted last, and a hint for another variable stays."""
    first, second = (se.Grid(se.board("4x4"), np.array(grid, np.uint8).ravel()) for grid in (GRIDS[0], GRIDS[-1]))
    for hinted in (first, second.array, second.values.tolist()):
        model = se.cp_model(16 * ".", name, board="4x4")
        own = model.model.new_int_var(0, 9, "own")
        model.model.add_hint(own, 7)
        model.hint(first)
        model.hint(hinted)
        solver = CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.fix_variables_to_their_hinted_value = True
        assert solver.status_name(solver.solve(model.model)) == "OPTIMAL"
        assert np.array_equal(
            np.ravel(hinted.values if isinstance(hinted, se.Grid) else hinted), model.decode(solver).values
        )
        assert solver.value(own) == 7


@pytest.mark.parametrize("name", MODELS)
def test_part_of_a_hint(name: str) -> None:
    """Blanks of a hint, and cells without a variable, get none."""
    model = se.cp_model("1234............", name, board="4x4", reduction="singles")
    model.hint([1, 2, 0, 0, 3, 4, *10 * [0]])
    hint = model.model.proto.solution_hint
    hints = {
        model.model.proto.variables[number].name: value for number, value in zip(hint.vars, hint.values, strict=True)
    }
    if name == "cp-sat":
        assert hints == {"r1c1": 1, "r1c2": 2, "r2c1": 3, "r2c2": 4}
    else:
        assert hints == {"r2c1=3": 1, "r2c1=4": 0, "r2c2=3": 0, "r2c2=4": 1}
    for wrong in (
        [1, 2],
        np.ones((2, 8), int),
        16 * "1",
        16 * [5],
        se.Grid(se.board("2x2"), np.array([1, 2, 2, 1], np.uint8)),
    ):
        with pytest.raises(se.FormatError):
            model.hint(wrong)


@pytest.mark.parametrize("board", ["4x4", "4x4:0-3"])
@pytest.mark.parametrize("name", MODELS)
def test_answers_to_extended_models(name: str, board: str, tmp_path: Path) -> None:
    """The answer to a written model decodes, also if the model has more variables that are named after cells."""
    puzzle = se.Puzzle.of(se.board(board), constraints=["either odd r1c2 | even r2c3"])
    model, solver = se.cp_model(puzzle, name), CpSolver()
    model.model.add(model["r1c1"] + model["r2c2"] == 7)
    model.model.add_bool_or([model["r4c4", 1]])
    solver.solve(model.model)
    (tmp_path / "answer").write_text(str(solver.response_proto))
    assert model.model.export_to_file(str(tmp_path / "model.pbtxt"))
    answer = read_answer(str(tmp_path / "model.pbtxt"), str(tmp_path / "answer"))
    ((grid, faults, _),) = answer.models
    assert (grid.tolist(), faults) == (model.decode(solver).values.tolist(), [])
