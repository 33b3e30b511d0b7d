"""Plots as SVG: bars for named groups, points and lines over numbers.

Colours are those of `assets/plots.css`, which has a light and a dark set. No series is identified by its colour alone:
its points have their own shape, its bars come in the order of the legend, and both may be hollow. Each bar and point is
an element of the class `mark`, with a tooltip.
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from textwrap import wrap
from typing import NamedTuple

from sudoku_encode.render.page import asset

# Scales: the position of a value on an axis, its ticks, and the format of numbers.

_SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
# The approximate number of ticks of an axis.
_TICKS = 5
# Values that span more than this are drawn on a logarithmic axis.
_WIDE = 50


class Scale(NamedTuple):
    """An axis from its lowest to its highest value."""

    low: float  # low, high: the ends; both above 0 where it is logarithmic
    high: float
    log: bool  # whether equal steps are equal factors

    def share(self, value: float) -> float:
        """Return the position of a value along the axis, from 0 to 1; a value outside is at an end.

        >>> Scale(1, 100, True).share(10)
        0.5
        """
        if self.log:
            value = max(value, self.low)
            along = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            along = (value - self.low) / (self.high - self.low)
        return min(max(along, 0.0), 1.0)

    def ticks(self) -> list[tuple[float, str]]:
        """Return the values of the ticks, each with its text.

        >>> Scale(0, 7, False).ticks()
        [(0.0, '0'), (2.0, '2'), (4.0, '4'), (6.0, '6')]
        """
        if not self.log:
            step = _nice((self.high - self.low) / _TICKS)
            first, last = math.ceil(self.low / step), math.floor(self.high / step)
            return [(at * step, number(at * step)) for at in range(first, last + 1)]
        first, last = math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9)
        if last - first < 2:
            values = [many * 10.0**power for power in range(first - 1, last + 1) for many in (1, 2, 5)]
            return [(value, number(value)) for value in values if self.low <= value <= self.high]
        every = math.ceil((last - first) / (_TICKS + 1))
        return [(10.0**power, _power_of_ten(power)) for power in range(first, last + 1, every)]


def scale(values: Iterable[float], log: bool, *, bars: bool = False) -> Scale:
    """Return a scale that contains some values; a linear one contains 0.

    Values that are not positive have no position on a logarithmic scale; without a positive one it is linear anyway. If
    each value is the end of a bar, that of the smallest one stays visible.
    """
    numbers = list(values)
    above = [value for value in numbers if value > 0]
    if log and above:
        power = math.log10(min(above))
        low = 10.0 ** (math.ceil(power) - 1 if bars else math.floor(power))
        return Scale(low, max(above) if bars else max(10.0 ** math.ceil(math.log10(max(above))), 10 * low), True)
    low, high = min(0.0, *numbers), max(0.0, *numbers)
    return Scale(low, high if high > low else low + 1, False)


def spans_decades(values: Iterable[float]) -> bool:
    """Return whether values can be distinguished only on a logarithmic axis.

    >>> spans_decades([0, 2, 140]), spans_decades([2, 20])
    (True, False)
    """
    above = [value for value in values if value > 0]
    return bool(above) and max(above) >= _WIDE * min(above)


def number(value: float) -> str:
    """Return a number in few characters.

    >>> number(1234567), number(0.00051), number(6.45529e26), number(12.5), number(40.0)
    ('1,234,567', '5.1·10⁻⁴', '6.46·10²⁶', '12.5', '40')
    """
    size = abs(value)
    if size and (size >= 1e9 or size < 1e-3):
        digits, _, power = f"{value:.2e}".partition("e")
        return f"{digits.rstrip('0').rstrip('.')}·10{str(int(power)).translate(_SUPERSCRIPTS)}"
    if size >= 1000 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.3g}"


def _power_of_ten(power: int) -> str:
    return number(10.0**power) if -3 <= power <= 4 else f"10{str(power).translate(_SUPERSCRIPTS)}"


def _nice(least: float) -> float:
    """Return the smallest of 1, 2 or 5 times a power of ten that is not below a step."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(many * power for many in (1, 2, 5, 10) if many * power >= least * (1 - 1e-9))


