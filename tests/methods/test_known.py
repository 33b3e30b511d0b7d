"""METHODS x KNOWN: every method on puzzles of every kind, and some methods on every puzzle whose number is known."""

import csv
import re
from collections.abc import Collection, Iterator

import numpy as np
import pytest
from _pytest.mark import ParameterSet

from sudoku_encode.formats.reading import read_all
from sudoku_encode.methods import calls
from sudoku_encode.methods.calls import solutions
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Deadline, Limits
from tests.helpers.known_puzzles import INSTANCES, KNOWN, KnownCount, beyond, is_costly, known, method_names

SAMPLE = 20
# How long a method is tried on a puzzle that is too much for it.
TRIED_SECONDS = 0.04
NOT_PUZZLES = {"README.md", "known.toml", "cubes/jana-2023-tables.csv", "variants/f-puzzles.jsonl"}


METHOD_NAMES = {case.name: method_names(case) for case in KNOWN}


def _param(method: str, case: KnownCount) -> ParameterSet:
    return pytest.param(method, case, marks=[pytest.mark.slow] if is_costly(case) else [], id=f"{method}-{case.name}")


def _cases(*finds: str, of: Collection[str] = ()) -> list[ParameterSet]:
    """Return (method, puzzle) for the methods that find so much, of all puzzles or of some."""
    return [
        _param(method, case)
        for case in (map(known, of) if of else KNOWN)
        for method in METHOD_NAMES[case.name]
        if METHODS[method].finds in finds
    ]


def _count_and_grids(
    puzzle: Puzzle, method: str, limit: int | None = None, seconds: float | None = None
) -> tuple[Count, Grids]:
    batches: list[Grids] = [np.empty((0, puzzle.geometry.n_cells), np.uint8)]

    def seen() -> Iterator[Grids]:
        for batch in solutions(puzzle, method, Limits(limit, seconds).start()):
            batches.append(batch)
            yield batch

    number = tally(seen())
    return number, np.concatenate(batches)


def _different(grids: Grids) -> set[bytes]:
    return {row.tobytes() for row in grids.astype(np.uint8)}


