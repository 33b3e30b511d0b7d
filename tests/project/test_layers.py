"""An import may only point down: read every import, those inside functions too, and compare it with the drawing."""

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest

import sudoku_encode

HOME = Path(sudoku_encode.__file__).parent

# The drawing in CONTRIBUTING.md, from the bottom. A room may import what is on the floors below it, and no room beside.
FLOORS = (
    ("errors",),
    ("puzzles", "formula", "storage"),
    ("run",),
    ("encoders", "formats", "papers", "search", "frontier", "placements", "render", "symmetry"),
    ("solvers",),
    ("methods",),
    ("generating",),
    ("proving", "verifying", "questions"),
    ("api",),
    ("reproduce", "report"),
    ("cli",),
    ("__init__", "__main__"),
)
# What a user imports, and the names in it that a user may use.
FRONT_DOOR, PUBLIC = "__init__", ("", *sudoku_encode.__all__)
# These may import less than that. What lists and counts by code of its own is evidence only as long as it is its own. A
# paper is refereed as a user would do it; the front door, which is above, loads a name when it is first used. A picture
# is no evidence, so it may be drawn by what draws all others.
ONLY = {
    "reproduce": (FRONT_DOOR, "papers", "puzzles.table", "render"),
    "formats": ("errors", "puzzles", "storage"),
    "papers": ("errors", "puzzles", "run.compiling"),
    "search": ("errors", "puzzles", "run"),
    "frontier": ("errors", "puzzles", "run"),
    "placements": ("errors", "puzzles", "run"),
    "symmetry": ("errors", "puzzles", "run.compiling"),
}
# The methods, what constraints mean, and what is public, are in modules of other rooms, which a table names.
LOADS_ROWS = (
    ("methods/method.py", "sudoku_encode."),
    ("puzzles/constraints/parsing.py", "sudoku_encode.puzzles.constraints."),
    ("__init__.py", "sudoku_encode."),
)
FLOOR_OF = {room: floor for floor, rooms in enumerate(FLOORS) for room in rooms}
# Modules of one room that import each other. An `either` contains constraints of all kinds. A board is pickled as its
# name, and the modules that make boards know what a name means. What several kernels and their callers share is in a
# light module, such as `search.state`.
CIRCLES = {
    frozenset(f"sudoku_encode.puzzles.constraints.{name}" for name in ("own", "parsing", "table")),
    frozenset(
        f"sudoku_encode.puzzles.{name}"
        for name in ("boards", "folding", "geometry", "overlapping", "shapes", "square_rules")
    ),
}

# Rooms that import a module of another room that is not in its face, FACE in the room's `__init__`. This list may only
# shrink: what only one room needs moves into that room, or the face offers it.
BEHIND_THE_FACE = {
    ("cli", "encoders.answers"),
    ("solvers", "encoders.blocking"),
    ("api", "encoders.changes"),
    ("api", "encoders.cnf_file"),
    ("generating", "encoders.direct"),
    ("report", "encoders.puzzle_sizes"),
    ("api", "formats.frame"),
    ("proving", "formats.json_objects"),
    ("proving", "formats.symbols"),
    ("proving", "formats.text"),
    ("proving", "formats.text.json"),
    ("generating", "frontier.problem"),
    ("questions", "generating.digging"),
    ("report", "generating.file"),
    ("questions", "generating.ranking"),
    ("reproduce", "papers.brute_force_kernel"),
    ("reproduce", "papers.hbpnp_kernel"),
    ("generating", "placements.classes"),
    ("generating", "placements.structure"),
    ("render", "puzzles.folding"),
    ("formats", "puzzles.joined_boards"),
    ("cli", "render.constraint_drawings"),
    ("cli", "render.constraint_graph"),
    ("cli", "reproduce.finding"),
    ("cli", "reproduce.pages"),
    ("cli", "reproduce.puzzles"),
    ("cli", "reproduce.site"),
    ("cli", "reproduce.table"),
    ("methods", "run.each_here"),
    ("questions", "search.any_kernel"),
    ("methods", "search.in_parts"),
    ("methods", "search.parallel"),
    ("methods", "search.part"),
    ("questions", "search.state"),
    ("methods", "search.vectors9"),
    ("questions", "solvers.hitting"),
    ("report", "storage.listing"),
    ("report", "verifying.record"),
    ("api", "verifying.running"),
    ("report", "verifying.shrink"),
}


