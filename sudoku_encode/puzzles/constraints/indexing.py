"""Constraints whose cells say where values are."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import ClassVar

from sudoku_encode.puzzles.constraints.constraint import (
    BoundConstraint,
    Constraint,
    FPuzzlesKey,
    IssType,
    Look,
    Picture,
    Values,
)
from sudoku_encode.puzzles.constraints.expression_automata import SYMBOLS
from sudoku_encode.puzzles.constraints.primitives import Clause, Domain, IndexedLine, Primitive, values_that


def at_place(cell: int, others: Sequence[int], holds: str, first: int = 0) -> Iterator[Constraint]:
    """Yield relations of a cell that holds a place among others, from 1, and of each other cell.

    `holds` is the expression for a `{place}`, of the cell and the other; the value `first`, 0 or 1, stands for 1.
    """
    more = 1 - first
    yield Constraint("relation", ((cell, cell),), (), f"{1 + more} <= a <= {len(others) + more}")
    for place, other in enumerate(others, 1):
        if other != cell:
            yield Constraint("relation", ((cell, other),), (), holds.format(place=place + more))


class Indexer(BoundConstraint):
    """A kind of cells that say where a value is: the p-th cell of a line holds v if and only if the v-th holds p."""

    def line_of(self, cell: int) -> Sequence[int]:
        """Return the line of a cell, the cell among them, in the order in which the value of the cell numbers them."""
        raise NotImplementedError

    def violated(self, values: Values) -> bool:
        """Check whether the p-th cell of its line holds v, but the v-th does not hold p, or the other way round."""
        for cell in self.cells:
            line = self.line_of(cell)
            place = line.index(cell) + 1
            if any((values[cell] == number) != (values[other] == place) for number, other in enumerate(line, 1)):
                return True
        return False

    def lower(self) -> Iterator[Primitive]:
        """Yield the line of each cell."""
        for cell in self.cells:
            line = self.line_of(cell)
            yield IndexedLine(tuple(line), line.index(cell) + 1)

    def scope(self) -> Iterator[int]:
        """Yield the cells of the indexed lines."""
        for cell in self.cells:
            yield from self.line_of(cell)

    def wrong_line_count(self, axis: int) -> str:
        """Return why the board does not have as many rows (axis 0) or columns (axis 1) as values; empty if it does."""
        shape, lines = self.board.shape, ("rows", "columns")[axis]
        if len(shape) == 2 and shape[axis] == self.n:
            return ""
        return f"it needs as many {lines} as values, unlike {self.board.name}"

    def relations(self, first: int) -> Iterator[Constraint]:
        """Yield relations that mean the same on any rectangle; `first` is the value that 1 stands for, 0 or 1."""
        for cell in self.cells:
            line = self.line_of(cell)
            place = line.index(cell) + 1
            yield from at_place(cell, line, f"(a == {{place}}) == (b == {place + 1 - first})", first)

    def from_zero(self) -> Iterator[Constraint]:
        """Yield relations."""
        return self.relations(first=0)


class RowIndexer(Indexer):
    name = "row-indexer"
    summary = "if a cell in row r has the value v, then r is in row v of its column"
    form = "row-indexer CELLS"
    example = "row-indexer r1c1"
    needs = "grid"
    picture = Picture(
        "a fill with level lines",
        "indexer",
        Look(980, fill="#e4f1e8"),
        "cells that say where the number of their row is",
        legend="indexer",
        sign="level",
    )
    f_puzzles = FPuzzlesKey("rowindexer", "cells", is_set=True)
    iss = (IssType("Indexing", "indexer"),)

    def line_of(self, cell: int) -> Sequence[int]:
        columns = self.board.shape[1]
        return list(range(cell % columns, self.board.n_grid, columns))

    def unfit(self) -> str:
        return self.wrong_line_count(0)


class ColumnIndexer(Indexer):
    name = "column-indexer"
    summary = "if a cell in column c has the value v, then c is in column v of its row"
    form = "column-indexer CELLS"
    example = "column-indexer r1c1"
    needs = "grid"
    picture = Picture(
        "a fill with upright lines",
        "indexer",
        Look(970, fill="#f8e6dd"),
        "cells that say where the number of their column is",
        legend="indexer",
        sign="upright",
    )
    f_puzzles = FPuzzlesKey("columnindexer", "cells", is_set=True)
    iss = (IssType("Indexing", "indexer"),)

    def line_of(self, cell: int) -> Sequence[int]:
        columns = self.board.shape[1]
        return list(range(cell // columns * columns, (cell // columns + 1) * columns))

    def unfit(self) -> str:
        return self.wrong_line_count(1)


class BoxIndexer(Indexer):
    name = "box-indexer"
    summary = "if the p-th cell of a box has the value v, then p is in the v-th cell of the box"
    form = "box-indexer CELLS"
    example = "box-indexer r1c1"
    needs = "boxes"
    picture = Picture(
        "a fill with both lines",
        "indexer",
        Look(960, fill="#e0edf6"),
        "cells that say where their place of the box is",
        legend="indexer",
        sign="both",
    )
    f_puzzles = FPuzzlesKey("boxindexer", "cells", is_set=True)

    def line_of(self, cell: int) -> Sequence[int]:
        boxes = next(rule for rule in self.board.rules if rule.name in ("box", "region"))
        return sorted(boxes.units[self.boxes[cell]].tolist())


class NegativeIndexer(Indexer):
    """A kind of cells that do not say where a value is; without cells all but those of the indexers."""

    opposite: ClassVar[type[Indexer]]
    n_lists = (0, 1)

    @cached_property
    def _opposite(self) -> Indexer:
        return self.opposite(self.board, self.constraint)

    def line_of(self, cell: int) -> Sequence[int]:
        """Return the line that an indexer would have."""
        return self._opposite.line_of(cell)

    def unfit(self) -> str:
        return self._opposite.unfit()

    @cached_property
    def indexed(self) -> tuple[int, ...]:
        """The cells of the constraint, or all that no indexer of the kind marks."""
        if self.lists:
            return self.cells
        marked = {cell for other in self.others if other.kind == self.opposite.name for cell in other.cells[0]}
        cells = (cell for cell in range(self.board.n_grid) if cell not in marked)
        return tuple(cell for cell in cells if self.needs != "boxes" or self.boxes[cell] >= 0)

    def violated(self, values: Values) -> bool:
        """Check whether the p-th cell of its line holds v, and the v-th holds p."""
        for cell in self.indexed:
            line = self.line_of(cell)
            place = line.index(cell) + 1
            if any(values[cell] == number and values[other] == place for number, other in enumerate(line, 1)):
                return True
        return False

    def lower(self) -> Iterator[Primitive]:
        """Yield a clause for each cell and value, once for two cells of a line: not both say where the other is."""
        pairs: dict[frozenset[tuple[int, int]], None] = {}
        for cell in self.indexed:
            line = self.line_of(cell)
            place = line.index(cell) + 1
            pairs |= {frozenset([(cell, -number), (other, -place)]): None for number, other in enumerate(line, 1)}
        yield from (Clause(tuple(sorted(pair))) for pair in pairs)

    def scope(self) -> Iterator[int]:
        """Yield the cells of the lines."""
        for cell in self.indexed:
            yield from self.line_of(cell)


class NegativeRowIndexer(NegativeIndexer):
    name = "negative-row-indexer"
    summary = (
        "if a cell in row r has the value v, then r is not in row v of its column; without cells, for all cells "
        "without a `row-indexer`"
    )
    opposite = RowIndexer
    needs = "grid"
    form = "negative-row-indexer [CELLS]"
    example = "negative-row-indexer r1c1"


class NegativeColumnIndexer(NegativeIndexer):
    name = "negative-column-indexer"
    summary = (
        "if a cell in column c has the value v, then c is not in column v of its row; without cells, for all cells "
        "without a `column-indexer`"
    )
    opposite = ColumnIndexer
    needs = "grid"
    form = "negative-column-indexer [CELLS]"
    example = "negative-column-indexer r1c1"


class NegativeBoxIndexer(NegativeIndexer):
    name = "negative-box-indexer"
    summary = (
        "if the p-th cell of a box has the value v, then p is not in the v-th cell of the box; without cells, for "
        "all cells without a `box-indexer`"
    )
    opposite = BoxIndexer
    needs = "boxes"
    form = "negative-box-indexer [CELLS]"
    example = "negative-box-indexer r1c1"


class Slingshot(BoundConstraint):
    name = "slingshot"
    summary = "the second cell is the position, among the cells after it, of the value of the first cell"
    form = "slingshot CELLS"
    example = "slingshot r1c1-r1c5"
    n_cells = ((3, None),)
    # The cell that says the place may be one of the places.
    repeats = True
    picture = Picture(
        "a blue arrow of dashes",
        "directed",
        Look(710, "#0072b2", 0.08, (0.2, 0.08), 0.6),
        "a value that is further along",
        legend="line",
    )
    iss = (IssType("ValueIndexing", "line"),)

    def violated(self, values: Values) -> bool:
        first, second, *others = self.in_list(values)
        return second > len(others) or others[second - 1] != first

    def lower(self) -> Iterator[Primitive]:
        """Yield two clauses for each place and value: if the second cell is that place, the two cells agree."""
        first, second, *others = self.cells
        yield Domain(second, values_that(min(len(others), self.n), lambda place: True))
        for place, other in enumerate(others[: self.n], 1):
            for value in range(1, self.n + 1):
                yield Clause(((second, -place), (first, -value), (other, value)))
                yield Clause(((second, -place), (first, value), (other, -value)))

    def from_zero(self) -> Iterator[Constraint]:
        first, second, *others = self.cells
        symbols = SYMBOLS[: self.n]
        places = symbols[1 : len(others) + 1]
        yield Constraint("regex", ((second,),), (), f"[{places}]")
        twice = "|".join(2 * symbol for symbol in symbols)
        for place, other in zip(places, others, strict=False):
            yield Constraint("regex", ((second, first, other),), (), f"[^{place}]..|{place}({twice})")


KINDS: tuple[type[BoundConstraint], ...] = (
    RowIndexer,
    ColumnIndexer,
    BoxIndexer,
    NegativeRowIndexer,
    NegativeColumnIndexer,
    NegativeBoxIndexer,
    Slingshot,
)
