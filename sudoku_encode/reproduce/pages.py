"""A page of findings as text, Markdown or JSON, and its plots."""

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict
from itertools import takewhile
from textwrap import fill
from typing import Any, NamedTuple

from sudoku_encode.render import plots
from sudoku_encode.render.plots import spans_decades
from sudoku_encode.reproduce.finding import (
    DIFFERS,
    REPRODUCED,
    SETTLED,
    UNCHECKED,
    VERDICTS,
    Finding,
    Page,
    Plot,
    Table,
)

_HEADINGS = {
    DIFFERS: "Different results",
    REPRODUCED: "Reproduced claims",
    SETTLED: "Settled questions",
    UNCHECKED: "Claims that cannot be checked",
}
# The words of the summary; `settled` is left out if it is 0.
_COUNTED = {
    REPRODUCED: "reproduced",
    DIFFERS: "differ",
    UNCHECKED: "cannot be checked",
    SETTLED: "settled",
}
_WIDTH = 110


def text(page: Page) -> str:
    """Return the page for a terminal."""
    return "\n".join(_text(page)) + "\n"


def markdown(page: Page) -> str:
    """Return the page as Markdown; its plots are shown from files beside it."""
    return "\n".join(_markdown(page)) + "\n"


def as_json(page: Page) -> str:
    """Return the page as one JSON object, plots as their figures."""
    return json.dumps(record(page), indent=1) + "\n"


def record(page: Page) -> dict[str, Any]:
    """Return the page as a value for JSON."""
    findings = {
        name: asdict(finding) | {"seconds": round(page.seconds[name], 3)} for name, finding in page.findings.items()
    }
    paper = page.paper
    tally = {verdict: len(page.of(verdict)) for verdict in VERDICTS if page.of(verdict) or verdict != SETTLED}
    head = {"paper": paper.key, "title": paper.title, "citation": paper.citation}
    return head | {"claims": len(paper.checks), "tally": tally, "findings": findings}


def summary(page: Page) -> str:
    """Return the number of findings of each verdict, in a sentence."""
    parts = [
        f"{len(findings)} {'differs' if words == 'differ' and len(findings) == 1 else words}"
        for verdict, words in _COUNTED.items()
        if (findings := page.of(verdict)) or verdict != SETTLED
    ]
    number, total = len(page.findings), len(page.paper.checks)
    # A stopped run has fewer findings than claims.
    part_of_total = f"{number} of " if number < total else ""
    return f"{part_of_total}{total} claim{'' if total == 1 else 's'}: {', '.join(parts)}."


def index(pages: Iterable[Page]) -> str:
    """Return a page of Markdown with links to the others."""
    lines = ["# The papers, recomputed", ""]
    for page in pages:
        lines.append(f"- [{page.paper.title}]({page.paper.key}.md) ({page.paper.citation}): {summary(page)}")
    return "\n".join(lines) + "\n"


def _text(page: Page) -> Iterator[str]:
    yield from (page.paper.title, page.paper.citation, "", fill(page.paper.about, _WIDTH), "", summary(page))
    for verdict in VERDICTS:
        if findings := page.of(verdict):
            yield from ("", _HEADINGS[verdict].upper())
        for number, finding in enumerate(findings.values(), start=1):
            yield ""
            yield fill(f"{number:>2}. {finding.place}. The paper: {finding.paper}", _WIDTH, subsequent_indent="    ")
            yield fill(f"Ours: {finding.ours}", _WIDTH, initial_indent="    ", subsequent_indent="    ")
            if finding.why:
                yield fill(finding.why, _WIDTH, initial_indent="    ", subsequent_indent="    ")
            if finding.table:
                yield ""
                yield from (f"    {line}".rstrip() for line in _aligned(finding.table))


def _aligned(table: Table) -> Iterator[str]:
    cells = [list(table.columns), *([cell_text(value) for value in row] for row in table.rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(table.columns))]
    numbers = number_columns(table)
    for row in cells:
        yield "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(row, widths, numbers, strict=True)
        )


