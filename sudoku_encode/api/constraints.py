"""Constraints from functions: an automaton from its steps, a relation or a table from a condition on a few values."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import product

from sudoku_encode.api.arguments import check_arguments
from sudoku_encode.api.puzzles import board as board_named
from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.parsing import cells_of, parse
from sudoku_encode.puzzles.constraints.primitives import State, Steps
from sudoku_encode.puzzles.constraints.written_automata import one_less, pair_words, too_many_values, words_of_steps
from sudoku_encode.puzzles.geometry import Geometry

# A function is called as often at most: 9^5 and 16^4 are below.
MOST_CALLS = 100_000


@check_arguments
def automaton(
    cells: str | Iterable[str | int],
    board: str | Geometry,
    start: State,
    step: Callable[[State, int], State | None],
    accepts: Callable[[State], bool],
) -> Constraint:
    """Return the constraint that an automaton accepts the values along a line.

    Its text is an `automaton` with only the states that the line can reach;
    states that no values tell apart are merged.

    Args:
        cells: in the order in which they are read: text such as `r1c1-r1c9`, or
            a list of names or numbers.
        board: the board, or its name.
        start: the first state: anything that can be a key of a dict.
        step: returns the next state for a state and a value, as people read it;
            None if the value is not allowed there.
        accepts: returns whether the line may end in a state.

    Raises:
        FormatError: no values are accepted; or the automaton is too large.
        GeometryError: no such board, or no such cell.

    The values never fall by more than 2:

    >>> gentle = automaton("r1c1-r1c4", "4x4", 0, lambda last, value: value if last - value <= 2 else None, bool)
    >>> gentle.text(board_named("4x4"))
    'automaton 123>1,4>2 !123>1,4>2 !23>1,4>2: r1c1-r1c4'
    """
    geometry, line = _place(cells, board)
    steps = Steps(start, lambda state, value: step(state, value - 1 + geometry.first), accepts)
    words = words_of_steps(steps, geometry.n_values, len(line))
    return _written("automaton", words, line, geometry)


@check_arguments
def relation(function: Callable[..., bool], cells: str | Iterable[str | int], board: str | Geometry) -> Constraint:
    """Return the constraint that a function is true for the values of a few cells.

    Its text is a table: `values` for one cell, `pairs` for two, an `automaton`
    for more.

    Args:
        function: takes as many values as there are cells, and is called once
            for each combination. Values are those that people read: from 0 on a
            board such as `9x9:0-8`.
        cells: text such as `r1c1 r2c2`, or a list of names or numbers.
        board: the board, or its name.

    Raises:
        FormatError: the function is true for no values; or there are too many
            cells.
        GeometryError: no such board, or no such cell.

    >>> relation(lambda a, b: a * b % 4 == 3, "r1c1 r2c1", "4x4").text(board_named("4x4"))
    'pairs 13 31: r1c1 r2c1'
    >>> relation(lambda a, b, c: a == b + c, ["r1c1", "r1c2", "r2c1"], "4x4").text(board_named("4x4"))
    'automaton 2>1,3>2,4>3 1>4 1>5,2>4 1>6,2>5,3>4 1>7 2>7 3>7 !: r1c1 r1c2 r2c1'
    """
    geometry, line = _place(cells, board)
    n, less = geometry.n_values, 1 - geometry.first
    if n ** len(line) > MOST_CALLS:
        raise FormatError(
            f"{len(line)} cells of {n} values have more than {MOST_CALLS:,} combinations; expected fewer cells"
        )
    choices = product(range(1, n + 1), repeat=len(line))
    allowed = {values for values in choices if function(*(value - less for value in values))}
    if not allowed:
        raise FormatError("the function allows no values; expected it to return True for some")
    if len(line) == 1:
        return Constraint("values", (line,), tuple(value - less for (value,) in sorted(allowed)))
    if len(line) == 2:
        return _written("pairs", pair_words(allowed), line, geometry)
    steps = Steps[tuple[int, ...]]((), lambda before, value: (*before, value), allowed.__contains__)
    return _written("automaton", words_of_steps(steps, n, len(line)), line, geometry)


def _written(kind: str, words: str, line: Iterable[int], board: Geometry) -> Constraint:
    """Return the constraint of words that say values from 1."""
    words = words if board.first else one_less(words)
    return parse(f"{kind} {words}: {' '.join(map(board.cell_name, line))}", board)


def _place(cells: str | Iterable[str | int], board: str | Geometry) -> tuple[Geometry, tuple[int, ...]]:
    """Return the board, whose values must have symbols, and the cells."""
    geometry = board_named(board) if isinstance(board, str) else board
    if reason := too_many_values(geometry):
        raise FormatError(reason)
    return geometry, cells_of(cells, geometry)
