"""A page of findings as text, Markdown or JSON."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import asdict
from textwrap import fill
from typing import Any

from sudoku_encode.reproduce import plots
from sudoku_encode.reproduce.finding import DIFFERS, REPRODUCED, SETTLED, UNCHECKED, VERDICTS, Finding, Page, Table

_HEADINGS = {
    DIFFERS: "What differs",
    REPRODUCED: "What is reproduced",
    SETTLED: "What is settled",
    UNCHECKED: "What cannot be checked",
}
# As the summary counts them. Few pages settle anything.
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
    """Return the page as what JSON can hold."""
    findings = {
        name: asdict(finding) | {"seconds": round(page.seconds[name], 3)} for name, finding in page.findings.items()
    }
    paper = page.paper
    tally = {verdict: len(page.of(verdict)) for verdict in VERDICTS if page.of(verdict) or verdict != SETTLED}
    head = {"paper": paper.key, "title": paper.title, "citation": paper.citation}
    return head | {"claims": len(paper.checks), "tally": tally, "findings": findings}


def summary(page: Page) -> str:
    """Say how many findings there are of each kind."""
    parts = [
        f"{len(found)} {'differs' if words == 'differ' and len(found) == 1 else words}"
        for verdict, words in _COUNTED.items()
        if (found := page.of(verdict)) or verdict != SETTLED
    ]
    number, total = len(page.findings), len(page.paper.checks)
    # A page of a run that was stopped has fewer findings than there are claims.
    some = f"{number} of " if number < total else ""
    return f"{some}{total} claim{'' if total == 1 else 's'}: {', '.join(parts)}."


def index(pages: Iterable[Page]) -> str:
    """Return a page of Markdown that leads to the others."""
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
    """Say of each column of a table whether it holds numbers, which are set right."""
    columns = list(zip(*table.rows, strict=True)) or [()] * len(table.columns)
    return [all(isinstance(value, int | float | None) for value in column) for column in columns]


def cell_text(value: Any) -> str:
    """Return what is in a cell of a table, as text."""
    if value is None:
        return "-"
    if isinstance(value, float):
        return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{value:,}" if isinstance(value, int) and not isinstance(value, bool) else str(value)


def _markdown(page: Page) -> Iterator[str]:
    drawn = plots.of_page(page)
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


def _sections(findings: dict[str, Finding], drawn: dict[str, list[plots.Named]]) -> Iterator[str]:
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
