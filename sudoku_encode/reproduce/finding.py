"""A finding about a paper: its claim, the recomputed result, and a verdict."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sudoku_encode import Puzzle

REPRODUCED, DIFFERS, UNCHECKED = "reproduced", "differs", "cannot be checked"
# The verdict where numbers of a paper are only compared with others of the same paper: no experiment was repeated.
CONSISTENT = "agrees with itself"
# The verdict on a question that the papers leave open.
SETTLED = "settled"
VERDICTS = (DIFFERS, REPRODUCED, CONSISTENT, SETTLED, UNCHECKED)


@dataclass(frozen=True)
class Work:
    """How much work the checks may do."""

    puzzles: int = 100  # the number of random puzzles of each kind, if a paper's own are not published
    seconds: float = 5.0  # for one method on one puzzle of a comparison
    # A reader's own puzzles, for the claims of one paper that need unpublished ones, and the names of their files.
    instances: "tuple[Puzzle, ...]" = ()
    instance_files: tuple[str, ...] = ()


@dataclass(frozen=True)
class Table:
    """Figures side by side: the paper's and ours."""

    columns: tuple[str, ...]  # the headings; a heading of figures that the paper prints contains `paper` or `thesis`
    rows: tuple[tuple[str | float | None, ...], ...]  # a cell for each column; None is an empty cell
    # The plots of the table: for each the name of its values, with a unit, and the headings of its columns. The text
    # columns at the left that are not the paper's name the rows; without any, the first column is the x axis.
    drawn: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def __post_init__(self) -> None:
        """Check the plots.

        Raises:
            ValueError: a heading of a plot is not the heading of exactly one column.
        """
        for _, columns in self.drawn:
            if wrong := [column for column in columns if self.columns.count(column) != 1]:
                raise ValueError(f"expected exactly one column {wrong[0]!r} in the table")


@dataclass(frozen=True)
class Series:
    """A series of points or bars in a plot."""

    of: str  # its subject, such as a method; the paper's series and ours on the same subject look alike. May be empty.
    x: tuple[float | str, ...]  # numbers, or names of groups of bars
    y: tuple[float | None, ...]  # a number for each x; None is a gap
    paper: bool  # whether the paper printed it; else it is ours
    how: str = ""  # distinguishes two series of this program on the same subject, such as the rules

    @property
    def label(self) -> str:
        """The text of the legend."""
        return ", ".join(part for part in (self.of, "paper" if self.paper else "ours", self.how) if part)


@dataclass(frozen=True)
class Plot:
    """A picture of a result table."""

    name: str  # of its file, without an ending
    title: str  # above it
    x: str  # x, y: the labels of the axes, with units
    y: str
    series: tuple[Series, ...]  # the data; bars where x are names
    log: bool = True  # whether the y axis is logarithmic


@dataclass(frozen=True)
class Finding:
    """One claim of a paper, recomputed."""

    place: str  # where in the paper, such as `Table 3` or `section II-D`
    paper: str  # the claim, in a sentence
    ours: str  # the recomputed result, in a sentence
    verdict: str  # one of VERDICTS
    why: str = ""  # the reason for a difference, or why the claim cannot be checked; further remarks
    table: Table | None = None  # figures side by side
    plot: Plot | None = None  # the same figures as a picture


def finding_of(record: dict[str, Any]) -> Finding:
    """Return the finding of a record made by `asdict`, also after a round trip through JSON.

    Raises:
        ValueError: the record is not a finding.
    """
    try:
        finding = Finding(**record)
        table, plot = finding.table and Table(**record["table"]), finding.plot and Plot(**record["plot"])
        if table:
            drawn = tuple((what, tuple(columns)) for what, columns in table.drawn)
            table = Table(tuple(table.columns), tuple(tuple(row) for row in table.rows), drawn)
        if plot:
            series = tuple(Series(**one) for one in record["plot"]["series"])
            plot = replace(plot, series=tuple(replace(one, x=tuple(one.x), y=tuple(one.y)) for one in series))
    except (TypeError, KeyError) as error:
        raise ValueError("not a finding") from error
    # The name becomes that of a file.
    if finding.verdict not in VERDICTS or (plot and not re.fullmatch(r"[a-z0-9-]+", plot.name)):
        raise ValueError("not a finding")
    return replace(finding, table=table, plot=plot)


Check = Callable[[Work], Finding]


@dataclass(frozen=True)
class Paper:
    """A paper and its checks."""

    key: str  # as in `sudoku-encode reproduce KEY`
    title: str  # of the paper
    citation: str  # authors, where and when it appeared
    about: str  # what it does, in a sentence or two
    checks: tuple[Check, ...]  # in the paper's order; the name of a function is the name of its finding


@dataclass(frozen=True)
class Page:
    """A paper with its findings."""

    paper: Paper
    findings: dict[str, Finding]  # by the name of their check, in the paper's order
    seconds: dict[str, float]  # the time of each check

    def of(self, verdict: str) -> dict[str, Finding]:
        """Return the findings with that verdict."""
        return {name: finding for name, finding in self.findings.items() if finding.verdict == verdict}


def verdict(agrees: bool, own: bool = False) -> str:
    """Return `reproduced` or `differs`; with `own`, where only the paper's own numbers are compared, CONSISTENT."""
    if not agrees:
        return DIFFERS
    return CONSISTENT if own else REPRODUCED


def side_by_side(
    columns: tuple[str, ...], *rows: tuple[Any, ...], drawn: Mapping[str, tuple[str, ...]] = MappingProxyType({})
) -> Table:
    """Return a table; `drawn` maps the name of the values of each plot to the headings of its columns."""
    return Table(columns, tuple(tuple(row) for row in rows), tuple(drawn.items()))
