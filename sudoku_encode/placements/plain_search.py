"""A plain search for the cubes whose values have some patterns, step by step: for `steps`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import plural
from sudoku_encode.placements.plain import cells_of_lines, lines_left, unpacked
from sudoku_encode.placements.plain_lists import Left, Propagated, counted, narrowed, numbers_of, propagated, reach
from sudoku_encode.placements.structure import side
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.puzzle import Puzzle, check
from sudoku_encode.puzzles.step import Candidate, Step


class Placed(NamedTuple):
    """A value that has a placement.

    Attributes:
        cells: bool (n_cells,).
        pattern: of signs.
        which: for people, the number of the one that was tried and of how many; empty where there is one.
    """

    cells: Bools
    pattern: int
    which: str


def numbers_text(numbers: Mapping[int, int]) -> str:
    """Write a number for each value.

    >>> numbers_text({1: 5, 2: 40_000})
    '1 has 5, 2 has 40,000'
    """
    return ", ".join(f"{value} has {number:,}" for value, number in numbers.items())


class Search:
    """A search for cubes of one pattern, or for all others.

    Attributes:
        name: for people.
        n_placed: how often a value was placed so far.
        n_dead_ends: how often nothing was left.
        n_solutions: how many were found.
        ended: whether all is done.
    """

    def __init__(
        self, puzzle: Puzzle, tick: Callable[[], None], patterns: Sequence[tuple[int, ...]], mixed: bool = False
    ) -> None:
        """Take the patterns of each value, and whether cubes whose values all have one pattern are left out."""
        self.puzzle, self.tick, self.patterns, self.mixed = puzzle, tick, patterns, mixed
        self.k = side(puzzle.geometry)
        self.name = "several patterns" if mixed else f"pattern {patterns[0][0]}"
        self.n_placed = self.n_dead_ends = self.n_solutions = 0
        self.ended = False
        # In the order of the lists, those tried one after another would fail for the same reasons.
        self._random = np.random.default_rng(0)

    def steps(self) -> Iterator[Step]:
        """Yield each step until all is done."""
        may, must = reach(self.puzzle)
        lefts = {
            value: counted(self.k, some, may[:, value - 1], must[:, value - 1], self.tick)
            for value, some in enumerate(self.patterns, start=1)
        }
        numbers = numbers_of(lefts)
        text = f"{self.name}: placements of each value: {numbers_text(numbers)}"
        data = {"patterns": [list(left.patterns) for left in lefts.values()], "left": numbers}
        yield Step(text, "note", "lists", data=data)
        yield from self._go(lefts, {}, "")
        placed, dead, found = self.n_placed, self.n_dead_ends, self.n_solutions
        text = (
            f"{self.name}: all done: {placed:,} {plural('value', placed)} placed, {dead:,} dead {plural('end', dead)},"
            f" {found} {plural('solution', found)}"
        )
        self.ended = True
        yield Step(text, "note", "done", data={"placed": placed, "dead_ends": dead, "solutions": found})

    def _go(self, lefts: Mapping[int, Left], placed: Mapping[int, Placed], margin: str) -> Iterator[Step]:
        """Search what is left below some placed values."""
        board = self.puzzle.geometry
        taken = np.zeros(board.n_cells, bool)
        for one in placed.values():
            taken |= one.cells
        found = propagated(self.k, lefts, taken, board.cell_name, self.tick)
        lefts = found.lefts
        if found.required or found.barred:
            yield self._propagation(found, margin)
        if found.why.text:
            self.n_dead_ends += 1
            data = {"depth": len(placed)}
            yield Step(f"{margin}dead end: {found.why.text}", "note", "dead end", found.why.cells, data=data)
            return
        single = {value: left for value, left in lefts.items() if left.number == 1}
        if single:
            only = {value: Placed(left.may, left.patterns[0], "") for value, left in single.items()}
            placed = {**placed, **only}
            lefts = {value: left for value, left in lefts.items() if value not in single}
            yield self._only(single, placed, margin)
        if not lefts:
            yield from self._solution(placed)
            return
        value = min(lefts, key=lambda one: lefts[one].number)
        others = {other: left for other, left in lefts.items() if other != value}
        go = self._each if lefts[value].sets is not None else self._parts
        yield from go(value, lefts[value], others, placed, margin)

    def _only(self, single: Mapping[int, Left], placed: Mapping[int, Placed], margin: str) -> Step:
        """Place the values that have one placement; what that takes from others is taken already."""
        self.n_placed += len(single)
        has = "has one placement" if len(single) == 1 else "have one placement each"
        text = f"{margin}{' '.join(map(str, single))} {has}: {len(placed)} of {len(self.patterns)} values are placed"
        places = [pair for value, left in single.items() for pair in self._blanks(value, left.may)]
        patterns = {value: placed[value].pattern for value in single}
        data = {"depth": len(placed), "values": list(single), "patterns": patterns}
        return Step(text, "place", "one placement", places=tuple(places), data=data)

    def _each(
        self, value: int, left: Left, lefts: Mapping[int, Left], placed: Mapping[int, Placed], margin: str
    ) -> Iterator[Step]:
        """Search with each placement of a value."""
        assert left.sets is not None
        assert left.signs is not None
        for number, row in enumerate(self._random.permutation(left.number).tolist(), start=1):
            cells, pattern = unpacked(left.sets[row], len(left.may)), int(left.signs[row])
            self.n_placed += 1
            now = {**placed, value: Placed(cells, pattern, f"{number} of {left.number:,}")}
            others = self._beside(lefts, cells)
            numbers = numbers_of(others)
            why = f", which has the fewest, {left.number:,}" if number == 1 else ""
            what = f"{margin}{value}{why}: placement {number:,} of {left.number:,} is tried"
            text = f"{what}; left to the others: {numbers_text(numbers)}" if numbers else what
            data = {"depth": len(placed), "value": value, "pattern": pattern, "number": number, "of": left.number}
            yield Step(text, "guess", "placement", places=self._blanks(value, cells), data=data | {"left": numbers})
            yield from self._go(others, now, margin + "  ")

    def _beside(self, lefts: Mapping[int, Left], cells: Bools) -> dict[int, Left]:
        """Return what is left to some values beside a placement, up to the first that has nothing left."""
        found = dict[int, Left]()
        for value, left in sorted(lefts.items(), key=lambda item: item[1].number):
            found[value] = narrowed(self.k, left, left.may & ~cells, left.must, self.tick)
            if not found[value].number:
                break
        return dict(sorted(found.items()))

    def _parts(
        self, value: int, left: Left, lefts: Mapping[int, Left], placed: Mapping[int, Placed], margin: str
    ) -> Iterator[Step]:
        """Search with each pattern of a value that has too many placements to list them, or each line of a block."""
        what = f"{margin}{value} has too many placements to list them, {left.number:,}:"
        data = {"depth": len(placed), "value": value, "of": left.number}
        if len(left.patterns) > 1:
            for pattern in left.patterns:
                one = counted(self.k, (pattern,), left.may, left.must, self.tick)
                text = f"{what} those of pattern {pattern} are looked at, {one.number:,}"
                yield Step(text, "branch", "pattern", data=data | {"pattern": pattern, "left": {value: one.number}})
                yield from self._go(dict(sorted({**lefts, value: one}.items())), placed, margin + "  ")
            return
        lines = lines_left(self.k, left.patterns[0], left.may, left.must)
        sizes = lines.sum(axis=1)
        block = int(np.argmin(np.where(sizes > 1, sizes, sizes.max() + 1)))
        for line in cells_of_lines(self.k, left.patterns[0])[block, lines[block]].tolist():
            must = left.must.copy()
            must[line] = True
            one = counted(self.k, left.patterns, left.may, must, self.tick)
            on = " ".join(map(self.puzzle.geometry.cell_name, line))
            text = f"{what} those with the line {on} are looked at, {one.number:,}"
            places = tuple((cell, value) for cell in line)
            yield Step(text, "guess", "line", places=places, data=data | {"left": {value: one.number}})
            yield from self._go(dict(sorted({**lefts, value: one}.items())), placed, margin + "  ")

    def _propagation(self, found: Propagated, margin: str) -> Step:
        parts = []
        if found.required:
            parts.append(self._first(found.required, "must be", "no other value can be there"))
        if found.barred:
            parts.append(self._first(found.barred, "cannot be", "another value must be there"))
        numbers = numbers_of(found.lefts)
        text = f"{margin}{'; '.join(parts)}; left: {numbers_text(numbers)}"
        data = {"left": numbers}
        return Step(text, "remove", "propagation", places=tuple(found.required), removes=tuple(found.barred), data=data)

    def _first(self, pairs: list[Candidate], verb: str, why: str) -> str:
        """Name the first of some candidates, and say how many more there are."""
        (cell, value), more = pairs[0], len(pairs) - 1
        also = f", and {more:,} more like that" if more else ""
        return f"{value} {verb} on {self.puzzle.geometry.cell_name(cell)}, since {why}{also}"

    def _solution(self, placed: Mapping[int, Placed]) -> Iterator[Step]:
        """Yield the grid, unless it was found with its one pattern."""
        signs = [placed[value].pattern for value in sorted(placed)]
        if self.mixed and len(set(signs)) == 1:
            return
        n = len(placed)
        grid = np.zeros((1, self.puzzle.geometry.n_cells), np.uint8)
        for value, one in placed.items():
            grid[0, one.cells] = value
        check(self.puzzle, grid)
        self.n_solutions += 1
        path = [f"{value} {one.which}" for value, one in placed.items() if one.which]
        text = f"a solution of {self.name}, after {self.n_placed:,} values placed"
        text += f"; tried: {', '.join(path)}; then each had one placement" if path else ""
        text += f"; patterns of the values: {' '.join(map(str, signs))}\n" if self.mixed else "\n"
        text += "\n".join(" ".join("".join(map(str, row)) for row in layer) for layer in grid.reshape(n, n, n).tolist())
        data = {"grid": grid[0].tolist(), "order": list(placed), "patterns": signs, "placed": self.n_placed}
        yield Step(text, "grid", "solution", data=data)

    def _blanks(self, value: int, cells: Bools) -> tuple[Candidate, ...]:
        return tuple((cell, value) for cell in np.flatnonzero(cells & (self.puzzle.givens == 0)).tolist())
