"""The tables of encodings, reductions and model formats. Light: a program's help lists them and loads nothing else.

A function is named as `module:function`; `pkgutil.resolve_name` loads it when it is used.
"""

from typing import NamedTuple

from sudoku_encode.puzzles.table import brief, by_name

# What is left out of a puzzle before it is encoded.
REDUCTIONS = {
    "none": "no cell and no candidate is left out; the givens become unit clauses",
    "givens": "given cells and what they exclude from their peers are left out (Kwon & Jain 2006)",
    "singles": "naked and hidden singles are placed until none is left",
}
# Of a model that is written. Methods that solve a puzzle reduce it first by default, as their solvers would.
DEFAULT_REDUCTION = "none"


class Encoder(NamedTuple):
    """One way to write a puzzle as a CNF.

    Attributes:
        name: as in `--encoding`.
        summary: what its clauses say.
        source: where it was published.
        encode: `module:function` that makes the formula; see `encoding.MakeCnf`.
        unsupported_reason: `module:function` that returns why the encoding is not right on a board; empty where it is
            right on every board.
        options: which of `amo`, `duplicates` and `reduce` change what it writes.
        variables: the module that says what its variables mean: `candidate_literals`, from a reduced puzzle to the
            literals of its cells' values, and `NUMBERING`, the sentence for the file. Its last name is the encoding's
            kind.
        size: `module:function` that returns how many variables and clauses it has of what singles leave, from an
            `Open`; empty where they are encoded to be counted.
    """

    name: str
    summary: str
    source: str
    encode: str
    unsupported_reason: str = ""
    options: frozenset[str] = frozenset()
    variables: str = "sudoku_encode.encoders.direct"
    size: str = ""

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)

    @property
    def kind(self) -> str:
        """How the variables of a cell stand for its candidates: `direct`, `order`, `log`."""
        return self.variables.rpartition(".")[2]


_DIRECT_OPTIONS = frozenset({"amo", "duplicates", "reduce"})
_REDUCE = frozenset({"reduce"})

ENCODINGS = by_name(
    Encoder(
        "minimal",
        summary="each cell a value, no value twice in a unit",
        source="Lynce & Ouaknine 2006, section 3",
        encode="sudoku_encode.encoders.direct:minimal",
        unsupported_reason="sudoku_encode.encoders.direct:needs_full_cover",
        options=_DIRECT_OPTIONS,
        size="sudoku_encode.encoders.sizes:minimal",
    ),
    Encoder(
        "efficient",
        summary="minimal, and no cell two values (also called natural)",
        source="Weber 2005; Kwon & Jain 2006",
        encode="sudoku_encode.encoders.direct:efficient",
        options=_DIRECT_OPTIONS,
        size="sudoku_encode.encoders.sizes:efficient",
    ),
    Encoder(
        "extended",
        summary="efficient, and each value in each full unit (also called complete); propagates best",
        source="Lynce & Ouaknine 2006, section 3",
        encode="sudoku_encode.encoders.direct:extended",
        options=_DIRECT_OPTIONS,
        size="sudoku_encode.encoders.sizes:extended",
    ),
    Encoder(
        "dual",
        summary="no cell two values, each value in each unit: the other half of extended, and the smallest",
        source="Kullmann, OKlibrary (the weak dual form)",
        encode="sudoku_encode.encoders.direct:dual",
        unsupported_reason="sudoku_encode.encoders.direct:needs_only_full_units",
        # It has no pairs of a unit, so duplicates change nothing.
        options=_DIRECT_OPTIONS,
        size="sudoku_encode.encoders.sizes:dual",
    ),
    Encoder(
        "colouring",
        summary="the board as a graph: each vertex a colour, no edge one colour at both ends",
        source="Jana et al. 2023, section II-D",
        encode="sudoku_encode.encoders.direct:minimal",
        unsupported_reason="sudoku_encode.encoders.direct:needs_full_cover",
        options=_REDUCE,
        size="sudoku_encode.encoders.sizes:minimal",
    ),
    Encoder(
        "triads",
        summary="rows, columns and boxes tied together by the k cells that a line and a box share "
        "(also called augmented)",
        source="Dillon, tdoku (encoding 3)",
        encode="sudoku_encode.encoders.triads:encode",
        unsupported_reason="sudoku_encode.encoders.triads:unsupported_reason",
    ),
    Encoder(
        "order",
        summary="a variable says that a cell's candidate comes after the i-th",
        source="Tamura et al. 2009",
        encode="sudoku_encode.encoders.order:encode",
        options=_REDUCE,
        variables="sudoku_encode.encoders.order",
        size="sudoku_encode.encoders.sizes:order",
    ),
    Encoder(
        "log",
        summary="the binary digits of a cell's candidate",
        source="Iwama & Miyazaki 1994; Van Gelder 2008",
        encode="sudoku_encode.encoders.log:encode",
        options=_REDUCE,
        variables="sudoku_encode.encoders.log",
        size="sudoku_encode.encoders.sizes:log",
    ),
)
"""The ways to write a puzzle as a CNF, by the name that `encode` takes.

>>> ENCODINGS["log"].kind
'log'
"""
DEFAULT_ENCODING = "extended"
# In place of the name of an encoding, or of a way to write at-most-one: each.
ALL = "all"


