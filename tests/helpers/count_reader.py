"""A second checker of counts, written from docs/internals/counts.md alone, with nothing but Python.

It shares no code with sudoku_encode and must not: it shows that the page is enough to write a checker. The puzzle is
read by `certificate_reader`. Automata are found by trying all values of their cells, which is for small constraints.
"""

import functools
import hashlib
import itertools
import operator
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from tests.helpers.certificate_primitives import MEANING, MOST_SEQUENCES
from tests.helpers.certificate_reader import Puzzle, Refused, read_json, read_puzzle, require

CNF_FILES = ("certificate.json", "solutions.txt", "formula.cnf", "blocked.cnf", "proof.lrat", "proof.drat")
OTHERS = (*CNF_FILES, "candidates.json", "cubes.txt", "cover.lrat", "leaves")
MOST_PRODUCTS = 50_000
MOST_DIFFERENT = 16

# Of an automaton: at each place of its cells, for each state and value the state after it.
Steps = list[dict[tuple[int, int], int]]
# Of a state of the count: the sets class after class, then the states of the automata that are being read.
State = tuple[int, ...]


class Constraint(NamedTuple):
    """A constraint of more than one value: its line without transitions, its cells, and the values that it allows."""

    line: str
    cells: list[int]
    allowed: frozenset[tuple[int, ...]]


class Rules(NamedTuple):
    """The puzzle in numbers: the largest value, the units, the values of each cell, and the constraints."""

    n: int
    units: list[list[int]]
    allowed: list[set[int]]
    constraints: list[Constraint]


def check(folder: pathlib.Path) -> int:
    """Return the number of solutions that a folder proves, or raise Refused."""
    for stray in OTHERS:
        require(not (folder / stray).exists(), f"{stray}: not a file of a count")
    rules = rules_of(read_puzzle(folder))
    compare_rules(folder, rules)
    return check_count(folder, "count.json", rules)


def check_count(folder: pathlib.Path, name: str, rules: Rules) -> int:
    """Return the number of solutions that a file as count.json gives for these rules, or raise Refused."""
    data = read_json(folder, name)
    missing = {"solutions", "kind", "order", "layers"} - data.keys()
    require(not missing, f"{name}: without {sorted(missing)}")
    require(data["kind"] == "cells", f"{name}: the kind is not `cells`")
    order: Any = data["order"]
    require(is_permutation(order, list(range(len(rules.allowed)))), f"{name}: the order is not each cell once")
    layers: Any = data["layers"]
    require(isinstance(layers, list) and len(layers) == len(order), f"{name}: not a layer for each cell")
    symmetries = read_symmetries(data.get("symmetries", {}), order, rules)
    last = 0
    for i, (layer, right) in enumerate(zip(layers, recount(rules, order, symmetries), strict=True), 1):
        same = isinstance(layer, list) and list(map(type, layer)) == [int, int, str] and tuple(layer) == right
        require(same, f"{name}: layer {i} should be {right}")
        last = right[1]
    require(type(data["solutions"]) is int and data["solutions"] == last, f"{name}: solutions should be {last}")
    return last


def is_permutation(numbers: Any, cells: list[int]) -> bool:
    """Check that a value is a list with each of these cells once."""
    return isinstance(numbers, list) and all(type(cell) is int for cell in numbers) and sorted(numbers) == sorted(cells)


def rules_of(puzzle: Puzzle) -> Rules:
    """Return the puzzle in numbers, with its constraints."""
    require(not puzzle.n_hidden, "puzzle.json: hidden cells are not supported")
    n, values = puzzle.n, set(range(1, puzzle.n + 1))
    marks = zip(puzzle.givens, puzzle.excluded, strict=True)
    rules = Rules(n, [], [{given} if given else values - excluded for given, excluded in marks], [])
    units = {tuple(sorted(unit)) for unit in puzzle.units}
    for name, details in puzzle.primitives:
        of: list[Any] = list(details)
        if name == "unit":
            units.add(tuple(sorted(of[0])))
        elif name == "allowed":
            rules.allowed[of[0]] &= of[1]
        elif name == "clause" and not of[0]:
            rules.allowed[0].clear()
        else:
            for added in constraints(name, of, n):
                if name == "sequences" and not added.allowed:
                    rules.allowed[0].clear()
                elif added not in rules.constraints:
                    rules.constraints.append(added)
    rules.units.extend(list(unit) for unit in sorted(units) if len(unit) > 1)
    return rules


