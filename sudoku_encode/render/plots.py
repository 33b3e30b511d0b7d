"""Plots as SVG: bars for what has names, points and lines over a number.

Colours are those of `assets/plots.css`, which has a light and a dark set. No series is told by its colour alone: its
points have a shape of their own, its bars come in the order of the legend, and both may be hollow. Each bar and point
is an element of the class `mark`, with a title that says what it is.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap

from sudoku_encode.render.page import asset
from sudoku_encode.render.scales import Scale, number, scale

# Lengths are in the pixels of a drawing that is not scaled: its width, its margin, the height of the field of points,
# a line of text, the width of a character, a bar, and the room for the number behind a bar.
WIDTH = 480
_MARGIN, _FIELD, _LINE, _CHARACTER, _BAR, _NUMBER = 10, 240, 17, 6.9, 12, 76
# Names of groups that are longer stand above their bars, else left of them.
_LONG = 22
_COLOURS = 8
# For each colour a marker, as a path around the origin.
_MARKERS = (
    "M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0Z",
    "M-3.2-3.2h6.4v6.4h-6.4Z",
    "M0-4.2L4 3.2H-4Z",
    "M0-4.6L4.6 0L0 4.6L-4.6 0Z",
    "M0 4.2L4-3.2H-4Z",
    "M-1.5-4h3v2.5h2.5v3h-2.5v2.5h-3v-2.5h-2.5v-3h2.5Z",
    "M-4.5-2.2h9v4.4h-9Z",
    "M-2.2-4.5h4.4v9h-4.4Z",
)


@dataclass(frozen=True)
class Series:
    """A row of bars or points.

    Attributes:
        label: what the legend says; where all are empty there is no legend.
        x: numbers, or names of groups of bars.
        y: a number for each x; None is a gap.
        colour: number of its colour and marker, from 0; those from 8 are the same again, with dashed borders.
        hollow: whether each point is drawn hollow; empty where none is.
        ends: for each point the two ends of a line through it, such as quartiles; empty where there are none.
        joined: whether a line joins the points.
    """

    label: str
    x: tuple[float | str, ...]
    y: tuple[float | None, ...]
    colour: int = 0
    hollow: tuple[bool, ...] = ()
    ends: tuple[tuple[float, float], ...] = ()
    joined: bool = False


@dataclass(frozen=True)
class Plot:
    """A picture of some series: bars where an x is a name, else points.

    Attributes:
        title: above it; may be empty.
        x, y: what the axes show, with units.
        series: what is drawn.
        log, log_x: whether an axis is logarithmic, that of the values or the other one.
        ticks: of x, numbers with their texts, in place of round numbers.
        limit: a value at which a dotted line is drawn.
        also: values that have a place on the axis too, such as those of a picture beside it.
    """

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    log: bool = False
    log_x: bool = False
    ticks: tuple[tuple[float, str], ...] = ()
    limit: float | None = None
    also: tuple[float, ...] = ()


@dataclass
class _Drawing:
    """What is drawn so far, and how far down."""

    lines: list[str] = field(default_factory=list)
    height: float = _MARGIN

    def text(self, x: float, y: float, words: str, style: str = "") -> None:
        self.lines.append(f'<text x="{x:.1f}" y="{y:.1f}"{style}>{escape(words)}</text>')

    def paragraph(self, words: str, style: str = "") -> None:
        for line in wrap(words, int((WIDTH - 2 * _MARGIN) / _CHARACTER)):
            self.height += _LINE
            self.text(_MARGIN, self.height - 5, line, style)


def svg(plot: Plot, *, alone: bool = True) -> str:
    """Return a plot as SVG, in a line or more.

    Args:
        plot: what is drawn.
        alone: whether it is a file of its own, with its styles and a background; else it is for a page that has
            `plots.css` among its styles.

    >>> svg(Plot("ants", "animal", "legs", (Series("", ("ant",), (6,)),))).count('class="mark')
    1
    """
    return sheet([plot], 1, alone=alone)


def sheet(plots: Sequence[Plot], columns: int, *, alone: bool = True) -> str:
    """Return several plots as one picture, row by row."""
    drawn = [_drawing(plot) for plot in plots]
    rows = [drawn[start : start + columns] for start in range(0, len(drawn), columns)]
    inside, y = [], 0.0
    for row in rows:
        for column, one in enumerate(row):
            inside.append(f'<g transform="translate({column * WIDTH} {y:.0f})">')
            inside += [*one.lines, "</g>"]
        y += max(one.height for one in row)
    width, height = columns * WIDTH, f"{y + _MARGIN:.0f}"
    words = escape(", ".join(plot.title or plot.y for plot in plots))
    head = f'<svg xmlns="http://www.w3.org/2000/svg" class="plot" viewBox="0 0 {width} {height}" width="{width}"'
    ground = [f"<style>{asset('plots.css')}</style>", '<rect class="ground" width="100%" height="100%"/>']
    parts = [f'{head} height="{height}" role="img" aria-label="{words}">', *(ground if alone else ()), *inside]
    return "\n".join([*parts, "</svg>", ""])


def _drawing(plot: Plot) -> _Drawing:
    drawing = _Drawing()
    if plot.title:
        drawing.paragraph(plot.title, ' class="title"')
    _legend(drawing, plot)
    if any(isinstance(x, str) for series in plot.series for x in series.x):
        _bars(drawing, plot)
    else:
        _points(drawing, plot)
    return drawing


def _legend(drawing: _Drawing, plot: Plot) -> None:
    """Draw what each series is, beside each other as far as there is room."""
    labelled = [series for series in plot.series if series.label]
    bars = any(isinstance(x, str) for series in plot.series for x in series.x)
    x = float(WIDTH)
    for series in labelled:
        width = 22 + _CHARACTER * len(series.label) + 10
        if x + width > WIDTH:
            x = _MARGIN
            drawing.height += _LINE
        middle = drawing.height - 9
        # A series that has hollow points among others is shown by a full one.
        style = _style(series, hollow=bool(series.hollow) and all(series.hollow))
        if bars:
            drawing.lines.append(f'<rect class="{style}" x="{x:.0f}" y="{middle - 5}" width="14" height="10"/>')
        else:
            drawing.lines.append(f'<path class="{style}" {_marker(series, x + 7, middle)}/>')
        drawing.text(x + 20, middle + 4, series.label)
        x += width
    if labelled:
        drawing.height += 4


def _bars(drawing: _Drawing, plot: Plot) -> None:
    """Draw a bar to the right for each value, below each other in groups."""
    groups = list(dict.fromkeys(str(x) for series in plot.series for x in series.x))
    rows = {
        group: [
            (series, at, series.y[at])
            for series in plot.series
            for at, x in enumerate(series.x)
            if str(x) == group and series.y[at] is not None
        ]
        for group in groups
    }
    longest = max(map(len, groups))
    left = _MARGIN + (0 if longest > _LONG else _CHARACTER * longest + 8)
    width = WIDTH - left - _NUMBER
    axis = scale([y for row in rows.values() for _, _, y in row if y is not None] or [0], plot.log, bars=True)
    start = drawing.height = drawing.height + 4
    # The grid lies below the bars, and is drawn when it is known how far down they go.
    grid_at = len(drawing.lines)
    for group, row in rows.items():
        if longest > _LONG:
            drawing.paragraph(group)
        else:
            middle = drawing.height + max(len(row), 1) * (_BAR + 2) / 2
            drawing.text(left - 6, middle + 4, group, ' text-anchor="end"')
        for series, at, y in row:
            assert y is not None
            long = axis.share(y) * width
            says = f"{', '.join(part for part in (series.label, group) if part)}: {number(y)}"
            drawing.lines.append(
                f'<rect class="mark {_style(series, at)}" x="{left:.1f}" y="{drawing.height:.1f}" '
                f'width="{max(long, 1.5):.1f}" height="{_BAR}"><title>{escape(says)}</title></rect>'
            )
            drawing.text(left + max(long, 1.5) + 5, drawing.height + _BAR - 2, number(y), ' class="value"')
            drawing.height += _BAR + 2
        drawing.height += (_BAR + 2) * (not row) + 8
    drawing.lines[grid_at:grid_at] = _upright_grid(axis, left, width, start, drawing.height)
    drawing.height += _LINE
    drawing.paragraph(", ".join([plot.y] * bool(plot.y) + ["powers of ten"] * axis.log), ' class="axis"')


def _upright_grid(axis: Scale, left: float, width: float, top: float, bottom: float) -> Iterator[str]:
    """Yield a line upright at each tick, with its text below."""
    free = left - 30.0
    for value, words in axis.ticks():
        x = left + axis.share(value) * width
        yield f'<path class="grid" d="M{x:.1f} {top:.1f}V{bottom:.1f}"/>'
        if x - _CHARACTER * len(words) / 2 > free:
            yield f'<text class="tick" x="{x:.1f}" y="{bottom + 13:.1f}" text-anchor="middle">{words}</text>'
            free = x + _CHARACTER * len(words) / 2 + 4


def _points(drawing: _Drawing, plot: Plot) -> None:
    """Draw points in a field, the values upwards, with lines between those that are joined."""
    known = [y for series in plot.series for y in series.y if y is not None]
    reached = [end for series in plot.series for ends in series.ends for end in ends if end > 0]
    axis = scale([*(known or [0]), *reached, *plot.also], plot.log)
    across = _across(plot)
    drawing.paragraph(plot.y, ' class="axis"')
    left = _MARGIN + 8 + _CHARACTER * max((len(words) for _, words in axis.ticks()), default=0)
    width, start = WIDTH - left - 2 * _MARGIN, drawing.height + 8
    bottom = start + _FIELD

    def place(x: float, y: float) -> tuple[float, float]:
        return left + across.share(x) * width, bottom - axis.share(y) * _FIELD

    for value, words in axis.ticks():
        y = bottom - axis.share(value) * _FIELD
        drawing.lines.append(f'<path class="grid" d="M{left:.1f} {y:.1f}h{width:.1f}"/>')
        drawing.text(left - 6, y + 4, words, ' class="tick" text-anchor="end"')
    for value, words in plot.ticks or across.ticks():
        x = left + across.share(value) * width
        drawing.lines.append(f'<path class="grid" d="M{x:.1f} {start:.1f}V{bottom:.1f}"/>')
        drawing.text(x, bottom + 15, words, ' class="tick" text-anchor="middle"')
    if plot.limit is not None:
        y = bottom - axis.share(plot.limit) * _FIELD
        drawing.lines.append(f'<path class="limit" d="M{left:.1f} {y:.1f}h{width:.1f}"/>')
    for series in plot.series:
        some = [
            (at, *place(float(x), y)) for at, (x, y) in enumerate(zip(series.x, series.y, strict=True)) if y is not None
        ]
        drawing.lines += _row(series, some, [place(0, end)[1] for ends in series.ends for end in ends])
    drawing.height = bottom + _LINE + 3
    drawing.paragraph(plot.x, ' class="axis"')


def _across(plot: Plot) -> Scale:
    """Return the scale of x, a little longer than what is drawn, so that no marker is cut."""
    values = [float(x) for series in plot.series for x in series.x] or [0.0, 1.0]
    low, high = min(values), max(values)
    if plot.log_x:
        return Scale(low / 1.3, high * 1.3, True)
    room = (high - low) / 20 or 1
    return Scale(low - room, high + room, False)


def _row(series: Series, places: Sequence[tuple[int, float, float]], ends: Sequence[float]) -> Iterator[str]:
    """Yield the points of a series, and the lines through and between them."""
    if series.joined and len(places) > 1:
        path = "L".join(f"{x:.1f} {y:.1f}" for _, x, y in places)
        yield f'<path class="line c{series.colour % _COLOURS}" d="M{path}"/>'
    for at, x, y in places:
        if series.ends:
            low, high = ends[2 * at], ends[2 * at + 1]
            yield f'<path class="line c{series.colour % _COLOURS}" d="M{x:.1f} {low:.1f}V{high:.1f}"/>'
        value = series.y[at]
        assert value is not None
        words = escape(f"{series.label + ', ' if series.label else ''}{number(float(series.x[at]))}: {number(value)}")
        yield f'<path class="mark {_style(series, at)}" {_marker(series, x, y)}><title>{words}</title></path>'


def _style(series: Series, at: int = 0, *, hollow: bool | None = None) -> str:
    """Return the classes of one bar or point."""
    if hollow is None:
        hollow = bool(series.hollow) and series.hollow[at]
    again = " again" if series.colour >= _COLOURS else ""
    return f"c{series.colour % _COLOURS}{again}{' hollow' if hollow else ''}"


def _marker(series: Series, x: float, y: float) -> str:
    return f'd="{_MARKERS[series.colour % _COLOURS]}" transform="translate({x:.1f} {y:.1f})"'
