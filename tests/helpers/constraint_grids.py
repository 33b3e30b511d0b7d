"""The grids of small puzzles with constraints: by the definitions, by the models of a formula, by a method."""

from itertools import product

from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode import Puzzle
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.puzzles.constraints.hidden import fillings
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import Automaton, Relation, Sum
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import by_hidden_cells
from tests.helpers.constraint_cases import Case, all_cases, puzzle_of

SMALL = [case for case in all_cases() if case[0].count("x") == 1 and case[0] != "4x4"]
ON_BOARDS = [case for case in all_cases() if case not in SMALL]


# Several tests compare with the grids of one case.
_GRIDS: dict[tuple[object, ...], tuple[tuple[int, ...], ...]] = {}


def allowed_grids(puzzle: Puzzle) -> frozenset[tuple[int, ...]]:
    """Return all grids of a board without units that break no constraint, by the definitions alone."""
    return frozenset(grids_of_fillings(puzzle))


def grids_of_fillings(puzzle: Puzzle) -> tuple[tuple[int, ...], ...]:
    """Return the same, each grid as often as there are values of the hidden cells with it."""
    board = puzzle.geometry
    key = board.name, board.n_values, board.n_cells, puzzle.constraints
    if key not in _GRIDS:
        known, hidden = by_hidden_cells(puzzle)
        _GRIDS[key] = tuple(
            grid
            for grid in product(range(1, board.n_values + 1), repeat=board.n_cells)
            if not any(here.violated(grid) for here in known)
            for _ in fillings(hidden, grid)
        )
    return _GRIDS[key]


def all_models(encoding: Encoding) -> list[tuple[int, ...]]:
    """Return the grid of each model of a formula; of two models that differ in other variables alone it comes twice."""
    found = []
    with Solver("cadical195", bootstrap_with=encoding.cnf) as solver:
        n = encoding.cnf.n_variables
        while solver.solve():
            literals = {abs(literal): literal for literal in solver.get_model() or []}
            model = [literals.get(variable, -variable) for variable in range(1, n + 1)]
            found.append(tuple(encoding.decode(model).values.tolist()))
            solver.add_clause([-literal for literal in model])
    return found


def grids_of(puzzle: Puzzle, method: str) -> list[tuple[int, ...]]:
    return [tuple(grid.values.tolist()) for grid in se.solutions(puzzle, method)]


def claims_consistency(case: Case) -> bool:
    """Return whether a case has one primitive, of those whose clauses propagate all that can be.

    An automaton that reads a cell twice is none of them, nor one that leaves it to a unit that cells differ.
    """
    found, kinds = (
        expanded(lower_puzzle(puzzle_of(case)).primitives, case[1]),
        ("lunchbox", "rellik-cage", "equality-cage", "extra-region"),
    )
    has_more = any(text.split()[0] in kinds for text in case[2]) or any(
        isinstance(one, Automaton) and len(set(one.cells)) < len(one.cells) for one in found
    )
    return (
        len(found) == 1
        and not has_more
        and (isinstance(found[0], Relation | Automaton) or (isinstance(found[0], Sum) and not found[0].distinct))
    )
