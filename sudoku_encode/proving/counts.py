"""Certificates of counts: the puzzle in numbers, the order in which its cells are filled, and what each layer holds.

puzzle.json   the puzzle
rules.txt     the same in numbers: cells, values, units, and the values that each cell may hold
count.json    the number of solutions, the order of the cells, and for each layer its states, its ways and a SHA-256

Nobody lists the solutions. A checker counts again, by `recount` or by a program of one's own; see
`docs/internals/counts.md`. Where two programs differ, the layers say where.
"""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path
from typing import Any

import numpy as np

from sudoku_encode import __version__
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.proving import count_orders, recount, recounting
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.checking import CertificateError, CheckedCount, refusal
from sudoku_encode.proving.making import Certificate, prepare_folder, puzzle_text
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    ConnectedCells,
    Domain,
    EqualSums,
    Primitive,
    Regions,
    Relation,
    Runs,
    Sum,
    Unit,
    values_in,
)
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.events import Progress, Remark, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.storage import outputs

RULES, COUNT = files.RULES, files.COUNT
# How many bytes the states of two layers take at most, without another limit.
MAX_BYTES = 4 * 10**9
# The plain recount is made too where its states and images of states, times values, are no more than these: it takes
# less than a second.
_PLAIN_WORK = 100_000
# A constraint of more transitions would take long to read.
_MAX_MOVES = 200_000


# Of a layer: the number of states, the number of ways, and a SHA-256.
Summary = list[Any]


@dataclass(frozen=True, eq=False)
class _Count:
    """What count.json says."""

    n_solutions: int
    plan: count_orders.Plan
    layers: list[Summary]


def rules_text(puzzle: Puzzle) -> str:
    """Return the file with the puzzle in numbers.

    Raises:
        MethodError: a recount does not support a constraint.
    """
    board = puzzle.geometry
    units, lines = {tuple(sorted(unit)) for rule in board.rules for unit in rule.units.tolist()}, dict[str, None]()
    allowed = puzzle.candidates.copy()
    for constraint in puzzle.placed:
        if constraint.board.n_cells > board.n_cells:
            raise MethodError("a recount supports no hidden cells; without --count the solutions are listed")
        for primitive in expanded(constraint.primitives(), constraint.n):
            match primitive:
                case Unit(cells, _):
                    units.add(tuple(sorted(cells)))
                case Domain(cell, values):
                    allowed[cell] &= [values >> value & 1 == 1 for value in range(board.n_values)]
                case Clause(()):
                    allowed[0] = False
                case _:
                    lines.update(dict.fromkeys(_statements(primitive)))
    header = [f"cells {board.n_cells}", f"values {board.n_values}"]
    header += [_statement("unit", unit) for unit in sorted(units) if len(unit) > 1]
    for cell in np.flatnonzero(~allowed.all(axis=1)).tolist():
        header.append(_statement("allowed", [cell, *(np.flatnonzero(allowed[cell]) + 1).tolist()]))
    return "".join(f"{line}\n" for line in [*header, *lines])


def _statement(word: str, numbers: Iterable[int]) -> str:
    return " ".join([word, *map(str, numbers)])


def _statements(primitive: Primitive) -> Iterator[str]:
    """Yield what rules.txt says about a primitive of a constraint."""
    match primitive:
        case Clause(literals):
            if not any((cell, -value) in literals for cell, value in literals):
                yield _statement("clause", chain.from_iterable(literals))
        case Relation(first, second, allowed):
            pairs = [(a, b) for a, values in enumerate(allowed, start=1) for b in values_in(values)]
            yield _statement("pairs", [first, second, *chain.from_iterable(pairs)])
        case Sum(cells, coefficients, total, _):
            yield _statement("sum", [total, *chain.from_iterable(zip(cells, coefficients, strict=True))])
        case EqualSums((first_part, *others)):
            for part in others:
                times = Counter(first_part)
                times.subtract(part)
                if terms := [term for term in times.items() if term[1]]:
                    yield _statement("sum", [0, *chain.from_iterable(terms)])
        case Automaton(cells, layers):
            moves = [(place, *move) for place, layer in enumerate(layers) for move in layer]
            if len(moves) > _MAX_MOVES:
                raise MethodError(f"a recount supports constraints of at most {_MAX_MOVES:,} transitions")
            yield _statement("sequence", [len(cells), *cells, *chain.from_iterable(moves)])
        case _:
            kind = {ConnectedCells: "connected cells", Regions: "regions", Runs: "runs"}[type(primitive)]
            raise MethodError(f"a recount supports no {kind}; without --count the solutions are listed")


