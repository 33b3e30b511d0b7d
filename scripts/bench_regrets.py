"""How much longer `auto` takes than the best method, on a fixed set of some 330 puzzles: for `scripts/bench regrets`.

Each puzzle is asked for two solutions, which says whether it has one, within a limit of seconds. Plain puzzles are made
by seeds: a regular solution shuffled, and as many givens kept as the row says, for boards from 4x4 to 36x36 and cubes
from 4x4x4 to 16x16x16, from few blanks to the number at which hardly any method ends. Puzzles with constraints are
setters', from `instances/variants`.
"""

import json
import statistics
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from bench_speed import cpu

METHODS = ("auto", "search", "sat", "cp-sat")
# How long a method may take for a puzzle.
SECONDS = 5.0
# Files of setters' puzzles with constraints, and which of their puzzles are taken: every fifth, or all.
SETTERS = {"iss.txt": 5, "f-puzzles.jsonl": 1}
# A regret below this is noise, of starting a process and of the clock.
SLACK_SECONDS = 0.05
# The boards, their shares of givens, and how many puzzles of each.
FAMILIES: tuple[tuple[str, tuple[float, ...], int], ...] = (
    ("4x4", (0.3,), 4),
    ("6x6:2x3", (0.2, 0.4), 4),
    ("8x8:2x4", (0.3, 0.45), 4),
    ("9x9", (0.3, 0.35, 0.4), 8),
    ("9x9+diagonals", (0.2, 0.3), 6),
    ("9x9+windoku", (0.25,), 6),
    ("10x10", (0.3, 0.35, 0.4), 6),
    ("12x12:3x4", (0.3, 0.35, 0.4, 0.5), 6),
    ("15x15", (0.35, 0.45), 4),
    ("16x16", (0.3, 0.36, 0.4, 0.45, 0.5), 6),
    ("20x20:4x5", (0.4, 0.45, 0.5, 0.6), 4),
    ("25x25", (0.4, 0.45, 0.5, 0.6), 4),
    ("36x36", (0.45, 0.5, 0.6), 3),
    ("latin:9x9", (0.35, 0.5), 4),
    ("latin:16x16", (0.4, 0.45, 0.5), 4),
    ("latin:25x25", (0.42, 0.5), 4),
    ("4x4x4", (0.05, 0.1), 4),
    ("9x9x9", (0.05, 0.055, 0.06, 0.065, 0.07, 0.08, 0.1, 0.2), 6),
    ("16x16x16", (0.3, 0.35, 0.4), 3),
)


def puzzles() -> Iterator[tuple[str, Any]]:
    """Yield the name of each puzzle and the puzzle."""
    from sudoku_encode import solve
    from sudoku_encode.formats.reading import read_all
    from sudoku_encode.generating.grids import pattern, shuffled
    from sudoku_encode.puzzles import boards
    from sudoku_encode.puzzles.puzzle import Puzzle

    instances = Path(__file__).parent.parent / "instances"
    for path in sorted(instances.glob("papers/inkala/*.txt")):
        for number, entry in enumerate(read_all(str(path))):
            if isinstance(entry, Puzzle):
                yield f"inkala {path.stem} {number}", entry
    for file, step in SETTERS.items():
        for number, entry in enumerate(read_all(str(instances / "variants" / file))):
            if isinstance(entry, Puzzle) and number % step == 0:
                yield f"setters {file} {number}", entry
    for name, shares, how_many in FAMILIES:
        board = boards.board(name)
        regular = pattern(board)
        if regular is None:
            found = solve(Puzzle.of(board), "sat")
            assert found is not None
            regular = found.array.ravel()
        for share in shares:
            for seed in range(how_many):
                chance = np.random.RandomState(seed)
                grid = regular.copy() if "+" in name else shuffled(board, regular, chance)
                if "+" in name:
                    grid = (chance.permutation(board.n_values) + 1).astype(np.uint8)[grid - 1]
                grid[chance.permutation(board.n_cells)[round(share * board.n_cells) :]] = 0
                yield f"{name} {share} {seed}", Puzzle.of(board, grid)


def run(method: str, first: int, step: int) -> list[tuple[str, float, bool, int]]:
    """Return for each puzzle its name, the CPU seconds, whether it was answered, and how many solutions were found."""
    from sudoku_encode.errors import StoppedError, SudokuError
    from sudoku_encode.methods import calls
    from sudoku_encode.methods.limited_calls import warm_up_method
    from sudoku_encode.methods.table import METHODS as TABLE
    from sudoku_encode.run.limits import Limits

    rows, warm = [], set()
    for number, (name, puzzle) in enumerate(puzzles()):
        if number % step != first:
            continue
        kind = puzzle.geometry.name, bool(puzzle.constraints)
        if kind not in warm:
            warm.add(kind)
            for loaded in ("search", method):
                warm_up_method(TABLE[loaded], puzzle)
        start, found, answered = cpu(), 0, False
        try:
            for batch in calls.solutions(puzzle, method, Limits(2, SECONDS).start()):
                found += len(batch)
            answered = True
        except StoppedError:
            answered = found >= 2
        except (SudokuError, MemoryError) as error:
            print(name, method, error, file=sys.stderr)
        rows.append((name, cpu() - start, answered, found))
    return rows


def bench_regrets(rounds: int, step: int = 1) -> dict[str, Any]:
    """Run every method on the set, each in a process of its own, and print a table of the regrets of `auto`."""
    taken: dict[str, dict[str, list[float]]] = {}
    for _ in range(rounds):
        for method in METHODS:
            command = [sys.executable, __file__, method, "0", str(step)]
            done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
            for name, seconds, answered, _ in json.loads(done.stdout):
                entry = taken.setdefault(name, {}).setdefault(method, [])
                entry.append(seconds if answered else float("inf"))
    table = {name: {method: statistics.median(runs) for method, runs in row.items()} for name, row in taken.items()}
    families: dict[str, list[dict[str, float]]] = {}
    for name, row in table.items():
        families.setdefault(name.rsplit(" ", 1)[0], []).append(row)
    print(f"{'puzzles':<18}{'n':>4}" + "".join(f"{method:>14}" for method in METHODS) + f"{'within 10 %':>14}")
    good = every = 0
    for name, rows in families.items():
        fine = [within(row) for row in rows]
        good, every = good + sum(fine), every + len(fine)
        cells = []
        for method in METHODS:
            ended = [row[method] for row in rows if row[method] < float("inf")]
            cells.append(f"{statistics.median(ended):.3f} ({len(ended)})" if ended else "- (0)")
        print(f"{name:<18}{len(rows):>4}" + "".join(f"{cell:>14}" for cell in cells) + f"{sum(fine):>14}")
    print(f"auto is within 10 % (or {SLACK_SECONDS} s) of the best method on {good} of {every} puzzles")
    return {name: [row] for name, row in table.items()}


def within(row: dict[str, float]) -> bool:
    """Return whether `auto` was about as quick as the best method, or none answered."""
    best = min(seconds for method, seconds in row.items() if method != "auto")
    return best == float("inf") or row["auto"] <= 1.1 * best + SLACK_SECONDS


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))))
