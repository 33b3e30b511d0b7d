"""Tables 4.1 to 4.6 of the GTSPS thesis, theirs beside ours on random puzzles of the same kinds."""

import time
from functools import cache
from statistics import mean
from typing import NamedTuple

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import brute_force, gtsps, gtsps4, logic
from sudoku_encode.papers.marks import Marks
from sudoku_encode.papers.techniques import PENCIL_PAPER
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Plot, Series, Work, side_by_side
from sudoku_encode.reproduce.gtsps.example import example
from sudoku_encode.reproduce.gtsps.figures import CLUES, ITERATIONS, MILLISECONDS, N_EACH, SOLVERS, UNSOLVED, VERTICES
from sudoku_encode.reproduce.puzzles import no_tick

# Our kinds of puzzles, and those of the thesis.
KINDS = {**{kind: kind for kind in MILLISECONDS}, "few": "evil", "several-few": "several"}
# Some methods take all the time that they get on a puzzle of 17 clues.
MOST_FEW, FEW_SECONDS = 6, 1.0
# The thesis' three solvers, then others that it speaks of.
METHODS = (*SOLVERS, "gtsps-4.2", "gtsps-3.1", "gtsps-3.2", "logic", "norvig2006")
# These are backtracking; a part of the puzzles is enough for an average.
SLOW, MOST_SLOW = ("gtsps-3.1", "gtsps-3.2"), 25
NOT_THEIRS = "The thesis' puzzles are not published"


class Runs(NamedTuple):
    """Runs of a method on puzzles of a kind: average milliseconds to all solutions, unsolved puzzles, all puzzles."""

    milliseconds: float
    unsolved: int
    number: int


