"""Certificates of counts: the number of solutions by a recount, the same plainly and compiled, and refused if changed.

`test_recount_reader` compares them with a second checker, written from the docs page alone.
"""

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.errors import StoppedError
from sudoku_encode.proving import count_orders, counts, recount, recounting
from sudoku_encode.proving.checking import CertificateError
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command
from tests.helpers.constraint_cases import Case, all_cases, has_hidden_cells, identified, puzzle_of
from tests.helpers.known_puzzles import INSTANCES, known

# Without the kinds that a recount does not read.
UNREAD = ("connected", "region-run", "region-count", "chaos", "full-rank")
CASES = [
    case
    for case in all_cases()
    if not has_hidden_cells(case) and case[0] != "4x4x4" and not any(line.startswith(UNREAD) for line in case[2])
]
BOARDS = {
    "4x4": 288,
    "6x6": 28_200_960,
    "latin:5x5": 161_280,
    "4x4x4": 768,
    "4x4x4:literal": 0,
    # A first row, and by inclusion and exclusion the second ones that differ from it in each column.
    "latin:2x6:7": 5_040 * (5_040 - 6 * 720 + 15 * 120 - 20 * 24 + 15 * 6 - 6 * 2 + 1),
}


def never() -> None:
    """Do not stop."""


def layers_of(puzzle: Puzzle, order: list[int] | None = None) -> list[recounting.Layer]:
    """Return all layers of a recount, in an order or in the one that is chosen."""
    rules = counts.rules_of(puzzle)
    plan = count_orders.plan(puzzle.geometry, rules, puzzle.candidates, never)
    if order is not None:
        plan = count_orders.Plan(order, {})
    return list(recounting.layers(rules, plan.order, plan.symmetries, never))


@pytest.mark.parametrize("name", BOARDS)
def test_empty_board(name: str) -> None:
    """The number of an empty board is the published one, or that of a formula."""
    assert layers_of(Puzzle.of(board(name)))[-1].total == BOARDS[name]


@pytest.mark.parametrize(
    "name",
    [
        *("papers/gtsps-fig-4.9.sdk", "small/4x4-sukaku.json", "small/9x9-jigsaw.txt", "small/9x9-clash.txt"),
        *("papers/jana-2023-table-2.txt", "papers/keck-cubic.txt"),
        *("known-counts/samurai.txt", "papers/keck-isodoku.txt", "small/9x9-complete.sdm"),
    ],
)
def test_known_number(name: str) -> None:
    """The number of a known puzzle is the known one, on every kind of board."""
    case = known(name)
    assert layers_of(case.puzzle)[-1].total == case.count


@pytest.mark.parametrize("case", CASES[::7], ids=identified)
@pytest.mark.slow
def test_constraint(case: Case) -> None:
    """With a constraint the plain and the compiled recount agree in each layer, in any order, and with a list."""
    puzzle = puzzle_of(case)
    rules = counts.rules_of(puzzle)
    n_solutions = se.count(puzzle, "sat").value
    order = np.random.default_rng(len(rules.constraints)).permutation(rules.n_cells).tolist()
    compiled = same_layers(puzzle, order)
    assert compiled[-1].total == n_solutions == layers_of(puzzle)[-1].total


def test_values_told_apart() -> None:
    """Sets of values are sorted only where no constraint tells the values apart."""
    puzzle = Puzzle.of(board("4x4"), constraints=["sum 7 r1c1 r2c2 r3c3"])
    rules = counts.rules_of(puzzle)
    arrangement = recount.arrange(rules, list(range(16)))
    assert [len(setting.classes) for setting in arrangement.settings] == [4] * 11 + [1] * 6
    odd = counts.rules_of(Puzzle.of(board("4x4"), constraints=["parity-line r1c1 r2c2 r3c3"]))
    assert recount.arrange(odd, list(range(16))).settings[0].classes == [[1, 3], [2, 4]]


