"""Claims that need puzzles which a paper does not publish, checked on those of a reader who has them."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from statistics import mean
from typing import NamedTuple

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import gtsps
from sudoku_encode.papers.hbpnp import VERSIONS
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.block_world import tables as block_world
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.gtsps import compared, figures
from sudoku_encode.reproduce.jana2023 import tables as jana2023
from sudoku_encode.reproduce.puzzles import no_tick
from sudoku_encode.reproduce.wadud import table as wadud

FedCheck = Callable[[Work], Finding]


class Claim(NamedTuple):
    """A claim that needs puzzles which the paper does not publish."""

    place: str  # where in the paper
    paper: str  # the claim, in a sentence
    puzzles: int  # the number of puzzles that it takes for a verdict


def _whose(work: Work, number: int) -> str:
    """Return the words for some of the reader's puzzles, and their files."""
    return f"{number} of the reader's {len(work.instances)} puzzles ({', '.join(work.instance_files)})"


def _squares(work: Work) -> dict[str, tuple[se.Puzzle, ...]]:
    """Return the reader's 9x9 puzzles with a solution by the kinds of the GTSPS thesis; `several` have more."""
    kinds: dict[str, list[se.Puzzle]] = {}
    for puzzle in work.instances:
        if puzzle.geometry.shape == (9, 9) and (value := se.count(puzzle, "search", limits=se.Limits(2)).value):
            clues = int(np.count_nonzero(puzzle.givens))
            fitting = (kind for kind, (least, most) in figures.CLUES.items() if least <= clues <= most)
            kinds.setdefault("several" if value > 1 else next(fitting, ""), []).append(puzzle)
    return {kind: tuple(some) for kind, some in kinds.items()}


def _unique(work: Work) -> tuple[se.Puzzle, ...]:
    """Return the reader's 9x9 puzzles with exactly one solution."""
    return tuple(puzzle for kind, some in _squares(work).items() if kind != "several" for puzzle in some)


def _finding(claim: Claim, work: Work, number: int, ours: str, agrees: bool, why: str = "") -> Finding:
    """Return a finding on some of the reader's puzzles; with fewer than the paper had, the claim cannot be checked."""
    if not number:
        return Finding(claim.place, claim.paper, "Not compared.", UNCHECKED, f"It fits {_whose(work, 0)}.")
    remark = "We cannot see whether these are the puzzles of the paper"
    remark += f", which had {claim.puzzles}. " if number < claim.puzzles else ". "
    decided = verdict(agrees) if number >= claim.puzzles else UNCHECKED
    return Finding(claim.place, claim.paper, f"On {_whose(work, number)}: {ours}", decided, (remark + why).strip())


# Jana et al. 2023, Tables 5 to 7: a cube is taken for the row with its numbers of blanks and of solutions.


def rows_of_cubes(work: Work) -> list[tuple[jana2023.Row, se.Puzzle]]:
    """Return the reader's cubes, each with the row of Tables 5 to 7 that it fits; each row once."""
    free_rows, pairs = list(jana2023.rows()), []
    for cube in work.instances:
        blanks = len(cube.blanks)
        if cube.geometry.shape != (9, 9, 9) or not any(row.blanks == blanks for row in free_rows):
            continue
        count = puzzles.count_in_process(cube, "sat", 10 * work.seconds)
        row = next((row for row in free_rows if (row.blanks, row.solutions) == (blanks, count.value)), None)
        if row and count.complete:
            free_rows.remove(row)
            pairs.append((row, cube))
    return pairs


def _cubes(method: str, work: Work) -> Finding:
    """Run a method of Tables 5 to 7 on the reader's cubes: does it work where the paper says so?"""
    table, same = [], 0
    for row, cube in rows_of_cubes(work):
        count = puzzles.count_in_process(cube, jana2023.OURS[method], work.seconds)
        same += count.complete == (method in row.seconds)
        table.append((row.instance, row.kind, row.blanks, row.solutions, row.seconds.get(method), str(count)))
    finding = _finding(
        Claim(
            "section V, Tables 5 to 7",
            f"{jana2023.METHODS[method]} works on {sum(method in row.seconds for row in jana2023.rows())} of the 75 "
            "instances, with the number of solutions that each row gives.",
            1,
        ),
        work,
        len(table),
        f"{jana2023.OURS[method]} finishes within {work.seconds:g} s, or does not, as the paper's program on {same} of "
        f"{len(table)} rows with the same numbers of blanks and of solutions.",
        same == len(table),
        "Where the paper's program did not work, ours may be faster.",
    )
    columns = ("instance", "class", "blanks", "solutions", "s (paper)", "solutions (ours)")
    return replace(finding, table=side_by_side(columns, *table))


# The GTSPS thesis: its kinds are numbers of clues.


def _unsolved(work: Work) -> Finding:
    """Tables 4.2 to 4.5 on the reader's puzzles."""
    kinds = {kind: some for kind, some in _squares(work).items() if kind in figures.UNSOLVED}
    ours = {
        kind: sum(not puzzles.count_in_process(puzzle, "pencil-paper", work.seconds).complete for puzzle in some)
        for kind, some in kinds.items()
    }
    # Less than one puzzle.
    same = all(
        abs(ours[kind] / len(some) - figures.UNSOLVED[kind] / figures.N_EACH) * len(some) < 1
        for kind, some in kinds.items()
    )
    return _finding(
        Claim(
            "Tables 4.2 to 4.5, section 4.5",
            "Pencil and paper solves all easy and medium puzzles, not 37 of 200 hard and 73 of 200 evil ones.",
            figures.N_EACH,
        ),
        work,
        sum(map(len, kinds.values())),
        "; ".join(f"not {ours[kind]} of {len(some)} {kind} ones" for kind, some in kinds.items()) + ".",
        same,
        "The verdict allows less than one puzzle of a kind. Our techniques are those that Table 4.7 names.",
    )


