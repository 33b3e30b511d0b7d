"""The command convert: many puzzles of which a format cannot hold some, and every pair of formats."""

import json
from functools import cache
from pathlib import Path

import format_pairs
import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.formats.reading import read_text
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formats.writing import losses, refusal, write_all
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command

# The third puzzle has a constraint that few formats have, the fourth is on a board that few have, the fifth is wrong.
MANY = """\
1...............

# constraint: odd r1c1
................

# constraint: full-rank 3 r1c1-r1c4
1...............

# constraint: none
# board: 4x4x4
................................................................

# board: 4x4
5...............

2...............
"""


def read_back(puzzle: Puzzle, form: str) -> Puzzle:
    (back,) = read_text("".join(write_all([puzzle], form)))
    assert isinstance(back, Puzzle), back
    return back


def units(puzzle: Puzzle) -> set[frozenset[int]]:
    return {frozenset(unit) for rule in puzzle.geometry.rules for unit in rule.units.tolist()}


def fixed(puzzle: Puzzle) -> list[list[bool]]:
    """The candidates of all cells without those that peers with one candidate exclude, again and again."""
    candidates, peers = puzzle.candidates.copy(), puzzle.geometry.peers
    done = set[int]()
    while new := set(np.flatnonzero(candidates.sum(axis=1) == 1).tolist()) - done:
        for cell in new:
            candidates[peers[cell]] &= ~candidates[cell]
        done |= new
    marks: list[list[bool]] = candidates.tolist()
    return marks


@cache
def round_trip(puzzle: Puzzle, form: str) -> Puzzle | None:
    """Return a puzzle read back from a format, None where it is refused; any other difference must be remarked."""
    if reason := refusal(puzzle, form):
        assert len(reason.message) > 20
        return None
    back, lost = read_back(puzzle, form), " ".join(losses(puzzle, form))
    assert units(back) == units(puzzle)
    assert (back.geometry.first, back.geometry.shape) == (puzzle.geometry.first, puzzle.geometry.shape)
    assert back.name == ("" if "the name is left out" in lost else puzzle.name)
    same = (
        back.givens.tolist() == puzzle.givens.tolist(),
        back.candidates.tolist() == puzzle.candidates.tolist(),
        {one.kind for one in back.constraints} == {one.kind for one in puzzle.constraints},
    )
    assert all(same) or lost.replace("the name is left out", ""), (form, same, lost)
    if "another form" not in lost:
        assert fixed(back) == fixed(puzzle)
        assert back.constraints == puzzle.constraints
    return back


@pytest.mark.parametrize("source", TEXT_FORMATS)
def test_pairs_of_formats(source: str) -> None:
    """From each format to each other: the same puzzle, a refusal with a reason, or a remark on what is lost."""
    for puzzle in format_pairs.puzzles().values():
        first = round_trip(puzzle, source)
        for target in TEXT_FORMATS if first is not None else ():
            round_trip(first, target)


def test_forms_have_same_solutions() -> None:
    """A constraint that is written in another form has the same solutions."""
    for text in ("odd r1c2", "even r1c3 r2c2", "difference 1 r1c2 h1"):
        puzzle = se.read("1..........2....", board="4x4", constraints=[text])
        back = read_back(puzzle, "iss")
        assert losses(puzzle, "iss") == [f"written in another form: {text.split()[0]}"]
        assert {str(grid) for grid in se.solutions(back)} == {str(grid) for grid in se.solutions(puzzle)}


def test_losses_remarked(run: Command, tmp_path: Path) -> None:
    """convert says once what is lost, of how many puzzles."""
    source = tmp_path / "two.json"
    source.write_text('[{"name": "a", "givens": "1..............."}, {"name": "b", "givens": "2..............."}]')
    ran = run("convert", source, "--to", "line")
    assert (ran.status, ran.out) == (0, "1...............\n2...............\n")
    assert ran.err == "the name is left out, since format line has none (2 puzzles)\n"
    ran = run("convert", '{"name": "a", "givens": "1..............."}', "--to", "sukaku")
    assert ran.err.splitlines() == [
        "the name is left out, since format sukaku has none",
        "givens are written as cells with one candidate",
    ]


def test_colliding_line_refused() -> None:
    """A line of candidates as long as a jigsaw with its regions is refused."""
    puzzle = format_pairs.puzzles()["lines alone, more values"]
    assert "its 288 symbols would be read as a jigsaw" in str(refusal(puzzle, "sukaku"))


@pytest.mark.parametrize("to", TEXT_FORMATS)
def test_others_are_written(run: Command, tmp_path: Path, to: str) -> None:
    """Puzzles that a format cannot hold are named with place and reason, and all others are written."""
    source, target = tmp_path / "many.txt", tmp_path / "out"
    source.write_text(MANY)
    entries = [(number, entry) for number, entry in enumerate(se.read_all(source), 1) if isinstance(entry, Puzzle)]
    ran = run("convert", source, "--to", to, "-o", target)
    refused = [line for line in ran.err.splitlines() if ": puzzle " in line]
    assert ran.status == 2
    assert f"{source}:14:1: " in ran.err
    numbers = [int(line.partition(": puzzle ")[2].partition(":")[0]) for line in refused]
    assert all(line.startswith(f"sudoku-encode: {source}:") for line in refused)
    expected = [puzzle for number, puzzle in entries if number not in numbers]
    written = list(se.read_all(target)) if target.exists() else []
    assert len(written) == len(expected)
    if to != "sukaku":
        assert [puzzle.givens.tolist() for puzzle in written if isinstance(puzzle, Puzzle)] == [
            puzzle.givens.tolist() for puzzle in expected
        ]
    assert len(expected) + len(numbers) == len(entries)
    if to == "json":
        assert len(json.loads(target.read_text())) == len(entries)
