"""Answers of executors that lie, lose and break: what is wrong is said and asked again, so that none changes."""

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.errors import TIME_LIMIT
from sudoku_encode.formats.entries import SourceItem
from sudoku_encode.formats.reading import read_entries
from sudoku_encode.methods.answers import BatchAnswer, BatchQuestion, answers
from sudoku_encode.methods.batches import BatchResult
from sudoku_encode.methods.check_results import count_fault
from sudoku_encode.methods.limited_calls import count_each, list_each, solve_each
from sudoku_encode.methods.options import Options
from sudoku_encode.proving.batches import certify_each
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.checking import CheckQuestion, Several, Unique
from sudoku_encode.questions.sampling import SampleQuestion, Samples
from sudoku_encode.questions.true_candidates import CandidatesQuestion, TrueCandidates
from sudoku_encode.run.asking import ask_each
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Event, Progress, Remark, SolutionsFound, observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import pool_of
from sudoku_encode.run.tasks import TaskResult
from tests.helpers.faulty_executors import Breaks, Cancels, Changes, Confuses, Direct, Raises, Twice

# With one solution, with several, with none, and what is no puzzle.
FOURS = ["1234341221434...", "1...2...3.......", "1234............", "11..............", "12x4", "12343412214343.1"]
NINES = [
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79",
    "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......",
    "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5........9",
]


# The results of tasks, by what was sent to the workers.
_results: dict[bytes, TaskResult] = {}


class Remembers(Changes):
    """Changes results, and does no work twice: the tests are about what becomes of results, and ask for the same."""

    def _run(self, task: Callable[..., Any], arguments: tuple[Any, ...]) -> TaskResult:
        *work, task_id = arguments
        sent = pickle.dumps(work)
        if sent not in _results:
            _results[sent] = super()._run(task, arguments)
        result: TaskResult = pickle.loads(pickle.dumps(_results[sent]))
        return result._replace(task_id=task_id)


class Lies(Remembers):
    """Answers with what is not so.

    Args:
        change: returns another answer for an item, and other events.
    """

    def __init__(self, change: Callable[[Any], Any]) -> None:
        super().__init__(lambda said: said._replace(result=[change(answered) for answered in said.result]))


def honest() -> Remembers:
    return Remembers(lambda result: result)


def spoiled(grids: Grids) -> Grids:
    """Return grids with the value of the second cell in the first."""
    changed = np.array(grids)
    changed[..., 0] = changed[..., 1]
    return changed


def lie(answered: Any) -> Any:
    """Spoil whatever grids an answer or its events have."""
    answer = answered.answer
    if isinstance(answer, np.ndarray):
        answer = spoiled(answer)
    elif isinstance(answer, TrueCandidates):
        answer = replace(answer, witnesses=spoiled(answer.witnesses))
    elif isinstance(answer, (Samples, BatchResult)):
        answer = replace(answer, grids=spoiled(answer.grids))
    elif isinstance(answer, Several):
        answer = replace(answer, first=spoiled(answer.first))
    elif isinstance(answer, (se.GeneratedPuzzle, Unique)):
        answer = replace(answer, solution=spoiled(answer.solution))
    events = [
        SolutionsFound(spoiled(event.grids)) if isinstance(event, SolutionsFound) else event
        for event in answered.events
    ]
    return answered._replace(answer=answer, events=tuple(events))


SEVERAL = [(number, se.read(line, board="4x4")) for number, line in enumerate(FOURS[:4], start=1)]
NO_LIMITS, NO_OPTIONS = Limits(), Options()


def remarks_of(work: Callable[[], object]) -> tuple[Any, list[str]]:
    """Return what some work returns, and the remarks meanwhile."""
    texts: list[str] = []

    def observe(event: Event) -> None:
        if isinstance(event, Remark):
            texts.append(event.text)

    with observing(observe):
        return work(), texts


def test_wrong_solution() -> None:
    """A wrong solution of an executor is named and asked again here."""

    def solved(executor: Any) -> list[bool]:
        found = solve_each(SEVERAL, "sat", NO_LIMITS, NO_OPTIONS, pool_of(executor))
        return [
            isinstance(answer, np.ndarray) and not list(se.violations(puzzle, answer))
            for (_, puzzle), answer, _ in found
        ]

    expected, none = remarks_of(lambda: solved(honest()))
    found, remarks = remarks_of(lambda: solved(Lies(lie)))
    assert none == []
    assert found == expected == [True, True, True, False]
    assert remarks[0] == (
        "the executor's answer for puzzle 1 is a grid that is not a solution: r1c1 holds 2, its given is 1; "
        "computing it again here"
    )
    assert len(remarks) == 3


