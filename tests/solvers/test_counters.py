"""Counters and an exact-cover solver from the field: right counts, limits that hold, and their traps kept shut."""

import importlib
import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice, repeat
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings

import sudoku_encode
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.errors import InternalError, MethodError, StoppedError
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.shapes import square
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import checked, tally
from sudoku_encode.run.limits import Limits
from sudoku_encode.solvers import counters, dancing_links
from tests.helpers.child_processes import child_processes, needs_proc
from tests.helpers.known_puzzles import known
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import JIGSAW, STRIP, opened, puzzle_of, puzzles
from tests.helpers.solution_sets import after, all_by_sat, different, never


def needs(package: str) -> pytest.MarkDecorator:
    there = importlib.util.find_spec(package) is not None
    return pytest.mark.skipif(not there, reason=f"the optional package {package} is not installed")


EMPTY = Puzzle.of(square(9))
BOARDS = ("4x4", "4x4+diagonals", "4x4, two rules", JIGSAW, "6x6", "6x6:3x2", "4x4x4", "short units")


@needs("miniexact")
@given(puzzle=puzzles(BOARDS))
@settings(derandomize=True, max_examples=30, deadline=None)
def test_dancing_links_same_as_sat(puzzle: Puzzle) -> None:
    """Dancing links finds the solutions that SAT finds."""
    expected = all_by_sat(puzzle)
    assert different(dancing_links.solutions(puzzle, never)) == expected


def test_exact_cover_items() -> None:
    """An exact cover has an option for each candidate and an item for each thing that must be."""
    cover = dancing_links.exact_cover(Puzzle.of(square(4)))

    assert cover is not None
    # 16 cells, and 4 values in 12 units; an option covers one cell and one value in three units.
    assert cover.items.shape == (64, 4)
    assert len(cover.primary) == 16 + 4 * 12
    assert len(cover.secondary) == 0
    assert (np.bincount(cover.items.ravel()) == 4).all()


def test_missing_value() -> None:
    """A value may be missing from a unit with fewer cells than values."""
    cover = dancing_links.exact_cover(Puzzle.of(STRIP))

    assert cover is not None
    assert len(cover.primary) == 6
    assert len(cover.secondary) == 4 * 5


def test_givens_cover_items() -> None:
    """Givens take their items and all options that would cover these again."""
    cover = dancing_links.exact_cover(puzzle_of("4x4", "1000000000000000"))

    assert cover is not None
    # 15 blanks of 4 values, less the value 1 in 7 peers.
    assert len(cover.items) == 15 * 4 - 7
    assert len(cover.primary) == 64 - 4
    assert dancing_links.exact_cover(puzzle_of("4x4", "1100000000000000")) is None


@needs("miniexact")
def test_dancing_links_impossible() -> None:
    """Dancing links knows a unit that is too large and a blank without candidates."""
    marks = np.ones((16, 4), bool)
    marks[3] = False

    for puzzle in (Puzzle.of(board("4x4x4:literal")), Puzzle.of(square(4), pencilmarks=marks)):
        assert dancing_links.count(puzzle, never) == sum(map(len, dancing_links.solutions(puzzle, never))) == 0


@needs("miniexact")
@pytest.mark.parametrize("limit", [1, 287, 288, 289])
def test_dancing_links_limit(limit: int) -> None:
    """Dancing links stops at a limit."""
    puzzle = Puzzle.of(square(4))
    found = tally(checked(puzzle, dancing_links.solutions(puzzle, never), limit))

    assert (found.value, found.complete) == (min(limit, 288), limit > 288)


@needs("miniexact")
def test_dancing_links_batches() -> None:
    """Dancing links lists in batches and the first solution at once."""
    batches = list(islice(dancing_links.solutions(EMPTY, never), 5))

    assert len(batches[0]) == 1
    assert 1 < max(map(len, batches)) <= 4096
    assert all(batch.dtype == np.uint8 and batch.shape[1] == 81 for batch in batches)


AUXILIARY = [("extended", amo) for amo in AT_MOST_ONE] + [("order", "pairwise"), ("log", "pairwise")]


@needs("pyganak")
@pytest.mark.parametrize("reduction", ["none", "singles"])
@pytest.mark.parametrize(("encoding", "amo"), AUXILIARY)
def test_ganak_auxiliaries(encoding: str, amo: str, reduction: str) -> None:
    """Auxiliary variables do not change what Ganak counts."""
    for puzzle, number in ((puzzle_of("4x4", "1200000000000000"), 24), (Puzzle.of(STRIP), None)):
        expected = len(list(by_hand(puzzle))) if number is None else number
        encoded = encode(puzzle, encoding, amo=amo, reduction=reduction)
        assert counters.count_by_ganak(encoded, never) == expected


