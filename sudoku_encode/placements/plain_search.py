"""A plain search for the cubes whose values have some patterns, step by step: for `steps`."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sudoku_encode.errors import plural
from sudoku_encode.placements.plain import cells_of_lines, count, list_placements, packed, possible_lines, unpacked
from sudoku_encode.placements.structure import Int16s, side
from sudoku_encode.puzzles.arrays import Bools, Int64s, Uint64s
from sudoku_encode.puzzles.dead_ends import DeadEnd
from sudoku_encode.puzzles.puzzle import Puzzle, check
from sudoku_encode.puzzles.step import Candidate, Step

# The remaining placements of each value of a cube, and their consequences for the others.

# Up to how many placements of a value are listed.
MAX_LISTED = 200_000


class RemainingPlacements(NamedTuple):
    """The remaining placements of a value that is not placed."""

    patterns: tuple[int, ...]  # the patterns that it may have
    may: Bools  # (n_cells,), the cells that it may have; with a list, the cells of its placements
    must: Bools  # (n_cells,), the cells that it must have; with a list, the cells of all its placements
    number: int = 0  # how many placements there are
    # All of them, uint64 (m, words); None if they are too many, or if there is no placement.
    sets: Uint64s | None = None
    signs: Int16s | None = None  # the pattern of each, int16 (m,)


class PropagationResult(NamedTuple):
    """The consequences of the remaining placements of each value."""

    open_values: dict[int, RemainingPlacements]  # the remaining placements when nothing more follows
    why: DeadEnd  # why there is no solution, if that is found
    required: list[Candidate]  # candidates that must be, since no other value can be in the cell
    barred: list[Candidate]  # candidates that cannot be, since all placements of another value have the cell


def reach(puzzle: Puzzle) -> tuple[Bools, Bools]:
    """Return which cells each value may have and which it must have: bool (n_cells, values), twice."""
    may = puzzle.candidates
    return may, may & (may.sum(axis=1) == 1)[:, None]


def numbers_of(open_values: Mapping[int, RemainingPlacements]) -> dict[int, int]:
    """Return the number of placements of each value."""
    return {value: remaining.number for value, remaining in open_values.items()}


def count_and_list(
    k: int, patterns: Sequence[int], may: Bools, must: Bools, tick: Callable[[], None]
) -> RemainingPlacements:
    """Count a value's placements in each pattern, and list them if they are not too many."""
    lines_of_patterns, number, cells = dict[int, Bools](), 0, np.zeros_like(may)
    for pattern in patterns:
        tick()
        lines = possible_lines(k, pattern, may, must)
        more = count(k, lines)
        if more:
            lines_of_patterns[pattern] = lines
            number += more
            cells[cells_of_lines(k, pattern)[lines]] = True
    if number > MAX_LISTED or not lines_of_patterns:
        return RemainingPlacements(tuple(lines_of_patterns), cells, must, number)
    parts = [list_placements(k, pattern, lines) for pattern, lines in lines_of_patterns.items()]
    return _from_list(
        np.concatenate(parts), np.repeat(np.array(list(lines_of_patterns), np.int16), list(map(len, parts))), len(may)
    )


def narrow(
    k: int, remaining: RemainingPlacements, may: Bools, must: Bools, tick: Callable[[], None]
) -> RemainingPlacements:
    """Return the placements that remain with fewer cells that the value may have, or more that it must have."""
    tick()
    if remaining.sets is None or remaining.signs is None:
        return count_and_list(k, remaining.patterns, may, must, tick)
    keep = ~(remaining.sets & ~packed(may)).any(axis=1)
    if (must & ~remaining.must).any():
        keep &= ~(packed(must) & ~remaining.sets).any(axis=1)
    return _from_list(remaining.sets[keep], remaining.signs[keep], len(may))


def _from_list(sets: Uint64s, signs: Int16s, n_cells: int) -> RemainingPlacements:
    in_any, in_all = (unpacked(join.reduce(sets, axis=0), n_cells) for join in (np.bitwise_or, np.bitwise_and))
    # Without a placement all cells would be in every one.
    return RemainingPlacements(tuple(dict.fromkeys(signs.tolist())), in_any, in_all & in_any, len(sets), sets, signs)


