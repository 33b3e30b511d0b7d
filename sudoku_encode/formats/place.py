"""Where a puzzle is from, and what each record of it begins with. Light: every command has it."""

from typing import Any, NamedTuple


class Place(NamedTuple):
    """Where a puzzle is from; None where that is not so or not known.

    Attributes:
        file: as it was given, `stdin`, `argument` or `board`.
        line: where it begins, from 1.
        puzzle: its number among all that is read, from 1.
        name: what its file calls it.
    """

    file: str | None = None
    line: int | None = None
    puzzle: int | None = None
    name: str | None = None

    @property
    def text(self) -> str:
        """Where it is, for remarks: `FILE:LINE`."""
        return ":".join(str(part) for part in (self.file, self.line) if part is not None)

    def record(self, status: str, method: str | None = None, seconds: float | None = None) -> dict[str, Any]:
        """Return what each record of a puzzle begins with, in every command: FIRST_KEYS and their values."""
        rounded = None if seconds is None else round(seconds, 6)
        return dict(zip(FIRST_KEYS, [*self, status, method, rounded], strict=True))


NOWHERE = Place()
# The keys that every record of a puzzle begins with.
FIRST_KEYS = (*Place._fields, "status", "method", "seconds")
