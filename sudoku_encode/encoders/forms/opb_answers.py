"""What pseudo-Boolean solvers print, as in their competitions: clasp, minisat+, RoundingSat, Sat4j."""

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.answer import Answer, first_missing, from_truth
from sudoku_encode.encoders.forms.common import read_heading
from sudoku_encode.errors import FormatError, short
from sudoku_encode.storage import files

_CLAIMS = {
    "SATISFIABLE": True,
    "OPTIMUM FOUND": True,
    "UNSATISFIABLE": False,
    "UNKNOWN": None,
    "UNSUPPORTED": None,
}
_LITERAL = re.compile(r"(-|~)?x([1-9][0-9]{0,8})")
# Variables that are added to a model by hand are counted by its first line.
_MAX_VARIABLES = 1 << 26


def read(model: str, output: str) -> Answer:
    """Read `s` and `v` lines; a `v` line that begins with a variable that was there before begins a new model.

    Nothing ends a model. One that does not mention all variables and leaves a cell without a value is cut off.

    Raises:
        FormatError: a word that is none of these, a literal twice with both signs, two claims.
    """
    puzzle, source = read_heading(model, "*"), files.source_name(output)
    claims: set[bool | None] = set()
    shape = (puzzle.geometry.n_cells, puzzle.geometry.n_values)
    models: list[NDArray[np.bool_]] = []
    missing = ""
    n = max(puzzle.candidates.size, _n_variables(model))
    for literals in _models(output, claims, n):
        truth, named = np.zeros((2, n + 1), bool)
        truth[[literal for literal in literals if literal > 0]] = True
        named[[abs(literal) for literal in literals]] = True
        held, known = (variables[1 : puzzle.candidates.size + 1].reshape(shape) for variables in (truth, named))
        models.append(held)
        missing = first_missing(puzzle, held, known)
    if len(claims) > 1:
        raise FormatError("the solver says different things in its s lines", source)
    claim = claims.pop() if claims else None
    if missing:
        return from_truth(puzzle, claim, models[:-1], f"not all variables of {missing} are there")
    return from_truth(puzzle, claim, models)


def _n_variables(model: str) -> int:
    """Return the number of variables that the first line says; 0 where it says none."""
    found = re.match(r"\* #variable= ([0-9]{1,8}) ", next(files.read_lines(model), ""))
    return min(int(found[1]), _MAX_VARIABLES) if found else 0


def _models(output: str, claims: set[bool | None], n: int) -> Iterator[dict[int, None]]:
    """Yield the literals of each model; what is claimed is added to `claims`."""
    current: dict[int, None] = {}
    source = files.source_name(output)
    for number, line in enumerate(files.read_lines(output), 1):
        kind, *words = line.split() or ["c"]
        if kind == "s":
            text = " ".join(words)
            if text not in _CLAIMS:
                raise FormatError(f"{short(line.strip())!r} is no answer of a pseudo-Boolean solver", source, number)
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
            raise FormatError(f"{short(line.strip())!r} is no line of a pseudo-Boolean solver", source, number)
    if current:
        yield current


def _literal(word: str, n: int, source: str, number: int) -> int:
    found = _LITERAL.fullmatch(word)
    if not found:
        raise FormatError(f"{short(word)!r} is no literal such as x1 or -x1", source, number)
    variable = int(found[2])
    if variable > n:
        raise FormatError(f"x{variable} is none of this model, which has {n} variables", source, number)
    return -variable if found[1] else variable
