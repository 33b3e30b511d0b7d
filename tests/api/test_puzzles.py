"""Puzzles in arrays, tables and lists: any mark for a blank, texts for cells or rows; doubtful values are refused."""

import re
from importlib import import_module
from typing import Any

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.api.puzzles import as_puzzle

# Its types are in a package of their own.
pd: Any = import_module("pandas")

TEXT = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [TEXT[start : start + 9] for start in range(0, 81, 9)]
CELLS = [list(row) for row in ROWS]
NUMBERS = [[None if symbol == "." else int(symbol) for symbol in row] for row in ROWS]
FLOATS = np.array([[np.nan if number is None else number for number in row] for row in NUMBERS])


def marked(blank: object) -> list[list[Any]]:
    """Return the numbers of the puzzle with a mark for each blank."""
    return [[blank if number is None else number for number in row] for row in NUMBERS]


FORMS: dict[str, Any] = {
    "rows": ROWS,
    "cells": CELLS,
    "cells in a row": list(TEXT),
    "tuples": tuple(map(tuple, CELLS)),
    "None": NUMBERS,
    "None in a row": [number for row in NUMBERS for number in row],
    "NaN": FLOATS,
    "NaN in single precision": FLOATS.astype(np.float32),
    "NaN in lists": FLOATS.tolist(),
    "zeros in floats": np.nan_to_num(FLOATS),
    "points": marked("."),
    "spaces": marked(" "),
    "nothing": marked(""),
    "zeros as texts": [[symbol.replace(".", "0") for symbol in row] for row in ROWS],
    "None among texts": [[None if symbol == "." else symbol for symbol in row] for row in ROWS],
    "objects": np.array(NUMBERS, object),
    "array of texts": np.array(CELLS),
    "table of floats": pd.DataFrame(FLOATS),
    "table of texts": pd.DataFrame(CELLS),
    "table of missing values": pd.DataFrame(NUMBERS, dtype="Int64"),
}


@pytest.mark.parametrize("form", FORMS)
def test_forms_of_values(form: str) -> None:
    """Values in any container, with any mark for a blank, are the puzzle of their text."""
    assert as_puzzle(FORMS[form]) == se.read(TEXT)
    assert as_puzzle(FORMS[form], board="9x9") == se.read(TEXT)


def test_forms_everywhere(capsys: pytest.CaptureFixture[str]) -> None:
    """All functions take them, those for one puzzle and those for many."""
    assert str(se.solve(CELLS)).startswith("534678912")
    assert list(se.violations(NUMBERS, se.solve(FORMS["table of floats"]) or "")) == []
    assert list(se.count_all([CELLS, NUMBERS, FORMS["table of texts"]])) == [1, 1, 1]
    assert list(se.count_all(pd.DataFrame(FLOATS.reshape(1, 81)))) == [1]
    for values in (ROWS, CELLS, list(TEXT), FORMS["table of floats"], [TEXT], pd.Series([TEXT])):
        se.write(values)
        assert capsys.readouterr().out == f"{TEXT}\n"


def test_other_boards() -> None:
    """The shape says the board, and numbers of two digits are texts too."""
    assert as_puzzle(np.full((4, 4, 4), ".")).geometry == se.board("4x4x4")
    assert as_puzzle(np.full((16, 16), np.nan)).geometry == se.board("16x16")
    assert as_puzzle([["16", *"." * 15], *[["."] * 16] * 15]).givens[:2].tolist() == [16, 0]
    samurai = se.board("samurai")
    places = np.full(samurai.frame, " ", object)
    places[0, 0] = "7"
    assert as_puzzle(places, board="samurai").givens[samurai.cells_by_coordinates[0, 0]] == 7


BLANK_ROWS = [[None] * 9] * 8
BAD: dict[str, tuple[Any, str | None, str]] = {
    "None": (None, None, "not a puzzle: None"),
    "NaN": (float("nan"), None, "not a puzzle: nan"),
    "half": ([[0.5] * 9] * 9, None, "values[0, 0] is 0.5; expected a whole number"),
    "infinite": ([[np.inf] * 9] * 9, None, "values[0, 0] is inf; expected a whole number"),
    "truth values": (np.zeros((9, 9), bool), None, "values must be whole numbers, not bool"),
    "number as text": ([[5, "3", *[None] * 7], *BLANK_ROWS], None, "values[0, 1] is '3'; expected a whole number"),
    "text beside numbers": ([[5, "3", *"." * 7], *[["."] * 9] * 8], None, "values[0, 1] is '3'; expected a whole"),
    "word": ([["x!"] * 9] * 9, None, "values[0, 0] is 'x!'; expected a value, or '.' for a blank"),
    "comment": (["# board: 4"] * 9, None, "values[0] is '# board: 4'; expected a row of symbols"),
    "letter": ([["A", *"." * 8], *[["."] * 9] * 8], None, "'A' is not a symbol of a puzzle"),
    "short row": ([*ROWS[:8], "..."], None, "values:9:4: 3 symbols where 9x9 needs 9"),
    "two puzzles": ([TEXT, TEXT], None, "2 puzzles where one is needed; count_all"),
    "a file": (["/etc/hosts", "/etc/hosts"], None, "values[0] is '/etc/hosts'"),
    # Values may be from 0, and only the largest one settles that.
    "0 and None": (
        [[0, 8, *[None] * 7], *BLANK_ROWS],
        None,
        "0 may be a blank or a value, since blanks are also written as None",
    ),
    "None from 0": ([[1, 8, *[None] * 7], *BLANK_ROWS], "9x9:0-8", "may count from 0 or from 1 on 9x9:0-8"),
    "0 and points": ([["0", "8", *"." * 7], *[["."] * 9] * 8], None, "0 may be a blank or a value"),
    "a cube for a square": (np.full((4, 4, 4), "1"), "8x8", "values of shape (4, 4, 4) for 8x8; expected (8, 8)"),
    "16 rows": (["1..............."] * 16, None, "16 puzzles of 4x4 or 16x16"),
    "samurai or 21x21": (np.pad([[1.0]], (0, 20), constant_values=np.nan), None, "21x21 or samurai"),
}


@pytest.mark.parametrize("case", BAD)
def test_bad_values(case: str) -> None:
    """Cells that are not values, and values that may be two things, are refused by their place."""
    values, board, words = BAD[case]
    with pytest.raises(se.FormatError, match=re.escape(words)):
        as_puzzle(values, board=board)


def test_values_from_zero() -> None:
    """Texts have numbers from 0, and arrays values from 1, where the largest settles it."""
    texts = [["0", "8", *"." * 7], *[["."] * 9] * 8]
    assert as_puzzle(texts, board="9x9:0-8").givens[:3].tolist() == [1, 9, 0]
    numbers = [[1, 9, *[None] * 7], *BLANK_ROWS]
    assert as_puzzle(numbers, board="9x9:0-8") == as_puzzle(texts, board="9x9:0-8")
    assert as_puzzle([[0, 9, *[None] * 7], *BLANK_ROWS]).givens[:3].tolist() == [0, 9, 0]
