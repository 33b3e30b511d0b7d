"""Count or list the solutions of one puzzle in parts, on an executor; a journal saves the counts of the parts."""

import hashlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from sudoku_encode import search
from sudoku_encode.errors import INTERRUPTED, MethodError, StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.methods.turns import MANY_SOLUTIONS
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import CONTINUE_IN_PARTS, Count, checked, tally
from sudoku_encode.run.events import Observer, SolutionsFound, emit, observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.parts import Number, as_text
from sudoku_encode.run.pools import Pool
from sudoku_encode.run.tasks import versions
from sudoku_encode.search import in_parts
from sudoku_encode.search.part import FIRST_CALLS, Part, PartCount, first_parts, list_part, unpack_grids
from sudoku_encode.storage.outputs import PartsFile
from sudoku_encode.storage.part_journal import PartJournal, Record, read_header

# The version of the layout of journals. A run refuses a journal of another version.
_JOURNAL_VERSION = 1
# A puzzle with more solutions than this is listed in parts.
AT_ONCE_SOLUTIONS = 10_000


@contextmanager
def count_on_executor(
    number: int, puzzle: Puzzle, method: str, limits: Limits, pool: Pool, file: PartsFile | None, observer: Observer
) -> Iterator[Count]:
    """Count the solutions of a puzzle in parts, yield the count, and then remove the journal.

    The journal stays if the count was interrupted, or if your `with` block raises an error: a later run resumes it.

    Args:
        number: the number of the puzzle in its batch.
        puzzle: on a board that `search` supports.
        method: the method that the user named; the journal records it.
        limits: on time and memory.
        pool: where the parts are counted.
        file: where the journal is; None to save nothing.
        observer: called with each event.

    Raises:
        SudokuError: the journal is of another search, is damaged, or cannot be written.
        ProcessDiedError: all workers are lost; the journal holds the counts of the parts that they finished.
    """
    puzzle = calls.lowered_to_units(puzzle)
    tick = limits.start()
    first = first_parts(puzzle, in_parts.N_FIRST)
    if file is None:
        with observing(observer):
            counted = in_parts.count_in_parts(puzzle, tick, pool, memory=limits.memory, first=first, ends=tick.ends)
        yield _named(counted, number)
        return
    _remove_older(file, number)
    with PartJournal(file.path, _header(number, puzzle, method, first)) as journal:
        keep = _recorder(journal)
        earlier = _earlier_counts(journal, len(first))
        with observing(observer):
            counted = in_parts.count_in_parts(
                puzzle, tick, pool, memory=limits.memory, first=first, earlier=earlier, keep=keep, ends=tick.ends
            )
        yield _named(counted, number)
        if counted.stopped != INTERRUPTED:
            journal.remove()


def _named(count: Count, number: int) -> Count:
    """Return the count; if it was stopped since a part has no answer, the reason names the puzzle too."""
    if count.stopped.startswith("part "):
        return replace(count, stopped=f"puzzle {number}, {count.stopped}")
    return count


def _remove_older(file: PartsFile, number: int) -> None:
    """Remove the journal of an earlier puzzle, which is already answered: a run was killed before it could do so."""
    file.refuse_existing()
    header = read_header(file)
    if isinstance(header.get("puzzle"), int) and header["puzzle"] < number:
        file.path.unlink()


def _header(number: int, puzzle: Puzzle, method: str, first: list[Part]) -> Record:
    """Return the first record of a journal, which identifies the puzzle, the method and the first parts."""
    board = puzzle.geometry
    content = hashlib.sha256(board.name.encode())
    for constraint in puzzle.constraints:
        content.update(f"\n{constraint.text(board)}".encode())
    for array in (board.edges, puzzle.candidates):
        content.update(np.ascontiguousarray(array).tobytes())
    parts = hashlib.sha256()
    for part in first:
        parts.update(np.concatenate([state.candidates for state in part.unpacked(board)]).tobytes())
    return {
        "form": _JOURNAL_VERSION,
        "puzzle": number,
        "board": board.name,
        "givens": " ".join(map(str, puzzle.givens.tolist())),
        "sha256": content.hexdigest(),
        "method": method,
        "versions": list(versions()),
        "first": [len(first), parts.hexdigest()],
    }


def _recorder(journal: PartJournal) -> Callable[[Number, PartCount], None]:
    """Return a function that adds the count of a part, and the smaller parts that it left uncounted, to a journal."""

    def record(number: Number, counted: PartCount) -> None:
        unfinished = [[b64encode(part.boards).decode(), list(part.times)] for part in counted.unfinished]
        seconds = round(counted.seconds, 3)
        journal.put({"part": as_text(number), "count": counted.value, "left": unfinished, "seconds": seconds})

    return record