def number_columns(table: Table) -> list[bool]:
    """Return, for each column of a table, whether it holds numbers, which are aligned right."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    return [all(isinstance(value, int | float | None) for value in column) for column in columns]


def cell_text(value: Any) -> str:
    """Return the value of a cell of a table as text."""
    if value is None:
        return "-"
    if isinstance(value, float):
        # A float has no more than 15 digits of its own.
        return f"{value:,.0f}" if 1000 <= abs(value) < 1e15 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _markdown(page: Page) -> Iterator[str]:
    drawn = plots_of_page(page)
    yield from (
        f"# {page.paper.title}",
        "",
        f"{page.paper.citation}.",
        "",
        page.paper.about,
        "",
        f"**{summary(page)}**",
    )
    for verdict in VERDICTS:
        if findings := page.of(verdict):
            yield from ("", f"## {_HEADINGS[verdict]}")
            yield from _sections(findings, drawn)


def _sections(findings: dict[str, Finding], drawn: "dict[str, list[NamedPlot]]") -> Iterator[str]:
    for name, finding in findings.items():
        yield from ("", f"**{finding.place}.** {finding.paper}  ", f"*Ours:* {finding.ours}")
        if finding.why:
            yield from ("", f"> {finding.why}")
        if finding.table:
            numbers = number_columns(finding.table)
            yield ""
            yield f"| {' | '.join(finding.table.columns)} |"
            yield f"|{'|'.join('---:' if number else '---' for number in numbers)}|"
            yield from (f"| {' | '.join(cell_text(value) for value in row)} |" for row in finding.table.rows)
        for plot in drawn[name]:
            yield from ("", f"![{plot.plot.title}]({plot.name}.svg)")


# The plots of a finding: the paper's figures are hollow, ours are full.

# Points over a numerical axis are joined by a line if there are at most this many.
_MOST_JOINED = 20


class NamedPlot(NamedTuple):
    """A plot, with the name of its file without an ending."""

    name: str
    plot: plots.Plot


def plots_of_page(page: Page) -> dict[str, list[NamedPlot]]:
    """Return the plots of each finding, by the name of its check; a list is empty where a table has no figures."""
    return {name: plots_of_finding(f"{page.paper.key}-{name}", finding) for name, finding in page.findings.items()}


def plots_of_finding(name: str, finding: Finding) -> list[NamedPlot]:
    """Return the plots of a finding: its own, and those of its table, whose names begin with `name`."""
    own = [NamedPlot(finding.plot.name, _own_plot(finding.plot))] if finding.plot else []
    drawn = finding.table.drawn if finding.table else ()
    stem = name.replace("_", "-")
    for number, (what, columns) in enumerate(drawn, start=1):
        assert finding.table is not None
        name = f"{stem}-{number}" if len(drawn) > 1 else stem
        own.append(NamedPlot(name, _table_plot(finding.table, what, columns)))
    return own


def _own_plot(plot: Plot) -> plots.Plot:
    """Return the plot of a finding, with the paper's figures and ours on the same subject in the same colour."""
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


def _table_plot(table: Table, what: str, columns: Sequence[str]) -> plots.Plot:
    """Return the plot of some columns of a table, whose values are of one kind."""
    cells = list(zip(*table.rows, strict=True))
    first = min(map(table.columns.index, columns))
    named = list(takewhile(lambda at: any(isinstance(cell, str) for cell in cells[at]), range(first)))
    own = [at for at in named if not _is_paper(table.columns[at])]
    x = _row_names([[row[at] for at in own] for row in table.rows]) if own else tuple(float(cell) for cell in cells[0])
    series = []
    # The first series of the paper and the first of this program have the same subject.
    seen = {True: 0, False: 0}
    for heading in columns:
        is_paper = _is_paper(heading)
        y = tuple(map(_cell_number, cells[table.columns.index(heading)]))
        label = heading if len(columns) > 1 else ""
        hollow = (True,) * len(x) if is_paper else ()
        series.append(plots.Series(label, x, y, seen[is_paper], hollow, joined=len(x) <= _MOST_JOINED))
        seen[is_paper] += 1
    values = [value for one in series for value in one.y if value is not None]
    return plots.Plot(what, "" if own else table.columns[0], "", tuple(series), spans_decades(values))


def _is_paper(heading: str) -> bool:
    """Check whether a column holds figures that the paper prints."""
    return bool(re.search(r"\b(paper|thesis)\b", heading))


def _cell_number(cell: str | float | None) -> float | None:
    """Return the number in a cell, also if it is there as text; None for a text such as `at least 3`."""
    if isinstance(cell, str):
        return int(cell) if cell.isdecimal() else None
    return cell


def _row_names(rows: Sequence[Sequence[str | float | None]]) -> tuple[str, ...]:
    """Return a name for each row; equal names are numbered."""
    names = [", ".join(str(cell) for cell in row if cell is not None) for row in rows]
    seen = dict.fromkeys(names, 0)
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} ({seen[name]})" if names.count(name) > 1 else name)
    return tuple(numbered)