def same_layers(puzzle: Puzzle, order: list[int]) -> list[recounting.Layer]:
    """Return the layers of a recount, which are the same plainly and compiled."""
    rules, compiled = counts.rules_of(puzzle), layers_of(puzzle, order)
    for filled, layer in enumerate(recount.layers(rules, order, {}), start=1):
        assert recount.summary(layer, len(order) - filled, rules.n_values) == compiled[filled - 1].summary()
    return compiled


CAGES = ["cage 11 r1c1 r1c2 r2c1", "thermometer r2c2-r2c4", "sum 7 r3c1 r4c2 r5c3", "difference 3 r6c4 r6c5"]


@pytest.mark.parametrize("seed", range(3))
def test_narrowing(seed: int) -> None:
    """Sets are narrowed alike, plainly and compiled, in any order of the cells, and no solution is lost."""
    puzzle = Puzzle.of(board("6x6"), [0] * 18 + [3, 0, 2, 6, 0, 1] + [0] * 12, constraints=CAGES)
    order = np.random.default_rng(seed).permutation(36).tolist()
    assert same_layers(puzzle, order)[-1].total == se.count(puzzle, "cp-sat").value == 14


def test_no_solution_narrowed() -> None:
    """A puzzle whose narrowed sets leave a unit too few values has no state after the first cell, wherever that is."""
    puzzle = Puzzle.of(board("latin:6x6"), constraints=["sum 3 r1c1 r1c2", "sum 3 r1c3 r1c4", "sum 3 r1c5 r1c6"])
    order = [30, *range(30), *range(31, 36)]
    assert [len(layer.states) for layer in same_layers(puzzle, order)] == [0] * 36


def test_sum_of_different_values() -> None:
    """The automaton of a sum knows that its cells differ, if each two of them share a unit."""
    rules = counts.rules_of(Puzzle.of(board("4x4"), constraints=["sum 6 r1c1 r1c2", "sum 6 r1c1 r4c4"]))
    moves = [recount.automaton(word, numbers, range(16), rules).moves for word, numbers in rules.constraints]
    assert moves == [[[[-1, 0, -1, 1]], [[-1, -1, -1, 0], [-1, 0, -1, -1]]],
                     [[[-1, 0, 1, 2]], [[-1, -1, -1, 0], [-1, -1, 0, -1], [-1, 0, -1, -1]]]]  # fmt: skip


@pytest.mark.parametrize("name", ["Modular Lines 1", "German Whispers", "Equality cages"])
def test_setters_puzzle(name: str) -> None:
    """A setter's puzzle with few givens, which passed millions of states without narrowing, passes few."""
    lines = (INSTANCES / "variants" / "iss.txt").read_text(encoding="utf-8").splitlines()
    layers = layers_of(se.read(lines[lines.index(f"# name: {name}") + 2]))
    assert layers[-1].total == 1
    assert sum(len(layer.states) for layer in layers) < 1_000


def test_symmetries() -> None:
    """With symmetries there are fewer states; plain and compiled images are the same."""
    puzzle = Puzzle.of(board("latin:6x6"))
    rules = counts.rules_of(puzzle)
    plan = count_orders.plan(puzzle.geometry, rules, puzzle.candidates, never)
    with_them = list(recounting.layers(rules, plan.order, plan.symmetries, never))
    without = list(recounting.layers(rules, plan.order, {}, never))
    assert with_them[-1].total == without[-1].total == 812_851_200
    assert sum(len(layer.states) for layer in without) > 20 * sum(len(layer.states) for layer in with_them)
    small = counts.rules_of(Puzzle.of(board("4x4")))
    by_columns = [row * 4 + column for column in range(4) for row in range(4)]
    swapped = [row * 4 + column for column in range(1, 4) for row in (1, 0, 2, 3)]
    compiled = list(recounting.layers(small, by_columns, {4: [swapped]}, never))
    for filled, layer in enumerate(recount.layers(small, by_columns, {4: [swapped]}), start=1):
        assert recount.summary(layer, 16 - filled, 4) == compiled[filled - 1].summary()
    assert compiled[-1].total == 288


