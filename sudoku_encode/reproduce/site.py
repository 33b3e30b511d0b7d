"""Findings as a site of HTML: an index, and a page for each paper with its claims, tables, plots and figures."""

import re
from base64 import b64encode
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from html import escape
from typing import NamedTuple

import sudoku_encode as se
from sudoku_encode.render import plots
from sudoku_encode.render.page import page as html_page
from sudoku_encode.reproduce import pages, puzzles
from sudoku_encode.reproduce import pages as finding_plots
from sudoku_encode.reproduce.finding import CONSISTENT, DIFFERS, REPRODUCED, SETTLED, UNCHECKED, Finding, Page, Table
from sudoku_encode.reproduce.pages import cell_text, number_columns, summary

INDEX = "index.html"
# A sign before each verdict, so that no colour is needed to tell them apart, and the class of its style.
_SIGNS = {REPRODUCED: ("✓", "reproduced"), DIFFERS: ("≠", "differs"), SETTLED: ("◆", "settled")}
_SIGNS |= {UNCHECKED: ("?", "unchecked"), CONSISTENT: ("=", "consistent")}
# The order of the verdicts on all pages.
_SHOWN = (REPRODUCED, CONSISTENT, DIFFERS, UNCHECKED, SETTLED)
# A longer table is folded at first; its plot is not.
_LONG_TABLE = 16
_STYLES, _SCRIPTS = ("plots.css", "reproduce.css"), ("reproduce.js",)


def index(pages: Iterable[Page]) -> str:
    """Return the index page: the papers with their tallies, and all claims with their verdicts."""
    all_pages = list(pages)
    body = [
        "<header><h1>The papers, recomputed</h1>",
        "<p>The claims of each paper, our recomputed results, and a verdict.</p>",
        _command("sudoku-encode reproduce all -o FOLDER"),
        "</header>",
        "<main>",
        *_tallies(all_pages),
        f'<h2 id="claims">All claims</h2>{_filters(_tally(all_pages), all_pages)}',
        '<div class="scroll" tabindex="0" role="region" aria-label="All claims">',
        '<table class="stacked"><thead><tr><th>verdict</th><th>paper</th><th>place</th>',
        "<th>the paper's claim</th></tr></thead><tbody>",
        *(_claim(page, name, finding) for page in all_pages for name, finding in page.findings.items()),
        "</tbody></table></div>",
        "</main>",
    ]
    return html_page("The papers, recomputed", "\n".join(body), styles=_STYLES, scripts=_SCRIPTS)


def paper(page: Page) -> str:
    """Return the page of a paper: each finding with its table, its plots and a verdict, and the paper's figures."""
    of, drawn = page.paper, finding_plots.plots_of_page(page)
    figures = figures_of(of.key)
    places = [
        f'<li data-verdict="{_class(finding)}"><a href="#{name}">{_sign(finding)} {_words(finding.place)}</a></li>'
        for name, finding in page.findings.items()
    ]
    body = [
        f'<nav><a href="{INDEX}">All papers</a></nav>',
        f"<header><h1>{escape(of.title)}</h1>",
        f'<p class="citation">{escape(of.citation)}</p><p>{_words(of.about)}</p>',
        f"<p><strong>{escape(summary(page))}</strong></p>",
        _command(f"sudoku-encode reproduce {of.key} -o FOLDER"),
        "</header>",
        "<main>",
        *_figures(figures),
        f'<h2 id="claims">Claims</h2>{_filters(_tally([page]))}',
        f"<details><summary>Contents</summary><ol>{''.join(places)}</ol></details>",
        *(part for name, finding in page.findings.items() for part in _finding(name, finding, drawn[name])),
        "</main>",
    ]
    return html_page(of.title, "\n".join(body), styles=_STYLES, scripts=_SCRIPTS)


