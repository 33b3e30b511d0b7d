"""What is asked of each of many puzzles, and what is known of it then."""

from dataclasses import dataclass
from typing import NamedTuple

from sudoku_encode.formats.entries import Block, Entry, Located
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import QUICK_CANDIDATES
from sudoku_encode.puzzles.arrays import Int64s
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.counting import Count
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import ONE, Pool
from sudoku_encode.storage.parts_file import PartsFile


class Question(NamedTuple):
    """What is asked of each puzzle.

    Attributes:
        method: a key of METHODS.
        limits: of each puzzle; those on solutions say up to how many are counted.
        options: of the method.
        solve: whether a solution is wanted, and not their number.
        pool: where the work is done, and how many puzzles are worked on at a time.
        parts_file: keeps what is known of a puzzle that is counted in parts.
    """

    method: str
    limits: Limits
    options: Options
    solve: bool = False
    pool: Pool = ONE
    parts_file: PartsFile | None = None

    @property
    def limit(self) -> int | None:
        """Up to how many solutions are counted, if their number is asked for and there is a limit."""
        return None if self.solve else self.limits.solutions

    @property
    def in_parts(self) -> bool:
        """Whether the solutions of a puzzle for which `search` takes long are counted in parts."""
        return not self.pool.is_here and not self.solve and self.limit is None

    def solved_by_one_solver(self, board: Geometry) -> bool:
        """Say whether many puzzles on a board are solved by one solver, and their answers are known together.

        On larger boards an answer does not wait for others. A time limit is for each puzzle by itself.
        """
        from sudoku_encode.methods.many import solves_many

        quick = self.limits.seconds is None and board.n_cells * board.n_values <= QUICK_CANDIDATES
        return self.solve and quick and solves_many(board, self.method, self.options)

    def answered_in_batches(self, board: Geometry) -> bool:
        """Say whether many puzzles on a board are answered at once, by `search` or one solver."""
        # Imported here and not for a single puzzle: it takes as long to load as that may take to solve.
        from sudoku_encode import search

        named = self.method in ("auto", "search") and self.options == Options()
        return (named and not search.unsupported_reason(board)) or self.solved_by_one_solver(board)


@dataclass(frozen=True, eq=False)
class Answer:
    """What is known of a puzzle.

    Attributes:
        located: an entry.
        count: how many solutions; of a puzzle that was to be solved, whether there is one. None where what was read is
            no puzzle.
        grid: a solution (n_cells,), if one was wanted and found.
        method: which method answered.
        seconds: how long that took.
    """

    located: Located
    count: Count | None
    grid: Grids | None = None
    method: str = ""
    seconds: float = 0.0

    @property
    def entry(self) -> Entry:
        """The puzzle, or what is wrong with it."""
        return self.located.entry


class BlockAnswer(NamedTuple):
    """What is known of consecutive puzzles on one board, each of which is answered.

    Attributes:
        located: a block.
        counts: int64 (m,), how many solutions, up to the limit.
        grids: uint8 (m, n_cells), a solution of each; zeros where there is none.
        limit: up to how many solutions were counted; None where one was wanted, or all were counted.
        method: which method answered.
        seconds: how long that took for each, on average.
    """

    located: Located
    counts: Int64s
    grids: Grids
    limit: int | None
    method: str
    seconds: float

    @property
    def block(self) -> Block:
        """The puzzles."""
        assert isinstance(self.located.found, Block)
        return self.located.found

    def known(self, found: int) -> Count:
        """Return what is known of a puzzle of which this many solutions were found."""
        return known_count(found, self.limit)

    def puzzle(self, row: int) -> Puzzle:
        """Return one of the puzzles."""
        return Puzzle(self.block.board, self.block.givens[row])


def known_count(found: int, limit: int | None) -> Count:
    """Return what is known where this many solutions were found, up to a limit."""
    return Count(found, True) if limit is None or found < limit else Count(found, False, f"limit of {limit}")
