"""Claims of the GTSPS thesis about other solvers (Tables 4.7 and 4.8) and about single puzzles."""

import time
from functools import cache

import numpy as np

import sudoku_encode as se
from sudoku_encode.papers import gtsps, gtsps3, gtsps4, logic
from sudoku_encode.papers.gtsps4 import DEGREE
from sudoku_encode.papers.marks import Marks
from sudoku_encode.papers.techniques import LOGIC, PENCIL_PAPER
from sudoku_encode.reproduce import puzzles
from sudoku_encode.reproduce.finding import UNCHECKED, Finding, Work, side_by_side, verdict
from sudoku_encode.reproduce.gtsps.solutions import SOLUTIONS_4_9, UNIQUE, fig_4_9, inkala, sample, without_solution
from sudoku_encode.reproduce.puzzles import no_tick

# Table 4.7 rows 6 and 7, Table 4.8 row 3: solvers that give one solution, or all in a run.
ALL_IN_ONE_RUN = {
    "brute-force": False,
    "norvig2006": False,
    "gtsps-3.1": False,
    "gtsps-3.2": False,
    "gtsps-4.1": True,
    "gtsps-4.2": True,
}
# Table 4.7 row 5, Table 4.8 row 4: solvers that can tell that a puzzle has no solution.
TELLS_VALIDITY = dict(ALL_IN_ONE_RUN)
# Table 4.7 row 2: solvers without backtracking that it calls guess based, with their techniques.
GUESS_BASED = {"pencil-paper": PENCIL_PAPER, "logic": LOGIC}
# Table 4.7 row 10: solvers for 9x9 only.
ONLY_9X9 = ("pencil-paper", "logic", "norvig2006")
# Section 4.5.1: seconds on the slowest puzzle of [50], Norvig 2006, where it stands with its 1439 seconds.
NORVIG_SECONDS, GTSPS_SECONDS = 1439, 312
SLOWEST = ".....5.8....6.1.43..........1.5........1.6...3.......553.....61........4........."
# Section 4.5.1: Andrew Stuart's "extreme" puzzles, all solved by GTSPS, none by [49].
N_EXTREME = 40


def all_in_one_run(work: Work) -> Finding:
    """Check which methods list all solutions of Fig. 4.9."""
    ours = {name: len(puzzles.solution_set(fig_4_9(), name)) for name in ALL_IN_ONE_RUN}
    lists = {name: number == SOLUTIONS_4_9 for name, number in ours.items()}
    rows = [(name, "all" if says else "one", ours[name]) for name, says in ALL_IN_ONE_RUN.items()]
    return Finding(
        "Table 4.7 rows 6, 7; Table 4.8 row 3",
        f"Brute force, Norvig's solver and versions 3.1 and 3.2 give one solution a run, GTSPS 4 all {SOLUTIONS_4_9}.",
        f"On Fig. 4.9, {sum(lists.values())} of {len(lists)} methods list all {SOLUTIONS_4_9} in one run.",
        verdict(lists == ALL_IN_ONE_RUN),
        "Only the programs stop: a search that continues after a solution lists them all.",
        side_by_side(
            ("method", "paper: solutions a run", "ours, Fig. 4.9"),
            *rows,
            drawn={"solutions of Fig. 4.9 found": ("ours, Fig. 4.9",)},
        ),
    )


@cache
def _counts_of_none(method: str) -> tuple[se.Count, ...]:
    """Count the solutions of puzzles without one."""
    return tuple(puzzles.count_in_process(puzzle, method, 20) for puzzle in without_solution())


def who_tells_validity(work: Work) -> Finding:
    """Check which methods prove that a puzzle has no solution."""
    unsolvable = without_solution()
    ours = {name: _counts_of_none(name) for name in TELLS_VALIDITY}
    tells = {name: all(one.complete and not one.value for one in found) for name, found in ours.items()}
    rows = [
        (name, "yes" if says else "no", sum(one.complete and not one.value for one in ours[name]))
        for name, says in TELLS_VALIDITY.items()
    ]
    return Finding(
        "Table 4.7 row 5, Table 4.8 row 4",
        "Brute force, Norvig's solver and versions 3.1 and 3.2 cannot tell that a puzzle has no solution; GTSPS 4 can.",
        f"{sum(tells.values())} of {len(tells)} methods finish on all {len(unsolvable)} puzzles without a solution "
        "and report it.",
        verdict(tells == TELLS_VALIDITY),
        "Any search that finishes without a solution has proved that the puzzle has no solution. It may take long: see "
        "the slowest puzzle.",
        side_by_side(
            ("method", "paper", f"ours, of {len(unsolvable)}"),
            *rows,
            drawn={"puzzles without a solution that are told": (f"ours, of {len(unsolvable)}",)},
        ),
    )


