"""The inner loops of `hints`: unit propagation with two watched literals, forwards once, then backwards lemma by lemma.

`compiling.compiled_module` compiles them for large proofs; small ones are done in Python before a compiler is loaded.

Backwards, only the lemmas that are needed are looked at: the contradiction needs some, those need others. Needed
clauses are propagated first, so that few others come to be needed (as in DRAT-trim: Wetzler, Heule and Hunt, SAT 2014).
Deletions are ignored: with more clauses, unit propagation finds no less.
"""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving.numbers import Numbers, clause_starts

# The arrays of the search for hints.
#
# Clauses are numbered from 0: first those of the formula, then the lemmas. The index of a literal is its place among
# the literals from -variables up. The *root* is all that unit propagation finds without any assumption; the *start* of
# the root is the part that it finds before any lemma is added.

Places = NDArray[np.int64]


class State(NamedTuple):
    """The arrays of the search."""

    text: Numbers  # int32: the literals of all clauses; the two that are watched come first in each
    starts: Places  # int64 (clauses,): where each clause starts in the text
    ends: Places  # int64 (clauses,): where it ends; literals that it repeats are left out
    # int32 (2, literals): the first watch of each literal: of a clause that the proof is known to need, and of another.
    # Watch 2 c + 0 or 1 is the first or second literal of clause c; -1 ends the list.
    heads: NDArray[np.int32]
    nexts: NDArray[np.int32]  # (2 * clauses,): the next watch of the same literal
    values: NDArray[np.int8]  # (literals,): 1 true, -1 false, 0 neither
    reasons: NDArray[np.int64]  # (variables + 1,): the clause that made a variable's literal true, or -1
    positions: NDArray[np.int32]  # (variables + 1,): where on the trail it is
    seen: NDArray[np.int64]  # (literals,): stamps
    trail: NDArray[np.int32]  # (variables,): the literals that are true, in their order
    before: NDArray[np.int64]  # (lemmas,): how long the trail was before each lemma was added
    needed: NDArray[np.bool_]  # (clauses,): whether the proof needs a clause
    roots: NDArray[np.bool_]  # (variables,): whether it needs the literal at that place of the root's trail
    # bool (clauses,): whether a clause of the formula is used without its literals that are false from the start: then
    # a step of its own derives the shorter clause, and lemmas use that.
    shortened: NDArray[np.bool_]
    used_roots: NDArray[np.int32]  # (variables,): the places of those that one contradiction needs
    # int32 (lemmas + 1,): how many hints each lemma has, and the contradiction in the end.
    hint_counts: NDArray[np.int32]
    # int64 (10,): length of the trail; how much of it was propagated through needed clauses, and through all; clauses
    # in force; the next lemma; the clause that contradicts the root, or -1; the stamp; clauses looked at; how many
    # places `used_roots` has; how long the start of the root is.
    progress: NDArray[np.int64]


TRAIL, NEEDED_QUEUE, QUEUE, IN_FORCE, LEMMA, CONFLICT, STAMP, LOOKED, N_ROOTS, N_START = range(10)


class Root(NamedTuple):
    """The literals that unit propagation found without any assumption, in the end."""

    literals: NDArray[np.int32]  # (places,), in their order
    reasons: NDArray[np.int64]  # (places,): the clause that each follows from
    # int32 (variables + 1,): the place of each variable; the number of places, it has none.
    positions: NDArray[np.int32]


class Writer(NamedTuple):
    """A proof while it is written."""

    out: Numbers  # int32: the proof
    names: NDArray[np.int64]  # (clauses,): the number in the proof of each clause
    short_names: NDArray[np.int64]  # (clauses,): the same, of what is left of it where it is shortened
    units: NDArray[np.int64]  # (places of the root,): the number of the clause that says nothing but this literal
    progress: NDArray[np.int64]  # (3,): how much is written, the last number, and the next place of the root


SIZE, NAME, POSITION = range(3)


def current_root(state: State) -> Root:
    """Return the root as it is now."""
    length = int(state.progress[TRAIL])
    literals = state.trail[:length].copy()
    positions = np.full(len(state.positions), length, np.int32)
    positions[np.abs(literals)] = np.arange(length)
    return Root(literals, state.reasons[np.abs(literals)], positions)


def new_writer(state: State, root: Root, n_hints: int) -> Writer:
    """Return a writer with room for the whole proof."""
    n_lemmas = len(state.before)
    n_formula = len(state.starts) - n_lemmas
    sizes = state.ends - state.starts
    steps = (sizes[n_formula:].sum(), sizes[root.reasons].sum(), sizes[:n_formula][state.shortened[:n_formula]].sum())
    room = n_hints + sum(map(int, steps)) + 4 * (1 + n_lemmas + len(root.literals) + int(state.shortened.sum()))
    names = np.arange(1, len(state.starts) + 1)
    progress = np.array([0, n_formula, 0])
    return Writer(np.empty(room, np.int32), names, names.copy(), np.zeros(len(root.literals), np.int64), progress)


