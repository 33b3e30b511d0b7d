"""What a setter wants to know of a puzzle: one solution, several or none, and why."""

from collections.abc import Iterable

from sudoku_encode.api.arguments import checked
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import SudokuError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.questions import checking
from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown, Wishes
from sudoku_encode.run.limits import Limits

__all__ = ["NoSolution", "Several", "Unique", "Unknown", "check"]

_NO_LIMITS = Limits()


@checked
def check(
    puzzle: PuzzleLike,
    *,
    seed: int | None = None,
    towards: PuzzleLike | None = None,
    limits: Limits = _NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Unique | Several | NoSolution | Unknown:
    """Say whether a puzzle has one solution, several or none, and what a setter wants to know then.

    Of a unique puzzle, which givens can go; of one with several solutions, two of them and extra givens that make it
    unique; of one without, givens that clash. Without a limit of time each of these gets ten seconds.

    Look at the type of what is returned: in an `if` it is always true, also where there is no solution.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        seed: of a sub-puzzle of a unique puzzle, with no given to spare; None for no such puzzle.
        towards: the solution that extra givens should leave; by default the first that is found.
        limits: of time and memory; they hold whatever a solver does.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        SudokuError: it is no puzzle, or `towards` is no solution of it.

    >>> found = check("1234341221434...", seed=1, board="4x4")
    >>> type(found).__name__, found.sub_puzzle
    ('Unique', SubPuzzle(5 givens, minimal=True, seed=1))
    """
    asked = as_puzzle(puzzle, board, rules)
    if seed is not None and not 0 <= seed < 2**32:
        raise SudokuError(f"seed={seed}: it must be from 0 to {2**32 - 1}")
    wanted = None if towards is None else as_puzzle(towards, asked.geometry).givens
    wishes, limits = Wishes(seed, wanted), limits.without_solutions("check")
    if not limits.need_a_process:
        return checking.check(asked, limits.start(), wishes)
    ((_, found, _),) = checking.check_each([(1, asked)], limits, wishes)
    return found