def guess_based(work: Work) -> Finding:
    """Check that pencil-and-paper solvers place forced values only."""
    rows = []
    all_puzzles = [puzzle for kind in UNIQUE for puzzle in puzzles.random(kind, work.puzzles)]
    solved = [puzzles.solution(puzzle) for puzzle in all_puzzles]
    for name, techniques in GUESS_BASED.items():
        placed = removed = wrong = ended = 0
        for puzzle, grid in zip(all_puzzles, solved, strict=True):
            marks = Marks.of(puzzle)
            for step in logic.steps(marks, no_tick, techniques):
                if step.placed:
                    placed += 1
                    wrong += int(grid[step.placed[0]]) != step.placed[1]
                removed += len(step.removed)
                wrong += sum(grid[cell] == value for cell, value in step.removed)
            ended += not marks.blanks
        rows.append((name, placed, removed, int(wrong), ended, len(all_puzzles)))
    faults = sum(row[3] for row in rows)
    return Finding(
        "Table 4.7 row 2",
        "The pencil-and-paper solver [46] and Stuart's [49] are guess based.",
        f"With the techniques of row 1 alone, which take nothing back, {rows[0][4]} and {rows[1][4]} of "
        f"{len(all_puzzles)} random puzzles are solved; of {rows[0][1] + rows[1][1]} placements and "
        f"{rows[0][2] + rows[1][2]} removed candidates, {faults} are wrong.",
        verdict(faults > 0),
        "They only make forced moves. They fail on some puzzles, as the thesis found itself, because they do not "
        "guess.",
        side_by_side(
            ("method", "placed", "candidates removed", "wrong", "solved", "of"),
            *rows,
            drawn={"number": ("placed", "candidates removed"), "puzzles": ("solved", "of")},
        ),
    )


def only_9x9(work: Work) -> Finding:
    """Other boards."""
    files = ("6x6.txt", "6x6-boxes-3x2.txt", "8x8.txt", "10x10.txt", "12x12.txt", "16x16.txt")
    boards = {file: puzzles.read(f"small/{file}")[0] for file in files}
    rows = [(name, *(str(puzzles.count_in_process(one, name, 20)) for one in boards.values())) for name in ONLY_9X9]
    solved = {row[0]: sum(cell == "1" for cell in row[1:]) for row in rows}
    return Finding(
        "Table 4.7 row 10",
        "The solvers [46], [49] and Norvig's are for 9x9 only.",
        f"Of {len(boards)} puzzles from 6x6 to 16x16, with one solution each, they solve "
        f"{', '.join(f'{number} ({name})' for name, number in solved.items())}.",
        verdict(not any(solved.values())),
        "Nothing in the techniques depends on nine, though a program may.",
        side_by_side(("method", *files), *rows, drawn={"solutions found": files}),
    )


def redundant_permutations(work: Work) -> Finding:
    """Count the permutations that versions 3.1 and 3.2 generate until the first solution."""
    rows: list[tuple[str, float, float]] = []
    number = min(work.puzzles, 15)
    for kind in UNIQUE:
        random_puzzles = puzzles.random(kind, number)
        against = sum(sum(gtsps3.first_solution(puzzle, no_tick).matched) for puzzle in random_puzzles) / number
        alone = (
            sum(len(one.permutations) for puzzle in random_puzzles for one in gtsps.minigrids(puzzle, no_tick)) / number
        )
        rows.append((kind, round(against - 9, 1), round(alone - 9, 1)))
    more = [row[0] for row in rows if row[1] > row[2]]
    return Finding(
        "Table 4.8 row 6, section 4.6",
        "Version 3.1 generates more redundant permutations than versions 3.2, 4.1 and 4.2.",
        f"Up to the first solution, where the thesis' version 3.1 stops, it generates more on {len(more)} of "
        f"{len(rows)} kinds of puzzles ({', '.join(more) or 'none'}): "
        + ", ".join(f"{a:g} against {b:g} ({kind})" for kind, a, b in rows)
        + ".",
        verdict(len(more) == len(rows)),
        f"{number} puzzles of each kind, on average. We count generated permutations without the nine of the "
        "solution. Version 3.2 and both versions 4 generate all permutations that fit the clues before they begin.",
        side_by_side(
            ("puzzles", "version 3.1, to the first solution", "versions 3.2, 4.1, 4.2"),
            *rows,
            drawn={"permutations made, average": ("version 3.1, to the first solution", "versions 3.2, 4.1, 4.2")},
        ),
    )


