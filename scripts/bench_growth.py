"""How the time grows with the size of a board, for each family: for `scripts/bench growth`.

Squares from 4x4 to 49x49 and cubes from 4x4x4 to 25x25x25, a regular solution shuffled and a share of its givens kept:
the time to write the extended encoding, and to find a solution with each method. Each measurement is a process of its
own and stops after some seconds; imports and compiling are not timed.
"""

import json
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from bench_speed import cpu

from sudoku_encode.render.plots import Plot, Series, sheet

SECONDS = 20.0
SHARE = 0.6
FAMILIES = {
    "squares": ("4x4", "9x9", "16x16", "25x25", "36x36", "49x49"),
    "cubes": ("4x4x4", "9x9x9", "16x16x16", "25x25x25"),
}
WORK = ("encode", "search", "sat", "cp-sat")
# CPU seconds of each run, by family, work and board.
Table = dict[str, dict[str, dict[str, list[float]]]]
COLOURS = {"encode": 5, "search": 0, "sat": 1, "cp-sat": 4}


def measure(work: str, name: str) -> float | None:
    """Return the CPU seconds for a board, or None where the work did not end in its time."""
    from sudoku_encode.encoders import cnf_file  # noqa: F401  (imports are not timed)
    from sudoku_encode.encoders.encoding import encode
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.generating.grids import pattern, shuffled
    from sudoku_encode.methods import calls
    from sudoku_encode.methods.limited_calls import warm_up_method
    from sudoku_encode.methods.table import METHODS
    from sudoku_encode.puzzles import boards
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.run.limits import Limits

    board, chance = boards.board(name), np.random.RandomState(1)
    regular = pattern(board)
    assert regular is not None
    grid = shuffled(board, regular, chance)
    grid[chance.permutation(board.n_cells)[round(SHARE * board.n_cells) :]] = 0
    puzzle = Puzzle.of(board, grid)
    with tempfile.TemporaryDirectory() as folder:
        if work == "encode":
            encode(Puzzle.of(boards.board("4x4")), reduction="none").save(f"{folder}/warm.cnf")
            start = cpu()
            encode(Puzzle.of(board), reduction="none").save(f"{folder}/a.cnf")
            return cpu() - start
    warm_up_method(METHODS[work], Puzzle.of(board))
    # The library is loaded by a first, small puzzle.
    for asked in (Puzzle.of(boards.board("4x4")), puzzle):
        start, found = cpu(), 0
        with suppress(StoppedError):
            for batch in calls.solutions(asked, work, Limits(1, SECONDS).start()):
                found += len(batch)
    return cpu() - start if found else None


def bench_growth(rounds: int, drawing: str | None = None, pages: Sequence[str] = ()) -> dict[str, Any]:
    """Print a table, and draw it where a file is named. Of a page with such a table that is drawn."""
    table = from_table(Path(pages[0]).read_text(encoding="utf-8")) if pages else measured(rounds)
    if drawing:
        Path(drawing).write_text(svg(table), encoding="utf-8")
    return table


def measured(rounds: int) -> Table:
    """Measure, and print a table."""
    table: Table = {}
    for family, names in FAMILIES.items():
        print(f"{family:<10}" + "".join(f"{name:>12}" for name in names))
        for work in WORK:
            rows = table.setdefault(family, {}).setdefault(work, {})
            for name in names:
                runs = [found for _ in range(rounds) if (found := in_process_of_its_own(work, name)) is not None]
                if len(runs) == rounds:
                    rows[name] = runs
            cells = [f"{statistics.median(rows[name]):.4f}" if name in rows else "-" for name in names]
            print(f"{work:<10}" + "".join(f"{cell:>12}" for cell in cells), flush=True)
    return table


def in_process_of_its_own(work: str, name: str) -> float | None:
    done = subprocess.run([sys.executable, __file__, work, name], capture_output=True, text=True, check=False)
    found: float | None = json.loads(done.stdout) if done.returncode == 0 else None
    return found


def svg(table: Table) -> str:
    """Draw seconds against cells, both in powers of ten."""
    every = tuple(min(runs) for rows in table.values() for points in rows.values() for runs in points.values())
    plots = []
    for family, rows in table.items():
        sizes = {name: prod(int(side) for side in name.split("x")) for name in FAMILIES[family]}
        series = []
        for work, points in rows.items():
            label = "write the extended encoding" if work == "encode" else f"solve by {work}"
            times = tuple(statistics.median(points[name]) for name in points)
            series.append(Series(label, tuple(sizes[name] for name in points), times, COLOURS[work], joined=True))
        ticks = tuple((size, name) for name, size in sizes.items())
        title = f"{family.capitalize()} with {SHARE:.0%} of the cells given: CPU seconds"
        plots.append(Plot(title, "", "", tuple(series), log=True, log_x=True, ticks=ticks, also=every))
    return sheet(plots, 1)


def from_table(text: str) -> Table:
    """Return what `bench_growth` printed, in a text with more."""
    table: Table = {}
    names: list[str] = []
    for head, *cells in (line.split() for line in text.splitlines() if line.strip()):
        if head in FAMILIES and tuple(cells) == FAMILIES[head]:
            names, rows = cells, table.setdefault(head, {})
        elif names and head in WORK and len(cells) == len(names):
            rows[head] = {name: [float(cell)] for name, cell in zip(names, cells, strict=True) if cell != "-"}
        else:
            names = []
    return table


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
