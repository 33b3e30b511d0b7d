"""What commands print as JSON and CSV: the same first keys everywhere, as docs/records.schema.json says."""

import csv
import io
import json
import runpy
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from sudoku_encode.cli.app import load_command
from sudoku_encode.cli.table import COMMANDS
from sudoku_encode.formats.place import FIRST_KEYS
from sudoku_encode.puzzles.step import KINDS
from sudoku_encode.report.printing import row as table_row
from sudoku_encode.report.resuming import RunFile
from tests.helpers.command import Command
from tests.helpers.puzzles import PUZZLE, SEVERAL

HOME = Path(__file__).parents[2]
SCHEMA = json.loads((HOME / "docs" / "records.schema.json").read_text())
NONE = f"55{'.' * 79}"
# Good, bad, without a solution and with many.
BATCH = f"{PUZZLE}\nbad\n{NONE}\n{SEVERAL}\n"
# Options of `info` that print records of things that are not puzzles.
LISTS = ("--boards", "--formats", "--executors")
# By command; `batch` is a file with the puzzles above, `folder` one to write to.
CASES = {
    "solve": [["batch"], ["batch", "--method", "sat"], ["batch", "--timeout", "0"], ["table.csv", "--compare"]],
    "count": [
        ["batch", "--limit", "2"],
        [PUZZLE],
        ["--board", "9x9", "--method", "sat", "--timeout", "0.2"],
        ["batch", "--method", "approxmc"],
        ["batch", "--method", "approxmc", "--timeout", "0"],
    ],
    "enumerate": [["batch"], ["batch", "--limit", "2"], ["--board", "4x4", "--method", "sat", "--timeout", "0"]],
    "candidates": [
        ["batch", "--counts"],
        ["batch", "--method", "sat"],
        [PUZZLE, "--method", "cp-sat", "--timeout", "0"],
    ],
    "check": [
        ["batch"],
        ["batch", "--details", "--minimize", "--prove", "folder"],
        [PUZZLE],
        ["--board", "9x9", "--timeout", "0"],
    ],
    "sample": [
        ["batch", "-n", "2"],
        [PUZZLE, "--method", "walk"],
        ["--board", "16x16", "--timeout", "0"],
    ],
    "encode": [["batch", "-o", "folder/"], [PUZZLE, "-o", "folder/", "--encoding", "all", "--amo", "ladder"]],
    "decode": [["model.cnf", "answer"], ["model.cnf", "wrong"], ["model.cnf", "unknown"]],
    "bench": [["batch", "--methods", "sat,search"], [PUZZLE, "--timeout", "0.01", "--methods", "jana2021,brute-force"]],
    "verify": [["--board", "2x2"], ["batch", "--methods", "sat,search"], [PUZZLE, "--methods", "sat,jana2021"]],
    "prove": [["batch", "-o", "folder"], [PUZZLE, "-o", "folder", "--timeout", "0"], ["--check", "proof"]],
    "generate": [
        ["--board", "4x4", "--seed", "1"],
        ["--board", "4x4", "--clues", "5", "--solutions", "3", "--attempts", "1", "--seed", "1"],
        ["--board", "4x4", "--uniform", "--seed", "1"],
        ["--board", "4x4x4:literal"],
        ["--board", "16x16", "--timeout", "0"],
    ],
    "info": [
        ["batch"],
        ["--board", "9x9", "--constraint", "cage 10 r1c1 r1c2 h1"],
        [NONE, "--board", "9x9"],
        ["batch", "--encodings", "all", "--amo", "all"],
        *([option] for option in LISTS),
    ],
    "explain": [["batch"], ["batch", "--method", "gtsps-4.1"], [PUZZLE, "--method", "norvig2006", "--timeout", "0"]],
    "rate": [
        ["batch", "--copies", "3"],
        [PUZZLE, "--figure", "technique", "--figure", "steps"],
        [PUZZLE, "--timeout", "0"],
        ["--board", "4x4"],
    ],
    "hint": [["batch"], ["batch", "--all"], [PUZZLE, "--all"], [PUZZLE, "--timeout", "0"], ["--board", "4x4"]],
    "methods": [[], ["--board", "9x9x9"], ["sat"]],
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the cases read."""
    home = tmp_path_factory.mktemp("records")
    (home / "batch").write_text(BATCH)
    (home / "table.csv").write_text(f"quizzes,solutions\n{PUZZLE},\n{SEVERAL},{SEVERAL}\n{NONE},{'1' * 81}\n")
    return home


def valid(command: str, line: str) -> dict[str, Any]:
    """Return a record, after it is compared with the schema of its command."""
    record: dict[str, Any] = json.loads(line)
    errors = list(Draft202012Validator({**SCHEMA, "$ref": f"#/$defs/{command}"}).iter_errors(record))
    assert not errors, f"{errors[0].message} in {line[:300]}"
    return record


def test_schema_is_valid() -> None:
    """The schema is one."""
    Draft202012Validator.check_schema(SCHEMA)
    assert tuple(SCHEMA["$defs"]["first keys"]["properties"]) == FIRST_KEYS


def test_schema_is_made_from_types() -> None:
    """The file is the one that the types make, and every command with records has its definition."""
    script = runpy.run_path(str(HOME / "scripts" / "schema"))
    assert (HOME / "docs" / "records.schema.json").read_text() == script["text"](), "run scripts/schema"
    assert set(CASES) <= SCHEMA["$defs"].keys()


def test_all_json_commands_covered() -> None:
    """Every command with JSON is tried here."""
    with_json = {
        name for name in COMMANDS if any("--json" in parameter.opts for parameter in load_command(name).params)
    }
    assert with_json == set(CASES)


# Proofs, comparisons and all solutions in process after process; what is left has every command but these two.
SLOW = ("prove", "verify")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        pytest.param(name, case, marks=[pytest.mark.slow] if name in SLOW or "--prove" in case else [])
        for name, cases in CASES.items()
        for case in cases
    ],
)
def test_records_match_schema(
    run: Command, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, arguments: list[str]
) -> None:
    """Every record is as the schema says."""
    for file in home.iterdir():
        (tmp_path / file.name).symlink_to(file)
    monkeypatch.chdir(tmp_path)
    if command == "decode":
        assert run("encode", PUZZLE, "--reduce", "none", "-o", "model.cnf").status == 0
        (tmp_path / "answer").write_text("s SATISFIABLE\nv 0\n")
        (tmp_path / "wrong").write_text("s SATISFIABLE\nv 1 2 3 4 5 6 7 8 9 0\n")
        (tmp_path / "unknown").write_text("s UNKNOWN\n")
    if "--check" in arguments:
        assert run("prove", PUZZLE, "-o", "proof").status == 0
    ran = run(command, *arguments, "--json")

    assert ran.status != 70, ran.err
    assert ran.lines
    for line in ran.lines:
        record = valid(command, line)
        if command != "methods" and not set(LISTS) & set(arguments):
            assert tuple(record)[: len(FIRST_KEYS)] == FIRST_KEYS
    if "batch" in arguments and command in ("solve", "count", "check", "sample"):
        assert [json.loads(line)["puzzle"] for line in ran.lines] == [1, 2, 3, 4]


def test_ladder_manifest_matches_schema(run: Command, tmp_path: Path) -> None:
    """The manifest of a ladder is as the schema says."""
    assert run("generate", "--ladder", 2, "--board", "6x6+diagonals", "-o", f"{tmp_path}/", "--seed", 3).status == 0
    lines = (tmp_path / "manifest.jsonl").read_text().splitlines()
    assert [valid("ladder", line)["puzzle"] for line in lines] == [1, 2]
    assert all(tuple(json.loads(line))[: len(FIRST_KEYS)] == FIRST_KEYS for line in lines)


def test_wrong_record_seen() -> None:
    """A record that is wrong is seen."""
    good = {**dict.fromkeys(FIRST_KEYS), "status": "solved", "solution": [1], "reason": None, "chosen": []}
    assert valid("solve", json.dumps(good)) == good
    for wrong in ({"status": "fine"}, {"extra": 1}, {"line": -1}, {"solution": "1"}):
        with pytest.raises(AssertionError):
            valid("solve", json.dumps(good | wrong))


def test_kinds_of_steps() -> None:
    """The kinds of steps are in the schema and in the documentation."""
    assert SCHEMA["$defs"]["ShownStep"]["properties"]["kind"]["enum"] == list(KINDS)
    page = (HOME / "docs" / "internals" / "records.md").read_text()
    assert all(f"| `{kind}` | {meaning} |" in page for kind, meaning in KINDS.items())


@pytest.mark.parametrize("command", ["solve", "count", "info --encodings all", "methods"])
def test_tables_match_json(run: Command, tmp_path: Path, command: str) -> None:
    """Tables say what JSON says."""
    batch = tmp_path / "batch"
    batch.write_text(BATCH)
    name, *options = command.split()
    puzzles = [] if name == "methods" else [batch]
    records = [json.loads(line) for line in run(name, *puzzles, *options, "--json").lines]
    header, *rows = csv.reader(run(name, *puzzles, *options, "--csv").lines)

    assert len(rows) == len(records)
    for row, record in zip(rows, records, strict=True):
        assert len(row) == len(header)
        for key, text in zip(header, row, strict=True):
            value = record.get(key)
            # The puzzle as text is in tables only.
            if key not in ("seconds", "givens") and not isinstance(value, list):
                assert text == ("" if value is None else str(value).lower() if isinstance(value, bool) else str(value))


def test_complete_count_of_none(run: Command) -> None:
    """A count is complete also where it is none."""
    for arguments, expected in (((), (288, True)), (("--limit", "2"), (2, False))):
        record = json.loads(run("count", "--board", "4x4", "--json", *arguments).out)
        assert (record["count"], record["complete"]) == expected
    record = json.loads(run("count", "11..............", "--board", "4x4", "--json").out)
    assert (record["count"], record["complete"]) == (0, True)


def test_compare_encoding_sizes(run: Command) -> None:
    """The sizes of encodings compare in one command."""
    ran = run("info", "--board", "9x9", "--encodings", "minimal,extended,log", "--amo", "pairwise,ladder", "--csv")
    sizes = {(row["encoding"], row["amo"]): row["clauses"] for row in csv.DictReader(ran.lines)}

    # The counts of Lynce & Ouaknine 2006 without repeated clauses.
    assert sizes["minimal", "pairwise"] == "7371"
    both = {(name, amo) for name in ("minimal", "extended") for amo in ("pairwise", "ladder")}
    assert set(sizes) == both | {("log", "")}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--csv"], "--csv is for the sizes of encodings"),
        (["--amo", "ladder"], "--amo is for the sizes of encodings"),
        (["--encodings", "none"], "no encoding is called 'none'"),
        (["--encodings", ","], "no encoding is named"),
        (["--encodings", "all", "--csv", "--json"], "give only one form of output"),
    ],
)
def test_not_a_table(run: Command, arguments: list[str], said: str) -> None:
    """What is no table is refused."""
    ran = run("info", PUZZLE, *arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err


NAMES = [
    "two\nlines.txt",
    "a\rb.txt",
    'a\r\nb,"c".txt',
    "=1+1.txt",
    "+1.txt",
    "-x.txt",
    "@A1.txt",
    "\tx.txt",
    "\uff1d1.txt",
]


@pytest.mark.parametrize("command", ["count --limit 2", "solve --method search", "candidates", "info --encodings all"])
def test_table_rows_without_formulas(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    """Of any name that a file can have; Python's reader of tables says what a row is."""
    monkeypatch.chdir(tmp_path)
    for name in NAMES:
        Path(name).write_text(f"# board: 4x4\n{'1' + '.' * 15}\n{'.2' + '.' * 14}\n12\n")
    words = [*command.split(), "--", *NAMES]
    table = run(words[0], "--csv", *words[1:]).out
    rows = list(csv.DictReader(io.StringIO(table, "")))
    expected = [name if name[0] not in "=+-@\t\uff1d" else f"'{name}" for name in NAMES]
    assert {(found["file"], found["line"]) for found in rows} == {(name, line) for name in expected for line in "234"}
    assert not any(None in found or None in found.values() for found in rows)
    assert {found["file"] for found in map(json.loads, run(words[0], "--json", *words[1:]).lines)} == set(NAMES)


@pytest.mark.parametrize("name", NAMES[:4], ids=map(repr, NAMES[:4]))
def test_table_after_long_record(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """A table goes on after a record of several lines."""
    monkeypatch.chdir(tmp_path)
    Path(name).write_text(f"# board: 4x4\n{'1' + '.' * 15}\n{'.2' + '.' * 14}\n12\n")
    monkeypatch.setattr(RunFile, "remove", lambda self: None)
    assert run("count", "--csv", "-o", "all", "--", name).status == 2
    whole = list(csv.reader(io.StringIO(Path("all").read_bytes().decode(), "")))
    Path("all").rename("all.part")
    for _ in range(2):
        rows = list(csv.reader(io.StringIO(Path("all.part").read_bytes().decode(), "")))
        Path("all.part").write_bytes("".join(f"{table_row(fields)}\n" for fields in rows[:-1]).encode())
        assert run("count", "--csv", "-o", "all", "--resume", "--", name).status == 2
        again = list(csv.reader(io.StringIO(Path("all").read_bytes().decode(), "")))
        assert [found[:3] + found[7:] for found in again] == [found[:3] + found[7:] for found in whole]
        Path("all").rename("all.part")
    Path("all.part").write_bytes(Path("all.part").read_bytes().replace(b",1,,", b',1,",', 1))
    assert "not a record" in run("count", "--csv", "-o", "all", "--resume", "--", name).err
