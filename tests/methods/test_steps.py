"""What holds for the steps of every method that shows its working."""

import json

import numpy as np
import pytest
from hypothesis import assume, given, settings

from sudoku_encode.methods import calls
from sudoku_encode.methods.descriptions import DESCRIPTIONS
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.dead_ends import clash_step, dead_end
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Step, proves_none
from sudoku_encode.run.limits import Deadline
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES, known
from tests.helpers.method_steps import said
from tests.helpers.puzzles import puzzles

SOLVABLE = ("small/4x4-four-givens.txt", "papers/uhbpnp-fig-1.txt")
PUZZLES = (*SOLVABLE, "small/4x4-none.txt")
NO_SOLUTION = ("small/4x4-none.txt", "small/4x4-no-candidate.txt", "small/6x6-none.txt", "small/4x4x4-none.txt")
EXPLAINED = [
    (method, name)
    for method, row in METHODS.items()
    for name in PUZZLES
    if row.explains and row.installed and not row.unsupported_reason(known(name).puzzle.geometry)
]
# Model 2 is stuck on that one and knows of no contradiction; the nine loops as printed take half a minute.
WITHOUT = [
    (method, name)
    for method, row in METHODS.items()
    for name in NO_SOLUTION
    if row.explains
    and row.installed
    and (method, name) != ("block-world-2", "small/6x6-none.txt")
    and row.choices.get("check") != "innermost"
    and not row.unsupported_reason(known(name).puzzle.geometry)
]


def steps(method: str, puzzle: Puzzle) -> list[Step]:
    """The steps of a method, to its end."""
    row = METHODS[method]
    return list(row.functions.explain(puzzle, Deadline(), **row.arguments))


@pytest.mark.parametrize(("method", "name"), EXPLAINED)
def test_steps_are_data(method: str, name: str) -> None:
    """Steps are data for programs and end with an end."""
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


def test_descriptions() -> None:
    """Each method that explains has two sentences about it, and no other."""
    assert {name for name, row in METHODS.items() if row.explains} == DESCRIPTIONS.keys()
    for name, text in DESCRIPTIONS.items():
        assert METHODS[name].about == text
        does, _, boards = text.partition(". It works on ")
        assert does
        assert boards.endswith(".")


@pytest.mark.parametrize("method", sorted({method for method, _ in EXPLAINED}))
def test_clash_only(method: str) -> None:
    """A clash is the only step and names all cells that clash."""
    puzzle = Puzzle.of(board("4x4"), [1, 1, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 0, 0])
    (step,) = calls.explain(puzzle, method)
    assert (step.kind, step.because, step.data) == ("end", (0, 1, 6, 10), {"solutions": 0, "complete": True})
    assert str(step) == (
        "no solution: the givens clash: r1c1 and r1c2 both hold 1 (row 1, box 1); r2c3 and r3c3 both hold 2 (column 3)"
    )


def test_unsolvable_board() -> None:
    """A board without a solution is the only step."""
    (step,) = calls.explain(Puzzle.of(board("4x4x4:literal")), "brute-force")
    assert (str(step)[:13], len(step.because)) == ("no solution: ", 16)


@pytest.mark.parametrize(("method", "name"), WITHOUT)
def test_proof_cells(method: str, name: str) -> None:
    """That there is no solution is said with cells that show it."""
    puzzle = known(name).puzzle
    *_, end = calls.explain(puzzle, method)

    assert str(end).startswith("no solution")
    assert proves_none(end)
    assert end.because


@pytest.mark.parametrize(("method", "name"), [(method, name) for method, name in EXPLAINED if name in SOLVABLE])
def test_never_false_proof(method: str, name: str) -> None:
    """That there is none is never said of a puzzle that has one."""
    assert not proves_none(steps(method, known(name).puzzle)[-1])


