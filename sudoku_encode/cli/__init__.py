"""The command line: `sudoku-encode`, also `python -m sudoku_encode`; `table` lists its commands."""

import gc

# After how many new objects Python looks for those that can be freed. By default after 700, so that it would look
# through all that is loaded again and again while more is loaded.
_NEW_OBJECTS = 100_000


def main() -> None:
    """Run the command line and exit."""
    gc.set_threshold(_NEW_OBJECTS)
    # Imported here, so that the table can be read without typer.
    from sudoku_encode.cli.program import main

    main()
