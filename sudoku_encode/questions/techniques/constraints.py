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
from math import comb
from typing import NamedTuple

import numpy as np

from sudoku_encode.papers.marks import Deduction, Marks, values_of
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint
from sudoku_encode.puzzles.constraints.layers import Machine, machine_of, part_sums, paths, reach
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    Domain,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    Unit,
    primitive_cells,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import Puzzle
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
    """A primitive of a constraint, or all relations of a line."""

    text: str  # the constraint, as it is written
    primitive: Primitive | Relations  # not `Unit` or `Domain`, which the board and the candidates already express
    cells: tuple[int, ...]  # each once
    n: int  # the largest value
    first: int  # the number of the value 1

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
        return (machine_of(primitive, self.n),) if isinstance(primitive, Sum | Automaton) else ()


def _with_total(total: int, sets: Int64s) -> Int64s:
    """Return the sets of values, bit v - 1 for v, that have a sum."""
    return np.array([values for values in sets.tolist() if sum(values_of(values)) == total], sets.dtype)


def conditions(puzzle: Puzzle) -> tuple[Condition, ...]:
    """Return the conditions of all constraints of a puzzle that are neither units nor about single cells."""
    board = puzzle.geometry
    values = board.n_values, board.first
    return tuple(
        Condition(bound.constraint.text(board), primitive, tuple(dict.fromkeys(_cells(primitive))), *values)
        for bound in puzzle.placed
        for primitive in _grouped(bound)
    )


def _grouped(bound: BoundConstraint) -> Iterable[Primitive | Relations]:
    primitives = [part for part in expanded(bound.primitives(), bound.n) if not isinstance(part, Unit | Domain)]
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
        "relation", (Relation, Relations), marks, tick, lambda condition, masks: f"these fit {_others(condition)}"
    )


def only_way(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A clause of a constraint: one of its literals must be true, and all but one are false."""
    return _deductions("only way", (Clause,), marks, tick, lambda condition, masks: "one way is left in which it holds")


def sums(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A sum, or several equal sums: no candidates of the other cells make the sum with this value."""
    return _deductions("sum combinations", (Sum, EqualSums), marks, tick, _sum_reason)


def sequence(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The cells of a line or of a clue beside the grid, in order: no way to fill them has this value here."""
    return _deductions(
        "line sequence", (Automaton,), marks, tick, lambda condition, masks: "these fit no way to fill its cells"
    )


def _others(condition: Condition) -> str:
    return "no value of the other cell" if len(condition.cells) == 2 else "no values of the other cells"


def _deductions(
    technique: str,
    kinds: tuple[type, ...],
    marks: Marks,
    tick: Tick,
    why: Callable[[Condition, Masks], str],
) -> Iterator[Deduction]:
    """Yield for each condition of some kinds the candidates that its cells cannot hold."""
    for condition in marks.constraints:
        if not isinstance(condition.primitive, kinds):
            continue
        masks = tuple(marks.masks[cell] for cell in condition.cells)
        supported = supported_masks(condition, masks)
        if supported == masks:
            continue
        tick()
        removed = tuple(
            (cell, value)
            for cell, before, after in zip(condition.cells, masks, supported, strict=True)
            for value in values_of(before & ~after)
        )
        remaining = tuple(
            (cell, value) for cell, mask in zip(condition.cells, supported, strict=True) for value in values_of(mask)
        )
        values = tuple(sorted({value for _, value in removed}))
        reason = f"in `{condition.text}` {why(condition, masks)}"
        yield Deduction(technique, condition.cells, values, "", removed, why=reason, pattern=remaining)


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


@lru_cache(maxsize=8192)
def supported_masks(condition: Condition, masks: Masks) -> Masks:
    """Return the candidates that fit some choice among the candidates of the other cells.

    If a cell occurs several times in a sum or a sequence, fewer candidates may go than could.
    """
    primitive = condition.primitive
    if isinstance(primitive, Relation):
        return _support_in_relation(primitive, masks)
    if isinstance(primitive, Relations):
        return _support_in_relations(primitive, condition.cells, masks)
    if isinstance(primitive, Clause):
        return _support_in_clause(primitive, condition.cells, masks)
    return _support_on_paths(condition, masks)[0]


def _support_in_relation(primitive: Relation, masks: Masks) -> Masks:
    first, second = masks
    fitting = [value for value in values_of(first) if primitive.allowed[value - 1] & second]
    reached = 0
    for value in fitting:
        reached |= primitive.allowed[value - 1]
    return _mask(fitting), second & reached


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


def _cells(primitive: Primitive | Relations) -> Iterable[int]:
    if isinstance(primitive, Relations):
        return (cell for pair in primitive.pairs for cell in primitive_cells(pair))
    return primitive_cells(primitive)


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
