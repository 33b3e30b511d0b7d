"""All models of an encoding, without blocking clauses: the arrays of the search in `allsat_kernel`.

The search learns clauses from conflicts, and its choices are levels. The variables of the projection are chosen first.
Once all variables are assigned, the last choice among them is flipped: the level continues with its negation. No clause
implies a flipped choice, so it counts as a choice when clauses are learnt, and learnt clauses follow from the formula
alone. A conflict may undo levels down to the last flipped one; a conflict there ends that level, and the choice before
it is flipped. So a solution is never met again, memory does not grow with their number, and the list is complete when
no choice is left to flip.

Source: Gebser, Kaufmann, Neumann & Schaub 2007 (backtracking levels); Spallitta, Sebastiani & Biere 2024 (no blocking
    clauses, flips without reasons).
Differs: a formula takes the place of the answer set program. Spallitta et al. undo one level at a conflict and learn
    the clause of the last unique implication point; here it is the first, and levels without solutions are undone at
    once. Models are not shortened: a solution settles all variables of the projection. Decisions follow the order of
    the last conflicts, restarts keep the flipped levels, and the worse half of the learnt clauses is forgotten.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.formula.cnf import Literals
from sudoku_encode.puzzles.arrays import Bools, Int32s, Int64s
from sudoku_encode.puzzles.puzzle import Grids

# Truth values of literals.
UNASSIGNED, TRUE, FALSE = 0, 1, 2
# No clause, variable or literal; a false clause of two literals, which are in `State.pair`.
NOTHING, IN_PAIR = -1, -2
# Of a clause in `State.clauses`: after its size its glue, two links, and its literals.
GLUE, LINK, HEADER = 1, 2, 4
# The queue of auxiliary variables; the other queue is 0.
AUXILIARY = 1
# Places in `State.counts`.
TRAIL, PROPAGATED, LEVEL, DONE, FULL, CLAUSES_END, LEARNT_START, LEARNT, MOST_LEARNT, NEXT_RESTART = range(10)
STAMP, CONFLICTS, DECISIONS, PROPAGATIONS, RESTARTS = range(10, 15)
FIGURES = (CONFLICTS, DECISIONS, PROPAGATIONS, RESTARTS)

# Room for learnt clauses at first, in numbers; it is doubled when it is full.
_ROOM = 1 << 18


class State(NamedTuple):
    """A search for all models; see `allsat_kernel` for literals and clauses."""

    truth: NDArray[np.int8]  # (2 * variables,): TRUE, FALSE or UNASSIGNED for each literal
    levels: Int32s  # (variables,): the number of choices on which its assignment may depend
    reasons: Int32s  # (variables,): the clause that implies it, -2 - literal for that literal alone, or NOTHING
    trail: Int32s  # the literals that are true, in order
    level_starts: Int32s  # (variables + 2,): where on the trail each level begins
    is_flipped: Bools  # (variables + 2,): whether the opposite of a level's choice was searched before
    implied_starts: Int32s  # (2 * variables + 1,): where those begin that a literal implies by clauses of two
    implied: Int32s
    clauses: Int32s  # those of the formula with three literals or more, then learnt ones
    heads: Int32s  # (2 * variables,): the first clause that watches each literal
    # Two queues of variables, to be decided from the front; `first_open` is not behind the first open variable.
    before: Int32s  # (variables,): the next one to be decided
    after: Int32s
    stamps: Int64s  # (variables,): ascending towards the front
    is_auxiliary: NDArray[np.int8]  # (variables,): its queue
    front: Int32s  # (2,)
    first_open: Int32s  # (2,)
    # For the clause that is learnt.
    pair: Int32s  # (2,)
    seen: Bools  # (variables,)
    bumped: Int32s  # (variables,)
    learnt: Int32s  # (variables + 1,)
    level_marks: Int64s  # (variables + 2,)
    glues: Int64s  # (variables + 2,): how many clauses of each glue
    # For the grids.
    base: Grids  # uint8 (n_cells,): the values of cells without literals
    candidate_cells: Int32s  # for each candidate its cell
    candidate_values: Grids
    candidate_literals: Int32s  # (candidates, width): the literals that must all be true, or NOTHING
    counts: Int64s


def state_of(encoding: Encoding) -> State:
    """Return a search that has not begun."""
    n = encoding.cnf.n_variables
    chunks = [_codes(chunk) for chunk in encoding.cnf.chunks()]
    starts, implied = _implications(n, [chunk for chunk in chunks if chunk.shape[1] == 2])
    clauses, heads = _long_clauses(n, [chunk for chunk in chunks if chunk.shape[1] > 2])
    units = np.unique(
        np.concatenate([np.zeros(0, np.int32), *(chunk[:, 0] for chunk in chunks if chunk.shape[1] == 1)])
    )
    is_auxiliary = np.ones(n, np.int8)
    is_auxiliary[encoding.projection - 1] = 0
    before, after, stamps, front = _queues(is_auxiliary)
    counts = np.zeros(15, np.int64)
    counts[[CLAUSES_END, LEARNT_START]] = len(clauses)
    counts[MOST_LEARNT], counts[NEXT_RESTART], counts[STAMP] = 2000, 100, n
    truth, trail = np.zeros(2 * n, np.int8), np.zeros(n + 1, np.int32)
    contradictory = any(chunk.shape[1] == 0 for chunk in chunks) or bool(np.isin(units ^ 1, units).any())
    counts[DONE] = contradictory or bool(encoding.contradiction)
    if not counts[DONE]:
        truth[units], truth[units ^ 1] = TRUE, FALSE
        trail[: len(units)] = units
        counts[TRAIL] = len(units)
    cells, values = np.nonzero(encoding.literals.any(axis=2))
    literals = _codes(encoding.literals[cells, values])
    literals[encoding.literals[cells, values] == 0] = NOTHING
    base = np.where(encoding.literals.any(axis=(1, 2)), 0, encoding.candidates.argmax(axis=1) + 1).astype(np.uint8)
    return State(
        truth,
        np.zeros(n, np.int32),
        np.full(n, NOTHING, np.int32),
        trail,
        np.zeros(n + 2, np.int32),
        np.zeros(n + 2, bool),
        starts,
        implied,
        np.concatenate([clauses, np.zeros(_ROOM + n, np.int32)]),
        heads,
        before,
        after,
        stamps,
        is_auxiliary,
        front,
        front.copy(),
        np.zeros(2, np.int32),
        np.zeros(n, bool),
        np.zeros(n, np.int32),
        np.zeros(n + 1, np.int32),
        np.zeros(n + 2, np.int64),
        np.zeros(n + 2, np.int64),
        base,
        cells.astype(np.int32),
        (values + 1).astype(np.uint8),
        literals,
        counts,
    )


def with_more_room(state: State) -> State:
    """Return the same search, with twice the room for clauses."""
    state.counts[FULL] = 0
    return state._replace(clauses=np.concatenate([state.clauses, np.zeros(len(state.clauses), np.int32)]))


def _codes(literals: Literals) -> Int32s:
    """Return literals as the kernel writes them."""
    return (2 * (np.abs(literals) - 1) + (literals < 0)).astype(np.int32)


def _implications(n: int, pairs: list[Int32s]) -> tuple[Int32s, Int32s]:
    """Return which literals each literal implies, as `State.implied_starts` and `State.implied`."""
    both = np.concatenate([np.zeros((0, 2), np.int32), *pairs])
    causes, effects = np.concatenate([both[:, 0], both[:, 1]]) ^ 1, np.concatenate([both[:, 1], both[:, 0]])
    starts = np.concatenate([[0], np.cumsum(np.bincount(causes, minlength=2 * n))]).astype(np.int32)
    return starts, effects[np.argsort(causes, kind="stable")]


def _long_clauses(n: int, chunks: list[Int32s]) -> tuple[Int32s, Int32s]:
    """Return the clauses as `State.clauses`, and `State.heads`."""
    rows, heads, end = [np.zeros(0, np.int32)], np.full(2 * n, NOTHING, np.int32), 0
    for chunk in chunks:
        header = np.tile(np.array([chunk.shape[1], 0, NOTHING, NOTHING], np.int32), (len(chunk), 1))
        places = end + np.arange(len(chunk)) * (HEADER + chunk.shape[1])
        for which in range(2):
            # The clauses of one literal, one after the other: each leads to the next one.
            order = np.argsort(chunk[:, which], kind="stable")
            watched, references = chunk[order, which], (2 * places[order] + which).astype(np.int32)
            is_last = np.append(watched[1:] != watched[:-1], True)[: len(watched)]
            header[order, LINK + which] = np.where(
                is_last, heads[watched], np.append(references[1:], 0)[: len(watched)]
            )
            is_first = np.insert(is_last[:-1], 0, True)[: len(watched)]
            heads[watched[is_first]] = references[is_first]
        rows.append(np.concatenate([header, chunk], axis=1).ravel())
        end += len(rows[-1])
    return np.concatenate(rows), heads


def _queues(is_auxiliary: NDArray[np.int8]) -> tuple[Int32s, Int32s, Int64s, Int32s]:
    """Return the fields of the queues, with the first variables in front."""
    n = len(is_auxiliary)
    before, after = np.full((2, n), NOTHING, np.int32)
    front = np.full(2, NOTHING, np.int32)
    for kind in range(2):
        variables = np.flatnonzero(is_auxiliary == kind)
        before[variables[:-1]], after[variables[1:]] = variables[1:], variables[:-1]
        front[kind] = variables[0] if len(variables) else NOTHING
    return before, after, np.arange(n, 0, -1, dtype=np.int64), front
