"""Random puzzles on boards of every kind, what plain backtracking finds on them, and whether a method finds the same.

`scripts/fuzz methods` runs this for any time, and a test for a moment. It shares with the methods only the units of the
boards, which `test_geometry_plain` compares with the rules in plain coordinates; and the grid out of which a puzzle is
cut is `sat`'s.
"""

import json
import string
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from pathlib import Path

import numpy as np

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.table import REDUCTIONS
from sudoku_encode.errors import MethodError
from sudoku_encode.formats.reading import read_text
from sudoku_encode.formats.writing import write
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.methods import calls
from sudoku_encode.methods.options import Options
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.run.counting import Count, tally
from sudoku_encode.run.limits import Limits
from sudoku_encode.solvers.sat import IncrementalSolver
from tests.helpers.plain_search import Grid, TooMany, by_hand

# Plain backtracking gives a puzzle up after this many solutions, or steps from cell to cell (a fraction of a second).
MOST_SOLUTIONS, MOST_STEPS = 3000, 300_000
# For each method on each puzzle.
SECONDS = 2.0
# All but those that only estimate, and those that are variants of another or end on few puzzles.
TESTED = [
    name
    for name, method in METHODS.items()
    if method.finds != "estimate" and method.installed and not method.only_if_named
]


def all_solutions(puzzle: Puzzle) -> set[Grid]:
    """Find all solutions by plain backtracking.

    Raises:
        TooMany: there are more than MOST_SOLUTIONS, or it takes more than MOST_STEPS.
    """
    found = set(islice(by_hand(puzzle, MOST_STEPS), MOST_SOLUTIONS + 1))
    if len(found) > MOST_SOLUTIONS:
        raise TooMany
    return found


def puzzles(seed: int) -> Iterator[tuple[Puzzle, set[Grid]]]:
    """Yield random puzzles with their solutions, without end; one seed makes the same puzzles."""
    chance = np.random.default_rng(seed)
    while True:
        puzzle = random_puzzle(chance)
        try:
            truth = all_solutions(puzzle)
        except TooMany:
            continue
        # Most puzzles have one solution or none; some of these are left out.
        if len(truth) > 1 or chance.random() < 0.4:
            yield puzzle, truth


def random_puzzle(chance: np.random.Generator) -> Puzzle:
    """Return a puzzle with any rules left out: empty, full, with clashes, with pencilmarks for many cells or none."""
    geometry = random_board(chance)
    n = geometry.n_values
    full = some_grid(geometry.name)
    if full is None:
        full = chance.integers(1, n + 1, geometry.n_cells).astype(np.uint8)
    full = np.array([0, *(chance.permutation(n) + 1)], np.uint8)[full]
    if len(geometry.rules) > 1 and chance.random() < 0.6:
        share = chance.choice([0.2, 0.6])
        kept = [name for name in geometry.rule_names if chance.random() < share]
        if chance.random() < 0.2:
            # Rules that leave cells in no unit at all, where the board has some.
            kept = [name for name in geometry.rule_names if name in ("diagonal", "antidiagonal", "window")] or kept
        geometry = geometry.with_rules(kept or [geometry.rule_names[chance.integers(len(geometry.rules))]])
    # Few blanks are as likely as many: on large boards, and with rules left out, many have too many solutions.
    share = chance.choice([0.0, chance.random() ** 3, chance.random(), 1.0], p=[0.02, 0.2, 0.73, 0.05])
    givens = np.where(chance.random(geometry.n_cells) < share, 0, full)
    if chance.random() < 0.1:
        givens[chance.integers(geometry.n_cells)] = chance.integers(1, n + 1)
    marks = random_marks(chance, full, n) if chance.random() < 0.4 else None
    return Puzzle.of(geometry, givens, pencilmarks=marks)


def random_marks(chance: np.random.Generator, full: Grids, n: int) -> np.ndarray:
    """Return pencilmarks that mostly allow a grid; some cells have one candidate, a few another one, or none."""
    marks = chance.random((len(full), n)) < chance.random() ** 2
    marks[np.arange(len(full)), full - 1] = True
    for cell in chance.integers(len(full), size=chance.choice([0, 1, 2, 5])):
        marks[cell] = False
        marks[cell, chance.integers(n, size=chance.choice([0, 0, 1, 2]))] = True
    return marks


def random_board(chance: np.random.Generator) -> Geometry:
    kind = chance.random()
    if kind < 0.08:
        return board("9x9x9" if chance.random() < 0.1 else "4x4x4:literal" if chance.random() < 0.1 else "4x4x4")
    n = int(chance.choice([*range(2, 10), *range(10, 17)], p=[*[0.11] * 8, *[0.12 / 7] * 7]))
    if kind < 0.25:
        # Any regions of n cells, connected or not.
        regions = chance.permutation(np.repeat(np.arange(n), n)) if n <= 9 else np.repeat(np.arange(n), n)
        return board("jigsaw:" + "".join(string.ascii_letters[region] for region in regions.tolist()))
    shapes = [f":{rows}x{n // rows}" for rows in range(1, n + 1) if n % rows == 0]
    name = f"{n}x{n}" + str(chance.choice([*shapes, ""]))
    # Windows are as large as boxes, and have a line of cells around them.
    box = board(name).box
    has_windows = box is not None and max(box) < n - 1
    name += "+diagonals" * bool(chance.random() < 0.4) + "+windoku" * bool(has_windows and chance.random() < 0.5)
    return board(name)


