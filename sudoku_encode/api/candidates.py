"""True candidates: the values that each cell has in some solution."""

from collections.abc import Iterable
from contextlib import nullcontext

from sudoku_encode.api.answers import OnEvent
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.methods.options import Options
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.questions import asking
from sudoku_encode.questions.candidates import TrueCandidates
from sudoku_encode.run.events import observing
from sudoku_encode.run.limits import Limits

_NO_LIMITS, _NO_OPTIONS = Limits(), Options()


def candidates(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    counts: bool = False,
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    on_event: OnEvent | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> TrueCandidates:
    """Return which values each cell has in some solution, with solutions that show it; and in how many, if wanted.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        method: a key of METHODS that finds all solutions, or counts them.
        counts: count for each cell and value the solutions that have it, whatever their number.
        limits: of time and memory; what was found before they were reached is returned, and is not `complete`.
        options: what else is chosen; a method refuses what it does not use.
        on_event: observes what happens meanwhile.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        Stopped: a limit was reached, and nothing is known.
        SudokuError: it is no puzzle, or the method cannot do it.

    >>> found = candidates("1234341221434...", board="4x4", counts=True)
    >>> found.total.value, found.shares[13].tolist()
    (1, [0, 0, 1, 0])
    """
    asked = as_puzzle(puzzle, board, rules)
    with nullcontext() if on_event is None else observing(on_event):
        return asking.candidates(asked, method, limits.without_solutions("candidates"), options, counts)
