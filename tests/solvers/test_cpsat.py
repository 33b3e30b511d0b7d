"""CP-SAT: both models have exactly the solutions of the puzzle, and enumeration never uses two workers."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from google.protobuf import text_format
from ortools.sat import cp_model_pb2
from ortools.sat.python import cp_model

from sudoku_encode.encoders import cp
from sudoku_encode.encoders.cp import CpModel
from sudoku_encode.encoders.table import REDUCTIONS
from sudoku_encode.errors import FormatError, MethodError, StoppedError, SudokuError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.shapes import square
from sudoku_encode.run.counting import tally
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.solvers import cpsat
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import CLASHES, PUZZLES, STRIP, opened, puzzle_of

N127 = "051009483090008060060010702605001200000204000002700005000002070020100050478500020"
MODELS = list(cp.MODELS)


def found(encoded: CpModel, budget: Deadline | None = None, **more: int) -> list[tuple[int, ...]]:
    return [tuple(grid.tolist()) for batch in cpsat.solutions(encoded, budget or Deadline(), **more) for grid in batch]


@pytest.fixture
def workers(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """Record with how many workers CP-SAT runs, and whether it enumerates."""
    original, seen = cp_model.CpSolver.solve, []

    def record(self: Any, model: Any, callback: Any = None) -> Any:
        seen.append((self.parameters.num_workers, self.parameters.enumerate_all_solutions))
        return original(self, model, callback)

    monkeypatch.setattr(cp_model.CpSolver, "solve", record)
    return seen


@pytest.mark.parametrize("level", REDUCTIONS)
@pytest.mark.parametrize("model", MODELS)
def test_empty_4x4(model: str, level: str) -> None:
    """Each model finds the 288 grids."""
    grids = found(cp.cp_model(Puzzle.of(square(4)), model, level))

    assert len(grids) == 288
    assert set(grids) == set(by_hand(Puzzle.of(square(4))))


@pytest.mark.parametrize("level", REDUCTIONS)
@pytest.mark.parametrize("model", MODELS)
def test_count_127(model: str, level: str) -> None:
    """Each model counts the 127 solutions."""
    grids = found(cp.cp_model(puzzle_of("9x9", N127), model, level))

    assert (len(grids), len(set(grids))) == (127, 127)


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", PUZZLES)
def test_same_solutions(name: str, model: str) -> None:
    """Each model has exactly the solutions of the puzzle."""
    puzzle = PUZZLES[name]()
    for level in REDUCTIONS:
        assert sorted(found(cp.cp_model(puzzle, model, level))) == sorted(by_hand(puzzle)), level


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", CLASHES)
def test_contradiction(name: str, model: str) -> None:
    """A contradiction has no solution."""
    for level in REDUCTIONS:
        assert found(cp.cp_model(CLASHES[name](), model, level)) == []
        assert found(cp.cp_model(CLASHES[name](), model, level), Deadline(1)) == []


@pytest.mark.parametrize("limit", [1, 126, 127, 128])
@pytest.mark.parametrize("model", MODELS)
def test_complete_below_limit(model: str, limit: int) -> None:
    """A count is complete only below its limit."""
    counted = tally(calls.solutions(puzzle_of("9x9", N127), model, Deadline(limit)))

    assert (counted.value, counted.complete) == (min(limit, 127), limit > 127)


def test_one_worker(workers: list[tuple[int, bool]]) -> None:
    """An enumeration has one worker whatever is asked."""
    encoded = cp.cp_model(Puzzle.of(square(4)))

    assert len(set(found(encoded, workers=8))) == 288
    assert len(found(encoded, Deadline(300), workers=8)) == 288
    with pytest.raises(MethodError, match="several workers lose solutions"):
        calls.solutions(Puzzle.of(square(4)), "cp-sat", options=Options(workers=8))
    assert workers == [(1, True)] * 2


def test_many_workers_for_one(workers: list[tuple[int, bool]]) -> None:
    """One solution may have any number of workers."""
    assert len(found(cp.cp_model(Puzzle.of(square(4))), Deadline(1), workers=4)) == 1
    assert workers == [(4, False)]


def test_repeats_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    """A solution that CP-SAT repeats is dropped."""
    original = cp_model.CpSolver.solve

    def twice(self: Any, model: Any, callback: Any = None) -> Any:
        original(self, model, callback)
        return original(self, model, callback)

    monkeypatch.setattr(cp_model.CpSolver, "solve", twice)
    grids = found(cp.cp_model(Puzzle.of(square(4))))

    assert (len(grids), len(set(grids))) == (288, 288)


def test_best_grid_comes_last() -> None:
    """With an objective a grid is yielded again where it is better by other variables; otherwise each comes once."""
    encoded = cp.cp_model(Puzzle.of(square(4)))
    worse, better = (list(map(int, text)) for text in ("1234341221434321", "1234341241232341"))

    def yielded() -> list[list[int]]:
        queue = cpsat._SolutionQueue()
        for values in (better, worse, better):
            queue.put(values)
        queue.end(cp_model.OPTIMAL)
        return [grid.tolist() for batch in cpsat._batches(encoded, queue, Deadline()) for grid in batch]

    assert yielded() == [better, worse]
    encoded.model.maximize(encoded["r4c1"])
    assert yielded() == [better, worse, better]


@pytest.mark.parametrize("status", [cp_model.FEASIBLE, cp_model.UNKNOWN])
def test_not_optimal(monkeypatch: pytest.MonkeyPatch, status: Any) -> None:
    """An end that CP-SAT does not call optimal is not complete."""
    original = cp_model.CpSolver.solve

    def unsure(self: Any, model: Any, callback: Any = None) -> Any:
        original(self, model, callback)
        return status

    monkeypatch.setattr(cp_model.CpSolver, "solve", unsure)
    counted = tally(cpsat.solutions(cp.cp_model(Puzzle.of(square(4))), Deadline()))

    assert (counted.value, counted.complete) == (288, False)


@pytest.mark.parametrize("limit", [None, 1])
def test_deadline(limit: int | None) -> None:
    """A deadline stops it."""
    encoded = cp.cp_model(Puzzle.of(board("9x9x9")))

    with pytest.raises(StoppedError, match="time limit"):
        sum(map(len, cpsat.solutions(encoded, Limits(limit, 0 if limit else 0.3).start())))


def test_thread_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """An error in the thread is raised where it is seen."""

    def fail(self: Any, model: Any, callback: Any = None) -> Any:
        raise MemoryError("no room")

    monkeypatch.setattr(cp_model.CpSolver, "solve", fail)
    with pytest.raises(MemoryError, match="no room"):
        found(cp.cp_model(Puzzle.of(square(4))))


def test_early_close() -> None:
    """Closing the generator early stops the thread."""
    before = set(threading.enumerate())
    batches: Iterator[Any] = cpsat.solutions(cp.cp_model(Puzzle.of(square(9))), Deadline())
    assert len(next(batches)) >= 1
    assert set(threading.enumerate()) > before

    batches.close()  # type: ignore[attr-defined]

    assert set(threading.enumerate()) == before


def test_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values are those of the seed asked for."""
    seeds = []
    original = cp_model.CpSolver.solve

    def record(self: Any, model: Any, callback: Any = None) -> Any:
        seeds.append(self.parameters.random_seed)
        return original(self, model, callback)

    monkeypatch.setattr(cp_model.CpSolver, "solve", record)
    found(cp.cp_model(Puzzle.of(square(4))), Deadline(1), seed=7)
    found(cp.cp_model(Puzzle.of(square(4))), seed=9)

    assert seeds == [7, 9]


