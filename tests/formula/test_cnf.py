"""Groups of clauses: a pattern over the columns of a table means just what its definition says."""

import pickle
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

from sudoku_encode.errors import InternalError
from sudoku_encode.formula import cnf
from sudoku_encode.formula.cnf import Cnf, Group, by_width
from tests.helpers.formulas import plain, random_group


def made(formula: Cnf) -> list[list[int]]:
    return list(formula)


@given(
    seed=st.integers(0, 10**6),
    rows=st.integers(1, 6),
    columns=st.integers(0, 12),
    width=st.integers(1, 6),
    m=st.integers(0, 8),
    piece=st.sampled_from([1, 2, 7, 30, 1 << 18]),
)
@settings(derandomize=True, max_examples=200, deadline=None)
def test_chunks(seed: int, rows: int, columns: int, width: int, m: int, piece: int) -> None:
    """Chunks are the plain definition however small the pieces."""
    group = random_group(seed, rows, columns, width, m, 99)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cnf, "_CHUNK_LITERALS", piece)
        chunks = list(group.chunks())
        bound = max(piece, width * max(1, piece // width))
        assert all(chunk.size <= bound for chunk in chunks)

    clauses = [clause for chunk in chunks for clause in chunk.tolist()]
    if piece >= width * columns:
        assert clauses == plain(group)
    assert sorted(clauses) == sorted(plain(group))
    assert all(chunk.dtype == np.int32 for chunk in chunks)
    assert group.n_clauses == len(clauses)
    assert group.width == width


def test_pattern_over_columns() -> None:
    """A pattern is laid over every column."""
    group = Group("g", np.array([[1, -2], [2, 3]], np.int32), np.array([[1, 2], [3, -4], [5, 6]], np.int32))

    assert [chunk.tolist() for chunk in group.chunks()] == [[[1, -3], [2, 4], [3, 5], [-4, 6]]]


def test_plain_clauses() -> None:
    """Plain clauses stay as they are."""
    assert [chunk.tolist() for chunk in Group.of("g", [[1, -2], [-3, 4]]).chunks()] == [[[1, -2], [-3, 4]]]


def test_sizes() -> None:
    """Sizes add up groups of one name."""
    formula = Cnf.of(4, [Group.of("a", [[1, 2]]), Group.of("b", [[3]]), Group.of("a", [[1, 2, 3], [2, 3, 4]])])

    assert formula.sizes == {"a": 3, "b": 1}
    assert formula.n_clauses == 4
    assert made(formula) == [[1, 2], [3], [1, 2, 3], [2, 3, 4]]


def test_empty_groups() -> None:
    """A formula leaves out groups without clauses."""
    assert Cnf.of(2, [Group.of("none", np.empty((0, 2))), Group.of("one", [[2]])]).sizes == {"one": 1}


@pytest.mark.parametrize("literal", [3, -3, 0])
def test_uncounted_variable(literal: int) -> None:
    """A variable that the header would not count is our own fault."""
    with pytest.raises(InternalError, match=r"group bad uses a variable outside 1\.\.2"):
        Cnf.of(2, [Group.of("bad", [[1, literal]])])


def test_sorted_by_width() -> None:
    """By width sorts clauses into groups of one width."""
    groups = by_width("g", np.array([1, 2, 3, -4, 5, 6, 7], np.int32), np.array([3, 1, 3]))

    assert [(group.width, made(Cnf(7, (group,)))) for group in groups] == [
        (1, [[-4]]),
        (3, [[1, 2, 3], [5, 6, 7]]),
    ]


def test_by_width_of_nothing() -> None:
    """By width of nothing is nothing."""
    assert by_width("g", np.empty(0, np.int32), np.empty(0, np.int64)) == []


def formula() -> Cnf:
    return Cnf.of(5, [Group.of("a", [[1, 2], [-2, 3]]), Group.of("b", [[-1]]), Group.of("none", np.empty((0, 2)))])


def test_iteration() -> None:
    """A formula is iterable as lists of Python's own integers."""
    assert list(formula()) == formula().clauses == [[1, 2], [-2, 3], [-1]]
    assert {type(literal) for clause in formula() for literal in clause} == {int}
    assert formula().nv == formula().n_variables == 5


@pytest.mark.parametrize("name", ["cadical195", "glucose4", "minisat22", "lingeling"])
def test_pysat_solver(name: str) -> None:
    """A solver of PySAT takes a formula as it is."""
    with Solver(name, bootstrap_with=formula()) as solver:
        assert solver.solve()
        assert solver.get_model()[:3] == [-1, 2, 3]
        solver.append_formula(Cnf.of(3, [Group.of("more", [[-3]])]))
        assert not solver.solve()


def test_pysat_formula(tmp_path: Path) -> None:
    """PySAT's formula takes a formula as it is and can be changed."""
    theirs = CNF(from_clauses=formula())
    theirs.append([4, -3])
    theirs.to_file(str(tmp_path / "a.cnf"))

    assert theirs.clauses == [[1, 2], [-2, 3], [-1], [4, -3]]
    assert CNF(from_file=str(tmp_path / "a.cnf")).clauses == theirs.clauses
    assert list(formula()) == [[1, 2], [-2, 3], [-1]]
    assert CNF(from_clauses=Cnf(3, ())).clauses == []


def test_short_repr() -> None:
    """A formula is shown on one line."""
    assert repr(formula()) == "Cnf(5 variables, 3 clauses)"


def test_pickled() -> None:
    """A formula comes back from a pickle."""
    back = pickle.loads(pickle.dumps(formula()))

    assert (type(back), back.n_variables, back.clauses) == (Cnf, 5, formula().clauses)
