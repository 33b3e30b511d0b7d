"""Jana et al. 2023, section V: Tables 5 to 7 and Figs. 21 to 24, the numbers of solutions and the times."""

import csv
import statistics
import time
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers.jana2023_v2 import AXES, planes
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Plot, Series, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.cube import FOUR, table_1

METHODS = {"jana2021": "[2]", "jana2023-v1": "Algorithm 1", "jana2023-v2": "Algorithm 2"}
# The methods run for each: few runs of Algorithm 2 as printed finish, see the claim about it.
OURS = {name: name for name in METHODS} | {"jana2023-v2": "jana2023-v2-joined"}
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
            count = puzzles.count_in_process(puzzle, OURS[method], limit)
            results.append((time.process_time() - start, count))
    return tuple(results)


def _works(rules: str, method: str, seconds: float) -> dict[str, int]:
    """Return on how many cubes of each class a method ended, with the right number."""
    ended = dict.fromkeys(CLASSES, 0)
    for row, (_, count) in zip(rows(), runs(rules, method, seconds), strict=True):
        ended[row.kind] += count.complete and count.value == row.solutions
    return ended


def _method(work: Work, method: str, paper: str, why: str) -> Finding:
    """Return the finding with the seconds of each row beside ours; on other instances, so without a verdict."""
    ours = {rules: runs(rules, method, work.seconds) for rules in RULES}
    columns = [
        [row.seconds.get(method) for row in rows()],
        *([round(spent, 3) if count.complete else None for spent, count in ours[rules]] for rules in RULES),
    ]
    endings, medians = [], []
    for kind in CLASSES:
        of_kind = [number for number, row in enumerate(rows()) if row.kind == kind]
        times_of_kind = [[second for number in of_kind if (second := column[number]) is not None] for column in columns]
        endings.append(f"{len(times_of_kind[1])} and {len(times_of_kind[2])} of {len(of_kind)} {kind}")
        shown = [f"{statistics.median(some):.3g}" if some else "-" for some in times_of_kind]
        medians.append(f"{kind} {' / '.join(shown)}")
    wrong = sum(
        count.complete and count.value != row.solutions
        for rules in RULES
        for row, (_, count) in zip(rows(), ours[rules], strict=True)
    )
    few = "" if method == "jana2023-v2" else f" ({work.seconds / 10:g} s on the hard ones under four rules)"
    return Finding(
        "section V, Tables 5 to 7",
        paper,
        f"On our 75 cubes with the same numbers of blanks and of solutions it finishes within {work.seconds:g} "
        f"s{few} on {', '.join(endings)}, under six and under four rules. {wrong or 'None'} of these runs finds "
        "another number of solutions than the paper's row.",
        UNCHECKED,
        "The paper names a web site, but neither the instances, nor the machine, nor what counts as not working. "
        f"Median seconds of the runs that finished (paper / six rules / four rules): {'; '.join(medians)}. {why}",
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
    title = f"Tables 5 to 7: {METHODS[method]}; a missing point means that it did not finish"
    return Plot(f"jana2023-{method}", title, "blank cells", "seconds", tuple(series))


def _printed(method: str) -> str:
    """Return in words where a method works by the tables."""
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
        f"In Table 6 it works on {own}, although the text says only easy. Our tree looks only at peers and stores a "
        "level in one array; the time depends on the rules, not only on the blanks.",
    )


def algorithm_1(work: Work) -> Finding:
    """Run Algorithm 1 on 75 cubes."""
    return _method(
        work,
        "jana2023-v1",
        f"Algorithm 1 works for easy and moderate instances, not for hard ones: {_printed('jana2023-v1')}.",
        "Our tree is sorted once before it grows, as printed, and stores a level in one array.",
    )


def algorithm_2(work: Work) -> Finding:
    """Run Algorithm 2, with the candidates of the whole cube and layers joined early, on 75 cubes."""
    return _method(
        work,
        "jana2023-v2",
        f"Algorithm 2 takes {_printed('jana2023-v2').split(', and NW')[0]}.",
        "Ours starts each layer from the candidates that the whole cube leaves and drops a combination at the first "
        "conflict. The printed one does neither, and finishes on few of these cubes: see its own claim.",
    )


