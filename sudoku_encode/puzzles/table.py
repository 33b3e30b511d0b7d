"""The type of the package's tables (rules, formats, encodings, solvers, methods, papers): rows by name."""

from typing import Protocol, TypeVar

from sudoku_encode.errors import short


class HasName(Protocol):
    """A row that says its name."""

    @property
    def name(self) -> str:
        """The name in the table."""


Row = TypeVar("Row")
NamedRow = TypeVar("NamedRow", bound=HasName)

# The longest `repr` of a table or a row.
_WIDTH = 100


class Table(dict[str, Row]):
    """Rows by name, in the order in which help lists them. It is a dict that shows its names only.

    >>> Table(a=1, b=2)
    Table of 2: a, b
    """

    def __repr__(self) -> str:
        """Return the number of rows and as many names as fit on a line."""
        return short(f"Table of {len(self)}: {', '.join(self)}", _WIDTH)


def by_name(*rows: NamedRow) -> Table[NamedRow]:
    """Return the table of rows that say their names."""
    return Table({row.name: row for row in rows})


def brief(row: tuple[object, ...]) -> str:
    """Return the kind of a row and its first field, on one line."""
    return short(f"{type(row).__name__}({row[0]!r})", _WIDTH)