def propagate(
    k: int,
    open_values: Mapping[int, RemainingPlacements],
    taken: Bools,
    name: Callable[[int], str],
    tick: Callable[[], None],
) -> PropagationResult:
    """Find required and barred candidates, until nothing more follows; `taken` are the cells of the placed values."""
    result = PropagationResult(dict(open_values), DeadEnd(), [], [])
    changed = bool(open_values)
    while changed:
        changed = False
        may = np.array([remaining.may for remaining in result.open_values.values()])
        must = np.array([remaining.must for remaining in result.open_values.values()])
        why = _dead_end(result.open_values, may.any(axis=0) | taken, must.sum(axis=0), name)
        if why.text:
            return result._replace(why=why)
        for number, (value, remaining) in enumerate(result.open_values.items()):
            needed = may[number] & ~must[number] & (may.sum(axis=0) == 1)
            barred = may[number] & ~must[number] & must.any(axis=0)
            if needed.any() or barred.any():
                result.required.extend((cell, value) for cell in np.flatnonzero(needed).tolist())
                result.barred.extend((cell, value) for cell in np.flatnonzero(barred).tolist())
                result.open_values[value] = narrow(k, remaining, remaining.may & ~barred, remaining.must | needed, tick)
                changed = True
    return result


def _dead_end(
    open_values: Mapping[int, RemainingPlacements], reached: Bools, n_required: Int64s, name: Callable[[int], str]
) -> DeadEnd:
    """Return why there is no solution, if a value or a cell shows it."""
    # `reached`: bool (n_cells,), the cells that a value has or may have. `n_required`: int (n_cells,), how many values
    # must have each cell. `name`: how a cell is written.
    for value, remaining in open_values.items():
        if not remaining.number:
            return DeadEnd(f"{value} has no placement left")
    for cell in np.flatnonzero(~reached).tolist():
        return DeadEnd(f"no value can be on {name(cell)}", (cell,))
    for cell in np.flatnonzero(n_required > 1).tolist():
        first, second, *_ = (value for value, remaining in open_values.items() if remaining.must[cell])
        return DeadEnd(f"{first} and {second} would both have to be on {name(cell)}", (cell,))
    return DeadEnd()


class PlacedValue(NamedTuple):
    """A value that has a placement."""

    cells: Bools  # (n_cells,)
    pattern: int  # of signs
    which: str  # for people, which of how many placements was tried; empty if there was only one


def numbers_text(numbers: Mapping[int, int]) -> str:
    """Write a number for each value.

    >>> numbers_text({1: 5, 2: 40_000})
    '1 has 5, 2 has 40,000'
    """
    return ", ".join(f"{value} has {number:,}" for value, number in numbers.items())


