"""What a Dask scheduler loads with `--preload` to note in a file which task was sent where, and which is done.

It imports nothing of this project: a scheduler needs Dask alone.
"""

import os
from pathlib import Path
from typing import Any

from distributed.diagnostics.plugin import SchedulerPlugin


class Noted(SchedulerPlugin):
    """Writes a line for each task that is sent and for each that is done."""

    def __init__(self, scheduler: Any, path: Path) -> None:
        self.scheduler, self.path = scheduler, path

    def transition(self, key: Any, start: str, finish: str, *args: Any, **kwargs: Any) -> None:
        """Take note of a task that goes from one state to another."""
        if finish == "processing":
            at = self.scheduler.tasks[key].processing_on
            self._write(f"{key}\t{at.address if at else '?'}\n")
        elif finish == "memory":
            self._write(f"{key}\tdone\n")

    def _write(self, line: str) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(line)


async def dask_setup(scheduler: Any) -> None:
    """Called by Dask when the scheduler begins."""
    scheduler.add_plugin(Noted(scheduler, Path(os.environ["SUDOKU_ENCODE_TASKS"])), name="noted")
