"""Constraints on all rows and columns of a square: their ranks as numbers, and the values that they lack.

Their primitives use hidden cells: those of ranks have some of their own, and missing values are in cells that the
constraint names.
"""

from collections.abc import Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import chain, combinations, pairwise
from typing import NamedTuple

from sudoku_encode.puzzles.constraints.constraint import LINE, NO_CELLS, BoundConstraint, IssType, Picture, Values
from sudoku_encode.puzzles.constraints.primitives import (
    NEVER,
    Clause,
    Domain,
    EqualWhere,
    Primitive,
    Unit,
    automaton,
    pair_relations,
)
from sudoku_encode.puzzles.constraints.templates import stored, with_cells
from sudoku_encode.puzzles.geometry import Geometry, tiling
from sudoku_encode.puzzles.shapes import default_box

_Line = tuple[int, ...]
# The number of `full-rank-ties`: which lines may be equal as numbers.
NO_TIES, UNCLUED_TIES, ANY_TIES = range(3)


@lru_cache(maxsize=8)
def _sides(n: int) -> tuple[tuple[_Line, ...], ...]:
    """Return the lines that begin at each side of an n x n board: left, right, top, bottom."""
    rows = [tuple(range(row * n, (row + 1) * n)) for row in range(n)]
    columns = [tuple(range(column, n * n, n)) for column in range(n)]
    return tuple(tuple(line[::step] for line in lines) for lines in (rows, columns) for step in (1, -1))


@lru_cache(maxsize=64)
def _has_ranks(board: Geometry) -> bool:
    """Return whether a board is a square whose rows and columns have all values."""
    n = board.n_values
    return board.shape == (n, n) and all(map(board.differ, chain(*_sides(n))))


class RankedLines(BoundConstraint):
    """A kind of constraints on all rows and columns, in both directions, as numbers of n digits."""

    needs = "grid"
    has_template = False

    def scope(self) -> Iterator[int]:
        """Yield all cells."""
        yield from range(self.board.n_grid)

    def unfit(self) -> str:
        """Return why the board has no such numbers."""
        if not _has_ranks(self.board):
            return f"it needs a square whose rows and columns have all values, unlike {self.board.name}"
        return ""

    def all_numbers(self, values: Values) -> list[list[int]]:
        """Return the values along each line."""
        return [[values[cell] for cell in line] for line in chain(*_sides(self.n))]


class _Group(NamedTuple):
    """The clues whose lines begin with the same digit, and the four lines that begin with it.

    The digit comes once on each side, so that four lines begin with it, which have the ranks 4 digit - 3 to 4 digit.
    """

    digit: int  # with which the lines begin
    clued: tuple[tuple[_Line, ...], ...]  # the lines with a clue, those of each rank together; ranks ascend
    # The lines that may begin with the digit of each side where none of the four lines has a clue.
    sides: tuple[tuple[_Line, ...], ...]
    # How many of the four lines without a clue are below the first rank, from each rank to the next, and from the last
    # one on; empty if no lines have these ranks.
    n_between: tuple[int, ...]

    @property
    def places(self) -> tuple[int, ...]:
        """The places between ranks where there is a line without a clue, as numbers of `n_between`."""
        return tuple(place for place, number in enumerate(self.n_between) if number)

    @property
    def n_hidden(self) -> int:
        """How many hidden cells the clues use."""
        if not self.n_between:
            return 0
        # The digits of each line after the first, and where there are several places, the place of each.
        return len(self.sides) * (len(self.clued[0][0]) - 1 + (len(self.places) > 1))


