"""Methods with a fault put into them: each is `sat`, and then does something wrong."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import numpy as np

from sudoku_encode.methods.method import Method
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.limits import Deadline

Listing = Callable[[Iterator[Grids], Puzzle], Iterator[Grids]]


def loses(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    """Keep the last solution back."""
    last = None
    for batch in batches:
        for grid in batch:
            if last is not None:
                yield last[None]
            last = grid


def invents(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    """Add one grid with two cells exchanged."""
    for batch in batches:
        wrong = batch[:1].copy()
        wrong[0, :2] = wrong[0, 1::-1]
        yield np.concatenate([batch, wrong])


def repeats(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    for batch in batches:
        yield batch[:1]
        yield batch


def hangs(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    yield from batches
    while True:
        time.sleep(1)


def raises(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    yield from batches
    raise ZeroDivisionError("seven is no number of legs")


def killed(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    yield from batches
    os.kill(os.getpid(), signal.SIGKILL)


def leaves(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    yield from batches
    os._exit(0)


def greedy(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    """Take 30 GB and write into all of it."""
    yield from batches
    hoard = [np.ones(1_000_000_000, np.uint8) for _ in range(30)]
    yield np.zeros((len(hoard), puzzle.geometry.n_cells), np.uint8)


def too_early(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    """End after the first solution as if there were no more."""
    for batch in batches:
        yield batch[:1]
        return


def shapeless(batches: Iterator[Grids], puzzle: Puzzle) -> Iterator[Grids]:
    for batch in batches:
        yield batch[:, :-1]


def method(name: str, listing: Listing) -> Method:
    """Return `sat` with a fault, under another name."""
    right = METHODS["sat"]

    def solutions(puzzle: Puzzle, deadline: Deadline, encoding: str) -> Iterator[Grids]:
        return listing(right.functions.solutions(puzzle, deadline, encoding=encoding), puzzle)

    return right._replace(name=name, family=name, module=SimpleNamespace(solutions=solutions), options=())


# The fault, and what `verify` should call it.
FAULTS: dict[str, tuple[Listing, str]] = {
    "loses": (loses, "loses"),
    "invents": (invents, "invents"),
    "repeats": (repeats, "repeats"),
    "hangs": (hangs, "hung"),
    "raises": (raises, "raised"),
    "killed": (killed, "died"),
    "leaves": (leaves, "died"),
    "greedy": (greedy, "memory"),
    "too-early": (too_early, "loses"),
    "shapeless": (shapeless, "raised"),
}
