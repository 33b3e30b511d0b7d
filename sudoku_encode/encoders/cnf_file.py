"""Read DIMACS files of puzzles back, and the answers of SAT solvers to them; the comments suffice to decode a model."""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.answers import Answer, DecodedModel
from sudoku_encode.encoders.encoding import Encoding, encode
from sudoku_encode.encoders.model_comments import (
    KEYS,
    MAX_COMMENTS,
    VARIABLES,
    Comment,
    cell_numbers,
    comment_error,
    first_variables,
    parse_number,
    parse_values,
    read_puzzle,
    variable_scheme,
)
from sudoku_encode.encoders.reduction import Reduction
from sudoku_encode.encoders.table import ENCODINGS, REDUCTIONS
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.formula import solver_output
from sudoku_encode.formula.cnf import Cnf
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files

# Above the variables and the comments of every board and encoding: 10,000 cells of 100 values.
MAX_VARIABLES, MAX_COMMENT_CHARACTERS = 1 << 26, 1 << 26


def load_encoding(path: str | Path, named: Encoding | None = None) -> Encoding:
    """Return the encoding in the comments of a CNF or incremental CNF, without its clauses; enough for decoding.

    Only the text before the header is read, up to 64 MB.

    Args:
        path: the file.
        named: the encoding of a file whose comments do not name the puzzle, since another program dropped them.

    Raises:
        FormatError: the file cannot be read, is not a CNF of a puzzle, or contradicts itself or `named`.
    """
    path = str(path)
    if named is not None:
        return _check_named(path, named)
    properties = {"encoding": "", "kind": "direct", "contradiction": "", "seed": "", "variables": ""}
    comments: list[Comment] = []
    for number, line in enumerate(files.read_lines(path, MAX_COMMENT_CHARACTERS), 1):
        if line.startswith(("p ", "h ")):
            # An incremental CNF has no sizes in its header, a WCNF may have no header; the size is in a comment.
            header = line if line.startswith("p cnf ") else f"p cnf {properties['variables']} 0"
            return _loaded_encoding(path, _read_cells(path, comments), properties, _n_variables(path, number, header))
        if not line.startswith("c "):
            break
        comment = Comment.of(number, line[2:])
        if comment.key.rstrip(":") in properties:
            properties[comment.key.rstrip(":")] = comment.text
        elif comment.key in KEYS or comment.key == "cell":
            comments.append(comment)
        if len(comments) > MAX_COMMENTS:
            break
    raise FormatError(f"not a CNF that sudoku-encode wrote: it lacks the comments or the header{_WAY_OUT}", path)


_WAY_OUT = "; name its puzzle with --puzzle, or its board with --board"
# A board that is small enough to encode it in many ways for a message.
_MAX_TRIED_CELLS = 256


def _check_named(path: str, named: Encoding) -> Encoding:
    """Return the encoding that a caller names for a file, without clauses, if the header has as many variables."""
    for number, line in enumerate(files.read_lines(path, MAX_COMMENT_CHARACTERS), 1):
        if line.startswith("c ") and Comment.of(number, line[2:]).key == "board":
            raise FormatError("its comments name the board and the puzzle; do not name them again", path, number)
        if line.startswith("p "):
            n_variables = named.cnf.n_variables if "inccnf" in line else _n_variables(path, number, line)
            if n_variables == named.cnf.n_variables:
                return replace(named, cnf=Cnf(n_variables, None))
            raise FormatError(_mismatch(named, n_variables), path, number)
        if line.strip() and line.split(None, 1)[0] != "c":
            break
    raise FormatError("not a CNF: it lacks the header `p cnf VARIABLES CLAUSES`", path)


def _mismatch(named: Encoding, n_variables: int) -> str:
    """Return the message about another number of variables, with encodings of the puzzle that have this one."""
    message = f"{n_variables} variables, but the encoding {named.name} of this puzzle has {named.cnf.n_variables}"
    ways = []
    if named.puzzle.geometry.n_cells <= _MAX_TRIED_CELLS:
        for encoding, level in product(ENCODINGS, REDUCTIONS):
            with suppress(MethodError):
                if encode(named.puzzle, encoding, reduction=level).cnf.n_variables == n_variables:
                    ways.append(f"--encoding {encoding} --reduce {level}")
    return f"{message}; {' or '.join(ways[:3])} would fit" if ways else f"{message}; is it another puzzle or board?"


class _CellComments(NamedTuple):
    """The comments about the cells."""

    puzzle: Puzzle  # with its givens and pencilmarks
    candidates: Candidates  # (n_cells, n_values), the values that a cell may have in a model
    decided: NDArray[np.bool_]  # bool (n_cells,), whether a cell has no variable
    first_variables: dict[int, int]  # by cell, the number of its first variable
    shuffled: dict[tuple[int, int], list[int]]  # by cell and value from 0, the literals, if variables were shuffled


