"""A count that is stopped is not below what any of those that worked on it had reported, and never above the truth."""

import json
import math
import os
import pickle
import re
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from types import SimpleNamespace
from typing import Any, NoReturn, cast

import numpy as np
import pytest

from sudoku_encode import frontier, search
from sudoku_encode.errors import (
    INTERRUPTED,
    OUT_OF_MEMORY,
    InternalError,
    ProcessHungError,
    StoppedError,
    StopReason,
    solution_limit,
)
from sudoku_encode.formats.entries import Entry, SourceItem
from sudoku_encode.frontier.ranks import RankedSolutions
from sudoku_encode.generating import ranking
from sudoku_encode.methods import answers, auto, calls, in_parts, limited_calls, turns
from sudoku_encode.methods.answers import BatchQuestion, PuzzleAnswer
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.redundant import redundant_constraints
from sudoku_encode.questions.sampling import sample
from sudoku_encode.run import each_here
from sudoku_encode.run.child import can_limit_memory
from sudoku_encode.run.counting import (
    CONTINUE_IN_PARTS,
    Count,
    Floor,
    count_or_stopped,
    tally,
)
from sudoku_encode.run.events import (
    Event,
    MethodChosen,
    Progress,
    Remark,
    SolutionEstimate,
    SolutionsFound,
    emit,
    observing,
)
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.run.pools import ONE, Pool, pool_of
from sudoku_encode.search import in_parts as search_in_parts
from sudoku_encode.search import loading, parallel
from sudoku_encode.search.in_parts import _count_item, _PartialCounts, count_in_parts
from sudoku_encode.search.part import Part
from tests.helpers.command import Command
from tests.helpers.faulty_executors import Direct
from tests.helpers.long_searches import MANY, STRIP, of, of_blocks
from tests.helpers.solution_sets import after, never

ONE_GIVEN = of("9x9", "1" + 80 * "0")
# Of four rows of three different values of four each: 24 * 24 * 24 * 24.
ROWS, N_ROWS = Puzzle.of(STRIP), 24**4
CONSTRAINED = Puzzle.of(
    board("6x6"),
    constraints=["thermometer r5c1-r5c3", "cage 9 r3c3 r3c4 r4c3", "arrow r1c1 / r1c2 r1c3", "skyscraper 3 r6c1-r6c6"],
)
# Each kind of search, with the number of solutions: as listed by it, and by other code where it is known.
KINDS = {
    "vectors": (of("9x9", MANY), 943_676),
    "parts": (ROWS, N_ROWS),
    "blocks": (of_blocks(3, 140), None),
    "constrained": (CONSTRAINED, 25_963),
}


@pytest.fixture(autouse=True, scope="module")
def compiled() -> None:
    """Load the kernels, since `auto` would begin with a SAT solver where they are not compiled yet."""
    for puzzle in (ONE_GIVEN, ROWS, CONSTRAINED):
        loading.load(puzzle.geometry, constrained=bool(puzzle.constraints))


class Reports(list[int]):
    """The numbers of solutions that were reported."""

    def __call__(self, event: Event) -> None:
        if isinstance(event, Progress):
            self.append(event.found)


