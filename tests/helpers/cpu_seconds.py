"""The CPU seconds of each test: one that takes many and is not marked `slow` is named at the end of the run.

No run fails by that: which tests pass depends on no machine's speed.
"""

import os
import resource
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import pytest

# Tests are marked from about 1 second on; what is allowed is much more, for slower machines.
MOST_CPU_SECONDS = 5.0
PROPERTY = "cpu_seconds_without_mark"
_PACKAGE = Path(__file__).parents[2] / "sudoku_encode"


class _Shared:
    """What the tests of a run share.

    Attributes:
        seconds: the CPU seconds that this process took to make it.
    """

    seconds = 0.0


@contextmanager
def making_shared() -> Iterator[None]:
    """Count what is done meanwhile for no test: it is made once in a run, by whichever test comes first."""
    before = cpu_seconds()
    try:
        yield
    finally:
        _Shared.seconds += cpu_seconds() - before


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its children that have ended, without what tests share."""
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages) - _Shared.seconds


def compiled_since(moment: float) -> bool:
    """Check whether any process has compiled a function of the package since a time of the clock."""
    caches = [*_PACKAGE.rglob("__pycache__")]
    if "NUMBA_CACHE_DIR" in os.environ:
        caches.append(Path(os.environ["NUMBA_CACHE_DIR"]))
    return any(file.stat().st_mtime >= moment for cache in caches for file in cache.rglob("*.nbi"))


def unmarked(seconds: Mapping[str, float]) -> Iterator[str]:
    """Yield a line for each test that takes too many CPU seconds for one that is not marked; the longest first.

    Args:
        seconds: of the tests that are not marked, by their names.
    """
    for name in sorted(seconds, key=lambda name: -seconds[name]):
        if seconds[name] > MOST_CPU_SECONDS:
            yield (
                f"{name} takes {seconds[name]:.1f} CPU seconds (more than {MOST_CPU_SECONDS:.0f}): "
                "make it cheaper, or mark it with @pytest.mark.slow"
            )


def is_judged(item: pytest.Item) -> bool:
    """Check whether a test may be called too slow: measuring coverage, or planted faults, make tests slower."""
    measured = item.config.getoption("cov_source", default=None)
    return not measured and "MUTATED" not in os.environ and item.get_closest_marker("slow") is None
