"""A file of puzzles with constraints from its text to checked answers, on one core: for `scripts/bench`.

Whole commands are timed, and the parts of what `search` does with a puzzle.
"""

import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

# Whole commands, without the file; each puzzle is answered by itself.
COMMANDS = {
    "solve, search": ["solve", "--method", "search"],
    "unique?, search": ["count", "--limit", "2", "--method", "search"],
    "solve, auto": ["solve", "--method", "auto"],
    "solve, sat": ["solve", "--method", "sat"],
}


def bench_bulk(path: str, rounds: int) -> dict[str, Any]:
    """Print puzzles a second of whole commands, and the CPU time of each part for a puzzle.

    Returns:
        By command (seconds, CPU seconds) of each round, and by part CPU microseconds for a puzzle in each round.
    """
    runs: dict[str, list[tuple[float, float]]] = {name: [] for name in COMMANDS}
    parts: dict[str, list[float]] = {}
    for _ in range(rounds):
        for name, words in COMMANDS.items():
            runs[name].append(_command([*words, "-j", "1", "-q", path]))
        made, found = _parts(path)
        for part, seconds in found.items():
            parts.setdefault(part, []).append(1e6 * seconds / made)
    print(f"{made} puzzles of {Path(path).name}, one process at a time")
    for name, taken in runs.items():
        wall, cpu = (statistics.median(some) for some in zip(*taken, strict=True))
        print(f"{name:<16} {made / cpu:>7,.0f} puzzles/CPU s {made / wall:>7,.0f} puzzles/s, starting included")
    for part, micros in parts.items():
        print(f"{part:<8} {statistics.median(micros):7.0f} us a puzzle ({min(micros):.0f}-{max(micros):.0f})")
    return {"commands": runs, "parts": parts}


def _command(words: list[str]) -> tuple[float, float]:
    """Return how many seconds a command takes, and CPU seconds of its processes."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    done = subprocess.run([sys.executable, "-m", "sudoku_encode", *words], check=False, stdout=subprocess.DEVNULL)
    # 3 says that some have more solutions than are counted.
    if done.returncode not in (0, 3):
        raise SystemExit(f"{' '.join(words)} ended with status {done.returncode}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, cpu


def _parts(path: str) -> tuple[int, dict[str, float]]:
    """Return how many puzzles there are, and the CPU seconds of each part over all of them."""
    import numpy as np

    from sudoku_encode import search
    from sudoku_encode.formats.reading import read_all
    from sudoku_encode.puzzles.constraints import lowering
    from sudoku_encode.puzzles.puzzle import Puzzle, check
    from sudoku_encode.search import loading

    taken: dict[str, float] = dict.fromkeys(("read", "lower", "state", "kernel", "check"), 0.0)

    def timed(part: str, work: Callable[[], Any]) -> Any:
        start = time.process_time()
        done = work()
        taken[part] += time.process_time() - start
        return done

    puzzles = [found for found in timed("read", lambda: list(read_all(path))) if isinstance(found, Puzzle)]
    lowering.forget()
    for puzzle in puzzles:
        units = lowering.lower_puzzle(puzzle)
        loading.load(units.puzzle.geometry, constrained=bool(units.placed))
    lowering.forget()
    for puzzle in puzzles:
        lowered = timed("lower", partial(lowering.lower_puzzle, puzzle))
        state = timed("state", partial(search.start_any, lowered))
        out, found = np.empty((1, puzzle.geometry.n_cells), np.uint8), 0
        while not found and not search.finished(state):
            found = timed("kernel", partial(search.advance, state, out))
        timed("check", partial(check, puzzle, out[:found]))
    return len(puzzles), taken