@pytest.mark.parametrize(
    ("filled", "images"),
    [
        # A row of the upper boxes and one of the lower boxes.
        (4, [row * 4 + column for column in range(1, 4) for row in (0, 2, 1, 3)]),
        # A cell twice.
        (4, [row * 4 + column for column in range(1, 4) for row in (1, 1, 2, 3)]),
        # A cell that is filled.
        (5, [0, *(row * 4 + column for column in range(1, 4) for row in range(4))][:11]),
    ],
)
def test_false_symmetry(filled: int, images: list[int]) -> None:
    """A permutation that does not keep which cells share a unit is refused, plainly and compiled."""
    rules = counts.rules_of(Puzzle.of(board("4x4")))
    order = [row * 4 + column for column in range(4) for row in range(4)]
    for module in (recount, recounting):
        given = [rules, order, {filled: [images]}, *([] if module is recount else [never])]
        with pytest.raises(recount.CountError, match=r"a symmetry of .* open cells does not hold"):
            list(module.layers(*given))


def test_symmetry_of_constraint() -> None:
    """A symmetry is refused while a constraint has an open cell."""
    rules = counts.rules_of(Puzzle.of(board("4x4"), constraints=["sum 5 r1c1 r4c4"]))
    order = [row * 4 + column for column in range(4) for row in range(4)]
    swapped = [row * 4 + column for column in range(1, 4) for row in (1, 0, 2, 3)]
    with pytest.raises(recount.CountError, match="does not hold"):
        list(recounting.layers(rules, order, {4: [swapped]}, never))


@pytest.mark.parametrize("order", [list(range(8)), [*range(15), 0], [*range(16), 16], []])
def test_order_of_other_cells(order: list[int]) -> None:
    """An order that lacks a cell, or has one twice, is refused: it would count another puzzle."""
    rules = counts.rules_of(Puzzle.of(board("4x4")))
    with pytest.raises(recount.CountError, match="exactly once"):
        list(recount.layers(rules, order, {}))


def test_too_many_states() -> None:
    """A layer with more states than it may have ends the count."""
    rules = counts.rules_of(Puzzle.of(board("6x6")))
    with pytest.raises(StoppedError, match="more than 10 states"):
        list(recounting.layers(rules, list(range(36)), {}, never, 10))


def test_parts() -> None:
    """Parts that do not touch are counted one after the other, and their numbers are multiplied."""
    puzzle = Puzzle.of(board("4x4x4").with_rules(["row-x", "row-y", "box-xy"]))
    layers = layers_of(puzzle)
    assert layers[-1].total == 288**4
    assert max(len(layer.states) for layer in layers) == 4


