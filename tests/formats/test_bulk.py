"""Many grids at once: read as one by one, and written as one by one."""

import gzip
import io
import lzma
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import zstandard
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import bulk, stream
from sudoku_encode.formats.cells import read_lines
from sudoku_encode.formats.entries import Entry, PuzzleBatch, one_by_one
from sudoku_encode.formats.reading import ReadOptions, read_all, read_entries
from sudoku_encode.formats.writing import write
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SIX = "123456" + "." * 30


def puzzles(entries: Iterator[Entry]) -> list[object]:
    """Return what can be compared of each entry: its line and the puzzle, or what the error says."""
    return [
        (entry.line, entry.content if isinstance(entry.content, Puzzle) else str(entry.content)) for entry in entries
    ]


LINES = st.sampled_from(
    [
        *(NINE, NINE.replace(".", "0"), NINE.replace(".", "x"), f"  {NINE}", f"{NINE} \t", f"{NINE} # easy", "." * 81),
        *(
            "",
            "   ",
            "# a comment",
            " # another",
            "bad",
            NINE[:80],
            NINE + "1",
            NINE[:80] + "?",
            NINE[:80] + "A",
            "\u00e9",
        ),
        *(" ".join(NINE), NINE[:40] + " " + NINE[40:], ",".join(NINE.replace(".", "0")), " " * 20 + NINE),
    ]
)


def streamed(text: str, size: int = 1 << 18, **options: str) -> list[object]:
    """Read a text in pieces of a size."""
    raw = text.encode()
    pieces = (raw[start : start + size] for start in range(0, len(raw), size))
    return puzzles(one_by_one(stream.read(pieces, ReadOptions(**options).setting("text"))))


def whole(text: str, **options: str) -> list[object]:
    """Read a text as a whole."""
    return puzzles(read_lines(text, ReadOptions(**options).setting("text")))


@given(lines=st.lists(LINES, min_size=1, max_size=12), size=st.integers(1, 400))
@settings(derandomize=True, max_examples=150, deadline=None)
def test_lines_as_whole_text(lines: list[str], size: int) -> None:
    """Lines are read as a text that is read as a whole."""
    text = "\n".join([*[NINE] * 12, *lines])
    assert streamed(text, size) == whole(text)


@pytest.mark.parametrize(
    "text",
    [
        f"{NINE}\n{NINE}\n# board: 6x6\n{SIX}\n{SIX}\n\n# board: 9x9\n# rules: row,column\n{NINE}\n",
        f"{NINE}\n" * 20 + "# board: 9x9\n" + "\n".join(NINE[start : start + 9] for start in range(0, 81, 9)),
        f"{NINE}\n[Other]\nwhat is here is ignored\n[Puzzle]\n{NINE}\n",
        f"{NINE}\n" * 20 + "-" * 81 + f"\n{NINE.replace('.', '-')}\n",
        f"{SIX}\n" * 3,
        "\n".join(["1" * 81] * 9),
        "\n".join([NINE[start : start + 9] for start in range(0, 81, 9)] * 2),
    ],
)
def test_more_than_lines(text: str) -> None:
    """A text that is more than lines is read as well."""
    try:
        wanted = whole(text)
    except FormatError as error:
        wanted = [str(error)]
    assert streamed(text) == wanted
    assert len(wanted) > 0


def test_thousands_of_lines(tmp_path: Path) -> None:
    """Thousands of lines are few blocks and a wrong one is in its place."""
    path = tmp_path / "batch"
    path.write_text(f"{NINE}\n" * 7000 + "bad\n" + f"{NINE}\n\n" * 5000)
    found = list(read_entries(path))
    blocks = [one for one in found if isinstance(one, PuzzleBatch)]
    assert sum(map(len, blocks)) == 12_000
    assert len(blocks) < 12
    (wrong,) = [one for one in found if isinstance(one, Entry)]
    assert (wrong.line, str(wrong.content)) == (7001, f"{path}:7001:4: 3 symbols where 9x9 needs 81")
    assert np.concatenate([block.lines for block in blocks]).tolist() == [*range(1, 7001), *range(7002, 17002, 2)]
    assert all((block.givens == blocks[0].givens[0]).all() for block in blocks)


@pytest.mark.parametrize("header", ["quizzes,solutions", "id, Puzzle ,solution,clues", "source,question,answer,rating"])
def test_table_column(header: str, tmp_path: Path) -> None:
    """A table is read by its column."""
    names = [name.strip().lower() for name in header.split(",")]
    answer = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    fields = {**dict.fromkeys(names, "7"), "solutions": answer, "solution": answer, "answer": answer}
    good = ",".join({**fields, "quizzes": NINE, "puzzle": NINE, "question": NINE}[name] for name in names)
    path = tmp_path / "table.csv"
    path.write_text(
        "\n".join([header, good, good, "1,2,3,4,5", good.replace(NINE, "bad"), good.replace(NINE, f'"{NINE}"')]) + "\n"
    )
    entries = list(one_by_one(read_entries(path)))

    assert [entry.line for entry in entries] == [2, 3, 4, 5, 6]
    assert [isinstance(entry.content, Puzzle) for entry in entries] == [True, True, False, False, True]
    assert {entry.answer for entry in entries if isinstance(entry.content, Puzzle)} == {answer}
    assert "5 fields where the table has" in str(entries[2].content)
    assert str(entries[3].content).endswith("3 symbols where 9x9 needs 81")
    puzzle = entries[0].content
    assert isinstance(puzzle, Puzzle)
    assert puzzle.givens.tolist() == [int(symbol) if symbol != "." else 0 for symbol in NINE]


def test_large_board_table(tmp_path: Path) -> None:
    """A table of large boards is read too."""
    path = tmp_path / "table.csv"
    path.write_text("name,puzzle\na," + "1" + "." * 255 + "\n")
    (found,) = read_all(path)
    assert isinstance(found, Puzzle)
    assert found.geometry.name == "16x16"


@pytest.mark.parametrize("suffix", ["gz", "xz", "zst"])
def test_compressed(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is compressed is read by how it begins."""
    raw = f"{NINE}\n".encode() * 5000
    packed = gzip.compress(raw) if suffix == "gz" else lzma.compress(raw) if suffix == "xz" else zstandard.compress(raw)
    path = tmp_path / "named.anything"
    path.write_bytes(packed)
    assert sum(isinstance(found, Puzzle) for found in read_all(path)) == 5000
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
    assert sum(isinstance(found, Puzzle) for found in read_all("-")) == 5000
    path.write_bytes(packed[: len(packed) // 2])
    with pytest.raises(FormatError, match="cannot be read"):
        list(read_all(path))


@pytest.mark.parametrize("name", ["4x4", "9x9", "16x16", "25x25"])
def test_lines_as_written(name: str) -> None:
    """Lines are those that write writes."""
    geometry = board(name)
    grids = np.random.RandomState(0).randint(0, geometry.n_values + 1, (5, geometry.n_cells)).astype(np.uint8)
    full = np.maximum(grids, 1)
    for some in (grids, full, full[:0]):
        wanted = "".join(write(geometry, grid, "line") + "\n" for grid in some)
        assert bulk.lines(geometry, some).decode() == wanted


def test_too_few_letters() -> None:
    """Boards without letters enough are refused."""
    with pytest.raises(FormatError, match="write csv"):
        bulk.lines(board("36x36"), np.ones((1, 36 * 36), np.uint8))
