"""Techniques for constraints: what the cells of one constraint may hold, as far as its other cells allow.

Each looks at one primitive of a constraint alone: two cells, a clause, a sum, or a sequence of cells. A value goes if
no choice among the candidates of the other cells goes with it.

Source: arc consistency of pairs, Mackworth 1977; of sums and automata by a pass forward and one back, Trick 2003 and
    Pesant 2004. Solvers by hand call the one for cages *killer combinations*.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import comb
from typing import NamedTuple

from sudoku_encode.constraints.lowering import primitives_of
from sudoku_encode.constraints.primitives import (
    Allowed,
    Automaton,
    Clause,
    EqualSums,
    Primitive,
    Relation,
    Sum,
    Unit,
    primitive_cells,
)
from sudoku_encode.papers.marks import Deduction, Marks, values_of
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.puzzles.constraint import Placed
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.techniques.words import listed

# Up to this number of sets of values the sets of cells that differ are looked at, and that number is named.
_MAX_SETS, _MAX_NAMED = 100_000, 6
# Candidates of the cells of a part, as bit masks; bit 0 is value 1.
Masks = tuple[int, ...]


class Relations(NamedTuple):
    """The relations of a line, which are one step: by hand all of a thermometer is looked at at once."""

    pairs: tuple[Relation, ...]


@dataclass(frozen=True, eq=False)
class Part:
    """A primitive of a constraint, or all relations of a line, for techniques.

    Attributes:
        text: the constraint, as it is written.
        primitive: no `Unit` or `Allowed`: what they say is in the board and in the candidates.
        cells: each once.
        n: the largest value.
    """

    text: str
    primitive: Primitive | Relations
    cells: tuple[int, ...]
    n: int


def parts(puzzle: Puzzle) -> tuple[Part, ...]:
    """Return the parts of all constraints of a puzzle that are neither units nor about single cells."""
    board = puzzle.geometry
    return tuple(
        Part(here.constraint.text(board), primitive, tuple(dict.fromkeys(_cells(primitive))), board.n_values)
        for here in puzzle.placed
        for primitive in _together(here)
    )


def _together(here: Placed) -> Iterable[Primitive | Relations]:
    found = [one for one in primitives_of(here) if not isinstance(one, Unit | Allowed)]
    pairs = tuple(one for one in found if isinstance(one, Relation))
    # What holds all over the board is looked at pair by pair.
    if not here.constraint.cells or len(pairs) < 2:
        return found
    return [Relations(pairs), *(one for one in found if not isinstance(one, Relation))]


def never_holds(puzzle: Puzzle) -> str:
    """Say which constraint no grid with the givens fulfils, where one is seen at once; else an empty text."""
    for here in puzzle.placed:
        for primitive in primitives_of(here):
            never = isinstance(primitive, Clause) and not primitive.literals
            if isinstance(primitive, Allowed) and (given := int(puzzle.givens[primitive.cell])):
                never = not primitive.values >> given - 1 & 1
            if never:
                return f"`{here.constraint.text(puzzle.geometry)}` cannot hold"
    return ""


def relation(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two cells of a constraint, or each two neighbours on a line: a value fits none that the other may hold."""
    return _found("relation", (Relation, Relations), marks, tick, lambda part, masks: f"these fit {_others(part)}")


