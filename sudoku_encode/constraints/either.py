"""Either: all constraints of at least one alternative hold."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from sudoku_encode.constraints.disjunction import any_of
from sudoku_encode.constraints.lowering import primitives_of, require_small
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles import constraint as constraints
from sudoku_encode.puzzles.constraint import BoundConstraint, Constraint, Values
from sudoku_encode.puzzles.geometry import Geometry


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether each alternative contains a violated constraint."""
    return all(
        any(constraints.is_violated(part, values) for part in together) for together in _placed(c.board, c.constraint)
    )


def lower(c: BoundConstraint) -> Iterable[Primitive]:
    """Return clauses, a relation or an automaton; see `disjunction`."""
    return _lowered(c.board, c.constraint)


def scope(c: BoundConstraint) -> Iterator[int]:
    """Yield the cells of all alternatives."""
    for together in _placed(c.board, c.constraint):
        for part in together:
            yield from constraints.cells_of(part)


def unfit(c: BoundConstraint) -> str:
    """Return why there are fewer than two alternatives, one does not fit the board, or none can hold."""
    alternatives = c.constraint.alternatives
    if len(alternatives) < 2 or not all(alternatives):
        return "expected two alternatives or more, each with a constraint"
    for part in (part for together in alternatives for part in together):
        if part.alternatives:
            return "an alternative must not contain alternatives; write each of these as an alternative of its own"
        if reason := constraints.placement_fault(part, c.board):
            return f"{part.kind}: {reason}"
    reasons = [_impossible(together, c.board) for together in alternatives]
    if all(reasons):
        return reasons[0]
    try:
        lower(c)
    except FormatError as error:
        return error.message
    return ""


def _impossible(together: Iterable[Constraint], board: Geometry) -> str:
    return next(
        (f"{part.kind}: {reason}" for part in together if (reason := constraints.impossible_reason(part, board))), ""
    )


def _placed(board: Geometry, constraint: Constraint) -> list[list[BoundConstraint]]:
    """Return the constraints of each alternative, as if the puzzle had no others."""
    return [constraints.bind(board, together) for together in constraint.alternatives]


# An automaton takes a while to make, and is needed when a puzzle is read and again at each use of it.
@lru_cache(maxsize=1024)
def _lowered(board: Geometry, constraint: Constraint) -> tuple[Primitive, ...]:
    primitives: list[list[Primitive]] = []
    n_primitives = 0
    for together in _placed(board, constraint):
        primitives.append([])
        for part in together:
            for primitive in primitives_of(part):
                primitives[-1].append(primitive)
                n_primitives += 1
                require_small(n_primitives, 0)
    return tuple(any_of(primitives, board.n_values))
