"""The blocks of code in the pages: which there are, how one is run, and whether it printed what the page shows.

A page's blocks are run in their order in one folder that is empty at first, so a file that one writes is there for the
next. In a `console` block a line after `$ ` is a command, and the lines up to the next are what it prints, on standard
output and standard error. A `python` block prints what the `text` block right after it shows, if there is one. In what
is shown, `...` stands for anything, on a line of its own for any lines; times and sizes may be others.

A comment above a block says more: `<!-- not run: WHY -->`, `<!-- slow: WHY -->`, `<!-- needs: PROGRAM -->`.
"""

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

HOME = Path(__file__).resolve().parent.parent
# Pages that are given instances/ as a link; the others stand alone, as they do for a reader who has no checkout.
STANDS_ALONE = "first-steps"
RUN = ("console", "python")
_FENCE = re.compile(r"^( *)```(\w*)\n(.*?)^\1```$", re.MULTILINE | re.DOTALL)
_MARK = re.compile(r"<!-- (not run|slow|needs): ((?:(?!-->).)*) -->\n+\Z", re.DOTALL)
_COMMAND = re.compile(r"^\$ ((?:.*\\\n)*.*)\n((?:(?!\$ ).*\n)*)", re.MULTILINE)
# Remarks that depend on the machine, and are not shown: that code is being compiled, and which method `auto` takes.
_REMARKS = re.compile(
    r"^by [\w:-]+( on \d+ cores?| in parts| \([\w, ]+\))?(, .*| instead of .*| for the remaining .*)?$"
    r"|^another process is compiling|^compiling, once"
)


class Block(NamedTuple):
    """A block of a page.

    Attributes:
        line: the number of its first line.
        language: the word after the three backticks.
        text: its lines.
        marks: what the comments above it say, such as {"slow": "a minute"}.
        span: where the text is in the page.
    """

    line: int
    language: str
    text: str
    marks: dict[str, str]
    span: tuple[int, int]


def pages() -> list[Path]:
    """Return the pages whose blocks are run."""
    return [HOME / "README.md", *sorted((HOME / "docs").rglob("*.md"))]


def blocks(page: str) -> list[Block]:
    """Return the blocks of the text of a page."""
    found = []
    for match in _FENCE.finditer(page):
        marks, above = {}, page[: match.start()]
        while mark := _MARK.search(above):
            marks[mark[1]] = " ".join(mark[2].split())
            above = above[: mark.start()]
        line = page.count("\n", 0, match.start()) + 1
        found.append(Block(line, match[2], match[3], marks, match.span(3)))
    return found


def commands(block: Block) -> list[tuple[str, str]]:
    """Return the commands of a console block, each with what is shown of what it prints."""
    return [(command, shown) for command, shown in _COMMAND.findall(block.text)]


def outputs(page: str) -> Iterator[tuple[Block, Block | None]]:
    """Yield the blocks that are run, each with the block that shows what a Python program prints."""
    every = blocks(page)
    for block, after in zip(every, [*every[1:], None], strict=False):
        if block.language in RUN and "not run" not in block.marks:
            gap = page[block.span[1] : after.span[0]] if after else ""
            is_output = block.language == "python" and after and re.fullmatch(r"```\n\n?```text\n", gap)
            yield block, after if is_output else None


def pattern(line: str) -> str:
    """Return what a printed line must look like: times, sizes and `...` may be others."""
    # Three dots between digits or other dots are blanks of a puzzle; so many wildcards would take hours to compare.
    parts = re.split(r"(?<![\d.])\.\.\.(?![\d.])", " ".join(line.split()))
    escaped = ".*".join(re.escape(part).replace(r"\ ", " ") for part in parts)
    # The version of this program.
    escaped = re.sub(r"(sudoku\\-encode )\d+\\\.\d+\\\.\d+", r"\1[\\d.]+", escaped)
    # Seconds and megabytes in the columns of a table, then numbers with a unit.
    escaped = re.sub(r"\d+\\\.\d+ \d+ ", r"\\d+\\.\\d+ \\d+ ", escaped)
    escaped = re.sub(r"\d+(\\\.\d+)? (s|ms|MB)\b", r"[\\d.]+ \2", escaped)
    escaped = re.sub(r'"seconds": [\d.e\\-]+', '"seconds": [\\\\d.e-]+', escaped)
    return re.sub(r"[\d,]+ bytes", r"[\\d,]+ bytes", escaped)


def is_shown(shown: str, *streams: str) -> bool:
    """Return whether streams printed what is shown: each its lines in order, all of them, in any mixture."""
    printed = [[" ".join(line.split()) for line in settled(stream).splitlines()] for stream in streams]
    # How far each stream may have been read.
    reached = {(0,) * len(printed)}
    for line in shown.rstrip("\n").split("\n") if shown.strip("\n") else []:
        after = set()
        for at in reached:
            for i, lines in enumerate(printed):
                if line.strip() == "...":
                    after |= {(*at[:i], j, *at[i + 1 :]) for j in range(at[i], len(lines) + 1)}
                elif at[i] < len(lines) and re.fullmatch(pattern(line), lines[at[i]]):
                    after.add((*at[:i], at[i] + 1, *at[i + 1 :]))
        reached = after
    # A blank line at the end of what is printed is not shown.
    ends = [len(lines) for lines in printed]
    return any(all(not any(lines[i:]) for i, lines in zip(at, printed, strict=True)) for at in reached) or (
        tuple(ends) in reached
    )


def settled(printed: str) -> str:
    """Return what was printed without remarks that depend on the machine."""
    return "".join(line for line in printed.splitlines(keepends=True) if not _REMARKS.search(line))


def prepare(page: Path, folder: Path) -> dict[str, str]:
    """Make what the blocks of a page need in an empty folder; return the environment for its commands."""
    bin_folder = folder.parent / f"{folder.name}-bin"
    bin_folder.mkdir()
    program = bin_folder / "sudoku-encode"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sudoku_encode "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    (bin_folder / "python").symlink_to(sys.executable)
    if STANDS_ALONE not in page.parts:
        for name in ("instances", "docs"):
            (folder / name).symlink_to(HOME / name)
    path = f"{bin_folder}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, "PATH": path, "PYTHONPATH": str(HOME), "PYTHONUNBUFFERED": "1"}


def call(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Run a command in a shell; return what it prints on both streams, as a terminal shows it."""
    ran = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
        check=False,
    )
    return ran.stdout


def python(program: str, folder: Path, environment: dict[str, str]) -> str:
    """Run a Python program; return what it prints."""
    (folder.parent / "program.py").write_text(program, encoding="utf-8")
    return call(f'"{sys.executable}" ../program.py', folder, environment)


def abridged(printed: str, shown: str) -> str:
    """Return what was printed, cut where the page has `...` on a line of its own between other lines."""
    lines, was = printed.rstrip("\n").split("\n"), shown.rstrip("\n").split("\n")
    if was.count("...") != 1 or len(lines) <= len(was):
        return printed if printed.endswith("\n") or not printed else printed + "\n"
    gap = was.index("...")
    last = len(was) - gap - 1
    return "\n".join([*lines[:gap], "...", *lines[len(lines) - last :]]) + "\n"


def refreshed(block: Block, folder: Path, environment: dict[str, str]) -> str:
    """Run a console block; return its text with what is printed now, where that is something else."""
    text = ""
    for command, shown in commands(block):
        printed = settled(call(command, folder, environment))
        text += f"$ {command}\n{shown if is_shown(shown, printed) else abridged(printed, shown)}"
    return text
