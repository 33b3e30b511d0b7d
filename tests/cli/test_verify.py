"""`sudoku-encode verify`: tables, JSON, folders, expectations, exit statuses, shrinking."""

import json
import shlex
from pathlib import Path

import pytest

from sudoku_encode.methods.table import METHODS
from sudoku_encode.verifying.cases import chosen
from tests.helpers import broken_methods
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES, known

FIG_4_9 = str(INSTANCES / "papers" / "gtsps-fig-4.9.sdk")
SOME = ("--methods", "sat,cp-sat,brute-force")


@pytest.fixture
def faults(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, (listing, _) in broken_methods.FAULTS.items():
        monkeypatch.setitem(METHODS, name, broken_methods.method(name, listing))


def test_confirmed_puzzle(run: Command) -> None:
    """A puzzle is confirmed with what each method says."""
    ran = run("verify", FIG_4_9, "--methods", "sat,cp-sat,gtsps-4.1,logic")
    assert ran.status == 0
    rows = {line.split()[0]: line for line in ran.lines}
    assert set(rows) == {"method", "sat", "cp-sat", "gtsps-4.1", "logic", "confirmed:"}
    for method in ("sat", "cp-sat", "gtsps-4.1"):
        assert "127" in rows[method]
        assert rows[method].endswith("complete (listed)")
    assert "not known" in rows["logic"]
    assert "127, by 3 methods of 3 families that share no code (sat, cp-sat, tree)" in rows["confirmed:"]
    assert "as expected (GTSPS thesis" in rows["confirmed:"]


@pytest.mark.slow
def test_all_fitting_methods(run: Command) -> None:
    """With --all every method that takes the board runs; by default as many as confirm the number."""
    some = json.loads(run("verify", "--board", "4x4", "--json").out)
    assert [entry["method"] for entry in some["runs"]] == ["cp-sat", "sat", "search"]
    assert some["independent"] == ["cp-sat", "sat", "search"]
    ran = run("verify", "--board", "4x4", "--json", "--all")
    board = known("small/4x4-empty.txt").puzzle.geometry
    ran_methods = [entry["method"] for entry in json.loads(ran.out)["runs"]]
    able = [
        method for method in METHODS.values() if method.installed and method.is_evidence and not method.only_if_named
    ]
    assert ran_methods == [method.name for method in able if not method.unsupported_reason(board)]
    assert len(ran_methods) > 20


def test_named_variants_only() -> None:
    """Variants are compared only where they are named."""
    assert "jana2023-v2" not in chosen("all")
    assert "jana2023-v2-plain" in chosen("all")
    assert chosen("all,jana2023-v2") == (*chosen("all"), "jana2023-v2")


def test_json_of_runs(run: Command) -> None:
    """JSON has every run."""
    ran = run("verify", FIG_4_9, *SOME, "--json")
    report = json.loads(ran.out)
    assert (report["status"], report["count"], report["complete"], report["expected"]) == ("confirmed", 127, True, 127)
    assert report["independent"] == ["sat", "cp-sat", "backtracking"]
    assert [(one["method"], one["count"], one["complete"]) for one in report["runs"]] == [
        ("sat", 127, True),
        ("cp-sat", 127, True),
        ("brute-force", 127, True),
    ]


def test_known_toml_all_rules(run: Command) -> None:
    """What known toml says is compared under all its rules."""
    ran = run("verify", INSTANCES / "papers" / "jana-2023-table-2.txt", "--methods", "sat,cp-sat", "--json")
    reports = [json.loads(line) for line in ran.lines]
    assert [(report["count"], report["expected"]) for report in reports] == [(1, 1), (2, 2), (2, 2)]


def test_expectation_by_rules(run: Command) -> None:
    """Rules pick the expectation."""
    file = INSTANCES / "papers" / "jana-2023-table-2.txt"
    ran = run("verify", file, "--rules", "row-z,box-xy,box-yz", "--methods", "sat,cp-sat", "--json")
    (report,) = (json.loads(line) for line in ran.lines)
    assert (report["count"], report["expected"]) == (2, 2)


def test_wrong_expectation(run: Command, tmp_path: Path) -> None:
    """A wrong expectation is exit 1."""
    (tmp_path / "one.txt").write_text("1.3..2.." + "........\n")
    (tmp_path / "known.toml").write_text('[[known]]\nfile = "one.txt"\nboard = "4x4"\ncount = 7\nsource = "a rumour"\n')
    ran = run("verify", tmp_path, "--methods", "sat,cp-sat")
    assert ran.status == 1
    assert "expected 7 solutions" in ran.out


@pytest.mark.slow
def test_folder_summary(run: Command) -> None:
    """A folder ends in a summary and names what it left out."""
    ran = run("verify", INSTANCES / "known-counts", "--methods", "sat,norvig2006", "--limit", "2000")
    assert ran.status == 0
    (INSTANCES / "known-counts").iterdir()
    assert f"{len(ran.lines)} puzzles: {len(ran.lines)} confirmed, 0 unconfirmed, 0 disagree; " in ran.err


@pytest.mark.slow
def test_folder_without_known_toml(run: Command, tmp_path: Path) -> None:
    """A folder without known toml is read file by file."""
    (tmp_path / "a.sdm").write_text(f"{'0' * 80}1\n1{'0' * 80}\n")
    (tmp_path / "b.txt").write_text("no puzzle at all\n")
    (tmp_path / "c.txt").write_text(". . . .\n" * 4)
    ran = run("verify", tmp_path, "--methods", "sat,cp-sat", "--limit", "500", "--json")
    assert ran.status == 2
    assert "b.txt" in ran.err
    *reports, faulty, last = [json.loads(line) for line in ran.lines]
    assert (Path(faulty["file"]).name, faulty["status"]) == ("b.txt", "bad input")
    reports.append(last)
    # The two list different ones of the many solutions.
    assert [(Path(report["name"]).name, min(500, report["count"]), report["status"]) for report in reports] == [
        ("a.sdm#1", 500, "unconfirmed"),
        ("a.sdm#2", 500, "unconfirmed"),
        ("c.txt", 288, "confirmed"),
    ]


def test_long_text(run: Command) -> None:
    """A text may be longer than the name of a file."""
    # A full grid, whose rows are shifted by a box each; and what is no puzzle. No name has more than 255 characters.
    grid = "".join(
        "123456789ABCDEFG"[(row % 4 * 4 + row // 4 + column) % 16] for row in range(16) for column in range(16)
    )

    ran = run("verify", grid, "." * 300, "--methods", "sat,search")

    assert "confirmed: 1, by 2 methods" in ran.out
    assert "no file has this name" in ran.err
    assert ran.status == 2


def test_one_family(run: Command) -> None:
    """One family alone confirms nothing."""
    ran = run("verify", FIG_4_9, "--methods", "sat,sat:dual")
    assert ran.status == 3
    assert ran.lines[-1] == "unconfirmed: 127 only by sat"


@pytest.mark.usefixtures("faults")
def test_disagreement(run: Command) -> None:
    """A disagreement is exit 1 and shows the grid."""
    ran = run("verify", FIG_4_9, "--methods", "sat,cp-sat,loses")
    assert ran.status == 1
    line = next(line for line in ran.lines if line.startswith("loses loses"))
    assert "claims that 126 is all, but lacks a solution that sat lists" in line
    grid = ran.lines[ran.lines.index(line) + 1].strip()
    assert len(grid) == 81
    assert set(grid) <= set("123456789")
    assert ran.lines[-1].startswith("disagree: loses wrong; 127 by")


@pytest.mark.usefixtures("faults")
def test_shrunk_puzzle(run: Command) -> None:
    """The shrunk puzzle comes with a command that shows it again."""
    ran = run("verify", FIG_4_9, "--methods", "cp-sat,loses", "--shrink")
    command = shlex.split(next(line for line in ran.lines if "sudoku-encode verify" in line))
    assert command[:3] == ["sudoku-encode", "verify", "--board"]
    again = run(*command[1:])
    assert again.status == 1
    assert "loses loses" in again.out


@pytest.mark.usefixtures("faults")
def test_failing_method(run: Command) -> None:
    """A method that fails does not stop the others."""
    ran = run("verify", FIG_4_9, "--methods", "raises,killed,sat,cp-sat", "--json")
    assert ran.status == 0
    report = json.loads(ran.out)
    assert [(fault["method"], fault["kind"]) for fault in report["faults"]] == [
        ("raises", "raised"),
        ("killed", "died"),
    ]
    assert report["status"] == "confirmed"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--methods", "magic"], "no method is called 'magic'"),
        (["--memory", "much"], "memory much: expected a number of bytes"),
        (["--memory", "0"], "expected a number of bytes"),
        (["--timeout", "0"], "--timeout"),
        (["--methods", ","], "no method"),
        (["--board", "9x8"], "all sides must be equal"),
    ],
)
def test_bad_options(run: Command, arguments: list[str], words: str) -> None:
    """Bad options are one line."""
    ran = run("verify", FIG_4_9, *arguments)
    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("this is no toml", "known.toml"),
        ("[[known]]\nfile = 'one.txt'\n", "known.toml"),
        ("[[known]]\nfile = 'none.txt'\nboard = '4x4'\ncount = 1\nsource = 's'\n", "none.txt"),
        ("[[known]]\nfile = 'one.txt'\nboard = '4x4'\ncount = 1\nsource = 's'\nindex = 3\n", "puzzle 3"),
        ("[[known]]\nfile = 'one.txt'\nboard = '4x4'\ncount = 'many'\nsource = 's'\n", "count"),
        ("[[known]]\nfile = 'one.txt'\nboard = '4x4'\ncounts = 5\nsource = 's'\n", "counts"),
        ("known = 5\n", "known.toml"),
    ],
)
def test_bad_known_toml(run: Command, tmp_path: Path, text: str, words: str) -> None:
    """A bad known toml is one line."""
    (tmp_path / "one.txt").write_text("1.3..2..........\n")
    (tmp_path / "known.toml").write_text(text)
    ran = run("verify", tmp_path)
    assert ran.status == 2, ran.out
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