def _vertices(work: Work) -> Finding:
    """Table 4.6 on the reader's puzzles."""
    kinds = {kind: some for kind, some in _squares(work).items() if kind in figures.VERTICES}
    ours = {
        kind: mean(sum(len(one.permutations) for one in gtsps.minigrids(puzzle, no_tick)) for puzzle in some)
        for kind, some in kinds.items()
    }
    return _finding(
        Claim(
            "Table 4.6",
            f"G has {_by_kind(figures.VERTICES)} vertices on average.",
            figures.N_EACH,
        ),
        work,
        sum(map(len, kinds.values())),
        f"{_by_kind(ours)}.",
        all(abs(number - figures.VERTICES[kind]) <= 1 for kind, number in ours.items()),
    )


def _by_kind(values: Mapping[str, float]) -> str:
    return ", ".join(f"{value:.0f} ({kind})" for kind, value in values.items())


def _extreme(work: Work) -> Finding:
    """Section 4.5.1 on the reader's puzzles, if they are extreme ones."""
    unique = _unique(work)
    solved = {
        name: sum(puzzles.count_in_process(puzzle, name, work.seconds).complete for puzzle in unique)
        for name in ("logic", "gtsps-4.1", "gtsps-4.2")
    }
    return _finding(
        Claim(
            "section 4.5.1",
            f"Stuart's solver solves none of {compared.N_EXTREME} extreme puzzles, GTSPS all.",
            compared.N_EXTREME,
        ),
        work,
        len(unique),
        f"the techniques of [49] solve {solved['logic']}, GTSPS 4.1 {solved['gtsps-4.1']} and 4.2 "
        f"{solved['gtsps-4.2']}, within {work.seconds:g} s each.",
        solved == {"logic": 0, "gtsps-4.1": len(unique), "gtsps-4.2": len(unique)},
        "This claim is about extreme puzzles only: give it no others.",
    )


# Wadud & Abdullah-Al-Wadud, puzzles 11 to 20.


def _easier(work: Work) -> Finding:
    """Table 1, puzzles 11 to 20, on the reader's puzzles."""
    unique = _unique(work)
    runs = [[wadud.first_grid(puzzle, version) for version in VERSIONS] for puzzle in unique]
    right = all(run[1][0] and run[2][0] for run in runs)
    failed = sum(not run[0][0] for run in runs)
    ratio = sum(run[1][1] for run in runs) / sum(run[2][1] for run in runs) if runs else 0.0
    return _finding(
        Claim(
            "Table 1",
            "UHBPnP and the proposed method solve ten moderate and gentle puzzles, and the proposed one is faster.",
            len((*wadud.MODERATE, *wadud.GENTLE)),
        ),
        work,
        len(unique),
        f"both {'solve all' if right else 'do not solve all'}; UHBPnP takes {ratio:.1f} times as long in all. Our "
        f"HBPnP fails on {failed}.",
        right and ratio >= wadud.SIGNIFICANT,
        f"The verdict requires {wadud.SIGNIFICANT} times. The fault in the check of HBPnP is our guess.",
    )


# Abednego & Nugraheni, a hundred puzzles of two books.

BOOKS = 100


def _robots(names: dict[str, str], what: str, work: Work) -> Finding:
    """Tables I and II on the reader's puzzles, by models as printed or by our reading."""
    unique, reading = _unique(work), "as printed" if names == block_world.PRINTED else "read as one way"
    runs = {model: block_world.outcome(name, unique) for model, name in names.items()} if unique else {}
    solved = {model: 100 * run.solved / len(unique) for model, run in runs.items()}
    filled = {model: round(run.filled, 1) for model, run in runs.items()}
    parts: dict[str, tuple[Mapping[str, float], Mapping[str, float]]] = {
        "solve": (block_world.SOLVED, solved),
        "fill": (block_world.FILLED, filled),
    }
    shown = {verb: both for verb, both in parts.items() if verb in what}
    claimed = " and ".join(f"{verb} {_percents(paper)}" for verb, (paper, _) in shown.items())
    ours = " and ".join(f"{verb} {_percents(own)}" for verb, (_, own) in shown.items())
    place = "Tables I and II" if len(shown) > 1 else "Table I" if "solve" in shown else "Table II"
    return _finding(
        Claim(place, f"Of 100 puzzles, or of their blanks, models 1 to 4 {claimed} percent.", BOOKS),
        work,
        len(unique),
        f"{reading}, they {ours} percent.",
        all(paper == own for paper, own in shown.values()),
    )


def _percents(values: Mapping[str, float]) -> str:
    return ", ".join(f"{value:g}" for value in values.values())


FED: dict[str, dict[str, FedCheck]] = {
    "jana2023": {
        "search_tree_of_2021": partial(_cubes, "jana2021"),
        "algorithm_1": partial(_cubes, "jana2023-v1"),
        "algorithm_2": partial(_cubes, "jana2023-v2"),
    },
    "gtsps": {
        "unsolved_by_pencil_and_paper": _unsolved,
        "numbers_of_vertices": _vertices,
        "extreme_puzzles": _extreme,
    },
    "wadud": {"the_easier_puzzles": _easier},
    "block-world": {
        "solved_by_the_printed_definitions": partial(_robots, block_world.PRINTED, "solve"),
        "filled_by_the_printed_definitions": partial(_robots, block_world.PRINTED, "fill"),
        "a_sound_reading_of_the_definitions": partial(_robots, block_world.ONE_WAY, "solve fill"),
    },
}
"""The checks that a reader's instances replace, by paper and by the name of the check."""
