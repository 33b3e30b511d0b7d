"""HBPnP and UHBPnP shown at work: what each strategy finds and why, each guess, and each that is taken back.

The search of `hbpnp` is compiled; this one is written in Python, takes the same decisions and counts them alike. Cells
are written as in the paper, (2, 2) for row 2 and column 2, and L[2, 2] for its list of candidates.

Source: Wadud & Abdullah-Al-Wadud, faster UHBPnP, sections 1 and 2.
Differs: see `hbpnp`.
"""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers.grid_text import grid_text
from sudoku_encode.papers.hbpnp import FAILED, solutions, unsupported_reason
from sudoku_encode.puzzles.dead_ends import NONE, DeadEnd
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.step import Candidate, Step

__all__ = ["Replay", "explain", "solutions", "unsupported_reason"]

# Steps that are printed; those after them are for programs only.
MAX_PRINTED = 300
_KINDS = ("row", "column", "sub-grid")


@dataclass
class Replay:
    """A search, as far as it has come. Sets of values are bits, value 1 is bit 0.

    Attributes:
        puzzle: the puzzle.
        version: as in `hbpnp`.
        units: the cells of each row, column and sub-grid, with its name.
        units_of_cells: for each cell its three units.
        grid: 0 is a blank.
        allowed: what pencilmarks and lone pairs leave to each cell.
        guesses: cell and value of each guess that stands, with the grid and `allowed` before it.
        contradiction: the last one.
        counts: of guesses, placements, rounds, and lists built.
    """

    puzzle: Puzzle
    version: str
    units: list[tuple[str, list[int]]] = field(init=False)
    units_of_cells: list[list[int]] = field(init=False)
    grid: list[int] = field(init=False)
    allowed: list[int] = field(init=False)
    guesses: list[tuple[int, int, list[int], list[int]]] = field(default_factory=list)
    contradiction: DeadEnd = field(default_factory=DeadEnd)
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
        """Write a cell as in the paper."""
        row, column = divmod(cell, self.puzzle.geometry.n_values)
        return f"({row + 1}, {column + 1})"

    def lists(self) -> dict[int, int]:
        """Return the candidates of each blank."""
        self.counts["lists"] += 1
        held = [0] * len(self.units)
        for number, (_, cells) in enumerate(self.units):
            for cell in cells:
                held[number] |= 1 << self.grid[cell] >> 1
        found = {}
        for cell, value in enumerate(self.grid):
            if value == 0:
                row, column, box = self.units_of_cells[cell]
                found[cell] = self.allowed[cell] & ~(held[row] | held[column] | held[box])
        return found

    def violation(self, cell: int, value: int) -> int | None:
        """Return a cell of the row, the column or the sub-grid that holds the value."""
        peers = (other for unit in self.units_of_cells[cell] for other in self.units[unit][1])
        return next((other for other in peers if self.grid[other] == value), None)

    def put(self, cell: int, value: int) -> None:
        """Put a value on a blank."""
        self.grid[cell] = value
        self.counts["placements"] += 1

    def go(self, tick: Callable[[], None]) -> Iterator[Step]:
        """Yield each step until the search has ended; a full grid is a step of the kind `grid`."""
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
            found = yield from strategy()
            if found == "contradiction":
                return found
            if found == "changed":
                outcome = found
                # HBPnP applies all three in every round.
                if self.version != "hbpnp":
                    break
        return outcome

    def _lone_singles(self) -> Generator[Step, None, str]:
        lists = self.lists()
        for cell, left in lists.items():
            if not left:
                return (yield from self._contradiction(*self._empty(cell)))
        wanted = [(cell, left.bit_length(), "") for cell, left in lists.items() if left.bit_count() == 1]
        return (yield from self._place_all("lone singles", wanted))

    def _hidden_singles(self) -> Generator[Step, None, str]:
        lists = self.lists()
        wanted = []
        for name, cells in self.units:
            once = twice = 0
            for cell in cells:
                left = lists.get(cell, 0)
                twice |= once & left
                once |= left
            for value in _values(once & ~twice):
                cell = next(cell for cell in cells if lists.get(cell, 0) >> (value - 1) & 1)
                wanted.append((cell, value, name))
        return (yield from self._place_all("hidden singles", wanted))

    def _place_all(self, rule: str, wanted: list[tuple[int, int, str]]) -> Generator[Step, None, str]:
        """Put what a strategy has found, each after the check of the version, until one contradicts."""
        before, said, reasons, places, broken = self._candidates(), [], [], [], ""
        because: tuple[int, ...] = ()
        for cell, value, unit in wanted:
            if self.grid[cell] == value:
                continue
            where = f" in {unit}" if unit else ""
            if self.grid[cell]:
                broken, because = (
                    f"{value} is to be on {self.text(cell)}{where}, which holds {self.grid[cell]}",
                    (cell,),
                )
                break
            # HBPnP checks its guesses only; that is our reading of what it misses, see `hbpnp`.
            other = None if self.version == "hbpnp" else self.violation(cell, value)
            if other is not None:
                broken = f"{value} on {self.text(cell)}{where} is a violation, since {self.text(other)} holds it"
                because = (cell, other)
                break
            self.put(cell, value)
            places.append((cell, value))
            said.append(f"{value} on {self.text(cell)}{where}")
            reasons.append({"cell": cell, "value": value, "unit": unit})
        if places:
            after = self._candidates()
            removes = [pair for pair in before if pair not in after and pair not in set(places)]
            text = f"round {self.counts['rounds']}, {rule}: {'; '.join(said)}"
            data = {"round": self.counts["rounds"], "found": reasons}
            yield Step(text, "place", rule, tuple(cell for cell, _ in places), tuple(places), tuple(removes), data)
        if broken:
            return (yield from self._contradiction(broken, because))
        return "changed" if wanted else "unchanged"

    def _candidates(self) -> dict[Candidate, None]:
        """Return the candidates of all cells; a cell with a value has it."""
        self.counts["lists"] -= 1
        lists = self.lists()
        found = {(cell, value): None for cell, left in lists.items() for value in _values(left)}
        return found | {(cell, value): None for cell, value in enumerate(self.grid) if value}

    def _lone_pairs(self) -> Generator[Step, None, str]:
        lists = self.lists()
        outcome = "unchanged"
        for name, cells in self.units:
            for at, one in enumerate(cells):
                for other in cells[at + 1 :]:
                    pair = lists.get(one, 0)
                    if pair.bit_count() != 2 or lists.get(other, 0) != pair:
                        continue
                    gone = [
                        (cell, value)
                        for cell in cells
                        if cell not in (one, other)
                        for value in _values(lists.get(cell, 0) & pair)
                    ]
                    for cell, value in gone:
                        lists[cell] &= ~(1 << value - 1)
                        self.allowed[cell] &= ~(1 << value - 1)
                    if gone:
                        outcome = "changed"
                        low, high = _values(pair)
                        crossed = ", ".join(f"{value} from {self.text(cell)}" for cell, value in gone)
                        both = f"{self.text(one)} and {self.text(other)} in {name}"
                        text = f"round {self.counts['rounds']}, lone pair of {low} and {high} on {both}: {crossed}"
                        data = {"round": self.counts["rounds"], "unit": name, "values": [low, high]}
                        yield Step(text, "remove", "lone pairs", (one, other), (), tuple(gone), data)
        return outcome

    def _contradiction(self, what: str, because: tuple[int, ...]) -> Generator[Step, None, str]:
        self.contradiction = DeadEnd(what, because)
        text = f"round {self.counts['rounds']}, contradiction: {what}"
        yield Step(text, "note", "contradiction", because, data={"round": self.counts["rounds"]})
        return "contradiction"

    def _empty(self, cell: int) -> DeadEnd:
        """Say which cells hold the values that a cell without a candidate may not have; lone pairs took the others."""
        peers = {other for unit in self.units_of_cells[cell] for other in self.units[unit][1]}
        holding = {self.grid[other]: other for other in sorted(peers, reverse=True) if self.grid[other]}
        said = ", ".join(f"{value} is on {self.text(other)}" for value, other in sorted(holding.items()))
        return DeadEnd(f"L{self._at(cell)} is empty: {said}", (cell, *sorted(holding.values())))

    def _next_guess(self) -> Generator[Step, None, bool]:
        """Place the next candidate of the last guess that has one; say False when none has."""
        while self.guesses:
            cell, value, grid, allowed = self.guesses.pop()
            if value:
                taken = tuple(
                    (at, now) for at, (old, now) in enumerate(zip(grid, self.grid, strict=True)) if old != now
                )
                text = f"back to before the guess of {value} on {self.text(cell)}: {len(taken)} values are taken out"
                yield Step(text, "undo", "guess", (cell,), removes=taken, data={"depth": len(self.guesses)})
            self.grid, self.allowed = list(grid), list(allowed)
            left = [other for other in _values(self.lists()[cell]) if other > value]
            if not left:
                continue
            self.guesses.append((cell, left[0], grid, allowed))
            self.counts["guesses"] += 1
            before = self._candidates()
            self.put(cell, left[0])
            after = self._candidates()
            removes = [pair for pair in before if pair not in after]
            row, column = divmod(cell, self.puzzle.geometry.n_values)
            some = " ".join(map(str, left))
            text = f"guess {self.counts['guesses']}, the first blank, L[{row + 1}, {column + 1}] = {some}: {left[0]}"
            data = {"depth": len(self.guesses), "left": left[1:]}
            yield Step(text, "guess", "guess", (cell,), ((cell, left[0]),), tuple(removes), data)
            return True
        return False

    def _at(self, cell: int) -> str:
        row, column = divmod(cell, self.puzzle.geometry.n_values)
        return f"[{row + 1}, {column + 1}]"


