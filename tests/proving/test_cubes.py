"""Certificates in cubes: made in parts on any executor, gone on with, and refused when anything in them is changed."""

import gzip
import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.encoders.cubes import cuts, split, within
from sudoku_encode.errors import FormatError, MethodError, StoppedError, SudokuError
from sudoku_encode.methods.calls import solutions
from sudoku_encode.proving import cube_folder, cube_proofs, in_cubes
from sudoku_encode.proving.checking import CertificateError, CheckedCount
from sudoku_encode.proving.cube_proofs import BUDGET, Budget
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import Pool, local_pool, pool_of
from tests.helpers.certificate_reader import Refused as ReaderRefused
from tests.helpers.command import Command
from tests.helpers.cube_reader import check as read_certificate
from tests.helpers.known_puzzles import known

FIGURE = "papers/gtsps-fig-4.9.sdk"
CASES = (
    pytest.param("small/4x4-empty.txt", 9, marks=pytest.mark.slow),
    ("small/4x4-diagonals-empty.txt", 5),
    ("small/4x4-none.txt", 4),
    ("small/4x4-sukaku.json", 5),
    ("small/4x4-no-candidate.txt", 5),
    ("small/9x9-clash.txt", 5),
    ("small/9x9-complete.sdm", 5),
    pytest.param("small/4x4x4-three-givens.json", 6, marks=pytest.mark.slow),
    pytest.param(FIGURE, 12, marks=pytest.mark.slow),
    pytest.param("papers/inkala/escargot.txt", 6, marks=pytest.mark.slow),
)
ONE = Puzzle.of(board("4x4"), [1] + [0] * 15)


def certify(
    puzzle: Puzzle, folder: Path, wanted: int = 8, budget: Budget = BUDGET, pool: Pool | None = None, **more: bool
) -> CheckedCount:
    how = in_cubes.CubeOptions(wanted, budget=budget)
    return in_cubes.certify(puzzle, folder, Deadline(), how, pool or local_pool(1), **more)[1]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cubes")
    certify(ONE, folder)
    return folder


def all_in(puzzle: Puzzle) -> set[bytes]:
    return {grid.tobytes() for batch in solutions(puzzle, "search") for grid in batch}


# Cubes.


@pytest.mark.parametrize("wanted", [1, 2, 9, 60, 1000])
def test_solution_in_one_cube(wanted: int) -> None:
    """Each solution is in one cube."""
    puzzle = known(FIGURE).puzzle
    cubes = split(puzzle, wanted).cubes

    found = [grid for cube in cubes for grid in all_in(within(puzzle, cube))]

    assert len(found) == len(set(found)) == 127
    assert set(found) == all_in(puzzle)


def test_number_of_cubes() -> None:
    """Cubes are as many as wanted and the same each time."""
    puzzle = Puzzle.of(board("9x9"))

    assert 200 <= len(split(puzzle, 200).cubes) < 210
    assert split(puzzle, 200) == split(puzzle, 200)


def test_cut_cube() -> None:
    """A cube that is cut has its solutions in its parts."""
    whole = ((0, 1), (1, 2))
    parts = split(Puzzle.of(board("4x4")), 5, start=whole).cubes

    assert len(parts) >= 5
    assert all(part[:2] == whole for part in parts)
    counts = [len(all_in(within(Puzzle.of(board("4x4")), cube))) for cube in (whole, *parts)]
    assert counts[0] == sum(counts[1:])


def test_order_of_parts() -> None:
    """What was cut comes behind its parts."""
    cubes = split(Puzzle.of(board("4x4")), 20).cubes
    order = cuts(cubes)

    assert order[-1] == ()
    assert all(order.index(cube) < order.index(cube[:-1]) for cube in order if cube)


# Made and accepted.


@pytest.mark.parametrize(("name", "wanted"), CASES)
@pytest.mark.slow
def test_known_number(name: str, wanted: int, tmp_path: Path) -> None:
    """A certificate in cubes proves the known number."""
    case = known(name)
    checked = certify(case.puzzle, tmp_path, wanted)

    assert checked.count == case.count
    assert cube_folder.check_cubes(tmp_path).count == case.count
    figures = json.loads((tmp_path / "certificate.json").read_text())
    assert (figures["solutions"], figures["cubes"]) == (case.count, checked.n_cubes)
    assert read_certificate(tmp_path) == case.count


