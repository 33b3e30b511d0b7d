from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.formats import text
from sudoku_encode.formats.layout import layouts
from sudoku_encode.formats.table import TEXT_FORMATS, implementation
from sudoku_encode.formats.writing import write
from sudoku_encode.puzzles import boards


def test_each_row_has_a_module_and_each_module_a_row() -> None:
    files = {file.stem for file in Path(text.__path__[0]).glob("*.py")}
    assert files - {"__init__"} == {name.replace("-", "_") for name in TEXT_FORMATS}


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_a_module_has_the_functions_that_its_row_asks_for(name: str) -> None:
    row = TEXT_FORMATS[name]
    functions = {"write", "write_all", "read"} & set(vars(implementation(name)))
    assert functions == {"write"} | ({"read"} if row.begins else set()) | ({"write_all"} if row.is_document else set())


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_a_puzzle_has_the_number_of_lines_that_its_row_says(name: str) -> None:
    row = TEXT_FORMATS[name]
    board = boards.board("9x9" if row.unsupported_reason(boards.board("9x9")) is None else "4x4x4")
    lines = write(board, np.zeros(board.n_cells, int), name).splitlines()
    if row.is_one_line:
        assert len(lines) == 1
    elif not row.is_document:
        assert len(lines) > 1


def test_the_layouts_of_the_rows_are_those_that_are_read() -> None:
    known = {layout.kind for shape in ((4, 4), (4, 4, 4)) for layout in layouts("any", shape)}
    assert {kind for row in TEXT_FORMATS.values() for kind in row.layouts} == known
    assert all(row.layouts or row.begins for row in TEXT_FORMATS.values())
