"""Runs the command line: `python -m sudoku_encode`."""

from sudoku_encode.cli import main

if __name__ == "__main__":
    main()
