"""SAT solving: every solver counts right, the solver outlives an enumeration, and the known traps stay shut."""

import importlib
import signal
from collections.abc import Iterator
from functools import partial

import numpy as np
import pytest

from sudoku_encode.encoders.blocking import inferred_cells
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.errors import InternalError, MethodError, StoppedError
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.methods import sat as methods_sat
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle, check
from sudoku_encode.puzzles.shapes import square
from sudoku_encode.run.child import stream
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.solvers import sat
from sudoku_encode.solvers.table import SAT_SOLVERS
from tests.helpers.formulas import clauses_of, models
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import STRIP, opened, puzzle_of

MANY = "8.........95.......67..........2.485...4.3192......736...651947...732518...894263"
NONE = "1...5.2.9..7.......6.......2...........5.1..2....2.39.3.4.9...15...1...3...8...4."


def numbers(name: str, *limits: int | None) -> Iterator[tuple[int, int]]:
    """Yield how many solutions, and how many different ones, a solver finds within each limit by two encodings."""
    puzzle = puzzle_of("4x4", "1000000000000000")
    for limit in limits:
        for encoding in ("extended", "log"):
            grids = np.concatenate([*sat.solutions(encode(puzzle, encoding), Deadline(limit), name)])
            check(puzzle, grids)
            yield len(grids), len(np.unique(grids, axis=0))


def numbers_apart(name: str, *limits: int | None) -> list[tuple[int, int]]:
    """Return the numbers from a process of its own, since a solver may end the process that it runs in."""
    importlib.import_module("pysat.solvers")
    return list(stream(partial(numbers, name, *limits), limited=True))


def n_found(solver: sat.IncrementalSolver, givens: np.ndarray | None = None) -> int:
    found = [grid.tobytes() for batch in solver.solutions(Deadline(2000), givens) for grid in batch]
    assert len(set(found)) == len(found)
    return len(found)


@pytest.mark.parametrize("name", SAT_SOLVERS)
def test_each_solver(name: str) -> None:
    """Every solver gives one solution and counts many if it can."""
    answers_again = SAT_SOLVERS[name].answers_again
    expected = [(1, 1)] * 2 + ([(72, 72)] * 2 if answers_again else [])
    assert numbers_apart(name, 1, *([200] if answers_again else [])) == expected


@pytest.mark.parametrize("limit", [None, 2, 72])
def test_aborting_solver(limit: int | None) -> None:
    """A solver that would abort the process is refused."""
    with pytest.raises(MethodError, match="kissat404 gives one answer only; choose another solver"):
        numbers_apart("kissat404", limit)


def test_early_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    """The refusal comes before anything runs."""

    def never(*arguments: object) -> bool:
        raise AssertionError("the solver was started")

    monkeypatch.setattr(sat.IncrementalSolver, "solve", never)
    encoded = encode(puzzle_of("4x4", "1000000000000000"))
    for limit in (None, 2):
        with pytest.raises(MethodError, match="kissat404 gives one answer only"):
            next(sat.solutions(encoded, Deadline(limit), "kissat404"))


@pytest.mark.parametrize("name", ["kissat404", "lingeling"])
def test_impossible_deadline(name: str) -> None:
    """A deadline is refused where it cannot be kept."""
    with pytest.raises(MethodError, match=f"{name} cannot be stopped by a time limit"):
        next(sat.solutions(encode(Puzzle.of(square(4))), Limits(1, 10).start(), name))


def test_unknown_solver() -> None:
    """An unknown solver is refused with those there are."""
    with pytest.raises(MethodError, match="no SAT solver is called 'chaff'; choose from cadical103"):
        next(sat.solutions(encode(Puzzle.of(square(4))), Deadline(), "chaff"))


@pytest.mark.parametrize("name", ["cadical195", "glucose4", "minisat22", "lingeling"])
def test_solver_restored(name: str) -> None:
    """A solver is as it was after an enumeration."""
    with sat.IncrementalSolver(encode(Puzzle.of(square(4)), reduction="none"), name) as solver:
        some, other = np.zeros(16, np.uint8), np.zeros(16, np.uint8)
        some[0], other[[0, 6]] = 1, (2, 3)
        counts = [n_found(solver, some), n_found(solver, other), n_found(solver, some), n_found(solver)]

    assert counts == [72, len(list(by_hand(Puzzle.of(square(4), other)))), 72, 288]


def test_solver_restored_after_limit() -> None:
    """A solver is as it was after an enumeration cut short."""
    with sat.IncrementalSolver(encode(Puzzle.of(square(4)), reduction="none")) as solver:
        assert sum(map(len, solver.solutions(Deadline(10)))) == 10
        cut = solver.solutions(Deadline())
        next(cut), next(cut)
        cut.close()  # type: ignore[attr-defined]
        with pytest.raises(StoppedError):
            list(solver.solutions(Deadline(ends=0)))
        assert n_found(solver) == 288


