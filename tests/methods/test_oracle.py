"""Answers to random puzzles are those of a solver that shares no code with the project; `scripts/fuzz oracle`."""

import ast
import json
import random
import runpy
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import islice
from pathlib import Path

import pytest

import sudoku_encode as se
from tests.helpers import oracle_runs
from tests.helpers.oracle import BOARDS, Board, Grid, Puzzle, TooMany, all_solutions, cube, rectangle
from tests.helpers.oracle_constraints import KINDS
from tests.helpers.oracle_runs import calls, judge, puzzles, read_dimacs

FUZZ = Path(__file__).parents[2] / "scripts" / "fuzz"
SEED, PUZZLES = 11, 40


@cache
def first_puzzles() -> list[tuple[Puzzle, set[Grid]]]:
    return list(islice(puzzles(SEED), PUZZLES))


def runs(questions: set[str]) -> tuple[Counter[str], list[str]]:
    """How many answers to some questions are right, declined or wrong, of the first puzzles of the seed; the faults."""
    chance, outcomes, wrong = random.Random(SEED), Counter[str](), []
    for puzzle, truth in first_puzzles():
        for call in calls(chance, puzzle):
            if call.split()[0] in questions:
                fault = judge(puzzle.text, call, truth)
                outcomes[fault if fault == "declined" else "wrong" if fault else "right"] += 1
                if fault not in ("", "declined"):
                    wrong.append(f"{call}: {fault}: {puzzle.text}")
    return outcomes, wrong


@pytest.mark.parametrize(
    ("questions", "least"),
    [
        pytest.param({"list", "count"}, 120, id="methods", marks=pytest.mark.slow),
        pytest.param({"solve", "check", "candidates"}, 20, id="verdicts"),
        pytest.param({"cnf"}, 8, id="cnf"),
        pytest.param({"cp-model"}, 8, id="cp-model"),
    ],
)
def test_answers(questions: set[str], least: int) -> None:
    """Answers are those of the oracle."""
    outcomes, wrong = runs(questions)
    assert wrong == []
    assert outcomes["right"] > least


def test_unsolvable_models() -> None:
    """A puzzle without a solution makes models without one."""
    unsolvable = [puzzle.text for puzzle, truth in first_puzzles() if not truth][:10]
    wrong = [
        (fault, call, text)
        for text in unsolvable
        for call in (
            "cp-model cp-sat givens",
            "cp-model cp-sat-bool singles",
            "cnf dual givens pairwise",
            "cnf extended singles bitwise",
        )
        if (fault := judge(text, call, set())) not in ("", "declined")
    ]
    assert len(unsolvable) == 10
    assert wrong == []


def empty(board: Board, rules: tuple[str, ...] | None = None) -> Puzzle:
    n_cells = len(board.places)
    every = tuple(frozenset(range(1, board.n + 1)) for _ in range(n_cells))
    return Puzzle("", board, rules or tuple(board.rules), (0,) * n_cells, every)


