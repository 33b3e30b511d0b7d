"""SMT-LIB 2 scripts of bit vectors, and the output of SMT solvers."""

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product
from typing import TypeAlias

import numpy as np

from sudoku_encode.encoders.answers import Answer, Values, from_values
from sudoku_encode.encoders.forms.common import (
    cell_values,
    heading,
    joined,
    lines,
    read_heading,
    region_clauses,
    sum_terms,
)
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.constraints.lowering import LoweredPuzzle, lower_puzzle
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    Count,
    EqualSums,
    Primitive,
    Relation,
    SameCounts,
    Sum,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle
from sudoku_encode.storage import files


def smt(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write a script that asks for one solution: a bit vector per cell, one `distinct` per unit.

    Values are written as SMT-LIB's decimal bit vectors: `(_ bv7 4)` is 7 in 4 bits. Sums are of bit vectors wide enough
    that none overflows; the states of an automaton are bit vectors, which the cells determine.
    """
    low = lower_puzzle(puzzle)
    board = low.puzzle.geometry
    width = board.n_values.bit_length()
    yield heading(";", "smt2", puzzle, f"cC is the value, in {width} bits, of cell C, from 0 in reading order")
    # By the standard models are off by default, and this must be the first command.
    yield b"(set-option :produce-models true)\n(set-logic QF_BV)\n"
    yield from joined(f"(declare-const c{cell} (_ BitVec {width}))\n" for cell in range(board.n_cells))
    yield from joined(_domains(board, candidates))
    for rule in board.rules:
        # `distinct` of a single term is an error.
        if rule.units.shape[1] > 1:
            yield from lines(f"(assert (distinct{' c%d' * rule.units.shape[1]}))\n", rule.units)
    if low.primitives:
        yield from joined(
            text
            for number, primitive in enumerate(expanded(low.primitives, board.n_values, (Count, SameCounts)))
            for text in _constraint(primitive, board, number)
        )
        yield from joined(_regions(low, candidates))
    yield b"(check-sat)\n(get-model)\n"


def _domains(board: Geometry, candidates: Candidates) -> Iterator[str]:
    """Yield the domain of each cell: all values, some, one or none."""
    n, width = board.n_values, board.n_values.bit_length()
    for cell, values in enumerate(cell_values(candidates)):
        terms = [f"(= c{cell} (_ bv{value} {width}))" for value in values]
        if len(terms) == n and n > 1:
            yield f"(assert (and (bvule (_ bv1 {width}) c{cell}) (bvule c{cell} (_ bv{n} {width}))))\n"
        elif len(terms) > 1:
            yield f"(assert (or {' '.join(terms)}))\n"
        else:
            yield f"(assert {terms[0] if terms else 'false'})\n"


def _constraint(primitive: Primitive, board: Geometry, number: int) -> Iterator[str]:
    """Yield the assertions of a primitive other than `Unit` and `Domain`."""
    n = board.n_values
    if isinstance(primitive, Sum | EqualSums):
        yield from (_sum(terms, total, n) for terms, total in sum_terms(primitive))
    elif isinstance(primitive, Count):
        width = len(primitive.cells).bit_length()
        numbers = [number for number in range(len(primitive.cells) + 1) if primitive.numbers >> number & 1]
        amounts = " ".join(_equal("times", number, width) for number in numbers)
        # `or` takes two or more.
        holds = f"(or {amounts})" if len(numbers) > 1 else amounts or "false"
        yield f"(assert (let ((times {_times(primitive.cells, primitive.value, n)})) {holds}))\n"
    elif isinstance(primitive, SameCounts):
        first = primitive.parts[0]
        for part, value in product(primitive.parts[1:], range(1, n + 1)):
            yield f"(assert (= {_times(first, value, n)} {_times(part, value, n)}))\n"
    elif isinstance(primitive, Relation):
        for value, allowed in enumerate(primitive.allowed, 1):
            if allowed != (1 << n) - 1:
                literals = [(primitive.first, -value), *((primitive.second, other) for other in values_in(allowed))]
                yield _clause(literals, n)
    elif isinstance(primitive, Clause):
        yield _clause(primitive.literals, n)
    elif isinstance(primitive, Automaton):
        yield from _automaton(primitive, n, number)


def _regions(low: LoweredPuzzle, candidates: Candidates) -> Iterator[str]:
    """Yield the clauses of regions, connected cells and runs, after their variables, which the cells determine."""
    clauses, n_variables = region_clauses(low, candidates)
    n, first = candidates.shape[1], candidates.size + 1
    yield from (f"(declare-const b{number} Bool)\n" for number in range(first, n_variables + 1))
    for clause in clauses:
        terms = []
        for literal in clause:
            cell, value = divmod(abs(literal) - 1, n)
            term = f"b{abs(literal)}" if abs(literal) >= first else _equal(f"c{cell}", value + 1, n.bit_length())
            terms.append(term if literal > 0 else f"(not {term})")
        yield f"(assert (or {' '.join(terms)}))\n" if len(terms) > 1 else f"(assert {(terms or ['false'])[0]})\n"


def _equal(name: str, value: int, width: int) -> str:
    return f"(= {name} (_ bv{value} {width}))"


def _clause(literals: Sequence[tuple[int, int]], n: int) -> str:
    terms = [_equal(f"c{cell}", abs(value), n.bit_length()) for cell, value in literals]
    signed = [term if value > 0 else f"(not {term})" for term, (_, value) in zip(terms, literals, strict=True)]
    if len(signed) > 1:
        return f"(assert (or {' '.join(signed)}))\n"
    return f"(assert {signed[0] if signed else 'false'})\n"


def _sum(terms: Mapping[int, int], total: int, n: int) -> str:
    """Return that cells, each times its coefficient, add up to a number, in enough bits for every sum."""
    least = sum(factor * (1 if factor > 0 else n) for factor in terms.values())
    most = sum(factor * (n if factor > 0 else 1) for factor in terms.values())
    width = max(n.bit_length(), (max(most, total) - min(least, total)).bit_length())
    more = width - n.bit_length()
    text = ""
    for cell, factor in terms.items():
        wide = f"((_ zero_extend {more}) c{cell})"
        term = wide if factor == 1 else f"(bvmul (_ bv{factor % (1 << width)} {width}) {wide})"
        text = f"(bvadd {text} {term})" if text else term
    return f"(assert {_equal(text, total % (1 << width), width)})\n"


def _times(cells: Sequence[int], value: int, n: int) -> str:
    """Return how many of some cells hold a value."""
    width, text = len(cells).bit_length(), ""
    for cell in cells:
        term = f"(ite {_equal(f'c{cell}', value, n.bit_length())} (_ bv1 {width}) (_ bv0 {width}))"
        text = f"(bvadd {text} {term})" if text else term
    return text


def _automaton(automaton: Automaton, n: int, number: int) -> Iterator[str]:
    """Yield the states after each cell but the last, and for each cell that one of its transitions is taken."""
    layers, last = automaton.layers, len(automaton.layers) - 1
    widths = [max(1, max(after for _, _, after in layer).bit_length()) for layer in layers]
    for index in range(last):
        yield f"(declare-const a{number}_{index} (_ BitVec {widths[index]}))\n"
    for index, (cell, layer) in enumerate(zip(automaton.cells, layers, strict=True)):
        moves = []
        for before, value, after in layer:
            terms = [_equal(f"a{number}_{index - 1}", before, widths[index - 1])] if index else []
            terms.append(_equal(f"c{cell}", value, n.bit_length()))
            terms += [_equal(f"a{number}_{index}", after, widths[index])] if index < last else []
            moves.append(f"(and {' '.join(terms)})" if len(terms) > 1 else terms[0])
        yield f"(assert (or {' '.join(moves)}))\n" if len(moves) > 1 else f"(assert {moves[0]})\n"


# Output of SMT solvers: `sat` and the model of get-model, or the pairs of get-value.

Term: TypeAlias = "str | list[Term]"

_CLAIMS = {"sat": True, "unsat": False, "unknown": None, "timeout": None}
_TOKEN = re.compile(r'"(?:[^"]|"")*"|\|[^|]*\||[()]|[^\s()"|;]+|;.*|"|\|')
_CELL = re.compile(r"c([0-9]{1,8})")
# More than a model needs, and quick to read.
_MAX_DEPTH = 50


def read(model: str, output: str) -> Answer:
    """Read `sat`, `unsat` or `unknown`, and after each `sat` the values of the cells.

    Raises:
        FormatError: unexpected text, an error of the solver, or a cell with two values.
    """
    puzzle, source = read_heading(model, ";"), files.source_name(output)
    claims: set[bool | None] = set()
    grids: list[Values] = []
    grid: Values | None = None
    cut_off = ""
    for term, whole in _terms(chain.from_iterable(map(_TOKEN.findall, files.read_lines(output))), source):
        if isinstance(term, str):
            if term not in _CLAIMS:
                raise FormatError(f"{short(term)!r} is not an answer of an SMT solver", source)
            claims.add(_CLAIMS[term])
            grid = None
        elif not whole:
            cut_off = "a bracket is not closed"
        elif term[:1] == ["error"]:
            # Without a model get-model is an error.
            if False not in claims:
                raise FormatError(f"the solver reports an error: {short(str(term[-1]), 200)}", source)
        else:
            if grid is None:
                grid = np.zeros(puzzle.geometry.n_cells, np.int64)
                grids.append(grid)
            _fill(grid, term, puzzle, source)
    if len(claims) > 1:
        raise FormatError("the solver gives different answers to (check-sat)", source)
    # A model in several lists is complete only if all of them are.
    return from_values(
        puzzle, claims.pop() if claims else None, grids[:-1] if cut_off and grid is not None else grids, cut_off
    )


def _terms(tokens: Iterator[str], source: str) -> Iterator[tuple[Term, bool]]:
    """Yield the top-level words and lists, and whether each is complete."""
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
    """Write the values in a model or in the answer to get-value into a grid."""
    # z3's Python writes the definitions without brackets around them.
    items = [term] if term[:1] == ["define-fun"] else term[1:] if term[:1] == ["model"] else term
    for item in items:
        if not isinstance(item, list):
            raise FormatError(f"{short(str(item))!r} is not a part of a model", source)
        if item[:1] == ["define-fun"] and len(item) == 5 and item[2] == []:
            name, value = item[1], item[4]
        elif len(item) == 2:
            name, value = item
        elif item[:1] in (["define-fun"], ["declare-fun"], ["forall"]):
            continue
        else:
            raise FormatError(f"{short(str(item))} is not a part of a model", source)
        match = _CELL.fullmatch(name) if isinstance(name, str) else None
        if not match:
            continue
        cell = int(match[1])
        if cell >= puzzle.geometry.n_cells:
            raise FormatError(f"c{cell} is out of range: this script has {puzzle.geometry.n_cells} cells", source)
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
    raise FormatError(f"{short(str(value))!r} is not a bit vector such as #b0101, #x5 or (_ bv5 4)", source)
