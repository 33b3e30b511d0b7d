"""What a figure is measured of, and what comes out."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from sudoku_encode.puzzles.arrays import freeze_fields
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.questions.copies import copies
from sudoku_encode.questions.hinting import SolvePath, worked
from sudoku_encode.run.limits import Deadline


@dataclass(frozen=True, eq=False)
class Figure:
    """A figure of a puzzle.

    Attributes:
        name: a key of FIGURES.
        value: the number that puzzles are sorted by; None where it has no meaning or is not known.
        text: it in words.
        data: what else is known, for a record.
        reason: why there is no value.

    >>> import sudoku_encode as se
    >>> se.rate("1234341221434...", board="4x4", figures=["backdoor"]).figures["backdoor"].value
    0
    """

    name: str
    value: float | None
    text: str
    data: Mapping[str, Any] = field(default_factory=dict)
    reason: str = ""

    def __post_init__(self) -> None:
        freeze_fields(self)


@dataclass(frozen=True, eq=False)
class Asked:
    """What is rated.

    Attributes:
        puzzle: the puzzle, which has one solution or none.
        solution: uint8 (n_cells,), or None.
        n_copies: over how many copies a median is taken.
        seed: of the copies.
    """

    puzzle: Puzzle
    solution: Grids | None
    n_copies: int
    seed: int
    _worked: list[SolvePath] = field(default_factory=list)

    @cached_property
    def copies(self) -> tuple[Puzzle, ...]:
        """Copies of the puzzle."""
        return tuple(copies(self.puzzle, self.n_copies, self.seed))

    def by_hand(self, deadline: Deadline) -> SolvePath:
        """Return the steps of the techniques, worked out once.

        Raises:
            StoppedError: by the deadline.
        """
        if not self._worked:
            self._worked.append(worked(self.puzzle, tick=deadline))
        return self._worked[0]


def over_copies(name: str, values: Sequence[int], asked: Asked, **data: Any) -> Figure:
    """Return a figure that was measured of each copy: the median, quartiles, smallest and largest."""
    least, low, middle, high, most = np.percentile(values, [0, 25, 50, 75, 100]).tolist()
    n_different = len(set(asked.copies))
    text = f"{middle:g}, the median of {len(values)} copies; half of them from {low:g} to {high:g}, all from {least:g} "
    text += f"to {most:g}"
    spread = {"least": int(least), "quartiles": [low, middle, high], "most": int(most)}
    return Figure(name, middle, text, spread | {"copies": len(values), "different_copies": n_different} | data)
