"""Puzzle to the standard forms other than CNF. Each is a function `(puzzle, candidates) -> chunks of the file`."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from sudoku_encode.encoders.forms.exact_cover import exact_cover
from sudoku_encode.encoders.forms.graph import graph
from sudoku_encode.encoders.forms.minizinc import minizinc
from sudoku_encode.encoders.forms.mip import mip_lp, mip_mps
from sudoku_encode.encoders.forms.opb import opb
from sudoku_encode.encoders.forms.smt import smt
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

Writer = Callable[[Puzzle, Candidates], Iterator[bytes]]


@dataclass(frozen=True)
class Form:
    """A file format for a model.

    Attributes:
        name: what a user asks for.
        suffix: of a file in this form.
        description: one line, for help.
        write: from a puzzle, and what each of its cells may hold (bool, n_cells x n_values), to chunks of the file.
    """

    name: str
    suffix: str
    description: str
    write: Writer


FORMS: dict[str, Form] = {
    form.name: form
    for form in (
        Form("col", ".col", "graph colouring, DIMACS", graph),
        Form("opb", ".opb", "pseudo-Boolean constraints, for clasp, minisat+ and the like", opb),
        Form("dlx", ".dlx", "exact cover, for Knuth's dlx1", exact_cover),
        Form("mzn", ".mzn", "MiniZinc model, with its data", minizinc),
        Form("mps", ".mps", "0/1 program, free MPS", mip_mps),
        Form("lp", ".lp", "0/1 program, CPLEX LP", mip_lp),
        Form("smt2", ".smt2", "SMT-LIB 2 script, bit vectors", smt),
    )
}