@pytest.mark.parametrize(
    ("model", "name", "level", "n_variables", "kinds"),
    [
        ("cp-sat", "9x9", "none", 81, {"all_diff": 27}),
        ("cp-sat", "4x4x4", "none", 64, {"all_diff": 96}),
        ("cp-sat-bool", "9x9", "none", 729, {"exactly_one": 81 + 27 * 9}),
        ("cp-sat-bool", "4x4", "singles", 64, {"exactly_one": 16 + 12 * 4}),
    ],
)
@pytest.mark.parametrize("suffix", [".pbtxt", ".txt", ".pb"])
def test_saved_size(
    model: str, name: str, level: str, n_variables: int, kinds: dict[str, int], suffix: str, tmp_path: Path
) -> None:
    """A saved model reads back with the right size."""
    file = tmp_path / f"model{suffix}"
    _save(cp.cp_model(Puzzle.of(board(name)), model, level), file)

    assert _kinds(_read_back(file)) == kinds
    assert len(_read_back(file).variables) == n_variables


def test_short_units(tmp_path: Path) -> None:
    """Units shorter than the values are at most one."""
    file = tmp_path / "model.pb"
    _save(cp.cp_model(Puzzle.of(STRIP), "cp-sat-bool"), file)

    # Six cells; two rows and three columns, four values each.
    assert _kinds(_read_back(file)) == {"exactly_one": 6, "at_most_one": 5 * 4}


