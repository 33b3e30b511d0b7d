"""Solutions drawn at random."""

import secrets
from collections.abc import Iterable
from contextlib import nullcontext

from sudoku_encode.api.answers import OnEvent
from sudoku_encode.api.arguments import checked
from sudoku_encode.api.executors import at_work_on
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.questions import asking_samples
from sudoku_encode.questions.sampling import MAX_SEED, Samples
from sudoku_encode.run.events import observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ExecutorLike

_NO_LIMITS = Limits()


@checked
def sample(
    puzzle: PuzzleLike,
    many: int = 1,
    *,
    seed: int | None = None,
    method: str = "auto",
    limits: Limits = _NO_LIMITS,
    on_event: OnEvent | None = None,
    executor: "ExecutorLike | None" = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> Samples:
    """Draw solutions of a puzzle, each as likely as the others, exactly; with replacement, so one may come again.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        many: how many.
        seed: the same seed draws the same solutions in the same order, and more of them where more are wanted, as long
            as the method and the limit of memory are the same; by default a new one.
        method: `listing`, `frontier`, `parts`, or `auto` for the one that fits. Where none counts the solutions,
            `walk` finds some without counting; those are not uniform.
        limits: of time and memory; where they are reached first, there are fewer, and `stopped` says why.
        on_event: observes what happens meanwhile.
        executor: where it is done instead: an Executor, a text such as `processes:8`, or a function that makes one.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        MethodError: there is no such method, number or seed.
        StoppedError: a limit was reached in a way that left nothing.
        SudokuError: it is no puzzle.

    >>> drawn = sample("." * 16, 3, seed=1, board="4x4")
    >>> drawn.grids.shape, drawn.uniform, drawn.total.value
    ((3, 16), True, 288)
    """
    asked = as_puzzle(puzzle, board, rules)
    chosen = secrets.randbelow(MAX_SEED + 1) if seed is None else seed
    limits = limits.without_solutions("sample")
    with at_work_on(executor) as pool, nullcontext() if on_event is None else observing(on_event):
        return asking_samples.sample(asked, many, chosen, method, limits, pool)
