"""The steps of a search by placements: patterns, numbers of placements of each value, guesses, and their consequences.

The method's own search is compiled; this one is plain and makes lists of its own (`plain`). Both choose the value with
the fewest placements first. This one uses cells instead of lines: a placement is a set of cells, even if values have
several patterns. It tries placements in another order, so it finds the same solutions in another way.
"""

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from sudoku_encode.errors import plural
from sudoku_encode.placements import solutions, unsupported_reason
from sudoku_encode.placements.plain import possible_lines
from sudoku_encode.placements.plain_search import Search, numbers_text, reach
from sudoku_encode.placements.structure import patterns, side
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.dead_ends import NONE
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Step

__all__ = ["MAX_SOLUTIONS", "explain", "solutions", "unsupported_reason"]

# How many steps are printed of all searches, and of each; later steps are for programs only.
MAX_PRINTED, MAX_PRINTED_OF_ONE = 300, 40
# The number of solutions after which it ends: cubes with few givens have more than anybody could list.
MAX_SOLUTIONS = 10
# How many values a search places in its first turn. Each turn is twice as long as the one before.
_FIRST_TURN = 5_000


def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[Step]:
    """Yield the remaining patterns, then the steps of each search until there are enough solutions."""
    k = side(puzzle.geometry)
    possible = _possible(puzzle, k)
    yield _structure(k)
    yield _patterns_left(possible)
    shared = np.flatnonzero(possible.all(axis=0)).tolist()
    uniform = [Search(puzzle, tick, [(pattern,)] * len(possible)) for pattern in shared]
    several = [tuple(np.flatnonzero(row).tolist()) for row in possible]
    # Where each value has one pattern left, the same one, there are no others.
    mixed = [] if shared and len(set(several)) == len(several[0]) == 1 else [Search(puzzle, tick, several, mixed=True)]
    every = [*uniform, *mixed]
    yield from _printed(chain(_in_turns(uniform, every), _in_turns(mixed, every)))
    n_solutions = sum(one.n_solutions for one in every)
    placed, dead = sum(one.n_placed for one in every), sum(one.n_dead_ends for one in every)
    did = f"{placed:,} {plural('value', placed)} placed, {dead:,} dead {plural('end', dead)}"
    data = {"placed": placed, "dead_ends": dead}
    if not n_solutions:
        because = tuple(np.flatnonzero(puzzle.givens).tolist())
        yield Step(f"no solution: {did}, and nothing is left to try", "end", "nothing left", because, data=NONE | data)
        return
    complete = all(one.ended for one in every)
    more = "" if complete else "at least "
    text = f"{more}{n_solutions} {plural('solution', n_solutions)}: {did}"
    yield Step(text, "end", data={"solutions": n_solutions, "complete": complete} | data)


def _possible(puzzle: Puzzle, k: int) -> Bools:
    """Return the patterns that the givens leave to each value: bool (values, patterns)."""
    may, must = reach(puzzle)
    in_all_blocks = [
        possible_lines(k, pattern, may, must).any(axis=-1).all(axis=-1) for pattern in range(len(patterns(k)))
    ]
    return np.stack(in_all_blocks, axis=1)


def _structure(k: int) -> Step:
    """Return a step that explains placements and patterns."""
    n, blocks = k * k, k**3
    text = (
        f"The board is {blocks} blocks of {k}x{k}x{k} cells. In a block a value has {k} cells, one in each layer of"
        " each direction: a line.\n"
        f"A placement of a value is all its cells, a line in each block: {blocks * k} cells."
    )
    if k == 3:
        text += (
            "\nFrom layer to layer a line goes up or down, round the corner. The rules tie this together from block to"
            " block: there\nare 256 patterns of up and down for a value on the whole board, with 406,309,608 placements"
            " for each."
        )
    return Step(text, "note", "structure", data={"values": n, "blocks": blocks, "patterns": len(patterns(k))})


def _patterns_left(possible: Bools) -> Step:
    """Return a step with the number of patterns that the givens leave to each value, and those left to all values."""
    numbers = dict(enumerate(possible.sum(axis=1).tolist(), start=1))
    shared = np.flatnonzero(possible.all(axis=0)).tolist()
    data = {"patterns": [np.flatnonzero(row).tolist() for row in possible], "shared": shared}
    if possible.shape[1] == 1:
        return Step("There is one pattern, since up and down are the same in blocks of two layers.", data=data)
    text = f"Patterns that the givens leave to each value, of {possible.shape[1]}: {numbers_text(numbers)}\n"
    if shared:
        numbers_of_shared = " ".join(map(str, shared[:20])) + (
            f" and {len(shared) - 20} more" if len(shared) > 20 else ""
        )
        text += f"Left to all nine: {len(shared)} {plural('pattern', len(shared))}, by number {numbers_of_shared}.\n"
        text += "First come solutions whose values all have one pattern, then those of several patterns."
    else:
        text += "None is left to all nine, so the values of a solution have several patterns."
    return Step(text, "note", "patterns", data=data)


def _in_turns(searches: list[Search], every: list[Search]) -> Iterator[tuple[Search, Step]]:
    """Yield the steps of searches that take turns, until they have ended or there are enough solutions in all."""
    running, turn = [(one, one.steps()) for one in searches], _FIRST_TURN
    while running:
        for search, steps in list(running):
            end = search.n_placed + turn
            while not search.ended and search.n_placed < end:
                if sum(other.n_solutions for other in every) >= MAX_SOLUTIONS:
                    return
                yield search, next(steps)
            if search.ended:
                running.remove((search, steps))
        turn *= 2


def _printed(steps: Iterator[tuple[Search, Step]]) -> Iterator[Step]:
    """Yield steps, without their texts when too many have been printed."""
    printed, total, before = dict[str, int](), 0, ""
    for search, step in steps:
        number = printed.get(search.name, 0)
        if step.rule in ("lists", "solution", "done"):
            if before not in ("", search.name) and step.rule != "lists":
                yield Step(f"back to {search.name}:")
            before = search.name
            yield step
        elif number < MAX_PRINTED_OF_ONE and total < MAX_PRINTED:
            printed[search.name], total = number + 1, total + 1
            yield step
        else:
            if number == MAX_PRINTED_OF_ONE:
                printed[search.name] = number + 1
                yield Step("further steps have no text; --json lists them")
            yield replace(step, text="")
