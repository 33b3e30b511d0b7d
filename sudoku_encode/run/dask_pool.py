"""Workers of a Dask cluster. Needs the extra `cluster`."""

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import CancelledError, Executor, Future, InvalidStateError
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

from sudoku_encode.errors import MethodError, SudokuError, missing_package, printable, short
from sudoku_encode.run import tasks
from sudoku_encode.run.events import Remark, emit
from sudoku_encode.run.tasks import Job, Workers, version_fault, versions

# How long a scheduler may take to answer; how long the first worker is waited for; how old a number of workers may be;
# and how long a worker may take to be told to stop.
_CONNECT_SECONDS, _WORKER_SECONDS, _SIZE_SECONDS, _STOP_SECONDS = 10, 300, 1.0, 1.0
_IGNORE = {"on_error": "ignore"}
_LOGS = ("distributed", "tornado")


def connect(text: str) -> Workers:
    """Return the workers of the scheduler that a text names: `tcp://HOST:PORT`, or `scheduler-file:FILE`.

    Raises:
        SudokuError: no scheduler answers there; no worker comes; the versions differ.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise MethodError(missing_package("distributed", f"--executor {text}")) from error
    # Its own log says on standard error what is said here in a line.
    for name in [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in _LOGS]:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    kind, _, rest = text.partition(":")
    if kind == "scheduler-file":
        _check_scheduler_file(Path(rest), text)
    where: dict[str, Any] = {"scheduler_file": rest} if kind == "scheduler-file" else {"address": text}
    try:
        client: Any = Client(**where, timeout=_CONNECT_SECONDS, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError, TypeError, RuntimeError, KeyError) as error:
        why = printable(short(str(error), 200))
        raise SudokuError(f"--executor {text}: no scheduler answers there: {why}") from error
    try:
        _wait_for_workers(client, text)
        return _workers(client, _Submitting(client, {}), partial(_close, client))
    except BaseException:
        _close(client)
        raise


def _check_scheduler_file(path: Path, text: str) -> None:
    """Refuse a file that no scheduler wrote, at which Dask fails in ways of its own."""
    writes = "`dask scheduler --scheduler-file` writes it"
    if not path.is_file():
        what = f"{path} is not a plain file" if path.exists() else f"there is no file {path}"
        raise SudokuError(f"--executor {text}: {what}; {writes}")
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise SudokuError(
            f"--executor {text}: {path} cannot be read as JSON; {writes}: {printable(short(str(error)))}"
        ) from error
    if not isinstance(content, dict) or not isinstance(content.get("address"), str):
        raise SudokuError(f"--executor {text}: {path} has no address of a scheduler; {writes}")


def described(executor: Executor, close: Callable[[], None]) -> Workers:
    """Return the workers behind the executor of a Dask client."""
    client: Any = executor._client  # type: ignore[attr-defined]
    options: dict[str, Any] = executor._kwargs  # type: ignore[attr-defined]
    return _workers(client, _Submitting(client, options), close)


class _Submitting(Executor):
    """Submits tasks to a client.

    Dask's own executor leaves a task without an answer for ever whose result was on its way when the connection broke.
    """

    def __init__(self, client: Any, options: dict[str, Any]) -> None:
        # By default two equal calls are one task to Dask.
        self.client, self.options = client, {**options, "pure": False}

    def submit(self, task: Callable[..., Any], /, *arguments: Any, **named: Any) -> "Future[Any]":
        """Submit a task; its answer is an error where that is lost."""
        sent = self.client.submit(task, *arguments, **{**self.options, **named})
        answer: Future[Any] = Future()
        answer.add_done_callback(partial(_cancel, sent))
        self.client.loop.add_callback(_pass_on, sent, answer)
        return answer


def _cancel(sent: Any, answer: "Future[Any]") -> None:
    if answer.cancelled() and not sent.cancelled():
        # Without a connection the task is cancelled already.
        with suppress(Exception):
            sent.cancel()


async def _pass_on(sent: Any, answer: "Future[Any]") -> None:
    """Wait for a task of Dask, and give its answer to the future that the client has, unless that is cancelled."""
    with suppress(InvalidStateError):
        try:
            result = await sent._result()
        except (CancelledError, asyncio.CancelledError):
            answer.cancel()
            answer.set_running_or_notify_cancel()
        except Exception as error:
            answer.set_exception(error)
        else:
            answer.set_result(result)


def _wait_for_workers(client: Any, text: str) -> None:
    if _n_threads(client):
        return
    emit(Remark(f"{text} has no worker yet: waiting for the first"))
    try:
        client.wait_for_workers(1, timeout=_WORKER_SECONDS)
    except (OSError, TimeoutError) as error:
        raise SudokuError(f"--executor {text}: no worker came in {_WORKER_SECONDS} s") from error


def _workers(client: Any, executor: Executor, close: Callable[[], None]) -> Workers:
    """Return the workers of a client, after checking that their versions are those here."""
    for worker, worker_versions in client.run(versions, on_error="return").items():
        _compare(worker_versions, f"the worker {worker}")
    # The scheduler reads the tasks too.
    try:
        worker_versions = client.run_on_scheduler(versions)
    except Exception as error:
        worker_versions = error
    _compare(worker_versions, "the scheduler")
    size = _Size(client)
    return Workers(
        executor, size, partial(_stop, client), close, lambda: client.status not in ("running", "connecting")
    )


def _compare(worker_versions: Any, where: str) -> None:
    if isinstance(worker_versions, BaseException):
        what = printable(short(f"{type(worker_versions).__name__}: {worker_versions}", 200))
        raise MethodError(f"{where} cannot load sudoku_encode: {what}")
    if wrong := version_fault(worker_versions, where):
        raise MethodError(wrong)


class _Size:
    """Returns how many tasks the workers of a client take at a time, as of about a second ago."""

    def __init__(self, client: Any) -> None:
        self.client, self.last_size, self.last_time = client, 0, -_SIZE_SECONDS

    def __call__(self) -> int:
        if time.monotonic() - self.last_time >= _SIZE_SECONDS:
            # While the scheduler is away it is the number that was known last.
            with suppress(Exception):
                self.last_size = _n_threads(self.client)
            self.last_time = time.monotonic()
        return self.last_size


def _n_threads(client: Any) -> int:
    return sum(client.nthreads().values())


def _stop(client: Any, job: Job) -> None:
    """Tell all workers to stop a job: its tasks check for that."""
    tasks.stop(job)
    telling = threading.Thread(target=client.run, args=(tasks.stop_here, job.name), kwargs=_IGNORE, daemon=True)
    telling.start()
    # A worker that cannot be reached is not waited for.
    telling.join(_STOP_SECONDS)


def _close(client: Any) -> None:
    with suppress(Exception):
        client.close(timeout=_STOP_SECONDS)
