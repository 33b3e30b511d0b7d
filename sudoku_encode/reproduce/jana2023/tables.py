"""Jana et al. 2023, section V: Tables 5 to 7, the numbers of solutions and the times."""

import csv
import statistics
import time
from dataclasses import dataclass
from functools import cache

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers.jana2023_v2 import AXES, planes
from sudoku_encode.reproduce import answers, puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Plot, Series, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.cube import FOUR, table_1

METHODS = {"jana2021": "[2]", "jana2023-v1": "Algorithm 1", "jana2023-v2": "Algorithm 2"}
CLASSES, RULES = ("easy", "moderate", "hard"), ("six-rules", "four-rules")


@dataclass(frozen=True)
class Row:
    """A row of Tables 5 to 7; seconds of a method that is not working are missing."""

    instance: int
    kind: str
    blanks: int
    solutions: int
    seconds: dict[str, float]


@cache
def rows() -> tuple[Row, ...]:
    """Return Tables 5 to 7."""
    with puzzles.path("cubes/jana-2023-tables.csv").open(encoding="utf-8") as file:
        return tuple(
            Row(
                int(row["instance"]),
                row["class"],
                int(row["blanks"]),
                int(row["solutions"]),
                {method: float(row[method]) for method in METHODS if row[method]},
            )
            for row in csv.DictReader(file)
        )


@cache
def runs(rules: str, method: str, seconds: float) -> tuple[tuple[float, se.Count], ...]:
    """Count the solutions of our 75 cubes by a method: the process time of each, and its count.

    Under four rules two methods do not end on most hard cubes; there each has a tenth of the time.
    """
    results = []
    for kind in CLASSES:
        few = rules == "four-rules" and kind == "hard" and method != "jana2023-v2"
        limit = seconds / 10 if few else seconds
        for puzzle in puzzles.read(f"cubes/{rules}-{kind}.txt"):
            start = time.process_time()
            found = answers.count_in_process(puzzle, method, limit)
            results.append((time.process_time() - start, found))
    return tuple(results)


def _works(rules: str, method: str, seconds: float) -> dict[str, int]:
    """Return on how many cubes of each class a method ended, with the right number."""
    ended = dict.fromkeys(CLASSES, 0)
    for row, (_, found) in zip(rows(), runs(rules, method, seconds), strict=True):
        ended[row.kind] += found.complete and found.value == row.solutions
    return ended


def _method(work: Work, method: str, paper: str, why: str) -> Finding:
    """Put the seconds of each row beside ours, which cannot be compared: the instances are others."""
    ours = {rules: runs(rules, method, work.seconds) for rules in RULES}
    columns = [
        [row.seconds.get(method) for row in rows()],
        *([round(spent, 3) if found.complete else None for spent, found in ours[rules]] for rules in RULES),
    ]
    said, medians = [], []
    for kind in CLASSES:
        of_kind = [number for number, row in enumerate(rows()) if row.kind == kind]
        known = [[second for number in of_kind if (second := column[number]) is not None] for column in columns]
        said.append(f"{len(known[1])} and {len(known[2])} of {len(of_kind)} {kind}")
        shown = [f"{statistics.median(some):.3g}" if some else "-" for some in known]
        medians.append(f"{kind} {' / '.join(shown)}")
    wrong = sum(
        found.complete and found.value != row.solutions
        for rules in RULES
        for row, (_, found) in zip(rows(), ours[rules], strict=True)
    )
    few = "" if method == "jana2023-v2" else f" ({work.seconds / 10:g} s on the hard ones under four rules)"
    return Finding(
        "section V, Tables 5 to 7",
        paper,
        f"On 75 cubes of ours with the same numbers of blanks and of solutions it ends in {work.seconds:g} s{few} on"
        f" {', '.join(said)}, under six and under four rules. {wrong or 'None'} of these runs finds another number of"
        " solutions than the paper's row.",
        UNCHECKED,
        "The paper names a web site and not the instances, nor the machine, nor what counts as not working."
        f" Median seconds of what ended (paper / six rules / four rules): {'; '.join(medians)}. {why}",
        side_by_side(
            ("instance", "class", "blanks", "solutions", "s (paper)", "s (ours, six rules)", "s (ours, four rules)"),
            *(
                (row.instance, row.kind, row.blanks, row.solutions, *seconds)
                for row, *seconds in zip(rows(), *columns, strict=True)
            ),
        ),
        _plot(method, work.seconds),
    )


