"""Tables whose rows are objects: JSON lines and Parquet."""

import io
import json
import sys
from pathlib import Path

import pyarrow as arrow
import pytest
from pyarrow import parquet

from sudoku_encode.errors import FormatError, SudokuError
from sudoku_encode.formats.entries import Entry, PuzzleBatch, one_by_one
from sudoku_encode.formats.reading import read_entries
from sudoku_encode.formats.tables import ArrowRows
from sudoku_encode.puzzles.puzzle import Puzzle

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
VALUES = [int(symbol) if symbol != "." else 0 for symbol in NINE]


def entries(path: Path) -> list[Entry]:
    return list(one_by_one(read_entries(path)))


def puzzles(parsed: list[Entry]) -> list[bool]:
    for entry in parsed:
        if isinstance(entry.content, Puzzle):
            assert entry.content.givens.tolist() == VALUES
    return [isinstance(entry.content, Puzzle) for entry in parsed]


def test_objects_by_lines(tmp_path: Path) -> None:
    """Objects are read with their lines as they are, and errors are in their places."""
    lines = [
        f'{{"puzzle":"{NINE}","id":1.50}}',
        f'{{"id": "é", "Puzzle": "{NINE}"}}',
        "bad",
        json.dumps({"puzzle": VALUES, "id": 3}),
        '{"puzzle": 7}',
        "[1]",
        f'{{"puzzle":"{NINE}","puzzle":"{NINE}"}}',
        f'{{"puzzle":"{NINE}","constraint":"x"}}',
        f'{{"grid": "{NINE}"}}',
        f'{{"board": "{NINE}", "id": 5}}',
        f'{{"board": "9x9", "puzzle": "{NINE}"}}',
    ]
    path = tmp_path / "t.ndjson"
    path.write_text("\n".join([*lines[:3], "", *lines[3:]]))
    parsed = entries(path)
    assert puzzles(parsed) == [True, True, False, True, False, False, False, False, True, True, True]
    assert [entry.line for entry in parsed] == [1, 2, 3, *range(5, 13)]
    assert [b"".join(entry.rows.texts()).decode() for entry in parsed if entry.rows] == lines
    assert str(parsed[2].content) == f"{path}:3: not JSON: Expecting value (character 1)"


def test_many_objects(tmp_path: Path) -> None:
    """Thousands of objects are few batches, with their solutions, and a wrong one is in its place."""
    path, solution = tmp_path / "t.jsonl", NINE.replace(".", "1")
    good = f'{{"id": 1, "quiz": "{NINE}", "solution": "{solution}"}}\r\n'
    path.write_bytes((good * 20000 + '{"id": 2, "quiz": "bad"}\r\n' + good * 500).encode())
    items = list(read_entries(path))
    batches = [item for item in items if isinstance(item, PuzzleBatch)]
    assert sum(map(len, batches)) == 20500 - 1
    assert len(items) < 20
    (wrong,) = [item for item in items if isinstance(item, Entry) and not isinstance(item.content, Puzzle)]
    assert wrong.line == 20001
    assert {entry.answer for batch in batches for entry in batch.entries()} == {solution}


def test_rows_of_documents(tmp_path: Path) -> None:
    """An object, and each object of a list, is a row."""
    items = [{"puzzle": NINE, "id": "é"}, {"puzzle": "bad", "id": [1]}]
    for name, document in (("list", items), ("one", items[0])):
        path = tmp_path / name
        path.write_text(json.dumps(document, indent=1))
        parsed = entries(path)
        assert [json.loads(entry.rows.texts()[0]) for entry in parsed if entry.rows] == items[: len(parsed)]
        assert len(parsed) == (2 if name == "list" else 1)


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A Parquet file with a missing and a wrong puzzle."""
    path = tmp_path / "t"
    columns = {"id": [1, 2, 3, None], "puzzle": [NINE, NINE, None, "bad"], "a,b": ['"', "x", "", None]}
    parquet.write_table(arrow.table(columns), path)
    return path


def test_parquet(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Parquet is known by its beginning, also on standard input."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(table.read_bytes())))
    for source in (table, "-"):
        parsed = list(one_by_one(read_entries(source)))
        assert puzzles(parsed) == [True, True, False, False]
        assert [entry.line for entry in parsed] == [1, 2, 3, 4]
        rows = [entry.rows for entry in parsed if isinstance(entry.rows, ArrowRows)]
        assert [row.texts()[0].decode() for row in rows] == [f'1,{NINE},""""', f"2,{NINE},x", "3,,", ",bad,"]


def test_parquet_lists(tmp_path: Path) -> None:
    """A column of lists has puzzles too, and two columns that may be the puzzle are refused."""
    path = tmp_path / "t.parquet"
    parquet.write_table(arrow.table({"puzzle": [VALUES, VALUES]}), path)
    assert puzzles(entries(path)) == [True, True]
    parquet.write_table(arrow.table({"puzzle": [NINE], "quiz": [NINE]}), path)
    with pytest.raises(FormatError, match="puzzle and quiz are both a puzzle"):
        entries(path)
    parquet.write_table(arrow.table({"id": [1]}), path)
    with pytest.raises(FormatError, match="no column with puzzles"):
        entries(path)


def test_damaged_parquet(table: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A damaged file is one error, and so is a missing package, by its name and extra."""
    with monkeypatch.context() as context:
        context.setitem(sys.modules, "pyarrow", None)
        with pytest.raises(SudokuError, match=r"a Parquet file needs the package pyarrow .*parquet"):
            entries(table)
    table.write_bytes(table.read_bytes()[:200])
    with pytest.raises(FormatError, match="not a Parquet file that can be read"):
        entries(table)
