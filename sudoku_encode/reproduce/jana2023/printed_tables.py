"""Jana et al. 2023, section V: what Tables 5 to 7 and Figs. 21 to 24 say, from their own numbers."""

import statistics
from itertools import pairwise

from sudoku_encode.reproduce.finding import Finding, Plot, Series, Work, side_by_side, verdict
from sudoku_encode.reproduce.jana2023.tables import CLASSES, METHODS, Row, rows

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
    title = "Fig. 21: seconds by instance; where a point is missing it is not working"
    return Plot("jana2023-fig-21", title, "instance of Tables 5 to 7", "seconds", series)


def numbers_of_solutions(work: Work) -> Finding:
    """Count rows of Tables 5 and 6."""
    counts = {kind: [row.solutions for row in rows() if row.kind == kind] for kind in CLASSES}
    one, most = ({kind: what(counts[kind]) for kind in ONE_SOLUTION} for what in (lambda some: some.count(1), max))
    return Finding(
        "section V, Figs. 22 and 23",
        "Easy puzzles have at most 8 solutions and most (29) have one; moderate ones up to 64, and 14 have one.",
        f"Table 5: at most {most['easy']}, {one['easy']} of {len(counts['easy'])} with one. Table 6: at most"
        f" {most['moderate']}, {one['moderate']} of {len(counts['moderate'])} with one.",
        verdict(one == ONE_SOLUTION and most == MOST_SOLUTIONS),
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
        verdict(all(_rises(some) for some in (means, medians))),
        "Held to: both rise from class to class. Most easy and most moderate puzzles have one solution, and two hard"
        " puzzles make the huge amount: without the two largest of each class the averages are"
        f" {', '.join(f'{mean:.1f}' for mean in rest)}. Puzzles with {blanks} blanks have"
        f" {', '.join(map(str, sorted(widest)))} solutions.",
        side_by_side(
            ("class", "mean", "median", "most", "mean without the two largest"),
            *table,
            drawn={"solutions": ("mean", "median", "most", "mean without the two largest")},
        ),
        _histogram("Fig 24", ("hard",)),
    )


def _rises(some: list[float]) -> bool:
    return all(one < other for one, other in pairwise(some))


def _both(row: Row, new: str, old: str) -> str:
    return f"{METHODS[new]} {row.seconds[new]} s, {METHODS[old]} {row.seconds[old]} s"


def each_algorithm_faster(work: Work) -> Finding:
    """Compare the printed seconds row by row."""
    pairs = (("jana2023-v1", "jana2021"), ("jana2023-v2", "jana2023-v1"))
    table, slower = [], {}
    for new, old in pairs:
        both = [row for row in rows() if new in row.seconds and old in row.seconds]
        slower[new] = [row for row in both if row.seconds[new] > row.seconds[old]]
        listed = " ".join(str(row.instance) for row in slower[new])
        table.append((METHODS[new], METHODS[old], len(both), len(slower[new]), listed))
    return Finding(
        "Tables 5 to 7, Fig. 21",
        "Algorithm 1 improves on [2], and Algorithm 2 on both.",
        "; ".join(f"{row[0]} is slower than {row[1]} in {row[3]} of the {row[2]} rows that have both" for row in table)
        + ".",
        verdict(not any(slower.values())),
        "What improves is above all on which puzzles they work at all. "
        + "; ".join(f"In row {row.instance}: {_both(row, *pairs[0])}" for row in slower[pairs[0][0]])
        + ".",
        side_by_side(
            ("algorithm", "against", "rows with both", "slower", "in rows"),
            *table,
            drawn={"rows of Tables 5 to 7": ("rows with both", "slower")},
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
