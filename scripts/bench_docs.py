"""The page docs/speed.md and its picture, made anew: for `scripts/bench docs`."""

import subprocess
import sys
from pathlib import Path

import bench_growth

DOCS = Path(__file__).resolve().parent.parent / "docs"
# The benches of the page: what is said above each, and its arguments.
SECTIONS: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (
        "9x9 beside tdoku, and larger boards beside our own kernel for any board",
        "tdoku (C++, commit af42618, `-O3 -march=native`) is called through ctypes, in turn with `search`, Python "
        "included on both sides. Larger boards: solutions counted in a second, by the vectors of `search/blocks.py` "
        "and by 64-bit words, which any other board is searched with.",
        ("vectors", "FILES", "--rounds", "5"),
    ),
    (
        "Batches of 9x9 puzzles",
        "On one core; the loops over the bare libraries are as quick as we could write them.",
        ("batch", "FILES", "--rounds", "3"),
    ),
    (
        "Listing all solutions",
        "Every grid is checked in ours, none in the peers'.",
        ("enumerate", "--rounds", "3"),
    ),
    ("Counting", "`frontier` does not list, the others do or search.", ("count", "--rounds", "3")),
    (
        "Growth with the size of the board",
        "CPU seconds; a dash where 20 seconds do not do.\n\n![time against size](speed.svg)",
        ("growth", "--rounds", "1"),
    ),
    (
        "What `auto` loses to the best method",
        "Two solutions are asked for, so it is known whether there is one. In each column the median of the CPU "
        "seconds of those that ended in 5 seconds, and how many did.",
        ("regrets", "--rounds", "1"),
    ),
    ("Start-up", "One `solve` from the shell, beside the imports that it needs.", ("startup", "--rounds", "5")),
)
HEAD = """# How fast it is

Made by `scripts/bench docs FILE...` on a machine with two cores; the files are lists of 9x9 puzzles (Royle's 17-clue
puzzles, magictour's top 1465, the forum's hardest). Each bench alone: `scripts/bench NAME`, see its `--help`. Figures
are medians with the smallest and the largest; ratios are taken round by round, all sides in one run.
"""


def write_page(files: list[str]) -> dict[str, str]:
    """Run the benches of the page and write it; return what each printed."""
    printed = {}
    for title, _, (name, *arguments) in SECTIONS:
        runs = [[file] for file in files] if name == "batch" else [files]
        texts = []
        for some in runs:
            given = [part for word in arguments for part in (some if word == "FILES" else [word])]
            command = [sys.executable, str(Path(__file__).with_name("bench")), name, *given]
            texts.append(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            print(texts[-1], flush=True)
        # The first line says what it ran on, and is the same in each run of a bench.
        head, _, rest = texts[0].partition("\n")
        printed[title] = "\n".join([head, rest.rstrip(), *(text.partition("\n")[2].rstrip() for text in texts[1:])])
    parts = [f"## {title}\n\n{words}\n\n```text\n{printed[title]}\n```\n" for title, words, _ in SECTIONS]
    text = "\n".join([HEAD, *parts])
    (DOCS / "speed.md").write_text(text)
    # Of the figures as the page has them, so that it can be drawn again without measuring.
    (DOCS / "speed.svg").write_text(bench_growth.svg(bench_growth.from_table(text)), encoding="utf-8")
    return printed
