"""What SAT solvers print for a CNF of ours."""

import re

from sudoku_encode.encoders.answer import Answer, Decoded
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.formula import solver_output
from sudoku_encode.storage import files


def read(model: str, output: str) -> Answer:
    """Read `s` and `v` lines, minisat's SAT and a line of literals, or a bare list of literals.

    Raises:
        FormatError: see `load_encoding` and `solver_output.parse`; a literal that is none of the formula's.
    """
    encoding = load_encoding(model)
    printed = solver_output.parse(files.read_lines(output), files.source_name(output))
    models = (Decoded(*encoding.decode_with_faults(literals)) for literals in printed.models)
    cut_off = "it does not end with a 0" if printed.cut_off else ""
    added = re.search("[0-9]+ clauses? added", encoding.name)
    return Answer(
        *(encoding.puzzle, printed.claim, len(printed.models), models, cut_off), added=added[0] if added else ""
    )
