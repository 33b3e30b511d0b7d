"""Locks on open files, by `flock`. Windows has none: nothing is locked there, and two runs must not share a file."""

try:
    import fcntl
except ImportError:
    fcntl = None  # type: ignore[assignment]


def lock(number: int) -> None:
    """Lock an open file for this process, and those that are copied from it.

    Raises:
        BlockingIOError: another process has locked it.
        OSError: it cannot be locked.
    """
    if fcntl is not None:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)


def unlock(number: int) -> None:
    """Take back a lock.

    Raises:
        OSError: the file was never locked.
    """
    if fcntl is not None:
        fcntl.flock(number, fcntl.LOCK_UN)
