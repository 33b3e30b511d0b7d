"""Tables of puzzles: delimiters, quotes, the columns that are read, and the rows as they were written."""

import codecs
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import bulk
from sudoku_encode.formats.entries import Entry, PuzzleBatch, one_by_one
from sudoku_encode.formats.reading import read_entries
from sudoku_encode.formats.tables import csv_row
from sudoku_encode.puzzles.puzzle import Puzzle

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


def entries(path: Path, text: str | bytes) -> list[Entry]:
    """Write a table, and return its puzzles one by one."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return list(one_by_one(read_entries(path)))


def rows_of(parsed: list[Entry]) -> list[str]:
    """Return the row of each puzzle as text."""
    return [b"".join(entry.rows.texts()).decode() if entry.rows else "" for entry in parsed]


def are_puzzles(parsed: list[Entry]) -> list[bool]:
    return [isinstance(entry.content, Puzzle) for entry in parsed]


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "bar"])
@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("bom", [b"", codecs.BOM_UTF8], ids=["", "BOM"])
def test_delimiters(delimiter: str, newline: str, bom: bytes, tmp_path: Path) -> None:
    """Each delimiter is read, with the rows as they are."""
    rows = [
        f"1{delimiter}{NINE}{delimiter}",
        f"{delimiter}{NINE}{delimiter}=1+1",
        f" é #2 {delimiter}{NINE}{delimiter}",
    ]
    text = newline.join([delimiter.join(["id", "Puzzle", "näme"]), *rows, ""])
    parsed = entries(tmp_path / "t", bom + text.encode())
    assert are_puzzles(parsed) == [True] * 3
    assert rows_of(parsed) == rows
    assert parsed[0].rows is not None
    table = parsed[0].rows.table
    assert (table.names, table.delimiter, table.newline.decode()) == (("id", "Puzzle", "näme"), delimiter, newline)


def test_quoted_cells(tmp_path: Path) -> None:
    """Delimiters, quotes, line breaks and comments in quoted cells belong to them."""
    rows = [
        f'"a, b","{NINE}","say ""x"""',
        f'"two\nlines, {NINE}",{NINE},"\r\n{NINE}\n"',
        f'"# no comment",{NINE},',
        f"#4,{NINE},x #5",
        f'5" disc,{NINE},',
        f'6," {NINE} ",',
    ]
    parsed = entries(tmp_path / "t", "\n".join(['"id","puzzle","note"', *rows, ""]))
    assert rows_of(parsed) == rows
    assert are_puzzles(parsed) == [True] * 6
    assert [entry.line for entry in parsed] == [2, 3, 7, 8, 9, 10]


def test_wrong_rows(tmp_path: Path) -> None:
    """A wrong row is an error in its place with its row, and the others go on."""
    rows = [f"1,{NINE}", f"2,{NINE},x", NINE, "4,", f'"6"x,{NINE}', f'5,"{NINE}', f"7,{NINE}"]
    parsed = entries(tmp_path / "t", "\n".join(["id,puzzle", *rows, "", "# a comment", ""]))
    assert rows_of(parsed) == rows
    assert are_puzzles(parsed) == [True, False, False, False, False, False, True]
    messages = [entry.content.message for entry in parsed if isinstance(entry.content, FormatError)]
    assert messages[:2] == ["3 fields where the table has 2", "1 fields where the table has 2"]
    assert messages[4].startswith("a cell begins with a quote")
    assert messages[3].startswith("not a row of a table")
    assert [entry.content.line for entry in parsed if isinstance(entry.content, FormatError)] == [3, 4, 5, 6, 7]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id,puzzle\n", "the table has a header, but no rows"),
        ("id,puzzle\n1\n2\n", "t:2: 1 fields where the table has 2"),
        (f"puzzle,quiz\n{NINE},{NINE}\n", "t:1: the columns puzzle and quiz are both a puzzle"),
        (f"puzzle,grid\n{NINE},{NINE}\n", "t:1: the columns puzzle and grid are both a puzzle"),
        (f"puzzle,puzzle\n{NINE},{NINE}\n", "t:1: the columns puzzle and puzzle are both a puzzle"),
        (f"puzzle,a;puzzle\n{NINE};{NINE}\n", "cut by commas or by semicolons"),
        (f"id,puzzle\n1,{'0' * 64}\n", "t:2: a line of 64 symbols may be 4x4x4 or 8x8"),
    ],
)
def test_refused_tables(text: str, message: str, tmp_path: Path) -> None:
    """A table that fits two readings, or has no rows, is refused."""
    with pytest.raises(FormatError) as error:
        entries(tmp_path / "t", text)
    assert message in str(error.value)


