"""Tables 4.1 to 4.6 of the GTSPS thesis, theirs beside ours on random puzzles of the same kinds."""

import time
from functools import cache
from statistics import mean

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import brute_force, gtsps
from sudoku_encode.reproduce import answers, puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Plot, Series, Work, side_by_side
from sudoku_encode.reproduce.gtsps.example import example
from sudoku_encode.reproduce.gtsps.figures import (
    ITERATIONS,
    MILLISECONDS,
    N_EACH,
    SOLVERS,
    UNSOLVED,
    VERTICES,
)
from sudoku_encode.reproduce.puzzles import no_tick

# The thesis' three solvers, then others that it speaks of.
METHODS = (*SOLVERS, "gtsps-4.2", "gtsps-3.1", "gtsps-3.2", "logic", "norvig2006")
NOT_THEIRS = "The thesis' puzzles are not published"


@cache
def runs(number: int, seconds: float) -> dict[tuple[str, str], tuple[float, int]]:
    """For each kind and method the average milliseconds to all solutions, and how many puzzles were not solved.

    Args:
        number: of puzzles of each kind.
        seconds: for each.
    """
    found = {}
    for kind in MILLISECONDS:
        some = puzzles.random(kind, number)
        for name in METHODS:
            # What is compiled is compiled here.
            answers.count_in_process(some[0], name, seconds)
            start = time.process_time()
            counts = [answers.count_in_process(puzzle, name, seconds) for puzzle in some]
            spent = time.process_time() - start
            found[kind, name] = 1000 * spent / number, sum(not count.complete for count in counts)
    return found


def _values_tried(puzzle: se.Puzzle) -> int:
    state = brute_force.start(puzzle)
    for _ in brute_force.run(state, no_tick):
        pass
    return int(state.counts[1])


def times(work: Work) -> Finding:
    """Tables 4.1 to 4.5 and Fig. 4.10."""
    found = runs(work.puzzles, work.seconds)
    kinds = tuple(MILLISECONDS)
    rows, series = [], []
    for name in METHODS:
        paper = [MILLISECONDS[kind][SOLVERS.index(name)] if name in SOLVERS else None for kind in kinds]
        ours = [round(found[kind, name][0], 2) for kind in kinds]
        rows += [(kind, name, their, own) for kind, their, own in zip(kinds, paper, ours, strict=True)]
        if name in SOLVERS:
            series.append(Series(name, kinds, tuple(paper), True))
        series.append(Series(name, kinds, tuple(ours), False))
    fastest = {kind: min(SOLVERS, key=lambda name: found[kind, name][0]) for kind in kinds if kind != "several"}
    growth = [found["evil", name][0] / found["easy", name][0] for name in SOLVERS]
    theirs = [MILLISECONDS["evil"][at] / MILLISECONDS["easy"][at] for at in range(3)]  # type: ignore[operator]
    return Finding(
        "Tables 4.1 to 4.5, Fig. 4.10",
        "Pencil and paper is the fastest of three on all puzzles with one solution; from easy to evil times grow "
        f"{', '.join(f'{ratio:.1f} ({name})' for ratio, name in zip(theirs, SOLVERS, strict=True))} times.",
        f"Fastest of the three are {', '.join(f'{name} ({kind})' for kind, name in fastest.items())}; times grow "
        f"{', '.join(f'{ratio:.1f} ({name})' for ratio, name in zip(growth, SOLVERS, strict=True))} times.",
        UNCHECKED,
        f"{NOT_THEIRS}, and neither its programs nor the exact machine. Ours are {work.puzzles} random puzzles of each "
        "kind, evil ones of 23 to 27 clues. Brute force is compiled here, pencil and paper is not; GTSPS spends most "
        "of its time on what is the same for all puzzles. Ours go on to all solutions and the proof that there are no "
        "more.",
        side_by_side(("puzzles", "method", "thesis, ms", "ours, ms"), *rows),
        Plot("gtsps-times", "GTSPS thesis: average CPU time", "puzzles", "milliseconds", tuple(series)),
    )


