"""Techniques for constraints: which values of one cell fit the candidates of the other cells of a constraint.

Each uses one primitive of a constraint alone: two cells, a clause, a sum, or a sequence of cells. A value goes if it
fits no choice among the candidates of the other cells. `every_way` is the exception: it looks at what all ways in
which a clause can hold exclude, in other cells too.

Source: arc consistency of pairs, Mackworth 1977; of sums and automata by a pass forward and one back, Trick 2003 and
    Pesant 2004. Human solvers call the technique for cages *killer combinations*, and `every_way` *verity*; it is
    pointing for any alternatives.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial, reduce
from itertools import combinations
from math import comb
from operator import or_
from typing import NamedTuple

import numpy as np

from sudoku_encode.papers.marks import Deduction, Layout, Marks, values_of
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.puzzles.arrays import Bools, Int64s
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
from sudoku_encode.questions.techniques.fillings import Filler, Together, Ways
from sudoku_encode.questions.techniques.houses import Balance, balances
from sudoku_encode.questions.techniques.words import join_words

# Up to this many sets of values are enumerated for cells that differ; up to this many are named in a reason.
_MAX_SETS, _MAX_NAMED = 100_000, 6
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
        most = _MOST_LEFT if isinstance(self.primitive, Balance) else len(self.cells)
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
    left = [condition(f"the sum of {balance.house}", balance) for balance in balances(layout, board, sums)]
    return (*parts, *wholes, *(condition(*pair) for pair in _pairs_of(wholes, layout)), *left)


# The most cells of two constraints that are looked at together, and the most such pairs of a puzzle.
_MOST_CELLS_OF_TWO, _MOST_PAIRS = 9, 400


def _pairs_of(wholes: Sequence[Condition], layout: Layout) -> Iterator[tuple[str, Together]]:
    """Yield each two constraints that share a cell, unless they have many cells, with the texts of both."""
    pairs = [
        (one, other)
        for one, other in combinations(wholes, 2)
        if not set(one.cells).isdisjoint(other.cells) and len({*one.cells, *other.cells}) <= _MOST_CELLS_OF_TWO
    ]
    for one, other in pairs[:_MOST_PAIRS]:
        assert isinstance(one.primitive, Together)
        assert isinstance(other.primitive, Together)
        both = Together.of((*one.primitive.parts, *other.primitive.parts), layout.peers)
        yield f"{one.text}` and `{other.text}", both


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


def relation(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two cells of a constraint, or all neighbours on a line: a value fits no candidate of the other cell."""
    return _deductions(
        "relation",
        (Relation, Relations),
        marks,
        tick,
        lambda condition, masks: f"({condition.meaning}) these fit {_others(condition)}",
        lambda condition: condition.kind not in _RISING,
    )


# Kinds whose values rise along a line.
_RISING = ("thermometer", "slow-thermometer")


