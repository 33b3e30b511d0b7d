"""Kinds that count with values, where these begin at 0: automata that read a value one less than it is here.

Source: sigh/Interactive-Sudoku-Solver, js/solver/handlers.js: what a 0 is for `Skyscraper`, `Lunchbox` and others.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from sudoku_encode.constraints import count_distinct, lunchbox, rellik_cage, sandwich, skyscraper, x_sum
from sudoku_encode.constraints.primitives import Steps
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_automata import automaton
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry

_Found = Iterator[Constraint]


def _from_zero(board: Geometry, cells: Sequence[int], steps: Steps[Any]) -> Constraint:
    """Return what accepts values from 1 where the steps accept those that are one less."""
    return automaton(cells, board.n_values, steps._replace(step=lambda state, value: steps.step(state, value - 1)))


def _sandwich(board: Geometry, one: Constraint) -> _Found:
    yield _from_zero(board, one.cells[0], sandwich.steps((0, board.n_values - 1), one.numbers[0]))


def _count_distinct(board: Geometry, one: Constraint) -> _Found:
    (control,), others = one.cells
    yield _from_zero(board, (*others, control), count_distinct.steps(len(others)))


def _by_number(steps: Callable[[int], Steps[Any]], differ: bool = False) -> Callable[[Geometry, Constraint], _Found]:
    """Return the translation of a kind whose steps depend on its number alone; its cells may have to differ as well."""

    def translation(board: Geometry, one: Constraint) -> _Found:
        if differ and len(one.cells[0]) > 1:
            yield Constraint("extra-region", one.cells)
        yield _from_zero(board, one.cells[0], steps(one.numbers[0]))

    return translation


def _line_of_sums(board: Geometry, one: Constraint) -> _Found:
    amount = one.numbers[0]
    if amount < 1:
        raise FormatError(f"the sum of a piece is {amount}, below 1")
    yield _from_zero(board, one.cells[0], _pieces(amount, is_loop=one.kind == "sum-loop"))


def _pieces(amount: int, *, is_loop: bool) -> Steps[tuple[int, int, bool]]:
    """Read a line, or a loop, that can be cut into pieces of a sum; a 0 may end one piece or begin the next."""
    # The sum so far, by its remainder; where cuts may be by that remainder, since a cell is not cut; and whether there
    # is more than 0: a loop of 0 alone has no piece.
    start = (0, (1 << amount) - 1 if is_loop else 1, not is_loop)

    def step(state: tuple[int, int, bool], value: int) -> tuple[int, int, bool] | None:
        total, cuts, is_some = state
        for part in range(1, value):
            cuts &= ~(1 << (total + part) % amount)
        return ((total + value) % amount, cuts, is_some or value > 0) if cuts else None

    return Steps(start, step, lambda state: state[0] == 0 and state[2])


TRANSLATIONS: dict[str, Callable[[Geometry, Constraint], _Found]] = {
    "x-sum": _by_number(x_sum.steps),
    "skyscraper": _by_number(skyscraper.steps),
    "sandwich": _sandwich,
    "lunchbox": _by_number(lunchbox.steps, differ=True),
    "rellik-cage": _by_number(rellik_cage.steps, differ=True),
    "count-distinct": _count_distinct,
    "sum-line": _line_of_sums,
    "sum-loop": _line_of_sums,
}
