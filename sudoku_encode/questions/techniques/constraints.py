"""Techniques for constraints: values that fit no choice among the candidates of the other cells of a condition.

Most use one condition alone: a part of a constraint, all ways to fill a constraint or two, or the sum of a house. A
value goes if it fits no choice among the candidates of the other cells. `every_way` and `constraint_pointing` look at
what all ways exclude in other cells.

Source: human solvers call the technique for cages *killer combinations*, `every_way` *verity*, and `rule_of_45` the
    sums of *innies and outies*; `constraint_pointing` is pointing for any constraint.
"""

from collections.abc import Callable, Iterator

from sudoku_encode.papers.marks import Deduction, Marks, values_of
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.puzzles.arrays import Bools
from sudoku_encode.puzzles.constraints.primitives import Automaton, Clause, EqualSums, Relation, Runs, Sum
from sudoku_encode.questions.techniques.conditions import (
    MOST_LEFT,
    Condition,
    Masks,
    Relations,
    support_on_paths,
    supported_masks,
)
from sudoku_encode.questions.techniques.fillings import Together, Ways
from sudoku_encode.questions.techniques.houses import Balance
from sudoku_encode.questions.techniques.words import join_words

# Up to this many ways are named in a reason.
_MAX_NAMED = 6


def relation(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two cells of a constraint, or all neighbours on a line: a value fits no candidate of the other cell."""
    return _deductions(
        "relation",
        (Relation, Relations),
        marks,
        tick,
        lambda condition, masks: f"({condition.meaning}) the removed candidates fit {_others(condition)}",
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
        lambda condition, masks: (
            "values rise from the bulb: the removed candidates leave too few values for other cells"
        ),
        lambda condition: condition.kind in _RISING,
    )


def only_way(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A clause of a constraint: one of its literals must be true, and all but one are false."""
    return _deductions(
        "only way",
        (Clause,),
        marks,
        tick,
        lambda condition, masks: f"({condition.meaning}) only one way is left to satisfy it",
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
        lambda condition, masks: f"({condition.meaning}) the removed candidates are in no way to fill its cells",
    )


def rule_of_45(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The sum of a house and those of constraints in it leave a sum for few cells."""
    for condition in marks.constraints:
        balance = condition.primitive
        if not isinstance(balance, Balance):
            continue
        blanks = marks.blank(condition.cells)
        if not 0 < len(blanks) <= MOST_LEFT:
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
    if not len(ways):
        return f"there is no way to fill {condition.text} that its units allow"
    return (
        f"the removed candidates are in none of the {len(ways):,} ways to fill `{condition.text}` that its units allow"
    )


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
    peers_of = marks.layout.peers
    near = {peer for cell in places for peer in peers_of[cell]} - places.keys()
    return tuple(
        (cell, value)
        for cell, _ in marks.having(sorted(near), 1 << value - 1)
        if holds[:, [places[peer] for peer in peers_of[cell] if peer in places]].any(axis=1).all()
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
        sets = support_on_paths(condition, masks)[1]
        if 0 < len(sets) <= _MAX_NAMED:
            numbers = ([value + condition.first - 1 for value in values_of(chosen)] for chosen in sets)
            return f"the sum is {join_words(['+'.join(map(str, chosen)) for chosen in numbers], 'or')}"
        return (
            f"the removed candidates are in none of the {len(sets)} sets of values that have the sum"
            if sets
            else "no values have the sum"
        )
    return "the removed candidates fit no values of the other cells that make the sum"


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
            reason = f"in `{condition.text}` every way to satisfy it excludes the removed candidates"
            yield Deduction("every way", condition.cells, values, "", removed, why=reason, pattern=tuple(ways))


def _excluded(marks: Marks, cell: int, value: int) -> set[tuple[int, int]]:
    """Return the candidates that a value of a cell excludes."""
    own = marks.having([cell], ~(1 << value - 1))
    return {*own, *marks.having(marks.layout.peers[cell], 1 << value - 1)}
