"""Learning and forgetting in the search of `allsat`, compiled; see `allsat_kernel` for literals and clauses."""

from typing import Final

from sudoku_encode.run.compiling import inlined, subroutine
from sudoku_encode.solvers.allsat import (
    CLAUSES_END,
    FALSE,
    GLUE,
    HEADER,
    IN_PAIR,
    LEARNT,
    LEARNT_START,
    LEVEL,
    LINK,
    MOST_LEARNT,
    NOTHING,
    STAMP,
    TRAIL,
    UNASSIGNED,
    State,
)

# How many more clauses may be learnt after each time that the worse half was forgotten, and at most.
_MORE_LEARNT: Final = 300
_MOST_LEARNT: Final = 20_000
# Learnt clauses of so few levels are never forgotten.
_BEST_GLUE: Final = 2


@subroutine
def conflict_level(state: State, conflict: int) -> int:
    """Return the highest level of a false clause."""
    if conflict < 0:
        return int(max(state.levels[state.pair[0] >> 1], state.levels[state.pair[1] >> 1]))
    highest = 0
    for number in range(state.clauses[conflict]):
        highest = max(highest, int(state.levels[state.clauses[conflict + HEADER + number] >> 1]))
    return highest


@inlined
def n_of_reason(state: State, reason: int) -> int:
    """Return how many literals a clause has."""
    return int(state.clauses[reason]) if reason >= 0 else 2


@inlined
def of_reason(state: State, reason: int, number: int, implied: int) -> int:
    """Return a literal of the clause that implies a literal."""
    if reason >= 0:
        return int(state.clauses[reason + HEADER + number])
    return implied if number == 0 else (-2 - reason) ^ 1


@subroutine
def bump(state: State, variable: int) -> None:
    """Move a variable to the front of its queue, to be decided first."""
    kind = state.is_auxiliary[variable]
    if state.front[kind] == variable:
        return
    after, before = state.after[variable], state.before[variable]
    state.before[after] = before
    if before != NOTHING:
        state.after[before] = after
    if state.first_open[kind] == variable:
        # It is assigned, and so are all in front of it.
        state.first_open[kind] = before if before != NOTHING else after
    front = state.front[kind]
    state.after[front] = variable
    state.before[variable] = front
    state.after[variable] = NOTHING
    state.front[kind] = variable
    state.counts[STAMP] += 1
    state.stamps[variable] = state.counts[STAMP]


@subroutine
def learn(state: State, conflict: int) -> int:
    """Derive a clause with one literal of the current level from a false clause; return its number of literals."""
    # It is in `learnt`, that literal first. It follows from the formula alone: only clauses are resolved, and choices,
    # tried or flipped, have no reason.
    levels, seen, learnt, trail = state.levels, state.seen, state.learnt, state.trail
    level = state.counts[LEVEL]
    size, waiting, place = 1, 0, state.counts[TRAIL]
    reason, implied, n_bumped = conflict, NOTHING, 0
    if conflict == IN_PAIR:
        reason, implied = -2 - (state.pair[1] ^ 1), state.pair[0]
    skipped = NOTHING
    while True:
        for number in range(n_of_reason(state, reason)):
            literal = of_reason(state, reason, number, implied)
            variable = literal >> 1
            if literal == skipped or seen[variable] or levels[variable] == 0:
                continue
            seen[variable] = True
            state.bumped[n_bumped] = variable
            n_bumped += 1
            if levels[variable] == level:
                waiting += 1
            else:
                learnt[size] = literal
                size += 1
        place -= 1
        while not (seen[trail[place] >> 1] and levels[trail[place] >> 1] == level):
            place -= 1
        skipped = implied = trail[place]
        waiting -= 1
        if waiting == 0:
            break
        reason = state.reasons[implied >> 1]
    learnt[0] = implied ^ 1
    size = shorten(state, size)
    for number in range(n_bumped):
        seen[state.bumped[number]] = False
    # In the order of the queue they would stay together better, but sorting them takes longer than it saves.
    for number in range(n_bumped):
        bump(state, state.bumped[number])
    return size


@subroutine
def shorten(state: State, size: int) -> int:
    """Drop literals that the others imply from the clause that is learnt; return how many are left."""
    learnt, stay = state.learnt, 1
    for place in range(1, size):
        literal = learnt[place]
        reason = state.reasons[literal >> 1]
        implied = reason != NOTHING
        if implied:
            for number in range(n_of_reason(state, reason)):
                variable = of_reason(state, reason, number, literal ^ 1) >> 1
                if not state.seen[variable] and state.levels[variable] != 0:
                    implied = False
                    break
        if not implied:
            learnt[stay] = literal
            stay += 1
    return stay


@subroutine
def highest_first(state: State, start: int, size: int) -> None:
    """Swap to place `start` of the learnt clause a literal that is not false, or else one of the highest level."""
    learnt = state.learnt
    best, height = start, -1
    for place in range(start, size):
        literal = learnt[place]
        own = len(state.levels) + 1 if state.truth[literal] != FALSE else state.levels[literal >> 1]
        if own > height:
            best, height = place, own
    learnt[start], learnt[best] = learnt[best], learnt[start]


@subroutine
def glue_of_better_half(state: State) -> int:
    """Return up to which glue learnt clauses stay: about half of them."""
    counts, clauses, glues = state.counts, state.clauses, state.glues
    for glue in range(len(glues)):
        glues[glue] = 0
    place = counts[LEARNT_START]
    while place < counts[CLAUSES_END]:
        glues[clauses[place + GLUE]] += 1
        place += HEADER + clauses[place]
    most_glue, n_better = _BEST_GLUE, glues[0] + glues[1] + glues[2]
    while n_better + glues[most_glue + 1] <= counts[LEARNT] // 2:
        most_glue += 1
        n_better += glues[most_glue]
    return most_glue


@subroutine
def forget(state: State) -> None:
    """Drop the worse half of the learnt clauses; those that are reasons stay."""
    counts, clauses, heads = state.counts, state.clauses, state.heads
    learnt_start = counts[LEARNT_START]
    most_glue = glue_of_better_half(state)
    for literal in range(len(heads)):
        heads[literal] = NOTHING
    place, end, n_learnt = 0, 0, 0
    while place < counts[CLAUSES_END]:
        size = clauses[place]
        reason_of = clauses[place + HEADER] >> 1
        other = clauses[place + HEADER + 1] >> 1
        if state.reasons[reason_of] != place or state.truth[2 * reason_of] == UNASSIGNED:
            reason_of = other
        is_reason = state.reasons[reason_of] == place and state.truth[2 * reason_of] != UNASSIGNED
        if place < learnt_start or is_reason or clauses[place + GLUE] <= most_glue:
            if is_reason:
                state.reasons[reason_of] = end
            for number in range(HEADER + size):
                clauses[end + number] = clauses[place + number]
            for which in range(2):
                literal = clauses[end + HEADER + which]
                clauses[end + LINK + which] = heads[literal]
                heads[literal] = 2 * end + which
            end += HEADER + size
            n_learnt += place >= learnt_start
        place += HEADER + size
    counts[CLAUSES_END], counts[LEARNT] = end, n_learnt
    counts[MOST_LEARNT] = min(counts[MOST_LEARNT] + _MORE_LEARNT, _MOST_LEARNT)
