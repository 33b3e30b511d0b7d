"""A Dask scheduler and its workers as processes of this machine, which can be killed and begun again.

For scripts/cluster_trial, scripts/tls_example and tests. Dask's own `LocalCluster` does not serve: its scheduler is in
the process that begins it, so that it cannot be killed by itself.
"""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType

import psutil

HOME = Path(__file__).resolve().parent.parent
_START_SECONDS, _STOP_SECONDS = 60.0, 10.0


@dataclass
class Cluster:
    """A scheduler and some workers; a context manager, which ends them all.

    Args:
        folder: for the scheduler's file, logs, and files of the workers.
        n_workers: each with one thread, under a nanny of Dask's that begins it anew when it dies.
        environment: what differs from this process's.
        options: of `dask scheduler` and of `dask worker`, such as for TLS.
        is_noted: whether the scheduler notes all tasks, which takes time.
    """

    folder: Path
    n_workers: int = 2
    environment: Mapping[str, str] = field(default_factory=dict)
    options: Sequence[str] = ()
    is_noted: bool = True
    _port: int = 0
    _scheduler: "subprocess.Popen[bytes] | None" = None
    _nannies: "list[subprocess.Popen[bytes]]" = field(default_factory=list)

    @property
    def file(self) -> Path:
        """Where the scheduler writes how it is reached."""
        return self.folder / "scheduler.json"

    @property
    def executor(self) -> str:
        """The text of the option --executor."""
        return f"scheduler-file:{self.file}"

    @property
    def address(self) -> str:
        """The address of the scheduler, such as `tcp://127.0.0.1:8786`."""
        return str(json.loads(self.file.read_text(encoding="utf-8"))["address"])

    @property
    def scheduler_process(self) -> int:
        """The number of the scheduler's process."""
        assert self._scheduler is not None
        return self._scheduler.pid

    @property
    def tasks(self) -> list[tuple[str, str]]:
        """What the scheduler noted: a task and where it was sent, or `done`; see scripts/dask_preload.py."""
        log = self.folder / "tasks.txt"
        if not log.exists():
            return []
        lines = (line.split("\t") for line in log.read_text(encoding="utf-8").splitlines())
        return [(line[0], line[1]) for line in lines if len(line) == 2]

    def __enter__(self) -> "Cluster":
        self.folder.mkdir(parents=True, exist_ok=True)
        self._port = free_port()
        try:
            self.begin_scheduler()
            self.keep_workers()
        except BaseException:
            self.close()
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def begin_scheduler(self) -> None:
        """Begin a scheduler at the port that the one before it had, and wait until it can be reached."""
        preload = ("--preload", str(HOME / "scripts" / "dask_preload.py")) if self.is_noted else ()
        where = ("--host", "127.0.0.1", "--port", str(self._port), "--scheduler-file", str(self.file), *preload)
        self._scheduler = self._begin("scheduler", *where)
        self._wait(lambda: _answers(self._port), "the scheduler")

    def keep_workers(self) -> None:
        """Begin as many workers as are missing: `dask worker` ends when its scheduler does."""
        self._nannies = [one for one in self._nannies if one.poll() is None]
        while len(self._nannies) < self.n_workers:
            where = ("--scheduler-file", str(self.file), "--nthreads", "1", "--local-directory", str(self.folder))
            self._nannies.append(self._begin("worker", "--host", "127.0.0.1", *where))

    def workers(self) -> list[int]:
        """Return the numbers of the workers' processes, those under the nannies."""
        found = []
        for nanny in self._nannies:
            with suppress(psutil.Error):
                for child in psutil.Process(nanny.pid).children(recursive=False):
                    if "spawn_main" in " ".join(child.cmdline()):
                        found.append(child.pid)
        return found

    def kill_worker(self, rng: random.Random) -> int | None:
        """Kill one of the workers as a machine that fails does; return its number, if there was one."""
        some = self.workers()
        if not some:
            return None
        chosen = rng.choice(some)
        with suppress(ProcessLookupError):
            os.kill(chosen, signal.SIGKILL)
        return chosen

    def kill_scheduler(self) -> None:
        """Kill the scheduler."""
        assert self._scheduler is not None
        self._scheduler.kill()
        self._scheduler.wait()

    def wait_for_end(self) -> None:
        """Wait until the workers have noticed that their scheduler is gone, and have ended."""
        for nanny in self._nannies:
            with suppress(subprocess.TimeoutExpired):
                nanny.wait(_STOP_SECONDS)

    def close(self) -> None:
        """End all, the workers first."""
        every = [*self._nannies, *([self._scheduler] if self._scheduler else [])]
        children = []
        for one in every:
            with suppress(psutil.Error):
                children += psutil.Process(one.pid).children(recursive=True)
            one.terminate()
        for one in every:
            with suppress(subprocess.TimeoutExpired):
                one.wait(_STOP_SECONDS)
            one.kill()
            one.wait()
        for child in children:
            with suppress(psutil.Error):
                child.kill()
        self._nannies, self._scheduler = [], None

    def _begin(self, what: str, *arguments: str) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, **self.environment, "PYTHONPATH": str(HOME)}
        environment["SUDOKU_ENCODE_TASKS"] = str(self.folder / "tasks.txt")
        command = [sys.executable, "-m", "dask", what, "--no-dashboard", *self.options, *arguments]
        with (self.folder / f"{what}.log").open("ab") as log:
            return subprocess.Popen(command, env=environment, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

    def _wait(self, is_there: Callable[[], bool], what: str) -> None:
        ends = time.monotonic() + _START_SECONDS
        while not is_there():
            if time.monotonic() >= ends or (self._scheduler and self._scheduler.poll() is not None):
                raise RuntimeError(f"{what} did not begin: see {self.folder}")
            time.sleep(0.1)


def free_port() -> int:
    """Return a port of this machine that nothing listens at."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def _answers(port: int) -> bool:
    with suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=1):
        return True
    return False
