"""Small texts that mean much: each is answered rightly, or refused in one line, in bounded time and memory."""

import errno
import re
import subprocess
import sys
import tempfile
from itertools import combinations, product
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import FormatError, TooLargeError
from sudoku_encode.methods import limited_calls
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.constraints import primitives
from sudoku_encode.puzzles.constraints.expression_automata import Derivatives, matches
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import value_sets
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command

# Far more than any of these takes, in seconds and kB; it must not hang, nor fill the memory of a machine.
GUARD_SECONDS, GUARD_MEMORY = 120, 2_500_000


def lines(n: int, first: int = 1, last: int = 0) -> str:
    """Return rows of an n x n board as lists of cells."""
    return " ".join(f"r{row}c1-r{row}c{n}" for row in range(first, (last or n) + 1))


def guarded(*words: object) -> subprocess.CompletedProcess[str]:
    program = [sys.executable, "-m", "sudoku_encode", *map(str, words)]
    shell = ["sh", "-c", f'ulimit -d {GUARD_MEMORY} && exec "$@"', "sh", *program]
    return subprocess.run(shell, capture_output=True, text=True, check=False, timeout=GUARD_SECONDS)


NESTED = "(((.{1,50}){1,50}){1,50}){1,50}"
REFUSED = {
    "states": ("9x9", f"regex .*1.{{12}}: {lines(9)}", "has more than 2,000 states"),
    "parts": (
        "9x9",
        f"regex (((([12].{{1,50}}){{1,50}}2){{1,50}}3){{1,50}}4){{1,50}}: {lines(9)}",
        "states of more than 300,000 parts",
    ),
    "cells": ("25x25", f"regex .*1.*2.*3.*: {(lines(25) + ' ') * 200}", "transitions"),
    "skyscraper": ("100x100", f"skyscraper 50 {lines(100, 1, 1)}", "transitions"),
    "pieces": ("100x100", f"sum-line 5000 {lines(100)}", "transitions"),
    "pairs": ("100x100", f"nabner {lines(100)}", "pairs or clauses"),
    "counts": ("100x100", f"either counting-circles {lines(100, 1, 1)} | odd r1c1", "automata of more than"),
    "clauses": ("100x100", f"either row-indexer {lines(100)} | odd r1c1", "pairs or clauses"),
    "alternatives": ("100x100", "either " + " | ".join(["non-consecutive"] * 30), "pairs or clauses"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_too_many_constraints(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Constraints that come to too much are refused."""
    # A tenth of the bounds, so that the tests are quick.
    monkeypatch.setattr(primitives, "MOST_TRANSITIONS", primitives.MOST_TRANSITIONS // 10)
    monkeypatch.setattr(primitives, "MOST_PUZZLE_TRANSITIONS", primitives.MOST_PUZZLE_TRANSITIONS // 10)
    monkeypatch.setattr(primitives, "MOST_PRIMITIVES", primitives.MOST_PRIMITIVES // 10)
    name, text, words = REFUSED[case]
    with pytest.raises(FormatError, match=re.escape(words)) as error:
        lower_puzzle(Puzzle.of(board(name), constraints=[text]))
    assert str(error.value).startswith(text.partition(" ")[0])
    assert len(str(error.value).splitlines()) == 1


@pytest.mark.slow
def test_nested_repetitions(tmp_path: Path) -> None:
    """Nested repetitions are counted at once, in little memory."""
    done = guarded("count", _nested(tmp_path))
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (0, "288\n", 1), done.stderr


@pytest.mark.parametrize("command", ["info", "convert --to json", "encode -o a.cnf"])
def test_commands_on_nested_repetitions(run: Command, command: str, tmp_path: Path) -> None:
    """Nested repetitions are answered by commands that do not search."""
    name, *more = command.split()
    ran = run(name, _nested(tmp_path), *(tmp_path / word if "." in word else word for word in more))
    assert (ran.status, ran.err.count("\n")) == (0, 1 if name == "encode" else 0), ran.err


def _nested(folder: Path) -> Path:
    path = folder / "puzzle.txt"
    path.write_text(f"# board: 4x4\n# constraint: regex {NESTED}: r1c1-r1c4\n{'.' * 16}\n")
    return path


@pytest.mark.slow
def test_too_large_for_memory(tmp_path: Path) -> None:
    """What is too large is refused before it fills the memory."""
    path = tmp_path / "puzzle.txt"
    name, text, words = REFUSED["skyscraper"]
    path.write_text(f"# board: {name}\n# constraint: {text}\n" + (". " * 100 + "\n") * 100)
    done = guarded("count", path)
    assert done.returncode == 2
    assert words in done.stderr
    assert len(done.stderr.splitlines()) == 1


@pytest.mark.parametrize("command", ["count", "info", "encode -o a.cnf"])
def test_too_large_for_each_command(run: Command, command: str, tmp_path: Path) -> None:
    """What is too large is refused by each command."""
    path = tmp_path / "puzzle.txt"
    name, text, words = REFUSED["states"]
    path.write_text(f"# board: {name}\n# constraint: {text}\n{'.' * 81}\n")
    first, *more = command.split()
    ran = run(first, path, *(tmp_path / word if "." in word else word for word in more))
    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


def test_time_limit_while_lowering(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit on time holds while constraints are lowered."""
    # Ended by its limit long before it would be refused, in the process that is limited and not in this one.
    asked: list[Puzzle] = []
    monkeypatch.setattr(limited_calls, "lower_puzzle", asked.append)
    puzzle = Puzzle.of(board("100x100"), constraints=[f"counting-circles {lines(100, 1, 1)}"])
    found = se.count(puzzle, limits=se.Limits(solutions=2, seconds=0.3))
    assert (found.complete, found.stopped, asked) == (False, "time limit", [])


EXPRESSIONS = (
    *(NESTED, "((.{1,3}){2,2}){1,2}", "(1{2}){0,2}", "((1?){3}2*){2}", "(([12]{2,3}){2})?3*", "((1|2?)+3?){1,2}"),
    *(
        "(1*)*2",
        "(12|1|2){2,3}",
        "(){3}1{0}2?",
        "((12){2,}|3){1,}",
        "(1{0,2}){3}",
        "(1{2}){1,3}",
        "((1{2,3}){0,2}){2}",
        "[^1]{2}.?",
    ),
)


@pytest.mark.parametrize("expression", EXPRESSIONS)
@pytest.mark.parametrize("length", [1, 3, 6])
def test_expressions_like_python(expression: str, length: int) -> None:
    """Expressions match what those of Python match."""
    automaton, pattern = Derivatives(expression, 3, length), re.compile(expression)
    for values in product((1, 2, 3), repeat=length):
        wanted = pattern.fullmatch("".join(map(str, values))) is not None
        state: int | None = 0
        for value in values:
            state = None if state is None else automaton.step(state, value)
        assert (state is not None and automaton.is_done(state)) == wanted, values
        assert matches(expression, 3, values) == wanted, values


@pytest.mark.parametrize("expression", ["(1*)*2", "1*" * 60 + "2", "(1|1)*2", "((1?){50}){50}2"])
def test_fast_expression_matching(expression: str) -> None:
    """A line is compared with an expression in no time."""
    # Python's own would try more ways than there are atoms.
    assert not matches(expression, 3, [1] * 80)
    assert matches(expression, 3, [1] * 59 + [2])


@pytest.mark.parametrize("most", [0, 1, 3, 50])
def test_few_sets_of_values(most: int) -> None:
    """Sets of values are made where they are few."""
    for n, size in product(range(1, 8), range(9)):
        for amount in range(n * (n + 1) // 2 + 2):
            chosen = [values for values in combinations(range(1, n + 1), size) if sum(values) == amount]
            wanted = tuple(sum(1 << value - 1 for value in values) for values in chosen)
            assert value_sets(n, size, amount, most) == (wanted if len(wanted) <= most else None)


def test_large_cage_encoded() -> None:
    """A cage of half the values of a large board is encoded."""
    # It has nine billion sets of values, of which one has the least sum.
    least = sum(range(1, 19))
    puzzle = Puzzle.of(board("36x36"), constraints=[f"cage {least} r1c1-r1c18"])
    assert encode(puzzle).cnf.n_clauses > encode(Puzzle.of(board("36x36"))).cnf.n_clauses


def test_more_values_than_bits() -> None:
    """Relations have more values than a word has bits."""
    # r1c1 is less than 3, and not the 1 below it; r2c2 is neither 1 nor 3.
    puzzle = Puzzle.of(board("latin:2x2:66"), [0, 3, 1, 0], constraints=["thermometer r1c1 r1c2"])
    assert se.count(puzzle, "sat").value == 64


@pytest.mark.parametrize("kind", ["sum", "weighted-sum"])
def test_sums_of_many_steps(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Sums of too many steps are no clauses."""
    monkeypatch.setattr("sudoku_encode.encoders.constraint_clauses._MAX_SUMS", 100_000)
    texts = {
        "sum": ("25x25", f"sum 8000 {lines(25)}"),
        "weighted-sum": ("9x9", "weighted-sum 0 " + " ".join(str(7**k) for k in range(7)) + " -999999 r1c1-r1c8"),
    }
    name, text = texts[kind]
    puzzle = Puzzle.of(board(name), constraints=[text])
    with pytest.raises(TooLargeError, match="sums of more than 100,000 steps"):
        encode(puzzle)


def test_auto_without_clauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Auto goes on without clauses that are too large."""
    monkeypatch.setattr("sudoku_encode.encoders.constraint_clauses._MAX_SUMS", 0)
    monkeypatch.setattr("sudoku_encode.methods.turns._FIRST_WORK", 0)
    grids = np.array([grid.values for grid in se.solutions("." * 16, "search", board="4x4")])
    wanted = int((grids[:, :2].sum(axis=1) == grids[:, 14:].sum(axis=1)).sum())
    puzzle = Puzzle.of(board("4x4"), constraints=["equal-sums r1c1 r1c2 / r4c3 r4c4"])
    assert se.count(puzzle).value == wanted
    assert sum(1 for _ in se.solutions(puzzle)) == wanted


def test_unit_larger_than_values(tmp_path: Path) -> None:
    """A unit larger than any board has values is impossible."""
    puzzle = Puzzle.of(board("100x100"), constraints=[f"extra-region {lines(100)}"])
    plain = lower_puzzle(puzzle)
    assert plain.puzzle.geometry.n_units == board("100x100").n_units
    assert len(plain.primitives) == 1
    assert se.count(puzzle, limits=se.Limits(solutions=1)) == se.Count(0, True)


def test_long_constraint_in_cnf(run: Command, tmp_path: Path) -> None:
    """A constraint longer than a comment of a CNF is refused."""
    cells = " ".join(["r1c1-r1c9 r2c9-r2c1"] * 60)
    ran = run("encode", "." * 81, "--constraint", f"regex .*: {cells}", "-o", tmp_path / "a.cnf")
    assert ran.status == 2
    assert "a comment of a CNF has at most 999" in ran.err


@pytest.mark.parametrize(
    "words", [["prove", "1" + "." * 15, "-o", "made"], ["encode", "." * 16, "--to", "cp-sat", "-o", "a.pb"]]
)
def test_no_temporary_file(words: list[str], run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no temporary file can be written it is said."""

    def refused() -> str:
        raise FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", None)
    monkeypatch.setattr(tempfile, "_get_default_tempdir", refused)
    ran = run(*words, "--board", "4x4")
    assert ran.status == 2
    assert ran.err.splitlines()[-1].endswith("set TMPDIR to a folder that can be written")


def test_nested_copies() -> None:
    """Groups of copies in each other are refused where they are too many."""
    # 78 copies of 78 copies of 78 copies of a line without cells.
    text = ".Replicate~_____________~R1C1" * 4 + ".Whisper~5" + ".End" * 4
    with pytest.raises(FormatError, match="78 copies of 6,084 parts; expected at most 20,000 in all"):
        se.read(text)


@pytest.mark.parametrize("name", ["16x16", "samurai", "9x9+diagonals", "latin:4x4x4"])
def test_board_name_as_text(name: str, run: Command) -> None:
    """A text that names a board is asked about."""
    ran = run("count", name)
    assert ran.status == 2
    assert ran.err.endswith(f"; did you mean --board {name}?\n")
    assert "did you mean" not in run("count", "16y16").err
