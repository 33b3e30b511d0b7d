"""WCNF: RC2 keeps as many givens as any grid of the board does, in both formats and all encodings."""

from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from pysat.examples.rc2 import RC2
from pysat.formula import WCNF

import sudoku_encode as se
from sudoku_encode.encoders.answers import read_answer
from sudoku_encode.encoders.encoding import unsupported_reason
from sudoku_encode.encoders.model_files import ModelOptions, save_model, save_models
from sudoku_encode.encoders.table import ENCODINGS, MODEL_FORMATS
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command
from tests.helpers.form_cases import on_named_boards
from tests.helpers.plain_search import by_hand

FORMS = [name for name in MODEL_FORMATS if name.startswith("wcnf")]
BOARDS: dict[str, tuple[str, ...]] = {
    "4x4": (),
    "latin:2x3": (),
    "jigsaw:1112122233343444": (),
    "4x4x4": (),
    "4x4 ": ("cage 5 r1c1 r1c2", "odd r2c2", "thermometer r4c1 r4c2"),
}


@cache
def grids(board: str) -> list[tuple[int, ...]]:
    """All grids of a board and its constraints."""
    empty = Puzzle.of(se.board(board.strip()), constraints=BOARDS[board])
    return [grid for grid in by_hand(empty) if not any(placed.violated(grid) for placed in empty.placed)]


def clashing(board: str, n: int) -> Iterator[Puzzle]:
    """Yield puzzles with random givens, most of which clash, and pencilmarks that say nothing of the given cells."""
    rng = np.random.default_rng(11)
    geometry = se.board(board.strip())
    for _ in range(n):
        givens = rng.integers(1, geometry.n_values + 1, geometry.n_cells)
        givens *= rng.random(geometry.n_cells) < rng.random()
        marks = np.ones((geometry.n_cells, geometry.n_values), bool)
        marks[givens > 0] = False
        yield Puzzle.of(geometry, givens, pencilmarks=marks, constraints=BOARDS[board])


def fewest_dropped(puzzle: Puzzle, board: str) -> int:
    """Return the fewest givens that a grid breaks, of all grids."""
    return min(
        sum(given not in (0, value) for given, value in zip(puzzle.givens, grid, strict=True)) for grid in grids(board)
    )


def printed(path: Path, as_digits: bool) -> str:
    """Return the answer of RC2 as a solver of the evaluations prints it."""
    with RC2(WCNF(from_file=str(path))) as solver:
        model = solver.compute()
        if model is None:
            return "s UNSATISFIABLE\n"
        values = "".join("01"[literal > 0] for literal in model) if as_digits else " ".join(map(str, [*model, 0]))
        return f"o {solver.cost}\ns OPTIMUM FOUND\nv {values}\n"


@pytest.mark.parametrize("board", BOARDS)
def test_fewest_dropped(board: str, tmp_path: Path) -> None:
    """RC2 drops as few givens as a search through all grids, and the answer names them."""
    geometry = se.board(board.strip())
    encodings = [name for name in ENCODINGS if not unsupported_reason(name, geometry)]
    if BOARDS[board]:
        encodings = [name for name in encodings if ENCODINGS[name].kind == "direct" and name != "triads"]
    puzzles, dropped = list(clashing(board, 12)), list[int]()
    for number, (puzzle, (form, encoding)) in enumerate(zip(puzzles, [*product(FORMS, encodings)] * 12, strict=False)):
        path, output = tmp_path / f"{number}.wcnf", tmp_path / f"{number}.out"
        save_model(puzzle, path, form, ModelOptions(encoding))
        output.write_text(printed(path, number % 3 == 0), encoding="ascii")
        answer = read_answer(str(path), str(output))
        ((grid, faults, cells),) = answer.models
        wrong = [
            cell for cell, (given, value) in enumerate(zip(puzzle.givens, grid, strict=True)) if given not in (0, value)
        ]
        assert (answer.is_optimal, faults, cells) == (True, [], tuple(wrong))
        assert tuple(grid.tolist()) in grids(board)
        dropped.append(len(wrong))
    assert dropped == [fewest_dropped(puzzle, board) for puzzle in puzzles]
    assert max(dropped) > 1