def test_wrong_list() -> None:
    """Wrong solutions are not listed."""

    def listed(executor: Any) -> tuple[list[Count], list[list[int]]]:
        grids: list[list[int]] = []

        def observe(item: tuple[int, Puzzle], event: Event) -> None:
            if isinstance(event, SolutionsFound):
                grids.extend(event.grids.tolist())

        found = list_each(SEVERAL, "search", NO_LIMITS, NO_OPTIONS, observe, pool=pool_of(executor))
        return [count for _, count, _ in found], grids

    counts, grids = listed(honest())
    assert [count.value for count in counts] == [1, 12, 12, 0]
    assert (counts, grids) == listed(Lies(lie))
    # One solution fewer than it says.
    fewer = Lies(lambda answered: answered._replace(events=answered.events[1:]))
    (found, remarks) = remarks_of(lambda: listed(fewer))
    assert found == (counts, grids)
    assert remarks[0].startswith("the executor's answer for puzzle 1 lists 0 solutions, but says 1; ")


def with_grids(change: Callable[[Grids], Any]) -> Callable[[Any], Any]:
    """Return what changes the solutions of an answer that are among its events."""

    def changed(answered: Any) -> Any:
        events = (
            SolutionsFound(change(event.grids)) if isinstance(event, SolutionsFound) else event
            for event in answered.events
        )
        return answered._replace(events=tuple(events))

    return changed


def answer_is(value: object) -> Callable[[Any], Any]:
    return lambda answered: answered._replace(answer=value)


WRONG_LISTS: list[tuple[Callable[[Any], Any], str]] = [
    (with_grids(lambda grids: np.repeat(grids[:1], len(grids), axis=0)), "puzzle 2 lists a solution twice"),
    (with_grids(lambda grids: grids.astype(float)), "puzzle 1 is not an array of grids"),
    (with_grids(np.ravel), "puzzle 1 is (16,) values, not grids of 16 cells"),
    (with_grids(lambda grids: grids[:, :15]), "puzzle 1 is (1, 15) values, not grids of 16 cells"),
    (answer_is(12), "an answer of the executor has the type int; expected Count"),
    (answer_is(Count(12, True)), "puzzle 1 lists 1 solutions, but says 12"),
    (answer_is(Count(1, True, "time limit")), "puzzle 1 does not say whether it is complete"),
]


@pytest.mark.parametrize(("change", "words"), WRONG_LISTS)
def test_repeated_or_other_form(change: Callable[[Any], Any], words: str) -> None:
    """A list of another form or with a solution twice is asked again."""

    def listed() -> list[tuple[Count, int]]:
        seen: dict[int, set[bytes]] = {number: set() for number, _ in SEVERAL[:2]}

        def observe(item: tuple[int, Puzzle], event: Event) -> None:
            if isinstance(event, SolutionsFound):
                seen[item[0]].update(grid.tobytes() for grid in event.grids)

        found = list_each(SEVERAL[:2], "sat", NO_LIMITS, NO_OPTIONS, observe, pool=pool_of(Lies(change)))
        return [(count, len(seen[item[0]])) for item, count, _ in found]

    found, remarks = remarks_of(listed)
    assert found == [(Count(number, True), number) for number in (1, 12)]
    assert words in remarks[0]


def forged(**fields: object) -> Count:
    """Return a count that its constructor would refuse, as an executor may send one."""
    count = object.__new__(Count)
    for name, value in {"value": 1, "complete": True, "stopped": "", **fields}.items():
        object.__setattr__(count, name, value)
    return count


WRONG_ANSWERS: list[tuple[Callable[[Any], Any], str]] = [
    (answer_is(None), "the type NoneType; expected Count"),
    (answer_is(forged(value=-5)), "puzzle 1 is not a number: -5"),
    (answer_is(forged(value="7")), "puzzle 1 is not a number: '7'"),
    (answer_is(forged(complete="yes")), "puzzle 1 does not say whether it is complete"),
    (answer_is(forged(stopped=None)), "puzzle 1 does not say whether it is complete"),
    (answer_is(Count(1, False)), "puzzle 1 does not say whether it is complete"),
]


