"""--add: the table of the input given back with columns added."""

import codecs
import csv
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as arrow
import pytest
from pyarrow import parquet

from sudoku_encode import board, read
from sudoku_encode.formats import bulk
from sudoku_encode.report.resuming import RunFile
from tests.helpers.command import Command

NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
SOLVED = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
NONE = f"55{NINE[2:]}"


@pytest.fixture
def run_file_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave FILE.run beside a complete FILE, as a kill before the end leaves it beside FILE.part."""
    monkeypatch.setattr(RunFile, "remove", lambda self: None)


def written(path: Path, text: str | bytes) -> Path:
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["LF", "CRLF"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"], ids=["comma", "semicolon", "tab", "bar"])
def test_own_cells_stay(run: Command, tmp_path: Path, newline: str, delimiter: str) -> None:
    """Cells, header, delimiter and ends of lines are as they were."""
    header = f'"id"{delimiter}Püzzle n{delimiter}puzzle{delimiter}"{delimiter}x"'
    first, second = ["=1+1", " é ", NINE, f'"a ""{delimiter}"'], ["", '"x\ny"', f'"{NINE}"', ""]
    rows = [delimiter.join(first), delimiter.join(second)]
    text = codecs.BOM_UTF8 + newline.join([header, *rows, ""]).encode()
    output = tmp_path / "o"
    assert run("solve", written(tmp_path / "t", text), "--add", "solution,status", "-o", output).status == 0
    ends = [f"{delimiter}solution{delimiter}status", *[f"{delimiter}{SOLVED}{delimiter}solved"] * 2]
    lines = [f"{line}{end}{newline}" for line, end in zip([header, *rows], ends, strict=True)]
    assert output.read_bytes() == codecs.BOM_UTF8 + "".join(lines).encode()


def test_wrong_rows_stay(run: Command, tmp_path: Path) -> None:
    """A wrong row keeps its place and text, with the columns of its table."""
    rows = [f"1,{NINE}", "2,bad", "3", f"4,{NINE},5", f'5,"{NINE}', f"6,{NONE}"]
    path = written(tmp_path / "t", "\n".join(["id,puzzle", *rows]))
    ran = run("solve", path, "--add", "solution,status,seconds", "-q")
    assert ran.status == 2
    parsed = list(csv.reader(io.StringIO(ran.out, ""), strict=True))
    assert [row[:2] for row in parsed[1:]] == [
        ["1", NINE],
        ["2", "bad"],
        ["3", ""],
        ["4", f"{NINE},5"],
        ["5", f'"{NINE}'],
        ["6", NONE],
    ]
    assert [row[2:4] for row in parsed[1:]] == [[SOLVED, "solved"], *[["", "bad input"]] * 4, ["", "no solution"]]
    assert [bool(row[4]) for row in parsed[1:]] == [True, False, False, False, False, True]


@pytest.mark.parametrize("method", ["search", "sat"])
def test_many_rows(run: Command, tmp_path: Path, method: str) -> None:
    """Rows that are answered many at once, or one by one, get the same columns."""
    n = 300 if method == "search" else 5
    path = written(tmp_path / "t", "id,quizzes,solutions\n" + f"a,{NINE},{SOLVED}\n" * n + f"b,{NONE},\n")
    names = "count,complete,status,givens,line,reason"
    ran = run("count", path, "--limit", 2, "--method", method, "--add", names, "-q")
    rows = list(csv.DictReader(io.StringIO(ran.out)))
    assert len(rows) == n + 1
    assert {(row["count"], row["complete"], row["status"]) for row in rows[:n]} == {("1", "true", "unique")}
    assert rows[-1]["reason"] == "r1c1 and r1c2 are peers and both hold 5"
    assert [int(row["line"]) for row in rows] == [*range(2, n + 3)]
    assert all(row["givens"] == row["quizzes"] for row in rows)
    compared = run("solve", path, "--compare", "--add", "compared,solution", "--method", method, "-q").out
    words = [row["compared"] for row in csv.DictReader(io.StringIO(compared))]
    assert words == ["same"] * n + ["none"]


def test_plain_puzzles(run: Command, tmp_path: Path) -> None:
    """Puzzles that are not from a table get one."""
    path = written(tmp_path / "t", f"{NINE}\nbad\n{NINE.replace('.', '0')}\n")
    ran = run("count", path, "--add", "count,complete,line", "-q")
    assert ran.lines == ["puzzle,count,complete,line", f"{NINE},1,true,1", ",,,2", f"{NINE},1,true,3"]


def test_objects(run: Command, tmp_path: Path) -> None:
    """Lines of JSON get keys; those that are no objects stay as they are."""
    lines = [f'{{"puzzle":"{NINE}","x":1.50}}', "bad", f'{{ "id": "é", "puzzle": "{NONE}" }}', '{"puzzle": ""}']
    ran = run("count", written(tmp_path / "t", "\n".join(lines)), "--add", "count,status", "-q")
    ends = [', "count": 1, "status": "unique"}', ', "count": 0, "status": "no solution"}']
    assert ran.lines == [
        lines[0][:-1] + ends[0],
        "bad",
        lines[2][:-2] + ends[1],
        lines[3][:-1] + ', "count": null, "status": "bad input"}',
    ]
    listed = written(tmp_path / "list", json.dumps([{"puzzle": NINE, "id": 1}, {"puzzle": NINE, "count": 1}]))
    ran = run("solve", listed, "--add", "count")
    assert "not a field: 'count'" in ran.err
    ran = run("count", listed, "--add", "count", "-q")
    assert json.loads(ran.lines[0]) == {"puzzle": NINE, "id": 1, "count": 1}
    assert "--add count: the table has a column of that name" in ran.err


def test_parquet(run: Command, tmp_path: Path) -> None:
    """Parquet gives Parquet with its own columns and types, or CSV on standard output."""
    path, output = tmp_path / "t.parquet", tmp_path / "o.parquet"
    own = arrow.table(
        {"id": arrow.array([1, None, 3], arrow.int8()), "puzzle": [NINE, "bad", NONE], "l": [[1], [], None]}
    )
    parquet.write_table(own, path)
    assert run("count", path, "--add", "count,complete,seconds,status", "-o", output, "-q").status == 2
    table = parquet.read_table(output)
    assert table.select(own.column_names) == own
    assert table.column("count").to_pylist() == [1, None, 0]
    assert table.column("complete").to_pylist() == [True, None, True]
    assert list(map(str, table.schema.types[3:])) == ["int64", "bool", "double", "string"]
    assert run("count", path, "--add", "count", "-q").lines == [
        "id,puzzle,l,count",
        f"1,{NINE},[1],1",
        ",bad,[],",
        f"3,{NONE},,0",
    ]
    assert run("count", output, "--add", "count", "-o", tmp_path / "p.parquet").status == 2
    assert not (tmp_path / "p.parquet").exists()


def test_large_count_in_parquet(run: Command, tmp_path: Path) -> None:
    """A number that is too large for a column is one clear error, and no file is left."""
    path, output = tmp_path / "t.parquet", tmp_path / "o.parquet"
    parquet.write_table(arrow.table({"puzzle": ["." * 81]}), path)
    ran = run("count", path, "--method", "frontier", "--add", "count", "-o", output)
    assert ran.status == 2
    assert "too large for Parquet; write CSV" in ran.err
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--add", "nope"], "--add: not a field: 'nope'; the fields are file, line, puzzle, "),
        (["--add", ""], "--add: not a field: ''"),
        (["--add", "status,status"], "--add: status appears twice"),
        (["--add", "puzzle"], "--add puzzle: the table has a column of that name; rename it"),
        (["--add", "status", "--json"], "--json and --add: give only one form of output"),
        (["--add", "status", "--csv"], "--csv and --add: give only one form of output"),
        (["--add", "status", "-o", "x.parquet"], "--add writes Parquet only for Parquet"),
        (["--add", "status", "--resume", "-o", "x.parquet"], "a Parquet file is written as a whole"),
        (["--add", "count", "--resume", "-o", "x.csv"], "needs the column status"),
        (["--add", "status", "-o", "t.csv"], "t.csv"),
        (["u.csv", "--add", "status"], "u.csv has the columns id, puzzle between semicolons"),
        (["v.csv", "--add", "status"], "v.csv has the columns n, puzzle between commas"),
        (["w.txt", "--add", "status"], "w.txt has no columns"),
        (["--add", "status", "--method", "approxmc"], "have no effect with method approxmc"),
    ],
)
def test_refused(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], message: str) -> None:
    """An --add that cannot work is one clear line, and nothing is written."""
    monkeypatch.chdir(tmp_path)
    written(tmp_path / "t.csv", f"id,puzzle\n1,{NINE}\n")
    written(tmp_path / "u.csv", f"id;puzzle\n1;{NINE}\n")
    written(tmp_path / "v.csv", f"n,puzzle\n1,{NINE}\n")
    written(tmp_path / "w.txt", f"{NINE}\n")
    before = sorted(tmp_path.iterdir())
    ran = run("count", "t.csv", *words)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
    assert len(ran.err.splitlines()) == 1
    assert sorted(tmp_path.iterdir()) == before


def test_several_files(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files with the same columns become one table; a file that cannot be read has no row's cells."""
    monkeypatch.chdir(tmp_path)
    for name in "ab":
        written(tmp_path / name, f"id,puzzle\n{name},{NINE}\n")
    written(tmp_path / "empty", "")
    ran = run("count", "a", "empty", "b", "--add", "count,status")
    assert ran.lines == ["id,puzzle,count,status", f"a,{NINE},1,unique", ",,,bad input", f"b,{NINE},1,unique"]
    ran = run("count", "a", "-", "--add", "count", stdin=f"n;puzzle\n1;{NINE}\n")
    assert "stdin has the columns n, puzzle between semicolons" in ran.err


