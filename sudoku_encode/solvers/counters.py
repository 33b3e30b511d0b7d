"""Model counters by others: Ganak counts exactly, ApproxMC estimates.

Both are told the projection. Without it every auxiliary variable that a solution leaves free would double its count.
"""

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, MethodError, requirement
from sudoku_encode.run.child import stream
from sudoku_encode.solvers.table import load_package

# Exact counting by Ganak, which lists nothing: it splits a formula into parts that share no variable, and caches them.


def count_by_ganak(encoding: Encoding, tick: Callable[[], None], seed: int = 0) -> int:
    """Return the number of solutions of an encoded puzzle.

    Ganak itself ignores deadlines, so it runs in a process of its own, and `tick` is called every 20 ms.

    Raises:
        StoppedError: by `tick`, or Ganak ran out of memory.
        MethodError: the package pyganak is not installed.
        InternalError: Ganak failed.

    Source: Sharma, Roy, Soos & Meel 2019; Soos & Meel 2025 (Ganak 2, with Arjun's preprocessing).
    """
    load_package("pyganak", "ganak")
    if encoding.contradiction:
        return 0
    number = next(stream(partial(_ganak_counts, encoding, seed), tick))
    if not isinstance(number, int) or number < 0:
        raise InternalError(f"ganak counts {number!r}")
    return number


def _ganak_counts(encoding: Encoding, seed: int) -> Iterator[int]:
    """Yield the number of solutions, as Ganak counts it."""
    # A counter can be used once only.
    counter = load_package("pyganak", "ganak").Counter(seed=seed)
    for chunk in encoding.cnf.chunks():
        counter.add_clauses(chunk.tolist())
    # A variable that no clause uses doubles the count if it is in this set, and changes nothing if it is not.
    counter.set_sampling_set(encoding.projection.tolist())
    yield counter.count()


# Estimates by ApproxMC: random parity constraints cut the solutions into cells that are small enough to list, and one
# cell is taken as a sample of all.


@dataclass(frozen=True)
class Estimate:
    """An estimate of the number of solutions. Never a `Count`: nothing is proved.

    With probability `confidence` or more, over ApproxMC's own random choices, `low` <= the true number <= `high`.
    """

    value: int  # the estimate
    tolerance: float  # epsilon: the estimate is within a factor of 1 + epsilon of the truth
    confidence: float  # 1 - delta

    @property
    def low(self) -> float:
        """The least number that the guarantee allows."""
        return self.value / (1 + self.tolerance)

    @property
    def high(self) -> float:
        """The largest number that the guarantee allows."""
        return self.value * (1 + self.tolerance)

    def __str__(self) -> str:
        """Return the number with its guarantee."""
        return f"about {self.value} ({self.low:.3g} to {self.high:.3g} with {self.confidence:.0%} confidence or more)"


def estimate(
    encoding: Encoding, tick: Callable[[], None], epsilon: float = 0.8, delta: float = 0.2, seed: int = 1
) -> Estimate:
    """Return an estimate of the number of solutions of an encoded puzzle; the projection is counted.

    `epsilon` is the tolerance, above 0, and `delta` the probability of a larger error. The same seed gives the same
    estimate. `tick` is called every 20 ms; ApproxMC itself ignores deadlines, so it runs in a process of its own.

    Raises:
        StoppedError: by `tick`, or ApproxMC ran out of memory.
        MethodError: the package pyapproxmc is not installed or counts wrongly, or epsilon or delta is out of range.
        InternalError: ApproxMC failed.

    Source: Chakraborty, Meel & Vardi 2013 and 2016; Soos, Gocht & Meel 2020.
    """
    if not epsilon > 0 or not 0 < delta < 1:
        raise MethodError(f"approxmc needs epsilon above 0 and delta between 0 and 1, not {epsilon} and {delta}")
    pyapproxmc = load_package("pyapproxmc", "approxmc")
    if loses_a_factor(pyapproxmc):
        raise MethodError(f"this pyapproxmc loses a factor of its count: pip install '{requirement('pyapproxmc')[0]}'")
    if encoding.contradiction:
        return Estimate(0, epsilon, 1 - delta)
    number = next(stream(partial(_approxmc_estimates, encoding, epsilon, delta, seed), tick))
    if not isinstance(number, int) or number < 0:
        raise InternalError(f"approxmc estimates {number!r}")
    return Estimate(number, epsilon, 1 - delta)


def _approxmc_estimates(encoding: Encoding, epsilon: float, delta: float, seed: int) -> Iterator[int]:
    """Yield the number of solutions, as ApproxMC estimates it."""
    counter = load_package("pyapproxmc", "approxmc").Counter(seed=seed, epsilon=epsilon, delta=delta)
    counter.add_clauses(_flat_clauses(encoding))
    size, hashes = counter.count(encoding.projection.tolist())
    yield size << hashes


def loses_a_factor(library: Any) -> bool:
    """Return whether the package counts the 2 models of `a is not b` as 1.

    Versions 4.3.0 to 4.4.0 do: their preprocessing finds that a variable is free, takes it out and notes a factor of
    2, which the Python binding drops. An estimate of a puzzle was too small by up to 32 in our tests.
    """
    counter = library.Counter()
    counter.add_clause([1, 2])
    counter.add_clause([-1, -2])
    size, hashes = counter.count([1, 2])
    return bool(size << hashes != 2)


def _flat_clauses(encoding: Encoding) -> "array[int]":
    """Return all clauses, each ended by 0."""
    flat = array("i")
    for chunk in encoding.cnf.chunks():
        for clause in chunk.tolist():
            flat.extend((*clause, 0))
    # ApproxMC knows only variables that are in a clause, but the projection may contain others: a tautology adds each.
    for variable in encoding.projection.tolist():
        flat.extend((variable, -variable, 0))
    return flat