@pytest.mark.parametrize(("change", "words"), WRONG_ANSWERS)
def test_not_a_count(change: Callable[[Any], Any], words: str) -> None:
    """What is no count is asked again."""

    def counted() -> list[Count]:
        pool = pool_of(Lies(change))
        return [count for _, count, _ in count_each(SEVERAL[:2], "sat", NO_LIMITS, NO_OPTIONS, pool=pool)]

    found, remarks = remarks_of(counted)
    assert found == [Count(number, True) for number in (1, 12)]
    assert words in remarks[0]


def test_stopped_count_is_valid() -> None:
    """A count that a limit stopped is an answer, and is not asked again."""
    assert count_fault(None, SEVERAL[0], Count(5, False, TIME_LIMIT), ()) == ""


@pytest.mark.parametrize(("count", "says"), [(Count(12, True), 12), (Count(5, True), 5), (Count(6, False, "limit"), 6)])
def test_above_limit(count: Count, says: int) -> None:
    """More than the limit is asked again."""
    executor = Lies(answer_is(count))
    (found,), remarks = remarks_of(
        lambda: [
            count
            for _, count, _ in count_each(SEVERAL[1:2], "sat", Limits(solutions=5), NO_OPTIONS, pool=pool_of(executor))
        ]
    )
    assert found == Count(5, False, "limit of 5")
    assert remarks[0].startswith(f"the executor's answer for puzzle 2 lists {says} solutions, but the limit is 5; ")


@pytest.mark.parametrize("seen", [np.ones((16, 4), bool), np.zeros((16, 4), bool), np.ones(64, bool), None])
def test_unsupported_candidates(seen: Any) -> None:
    """Candidates that no solution shows are asked again."""

    def change(answered: Any) -> Any:
        return answered._replace(answer=replace(answered.answer, seen=seen))

    def asked(executor: Any) -> list[Any]:
        found = ask_each(CandidatesQuestion("sat"), SEVERAL[:2], pool=pool_of(executor))
        return [answer.required.seen.tolist() for _, answer in found]

    expected = asked(honest())
    found, remarks = remarks_of(lambda: asked(Lies(change)))
    assert found == expected
    assert len(remarks) == 2


@pytest.mark.parametrize("changed", [{"puzzle": SEVERAL[3][1]}, {"puzzle": None}, {"solution": None}, {"first": None}])
def test_foreign_verdict(changed: dict[str, Any]) -> None:
    """A verdict on another puzzle or without its solutions is asked again."""

    def change(answered: Any) -> Any:
        fields = {name: value for name, value in changed.items() if hasattr(answered.answer, name)}
        return answered._replace(answer=replace(answered.answer, **fields))

    def asked(executor: Any) -> list[Any]:
        found = ask_each(CheckQuestion(), SEVERAL[:2], pool=pool_of(executor))
        return [type(answer.value) for _, answer in found]

    found, remarks = remarks_of(lambda: asked(Lies(change)))
    assert found == asked(honest()) == [Unique, Several]
    assert remarks


@pytest.mark.parametrize("value", [[1] * 16, "1" * 16, 7])
def test_not_a_grid(value: object) -> None:
    """What is no grid is no solution."""
    found, remarks = remarks_of(
        lambda: list(solve_each(SEVERAL, "sat", NO_LIMITS, NO_OPTIONS, pool_of(Lies(answer_is(value)))))
    )
    assert [isinstance(answer, np.ndarray) for _, answer, _ in found] == [True, True, True, False]
    wanted = (
        f"an answer of the executor has the type {type(value).__name__}; expected ndarray or NoneType; computing it"
    )
    assert remarks[0].startswith(wanted)


WRONG_CHUNKS: list[tuple[Callable[[Any], Any], str]] = [
    (lambda result: [], "the result is not a list of answers for up to 1 items"),
    (lambda result: 2 * result, "the result is not a list of answers for up to 1 items"),
    (lambda result: None, "the result is not a list of answers for up to 1 items"),
    (lambda result: [None], "the result contains an invalid answer"),
    (lambda result: [result[0]._replace(seconds=None)], "the result contains an invalid answer"),
    (
        lambda result: [result[0]._replace(events=(Progress("x", "many"),))],  # type: ignore[arg-type]
        "the result contains an invalid answer",
    ),
    (lambda result: [result[0]._replace(events=(3,))], "the result contains an invalid answer"),
    (
        lambda result: [result[0]._replace(events=(SolutionsFound("no"),))],  # type: ignore[arg-type]
        "the result contains an invalid answer",
    ),
]


