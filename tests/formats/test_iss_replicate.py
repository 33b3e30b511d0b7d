"""`Replicate` of ISS strings: what stands in it comes to each cell that it names."""

import pytest

from sudoku_encode import Puzzle, read
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_boards import shape_of
from sudoku_encode.formats.iss_reading import expanded

_BITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"


def key(*steps: int) -> str:
    """Return the cells at some distances from the first one, in reading order."""
    return "".join(
        _BITS[sum(1 << step - at for step in steps if 0 <= step - at < 6)] for at in range(0, max(steps) + 1, 6)
    )


def texts_of(puzzle: Puzzle) -> list[str]:
    return [constraint.text(puzzle.geometry) for constraint in puzzle.constraints]


SIX = ".Shape~6x6"
MEANINGS = {
    f"{SIX}.Replicate~{key(0, 3, 6)}.Thermo~R1C1~R1C2.Cage~5~R1C1~R2C2.End.AntiKnight": [
        *("thermometer r1c1 r1c2", "cage 5 r1c1 r2c2", "thermometer r1c4 r1c5", "cage 5 r1c4 r2c5"),
        *("thermometer r2c1 r2c2", "cage 5 r2c1 r3c2", "anti-knight"),
    ],
    # Cells are counted from another one, which comes to each.
    f"{SIX}.Replicate~{key(0, 2)}~r2c2.Renban~R1C2~R2C2.Quad~R2C2~1~6.End": [
        *("renban r1c2 r2c2", "quadruple 1 6 r2c2 r2c3 r3c2 r3c3", "renban r1c4 r2c4"),
        "quadruple 1 6 r2c4 r2c5 r3c4 r3c5",
    ],
    # A table and an expression may look like a cell; a name may too.
    f"{SIX}.Replicate~{key(7)}.Pair~R1C1~_R1C1~R1C1~R1C2.Regex~MTI~R1C1~R1C2~~R2C1~R3C1.End": [
        "pairs 115 21356 32 41356: r2c2 r2c3",
        "regex 12: r2c2 r2c3",
        "regex 12: r3c2 r4c2",
    ],
    f"{SIX}.Replicate~{key(1)}.EqualSum~R1C1~R2C1~-~R1C2.SameValues~2~R1C1~R2C2.Whisper~3~R1C1~R1C2.End": [
        "equal-sums r1c2 r2c2 / r1c3",
        "same-values r1c2 / r2c3",
        "whispers 3 r1c2 r1c3",
    ],
    # One in another is moved by both.
    f"{SIX}.Replicate~{key(0, 12)}.Replicate~{key(1, 2)}.X~R1C1~R2C1.End.V~R1C1~R1C2.End": [
        *("xv 10 r1c2 r2c2", "xv 10 r1c3 r2c3", "xv 5 r1c1 r1c2"),
        *("xv 10 r3c2 r4c2", "xv 10 r3c3 r4c3", "xv 5 r3c1 r3c2"),
    ],
    f"{SIX}.Replicate.Thermo~R1C1~R1C2.End": [],
    f"{SIX}.Replicate~{key(4)}.End": [],
    ".Shape~6x6~0-5.Replicate~C.Cage~3~R1C1~R1C2.End": ["cage 3 r1c2 r1c3"],
}


@pytest.mark.filterwarnings("ignore:Shape")
@pytest.mark.parametrize("text", MEANINGS)
def test_copies_moved(text: str) -> None:
    """Each copy is moved and nothing stays at the first cell."""
    assert texts_of(read(text)) == MEANINGS[text]


def test_givens_moved() -> None:
    """Givens are moved with their values."""
    puzzle = read(f"{SIX}.Replicate~{key(0, 9)}.~R1C1_5~R1C2_1_2.End")
    assert puzzle.givens.reshape(6, 6)[:2].tolist() == [[5, 0, 0, 0, 0, 0], [0, 0, 0, 5, 0, 0]]
    assert puzzle.candidates[[1, 10]].sum(axis=1).tolist() == [2, 2]


def test_copies_of_choices() -> None:
    """Copies that are one choice among others stay together."""
    items = [
        ("Or", ()),
        ("Replicate", ["D"]),
        ("X", ["R1C1", "R1C2"]),
        ("End", ()),
        ("V", ["R3C1", "R3C2"]),
        ("End", ()),
    ]
    assert expanded(items, shape_of([])) == [
        *(("Or", ()), ("And", ()), ("X", ("R1C1", "R1C2")), ("X", ("R1C2", "R1C3")), ("End", ())),
        *(("V", ["R3C1", "R3C2"]), ("End", ())),
    ]


REFUSED = {
    f"{SIX}.Replicate~B.Thermo~R1C1~R1C2": "Replicate has no End",
    f"{SIX}.Replicate~{key(5)}.Thermo~R1C1~R1C2.End": "Replicate: a copy of R1C2 is not on the board",
    f"{SIX}.Replicate~{key(36)}.Thermo~R1C1~R1C2.End": "names a cell that is not on the board",
    f"{SIX}.Replicate~B~R7C1.Thermo~R1C1~R1C2.End": "Replicate: 'R7C1' is not a cell",
    f"{SIX}.Replicate~B~R0C1.Thermo~R1C1~R1C2.End": "Replicate: 'R0C1' is not a cell",
    f"{SIX}.Replicate~!.Thermo~R1C1~R1C2.End": "Replicate: '!' is not in base 64",
    f"{SIX}.Replicate~B.Skyscraper~R1~3.End": "Replicate: Skyscraper cannot be moved",
    f"{SIX}.Replicate~B.AntiKnight.End": "Replicate: AntiKnight cannot be moved",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals(text: str) -> None:
    """What cannot be moved is refused."""
    with pytest.raises(FormatError) as caught:
        read(text)
    assert REFUSED[text] in str(caught.value)
