"""Commands on a cluster of this machine, undisturbed and disturbed: how scripts/cluster_trial runs them."""

import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from dask_processes import HOME, Cluster

COMMANDS = {
    "count": "count {puzzle} --method search --json -o {out}/count.jsonl",
    "enumerate": "enumerate {listed} -o {out}/solutions/",
    "verify": "verify instances/papers/inkala --methods search,sat,norvig2006 --json -o {out}/verify.jsonl",
    "generate": "generate --many 200 --clues 24 --seed 1 --json -o {out}/generate.jsonl",
    "prove": "prove {proved} -o {out}/certificate",
}
"""The commands by name; `{out}` is a new folder, and a word in braces is one of PUZZLES."""

# 89,223,005 solutions; 943,676; one.
PUZZLES = {
    "puzzle": "051000403000008000000000000605000200000200000002700005000000070020000050008500000",
    "listed": "000000000000000012003045000000003000060000000120000000000200006007000400000807000",
    "proved": "000000010400000000020000000000050407008000300001090000300400200050100000000806000",
}

UNDER = {
    "nothing": "nothing is killed",
    "workers": "workers are killed",
    "client": "the client is killed, and goes on with --resume",
    "scheduler": "the scheduler is killed, and begun again",
}
"""What is done meanwhile."""

# Fields of records that differ from run to run.
_MEASURED = ("seconds", "memory")
# A command that does not end in this time is ended, and differs.
_MOST_SECONDS = 3600.0
_LOOK_SECONDS, _DOWN_SECONDS = 0.05, 1.0


class Row(NamedTuple):
    """A run.

    Attributes:
        command: its name.
        under: what was done meanwhile; `here` where there was no executor.
        seconds: from the beginning of the command to its end.
        kills: how often something was killed.
        status: the exit status of the command.
        tasks: how many tasks the scheduler had.
        again: how often one was sent to a worker again.
        same: whether the output is that of the undisturbed run with an executor, byte for byte; of that run and of the
            others where there is none, whether the lines are those of the run without an executor.
        says: the last line on standard error, where that is not so; whether it ended before anything was killed.
    """

    command: str
    under: str
    seconds: float
    kills: int
    status: int
    tasks: int
    again: int
    same: bool
    says: str = ""


def trial(
    name: str,
    command: Sequence[str],
    under: Sequence[str],
    folder: Path,
    *,
    n_workers: int,
    kills: int,
    rng: random.Random,
) -> Iterator[Row]:
    """Run a command without an executor, then on a cluster under each disturbance.

    Args:
        name: of the command.
        command: its words, as in COMMANDS.
        under: of UNDER.
        folder: for all outputs and logs; it is emptied.
        n_workers: how many workers there are.
        kills: how many of them are killed at most in a run.
        rng: decides when, and which.

    Yields:
        A row for each run.
    """
    shutil.rmtree(folder, ignore_errors=True)
    first = Run(name, command, folder / "here", None)
    first.follow(None, 0, rng)
    # In parts solutions come in another order.
    expected, in_order, worked = contents(first.out, in_order=False), False, first.seconds / n_workers
    yield first.row("here", expected, in_order)
    for disturbance in under:
        with Cluster(folder / f"{disturbance}-cluster", n_workers) as cluster:
            run = Run(name, command, folder / disturbance, cluster)
            run.follow(disturbance, kills, rng, worked)
            worked = min(worked, run.worked)
            yield run.row(disturbance, expected, in_order, first.status)
            if disturbance == "nothing":
                expected, in_order = contents(run.out), True


