"""All solutions of CP-SAT models with constraints, variables and objectives of a user."""

from typing import Any

import numpy as np
import pytest

import sudoku_encode as se

N127 = "051009483090008060060010702605001200000204000002700005000002070020100050478500020"


@pytest.mark.parametrize("name", ["cp-sat", "cp-sat-bool"])
def test_solutions_of_a_model(name: str) -> None:
    """They are the solutions of the puzzle that satisfy the user's constraint, each once, whatever else varies."""
    model = se.cp_model(N127, name)
    model.model.add(model["r1c1"] > model["r1c5"])
    model.model.new_bool_var("free")
    grids = np.asarray(se.model_solutions(model))
    expected = [grid.values.tolist() for grid in se.solutions(N127) if grid[0, 0] > grid[0, 4]]
    assert sorted(grids.tolist()) == sorted(expected)
    assert 0 < len(expected) < 127


def test_hidden_cells_of_a_model() -> None:
    """Grids that differ in hidden cells alone come once, and have no hidden cells."""
    puzzle = se.Puzzle.of(se.board("4x4"), constraints=["thermometer h1 r1c3"])
    assert np.asarray(se.model_solutions(se.cp_model(puzzle))).shape == (se.count(puzzle).exact, 16)


@pytest.mark.parametrize("name", ["cp-sat", "cp-sat-bool"])
@pytest.mark.parametrize("workers", [1, 2])
def test_objective_of_a_model(name: str, workers: int) -> None:
    """With an objective the last grid is the best of all solutions, which are listed by other code."""
    model = se.cp_model(N127, name)
    cells = ["r1c1", "r3c4", "r5c5", "r7c7"]
    model.model.maximize(sum(model[cell] for cell in cells))
    *_, best = se.model_solutions(model, workers=workers)
    numbers = [se.board("9x9").cell_number(cell) for cell in cells]
    assert best.values[numbers].sum() == max(int(grid.values[numbers].sum()) for grid in se.solutions(N127, "search"))


def test_model_without_solutions() -> None:
    """A constraint that leaves no solution ends the iteration at once."""
    model = se.cp_model(N127)
    model.model.add(model["r1c1"] + model["r1c5"] > 18)
    assert list(se.model_solutions(model)) == []


def test_limits_of_a_model() -> None:
    """A limit ends the iteration with an error, so that its end alone means all solutions."""
    model = se.cp_model("." * 16, board="4x4")
    for limit in (1, 287, 288):
        listed = se.model_solutions(model, limit=limit)
        assert len([next(listed) for _ in range(limit)]) == limit
        with pytest.raises(se.StoppedError, match=f"limit of {limit}"):
            next(listed)
    assert len(list(se.model_solutions(model, limit=289))) == 288
    with pytest.raises(se.StoppedError, match="time limit"):
        list(se.model_solutions(se.cp_model("." * 81), timeout=0.3))


@pytest.mark.parametrize(
    ("named", "said"),
    [
        ({"workers": 0}, "workers=0: it must be at least 1"),
        ({"workers": 2}, "workers has no effect without an objective or a limit of 1"),
        ({"memory": "1G"}, "a limit on memory has no effect on a model"),
    ],
)
def test_refused_options_of_a_model(named: dict[str, Any], said: str) -> None:
    """An option that would be ignored is refused."""
    with pytest.raises(se.MethodError, match=said):
        se.model_solutions(se.cp_model("." * 16, board="4x4"), **named)


def test_refused_models() -> None:
    """A puzzle, and a model that CP-SAT rejects, are refused."""
    with pytest.raises(se.MethodError, match="expected a model from cp_model"):
        se.model_solutions("." * 16)  # type: ignore[arg-type]
    model = se.cp_model("." * 16, board="4x4")
    model.model.add_hint(model["r1c1"], 1)
    model.model.add_hint(model["r1c1"], 2)
    with pytest.raises(se.SudokuError, match="CP-SAT rejects the model: The solution hint contains duplicate"):
        se.model_solutions(model)
