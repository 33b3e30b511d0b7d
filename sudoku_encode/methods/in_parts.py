"""A puzzle that takes long, counted or listed in parts on an executor; and a file of what is known of its parts."""

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
from sudoku_encode.methods.auto_constraints import MANY_SOLUTIONS
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.counting import IN_PARTS, INTERRUPTED, Count, checked, tally
from sudoku_encode.run.events import Found, Observer, emit, observing
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.parts import Number, as_text
from sudoku_encode.run.pools import Pool
from sudoku_encode.run.tickets import versions
from sudoku_encode.search import in_parts
from sudoku_encode.search.part import FIRST_CALLS, Counted, Part, first_parts, list_part, unpacked_grids
from sudoku_encode.storage.part_journal import PartJournal, Record, header_of
from sudoku_encode.storage.parts_file import PartsFile

# The form of the file; another one is for a later version.
_FORM = 1
# A puzzle with more solutions is listed in parts.
AT_ONCE_SOLUTIONS = 10_000


@contextmanager
def counted(
    number: int, puzzle: Puzzle, method: str, limits: Limits, pool: Pool, file: PartsFile | None, observer: Observer
) -> Iterator[Count]:
    """Yield the number of solutions of a puzzle, counted in parts; when that is taken the file of its parts is removed.

    Args:
        number: of the puzzle.
        puzzle: on a board that `search` can do.
        method: that was asked for.
        limits: of time and memory.
        pool: where the parts are counted.
        file: keeps what is known of them; None for none.
        observer: of the events meanwhile.

    Raises:
        SudokuError: the file has other parts, is damaged, or cannot be written.
        ProcessDiedError: all workers are lost, and the file keeps what they did.
    """
    puzzle = calls.in_units(puzzle)
    tick = limits.start()
    first = first_parts(puzzle, in_parts.N_FIRST)
    if file is None:
        with observing(observer):
            found = in_parts.count_in_parts(puzzle, tick, pool, memory=limits.memory, first=first, ends=tick.ends)
        yield _named(found, number)
        return
    _remove_older(file, number)
    with PartJournal(file.path, _header(number, puzzle, method, first)) as journal:
        keep = _keeper(journal)
        known = _known(journal, len(first))
        with observing(observer):
            found = in_parts.count_in_parts(
                *(puzzle, tick, pool), memory=limits.memory, first=first, earlier=known, keep=keep, ends=tick.ends
            )
        yield _named(found, number)
        if found.stopped != INTERRUPTED:
            journal.remove()


def _named(found: Count, number: int) -> Count:
    """Return a count that says the puzzle, where a part of it has no answer."""
    if found.stopped.startswith("part "):
        return replace(found, stopped=f"puzzle {number}, {found.stopped}")
    return found


def _remove_older(file: PartsFile, number: int) -> None:
    """Remove the file of a puzzle before this one, which has its record: the run was killed between the two."""
    file.refuse_earlier()
    header = header_of(file)
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
        parts.update(np.concatenate([one.candidates for one in part.unpacked(board)]).tobytes())
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


def _keeper(journal: PartJournal) -> Callable[[Number, Counted], None]:
    def keep(number: Number, found: Counted) -> None:
        left = [[b64encode(part.boards).decode(), list(part.times)] for part in found.left]
        seconds = round(found.seconds, 3)
        journal.put({"part": as_text(number), "count": found.value, "left": left, "seconds": seconds})

    return keep


def _known(journal: PartJournal, n_first: int) -> dict[Number, Counted]:
    """Return what an earlier run knew of the parts, by their numbers.

    Args:
        journal: of the run.
        n_first: how many parts there are at first.

    Raises:
        SudokuError: a record is none, or is that of a part that no record before it left.
    """
    known: dict[Number, Counted] = {}
    n_left: dict[Number, int] = {(): n_first}
    for line, record in enumerate(journal.records):
        try:
            number = tuple(map(int, record["part"].split(".")))
            left = [Part(b64decode(boards, validate=True), tuple(map(int, times))) for boards, times in record["left"]]
            found = Counted(int(record["count"]), left, float(record["seconds"]))
        except (LookupError, TypeError, ValueError, AttributeError, Base64Error) as error:
            raise journal.fault(line, "this is no part") from error
        if not 1 <= number[-1] <= n_left.get(number[:-1], 0):
            # A part that is counted again leaves others, to which what is known of these does not belong.
            raise journal.fault(line, f"no part before it left part {as_text(number)}: a line is missing")
        known[number], n_left[number] = found, len(left)
    return known


def in_parts_by(method: str, puzzle: Puzzle) -> bool:
    """Say whether a method lists a puzzle in parts where that takes long."""
    if not calls.find(method).spreads:
        return False
    return not search.unsupported_reason(puzzle.geometry) and not kernels.unavailable()


def list_at_once(method: str, limits: Limits, options: Options, item: tuple[int, Puzzle]) -> Count | None:
    """Emit the solutions of a puzzle as `Found`, and count them, if `search` lists them soon.

    What is soon does not depend on the machine, so that the order of the solutions does not either.

    Returns:
        How many there are; None where `search` finds none soon, or with constraints not many, and `method` may choose
        another one.

    Raises:
        StoppedError: there are more, by IN_PARTS; or as `calls.solutions`.
    """
    calls.fitting(item[1], method, options)
    puzzle = calls.in_units(item[1])
    part = Part.of_puzzle(puzzle)
    most = min(limits.solutions or AT_ONCE_SOLUTIONS, AT_ONCE_SOLUTIONS)
    found = list_part(puzzle, None, (part, most, FIRST_CALLS))
    grids = unpacked_grids(found.grids, puzzle.geometry, sum(found.numbers))
    if found.left and len(grids) != limits.solutions:
        if method == "search" or len(grids) >= (MANY_SOLUTIONS if puzzle.constraints else 1):
            raise StoppedError(IN_PARTS)
        return None
    listed = checked(puzzle, [grids] if len(grids) else [], limits.solutions)
    return tally(emitted(listed))


def emitted(batches: Iterator[Grids]) -> Iterator[Grids]:
    """Yield batches of solutions, each of which is emitted first."""
    for batch in batches:
        emit(Found(batch))
        yield batch


def listed(puzzle: Puzzle, limits: Limits, pool: Pool) -> Count:
    """Emit the solutions of a puzzle, listed in parts, as `Found`; return how many they are.

    Solutions come in the order of the parts, which neither the executor nor the number of its workers changes.
    """
    return tally(emitted(_batches(puzzle, limits, pool)))


def batches_in_parts(puzzle: Puzzle, method: str, limits: Limits, pool: Pool) -> Iterator[Grids]:
    """Return the solutions of a puzzle in batches, listed in parts; see `listed`.

    Raises:
        MethodError: the method does not list in parts; at once.
        StoppedError: a limit was reached, or a part has no answer; while they are read.
    """
    if not in_parts_by(method, puzzle):
        able = ", ".join(name for name, other in METHODS.items() if other.spreads)
        what = f"does not list in parts on {puzzle.geometry.name}, as on an executor; these do: {able}"
        raise MethodError(f"method {method} {what}")
    return _batches(puzzle, limits, pool)


def _batches(puzzle: Puzzle, limits: Limits, pool: Pool) -> Iterator[Grids]:
    puzzle = calls.in_units(puzzle)
    parts = in_parts.listed_parts(puzzle, pool, limits.start(), most=limits.solutions, memory=limits.memory)
    return checked(puzzle, (part.grids for part in parts), limits.solutions)
