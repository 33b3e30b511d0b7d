"""Certificates of counts: the puzzle in numbers, the order in which its cells are filled, and figures of each layer.

puzzle.json   the puzzle
rules.txt     the same in numbers: cells, values, units, and the values that each cell may hold
count.json    the number of solutions, how to count again, and for each layer its states, its ways and a SHA-256

Nobody lists the solutions. A checker counts again, by `recount` or by your own program; see
`docs/internals/counts.md`. Where two programs differ, the layers say where. In a certificate in cubes, the file of a
cube may have the form of count.json: see `cube_folder`.
"""

import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path

import numpy as np

from sudoku_encode.encoders.cubes import Cube
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.proving import folder as files
from sudoku_encode.proving import plain, recount, recount_kinds, recounting
from sudoku_encode.proving.checking import CheckedCount, refusal
from sudoku_encode.proving.count_orders import Plan
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
from sudoku_encode.run.events import Progress, emit
from sudoku_encode.run.limits import Deadline
from sudoku_encode.storage import outputs

RULES, COUNT = files.RULES, files.COUNT
# A constraint of more transitions would take long to read.
_MAX_MOVES = 200_000
# The values of a cell are the bits of a word where constraints narrow them.
_MAX_VALUES = 64


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
    if lines and board.n_values > _MAX_VALUES:
        raise MethodError(f"a recount supports constraints of at most {_MAX_VALUES} values")
    header = [f"cells {board.n_cells}", f"values {board.n_values}"]
    header += [_statement("unit", unit) for unit in sorted(units) if len(unit) > 1]
    for cell in np.flatnonzero(~allowed.all(axis=1)).tolist():
        header.append(_statement("allowed", [cell, *(np.flatnonzero(allowed[cell]) + 1).tolist()]))
    return "".join(f"{line}\n" for line in [*header, *lines])


def _statement(word: str, numbers: Iterable[int]) -> str:
    return " ".join([word, *map(str, numbers)])


def _statements(primitive: Primitive) -> Iterator[str]:
    """Yield the lines of rules.txt for a primitive of a constraint."""
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


def within(rules: recount.Rules, cube: Cube) -> recount.Rules:
    """Return a puzzle in numbers whose solutions are those in a cube; a value that a cell may not hold leaves none."""
    allowed = dict(rules.allowed)
    for cell, value in cube:
        allowed[cell] = [value] if value in allowed.get(cell, [value]) else []
    return rules._replace(allowed=allowed)


def prove(
    puzzle: Puzzle,
    folder: Path,
    deadline: Deadline,
    choose: Callable[[Puzzle, recount.Rules, Deadline], recount_kinds.Recount] = recount_kinds.choose,
) -> Certificate:
    """Count the solutions of a puzzle in a way that `choose` returns, and write a certificate of it.

    A puzzle with values from 0 is certified with values from 1. The folder is made if it does not exist, and files of a
    certificate in it are replaced.

    Raises:
        MethodError: a recount does not support the puzzle.
        StoppedError: the deadline came, or there are too many states.
        SudokuError: the folder cannot be written.
    """
    puzzle = puzzle.from_one
    recount_kinds.require_compiled()
    start, text = time.perf_counter(), rules_text(puzzle)
    new = recount_kinds.count(puzzle, recount.read_rules(text.splitlines()), deadline, choose)
    prepare_folder(folder)
    try:
        (folder / files.PUZZLE).write_text(puzzle_text(puzzle), encoding="ascii")
        (folder / RULES).write_text(text, encoding="ascii")
        (folder / COUNT).write_text(new.text, encoding="ascii")
    except OSError as error:
        raise outputs.unwritable(folder, error) from error
    size = sum((folder / name).stat().st_size for name in (RULES, COUNT))
    return Certificate(folder, new.n_solutions, 0, size, time.perf_counter() - start, new.n_states)


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
    expected = supported_rules_text(folder, puzzle)
    _check_rules(folder, expected)
    again = recount_kinds.count_again(folder / COUNT, puzzle.geometry, recount.read_rules(expected.splitlines()))
    n_compared = plain.compare_definitions(puzzle)
    seconds = time.perf_counter() - start
    return CheckedCount(
        puzzle, again.n_solutions, 0, again.checkers, seconds, n_compared=n_compared, n_states=again.n_states
    )


def supported_rules_text(folder: Path, puzzle: Puzzle) -> str:
    """Return `rules_text` of the puzzle in a folder.

    Raises:
        FormatError: a recount does not support a constraint.
    """
    try:
        return rules_text(puzzle)
    except MethodError as error:
        raise FormatError(error.args[0], str(folder / files.PUZZLE)) from None