@pytest.mark.parametrize("form", ["csv", "json"])
@pytest.mark.parametrize("n_lines", [0, 1, 2, 5])
@pytest.mark.usefixtures("run_file_stays")
def test_resumed(run: Command, tmp_path: Path, form: str, n_lines: int) -> None:
    """A run that is resumed writes what one run would, with its exit status."""
    rows = [("a;b", NINE), ("c", "bad"), ('"x', NONE), ("d", NINE), ("e", NINE)]
    table, objects = io.StringIO(newline=""), [json.dumps({"id": a, "puzzle": b}) for a, b in rows]
    csv.writer(table, delimiter=";", lineterminator="\n").writerows([("id", "puzzle"), *rows])
    path = written(tmp_path / "t", table.getvalue() if form == "csv" else "\n".join(objects))
    words = ("count", path, "--add", "count,status", "-o", tmp_path / "o", "-q", "--method", "search")
    assert run(*words).status == 2
    whole = (tmp_path / "o").read_text()
    lines = whole.splitlines(keepends=True)
    (tmp_path / "o").rename(tmp_path / "o.part")
    (tmp_path / "o.part").write_text("".join(lines[:n_lines]) + "half")
    assert run(*words, "--resume").status == 2
    assert (tmp_path / "o").read_text() == whole


