"""The work of solvers: --stats of solve, count and enumerate, columns of --add, and the records of verify."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.methods import sat_first
from sudoku_encode.solvers import sat
from tests.helpers.command import Command

ESCARGOT = "instances/papers/inkala/escargot.txt"
FIG_4_9 = "instances/papers/gtsps-fig-4.9.sdk"
COLUMNS = ("solver", "variables", "clauses", "conflicts", "decisions", "propagations", "restarts", "solver_seconds")
BY_GLUCOSE = ("--method", "sat", "--option", "sat-solver=glucose4", "--option", "reduce=none")


@pytest.fixture
def run(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Command:
    """The command line."""
    return Command(capfd, monkeypatch)


def bare_work(path: str) -> dict[str, Any]:
    """Return the work of PySAT's glucose4 on the clauses of a puzzle, without our loop around it."""
    cnf = se.encode(se.read(Path(path).read_text(encoding="utf-8")), "extended", reduction="none").cnf
    with Solver("glucose4", bootstrap_with=list(cnf)) as solver:
        solver.solve()
        return {**solver.accum_stats(), "variables": cnf.n_variables, "clauses": cnf.n_clauses}


def test_same_as_bare_solver(run: Command) -> None:
    """The conflicts, decisions, propagations and restarts are those of the solver alone."""
    record = json.loads(run("solve", ESCARGOT, *BY_GLUCOSE, "--stats", "--json").out)
    work = record["work"]
    seconds, solver = work.pop("solver_seconds"), work.pop("solver")
    assert (solver, work) == ("glucose4", bare_work(ESCARGOT))
    assert 0 < seconds <= record["seconds"]


@pytest.mark.parametrize("command", ["solve", "count"])
def test_csv_columns(run: Command, command: str) -> None:
    """Each puzzle has its own figures, also if several are worked on at once."""
    found = run(command, ESCARGOT, FIG_4_9, ESCARGOT, *BY_GLUCOSE, "--stats", "--csv", "-j", "2")
    rows = list(csv.DictReader(io.StringIO(found.out)))
    assert tuple(rows[0])[-8:] == COLUMNS
    first, second, third = ([row[name] for name in COLUMNS[:-1]] for row in rows)
    assert first == third != second
    assert all(float(row["solver_seconds"]) > 0 for row in rows)


def test_added_columns(run: Command) -> None:
    """The columns of --add can be added without --stats."""
    found = run("solve", ESCARGOT, *BY_GLUCOSE, "--add", "conflicts,clauses")
    work = bare_work(ESCARGOT)
    assert found.lines[0] == "puzzle,conflicts,clauses"
    assert found.lines[1].endswith(f",{work['conflicts']},{work['clauses']}")


def test_text_on_standard_error(run: Command) -> None:
    """As text the figures are a line on standard error."""
    found = run("count", FIG_4_9, "--method", "cp-sat", "--stats")
    assert found.out == "127\n"
    assert found.err.startswith("cp-sat: 81 variables, 26 clauses, ")
    listed = run("enumerate", FIG_4_9, "--method", "sat", "--stats", "--limit", "3")
    assert listed.err.splitlines()[-1].startswith("cadical195: 113 variables, 589 clauses, ")


def test_records_of_enumerate(run: Command) -> None:
    """The last record of a list of solutions has the figures."""
    records = [json.loads(line) for line in run("enumerate", FIG_4_9, *BY_GLUCOSE, "--stats", "--json").lines]
    assert len(records) == 128
    assert records[-1]["work"]["solver"] == "glucose4"
    assert records[-1]["work"]["conflicts"] > 0
    assert not any("work" in record for record in records[:-1])


def test_another_method_answered(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """If `auto` leaves a puzzle to another method, there are no figures of a solver that gave up."""
    # Not only before `search` is loaded.
    monkeypatch.setattr(sat_first, "is_due", lambda *arguments: True)
    record = json.loads(run("count", "--board", "6x6", "--stats", "--json").out)
    assert (record["count"], record["work"]) == (28_200_960, None)
    assert not record["chosen"][-1].startswith("sat")
    by_sat = json.loads(run("count", "1...............", "--board", "4x4", "--stats", "--json").out)
    assert by_sat["chosen"][-1].startswith("sat")
    assert by_sat["work"]["solver"] == "cadical195"


def test_sum_over_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """If a puzzle is cut into parts, their work is added up, and the size is that of the whole."""
    monkeypatch.setattr(sat, "_PART_SOLUTIONS", 50)
    events: list[se.Event] = []
    assert se.count(Path(FIG_4_9), "sat", on_event=events.append) == 127
    figures = [event for event in events if isinstance(event, se.SolverFigures)]
    assert {(each.variables, each.clauses) for each in figures} == {(113, 589)}
    for name in COLUMNS[3:]:
        values = [getattr(each, name) for each in figures]
        assert values == sorted(values)
    # More than the solver of the first part did before the cut.
    assert figures[-1].decisions > 2 * figures[0].decisions  # type: ignore[operator]


def test_solver_that_reports_nothing(run: Command) -> None:
    """A solver without counters has its size and time alone."""
    work = json.loads(
        run("solve", ESCARGOT, "--method", "sat", "--option", "sat-solver=kissat404", "--stats", "--json").out
    )["work"]
    assert [work[name] for name in COLUMNS[3:-1]] == [None] * 4
    assert work["solver_seconds"] > 0


def test_work_in_verify(run: Command) -> None:
    """Each run of verify has the work of its solver, and null for other methods."""
    runs = json.loads(run("verify", FIG_4_9, "--methods", "sat:log,cp-sat,search", "--json").out)["runs"]
    assert [each["work"] and each["work"]["solver"] for each in runs] == ["cadical195", "cp-sat", None]
    assert runs[0]["work"]["variables"] == 64


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("count", "--method", "search", "--stats"), "--stats has no effect with method search"),
        (("solve", "--add", "status", "--stats"), "--stats has no effect with --add; name the columns there: solver,"),
        (("solve", "--method", "exact-cover", "--add", "conflicts"), "--stats has no effect with method exact-cover"),
        (("enumerate", "-o", "all/", "--stats"), "--stats has no effect with a folder"),
    ],
)
def test_no_effect(run: Command, arguments: tuple[str, ...], message: str) -> None:
    """Where there is no solver, or no record for its figures, the option is refused."""
    command, *options = arguments
    found = run(command, ESCARGOT, *options)
    assert (found.status, found.out) == (2, "")
    assert message in found.err
