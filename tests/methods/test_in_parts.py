"""One puzzle in parts on an executor: the parts split themselves, each is taken once, and lies are seen and named."""

from collections.abc import Callable, Iterator
from concurrent.futures import Executor
from functools import cache, partial
from typing import Any

import numpy as np
import pytest

from sudoku_encode import search
from sudoku_encode.errors import FormatError, ProcessDiedError, StoppedError
from sudoku_encode.puzzles.arrays import has_repeats
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import executor as run_executor
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event, Progress, Remark, observing
from sudoku_encode.run.parts import Number, Parts, Work
from sudoku_encode.run.pools import Pool, pool_of
from sudoku_encode.search import in_parts, part
from sudoku_encode.search.in_parts import count_in_parts, listed_parts
from sudoku_encode.search.part import Part, PartCount, PartListing, pack_grids, unpack_grids
from tests.helpers.fake_workers import Lies
from tests.helpers.faulty_executors import Breaks, Cancels, Confuses, Direct, Loses, Raises, Twice
from tests.helpers.long_searches import MANY, STRIP, of, of_blocks
from tests.helpers.solution_sets import never

# A given more than in MANY, so that listing it again and again takes little.
SOME = f"{MANY[:4]}3{MANY[5:]}"
N_SOME = 48_011
# Another given more, since listing takes longer than counting: the first of its parts still splits itself.
FEW = f"{SOME[:72]}9{SOME[73:]}"
N_FEW = 2_646
# Four rows that have nothing to do with each other.
COMPONENTS = Puzzle.of(STRIP, [1, 0, 0, 1, *[0] * 8])
# An arrow is a sum, a skyscraper an automaton; 25,963 solutions.
CONSTRAINED = Puzzle.of(
    board("6x6"),
    constraints=["thermometer r5c1-r5c3", "cage 9 r3c3 r3c4 r4c3", "arrow r1c1 / r1c2 r1c3", "skyscraper 3 r6c1-r6c6"],
)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have parts so small that they split themselves; and none is given up because it was lost thrice by chance."""
    monkeypatch.setattr(run_executor, "_MAX_LOST", 99)
    monkeypatch.setattr(search, "FRAMES_PER_CALL", 100)
    monkeypatch.setattr(search, "CELLS_PER_CALL", 2**18)
    monkeypatch.setattr(search, "ASKED_PER_CALL", 2**12)
    monkeypatch.setattr(in_parts, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(in_parts, "LONG_SECONDS", 0.01)
    monkeypatch.setattr(in_parts, "FIRST_CALLS", 2)
    monkeypatch.setattr(in_parts, "CALLS", 5)
    monkeypatch.setattr(in_parts, "LISTED_BYTES", 2**14)


class Seen(list[str]):
    """The texts of events."""

    def __call__(self, event: Event) -> None:
        if isinstance(event, (Progress, Remark)):
            self.append(event.text)

    @property
    def remarks(self) -> list[str]:
        return [text for text in self if "handed out again" in text]


def breaking() -> Callable[[], Executor]:
    """A function that makes executors, the first two of which break."""
    executors = iter([Breaks(5), Breaks(3), Direct()])
    return lambda: next(executors)


def counted(puzzle: Puzzle, executor: Any) -> tuple[Count, Seen]:
    seen = Seen()
    with pool_of(executor) as pool, observing(seen):
        return count_in_parts(puzzle, never, pool), seen


@cache
def numbers_of_parts() -> list[str]:
    """Return the numbers of the parts in which the puzzle of few solutions is listed."""
    return [number for number, _ in listed(of("9x9", FEW), Direct())[0]]


def listed(puzzle: Puzzle, executor: Any, most: int | None = None) -> tuple[list[tuple[str, Grids]], Seen]:
    seen = Seen()
    with pool_of(executor) as pool, observing(seen):
        return [(number, grids) for number, grids in listed_parts(puzzle, pool, never, most=most)], seen


EXECUTORS: dict[str, Callable[[], Any]] = {
    "threads": lambda: "threads:2",
    "processes": lambda: "processes:2",
    "runs twice": Twice,
    "cancels": Cancels,
    "raises": Raises,
    "confuses": Confuses,
    "breaks": breaking,
}


@pytest.mark.parametrize("name", EXECUTORS)
def test_any_executor(name: str) -> None:
    """The count is right whatever the executor does."""
    count, seen = counted(of("9x9", SOME), EXECUTORS[name]())
    assert count == Count(N_SOME, True)
    assert "split themselves" in seen[-1]
    assert bool(seen.remarks) == (name in ("cancels", "raises", "confuses", "breaks"))


def test_lost_task(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that is never answered is handed out again."""
    monkeypatch.setattr(run_executor, "_OVERDUE_SECONDS", 0.01)
    monkeypatch.setattr(in_parts, "_MOST_SECONDS", 0.01)
    monkeypatch.setattr(search, "FRAMES_PER_CALL", 2**16)
    count, seen = counted(of("9x9", SOME), Loses())
    assert count == Count(N_SOME, True)
    assert any("no answer came in" in text for text in seen.remarks)