@pytest.mark.parametrize("header", ["board,puzzle,id", "x,grid,id", "x,Board,id", "puzzle,givens,id", "id,quizzes,id"])
def test_columns_of_puzzles(header: str, tmp_path: Path) -> None:
    """The column with symbols is read; others may number puzzles or name boards, or have equal names."""
    parsed = entries(tmp_path / "t", f"# comment\n\n{header}\n9x9,{NINE},7\n")
    assert are_puzzles(parsed) == [True]


def test_constraints_of_tables(tmp_path: Path) -> None:
    """A constraint before a table goes for each of its rows."""
    parsed = entries(tmp_path / "t", f"# constraint: cage 15 r1c1 r1c2 r1c4\nid,puzzle\n1,{NINE}\n2,{NINE}\n")
    assert [len(entry.content.constraints) for entry in parsed if isinstance(entry.content, Puzzle)] == [1, 1]


def test_long_quoted_cells(tmp_path: Path) -> None:
    """A quoted cell goes on in the next segment, and an open one ends nothing but its row."""
    path, note = tmp_path / "t", f'"{"n" * 50}\n{NINE}"'
    path.write_text("id,puzzle,note\n" + f"1,{NINE},{note}\n" * 3000 + f'2,{NINE},"\n' + f"3,{NINE},\n" * 9000)
    parsed = list(one_by_one(read_entries(path)))
    assert are_puzzles(parsed) == [True] * 3000 + [False] + [True] * 9000
    assert set(rows_of(parsed[:3000])) == {f"1,{NINE},{note}"}


def test_rows_of_batches(tmp_path: Path) -> None:
    """Quoted rows are read many at once, with their rows."""
    path = tmp_path / "t"
    path.write_text('"id","puzzle"\n' + "".join(f'"n, {number}","{NINE}"\n' for number in range(9999)))
    batches = list(read_entries(path))
    assert all(isinstance(batch, PuzzleBatch) for batch in batches)
    assert len(batches) < 20
    texts = [text for batch in batches for text in (batch.rows.texts() if batch.rows else ())]
    assert texts == [f'"n, {number}","{NINE}"'.encode() for number in range(9999)]


def test_fields_as_csv_cuts_them() -> None:
    """Fields that fit are those of the module csv; the others are left to it."""
    import csv

    pieces = ["a", '"a"', '"a,b"', '""', "", '"x""y"', 'a"b', '"a"b', ' "a" ', '"']
    lines = [f"{a},{b},{c}" for a in pieces for b in pieces for c in pieces]
    cut = bulk.table_fields(bulk.cut("".join(f"{line}\n" for line in lines).encode()), ",", 3, [0, 1, 2])
    fields = np.flatnonzero(cut.fit).tolist()
    assert len(fields) == 6**3
    for row in fields:
        (cells,) = csv.reader([lines[row]], strict=True)
        ours = [
            column.text[column.starts[row] : column.ends[row]].tobytes().decode().replace('""', '"')
            for column in cut.fields
        ]
        assert [cell.strip().strip('"') for cell in ours] == [cell.strip().strip('"') for cell in cells]


def test_csv_row() -> None:
    """A cell is between quotes where it needs them."""
    assert csv_row(["", "a,b", 'c"', "d\n"], ",") == ',"a,b","c""","d\n"'
    assert csv_row(["a,b", ""], ";") == "a,b;"