@cache
def imported(path: str, source: str) -> tuple[str, ...]:
    """Return the full names that a module imports; several tests ask for them."""
    return tuple(imported_names(path, source))


def imported_names(path: str, source: str) -> Iterator[str]:
    """Yield the full name of everything of ours that a module imports, wherever in it that happens.

    What it takes from the package by a dot, as in `se.count`, is imported too.
    """
    package = ["sudoku_encode", *Path(path).parent.parts]
    nodes = list(ast.walk(ast.parse(source)))
    aliases = [alias for node in nodes if isinstance(node, ast.Import) for alias in node.names]
    own = {alias.asname or alias.name for alias in aliases if alias.name == "sudoku_encode"}
    for node in nodes:
        names: list[str] = []
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in own:
            names = [f"sudoku_encode.{node.attr}"]
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


def room_of(path: str) -> str:
    return Path(path).parts[0].removesuffix(".py")


def allowed(room: str, name: str) -> bool:
    """Return whether a room may import what has this full name."""
    target = name.removeprefix("sudoku_encode").removeprefix(".")
    if target == "__version__" or target.split(".")[0] == room:
        return True
    if room in ONLY:
        if FRONT_DOOR in ONLY[room] and target in PUBLIC:
            return True
        return any(target == below or target.startswith(f"{below}.") for below in ONLY[room])
    return FLOOR_OF.get(target.split(".")[0], len(FLOORS)) < FLOOR_OF[room]


def misplaced(path: str, source: str) -> list[str]:
    """Return the imports of a module, by its path in the package, that point up or sideways."""
    room = room_of(path)
    wrong = [name for name in imported(path, source) if not allowed(room, name)]
    return [f"{path} imports {name}" for name in wrong if (path, name) not in LOADS_ROWS]


def full_name(path: str) -> str:
    return ".".join(["sudoku_encode", *Path(path).with_suffix("").parts]).removesuffix(".__init__")


def circles(sources: Mapping[str, str]) -> set[frozenset[str]]:
    """Return the groups of modules that import each other, directly or through others, by their full names.

    Args:
        sources: the text of each module, by its path in the package.
    """
    modules = {full_name(path): path for path in sources}
    reached: dict[str, set[str]] = {}
    for module, path in modules.items():
        # `from package import name` may name a module, or something in the package.
        # The version is a constant of the package, there before anything else is loaded; what a row names is no import.
        beside = ("sudoku_encode.__version__", "sudoku_encode.")
        used = [name for name in imported(path, sources[path]) if name not in beside]
        names = [name if name in modules else name.rpartition(".")[0] for name in used]
        reached[module] = {name for name in names if name in modules and name != module}
    for middle in modules:
        for found in reached.values():
            if middle in found:
                found.update(reached[middle])
    return {
        frozenset(name for name in found if module in reached[name])
        for module, found in reached.items()
        if module in found
    }


MODULES = sorted(str(file.relative_to(HOME)) for file in HOME.rglob("*.py"))
FULL_NAMES = {full_name(path) for path in MODULES}
PATHS = {path.removesuffix(".py").removesuffix("/__init__") for path in MODULES}


@cache
def face(room: str) -> tuple[str, ...]:
    """Return the modules of a room that other rooms may import, as its `__init__` lists them."""
    tree = ast.parse((HOME / room / "__init__.py").read_text(encoding="utf-8"))
    for node in tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        if isinstance(target, ast.Name) and target.id == "FACE":
            return tuple(ast.literal_eval(node.value))  # type: ignore[attr-defined]
    raise AssertionError(f"{room}/__init__.py has no FACE")


def behind_the_face(path: str, source: str) -> Iterator[tuple[str, str]]:
    """Yield the importing room, and the module or private name of another room that is not in the face of that room."""
    room = room_of(path)
    for name in imported(path, source):
        module = name
        while module not in FULL_NAMES and "." in module:
            module = module.rpartition(".")[0]
        target, _, inner = module.removeprefix("sudoku_encode").removeprefix(".").partition(".")
        if target in ("", room, "errors") or room in ("__init__", "__main__"):
            continue
        if name.rpartition(".")[2].startswith("_"):
            yield room, name.removeprefix("sudoku_encode.")
        elif inner and inner not in face(target):
            yield room, f"{target}.{inner}"


