"""Compile what most tests need, once and before all of them, so that no test waits for it or answers in another way.

python -m tests.helpers.compiled_kernels
"""

from sudoku_encode.puzzles.boards import board
from sudoku_encode.search import loading

BOARDS = ("4x4", "6x6", "9x9", "16x16", "4x4x4", "9x9x9")


def main() -> None:
    """Load the compiled search of several boards, which compiles what is not compiled yet."""
    for name in BOARDS:
        loading.load(board(name))
        loading.load_for_batch(board(name))
    loading.load(board("4x4"), constrained=True)


if __name__ == "__main__":
    main()