def new_state(formula: Numbers, lemmas: Numbers, n_variables: int) -> State:
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


# Returned in place of the number of a clause.
NONE: Final = -1
# Of `forward` and `backward`: all is done, more is to do, more room is needed, a needed lemma does not follow.
DONE, MORE, FULL, NOT_RUP = range(4)


def assign(state: State, literal: int, reason: int) -> None:
    """Put a literal on the trail."""
    middle, progress = len(state.values) // 2, state.progress
    state.values[middle + literal], state.values[middle - literal] = 1, -1
    state.reasons[abs(literal)] = reason
    state.positions[abs(literal)] = progress[TRAIL]
    state.trail[progress[TRAIL]] = literal
    progress[TRAIL] += 1


def undo(state: State, length: int) -> None:
    """Cut the trail off; the rest of it was propagated."""
    middle, progress = len(state.values) // 2, state.progress
    while progress[TRAIL] > length:
        progress[TRAIL] -= 1
        literal = state.trail[progress[TRAIL]]
        state.values[middle + literal] = 0
        state.values[middle - literal] = 0
    progress[NEEDED_QUEUE] = progress[QUEUE] = length


def watch(state: State, clause: int, side: int) -> None:
    """Put the first (0) or second (1) literal of a clause under watch."""
    literal = state.text[state.starts[clause] + side] + len(state.values) // 2
    kind = 0 if state.needed[clause] else 1
    state.nexts[2 * clause + side] = state.heads[kind, literal]
    state.heads[kind, literal] = 2 * clause + side


def tidy(state: State, clause: int) -> bool:
    """Leave repeated literals out of a clause; return whether it has a true literal or both of a variable."""
    text, middle = state.text, len(state.values) // 2
    state.progress[STAMP] += 1
    stamp = state.progress[STAMP]
    satisfied = False
    end = state.starts[clause]
    index = end
    while text[index] != 0:
        literal = text[index]
        if state.seen[middle + literal] != stamp:
            state.seen[middle + literal] = stamp
            satisfied = satisfied or state.seen[middle - literal] == stamp or state.values[middle + literal] == 1
            text[end] = literal
            end += 1
        index += 1
    state.ends[clause] = end
    return satisfied


def add(state: State, clause: int) -> bool:
    """Put a clause in force; return whether the trail contradicts it."""
    # A literal that is true at the root stays true as long as the clause is in force: such a clause needs no watches.
    if tidy(state, clause):
        return False
    text, middle, start = state.text, len(state.values) // 2, state.starts[clause]
    free = 0
    for index in range(start, state.ends[clause]):
        literal = text[index]
        if state.values[middle + literal] == 0 and free < 2:
            text[index] = text[start + free]
            text[start + free] = literal
            free += 1
    if free == 0:
        return True
    if free == 1:
        assign(state, text[start], clause)
    else:
        for side in range(2):
            watch(state, clause, side)
    return False


def visit(state: State, literal: int, kind: int) -> int:
    """Look at the watches of a literal that has become false; return a clause that the trail contradicts, or NONE."""
    text, starts, values, nexts = state.text, state.starts, state.values, state.nexts
    middle = len(values) // 2
    last = NONE
    node = state.heads[kind, middle + literal]
    while node != NONE:
        following = nexts[node]
        clause, side = node >> 1, node & 1
        start = starts[clause]
        stays = clause < state.progress[IN_FORCE]
        if stays and values[middle + text[start + 1 - side]] != 1:
            state.progress[LOOKED] += 1
            for index in range(start + 2, state.ends[clause]):
                if values[middle + text[index]] != -1:
                    text[start + side], text[index] = text[index], text[start + side]
                    watch(state, clause, side)
                    stays = False
                    break
            if stays:
                other = text[start + 1 - side]
                if values[middle + other] == -1:
                    return int(clause)
                assign(state, other, clause)
        if stays and kind == 1 and state.needed[clause]:
            watch(state, clause, side)
            stays = False
        if stays:
            last = node
        elif last == NONE:
            state.heads[kind, middle + literal] = following
        else:
            nexts[last] = following
        node = following
    return NONE


def propagate(state: State) -> int:
    """Propagate the trail; return a clause that it contradicts, or NONE."""
    progress = state.progress
    while True:
        # Of the kinds of watches, those of needed clauses (0) come first; the place in each kind's queue is beside it.
        kind = 0 if progress[NEEDED_QUEUE] < progress[TRAIL] else 1
        if progress[NEEDED_QUEUE + kind] == progress[TRAIL]:
            return NONE
        progress[NEEDED_QUEUE + kind] += 1
        conflict = visit(state, -state.trail[progress[NEEDED_QUEUE + kind] - 1], kind)
        if conflict != NONE:
            return conflict