def unsolved_by_pencil_and_paper(work: Work) -> Finding:
    """Tables 4.2 to 4.5, whether all are solved."""
    found = runs(work.puzzles, work.seconds)
    shares = {
        name: [round(100 * found[kind, name][1] / work.puzzles, 1) for kind in UNSOLVED]
        for name in ("pencil-paper", "logic", "gtsps-4.1")
    }
    paper = [round(100 * number / N_EACH, 1) for number in UNSOLVED.values()]
    kinds = tuple(UNSOLVED)
    rows = list(zip(kinds, paper, *shares.values(), strict=True))
    series = (
        Series("pencil-paper", kinds, tuple(paper), True),
        *(Series(name, kinds, tuple(shares[name]), False) for name in ("pencil-paper", "logic")),
    )
    return Finding(
        "Tables 4.2 to 4.5, section 4.5",
        "Pencil and paper solves all easy and medium puzzles, not 37 of 200 hard and 73 of 200 evil ones; brute force "
        "and GTSPS solve all.",
        f"It does not solve {', '.join(f'{row[2]} % ({row[0]})' for row in rows)} of ours; GTSPS 4.1 and brute force "
        f"leave {sum(found[kind, name][1] for kind in kinds for name in ('gtsps-4.1', 'brute-force'))}.",
        UNCHECKED,
        f"{NOT_THEIRS}, and hard and evil are numbers of clues there; ours are {work.puzzles} random puzzles of each. "
        "Our techniques are those that Table 4.7 names, with subsets of up to four cells; the thesis does not say its.",
        side_by_side(("puzzles", "thesis, %", "ours, %", "ours with [49]'s, %", "GTSPS 4.1, %"), *rows),
        Plot("gtsps-unsolved", "GTSPS thesis: unsolved without guessing", "puzzles", "%", series, log=False),
    )


def numbers_of_vertices(work: Work) -> Finding:
    """Table 4.6."""
    rows = []
    for kind, paper in VERTICES.items():
        some = puzzles.random(kind, work.puzzles)
        ours = [sum(len(one.permutations) for one in gtsps.minigrids(puzzle, no_tick)) for puzzle in some]
        rows.append((kind, paper, round(mean(ours), 1), min(ours), max(ours)))
    kinds = tuple(VERTICES)
    series = (
        Series("", kinds, tuple(float(row[1]) for row in rows), True),
        Series("", kinds, tuple(row[2] for row in rows), False),
    )
    puzzle, made = example()
    return Finding(
        "Table 4.6",
        f"G has {', '.join(f'{row[1]} ({row[0]})' for row in rows)} vertices on average.",
        f"{', '.join(f'{row[2]:.0f} ({row[0]})' for row in rows)} on ours; of the easy ones the most is {rows[0][4]}.",
        UNCHECKED,
        f"{NOT_THEIRS}; ours are {work.puzzles} random puzzles of each kind. Fig. 4.2, whose "
        f"{np.count_nonzero(puzzle.givens)} clues make it medium, has {len(made.names)}.",
        side_by_side(("puzzles", "thesis", "ours", "least", "most"), *rows),
        Plot("gtsps-vertices", "GTSPS thesis: vertices of G", "puzzles", "average vertices", series),
    )


def iterations(work: Work) -> Finding:
    """Tables 4.1 to 4.5 and Fig. 4.11, as far as brute force goes."""
    rows = [
        (
            kind,
            ITERATIONS[kind][0],
            round(mean(_values_tried(puzzle) for puzzle in puzzles.random(kind, work.puzzles)), 1),
        )
        for kind in ITERATIONS
    ]
    kinds = tuple(ITERATIONS)
    series = (
        Series("iterations", kinds, tuple(row[1] for row in rows), True),
        Series("values tried", kinds, tuple(row[2] for row in rows), False),
    )
    return Finding(
        "Tables 4.1 to 4.5, Fig. 4.11",
        f"Brute force takes {', '.join(f'{row[1]} ({row[0]})' for row in rows)} iterations.",
        f"It tries {', '.join(f'{row[2]:.0f} ({row[0]})' for row in rows)} values, to all solutions.",
        UNCHECKED,
        f"What an iteration is, it does not say. {NOT_THEIRS}; ours are {work.puzzles} random puzzles of each kind.",
        side_by_side(("puzzles", "thesis, iterations", "ours, values tried"), *rows),
        Plot("gtsps-iterations", "GTSPS thesis: brute force", "puzzles", "average number", series),
    )


CHECKS = (times, unsolved_by_pencil_and_paper, numbers_of_vertices, iterations)
