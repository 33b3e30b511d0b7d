"""Symmetries of boards and puzzles, and puzzles and solutions up to symmetry."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Unpack

from sudoku_encode.api.arguments import NO_LIMITS, LimitNames, check_arguments
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.formats.entries import PuzzleBatch
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.kinds import KindsQuestion
from sudoku_encode.run.asking import ask
from sudoku_encode.run.limits import Limits
from sudoku_encode.symmetry import breaking, groups
from sudoku_encode.symmetry import canonical as forms
from sudoku_encode.symmetry.breaking import BrokenSymmetry
from sudoku_encode.symmetry.groups import Symmetry
from sudoku_encode.symmetry.kinds import Kinds
from sudoku_encode.symmetry.structure import SymmetryMap


@check_arguments
def symmetries(
    puzzle: PuzzleLike,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Symmetry:
    """Return the symmetries of a puzzle: their number, and generators.

    A symmetry is a map of cells and values that keeps the rules, the givens,
    the pencilmarks and the constraints. Each generator is checked.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.

    Raises:
        SudokuError: not a puzzle.

    >>> of_board = symmetries("................", board="4x4")
    >>> of_board.cell_maps, of_board.renamings
    (128, 24)
    """
    return groups.symmetry(as_puzzle(puzzle, board, rules), NO_LIMITS.start())


@check_arguments
def canonical(
    puzzle: PuzzleLike,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Puzzle:
    """Return the canonical form of a puzzle, on its board.

    Puzzles have the same canonical form if and only if a symmetry of their
    board and new names of the values make one from the other. With constraints
    only "if" holds: forms may differ where constraints are written differently.
    Of a 9x9 with givens alone that do not clash, the form is the least image,
    read row by row, with 0 for a blank.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.

    Raises:
        MethodError: the puzzle has hidden cells, or constraints that cannot be
            moved.
        SudokuError: not a puzzle.

    >>> canonical("1...........3...") == canonical("...4.......2....")
    True
    """
    return forms.canonical(as_puzzle(puzzle, board, rules), NO_LIMITS.start())


def canonical_batch(batch: PuzzleBatch) -> PuzzleBatch:
    """Return the canonical forms of the puzzles of a batch, without their answers, which do not fit them."""
    givens = forms.canonical_givens(batch.board, batch.givens, NO_LIMITS.start())
    return replace(batch, givens=givens, answers=None)


@check_arguments
def same(
    first: PuzzleLike,
    second: PuzzleLike,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> SymmetryMap | None:
    """Return a map that makes the second puzzle from the first, or None.

    The map is checked: it carries rules, givens, pencilmarks and constraints to
    those of the second puzzle.

    Args:
        first: in any form; see `PuzzleLike`.
        second: in any form.
        board: needed if the texts or arrays do not identify it.
        rules: the names of the rules to keep; by default all.

    Raises:
        MethodError: there may be a map, but constraints hide it.
        SudokuError: not a puzzle.

    >>> by = same("1...........3...", "...4.......2....")
    >>> by is not None and same("12..............", "1......2........") is None
    True
    """
    return forms.same(as_puzzle(first, board, rules), as_puzzle(second, board, rules), NO_LIMITS.start())


@check_arguments
def kinds(
    puzzle: PuzzleLike,
    *,
    limits: Limits = NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> Kinds:
    """Return the number of solutions up to the symmetries of the puzzle.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        limits: on time and memory.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached, or there are too many solutions to
            list.
        SudokuError: not a puzzle.

    >>> kinds("................", board="4x4").sizes
    (192, 96)
    """
    return ask(KindsQuestion(), as_puzzle(puzzle, board, rules), limits.without_solutions("kinds")).required


@check_arguments
def break_symmetry(
    puzzle: PuzzleLike,
    *,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> BrokenSymmetry:
    """Return a puzzle with fewer solutions, at least one of each kind.

    If all values may be renamed, a unit gets its values in order. Inequalities
    of cells exclude solutions of which a symmetry makes a smaller one.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.

    Raises:
        MethodError: the puzzle has hidden cells.
        SudokuError: not a puzzle.

    >>> broken = break_symmetry("................", board="4x4")
    >>> broken.renamings, broken.cell_maps, broken.exact
    (24, 2, True)
    """
    return breaking.break_symmetry(as_puzzle(puzzle, board, rules), NO_LIMITS.start())
