"""The figures of `rate`, each with its context: how hard a puzzle is for techniques by hand, a search and a SAT solver.

`table` lists them. Each is a function from a `FigureContext` and a deadline to a `Figure`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.table import DEFAULT_ENCODING
from sudoku_encode.errors import plural
from sudoku_encode.puzzles.arrays import freeze_fields
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.copies import copies
from sudoku_encode.questions.hinting import SOLVED, SolvePath, solve_by_hand
from sudoku_encode.questions.techniques.table import BEYOND, TECHNIQUES, choose_techniques, last_number
from sudoku_encode.run.limits import Deadline
from sudoku_encode.search import run, unsupported_reason
from sudoku_encode.search.state import DONE, TRIED, any_state, masks_of
from sudoku_encode.solvers.sat import IncrementalSolver


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure of a puzzle.

    Attributes:
        name: a key of FIGURES.
        value: the number that puzzles are sorted by; None if it has no meaning or is not known.
        text: it in words.
        data: further fields, for a record.
        reason: why there is no value.

    >>> import sudoku_encode as se
    >>> se.rate("1234341221434...", board="4x4", figures=["backdoor"]).figures["backdoor"].value
    0
    """

    name: str
    value: float | None
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)


@dataclass(frozen=True, eq=False)
class FigureContext:
    """A puzzle that is rated, with what several figures share."""

    puzzle: Puzzle  # the puzzle, which has one solution or none
    solution: Grids | None  # (n_cells,), or None
    n_copies: int  # over how many copies a median is taken
    seed: int  # of the copies
    _paths: list[SolvePath] = field(default_factory=list)

    @cached_property
    def copies(self) -> tuple[Puzzle, ...]:
        """Copies of the puzzle."""
        return tuple(copies(self.puzzle, self.n_copies, self.seed))

    def by_hand(self, deadline: Deadline) -> SolvePath:
        """Return the steps of the techniques, computed once.

        Raises:
            StoppedError: by the deadline.
        """
        if not self._paths:
            self._paths.append(solve_by_hand(self.puzzle, tick=deadline))
        return self._paths[0]


def over_copies(name: str, values: Sequence[int], context: FigureContext, **data: Any) -> Figure:
    """Return a figure that was measured on each copy: the median, quartiles, smallest and largest."""
    lowest, quarter, median, three_quarters, highest = np.percentile(values, [0, 25, 50, 75, 100]).tolist()
    n_different = len(set(context.copies))
    text = f"{median:g}, the median of {len(values)} copies; half of them are from {quarter:g} to {three_quarters:g}, "
    text += f"all from {lowest:g} to {highest:g}"
    spread = {"least": int(lowest), "quartiles": [quarter, median, three_quarters], "most": int(highest)}
    return Figure(name, median, text, spread | {"copies": len(values), "different_copies": n_different} | data)


# Solving by hand: the hardest technique, and the number of steps.


def technique(context: FigureContext, deadline: Deadline) -> Figure:
    """Return the hardest technique used, by its number; one more than the last if the techniques get stuck.

    A technique is tried only where no simpler one finds anything, so each use of the hardest was necessary.

    Raises:
        StoppedError: by the deadline.
    """
    path = context.by_hand(deadline)
    last = last_number()
    if path.ended != SOLVED:
        blanks = f"{path.n_blanks} {plural('blank', path.n_blanks)}"
        hardest = choose_techniques()[-1].name
        text = f"the techniques up to {hardest} do not solve it; they leave {blanks}"
        data = {"technique": None, "difficulty": BEYOND, "blanks": path.n_blanks}
        return Figure("technique", last + 1, text, data)
    if not path.hardest:
        data = {"technique": None, "difficulty": None, "blanks": 0}
        return Figure("technique", 0, "none: no cell is blank", data)
    row = TECHNIQUES[path.hardest]
    text = f"{row.name}, number {row.number} of {last} from simple to hard"
    return Figure("technique", row.number, text, {"technique": row.name, "difficulty": row.difficulty, "blanks": 0})


def steps(context: FigureContext, deadline: Deadline) -> Figure:
    """Return how many steps the techniques take; no value if they do not solve the puzzle.

    Raises:
        StoppedError: by the deadline.
    """
    path = context.by_hand(deadline)
    if path.ended != SOLVED:
        return Figure("steps", None, "", {}, f"the techniques get stuck after {len(path.steps)}")
    return Figure("steps", len(path.steps), f"{len(path.steps)}")


def score(context: FigureContext, deadline: Deadline) -> Figure:
    """Return the sum of the weights of all steps; no value if the techniques do not solve the puzzle.

    Source: Hobiger, HoDoKu (hodoku.sourceforge.net), whose score of a puzzle is such a sum.
    Differs: the techniques and their order are ours, so the sums differ.

    Raises:
        StoppedError: by the deadline.
    """
    path = context.by_hand(deadline)
    if path.ended != SOLVED:
        return Figure("score", None, "", {}, f"the techniques get stuck after {len(path.steps)} steps")
    total = sum(TECHNIQUES[step.technique].weight for step in path.steps)
    return Figure("score", total, f"{total}, the sum of the weights of all steps")


