from importlib import import_module
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.formats import text
from sudoku_encode.formats.layout import layouts
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formats.text import implementation
from sudoku_encode.formats.writing import write
from sudoku_encode.puzzles import boards


def test_rows_and_modules() -> None:
    """Each row has functions and each module its rows alone."""
    files = {file.stem for file in Path(text.__path__[0]).glob("*.py")}
    assert files - {"__init__"} == {row.module for row in TEXT_FORMATS.values()}
    for module in files - {"__init__"}:
        formats = import_module(f"sudoku_encode.formats.text.{module}").FORMATS
        assert set(formats) == {name for name, row in TEXT_FORMATS.items() if row.module == module}


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_functions_of_row(name: str) -> None:
    """A format has the functions that its row asks for."""
    row, functions = TEXT_FORMATS[name], implementation(name)
    assert callable(functions.write)
    assert (functions.read is not None) == (row.begins is not None)
    assert row.is_document or functions.write_all is None


@pytest.mark.parametrize("name", TEXT_FORMATS)
def test_lines_per_puzzle(name: str) -> None:
    """A puzzle has the number of lines that its row says."""
    row = TEXT_FORMATS[name]
    board = boards.board("9x9" if row.unsupported_reason(boards.board("9x9")) is None else "4x4x4")
    lines = write(board, np.zeros(board.n_cells, int), name).splitlines()
    if row.is_one_line:
        assert len(lines) == 1
    elif not row.is_document:
        assert len(lines) > 1


def test_layouts_of_rows() -> None:
    """The layouts of the rows are those that are read."""
    known = {layout.kind for shape in ((4, 4), (4, 4, 4)) for layout in layouts("any", shape)}
    assert {kind for row in TEXT_FORMATS.values() for kind in row.layouts} == known
    assert all(row.layouts or row.begins for row in TEXT_FORMATS.values())
