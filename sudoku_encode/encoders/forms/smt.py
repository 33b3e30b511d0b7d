"""SMT-LIB 2, fixed-width bit vectors."""

from collections.abc import Iterator, Sequence

from sudoku_encode.constraints.lowering import lowered
from sudoku_encode.constraints.primitives import Automaton, Clause, EqualSums, Primitive, Relation, Sum, values_in
from sudoku_encode.encoders.forms.common import cell_values, heading, joined, lines
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


def smt(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write a script that asks for one solution: a bit vector per cell, one `distinct` per unit.

    Values are written as SMT-LIB's decimal bit vectors: `(_ bv7 4)` is 7 in 4 bits. Sums are of bit vectors wide enough
    that none overflows; the states of an automaton are bit vectors, which the cells determine.

    Yields:
        The file, in chunks.
    """
    low = lowered(puzzle)
    board = low.puzzle.geometry
    width = board.n_values.bit_length()
    yield heading(";", "smt2", puzzle, f"cC is the value, in {width} bits, of cell C, from 0 in reading order")
    # By the standard models are off unless asked for, and that must be the first thing said.
    yield b"(set-option :produce-models true)\n(set-logic QF_BV)\n"
    yield from joined(f"(declare-const c{cell} (_ BitVec {width}))\n" for cell in range(board.n_cells))
    yield from joined(_domains(board, candidates))
    for rule in board.rules:
        # `distinct` of a single term is an error, and says nothing.
        if rule.units.shape[1] > 1:
            yield from lines(f"(assert (distinct{' c%d' * rule.units.shape[1]}))\n", rule.units)
    if low.primitives:
        yield from joined(
            text for number, primitive in enumerate(low.primitives) for text in _constraint(primitive, board, number)
        )
    yield b"(check-sat)\n(get-model)\n"


def _domains(board: Geometry, candidates: Candidates) -> Iterator[str]:
    """Yield for each cell what it may hold: all values, one, some or none."""
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
    """Yield what a primitive says; none are a `Unit` or `Allowed`."""
    n = board.n_values
    if isinstance(primitive, Sum):
        yield _sum(primitive.cells, primitive.coefficients, primitive.total, n)
    elif isinstance(primitive, EqualSums):
        first = primitive.parts[0]
        for part in primitive.parts[1:]:
            cells = tuple(dict.fromkeys((*first, *part)))
            yield _sum(cells, [first.count(cell) - part.count(cell) for cell in cells], 0, n)
    elif isinstance(primitive, Relation):
        for value, allowed in enumerate(primitive.allowed, 1):
            if allowed != (1 << n) - 1:
                literals = [(primitive.first, -value), *((primitive.second, other) for other in values_in(allowed))]
                yield _clause(literals, n)
    elif isinstance(primitive, Clause):
        yield _clause(primitive.literals, n)
    elif isinstance(primitive, Automaton):
        yield from _automaton(primitive, n, number)


def _equal(name: str, value: int, width: int) -> str:
    return f"(= {name} (_ bv{value} {width}))"


def _clause(literals: Sequence[tuple[int, int]], n: int) -> str:
    terms = [_equal(f"c{cell}", abs(value), n.bit_length()) for cell, value in literals]
    signed = [term if value > 0 else f"(not {term})" for term, (_, value) in zip(terms, literals, strict=True)]
    if len(signed) > 1:
        return f"(assert (or {' '.join(signed)}))\n"
    return f"(assert {signed[0] if signed else 'false'})\n"


def _sum(cells: Sequence[int], coefficients: Sequence[int], total: int, n: int) -> str:
    """Return that cells, each times its coefficient, add up to a number, in enough bits for every sum."""
    least = sum(factor * (1 if factor > 0 else n) for factor in coefficients)
    most = sum(factor * (n if factor > 0 else 1) for factor in coefficients)
    width = max(n.bit_length(), (max(most, total) - min(least, total)).bit_length())
    more = width - n.bit_length()
    text = ""
    for cell, factor in zip(cells, coefficients, strict=True):
        wide = f"((_ zero_extend {more}) c{cell})"
        term = wide if factor == 1 else f"(bvmul (_ bv{factor % (1 << width)} {width}) {wide})"
        text = f"(bvadd {text} {term})" if text else term
    return f"(assert {_equal(text, total % (1 << width), width)})\n"


def _automaton(automaton: Automaton, n: int, number: int) -> Iterator[str]:
    """Yield the states after each cell but the last, and for each cell that one of its transitions is taken."""
    layers, last = automaton.layers, len(automaton.layers) - 1
    widths = [max(1, max(after for _, _, after in layer).bit_length()) for layer in layers]
    for at in range(last):
        yield f"(declare-const a{number}_{at} (_ BitVec {widths[at]}))\n"
    for at, (cell, layer) in enumerate(zip(automaton.cells, layers, strict=True)):
        moves = []
        for before, value, after in layer:
            terms = [_equal(f"a{number}_{at - 1}", before, widths[at - 1])] if at else []
            terms.append(_equal(f"c{cell}", value, n.bit_length()))
            terms += [_equal(f"a{number}_{at}", after, widths[at])] if at < last else []
            moves.append(f"(and {' '.join(terms)})" if len(terms) > 1 else terms[0])
        yield f"(assert (or {' '.join(moves)}))\n" if len(moves) > 1 else f"(assert {moves[0]})\n"
