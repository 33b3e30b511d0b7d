"""The search for all models, beside all assignments of small formulas and the search without clauses."""

from itertools import count as numbers_from
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.errors import StoppedError
from sudoku_encode.formula.cnf import Cnf, MixedClauses
from sudoku_encode.methods import allsat as methods_allsat
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline, Limits, WatchingDeadline
from sudoku_encode.solvers import allsat
from sudoku_encode.solvers.allsat_kernel import search
from tests.helpers.known_puzzles import known
from tests.helpers.long_searches import TEN_THOUSAND, of

CELLS, AUXILIARY = 9, 4


def random_clauses(seed: int, n_clauses: int) -> list[list[int]]:
    """Return clauses of one to five literals of different variables; most have three."""
    random = np.random.default_rng(seed)
    widths = random.choice([1, 2, 3, 4, 5], n_clauses, p=[0.01, 0.25, 0.5, 0.14, 0.1])
    variables = [random.permutation(CELLS + AUXILIARY)[:width] + 1 for width in widths]
    return [(row * random.choice([-1, 1], len(row))).tolist() for row in variables]


def encoding_of(clauses: list[list[int]]) -> Encoding:
    """Return a formula as the encoding of a puzzle whose cells are its first variables: true is 1, false is 2."""
    puzzle = Puzzle.of(Geometry("variables", (1, CELLS), 2, ()))
    flat = np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)
    literals = np.arange(1, CELLS + 1, dtype=np.int32)[:, None, None] * np.array([[[1], [-1]]], np.int32)
    cnf = Cnf.of(CELLS + AUXILIARY, [MixedClauses("random", flat)])
    return Encoding(puzzle, "random", "direct", cnf, np.ones((CELLS, 2), bool), literals)


def by_trying(clauses: list[list[int]]) -> set[bytes]:
    """Return the grids of the formula's models, by trying all assignments."""
    truth = (np.arange(1 << (CELLS + AUXILIARY))[:, None] >> np.arange(CELLS + AUXILIARY)) & 1 == 1
    for clause in clauses:
        truth = truth[np.any([truth[:, abs(literal) - 1] == (literal > 0) for literal in clause], axis=0)]
    return {grid.tobytes() for grid in np.where(truth[:, :CELLS], 1, 2).astype(np.uint8)}


def listed(state: allsat.State, *, harried: bool) -> list[bytes]:
    """Return the grids that a search finds; if it is harried, it forgets and restarts after each conflict."""
    grids: list[bytes] = []
    conflicts = 0
    while not state.counts[allsat.DONE]:
        out = np.empty((3, len(state.base)), np.uint8)
        if harried and state.counts[allsat.CONFLICTS] > conflicts:
            conflicts = int(state.counts[allsat.CONFLICTS])
            state.counts[[allsat.MOST_LEARNT, allsat.NEXT_RESTART]] = 1, conflicts
        grids += [grid.tobytes() for grid in out[: search(state, out, 1 if harried else 1000)]]
        if state.counts[allsat.FULL]:
            state = allsat.with_more_room(state)
    return grids


@settings(derandomize=True, deadline=None, max_examples=60)
@given(seed=st.integers(0, 10**6), n_clauses=st.integers(0, 45), harried=st.booleans())
def test_random_formulas(seed: int, n_clauses: int, harried: bool) -> None:
    """Each assignment of the cells' variables that has a model is listed once."""
    clauses = random_clauses(seed, n_clauses)
    grids = listed(allsat.state_of(encoding_of(clauses)), harried=harried)
    assert len(set(grids)) == len(grids)
    assert set(grids) == by_trying(clauses)


def test_little_room() -> None:
    """A search whose room for clauses is full continues with more."""
    puzzle = of("9x9", TEN_THOUSAND)
    state = allsat.state_of(encode(puzzle, "minimal"))
    end = state.counts[allsat.CLAUSES_END]
    tight = state._replace(clauses=state.clauses[: end + allsat.HEADER + len(state.levels)].copy())
    grids = listed(tight, harried=False)
    assert len(set(grids)) == len(grids) == 10_810
    assert tight.counts[allsat.RESTARTS] > 0


def test_limited_memory() -> None:
    """The number of learnt clauses stays within its limit, and those that move lose no solution."""
    state = allsat.state_of(encode(of("9x9", TEN_THOUSAND), "minimal"))
    most, batches = 0, []
    while not state.counts[allsat.DONE]:
        state.counts[allsat.MOST_LEARNT] = 10
        out = np.empty((100, 81), np.uint8)
        batches.append(out[: search(state, out, 200)])
        most = max(most, int(state.counts[allsat.LEARNT]) - int(state.counts[allsat.MOST_LEARNT]))
    assert state.counts[allsat.CONFLICTS] > 500
    assert most <= 0
    grids = np.concatenate(batches)
    assert len(np.unique(grids, axis=0)) == len(grids) == 10_810


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_each_encoding(encoding: str) -> None:
    """The solutions of a 9x9 are the same by every encoding."""
    method, case = METHODS[f"allsat:{encoding}"], known("papers/gtsps-fig-4.9.sdk")
    grids = np.concatenate([*method.functions.solutions(case.puzzle, Deadline(), **method.arguments)])
    expected = np.concatenate([*METHODS["search"].functions.solutions(case.puzzle, Deadline())])
    assert sorted(grids.tolist()) == sorted(expected.tolist())


@pytest.mark.parametrize(
    ("text", "n_solutions"), [("12343412........", 4), ("1234341221434321", 1), ("11..............", 0)]
)
def test_few_or_none(text: str, n_solutions: int) -> None:
    """Puzzles with some blanks, with none, and with clashing givens are settled."""
    assert n_listed(of("4x4", text.replace(".", "0")), Deadline()) == n_solutions


def n_listed(puzzle: Puzzle, deadline: Deadline) -> int:
    """Return how many solutions there are, each of which comes once."""
    batches: list[Grids] = [np.empty((0, puzzle.geometry.n_cells), np.uint8)]
    batches += methods_allsat.solutions(puzzle, deadline)
    grids = np.concatenate(batches)
    assert len(np.unique(grids, axis=0)) == len(grids)
    return len(grids)


def test_stopped() -> None:
    """The first solution comes by itself, and the deadline is looked at before each batch."""
    calls = numbers_from()

    def look() -> None:
        if next(calls) == 5:
            raise StoppedError("enough")

    batches = methods_allsat.solutions(of("9x9", TEN_THOUSAND), WatchingDeadline.of(Limits().start(), look))
    assert [len(batch) for batch in islice(batches, 5)] == [1, 2, 4, 8, 16]
    with pytest.raises(StoppedError, match="enough"):
        next(batches)
