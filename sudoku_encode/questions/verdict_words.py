"""What `check` found, in sentences."""

from collections.abc import Sequence

import numpy as np

from sudoku_encode.errors import plural
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown, Verdict
from sudoku_encode.questions.redundant import SubPuzzle


def sentences(verdict: Verdict) -> list[str]:
    """Return what a setter wants to know beside the verdict itself, a sentence each."""
    if isinstance(verdict, Unique):
        return _of_unique(verdict)
    if isinstance(verdict, Several):
        return [_of_several(verdict)]
    if isinstance(verdict, NoSolution):
        return [_of_none(verdict)]
    return [_of_unknown(verdict)]


def sub_puzzle_sentence(smaller: SubPuzzle) -> str:
    """Say what a sub-puzzle is."""
    n_givens = int(np.count_nonzero(smaller.puzzle.givens))
    proved = "minimal" if smaller.minimal else "not known to be minimal"
    return f"sub-puzzle with {n_givens} {plural('given', n_givens)}, {proved}, of seed {smaller.seed}"


def _names(puzzle: Puzzle, cells: Sequence[int]) -> str:
    return ", ".join(puzzle.geometry.cell_name(cell) for cell in cells)


def _of_unknown(verdict: Unknown) -> str:
    return f"not known: {verdict.why}" + (", after one solution was found" if verdict.solution is not None else "")


def _of_unique(verdict: Unique) -> list[str]:
    return [*_of_givens(verdict), *_of_constraints(verdict)]


def _of_constraints(verdict: Unique) -> list[str]:
    every, found = verdict.puzzle.constraints, verdict.constraints
    can_go, undecided = (
        "; ".join(one.text(verdict.puzzle.geometry) for one in some) for some in (found.constraints, found.undecided)
    )
    lines = []
    if can_go:
        lines.append(f"{len(found.constraints)} of {len(every)} constraints can go, one at a time: {can_go}")
    if undecided:
        lines.append(f"not known whether these can go: {undecided}")
    elif every and not can_go:
        lines.append(f"none of its {len(every)} {plural('constraint', len(every))} can go")
    return lines


def _of_givens(verdict: Unique) -> list[str]:
    n_givens = int(np.count_nonzero(verdict.puzzle.givens))
    lines = []
    if verdict.redundant:
        names = _names(verdict.puzzle, verdict.redundant)
        lines.append(f"{len(verdict.redundant)} of {n_givens} givens can go (*), one at a time: {names}")
    if verdict.undecided:
        lines.append(f"not known whether these can go: {_names(verdict.puzzle, verdict.undecided)}")
    elif not verdict.redundant and n_givens:
        lines.append(f"minimal: none of its {n_givens} givens can go")
    return lines


def _of_several(verdict: Several) -> str:
    extra, board = verdict.extra, verdict.puzzle.geometry
    givens = ", ".join(f"{board.cell_name(cell)} = {verdict.wanted[cell]}" for cell in extra)
    which = "the first solution" if np.array_equal(verdict.wanted, verdict.first) else "the wanted solution"
    most, proof = ("", ", and no fewer do") if verdict.fewest else ("at most ", "")
    leaves = "leaves" if len(extra) == 1 else "leave"
    return f"{most}{len(extra)} extra {plural('given', len(extra))} {leaves} {which} alone{proof}: {givens}"


def _of_none(verdict: NoSolution) -> str:
    n, names = len(verdict.clash), _names(verdict.puzzle, verdict.clash)
    if not n:
        also = " and the constraints" if verdict.puzzle.constraints else ""
        return f"no given is to blame: the board, with the pencilmarks of blanks{also}, has no solution"
    if not verdict.irreducible:
        return f"some of these {n} {plural('given', n)} clash (*): {names}"
    size = "no fewer clash" if verdict.smallest else "none of them can be left out; fewer others may clash"
    return f"{n} {plural('given', n)} {'clash' if n > 1 else 'clashes'} (*): {names}; {size}"
