"""How hard a puzzle is."""

from collections.abc import Iterable

from sudoku_encode.api.arguments import checked
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import StoppedError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.questions import rating
from sudoku_encode.questions.figures.asked import Figure
from sudoku_encode.questions.figures.table import COPIES, FIGURES
from sudoku_encode.questions.rating import Rating, Wanted
from sudoku_encode.run.limits import Limits

__all__ = ["FIGURES", "Figure", "Rating", "rate"]

_NO_LIMITS = Limits()


@checked
def rate(
    puzzle: PuzzleLike,
    *,
    figures: Iterable[str] | None = None,
    copies: int = COPIES,
    seed: int = 0,
    limits: Limits = _NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Rating:
    """Say in several figures how hard a puzzle is.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        figures: names in FIGURES; by default all.
        copies: over how many relabelled and permuted copies a median is taken.
        seed: of the copies.
        limits: of time and memory; figures that are not known in time have no value.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: nothing is known: a limit was reached before that.
        SudokuError: it is no puzzle, or there is no such figure.

    >>> found = rate("1234341221434...", board="4x4", copies=3)
    >>> found.status, found.figures["technique"].data["technique"], found.figures["nodes"].value
    ('unique', 'naked single', 1.0)
    """
    asked = as_puzzle(puzzle, board, rules)
    wanted = Wanted(tuple(FIGURES) if figures is None else tuple(figures), copies, seed)
    limits = limits.without_solutions("rate")
    if not limits.need_a_process:
        return rating.rate(asked, limits.start(), wanted)
    ((_, found, _),) = rating.rate_each([(1, asked)], limits, wanted)
    if isinstance(found, StoppedError):
        raise found
    return found