def test_folder(tmp_path: Path) -> None:
    """A certificate of a count has three files, and is checked by both recounts, and by the plain one alone."""
    made = se.prove("1" + "." * 15, tmp_path, board="4x4", count=True)
    checked = se.check_certificate(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == {"puzzle.json", "rules.txt", "count.json"}
    assert made.count == checked.count == 72
    assert made.n_states == checked.n_states
    assert checked.checkers == ("plain recount", "compiled recount")
    assert (made.lemmas, repr(made).endswith(f"72 solutions, {made.n_states} states)")) == (0, True)
    program = [sys.executable, "-I", str(recount.__file__), str(tmp_path)]
    done = subprocess.run(program, capture_output=True, text=True, check=True)
    assert done.stdout == "RECOUNTED: 72 solutions\n"


def test_definitions_compared(tmp_path: Path) -> None:
    """A check compares the primitives of constraints, which rules.txt describes, with their definitions."""
    puzzle = Puzzle.of(board("4x4"), constraints=["sum 7 r1c1 r2c2", "odd r3c3"])
    counts.prove(puzzle, tmp_path, se.Limits().start())
    assert counts.check(tmp_path).n_compared == 2


def test_forged_figures(tmp_path: Path) -> None:
    """Another number of solutions, of states or of ways is refused, with the layer."""
    se.prove("1" + "." * 15, tmp_path, board="4x4", count=True)
    path = tmp_path / "count.json"
    content = json.loads(path.read_text())
    changes: dict[str, dict[str, object]] = {
        "it says 73 solutions": {"solutions": 73},
        "layer 16": {"layers": [*content["layers"][:-1], [1, 73, content["layers"][-1][2]]]},
        "layer 3, after .*: it says 9 states": {
            "layers": [*content["layers"][:2], [9, *content["layers"][2][1:]], *content["layers"][3:]]
        },
        "exactly once": {"order": [*content["order"][:15], content["order"][0]]},
    }
    for what, change in changes.items():
        path.write_text(json.dumps({**content, **change}))
        with pytest.raises(CertificateError, match=what):
            counts.check(tmp_path)
    path.write_text(json.dumps(content))
    (tmp_path / "rules.txt").write_text((tmp_path / "rules.txt").read_text().replace("allowed 0 1\n", ""))
    with pytest.raises(CertificateError, match=r"rules\.txt: line"):
        counts.check(tmp_path)


def test_first_difference(run: Command, tmp_path: Path) -> None:
    """Where another program counts a layer differently, the state is named, and the states that lead to it."""
    puzzle = Puzzle.of(board("4x4"), [1] + [0] * 15)
    folder, file = tmp_path / "count", tmp_path / "theirs.txt"
    counts.prove(puzzle, folder, se.Limits().start())
    plan = json.loads((folder / "count.json").read_text())["order"]
    ours = list(recounting.layers(counts.rules_of(puzzle), plan, {}, never))[5].ways_of_states()
    state = max(ours)
    theirs = Counter(ours) + Counter({state: 4})
    file.write_text("layer 6\n" + "".join(f"{' '.join(map(str, one))} {ways}\n" for one, ways in theirs.items()))
    difference = counts.compare_states(folder, file)
    assert difference is not None
    assert (difference.layer, difference.state) == (6, state)
    assert difference.others_ways - difference.ways == 4
    assert sum(source.ways * source.times for source in difference.sources) == difference.ways == ours[state]
    result = run("prove", "--check", folder, "--states", file)
    assert (result.status, result.lines[0]) == (1, f"layer 6, {difference.place}: the first state that differs is")
    file.write_text(file.read_text().replace(f" {theirs[state]}\n", f" {ours[state]}\n", 1))
    assert run("prove", "--check", folder, "--states", file).out == "no difference\n"
    file.write_text("layer 17\n")
    assert run("prove", "--check", folder, "--states", file).status == 2


def test_command(run: Command, tmp_path: Path) -> None:
    """`prove --count` writes a folder for each puzzle; `--check` and `--resume` recognize them."""
    puzzles = tmp_path / "two.txt"
    puzzles.write_text("# board: 4x4\n1...............\n12..............\n")
    home = tmp_path / "counts"
    result = run("prove", "--count", puzzles, "-o", home, "--json")
    records = [json.loads(line) for line in result.lines]
    assert [record["count"] for record in records] == [72, 24]
    assert all(record["proved"] and record["states"] and record["method"] == "recount" for record in records)
    assert run("prove", "--check", home).lines == [f"exactly {n} solutions, recounted" for n in (72, 24)]
    assert run("prove", "--count", puzzles, "-o", home, "--resume").status == 0


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        (["--count", "--limit", 2], "--limit has no effect with --count"),
        (["--count", "--sat-solver", "cadical153"], "--sat-solver has no effect with a count"),
        (["--states", "x"], "--states needs --check"),
    ],
)
def test_options_without_effect(run: Command, options: list[object], reason: str) -> None:
    """An option that has no effect is refused."""
    result = run("prove", *options, "--board", "4x4")
    assert (result.status, reason in result.err) == (2, True)


def test_unsupported(run: Command, tmp_path: Path) -> None:
    """Constraints that a recount does not read are refused in one line, in place of a wrong number."""
    puzzle = tmp_path / "connected.txt"
    puzzle.write_text("# board: 4x4\n# constraint: connected 1 2 3\n................\n")
    result = run("prove", "--count", puzzle, "-o", tmp_path / "count")
    assert (result.status, "a recount supports no connected cells" in result.err) == (2, True)
    assert not (tmp_path / "count").exists()
