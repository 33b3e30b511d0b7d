"""Many puzzles in one call, options by the names of the commands, and limits that cost nothing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.methods import auto
from sudoku_encode.run import child
from tests.helpers.puzzles import PUZZLE, SEVERAL, SOLUTION

FOUR = "1..............."
NONE = "11" + 79 * "."


class Column:
    """A column of a table, as pandas and polars have."""

    def __init__(self, values: list[Any]) -> None:
        self.values = values

    def to_numpy(self) -> "np.typing.NDArray[Any]":
        return np.array(self.values, object)


MIXED = [PUZZLE, "no puzzle", SEVERAL, None, float("nan"), NONE, PUZZLE[:-1] + "%", se.Puzzle(se.board("4x4")), PUZZLE]


@pytest.mark.parametrize("column", [list, iter, tuple, Column])
def test_count_all(column: Callable[[list[Any]], Any]) -> None:
    """Answers are in the places of their puzzles, and errors in those of what is not one."""
    answers = list(se.count_all(column(MIXED), limit=3))
    assert [isinstance(answer, FormatError) for answer in answers] == [False, True] * 2 + [True, False, True] + [
        False
    ] * 2
    counts = [str(answer) for answer in answers if isinstance(answer, se.Count)]
    assert counts == ["1", "at least 3", "0", "at least 3", "1"]


def test_arrays() -> None:
    """Rows of an array are puzzles, flat or in the shape of the board; one with a wrong number is an error."""
    rows = np.array([[int(symbol) for symbol in text.replace(".", "0")] for text in (PUZZLE, SEVERAL, NONE)])
    rows = np.concatenate([rows, np.full((1, 81), 10), rows[:1]])
    for array in (rows, rows.reshape(5, 9, 9)):
        answers = list(se.count_all(array))
        assert [str(answer) for answer in answers if isinstance(answer, se.Count)] == ["1", "127", "0", "1"]
        assert isinstance(answers[3], FormatError)
    assert list(se.count_all(np.zeros((0, 81), int))) == list(se.count_all([])) == []


def test_values_from_zero() -> None:
    """On a board with values from 0 texts mean in a list what they mean alone."""
    texts = [symbol + "." * 80 for symbol in "089"]
    zero, eight, wrong = se.solve_all(texts, board="9x9:0-8")
    assert [str(grid)[0] for grid in (zero, eight)] == ["0", "8"]
    assert isinstance(wrong, FormatError)
    assert "values on 9x9:0-8 go from 0 to 8" in str(wrong)


def test_solve_all() -> None:
    """A solution, None, or an error for each, by any method."""
    for method in ("auto", "cp-sat", "sat"):
        grids = list(se.solve_all([PUZZLE, NONE, "no puzzle", PUZZLE], method))
        assert [str(grid) for grid in grids[:2]] == [SOLUTION, "None"]
        assert isinstance(grids[2], FormatError)
        assert str(grids[3]) == SOLUTION
    (stopped,) = se.solve_all(["." * 729], "jana2021", board="9x9x9", timeout=0)
    assert isinstance(stopped, se.StoppedError)


def test_check_all() -> None:
    """A verdict for each puzzle, in order, and an error where one cannot be read."""
    verdicts = list(se.check_all(["no puzzle", PUZZLE, SEVERAL, "no puzzle", NONE, None]))
    names = ["FormatError", "Unique", "Several", "FormatError", "NoSolution", "FormatError"]
    assert [type(verdict).__name__ for verdict in verdicts] == names


def test_many_on_an_executor() -> None:
    """Threads answer in the order of the puzzles."""
    answers = se.count_all([PUZZLE, SEVERAL, "no puzzle"] * 40, executor="threads:2")
    assert [str(answer)[:3] for answer in answers] == ["1", "127", "no "] * 40


def test_not_many() -> None:
    """One puzzle alone is refused."""
    with pytest.raises(FormatError, match="is not many puzzles; expected a list of them, or an array"):
        list(se.count_all(PUZZLE))


def test_names_of_options() -> None:
    """The names of the commands' options stand for limits and options."""
    assert str(se.count(SEVERAL, limit=2)) == "at least 2"
    assert se.count(SEVERAL, timeout=60, memory="2G") == 127
    assert se.count(FOUR, board="4x4", encoding="log") == se.count(FOUR, "sat", board="4x4", encoding="log") == 72
    assert se.count(FOUR, "sat", board="4x4", reduce="none", amo="sequential", sat_solver="glucose4") == 72
    assert str(se.solve(PUZZLE, "cp-sat", seed=7, workers=2)) == SOLUTION
    assert se.count(SEVERAL, limits=se.Limits(seconds=60), limit=2).value == 2
    assert len(list(se.solutions(SEVERAL, timeout=60))) == 127


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda: se.count(SEVERAL, limt=2), TypeError, r"count\(\) got an unexpected keyword argument 'limt'"),  # type: ignore[call-arg]
        (lambda: se.check(SEVERAL, amo="pairwise"), TypeError, r"check\(\) got an unexpected keyword argument 'amo'"),  # type: ignore[call-arg]
        (lambda: se.read(SEVERAL, limit=2), TypeError, "unexpected keyword argument 'limit'"),  # type: ignore[call-arg]
        (lambda: se.solve(SEVERAL, limit=2), MethodError, "solve takes no limit on solutions"),
        (lambda: se.count(SEVERAL, limit=2, limits=se.Limits(3)), MethodError, "limits= has solutions too"),
        (lambda: se.count(SEVERAL, "cp-sat", encoding="log"), MethodError, "no effect on method cp-sat"),
        (lambda: se.count(SEVERAL, memory="2X"), MethodError, "memory 2X: expected a number of bytes"),
        (lambda: se.count(SEVERAL, amo="pairs"), MethodError, "no at-most-one is called 'pairs'"),
    ],
)
def test_wrong_names(call: Callable[[], object], error: type[Exception], message: str) -> None:
    """A name that a function does not have, or that has no effect, is refused."""
    with pytest.raises(error, match=message):
        call()


