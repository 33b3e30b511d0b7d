"""What a rating of a puzzle that is generated should be."""

import math
import re
from functools import partial

from sudoku_encode.errors import SudokuError
from sudoku_encode.generating.wanted import Aim
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.figures.table import DEFAULT_FIGURE, FIGURES
from sudoku_encode.questions.rating import Wanted, rate
from sudoku_encode.run.limits import Deadline

_NUMBER = r"[0-9]+(?:\.[0-9]+)?"


def aim_of(text: str) -> Aim:
    """Return what a text such as `backdoor:2-3`, `nodes:20-` or `7-21` aims at; one number means it exactly.

    Raises:
        SudokuError: there is no such figure, or it is no range.
    """
    name, _, span = text.rpartition(":")
    name = name or DEFAULT_FIGURE
    if name not in FIGURES:
        raise SudokuError(f"--rating {text}: no figure is called {name!r}; there are: {', '.join(FIGURES)}")
    found = re.fullmatch(f"({_NUMBER})?(-)?({_NUMBER})?", span)
    if not found or not (found[1] or found[3]) or (found[1] and found[3] and not found[2]):
        raise SudokuError(f"--rating {text}: write a range, such as {DEFAULT_FIGURE}:20-50, 20- or -50")
    low = float(found[1] or 0)
    high = float(found[3]) if found[3] else math.inf if found[2] else low
    if low > high:
        raise SudokuError(f"--rating {text}: {low:g} is above {high:g}")
    return Aim(f"{name}:{span}", low, high, partial(figure_of, name))


def figure_of(name: str, puzzle: Puzzle, deadline: Deadline) -> float | None:
    """Return a figure of a puzzle with one solution, None where it is not known.

    Raises:
        StoppedError: by the deadline.
    """
    found = rate(puzzle, deadline, Wanted((name,)))
    deadline()
    return found.figures[name].value