def test_puzzles_on_all_boards(tmp_path: Path) -> None:
    """RC2 drops no given of a puzzle with a solution, and one given of each other puzzle."""
    dropped = []
    for number, (name, puzzle, solutions) in enumerate(on_named_boards()):
        path, output = tmp_path / f"{number}.wcnf", tmp_path / f"{number}.out"
        save_model(puzzle, path, FORMS[number % len(FORMS)])
        output.write_text(printed(path, number % 3 == 0), encoding="ascii")
        answer = read_answer(str(path), str(output))
        ((grid, faults, cells),) = answer.models
        assert (answer.is_optimal, faults, bool(cells)) == (True, [], not solutions), name
        assert cells or tuple(grid.tolist()) in solutions, name
        dropped += [len(cells or ())] * (not solutions)
    assert dropped == [1] * len(dropped) != []


def test_dropped_in_clash(tmp_path: Path, run: Command) -> None:
    """The dropped givens are named, and one of them is in the smallest clash that `check` finds."""
    givens = "11" + "0" * 6 + "4" + "0" * 7
    path, output = tmp_path / "a.wcnf", tmp_path / "out"
    assert run("encode", givens, "--board", "4x4", "-o", path).err == (
        f"{path}: extended, 64 variables, 387 clauses; 3 of the clauses are soft, the givens\n"
    )
    output.write_text(printed(path, as_digits=True), encoding="ascii")
    ended = run("decode", path, output)
    (cell,) = {"r1c1", "r1c2"} & set(ended.err.replace("=", " ").split())
    said = f"1 of 3 givens dropped: {cell}=1; the solver reports that no solution drops fewer\n"
    assert (ended.status, ended.err, len(ended.out)) == (0, said, 17)
    assert f'"dropped": ["{cell}"], "fewest": true' in run("decode", path, output, "--json").out
    verdict = se.check(givens, board="4x4")
    assert isinstance(verdict, se.NoSolution)
    assert cell in {verdict.puzzle.geometry.cell_name(number) for number in verdict.clash}
    output.write_text(output.read_text(encoding="ascii").replace("OPTIMUM FOUND", "SATISFIABLE"), encoding="ascii")
    assert "the solver does not report that no solution drops fewer" in run("decode", path, output).err


def test_no_solution_without_givens(tmp_path: Path) -> None:
    """A board that has no solution by itself has none without its givens."""
    path, output = tmp_path / "a.wcnf", tmp_path / "out"
    save_model(Puzzle.of(se.board("4x4"), constraints=["cage 3 r1c1 r1c2", "cage 3 r1c3 r1c4"]), path)
    output.write_text(printed(path, as_digits=False), encoding="ascii")
    answer = read_answer(str(path), str(output))
    assert (answer.claim, answer.n_models) == (False, 0)


@pytest.mark.parametrize(("form", "hard"), [("wcnf", "h"), ("wcnf-old", "3")])
def test_text(form: str, hard: str, tmp_path: Path) -> None:
    """The clauses of a 2x2 with two equal givens, of which a header counts all, are exactly these."""
    path = tmp_path / "a.wcnf"
    list(save_models([Puzzle.of(se.board("2x2"), [1, 1, 0, 0])], [str(path)], form, ModelOptions("minimal")))
    lines = [line for line in path.read_text(encoding="ascii").splitlines() if line[0] != "c"]
    header = ["p wcnf 8 14 3"] * (form == "wcnf-old")
    pairs = ["-1 -3", "-2 -4", "-5 -7", "-6 -8", "-1 -5", "-2 -6", "-3 -7", "-4 -8"]
    clauses = ["1 2", "3 4", "5 6", "7 8", *pairs]
    assert lines[: len(header)] == header
    assert sorted(lines[len(header) :]) == sorted([*(f"{hard} {clause} 0" for clause in clauses), "1 1 0", "1 3 0"])


def test_no_reduction(tmp_path: Path) -> None:
    """Givens that may be dropped cannot simplify the puzzle."""
    with pytest.raises(MethodError, match="model format wcnf takes no option reduce"):
        save_model(Puzzle.of(se.board("4x4")), tmp_path / "a.wcnf", options=ModelOptions(reduction="singles"))
    assert list(tmp_path.iterdir()) == []