class FullRank(RankedLines):
    """Full rank: the rank of a row or column among all of them, which are read as numbers from both ends.

    Of the 4 n numbers the lowest has rank 1. The line of a clue differs from all others, if `full-rank-ties` does not
    say otherwise; equal lines have the same rank, and the next rank is as much higher as there are equal lines.
    """

    name = "full-rank"
    summary = (
        "of all rows and columns, each read as a number from both ends, exactly the number less 1 are lower than the "
        "line, and no other is equal to it"
    )
    form = "full-rank NUMBER CELLS"
    example = "full-rank 26 r1c2-r9c2"
    n_numbers = (1, 1)
    n_cells = LINE
    picture = Picture(
        "a number beside the grid, between two level lines where there are several kinds",
        "edge-clue",
        legend="clue",
        sign="levels",
    )
    iss = (IssType("FullRank", "outside"),)
    compares = True

    def violated(self, values: Values) -> bool:
        own, numbers = self.in_list(values), self.all_numbers(values)
        is_tied = self._ties < ANY_TIES and numbers.count(own) > 1
        return is_tied or self.number(0) != 1 + sum(number < own for number in numbers)

    def lower(self) -> Iterator[Primitive]:
        """Yield the primitives of all clues with the same first digit, if this is the first of them.

        Hidden cells have the digits of each of the four lines that has no clue, and its place between the clues.
        """
        if not self._is_first:
            return
        group, first, n = self._group, self.first_hidden, self.n
        if not group.n_between:
            yield NEVER
            return
        for line in chain(*group.clued):
            yield Domain(line[0], 1 << group.digit - 1)
        for lines in group.clued:
            for line in lines[1:]:
                yield from pair_relations(zip(lines[0], line, strict=True), n, int.__eq__)
        lows = [lines[0][1:] for lines in group.clued]
        for low, high in pairwise(lows):
            yield _compared(low, high, n)
        ends = [first + (n - 1) * number for number in range(len(group.sides) + 1)]
        copies = [tuple(range(start, end)) for start, end in pairwise(ends)]
        for side, copy in zip(group.sides, copies, strict=True):
            yield from _copied(side, copy, group.digit, n)
        yield from self._placed(copies, range(ends[-1], ends[-1] + len(copies)), lows)

    def _placed(self, copies: Sequence[_Line], cells: Sequence[int], lows: Sequence[_Line]) -> Iterator[Primitive]:
        """Yield that lines without a clue are between the clues; `cells` have the place of each among the places."""
        places, is_strict = self._group.places, self._ties < ANY_TIES
        if len(places) > 1:
            for value, place in enumerate(places, 1):
                yield from _times(cells, value, self._group.n_between[place])
            yield from (Domain(cell, (1 << len(places)) - 1) for cell in cells)
        for copy, cell in zip(copies, cells, strict=True):
            for number, low in enumerate(lows):
                if places[0] <= number < places[-1]:
                    # Up to this value the line is lower than the clue.
                    n_lower = sum(place <= number for place in places)
                    yield _placed_by(cell, n_lower, copy, low, self.n, is_strict)
                elif number == places[-1]:
                    yield _compared(copy, low, self.n)
                elif number == places[0] - 1:
                    yield _compared(low, copy, self.n, is_strict)

    def own_hidden_cells(self) -> int:
        return self._group.n_hidden if self._is_first else 0

    def unfit(self) -> str:
        if reason := super().unfit():
            return reason
        return "" if self.cells in chain(*_sides(self.n)) else "expected the cells of a whole row or column"

    def impossible(self) -> str:
        most = 4 * self.n
        return "" if 1 <= self.number(0) <= most else f"impossible rank {self.number(0)}: expected 1 to {most}"

    @cached_property
    def _ties(self) -> int:
        """Which lines may be equal."""
        return min((other.numbers[0] for other in self.others if other.kind == FullRankTies.name), default=UNCLUED_TIES)

    @cached_property
    def _clues(self) -> dict[tuple[int, _Line], None]:
        """The ranks and lines of all clues of the puzzle; of this one alone if it is in none."""
        clues = [other for other in self.others if other.kind == self.name] or [self.constraint]
        return {(clue.numbers[0], clue.cells[0]): None for clue in clues}

    @property
    def _is_first(self) -> bool:
        """Whether this is the first clue of its group."""
        own = self.number(0), self.cells
        return next(clue for clue in self._clues if _digit(clue[0]) == _digit(own[0])) == own

    @cached_property
    def _group(self) -> _Group:
        digit, sides = _digit(self.number(0)), _sides(self.n)
        ranks: dict[int, list[_Line]] = {}
        for rank, line in sorted(self._clues):
            if _digit(rank) == digit:
                ranks.setdefault(rank, []).append(line)
        clued = list(chain(*ranks.values()))
        others = {line for rank, line in self._clues if _digit(rank) != digit}
        free = [side for side in sides if not any(line in side for line in clued)]
        # As many lines without a clue are below each rank, those below ranks before it among them.
        n_below = [rank - 4 * digit + 3 - clued.index(lines[0]) for rank, lines in ranks.items()]
        n_between = [after - before for before, after in pairwise([0, *n_below, len(free)])]
        is_possible = (
            min(n_between) >= 0 and len(free) + len(clued) == 4 and (self._ties == ANY_TIES or len(clued) == len(ranks))
        )
        free = [tuple(line for line in side if line not in others) for side in free]
        return _Group(digit, tuple(map(tuple, ranks.values())), tuple(free), tuple(n_between) if is_possible else ())


def _digit(rank: int) -> int:
    """Return the first digit of the lines of a rank."""
    return (rank + 3) // 4


def _copied(lines: Sequence[_Line], copy: Sequence[int], digit: int, n: int) -> Iterator[Primitive]:
    """Yield that some cells hold what follows a digit in the line of a side that begins with it."""
    yield Unit(tuple(copy), "rank")
    for place, cell in enumerate(copy, 1):
        yield Domain(cell, (1 << n) - 1 ^ 1 << digit - 1)
        if lines:
            yield EqualWhere(cell, tuple((line[0], line[place]) for line in lines), digit)