def make_threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2)


@pytest.mark.parametrize(
    "executor", ["threads:2", *(pytest.param(how, marks=pytest.mark.slow) for how in ("processes:2", make_threads))]
)
def test_any_executor(executor: object, certificate: Path, tmp_path: Path) -> None:
    """Any executor makes the same certificate."""
    with pool_of(executor) as pool:  # type: ignore[arg-type]
        assert certify(ONE, tmp_path, pool=pool).count == 72

    files = [sorted(path for path in at.rglob("*") if path.is_file()) for at in (certificate, tmp_path)]
    assert len(files[0]) > 2 * 8
    assert [path.name for path in files[0]] == [path.name for path in files[1]]
    assert all(one.read_bytes() == other.read_bytes() for one, other in zip(*files, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("budget", [Budget(solutions=3), Budget(proof_bytes=150), Budget(seconds=0.0)])
def test_budget(budget: Budget, tmp_path: Path) -> None:
    """A cube that takes more than its budget is cut."""
    checked = certify(Puzzle.of(board("4x4"), [1, 2] + [0] * 14), tmp_path, 2, budget)

    assert checked.count == 24
    assert checked.n_cubes > 5


def test_library(tmp_path: Path) -> None:
    """The library makes and checks them."""
    made = se.prove(ONE, tmp_path, cubes=5, executor="threads:2")

    assert (made.count, made.folder) == (72, tmp_path)
    assert se.check_certificate(tmp_path, processes=2).n_cubes == 5
    with pytest.raises(MethodError, match="memory"):
        se.prove(ONE, tmp_path, cubes=5, limits=Limits(memory=1 << 30))
    with pytest.raises(SudokuError, match="cubes=0: it must be a whole number, at least 1"):
        se.prove(ONE, tmp_path, cubes=0)


@pytest.mark.slow
def test_replaces_cubes(tmp_path: Path) -> None:
    """A certificate of one piece takes the place of one in cubes."""
    certify(ONE, tmp_path)
    se.prove(ONE, tmp_path)

    assert se.check_certificate(tmp_path).n_cubes == 0
    certify(ONE, tmp_path)
    assert se.check_certificate(tmp_path).n_cubes >= 8


# Workers that are wrong.


def without_a_solution(leaf: cube_proofs.ListedLeaf) -> cube_proofs.ListedLeaf:
    return leaf._replace(grids=leaf.grids[1:])


def with_a_wrong_grid(leaf: cube_proofs.ListedLeaf) -> cube_proofs.ListedLeaf:
    return leaf._replace(grids=leaf.grids[:, ::-1].copy() + np.uint8(0))


def with_no_proof(leaf: cube_proofs.ListedLeaf) -> cube_proofs.ListedLeaf:
    return leaf._replace(proof=gzip.compress(b"100000 0 1 2 3 0\n"))


@pytest.mark.parametrize("wrong", [without_a_solution, pytest.param(with_no_proof, marks=pytest.mark.slow)])
def test_invented_answer(
    wrong: Callable[[cube_proofs.ListedLeaf], cube_proofs.ListedLeaf], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a worker made up is found and proved again here."""
    true = cube_proofs.leaf
    thread = ThreadPoolExecutor(1)
    # Threads see what is put in the place of a function; processes that are forked later do so too, so it is put back.
    calls = 0

    def leaf(*arguments: object, **more: object) -> cube_proofs.Leaf | None:
        nonlocal calls
        calls += 1
        found = true(*arguments, **more)  # type: ignore[arg-type]
        return wrong(found) if isinstance(found, cube_proofs.ListedLeaf) and calls == 2 else found

    monkeypatch.setattr(in_cubes, "leaf", leaf)
    with pool_of(thread) as pool:
        assert certify(ONE, tmp_path, pool=pool).count == 72
    thread.shutdown()
    assert calls == 8


def test_not_a_solution(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A grid that is no solution is not taken."""
    cube = split(ONE, 8).cubes[0]
    found = cube_proofs.leaf(ONE, "glucose4", None, cube)
    assert isinstance(found, cube_proofs.ListedLeaf)

    assert cube_proofs.answer_fault(ONE, cube, found) == ""
    assert cube_proofs.answer_fault(ONE, cube, None) == ""
    assert "is over its budget, but it has none" in cube_proofs.answer_fault(ONE, cube, None, is_whole=True)
    assert "not a solution" in cube_proofs.answer_fault(ONE, cube, with_a_wrong_grid(found))
    assert "not a solution" in cube_proofs.answer_fault(ONE, split(ONE, 8).cubes[-1], found)
    assert "not an array of grids" in cube_proofs.answer_fault(ONE, cube, found._replace(grids=found.grids[:, 1:]))
    assert "not solutions with a proof" in cube_proofs.answer_fault(ONE, cube, "nothing")


# Changed, and refused.


@pytest.fixture
def changed(certificate: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(certificate, tmp_path / "changed"))


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def write(path: Path, text: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in text))


def leaf(at: Path, number: int, suffix: str) -> Path:
    return at / "leaves" / f"{number:06}{suffix}"


def mend(at: Path, **by: int) -> None:
    """Change the figures, so that only the change itself is wrong."""
    figures = json.loads((at / "certificate.json").read_text())
    (at / "certificate.json").write_text(json.dumps(figures | {name: figures[name] + n for name, n in by.items()}))


def remove_leaf(at: Path, number: int) -> int:
    n = len(lines(leaf(at, number, ".txt")))
    for suffix in (".txt", ".lrat.gz"):
        leaf(at, number, suffix).unlink()
    return n


def leave_out_a_cube(at: Path) -> None:
    text = lines(at / "cubes.txt")
    write(at / "cubes.txt", text[:-1])
    mend(at, cubes=-1, solutions=-remove_leaf(at, int(text[-1].split()[0])))


def repeat_a_cube(at: Path) -> None:
    text = lines(at / "cubes.txt")
    write(at / "cubes.txt", [*text, f"9 {text[0].split(' ', 1)[1]}"])
    for suffix in (".txt", ".lrat.gz"):
        shutil.copy(leaf(at, 1, suffix), leaf(at, 9, suffix))
    mend(at, cubes=1, solutions=len(lines(leaf(at, 1, ".txt"))))


def shorten_a_cube(at: Path) -> None:
    text = lines(at / "cubes.txt")
    write(at / "cubes.txt", [" ".join([*text[0].split()[:-2], "0"]), *text[1:]])


def give_a_cube_another_value(at: Path) -> None:
    text = lines(at / "cubes.txt")
    write(at / "cubes.txt", [text[0].replace(text[0].split()[-2], text[-1].split()[-2]), *text[1:]])


def swap_two_leaves(at: Path) -> None:
    for suffix in (".txt", ".lrat.gz"):
        first, second, other = leaf(at, 1, suffix), leaf(at, 8, suffix), at / "other"
        first.rename(other)
        second.rename(first)
        other.rename(second)


def take_the_proof_of_another_cube(at: Path) -> None:
    shutil.copy(leaf(at, 8, ".lrat.gz"), leaf(at, 1, ".lrat.gz"))


def forget_a_solution(at: Path) -> None:
    write(leaf(at, 1, ".txt"), lines(leaf(at, 1, ".txt"))[:-1])
    mend(at, solutions=-1)


def repeat_a_solution(at: Path) -> None:
    text = lines(leaf(at, 1, ".txt"))
    write(leaf(at, 1, ".txt"), [*text, text[0]])
    mend(at, solutions=1)


def put_a_solution_into_another_cube(at: Path) -> None:
    write(leaf(at, 1, ".txt"), [*lines(leaf(at, 1, ".txt")), lines(leaf(at, 8, ".txt"))[0]])
    mend(at, solutions=1)


def cut_a_proof_off(at: Path) -> None:
    path = leaf(at, 1, ".lrat.gz")
    path.write_bytes(path.read_bytes()[:-9])


def end_a_proof_early(at: Path) -> None:
    path = leaf(at, 1, ".lrat.gz")
    steps = gzip.decompress(path.read_bytes()).splitlines(keepends=True)
    path.write_bytes(gzip.compress(b"".join(steps[:-1])))


def add_to_a_gzip_file(at: Path) -> None:
    path = leaf(at, 1, ".lrat.gz")
    path.write_bytes(path.read_bytes() + b"more")


def break_the_cover(at: Path) -> None:
    write(at / "cover.lrat", lines(at / "cover.lrat")[:-1])


def leave_a_clause_out_of_the_formula(at: Path) -> None:
    text = lines(at / "formula.cnf")
    header = next(line for line in text if line.startswith("p cnf"))
    words = header.split()
    text[text.index(header)] = f"p cnf {words[2]} {int(words[3]) - 1}"
    write(at / "formula.cnf", text[:-1])


CHANGES: dict[Callable[[Path], object], str] = {
    leave_out_a_cube: "cover.lrat",
    repeat_a_cube: "not disjoint",
    shorten_a_cube: "not disjoint",
    give_a_cube_another_value: "cube",
    swap_two_leaves: "is outside cube 1",
    take_the_proof_of_another_cube: "000001.lrat.gz",
    forget_a_solution: "000001.lrat.gz",
    repeat_a_solution: "repeats grid 1",
    put_a_solution_into_another_cube: "is outside cube 1",
    cut_a_proof_off: "not a whole gzip file",
    end_a_proof_early: "does not end in the empty clause",
    add_to_a_gzip_file: "not a whole gzip file",
    break_the_cover: "cover.lrat",
    leave_a_clause_out_of_the_formula: "formula.cnf",
    partial(mend, solutions=1): "it says 73 solutions",
    partial(mend, cubes=-1): "it says 7 cubes",
    lambda at: leaf(at, 3, ".txt").unlink(): "this file of a cube is missing",
    lambda at: leaf(at, 3, ".lrat.gz").unlink(): "this file of a cube is missing",
    lambda at: (at / "cover.lrat").unlink(): "cover.lrat",
    lambda at: (at / "certificate.json").unlink(): "continue with prove --resume",
    lambda at: leaf(at, 30, ".txt").touch(): "this file belongs to no cube",
    lambda at: (at / "proof.lrat").touch(): "does not belong to a certificate in cubes",
    lambda at: write(at / "cubes.txt", ["1 0"]): "this file belongs to no cube",
    lambda at: write(at / "cubes.txt", lines(at / "cubes.txt")[::-1]): "expected ascending numbers",
    lambda at: write(at / "cubes.txt", [*lines(at / "cubes.txt"), "9 -1 0"]): "cubes.txt:9: not a cube: '9 -1 0'",
    lambda at: write(
        at / "cubes.txt", [*lines(at / "cubes.txt"), "9 x 0"]
    ): "cubes.txt:9: not a whole number of at most 9 digits: 'x'",
    lambda at: write(at / "cubes.txt", [*lines(at / "cubes.txt"), "9 3 4 0"]): "two literals of one cell",
    lambda at: write(at / "cubes.txt", [*lines(at / "cubes.txt"), "9 999 0"]): "literal of no cell",
}


@pytest.mark.parametrize(
    "change", CHANGES, ids=[getattr(change, "__name__", str(n)) for n, change in enumerate(CHANGES)]
)
def test_changed(changed: Path, change: Callable[[Path], object]) -> None:
    """What was changed is refused."""
    change(changed)

    with pytest.raises((CertificateError, FormatError), match=CHANGES[change]):
        cube_folder.check_cubes(changed)
    with pytest.raises(ReaderRefused):
        read_certificate(changed)


# Gone on with.


def test_kept_if_right(changed: Path) -> None:
    """What is there and right is kept."""
    remove_leaf(changed, 2)
    take_the_proof_of_another_cube(changed)
    (changed / "certificate.json").unlink()
    (changed / "leaves" / ".000004.txt.abc.part").touch()
    before = {path.name: path.stat().st_mtime_ns for path in (changed / "leaves").iterdir()}

    assert certify(ONE, changed, resume=True).count == 72

    after = {path.name: path.stat().st_mtime_ns for path in (changed / "leaves").iterdir()}
    new = {name for name, when in after.items() if before.get(name) != when}
    assert new == {f"{number:06}{suffix}" for number in (1, 2) for suffix in (".txt", ".lrat.gz")}


@pytest.mark.parametrize("kept", [pytest.param(0, marks=pytest.mark.slow), 7])
def test_cover_remade(kept: int, changed: Path) -> None:
    """Cubes that do not cover the puzzle are made anew."""
    write(changed / "cubes.txt", lines(changed / "cubes.txt")[:kept])
    assert certify(ONE, changed, resume=True).count == 72
    assert cube_folder.check_cubes(changed).count == 72


def test_foreign_puzzle(changed: Path) -> None:
    """Of another puzzle nothing is kept."""
    assert certify(Puzzle.of(board("4x4"), [2] + [0] * 15), changed, resume=True).count == 72
    assert cube_folder.check_cubes(changed).puzzle.givens[0] == 2


def test_complete_only_checked(changed: Path) -> None:
    """A complete certificate is only checked."""
    how = in_cubes.CubeOptions(8)
    made, checked = in_cubes.certify(ONE, changed, Deadline(), how, local_pool(1), resume=True)

    assert made is None
    assert checked.count == 72


def test_limit_keeps(tmp_path: Path) -> None:
    """At a limit what is done stays."""
    how = in_cubes.CubeOptions(8)
    with pytest.raises(StoppedError, match="limit of 20"):
        in_cubes.certify(ONE, tmp_path, Limits(20).start(), how, local_pool(1))

    assert any((tmp_path / "leaves").iterdir())
    assert not (tmp_path / "certificate.json").exists()
    assert certify(ONE, tmp_path, resume=True).count == 72


# The program, but it is killed when it has the solutions in the sixth cube and would write that these are all.
KILLED = """
import os, signal
from sudoku_encode.cli import main
from sudoku_encode.proving import cube_folder

write_whole = cube_folder.write_whole

def killed(path, text):
    if path.suffix == ".gz" and len([*path.parent.glob("0*.gz")]) == 5:
        os.kill(os.getpid(), signal.SIGKILL)
    write_whole(path, text)

cube_folder.write_whole = killed
main()
"""


def test_killed_run(run: Command, tmp_path: Path) -> None:
    """A run that was killed goes on with what is missing."""
    at, arguments = tmp_path / "a", ["1...............", "--board", "4x4", "--cubes", "9", "-j", "1", "-o"]
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, "prove", *arguments, str(at)], capture_output=True, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    before = {path.name: path.stat().st_mtime_ns for path in at.glob("leaves/0*.gz")}
    assert len(before) == 5
    assert run("prove", "--check", at).status == 2

    ran = run("prove", *arguments, at, "--resume")

    assert ran.out == "exactly 72 solutions, proved\n"
    after = {path.name: path.stat().st_mtime_ns for path in at.glob("leaves/*.gz")}
    assert len(after) >= 9
    assert all(after[name] == when for name, when in before.items())


# The command.


def test_command(run: Command, tmp_path: Path) -> None:
    """The command makes and checks them."""
    made = run("prove", "1...............", "--board", "4x4", "--cubes", 5, "-o", tmp_path, "--json")
    checked = run("prove", "--check", tmp_path, "-j", 2, "--json")

    assert (made.status, checked.status) == (0, 0)
    records = [json.loads(ran.out) for ran in (made, checked)]
    assert [(record["count"], record["cubes"]) for record in records] == [(72, 5)] * 2
    assert "in 5 cubes" in run("prove", "--check", tmp_path).err


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--check", "x", "--cubes", "3"], "--cubes has no effect with --check"),
        (["--check", "x", "-j", "3"], "-j has no effect with --check"),
        (["--check", "x", "--executor", "threads:2"], "trusts no other machine"),
        (["--board", "4x4", "--cubes", "3", "--memory", "1G"], "--memory has no effect with --cubes"),
    ],
)
def test_unused_option(run: Command, more: list[str], said: str) -> None:
    """An option without effect is refused."""
    ran = run("prove", *more)

    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert said in ran.err