class ModelFormat(NamedTuple):
    """A kind of file for a model.

    Attributes:
        name: as in `--to`.
        suffixes: of the names of such files; a file in a folder gets the first.
        summary: one line, for help.
        chunks: `module:function` from a puzzle, and what each of its cells may hold (bool, n_cells x n_values), to
            chunks of the file. Empty where `save` needs none.
        options: which of `encoding`, `reduce`, `amo`, `duplicates`, `show`, `seed` and `cubes` it takes.
        save: `module:function` that writes the files of some puzzles; see `saving.Save`.
        answers: `module:function` from the names of a model and of a solver's answer to an `answer.Answer`.
        exit_status: whether the exit status of such solvers says what their answer is: 10 satisfiable, 20 not.
    """

    name: str
    suffixes: tuple[str, ...]
    summary: str
    chunks: str = ""
    options: frozenset[str] = _REDUCE
    save: str = "sudoku_encode.encoders.saving:save_chunks"
    answers: str = ""
    exit_status: bool = False

    def __repr__(self) -> str:
        """Return its name on one short line."""
        return brief(self)


MODEL_FORMATS = by_name(
    ModelFormat(
        "cnf",
        (".cnf",),
        "CNF, DIMACS",
        options=frozenset({"encoding", "reduce", "amo", "duplicates", "show", "seed"}),
        save="sudoku_encode.encoders.saving:save_cnfs",
        answers="sudoku_encode.encoders.cnf_answers:read",
        exit_status=True,
    ),
    ModelFormat(
        "cp-sat",
        (".pbtxt", ".pb"),
        "CP-SAT model, an integer per cell, protocol buffer",
        save="sudoku_encode.encoders.saving:save_cp_models",
        answers="sudoku_encode.encoders.cp_answers:read",
    ),
    ModelFormat(
        "cp-sat-bool",
        (".pbtxt", ".pb"),
        "CP-SAT model, a Boolean per candidate, protocol buffer",
        save="sudoku_encode.encoders.saving:save_cp_models",
        answers="sudoku_encode.encoders.cp_answers:read",
    ),
    ModelFormat(
        "icnf",
        (".icnf",),
        "incremental CNF with cubes, for CaDiCaL, paracooba and the like",
        options=frozenset({"encoding", "reduce", "amo", "duplicates", "cubes"}),
        save="sudoku_encode.encoders.icnf:save",
        answers="sudoku_encode.encoders.cnf_answers:read",
        exit_status=True,
    ),
    ModelFormat(
        "col",
        (".col",),
        "graph colouring, DIMACS",
        chunks="sudoku_encode.encoders.forms.graph:graph",
        answers="sudoku_encode.encoders.forms.graph_answers:read",
    ),
    ModelFormat(
        "opb",
        (".opb",),
        "pseudo-Boolean constraints, for clasp, minisat+ and the like",
        chunks="sudoku_encode.encoders.forms.opb:opb",
        answers="sudoku_encode.encoders.forms.opb_answers:read",
        exit_status=True,
    ),
    ModelFormat(
        "dlx",
        (".dlx",),
        "exact cover, for Knuth's dlx1",
        chunks="sudoku_encode.encoders.forms.exact_cover:exact_cover",
        answers="sudoku_encode.encoders.forms.exact_cover_answers:read",
    ),
    ModelFormat(
        "mzn",
        (".mzn",),
        "MiniZinc model, with its data",
        chunks="sudoku_encode.encoders.forms.minizinc:minizinc",
        answers="sudoku_encode.encoders.forms.minizinc_answers:read",
    ),
    ModelFormat(
        "mps",
        (".mps",),
        "0/1 program, free MPS",
        chunks="sudoku_encode.encoders.forms.mip:mip_mps",
        answers="sudoku_encode.encoders.forms.mip_answers:read",
    ),
    ModelFormat(
        "lp",
        (".lp",),
        "0/1 program, CPLEX LP",
        chunks="sudoku_encode.encoders.forms.mip:mip_lp",
        answers="sudoku_encode.encoders.forms.mip_answers:read",
    ),
    ModelFormat(
        "smt2",
        (".smt2",),
        "SMT-LIB 2 script, bit vectors",
        chunks="sudoku_encode.encoders.forms.smt:smt",
        answers="sudoku_encode.encoders.forms.smt_answers:read",
    ),
)
"""The formats of models, by the name that `save_model` takes. Of a format the first suffix is what a file in a folder
gets; of a suffix the first format is what it stands for.

>>> MODEL_FORMATS["cnf"].suffixes
('.cnf',)
"""
DEFAULT_FORMAT = "cnf"
