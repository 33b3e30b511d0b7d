"""Cross-check: run many methods on one puzzle and compare their answers."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from sudoku_encode.formats.known_counts import KnownCount
from sudoku_encode.puzzles.puzzle import Grids
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import Pool, local_pool
from sudoku_encode.verifying.cases import Case, accepting, question
from sudoku_encode.verifying.report import CONFIRMED, DISAGREE, UNCONFIRMED, WRONG, Fault, Report, judge
from sudoku_encode.verifying.running import DEFAULT_LIMITS, Job, Run, preload, run_all
from sudoku_encode.verifying.shrink import Shrunk, shrink

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE = ("cases",)

__all__ = [
    "CONFIRMED",
    "DEFAULT_LIMITS",
    "DISAGREE",
    "UNCONFIRMED",
    "WRONG",
    "Case",
    "Fault",
    "Report",
    "Run",
    "Shrunk",
    "accepting",
    "question",
    "shrink",
    "verify",
]  # fmt: skip


# By default two methods run at a time.
_TWO = local_pool(2)


def verify(cases: Iterable[Case], limits: Limits = DEFAULT_LIMITS, pool: Pool = _TWO) -> Iterator[Report]:
    """Run the methods of each case, several at a time, and yield the reports in the order of the cases.

    Args:
        cases: what to check; taken as they are needed.
        limits: of each run.
        pool: where they run, and how many at a time. In any case each run is in a process of its own.
    """
    preload()
    pending: list[tuple[Case, list[Run]]] = []
    first = 0

    def jobs() -> Iterator[Job]:
        for number, case in enumerate(cases):
            pending.append((case, []))
            yield from (Job(number, case.puzzle, name) for name in case.methods)

    for number, run in run_all(jobs(), limits, pool):
        pending[number - first][1].append(run)
        while pending and len(pending[0][1]) == len(pending[0][0].methods):
            yield _report(*pending.pop(0))
            first += 1
    yield from (_report(*case) for case in pending)


def _report(case: Case, runs: Sequence[Run]) -> Report:
    ordered = sorted(runs, key=lambda run: case.methods.index(run.method))
    expected, listed = None, None
    if case.expected is not None:
        expected = case.expected.count
        listed = _listed(case.expected)
    return judge(case.puzzle, ordered, expected, listed)


def _listed(expected: KnownCount) -> Grids | None:
    if not expected.solutions:
        return None
    return np.stack([np.frombuffer(grid, np.uint8) for grid in sorted(expected.grids())])
