"""What goes with a task to a worker and comes back with its answer, so that no answer is taken for another one's."""

import sys
from collections.abc import Callable
from functools import cache
from importlib import metadata
from typing import Any, NamedTuple, TypeVar

from sudoku_encode.errors import InternalError, MethodError, StoppedError, SudokuError, printable
from sudoku_encode.run.cores import on_one_core
from sudoku_encode.run.counting import OUT_OF_MEMORY
from sudoku_encode.run.events import ignore, observing
from sudoku_encode.run.stopping import Job, at_work_on

T = TypeVar("T")
R = TypeVar("R")

# What must be the same wherever a task runs, besides this package and Python.
_COMPARED = ("numpy", "numba", "ortools", "python-sat")


class Ticket(NamedTuple):
    """What goes with a task and comes back with its answer.

    Attributes:
        job: of all tasks that are handed out together.
        number: of the task.
        versions: the client's.
    """

    job: Job
    number: int
    versions: tuple[str, ...]


class Answer(NamedTuple):
    """What comes back: with what the task returned, or the error that it raised."""

    ticket: Ticket
    result: Any
    error: Exception | None = None


@cache
def versions() -> tuple[str, ...]:
    """Return the versions of this package, of Python and of what finds solutions, each behind its name.

    >>> versions()[1].startswith("Python 3.")
    True
    """
    from sudoku_encode import __version__

    python = f"Python {sys.version_info.major}.{sys.version_info.minor}"
    return f"sudoku-encode {__version__}", python, *(f"{name} {metadata.version(name)}" for name in _COMPARED)


def differing(theirs: tuple[str, ...], where: str) -> str:
    """Say how the versions somewhere differ from those here; an empty string where they do not."""
    pairs = zip(versions(), theirs, strict=False)
    different = [f"{there} and not {ours}" for ours, there in pairs if ours != there]
    return f"{where} has {', '.join(different)}: install the same versions there" if different else ""


def run(task: Callable[[T], R], item: T, ticket: Ticket) -> Answer:
    """Run a task, in whatever process."""
    if wrong := differing(ticket.versions, "the client"):
        return Answer(ticket, None, MethodError(wrong))
    try:
        with at_work_on(ticket.job), on_one_core(), observing(ignore):
            return Answer(ticket, task(item))
    except MemoryError:
        return Answer(ticket, None, StoppedError(OUT_OF_MEMORY))
    except (StoppedError, SudokuError, InternalError) as error:
        return Answer(ticket, None, error)
    except Exception as error:
        return Answer(ticket, None, InternalError(printable(f"{type(error).__name__}: {error}")))
