"""A process without threads that forks others, for a process with threads; see `machine`. Knows no Sudoku.

The server is a new Python. It has loaded the modules that its client has, so that a process that it forks has them too,
and it ends with the client. It alone can wait for the processes, and end them before their numbers are given to others:
each has a socket, on which the server says how it ended, and whose end has the server end it.
"""

import atexit
import os
import pickle
import select
import signal
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import Any

from sudoku_encode.errors import ProcessDiedError
from sudoku_encode.run import child_work, machine
from sudoku_encode.run.child_work import Ends

# The modules of these packages that the client has loaded are loaded in the server.
_PACKAGES = ("sudoku_encode", "numpy", "numba", "ortools", "pysat")
# How often the server looks whether its client is still there, though copies of the client have its socket open.
_LOOK_MILLISECONDS = 1000
# How long a process that was ended is waited for, should the server be busy.
_END_MILLISECONDS = 2000
# How many calls that processes took long for the server makes at most, so that later processes need not.
_MAX_TAUGHT = 20
_STARTED, _FORK, _LOAD = b"s", b"f", b"l"
_STATUS_BYTES = 4
_N_FILES = 5


class ServerProcess:
    """A process that the server forked, seen from its client."""

    def __init__(self, control: socket.socket) -> None:
        self._control = control

    def wait(self) -> int:
        """Wait until it has ended; return its exit code, minus the number of a signal that killed it."""
        data = b""
        while piece := self._control.recv(64):
            data += piece
        self._control.close()
        status = data.removeprefix(_STARTED)
        # Without a status the server is gone, and with it all that it forked.
        return int.from_bytes(status, "little", signed=True) if len(status) == _STATUS_BYTES else -int(signal.SIGKILL)

    def kill(self) -> None:
        """End it with all that it started, and wait until it is gone."""
        with suppress(OSError):
            self._control.shutdown(socket.SHUT_WR)
            waiting = select.poll()
            waiting.register(self._control, select.POLLIN)
            # One that was not started yet never will be, and is not waited for.
            milliseconds = 0
            while waiting.poll(milliseconds) and self._control.recv(64):
                milliseconds = _END_MILLISECONDS
        self._control.close()


class _Server:
    """The server, seen from its client."""

    def __init__(self) -> None:
        self.control, theirs = socket.socketpair()
        self.loaded: set[str] = set()  # the modules that it was told to load
        self.taught: set[bytes] = set()  # the other things that it was told to do
        code = f"from sudoku_encode.run.fork_server import serve; serve({theirs.fileno()}, {os.getpid()})"
        with theirs:
            self.process = subprocess.Popen(
                machine.python(code),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
                # numpy would start threads for linear algebra, which nothing here uses.
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},
            )

    def send(self, kind: bytes, data: bytes, *files: Any) -> None:
        """Send a message with files, of which the first has the data."""
        with child_work.memory_file() as file:
            file.write(data)
            file.flush()
            socket.send_fds(self.control, [kind], [file.fileno(), *files])

    def load_modules(self) -> None:
        """Have it load the modules that are loaded here and not there."""
        own_modules = {name for name in list(sys.modules) if name.partition(".")[0] in _PACKAGES}
        if new := own_modules - self.loaded:
            self.loaded |= new
            self.send(_LOAD, pickle.dumps((sys.path, sorted(new), None)))

    def close(self) -> None:
        """End it."""
        self.control.close()
        self.process.kill()
        self.process.wait()


