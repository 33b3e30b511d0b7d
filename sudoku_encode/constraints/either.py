"""Alternatives: constraints of other kinds, of which those of at least one alternative hold."""

from collections.abc import Iterable, Iterator
from functools import lru_cache

from sudoku_encode.constraints.disjunction import any_of
from sudoku_encode.constraints.lowering import primitives_of, require_few
from sudoku_encode.constraints.primitives import Primitive
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles import constraint as constraints
from sudoku_encode.puzzles.constraint import Constraint, Placed, Values
from sudoku_encode.puzzles.geometry import Geometry


def violated(here: Placed, values: Values) -> bool:
    """Say whether each alternative has a constraint that is broken."""
    return all(
        any(constraints.is_violated(one, values) for one in together)
        for together in _placed(here.board, here.constraint)
    )


def lower(here: Placed) -> Iterable[Primitive]:
    """Return clauses, a relation or an automaton."""
    return _lowered(here.board, here.constraint)


def scope(here: Placed) -> Iterator[int]:
    """Yield the cells of all alternatives."""
    for together in _placed(here.board, here.constraint):
        for one in together:
            yield from constraints.cells_of(one)


def unfit(here: Placed) -> str:
    """Refuse fewer than two alternatives, what cannot stand on the board, none that can hold, and what is too large."""
    alternatives = here.constraint.alternatives
    if len(alternatives) < 2 or not all(alternatives):
        return "there should be two alternatives or more with a constraint each"
    for one in (one for together in alternatives for one in together):
        if one.alternatives:
            return "an alternative has no alternatives itself; write each of these as one of the others"
        if reason := constraints.misplaced(one, here.board):
            return f"{one.kind}: {reason}"
    reasons = [_impossible(together, here.board) for together in alternatives]
    if all(reasons):
        return reasons[0]
    try:
        lower(here)
    except FormatError as error:
        return error.message
    return ""


def _impossible(together: Iterable[Constraint], board: Geometry) -> str:
    return next((f"{one.kind}: {reason}" for one in together if (reason := constraints.impossible(one, board))), "")


def _placed(board: Geometry, constraint: Constraint) -> list[list[Placed]]:
    """Return the constraints of each alternative, as if they were all that there are."""
    return [constraints.placed(board, together) for together in constraint.alternatives]


# An automaton takes a while to make, and is asked for when a puzzle is read and at each use of it.
@lru_cache(maxsize=1024)
def _lowered(board: Geometry, constraint: Constraint) -> tuple[Primitive, ...]:
    some: list[list[Primitive]] = []
    n_primitives = 0
    for together in _placed(board, constraint):
        some.append([])
        for one in together:
            for primitive in primitives_of(one):
                some[-1].append(primitive)
                n_primitives += 1
                require_few(n_primitives, 0)
    return tuple(any_of(some, board.n_values))
