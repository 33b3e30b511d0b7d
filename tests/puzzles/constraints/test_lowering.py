"""Many puzzles with constraints: what they share is made once, and the answers are those of each by itself."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from sudoku_encode import Limits, Puzzle, board
from sudoku_encode.methods import limited_calls
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.constraints.lowering import is_quick
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import are_wrong, violations
from sudoku_encode.search import loading
from sudoku_encode.search.state import AnyState, any_state


def _killers() -> list[Puzzle]:
    """Return puzzles with cages of 2x2 cells and one of two cells."""
    return [
        Puzzle.of(board("4x4"), constraints=[f"cage {total} r1c1 r1c2", "cage r2c2 r2c3 r3c2 r3c3"])
        for total in range(3, 8)
    ]


def test_search_loaded_before_fork() -> None:
    """Compiled search is loaded before the processes that need it."""
    for name in ("search", "auto"):
        loading._load_constrained()
        loading._load_constrained.cache_clear()
        found = limited_calls.count_each(enumerate(_killers()), name, Limits(), Options())
        # All pairs of values have as many solutions, by exchanging values, and 5 is the sum of two pairs.
        assert [count.value for _, count, _ in found] == [28, 28, 56, 28, 28]
        assert loading._load_constrained.cache_info().currsize == 1


def test_hidden_cells_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """A small puzzle with hidden cells is searched in this process, whatever limit on time it has."""
    loading._load_constrained()
    monkeypatch.delattr(limited_calls, "count_each")
    constraints = ["full-rank 10 r1c1-r4c1", "greater h1 r1c1"]
    puzzle = Puzzle.of(board("4x4"), constraints=constraints)
    for limits in (Limits(seconds=60), Limits(seconds=60, solutions=5)):
        assert limited_calls.count(puzzle, "auto", limits).value == (limits.solutions or 9)


@pytest.mark.parametrize(("other", "quick"), [("values 1 r2c", True), ("anti-knight & values 1 r2c", False)])
def test_quick_alternatives(other: str, quick: bool) -> None:
    """Alternatives count with the cells that they name, and with all cells if one of them names none."""
    eithers = [f"either values 1 r1c{column} | {other}{column}" for column in range(1, 10)]
    assert is_quick(Puzzle.of(board("9x9"), constraints=eithers)) == quick


def _derived(made: Geometry) -> list[object]:
    """Return what is derived of a board, as plain lists."""
    peers, starts = made.peer_table
    every: list[NDArray[Any]] = [made.units_of_cells, made.edges, *made.peers, peers, starts]
    return [(array.dtype.kind, array.dtype.itemsize, array.tolist()) for array in every]


def _more_rules(made: Geometry) -> list[Rule]:
    """Return rules at random: units of one size that share no cell, some of whose pairs are peers already."""
    random, n = np.random.default_rng(made.n_cells), made.n_cells
    sizes = [(size, random.integers(1, n // size + 1)) for size in (2, 3, min(n, made.n_values), 2, 1)]
    return [Rule("cage", random.permutation(n)[: size * m].astype(np.int32).reshape(m, size)) for size, m in sizes]


@pytest.mark.parametrize(
    "name",
    ["4x4", "9x9", "9x9+diagonals", "6x6:2x3", "latin:4x6:7", "4x4x4", "9x9x9", "corner:4", "samurai", "25x25"],
)
def test_derived_board(name: str) -> None:
    """What is derived of a board with more rules is as without the board before."""
    base = board(name)
    rules = _more_rules(base)
    plain = replace(base, rules=(*base.rules, *rules))
    assert plain.base is None
    more = base.with_more(rules)
    assert more == plain
    assert more.base is base
    assert _derived(more) == _derived(plain)
    # In two steps as well, and not where rules are left out again.
    assert _derived(base.with_more(rules[:2]).with_more(rules[2:])) == _derived(plain)
    assert more.with_rules([base.rules[0].name]).base is None
    assert _derived(base.with_more([])) == _derived(base)
    for cells in _random_groups(base.n_cells):
        within = any(set(cells) <= set(unit) for rule in plain.rules for unit in rule.units.tolist())
        assert more.differ(cells) == plain.differ(cells) == within


def _random_groups(n_cells: int) -> list[list[int]]:
    """Return groups of one to three cells."""
    random = np.random.default_rng(1)
    return [random.integers(n_cells, size=size).tolist() for size in (1, 2, 3) for _ in range(50)]


@pytest.mark.parametrize("name", ["4x4", "9x9", "9x9+windoku", "6x6:2x3", "4x4x4"])
def test_search_on_derived_board(name: str) -> None:
    """A search starts the same on a board with more rules."""
    base = board(name)
    rules = _more_rules(base)
    plain = replace(base, rules=(*base.rules, *rules))
    masks = np.arange(base.n_cells, dtype=np.int64)
    derived, alone = any_state(base.with_more(rules), masks), any_state(plain, masks)
    assert np.array_equal(derived.few.units, alone.few.units)
    for field in set(AnyState._fields) - {"few"}:
        found, wanted = getattr(derived, field), getattr(alone, field)
        assert (found.dtype, found.shape) == (wanted.dtype, wanted.shape), field
        if field in ("units", "sizes", "needed", "units_of_cell", "peers", "starts", "ends", "every", "counts"):
            assert np.array_equal(found, wanted), field


def test_single_grid_check() -> None:
    """A single grid is checked as by the definition."""
    text = "534678912672195348198342567859761423426853791713924856961537284287419635345286179"
    solution = np.array(list(text), np.uint8)
    swapped = solution.copy()
    swapped[:2] = solution[1::-1]
    kept, broken = ["cage 8 r1c1 r1c2", "thermometer r1c2 r1c3"], "thermometer r1c3 r1c2"
    for constraints, wrong in ((kept, [False, True]), ([*kept, broken], [True, True]), ([], [False, True])):
        puzzle = Puzzle.of(board("9x9"), constraints=constraints)
        for grid, is_wrong in zip((solution, swapped), wrong, strict=True):
            assert are_wrong(puzzle, grid[None]).tolist() == [is_wrong]
            assert bool(list(violations(puzzle, grid))) == is_wrong
        assert are_wrong(puzzle, np.stack([solution, swapped] * 5)).tolist() == wrong * 5