@pytest.mark.parametrize(("method", "case"), _cases("all"))
def test_all_solutions(method: str, case: KnownCount) -> None:
    """Every method finds all solutions of known puzzles."""
    found, grids = _count_and_grids(case.puzzle, method)
    assert found == Count(case.count, True)
    different = _different(grids)
    assert len(different) == case.count
    if case.solutions:
        assert different == case.grids()
    for grid in grids[:: max(1, len(grids) // SAMPLE)][:SAMPLE]:
        assert list(violations(case.puzzle, grid)) == []
    if METHODS[method].count is not None:
        assert calls.count(case.puzzle, method) == found


@pytest.mark.parametrize(
    ("method", "case"),
    [_param(method, case) for case in KNOWN for method in beyond(case)],
)
def test_too_much_for_method(method: str, case: KnownCount) -> None:
    """A method that a puzzle is too much for says why it stopped and no wrong number."""
    if not METHODS[method].lists:
        found = calls.count(case.puzzle, method, Limits(seconds=TRIED_SECONDS).start())
    else:
        found, grids = _count_and_grids(case.puzzle, method, 1000, TRIED_SECONDS)
        assert len(_different(grids)) == found.value
        assert not case.solutions or _different(grids) <= case.grids()
    assert found == Count(case.count, True) or (found.value <= case.count and not found.complete and found.stopped)


@pytest.mark.parametrize(("method", "case"), _cases("count"))
def test_counting_methods(method: str, case: KnownCount) -> None:
    """A method that only counts counts right."""
    assert calls.count(case.puzzle, method) == Count(case.count, True)


@pytest.mark.parametrize(("method", "case"), _cases("forced-moves", "some"))
def test_incomplete_methods(method: str, case: KnownCount) -> None:
    """A method that may get stuck never says more than is true."""
    found, grids = _count_and_grids(case.puzzle, method)
    assert len(_different(grids)) == found.value <= case.count
    assert (
        found.value == case.count if found.complete else re.match("stuck: [1-9]|failed: |not proved: ", found.stopped)
    )
    assert not case.solutions or _different(grids) <= case.grids()


def test_kinds_of_puzzles() -> None:
    """Every method is tried on puzzles with no one and many solutions."""
    # Variants, and what ends on few puzzles, have their own tests.
    tried = [name for name, method in METHODS.items() if method.installed and not method.only_if_named]
    counts: dict[str, list[int]] = {name: [] for name in tried}
    for case in KNOWN:
        for name in method_names(case):
            counts.get(name, []).append(case.count)
    for name, numbers in counts.items():
        assert min(numbers.count(0), numbers.count(1)) > 3, name
        assert max(numbers) > 100, name


NEAR_THE_LIMIT = (
    *("small/4x4-diagonals-empty.txt", "small/4x4-sukaku.json", "small/9x9-complete.sdm"),
    *("known-counts/tdoku-several.txt#1", "papers/gtsps-fig-4.9.sdk", "small/4x4x4-three-givens.json"),
)


@pytest.mark.parametrize(("method", "case"), _cases("all", of=NEAR_THE_LIMIT))
def test_complete_below_limit(method: str, case: KnownCount) -> None:
    """A count is complete only below the limit."""
    for limit in range(max(1, case.count - 1), case.count + 2):
        found, grids = _count_and_grids(case.puzzle, method, limit)
        assert (found.value, found.complete) == (min(limit, case.count), limit > case.count)
        assert len(_different(grids)) == found.value


@pytest.mark.parametrize("method", ["sat", "cp-sat"])
@pytest.mark.parametrize("name", ["small/9x9-clash.txt", "small/4x4-none.txt", "small/4x4x4-none.txt"])
def test_count_of_0(method: str, name: str) -> None:
    """No solution is a complete count of 0 under any limit."""
    assert tally(solutions(known(name).puzzle, method, Deadline(1))) == Count(0, True)


def test_unique_names() -> None:
    """No two entries have the same name."""
    names = [case.name for case in KNOWN]
    assert len(set(names)) == len(names)


def test_files_have_entries() -> None:
    """Every file among the instances has an entry."""
    there = {path.relative_to(INSTANCES).as_posix() for path in INSTANCES.rglob("*") if path.is_file()}
    # Those with constraints have their solutions beside them, and tests of their own.
    plain = {file for file in there if not file.startswith("variants/")}
    assert plain - NOT_PUZZLES == {case.file for case in KNOWN}


def test_batches_have_entries() -> None:
    """Every puzzle of a batch has an entry."""
    for file in {case.file for case in KNOWN}:
        n_puzzles = len(list(read_all(INSTANCES / file)))
        assert {case.index for case in KNOWN if case.file == file} == set(range(1, n_puzzles + 1)), file


def test_board_in_file() -> None:
    """Every file says its board by itself."""
    for file in {case.file for case in KNOWN}:
        first = next(case for case in KNOWN if case.file == file)
        for alone in read_all(INSTANCES / file):
            assert isinstance(alone, Puzzle), alone
            assert alone.geometry.name == boards.board(first.board).name, file


@pytest.mark.parametrize("rules", ["six-rules", "four-rules"])
def test_rebuilt_cubes(rules: str) -> None:
    """The rebuilt cubes have the blanks and solutions that the paper lists."""
    table = csv.DictReader((INSTANCES / "cubes" / "jana-2023-tables.csv").read_text(encoding="utf-8").splitlines())
    listed = [(f"cubes/{rules}-{row['class']}.txt", int(row["blanks"]), int(row["solutions"])) for row in table]

    assert len(listed) == 75
    assert listed == [
        (case.file, len(case.puzzle.blanks), case.count) for case in KNOWN if case.file.startswith(f"cubes/{rules}-")
    ]


@pytest.mark.parametrize("case", KNOWN, ids=lambda case: case.name)
def test_consistent_entries(case: KnownCount) -> None:
    """Every entry is consistent."""
    assert case.puzzle.geometry.rule_names == boards.board(case.board, case.rules).rule_names
    assert case.source
    assert case.count >= 0
    if case.solutions:
        assert len(case.grids()) == len(case.solutions) == case.count
    for grid in case.grids():
        assert list(violations(case.puzzle, np.frombuffer(grid, np.uint8))) == []


def test_complete_and_contradictory() -> None:
    """Empty complete and contradictory boards are known."""
    counts = {case.name: case.count for case in KNOWN}
    assert counts["small/4x4-empty.txt"] == 288
    assert counts["small/4x4x4-empty.txt"] == 768
    assert counts["small/9x9-complete.sdm"] == 1
    assert counts["small/9x9-clash.txt"] == 0
    assert counts["papers/jana-2023-table-2.txt"] == 1
    assert counts["papers/jana-2023-table-2.txt row-z,box-xy,box-xz,box-yz"] == 2
