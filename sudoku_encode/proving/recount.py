"""The plain recount of a puzzle, to be read in ten minutes. It needs only Python, and no other file of this project.

A state is the puzzle that is left when some cells are filled: for each value the set of the open cells that may still
hold it. Filling a cell with a value takes the cell out of all sets, and the cells that share a unit with it out of the
set of this value. Two puzzles that are left have equally many solutions if they have the same sets, whatever values
these belong to: so the sets of a state are sorted, and equal states are counted together, with the number of ways that
lead to them. When all cells are filled, the number of ways is the number of solutions.

A set is a whole number with a bit for each open cell: the last cell of the order has bit 0, the one before it bit 1.

A constraint is an automaton that reads the values of its cells as they are filled. While it reads, a state also holds
the state of the automaton, and only the sets of those values are sorted that no automaton tells apart. In a puzzle with
automata, cells are also taken out of sets to which no solution gives them, as far as single units and automata show it.

    python recount.py FOLDER        count again, and compare with each layer of count.json
    python recount.py FOLDER 40     print the states after 40 cells: a line with the numbers and the ways of each

docs/internals/counts.md describes the files.
"""

import hashlib
import json
import sys
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple

# The sets of the values, and the states of the automata that are reading.
State = tuple[int, ...]
Layer = dict[State, int]
# For each open cell, as its bit, the one that it is mapped to.
Symmetry = dict[int, int]
# Of an automaton, for each cell, and each state before it, the state after each value from 1; -1 where no solution
# follows. State 0 is the first one.
Moves = list[list[int]]
# The bits of the open cells of an automaton, in their order, with its moves.
Rest = list[tuple[int, Moves]]

# How many products of symmetries are tried.
MAX_PRODUCTS = 50_000
# Sums of different values are known to have different ones where there are at most this number of values.
MAX_DIFFERENT = 16


class CountError(Exception):
    """The files do not describe a count, or the count is another; the message says where."""


class Rules(NamedTuple):
    """A puzzle in numbers."""

    n_cells: int
    n_values: int
    units: list[list[int]]  # lists of cells that all differ
    allowed: dict[int, list[int]]  # the values of each cell that may not hold every value
    constraints: list[tuple[str, list[int]]]  # a word with numbers


class Automaton(NamedTuple):
    """An automaton that reads cells in the order in which they are filled."""

    cells: list[int]
    moves: list[Moves]


class Setting(NamedTuple):
    """Open cells, automata and classes of values when some cells are filled."""

    bits: list[int]  # of the open cells
    readers: list[int]  # the numbers of the automata that have read some of their cells, and not yet all
    classes: list[list[int]]  # the values that no automaton tells apart from here on, together
    rests: dict[int, Rest]  # of each automaton with open cells, by its number


def read_rules(lines: Sequence[str]) -> Rules:
    """Return the puzzle in the lines of rules.txt."""
    rules = Rules(int(lines[0].removeprefix("cells ")), int(lines[1].removeprefix("values ")), [], {}, [])
    for line in lines[2:]:
        word, *rest = line.split(" ")
        numbers = [int(number) for number in rest]
        if word == "unit":
            rules.units.append(numbers)
        elif word == "allowed":
            rules.allowed[numbers[0]] = numbers[1:]
        elif word in MEANINGS:
            rules.constraints.append((word, numbers))
        else:
            raise CountError(f"rules.txt: {line[:60]!r} is not a statement about cells and values")
    return rules


class Arrangement(NamedTuple):
    """A puzzle with its cells in an order."""

    bit: dict[int, int]  # of each cell
    units: list[int]
    near: dict[int, int]  # for the bit of each cell: this cell, and those that share a unit with it
    automata: list[Automaton]
    settings: list[Setting]  # by the number of filled cells
    start: State