@cache
def runs(most: int, most_seconds: float) -> dict[tuple[str, str], Runs]:
    """Return the runs of each method on each kind of puzzles: how many of a kind at most, how many seconds for each."""
    runs_by_method = {}
    for kind in KINDS:
        few = "few" in kind
        random_puzzles = puzzles.random(kind, min(most // 2, MOST_FEW) if few else most)
        seconds = min(most_seconds, FEW_SECONDS) if few else most_seconds
        for name in METHODS:
            # Compile before the measurement.
            puzzles.count_in_process(random_puzzles[0], name, seconds)
            own = random_puzzles[:MOST_SLOW] if name in SLOW else random_puzzles
            start = time.process_time()
            counts = [puzzles.count_in_process(puzzle, name, seconds) for puzzle in own]
            spent = time.process_time() - start
            unsolved = sum(not count.complete for count in counts)
            runs_by_method[kind, name] = Runs(1000 * spent / len(own), unsolved, len(own))
    return runs_by_method


def times(work: Work) -> Finding:
    """Tables 4.1 to 4.5 and Fig. 4.10."""
    runs_by_method = runs(work.puzzles, work.seconds)
    kinds = tuple(KINDS)
    rows, series = [], []
    for name in METHODS:
        paper = [MILLISECONDS[KINDS[kind]][SOLVERS.index(name)] if name in SOLVERS else None for kind in kinds]
        ours = [round(runs_by_method[kind, name].milliseconds, 2) for kind in kinds]
        rows += [(kind, name, their, own) for kind, their, own in zip(kinds, paper, ours, strict=True)]
        if name in SOLVERS:
            series.append(Series(name, kinds, tuple(paper), True))
        series.append(Series(name, kinds, tuple(ours), False))
    fastest = {
        kind: min(SOLVERS, key=lambda name: runs_by_method[kind, name].milliseconds)
        for kind in kinds
        if "several" not in kind
    }
    growth = [runs_by_method["evil", name].milliseconds / runs_by_method["easy", name].milliseconds for name in SOLVERS]
    theirs = [MILLISECONDS["evil"][at] / MILLISECONDS["easy"][at] for at in range(3)]  # type: ignore[operator]
    return Finding(
        "Tables 4.1 to 4.5, Fig. 4.10",
        "Pencil and paper is the fastest of three on all puzzles with one solution; from easy to evil times grow "
        f"{', '.join(f'{ratio:.1f} ({name})' for ratio, name in zip(theirs, SOLVERS, strict=True))} times.",
        f"Fastest of the three are {', '.join(f'{name} ({kind})' for kind, name in fastest.items())}; times grow "
        f"{', '.join(f'{ratio:.1f} ({name})' for ratio, name in zip(growth, SOLVERS, strict=True))} times.",
        UNCHECKED,
        f"{NOT_THEIRS}, and neither are its programs nor the exact machine. Ours are {work.puzzles} random puzzles "
        f"of each kind, but {runs_by_method['few', 'gtsps-4.1'].number} of those with fewer clues (evil ones of 17 "
        "to 22, and several solutions with 21 to 23), where a run that did not finish counts with its limit of "
        f"{FEW_SECONDS:g} s; versions 3.1 and 3.2 have {MOST_SLOW} at most. Brute force is compiled here, pencil and "
        "paper is not; GTSPS spends most of its time on work that is the same for all puzzles. Ours find all "
        "solutions and prove that there are no more.",
        side_by_side(("puzzles", "method", "thesis, ms", "ours, ms"), *rows),
        Plot("gtsps-times", "GTSPS thesis: average CPU time", "puzzles", "milliseconds", tuple(series)),
    )


def unsolved_by_pencil_and_paper(work: Work) -> Finding:
    """Check Tables 4.2 to 4.5: whether all puzzles are solved."""
    runs_by_method = runs(work.puzzles, work.seconds)
    kinds = (*UNSOLVED, "few")
    failed = [str(sum(runs_by_method[kind, name].unsolved for kind in kinds)) for name in ("gtsps-4.1", "brute-force")]
    shares = {
        name: [
            round(100 * runs_by_method[kind, name].unsolved / runs_by_method[kind, name].number, 1) for kind in kinds
        ]
        for name in ("pencil-paper", "logic", "gtsps-4.1")
    }
    paper = [round(100 * UNSOLVED[KINDS[kind]] / N_EACH, 1) for kind in kinds]
    rows = list(zip(kinds, paper, *shares.values(), strict=True))
    series = (
        Series("pencil-paper", kinds, tuple(paper), True),
        *(Series(name, kinds, tuple(shares[name]), False) for name in ("pencil-paper", "logic")),
    )
    return Finding(
        "Tables 4.2 to 4.5, section 4.5",
        "Pencil and paper solves all easy and medium puzzles, not 37 of 200 hard and 73 of 200 evil ones; brute force "
        "and GTSPS solve all.",
        f"It does not solve {', '.join(f'{row[2]} % ({row[0]})' for row in rows)} of our puzzles; GTSPS 4.1 and "
        f"brute force leave {' and '.join(failed)}, on which they did not finish.",
        UNCHECKED,
        f"{NOT_THEIRS}, and hard and evil are numbers of clues there; ours are {work.puzzles} random puzzles of "
        f"each, and {runs_by_method['few', 'logic'].number} of 17 to 22 clues, made from published ones of 17. Our "
        "techniques are those that Table 4.7 names, with subsets of up to four cells; the thesis does not list its "
        "own.",
        side_by_side(("puzzles", "thesis, %", "ours, %", "ours with [49]'s, %", "GTSPS 4.1, %"), *rows),
        Plot("gtsps-unsolved", "GTSPS thesis: unsolved without guessing", "puzzles", "%", series, log=False),
    )


def numbers_of_vertices(work: Work) -> Finding:
    """Table 4.6."""
    rows = []
    kinds = (*VERTICES, "few")
    for kind in kinds:
        ours = [vertices for _, vertices in _vertices(kind, work.puzzles)]
        rows.append((kind, VERTICES[KINDS[kind]], round(mean(ours), 1), min(ours), max(ours)))
    series = (
        Series("", kinds, tuple(float(row[1]) for row in rows), True),
        Series("", kinds, tuple(row[2] for row in rows), False),
    )
    puzzle, graph = example()
    return Finding(
        "Table 4.6",
        f"G has {', '.join(f'{VERTICES[kind]} ({kind})' for kind in VERTICES)} vertices on average.",
        f"{', '.join(f'{row[2]:.0f} ({row[0]})' for row in rows)}. None of our easy puzzles has more than "
        f"{rows[0][4]}, but theirs have {VERTICES['easy']} on average. Our medium ones have "
        f"{VERTICES['medium'] / rows[1][2]:.1f} times fewer, hard ones {VERTICES['hard'] / rows[2][2]:.1f} times; "
        f"evil ones have more, {rows[3][2]:.0f} with 23 to 27 clues and {rows[4][2]:.0f} with 17 to 22.",
        UNCHECKED,
        f"{NOT_THEIRS}; ours are {work.puzzles} random puzzles of each kind. Fig. 4.2, whose "
        f"{np.count_nonzero(puzzle.givens)} clues make it medium, has {len(graph.names)}.",
        side_by_side(("puzzles", "thesis", "ours", "least", "most"), *rows),
        Plot("gtsps-vertices", "GTSPS thesis: vertices of G", "puzzles", "average vertices", series),
    )


@cache
def _vertices(kind: str, number: int) -> tuple[tuple[int, int], ...]:
    """Return clues and vertices of puzzles of a kind."""
    return tuple(
        (int(np.count_nonzero(puzzle.givens)), sum(len(one.permutations) for one in gtsps.minigrids(puzzle, no_tick)))
        for puzzle in puzzles.random(kind, number)
    )


def vertices_by_clues(work: Work) -> Finding:
    """Tables 4.5 and 4.6: can evil puzzles of 17 to 27 clues have 720 vertices on average?"""
    numbers: dict[int, list[int]] = {}
    for kind in ("few", "evil"):
        for clues, vertices in _vertices(kind, work.puzzles):
            numbers.setdefault(clues, []).append(vertices)
    rows = [(clues, len(some), round(mean(some), 1), min(some), max(some)) for clues, some in sorted(numbers.items())]
    evil = VERTICES["evil"]
    near = min(rows, key=lambda row: abs(row[2] - evil))[0]
    most, least = rows[0], min(row[2] for row in rows)
    share = (evil - least) / (most[2] - least)
    return Finding(
        "Tables 4.5 and 4.6",
        f"Evil puzzles have {CLUES['evil'][0]} to {CLUES['evil'][1]} clues and {evil} vertices on average.",
        f"{evil} is about the number for puzzles of {near} clues; with equally many puzzles of each number of clues "
        f"the average is {mean(row[2] for row in rows):,.0f}. Puzzles of {most[0]} clues have {most[2]:,.0f}: even "
        f"if all others had the {least:.0f} of the smallest, at most {100 * share:.0f} % of theirs can have so many.",
        UNCHECKED,
        f"{NOT_THEIRS}, nor are the numbers of puzzles for each number of clues. Ours below 23 clues are made from "
        "six published ones of 17 clues by adding more of the solution, so their clues say little.",
        side_by_side(
            ("clues", "puzzles", "vertices, average", "least", "most"),
            *rows,
            drawn={"vertices": ("vertices, average", "least", "most")},
        ),
    )


def _values_tried(puzzle: se.Puzzle, first: bool) -> int:
    """Return how many values brute force tries, to the first solution or to the end."""
    from sudoku_encode.papers.brute_force_kernel import TRIED

    state = brute_force.start(puzzle)
    for _ in brute_force.run(state, no_tick):
        if first:
            break
    return int(state.counts[TRIED])


def _work_of(puzzle: se.Puzzle) -> dict[tuple[str, str], int]:
    """Count possible iterations of each solver on a puzzle, by solver and by name of the count."""
    graph = gtsps4.build_graph(puzzle, no_tick)
    sizes = np.diff(graph.starts)
    pairs = sum(int(sizes[a] * sizes[b]) for line in graph.lines for a in line.numbers for b in line.numbers if a < b)
    marks = Marks.of(puzzle)
    deduced = list(logic.steps(marks, no_tick, PENCIL_PAPER))
    n_removed = sum(len(step.removed) for step in deduced)
    return {
        ("brute-force", "values tried to the first solution"): _values_tried(puzzle, True),
        ("brute-force", "values tried to the end"): _values_tried(puzzle, False),
        ("pencil-paper", "deductions"): len(deduced),
        ("pencil-paper", "candidates removed"): n_removed,
        ("pencil-paper", "cells seen, 81 for a deduction"): 81 * len(deduced),
        ("gtsps-4.1", "vertices"): len(graph.deleted),
        ("gtsps-4.1", "edges"): graph.n_edges(0, no_tick),
        ("gtsps-4.1", "pairs of permutations compared"): pairs,
    }


def iterations(work: Work) -> Finding:
    """Tables 4.1 to 4.5 and Fig. 4.11: what may an iteration be?"""
    kinds = tuple(ITERATIONS)
    number = min(work.puzzles, 25)
    each = {kind: [_work_of(puzzle) for puzzle in puzzles.random(kind, number)] for kind in kinds}
    rows: list[tuple[str | float | None, ...]] = []
    series: list[Series] = []
    for solver in SOLVERS:
        paper = tuple(ITERATIONS[kind][SOLVERS.index(solver)] for kind in kinds)
        rows.append((solver, "iterations, thesis", *paper))
        series.append(Series(solver, kinds, paper, True))
        for of, what in each[kinds[0]][0]:
            if of == solver:
                ours = tuple(round(mean(one[of, what] for one in each[kind]), 1) for kind in kinds)
                rows.append((solver, what, *ours))
                series.append(Series(solver, kinds, ours, False, what))
    growth = {(one.of, one.how): (one.y[kinds.index("evil")] or 0) / (one.y[0] or 1) for one in series}
    theirs = [growth[solver, ""] for solver in SOLVERS]
    others = [value for (_, what), value in growth.items() if what]
    return Finding(
        "Tables 4.1 to 4.5, Fig. 4.11",
        "Average iterations of three solvers; from easy to evil they grow "
        f"{', '.join(f'{ratio:.1f} ({name})' for ratio, name in zip(theirs, SOLVERS, strict=True))} times.",
        f"The thesis does not say what an iteration is. We counted {len(others)} other things, but none has this "
        f"growth and these numbers: they grow {min(others):.1f} to {max(others):,.0f} times, and easy puzzles take "
        f"brute force {rows[1][2]:,.0f} values and not {rows[0][2]:,.0f} iterations, GTSPS {rows[-1][2]:,.0f} "
        f"comparisons and not {ITERATIONS['easy'][2]:,.0f}.",
        UNCHECKED,
        f"{NOT_THEIRS}; ours are {number} random puzzles of each kind. All three of their series grow at about the "
        "same rate, but nothing that is counted here does.",
        side_by_side(("solver", "what", *kinds), *rows),
        Plot(
            "gtsps-iterations",
            "GTSPS thesis: iterations, and what may be one",
            "puzzles",
            "average number",
            tuple(series),
        ),
    )


CHECKS = (times, unsolved_by_pencil_and_paper, numbers_of_vertices, vertices_by_clues, iterations)
