"""The commands: their groups, a line on each, and examples, as help and the manual page have them.

To add one: write its module here, with a function `command` whose docstring is its help; add its row. Light: what lists
the commands loads none of them.
"""

from collections.abc import Mapping
from typing import NamedTuple


class CommandRow(NamedTuple):
    """A row of the table.

    Attributes:
        group: a key of GROUPS.
        summary: what it does, in a few words.
        examples: lines for a shell, in a folder that has `instances/`; the second may need what the first wrote.
    """

    group: str
    summary: str
    examples: tuple[str, str]


# What the commands of a group are for, in the order of the help.
GROUPS: Mapping[str, str] = {
    "Answer": "the solutions of puzzles",
    "Model": "puzzles for SAT, CP and other solvers",
    "Trust": "whether an answer is right",
    "Make": "new puzzles, other formats",
    "Look": "what a puzzle is, and what there is",
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
        "Print how many solutions each puzzle has.",
        (
            "sudoku-encode count instances/papers/gtsps-fig-4.9.sdk",
            "sudoku-encode count instances/papers/inkala/escargot.txt --limit 2",
        ),
    ),
    "candidates": CommandRow(
        "Answer",
        "Print which values each cell has in some solution.",
        (
            "sudoku-encode candidates instances/papers/gtsps-fig-4.9.sdk --counts",
            "sudoku-encode candidates 1...........3... --board 4x4 --json",
        ),
    ),
    "check": CommandRow(
        "Answer",
        "Say whether each puzzle is unique, and what a setter asks then.",
        (
            "sudoku-encode check instances/papers/inkala/escargot.txt --minimize --seed 1",
            "sudoku-encode check instances/papers/gtsps-fig-4.2.ss --json",
        ),
    ),
    "sample": CommandRow(
        "Answer",
        "Print solutions of each puzzle drawn uniformly from all of them.",
        (
            "sudoku-encode sample instances/papers/gtsps-fig-4.9.sdk -n 20 --to grid",
            "sudoku-encode sample --board 9x9 -n 3 --json",
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
        "Turn a solver's answer to a model back into the grids, and check them.",
        (
            "sudoku-encode encode ..343412..434321 --reduce singles -o p.cnf",
            "echo v 1 4 6 7 0 | sudoku-encode decode p.cnf - --to grid",
        ),
    ),
    "verify": CommandRow(
        "Trust",
        "Run many methods on each puzzle and compare what they say.",
        (
            "sudoku-encode verify instances/papers/inkala/escargot.txt --methods sat,search",
            "sudoku-encode verify --board 4x4 --methods sat,cp-sat,norvig2006 --json",
        ),
    ),
    "prove": CommandRow(
        "Trust",
        "Certify how many solutions each puzzle has, for anybody to check.",
        (
            "sudoku-encode prove instances/papers/gtsps-fig-4.9.sdk -o certificate",
            "sudoku-encode prove --check certificate",
        ),
    ),
    "reproduce": CommandRow(
        "Trust",
        "Recompute what the papers print, and give a verdict on each.",
        (
            "sudoku-encode reproduce keck --puzzles 4 --timeout 1",
            "sudoku-encode reproduce keck --puzzles 4 --timeout 1 --to markdown",
        ),
    ),
    "generate": CommandRow(
        "Make",
        "Make random puzzles with as many solutions as wanted.",
        (
            "sudoku-encode generate --symmetry point --seed 1 --to grid",
            "sudoku-encode generate --board 9x9x9 --kind mixed --blanks 600 -o new.txt",
        ),
    ),
    "convert": CommandRow(
        "Make",
        "Write puzzles in another text format.",
        (
            "sudoku-encode convert instances/papers/gtsps-fig-4.2.ss --to line",
            "sudoku-encode convert instances/small/6x6-jigsaw.json --to csv -o 6x6.csv",
        ),
    ),
    "show": CommandRow(
        "Look",
        "Draw each puzzle: as text, as a picture, on sheets of paper.",
        (
            "sudoku-encode show instances/cubes/4x4x4-fewest.txt",
            "sudoku-encode show instances/small/9x9-jigsaw.txt --solution -o jigsaw.svg",
        ),
    ),
    "info": CommandRow(
        "Look",
        "Print figures of each puzzle, its board and its encodings.",
        ("sudoku-encode info instances/papers/gtsps-fig-4.2.ss", "sudoku-encode info --board 6x6 --json"),
    ),
    "explain": CommandRow(
        "Look",
        "Show a published method at work on each puzzle, step by step.",
        (
            "sudoku-encode explain instances/papers/gtsps-fig-4.2.ss",
            "sudoku-encode explain instances/papers/keck-hard.txt --to html -o steps.html",
        ),
    ),
    "hint": CommandRow(
        "Look",
        "Show the next step by which each puzzle is solved by hand.",
        (
            "sudoku-encode hint instances/papers/inkala/escargot.txt",
            "sudoku-encode hint instances/papers/gtsps-fig-4.2.ss --all --json",
        ),
    ),
    "rate": CommandRow(
        "Look",
        "Say in several figures how hard each puzzle is.",
        (
            "sudoku-encode rate instances/papers/inkala/escargot.txt",
            "sudoku-encode rate instances/papers/gtsps-fig-4.2.ss --figure nodes --json",
        ),
    ),
    "methods": CommandRow(
        "Look",
        "List the methods, what they find, and where they are from.",
        ("sudoku-encode methods", "sudoku-encode methods --board 6x6 --json"),
    ),
}
