"""True candidates, the values that each cell has in some solution, and their certificates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Unpack

from sudoku_encode.api.arguments import (
    NO_LIMITS,
    NO_OPTIONS,
    LimitNames,
    MethodNames,
    OnEvent,
    check_arguments,
    observing_if,
    open_pool,
)
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.options import Options
from sudoku_encode.proving import candidates as proof
from sudoku_encode.proving.batches import certify_items
from sudoku_encode.proving.candidates import CheckedCandidates
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.true_candidates import CandidatesQuestion, TrueCandidates
from sudoku_encode.run.asking import Answer, Numbered, answer_of, ask
from sudoku_encode.run.asking import OnEvent as OnItemEvent
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, ExecutorLike, Pool
from sudoku_encode.solvers.table import DEFAULT_PROVER
from sudoku_encode.storage.outputs import file_name


@check_arguments
def candidates(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    counts: bool = False,
    limits: Limits = NO_LIMITS,
    options: Options = NO_OPTIONS,
    on_event: OnEvent | None = None,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[MethodNames],
) -> TrueCandidates:
    """Return the values that each cell has in some solution.

    The result also contains solutions with these values and, with `counts`, the
    number of solutions for each value.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        method: a key of METHODS that finds all solutions, or counts them.
        counts: for each cell and value, count the solutions that contain it.
        limits: on time and memory; when one is reached, the result contains the
            candidates so far, and is not `complete`.
        options: settings of the method; one that it does not use is an error.
        on_event: called with each event meanwhile.
        executor: where to run: an Executor, a text such as `processes:8`, or a
            function that makes one.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits and options by the command's names, such as `limit=2`.

    Raises:
        StoppedError: a limit was reached before anything was found.
        SudokuError: not a puzzle, or the method does not support it.

    >>> found = candidates("1234341221434...", board="4x4", counts=True)
    >>> found.total.value, found.shares[13].tolist()
    (1, [0, 0, 1, 0])
    """
    parsed = as_puzzle(puzzle, board, rules)
    limits = limits.without_solutions("candidates")
    with open_pool(executor) as pool, observing_if(on_event):
        return ask(CandidatesQuestion(method, options, counts), parsed, limits, pool).required


@check_arguments
def prove_candidates(
    puzzle: PuzzleLike,
    folder: str | Path,
    *,
    solver: str = DEFAULT_PROVER,
    limits: Limits = NO_LIMITS,
    executor: ExecutorLike | None = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
    **named: Unpack[LimitNames],
) -> TrueCandidates:
    """Write a certificate of the true candidates, check it, and return them.

    Args:
        puzzle: in any form; see `PuzzleLike`.
        folder: where to write; it replaces an earlier certificate.
        solver: a solver of PySAT with trustworthy proofs.
        limits: on time and memory.
        executor: where to make the certificate: an Executor, a text such as
            `processes:8`, or a function that makes one. It is checked here.
        board: needed if the text or array does not identify it.
        rules: the names of the rules to keep; by default all.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: not a puzzle, or the folder cannot be written.

    >>> import tempfile
    >>> prove_candidates("1234341221434321", tempfile.mkdtemp(), board="4x4")
    TrueCandidates('4x4', 16, complete)
    """
    item, home = (1, as_puzzle(puzzle, board, rules)), Path(file_name(folder))
    limits = limits.without_solutions("prove_candidates")
    with open_pool(executor) as pool:
        certified = certified_each(CandidatesQuestion(), [item], lambda _: home, limits, solver, pool=pool)
        ((_, answer, _),) = certified
    if not answer.complete:
        raise StoppedError(answer.stopped)
    return answer.required


@check_arguments
def check_candidates(
    folder: str | Path, *, limits: Limits = NO_LIMITS, **named: Unpack[LimitNames]
) -> CheckedCandidates:
    """Check a certificate of true candidates, and return them.

    Nothing in it but the puzzle is trusted.

    Args:
        folder: a certificate, written by `prove_candidates` or by another
            program.
        limits: on time and memory.
        named: limits by the command's names, such as `timeout=5`.

    Raises:
        CertificateError: the certificate is wrong.
        FormatError: a file is missing or damaged.
        StoppedError: a limit was reached.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = prove_candidates("1234341221434321", folder, board="4x4")
    >>> check_candidates(folder)
    CheckedCandidates('4x4', 16 candidates, by plain checker and dratify)
    """
    work, home = partial(one_by_one, proof.check), Path(file_name(folder))
    ((_, candidates, _),) = each(work, [home], limits.without_solutions("check_candidates"))
    if isinstance(candidates, StoppedError):
        raise candidates
    return candidates


def certified_each(
    question: CandidatesQuestion,
    puzzles: Iterable[Numbered],
    folder_of: Callable[[int], Path],
    limits: Limits,
    solver: str = DEFAULT_PROVER,
    on_event: OnItemEvent | None = None,
    pool: Pool = ONE,
) -> Iterator[tuple[Numbered, Answer[TrueCandidates], CheckedCandidates | None]]:
    """Yield each puzzle with its true candidates and those that a certificate proves; None where it proves none.

    Args:
        question: how to find them.
        puzzles: with their numbers.
        folder_of: returns the folder for a puzzle's number.
        limits: for each puzzle, to make and to check its certificate.
        solver: a solver of PySAT with trustworthy proofs.
        on_event: called with each event meanwhile.
        pool: where to run, and how many puzzles at a time.
    """
    make = partial(_prove_candidates, question, limits, solver)
    items = ((number, puzzle, folder_of(number)) for number, puzzle in puzzles)
    observe = None if on_event is None else partial(_pass_on, on_event)
    for (number, puzzle, _), outcome, seconds in certify_items(
        make, proof.check, items, limits, pool, on_event=observe
    ):
        candidates, checked = (outcome, None) if isinstance(outcome, StoppedError) else outcome
        assert candidates is not None, "they are always looked for"
        yield (number, puzzle), answer_of(question, (number, puzzle), candidates, seconds), checked


def _pass_on(on_event: OnItemEvent, item: tuple[int, Puzzle, Path], event: Event) -> None:
    on_event(item[:2], event)


def _prove_candidates(
    question: CandidatesQuestion, limits: Limits, solver: str, puzzle: Puzzle, folder: Path
) -> tuple[TrueCandidates, bool]:
    """Find the true candidates, and write a certificate of them if all were found."""
    deadline = limits.start()
    candidates = question.answer((1, puzzle), deadline)
    if candidates.complete:
        proof.prove(puzzle, candidates.witnesses, folder, deadline, solver)
    return candidates, candidates.complete
