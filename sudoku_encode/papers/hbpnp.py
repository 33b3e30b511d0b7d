"""Hybrids of pencil and paper and of backtracking, in three generations that differ in their data structures.

Lone singles, hidden singles and lone pairs are applied in rounds; when a round changes nothing, the first blank is
guessed, and a contradiction takes the last guess back. The versions:

- `hbpnp`: candidate lists in two parallel arrays, built anew by a scan of the puzzle for every strategy; every round
  applies all three strategies; singles are placed without a check for violations.
- `uhbpnp`: the same arrays; a correct check, which scans row, column and box (the paper's Algorithm 1); a round goes
  back to the first strategy as soon as one changes anything.
- `uhbpnp-tables`: candidates in a table addressed by row and column, updated by every placement; the check looks at
  tables of the values in each row, column and box (Algorithm 2). It takes the same decisions as `uhbpnp`.

Source: Wadud & Abdullah-Al-Wadud, faster UHBPnP, sections 1 and 2; UHBPnP is Wadud & Abdullah-Al-Wadud 2021, HBPnP is
    Onokpasa et al. 2019.
Differs: the paper does not say which blank is guessed, here the first in scan order, its candidates in ascending order;
    nor what becomes of what lone pairs cross out when lists are built anew, here it stays crossed out until the guess
    is taken back. A strategy looks at all blanks before it places anything, so that all versions place the same; hence
    the check before each placement. The search goes on after the first solution.
    The paper does not say what the check of HBPnP misses. Here it checks guesses only, not singles. Two singles of one
    value in one unit then pass, in a branch that has no solution, and the branch may end in a full grid that is wrong.
    No solution is lost and no wrong grid is given out, but the first wrong grid is the end: the search has failed. It
    does so before the solution on 7 of the ten AI puzzles of the paper's Table 1, the original on 8.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers import hbpnp_state
from sudoku_encode.papers.hbpnp_state import State
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, breaks_rule
from sudoku_encode.puzzles.rules import SQUARE_RULES

VERSIONS = ("hbpnp", "uhbpnp", "uhbpnp-tables")
MAX_VALUES = 25
FAILED = "failed: its violation check let a wrong value pass"


@dataclass(frozen=True, eq=False)
class Search:
    """A search by one of the versions, as far as it has come.

    Attributes:
        version: one of VERSIONS.
        state: of the compiled search.
    """

    version: str
    state: State

    @staticmethod
    def of(puzzle: Puzzle, version: str) -> "Search":
        """Return the search before its first round; the givens must not clash."""
        return Search(version, hbpnp_state.start(puzzle, VERSIONS.index(version)))

    def grow(self, tick: Callable[[], None]) -> Iterator[Grids]:
        """Yield full grids in batches, in the order in which the search meets them, until it ends.

        Those of `hbpnp` may be wrong.
        """
        from sudoku_encode.papers.hbpnp_kernel import advance

        rounds, goes_on = 8, True
        while goes_on:
            tick()
            started = time.monotonic()
            goes_on = advance(self.state, VERSIONS.index(self.version), rounds)
            seconds = time.monotonic() - started
            # A round takes microseconds or milliseconds, as the board and the version have it.
            rounds = rounds * 2 if seconds < 0.02 else max(1, rounds // 2) if seconds > 0.05 else rounds
            if found := int(self.state.counts[hbpnp_state.FOUND]):
                self.state.counts[hbpnp_state.FOUND] = 0
                yield self.state.out[:found].copy()

    @property
    def guesses(self) -> int:
        """How many values were guessed."""
        return int(self.state.counts[hbpnp_state.GUESSES])

    @property
    def placements(self) -> int:
        """How many values were placed, guessed ones too."""
        return int(self.state.counts[hbpnp_state.PLACEMENTS])

    @property
    def rounds(self) -> int:
        """How many rounds of strategies there were."""
        return int(self.state.counts[hbpnp_state.ROUNDS])


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is no square of rows, columns and boxes alone with few enough values, or an empty string."""
    if board.box is None or board.rule_names != SQUARE_RULES:
        return "it is for squares with rows, columns and boxes alone"
    return "" if board.n_values <= MAX_VALUES else f"it is for at most {MAX_VALUES} values"


def solutions(puzzle: Puzzle, tick: Callable[[], None], version: str = "uhbpnp-tables") -> Iterator[Grids]:
    """Yield all solutions in batches.

    Args:
        puzzle: see `unsupported_reason`.
        tick: see the package.
        version: one of VERSIONS.

    Raises:
        StoppedError: `hbpnp` met a grid that is no solution.
    """
    if puzzle.clash is not None:
        return
    for grids in Search.of(puzzle, version).grow(tick):
        # The others check every placement, so that what they fill breaks no rule.
        wrong = breaks_rule(puzzle.geometry, grids) if version == "hbpnp" else np.zeros(1, bool)
        n_right = int(np.argmax(wrong)) if wrong.any() else len(grids)
        if n_right:
            yield grids[:n_right]
        if n_right < len(grids):
            raise StoppedError(FAILED)