def only_way(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """One of some things must be true of a constraint, and all but one are not."""
    return _found("only way", (Clause,), marks, tick, lambda part, masks: "one way is left in which it holds")


def sums(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A sum, or several that are equal: no values of the other cells make it with this one."""
    return _found("sum combinations", (Sum, EqualSums), marks, tick, _why_of_sum)


def sequence(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The cells of a line or of a clue beside the grid, in their order: no way through them has this value here."""
    return _found("line sequence", (Automaton,), marks, tick, lambda part, masks: "these fit no way to fill its cells")


def _others(part: Part) -> str:
    return "no value of the other cell" if len(part.cells) == 2 else "no values of the other cells"


def _found(
    technique: str,
    kinds: tuple[type, ...],
    marks: Marks,
    tick: Tick,
    why: Callable[[Part, Masks], str],
) -> Iterator[Deduction]:
    """Yield for each part of a kind what its cells cannot hold."""
    for part in marks.constraints:
        if not isinstance(part.primitive, kinds):
            continue
        masks = tuple(marks.masks[cell] for cell in part.cells)
        left = supported(part, masks)
        if left == masks:
            continue
        tick()
        removed = tuple(
            (cell, value)
            for cell, before, after in zip(part.cells, masks, left, strict=True)
            for value in values_of(before & ~after)
        )
        kept = tuple((cell, value) for cell, mask in zip(part.cells, left, strict=True) for value in values_of(mask))
        gone = tuple(sorted({value for _, value in removed}))
        reason = f"in `{part.text}` {why(part, masks)}"
        yield Deduction(technique, part.cells, gone, "", removed, why=reason, pattern=kept)


def _why_of_sum(part: Part, masks: Masks) -> str:
    primitive = part.primitive
    if isinstance(primitive, Sum) and _has_sets(primitive, part.n):
        _, sets = _distinct(masks, primitive.total)
        if 0 < len(sets) <= _MAX_NAMED:
            return f"the sum is {listed(['+'.join(map(str, values_of(chosen))) for chosen in sets], 'or')}"
        return (
            f"none of the {len(sets)} sets of values that have the sum has these" if sets else "no values have the sum"
        )
    return "these fit no values of the other cells that make the sum"


@lru_cache(maxsize=8192)
def supported(part: Part, masks: Masks) -> Masks:
    """Return the candidates of the cells of a part that some choice among those of its other cells goes with.

    Where a cell is in several places of a sum or a sequence, fewer may go than could.
    """
    primitive = part.primitive
    if isinstance(primitive, Relation):
        return _of_relation(primitive, masks)
    if isinstance(primitive, Relations):
        return _of_relations(primitive, part.cells, masks)
    if isinstance(primitive, Clause):
        return _of_clause(primitive, part.cells, masks)
    if isinstance(primitive, Sum):
        if _has_sets(primitive, part.n):
            return _distinct(masks, primitive.total)[0]
        return _with_sum(masks, primitive.coefficients, {primitive.total})
    if isinstance(primitive, EqualSums):
        return _of_equal_sums(primitive, part.cells, masks)
    return _of_automaton(primitive, part.cells, masks) if isinstance(primitive, Automaton) else masks


def _of_relation(primitive: Relation, masks: Masks) -> Masks:
    first, second = masks
    goes = [value for value in values_of(first) if primitive.allowed[value - 1] & second]
    reached = 0
    for value in goes:
        reached |= primitive.allowed[value - 1]
    return _mask(goes), second & reached


def _of_relations(primitive: Relations, cells: Sequence[int], masks: Masks) -> Masks:
    mask_of, changed = dict(zip(cells, masks, strict=True)), True
    while changed:
        changed = False
        for pair in primitive.pairs:
            before = mask_of[pair.first], mask_of[pair.second]
            after = _of_relation(pair, before)
            if after != before:
                changed, mask_of[pair.first], mask_of[pair.second] = True, *after
    return tuple(mask_of.values())


def _of_clause(primitive: Clause, cells: Sequence[int], masks: Masks) -> Masks:
    mask_of = dict(zip(cells, masks, strict=True))
    can = [
        (cell, value)
        for cell, value in primitive.literals
        if (mask_of[cell] >> value - 1 & 1 if value > 0 else mask_of[cell] & ~(1 << -value - 1))
    ]
    if not can:
        return (0,) * len(masks)
    if len(can) == 1:
        ((cell, value),) = can
        mask_of[cell] &= 1 << value - 1 if value > 0 else ~(1 << -value - 1)
    return tuple(mask_of.values())


def _has_sets(primitive: Sum, n: int) -> bool:
    size = len(primitive.cells)
    few = sum(comb(n, some) for some in range(size + 1)) <= _MAX_SETS
    return primitive.distinct and set(primitive.coefficients) == {1} and few


@lru_cache(maxsize=8192)
def _distinct(masks: Masks, total: int) -> tuple[Masks, tuple[int, ...]]:
    """Return the candidates of cells that differ and have a sum, and the sets of values that they can have."""
    reached = [{0}]
    for mask in masks:
        bits = [1 << value - 1 for value in values_of(mask)]
        reached.append({held | bit for held in reached[-1] for bit in bits if not held & bit})
    sets = sorted(held for held in reached[-1] if sum(values_of(held)) == total)
    good, left = set(sets), list[int]()
    for before, mask in zip(reversed(reached[:-1]), reversed(masks), strict=True):
        bits = [1 << value - 1 for value in values_of(mask)]
        steps = [(held, bit) for held in before for bit in bits if not held & bit and held | bit in good]
        good = {held for held, _ in steps}
        kept = 0
        for _, bit in steps:
            kept |= bit
        left.append(kept)
    return tuple(reversed(left)), tuple(sets)


def _with_sum(masks: Sequence[int], coefficients: Sequence[int], totals: set[int]) -> Masks:
    """Return the candidates of cells that, each times its coefficient, have one of some sums; cells may be equal."""
    reached = [{0}]
    for mask, factor in zip(masks, coefficients, strict=True):
        steps = [factor * value for value in values_of(mask)]
        reached.append({before + step for before in reached[-1] for step in steps})
    good, left = reached[-1] & totals, list[int]()
    for before, mask, factor in zip(reversed(reached[:-1]), reversed(masks), reversed(coefficients), strict=True):
        kept = [value for value in values_of(mask) if any(start + factor * value in good for start in before)]
        good = {start for start in before if any(start + factor * value in good for value in kept)}
        left.append(_mask(kept))
    return tuple(reversed(left))


def _of_equal_sums(primitive: EqualSums, cells: Sequence[int], masks: Masks) -> Masks:
    mask_of = dict(zip(cells, masks, strict=True))
    together: list[tuple[tuple[int, ...], tuple[int, ...]]] = []
    for part in primitive.parts:
        each = tuple(dict.fromkeys(part))
        together.append((each, tuple(part.count(cell) for cell in each)))
    totals: set[int] | None = None
    for each, factors in together:
        reached = {0}
        for cell, factor in zip(each, factors, strict=True):
            reached = {before + factor * value for before in reached for value in values_of(mask_of[cell])}
        totals = reached if totals is None else totals & reached
    for each, factors in together:
        left = _with_sum([mask_of[cell] for cell in each], factors, totals or set())
        mask_of.update(zip(each, left, strict=True))
    return tuple(mask_of.values())


def _of_automaton(primitive: Automaton, cells: Sequence[int], masks: Masks) -> Masks:
    mask_of = dict(zip(cells, masks, strict=True))
    states, taken = {0}, list[list[tuple[int, int, int]]]()
    for cell, layer in zip(primitive.cells, primitive.layers, strict=True):
        mask = mask_of[cell]
        taken.append([move for move in layer if move[0] in states and mask >> move[1] - 1 & 1])
        states = {after for _, _, after in taken[-1]}
    for cell, moves in zip(reversed(primitive.cells), reversed(taken), strict=True):
        good = [move for move in moves if move[2] in states]
        states = {before for before, _, _ in good}
        mask_of[cell] &= _mask({value for _, value, _ in good})
    return tuple(mask_of.values())


def _mask(values: Iterable[int]) -> int:
    return sum(1 << value - 1 for value in values)


def _cells(primitive: Primitive | Relations) -> Iterable[int]:
    if isinstance(primitive, Relations):
        return (cell for pair in primitive.pairs for cell in primitive_cells(pair))
    return primitive_cells(primitive)
