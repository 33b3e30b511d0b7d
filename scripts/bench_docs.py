"""The figures of docs/speed.md, measured anew: for `scripts/bench docs`."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from speed_tables import DOCS, draw, measured

ISS_STRINGS = "instances/variants/iss.txt"
# The benches of the page, with their arguments. FILE: one run for each file of puzzles; FILES: one run with all;
# CHECKOUT: that of Interactive Sudoku Solver.
RUNS: tuple[tuple[str, ...], ...] = (
    ("vectors", "FILES", "--rounds", "5"),
    ("batch", "FILE", "--rounds", "3"),
    ("enumerate", "--rounds", "3"),
    ("count", "--rounds", "3"),
    ("iss", "CHECKOUT", ISS_STRINGS, "--rounds", "3"),
    ("growth", "--rounds", "1"),
    ("encode", "--rounds", "3"),
    ("regrets", "--rounds", "1"),
    ("startup", "--rounds", "5"),
    ("first", "--rounds", "1"),
)


def write_page(files: Sequence[str], checkout: str | None, names: Sequence[str]) -> dict[str, str]:
    """Run the benches of the page; write their output, the tables made from it and the pictures; return the output.

    Args:
        files: lists of 9x9 puzzles.
        checkout: the path of a checkout of Interactive Sudoku Solver; None keeps the last figures beside it.
        names: the benches to run; none for all. The others keep their last figures.
    """
    texts = measured()
    for name, *arguments in RUNS:
        if name in (names or [run[0] for run in RUNS]) and (checkout or "CHECKOUT" not in arguments):
            texts[name] = output(name, arguments, files, checkout)
            # A run that is stopped later keeps what is measured by now.
            parts = (f"$ scripts/bench {' '.join(run)}\n{texts[run[0]].strip()}\n" for run in RUNS if run[0] in texts)
            (DOCS / "speed.txt").write_text("\n".join(parts), encoding="utf-8")
    draw()
    subprocess.run(
        [sys.executable, str(Path(__file__).with_name("docs")), "--update", str(DOCS / "speed.md")], check=True
    )
    return texts


def output(name: str, arguments: Sequence[str], files: Sequence[str], checkout: str | None) -> str:
    """Return what a bench prints, in one run or in one for each file."""
    texts = []
    for some in [[file] for file in files] if "FILE" in arguments else [files]:
        filled = {"FILE": some, "FILES": some, "CHECKOUT": [checkout or ""]}
        words = [part for word in arguments for part in filled.get(word, [word])]
        command = [sys.executable, str(Path(__file__).with_name("bench")), name, *words]
        texts.append(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
        print(texts[-1], flush=True)
    # The first line names the machine, and is the same in each run of a bench.
    return f"{texts[0].rstrip()}\n" + "".join(f"{text.partition(chr(10))[2].rstrip()}\n" for text in texts[1:])
