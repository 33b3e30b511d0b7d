"""The table of methods: data, and the names of their modules. Imports nothing heavy: --help reads it."""

from collections.abc import Collection, Mapping
from typing import NamedTuple

from sudoku_encode.encoders.table import ENCODINGS, REDUCTIONS
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.methods.method import DEFINITIONS, PRIMITIVES, UNITS, Method
from sudoku_encode.puzzles.table import Table
from sudoku_encode.solvers.table import DEFAULT_SOLVER, SAT_SOLVERS

# The method that picks another.
AUTO = "auto"
# Any puzzle on a board with at most this number of candidates takes a SAT or CP solver only some milliseconds.
QUICK_CANDIDATES = 1_000

# CP-SAT refuses more.
MAX_WORKERS = 1000


class MethodOption(NamedTuple):
    """A row of the table of the options of methods.

    Attributes:
        name: as in `--option NAME=VALUE`.
        what: the noun for its value, for messages.
        summary: its meaning.
        default: its value if it is not given.
        choices: the names that it takes; if empty, it is a whole number.
        least: the smallest number.
        most: the largest number.
    """

    name: str
    what: str
    summary: str
    default: str
    choices: Collection[str] = ()
    least: int = 0
    most: int = 0


# By the field of `Options` that it is.
OPTIONS: Mapping[str, MethodOption] = {
    "reduction": MethodOption("reduce", "reduction", "how to simplify before encoding", "singles", REDUCTIONS),
    "amo": MethodOption("amo", "at-most-one", "how `at most one of these` becomes clauses", "pairwise", AT_MOST_ONE),
    "sat_solver": MethodOption("sat-solver", "SAT solver", "the solver of PySAT", DEFAULT_SOLVER, SAT_SOLVERS),
    "seed": MethodOption("seed", "seed", "the seed of CP-SAT or of annealing", "0", most=2**31 - 1),
    "workers": MethodOption(
        "workers", "number of workers", "workers of CP-SAT, when it finds one solution", "1", least=1, most=MAX_WORKERS
    ),
}
_ENCODING_OPTIONS = ("reduction", "amo")
_ALL_SAT_OPTIONS = (*_ENCODING_OPTIONS, "sat_solver")


def _options_on(encoding: Collection[str]) -> tuple[str, ...]:
    """Return which of an encoding's options, which are named as on the command line, a method on it uses."""
    return tuple(field for field in _ENCODING_OPTIONS if OPTIONS[field].name in encoding)


_PYSAT, _CP_SAT = ("pysat.solvers",), ("ortools.sat.python.cp_model",)
_ALLSAT = "Gebser, Kaufmann, Neumann & Schaub 2007; Spallitta, Sebastiani & Biere 2024"
_GTSPS = "thesis, A Novel Graph Theoretic Sudoku Solver (GTSPS), chapter 4"

