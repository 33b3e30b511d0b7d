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
from contextlib import suppress
from typing import Any

import numpy as np
from bench_speed import cpu

SECONDS = 20.0
SHARE = 0.6
FAMILIES = {
    "squares": ("4x4", "9x9", "16x16", "25x25", "36x36", "49x49"),
    "cubes": ("4x4x4", "9x9x9", "16x16x16", "25x25x25"),
}
WORK = ("encode", "search", "sat", "cp-sat")
COLOURS = {"encode": "#777777", "search": "#3b6ea5", "sat": "#c0504d", "cp-sat": "#e3a72f"}


def measure(work: str, name: str) -> float | None:
    """Return the CPU seconds for a board, or None where the work did not end in its time."""
    from sudoku_encode.encoders import cnf_file  # noqa: F401  (imports are not timed)
    from sudoku_encode.encoders.encoding import encode
    from sudoku_encode.errors import Stopped
    from sudoku_encode.generating.grids import pattern, shuffled
    from sudoku_encode.methods import calls
    from sudoku_encode.methods.table import METHODS
    from sudoku_encode.methods.warm import warm_up
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
    warm_up(METHODS[work], board)
    # The library is loaded by a first, small puzzle.
    for asked in (Puzzle.of(boards.board("4x4")), puzzle):
        start, found = cpu(), 0
        with suppress(Stopped):
            for batch in calls.solutions(asked, work, Limits(1, SECONDS).start()):
                found += len(batch)
    return cpu() - start if found else None


def bench_growth(rounds: int, drawing: str | None = None) -> dict[str, Any]:
    """Print a table, and draw it where a file is named."""
    table: dict[str, dict[str, dict[str, list[float]]]] = {}
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
    if drawing:
        draw(table, drawing)
    return table


def in_process_of_its_own(work: str, name: str) -> float | None:
    done = subprocess.run([sys.executable, __file__, work, name], capture_output=True, text=True, check=False)
    found: float | None = json.loads(done.stdout) if done.returncode == 0 else None
    return found


def draw(table: dict[str, dict[str, dict[str, list[float]]]], path: str) -> None:
    """Draw seconds against cells, both in powers of ten, with matplotlib."""
    import matplotlib as mpl

    mpl.use("svg")
    from matplotlib import pyplot

    # The same picture, byte for byte, for the same figures.
    mpl.rcParams["svg.hashsalt"] = "growth"
    figure, panels = pyplot.subplots(1, len(table), figsize=(10, 4.2), sharey=True)
    for panel, (family, rows) in zip(panels, table.items(), strict=True):
        sizes = {name: int(np.prod([int(side) for side in name.split("x")])) for name in FAMILIES[family]}
        for work, points in rows.items():
            label = "write the extended encoding" if work == "encode" else f"solve by {work}"
            times = [statistics.median(points[name]) for name in points]
            panel.plot([sizes[name] for name in points], times, "o-", color=COLOURS[work], label=label)
        panel.set_xscale("log")
        panel.set_yscale("log")
        panel.set_xticks(list(sizes.values()), list(sizes), fontsize=8)
        panel.minorticks_off()
        panel.set_title(f"{family}, {SHARE:.0%} of the cells given")
        panel.grid(alpha=0.3)
    panels[0].set_ylabel("CPU seconds")
    panels[0].legend(fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    print(json.dumps(measure(*sys.argv[1:])))