def test_modules_found() -> None:
    """The modules are found."""
    assert {"puzzles/geometry.py", "encoders/direct.py", "solvers/sat.py", "methods/table.py"} <= set(MODULES)


def test_modules_in_rooms() -> None:
    """Every module is in a room."""
    assert [path for path in MODULES if room_of(path) not in FLOOR_OF] == []
    assert {path for path in MODULES if "/" not in path} == {"__init__.py", "__main__.py", "errors.py"}


def test_drawing_matches() -> None:
    """The drawing in contributing is the one that is tested."""
    text = (HOME.parent / "CONTRIBUTING.md").read_text(encoding="utf-8")
    text = text.partition("## Layout\n")[2].partition("\n## ")[0]
    drawing = text.partition("```\n")[2].partition("```")[0]
    said = dict(re.findall(r"^\| `(\w+)` \| (.+?) \|$", text, re.MULTILINE))

    assert tuple(tuple(line.split()) for line in reversed(drawing.splitlines())) == FLOORS
    assert list(said) == [room for rooms in reversed(FLOORS) for room in rooms]
    there = {room_of(path) for path in MODULES}
    assert {room for room, holds in said.items() if holds.startswith("to come")} == set(said) - there


def test_imports_point_down() -> None:
    """No import points up or sideways."""
    wrong = [line for path in MODULES for line in misplaced(path, (HOME / path).read_text(encoding="utf-8"))]
    assert wrong == []


def test_no_circles() -> None:
    """No modules import each other."""
    assert circles({path: (HOME / path).read_text(encoding="utf-8") for path in MODULES}) == CIRCLES


def test_other_rooms_import_the_face_only() -> None:
    """A room is used by the modules of its face, but for a list of exceptions, each of which is needed."""
    used = {pair for path in MODULES for pair in behind_the_face(path, (HOME / path).read_text(encoding="utf-8"))}
    assert used - BEHIND_THE_FACE == set()
    assert BEHIND_THE_FACE - used == set()


def test_faces_name_modules() -> None:
    """Every module of a face is there, and some other room imports it."""
    rooms = sorted({room_of(path) for path in MODULES if "/" in path})
    assert [
        (room, name) for room in rooms for name in face(room) if f"{room}/{name.replace('.', '/')}" not in PATHS
    ] == []


@pytest.mark.parametrize(
    ("path", "source", "wrong"),
    [
        ("cli/count.py", "from sudoku_encode.search.vectors9 import is_plain", [("cli", "search.vectors9")]),
        ("cli/count.py", "from sudoku_encode.puzzles.puzzle import _check", [("cli", "puzzles.puzzle._check")]),
        ("cli/count.py", "from sudoku_encode.puzzles.puzzle import Puzzle\nfrom sudoku_encode import search", []),
        ("search/part.py", "from sudoku_encode.search.vectors9 import is_plain", []),
    ],
)
def test_import_behind_the_face_found(path: str, source: str, wrong: list[tuple[str, str]]) -> None:
    """What is not in a face is found, whether a module or a private name."""
    assert list(behind_the_face(path, source)) == wrong


@pytest.mark.parametrize(
    ("sources", "members"),
    [
        ({"search/a.py": "from sudoku_encode.search import b", "search/b.py": "import sudoku_encode.search.a"}, "ab"),
        (
            {"search/a.py": "def f():\n    from .b import g", "search/b.py": "from sudoku_encode.search.a import h"},
            "ab",
        ),
        (
            {
                "search/a.py": "from sudoku_encode.search.b import run",
                "search/b.py": "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    from .c import State",
                "search/c.py": "from . import a\nfrom . import d",
                "search/d.py": "import numpy",
            },
            "abc",
        ),
        ({"search/__init__.py": "from .a import f", "search/a.py": "from sudoku_encode import search"}, ["", "a"]),
        ({"search/a.py": "from . import b, state", "search/b.py": "from .state import S", "search/state.py": ""}, None),
    ],
)
def test_circles_found(sources: dict[str, str], members: list[str] | None) -> None:
    """Modules that import each other are found."""
    found = {frozenset(f"sudoku_encode.search.{name}".removesuffix(".") for name in members or ())} - {frozenset()}
    assert circles(sources) == found


def test_restricted_rooms() -> None:
    """What may import less may import only what is below."""
    for room, below in ONLY.items():
        assert all(FLOOR_OF[name.split(".")[0]] < FLOOR_OF[room] for name in below if name != FRONT_DOOR)


