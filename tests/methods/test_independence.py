"""Methods of different families share no code, so that their agreement is evidence; and they agree on the papers."""

import gc
import inspect
import sys
from collections.abc import Iterable
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from types import CodeType, FrameType

import pytest

import sudoku_encode
from sudoku_encode import board
from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.constraints.lowering import forget
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.child import stream
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.verifying import CONFIRMED, accepting, verify
from sudoku_encode.verifying.cases import of_known
from sudoku_encode.verifying.running import options
from tests.helpers.known_puzzles import KNOWN, KnownCount, is_one_of_many, known

# One complete method of most families for each kind of board; block-world-1 takes longer than all of these together.
ONE_EACH = ("sat", "cp-sat", "jana2023-v1", "gtsps-4.2", "norvig2006", "uhbpnp-tables")
# What two independent methods may share: what a board and a puzzle is, that a puzzle has no constraints, how work is
# run, how to say that a package is missing; and who calls a method.
SHARED = ("errors", "puzzles/", "run/", "solvers/table", "methods/", "verifying/")
# Of methods that take constraints the kinds and their lowering are compared too, without what all kinds are made of.
CONSTRAINTS, OF_ALL_KINDS = "puzzles/constraints/", ("constraint", "parsing", "table")
# Of a code object: the body of a function.
OPTIMIZED = inspect.CO_OPTIMIZED
HOME = Path(sudoku_encode.__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [case for case in KNOWN if case.file.startswith("papers/") and not is_one_of_many(case)],
    ids=lambda case: case.name,
)
def test_papers_confirmed(case: KnownCount) -> None:
    """Puzzles of the papers are confirmed by methods that share no code."""
    (report,) = verify([of_known(case, ONE_EACH)], Limits(seconds=600))
    assert (report.status, report.total) == (CONFIRMED, str(case.count))
    assert len(report.families) >= 3


def executed(method: str, puzzle: Puzzle) -> set[str]:
    """Return the modules of ours of which a method executes a function on a puzzle, without those that are shared."""
    modules = {module for module, _ in functions_executed(method, puzzle)}
    return {module for module in modules if not module.startswith(SHARED)}


def run(method: str, puzzle: Puzzle) -> None:
    """Find all solutions of a puzzle by a method."""
    chosen = METHODS[method]
    arguments = {**chosen.arguments, **options(chosen).chosen}
    with suppress(StoppedError):
        if chosen.lists:
            list(chosen.functions.solutions(puzzle, Deadline(), **arguments))
        else:
            chosen.functions.count(puzzle, Deadline(), **arguments)


def compile_first(methods: Iterable[str], puzzle: Puzzle) -> None:
    """Compile what methods call: to do it takes minutes while every call of the compiler is watched."""
    # In a process of its own, so that nothing else is left of this.
    list(stream(lambda: [run(method, puzzle) for method in methods]))  # type: ignore[func-returns-value]


def functions_executed(method: str, puzzle: Puzzle) -> set[tuple[str, str]]:
    """Return the functions of ours that a method executes on a puzzle, each with its module."""
    called: set[CodeType] = set()

    def watch(frame: FrameType, event: str, argument: object) -> None:
        # Called millions of times while compiled code is loaded: what was called is looked at afterwards.
        if event == "call":
            called.add(frame.f_code)

    # A search that another test left half done would run on to be closed while this one is watched.
    gc.collect()
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        run(method, puzzle)
    finally:
        sys.setprofile(before)
    # That a module is loaded, or one of its classes made, shares nothing that could go wrong.
    functions = [code for code in called if code.co_name != "<module>" and code.co_flags & OPTIMIZED]
    ours = [code for code in functions if HOME in Path(code.co_filename).parents]
    return {
        (
            Path(code.co_filename).relative_to(HOME).with_suffix("").as_posix(),
            code.co_qualname.partition(".<locals>")[0],
        )
        for code in ours
    }


@pytest.mark.slow
def test_no_shared_code() -> None:
    """Methods of two families execute no code of each other."""
    families: dict[str, set[str]] = {}
    for name in ("small/4x4-four-givens.txt", "small/4x4x4-three-givens.json"):
        puzzle = known(name).puzzle
        methods = [*accepting(puzzle)]
        compile_first(methods, puzzle)
        for method in methods:
            families.setdefault(METHODS[method].family, set()).update(executed(method, puzzle))
    # One needs an optional package.
    assert len(families) >= 9
    for one, other in combinations(families, 2):
        assert families[one] & families[other] == set(), f"{one} and {other}"
    assert "encoders/direct" in families["sat"]
    assert "papers/gtsps4" in families["tree"]


# Kinds whose definitions share no helper with what they are lowered to, as some do (which cells are neighbours).
CONSTRAINED = (
    "cage 7 r1c1 r2c2 r3c3",
    "sum 6 r1c4 r2c3",
    "quadruple 2 r4c1 r3c2",
    "difference 1 r1c1 r1c2",
    "renban r2c1-r2c3",
)


def is_own(module: str) -> bool:
    """Check whether methods that take constraints should have a module for themselves."""
    if module.startswith(CONSTRAINTS):
        return module.removeprefix(CONSTRAINTS) not in OF_ALL_KINDS
    return not module.startswith(SHARED)


@pytest.mark.slow
def test_constraints_and_definitions() -> None:
    """Families that take constraints share what these are lowered to and definitions share nothing."""
    puzzle = Puzzle.of(board("4x4"), constraints=CONSTRAINED)
    families: dict[str, set[tuple[str, str]]] = {}
    methods = {METHODS[name].family: name for name in accepting(puzzle, METHODS)}
    compile_first(methods.values(), puzzle)
    for family, method in methods.items():
        # What is lowered is kept for the next one, which would execute nothing of it then.
        forget()
        families[family] = {one for one in functions_executed(method, puzzle) if is_own(one[0])}
    assert set(families) == {"sat", "cp-sat", "search", "definitions"}
    assert families["definitions"] == {
        (f"{CONSTRAINTS}{file}", f"{kind}.violated")
        for file, kind in (
            ("sums", "Cage"),
            ("sums", "Sum"),
            ("sets", "Quadruple"),
            ("lines", "Renban"),
            ("pairs", "Difference"),
        )
    }
    for one, other in combinations(families, 2):
        shared = {module for module, _ in families[one] & families[other]}
        lowering = {module for module in shared if module.startswith(CONSTRAINTS)}
        if "definitions" in (one, other):
            assert shared == set(), f"{one} and {other}"
            continue
        assert f"{CONSTRAINTS}lowering" in lowering
        # CP-SAT is given automata as clauses, since its own repeat solutions.
        as_clauses = {"encoders/constraint_clauses", "encoders/region_clauses", "formula/cnf"}
        automata = as_clauses if {one, other} == {"sat", "cp-sat"} else set()
        assert shared - lowering == automata, f"{one} and {other}"
