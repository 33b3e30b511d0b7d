"""Random puzzles."""

import secrets
from collections.abc import Iterable, Iterator
from functools import partial

from sudoku_encode.api.arguments import checked
from sudoku_encode.api.executors import on
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle, board_of
from sudoku_encode.errors import SudokuError
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.generating.placing import parse_placed
from sudoku_encode.generating.request import Request
from sudoku_encode.generating.table import GENERATORS
from sudoku_encode.generating.wanted import Wanted, clues_of
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.aiming import aim_of
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ExecutorLike

_NO_LIMITS = Limits()


@checked
def generate(
    board: str | Geometry = "",
    *,
    clues: int | None = None,
    blanks: int | None = None,
    solutions: int = 1,
    minimal: bool = False,
    symmetry: str = "none",
    kind: str = "usual",
    rating: str | None = None,
    uniform: bool = False,
    method: str = "sat",
    many: int = 1,
    seed: int | None = None,
    attempts: int = 100,
    limits: Limits = _NO_LIMITS,
    solution: PuzzleLike | None = None,
    executor: "ExecutorLike | None" = None,
    rules: Iterable[str] | None = None,
    constraints: Iterable[str | Constraint] = (),
    placed: Iterable[str] = (),
) -> Iterator[GeneratedPuzzle]:
    """Yield random puzzles, each cut out of a solution while the number of solutions stays as wanted, and proved.

    Args:
        board: a board or its name; by default 9x9, or latin:4x4x4 for `keck2022`.
        clues: exactly how many givens; by default as few as one pass reaches.
        blanks: exactly how many blanks, instead of `clues`.
        solutions: exactly how many.
        minimal: no given can go without adding solutions.
        symmetry: of the pattern of givens, such as `point`.
        kind: on the 9x9x9 cube with all six rules `uniform`, where all values have one pattern of signs, or `mixed`.
            Most of the usual ones are uniform in this sense.
        uniform: whether each solution of the board is as likely to be the one that an attempt starts from, exactly; for
            boards whose solutions can be counted. Otherwise some are likelier than others.
        rating: what a figure of `rate` should be, as `backdoor:2-3`; attempts go on until it is, see `attempts`.
        method: `sat` or `keck2022`.
        many: how many puzzles.
        seed: the same seed makes the same puzzles; by default a new one.
        attempts: how often to try for each puzzle.
        limits: of time, for each puzzle.
        solution: cut all out of this full grid; by default out of a random one each.
        executor: where it is done instead: an Executor, a text such as `processes:8`, or a function that makes one.
        rules: to keep.
        constraints: that each puzzle has.
        placed: random constraints that each puzzle has besides, such as `thermometer:3`, put where its solution fulfils
            them; see PLACED for the kinds.

    Yields:
        For each puzzle what came out; `reached` says whether it is all that was wanted. None at all where the board has
        no solution.

    Raises:
        MethodError: no puzzle can be so; at once, but where solutions cannot be counted before the first puzzle.
        StoppedError: the time of a puzzle is over.

    >>> generated = next(generate("4x4", seed=7))
    >>> generated.reached, generated.solutions
    (True, 1)
    """
    for what, value in (("many", many), ("attempts", attempts)):
        if value < 1:
            raise SudokuError(f"{what}={value}: it must be at least 1")
    if seed is not None and not 0 <= seed < 2**32:
        raise SudokuError(f"seed={seed}: it must be from 0 to {2**32 - 1}")
    kept = None if rules is None else tuple(rules)
    if board == "":
        board = GENERATORS[method].board if method in GENERATORS else "9x9"
    grid = None if solution is None else as_puzzle(solution, board, kept)
    geometry = board_of(board, None, kept) if grid is None else grid.geometry
    aim = None if rating is None else aim_of(rating)
    fixed = Puzzle.of(geometry, constraints=tuple(constraints) or (() if grid is None else grid.constraints))
    more = parse_placed(tuple(placed), geometry)
    wanted = Wanted(
        *(clues_of(geometry, clues, blanks), solutions, minimal, symmetry, kind, uniform, aim),
        *(fixed.constraints, more),
    )
    if limits.solutions is not None or limits.memory is not None:
        raise SudokuError("generate takes a limit of seconds alone")
    chosen, given = secrets.randbelow(2**32) if seed is None else seed, None if grid is None else grid.givens
    request = Request(geometry, wanted, chosen, attempts, method, limits.seconds, given)
    request.check()
    found = on(executor, partial(request.puzzles, range(1, many + 1)))
    return (puzzle for puzzle in found if puzzle is not None)