class Run:
    """A command that is at work.

    Attributes:
        out: the folder of its output.
        seconds: how long it took.
        worked: how long it took from its first task on.
        kills: how often something was killed.
        status: its exit status.
    """

    def __init__(self, name: str, command: Sequence[str], folder: Path, cluster: Cluster | None) -> None:
        self.name, self.cluster, self.out = name, cluster, folder / "out"
        self.out.mkdir(parents=True)
        self.log = folder / "stderr.txt"
        words = {**PUZZLES, "out": str(self.out)}
        self.command = [word.format(**words) for word in command]
        if cluster is not None:
            self.command += ["--executor", cluster.executor]
        self.is_early = False
        self.seconds, self.worked, self.kills, self.status = 0.0, 0.0, 0, 0

    def follow(self, disturbance: str | None, kills: int, rng: random.Random, seconds: float = 0.0) -> None:
        """Run the command to its end, and disturb it.

        Args:
            disturbance: of UNDER; None where there is no cluster.
            kills: how many workers are killed at most.
            rng: decides when, and which.
            seconds: about how long the command takes from its first task on: what is killed is killed in that time.
        """
        begun = time.monotonic()
        process = self._begin()
        wanted = kills if disturbance == "workers" else int(disturbance in ("client", "scheduler"))
        first = due = float("inf")
        while process.poll() is None:
            time.sleep(_LOOK_SECONDS)
            now = time.monotonic()
            if now - begun > _MOST_SECONDS:
                process.kill()
            if self.cluster is None:
                continue
            self.cluster.keep_workers()
            if first == float("inf") and self.cluster.tasks:
                # What comes before the first task is only to load the program.
                first, due = now, now + rng.uniform(0, seconds / max(wanted, 1))
            if self.kills < wanted and now >= due:
                process = self._disturb(disturbance or "", process, rng)
                due = now + rng.uniform(0, seconds / wanted)
        ended = time.monotonic()
        self.seconds, self.worked, self.status = ended - begun, max(ended - first, 0.0), process.returncode
        self.is_early = self.kills == 0 < wanted

    def _disturb(self, what: str, process: "subprocess.Popen[bytes]", rng: random.Random) -> "subprocess.Popen[bytes]":
        """Kill something; return the process of the command, which may be another one then."""
        assert self.cluster is not None
        if what == "workers":
            self.kills += self.cluster.kill_worker(rng) is not None
        elif what == "scheduler":
            self.kills += 1
            self.cluster.kill_scheduler()
            time.sleep(_DOWN_SECONDS)
            self.cluster.begin_scheduler()
            self.cluster.wait_for_end()
            self.cluster.keep_workers()
        elif what == "client":
            self.kills += 1
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
            return self._begin("--resume")
        return process

    def _begin(self, *more: str) -> "subprocess.Popen[bytes]":
        environment = {**os.environ, "PYTHONPATH": str(HOME)}
        command = [sys.executable, "-m", "sudoku_encode", *self.command, *more]
        with self.log.open("ab") as log:
            return subprocess.Popen(
                command, env=environment, cwd=HOME, stdout=subprocess.DEVNULL, stderr=log, stdin=subprocess.DEVNULL
            )

    def row(self, under: str, expected: dict[str, str], in_order: bool, status: int | None = None) -> Row:
        """Return what came of it, compared with what is expected."""
        sent = Counter(key for key, where in (self.cluster.tasks if self.cluster else []) if where != "done")
        found = contents(self.out, in_order=in_order)
        same = found == expected and status in (None, self.status) and bool(found)
        says = "" if same else f"{differing(found, expected)} {self._last_line()}".strip()
        if self.is_early:
            says = f"it ended before anything was killed; {says}".removesuffix("; ")
        again = sum(sent.values()) - len(sent)
        return Row(self.name, under, round(self.seconds, 1), self.kills, self.status, len(sent), again, same, says)

    def _last_line(self) -> str:
        lines = self.log.read_text(encoding="utf-8", errors="replace").replace("\r", "\n").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


def contents(folder: Path, *, in_order: bool = True) -> dict[str, str]:
    """Return the digest of each file of a folder, by its name: of JSON lines without what is measured."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): _digest(path, in_order) for path in files}


def _digest(path: Path, in_order: bool) -> str:
    content = path.read_bytes()
    if path.suffix in (".json", ".jsonl"):
        content = b"\n".join(_without_measures(line) for line in content.split(b"\n"))
    if not in_order:
        content = b"\n".join(sorted(content.split(b"\n")))
    return hashlib.sha256(content).hexdigest()


def _without_measures(line: bytes) -> bytes:
    try:
        return json.dumps(_pruned(json.loads(line))).encode()
    except ValueError:
        return line


def _pruned(value: object) -> object:
    if isinstance(value, dict):
        return {key: _pruned(one) for key, one in value.items() if key not in _MEASURED}
    return [_pruned(one) for one in value] if isinstance(value, list) else value


def differing(found: dict[str, str], expected: dict[str, str]) -> str:
    """Say which files differ; an empty text where none does."""
    names = sorted(name for name in found.keys() | expected.keys() if found.get(name) != expected.get(name))
    return f"{', '.join(names[:5])} differ;" if names else ""
