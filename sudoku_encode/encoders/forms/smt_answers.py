"""What SMT solvers print for a script of ours: `sat` and the model of get-model, or the pairs of get-value."""

import re
from collections.abc import Iterator
from itertools import chain
from typing import TypeAlias

import numpy as np

from sudoku_encode.encoders.answer import Answer, Values, from_values
from sudoku_encode.encoders.forms.common import read_heading
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.storage import files

Term: TypeAlias = "str | list[Term]"

_CLAIMS = {"sat": True, "unsat": False, "unknown": None, "timeout": None}
_TOKEN = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"|;]+|;.*|"|\|')
_CELL = re.compile(r"c([0-9]{1,8})")
# More than a model needs, fewer than would take long to go through.
_MAX_DEPTH = 50


def read(model: str, output: str) -> Answer:
    """Read `sat`, `unsat` or `unknown`, and after each `sat` the values of the cells.

    Raises:
        FormatError: text that is none of these, an error of the solver's, a cell with two values.
    """
    puzzle, source = read_heading(model, ";"), files.source_name(output)
    claims: set[bool | None] = set()
    grids: list[Values] = []
    grid: Values | None = None
    cut_off = ""
    for term, whole in _terms(chain.from_iterable(map(_TOKEN.findall, files.read_lines(output))), source):
        if isinstance(term, str):
            if term not in _CLAIMS:
                raise FormatError(f"{short(term)!r} is no answer of an SMT solver", source)
            claims.add(_CLAIMS[term])
            grid = None
        elif not whole:
            cut_off = "a bracket is not closed"
        elif term[:1] == ["error"]:
            # Without a model there is none to be had, and to ask for it is an error.
            if False not in claims:
                raise FormatError(f"the solver reports an error: {short(str(term[-1]), 200)}", source)
        else:
            if grid is None:
                grid = np.zeros(puzzle.geometry.n_cells, np.int64)
                grids.append(grid)
            _fill(grid, term, puzzle, source)
    if len(claims) > 1:
        raise FormatError("the solver gives different answers to (check-sat)", source)
    # A model in many lists is whole only if all of them are.
    return from_values(
        puzzle, claims.pop() if claims else None, grids[:-1] if cut_off and grid is not None else grids, cut_off
    )


def _terms(tokens: Iterator[str], source: str) -> Iterator[tuple[Term, bool]]:
    """Yield what stands outside brackets: words, and lists of what is within; and whether it is whole."""
    stack: list[list[Term]] = []
    for token in tokens:
        if token.startswith(";"):
            continue
        if token == "(":
            stack.append([])
            if len(stack) > _MAX_DEPTH:
                raise FormatError("brackets are nested too deeply for a model", source)
        elif token == ")":
            if not stack:
                raise FormatError("a bracket is closed that was not opened", source)
            closed = stack.pop()
            if stack:
                stack[-1].append(closed)
            else:
                yield closed, True
        elif stack:
            stack[-1].append(token)
        else:
            yield token, True
    if stack:
        yield stack[0], False


def _fill(grid: Values, term: list[Term], puzzle: Puzzle, source: str) -> None:
    """Write the values that a model or the answer to get-value says into a grid."""
    # z3's Python writes the definitions without brackets around them.
    items = [term] if term[:1] == ["define-fun"] else term[1:] if term[:1] == ["model"] else term
    for item in items:
        if not isinstance(item, list):
            raise FormatError(f"{short(str(item))!r} is no part of a model", source)
        if item[:1] == ["define-fun"] and len(item) == 5 and item[2] == []:
            name, value = item[1], item[4]
        elif len(item) == 2:
            name, value = item
        elif item[:1] in (["define-fun"], ["declare-fun"], ["forall"]):
            continue
        else:
            raise FormatError(f"{short(str(item))} is no part of a model", source)
        found = _CELL.fullmatch(name) if isinstance(name, str) else None
        if not found:
            continue
        cell = int(found[1])
        if cell >= puzzle.geometry.n_cells:
            raise FormatError(f"c{cell} is none of this script, which has {puzzle.geometry.n_cells} cells", source)
        number = _number(value, source)
        if grid[cell] not in (0, number):
            raise FormatError(f"c{cell} has the values {grid[cell]} and {number}", source)
        grid[cell] = number


def _number(value: Term, source: str) -> int:
    """Return the number that a bit vector stands for."""
    if isinstance(value, str) and re.fullmatch("#b[01]{1,32}", value):
        return int(value[2:], 2)
    if isinstance(value, str) and re.fullmatch("#x[0-9a-fA-F]{1,8}", value):
        return int(value[2:], 16)
    if isinstance(value, list) and len(value) == 3 and value[0] == "_" and re.fullmatch("bv[0-9]{1,9}", str(value[1])):
        return int(str(value[1])[2:])
    raise FormatError(f"{short(str(value))!r} is no bit vector such as #b0101, #x5 or (_ bv5 4)", source)