@pytest.mark.parametrize("limit", [1, 2, 71, 72, 73, 300])
def test_exact_limit(limit: int) -> None:
    """A limit is kept to the solution."""
    encoded = encode(puzzle_of("4x4", "1000000000000000"))

    assert sum(map(len, sat.solutions(encoded, Deadline(limit)))) == min(72, limit)


def test_first_at_once() -> None:
    """The first solution comes at once and the others in batches."""
    sizes = [len(batch) for batch in sat.solutions(encode(Puzzle.of(square(4))), Deadline())]

    assert sizes[0] == 1
    assert sum(sizes) == 288
    assert len(sizes) <= 4


def test_unsolvable_in_batch() -> None:
    """A batch with puzzles that have no solution in the middle."""
    empty = Puzzle.of(square(9))
    puzzles = [puzzle_of("9x9", text) for text in (MANY, NONE, MANY, "55" + "." * 79, MANY)]
    givens = np.stack([puzzle.givens for puzzle in puzzles])
    with sat.IncrementalSolver(encode(empty, reduction="none")) as solver:
        grids, answers = solver.first(givens)

    assert answers == [True, False, True, False, True]
    assert (grids > 0).all(axis=1).tolist() == [True, False, True, False, True]
    assert (grids > 0).any(axis=1).tolist() == [True, False, True, False, True]
    assert all((grid[given > 0] == given[given > 0]).all() for grid, given in zip(grids[::2], givens[::2], strict=True))


def test_deadline_in_hard_puzzle() -> None:
    """A deadline stops the search within a hard puzzle."""
    # An empty 9x9x9 has more solutions than anyone could list.
    with (
        sat.IncrementalSolver(encode(Puzzle.of(board("9x9x9")), reduction="none")) as solver,
        pytest.raises(StoppedError, match="time limit"),
    ):
        sum(map(len, solver.solutions(Limits(3000, 0.2).start())))


@pytest.mark.parametrize(
    ("handler", "seconds", "expected"),
    [
        (signal.SIG_IGN, None, [2**30]),
        (signal.SIG_IGN, 1e6, [2_000, 8_000, 32_000]),
        (signal.SIG_DFL, None, [2_000, 4_000, 8_000]),
    ],
)
def test_slices(monkeypatch: pytest.MonkeyPatch, handler: int, seconds: float | None, expected: list[int]) -> None:
    """A solver that its parent ends is not interrupted, and seldom with a deadline."""
    budgets: list[int] = []

    def decided(assumptions: list[int], conflicts: int) -> bool | None:
        budgets.append(conflicts)
        return True if len(budgets) == len(expected) else None

    monkeypatch.setattr(signal, "getsignal", lambda number: handler)
    with sat.IncrementalSolver(encode(puzzle_of("4x4", "." * 16))) as solver:
        monkeypatch.setattr(solver, "decided", decided)
        assert solver.solve([], Limits(seconds=seconds).start())
    assert budgets == expected


def test_expired_deadline() -> None:
    """A deadline that is over stops before the first solution."""
    with pytest.raises(StoppedError, match="time limit"):
        next(sat.solutions(encode(Puzzle.of(square(4))), Deadline(ends=0)))


def test_found_before_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was found before the deadline is passed on."""
    original, calls = sat.IncrementalSolver.solve, []

    def stop_at_the_tenth(self: sat.IncrementalSolver, assumptions: list[int], budget: Deadline) -> bool:
        calls.append(assumptions)
        if len(calls) == 10:
            raise StoppedError("time limit")
        return original(self, assumptions, budget)

    monkeypatch.setattr(sat.IncrementalSolver, "solve", stop_at_the_tenth)

    assert tally(sat.solutions(encode(Puzzle.of(square(4))), Deadline())) == Count(9, False, "time limit")


@pytest.mark.parametrize("amo", ["pairwise", "sequential", "product", "commander", "bitwise", "ladder"])
def test_auxiliary_variables(amo: str) -> None:
    """Auxiliary variables do not multiply solutions."""
    assert sum(map(len, sat.solutions(encode(Puzzle.of(square(4)), amo=amo), Deadline()))) == 288

    # In a unit with fewer cells than values nothing need be true, so auxiliary variables are free.
    puzzle = Puzzle.of(STRIP, [1, 0, 0, 0, 0, 0])
    encoded = encode(puzzle, amo=amo)
    n_models = len(models(encoded))
    found = [tuple(grid.tolist()) for batch in sat.solutions(encoded, Deadline()) for grid in batch]
    assert sorted(found) == sorted(by_hand(puzzle))
    if amo in ("sequential", "bitwise", "ladder"):
        assert n_models > 2 * len(found)


@pytest.mark.parametrize("for_good", [True, False])
def test_blocking_clauses(for_good: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blocking clauses name blanks by plain integers only."""
    from pysat.solvers import Solver

    original, added = Solver.add_clause, []

    def record(self: object, clause: list[int], *more: object) -> object:
        added.append([*clause])
        return original(self, clause, *more)

    monkeypatch.setattr(Solver, "add_clause", record)
    puzzle = puzzle_of("4x4", "1000000000000000")
    encoded = encode(puzzle, "extended", reduction="none", amo="sequential")
    with sat.IncrementalSolver(encoded) as solver:
        assert sum(map(len, solver.solutions(Deadline(), for_good=for_good))) == 72

    switch = encoded.cnf.n_variables + 1
    assert all(type(literal) is int for clause in added for literal in clause)
    if not for_good:
        assert added.pop() == [-switch]
        assert all(clause.pop() == -switch for clause in added)
    assert len(added) == 72
    # For each of the 15 blanks that its value is another one, but for those that the others determine.
    n_inferred = len(inferred_cells(puzzle.geometry, puzzle.givens == 0))
    assert n_inferred > 5
    assert all(len(clause) == 15 - n_inferred for clause in added)
    assert {-literal for clause in added for literal in clause} <= set(encoded.projection.tolist())


