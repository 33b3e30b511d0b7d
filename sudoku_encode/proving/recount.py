"""The plain recounter of a puzzle, to be read in five minutes. It needs only Python, and no other file of this project.

A state is the puzzle that is left when some cells are filled: for each value the set of the open cells that may still
hold it. Filling a cell with a value takes the cell out of all sets, and the cells that share a unit with it out of the
set of this value. Two puzzles that are left have equally many solutions if they have the same sets, whatever values
these belong to: so the sets of a state are sorted, and equal states are counted together, with the number of ways that
lead to them. When all cells are filled, the number of ways is the number of solutions.

A set is a whole number with a bit for each open cell: the last cell of the order has bit 0, the one before it bit 1.

    python recount.py FOLDER        count again, and compare with each layer of count.json
    python recount.py FOLDER 40     print the states after 40 cells: a line with the sets and the ways of each

docs/internals/counts.md describes the files.
"""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

State = tuple[int, ...]
Layer = dict[State, int]
# For each open cell, as its bit, the one that it is mapped to.
Symmetry = dict[int, int]

# How many products of symmetries are tried.
MAX_PRODUCTS = 50_000


class CountError(Exception):
    """The files do not describe a count, or the count is another; the message says where."""


class Rules(NamedTuple):
    """A puzzle in numbers."""

    n_cells: int
    n_values: int
    units: list[list[int]]  # lists of cells that all differ
    allowed: dict[int, list[int]]  # the values of each cell that may not hold every value


def read_rules(lines: Sequence[str]) -> Rules:
    """Return the puzzle in the lines of rules.txt."""
    units, allowed, sizes = [], {}, []
    for number, line in enumerate(lines, start=1):
        word, *numbers = line.split(" ")
        values = [int(one) for one in numbers]
        if number <= 2 and word == ("cells", "values")[number - 1] and len(values) == 1:
            sizes += values
        elif number > 2 and word == "unit" and len(set(values)) == len(values) and set(values) <= set(range(sizes[0])):
            units.append(values)
        elif number > 2 and word == "allowed" and set(values[1:]) <= set(range(1, sizes[1] + 1)):
            allowed[values[0]] = values[1:]
        else:
            raise CountError(f"rules.txt: line {number}: not a statement about cells and values: {line[:60]!r}")
    return Rules(sizes[0], sizes[1], units, allowed)


class Placed(NamedTuple):
    """A puzzle with a bit for each cell, by its place in an order."""

    bit: dict[int, int]
    units: list[int]
    sets: list[int]  # for each value the cells that may hold it


def placed(rules: Rules, order: Sequence[int]) -> Placed:
    """Return the puzzle in the bits of an order.

    Raises:
        CountError: the order lacks a cell or has one twice.
    """
    if sorted(order) != list(range(rules.n_cells)):
        raise CountError("count.json: the order does not contain each cell exactly once")
    bit = {cell: 1 << number for number, cell in enumerate(reversed(order))}
    every = range(1, rules.n_values + 1)
    sets = [sum(bit[cell] for cell in order if value in rules.allowed.get(cell, every)) for value in every]
    return Placed(bit, [sum(bit[cell] for cell in unit) for unit in rules.units], sorted(sets))


def layers(rules: Rules, order: Sequence[int], symmetries: Mapping[int, Sequence[Sequence[int]]]) -> Iterator[Layer]:
    """Yield the states after each cell of an order, with the number of ways that lead to each.

    Raises:
        CountError: the order lacks a cell or has one twice, or something is no symmetry of what is left.
    """
    bit, units, sets = placed(rules, order)
    layer: Layer = {tuple(sets): 1}
    for filled, cell in enumerate(order, start=1):
        layer = fill(layer, bit[cell], units)
        if symmetries.get(filled):
            layer = merge_images(layer, products(read_symmetries(symmetries[filled], order[filled:], bit, units)))
        yield layer


def fill(layer: Layer, cell: int, units: Sequence[int]) -> Layer:
    """Return the states after filling a cell, which is given as its bit: the highest one in use."""
    open_cells = cell - 1
    open_units = [unit & open_cells for unit in units]
    sharing = sum_of_sets(unit for unit in units if unit & cell)
    after: Counter[State] = Counter()
    for state, ways in layer.items():
        for index, places in enumerate(state):
            if places & cell:
                sets = [one & open_cells for one in state]
                sets[index] &= ~sharing
                if is_possible(sets, open_cells, open_units):
                    after[tuple(sorted(sets))] += ways
    return after


def is_possible(sets: Sequence[int], open_cells: int, open_units: Sequence[int]) -> bool:
    """Return whether each open cell has a value, and each unit as many values as open cells: else nothing is lost."""
    return sum_of_sets(sets) == open_cells and all(
        sum(places & unit != 0 for places in sets) >= unit.bit_count() for unit in open_units
    )


