"""The inner loops of `hints`: unit propagation with two watched literals, forwards once, then backwards lemma by lemma.

`compiling.compiled_module` compiles them for large proofs; small ones are done in Python before a compiler is loaded.

Backwards, only the lemmas that are needed are looked at: the contradiction needs some, those need others. Needed
clauses are propagated first, so that few others come to be needed (as in DRAT-trim: Wetzler, Heule and Hunt, SAT 2014).
Deletions are ignored: with more clauses, unit propagation finds no less.
"""

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.proving import hints_state
from sudoku_encode.proving.hints_state import State

# What the functions return besides the number of a clause.
NONE: Final = -1
# Of `forward` and `backward`: all is done, more is to do, more room is needed, a needed lemma does not follow.
DONE, MORE, FULL, NOT_RUP = range(4)

_TRAIL: Final = hints_state.TRAIL
_NEEDED_QUEUE: Final = hints_state.NEEDED_QUEUE
_QUEUE: Final = hints_state.QUEUE
_IN_FORCE: Final = hints_state.IN_FORCE
_LEMMA: Final = hints_state.LEMMA
_CONFLICT: Final = hints_state.CONFLICT
_STAMP: Final = hints_state.STAMP
_LOOKED: Final = hints_state.LOOKED
_N_ROOTS: Final = hints_state.N_ROOTS
_N_START: Final = hints_state.N_START


def assign(state: State, literal: int, reason: int) -> None:
    """Put a literal on the trail."""
    middle, progress = len(state.values) // 2, state.progress
    state.values[middle + literal], state.values[middle - literal] = 1, -1
    state.reasons[abs(literal)] = reason
    state.positions[abs(literal)] = progress[_TRAIL]
    state.trail[progress[_TRAIL]] = literal
    progress[_TRAIL] += 1


def undo(state: State, length: int) -> None:
    """Cut the trail off; what is left of it was propagated."""
    middle, progress = len(state.values) // 2, state.progress
    while progress[_TRAIL] > length:
        progress[_TRAIL] -= 1
        literal = state.trail[progress[_TRAIL]]
        state.values[middle + literal] = 0
        state.values[middle - literal] = 0
    progress[_NEEDED_QUEUE] = progress[_QUEUE] = length


def watch(state: State, clause: int, side: int) -> None:
    """Put the first (0) or second (1) literal of a clause under watch."""
    literal = state.text[state.starts[clause] + side] + len(state.values) // 2
    kind = 0 if state.needed[clause] else 1
    state.nexts[2 * clause + side] = state.heads[kind, literal]
    state.heads[kind, literal] = 2 * clause + side


def tidy(state: State, clause: int) -> bool:
    """Leave repeated literals out of a clause; say whether it has one that is true or both of a variable."""
    text, middle = state.text, len(state.values) // 2
    state.progress[_STAMP] += 1
    stamp = state.progress[_STAMP]
    satisfied = False
    end = state.starts[clause]
    at = end
    while text[at] != 0:
        literal = text[at]
        if state.seen[middle + literal] != stamp:
            state.seen[middle + literal] = stamp
            satisfied = satisfied or state.seen[middle - literal] == stamp or state.values[middle + literal] == 1
            text[end] = literal
            end += 1
        at += 1
    state.ends[clause] = end
    return satisfied


def add(state: State, clause: int) -> bool:
    """Put a clause in force; say whether the trail contradicts it.

    What is true at the root stays true as long as the clause is in force, so that a clause with such a literal needs no
    watches.
    """
    if tidy(state, clause):
        return False
    text, middle, start = state.text, len(state.values) // 2, state.starts[clause]
    free = 0
    for at in range(start, state.ends[clause]):
        literal = text[at]
        if state.values[middle + literal] == 0 and free < 2:
            text[at] = text[start + free]
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
        stays = clause < state.progress[_IN_FORCE]
        if stays and values[middle + text[start + 1 - side]] != 1:
            state.progress[_LOOKED] += 1
            for at in range(start + 2, state.ends[clause]):
                if values[middle + text[at]] != -1:
                    text[start + side], text[at] = text[at], text[start + side]
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
        kind = 0 if progress[_NEEDED_QUEUE] < progress[_TRAIL] else 1
        if progress[_NEEDED_QUEUE + kind] == progress[_TRAIL]:
            return NONE
        progress[_NEEDED_QUEUE + kind] += 1
        conflict = visit(state, -state.trail[progress[_NEEDED_QUEUE + kind] - 1], kind)
        if conflict != NONE:
            return conflict


