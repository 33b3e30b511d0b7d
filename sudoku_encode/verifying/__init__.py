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
_DEFAULT_POOL = local_pool(2)


def verify(cases: Iterable[Case], limits: Limits = DEFAULT_LIMITS, pool: Pool = _DEFAULT_POOL) -> Iterator[Report]:
    """Run the methods of each case, several at a time, and yield the reports in the order of the cases.

    Args:
        cases: the puzzles, each with the names of its methods; read when a process is free for them.
        limits: on each run, that is, on one method on one puzzle.
        pool: where the methods run, and how many at a time. Each run has a process of its own, whatever the pool.
    """
    preload()
    pending: list[tuple[Case, list[Run]]] = []
    n_reported = 0

    def jobs() -> Iterator[Job]:
        for number, case in enumerate(cases):
            pending.append((case, []))
            yield from (Job(number, case.puzzle, name) for name in case.methods)

    for number, run in run_all(jobs(), limits, pool):
        pending[number - n_reported][1].append(run)
        while pending and len(pending[0][1]) == len(pending[0][0].methods):
            yield _report(*pending.pop(0))
            n_reported += 1
    # Cases at the end without methods: no run completes these.
    yield from (_report(*case) for case in pending)


def _report(case: Case, runs: Sequence[Run]) -> Report:
    """Compare the runs of a case with each other, and with its known count and solutions if there are any."""
    ordered = sorted(runs, key=lambda run: case.methods.index(run.method))
    expected_count, known_grids = None, None
    if case.expected is not None:
        expected_count = case.expected.count
        known_grids = _known_grids(case.expected)
    return judge(case.puzzle, ordered, expected_count, known_grids)


def _known_grids(expected: KnownCount) -> Grids | None:
    """Return the known solutions in ascending order, uint8 (m, n_cells); None if only their number is known."""
    if not expected.solutions:
        return None
    return np.stack([np.frombuffer(grid, np.uint8) for grid in sorted(expected.grids())])
