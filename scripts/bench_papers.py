"""The papers' own comparisons, theirs beside ours: for `scripts/bench`."""

import csv
import statistics
import time
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_encode import boards, generate, methods
from sudoku_encode.formats import read
from sudoku_encode.papers import block_world, brute_force, gtsps4
from sudoku_encode.puzzle import Puzzle
from sudoku_encode.result import Budget, count

INSTANCES = Path(__file__).resolve().parent.parent / "instances"
PAPER_METHODS = ("jana2021", "jana2023-v1", "jana2023-v2")
PAPER_SECONDS = 60.0
# Of each kind the numbers of clues and of solutions, taken in turn. One pass seldom ends below 23.
KINDS = {
    "easy": [(clues, 1) for clues in range(36, 47)],
    "medium": [(clues, 1) for clues in range(32, 36)],
    "hard": [(clues, 1) for clues in range(28, 32)],
    "evil": [(clues, 1) for clues in range(23, 28)],
    "several": [(clues, (100, 20, 5, 2)[(clues - 24) // 3]) for clues in range(24, 33)],
}
# GTSPS, Tables 4.1 to 4.6: milliseconds, and how many of 200 puzzles were not solved; average vertices.
THESIS = {
    "easy": {"brute-force": 17.97, "pencil-paper": 11.09, "gtsps-4.1": 23.04},
    "medium": {"brute-force": 34.2, "pencil-paper": 24.07, "gtsps-4.1": 36.09},
    "hard": {"brute-force": 61.34, "pencil-paper": 33.1, "gtsps-4.1": 61.97},
    "evil": {"brute-force": 84.07, "pencil-paper": 42.98, "gtsps-4.1": 78.7},
    "several": {"brute-force": 99.07, "gtsps-4.1": 68.13},
}
UNSOLVED = {"easy": 0, "medium": 0, "hard": 37, "evil": 73}
VERTICES = {"easy": 227, "medium": 358, "hard": 528, "evil": 720}
THESIS_METHODS = (
    *("brute-force", "norvig2006", "pencil-paper", "logic"),
    *("gtsps-3.1", "gtsps-3.2", "gtsps-4.1", "gtsps-4.2"),
)
# Wadud & Abdullah-Al-Wadud, Table 1: seconds of UHBPnP and of the proposed method; HBPnP solved two of these.
WADUD = {
    "killer-application": (4.797, 0.835),
    "worm-hole": (2.332, 0.621),
    "escargot": (10.942, 3.400),
    "lucky-diamond": (2.337, 0.584),
    "labyrinth": (6.634, 1.255),
    "circles": (2.753, 0.633),
    "squadron": (1.971, 0.402),
    "honeypot": (1.034, 0.287),
    "tweezers": (0.596, 0.125),
    "broken-brick": (5.774, 1.408),
}
# Abednego & Nugraheni, Tables I and II: solved of 100 puzzles, and the percentage of cells filled.
ROBOTS = {"1": (100, 100.0), "2": (0, 1.4), "3": (0, 22.0), "4": (44, 48.0), "4-sound": (None, None)}


def papers2d(number: int = 200) -> dict[str, Any]:
    """Run the methods of the 2D papers on generated puzzles, so many of each kind, and on the ten AI puzzles."""
    sets = {kind: list(_made(kind, number)) for kind in KINDS}
    for puzzle in sets["easy"][:1]:
        for method in methods.METHODS:
            if not methods.METHODS[method].refuses(puzzle.geometry):
                # What is compiled is compiled here.
                _timed(puzzle, method)
    return {"gtsps": _gtsps(sets), "wadud": _wadud(), "block world": _block_world(sets)}


def _made(kind: str, number: int) -> Any:
    board = boards.board("9x9")
    for seed in range(number):
        wanted = generate.Wanted(*KINDS[kind][seed % len(KINDS[kind])])
        (one,) = generate.puzzles(board, wanted, seed, attempts=1000)
        if one is None or not one.reached:
            raise SystemExit(f"no puzzle as wanted: {wanted}, seed {seed}")
        yield one.puzzle


def _timed(puzzle: Puzzle, method: str) -> tuple[float, str, Any]:
    """Return the seconds that a method took to end, what it says, and its count."""
    start = time.process_time()
    found = count(methods.solutions(puzzle, method, Budget.of(seconds=PAPER_SECONDS)))
    return time.process_time() - start, str(found), found


def _gtsps(sets: dict[str, list[Puzzle]]) -> dict[str, Any]:
    results: dict[str, Any] = {}
    print("\nGTSPS: average milliseconds to all solutions and the proof that there are no more; in brackets the thesis")
    for kind, puzzles in sets.items():
        vertices = statistics.mean(len(gtsps4.graph(puzzle, lambda: None).deleted) for puzzle in puzzles)
        tried = statistics.mean(_values_tried(puzzle) for puzzle in puzzles)
        clues = [int(np.count_nonzero(puzzle.givens)) for puzzle in puzzles]
        print(f"{kind}: {len(puzzles)} puzzles of {min(clues)} to {max(clues)} clues", end="; ")
        print(f"{vertices:.0f} vertices ({VERTICES.get(kind, '-')}), {tried:.0f} values tried by brute force")
        results[kind] = {"vertices": vertices, "values tried": tried}
        for method in THESIS_METHODS:
            runs = [_timed(puzzle, method) for puzzle in puzzles]
            seconds, unsolved = [run[0] for run in runs], sum(not run[2].complete for run in runs)
            theirs, failed = THESIS[kind].get(method), UNSOLVED.get(kind) if method == "pencil-paper" else None
            print(f"    {method:<13} {1e3 * statistics.mean(seconds):8.3f} ({theirs or '-'})", end="")
            print(f"  unsolved {unsolved}{'' if failed is None else f' ({failed} of 200)'}", flush=True)
            results[kind][method] = {"seconds": seconds, "unsolved": unsolved}
    return results


def _values_tried(puzzle: Puzzle) -> int:
    state = brute_force.start(puzzle)
    for _ in brute_force.run(state, lambda: None):
        pass
    return int(state.counts[1])


def _wadud() -> dict[str, Any]:
    """Solve the ten AI puzzles up to the first solution, as the paper does."""
    results: dict[str, Any] = {}
    print("\nHBPnP, UHBPnP and the table version: milliseconds to the first solution; in brackets the paper's seconds")
    for name, (uhbpnp, tables) in WADUD.items():
        puzzle = _inkala(name)
        seconds: dict[str, float] = {}
        solved: dict[str, bool] = {}
        for method in ("hbpnp", "uhbpnp", "uhbpnp-tables"):
            times = []
            for _ in range(5):
                start = time.process_time()
                (answer,) = methods.first([puzzle], method, PAPER_SECONDS)
                times.append(time.process_time() - start)
            seconds[method], solved[method] = statistics.median(times), isinstance(answer, np.ndarray)
        ratio = seconds["uhbpnp"] / seconds["uhbpnp-tables"]
        hbpnp = f"{1e3 * seconds['hbpnp']:.2f}" if solved["hbpnp"] else "fails"
        print(f"    {name:<19} {hbpnp:>7} {1e3 * seconds['uhbpnp']:8.2f} ({uhbpnp})", end="")
        print(
            f" {1e3 * seconds['uhbpnp-tables']:8.2f} ({tables}); ratio {ratio:.1f} ({uhbpnp / tables:.1f})", flush=True
        )
        results[name] = {"seconds": seconds, "solved": solved}
    return results


def _inkala(name: str) -> Puzzle:
    (puzzle,) = (one for one in read(str(INSTANCES / "papers" / "inkala" / f"{name}.txt")) if isinstance(one, Puzzle))
    return puzzle


def _block_world(sets: dict[str, list[Puzzle]]) -> dict[str, Any]:
    """Let the robots work on 100 puzzles of all four kinds with one solution, and on the ten AI puzzles."""
    puzzles = [puzzle for kind in ("easy", "medium", "hard", "evil") for puzzle in sets[kind][:25]]
    truth = [next(iter(methods.solutions(puzzle, "sat")))[0] for puzzle in puzzles]
    results: dict[str, Any] = {}
    print("\nBlock world: solved of 100, percentage of blanks filled, boxes that are wrong, milliseconds a puzzle")
    for model, (solved, percentage) in ROBOTS.items():
        start = time.process_time()
        runs = [block_world.run(puzzle, lambda: None, model) for puzzle in puzzles]
        seconds = (time.process_time() - start) / len(puzzles)
        right = sum(bool((run.grid == grid).all()) for run, grid in zip(runs, truth, strict=True))
        wrong = sum(int(((run.grid != grid) & (run.grid > 0)).sum()) for run, grid in zip(runs, truth, strict=True))
        filled = 100 * sum(run.filled for run in runs) / sum(len(puzzle.blanks) for puzzle in puzzles)
        paper = "-" if solved is None else f"{solved}, {percentage}"
        print(
            f"    model {model:<8} {right:>3}  {filled:5.1f} % ({paper})  wrong {wrong:<4} {1e3 * seconds:.3f}",
            flush=True,
        )
        results[model] = {"solved": right, "filled": filled, "wrong": wrong, "seconds": seconds}
    print("    the ten AI puzzles, milliseconds in all (the paper's ten hardest: 1951 and 1653)")
    for model in ("1", "4+1"):
        total = 0.0
        for name in WADUD:
            puzzle = _inkala(name)
            start = time.process_time()
            block_world.run(puzzle, lambda: None, model)
            total += time.process_time() - start
        print(f"    model {model:<8} {1e3 * total:.1f}")
        results[f"AI {model}"] = total
    return results


def papers3d() -> dict[str, Any]:
    """Count every cube by every method, a minute at most, and compare with Tables 5 to 7 of Jana et al. 2023."""
    folder = INSTANCES / "cubes"
    table = list(csv.DictReader((folder / "jana-2023-tables.csv").open(encoding="utf-8")))
    results: dict[str, Any] = {}
    print(f"{'rules':<11} {'class':<9} {'method':<12} {'right':>8} {'seconds':>22} {'paper':>22} {'median ratio':>13}")
    for rules in ("six-rules", "four-rules"):
        for kind in ("easy", "moderate", "hard"):
            puzzles = [entry for entry in read(str(folder / f"{rules}-{kind}.txt")) if isinstance(entry, Puzzle)]
            rows = [row for row in table if row["class"] == kind]
            for method in PAPER_METHODS:
                ours: list[float] = []
                unfinished: list[str] = []
                for puzzle, row in zip(puzzles, rows, strict=True):
                    start = time.perf_counter()
                    found = count(methods.solutions(puzzle, method, Budget.of(seconds=PAPER_SECONDS)))
                    ours.append(time.perf_counter() - start)
                    if found.complete and found.value != int(row["solutions"]):
                        raise SystemExit(f"{rules} {row['instance']}: {method} counts {found}, not {row['solutions']}")
                    if not found.complete:
                        unfinished.append(f"{row['instance']}: {found}, {found.stopped}")
                theirs = [float(row[method]) for row in rows if row[method]]
                ratios = [float(row[method]) / mine for row, mine in zip(rows, ours, strict=True) if row[method]]
                print(
                    f"{rules:<11} {kind:<9} {method:<12} {len(rows) - len(unfinished):>3} of {len(rows):<2}"
                    f" {spread(ours, 3):>22} {spread(theirs, 2) if theirs else 'not working':>22}"
                    f" {f'{statistics.median(ratios):.0f}' if ratios else '-':>13}",
                    flush=True,
                )
                for line in unfinished:
                    print(f"    not finished in {PAPER_SECONDS:.0f} s: {line}")
                results[f"{rules} {kind} {method}"] = {"seconds": ours, "paper": theirs, "unfinished": unfinished}
    return results


def spread(values: list[float], digits: int) -> str:
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f}-{max(values):.{digits}f})"