def _earlier_counts(journal: PartJournal, n_first: int) -> dict[Number, PartCount]:
    """Return the counts in a journal by the numbers of the parts; `n_first` is the number of first parts."""
    earlier: dict[Number, PartCount] = {}
    # Part 3.1 is the first of the smaller parts that part 3 left uncounted.
    n_left: dict[Number, int] = {(): n_first}
    for line, record in enumerate(journal.records):
        try:
            number = tuple(map(int, record["part"].split(".")))
            unfinished = [
                Part(b64decode(boards, validate=True), tuple(map(int, times))) for boards, times in record["left"]
            ]
            counted = PartCount(int(record["count"]), unfinished, float(record["seconds"]))
        except (LookupError, TypeError, ValueError, AttributeError, Base64Error) as error:
            raise journal.fault(line, "not the record of a part") from error
        if not 1 <= number[-1] <= n_left.get(number[:-1], 0):
            # The missing part cannot just be counted again: it may then leave other parts than those of later records.
            raise journal.fault(
                line, f"part {as_text(number)} belongs to no part in the lines before; a line is missing"
            )
        earlier[number], n_left[number] = counted, len(unfinished)
    return earlier


def can_list_in_parts(method: str, puzzle: Puzzle) -> bool:
    """Return whether a method can list the solutions of a puzzle in parts."""
    if not calls.find_method(method).can_split:
        return False
    # Two parts might list one grid with different values of its hidden cells.
    board = puzzle.extended.geometry
    return not (board.n_hidden or search.unsupported_reason(board) or kernels.unavailable())


def list_at_once(method: str, limits: Limits, options: Options, item: tuple[int, Puzzle]) -> Count | None:
    """Let `search` list the solutions of a puzzle within a fixed number of steps, emit them, and return their count.

    The budget is steps, not time, so that the order of the solutions is the same on every machine.

    Args:
        method: the method that the user named.
        limits: the limit on solutions is used.
        options: of the method.
        item: the number of the puzzle in its batch, and the puzzle.

    Returns:
        The count; None, with nothing emitted, if `search` found too few solutions in its steps and `method` is not
        `search`: then `method` itself should be tried. Too few are 0, or with constraints fewer than MANY_SOLUTIONS.

    Raises:
        StoppedError: with CONTINUE_IN_PARTS, the puzzle has more solutions and should be listed in parts; or as
            `calls.solutions`.
    """
    calls.require_method(item[1], method, options)
    puzzle = calls.lowered_to_units(item[1])
    whole = Part.of_puzzle(puzzle)
    max_solutions = min(limits.solutions or AT_ONCE_SOLUTIONS, AT_ONCE_SOLUTIONS)
    part_result = list_part(puzzle, None, (whole, max_solutions, FIRST_CALLS))
    grids = unpack_grids(part_result.grids, puzzle.geometry, sum(part_result.numbers))
    if part_result.unfinished and len(grids) != limits.solutions:
        if method == "search" or len(grids) >= (MANY_SOLUTIONS if puzzle.constraints else 1):
            raise StoppedError(CONTINUE_IN_PARTS)
        return None
    listed = checked(puzzle, [grids] if len(grids) else [], limits.solutions)
    return tally(emit_batches(listed))


def emit_batches(batches: Iterator[Grids]) -> Iterator[Grids]:
    """Emit each batch of solutions as `SolutionsFound`, and yield it."""
    for batch in batches:
        emit(SolutionsFound(batch))
        yield batch


def list_on_executor(puzzle: Puzzle, limits: Limits, pool: Pool) -> Count:
    """List the solutions of a puzzle in parts, emit them as `SolutionsFound`, and return their count.

    Solutions come in the order of the parts, which does not depend on the executor or the number of its workers.
    """
    return tally(emit_batches(_batches(puzzle, limits, pool)))


def batches_in_parts(puzzle: Puzzle, method: str, limits: Limits, pool: Pool) -> Iterator[Grids]:
    """Return the solutions of a puzzle in batches, listed in parts; see `list_on_executor`.

    Raises:
        MethodError: the method does not list in parts; raised at once.
        StoppedError: a limit was reached, or a part has no answer; raised while the batches are read.
    """
    if not can_list_in_parts(method, puzzle):
        names = ", ".join(name for name, other in METHODS.items() if other.can_split)
        what = f"cannot list in parts, as an executor needs, on {puzzle.geometry.name}; these can: {names}"
        raise MethodError(f"method {method} {what}")
    return _batches(puzzle, limits, pool)


def _batches(puzzle: Puzzle, limits: Limits, pool: Pool) -> Iterator[Grids]:
    """Yield the solutions of a puzzle in batches, listed in parts and checked."""
    puzzle = calls.lowered_to_units(puzzle)
    parts = in_parts.listed_parts(puzzle, pool, limits.start(), most=limits.solutions, memory=limits.memory)
    return checked(puzzle, (part.grids for part in parts), limits.solutions)
