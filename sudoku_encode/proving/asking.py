"""Certify many puzzles within limits that hold whatever a solver or a checker does to its process."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

from sudoku_encode.errors import StoppedError, SudokuError
from sudoku_encode.methods.asking import Numbered
from sudoku_encode.proving.certifying import certified
from sudoku_encode.proving.checking import CertificateError, CheckedCount, check
from sudoku_encode.proving.making import Certificate, prove
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool


def certify_each(
    puzzles: Iterable[Numbered],
    folder_of: Callable[[int], Path],
    limits: Limits,
    solver: str,
    pool: Pool = ONE,
    *,
    resume: bool = False,
) -> Iterator[tuple[Numbered, tuple[Certificate | None, CheckedCount] | StoppedError]]:
    """Write a certificate for each puzzle and check it; yield the puzzle with both, or with what stopped that.

    Args:
        puzzles: with their numbers.
        folder_of: the folder for the puzzle of a number; what it raises ends all.
        limits: for each puzzle, to make and to check its certificate.
        solver: of PySAT, whose proofs can be trusted.
        pool: where the work is done, and how many puzzles are worked on at a time.
        resume: keep a certificate of the puzzle that is there already, if its check succeeds; it is yielded as None.
    """
    items = ((number, puzzle, folder_of(number)) for number, puzzle in puzzles)
    make = partial(_made, limits, solver)
    for (number, puzzle, folder), found, _ in certified(make, check, items, limits, pool, _known if resume else None):
        if isinstance(found, StoppedError):
            yield (number, puzzle), found
            continue
        certificate, checked = found
        assert checked is not None, "a certificate is always written"
        # A worker had it in a folder of its own.
        yield (number, puzzle), (certificate and replace(certificate, folder=folder), checked)


def _made(limits: Limits, solver: str, puzzle: Puzzle, folder: Path) -> tuple[Certificate, bool]:
    return prove(puzzle, folder, limits.start(), solver), True


def _known(puzzle: Puzzle, folder: Path) -> CheckedCount | None:
    """Return what the certificate in a folder proves; None where there is none that is right, or it is of another."""
    try:
        found = check(folder)
    except (CertificateError, SudokuError):
        return None
    return found if found.puzzle == puzzle else None
