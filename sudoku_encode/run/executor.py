"""Run many independent tasks on any executor, each answered exactly once. Knows no Sudoku.

An executor may run a task twice, lose one, lose its workers, or answer with the result of another task. So each task
has a number, its result carries that number, and tasks without a result are handed out again.
"""

import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from dataclasses import dataclass
from typing import Generic, TypeVar

from sudoku_encode.errors import InternalError, ProcessDiedError, StoppedError, SudokuError, printable, short
from sudoku_encode.run.events import Remark, emit
from sudoku_encode.run.pools import ExecutorLike, Pool, pool_of
from sudoku_encode.run.tasks import TaskId, TaskResult, forget, new_job, run, versions

T = TypeVar("T")
R = TypeVar("R")

# How often the deadline is checked while no task is done.
_POLL_SECONDS = 0.05
# How often a task is handed out again that was lost, or whose answer cannot be used; and how often one that was at work
# alone when the workers died.
_MAX_LOST, _MAX_ENDED = 3, 3
# An executor that has answered nothing when this many tasks are given up gives no answers; and how often a remark says
# that a task is handed out again.
_NO_ANSWERS, _MAX_REMARKS = 3, 20
# A task that was at work when workers died this often is then handed out alone, since it may be the one that ends them.
_SUSPECT = 2
# How long workers that are lost are waited for to come back, and between two tries; and tasks at work, to stop.
_RENEW_SECONDS, _TRY_SECONDS, _STOP_SECONDS = 120.0, 1.0, 2.0
# A task that was handed out waits for others before it; so much longer than it takes it may be away.
_OVERDUE_SECONDS = 60.0


class NotReady:
    """Among items: the next item depends on results that have not arrived yet."""


NOT_READY = NotReady()


@dataclass
class _Task(Generic[T]):
    """A task without an answer so far."""

    number: int  # of the task
    item: T  # what it is called with
    lost: int = 0  # how often it was handed out and gave no answer that could be used
    suspected: int = 0  # how often it was at work when the workers died
    ended: int = 0  # how often it was alone at work then
    why: str = ""  # the last reason of a failure


def spread(
    task: Callable[[T], R],
    items: Iterable[T | NotReady],
    executor: ExecutorLike,
    *,
    window: int | None = None,
    tick: Callable[[], None] = lambda: None,
    overdue_seconds: float | None = None,
    usable: Callable[[int, R], str] = lambda number, result: "",
) -> Generator[tuple[int, R | StoppedError]]:
    """Yield the number of each item, from 0, with the result of the task, as they are done, each number once.

    For processes and clusters the task is a function of a module, or a partial of one: it is sent with each item, which
    is small plain data. It calls `tasks.go_on` to learn whether its result is still needed. Items are taken as they are
    needed; NOT_READY if the next one depends on results that are to come. `window` tasks are handed out at a time, by
    default twice what may be at work; one that is away much longer than `overdue_seconds`, or whose result cannot be
    used, such as a grid that is not a solution (`usable` returns why), is handed out again. An executor that was given
    is not shut down here.

    If the task raised StoppedError, that is the result; if it was handed out several times and has no answer,
    ProcessDiedError.

    Raises:
        StoppedError: by `tick`; or all workers are lost. The tasks that have begun are told to stop.
        SudokuError: by a task; the versions differ.
        InternalError: a task raised anything else.
    """
    pool = pool_of(executor)
    dispatcher = _Dispatcher(task, iter(items), pool, window, overdue_seconds, usable)
    try:
        while True:
            dispatcher.hand_out(tick)
            if dispatcher.finished:
                return
            yield from dispatcher.take(tick)
            tick()
    finally:
        dispatcher.stop()
        if pool is not executor:
            pool.close()


def _in_words(error: BaseException) -> str:
    return printable(short(f"{type(error).__name__}: {error}", 200))


