"""Certificates of counts beside `count --method frontier`: time, memory, sizes; for `scripts/bench recounts`."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench_speed import PUZZLES

KILLER = """# board: 6x6
# constraint: cage 11 r1c1 r1c2 r2c1
# constraint: cage 7 r1c3 r1c4
# constraint: cage 12 r2c3 r2c4 r3c4
# constraint: cage 9 r4c1 r5c1 r5c2
# constraint: cage 15 r6c3-r6c6
....................................
"""
# Names and arguments of `prove --count`, without constraints those of `count` too.
EMPTY = ("6x6", "8x8", "9x9", "latin:7x7")
CUBE_RULES = ("row-x,row-y,row-z", "row-x,row-y,row-z,box-xy", "row-x,box-xy,box-yz")


class Run(NamedTuple):
    """The output of a command, and its cost."""

    out: str
    seconds: float  # of the processor, with its processes
    megabytes: float  # of the largest of them


def run(*arguments: str) -> Run:
    """Run the program, and measure it."""
    command = [sys.executable, "-m", "sudoku_encode", *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        out = process.stdout.read()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    return Run(out, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024)


def cases(home: Path) -> Iterator[tuple[str, list[str]]]:
    """Yield a name and the arguments of each puzzle."""
    yield "GTSPS Fig. 4.9", ["instances/papers/gtsps-fig-4.9.sdk"]
    for puzzle in PUZZLES.values():
        yield f"9x9, {81 - puzzle.count('0')} givens", [puzzle]
    for name in EMPTY:
        yield f"{name}, empty", ["--board", name]
    for rules in CUBE_RULES:
        yield f"4x4x4, {rules}", ["--board", "4x4x4", "--rules", rules]
    samurai = home / "samurai.txt"
    rows = Path("instances/known-counts/samurai.txt").read_text(encoding="utf-8").splitlines()
    first = next(number for number, row in enumerate(rows) if not row.startswith("#"))
    # Without the givens of its first two rows it has several solutions.
    rows[first : first + 2] = ["." * 9 + "   " + "." * 9] * 2
    samurai.write_text("\n".join(rows) + "\n", encoding="utf-8")
    yield "samurai without its first two rows", [str(samurai)]
    killer = home / "killer.txt"
    killer.write_text(KILLER, encoding="utf-8")
    yield "6x6 killer with five cages", [str(killer)]


def bench_recounts() -> None:
    """Print a table."""
    print("| puzzle | solutions | kind | states | made and checked, s | checked, s | MB | bytes | `frontier` s |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as home:
        for name, arguments in cases(Path(home)):
            folder = Path(home) / "count"
            made = run("prove", "--count", *arguments, "-o", str(folder), "--json")
            record = json.loads(made.out)
            checked = run("prove", "--check", str(folder), "--json")
            assert json.loads(checked.out)["count"] == record["count"], name
            kind = json.loads((folder / "count.json").read_text(encoding="utf-8"))["kind"]
            beside = run("count", "--method", "frontier", *arguments) if "killer" not in name else None
            assert beside is None or int(beside.out) == record["count"], name
            figures = f"{made.seconds:.2f} | {checked.seconds:.2f} | {made.megabytes:.0f}"
            print(
                f"| {name} | {record['count']:,} | {kind} | {record['states']:,} | {figures} "
                f"| {record['proof_bytes']:,} | {f'{beside.seconds:.2f}' if beside else '-'} |",
                flush=True,
            )
