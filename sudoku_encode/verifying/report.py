"""Compare several runs on one puzzle.

Nothing is decided by a vote where there is proof. A listed grid either solves the puzzle or not; a grid listed twice is
no second solution; and a method that claims to have all solutions is wrong if another method lists one that it lacks.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import short
from sudoku_encode.puzzles.arrays import freeze_fields, restore_frozen
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, are_wrong, violations
from sudoku_encode.puzzles.showing import shown_as_html
from sudoku_encode.run.counting import Count
from sudoku_encode.verifying.running import Run

CONFIRMED, DISAGREE, UNCONFIRMED = "confirmed", "disagree", "unconfirmed"

# Kinds of wrong answers:
#   invents     lists a grid that is not a solution
#   repeats     lists a solution twice
#   loses       says that it has all solutions, and lacks one that another method lists
#   miscounts   counts another number than others prove, and no grid shows which is right
# Where a method gives no answer, the kind is a failure of `running.Run`.
WRONG = ("invents", "repeats", "loses", "miscounts")
# Up to this many different grids are checked by `violations`, one by one; more by the faster check in numpy.
_ONE_BY_ONE_GRIDS = 1000


@dataclass(frozen=True, eq=False)
class Fault:
    """A fault of a method.

    Attributes:
        method: its name.
        kind: one of WRONG, or a failure of `running.Run`.
        text: what is wrong, in a sentence.
        grid: a grid that shows it (n_cells,), where there is one.
        witness: the method whose answer shows it, where that is not the method itself.
    """

    method: str
    kind: str
    text: str
    grid: Grids | None = None
    witness: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen


@dataclass(frozen=True, eq=False, repr=False)
class Report:
    """The compared answers of several methods for one puzzle.

    Attributes:
        puzzle: the puzzle.
        runs: the answer of each method.
        faults: of the methods.
        solutions: all solutions that the methods listed, each once, (m, n_cells).
        value: how many solutions there are; at least, unless `complete`.
        complete: whether a method without a fault says that these are all.
        families: of the methods that say so; two or more confirm it.
        expected: the number that was expected, where one was.
        mismatch: how that number or the known solutions are wrong; empty if they are not.

    >>> from sudoku_encode import verify
    >>> [str(report) for report in verify("1...............", ["sat", "cp-sat"], board="4x4")]
    ['confirmed: 72, by sat and cp-sat']
    """

    puzzle: Puzzle
    runs: tuple[Run, ...]
    faults: tuple[Fault, ...]
    solutions: Grids
    value: int
    complete: bool
    families: tuple[str, ...]
    expected: int | None = None
    mismatch: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)

    __setstate__ = restore_frozen
    _repr_html_ = shown_as_html

    def __repr__(self) -> str:
        """Return the verdict on one short line."""
        board, runs = short(self.puzzle.geometry.name, 30), f"{len(self.runs)} methods, {len(self.faults)} faults"
        return f"Report({board!r}, {self.status}: {short(self.total, 25)}, {runs})"

    def __str__(self) -> str:
        """Return the verdict and the faults, for a person."""
        families = f", by {' and '.join(self.families)}" if self.families else ""
        faults = [f"{fault.method} {fault.text}" for fault in self.faults]
        return "; ".join(
            [f"{self.status}: {self.total}{families}", *([self.mismatch] if self.mismatch else []), *faults]
        )

    @property
    def status(self) -> str:
        """`disagree` if any answer is wrong, `confirmed` by two methods that share no code, or `unconfirmed`."""
        if self.mismatch or any(fault.kind in WRONG for fault in self.faults):
            return DISAGREE
        return CONFIRMED if len(self.families) > 1 else UNCONFIRMED

    @property
    def total(self) -> str:
        """The number as it is known: `7`, or `at least 2`."""
        return str(Count(self.value, self.complete))


def judge(puzzle: Puzzle, runs: Iterable[Run], expected: int | None = None, listed: Grids | None = None) -> Report:
    """Compare the answers of methods for a puzzle with each other, with its expected count and its listed solutions."""
    runs = tuple(runs)
    faults = [Fault(run.method, run.failure, run.count.stopped) for run in runs if run.failure]
    union = _rows(np.concatenate([np.empty((0, puzzle.geometry.n_cells), np.uint8), *(run.grids for run in runs)]))
    is_wrong = _are_wrong(puzzle, _grids(union, puzzle))
    wrong, union = union[is_wrong], union[~is_wrong]
    sets: dict[str, NDArray[np.void]] = {}
    for run in runs:
        different = _rows(run.grids)
        sets[run.method] = np.intersect1d(different, union, assume_unique=True)
        faults += _own_faults(puzzle, run, _grids(np.intersect1d(different, wrong, assume_unique=True), puzzle))
    faults += [fault for run in runs if run.count.complete for fault in _lost(puzzle, run, sets, union)]
    guilty = {fault.method for fault in faults if fault.kind in WRONG}
    proved = [run for run in runs if run.count.complete and run.method not in guilty]
    faults += _miscounted(proved, len(union))
    guilty |= {fault.method for fault in faults if fault.kind in WRONG}
    proved = [run for run in proved if run.method not in guilty]
    value = proved[0].count.value if proved else len(union)
    return Report(
        puzzle,
        runs,
        tuple(faults),
        _grids(union, puzzle),
        value,
        bool(proved),
        tuple(dict.fromkeys(run.family for run in proved)),
        expected,
        _mismatch(puzzle, union, value, bool(proved), expected, listed),
    )


def _row_type(puzzle: Puzzle) -> np.dtype[np.void]:
    return np.dtype((np.void, puzzle.geometry.n_cells))


def _rows(grids: Grids) -> NDArray[np.void]:
    """Return the different grids, each as one element of bytes, so that numpy can sort and compare them."""
    rows = np.ascontiguousarray(grids, np.uint8).view(np.dtype((np.void, grids.shape[1]))).ravel()
    return np.unique(rows)


def _grids(rows: NDArray[np.void], puzzle: Puzzle) -> Grids:
    return rows.view(np.uint8).reshape(len(rows), puzzle.geometry.n_cells)


def _are_wrong(puzzle: Puzzle, grids: Grids) -> NDArray[np.bool_]:
    """Return for each grid whether it is not a solution, bool (m,)."""
    if len(grids) <= _ONE_BY_ONE_GRIDS:
        return np.array([any(True for _ in violations(puzzle, grid)) for grid in grids], bool)
    return are_wrong(puzzle, grids)


def _own_faults(puzzle: Puzzle, run: Run, wrong: Grids) -> Iterator[Fault]:
    """Yield the faults that a run's own list shows: grids that are wrong, or repeated."""
    if len(wrong):
        reason = next(violations(puzzle, wrong[0]))
        invented = "a grid that is not a solution" if len(wrong) == 1 else f"{len(wrong)} grids that are not solutions"
        yield Fault(run.method, "invents", f"lists {invented}: {reason}", wrong[0])
    rows = np.ascontiguousarray(run.grids, np.uint8).view(_row_type(puzzle)).ravel()
    different, counts = np.unique(rows, return_counts=True)
    if len(different) < len(rows):
        repeated = _grids(different[counts.argmax()][None], puzzle)[0]
        text = f"lists {len(rows)} grids, {len(different)} of them different; this one {counts.max()} times"
        yield Fault(run.method, "repeats", text, repeated)


