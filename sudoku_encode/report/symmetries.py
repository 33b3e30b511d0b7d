"""Write symmetries of puzzles, and the kinds of their solutions."""

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, TypeVar

from sudoku_encode.errors import FormatError, MethodError, plural
from sudoku_encode.report.answers import AnswerReport
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.run.asking import Answer
from sudoku_encode.run.status import Status

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.symmetry.groups import Symmetry
    from sudoku_encode.symmetry.kinds import Kinds
    from sudoku_encode.symmetry.structure import SymmetryMap

R = TypeVar("R")
# Text lists up to this number of sizes of kinds.
_MOST_SIZES = 10


class _OneByOne(AnswerReport[R]):
    """Writes answers that this process computes without limits."""

    doing = "searching for symmetries ..."

    def write_all(self) -> int:
        """Write the answer for each puzzle, and return the exit status."""
        return self.write(self._answers())

    def _answers(self) -> "Iterator[tuple[SourceItem, Answer[R] | None]]":
        for item in self.source.entries():
            puzzle = item.entry.content
            if isinstance(puzzle, FormatError):
                yield item, None
                continue
            begun = time.monotonic()
            try:
                value, status = self.find(puzzle)
                yield item, Answer(value, status, seconds=time.monotonic() - begun)
            except MethodError as error:
                yield item, Answer(None, Status.REFUSED, str(error), seconds=time.monotonic() - begun)

    def find(self, puzzle: "Puzzle") -> tuple[R, Status]:
        """Return the answer about a puzzle."""
        raise NotImplementedError


class SymmetryReport(_OneByOne["Symmetry"]):
    """Writes the number of symmetries of each puzzle, and generators."""

    def find(self, puzzle: "Puzzle") -> "tuple[Symmetry, Status]":
        """Return the symmetries of a puzzle."""
        from sudoku_encode.api.symmetries import symmetries

        return symmetries(puzzle), Status.SHOWN

    def fields(self, item: "SourceItem", answer: "Answer[Symmetry] | None", reason: str) -> dict[str, Any]:
        """Return the numbers, and the image of each cell and value under each generator."""
        if answer is None or answer.value is None:
            return {"reason": reason}
        value = answer.value
        return {
            "order": value.order,
            "cell_maps": value.cell_maps,
            "renamings": value.renamings,
            "complete": value.complete,
            "generators": [_fields(generator) for generator in value.generators],
        }

    def text(self, item: "SourceItem", answer: "Answer[Symmetry]", value: "Symmetry") -> str:
        """Return the numbers in a sentence, and a line for each generator."""
        least = "" if value.complete else "at least "
        maps = f"{value.cell_maps:,} {plural('map', value.cell_maps)} of cells"
        names = f"{value.renamings:,} {plural('renaming', value.renamings)} of values"
        lines = [f"{least}{_symmetries(value.order)}: {maps}, times {names}"]
        if value.generators:
            lines.append("generators:")
        return "\n".join([*lines, *(generator.cycles(_board(item)) for generator in value.generators)])


class SameReport(_OneByOne["SymmetryMap | None"]):
    """Writes a map from each puzzle to another."""

    negative = frozenset((Status.DIFFERENT,))

    def __init__(self, source: PuzzleInput, form: str, other: "Puzzle") -> None:
        super().__init__(source, form)
        self.other = other

    def find(self, puzzle: "Puzzle") -> "tuple[SymmetryMap | None, Status]":
        """Return a map from a puzzle to the other one."""
        from sudoku_encode.api.symmetries import same

        symmetry_map = same(puzzle, self.other)
        return symmetry_map, Status.DIFFERENT if symmetry_map is None else Status.SAME

    def fields(self, item: "SourceItem", answer: "Answer[SymmetryMap | None] | None", reason: str) -> dict[str, Any]:
        """Return the map, or the reason why it is not known."""
        if answer is None or answer.stopped:
            return {"reason": reason}
        return {"map": None if answer.value is None else _fields(answer.value)}

    def record(
        self, item: "SourceItem", answer: "Answer[SymmetryMap | None] | None", status: Status, reason: str
    ) -> str:
        """Return the map, or `different` if there is no map."""
        if self.form == "json" or answer is None or answer.stopped:
            return super().record(item, answer, status, reason)
        text = "different" if answer.value is None else f"same: {answer.value.cycles(_board(item))}"
        return f"{self.heading(item)}: {text}" if self.source.many else text


def _symmetries(number: int) -> str:
    return f"{number:,} {'symmetry' if number == 1 else 'symmetries'}"


def _fields(symmetry_map: "SymmetryMap") -> dict[str, list[int]]:
    """Return the image of each cell, from 0, and of each value, from 1."""
    return {"cells": symmetry_map.cells.tolist(), "values": symmetry_map.values[1:].tolist()}


def _board(item: "SourceItem") -> "Geometry":
    from sudoku_encode.report.answers import puzzle_of

    return puzzle_of(item).geometry


class KindsReport(AnswerReport["Kinds"]):
    """Writes the number of kinds of solutions of each puzzle."""

    columns = ("kinds", "count", "order", "reason")

    def fields(self, item: "SourceItem", answer: "Answer[Kinds] | None", reason: str) -> dict[str, Any]:
        """Return the number of kinds, the number of solutions of each, and the number of symmetries."""
        value = None if answer is None else answer.value
        return {
            "kinds": value and value.count,
            "count": value and value.solutions,
            "sizes": value and list(value.sizes),
            "order": value and value.order,
            "complete": value is not None,
            "all_symmetries": value and value.complete,
            "reason": reason or None,
        }

    def rows(self, answer: "Answer[Kinds] | None", reason: str) -> Iterator[list[Any]]:
        """Yield a row with the numbers."""
        value = None if answer is None else answer.value
        yield [value and value.count, value and value.solutions, value and value.order, reason or None]

    def heading(self, item: "SourceItem") -> str:
        """Return an empty heading: each puzzle gets one line."""
        return ""

    def text(self, item: "SourceItem", answer: "Answer[Kinds]", value: "Kinds") -> str:
        """Return the number of kinds; a remark says how many solutions there are."""
        return f"{value.count}"

    def remark(self, answer: "Answer[Kinds]", reason: str) -> str:
        """Return the sizes of the kinds."""
        value = answer.value
        if value is None:
            return super().remark(answer, reason)
        sizes = ", ".join(f"{size:,}" for size in value.sizes[:_MOST_SIZES])
        more = ", ..." if len(value.sizes) > _MOST_SIZES else ""
        least = "" if value.complete else "; constraints may have more symmetries, and so fewer kinds"
        solutions = f"{value.solutions:,} {plural('solution', value.solutions)}"
        return f"{solutions}, {_symmetries(value.order)}{least}; of each kind: {sizes}{more}"
