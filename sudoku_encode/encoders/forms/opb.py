"""Pseudo-Boolean constraints, OPB, and the output of solvers as in their competitions."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.answers import Answer, first_missing, from_truth
from sudoku_encode.encoders.forms import common
from sudoku_encode.encoders.forms.linear import Row, auxiliary, linear
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.lowering import lower_puzzle
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files


def opb(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write one constraint per cell, per unit and value, and per excluded candidate.

    Strict readers reject `<=`, omitted coefficients, constraints over two lines, names other than x<number>, and
    anything but the counts in the first line. The variable of an excluded candidate is fixed, not left out: a free
    variable would multiply the solutions. Sums are equalities over the variables of cells, other constraints clauses.
    """
    low = lower_puzzle(puzzle)
    board, n = low.puzzle.geometry, puzzle.geometry.n_values
    more = linear(low, candidates)
    excluded = np.flatnonzero(~candidates)[:, None] + 1
    n_constraints = board.n_cells + board.n_units * n + len(excluded) + more.n_rows
    yield f"* #variable= {more.n_variables} #constraint= {n_constraints}\n".encode("ascii")
    yield common.heading(
        "*",
        "opb",
        puzzle,
        common.numbering(board, "xN"),
        f"first the cells, then each value of each unit: {common.unit_numbering(board)}",
        *auxiliary(more, candidates, "x"),
    )
    yield from common.lines("+1 x%d " * n + "= 1 ;\n", common.cell_variables(board))
    for rule in board.rules:
        size = rule.units.shape[1]
        template = "+1 x%d " * size + "= 1 ;\n" if size == n else "-1 x%d " * size + ">= -1 ;\n"
        yield from common.lines(template, common.unit_variables(rule, n))
    yield from common.lines("+1 x%d = 0 ;\n", excluded)
    if more.n_rows:
        yield from common.joined(map(_text, more.rows()))


def _text(row: Row) -> str:
    terms = (f"{factor:+d} x{variable}" for factor, variable in zip(row.coefficients, row.variables, strict=True))
    return f"{' '.join(terms)} {'=' if row.is_equality else '>='} {row.bound} ;\n"


# Output of pseudo-Boolean solvers: clasp, minisat+, RoundingSat, Sat4j.

_CLAIMS = {
    "SATISFIABLE": True,
    "OPTIMUM FOUND": True,
    "UNSATISFIABLE": False,
    "UNKNOWN": None,
    "UNSUPPORTED": None,
}
_LITERAL = re.compile(r"(-|~)?x([1-9][0-9]{0,8})")
# Variables that a user adds are counted in the first line.
_MAX_VARIABLES = 1 << 26


def read(model: str, output: str) -> Answer:
    """Read `s` and `v` lines; a `v` line that begins with a variable that was there before begins a new model.

    Nothing ends a model. One that does not mention all variables and leaves a cell without a value is cut off.

    Raises:
        FormatError: an unexpected word, a literal with both signs, or two claims.
    """
    puzzle, source = common.read_heading(model, "*"), files.source_name(output)
    claims: set[bool | None] = set()
    shape = (puzzle.geometry.n_cells, puzzle.geometry.n_values)
    models: list[NDArray[np.bool_]] = []
    missing = ""
    n = max(puzzle.candidates.size, _n_variables(model))
    for literals in _models(output, claims, n):
        truth, named = np.zeros((2, n + 1), bool)
        truth[[literal for literal in literals if literal > 0]] = True
        named[[abs(literal) for literal in literals]] = True
        cell_values, is_named = (
            variables[1 : puzzle.candidates.size + 1].reshape(shape) for variables in (truth, named)
        )
        models.append(cell_values)
        missing = first_missing(puzzle, cell_values, is_named)
    if len(claims) > 1:
        raise FormatError("the s lines of the solver contradict each other", source)
    claim = claims.pop() if claims else None
    if missing:
        return from_truth(puzzle, claim, models[:-1], f"some variables of {missing} are missing")
    return from_truth(puzzle, claim, models)


def _n_variables(model: str) -> int:
    """Return the number of variables in the first line; else 0."""
    match = re.match(r"\* #variable= ([0-9]{1,8}) ", next(files.read_lines(model), ""))
    return min(int(match[1]), _MAX_VARIABLES) if match else 0


def _models(output: str, claims: set[bool | None], n: int) -> Iterator[dict[int, None]]:
    """Yield the literals of each model, and add the claims to `claims`."""
    current: dict[int, None] = {}
    source = files.source_name(output)
    for number, line in enumerate(files.read_lines(output), 1):
        kind, *words = line.split() or ["c"]
        if kind == "s":
            text = " ".join(words)
            if text not in _CLAIMS:
                raise FormatError(f"{short(line.strip())!r} is not a pseudo-Boolean answer", source, number)
            claims.add(_CLAIMS[text])
        elif kind == "v":
            for place, word in enumerate(words):
                literal = _literal(word, n, source, number)
                if not place and (literal in current or -literal in current):
                    yield current
                    current = {}
                if -literal in current:
                    raise FormatError(f"the model has both x{abs(literal)} and -x{abs(literal)}", source, number)
                current[literal] = None
        elif kind not in ("c", "o", "d"):
            raise FormatError(f"{short(line.strip())!r} is not a line of a pseudo-Boolean solver", source, number)
    if current:
        yield current


def _literal(word: str, n: int, source: str, number: int) -> int:
    match = _LITERAL.fullmatch(word)
    if not match:
        raise FormatError(f"{short(word)!r} is not a literal such as x1 or -x1", source, number)
    variable = int(match[2])
    if variable > n:
        raise FormatError(f"x{variable} is out of range: this model has {n} variables", source, number)
    return -variable if match[1] else variable
