"""The puzzles of setters in `instances/variants`: each is read, and has the one solution that was published."""

import json
from dataclasses import replace
from functools import cache
from itertools import islice
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.formats.entries import Entry, one_by_one
from sudoku_encode.formats.f_puzzles_keys import KEYS
from sudoku_encode.formats.reading import read_entries, read_text
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles.puzzle import Puzzle, violations

FILE = Path(__file__).parents[3] / "instances" / "variants" / "f-puzzles.jsonl"
OBJECTS = [json.loads(line) for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
NUMBERS = range(1, 24)
# How many solutions are counted at most where a clue is missing.
MOST_SOLUTIONS = 200


@cache
def entries() -> list[Entry]:
    return list(one_by_one(read_entries(FILE)))


def puzzle_and_solution(number: int) -> tuple[Puzzle, list[int]]:
    """Return a puzzle, and the solution that is published."""
    found = entries()[number - 1].content
    assert isinstance(found, Puzzle), found
    return found, OBJECTS[number - 1]["solution"]


def test_common_kinds_present() -> None:
    """There are puzzles with every kind of constraint that setters use most."""
    keys = {key for item in OBJECTS for key in KEYS if item.get(key)}
    assert len(OBJECTS) == 23
    assert len(keys) >= 26, sorted(set(KEYS) - keys)


@pytest.mark.parametrize("number", NUMBERS)
def test_published_solution_fits(number: int) -> None:
    """The published solution breaks nothing."""
    puzzle, solution = puzzle_and_solution(number)
    assert list(violations(puzzle, solution)) == []
    # Another grid does: two values of a row are exchanged.
    other = [solution[1], solution[0], *solution[2:]]
    assert list(violations(puzzle, other))
    assert entries()[number - 1].answer == "".join(map(str, solution))


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_published_solution_unique(number: int) -> None:
    """The published solution is the only one."""
    puzzle, solution = puzzle_and_solution(number)
    assert [grid.values.tolist() for grid in se.solutions(puzzle, "sat")] == [solution]


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
def test_cp_sat_finds_it(number: int) -> None:
    """CP-SAT finds the published solution alone."""
    puzzle, solution = puzzle_and_solution(number)
    assert [grid.values.tolist() for grid in se.solutions(puzzle, "cp-sat")] == [solution]


@pytest.mark.slow
@pytest.mark.parametrize("number", NUMBERS)
@pytest.mark.thorough
def test_counts_without_a_clue(number: int) -> None:
    """Without one clue every method counts the same."""
    puzzle, _ = puzzle_and_solution(number)
    givens = np.flatnonzero(puzzle.givens).tolist()
    clue = np.random.RandomState(number).randint(len(givens) + len(puzzle.constraints))
    if clue < len(givens):
        fewer = replace(puzzle, givens=np.where(np.arange(len(puzzle.givens)) == givens[clue], 0, puzzle.givens))
    else:
        gone = puzzle.constraints[clue - len(givens)]
        fewer = replace(puzzle, constraints=tuple(one for one in puzzle.constraints if one != gone))
    limits = se.Limits(solutions=MOST_SOLUTIONS)
    counts = {method: se.count(fewer, method, limits=limits).value for method in ("sat", "cp-sat", "search")}
    assert len(set(counts.values())) == 1, counts
    # A pair that loses its dot is one that a negative constraint is about, so that there may be no solution.
    if not any(one.kind.startswith(("negative", "non-consecutive")) for one in puzzle.constraints):
        assert counts["sat"] >= 1


@pytest.mark.parametrize("format", ["f-puzzles", "f-puzzles-link", "json", "line"])
def test_round_trip(format: str) -> None:
    """All are written and read back as the same."""
    puzzles = [puzzle_and_solution(number)[0] for number in NUMBERS]
    again = list(read_text("".join(write_all(puzzles, format))))
    assert again == puzzles


def test_without_a_constraint() -> None:
    """A puzzle without one of its constraints has more solutions."""
    puzzle, solution = puzzle_and_solution(23)
    fewer = Puzzle.of(puzzle.geometry, puzzle.givens, constraints=puzzle.constraints[1:])
    assert len(list(islice(se.solutions(fewer, "sat"), 2))) == 2
    assert np.array_equal(next(se.solutions(puzzle, "sat")).values, solution)