# The search tree: that of the method `search`, on any board.


def nodes(context: FigureContext, deadline: Deadline) -> Figure:
    """Return how many nodes the whole tree has, until it is proved that there are no more solutions.

    The root is the puzzle after naked and hidden singles. Each guess has two nodes below it: a value put into a cell,
    and the same value removed from it, each with all singles that follow. So 1 means that singles are enough, and the
    number is odd. The search guesses in a cell with the fewest candidates; if these are more than two, and a value has
    two places in a unit, it guesses that value.

    Raises:
        StoppedError: by the deadline.
    """
    if reason := unsupported_reason(context.puzzle.geometry):
        return Figure("nodes", None, "", {}, reason)
    return over_copies("nodes", [tree_size(copy, deadline) for copy in context.copies], context)


def tree_size(puzzle: Puzzle, deadline: Deadline) -> int:
    """Return how many nodes the tree of one puzzle has; see `nodes`.

    Raises:
        StoppedError: by the deadline.
    """
    state, nowhere = any_state(puzzle.geometry, masks_of(puzzle)), np.empty((0, 0), np.uint8)
    while not state.counts[DONE]:
        deadline()
        run(state, nowhere, 2**62, False)
    return 1 + 2 * int(state.counts[TRIED])


# The conflicts of a SAT solver.

# A plain solver with clause learning and no preprocessing.
SOLVER = "minisat22"
REDUCTION = "givens"


def conflicts(context: FigureContext, deadline: Deadline) -> Figure:
    """Return how many conflicts a solver has until it is proved that there are no more solutions.

    Raises:
        StoppedError: by the deadline.
    """
    counted = [conflicts_of(copy, deadline) for copy in context.copies]
    model = {"solver": SOLVER, "encoding": DEFAULT_ENCODING, "reduction": REDUCTION}
    return over_copies("conflicts", counted, context, **model)


def conflicts_of(puzzle: Puzzle, deadline: Deadline) -> int:
    """Return how many conflicts the solver has with one puzzle.

    Raises:
        StoppedError: by the deadline.
    """
    with IncrementalSolver(encode(puzzle, reduction=REDUCTION), SOLVER) as solver:
        for _ in solver.solutions(replace(deadline, solutions=2), for_good=True):
            pass
        return solver.conflicts


# Backdoors for singles.

# Larger sets are not searched for.
MOST_CELLS = 3


def backdoor(context: FigureContext, deadline: Deadline) -> Figure:
    """Return the size of a smallest set of blanks that leaves nothing but singles when it is filled, with such a set.

    Exact up to 3; a larger set has the value 4 and the text "more than 3".

    Source: Williams, Gomes & Selman 2003, Backdoors to typical case complexity.
    Differs: the rest is filled by naked and hidden singles; theirs by any solver that takes polynomial time.

    Raises:
        StoppedError: by the deadline, before any size was tried to the end.
    """
    puzzle, solution = context.puzzle, context.solution
    if reason := unsupported_reason(puzzle.geometry):
        return Figure("backdoor", None, "", {}, reason)
    assert solution is not None
    cells = smallest(puzzle, solution, deadline)
    if cells is None:
        return Figure("backdoor", MOST_CELLS + 1, f"more than {MOST_CELLS}", {"exact": False, "cells": None})
    names = [puzzle.geometry.cell_name(cell) for cell in cells]
    return Figure(
        "backdoor",
        len(cells),
        ": ".join([f"{len(cells)}", *([" ".join(names)] if names else [])]),
        {"exact": True, "cells": names},
    )


def smallest(puzzle: Puzzle, solution: Grids, deadline: Deadline) -> tuple[int, ...] | None:
    """Return a smallest set of blanks whose values let naked and hidden singles fill the rest; None for more than 3.

    Raises:
        StoppedError: by the deadline.
    """
    from sudoku_encode.questions.figure_kernels import completes
    from sudoku_encode.search.any_kernel import begin

    state = any_state(puzzle.geometry, masks_of(puzzle))
    begin(state, False)
    # A cell that singles fill is not in any smallest set.
    cells = np.flatnonzero(state.masks & (state.masks - 1))
    if not len(cells):
        return ()
    bits = (np.uint64(1) << (solution - np.uint8(1)).astype(np.uint64)).view(np.int64)
    chosen = np.zeros(MOST_CELLS, np.int64)
    for more in range(MOST_CELLS):
        for first in range(len(cells)):
            deadline()
            if completes(state, cells, bits, first, more, chosen):
                return tuple(chosen[: more + 1].tolist())
    return None
