"""The arrays that the search for hints works on.

Clauses are numbered from 0: first those of the formula, then the lemmas. The index of a literal is its place among the
literals from -variables up. The *root* is what unit propagation finds without any assumption;
the *start* of the root is what it finds before any lemma is added.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving.numbers import Numbers, clause_starts

Places = NDArray[np.int64]


class State(NamedTuple):
    """Arrays that the search works on.

    Attributes:
        text: int32: the literals of all clauses; the two that are watched come first in each.
        starts: int64 (clauses,): where each clause starts in the text.
        ends: int64 (clauses,): where it ends; literals that it repeats are left out.
        heads: int32 (2, literals): the first watch of each literal: of a clause that the proof is known to need, and of
            another. Watch 2 c + 0 or 1 is the first or second literal of clause c; -1, there is none.
        nexts: int32 (2 * clauses,): the next watch of the same literal.
        values: int8 (literals,): 1 true, -1 false, 0 neither.
        reasons: int64 (variables + 1,): the clause that made a variable's literal true, or -1.
        positions: int32 (variables + 1,): where on the trail it is.
        seen: int64 (literals,): stamps.
        trail: int32 (variables,): the literals that are true, in their order.
        before: int64 (lemmas,): how long the trail was before each lemma was added.
        needed: bool (clauses,): whether the proof needs a clause.
        roots: bool (variables,): whether it needs the literal at that place of the root's trail.
        shortened: bool (clauses,): whether a clause of the formula is used without its literals that are false from the
            start: then a step of its own derives the shorter clause, and lemmas use that.
        used_roots: int32 (variables,): the places of those that one contradiction needs.
        hint_counts: int32 (lemmas + 1,): how many hints each lemma has, and the contradiction in the end.
        progress: int64 (10,): length of the trail; how much of it was propagated through needed clauses, and through
            all; clauses in force; the lemma to go on with; the clause that contradicts the root, or -1; the stamp;
            clauses looked at; how many places `used_roots` has; how long the start of the root is.
    """

    text: Numbers
    starts: Places
    ends: Places
    heads: NDArray[np.int32]
    nexts: NDArray[np.int32]
    values: NDArray[np.int8]
    reasons: NDArray[np.int64]
    positions: NDArray[np.int32]
    seen: NDArray[np.int64]
    trail: NDArray[np.int32]
    before: NDArray[np.int64]
    needed: NDArray[np.bool_]
    roots: NDArray[np.bool_]
    shortened: NDArray[np.bool_]
    used_roots: NDArray[np.int32]
    hint_counts: NDArray[np.int32]
    progress: NDArray[np.int64]


TRAIL, NEEDED_QUEUE, QUEUE, IN_FORCE, LEMMA, CONFLICT, STAMP, LOOKED, N_ROOTS, N_START = range(10)


class Root(NamedTuple):
    """What unit propagation found without any assumption, in the end.

    Attributes:
        literals: int32 (places,), in their order.
        reasons: int64 (places,): the clause that each follows from.
        positions: int32 (variables + 1,): the place of each variable; the number of places, it has none.
    """

    literals: NDArray[np.int32]
    reasons: NDArray[np.int64]
    positions: NDArray[np.int32]


class Writer(NamedTuple):
    """A proof while it is written.

    Attributes:
        out: int32: the proof.
        names: int64 (clauses,): the number in the proof of each clause.
        short_names: int64 (clauses,): the same, of what is left of it where it is shortened.
        units: int64 (places of the root,): the number of the clause that says nothing but this literal.
        progress: int64 (3,): how much is written, the last number, and the place of the root to go on with.
    """

    out: Numbers
    names: NDArray[np.int64]
    short_names: NDArray[np.int64]
    units: NDArray[np.int64]
    progress: NDArray[np.int64]


SIZE, NAME, POSITION = range(3)


def root(state: State) -> Root:
    """Return the root as it is now."""
    length = int(state.progress[TRAIL])
    literals = state.trail[:length].copy()
    positions = np.full(len(state.positions), length, np.int32)
    positions[np.abs(literals)] = np.arange(length)
    return Root(literals, state.reasons[np.abs(literals)], positions)


def writer(state: State, found: Root, n_hints: int) -> Writer:
    """Return a writer with room for the whole proof."""
    n_lemmas = len(state.before)
    n_formula = len(state.starts) - n_lemmas
    sizes = state.ends - state.starts
    steps = (sizes[n_formula:].sum(), sizes[found.reasons].sum(), sizes[:n_formula][state.shortened[:n_formula]].sum())
    room = n_hints + sum(map(int, steps)) + 4 * (1 + n_lemmas + len(found.literals) + int(state.shortened.sum()))
    names = np.arange(1, len(state.starts) + 1)
    progress = np.array([0, n_formula, 0])
    return Writer(np.empty(room, np.int32), names, names.copy(), np.zeros(len(found.literals), np.int64), progress)


def state(formula: Numbers, lemmas: Numbers, n_variables: int) -> State:
    """Return the state before anything is propagated."""
    text = np.concatenate([formula, lemmas])
    starts = clause_starts(text)
    n_clauses, n_lemmas = len(starts), int(np.count_nonzero(lemmas == 0))
    progress = np.zeros(10, np.int64)
    progress[CONFLICT] = -1
    return State(
        text,
        starts,
        starts.copy(),
        np.full((2, 2 * n_variables + 1), -1, np.int32),
        np.full(2 * n_clauses, -1, np.int32),
        np.zeros(2 * n_variables + 1, np.int8),
        np.full(n_variables + 1, -1, np.int64),
        np.zeros(n_variables + 1, np.int32),
        np.zeros(2 * n_variables + 1, np.int64),
        np.zeros(n_variables + 1, np.int32),
        np.zeros(n_lemmas, np.int64),
        np.zeros(n_clauses, np.bool_),
        np.zeros(n_variables + 1, np.bool_),
        np.zeros(n_clauses, np.bool_),
        np.zeros(n_variables + 1, np.int32),
        np.zeros(n_lemmas + 1, np.int32),
        progress,
    )


def without_lemmas_after(state: State, n_formula: int, n_lemmas: int) -> State:
    """Leave out the lemmas after the one that led to a contradiction."""
    end = n_formula + n_lemmas
    return state._replace(
        starts=state.starts[:end],
        ends=state.ends[:end],
        before=state.before[:n_lemmas],
        hint_counts=state.hint_counts[: n_lemmas + 1],
    )
