"""The tables of encodings, reductions and model formats. Imports nothing heavy: --help reads it.

A row names functions as `module:function`; a `Loader` of their type loads them when they are used.
"""

from typing import Generic, NamedTuple, TypeVar

from sudoku_encode.puzzles.table import brief, by_name

Loaded = TypeVar("Loaded")


class Loader(Generic[Loaded]):
    """Loads objects of one type, which a row names as `module:name`."""

    def __call__(self, name: str) -> Loaded:
        """Return the object of that name."""
        from pkgutil import resolve_name

        loaded: Loaded = resolve_name(name)
        return loaded


# How a puzzle is simplified before it is encoded.
REDUCTIONS = {
    "none": "no cell and no candidate is left out; the givens become unit clauses",
    "givens": "given cells and the candidates that they exclude are left out (Kwon & Jain 2006)",
    "singles": "naked and hidden singles are placed until none is left",
}
# For a model that is written. Methods that solve a puzzle reduce it first by default, as their solvers would.
DEFAULT_REDUCTION = "none"


class Encoder(NamedTuple):
    """A way to write a puzzle as a CNF.

    Attributes:
        name: as in `--encoding`.
        summary: the meaning of its clauses.
        source: where it was published.
        encode: `module:function` that makes the formula, an `encoding.MakeCnf`.
        unsupported_reason: `module:function` that returns why the encoding is wrong on a board, an
            `encoding.UnsupportedReason`; empty if it is right on every board.
        options: those of `amo`, `duplicates` and `reduce` that have an effect.
        variables: `module:name` of the meaning of its variables, a `reduction.VariableScheme`.
        kind: name of that meaning: `direct`, `order` or `log`.
        size: `module:function` from the `OpenCounts` after singles to the numbers of variables and clauses, a
            `puzzle_sizes.ComputeSizes`; empty if the formula must be made to count them.
    """

    name: str
    summary: str
    source: str
    encode: str
    unsupported_reason: str = ""
    options: frozenset[str] = frozenset()
    variables: str = "sudoku_encode.encoders.direct:VARIABLES"
    kind: str = "direct"
    size: str = ""

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)


_DIRECT_OPTIONS = frozenset({"amo", "duplicates", "reduce"})
_REDUCE = frozenset({"reduce"})

ENCODINGS = by_name(
    Encoder(
        "minimal",
        summary="each cell has a value, and no value is twice in a unit",
        source="Lynce & Ouaknine 2006, section 3",
        encode="sudoku_encode.encoders.direct:minimal",
        unsupported_reason="sudoku_encode.encoders.direct:uncovered_cell_reason",
        options=_DIRECT_OPTIONS,
        size="sudoku_encode.encoders.puzzle_sizes:minimal_sizes",
    ),
    Encoder(
        "efficient",
        summary="minimal, and no cell has two values (also called natural)",
        source="Weber 2005; Kwon & Jain 2006",
        encode="sudoku_encode.encoders.direct:efficient",
        options=_DIRECT_OPTIONS,
        size="sudoku_encode.encoders.puzzle_sizes:efficient_sizes",
    ),
    Encoder(
        "extended",
        summary="efficient, and each value is in each full unit (also called complete); propagates best",
        source="Lynce & Ouaknine 2006, section 3",
        encode="sudoku_encode.encoders.direct:extended",
        options=_DIRECT_OPTIONS,
        size="sudoku_encode.encoders.puzzle_sizes:extended_sizes",
    ),
    Encoder(
        "dual",
        summary="no cell has two values, and each value is in each unit: the other half of extended, and the smallest",
        source="Kullmann, OKlibrary (the weak dual form)",
        encode="sudoku_encode.encoders.direct:dual",
        unsupported_reason="sudoku_encode.encoders.direct:short_unit_reason",
        # It has no pairs of a unit, so duplicates change nothing.
        options=_DIRECT_OPTIONS,
        size="sudoku_encode.encoders.puzzle_sizes:dual_sizes",
    ),
    Encoder(
        "colouring",
        summary="graph colouring: cells are vertices, values are colours, and peers have different colours",
        source="Jana et al. 2023, section II-D",
        encode="sudoku_encode.encoders.direct:minimal",
        unsupported_reason="sudoku_encode.encoders.direct:uncovered_cell_reason",
        options=_REDUCE,
        size="sudoku_encode.encoders.puzzle_sizes:minimal_sizes",
    ),
    Encoder(
        "triads",
        summary="variables for the cells that a line and a box share connect these units (also called augmented)",
        source="Dillon, tdoku (encoding 3)",
        encode="sudoku_encode.encoders.direct:triads",
        unsupported_reason="sudoku_encode.encoders.direct:not_classic_reason",
    ),
    Encoder(
        "order",
        summary="a variable is true if the value of a cell comes after its i-th candidate",
        source="Tamura et al. 2009",
        encode="sudoku_encode.encoders.domains:encode_order",
        options=_REDUCE,
        variables="sudoku_encode.encoders.domains:ORDER_VARIABLES",
        kind="order",
        size="sudoku_encode.encoders.puzzle_sizes:order_sizes",
    ),
    Encoder(
        "log",
        summary="the variables of a cell are the binary digits of the number of its candidate",
        source="Iwama & Miyazaki 1994; Van Gelder 2008",
        encode="sudoku_encode.encoders.domains:encode_log",
        options=_REDUCE,
        variables="sudoku_encode.encoders.domains:LOG_VARIABLES",
        kind="log",
        size="sudoku_encode.encoders.puzzle_sizes:log_sizes",
    ),
)
"""The ways to write a puzzle as a CNF, by the name that `encode` takes.

>>> ENCODINGS["log"].kind
'log'
"""
DEFAULT_ENCODING = "extended"
# Stands for all encodings, or for all ways to write at-most-one.
ALL = "all"


