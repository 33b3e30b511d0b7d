"""Many puzzles with constraints: what they share is made once, and the answers are those of each by itself."""

from sudoku_encode import Limits, Puzzle, board
from sudoku_encode.methods import asking, auto
from sudoku_encode.methods.options import Options


def _killers() -> list[Puzzle]:
    """Return puzzles with cages of 2x2 cells and one of two cells."""
    return [
        Puzzle.of(board("4x4"), constraints=[f"cage {total} r1c1 r1c2", "cage r2c2 r2c3 r3c2 r3c3"])
        for total in range(3, 8)
    ]


def test_compiled_search_is_loaded_before_the_processes_that_need_it() -> None:
    for name in ("search", "auto"):
        auto._load_constrained_search()
        auto._load_constrained_search.cache_clear()
        found = asking.count_each(enumerate(_killers()), name, Limits(), Options())
        # All pairs of values have as many solutions, by exchanging values, and 5 is the sum of two pairs.
        assert [count.value for _, count, _ in found] == [28, 28, 56, 28, 28]
        assert auto._load_constrained_search.cache_info().currsize == 1
