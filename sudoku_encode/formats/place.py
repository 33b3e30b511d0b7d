"""Where a puzzle is from, and the first keys of its records. Imports nothing heavy: every command uses it."""

from typing import Any, NamedTuple


class Place(NamedTuple):
    """Where a puzzle is from; None for parts that do not apply or are not known."""

    file: str | None = None  # as it was given, `stdin`, `argument` or `board`
    line: int | None = None  # where it begins, from 1
    puzzle: int | None = None  # its number among all puzzles that are read, from 1
    name: str | None = None  # its name in the file

    @property
    def text(self) -> str:
        """Where it is, for remarks: `FILE:LINE`."""
        return ":".join(str(part) for part in (self.file, self.line) if part is not None)

    def record(self, status: str, method: str | None = None, seconds: float | None = None) -> dict[str, Any]:
        """Return the first keys of each record of a puzzle, in every command, with their values: FIRST_KEYS."""
        rounded = None if seconds is None else round(seconds, 6)
        return dict(zip(FIRST_KEYS, [*self, status, method, rounded], strict=True))


NOWHERE = Place()
# The first keys of every record of a puzzle.
FIRST_KEYS = (*Place._fields, "status", "method", "seconds")