class _Client:
    """This process as a client, which starts a server when it needs one."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.server: _Server | None = None

    def close(self) -> None:
        """End the server, if there is one."""
        if self.server is not None:
            self.server.close()
            self.server = None

    def forget(self) -> None:
        """Leave the server to the process that started it: this one was just forked from that."""
        self.lock = threading.Lock()
        if self.server is not None:
            self.server.control.close()
            # Else Python warns of a process that nobody waited for.
            self.server.process.returncode = 0
            self.server = None


_client = _Client()
atexit.register(_client.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_client.forget)


def start(request: bytes, ends: Ends) -> ServerProcess:
    """Have the server fork a process that does what is requested.

    Raises:
        ProcessDiedError: the server cannot be started.
    """
    ours, theirs = socket.socketpair()
    with _client.lock, theirs:
        # Once more, should the server have been killed since.
        for is_last in (False, True):
            try:
                _client.server = _client.server or _Server()
                _client.server.load_modules()
                _client.server.send(_FORK, request, *ends, theirs.fileno())
                break
            except OSError as error:
                _client.close()
                if is_last:
                    ours.close()
                    raise ProcessDiedError(f"its process cannot be started: {error}") from error
    return ServerProcess(ours)


def teach(call: bytes) -> None:
    """Have the server make a call that a process took long for, so that the processes that it forks later need not.

    The call is a function without arguments, pickled; it has been called in a process of its own, and ended there.
    """
    with _client.lock, suppress(OSError):
        server = _client.server
        if server is not None and call not in server.taught and len(server.taught) < _MAX_TAUGHT:
            server.taught.add(call)
            server.send(_LOAD, pickle.dumps((sys.path, [], call)))


def serve(number: int, client: int) -> None:
    """Be the server at the socket of a number, until the process of the client is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The end of a process wakes the server: what a handler of Python writes there can be waited for.
    ended, wake = os.pipe()
    os.set_blocking(wake, False)
    os.set_blocking(ended, False)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    signal.set_wakeup_fd(wake, warn_on_full_buffer=False)
    control, processes = socket.socket(fileno=number), dict[int, socket.socket]()
    waiting = select.poll()
    waiting.register(control, select.POLLIN)
    waiting.register(ended, select.POLLIN)
    while os.getppid() == client:
        ready = {number for number, _ in waiting.poll(_LOOK_MILLISECONDS)}
        # The client wants no more of these. They come first: a new process may get the number of a socket of theirs.
        for pid, theirs in processes.items():
            if theirs.fileno() in ready:
                waiting.unregister(theirs)
                machine.kill_session(pid)
        if ended in ready:
            _reap(ended, processes, waiting)
        if number in ready and not _take(control, processes, waiting):
            break
    for pid in processes:
        machine.kill_session(pid)


def _take(control: socket.socket, processes: dict[int, socket.socket], waiting: "select.poll") -> bool:
    """Obey the next message of the client; return False if the client is gone."""
    kind, files, _, _ = socket.recv_fds(control, 1, _N_FILES)
    if not kind:
        return False
    with os.fdopen(files[0], "rb") as file:
        file.seek(0)
        data = file.read()
    if kind == _LOAD:
        _load(*pickle.loads(data))
        return True
    ends, theirs = Ends(*files[1:4]), socket.socket(fileno=files[4])
    if not select.select([theirs], [], [], 0)[0]:
        pid = _fork(data, ends, [control, theirs, *processes.values()])
        processes[pid] = theirs
        waiting.register(theirs, select.POLLIN)
        with suppress(OSError):
            theirs.send(_STARTED)
    else:
        # The client wants it no more.
        theirs.close()
    for number in files[1:4]:
        os.close(number)
    return True


def _fork(request: bytes, ends: Ends, sockets: list[socket.socket]) -> int:
    """Fork a process that does what is requested; the sockets are the server's alone."""
    pid = os.fork()
    if pid:
        return pid
    try:
        signal.set_wakeup_fd(-1)
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        for theirs in sockets:
            theirs.close()
        child_work.run_request(request, ends)
    finally:
        os._exit(1)


def _load(path: list[str], modules: list[str], call: bytes | None) -> None:
    """Load modules, and make a call; where that fails here, each process does it for itself."""
    sys.path[:] = path
    for name in modules:
        with suppress(BaseException):
            import_module(name)
    if call is not None:
        with suppress(BaseException):
            pickle.loads(call)()


def _reap(ended: int, processes: dict[int, socket.socket], waiting: "select.poll") -> None:
    """Tell the client how the processes ended that have."""
    with suppress(BlockingIOError):
        os.read(ended, 1 << 12)
    for pid, theirs in list(processes.items()):
        if os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
            continue
        # All that it started ends with it; until it is waited for, nothing else has its number.
        machine.kill_session(pid)
        status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
        with suppress(KeyError):
            waiting.unregister(theirs)
        with suppress(OSError):
            theirs.send(status.to_bytes(_STATUS_BYTES, "little", signed=True))
        theirs.close()
        del processes[pid]
