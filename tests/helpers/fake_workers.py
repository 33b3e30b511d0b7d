"""Executors whose workers return what is not so: what comes back is changed on its way."""

from collections.abc import Callable
from typing import Any

from tests.helpers.faulty_executors import Changes


class Lies(Changes):
    """Changes the results of some tasks.

    Args:
        change: makes of the result of a task what comes back.
        lies: says of the number of a submission whether its result is changed.
    """

    def __init__(self, change: Callable[[Any], Any], lies: Callable[[int], bool]) -> None:
        super().__init__(lambda answer: answer._replace(result=change(answer.result)), lies)
