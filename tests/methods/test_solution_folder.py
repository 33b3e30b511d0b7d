"""All solutions in a folder: each once, the same bytes whatever the workers and the kills, and nothing wrong read."""

import hashlib
import json
import multiprocessing
import os
import re
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.formats.table import GRID_FILES
from sudoku_encode.methods import solution_folder
from sudoku_encode.storage import part_journal
from sudoku_encode.storage.folder_files import HashedFile, writing_whole
from sudoku_encode.storage.part_journal import PartJournal
from tests.helpers.command import Command
from tests.helpers.full_disk import no_room

# 288 solutions of the 4x4, in files of up to 30.
EMPTY, N_EMPTY, MOST = "." * 16, 288, 30
PUZZLE = se.read(EMPTY, board="4x4")
# Processes that have all of this one, and need not load it.
FORKED = multiprocessing.get_context("fork")


@pytest.fixture(autouse=True)
def small_files(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solution_folder, "FILE_SOLUTIONS", MOST)


def save(folder: Path, form: str = "txt", **how: Any) -> se.Count:
    return se.save_solutions(PUZZLE, folder, form, **{"executor": "threads:2", **how})


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in sorted(folder.iterdir())}


def texts(folder: Path) -> list[str]:
    return ["".join(map(str, grid)) for grids in se.read_solutions(folder) for grid in grids.tolist()]


@pytest.fixture(scope="module")
def listed_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("listed") / "whole"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(solution_folder, "FILE_SOLUTIONS", MOST)
        assert save(folder) == se.Count(N_EMPTY, True)
    return folder


@pytest.fixture
def whole(listed_once: Path, tmp_path: Path) -> Path:
    """A folder of all solutions, which a test may harm."""
    return shutil.copytree(listed_once, tmp_path / "whole")


@pytest.mark.parametrize("form", GRID_FILES)
def test_each_solution_once(form: str, tmp_path: Path) -> None:
    """A folder has each solution once in files that are full and says so."""
    assert save(tmp_path / "all", form) == se.Count(N_EMPTY, True)
    expected = sorted("".join(map(str, grid.values)) for grid in se.solutions(PUZZLE))
    assert sorted(texts(tmp_path / "all")) == expected

    manifest = json.loads((tmp_path / "all" / "manifest.json").read_text())
    files = manifest.pop("files")
    assert manifest["solutions"] == N_EMPTY
    assert (manifest["board"], manifest["method"], manifest["form"], manifest["complete"]) == (
        "4x4",
        "search",
        form,
        True,
    )
    assert len(files) >= N_EMPTY / MOST
    for number, file in enumerate(files, start=1):
        content = (tmp_path / "all" / file["file"]).read_bytes()
        assert file["file"] == f"part-{number:06}.{form}"
        assert 0 < file["solutions"] <= MOST
        assert (file["bytes"], file["sha256"]) == (len(content), hashlib.sha256(content).hexdigest())
    assert set(contents(tmp_path / "all")) == {"manifest.json", *(file["file"] for file in files)}


def test_with_constraints(tmp_path: Path) -> None:
    """A folder has the solutions of a puzzle with constraints."""
    puzzle = se.read(EMPTY, board="4x4", constraints=["thermometer r1c1-r1c3", "sum 5 r2c2 r3c3"])
    grids = {grid.values.tobytes() for grid in se.solutions(puzzle, "sat")}
    assert se.save_solutions(puzzle, tmp_path / "all", "txt", executor="threads:2") == se.Count(len(grids), True)
    read = [grid.tobytes() for found in se.read_solutions(tmp_path / "all") for grid in found]
    assert (len(read), set(read)) == (len(grids), grids)

    manifest = tmp_path / "all" / "manifest.json"
    manifest.write_text(manifest.read_text().replace("sum 5 r2c2", "sum 6 r2c2"))
    with pytest.raises(se.SudokuError, match="sum 6"):
        list(se.read_solutions(tmp_path / "all"))


