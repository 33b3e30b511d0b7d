"""The public functions: what `sudoku_encode` offers, typed, documented, and the same as the commands."""

import ast
import doctest
import importlib
import inspect
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pysat.formula import CNF

import sudoku_encode as se
from sudoku_encode.cli.table import COMMANDS
from tests.helpers import broken_methods
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES
from tests.helpers.puzzles import PUZZLE, SEVERAL, SOLUTION

HOME = Path(se.__file__).parent
FIG_4_9 = INSTANCES / "papers" / "gtsps-fig-4.9.sdk"


def test_public_names() -> None:
    """Everything that is named is there and is what type checkers are told."""
    assert len(set(se.__all__)) == len(se.__all__)
    assert set(se.__all__) | {"__version__"} == set(dir(se))
    told: dict[str, str] = {}
    for node in ast.walk(ast.parse((HOME / "__init__.pyi").read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("sudoku_encode."):
            told.update({alias.name: str(node.module) for alias in node.names})
    assert set(told) == set(se.__all__)
    for name, module in told.items():
        assert getattr(se, name) is getattr(importlib.import_module(module), name)
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        se.nothing  # type: ignore[attr-defined]  # noqa: B018


def test_lazy_loading() -> None:
    """Nothing is loaded before it is used."""
    code = (
        "import sys; before = set(sys.modules); import sudoku_encode\n"
        "print(sorted(set(sys.modules) - before))\n"
        "sudoku_encode.METHODS, sudoku_encode.Limits\n"
        "print([name for name in ('numpy', 'numba', 'pysat', 'ortools') if name in sys.modules])"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded, heavy = ran.stdout.splitlines()
    assert "'sudoku_encode." not in loaded
    assert heavy == "[]"


def docstring_after(name: str, source: str) -> str:
    """Return the text that stands after the assignment of a name."""
    for assignment, after in pairwise(ast.parse(source).body):
        if ast.unparse(assignment).split(" = ")[0].split(":")[0] == name:
            return str(ast.literal_eval(after.value)) if isinstance(after, ast.Expr) else ""
    return ""


@pytest.mark.parametrize("name", se.__all__)
def test_docstrings_with_examples(name: str, code_loaded: None) -> None:
    """Every public name has a docstring with an example that runs."""
    public = getattr(se, name)
    if inspect.isclass(public) or inspect.isfunction(public):
        module, text = sys.modules[public.__module__], inspect.getdoc(public) or ""
    else:
        # A table or a union of types: its docstring stands after it.
        module = importlib.import_module(f"sudoku_encode.{se._HOME_OF[name]}")
        text = docstring_after(name, inspect.getsource(module))
    test = doctest.DocTestParser().get_doctest(text, vars(module), name, None, None)
    assert test.examples, f"{name} has no example"
    printed: list[str] = []
    doctest.DocTestRunner(verbose=False).run(test, out=printed.append)
    assert not printed, "".join(printed)


USER = """
import sudoku_encode as se
import numpy as np
reveal_type(se.read("x"))
reveal_type(se.count(np.zeros((9, 9), np.int64)))
reveal_type(se.solve("x"))
reveal_type(se.encode("x").cnf)
reveal_type(next(se.solutions("x")))
reveal_type(next(se.verify(["x"])))
reveal_type(next(se.generate()))
reveal_type(se.METHODS["sat"].name)
reveal_type(se.is_unique("x"))
reveal_type(se.encode("x").decode([1]))
reveal_type(se.cp_model("x")["r1c1", 5])
reveal_type(next(se.model_solutions(se.cp_model("x"))))
class Table:
    shape = (9, 9)
    def to_numpy(self) -> object: ...
se.count(Table())
se.count([["5", None]])
se.count(1.5)
se.count("x", limt=2)
"""


@pytest.mark.slow
def test_user_program_is_typed(tmp_path: Path) -> None:
    """A users program is typed."""
    (tmp_path / "user.py").write_text(USER)
    # As with any package that is installed, what is inside it is read and not checked, which takes twice as long.
    options = ["--strict", "--follow-imports=silent", "--no-error-summary", "--python-version", "3.11"]
    command = [sys.executable, "-m", "mypy", *options, "user.py"]
    environment = {"MYPYPATH": str(HOME.parent), "PATH": "/usr/bin:/bin"}
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, env=environment, check=False)
    revealed = re.findall(r'Revealed type is "(.*)"', ran.stdout)
    names = [text.replace("sudoku_encode.", "").split(".")[-1] for text in revealed]
    assert names == [
        "Puzzle",
        "Count",
        "Grid | None",
        "Cnf",
        "Grid",
        "Report",
        "GeneratedPuzzle",
        "str",
        "bool",
        "Grid",
        "IntVar",
        "Grid",
    ], ran.stdout
    errors = re.findall(r"user.py:(\d+): error: .*\[(.*)\]", ran.stdout)
    assert errors == [("21", "arg-type"), ("22", "call-arg")], ran.stdout


def program() -> str:
    """The programs of docs/python.md, one after the other."""
    text = (HOME.parent / "docs" / "python.md").read_text(encoding="utf-8")
    return "\n".join(re.findall(r"```python\n(.*?)```", text, re.S))


@pytest.mark.slow
def test_documented_programs(tmp_path: Path) -> None:
    """The programs of the documentation run."""
    # In a file, since processes that are started anew import it.
    file = tmp_path / "program.py"
    lines = "\n".join(f"    {line}" for line in program().splitlines())
    file.write_text(
        f"import pathlib, sys\nif __name__ == '__main__':\n    folder = pathlib.Path(sys.argv[1])\n{lines}\n"
    )
    command = [sys.executable, "-W", "error", str(file), str(tmp_path)]
    ran = subprocess.run(command, cwd=HOME.parent, capture_output=True, text=True, check=False, env=_environment())
    assert (ran.returncode, ran.stderr) == (0, "")
    lines_out = ran.stdout.splitlines()
    assert lines_out.count("127") == 2
    assert "confirmed: 127, by sat and cp-sat and search" in lines_out
    assert (tmp_path / "p.cnf.gz").exists()


def _environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(HOME.parent)}


@pytest.mark.parametrize(
    "puzzle",
    [
        pytest.param(SEVERAL, marks=pytest.mark.slow),
        FIG_4_9,
        pytest.param(str(FIG_4_9), marks=pytest.mark.slow),
        pytest.param(se.read(FIG_4_9), marks=pytest.mark.slow),
        pytest.param(np.array([int(symbol) for symbol in SEVERAL]).reshape(9, 9), marks=pytest.mark.slow),
        pytest.param([int(symbol) for symbol in SEVERAL], marks=pytest.mark.slow),
        [[int(symbol) for symbol in SEVERAL[start : start + 9]] for start in range(0, 81, 9)],
    ],
    ids=["text", "path", "name", "puzzle", "array", "list", "rows"],
)
def test_puzzle_forms(puzzle: Any, tmp_path: Path) -> None:
    """Whatever stands for a puzzle will do."""
    assert se.count(puzzle) == se.Count(127, True)
    assert se.solve(puzzle) in set(se.solutions(puzzle))
    assert not se.is_unique(puzzle)
    assert se.encode(puzzle).decode is not None
    assert se.cp_model(puzzle).puzzle == se.read(FIG_4_9)
    assert [report.total for report in se.verify(puzzle, ["sat", "search"])] == ["127"]
    assert se.prove(puzzle, tmp_path).count == 127
    se.write(puzzle, tmp_path / "p.txt")
    assert se.read(tmp_path / "p.txt") == se.read(FIG_4_9)


@pytest.mark.parametrize(
    ("values", "board"),
    [((4, 4), "4x4"), ((16,), "4x4"), ((4, 4, 4), "4x4x4"), ((9, 9, 9), "9x9x9"), ((36,), "6x6"), ((25,), "5x5")],
)
def test_array_shapes(values: tuple[int, ...], board: str) -> None:
    """The shape of an array says which board it is."""
    assert se.encode(np.zeros(values, int), "minimal").puzzle.geometry == se.board(board)


@pytest.mark.parametrize("values", [(64,), (729,), (8, 9), (7,), (3, 3, 9), ()])
def test_bad_array_shape(values: tuple[int, ...]) -> None:
    """An array that fits no board or two is refused."""
    with pytest.raises(se.FormatError, match="say which with board="):
        se.count(np.zeros(values, int))


def test_grid_forms() -> None:
    """A grid is a text an array and a puzzle."""
    grid = se.solve(PUZZLE)
    assert grid is not None
    assert str(grid) == SOLUTION
    assert grid[0, 2] == 4
    assert np.asarray(grid).shape == (9, 9)
    assert se.count(grid) == se.Count(1, True)
    assert list(se.violations(PUZZLE, grid)) == []
    assert grid == se.solve(PUZZLE, "sat")
    assert len({grid, se.solve(PUZZLE, "search")}) == 1
    cube = se.solve("." * 64, board="4x4x4")
    assert cube is not None
    assert cube.array[0, 0].tolist() == [cube[0, 0, z] for z in range(4)]


def test_solutions_as_array() -> None:
    """Numpy lists the solutions that remain."""
    listed = se.solutions("1...............", board="4x4")
    first = next(listed)
    array = np.asarray(listed, np.int64)
    assert (array.shape, array.dtype.name) == ((71, 16), "int64")
    assert next(listed, None) is None
    assert len({first.values.tobytes(), *(row.astype(np.uint8).tobytes() for row in array)}) == 72
    assert np.asarray(se.solutions("11..............", board="4x4")).shape == (0, 16)
    with pytest.raises(se.StoppedError, match="limit of 3"):
        np.asarray(se.solutions(SEVERAL, limit=3))
    with pytest.raises(ValueError, match="new array"):
        np.asarray(listed, copy=False)


def test_none_or_raised() -> None:
    """What has no solution is none and what is not known is raised."""
    clash = "55" + 79 * "."
    assert se.solve(clash) is None
    assert se.is_unique(clash) is False
    assert list(se.solutions(clash)) == []
    for method in ("cp-sat", "sat", "search"):
        with pytest.raises(se.StoppedError, match="time limit"):
            se.solve("." * 729, method, board="9x9x9", limits=se.Limits(seconds=0))
    with pytest.raises(se.StoppedError, match="limit of 3"):
        list(se.solutions(SEVERAL, limits=se.Limits(solutions=3)))


def test_limits_of_slow_method(monkeypatch: pytest.MonkeyPatch) -> None:
    """Limits hold for a method that looks at none."""
    monkeypatch.setitem(se.METHODS, "hangs", broken_methods.method("hangs", broken_methods.hangs))
    limits = se.Limits(seconds=1)
    assert se.count(SEVERAL, "hangs", limits=limits) == se.Count(127, False, "time limit")
    listed = se.solutions(SEVERAL, "hangs", limits=limits)
    assert len({next(listed) for _ in range(127)}) == 127
    with pytest.raises(se.StoppedError, match="time limit"):
        next(listed)


@pytest.mark.parametrize("limit", [{"solutions": 0}, {"seconds": -1}, {"seconds": float("nan")}, {"memory": 0}])
def test_bad_limit(limit: dict[str, Any]) -> None:
    """A limit that means nothing is refused."""
    with pytest.raises(se.MethodError, match="a limit of"):
        se.Limits(**limit)


def test_events_reach_observer() -> None:
    """Events reach the observer of the call and no other."""
    inner: list[se.Event] = []
    for _ in se.solutions(PUZZLE, on_event=inner.append):
        se.count(SEVERAL)
    assert len([event for event in inner if isinstance(event, se.MethodChosen)]) == 1


class Twice(Executor):
    """Runs each task at once, twice; counts them."""

    def __init__(self) -> None:
        self.n_tasks = 0

    def submit(self, task: Any, /, *arguments: Any, **more: Any) -> Future[Any]:
        self.n_tasks += 1
        task(*arguments, **more)
        future: Future[Any] = Future()
        future.set_result(task(*arguments, **more))
        return future


def test_count_on_executor() -> None:
    """A count is spread over any executor."""
    executor = Twice()
    assert se.count(SEVERAL, executor=executor) == se.Count(127, True)
    assert executor.n_tasks == 1
    with ThreadPoolExecutor(2) as threads:
        for method in ("search", "sat"):
            assert se.count(SEVERAL, method, executor=threads) == se.Count(127, True)
        (report,) = se.verify(SEVERAL, ["sat", "cp-sat"], executor=threads)
        assert (report.status, report.total) == ("confirmed", "127")


def test_list_on_executor() -> None:
    """All solutions are listed on any executor in the same order."""
    expected = {str(grid) for grid in se.solutions(SEVERAL)}
    found = [[str(grid) for grid in se.solutions(SEVERAL, executor=one)] for one in (Twice(), "threads:2")]
    assert found[0] == found[1]
    assert len(found[0]) == len(expected) == 127
    assert set(found[0]) == expected
    with pytest.raises(se.StoppedError, match="limit of 5"):
        list(se.solutions(SEVERAL, limits=se.Limits(solutions=5), executor="threads:1"))
    with pytest.raises(se.MethodError, match="sat cannot list in parts, as an executor needs, on 9x9"):
        list(se.solutions(SEVERAL, "sat", executor="threads:1"))


def test_unused_option_refused() -> None:
    """An option that a method does not use is refused by name."""
    options: tuple[tuple[str, Any], ...] = (("amo", "ladder"), ("sat_solver", "glucose4"), ("seed", 1), ("workers", 2))
    for option, value in options:
        with pytest.raises(se.MethodError, match=f"method search does not use the option {option.replace('_', '-')}"):
            se.count(PUZZLE, "search", options=se.Options(**{option: value}))
    with pytest.raises(se.MethodError, match="method sat does not use the option seed; it uses reduce, amo"):
        se.solve(PUZZLE, "sat", options=se.Options(seed=1))


def test_verify_a_folder(tmp_path: Path) -> None:
    """Verify takes a folder and what is known of it."""
    (tmp_path / "two.txt").write_text(f"{PUZZLE}\n{SEVERAL}\n")
    assert [report.total for report in se.verify(tmp_path, "sat,search")] == ["1", "127"]
    reports = list(se.verify(FIG_4_9, ["sat", "cp-sat"]))
    assert [(report.expected, report.status) for report in reports] == [(127, "confirmed")]
    with pytest.raises(se.FormatError, match="no such file"):
        list(se.verify("nowhere.txt"))


def test_short_reprs(tmp_path: Path) -> None:
    """What is public says what it is in a hundred characters."""
    long = "jigsaw:" + "".join(np.array(list("abcdefghijklmnopqrstuvwxyz12345"))[np.repeat(range(31), 31)])
    puzzle = se.Puzzle.of(se.board(long), name="name " * 50)
    tables = (se.METHODS, se.ENCODINGS, se.MODEL_FORMATS, se.TEXT_FORMATS, se.SAT_SOLVERS, se.EXTRA_RULES, se.PAPERS)
    shown: list[object] = [
        puzzle,
        puzzle.geometry,
        puzzle.geometry.rules[0],
        se.solve(SEVERAL),
        se.Count(10**21, False, "its process was killed by SIGKILL " * 5),
        se.encode(SEVERAL, "log"),
        se.encode(puzzle, reduction="none"),
        se.encode(SEVERAL).cnf,
        se.cp_model(puzzle),
        *se.verify(SEVERAL, ["sat", "search"]),
        *se.generate("4x4", seed=1),
        se.prove(SEVERAL, tmp_path / ("long" * 40)),
        se.check_certificate(tmp_path / ("long" * 40)),
        se.solutions(SEVERAL),
        se.Limits(10**9, 1e9, 1 << 50),
        se.Options("singles", "pairwise", "cadical195", 2**31 - 1, 16),
        *tables,
        *(row for table in tables for row in table.values()),
    ]
    for public in shown:
        assert len(repr(public)) <= 100, repr(public)
        assert "\n" not in repr(public)


def test_same_names_as_commands(run: Command) -> None:
    """Functions and commands have one name and one meaning."""
    functions = {name for name in se.__all__ if inspect.isfunction(getattr(se, name))}
    assert {"encode", "solve", "count", "verify", "prove", "generate", "explain"} <= functions & set(COMMANDS)
    assert run("count", SEVERAL).out.strip() == str(se.count(SEVERAL))
    assert run("solve", PUZZLE).out.strip() == str(se.solve(PUZZLE))
    texts = [step.text for step in se.explain(SEVERAL, "gtsps-4.2") if step.text]
    lines = ["rules: row, column, box", *texts]
    assert run("explain", SEVERAL, "--method", "gtsps-4.2").out == "".join(f"{text}\n" for text in lines)
    made = next(se.generate("4x4", seed=3))
    se_line = "".join(str(value or ".") for value in made.puzzle.givens.tolist())
    assert run("generate", "--board", "4x4", "--seed", 3).lines[-1] == se_line
    for function, option in ((se.count, "method"), (se.solve, "method"), (se.explain, "method"), (se.generate, "many")):
        default = inspect.signature(function).parameters[option].default
        assert default in {"auto", "cp-sat", None, 1}


def test_cnf_in_other_containers() -> None:
    """A formula goes into other peoples containers as it is."""
    formula = CNF(from_clauses=se.encode(SEVERAL, reduction="none").cnf)
    assert (formula.nv, len(formula.clauses)) == (729, se.encode(SEVERAL, reduction="none").cnf.n_clauses)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: se.solve(SEVERAL, limits=se.Limits(2)), "solve takes no limit on solutions"),
        (lambda: se.is_unique(SEVERAL, limits=se.Limits(2)), "is_unique takes no limit on solutions"),
        (lambda: se.explain(SEVERAL, limits=se.Limits(2)), "explain takes no limit on solutions"),
        (lambda: se.check_certificate("none", limits=se.Limits(2)), "check_certificate takes no limit on solutions"),
        (lambda: se.Limits(solutions=float("nan")), "whole number"),  # type: ignore[arg-type]
        (lambda: se.Limits(solutions=1.5), "whole number"),  # type: ignore[arg-type]
        (lambda: se.Limits(memory=1.5), "whole number"),  # type: ignore[arg-type]
        (lambda: se.Limits(seconds=1e10), "from 0 to 1e+09"),
        (lambda: se.Options(sat_solver="zz"), "no SAT solver is called 'zz'; choose from cadical103"),
        (lambda: se.Options(amo="zz"), "no at-most-one is called 'zz'"),
        (lambda: se.Options(reduction="zz"), "no reduction is called 'zz'"),
        (lambda: se.Options(seed=2**31), "seed 2147483648: it is a whole number"),
        (lambda: se.Options(workers=-1), "workers -1: it is a whole number from 1"),
        (lambda: se.count(SEVERAL, "cp-sat", options=se.Options(workers=2)), "only to find one solution"),
        (lambda: se.count(SEVERAL, "sat:triads", options=se.Options(amo="ladder")), "does not use the option amo"),
        (lambda: next(se.generate("4x4", seed=-1)), "seed=-1"),
        (lambda: next(se.generate("4x4", many=0)), "many=0"),
        (lambda: next(se.generate("4x4", attempts=0)), "attempts=0"),
        (lambda: se.verify(SEVERAL, processes=-1), "processes=-1"),
        (lambda: se.count([[1, 2], [3]]), "lists of different lengths"),
    ],
)
def test_bad_arguments(call: Callable[[], object], words: str) -> None:
    """What has no meaning is refused in one line."""
    with pytest.raises(se.SudokuError) as refused:
        call()
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)


