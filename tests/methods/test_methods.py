"""The list of methods: refusals, what complete means, and that no wrong grid ever gets out."""

from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from sudoku_encode.encoders.reduction import Reductions, reduce_givens
from sudoku_encode.errors import InternalError, MethodError, StoppedError
from sudoku_encode.methods import calls, one_solution
from sudoku_encode.methods.calls import find_method, solutions
from sudoku_encode.methods.method import Method
from sudoku_encode.methods.one_solution import solve_all, solve_one
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, violations
from sudoku_encode.puzzles.shapes import square
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.solvers import sat
from tests.helpers.puzzles import RIGHT_4, STRIP, puzzle_of

ESCARGOT = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"
ALL = [name for name, method in METHODS.items() if method.finds == "all" and not method.unsupported_reason(square(4))]


def inject(monkeypatch: pytest.MonkeyPatch, *batches: object, unsupported_reason: str = "", stop: str = "") -> None:
    """Put a method called `fake` into the list that yields these batches."""

    def found(puzzle: Puzzle, deadline: Deadline) -> Iterator[Grids]:
        for batch in batches:
            yield np.array(batch, np.uint8)
        if stop:
            raise StoppedError(stop)

    functions = SimpleNamespace(unsupported_reason=lambda geometry: unsupported_reason, solutions=found)
    monkeypatch.setitem(METHODS, "fake", Method("fake", "", "", family="fake", module=functions))


def test_listed_with_source() -> None:
    """Every method is listed under its own name with a source."""
    assert all(name == method.name and method.summary and method.source for name, method in METHODS.items())
    assert {"sat", "cp-sat", "cp-sat-bool", "sat:minimal", "sat:log"} <= set(METHODS)
    assert {method.finds for method in METHODS.values()} <= {"all", "one", "forced-moves", "some", "count", "estimate"}


def test_unknown_method() -> None:
    """An unknown method is refused with those there are."""
    with pytest.raises(
        MethodError,
        match=r"'magic'; did you mean logic[?] There are auto, cp-sat, .* more: sudoku-encode methods",
    ):
        find_method("magic")
    with pytest.raises(MethodError, match="no method is called 'magic'"):
        solutions(Puzzle.of(square(4)), "magic")
    with pytest.raises(MethodError, match="no method is called 'magic'"):
        list(solve_all([Puzzle.of(square(4))] * 2, "magic"))


def test_misfit_board(monkeypatch: pytest.MonkeyPatch) -> None:
    """A board that a method cannot do is refused before anything runs."""
    inject(monkeypatch, unsupported_reason="too small")

    with pytest.raises(MethodError, match="method fake does not fit 4x4: too small"):
        solutions(Puzzle.of(square(4)), "fake")


@pytest.mark.parametrize(
    ("method", "geometry"), [("sat:minimal", STRIP), ("sat:dual", STRIP), ("sat:triads", board("6x6"))]
)
def test_encodings_refuse_alike(method: str, geometry: Geometry) -> None:
    """Refusals of encodings are those of their methods."""
    with pytest.raises(MethodError, match=f"method {method} does not fit {geometry.name}"):
        solutions(Puzzle.of(geometry), method)


@pytest.mark.parametrize("method", ["sat", "cp-sat", "cp-sat-bool"])
def test_unknown_reduction(method: str) -> None:
    """An unknown reduction is refused."""
    with pytest.raises(MethodError, match="no reduction is called 'some'; choose from none, givens, singles"):
        solutions(Puzzle.of(square(4)), method, options=Options(reduction="some"))


@pytest.mark.parametrize("limit", [1, 71, 72, 73, None])
@pytest.mark.parametrize("method", ALL)
def test_complete_below_limit(method: str, limit: int | None) -> None:
    """Complete means fewer than the limit."""
    found = tally(solutions(puzzle_of("4x4", "1000000000000000"), method, Deadline(limit)))

    assert (found.value, found.complete) == (72 if limit is None else min(limit, 72), limit is None or limit > 72)
    assert found.stopped == ("" if found.complete else f"limit of {limit}")