@given(puzzle=puzzles(["4x4", "6x6"], most_open=0.8))
@settings(derandomize=True, max_examples=200, deadline=None)
def test_dead_ends(puzzle: Puzzle) -> None:
    """A dead end is seen only where there is no solution."""
    assume(clash_step(puzzle) is None)
    n = puzzle.geometry.n_values
    left = puzzle.candidates.copy()
    for cell in np.flatnonzero(puzzle.givens).tolist():
        left[puzzle.geometry.peers[cell], puzzle.givens[cell] - 1] = False
    text, cells = dead_end(puzzle.geometry, left)

    assert bool(text) == bool(cells)
    assert not text or calls.count(puzzle, "search").value == 0
    # An empty cell is the plainest of them.
    empty = [cell for cell in range(n * n) if not left[cell].any()]
    assert not empty or cells[0] == empty[0]


@pytest.mark.parametrize(
    ("name", "method", "status", "word"),
    [
        ("small/9x9-clash.txt", "logic", 1, "no solution"),
        ("small/4x4-none.txt", "norvig2006", 1, "no solution"),
        ("small/4x4x4-none.txt", "jana2021", 1, "no solution"),
        ("papers/uhbpnp-fig-1.txt", "logic", 0, "shown"),
        ("papers/block-world-fig-1.opensudoku", "block-world-4", 0, "shown"),
    ],
)
def test_negative_answer(name: str, method: str, status: int, word: str, run: Command) -> None:
    """No solution is a negative answer."""
    plain, ran = (run("explain", INSTANCES / name, "--method", method, *more) for more in ((), ("--json",)))
    *_, last, record = map(json.loads, ran.lines)

    assert (plain.status, ran.status, record["status"]) == (status, status, word)
    assert (record["reason"] is not None) == (word == "no solution")
    assert last["kind"] == "end"
    assert plain.lines[-1] == last["text"]


def test_brute_force_replayed() -> None:
    """The first moves of brute force name their cells and can be replayed."""
    puzzle = known("papers/gtsps-fig-4.9.sdk").puzzle
    found = steps("brute-force", puzzle)
    grid, moves = puzzle.givens.tolist(), [step for step in found if step.rule]
    for step in moves:
        for cell, value in step.removes:
            assert grid[cell] == value
            grid[cell] = 0
        for cell, value in step.places:
            assert not any(grid[peer] == value for peer in puzzle.geometry.peers[cell])
            grid[cell] = value

    assert len([step for step in moves if step.text]) == 30
    assert len(moves) > 400
    (first,) = (step for step in found if step.kind == "grid")
    assert grid == first.data["grid"]
    assert {step.kind for step in moves} == {"guess", "undo"}


def test_norvig_replayed() -> None:
    """The guesses of Norvig and their contradictions can be replayed."""
    puzzle = known("papers/inkala/escargot.txt").puzzle
    shown = steps("norvig2006", puzzle)
    stack: list[tuple[int, int]] = []
    for step in shown:
        for pair in reversed(step.removes):
            assert stack.pop() == pair
        stack.extend(step.places)
        assert (step.kind == "undo") <= bool(step.because)

    (first,) = (step for step in shown if step.kind == "grid")
    assert all(first.data["grid"][cell] == value for cell, value in stack)
    assert any(step.kind == "undo" for step in shown)


def test_first_of_many_steps() -> None:
    """Where there are many steps the first are printed."""
    found = steps("uhbpnp-tables", known("papers/gtsps-fig-4.9.sdk").puzzle)
    assert len(found) > 1000
    assert len(said(found)) < 320
    assert str(found[-1]) == "127 solutions"


@pytest.mark.parametrize(
    ("name", "method"),
    [("4x4", "logic"), ("4x4x4", "jana2023-v1"), ("latin:4x4x4", "logic"), ("corner:4", "logic")],
)
def test_default_method(name: str, method: str) -> None:
    """The method that is chosen suits the board."""
    assert calls.default_explainer(board(name)) == method


def test_rows_of_cube() -> None:
    """Rows alone of a cube are shown by logic."""
    assert calls.default_explainer(board("4x4x4").with_rules(["row-x"])) == "logic"