@pytest.mark.slow
def test_known_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oracle counts what is known."""
    monkeypatch.setattr("tests.helpers.oracle.MOST_SOLUTIONS", 10**4)
    monkeypatch.setattr("tests.helpers.oracle.solutions.__defaults__", (10**6, None))
    boxes = rectangle("4x4", 4, 4, 4, {"box": lambda p: (p[0] // 2, p[1] // 2)})
    assert len(all_solutions(empty(boxes))) == 288
    assert len(all_solutions(empty(rectangle("", 4, 4, 4, {})))) == 576
    chance = random.Random(1)
    while (board := cube(chance)).name != "4x4x4":
        pass
    assert len(all_solutions(empty(board))) == 768
    with pytest.raises(TooMany):
        all_solutions(empty(rectangle("", 5, 5, 5, {})))


def test_no_shared_code() -> None:
    """The oracle shares no code with the project."""
    for name in (
        "oracle.py",
        "oracle_constraints.py",
        "second_readers.py",
        "second_readers_rows.py",
        "second_readers_forms.py",
    ):
        tree = ast.parse((Path(__file__).parents[1] / "helpers" / name).read_text(encoding="utf-8"))
        imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
        imported |= {node.module or "" for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
        assert {module for module in imported if module.startswith("sudoku_encode")} == set()


@pytest.mark.slow
def test_all_kinds() -> None:
    """The puzzles are of every kind."""
    seen = [puzzle for puzzle, _ in islice(puzzles(SEED), 120)]
    assert len({kind for puzzle in seen for kind in puzzle.kinds}) > 0.75 * len(KINDS)
    names = [puzzle.board.name for puzzle in seen]
    for begins in ("4x4", "4x4x4", "6x6", "latin:", "jigsaw:", "jigsaw:4x6:"):
        assert any(name.startswith(begins) for name in names), begins
    assert sum("@" in name for name in names) > 12
    assert sum("+diagonals" in name for name in names) > 2
    assert sum("+windoku" in name for name in names) > 2
    assert sum(len(puzzle.rules) < len(puzzle.board.rules) for puzzle in seen) > 15
    assert sum("pencilmarks" in puzzle.text for puzzle in seen) > 15
    assert len(BOARDS) > 5


def test_seeds() -> None:
    """A seed makes the same puzzles again with any number of solutions."""
    again = list(islice(puzzles(SEED), PUZZLES))
    assert [(puzzle.text, truth) for puzzle, truth in first_puzzles()] == [(one.text, truth) for one, truth in again]
    numbers = [len(truth) for _, truth in again]
    assert min(numbers.count(0), numbers.count(1), sum(number > 1 for number in numbers)) > 8


ONE = '{"board": "4x4", "givens": [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 0, 0]}'
GRID = (1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1)
OTHER = (*GRID[:12], 3, 4, 2, 1)


@pytest.mark.parametrize(
    ("call", "truth", "begins"),
    [
        ("list search", {OTHER}, "lists 1 grids"),
        ("list search", {GRID, OTHER}, "lists 1 of 2"),
        ("count frontier", {GRID, OTHER}, "counts 1, not 2"),
        ("solve", {OTHER}, "solves it by"),
        ("check", {GRID, OTHER}, "says Unique"),
        ("candidates", {OTHER}, "has candidates"),
        ("cnf extended singles pairwise", {OTHER}, "lists 1 grids"),
        ("cp-model cp-sat none", set(), "makes a model that is OPTIMAL"),
    ],
)
def test_wrong_answer_seen(call: str, truth: set[tuple[int, ...]], begins: str) -> None:
    """A wrong answer is seen."""
    assert judge(ONE, call, truth).startswith(begins)
    assert judge(ONE, call, {GRID}) == ""


def test_refusals_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is refused or raises is seen."""
    assert judge("1" * 17, "solve", set()).startswith(oracle_runs.REFUSED)
    impossible = '{"board": "4x4", "givens": "................", "constraints": ["cage 99 r1c1 r1c2"]}'
    assert judge(impossible, "solve", {GRID}).startswith(oracle_runs.REFUSED)
    assert judge(impossible, "solve", set()) == "declined"
    assert judge(ONE, "count jana2021", {GRID}) == "declined"

    def broken(*_: object) -> None:
        raise ZeroDivisionError("broken")

    monkeypatch.setattr(se, "solve", broken)
    assert judge(ONE, "solve", {GRID}) == "ZeroDivisionError: broken"


def test_projection_read() -> None:
    """A formula is read with its projection."""
    assert read_dimacs("c a comment\nc p show 1 3 0\np cnf 3 2\n1 -2 0\n3 0\n") == (3, [1, 3], [[1, -2], [3]])
    with pytest.raises(ValueError, match="header"):
        read_dimacs("p cnf 2 1\n1 0\n2 0\n")


def test_faults_kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A fault is kept and can be asked again."""

    def few(_: int) -> Iterator[tuple[object, set[tuple[int, ...]]]]:
        puzzle, _truth = next(puzzles(SEED))
        yield puzzle, {(9,) * len(puzzle.givens)}

    monkeypatch.setattr(oracle_runs, "puzzles", few)
    monkeypatch.setattr(oracle_runs, "calls", lambda *_: ["count search"])
    outcomes, wrong = oracle_runs.compare(1, 60, tmp_path)
    assert (outcomes["wrong"], len(wrong)) == (1, 1)
    (kept,) = tmp_path.iterdir()
    fuzz = runpy.run_path(str(FUZZ))
    assert fuzz["main"](["oracle", "--replay", str(kept)]) == 1
    item = json.loads(kept.read_text())
    number = se.count(se.read(item["text"]), "search").value
    kept.write_text(json.dumps(item | {"solutions": [[at] for at in range(number)]}))
    assert fuzz["main"](["oracle", "--replay", str(kept)]) == 0
