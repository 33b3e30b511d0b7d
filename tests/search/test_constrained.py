"""`search` and `definitions` on puzzles with constraints: what they find is what the definitions allow."""

import warnings
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import accumulate, permutations, product, repeat
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import sudoku_encode as se
from sudoku_encode import Puzzle, board
from sudoku_encode.errors import FormatError, InternalError
from sudoku_encode.methods import calls, in_parts, turns
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle, lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import (
    NEVER,
    Automaton,
    Clause,
    Count,
    CutLine,
    EachClass,
    EqualSums,
    EqualWhere,
    IndexedLine,
    Primitive,
    Relation,
    SameCounts,
    Sum,
    SumBetween,
    Visible,
    automaton,
    bounded_total,
    relation,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.run.limits import Limits
from sudoku_encode.search import advance, constrained, constrained_kernel, count, finished, parallel, run
from sudoku_encode.search.any_kernel import undo
from sudoku_encode.search.constrained import constrained_state
from sudoku_encode.search.part import split
from sudoku_encode.search.probes import estimate
from sudoku_encode.search.state import (
    AGAIN,
    ASKED,
    AUTOMATON,
    BOUNDS,
    CLAUSE,
    COUNTS,
    CUT_LINE,
    DISTINCT,
    EACH_CLASS,
    GUESSED,
    GUESSES,
    INDEXED_LINE,
    RELATION,
    SAME_COUNTS,
    SETS,
    SUM_BETWEEN,
    SUMS,
    TRAIL,
    VISIBLE,
    WEIGHT,
    ConstrainedState,
)
from tests.helpers.command import Command
from tests.helpers.constraint_cases import Case, all_cases, identified, puzzle_of
from tests.helpers.constraint_grids import SMALL, allowed_grids, grids_of
from tests.helpers.solution_sets import never

Row = tuple[int, ...]
VARIANTS = Path(__file__).parents[2] / "instances" / "variants" / "iss.txt"


@cache
def variants() -> list[Puzzle]:
    with warnings.catch_warnings():
        # Of a region or a cage that is not what it looks like.
        warnings.simplefilter("ignore")
        return [puzzle for puzzle in se.read_all(VARIANTS) if isinstance(puzzle, Puzzle)]


@cache
def solutions_of_board(name: str) -> list[Row]:
    """Return all solutions of an empty board, by a method that this module does not test."""
    return grids_of(Puzzle.of(board(name)), "norvig2006")


# Cases with more grids are left to `test_constraints`, which compares them with what `sat` finds.
MOST_GRIDS = 100_000


def n_small_grids(case: Case) -> int:
    """Return in how many ways the cells of a small board are filled; of a board whose grids are listed 0."""
    return int(case[1] ** puzzle_of(case).geometry.n_cells) if case in SMALL else 0


def marked(cases: list[Case]) -> list[Any]:
    """Mark those whose grids take longer to find than most."""
    return [pytest.param(case, marks=pytest.mark.slow) if n_small_grids(case) > 5000 else case for case in cases]


# Those of seven cells come last: `definitions` takes long for them.
CASES = sorted(all_cases(), key=lambda case: case[0] == "1x7")


@lru_cache(maxsize=2)
def expected(case: Case) -> list[Row]:
    """Return the grids of a board that break no definition, sorted."""
    puzzle = puzzle_of(case)
    if case in SMALL:
        return sorted(grids_of(puzzle, "sat") if n_small_grids(case) > MOST_GRIDS else allowed_grids(puzzle))
    grids = solutions_of_board(case[0])
    return sorted(grid for grid in grids if not any(here.violated(grid) for here in puzzle.placed))


# Cases with the scope of the module come one after the other, each in three tests: so its grids are found once.
@pytest.mark.parametrize("case", marked(CASES), ids=identified, scope="module")
def test_same_as_definitions(case: Case) -> None:
    """Search finds the grids that break no definition."""
    puzzle, grids = puzzle_of(case), expected(case)
    # Sorted, not as sets: each comes once.
    assert sorted(grids_of(puzzle, "search")) == grids
    assert se.count(puzzle, "search").value == len(grids)


@pytest.mark.parametrize("case", marked(CASES), ids=identified, scope="module")
def test_resumed(case: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    """A search that begins anew again and again finds each grid once."""
    # After two, four, eight ... propagators: all that are late take part.
    monkeypatch.setattr(constrained, "_SOON", 1)
    assert sorted(grids_of(puzzle_of(case), "search")) == expected(case)


@pytest.mark.parametrize("case", marked([case for case in CASES if case[0] != "1x7"]), ids=identified, scope="module")
def test_definitions_method(case: Case) -> None:
    """The method definitions finds the grids that break no definition."""
    puzzle, grids = puzzle_of(case), expected(case)
    assert sorted(grids_of(puzzle, "definitions")) == grids


def rows_of(
    n: int,
    cells: int,
    primitives: Sequence[Primitive],
    marks: list[list[int]] | None = None,
    units: Sequence[Row] = (),
    soon: int | None = None,
) -> list[Row]:
    """Return what `search` finds in a row of cells, by primitives themselves."""
    rules = tuple(Rule(f"unit {number}", np.array([unit], np.int32)) for number, unit in enumerate(units))
    geometry = Geometry("row", (1, cells), n, rules)
    candidates = None
    if marks is not None:
        candidates = np.zeros((cells, n), bool)
        for cell, values in enumerate(marks):
            candidates[cell, [value - 1 for value in values]] = True
    state = constrained_state(LoweredPuzzle.of(Puzzle.of(geometry, pencilmarks=candidates), tuple(primitives)))
    if soon is not None:
        state.propagators.progress[AGAIN] = soon
    found: list[Row] = []
    out = np.empty((3, cells), np.uint8)
    while not finished(state):
        found += map(tuple, out[: advance(state, out)].tolist())
    return sorted(found)


def holds(primitive: Primitive, row: Row) -> bool:  # noqa: PLR0912  -- a branch for each class
    """Return whether a primitive holds, as its docstring says."""
    match primitive:
        case Clause(literals):
            return any((row[cell] == abs(value)) == (value > 0) for cell, value in literals)
        case Relation(first, second, allowed):
            return bool(allowed[row[first] - 1] >> row[second] - 1 & 1)
        case Sum(cells, coefficients, amount, _):
            return sum(row[cell] * factor for cell, factor in zip(cells, coefficients, strict=True)) == amount
        case EqualSums(parts):
            return len({sum(row[cell] for cell in part) for part in parts}) == 1
        case Automaton(cells, layers):
            states = {0}
            for cell, layer in zip(cells, layers, strict=True):
                states = {after for state, value, after in layer if state in states and value == row[cell]}
            return bool(states)
        case Count(cells, value, numbers):
            return bool(numbers >> [row[cell] for cell in cells].count(value) & 1)
        case SameCounts(parts):
            return len({tuple(sorted(row[cell] for cell in part)) for part in parts}) == 1
        case SumBetween(cells, ends, least, most):
            line = [row[cell] for cell in cells]
            first, last = (
                sorted(map(line.index, ends or (min(line), max(line)))) if {*(ends or ())} <= {*line} else (0, 0)
            )
            are_once = not ends or line.count(ends[0]) == line.count(ends[1]) == 1
            return are_once and least <= sum(line[first + 1 : last]) <= most
        case Visible(cells, least, most):
            line = [row[cell] for cell in cells]
            return least <= sum(value > max(line[:at], default=0) for at, value in enumerate(line)) <= most
        case CutLine(cells, total, is_loop):
            line = [row[cell] for cell in cells]
            turned = [line[at:] + line[:at] for at in range(len(line) if is_loop else 1)]
            ends_of = [set(accumulate(values)) for values in turned]
            return sum(line) % total == 0 and any({*range(total, sum(line), total)} <= ends for ends in ends_of)
        case EqualWhere(cell, pairs, value):
            return all(row[first] != value or row[second] == row[cell] for first, second in pairs)
    assert isinstance(primitive, (EachClass, IndexedLine))
    if isinstance(primitive, EachClass):
        return all(any(values >> row[cell] - 1 & 1 for cell in primitive.cells) for values in primitive.classes)
    cells, place = primitive.cells, primitive.place
    return all((row[cells[place - 1]] == at) == (row[cell] == place) for at, cell in enumerate(cells, 1))


_N, _CELLS = 4, 4
RANDOM_CLUES = (
    "count",
    "same counts",
    "sum between",
    "visible",
    "cut line",
    "each class",
    "indexed line",
    "equal where",
)


def random_primitive(rng: Random) -> Primitive:
    """Return any primitive over few cells, also one in which a cell comes again."""
    some = rng.choices(range(_CELLS), k=rng.randint(1, 5))
    different = rng.sample(range(_CELLS), rng.randint(2, _CELLS))
    least = rng.randint(0, 3)
    match rng.choice(["clause", "relation", "sum", "equal sums", "automaton", *RANDOM_CLUES]):
        case "count":
            return Count(tuple(different), rng.randint(1, _N), rng.randrange(1, 2 << len(different)))
        case "same counts":
            return SameCounts((tuple(different[0::2][: len(different) // 2]), tuple(different[1::2])))
        case "sum between":
            ends = rng.sample(range(1, _N + 1), 2)
            return SumBetween(tuple(different), (ends[0], ends[1]), least, least + rng.randint(0, 3))
        case "visible":
            return Visible(tuple(some), least, least + rng.randint(0, 2))
        case "each class":
            ends = rng.choices(range(1 << _N), k=2)
            return EachClass(tuple(different), (ends[0], ends[1] & ~ends[0], (1 << _N) - 1 & ~(ends[0] | ends[1])))
        case "indexed line":
            return IndexedLine(tuple(rng.sample(range(_CELLS), _N)), rng.randint(1, _N))
        case "equal where":
            first, second, third = rng.sample(range(_CELLS), 3)
            return EqualWhere(first, ((second, third),), rng.randint(1, _N))
        case "cut line":
            return CutLine(tuple(some), rng.randint(1, 6), rng.random() < 0.5)
        case "clause":
            return Clause(tuple((cell, rng.choice([1, -1]) * rng.randint(1, _N)) for cell in some))
        case "relation":
            return Relation(different[0], different[1], tuple(rng.randrange(1 << _N) for _ in range(_N)))
        case "sum":
            factors = [rng.choice([-10, -2, -1, 1, 1, 3, 30]) for _ in different]
            amount = sum(factor * rng.randint(1, _N) for factor in factors)
            return Sum(tuple(different), tuple(factors), amount)
        case "equal sums":
            parts = [rng.choices(range(_CELLS), k=rng.randint(1, 4)) for _ in range(rng.randint(2, 3))]
            return EqualSums(tuple(map(tuple, parts)))
    steps = [[rng.choice([0, 1, 2, None]) for _ in range(_N)] for _ in range(3)]
    return automaton(some, _N, 0, lambda state, value: steps[state][value - 1], lambda state: state != 1)


@pytest.mark.parametrize("seed", range(10))
def test_propagators(seed: int) -> None:
    """Any primitives leave the rows in which they hold."""
    rng = Random(seed)
    every = list(product(range(1, _N + 1), repeat=_CELLS))
    found = []
    for _ in range(20):
        wanted = [random_primitive(rng) for _ in range(rng.randint(1, 3))]
        rows = [row for row in every if all(holds(primitive, row) for primitive in wanted)]
        assert rows_of(_N, _CELLS, wanted) == rows, wanted
        found.append(len(rows))
    # These cases are not all alike.
    assert 0 in found
    assert max(found) > 10


@pytest.mark.parametrize("soon", [1, 1 << 40])
@pytest.mark.parametrize("seed", range(8))
def test_propagators_with_units(seed: int, soon: int) -> None:
    """Any primitives leave the rows in which they hold and the cells of units differ."""
    rng = Random(seed)
    every = list(product(range(1, _N + 1), repeat=_CELLS))
    found = []
    for _ in range(20):
        units = [tuple(rng.sample(range(_CELLS), rng.randint(2, _CELLS))) for _ in range(rng.randint(1, 2))]
        wanted = [random_primitive(rng) for _ in range(rng.randint(1, 3))]
        rows = [
            row
            for row in every
            if all(len({row[cell] for cell in unit}) == len(unit) for unit in units)
            and all(holds(primitive, row) for primitive in wanted)
        ]
        assert rows_of(_N, _CELLS, wanted, units=units, soon=soon) == rows, (units, wanted)
        found.append(len(rows))
    assert 0 in found
    assert max(found) > 5


def counting(cells: Sequence[int], n: int, value: int, numbers: Sequence[int]) -> Primitive:
    return automaton(cells, n, 0, lambda seen, held: seen + (held == value), lambda seen: seen in numbers)


@pytest.mark.parametrize("soon", [1, 1 << 40])
@pytest.mark.parametrize("seed", range(4))
def test_counted_values(seed: int, soon: int) -> None:
    """Values that come one of some numbers of times are counted."""
    rng = Random(seed)
    n, n_cells, sizes, kinds = 3, 6, [], set()
    every = list(product(range(1, n + 1), repeat=n_cells))
    for _ in range(12):
        units = [tuple(rng.sample(range(n_cells), rng.randint(2, 3))) for _ in range(rng.randint(0, 2))]
        cells = rng.sample(range(n_cells), rng.randint(3, n_cells))
        numbers = {value: rng.sample(range(len(cells) + 1), 3) for value in range(1, n + 1)}
        wanted = [
            counting(cells, n, value, numbers[value]) for value in rng.sample(range(1, n + 1), rng.choice([2, 3]))
        ]
        rows = [
            row
            for row in every
            if all(len({row[cell] for cell in unit}) == len(unit) for unit in units)
            and all(holds(primitive, row) for primitive in wanted)
        ]
        assert rows_of(n, n_cells, wanted, units=units, soon=soon) == rows, (units, wanted)
        sizes.append(len(rows))
        state = constrained_state(LoweredPuzzle.of(Puzzle.of(Geometry("row", (1, n_cells), n, ())), tuple(wanted)))
        kinds |= set(state.propagators.kinds.tolist())
    assert max(sizes) > 5
    assert kinds == {COUNTS, AUTOMATON}


def test_counts_before_guess() -> None:
    """What the numbers of values leave to cells is known before a guess."""
    n, cells = 5, (0, 1, 2, 3, 4, 5)
    rules = (Rule("unit", np.array([(0, 1), (2, 3), (4, 5)], np.int32)),)
    wanted = tuple(counting(cells, n, value, (0, value)) for value in range(1, n + 1))
    rows = [
        row
        for row in product(range(1, n + 1), repeat=6)
        if all(row.count(value) in (0, value) for value in range(1, n + 1))
        and all(row[at] != row[at + 1] for at in (0, 2, 4))
    ]
    left = [{row[cell] for row in rows} for cell in range(6)]
    # One, two and three of 1, 2 and 3; never 4 or 5 of another one, since there are three pairs that differ.
    assert left == [{1, 2, 3}] * 6
    state = constrained_state(LoweredPuzzle.of(Puzzle.of(Geometry("row", (1, 6), n, rules)), wanted))
    # The greatest is in every pair, but not yet in a cell.
    assert after_asking(state) == left


@pytest.mark.parametrize(
    "lines",
    [
        ("weighted-sum 7 1 2 r1c1 r1c2", "weighted-sum 7 1 2 r1c3 r1c1"),
        ("weighted-sum 7 1 2 r1c1 r1c2", "weighted-sum 9 1 2 r2c2 r3c3", "weighted-sum 9 1 2 r4c4 r3c3"),
        ("sum 5 r1c1 r1c2", "sum 2 r2c4 r3c1"),
    ],
)
def test_templates_on_other_cells(lines: tuple[str, ...]) -> None:
    """Constraints that differ only in their cells hold where these are in another order, or need not differ."""
    puzzle = Puzzle(board("4x4"), constraints=lines)
    grids = [grid for grid in solutions_of_board("4x4") if not any(one.violated(grid) for one in puzzle.placed)]
    assert grids
    assert sorted(grids_of(puzzle, "search")) == sorted(grids)


CLUES: list[tuple[Primitive, int, list[list[int]], bool]] = [
    (SameCounts(((0, 1), (2, 3))), 4, [[1, 2, 3], [1, 3], [1, 2, 4], [1, 4]], False),
    (SameCounts(((0, 1), (2, 3))), 3, [[2], [1, 3], [1, 2, 3], [1, 3]], False),
    (SameCounts(((0, 1), (2, 3), (4, 5))), 5, [[1, 2], [3, 4], [2, 5], [3, 4, 5], [1, 2, 3], [4]], False),
    (Count((0, 1, 2, 3), 2, 0b1001), 3, [[1, 2], [1, 3], [2], [2, 3]], False),
    (Count((0, 1, 2, 3), 2, 0b100), 3, [[2], [1, 2, 3], [2], [1, 2, 3]], False),
    (Visible(tuple(range(6)), 2, 2), 6, [[1, 2, 3, 4, 5, 6]] * 6, True),
    (Visible(tuple(range(6)), 5, 5), 6, [[1, 2, 3, 4, 5, 6]] * 6, True),
    (Visible((0, 1, 2, 3), 1, 1), 5, [[1, 2, 4], [2, 3, 5], [1, 5], [2, 3, 4, 5]], False),
    (CutLine((0, 1, 2, 3), 7, False), 6, [[1, 2, 3], [3, 4, 5], [1, 2, 4], [3, 5, 6]], False),
    (CutLine((0, 1, 2, 3), 7, True), 5, [[1, 2, 3], [2, 3, 4, 5], [4, 5], [1, 5]], False),
    (SumBetween(tuple(range(6)), (1, 6), 14, 14), 6, [[1, 2, 3, 4, 5, 6]] * 6, True),
    (SumBetween(tuple(range(6)), (1, 6), 5, 5), 6, [[1, 2, 6], [2, 3], [1, 3, 6], [1, 4, 6], [3, 5], [4, 5, 6]], True),
    (SumBetween(tuple(range(5)), (2, 5), 9, 10), 6, [[1, 5], [2, 4, 6], [3, 6], [1, 4, 5], [2, 3]], True),
    (SumBetween(tuple(range(5)), None, 4, 4), 6, [[3, 4], [1, 2, 6], [4], [5, 6], [3, 5]], True),
    (EachClass((0, 1, 2), (0b11, 0b1100)), 5, [[1, 5], [3, 5], [5]], False),
    (EachClass((0, 1, 2, 3), (0b1, 0b10, 0b100)), 4, [[1, 2, 4], [2, 3, 4], [1, 3, 4], [4]], True),
    (EachClass((0, 1, 2, 3, 4), (1, 2, 4, 8, 16)), 5, [[1, 2], [3, 4], [4, 6], [1, 5], [2, 5, 6]], False),
    (IndexedLine((0, 1, 2, 3), 2), 4, [[1, 2, 3], [1, 2, 3, 4], [1, 2, 4], [3, 4]], False),
    (IndexedLine((0, 1, 2, 3), 2), 4, [[1, 2], [1, 3, 4], [1, 4], [1, 2, 4]], False),
    (EqualWhere(0, ((1, 2), (3, 4)), 2), 4, [[1, 3, 4], [2], [1, 3], [1, 2], [2, 4]], False),
    (EqualWhere(0, ((1, 2), (3, 4)), 2), 4, [[1, 3], [1, 2], [2, 4], [1, 2], [1, 3]], False),
    (SumBetween(tuple(range(4)), None, 9, 9), 6, [[1, 2, 3, 4, 5, 6]] * 4, True),
]


@pytest.mark.parametrize("clue", CLUES, ids=lambda clue: str(clue[0]))
def test_clues_before_guess(clue: tuple[Primitive, int, list[list[int]], bool]) -> None:
    """What a clue leaves to the cells is known before a guess."""
    wanted, n, marks, differ = clue
    rows = [row for row in product(*marks) if holds(wanted, row) and (not differ or len(set(row)) == len(row))]
    expected = [{row[cell] for row in rows} for cell in range(len(marks))]
    assert any(len(values) < len(marked) for values, marked in zip(expected, marks, strict=True))
    units = (Rule("all", np.array([range(len(marks))], np.int32)),) if differ else ()
    candidates = np.array([[value in values for value in range(1, n + 1)] for values in marks])
    puzzle = Puzzle.of(Geometry("row", (1, len(marks)), n, units), pencilmarks=candidates)
    state = constrained_state(LoweredPuzzle.of(puzzle, (wanted,)))
    # So little work ends before the first guess.
    constrained_kernel.run(state, np.empty((0, len(marks)), np.uint8), 1, 1)
    assert not state.counts[GUESSES]
    assert [set(values_in(mask)) for mask in state.board.masks.tolist()] == expected


@pytest.mark.parametrize(
    ("wanted", "marks"),
    [
        # All sets of the sum have 1; two places of 2 in a unit; 3 in one of two cells; as many 1 as groups.
        ([Sum((0, 1), (1, 1), 4, True)], {}),
        ([], {2: [1, 3, 4], 3: [1, 3, 4]}),
        ([EachClass((0, 1), (0b100,))], {}),
        ([Count((0, 1), 1, 0b10)], {}),
    ],
)
def test_common_peers(wanted: list[Primitive], marks: dict[int, list[int]]) -> None:
    """A value that one of some cells must hold is taken from the cells that differ from all its places."""
    # Cell 4 differs from the first two, but only the first four hold every value.
    near = [relation(cell, 4, 4, lambda a, b: a != b) for cell in (0, 1)]
    candidates = np.array([[value in marks.get(cell, range(1, 5)) for value in range(1, 5)] for cell in range(5)])
    line = Geometry("row", (1, 5), 4, (Rule("all", np.array([(0, 1, 2, 3)], np.int32)),))
    puzzle = Puzzle.of(line, pencilmarks=candidates)
    rows = [
        row
        for row in product(range(1, 5), repeat=5)
        if len(set(row[:4])) == 4
        and all(candidates[cell, value - 1] for cell, value in enumerate(row))
        and all(holds(primitive, row) for primitive in [*wanted, *near])
    ]
    left = after_asking(constrained_state(LoweredPuzzle.of(puzzle, (*wanted, *near))))
    assert left[4] == {row[4] for row in rows} != {1, 2, 3, 4}


def test_many_states() -> None:
    """An automaton with more states than a word has bits loses no grid."""
    row = tuple(range(8))
    line = Geometry("row", (1, 8), 8, (Rule("all", np.array([row], np.int32)),))
    puzzle = Puzzle.of(line, constraints=["lunchbox 16 r1c1-r1c8"])
    (wanted,) = expanded(lower_puzzle(puzzle).primitives, 8)
    assert isinstance(wanted, Automaton)
    assert max(len({before for before, *_ in layer}) for layer in wanted.layers) > 64
    held = [values for values in permutations(range(1, 9)) if not puzzle.placed[0].violated(values)]
    assert rows_of(8, 8, [wanted], units=[row], soon=1) == held
    assert len(held) > 1000


def after_asking(state: ConstrainedState) -> list[set[int]]:
    """Return the candidates that are left before any guess, when all propagators are asked."""
    state.propagators.progress[ASKED] = len(state.propagators.kinds)
    run(state, np.empty((0, len(state.board.masks)), np.uint8), 1, False)
    trail = state.board.guess_marks[0] if state.counts[GUESSES] else state.counts[TRAIL]
    undo(state.board, trail)
    return [set(values_in(mask)) for mask in state.board.masks.tolist()]


@pytest.mark.parametrize(
    ("factors", "total"),
    [((1, 1, 1, 1, 1, 1), 13), ((1, 1, 1, 1, 1, 1), 39), ((1, 1, 1, 2, -1, -1), 22), ((-1, -1, -1, -1, -1, -1), -13)],
)
def test_different_bounds(factors: Row, total: int) -> None:
    """Bounds of cells that differ are those of different values."""
    units = [(0, 1, 2), (3, 4, 5)]
    rules = tuple(Rule(f"unit {number}", np.array([unit], np.int32)) for number, unit in enumerate(units))
    n = 8
    puzzle = Puzzle.of(Geometry("row", (1, 6), n, rules))
    state = constrained_state(LoweredPuzzle.of(puzzle, (Sum(tuple(range(6)), factors, total),)))
    assert BOUNDS in state.propagators.kinds.tolist()
    rows = [
        row
        for row in map(sum, product(permutations(range(1, n + 1), 3), repeat=2), repeat(()))
        if sum(value * factor for value, factor in zip(row, factors, strict=True)) == total
    ]
    left = [{row[cell] for row in rows} for cell in range(6)]
    assert any(len(values) < n for values in left)
    assert after_asking(state) == left


@pytest.mark.parametrize(
    ("factors", "bounds"),
    [
        ((1, 1, 1, 1, 1, 1), (None, 14)),
        ((1, 1, 1, 1, 1, 1), (39, None)),
        ((1, 1, 1, 1, 1, 1), (40, 41)),
        ((1, 1, 1, 2, 2, 2), (61, None)),
        ((-1, -1, -1, -1, -1, -1), (-13, None)),
    ],
)
def test_different_bounds_of_ranges(factors: Row, bounds: tuple[int | None, int | None]) -> None:
    """The range of a sum is bounded by different values where cells differ, too."""
    rules = tuple(Rule(f"unit {unit[0]}", np.array([unit], np.int32)) for unit in ((0, 1, 2), (3, 4, 5)))
    puzzle = Puzzle.of(Geometry("row", (1, 6), 8, rules))
    state = constrained_state(LoweredPuzzle.of(puzzle, (bounded_total(range(6), 8, bounds, factors),)))
    assert {AUTOMATON, BOUNDS} <= set(state.propagators.kinds.tolist())
    least, most = (-99 if bounds[0] is None else bounds[0]), (99 if bounds[1] is None else bounds[1])
    rows = [
        row
        for row in product(range(1, 9), repeat=6)
        if len(set(row[:3])) == len(set(row[3:])) == 3
        and least <= sum(value * factor for value, factor in zip(row, factors, strict=True)) <= most
    ]
    expected = [{row[cell] for row in rows} for cell in range(6)]
    assert any(len(values) < 8 for values in expected)
    assert after_asking(state) == expected


def test_sixteen_cells() -> None:
    """Groups of sixteen cells that differ are bounded."""
    every = tuple(range(16))
    rules = (Rule("all", np.array([every], np.int32)),)
    marks = np.ones((16, 16), bool)
    marks[4:] = np.eye(16, dtype=bool)[4:]
    puzzle = Puzzle.of(Geometry("row", (1, 16), 16, rules), pencilmarks=marks)
    # The values 1 to 4 are left for the first cells.
    for cells, factors, total, expected in (
        (every, (2,) + (1,) * 15, 137, 6),
        (every, (1, 2) + (1,) * 14, 140, 6),
        (every, (-3, *(-1,) * 15), -144, 6),
        (every, (-3, *(-1,) * 15), -145, 0),
    ):
        state = constrained_state(LoweredPuzzle.of(puzzle, (Sum(cells, factors, total),)))
        state.propagators.progress[AGAIN] = 1
        out = np.empty((30, 16), np.uint8)
        assert advance(state, out) == expected, factors


def test_wide_numbers() -> None:
    """Numbers that do not fit the bits of a word are bounded."""
    marks = [[1, 20, 39, 40], [2, 39, 40], [3, 38, 40], [1, 40, 2]]
    for primitive in (
        EqualSums(((0, 1), (2, 3))),
        EqualSums(((0, 1, 1), (1, 2, 3))),
        Sum((0, 1, 2, 3), (1, 1, -1, 2), 81),
        Sum((0, 1, 2), (50, -7, 3), 841),
    ):
        rows = sorted(row for row in product(*marks) if holds(primitive, row))
        assert len(rows) > 0
        assert rows_of(40, 4, [primitive], marks) == rows


def test_value_64() -> None:
    """The greatest of 64 values is one like the others."""
    marks = [[1, 63, 64], [1, 62, 64], [2, 64]]
    step = relation(0, 1, 64, lambda a, b: a != b)
    for wanted in (
        [step],
        [step, Clause(((2, 64), (0, 1)))],
        [Clause(((0, -64),))],
        [Clause(((0, 64), (1, -64)))],
        [automaton([0, 1, 2], 64, 0, lambda last, value: value if value >= last else None, lambda last: True)],
        [Sum((0, 1), (1, 1), 128)],
        [EqualSums(((0,), (2,)))],
        [Count((0, 1, 2), 64, 0b100)],
        [SameCounts(((0,), (2,)))],
        [Visible((0, 1, 2), 2, 2)],
        [CutLine((0, 1, 2), 129, False)],
        [SumBetween((0, 1, 2), (1, 2), 62, 64)],
        [EachClass((0, 1, 2), (1 << 63, 1))],
    ):
        rows = sorted(row for row in product(*marks) if all(holds(primitive, row) for primitive in wanted))
        assert len(rows) > 0
        assert rows_of(64, 3, wanted, marks) == rows


def kinds_of(texts: Sequence[str]) -> set[int]:
    state = constrained_state(lower_puzzle(Puzzle.of(board("9x9"), constraints=texts)))
    return set(state.propagators.kinds.tolist())


def test_all_propagators_tested() -> None:
    """Each kind of propagator is tested."""
    made = {
        "cage 15 r1c1-r1c4": {SETS},
        "sum 15 r1c1-r1c4": {SETS},
        "sum 15 r1c1 r5c5 r9c9": {SUMS},
        "sum 15 r1c1 r1c2 r9c9": {SUMS, BOUNDS},
        "equal-sums r1c1 r1c2 / r9c9": {SUMS, BOUNDS},
        "difference 3 r1c1 r1c2": {RELATION},
        "quadruple 3 r1c1 r1c2 r2c1 r2c2": {EACH_CLASS},
        "quadruple 3 3 r1c1 r1c2 r2c1 r2c2": {CLAUSE},
        "row-indexer r1c1": {INDEXED_LINE},
        "regex 1.*9: r1c1 r2c2 r3c3 r4c4": {AUTOMATON},
        "regex 1.*9: r1c1-r1c4": {AUTOMATON, DISTINCT},
        "counting-circles r1c1 r2c2 r3c3 r4c4 r5c5 r1c2": {COUNTS},
        "look-and-say 1 6 2 7 r1c1 r2c1 r3c3": {COUNTS},
        "same-values r1c1 r1c2 / r5c5 r6c5": {SAME_COUNTS},
        "skyscraper 3 r1c1-r1c9": {VISIBLE},
        "sum-line 10 r1c1-r1c5": {CUT_LINE},
        "sum-loop 10 r1c1 r1c2 r2c2 r2c1": {CUT_LINE},
        "sandwich 17 r1c1-r1c9": {SUM_BETWEEN},
        "lunchbox 11 r1c2 r1c1 r2c1 r2c2": {SUM_BETWEEN},
        # Too large for words of 64 bits, or cells that may be equal: automata read them.
        "sum-line 63 r1c1-r1c9": {AUTOMATON, DISTINCT},
        "sandwich 8 r1c1 r5c5 r9c9": {AUTOMATON},
        "lunchbox 0 r1c1": {SETS},
        # The order of the cells does not matter.
        "renban r1c1-r1c4": {SETS},
        "renban r1c1 r5c5 r9c9 r4c8": {SETS},
        "rellik-cage 7 r1c1-r2c2": {SETS},
        "nabner r1c1 r5c5 r9c9": {RELATION, SETS},
        # Their values are many sets.
        "renban r1c1-r1c7": {RELATION, SETS},
    }
    assert {text: kinds_of([text]) for text in made} == made
    far = Sum((0, 1), (50, 50), 2550)
    state = constrained_state(LoweredPuzzle.of(Puzzle.of(Geometry("row", (1, 2), 50, ())), (far,)))
    assert state.propagators.kinds.tolist() == [BOUNDS]


@pytest.mark.parametrize(
    ("name", "most"),
    [
        ("Triple digits", 20_000),
        ("Long sums 1", 20_000),
        ("Long sums 3", 20_000),
        pytest.param("Hazy Rellik", 400_000, marks=pytest.mark.slow),
        ("Santorini", 500),
        ("Clockwork", 500),
    ],
)
def test_few_guesses(name: str, most: int) -> None:
    """A puzzle of long sums or sets takes few guesses."""
    (puzzle,) = (one for one in variants() if one.name == name)
    state = constrained_state(lower_puzzle(puzzle))
    found, out = 0, np.empty((2, 81), np.uint8)
    # Without what is known of cells that differ these take tens of millions.
    while not finished(state) and state.propagators.progress[GUESSED] <= most:
        found += advance(state, out[found:])
    assert finished(state)
    assert found == 1


@pytest.mark.parametrize(("weights", "cell"), [([9, 0, 500, 0], 2), ([400, 0, 500, 0], 0), ([1, 0, 3, 0], 0)])
def test_failing_value(weights: list[int], cell: int) -> None:
    """The first guess is in a cell that can hold the value whose guesses failed far more often than others."""
    bare = Geometry("bare", (1, 4), 4, ())
    marks = np.array([[1, 1, 0, 0], [1, 1, 0, 0], [0, 0, 1, 1], [1, 1, 0, 0]], bool)
    puzzle = Puzzle.of(bare, pencilmarks=marks, constraints=["sum 3 r1c1 r1c2"])
    state = constrained_state(lower_puzzle(puzzle))
    state.propagators.weights[:] = 100 * WEIGHT
    state.propagators.value_weights[:] = [WEIGHT * weight for weight in weights]
    assert advance(state, np.empty((1, 4), np.uint8)) == 1
    assert state.board.guess_cells[0] == cell


def test_no_solution_of_diagonals() -> None:
    """Diagonals whose sums are too great together leave no solution, which takes few guesses to prove."""
    starts = ["r1c8-r8c1", "r1c9-r9c1", "r9c2-r2c9", "r9c3-r3c9", "r7c9-r1c3", "r1c1-r9c9", "r2c1-r9c8", "r3c1-r9c7"]
    puzzle = Puzzle.of(board("9x9"), constraints=[f"little-killer 49 {cells}" for cells in starts])
    state = constrained_state(lower_puzzle(puzzle))
    # A search that looks at each sum alone is not done after 400,000 guesses.
    while not finished(state) and state.propagators.progress[GUESSED] <= 20_000:
        assert advance(state, np.empty((1, 81), np.uint8)) == 0
    assert finished(state)


def test_impossible() -> None:
    """What never holds leaves no solution."""
    assert rows_of(3, 2, [NEVER]) == []
    assert rows_of(3, 1, [Clause(((0, 1), (0, -1)))]) == [(1,), (2,), (3,)]


KNIGHT, KING = [(1, 2), (2, 1), (1, -2), (2, -1)], [(1, 1), (1, -1)]


def pairs_apart(n: int, steps: list[tuple[int, int]]) -> list[str]:
    """Return the constraints that cells of a square as far apart differ."""
    return [
        f"extra-region r{row}c{column} r{row + down}c{column + right}"
        for row, column in product(range(1, n + 1), repeat=2)
        for down, right in steps
        if row + down <= n and 1 <= column + right <= n
    ]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["search", "auto"])
def test_miracle_72(method: str) -> None:
    """The miracle rules leave 72 grids."""
    puzzle = Puzzle.of(board("9x9"), constraints=["non-consecutive", *pairs_apart(9, KNIGHT + KING)])
    assert se.count(puzzle, method).value == 72


LIMITED = ("arrow r1c1 / r1c2 r2c3", "sum 6 r3c1 r4c2 r4c3")


@pytest.mark.parametrize("method", ["search", "definitions", "auto"])
def test_limits(method: str) -> None:
    """Limits of one less as many and one more are kept."""
    puzzle = Puzzle.of(board("4x4"), constraints=LIMITED)
    n = sum(not any(here.violated(grid) for here in puzzle.placed) for grid in solutions_of_board("4x4"))
    assert n > 2
    for limit, complete in ((1, False), (n - 1, False), (n, False), (n + 1, True)):
        found = calls.count(puzzle, method, Limits(solutions=limit).start())
        assert (found.value, found.complete) == (min(n, limit), complete)


LINES = (
    "cage 7 r{}c{} r{}c{}",
    "thermometer r{}c{} r{}c{}",
    "whispers 2 r{}c{} r{}c{}",
    "ratio r{}c{} r{}c{}",
    "xv 5 r{}c{} r{}c{}",
    "arrow r{}c{} / r{}c{} r1c1",
    "equal-sums r{}c{} r1c1 / r{}c{} r4c4",
    "regex [12]3|4.: r{}c{} r{}c{}",
    "quadruple 2 r{}c{} r{}c{}",
    "between r1c1 r{}c{} r{}c{}",
)
_place = st.integers(1, 4)
_line = st.tuples(st.sampled_from(LINES), st.lists(st.tuples(_place, _place), min_size=2, max_size=2, unique=True))


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(_line, min_size=1, max_size=4), st.integers(0, 15))
def test_split_by_values(lines: list[tuple[str, list[tuple[int, int]]]], cell: int) -> None:
    """The values of a cell share out the solutions."""
    texts = [text.format(*first, *second) for text, (first, second) in lines]
    try:
        puzzle = Puzzle.of(board("4x4"), constraints=texts)
    except FormatError:
        # A cell appears twice.
        assume(False)
    whole = se.count(puzzle, "search").value
    every = solutions_of_board("4x4")
    assert whole == sum(not any(here.violated(grid) for here in puzzle.placed) for grid in every)
    shares = []
    for value in range(1, 5):
        givens = np.zeros(16, np.uint8)
        givens[cell] = value
        shares.append(se.count(Puzzle.of(puzzle.geometry, givens, constraints=texts), "search").value)
    assert sum(shares) == whole


def test_units_only_refused() -> None:
    """What knows units alone refuses to go on without the constraints."""
    puzzle = Puzzle.of(board("4x4"), constraints=["thermometer r1c1-r1c3"])
    with pytest.raises(InternalError, match="constraints would be ignored here"):
        estimate(puzzle, 10, 0)


def test_split_puzzle() -> None:
    """A puzzle with constraints is split into puzzles that have them too."""
    puzzle = Puzzle.of(board("4x4"), constraints=["thermometer r1c1-r1c3"])
    parts = split(puzzle, 9)
    assert len(parts) >= 9
    assert all(part.constraints == puzzle.constraints for part in parts)
    assert sum(count(part, never) for part in parts) == count(puzzle, never) == 48


@pytest.mark.parametrize("method", [pytest.param("search", marks=pytest.mark.slow), "auto"])
def test_parts_on_executor(run: Command, monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    """A puzzle with constraints is counted and listed in parts."""
    some = ("thermometer r1c1-r1c4", "sum 12 r1c1 r2c1 r3c1 r4c2", "even r6c6", "thermometer r6c1-r6c4")
    words = ("--board", "6x6", *(word for one in some for word in ("--constraint", one)))
    found = run("count", *words, "--method", "sat")
    # Nothing ends without work, and what is found is enough to go on with search.
    monkeypatch.setattr(parallel, "_ALONE_SECONDS", 0.0)
    monkeypatch.setattr(turns, "_FIRST_WORK", 0)
    monkeypatch.setattr(turns, "MANY_SOLUTIONS", 0)
    monkeypatch.setattr(in_parts, "AT_ONCE_SOLUTIONS", 50)
    here = run("count", *words, "--method", method)
    there = run("count", *words, "--method", method, "--executor", "threads:2")
    assert (here.out, there.out) == (found.out, found.out)
    if method == "auto":
        assert "by search on " in here.err
        assert "by search in parts, since a trial search found " in there.err
    listed = run("enumerate", *words, "--method", method, "--executor", "threads:2")
    grids = [line for line in listed.out.splitlines() if not line.startswith("#")]
    assert len(set(grids)) == len(grids) == int(found.out)


def test_definitions_timeout() -> None:
    """Definitions stop at a time limit."""
    puzzle = Puzzle.of(board("9x9"), constraints=["sum 40 r1c1 r5c5 r9c9 r2c7 r7c2"])
    found = calls.count(puzzle, "definitions", Limits(seconds=0.05).start())
    assert (found.complete, found.stopped) == (False, "time limit")


def test_given_as_units(run: Command) -> None:
    """Methods that are compared are given units."""
    words = ("--board", "4x4", "--constraint", "extra-region r1c1 r2c3 r3c2 r4c4")
    ended = run("verify", *words, "--methods", "search,norvig2006,sat,definitions")
    assert ended.status == 0
    assert "confirmed: 24, by 4 methods" in ended.out