# Lengths in pixels of the unscaled drawing: its width, its margin, the height of the field of points and of a line of
# text, the width of a character, the height of a bar, and the room for the number behind a bar.
WIDTH = 480
_MARGIN, _FIELD, _LINE, _CHARACTER, _BAR, _NUMBER = 10, 240, 17, 6.9, 12, 76
# Longer names of groups are above their bars, others to the left.
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
    """A row of bars or points."""

    label: str  # for the legend; there is no legend if all are empty
    x: tuple[float | str, ...]  # numbers, or names of groups of bars
    y: tuple[float | None, ...]  # a number for each x; None is a gap
    colour: int = 0  # number of its colour and marker, from 0; from 8 on they repeat, with dashed borders
    hollow: tuple[bool, ...] = ()  # whether each point is drawn hollow; empty for no hollow points
    # For each point the two ends of a line through it, such as quartiles; empty for no such lines.
    ends: tuple[tuple[float, float], ...] = ()
    joined: bool = False  # whether a line joins the points


@dataclass(frozen=True)
class Plot:
    """A picture of some series: bars if an x is a name, else points."""

    title: str  # above it; may be empty
    x: str  # x, y: the labels of the axes, with units
    y: str
    series: tuple[Series, ...]  # the data
    log: bool = False  # log, log_x: whether the axis of the values, or the other one, is logarithmic
    log_x: bool = False
    ticks: tuple[tuple[float, str], ...] = ()  # of x, numbers with their texts, in place of round numbers
    limit: float | None = None  # a value at which a dotted line is drawn
    also: tuple[float, ...] = ()  # more values that the axis must contain, such as those of a plot beside it


@dataclass
class _Drawing:
    """The lines of the SVG so far, and the height that they take."""

    lines: list[str] = field(default_factory=list)
    height: float = _MARGIN

    def text(self, x: float, y: float, words: str, style: str = "") -> None:
        self.lines.append(f'<text x="{x:.1f}" y="{y:.1f}"{style}>{escape(words)}</text>')

    def paragraph(self, words: str, style: str = "") -> None:
        for line in wrap(words, int((WIDTH - 2 * _MARGIN) / _CHARACTER)):
            self.height += _LINE
            self.text(_MARGIN, self.height - 5, line, style)


