"""The conditions of constraints: parts, whole constraints and pairs of them, and sums of houses; what each supports.

A candidate is supported if it fits some choice among the candidates of the other cells of a condition.

Source: arc consistency of pairs, Mackworth 1977; of sums and automata by a pass forward and one back, Trick 2003 and
    Pesant 2004.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial, reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import NamedTuple

import numpy as np

from sudoku_encode.papers.marks import Layout, Marks, values_of
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint
from sudoku_encode.puzzles.constraints.layers import Machine, machine_of, part_sums, paths, reach
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    Domain,
    EqualSums,
    Primitive,
    Relation,
    Runs,
    Sum,
    Unit,
    primitive_cells,
)
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.techniques.fillings import Filler, Together
from sudoku_encode.questions.techniques.houses import Balance, balances

# Up to this many sets of values are enumerated for cells that differ.
_MAX_SETS = 100_000
# By hand the combinations of more cells that a house leaves are too many.
MOST_LEFT = 6
# Candidates of the cells of a condition, as bit masks; bit 0 is value 1.
Masks = tuple[int, ...]


class Relations(NamedTuple):
    """The relations of a line, which make one step: by hand, a whole thermometer is considered at once."""

    pairs: tuple[Relation, ...]


@dataclass(frozen=True, eq=False)
class Condition:
    """A primitive of a constraint, all relations of a line, a constraint as a whole, or two, or a sum of a house."""

    text: str  # the constraint, as it is written
    # Not `Unit` or `Domain`, which the board and the candidates already express.
    primitive: Primitive | Relations | Together | Balance
    cells: tuple[int, ...]  # each once
    n: int  # the largest value
    first: int  # the number of the value 1
    kind: str = ""  # of the constraint
    meaning: str = ""  # what its kind means

    @cached_property
    def has_sets(self) -> bool:
        """Whether it is the sum of cells that differ, with few sets of values."""
        primitive, size = self.primitive, len(self.cells)
        few = sum(comb(self.n, used) for used in range(size + 1)) <= _MAX_SETS
        return isinstance(primitive, Sum) and primitive.distinct and set(primitive.coefficients) == {1} and few

    @cached_property
    def machines(self) -> tuple[Machine, ...]:
        """The machines that read a sum or a sequence of cells: of equal sums one for each part."""
        primitive = self.primitive
        if isinstance(primitive, EqualSums):
            return tuple(machine_of(part, self.n) for part in part_sums(primitive))
        if isinstance(primitive, Sum) and self.has_sets:
            of_sets = machine_of(Unit(primitive.cells, ""), self.n)
            return (of_sets._replace(ends=partial(_with_total, primitive.total)),)
        if isinstance(primitive, Balance):
            return (machine_of(primitive.sum, self.n),)
        return (machine_of(primitive, self.n),) if isinstance(primitive, Sum | Automaton | Runs) else ()

    @property
    def is_pair(self) -> bool:
        """Whether it is two constraints together."""
        return "` and `" in self.text

    @cached_property
    def cost(self) -> int:
        """How late it is looked at in a net: the quick ones first."""
        return len(self.cells) + 100 * isinstance(self.primitive, Together | Balance)

    def is_quick(self, marks: Marks) -> bool:
        """Whether it is used in nets: not two constraints, nor sums of many cells that houses leave."""
        if not (self.machines or isinstance(self.primitive, Relation | Relations | Clause | Together)):
            return False
        blanks = len(marks.blank(self.cells))
        most = MOST_LEFT if isinstance(self.primitive, Balance) else len(self.cells)
        return not self.is_pair and 0 < blanks <= most

    @cached_property
    def filler(self) -> Filler:
        """Lists the ways to fill the cells."""
        assert isinstance(self.primitive, Together | Balance)
        together = self.primitive if isinstance(self.primitive, Together) else self.primitive.together
        return Filler(together, self.cells, self.n)


def _with_total(total: int, sets: Int64s) -> Int64s:
    """Return the sets of values, bit v - 1 for v, that have a sum."""
    return np.array([values for values in sets.tolist() if sum(values_of(values)) == total], sets.dtype)


def conditions(puzzle: Puzzle) -> tuple[Condition, ...]:
    """Return the conditions of all constraints of a puzzle that are neither units nor about single cells.

    Those of single parts come first, then whole constraints and pairs of them, then sums that houses leave.
    """
    board = puzzle.geometry
    layout = Layout.of(lower_puzzle(puzzle).puzzle.geometry)

    def condition(
        text: str, primitive: Primitive | Relations | Together | Balance, kind: str = "", meaning: str = ""
    ) -> Condition:
        cells = tuple(dict.fromkeys(_cells(primitive)))
        return Condition(text, primitive, cells, board.n_values, board.first, kind, meaning)

    parts, wholes = list[Condition](), list[Condition]()
    for bound in puzzle.placed:
        text, primitives = bound.constraint.text(board), expanded(bound.primitives(), bound.n)
        kind = bound.constraint.kind
        meaning = CONSTRAINTS[kind].summary
        parts += [condition(text, primitive, kind, meaning) for primitive in _grouped(bound, primitives)]
        together = Together.of(primitives, layout.peers)
        if bound.constraint.cells and len(together.cells) > 1:
            wholes.append(condition(text, together))
    sums = [(part.text, part.primitive) for part in parts if isinstance(part.primitive, Sum)]
    of_houses = [condition(f"the sum of {balance.house}", balance) for balance in balances(layout, board, sums)]
    return (*parts, *wholes, *(condition(*pair) for pair in _pairs_of(wholes, layout)), *of_houses)


# The most cells of two constraints that are looked at together, and the most such pairs of a puzzle.
_MOST_CELLS_OF_TWO, _MOST_PAIRS = 9, 400


def _pairs_of(wholes: Sequence[Condition], layout: Layout) -> Iterator[tuple[str, Together]]:
    """Yield each two constraints that share a cell, unless they have many cells, with the texts of both."""
    pairs = [
        (first, second)
        for first, second in combinations(wholes, 2)
        if not set(first.cells).isdisjoint(second.cells) and len({*first.cells, *second.cells}) <= _MOST_CELLS_OF_TWO
    ]
    for first, second in pairs[:_MOST_PAIRS]:
        assert isinstance(first.primitive, Together)
        assert isinstance(second.primitive, Together)
        both = Together.of((*first.primitive.parts, *second.primitive.parts), layout.peers)
        yield f"{first.text}` and `{second.text}", both


def _grouped(bound: BoundConstraint, parts: Iterable[Primitive]) -> Iterable[Primitive | Relations]:
    primitives = [part for part in parts if not isinstance(part, Unit | Domain)]
    pairs = tuple(primitive for primitive in primitives if isinstance(primitive, Relation))
    # Relations all over the board are considered pair by pair.
    if not bound.constraint.cells or len(pairs) < 2:
        return primitives
    return [Relations(pairs), *(primitive for primitive in primitives if not isinstance(primitive, Relation))]


def contradiction_reason(puzzle: Puzzle) -> str:
    """Return which constraint the givens visibly contradict; empty if none."""
    givens = puzzle.extended.givens
    for bound in puzzle.placed:
        for primitive in expanded(bound.primitives(), bound.n):
            never = isinstance(primitive, Clause) and not primitive.literals
            if isinstance(primitive, Domain) and (given := int(givens[primitive.cell])):
                never = not primitive.values >> given - 1 & 1
            if never:
                return f"`{bound.constraint.text(puzzle.geometry)}` cannot hold"
    return ""


def supported_masks(condition: Condition, masks: Masks, *, is_supposed: bool = False) -> Masks:
    """Return the candidates that fit some choice among the candidates of the other cells.

    If a cell occurs several times in a sum or a sequence, fewer candidates may go than could. If the candidates are
    only supposed, no ways to fill the cells are listed, but those that were listed before are used.
    """
    primitive = condition.primitive
    if isinstance(primitive, Relation):
        return _support_in_relation(primitive, masks)
    if isinstance(primitive, Together | Balance):
        ways = condition.filler.known_ways(masks) if is_supposed else condition.filler.ways_with(masks)
        if ways is not None:
            return tuple(np.bitwise_or.reduce(ways, axis=0).tolist())
        if isinstance(primitive, Together):
            return masks
    return _supported_by_part(condition, masks)


@lru_cache(maxsize=8192)
def _supported_by_part(condition: Condition, masks: Masks) -> Masks:
    primitive = condition.primitive
    if isinstance(primitive, Relations):
        return _support_in_relations(primitive, condition.cells, masks)
    if isinstance(primitive, Clause):
        return _support_in_clause(primitive, condition.cells, masks)
    return support_on_paths(condition, masks)[0]


def _support_in_relation(primitive: Relation, masks: Masks) -> Masks:
    first, second = masks
    forward, backward = _fitting(primitive.allowed)
    first &= backward[second]
    return first, second & forward[first]


class _Fitting(dict[int, int]):
    """The values of one cell that fit some candidate of the other, by the candidates of the other."""

    def __init__(self, allowed: Sequence[int]) -> None:
        super().__init__()
        self._allowed = allowed

    def __missing__(self, mask: int) -> int:
        """Return the values that fit, and keep them."""
        fitting = self[mask] = reduce(or_, (self._allowed[value - 1] for value in values_of(mask)), 0)
        return fitting


@lru_cache(maxsize=256)
def _fitting(allowed: tuple[int, ...]) -> tuple[_Fitting, _Fitting]:
    """Return those of the second cell of a relation, and those of the first."""
    turned = [_mask(other for other, row in enumerate(allowed, 1) if row >> value & 1) for value in range(len(allowed))]
    return _Fitting(allowed), _Fitting(turned)


def _support_in_relations(primitive: Relations, cells: Sequence[int], masks: Masks) -> Masks:
    mask_of, changed = dict(zip(cells, masks, strict=True)), True
    while changed:
        changed = False
        for pair in primitive.pairs:
            before = mask_of[pair.first], mask_of[pair.second]
            after = _support_in_relation(pair, before)
            if after != before:
                changed, mask_of[pair.first], mask_of[pair.second] = True, *after
    return tuple(mask_of.values())


def _support_in_clause(primitive: Clause, cells: Sequence[int], masks: Masks) -> Masks:
    mask_of = dict(zip(cells, masks, strict=True))
    possible = [
        (cell, value)
        for cell, value in primitive.literals
        if (mask_of[cell] >> value - 1 & 1 if value > 0 else mask_of[cell] & ~(1 << -value - 1))
    ]
    if not possible:
        return (0,) * len(masks)
    if len(possible) == 1:
        ((cell, value),) = possible
        mask_of[cell] &= 1 << value - 1 if value > 0 else ~(1 << -value - 1)
    return tuple(mask_of.values())


@lru_cache(maxsize=8192)
def support_on_paths(condition: Condition, masks: Masks) -> tuple[Masks, tuple[int, ...]]:
    """Return the supported candidates of cells that machines read, and the accepted last states of the last machine."""
    mask_of, machines = dict(zip(condition.cells, masks, strict=True)), condition.machines
    if isinstance(condition.primitive, EqualSums):
        totals = reduce(np.intersect1d, [reach(machine, _values(machine, mask_of))[0][-1] for machine in machines])
        machines = tuple(machine._replace(ends=partial(np.intersect1d, totals)) for machine in machines)
    for machine in machines:
        values = _values(machine, mask_of)
        states, following = reach(machine, values)
        ends = machine.ends(states[-1])
        for cell, own, table in zip(machine.cells, values, paths(states, following, ends), strict=True):
            mask_of[cell] &= _mask(own[(table >= 0).any(axis=0)].tolist())
    return tuple(mask_of.values()), tuple(ends.tolist())


def _values(machine: Machine, mask_of: Mapping[int, int]) -> list[Int64s]:
    return [_array(mask_of[cell]) for cell in machine.cells]


@lru_cache(maxsize=4096)
def _array(mask: int) -> Int64s:
    return np.array(values_of(mask), np.int64)


def _mask(values: Iterable[int]) -> int:
    return sum(1 << value - 1 for value in values)


def _cells(primitive: Primitive | Relations | Together | Balance) -> Iterable[int]:
    if isinstance(primitive, Relations):
        return (cell for pair in primitive.pairs for cell in primitive_cells(pair))
    if isinstance(primitive, Together):
        return primitive.cells
    return primitive_cells(primitive.sum if isinstance(primitive, Balance) else primitive)
