"""Certificates of counts: the puzzle in numbers, the order in which its cells are filled, and figures of each layer.

puzzle.json   the puzzle
rules.txt     the same in numbers: cells, values, units, and the values that each cell may hold
count.json    the number of solutions, how to count again, and for each layer its states, its ways and a SHA-256

Nobody lists the solutions. A checker counts again, by `recount` or by your own program; see
`docs/internals/counts.md`. Where two programs differ, the layers say where.
"""

import json
import os
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, zip_longest
from pathlib import Path

import numpy as np

from sudoku_encode import __version__
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.proving import folder as files
from sudoku_encode.proving import plain, recount, recount_kinds, recounting
from sudoku_encode.proving.checking import CertificateError, CheckedCount, refusal
from sudoku_encode.proving.count_orders import Plan
from sudoku_encode.proving.making import Certificate, prepare_folder, puzzle_text
from sudoku_encode.proving.recount_kinds import MAX_BYTES, Recount, Summary
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
# The plain recount is made too where it takes less than about this number of microseconds.
_PLAIN_MICROSECONDS = 1_000_000
# A constraint of more transitions would take long to read.
_MAX_MOVES = 200_000


@dataclass(frozen=True, eq=False)
class _Count:
    """The content of count.json."""

    n_solutions: int
    way: Recount
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