def _values(left: int) -> list[int]:
    return [value for value in range(1, left.bit_length() + 1) if left >> (value - 1) & 1]


def explain(puzzle: Puzzle, tick: Callable[[], None], version: str = "uhbpnp-tables") -> Iterator[Step]:
    """Yield the lists of candidates, each step of the search until it has ended, and what it did in all.

    Raises:
        StoppedError: by `tick`; or `hbpnp` filled a grid that is no solution.
    """
    replay = Replay(puzzle, version)
    yield _first_lists(replay)
    found, stopped = 0, None
    try:
        for number, step in enumerate(replay.go(tick)):
            if number == MAX_PRINTED:
                yield Step("further steps are records only, see --json")
            yield step if number < MAX_PRINTED else replace(step, text="")
            if step.rule == "full":
                found += 1
                if wrong := _wrong(replay):
                    found -= 1
                    yield Step(f"this grid is wrong: {wrong}", "note", "failure")
                    raise StoppedError(FAILED)
    except StoppedError as reason:
        stopped = reason
    counts = replay.counts
    lists = (
        "built once, and updated with every value" if version == "uhbpnp-tables" else f"built {counts['lists']} times"
    )
    did = f"{counts['guesses']} guesses, {counts['placements']} values put, {counts['rounds']} rounds"
    yield Step(f"{did}; the lists were {lists}", data=dict(counts))
    if not found and not stopped:
        tries = (
            f"each of the {counts['guesses']} guesses led to a contradiction, the last: " if counts["guesses"] else ""
        )
        why = replay.contradiction
        yield Step(f"no solution: {tries}{why.text}", "end", "contradiction", why.cells, data=NONE)
        return
    text = f"{'at least ' if stopped else ''}{found} solution{'' if found == 1 else 's'}"
    yield Step(text, "end", data={"solutions": found, "complete": not stopped})
    if stopped:
        raise stopped


def _first_lists(replay: Replay) -> Step:
    lists = replay.lists()
    rows: dict[int, list[str]] = {}
    for cell, left in lists.items():
        row, column = divmod(cell, replay.puzzle.geometry.n_values)
        rows.setdefault(row, []).append(f"L[{row + 1}, {column + 1}] = {' '.join(map(str, _values(left)))}")
    some = [_values(lists[cell]) if cell in lists else [value] for cell, value in enumerate(replay.grid)]
    text = "\n".join(", ".join(row) for row in rows.values())
    return Step(text, "candidates", "lists", data={"candidates": some})


def _wrong(replay: Replay) -> str:
    """Name two cells of a unit with the same value, if there are such."""
    for name, cells in replay.units:
        seen: dict[int, int] = {}
        for cell in cells:
            value = replay.grid[cell]
            if value in seen:
                return f"{value} is on {replay.text(seen[value])} and {replay.text(cell)} of {name}"
            seen[value] = cell
    return ""
