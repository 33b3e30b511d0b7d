"""Steps of a method that shows its work: text for people, data for programs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry

# A value in a cell, both as numbers: the cell from 0, the value from 1.
Candidate = tuple[int, int]
# The kinds of steps, in the order in which a method often takes them.
KINDS = {
    "note": "a fact, such as a number of solutions; it changes nothing",
    "candidates": "the candidates of the cells at this point, in `candidates`",
    "remove": "candidates that are removed, in `removes`",
    "place": "values put into cells because they must be there, in `places`",
    "guess": "values put into cells to try them, in `places`",
    "undo": "values taken out again, in `removes`",
    "branch": "a level of a search tree, or a branch of it",
    "vertices": "vertices of a graph that are made or deleted",
    "grid": "a grid as it is at this point, in `grid`",
    "end": "the result; `solutions` and `complete` in its data if the method knows how many there are",
}


@dataclass(frozen=True)
class Step:
    """A step of a method that shows its working.

    Attributes:
        text: a sentence or several lines, with the words of the paper; empty for a step that only programs need.
        kind: a key of KINDS.
        rule: the rule or technique that it follows.
        because: the cells that are the reason, from 0.
        places: values that are put into cells.
        removes: candidates that are removed, or values that are taken out.
        data: further data, as JSON takes it.
        row: for a step that is a row of a table, that row; it is printed in place of the text.

    >>> str(Step("1. naked single r1c1: 3", "place", "naked single", places=((0, 3),)))
    '1. naked single r1c1: 3'
    """

    text: str
    kind: str = "note"
    rule: str = ""
    because: tuple[int, ...] = ()
    places: tuple[Candidate, ...] = ()
    removes: tuple[Candidate, ...] = ()
    data: Mapping[str, Any] = field(default_factory=dict)
    row: str = ""

    def __post_init__(self) -> None:
        for name, kind in (("because", tuple), ("places", tuple), ("removes", tuple), ("data", dict)):
            object.__setattr__(self, name, kind(getattr(self, name)))

    def __str__(self) -> str:
        """Return the step as it is printed: its row of a table, or else its text."""
        return self.row or self.text

    def record(self, board: "Geometry") -> dict[str, Any]:
        """Return the step as JSON takes it: cells by their names, values of a cell as a list.

        >>> from sudoku_encode import board
        >>> Step("", "remove", "naked single", because=(0,), removes=((1, 3), (2, 3))).record(board("9x9"))["removes"]
        {'r1c2': [3], 'r1c3': [3]}
        """
        return {
            "kind": self.kind,
            "rule": self.rule,
            "because": [board.cell_name(cell) for cell in self.because],
            "places": _by_cell(board, self.places),
            "removes": _by_cell(board, self.removes),
            "text": self.text,
            "data": dict(self.data),
        }


def proves_none(last: Step) -> bool:
    """Check whether the last step of an explanation proves that there is no solution."""
    return last.data.get("solutions") == 0 and last.data.get("complete") is True


def _by_cell(board: "Geometry", candidates: Iterable[Candidate]) -> dict[str, list[int | None]]:
    values: dict[str, list[int | None]] = {}
    for cell, value in candidates:
        values.setdefault(board.cell_name(cell), []).append(board.numbers[value])
    return values
