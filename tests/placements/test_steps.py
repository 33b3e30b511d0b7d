"""`explain --method placements`: its lists, patterns and solutions, each beside a plain computation or `sat`."""

import json
from collections import Counter
from functools import cache
from itertools import islice, product

import numpy as np
import pytest

from sudoku_encode.formats.reading import read_all
from sudoku_encode.placements.plain import count, list_placements, possible_lines, unpacked
from sudoku_encode.placements.plain_search import reach
from sudoku_encode.placements.steps import MAX_PRINTED_OF_ONE, MAX_SOLUTIONS, explain
from sudoku_encode.placements.structure import pattern_of, patterns
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Step, proves_none
from sudoku_encode.run.limits import Deadline
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES, known
from tests.helpers.method_steps import said
from tests.helpers.solved_cubes import CUBE, EMPTY_4, blanked, by, mixed_cube, table_1

SIDES = {2: EMPTY_4.geometry, 3: CUBE}


def shown(puzzle: Puzzle) -> list[Step]:
    return list(explain(puzzle, Deadline()))


def grids(steps: list[Step]) -> list[bytes]:
    return [bytes(step.data["grid"]) for step in steps if step.rule == "solution"]


def of_rule(steps: list[Step], rule: str) -> list[Step]:
    return [step for step in steps if step.rule == rule]


def placements_by_rules(puzzle: Puzzle, k: int, value: int) -> list[frozenset[int]]:
    """All ways to put a value into each block of a cube so that no two cells share a unit, block by block."""
    board, n = puzzle.geometry, k * k
    may = set(np.flatnonzero(puzzle.candidates[:, value - 1]).tolist())
    must = set(np.flatnonzero(puzzle.givens == value).tolist())
    peers = [set(board.peers[cell].tolist()) for cell in range(board.n_cells)]
    choices = []
    for a, b, c in product(range(k), repeat=3):
        cells = {((k * a + i) * n + k * b + j) * n + k * c + z for i, j, z in product(range(k), repeat=3)}
        here: list[frozenset[int]] = [frozenset()]
        for _ in range(k):
            # In the order of cells, so that each set comes once.
            here = [
                some | {cell}
                for some in here
                for cell in cells & may
                if cell > max(some, default=-1) and not peers[cell] & some
            ]
        choices.append([some for some in here if must & cells <= some])
    found: list[tuple[frozenset[int], set[int]]] = [(frozenset(), set())]
    for here in choices:
        found = [
            (cells | some, barred.union(*(peers[cell] for cell in some)))
            for cells, barred in found
            for some in here
            if not barred & some
        ]
    return [cells for cells, _ in found]


def patterns_by_rules(puzzle: Puzzle, value: int) -> list[int]:
    """The patterns of signs with a line in each block that a value's candidates leave, from their definition."""
    may = puzzle.candidates[:, value - 1].reshape(9, 9, 9)
    given = (puzzle.givens == value).reshape(9, 9, 9)
    found = []
    for number, (e, f, g) in enumerate(np.where(patterns(3), -1, 1).tolist()):
        fits = True
        for a, b, c in product(range(3), repeat=3):
            block, held = (x[3 * a : 3 * a + 3, 3 * b : 3 * b + 3, 3 * c : 3 * c + 3] for x in (may, given))
            lines = (
                [(i, (e[a] * f[b] * i + o) % 3, (e[a] * g[c] * i + r) % 3) for i in range(3)]
                for o, r in product(range(3), repeat=2)
            )
            fits &= any(
                all(block[cell] for cell in line) and held.sum() == sum(held[cell] for cell in line) for line in lines
            )
        if fits:
            found.append(number)
    return found


def test_published_numbers() -> None:
    """A value has as many placements as were published for the structure."""
    assert count(3, np.ones((27, 9), bool)) == 406_309_608
    assert count(2, np.ones((8, 4), bool)) == 32


@pytest.mark.parametrize("n_givens", [0, 3, 9])
def test_lists_of_side_4(n_givens: int) -> None:
    """Lists of a small cube are what the 768 solutions leave."""
    solutions = [np.frombuffer(grid, np.uint8) for grid in by("search", EMPTY_4)]
    every = {frozenset(np.flatnonzero(grid == value).tolist()) for grid in solutions for value in range(1, 5)}
    givens = np.zeros(64, np.uint8)
    some = np.random.RandomState(1).permutation(64)[:n_givens]
    givens[some] = solutions[5][some]
    (lists,) = of_rule(shown(Puzzle.of(EMPTY_4.geometry, givens)), "lists")

    for value, number in lists.data["left"].items():
        own, others = (set(np.flatnonzero(one).tolist()) for one in (givens == value, (givens > 0) & (givens != value)))
        assert number == sum(own <= cells and not others & cells for cells in every)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["table 1", "mixed"])
def test_lists_follow_rules(kind: str) -> None:
    """Lists are the placements that the rules leave."""
    puzzle = blanked(table_1() if kind == "table 1" else mixed_cube(), 520, 1)
    may, must = reach(puzzle)
    for value in (1, 7):
        expected = placements_by_rules(puzzle, 3, value)
        of_patterns = Counter(pattern_of(3, np.array(sorted(cells))) for cells in expected)
        assert expected
        for pattern in range(256):
            left = possible_lines(3, pattern, may[:, value - 1], must[:, value - 1])
            assert count(3, left) == of_patterns[pattern]
            if of_patterns[pattern]:
                cells = {
                    frozenset(np.flatnonzero(one).tolist()) for one in unpacked(list_placements(3, pattern, left), 729)
                }
                assert cells == {one for one in expected if pattern_of(3, np.array(sorted(one))) == pattern}