@needs("pyganak")
def test_ganak_triads() -> None:
    """Triads are auxiliary to Ganak."""
    encoded = encode(known("known-counts/tdoku-several.txt#8").puzzle, "triads")

    assert encoded.n_auxiliary > 400
    assert counters.count_by_ganak(encoded, never) == 125


@needs("pyganak")
def test_ganak_unprojected() -> None:
    """Without its projection Ganak would count auxiliary variables."""
    # Says that the tests above are able to fail: a value that is nowhere in a unit leaves its auxiliaries free.
    encoded = encode(Puzzle.of(STRIP), amo="sequential", reduction="none")
    counter = importlib.import_module("pyganak").Counter()
    counter.add_clauses([clause for chunk in encoded.cnf.chunks() for clause in chunk.tolist()])

    assert counter.count() > 2 * counters.count_by_ganak(encoded, never)


def wider(puzzle: Puzzle) -> Encoding:
    """A puzzle with a thousand auxiliary variables that no clause has."""
    plain = encode(puzzle, reduction="none")
    cnf = Cnf.of(plain.cnf.n_variables + 1000, plain.cnf.groups)
    return Encoding(puzzle, "wider", "direct", cnf, plain.candidates, plain.literals)


LONE = [opened("jigsaw:aaabacbbccbdcddd"), opened("4x4+diagonals"), Puzzle.of(STRIP, [1, 2, 0, 2, 1, 0])]


@pytest.mark.parametrize("counter", [pytest.param("ganak", marks=needs("pyganak")), "approxmc"])
@pytest.mark.parametrize("encoding", ["extended", "order", "log"])
def test_unused_variables(counter: str, encoding: str, request: pytest.FixtureRequest) -> None:
    """Variables that no clause has count if and only if they tell solutions apart."""
    for puzzle in LONE:
        assert counted(counter, encode(puzzle, encoding)) == len(list(by_hand(puzzle)))
    assert counted(counter, wider(puzzle_of("4x4", "1200000000000000"))) == pytest.approx(24, rel=0.8)


def counted(counter: str, encoded: Encoding) -> int:
    if counter == "ganak":
        return counters.count_by_ganak(encoded, never)
    usable_approxmc()
    return counters.estimate(encoded, never).value


def usable_approxmc() -> None:
    pyapproxmc = pytest.importorskip("pyapproxmc")
    if counters.loses_a_factor(pyapproxmc):
        pytest.skip("this pyapproxmc loses a factor")


@needs("pyganak")
def test_contradiction_and_decided() -> None:
    """Counters know a contradiction and a puzzle without variables."""
    assert counters.count_by_ganak(encode(puzzle_of("4x4", "1100000000000000")), never) == 0
    assert counters.count_by_ganak(encode(known("small/9x9-one-blank.txt").puzzle), never) == 1
    assert counters.count_by_ganak(encode(puzzle_of("4x4", "1100000000000000"), reduction="none"), never) == 0


ESTIMATED = [
    *("small/4x4-empty.txt", "small/4x4x4-empty.txt", "small/6x6.txt"),
    pytest.param("known-counts/tdoku-several.txt#13", marks=pytest.mark.slow),
]


@pytest.mark.parametrize("name", ESTIMATED)
@pytest.mark.parametrize("amo", ["pairwise", "sequential"])
def test_estimate_guarantee(name: str, amo: str) -> None:
    """An estimate keeps its guarantee."""
    usable_approxmc()
    case = known(name)
    found = counters.estimate(encode(case.puzzle, amo=amo), never)

    assert (found.tolerance, found.confidence) == (0.8, 0.8)
    assert found.low <= case.count <= found.high


@pytest.mark.parametrize("number", [15, 17, 20])
def test_estimate_free_variables(number: int) -> None:
    """An estimate loses no factor of free variables."""
    # 768, 3 and 3 solutions, of which pyapproxmc 4.4 makes 384, 1 and 3.
    usable_approxmc()
    case = known(f"cubes/six-rules-hard.txt#{number}")

    assert counters.estimate(encode(case.puzzle), never).value == pytest.approx(case.count, rel=0.8)


def test_estimate_text() -> None:
    """An estimate reads as one."""
    said = str(counters.Estimate(800, 0.25, 0.9))

    assert said == "about 800 (640 to 1e+03 with 90% confidence or more)"
    assert counters.Estimate(800, 0.25, 0.9).high == 1000


def test_bad_guarantee() -> None:
    """An estimate needs a guarantee that can be given."""
    encoded = encode(Puzzle.of(square(4)))
    for epsilon, delta in ((0.0, 0.2), (0.8, 0.0), (0.8, 1.0), (float("nan"), 0.2)):
        with pytest.raises(MethodError, match="approxmc needs epsilon above 0 and delta between 0 and 1"):
            counters.estimate(encoded, never, epsilon, delta)