def rules_of(puzzle: Puzzle) -> recount.Rules:
    """Return a puzzle in numbers."""
    return recount.read_rules(rules_text(puzzle).splitlines())


def prove(puzzle: Puzzle, folder: Path, deadline: Deadline) -> Certificate:
    """Count the solutions of a puzzle by what is left after each cell, and write a certificate of it.

    A puzzle with values from 0 is certified with values from 1. The folder is made if it does not exist, and files of a
    certificate in it are replaced.

    Raises:
        MethodError: a recount does not support the puzzle.
        StoppedError: the deadline came, or there are too many states.
        SudokuError: the folder cannot be written.
    """
    puzzle = puzzle.from_one
    if reason := kernels.unavailable():
        raise MethodError(f"making the certificate of a count needs compiled code: {reason}")
    start, rules = time.perf_counter(), rules_of(puzzle)
    emit(Progress("choosing an order of the cells ..."))
    plan = count_orders.plan(puzzle.geometry, rules, puzzle.candidates, deadline)
    summaries, n_states = list[Summary](), 0
    most = _max_states(rules, deadline.memory)
    for filled, layer in enumerate(recounting.layers(rules, plan.order, plan.symmetries, deadline, most), start=1):
        n_states += len(layer.states)
        emit(Progress(f"counting: {filled} of {rules.n_cells} cells, {len(layer.states):,} states"))
        summaries.append(layer.summary())
    n_solutions = summaries[-1][1] if summaries else 1
    _write(folder, puzzle, plan, n_solutions, summaries)
    size = sum((folder / name).stat().st_size for name in (RULES, COUNT))
    return Certificate(folder, n_solutions, 0, size, time.perf_counter() - start, n_states)


def _max_states(rules: recount.Rules, memory: int | None) -> int:
    """Return how many states a layer may have."""
    words = (rules.n_cells + 63) // 64
    # In the layer, in the next one, and once more while that grows; with ways and the hash table.
    return min(recounting.MAX_STATES, (memory or MAX_BYTES) // (3 * (8 * words * rules.n_values + 48)))


def _write(
    folder: Path, puzzle: Puzzle, plan: count_orders.Plan, n_solutions: int, summaries: Sequence[Summary]
) -> None:
    prepare_folder(folder)
    symmetries = {str(filled): images for filled, images in plan.symmetries.items()}
    parts = [
        f' "solutions": {n_solutions}',
        ' "kind": "cells"',
        f' "program": {json.dumps(f"sudoku-encode {__version__}")}',
        f' "order": {json.dumps(plan.order)}',
        *(
            [
                ' "symmetries": {\n'
                + ",\n".join(f"  {json.dumps(key)}: {json.dumps(symmetries[key])}" for key in symmetries)
                + "\n }"
            ]
            if symmetries
            else []
        ),
        ' "layers": [\n' + ",\n".join(f"  {json.dumps(summary)}" for summary in summaries) + "\n ]",
    ]
    try:
        (folder / files.PUZZLE).write_text(puzzle_text(puzzle), encoding="ascii")
        (folder / RULES).write_text(rules_text(puzzle), encoding="ascii")
        (folder / COUNT).write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="ascii")
    except OSError as error:
        raise outputs.unwritable(folder, error) from error


def is_count(folder: Path) -> bool:
    """Return whether a folder has a certificate of a count."""
    return os.path.lexists(folder / COUNT)


def check(folder: Path) -> CheckedCount:
    """Check a certificate of a count: compare its rules with its puzzle, and count again.

    Raises:
        CertificateError: it proves nothing.
        FormatError: a file is missing or invalid.
    """
    start = time.perf_counter()
    puzzle = files.puzzle(folder)
    _check_kind(folder)
    try:
        expected = rules_text(puzzle)
    except MethodError as error:
        raise FormatError(error.args[0], str(folder / files.PUZZLE)) from None
    _check_rules(folder, expected)
    rules, count = recount.read_rules(expected.splitlines()), _read(folder, puzzle)
    checkers = []
    n_states = n_images = 0
    try:
        if not (missing := kernels.unavailable()):
            n_states, n_images = _check_layers(folder, puzzle, count, _compiled(rules, count.plan))
            checkers.append("compiled recount")
        else:
            emit(Remark(f"counting again without compiled code, which is slow: {missing}"))
        if missing or (n_states + n_images) * rules.n_values <= _PLAIN_WORK:
            n_states, _ = _check_layers(folder, puzzle, count, _plain(rules, count.plan))
            checkers.insert(0, "plain recount")
    except recount.CountError as error:
        raise CertificateError(f"{folder / COUNT}: {str(error).removeprefix('count.json: ')}") from error
    seconds = time.perf_counter() - start
    return CheckedCount(puzzle, count.n_solutions, 0, tuple(checkers), seconds, n_states=n_states)


