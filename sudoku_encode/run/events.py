"""What somebody at the top wants to know from the bottom, without an import of what is at work there."""

from collections.abc import Callable


def _ignore(what: object) -> None:
    pass


# Called with True when a compiled function is compiled, which happens once on a machine and takes seconds, and with
# False when that has ended.
compiling: Callable[[bool], None] = _ignore
# Called with a sentence that a person should read, such as that compiled code cannot be kept. It changes no answer.
remark: Callable[[str], None] = _ignore
