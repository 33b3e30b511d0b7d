"""Kinds of constraints for random puzzles, with definitions that share no code with the project.

Each is drawn for a puzzle as a line of text and what it demands of which cells, as `docs/constraints.md` says.
"""

from collections.abc import Callable, Sequence
from functools import partial
from itertools import combinations, pairwise
from math import prod

from tests.helpers.oracle import Cells, Check, Draw, not_consecutive

Values = Sequence[int]
Drawn = tuple[str, list[Check]]
Kind = Callable[[Draw], Drawn]


def _sums(first: Cells, second: Cells) -> Callable[[Values], bool]:
    """Return the condition that the first cells of a list add up to as much as the others."""
    return lambda values: sum(values[: len(first)]) == sum(values[len(first) :])


def _differ(values: Values) -> bool:
    return len(set(values)) == len(values)


# Lists of cells alone: the fewest and the most cells, and what must hold along the line.
LINES: dict[str, tuple[int, int, Callable[[Values, int], bool]]] = {
    "cage": (2, 4, lambda v, n: _differ(v)),
    "extra-region": (2, 4, lambda v, n: _differ(v)),
    "greater": (2, 3, lambda v, n: all(a > b for a, b in pairwise(v))),
    "thermometer": (2, 4, lambda v, n: all(a < b for a, b in pairwise(v))),
    "slow-thermometer": (2, 5, lambda v, n: all(a <= b for a, b in pairwise(v))),
    "palindrome": (2, 6, lambda v, n: list(v) == list(v)[::-1]),
    "renban": (2, 4, lambda v, n: _differ(v) and max(v) - min(v) == len(v) - 1),
    "nabner": (2, 3, lambda v, n: all(abs(a - b) >= 2 for a, b in combinations(v, 2))),
    "parity-line": (2, 5, lambda v, n: all((a + b) % 2 == 1 for a, b in pairwise(v))),
    "between": (3, 5, lambda v, n: all(min(v[0], v[-1]) < x < max(v[0], v[-1]) for x in v[1:-1])),
    "double-arrow": (3, 5, lambda v, n: v[0] + v[-1] == sum(v[1:-1])),
    "zipper": (3, 6, lambda v, n: _zips(v)),
    "entropic": (3, 5, lambda v, n: all({_third(x, n) for x in v[i : i + 3]} == {-1, 0, 1} for i in range(len(v) - 2))),
    "odd": (1, 3, lambda v, n: all(x % 2 == 1 for x in v)),
    "even": (1, 3, lambda v, n: all(x % 2 == 0 for x in v)),
    "counting-circles": (2, 6, lambda v, n: all(v.count(x) == x for x in v)),
    "slingshot": (4, 6, lambda v, n: v[1] <= len(v) - 2 and v[v[1] + 1] == v[0]),
    "equality-cage": (2, 4, lambda v, n: _differ(v) and _balanced(v, n)),
}


