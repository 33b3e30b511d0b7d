"""Regions to be found: a hidden cell for each cell of the grid holds the number of its region; and connected cells."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import takewhile
from typing import ClassVar

from sudoku_encode.puzzles import neighbours
from sudoku_encode.puzzles.constraints.constraint import ANY, BoundConstraint, IssType, Size, Values
from sudoku_encode.puzzles.constraints.primitives import ConnectedCells, Domain, Primitive, Regions, Runs, values_that


class CellLayer(BoundConstraint):
    """A kind about cells that touch: those of the grid, or hidden cells that stand for them in reading order."""

    has_template = False

    @cached_property
    def edges(self) -> tuple[tuple[int, int], ...]:
        """The pairs of places in the list of cells that touch, smaller first."""
        cells = self.layer
        is_hidden = bool(cells) and min(cells) >= self.board.n_grid
        place = {cell: cell if is_hidden else cells.index(cell) for cell in (range(len(cells)) if is_hidden else cells)}
        pairs = (pair for pair in self.neighbours if pair[0] in place and pair[1] in place)
        return tuple(sorted((min(ends), max(ends)) for ends in ((place[a], place[b]) for a, b in pairs)))

    @property
    def layer(self) -> tuple[int, ...]:
        """The cells: those that are named, or all of the grid."""
        return self.cells if self.lists else tuple(range(self.board.n_grid))

    @cached_property
    def touching(self) -> tuple[tuple[int, ...], ...]:
        """For each place in the list of cells the places that touch it."""
        beside: list[list[int]] = [[] for _ in self.layer]
        for a, b in self.edges:
            beside[a].append(b)
            beside[b].append(a)
        return tuple(map(tuple, beside))

    def is_connected(self, places: Iterable[int]) -> bool:
        """Check whether places in the list of cells are connected."""
        unseen = set(places)
        waiting = [unseen.pop()] if unseen else []
        while waiting:
            reached = unseen.intersection(self.touching[waiting.pop()])
            unseen -= reached
            waiting += reached
        return not unseen

    def unfit(self) -> str:
        board, cells = self.board, self.layer
        if not neighbours.has_lines(board):
            return f"it needs neighbours, and the cells of {board.name} have none that lie in straight lines"
        if max(cells) >= board.n_grid and (min(cells) < board.n_grid or len(cells) != board.n_grid):
            return f"{len(cells)} cells with hidden ones; expected {board.n_grid}, a hidden cell for each of the grid"
        return ""


class ChaosConstruction(CellLayer):
    """Chaos construction: the regions are part of the solution.

    The hidden cells are those of the grid in reading order, and their values are determined by the regions.
    """

    name = "chaos-construction"
    aliases = ("chaos",)
    summary = (
        "the grid is divided into connected regions that contain each value once; the hidden cells, one for each "
        "cell of the grid in reading order, hold the number of its region; regions are numbered from 1 in reading "
        "order of their first cells"
    )
    form = "chaos-construction HIDDEN-CELLS"
    example = "chaos-construction h1-h81"
    iss = (IssType("ChaosConstruction", "chaos"),)
    decides_hidden_cells = True

    @property
    def n_regions(self) -> int:
        """How many regions there are."""
        return len(self.cells) // self.n

    def violated(self, values: Values) -> bool:
        regions: dict[int, list[int]] = {}
        for place, label in enumerate(self.in_list(values)):
            regions.setdefault(label, []).append(place)
        return list(regions) != list(range(1, self.n_regions + 1)) or any(
            sorted(values[place] for place in places) != list(range(1, self.n + 1)) or not self.is_connected(places)
            for places in regions.values()
        )

    def scope(self) -> Iterator[int]:
        """Yield the cells of the grid and those of their regions."""
        yield from range(self.board.n_grid)
        yield from self.cells

    def hidden_values(self, values: list[int], cells: Sequence[int]) -> Iterator[tuple[int, ...]]:
        """Yield the numbers of regions in some cells, for every division of the grid into regions."""
        fixed = [0 if cell in cells else values[cell] for cell in self.cells]
        for labels in self._divisions(values, fixed, [0] * len(fixed), 1):
            by_cell = dict(zip(self.cells, labels, strict=True))
            yield tuple(by_cell[cell] for cell in cells)

    def _divisions(
        self, values: Values, fixed: Sequence[int], labels: list[int], label: int
    ) -> Iterator[Sequence[int]]:
        """Yield the numbers of regions of all cells; regions below `label` are there, and 0 is a cell in none."""
        if 0 not in labels:
            yield tuple(labels)
            return
        first = labels.index(0)
        if label > self.n_regions:
            return
        open_places = {place for place, old in enumerate(labels) if not old and fixed[place] in (0, label)}
        needed = {place for place in open_places if fixed[place] == label}
        if first not in open_places:
            return
        for region in self._regions(values, first, open_places):
            if needed <= region:
                for place in region:
                    labels[place] = label
                if self._can_divide(labels):
                    yield from self._divisions(values, fixed, labels, label + 1)
                for place in region:
                    labels[place] = 0

    def _regions(self, values: Values, first: int, open_places: set[int]) -> Iterator[set[int]]:
        """Yield the connected sets of places with each value once that contain the first place, each set once."""

        def extend(region: list[int], used: int, frontier: list[int], refused: set[int]) -> Iterator[set[int]]:
            if len(region) == self.n:
                yield set(region)
                return
            refused = set(refused)
            while frontier:
                place = frontier.pop()
                refused.add(place)
                if used >> values[place] & 1:
                    continue
                new = [
                    other
                    for other in self.touching[place]
                    if other in open_places and other not in refused and other not in frontier and other not in region
                ]
                yield from extend([*region, place], used | 1 << values[place], [*frontier, *new], refused)

        beside = [place for place in self.touching[first] if place in open_places]
        yield from extend([first], 1 << values[first], beside, {first})

    def _can_divide(self, labels: Sequence[int]) -> bool:
        """Check whether each connected part of the cells without a region has a number of cells that regions fill."""
        unseen = {place for place, label in enumerate(labels) if not label}
        while unseen:
            waiting, size = [unseen.pop()], 0
            while waiting:
                size += 1
                reached = unseen.intersection(self.touching[waiting.pop()])
                unseen -= reached
                waiting += reached
            if size % self.n:
                return False
        return True

    def lower(self) -> Iterator[Primitive]:
        """Yield the numbers that each cell of a region can hold, and the regions."""
        cells = self.cells
        for place, cell in enumerate(cells):
            most = min(self.n_regions, place + 1)
            yield Domain(cell, values_that(self.n, lambda label, most=most: label <= most))  # type: ignore[misc]
        yield Regions(tuple(range(len(cells))), cells, self.edges, self.n_regions)

    def unfit(self) -> str:
        board, n = self.board, self.n
        if min(self.cells) < board.n_grid or len(self.cells) != board.n_grid:
            return f"{len(self.cells)} cells; expected {board.n_grid}, a hidden cell for each of the grid"
        if board.n_grid % n or board.n_grid // n > n:
            return f"{board.n_grid} cells of {n} values; expected at most {n} regions with each value once"
        return super().unfit()


class Clues(BoundConstraint):
    """A kind of clues: a cell says how many cells are in the region of the first one."""

    n_numbers = (0, 1)
    n_lists: ClassVar[Size] = (2, None)
    n_cells = ((1, 1), ANY)

    @property
    def arms(self) -> tuple[tuple[int, ...], ...]:
        """The lists of cells that are counted up to the first that is in another region than the first cell."""
        raise NotImplementedError

    def lower(self) -> Iterator[Primitive]:
        """Yield the clue."""
        yield Runs(self.cells[0], self.lists[1][0], self.arms, self.number(0))

    def unfit(self) -> str:
        return "" if self.number(0) in (0, 1) else f"not 0 or 1: {self.number(0)}, how many first cells are left out"


class RegionRun(Clues):
    name = "region-run"
    summary = (
        "all lines begin at one cell; the first cell counts the cells of the lines that are in the region of that "
        "cell, up to the first cell of another region; the shared cell counts once, or not at all after the number 1"
    )
    form = "region-run [1] CELL / LINE / LINE / ..."
    example = "region-run r1c1 / h1-h9 / h1 h10 h19"
    iss = (IssType("ChaosArrow", "region-run"),)

    @property
    def arms(self) -> tuple[tuple[int, ...], ...]:
        return tuple(line[1:] for line in self.lists[1:])

    def violated(self, values: Values) -> bool:
        region = values[self.lists[1][0]]
        lengths = [len(list(takewhile(lambda cell: values[cell] == region, line))) - 1 for line in self.lists[1:]]
        return values[self.cells[0]] != 1 + sum(lengths) - self.number(0)

    def unfit(self) -> str:
        if any(line[0] != self.lists[1][0] for line in self.lists[1:]):
            return "its lines begin at several cells; expected one cell from which all begin"
        return super().unfit()


class RegionCount(Clues):
    name = "region-count"
    summary = (
        "the first cell counts the others that are in the region of the first of them; that one counts too, but not "
        "after the number 1"
    )
    form = "region-count [1] CELL / CELLS"
    example = "region-count r1c1 / h1 h2 h10 h11"
    n_lists = (2, 2)
    iss = (IssType("ChaosCount", "region-count"),)

    @property
    def arms(self) -> tuple[tuple[int, ...], ...]:
        return tuple((cell,) for cell in self.lists[1][1:])

    def violated(self, values: Values) -> bool:
        first, *others = (values[cell] for cell in self.lists[1])
        return values[self.cells[0]] != 1 + others.count(first) - self.number(0)


class ConnectedValues(CellLayer):
    name = "connected"
    summary = (
        "the cells with any of the values, by default on the whole grid, are connected, and there is at least one; "
        "bounds before the values limit their number"
    )
    form = "connected [LEAST-MOST] VALUES [CELLS]"
    example = "connected 1 2 3"
    n_numbers = (1, 65)
    has_bounds = True
    n_lists = (0, 1)
    iss = (IssType("ConnectedValues", "connected"),)

    def violated(self, values: Values) -> bool:
        places = [place for place, cell in enumerate(self.layer) if values[cell] in self.numbers]
        return not (self.fits_number(len(places)) and self.is_connected(places))

    def fits_number(self, number: int) -> bool:
        """Check whether there may be a number of cells that hold one of the values."""
        least, most = self.constraint.bounds
        return number >= max(1, least or 1) and (most is None or number <= most)

    def scope(self) -> Iterable[int]:
        """Return the cells."""
        return self.layer

    def lower(self) -> Iterator[Primitive]:
        """Yield that the cells are connected."""
        least, most = self.constraint.bounds
        allowed, size = values_that(self.n, lambda value: value in self.numbers), len(self.layer)
        limits = max(1, least or 1), size if most is None else min(size, most)
        yield ConnectedCells(self.layer, allowed, self.edges, *limits)

    def unfit(self) -> str:
        return self.not_values(self.numbers) or super().unfit()

    def impossible(self) -> str:
        if not any(map(self.fits_number, range(1, len(self.layer) + 1))):
            return f"impossible number of cells {self.constraint.words[0]}: expected 1 to {len(self.layer)}"
        return ""


KINDS = (ChaosConstruction, RegionRun, RegionCount, ConnectedValues)
"""The kinds of this file."""