class _Dispatcher(Generic[T, R]):
    """Hands tasks out, and hands those that failed out again."""

    def __init__(
        self,
        task: Callable[[T], R],
        items: Iterator[T | NotReady],
        pool: Pool,
        window: int | None,
        overdue_seconds: float | None,
        usable: Callable[[int, R], str],
    ) -> None:
        self.task, self.items, self.pool, self.window = task, items, pool, window
        self.overdue_seconds, self.usable = overdue_seconds, usable
        self.job = new_job()
        # For each future its task and when it was handed out.
        self.in_flight: dict[Future[TaskResult], tuple[_Task[T], float]] = {}
        # Those that were away too long: their answers are taken if they come after all.
        self._overdue: dict[Future[TaskResult], _Task[T]] = {}
        self._unanswered: dict[int, _Task[T]] = {}
        self._again: deque[_Task[T]] = deque()
        self._alone: deque[_Task[T]] = deque()
        self._given_up: deque[_Task[T]] = deque()
        self._n_items, self._no_more, self._end = 0, False, NotReady()
        self._n_answered = self._n_given_up = self._n_lost = 0

    @property
    def finished(self) -> bool:
        """Whether every item has its answer, and there are no more."""
        return self._no_more and not self._unanswered

    def hand_out(self, tick: Callable[[], None]) -> None:
        """Hand out as many tasks as may be away at a time; one that may end its workers only by itself."""
        # While there is no worker, two tasks wait for the first.
        room = self.window or 2 * max(1, self.pool.size)
        while len(self.in_flight) < room and not (self._alone and self.in_flight):
            following = self._following()
            if following is None or not self._hand_out(following, tick):
                return
            if self._alone:
                return

    def _following(self) -> "_Task[T] | None":
        if self._alone:
            return self._alone.popleft()
        if self._again:
            return self._again.popleft()
        item = next(self.items, self._end)
        if isinstance(item, NotReady):
            self._no_more = item is self._end
            if not self._no_more and not self._unanswered:
                raise InternalError("the items wait for a result, and all have been given")
            return None
        task = _Task(self._n_items, item)
        self._unanswered[task.number] = task
        self._n_items += 1
        return task

    def _hand_out(self, task: "_Task[T]", tick: Callable[[], None]) -> bool:
        """Hand out a task; return whether the workers took it."""
        task_id = TaskId(self.job, task.number, versions())
        try:
            future = self.pool.submit(run, self.task, task.item, task_id)
        except BrokenExecutor as error:
            self._again.appendleft(task)
            self._renew(str(error), tick, alone=False)
            return False
        self.in_flight[future] = task, time.monotonic()
        return True

    def take(self, tick: Callable[[], None]) -> Iterator[tuple[int, R | StoppedError]]:
        """Wait a moment for results, and yield what has come; what cannot be used is handed out again."""
        done, _ = wait([*self.in_flight, *self._overdue], timeout=_POLL_SECONDS, return_when=FIRST_COMPLETED)
        broken, alone = "", len(self.in_flight) == 1
        for future in done:
            task = self._overdue.pop(future) if future in self._overdue else self.in_flight.pop(future)[0]
            if task.number not in self._unanswered:
                # It was handed out twice, and answered before.
                continue
            error = CancelledError() if future.cancelled() else future.exception()
            if isinstance(error, BrokenExecutor):
                broken = str(error) or "they are gone"
                self._suspect(task, alone)
            elif isinstance(error, CancelledError):
                self._lose(task, "it was cancelled")
            elif error is not None:
                # A worker that ends again and again with one task is reported this way by Dask. It may be a SystemExit
                # or a KeyboardInterrupt too, which are the worker's and not ours.
                self._lose(task, _in_words(error))
            else:
                yield from self._taken(task, future.result())
        if broken or self.pool.is_broken:
            self._renew(broken or "the scheduler is gone", tick, alone)
        self._resend_overdue()
        while self._given_up:
            task = self._given_up.popleft()
            if self._unanswered.pop(task.number, None):
                self._n_given_up += 1
                if not self._n_answered and self._n_given_up >= _NO_ANSWERS:
                    raise ProcessDiedError(f"the executor gives no answers: {task.why}")
                yield task.number, ProcessDiedError(task.why)

    def _taken(self, task: "_Task[T]", answer: object) -> Iterator[tuple[int, R | StoppedError]]:
        """Yield the number and the answer of a task, if the result is valid."""
        try:
            wrong = self._result_fault(task, answer)
        # The result may be any object, and fail at any access.
        except Exception as error:
            wrong = f"the result cannot be read: {_in_words(error)}"
        if wrong or not isinstance(answer, TaskResult):
            self._lose(task, wrong)
        elif isinstance(answer.error, StoppedError):
            yield self._noted(task), answer.error
        elif answer.error is not None:
            raise answer.error
        else:
            yield self._noted(task), answer.result

    def _result_fault(self, task: "_Task[T]", answer: object) -> str:
        """Return why a result is not valid for a task; "" if it is."""
        if (
            not isinstance(answer, TaskResult)
            or not isinstance(answer.task_id, TaskId)
            or answer.task_id.job != self.job
        ):
            return "the executor's answer is not a result of this task"
        if answer.task_id.number != task.number:
            return f"the executor answered with the result of task {answer.task_id.number}"
        if answer.error is None:
            return self.usable(task.number, answer.result)
        if isinstance(answer.error, StoppedError | SudokuError | InternalError):
            return ""
        return f"the executor answered with an error that no task raises: {short(repr(answer.error))}"

    def _noted(self, task: "_Task[T]") -> int:
        """Note that a task is answered, and return its number."""
        del self._unanswered[task.number]
        self._n_answered += 1
        return task.number

    def _lose(self, task: "_Task[T]", why: str) -> None:
        """Note that a task has no answer, and hand it out again; or give it up."""
        task.lost += 1
        if task.lost >= _MAX_LOST:
            task.why = f"task {task.number} was handed out {task.lost} times; the last time {why}"
            self._given_up.append(task)
        else:
            self._n_lost += 1
            if self._n_lost <= _MAX_REMARKS:
                more = "; more such tasks are not mentioned" if self._n_lost == _MAX_REMARKS else ""
                emit(Remark(f"task {task.number} is handed out again: {why}{more}"))
            self._again.append(task)

    def _suspect(self, task: "_Task[T]", alone: bool) -> None:
        """Note that the workers died while a task was at work: the one that ended them, or another one."""
        task.suspected += 1
        task.ended += alone
        if task.ended >= _MAX_ENDED:
            task.why = f"task {task.number} ended its worker {task.ended} times"
            self._given_up.append(task)
        elif task.suspected >= _SUSPECT:
            self._alone.append(task)
        else:
            self._again.append(task)

    def _renew(self, why: str, tick: Callable[[], None], alone: bool) -> None:
        """Make the workers again, and hand out their tasks again; raise ProcessDiedError if that is not possible."""
        for task, _ in self.in_flight.values():
            self._suspect(task, alone)
        self.in_flight.clear()
        self._overdue.clear()
        self.pool.drop()
        if not self.pool.renewable:
            raise ProcessDiedError(f"the executor lost its workers: {printable(why)}")
        emit(Remark(f"the workers were lost ({printable(why)}); their tasks are handed out again"))
        ends = time.monotonic() + _RENEW_SECONDS
        while True:
            try:
                _ = self.pool.workers
                return
            except SudokuError as error:
                if time.monotonic() >= ends:
                    raise ProcessDiedError(f"the workers were lost, and did not come back: {error}") from error
            next_try = time.monotonic() + _TRY_SECONDS
            while time.monotonic() < next_try:
                tick()
                time.sleep(_POLL_SECONDS)

    def _resend_overdue(self) -> None:
        """Hand out overdue tasks again; if the first answer comes after all, it is taken."""
        size = self.pool.size
        if self.overdue_seconds is None or not size:
            return
        away = self.overdue_seconds * (2 + len(self.in_flight) / size) + _OVERDUE_SECONDS
        now = time.monotonic()
        for future, (task, since) in list(self.in_flight.items()):
            if now - since > away:
                self._overdue[future] = self.in_flight.pop(future)[0]
                self._lose(task, f"no answer came in {away:.0f} s")

    def stop(self) -> None:
        """Cancel tasks that have not begun, and tell the others to stop."""
        at_work = [future for future in [*self.in_flight, *self._overdue] if not future.cancel() and not future.done()]
        if self.in_flight or self._overdue:
            self.pool.stop(self.job)
            wait(at_work, timeout=_STOP_SECONDS)
        if all(future.done() for future in at_work):
            forget(self.job)