# For each layer its summary, and of how many images of states the least were taken.
_Counted = Iterator[tuple[Summary, int]]


def _compiled(rules: recount.Rules, plan: count_orders.Plan) -> _Counted:
    for layer in recounting.layers(rules, plan.order, plan.symmetries, lambda: None):
        yield layer.summary(), layer.n_images


def _plain(rules: recount.Rules, plan: count_orders.Plan) -> _Counted:
    for filled, layer in enumerate(recount.layers(rules, plan.order, plan.symmetries), start=1):
        yield recount.summary(layer, len(plan.order) - filled, rules.n_values), 0


def _check_layers(folder: Path, puzzle: Puzzle, count: _Count, layers: _Counted) -> tuple[int, int]:
    """Compare what a certificate says about each layer with a count; return its numbers of states and of images.

    Raises:
        CertificateError: a layer differs, or the number of solutions.
    """
    n_states, n_images, ways = 0, 0, 1
    for filled, (claimed, (counted, images)) in enumerate(zip(count.layers, layers, strict=True), start=1):
        emit(Progress(f"counting again: {filled} of {len(count.layers)} cells, {counted[0]:,} states"))
        for what, one, other in zip(("states", "ways", "with SHA-256"), claimed, counted, strict=True):
            if one != other:
                where = f"layer {filled}, after {puzzle.geometry.cell_name(count.plan.order[filled - 1])}"
                values = (one, other) if what == "with SHA-256" else (f"{one:,}", f"{other:,}")
                raise refusal(folder, COUNT, f"{where}: it says {values[0]} {what}, and a recount says {values[1]}")
        n_states, n_images, ways = n_states + counted[0], n_images + images, counted[1]
    if ways != count.n_solutions:
        raise refusal(folder, COUNT, f"it says {count.n_solutions} solutions, but the last layer has {ways} ways")
    return n_states, n_images


def _check_kind(folder: Path) -> None:
    """Refuse a folder with files of another kind of certificate: a person would take it for one of that kind."""
    others = [name for name in files.WRITTEN if name not in (files.PUZZLE, RULES, COUNT)]
    for name in others:
        if os.path.lexists(folder / name):
            raise FormatError(f"{name} does not belong to a certificate of a count", str(folder))


def _check_rules(folder: Path, rules: str) -> None:
    """Compare the puzzle in numbers with the puzzle, line by line."""
    lines = files.data(folder / RULES).split(b"\n")
    expected = rules.encode().split(b"\n")
    for number, (line, right) in enumerate(zip_longest(lines, expected), start=1):
        if line != right:
            said, should = ("nothing" if text is None else repr(text[:60].decode("latin-1")) for text in (line, right))
            raise refusal(folder, RULES, f"line {number}: {said}, but the puzzle has {should}")


def _read(folder: Path, puzzle: Puzzle) -> _Count:
    """Return what count.json says, if it has the right form.

    Raises:
        FormatError: it has not.
    """
    path, n_cells = folder / COUNT, puzzle.geometry.n_cells
    content = files.json_of(path)

    def refuse(what: str) -> FormatError:
        return FormatError(f"expected {what}", str(path))

    if not isinstance(content, dict) or type(content.get("solutions")) is not int:
        raise refuse("an object with the whole number solutions")
    if content.get("kind") != "cells":
        raise refuse('the kind "cells"')
    if not _is_list_of_cells(content.get("order"), n_cells):
        raise refuse(f"the order as a list of {n_cells} cells from 0 to {n_cells - 1}")
    layers = content.get("layers")
    if not isinstance(layers, list) or len(layers) != n_cells or not all(map(_is_summary, layers)):
        raise refuse(f"{n_cells} layers, each with the number of states, the number of ways and a SHA-256")
    symmetries = content.get("symmetries", {})
    if not isinstance(symmetries, dict):
        raise refuse("symmetries as an object")
    for key, images in symmetries.items():
        filled = int(key) if re.fullmatch("[1-9][0-9]{0,8}", key) else n_cells
        if (
            filled >= n_cells
            or not isinstance(images, list)
            or not all(_is_list_of_cells(one, n_cells, n_cells - filled) for one in images)
        ):
            raise refuse(f"symmetries after 1 to {n_cells - 1} cells, each the images of the open cells")
    plan = count_orders.Plan(content["order"], {int(key): images for key, images in symmetries.items()})
    return _Count(content["solutions"], plan, layers)


