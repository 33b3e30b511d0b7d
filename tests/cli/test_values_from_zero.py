"""Boards whose values begin at 0: commands read and print the values that people see, in arrays they stay 1 to n."""

import json
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode import Puzzle, board, draw, read, read_all, solve
from sudoku_encode.encoders.table import MODEL_FORMATS
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles.puzzle import violations
from tests.helpers.command import Command

# One solution.
GIVENS = "....3..0.2.4...1....2...5.1.4..3...."
SOLUTION = "245031103254054123312405521340430512"
BOARD = "6x6:0-5"
STRING = (
    ".Shape~6x6~0-5.~R1C5_3~R2C2_0~R2C4_2~R2C6_4~R3C4_1~R4C3_2~R5C1_5~R5C3_1~R5C5_4.Cage~6~R1C1~R1C2.Sum~9~R6C1~R6C4"
)


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "puzzle.iss").write_text(STRING)


def test_arrays_from_one() -> None:
    """Arrays hold 1 to n, and 0 for a blank."""
    puzzle = read(STRING)
    assert puzzle.geometry == board(BOARD)
    assert puzzle.givens[:12].tolist() == [0, 0, 0, 0, 4, 0, 0, 1, 0, 3, 0, 5]
    assert [one.text(puzzle.geometry) for one in puzzle.constraints] == ["cage 6 r1c1 r1c2", "sum 9 r6c1 r6c4"]
    grid = solve(puzzle)
    assert grid is not None
    assert str(grid) == SOLUTION
    assert grid.values.tolist() == [int(symbol) + 1 for symbol in SOLUTION]


@pytest.mark.parametrize("form", [name for name, row in TEXT_FORMATS.items() if row.boards.from_zero])
def test_text_round_trip(form: str) -> None:
    """What is written is read back as the same puzzle, with other boards before and after it."""
    others = [Puzzle(board("6x6"), [1] + 35 * [0]), Puzzle(board("latin:12x12"), [11, 12] + 142 * [0])]
    zero = Puzzle(board(BOARD), [1, 6] + 34 * [0], constraints=["cage 3 r3c1 r3c2"])
    letters = Puzzle(board("latin:12x12:0-11"), [1, 2, 12] + 141 * [0])
    if TEXT_FORMATS[form].unsupported_reason(zero.geometry):
        cube = [Puzzle(board("4x4x4:0-3"), [1, 4] + 62 * [0]), Puzzle(board("4x4x4"), [1, 4] + 62 * [0])]
        assert list(read_all("".join(write_all(cube, form)))) == cube
        return
    puzzles = [zero, *others, letters, others[0], zero]
    again = [puzzle for puzzle in read_all("".join(write_all(puzzles, form))) if isinstance(puzzle, Puzzle)]
    # A Sukaku has no givens.
    assert [puzzle.geometry for puzzle in again] == [puzzle.geometry for puzzle in puzzles]
    assert [puzzle.candidates.tolist() for puzzle in again] == [puzzle.candidates.tolist() for puzzle in puzzles]
    assert [puzzle.constraints for puzzle in again] == [puzzle.constraints for puzzle in puzzles]


@pytest.mark.parametrize("form", [name for name, row in TEXT_FORMATS.items() if not row.boards.from_zero])
def test_forms_without_zero(run: Command, form: str) -> None:
    """Other forms refuse such a board in one line."""
    ran = run("convert", GIVENS, "--board", BOARD, "--to", form)
    assert ran.status == 2
    assert f"format {form} has values from 1, so it cannot hold 6x6:0-5; these can: line, grid" in ran.err


def test_alphabets() -> None:
    """Letters may stand for the values; an alphabet that begins with 1 may not."""
    letters = GIVENS.translate(str.maketrans("012345", "ABCDEF"))
    Path("letters.txt").write_text(f"# board: {BOARD}\n# alphabet: A-F\n{letters}\n")
    assert read("letters.txt") == read(f"# board: {BOARD}\n{GIVENS}\n")
    with pytest.raises(FormatError, match="alphabet 1-6 begins with 1, and the values on 6x6:0-5 with 0; write 0-5"):
        list(read_all(GIVENS, board=BOARD, alphabet="1-6"))


def test_records(run: Command) -> None:
    """Records have the values that people see."""
    numbers = [int(symbol) for symbol in SOLUTION]
    records = {
        command: json.loads(run(*command.split(), "puzzle.iss", "--json").lines[0])
        for command in ("solve", "enumerate", "check", "candidates --counts", "sample -n 1 --seed 1", "hint")
    }
    assert records["solve"]["solution"] == records["enumerate"]["solution"] == records["check"]["solution"] == numbers
    assert records["candidates --counts"]["candidates"] == [[number] for number in numbers]
    assert records["sample -n 1 --seed 1"]["solutions"] == [numbers]
    hint = records["hint"]
    ((cell, value),) = hint["places"].items()
    assert numbers[board(BOARD).cell_number(cell)] == value[0]
    assert hint["text"].endswith(f"so {cell} is {value[0]}")
    more = json.loads(run("check", GIVENS[:-8] + 8 * ".", "--board", BOARD, "--json").lines[0])
    assert min(more["first"]) == 0
    assert all(more["towards"][board(BOARD).cell_number(name)] == value for name, value in more["extra"].items())


def test_text_for_people(run: Command) -> None:
    """Drawings, lists and sentences have them too."""
    assert "│ . 0 . │ 2 . 4 │" in run("show", "puzzle.iss").out
    assert run("solve", "puzzle.iss").lines[-1] == SOLUTION
    assert run("candidates", GIVENS[:-8] + 8 * ".", "--board", BOARD, "--counts").out.count("0: ") > 1
    assert "+4" in run("hint", "puzzle.iss", "--technique", "hidden single").out
    ran = run("count", "00..............", "--board", "4x4:0-3")
    assert ran.err.splitlines()[-1] == "no solution: r1c1 and r1c2 are peers and both hold 0"
    ran = run("count", "04..............", "--board", "4x4:0-3")
    assert "values on 4x4:0-3 go from 0 to 3" in ran.err


