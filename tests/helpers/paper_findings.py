"""What the tests of the papers' pages share: findings made with little work, each once in a run of the tests."""

import fcntl
import pickle
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import pytest
from _pytest.mark import ParameterSet

from sudoku_encode.reproduce import PAPERS, paper
from sudoku_encode.reproduce.finding import Finding, Table, Work
from sudoku_encode.reproduce.gtsps import compared, solutions
from tests.helpers import cpu_seconds

T = TypeVar("T")
SMALL = {
    "jana2023": Work(puzzles=4, seconds=0.02),
    "gtsps": Work(puzzles=2, seconds=0.5),
    "wadud": Work(puzzles=4, seconds=0.5),
    "block-world": Work(puzzles=8, seconds=0.5),
    "keck": Work(puzzles=10, seconds=1.0),
    "open": Work(puzzles=10, seconds=1.0),
}
# The constants that limit the work of checks which no `Work` limits.
CONSTANTS = {"sorting_by_count": ("sudoku_encode.reproduce.jana2023.example.MAX_NODES", 1_000)}
# The checks that take more than a third of a second: what needs them is marked `slow`.
COSTLY = {
    *("algorithm_1", "algorithm_2", "algorithm_2_as_printed", "bounds_of_the_proof", "combinations_of_layers"),
    *("cycles_and_solutions",),
    *("easier_than_9x9", "fewest_givens_of_a_cube", "fewest_givens_of_a_latin_cube", "guessed_free"),
    *("latin_cubes_are_drawn_unevenly", "more_solutions_cost_nothing", "most_of_a_scan_is_redundant"),
    *("number_of_grids", "one_vertex_of_each_minigrid", "other_rooks_graphs", "other_sizes", "placements_of_a_value"),
    *(
        "cubes_of_rule_sets",
        "cubes_that_fall_apart",
        "minimal_cubes",
        "powers_of_two",
        "reduction_leaves_the_solution",
        "redundant_permutations",
        "rules_of_the_pictures",
    ),
    *("search_tree_of_2021", "slowest_puzzle", "sorting_by_count", "the_combination_is_better", "the_ten_ai_puzzles"),
    *("times", "two_solutions", "who_tells_validity"),
}
# The first and the third of the puzzles without a solution take some methods seconds.
QUICKLY_REFUTED = [solutions.without_solution()[at] for at in (1, 3, 4, 5)]
CHECKS = {key: {check.__name__: check for check in paper(key).checks} for key in PAPERS}


# Where the workers of a run leave findings for each other; see conftest.
folder: Path | None = None


def cases(rows: Iterable[tuple[Any, ...]]) -> list[ParameterSet]:
    """Mark the cases `slow` that name a costly check."""
    return [
        pytest.param(
            *row, marks=[pytest.mark.slow] if any(one in COSTLY for one in row if isinstance(one, str)) else []
        )
        for row in rows
    ]


def check(key: str, name: str) -> Finding:
    """Make a finding with little work."""
    with pytest.MonkeyPatch.context() as patch:
        if name in CONSTANTS:
            patch.setattr(*CONSTANTS[name])
        patch.setattr(compared, "without_solution", lambda: QUICKLY_REFUTED)
        return CHECKS[key][name](SMALL[key])


@cache
def finding(key: str, name: str) -> Finding:
    return once(f"{key}-{name}", lambda: check(key, name))


def run_folder() -> Path:
    """Return the folder of this run, which all workers have."""
    assert folder is not None
    return folder


def once(name: str, make: Callable[[], T]) -> T:
    """Return what a function makes, or what another worker of this run has made and left under the name."""
    with Path(run_folder(), name).open("a+b") as file:
        # Another worker may be at it: then it is waited for.
        fcntl.flock(file, fcntl.LOCK_EX)
        file.seek(0)
        if data := file.read():
            left: T = pickle.loads(data)
            return left
        with cpu_seconds.making_shared():
            made = make()
        file.write(pickle.dumps(made))
        return made


def verdict(key: str, name: str) -> str:
    """The verdict of a check that is made now: for a test that has changed what the paper says."""
    return check(key, name).verdict


def table(key: str, name: str) -> Table:
    """The table of a finding that has one."""
    found = finding(key, name).table
    assert found is not None
    return found