def _lost(puzzle: Puzzle, run: Run, sets: dict[str, NDArray[np.void]], union: NDArray[np.void]) -> Iterator[Fault]:
    """Yield the fault of a run that says that it has all solutions, and lacks some."""
    own = sets[run.method]
    if run.listed:
        missing = np.setdiff1d(union, own, assume_unique=True)
        if len(missing):
            witness = next(name for name, rows in sets.items() if missing[0] in rows)
            lacked = "a solution" if len(missing) == 1 else f"{len(missing)} solutions"
            text = f"claims that {len(own)} is all, but lacks {lacked} that {witness} lists"
            yield Fault(run.method, "loses", text, _grids(missing[:1], puzzle)[0], witness)
    elif run.count.value < len(union):
        text = f"claims that there are {run.count.value}, but {len(union)} different solutions are listed"
        yield Fault(run.method, "loses", text)


def _miscounted(proved: list[Run], listed: int) -> Iterator[Fault]:
    """Yield the runs that count more than others say is all: one of them is wrong, and no grid shows which."""
    lists = [run for run in proved if run.listed]
    counts = [run for run in proved if not run.listed]
    for run in counts:
        against = lists[0] if lists else counts[0]
        value = listed if lists else against.count.value
        if run.count.value != value:
            text = f"counts {run.count.value}, but {against.method} claims that {value} is all"
            yield Fault(run.method, "miscounts", text, None, against.method)


def _mismatch(
    puzzle: Puzzle, union: NDArray[np.void], value: int, complete: bool, expected: int | None, listed: Grids | None
) -> str:
    """Return how the expected number or solutions are wrong; "" if they are not."""
    if expected is not None and (value > expected or (complete and value != expected)):
        return f"expected {expected} solutions, but there are {'' if complete else 'at least '}{value}"
    if listed is not None:
        listed_rows = _rows(listed)
        if (wrong := _are_wrong(puzzle, _grids(listed_rows, puzzle))).any():
            return f"an expected solution is invalid: {next(violations(puzzle, _grids(listed_rows[wrong], puzzle)[0]))}"
        if np.setdiff1d(union, listed_rows).size:
            return "a solution was found that is not among those expected"
    return ""
