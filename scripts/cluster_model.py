"""A model of a count or a listing on a cluster: how long it takes with a number of workers, and what they wait for.

Work is in seconds of a worker. It begins as some parts; a task works on one for its time at most, and what is left
comes back as parts of its own. A task costs the scheduler some time when it is sent and when it is done, and the client
some when it is made and when its result is taken; each does one thing at a time.
"""

import heapq
import random
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Costs:
    """What a task costs besides its work, in seconds.

    Attributes:
        client: of the client: to send it and to take its result.
        scheduler: of the scheduler: to send it to a worker, and to take and pass on its result.
        message: until what one sends is there.
        per_second: of the client for the result of each second of work, such as to check the solutions.
    """

    client: float = 0.0
    scheduler: float = 0.0
    message: float = 0.0
    per_second: float = 0.0


@dataclass(frozen=True)
class Way:
    """How work is cut.

    Attributes:
        first: how many parts there are at first.
        seconds: how long a task works at most.
        short_seconds: how long at most while fewer than two parts a worker wait.
        pieces: how many parts a task makes at most of what is left.
        least: a part of fewer seconds is not cut, since a task ends it.
    """

    first: int = 64
    seconds: float = 20.0
    short_seconds: float = 1.0
    pieces: int = 8
    least: float = 0.05


class Outcome(NamedTuple):
    """What a run was like.

    Attributes:
        seconds: from its beginning to the last result.
        tasks: how many there were.
        efficiency: the share of the workers' time that was work.
        scheduler, client: the share of the time in which each was busy.
    """

    seconds: float
    tasks: int
    efficiency: float
    scheduler: float
    client: float


class _One:
    """What does one thing at a time."""

    def __init__(self) -> None:
        self.free, self.busy = 0.0, 0.0

    def end_of(self, begin: float, cost: float) -> float:
        self.free = max(self.free, begin) + cost
        self.busy += cost
        return self.free


def run(work: float, shares: Sequence[float], workers: int, way: Way, costs: Costs, seed: int = 1) -> Outcome:
    """Return what a run is like.

    Args:
        work: how many seconds of work there are in all.
        shares: seconds of measured parts of one puzzle: the parts of the model differ in size as these do.
        workers: how many there are.
        way: how work is cut.
        costs: of a task.
        seed: of the random sizes.

    >>> run(100.0, [1.0], 1, Way(), Costs()).efficiency
    1.0
    """
    model = _Model(workers, way, costs, shares, random.Random(seed))
    return model.run(work)


class _Model:
    """A run, as it goes."""

    def __init__(self, workers: int, way: Way, costs: Costs, shares: Sequence[float], rng: random.Random) -> None:
        self.n_workers, self.way, self.costs, self.shares, self.rng = workers, way, costs, shares, rng
        self.idle, self.tasks, self.at_work = workers, 0, 0
        self.client, self.scheduler = _One(), _One()
        # Parts that the client has; tasks that are ready for a worker; and what happens when: a task is ready, or done.
        self.parts: deque[float] = deque()
        self.ready: deque[tuple[float, float]] = deque()
        self.events: list[tuple[float, int, str, tuple[float, float]]] = []

    def run(self, work: float) -> Outcome:
        """Work through all parts."""
        self.parts.extend(self._cut(work, self.way.first))
        self._send(0.0)
        end = 0.0
        while self.events:
            now, _, what, task = heapq.heappop(self.events)
            if what == "ready":
                self.ready.append(task)
                self._begin(now)
            elif what == "worked":
                self.idle += 1
                self._begin(now)
                passed_on = self.scheduler.end_of(now + self.costs.message, self.costs.scheduler / 2)
                self._at(passed_on + self.costs.message, "there", task)
            elif what == "there":
                cost = self.costs.client / 2 + self.costs.per_second * task[0]
                self._at(self.client.end_of(now, cost), "taken", task)
            else:
                self.at_work -= 1
                end = now
                if task[1] > 0:
                    self.parts.extend(self._cut(task[1], self.way.pieces))
                self._send(now)
        share = work / (self.n_workers * end)
        return Outcome(end, self.tasks, share, self.scheduler.busy / end, self.client.busy / end)

    def _cut(self, work: float, pieces: int) -> list[float]:
        if work <= self.way.least:
            return [work]
        drawn = [self.rng.choice(self.shares) for _ in range(pieces)]
        whole = sum(drawn)
        return sorted((work * one / whole for one in drawn), reverse=True)

    def _send(self, now: float) -> None:
        """Send tasks, two a worker, each with the time that is right when it is sent."""
        while self.parts and self.at_work < 2 * self.n_workers:
            part = self.parts.popleft()
            few = len(self.parts) < 2 * self.n_workers
            seconds = self.way.short_seconds if few else self.way.seconds
            worked = min(part, seconds)
            self.at_work += 1
            self.tasks += 1
            sent = self.client.end_of(now, self.costs.client / 2) + self.costs.message
            ready = self.scheduler.end_of(sent, self.costs.scheduler / 2) + self.costs.message
            self._at(ready, "ready", (worked, part - worked))

    def _begin(self, now: float) -> None:
        while self.idle and self.ready:
            task = self.ready.popleft()
            self.idle -= 1
            self._at(now + task[0], "worked", task)

    def _at(self, when: float, what: str, task: tuple[float, float]) -> None:
        heapq.heappush(self.events, (when, len(self.events) + self.tasks * 4, what, task))