def arrange(rules: Rules, order: Sequence[int]) -> Arrangement:
    """Return a puzzle with its cells in an order.

    Raises:
        CountError: the order lacks a cell or has one twice.
    """
    if sorted(order) != list(range(rules.n_cells)):
        raise CountError("count.json: the order does not contain each cell exactly once")
    bit = {cell: 1 << number for number, cell in enumerate(reversed(order))}
    every = range(1, rules.n_values + 1)
    sets = [sum(bit[cell] for cell in order if value in rules.allowed.get(cell, every)) for value in every]
    units, near = units_of(rules, bit)
    automata = [automaton(word, numbers, order, rules) for word, numbers in rules.constraints]
    settings = [setting(automata, len(order) - filled, bit, rules.n_values) for filled in range(len(order) + 1)]
    set_of = dict(zip(every, sets, strict=True))
    if automata:
        narrow(set_of, {}, units, near, settings[0])
    return Arrangement(bit, units, near, automata, settings, ordered(set_of, settings[0]))


def units_of(rules: Rules, bit: Mapping[int, int]) -> tuple[list[int], dict[int, int]]:
    """Return the units, and for the bit of each cell this cell and those that share a unit with it."""
    units = [sum(bit[cell] for cell in unit) for unit in rules.units]
    return units, {one: one | union([unit for unit in units if unit & one]) for one in bit.values()}


def setting(automata: Sequence[Automaton], n_open: int, bit: Mapping[int, int], n: int) -> Setting:
    """Return the rests of the automata with a number of open cells, and the classes of values."""
    rests, classes = dict[int, Rest](), dict[tuple[int, ...], list[int]]()
    for number, each in enumerate(automata):
        if rest := [(bit[cell], moves) for cell, moves in zip(*each, strict=True) if bit[cell] < 1 << n_open]:
            rests[number] = rest
    for value in range(n):
        key = tuple(row[value] for rest in rests.values() for _, moves in rest for row in moves)
        classes.setdefault(key, []).append(value + 1)
    readers = [number for number, rest in rests.items() if len(rest) < len(automata[number].cells)]
    return Setting([1 << place for place in range(n_open)], readers, list(classes.values()), rests)


def ordered(set_of: Mapping[int, int], now: Setting) -> State:
    """Return the sets of the values, class after class, those of a class sorted."""
    return tuple(places for values in now.classes for places in sorted(set_of[value] for value in values))


def layers(rules: Rules, order: Sequence[int], symmetries: Mapping[int, Sequence[Sequence[int]]]) -> Iterator[Layer]:
    """Yield the states after each cell of an order, with the number of ways that lead to each.

    Raises:
        CountError: the order lacks a cell or has one twice, or a symmetry does not hold.
    """
    puzzle = arrange(rules, order)
    layer: Layer = {puzzle.start: 1}
    for filled, cell in enumerate(order, start=1):
        layer = fill(layer, cell, puzzle, filled)
        if symmetries.get(filled):
            layer = merge_images(layer, products(read_symmetries(symmetries[filled], order[filled:], puzzle)))
        yield layer


def fill(layer: Layer, cell: int, puzzle: Arrangement, filled: int) -> Layer:
    """Return the states after filling a cell, the last of some number of cells that are filled."""
    before, now = puzzle.settings[filled - 1 : filled + 1]
    values = [value for members in before.classes for value in members]
    bit = puzzle.bit[cell]
    open_cells = bit - 1
    open_units = [unit & open_cells for unit in puzzle.units]
    after: Counter[State] = Counter()
    for state, ways in layer.items():
        states = dict(zip(before.readers, state[len(values) :], strict=True))
        for value, places in zip(values, state, strict=False):
            if not places & bit:
                continue
            set_of = {other: own & open_cells for other, own in zip(values, state, strict=False)}
            set_of[value] &= ~puzzle.near[bit]
            read = states | {
                number: rest[0][1][states.get(number, 0)][value - 1]
                for number, rest in before.rests.items()
                if rest[0][0] == bit
            }
            if -1 in read.values():
                continue
            if puzzle.automata:
                narrow(set_of, read, open_units, puzzle.near, now)
            if is_possible(list(set_of.values()), open_cells, open_units):
                after[ordered(set_of, now) + tuple(read[number] for number in now.readers)] += ways
    return after


