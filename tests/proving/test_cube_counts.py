"""Certificates in cubes in which solutions are counted, not listed: made, resumed, and refused when changed."""

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import sudoku_encode as se
from sudoku_encode.encoders.cubes import Cube, within
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.proving import counts, cube_folder, cube_proofs, in_cubes, making, recount_kinds
from sudoku_encode.proving.checking import CertificateError, CheckedCount
from sudoku_encode.proving.cube_proofs import Budget
from sudoku_encode.run.limits import Deadline
from sudoku_encode.run.pools import Pool, local_pool, pool_of
from tests.helpers import certificate_reader, cube_reader
from tests.helpers.command import Command
from tests.helpers.long_searches import TEN_THOUSAND

# Of the eight cubes of ONE, six have 8 solutions and two have 12.
FEW = Budget(few=10)
# Not the value 2 in r1c1, and not 4 in r3c3.
MARKS = [[(cell, value) not in ((0, 1), (10, 3)) for value in range(4)] for cell in range(16)]
ONE = se.Puzzle.of(se.board("4x4"), [1] + [0] * 15)
MARKED = se.Puzzle.of(se.board("4x4"), None, MARKS)
PUZZLES: dict[str, Callable[[], se.Puzzle]] = {
    "one given": lambda: ONE,
    "pencilmarks": lambda: MARKED,
    "no solution": lambda: se.Puzzle.of(se.board("4x4"), [1, 1] + [0] * 14),
    "a cube": lambda: se.Puzzle.of(se.board("4x4x4"), [1] + [0] * 63),
    "overlap": lambda: se.Puzzle.of(se.board("4x4@0,0;2,2"), [1, 2, 3, 4] + [0] * 24),
    "constraints": lambda: se.Puzzle.of(se.board("4x4"), constraints=["cage 5 r1c1 r2c2", "sandwich <=3 r3c1-r3c4"]),
}


def certify(
    puzzle: se.Puzzle, folder: Path, budget: Budget = FEW, pool: Pool | None = None, **more: bool
) -> CheckedCount:
    options = in_cubes.CubeOptions(8, budget=budget, may_count=more.pop("may_count", True))
    return in_cubes.certify(puzzle, folder, Deadline(), options, pool or local_pool(1), **more)[1]


def names(folder: Path) -> list[str]:
    """Return the names of the files of cubes."""
    return sorted(path.name for path in (folder / "leaves").iterdir())


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cubes")
    certify(ONE, folder)
    return folder


@pytest.fixture
def changed(certificate: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(certificate, tmp_path / "changed"))


@pytest.mark.parametrize("name", PUZZLES)
def test_known_number(name: str, tmp_path: Path) -> None:
    """Lists and counts together prove the number that a search finds."""
    puzzle = PUZZLES[name]()
    checked = certify(puzzle, tmp_path)

    assert checked.count == se.count(puzzle, "search").value == cube_reader.check(tmp_path)
    assert checked.n_counted == sum(path.endswith(".json") for path in names(tmp_path))
    assert (checked.n_states is None) == (checked.n_counted == 0) == (name == "no solution")


def test_both_kinds(certificate: Path) -> None:
    """Only cubes with many solutions are counted."""
    listed = {len((certificate / "leaves" / name).read_text().split()) for name in names(certificate) if ".txt" in name}
    counted = {json.loads((certificate / "leaves" / name).read_text())["solutions"] for name in counts_of(certificate)}
    assert max(listed) < FEW.few <= min(counted)


def test_bands(tmp_path: Path) -> None:
    """A cube may be counted by bands."""
    puzzle = se.Puzzle.of(se.board("9x9"), [int(digit) for digit in TEN_THOUSAND])
    cube = ((0, 1),)
    part = within(puzzle, cube)
    rules = counts.within(counts.rules_of(puzzle), cube)
    path = tmp_path / "000001.json"
    ways = recount_kinds.by_bands(rules, "rows").compiled(lambda: None, None)
    layers = [summary for summary, _ in ways]
    path.write_text(json.dumps({"solutions": layers[-1][1], "kind": "bands", "lines": "rows", "layers": layers}))

    again = recount_kinds.count_again(path, puzzle.geometry, rules)
    assert again.n_solutions == se.count(part, "search").value > 0


