"""How the program reads random texts, compared with what a second reader makes of them; `scripts/fuzz second-readers`.

The rule: a text is read as a second reader reads it, or refused in one line. Where it has two readings that are free of
contradictions, it is refused, or read with a remark.
"""

import json
import random
import time
import warnings
from collections import Counter
from pathlib import Path
from typing import NamedTuple

import sudoku_encode as se
from tests.helpers.oracle import Board
from tests.helpers.second_readers import CannotRead, Meaning, Misleading, Reading, meaning
from tests.helpers.second_readers_forms import READERS
from tests.helpers.second_texts import STYLES, Sample, changed, sample


class Outcome(NamedTuple):
    """What became of a text.

    Attributes:
        kind: `same`, `refused`, `remarked`, `unjudged` (read by the program alone), or `wrong`.
        why: of what is wrong.
    """

    kind: str
    why: str = ""


class Read(NamedTuple):
    """What the program made of a text: its puzzles, or why it refused it; and its remarks."""

    puzzles: Reading
    refusal: str
    remarks: list[str]


def meaning_of(puzzle: se.Puzzle) -> Meaning:
    """Return what a puzzle of the program means."""
    geometry = puzzle.geometry
    every = range(1, geometry.n_values + 1)
    allowed = []
    for cell, given in enumerate(puzzle.givens.tolist()):
        marks = every if puzzle.pencilmarks is None else [v for v in every if puzzle.pencilmarks[cell, v - 1]]
        allowed.append([given] if given else marks)
    rules: dict[str, list[tuple[int, ...]]] = {}
    # Boards that overlap have several rules of one name.
    for rule in geometry.rules:
        rules.setdefault(rule.name, []).extend(tuple(unit) for unit in rule.units.tolist())
    board = Board(geometry.name, geometry.n_values, tuple((cell,) for cell in range(geometry.n_cells)), rules)
    n, units = geometry.n_values, []
    others = [(one.kind, one.cells, one.numbers) for one in puzzle.constraints if one.kind != "diagonal"]
    for one in puzzle.constraints:
        if one.kind == "diagonal":
            # Of both, the one that falls to the right, -1, or the one that rises, 1.
            units += [tuple(at * (n + 1) for at in range(n))] if one.numbers != (1,) else []
            units += [tuple((n - 1 - at) * n + at for at in range(n))] if one.numbers != (-1,) else []
    return meaning(board, allowed, others, units)


def read(text: str, path: Path) -> Read:
    """Return what the program makes of a text as a file."""
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with warnings.catch_warnings(record=True) as remarks:
        warnings.simplefilter("always")
        try:
            puzzles = list(se.read_all(path))
        except se.SudokuError as error:
            return Read([], str(error), [])
    errors = [str(puzzle) for puzzle in puzzles if isinstance(puzzle, Exception)]
    if errors:
        return Read([], errors[0], [])
    return Read(
        [meaning_of(puzzle) for puzzle in puzzles if isinstance(puzzle, se.Puzzle)],
        "",
        [str(remark.message) for remark in remarks],
    )


def judge(one: Sample, path: Path) -> Outcome:
    """Compare what the program makes of a text with the readings of the second reader."""
    try:
        answer = read(one.text, path)
    except Exception as error:
        return Outcome("wrong", f"{type(error).__name__}: {error}")
    if answer.refusal:
        is_one_line = len(answer.refusal.splitlines()) == 1
        return (
            Outcome("refused", answer.refusal)
            if is_one_line
            else Outcome("wrong", f"refused in lines: {answer.refusal}")
        )
    try:
        readings = READERS[one.kind](one.text)
    except Misleading as error:
        return Outcome("remarked") if answer.remarks else Outcome("wrong", f"read in spite of {error}")
    except CannotRead:
        readings = []
    if not readings:
        return Outcome("unjudged")
    sensible = [reading for reading in readings if not any(puzzle.clashes for puzzle in reading)]
    if answer.puzzles not in readings:
        return Outcome("wrong", f"read as {_short(answer.puzzles)}, not as {' or '.join(map(_short, readings))}")
    if len(sensible) > 1:
        why = f"read as {_short(answer.puzzles)}, which may be {' or '.join(map(_short, sensible))}"
        return Outcome("remarked") if answer.remarks else Outcome("wrong", why)
    if sensible and answer.puzzles not in sensible:
        return Outcome(
            "wrong", f"read as {_short(answer.puzzles)}, which contradicts itself, not as {_short(sensible[0])}"
        )
    return Outcome("same")


def _short(reading: Reading) -> str:
    """Return a reading in a few words."""
    first = reading[0]
    givens = "".join(str(min(values)) if len(values) == 1 else "." for values in first.allowed)
    size = f"{len(reading)} x {first.n_cells} cells, {len(first.units)} units, {len(first.others)} others"
    return f"({size}, {givens[:40]})"


def compare(seed: int, seconds: float, faults: Path) -> tuple[Counter[str], list[str]]:
    """Read random texts until the time is over, and save each fault in a folder.

    Returns:
        How many texts were read the same, refused, read with a remark, unjudged or wrong; and what was wrong.
    """
    runs, wrong, chance, end = Counter[str](), list[str](), random.Random(seed), time.monotonic() + seconds
    path = faults / f"second-readers-{seed}.txt"
    while time.monotonic() < end:
        one = sample(chance, chance.choice(list(STYLES)))
        if chance.random() < 0.5:
            one = one._replace(text=changed(chance, one.text))
        outcome = judge(one, path)
        runs[outcome.kind] += 1
        if outcome.kind == "wrong":
            wrong.append(f"{one.style}: {outcome.why}")
            item = {**one._asdict(), "fault": outcome.why}
            (faults / f"second-readers-{seed}-{runs.total()}").write_text(json.dumps(item), encoding="utf-8")
    path.unlink(missing_ok=True)
    return runs, wrong


def rerun(path: Path) -> str:
    """Read the text of a saved fault once more; return what is wrong, or an empty text."""
    item = json.loads(path.read_text(encoding="utf-8"))
    outcome = judge(Sample(item["kind"], item["style"], item["text"]), path.with_suffix(".text"))
    path.with_suffix(".text").unlink(missing_ok=True)
    return outcome.why if outcome.kind == "wrong" else ""