def test_saved_solutions(tmp_path: Path) -> None:
    """A saved model has the solutions of the puzzle."""
    puzzle = opened("6x6:3x2")
    for model in MODELS:
        file = tmp_path / "model.pbtxt"
        _save(cp.cp_model(puzzle, model, "none"), file)
        again = cp_model.CpModel()
        assert text_format.MessageToString(_read_back(file))
        again.proto.parse_text_format(file.read_text(encoding="utf-8"))
        solver = cp_model.CpSolver()
        solver.parameters.num_workers = 1
        solver.parameters.enumerate_all_solutions = True
        counter = _Counter()
        assert solver.solve(again, counter) == cp_model.OPTIMAL
        assert counter.n_solutions == len(list(by_hand(puzzle)))


class _Counter(cp_model.CpSolverSolutionCallback):
    def __init__(self) -> None:
        super().__init__()
        self.n_solutions = 0

    def on_solution_callback(self) -> None:
        self.n_solutions += 1


def _save(encoded: CpModel, file: Path) -> None:
    file.write_bytes(cp.export_model(encoded, as_text=file.suffix != ".pb"))


def _read_back(file: Path) -> Any:
    proto = cp_model_pb2.CpModelProto()
    if file.suffix == ".pb":
        proto.ParseFromString(file.read_bytes())
    else:
        text_format.Parse(file.read_text(encoding="utf-8"), proto)
    return proto


def _kinds(proto: Any) -> dict[str, int]:
    kinds: dict[str, int] = {}
    for constraint in proto.constraints:
        kind = constraint.WhichOneof("constraint")
        kinds[kind] = kinds.get(kind, 0) + 1
    return kinds


