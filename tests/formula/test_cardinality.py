"""At most one: every way allows exactly the right assignments, at the size that its source gives."""

from itertools import chain, product

import numpy as np
import pytest
from pysat.solvers import Solver

from sudoku_encode.formula.cardinality import at_most_one, pattern_of
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.formula.table import AT_MOST_ONE

WAYS = ("pairwise", "sequential", "bitwise", "ladder", "product", "commander")
# Clauses and auxiliary variables.
SIZES = {
    4: ((6, 0), (8, 3), (8, 2), (16, 5), (6, 0), (6, 0)),
    9: ((36, 0), (23, 8), (36, 4), (36, 10), (24, 6), (21, 3)),
    16: ((120, 0), (44, 15), (64, 4), (64, 17), (44, 8), (43, 7)),
    25: ((300, 0), (71, 24), (125, 5), (100, 26), (78, 20), (69, 11)),
}


def test_all_ways_tested() -> None:
    """All ways are tested."""
    assert set(WAYS) == set(AT_MOST_ONE)


@pytest.mark.parametrize(
    ("n", "way", "clauses", "auxiliary"),
    [(n, way, *sizes) for n, row in SIZES.items() for way, sizes in zip(WAYS, row, strict=True)],
)
def test_published_sizes(n: int, way: str, clauses: int, auxiliary: int) -> None:
    """A way has the published size."""
    pattern = pattern_of(way, n)

    assert (len(pattern.clauses), pattern.n_auxiliary) == (clauses, auxiliary)


def test_sizes_of_formulas() -> None:
    """The sizes are those of the formulas."""
    for n in range(2, 30):
        bits = len(bin(n - 1)) - 2
        assert len(pattern_of("pairwise", n).clauses) == n * (n - 1) // 2
        assert (len(pattern_of("sequential", n).clauses), pattern_of("sequential", n).n_auxiliary) == (
            3 * n - 4,
            n - 1,
        )
        assert (len(pattern_of("bitwise", n).clauses), pattern_of("bitwise", n).n_auxiliary) == (n * bits, bits)
        assert (len(pattern_of("ladder", n).clauses), pattern_of("ladder", n).n_auxiliary) == (4 * n, n + 1)


@pytest.mark.parametrize("n", range(1, 13))
@pytest.mark.parametrize("way", WAYS)
def test_exact_assignments(way: str, n: int) -> None:
    """Exactly the assignments with at most one extend to a model."""
    pattern = pattern_of(way, n)
    used = {abs(literal) for clause in pattern.clauses for literal in clause}
    assert used <= set(range(1, n + pattern.n_auxiliary + 1))

    allowed = []
    with Solver(name="minisat22", bootstrap_with=pattern.clauses) as solver:
        for truth in product([False, True], repeat=n):
            assignment = [number if holds else -number for number, holds in enumerate(truth, 1)]
            if solver.solve(assumptions=assignment):
                allowed.append(truth)

    assert len(allowed) == n + 1
    assert all(sum(truth) <= 1 for truth in allowed)


@pytest.mark.parametrize("way", WAYS)
def test_auxiliaries_used(way: str) -> None:
    """Every auxiliary variable is used."""
    for n in range(2, 30):
        pattern = pattern_of(way, n)
        used = {abs(literal) for clause in pattern.clauses for literal in clause}
        assert used == set(range(1, n + pattern.n_auxiliary + 1))


@pytest.mark.parametrize("way", WAYS)
def test_auxiliaries_per_set(way: str) -> None:
    """Each set has auxiliary variables of its own."""
    # Two sets of five and one of six, with a sign and a gap; the variables so far are 40.
    fives = np.array([[1, 11], [2, 12], [-3, 13], [4, 14], [5, 15]], np.int32)
    six = np.array([[21], [22], [23], [24], [25], [26]], np.int32)
    groups, n_variables = at_most_one("amo", way, [fives, six], 40)

    assert n_variables == 40 + 2 * pattern_of(way, 5).n_auxiliary + pattern_of(way, 6).n_auxiliary
    formula = Cnf.of(n_variables, groups)
    assert set(formula.sizes) == {"amo"}
    members = [*fives.T.tolist(), six.T.tolist()[0]]
    with Solver(name="minisat22") as solver:
        for chunk in formula.chunks():
            solver.append_formula(chunk.tolist())
        everywhere = [[-literal for literal in group] for group in members]
        for chosen in product(*[[None, *range(len(group))] for group in members]):
            assignment = [list(nothing) for nothing in everywhere]
            for group, at in enumerate(chosen):
                if at is not None:
                    assignment[group][at] *= -1
            assert solver.solve(assumptions=list(chain.from_iterable(assignment)))
        for group in range(3):
            for first, second in ((0, 1), (1, 4), (0, 4), (2, 3)):
                assert not solver.solve(assumptions=[members[group][first], members[group][second]])


@pytest.mark.parametrize("way", WAYS)
def test_single_literal(way: str) -> None:
    """A set of one needs no clause that binds it."""
    groups, n_variables = at_most_one("amo", way, [np.array([[1, 2, 3]], np.int32)], 3)
    formula = Cnf.of(n_variables, groups)

    with Solver(name="minisat22") as solver:
        for chunk in formula.chunks():
            solver.append_formula(chunk.tolist())
        assert solver.solve(assumptions=[1, 2, 3])
        assert solver.solve(assumptions=[-1, -2, -3])
