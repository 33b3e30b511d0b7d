"""What setters ask of a puzzle, beside how long it should take: for `scripts/bench`."""

import statistics
import time
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

# Puzzles of the same kind for each figure; the median over them is reported.
PUZZLES_EACH = 5
# How many puzzles `check` and `count` are given.
BATCH = 2_000


class Row(NamedTuple):
    """A question: what it is, what is timed, and how many seconds that should take.

    Where `beside` is another piece of work, the target is that many times its seconds.
    """

    name: str
    work: Callable[[], Any]
    target: float
    beside: Callable[[], Any] | None = None


def bench_questions(rounds: int) -> dict[str, list[dict[str, float]]]:
    """Time each question, print it beside its target, and return measured, target and ratio of each round."""
    results: dict[str, list[dict[str, float]]] = {}
    print(f"{'question':<66} {'measured s':>11} {'target s':>9} {'ratio':>6}")
    for row in rows():
        # What is compiled is loaded before.
        row.work()
        runs = []
        for _ in range(rounds):
            target = row.target * (seconds(row.beside) if row.beside else 1.0)
            measured = seconds(row.work)
            runs.append({"measured": measured, "target": target, "ratio": measured / target})
        results[row.name] = runs
        middle = [statistics.median(run[key] for run in runs) for key in ("measured", "target", "ratio")]
        print(f"{row.name:<66} {middle[0]:>11.2g} {middle[1]:>9.2g} {middle[2]:>6.2f}", flush=True)
    return results


def seconds(work: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def rows() -> Iterator[Row]:
    """Yield the questions."""
    import sudoku_encode as se

    nine = se.board("9x9")
    twenty = [thinned(seed, 20) for seed in range(PUZZLES_EACH)]
    yield Row("true candidates of 9x9, 20 random givens", over(se.candidates, twenty), 0.020)
    billion = next(one for one in (thinned(seed, 16) for seed in range(1000)) if 3e8 < se.count(one).value < 3e9)
    found = se.count(billion).value
    yield Row(
        f"exact shares of 9x9 with {found:.1e} solutions; target 3 times its count",
        lambda: se.candidates(billion, counts=True),
        3.0,
        lambda: se.count(billion),
    )
    yield Row("1,000 samples of the empty 9x9", lambda: se.sample(se.Puzzle.of(nine), 1000, seed=1), 30.0)
    yield Row(f"1,000 samples of 9x9 with {found:.1e} solutions", lambda: se.sample(billion, 1000, seed=1), 5.0)
    made = [one.puzzle for one in se.generate("9x9", seed=1, many=20)]
    batch = (made * (BATCH // len(made)))[:BATCH]
    yield Row(
        f"`check` of {BATCH:,} puzzles; target twice `count --limit 2` of them",
        lambda: command("check", batch),
        2.0,
        lambda: command("count", batch, "--limit", "2"),
    )
    yield Row("redundant givens of a 9x9 with 30 givens", redundant_of(unique(30)), 0.005)
    cube = next(se.generate("9x9x9", clues=400, seed=1))
    yield Row("redundant givens of a 9x9x9 cube with 400 givens", redundant_of(cube), 2.0)


def over(ask: Callable[[Any], Any], puzzles: list[Any]) -> Callable[[], Any]:
    """Return work that asks of each puzzle again and again."""
    numbers = iter(range(10**9))
    return lambda: ask(puzzles[next(numbers) % len(puzzles)])


def redundant_of(generated: Any) -> Callable[[], Any]:
    from sudoku_encode.questions.redundant import redundant_givens
    from sudoku_encode.run.limits import Deadline

    return lambda: redundant_givens(generated.puzzle, generated.solution, Deadline())


def unique(clues: int) -> Any:
    import sudoku_encode as se

    return next(se.generate("9x9", clues=clues, seed=1))


def thinned(seed: int, clues: int) -> Any:
    """Return a puzzle with random givens of a random grid."""
    import sudoku_encode as se

    solution = next(se.generate("9x9", blanks=0, seed=seed)).solution
    kept = np.random.default_rng(seed).permutation(81)[:clues]
    givens = np.zeros(81, np.uint8)
    givens[kept] = solution[kept]
    return se.Puzzle.of(se.board("9x9"), givens)


def command(name: str, puzzles: list[Any], *options: str) -> None:
    """Run a command on puzzles in a file, as a user does."""
    import subprocess
    import sys
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "puzzles.txt"
        path.write_text("".join("".join(map(str, one.givens.tolist())) + "\n" for one in puzzles))
        words = [sys.executable, "-m", "sudoku_encode", name, str(path), *options]
        subprocess.run(words, check=True, capture_output=True)