@pytest.mark.parametrize(
    ("budget", "is_counted"),
    [(FEW, True), (FEW._replace(state_bytes=500), False), (FEW._replace(seconds=0.0), False)],
)
def test_budget(budget: Budget, is_counted: bool) -> None:
    """A cube whose recount takes too much memory or time is neither listed nor counted, and so cut."""
    leaf = cube_proofs.leaf(se.Puzzle.of(se.board("6x6")), "glucose4", budget, (), may_count=True)
    assert isinstance(leaf, cube_proofs.CountedLeaf) == is_counted == (leaf is not None)


# Changed, and refused.


def counts_of(folder: Path) -> list[str]:
    return [name for name in names(folder) if name.endswith(".json")]


def with_count(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """Return a change of the first count."""

    def changed(folder: Path) -> None:
        path = folder / "leaves" / counts_of(folder)[0]
        data = json.loads(path.read_text())
        change(data)
        path.write_text(json.dumps(data))

    return changed


def mend(folder: Path, **by: int) -> None:
    """Change the figures, so that only the change itself is wrong."""
    figures = json.loads((folder / "certificate.json").read_text())
    (folder / "certificate.json").write_text(
        json.dumps(figures | {name: figures[name] + number for name, number in by.items()})
    )


def add_a_solution(folder: Path) -> None:
    with_count(lambda data: data.update(solutions=data["solutions"] + 1))(folder)
    mend(folder, solutions=1)


def take_the_count_of_the_puzzle(folder: Path) -> None:
    path = folder / "leaves" / counts_of(folder)[0]
    text = recount_kinds.count(ONE, counts.rules_of(ONE), Deadline()).text
    mend(folder, solutions=72 - json.loads(path.read_text())["solutions"])
    path.write_text(text)


def count_another_cube(folder: Path) -> None:
    """Count a cube as one that has another number of solutions."""
    listed = next(name for name in names(folder) if name.endswith(".txt"))
    cubes = cube_folder.read_cubes(folder, ONE)
    other = within(ONE, cubes[int(listed[:6])])
    text = recount_kinds.count(other, counts.rules_of(other), Deadline()).text
    path = folder / "leaves" / counts_of(folder)[0]
    mend(folder, solutions=json.loads(text)["solutions"] - json.loads(path.read_text())["solutions"])
    path.write_text(text)


def count_a_listed_cube(folder: Path) -> None:
    """Write a right count beside a list."""
    listed = next(name for name in names(folder) if name.endswith(".txt"))
    part = within(ONE, cube_folder.read_cubes(folder, ONE)[int(listed[:6])])
    text = recount_kinds.count(part, counts.rules_of(part), Deadline()).text
    (folder / "leaves" / listed.replace(".txt", ".json")).write_text(text)


CHANGES: dict[Callable[[Path], object], str] = {
    add_a_solution: "solutions, but the last layer has",
    take_the_count_of_the_puzzle: "a recount says",
    count_another_cube: "a recount says",
    count_a_listed_cube: "this cube has a count too",
    with_count(lambda data: data["layers"][5].__setitem__(0, 99)): "it says 99 states",
    with_count(lambda data: data["layers"].pop()): "expected 16 layers",
    with_count(lambda data: data["order"].__setitem__(15, data["order"][0])): "each cell exactly once",
    with_count(lambda data: data.update(kind="lists")): "expected a kind",
    with_count(lambda data: data.pop("solutions")): "the whole number solutions",
    lambda folder: (folder / "leaves" / counts_of(folder)[0]).unlink(): "this file of a cube is missing",
    lambda folder: (folder / "leaves" / "000099.json").touch(): "this file belongs to no cube",
    lambda folder: (folder / "rules.txt").touch(): "does not belong to a certificate in cubes",
    lambda folder: mend(folder, solutions=1): "it says 73 solutions",
}


@pytest.mark.parametrize(
    "change", CHANGES, ids=[getattr(change, "__name__", str(n)) for n, change in enumerate(CHANGES)]
)
def test_changed(changed: Path, change: Callable[[Path], object]) -> None:
    """A changed certificate is refused by both checkers."""
    change(changed)

    with pytest.raises((CertificateError, FormatError), match=CHANGES[change]):
        cube_folder.check_cubes(changed)
    with pytest.raises(certificate_reader.Refused):
        cube_reader.check(changed)


def test_excluded_value(tmp_path: Path) -> None:
    """A cube of a value that pencilmarks exclude has no solutions, although its givens alone have some."""
    certify(MARKED, tmp_path)
    cubes = cube_folder.read_cubes(tmp_path, MARKED)
    excluded: Cube = ((0, 2),)
    assert all(0 in dict(cube) for cube in cubes.values())
    number = max(cubes) + 1
    forged = cubes | {number: excluded}
    part = within(MARKED, excluded)
    count = recount_kinds.count(part, counts.rules_of(part), Deadline())
    (tmp_path / "cubes.txt").write_bytes(cube_folder.cubes_text(MARKED, forged))
    proof = cube_proofs.cover(MARKED, forged, Deadline())
    (tmp_path / "cover.lrat").write_text("".join(making.proof_lines(proof)))
    (tmp_path / cube_folder.leaf(number, ".json")).write_text(count.text)
    mend(tmp_path, solutions=count.n_solutions, cubes=1)

    assert count.n_solutions > 0
    with pytest.raises(CertificateError, match="a recount says"):
        cube_folder.check_cubes(tmp_path)
    with pytest.raises(certificate_reader.Refused):
        cube_reader.check(tmp_path)


def test_invented_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that a worker made up is found, and made again here."""
    true, thread = cube_proofs.leaf, ThreadPoolExecutor(1)
    wrong = list[int]()

    def leaf(*arguments: object, **more: object) -> cube_proofs.Leaf | None:
        result = true(*arguments, **more)  # type: ignore[arg-type]
        if wrong or not isinstance(result, cube_proofs.CountedLeaf):
            return result
        data = json.loads(result.text)
        wrong.append(data["solutions"] + 4)
        return cube_proofs.CountedLeaf(json.dumps(data | {"solutions": wrong[0]}).encode())

    monkeypatch.setattr(in_cubes, "leaf", leaf)
    with pool_of(thread) as pool:
        assert certify(ONE, tmp_path, pool=pool).count == 72
    thread.shutdown()
    assert wrong


def test_answer_fault() -> None:
    """An answer that is not a count is not taken, and a count only where counts are asked for."""
    count = cube_proofs.CountedLeaf(b'{"solutions": 9}')

    assert cube_proofs.answer_fault(ONE, (), count, may_count=True) == ""
    assert cube_proofs.answer_fault(ONE, (), count) == "the executor's answer is not solutions with a proof"
    for text in (b"{}", b"[9]", b"{", b'{"solutions": true}', b"\xff"):
        broken = cube_proofs.CountedLeaf(text)
        assert cube_proofs.answer_fault(ONE, (), broken, may_count=True) == "the executor's answer is not a count"


# Resumed.


def test_resumed(changed: Path) -> None:
    """Counts stay where counts are asked for, and are replaced by lists elsewhere."""
    counted = counts_of(changed)
    (changed / "leaves" / counted[0]).unlink()
    (changed / "leaves" / counted[1]).write_text("{")
    (changed / "certificate.json").unlink()
    times = {name: (changed / "leaves" / name).stat().st_mtime_ns for name in names(changed)}

    assert certify(ONE, changed, resume=True).count == 72
    new = {name for name in names(changed) if (changed / "leaves" / name).stat().st_mtime_ns != times.get(name)}
    assert new == set(counted[:2])

    listed = certify(ONE, changed, Budget(), resume=True, may_count=False)
    assert (listed.count, listed.n_counted, counts_of(changed)) == (72, 0, [])
    # A list proves more than a count.
    assert certify(ONE, changed, resume=True).n_counted == 0


# The command and the function.


def test_command(run: Command, tmp_path: Path) -> None:
    """The command makes and checks them."""
    ran = run("prove", "--board", "6x6", "--cubes", 2, "--count", "-o", tmp_path)
    assert (ran.status, ran.out) == (0, "exactly 28200960 solutions, recounted\n")
    assert "in 6 cubes (6 recounted)" in ran.err

    checked = run("prove", "--check", tmp_path, "-j", 2, "--json")
    record = json.loads(checked.out)
    assert (checked.status, record["count"], record["cubes_counted"]) == (0, 28_200_960, 6)


def test_function(tmp_path: Path) -> None:
    """The function makes them, in the same folder as others."""
    assert se.prove(ONE, tmp_path, cubes=2, count=True, executor="threads:2").count == 72
    assert se.prove(ONE, tmp_path, count=True).n_states == se.check_certificate(tmp_path).n_states
    assert not cube_folder.is_in_cubes(tmp_path)


def test_unsupported(tmp_path: Path) -> None:
    """A puzzle that a recount does not support is refused before any work."""
    puzzle = se.Puzzle.of(se.board("4x4"), constraints=["connected 2 r1c1-r1c4"])
    with pytest.raises(MethodError, match="a recount supports no connected cells"):
        se.prove(puzzle, tmp_path / "new", cubes=2, count=True)
    assert not (tmp_path / "new").exists()
