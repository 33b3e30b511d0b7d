"""Count or list a puzzle that takes long in parts on an executor; a journal saves the counts of the parts."""

import hashlib
from base64 import b64decode, b64encode
from binascii import Error as Base64Error
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

import numpy as np

from sudoku_encode import search
from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.methods import calls
from sudoku_encode.methods.auto import MANY_SOLUTIONS
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import CONTINUE_IN_PARTS, INTERRUPTED, Count, checked, tally
from sudoku_encode.run.events import Observer, SolutionsFound, emit, observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.parts import Number, as_text
from sudoku_encode.run.pools import Pool
from sudoku_encode.run.tasks import versions
from sudoku_encode.search import in_parts
from sudoku_encode.search.part import FIRST_CALLS, Part, PartCount, first_parts, list_part, unpack_grids
from sudoku_encode.storage.outputs import PartsFile
from sudoku_encode.storage.part_journal import PartJournal, Record, read_header

# The form of the file; another one is for a later version.
_FORM = 1
# A puzzle with more solutions is listed in parts.
AT_ONCE_SOLUTIONS = 10_000


@contextmanager
def count_on_executor(
    number: int, puzzle: Puzzle, method: str, limits: Limits, pool: Pool, file: PartsFile | None, observer: Observer
) -> Iterator[Count]:
    """Yield the number of solutions of a puzzle, counted in parts; at the end remove the file of its parts.

    Args:
        number: of the puzzle.
        puzzle: on a board that `search` can do.
        method: the method that was requested.
        limits: on time and memory.
        pool: where the parts are counted.
        file: saves the counts of the parts; None to save nothing.
        observer: of the events.

    Raises:
        SudokuError: the file has other parts, is damaged, or cannot be written.
        ProcessDiedError: all workers are lost; the file has the parts that they counted.
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
        keep = _keeper(journal)
        earlier = _earlier_counts(journal, len(first))
        with observing(observer):
            counted = in_parts.count_in_parts(
                puzzle, tick, pool, memory=limits.memory, first=first, earlier=earlier, keep=keep, ends=tick.ends
            )
        yield _named(counted, number)
        if counted.stopped != INTERRUPTED:
            journal.remove()


def _named(count: Count, number: int) -> Count:
    """Return a count whose reason names the puzzle, if a part of it has no answer."""
    if count.stopped.startswith("part "):
        return replace(count, stopped=f"puzzle {number}, {count.stopped}")
    return count


def _remove_older(file: PartsFile, number: int) -> None:
    """Remove the file of an earlier puzzle, which is answered: the run was killed before it removed the file."""
    file.refuse_existing()
    header = read_header(file)
    if isinstance(header.get("puzzle"), int) and header["puzzle"] < number:
        file.path.unlink()


def _header(number: int, puzzle: Puzzle, method: str, first: list[Part]) -> Record:
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
        "form": _FORM,
        "puzzle": number,
        "board": board.name,
        "givens": " ".join(map(str, puzzle.givens.tolist())),
        "sha256": content.hexdigest(),
        "method": method,
        "versions": list(versions()),
        "first": [len(first), parts.hexdigest()],
    }


def _keeper(journal: PartJournal) -> Callable[[Number, PartCount], None]:
    def keep(number: Number, counted: PartCount) -> None:
        left_parts = [[b64encode(part.boards).decode(), list(part.times)] for part in counted.unfinished]
        seconds = round(counted.seconds, 3)
        journal.put({"part": as_text(number), "count": counted.value, "left": left_parts, "seconds": seconds})

    return keep


def _earlier_counts(journal: PartJournal, n_first: int) -> dict[Number, PartCount]:
    """Return the counts of an earlier run by the numbers of the parts; `n_first` is the number of first parts."""
    earlier: dict[Number, PartCount] = {}
    n_left: dict[Number, int] = {(): n_first}
    for line, record in enumerate(journal.records):
        try:
            number = tuple(map(int, record["part"].split(".")))
            left_parts = [
                Part(b64decode(boards, validate=True), tuple(map(int, times))) for boards, times in record["left"]
            ]
            counted = PartCount(int(record["count"]), left_parts, float(record["seconds"]))
        except (LookupError, TypeError, ValueError, AttributeError, Base64Error) as error:
            raise journal.fault(line, "this is not a part") from error
        if not 1 <= number[-1] <= n_left.get(number[:-1], 0):
            # A part that is counted again may leave other parts, which the records of these do not fit.
            raise journal.fault(line, f"no part before it left part {as_text(number)}: a line is missing")
        earlier[number], n_left[number] = counted, len(left_parts)
    return earlier


def can_list_in_parts(method: str, puzzle: Puzzle) -> bool:
    """Return whether a method can list a puzzle in parts."""
    if not calls.find_method(method).can_split:
        return False
    return not search.unsupported_reason(puzzle.geometry) and not kernels.unavailable()


def list_at_once(method: str, limits: Limits, options: Options, item: tuple[int, Puzzle]) -> Count | None:
    """Emit the solutions of a puzzle as `SolutionsFound`, and count them, if `search` lists them soon.

    "Soon" is measured in steps, not in time, so that the order of the solutions is the same on every machine.

    Returns:
        The count; None if `search` finds no solution soon, or too few with constraints, and `method` may choose
        another method.

    Raises:
        StoppedError: with CONTINUE_IN_PARTS, there are more solutions; or as `calls.solutions`.
    """
    calls.require_method(item[1], method, options)
    puzzle = calls.lowered_to_units(item[1])
    part = Part.of_puzzle(puzzle)
    most = min(limits.solutions or AT_ONCE_SOLUTIONS, AT_ONCE_SOLUTIONS)
    part_result = list_part(puzzle, None, (part, most, FIRST_CALLS))
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
    """List a puzzle in parts, emit its solutions as `SolutionsFound`, and return their count.

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
        able = ", ".join(name for name, other in METHODS.items() if other.can_split)
        what = f"does not list in parts on {puzzle.geometry.name}, as on an executor; these do: {able}"
        raise MethodError(f"method {method} {what}")
    return _batches(puzzle, limits, pool)


def _batches(puzzle: Puzzle, limits: Limits, pool: Pool) -> Iterator[Grids]:
    puzzle = calls.lowered_to_units(puzzle)
    parts = in_parts.listed_parts(puzzle, pool, limits.start(), most=limits.solutions, memory=limits.memory)
    return checked(puzzle, (part.grids for part in parts), limits.solutions)
