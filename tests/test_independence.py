"""Methods of different families share no code, so that their agreement is evidence; and they agree on the papers."""

import gc
import inspect
import sys
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from types import CodeType, FrameType

import pytest
from known import KNOWN, Known, known

import sudoku_encode
from sudoku_encode.errors import Stopped
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.child import stream
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.verifying import CONFIRMED, accepting, verify
from sudoku_encode.verifying.cases import of_known
from sudoku_encode.verifying.running import options

# One complete method of most families for each kind of board; block-world-1 takes longer than all of these together.
ONE_EACH = ("sat", "cp-sat", "jana2023-v1", "gtsps-4.2", "norvig2006", "uhbpnp-tables")
# What two independent methods may share: what a board and a puzzle is, that a puzzle has no constraints, how work is
# run, how to say that a package is missing; and who calls a method.
SHARED = ("errors", "puzzles/", "constraints/lowering", "run/", "solvers/optional", "methods/", "verifying/")
# Of a code object: the body of a function.
OPTIMIZED = inspect.CO_OPTIMIZED
HOME = Path(sudoku_encode.__file__).parent


@pytest.mark.slow
@pytest.mark.parametrize(
    "case", [case for case in KNOWN if case.file.startswith("papers/")], ids=lambda case: case.name
)
def test_every_puzzle_of_the_papers_is_confirmed_by_methods_that_share_no_code(case: Known) -> None:
    (report,) = verify([of_known(case, ONE_EACH)], Limits(seconds=20))
    assert (report.status, report.total) == (CONFIRMED, str(case.count))
    assert len(report.families) >= 3


def executed(method: str, puzzle: Puzzle) -> set[str]:
    """Return the modules of ours of which a method executes a function on a puzzle."""
    called: set[CodeType] = set()

    def watch(frame: FrameType, event: str, argument: object) -> None:
        # Called millions of times while compiled code is loaded: what was called is looked at afterwards.
        if event == "call":
            called.add(frame.f_code)

    def run() -> None:
        chosen = METHODS[method]
        arguments = {**chosen.arguments, **options(chosen).chosen}
        with suppress(Stopped):
            if chosen.lists:
                list(chosen.functions.solutions(puzzle, Deadline(), **arguments))
            else:
                chosen.functions.count(puzzle, Deadline(), **arguments)

    # To compile what it calls takes minutes while every call of the compiler is watched; nothing else is left of this.
    list(stream(lambda: [run()]))  # type: ignore[func-returns-value]
    # A search that another test left half done would run on to be closed while this one is watched.
    gc.collect()
    before = sys.getprofile()
    sys.setprofile(watch)
    try:
        run()
    finally:
        sys.setprofile(before)
    # That a module is loaded, or one of its classes made, shares nothing that could go wrong.
    functions = [code for code in called if code.co_name != "<module>" and code.co_flags & OPTIMIZED]
    files = {Path(code.co_filename) for code in functions}
    modules = {file.relative_to(HOME).with_suffix("").as_posix() for file in files if HOME in file.parents}
    return {module for module in modules if not module.startswith(SHARED)}


def test_methods_of_two_families_execute_no_code_of_each_other() -> None:
    families: dict[str, set[str]] = {}
    for name in ("small/4x4-four-givens.txt", "small/4x4x4-three-givens.json"):
        puzzle = known(name).puzzle
        for method in accepting(puzzle):
            families.setdefault(METHODS[method].family, set()).update(executed(method, puzzle))
    # One needs an optional package.
    assert len(families) >= 9
    for one, other in combinations(families, 2):
        assert families[one] & families[other] == set(), f"{one} and {other}"
    assert "encoders/direct" in families["sat"]
    assert "papers/gtsps4" in families["tree"]
