"""Many puzzles on the command line: files that a later run goes on with, several processes, silence, comparisons."""

import json
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.entries import Entry, PuzzleBatch, one_by_one
from sudoku_encode.formats.reading import read_entries
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.report.resuming import RunFile, marks_of
from sudoku_encode.storage.files import read_lines
from tests.helpers.command import Command
from tests.helpers.puzzles import PUZZLE, SEVERAL, SOLUTION

NONE = f"55{'.' * 79}"
LAST_ROW = "r9c1 and r9c9 are peers and both hold 7"
ROWS = [PUZZLE, NONE, SEVERAL, "bad"]
FORMS = [[], ["--json"], ["--csv"]]


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    path = tmp_path / "batch.sdm"
    path.write_text("".join(f"{ROWS[number % 4]}\n" for number in range(40)))
    return path


@pytest.fixture
def run_file_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave FILE.run beside a complete FILE, as a kill before the end leaves it beside FILE.part."""
    monkeypatch.setattr(RunFile, "remove", lambda self: None)


def stopped_at(done: Path, path: Path, content: bytes) -> None:
    """Leave what a run leaves that was killed when it had written some of a file that is complete now."""
    Path(f"{path}.part").write_bytes(content)
    Path(f"{path}.run").write_bytes(Path(f"{done}.run").read_bytes())


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
@pytest.mark.usefixtures("run_file_stays")
def test_resume_after_kill(run: Command, batch: Path, tmp_path: Path, command: list[str], form: list[str]) -> None:
    """A run that was killed goes on behind its last record."""
    whole = run(*command, batch, *form)
    assert run(*command, batch, *form, "-o", tmp_path / "all").status == whole.status == 2
    lines = (tmp_path / "all").read_bytes().splitlines(keepends=True)
    assert timeless(b"".join(lines).decode()) == timeless(whole.out)

    for n_lines, half in ((0, b""), (1, b"12"), (3, b""), (18, b'{"fi'), (len(lines), b"")):
        stopped_at(tmp_path / "all", tmp_path / "new", b"".join(lines[:n_lines]) + half)
        ran = run(*command, batch, *form, "-o", tmp_path / "new", "--resume")
        # The status is that of all puzzles, also of those that the earlier run had answered.
        assert (ran.status, ran.out) == (2, "")
        found = (tmp_path / "new").read_bytes()
        assert found.startswith(b"".join(lines[:n_lines]))
        assert timeless(found.decode()) == timeless(whole.out)
        (tmp_path / "new").unlink()


@pytest.mark.usefixtures("run_file_stays")
def test_earlier_statuses_count(run: Command, tmp_path: Path) -> None:
    """Statuses of an earlier run count for the exit status."""
    puzzles, done = tmp_path / "two.txt", tmp_path / "all"
    for first, status in ((NONE, 1), (SEVERAL, 3), (PUZZLE, 0)):
        puzzles.write_text(f"{first}\n{PUZZLE}\n")
        for form in FORMS[1:]:
            assert run("count", puzzles, "--limit", 2, *form, "-o", done).status == status
            stopped_at(done, done, done.read_bytes())
            assert run("count", puzzles, "--limit", 2, *form, "-o", done, "--resume").status == status
            Path(f"{done}.run").unlink()


@pytest.mark.parametrize(
    ("form", "content", "said"),
    [
        ([], "1\n", "--resume needs records with their puzzles, not bare numbers"),
        (["--json"], "1\n", "this run begins differently"),
        (["--csv"], "file,line,puzzle,name\n", "this run begins differently"),
        (["--json"], '{"file": 1}\n', "1: not a record; are the puzzles the same?"),
        (["--json"], '{"file": 1}\n' * 41, "all.part:41: there are more records than puzzles"),
        (["--json"], '{"file": "other", "line": 1, "puzzle": 1}\n', "this is the record of other:1:1, not of"),
    ],
)
@pytest.mark.usefixtures("run_file_stays")
def test_other_records_refused(
    run: Command, batch: Path, tmp_path: Path, form: list[str], content: str, said: str
) -> None:
    """A file of other records is refused and unchanged."""
    if form:
        run("count", batch, *form, "-o", tmp_path / "done", "-q")
        stopped_at(tmp_path / "done", tmp_path / "all", b"")
    (tmp_path / "all.part").write_text(content)
    ran = run("count", batch, *form, "-o", tmp_path / "all", "--resume")
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert (tmp_path / "all.part").read_text() == content


ASKED = ["--method", "search", "--json"]


@pytest.mark.parametrize(
    ("command", "changed", "words"),
    [
        ("solve", ASKED, "command count, but this run has command solve"),
        ("count", ["--method", "sat", "--json"], "--method search, but this run has --method sat"),
        ("count", ["--json"], "--method search, but this run has --method auto"),
        ("count", [*ASKED, "--limit", 2], "no --limit, but this run has --limit 2"),
        ("count", [*ASKED, "--board", "9x9"], "no --board, but this run has --board 9x9"),
        ("count", [*ASKED, "--rules", "row,column"], "no --rules, but this run has --rules row,column"),
        ("count", [*ASKED, "--from", "line"], "no --from, but this run has --from line"),
        ("count", [*ASKED, "--constraint", "odd r1c1"], "no --constraint, but this run has --constraint odd r1c1"),
        ("count", ["--method", "search", "--csv"], "this run begins differently"),
    ],
)
@pytest.mark.usefixtures("run_file_stays")
def test_other_options_refused(
    run: Command, batch: Path, tmp_path: Path, command: str, changed: list[str], words: str
) -> None:
    """A run with other options does not go on."""
    done, new = tmp_path / "done", tmp_path / "new"
    run("count", batch, *ASKED, "-o", done, "-q")
    head = b"".join(done.read_bytes().splitlines(keepends=True)[:7])
    stopped_at(done, new, head)
    ran = run(command, batch, *changed, "-o", new, "--resume", "-q")
    assert (ran.status, len([line for line in ran.err.splitlines() if "new.part" in line])) == (2, 1)
    assert words in ran.err
    assert (tmp_path / "new.part").read_bytes() == head
    # Where it runs, and for how long at most, changes no answer.
    assert run("count", batch, *ASKED, "-o", new, "--resume", "-q", "-j", 1, "--timeout", 60).status == 2
    assert timeless(new.read_text()) == timeless(done.read_text())


EDITS = {
    "a given is another one": lambda lines: [*lines[:2], lines[2].replace("1", "2", 1), *lines[3:]],
    "a line is inserted": lambda lines: [lines[0], lines[0], *lines[1:]],
    "a line is gone": lambda lines: [lines[0], *lines[2:]],
    "two lines change places": lambda lines: [lines[2], *lines[1:2], lines[0], *lines[3:]],
    "a bad line is another one": lambda lines: [*lines[:3], "worse", *lines[4:]],
    "another board": lambda lines: ["# board: 9x9+diagonals", *lines],
    "a constraint": lambda lines: ["# constraint: odd r1c1", *lines],
}


@pytest.mark.parametrize("form", FORMS[1:], ids=["JSON", "CSV"])
@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS)
@pytest.mark.usefixtures("run_file_stays")
def test_changed_puzzle_noticed(
    run: Command, batch: Path, tmp_path: Path, form: list[str], edit: Callable[[list[str]], list[str]]
) -> None:
    """A puzzle that has a record and is another one now is noticed."""
    done, new, text = tmp_path / "done", tmp_path / "new", batch.read_text()
    run("count", batch, "--limit", 2, *form, "-o", done, "-q")
    head = b"".join(done.read_bytes().splitlines(keepends=True)[:7])
    stopped_at(done, new, head)
    batch.write_text("".join(f"{line}\n" for line in edit(text.splitlines())))
    ran = run("count", batch, "--limit", 2, *form, "-o", new, "--resume", "-q")
    assert ran.status == 2
    assert re.search(r"batch\.sdm:\d+: puzzle \d is not the one of the record in \S+new\.part;", ran.err)
    assert (tmp_path / "new.part").read_bytes() == head
    # What follows the records may change: the file becomes what one run would write now.
    batch.write_text("".join(f"{line}\n" for line in [*text.splitlines()[:7], NONE, SEVERAL]))
    run("count", batch, "--limit", 2, *form, "-o", new, "--resume", "-q")
    assert timeless(new.read_text()) == timeless(run("count", batch, "--limit", 2, *form, "-q").out)


def test_other_text_refused(run: Command, tmp_path: Path) -> None:
    """Of a run that was stopped, and of one that was complete."""
    one, other, out = "1...............", "2...............", tmp_path / "all"
    assert run("count", one, "--json", "-o", out).status == 0
    before = out.read_bytes()
    for puzzle in (one, other):
        ran = run("count", puzzle, "--json", "-o", out, "--resume")
        assert (ran.status, len(ran.err.splitlines())) == (2, 1)
        assert f"{out}: nothing to resume, since it is complete" in ran.err
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"all": before}
    Path(f"{out}.part").write_bytes(before)
    ran = run("count", one, "--json", "-o", out, "--resume")
    assert (ran.status, f"all.part: the options of its run are unknown, since {out}.run is missing" in ran.err) == (
        2,
        True,
    )


def test_foreign_file_kept(run: Command, tmp_path: Path) -> None:
    """A file of another program is not replaced."""
    (tmp_path / "all.run").write_text("echo mine\n")
    ran = run("count", PUZZLE, "--json", "-o", tmp_path / "all")
    assert (ran.status, f"{tmp_path}/all.run: another program's file has the name" in ran.err) == (2, True)
    assert {path.name for path in tmp_path.iterdir()} == {"all.run"}


@pytest.mark.usefixtures("run_file_stays")
def test_resume_numbers(run: Command, batch: Path, tmp_path: Path) -> None:
    """Stopped twice, the second time behind fewer records than the file lists puzzles."""
    done, new = tmp_path / "done", tmp_path / "new"
    run("count", batch, *ASKED, "-o", done, "-q")
    lines = done.read_bytes().splitlines(keepends=True)
    stopped_at(done, new, b"".join(lines[:9]))
    run("count", batch, *ASKED, "-o", new, "--resume", "-q")
    stopped_at(new, new, b"".join(lines[:3]))
    run("count", batch, *ASKED, "-o", new, "--resume", "-q")
    assert timeless(new.read_text()) == timeless(done.read_text())
    rest = (tmp_path / "new.run").read_text().splitlines()
    stopped_at(new, new, b"".join(lines))
    (tmp_path / "new.run").write_text(f"{rest[0]}\n{rest[1]}\n".replace('"first": 1', '"first": 2'))
    assert "the line is damaged" in run("count", batch, *ASKED, "-o", new, "--resume", "-q").err


def test_same_number_in_batch(batch: Path) -> None:
    """A puzzle has one number alone and in a block."""
    blocks = list(read_entries(batch.read_text().replace("bad\n", "")))
    assert any(isinstance(one, PuzzleBatch) for one in blocks)
    in_blocks = [number for one in blocks for number in marks_of(one, with_answers=True).tolist()]
    alone = [marks_of(one, with_answers=True).item() for one in one_by_one(blocks)]
    assert in_blocks == alone
    assert len(set(alone)) == 3


def test_number_covers_all_parts() -> None:
    """Also what a record shows of it, such as its name."""
    givens = [1] + [0] * 15
    marks = np.ones((16, 4), bool)
    marks[3, 2] = False
    four, extra = (boards.board(name) for name in ("4x4", "4x4+diagonals"))
    puzzles = [
        Puzzle.of(four, givens),
        Puzzle.of(four, givens[::-1]),
        Puzzle.of(extra, givens),
        Puzzle.of(four.with_rules(["row", "column"]), givens),
        Puzzle.of(four, givens, name="a"),
        Puzzle.of(four, givens, marks),
        Puzzle.of(four, givens, marks[::-1]),
        *(Puzzle.of(four, givens, constraints=[line]) for line in ("odd r1c2", "odd r1c3", "even r1c2")),
    ]
    numbers = [marks_of(Entry(puzzle)).item() for puzzle in puzzles]
    assert len(set(numbers)) == len(numbers)
    assert marks_of(Entry(FormatError("a"))) != marks_of(Entry(FormatError("b")))
    assert marks_of(Entry(puzzles[0], answer="1"), with_answers=True) != marks_of(Entry(puzzles[0]), with_answers=True)


@pytest.mark.usefixtures("run_file_stays")
def test_other_solutions_refused(run: Command, batch: Path, tmp_path: Path) -> None:
    """Solutions of another puzzle are refused."""
    run("solve", batch, "-o", tmp_path / "done", "-q")
    stopped_at(tmp_path / "done", tmp_path / "all", f"{SOLUTION[1:]}{SOLUTION[0]}\n".encode())
    ran = run("solve", batch, "-o", tmp_path / "all", "--resume")
    assert ran.status == 2
    assert "all.part:1: not a solution of the puzzle in its place" in ran.err


def test_several_lines_not_resumed(run: Command, batch: Path, tmp_path: Path) -> None:
    """Grids of several lines cannot be resumed."""
    (tmp_path / "all.part").write_text("5 3 4 6\n")
    ran = run("solve", batch, "--to", "grid", "-o", tmp_path / "all", "--resume")
    assert (ran.status, ran.out) == (2, "")
    assert "--resume needs one puzzle per line, not --to grid" in ran.err


def test_ctrl_c_and_resume(tmp_path: Path) -> None:
    """Ctrl-C keeps what was answered and says how to go on."""
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
    assert "all.part keeps what was written; continue with --resume" in said
    # A puzzle that was interrupted is asked again by the next run.
    assert len((tmp_path / "all.part").read_text().splitlines()) == 2


@pytest.mark.slow
@pytest.mark.parametrize("command", ["solve", "count", "enumerate"])
def test_processes_keep_order(run: Command, batch: Path, command: str) -> None:
    """Processes change neither answers nor their order."""
    batch.write_text(batch.read_text().replace("bad\n", ""))
    one, two = (run(command, batch, "--method", "sat", "--json", "-j", number) for number in (1, 3))
    assert timeless(one.out) == timeless(two.out)
    assert one.status == two.status


@pytest.mark.parametrize("options", [["--minimal", "--board", "6x6"], ["--clues", "30"]])
def test_seeded_puzzles_by_processes(run: Command, options: list[str]) -> None:
    """Puzzles of a seed are the same from several processes."""
    one, two = (run("generate", *options, "--seed", 5, "--many", 6, "-j", number) for number in (1, 3))
    assert (one.status, one.out) == (two.status, two.out)
    assert len(one.lines) >= 6


def test_quiet(run: Command, batch: Path, tmp_path: Path) -> None:
    """Quiet leaves remarks out and no error."""
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
def test_compare_with_table(run: Command, tmp_path: Path, method: str) -> None:
    """Solutions are compared with those of a table."""
    other = run("enumerate", SEVERAL, "--method", "search").lines
    ours = run("solve", SEVERAL, "--method", method).lines[0]
    (another, *_) = [line for line in other if line != ours]
    wrong = f"{SOLUTION[1]}{SOLUTION[0]}{SOLUTION[2:]}"
    rows = [(PUZZLE, SOLUTION), (SEVERAL, another), (PUZZLE, wrong), (PUZZLE, ""), (PUZZLE, "abc"), (NONE, SOLUTION)]
    ran = run("solve", table(tmp_path / "t.csv", *rows), "--compare", "--json", "--method", method)

    words = [json.loads(line)["compared"] for line in ran.lines]
    assert words == ["same", "another solution", "wrong", "none", "none", "wrong"]
    assert ran.status == 1
    assert "t.csv:4: puzzle 3: the solution in the table is wrong" in ran.err
    assert ran.err.splitlines()[-1] == (
        "compared with the solutions beside the puzzles: 1 the same, 1 another solution, 2 wrong, "
        "2 without one that can be read"
    )


def test_nothing_to_compare(run: Command, batch: Path) -> None:
    """Nothing to compare with is an error."""
    ran = run("solve", batch, "--compare", "-q")
    assert ran.status == 2
    assert "no puzzle has a solution beside it" in ran.err


def manifest(folder: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]


def test_many_models_and_manifest(run: Command, batch: Path, tmp_path: Path) -> None:
    """Models of many have names that sort and a manifest."""
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


@pytest.mark.slow
@pytest.mark.usefixtures("run_file_stays")
@pytest.mark.parametrize("n_lines", [0, 17, 40])
def test_finished_models_kept(run: Command, batch: Path, tmp_path: Path, n_lines: int) -> None:
    """Models of a run that was stopped are not written again."""
    folder = tmp_path / "models"
    assert run("encode", batch, "-o", f"{folder}/", "-q").status == 2
    lines = (folder / "manifest.jsonl").read_text().splitlines(keepends=True)
    times = {path.name: path.stat().st_mtime_ns for path in folder.glob("*.cnf")}
    (folder / "manifest.jsonl").rename(folder / "manifest.jsonl.part")
    (folder / "manifest.jsonl.part").write_text("".join(lines[:n_lines]) + '{"half')
    refused = run("encode", batch, "-o", f"{folder}/")
    assert refused.status == 2
    assert "continue with --resume" in refused.err

    assert run("encode", batch, "-o", f"{folder}/", "--resume", "-q").status == 2
    assert timeless((folder / "manifest.jsonl").read_text()) == timeless("".join(lines))
    listed = {str(json.loads(line).get("path")) for line in lines[:n_lines]}
    for path in folder.glob("*.cnf"):
        assert (path.stat().st_mtime_ns == times[path.name]) == (path.name in listed)


@pytest.mark.usefixtures("run_file_stays")
def test_other_models_refused(run: Command, batch: Path, tmp_path: Path) -> None:
    """Models of other puzzles or with other options are refused."""
    folder = tmp_path / "models"
    assert run("encode", batch, "-o", f"{folder}/", "-q").status == 2
    (folder / "manifest.jsonl").rename(part := folder / "manifest.jsonl.part")
    for more, words in (
        (["--seed", "4"], "no --seed, but this run has --seed 4"),
        (["--encoding", "dual"], "no --encoding, but this run has --encoding dual"),
        (["--reduce", "none"], "no --reduce, but this run has --reduce none"),
        (["--show"], "no --show, but this run has --show"),
        (["--to", "cnf.gz"], "--to cnf, but this run has --to cnf.gz"),
    ):
        ran = run("encode", batch, "-o", f"{folder}/", "--resume", "-q", *more)
        assert ran.status == 2
        assert f"{part}: it was begun with {words}; give the same options" in ran.err
    other = tmp_path / "other.sdm"
    other.write_text(batch.read_text())
    ran = run("encode", other, "-o", f"{folder}/", "--resume", "-q")
    assert (ran.status, f"{part}:1: this run writes a different model here" in ran.err) == (2, True)
    kept = batch.read_text()
    batch.write_text(kept.replace(SEVERAL, PUZZLE))
    ran = run("encode", batch, "-o", f"{folder}/", "--resume", "-q")
    assert (ran.status, f"batch.sdm:3: puzzle 3 is not the one of the record in {part};" in ran.err) == (2, True)
    batch.write_text(kept)
    model = folder / str(json.loads(part.read_text().splitlines()[0])["path"])
    text = model.read_bytes()
    for lose in (model.unlink, partial(model.write_bytes, b"")):
        lose()
        ran = run("encode", batch, "-o", f"{folder}/", "--resume", "-q")
        assert (ran.status, f"{part}:1: {model.name} is missing or empty" in ran.err) == (2, True)
    model.write_bytes(text)
    assert run("encode", batch, "-o", f"{folder}/", "--resume", "-q").status == 2
    assert not part.exists()
    assert "nothing to resume, since it is complete" in run("encode", batch, "-o", f"{folder}/", "--resume").err


def test_foreign_models_remarked(run: Command, batch: Path, tmp_path: Path) -> None:
    """Models of another run in the folder are remarked."""
    assert run("encode", batch, "-o", f"{tmp_path}/models/", "-q").status == 2
    ran = run("encode", PUZZLE, "-o", f"{tmp_path}/models/")
    assert ran.status == 0
    assert f"{tmp_path}/models/ contains 30 other models, not of this run" in ran.err


def test_empty_formula_remarked(run: Command, tmp_path: Path) -> None:
    """A formula of which nothing is left is remarked."""
    reduced = ("--reduce", "singles", "-o", tmp_path / "p.cnf")
    assert "nothing is left for a solver" in run("encode", PUZZLE, *reduced).err
    assert "nothing is left" not in run("encode", SEVERAL, *reduced).err
    assert "nothing is left" not in run("encode", PUZZLE, "-o", tmp_path / "p.cnf").err


def test_misfit_board_alone(run: Command, tmp_path: Path) -> None:
    """A board that does not fit stops no other puzzle."""
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
def test_unused_options(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    """An option without effect is refused."""
    monkeypatch.chdir(tmp_path)
    ran = run(*arguments)
    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert list(tmp_path.iterdir()) == []


def test_many_unsolvable_named(run: Command, tmp_path: Path) -> None:
    """Of many puzzles without a solution a hundred are named and the others counted."""
    cases = {NONE: "r1c1 and r1c2 are peers and both hold 5", f"{'.' * 72}7{'.' * 7}7": LAST_ROW, PUZZLE: None}
    (tmp_path / "none.sdm").write_text(60 * "".join(f"{row}\n" for row in cases))
    reasons = 60 * list(cases.values())
    said = [f"puzzle {number}: no solution: {reason}" for number, reason in enumerate(reasons, start=1) if reason]
    for command in (["count"], ["solve", "--method", "search"], ["count", "--csv"]):
        ran = run(*command, tmp_path / "none.sdm")
        more = "20 more puzzles have no solution" + ("" if "--csv" in command else "; --json and --csv show why")
        assert (ran.status, ran.err.splitlines()) == (1, [*said[:100], more])
    silent = run("count", tmp_path / "none.sdm", "--json", "-q")
    assert [json.loads(line)["reason"] for line in silent.lines] == reasons
    assert silent.err == ""


def test_no_reasons_when_quiet(run: Command, batch: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without remarks no reason is looked for."""
    (tmp_path / "cage.txt").write_text(f"# constraint: cage 3 r5c5 r5c6\n{NONE}\n\n{NONE}\n")

    def never(*arguments: object) -> list[str]:
        raise AssertionError("a reason was looked for")

    monkeypatch.setattr("sudoku_encode.encoders.reduction.contradictions", never)
    monkeypatch.setattr("sudoku_encode.encoders.reduction.reduce", never)
    assert run("count", batch, "-q", "--method", "search").lines[1] == "0"
    assert run("count", tmp_path / "cage.txt", "-q", "--method", "search").lines == ["0", "0"]
    assert run("solve", batch, "-q", "--method", "search").lines[1] == "# puzzle 2: no solution"
