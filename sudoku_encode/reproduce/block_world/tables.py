"""Abednego & Nugraheni: the definitions of a valid position, the tables of solved puzzles, filled cells and times."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import product
from typing import NamedTuple

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import block_world
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Check, Finding, Plot, Series, Table, Work, side_by_side, verdict
from sudoku_encode.reproduce.puzzles import Grids, no_tick

# The definitions, written out from the paper, and robots that follow them: plain and slow. They share no code with
# `papers.block_world`, so that agreement is evidence.

Three = tuple[bool, bool, bool]


class View(NamedTuple):
    """A robot's view of the subblock of an empty position; its number is not in it, nor in the position's lines."""

    filled: tuple[Three, Three, Three]  # for each row of the subblock, which cells are not empty
    rows: Three  # which rows of the board, of those through the subblock, hold the number
    columns: Three  # likewise
    x: int  # x, y: the position in the subblock
    y: int

    @property
    def turned(self) -> "View":
        """The view with rows and columns exchanged."""
        first, second, third = zip(*self.filled, strict=True)
        return View((first, second, third), self.columns, self.rows, self.y, self.x)


Reading = Callable[[View], bool]
# For each line of a subblock the other two.
_OTHERS = ((1, 2), (0, 2), (0, 1))


def condition(view: View, cell: bool = False, line: bool = False) -> bool:
    """Check condition 5 of the definitions; condition 6 is this one on the turned view.

    With `cell`, "or the cell at the position (r, y) is not empty" is in the definition; with `line`, "or all cells in
    row r in the same sub-block are not empty" is.
    """
    return all(
        view.rows[r] or (cell and view.filled[r][view.y]) or (line and all(view.filled[r])) for r in _OTHERS[view.x]
    )


def definition_2(view: View) -> bool:
    """Conditions 5 and 6 of definition 2."""
    return condition(view) and condition(view.turned)


def definition_3(view: View) -> bool:
    """Conditions 5 and 6 of definition 3."""
    return condition(view, cell=True) and condition(view.turned, cell=True)


def definition_4(view: View) -> bool:
    """Conditions 5 and 6 of definition 4."""
    return condition(view, cell=True, line=True) and condition(view.turned, cell=True, line=True)


def fixed_way(view: View, line: bool) -> bool:
    """Definition 3 or 4, but the other rows must hold the number, or for 4 (with `line`) be filled."""
    return condition(view, line=line) and condition(view.turned, cell=True)


def one_way(view: View, line: bool) -> bool:
    """Definition 3 or 4, but in one of the two directions the other lines must hold the number, or for 4 be filled."""
    return fixed_way(view, line) or fixed_way(view.turned, line)


def only_place(view: View) -> bool:
    """Check that every other cell of the subblock is filled or in a line that holds the number: the sound condition."""
    return all(
        view.filled[r][c] or view.rows[r] or view.columns[c]
        for r, c in product(range(3), repeat=2)
        if (r, c) != (view.x, view.y)
    )


READINGS: dict[str, Reading] = {
    "2": definition_2,
    "3": definition_3,
    "4": definition_4,
    "3 one way": partial(one_way, line=False),
    "4 one way": partial(one_way, line=True),
    "3 fixed way": partial(fixed_way, line=False),
    "4 fixed way": partial(fixed_way, line=True),
    # Definition 4 with its third case for the second, not beside it.
    "4 whole lines": lambda view: condition(view, line=True) and condition(view.turned, line=True),
    "only place": only_place,
}


def views() -> Iterator[View]:
    """Yield every possible view."""
    for x, y in product(range(3), repeat=2):
        for bits in product((False, True), repeat=8):
            cells = [*bits[: 3 * x + y], False, *bits[3 * x + y :]]
            filled = tuple(tuple(cells[3 * r : 3 * r + 3]) for r in range(3))
            for lines in product((False, True), repeat=4):
                rows, columns = list(lines[:2]), list(lines[2:])
                rows.insert(x, False)
                columns.insert(y, False)
                yield View(filled, tuple(rows), tuple(columns), x, y)  # type: ignore[arg-type]


def robots(puzzle: se.Puzzle, reading: Reading) -> Iterator[tuple[int, int]]:
    """Let the nine robots take turns, and yield the number and the cell of each box that they put."""
    grid = puzzle.givens.reshape(9, 9).tolist()
    put = True
    while put:
        put = False
        for robot in range(1, 10):
            cell = position(grid, robot, reading)
            if cell >= 0:
                grid[cell // 9][cell % 9] = robot
                put = True
                yield robot, cell


def position(grid: list[list[int]], robot: int, reading: Reading) -> int:
    """Return the lowest position that is valid for a robot, or -1."""
    rows = [robot in row for row in grid]
    columns = [any(row[c] == robot for row in grid) for c in range(9)]
    for x, y in product(range(9), repeat=2):
        if grid[x][y] or rows[x] or columns[y]:
            continue
        r, c = x - x % 3, y - y % 3
        box = [row[c : c + 3] for row in grid[r : r + 3]]
        if any(robot in row for row in box):
            continue
        filled = tuple(tuple(number > 0 for number in row) for row in box)
        view = View(filled, tuple(rows[r : r + 3]), tuple(columns[c : c + 3]), x - r, y - c)  # type: ignore[arg-type]
        if reading(view):
            return 9 * x + y
    return -1


def board_after_robots(puzzle: se.Puzzle, reading: Reading) -> Grids:
    """Return the board when the robots that follow a reading have stopped."""
    grid = puzzle.givens.copy()
    for robot, cell in robots(puzzle, reading):
        grid[cell] = robot
    return grid


@dataclass(frozen=True)
class Outcome:
    """The work of robots on puzzles with one solution each."""

    grids: tuple[bytes, ...]  # the boards when they stopped
    solved: int  # the number of boards that are full and right
    filled: float  # percent of the blanks that hold a box
    wrong: tuple[int, ...]  # the number of wrong boxes on each board
    put: int  # the number of boxes put in all, those taken back included; 0 if not counted

    @property
    def n_wrong(self) -> str:
        """The number of wrong boxes, and of boards with wrong boxes, in words."""
        return f"{sum(self.wrong)} in {sum(wrong > 0 for wrong in self.wrong)} puzzles"


@cache
def sample(number: "int | tuple[se.Puzzle, ...]") -> tuple[tuple[se.Puzzle, Grids], ...]:
    """Return some puzzles, or about a number of random ones of four kinds with one solution, and their solutions."""
    if isinstance(number, tuple):
        return tuple((puzzle, puzzles.solution(puzzle)) for puzzle in number)
    each = max(1, number // 4)
    kinds = ("easy", "medium", "hard", "evil")
    return tuple((puzzle, puzzles.solution(puzzle)) for kind in kinds for puzzle in puzzles.random(kind, each))


@cache
def outcome(name: str, number: "int | tuple[se.Puzzle, ...]") -> Outcome:
    """Let robots work on the sample: those of a reading, or of `model NAME`, a model of `papers.block_world`."""
    grids, put = [], 0
    for puzzle, _ in sample(number):
        if name.startswith("model "):
            run = block_world.run(puzzle, no_tick, name.removeprefix("model "))
            grids.append(run.grid)
            put += run.put
        else:
            grids.append(board_after_robots(puzzle, READINGS[name]))
    pairs = [(grid, right) for grid, (_, right) in zip(grids, sample(number), strict=True)]
    n_blanks = sum(len(puzzle.blanks) for puzzle, _ in sample(number))
    n_filled = n_blanks - sum(int(np.count_nonzero(grid == 0)) for grid in grids)
    return Outcome(
        grids=tuple(grid.tobytes() for grid in grids),
        solved=sum(bool((grid == right).all()) for grid, right in pairs),
        filled=100 * n_filled / n_blanks,
        wrong=tuple(int(np.count_nonzero((grid != 0) & (grid != right))) for grid, right in pairs),
        put=put,
    )


# Tables I and II, by model.
SOLVED = {"1": 100, "2": 0, "3": 0, "4": 44}
FILLED = {"1": 100.0, "2": 1.4, "3": 22.0, "4": 48.0}
# Section IV: milliseconds a puzzle of model 4 on those that it solved; of model 1 on the same, and in all.
MODEL_4_AVERAGE, MODEL_1_AVERAGE, MODEL_1_TOTAL = 4.82, 4.84, 213
# Table III: milliseconds of model 1 and of model 4 and 1, and the printed totals.
TIMES_1 = (390, 312, 250, 234, 203, 156, 140, 125, 94, 47)
TIMES_4_1 = (390, 312, 250, 202, 203, 156, 16, 31, 46, 47)
TOTALS = (1951, 1653)
# The names of the bars: the definitions as printed, and the readings in which only one direction may look at cells.
PRINTED = {"1": "model 1", "2": "2", "3": "3", "4": "4"}
ONE_WAY = {"1": "model 1", "2": "2", "3": "3 one way", "4": "4 one way"}
OTHER_PUZZLES = "The paper's hundred puzzles are from two books and not published, so the numbers cannot be the same. "
COLUMNS = (
    "The last column uses our reading of definitions 3 and 4 from the finding on Tables I and II together; 4-sound "
    "is the model that puts a box only where its number fits in no other empty cell of the subblock."
)


def solved_by_the_printed_definitions(work: Work) -> Finding:
    """Table I."""
    ours = {model: outcome(name, work.puzzles).solved for model, name in PRINTED.items()}
    return Finding(
        "Table I",
        f"Of 100 puzzles models 1 to 4 solve {_list(SOLVED)}.",
        f"As printed they solve {_list(ours)} of {len(sample(work.puzzles))} random puzzles.",
        verdict(ours["2"] == SOLVED["2"] and ours["1"] == len(sample(work.puzzles)) and ours["3"] != ours["4"]),
        OTHER_PUZZLES + "But no puzzle can tell models 3 and 4 as printed apart, and the table does. " + COLUMNS,
        _table(work, "solved"),
        _plot(work, "solved", "puzzles solved, percent"),
    )


def filled_by_the_printed_definitions(work: Work) -> Finding:
    """Table II."""
    ours = {model: outcome(name, work.puzzles).filled for model, name in PRINTED.items()}
    wrong = outcome("4", work.puzzles).n_wrong
    return Finding(
        "Table II",
        f"Models 1 to 4 fill {_list(FILLED)} percent of the empty cells.",
        f"As printed they fill {_list(ours, 1)} percent; wrong boxes of model 4: {wrong}.",
        verdict(ours["2"] < ours["3"] < ours["4"] < ours["1"]),
        OTHER_PUZZLES
        + "But models 3 and 4 as printed fill the same cells, more than the table shows for either, and some of "
        "them wrongly. " + COLUMNS,
        _table(work, "filled"),
        _plot(work, "filled", "empty cells filled, percent"),
    )


def a_sound_reading_of_the_definitions(work: Work) -> Finding:
    """Check Tables I and II by a reading of definitions 3 and 4 that places no wrong box.

    The reading was chosen to fit the tables, so that agreement is not evidence, and the verdict is open.
    """
    runs = {model: outcome(name, work.puzzles) for model, name in ONE_WAY.items()}
    solved = {model: run.solved for model, run in runs.items()}
    filled = {model: run.filled for model, run in runs.items()}
    number = len(sample(work.puzzles))
    return Finding(
        "Tables I and II",
        f"Models 1 to 4 solve {_list(SOLVED)} of 100 puzzles and fill {_list(FILLED)} percent of the empty cells.",
        f"If only one of conditions 5 and 6 may look at the cells of the position's own line, while the other rules "
        f"out whole lines, the models solve {_list(solved)} of {number} random puzzles and fill {_list(filled, 1)} "
        f"percent; wrong boxes of models 3 and 4: {runs['3'].n_wrong}, {runs['4'].n_wrong}.",
        UNCHECKED,
        "Our reading: definition 3 has one condition of definition 2, and one condition of definition 4 lacks the "
        "second case (the cell in the position's own line). It fits the texts of Figs. 4 to 6 and tells the models "
        "apart. But we chose it because, of the sound readings below, it comes nearest to the tables, and on other "
        "puzzles than the paper's. This is not evidence; we cannot see what the program did. 'One way' is this "
        "reading; in 'fixed way' only condition 6 may look at cells, in 'whole lines' neither may; 'only place' "
        "requires that the number fits in no other empty cell of the subblock.",
        _readings(work),
    )


def _readings(work: Work) -> Table:
    """Return the table of all readings that were tried."""
    meant = {"3 one way": "3", "4 one way": "4", "3 fixed way": "3", "4 fixed way": "4", "4 whole lines": "4"}
    rows = []
    for name, model in {"2": "2", "3": "3", "4": "4", **meant, "only place": "4"}.items():
        run = outcome(name, work.puzzles)
        solved = 100 * run.solved / len(run.grids)
        rows.append((name, SOLVED[model], solved, FILLED[model], round(run.filled, 1), sum(run.wrong)))
    return side_by_side(
        ("reading", "paper, solved, percent", "ours, solved", "paper, filled, percent", "ours, filled", "wrong boxes"),
        *rows,
        drawn={
            "solved, %": ("paper, solved, percent", "ours, solved"),
            "filled, %": ("paper, filled, percent", "ours, filled"),
            "wrong boxes": ("wrong boxes",),
        },
    )


def model_4_and_then_model_1(work: Work) -> Finding:
    """Section IV: the combination completes the puzzle."""
    printed, sound = (outcome(f"model {name}", work.puzzles) for name in ("4+1", "4-sound+1"))
    (figure,) = puzzles.read("papers/block-world-fig-1.opensudoku")
    n_blanks = int(np.count_nonzero(block_world.run(figure, no_tick, "4+1").grid == 0))
    number = len(sample(work.puzzles))
    return Finding(
        "section IV",
        "Model 4 works until it stops, and then model 1 completes the puzzle.",
        f"With definition 4 as printed, {printed.solved} of {number} random puzzles are completed; with the sound "
        f"model 4, {sound.solved}. On the paper's Fig. 1 the printed model ends with {n_blanks} blanks.",
        verdict(printed.solved == number and n_blanks == 0),
        "Model 1 takes back only its own boxes, so one wrong box of model 4 leaves a puzzle without a solution. The "
        "combination must have worked with a model 4 that places no wrong boxes.",
    )


def the_averages(work: Work) -> Finding:
    """Section IV: the average of model 1 against its total."""
    average = MODEL_1_TOTAL / SOLVED["4"]
    return Finding(
        "section IV",
        f"Model 1 takes {MODEL_1_TOTAL} ms for the {SOLVED['4']} puzzles that model 4 solves, {MODEL_1_AVERAGE} ms on "
        "average.",
        f"{MODEL_1_TOTAL} / {SOLVED['4']} = {average:.2f}.",
        verdict(round(average, 2) == MODEL_1_AVERAGE, own=True),
    )


def clock_step() -> float:
    """Return the longest step of a clock that can have given every time in Table III, in steps of 0.1 ms."""
    times = {*TIMES_1, *TIMES_4_1}
    steps = (tenths / 10 for tenths in range(500, 0, -1))
    return next(step for step in steps if all(abs(ms - round(ms / step) * step) < 1 for ms in times))


def model_4_is_faster(work: Work) -> Finding:
    """Section IV: the difference between 4.82 and 4.84 ms."""
    total_4, step = MODEL_4_AVERAGE * SOLVED["4"], clock_step()
    gain = MODEL_1_TOTAL - total_4
    return Finding(
        "section IV",
        f"When model 4 completes a puzzle, it tends to be faster than model 1: {MODEL_4_AVERAGE} against "
        f"{MODEL_1_AVERAGE} ms on average.",
        f"That is {gain:.0f} ms in {SOLVED['4']} runs, {100 * gain / MODEL_1_TOTAL:.1f} percent. Every time in Table "
        f"III is a multiple of {step} ms, rounded up or down: the clock advanced in such steps.",
        verdict(gain > step),
        "One step of that clock in one run is more than the whole difference, so by these figures the two models "
        "take the same time.",
    )


def totals_of_table_3(work: Work) -> Finding:
    """Table III: its sums."""
    sums = sum(TIMES_1), sum(TIMES_4_1)
    return Finding(
        "Table III",
        f"Totals of {TOTALS[0]} and {TOTALS[1]} ms.",
        f"The columns add up to {sums[0]} and {sums[1]} ms, {100 * (1 - sums[1] / sums[0]):.1f} percent less.",
        verdict(sums == TOTALS, own=True),
        "The paper gives no percentage.",
    )


def the_combination_is_better(work: Work) -> Finding:
    """Table III and the conclusion: model 4 and 1 against model 1 alone, by boxes put, on other hard puzzles."""
    pairs = list(zip(TIMES_1, TIMES_4_1, strict=True))
    less, more = sum(both < one for one, both in pairs), sum(both > one for one, both in pairs)
    ours = hardest()
    fewer, as_many = sum(row[3] < row[2] for row in ours), sum(row[3] == row[2] for row in ours)
    put_1, put_4_1 = sum(row[2] for row in ours), sum(row[3] for row in ours)
    slower = [row[0] for row in ours if row[5] > row[4]]
    sample_1, sample_4_1 = (outcome(f"model {name}", work.puzzles).put for name in ("1", "4-sound+1"))
    return Finding(
        "Table III",
        f"The combination works better than model 1 alone: less time on {less} of the ten hardest puzzles, as much on "
        f"{len(pairs) - less - more}.",
        f"On ten other hard puzzles (Inkala's) model 4 puts {', '.join(str(row[1]) for row in ours)} boxes; robot 1 "
        f"puts fewer boxes on {fewer} of them and the same number on {as_many}, {put_4_1:,} instead of {put_1:,} in "
        f"all, in {sum(row[5] for row in ours):.0f} ms instead of {sum(row[4] for row in ours):.0f}. On "
        f"{len(sample(work.puzzles))} random puzzles: {sample_4_1:,} instead of {sample_1:,}.",
        UNCHECKED,
        "The ten puzzles are not published. We count boxes, including those taken back, with the sound model 4, "
        "which alone solves none of our puzzles; with model 4 as printed the combination fails, see above. The "
        f"{len(pairs) - less} equal times in the paper mean that model 4 put nothing there, or nothing that helped. "
        f"In time, 4 and 1 is slower than model 1 alone on {len(slower)} of our ten in this "
        f"run{': ' + ', '.join(slower) if slower else ''}: where model 4 puts few boxes, looking for its positions "
        "costs more than it saves.",
        side_by_side(
            ("puzzle", "boxes of model 4", "boxes put, model 1", "boxes put, 4 and 1", "ms, model 1", "ms, 4 and 1"),
            *((row[0], *row[1:4], round(row[4], 1), round(row[5], 1)) for row in ours),
        ),
        Plot(
            "block-world-table-3",
            "Model 1 alone and after model 4: the paper's ten hardest puzzles, and Inkala's ten",
            "puzzle, slowest by model 1 first",
            "milliseconds",
            (
                Series("model 1", _ranks(), TIMES_1, True),
                Series("model 4 and 1", _ranks(), TIMES_4_1, True),
                Series("model 1", _ranks(), tuple(row[4] for row in ours), False),
                Series("model 4 and 1", _ranks(), tuple(row[5] for row in ours), False),
            ),
        ),
    )


@cache
def hardest() -> tuple[tuple[str, int, int, int, float, float], ...]:
    """Return, for Inkala's puzzles, slowest first, the boxes of model 4, the boxes put and ms of 1 and 4+1."""
    rows = []
    for model in ("1", "4-sound+1"):
        # Compile before a run is timed.
        _run(se.Puzzle.of(se.board("9x9")), model)
    for name in puzzles.INKALA:
        puzzle = puzzles.inkala(name)
        alone, together = _run(puzzle, "1"), _run(puzzle, "4-sound+1")
        boxes = block_world.run(puzzle, no_tick, "4-sound").filled
        rows.append((name, boxes, alone[0], together[0], alone[1], together[1]))
    return tuple(sorted(rows, key=lambda row: -row[2]))


