"""Change an encoding: add clauses, or shuffle it."""

from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.own_clauses import Wishes, blocking, clauses_of
from sudoku_encode.errors import MethodError, plural
from sudoku_encode.formula.cnf import Cnf, Group, Literals, by_width, in_a_row


def add_clauses(encoding: Encoding, wishes: Wishes, grids: Any) -> Encoding:
    """Return an encoding with clauses that fix or exclude values of cells, and clauses that exclude grids, if any.

    Raises:
        SudokuError: there is no such cell, value or grid; or the encoding was loaded without its clauses.
    """
    groups_before = encoding.cnf.groups
    assumed = [clause for _, _, of_cell in clauses_of(encoding.meaning, wishes) for clause in of_cell]
    flat = np.array([literal for clause in assumed for literal in clause], np.int32)
    groups: list[Group] = by_width("own", flat, np.array([len(clause) for clause in assumed], np.int64))
    if grids is not None:
        groups += by_width("blocked", *blocking(encoding.meaning, grids))
    n = sum(group.n_clauses for group in groups)
    if not n:
        return encoding
    # A contradiction needs a variable to be written with.
    cnf = Cnf.of(max(encoding.cnf.n_variables, 1), [*groups_before, *groups])
    return replace(encoding, cnf=cnf, name=f"{encoding.name}, {n} {plural('clause', n)} added")


# Shuffle a formula, for benchmarks: the results of solvers should not depend on the order or the names of variables.

# The largest seed, as on the command line.
MAX_SEED = 2**31 - 1


def shuffle(encoding: Encoding, seed: int) -> Encoding:
    """Return an encoding with variables, polarities, clauses and the literals of each clause in random order.

    The same seed gives the same formula on every machine. The solutions and their decoding stay the same. The whole
    formula is in memory, with about 30 bytes per literal.

    Raises:
        MethodError: the seed is not from 0 to 2^31 - 1.
    """
    if not isinstance(seed, int | np.integer) or not 0 <= seed <= MAX_SEED:
        raise MethodError(f"seed {seed!r} is not from 0 to {MAX_SEED}")
    # The only stream of numpy that is guaranteed to stay the same.
    random = np.random.PCG64(seed)
    cnf = encoding.cnf
    names = np.zeros(cnf.n_variables + 1, np.int32)
    negated = _random(random, cnf.n_variables) < np.uint64(1 << 63)
    names[1:] = (_order(random, cnf.n_variables) + 1) * np.where(negated, -1, 1)
    clauses = [_renamed(chunk, names) for chunk in cnf.chunks()]
    permuted = [_permuted(random, chunk) for chunk in clauses]
    mixed = in_a_row(permuted, _order(random, cnf.n_clauses))
    shuffled_cnf = Cnf.mixed(cnf.n_variables, "shuffled", mixed)
    return replace(encoding, cnf=shuffled_cnf, literals=_renamed(encoding.literals, names), seed=seed)


def _renamed(literals: Literals, names: Literals) -> Literals:
    """Return literals with renamed variables; names: int32 (n_variables + 1,); 0 remains 0."""
    return np.asarray(names[np.abs(literals)] * np.sign(literals), np.int32)


def _permuted(random: np.random.PCG64, clauses: Literals) -> Literals:
    """Return clauses (m, width) with the literals of each in random order."""
    keys = _random(random, clauses.size).reshape(clauses.shape)
    return np.take_along_axis(clauses, keys.argsort(axis=1, kind="stable"), axis=1)


def _order(random: np.random.PCG64, size: int) -> NDArray[np.intp]:
    """Return the numbers from 0 in random order."""
    return _random(random, size).argsort(kind="stable")


def _random(random: np.random.PCG64, size: int) -> NDArray[np.uint64]:
    return np.asarray(random.random_raw(size), np.uint64)
