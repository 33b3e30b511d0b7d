"""Figures of `rate` over sets of puzzles, compared with each other and with published ratings: for `scripts/bench`.

A line of a file is a puzzle, and after it may be a published rating: `PUZZLE 7.2`.
"""

import re
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

SYMBOLS = 81
PUBLISHED = "published"
# Of the techniques this takes a minute on some of the hardest puzzles; what is not known then is left out.
SECONDS = 60.0


def bench_ratings(paths: list[str], many: int) -> dict[str, Any]:
    """Rate puzzles of each file, evenly spread over it, and print medians and rank correlations."""
    from sudoku_encode.questions.table import FIGURES

    results: dict[str, Any] = {}
    print(f"| set | puzzles | {' | '.join(FIGURES)} |\n|---|---|{'---|' * len(FIGURES)}")
    for path in paths:
        rows = rated(path, many)
        results[Path(path).name] = rows
        shown = [spread([row[name] for row in rows if name in row]) for name in FIGURES]
        print(f"| {Path(path).name} | {len(rows)} | {' | '.join(shown)} |", flush=True)
    together = [row for rows in results.values() for row in rows]
    names = [name for name in (*FIGURES, PUBLISHED) if any(name in row for row in together)]
    print(f"\nSpearman's rank correlation\n\n| figures | {' | '.join(results)} | all |")
    print(f"|---|{'---|' * (len(results) + 1)}")
    for one, other in combinations(names, 2):
        cells = [correlation(rows, one, other) for rows in (*results.values(), together)]
        print(f"| {one}, {other} | {' | '.join(cells)} |")
    if PUBLISHED not in names:
        print("\nNone of the files has a published rating.")
    return results


def rated(path: str, many: int) -> list[dict[str, float]]:
    """Return the figures of some puzzles of a file, and the published rating where it has one, by name."""
    from sudoku_encode.formats.reading import read
    from sudoku_encode.questions.rating import RateQuestion
    from sudoku_encode.run.asking import ask_each
    from sudoku_encode.run.limits import Limits

    lines = [line for line in text_of(path).splitlines() if len(line) >= SYMBOLS and line[0] != "#"]
    chosen = [lines[at] for at in np.unique(np.linspace(0, len(lines) - 1, many).astype(int)).tolist()]
    puzzles = [(number, read(line[:SYMBOLS], board="9x9")) for number, line in enumerate(chosen)]
    rows: list[dict[str, float]] = []
    for (number, _), answer in ask_each(RateQuestion(), puzzles, Limits(seconds=SECONDS)):
        row = {}
        if answer.value is not None:
            row = {name: figure.value for name, figure in answer.value.figures.items() if figure.value is not None}
        if published := re.search(r"\d+(\.\d+)?", chosen[number][SYMBOLS:]):
            row[PUBLISHED] = float(published[0])
        rows.append(row)
    return rows


def text_of(path: str) -> str:
    import gzip

    data = Path(path).read_bytes()
    return (gzip.decompress(data) if path.endswith(".gz") else data).decode("ascii")


def spread(values: list[float]) -> str:
    if not values:
        return "-"
    least, middle, most = np.percentile(values, [0, 50, 100]).tolist()
    return f"{middle:g} ({least:g}-{most:g})"


def correlation(rows: list[dict[str, float]], one: str, other: str) -> str:
    """Return Spearman's rank correlation of two figures; - where one of them is the same for all."""
    both = [(row[one], row[other]) for row in rows if one in row and other in row]
    if len(both) < 3:
        return "-"
    first, second = (ranks(np.array(values)) for values in zip(*both, strict=True))
    if first.std() == 0 or second.std() == 0:
        return "-"
    return f"{np.corrcoef(first, second)[0, 1]:.2f}"


def ranks(values: Any) -> Any:
    """Return the rank of each value, from 1; equal ones have the mean of their ranks."""
    _, which, counts = np.unique(values, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    return (ends - (counts - 1) / 2)[which]