@pytest.fixture
def short_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have kernels return so often that a search of a moment reports many times."""
    monkeypatch.setattr(search, "FRAMES_PER_CALL", 100)
    monkeypatch.setattr(search, "VECTORS_PER_CALL", 2**10)
    monkeypatch.setattr(search, "CELLS_PER_CALL", 2**8)
    monkeypatch.setattr(search, "ASKED_PER_CALL", 2**12)


@pytest.mark.slow
@pytest.mark.usefixtures("short_calls")
@pytest.mark.parametrize("kind", KINDS)
def test_progress_never_above(kind: str) -> None:
    """A search reports what it has so far and never more than there is."""
    puzzle, n_solutions = KINDS[kind]
    reports = Reports()
    with observing(reports):
        total = search.count(puzzle, never)
    assert total == n_solutions or n_solutions is None
    assert len(reports) > 2
    assert reports == sorted(reports)
    assert 0 < reports[0] < reports[-1] <= total


@pytest.mark.slow
@pytest.mark.usefixtures("short_calls")
@pytest.mark.parametrize("kind", ["parts", "blocks", "constrained"])
def test_stopped_at_reported(kind: str) -> None:
    """A search that is stopped has counted what it reported."""
    puzzle, _ = KINDS[kind]
    reports = Reports()
    with observing(reports):
        search.count(puzzle, never)
    early = reports[: len(reports) // 2 + 1]

    def stop_after(number: int) -> Callable[[], None]:
        def tick() -> None:
            if len(seen) >= number:
                raise StoppedError("time limit")

        return tick

    seen = Reports()
    with observing(seen):
        found = count_or_stopped(partial(search.count, puzzle, stop_after(len(early))))
    assert found == Count(early[-1], False, "time limit")


def raise_interrupt() -> NoReturn:
    raise KeyboardInterrupt


def raise_memory() -> NoReturn:
    raise MemoryError


@pytest.mark.parametrize(
    ("end", "stopped"),
    [(raise_interrupt, INTERRUPTED), (raise_memory, OUT_OF_MEMORY), (after(0), "enough")],
    ids=["Ctrl-C", "memory", "time"],
)
def test_turns_not_added(end: Callable[[], None], stopped: str) -> None:
    """What turns reported is kept and not added."""

    def turns() -> int:
        emit(Progress.of_solutions(5))
        emit(Progress.of_solutions(70))
        emit(Progress("the tables are joined ..."))
        emit(Progress.of_solutions(6))
        end()
        return 0

    reports = Reports()
    with observing(reports):
        assert count_or_stopped(turns) == Count(70, False, stopped)
    assert reports == [5, 70, 0, 6]


def test_complete_below_bound_refused() -> None:
    """A complete count below what was reported is never an answer."""

    def counting() -> Count:
        emit(Progress.of_solutions(5))
        return Count(4, True)

    with pytest.raises(InternalError, match="found 5 solutions, but then counted 4 in all"):
        count_or_stopped(counting)


def test_unknown_number() -> None:
    """A number that is not known says so."""
    assert [str(Count(0, False, "time limit")), str(Count(0, True)), str(Count(1, False))] == [
        "not known",
        "0",
        "at least 1",
    ]


def stopping_at(chosen: str) -> tuple[Callable[[Event], None], Callable[[], None]]:
    """What observes that `auto` has chosen a method, and a tick that stops after that."""
    seen: list[str] = []

    def observe(event: Event) -> None:
        if isinstance(event, MethodChosen):
            seen.append(event.method)

    def tick() -> None:
        if any(method.startswith(chosen) for method in seen):
            raise StoppedError("time limit")

    return observe, tick


class Fake(Deadline):
    """A deadline that comes when its function says so."""

    tick: Callable[[], None]

    def __call__(self) -> None:
        self.tick()

    @property
    def seconds_left(self) -> float:
        try:
            self.tick()
        except StoppedError:
            return 0.0
        return math.inf


def deadline_of(tick: Callable[[], None]) -> Deadline:
    deadline = Fake()
    object.__setattr__(deadline, "tick", tick)
    return deadline


def reporting(value: int) -> Callable[..., NoReturn]:
    """A count that reports a number of solutions, and whose time is over then."""

    def count(*arguments: Any, **more: Any) -> NoReturn:
        emit(Progress.of_solutions(value))
        raise StoppedError("time limit")

    return count


def test_frontier_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """Auto keeps what search found when frontier is stopped."""
    monkeypatch.setattr(search, "count", reporting(1234))
    observe, tick = stopping_at("frontier")
    with observing(observe):
        assert calls.count(ONE_GIVEN, "auto", deadline_of(tick)) == Count(1234, False, "time limit")


def test_estimate_at_the_end(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """The last line and the record of a stopped count repeat the estimate."""
    monkeypatch.setattr(search, "count", reporting(7))
    monkeypatch.setattr(parallel, "count_parts", reporting(9))
    monkeypatch.setattr(frontier, "unsupported_reason", lambda board: "it is too large")
    ran, as_json = (run("count", "1" + 80 * ".", *form) for form in ((), ("--json",)))
    estimated = r"estimated about \S+ solutions [(]give or take \S+[)]\n"
    assert re.fullmatch(f"at least 9; {estimated}", ran.out)
    assert re.search(f"at least 9 solutions; stopped: time limit; {estimated}$", ran.err)
    record = json.loads(as_json.out)
    assert (as_json.status, record["count"], record["complete"]) == (3, 9, False)
    assert 1e20 < record["estimate"] < 1e22
    assert 0 < record["estimate_error"] < record["estimate"]


def test_estimate_below_floor() -> None:
    """An estimate of fewer solutions than are known is left out."""
    floor = Floor(9, SolutionEstimate(9.0, 1.0))
    assert floor.under(Count(0, False, "time limit")).estimate is None
    assert floor.under(Count(0, True)).estimate is None
    assert Floor(8, floor.estimate).under(Count(0, False, "time limit")).estimate == floor.estimate


def test_fewer_in_parts(monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """Auto keeps what search found when its parts have less."""
    monkeypatch.setattr(auto, "cores", lambda: 1)
    monkeypatch.setattr(turns, "MANY_SOLUTIONS", 5)
    monkeypatch.setattr(search, "steps", lambda *arguments: iter([(np.ones((7, 36), np.uint8), 0)]))
    monkeypatch.setattr(auto, "is_final", lambda found, deadline: False)
    monkeypatch.setattr(parallel, "count_parts", reporting(3))
    assert calls.count(CONSTRAINED, "auto") == Count(7, False, "time limit")
    assert messages == ["search on 1 core, since a trial search found 7 solutions without finishing"]


def test_turn_on_a_cube(monkeypatch: pytest.MonkeyPatch) -> None:
    """Auto keeps what was found on a cube before the time was over."""
    monkeypatch.setattr(turns, "_load_placements", never_loads)
    monkeypatch.setattr(calls, "solutions", lambda *arguments: two_then_stopped())
    batches = turns.list_nearly_empty_cube(Puzzle.of(board("9x9x9")), Deadline(), Options(), "")
    assert count_or_stopped(lambda: tally(batches)) == Count(4, False, "time limit")


def never_loads(geometry: object) -> None:
    pass


def two_then_stopped() -> Iterator[np.ndarray[Any, np.dtype[np.uint8]]]:
    yield np.ones((1, 729), np.uint8)
    yield np.ones((3, 729), np.uint8)
    raise StoppedError("time limit")


# What each of these does is done in a process of its own, to which functions of a module can be sent.
def dies(item: object) -> Count:
    emit(Progress.of_solutions(77))
    os.kill(os.getpid(), signal.SIGKILL)
    return Count(0, True)


def exits(item: object) -> Count:
    emit(Progress.of_solutions(77))
    os._exit(0)


def has_no_memory(item: object) -> Count:
    emit(Progress.of_solutions(77))
    raise MemoryError


def is_stopped(item: object) -> Count:
    emit(Progress.of_solutions(77))
    return Count(5, False, "time limit")


def talks(item: object) -> Count:
    emit(Progress.of_solutions(77))
    for number in range(300):
        emit(Progress(f"{number} ..."))
    return Count(0, False, "time limit")


def lists(item: object) -> Count:
    emit(SolutionsFound(np.ones((3, 81), np.uint8)))
    emit(Progress.of_solutions(77))
    return has_no_memory(item)


ENDS = [dies, exits, has_no_memory, is_stopped, talks]


def counts(answer: Callable[[Any], Count], pool: Pool = ONE, note: Any = Floor.note) -> list[Count]:
    """What two puzzles have by an answer of this kind; what is known of the first says nothing of the second."""
    items = [(1, ONE_GIVEN), (2, ONE_GIVEN)]
    limits = Limits(memory=1 << 30) if can_limit_memory() else Limits()
    answered = limited_calls._counts(items, "search", limits, answer, lambda *_: None, pool, lambda *_: "", note)
    return [found for _, found, _ in answered]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no processes that can be ended")
@pytest.mark.parametrize("answer", ENDS, ids=lambda answer: answer.__name__)
@pytest.mark.parametrize("elsewhere", [False, True], ids=["here", "executor"])
def test_process_end(monkeypatch: pytest.MonkeyPatch, answer: Callable[[Any], Count], elsewhere: bool) -> None:
    """What was reported is known however a process ends."""
    # A text follows at once on a number, here while it waits to be taken, and there where the events are collected.
    monkeypatch.setattr(each_here, "_WAITING_EVENTS", 1000 if elsewhere else 1)
    with pool_of(Direct()) if elsewhere else ONE as pool:
        found = counts(answer, pool)
    assert [(one.value, one.complete) for one in found] == 2 * [(77, False)]
    assert all(one.stopped for one in found)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no processes that can be ended")
def test_listed_alone() -> None:
    """Of a list that was listed counts alone."""
    found = counts(lists, note=Floor.note_listed)
    assert found == 2 * [Count(3, False, OUT_OF_MEMORY)]


def test_process_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A process that is ended at its limit leaves what it reported."""

    def hung(*arguments: Any, **more: Any) -> Iterator[Any]:
        on_event = arguments[4]
        for item in arguments[1]:
            on_event(item, Progress.of_solutions(9))
            yield item, ProcessHungError("time limit"), 1.0

    monkeypatch.setattr(limited_calls, "_each", lambda *arguments: hung(None, arguments[0], None, None, arguments[4]))
    assert counts(dies) == 2 * [Count(9, False, "time limit")]