def _slowest() -> se.Puzzle:
    return se.Puzzle.of(se.board("9x9"), [int(sign) if sign.isdigit() else 0 for sign in SLOWEST])


@cache
def on_the_slowest(seconds: float) -> tuple[tuple[str, str, str, float], ...]:
    """Run some methods on Norvig's slowest puzzle, for two seconds or less: name, count, how it ended, seconds."""
    puzzle, rows = _slowest(), []
    for name in ("sat", "gtsps-4.1", "gtsps-4.2", "norvig2006", "brute-force"):
        start = time.process_time()
        # SAT, which is of no paper, takes milliseconds.
        count = se.count(puzzle, name) if name == "sat" else puzzles.count_in_process(puzzle, name, min(2.0, seconds))
        rows.append((name, str(count), count.stopped or "done", round(time.process_time() - start, 3)))
    return tuple(rows)


def slowest_puzzle(work: Work) -> Finding:
    """Norvig's puzzle of 1439 seconds."""
    rows = on_the_slowest(work.seconds)
    proved = [row[0] for row in rows if row[1] == "0"]
    not_ended = [row[0] for row in rows if row[2] != "done"]
    graph = gtsps4.build_graph(_slowest(), no_tick)
    by_degree, n_remaining = sum(graph.deleted == DEGREE), sum(graph.deleted == 0)
    return Finding(
        "section 4.5.1",
        f"The puzzle that takes Norvig's solver {NORVIG_SECONDS} s is solved by GTSPS in {GTSPS_SECONDS} s.",
        f"It has {rows[0][1]} solutions, by {', '.join(proved)}.",
        verdict(rows[0][1] != "0"),
        "Norvig's page calls it impossible, so there is nothing to solve, and the thesis does not say that it proved "
        f"this. Ours takes {rows[1][3]} s: of {len(graph.deleted)} vertices, {by_degree} are deleted for their "
        f"degree, and {n_remaining} are left after those without a neighbour or a triangle. Not finished in time: "
        f"{' and '.join(not_ended) or 'none'}.",
        side_by_side(("method", "solutions", "end", "s"), *rows, drawn={"seconds": ("s",)}),
    )


def extreme_puzzles(work: Work) -> Finding:
    """Puzzles beyond the techniques of [49]."""
    ai_puzzles = inkala()
    ours = dict.fromkeys(("pencil-paper", "logic", "gtsps-4.1", "gtsps-4.2"), 0)
    for name in ours:
        se.count(ai_puzzles[0], name)
    start = time.process_time()
    for name in ours:
        ours[name] = sum(se.count(puzzle, name).complete for puzzle in ai_puzzles)
    seconds = (time.process_time() - start) / len(ai_puzzles) / len(ours)
    return Finding(
        "section 4.5.1",
        f"Stuart's solver solves none of {N_EXTREME} extreme puzzles, GTSPS all, in 19 s on average.",
        f"Of the ten AI puzzles, the techniques of [49] solve {ours['logic']}, GTSPS 4.1 {ours['gtsps-4.1']} and 4.2 "
        f"{ours['gtsps-4.2']}, within {seconds:.3f} s on average.",
        UNCHECKED,
        "The 40 puzzles are not published. On these ten the result is the same, except for the time.",
    )


def more_clues_more_solutions(work: Work) -> Finding:
    """Clues and solutions."""
    many, few = fig_4_9(), sample(work, "evil")[0]
    counts = [len(puzzles.solution_set(puzzle, "sat")) for puzzle in (many, few)]
    clues = [int(np.count_nonzero(puzzle.givens)) for puzzle in (many, few)]
    return Finding(
        "section 4.5.2",
        "A puzzle with more clues may have more solutions.",
        f"Fig. 4.9 has {clues[0]} clues and {counts[0]} solutions, a random one {clues[1]} and {counts[1]}.",
        verdict(clues[0] > clues[1] and counts[0] > counts[1]),
    )


CHECKS = (
    all_in_one_run,
    who_tells_validity,
    guess_based,
    only_9x9,
    redundant_permutations,
    slowest_puzzle,
    extreme_puzzles,
    more_clues_more_solutions,
)
