"""An import may only point down: read every import, those inside functions too, and compare it with this table."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import sudoku_encode

HOME = Path(sudoku_encode.__file__).parent

BOARDS = ("errors", "geometry", "boards", "puzzle")
# They know no Sudoku.
CLAUSES = ("cnf", "dimacs", "cardinality")
MIDDLE = ("reduction", "encoding", "result")
# Side by side; none knows another.
TOOLS = ("encoders", "solvers", "formats", "papers", "search", "frontier", "render")
# They know no puzzle either: compressed files, and what a SAT solver prints.
OUTSIDE = ("outputs", "files", "journal", "listing", "solver_output", "compiling", "kernels", "interrupts", "apart")
TOP = ("methods", "cnf_file", "generate", "known", *OUTSIDE)

# What each part of the package may import. A part that is not here has no place yet: give it one.
MAY: dict[str, tuple[str, ...]] = {
    "errors": (),
    "geometry": ("errors",),
    "boards": ("errors", "geometry"),
    "puzzle": ("errors", "geometry", "boards"),
    "cnf": ("errors",),
    "dimacs": ("errors", "cnf"),
    "cardinality": ("errors", "cnf"),
    "outputs": ("errors",),
    "files": ("errors", "outputs"),
    # What the bottom tells the top.
    "hooks": (),
    "compiling": ("hooks",),
    "kernels": ("errors", "compiling"),
    "interrupts": (),
    # Processes: whatever works in them.
    "apart": ("errors", "hooks", "interrupts"),
    "journal": ("errors", "files", "outputs"),
    "listing": ("errors", "journal"),
    "solver_output": ("errors",),
    "reduction": (*BOARDS, *CLAUSES),
    "encoding": (*BOARDS, *CLAUSES),
    "result": (*BOARDS, *CLAUSES),
    "encoders": (*BOARDS, *CLAUSES, *MIDDLE),
    "solvers": (*BOARDS, *CLAUSES, *MIDDLE, "apart"),
    "formats": BOARDS,
    # Shares no code with the encoders, so that agreement is evidence.
    "papers": (*BOARDS, "compiling"),
    # Exhaustive search and exact counting of our own, as independent as a paper's method.
    "search": (*BOARDS, "compiling", "kernels"),
    "frontier": (*BOARDS, "compiling"),
    "methods": (*BOARDS, *CLAUSES, *MIDDLE, *TOOLS, "apart", "hooks", "kernels"),
    "cnf_file": (*BOARDS, *CLAUSES, *MIDDLE, *TOOLS, *OUTSIDE, "methods"),
    # Its puzzles are checked by a solver while they are made.
    "generate": (*BOARDS, *CLAUSES, *MIDDLE, "encoders", "solvers", "papers", "apart"),
    "render": (*BOARDS, "formats"),
    "known": (*BOARDS, "formats"),
    "proof": (*BOARDS, *CLAUSES, *MIDDLE, *TOOLS, *TOP, "hooks"),
    "crosscheck": (*BOARDS, *CLAUSES, *MIDDLE, *TOOLS, *TOP, "hooks"),
    "reproduce": (*BOARDS, *CLAUSES, *MIDDLE, *TOOLS, *TOP),
    "cli": (*BOARDS, *CLAUSES, *MIDDLE, *TOOLS, *TOP, "crosscheck", "reproduce", "proof", "hooks"),
    "__main__": ("cli",),
    "__init__": (),
}


def imported(path: str, source: str) -> Iterator[str]:
    """Yield the full name of everything of ours that a module imports, wherever in it that happens."""
    package = ["sudoku_encode", *Path(path).parent.parts]
    for node in ast.walk(ast.parse(source)):
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else []
            start = ".".join([*base, *([node.module] if node.module else [])])
            names = [f"{start}.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.Call):
            called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if called in ("import_module", "__import__"):
                parts = [part for argument in node.args for part in ast.walk(argument)]
                names = [part.value for part in parts if isinstance(part, ast.Constant) and isinstance(part.value, str)]
        yield from (name for name in names if name.split(".")[0] == "sudoku_encode")


def part_of(path: str) -> str:
    return Path(path).parts[0].removesuffix(".py")


def misplaced(path: str, source: str) -> list[str]:
    """Return the imports of a module, by its path in the package, that point up or sideways."""
    part, wrong = part_of(path), []
    for name in imported(path, source):
        pieces = name.split(".")
        target = pieces[1] if len(pieces) > 1 else ""
        inside = target == part and Path(path).parts[0] == part
        if not (inside or target == "__version__" or target in MAY[part]):
            wrong.append(f"{path} imports {name}")
    return wrong


MODULES = sorted(str(file.relative_to(HOME)) for file in HOME.rglob("*.py"))


def test_the_modules_are_found() -> None:
    assert {"geometry.py", "encoders/direct.py", "solvers/sat.py", "methods/table.py"} <= set(MODULES)


@pytest.mark.parametrize("path", MODULES)
def test_no_import_points_up_or_sideways(path: str) -> None:
    assert part_of(path) in MAY, f"{path} has no place in the table of layers"
    assert misplaced(path, (HOME / path).read_text(encoding="utf-8")) == []


def test_the_table_itself_has_no_circle() -> None:
    order: list[str] = []
    while len(order) < len(MAY):
        ready = [part for part, below in MAY.items() if part not in order and set(below) <= set(order)]
        assert ready, f"these import each other in a circle: {sorted(set(MAY) - set(order))}"
        order += ready


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("papers/jana2023.py", "from sudoku_encode.encoders import encode"),
        ("papers/jana2023.py", "def f():\n    from sudoku_encode.encoders.direct import encoder"),
        ("papers/jana2023.py", "import sudoku_encode.cardinality"),
        ("papers/jana2023.py", "from sudoku_encode.result import Budget"),
        ("geometry.py", "from sudoku_encode.puzzle import Puzzle"),
        ("puzzle.py", "if True:\n    from sudoku_encode import methods"),
        ("cnf.py", "from .geometry import Geometry"),
        ("dimacs.py", "from sudoku_encode.puzzle import Puzzle"),
        ("cardinality.py", "from sudoku_encode import dimacs"),
        ("encoders/direct.py", "from sudoku_encode.solvers import sat"),
        ("encoders/direct.py", "from ..solvers.sat import solutions"),
        ("encoders/forms/opb.py", "from ...formats import write"),
        ("solvers/sat.py", "from sudoku_encode.encoders import encode"),
        ("solvers/cpsat.py", "from sudoku_encode.encoders.cp import encode"),
        ("formats/reading.py", "from sudoku_encode.cnf import Cnf"),
        ("methods.py", "from sudoku_encode import cnf_file"),
        ("methods.py", "from sudoku_encode.cli import app"),
        ("cnf_file.py", "def f():\n    import sudoku_encode.cli"),
        ("encoding.py", "from sudoku_encode.reduction import reduce"),
        ("errors.py", "from sudoku_encode import *"),
        ("errors.py", "import sudoku_encode"),
        ("puzzle.py", "import importlib\nimportlib.import_module('sudoku_encode.methods')"),
        ("puzzle.py", "__import__('sudoku_encode.' + 'methods')"),
    ],
)
def test_an_import_that_points_up_or_sideways_is_found(path: str, source: str) -> None:
    assert len(misplaced(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("papers/jana2023.py", "import numpy as np\nfrom sudoku_encode.puzzle import Puzzle"),
        ("papers/jana2023.py", "from sudoku_encode.papers.common import tree\nfrom .common import other"),
        ("encoders/forms/opb.py", "from ..direct import encoder\nfrom ...errors import MethodError"),
        ("solvers/cpsat.py", "from sudoku_encode.encoding import CpModel"),
        ("files.py", "import importlib\nfor name in 'a', 'b':\n    importlib.import_module(name)"),
        (
            "methods.py",
            "def f():\n    from sudoku_encode.encoders import cp\n    from sudoku_encode.solvers import cpsat",
        ),
        ("cli/count.py", "from sudoku_encode import __version__, methods\nfrom sudoku_encode.cli import common"),
        ("encoders/direct.py", "import sudoku"),
    ],
)
def test_an_import_that_points_down_is_not(path: str, source: str) -> None:
    assert misplaced(path, source) == []