def begin(state: State, n_formula: int) -> None:
    """Put the formula in force and propagate its units; clauses that these satisfy are not watched any more."""
    progress = state.progress
    progress[IN_FORCE] = n_formula
    for clause in range(n_formula):
        if add(state, clause):
            progress[CONFLICT] = clause
            return
    progress[CONFLICT] = propagate(state)
    if progress[CONFLICT] == NONE:
        progress[N_START] = progress[TRAIL]
        state.heads[:] = NONE
        for clause in range(n_formula):
            add(state, clause)


def forward(state: State, n_formula: int, most: int) -> int:
    """Put lemmas in force, one by one, until the trail contradicts a clause or there are no more."""
    progress = state.progress
    progress[LOOKED] = 0
    while progress[CONFLICT] == NONE and progress[LEMMA] < len(state.before):
        if progress[LOOKED] > most:
            return MORE
        clause = n_formula + progress[LEMMA]
        state.before[progress[LEMMA]] = progress[TRAIL]
        progress[LEMMA] += 1
        progress[IN_FORCE] = clause + 1
        progress[CONFLICT] = clause if add(state, clause) else propagate(state)
        progress[LOOKED] += 100
    return DONE


def need(state: State, position: int) -> None:
    """Mark a literal of the root as needed, with all that it follows from."""
    if state.roots[position]:
        return
    stack = [position]
    state.roots[position] = True
    while len(stack) > 0:
        clause = state.reasons[abs(state.trail[stack.pop()])]
        state.needed[clause] = True
        for index in range(state.starts[clause], state.ends[clause]):
            other = state.positions[abs(state.text[index])]
            if not state.roots[other]:
                state.roots[other] = True
                stack.append(other)


def gather(state: State, clause: int, base: int) -> None:
    """Mark a clause as needed, and its variables as seen; put aside those of the root that it is not shortened by."""
    progress = state.progress
    in_formula = clause < len(state.starts) - len(state.before)
    state.needed[clause] = True
    for index in range(state.starts[clause], state.ends[clause]):
        variable = abs(state.text[index])
        position = state.positions[variable]
        if in_formula and position < min(base, progress[N_START]):
            need(state, position)
            state.shortened[clause] = True
        elif state.seen[variable] != progress[STAMP]:
            state.seen[variable] = progress[STAMP]
            if position < base:
                need(state, position)
                state.used_roots[progress[N_ROOTS]] = position
                progress[N_ROOTS] += 1


def explain(state: State, conflict: int, base: int, hints: NDArray[np.int32], count: int) -> int:
    """Append the hints of a contradiction, the last one first; return how many there are then."""
    # A hint is the number of a clause, or -1 - p for the literal at place p of the root's trail. The root's come first
    # in the proof, so that all later steps can use them.
    progress = state.progress
    progress[STAMP] += 1
    progress[N_ROOTS] = 0
    gather(state, conflict, base)
    hints[count] = conflict
    count += 1
    for position in range(progress[TRAIL] - 1, base - 1, -1):
        variable = abs(state.trail[position])
        if state.seen[variable] == progress[STAMP] and state.reasons[variable] != NONE:
            gather(state, state.reasons[variable], base)
            hints[count] = state.reasons[variable]
            count += 1
    for index in range(progress[N_ROOTS]):
        hints[count] = -1 - state.used_roots[index]
        count += 1
    return count


def contradict(state: State, clause: int, base: int, hints: NDArray[np.int32], count: int) -> int:
    """Suppose that a lemma is false and propagate that; append the hints, and return how many there are, or NONE."""
    middle = len(state.values) // 2
    for index in range(state.starts[clause], state.ends[clause]):
        literal = state.text[index]
        if state.values[middle + literal] == 1:
            # True at the root: a lemma with both literals of a variable is never needed.
            need(state, state.positions[abs(literal)])
            hints[count] = -1 - state.positions[abs(literal)]
            return count + 1
        if state.values[middle + literal] == 0:
            assign(state, -literal, NONE)
    conflict = propagate(state)
    return NONE if conflict == NONE else explain(state, conflict, base, hints, count)


def backward(state: State, n_formula: int, hints: NDArray[np.int32], count: int, most: int) -> tuple[int, int]:
    """Append the hints of needed lemmas, the last lemma first; return DONE, MORE, FULL or NOT_RUP, and their number."""
    # The state is that after `forward` found a contradiction; MORE comes after about `most` literals.
    progress = state.progress
    progress[LOOKED] = 0
    while progress[LEMMA] > 0:
        if len(hints) - count < len(state.trail) + 2:
            return FULL, count
        if progress[LOOKED] > most:
            return MORE, count
        lemma = progress[LEMMA] - 1
        clause = n_formula + lemma
        base = state.before[lemma]
        undo(state, base)
        progress[IN_FORCE] = clause
        progress[LOOKED] += 10
        if state.needed[clause]:
            new_count = contradict(state, clause, base, hints, count)
            if new_count == NONE:
                return NOT_RUP, count
            state.hint_counts[lemma] = new_count - count
            count = new_count
            undo(state, base)
        progress[LEMMA] = lemma
    return DONE, count
