"""The checker `rup`, compiled, for proofs of millions of steps. Its time is linear in the literals of the hints."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving import numbers
from sudoku_encode.proving.numbers import Numbers, clause_starts
from sudoku_encode.run.compiling import compiled, subroutine

# The arrays of the compiled checker.

# int64 (7,): where in the text the next step is; the number of the last clause; how many clauses were derived; the
# stamp of the last one; the step that was looked at last; the number that is at fault there; literals looked at.
Progress = NDArray[np.int64]


class Tables(NamedTuple):
    """Arrays that the checker works on."""

    # int64 (clauses of the formula and steps,): where in the text each clause starts; -1, it is deleted.
    where: NDArray[np.int64]
    names: Numbers  # int32 (steps,): the number of each clause that was derived
    # int64 (2 * variables + 1,), the literals from -variables up: when a literal was found to be true last, as the
    # number of clauses that had been looked at.
    stamps: NDArray[np.int64]


def new_tables(formula: Numbers, proof: Numbers, n_variables: int) -> tuple[Numbers, Tables, Progress]:
    """Return the formula and the proof as one text, the tables, and the progress before the first step."""
    starts = clause_starts(formula)
    # Each step that derives something has two zeros.
    room = np.count_nonzero(proof == 0)
    where = np.concatenate([starts, np.full(room, -1, np.int64)])
    tables = Tables(where, np.zeros(room, np.int32), np.zeros(2 * n_variables + 1, np.int64))
    return np.concatenate([formula, proof]), tables, np.array([len(formula), len(starts), 0, 0, 0, 0, 0], np.int64)


# The results of `steps`. FOLLOWS_NOT: the hints do not lead to a contradiction. LOW: the number of a step is not above
# the last one. BROKEN: this is not a step.
ENDED, MORE, NO_CLAUSE, FOLLOWS_NOT, LOW, BROKEN, NOT_EMPTY = range(7)
_DELETE: Final = numbers.DELETE


@compiled
def place(name: int, tables: Tables, derived: int) -> int:
    """Return which entry of the tables is the clause of a number, or -1."""
    formula = len(tables.where) - len(tables.names)
    if name <= formula:
        return name - 1 if name > 0 else -1
    # Mostly no number is left out.
    guess = name - formula - 1
    if guess >= derived or tables.names[guess] != name:
        guess = int(np.searchsorted(tables.names[:derived], name))
        if guess == derived or tables.names[guess] != name:
            return -1
    return int(formula + guess)


@subroutine
def delete(text: Numbers, tables: Tables, progress: Progress) -> int:
    """Forget the clauses whose numbers stand at `progress[0]`."""
    while progress[0] < len(text) and text[progress[0]] != 0:
        entry = place(text[progress[0]], tables, progress[2])
        if entry < 0 or tables.where[entry] < 0:
            progress[5] = text[progress[0]]
            return NO_CLAUSE
        tables.where[entry] = -1
        progress[0] += 1
    progress[0] += 1
    return MORE


@compiled
def follow(text: Numbers, tables: Tables, progress: Progress) -> int:
    """Follow the hints at `progress[0]`, where the literals that are true bear the stamp `progress[3]`."""
    where, stamps, stamp = tables.where, tables.stamps, progress[3]
    middle = len(stamps) // 2
    verdict = FOLLOWS_NOT
    position = progress[0]
    while position < len(text) and text[position] != 0:
        if text[position] == _DELETE:
            return BROKEN
        if verdict == FOLLOWS_NOT:
            entry = place(text[position], tables, progress[2])
            if entry < 0 or where[entry] < 0:
                progress[5] = text[position]
                return NO_CLAUSE
            open_literal = 0
            literal_at = where[entry]
            while text[literal_at] != 0:
                literal = text[literal_at]
                if stamps[middle - literal] != stamp and literal != open_literal:
                    if open_literal != 0:
                        return FOLLOWS_NOT
                    open_literal = literal
                literal_at += 1
            progress[6] += literal_at - where[entry] + 1
            if open_literal == 0:
                verdict = MORE
            else:
                stamps[middle + open_literal] = stamp
        position += 1
    progress[0] = position + 1
    return verdict if position < len(text) else BROKEN


@compiled
def steps(text: Numbers, tables: Tables, progress: Progress, most: int) -> int:
    """Check the next steps of a proof, about `most` literals; return ENDED (the empty clause), MORE, or a fault."""
    # `progress` is brought up to date, and names the step at fault.
    middle = len(tables.stamps) // 2
    progress[6] = 0
    while progress[0] < len(text):
        if progress[6] > most:
            return MORE
        name = text[progress[0]]
        progress[4] = name
        progress[0] += 1
        if name < 1:
            return LOW
        if progress[0] < len(text) and text[progress[0]] == _DELETE:
            progress[0] += 1
            verdict = delete(text, tables, progress)
            if verdict != MORE:
                return verdict
            continue
        if name <= progress[1]:
            progress[5] = progress[1]
            return LOW
        clause = progress[0]
        progress[3] += 1
        while progress[0] < len(text) and text[progress[0]] != 0:
            literal = np.int64(text[progress[0]])
            if abs(literal) > middle:
                return BROKEN
            tables.stamps[middle - literal] = progress[3]
            progress[0] += 1
        progress[0] += 1
        verdict = follow(text, tables, progress)
        if verdict != MORE:
            return verdict
        derived = progress[2]
        tables.names[derived] = name
        tables.where[len(tables.where) - len(tables.names) + derived] = clause
        progress[1], progress[2] = name, derived + 1
        if text[clause] == 0:
            return ENDED
    return NOT_EMPTY
