"""Result tables as pictures: the paper's beside ours. Needs matplotlib, the extra `plots`."""

from io import BytesIO
from typing import Any

import sudoku_encode as se
from sudoku_encode.reproduce.finding import Plot

# The paper's figures are hollow or pale, ours are solid, of the same colour where they are of the same method.
_PALE, _SOLID = 0.35, 1.0


def draw(plot: Plot) -> bytes:
    """Return a picture, as SVG.

    Raises:
        SudokuError: matplotlib is not installed.
    """
    try:
        from matplotlib import rc_context
        from matplotlib.figure import Figure
    except ImportError as error:
        raise se.SudokuError("plots need matplotlib: pip install 'sudoku-encode[plots]'") from error
    figure = Figure(figsize=(9, 4.5), layout="constrained")
    axes = figure.add_subplot()
    if any(isinstance(x, str) for series in plot.series for x in series.x):
        _bars(axes, plot)
    else:
        _points(axes, plot)
    if plot.log:
        axes.set_yscale("log")
    axes.set_title(plot.title)
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    figure.legend(fontsize="small", loc="outside right upper")
    picture = BytesIO()
    # Without the date, and with names that are not random, the same figures make the same picture.
    with rc_context({"svg.hashsalt": plot.name}):
        figure.savefig(picture, format="svg", metadata={"Date": None})
    return picture.getvalue()


def _colours(plot: Plot) -> list[str]:
    """Give each series a colour, the paper's figures and ours of the same thing the same one."""
    things = list(dict.fromkeys((series.of, series.how) for series in plot.series))
    return [f"C{things.index((series.of, series.how)) % 10}" for series in plot.series]


def _points(axes: Any, plot: Plot) -> None:
    for series, colour in zip(plot.series, _colours(plot), strict=True):
        known = [(x, y) for x, y in zip(series.x, series.y, strict=True) if y is not None]
        style = {"mfc": "none", "alpha": 0.8} if series.paper else {"ms": 3.5}
        axes.plot(*zip(*known, strict=True), "o", color=colour, label=series.label, **style)


def _bars(axes: Any, plot: Plot) -> None:
    groups = list(dict.fromkeys(x for series in plot.series for x in series.x))
    width = 0.8 / len(plot.series)
    for number, (series, colour) in enumerate(zip(plot.series, _colours(plot), strict=True)):
        known = [(groups.index(x), y) for x, y in zip(series.x, series.y, strict=True) if y is not None]
        axes.bar(
            [place - 0.4 + (number + 0.5) * width for place, _ in known],
            [y for _, y in known],
            width,
            label=series.label,
            color=colour,
            alpha=_PALE if series.paper else _SOLID,
        )
    tilted = max(len(str(group)) for group in groups) > 10
    axes.set_xticks(range(len(groups)), groups, rotation=30 if tilted else 0, ha="right" if tilted else "center")
