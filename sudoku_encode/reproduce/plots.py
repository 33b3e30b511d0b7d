"""The figures of a finding as plots: what the paper prints is hollow, ours is full."""

import re
from collections.abc import Sequence
from itertools import takewhile
from typing import NamedTuple

from sudoku_encode.render import plots
from sudoku_encode.render.scales import spans_decades
from sudoku_encode.reproduce.finding import Finding, Page, Plot, Table

# Values over a number are joined by a line where they are no more than this; more are a cloud.
_MOST_JOINED = 20


class Named(NamedTuple):
    """A plot, with the name of its file without an ending."""

    name: str
    plot: plots.Plot


def of_page(page: Page) -> dict[str, list[Named]]:
    """Return the plots of each finding, by the name of its check; a list is empty where a table has no figures."""
    return {name: of_finding(f"{page.paper.key}-{name}", finding) for name, finding in page.findings.items()}


def of_finding(name: str, finding: Finding) -> list[Named]:
    """Return the plots of a finding: its own, and those of its table.

    Args:
        name: what the names of plots of its table begin with.
        finding: what was found.
    """
    own = [Named(finding.plot.name, _own(finding.plot))] if finding.plot else []
    drawn = finding.table.drawn if finding.table else ()
    stem = name.replace("_", "-")
    for number, (what, columns) in enumerate(drawn, start=1):
        assert finding.table is not None
        name = f"{stem}-{number}" if len(drawn) > 1 else stem
        own.append(Named(name, _of_table(finding.table, what, columns)))
    return own


def _own(plot: Plot) -> plots.Plot:
    """Draw the paper's figures and ours of the same thing in the same colour."""
    things = list(dict.fromkeys((series.of, series.how) for series in plot.series))
    drawn = tuple(
        plots.Series(
            series.label,
            series.x,
            series.y,
            things.index((series.of, series.how)),
            hollow=(True,) * len(series.x) if series.paper else (),
        )
        for series in plot.series
    )
    return plots.Plot(plot.title, plot.x, plot.y, drawn, plot.log)


def _of_table(table: Table, what: str, columns: Sequence[str]) -> plots.Plot:
    """Draw some columns of a table, whose values are of one kind."""
    cells = list(zip(*table.rows, strict=True))
    first = min(map(table.columns.index, columns))
    named = list(takewhile(lambda at: any(isinstance(cell, str) for cell in cells[at]), range(first)))
    own = [at for at in named if not _is_paper(table.columns[at])]
    x = _names([[row[at] for at in own] for row in table.rows]) if own else tuple(float(cell) for cell in cells[0])
    series = []
    # The first of the paper's and the first of ours are of the same thing.
    seen = {True: 0, False: 0}
    for heading in columns:
        is_paper = _is_paper(heading)
        y = tuple(map(_value, cells[table.columns.index(heading)]))
        label = heading if len(columns) > 1 else ""
        hollow = (True,) * len(x) if is_paper else ()
        series.append(plots.Series(label, x, y, seen[is_paper], hollow, joined=len(x) <= _MOST_JOINED))
        seen[is_paper] += 1
    values = [value for one in series for value in one.y if value is not None]
    return plots.Plot(what, "" if own else table.columns[0], "", tuple(series), spans_decades(values))


def _is_paper(heading: str) -> bool:
    """Say whether a column has what the paper prints."""
    return bool(re.search(r"\b(paper|thesis)\b", heading))


def _value(cell: str | float | None) -> float | None:
    """Return the number in a cell, which may also be there as text; None for `at least 3`, which is no number."""
    if isinstance(cell, str):
        return int(cell) if cell.isdecimal() else None
    return cell


def _names(rows: Sequence[Sequence[str | float | None]]) -> tuple[str, ...]:
    """Return a name for each row; those of the same name are numbered."""
    names = [", ".join(str(cell) for cell in row if cell is not None) for row in rows]
    seen = dict.fromkeys(names, 0)
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} ({seen[name]})" if names.count(name) > 1 else name)
    return tuple(numbered)