def _tallies(pages: list[Page]) -> Iterator[str]:
    """Yield a table of the papers, with the number of findings of each verdict."""
    heads = "".join(f'<th class="number">{escape(verdict)}</th>' for verdict in _SHOWN)
    yield '<div class="scroll" tabindex="0" role="region" aria-label="Papers"><table class="stacked">'
    yield f'<thead><tr><th>paper</th><th class="number">claims</th>{heads}</tr></thead><tbody>'
    for page in pages:
        numbers = [len(page.findings), *(len(page.of(verdict)) for verdict in _SHOWN)]
        named = zip(("claims", *_SHOWN), numbers, strict=True)
        cells = "".join(f'<td class="number" data-head="{head}">{number}</td>' for head, number in named)
        where = f'<a href="{page.paper.key}.html">{escape(page.paper.title)}</a>'
        citation = f'<span class="citation">{escape(page.paper.citation)}</span>'
        yield f'<tr><td class="wide">{where}<br>{citation}</td>{cells}</tr>'
    yield "</tbody></table></div>"


def _tally(pages: list[Page]) -> dict[str, int]:
    return {verdict: sum(len(page.of(verdict)) for page in pages) for verdict in _SHOWN}


def _filters(tally: Mapping[str, int], pages: Iterable[Page] = ()) -> str:
    """Return a check box for each verdict that occurs, a choice of papers if there are several, and a count."""
    boxes = [
        f'<label><input type="checkbox" name="verdict" value="{_SIGNS[verdict][1]}" checked> '
        f"{_badge(verdict)} {number}</label>"
        for verdict, number in tally.items()
        if number
    ]
    options = "".join(f'<option value="{page.paper.key}">{escape(page.paper.key)}</option>' for page in pages)
    choice = f'<label>Paper <select name="paper"><option value="">all</option>{options}</select></label>'
    return (
        f'<form class="filters" aria-label="Which claims are shown">{"".join(boxes)}{choice if options else ""}'
        f'<output aria-live="polite">{sum(tally.values())} shown</output></form>'
    )


def _claim(page: Page, name: str, finding: Finding) -> str:
    key = page.paper.key
    return (
        f'<tr data-verdict="{_class(finding)}" data-paper="{key}"><td>{_badge(finding.verdict)}</td><td>{key}</td>'
        f'<td><a href="{key}.html#{name}">{_words(finding.place)}</a></td>'
        f'<td class="wide">{_words(finding.paper)}</td></tr>'
    )


def _finding(name: str, finding: Finding, drawn: list[finding_plots.NamedPlot]) -> Iterator[str]:
    """Yield a claim: the paper's words, ours, the reason, the table and its plots."""
    yield f'<article id="{name}" data-verdict="{_class(finding)}">'
    yield f'<h3><a href="#{name}">{_words(finding.place)}</a> {_badge(finding.verdict)}</h3>'
    yield f"<dl><dt>The paper</dt><dd>{_words(finding.paper)}</dd><dt>Ours</dt><dd>{_words(finding.ours)}</dd>"
    yield f"{f'<dt>Why</dt><dd>{_words(finding.why)}</dd>' if finding.why else ''}</dl>"
    if drawn:
        yield f'<div class="plots">{"".join(plots.svg(plot, alone=False) for _, plot in drawn)}</div>'
    if finding.table:
        yield _table(finding.table, finding.place)
    yield "</article>"


def _table(table: Table, place: str) -> str:
    classes = [' class="number"' if number else "" for number in number_columns(table)]
    rows = "".join(_row("td", map(cell_text, row), classes) for row in table.rows)
    inside = f"<table><thead>{_row('th', table.columns, classes)}</thead><tbody>{rows}</tbody></table>"
    region = f'<div class="scroll" tabindex="0" role="region" aria-label="Table: {escape(place)}">{inside}</div>'
    folded = "" if len(table.rows) > _LONG_TABLE else " open"
    return f"<details{folded}><summary>Table of {len(table.rows)} rows</summary>{region}</details>"


def _row(tag: str, cells: Iterable[str], classes: Iterable[str]) -> str:
    inside = (f"<{tag}{kind}>{_words(cell)}</{tag}>" for cell, kind in zip(cells, classes, strict=True))
    return f"<tr>{''.join(inside)}</tr>"