def test_unused_variable() -> None:
    """A variable that no clause uses is no trouble."""
    encoded = encode(Puzzle.of(square(4)), reduction="none")
    wider = Encoding(
        encoded.puzzle,
        "wider",
        "direct",
        Cnf.of(encoded.cnf.n_variables + 1000, encoded.cnf.groups),
        encoded.candidates,
        encoded.literals,
    )

    assert sum(map(len, sat.solutions(wider, Deadline()))) == 288
    assert wider.n_auxiliary == 1000


def test_unused_last_variables() -> None:
    """A puzzle whose last variables are in no clause is counted right."""
    # One cell alone in its unit after reduction: nothing but its own clauses mention its variables.
    for name in ("jigsaw:aaabacbbccbdcddd", "4x4+diagonals"):
        puzzle = opened(name)
        assert sum(map(len, sat.solutions(encode(puzzle), Deadline()))) == len(list(by_hand(puzzle)))


def test_all_clauses_loaded() -> None:
    """All clauses reach the solver."""
    # More clauses than are loaded at a time.
    encoded = encode(puzzle_of("9x9", MANY), reduction="none")

    assert len(clauses_of(encoded)) > 8192
    assert sum(map(len, sat.solutions(encoded, Deadline()))) == 125


def test_garbage_collector() -> None:
    """The garbage collector is on again after loading."""
    import gc

    list(sat.solutions(encode(Puzzle.of(square(4))), Deadline(1)))

    assert gc.isenabled()


def test_ignored_blocking_clause(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that passes over a blocking clause is found out."""
    model, first = sat.IncrementalSolver._literals, []

    def again(solver: sat.IncrementalSolver) -> list[int]:
        first.append(model(solver))
        return first[0]

    monkeypatch.setattr(sat.IncrementalSolver, "_literals", again)
    with pytest.raises(InternalError, match="that it was told to leave out"):
        list(sat.solutions(encode(Puzzle.of(board("4x4"))), Deadline()))


@pytest.mark.parametrize("encoding", [name for name in ENCODINGS if name != "colouring"])
@pytest.mark.parametrize("reduction", [None, "none"])
def test_split_puzzle(monkeypatch: pytest.MonkeyPatch, encoding: str, reduction: str | None) -> None:
    """A puzzle that is cut into parts has each solution once."""
    if reduction and "reduce" not in ENCODINGS[encoding].options:
        reduction = None
    puzzle = puzzle_of("4x4", "1000200030000000")
    for size in (1, 5, 12, 13):
        monkeypatch.setattr(sat, "_PART_SOLUTIONS", size)
        batches = methods_sat.solutions(puzzle, Deadline(), encoding, reduction)
        found = [grid.tobytes() for batch in batches for grid in batch]
        assert len(found) == len(set(found)) == 12


@pytest.mark.parametrize("limit", [1, 4, 5, 6, 71, 72, 73])
def test_limit_over_parts(monkeypatch: pytest.MonkeyPatch, limit: int) -> None:
    """A limit holds over the parts of a puzzle."""
    monkeypatch.setattr(sat, "_PART_SOLUTIONS", 5)
    puzzle = Puzzle.of(square(4), [1, *15 * [0]])
    found = np.concatenate(list(methods_sat.solutions(puzzle, Deadline(limit))))

    assert len(np.unique(found, axis=0)) == len(found) == min(limit, 72)
    check(puzzle, found)


def test_pencilmarks_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts keep the pencilmarks."""
    marks = np.ones((16, 4), bool)
    marks[[1, 6], [1, 2]] = False
    puzzle = Puzzle.of(square(4), pencilmarks=marks)
    whole = {grid.tobytes() for batch in methods_sat.solutions(puzzle, Deadline()) for grid in batch}
    monkeypatch.setattr(sat, "_PART_SOLUTIONS", 3)
    parts = [grid.tobytes() for batch in methods_sat.solutions(puzzle, Deadline()) for grid in batch]

    assert len(parts) == len(whole)
    assert set(parts) == whole
