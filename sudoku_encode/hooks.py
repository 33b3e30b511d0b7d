"""What somebody at the top wants to know from the bottom, without an import of what is at work there."""

from collections.abc import Callable


def _ignore(busy: bool) -> None:
    pass


# Called with True when a compiled function is compiled, which happens once on a machine and takes seconds, and with
# False when that has ended.
compiling: Callable[[bool], None] = _ignore