def test_no_room(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """A model for which there is no room is an error."""
    encoded = cp.cp_model(Puzzle.of(square(4)))
    monkeypatch.setattr(type(encoded.model), "export_to_file", lambda *_: False)
    with pytest.raises(SudokuError, match="a temporary folder"):
        cp.export_model(encoded, as_text=False)
    capfd.readouterr()


def test_unknown_model() -> None:
    """An unknown model is refused with those there are."""
    with pytest.raises(MethodError, match="no CP-SAT model is called 'cp'; choose from cp-sat, cp-sat-bool"):
        cp.cp_model(Puzzle.of(square(4)), "cp")


def test_variable_names() -> None:
    """Variables are named after cells."""
    proto = cp.cp_model(Puzzle.of(square(4))).model.proto

    assert [variable.name for variable in proto.variables][:5] == ["r1c1", "r1c2", "r1c3", "r1c4", "r2c1"]


def test_reduced_domains() -> None:
    """The values of a cell are those that reduction leaves."""
    puzzle = Puzzle.of(square(4), np.array([1] + [0] * 15))
    variables = cp.cp_model(puzzle, "cp-sat", "givens").model.proto.variables

    assert list(variables[0].domain) == [1, 1]
    assert list(variables[1].domain) == [2, 4]
    assert list(variables[15].domain) == [1, 4]


def solved(encoded: CpModel) -> cp_model.CpSolver:
    solver = cp_model.CpSolver()
    solver.parameters.num_workers = 1
    assert solver.solve(encoded.model) in (cp_model.OPTIMAL, cp_model.FEASIBLE)
    return solver


@pytest.mark.parametrize("level", REDUCTIONS)
@pytest.mark.parametrize("model", MODELS)
def test_response_decodes(model: str, level: str) -> None:
    """A solver and its response decode."""
    puzzle = puzzle_of("4x4", "1000000000000002")
    encoded = cp.cp_model(puzzle, model, level)
    solver = solved(encoded)
    # As it comes from a file, or from another program.
    message = text_format.Parse(str(solver.response_proto), cp_model_pb2.CpSolverResponse())

    grids = [encoded.decode(found).values for found in (solver, solver.response_proto, message)]
    assert len({tuple(grid.tolist()) for grid in grids}) == 1
    assert tuple(grids[0].tolist()) in set(by_hand(puzzle))
    assert (grids[0].shape, grids[0].dtype.name) == ((16,), "uint8")


@pytest.mark.parametrize("model", MODELS)
def test_callback_decodes(model: str) -> None:
    """A solution callback decodes each solution."""
    puzzle = puzzle_of("4x4", "1000000000000002")
    encoded, grids = cp.cp_model(puzzle, model), list[tuple[int, ...]]()

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            grids.append(tuple(encoded.decode(self).values.tolist()))

    solver = cp_model.CpSolver()
    solver.parameters.enumerate_all_solutions = True
    solver.parameters.num_workers = 1
    solver.solve(encoded.model, Collect())

    assert sorted(grids) == sorted(by_hand(puzzle))


@pytest.mark.parametrize("model", MODELS)
def test_added_variables(model: str) -> None:
    """Variables that a user adds are passed over."""
    puzzle = puzzle_of("4x4", "1000000000000002")
    encoded = cp.cp_model(puzzle, model)
    encoded.model.new_int_var(7, 7, "more")

    assert tuple(encoded.decode(solved(encoded)).values.tolist()) in set(by_hand(puzzle))


@pytest.mark.parametrize("model", MODELS)
def test_foreign_answer(model: str) -> None:
    """An answer without a solution of this model is refused."""
    impossible = cp.cp_model(CLASHES["equal givens"](), model)
    solver = cp_model.CpSolver()
    assert solver.solve(impossible.model) == cp_model.INFEASIBLE
    with pytest.raises(FormatError, match="there is no solution to decode"):
        impossible.decode(solver)
    with pytest.raises(FormatError, match=r"the solution has \d+ variables, but this model has \d+"):
        cp.cp_model(Puzzle.of(square(9)), model).decode(solved(cp.cp_model(Puzzle.of(square(4)), model)))


@pytest.mark.parametrize("model", MODELS)
@pytest.mark.parametrize("name", CLASHES)
def test_contradiction_clause(name: str, model: str) -> None:
    """A contradiction is a clause without a literal."""
    encoded = cp.cp_model(CLASHES[name](), model, "singles")
    empty = [row for row in encoded.model.proto.constraints if row.has_bool_or() and not row.bool_or.literals]

    assert encoded.contradiction
    assert empty


def test_decided_model() -> None:
    """A model of which nothing is left decodes by the status."""
    encoded = cp.cp_model(puzzle_of("4x4", "1200340001200000"), "cp-sat-bool", "singles")
    assert len(encoded.model.proto.variables) == 0
    solver, seen = cp_model.CpSolver(), list[str]()

    class Collect(cp_model.CpSolverSolutionCallback):
        def on_solution_callback(self) -> None:
            seen.append(str(encoded.decode(self)))

    assert solver.solve(encoded.model, Collect()) == cp_model.OPTIMAL
    assert str(encoded.decode(solver)) == "1234341241232341"
    # Several workers may find the same solution.
    assert set(seen) == {"1234341241232341"}
    encoded.model.add_bool_or([])
    assert solver.solve(encoded.model) == cp_model.INFEASIBLE
    with pytest.raises(FormatError, match="there is no solution to decode: the solver says INFEASIBLE"):
        encoded.decode(solver)


@pytest.mark.parametrize("name", ["4x4", "9x9x9", "jigsaw:AABBBBCAAABBCCADDDCCEEDDCEEFFDEEFFFF"])
@pytest.mark.parametrize("model", MODELS)
def test_short_repr(model: str, name: str) -> None:
    """A model is shown on one short line."""
    shown = repr(cp.cp_model(Puzzle.of(board(name)), model))

    assert shown.startswith(f"CpModel({model}, board {name[:20]}, ")
    assert len(shown) <= 100
