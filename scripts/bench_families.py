"""Three solvers on instances of `generate --family holes`, against holes and size: for `scripts/bench families`.

Each instance is solved once by each solver, in a process of its own, within some CPU seconds, which include those for
the model. Conflicts do not depend on the machine. The runs are kept in docs/families.json, from which the tables and
the picture of docs/families.md are made.
"""

import json
import os
import statistics
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

import sudoku_encode as se
from sudoku_encode.errors import TIME_LIMIT, StoppedError
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.questions.benchmark import MeasuredRun, MeasureQuestion, Setup, setups
from sudoku_encode.render.plots import Plot, Series, sheet
from sudoku_encode.run.asking import Answer, Numbered, ask_each
from sudoku_encode.run.limits import Deadline, Limits, WatchingDeadline

DOCS = Path(__file__).resolve().parent.parent / "docs"
DATA, PICTURE = DOCS / "families.json", DOCS / "families.svg"
SEED, INSTANCES, SECONDS = 1, 5, 3.0
# On a busy machine a run takes longer than its CPU seconds; after so many seconds it ends in any case.
_LAST_SECONDS = 5 * SECONDS
_PACKAGES = ("numpy", "python-sat", "ortools")
SOLVERS = {"cadical195": 0, "glucose4": 1, "cp-sat": 4}  # with the colours of their series


class Point(NamedTuple):
    """Instances of one kind."""

    x: float  # the place of the point in its sweep
    board: str
    blanks: int


class Sweep(NamedTuple):
    """Points of growing holes or sizes, which make a table and a plot."""

    title: str
    x: str  # what grows
    points: tuple[Point, ...]
    solvers: tuple[str, ...] = tuple(SOLVERS)


def on_board(name: str, blanks: Sequence[int]) -> tuple[Point, ...]:
    return tuple(Point(n, name, n) for n in blanks)


def latin(factor: float, side: int) -> int:
    """Return the number of holes of a Latin square as a multiple of the 1.55th power of its side."""
    holes: float = factor * float(side) ** 1.55
    return round(holes)


SWEEPS = {
    "latin": Sweep("Latin squares 30x30", "holes", on_board("latin:30x30", range(250, 411, 20))),
    "sizes": Sweep(
        "Latin squares with 1.7 n^1.55 holes",
        "side n",
        tuple(Point(n, f"latin:{n}x{n}", latin(1.7, n)) for n in range(20, 36, 3)),
    ),
    **{
        f"factor{n}": Sweep(
            f"Latin squares {n}x{n}, glucose4",
            f"holes / {n}^1.55",
            tuple(Point(factor / 10, f"latin:{n}x{n}", latin(factor / 10, n)) for factor in range(13, 22)),
            ("glucose4",),
        )
        for n in (25, 30, 35)
    },
    "squares": Sweep("Sudoku 25x25", "holes", on_board("25x25", (280, 300, 320, 335, 350, 365, 380, 400))),
    "cubes": Sweep("Cubes 9x9x9", "holes", on_board("9x9x9", (550, 600, 640, 660, 675, 680, 685, 690, 700, 720))),
}


# Measuring.


@dataclass(frozen=True)
class InCpuSeconds(MeasureQuestion):
    """The question for the work of a method and its CPU seconds, which other programs hardly change."""

    def answer(self, item: Numbered, deadline: Deadline) -> MeasuredRun:
        begun = time.process_time()

        def look() -> None:
            if time.process_time() - begun >= SECONDS:
                raise StoppedError(TIME_LIMIT)

        run = super().answer(item, WatchingDeadline.of(deadline, look))
        return replace(run, seconds=time.process_time() - begun)


def setup_of(solver: str) -> Setup:
    """Return the method that runs a solver."""
    method, varied = (solver, {}) if solver == "cp-sat" else ("sat", {"sat_solver": [solver]})
    (setup,) = setups([method], varied)
    return setup


def fields(answer: Answer[MeasuredRun]) -> dict[str, Any]:
    """Return whether a run ended, its conflicts and CPU seconds; None for what a run that was ended did not tell."""
    run = answer.value
    work = run.work if run else None
    # A solver may look at the time too late.
    ended = run is not None and run.count.complete and run.seconds <= SECONDS
    return {
        "ended": ended,
        "conflicts": work and work.conflicts,
        "seconds": round(run.seconds, 4) if run and ended else None,
    }


def measure(names: Sequence[str]) -> Iterator[tuple[str, list[dict[str, Any]]]]:
    """Yield each sweep with the runs of its points, after they were printed as a table."""
    for name in names:
        sweep, points = SWEEPS[name], []
        for point in sweep.points:
            holes = se.generate(point.board, family="holes", blanks=point.blanks, many=INSTANCES, seed=SEED)
            puzzles: list[tuple[int, Puzzle]] = [(number, each.puzzle) for number, each in enumerate(holes)]
            runs = {}
            for solver in sweep.solvers:
                question = InCpuSeconds(setup_of(solver))
                limits = Limits(seconds=_LAST_SECONDS)
                answers = ask_each(question, puzzles, limits, on_event=lambda item, event: None)
                runs[solver] = [fields(answer) for _, answer in answers]
            points.append({"x": point.x, "board": point.board, "blanks": point.blanks, "runs": runs})
            print(name, point.x, *(f"{key}: {cells(each)}" for key, each in runs.items()), flush=True)
        yield name, points


