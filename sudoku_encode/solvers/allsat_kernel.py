"""The search of `allsat`, compiled: clause learning whose jumps back never skip a choice that has had solutions.

A literal is twice its variable, counted from 0, and one more if it is negated; `literal ^ 1` is its negation. A long
clause is SIZE, GLUE (levels among its literals when it was learnt; 0 if it was not), two links and the literals. Its
first two literals are watched, and each link leads to the next clause that watches the same literal, as twice its
place, and one more for its second literal; -1 ends the list.
"""

from typing import Final

from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.compiling import compiled, inlined, subroutine
from sudoku_encode.solvers.allsat import (
    AUXILIARY,
    CLAUSES_END,
    CONFLICTS,
    DECISIONS,
    DONE,
    FALSE,
    FULL,
    GLUE,
    HEADER,
    IN_PAIR,
    LEARNT,
    LEVEL,
    LINK,
    MOST_LEARNT,
    NEXT_RESTART,
    NOTHING,
    PROPAGATED,
    PROPAGATIONS,
    RESTARTS,
    TRAIL,
    TRUE,
    UNASSIGNED,
    State,
)
from sudoku_encode.solvers.allsat_learning_kernel import conflict_level, forget, highest_first, learn

# Conflicts between two restarts are this number times Luby's sequence.
_RESTART_CONFLICTS: Final = 100


@inlined
def assign(state: State, literal: int, level: int, reason: int) -> None:
    """Make a literal true, with the clause that implies it, or NOTHING."""
    state.truth[literal] = TRUE
    state.truth[literal ^ 1] = FALSE
    state.levels[literal >> 1] = level
    state.reasons[literal >> 1] = reason
    state.trail[state.counts[TRAIL]] = literal
    state.counts[TRAIL] += 1


@subroutine
def undo(state: State, level: int) -> None:
    """Take back all levels above one; literals of level 0 stay, and are propagated again."""
    counts, truth, trail = state.counts, state.truth, state.trail
    if counts[LEVEL] <= level:
        return
    start = state.level_starts[level + 1]
    stay = start
    for place in range(start, counts[TRAIL]):
        literal = trail[place]
        variable = literal >> 1
        if state.levels[variable] == 0:
            trail[stay] = literal
            stay += 1
            continue
        truth[literal] = UNASSIGNED
        truth[literal ^ 1] = UNASSIGNED
        kind = state.is_auxiliary[variable]
        if state.stamps[variable] > state.stamps[state.first_open[kind]]:
            state.first_open[kind] = variable
    counts[TRAIL] = stay
    counts[PROPAGATED] = min(counts[PROPAGATED], start)
    counts[LEVEL] = level


@subroutine
def follow_watches(state: State, false: int) -> int:
    """Look at the long clauses that watch a literal that became false; return a clause that is false, or NOTHING."""
    clauses, truth, heads = state.clauses, state.truth, state.heads
    level = state.counts[LEVEL]
    reference = heads[false]
    heads[false] = NOTHING
    conflict = NOTHING
    while reference != NOTHING:
        clause, which = reference >> 1, reference & 1
        following = clauses[clause + LINK + which]
        first = clause + HEADER
        watched = false
        other = clauses[first + 1 - which]
        if conflict == NOTHING and truth[other] != TRUE:
            for place in range(first + 2, first + clauses[clause]):
                literal = clauses[place]
                if truth[literal] != FALSE:
                    watched = literal
                    clauses[place] = false
                    clauses[first + which] = literal
                    break
            if watched == false:
                if truth[other] == FALSE:
                    conflict = clause
                else:
                    assign(state, other, level, clause)
        clauses[clause + LINK + which] = heads[watched]
        heads[watched] = reference
        reference = following
    return conflict


@subroutine
def propagate(state: State) -> int:
    """Assign what follows; return a false clause or NOTHING; IN_PAIR is one of the two literals in `pair`."""
    counts, truth, trail = state.counts, state.truth, state.trail
    level = counts[LEVEL]
    begun = counts[PROPAGATED]
    conflict = NOTHING
    while conflict == NOTHING and counts[PROPAGATED] < counts[TRAIL]:
        literal = trail[counts[PROPAGATED]]
        counts[PROPAGATED] += 1
        for place in range(state.implied_starts[literal], state.implied_starts[literal + 1]):
            implied = state.implied[place]
            if truth[implied] == UNASSIGNED:
                assign(state, implied, level, -2 - literal)
            elif truth[implied] == FALSE:
                state.pair[0] = implied
                state.pair[1] = literal ^ 1
                conflict = IN_PAIR
                break
        if conflict == NOTHING:
            conflict = follow_watches(state, literal ^ 1)
    counts[PROPAGATIONS] += counts[PROPAGATED] - begun
    if conflict != NOTHING:
        # If it stays, it is propagated again.
        counts[PROPAGATED] -= 1
    return conflict


@subroutine
def add_learnt(state: State, size: int, glue: int) -> None:
    """Store the learnt clause, and assign its first literal if the others are false."""
    learnt, counts, clauses, heads = state.learnt, state.counts, state.clauses, state.heads
    if size == 1:
        # Of level 0, so that it is never taken back, though it is on the trail behind higher levels.
        assign(state, learnt[0], 0, NOTHING)
        return
    highest_first(state, 0, size)
    highest_first(state, 1, size)
    clause = counts[CLAUSES_END]
    clauses[clause], clauses[clause + GLUE] = size, glue
    for number in range(size):
        clauses[clause + HEADER + number] = learnt[number]
    for which in range(2):
        clauses[clause + LINK + which] = heads[learnt[which]]
        heads[learnt[which]] = 2 * clause + which
    counts[CLAUSES_END] = clause + HEADER + size
    counts[LEARNT] += 1
    if state.truth[learnt[1]] == FALSE and state.truth[learnt[0]] == UNASSIGNED:
        assign(state, learnt[0], counts[LEVEL], clause)