def _read_cells(path: str, comments: list[Comment]) -> _CellComments:
    """Read the comments about the puzzle and the variables of its cells."""
    if not any(comment.key == "board" for comment in comments):
        raise FormatError(f"its comments do not name the board{_WAY_OUT}", path)
    puzzle = read_puzzle(comments, path)
    board = puzzle.geometry
    cell_of = cell_numbers(board)
    candidates = np.ones((board.n_cells, board.n_values), bool)
    decided = np.zeros(board.n_cells, bool)
    first_variables: dict[int, int] = {}
    shuffled: dict[tuple[int, int], list[int]] = {}
    for comment in comments:
        if comment.key != "cell":
            continue
        try:
            label, *words = comment.text.split(None, 2 * board.n_values + 3)
            cell = cell_of[label.removesuffix(":")]
            if label.endswith(":"):
                for word in words:
                    value, _, literals = word.partition("=")
                    candidate = cell, int(np.flatnonzero(parse_values([value], board))[0])
                    if candidate in shuffled:
                        raise ValueError(f"value {value} again")
                    shuffled[candidate] = [_literal(literal) for literal in literals.split("&")]
            elif words[0] == "=":
                candidates[cell], decided[cell] = parse_values(words[1:], board), True
            else:
                candidates[cell], first_variables[cell] = (
                    parse_values(words[2:], board),
                    parse_number(words[1].rstrip(":")),
                )
        except (ValueError, KeyError, IndexError) as error:
            raise comment_error(comment, path, error) from error
    return _CellComments(puzzle, candidates, decided, first_variables, shuffled)


def _literal(word: str) -> int:
    """Return a literal, which is not 0."""
    variable = parse_number(word.removeprefix("-"))
    if not 1 <= variable <= MAX_VARIABLES:
        raise ValueError(f"{word[:20]!r} is not a literal")
    return -variable if word.startswith("-") else variable


def _loaded_encoding(path: str, cells: _CellComments, properties: dict[str, str], n_variables: int) -> Encoding:
    """Return the encoding without clauses; its variables must be numbered in the way of its kind."""
    kind, contradiction = properties["kind"], properties["contradiction"]
    if kind not in VARIABLES:
        raise FormatError(f"unknown kind of encoding {kind[:60]!r}; known: {', '.join(VARIABLES)}", path)
    if properties["seed"] and not contradiction:
        return _loaded_shuffled_encoding(path, cells, properties, n_variables)
    literals, n = variable_scheme(kind).candidate_literals(Reduction(cells.candidates, cells.decided))
    if contradiction:
        literals = np.zeros_like(literals)
    first = first_variables(literals)
    fits = all(first[cell] == start for cell, start in cells.first_variables.items())
    if not contradiction and (n > n_variables or not fits):
        raise FormatError("the numbers of the variables do not match the candidates or the header", path)
    cnf = Cnf(n_variables, None)
    return Encoding(cells.puzzle, properties["encoding"], kind, cnf, cells.candidates, literals, contradiction)


def _loaded_shuffled_encoding(
    path: str, cells: _CellComments, properties: dict[str, str], n_variables: int
) -> Encoding:
    """Return the encoding without clauses whose literals the comments list."""
    width = max(map(len, cells.shuffled.values()), default=1)
    literals = np.zeros((*cells.candidates.shape, width), np.int32)
    candidates = cells.candidates & cells.decided[:, None]
    for (cell, value), of_value in cells.shuffled.items():
        candidates[cell, value] = True
        literals[cell, value, : len(of_value)] = of_value
    if np.abs(literals).max(initial=0) > n_variables or (cells.decided & literals.any(axis=(1, 2))).any():
        raise FormatError("the literals of the cells do not match the header, or each other", path)
    if unknown := np.flatnonzero(~cells.decided & ~literals.any(axis=(1, 2))).tolist():
        name = cells.puzzle.geometry.cell_name(unknown[0])
        raise FormatError(f"no comment names the variables of {name}", path)
    try:
        seed = parse_number(properties["seed"])
    except ValueError as error:
        raise FormatError(f"invalid seed: {error}", path) from error
    cnf = Cnf(n_variables, None)
    return Encoding(cells.puzzle, properties["encoding"], properties["kind"], cnf, candidates, literals, seed=seed)


def _n_variables(path: str, number: int, line: str) -> int:
    """Return the number of variables in a header."""
    words = line.split(None, 4)
    try:
        if len(words) == 4 and words[1] == "cnf" and 0 <= parse_number(words[2]) <= MAX_VARIABLES:
            return int(words[2])
    except ValueError:
        pass
    expected = f"expected `p cnf VARIABLES CLAUSES`, with at most {MAX_VARIABLES:,} variables"
    raise FormatError(f"invalid header {line.strip()[:60]!r}: {expected}", path, number)


# Answers of SAT solvers.


def read_cnf_answer(model: str, output: str) -> Answer:
    """Read `s` and `v` lines, minisat's SAT and a line of literals, or a bare list of literals.

    Raises:
        FormatError: see `load_encoding` and `solver_output.parse`; or a literal is not of the formula.
    """
    return _answer(load_encoding(model), output)


def read_named_answer(model: str | None, output: str, named: Encoding) -> Answer:
    """Return the answer to the CNF of an encoding, which a file may contain without comments; see `read_cnf_answer`."""
    return _answer(named if model is None else load_encoding(model, named), output)


def _answer(encoding: Encoding, output: str) -> Answer:
    """Return the answer in a file to a CNF; see `read_cnf_answer`."""
    source = files.source_name(output)
    printed = solver_output.parse(files.read_lines(output), source)
    cut_off = "it does not end with a 0" if printed.cut_off else ""
    added = re.search("[0-9]+ clauses? added", encoding.name)
    return Answer(
        encoding.puzzle,
        printed.claim,
        n_models=len(printed.models),
        models=_decoded(encoding, printed.models, source),
        cut_off=cut_off,
        added=added[0] if added else "",
    )


def _decoded(encoding: Encoding, models: Iterable[tuple[int, ...]], source: str) -> Iterator[DecodedModel]:
    for literals in models:
        try:
            yield DecodedModel(*encoding.decode_with_faults(literals))
        except FormatError as error:
            raise FormatError(error.message, source) from error