@pytest.mark.usefixtures("run_file_stays")
def test_other_cells_refused(run: Command, tmp_path: Path) -> None:
    """A run is not resumed with other cells of the user, or other columns."""
    path = written(tmp_path / "t", f"id,puzzle\n1,{NINE}\n2,{NINE}\n")
    words = ("count", path, "--add", "count,status", "-o", tmp_path / "o", "-q")
    assert run(*words).status == 0
    (tmp_path / "o").rename(tmp_path / "o.part")
    ran = run("count", path, "--add", "status", "-o", tmp_path / "o", "--resume")
    assert "this run begins differently: id,puzzle,status" in ran.err
    written(path, f"id,puzzle\n1,{NINE}\n3,{NINE}\n")
    assert "puzzle 2 is not the one of the record" in run(*words, "--resume").err


@pytest.mark.parametrize("puzzle", [NINE, "1...............", "1" + "." * 255])
def test_text_in_csv(run: Command, tmp_path: Path, puzzle: str) -> None:
    """Puzzles and solutions of --csv are text that is read back."""
    text = run("solve", puzzle, "--csv").out
    (row,) = csv.DictReader(io.StringIO(text))
    assert row["givens"] == puzzle
    assert all(given in (".", symbol) for given, symbol in zip(puzzle, row["solution"], strict=True))
    table = written(tmp_path / "table.csv", text)
    (again,) = csv.DictReader(io.StringIO(run("solve", table, "--compare", "--csv", "-q").out))
    assert again["givens"] == puzzle
    assert again["compared"] in ("same", "another solution")


def test_numbers_in_csv() -> None:
    """Boards with more values than symbols have numbers, which are read back."""
    geometry = board("latin:36x36")
    givens = np.arange(geometry.n_cells).astype(np.uint8) % 37
    (text,) = bulk.texts(geometry, givens[None])
    assert text.startswith(". 1 2 3")
    assert read(text, board=geometry).givens.tolist() == givens.tolist()


ROWS = f'id,puzzle,"level"\n7,{NINE},easy\n"a,b",{NONE},\n9,nonsense,x\n'


@pytest.mark.parametrize(
    ("command", "columns"),
    [
        (["check", "--add", "status,reason"], [["unique", ""], ["no solution", ""]]),
        (["check", "--details", "--add", "status,line"], [["unique", "2"], ["no solution", "3"]]),
        (["rate", "--figure", "technique", "--add", "technique,status"], [["1", "unique"], ["", "no solution"]]),
        (["candidates", "--add", "complete,candidates"], [["true", " ".join(SOLVED)], ["true", ""]]),
    ],
    ids=["check", "check --details", "rate", "candidates"],
)
def test_other_commands(run: Command, tmp_path: Path, command: list[str], columns: list[list[str]]) -> None:
    """Other questions add columns too; a row without a puzzle keeps its place."""
    ran = run(*command, written(tmp_path / "k.csv", ROWS), "-q")
    assert ran.status == 2
    header, *rows = csv.reader(io.StringIO(ran.out, ""), strict=True)
    assert header == ["id", "puzzle", "level", *command[-1].split(",")]
    assert [row[:3] for row in rows] == [["7", NINE, "easy"], ["a,b", NONE, ""], ["9", "nonsense", "x"]]
    assert [row[3:] for row in rows[:2]] == columns


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rate", "--add", "solution"], "not a field: 'solution'; the fields are file, line"),
        (["rate", "--add", "steps", "--sort", "steps"], "--sort has no effect with --add"),
        (["check", "--add", "status", "--csv"], "--csv and --add: give only one form of output"),
        (["check", "--add", "level"], "not a field: 'level'"),
        (["candidates", "--check", "folder", "--add", "status"], "--check takes a folder"),
    ],
)
def test_refused_columns(run: Command, tmp_path: Path, arguments: list[str], message: str) -> None:
    """Columns that do not exist, and options without effect, are refused before anything is printed."""
    puzzles = [] if "--check" in arguments else [written(tmp_path / "k.csv", ROWS)]
    ran = run(*arguments, *puzzles)
    assert (ran.status, ran.out) == (2, "")
    assert message in ran.err