@pytest.mark.parametrize(("change", "words"), WRONG_CHUNKS)
def test_not_answers(change: Callable[[Any], Any], words: str) -> None:
    """What are no answers for the items is handed out again."""
    executor = Remembers(lambda said: said._replace(result=change(said.result)), lambda number: number == 0)
    found, remarks = remarks_of(
        lambda: [count for _, count, _ in count_each(SEVERAL, "sat", NO_LIMITS, NO_OPTIONS, pool=pool_of(executor))]
    )
    assert found == [Count(number, True) for number in (1, 12, 12, 0)]
    assert remarks == [f"task 0 is handed out again: {words}"]
    always = Remembers(lambda said: said._replace(result=change(said.result)))
    with pytest.raises(se.StoppedError, match=f"^the executor gives no answers: .*{words}"):
        list(count_each(SEVERAL, "sat", NO_LIMITS, NO_OPTIONS, pool=pool_of(always)))


@pytest.mark.parametrize("found", [1, 15])
def test_number_of_samples(found: int) -> None:
    """Another number of samples is asked again."""

    def change(answered: Any) -> Any:
        answer = answered.answer
        grids = np.repeat(answer.grids[:1], found if len(answer.grids) else 0, axis=0)
        return answered._replace(answer=replace(answer, grids=grids))

    def drawn(executor: Any) -> list[Any]:
        answers = ask_each(SampleQuestion(3, 1), SEVERAL, pool=pool_of(executor))
        return [answer.required.grids.tolist() for _, answer in answers]

    expected = drawn(honest())
    again, remarks = remarks_of(lambda: drawn(Lies(change)))
    assert again == expected
    assert remarks[0].startswith(f"the executor's answer for puzzle 1 has {found} solutions, and 3 were asked for; ")


def test_other_wrong_answers() -> None:
    """Wrong witnesses samples and puzzles are asked again."""
    executors: list[Any] = [honest(), Lies(lie)]
    seen = [
        [answer.required.seen.tolist() for _, answer in ask_each(CandidatesQuestion("sat"), SEVERAL, pool=pool)]
        for pool in map(pool_of, executors)
    ]
    assert seen[0] == seen[1]
    drawn = [
        [answer.required.grids.tolist() for _, answer in ask_each(SampleQuestion(3, 1), SEVERAL, pool=pool)]
        for pool in map(pool_of, executors)
    ]
    assert drawn[0] == drawn[1]
    for _, answer in ask_each(CheckQuestion(), SEVERAL, pool=pool_of(Lies(lie))):
        verdict = answer.required
        assert not isinstance(verdict, Unique) or not list(se.violations(verdict.puzzle, verdict.solution))
        assert not isinstance(verdict, Several) or not list(se.violations(verdict.puzzle, verdict.first))
    made = [[one.solution.tolist() for one in se.generate("4x4", many=5, seed=2, executor=on)] for on in executors]
    assert made[0] == made[1] == [one.solution.tolist() for one in se.generate("4x4", many=5, seed=2)]


def located(lines: list[str]) -> list[SourceItem]:
    return [SourceItem(number, "", found) for number, found in enumerate(read_entries("\n".join(lines)), start=1)]


@pytest.mark.parametrize("method", ["search", "sat", pytest.param("cp-sat", marks=pytest.mark.slow)])
def test_wrong_grid_in_batch(method: str) -> None:
    """A wrong grid among many puzzles that are solved together is asked again."""
    lines = [NINES[0]] * 70 + [NINES[1]] + [NINES[0]] * 70

    def grids(executor: Any) -> list[list[int]]:
        question = BatchQuestion(method, NO_LIMITS, NO_OPTIONS, True, pool_of(executor))
        found: list[list[int]] = []
        for answer in answers(iter(located(lines)), question, lambda item, event: None):
            if isinstance(answer, BatchAnswer):
                found += answer.grids.tolist()
            else:
                assert answer.grid is not None
                found.append(answer.grid.tolist())
        return found

    expected = grids(honest())
    assert len(expected) == 141
    found, remarks = remarks_of(lambda: grids(Lies(lie)))
    assert found == expected
    assert remarks[0].startswith("the executor's answer for puzzle 1 is a grid that is not a solution: r1c1 holds 3")


