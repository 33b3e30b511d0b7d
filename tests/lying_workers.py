"""Executors whose workers return what is not so: what comes back is changed on its way."""

from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from faulty_executors import Direct


class Lies(Direct):
    """Changes the results of some tasks.

    Args:
        change: makes of the result of a task what comes back.
        lies: says of the number of a submission whether its result is changed.
    """

    def __init__(self, change: Callable[[Any], Any], lies: Callable[[int], bool]) -> None:
        super().__init__()
        self.change, self.lies = change, lies

    def answer(self, future: "Future[Any]", number: int, run: Callable[[], Any]) -> None:
        found = run()
        future.set_result(found._replace(result=self.change(found.result)) if self.lies(number) else found)
