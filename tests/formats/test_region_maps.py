"""Jigsaws: a region in several pieces is remarked on whichever way it comes in, and letters name regions everywhere."""

import json
import warnings
from pathlib import Path

import pytest

import sudoku_encode as se
from sudoku_encode.formats.table import TEXT_FORMATS
from tests.helpers.command import Command

MAP = "AAABABBBCCCDDDCD"
BOARD, ROWS = f"jigsaw:{MAP}", [MAP[start : start + 4] for start in range(0, 16, 4)]
REMARK = "region of the jigsaw in several pieces: that of r3c4 in 2"
GIVENS = [[1, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4]
LINE = "1..............."
# The same jigsaw in other ways, each with letters as the names of regions.
TEXTS = {
    "directive": f"# board: {BOARD}\n{LINE}\n",
    "grid and map": "1...\n....\n....\n....\n\n" + "\n".join(ROWS),
    "numbers and map": "1 0 0 0\n0 0 0 0\n0 0 0 0\n0 0 0 0\n\n" + "\n".join(map(" ".join, ROWS)),
    "csv and map": "1,,,\n,,,\n,,,\n,,,\n\n" + "\n".join(map(",".join, ROWS)),
    "two lines": f"{LINE}\n{MAP}\n",
    "one line": f"{LINE}{MAP}\n",
    "JSON board": json.dumps({"board": BOARD, "givens": GIVENS}),
    "JSON regions": json.dumps({"givens": GIVENS, "regions": ROWS}),
    "JSON lists": json.dumps([GIVENS, [[*row] for row in ROWS]]),
    "JSON lines": json.dumps({"puzzle": LINE, "board": BOARD}) + "\n" + json.dumps({"puzzle": LINE, "board": BOARD}),
    "f-puzzles": json.dumps({
        "size": 4,
        "grid": [
            [{"region": name} | ({"value": 1, "given": True} if (row, column) == (0, 0) else {})
             for column, name in enumerate(names)]
            for row, names in enumerate(ROWS)
        ],
    }),
    "iss": f".Shape~4x4.NoBoxes.Jigsaw~{MAP}.~R1C1_1\n",
}  # fmt: skip


@pytest.mark.parametrize("way", TEXTS)
def test_pieces_in_texts(run: Command, tmp_path: Path, way: str) -> None:
    """A text with a region in two pieces is read with one remark on it."""
    path = tmp_path / "jigsaw"
    path.write_text(TEXTS[way])
    ran = run("count", path)
    assert {*ran.out.split()} == {"6"}
    assert ran.err.count(REMARK) == 1


@pytest.mark.parametrize(
    "form",
    # Solo draws each region as one piece.
    [name for name, row in TEXT_FORMATS.items() if name != "solo" and not row.unsupported_reason(se.board(BOARD))],
)
def test_pieces_in_formats(run: Command, tmp_path: Path, form: str) -> None:
    """Each format that has jigsaws brings the remark back."""
    path = tmp_path / "jigsaw"
    path.write_text(run("convert", LINE, "--board", BOARD, "--to", form).out)
    assert run("info", path).err.count(REMARK) == 1


@pytest.mark.parametrize("board", [BOARD, "jigsaw:map"])
def test_pieces_of_named_board(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, board: str) -> None:
    """--board brings the remark too, with a puzzle, with a table and alone."""
    monkeypatch.chdir(tmp_path)
    Path("map").write_text("\n".join(ROWS))
    Path("table.csv").write_text(f"puzzle\n{LINE}\n{LINE}\n")
    for arguments in ([LINE], [], ["table.csv"]):
        assert run("count", *arguments, "--board", board).err.count(REMARK) == 1


def test_pieces_in_python() -> None:
    """In Python it is a warning, for texts and arrays; a map of whole regions has none."""
    for puzzle in (LINE, GIVENS, [[*row] for row in ("1...", "....", "....", "....")]):
        with pytest.warns(UserWarning, match=REMARK):
            assert se.count(puzzle, board=BOARD).value == 6
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert se.count(GIVENS, board="jigsaw:AABBAABBCCDDCCDD").value == 72


@pytest.mark.parametrize(("region", "part"), [("", '""'), ("a b", '"a b"'), (1.5, "1.5"), (True, "true")])
def test_wrong_region_refused(region: object, part: str) -> None:
    """A region of f-puzzles that is neither a number nor a letter is refused by its cell."""
    text = json.dumps({"size": 4, "grid": [[{"region": region}] + [{}] * 3, *[[{}] * 4] * 3]})
    with pytest.raises(se.FormatError) as error:
        se.read(text)
    assert f'"region" of r1c1 is {part}; it is a number, a letter or null' in str(error.value)
