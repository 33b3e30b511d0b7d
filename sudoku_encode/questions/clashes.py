"""Why a puzzle has no solution: clashes, irreducible sets of givens, units and constraints that leave none.

Givens, units and constraints are *parts*, each with a literal in front of its clauses. Each cell always has exactly one
value, of its pencilmarks where it has some: that is not a part. Parts clash if no grid satisfies them, with any
values of the hidden cells.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.constraint_clauses import constraint_groups
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.errors import StoppedError
from sudoku_encode.formula.cnf import Cnf, Group
from sudoku_encode.generating.grids import SOLVER
from sudoku_encode.methods.turns import LOADABLE_CANDIDATES
from sudoku_encode.puzzles.constraints.primitives import Domain, Primitive, Unit, values_in
from sudoku_encode.puzzles.constraints.templates import placed_templates
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.subsets import smallest_unsatisfiable
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver, PlainInterrupts

# A solver of the map, which takes a budget of conflicts and preferred phases.
_MAP_SOLVER, _SLICE_CONFLICTS = "minisat22", 2_000
_Rows = NDArray[np.int32]


@dataclass(frozen=True)
class Clash:
    """Parts of a puzzle that together leave no solution, each of which is needed for that.

    Attributes:
        givens: cells with their values.
        units: names, such as `row 3`.
        constraints: lines of text.
    """

    givens: tuple[tuple[int, int], ...] = ()
    units: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()

    def __len__(self) -> int:
        """Return the number of parts."""
        return len(self.givens) + len(self.units) + len(self.constraints)


@dataclass(frozen=True)
class Clashes:
    """Clashes of a puzzle without a solution.

    Attributes:
        clashes: the clashes, the smallest first.
        smallest: whether it is proved that no clash has fewer parts than the first.
        complete: whether it is proved that there are no more.
    """

    clashes: tuple[Clash, ...]
    smallest: bool
    complete: bool


def find_clashes(puzzle: Puzzle, most: int, deadline: Deadline) -> Clashes:
    """Return clashes of a puzzle without a solution, a smallest one first, as many as are found in time.

    The other clashes come from a map of the sets of parts. A set that no earlier one decides is tried: if it has a
    solution, it is made as large as possible, and its subsets are excluded; if not, parts are left out until each of
    the rest is needed, and the supersets of this clash are excluded. Without a set to try there are no more clashes.

    Args:
        puzzle: a puzzle without a solution.
        most: the largest number of clashes.
        deadline: when to stop.

    Source: Liffiton, Previti, Malik & Marques-Silva 2016, Fast, Flexible MUS Enumeration (MARCO).
    """
    puzzle = puzzle.extended
    board = puzzle.geometry
    if board.oversized_unit is not None:
        return Clashes(tuple(_oversized(puzzle))[:most], True, False)
    if board.n_cells * board.n_values > LOADABLE_CANDIDATES:
        return Clashes((), False, False)
    parts = _Parts(puzzle)
    literals = dict(enumerate(parts.literals))
    clashes_so_far: list[frozenset[int]] = []
    smallest = complete = False
    with IncrementalSolver(parts.encoding, SOLVER) as solver:
        first = smallest_unsatisfiable(solver, literals, deadline)
        if not first.irreducible:
            return Clashes((), False, False)
        clashes_so_far.append(frozenset(first.cells))
        smallest = first.smallest
        try:
            with _Map(len(literals)) as unexplored:
                unexplored.exclude_supersets(clashes_so_far[0])
                while (seed := unexplored.next(deadline)) is not None:
                    core = _core(solver, literals, seed, deadline)
                    if core is None:
                        unexplored.exclude_subsets(_grown(solver, literals, seed, deadline))
                        continue
                    if len(clashes_so_far) == most:
                        break
                    clashes_so_far.append(_shrunk(solver, literals, core, deadline))
                    unexplored.exclude_supersets(clashes_so_far[-1])
                complete = seed is None
        except StoppedError:
            complete = False
    ordered = sorted(clashes_so_far[1:], key=lambda numbers: (len(numbers), sorted(numbers)))
    return Clashes(tuple(parts.clash(numbers) for numbers in [clashes_so_far[0], *ordered]), smallest, complete)


def _oversized(puzzle: Puzzle) -> Iterator[Clash]:
    """Yield each unit with more cells than values, which leaves no solution by itself."""
    board = puzzle.geometry
    for rule in board.rules:
        if rule.units.shape[1] > board.n_values:
            for number in range(len(rule.units)):
                yield Clash(units=(board.unit_name(rule, number),))


def _core(
    solver: IncrementalSolver, literals: dict[int, int], numbers: frozenset[int], deadline: Deadline
) -> frozenset[int] | None:
    """Return those of some parts that together have no solution; None if all of them have one."""
    if solver.solve([literals[number] for number in sorted(numbers)], deadline):
        return None
    core = set(solver.core())
    return frozenset(number for number in numbers if literals[number] in core)


def _grown(
    solver: IncrementalSolver, literals: dict[int, int], numbers: frozenset[int], deadline: Deadline
) -> frozenset[int]:
    """Add parts to a set with a solution until every other part would leave none."""
    for number in literals:
        if number not in numbers and _core(solver, literals, numbers | {number}, deadline) is None:
            numbers |= {number}
    return numbers


def _shrunk(
    solver: IncrementalSolver, literals: dict[int, int], numbers: frozenset[int], deadline: Deadline
) -> frozenset[int]:
    """Leave out parts of a set without a solution until each of the rest is needed for that."""
    for number in sorted(numbers):
        if number in numbers and (core := _core(solver, literals, numbers - {number}, deadline)) is not None:
            numbers = core
    return numbers


class _Map:
    """The sets of the parts 0 to n - 1 of which it is not known whether they have a solution."""

    def __init__(self, n: int) -> None:
        from pysat.solvers import Solver

        self._n, self._interrupts = n, PlainInterrupts()
        self._solver: Any = Solver(name=_MAP_SOLVER)
        # Large sets first: most of them are clashes, or nearly.
        self._solver.set_phases(list(range(1, n + 1)))

    def __enter__(self) -> "_Map":
        return self

    def __exit__(self, *error: object) -> None:
        self._solver.delete()

    def next(self, deadline: Deadline) -> frozenset[int] | None:
        """Return a set that is not known to have a solution or none; None if there are no more such sets."""
        answer = None
        while answer is None:
            deadline()
            self._solver.conf_budget(_SLICE_CONFLICTS)
            with self._interrupts:
                answer = self._solver.solve_limited()
        if not answer:
            return None
        # A part in no clause is in every set.
        out = {-literal - 1 for literal in self._solver.get_model() if literal < 0}
        return frozenset(range(self._n)) - out

    def exclude_supersets(self, numbers: frozenset[int]) -> None:
        """Exclude the supersets of a clash."""
        self._solver.add_clause([-number - 1 for number in sorted(numbers)])

    def exclude_subsets(self, numbers: frozenset[int]) -> None:
        """Exclude the subsets of a set that has a solution."""
        self._solver.add_clause([number + 1 for number in range(self._n) if number not in numbers])


class _Parts:
    """The parts of a puzzle, which is `extended`, and their formula.

    Attributes:
        literals: of each part, the literal that makes it hold.
        encoding: the formula.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        board, n = puzzle.geometry, puzzle.geometry.n_values
        cells = np.flatnonzero(puzzle.givens)
        self.givens = list(zip(cells.tolist(), puzzle.givens[cells].tolist(), strict=True))
        self.units = [board.unit_name(rule, number) for rule in board.rules for number in range(len(rule.units))]
        self.constraints = [constraint.text(board) for constraint in puzzle.constraints]
        # Variable `cell * n + value` says that a cell holds a value; then come the literals of units and constraints.
        x = np.arange(1, board.n_cells * n + 1, dtype=np.int32).reshape(-1, n)
        first = x.size + 1
        switches = range(first, first + len(self.units) + len(self.constraints))
        self.literals = [*x[cells, puzzle.givens[cells] - 1].tolist(), *switches]
        groups = [Group.of("alo-cell", x)]
        groups += [Group.of("amo-cell", -x[:, list(pair)]) for pair in combinations(range(n), 2)]
        allowed = np.ones((board.n_cells, n), bool)
        if puzzle.pencilmarks is not None:
            blank = puzzle.givens == 0
            allowed[blank] = puzzle.pencilmarks[blank]
            groups.append(Group.of("pencilmark", -x[~allowed][:, None]))
        switch = iter(switches)
        for rule in board.rules:
            for unit in rule.units:
                groups += _guarded(next(switch), _unit_clauses(x, unit))
        top = switches.stop - 1
        unreduced = Reduction(np.ones((board.n_cells, n), bool), np.zeros(board.n_cells, bool))
        for constraint in puzzle.placed:
            primitives = [
                primitive for part in placed_templates(constraint) for primitive in part.primitives(part.template.every)
            ]
            written, top, possible = constraint_groups(_without_simple(primitives), unreduced, x, top)
            rows = [*_simple_clauses(x, primitives), *(chunk for group in written for chunk in group.chunks())]
            groups += _guarded(next(switch), rows if possible else [np.zeros((1, 0), np.int32)])
        self.encoding = Encoding(puzzle, "parts", "direct", Cnf.of(top, groups), allowed, x[:, :, None])

    def clash(self, numbers: frozenset[int]) -> Clash:
        """Return the clash of the parts with these numbers."""
        n_givens, n_units = len(self.givens), len(self.units)
        ordered = sorted(numbers)
        return Clash(
            tuple(self.givens[number] for number in ordered if number < n_givens),
            tuple(self.units[number - n_givens] for number in ordered if 0 <= number - n_givens < n_units),
            tuple(self.constraints[number - n_givens - n_units] for number in ordered if number >= n_givens + n_units),
        )


