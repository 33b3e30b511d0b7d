"""Answers for puzzle setters: whether a puzzle is unique, how to solve it by hand, and how hard it is."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from sudoku_encode.api.arguments import NO_LIMITS, HintNames, LimitNames, RateNames, check_arguments
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import SudokuError, short, whole_number
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.checking import CheckQuestion, NoSolution, Several, Unique, Unknown
from sudoku_encode.questions.hinting import Hint, HintQuestion, SolvePath
from sudoku_encode.questions.rating import RateQuestion, Rating
from sudoku_encode.questions.rule_sets import RuleSets, RuleSetsQuestion
from sudoku_encode.questions.table import COPIES, FIGURES
from sudoku_encode.questions.techniques.table import choose_techniques
from sudoku_encode.run.asking import ask
from sudoku_encode.run.limits import Limits


@check_arguments
def check(
    puzzle: PuzzleLike,
    *,
    seed: int | None = None,
    towards: PuzzleLike | None = None,
    clashes: int = 0,
    limits: Limits = NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> Unique | Several | NoSolution | Unknown:
    """Check whether a puzzle has one solution, several or none, with details.

    A unique puzzle gets its redundant givens; a puzzle with several solutions
    gets two of them, and extra givens that make it unique; a puzzle without a
    solution gets clashing givens. Without a time limit each search gets ten
    seconds.

    Test the type of the result: as a truth value it is always true, even if
    there is no solution.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        seed: also return a minimal sub-puzzle of a unique puzzle, which depends
            on the seed; None for no sub-puzzle.
        towards: the solution that extra givens should leave; by default the
            first one found.
        clashes: how many clashes of givens, units and constraints to list for a
            puzzle without a solution, a smallest one first.
        limits: on time and memory; a process that exceeds them is killed.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        SudokuError: not a puzzle, or `towards` does not solve it.

    >>> verdict = check("1234341221434...", seed=1, board="4x4")
    >>> type(verdict).__name__, verdict.sub_puzzle
    ('Unique', SubPuzzle(5 givens, minimal=True, seed=1))
    """
    parsed = as_puzzle(puzzle, board, rules)
    if seed is not None and not 0 <= seed < 2**32:
        raise SudokuError(f"seed={seed}: it must be from 0 to {2**32 - 1}")
    target = None if towards is None else as_puzzle(towards, parsed.geometry).givens
    if whole_number(clashes, 0) is None:
        raise SudokuError(f"clashes={short(repr(clashes))}: expected a whole number from 0")
    question = CheckQuestion(seed, target, clashes)
    return ask(question, parsed, limits.without_solutions("check")).required


@check_arguments
def rules_with(
    puzzle: PuzzleLike,
    solutions: int,
    *,
    limits: Limits = NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> RuleSets:
    """Return under which sets of rules a puzzle has a number of solutions.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        solutions: the number, from 0.
        limits: on time and memory.
        board: needed if the text or array does not identify it.
        rules: the names of the rules of which sets are made; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: not a puzzle, not a number from 0, or more than ten rules.

    >>> rules_with("12343412214343..", 2, board="4x4").matching
    (('row', 'box'), ('row',), ('box',))
    """
    if (number := whole_number(solutions, 0)) is None:
        raise SudokuError(f"solutions={short(repr(solutions))}: expected a whole number from 0")
    parsed = as_puzzle(puzzle, board, rules)
    return ask(RuleSetsQuestion(number), parsed, limits.without_solutions("rules_with")).required


# The steps by which a puzzle is solved by hand.


@check_arguments
def hint(
    puzzle: PuzzleLike,
    *,
    techniques: Iterable[str] | None = None,
    assume_unique: bool = False,
    limits: Limits = NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[HintNames],
) -> Hint | None:
    """Return the next step, by the simplest technique that applies, or None.

    See `hints` for all steps.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        techniques: names in TECHNIQUES; use only these.
        assume_unique: also use techniques that assume a unique solution.
        limits: on time and memory.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: not a puzzle, or no such technique.

    >>> step = hint("1234341221434...", board="4x4")
    >>> step.technique, step.places
    ('naked single', ((13, 3),))
    """
    path = _solve_path(as_puzzle(puzzle, board, rules), techniques, assume_unique, limits, 1)
    return path.steps[0] if path.steps else None


@check_arguments
def hints(
    puzzle: PuzzleLike,
    *,
    techniques: Iterable[str] | None = None,
    assume_unique: bool = False,
    limits: Limits = NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[HintNames],
) -> SolvePath:
    """Return all steps, each by the simplest technique, and how they end.

    Args:
        puzzle: as `hint`.
        techniques: as `hint`.
        assume_unique: as `hint`.
        limits: as `hint`.
        board: as `hint`.
        rules: as `hint`.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: not a puzzle, or no such technique.

    >>> path = hints("1...............", board="4x4")
    >>> path.ended, path.n_blanks
    ('stuck', 15)
    """
    return _solve_path(as_puzzle(puzzle, board, rules), techniques, assume_unique, limits, None)


def _solve_path(
    puzzle: Puzzle, techniques: Iterable[str] | None, assume_unique: bool, limits: Limits, most: int | None
) -> SolvePath:
    rows = choose_techniques(None if techniques is None else list(techniques), assume_unique)
    return ask(HintQuestion(tuple(rows), most), puzzle, limits.without_solutions("hint")).required


# How hard a puzzle is.


@check_arguments
def rate(
    puzzle: PuzzleLike,
    *,
    figures: Iterable[str] | None = None,
    copies: int = COPIES,
    seed: int = 0,
    limits: Limits = NO_LIMITS,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[RateNames],
) -> Rating:
    """Measure the difficulty of a puzzle by several figures.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        figures: names in FIGURES; by default all.
        copies: the number of relabelled and permuted copies for the medians.
        seed: the seed of the copies.
        limits: on time and memory; figures not finished in time have no value.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached before any figure was finished.
        SudokuError: not a puzzle, or no such figure.

    >>> rating = rate("1234341221434...", board="4x4", copies=3)
    >>> rating.status, rating.figures["technique"].data["technique"], rating.figures["nodes"].value
    ('unique', 'naked single', 1.0)
    """
    parsed = as_puzzle(puzzle, board, rules)
    question = RateQuestion(tuple(FIGURES) if figures is None else tuple(figures), copies, seed)
    return ask(question, parsed, limits.without_solutions("rate")).required