def constraints(name: str, of: list[Any], n: int) -> Iterator[Constraint]:
    """Yield the constraints of a primitive: `equal` may have several, a clause that always holds has none."""
    if name == "clause":
        if not any((cell, -v) in of[0] for cell, v in of[0]):
            yield constraint("clause", flat(of[0]), [cell for cell, _ in of[0]], name, of, n)
    elif name == "relation":
        yield constraint("pairs", [*of[:2], *flat(sorted(of[2]))], of[:2], name, of, n)
    elif name == "sum":
        yield constraint("sum", [of[2], *flat(zip(of[0], of[1], strict=True))], of[0], name, of, n)
    elif name == "equal":
        first, *others = of[0]
        for other in others:
            by = {cell: first.count(cell) - other.count(cell) for cell in [*first, *other]}
            by = {cell: k for cell, k in by.items() if k}
            if by:
                yield from constraints("sum", [list(by), list(by.values()), 0, False], n)
    elif name == "sequences":
        yield constraint("sequence", [len(of[0]), *of[0]], of[0], name, of, n)
    else:
        raise Refused(f"puzzle.json: the primitive `{name}` is not supported")


def flat(pairs: Any) -> list[int]:
    return [number for pair in pairs for number in pair]


def constraint(word: str, numbers: list[int], cells: Sequence[int], name: str, of: list[Any], n: int) -> Constraint:
    """Return a constraint with all values of its cells, each once, that it allows; of sequences, all sequences."""
    cells = list(cells if name == "sequences" else dict.fromkeys(cells))
    require(n ** len(cells) <= MOST_SEQUENCES, "puzzle.json: too many values of a constraint for this reader")
    fillings = itertools.product(range(1, n + 1), repeat=len(cells))
    if name == "sequences":
        allowed = frozenset(values for values in fillings if of[1](values))
    else:
        allowed = frozenset(v for v in fillings if MEANING[name](dict(zip(cells, v, strict=True)), *of))
    return Constraint(" ".join(map(str, [word, *numbers])), cells, allowed)


def automaton(allowed: frozenset[tuple[int, ...]], length: int) -> Steps:
    """Return the smallest automaton of some lists of values, its states numbered by the least values before them."""
    states, steps = [allowed] if allowed else [], Steps()
    for _ in range(length):
        numbers: dict[frozenset[tuple[int, ...]], int] = {}
        layer = dict[tuple[int, int], int]()
        for s, state in enumerate(states):
            rests: dict[int, set[tuple[int, ...]]] = {}
            for values in state:
                rests.setdefault(values[0], set()).add(values[1:])
            layer |= {(s, v): numbers.setdefault(frozenset(rests[v]), len(numbers)) for v in sorted(rests)}
        steps.append(layer)
        states = list(numbers)
    return steps


def compare_rules(folder: pathlib.Path, rules: Rules) -> None:
    """Check that rules.txt says what the puzzle says."""
    try:
        text = (folder / "rules.txt").read_bytes().decode("ascii")
    except (OSError, UnicodeDecodeError) as error:
        raise Refused(f"rules.txt: cannot be read as ASCII text ({type(error).__name__})") from None
    right = [f"cells {len(rules.allowed)}", f"values {rules.n}"]
    right += [" ".join(map(str, ["unit", *unit])) for unit in rules.units]
    for cell, allowed in enumerate(rules.allowed):
        right += [" ".join(map(str, ["allowed", cell, *sorted(allowed)]))] if len(allowed) < rules.n else []
    for line, cells, values in rules.constraints:
        steps = automaton(values, len(cells)) if line.startswith("sequence") else []
        right.append(" ".join([line, *(f"{p} {s} {v} {t}" for p, at in enumerate(steps) for (s, v), t in at.items())]))
    *lines, rest = text.split("\n")
    require(not rest, "rules.txt: the last line does not end in a newline")
    for number, (line, expected) in enumerate(itertools.zip_longest(lines, right), 1):
        require(line == expected, f"rules.txt: line {number} should be `{str(expected)[:60]}`, got `{str(line)[:60]}`")


def read_symmetries(by_number: Any, order: list[int], rules: Rules) -> dict[int, list[dict[int, int]]]:
    """Return for numbers of filled cells all products of the permutations, as the images of cells."""
    require(isinstance(by_number, dict), "count.json: symmetries are not an object")
    together = {pair for unit in rules.units for pair in itertools.permutations(unit, 2)}
    symmetries = {}
    for key, permutations in by_number.items():
        require(key in map(str, range(len(order) + 1)), f"count.json: symmetries after {key[:20]!r} cells")
        open_cells = order[int(key) :]
        require(isinstance(permutations, list), "count.json: symmetries are not lists")
        for images in permutations:
            require(is_permutation(images, open_cells), "count.json: a symmetry does not permute the open cells")
            image = dict(zip(open_cells, images, strict=True))
            for pair in itertools.combinations(open_cells, 2):
                same = (pair in together) == ((image[pair[0]], image[pair[1]]) in together)
                require(same, f"count.json: a symmetry does not keep the units of the cells {pair}")
        reading = any(set(images.cells) & set(open_cells) for images in rules.constraints)
        require(not reading, "count.json: a symmetry while a constraint has open cells")
        symmetries[int(key)] = [
            dict(zip(open_cells, images, strict=True)) for images in products(permutations, open_cells)
        ]
    return symmetries


