"""The search tree of Jana et al. 2023 over P, reduced and sorted, as DOT and SVG.

Source: Jana et al. 2023, Fig. 12.
Differs: as `jana2021_picture`.
"""

from collections.abc import Callable, Iterator

from sudoku_encode.papers.jana2021_picture import no_clash, picture
from sudoku_encode.papers.jana2023_v1 import plan
from sudoku_encode.puzzles.puzzle import Puzzle


def draw(puzzle: Puzzle, tick: Callable[[], None], form: str, minigrids: bool = False) -> Iterator[str]:
    """Yield the lines of a file with the search tree that is left after the five constraints.

    Args:
        puzzle: a cube.
        tick: called now and then; it may raise StoppedError.
        form: `dot` or `svg`.
        minigrids: apply the constraints to minigrids too, not to rows only.

    Raises:
        MethodError: two givens clash, so that there is no tree; or it is too large for a picture.
    """
    no_clash(puzzle)
    yield from picture(plan(puzzle, tick, minigrids), tick, form)
