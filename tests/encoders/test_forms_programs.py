"""The forms of models: outside programs answer the same puzzles on boards of all kinds, each form by at least one."""

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import sudoku_encode as se
from sudoku_encode.encoders.answers import read_answer
from sudoku_encode.encoders.model_files import save_model
from sudoku_encode.encoders.table import MODEL_FORMATS
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command
from tests.helpers.form_cases import listed, on_named_boards, read_dlx, text
from tests.helpers.model_cases import PLAIN, Grid, cases


def test_enough_puzzles() -> None:
    """There are 50 puzzles of all kinds of boards, some without a solution and some with many."""
    numbers = [len(grids) for _, _, grids in on_named_boards()]
    assert len(numbers) >= 50
    assert 0 in numbers
    assert 1 in numbers
    assert max(numbers) > 20


def differences(answers: Iterator[list[Grid]]) -> list[str]:
    """Return the names of the puzzles of which an answer does not have each solution once."""
    return [name for (name, _, grids), answer in zip(listed(), answers, strict=True) if sorted(answer) != grids]


def test_clingo() -> None:
    """The answer sets of a program are the solutions, and clingo has no remark on it."""
    clingo = pytest.importorskip("clingo")
    remarks: list[str] = []

    def answer_sets(puzzle: Puzzle) -> list[Grid]:
        control = clingo.Control(["0"], logger=lambda _, remark: remarks.append(remark))
        control.add("base", [], text("asp", puzzle))
        control.ground([("base", [])])
        grids: list[Grid] = []
        control.solve(on_model=lambda model: grids.append(of_atoms(model.symbols(shown=True))))
        return grids

    assert differences(answer_sets(puzzle) for _, puzzle, _ in listed()) == []
    assert remarks == []


def of_atoms(atoms: list[Any]) -> Grid:
    """Return the grid of atoms holds(CELL, VALUE), one for each cell in any order."""
    values = {atom.arguments[0].number: atom.arguments[1].number for atom in atoms}
    assert sorted(values) == list(range(len(atoms)))
    return tuple(values[cell] for cell in sorted(values))


# In a process of its own, since the packages change the arguments of the program and write files when it ends.
_CPMPY = """
import json, sys, warnings
sys.argv.append("-nocompile")
warnings.simplefilter("ignore")
import cpmpy as cp
from cpmpy.transformations.get_variables import get_variables_model
said, *files = sys.argv[1:-1]
with open(said, "w") as out:
    for file in files:
        if file.endswith(".py"):
            space = {"__name__": "program"}
            exec(open(file).read(), space)
            model, cells = space["model"], list(space["x"])
        else:
            from cpmpy.tools.xcsp3.parser import load_xcsp3
            model = load_xcsp3(file)
            named = {variable.name: variable for variable in get_variables_model(model)}
            cells = [named[f"x[{cell}]"] for cell in range(sum(name.startswith("x[") for name in named))]
        grids = []
        solver = cp.SolverLookup.get("ortools", model)
        note = lambda: grids.append([int(cell.value()) for cell in cells])
        solver.solveAll(display=note, num_workers=1, solution_limit=5000)
        print(json.dumps(grids), file=out)
"""


def by_cpmpy(form: str, suffix: str, folder: Path) -> Iterator[list[Grid]]:
    """Return the solutions that CP-SAT lists through CPMpy, from one process."""
    files = []
    for number, (_, puzzle, _) in enumerate(listed()):
        files.append(folder / f"{number}{suffix}")
        files[-1].write_text(text(form, puzzle), encoding="ascii")
    printed(folder, sys.executable, "-c", _CPMPY, "said", *files)
    for line in (folder / "said").read_text(encoding="ascii").splitlines():
        yield [tuple(grid) for grid in json.loads(line)]


def test_cpmpy(tmp_path: Path) -> None:
    """CPMpy lists each solution of a program's model once."""
    pytest.importorskip("cpmpy")
    assert differences(by_cpmpy("cpmpy", ".py", tmp_path)) == []


def test_xcsp3_by_cpmpy(tmp_path: Path) -> None:
    """An instance that PyCSP3 parses and CPMpy solves has exactly the solutions."""
    pytest.importorskip("cpmpy")
    pytest.importorskip("lxml")
    if importlib.util.find_spec("pycsp3") is None:
        pytest.skip("pycsp3 is not installed")
    # CP-SAT lists some solutions of a regular constraint more than once.
    assert differences(sorted(set(answer)) for answer in by_cpmpy("xcsp3", ".xml", tmp_path)) == []


