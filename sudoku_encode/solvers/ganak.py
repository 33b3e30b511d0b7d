"""Exact counting by Ganak, which lists nothing: it splits a formula into parts that share no variable, and caches them.

Only the variables that tell solutions apart are counted. Without that projection every auxiliary variable that a
solution leaves free would double its count.
"""

from collections.abc import Callable, Iterator
from functools import partial

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError
from sudoku_encode.run.child import stream
from sudoku_encode.solvers.optional import package


def count(encoding: Encoding, tick: Callable[[], None], seed: int = 0) -> int:
    """Return the number of solutions of an encoded puzzle.

    Args:
        encoding: any, with auxiliary variables or without.
        tick: called every 20 ms; Ganak itself looks at no deadline, so it works in a process of its own.
        seed: of Ganak.

    Raises:
        StoppedError: by `tick`, or Ganak ran out of memory.
        MethodError: the package pyganak is not installed.
        InternalError: Ganak failed.

    Source: Sharma, Roy, Soos & Meel 2019; Soos & Meel 2025 (Ganak 2, with Arjun's preprocessing).
    """
    package("pyganak", "ganak")
    if encoding.contradiction:
        return 0
    found = next(stream(partial(_counts, encoding, seed), tick))
    if not isinstance(found, int) or found < 0:
        raise InternalError(f"ganak counts {found!r}")
    return found


def _counts(encoding: Encoding, seed: int) -> Iterator[int]:
    """Yield the number of solutions, as Ganak counts it."""
    # A counter can be used once only.
    counter = package("pyganak", "ganak").Counter(seed=seed)
    for chunk in encoding.cnf.chunks():
        counter.add_clauses(chunk.tolist())
    # A variable that no clause uses doubles the count if it is in this set, and changes nothing if it is not.
    counter.set_sampling_set(encoding.projection.tolist())
    yield counter.count()
