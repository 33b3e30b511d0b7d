"""The commands with their groups, summaries and examples, for the help and the manual page.

To add a command, write its module in this folder, with a function `command` whose docstring is its help, and add a row.
This module imports nothing heavy: --help reads it.
"""

from collections.abc import Mapping
from typing import NamedTuple


class CommandRow(NamedTuple):
    """A row of the table.

    Attributes:
        group: a key of GROUPS.
        summary: a short description.
        examples: shell commands for a folder with `instances/`; the second may need the output of the first.
    """

    group: str
    summary: str
    examples: tuple[str, str]


# The groups of commands, with their purposes, in the order of the help. Each has a page, docs/commands/GROUP.md.
GROUPS: Mapping[str, str] = {
    "Answer": "the solutions of puzzles",
    "Set": "test, rate and generate puzzles",
    "Model": "puzzles for SAT, CP and other solvers",
    "Trust": "check answers and methods",
    "Look": "pictures, figures, other formats",
}

COMMANDS: Mapping[str, CommandRow] = {
    "solve": CommandRow(
        "Answer",
        "Print one solution of each puzzle.",
        (
            "sudoku-encode solve instances/papers/gtsps-fig-4.2.ss --to grid",
            "sudoku-encode solve 1...........3... --board 4x4 --json",
        ),
    ),
    "enumerate": CommandRow(
        "Answer",
        "Print all solutions of each puzzle.",
        (
            "sudoku-encode enumerate instances/papers/gtsps-fig-4.9.sdk -o all.txt",
            "sudoku-encode enumerate --board 4x4 --to csv",
        ),
    ),
    "count": CommandRow(
        "Answer",
        "Print the number of solutions of each puzzle.",
        (
            "sudoku-encode count instances/papers/gtsps-fig-4.9.sdk",
            "sudoku-encode count instances/papers/inkala/escargot.txt --limit 2",
        ),
    ),
    "sample": CommandRow(
        "Answer",
        "Print random solutions of each puzzle, drawn uniformly.",
        (
            "sudoku-encode sample instances/papers/gtsps-fig-4.9.sdk -n 20 --to grid",
            "sudoku-encode sample --board 9x9 -n 3 --json",
        ),
    ),
    "check": CommandRow(
        "Set",
        "Check whether each puzzle is unique; find redundant or missing givens.",
        (
            "sudoku-encode check instances/papers/inkala/escargot.txt --minimize --seed 1",
            "sudoku-encode check instances/papers/gtsps-fig-4.2.ss --json",
        ),
    ),
    "candidates": CommandRow(
        "Set",
        "Print the values that each cell has in some solution.",
        (
            "sudoku-encode candidates instances/papers/gtsps-fig-4.9.sdk --counts",
            "sudoku-encode candidates 1...........3... --board 4x4 --json",
        ),
    ),
    "hint": CommandRow(
        "Set",
        "Show the next step to solve each puzzle by hand.",
        (
            "sudoku-encode hint instances/papers/inkala/escargot.txt",
            "sudoku-encode hint instances/papers/gtsps-fig-4.2.ss --all --json",
        ),
    ),
    "rate": CommandRow(
        "Set",
        "Measure the difficulty of each puzzle by several figures.",
        (
            "sudoku-encode rate instances/papers/inkala/escargot.txt",
            "sudoku-encode rate instances/papers/gtsps-fig-4.2.ss --figure nodes --json",
        ),
    ),
    "generate": CommandRow(
        "Set",
        "Make random puzzles with a given number of solutions.",
        (
            "sudoku-encode generate --symmetry point --seed 1 --to grid",
            "sudoku-encode generate --board 9x9x9 --kind mixed --blanks 600 -o new.txt",
        ),
    ),
    "encode": CommandRow(
        "Model",
        "Write each puzzle as a CNF, or as a CP-SAT, MiniZinc, ILP or SMT model.",
        (
            "sudoku-encode encode instances/papers/gtsps-fig-4.2.ss -o puzzle.cnf",
            "sudoku-encode encode --board 4x4x4 --encoding order -o cube.cnf.gz",
        ),
    ),
    "decode": CommandRow(
        "Model",
        "Turn a solver's answer back into grids, and check them.",
        (
            "sudoku-encode encode ..343412..434321 --reduce singles -o p.cnf",
            "echo v 1 4 6 7 0 | sudoku-encode decode p.cnf - --to grid",
        ),
    ),
    "bench": CommandRow(
        "Model",
        "Measure methods, encodings and solvers on puzzles.",
        (
            "sudoku-encode bench instances/small/16x16.txt --methods sat:log,cp-sat",
            "sudoku-encode bench instances/small/16x16.txt --vary reduce=none,singles",
        ),
    ),
    "verify": CommandRow(
        "Trust",
        "Run many methods on each puzzle and compare their answers.",
        (
            "sudoku-encode verify instances/papers/inkala/escargot.txt --methods sat,search",
            "sudoku-encode verify --board 4x4 --methods sat,cp-sat,norvig2006 --json",
        ),
    ),
    "prove": CommandRow(
        "Trust",
        "Certify the number of solutions, so that anybody can check it.",
        (
            "sudoku-encode prove instances/papers/gtsps-fig-4.9.sdk -o certificate",
            "sudoku-encode prove --check certificate",
        ),
    ),
    "reproduce": CommandRow(
        "Trust",
        "Recompute the results of the papers, with a verdict on each.",
        (
            "sudoku-encode reproduce keck --puzzles 4 --timeout 1",
            "sudoku-encode reproduce keck --puzzles 4 --timeout 1 --to markdown",
        ),
    ),
    "explain": CommandRow(
        "Trust",
        "Show a published method on each puzzle, step by step.",
        (
            "sudoku-encode explain instances/papers/gtsps-fig-4.2.ss",
            "sudoku-encode explain instances/papers/keck-hard.txt --to html -o steps.html",
        ),
    ),
    "methods": CommandRow(
        "Trust",
        "List the methods, or show one with its source and options.",
        ("sudoku-encode methods", "sudoku-encode methods sat"),
    ),
    "show": CommandRow(
        "Look",
        "Draw each puzzle as text, as a picture or on sheets of paper.",
        (
            "sudoku-encode show instances/cubes/4x4x4-fewest.txt",
            "sudoku-encode show instances/small/9x9-jigsaw.txt --solution -o jigsaw.svg",
        ),
    ),
    "info": CommandRow(
        "Look",
        "Print figures about each puzzle, its board and its encodings; list boards.",
        ("sudoku-encode info instances/papers/gtsps-fig-4.2.ss", "sudoku-encode info --boards"),
    ),
    "convert": CommandRow(
        "Look",
        "Write puzzles in another text format.",
        (
            "sudoku-encode convert instances/papers/gtsps-fig-4.2.ss --to line",
            "sudoku-encode convert instances/small/6x6-jigsaw.json --to csv -o 6x6.csv",
        ),
    ),
}