@pytest.mark.parametrize(
    "puzzle",
    [
        pytest.param(COMPONENTS, id="any", marks=pytest.mark.slow),
        pytest.param(of_blocks(3, 134), id="blocks", marks=pytest.mark.slow),
        pytest.param(of("9x9", FEW), id="9x9"),
        pytest.param(CONSTRAINED, id="constrained", marks=pytest.mark.slow),
    ],
)
def test_each_search(puzzle: Puzzle) -> None:
    """Each kind of search counts and lists in parts."""
    expected = search.count(puzzle, never)
    assert counted(puzzle, Direct())[0] == Count(expected, True)
    parts, seen = listed(puzzle, Direct(), most=300)
    assert "split themselves" in seen[-1]
    grids = np.concatenate([grids for _, grids in parts])
    assert len(np.unique(grids, axis=0)) == len(grids) == expected


def test_components_split(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part with components whose time is over is split."""
    monkeypatch.setattr(search, "CELLS_PER_CALL", 1)
    assert len(search.factors(LoweredPuzzle(COMPONENTS), never)) > 1
    found = part.count_part(COMPONENTS, None, (Part.of_puzzle(COMPONENTS), 0.0))
    assert (found.value, len(found.unfinished) > 1) == (0, True)
    counts = [part.count_part(COMPONENTS, None, (one, 1e9)).value for one in found.unfinished]
    assert sum(counts) == search.count(COMPONENTS, never)


@pytest.mark.slow
def test_same_bytes() -> None:
    """The list is the same bytes whatever the executor and its workers."""
    # So few that parts of parts split themselves too.
    most = 50
    expected, seen = listed(of("9x9", FEW), Direct(), most)
    numbers = [tuple(map(int, number.split("."))) for number, _ in expected]
    assert numbers == sorted(numbers)
    assert max(map(len, numbers)) > 2
    assert "split themselves" in seen[-1]
    grids = np.concatenate([grids for _, grids in expected])
    assert len(grids) == N_FEW
    assert not has_repeats(grids)
    for name in ("threads", "processes", "confuses", "breaks"):
        found, _ = listed(of("9x9", FEW), EXECUTORS[name](), most)
        assert [number for number, _ in found] == [number for number, _ in expected]
        assert np.array_equal(np.concatenate([grids for _, grids in found]), grids)


def test_undelivered_parts_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts wait while much is there that cannot be delivered."""
    monkeypatch.setattr(in_parts, "_WAITING_BYTES", 0)
    most = 0
    take = in_parts._OrderedAnswers.take

    def taking(self: in_parts._OrderedAnswers, number: Number, answer: PartListing | StoppedError) -> None:
        nonlocal most
        take(self, number, answer)
        most = max(most, len(self._waiting))

    monkeypatch.setattr(in_parts._OrderedAnswers, "take", taking)
    found, _ = listed(of("9x9", FEW), "threads:3")
    assert sum(len(grids) for _, grids in found) == N_FEW
    # Those that are away when the first of them comes, and that one.
    assert most <= 6


def wrong_value(listed: PartListing, puzzle: Puzzle) -> PartListing:
    grids = unpack_grids(listed.grids, puzzle.geometry, sum(listed.numbers))
    grids[0, np.flatnonzero(puzzle.givens == 0)[0]] ^= 1
    return listed._replace(grids=pack_grids(grids, puzzle.geometry))


def repeated(listed: PartListing, puzzle: Puzzle) -> PartListing:
    grids = unpack_grids(listed.grids, puzzle.geometry, sum(listed.numbers))
    grids[1] = grids[0]
    return listed._replace(grids=pack_grids(grids, puzzle.geometry))


def of_another_part(listed: PartListing, puzzle: Puzzle) -> PartListing:
    (other,) = part.first_parts(puzzle, 64)[-1:]
    return part.list_part(puzzle, None, (other, 5, 5))._replace(unfinished=listed.unfinished)


def found_and_left(listed: PartListing, puzzle: Puzzle) -> PartListing:
    grid = unpack_grids(listed.grids, puzzle.geometry, sum(listed.numbers))[0]
    return listed._replace(unfinished=[Part.of_puzzle(Puzzle.of(puzzle.geometry, grid))])


def whole(puzzle: Puzzle) -> Part:
    """Return the first part of a puzzle."""
    return part.first_parts(puzzle, 64)[0]


LIES: dict[str, tuple[Callable[..., Any], str]] = {
    "breaks a rule": (wrong_value, "a grid that is not a solution"),
    "repeats": (repeated, "a solution appears twice"),
    "is of another part": (of_another_part, "a solution belongs to another part"),
    "is left too": (found_and_left, "a solution belongs to an unfinished part"),
    "is shorter": (lambda listed, puzzle: listed._replace(numbers=(3,)), "not a list of solutions"),
    "is none": (lambda listed, puzzle: b"nonsense", "not a list of solutions"),
    "has negative numbers": (lambda listed, puzzle: listed._replace(numbers=(-1,)), "not a list of solutions"),
    "leaves more than it had": (
        lambda listed, puzzle: listed._replace(unfinished=[Part.of_puzzle(puzzle)]),
        "an unfinished part is not within the part",
    ),
    "leaves all that it had": (
        lambda listed, puzzle: PartListing(
            pack_grids(np.empty((0, 81), np.uint8), puzzle.geometry), (0,), [whole(puzzle)]
        ),
        "unfinished parts are the whole part",
    ),
    "leaves the same twice": (
        lambda listed, puzzle: listed._replace(unfinished=2 * listed.unfinished),
        "unfinished parts share solutions",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("lie", LIES)
def test_false_solutions(lie: str) -> None:
    """A lie about solutions is named and asked again."""
    puzzle = of("9x9", FEW)
    change, words = LIES[lie]
    found, seen = listed(puzzle, Lies(partial(change, puzzle=puzzle), lambda number: not number))
    assert len(seen.remarks) == 1
    assert seen.remarks[0].startswith("task 0 is handed out again: part 1: ")
    assert words in seen.remarks[0]
    assert [number for number, _ in found] == numbers_of_parts()


@pytest.mark.parametrize("lie", LIES)
def test_all_workers_lie(lie: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part about which all lie is given up."""
    monkeypatch.setattr(run_executor, "_MAX_LOST", 3)
    puzzle = of("9x9", FEW)
    change, _ = LIES[lie]
    always = Lies(partial(change, puzzle=puzzle), lambda number: True)
    with pool_of(always) as pool, pytest.raises(ProcessDiedError, match=r"3 times; the last time part \d+: "):
        list(listed_parts(puzzle, pool, never))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda found: found._replace(value=-5), "not a count"),
        (lambda found: found._replace(value=1.5), "not a count"),
        (
            lambda found: found._replace(unfinished=2 * part.first_parts(of("9x9", SOME), 64)[:1]),
            "unfinished parts share solutions",
        ),
        (lambda found: found._replace(unfinished=[Part(b"?", (1,))]), "an unfinished part is invalid"),
        (
            lambda found: found._replace(unfinished=part.first_parts(of("9x9", SOME), 64)[:1]),
            "unfinished parts are the whole part",
        ),
        (lambda found: found._replace(unfinished=None), "unfinished parts that are not parts"),
        (
            lambda found: found._replace(unfinished=[part.first_parts(of("9x9", SOME), 64)[0]._replace(times=(0,))]),
            "times",
        ),
        (lambda found: found._replace(seconds="1"), "seconds that are not a number: '1'"),
    ],
)
def test_false_counts(change: Callable[[PartCount], Any], words: str) -> None:
    """What is no count is named and asked again."""
    count, seen = counted(of("9x9", SOME), Lies(change, lambda number: not number))
    assert count == Count(N_SOME, True)
    assert len(seen.remarks) == 1
    assert "part 1: " in seen.remarks[0]
    assert words in seen.remarks[0]


def test_part_without_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    """A part without an answer leaves at least and is named."""
    first = part.first_parts(of("9x9", SOME), 64)
    third = part.count_part(of("9x9", SOME), None, (first[2], 1e9)).value
    seen = Seen()
    wrong = in_parts._count_fault

    def wrong_count(puzzle: Puzzle, number: Number, one: Part, found: PartCount) -> str:
        return "it is refused" if number[0] == 3 else wrong(puzzle, number, one, found)

    monkeypatch.setattr(in_parts, "_count_fault", wrong_count)
    monkeypatch.setattr(run_executor, "_MAX_LOST", 3)
    with pool_of(Direct()) as pool, observing(seen):
        count = count_in_parts(of("9x9", SOME), never, pool)
    assert (count.value, count.complete) == (N_SOME - third, False)
    assert count.stopped.startswith("part 3: ")
    assert str(count) == f"at least {N_SOME - third}"


def test_timeout() -> None:
    """When the time is over it is at least what was counted."""
    calls = iter(range(10**9))

    def tick() -> None:
        if next(calls) > 20:
            raise StoppedError("time limit")

    with pool_of(Direct()) as pool:
        count = count_in_parts(of("9x9", SOME), tick, pool)
    assert (count.complete, count.stopped) == (False, "time limit")
    assert 0 < count.value < N_SOME


def test_known_parts_kept() -> None:
    """What is known of parts is not asked again."""
    puzzle, known = of("9x9", SOME), dict[Number, PartCount]()
    with pool_of(Direct()) as pool:
        count_in_parts(puzzle, never, pool, keep=known.__setitem__)
    assert any(len(number) > 1 for number in known)
    half = dict(list(known.items())[: len(known) // 2])
    executor, more = Direct(), dict[Number, PartCount]()
    with pool_of(executor) as pool:
        assert count_in_parts(puzzle, never, pool, earlier=half, keep=more.__setitem__) == Count(N_SOME, True)
    assert not half.keys() & more.keys()
    assert executor.n_submitted == len(more)
    executor = Direct()
    with pool_of(executor) as pool:
        assert count_in_parts(puzzle, never, pool, earlier=known) == Count(N_SOME, True)
    assert not executor.n_submitted


def test_all_workers_lost() -> None:
    """All workers lost is raised where what is known is kept."""
    with pool_of(Breaks(3)) as pool:
        count = count_in_parts(of("9x9", SOME), never, pool)
    assert not count.complete
    assert "lost its workers" in count.stopped
    with pool_of(Breaks(3)) as pool, pytest.raises(ProcessDiedError, match="lost its workers"):
        count_in_parts(of("9x9", SOME), never, pool, keep=lambda number, found: None)


@pytest.mark.parametrize("n_grids", [0, 1, 2, 7])
@pytest.mark.parametrize("name", ["4x4", "9x9", "16x16", "25x25"])
def test_packed_grids(name: str, n_grids: int) -> None:
    """Grids are packed and unpacked."""
    geometry = of(name, "0" * (int(name.split("x", maxsplit=1)[0]) ** 2)).geometry
    grids = np.random.default_rng(n_grids).integers(1, geometry.n_values + 1, (n_grids, geometry.n_cells), np.uint8)
    data = pack_grids(grids, geometry)
    assert np.array_equal(unpack_grids(data, geometry, n_grids), grids)
    with pytest.raises(FormatError, match="not packed grids"):
        unpack_grids(data, geometry, n_grids + 2)


def test_task_memory() -> None:
    """Solutions of a task take less than ten megabytes."""
    puzzle = of("9x9", MANY)
    found = part.list_part(puzzle, None, (Part.of_puzzle(puzzle), 2 * part.LISTED_BYTES // 81, 10**6))
    assert sum(found.numbers) > 100_000
    assert len(found.grids) < 2 * 10**6


def test_task_memory_limit() -> None:
    """Memory is limited within a task."""
    puzzle = of("9x9", SOME)
    found = part.count_part(puzzle, 2**30, (Part.of_puzzle(puzzle), 0.0))
    assert found.unfinished
    with pytest.raises(StoppedError, match="memory"):
        part.list_part(puzzle, 2**20, (Part.of_puzzle(puzzle), 10**8, 5))


class Halves:
    """What a task makes of a range of numbers: their sum, or the two halves."""

    def __init__(self, total: int, unfinished: list[range]) -> None:
        self.total, self.unfinished = total, unfinished


def sum_or_split(numbers: range) -> Halves:
    if len(numbers) <= 3:
        return Halves(sum(numbers), [])
    middle = len(numbers) // 2
    return Halves(0, [numbers[:middle], numbers[middle:]])


@pytest.mark.parametrize("make", [Direct, Twice, Cancels, Confuses, lambda: "processes:2", breaking])
def test_each_part_once(make: Callable[[], Any]) -> None:
    """Each part of a tree is taken once."""
    parts: Parts[range, range, Halves] = Parts(
        Work(sum_or_split, lambda number, numbers, few: numbers), [range(100), range(100, 117), range(117, 118)]
    )
    pool: Pool
    with pool_of(make()) as pool:
        found: Iterator[tuple[Number, Halves | StoppedError]] = parts.answers(pool, never)
        answers = dict(one for one in found)
    assert len(answers) == parts.n_answered == parts.n_parts
    assert sum(one.total for one in answers.values() if isinstance(one, Halves)) == sum(range(118))
    assert (1, 2, 1) in answers
