"""Compile what most tests need, once and before all of them, so that no test waits for it or answers in another way.

python -m tests.helpers.compiled_kernels
"""

import subprocess
import sys
from contextlib import suppress
from tempfile import TemporaryDirectory

import numpy as np

import sudoku_encode as se
from sudoku_encode.errors import SudokuError
from sudoku_encode.methods.table import METHODS
from sudoku_encode.proving import proved
from sudoku_encode.search import loading
from sudoku_encode.symmetry import minlex, minlex_kernel

BOARDS = ("4x4", "6x6", "9x9", "9x9+diagonals", "16x16", "4x4x4", "9x9x9")
# A 9x9 with 943,676 solutions.
MILLION = "000000000000000012003045000000003000060000000120000000000200006007000400000807000"
# Boards on which `frontier` counts in another way each.
COUNTED = ("4x4", "6x6", "8x8:2x4", "9x9", "latin:6x6")


def compile_search() -> None:
    """Load the compiled search of several boards, which compiles what is not compiled yet."""
    for name in BOARDS:
        loading.load(se.board(name))
        loading.load_for_batch(se.board(name))
    loading.load(se.board("4x4"), constrained=True)


def compile_others() -> None:
    """Count once by each way that is compiled, and sample; compile the proved programs where Coq is installed."""
    if not proved.missing_compilers():
        proved.build()
    for method in (name for name, row in METHODS.items() if row.compiled):
        for name in ("4x4", "4x4x4"):
            with suppress(SudokuError):
                se.count(se.Puzzle.of(se.board(name)), method, limits=se.Limits(solutions=2))
    for name in COUNTED:
        with suppress(SudokuError):
            se.count(se.Puzzle.of(se.board(name)), "frontier", limits=se.Limits(seconds=60))
    se.count(se.Puzzle.of(se.board("9x9x9")), "placements", limits=se.Limits(solutions=2))
    minlex.compiled_kernel().least_images(*(np.zeros((1, size), np.uint8) for size in (81, 81, minlex_kernel.STATE)))
    for name in ("9x9", "latin:5x5"):
        se.sample(se.Puzzle.of(se.board(name)), 1)
    with TemporaryDirectory() as folder:
        # By cells with symmetries and with constraints, and by bands.
        constrained = se.Puzzle.of(se.board("4x4"), constraints=["sum 5 r1c1 r1c2"])
        for puzzle in (se.Puzzle.of(se.board("latin:6x6")), constrained, se.read(MILLION)):
            se.prove(puzzle, folder, count=True)


PARTS = {"search": compile_search, "others": compile_others}


def main() -> None:
    """Run the parts, each in a process of its own."""
    if len(sys.argv) > 1:
        PARTS[sys.argv[1]]()
        return
    started = [subprocess.Popen([sys.executable, "-m", "tests.helpers.compiled_kernels", part]) for part in PARTS]
    sys.exit(max(process.wait() for process in started))


if __name__ == "__main__":
    main()