def _plot(method: str, seconds: float) -> Plot:
    blanks = tuple(row.blanks for row in rows())
    series = [Series("", blanks, tuple(row.seconds.get(method) for row in rows()), True)]
    for rules in RULES:
        ours = tuple(spent if found.complete else None for spent, found in runs(rules, method, seconds))
        series.append(Series("", blanks, ours, False, rules.replace("-", " ")))
    title = f"Tables 5 to 7: {METHODS[method]}; where a point is missing it did not end"
    return Plot(f"jana2023-{method}", title, "blank cells", "seconds", tuple(series))


def _printed(method: str) -> str:
    """Say where a method works by the tables."""
    works = [row for row in rows() if method in row.seconds]
    counts = [f"{sum(row.kind == kind for row in works)} {kind}" for kind in CLASSES]
    times = [row.seconds[method] for row in works]
    return f"{min(times):g} to {max(times):g} s on {', '.join(counts)} instances, and NW, not working, on the others"


def search_tree_of_2021(work: Work) -> Finding:
    """Run the tree of [2] on 75 cubes."""
    beyond = [row for row in rows() if row.kind != "easy" and "jana2021" in row.seconds]
    own = ", ".join(f"row {row.instance} with {row.seconds['jana2021']} s" for row in beyond)
    return _method(
        work,
        "jana2021",
        f"The algorithm of [2] works only for easy instances: {_printed('jana2021')}.",
        f"In Table 6 it works on {own}, although the text says only easy. Our tree looks at peers only and holds a"
        " level in one array; the time does not hang on the blanks alone, but on the rules.",
    )


def algorithm_1(work: Work) -> Finding:
    """Run Algorithm 1 on 75 cubes."""
    return _method(
        work,
        "jana2023-v1",
        f"Algorithm 1 works for easy and moderate instances, not for hard ones: {_printed('jana2023-v1')}.",
        "Our tree is sorted once before it grows, as printed, and holds a level in one array.",
    )


def algorithm_2(work: Work) -> Finding:
    """Run Algorithm 2, with the candidates of the whole cube and layers joined early, on 75 cubes."""
    return _method(
        work,
        "jana2023-v2",
        f"Algorithm 2 takes {_printed('jana2023-v2').split(', and NW')[0]}.",
        "Ours starts each layer from the candidates that the whole cube leaves and drops a combination at the first"
        " conflict; the printed one does neither, and ends on few of these cubes: see its own claim.",
    )


def more_solutions_in_3d(work: Work) -> Finding:
    """Cut the same share of cells out of squares and of cubes, and count solutions."""
    full, square, most = table_1(), se.board("9x9"), 100
    grids = np.concatenate([full.givens[planes(full.geometry, axis)] for axis in AXES])
    kinds: dict[str, list[int]] = {"2D": [], "3D, six rules": [], "3D, four rules": []}
    number = max(3, min(15, work.puzzles))
    others = [answers.solution(puzzle) for puzzle in puzzles.read("cubes/six-rules-easy.txt")[: number - 1]]
    for seed, solved in enumerate((full.givens, *others)):
        rng = np.random.RandomState(seed)
        cube = np.where(rng.permutation(729) < 474, 0, solved)
        small = np.where(rng.permutation(81) < 53, 0, grids[seed])
        made = (square, small), (full.geometry, cube), (se.board("9x9x9", FOUR), cube)
        for kind, (board, givens) in zip(kinds, made, strict=True):
            kinds[kind].append(se.count(givens, "sat", limits=se.Limits(most), board=board).value)
    medians = {kind: statistics.median(counts) for kind, counts in kinds.items()}
    said = ", ".join(f"{median:g} ({kind})" for kind, median in medians.items())
    return Finding(
        "section II-C",
        "A 3D Sudoku usually has more possible solutions than a 2D one.",
        f"With 65 % of the cells blank, at random, {number} of each kind: median {said}; counted up to {most}.",
        verdict(medians["3D, six rules"] > medians["2D"]),
        "The paper does not say what is held equal; here it is the share of blanks. The cubes are cut out of Table 1"
        f" and {len(others)} of ours, the squares are planes of Table 1. Under the six rules a cell has 36 peers, in a"
        " square 20. Where a program checks the four rules of Fig. 8a only, as the paper's does, it finds"
        f" {'more' if medians['3D, four rules'] > medians['2D'] else 'not more'}.",
    )