@subroutine
def flip(state: State) -> None:
    """Go to the opposite of the last choice that was not flipped yet; without such a choice the search is done."""
    level = state.counts[LEVEL]
    while level > 0 and state.is_flipped[level]:
        level -= 1
    if level == 0:
        undo(state, 0)
        state.counts[DONE] = 1
        return
    literal = state.trail[state.level_starts[level]]
    undo(state, level - 1)
    choose(state, literal ^ 1, True)


@subroutine
def choose(state: State, literal: int, flipped: bool) -> None:
    """Begin a level with a literal."""
    counts = state.counts
    counts[LEVEL] += 1
    state.level_starts[counts[LEVEL]] = counts[TRAIL]
    state.is_flipped[counts[LEVEL]] = flipped
    assign(state, literal, counts[LEVEL], NOTHING)


@subroutine
def last_flipped(state: State) -> int:
    """Return the last level whose choice was flipped. Above it there were no solutions yet."""
    level = state.counts[LEVEL]
    while level > 0 and not state.is_flipped[level]:
        level -= 1
    return int(level)


@subroutine
def luby(number: int) -> int:
    """Return an element of Luby's sequence 1 1 2 1 1 2 4 ..., from number 1 on."""
    while True:
        power = 1
        while power - 1 < number:
            power *= 2
        if power - 1 == number:
            return power // 2
        number -= power // 2 - 1


@subroutine
def resolve(state: State, conflict: int) -> None:
    """Learn from a false clause, and continue where the search has not been."""
    counts, learnt = state.counts, state.learnt
    counts[CONFLICTS] += 1
    # No level above the clause's highest has a solution that is not listed yet.
    undo(state, conflict_level(state, conflict))
    if counts[LEVEL] == 0:
        counts[DONE] = 1
        return
    size = learn(state, conflict)
    target = glue = 0
    for number in range(1, size):
        level = state.levels[learnt[number] >> 1]
        target = max(target, level)
        if state.level_marks[level] != counts[CONFLICTS]:
            state.level_marks[level] = counts[CONFLICTS]
            glue += 1
    least = last_flipped(state)
    if least == counts[LEVEL]:
        flip(state)
        if counts[DONE]:
            return
    else:
        undo(state, max(target, least))
    add_learnt(state, size, glue + 1)


@subroutine
def decide(state: State, kind: int) -> bool:
    """Choose a value for the first open variable of a queue; False if all its variables are assigned."""
    variable = state.first_open[kind]
    while variable != NOTHING and state.truth[2 * variable] != UNASSIGNED:
        variable = state.before[variable]
    if variable == NOTHING:
        return False
    state.first_open[kind] = variable
    state.counts[DECISIONS] += 1
    choose(state, 2 * variable, False)
    return True


@subroutine
def write_grid(state: State, out: Grids, row: int) -> None:
    """Write the values of the cells; 0 where the model gives a cell no value, or two."""
    for cell in range(len(state.base)):
        out[row, cell] = state.base[cell]
    width, last = state.candidate_literals.shape[1], NOTHING
    for number in range(len(state.candidate_cells)):
        holds = True
        for place in range(width):
            literal = state.candidate_literals[number, place]
            if literal != NOTHING and state.truth[literal] != TRUE:
                holds = False
                break
        if holds:
            cell = state.candidate_cells[number]
            out[row, cell] = 0 if cell == last else state.candidate_values[number]
            last = cell


@inlined
def lacks_room(state: State) -> bool:
    """Check whether another clause might not fit."""
    return bool(state.counts[CLAUSES_END] + HEADER + len(state.levels) > len(state.clauses))


@compiled
def search(state: State, out: Grids, work: int) -> int:
    """Search until `out` is full, about `work` literals are propagated, or the end; return the number of solutions."""
    counts = state.counts
    n_solutions = 0
    ends = counts[PROPAGATIONS] + work
    while not counts[DONE] and n_solutions < len(out) and counts[PROPAGATIONS] < ends:
        if counts[LEARNT] >= counts[MOST_LEARNT] or lacks_room(state):
            forget(state)
            if lacks_room(state):
                counts[FULL] = 1
                break
        conflict = propagate(state)
        if conflict != NOTHING:
            resolve(state, conflict)
            continue
        if counts[CONFLICTS] >= counts[NEXT_RESTART]:
            counts[RESTARTS] += 1
            counts[NEXT_RESTART] = counts[CONFLICTS] + _RESTART_CONFLICTS * luby(counts[RESTARTS] + 1)
            undo(state, last_flipped(state))
            continue
        if decide(state, 0) or decide(state, AUXILIARY):
            continue
        write_grid(state, out, n_solutions)
        n_solutions += 1
        while counts[LEVEL] > 0 and state.is_auxiliary[state.trail[state.level_starts[counts[LEVEL]]] >> 1]:
            undo(state, counts[LEVEL] - 1)
        flip(state)
    return n_solutions