def _guarded(switch: int, rows: "list[_Rows]") -> list[Group]:
    """Return clauses, int32 (m, width) each, that hold if a literal does."""
    return [
        Group.of("part", np.concatenate([np.full((len(clauses), 1), -switch, np.int32), clauses], axis=1))
        for clauses in rows
        if len(clauses)
    ]


def _unit_clauses(x: _Rows, cells: NDArray[np.int64]) -> list[_Rows]:
    """Return the clauses of a unit: no value twice, and in a full unit each value, which follows and saves search."""
    places = x[cells].T
    rows = [-places[:, list(pair)] for pair in combinations(range(len(cells)), 2)]
    return [np.concatenate(rows), *([places] if len(cells) == x.shape[1] else [])]


def _without_simple(primitives: list[Primitive]) -> list[Primitive]:
    return [primitive for primitive in primitives if not isinstance(primitive, Unit | Domain)]


def _simple_clauses(x: _Rows, primitives: list[Primitive]) -> Iterator[_Rows]:
    """Yield the clauses of units and domains among the primitives of a constraint."""
    for primitive in primitives:
        if isinstance(primitive, Unit) and len(primitive.cells) > 1:
            yield from _unit_clauses(x, np.array(primitive.cells))
        elif isinstance(primitive, Domain):
            excluded = sorted({*range(1, x.shape[1] + 1)} - {*values_in(primitive.values)})
            yield -x[primitive.cell, np.array(excluded, np.intp) - 1][:, None]
