"""An encoding with clauses of one's own."""

from dataclasses import replace
from typing import Any

import numpy as np

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.own_clauses import Wishes, blocking, clauses_of
from sudoku_encode.errors import plural
from sudoku_encode.formula.cnf import Cnf, Group, by_width


def added(encoding: Encoding, wishes: Wishes, grids: Any) -> Encoding:
    """Return an encoding with the clauses that say what is wished and exclude grids.

    Args:
        encoding: with its clauses.
        wishes: see `Encoding.assuming`.
        grids: see `Encoding.blocking`; None for none.

    Raises:
        SudokuError: there is no such cell, value or grid; or the encoding was loaded, and its clauses were not read.
    """
    groups_before = encoding.cnf.groups
    wished = [clause for _, _, of_cell in clauses_of(encoding.meaning, wishes) for clause in of_cell]
    flat = np.array([literal for clause in wished for literal in clause], np.int32)
    groups: list[Group] = by_width("own", flat, np.array([len(clause) for clause in wished], np.int64))
    if grids is not None:
        groups += by_width("blocked", *blocking(encoding.meaning, grids))
    n = sum(group.n_clauses for group in groups)
    if not n:
        return encoding
    # A contradiction needs a variable to be written with.
    cnf = Cnf.of(max(encoding.cnf.n_variables, 1), [*groups_before, *groups])
    return replace(encoding, cnf=cnf, name=f"{encoding.name}, {n} {plural('clause', n)} added")