@pytest.mark.slow
@pytest.mark.parametrize(("blanks", "seed"), [(690, 1), (720, 1)])
def test_patterns_left(blanks: int, seed: int) -> None:
    """Patterns left are those with a line in each block."""
    puzzle = blanked(table_1(), blanks, seed)
    (step,) = of_rule(list(islice(explain(puzzle, Deadline()), 2)), "patterns")
    expected = [patterns_by_rules(puzzle, value) for value in range(1, 10)]
    assert step.data["patterns"] == expected
    assert step.data["shared"] == sorted(set.intersection(*map(set, expected)))
    assert f"1 has {len(expected[0])}, 2 has {len(expected[1])}" in step.text


@pytest.mark.parametrize(
    "file", ["4x4x4-fewest.txt", "six-rules-easy.txt", pytest.param("six-rules-hard.txt", marks=pytest.mark.slow)]
)
def test_stored_cubes(file: str) -> None:
    """The solutions of stored cubes are those of SAT."""
    for entry in list(read_all(INSTANCES / "cubes" / file))[:3]:
        assert isinstance(entry, Puzzle)
        steps = shown(entry)
        assert sorted(grids(steps)) == sorted(by("sat", entry))
        assert steps[-1].data["solutions"] == len(grids(steps))
        assert steps[-1].data["complete"]


@cache
def shown_and_listed(kind: str, blanks: int, seed: int) -> tuple[list[Step], set[bytes]]:
    """Return the steps of a cube, and its solutions by SAT."""
    puzzle = blanked(mixed_cube() if kind == "mixed" else table_1(), blanks, seed)
    return shown(puzzle), by("sat", puzzle)


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "blanks", "seed"), [("mixed", 640, 1), ("table 1", 650, 2)])
@pytest.mark.thorough
def test_all_solutions(kind: str, blanks: int, seed: int) -> None:
    """All solutions are found once on both kinds of cubes."""
    steps, solutions = shown_and_listed(kind, blanks, seed)
    found = grids(steps)
    assert len(found) == len(set(found)) == steps[-1].data["solutions"]
    assert set(found) == solutions


@pytest.mark.slow
def test_required_and_barred() -> None:
    """What is required and barred at first holds for all solutions."""
    steps, listed = shown_and_listed("mixed", 640, 1)
    solutions = [np.frombuffer(grid, np.uint8) for grid in listed]
    (lists, root) = islice((step for step in steps if step.rule in ("lists", "propagation")), 2)
    assert (lists.rule, root.rule) == ("lists", "propagation")
    assert all(root.data["left"][value] <= number for value, number in lists.data["left"].items())
    assert root.places
    assert not [1 for grid in solutions for cell, value in root.places if grid[cell] != value]
    assert not [1 for grid in solutions for cell, value in root.removes if grid[cell] == value]


def test_many_solutions() -> None:
    """It ends with some solutions where there are many more."""
    steps = shown(EMPTY_4)
    assert len(set(grids(steps))) == MAX_SOLUTIONS
    assert steps[-1].data["solutions"] == MAX_SOLUTIONS
    assert not steps[-1].data["complete"]
    assert str(steps[-1]).startswith("at least 10 solutions: ")


def test_proof_of_none() -> None:
    """Values without a solution end with a proof."""
    puzzle = known("small/4x4x4-none.txt").puzzle
    steps = shown(puzzle)
    assert proves_none(steps[-1])
    assert set(steps[-1].because) == set(np.flatnonzero(puzzle.givens).tolist())
    assert [str(step) for step in of_rule(steps, "dead end")] == ["dead end: no value can be on x2y0z0"]


def test_hard_puzzle() -> None:
    """First steps of a puzzle past the wall of solvers are printed and the others are records."""
    steps = list(islice(explain(blanked(table_1(), 690, 1), Deadline()), 300))
    tried = of_rule(steps, "placement")
    assert len(tried) > 100
    assert len([step for step in tried if step.text]) <= 2 * MAX_PRINTED_OF_ONE
    assert said(steps)[-1] == "further steps have no text; --json lists them"
    # A value's placement is 81 cells; those that are given are not placed again.
    assert {len(step.places) for step in tried} <= set(range(60, 82))


def test_command_output(run: Command) -> None:
    """The command shows a published puzzle in words and as records."""
    file = INSTANCES / "papers" / "jana-2023-table-2.txt"
    plain, ran = (run("explain", file, "--method", "placements", *more) for more in ((), ("--json",)))
    records = [json.loads(line) for line in ran.lines]

    assert (plain.status, ran.status) == (0, 0)
    assert "Left to all nine: 1 pattern, by number 1." in plain.lines
    assert "1 2 3 4 5 6 7 8 9 have one placement each: 9 of 9 values are placed" in plain.lines
    assert plain.lines[-1] == "1 solution: 9 values placed, 0 dead ends"
    assert [record["rule"] for record in records[:-1]][1:4] == ["patterns", "lists", "one placement"]
    assert records[2]["data"]["left"] == {str(value): 1 for value in range(1, 10)}