@pytest.mark.parametrize("executor", ["threads:1", "processes:2", None])
def test_same_bytes(executor: str | None, whole: Path, tmp_path: Path) -> None:
    """The bytes are the same whatever the workers."""
    save(tmp_path / "other", executor=executor)
    assert contents(tmp_path / "other") == contents(whole)


def list_until_killed(folder: Path, moment: str, at: int) -> None:
    """List all solutions and be killed at a moment, when it comes for the time `at`, from 0."""
    seen = 0

    def dies(work: Callable[..., Any], before: bool) -> Callable[..., Any]:
        def changed(*arguments: Any) -> Any:
            nonlocal seen
            seen += 1
            if seen > at and before:
                os.kill(os.getpid(), signal.SIGKILL)
            result = work(*arguments)
            if seen > at:
                os.kill(os.getpid(), signal.SIGKILL)
            return result

        return changed

    def write_half(file: Any, line: bytes) -> None:
        file.write(line[: len(line) // (2 if seen > at else 1)])

    # Nothing is put back: the process is another one, and ends here.
    if moment == "file":
        HashedFile.finish = dies(HashedFile.finish, True)  # type: ignore[method-assign]
    elif moment == "journal":
        PartJournal.put = dies(PartJournal.put, True)  # type: ignore[method-assign]
    elif moment == "half a line":
        part_journal.write = dies(write_half, False)  # type: ignore[attr-defined]
    else:
        solution_folder._write_manifest = dies(solution_folder._write_manifest, moment == "manifest")
    save(folder, resume=folder.exists())


@pytest.mark.parametrize("moment", ["file", "journal", "half a line", "manifest", "after the manifest"])
def test_killed_run_resumed(moment: str, whole: Path, tmp_path: Path) -> None:
    """A run that is killed goes on to the same bytes."""
    folder = tmp_path / "killed"
    for at in (3, 1) if moment in ("file", "journal", "half a line") else (0,):
        killed = FORKED.Process(target=list_until_killed, args=(folder, moment, at))
        killed.start()
        killed.join()
        assert killed.exitcode == -signal.SIGKILL
    assert contents(folder) != contents(whole)
    assert save(folder, resume=True, executor="threads:1") == se.Count(N_EMPTY, True)
    assert contents(folder) == contents(whole)


class Counting(ThreadPoolExecutor):
    """Counts the tasks that it is given."""

    n_tasks = 0

    def submit(self, *arguments: Any, **more: Any) -> Any:
        self.n_tasks += 1
        return super().submit(*arguments, **more)


def stopped_before(file: int, folder: Path, monkeypatch: pytest.MonkeyPatch) -> se.Count:
    """List until a file is about to be written, by its number from 0."""
    began = 0

    def full(path: Path) -> Any:
        nonlocal began
        began += 1
        if began > file:
            raise se.StoppedError("no room")
        return writing_whole(path)

    with monkeypatch.context() as patch:
        patch.setattr(solution_folder, "writing_whole", full)
        return save(folder)


def test_finished_part_kept(whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is there is not listed again."""
    with Counting(2) as all_of_it:
        save(tmp_path / "fresh", executor=all_of_it)
    stopped = stopped_before(8, tmp_path / "part", monkeypatch)
    assert (stopped.complete, stopped.stopped) == (False, "no room")
    assert 0 < stopped.value < N_EMPTY
    before = {name: (tmp_path / "part" / name).stat().st_mtime_ns for name in contents(tmp_path / "part")}
    with Counting(2) as rest:
        assert save(tmp_path / "part", executor=rest, resume=True).complete
    assert rest.n_tasks < all_of_it.n_tasks / 2
    assert contents(tmp_path / "part") == contents(whole)
    kept = [name for name, at in before.items() if name.startswith("part-") and
            (tmp_path / "part" / name).stat().st_mtime_ns == at]  # fmt: skip
    assert len(kept) == 8


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-5])


def alter(path: Path) -> None:
    path.write_bytes(path.read_bytes().replace(b"1", b"2", 1))


def copied_over(path: Path) -> None:
    path.write_bytes(path.with_name("part-000001.txt").read_bytes())


@pytest.mark.parametrize("harm", [Path.unlink, cut, alter])
def test_harmed_file_remade(
    harm: Callable[[Path], None], whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that was harmed is made again."""
    stopped_before(6, tmp_path / "part", monkeypatch)
    harm(tmp_path / "part" / "part-000003.txt")
    assert save(tmp_path / "part", resume=True) == se.Count(N_EMPTY, True)
    assert contents(tmp_path / "part") == contents(whole)
    # Also of a folder that was complete.
    harm(tmp_path / "part" / "part-000003.txt")
    assert save(tmp_path / "part", resume=True) == se.Count(N_EMPTY, True)
    assert contents(tmp_path / "part") == contents(whole)


@pytest.mark.parametrize("form", GRID_FILES)
def test_full_disk(form: str, tmp_path: Path) -> None:
    """A full disk is said and what is there stays good."""
    save(tmp_path / "expected", form)
    with no_room(2000):
        stopped = save(tmp_path / "all", form)
    assert not stopped.complete
    assert "File too large" in stopped.stopped
    assert not [name for name in contents(tmp_path / "all") if name.startswith(".")]
    assert save(tmp_path / "all", form, resume=True) == se.Count(N_EMPTY, True)
    assert contents(tmp_path / "all") == contents(tmp_path / "expected")


@pytest.mark.parametrize("form", GRID_FILES)
def test_full_disk_within_file(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that is full within a file ends in a count too."""
    monkeypatch.setattr(solution_folder, "FILE_SOLUTIONS", N_EMPTY)
    for size in (0, 700):
        with no_room(size):
            stopped = save(tmp_path / str(size), form)
        assert (stopped.value, stopped.complete) == (0, False)
        assert "File too large" in stopped.stopped
    assert save(tmp_path / "700", form, resume=True) == se.Count(N_EMPTY, True)


def test_time_limit(run: Command, whole: Path, tmp_path: Path) -> None:
    """A time limit leaves a folder to go on with."""
    folder = tmp_path / "all"
    options = ("--board", "4x4", "-o", f"{folder}/", "--form", "txt", "--executor", "threads:2")
    stopped = run("enumerate", *options, "--timeout", "0")
    assert stopped.status == 3
    assert stopped.err == f"not known; stopped: time limit; {folder}/ keeps its files: continue with --resume\n"
    assert run("enumerate", "--check", folder).err.endswith("the run was stopped; continue with --resume\n")
    assert run("enumerate", *options, "--resume").status == 0
    assert contents(folder) == contents(whole)
    checked = run("enumerate", "--check", folder)
    assert (checked.status, checked.out) == (0, f"{N_EMPTY} solutions, all correct\n")


def test_read_as_puzzles(run: Command, whole: Path) -> None:
    """A folder is read where a file of puzzles is."""
    assert run("convert", whole, "--to", "line").lines[-N_EMPTY:] == texts(whole)
    assert run("count", whole).lines == ["1"] * N_EMPTY
    other = run("count", whole, "--board", "9x9")
    assert (other.status, other.err) == (2, f"sudoku-encode: {whole}: its solutions are of 4x4, not of 9x9\n")


def changed_manifest(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    path = folder / "manifest.json"
    manifest = json.loads(path.read_text())
    change(manifest)
    path.write_text(json.dumps(manifest))


def forged(folder: Path, content: Callable[[list[bytes]], list[bytes]]) -> None:
    """Change the third file, and the manifest so that it has the size and the SHA-256 of the file."""
    path = folder / "part-000003.txt"
    lines = path.read_bytes().splitlines(keepends=True)
    new = b"".join([*lines[:2], *content(lines[2:])])
    path.write_bytes(new)
    digest = {"bytes": len(new), "sha256": hashlib.sha256(new).hexdigest()}
    changed_manifest(folder, lambda manifest: manifest["files"][2].update(digest))


def fewer(manifest: dict[str, Any]) -> None:
    manifest["files"][2]["solutions"] -= 1
    manifest["solutions"] -= 1


@pytest.mark.parametrize(
    ("harm", "says"),
    [
        (lambda folder: (folder / "part-000003.txt").unlink(), "it is missing"),
        (lambda folder: cut(folder / "part-000003.txt"), " bytes, expected "),
        (lambda folder: alter(folder / "part-000003.txt"), "it was changed: its SHA-256 differs"),
        (lambda folder: forged(folder, lambda grids: grids[1:]), " solutions, not "),
        (lambda folder: forged(folder, lambda grids: [*grids[1:], grids[1]]), "it contains a solution twice"),
        (lambda folder: forged(folder, lambda grids: [b"1" * 16 + b"\n", *grids[1:]]), "both hold 1"),
        (lambda folder: forged(folder, lambda grids: [b"x" * 16 + b"\n", *grids[1:]]), "holds 0"),
        (lambda folder: forged(folder, lambda grids: [b"12\n", *grids[1:]]), "is not a grid of 4x4"),
        (lambda folder: changed_manifest(folder, fewer), " solutions, not "),
    ],
)
def test_faulty_file_named(harm: Callable[[Path], object], says: str, run: Command, whole: Path) -> None:
    """What is wrong with a file is said in a line that names it."""
    harm(whole)
    checked = run("enumerate", "--check", whole)
    assert (checked.status, checked.out) == (1, "refused\n")
    assert checked.err.startswith(f"refused: {whole}/part-000003.txt: ")
    assert says in checked.err
    assert checked.err.count("\n") == 1
    counted = run("count", whole)
    assert counted.status == 2
    assert says in counted.err


def test_repeated_file(run: Command, whole: Path) -> None:
    """A file that comes twice is refused."""
    copied_over(whole / "part-000003.txt")

    def believed(manifest: dict[str, Any]) -> None:
        first, third = manifest["files"][0], manifest["files"][2]
        manifest["solutions"] += first["solutions"] - third["solutions"]
        third.update({key: first[key] for key in ("solutions", "bytes", "sha256")})

    changed_manifest(whole, believed)
    assert run("enumerate", "--check", whole).err == f"refused: {whole}/part-000003.txt: it repeats part-000001.txt\n"


def test_solution_in_two_files(run: Command, whole: Path) -> None:
    """A solution in two files is refused."""
    first = (whole / "part-000001.txt").read_bytes().splitlines(keepends=True)[-1]
    forged(whole, lambda grids: [first, *grids[1:]])
    checked = run("enumerate", "--check", whole)
    assert (checked.status, checked.out) == (1, "refused\n")
    assert checked.err == f"refused: {whole}/part-000003.txt: it contains a solution that is in part-000001.txt too\n"


def test_unlisted_file(run: Command, whole: Path) -> None:
    """A file that the manifest does not name is refused."""
    (whole / "part-000099.txt").write_text("1234\n")
    checked = run("enumerate", "--check", whole)
    assert (checked.status, "part-000099.txt: manifest.json does not name this file" in checked.err) == (1, True)


@pytest.mark.parametrize("is_complete", [True, False])
def test_odd_entry(is_complete: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no file of a folder is refused when a run goes on."""
    folder = tmp_path / "part"
    stopped_before(6, folder, monkeypatch)
    if is_complete:
        save(folder, resume=True)
    (folder / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(se.SudokuError, match=r"notes\.txt is not a file of solutions; move it elsewhere$"):
        save(folder, resume=True)
    assert (folder / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_manifest_without_files(whole: Path) -> None:
    """A manifest that lost its files is not believed when a run goes on."""
    manifest = json.loads((whole / "manifest.json").read_bytes()) | {"files": [], "solutions": 0}
    (whole / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    with pytest.raises(se.FormatError, match=r"part-000001\.txt: manifest\.json does not name this file$"):
        save(whole, resume=True)


def test_pipe_in_place_of_file(run: Command, whole: Path) -> None:
    """A pipe in place of a file is not waited for."""
    (whole / "part-000002.txt").unlink()
    os.mkfifo(whole / "part-000002.txt")
    changed_manifest(whole, lambda manifest: manifest["files"][1].update(bytes=0))
    checked = run("enumerate", "--check", whole)
    assert (checked.status, "part-000002.txt: not a plain file" in checked.err) == (1, True)


@pytest.mark.parametrize("option", [("--from", "csv"), ("--alphabet", "0-F"), ("--rules", "row")])
def test_contradicting_option(option: tuple[str, str], run: Command, whole: Path) -> None:
    """What a folder says itself is not said by an option."""
    converted = run("convert", whole, *option)
    assert (converted.status, converted.out) == (2, "")
    assert f"{option[0]} has no effect on " in converted.err


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (lambda manifest: manifest.update(kind="models"), "this is not a manifest of solutions"),
        (lambda manifest: manifest.update(form=["txt"], files=[], solutions=0), "this is not a manifest of solutions"),
        (lambda manifest: manifest.update(version=2), "a manifest of version 2; this program reads 1"),
        (lambda manifest: manifest.update(solutions=7), "7 solutions, but those of its files are 288"),
        (lambda manifest: manifest.update(complete=False), "it does not list the files in order"),
        (lambda manifest: manifest["files"].reverse(), "it does not list the files in order"),
        (lambda manifest: manifest["files"][0].update(file="../etc"), "it does not list the files in order"),
        (lambda manifest: manifest["files"][0].update(solutions="many"), "this is not a manifest of solutions"),
        (lambda manifest: manifest.update(board="9x9"), "its board is not that of its puzzle"),
        (lambda manifest: manifest["puzzle"].update(givens=[1]), "1 values"),
        (lambda manifest: manifest.pop("puzzle"), "this is not a manifest of solutions"),
    ],
)
def test_bad_manifest(change: Callable[[dict[str, Any]], object], says: str, run: Command, whole: Path) -> None:
    """A manifest that is none is refused."""
    changed_manifest(whole, change)
    checked = run("enumerate", "--check", whole)
    assert (checked.status, checked.out) == (1, "refused\n")
    assert says in checked.err
    assert f"{whole}/manifest.json" in checked.err


def test_other_work(run: Command, whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Other work is not mixed up."""
    before = contents(whole)
    with pytest.raises(se.SudokuError, match="not empty: continue with --resume, or give another folder"):
        save(whole)
    with pytest.raises(se.SudokuError, match="belongs to another run: different form"):
        save(whole, "txt.zst", resume=True)
    with pytest.raises(se.SudokuError, match="belongs to another run: different puzzle"):
        se.save_solutions("1" + 15 * ".", whole, "txt", board="4x4", resume=True)
    assert contents(whole) == before

    stopped_before(3, tmp_path / "part", monkeypatch)
    with pytest.raises(se.SudokuError, match="belongs to another run: different puzzle"):
        se.save_solutions("1" + 15 * ".", tmp_path / "part", "txt", board="4x4", resume=True)
    with (
        PartJournal(tmp_path / "part" / "manifest.part", header_of(tmp_path / "part")),
        pytest.raises(se.SudokuError, match="another run writes to it"),
    ):
        save(tmp_path / "part", resume=True)

    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "notes.txt").write_text("mine")
    with pytest.raises(se.SudokuError, match="not empty: give a folder that is empty or new"):
        save(tmp_path / "mine")
    with pytest.raises(se.SudokuError, match="there is nothing to resume"):
        save(tmp_path / "mine", resume=True)
    assert contents(tmp_path / "mine") == {"notes.txt": b"mine"}


def header_of(folder: Path) -> dict[str, Any]:
    header = json.loads((folder / "manifest.part").read_text().splitlines()[0])
    del header["crc32"]
    return dict(header)


def test_many_puzzles(run: Command, tmp_path: Path) -> None:
    """Each of many puzzles has a folder."""
    (tmp_path / "two.txt").write_text("# board: 4x4\n1...............\n12..............\n")
    options = (tmp_path / "two.txt", "-o", f"{tmp_path}/all/", "--form", "parquet", "--executor", "threads:2")
    ran = run("enumerate", *options)
    assert (ran.status, ran.err) == (0, "puzzle 1: 72 solutions, complete\npuzzle 2: 24 solutions, complete\n")
    assert run("enumerate", "--check", tmp_path / "all" / "2").out == "24 solutions, all correct\n"
    assert run("enumerate", *options).status == 2
    assert run("enumerate", *options, "--resume").status == 0


def test_other_number_of_puzzles(run: Command, tmp_path: Path) -> None:
    """Folders of more or fewer puzzles are not mixed."""
    texts, home = ["1...............", "12..............", "123............."], f"{tmp_path}/all/"
    assert run("enumerate", *texts, "-o", home, "--form", "txt").status == 0
    fewer = run("enumerate", *texts[:2], "-o", home, "--form", "txt", "--resume")
    assert (fewer.status, "all/3: it belongs to a run of 3 puzzles or more" in fewer.err) == (2, True)
    assert run("enumerate", texts[0], "-o", home, "--form", "txt", "--resume").status == 2
    changed = run("enumerate", texts[1], *texts[1:], "-o", home, "--form", "txt", "--resume")
    assert (changed.status, "belongs to another run: different puzzle" in changed.err) == (2, True)
    assert run("enumerate", *texts, texts[0], "-o", home, "--form", "txt", "--resume").status == 0
    assert run("enumerate", texts[0], "-o", f"{tmp_path}/one/", "--form", "txt").status == 0
    more = run("enumerate", *texts[:2], "-o", f"{tmp_path}/one/", "--form", "txt", "--resume")
    assert (more.status, "one/manifest.json: it belongs to a run of one puzzle" in more.err) == (2, True)


def test_no_solution(run: Command, tmp_path: Path) -> None:
    """A puzzle without a solution has a folder that says so."""
    ran = run("enumerate", "11..............", "--board", "4x4", "-o", f"{tmp_path}/none/", "--executor", "threads:2")
    assert ran.status == 1
    assert ran.err.startswith("no solution")
    checked = run("enumerate", "--check", tmp_path / "none")
    assert (checked.status, checked.out) == (1, "0 solutions, all correct\n")


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"complete": true', '"complete": false, "complete": true', 'the key "complete" appears twice'),
        ('"complete": true', '"complete": true, "sum": 288', '"sum" is not a key of a manifest of solutions'),
        ('"givens": [', '"constraint": ["odd r1c1"], "givens": [', 'did you mean "constraints"?'),
        ('"bytes": ', '"byte": 1, "bytes": ', '"byte" is not a key of a file in a manifest; did you mean "bytes"?'),
    ],
)
def test_manifest_keys(whole: Path, tmp_path: Path, old: str, new: str, words: str) -> None:
    """A manifest with a key that is unknown or there twice is refused."""
    changed = shutil.copytree(whole, tmp_path / "changed") / "manifest.json"
    changed.write_text(changed.read_text().replace(old, new, 1))
    with pytest.raises(se.FormatError, match=f"manifest.json: .*{re.escape(words)}"):
        list(se.read_solutions(changed.parent))


@pytest.mark.parametrize("board", ["12x12", "4x4x4", "9x9+diagonals", "latin:4x4x4", "jigsaw:1122112233443344"])
def test_all_boards(board: str, tmp_path: Path) -> None:
    """Boards of all kinds are written and read."""
    puzzle = full_but_for_a_few(board)
    expected = {tuple(grid.values.tolist()) for grid in se.solutions(puzzle)}
    for form in GRID_FILES:
        assert se.save_solutions(puzzle, tmp_path / form, form, executor="threads:2").complete
        found = np.concatenate([*se.read_solutions(tmp_path / form)])
        assert {tuple(grid) for grid in found.tolist()} == expected
        assert len(found) == len(expected)


def full_but_for_a_few(board: str) -> se.Puzzle:
    """Return a puzzle with some solutions: a full grid without two of its values."""
    grid = se.solve(se.Puzzle.of(se.board(board)))
    assert grid is not None
    values = grid.values.copy()
    values[values <= 2] = 0
    return se.Puzzle.of(se.board(board), values)


def test_parquet_table(tmp_path: Path) -> None:
    """The table of parquet has the puzzle and the solution."""
    from pyarrow import parquet

    save(tmp_path / "all", "parquet")
    tables = [parquet.read_table(path) for path in sorted((tmp_path / "all").glob("*.parquet"))]
    rows = [row for table in tables for row in table.to_pylist()]
    assert rows == [{"puzzle": 1, "solution": text} for text in texts(tmp_path / "all")]


@pytest.mark.parametrize(
    ("package", "form", "extra", "wanted"),
    [
        ("pyarrow.parquet", "parquet", "parquet", "pyarrow>=17"),
        ("zstandard", "txt.zst", "compress", "zstandard>=0.22"),
    ],
)
def test_missing_package(
    package: str, form: str, extra: str, wanted: str, run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is not installed is named with how to install it."""
    monkeypatch.setitem(sys.modules, package, None)
    ran = run("enumerate", "--board", "4x4", "-o", f"{tmp_path}/all/", "--form", form)
    assert ran.status == 2
    assert ran.err.endswith(f" (extra \"{extra}\" of this installation): pip install '{wanted}'\n")
    assert not (tmp_path / "all").exists()


def test_plain_without_packer(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Files are plain where what packs them is not installed."""
    monkeypatch.setitem(sys.modules, "zstandard", None)
    ran = run("enumerate", "--board", "4x4", "-o", f"{tmp_path}/all/")
    assert ran.status == 0
    remark, answer = ran.err.splitlines()
    assert remark.startswith("files of the form txt: ")
    assert "zstandard" in remark
    assert answer == "288 solutions, complete"
    texts = [path.read_text() for path in (tmp_path / "all").glob("part-*.txt")]
    lines = [line for text in texts for line in text.splitlines() if not line.startswith("#")]
    assert len(lines) == len(set(lines)) == 288
    assert all(sorted(line) == sorted("1234" * 4) for line in lines)
    assert se.save_solutions("1...............", tmp_path / "some", board="4x4").value == 72
    assert (tmp_path / "some" / "part-000001.txt").exists()


@pytest.mark.parametrize(
    "options",
    [
        *(("-o", "all/", *more) for more in (("--limit", 5), ("--to", "csv"), ("--json",), ("--method", "sat"))),
        *(("-o", "all/", *more) for more in (("--seed", 1), ("--amo", "pairwise"), ("--sat-solver", "cadical195"))),
        ("-o", "all.txt", "--form", "txt"),
        ("--form", "txt"),
        *(("--check", "all", *more) for more in (("--board", "4x4"), ("-o", "all/"), ("--resume",), ("-j", 2))),
        *(("--check", "all", *more) for more in (("--timeout", 3), ("--memory", "1G"), ("--rules", "row"))),
        *(("--check", "all", *more) for more in (("--from", "csv"), ("--alphabet", "0-F"))),
    ],
)
def test_unused_option(options: tuple[object, ...], run: Command, tmp_path: Path) -> None:
    """An option without effect is refused."""
    puzzle = () if "--check" in options else ("1...............", "--board", "4x4")
    ran = run("enumerate", *puzzle, *options)
    assert ran.status == 2
    assert " has no effect with " in ran.err
    assert ran.err.count("\n") == 1


@pytest.fixture(autouse=True)
def in_a_folder_of_its_own(tmp_path: Path) -> Iterator[None]:
    before = Path.cwd()
    os.chdir(tmp_path)
    yield
    os.chdir(before)