def test_before_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found before the parts is kept."""

    @contextmanager
    def counted(*arguments: Any) -> Iterator[Count]:
        yield Count(3, False, "time limit")

    def known(*arguments: Any) -> Iterator[tuple[Any, Count, float]]:
        yield (1, ONE_GIVEN), Count(1000, False, CONTINUE_IN_PARTS), 0.5

    monkeypatch.setattr(in_parts, "count_on_executor", counted)
    monkeypatch.setattr(limited_calls, "_counts", known)
    ((_, found, _),) = limited_calls.count_each(
        [(1, ONE_GIVEN)], "search", Limits(), Options(), pool=pool_of("threads:1")
    )
    assert found == Count(1000, False, "time limit")


def test_batch_asked_again() -> None:
    """What a batch found of a puzzle is kept when it is asked again."""
    located = SourceItem(1, "x", Entry(ONE_GIVEN))
    question = BatchQuestion("auto", Limits(), Options())

    def asked_again(count: Count, **more: Any) -> Count | None:
        again = iter([PuzzleAnswer(located, count)])
        (answer,) = answers._repeat(located, 500, question._replace(**more), lambda *_: None, again)
        return answer.count

    assert asked_again(Count(3, False, "time limit")) == Count(500, False, "time limit")
    assert asked_again(Count(600, False, "time limit")) == Count(600, False, "time limit")
    assert asked_again(Count(700, True)) == Count(700, True)
    assert asked_again(Count(0, False, "time limit"), solve=True) == Count(0, False, "time limit")


@pytest.mark.usefixtures("short_calls")
def test_parts_on_all_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts on all cores report what they have before any has ended."""
    for name in ("SHORT_SECONDS", "LONG_SECONDS"):
        monkeypatch.setattr(search_in_parts, name, 1e9)

    def tick() -> None:
        if len(reports) > 2:
            raise StoppedError("time limit")

    reports = Reports()
    with pool_of("threads:2") as pool, observing(reports):
        found = count_in_parts(ONE_GIVEN, tick, pool)
    assert (found.complete, found.stopped) == (False, "time limit")
    assert 0 < reports[0] < reports[-1] <= found.value