def test_loaded_encoding_needs_clauses(tmp_path: Path) -> None:
    """An encoding that was loaded is not written without its clauses."""
    path = tmp_path / "p.cnf"
    se.encode(SEVERAL).save(path)
    before = path.read_bytes()
    with pytest.raises(se.SudokuError, match="loaded without its clauses"):
        se.load_encoding(path).save(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("reduction", ["none", "singles"])
def test_loaded_clauses_unknown(tmp_path: Path, reduction: str) -> None:
    """The clauses of a loaded encoding are not none but unknown."""
    # By singles nothing is left of this puzzle: no variable either.
    path = tmp_path / "p.cnf"
    se.encode("12..34...12.....", board="4x4", reduction=reduction).save(path)
    loaded = se.load_encoding(path)
    calls: list[Callable[[], object]] = [
        lambda: list(loaded.cnf),
        lambda: loaded.cnf.n_clauses,
        lambda: loaded.cnf.clauses,
        lambda: loaded.save(tmp_path / "q.cnf"),
    ]
    for call in calls:
        with pytest.raises(se.SudokuError, match="loaded without its clauses"):
            call()
    assert not (tmp_path / "q.cnf").exists()
    assert repr(loaded.cnf) == f"Cnf({loaded.cnf.nv} variables, clauses not read)"
    assert "clauses not read" in repr(loaded)
    model = [v for v in (1, 6, 11, 16, 19, 24, 25, 30, 36, 37, 42, 47, 50, 55, 60, 61) if loaded.cnf.nv]
    assert loaded.decode(model) == se.Grid(se.board("4x4"), np.array([*map(int, "1234341241232341")], np.uint8))


def test_queries_of_a_model() -> None:
    """A model is asked for what it has."""
    from ortools.sat.python.cp_model import CpSolver

    model = se.cp_model("1...............", board="4x4")
    for place in ((4, 0), (-1, 0), (0,), (0, 0, 0)):
        with pytest.raises(se.FormatError, match=r"is not a (cell|value) of 4x4"):
            model[place]
    with pytest.raises(se.FormatError, match="was not run"):
        model.decode(CpSolver())


def test_time_limit_on_executor() -> None:
    """A time limit holds for what an executor does."""
    with ThreadPoolExecutor(2) as threads:
        found = se.count("." * 81, "search", limits=se.Limits(seconds=0.1), executor=threads)
        again = se.count("." * 81, "search", limits=se.Limits(seconds=0.3, memory=10**9), executor=threads)
    # Here the threads have ended, which they did not before the parts had an end of their own.
    for count in (found, again):
        assert (count.complete, count.stopped) == (False, "time limit")
    with pytest.raises(se.SudokuError, match="the executor takes no work"):
        se.count(SEVERAL, "search", executor=threads)


def test_misfit_before_compiling(run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A method that does not fit is refused before it is compiled."""
    # What is compiled is tried on a puzzle first.
    monkeypatch.setattr("sudoku_encode.methods.limited_calls.Puzzle", None)
    ran = run("count", "--board", "9x9x9", "--method", "hbpnp", "--timeout", "5")
    assert (ran.status, ran.out) == (2, "")
    assert "does not fit 9x9x9" in ran.err


@pytest.mark.parametrize(("old", "new"), se._RENAMED.items())  # type: ignore[attr-defined]
def test_old_names_warn(old: str, new: str) -> None:
    """An old name warns and is the new class."""
    vars(se).pop(new, None)
    with pytest.warns(DeprecationWarning, match=f"sudoku_encode.{old} is now sudoku_encode.{new}"):
        assert getattr(se, old) is getattr(se, new)


def test_stub_is_current() -> None:
    """The stub is written from the table."""
    script = runpy.run_path(str(HOME.parent / "scripts" / "stub"))
    assert (HOME / "__init__.pyi").read_text(encoding="utf-8") == script["stub"](), "run scripts/stub"