def _figures(figures: "Iterable[tuple[Figure, str]]") -> Iterator[str]:
    """Yield the paper's figures, drawn here, each with a text that says what to compare."""
    # A picture is embedded as a file, since its styles would otherwise apply to the whole page.
    for position, (figure, picture) in enumerate(figures):
        if not position:
            yield '<h2 id="figures">The paper\'s figures, drawn here</h2>'
        source = f"data:image/svg+xml;base64,{b64encode(picture.encode()).decode()}"
        number = escape(figure.number)
        yield f"<figure><figcaption><strong>{number}.</strong> {_words(figure.says)}"
        yield f"{_command(figure.command)}</figcaption>"
        yield f'<div class="scroll picture" tabindex="0" role="region" aria-label="{number}">'
        yield f'<img src="{source}" alt="{_words(figure.says)}"></div></figure>'


def _command(command: str) -> str:
    return (
        f'<div class="command"><code>{escape(command)}</code>'
        '<button type="button" data-copy>Copy the command</button></div>'
    )


def _badge(verdict: str) -> str:
    sign, name = _SIGNS[verdict]
    return f'<span class="badge {name}"><span aria-hidden="true">{sign}</span> {escape(verdict)}</span>'


def _sign(finding: Finding) -> str:
    return f'<span class="sign {_class(finding)}" title="{escape(finding.verdict)}">{_SIGNS[finding.verdict][0]}</span>'


def _class(finding: Finding) -> str:
    return _SIGNS[finding.verdict][1]


def _words(text: str) -> str:
    """Return text as HTML; text between backquotes becomes code."""
    return re.sub(r"`([^`]+)`", r"<code>\1</code>", escape(text))


# A page of findings in each of its forms.


def in_form(page: Page, form: str) -> str:
    """Return the page in a form, a key of PAGE_FORMS."""
    write = {"text": pages.text, "markdown": pages.markdown, "json": pages.as_json, "html": paper}[form]
    return write(page)


# The figures of the papers, drawn by the methods and from the puzzles, each with a text that says what to compare.

# The rules under which Jana et al. 2023 print their figures, and their example.
_FOUR_RULES, _TABLE_2 = "row-z,box-xy,box-xz,box-yz", "papers/jana-2023-table-2.txt"
_GTSPS = "papers/gtsps-fig-4.2.ss"


class Figure(NamedTuple):
    """A figure of a paper."""

    number: str  # as in the paper
    says: str  # what it shows and what to compare, in sentences
    command: str  # the command that draws it or its subject, in a folder that contains the instances
    draw: Callable[[], str]  # returns the picture, as SVG


def _explained(number: str, says: str, file: str, method: str, rules: str = "") -> Figure:
    """Return a figure that a method draws, under some or all of the board's rules."""
    rules_option = f" --rules {rules}" if rules else ""
    command = f"sudoku-encode explain instances/{file} --method {method}{rules_option} --to svg"

    def draw() -> str:
        steps = se.explain(puzzles.read(file)[0], method, to="svg", rules=rules.split(",") if rules else None)
        return "\n".join(step.text for step in steps)

    return Figure(number, says, command, draw)


def _shown(number: str, says: str, file: str) -> Figure:
    """Return a figure of a puzzle."""
    command = f"sudoku-encode show instances/{file} --to svg"
    return Figure(number, says, command, lambda: str(se.draw(puzzles.read(file)[0])))


def _solved(number: str, says: str, file: str) -> Figure:
    """Return a figure of a puzzle with its only solution."""
    command = f"sudoku-encode show instances/{file} --solution --to svg"

    def draw() -> str:
        (puzzle,) = puzzles.read(file)
        (grid,) = se.solutions(puzzle)
        return str(se.draw(puzzle, solution=grid))

    return Figure(number, says, command, draw)


