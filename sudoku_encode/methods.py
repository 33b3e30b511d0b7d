"""THE LIST of methods: the command line, the tests and every comparison go through it."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from itertools import chain, groupby, islice

import numpy as np

from sudoku_encode.encoders import ENCODERS, encode
from sudoku_encode.errors import MethodError, Stopped
from sudoku_encode.geometry import Geometry
from sudoku_encode.papers import jana2021, jana2023_v1, jana2023_v2
from sudoku_encode.puzzle import Grids, Puzzle, check
from sudoku_encode.reduction import LEVELS
from sudoku_encode.result import Budget, checked
from sudoku_encode.solvers import sat


@dataclass(frozen=True)
class Options:
    """What a user may choose besides the method; a method ignores what is not its own.

    Attributes:
        reduction: a key of `reduction.LEVELS`, or None for the method's own choice.
        amo: a key of `cardinality.AT_MOST_ONE`.
        sat_solver: one of `sat.SOLVERS`.
        seed: of CP-SAT.
        workers: of CP-SAT, where one solution is wanted.
    """

    reduction: str | None = None
    amo: str = "pairwise"
    sat_solver: str = sat.DEFAULT
    seed: int = 0
    workers: int = 1


# Neighbours in a batch share one solver where a board has at most so many variables; above, reducing first is faster.
_SMALL = 5_000
_CHUNK = 256

# Of a search for one solution: a grid (n_cells,), None when there is none, or what stopped the search.
Answer = Grids | Stopped | None
Run = Callable[[Puzzle, Budget, Options], Iterator[Grids]]


@dataclass(frozen=True)
class Method:
    """One way to get solutions.

    Attributes:
        name: as in `--method`.
        summary: in one line.
        source: where it was published.
        finds: `all` solutions, `one`, or `forced-moves` only.
        refuses: says why it cannot do a board, or nothing.
        run: yields batches of solutions, each once; see `result`. Use `solutions` below, which checks them.
        explain: yields lines that show the method at work on a puzzle, where it can.
    """

    name: str
    summary: str
    source: str
    finds: str
    refuses: Callable[[Geometry], str]
    run: Run = field(repr=False)
    explain: Callable[[Puzzle, Callable[[], None]], Iterator[str]] | None = field(default=None, repr=False)


def _sat(encoding: str) -> Run:
    def run(puzzle: Puzzle, budget: Budget, options: Options) -> Iterator[Grids]:
        encoded = encode(puzzle, encoding, reduction=options.reduction, amo=options.amo)
        return sat.solutions(encoded, budget, options.sat_solver)

    return run


def _cp_sat(model: str) -> Run:
    def run(puzzle: Puzzle, budget: Budget, options: Options) -> Iterator[Grids]:
        from sudoku_encode.encoders import cp
        from sudoku_encode.solvers import cpsat

        encoded = cp.encode(puzzle, model, options.reduction or "singles")
        return cpsat.solutions(encoded, budget, options.seed, options.workers)

    return run


def _paper(solutions: Callable[..., Iterator[Grids]], **choices: object) -> Run:
    def run(puzzle: Puzzle, budget: Budget, options: Options) -> Iterator[Grids]:
        return solutions(puzzle, budget.check_time, **choices)

    return run


def _accepts_all(board: Geometry) -> str:
    return ""


METHODS = {
    method.name: method
    for method in (
        Method(
            "cp-sat",
            "CP-SAT, an integer per cell and AllDifferent per unit",
            "Perron & Didier, OR-Tools CP-SAT",
            "all",
            _accepts_all,
            _cp_sat("cp-sat"),
        ),
        Method(
            "cp-sat-bool",
            "CP-SAT, a Boolean per candidate and exactly-one constraints",
            "Perron & Didier, OR-Tools CP-SAT",
            "all",
            _accepts_all,
            _cp_sat("cp-sat-bool"),
        ),
        Method(
            "sat",
            "a SAT solver on the default encoding (extended), with blocking clauses",
            "Lynce & Ouaknine 2006; Ignatiev, Morgado & Marques-Silva 2018 (PySAT)",
            "all",
            _accepts_all,
            _sat("extended"),
        ),
        *(
            Method(
                f"sat:{encoder.name}",
                f"a SAT solver on the {encoder.name} encoding: {encoder.summary}",
                encoder.source,
                "all",
                encoder.refuses,
                _sat(encoder.name),
            )
            for encoder in ENCODERS.values()
        ),
        Method(
            "jana2021",
            "a search tree over the blanks of a cube in scan order, level by level",
            "Jana, Mallik, Maji & Pal 2021",
            "all",
            jana2021.refuses,
            _paper(jana2021.solutions),
            jana2021.explain,
        ),
        Method(
            "jana2023-v1",
            "elimination along the rows of a cube (singles, lone rangers, twins, triplets), then the search tree",
            "Jana et al. 2023, Algorithm 1",
            "all",
            jana2023_v1.refuses,
            _paper(jana2023_v1.solutions),
            jana2023_v1.explain,
        ),
        Method(
            "jana2023-v1-boxes",
            "the same with elimination in boxes too",
            "Jana et al. 2023, Algorithm 1",
            "all",
            jana2023_v1.refuses,
            _paper(jana2023_v1.solutions, minigrids=True),
            partial(jana2023_v1.explain, minigrids=True),
        ),
        Method(
            "jana2023-v2",
            "all solutions of each layer of a cube, joined layer by layer; candidates from the whole cube",
            "Jana et al. 2023, Algorithm 2",
            "all",
            jana2023_v2.refuses,
            _paper(jana2023_v2.solutions),
            jana2023_v2.explain,
        ),
        Method(
            "jana2023-v2-plain",
            "the same with each layer's candidates from that layer alone",
            "Jana et al. 2023, Algorithm 2",
            "all",
            jana2023_v2.refuses,
            _paper(jana2023_v2.solutions, restrict=False),
            partial(jana2023_v2.explain, restrict=False),
        ),
    )
}


def find(name: str) -> Method:
    """Return the method of that name.

    Raises:
        MethodError: there is none.
    """
    if name not in METHODS:
        raise MethodError(f"no method is called {name!r}; choose from {', '.join(METHODS)}")
    return METHODS[name]


def solutions(
    puzzle: Puzzle, method: str = "sat", budget: Budget | None = None, options: Options | None = None
) -> Iterator[Grids]:
    """Yield the solutions of a puzzle in batches (m, n_cells), each once, each checked against the rules.

    Ends by itself only when there are no more.

    Raises:
        Stopped: the limit or the deadline of the budget was reached.
        MethodError: the method cannot do this board.
        InternalError: a method returned a grid that is no solution.
    """
    chosen, budget, options = find(method), budget or Budget(), options or Options()
    if options.reduction not in (None, *LEVELS):
        raise MethodError(f"no reduction is called {options.reduction!r}; choose from {', '.join(LEVELS)}")
    if reason := chosen.refuses(puzzle.geometry):
        raise MethodError(f"method {method} does not fit {puzzle.geometry.name}: {reason}")
    if puzzle.geometry.clique:
        # A unit with more cells than there are values is the whole proof; most solvers would never find it.
        return iter(())
    return checked(puzzle, chosen.run(puzzle, budget, options), budget)


def explain(puzzle: Puzzle, method: str, budget: Budget) -> Iterator[str]:
    """Yield lines that show a method at work on a puzzle.

    Raises:
        MethodError: the method cannot show it, or cannot do this board.
        Stopped: the deadline of the budget was reached.
    """
    chosen = find(method)
    if chosen.explain is None:
        able = ", ".join(name for name, other in METHODS.items() if other.explain)
        raise MethodError(f"method {method} does not show its working; these do: {able}")
    if reason := chosen.refuses(puzzle.geometry):
        raise MethodError(f"method {method} does not fit {puzzle.geometry.name}: {reason}")
    return chosen.explain(puzzle, budget.check_time)


def first(
    puzzles: Iterable[Puzzle], method: str = "sat", seconds: float | None = None, options: Options | None = None
) -> Iterator[Answer]:
    """Yield for each puzzle a solution (n_cells,), None where it has none, or what stopped the search.

    With the method `sat`, neighbours on one board share one incremental solver.

    Args:
        puzzles: of any boards.
        method: a key of METHODS.
        seconds: for each puzzle.
        options: see there.
    """
    options = options or Options()
    plain = method == "sat" and options == Options(sat_solver=options.sat_solver)
    for key, group in groupby(puzzles, key=_batch_key):
        head, rest = _first_two(group)
        if plain and key and len(head) == 2 and options.sat_solver not in sat.ONE_ANSWER:
            yield from _first_incremental(rest, seconds, options.sat_solver)
        else:
            yield from (_first_alone(puzzle, method, seconds, options) for puzzle in rest)


def _first_two(puzzles: Iterable[Puzzle]) -> tuple[list[Puzzle], Iterator[Puzzle]]:
    """Return the first two puzzles, as far as there are so many, and all of them."""
    remaining = iter(puzzles)
    head = list(islice(remaining, 2))
    return head, chain(head, remaining)


def _batch_key(puzzle: Puzzle) -> Geometry | None:
    """Return what puzzles must share (the very same board) to be solved by one solver; None where it would not pay."""
    board = puzzle.geometry
    if puzzle.pencilmarks is not None or board.clique or board.n_cells * board.n_values > _SMALL:
        return None
    return board


def _first_incremental(puzzles: Iterator[Puzzle], seconds: float | None, solver: str) -> Iterator[Answer]:
    """Solve puzzles of one board: the empty board's encoding is loaded once, givens are assumptions."""
    chunk = list(islice(puzzles, _CHUNK))
    empty = Puzzle.of(chunk[0].geometry)
    with sat.IncrementalSolver(encode(empty, reduction="none"), solver) as incremental:
        while chunk:
            givens = np.stack([puzzle.givens for puzzle in chunk])
            grids, answers = incremental.first(givens, seconds)
            solved = [row for row, answer in enumerate(answers) if answer]
            check(empty, grids[solved], givens[solved])
            yield from (
                grid if answer else Stopped("time limit") if answer is None else None
                for grid, answer in zip(grids, answers, strict=True)
            )
            chunk = list(islice(puzzles, _CHUNK))


def _first_alone(puzzle: Puzzle, method: str, seconds: float | None, options: Options) -> Answer:
    try:
        # A limit of 1 lets a method stop there; having found one is then no incomplete answer.
        for batch in solutions(puzzle, method, Budget.of(1, seconds), options):
            return np.asarray(batch[0])
    except Stopped as reason:
        return reason
    return None
