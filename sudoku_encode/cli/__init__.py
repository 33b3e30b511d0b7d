"""The command line: `sudoku-encode`, also `python -m sudoku_encode`; `table` lists its commands."""


def main() -> None:
    """Run the command line and exit."""
    # Imported here, so that the table can be read without typer.
    from sudoku_encode.cli.program import main

    main()