def svg(plot: Plot, *, alone: bool = True) -> str:
    """Return a plot as SVG, in a line or more: as a file of its own with its styles, or for a page with `plots.css`.

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
        for column, drawing in enumerate(row):
            inside.append(f'<g transform="translate({column * WIDTH} {y:.0f})">')
            inside += [*drawing.lines, "</g>"]
        y += max(drawing.height for drawing in row)
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
    """Draw a sample and the label of each series, side by side as far as they fit."""
    labelled = [series for series in plot.series if series.label]
    bars = any(isinstance(x, str) for series in plot.series for x in series.x)
    x = float(WIDTH)
    for series in labelled:
        width = 22 + _CHARACTER * len(series.label) + 10
        if x + width > WIDTH:
            x = _MARGIN
            drawing.height += _LINE
        middle = drawing.height - 9
        # A series with hollow and full points is shown by a full one.
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
    """Draw a bar to the right for each value, one below another in groups."""
    groups = list(dict.fromkeys(str(x) for series in plot.series for x in series.x))
    rows = {
        group: [
            (series, index, series.y[index])
            for series in plot.series
            for index, x in enumerate(series.x)
            if str(x) == group and series.y[index] is not None
        ]
        for group in groups
    }
    longest = max(map(len, groups))
    left_end = _MARGIN + (0 if longest > _LONG else _CHARACTER * longest + 8)
    width = WIDTH - left_end - _NUMBER
    axis = scale([y for row in rows.values() for _, _, y in row if y is not None] or [0], plot.log, bars=True)
    start = drawing.height = drawing.height + 4
    # The grid lies below the bars, but is drawn last, when their height is known.
    grid_index = len(drawing.lines)
    for group, row in rows.items():
        if longest > _LONG:
            drawing.paragraph(group)
        else:
            middle = drawing.height + max(len(row), 1) * (_BAR + 2) / 2
            drawing.text(left_end - 6, middle + 4, group, ' text-anchor="end"')
        for series, index, y in row:
            assert y is not None
            long = axis.share(y) * width
            says = f"{', '.join(part for part in (series.label, group) if part)}: {number(y)}"
            drawing.lines.append(
                f'<rect class="mark {_style(series, index)}" x="{left_end:.1f}" y="{drawing.height:.1f}" '
                f'width="{max(long, 1.5):.1f}" height="{_BAR}"><title>{escape(says)}</title></rect>'
            )
            drawing.text(left_end + max(long, 1.5) + 5, drawing.height + _BAR - 2, number(y), ' class="value"')
            drawing.height += _BAR + 2
        drawing.height += (_BAR + 2) * (not row) + 8
    drawing.lines[grid_index:grid_index] = _upright_grid(axis, left_end, width, start, drawing.height)
    drawing.height += _LINE
    drawing.paragraph(", ".join([plot.y] * bool(plot.y) + ["powers of ten"] * axis.log), ' class="axis"')


def _upright_grid(axis: Scale, left_end: float, width: float, top: float, bottom: float) -> Iterator[str]:
    """Yield an upright line at each tick, with its text below."""
    free = left_end - 30.0
    for value, words in axis.ticks():
        x = left_end + axis.share(value) * width
        yield f'<path class="grid" d="M{x:.1f} {top:.1f}V{bottom:.1f}"/>'
        if x - _CHARACTER * len(words) / 2 > free:
            yield f'<text class="tick" x="{x:.1f}" y="{bottom + 13:.1f}" text-anchor="middle">{words}</text>'
            free = x + _CHARACTER * len(words) / 2 + 4


def _points(drawing: _Drawing, plot: Plot) -> None:
    """Draw points in a field, the values upwards, with lines between joined points."""
    values = [y for series in plot.series for y in series.y if y is not None]
    interval_ends = [end for series in plot.series for ends in series.ends for end in ends if end > 0]
    axis = scale([*(values or [0]), *interval_ends, *plot.also], plot.log)
    across = _across(plot)
    drawing.paragraph(plot.y, ' class="axis"')
    left_end = _MARGIN + 8 + _CHARACTER * max((len(words) for _, words in axis.ticks()), default=0)
    width, start = WIDTH - left_end - 2 * _MARGIN, drawing.height + 8
    bottom = start + _FIELD

    def place(x: float, y: float) -> tuple[float, float]:
        return left_end + across.share(x) * width, bottom - axis.share(y) * _FIELD

    for value, words in axis.ticks():
        y = bottom - axis.share(value) * _FIELD
        drawing.lines.append(f'<path class="grid" d="M{left_end:.1f} {y:.1f}h{width:.1f}"/>')
        drawing.text(left_end - 6, y + 4, words, ' class="tick" text-anchor="end"')
    for value, words in plot.ticks or across.ticks():
        x = left_end + across.share(value) * width
        drawing.lines.append(f'<path class="grid" d="M{x:.1f} {start:.1f}V{bottom:.1f}"/>')
        drawing.text(x, bottom + 15, words, ' class="tick" text-anchor="middle"')
    if plot.limit is not None:
        y = bottom - axis.share(plot.limit) * _FIELD
        drawing.lines.append(f'<path class="limit" d="M{left_end:.1f} {y:.1f}h{width:.1f}"/>')
    for series in plot.series:
        places = [
            (index, *place(float(x), y))
            for index, (x, y) in enumerate(zip(series.x, series.y, strict=True))
            if y is not None
        ]
        drawing.lines += _row(series, places, [place(0, end)[1] for ends in series.ends for end in ends])
    drawing.height = bottom + _LINE + 3
    drawing.paragraph(plot.x, ' class="axis"')


def _across(plot: Plot) -> Scale:
    """Return the scale of x, a little longer than the data, so that no marker is cut off."""
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
    for index, x, y in places:
        if series.ends:
            low, high = ends[2 * index], ends[2 * index + 1]
            yield f'<path class="line c{series.colour % _COLOURS}" d="M{x:.1f} {low:.1f}V{high:.1f}"/>'
        value = series.y[index]
        assert value is not None
        words = escape(
            f"{series.label + ', ' if series.label else ''}{number(float(series.x[index]))}: {number(value)}"
        )
        yield f'<path class="mark {_style(series, index)}" {_marker(series, x, y)}><title>{words}</title></path>'


def _style(series: Series, index: int = 0, *, hollow: bool | None = None) -> str:
    """Return the classes of a bar or a point."""
    if hollow is None:
        hollow = bool(series.hollow) and series.hollow[index]
    again = " again" if series.colour >= _COLOURS else ""
    return f"c{series.colour % _COLOURS}{again}{' hollow' if hollow else ''}"


def _marker(series: Series, x: float, y: float) -> str:
    return f'd="{_MARKERS[series.colour % _COLOURS]}" transform="translate({x:.1f} {y:.1f})"'
