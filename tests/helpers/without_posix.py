"""Run commands in a process that has only what Windows has.

`python without_posix.py`: on standard input a list in JSON of a folder and arguments for each; on standard output, in
the same way, the status of each and what it printed on its standard output and standard error.
"""

import importlib
import io
import json
import os
import select
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from types import SimpleNamespace
from typing import cast

MODULES = ("crypt", "fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
# Some of what `os` and `signal` have on Linux alone, or on Linux and macOS.
OF_OS = (
    *(
        "O_ACCMODE",
        "O_ASYNC",
        "O_CLOEXEC",
        "O_DIRECTORY",
        "O_DSYNC",
        "O_NDELAY",
        "O_NOCTTY",
        "O_NOFOLLOW",
        "O_NONBLOCK",
    ),
    *("O_SYNC", "WNOHANG", "WIFSIGNALED", "chown", "eventfd", "fchmod", "fchown", "fork", "forkpty", "getegid"),
    *("geteuid", "getgid", "getloadavg", "getpgid", "getpgrp", "getuid", "killpg", "lchown", "lockf", "memfd_create"),
    *("mkfifo", "mknod", "nice", "openpty", "pidfd_open", "pipe2", "posix_fadvise", "posix_fallocate", "posix_spawn"),
    *("pread", "preadv", "pwrite", "register_at_fork", "sched_getaffinity", "sched_setaffinity", "sched_yield"),
    *("sendfile", "setpgid", "setsid", "sync", "sysconf", "uname", "wait", "wait3", "wait4", "waitid"),
)
OF_SIGNAL = (
    *("SIGALRM", "SIGBUS", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGIO", "SIGKILL", "SIGPIPE", "SIGPOLL", "SIGQUIT"),
    *("SIGSTOP", "SIGUSR1", "SIGUSR2", "alarm", "pthread_kill", "pthread_sigmask", "setitimer", "siginterrupt"),
    *("sigpending", "sigtimedwait", "sigwait"),
)
OF_SELECT = ("devpoll", "epoll", "kqueue", "poll")
# Libraries by others are as they are on Linux: loaded while all is there.
LIBRARIES = (
    *("concurrent.futures", "logging", "multiprocessing.connection", "random", "subprocess", "tempfile"),
    *("numba", "numpy.random", "ortools.sat.python.cp_model", "pysat.solvers", "rich.live", "rich.spinner", "typer"),
    *("cdclkit", "dratify", "isal.igzip", "miniexact", "zstandard"),
)


def hide() -> None:
    """Take away what Windows does not have."""
    for name in LIBRARIES:
        importlib.import_module(name)
    for name in MODULES:
        sys.modules[name] = None  # type: ignore[assignment]
    # Python itself ends a process in another way there.
    subprocess.signal = SimpleNamespace(**vars(signal))  # type: ignore[attr-defined]
    for module, names in ((os, OF_OS), (signal, OF_SIGNAL), (select, OF_SELECT)):
        for name in names:
            if hasattr(module, name):
                delattr(module, name)
    # Of Python itself, and of POSIX systems only.
    shutil._use_fd_functions = False  # type: ignore[attr-defined]
    for name in ("rename", "replace", "remove", "unlink"):
        setattr(os, name, _only_if_closed(getattr(os, name)))


def _only_if_closed(function: Callable[..., None]) -> Callable[..., None]:
    """Return a function of `os` that refuses files that are open, as it does on Windows."""

    def refusing(path: str | Path, *others: str | Path) -> None:
        for opened in Path("/proc/self/fd").iterdir():
            if os.path.realpath(opened) == os.path.realpath(path):
                raise PermissionError(13, "another program has the file open", str(path))
        function(path, *others)

    return refusing


def run(folder: str, arguments: Sequence[str]) -> tuple[int, str, str]:
    """Call `sudoku-encode` in a folder; returns its status, and what it printed."""
    from sudoku_encode.cli import main

    os.chdir(folder)
    out, err = (io.TextIOWrapper(io.BytesIO(), encoding="utf-8") for _ in range(2))
    sys.argv, status = ["sudoku-encode", *arguments], -1
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main()
        except SystemExit as end:
            status = cast(int, end.code)
    for stream in (out, err):
        stream.seek(0)
    return status, out.read(), err.read()


if __name__ == "__main__":
    hide()
    from sudoku_encode.storage import outputs

    outputs.MUST_CLOSE_FIRST = True
    print(json.dumps([run(*asked) for asked in json.load(sys.stdin)]))