def test_faulty_package(monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that loses a factor is refused."""

    class Counter:
        def add_clause(self, clause: list[int]) -> None:
            assert clause

        def count(self, projection: list[int]) -> tuple[int, int]:
            return len(projection) - 1, 0

    monkeypatch.setitem(sys.modules, "pyapproxmc", SimpleNamespace(Counter=Counter))
    with pytest.raises(MethodError, match=r"loses a factor of its count: .*pyapproxmc<4.3"):
        counters.estimate(encode(Puzzle.of(square(4))), never)


LONG: list[tuple[str, Callable[[Callable[[], None]], object]]] = [
    ("pyganak", lambda tick: counters.count_by_ganak(encode(EMPTY), tick)),
    ("miniexact", lambda tick: dancing_links.count(EMPTY, tick)),
    ("miniexact", lambda tick: list(dancing_links.solutions(EMPTY, tick))),
    ("pyapproxmc", lambda tick: counters.estimate(encode(EMPTY), tick)),
]


@pytest.mark.slow
@pytest.mark.parametrize("at", range(len(LONG)))
def test_deadline(at: int) -> None:
    """A deadline ends what would never end."""
    package, run = LONG[at]
    pytest.importorskip(package)
    if package == "pyapproxmc":
        usable_approxmc()
    begun = time.monotonic()

    with pytest.raises(StoppedError, match="time limit"):
        run(Limits(seconds=0.2).start())
    # Without a deadline it would take years; a busy machine has its time.
    assert time.monotonic() - begun < 60


@pytest.mark.parametrize(
    ("package", "run"),
    [
        ("pyganak", lambda: counters.count_by_ganak(encode(Puzzle.of(square(4))), never)),
        ("miniexact", lambda: dancing_links.count(Puzzle.of(square(4)), never)),
        ("miniexact", lambda: list(dancing_links.solutions(Puzzle.of(square(4)), never))),
        ("pyapproxmc", lambda: counters.estimate(encode(Puzzle.of(square(4))), never)),
    ],
)
def test_missing_package(package: str, run: Callable[[], object], monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is not there is named."""
    monkeypatch.setitem(sys.modules, package, None)

    with pytest.raises(
        MethodError,
        match=rf"needs the package {package} \(extra \"counters\" of this installation\): pip install '{package}",
    ):
        run()


@needs_proc
def test_process_yields_same() -> None:
    """Work in a process yields what it yields here."""
    before = child_processes()
    assert list(stream(lambda: range(1000), never)) == list(range(1000))
    assert child_processes() <= before


@needs_proc
def test_process_ends_unwanted() -> None:
    """Work in a process ends when nobody wants more."""
    before = child_processes()
    found = stream(lambda: repeat(1), never)

    assert next(found) == 1
    assert len(child_processes() - before) == 1
    found.close()
    assert child_processes() <= before


def sleeps() -> Iterator[int]:
    time.sleep(60)
    yield 1


@needs_proc
def test_process_ends_by_tick() -> None:
    """Work in a process ends when its tick says so."""
    before = child_processes()
    with pytest.raises(StoppedError, match="enough"):
        list(stream(sleeps, after(3)))
    assert child_processes() <= before


def test_process_error() -> None:
    """What goes wrong in a process is said here."""

    def fails() -> Iterator[int]:
        yield 1
        raise ValueError("no such thing")

    found = stream(fails, never)

    assert next(found) == 1
    with pytest.raises(InternalError, match="ValueError: no such thing"):
        next(found)


def test_killed_process() -> None:
    """A process that is killed makes an incomplete search."""

    def dies() -> Iterator[int]:
        os.write(1, b"the last words\n")
        os.kill(os.getpid(), 9)
        yield 1

    def eats() -> Iterator[int]:
        raise MemoryError

    with pytest.raises(StoppedError, match="was killed by SIGKILL, perhaps because memory ran out: the last words"):
        list(stream(dies, never))
    with pytest.raises(StoppedError, match="out of memory"):
        list(stream(eats, never))


ORPHAN = """
import os, time
from sudoku_encode.run.child import stream

output = os.dup(1)

def work():
    os.write(output, b"at work\\n")
    yield time.sleep(60)

next(stream(work))
"""


def test_process_ends_with_parent() -> None:
    """A process ends with its parent even if that is killed."""
    home = str(Path(sudoku_encode.__file__).parents[1])
    command = [sys.executable, "-c", ORPHAN]
    with subprocess.Popen(command, stdout=subprocess.PIPE, env={**os.environ, "PYTHONPATH": home}) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"at work\n"
        parent.kill()
        # Ends when both processes have closed it.
        assert parent.communicate(timeout=10)[0] == b""
