"""What `all` stands for in place of an encoding or of a way to write at-most-one."""

from typing import NamedTuple

from sudoku_encode.encoders.encoding import unsupported_reason
from sudoku_encode.encoders.table import ALL, DEFAULT_ENCODING, ENCODINGS
from sudoku_encode.errors import MethodError
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.puzzles.geometry import Geometry


class Variant(NamedTuple):
    """An encoding, and how it writes at-most-one; None where that is not said or, of `all`, not taken."""

    encoding: str | None
    amo: str | None

    @property
    def name(self) -> str:
        """What its file is called."""
        return "-".join(part for part in (self.encoding or DEFAULT_ENCODING, self.amo) if part)


def variants(encoding: str | None, amo: str | None, board: Geometry) -> list[Variant]:
    """Return what is asked for: of `all` encodings those that fit the board, of `all` ways those that they take.

    Args:
        encoding: a key of ENCODINGS, `all`, or None where it is not said.
        amo: a key of AT_MOST_ONE, `all`, or None where it is not said.
        board: of the puzzle.

    Raises:
        MethodError: `all` at-most-ones of an encoding that takes none of them.
    """
    if amo == ALL != encoding and "amo" not in ENCODINGS[encoding or DEFAULT_ENCODING].options:
        raise MethodError(f"encoding {encoding} takes no option amo")
    unfitting = unfit(board) if encoding == ALL else {}
    names = [name for name in ENCODINGS if name not in unfitting] if encoding == ALL else [encoding]
    return [Variant(name, way) for name in names for way in ([amo] if amo != ALL else _ways(name or DEFAULT_ENCODING))]


def _ways(encoding: str) -> list[str | None]:
    """Return the ways in which an encoding can write at-most-one; of one that does so in a way of its own, None."""
    return [*AT_MOST_ONE] if "amo" in ENCODINGS[encoding].options else [None]


def unfit(board: Geometry) -> dict[str, str]:
    """Return the encodings that are not right on a board, with the reason."""
    reasons = {name: unsupported_reason(name, board) for name in ENCODINGS}
    return {name: reason for name, reason in reasons.items() if reason}