def _compared(number: str, says: str, file: str, rules: str) -> Figure:
    """Return a figure of a puzzle under some rules with its two solutions, which its command lists."""
    command = f"sudoku-encode enumerate instances/{file} --rules {rules}"

    def draw() -> str:
        (puzzle,) = puzzles.read(file)
        first, second = se.solutions(puzzle, rules=rules.split(","))
        return str(se.draw(puzzle, solution=first, against=second))

    return Figure(number, says, command, draw)


FIGURES: dict[str, tuple[Figure, ...]] = {
    "jana2023": (
        _compared(
            "Tables 2 and 3",
            "The cube of Table 2, layer by layer along x, like the rows of the table. Its blanks hold solution 1 or 2"
            " of Table 3; in the six cells where the two differ, the other solution's value is in a frame.",
            _TABLE_2,
            _FOUR_RULES,
        ),
        _explained(
            "Fig. 11",
            "The linked list of Table 2 in scan order, drawn as the search tree that it contains. The paper's list "
            "has the same values from left to right.",
            _TABLE_2,
            "jana2021",
            _FOUR_RULES,
        ),
        _explained(
            "Fig. 12",
            "The same after the five constraints, blanks sorted by their number of candidates. Both trees end in two"
            " solutions; the yellow branches are those of Table 3.",
            _TABLE_2,
            "jana2023-v1",
            _FOUR_RULES,
        ),
    ),
    "gtsps": (
        _solved(
            "Figs. 4.2 and 4.7",
            "The puzzle of 35 clues, and its only solution, in another colour: that of Fig. 4.7.",
            _GTSPS,
        ),
        _explained(
            "Figs. 4.3, 4.5 and 4.6",
            "The graph G of Fig. 4.2: a vertex for each valid permutation, with the names of the thesis. Fig. 4.3 is "
            "all of it, Fig. 4.5 all but the grey parts, Fig. 4.6 all but the grey and orange parts. The paper "
            "stacks the minigrids in nine levels; here they lie as on the board.",
            _GTSPS,
            "gtsps-4.1",
        ),
        _explained(
            "Fig. 4.1",
            "The structure that a solution is in G: nine vertices, each adjacent to the four others in its row and "
            "column of minigrids. It is all that G contains if every cell is given.",
            "small/9x9-complete.sdm",
            "gtsps-4.1",
        ),
        _explained(
            "Fig. 4.8",
            "The graph G* of Fig. 4.5: a super-vertex for each three permutations of a row or column of minigrids that "
            "match. Two 3-cycles remain, one of rows and one of columns; both are the one solution.",
            _GTSPS,
            "gtsps-4.2",
        ),
        _shown("Fig. 4.9", "The puzzle of 32 clues and 127 solutions.", "papers/gtsps-fig-4.9.sdk"),
    ),
    "wadud": (_solved("Fig. 1", "The puzzle of 28 clues, and its solution.", "papers/uhbpnp-fig-1.txt"),),
    "block-world": (
        _shown("Fig. 1", "The puzzle of 30 clues, with which the robots begin.", "papers/block-world-fig-1.opensudoku"),
    ),
    "keck": (
        _solved(
            "Picture of the hard setting",
            "The cube of 19 givens, layer by layer, and its only solution as a Latin cube.",
            "papers/keck-hard.txt",
        ),
        _solved("Picture of a Cubic Sudoku", "The cube of 8 givens, and its only solution.", "papers/keck-cubic.txt"),
        _shown(
            "Picture of an IsoDoku",
            "The surface of 13 cubes in a corner, face by face; the picture shows them as they lie in space.",
            "papers/keck-isodoku.txt",
        ),
        _solved(
            "Picture of a Sudoku Cube",
            "Three faces of a cube, drawn apart, and the only solution; the picture shows them as they lie in space.",
            "papers/keck-sudoku-cube.txt",
        ),
    ),
}
"""The figures of each paper that can be drawn here."""


@cache
def figures_of(key: str) -> tuple[tuple[Figure, str], ...]:
    """Return the figures of a paper, each with its picture as SVG; () for a paper without figures."""
    return tuple((figure, figure.draw()) for figure in FIGURES.get(key, ()))