def more_solutions_in_3d(work: Work) -> Finding:
    """Cut the same share of cells out of squares and of cubes, and count solutions."""
    full, square, most = table_1(), se.board("9x9"), 100
    grids = np.concatenate([full.givens[planes(full.geometry, axis)] for axis in AXES])
    kinds: dict[str, list[int]] = {"2D": [], "3D, six rules": [], "3D, four rules": []}
    number = max(3, min(15, work.puzzles))
    others = [puzzles.solution(puzzle) for puzzle in puzzles.read("cubes/six-rules-easy.txt")[: number - 1]]
    for seed, solved in enumerate((full.givens, *others)):
        rng = np.random.RandomState(seed)
        cube = np.where(rng.permutation(729) < 474, 0, solved)
        small = np.where(rng.permutation(81) < 53, 0, grids[seed])
        boards_and_givens = (square, small), (full.geometry, cube), (se.board("9x9x9", FOUR), cube)
        for kind, (board, givens) in zip(kinds, boards_and_givens, strict=True):
            kinds[kind].append(se.count(givens, "sat", limits=se.Limits(most), board=board).value)
    medians = {kind: statistics.median(counts) for kind, counts in kinds.items()}
    medians_text = ", ".join(f"{median:g} ({kind})" for kind, median in medians.items())
    return Finding(
        "section II-C",
        "A 3D Sudoku usually has more possible solutions than a 2D one.",
        f"With 65 % of the cells blank, at random, {number} of each kind: median {medians_text}; counted up to {most}.",
        verdict(medians["3D, six rules"] > medians["2D"]),
        "The paper does not say what is kept equal; here it is the share of blanks. The cubes are cut out of Table 1 "
        f"and {len(others)} of our cubes, the squares are planes of Table 1. Under the six rules a cell has 36 "
        "peers, in a square 20. A program that checks only the four rules of Fig. 8a, as the paper's does, finds "
        f"{'more' if medians['3D, four rules'] > medians['2D'] else 'not more'}.",
    )


# The claims about the printed numbers themselves.

# Section V, for easy and for moderate puzzles: how many have one solution, and the most solutions of one.
ONE_SOLUTION, MOST_SOLUTIONS = {"easy": 29, "moderate": 14}, {"easy": 8, "moderate": 64}
# Fig. 21: from this number of blanks on two methods are stagnant.
STAGNANT_BLANKS = 25


def _histogram(figure: str, kinds: tuple[str, ...]) -> Plot:
    """Return how many puzzles of some classes have each number of solutions."""
    counts = {kind: [row.solutions for row in rows() if row.kind == kind] for kind in kinds}
    numbers = sorted({number for some in counts.values() for number in some})
    series = tuple(
        Series(kind, tuple(map(str, numbers)), tuple(some.count(number) or None for number in numbers), True)
        for kind, some in counts.items()
    )
    name = "jana2023-" + figure.lower().replace(" ", "-")
    return Plot(name, f"{figure}: puzzles by their number of solutions", "solutions", "puzzles", series, log=False)


def _figure_21() -> Plot:
    instances = tuple(row.instance for row in rows())
    series = tuple(
        Series(name, instances, tuple(row.seconds.get(method) for row in rows()), True)
        for method, name in METHODS.items()
    )
    title = "Fig. 21: seconds by instance; a missing point means not working"
    return Plot("jana2023-fig-21", title, "instance of Tables 5 to 7", "seconds", series)


def numbers_of_solutions(work: Work) -> Finding:
    """Count rows of Tables 5 and 6."""
    counts = {kind: [row.solutions for row in rows() if row.kind == kind] for kind in CLASSES}
    with_one, most = ({kind: what(counts[kind]) for kind in ONE_SOLUTION} for what in (lambda some: some.count(1), max))
    return Finding(
        "section V, Figs. 22 and 23",
        "Easy puzzles have at most 8 solutions and most (29) have one; moderate ones up to 64, and 14 have one.",
        f"Table 5: at most {most['easy']}, {with_one['easy']} of {len(counts['easy'])} with one. Table 6: at most"
        f" {most['moderate']}, {with_one['moderate']} of {len(counts['moderate'])} with one.",
        verdict(with_one == ONE_SOLUTION and most == MOST_SOLUTIONS, own=True),
        plot=_histogram("Figs 22 and 23", ("easy", "moderate")),
    )


