"""The kinds of recounts, by cells and by bands: how each is chosen, run, and described in count.json.

A kind is a row of `READERS` and a function that returns a `Recount`. `count` makes the text of a count.json, and
`count_again` checks one: both for a whole puzzle, and for a cube of one.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from sudoku_encode import __version__
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.proving import bands_recounting, count_orders, recount, recount_bands, recounting
from sudoku_encode.proving import folder as files
from sudoku_encode.proving.bands_recounting import Bands
from sudoku_encode.proving.checking import CertificateError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.events import Progress, Remark, emit
from sudoku_encode.run.limits import Deadline

# How many bytes the states of a count take at most, without another limit.
MAX_BYTES = 4 * 10**9
# About how many microseconds the plain recounts take for a set of a state, and to narrow it by constraints; for a way
# to fill a band, and a product.
_SET, _NARROWING, _FILLING, _PRODUCT = 10, 300, 1.5, 0.1
# They are made too where they take less than about this number of microseconds.
_PLAIN_MICROSECONDS = 1_000_000

# Of a layer: the number of states, the number of ways, and a SHA-256.
Summary = list[Any]
# For each layer its summary, and about how many microseconds the plain recount takes for it.
Counted = Iterator[tuple[Summary, float]]


class Recount(NamedTuple):
    """A way to count again."""

    kind: str
    choices: Mapping[str, Any]  # its own keys of count.json
    places: list[str]  # of each layer, for people
    compiled: Callable[[Callable[[], None], int | None], Counted]  # given a tick, and the most bytes
    plain: Callable[[], Iterator[Summary]]

    def members(self) -> list[str]:
        """Return the members of count.json that describe it."""
        return [f"{json.dumps(key)}: {_json(value)}" for key, value in {"kind": self.kind, **self.choices}.items()]


def _json(value: object) -> str:
    """Return a value as JSON; an object, such as that of the symmetries, has a line for each member."""
    if not isinstance(value, dict):
        return json.dumps(value)
    return "{\n" + ",\n".join(f"  {json.dumps(key)}: {json.dumps(item)}" for key, item in value.items()) + "\n }"


def choose(puzzle: Puzzle, rules: recount.Rules, deadline: Deadline) -> Recount:
    """Return the way to count a puzzle: by cells if that is short, or if no tables of bands fit into memory."""
    # A checker takes no more memory.
    most = min(deadline.memory or MAX_BYTES, MAX_BYTES)
    all_lines, allowed = ("rows", "columns") if _is_classic(rules) else (), _allowed(rules)
    by_lines = {lines: bands_recounting.bands(allowed, lines) for lines in all_lines}
    works = {lines: given.work for lines, given in by_lines.items() if given.work.n_bytes <= most}
    try:
        most_states = count_orders.WITHOUT_SYMMETRIES if works else None
        plan = count_orders.plan(puzzle.geometry, rules, puzzle.candidates, deadline, most_states)
    except recounting.TooManyStatesError:
        lines = min(works, key=lambda lines: works[lines].nanoseconds)
        return by_bands(rules, lines, by_lines[lines])
    return by_cells(puzzle.geometry, rules, plan)


def read(content: Mapping[str, Any], board: Geometry, rules: recount.Rules, path: str) -> Recount:
    """Return the way to count that count.json describes.

    Raises:
        FormatError: it describes none.
    """
    kind = content.get("kind")
    if not isinstance(kind, str) or kind not in READERS:
        raise FormatError("expected a kind: " + " or ".join(f'"{kind}"' for kind in READERS), path)
    try:
        return READERS[kind](content, board, rules)
    except _ExpectedError as error:
        raise FormatError(f"expected {error}", path) from None


class _ExpectedError(Exception):
    """A part of count.json is not what the message says."""


def by_cells(board: Geometry, rules: recount.Rules, plan: count_orders.Plan) -> Recount:
    """Return the recount that fills one cell after the other."""
    order, symmetries = plan.order, plan.symmetries

    def compiled(tick: Callable[[], None], max_bytes: int | None) -> Counted:
        most = recounting.MAX_STATES
        if max_bytes is not None:
            words = (rules.n_cells + 63) // 64
            # In the layer, in the next one, and once more while that grows; with ways and the hash table.
            most = min(most, max_bytes // (3 * (8 * words * rules.n_values + 48)))
        per_state = rules.n_values * (_NARROWING if rules.constraints else _SET)
        for layer in recounting.layers(rules, order, symmetries, tick, most):
            yield layer.summary(), len(layer.states) * per_state + layer.n_images * rules.n_values * _SET

    def plain() -> Iterator[Summary]:
        for filled, layer in enumerate(recount.layers(rules, order, symmetries), start=1):
            yield recount.summary(layer, len(order) - filled, rules.n_values)

    choices: dict[str, Any] = {"order": order}
    if symmetries:
        choices["symmetries"] = {str(filled): images for filled, images in symmetries.items()}
    return Recount("cells", choices, [f"after {board.cell_name(cell)}" for cell in order], compiled, plain)


def plan_of(content: Mapping[str, Any]) -> count_orders.Plan:
    """Return the plan of a recount by cells, as count.json describes it."""
    symmetries = content.get("symmetries", {})
    return count_orders.Plan(content["order"], {int(key): images for key, images in symmetries.items()})


def _read_cells(content: Mapping[str, Any], board: Geometry, rules: recount.Rules) -> Recount:
    n_cells = board.n_cells
    if not _is_list_of_cells(content.get("order"), n_cells):
        raise _ExpectedError(f"the order as a list of {n_cells} cells from 0 to {n_cells - 1}")
    symmetries = content.get("symmetries", {})
    if not isinstance(symmetries, dict):
        raise _ExpectedError("symmetries as an object")
    for key, images in symmetries.items():
        filled = int(key) if re.fullmatch("[1-9][0-9]{0,8}", key) else n_cells
        if (
            filled >= n_cells
            or not isinstance(images, list)
            or not all(_is_list_of_cells(one, n_cells, n_cells - filled) for one in images)
        ):
            raise _ExpectedError(f"symmetries after 1 to {n_cells - 1} cells, each the images of the open cells")
    return by_cells(board, rules, plan_of(content))


def _is_list_of_cells(item: object, n_cells: int, length: int | None = None) -> bool:
    return (
        isinstance(item, list)
        and len(item) == (n_cells if length is None else length)
        and all(type(cell) is int and 0 <= cell < n_cells for cell in item)
    )


def by_bands(rules: recount.Rules, lines: str, given: Bands | None = None) -> Recount:
    """Return the recount that fills the bands of a 9x9 and joins them; `given` may be its boxes."""
    allowed = _allowed(rules)

    def compiled(tick: Callable[[], None], max_bytes: int | None) -> Counted:
        bands = given or bands_recounting.bands(allowed, lines)
        for layer, summary in enumerate(bands_recounting.layers(bands, tick, max_bytes or MAX_BYTES)):
            yield summary, summary[1] * _FILLING if layer < 3 else bands.n_products * _PRODUCT

    def plain() -> Iterator[Summary]:
        return map(recount_bands.summary, recount_bands.layers(allowed, lines))

    places = [f"the {name} band of {lines}" for name in ("first", "second", "third")]
    return Recount("bands", {"lines": lines}, [*places, "the join"], compiled, plain)


def band_states(choices: Mapping[str, Any], rules: recount.Rules, layer: int) -> dict[tuple[int, ...], int]:
    """Return the states of a layer of a recount by bands, with their ways."""
    return bands_recounting.states(bands_recounting.bands(_allowed(rules), choices["lines"]), layer)


def _read_bands(content: Mapping[str, Any], board: Geometry, rules: recount.Rules) -> Recount:
    if not _is_classic(rules):
        raise _ExpectedError('the kind "cells", since the board is not a 9x9 with rows, columns and boxes alone')
    if content.get("lines") not in ("rows", "columns"):
        raise _ExpectedError('the lines as "rows" or "columns"')
    return by_bands(rules, content["lines"])


def _is_classic(rules: recount.Rules) -> bool:
    """Return whether a puzzle is a 9x9 with rows, columns and boxes alone."""
    return (rules.n_cells, rules.n_values, sorted(rules.units), rules.constraints) == (81, 9, recount_bands.UNITS, [])


def _allowed(rules: recount.Rules) -> list[recount_bands.Values]:
    return [set(rules.allowed.get(cell, range(1, 10))) for cell in range(rules.n_cells)]


READERS: Mapping[str, Callable[[Mapping[str, Any], Geometry, recount.Rules], Recount]] = {
    "cells": _read_cells,
    "bands": _read_bands,
}


# count.json.


@dataclass(frozen=True, eq=False)
class Claim:
    """The content of count.json."""

    n_solutions: int
    way: Recount
    layers: list[Summary]


def require_compiled() -> None:
    """Raise MethodError if nothing can be compiled here: making a count takes too long without."""
    if reason := kernels.unavailable():
        raise MethodError(f"making the certificate of a count needs compiled code: {reason}")


class NewCount(NamedTuple):
    """A count that was made."""

    n_solutions: int
    n_states: int
    text: str  # of count.json


def count(
    puzzle: Puzzle,
    rules: recount.Rules,
    deadline: Deadline,
    choose: Callable[[Puzzle, recount.Rules, Deadline], Recount] = choose,
) -> NewCount:
    """Count the solutions of a puzzle, by what is left after each cell or by bands, as `choose` returns.

    Raises:
        StoppedError: the deadline came, or there are too many states.
    """
    emit(Progress("choosing how to count ..."))
    way, summaries, n_states = choose(puzzle, rules, deadline), list[Summary](), 0
    for place, (summary, _) in zip(way.places, way.compiled(deadline, deadline.memory or MAX_BYTES), strict=True):
        n_states += summary[0]
        emit(Progress(f"counting: {place}, {summary[0]:,} states"))
        summaries.append(summary)
    n_solutions = summaries[-1][1] if summaries else 1
    parts = [
        f'"solutions": {n_solutions}',
        f'"program": {json.dumps(f"sudoku-encode {__version__}")}',
        *way.members(),
        '"layers": [\n' + ",\n".join(f"  {json.dumps(summary)}" for summary in summaries) + "\n ]",
    ]
    return NewCount(n_solutions, n_states, "{\n " + ",\n ".join(parts) + "\n}\n")


class CountedAgain(NamedTuple):
    """The result of a recount that agrees with its file."""

    n_solutions: int
    n_states: int
    checkers: tuple[str, ...]  # the programs that agree


def count_again(path: Path, board: Geometry, rules: recount.Rules, share: float = 1.0) -> CountedAgain:
    """Count again as a file says, and compare each layer; the slow plain recount gets a share of its usual time.

    Raises:
        CertificateError: a layer or the number of solutions is another.
        FormatError: the file is missing or invalid.
    """
    claim, checkers = read_file(path, board, rules), []
    n_states, microseconds = 0, 0.0
    try:
        if not (missing := kernels.unavailable()):
            n_states, microseconds = _check_layers(path, claim, claim.way.compiled(lambda: None, None))
            checkers.append("compiled recount")
        else:
            emit(Remark(f"counting again without compiled code, which is slow: {missing}"))
        if missing or microseconds <= share * _PLAIN_MICROSECONDS:
            n_states, _ = _check_layers(path, claim, ((summary, 0) for summary in claim.way.plain()))
            checkers.insert(0, "plain recount")
    except recount.CountError as error:
        raise CertificateError(f"{path}: {str(error).removeprefix('count.json: ')}") from error
    return CountedAgain(claim.n_solutions, n_states, tuple(checkers))


def _check_layers(path: Path, claim: Claim, layers: Counted) -> tuple[int, float]:
    """Compare the layers of a certificate with those of a count; return its number of states, and its microseconds."""
    n_states, microseconds, ways = 0, 0.0, 1
    every = zip(claim.way.places, claim.layers, layers, strict=True)
    for number, (place, claimed, (counted, own_time)) in enumerate(every, start=1):
        emit(Progress(f"counting again: {place}, {counted[0]:,} states"))
        for what, value, own in zip(("states", "ways", "with SHA-256"), claimed, counted, strict=True):
            if value != own:
                values = (value, own) if what == "with SHA-256" else (f"{value:,}", f"{own:,}")
                text = f"layer {number}, {place}: it says {values[0]} {what}, and a recount says {values[1]}"
                raise CertificateError(f"{path}: {text}")
        n_states, microseconds, ways = n_states + counted[0], microseconds + own_time, counted[1]
    if ways != claim.n_solutions:
        raise CertificateError(f"{path}: it says {claim.n_solutions} solutions, but the last layer has {ways} ways")
    return n_states, microseconds


def read_file(path: Path, board: Geometry, rules: recount.Rules) -> Claim:
    """Return the content of a file such as count.json.

    Raises:
        FormatError: it is missing, or not of the right form.
    """
    content = files.json_of(path)
    if (n_solutions := stated(content)) is None:
        raise FormatError("expected an object with the whole number solutions", str(path))
    way, layers = read(content, board, rules, str(path)), content.get("layers")
    n_layers = len(way.places)
    if not isinstance(layers, list) or len(layers) != n_layers or not all(map(_is_summary, layers)):
        expected = f"{n_layers} layers, each with the number of states, the number of ways and a SHA-256"
        raise FormatError(f"expected {expected}", str(path))
    return Claim(n_solutions, way, layers)


def stated(content: Any) -> int | None:
    """Return the number of solutions in the content of a count.json, if it is an object with such a number."""
    number = content.get("solutions") if isinstance(content, dict) else None
    return number if type(number) is int else None


def _is_summary(item: object) -> bool:
    return (
        isinstance(item, list)
        and len(item) == 3
        and all(type(number) is int and number >= 0 for number in item[:2])
        and isinstance(item[2], str)
    )
