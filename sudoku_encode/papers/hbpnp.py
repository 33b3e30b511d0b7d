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
    nor whether candidates crossed out by lone pairs return when lists are built anew; here they stay crossed out until
    the guess is taken back. A strategy visits all blanks before it places a value, so that all versions place the same
    values; hence the check before each placement. The search continues after the first solution.
    The paper does not say which violations the check of HBPnP misses. Here it checks guesses only, not singles. Two
    singles of one value in one unit then pass, in a branch that has no solution, and the branch may end in a full grid
    that is wrong. No solution is lost and no wrong grid is yielded, but the search fails at the first wrong grid. It
    fails before the solution on 7 of the ten AI puzzles of the paper's Table 1, the original on 8.
"""

import time
from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from sudoku_encode.errors import StoppedError, plural
from sudoku_encode.papers.grid_text import grid_text
from sudoku_encode.puzzles.dead_ends import NONE, DeadEnd
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, breaks_rule
from sudoku_encode.puzzles.rules import SQUARE_RULES
from sudoku_encode.puzzles.step import Candidate, Step

if TYPE_CHECKING:
    from sudoku_encode.papers.hbpnp_kernel import State

VERSIONS = ("hbpnp", "uhbpnp", "uhbpnp-tables")
MAX_VALUES = 25
FAILED = "failed: its violation check let a wrong value pass"


@dataclass(frozen=True, eq=False)
class Search:
    """A search by one of the versions, and its progress."""

    version: str  # one of VERSIONS
    state: "State"  # the state of the compiled search

    @staticmethod
    def of(puzzle: Puzzle, version: str) -> "Search":
        """Return the search before its first round; the givens must not clash."""
        from sudoku_encode.papers.hbpnp_kernel import start

        return Search(version, start(puzzle, VERSIONS.index(version)))

    def grow(self, tick: Callable[[], None]) -> Iterator[Grids]:
        """Yield full grids in batches, in the order of the search, until it ends.

        Grids of `hbpnp` may be wrong.
        """
        from sudoku_encode.papers.hbpnp_kernel import FOUND, run_rounds

        rounds, goes_on = 8, True
        while goes_on:
            tick()
            started = time.monotonic()
            goes_on = run_rounds(self.state, VERSIONS.index(self.version), rounds)
            seconds = time.monotonic() - started
            # A round takes microseconds or milliseconds, depending on the board and the version.
            rounds = rounds * 2 if seconds < 0.02 else max(1, rounds // 2) if seconds > 0.05 else rounds
            if n_grids := int(self.state.counts[FOUND]):
                self.state.counts[FOUND] = 0
                yield self.state.out[:n_grids].copy()

    @property
    def work(self) -> tuple[int, int, int]:
        """The numbers of values guessed, of values placed, guesses included, and of rounds of strategies."""
        from sudoku_encode.papers.hbpnp_kernel import GUESSES

        guesses, placements, rounds = self.state.counts[GUESSES:].tolist()
        return guesses, placements, rounds


def unsupported_reason(board: Geometry) -> str:
    """Return why a board is not supported, or "": rows, columns and boxes only, at most MAX_VALUES values."""
    if board.box is None or board.rule_names != SQUARE_RULES:
        return "it supports only squares with just the rules row, column and box"
    return "" if board.n_values <= MAX_VALUES else f"it supports at most {MAX_VALUES} values"


def solutions(puzzle: Puzzle, tick: Callable[[], None], version: str = "uhbpnp-tables") -> Iterator[Grids]:
    """Yield all solutions in batches, by one of VERSIONS.

    Raises:
        StoppedError: `hbpnp` filled a grid that is not a solution.
    """
    if puzzle.clash is not None:
        return
    for grids in Search.of(puzzle, version).grow(tick):
        # The other versions check every placement, so their grids break no rule.
        wrong = breaks_rule(puzzle.geometry, grids) if version == "hbpnp" else np.zeros(1, bool)
        n_right = int(np.argmax(wrong)) if wrong.any() else len(grids)
        if n_right:
            yield grids[:n_right]
        if n_right < len(grids):
            raise StoppedError(FAILED)


# The steps of `explain`: the same search in Python, with the same decisions and counts as the compiled one. Cells are
# written as in the paper: (2, 2) for row 2 and column 2, and L[2, 2] for its list of candidates.

# The most steps to print; later steps are data only.
MAX_PRINTED = 300
_KINDS = ("row", "column", "sub-grid")


@dataclass
class Replay:
    """A search in Python, and its progress. Sets of values are bits, value 1 is bit 0."""

    puzzle: Puzzle
    version: str  # as in `hbpnp`
    units: list[tuple[str, list[int]]] = field(init=False)  # the cells of each row, column and sub-grid, with its name
    units_of_cells: list[list[int]] = field(init=False)  # the three units of each cell
    grid: list[int] = field(init=False)  # 0 is a blank
    allowed: list[int] = field(init=False)  # the candidates that pencilmarks and lone pairs leave in each cell
    # Cell and value of each open guess, with the grid and `allowed` before it.
    guesses: list[tuple[int, int, list[int], list[int]]] = field(default_factory=list)
    contradiction: DeadEnd = field(default_factory=DeadEnd)  # the last one
    # Of guesses, placements, rounds, and lists built.
    counts: dict[str, int] = field(
        default_factory=lambda: dict.fromkeys(("guesses", "placements", "rounds", "lists"), 0)
    )

    def __post_init__(self) -> None:
        """Put the givens on the board."""
        board = self.puzzle.geometry
        self.units = [
            (f"{kind} {number}", cells)
            for kind, rule in zip(_KINDS, board.rules, strict=True)
            for number, cells in enumerate(rule.units.tolist(), start=1)
        ]
        self.units_of_cells = [[] for _ in range(board.n_cells)]
        for number, (_, cells) in enumerate(self.units):
            for cell in cells:
                self.units_of_cells[cell].append(number)
        self.grid = self.puzzle.givens.tolist()
        bits = 1 << np.arange(board.n_values, dtype=np.int64)
        self.allowed = (self.puzzle.candidates @ bits).tolist()

    def text(self, cell: int) -> str:
        """Return a cell as written in the paper."""
        row, column = divmod(cell, self.puzzle.geometry.n_values)
        return f"({row + 1}, {column + 1})"

    def lists(self) -> dict[int, int]:
        """Return the candidates of each blank."""
        self.counts["lists"] += 1
        used = [0] * len(self.units)
        for number, (_, cells) in enumerate(self.units):
            for cell in cells:
                used[number] |= 1 << self.grid[cell] >> 1
        lists = {}
        for cell, value in enumerate(self.grid):
            if value == 0:
                row, column, box = self.units_of_cells[cell]
                lists[cell] = self.allowed[cell] & ~(used[row] | used[column] | used[box])
        return lists

    def violation(self, cell: int, value: int) -> int | None:
        """Return a cell of the same row, column or sub-grid that holds the value, or None."""
        peers = (other for unit in self.units_of_cells[cell] for other in self.units[unit][1])
        return next((other for other in peers if self.grid[other] == value), None)

    def put(self, cell: int, value: int) -> None:
        """Put a value on a blank."""
        self.grid[cell] = value
        self.counts["placements"] += 1

    def go(self, tick: Callable[[], None]) -> Iterator[Step]:
        """Yield each step until the search ends; a full grid is a step of the kind `grid`."""
        while True:
            tick()
            outcome = yield from self._round()
            full = 0 not in self.grid
            if outcome == "contradiction" or full:
                if outcome != "contradiction":
                    grid = list(self.grid)
                    text = f"the grid is full:\n{grid_text(self.puzzle.geometry, grid)}"
                    yield Step(text, "grid", "full", data={"grid": grid})
            elif outcome == "unchanged":
                self.guesses.append((self.grid.index(0), 0, list(self.grid), list(self.allowed)))
            else:
                continue
            if not (yield from self._next_guess()):
                return

    def _round(self) -> Generator[Step, None, str]:
        self.counts["rounds"] += 1
        outcome = "unchanged"
        for strategy in (self._lone_singles, self._hidden_singles, self._lone_pairs):
            strategy_outcome = yield from strategy()
            if strategy_outcome == "contradiction":
                return strategy_outcome
            if strategy_outcome == "changed":
                outcome = strategy_outcome
                # HBPnP applies all three strategies in every round.
                if self.version != "hbpnp":
                    break
        return outcome

    def _lone_singles(self) -> Generator[Step, None, str]:
        lists = self.lists()
        for cell, values in lists.items():
            if not values:
                return (yield from self._contradiction(*self._empty(cell)))
        placements = [(cell, values.bit_length(), "") for cell, values in lists.items() if values.bit_count() == 1]
        return (yield from self._place_all("lone singles", placements))

    def _hidden_singles(self) -> Generator[Step, None, str]:
        lists = self.lists()
        placements = []
        for name, cells in self.units:
            once = twice = 0
            for cell in cells:
                values = lists.get(cell, 0)
                twice |= once & values
                once |= values
            for value in _values(once & ~twice):
                cell = next(cell for cell in cells if lists.get(cell, 0) >> (value - 1) & 1)
                placements.append((cell, value, name))
        return (yield from self._place_all("hidden singles", placements))

    def _place_all(self, rule: str, placements: list[tuple[int, int, str]]) -> Generator[Step, None, str]:
        """Place the values of a strategy, each after the check of the version, until a contradiction."""
        before, texts, reasons, places, broken = self._candidates(), [], [], [], ""
        because: tuple[int, ...] = ()
        for cell, value, unit in placements:
            if self.grid[cell] == value:
                continue
            where = f" in {unit}" if unit else ""
            if self.grid[cell]:
                broken, because = (
                    f"{value} is to be on {self.text(cell)}{where}, which holds {self.grid[cell]}",
                    (cell,),
                )
                break
            # HBPnP checks guesses only: an interpretation, see the module.
            other = None if self.version == "hbpnp" else self.violation(cell, value)
            if other is not None:
                broken = f"{value} on {self.text(cell)}{where} is a violation, since {self.text(other)} holds it"
                because = (cell, other)
                break
            self.put(cell, value)
            places.append((cell, value))
            texts.append(f"{value} on {self.text(cell)}{where}")
            reasons.append({"cell": cell, "value": value, "unit": unit})
        if places:
            after = self._candidates()
            removes = [pair for pair in before if pair not in after and pair not in set(places)]
            text = f"round {self.counts['rounds']}, {rule}: {'; '.join(texts)}"
            data = {"round": self.counts["rounds"], "found": reasons}
            yield Step(text, "place", rule, tuple(cell for cell, _ in places), tuple(places), tuple(removes), data)
        if broken:
            return (yield from self._contradiction(broken, because))
        return "changed" if placements else "unchanged"

    def _candidates(self) -> dict[Candidate, None]:
        """Return the candidates of all cells; the only candidate of a filled cell is its value."""
        self.counts["lists"] -= 1
        lists = self.lists()
        candidates = {(cell, value): None for cell, values in lists.items() for value in _values(values)}
        return candidates | {(cell, value): None for cell, value in enumerate(self.grid) if value}

    def _lone_pairs(self) -> Generator[Step, None, str]:
        lists = self.lists()
        outcome = "unchanged"
        for name, cells in self.units:
            for place, first in enumerate(cells):
                for second in cells[place + 1 :]:
                    pair = lists.get(first, 0)
                    if pair.bit_count() != 2 or lists.get(second, 0) != pair:
                        continue
                    removed = [
                        (cell, value)
                        for cell in cells
                        if cell not in (first, second)
                        for value in _values(lists.get(cell, 0) & pair)
                    ]
                    for cell, value in removed:
                        lists[cell] &= ~(1 << value - 1)
                        self.allowed[cell] &= ~(1 << value - 1)
                    if removed:
                        outcome = "changed"
                        low, high = _values(pair)
                        crossed = ", ".join(f"{value} from {self.text(cell)}" for cell, value in removed)
                        both = f"{self.text(first)} and {self.text(second)} in {name}"
                        text = f"round {self.counts['rounds']}, lone pair of {low} and {high} on {both}: {crossed}"
                        data = {"round": self.counts["rounds"], "unit": name, "values": [low, high]}
                        yield Step(text, "remove", "lone pairs", (first, second), (), tuple(removed), data)
        return outcome

    def _contradiction(self, text: str, because: tuple[int, ...]) -> Generator[Step, None, str]:
        self.contradiction = DeadEnd(text, because)
        message = f"round {self.counts['rounds']}, contradiction: {text}"
        yield Step(message, "note", "contradiction", because, data={"round": self.counts["rounds"]})
        return "contradiction"

    def _empty(self, cell: int) -> DeadEnd:
        """Return why a cell has no candidate: the cells that hold its values; lone pairs removed the other values."""
        peers = {other for unit in self.units_of_cells[cell] for other in self.units[unit][1]}
        holding = {self.grid[other]: other for other in sorted(peers, reverse=True) if self.grid[other]}
        reasons = ", ".join(f"{value} is on {self.text(other)}" for value, other in sorted(holding.items()))
        return DeadEnd(f"L{self._cell_index(cell)} is empty: {reasons}", (cell, *sorted(holding.values())))

    def _next_guess(self) -> Generator[Step, None, bool]:
        """Place the next candidate of the last guess that has one; False if none has."""
        while self.guesses:
            cell, value, grid, allowed = self.guesses.pop()
            if value:
                taken = tuple(
                    (at, now) for at, (old, now) in enumerate(zip(grid, self.grid, strict=True)) if old != now
                )
                guess = f"the guess of {value} on {self.text(cell)}"
                text = f"back to the board before {guess}: {len(taken)} {plural('value', len(taken))} removed"
                yield Step(text, "undo", "guess", (cell,), removes=taken, data={"depth": len(self.guesses)})
            self.grid, self.allowed = list(grid), list(allowed)
            values = [other for other in _values(self.lists()[cell]) if other > value]
            if not values:
                continue
            self.guesses.append((cell, values[0], grid, allowed))
            self.counts["guesses"] += 1
            before = self._candidates()
            self.put(cell, values[0])
            after = self._candidates()
            removes = [pair for pair in before if pair not in after]
            row, column = divmod(cell, self.puzzle.geometry.n_values)
            listed = " ".join(map(str, values))
            blank = f"the first blank, L[{row + 1}, {column + 1}] = {listed}"
            text = f"guess {self.counts['guesses']}: {values[0]} on {blank}"
            data = {"depth": len(self.guesses), "left": values[1:]}
            yield Step(text, "guess", "guess", (cell,), ((cell, values[0]),), tuple(removes), data)
            return True
        return False

    def _cell_index(self, cell: int) -> str:
        row, column = divmod(cell, self.puzzle.geometry.n_values)
        return f"[{row + 1}, {column + 1}]"


def explain(puzzle: Puzzle, tick: Callable[[], None], version: str = "uhbpnp-tables") -> Iterator[Step]:
    """Yield the lists of candidates, each step of the search until it ends, and the totals.

    Raises:
        StoppedError: by `tick`; or `hbpnp` filled a grid that is not a solution.
    """
    replay = Replay(puzzle, version)
    yield _first_lists(replay)
    n_solutions, stopped = 0, None
    try:
        for number, step in enumerate(replay.go(tick)):
            if number == MAX_PRINTED:
                yield Step("further steps have no text; --json lists them")
            yield step if number < MAX_PRINTED else replace(step, text="")
            if step.rule == "full":
                n_solutions += 1
                if wrong := _repeated_value(replay):
                    n_solutions -= 1
                    yield Step(f"this grid is wrong: {wrong}", "note", "failure")
                    raise StoppedError(FAILED)
    except StoppedError as reason:
        stopped = reason
    counts = replay.counts
    lists = (
        "built once, and updated with every value" if version == "uhbpnp-tables" else f"built {counts['lists']} times"
    )
    did = f"{counts['guesses']} guesses, {counts['placements']} values placed, {counts['rounds']} rounds"
    yield Step(f"{did}; the lists were {lists}", data=dict(counts))
    if not n_solutions and not stopped:
        tries = (
            f"each of the {counts['guesses']} guesses led to a contradiction, the last: " if counts["guesses"] else ""
        )
        why = replay.contradiction
        yield Step(f"no solution: {tries}{why.text}", "end", "contradiction", why.cells, data=NONE)
        return
    text = f"{'at least ' if stopped else ''}{n_solutions} solution{'' if n_solutions == 1 else 's'}"
    yield Step(text, "end", data={"solutions": n_solutions, "complete": not stopped})
    if stopped:
        raise stopped


def _first_lists(replay: Replay) -> Step:
    lists = replay.lists()
    rows: dict[int, list[str]] = {}
    for cell, mask in lists.items():
        row, column = divmod(cell, replay.puzzle.geometry.n_values)
        rows.setdefault(row, []).append(f"L[{row + 1}, {column + 1}] = {' '.join(map(str, _values(mask)))}")
    candidates = [list(_values(lists[cell])) if cell in lists else [value] for cell, value in enumerate(replay.grid)]
    text = "\n".join(", ".join(row) for row in rows.values())
    return Step(text, "candidates", "lists", data={"candidates": candidates})


def _repeated_value(replay: Replay) -> str:
    """Return a text with two cells of a unit that hold the same value, or an empty string."""
    for name, cells in replay.units:
        seen: dict[int, int] = {}
        for cell in cells:
            value = replay.grid[cell]
            if value in seen:
                return f"{value} is on {replay.text(seen[value])} and {replay.text(cell)} of {name}"
            seen[value] = cell
    return ""


# The family of `marks` has the same; methods of two families share no code.
def _values(mask: int) -> tuple[int, ...]:
    return tuple(bit + 1 for bit in range(mask.bit_length()) if mask >> bit & 1)
