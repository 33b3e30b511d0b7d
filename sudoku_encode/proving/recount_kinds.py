"""The kinds of recounts, by cells and by bands: how each is chosen, run, and described in count.json.

A kind is a row of `READERS` and a function that returns a `Recount`.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from sudoku_encode.errors import FormatError
from sudoku_encode.proving import bands_recounting, count_orders, recount, recount_bands, recounting
from sudoku_encode.proving.bands_recounting import Bands
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline

# How many bytes the states of a count take at most, without another limit.
MAX_BYTES = 4 * 10**9
# About how many microseconds the plain recounts take for a set of a state; for a way to fill a band, and a product.
_SET, _FILLING, _PRODUCT = 10, 1.5, 0.1

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
        for layer in recounting.layers(rules, order, symmetries, tick, most):
            yield layer.summary(), (len(layer.states) + layer.n_images) * rules.n_values * _SET

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
