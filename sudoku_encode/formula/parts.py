"""A formula about things that share no variable, such as many puzzles, cut into a formula for each of them."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import InternalError
from sudoku_encode.formula.cnf import Cnf, Literals, in_a_row

# Of a variable the number of its part; small, since numbers of 16 bits are sorted many times as fast as longer ones.
Parts = NDArray[np.int16]
_UNKNOWN = -1


def cut(cnf: Cnf, part_of: Parts, n_parts: int) -> tuple[list[Cnf], Literals]:
    """Return the formula of each part: its variables, numbered anew, and its clauses, both in their order.

    Args:
        cnf: the formula; no clause of it has variables of two parts.
        part_of: int16 (n_variables + 1,), by variable its part, from 0; -1 of an auxiliary variable, which is of the
            part of the others in its clauses.
        n_parts: how many there are.

    Returns:
        The formulas, and int32 (2 * n_variables + 1,) by literal, where -1 is the last as in any list: what it is
        called in the formula of its part; 0 remains 0.

    Raises:
        InternalError: nothing says which part a variable is of.
    """
    chunks = list(cnf.chunks())
    part_of = _with_auxiliary(chunks, part_of)
    clauses = np.concatenate([np.zeros(0, np.int16), *(part_of[np.abs(chunk[:, 0])] for chunk in chunks)])
    names, n_variables = _names(part_of, n_parts)
    literals = in_a_row([names[chunk] for chunk in chunks], clauses.argsort(kind="stable"))
    sizes = np.zeros(n_parts, np.int64)
    for chunk in chunks:
        sizes += (chunk.shape[1] + 1) * np.bincount(part_of[np.abs(chunk[:, 0])], minlength=n_parts)
    own = np.split(literals, np.cumsum(sizes)[:-1])
    return [Cnf.mixed(n, "", row) for n, row in zip(n_variables.tolist(), own, strict=True)], names


def _with_auxiliary(chunks: Sequence[Literals], part_of: Parts) -> Parts:
    """Return the part of each variable, also of those that so far only share clauses with others."""
    part_of = part_of.copy()
    unknown = np.count_nonzero(part_of[1:] == _UNKNOWN)
    while unknown:
        for chunk in chunks:
            variables = np.abs(chunk)
            parts = part_of[variables].max(axis=1)
            known = parts != _UNKNOWN
            part_of[variables[known]] = parts[known, None]
        before, unknown = unknown, np.count_nonzero(part_of[1:] == _UNKNOWN)
        if unknown == before:
            raise InternalError(f"{unknown} variables share no clause with a part")
    return part_of


def _names(part_of: Parts, n_parts: int) -> tuple[Literals, NDArray[np.int64]]:
    """Return what each literal is called in its part, as `cut` does, and how many variables each part has."""
    of_variables = part_of[1:]
    n_variables = np.bincount(of_variables, minlength=n_parts)
    before = np.cumsum(n_variables) - n_variables
    numbers = np.empty(len(of_variables), np.int32)
    numbers[of_variables.argsort(kind="stable")] = np.arange(1, len(of_variables) + 1) - np.repeat(before, n_variables)
    return np.concatenate([np.zeros(1, np.int32), numbers, -numbers[::-1]]), n_variables
