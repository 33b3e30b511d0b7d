"""What is installed is named with its purpose, and a command loads no more than what it needs."""

import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HOME = Path(__file__).parents[2]
PROJECT = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PAGE = (HOME / "CONTRIBUTING.md").read_text(encoding="utf-8")
PUZZLE = "4.....8.5.3..........7......2.....6.....8.4......1.......6.3.7.5..2.....1.4......"
# What comes with Python, numpy and typer, or is ours.
LIGHT = {"annotated_doc", "cython_runtime", "numpy", "shellingham", "sudoku_encode", "typer"}
# Says on standard error, at the end, which packages are loaded that do not come with Python.
TELL = """
import runpy, sys
try:
    runpy.run_module("sudoku_encode", run_name="__main__")
finally:
    tops = {name.partition(".")[0] for name in sys.modules} - set(sys.stdlib_module_names)
    print("loaded", *sorted(top for top in tops if not top.startswith("_")), file=sys.stderr)
"""


def names(requirements: list[str]) -> set[str]:
    return {re.split(r"[^\w-]", requirement)[0] for requirement in requirements}


def loaded(folder: Path, *arguments: str) -> set[str]:
    """Return the packages that a command has loaded at its end."""
    command = [sys.executable, "-c", TELL, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stderr.splitlines()[-1].removeprefix("loaded ").split())


def test_each_on_the_page() -> None:
    """Every dependency is on the page with its purpose."""
    extras = PROJECT["optional-dependencies"]
    wanted = names(PROJECT["dependencies"]) | {name for extra in extras.values() for name in names(extra)}
    wanted -= {PROJECT["name"]}
    plain, extra = (block for block in PAGE.split("\n\n") if block.startswith(("| package", "| extra")))

    assert set(re.findall(r"^\| `([\w-]+)` \|", plain, re.MULTILINE)) == names(PROJECT["dependencies"])
    assert (
        set(re.findall(r"^\| (?:`\w+` )?\| `([\w-]+)` \|", extra, re.MULTILINE)) | names(PROJECT["dependencies"])
        == wanted
    )
    assert {*re.findall(r"^\| `(\w+)` \|", extra, re.MULTILINE), "all"} == set(extras)


def test_extra_all() -> None:
    """All is every extra for users but the largest."""
    extras = PROJECT["optional-dependencies"]
    (own,) = extras["all"]
    assert set(own.partition("[")[2].rstrip("]").split(",")) == set(extras) - {"all", "fuzz", "parquet"}


# What is encoded without a solver, then what is read and written without an encoder.
LIGHT_COMMANDS = [
    "encode PUZZLE -o a.cnf",
    "convert PUZZLE --to numbers",
    "info --board 9x9x9 --encodings all --amo all",
]
MORE_LIGHT_COMMANDS = [
    "encode PUZZLE --encoding log -o a.cnf",
    "encode PUZZLE --amo ladder -o a.cnf",
    "encode PUZZLE --encoding triads --seed 3 -o a.cnf",
    *(f"encode PUZZLE -o a{suffix}" for suffix in (".opb", ".mzn", ".smt2")),
    "convert PUZZLE --to json",
    "show PUZZLE",
]


@pytest.mark.parametrize(
    "line", [*LIGHT_COMMANDS, *(pytest.param(line, marks=pytest.mark.slow) for line in MORE_LIGHT_COMMANDS)]
)
def test_light_imports(line: str, tmp_path: Path) -> None:
    """Models texts and figures load nothing larger than numpy."""
    assert loaded(tmp_path, *line.replace("PUZZLE", PUZZLE).split()) - LIGHT == set()


@pytest.mark.parametrize("line", ["--help", "encode --help", "methods"])
def test_help_without_numpy(line: str, tmp_path: Path) -> None:
    """Help does not even load numpy."""
    assert loaded(tmp_path, *line.split()) - (LIGHT - {"numpy"}) == set()


# What takes longer to load than an easy puzzle to answer; and a program that notes which of it a command or one of its
# processes looks for.
HEAVY = {"numba", "llvmlite", "ortools", "pandas", "rich"}
NOTE = f"""
import runpy, sys

class Noting:
    def find_spec(self, name, path=None, target=None):
        if name in {HEAVY}:
            with open("loaded", "a") as file:
                print(name, file=file)

sys.meta_path.insert(0, Noting())
runpy.run_module("sudoku_encode", run_name="__main__")
"""
KILLER = "# board: 4x4\n# constraint: cage 3 r1c1 r1c2\n# constraint: thermometer r3c1 r3c2 r3c3\n................\n"
SHORT_ANSWERS = ["count PUZZLE", "check PUZZLE", "candidates PUZZLE", "hint PUZZLE"]
MORE_SHORT_ANSWERS = [
    *("count PUZZLE --json", "count PUZZLE --limit 2", "count PUZZLE --timeout 10", "enumerate PUZZLE"),
    *("solve PUZZLE", "solve PUZZLE --json", "solve PUZZLE --timeout 10", "check PUZZLE --timeout 10"),
    *("check PUZZLE --json", "candidates PUZZLE --counts", "candidates PUZZLE --timeout 10", "hint PUZZLE --json"),
    *("count killer.txt", "solve killer.txt", "count --board 4x4", "count --board 4x4x4 --limit 2"),
]


def heavy(folder: Path, line: str) -> set[str]:
    """Return what a command and its processes load of the heavy packages."""
    (folder / "killer.txt").write_text(KILLER)
    (folder / "loaded").touch()
    command = [sys.executable, "-c", NOTE, *line.replace("PUZZLE", PUZZLE).split()]
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder, timeout=120, check=False)
    assert "internal error" not in done.stderr
    assert done.stdout
    return set((folder / "loaded").read_text().split())


@pytest.mark.parametrize(
    "line", [*SHORT_ANSWERS, *(pytest.param(line, marks=pytest.mark.slow) for line in MORE_SHORT_ANSWERS)]
)
def test_answer_without_compiler(line: str, tmp_path: Path) -> None:
    """An easy puzzle is answered without numba and OR-Tools."""
    assert heavy(tmp_path, line) == set()


def test_heavy_import_seen(tmp_path: Path) -> None:
    """A heavy package would be seen."""
    assert {"ortools", "pandas"} <= loaded(tmp_path, "encode", PUZZLE, "-o", "a.pbtxt")
    assert "pysat" in loaded(tmp_path, "solve", PUZZLE)
    assert {"numba", "llvmlite"} <= heavy(tmp_path, "count PUZZLE --method search")