def narrow(
    set_of: dict[int, int], states: Mapping[int, int], units: Sequence[int], near: Mapping[int, int], now: Setting
) -> None:
    """Take cells out of sets to which no solution gives them, in whatever order, until nothing changes."""
    before: dict[int, int] = {}
    while set_of != before:
        before = dict(set_of)
        for bit in now.bits:
            values = [value for value in set_of if set_of[value] & bit]
            if len(values) == 1:
                set_of[values[0]] &= ~near[bit] | bit
        for unit in units:
            values = [value for value in set_of if set_of[value] & unit]
            for value in values if len(values) == unit.bit_count() else []:
                if (set_of[value] & unit).bit_count() == 1:
                    set_of.update(
                        {other: set_of[other] & ~(set_of[value] & unit) for other in set_of if other != value}
                    )
        for number, rest in now.rests.items():
            for bit, values in supported(set_of, states.get(number, 0), rest):
                set_of.update({value: set_of[value] & ~bit for value in set_of if value not in values})


def supported(set_of: Mapping[int, int], state: int, rest: Rest) -> Iterator[tuple[int, list[int]]]:
    """Yield for each open cell of an automaton the values with which it reaches its end, the last cell first."""
    reached = [{state}]
    for bit, moves in rest:
        values = [value for value in set_of if set_of[value] & bit]
        reached.append({moves[own][value - 1] for own in reached[-1] for value in values} - {-1})
    ends = reached.pop()
    for (bit, moves), states in zip(reversed(rest), reversed(reached), strict=True):
        values = [value for value in set_of if set_of[value] & bit]
        values = [value for value in values if any(moves[own][value - 1] in ends for own in states)]
        ends = {own for own in states if any(moves[own][value - 1] in ends for value in values)}
        yield bit, values


def is_possible(sets: Sequence[int], open_cells: int, open_units: Sequence[int]) -> bool:
    """Return whether each open cell has a value, and each unit as many values as open cells: else nothing is lost."""
    return union(sets) == open_cells and all(
        sum(places & unit != 0 for places in sets) >= unit.bit_count() for unit in open_units
    )


def union(sets: Sequence[int]) -> int:
    """Return the cells that are in at least one of the sets."""
    together = 0
    for places in sets:
        together |= places
    return together


# Symmetries.


def read_symmetries(given: Sequence[Sequence[int]], cells: Sequence[int], puzzle: Arrangement) -> list[Symmetry]:
    """Return symmetries that are given as the images of the open cells, in the order of these.

    A symmetry maps the open cells onto themselves, and those that share a unit onto cells that share one: so a puzzle
    that is left has as many solutions as its image. No automaton may have an open cell.

    Raises:
        CountError: one does not hold.
    """
    bits = [puzzle.bit[cell] for cell in cells]
    sharing = {bit: puzzle.near[bit] & sum(bits) for bit in bits}
    is_read = any(cell in each.cells for each in puzzle.automata for cell in cells)
    symmetries = []
    for images in given:
        symmetry = dict(zip(bits, [puzzle.bit[cell] for cell in images], strict=True))
        if (
            is_read
            or set(symmetry.values()) != set(bits)
            or any(image(sharing[bit], symmetry) != sharing[symmetry[bit]] for bit in bits)
        ):
            raise CountError(f"count.json: a symmetry of {len(cells)} open cells does not hold")
        symmetries.append(symmetry)
    return symmetries


def products(steps: Sequence[Symmetry]) -> list[Symmetry]:
    """Return all products of symmetries."""
    every = [{bit: bit for bit in steps[0]}]
    seen = {tuple(every[0].values())}
    for earlier in every:
        for step in steps:
            product = {bit: step[middle] for bit, middle in earlier.items()}
            if tuple(product.values()) not in seen:
                seen.add(tuple(product.values()))
                every.append(product)
        if len(every) > MAX_PRODUCTS:
            raise CountError(f"count.json: more than {MAX_PRODUCTS} products of symmetries")
    return every


