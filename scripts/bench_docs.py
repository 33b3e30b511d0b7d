"""The figures of docs/speed.md, measured anew: for `scripts/bench docs`."""

import subprocess
import sys
from pathlib import Path

from speed_tables import DOCS, draw

# The benches of the page, with their arguments.
RUNS: tuple[tuple[str, ...], ...] = (
    ("vectors", "FILES", "--rounds", "5"),
    ("batch", "FILE", "--rounds", "3"),
    ("enumerate", "--rounds", "3"),
    ("count", "--rounds", "3"),
    ("growth", "--rounds", "1"),
    ("regrets", "--rounds", "1"),
    ("startup", "--rounds", "5"),
)


def write_page(files: list[str]) -> dict[str, str]:
    """Run the benches of the page; write their output, the tables made from it and the pictures; return the output."""
    printed = {}
    for name, *arguments in RUNS:
        texts = []
        for each in [[file] for file in files] if "FILE" in arguments else [files]:
            filled = [part for word in arguments for part in (each if word.startswith("FILE") else [word])]
            command = [sys.executable, str(Path(__file__).with_name("bench")), name, *filled]
            texts.append(subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout)
            print(texts[-1], flush=True)
        # The first line names the machine, and is the same in each run of a bench.
        head = f"$ scripts/bench {' '.join((name, *arguments))}\n{texts[0].rstrip()}\n"
        printed[name] = head + "".join(f"{text.partition(chr(10))[2].rstrip()}\n" for text in texts[1:])
    (DOCS / "speed.txt").write_text("\n".join(printed.values()), encoding="utf-8")
    draw()
    subprocess.run(
        [sys.executable, str(Path(__file__).with_name("docs")), "--update", str(DOCS / "speed.md")], check=True
    )
    return printed
