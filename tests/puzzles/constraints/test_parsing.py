"""The text of constraints: what people write for one is read, and the nearest kinds are named where none is meant."""

from dataclasses import replace
from pathlib import Path

import pytest

from sudoku_encode import Puzzle, board, read, write
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.parsing import _named, parse
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS

# What people write, and the text that it stands for.
WRITTEN = {
    "Killer 15 R1C1,r1c2": "cage 15 r1c1 r1c2",
    "killer cage 15 r1c1 r1c2": "cage 15 r1c1 r1c2",
    "KILLER_CAGE 15 r1c1,r1c2": "cage 15 r1c1 r1c2",
    "German whispers r1c1-r1c4": "whispers r1c1-r1c4",
    "dutch whispers R1C1-R1C4": "whispers 4 r1c1-r1c4",
    "white dot r1c1 r1c2": "difference r1c1 r1c2",
    "Kropki black 3 r1c1, r1c2": "ratio 3 r1c1 r1c2",
    "X r1c1 r1c2": "xv 10 r1c1 r1c2",
    "v r1c1 r1c2": "xv 5 r1c1 r1c2",
    "XV 5 r1c1 r1c2": "xv 5 r1c1 r1c2",
    "knight": "anti-knight",
    "AntiKnight": "anti-knight",
    "Anti King": "anti-king",
    "diagonal +": "diagonal 1",
    "diagonal-": "diagonal -1",
    "diagonal -1": "diagonal -1",
    "Diagonals": "diagonal",
    "Thermo R1C1-R1C4": "thermometer r1c1-r1c4",
    "slow thermo r1c1 r1c2": "slow-thermometer r1c1 r1c2",
    "Arrow R1C1/R1C2,R1C3": "arrow r1c1 / r1c2-r1c3",
    "Relation a<b: R1C1,r1c2": "relation a<b: r1c1 r1c2",
    "Killer >= 12 r1c1 r1c2": "cage >=12 r1c1 r1c2",
    "sum > 12 r1c1 r1c2": "sum >=13 r1c1 r1c2",
    "sum <12 r1c1,r1c2": "sum <=11 r1c1 r1c2",
    "sum 12..17 r1c1 r1c2": "sum 12-17 r1c1 r1c2",
    "weighted-sum -3..-1 1 -2 r1c1 r1c2": "weighted-sum -3--1 1 -2 r1c1 r1c2",
    "sum 10 r1c1*2 r1c2": "weighted-sum 10 2 1 r1c1 r1c2",
    "sum <=10 2*r1c1 r1c2-r1c4*-1": "weighted-sum <=10 2 -1 -1 -1 r1c1-r1c4",
    "weighted-sum 10 r1c1*2 r1c2 r1c1": "weighted-sum 10 3 1 r1c1 r1c2",
    "sandwich 10 [3 8] r1c1-r1c9": "sandwich 10 3 8 r1c1-r1c9",
    "sandwich >= 10 [3,8] r1c1-r1c9": "sandwich >=10 3 8 r1c1-r1c9",
    "Either Killer 7 r1c1 r1c2 | Thermo r1c1-r1c3 & X r2c1,r2c2": (
        "either cage 7 r1c1 r1c2 | thermometer r1c1-r1c3 & xv 10 r2c1 r2c2"
    ),
}


@pytest.mark.parametrize("text", WRITTEN)
def test_forgiving(text: str) -> None:
    """Aliases, capital letters, commas, and blanks or hyphens between words are read."""
    assert parse(text, board("9x9")) == parse(WRITTEN[text], board("9x9"))


@pytest.mark.parametrize("bounds", [(12, 12), (12, None), (None, 12), (-3, -1), (0, 3)])
def test_bounds_come_back(bounds: tuple[int | None, int | None], tmp_path: Path) -> None:
    """Bounds are written as they are read, and in JSON."""
    constraint = Constraint("weighted-sum", ((0, 1, 2),), (1, -1, 2), bounds=bounds)
    assert parse(constraint.text(board("9x9")), board("9x9")) == constraint
    puzzle = Puzzle.of(board("9x9"), constraints=[constraint])
    for form in ("line", "json", "csv"):
        write(puzzle, tmp_path / f"puzzle.{form}", form)
        assert read(tmp_path / f"puzzle.{form}").constraints == (constraint,)
    assert len({constraint, replace(constraint, bounds=(0, 7))}) == 2


@pytest.mark.parametrize("kind", CONSTRAINTS)
def test_aliases_distinct(kind: str) -> None:
    """No alias of a kind is a name of another."""
    row = CONSTRAINTS[kind]
    assert {_named(name.split()[:1])[0] for name in (row.name, *row.aliases)} == {row}


@pytest.mark.parametrize(
    ("text", "nearest"),
    [
        ("termometer r1c1 r1c2", "thermometer"),
        ("cagee 3 r1c1", "cage"),
        ("skyscrapper 3 r1c1-r1c9", "skyscraper"),
        ("whispres r1c1 r1c2", "whispers"),
    ],
)
def test_unknown_kind(text: str, nearest: str) -> None:
    """The three nearest kinds are named, and the page that lists all, on one short line."""
    with pytest.raises(FormatError) as caught:
        parse(text, board("9x9"))
    message = str(caught.value)
    assert message.startswith(f"not a kind of constraint: {text.partition(chr(32))[0]!r}; the nearest are {nearest}, ")
    assert message.endswith("(docs/constraints.md lists all)")
    assert (message.count(", "), len(message) < 150) == (2, True)
