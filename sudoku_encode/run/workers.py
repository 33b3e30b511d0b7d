"""An executor, and what else can be asked of it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sudoku_encode.run.stopping import Job

if TYPE_CHECKING:
    from concurrent.futures import Executor


@dataclass(frozen=True, eq=False)
class Workers:
    """An executor, and what else can be asked of it.

    Attributes:
        executor: takes the tasks.
        size: says how many tasks may be at work at a time; 0 while there is no worker.
        stop: called with a job whose tasks should end at once.
        close: ends what was begun for it.
        is_broken: says whether it has lost its workers for ever, where it does not say so by BrokenExecutor.
    """

    executor: "Executor"
    size: Callable[[], int]
    stop: Callable[[Job], None]
    close: Callable[[], None]
    is_broken: Callable[[], bool] = lambda: False