def _run(puzzle: se.Puzzle, model: str) -> tuple[int, float]:
    """Return how many boxes are put, and in how many milliseconds."""
    start = time.process_time()
    run = block_world.run(puzzle, no_tick, model)
    return run.put, 1e3 * (time.process_time() - start)


def _ranks() -> tuple[str, ...]:
    return tuple(str(rank) for rank in range(1, len(TIMES_1) + 1))


def _list(values: dict[str, int] | dict[str, float], digits: int | None = None) -> str:
    return ", ".join(f"{value:g}" if digits is None else f"{value:.{digits}f}" for value in values.values())


def _of(work: Work, names: dict[str, str], what: str) -> tuple[float, ...]:
    """Return the result of each model, in percent."""
    runs = [outcome(name, work.puzzles) for name in names.values()]
    return tuple(100 * run.solved / len(run.grids) if what == "solved" else round(run.filled, 1) for run in runs)


def _both(what: str) -> dict[str, int] | dict[str, float]:
    return SOLVED if what == "solved" else FILLED


def _table(work: Work, what: str) -> Table:
    strongest = outcome("only place", work.puzzles)
    last = 100 * strongest.solved / len(strongest.grids) if what == "solved" else round(strongest.filled, 1)
    rows = zip(PRINTED, _both(what).values(), _of(work, PRINTED, what), _of(work, ONE_WAY, what), strict=True)
    return side_by_side(
        ("model", "paper, percent", "ours, as printed", "ours, one way"), *rows, ("4-sound", None, None, last)
    )


def _plot(work: Work, what: str, axis: str) -> Plot:
    names = tuple(f"model {model}" for model in PRINTED)
    return Plot(
        f"block-world-{what}",
        f"Robots: {axis.split(',', maxsplit=1)[0]}",
        "",
        axis,
        (
            Series("", names, tuple(_both(what).values()), True),
            Series("", names, _of(work, PRINTED, what), False, "as printed"),
            Series("", names, _of(work, ONE_WAY, what), False, "one direction looks at cells"),
        ),
        log=False,
    )


TABLE_CHECKS: tuple[Check, ...] = (
    solved_by_the_printed_definitions,
    filled_by_the_printed_definitions,
    a_sound_reading_of_the_definitions,
    the_averages,
    model_4_is_faster,
    model_4_and_then_model_1,
    totals_of_table_3,
    the_combination_is_better,
)