def test_sum_in_hint(run: Command) -> None:
    """The sets of values of a sum are those that people see."""
    out = run("hint", ".Shape~9x9~0-8.Cage~1~R5C5~R5C6").out
    assert "in `cage 1 r5c5 r5c6` the sum is 0+1, so r5c5 and r5c6 are not 2, 3, 4, 5, 6, 7 or 8" in out


def test_picture() -> None:
    """Pictures have them too."""
    puzzle = read(".Shape~4x4~0-3.~R1C1_0~R1C2_1_3")
    svg = str(draw(puzzle, "svg"))
    texts = [part.partition("<")[0] for part in svg.split('">')[1:]]
    assert [text for text in texts if text.isdigit()].count("0") == 15
    assert "4" not in texts


@pytest.mark.parametrize("form", ["cnf", "opb", "smt2", "col"])
def test_models(run: Command, form: str) -> None:
    """Comments of a model have them, the model itself 1 to n."""
    assert form in MODEL_FORMATS
    out = run("encode", GIVENS, "--board", BOARD, "--to", form).out
    assert "givens r2c1 . 0 . 2 . 4" in out
    assert "values from 0 in comments; 1 to 6 in the model" in out


@pytest.mark.parametrize("options", [[], ["--reduce", "singles"], ["--seed", "1"]])
def test_decode(run: Command, options: list[str]) -> None:
    """A model of the CNF is decoded to the values that people see."""
    from pysat.formula import CNF
    from pysat.solvers import Solver

    assert run("encode", "puzzle.iss", *options, "-o", "model.cnf").status == 0
    with Solver("cadical153", bootstrap_with=CNF(from_file="model.cnf")) as solver:
        assert solver.solve()
        Path("answer").write_text(f"s SATISFIABLE\nv {' '.join(map(str, solver.get_model() or []))} 0\n")
    assert run("decode", "model.cnf", "answer").out == f"{SOLUTION}\n"
    assert json.loads(run("decode", "model.cnf", "answer", "--json").out)["solution"] == list(map(int, SOLUTION))


def test_solutions_in_folder(run: Command) -> None:
    """A folder of solutions has them, and is read back."""
    assert run("enumerate", "0123............", "--board", "4x4:0-3", "-o", "all/").status == 0
    assert "12 solutions, all correct" in run("enumerate", "--check", "all/").out
    grids = [np.asarray(grid.givens) for grid in read_all("all/") if isinstance(grid, Puzzle)]
    assert len(grids) == 12
    assert all(grid[:4].tolist() == [1, 2, 3, 4] for grid in grids)


def test_table_with_solutions(run: Command) -> None:
    """Solutions in a table are compared as they are."""
    Path("table.csv").write_text(f"# board: {BOARD}\npuzzle,solution\n{SOLUTION[:-9]}.........,{SOLUTION}\n")
    ran = run("solve", "table.csv", "--compare", "--json")
    assert json.loads(ran.out)["compared"] == "same"


def test_certificate(run: Command) -> None:
    """A certificate is about the puzzle with values from 1; --resume knows it."""
    assert "exactly 1 solution" in run("prove", "puzzle.iss", "-o", "proof").out
    assert json.loads(Path("proof/puzzle.json").read_text())["board"] == "6x6"
    assert Path("proof/solutions.txt").read_text().split() == ["".join(str(int(one) + 1) for one in SOLUTION)]
    assert run("prove", "puzzle.iss", "-o", "proof", "--resume").status == 0


def test_explanation(run: Command) -> None:
    """Published methods have values from 1: a remark says so."""
    ran = run("explain", GIVENS, "--board", BOARD, "--method", "logic", "--json")
    assert "explained with values from 1, each 1 higher than on 6x6:0-5" in ran.err
    places = [json.loads(line) for line in ran.lines]
    texts = [one["text"] for one in places if one.get("kind") == "place"]
    assert texts
    assert not any(": 0" in text for text in texts)


def test_generated(run: Command) -> None:
    """Random constraints hold in the values that people see."""
    words = ("cage:2", "xv:1", "arrow:1", "little-killer:1", "odd:1", "thermometer:1")
    ran = run("generate", "--board", "6x6:0-5", "--seed", 3, *(part for word in words for part in ("--with", word)))
    assert ran.status == 0, ran.err
    puzzle = read(ran.out)
    grid = solve(puzzle)
    assert grid is not None
    assert list(violations(puzzle, grid.values)) == []
    for constraint in puzzle.constraints:
        if constraint.kind in ("cage", "xv", "little-killer"):
            assert sum(int(grid.values[cell]) - 1 for cell in constraint.cells[0]) == constraint.numbers[0]


def test_violations() -> None:
    """Faults of a grid name them."""
    puzzle = read(f"# board: {BOARD}\n{GIVENS}\n")
    values = [int(symbol) + 1 for symbol in SOLUTION]
    faults = list(violations(puzzle, [2, *values[1:]]))
    assert faults == [
        "r1c1 and r1c6 of one row both hold 1",
        "r1c1 and r2c1 of one column both hold 1",
        "r1c1 and r2c1 of one box both hold 1",
    ]
    assert next(violations(puzzle, [0, *values[1:]])) == "r1c1 holds ., not a value from 0 to 5"
    values[4] = 1
    assert next(violations(puzzle, values)) == "r1c5 holds 0, its given is 3"
