"""A disk without room, for a moment."""

import resource
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_room(size: int = 0) -> Iterator[None]:
    """Let no file of this process grow beyond some bytes; the system says so as it says that a disk is full."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
