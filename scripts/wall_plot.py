"""The plot of scripts/wall, against the givens: the share of puzzles with one solution, and the times of each way."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from sudoku_encode.render.plots import Plot, Series, sheet

CELLS = 729
Row = dict[str, Any]


def svg(rows: Sequence[Row], seconds: int) -> str:
    """Draw what was measured, a column for each cube.

    A bar is from the first to the third quartile, a hollow point a median over the limit on CPU seconds.
    """
    cubes = list(dict.fromkeys(row["grid"] for row in rows))
    of_cubes = [[row for row in rows if row["grid"] == cube] for cube in cubes]
    plots = [share(some, f"{cube}: share of the puzzles") for cube, some in zip(cubes, of_cubes, strict=True)]
    for key, what in (("one", "CPU s to one solution"), ("end", "CPU s to the proof or to a second one")):
        # Pictures side by side have the same axis.
        every = tuple(row[key] for row in rows if row[key])
        for cube, some in zip(cubes, of_cubes, strict=True):
            ways = list(dict.fromkeys(row["way"] for row in some))
            series = tuple(
                times([row for row in some if row["way"] == way], key, seconds, at) for at, way in enumerate(ways)
            )
            title = f"{cube}: {what}"
            plots.append(
                Plot(title, "random givens of 729", "", series, log=True, limit=seconds, also=(*every, seconds))
            )
    return sheet(plots, len(cubes))


def share(rows: Sequence[Row], title: str) -> Plot:
    """Draw which share of the puzzles has one solution, and which has not been decided.

    Whether there is one solution is what any of the ways proved; a bar is a standard error, from (n p + 1) / (n + 2) so
    that it is never 0.
    """
    points = sorted({row["blanks"] for row in rows})
    one, undecided, ends = [], [], []
    for blanks in points:
        here = [row for row in rows if row["blanks"] == blanks]
        decided = {row["seed"]: row["solutions"] == 1 for row in here if row["end"]}
        n, n_one = len({row["seed"] for row in here}), sum(decided.values())
        middle = (n_one + 1) / (n + 2)
        error = (middle * (1 - middle) / (n + 2)) ** 0.5
        one.append(n_one / n)
        undecided.append(1 - len(decided) / n)
        # A share is from 0 to 1, and so are the ends of its bar.
        ends.append((max(n_one / n - error, 0.0), min(n_one / n + error, 1.0)))
    givens = tuple(CELLS - blanks for blanks in points)
    proved = Series("one solution, proved", givens, tuple(one), ends=tuple(ends), joined=True)
    open_ = Series("not decided in time", givens, tuple(undecided), 5, joined=True)
    return Plot(title, "random givens of 729", "", (proved, open_), also=(1.0,))


def times(rows: Sequence[Row], key: str, seconds: int, colour: int) -> Series:
    """Return the median time of one way for each number of givens, with quartiles."""
    points = sorted({row["blanks"] for row in rows})
    runs = [[row[key] or seconds for row in rows if row["blanks"] == blanks] for blanks in points]
    low, middle, high = (np.percentile(runs, part, axis=1).tolist() for part in (25, 50, 75))
    return Series(
        rows[0]["way"],
        tuple(CELLS - blanks for blanks in points),
        tuple(middle),
        colour,
        hollow=tuple(value >= seconds for value in middle),
        ends=tuple(zip(low, high, strict=True)),
        joined=True,
    )
