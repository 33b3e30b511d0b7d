"""What holds for the steps of every method that shows its working."""

import json

import pytest
from known import known
from steps import said

from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Step
from sudoku_encode.run.limits import Deadline

PUZZLES = ("small/4x4-four-givens.txt", "small/4x4-none.txt", "small/9x9-clash.txt", "papers/uhbpnp-fig-1.txt")
EXPLAINED = [
    (method, name)
    for method, row in METHODS.items()
    for name in PUZZLES
    if row.explains and row.installed and not row.unsupported_reason(known(name).puzzle.geometry)
]


def steps(method: str, puzzle: Puzzle) -> list[Step]:
    """The steps of a method, to its end."""
    row = METHODS[method]
    return list(row.functions.explain(puzzle, Deadline(), **row.arguments))


@pytest.mark.parametrize(("method", "name"), EXPLAINED)
def test_steps_are_data_for_programs_and_end_with_an_end(method: str, name: str) -> None:
    puzzle = known(name).puzzle
    found = steps(method, puzzle)

    assert found[-1].kind == "end"
    assert said(found)
    for step in found:
        record = json.loads(json.dumps(step.record(puzzle.geometry)))
        assert record["text"] == step.text
        assert all(0 <= cell < puzzle.geometry.n_cells for cell in step.because)
        assert all(1 <= value <= puzzle.geometry.n_values for _, value in step.places + step.removes)
    grids = [step.data["grid"] for step in found if "grid" in step.data]
    assert all(len(grid) == puzzle.geometry.n_cells for grid in grids)


@pytest.mark.parametrize("method", sorted({method for method, _ in EXPLAINED}))
def test_a_clash_is_the_reason_of_the_first_step(method: str) -> None:
    puzzle = known("small/9x9-clash.txt").puzzle
    first = steps(method, puzzle)[0]
    assert first.because == puzzle.clash or method == "frontier"