def begin(state: State, n_formula: int) -> None:
    """Put the formula in force and propagate its units; what that satisfies is not watched any more."""
    progress = state.progress
    progress[_IN_FORCE] = n_formula
    for clause in range(n_formula):
        if add(state, clause):
            progress[_CONFLICT] = clause
            return
    progress[_CONFLICT] = propagate(state)
    if progress[_CONFLICT] == NONE:
        progress[_N_START] = progress[_TRAIL]
        state.heads[:] = NONE
        for clause in range(n_formula):
            add(state, clause)


def forward(state: State, n_formula: int, most: int) -> int:
    """Put lemmas in force, one by one, until the trail contradicts a clause or there are no more."""
    progress = state.progress
    progress[_LOOKED] = 0
    while progress[_CONFLICT] == NONE and progress[_LEMMA] < len(state.before):
        if progress[_LOOKED] > most:
            return MORE
        clause = n_formula + progress[_LEMMA]
        state.before[progress[_LEMMA]] = progress[_TRAIL]
        progress[_LEMMA] += 1
        progress[_IN_FORCE] = clause + 1
        progress[_CONFLICT] = clause if add(state, clause) else propagate(state)
        progress[_LOOKED] += 100
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
        for at in range(state.starts[clause], state.ends[clause]):
            other = state.positions[abs(state.text[at])]
            if not state.roots[other]:
                state.roots[other] = True
                stack.append(other)


def gather(state: State, clause: int, base: int) -> None:
    """Mark a clause as needed, and its variables as seen; put aside those of the root that it is not shortened by."""
    progress = state.progress
    in_formula = clause < len(state.starts) - len(state.before)
    state.needed[clause] = True
    for at in range(state.starts[clause], state.ends[clause]):
        variable = abs(state.text[at])
        position = state.positions[variable]
        if in_formula and position < min(base, progress[_N_START]):
            need(state, position)
            state.shortened[clause] = True
        elif state.seen[variable] != progress[_STAMP]:
            state.seen[variable] = progress[_STAMP]
            if position < base:
                need(state, position)
                state.used_roots[progress[_N_ROOTS]] = position
                progress[_N_ROOTS] += 1


def explain(state: State, conflict: int, base: int, hints: NDArray[np.int32], count: int) -> int:
    """Append the hints of a contradiction, the last one first; return how many there are then.

    A hint is the number of a clause, or -1 - p for the literal at place p of the root's trail. The root's come first in
    the proof, so that all that follows can use them.
    """
    progress = state.progress
    progress[_STAMP] += 1
    progress[_N_ROOTS] = 0
    gather(state, conflict, base)
    hints[count] = conflict
    count += 1
    for position in range(progress[_TRAIL] - 1, base - 1, -1):
        variable = abs(state.trail[position])
        if state.seen[variable] == progress[_STAMP] and state.reasons[variable] != NONE:
            gather(state, state.reasons[variable], base)
            hints[count] = state.reasons[variable]
            count += 1
    for at in range(progress[_N_ROOTS]):
        hints[count] = -1 - state.used_roots[at]
        count += 1
    return count


def contradict(state: State, clause: int, base: int, hints: NDArray[np.int32], count: int) -> int:
    """Suppose that a lemma is false and propagate that; append the hints, and return how many there are, or NONE."""
    middle = len(state.values) // 2
    for at in range(state.starts[clause], state.ends[clause]):
        literal = state.text[at]
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
    """Find the hints of the lemmas that are needed, the last lemma first.

    Args:
        state: after `forward` found a contradiction; its lemma is the one after those to look at.
        n_formula: how many clauses the formula has.
        hints: takes what is found.
        count: how many hints it has.
        most: return MORE after looking at about this many literals.

    Returns:
        DONE, MORE, FULL or NOT_RUP, of the lemma at which it stopped; and how many hints there are now.
    """
    progress = state.progress
    progress[_LOOKED] = 0
    while progress[_LEMMA] > 0:
        if len(hints) - count < len(state.trail) + 2:
            return FULL, count
        if progress[_LOOKED] > most:
            return MORE, count
        lemma = progress[_LEMMA] - 1
        clause = n_formula + lemma
        base = state.before[lemma]
        undo(state, base)
        progress[_IN_FORCE] = clause
        progress[_LOOKED] += 10
        if state.needed[clause]:
            found = contradict(state, clause, base, hints, count)
            if found == NONE:
                return NOT_RUP, count
            state.hint_counts[lemma] = found - count
            count = found
            undo(state, base)
        progress[_LEMMA] = lemma
    return DONE, count