def thermometer(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Values rise along a line: these leave no room for the cells before or after."""
    return _deductions(
        "thermometer",
        (Relation, Relations),
        marks,
        tick,
        lambda condition, masks: "values rise from the bulb on: these leave too few for other cells",
        lambda condition: condition.kind in _RISING,
    )


def only_way(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A clause of a constraint: one of its literals must be true, and all but one are false."""
    return _deductions(
        "only way",
        (Clause,),
        marks,
        tick,
        lambda condition, masks: f"({condition.meaning}) one way is left in which it holds",
    )


def sums(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A sum, or several equal sums: no candidates of the other cells make the sum with this value."""
    return _deductions("sum combinations", (Sum, EqualSums), marks, tick, _sum_reason)


def sequence(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The cells of a line or of a clue beside the grid, in order: no way to fill them has this value here."""
    return _deductions(
        "line sequence",
        (Automaton, Runs),
        marks,
        tick,
        lambda condition, masks: f"({condition.meaning}) these fit no way to fill its cells",
    )


def rule_of_45(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The sum of a house and those of constraints in it leave a sum for few cells."""
    for condition in marks.constraints:
        balance = condition.primitive
        if not isinstance(balance, Balance):
            continue
        blanks = marks.blank(condition.cells)
        if not 0 < len(blanks) <= _MOST_LEFT:
            continue
        tick()
        masks = tuple(marks.masks[cell] for cell in condition.cells)
        supported = supported_masks(condition, masks)
        if supported == masks:
            continue
        removed = _removed(condition, masks, supported)
        if len(condition.cells) == 1 and supported[0]:
            (cell,), value = condition.cells, supported[0]
            removed += marks.having(marks.layout.peers[cell], value)
            yield Deduction(
                "rule of 45", (cell,), values_of(value), "", removed, (cell, value.bit_length()), balance.why
            )
            continue
        yield _deduction("rule of 45", condition, removed, supported, balance.why)


# By hand the combinations of more cells are too many.
_MOST_LEFT = 6


def ways_to_fill(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A constraint as a whole, with the units among its cells: no way to fill them has this value here."""
    return _of_wholes("ways to fill", False, marks, tick)


def two_constraints(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two constraints that share a cell: no way to fill the cells of both has this value here."""
    return _of_wholes("two constraints", True, marks, tick)


def _of_wholes(technique: str, pairs: bool, marks: Marks, tick: Tick) -> Iterator[Deduction]:
    for condition in _wholes(marks, pairs):
        masks = tuple(marks.masks[cell] for cell in condition.cells)
        supported = supported_masks(condition, masks)
        if supported != masks:
            tick()
            removed = _removed(condition, masks, supported)
            ways = condition.filler.ways_with(masks)
            yield _deduction(technique, condition, removed, supported, _ways_reason(condition, ways))


def _wholes(marks: Marks, pairs: bool) -> Iterator[Condition]:
    """Yield the whole constraints with blanks, or the pairs of such."""
    for condition in marks.constraints:
        if isinstance(condition.primitive, Together) and condition.is_pair == pairs and marks.blank(condition.cells):
            yield condition


def _ways_reason(condition: Condition, ways: Ways | None) -> str:
    assert ways is not None
    if 0 < len(ways) <= _MAX_NAMED:
        listed = join_words(
            ["-".join(str(value.bit_length() + condition.first - 1) for value in way) for way in ways.tolist()], "or"
        )
        return f"the cells of `{condition.text}`, which differ where they see each other, are {listed}"
    return f"these are in none of the {len(ways):,} ways to fill `{condition.text}` that its units allow"


def constraint_pointing(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Each way to fill a constraint has a value in one of some cells: a cell that sees all of them does not hold it."""
    for condition in _wholes(marks, False):
        ways = condition.filler.ways_with(tuple(marks.masks[cell] for cell in condition.cells))
        if ways is None or not len(ways):
            continue
        tick()
        for value in range(1, condition.n + 1):
            holds = ways == 1 << value - 1
            if not holds.any(axis=1).all():
                continue
            places = [cell for cell, some in zip(condition.cells, holds.any(axis=0).tolist(), strict=True) if some]
            if removed := _seeing(marks, condition, holds, value):
                shown = f"{value + condition.first - 1}"
                names = marks.layout.board.cell_name
                reason = f"each way to fill `{condition.text}` has {shown} at {join_words([*map(names, places)], 'or')}"
                pattern = tuple((cell, value) for cell in places)
                yield Deduction(
                    "constraint pointing", tuple(places), (value,), "", removed, why=reason, pattern=pattern
                )


def _seeing(marks: Marks, condition: Condition, holds: Bools, value: int) -> tuple[tuple[int, int], ...]:
    """Return the candidates of a value outside a constraint that see it in each way to fill the constraint."""
    places = {cell: column for column, cell in enumerate(condition.cells)}
    near = {peer for cell in places for peer in marks.layout.peers[cell]} - places.keys()
    return tuple(
        (cell, value)
        for cell, _ in marks.having(sorted(near), 1 << value - 1)
        if holds[:, [places[peer] for peer in marks.layout.peers[cell] if peer in places]].any(axis=1).all()
    )


def _others(condition: Condition) -> str:
    return "no value of the other cell" if len(condition.cells) == 2 else "no values of the other cells"


def _deductions(
    technique: str,
    kinds: tuple[type, ...],
    marks: Marks,
    tick: Tick,
    why: Callable[[Condition, Masks], str],
    is_looked_at: Callable[[Condition], bool] = lambda condition: True,
) -> Iterator[Deduction]:
    """Yield for each condition of some kinds the candidates that its cells cannot hold."""
    for condition in marks.constraints:
        if not isinstance(condition.primitive, kinds) or not is_looked_at(condition):
            continue
        masks = tuple(marks.masks[cell] for cell in condition.cells)
        supported = supported_masks(condition, masks)
        if supported == masks:
            continue
        tick()
        reason = f"in `{condition.text}` {why(condition, masks)}"
        yield _deduction(technique, condition, _removed(condition, masks, supported), supported, reason)


def _removed(condition: Condition, masks: Masks, supported: Masks) -> tuple[tuple[int, int], ...]:
    return tuple(
        (cell, value)
        for cell, before, after in zip(condition.cells, masks, supported, strict=True)
        for value in values_of(before & ~after)
    )


def _deduction(
    technique: str, condition: Condition, removed: tuple[tuple[int, int], ...], supported: Masks, why: str
) -> Deduction:
    remaining = tuple(
        (cell, value) for cell, mask in zip(condition.cells, supported, strict=True) for value in values_of(mask)
    )
    values = tuple(sorted({value for _, value in removed}))
    return Deduction(technique, condition.cells, values, "", removed, why=why, pattern=remaining)


def _sum_reason(condition: Condition, masks: Masks) -> str:
    if condition.has_sets:
        sets = _support_on_paths(condition, masks)[1]
        if 0 < len(sets) <= _MAX_NAMED:
            numbers = ([value + condition.first - 1 for value in values_of(chosen)] for chosen in sets)
            return f"the sum is {join_words(['+'.join(map(str, chosen)) for chosen in numbers], 'or')}"
        return (
            f"none of the {len(sets)} sets of values that have the sum has these" if sets else "no values have the sum"
        )
    return "these fit no values of the other cells that make the sum"


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
    return _support_on_paths(condition, masks)[0]


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
def _support_on_paths(condition: Condition, masks: Masks) -> tuple[Masks, tuple[int, ...]]:
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


# With more ways there is hardly ever a cell that is a peer of all.
_MOST_WAYS = 6


def every_way(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A constraint holds in one of a few ways, each a value in a cell: candidates that every way excludes go."""
    for condition in marks.constraints:
        if not isinstance(condition.primitive, Clause) or any(value < 0 for _, value in condition.primitive.literals):
            continue
        ways = [(cell, value) for cell, value in condition.primitive.literals if marks.masks[cell] >> value - 1 & 1]
        if not 1 < len(ways) <= _MOST_WAYS:
            continue
        tick()
        excluded = _excluded(marks, *ways[0])
        for way in ways[1:]:
            excluded &= _excluded(marks, *way)
        if excluded:
            removed = tuple(sorted(excluded))
            values = tuple(sorted({value for _, value in removed}))
            reason = f"in `{condition.text}` every way in which it holds excludes it"
            yield Deduction("every way", condition.cells, values, "", removed, why=reason, pattern=tuple(ways))


def _excluded(marks: Marks, cell: int, value: int) -> set[tuple[int, int]]:
    """Return the candidates that a value of a cell excludes."""
    own = marks.having([cell], ~(1 << value - 1))
    return {*own, *marks.having(marks.layout.peers[cell], 1 << value - 1)}
