"""The child processes of this one, so that a test sees which ones it left behind, whatever others have started."""

from pathlib import Path

import pytest

_TASKS = Path("/proc/self/task")
needs_proc = pytest.mark.skipif(not _TASKS.is_dir(), reason="/proc lists no child processes here")


def child_processes() -> set[int]:
    """Return the numbers of the processes that this one has started, those too that ended and nobody waited for."""
    return {int(number) for task in _TASKS.iterdir() for number in (task / "children").read_text().split()}