def image(places: int, symmetry: Symmetry) -> int:
    """Return the image of a set."""
    return sum(other for bit, other in symmetry.items() if places & bit)


def merge_images(layer: Layer, symmetries: Sequence[Symmetry]) -> Layer:
    """Return a layer with each state replaced by the least of its images."""
    after: Counter[State] = Counter()
    for state, ways in layer.items():
        after[min(tuple(sorted(image(places, symmetry) for places in state)) for symmetry in symmetries)] += ways
    return after


# Constraints as automata.

# The first state; the state after a cell with a value; whether a state after the last cell is accepted.
Meaning = tuple[Hashable, Callable[[Any, int, int], Hashable], Callable[[Any], bool]]


def of_different_values(meaning: Meaning) -> Meaning:
    """Return the meaning of a constraint whose cells all differ."""
    start, step, accepts = meaning

    def step_once(state: Any, cell: int, value: int) -> Any:
        return None if state is None or value in state[1] else (step(state[0], cell, value), state[1] | {value})

    return (start, frozenset()), step_once, lambda state: state is not None and accepts(state[0])


def total(numbers: Sequence[int]) -> Meaning:
    """`sum T c k c k ...`: the values of the cells, times k, add up to T."""
    times = dict(zip(numbers[1::2], numbers[2::2], strict=True))
    return numbers[0], lambda rest, cell, value: rest - times[cell] * value, lambda rest: rest == 0


def clause(numbers: Sequence[int]) -> Meaning:
    """`clause c v c -v ...`: some cell holds v, or some cell does not hold v."""
    literals = list(zip(numbers[::2], numbers[1::2], strict=True))

    def step(holds: bool, cell: int, value: int) -> bool:
        return holds or any(cell == own and (value == v if v > 0 else value != -v) for own, v in literals)

    return False, step, lambda holds: holds


def pairs(numbers: Sequence[int]) -> Meaning:
    """`pairs c d a b a b ...`: the cells c and d hold a and b, one of these pairs."""
    allowed = {frozenset([(numbers[0], a), (numbers[1], b)]) for a, b in zip(numbers[2::2], numbers[3::2], strict=True)}
    return frozenset(), lambda held, cell, value: held | {(cell, value)}, lambda held: held in allowed


def sequence(numbers: Sequence[int]) -> Meaning:
    """`sequence m c ... p s v t p s v t ...`: an automaton reads m cells, in this order, from state 0 to state 0.

    At place p, from 0, it goes from state s with the value v to state t. The cells may be filled in another order: a
    state here is a set of stretches of places that are read, each with the pairs of states before and after it.
    """
    cells, rest = numbers[1 : numbers[0] + 1], numbers[numbers[0] + 1 :]
    steps: dict[tuple[int, int], set[tuple[int, int]]] = {}
    for place, before, value, after in zip(rest[::4], rest[1::4], rest[2::4], rest[3::4], strict=True):
        steps.setdefault((place, value), set()).add((before, after))

    def step(stretches: frozenset[Any], cell: int, value: int) -> frozenset[Any]:
        for place in [place for place, own in enumerate(cells) if own == cell]:
            start, end, joined = place, place + 1, steps.get((place, value), set())
            for first, last, through in stretches:
                if last == place:
                    start, joined = first, {(a, d) for a, b in through for c, d in joined if b == c}
            for first, last, through in stretches:
                if first == place + 1:
                    end, joined = last, {(a, d) for a, b in joined for c, d in through if b == c}
            joined = {(a, b) for a, b in joined if (start > 0 or a == 0) and (end < len(cells) or b == 0)}
            others = [stretch for stretch in stretches if place not in (stretch[1], stretch[0] - 1)]
            stretches = frozenset([*others, (start, end, frozenset(joined))])
        return stretches

    return frozenset(), step, lambda stretches: all(joined for _, _, joined in stretches)