def _times(cells: Sequence[int], value: int, number: int) -> Iterator[Primitive]:
    """Yield that as many cells as a number hold a value."""
    for too_many in combinations(cells, number + 1):
        yield Clause(tuple((cell, -value) for cell in too_many))
    for enough in combinations(cells, len(cells) - number + 1):
        yield Clause(tuple((cell, value) for cell in enough))


# A pair of lines is read cell by cell; the states besides values of the low line are that both were equal so far, and
# that the order is decided.
_EQUAL, _DECIDED = 0, -1


def _compared(low: _Line, high: _Line, n: int, is_strict: bool = True) -> Primitive:
    """Return that one line is lower than another one, or equal if the order is not strict."""
    cells = tuple(chain(*zip(low, high, strict=True)))
    (shape,) = stored(("compared", n, len(cells), is_strict), n, lambda: [_order(len(cells), n, is_strict)]).every
    return with_cells(shape, cells)


def _order(size: int, n: int, is_strict: bool) -> Primitive:
    """Return the automaton of `_compared`, over places."""

    def step(state: int, value: int) -> int | None:
        if state == _DECIDED:
            return _DECIDED
        if state == _EQUAL:
            return value
        return _EQUAL if value == state else _DECIDED if value > state else None

    return automaton(range(size), n, _EQUAL, step, lambda state: state == _DECIDED or not is_strict)


def _placed_by(cell: int, n_lower: int, line: _Line, clue: _Line, n: int, is_strict: bool) -> Primitive:
    """Return that a line is lower than a clue if a cell holds a value up to a number, and else higher, or equal."""
    cells = (cell, *chain(*zip(line, clue, strict=True)))
    key = "placed-by", n, len(cells), n_lower, is_strict
    (shape,) = stored(key, n, lambda: [_order_by_value(len(cells), n_lower, n, is_strict)]).every
    return with_cells(shape, cells)


def _order_by_value(size: int, n_lower: int, n: int, is_strict: bool) -> Primitive:
    """Return the automaton of `_placed_by`, over places."""

    def step(state: tuple[int, int] | None, value: int) -> tuple[int, int] | None:
        if state is None:
            return (1 if value <= n_lower else -1), _EQUAL
        sign, before = state
        if before == _DECIDED:
            return state
        if before == _EQUAL:
            return sign, value
        if value == before:
            return sign, _EQUAL
        return (0, _DECIDED) if sign * (value - before) > 0 else None

    def accepts(state: tuple[int, int] | None) -> bool:
        return state is not None and (state[1] == _DECIDED or not (is_strict or state[0] == 1))

    return automaton(range(size), n, None, step, accepts)


class FullRankTies(RankedLines):
    name = "full-rank-ties"
    aliases = ("full-rank-ties-none 0", "full-rank-ties-unclued 1", "full-rank-ties-any 2")
    summary = (
        "whether rows and columns, each read as a number from both ends, may be equal: none (0), only those without "
        "a `full-rank`, as by default (1), or any (2)"
    )
    form = "full-rank-ties 0 OR 1 OR 2"
    example = "full-rank-ties 2"
    n_numbers = (1, 1)
    n_lists = NO_CELLS
    compares = True
    iss = (IssType("FullRankTies", "full-rank-ties"),)

    def violated(self, values: Values) -> bool:
        numbers = self.all_numbers(values)
        return self.number(0) == NO_TIES and any(number in numbers[:at] for at, number in enumerate(numbers))

    def lower(self) -> Iterator[Primitive]:
        """Yield for each two lines that may be equal an automaton of their first difference."""
        if self.number(0) == NO_TIES:
            for line, other in self._pairs():
                yield _different(line, other, self.n)

    def _pairs(self) -> Iterator[tuple[_Line, _Line]]:
        """Yield the pairs of lines that may be equal, each in one direction."""
        pairs = set[frozenset[_Line]]()
        for line, other in combinations(chain(*_sides(self.n)), 2):
            if frozenset((line[::-1], other[::-1])) not in pairs and not self._differ(line, other):
                pairs.add(frozenset((line, other)))
                yield line, other

    def _differ(self, line: _Line, other: _Line) -> bool:
        """Check whether lines cross at another place of each, or have cells of one unit in the same place."""
        return any(
            a in other or a // self.n == b // self.n or (a - b) % self.n == 0 or self.boxes[a] == self.boxes[b] >= 0
            for a, b in zip(line, other, strict=True)
            if a != b
        )

    def unfit(self) -> str:
        if reason := super().unfit():
            return reason
        return "" if self.number(0) in (0, 1, 2) else f"expected 0, 1 or 2, not {self.number(0)}"


