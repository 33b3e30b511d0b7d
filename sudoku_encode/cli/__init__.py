"""The command line, `sudoku-encode` or `python -m sudoku_encode`; `table` lists the commands."""

import atexit
import gc
import os
import signal
from contextlib import suppress
from typing import NoReturn

# The modules that other rooms may import; tests/project/test_layers.py holds it.
FACE: tuple[str, ...] = ()

# Python collects garbage after this many new objects. The default of 700 would repeat it again and again while modules
# are loaded.
_NEW_OBJECTS = 100_000
# The same as `program.INCOMPLETE`, which is not loaded yet.
_INCOMPLETE = 3


def main() -> None:
    """Run the command line and exit."""
    signal.signal(signal.SIGINT, _end_interrupted)
    gc.set_threshold(_NEW_OBJECTS)
    atexit.register(_shorten_shutdown)
    # numpy would start a thread per core for linear algebra, which is not used here: half of its loading time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imported here so that the table can be read without typer.
    from sudoku_encode.cli.program import main

    try:
        main()
    except KeyboardInterrupt:
        # Ctrl-C came between two handlers.
        _end_interrupted()


def _end_interrupted(*_: object) -> NoReturn:
    """Exit at once, since an exception while a module is loaded could become another one."""
    with suppress(OSError):
        os.write(2, b"interrupted\n")
    os._exit(_INCOMPLETE)


def _shorten_shutdown() -> None:
    """Skip the parts of Python's shutdown that are not needed."""
    # Python removes signal handlers, so that Ctrl-C would end the process by the signal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # The last garbage collection takes a tenth of a short run, and the process ends anyway.
    gc.freeze()