def plan_of(folder: Path, puzzle: Puzzle) -> Plan | None:
    """Return the order and the symmetries of a certificate of a count by cells; None for another kind.

    Raises:
        FormatError: count.json is missing or invalid.
    """
    way = recount_kinds.read_file(folder / COUNT, puzzle.geometry, rules_of(puzzle)).way
    return recount_kinds.plan_of(way.choices) if way.kind == "cells" else None


def _check_kind(folder: Path) -> None:
    """Refuse a folder with files of another kind of certificate: a person would take it for one of that kind."""
    others = [name for name in files.WRITTEN if name not in (files.PUZZLE, RULES, COUNT, files.THEOREM)]
    for name in others:
        if os.path.lexists(folder / name):
            raise FormatError(f"{name} does not belong to a certificate of a count", str(folder))


def _check_rules(folder: Path, rules: str) -> None:
    """Compare the puzzle in numbers with the puzzle, line by line."""
    lines = files.data(folder / RULES).split(b"\n")
    expected = rules.encode().split(b"\n")
    for number, (line, right) in enumerate(zip_longest(lines, expected), start=1):
        if line != right:
            read, right_text = (
                "nothing" if text is None else repr(text[:60].decode("latin-1")) for text in (line, right)
            )
            raise refusal(folder, RULES, f"line {number}: {read}, but the puzzle has {right_text}")


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
    place: str  # the layer for people: the cell that is filled last, or a band
    state: recount.State
    ways: int  # by our count; 0 if it is not in the layer
    others_ways: int
    sources: list[Source]  # none by bands


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
    rules = recount.read_rules(text.splitlines())
    way = recount_kinds.read_file(folder / COUNT, puzzle.geometry, rules).way
    number, theirs = _read_layer(path, len(way.places), 3 if way.kind == "bands" else rules.n_values)
    emit(Progress(f"counting again: {way.places[number - 1]} ..."))
    plan = recount_kinds.plan_of(way.choices) if way.kind == "cells" else None
    before: recount.Layer = {}
    if plan is None:
        ours: recount.Layer = recount_kinds.band_states(way.choices, rules, number)
    else:
        before, ours = _layers_at(rules, plan, number)
    state = min((one for one in {*ours, *theirs} if ours.get(one, 0) != theirs.get(one, 0)), default=None)
    if state is None:
        return None
    sources = [] if plan is None else list(_sources(state, before, rules, plan, number))
    return Difference(number, way.places[number - 1], state, ours.get(state, 0), theirs.get(state, 0), sources)


def _layers_at(rules: recount.Rules, plan: Plan, number: int) -> tuple[recount.Layer, recount.Layer]:
    """Return the layer before the one of a number, and this one."""
    layers = recounting.layers(rules, plan.order, plan.symmetries, lambda: None)
    if number == 1:
        before = {recount.arrange(rules, plan.order).start: 1}
    else:
        before = next(islice(layers, number - 2, None)).ways_of_states()
    return before, next(layers).ways_of_states()


def _sources(
    state: recount.State, before: recount.Layer, rules: recount.Rules, plan: Plan, number: int
) -> Iterator[Source]:
    """Yield the states of the layer before from which a state comes."""
    emit(Progress("looking for the states that it comes from ..."))
    arrangement = recount.arrange(rules, plan.order)
    steps = recount.read_symmetries(plan.symmetries.get(number, []), plan.order[number:], arrangement)
    every = recount.products(steps) if steps else []
    for earlier, ways in sorted(before.items()):
        reached = recount.fill({earlier: 1}, plan.order[number - 1], arrangement, number)
        if times := (recount.merge_images(reached, every) if every else reached).get(state, 0):
            yield Source(earlier, ways, times)


def _read_layer(path: Path, n_layers: int, n_sets: int) -> tuple[int, recount.Layer]:
    """Return the number of a layer, and its states, each of at least this number of sets."""
    lines = files.data(path).split(b"\n")
    word = re.fullmatch(rb"layer ([1-9][0-9]{0,8})\r?", lines[0])
    if word is None or int(word[1]) > n_layers:
        raise FormatError(f"expected `layer` and a number from 1 to {n_layers}", str(path), 1)
    states: recount.Layer = {}
    for number, line in enumerate(lines[1:], start=2):
        words = line.split()
        if not all(one.isdigit() for one in words) or 0 < len(words) <= n_sets:
            raise FormatError(
                f"expected the numbers of a state and its ways: {line[:60].decode('latin-1')!r}", str(path), number
            )
        if words:
            state = tuple(map(int, words[:-1]))
            states[state] = states.get(state, 0) + int(words[-1])
    return int(word[1]), states
