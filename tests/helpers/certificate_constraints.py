"""The constraints of a certificate for the second reader, from docs/internals/certificates.md alone, in plain Python.

It shares no code with sudoku_encode and must not. `certificate_lines` reads the lines, and what primitives mean, and
their clauses, is in `certificate_primitives`.
"""

import itertools
import math
import re
from collections.abc import Callable, Iterator, Sequence

from tests.helpers import certificate_alternatives, certificate_ranks
from tests.helpers.certificate_lines import UNITS, Board, Line, all_pairs, number, parse, place, steps, units
from tests.helpers.certificate_primitives import Cells, Holds, Primitive

SYMBOLS = "123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"


def primitives(line: Line, board: Board, all_lines: Sequence[Line]) -> Iterator[Primitive]:
    """Yields the primitives of a constraint, by the table of the page."""
    if line.kind in ("either", "exactly-one"):
        yield from certificate_alternatives.of_alternatives(
            [[one for some in lines for one in primitives(some, board, lines)] for lines in alternatives(line, board)],
            board.n,
            line.kind == "exactly-one",
        )
    elif line.kind in certificate_ranks.PRIMITIVES:
        yield from certificate_ranks.PRIMITIVES[line.kind](line, board, all_lines)
    elif certificate_ranks.counts_hidden(line, board):
        yield from distinct(line, board, all_lines)
    else:
        yield from of_table(line, board, all_lines)


def of_table(line: Line, board: Board, all_lines: Sequence[Line]) -> Iterator[Primitive]:
    """Yields the primitives of a constraint of the kinds that are made of no others."""
    kind, n = line.kind, board.n
    cells = line.lists[0] if line.lists else []
    yield from (("unit", (group,)) for group in units(line, board))
    if kind in SUMS:
        yield from sums(line, board)
    elif kind in ("odd", "even"):
        yield from (("allowed", (cell, {v for v in range(1, n + 1) if v % 2 == (kind == "odd")})) for cell in cells)
    elif kind == "values":
        yield from (("allowed", (cell, set(line.numbers))) for cell in cells)
    elif kind in RELATIONS:
        yield from related(pairs_of(line, board, all_lines), RELATIONS[kind](line, n), n)
    elif kind == "renban" and len(cells) > 6:
        yield from related(itertools.combinations(cells, 2), lambda a, b: 0 < abs(a - b) < len(cells), n)
    elif kind == "product":
        yield from of_each_size(cells, lambda *held: line.fits(math.prod(held)), n)
    elif kind in SEQUENCES:
        if len(cells) > {"renban": 1, "between": 2}.get(kind, 0):
            yield "sequences", (read_order(line), SEQUENCES[kind](line, n))
    elif kind in REGIONS:
        yield from REGIONS[kind](line, board)
    elif kind in COUNTS:
        yield from COUNTS[kind](line, n)
    elif kind.endswith("-indexer") and kind.startswith("negative-"):
        yield from (("clause", (literals,)) for literals in not_indexed(line, board, all_lines))
    elif kind not in UNITS:
        yield from (("clause", (literals,)) for literals in CLAUSES[kind](line, board))


def alternatives(line: Line, board: Board) -> list[list[Line]]:
    """Returns the constraints of each alternative; in an expression | and & are signs like others, up to its colon."""
    found: list[list[list[str]]] = [[[]]]
    for word in line.expression.split(" "):
        words = found[-1][-1]
        ended = (
            not words
            or words[0] not in ("relation", "regex", "pairs", "automaton")
            or any(w.endswith(":") for w in words)
        )
        if word == "|" and ended:
            found.append([[]])
        elif word == "&" and ended:
            found[-1].append([])
        else:
            words.append(word)
    return [[parse(" ".join(words), board) for words in lines] for lines in found]


def circles(line: Line, n: int) -> Iterator[Primitive]:
    """Yields that each value up to a number comes never, or as often as it says."""
    cells = line.lists[0]
    most = min(len(cells), n)
    yield from (("allowed", (cell, set(range(1, most + 1)))) for cell in cells)
    for v in range(1, most + 1):
        yield "sequences", (cells, lambda held, v=v: held.count(v) in (0, v))


