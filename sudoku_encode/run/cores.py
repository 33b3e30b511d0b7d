"""How many cores there are for this process, or for a task in it. Light: every command asks."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_one_only: ContextVar[bool] = ContextVar("one_only", default=False)


def cores() -> int:
    """Return on how many cores this process may run; 1 in a task of many, the others of which need the other cores."""
    if _one_only.get():
        return 1
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_on_one_core() -> bool:
    """Return whether this is a task of many, the others of which need the other cores."""
    return _one_only.get()


@contextmanager
def on_one_core() -> Iterator[None]:
    """Have `cores` return 1 meanwhile."""
    token = _one_only.set(True)
    try:
        yield
    finally:
        _one_only.reset(token)
