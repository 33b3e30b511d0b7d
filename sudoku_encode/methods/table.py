"""THE LIST of methods."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any

from sudoku_encode.encoders.encoding import encode, refuses
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.errors import MethodError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.result import Budget
from sudoku_encode.solvers import sat
from sudoku_encode.solvers.table import DEFAULT_SOLVER

if TYPE_CHECKING:
    from sudoku_encode.papers.gtsps4 import Graph
    from sudoku_encode.solvers.approxmc import Estimate


@dataclass(frozen=True)
class Options:
    """What a user may choose besides the method; a method ignores what is not its own.

    Attributes:
        reduction: a key of REDUCTIONS, or None for the method's own choice.
        amo: a key of AT_MOST_ONE.
        sat_solver: a key of SAT_SOLVERS.
        seed: of CP-SAT.
        workers: of CP-SAT, where one solution is wanted.
    """

    reduction: str | None = None
    amo: str = "pairwise"
    sat_solver: str = DEFAULT_SOLVER
    seed: int = 0
    workers: int = 1


Run = Callable[[Puzzle, Budget, Options], Iterator[Grids]]
Counting = Callable[[Puzzle, Budget], int]
Estimating = Callable[[Puzzle, Callable[[], None]], "Estimate"]
Shown = Callable[[Puzzle, Callable[[], None]], Iterator[str]]


@dataclass(frozen=True)
class Method:
    """One way to get solutions.

    Attributes:
        name: as in `--method`.
        summary: in one line.
        source: where it was published.
        family: methods of two families share no code but boards, puzzles and results, so that agreement is evidence.
        finds: `all` solutions, `one`, `forced-moves` only, or `some` as it happens, without a proof that it is all; or
            only their number: `count`, or an `estimate` of it.
        refuses: says why it cannot do a board, or nothing.
        run: yields batches of solutions, each once, where it lists; see `result`. Use `solutions`, which checks them.
        count: the number of solutions without listing them, where it can; it raises Stopped when it cannot tell.
        estimate: about how many there are, where that is all it says.
        explain: yields lines that show the method at work on a puzzle, where it can.
        drawings: yield the lines of a file with what the method makes of a puzzle, by the form of the file.
        compiled: its first use on a machine compiles it, which takes seconds and heeds no deadline.
        package: the optional package that it needs, of the extra `counters`.
    """

    name: str
    summary: str
    source: str
    family: str
    finds: str
    refuses: Callable[[Geometry], str]
    run: Run | None = field(repr=False)
    count: Counting | None = field(default=None, repr=False)
    explain: Shown | None = field(default=None, repr=False)
    drawings: Mapping[str, Shown] = field(default_factory=dict, repr=False)
    compiled: bool = False
    estimate: Estimating | None = field(default=None, repr=False)
    package: str = ""

    @property
    def installed(self) -> bool:
        """Whether what it needs is there: the optional package, or the compiler."""
        return not (self.compiled and kernels.unavailable()) and (
            not self.package or find_spec(self.package) is not None
        )


def _sat(encoding: str) -> Run:
    def run(puzzle: Puzzle, budget: Budget, options: Options) -> Iterator[Grids]:
        encoded = encode(puzzle, encoding, reduction=options.reduction, amo=options.amo)
        return sat.solutions(encoded, budget, options.sat_solver)

    return run


def _cp_sat(model: str) -> Run:
    def run(puzzle: Puzzle, budget: Budget, options: Options) -> Iterator[Grids]:
        from sudoku_encode.encoders import cp
        from sudoku_encode.solvers import cpsat

        encoded = cp.cp_model(puzzle, model, options.reduction or "singles")
        return cpsat.solutions(encoded, budget, options.seed, options.workers)

    return run


def _paper(
    name: str,
    module: str,
    summary: str,
    source: str,
    *,
    family: str,
    finds: str = "all",
    counts: bool = False,
    explains: bool = True,
    drawings: Mapping[str, Shown] | None = None,
    compiled: bool = False,
    **choices: object,
) -> Method:
    """List a module of `papers`, with what its functions are given besides the puzzle; it is loaded when it is used."""

    def loaded() -> Any:
        return import_module(f"sudoku_encode.papers.{module}")

    def refuses(board: Geometry) -> str:
        return str(loaded().refuses(board))

    def run(puzzle: Puzzle, budget: Budget, options: Options) -> Iterator[Grids]:
        found: Iterator[Grids] = loaded().solutions(puzzle, budget.check_time, **choices)
        return found

    def count(puzzle: Puzzle, budget: Budget) -> int:
        return int(loaded().count(puzzle, budget.check_time, **choices))

    def explain(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[str]:
        lines: Iterator[str] = loaded().explain(puzzle, tick, **choices)
        return lines

    return Method(
        *(name, summary, source, family, finds, refuses, run),
        count=count if counts else None,
        explain=explain if explains else None,
        drawings=drawings or {},
        compiled=compiled,
    )


def _graph(form: str) -> Shown:
    """Draw the graph of GTSPS 4.1, by a function of `gtsps_graph`."""

    def shown(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[str]:
        from sudoku_encode.papers import gtsps4, gtsps_graph

        if puzzle.clash is not None:
            raise MethodError("two givens clash: there is no graph")
        lines: Callable[[Graph], Iterator[str]] = getattr(gtsps_graph, form)
        return lines(gtsps4.graph(puzzle, tick))

    return shown


_GTSPS = "thesis, A Novel Graph Theoretic Sudoku Solver (GTSPS), chapter 4"


def _search(puzzle: Puzzle, budget: Budget, options: Options) -> Iterator[Grids]:
    from sudoku_encode import search

    return search.solutions(puzzle, budget.check_time)


def _search_count(puzzle: Puzzle, budget: Budget) -> int:
    from sudoku_encode import search

    return search.count(puzzle, budget.check_time)


def _up_to_64_values(board: Geometry) -> str:
    return "" if board.n_values <= 64 else "it is for up to 64 values"


def frontier_bytes(budget: Budget) -> int:
    """Return what the tables of `frontier` may take: most of the memory, since they are not all that it needs."""
    from sudoku_encode import frontier

    return frontier.MAX_BYTES if budget.memory is None else budget.memory * 3 // 4


def _frontier(puzzle: Puzzle, budget: Budget) -> int:
    from sudoku_encode import frontier

    return frontier.count(puzzle, budget.check_time, frontier_bytes(budget))


def _frontier_shown(puzzle: Puzzle, tick: Callable[[], None]) -> Iterator[str]:
    from sudoku_encode import frontier

    return frontier.explain(puzzle, tick)


def _exact_cover(puzzle: Puzzle, budget: Budget, options: Options) -> Iterator[Grids]:
    from sudoku_encode.solvers import dancing_links

    return dancing_links.solutions(puzzle, budget.check_time)


def _exact_cover_count(puzzle: Puzzle, budget: Budget) -> int:
    from sudoku_encode.solvers import dancing_links

    return dancing_links.count(puzzle, budget.check_time)


def _ganak(puzzle: Puzzle, budget: Budget) -> int:
    from sudoku_encode.solvers import ganak

    return ganak.count(encode(puzzle), budget.check_time)


def _approxmc(puzzle: Puzzle, tick: Callable[[], None]) -> "Estimate":
    from sudoku_encode.solvers import approxmc

    return approxmc.estimate(encode(puzzle), tick)


def _accepts_all(board: Geometry) -> str:
    return ""


METHODS = {
    method.name: method
    for method in (
        Method(
            "cp-sat",
            "CP-SAT, an integer per cell and AllDifferent per unit",
            "Perron & Didier, OR-Tools CP-SAT",
            "cp-sat",
            "all",
            _accepts_all,
            _cp_sat("cp-sat"),
        ),
        Method(
            "cp-sat-bool",
            "CP-SAT, a Boolean per candidate and exactly-one constraints",
            "Perron & Didier, OR-Tools CP-SAT",
            "cp-sat",
            "all",
            _accepts_all,
            _cp_sat("cp-sat-bool"),
        ),
        Method(
            "sat",
            "a SAT solver on the default encoding (extended), with blocking clauses",
            "Lynce & Ouaknine 2006; Ignatiev, Morgado & Marques-Silva 2018 (PySAT)",
            "sat",
            "all",
            _accepts_all,
            _sat("extended"),
        ),
        *(
            Method(
                f"sat:{encoder.name}",
                f"a SAT solver on the {encoder.name} encoding: {encoder.summary}",
                encoder.source,
                "sat",
                "all",
                partial(refuses, encoder.name),
                _sat(encoder.name),
            )
            for encoder in ENCODINGS.values()
        ),
        Method(
            "search",
            "exhaustive search, compiled: bit masks, singles, the cell or value with the fewest places",
            "this project; on plain 9x9 boards after the forum solvers that hold a band of a value in a word",
            "search",
            "all",
            _up_to_64_values,
            _search,
            count=_search_count,
            compiled=True,
        ),
        Method(
            "frontier",
            "counts without listing: a transfer matrix over the cells, or the fillings of three bands joined",
            "this project; bands after Felgenhauer & Jarvis 2006",
            "frontier",
            "count",
            _up_to_64_values,
            None,
            count=_frontier,
            explain=_frontier_shown,
            compiled=True,
        ),
        Method(
            "exact-cover",
            "dancing links on the exact cover problem, by the package miniexact",
            "Knuth, The Art of Computer Programming 4B, section 7.2.2.1; Heisinger (miniexact)",
            "exact-cover",
            "all",
            _accepts_all,
            _exact_cover,
            count=_exact_cover_count,
            package="miniexact",
        ),
        Method(
            "ganak",
            "the exact counter Ganak on the extended encoding, with projection",
            "Sharma, Roy, Soos & Meel 2019; Soos & Meel 2025",
            "sat",
            "count",
            _accepts_all,
            None,
            count=_ganak,
            package="pyganak",
        ),
        Method(
            "approxmc",
            "the approximate counter ApproxMC on the extended encoding: within a factor of 1.8, with 80 % confidence",
            "Chakraborty, Meel & Vardi 2013 and 2016; Soos, Gocht & Meel 2020",
            "sat",
            "estimate",
            _accepts_all,
            None,
            estimate=_approxmc,
            package="pyapproxmc",
        ),
        _paper(
            "jana2021",
            "jana2021",
            "a search tree over the blanks of a cube in scan order, level by level",
            "Jana, Mallik, Maji & Pal 2021",
            family="tree",
        ),
        _paper(
            "jana2023-v1",
            "jana2023_v1",
            "elimination along the rows of a cube (singles, lone rangers, twins, triplets), then the search tree",
            "Jana et al. 2023, Algorithm 1",
            family="tree",
        ),
        _paper(
            "jana2023-v1-boxes",
            "jana2023_v1",
            "the same with elimination in boxes too",
            "Jana et al. 2023, Algorithm 1",
            family="tree",
            minigrids=True,
        ),
        _paper(
            "jana2023-v2",
            "jana2023_v2",
            "all solutions of each layer of a cube, joined layer by layer; candidates from the whole cube",
            "Jana et al. 2023, Algorithm 2",
            family="tree",
        ),
        _paper(
            "jana2023-v2-plain",
            "jana2023_v2",
            "the same with each layer's candidates from that layer alone",
            "Jana et al. 2023, Algorithm 2",
            family="tree",
            restrict=False,
        ),
        _paper(
            "brute-force",
            "brute_force",
            "backtracking, cell by cell in scan order",
            f"{_GTSPS}, its reference [47]",
            family="backtracking",
            compiled=True,
        ),
        _paper(
            "norvig2006",
            "norvig2006",
            "constraint propagation, and depth-first search on the cell with the fewest candidates",
            "Norvig 2006, Solving Every Sudoku Puzzle",
            family="backtracking",
            compiled=True,
        ),
        _paper(
            "pencil-paper",
            "pencil_paper",
            "singles, locked candidates and subsets; no guessing",
            f"{_GTSPS}, its reference [46]",
            family="logic",
            finds="forced-moves",
        ),
        _paper(
            "logic",
            "logic",
            "the same with X-wing, swordfish, XY-wing and XYZ-wing",
            f"{_GTSPS}, its reference [49] (Stuart)",
            family="logic",
            finds="forced-moves",
        ),
        _paper(
            "gtsps-3.1",
            "gtsps3",
            "backtracking over minigrids, densest first",
            f"{_GTSPS}, section 4.6",
            family="tree",
        ),
        *(
            _paper(
                "gtsps-3.2" if order == "zigzag" else f"gtsps-3.2-{order}",
                "gtsps3",
                f"backtracking over the valid permutations of minigrids, {order} order",
                f"{_GTSPS}, section 4.6",
                family="tree",
                order=order,
            )
            for order in ("zigzag", "spiral", "semi-spiral")
        ),
        _paper(
            "gtsps-4.1",
            "gtsps4",
            "a graph of valid permutations of minigrids, reduced; every rook's graph in it is a solution",
            f"{_GTSPS}, sections 4.2 and 4.3",
            family="tree",
            drawings={form: _graph(form) for form in ("dot", "graphml", "svg")},
        ),
        _paper(
            "gtsps-4.2",
            "gtsps4_contracted",
            "the same graph contracted to super-vertices; every cycle of them is a solution",
            f"{_GTSPS}, sections 4.2 and 4.3",
            family="tree",
            counts=True,
        ),
        _paper(
            "hbpnp",
            "hbpnp",
            "singles, lone pairs and guesses on candidate lists, with its incomplete check",
            "Onokpasa et al. 2019, as Wadud & Abdullah-Al-Wadud tell it",
            family="hbpnp",
            compiled=True,
            finds="some",
            explains=False,
            version="hbpnp",
        ),
        _paper(
            "uhbpnp",
            "hbpnp",
            "the same with a correct check that scans row, column and box",
            "Wadud & Abdullah-Al-Wadud 2021",
            family="hbpnp",
            compiled=True,
            explains=False,
            version="uhbpnp",
        ),
        _paper(
            "uhbpnp-tables",
            "hbpnp",
            "the same on tables that every placement updates",
            "Wadud & Abdullah-Al-Wadud, faster UHBPnP, Algorithm 2",
            family="hbpnp",
            compiled=True,
            explains=False,
            version="uhbpnp-tables",
        ),
        *(
            _paper(
                f"block-world-{model}",
                "block_world",
                summary,
                "Abednego & Nugraheni, section II",
                family="block-world",
                compiled=True,
                finds=finds,
                model=model,
            )
            for model, finds, summary in (
                ("1", "all", "two robots that put boxes on the board and take them back"),
                ("2", "forced-moves", "a robot for each number, model 2"),
                ("3", "some", "a robot for each number, model 3 as printed, which places wrong boxes"),
                ("4", "some", "a robot for each number, model 4 as printed, which is model 3"),
                ("4-sound", "forced-moves", "a robot for each number, a sound reading of model 4"),
                ("4+1", "all", "the sound model 4, then model 1"),
            )
        ),
    )
}
