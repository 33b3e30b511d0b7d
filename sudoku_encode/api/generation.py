"""Random puzzles, and random solutions of a puzzle."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Unpack

from sudoku_encode.api.arguments import (
    NO_LIMITS,
    LimitNames,
    OnEvent,
    SampleNames,
    check_arguments,
    iterate_on,
    observing_if,
    open_pool,
)
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle, board_of
from sudoku_encode.errors import SudokuError
from sudoku_encode.generating.making import GeneratedPuzzle
from sudoku_encode.generating.options import GenerateOptions, clue_count
from sudoku_encode.generating.placing import parse_placed
from sudoku_encode.generating.request import Request
from sudoku_encode.generating.table import GENERATORS
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.rating import choose_aim
from sudoku_encode.questions.sampling import MAX_SEED, SampleQuestion, Samples
from sudoku_encode.run.asking import ask
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ExecutorLike


@check_arguments
def generate(
    board: str | Geometry = "",
    *,
    clues: int | None = None,
    blanks: int | None = None,
    solutions: int = 1,
    minimal: bool = False,
    symmetry: str = "none",
    kind: str = "usual",
    family: str | None = None,
    rating: str | None = None,
    difficulty: str | None = None,
    uniform: bool = False,
    method: str = "sat",
    many: int = 1,
    seed: int | None = None,
    attempts: int = 100,
    limits: Limits = NO_LIMITS,
    solution: PuzzleLike | None = None,
    executor: ExecutorLike | None = None,
    rules: Iterable[str] | None = None,
    constraints: Iterable[str | Constraint] = (),
    placed: Iterable[str] = (),
    **named: Unpack[LimitNames],
) -> Iterator[GeneratedPuzzle]:
    """Yield random puzzles, made by removing givens from a solution.

    The number of solutions stays as requested.

    Args:
        board: a board or its name; by default 9x9, or latin:4x4x4 for
            `keck2022`.
        clues: the exact number of givens; by default as few as one pass
            reaches.
        blanks: the exact number of blanks, instead of `clues`.
        solutions: the exact number of solutions.
        minimal: no given can be removed without adding solutions.
        symmetry: of the pattern of givens, such as `point`.
        kind: on the 9x9x9 cube with all six rules: `uniform`, where all values
            have one pattern of signs; `mixed`; or `usual`, mostly uniform.
        family: an instance for solvers: `holes`, `balanced` or `unsat`.
        uniform: start from a solution drawn uniformly, where it can be counted.
        rating: the range for a figure of `rate`, as `backdoor:2-3`.
        difficulty: a word of DIFFICULTIES, such as `hard`, or a range such as
            `medium-hard`: a name for a range of the figure `technique`.
        method: `sat` or `keck2022`.
        many: the number of puzzles.
        seed: the same seed makes the same puzzles; by default a new one.
        attempts: the number of attempts for each puzzle.
        limits: on time, for each puzzle.
        solution: remove givens from this full grid; by default from a random
            one each.
        executor: where to run: an Executor, a text such as `processes:8`, or a
            function that makes one.
        rules: the names of the rules to keep; by default all.
        constraints: the constraints of each puzzle.
        placed: additional random constraints, such as `thermometer:3`, placed
            where the solution satisfies them; see PLACED for the kinds.
        named: limits by the command's names, such as `timeout=5`.

    Yields:
        For each puzzle the result; `reached` tells whether it is as requested.
            Nothing if the board has no solution.

    Raises:
        MethodError: there can be no such puzzle (raised at once); or with
            `uniform` the solutions of the board cannot be counted (raised
            before the first puzzle).
        StoppedError: the time for a puzzle is over.

    >>> generated = next(generate("4x4", seed=7))
    >>> generated.reached, generated.solutions
    (True, 1)
    """
    for name, value in (("many", many), ("attempts", attempts)):
        if value < 1:
            raise SudokuError(f"{name}={value}: it must be at least 1")
    if seed is not None and not 0 <= seed < 2**32:
        raise SudokuError(f"seed={seed}: it must be from 0 to {2**32 - 1}")
    rules = None if rules is None else tuple(rules)
    if board == "":
        board = GENERATORS[method].board if method in GENERATORS else "9x9"
    grid = None if solution is None else as_puzzle(solution, board, rules)
    geometry = board_of(board, None, rules) if grid is None else grid.geometry
    aim = choose_aim(rating, difficulty)
    fixed = Puzzle.of(geometry, constraints=tuple(constraints) or (() if grid is None else grid.constraints))
    target = GenerateOptions(
        clue_count(geometry, clues, blanks, family),
        solutions,
        minimal,
        symmetry,
        kind,
        uniform,
        aim,
        fixed.constraints,
        parse_placed(tuple(placed), geometry),
        family,
    )
    if limits.solutions is not None or limits.memory is not None:
        raise SudokuError("generate supports only a limit on seconds")
    seed = secrets.randbelow(2**32) if seed is None else seed
    givens = None if grid is None else grid.givens
    request = Request(geometry, target, seed, attempts, method, limits.seconds, givens)
    request.check()
    puzzles = iterate_on(executor, partial(request.puzzles, range(1, many + 1)))
    return (puzzle for puzzle in puzzles if puzzle is not None)


# Solutions drawn at random.


@check_arguments
def sample(
    puzzle: PuzzleLike,
    many: int = 1,
    *,
    seed: int | None = None,
    method: str = "auto",
    limits: Limits = NO_LIMITS,
    on_event: OnEvent | None = None,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[SampleNames],
) -> Samples:
    """Draw solutions of a puzzle exactly uniformly, with replacement.

    A solution can occur more than once.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        many: the number of solutions.
        seed: the same seed draws the same solutions in the same order, if the
            method and the limit on memory are the same; a larger `many` draws
            more of them. By default a new seed.
        method: `listing`, `frontier`, `parts`, or `auto` for the one that fits.
            If none can count the solutions, `walk` finds some without counting;
            those are not uniform.
        limits: on time and memory; when one is reached, there are fewer
            solutions, and `stopped` is the reason.
        on_event: called with each event meanwhile.
        executor: where to run: an Executor, a text such as `processes:8`, or a
            function that makes one.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        MethodError: no such method, number or seed.
        StoppedError: a limit was reached before anything was drawn.
        SudokuError: not a puzzle.

    >>> drawn = sample("." * 16, 3, seed=1, board="4x4")
    >>> drawn.grids.shape, drawn.uniform, drawn.total.value
    ((3, 16), True, 288)
    """
    parsed = as_puzzle(puzzle, board, rules)
    seed = secrets.randbelow(MAX_SEED + 1) if seed is None else seed
    limits = limits.without_solutions("sample")
    with open_pool(executor) as pool, observing_if(on_event):
        return ask(SampleQuestion(many, seed, method), parsed, limits, pool).required
