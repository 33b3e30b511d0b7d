"""SMT-LIB 2, fixed-width bit vectors."""

from collections.abc import Iterator

from sudoku_encode.encoders.forms.common import cell_values, heading, joined, lines
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle


def smt(puzzle: Puzzle, candidates: Candidates) -> Iterator[bytes]:
    """Write a script that asks for one solution: a bit vector per cell, one `distinct` per unit.

    Values are written as SMT-LIB's decimal bit vectors: `(_ bv7 4)` is 7 in 4 bits.

    Yields:
        The file, in chunks.
    """
    board = puzzle.geometry
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