def prove(
    puzzle: Puzzle,
    folder: Path,
    deadline: Deadline,
    choose: Callable[[Puzzle, recount.Rules, Deadline], Recount] = recount_kinds.choose,
) -> Certificate:
    """Count the solutions of a puzzle, by what is left after each cell or by bands, and write a certificate of it.

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
    emit(Progress("choosing how to count ..."))
    way, summaries, n_states = choose(puzzle, rules, deadline), list[Summary](), 0
    for place, (summary, _) in zip(way.places, way.compiled(deadline, deadline.memory or MAX_BYTES), strict=True):
        n_states += summary[0]
        emit(Progress(f"counting: {place}, {summary[0]:,} states"))
        summaries.append(summary)
    n_solutions = summaries[-1][1] if summaries else 1
    _write(folder, puzzle, way, n_solutions, summaries)
    size = sum((folder / name).stat().st_size for name in (RULES, COUNT))
    return Certificate(folder, n_solutions, 0, size, time.perf_counter() - start, n_states)


def _write(folder: Path, puzzle: Puzzle, way: Recount, n_solutions: int, summaries: Sequence[Summary]) -> None:
    prepare_folder(folder)
    parts = [
        f'"solutions": {n_solutions}',
        f'"program": {json.dumps(f"sudoku-encode {__version__}")}',
        *way.members(),
        '"layers": [\n' + ",\n".join(f"  {json.dumps(summary)}" for summary in summaries) + "\n ]",
    ]
    try:
        (folder / files.PUZZLE).write_text(puzzle_text(puzzle), encoding="ascii")
        (folder / RULES).write_text(rules_text(puzzle), encoding="ascii")
        (folder / COUNT).write_text("{\n " + ",\n ".join(parts) + "\n}\n", encoding="ascii")
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
    count, checkers = _read(folder, puzzle, recount.read_rules(expected.splitlines())), []
    n_states, microseconds = 0, 0.0
    try:
        if not (missing := kernels.unavailable()):
            n_states, microseconds = _check_layers(folder, count, count.way.compiled(lambda: None, None))
            checkers.append("compiled recount")
        else:
            emit(Remark(f"counting again without compiled code, which is slow: {missing}"))
        if missing or microseconds <= _PLAIN_MICROSECONDS:
            n_states, _ = _check_layers(folder, count, ((summary, 0) for summary in count.way.plain()))
            checkers.insert(0, "plain recount")
    except recount.CountError as error:
        raise CertificateError(f"{folder / COUNT}: {str(error).removeprefix('count.json: ')}") from error
    n_compared = plain.compare_definitions(puzzle)
    seconds = time.perf_counter() - start
    return CheckedCount(
        puzzle, count.n_solutions, 0, tuple(checkers), seconds, n_compared=n_compared, n_states=n_states
    )


def plan_of(folder: Path, puzzle: Puzzle) -> Plan | None:
    """Return the order and the symmetries of a certificate of a count by cells; None for another kind.

    Raises:
        FormatError: count.json is missing or invalid.
    """
    way = _read(folder, puzzle, rules_of(puzzle)).way
    return recount_kinds.plan_of(way.choices) if way.kind == "cells" else None


def _check_layers(folder: Path, count: _Count, layers: recount_kinds.Counted) -> tuple[int, float]:
    """Compare the layers of a certificate with those of a count; return its number of states, and its microseconds."""
    n_states, microseconds, ways = 0, 0.0, 1
    every = zip(count.way.places, count.layers, layers, strict=True)
    for number, (place, claimed, (counted, own_time)) in enumerate(every, start=1):
        emit(Progress(f"counting again: {place}, {counted[0]:,} states"))
        for what, value, own in zip(("states", "ways", "with SHA-256"), claimed, counted, strict=True):
            if value != own:
                values = (value, own) if what == "with SHA-256" else (f"{value:,}", f"{own:,}")
                text = f"layer {number}, {place}: it says {values[0]} {what}, and a recount says {values[1]}"
                raise refusal(folder, COUNT, text)
        n_states, microseconds, ways = n_states + counted[0], microseconds + own_time, counted[1]
    if ways != count.n_solutions:
        raise refusal(folder, COUNT, f"it says {count.n_solutions} solutions, but the last layer has {ways} ways")
    return n_states, microseconds


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


def _read(folder: Path, puzzle: Puzzle, rules: recount.Rules) -> _Count:
    """Return the content of count.json, if it has the right form."""
    path = folder / COUNT
    content = files.json_of(path)
    if not isinstance(content, dict) or type(content.get("solutions")) is not int:
        raise FormatError("expected an object with the whole number solutions", str(path))
    way, layers = recount_kinds.read(content, puzzle.geometry, rules, str(path)), content.get("layers")
    n_layers = len(way.places)
    if not isinstance(layers, list) or len(layers) != n_layers or not all(map(_is_summary, layers)):
        expected = f"{n_layers} layers, each with the number of states, the number of ways and a SHA-256"
        raise FormatError(f"expected {expected}", str(path))
    return _Count(content["solutions"], way, layers)


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
    rules = recount.read_rules(text.splitlines())
    way = _read(folder, puzzle, rules).way
    if way.kind != "cells":
        raise FormatError("expected a recount by cells: states of bands are not compared", str(folder / COUNT))
    plan = recount_kinds.plan_of(way.choices)
    number, theirs = _read_layer(path, rules)
    arrangement, cell = recount.arrange(rules, plan.order), plan.order[number - 1]
    before: recount.Layer = {arrangement.start: 1}
    emit(Progress(f"counting {number} layers ..."))
    layers = recounting.layers(rules, plan.order, plan.symmetries, lambda: None)
    if number > 1:
        before = next(islice(layers, number - 2, None)).ways_of_states()
    ours = next(layers).ways_of_states()
    state = min((one for one in {*ours, *theirs} if ours.get(one, 0) != theirs.get(one, 0)), default=None)
    if state is None:
        return None
    emit(Progress("looking for the states that it comes from ..."))
    steps = recount.read_symmetries(plan.symmetries.get(number, []), plan.order[number:], arrangement)
    every = recount.products(steps) if steps else []
    sources = []
    for earlier, ways in sorted(before.items()):
        reached = recount.fill({earlier: 1}, cell, arrangement, number)
        if times := (recount.merge_images(reached, every) if every else reached).get(state, 0):
            sources.append(Source(earlier, ways, times))
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