@lru_cache(maxsize=256)
def some_grid(name: str) -> Grids | None:
    """Return a solution of an empty board, if one is found soon."""
    with IncrementalSolver(encode(Puzzle.of(board(name)))) as solver:
        # Not by time, which would make other puzzles on another machine.
        if solver.encoding.contradiction or not solver.decided([], 2000):
            return None
        grid: Grids = solver.encoding.decode_all(solver.model()[None])[0]
        return grid


def judge(puzzle: Puzzle, name: str, truth: set[Grid], options: Options) -> str:
    """Return what is wrong with a method's answer; an empty string where it is right, `stopped` if it is incomplete."""
    method, budget = METHODS[name], Limits(None, SECONDS).start()
    listed: list[Grid] = []
    if method.lists:

        def batches() -> Iterator[Grids]:
            for batch in calls.solutions(puzzle, name, budget, options):
                listed.extend(map(tuple, batch.tolist()))
                yield batch

        found = tally(batches())
        if not set(listed) <= truth:
            return f"lists {len(set(listed) - truth)} grids that are no solutions"
        if len(set(listed)) < len(listed):
            return "lists a solution twice"
        if found.complete and set(listed) != truth:
            return f"says that {len(listed)} is all, of {len(truth)}"
    if method.counts:
        counted = calls.count(puzzle, name, Limits(None, SECONDS).start(), options)
        if counted.complete and counted.value != len(truth):
            return f"counts {counted.value}, not {len(truth)}"
        found = counted if not method.lists else Count(0, counted.complete and found.complete)
    return "" if found.complete else "stopped"


def random_options(chance: np.random.Generator, name: str) -> Options:
    """Return a reduction and an at-most-one for the methods that take them, mostly the default."""
    if "reduction" not in METHODS[name].options or chance.random() < 0.4:
        return Options()
    reduction = [None, *REDUCTIONS][chance.integers(len(REDUCTIONS) + 1)]
    amo = list(AT_MOST_ONE)[chance.integers(len(AT_MOST_ONE))] if "amo" in METHODS[name].options else None
    return Options(reduction, amo)


@dataclass
class Tally:
    """The results of many runs.

    Attributes:
        puzzles: how many puzzles there were.
        runs: how many runs of a method on a puzzle were `right`, `stopped` (incomplete), or `wrong`.
        faults: the puzzle, the method and its options, and what is wrong.
    """

    puzzles: int = 0
    runs: Counter[str] = field(default_factory=Counter)
    faults: list[tuple[Puzzle, str, Options, str]] = field(default_factory=list)

    def add(self, puzzle: Puzzle, truth: set[Grid], chance: np.random.Generator, names: list[str]) -> None:
        """Run methods on a puzzle, those of them that take its board."""
        self.puzzles += 1
        for name in names:
            if METHODS[name].unsupported_reason(puzzle.geometry):
                continue
            options = random_options(chance, name)
            try:
                wrong = judge(puzzle, name, truth, options)
            except MethodError:
                # The encoding does not take the option.
                options = Options()
                wrong = judge(puzzle, name, truth, options)
            except Exception as error:
                wrong = f"{type(error).__name__}: {error}"
            self.runs[wrong if wrong == "stopped" else "wrong" if wrong else "right"] += 1
            if wrong not in ("", "stopped"):
                self.faults.append((puzzle, name, options, wrong))


def compare(seed: int, seconds: float, faults: Path) -> tuple[Counter[str], list[str]]:
    """Run every method on random puzzles until the time is over, and save each fault in a folder.

    Returns:
        How many runs were right, stopped or wrong; and what was wrong.
    """
    tally, chance, end = Tally(), np.random.default_rng(seed), time.monotonic() + seconds
    for puzzle, truth in puzzles(seed):
        if time.monotonic() >= end:
            break
        before = len(tally.faults)
        tally.add(puzzle, truth, chance, TESTED)
        for fault in tally.faults[before:]:
            save(faults / f"methods-{seed}-{tally.puzzles}-{fault[1].replace(':', '-')}", *fault)
    return tally.runs, [f"{name}: {what}" for _, name, _, what in tally.faults]


def rerun(path: Path) -> str:
    """Run the method of a saved fault once more; return what is wrong, or an empty string."""
    puzzle, name, options = load(path)
    wrong = judge(puzzle, name, all_solutions(puzzle), options)
    return "" if wrong == "stopped" else wrong


def save(path: Path, puzzle: Puzzle, name: str, options: Options, wrong: str) -> None:
    """Save a fault in a file that `load` reads."""
    text = write(puzzle.geometry, puzzle.givens, "json", pencilmarks=puzzle.pencilmarks)
    found = {"method": name, "reduction": options.reduction, "amo": options.amo, "wrong": wrong}
    path.write_text(json.dumps(found | {"puzzle": json.loads(text)}), encoding="utf-8")


def load(path: Path) -> tuple[Puzzle, str, Options]:
    """Read a fault: the puzzle, the method and its options."""
    found = json.loads(path.read_text(encoding="utf-8"))
    (puzzle,) = read_text(json.dumps(found["puzzle"]), str(path))
    assert isinstance(puzzle, Puzzle)
    return puzzle, found["method"], Options(found["reduction"], found["amo"])