def look_and_say(line: Line, n: int) -> Iterator[Primitive]:
    """Yields that each value comes as often as the number before it says."""
    cells = line.lists[0]
    for times, v in zip(line.numbers[::2], line.numbers[1::2], strict=True):
        if times:
            yield "sequences", (cells, lambda held, times=times, v=v: held.count(v) == times)
        else:
            yield from (("allowed", (cell, set(range(1, n + 1)) - {v})) for cell in cells)


def slingshot(line: Line, n: int) -> Iterator[Primitive]:
    """Yields that the second cell is a place after both, and that the first has the value of the cell there."""
    first, second, *others = line.lists[0]
    yield "allowed", (second, set(range(1, min(len(others), n) + 1)))
    for (x, other), v in itertools.product(enumerate(others[:n], 1), range(1, n + 1)):
        yield "clause", ([(second, -x), (first, -v), (other, v)],)
        yield "clause", ([(second, -x), (first, v), (other, -v)],)


def same_values(line: Line, n: int) -> Iterator[Primitive]:
    """Yields for each list but the first that each value comes in it as often as in the first."""
    first = line.lists[0]
    for cells in line.lists[1:]:
        if len(cells) != len(first):
            raise ValueError("the lists differ in length")
        if len(first) == 1:
            yield from related([(first[0], cells[0])], lambda a, b: a == b, n)
            continue
        left = [cell for cell in first if cell not in cells]
        k = len(left)
        right = [cell for cell in cells if cell not in first]
        for v in range(1, n + 1) if left else ():
            yield "sequences", ([*left, *right], lambda held, k=k, v=v: held[:k].count(v) == held[k:].count(v))


def distinct(line: Line, board: Board, all_lines: Sequence[Line]) -> Iterator[Primitive]:
    """Yields that a hidden cell for each value says whether it is there, and how many are."""
    (control,), cells = line.lists
    first = certificate_ranks.first_own_cell(line, board, all_lines)
    flags = list(range(first, first + board.n))
    for v, flag in enumerate(flags, 1):
        yield "allowed", (flag, {1, 2})
        yield "clause", ([(flag, -2), *((cell, v) for cell in cells)],)
        yield from (("clause", ([(flag, 2), (cell, -v)],)) for cell in cells)
    yield from total([control, *flags], [1, *[-1] * board.n], -board.n)


def touching(cells: Cells, board: Board) -> list[tuple[int, int]]:
    """Returns the places in a list of cells that touch; hidden cells stand for those of the grid."""
    size = len(board.names)
    grid = [cell % size for cell in cells]
    at = {cell: place for place, cell in enumerate(grid)}
    pairs = [pair for pair in all_pairs(board) if sum(steps(*pair, board)) == 1 and set(pair) <= at.keys()]
    return [(min(at[a], at[b]), max(at[a], at[b])) for a, b in pairs]


