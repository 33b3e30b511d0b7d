"""This machine: its cores, how processes are started on it, Ctrl-C and Ctrl-Z. Knows no Sudoku.

Imports nothing heavy: every command needs it.
"""

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from contextvars import ContextVar
from pathlib import Path

from sudoku_encode.errors import MethodError

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


# Starting processes.
#
# `fork` copies this process in half a millisecond, with all that is loaded here. A lock that another thread holds is
# copied as it is and never released in the copy, such as that of a module that is just being imported. So for a process
# with other threads a `server` without threads forks (see `fork_server`). If nothing can be forked, as on Windows, each
# process is a new Python (`spawn`), which takes about a second.

FORK, SERVER, SPAWN = "fork", "server", "spawn"
METHODS = (FORK, SERVER, SPAWN)
VARIABLE = "SUDOKU_ENCODE_START"
"""An environment variable that names one of these; then it is used always."""


class _Program:
    """Settings of the program that this process runs."""

    owns_process = False  # whether it is the command line, which knows all threads of its process
    always = ""  # a method that it always uses, where the system has it; by default that depends on its threads


program = _Program()

# Files that only this process may have open: what reads the other end takes the end of this process from it.
_private: set[int] = set()
# Locks, each with what tells the threads that hold no other lock while theirs is taken.
_quiet: list[tuple["threading.RLock | threading.Lock", Callable[[threading.Thread], bool]]] = []


def start_method() -> str:
    """Return how a process is started now.

    Raises:
        MethodError: the environment variable names no method, or one that the system does not have.
    """
    has_fork = hasattr(os, "fork")
    if chosen := os.environ.get(VARIABLE):
        if chosen not in METHODS or not (has_fork or chosen == SPAWN):
            raise MethodError(f"invalid {VARIABLE}={chosen!r}: expected {', '.join(METHODS if has_fork else (SPAWN,))}")
        return chosen
    if not has_fork:
        return SPAWN
    # Python itself forks by default on Linux, until 3.14.
    by_default = sys.platform == "linux" and (sys.version_info < (3, 14) or program.owns_process)
    can_fork_here = (by_default and not has_other_threads()) or not can_start_python()
    return program.always or (FORK if can_fork_here else SERVER)


def can_start_python() -> bool:
    """Return whether a new Python can be started: a program that is frozen into one file has none."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


def has_other_threads() -> bool:
    """Return whether another thread of Python may hold a lock.

    Threads of libraries in C++ are not counted: they hold locks only while a call into their library is at work, and
    that call is made by a thread of Python.
    """
    n_quiet = sum(any(is_quiet(thread) for _, is_quiet in list(_quiet)) for thread in threading.enumerate())
    return len(sys._current_frames()) > 1 + n_quiet


@contextmanager
def quiet_threads(
    lock: "threading.RLock | threading.Lock", is_quiet: Callable[[threading.Thread], bool]
) -> Iterator[None]:
    """Allow forks beside some threads meanwhile: they hold no other lock while this lock is taken."""
    _quiet.append((lock, is_quiet))
    try:
        yield
    finally:
        _quiet.remove((lock, is_quiet))


@contextmanager
def locked_quiet_threads() -> Iterator[None]:
    """Take the locks of all threads that may be running beside a fork."""
    with ExitStack() as locks:
        for lock, _ in list(_quiet):
            locks.enter_context(lock)
        yield


def keep_private(number: int) -> None:
    """Have every process that Python forks from this one close a file at once."""
    _private.add(number)


def close_private(number: int) -> None:
    """Close such a file here."""
    forget_private(number)
    os.close(number)


def forget_private(number: int) -> None:
    """Let a file, which is about to be closed here, be as others."""
    _private.discard(number)


def python(code: str) -> list[str]:
    """Return the command that runs some code in a new Python, which finds modules where this one does."""
    import subprocess

    options: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    return [sys.executable, *options, "-c", f"import sys; sys.path[:] = {sys.path!r}; {code}"]


def kill_session(pid: int) -> None:
    """End a process that leads a session, or is about to, with all that it started."""
    for end in (os.kill, os.killpg):
        with suppress(ProcessLookupError, PermissionError):
            end(pid, signal.SIGKILL)


def _close_all_private() -> None:
    """Close, in a process that was just forked, the files that are its parent's alone."""
    while _private:
        with suppress(OSError):
            os.close(_private.pop())


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_close_all_private)


# Ctrl-C: work that must not be cut in two; and Ctrl-Z.
#
# Long work runs in child processes (see `child`), so that the program itself only waits, and Python's own
# KeyboardInterrupt ends the wait.


@contextmanager
def uninterrupted() -> Iterator[None]:
    """Put off Ctrl-C until the `with` block is done.

    A fork needs it: Python swallows a KeyboardInterrupt that comes while it forks. To mask the signal would not do,
    since the system may then give it to another thread, such as that of a progress bar.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    pressed = False

    def press(*_: object) -> None:
        nonlocal pressed
        pressed = True

    before = signal.signal(signal.SIGINT, press)
    try:
        yield
    finally:
        # Left alone where another handler has replaced this one: a child process ignores Ctrl-C from its start.
        if signal.getsignal(signal.SIGINT) is press:
            signal.signal(signal.SIGINT, before)
        if pressed:
            signal.raise_signal(signal.SIGINT)


def suspend_on_ctrl_z() -> None:
    """Have Ctrl-Z suspend the processes of this one too: each is of a session of its own, which gets no Ctrl-Z."""
    # A shell without job control has it ignored.
    if hasattr(signal, "SIGTSTP") and signal.getsignal(signal.SIGTSTP) == signal.SIG_DFL:
        signal.signal(signal.SIGTSTP, _suspend)


def _suspend(*_: object) -> None:
    """Suspend this process and all that it started, until it is told to go on."""
    _send_all(signal.SIGSTOP)
    signal.signal(signal.SIGTSTP, signal.SIG_DFL)
    # Here it stands still.
    signal.raise_signal(signal.SIGTSTP)
    signal.signal(signal.SIGTSTP, _suspend)
    _send_all(signal.SIGCONT)


def _send_all(number: int) -> None:
    """Send a signal to all processes that this one started, directly or not, as far as the system lists them."""
    waiting = [os.getpid()]
    while waiting:
        for children in Path("/proc").glob(f"{waiting.pop()}/task/*/children"):
            with suppress(OSError):
                pids = [int(text) for text in children.read_text().split()]
                waiting += pids
                for pid in pids:
                    os.kill(pid, number)
