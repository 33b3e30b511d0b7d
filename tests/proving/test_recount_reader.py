"""Certificates of counts, read by a checker that was written from their page alone, and forged ones."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sudoku_encode as se
from sudoku_encode.errors import SudokuError
from tests.helpers import certificate_reader, count_reader
from tests.helpers.constraint_cases import CASES, Case
from tests.helpers.forged_certificates import Files, written
from tests.helpers.puzzles import opened

MARKS_4 = [[(cell // 4 + 2 * cell) % 4 != v for v in range(4)] for cell in range(16)]

# Boards of all kinds, with the numbers of their solutions where these are known.
PUZZLES: dict[str, tuple[Callable[[], se.Puzzle], int | None]] = {
    "4x4": (lambda: se.Puzzle.of(se.board("4x4")), 288),
    "4x4 with givens": (lambda: se.Puzzle.of(se.board("4x4"), [1, *[0] * 13, 3, 4]), None),
    "4x4 with two equal givens": (lambda: se.Puzzle.of(se.board("4x4"), [1, 1, *[0] * 14]), 0),
    "4x4 with pencilmarks": (lambda: se.Puzzle.of(se.board("4x4"), None, MARKS_4), None),
    "6x6": (lambda: se.Puzzle.of(se.board("6x6")), 28_200_960),
    "diagonals": (lambda: se.Puzzle.of(se.board("4x4+diagonals")), 48),
    "jigsaw": (lambda: se.Puzzle.of(se.board("jigsaw:aaabacbbccbdcddd")), 24),
    "Latin square": (lambda: se.Puzzle.of(se.board("latin:6x6")), 812_851_200),
    "Latin rectangle": (lambda: se.Puzzle.of(se.board("latin:2x5")), 120 * 44),
    "cube": (lambda: se.Puzzle.of(se.board("4x4x4")), 768),
    "cube of one rule": (lambda: se.Puzzle.of(se.board("4x4x4", ["row-x"])), 24**16),
    "overlap": (lambda: se.Puzzle.of(se.board("4x4@0,0;2,2")), 3_456),
    "overlap with givens": (lambda: opened("twodoku"), None),
    "corner": (lambda: se.Puzzle.of(se.board("corner:2")), 48),
    "sudokube": (lambda: se.Puzzle.of(se.board("sudokube:2")), 185_794_560),
    "isodoku": (lambda: se.Puzzle.of(se.board("isodoku:2110")), 16_785_408),
}

# For each kind of primitives some kinds of constraints.
KINDS = {
    "unit": ("cage", "anti-knight", "diagonal", "extra-region"),
    "allowed": ("odd", "values", "counting-circles", "look-and-say"),
    "clause": ("quadruple", "numbered-room", "row-indexer", "negative-row-indexer", "slingshot", "either"),
    "relation": ("thermometer", "difference", "clone", "non-consecutive", "relation", "exactly-one"),
    "sum": ("sum", "arrow", "double-arrow", "weighted-sum"),
    "equal": ("equal-sums", "zipper", "region-sums"),
    "sequences": ("sandwich", "renban", "sum-loop", "regex", "automaton", "same-values"),
}
# Clauses that always hold, and sequences of which none exists.
SPECIAL = [CASES["numbered-room"][1], CASES["weighted-sum"][-1], CASES["regex"][-1]]
CONSTRAINED = [*(CASES[kind][0] for kinds in KINDS.values() for kind in kinds), *SPECIAL]


def prove(puzzle: se.Puzzle, folder: Path) -> Files:
    se.prove(puzzle, folder, count=True)
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("name", PUZZLES)
def test_boards(name: str, tmp_path: Path) -> None:
    """The counts of boards of all kinds are accepted."""
    make, number = PUZZLES[name]
    puzzle = make()
    prove(puzzle, tmp_path)
    right = se.count(puzzle).value if number is None else number
    assert count_reader.check(tmp_path) == se.check_certificate(tmp_path).count == right


def on_board(case: Case) -> se.Puzzle:
    """Return the constraints of a case on a board with a name: two cells of a column differ."""
    rows, columns = (max(2, int(side)) for side in case[0].split("x"))
    board = case[0] if case[0] == "4x4" else f"latin:{rows}x{columns}:{max(rows, columns, case[1])}"
    rules = None if case[0] == "4x4" else ["column"]
    return se.Puzzle.of(se.board(board, rules), constraints=case[2])


@pytest.mark.parametrize("case", CONSTRAINED, ids=lambda case: case[2][0])
def test_constraints(case: Case, tmp_path: Path) -> None:
    """The counts of puzzles with constraints are accepted."""
    puzzle = on_board(case)
    prove(puzzle, tmp_path)
    assert count_reader.check(tmp_path) == se.count(puzzle, "search").value


# States of several automata in one record, and classes of values that merge.
def test_all_primitives(tmp_path: Path) -> None:
    """The count of a puzzle with constraints of each kind is accepted."""
    lines = ["cage 5 r1c1 r2c2", "odd r4c4", "thermometer r1c3 r2c4", "equal-sums r1c4 r2c3 / r3c2 r4c1"]
    puzzle = se.Puzzle.of(se.board("4x4", ["row", "column"]), constraints=[*lines, "sandwich <=3 r3c1-r3c4"])
    prove(puzzle, tmp_path)
    assert count_reader.check(tmp_path) == se.count(puzzle, "cp-sat").value > 0


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Files]:
    """Folders of a square with givens, of one with symmetries, and of one with a constraint."""
    square = se.Puzzle.of(se.board("4x4"), [1, *[0] * 15])
    puzzles = {"givens": square, "symmetries": se.Puzzle.of(se.board("latin:6x6"))}
    puzzles["constraint"] = se.Puzzle.of(se.board("4x4"), constraints=["thermometer r1c1-r1c3"])
    return {name: prove(puzzle, tmp_path_factory.mktemp(name)) for name, puzzle in puzzles.items()}


def with_count(change: Callable[[dict[str, Any]], object]) -> Callable[[Files], None]:
    """Return a change of the object in count.json."""

    def changed(files: Files) -> None:
        data = json.loads(files["count.json"])
        change(data)
        files["count.json"] = json.dumps(data).encode()

    return changed


def with_text(name: str, old: bytes, new: bytes) -> Callable[[Files], None]:
    """Return a change of the text of a file, which must contain the old text."""

    def changed(files: Files) -> None:
        assert old in files[name]
        files[name] = files[name].replace(old, new, 1)

    return changed


def swap(order: list[int]) -> None:
    order[2], order[9] = order[9], order[2]


def swap_images(data: dict[str, Any]) -> None:
    """Map only two cells of a row onto each other, and not those below them."""
    cells = next(iter(data["symmetries"].values()))
    cells[0] = [*sorted(cells[0])]
    cells[0][0], cells[0][1] = cells[0][1], cells[0][0]


def without_symmetries(data: dict[str, Any]) -> None:
    del data["symmetries"]


def without_rules(files: Files) -> None:
    del files["rules.txt"]


# By name: the folder, and the change.
FORGED: dict[str, tuple[str, Callable[[Files], None]]] = {
    "another N": ("givens", with_count(lambda data: data.update(solutions=data["solutions"] + 1))),
    "N as text": ("givens", with_count(lambda data: data.update(solutions=str(data["solutions"])))),
    "no N": ("givens", with_count(lambda data: data.pop("solutions"))),
    "another kind": ("givens", with_count(lambda data: data.update(kind="bands"))),
    "another number of states": ("givens", with_count(lambda data: data["layers"][5].__setitem__(0, 99))),
    "another sum of ways": ("givens", with_count(lambda data: data["layers"][5].__setitem__(1, 7))),
    "another hash": ("givens", with_count(lambda data: data["layers"][5].__setitem__(2, data["layers"][6][2]))),
    "a layer less": ("givens", with_count(lambda data: data["layers"].pop())),
    "two cells swapped": ("givens", with_count(lambda data: swap(data["order"]))),
    "a cell twice": ("givens", with_count(lambda data: data["order"].__setitem__(15, data["order"][0]))),
    "a cell less": ("givens", with_count(lambda data: (data["order"].pop(), data["layers"].pop()))),
    "a cell that does not exist": ("givens", with_count(lambda data: data["order"].__setitem__(15, 16))),
    "true for 1": (
        "givens",
        with_count(lambda data: data.update(order=[c if c != 1 else True for c in data["order"]])),
    ),
    "a unit left out": ("givens", with_text("rules.txt", b"unit 0 1 2 3\n", b"")),
    "a unit twice": ("givens", with_text("rules.txt", b"unit 0 1 2 3\n", b"unit 0 1 2 3\nunit 0 1 2 3\n")),
    "another value allowed": ("givens", with_text("rules.txt", b"allowed 0 1\n", b"allowed 0 2\n")),
    "a value allowed too": ("givens", with_text("rules.txt", b"allowed 0 1\n", b"allowed 0 1 2\n")),
    "two blanks": ("givens", with_text("rules.txt", b"allowed 0 1", b"allowed 0  1")),
    "no last newline": ("givens", lambda files: files.update({"rules.txt": files["rules.txt"][:-1]})),
    "no rules": ("givens", without_rules),
    "another puzzle": ("givens", with_text("puzzle.json", b"[1,", b"[2,")),
    "a file of another certificate": ("givens", lambda files: files.update({"solutions.txt": b""})),
    "a symmetry that does not hold": ("symmetries", with_count(swap_images)),
    "no symmetries": ("symmetries", with_count(without_symmetries)),
    "another constraint": ("constraint", with_text("puzzle.json", b"thermometer", b"slow-thermometer")),
    "a pair less": ("constraint", with_text("rules.txt", b"pairs 0 1 1 2 1 3 ", b"pairs 0 1 1 2 ")),
    "a symmetry while a constraint is open": (
        "constraint",
        with_count(lambda data: data.update(symmetries={"1": [data["order"][1:]]})),
    ),
}


@pytest.mark.parametrize("name", FORGED)
def test_forged(name: str, folders: dict[str, Files], tmp_path: Path) -> None:
    """A forged count is refused by both checkers."""
    kind, change = FORGED[name]
    files = dict(folders[kind])
    change(files)
    assert files != folders[kind]
    folder = written(files, tmp_path)
    with pytest.raises(certificate_reader.Refused):
        count_reader.check(folder)
    with pytest.raises(SudokuError) as caught:
        se.check_certificate(folder)
    assert "\n" not in str(caught.value)