MEANINGS: dict[str, Callable[[Sequence[int]], Meaning]] = {
    "sum": total,
    "clause": clause,
    "pairs": pairs,
    "sequence": sequence,
}


def cells_of(word: str, numbers: Sequence[int]) -> list[int]:
    """Return the cells of a constraint, as it names them."""
    parts = {
        "sum": numbers[1::2],
        "clause": numbers[::2],
        "pairs": numbers[:2],
        "sequence": numbers[1 : numbers[0] + 1],
    }
    return list(dict.fromkeys(parts[word]))


def automaton(word: str, numbers: Sequence[int], order: Iterable[int], rules: Rules) -> Automaton:
    """Return the smallest automaton of a constraint; that of a sum also knows that cells of a unit differ.

    Its states after a cell are numbered in the order in which the values before lead to them, the smallest first.

    Raises:
        CountError: it has no cells.
    """
    inside = cells_of(word, numbers)
    cells = [cell for cell in order if cell in inside]
    if not cells:
        raise CountError(f"rules.txt: a {word} without cells")
    n, meaning = rules.n_values, MEANINGS[word](numbers)
    if (
        word == "sum"
        and n <= MAX_DIFFERENT
        and all(any({one, other} <= set(unit) for unit in rules.units) for one, other in combinations(cells, 2))
    ):
        meaning = of_different_values(meaning)
    start, step, accepts = meaning
    levels: list[dict[Any, list[Any]]] = []
    states = {start}
    for cell in cells:
        levels.append({state: [step(state, cell, value) for value in range(1, n + 1)] for state in states})
        states = {after for row in levels[-1].values() for after in row}
    # Backwards: states from which the same values lead to the end are one, -1 if none do.
    number = {state: 0 if accepts(state) else -1 for state in states}
    moves: list[Moves] = []
    for level in reversed(levels):
        rows: dict[tuple[int, ...], int] = {}
        before = {}
        for state, row in level.items():
            key = tuple(number[after] for after in row)
            before[state] = -1 if max(key) < 0 else rows.setdefault(key, len(rows))
        moves.insert(0, [list(row) for row in rows] or [[-1] * n])
        number = before
    # Forwards: the numbers.
    current = [0]
    for place, level_rows in enumerate(moves):
        names: dict[int, int] = {}
        moves[place] = [
            [-1 if after < 0 else names.setdefault(after, len(names)) for after in level_rows[state]]
            for state in current
        ]
        current = list(names)
    return Automaton(cells, moves)


# The files.


def summary(layer: Layer, n_open: int, n_values: int) -> list[Any]:
    """Return the figures of a layer in count.json: how many states, how many ways, and a SHA-256 of both."""
    ways = sum(layer.values())
    width, digits = (n_open + 7) // 8, max(1, (ways.bit_length() + 7) // 8)
    digest = hashlib.sha256()
    for state in sorted(layer):
        for index, number in enumerate(state):
            digest.update(number.to_bytes(width if index < n_values else 4, "big"))
        digest.update(layer[state].to_bytes(digits, "big"))
    return [len(layer), ways, digest.hexdigest()]


def recount(folder: Path) -> int:
    """Return the number of solutions, if each layer is as count.json says.

    Raises:
        CountError: a layer is not.
    """
    rules, order, symmetries, count = read(folder)
    claimed = count["layers"]
    ways = 1
    for filled, layer in enumerate(layers(rules, order, symmetries), start=1):
        ways = sum(layer.values())
        recounted = summary(layer, len(order) - filled, rules.n_values)
        if filled > len(claimed) or claimed[filled - 1] != recounted:
            raise CountError(f"layer {filled} (cell {order[filled - 1]}): count.json differs from {recounted}")
    if count["solutions"] != ways or len(claimed) != len(order):
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
        layer = [next(every_layer) for _ in range(int(sys.argv[2]))][-1]
        print("layer", sys.argv[2])
        for state in sorted(layer):
            print(*state, layer[state])
    else:
        print("RECOUNTED:", recount(given), "solutions")