def test_empty_certificate(tmp_path: Path) -> None:
    """A certificate that proves nothing is made again here."""

    def empty(answered: Any) -> Any:
        made, parcel = answered.answer
        return answered._replace(answer=(made, {**parcel, "proof.lrat": parcel["formula.cnf"]}))

    def certified() -> list[int]:
        found = certify_each(
            *(SEVERAL, lambda number: tmp_path / str(number), NO_LIMITS, "cadical195", pool_of(Lies(empty)))
        )
        counts = []
        for _, answer in found:
            assert isinstance(answer, tuple)
            counts.append(answer[1].count)
        return counts

    counts, remarks = remarks_of(certified)
    assert counts == [1, 12, 12, 0]
    assert remarks[0].startswith("the executor's certificate of puzzle 1 is refused: ")
    assert [se.check_certificate(tmp_path / str(number)).count for number in range(1, 5)] == counts


@pytest.mark.parametrize(
    "executor",
    [pytest.param(Twice, marks=pytest.mark.slow), Cancels, pytest.param(Confuses, marks=pytest.mark.slow), Raises],
)
def test_faulty_executor(executor: Callable[[], Direct]) -> None:
    """A faulty executor changes no answer."""
    many = [(number, puzzle) for number, (_, puzzle) in enumerate(SEVERAL * 2, start=1)]
    found = list_each(many, "sat", NO_LIMITS, NO_OPTIONS, lambda item, event: None, pool=pool_of(executor()))
    assert [(item[0], count.value) for item, count, _ in found] == list(enumerate([1, 12, 12, 0] * 2, start=1))
    reports = se.verify([puzzle for _, puzzle in SEVERAL], ["sat", "search"], executor=executor())
    assert [(report.value, report.status) for report in reports] == [(n, "confirmed") for n in (1, 12, 12, 0)]


def test_broken_executor() -> None:
    """An executor that breaks ends the work and one that can be made again does not."""
    several = [puzzle for _, puzzle in SEVERAL]
    with pytest.raises(se.StoppedError, match="the executor lost its workers: a worker was killed"):
        list(se.verify(several, ["sat", "search"], executor=Breaks(2)))
    at = iter(range(2, 100))
    reports = se.verify(several, ["sat", "search"], executor=lambda: Breaks(next(at)))
    assert [report.value for report in reports] == [1, 12, 12, 0]


def test_owner_of_executor() -> None:
    """An executor of the caller is not ended and one of a text is."""
    with ThreadPoolExecutor(2) as mine:
        for _ in range(2):
            assert len(list(se.generate("4x4", many=2, seed=1, executor=mine))) == 2
        assert mine.submit(int).result() == 0
    made: list[ThreadPoolExecutor] = []

    def make() -> ThreadPoolExecutor:
        made.append(ThreadPoolExecutor(2))
        return made[-1]

    assert len(list(se.generate("4x4", many=2, seed=1, executor=make))) == 2
    with pytest.raises(RuntimeError, match="after shutdown"):
        made[0].submit(int)


def test_single_questions(tmp_path: Path) -> None:
    """What is asked of one puzzle can be done elsewhere."""
    with ThreadPoolExecutor(1) as executor:
        events: list[Event] = []
        found = se.candidates(FOURS[1], board="4x4", executor=executor, on_event=events.append)
        assert found.seen.tolist() == se.candidates(FOURS[1], board="4x4").seen.tolist()
        assert events
        drawn = se.sample(FOURS[1], 5, seed=1, board="4x4", executor=executor)
        assert drawn.grids.tolist() == se.sample(FOURS[1], 5, seed=1, board="4x4").grids.tolist()
        proved = se.prove_candidates(FOURS[1], tmp_path, board="4x4", executor=executor)
        assert proved.seen.tolist() == se.check_candidates(tmp_path).seen.tolist()
        stopped = se.candidates("." * 16, board="4x4", executor=executor, limits=se.Limits(seconds=0))
        assert (stopped.complete, stopped.stopped) == (False, "time limit")


def test_wrong_executor() -> None:
    """A wrong executor is refused at once."""
    with pytest.raises(se.SudokuError, match="no executor is called 'two'"):
        se.generate("4x4", executor="two")
    with pytest.raises(se.SudokuError, match="not an executor: 3"):
        se.verify("1234341221434321", ["sat"], executor=3)  # type: ignore[arg-type]
    with pytest.raises(se.SudokuError, match="processes has no effect with an executor"):
        se.verify("1234341221434321", ["sat"], processes=2, executor="threads:2")