def products(permutations: list[list[int]], cells: list[int]) -> list[tuple[int, ...]]:
    """Return all products of permutations, each as the images of the cells."""
    group = {tuple(cells): None}
    waiting = list(group)
    while waiting:
        image = dict(zip(cells, waiting.pop(), strict=True))
        for images in permutations:
            product = tuple(image[cell] for cell in images)
            if product not in group:
                group[product] = None
                waiting.append(product)
        require(len(group) <= MOST_PRODUCTS, "count.json: too many products of symmetries")
    return list(group)


class Automaton(NamedTuple):
    """A constraint that reads its cells as they are filled: their places in the order, and its transitions."""

    places: list[int]
    steps: Steps


def in_order(rule: Constraint, order: list[int], rules: Rules) -> Automaton:
    """Return the automaton of a constraint for an order of the cells."""
    together = {pair for unit in rules.units for pair in itertools.combinations(unit, 2)}
    differ = rule.line.startswith("sum") and rules.n <= MOST_DIFFERENT
    differ = differ and together.issuperset(itertools.combinations(sorted(rule.cells), 2))
    cells = sorted(dict.fromkeys(rule.cells), key=order.index)
    first = [rule.cells.index(cell) for cell in rule.cells]
    consistent = [
        values
        for values in rule.allowed
        if all(values[place] == v for place, v in zip(first, values, strict=True))
        and not (differ and len(set(values)) < len(values))
    ]
    fillings = frozenset(tuple(values[rule.cells.index(cell)] for cell in cells) for values in consistent)
    return Automaton([order.index(cell) for cell in cells], automaton(fillings, len(cells)))


def classes(n: int, automata: list[Automaton], i: int) -> list[int]:
    """Return for each value the least value that no automaton tells apart from it after i cells."""
    firsts: dict[frozenset[tuple[int, ...]], int] = {}
    least = [0]
    for value in range(1, n + 1):
        moves = [
            (a, at, s, t)
            for a, one in enumerate(automata)
            for at, (place, layer) in enumerate(zip(one.places, one.steps, strict=True))
            for (s, v), t in layer.items()
            if place >= i and v == value
        ]
        least.append(firsts.setdefault(frozenset(moves), value))
    return least


def recount(
    rules: Rules, order: list[int], symmetries: dict[int, list[dict[int, int]]]
) -> Iterator[tuple[int, int, str]]:
    """Yield of each layer the number of states, the sum of their ways, and their hash."""
    automata = [in_order(one, order, rules) for one in rules.constraints]
    bit = {cell: 1 << (len(order) - 1 - j) for j, cell in enumerate(order)}
    units = [sum(bit[cell] for cell in unit) for unit in rules.units]
    least = classes(rules.n, automata, 0)
    first = [sum(bit[c] for c in order if v in rules.allowed[c]) for v in range(1, rules.n + 1)]
    if automata:
        first = Narrowing(list(range(1, rules.n + 1)), units, automata, len(order)).narrowed(
            first, [0] * len(automata), 0
        )
    sets = zip(least[1:], first, strict=True)
    layer: dict[State, int] = {tuple(number for _, number in sorted(sets)): 1}
    for i, cell in enumerate(order, 1):
        flat_values = sorted(range(1, rules.n + 1), key=least.__getitem__)
        least = classes(rules.n, automata, i)
        narrowing = Narrowing(flat_values, units, automata, len(order))
        step = Step(i, bit[cell], units, [(v, least[v]) for v in flat_values], automata, narrowing)
        after: dict[State, int] = {}
        for state, ways in layer.items():
            for filled in step.fill(state):
                after[filled] = after.get(filled, 0) + ways
        layer = least_images(after, bit, symmetries[i]) if i in symmetries else after
        yield summary(layer, rules.n, len(order) - i)


