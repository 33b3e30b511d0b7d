"""The same formula in another order and under other names, as benchmarks want it: solvers must not depend on either."""

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import MethodError
from sudoku_encode.formula.cnf import Cnf, Literals, in_a_row

# What a seed may be, as on the command line.
MAX_SEED = 2**31 - 1


def shuffled(encoding: Encoding, seed: int) -> Encoding:
    """Return an encoding with its variables, their polarities, its clauses and the literals in each in random order.

    The same seed gives the same formula on every machine. Solutions are as many, and decode as before; the whole
    formula is in memory, with about 30 bytes for each literal.

    Args:
        encoding: with its clauses.
        seed: from 0 to 2^31 - 1.

    Raises:
        MethodError: a seed out of range.
    """
    if not isinstance(seed, int | np.integer) or not 0 <= seed <= MAX_SEED:
        raise MethodError(f"seed {seed!r} is not from 0 to {MAX_SEED}")
    # Of all that numpy draws only this stream is promised to stay as it is.
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
    """Return literals under the names that their variables get, int32 (n_variables + 1,); 0 remains 0."""
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