def test_batch_cut_at_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch is cut at the limit."""
    grids = [grid.tolist() for batch in solutions(Puzzle.of(square(4))) for grid in batch]
    inject(monkeypatch, grids[:5], grids[5:9])

    for limit in range(1, 12):
        batches = solutions(Puzzle.of(square(4)), "fake", Deadline(limit))
        found = tally(batches)
        assert (found.value, found.complete) == (min(limit, 9), limit > 9)


@pytest.mark.parametrize(
    "wrong",
    [
        [1, 1, *RIGHT_4[2:]],
        [0, *RIGHT_4[1:]],
        [9, *RIGHT_4[1:]],
        [RIGHT_4[0] % 4 + 1, *RIGHT_4[1:]],
        # Right by the rules, but it changes the given.
        [value % 4 + 1 for value in RIGHT_4],
    ],
)
def test_wrong_grid_stopped(monkeypatch: pytest.MonkeyPatch, wrong: list[int]) -> None:
    """A wrong grid of a method never gets out."""
    inject(monkeypatch, [RIGHT_4, wrong])
    puzzle = Puzzle.of(square(4), [1] + [0] * 15)

    with pytest.raises(InternalError, match="a solver returned a grid that is not a solution"):
        list(solutions(puzzle, "fake"))
    with pytest.raises(InternalError):
        tally(solutions(puzzle, "fake"))
    with pytest.raises(InternalError):
        list(solve_all([puzzle], "fake"))


def test_wrong_shared_grid_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A wrong grid of the shared solver never gets out."""

    def wrong(self: object, givens: Grids) -> tuple[Grids, list[bool]]:
        return np.full_like(givens, 1), [True] * len(givens)

    monkeypatch.setattr(sat.IncrementalSolver, "first", wrong)
    with pytest.raises(InternalError, match="not a solution"):
        list(solve_all([Puzzle.of(square(4))] * 2))