def chaos(line: Line, board: Board) -> Iterator[Primitive]:
    """Yields which regions each cell may be in, and that there are regions."""
    cells = line.lists[0]
    for at, cell in enumerate(cells):
        yield "allowed", (cell, set(range(1, min(len(cells) // board.n, at + 1) + 1)))
    yield "regions", (list(range(len(cells))), cells, touching(cells, board))


def region_clue(line: Line, board: Board) -> Iterator[Primitive]:
    """Yields the run of the lines after the first list, or of each cell alone."""
    (control,), *lines = line.lists
    arms = [one[1:] for one in lines] if line.kind == "region-run" else [[cell] for cell in lines[0][1:]]
    yield "runs", (control, lines[0][0], arms, (line.numbers or [0])[0])


def connected(line: Line, board: Board) -> Iterator[Primitive]:
    cells = line.lists[0] if line.lists else list(range(len(board.names)))
    least, most = line.range or (1, len(cells))
    bounds = int(max(1, least)), int(min(most, len(cells)))
    yield "connected", (cells, line.numbers, touching(cells, board), *bounds)


REGIONS: dict[str, Callable[[Line, Board], Iterator[Primitive]]] = {
    "chaos-construction": chaos,
    "region-run": region_clue,
    "region-count": region_clue,
    "connected": connected,
}


COUNTS: dict[str, Callable[[Line, int], Iterator[Primitive]]] = {
    "counting-circles": circles,
    "look-and-say": look_and_say,
    "same-values": same_values,
    "slingshot": slingshot,
}


SUMS = ("cage", "sum", "little-killer", "arrow", "double-arrow", "equal-sums", "region-sums", "zipper", "weighted-sum")


def sums(line: Line, board: Board) -> Iterator[Primitive]:
    """Yields the sums of the kinds that are made of them."""
    kind, numbers, lists = line.kind, line.numbers, line.lists
    cells = lists[0]
    if kind == "arrow":
        yield from total([*lists[1], *cells], [1] * len(lists[1]) + [-100, -10, -1][-len(cells) :], 0)
    elif kind == "double-arrow":
        yield from total(cells, [1, *[-1] * (len(cells) - 2), 1], 0)
    elif kind == "weighted-sum" and not line.range:
        yield from total(cells, numbers[1:], numbers[0])
    elif kind in ("equal-sums", "region-sums", "zipper"):
        parts = lists if kind == "equal-sums" else by_box(cells, board) if kind == "region-sums" else mirrored(cells)
        if len(parts) > 1:
            yield "equal", (parts,)
    elif line.range:
        yield from within(line, board.n)
    elif numbers:
        yield from total(cells, [1] * len(cells), numbers[0], kind == "cage")


def within(line: Line, n: int) -> Iterator[Primitive]:
    """Yields that a sum is in a range: of the cells that are left with coefficients other than 0."""
    differ = line.kind == "cage" and n <= 9
    times = line.numbers if line.kind == "weighted-sum" else [1] * len(line.lists[0])
    kept = [(cell, factor) for cell, factor in zip(line.lists[0], times, strict=True) if factor]

    def holds(*held: int) -> bool:
        is_sum = line.fits(sum(factor * v for (_, factor), v in zip(kept, held, strict=True)))
        return is_sum and (len(set(held)) == len(held) or not (differ or (line.kind == "cage" and len(held) == 2)))

    yield from of_each_size([cell for cell, _ in kept], holds, n)


def of_each_size(cells: Cells, holds: Holds, n: int) -> Iterator[Primitive]:
    """Yields what one cell may hold, the relation of two, or the sequences of more; of none a clause at most."""
    if not cells:
        yield from [] if holds() else [("clause", ([],))]
    elif len(cells) == 1:
        yield "allowed", (cells[0], {v for v in range(1, n + 1) if holds(v)})
    elif len(cells) == 2:
        yield from related([(cells[0], cells[1])], holds, n)
    else:
        yield "sequences", (cells, lambda held: holds(*held))


def total(cells: Cells, coefficients: Sequence[int], amount: int, differ: bool = False) -> Iterator[Primitive]:
    """Yields a sum in which each cell comes once."""
    added: dict[int, int] = {}
    for cell, coefficient in zip(cells, coefficients, strict=True):
        added[cell] = added.get(cell, 0) + coefficient
    kept = {cell: coefficient for cell, coefficient in added.items() if coefficient}
    if kept:
        yield "sum", (list(kept), list(kept.values()), amount, differ)
    elif amount:
        yield "clause", ([],)


def by_box(cells: Cells, board: Board) -> list[list[int]]:
    box_of = {cell: at for at, box in enumerate(board.boxes) for cell in box}
    return [list(part) for _, part in itertools.groupby(cells, box_of.__getitem__)]


def mirrored(cells: Cells) -> list[list[int]]:
    half = len(cells) // 2
    return [[cells[at], cells[-1 - at]] for at in range(half)] + ([[cells[half]]] if len(cells) % 2 else [])


def related(pairs: "Iterator[tuple[int, int]] | list[tuple[int, int]]", holds: Holds, n: int) -> Iterator[Primitive]:
    """Yields the relation of each pair."""
    for a, b in pairs:
        if a == b:
            yield "allowed", (a, {v for v in range(1, n + 1) if holds(v, v)})
        else:
            table = {(v, w) for v, w in itertools.product(range(1, n + 1), repeat=2) if holds(v, w)}
            yield "relation", (a, b, table)


def pairs_of(line: Line, board: Board, all_lines: Sequence[Line]) -> list[tuple[int, int]]:
    """Returns the pairs of cells that a kind relates."""
    kind, cells = line.kind, line.lists[0] if line.lists else []
    if kind in ("nabner", "entropic", "modular"):
        near = {"nabner": len(cells), "entropic": 3, "modular": (line.numbers or [3])[0]}[kind]
        return [(a, b) for (i, a), (j, b) in itertools.combinations(enumerate(cells), 2) if j - i < near]
    if kind in ("clone", "palindrome"):
        halves = line.lists if kind == "clone" else [cells[: len(cells) // 2], cells[: (len(cells) - 1) // 2 : -1]]
        return [(a, b) for a, b in zip(*halves, strict=True) if a != b]
    if kind == "equal-planes":
        axis, *planes = line.numbers
        sides = [[cell for cell in board.names.values() if place(cell, board)[axis - 1] == plane] for plane in planes]
        return [pair for side in sides[1:] for pair in zip(sides[0], side, strict=True)]
    touching = [pair for pair in all_pairs(board) if sum(steps(*pair, board)) == 1]
    if kind in NEGATIVE:
        marked = [set(other.lists[0]) for other in all_lines if other.kind in NEGATIVE[kind]]
        return [pair for pair in touching if set(pair) not in marked]
    if kind in ("minimum", "maximum"):
        marks = {cell for other in all_lines if other.kind == kind for cell in other.lists[0]}
        return [(a, sum(pair) - a) for a in cells for pair in touching if a in pair and sum(pair) - a not in marks]
    return list(itertools.pairwise(cells))


NEGATIVE = {
    "non-consecutive": ("difference",),
    "negative-difference": ("difference", "ratio"),
    "negative-ratio": ("difference", "ratio"),
    "negative-xv": ("xv",),
}


def third(v: int, n: int) -> int:
    size = (n + 1) // 3
    return 0 if v <= size else 2 if v > n - size else 1


def own(line: Line, n: int) -> Holds:
    """Returns what a relation of one's own says."""
    text = re.sub(r"\|([^|]*)\|", r"abs(\1)", line.expression)
    code = compile(re.sub(r"(?<![<>=!])=(?!=)", "==", text), "relation", "eval")
    return lambda a, b: bool(
        eval(code, {"__builtins__": {}}, {"a": a, "b": b, "n": n, "abs": abs, "min": min, "max": max})
    )


def words(line: Line) -> Holds:
    """Returns what words of pairs say: a value, and all that may follow it."""
    allowed = {(word[0], second) for word in line.expression.split() for second in word[1:]}
    return lambda a, b: (SYMBOLS[a - 1], SYMBOLS[b - 1]) in allowed


RELATIONS: dict[str, Callable[[Line, int], Holds]] = {
    "thermometer": lambda line, n: lambda a, b: a < b,
    "slow-thermometer": lambda line, n: lambda a, b: a <= b,
    "greater": lambda line, n: lambda a, b: a > b,
    "whispers": lambda line, n: lambda a, b: abs(a - b) >= (line.numbers or [(n + 1) // 2])[0],
    "parity-line": lambda line, n: lambda a, b: (a + b) % 2 == 1,
    "relation": own,
    "pairs": lambda line, n: words(line),
    "difference": lambda line, n: lambda a, b: abs(a - b) == (line.numbers or [1])[0],
    "ratio": lambda line, n: lambda a, b: max(a, b) == (line.numbers or [2])[0] * min(a, b),
    "xv": lambda line, n: lambda a, b: a + b == line.numbers[0],
    "nabner": lambda line, n: lambda a, b: abs(a - b) > 1,
    "entropic": lambda line, n: lambda a, b: third(a, n) != third(b, n),
    "modular": lambda line, n: lambda a, b: (a - b) % (line.numbers or [3])[0] != 0,
    "clone": lambda line, n: lambda a, b: a == b,
    "equal-planes": lambda line, n: lambda a, b: a == b,
    "palindrome": lambda line, n: lambda a, b: a == b,
    "non-consecutive": lambda line, n: lambda a, b: abs(a - b) != 1,
    "negative-difference": lambda line, n: lambda a, b: abs(a - b) not in (line.numbers or [1]),
    "negative-ratio": lambda line, n: lambda a, b: all(max(a, b) != k * min(a, b) for k in line.numbers or [2]),
    "negative-xv": lambda line, n: lambda a, b: a + b not in (line.numbers or [5, 10]),
    "minimum": lambda line, n: lambda a, b: a < b,
    "maximum": lambda line, n: lambda a, b: a > b,
}


def is_sandwich(held: Cells, line: Line, n: int) -> bool:
    crusts = [at for at, v in enumerate(held) if v in (line.others or (1, n))]
    if len(crusts) != 2 or held[crusts[0]] == held[crusts[1]]:
        return False
    return line.fits(sum(held[crusts[0] + 1 : crusts[1]]))


def is_cut(held: Cells, amount: int) -> bool:
    """Says whether values, in their order, are pieces that each add up to an amount."""
    ends = list(itertools.accumulate(held))
    return all(end in ends for end in range(amount, ends[-1] + 1, amount)) and ends[-1] % amount == 0


def is_loop(held: Cells, amount: int) -> bool:
    """Says whether one of the copies of a loop is cut into pieces; the k-th begins with a sum of k - 1 at hand."""
    size = len(held) // amount
    for before in range(amount):
        ends = list(itertools.accumulate(held[before * size : (before + 1) * size], initial=before))
        cuts = range(amount, ends[-1] + 1, amount)
        if all(cut in ends for cut in cuts) and ends[-1] % amount == before:
            return True
    return False


def is_lunchbox(held: Cells, amount: int) -> bool:
    """Says whether no value is the smallest or largest of those before it, and those between both add up so."""
    if any(held[at] in (min(held[:at]), max(held[:at])) for at in range(1, len(held))):
        return False
    first, last = sorted((held.index(min(held)), held.index(max(held))))
    return sum(held[first + 1 : last]) == amount


def has_part(held: Cells, amount: int) -> bool:
    return any(sum(some) == amount for size in range(1, len(held) + 1) for some in itertools.combinations(held, size))


def is_equal(held: Cells, n: int) -> bool:
    low, high = sum(2 * v < n + 1 for v in held), sum(2 * v > n + 1 for v in held)
    return low == high and low + high == len(held) == 2 * sum(v % 2 for v in held)


def first_hidden(held: Cells) -> int:
    """Returns the first value that is not greater than all before it; 0 where there is none."""
    return next((v for at, v in enumerate(held) if at and v <= max(held[:at])), 0)


def is_led(held: Cells, states: list[str], n: int) -> bool:
    """Says whether moves such as `12>1`, of the state that is the word of that number, lead to one with `!`."""
    at = 0
    for v in held:
        moves = [part.split(">") for part in states[at].removeprefix("!").split(",") if part]
        ways = [int(to) for symbols, to in moves if symbols == "." or SYMBOLS[v - 1] in symbols]
        if len(ways) != 1:
            return False
        at = ways[0]
    return states[at].startswith("!")


def read_order(line: Line) -> list[int]:
    """Returns the cells of a line in the order in which they are read."""
    cells = line.lists[0]
    if line.kind in ("between", "lockout"):
        return [cells[0], cells[-1], *cells[1:-1]]
    if line.kind == "sum-loop":
        return cells * line.numbers[0]
    return [*line.lists[1], *cells] if line.kind == "count-distinct" else cells


SEQUENCES: dict[str, Callable[[Line, int], Holds]] = {
    "renban": lambda line, n: lambda held: sorted(held) == list(range(min(held), min(held) + len(held))),
    "between": lambda line, n: lambda held: all(min(held[:2]) < v < max(held[:2]) for v in held[2:]),
    "lockout": lambda line, n: (
        lambda held: (
            abs(held[0] - held[1]) >= (line.numbers or [4])[0]
            and not any(min(held[:2]) <= v <= max(held[:2]) for v in held[2:])
        )
    ),
    "sandwich": lambda line, n: lambda held: is_sandwich(held, line, n),
    "x-sum": lambda line, n: lambda held: held[0] <= len(held) and line.fits(sum(held[: held[0]])),
    "skyscraper": lambda line, n: (
        lambda held: line.fits(sum(v > max(held[:at], default=0) for at, v in enumerate(held)))
    ),
    "sum-line": lambda line, n: lambda held: is_cut(held, line.numbers[0]),
    "sum-loop": lambda line, n: lambda held: is_loop(held, line.numbers[0]),
    "lunchbox": lambda line, n: lambda held: is_lunchbox(held, line.numbers[0]),
    "rellik-cage": lambda line, n: lambda held: not has_part(held, line.numbers[0]),
    "equality-cage": lambda line, n: lambda held: is_equal(held, n),
    "count-distinct": lambda line, n: lambda held: held[-1] == len(set(held[:-1])),
    "hidden-skyscraper": lambda line, n: lambda held: first_hidden(held) == line.numbers[0],
    "automaton": lambda line, n: lambda held: is_led(held, line.expression.split(), n),
    "regex": lambda line, n: lambda held: bool(re.fullmatch(line.expression, "".join(SYMBOLS[v - 1] for v in held))),
}


# Literals are (cell, v), or (cell, -v) for `not v`.
Literals = list[tuple[int, int]]


def taxicab(line: Line, board: Board) -> Iterator[Literals]:
    for a, b in all_pairs(board):
        apart = sum(steps(a, b, board))
        if apart <= board.n:
            yield [(a, -apart), (b, -apart)]


def quadruple(line: Line, board: Board) -> Iterator[Literals]:
    cells = line.lists[0]
    for v in set(line.numbers):
        for some in itertools.combinations(cells, len(cells) - line.numbers.count(v) + 1):
            yield [(cell, v) for cell in some]


def numbered_room(line: Line, board: Board) -> Iterator[Literals]:
    cells = line.lists[0]
    for x in range(1, board.n + 1):
        yield [(cells[0], -x), *([(cells[x - 1], line.numbers[0])] if x <= len(cells) else [])]


def of_squares(line: Line, board: Board) -> Iterator[Literals]:
    """Yields the clauses that each 2x2 square has a value of each class."""
    n, m, (rows, columns) = board.n, (line.numbers or [3])[0], board.sides
    classes = {v: third(v, n) if line.kind == "global-entropy" else v % m for v in range(1, n + 1)}
    for r, c, one in itertools.product(range(rows - 1), range(columns - 1), sorted(set(classes.values()))):
        square = [r * columns + c, r * columns + c + 1, (r + 1) * columns + c, (r + 1) * columns + c + 1]
        yield [(cell, v) for cell in square for v in classes if classes[v] == one]


def flatmates(line: Line, board: Board) -> Iterator[Literals]:
    """Yields the clauses that above each middle value there is a 1, or below it the largest."""
    (rows, columns), n = board.sides, board.n
    if n % 2 == 0:
        raise ValueError("no value is the middle one")
    for r, c in itertools.product(range(rows), range(columns)):
        mates = [(number((at, c), board), v) for at, v in ((r - 1, 1), (r + 1, n)) if 0 <= at < rows]
        yield [(number((r, c), board), -((n + 1) // 2)), *mates]


def lines_of(cell: int, board: Board) -> dict[str, tuple[list[int], int]]:
    """Returns the column, the row and the box of a cell by the kind that indexes it, each with its place there."""
    (rows, columns), (r, c) = board.sides, place(cell, board)
    lines = {
        "row-indexer": [number((row, c), board) for row in range(rows)],
        "column-indexer": [number((r, column), board) for column in range(columns)],
        "box-indexer": next((box for box in board.boxes if cell in box), [cell]),
    }
    return {kind: (line, line.index(cell) + 1) for kind, line in lines.items()}


def indexed(line: Line, board: Board) -> Iterator[Literals]:
    """Yields the clauses of cells that say where a value is in their row, their column or their box."""
    for cell in line.lists[0]:
        around, own_place = lines_of(cell, board)[line.kind]
        for v, other in enumerate(around, 1):
            yield [(cell, -v), (other, own_place)]
            yield [(cell, v), (other, -own_place)]


def not_indexed(line: Line, board: Board, all_lines: Sequence[Line]) -> Iterator[Literals]:
    """Yields for each cell and place that they do not say where each other is, the same clause once."""
    kind = line.kind.removeprefix("negative-")
    marked = {cell for other in all_lines if other.kind == kind for cell in other.lists[0]}
    seen = set()
    for cell in line.lists[0] if line.lists else [cell for cell in board.names.values() if cell not in marked]:
        around, place_of = lines_of(cell, board)[kind]
        for v, other in enumerate(around, 1):
            literals = sorted({(cell, -v), (other, -place_of)})
            if tuple(literals) not in seen:
                seen.add(tuple(literals))
                yield literals


CLAUSES: dict[str, Callable[[Line, Board], Iterator[Literals]]] = {
    "anti-taxicab": taxicab,
    "global-entropy": of_squares,
    "global-modular": of_squares,
    "quadruple": quadruple,
    "numbered-room": numbered_room,
    "dutch-flatmates": flatmates,
    "row-indexer": indexed,
    "column-indexer": indexed,
    "box-indexer": indexed,
}