class Step(NamedTuple):
    """The filling of the i-th cell: its bit, the units, a value of each set and its class after it, the automata."""

    i: int
    bit: int
    units: list[int]
    values: list[tuple[int, int]]
    automata: list[Automaton]
    narrowing: "Narrowing"

    def fill(self, state: State) -> Iterator[State]:
        """Yield the states that a state leads to, one for each set with the cell."""
        sets, being_read = state[: len(self.values)], state[len(self.values) :]
        peers = self.bit
        for unit in self.units:
            peers |= unit if unit & self.bit else 0
        for chosen, taken in enumerate(sets):
            after = self.read(self.values[chosen][0], being_read) if taken & self.bit else None
            if after is None:
                continue
            rests = [one & ~(peers if place == chosen else self.bit) for place, one in enumerate(sets)]
            if self.automata:
                rests = self.narrowing.narrowed(rests, after, self.i)
            if self.can_be_filled(rests):
                order = sorted((least, one) for (_, least), one in zip(self.values, rests, strict=True))
                reading = zip(self.automata, after, strict=True)
                yield (
                    *(one for _, one in order),
                    *(s for one, s in reading if one.places[0] < self.i <= one.places[-1]),
                )

    def read(self, value: int, being_read: State) -> list[int] | None:
        """Return the states of all automata after a value, 0 for those without; None if one has no state for it."""
        states, after = iter(being_read), []
        for places, steps in self.automata:
            n_read = sum(place < self.i - 1 for place in places)
            s = next(states) if 0 < n_read < len(places) else 0
            if self.i - 1 in places:
                if (s, value) not in steps[n_read]:
                    return None
                s = steps[n_read][s, value]
                n_read += 1
            after.append(s)
        return after

    def can_be_filled(self, sets: list[int]) -> bool:
        """Check that each open cell is in a set, and that no unit has more open cells than sets with one of them."""
        together = functools.reduce(operator.or_, sets)
        return together == self.bit - 1 and all(
            (unit & self.bit - 1).bit_count() <= sum(bool(unit & one) for one in sets) for unit in self.units
        )


class Narrowing(NamedTuple):
    """A puzzle whose sets are narrowed: the value of each set, the units, the automata, and the number of all cells."""

    values: list[int]
    units: list[int]
    automata: list[Automaton]
    n_cells: int

    def narrowed(self, sets: list[int], states: list[int], i: int) -> list[int]:
        """Return the sets after i cells, narrowed; the rules are tried by turns until none takes a cell."""
        may = {(j, v): bool(one >> self.n_cells - 1 - j & 1) for v, one in zip(self.values, sets, strict=True)
               for j in range(i, self.n_cells)}  # fmt: skip
        while taken := [key for key in self.excluded(may, states, i) if may[key]]:
            may.update(dict.fromkeys(taken, False))
        return [sum(1 << self.n_cells - 1 - j for j in range(i, self.n_cells) if may[j, v]) for v in self.values]

    def excluded(self, may: dict[tuple[int, int], bool], states: list[int], i: int) -> Iterator[tuple[int, int]]:
        """Yield places of the order with values that they cannot hold."""
        places = range(i, self.n_cells)
        for unit in self.units:
            cells = [j for j in places if unit >> self.n_cells - 1 - j & 1]
            for j in cells:
                own = [v for v in self.values if may[j, v]]
                yield from ((k, own[0]) for k in cells if k != j and len(own) == 1)
            where = {v: [j for j in cells if may[j, v]] for v in self.values}
            if sum(map(bool, where.values())) == len(cells):
                for v, only in where.items():
                    yield from ((only[0], w) for w in self.values if w != v and len(only) == 1)
        for (own_places, steps), s in zip(self.automata, states, strict=True):
            n_read = sum(j < i for j in own_places)
            rest = list(zip(own_places, steps, strict=True))[n_read:]
            for number, (j, _) in enumerate(rest):
                for v in self.values:
                    ends = {s}
                    for other, (k, layer) in enumerate(rest):
                        possible = [v] if other == number else self.values
                        ends = {layer[t, w] for t in ends for w in possible if may[k, w] and (t, w) in layer}
                    if not ends:
                        yield j, v


def least_images(layer: dict[State, int], bit: dict[int, int], images: list[dict[int, int]]) -> dict[State, int]:
    """Return a layer with the least image of each state, and the ways of all that have this one."""
    merged: dict[State, int] = {}
    for state, ways in layer.items():
        least = min(
            tuple(sorted(sum(bit[to] for cell, to in image.items() if one & bit[cell]) for one in state))
            for image in images
        )
        merged[least] = merged.get(least, 0) + ways
    return merged


def summary(layer: dict[State, int], n: int, n_open: int) -> tuple[int, int, str]:
    """Return the number of states, the sum of their ways, and the hash of all of them."""
    ways_in_all = sum(layer.values())
    width, size = -(-n_open // 8), max(1, -(-ways_in_all.bit_length() // 8))
    digest = hashlib.sha256()
    for state, ways in sorted(layer.items()):
        for number in state[:n]:
            digest.update(number.to_bytes(width, "big"))
        for number in state[n:]:
            digest.update(number.to_bytes(4, "big"))
        digest.update(ways.to_bytes(size, "big"))
    return len(layer), ways_in_all, digest.hexdigest()