def sum_of_sets(sets: Iterator[int] | Sequence[int]) -> int:
    """Return the cells that are in at least one of the sets."""
    together = 0
    for one in sets:
        together |= one
    return together


def read_symmetries(
    given: Sequence[Sequence[int]], cells: Sequence[int], bit: Mapping[int, int], units: Sequence[int]
) -> list[Symmetry]:
    """Return symmetries that are given as the images of the open cells, in the order of these.

    A symmetry maps the open cells onto themselves, and those that share a unit onto cells that share one: so a puzzle
    that is left has as many solutions as its image.

    Raises:
        CountError: one does not hold.
    """
    sharing = {
        bit[cell]: sum_of_sets(unit for unit in units if unit & bit[cell]) & (2 * bit[cells[0]] - 1) for cell in cells
    }
    symmetries = []
    for images in given:
        symmetry = dict(zip(sharing, [bit[cell] for cell in images], strict=True))
        if set(symmetry.values()) != set(sharing) or any(
            image(sharing[own], symmetry) != sharing[symmetry[own]] for own in sharing
        ):
            raise CountError(f"count.json: a symmetry of {len(cells)} open cells does not hold")
        symmetries.append(symmetry)
    return symmetries


def products(steps: Sequence[Symmetry]) -> list[Symmetry]:
    """Return all products of symmetries."""
    every = [{own: own for own in steps[0]}]
    known = {tuple(every[0].values())}
    for one in every:
        for step in steps:
            product = {own: step[middle] for own, middle in one.items()}
            if tuple(product.values()) not in known:
                known.add(tuple(product.values()))
                every.append(product)
        if len(every) > MAX_PRODUCTS:
            raise CountError(f"count.json: more than {MAX_PRODUCTS} products of symmetries")
    return every


def image(places: int, symmetry: Symmetry) -> int:
    """Return the image of a set."""
    return sum(other for own, other in symmetry.items() if places & own)


def merge_images(layer: Layer, symmetries: Sequence[Symmetry]) -> Layer:
    """Return a layer with each state replaced by the least of its images."""
    after: Counter[State] = Counter()
    for state, ways in layer.items():
        after[min(tuple(sorted(image(places, symmetry) for places in state)) for symmetry in symmetries)] += ways
    return after


def summary(layer: Layer, n_open: int) -> list[Any]:
    """Return what count.json says about a layer: how many states, how many ways, and a SHA-256 of both."""
    ways = sum(layer.values())
    width, digits = (n_open + 7) // 8, max(1, (ways.bit_length() + 7) // 8)
    digest = hashlib.sha256()
    for state in sorted(layer):
        digest.update(
            b"".join(places.to_bytes(width, "big") for places in state) + layer[state].to_bytes(digits, "big")
        )
    return [len(layer), ways, digest.hexdigest()]


def recount(folder: Path) -> int:
    """Return the number of solutions, if each layer is as count.json says.

    Raises:
        CountError: a layer is not.
    """
    rules, order, symmetries, count = read(folder)
    claimed = count["layers"]
    ways = 0
    for filled, layer in enumerate(layers(rules, order, symmetries), start=1):
        ways = sum(layer.values())
        recounted = summary(layer, len(order) - filled)
        if filled > len(claimed) or claimed[filled - 1] != recounted:
            raise CountError(f"layer {filled} (cell {order[filled - 1]}): count.json differs from {recounted}")
    if (count["solutions"], len(claimed)) != (ways, len(order)):
        raise CountError(f"count.json: {ways} solutions in {len(order)} layers, not as it says")
    return ways


def read(folder: Path) -> tuple[Rules, list[int], dict[int, list[list[int]]], dict[str, Any]]:
    """Return the rules, the order, the symmetries by the number of filled cells, and the whole of count.json."""
    rules = read_rules((folder / "rules.txt").read_text("ascii").splitlines())
    count = json.loads((folder / "count.json").read_text("ascii"))
    if count["kind"] != "cells":
        raise CountError(f"count.json: the kind is {count['kind']!r}, and this program recounts cells")
    return rules, count["order"], {int(key): value for key, value in count.get("symmetries", {}).items()}, count


if __name__ == "__main__":
    given = Path(sys.argv[1])
    if len(sys.argv) > 2:
        every_layer = layers(*read(given)[:3])
        wanted = [next(every_layer) for _ in range(int(sys.argv[2]))][-1]
        for line in sorted(wanted):
            print(*line, wanted[line])
    else:
        print("RECOUNTED:", recount(given), "solutions")