def printed(folder: Path, *command: str | Path) -> str:
    """Run a program in a folder and return its standard output."""
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False, cwd=folder).stdout


def ace_jar() -> Path:
    """Return the program ACE, which the package pycsp3 brings; skip without it."""
    spec = importlib.util.find_spec("pycsp3")
    jars = sorted(Path(spec.origin).parent.glob("solvers/ace/*.jar")) if spec and spec.origin else []
    if not jars:
        pytest.skip("pycsp3 is not installed")
    return jars[0]


class Program(NamedTuple):
    """A program of another project that answers a form of models; `{model}` stands for the file."""

    form: str
    command: tuple[str, ...]  # `{output}` is a file for the answer, else it is printed; `{board}` a model for data
    lists_all: bool = False


# Most of the time of a small instance is the start, which the first compiler alone makes shorter.
_JAVA = ("java", "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
# The answer of miniexact: another solution.
_EXACT_COVER = 10
_MINIZINC = ("minizinc", "--solver", "gecode", "-a")
ANSWERING = {
    "cadical": Program("cnf", ("cadical", "-q", "{model}")),
    "minisat": Program("cnf", ("minisat", "-verb=0", "{model}", "{output}")),
    "cadical, cubes": Program("icnf", ("cadical", "-q", "{model}")),
    "clasp": Program("opb", ("clasp", "{model}", "-n", "0", "--quiet=0"), lists_all=True),
    "minisat+": Program("opb", ("minisat+", "{model}")),
    "clingo": Program("asp", ("clingo", "{model}", "-n", "0"), lists_all=True),
    "z3": Program("smt2", ("z3", "{model}")),
    "glpsol, MPS": Program("mps", ("glpsol", "--freemps", "{model}", "-w", "{output}")),
    "glpsol, LP": Program("lp", ("glpsol", "--lp", "{model}", "-w", "{output}")),
    "minizinc": Program("mzn", (*_MINIZINC, "{model}"), lists_all=True),
    "minizinc, data": Program("dzn", (*_MINIZINC, "{board}", "{model}"), lists_all=True),
    "ACE": Program("xcsp3", (*_JAVA, "-jar", "{ace}", "{model}", "-s=all", "-npc", "-xe"), lists_all=True),
}


@pytest.mark.parametrize("step", [7, pytest.param(1, marks=[pytest.mark.thorough, pytest.mark.slow])])
@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=pytest.mark.slow) if name == "ACE" else name for name in ANSWERING]
)
def test_program_answers(name: str, step: int, tmp_path: Path) -> None:
    """A program finds a solution of each puzzle or that there is none; all solutions, if it lists them."""
    program, wrong = ANSWERING[name], list[str]()
    if shutil.which(program.command[0]) is None:
        pytest.skip(f"{program.command[0]} is not installed")
    suffix = MODEL_FORMATS[program.form].suffixes[0]
    files = {"{model}": tmp_path / f"model{suffix}", "{output}": tmp_path / "output", "{board}": tmp_path / "board.mzn"}
    if "{ace}" in program.command:
        files["{ace}"] = ace_jar()
    for what, puzzle, grids in on_named_boards()[::step]:
        save_model(puzzle, files["{model}"], program.form)
        if "{board}" in program.command:
            save_model(puzzle, files["{board}"], "mzn-model")
        answered = printed(tmp_path, *(files.get(word, word) for word in program.command))
        if "{output}" not in program.command:
            files["{output}"].write_text(answered, encoding="utf-8")
        answer = read_answer(str(files["{model}"]), str(files["{output}"]))
        models = [(tuple(grid.tolist()), faults) for grid, faults, _ in answer.models]
        decoded = sorted(grid for grid, _ in models)
        is_right = (
            decoded == grids if program.lists_all else set(decoded) <= set(grids) and bool(decoded) == bool(grids)
        )
        is_clear = answer.claim is not False if grids else answer.claim is False
        if not is_right or not is_clear or any(faults for _, faults in models):
            wrong.append(what)
    assert wrong == []


