"""Plain batches as one array: read the same way as puzzle by puzzle, or not at all."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import bulk
from sudoku_encode.formats.reading import read_all
from sudoku_encode.formats.writing import write
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle

NINE = board("9x9")
LINE = st.text("123456789.0", min_size=81, max_size=81).filter(lambda line: line.strip(".0") != "")


def written(folder: Path, text: str) -> str:
    (folder / "puzzles.txt").write_bytes(text.encode())
    return str(folder / "puzzles.txt")


@given(lines=st.lists(LINE, min_size=2, max_size=5), end=st.sampled_from(["\n", "\r\n"]), last=st.booleans())
@settings(derandomize=True, max_examples=50, deadline=None)
def test_a_plain_file_is_read_as_puzzle_by_puzzle(
    lines: list[str], end: str, last: bool, tmp_path_factory: pytest.TempPathFactory
) -> None:
    text = f"# a comment{end}" + end.join(lines) + (end if last else "")
    path = written(tmp_path_factory.mktemp("bulk"), text)
    one_by_one = list(read_all(path))
    assert all(isinstance(puzzle, Puzzle) for puzzle in one_by_one)
    found = bulk.read(path, NINE)
    assert found is not None
    assert np.array_equal(found, np.stack([puzzle.givens for puzzle in one_by_one if isinstance(puzzle, Puzzle)]))


@pytest.mark.parametrize(
    "text",
    [
        "1" * 81,
        f"{'1' * 81}\n",
        f"{'1' * 81}\n{'2' * 80}\n",
        f"{'1' * 81}\n\n{'2' * 81}\n",
        f"{'1' * 81}\n{'2' * 40}a{'2' * 40}\n",
        f"{'1' * 81} \n{'2' * 81} \n",
        f"# rules: row,column\n{'1' * 81}\n{'2' * 81}\n",
        f"#board:6x6\n{'1' * 81}\n{'2' * 81}\n",
        f"{'1' * 81}\n# between\n{'2' * 81}\n",
        "",
        "\n",
        "# nothing else",
    ],
)
def test_anything_else_is_left_to_the_other_reader(text: str, tmp_path: Path) -> None:
    assert bulk.read(written(tmp_path, text), NINE) is None


def test_a_board_that_is_asked_for_is_read_too_and_large_ones_are_not(tmp_path: Path) -> None:
    six = bulk.read(written(tmp_path, f"{'123456' * 6}\n{'.' * 36}\n"), board("6x6"))
    assert six is not None
    assert six[0].reshape(6, 6)[0].tolist() == [1, 2, 3, 4, 5, 6]
    assert not six[1].any()
    assert bulk.read(written(tmp_path, f"{'7' * 36}\n{'.' * 36}\n"), board("6x6")) is None
    assert bulk.read(written(tmp_path, f"{'1' * 256}\n" * 2), board("16x16")) is None
    assert bulk.read(str(tmp_path / "none.txt"), NINE) is None


@pytest.mark.parametrize("name", ["4x4", "9x9", "16x16", "25x25"])
def test_lines_are_those_that_write_writes(name: str) -> None:
    geometry = board(name)
    grids = np.random.RandomState(0).randint(0, geometry.n_values + 1, (5, geometry.n_cells)).astype(np.uint8)
    full = np.maximum(grids, 1)
    for some in (grids, full, full[:0]):
        wanted = "".join(write(geometry, grid, "line") + "\n" for grid in some)
        assert bulk.lines(geometry, some).decode() == wanted


def test_boards_without_letters_enough_are_refused() -> None:
    with pytest.raises(FormatError, match="write csv"):
        bulk.lines(board("36x36"), np.ones((1, 36 * 36), np.uint8))
