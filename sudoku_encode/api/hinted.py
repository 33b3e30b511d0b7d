"""The steps by which a puzzle is solved by hand."""

from collections.abc import Iterable

from sudoku_encode.api.arguments import checked
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import StoppedError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.hint_asking import hints_each
from sudoku_encode.questions.hinting import Hint, SolvePath, worked
from sudoku_encode.questions.techniques.table import chosen
from sudoku_encode.run.limits import Limits

_NO_LIMITS = Limits()


@checked
def hint(
    puzzle: PuzzleLike,
    *,
    techniques: Iterable[str] | None = None,
    assume_unique: bool = False,
    limits: Limits = _NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Hint | None:
    """Return the next step: what the simplest technique finds. None where none finds anything; see `hints`.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        techniques: names in TECHNIQUES, the only ones to use.
        assume_unique: use techniques too that take for granted that the puzzle has one solution.
        limits: of time and memory.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: it is no puzzle, or a name is no technique.

    >>> step = hint("1234341221434...", board="4x4")
    >>> step.technique, step.places
    ('naked single', ((13, 3),))
    """
    found = _worked(as_puzzle(puzzle, board, rules), techniques, assume_unique, limits, 1)
    return found.steps[0] if found.steps else None


@checked
def hints(
    puzzle: PuzzleLike,
    *,
    techniques: Iterable[str] | None = None,
    assume_unique: bool = False,
    limits: Limits = _NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> SolvePath:
    """Return all steps, each by the simplest technique that finds something, and how they end.

    Args:
        puzzle: as `hint`.
        techniques: as `hint`.
        assume_unique: as `hint`.
        limits: as `hint`.
        board: as `hint`.
        rules: as `hint`.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: it is no puzzle, or a name is no technique.

    >>> found = hints("1...............", board="4x4")
    >>> found.ended, found.n_blanks
    ('stuck', 15)
    """
    return _worked(as_puzzle(puzzle, board, rules), techniques, assume_unique, limits, None)


def _worked(
    puzzle: Puzzle, techniques: Iterable[str] | None, assume_unique: bool, limits: Limits, most: int | None
) -> SolvePath:
    rows = chosen(None if techniques is None else list(techniques), assume_unique)
    limits = limits.without_solutions("hint")
    if not limits.need_a_process:
        return worked(puzzle, rows, most=most)
    ((_, found, _),) = hints_each([(1, puzzle)], rows, limits, most)
    if isinstance(found, StoppedError):
        raise found
    return found