def test_limit_without_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small puzzle whose answer comes soon needs no process for its limit on time."""
    from sudoku_encode.search import loading

    loading.load(se.board("9x9"))
    loading.load(se.board("9x9"), constrained=True)
    with_line = se.Puzzle(
        se.board("9x9"), se.read(PUZZLE).givens, constraints=["thermometer r1c1-r1c3", "sum <=99 r2c1-r2c3"]
    )
    expected = [(se.count(puzzle), str(se.solve(puzzle))) for puzzle in (se.read(PUZZLE), se.read(SEVERAL), with_line)]

    def no_process(*arguments: object, **named: object) -> None:
        raise AssertionError("a process was made")

    monkeypatch.setattr(child.Child, "__init__", no_process)
    for puzzle, (count, solution) in zip((se.read(PUZZLE), se.read(SEVERAL), with_line), expected, strict=True):
        assert se.count(puzzle, timeout=60) == se.count(puzzle, "search", timeout=60) == count
        assert str(se.solve(puzzle, timeout=60)) == solution
    assert se.count(SEVERAL, timeout=60, limit=2).value == 2
    assert se.is_unique(PUZZLE, timeout=60)
    with pytest.raises(AssertionError, match="a process was made"):
        se.count(PUZZLE, "sat", timeout=60)


def test_search_goes_on_in_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the first turn does not end goes on in a process, with the method that fits."""
    monkeypatch.setattr(auto, "_FIRST_PLAIN_SECONDS", 0.0)
    chosen: list[str] = []

    def note(event: object) -> None:
        if isinstance(event, se.MethodChosen):
            chosen.append(event.method)

    assert se.count(SEVERAL, timeout=60, on_event=note) == 127
    assert chosen
    assert "search" not in chosen
    assert not se.count("." * 81, timeout=0.05).complete


def test_other_questions() -> None:
    """Candidates, samples, steps and figures of many puzzles are those of each, with errors in their places."""
    texts = [PUZZLE, "no puzzle", SEVERAL, None]
    found = list(se.candidates_all(texts, counts=True))
    assert [str(one.total) for one in found if isinstance(one, se.TrueCandidates)] == ["1", "127"]
    drawn = list(se.sample_all(texts, 4, seed=5))
    alone = [se.sample(text, 4, seed=seed).grids.tolist() for text, seed in ((PUZZLE, 5), (SEVERAL, 7))]
    assert [one.grids.tolist() for one in drawn if isinstance(one, se.Samples)] == alone
    paths = list(se.hints_all(texts, executor="threads:2"))
    assert [path.ended for path in paths if isinstance(path, se.SolvePath)] == ["solved", "stuck"]
    ratings = list(se.rate_all(texts, figures=["technique"]))
    assert [rating.status for rating in ratings if isinstance(rating, se.Rating)] == ["unique", "several"]
    for answers in (found, drawn, paths, ratings):
        assert [isinstance(answer, FormatError) for answer in answers] == [False, True, False, True]
    stopped = list(se.hints_all([PUZZLE, "no puzzle"], timeout=0))
    assert [type(answer).__name__ for answer in stopped] == ["StoppedError", "FormatError"]
