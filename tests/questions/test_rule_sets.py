"""Under which sets of its rules a puzzle has a number of solutions."""

import json
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sudoku_encode as se
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions import rule_sets
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES
from tests.helpers.puzzles import puzzles
from tests.helpers.solution_sets import all_by_sat

TABLE_2 = INSTANCES / "papers" / "jana-2023-table-2.txt"


@given(puzzle=puzzles(["4x4", "4x4+diagonals"], most_open=0.6), solutions=st.integers(0, 3))
@settings(derandomize=True, max_examples=20, deadline=None)
def test_each_set_counted(puzzle: Puzzle, solutions: int) -> None:
    """Each set of rules has the number of solutions that SAT lists, and a cut-off number is above the one asked for."""
    names = puzzle.geometry.rule_names
    expected = {
        rules: len(all_by_sat(Puzzle.of(puzzle.geometry.with_rules(rules), puzzle.givens, puzzle.pencilmarks)))
        for size in range(len(names), 0, -1)
        for rules in combinations(names, size)
    }
    result = se.rules_with(puzzle, solutions)

    assert result.counts == {rules: None if count > solutions else count for rules, count in expected.items()}
    assert result.matching == tuple(rules for rules, count in expected.items() if count == solutions)


def test_rules_of_table_3(run: Command) -> None:
    """Table 2 of Jana et al. 2023 has the two solutions of Table 3 under four sets of rules."""
    expected = [
        "row-z,box-xy,box-xz,box-yz",
        "row-z,box-xy,box-xz",
        "row-z,box-xy,box-yz",
        "row-z,box-xy",
    ]
    ran = run("count", TABLE_2, "--rules-with", "2")

    assert (ran.status, ran.lines) == (0, expected)
    assert ran.err == "2 solutions under 4 of 63 sets of rules\n"
    record = json.loads(run("count", TABLE_2, "--rules-with", "2", "--json").out)
    assert record["status"] == "shown"
    assert [",".join(rules) for rules in record["matching"]] == expected
    assert len(record["sets"]) == 63
    assert record["sets"][0] == {"rules": list(se.board("9x9x9").rule_names), "count": 1}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--limit", "3"), "--limit has no effect with --rules-with"),
        (("--up-to-symmetry",), "--rules-with has no effect with --up-to-symmetry"),
    ],
)
def test_unused_options(run: Command, arguments: tuple[str, ...], message: str) -> None:
    """Options that the table of rules does not use are refused."""
    ran = run("count", TABLE_2, "--rules-with", "2", *arguments)

    assert ran.status == 2
    assert message in ran.err


def test_wrong_numbers(monkeypatch: pytest.MonkeyPatch) -> None:
    """A number below 0 is refused, and so are boards with many rules; no time is an error."""
    with pytest.raises(se.SudokuError, match="expected a whole number from 0"):
        se.rules_with("1...............", -1)
    with pytest.raises(se.SudokuError, match="time limit"):
        se.rules_with("1...............", 1, timeout=0)
    monkeypatch.setattr(rule_sets, "MOST_RULES", 2)
    with pytest.raises(se.SudokuError, match="has 3 rules: sets of more than 2 are too many"):
        se.rules_with("1...............", 1)
