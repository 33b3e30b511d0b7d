"""The command line: `sudoku-encode`, also `python -m sudoku_encode`; `table` lists its commands."""

import atexit
import gc
import os
import signal
from contextlib import suppress
from typing import NoReturn

# After how many new objects Python looks for those that can be freed. By default after 700, so that it would look
# through all that is loaded again and again while more is loaded.
_NEW_OBJECTS = 100_000
# The exit status of `faults.INCOMPLETE`, which is not loaded yet.
_INCOMPLETE = 3


def main() -> None:
    """Run the command line and exit."""
    signal.signal(signal.SIGINT, _end_interrupted)
    gc.set_threshold(_NEW_OBJECTS)
    atexit.register(_end_soon)
    # numpy would start a thread for each core, for linear algebra of floats, of which there is none here: half of what
    # loading it costs.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imported here, so that the table can be read without typer.
    from sudoku_encode.cli.program import main

    try:
        main()
    except KeyboardInterrupt:
        # Ctrl-C came between two handlers.
        _end_interrupted()


def _end_interrupted(*_: object) -> NoReturn:
    """Exit at once: nothing was begun, and an exception in the middle of loading a module could become another one."""
    with suppress(OSError):
        os.write(2, b"interrupted\n")
    os._exit(_INCOMPLETE)


def _end_soon() -> None:
    """Have Python do no more at its end than it must."""
    # It takes the handlers of signals away, so that Ctrl-C would end it by the signal.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Its last search for what can be freed takes a tenth of a short run, and the process ends anyway.
    gc.freeze()