@pytest.mark.usefixtures("short_calls")
def test_parts_never_above(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts never report more than there is."""
    monkeypatch.setattr(search_in_parts, "SHORT_SECONDS", 0.0)
    monkeypatch.setattr(search_in_parts, "LONG_SECONDS", 0.01)
    for puzzle, n_solutions in (KINDS["vectors"], KINDS["parts"], KINDS["constrained"]):
        reports = Reports()
        with pool_of("threads:2") as pool, observing(reports):
            assert count_in_parts(puzzle, never, pool) == Count(n_solutions or 0, True)
        assert 0 < max(reports) <= (n_solutions or 0)


def test_repeated_part() -> None:
    """A part that was handed out twice is not counted twice."""
    so_far = _PartialCounts()
    so_far.note((1,), Progress.of_solutions(10))
    so_far.note((2, 1), Progress.of_solutions(4))
    assert so_far.total() == 14
    assert pickle.loads(pickle.dumps(so_far)).total() == 0
    so_far.answered((1,))
    so_far.note((1,), Progress.of_solutions(11))
    assert so_far.total() == 4


def test_parts_return_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts that report nothing here come back before the time is over."""
    clock = [100.0]
    monkeypatch.setattr(search_in_parts, "time", SimpleNamespace(monotonic=lambda: clock[0]))
    part, so_far = Part(b"", ()), _PartialCounts()

    def seconds(now: float, ends: float | None, few: bool = False) -> float:
        clock[0] = now
        return _count_item(so_far, 100.0, ends, (1,), part, few)[2]

    assert [seconds(now, None) for now in (100.0, 104.0, 150.0)] == [1.0, 4.0, 20.0]
    assert seconds(104.0, None, few=True) == 1.0
    assert [seconds(now, 108.0) for now in (100.0, 104.0, 107.9)] == [1.0, 2.0, 0.1]
    so_far.note((1,), Progress.of_solutions(1))
    assert [seconds(100.0, 108.0), seconds(100.0, 108.0, few=True)] == [20.0, 1.0]


def test_dancing_links() -> None:
    """Dancing links report while they count."""
    pytest.importorskip("miniexact")

    def tick() -> None:
        if reports:
            raise StoppedError("time limit")

    reports = Reports()
    with observing(reports):
        found = calls.count(ONE_GIVEN, "exact-cover", deadline_of(tick))
    assert found == Count(max(reports), False, "time limit")
    assert found.value > 0


def test_not_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is no bound of the puzzle is not reported as one."""
    reports = Reports()
    with observing(reports):
        # Drawn with replacement: 5 of 2, and 3 steps of a walk.
        ranked = RankedSolutions(2, lambda ranks, tick: np.ones((len(ranks), 16), np.uint8), "a list")
        assert len(ranking.draw_solutions(ranked, 5, 1, Deadline())) == 5
        assert len(sample(of("4x4", "1234" + 12 * "0"), 3, 1, "walk").grids) == 3
        # With its only constraint it has one solution, and without it several.
        one = Puzzle.of(board("4x4"), [1, 2, 3, 4, 3, 4] + 10 * [0], constraints=["odd r3c1 r3c2 r4c3", "even r4c1"])
        redundant_constraints(one, Deadline())
    assert reports
    # One solution of the puzzle itself may be reported by the way.
    assert max(reports) <= 1


def test_small_puzzle_is_no_bound() -> None:
    """The solutions of the puzzle that loads a method are not reported, but that the compiler runs is."""
    events: list[Event] = []

    def counting(puzzle: Puzzle, deadline: Deadline) -> Count:
        emit(Remark("compiling"))
        emit(Progress.of_solutions(288))
        return Count(288, True)

    method = METHODS["search"]._replace(
        module=cast("Any", SimpleNamespace(unsupported_reason=lambda board: "", count=counting)), lists=False
    )
    with observing(events.append):
        limited_calls.warm_up_method(method, ONE_GIVEN)
    assert set(events) == {Remark("compiling")}


def test_stop_reasons_through_pickle() -> None:
    """A reason keeps its word for programs in another process, and any other text is `stopped`."""
    for reason, word in ((solution_limit(2), "limit"), (OUT_OF_MEMORY, "memory"), (StopReason("stuck"), "stopped")):
        error = pickle.loads(pickle.dumps(StoppedError(reason)))
        assert (error.reason, error.reason.status, str(error)) == (reason, word, str(reason))
    assert StoppedError("stuck").reason.status == "stopped"
