"""Certify many puzzles within limits that hold whatever a solver or a checker does to its process."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path

from sudoku_encode.errors import InternalError, Stopped, SudokuError
from sudoku_encode.methods.asking import Numbered, load
from sudoku_encode.proving.checking import Checked, Refused, check
from sudoku_encode.proving.making import Certificate, prove
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import here


def certify_each(
    puzzles: Iterable[Numbered],
    folder_of: Callable[[int], Path],
    limits: Limits,
    solver: str,
    processes: int = 1,
    *,
    resume: bool = False,
) -> Iterator[tuple[Numbered, tuple[Certificate | None, Checked] | Stopped]]:
    """Write a certificate for each puzzle and check it; yield the puzzle with both, or with what stopped that.

    Args:
        puzzles: with their numbers.
        folder_of: the folder for the puzzle of a number; what it raises ends all.
        limits: for each puzzle, to make and to check its certificate.
        solver: of PySAT, whose proofs can be trusted.
        processes: how many puzzles are worked on at a time.
        resume: keep a certificate of the puzzle that is there already, if its check succeeds; it is yielded as None.
    """

    def answer(item: Numbered) -> tuple[Certificate | None, Checked]:
        if resume and (known := _known(item[1], folder_of(item[0]))):
            return None, known
        certificate = prove(item[1], folder_of(item[0]), limits.start(), solver)
        try:
            return certificate, check(certificate.folder)
        except Refused as reason:
            raise InternalError(f"the certificate that was just made is refused: {reason}") from reason

    load("sat")
    for item, found, _ in each(partial(one_by_one, answer), puzzles, limits, pool=here(processes)):
        yield item, found


def _known(puzzle: Puzzle, folder: Path) -> Checked | None:
    """Return what the certificate in a folder proves; None where there is none that is right, or it is of another."""
    try:
        found = check(folder)
    except (Refused, SudokuError):
        return None
    return found if found.puzzle == puzzle else None
