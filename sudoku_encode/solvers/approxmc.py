"""An estimate of the number of solutions by ApproxMC.

Random parity constraints cut the solutions into cells of a size that can be listed, and one cell stands for all.
"""

from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.errors import InternalError, MethodError, requirement
from sudoku_encode.run.child import stream
from sudoku_encode.solvers.optional import package


@dataclass(frozen=True)
class Estimate:
    """About how many solutions there are. Never a `Count`: nothing here is proved.

    With probability `confidence` or more, over ApproxMC's own random choices, `low` <= the true number <= `high`.

    Attributes:
        value: the estimate.
        tolerance: epsilon: the estimate is within a factor of 1 + epsilon of the truth.
        confidence: 1 - delta.
    """

    value: int
    tolerance: float
    confidence: float

    @property
    def low(self) -> float:
        """The least number that the guarantee allows."""
        return self.value / (1 + self.tolerance)

    @property
    def high(self) -> float:
        """The largest number that the guarantee allows."""
        return self.value * (1 + self.tolerance)

    def __str__(self) -> str:
        """Say the number with its guarantee."""
        return f"about {self.value} ({self.low:.3g} to {self.high:.3g} with {self.confidence:.0%} confidence or more)"


def estimate(
    encoding: Encoding, tick: Callable[[], None], epsilon: float = 0.8, delta: float = 0.2, seed: int = 1
) -> Estimate:
    """Return an estimate of the number of solutions of an encoded puzzle.

    Args:
        encoding: any, with auxiliary variables or without; what tells solutions apart is counted.
        tick: called every 20 ms; ApproxMC itself looks at no deadline, so it works in a process of its own.
        epsilon: how far off the estimate may be, above 0.
        delta: how likely it may be further off than that, between 0 and 1.
        seed: one seed, one estimate.

    Raises:
        StoppedError: by `tick`, or ApproxMC ran out of memory.
        MethodError: the package pyapproxmc is not installed or counts wrong, or there is no such epsilon or delta.
        InternalError: ApproxMC failed.

    Source: Chakraborty, Meel & Vardi 2013 and 2016; Soos, Gocht & Meel 2020.
    """
    if not epsilon > 0 or not 0 < delta < 1:
        raise MethodError(f"approxmc needs epsilon above 0 and delta between 0 and 1, not {epsilon} and {delta}")
    pyapproxmc = package("pyapproxmc", "approxmc")
    if loses_a_factor(pyapproxmc):
        raise MethodError(f"this pyapproxmc loses a factor of its count: pip install '{requirement('pyapproxmc')[0]}'")
    if encoding.contradiction:
        return Estimate(0, epsilon, 1 - delta)
    found = next(stream(partial(_estimates, encoding, epsilon, delta, seed), tick))
    if not isinstance(found, int) or found < 0:
        raise InternalError(f"approxmc estimates {found!r}")
    return Estimate(found, epsilon, 1 - delta)


def _estimates(encoding: Encoding, epsilon: float, delta: float, seed: int) -> Iterator[int]:
    """Yield the number of solutions, as ApproxMC estimates it."""
    counter = package("pyapproxmc", "approxmc").Counter(seed=seed, epsilon=epsilon, delta=delta)
    counter.add_clauses(_flat(encoding))
    size, hashes = counter.count(encoding.projection.tolist())
    yield size << hashes


def loses_a_factor(library: Any) -> bool:
    """Say whether the package counts the 2 models of `a is not b` as 1.

    Versions 4.3.0 to 4.4.0 do: their preprocessing finds that a variable is free, takes it out and notes a factor of
    2, which the Python binding drops. An estimate of a puzzle was too small by up to 32 in our tests.
    """
    counter = library.Counter()
    counter.add_clause([1, 2])
    counter.add_clause([-1, -2])
    size, hashes = counter.count([1, 2])
    return bool(size << hashes != 2)


def _flat(encoding: Encoding) -> "array[int]":
    """Return all clauses, each ended by 0."""
    flat = array("i")
    for chunk in encoding.cnf.chunks():
        for clause in chunk.tolist():
            flat.extend((*clause, 0))
    # ApproxMC knows only variables that are in a clause, but the projection may have others: a tautology adds each.
    for variable in encoding.projection.tolist():
        flat.extend((variable, -variable, 0))
    return flat