def solutions_and_hardness(work: Work) -> Finding:
    """Compare the numbers of solutions of the three classes."""
    table, means, medians, rest = [], [], [], []
    for kind in CLASSES:
        counts = sorted(row.solutions for row in rows() if row.kind == kind)
        means.append(statistics.mean(counts))
        medians.append(statistics.median(counts))
        rest.append(statistics.mean(counts[:-2]))
        table.append((kind, round(means[-1], 1), medians[-1], counts[-1], round(rest[-1], 1)))
    twice: dict[int, list[int]] = {}
    for row in rows():
        twice.setdefault(row.blanks, []).append(row.solutions)
    blanks, widest = max(twice.items(), key=lambda item: max(item[1]) / min(item[1]))
    return Finding(
        "section V, Fig. 24",
        "The number of solutions of a single puzzle increases with the hardness, by a huge amount for hard puzzles.",
        f"On average {', '.join(f'{mean:.1f} ({kind})' for kind, mean in zip(CLASSES, means, strict=True))}; the median"
        f" is {', '.join(f'{median:g}' for median in medians)}.",
        verdict(_rises(means), own=True),
        "The verdict requires that the averages of the paper's own numbers rise from class to class; the medians do "
        f"{'too' if _rises(medians) else 'not'}. Most easy and most moderate puzzles have one solution, and two hard "
        "puzzles cause the huge amount: without the two largest of each class the averages "
        f"are {', '.join(f'{mean:.1f}' for mean in rest)}. Puzzles with {blanks} blanks have "
        f"{', '.join(map(str, sorted(widest)))} solutions.",
        side_by_side(
            ("class", "mean", "median", "most", "mean without the two largest"),
            *table,
            drawn={"solutions": ("mean", "median", "most", "mean without the two largest")},
        ),
        _histogram("Fig 24", ("hard",)),
    )


def _rises(values: list[float]) -> bool:
    return all(one < other for one, other in pairwise(values))


def _both(row: Row, new: str, old: str) -> str:
    return f"{METHODS[new]} {row.seconds[new]} s, {METHODS[old]} {row.seconds[old]} s"


def each_algorithm_faster(work: Work) -> Finding:
    """Compare the printed seconds row by row."""
    pairs = (("jana2023-v1", "jana2021"), ("jana2023-v2", "jana2023-v1"))
    table, slower, more = [], {}, []
    for new, old in pairs:
        both = [row for row in rows() if new in row.seconds and old in row.seconds]
        slower[new] = [row for row in both if row.seconds[new] > row.seconds[old]]
        listed = " ".join(str(row.instance) for row in slower[new])
        n_rows, n_before = (sum(method in row.seconds for row in rows()) for method in (new, old))
        more.append(len(both) == n_before < n_rows)
        table.append((METHODS[new], METHODS[old], n_rows, n_before, len(both), len(slower[new]), listed))
    return Finding(
        "Tables 5 to 7, Fig. 21",
        "Algorithm 1 improves on [2], and Algorithm 2 on both: for some instances only the later ones have an output.",
        "; ".join(
            f"{row[0]} has an output in {row[2]} rows and {row[1]} in {row[3]}, but {row[0]} is slower in {row[5]} of "
            f"the {row[4]} rows that have both"
            for row in table
        )
        + ".",
        verdict(all(more), own=True),
        "The verdict is on what section V calls the improvement: each algorithm works wherever the one before does, "
        "and on more rows. It does not always take less time. "
        + "; ".join(f"In row {row.instance}: {_both(row, *pairs[0])}" for row in slower[pairs[0][0]])
        + ".",
        side_by_side(
            ("algorithm", "against", "rows", "rows of the other", "rows with both", "slower", "in rows"),
            *table,
            drawn={"rows of Tables 5 to 7": ("rows", "rows of the other", "rows with both", "slower")},
        ),
        _figure_21(),
    )


def stagnant_level(work: Work) -> Finding:
    """Find where methods stop working in Tables 5 to 7."""
    last = {method: max(row.blanks for row in rows() if method in row.seconds) for method in METHODS}
    least = min(row.blanks for row in rows())
    return Finding(
        "Fig. 21",
        f"No. of blank cells >= {STAGNANT_BLANKS} indicates the stagnant level of [2] and of Algorithm 1.",
        f"The tables have no puzzle with fewer than {least} blanks; [2] works on up to {last['jana2021']} blanks,"
        f" Algorithm 1 on up to {last['jana2023-v1']}.",
        verdict(last["jana2021"] < STAGNANT_BLANKS),
        "Row numbers do not explain it either: these two work on rows up to 37 and 55. The picture is not in our scan.",
    )
