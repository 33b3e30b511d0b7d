"""The command line: `sudoku-encode`, also `python -m sudoku_encode`; `table` lists its commands."""

import atexit
import gc
import os

# After how many new objects Python looks for those that can be freed. By default after 700, so that it would look
# through all that is loaded again and again while more is loaded.
_NEW_OBJECTS = 100_000


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(_NEW_OBJECTS)
    # Python's last search for what can be freed takes a tenth of a short run, and the process ends anyway.
    atexit.register(gc.freeze)
    # numpy would start a thread for each core, for linear algebra of floats, of which there is none here: half of what
    # loading it costs.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    # Imported here, so that the table can be read without typer.
    from sudoku_encode.cli.program import main

    main()