def _different(line: _Line, other: _Line, n: int) -> Primitive:
    def step(state: int, value: int) -> int:
        if state == _EQUAL:
            return value
        return _EQUAL if value == state else _DECIDED

    pairs = (pair for pair in zip(line, other, strict=True) if pair[0] != pair[1])
    return automaton(tuple(chain(*pairs)), n, _EQUAL, step, lambda state: state == _DECIDED)


class Doppelganger(BoundConstraint):
    """Doppelganger: each row, column and box lacks a value besides those that it holds.

    The board is a square with one value more than a row has cells. The hidden cells of the first list hold the value
    that is missing in each row, those of the second that of each column, and those of the third that of each box.
    """

    name = "doppelganger"
    summary = (
        "each row lacks one value, never the smallest, and has it in its cell of the first list; the same holds for "
        "columns and the second list, and for boxes and the third, if there is one. The cells of a list differ, and "
        "so do those of the row, the column and the box of a smallest value"
    )
    form = "doppelganger ROWS / COLUMNS [/ BOXES]"
    example = "doppelganger h1-h4 / h5-h8 / h9-h12"
    example_board = "latin:4x4:5"
    n_lists = (2, 3)
    n_cells = LINE
    depends_on_board = True
    decides_hidden_cells = True
    compares = True
    iss = (IssType("Doppelganger", "doppelganger"),)

    def violated(self, values: Values) -> bool:
        every = set(range(1, self.n + 1))
        lists = [[values[cell] for cell in cells] for cells in self.lists]
        if any(1 in missing or len(set(missing)) < len(missing) for missing in lists):
            return True
        if any({*(values[cell] for cell in cells), values[own]} != every for cells, own in self._groups()):
            return True
        return any(
            values[cell] == 1 and len({values[own] for own in owns}) < len(owns) for cell, owns in self._of_cells()
        )

    def hidden_values(self, values: list[int], cells: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the missing values if they satisfy the constraint."""
        missing = {own: set(range(1, self.n + 1)) - {values[cell] for cell in line} for line, own in self._groups()}
        if any(len(missing[cell]) != 1 for cell in cells):
            return
        filling = tuple(next(iter(missing[cell])) for cell in cells)
        for cell, value in zip(cells, filling, strict=True):
            values[cell] = value
        if not self.violated(values):
            yield filling

    def lower(self) -> Iterator[Primitive]:
        """Yield units of each group with its missing value and of each list, and clauses for the smallest value."""
        for cells, own in self._groups():
            yield Unit((*cells, own), self.name)
        for cells in self.lists:
            yield Unit(cells, self.name)
            yield from (Domain(own, (1 << self.n) - 2) for own in cells)
        for cell, owns in self._of_cells():
            for first, second in combinations(owns, 2):
                for value in range(2, self.n + 1):
                    yield Clause(((cell, -1), (first, -value), (second, -value)))

    def scope(self) -> Iterator[int]:
        yield from range(self.board.n_grid)
        yield from chain(*self.lists)

    def unfit(self) -> str:
        side, listed = self.n - 1, [*chain(*self.lists)]
        if self.board.shape != (side, side):
            return f"it needs a square with one value more than a row has cells, unlike {self.board.name}"
        if len(self.lists) > len(self._families):
            return f"boxes are in the third list, which {self.board.name} does not have"
        if any(len(cells) != side for cells in self.lists):
            return f"expected lists of {side} cells each; write {self.form}"
        if min(listed) < self.board.n_grid or len(set(listed)) < len(listed):
            return "expected hidden cells such as h1, each once"
        return ""

    @cached_property
    def _families(self) -> list[list[_Line]]:
        """The cells of the rows, the columns and, unless the side is prime, the boxes."""
        side, boxes = self.n - 1, [*dict.fromkeys(number for number in self.boxes if number >= 0)]
        rows, _, columns, _ = _sides(side)
        families = [list(rows), list(columns)]
        if boxes:
            cells = range(self.board.n_grid)
            families.append([tuple(cell for cell in cells if self.boxes[cell] == number) for number in sorted(boxes)])
        elif box := default_box(side):
            families.append([tuple(cells) for cells in tiling("box", (side, side), box).units.tolist()])
        return families

    def _groups(self) -> Iterator[tuple[_Line, int]]:
        """Yield the cells of each row, column and box with the cell of its missing value."""
        for groups, cells in zip(self._families, self.lists, strict=False):
            yield from zip(groups, cells, strict=True)

    def _of_cells(self) -> Iterator[tuple[int, list[int]]]:
        """Yield each cell with the cells of the missing values of its row, its column and its box."""
        groups = [*self._groups()]
        for cell in range(self.board.n_grid):
            yield cell, [own for cells, own in groups if cell in cells]


KINDS: tuple[type[BoundConstraint], ...] = (FullRank, FullRankTies, Doppelganger)
