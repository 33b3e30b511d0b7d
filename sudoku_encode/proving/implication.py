"""Show that clauses follow from a formula: by unit propagation, by cases, or by a solver's proof, which is checked.

A formula is an array of literals with a 0 after each clause.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from functools import cache, partial
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, StoppedError
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.proving import checkers, hints, hints_kernel, implied_kernel, rup
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.numbers import Numbers, clause_starts
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers.sat import IncrementalSolver
from sudoku_encode.solvers.table import DEFAULT_PROVER

# How many literals a kernel looks at between two chances of Ctrl-C.
_SLICE_LITERALS = 10_000_000
# Up to this many numbers Python takes less time than it takes to load the compiler.
_COMPILED_FROM_NUMBERS = 40_000
# How often the cases of a clause are themselves cut into cases.
_MOST_CUTS = 4
# More cases than these for each clause, on average, are not looked at: a solver takes less time.
_MOST_CASES = 30
# A solver gives up after this number of conflicts, some seconds: pigeonholes would take it longer than anyone waits.
MOST_CONFLICTS = 50_000


@cache
def _compiled() -> Any:
    from sudoku_encode.run.compiling import compiled_module

    return compiled_module(implied_kernel, hints.compiled_kernels()[0])


def by_propagation(premises: Numbers, clauses: Numbers, n_variables: int) -> NDArray[np.bool_]:
    """Return for each clause whether it follows from the premises by unit propagation (RUP)."""
    n_premises, starts = int(np.count_nonzero(premises == 0)), clause_starts(clauses)
    follows = np.zeros(len(starts), bool)
    if not len(starts):
        return follows
    kernel: Any = implied_kernel
    if len(premises) + len(clauses) >= _COMPILED_FROM_NUMBERS and not kernels.unavailable():
        kernel = _compiled()
    state = hints_kernel.new_state(premises, clauses, n_variables)
    if kernel.start(state, n_premises):
        return ~follows
    # The literal of the smallest variable comes first: in most encodings many clauses share it.
    sizes = np.append(starts[1:], len(clauses)) - starts
    keys = np.where(clauses == 0, n_variables + 1, np.abs(clauses))
    smallest = np.minimum.reduceat(keys, starts)
    places = np.flatnonzero(keys == np.repeat(smallest, sizes))
    first = clauses[places[np.searchsorted(places, starts)]]
    progress = np.array([0, 0, 0, state.progress[hints_kernel.TRAIL]])
    order = np.argsort(first, kind="stable")
    while kernel.follow(state, n_premises, order, first, follows, _SLICE_LITERALS, progress):
        pass
    return follows


def joined(clauses: Iterable[Sequence[int]]) -> Numbers:
    """Return clauses as one array."""
    return np.array([literal for clause in clauses for literal in (*clause, 0)], np.int32)


def apart(clauses: Numbers) -> list[list[int]]:
    """Return the clauses of an array."""
    starts, literals = clause_starts(clauses), clauses.tolist()
    ends = np.append(starts[1:], len(clauses)) - 1
    return [literals[start:end] for start, end in zip(starts.tolist(), ends[: len(starts)].tolist(), strict=True)]


def chosen(clauses: Numbers, which: NDArray[np.bool_]) -> Numbers:
    """Return some of the clauses of an array."""
    starts = clause_starts(clauses)
    return clauses[np.repeat(which, np.diff(np.append(starts, len(clauses))))] if len(starts) else clauses


class Cases(NamedTuple):
    """Case distinctions for clauses that do not follow by unit propagation alone."""

    # A literal implies one of its reasons, by a clause of the premises.
    reasons: Mapping[int, Sequence[int]]
    # The variables that determine a variable; both values of each are tried.
    bits: Mapping[int, Sequence[int]] = MappingProxyType({})


def by_cases(premises: Numbers, clauses: Numbers, n_variables: int, cases: Cases) -> NDArray[np.bool_]:
    """Return for each clause whether it follows by unit propagation after some case distinctions."""
    follows, levels, stuck = np.zeros(len(clause_starts(clauses)), bool), list[Numbers](), clauses
    for _ in range(_MOST_CUTS):
        weaker = joined(dict.fromkeys(part for clause in apart(stuck) for part in _cut(clause, cases)))
        if not 0 < np.count_nonzero(weaker == 0) <= _MOST_CASES * len(follows):
            break
        follow = by_propagation(premises, weaker, n_variables)
        premises, stuck = np.concatenate([premises, chosen(weaker, follow)]), chosen(weaker, ~follow)
        if not len(stuck):
            break
        levels.append(stuck)
    for stuck in reversed(levels):
        premises = np.concatenate([premises, chosen(stuck, by_propagation(premises, stuck, n_variables))])
    if len(follows):
        follows = by_propagation(premises, clauses, n_variables)
    return follows


def _cut(clause: Sequence[int], cases: Cases) -> list[tuple[int, ...]]:
    """Return weaker clauses from which a clause follows: one for each case of one of its literals."""
    for place, literal in enumerate(clause):
        if -literal in cases.reasons:
            rest = (*clause[:place], *clause[place + 1 :])
            return [(-reason, *rest) for reason in cases.reasons[-literal]]
    for literal in clause:
        for bit in cases.bits.get(abs(literal), ()):
            if bit not in clause and -bit not in clause:
                return [(bit, *clause), (-bit, *clause)]
    return []


class Outcome(NamedTuple):
    """The result of deriving clauses from premises."""

    by: dict[str, int]  # how many follow by each way
    unproved: list[int]  # the numbers of those that do not follow, or about which nothing is proved
    model: NDArray[np.bool_] | None = None  # a model of the premises that breaks the first of these


def follow(
    premises: Numbers,
    clauses: Numbers,
    n_variables: int,
    cases: Cases,
    puzzle: Puzzle,
    counted: Callable[[Set[tuple[int, ...]]], Set[tuple[int, ...]]] | None = None,
) -> Outcome:
    """Show that clauses follow from premises: each way is tried for the clauses that do not follow by those before.

    `counted` returns which of some clauses follow from all others in another way.

    Raises:
        InternalError: the solver's proof is invalid.
    """
    follows = by_propagation(premises, clauses, n_variables)
    by = {"unit propagation": int(np.count_nonzero(follows)), "counting": 0, "cases": 0, "solver": 0}

    def gain(name: str, way: Callable[[Numbers, Numbers], NDArray[np.bool_]]) -> int:
        """Derive more clauses in a way; return how many."""
        new = way(np.concatenate([premises, chosen(clauses, follows)]), chosen(clauses, ~follows))
        follows[~follows] = new
        by[name] += (n_new := int(np.count_nonzero(new)))
        return n_new

    propagation = partial(by_propagation, n_variables=n_variables)
    case_distinction = partial(by_cases, n_variables=n_variables, cases=cases)
    is_tried = False
    while not follows.all():
        n_new = gain("counting", partial(_by_counting, counted)) if counted else 0
        n_new += gain("unit propagation", propagation)
        # Cases take long, and show no more than before if no other way does.
        if is_tried and not n_new:
            break
        gain("cases", case_distinction)
        is_tried = True
    if follows.all():
        return Outcome(by, [])
    proved, stuck = np.concatenate([premises, chosen(clauses, follows)]), chosen(clauses, ~follows)
    return _outcome_of_solver(proved, stuck, n_variables, puzzle, by, np.flatnonzero(~follows).tolist())


def _by_counting(
    counted: Callable[[Set[tuple[int, ...]]], Set[tuple[int, ...]]], premises: Numbers, clauses: Numbers
) -> NDArray[np.bool_]:
    keys = [tuple(sorted(clause)) for clause in apart(clauses)]
    true = counted(set(keys))
    return np.array([key in true for key in keys], bool)


def _outcome_of_solver(
    premises: Numbers, clauses: Numbers, n_variables: int, puzzle: Puzzle, by: dict[str, int], names: list[int]
) -> Outcome:
    """Return the result of deriving the last clauses, which have these numbers, by a solver."""
    try:
        model_of_premises = by_solver(premises, clauses, n_variables, puzzle)
    except StoppedError:
        return Outcome(by, names)
    if model_of_premises is None:
        return Outcome({**by, "solver": len(names)}, [])
    broken = [name for name, clause in zip(names, apart(clauses), strict=True) if not holds(clause, model_of_premises)]
    return Outcome(by, broken, model_of_premises)


def holds(clause: Sequence[int], truth: NDArray[np.bool_]) -> bool:
    """Return whether a clause is true, by the truth of each variable."""
    return any(truth[abs(literal)] == (literal > 0) for literal in clause)


def by_solver(premises: Numbers, clauses: Numbers, n_variables: int, puzzle: Puzzle) -> NDArray[np.bool_] | None:
    """Prove that clauses follow by a solver whose proof is checked; or return a model of the premises that breaks one.

    Raises:
        StoppedError: the solver has had its conflicts.
        InternalError: its proof is invalid.
    """
    # A new variable for each clause, of which one holds, says that the clause is false.
    negations = [
        [-variable, -literal] for variable, clause in enumerate(apart(clauses), n_variables + 1) for literal in clause
    ]
    n = n_variables + len(clause_starts(clauses))
    formula = np.concatenate([premises, joined([*negations, range(n_variables + 1, n + 1)])])
    with solver_of(formula, n, puzzle, proof=True) as solver:
        if solver.solve([], Deadline(conflicts=MOST_CONFLICTS)):
            return solver.model()
        lemmas = [int(word) for line in solver.proof() if line[:1] != "d" for word in line.split()]
    try:
        steps = hints.find(formula, np.array(lemmas, np.int32), n, Deadline())
        refutation = checkers.Refutation(files.Formula(Path(), b"", formula), n, steps)
        is_large = len(formula) + len(steps) > checkers.COMPILED.least and not kernels.unavailable()
        (checkers.COMPILED if is_large else checkers.PLAIN).run(refutation)
    except (hints.NotRupError, rup.ProofError) as error:
        raise InternalError(f"{DEFAULT_PROVER} produced an invalid proof: {error}") from error
    return None


def model(formula: Numbers, n_variables: int, puzzle: Puzzle) -> NDArray[np.bool_] | None:
    """Return a model of a formula, bool (n_variables + 1,), or None if it has none.

    Raises:
        StoppedError: the solver has had its conflicts.
    """
    with solver_of(formula, n_variables, puzzle) as solver:
        return solver.model() if solver.solve([], Deadline(conflicts=MOST_CONFLICTS)) else None


def solver_of(formula: Numbers, n_variables: int, puzzle: Puzzle, *, proof: bool = False) -> IncrementalSolver:
    """Return a solver of a formula about a puzzle."""
    extended = puzzle.extended
    everything = np.ones((extended.geometry.n_cells, extended.geometry.n_values), bool)
    no_literals = np.zeros((*everything.shape, 1), np.int32)
    cnf = Cnf.mixed(n_variables, "", formula)
    return IncrementalSolver(
        Encoding(extended, "", "direct", cnf, everything, no_literals), DEFAULT_PROVER, proof=proof
    )