class Search:
    """A search for cubes of one pattern, or for all others."""

    def __init__(
        self, puzzle: Puzzle, tick: Callable[[], None], patterns: Sequence[tuple[int, ...]], mixed: bool = False
    ) -> None:
        """Take the patterns of each value, and whether cubes whose values all have one pattern are left out."""
        self.puzzle, self.tick, self.patterns, self.mixed = puzzle, tick, patterns, mixed
        self.k = side(puzzle.geometry)
        self.name = "several patterns" if mixed else f"pattern {patterns[0][0]}"
        # How often a value was placed, and how many dead ends and solutions were found so far.
        self.n_placed = self.n_dead_ends = self.n_solutions = 0
        self.ended = False
        # In the order of the lists, those tried one after another would fail for the same reasons.
        self._random = np.random.default_rng(0)

    def steps(self) -> Iterator[Step]:
        """Yield each step until all is done."""
        may, must = reach(self.puzzle)
        open_values = {
            value: count_and_list(self.k, some, may[:, value - 1], must[:, value - 1], self.tick)
            for value, some in enumerate(self.patterns, start=1)
        }
        numbers = numbers_of(open_values)
        text = f"{self.name}: placements of each value: {numbers_text(numbers)}"
        data = {"patterns": [list(remaining.patterns) for remaining in open_values.values()], "left": numbers}
        yield Step(text, "note", "lists", data=data)
        yield from self._go(open_values, {}, "")
        placed, dead, n_solutions = self.n_placed, self.n_dead_ends, self.n_solutions
        text = (
            f"{self.name}: all done: {placed:,} {plural('value', placed)} placed, {dead:,} dead {plural('end', dead)},"
            f" {n_solutions} {plural('solution', n_solutions)}"
        )
        self.ended = True
        yield Step(text, "note", "done", data={"placed": placed, "dead_ends": dead, "solutions": n_solutions})

    def _go(
        self, open_values: Mapping[int, RemainingPlacements], placed: Mapping[int, PlacedValue], margin: str
    ) -> Iterator[Step]:
        """Search below the values that are placed."""
        board = self.puzzle.geometry
        taken = np.zeros(board.n_cells, bool)
        for placement in placed.values():
            taken |= placement.cells
        result = propagate(self.k, open_values, taken, board.cell_name, self.tick)
        open_values = result.open_values
        if result.required or result.barred:
            yield self._propagation(result, margin)
        if result.why.text:
            self.n_dead_ends += 1
            data = {"depth": len(placed)}
            yield Step(f"{margin}dead end: {result.why.text}", "note", "dead end", result.why.cells, data=data)
            return
        single = {value: remaining for value, remaining in open_values.items() if remaining.number == 1}
        if single:
            only = {value: PlacedValue(remaining.may, remaining.patterns[0], "") for value, remaining in single.items()}
            placed = {**placed, **only}
            open_values = {value: remaining for value, remaining in open_values.items() if value not in single}
            yield self._only(single, placed, margin)
        if not open_values:
            yield from self._solution(placed)
            return
        value = min(open_values, key=lambda placement: open_values[placement].number)
        others = {other: remaining for other, remaining in open_values.items() if other != value}
        go = self._each if open_values[value].sets is not None else self._parts
        yield from go(value, open_values[value], others, placed, margin)

    def _only(self, single: Mapping[int, RemainingPlacements], placed: Mapping[int, PlacedValue], margin: str) -> Step:
        """Place the values that have one placement; the others have lost those cells already."""
        self.n_placed += len(single)
        has = "has one placement" if len(single) == 1 else "have one placement each"
        text = f"{margin}{' '.join(map(str, single))} {has}: {len(placed)} of {len(self.patterns)} values are placed"
        places = [pair for value, remaining in single.items() for pair in self._blanks(value, remaining.may)]
        patterns = {value: placed[value].pattern for value in single}
        data = {"depth": len(placed), "values": list(single), "patterns": patterns}
        return Step(text, "place", "one placement", places=tuple(places), data=data)

    def _each(
        self,
        value: int,
        remaining: RemainingPlacements,
        open_values: Mapping[int, RemainingPlacements],
        placed: Mapping[int, PlacedValue],
        margin: str,
    ) -> Iterator[Step]:
        """Search with each placement of a value."""
        assert remaining.sets is not None
        assert remaining.signs is not None
        for number, row in enumerate(self._random.permutation(remaining.number).tolist(), start=1):
            cells, pattern = unpacked(remaining.sets[row], len(remaining.may)), int(remaining.signs[row])
            self.n_placed += 1
            now = {**placed, value: PlacedValue(cells, pattern, f"{number} of {remaining.number:,}")}
            others = self._beside(open_values, cells)
            numbers = numbers_of(others)
            why = f", which has the fewest, {remaining.number:,}" if number == 1 else ""
            head = f"{margin}{value}{why}: placement {number:,} of {remaining.number:,} is tried"
            text = f"{head}; left to the others: {numbers_text(numbers)}" if numbers else head
            data = {"depth": len(placed), "value": value, "pattern": pattern, "number": number, "of": remaining.number}
            yield Step(text, "guess", "placement", places=self._blanks(value, cells), data=data | {"left": numbers})
            yield from self._go(others, now, margin + "  ")

    def _beside(self, open_values: Mapping[int, RemainingPlacements], cells: Bools) -> dict[int, RemainingPlacements]:
        """Return the placements of other values beside a placement, up to the first value that has none left."""
        remaining_values = dict[int, RemainingPlacements]()
        for value, remaining in sorted(open_values.items(), key=lambda item: item[1].number):
            remaining_values[value] = narrow(self.k, remaining, remaining.may & ~cells, remaining.must, self.tick)
            if not remaining_values[value].number:
                break
        return dict(sorted(remaining_values.items()))

    def _parts(
        self,
        value: int,
        remaining: RemainingPlacements,
        open_values: Mapping[int, RemainingPlacements],
        placed: Mapping[int, PlacedValue],
        margin: str,
    ) -> Iterator[Step]:
        """Search with each pattern of a value that has too many placements to list, or with each line of a block."""
        head = f"{margin}{value} has too many placements to list them, {remaining.number:,}:"
        data = {"depth": len(placed), "value": value, "of": remaining.number}
        if len(remaining.patterns) > 1:
            for pattern in remaining.patterns:
                part = count_and_list(self.k, (pattern,), remaining.may, remaining.must, self.tick)
                text = f"{head} next those of pattern {pattern}, {part.number:,}"
                yield Step(text, "branch", "pattern", data=data | {"pattern": pattern, "left": {value: part.number}})
                yield from self._go(dict(sorted({**open_values, value: part}.items())), placed, margin + "  ")
            return
        lines = possible_lines(self.k, remaining.patterns[0], remaining.may, remaining.must)
        sizes = lines.sum(axis=1)
        block = int(np.argmin(np.where(sizes > 1, sizes, sizes.max() + 1)))
        for line in cells_of_lines(self.k, remaining.patterns[0])[block, lines[block]].tolist():
            must = remaining.must.copy()
            must[line] = True
            part = count_and_list(self.k, remaining.patterns, remaining.may, must, self.tick)
            on = " ".join(map(self.puzzle.geometry.cell_name, line))
            text = f"{head} next those with the line {on}, {part.number:,}"
            places = tuple((cell, value) for cell in line)
            yield Step(text, "guess", "line", places=places, data=data | {"left": {value: part.number}})
            yield from self._go(dict(sorted({**open_values, value: part}.items())), placed, margin + "  ")

    def _propagation(self, result: PropagationResult, margin: str) -> Step:
        parts = []
        if result.required:
            parts.append(self._first(result.required, "must be", "no other value can be there"))
        if result.barred:
            parts.append(self._first(result.barred, "cannot be", "another value must be there"))
        numbers = numbers_of(result.open_values)
        text = f"{margin}{'; '.join(parts)}; left: {numbers_text(numbers)}"
        data = {"left": numbers}
        return Step(
            text, "remove", "propagation", places=tuple(result.required), removes=tuple(result.barred), data=data
        )

    def _first(self, pairs: list[Candidate], verb: str, why: str) -> str:
        """Return a text with the first of several candidates, and how many more there are."""
        (cell, value), more = pairs[0], len(pairs) - 1
        also = f", and {more:,} more like that" if more else ""
        return f"{value} {verb} on {self.puzzle.geometry.cell_name(cell)}, since {why}{also}"

    def _solution(self, placed: Mapping[int, PlacedValue]) -> Iterator[Step]:
        """Yield the grid, unless it was found with its one pattern."""
        signs = [placed[value].pattern for value in sorted(placed)]
        if self.mixed and len(set(signs)) == 1:
            return
        n = len(placed)
        grid = np.zeros((1, self.puzzle.geometry.n_cells), np.uint8)
        for value, placement in placed.items():
            grid[0, placement.cells] = value
        check(self.puzzle, grid)
        self.n_solutions += 1
        path = [f"{value} {placement.which}" for value, placement in placed.items() if placement.which]
        text = f"a solution of {self.name}, after {self.n_placed:,} values placed"
        text += f"; tried: {', '.join(path)}; then each had one placement" if path else ""
        text += f"; patterns of the values: {' '.join(map(str, signs))}\n" if self.mixed else "\n"
        text += "\n".join(" ".join("".join(map(str, row)) for row in layer) for layer in grid.reshape(n, n, n).tolist())
        data = {"grid": grid[0].tolist(), "order": list(placed), "patterns": signs, "placed": self.n_placed}
        yield Step(text, "grid", "solution", data=data)

    def _blanks(self, value: int, cells: Bools) -> tuple[Candidate, ...]:
        return tuple((cell, value) for cell in np.flatnonzero(cells & (self.puzzle.givens == 0)).tolist())