def test_unfit_methods_named(run: Command) -> None:
    """A remark names each requested method that cannot take a puzzle, and no other method."""
    ran = run("verify", "1...............", "--methods", "sat,jana2021,search")
    assert "method jana2021 does not fit 4x4: it supports only cubes\n" in ran.err
    assert ran.status == 0
    assert "does not fit" not in run("verify", "1234341221434321").err
    both = run("verify", "1234341221434321", "2143432112343412", "--methods", "sat,search,jana2021")
    assert "method jana2021 does not fit 4x4: it supports only cubes (2 puzzles)\n" in both.err


def test_bad_input_recorded(run: Command) -> None:
    """With --json an unreadable puzzle has a record in its place."""
    ran = run("verify", "1234341221434321\n12\n2143432112343412\n", "no-such-file", "--methods", "sat,search", "--json")
    records = [json.loads(line) for line in ran.lines]
    assert [record["status"] for record in records] == ["confirmed", "bad input", "confirmed", "bad input"]
    assert records[1]["puzzle"] == 2
    assert records[3]["file"] == "no-such-file"
    assert ran.status == 2
    alone = run("verify", "no-such-file", "--json")
    assert json.loads(alone.out)["status"] == "bad input"


def test_certificates_of_many(run: Command, tmp_path: Path) -> None:
    """--check takes the folder of many certificates, and names the command for those of candidates."""
    many, marks = tmp_path / "many", tmp_path / "marks"
    run("prove", "1234341221434321", "1.........2.....", "-o", many)
    ran = run("prove", "--check", many, "--json")
    assert [json.loads(line)["folder"] for line in ran.lines] == [str(many / "1"), str(many / "2")]
    (many / "1" / "puzzle.json").unlink()
    damaged = run("prove", "--check", many)
    assert (damaged.status, damaged.out.count("proved")) == (2, 1)
    assert "1/puzzle.json: cannot be read" in damaged.err
    run("candidates", "1.........2.....", "--prove", marks)
    assert f"`sudoku-encode candidates --check {marks}` checks it" in run("prove", "--check", marks).err
    other = many / "2"
    assert f"`sudoku-encode prove --check {other}` checks it" in run("candidates", "--check", other).err
    assert run("candidates", "--check", marks).status == 0
