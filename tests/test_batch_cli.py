"""Many puzzles on the command line: files that a later run goes on with, several processes, silence, comparisons."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from command import Command
from puzzles import PUZZLE, SEVERAL, SOLUTION

from sudoku_encode.storage.files import read_lines

NONE = f"55{'.' * 79}"
LAST_ROW = "r9c1 and r9c9 are peers and both hold 7"
ROWS = [PUZZLE, NONE, SEVERAL, "bad"]
FORMS = [[], ["--json"], ["--csv"]]


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    path = tmp_path / "batch.sdm"
    path.write_text("".join(f"{ROWS[number % 4]}\n" for number in range(40)))
    return path


def timeless(text: str) -> list[object]:
    """Leave out of records what no two runs have in common."""
    if not text.startswith("{"):
        return [[field for at, field in enumerate(line.split(",")) if at != 6] for line in text.splitlines()]
    return [{**json.loads(line), "seconds": 0, "chosen": 0} for line in text.splitlines()]


@pytest.mark.parametrize(
    ("command", "form"),
    [
        *[(["solve", "--method", "search"], form) for form in FORMS],
        *[(["count", "--limit", "2"], form) for form in FORMS[1:]],
    ],
)
def test_a_run_that_was_killed_goes_on_behind_its_last_record(
    run: Command, batch: Path, tmp_path: Path, command: list[str], form: list[str]
) -> None:
    whole = run(*command, batch, *form)
    assert run(*command, batch, *form, "-o", tmp_path / "all").status == whole.status == 2
    lines = (tmp_path / "all").read_bytes().splitlines(keepends=True)
    assert timeless(b"".join(lines).decode()) == timeless(whole.out)

    for n_lines, half in ((0, b""), (1, b"12"), (3, b""), (18, b'{"fi'), (len(lines), b"")):
        (tmp_path / "new.part").write_bytes(b"".join(lines[:n_lines]) + half)
        ran = run(*command, batch, *form, "-o", tmp_path / "new", "--resume")
        # The status is that of all puzzles, also of those that the earlier run had answered.
        assert (ran.status, ran.out) == (2, "")
        found = (tmp_path / "new").read_bytes()
        assert found.startswith(b"".join(lines[:n_lines]))
        assert timeless(found.decode()) == timeless(whole.out)
        (tmp_path / "new").unlink()


def test_statuses_of_an_earlier_run_count_for_the_exit_status(run: Command, tmp_path: Path) -> None:
    puzzles = tmp_path / "two.txt"
    for first, status in ((NONE, 1), (SEVERAL, 3), (PUZZLE, 0)):
        puzzles.write_text(f"{first}\n{PUZZLE}\n")
        for form in FORMS[1:]:
            assert run("count", puzzles, "--limit", 2, *form, "-o", tmp_path / "all").status == status
            assert run("count", puzzles, "--limit", 2, *form, "-o", tmp_path / "all", "--resume").status == status


@pytest.mark.parametrize(
    ("form", "content", "said"),
    [
        ([], "1\n", "--resume needs records that say their puzzle, not bare numbers"),
        (["--json"], "1\n", "this run would begin otherwise"),
        (["--csv"], "file,line,puzzle,name\n", "this run would begin otherwise"),
        (["--json"], '{"file": 1}\n', "1: this is no record; are the puzzles the same?"),
        (
            ["--json"],
            '{"file": "other", "line": 1, "puzzle": 1}\n' * 41,
            "there are more records than puzzles",
        ),
        (["--json"], '{"file": "other", "line": 1, "puzzle": 1}\n', "this is the record of other:1:1, not of"),
    ],
)
def test_a_file_of_other_records_is_refused_and_unchanged(
    run: Command, batch: Path, tmp_path: Path, form: list[str], content: str, said: str
) -> None:
    (tmp_path / "all.part").write_text(content)
    ran = run("count", batch, *form, "-o", tmp_path / "all", "--resume")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert (tmp_path / "all.part").read_text() == content


def test_solutions_of_another_puzzle_are_refused(run: Command, batch: Path, tmp_path: Path) -> None:
    (tmp_path / "all.part").write_text(f"{SOLUTION[1:]}{SOLUTION[0]}\n")
    ran = run("solve", batch, "-o", tmp_path / "all", "--resume")
    assert ran.status == 2
    assert "all.part:1: this is no solution of the puzzle in its place" in ran.err


def test_grids_of_several_lines_cannot_be_resumed(run: Command, batch: Path, tmp_path: Path) -> None:
    (tmp_path / "all.part").write_text("5 3 4 6\n")
    ran = run("solve", batch, "--to", "grid", "-o", tmp_path / "all", "--resume")
    assert (ran.status, ran.out) == (2, "")
    assert "--resume needs a puzzle a line, which --to grid is not" in ran.err


def test_ctrl_c_keeps_what_was_answered_and_says_how_to_go_on(tmp_path: Path) -> None:
    hard = tmp_path / "hard.txt"
    # The empty board has too many solutions to list.
    hard.write_text(f"{PUZZLE}\n{'.' * 81}\n{PUZZLE}\n")
    program = [sys.executable, "-m", "sudoku_encode", "count", str(hard), "--method", "sat", "-j", "1", "--csv"]
    with subprocess.Popen([*program, "-o", str(tmp_path / "all")], stderr=subprocess.PIPE, text=True) as process:
        until = time.monotonic() + 60
        # The header, and the first record.
        while not (tmp_path / "all.part").exists() or (tmp_path / "all.part").read_text().count("\n") < 2:
            assert time.monotonic() < until
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
    assert process.returncode == 3
    assert "interrupted: 1 puzzles are done" in said or "interrupted: 2 puzzles are done" in said
    assert "all.part keeps what was written; go on with --resume" in said
    # A puzzle that was interrupted is asked again by the next run.
    assert len((tmp_path / "all.part").read_text().splitlines()) == 2


@pytest.mark.parametrize("command", ["solve", "count", "enumerate"])
def test_processes_change_neither_answers_nor_their_order(run: Command, batch: Path, command: str) -> None:
    batch.write_text(batch.read_text().replace("bad\n", ""))
    one, two = (run(command, batch, "--method", "sat", "--json", "-j", number) for number in (1, 3))
    assert timeless(one.out) == timeless(two.out)
    assert one.status == two.status


@pytest.mark.parametrize("options", [["--minimal", "--board", "6x6"], ["--clues", "30"]])
def test_puzzles_of_a_seed_are_the_same_from_several_processes(run: Command, options: list[str]) -> None:
    one, two = (run("generate", *options, "--seed", 5, "--many", 6, "-j", number) for number in (1, 3))
    assert (one.status, one.out) == (two.status, two.out)
    assert len(one.lines) >= 6


def test_quiet_leaves_remarks_out_and_no_error(run: Command, batch: Path, tmp_path: Path) -> None:
    for command in (["count"], ["solve"], ["enumerate"], ["encode", "-o", f"{tmp_path}/models/"]):
        ran = run(*command, batch, "-q")
        assert ran.status == 2
        assert set(ran.err.splitlines()) == {
            f"sudoku-encode: {batch}:{line}:4: 3 symbols where 9x9 needs 81" for line in range(4, 41, 4)
        }
    assert run("count", SEVERAL, "-q", "--timeout", 0).err == ""


def table(path: Path, *rows: tuple[str, str]) -> Path:
    path.write_text("quizzes,solutions\n" + "".join(f"{puzzle},{solution}\n" for puzzle, solution in rows))
    return path


@pytest.mark.parametrize("method", ["search", "sat"])
def test_solutions_are_compared_with_those_of_a_table(run: Command, tmp_path: Path, method: str) -> None:
    other = run("enumerate", SEVERAL, "--method", "search").lines
    ours = run("solve", SEVERAL, "--method", method).lines[0]
    (another, *_) = [line for line in other if line != ours]
    wrong = f"{SOLUTION[1]}{SOLUTION[0]}{SOLUTION[2:]}"
    rows = [(PUZZLE, SOLUTION), (SEVERAL, another), (PUZZLE, wrong), (PUZZLE, ""), (PUZZLE, "abc"), (NONE, SOLUTION)]
    ran = run("solve", table(tmp_path / "t.csv", *rows), "--compare", "--json", "--method", method)

    words = [json.loads(line)["compared"] for line in ran.lines]
    assert words == ["same", "another solution", "wrong", "none", "none", "wrong"]
    assert ran.status == 1
    assert "t.csv:4: puzzle 3: the solution beside it is wrong" in ran.err
    assert ran.err.splitlines()[-1] == (
        "compared with the solutions beside the puzzles: 1 the same, 1 another solution, 2 wrong, "
        "2 without one that can be read"
    )


def test_nothing_to_compare_with_is_an_error(run: Command, batch: Path) -> None:
    ran = run("solve", batch, "--compare", "-q")
    assert ran.status == 2
    assert "no puzzle has a solution beside it" in ran.err


def manifest(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]


def test_models_of_many_have_names_that_sort_and_a_manifest(run: Command, batch: Path, tmp_path: Path) -> None:
    ran = run("encode", batch, "-o", f"{tmp_path}/models/", "--to", "cnf.gz", "--json")
    folder = tmp_path / "models"

    assert ran.status == 2
    assert ran.out == (folder / "manifest.jsonl").read_text()
    assert len(ran.err.splitlines()) == 10 + 1
    assert ran.err.splitlines()[-1].startswith(f"{folder}/: 30 models, ")
    records = manifest(folder)
    assert [record["puzzle"] for record in records] == list(range(1, 41))
    names = [str(record["path"]) for record in records if record["status"] == "written"]
    assert names == sorted(names) == sorted(path.name for path in folder.glob("*.cnf.gz"))
    assert names[0] == "01.cnf.gz"
    for record in records[:3]:
        (problem,) = [line for line in read_lines(str(folder / str(record["path"]))) if line.startswith("p cnf")]
        assert problem.split()[2:] == [str(record["variables"]), str(record["clauses"])]
    assert records[3]["status"] == "bad input"


@pytest.mark.parametrize("n_lines", [0, 1, 17, 40])
def test_models_of_a_run_that_was_stopped_are_not_written_again(
    run: Command, batch: Path, tmp_path: Path, n_lines: int
) -> None:
    folder = tmp_path / "models"
    assert run("encode", batch, "-o", f"{folder}/", "-q").status == 2
    lines = (folder / "manifest.jsonl").read_text().splitlines(keepends=True)
    times = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.cnf")}
    (folder / "manifest.jsonl").rename(folder / "manifest.jsonl.part")
    (folder / "manifest.jsonl.part").write_text("".join(lines[:n_lines]) + '{"half')
    refused = run("encode", batch, "-o", f"{folder}/")
    assert refused.status == 2
    assert "go on with --resume" in refused.err

    assert run("encode", batch, "-o", f"{folder}/", "--resume", "-q").status == 2
    assert timeless((folder / "manifest.jsonl").read_text()) == timeless("".join(lines))
    listed = {str(json.loads(line).get("path")) for line in lines[:n_lines]}
    for path in folder.glob("*.cnf"):
        assert (path.stat().st_mtime_ns == times[path.name]) == (path.name in listed)


def test_a_manifest_of_other_puzzles_is_refused(run: Command, batch: Path, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    assert run("encode", batch, "-o", f"{folder}/", "-q").status == 2
    (folder / "manifest.jsonl").rename(folder / "manifest.jsonl.part")
    other = tmp_path / "other.sdm"
    other.write_text(batch.read_text())
    ran = run("encode", other, "-o", f"{folder}/", "--resume", "-q")
    assert ran.status == 2
    assert "manifest.jsonl.part:1: this run writes another model here" in ran.err


def test_models_with_other_options_are_refused(run: Command, batch: Path, tmp_path: Path) -> None:
    folder = tmp_path / "models"
    assert run("encode", batch, "-o", f"{folder}/", "-q").status == 2
    for more in (["--seed", "4"], ["--encoding", "dual"], ["--reduce", "none"], ["--show"]):
        ran = run("encode", batch, "-o", f"{folder}/", "--resume", "-q", *more)
        assert ran.status == 2
        assert "manifest.jsonl:1: this run writes another model here; are the puzzles and options the same?" in ran.err
    assert run("encode", batch, "-o", f"{folder}/", "--resume", "-q").status == 2


def test_models_of_another_run_in_the_folder_are_remarked(run: Command, batch: Path, tmp_path: Path) -> None:
    assert run("encode", batch, "-o", f"{tmp_path}/models/", "-q").status == 2
    ran = run("encode", PUZZLE, "-o", f"{tmp_path}/models/")
    assert ran.status == 0
    assert f"{tmp_path}/models/ has 30 other models, not of this run" in ran.err


def test_a_formula_of_which_nothing_is_left_is_remarked(run: Command, tmp_path: Path) -> None:
    assert "reduce `none` writes the whole" in run("encode", PUZZLE, "-o", tmp_path / "p.cnf").err
    assert "writes the whole" not in run("encode", SEVERAL, "-o", tmp_path / "p.cnf").err


def test_a_board_that_does_not_fit_stops_no_other_puzzle(run: Command, tmp_path: Path) -> None:
    puzzles = tmp_path / "puzzles.txt"
    puzzles.write_text(f"{PUZZLE}\n# board: 9x9+diagonals\n{'.' * 81}\n# board: 9x9\n{PUZZLE}\n")
    ran = run("encode", puzzles, "--encoding", "triads", "-o", f"{tmp_path}/models/")
    assert ran.status == 2
    assert [record["status"] for record in manifest(tmp_path / "models")] == ["written", "refused", "written"]
    assert "no 2.cnf: " in ran.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["encode", PUZZLE, "--json"], "--json has no effect without a folder"),
        (["encode", PUZZLE, "-j", "2"], "-j has no effect without a folder"),
        (["encode", PUZZLE, "--resume", "-o", "a.cnf"], "--resume has no effect without a folder"),
        (["encode", PUZZLE, "--to", "cnf.gz", "-o", "a.cnf"], "a single file is compressed by its name"),
        (["encode", PUZZLE, "--to", "cnf.rar", "-o", "m/"], "'cnf.rar' is not one of"),
        (["count", PUZZLE, "-j", "0"], "-j"),
        (["count", PUZZLE, "-j", "100000"], "-j"),
        (["count", PUZZLE, "--resume"], "--resume needs a plain file after -o, not -"),
        (["count", PUZZLE, "--method", "approxmc", "-o", "a"], "have no effect with method approxmc"),
    ],
)
def test_an_option_without_effect_is_refused(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []


def test_of_many_puzzles_without_a_solution_a_hundred_are_named_and_the_others_counted(
    run: Command, tmp_path: Path
) -> None:
    cases = {NONE: "r1c1 and r1c2 are peers and both hold 5", f"{'.' * 72}7{'.' * 7}7": LAST_ROW, PUZZLE: None}
    (tmp_path / "none.sdm").write_text(60 * "".join(f"{row}\n" for row in cases))
    reasons = 60 * list(cases.values())
    said = [f"puzzle {number}: no solution: {reason}" for number, reason in enumerate(reasons, start=1) if reason]
    for command in (["count"], ["solve", "--method", "search"], ["count", "--csv"]):
        ran = run(*command, tmp_path / "none.sdm")
        more = "20 more puzzles have no solution" + ("" if "--csv" in command else "; --json and --csv say why")
        assert (ran.status, ran.err.splitlines()) == (1, [*said[:100], more])
    silent = run("count", tmp_path / "none.sdm", "--json", "-q")
    assert [json.loads(line)["reason"] for line in silent.lines] == reasons
    assert silent.err == ""


def test_without_remarks_no_reason_is_looked_for(
    run: Command, batch: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "cage.txt").write_text(f"# constraint: cage 3 r5c5 r5c6\n{NONE}\n\n{NONE}\n")

    def never(*arguments: object) -> list[str]:
        raise AssertionError("a reason was looked for")

    monkeypatch.setattr("sudoku_encode.encoders.reduction.contradictions", never)
    monkeypatch.setattr("sudoku_encode.encoders.reduction.reduce", never)
    assert run("count", batch, "-q", "--method", "search").lines[1] == "0"
    assert run("count", tmp_path / "cage.txt", "-q", "--method", "search").lines == ["0", "0"]
    assert run("solve", batch, "-q", "--method", "search").lines[1] == "# puzzle 2: no solution"
