"""The start of a search with constraints: the propagators of all templates of a puzzle, joined to flat arrays.

The propagators of a template are made once, over places, and then get their cells. Where they depend on which of the
cells differ, they are made once for each pattern of cells that differ.

Propagators that tell apart all values of an automaton's cells are deferred: they are redundant, stronger and slow, and
run only when the search does not end soon.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle
from sudoku_encode.puzzles.constraints.primitives import Automaton, Count, Primitive, Relation, Sum, primitive_cells
from sudoku_encode.puzzles.constraints.templates import Template, stored, with_cells
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.search.cell_relations import (
    MOST_COUNTED,
    are_unequal,
    cliques,
    derived_sums,
    differing_cells,
    is_symmetric,
    joined_sums,
)
from sudoku_encode.search.propagators import (
    MOST_VALUES_OF_GROUPS,
    Propagator,
    counted_value_of,
    counting_propagator,
    depends_on_cells,
    joined_sum,
    propagators_of,
    sets_propagator,
)
from sudoku_encode.search.state import (
    AUTOMATON,
    BOUNDS,
    CLAUSE,
    CUT_LINE,
    DISTINCT,
    INDEXED_LINE,
    N_KINDS,
    REGIONS,
    RELATION,
    SETS,
    SUMS,
    VISIBLE,
    WEIGHT,
    ConstrainedState,
    Propagators,
    any_state,
    masks_of,
)

# The deferred propagators start after this much work (about 20 ms).
_SOON = 2**19
# Which cells differ is not written down for more cells.
_MOST_NEAR_CELLS = 1024
# Propagators of sums: the small ones of them weigh more.
_OF_SUMS = (SETS, SUMS, BOUNDS)
# Propagators that remove nothing more when they run again at once, if no cell comes twice.
_ONCE = {RELATION, CLAUSE, INDEXED_LINE, SUMS, VISIBLE, CUT_LINE, AUTOMATON, DISTINCT}
# Fewer automata are not tried for counting values.
_LEAST_COUNTED = 3
# Of a template no more patterns of cells that differ are remembered.
_MOST_PATTERNS = 64


class Bundle(NamedTuple):
    """Propagators over places, as flat arrays."""

    # int64 (k, 6): the kind of each, its number of cells, the place of its numbers in `data`, its cost, 1 if a second
    # run directly after the first removes nothing, what it adds to the weight of its cells.
    heads: Int64s
    cells: Int64s  # int64 (c, 2): the places of all cells, one propagator after the other, and their factors
    data: Int64s  # the numbers of all
    scratch: int  # the room that one of them needs


def _bundle(propagators: Sequence[Propagator], n: int) -> Bundle | None:
    """Return propagators of values up to n as arrays; None for no propagator."""
    if not propagators:
        return None
    place_of: dict[int, int] = {}
    tables, length, heads = list[Int64s](), 0, []
    for item in propagators:
        size, table = len(item.cells), item.data
        if id(table) not in place_of:
            place_of[id(table)] = length
            tables.append(table)
            length += len(table)
        cost = item.cost or 1 + len(table) // 16 + size // 2
        is_once = item.kind in _ONCE and len(set(item.cells)) == size
        # Deferred propagators add nothing, so a search that ends early behaves as if they did not exist.
        share = 0 if item.kind == DISTINCT else max(2 * n - size, n) if item.kind in _OF_SUMS else size
        heads.append((item.kind, size, place_of[id(table)], cost, is_once, share))
    places = chain.from_iterable(item.cells for item in propagators)
    factors = chain.from_iterable(item.factors for item in propagators)
    return Bundle(
        np.array(heads, np.int64),
        np.array(list(zip(places, factors, strict=True)), np.int64).reshape(-1, 2),
        np.concatenate(tables),
        max(item.scratch for item in propagators),
    )


# A bundle and the cells of its places.
_PlacedBundle = tuple[Bundle, Sequence[int]]
# The bundles of propagators that run from the beginning, and of the deferred ones.
_Bundles = tuple[Bundle | None, Bundle | None]


def _bundles(propagators: Sequence[Propagator], n: int) -> _Bundles:
    first = [item for item in propagators if item.kind != DISTINCT]
    return _bundle(first, n), _bundle([item for item in propagators if item.kind == DISTINCT], n)


class _Differing:
    """The cells that differ from each cell, in several forms."""

    def __init__(self, near: Sequence[int]) -> None:
        self.near = near  # see `differing_cells`

    @cached_property
    def words(self) -> Int64s:
        """For each cell those that differ from it, as bits of words, int64 (n_cells, words)."""
        n_words = (len(self.near) + 63) // 64
        every = b"".join([cells.to_bytes(8 * n_words, "little") for cells in self.near])
        return np.frombuffer(every, np.int64).reshape(-1, n_words).copy()

    @cached_property
    def _matrix(self) -> NDArray[np.uint8]:
        return np.unpackbits(self.words.view(np.uint8), axis=1, bitorder="little")

    def among(self, cells: Sequence[int]) -> NDArray[np.uint8]:
        """Return for any two of some cells 1 if they differ, uint8 (m, m)."""
        places = np.array(cells)
        pairs: NDArray[np.uint8] = self._matrix[places[:, None], places]
        return pairs


class _Facts:
    """The facts about a template that the search needs, and the bundles of its propagators that are made already."""

    def __init__(self, template: Template) -> None:
        n, primitives = template.n_values, template.others
        relations = [primitive for primitive in primitives if isinstance(primitive, Relation)]
        self.primitives, self.n = primitives, n
        # The pairs of places that differ, and those with a symmetric relation, by relation.
        self.unequal = [(one.first, one.second) for one in relations if are_unequal(one.allowed)]
        self.symmetric: defaultdict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
        for relation in relations:
            if is_symmetric(relation.allowed):
                self.symmetric[relation.allowed].append((relation.first, relation.second))
        self.sums = [one for one in primitives if isinstance(one, Sum) and set(one.coefficients) == {1}]
        # Primitives that may be joined with those of other templates.
        self.has_counts = any(isinstance(one, Count) and len(one.cells) <= MOST_COUNTED for one in primitives)
        automata = (one.cells for one in primitives if isinstance(one, Automaton))
        self.automata = [cells for cells in automata if len(set(cells)) == len(cells)]
        # Whether the propagators depend on which cells differ.
        self.depends = any(depends_on_cells(one, n) for one in primitives)
        self.by_pattern: dict[object, _Bundles] = {}

    @cached_property
    def _places_of_all(self) -> list[int]:
        """The places of all primitives, ascending."""
        return sorted({place for one in self.primitives for place in primitive_cells(one)})

    def placed(self, cells: Sequence[int], differing: _Differing) -> tuple[_Bundles, Sequence[int]]:
        """Return the bundles of the template on some cells, and the cells of their places."""
        if not self.depends:
            if None not in self.by_pattern:
                self.by_pattern[None] = self._bundles(self.primitives, ())
            return self.by_pattern[None], cells
        # Places are numbered in the order of their cells, so that the pattern alone decides.
        order, names = self._places_of_all, tuple[int, ...]()
        if not isinstance(cells, range):
            order = sorted(cells)
            names = tuple(map(order.index, cells))
        pattern = differing.among(order)
        key = names, pattern.tobytes()
        if key not in self.by_pattern:
            if len(self.by_pattern) >= _MOST_PATTERNS:
                self.by_pattern.clear()
            named = names or dict(zip(order, range(len(order)), strict=True))
            rows = np.packbits(pattern, axis=1, bitorder="little")
            ints = [int.from_bytes(row.tobytes(), "little") for row in rows]
            self.by_pattern[key] = self._bundles([with_cells(primitive, named) for primitive in self.primitives], ints)
        return self.by_pattern[key], order

    def _bundles(self, primitives: Iterable[Primitive], near: Sequence[int]) -> _Bundles:
        return _bundles([item for one in primitives for item in propagators_of(one, self.n, near)], self.n)


# The facts about a template live as long as the template.
_known_facts: WeakKeyDictionary[Template, _Facts] = WeakKeyDictionary()


def _facts_of(template: Template) -> _Facts:
    facts = _known_facts.get(template)
    if facts is None:
        facts = _known_facts[template] = _Facts(template)
    return facts


def constrained_state(lowered_puzzle: LoweredPuzzle) -> ConstrainedState:
    """Return a search of a puzzle with constraints; nothing is propagated yet."""
    puzzle = lowered_puzzle.puzzle
    board = puzzle.geometry
    every = range(board.n_cells)
    placed = [(_facts_of(template), cells) for template, cells in lowered_puzzle.placed]
    pairs = ((cells[a], cells[b]) for facts, cells in placed for a, b in facts.unequal)
    differing = _Differing(differing_cells(board, pairs))
    relations = [
        (allowed, [(cells[a], cells[b]) for a, b in places])
        for facts, cells in placed
        for allowed, places in facts.symmetric.items()
    ]
    sums = [(tuple([cells[place] for place in one.cells]), one.total) for facts, cells in placed for one in facts.sums]
    counts, placed = _counts_apart(placed, lowered_puzzle, differing.near)
    derived = [(_facts_of(_template_of_sum(one, board.n_values)), one.cells) for one in derived_sums(sums, board)]
    first, late = list[_PlacedBundle](), list[_PlacedBundle]()
    for facts, cells in placed:
        _add_bundles(facts.placed(cells, differing), first, late)
    _add_bundles((_bundles(counts, board.n_values), every), first, late)
    for facts, cells in derived:
        _add_bundles(facts.placed(cells, differing), first, late)
    joined = joined_sums(sums, differing.near, board.n_values) if board.n_values <= MOST_VALUES_OF_GROUPS else []
    _add_bundles((_bundles([joined_sum(*parts) for parts in joined], board.n_values), every), first, late)
    sets = [sets_propagator(cells, sets) for cells, sets in cliques(relations, board.n_values)]
    _add_bundles((_bundles(sets, board.n_values), every), first, late)
    return ConstrainedState(any_state(board, masks_of(puzzle)), _joined(first, late, board, differing))


def _add_bundles(
    bundles: tuple[_Bundles, Sequence[int]], first: list[_PlacedBundle], late: list[_PlacedBundle]
) -> None:
    """Add the bundles of some cells to lists of those that run from the beginning, and of the deferred ones."""
    (early_bundle, late_bundle), cells = bundles
    if early_bundle is not None:
        first.append((early_bundle, cells))
    if late_bundle is not None:
        late.append((late_bundle, cells))


def _template_of_sum(primitive: Sum, n: int) -> Template:
    factors, total = primitive.coefficients, primitive.total
    return stored(("sum", n, factors, total), n, lambda: [Sum(tuple(range(len(factors))), factors, total)])


_PlacedFacts = tuple[_Facts, Sequence[int]]


def _counts_apart(
    placed: list[_PlacedFacts], lowered_puzzle: LoweredPuzzle, near: Sequence[int]
) -> tuple[list[Propagator], list[_PlacedFacts]]:
    """Return a COUNTS propagator for all cells in which values are counted, and all other templates."""
    puzzle = lowered_puzzle.puzzle
    n = puzzle.geometry.n_values
    if not any(facts.has_counts or facts.automata for facts, _ in placed):
        return [], placed
    cells_of = [[tuple([cells[place] for place in places]) for places in facts.automata] for facts, cells in placed]
    n_automata = Counter(chain.from_iterable(cells_of)) if sum(map(len, cells_of)) >= _LEAST_COUNTED else Counter()
    # Only automata of the same cells may be a few that count a value each.
    shared = {cells for cells, number in n_automata.items() if number >= _LEAST_COUNTED}
    counts: defaultdict[tuple[int, ...], list[tuple[int, int]]] = defaultdict(list)
    others: list[_PlacedFacts] = []
    for item, automata in zip(placed, cells_of, strict=True):
        facts, cells = item
        if not facts.has_counts and shared.isdisjoint(automata):
            others.append(item)
            continue
        rest: list[Primitive] = []
        for primitive in (with_cells(one, cells) for one in facts.primitives):
            count = _count(primitive, n, shared)
            if count is None:
                rest.append(primitive)
            else:
                counts[primitive_cells(primitive)].append(count)
        if rest:
            others.append((_Facts(Template(n, tuple(rest))), range(puzzle.geometry.n_cells)))
    return [
        counting_propagator(cells, numbers, np.flatnonzero(puzzle.candidates[list(cells)].any(axis=0)) + 1, near)
        for cells, numbers in counts.items()
    ], others


def _count(primitive: Primitive, n: int, shared: Container[tuple[int, ...]]) -> tuple[int, int] | None:
    """Return the value that a primitive counts, and the accepted numbers as bits; None for any other primitive."""
    if isinstance(primitive, Count) and len(primitive.cells) <= MOST_COUNTED:
        return primitive.value, primitive.numbers
    if isinstance(primitive, Automaton) and primitive.cells in shared:
        return counted_value_of(primitive, n)
    return None


def _joined(
    first: Sequence[_PlacedBundle], late: Sequence[_PlacedBundle], board: Geometry, differing: _Differing
) -> Propagators:
    """Return the arrays of the propagators of bundles, of which the late ones are deferred."""
    bundles, n_cells = [*first, *late], board.n_cells
    heads, cells, factors, data = _concatenated(bundles)
    kinds, lengths, places, costs, once, shares = heads
    m, n_first = len(kinds), sum([len(bundle.heads) for bundle, _ in first])
    starts = np.zeros(m + 1, np.int64)
    np.cumsum(lengths, out=starts[1:])
    users = np.sort(cells * m + np.repeat(np.arange(m), lengths))
    # A cell that a propagator has twice is there once.
    if not (is_new := users[1:] != users[:-1]).all():
        users = users[np.concatenate([[True], is_new])]
    cell_of = users // max(1, m)
    number_of = users - cell_of * m
    user_starts = np.zeros(n_cells + 1, np.int64)
    np.cumsum(np.bincount(cell_of, minlength=n_cells), out=user_starts[1:])
    weights = np.bincount(cell_of, shares[number_of], n_cells) + max(1, board.n_values * len(board.full_rules))
    regions = np.flatnonzero(kinds == REGIONS)
    early = max((int(cells[starts[one] : starts[one + 1]].max()) + 1 for one in regions), default=board.n_grid)
    return Propagators(
        kinds,
        starts,
        cells.astype(np.uint32),
        factors,
        places,
        data,
        costs,
        once.astype(np.bool_),
        user_starts,
        number_of.astype(np.uint32),
        differing.words if n_cells <= _MOST_NEAR_CELLS else np.zeros((0, (n_cells + 63) // 64), np.int64),
        WEIGHT * weights.astype(np.int64),
        np.zeros(board.n_values, np.int64),
        np.zeros((N_KINDS, max(1, m)), np.uint32),
        np.zeros((2, N_KINDS), np.int64),
        np.zeros(m, np.bool_),
        np.zeros(max([bundle.scratch for bundle, _ in bundles], default=0), np.int64),
        np.array([0, 0, n_first, _SOON, 0, WEIGHT, 0, board.n_grid, early, 0], np.int64),
    )


def _concatenated(bundles: Sequence[_PlacedBundle]) -> tuple[Int64s, Int64s, Int64s, Int64s]:
    """Return the heads of all propagators, a column for each, their cells and factors, and the numbers of all."""
    if not bundles:
        nothing = np.zeros(0, np.int64)
        return np.zeros((6, 0), np.int64), nothing, nothing, nothing
    place_of: dict[int, int] = {}
    tables, length = list[Int64s](), 0
    for bundle, _ in bundles:
        if id(bundle) not in place_of:
            place_of[id(bundle)] = length
            tables.append(bundle.data)
            length += len(bundle.data)
    heads = np.ascontiguousarray(np.concatenate([bundle.heads for bundle, _ in bundles]).T)
    heads[2] += np.repeat([place_of[id(bundle)] for bundle, _ in bundles], [len(bundle.heads) for bundle, _ in bundles])
    places, factors = np.ascontiguousarray(np.concatenate([bundle.cells for bundle, _ in bundles]).T)
    named = np.fromiter(chain.from_iterable(cells for _, cells in bundles), np.int64)
    ends = list(accumulate((len(cells) for _, cells in bundles), initial=0))
    places += np.repeat(ends[:-1], [len(bundle.cells) for bundle, _ in bundles])
    return heads, named[places], factors, np.concatenate(tables)