def bench_families(names: Sequence[str]) -> dict[str, Any]:
    """Measure some sweeps, by default all; write them with the other ones' last runs, and draw all anew."""
    if unknown := set(names) - SWEEPS.keys():
        raise SystemExit(f"not a sweep: {', '.join(sorted(unknown))} (known: {', '.join(SWEEPS)})")
    data = json.loads(DATA.read_text(encoding="utf-8")) if DATA.exists() else {}
    for name, points in measure(names or list(SWEEPS)):
        packages = {package: version(package) for package in _PACKAGES}
        how = {"instances": INSTANCES, "seed": SEED, "seconds": SECONDS, "cores": os.cpu_count()}
        data[name] = {**how, **packages, "points": points}
        DATA.write_text(f"{json.dumps(data)}\n", encoding="utf-8")
    PICTURE.write_text(picture(data), encoding="utf-8")
    return data


# The tables and the picture.


def middle(runs: Sequence[dict[str, Any]], figure: str) -> float | None:
    """Return the median of a figure, where a run that was ended has the largest; None if the median is one of these."""
    values = sorted(run[figure] if run["ended"] else float("inf") for run in runs)
    value = statistics.median(values)
    return None if value == float("inf") else value


def cells(runs: Sequence[dict[str, Any]]) -> str:
    """Return the median conflicts and CPU seconds of a point in words, and how many runs ended if not all."""
    conflicts, seconds, ended = middle(runs, "conflicts"), middle(runs, "seconds"), sum(run["ended"] for run in runs)
    share = "" if ended == len(runs) else f" ({ended} of {len(runs)})"
    return f"-{share}" if conflicts is None or seconds is None else f"{conflicts:,.0f}, {seconds:.2g} s{share}"


def families(name: str) -> str:
    """Return the table of a sweep: a row for each point, a column for each solver; for `factors` those of the sizes.

    For `machine` it is a sentence with the limits and versions of all runs.
    """
    data = json.loads(DATA.read_text(encoding="utf-8"))
    rows: list[list[str]] = []
    if name == "machine":
        return "\n".join(sorted({_machine(sweep) for sweep in data.values()}))
    if name == "factors":
        sizes = [key for key in data if key.startswith("factor")]
        heads = ["holes / n^1.55", *(f"n = {key.removeprefix('factor')}" for key in sizes)]
        for together in zip(*(data[key]["points"] for key in sizes), strict=True):
            rows.append([f"{together[0]['x']:g}", *(cells(point["runs"]["glucose4"]) for point in together)])
    else:
        sweep = SWEEPS[name]
        heads = [*dict.fromkeys([sweep.x, "holes"]), *sweep.solvers]
        for point in data[name]["points"]:
            place = [f"{point['x']:g}", *([str(point["blanks"])] if sweep.x != "holes" else [])]
            rows.append([*place, *map(cells, point["runs"].values())])
    lines = [heads, ["---", *["--:"] * (len(heads) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _machine(sweep: dict[str, Any]) -> str:
    packages = ", ".join(f"{package} {sweep[package]}" for package in _PACKAGES)
    each = (
        f"{sweep['instances']} instances for each point (seed {sweep['seed']}), {sweep['seconds']:g} CPU seconds a run"
    )
    return f"{each}, on a {sweep['cores']}-core machine under other load; {packages}."


def curve(points: Sequence[dict[str, Any]], solver: str, label: str, colour: int, figure: str) -> Series:
    """Return the medians of a solver, or the share of its runs that ended."""
    runs = [point["runs"][solver] for point in points]
    y: list[float | None] = [
        100 * sum(run["ended"] for run in each) / len(each) if figure == "share" else middle(each, figure)
        for each in runs
    ]
    if figure == "conflicts":
        # A logarithmic axis has no place for 0.
        y = [None if value is None else max(value, 1.0) for value in y]
    return Series(label, tuple(point["x"] for point in points), tuple(y), colour, joined=True)


def picture(data: dict[str, Any]) -> str:
    """Draw the conflicts and the seconds of each sweep, and how many cubes were solved."""
    labels = {
        "conflicts": "median conflicts",
        "seconds": "median CPU seconds",
        "share": f"solved within {SECONDS:g} CPU s, %",
    }
    plots = []
    figures = [(name, figure) for name in ("latin", "sizes", "squares", "cubes") for figure in ("conflicts", "seconds")]
    for name, figure in (*figures, ("cubes", "share")):
        sweep, points = SWEEPS[name], data[name]["points"]
        series = tuple(curve(points, solver, solver, SOLVERS[solver], figure) for solver in sweep.solvers)
        plots.append(Plot(sweep.title, sweep.x, labels[figure], series, log=figure != "share"))
    sizes = [key for key in SWEEPS if key.startswith("factor")]
    factors = tuple(
        curve(data[key]["points"], "glucose4", f"n = {key.removeprefix('factor')}", colour, "conflicts")
        for colour, key in enumerate(sizes, 5)
    )
    plots.append(Plot("Latin squares n x n, glucose4", "holes / n^1.55", "median conflicts", factors, log=True))
    return sheet(plots, 2)
