"""On a machine where nothing is compiled yet, or nothing can be, questions are answered all the same, and soon."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode
from sudoku_encode.errors import InternalError, MethodError, ProcessDiedError, StoppedError
from sudoku_encode.formats.reading import read
from sudoku_encode.methods import auto, batches, calls, turns
from sudoku_encode.methods.batches import BatchResult, solve_batches
from sudoku_encode.methods.table import AUTO, METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.search import loading
from sudoku_encode.solvers.sat import IncrementalSolver
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES, known

UNIQUE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
SOLUTION = "417369825632158947958724316825437169791586432346912758289643571573291684164875293"
NOT_YET = "its code is not compiled yet on this machine"
SEVERAL = known("papers/gtsps-fig-4.9.sdk").puzzle


def ran(
    *arguments: object, variables: Mapping[str, object], folder: Path | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run the command line in a process of its own, in a folder and with some variables of the environment."""
    environment = {**os.environ, **{name: str(value) for name, value in variables.items()}}
    command = [sys.executable, "-m", "sudoku_encode", *map(str, arguments)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, env=environment, cwd=folder, timeout=100
    )


@pytest.fixture
def uncompiled(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make it look as if nothing were compiled, though it may be: then nobody has to wait for it here."""
    monkeypatch.setattr(loading, "not_compiled_reason", lambda board, constrained=False: NOT_YET)
    monkeypatch.setattr(loading, "batch_not_compiled_reason", lambda board: NOT_YET)
    monkeypatch.setattr(turns, "sat_time", turns.SatTime())


@pytest.fixture
def uncompilable(uncompiled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernels, "unavailable", lambda: "there is no compiler")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "out"),
    [
        (["count", UNIQUE], "1\n"),
        (["enumerate", UNIQUE], f"{SOLUTION}\n"),
        (["count", "--board", "4x4", "--timeout", "30"], "288\n"),
    ],
)
def test_no_waiting_for_compiler(tmp_path: Path, question: list[str], out: str) -> None:
    """The first question does not wait for the compiler."""
    done = ran(*question, variables={"NUMBA_CACHE_DIR": tmp_path})
    assert (done.returncode, done.stdout) == (0, out)
    assert "by sat, which finished within " in done.stderr
    assert list(tmp_path.rglob("*.nb?")) == []


@pytest.mark.usefixtures("uncompiled")
def test_small_file(run: Command, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A small file of puzzles does not wait for the compiler either."""
    # On a busy machine the time of SAT may be over before it has solved them.
    monkeypatch.setattr(batches, "SAT_SECONDS", 1e6)
    monkeypatch.setattr(batches, "_by_search", lambda *arguments: pytest.fail("this would compile"))
    (tmp_path / "puzzles.txt").write_text(f"{UNIQUE}\n" * 3)
    done = run("solve", tmp_path / "puzzles.txt", "--method", "auto")
    assert (done.status, done.out) == (0, f"{SOLUTION}\n" * 3)
    assert done.err == f"by sat instead of search: {NOT_YET}\n"


@pytest.mark.usefixtures("uncompiled")
def test_unfinished_by_sat(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """What SAT does not finish in its turn is searched."""
    assert calls.count(SEVERAL, AUTO) == Count(127, True)
    for module in (auto, turns):
        monkeypatch.setattr(module, "BLOCKABLE_SOLUTIONS", 100)
    assert calls.count(SEVERAL, AUTO) == Count(127, True)
    assert messages[0].startswith("sat, which finished within 2 seconds")
    assert messages[1] == "search, which finished within a second"
    rows = np.concatenate(list(calls.solutions(SEVERAL, AUTO)))
    assert len({row.tobytes() for row in rows}) == len(rows) == 127
    assert messages[2] == "search"
    monkeypatch.undo()
    rest = Limits(seconds=0.0).start()
    assert calls.count(SEVERAL, AUTO, rest) == Count(0, False, "time limit")


@pytest.mark.usefixtures("uncompiled")
def test_empty_board(messages: list[str]) -> None:
    """An empty board is counted without waiting for search to be compiled."""
    assert calls.count(Puzzle.of(board("6x6")), AUTO) == Count(28_200_960, True)
    assert messages[-1] == "frontier, since no cell is filled"


@pytest.mark.usefixtures("uncompiled")
def test_limits_of_sat(monkeypatch: pytest.MonkeyPatch) -> None:
    """SAT keeps to the limit and to the time."""
    listed: list[Grids] = []
    with pytest.raises(StoppedError, match="limit of 5"):
        listed.extend(calls.solutions(SEVERAL, AUTO, Deadline(5)))
    assert sum(map(len, listed)) <= 5
    assert calls.count(SEVERAL, AUTO, Deadline(2)) == Count(2, False, "limit of 2")
    assert calls.count(SEVERAL, AUTO, Deadline(127)) == Count(127, False, "limit of 127")
    assert calls.count(SEVERAL, AUTO, Deadline(128)) == Count(127, True)
    late = calls.count(Puzzle.of(board("9x9")), AUTO, Limits(seconds=0.2).start())
    assert (late.complete, late.stopped) == (False, "time limit")
    with pytest.raises(StoppedError, match="time limit"):
        listed.extend(calls.solutions(Puzzle.of(board("9x9")), AUTO, Limits(seconds=0.2).start()))


@pytest.mark.usefixtures("uncompiled")
def test_end_of_sat_turns(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """SAT has no more turns when they took as long as compiling."""
    turns.sat_time.seconds_left = 1e-6
    for _ in range(2):
        assert calls.count(SEVERAL, AUTO) == Count(127, True)
    assert messages[0].startswith("sat, which finished within")
    assert messages[1] == "search, which finished within a second"


@pytest.mark.usefixtures("uncompiled")
def test_order_when_resumed(
    messages: list[str],
) -> None:
    """A list that is to be resumed has the order that it will have once search is compiled."""

    def listed(puzzle: Puzzle, repeatable: bool) -> tuple[list[bytes], str]:
        messages.clear()
        batches = calls.solutions(puzzle, AUTO, repeatable=repeatable)
        return [grid.tobytes() for batch in batches for grid in batch], messages[0].split(",")[0]

    later = [grid.tobytes() for batch in calls.solutions(SEVERAL, "search") for grid in batch]
    now, by = listed(SEVERAL, False)
    assert (sorted(now), by) == (sorted(later), "sat")
    assert now != later
    assert listed(SEVERAL, True) == (later, "search")
    two: list[Grids] = []
    with pytest.raises(StoppedError, match="limit of 2"):
        two.extend(calls.solutions(SEVERAL, AUTO, Deadline(2), repeatable=True))
    assert [grid.tobytes() for batch in two for grid in batch] == later[:2]
    one = known("papers/uhbpnp-fig-1.txt").puzzle
    assert listed(one, True)[1] == "sat"


@pytest.mark.usefixtures("uncompiled")
def test_file_resumed_after_compiling(run: Command, tmp_path: Path) -> None:
    """A file of solutions goes on though search was compiled meanwhile."""
    puzzle, file = INSTANCES / "papers" / "gtsps-fig-4.9.sdk", tmp_path / "all.txt"
    assert run("enumerate", puzzle, "-o", file, "--limit", 5).status == 3
    resumed = run("enumerate", puzzle, "-o", file, "--resume", "--method", "search")
    assert resumed.status == 0
    assert len(set(file.read_text().splitlines()[:-1])) == 127


@pytest.mark.usefixtures("uncompilable")
def test_no_compiler_at_all(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """Where nothing can be compiled SAT goes on to the end."""
    monkeypatch.setattr(turns, "_TURN_SECONDS", 0.0)
    assert calls.count(SEVERAL, AUTO) == Count(127, True)
    rows = np.concatenate(list(calls.solutions(SEVERAL, AUTO)))
    assert len({row.tobytes() for row in rows}) == len(rows) == 127
    assert (
        messages
        == ["sat (cadical195, encoding extended), since nothing can be compiled here: there is no compiler"] * 2
    )
    for method in ("search", "frontier", "norvig2006"):
        with pytest.raises(
            MethodError, match=f"{method} needs compiled code, which cannot be made here: there is no compiler"
        ):
            calls.count(SEVERAL, method)
        assert not METHODS[method].installed


def batch_of(*names: str) -> Grids:
    return np.stack([known(name).puzzle.givens for name in names])


MIXED = ("papers/uhbpnp-fig-1.txt", "known-counts/tdoku-none.sdm#1", "papers/gtsps-fig-4.9.sdk")


def counts(found: Iterator[BatchResult], given: Grids, limit: int) -> list[int]:
    """Return the counts of a batch; the grids must be there."""
    answers = list(found)
    grids, numbers = (np.concatenate([getattr(some, name) for some in answers]) for name in ("grids", "counts"))
    assert ((grids == given) | (given == 0))[numbers > 0].all()
    assert grids.all(axis=1).tolist() == (numbers > 0).tolist()
    return [int(number) for number in numbers]


@pytest.mark.usefixtures("uncompiled")
@pytest.mark.parametrize("limit", [1, 2, 200])
@pytest.mark.parametrize("turns", [0, 1, 4, 100])
def test_batch_by_both(monkeypatch: pytest.MonkeyPatch, limit: int, turns: int) -> None:
    """SAT begins a batch and search ends it."""
    right, left = IncrementalSolver.solutions, turns

    def limited(self: IncrementalSolver, budget: Deadline, givens: Grids | None = None) -> Iterator[Grids]:
        nonlocal left
        left -= 1
        if left < 0:
            raise StoppedError("time limit")
        return right(self, budget, givens)

    monkeypatch.setattr(IncrementalSolver, "solutions", limited)
    given = np.tile(batch_of(*MIXED), (3, 1))
    wanted = [min(limit, number) for number in (1, 0, 127)] * 3
    found = list(solve_batches(board("9x9"), given, limit))
    assert counts(iter(found), given, limit) == wanted
    assert len(found[0].counts) == min(turns, 9)
    # By search alone none of it is asked.
    monkeypatch.delattr(IncrementalSolver, "solutions")
    assert counts(solve_batches(board("9x9"), given, limit, "search"), given, limit) == wanted


@pytest.mark.usefixtures("uncompiled")
def test_dying_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that ends its process ends its turn and no answer is lost."""
    monkeypatch.setattr(IncrementalSolver, "solutions", lambda self, budget, givens: os._exit(0))
    given = batch_of(*MIXED)
    assert counts(solve_batches(board("9x9"), given, 2), given, 2) == [1, 0, 2]
    monkeypatch.setattr(kernels, "unavailable", lambda: "not today")
    with pytest.raises(ProcessDiedError, match="ended with status 0"):
        list(solve_batches(board("9x9"), given, 2))


@pytest.mark.usefixtures("uncompiled")
def test_slow_loading_board(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """A board that a SAT solver takes long to load is searched."""
    for module in (turns, batches):
        monkeypatch.setattr(module, "LOADABLE_CANDIDATES", 700)
    assert calls.count(SEVERAL, AUTO) == Count(127, True)
    given = batch_of(*MIXED)
    assert counts(solve_batches(board("9x9"), given, 2), given, 2) == [1, 0, 2]
    assert messages == ["search, which finished within a second"]


@pytest.mark.usefixtures("uncompilable")
def test_batch_without_compiler(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """A batch is done by SAT where nothing can be compiled."""
    monkeypatch.setattr(batches, "SAT_SECONDS", 0.0)
    given = batch_of(*MIXED)
    assert counts(solve_batches(board("9x9"), given, 2), given, 2) == [1, 0, 2]
    assert messages == [
        f"by sat instead of search: {NOT_YET}",
        "by sat for the remaining puzzles: there is no compiler",
    ]
    with pytest.raises(MethodError, match="search needs compiled code, which cannot be made here"):
        list(solve_batches(board("9x9"), given, 2, "search"))


@pytest.mark.usefixtures("uncompiled")
def test_wrong_grid_in_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong grid of SAT never gets out of a batch."""
    right = IncrementalSolver.solutions

    def lies(self: IncrementalSolver, budget: Deadline, givens: Grids | None = None) -> Iterator[Grids]:
        for batch in right(self, budget, givens):
            batch[0, :2] = batch[0, 1::-1]
            yield batch

    monkeypatch.setattr(IncrementalSolver, "solutions", lies)
    with pytest.raises(InternalError, match="not a solution"):
        list(solve_batches(board("9x9"), batch_of(MIXED[0]), 1))


@pytest.fixture
def broken(tmp_path: Path) -> dict[str, object]:
    """Return an environment in which numba cannot be imported."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise ImportError('needs another numpy')\n")
    return {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("off", "reason"), [(True, "NUMBA_DISABLE_JIT is set"), (False, "numba cannot be loaded (ImportError: needs")]
)
def test_commands_without_compiler(tmp_path: Path, broken: dict[str, object], off: bool, reason: str) -> None:
    """Without a compiler commands answer by SAT or refuse."""
    variables: dict[str, object] = {"NUMBA_DISABLE_JIT": 1} if off else broken
    counted = ran("count", UNIQUE, variables=variables)
    assert (counted.returncode, counted.stdout) == (0, "1\n")
    assert counted.stderr.startswith("by sat")
    refused = ran("count", UNIQUE, "--method", "norvig2006", "--timeout", "30", variables=variables)
    assert (refused.returncode, refused.stdout, refused.stderr.count("\n")) == (2, "", 1)
    assert f"method norvig2006 needs compiled code, which cannot be made here: {reason}" in refused.stderr
    compared = ran("verify", "--board", "4x4", "--methods", "sat,exact-cover,cp-sat,search", variables=variables)
    assert compared.returncode == 0
    assert "search" not in compared.stdout
    assert f"methods that are compiled are left out: {reason}" in compared.stderr


@pytest.mark.slow
def test_read_only_installation(tmp_path: Path) -> None:
    """A read only installation answers and says once that nothing is kept."""
    here = tmp_path / "site" / "sudoku_encode"
    shutil.copytree(Path(sudoku_encode.__file__).parent, here, ignore=shutil.ignore_patterns("__pycache__"))
    # A file where a folder should be: not even root can write there.
    for folder in ("papers", "search"):
        (here / folder / "__pycache__").touch()
    path = os.pathsep.join([str(here.parent), *sys.path])
    unwritable: object = here / "search" / "__pycache__"
    # How good the code is does not matter, and it is compiled in less time.
    nowhere = {
        "PYTHONPATH": path,
        "NUMBA_OPT": 0,
        **dict.fromkeys(("HOME", "XDG_CACHE_HOME", "NUMBA_CACHE_DIR"), unwritable),
    }
    # Elsewhere, since Python takes modules from the folder where it is called first.
    counted = ran("count", UNIQUE, folder=tmp_path, variables=nowhere)
    assert (counted.returncode, counted.stdout) == (0, "1\n")
    assert counted.stderr.startswith("by sat")
    for limits in ([], ["--timeout", "60"]):
        # Of all methods it is compiled soonest.
        listed = ran("count", "--board", "4x4", "--method", "norvig2006", *limits, folder=tmp_path, variables=nowhere)
        assert (listed.returncode, listed.stdout) == (0, "288\n")
        # Compiling takes longer than a second on some machines, and then a remark says so.
        assert listed.stderr.replace("compiling, once on this machine ...\n", "") == (
            "compiled code cannot be kept for the next run; to keep it, set NUMBA_CACHE_DIR to a folder that can be "
            "written\n"
        )


@pytest.mark.slow
def test_hard_puzzle_after_compiling(uncompiled: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else search would go on with it for ever, where it is handed to other methods on the next day."""
    monkeypatch.setattr(auto, "_FIRST_SECONDS", 0.0)
    cube = read(INSTANCES / "cubes" / "9x9x9-fewest.txt")
    *_, found = solve_batches(cube.geometry, cube.givens[None], 1, sat_ends=time.monotonic())
    assert found.given_up.tolist() == [True]