class ModelFormat(NamedTuple):
    """A file format for models.

    Attributes:
        name: as in `--to`.
        suffixes: of the names of such files; a file in a folder gets the first.
        summary: one line, for help.
        chunks: `module:function` that returns the text of a model in chunks, a `model_files.WriteModel`; empty if
            `save` does not need it.
        options: those of `encoding`, `reduce`, `amo`, `duplicates`, `show`, `seed`, `cubes`, `assume` and `block` that
            it takes.
        save: `module:function` that writes the files of puzzles, a `model_files.Save`.
        answers: `module:function` that reads the answer of a solver, an `answers.ReadAnswer`.
        exit_status: whether the exit status of such solvers tells their answer: 10 satisfiable, 20 unsatisfiable.
    """

    name: str
    suffixes: tuple[str, ...]
    summary: str
    chunks: str = ""
    options: frozenset[str] = _REDUCE
    save: str = "sudoku_encode.encoders.model_files:save_chunks"
    answers: str = ""
    exit_status: bool = False

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)


def _written(
    name: str, suffix: str, summary: str, function: str, options: frozenset[str] = _REDUCE, exit_status: bool = False
) -> ModelFormat:
    """Return the row of a format whose module in `forms` has a function for its text, and one that reads answers."""
    module = f"sudoku_encode.encoders.forms.{function.partition(':')[0]}"
    chunks = f"sudoku_encode.encoders.forms.{function}"
    return ModelFormat(name, (suffix,), summary, chunks, options, answers=f"{module}:read", exit_status=exit_status)


_CNF_OPTIONS = frozenset({"encoding", "amo", "duplicates", "assume", "block"})
_WCNF = ModelFormat(
    "wcnf",
    (".wcnf",),
    "partial MaxSAT with givens as soft clauses: the most givens that can stay",
    options=_CNF_OPTIONS,
    save="sudoku_encode.encoders.forms.wcnf:save_wcnfs",
    answers="sudoku_encode.encoders.forms.wcnf:read",
    exit_status=True,
)

MODEL_FORMATS = by_name(
    ModelFormat(
        "cnf",
        (".cnf",),
        "CNF, DIMACS",
        options=_CNF_OPTIONS | {"reduce", "show", "seed"},
        save="sudoku_encode.encoders.model_files:save_cnfs",
        answers="sudoku_encode.encoders.cnf_file:read_cnf_answer",
        exit_status=True,
    ),
    ModelFormat(
        "cp-sat",
        (".pbtxt", ".pb"),
        "CP-SAT model with an integer for each cell, protocol buffer",
        save="sudoku_encode.encoders.model_files:save_cp_models",
        answers="sudoku_encode.encoders.forms.cp_sat:read_cp_answer",
    ),
    ModelFormat(
        "cp-sat-bool",
        (".pbtxt", ".pb"),
        "CP-SAT model with a Boolean for each candidate, protocol buffer",
        save="sudoku_encode.encoders.model_files:save_cp_models",
        answers="sudoku_encode.encoders.forms.cp_sat:read_cp_answer",
    ),
    ModelFormat(
        "icnf",
        (".icnf",),
        "incremental CNF with cubes, for CaDiCaL, paracooba and others",
        options=_CNF_OPTIONS | {"reduce", "cubes"},
        save="sudoku_encode.encoders.model_files:save_icnfs",
        answers="sudoku_encode.encoders.cnf_file:read_cnf_answer",
        exit_status=True,
    ),
    _WCNF,
    _WCNF._replace(name="wcnf-old", summary="the same with a header, as before 2022"),
    _written("col", ".col", "graph colouring, DIMACS", "graph:graph"),
    _written("opb", ".opb", "pseudo-Boolean constraints, for clasp, minisat+ and others", "opb:opb", exit_status=True),
    _written("dlx", ".dlx", "exact cover, for Knuth's dlx1", "exact_cover:exact_cover"),
    _written("mzn", ".mzn", "MiniZinc model, with its data", "minizinc:minizinc"),
    _written(
        "mzn-model",
        ".mzn",
        "MiniZinc model of a board and constraints, without a puzzle",
        "minizinc:minizinc_model",
        options=frozenset(),
    ),
    _written("dzn", ".dzn", "a puzzle as data for mzn-model", "minizinc:minizinc_data"),
    _written("mps", ".mps", "0/1 program, free MPS", "mip:mip_mps"),
    _written("lp", ".lp", "0/1 program, CPLEX LP", "mip:mip_lp"),
    _written("smt2", ".smt2", "SMT-LIB 2 script, bit vectors", "smt:smt"),
    _written("xcsp3", ".xml", "XCSP3-core instance, for ACE, Choco and others", "xcsp3:xcsp3"),
    _written("cpmpy", ".py", "Python program with a model of CPMpy", "cpmpy:cpmpy"),
    _written("asp", ".asp", "answer set program, for clingo", "asp:asp", exit_status=True),
)
"""The formats of models, by the name that `save_model` takes. A file in a folder gets the first suffix of its format; a
suffix stands for the first format that has it.

>>> MODEL_FORMATS["cnf"].suffixes
('.cnf',)
"""
DEFAULT_FORMAT = "cnf"