def _zips(values: Values) -> bool:
    ends = [values[at] + values[-1 - at] for at in range(len(values) // 2)]
    return len({*ends, *([values[len(values) // 2]] if len(values) % 2 else [])}) == 1


def _third(value: int, n: int) -> int:
    """Return -1 for a low value, 1 for a high one, else 0."""
    few = (n + 1) // 3
    return -1 if value <= few else 1 if value > n - few else 0


def _balanced(values: Values, n: int) -> bool:
    odd, low, high = (
        sum(map(test, values)) for test in (lambda v: v % 2, lambda v: 2 * v < n + 1, lambda v: 2 * v > n + 1)
    )
    return bool(2 * odd == len(values) and low == high and low + high == len(values))


def _line(kind: str) -> Kind:
    least, most, holds = LINES[kind]

    def drawn(draw: Draw) -> Drawn:
        cells = draw.walk(least, min(most, draw.n if kind in ("cage", "extra-region", "renban") else most))
        return f"{kind} {draw.named(cells)}", [(cells, lambda values: holds(list(values), draw.n))]

    return drawn


def _rising(values: Values) -> int:
    return sum(value > max(values[:at], default=0) for at, value in enumerate(values))


def _hidden(values: Values) -> int:
    """Return the first value that is not greater than all before it, 0 where there is none."""
    return next((value for at, value in enumerate(values) if value <= max(values[:at], default=0)), 0)


def _between_ends(values: Values, n: int) -> int:
    """Return the sum between 1 and n where each is there once, else -1."""
    if list(values).count(1) != 1 or list(values).count(n) != 1:
        return -1
    one, other = sorted((list(values).index(1), list(values).index(n)))
    return sum(values[one + 1 : other])


def _first_x(values: Values) -> int:
    return sum(values[: values[0]]) if values[0] <= len(values) else -1


def _xth(values: Values) -> int:
    return values[values[0] - 1] if values[0] <= len(values) else 0


# A number and cells: the fewest and the most cells, and the number that the values have; below 0 (or 0): none.
NUMBERS: dict[str, tuple[int, int, Callable[[Values, int], int]]] = {
    "sum": (1, 5, lambda v, n: sum(v)),
    "difference": (2, 2, lambda v, n: abs(v[0] - v[1])),
    "xv": (2, 2, lambda v, n: v[0] + v[1]),
    "skyscraper": (2, 5, lambda v, n: _rising(v)),
    "hidden-skyscraper": (2, 5, lambda v, n: _hidden(v)),
    "sandwich": (2, 6, _between_ends),
    "x-sum": (2, 5, lambda v, n: _first_x(v)),
    "numbered-room": (2, 5, lambda v, n: _xth(v)),
}


def _numbered(kind: str) -> Kind:
    least, most, number_of = NUMBERS[kind]

    def drawn(draw: Draw) -> Drawn:
        cells = draw.pair() if most == 2 else draw.walk(least, most)
        number = number_of(draw.values(cells), draw.n)
        if number < (1 if kind in ("difference", "hidden-skyscraper", "numbered-room") else 0):
            return extra_sum(draw)
        return f"{kind} {number} {draw.named(cells)}", [(cells, lambda values: number_of(values, draw.n) == number)]

    return drawn


def bounded(draw: Draw) -> Drawn:
    """Draw a sum, or a number beside the grid, with a range in place of its number."""
    kind = draw.chance.choice(["sum", "cage", "product", "sandwich", "x-sum", "skyscraper"])
    cells = draw.walk(2, min(4, draw.n))
    number_of = {"cage": NUMBERS["sum"][2], "product": lambda v, n: prod(v)}.get(kind) or NUMBERS[kind][2]
    number = number_of(draw.values(cells, differ=kind == "cage"), draw.n)
    if number < 0:
        return extra_sum(draw)
    least, most = number - draw.chance.randint(0, 2), number + draw.chance.randint(0, 2)
    word = draw.chance.choice([f">={least}", f"<={most}", f"{max(least, 0)}-{most}"])
    low, high = (least if ">" in word else -1 if "<" in word else max(least, 0)), (99999 if ">" in word else most)
    return f"{kind} {word} {draw.named(cells)}", [
        (cells, lambda v: low <= number_of(v, draw.n) <= high and (kind != "cage" or _differ(v)))
    ]


def extra_sum(draw: Draw) -> Drawn:
    """Draw a sum of cells, each times a number."""
    cells = draw.walk(2, 3)
    times = [draw.chance.choice([-2, -1, 1, 2, 3]) for _ in cells]
    total = sum(a * b for a, b in zip(times, draw.values(cells), strict=True))
    text = f"weighted-sum {total} {' '.join(map(str, times))} {draw.named(cells)}"
    return text, [(cells, lambda values: sum(a * b for a, b in zip(times, values, strict=True)) == total)]


def cage_with_sum(draw: Draw) -> Drawn:
    """Draw a killer cage."""
    cells = draw.walk(1, min(4, draw.n))
    total = sum(draw.values(cells, differ=True))
    return f"cage {total} {draw.named(cells)}", [(cells, lambda values: _differ(values) and sum(values) == total)]


def arrow(draw: Draw) -> Drawn:
    """Draw an arrow whose circle has one cell or two."""
    circle, *line = draw.walk(3, 5)
    if draw.chance.random() < 0.2 and len(line) > 2:
        cells = (circle, *line)
        text = f"arrow {draw.named(cells[:2])} / {draw.named(cells[2:])}"
        return text, [(cells, lambda values: 10 * values[0] + values[1] == sum(values[2:]))]
    text = f"arrow {draw.named((circle,))} / {draw.named(tuple(line))}"
    return text, [((circle, *line), lambda values: values[0] == sum(values[1:]))]


def equal_sums(draw: Draw) -> Drawn:
    """Draw two lists of cells with the same sum."""
    cells = draw.walk(3, 5)
    cut = draw.chance.randint(1, len(cells) - 1)
    text = f"equal-sums {draw.named(cells[:cut])} / {draw.named(cells[cut:])}"
    return text, [(cells, _sums(cells[:cut], cells[cut:]))]


def clone(draw: Draw) -> Drawn:
    """Draw two lists of cells that are equal one by one, or as a whole in any order."""
    cells = draw.walk(4, 4)
    first, second = cells[:2], cells[2:]
    if draw.chance.random() < 0.5:
        text = f"same-values {draw.named(first)} / {draw.named(second)}"
        return text, [(cells, lambda values: sorted(values[:2]) == sorted(values[2:]))]
    return f"clone {draw.named(first)} / {draw.named(second)}", [(cells, lambda values: values[:2] == values[2:])]


def ratio(draw: Draw) -> Drawn:
    """Draw a black dot, or a difference of 1 by its short form."""
    cells = draw.pair()
    if draw.chance.random() < 0.3:
        return f"difference {draw.named(cells)}", [(cells, lambda values: abs(values[0] - values[1]) == 1)]
    times = draw.chance.choice([2, 2, 3]) if draw.n > 2 else 2
    written = "" if times == 2 and draw.chance.random() < 0.5 else f" {times}"
    text = f"ratio{written} {draw.named(cells)}"
    return text, [(cells, lambda values: max(values) == times * min(values))]


def values(draw: Draw) -> Drawn:
    """Draw the values that cells may have."""
    cells = draw.walk(1, 3)
    chosen = {*draw.values(cells), draw.chance.randint(1, draw.n)}
    text = f"values {' '.join(map(str, sorted(chosen)))} {draw.named(cells)}"
    return text, [((cell,), lambda values: values[0] in chosen) for cell in cells]


def quadruple(draw: Draw) -> Drawn:
    """Draw values that are in some cells, each at least as often as it is named."""
    cells = draw.walk(3, 4)
    named = draw.values(cells)[: draw.chance.randint(1, 3)]
    text = f"quadruple {' '.join(map(str, named))} {draw.named(cells)}"
    return text, [(cells, lambda values: all(list(values).count(value) >= named.count(value) for value in named))]


def whispers(draw: Draw) -> Drawn:
    """Draw a line whose neighbours differ by at least a number."""
    cells, least = draw.walk(2, 4), draw.chance.randint(1, max(1, draw.n - 2))
    text = f"whispers {least} {draw.named(cells)}"
    return text, [(cells, lambda values: all(abs(a - b) >= least for a, b in pairwise(values)))]


def lockout(draw: Draw) -> Drawn:
    """Draw a line whose ends lie far from each other, and no other cell of it between them."""
    cells, least = draw.walk(2, 5), draw.chance.randint(1, draw.n - 1)

    def holds(values: Values) -> bool:
        low, high = sorted((values[0], values[-1]))
        return high - low >= least and not any(low <= value <= high for value in values[1:-1])

    return f"lockout {least} {draw.named(cells)}", [(cells, holds)]


def modular(draw: Draw) -> Drawn:
    """Draw a line on which any so many cells in a row have different remainders."""
    cells, m = draw.walk(3, 5), draw.chance.randint(2, min(3, draw.n))
    text = f"modular {m} {draw.named(cells)}"
    runs = range(len(cells) - m + 1)
    return text, [(cells, lambda values: all(_differ([v % m for v in values[i : i + m]]) for i in runs))]


def count_distinct(draw: Draw) -> Drawn:
    """Draw a cell that says how many different values others hold."""
    cells = draw.walk(3, 5)
    text = f"count-distinct {draw.named(cells[:1])} / {draw.named(cells[1:])}"
    return text, [(cells, lambda values: values[0] == len(set(values[1:])))]


def look_and_say(draw: Draw) -> Drawn:
    """Draw how many cells hold a value."""
    cells = draw.walk(2, 5)
    value = draw.chance.randint(1, draw.n)
    number = draw.values(cells).count(value)
    text = f"look-and-say {number} {value} {draw.named(cells)}"
    return text, [(cells, lambda values: list(values).count(value) == number)]


def rellik(draw: Draw) -> Drawn:
    """Draw a cage of which no set of cells adds up to a number."""
    cells = draw.walk(2, min(4, draw.n))
    number = draw.chance.randint(1, 2 * draw.n)

    def holds(values: Values) -> bool:
        sets = (part for size in range(1, len(values) + 1) for part in combinations(values, size))
        return _differ(values) and all(sum(part) != number for part in sets)

    # A number that no set can add up to is refused by the program, as a clue that says nothing.
    if number > draw.n:
        number = draw.chance.randint(1, draw.n)
    return f"rellik-cage {number} {draw.named(cells)}", [(cells, holds)]


# Of two neighbours on a line: an expression, and the same here.
EXPRESSIONS: dict[str, Callable[[int, int, int], bool]] = {
    "a + b > n": lambda a, b, n: a + b > n,
    "|a - b| != 2": lambda a, b, n: abs(a - b) != 2,
    "a % 2 == 0 or b > a": lambda a, b, n: a % 2 == 0 or b > a,
    "max(a, b) >= 2 * min(a, b)": lambda a, b, n: max(a, b) >= 2 * min(a, b),
    "a * b <= n + 1 and not a == b": lambda a, b, n: a * b <= n + 1 and a != b,
}


def relation(draw: Draw) -> Drawn:
    """Draw a relation of one's own, as an expression or as a table."""
    cells, n = draw.walk(2, 4), draw.n
    if draw.chance.random() < 0.4:
        table = [[draw.chance.randint(1, n) for _ in range(3)] for _ in range(3)]
        words = " ".join("".join(map(str, word)) for word in table)
        follow = {(word[0], other) for word in table for other in word[1:]}
        return f"pairs {words}: {draw.named(cells)}", [
            (cells, lambda values: all(p in follow for p in pairwise(values)))
        ]
    text = draw.chance.choice(list(EXPRESSIONS))
    holds = EXPRESSIONS[text]
    return f"relation {text}: {draw.named(cells)}", [
        (cells, lambda values: all(holds(a, b, n) for a, b in pairwise(values)))
    ]


def extreme(kind: str, beats: Callable[[int, int], bool]) -> Kind:
    """Return how cells are drawn that are smaller, or greater, than all beside them that are not marked."""

    def drawn(draw: Draw) -> Drawn:
        cells = draw.walk(1, 2)
        pairs = [(cell, other) for cell in cells for other in draw.beside(cell) if other not in cells]
        return f"{kind} {draw.named(cells)}", [(pair, lambda values: beats(values[0], values[1])) for pair in pairs]

    return drawn


def _apart(draw: Draw, test: Callable[[list[int]], bool], holds: Callable[[Values], bool]) -> list[Check]:
    """Return a demand for each two cells whose coordinates differ so, in rising order."""
    places = draw.board.places
    steps = {
        pair: sorted(abs(a - b) for a, b in zip(*(places[cell] for cell in pair), strict=True))
        for pair in combinations(range(len(places)), 2)
    }
    return [(pair, holds) for pair, step in steps.items() if test(step)]


def anti_knight(draw: Draw) -> Drawn:
    """Draw that cells a knight's move apart differ."""
    return "anti-knight", _apart(draw, lambda step: step[-2:] == [1, 2] and not any(step[:-2]), _differ)


def anti_king(draw: Draw) -> Drawn:
    """Draw that cells that touch differ."""
    return "anti-king", _apart(draw, lambda step: step[-1] == 1, _differ)


def non_consecutive(draw: Draw) -> Drawn:
    """Draw that neighbours do not differ by 1."""
    return "non-consecutive", _apart(draw, lambda step: sum(step) == 1, not_consecutive)


def alternatives(kind: str, enough: Callable[[int], bool], draw: Draw) -> Drawn:
    """Draw two or three alternatives of one or two constraints each, and how many of them hold."""
    simple = [
        "cage",
        "thermometer",
        "palindrome",
        "renban",
        "even",
        "whispers",
        "cage-sum",
        "arrow",
        "relation",
        "values",
    ]
    texts: list[str] = []
    ways: list[list[Check]] = []
    for _ in range(draw.chance.choice([2, 2, 3])):
        parts = [KINDS[draw.chance.choice(simple)](draw) for _ in range(draw.chance.choice([1, 1, 2]))]
        # A relation has the signs that stand between alternatives in its own expression.
        texts.append(" & ".join(text for text, _ in parts))
        ways.append([check for _, checks in parts for check in checks])
    cells = tuple(sorted({cell for way in ways for own, _ in way for cell in own}))
    at = {cell: index for index, cell in enumerate(cells)}

    def holds(values: Values) -> bool:
        return enough(sum(all(own([values[at[cell]] for cell in names]) for names, own in way) for way in ways))

    return f"{kind} {' | '.join(texts)}", [(cells, holds)]


KINDS: dict[str, Kind] = {
    **{kind: _line(kind) for kind in LINES},
    **{kind: _numbered(kind) for kind in NUMBERS},
    "cage-sum": cage_with_sum,
    "weighted-sum": extra_sum,
    "bounded": bounded,
    "arrow": arrow,
    "equal-sums": equal_sums,
    "clone": clone,
    "ratio": ratio,
    "values": values,
    "quadruple": quadruple,
    "whispers": whispers,
    "lockout": lockout,
    "modular": modular,
    "count-distinct": count_distinct,
    "look-and-say": look_and_say,
    "rellik-cage": rellik,
    "relation": relation,
    "minimum": extreme("minimum", lambda own, other: own < other),
    "maximum": extreme("maximum", lambda own, other: own > other),
    "anti-knight": anti_knight,
    "anti-king": anti_king,
    "non-consecutive": non_consecutive,
    "either": partial(alternatives, "either", lambda number: number >= 1),
    "exactly-one": partial(alternatives, "exactly-one", lambda number: number == 1),
}