def _is_list_of_cells(item: object, n_cells: int, length: int | None = None) -> bool:
    return (
        isinstance(item, list)
        and len(item) == (n_cells if length is None else length)
        and all(type(cell) is int and 0 <= cell < n_cells for cell in item)
    )


def _is_summary(item: object) -> bool:
    return (
        isinstance(item, list)
        and len(item) == 3
        and all(type(number) is int and number >= 0 for number in item[:2])
        and isinstance(item[2], str)
    )


# Where two recounts differ.


@dataclass(frozen=True)
class Source:
    """A state of the layer before from which a state comes."""

    state: recount.State
    ways: int  # how many ways lead to it
    times: int  # how many values of the cell lead from it to the other state


@dataclass(frozen=True)
class Difference:
    """The first state on which another program's layer differs from ours."""

    layer: int
    cell: str  # the name of the cell that is filled last
    state: recount.State
    ways: int  # by our count; 0 if it is not in the layer
    others_ways: int
    sources: list[Source]


def compare_states(folder: Path, path: Path) -> Difference | None:
    """Compare a layer as another program counts it with ours; return the first state on which they differ, if any does.

    `path` is a file as `recount.py FOLDER LAYER` prints it: the line `layer LAYER`, and on a line for each state its
    numbers and its ways.

    Raises:
        CertificateError: the certificate describes no count of its puzzle.
        FormatError: a file is missing or invalid.
    """
    puzzle = files.puzzle(folder)
    _check_rules(folder, text := rules_text(puzzle))
    rules, plan = recount.read_rules(text.splitlines()), _read(folder, puzzle).plan
    number, theirs = _read_layer(path, rules)
    placed, cell = recount.placed(rules, plan.order), plan.order[number - 1]
    before: recount.Layer = {placed.start: 1}
    emit(Progress(f"counting {number} layers ..."))
    layers = recounting.layers(rules, plan.order, plan.symmetries, lambda: None)
    if number > 1:
        before = next(islice(layers, number - 2, None)).ways_of_states()
    ours = next(layers).ways_of_states()
    state = min((one for one in {*ours, *theirs} if ours.get(one, 0) != theirs.get(one, 0)), default=None)
    if state is None:
        return None
    emit(Progress("looking for the states that it comes from ..."))
    steps = recount.read_symmetries(plan.symmetries.get(number, []), plan.order[number:], placed)
    every = recount.products(steps) if steps else []
    sources = []
    for one, ways in sorted(before.items()):
        reached = recount.fill({one: 1}, cell, placed, number)
        if times := (recount.merge_images(reached, every) if every else reached).get(state, 0):
            sources.append(Source(one, ways, times))
    name = puzzle.geometry.cell_name(cell)
    return Difference(number, name, state, ours.get(state, 0), theirs.get(state, 0), sources)


def _read_layer(path: Path, rules: recount.Rules) -> tuple[int, recount.Layer]:
    """Return the number of a layer, and its states."""
    lines = files.data(path).split(b"\n")
    word = re.fullmatch(rb"layer ([1-9][0-9]{0,8})\r?", lines[0])
    if word is None or int(word[1]) > rules.n_cells:
        raise FormatError(f"expected `layer` and a number from 1 to {rules.n_cells}", str(path), 1)
    states: recount.Layer = {}
    for number, line in enumerate(lines[1:], start=2):
        words = line.split()
        if not all(one.isdigit() for one in words) or 0 < len(words) <= rules.n_values:
            raise FormatError(
                f"expected the numbers of a state and its ways: {line[:60].decode('latin-1')!r}", str(path), number
            )
        if words:
            state = tuple(map(int, words[:-1]))
            states[state] = states.get(state, 0) + int(words[-1])
    return int(word[1]), states