_ROWS = (
    Method(
        "auto",
        "search, frontier or sat, chosen by a short trial search",
        "this project",
        family="",
        module="methods.auto",
        counts=True,
        options=_ALL_SAT_OPTIONS,
        can_split=True,
        constraint_input=PRIMITIVES,
    ),
    Method(
        "cp-sat",
        "CP-SAT with an integer for each cell and AllDifferent for each unit",
        "Perron & Didier, OR-Tools CP-SAT",
        family="cp-sat",
        module="methods.cp_sat",
        choices={"model": "cp-sat"},
        options=("reduction", "seed", "workers"),
        max_batch_candidates=QUICK_CANDIDATES,
        loads=_CP_SAT,
        constraint_input=PRIMITIVES,
    ),
    Method(
        "cp-sat-bool",
        "CP-SAT with a Boolean for each candidate and exactly-one constraints",
        "Perron & Didier, OR-Tools CP-SAT",
        family="cp-sat",
        module="methods.cp_sat",
        choices={"model": "cp-sat-bool"},
        options=("reduction", "seed", "workers"),
        max_batch_candidates=QUICK_CANDIDATES,
        loads=_CP_SAT,
        constraint_input=PRIMITIVES,
    ),
    Method(
        "sat",
        "a SAT solver on the default encoding (extended), with blocking clauses",
        "Lynce & Ouaknine 2006; Ignatiev, Morgado & Marques-Silva 2018 (PySAT)",
        family="sat",
        module="methods.sat",
        encoding="extended",
        options=_ALL_SAT_OPTIONS,
        max_batch_candidates=5_000,
        batch_options=("sat_solver",),
        loads=_PYSAT,
        constraint_input=PRIMITIVES,
    ),
    *(
        Method(
            f"sat:{encoder.name}",
            f"a SAT solver on the {encoder.name} encoding: {encoder.summary}",
            encoder.source,
            family="sat",
            module="methods.sat",
            encoding=encoder.name,
            options=(*_options_on(encoder.options), "sat_solver"),
            constraint_input=PRIMITIVES if encoder.kind == "direct" else UNITS,
            loads=_PYSAT,
        )
        for encoder in ENCODINGS.values()
    ),
    Method(
        "allsat",
        "a compiled search with clause learning on the extended encoding, without blocking clauses: flips choices",
        f"this project; after {_ALLSAT}",
        family="sat",
        module="methods.allsat",
        encoding="extended",
        options=_ENCODING_OPTIONS,
        compiled=True,
        constraint_input=PRIMITIVES,
    ),
    *(
        Method(
            f"allsat:{encoder.name}",
            f"the same as allsat, on the {encoder.name} encoding",
            f"this project; after {_ALLSAT}",
            family="sat",
            module="methods.allsat",
            encoding=encoder.name,
            options=_options_on(encoder.options),
            compiled=True,
            constraint_input=PRIMITIVES if encoder.kind == "direct" else UNITS,
            only_if_named=True,
        )
        for encoder in ENCODINGS.values()
    ),
    Method(
        "search",
        "exhaustive search in compiled code: bit masks, singles, then the cell or value with the fewest candidates",
        "this project; on plain 9x9 boards after the forum solvers that hold a band of a value in a word",
        family="search",
        module="search.parallel",
        counts=True,
        compiled=True,
        can_split=True,
        constraint_input=PRIMITIVES,
    ),
    Method(
        "definitions",
        "backtracking that checks the units and the definition of each constraint once its cells are filled",
        "this project",
        family="definitions",
        module="methods.definitions",
        constraint_input=DEFINITIONS,
        only_if_named=True,
    ),
    Method(
        "frontier",
        "counts without listing: by tables of bands, by connected parts of the open cells, or by a transfer matrix",
        "this project; bands after Felgenhauer & Jarvis 2006",
        family="frontier",
        module="methods.frontier",
        finds="count",
        lists=False,
        counts=True,
        explains=True,
        compiled=True,
    ),
    Method(
        "placements",
        "for cubes of side 4 and 9: places a whole value at a time, the one with the fewest placements first",
        "this project",
        family="placements",
        module="placements.steps",
        explains=True,
        compiled=True,
    ),
    Method(
        "exact-cover",
        "dancing links on the exact cover problem, by the package miniexact",
        "Knuth, The Art of Computer Programming 4B, section 7.2.2.1; Heisinger (miniexact)",
        family="exact-cover",
        module="solvers.dancing_links",
        counts=True,
        package="miniexact",
    ),
    Method(
        "ganak",
        "the exact counter Ganak on the extended encoding, with projection",
        "Sharma, Roy, Soos & Meel 2019; Soos & Meel 2025",
        family="sat",
        module="methods.counters",
        encoding="extended",
        finds="count",
        lists=False,
        counts=True,
        package="pyganak",
    ),
    Method(
        "approxmc",
        "the approximate counter ApproxMC on the extended encoding: within a factor of 1.8 with 80 % confidence",
        "Chakraborty, Meel & Vardi 2013 and 2016; Soos, Gocht & Meel 2020",
        family="sat",
        module="methods.counters",
        encoding="extended",
        finds="estimate",
        lists=False,
        package="pyapproxmc",
    ),
    Method(
        "felgenhauer2006",
        "counts 9x9 grids by multiplying matrices of the ways in which boxes fill rows and columns",
        "Felgenhauer & Jarvis 2006",
        family="partitions",
        module="papers.felgenhauer2006",
        finds="count",
        lists=False,
        counts=True,
    ),
    Method(
        "jana2021",
        "a search tree over the blanks of a cube in scan order, level by level",
        "Jana, Mallik, Maji & Pal 2021",
        family="tree",
        module="papers.jana2021",
        explains=True,
        drawings=("dot", "svg"),
        drawn_by="papers.jana2021",
    ),
    Method(
        "jana2023-v1",
        "elimination in the rows of a cube (singles, lone rangers, twins, triplets), then the search tree of jana2021",
        "Jana et al. 2023, Algorithm 1",
        family="tree",
        module="papers.jana2023_v1",
        explains=True,
        drawings=("dot", "svg"),
        drawn_by="papers.jana2023_v1",
    ),
    Method(
        "jana2023-v1-boxes",
        "the same as jana2023-v1, with elimination in boxes too",
        "Jana et al. 2023, Algorithm 1",
        family="tree",
        module="papers.jana2023_v1",
        explains=True,
        drawings=("dot", "svg"),
        drawn_by="papers.jana2023_v1",
        choices={"minigrids": True},
    ),
    *(
        Method(
            f"jana2023-v2{order}" + ("" if axis == "x" else f":{axis}"),
            f"{summary}; layers across {axis}" + (", the paper's grids" if axis == "x" else ""),
            "Jana et al. 2023, Algorithm 2",
            family="tree",
            module="papers.jana2023_v2",
            explains=True,
            choices={"restrict": False, "check": check, "axis": axis},
            only_if_named=check == "innermost" or axis != "x",
        )
        for order, check, summary in (
            (
                "",
                "innermost",
                "all solutions of each layer of a cube from its givens alone; nine nested loops check whole cubes",
            ),
            ("-plain", "early", "the same as jana2023-v2, but joins the layers one by one"),
        )
        for axis in ("x", "y", "z")
    ),
    Method(
        "jana2023-v2-joined",
        "the same as jana2023-v2, but joins the layers one by one, with candidates from the whole cube",
        "Jana et al. 2023, Algorithm 2",
        family="tree",
        module="papers.jana2023_v2",
        explains=True,
    ),
    Method(
        "brute-force",
        "backtracking, cell by cell in scan order",
        f"{_GTSPS}, its reference [47]",
        family="backtracking",
        module="papers.brute_force",
        explains=True,
        compiled=True,
    ),
    Method(
        "norvig2006",
        "constraint propagation, and depth-first search on the cell with the fewest candidates",
        "Norvig 2006, Solving Every Sudoku Puzzle",
        family="backtracking",
        module="papers.norvig2006",
        explains=True,
        compiled=True,
    ),
    Method(
        "pencil-paper",
        "singles, locked candidates and subsets; no guessing",
        f"{_GTSPS}, its reference [46]",
        family="logic",
        module="papers.pencil_paper",
        explains=True,
        finds="forced-moves",
    ),
    Method(
        "logic",
        "the same as pencil-paper, with X-wing, swordfish, XY-wing and XYZ-wing",
        f"{_GTSPS}, its reference [49] (Stuart)",
        family="logic",
        module="papers.logic",
        explains=True,
        finds="forced-moves",
    ),
    Method(
        "gtsps-3.1",
        "backtracking over minigrids, densest first",
        f"{_GTSPS}, section 4.6 (version 3.1)",
        family="tree",
        module="papers.gtsps3",
        explains=True,
    ),
    *(
        Method(
            "gtsps-3.2" if order == "zigzag" else f"gtsps-3.2-{order}",
            f"backtracking over the valid permutations of minigrids, {order} order",
            f"{_GTSPS}, section 4.6 (version 3.2)",
            family="tree",
            module="papers.gtsps3",
            explains=True,
            choices={"order": order},
        )
        for order in ("zigzag", "spiral", "semi-spiral")
    ),
    Method(
        "gtsps-4.1",
        "a graph whose vertices are valid permutations of minigrids, reduced; every rook's graph in it is a solution",
        f"{_GTSPS}, sections 4.1 and 4.3 (version 4.1)",
        family="tree",
        module="papers.gtsps4_steps",
        explains=True,
        drawings=("dot", "graphml", "svg"),
        drawn_by="papers.gtsps_graph",
    ),
    Method(
        "gtsps-4.2",
        "the graph of gtsps-4.1 contracted to super-vertices; every cycle of them is a solution",
        f"{_GTSPS}, sections 4.2 and 4.3 (version 4.2)",
        family="tree",
        module="papers.gtsps4_contracted",
        explains=True,
        drawings=("svg",),
        drawn_by="papers.gtsps_contracted_graph",
        counts=True,
    ),
    Method(
        "hbpnp",
        "singles, lone pairs and guesses on candidate lists, with its incomplete check for violations",
        "Onokpasa et al. 2019, as Wadud & Abdullah-Al-Wadud describe it",
        family="hbpnp",
        module="papers.hbpnp",
        explains=True,
        compiled=True,
        finds="some",
        choices={"version": "hbpnp"},
    ),
    Method(
        "uhbpnp",
        "the same as hbpnp, with a correct check that scans row, column and box",
        "Wadud & Abdullah-Al-Wadud 2021",
        family="hbpnp",
        module="papers.hbpnp",
        explains=True,
        compiled=True,
        choices={"version": "uhbpnp"},
    ),
    Method(
        "uhbpnp-tables",
        "the same as uhbpnp, on tables that every placement updates",
        "Wadud & Abdullah-Al-Wadud, faster UHBPnP, Algorithm 2",
        family="hbpnp",
        module="papers.hbpnp",
        explains=True,
        compiled=True,
        choices={"version": "uhbpnp-tables"},
    ),
    *(
        Method(
            f"block-world-{model}",
            summary,
            "Abednego & Nugraheni, section II",
            family="block-world",
            module="papers.block_world",
            explains=True,
            compiled=True,
            finds=finds,
            choices={"model": model},
        )
        for model, finds, summary in (
            ("1", "all", "two robots: one puts boxes on the board, the other takes them back"),
            ("2", "forced-moves", "a robot for each number, model 2"),
            ("3", "some", "a robot for each number, model 3 as printed, which places wrong boxes"),
            ("4", "some", "a robot for each number, model 4 as printed, which is model 3"),
            ("4-sound", "forced-moves", "a robot for each number, model 4 read so that no robot places a wrong box"),
            ("4+1", "some", "model 4 as printed, then model 1, which cannot take wrong boxes of model 4 back"),
            ("4-sound+1", "all", "the sound model 4 (4-sound), then model 1"),
        )
    ),
    Method(
        "lewis2007",
        "simulated annealing: swaps two cells of a box until rows and columns hold every value; one solution at most",
        "Lewis 2007",
        family="lewis2007",
        module="papers.lewis2007",
        compiled=True,
        finds="some",
        options=("seed",),
        only_if_named=True,
    ),
)


class Methods(Table[Method]):
    """The table of methods, which returns a row for its former name too."""

    def __missing__(self, name: str) -> Method:
        """Return the method that had another name."""
        return self[FORMER_NAMES[name]]


# An algorithm as printed has the plain name. Up to version 0.2 it had these names, which still work.
FORMER_NAMES = {f"jana2023-v2-printed{axis}": f"jana2023-v2{axis}" for axis in ("", ":y", ":z")}
FORMER_NAMES["block-world-4-printed+1"] = "block-world-4+1"
# Names that were of other methods up to version 0.2, each with the present name of what it was then.
FORMER_MEANINGS = {"jana2023-v2": "jana2023-v2-joined", "block-world-4+1": "block-world-4-sound+1"}

METHODS: Table[Method] = Methods({row.name: row for row in _ROWS})
"""The ways to get solutions, or their number, by the name that `solve`, `solutions` and `count` take.

>>> METHODS["jana2021"].finds
'all'
"""
