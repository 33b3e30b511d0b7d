"""True candidates: the values that each cell has in some solution."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from sudoku_encode.api.answers import OnEvent
from sudoku_encode.api.arguments import checked
from sudoku_encode.api.executors import at_work_on
from sudoku_encode.api.puzzles import PuzzleLike, as_puzzle
from sudoku_encode.errors import StoppedError
from sudoku_encode.methods.asking import Numbered
from sudoku_encode.methods.options import Options
from sudoku_encode.proving import candidates as proof
from sudoku_encode.proving.candidates import CheckedCandidates
from sudoku_encode.proving.certifying import certified
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions import asking
from sudoku_encode.questions import candidates as questions
from sudoku_encode.questions.candidates import TrueCandidates
from sudoku_encode.run.each import each, one_by_one
from sudoku_encode.run.events import Event, observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, ExecutorLike, Pool
from sudoku_encode.solvers.table import DEFAULT_PROVER
from sudoku_encode.storage.outputs import file_name

_NO_LIMITS, _NO_OPTIONS = Limits(), Options()


@checked
def candidates(
    puzzle: PuzzleLike,
    method: str = "auto",
    *,
    counts: bool = False,
    limits: Limits = _NO_LIMITS,
    options: Options = _NO_OPTIONS,
    on_event: OnEvent | None = None,
    executor: "ExecutorLike | None" = None,
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
        executor: where it is done instead: an Executor, a text such as `processes:8`, or a function that makes one.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: a limit was reached, and nothing is known.
        SudokuError: it is no puzzle, or the method cannot do it.

    >>> found = candidates("1234341221434...", board="4x4", counts=True)
    >>> found.total.value, found.shares[13].tolist()
    (1, [0, 0, 1, 0])
    """
    asked = as_puzzle(puzzle, board, rules)
    limits = limits.without_solutions("candidates")
    with at_work_on(executor) as pool, nullcontext() if on_event is None else observing(on_event):
        return asking.candidates(asked, method, limits, options, counts, pool)


@checked
def prove_candidates(
    puzzle: PuzzleLike,
    folder: str | Path,
    *,
    solver: str = DEFAULT_PROVER,
    limits: Limits = _NO_LIMITS,
    executor: "ExecutorLike | None" = None,
    board: str | Geometry | None = None,
    rules: Iterable[str] | None = None,
) -> TrueCandidates:
    """Write a certificate of the true candidates of a puzzle, check it, and return them.

    Args:
        puzzle: itself, its text or file, or an array of its values.
        folder: where to write; files of a certificate in it are replaced.
        solver: of PySAT, whose proofs can be trusted.
        limits: of time and memory.
        executor: where it is made instead; it is checked here. An Executor, a text such as `processes:8`, or a
            function that makes one.
        board: where the text or the array does not say it.
        rules: to keep.

    Raises:
        StoppedError: a limit was reached.
        SudokuError: it is no puzzle, or the folder cannot be written.

    >>> import tempfile
    >>> prove_candidates("1234341221434321", tempfile.mkdtemp(), board="4x4")
    TrueCandidates('4x4', 16, complete)
    """
    item, where = (1, as_puzzle(puzzle, board, rules)), Path(file_name(folder))
    limits = limits.without_solutions("prove_candidates")
    with at_work_on(executor) as pool:
        ((_, found, _),) = certified_each([item], lambda _: where, "auto", limits, _NO_OPTIONS, solver, pool=pool)
    if isinstance(found, StoppedError):
        raise found
    if not found[0].complete:
        raise StoppedError(found[0].stopped)
    return found[0]


@checked
def check_candidates(folder: str | Path, *, limits: Limits = _NO_LIMITS) -> CheckedCandidates:
    """Return what a certificate of true candidates proves, trusting nothing in it but the puzzle.

    Args:
        folder: of a certificate, written by `prove_candidates` or by another program.
        limits: of time and memory.

    Raises:
        CertificateError: it proves nothing.
        FormatError: a file is missing, or not what it should be.
        StoppedError: a limit was reached.

    >>> import tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = prove_candidates("1234341221434321", folder, board="4x4")
    >>> check_candidates(folder)
    CheckedCandidates('4x4', 16 candidates, by plain checker and dratify)
    """
    work, where = partial(one_by_one, proof.check), Path(file_name(folder))
    ((_, found, _),) = each(work, [where], limits.without_solutions("check_candidates"))
    if isinstance(found, StoppedError):
        raise found
    return found


def certified_each(
    puzzles: Iterable[Numbered],
    folder_of: Callable[[int], Path],
    method: str,
    limits: Limits,
    options: Options,
    solver: str = DEFAULT_PROVER,
    on_event: Callable[[Numbered, Event], None] | None = None,
    pool: Pool = ONE,
) -> Iterator[tuple[Numbered, tuple[TrueCandidates, CheckedCandidates | None] | StoppedError, float]]:
    """Yield each puzzle with its true candidates and what their certificate proves, or what stopped that.

    Args:
        puzzles: with their numbers.
        folder_of: the folder for the puzzle of a number.
        method: finds the candidates.
        limits: for each puzzle, to make and to check its certificate.
        options: of the method.
        solver: of PySAT, whose proofs can be trusted.
        on_event: observes what happens meanwhile.
        pool: where the work is done, and how many puzzles are worked on at a time.
    """
    make = partial(_made, method, limits, options, solver)
    items = ((number, puzzle, folder_of(number)) for number, puzzle in puzzles)
    observe = None if on_event is None else partial(_pass_on, on_event)
    for (number, puzzle, _), found, seconds in certified(make, proof.check, items, limits, pool, on_event=observe):
        if isinstance(found, StoppedError):
            yield (number, puzzle), found, seconds
            continue
        candidates, checked = found
        assert candidates is not None, "they are always looked for"
        yield (number, puzzle), (candidates, checked), seconds


def _pass_on(on_event: Callable[[Numbered, Event], None], item: tuple[int, Puzzle, Path], event: Event) -> None:
    on_event(item[:2], event)


def _made(
    method: str, limits: Limits, options: Options, solver: str, puzzle: Puzzle, folder: Path
) -> tuple[TrueCandidates, bool]:
    """Find the true candidates, and write a certificate of them where all are known."""
    deadline = limits.start()
    found = questions.candidates(puzzle, method, deadline, options)
    if found.complete:
        proof.prove(puzzle, found.witnesses, folder, deadline, solver)
    return found, found.complete