def test_front_door_tables() -> None:
    """A table that the front door offers does not import the front door."""
    sources = {"__init__.py": "from .reproduce.table import PAPERS", "reproduce/keck.py": "import sudoku_encode as se"}
    assert circles({**sources, "reproduce/table.py": ""}) == set()

    both = {frozenset(("sudoku_encode", "sudoku_encode.reproduce.table"))}
    assert circles({**sources, "reproduce/table.py": "from sudoku_encode import count"}) == both
    assert circles({**sources, "reproduce/table.py": "from . import keck"}) == {
        frozenset(("sudoku_encode", "sudoku_encode.reproduce.table", "sudoku_encode.reproduce.keck"))
    }


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("papers/jana2023.py", "from sudoku_encode.encoders import encode"),
        ("papers/jana2023.py", "def f():\n    from sudoku_encode.encoders.direct import encoder"),
        ("papers/jana2023.py", "import sudoku_encode.formula.cardinality"),
        ("papers/jana2023.py", "from sudoku_encode.run.limits import Limits"),
        ("papers/jana2023.py", "import sudoku_encode as se"),
        ("reproduce/keck.py", "from sudoku_encode.puzzles.puzzle import Puzzle"),
        ("reproduce/keck.py", "from sudoku_encode import puzzles"),
        ("reproduce/keck.py", "from sudoku_encode.run.events import emit"),
        ("reproduce/keck.py", "import sudoku_encode as se\nse.puzzles.boards.board('9x9')"),
        ("puzzles/geometry.py", "from sudoku_encode.run import child"),
        ("puzzles/puzzle.py", "if True:\n    from sudoku_encode import methods"),
        ("formula/cnf.py", "from ..puzzles.geometry import Geometry"),
        ("formula/dimacs.py", "from sudoku_encode.puzzles.puzzle import Puzzle"),
        ("formula/cardinality.py", "from sudoku_encode import storage"),
        ("encoders/direct.py", "from sudoku_encode.solvers import sat"),
        ("encoders/direct.py", "from ..solvers.sat import solutions"),
        ("encoders/forms/opb.py", "from ...formats.writing import write"),
        ("search/bands.py", "from sudoku_encode.frontier import count"),
        ("formats/reading.py", "from sudoku_encode.formula.cnf import Cnf"),
        ("methods/auto.py", "from sudoku_encode.cli import app"),
        ("proving/making.py", "from sudoku_encode import verifying"),
        ("storage/files.py", "def f():\n    import sudoku_encode.cli"),
        ("errors.py", "from sudoku_encode import *"),
        ("errors.py", "import sudoku_encode"),
        ("puzzles/puzzle.py", "import importlib\nimportlib.import_module('sudoku_encode.methods')"),
        ("puzzles/puzzle.py", "__import__('sudoku_encode.' + 'methods')"),
    ],
)
def test_wrong_import_found(path: str, source: str) -> None:
    """An import that points up or sideways is found."""
    assert len(misplaced(path, source)) == 1


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("papers/jana2023.py", "import numpy as np\nfrom sudoku_encode.puzzles.puzzle import Puzzle"),
        ("papers/jana2023.py", "from sudoku_encode.papers.common import tree\nfrom .common import other"),
        ("papers/jana2023_kernel.py", "from sudoku_encode.run.compiling import compiled"),
        ("reproduce/keck.py", "import sudoku_encode as se\nfrom sudoku_encode.papers import logic\nse.board('9x9')"),
        ("reproduce/keck.py", "from sudoku_encode import count\nfrom sudoku_encode.reproduce import answers"),
        ("encoders/forms/opb.py", "from ..direct import encoder\nfrom ...errors import MethodError"),
        ("solvers/cpsat.py", "from sudoku_encode.encoders.encoding import CpModel"),
        ("storage/files.py", "import importlib\nfor name in 'a', 'b':\n    importlib.import_module(name)"),
        (
            "methods/auto.py",
            "def f():\n    from sudoku_encode.encoders import cp\n    from sudoku_encode import solvers",
        ),
        ("cli/count.py", "from sudoku_encode import __version__, methods\nfrom sudoku_encode.cli import common"),
        ("encoders/direct.py", "import sudoku"),
    ],
)
def test_right_import_accepted(path: str, source: str) -> None:
    """An import that points down is not."""
    assert misplaced(path, source) == []