def test_exact_covers() -> None:
    """Dancing links find each solution of an exact cover once."""
    miniexact = pytest.importorskip("miniexact")
    puzzles = [case for board in PLAIN for case in cases(board)]
    for name, puzzle, grids in puzzles:
        primary, secondary, options = read_dlx(text("dlx", puzzle).splitlines())
        solver = miniexact.miniexacts_x()
        number = {item: solver.primary(item) for item in primary}
        number |= {item: solver.secondary(item) for item in secondary}
        for option in options:
            solver.add([number[item] for item in option])
        covers = []
        while solver.solve() == _EXACT_COVER:
            chosen = sorted(
                (int(cell[1:]), int(unit.partition(".")[2])) for cell, unit, *_ in chosen_of(solver, options)
            )
            covers.append(tuple(value for _, value in chosen))
        assert sorted(covers) == sorted(grids), name
    assert len(puzzles) >= 50


def chosen_of(solver: Any, options: list[list[str]]) -> list[list[str]]:
    """Return the options of a cover, which the solver numbers from 1."""
    return [options[number - 1] for number in solver.selected_options()]


def test_program_for_each_form() -> None:
    """Each form has a program here, or elsewhere in the tests."""
    elsewhere = {"cpmpy", "mzn-model", "wcnf", "wcnf-old", "cp-sat", "cp-sat-bool", "col"}
    assert {program.form for program in ANSWERING.values()} | elsewhere | {"dlx"} == MODEL_FORMATS.keys()


CONSTRAINTS = ("cage 7 r1c1-r1c3", "regex [12].*[34]: r2c3 r1c1 r2c3 r3c4")


def clingo_program(folder: Path, model: Path) -> str:
    pytest.importorskip("clingo")
    return printed(folder, sys.executable, "-m", "clingo", model, "-n", "0")


def program_itself(folder: Path, model: Path) -> str:
    pytest.importorskip("cpmpy")
    return printed(folder, sys.executable, model)


PROGRAMS: dict[str, tuple[str, Callable[[Path, Path], str]]] = {
    "asp": ("asp", clingo_program),
    "cpmpy": ("py", program_itself),
}


@pytest.mark.parametrize("form", PROGRAMS)
@pytest.mark.slow
def test_printed_and_decoded(form: str, tmp_path: Path, run: Command) -> None:
    """What a program prints is decoded to all solutions, and to none of a puzzle without any."""
    suffix, ask = PROGRAMS[form]
    model = tmp_path / f"model.{suffix}"
    words = [word for constraint in CONSTRAINTS for word in ("--constraint", constraint)]
    assert run("encode", "--board", "4x4", *words, "-o", model).status == 0
    found = run("decode", model, stdin=ask(tmp_path, model))
    expected = se.solutions(Puzzle.of(se.board("4x4"), constraints=CONSTRAINTS))
    grids = sorted("".join(map(str, grid.values.tolist())) for grid in expected)
    assert (found.status, sorted(found.lines)) == (0, grids)
    assert len(grids) > 1
    clash = tmp_path / f"clash.{suffix}"
    assert run("encode", "11..............", "--board", "4x4", "-o", clash).status == 0
    trust = ["--trust-status"] if form == "asp" else []
    assert run("decode", clash, *trust, stdin=ask(tmp_path, clash)).status == 1


def test_minizinc_data(tmp_path: Path, run: Command) -> None:
    """A model takes the data of any puzzle with its board and constraints, and refuses other data."""
    if shutil.which("minizinc") is None:
        pytest.skip("minizinc is not installed")

    def minizinc(number: int) -> str:
        return printed(tmp_path, "minizinc", "--solver", "gecode", "-a", "a.mzn", f"{number}.dzn")

    odd = ("--constraint", "odd r1c1", "--constraint", "regex [^3].*: r1c2 r1c3", "--board", "4x4")
    assert run("encode", *odd, "--to", "mzn-model", "-o", tmp_path / "a.mzn").status == 0
    texts = ["1" + "0" * 14 + "4", "2" + "0" * 15, "0" * 16]
    for number, givens in enumerate(texts):
        assert run("encode", givens, *odd, "-o", tmp_path / f"{number}.dzn").status == 0
    assert run("encode", "--board", "4x4", "-o", tmp_path / "3.dzn").status == 0
    numbers = [len(run("decode", tmp_path / f"{number}.dzn", stdin=minizinc(number)).lines) for number in range(3)]
    puzzles = [Puzzle.of(se.board("4x4"), list(map(int, givens)), constraints=[odd[1], odd[3]]) for givens in texts]
    assert numbers == [se.count(puzzle).value for puzzle in puzzles]
    assert numbers[1] == 0 < numbers[0] < numbers[2]
    # Neither a given that a constraint excludes nor data of another board lead to a grid that decode must refuse.
    assert [number for number in range(4) if "----------" not in minizinc(number)] == [1, 3]
