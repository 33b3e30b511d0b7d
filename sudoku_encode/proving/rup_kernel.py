"""What `rup` does, compiled, for proofs of millions of steps. It takes time in proportion to what the hints name."""

from typing import Final

import numpy as np

from sudoku_encode.proving import numbers
from sudoku_encode.proving.numbers import Numbers
from sudoku_encode.proving.rup_state import Progress, Tables
from sudoku_encode.run.compiling import compiled

# What `steps` returns. FOLLOWS_NOT: the hints do not lead to a contradiction. LOW: the number of a step is not above
# the last one. BROKEN: this is no step.
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


@compiled
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
    found = FOLLOWS_NOT
    at = progress[0]
    while at < len(text) and text[at] != 0:
        if text[at] == _DELETE:
            return BROKEN
        if found == FOLLOWS_NOT:
            entry = place(text[at], tables, progress[2])
            if entry < 0 or where[entry] < 0:
                progress[5] = text[at]
                return NO_CLAUSE
            left = 0
            literal_at = where[entry]
            while text[literal_at] != 0:
                literal = text[literal_at]
                if stamps[middle - literal] != stamp and literal != left:
                    if left != 0:
                        return FOLLOWS_NOT
                    left = literal
                literal_at += 1
            progress[6] += literal_at - where[entry] + 1
            if left == 0:
                found = MORE
            else:
                stamps[middle + left] = stamp
        at += 1
    progress[0] = at + 1
    return found if at < len(text) else BROKEN


@compiled
def steps(text: Numbers, tables: Tables, progress: Progress, most: int) -> int:
    """Check the next steps of a proof, until about `most` literals were looked at.

    Args:
        text: the clauses of the formula, then the proof.
        tables: see `rup_state`.
        progress: see `rup_state`; it is brought up to date, and names the step at fault.
        most: how many literals are looked at in this call, about.

    Returns:
        ENDED, the empty clause is derived; MORE, nothing is wrong so far; or what is wrong.
    """
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