def test_stopped_is_incomplete(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that stops is not complete."""
    inject(monkeypatch, [RIGHT_4], stop="time limit")

    assert tally(solutions(Puzzle.of(square(4)), "fake")) == Count(1, False, "time limit")


def test_interrupted_count() -> None:
    """A key press makes a count incomplete."""

    def interrupted() -> Iterator[Grids]:
        yield np.zeros((3, 16), np.uint8)
        raise KeyboardInterrupt

    assert tally(interrupted()) == Count(3, False, "interrupted")


def test_what_a_count_says() -> None:
    """A count says what is known."""
    assert str(Count(12, True)) == "12"
    assert str(Count(12, False, "limit of 12")) == "at least 12"
    assert tally([]) == Count(0, True)


def test_expired_deadline() -> None:
    """A deadline that is over finds nothing and says so."""
    for method in ("sat", "cp-sat", "cp-sat-bool"):
        found = tally(solutions(Puzzle.of(square(9)), method, Limits(seconds=0).start()))
        assert found == Count(0, False, "time limit")


@pytest.mark.parametrize("name", ["4x4x4:literal", "9x9x9:literal", "25x25x25:literal"])
def test_literal_cube(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The literal cube has no solution at once."""
    inject(monkeypatch, stop="it was run")
    puzzle = Puzzle.of(board(name))

    for method in ("fake", "sat", "cp-sat"):
        assert tally(solutions(puzzle, method)) == Count(0, True)
        assert list(solve_all([puzzle, puzzle], method)) == [None, None]


def test_first_of_mixed_boards() -> None:
    """First takes boards of all kinds mixed."""
    marks = np.ones((16, 4), bool)
    marks[0, 0] = False
    puzzles = [
        puzzle_of("9x9", ESCARGOT),
        puzzle_of("9x9", ESCARGOT),
        puzzle_of("9x9", "55" + "0" * 79),
        Puzzle.of(square(4)),
        Puzzle.of(square(4), pencilmarks=marks),
        Puzzle.of(square(4), RIGHT_4),
        Puzzle.of(square(4), [2, 2] + [0] * 14),
        Puzzle.of(square(4), [2] + [0] * 15),
        Puzzle.of(board("4x4", ["row"]), [1, 0, 0, 0] * 4),
        Puzzle.of(board("4x4", ["row"]), [1, 1, 0, 0] * 4),
        Puzzle.of(board("4x4x4")),
        Puzzle.of(board("4x4x4:literal")),
        Puzzle.of(board("6x6:3x2")),
        Puzzle.of(board("6x6")),
    ]
    for method in ("sat", "cp-sat", "cp-sat-bool", "sat:order"):
        answers = list(solve_all(iter(puzzles), method))
        assert [answer is not None for answer in answers] == [at not in (2, 6, 9, 11) for at in range(14)]
        for puzzle, answer in zip(puzzles, answers, strict=True):
            if answer is not None:
                assert not isinstance(answer, StoppedError)
                assert list(violations(puzzle, answer)) == []


def test_first_keeps_order() -> None:
    """First takes more puzzles than one batch and keeps their order."""
    puzzles = [Puzzle.of(square(4), [at % 4 + 1, (at // 4) % 4 + 1] + [0] * 14) for at in range(600)]
    answers = list(solve_all(puzzles))

    assert len(answers) == 600
    for puzzle, answer in zip(puzzles, answers, strict=True):
        if puzzle.givens[0] == puzzle.givens[1]:
            assert answer is None
        else:
            assert not isinstance(answer, StoppedError)
            assert answer is not None
            assert list(violations(puzzle, answer)) == []


def test_first_shares_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """First shares one solver over a batch."""
    made = []
    original = sat.IncrementalSolver.__init__

    def record(self: sat.IncrementalSolver, *arguments: object) -> None:
        made.append(arguments)
        original(self, *arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(sat.IncrementalSolver, "__init__", record)
    answers = list(solve_all(Puzzle.of(board("4x4")) for _ in range(300)))

    assert len(answers) == 300
    assert len(made) == 1


def test_first_names_timeouts() -> None:
    """First says which puzzles ran out of time."""
    for puzzles in ([Puzzle.of(square(9))], [Puzzle.of(square(9))] * 3):
        for method in ("sat", "cp-sat"):
            answers = [solve_one(puzzle, method, Limits(seconds=0)) for puzzle in puzzles]
            assert [str(answer) for answer in answers] == ["time limit"] * len(puzzles)
            assert all(isinstance(answer, StoppedError) for answer in answers)


def test_first_of_nothing() -> None:
    """First of nothing is nothing."""
    assert list(solve_all([])) == []


def test_first_is_lazy() -> None:
    """First reads no further than it must."""
    read = []

    def source() -> Iterator[Puzzle]:
        for at in range(10_000):
            read.append(at)
            yield Puzzle.of(square(4))

    answers = solve_all(source())
    next(answers)

    assert len(read) <= 300


def test_options_reach_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Options reach the solver."""
    with pytest.raises(MethodError, match="no SAT solver is called 'chaff'"):
        list(solutions(Puzzle.of(square(4)), "sat", options=Options(sat_solver="chaff")))
    with pytest.raises(MethodError, match="kissat404 gives one answer only"):
        list(solutions(Puzzle.of(square(4)), "sat", options=Options(sat_solver="kissat404")))
    with pytest.raises(MethodError, match="no at-most-one is called 'odd'"):
        list(solutions(Puzzle.of(square(4)), "sat", options=Options(amo="odd")))
    for amo in ("sequential", "ladder"):
        assert tally(calls.solutions(Puzzle.of(square(4)), "sat", options=Options(amo=amo))) == Count(288, True)


@pytest.mark.parametrize(
    ("text", "method", "n_reduced"),
    [("1" + "." * 15, "sat", 1), ("1234341221..43..", "sat", 3), ("1" + "." * 15, "cp-sat", 3)],
)
def test_few_solved_by_singles(monkeypatch: pytest.MonkeyPatch, text: str, method: str, n_reduced: int) -> None:
    """Where singles solve few puzzles, only a method that needs them goes on with them."""
    reduced: list[int] = []

    def reduce_and_note(board: Geometry, givens: Grids, level: str) -> Reductions:
        reduced.append(len(givens))
        return reduce_givens(board, givens, level)

    monkeypatch.setattr(one_solution, "batch_size", lambda board: 4)
    monkeypatch.setattr(one_solution, "reduce_givens", reduce_and_note)
    puzzle = puzzle_of("4x4", text)
    assert all(isinstance(grid, np.ndarray) for grid in solve_all([puzzle] * 12, method))
    assert reduced == [4] * n_reduced


def test_model_with_empty_cell(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A model that leaves a cell empty is a fault and not a puzzle without solution."""
    monkeypatch.setattr(sat.IncrementalSolver, "_packed", lambda self, literals: bytes(4 * len(literals)))

    with pytest.raises(InternalError, match="holds 0"):
        list(solve_all([Puzzle.of(board("4x4"))] * 2))


def test_counting_without_listing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that can counts without listing."""
    monkeypatch.setattr("sudoku_encode.papers.gtsps4_contracted.solutions", lambda *_: pytest.fail("it lists"))
    assert calls.count(Puzzle.of(board("4x4")), "gtsps-4.2") == Count(288, True)


@pytest.mark.parametrize("method", ["sat", "gtsps-4.1", "gtsps-4.2"])
def test_counting_and_listing(method: str) -> None:
    """Counting and listing agree and keep to the limit."""
    empty = Puzzle.of(board("4x4"))
    assert calls.count(empty, method) == tally(solutions(empty, method)) == Count(288, True)
    assert calls.count(empty, method, Deadline(100)) == Count(100, False, "limit of 100")
    assert calls.count(puzzle_of("4x4", "11" + 14 * "."), method) == Count(0, True)


def test_given_up_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that is given up says why."""
    assert "too many permutations" in calls.count(Puzzle.of(board("16x16")), "gtsps-4.2").stopped
    assert calls.count(Puzzle.of(board("9x9")), "gtsps-4.2", Limits(seconds=0).start()) == Count(0, False, "time limit")

    def interrupted(puzzle: Puzzle, tick: object) -> int:
        raise KeyboardInterrupt

    monkeypatch.setattr("sudoku_encode.papers.gtsps4_contracted.count", interrupted)
    assert calls.count(Puzzle.of(board("4x4")), "gtsps-4.2") == Count(0, False, "interrupted")
    with pytest.raises(MethodError, match="does not fit"):
        calls.count(Puzzle.of(board("4x4x4")), "gtsps-4.2")
