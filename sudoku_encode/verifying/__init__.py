"""Cross-check: run many methods on one puzzle and compare their answers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby, islice

import numpy as np

from sudoku_encode.formats.known_counts import KnownCount
from sudoku_encode.methods.table import METHODS
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
# The families that are asked first: they are quick on nearly all puzzles.
_FIRST_FAMILIES = ("search", "sat", "cp-sat", "frontier")
# How many cases are begun together at most.
_MOST_CASES = 64


def verify(cases: Iterable[Case], limits: Limits = DEFAULT_LIMITS, pool: Pool = _DEFAULT_POOL) -> Iterator[Report]:
    """Run the methods of each case, several at a time, and yield the reports in the order of the cases.

    Args:
        cases: the puzzles, each with the names of its methods; read when a process is free for them.
        limits: on each run, that is, on one method on one puzzle.
        pool: where the methods run, and how many at a time. Each run has a process of its own, whatever the pool.
    """
    preload()
    for all_methods, group in groupby(cases, key=lambda case: case.enough is None):
        if all_methods:
            yield from (_report(case, runs) for case, runs in _runs(group, limits, pool))
            continue
        size = 1
        while block := list(islice(group, size)):
            yield from _reports(block, limits, pool)
            size = min(2 * size, _MOST_CASES)


def _reports(cases: Sequence[Case], limits: Limits, pool: Pool) -> Iterator[Report]:
    """Yield the reports of some cases, in their order, after as many methods as each case needs."""
    first = [replace(case, methods=_methods_at_first(case)) for case in cases]
    runs = [runs_of_case for _, runs_of_case in _runs(first, limits, pool)]
    reports = [_report(case, own) for case, own in zip(cases, runs, strict=True)]
    rest = [
        replace(case, methods=tuple(name for name in case.methods if name not in one.methods))
        if not _is_enough(case, report)
        else replace(case, methods=())
        for case, one, report in zip(cases, first, reports, strict=True)
    ]
    for case, own, report, (_, more) in zip(cases, runs, reports, _runs(rest, limits, pool), strict=True):
        yield _report(case, [*own, *more]) if more else report


def _methods_at_first(case: Case) -> tuple[str, ...]:
    """Return a method of each of as many families as are enough."""
    by_family: dict[str, str] = {}
    for name in case.methods:
        by_family.setdefault(METHODS[name].family, name)
    quick = [family for family in _FIRST_FAMILIES if family in by_family]
    families = dict.fromkeys([*quick, *by_family])
    return tuple(by_family[family] for family in islice(families, case.enough))


def _is_enough(case: Case, report: Report) -> bool:
    """Check whether enough families say the same, and no method has a fault."""
    return report.status == CONFIRMED and not report.faults and len(report.families) >= (case.enough or 0)


def _runs(cases: Iterable[Case], limits: Limits, pool: Pool) -> Iterator[tuple[Case, list[Run]]]:
    """Yield each case with the runs of its methods, in their order."""
    pending: list[tuple[Case, list[Run]]] = []
    n_reported = 0

    def jobs() -> Iterator[Job]:
        for number, case in enumerate(cases):
            pending.append((case, []))
            yield from (Job(number, case.puzzle, name) for name in case.methods)

    for number, run in run_all(jobs(), limits, pool):
        pending[number - n_reported][1].append(run)
        while pending and len(pending[0][1]) == len(pending[0][0].methods):
            yield pending.pop(0)
            n_reported += 1
    # Cases at the end without methods: no run completes these.
    yield from pending


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
