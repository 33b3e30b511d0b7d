"""Constraints of ISS strings whose values begin at 0, said of values that begin at 1: each value is one more here.

What only compares values stays as it is. Sums grow by the number of their cells; what the kind itself cannot say is a
`weighted-sum`, a `relation`, a `regex` or an `automaton`.

Source: sigh/Interactive-Sudoku-Solver, js/solver/sudoku_builder.js and js/solver/handlers.js: which values each type
    counts with, where they begin at 0.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_zero_automata import TRANSLATIONS as AUTOMATA
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET
from sudoku_encode.puzzles.constraint import Constraint, Placed
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.neighbours import neighbours

_SYMBOLS = ALPHABETS[DEFAULT_ALPHABET]
# In these types values are counted from the smallest, whatever it is.
BY_PLACE = ("Pair", "PairX", "Binary", "BinaryX", "NFA")
_SAME = {
    *("thermometer", "whispers", "renban", "modular", "between", "lockout", "palindrome", "difference", "greater"),
    *("extra-region", "same-values", "equality-cage", "non-consecutive", "anti-knight", "anti-king", "diagonal"),
    *("disjoint-groups", "windoku", "global-modular", "relation"),
}
_Found = Iterator[Constraint]
_Translation = Callable[[Geometry, Constraint], _Found]


def translated(board: Geometry, found: Sequence[tuple[str, Constraint]]) -> _Found:
    """Yield constraints of values from 1 for those of values from 0.

    Args:
        board: with the values from 1.
        found: constraints, each with the type that it was read from.

    Raises:
        FormatError: one has no translation; the message names its type.
    """
    marked = {tuple(sorted(one.cells[0])) for _, one in found if one.kind in ("difference", "ratio")}
    for name, one in found:
        if name in BY_PLACE or one.kind in _SAME:
            yield one
        elif one.kind in ("negative-difference", "negative-ratio"):
            yield from _without_dot(board, one, marked)
        elif one.kind in _TRANSLATIONS:
            try:
                yield from _TRANSLATIONS[one.kind](board, one)
            except FormatError as error:
                raise FormatError(f"{name}: {error.message}") from error
        else:
            raise FormatError(f"{name}: with values from 0 it is not read")


def _sum(board: Geometry, one: Constraint) -> _Found:
    yield Constraint(one.kind, one.cells, tuple(amount + len(one.cells[0]) for amount in one.numbers))


def _weighted(board: Geometry, one: Constraint) -> _Found:
    amount, *coefficients = one.numbers
    yield Constraint("weighted-sum", one.cells, (amount + sum(coefficients), *coefficients))


def _balanced(left: Sequence[int], right: Sequence[int], times: Sequence[int] = ()) -> Constraint:
    """Return that the sum of some cells is that of others, each of these multiplied by its number in `times`."""
    coefficients = [*[1] * len(left), *(-number for number in times or [1] * len(right))]
    added: Counter[int] = Counter()
    for cell, coefficient in zip([*left, *right], coefficients, strict=True):
        added[cell] += coefficient
    return Constraint("weighted-sum", (tuple(added),), (sum(coefficients), *added.values()))


def _arrow(board: Geometry, one: Constraint) -> _Found:
    circle, line = one.cells
    powers = [10**power for power in reversed(range(len(circle)))]
    yield one if sum(powers) == len(line) else _balanced(line, circle, powers)


def _double_arrow(board: Geometry, one: Constraint) -> _Found:
    first, *middle, last = one.cells[0]
    yield one if len(middle) == 2 else _balanced((first, last), middle)


def _zipper(board: Geometry, one: Constraint) -> _Found:
    cells, half = one.cells[0], len(one.cells[0]) // 2
    if len(cells) % 2 == 0:
        yield one
    else:
        yield from (_balanced((cells[at], cells[-1 - at]), (cells[half],)) for at in range(half))


def _equal_sums(board: Geometry, one: Constraint) -> _Found:
    by_size: dict[int, list[tuple[int, ...]]] = {}
    for part in one.cells:
        by_size.setdefault(len(part), []).append(part)
    for parts in by_size.values():
        if len(parts) > 1:
            yield Constraint("equal-sums", tuple(parts))
    first, *others = by_size.values()
    yield from (_balanced(first[0], parts[0]) for parts in others)


def _region_sums(board: Geometry, one: Constraint) -> _Found:
    """Cut the line where it goes from a box to another."""
    box_of, cells = Placed(board, one).boxes, one.cells[0]
    cuts = [at for at in range(1, len(cells)) if box_of[cells[at]] != box_of[cells[at - 1]]]
    parts = tuple(cells[start:end] for start, end in zip([0, *cuts], [*cuts, len(cells)], strict=True))
    if len({len(part) for part in parts}) == 1:
        yield one
    else:
        yield from _equal_sums(board, Constraint("equal-sums", parts))


_BLACK = "a-1 == 2*(b-1) or b-1 == 2*(a-1)"


def _ratio(board: Geometry, one: Constraint) -> _Found:
    yield Constraint("relation", one.cells, (), _BLACK)


def _without_dot(board: Geometry, one: Constraint, marked: set[tuple[int, ...]]) -> _Found:
    """Yield the relation of neighbours without a dot, since a black dot is none that a negative constraint knows."""
    expression = "|a-b| != 1" if one.kind == "negative-difference" else f"not ({_BLACK})"
    yield from (Constraint("relation", (pair,), (), expression) for pair in neighbours(board) if pair not in marked)


def _xv(board: Geometry, one: Constraint) -> _Found:
    yield Constraint("xv", one.cells, (one.numbers[0] + 2,))


def _negative_xv(board: Geometry, one: Constraint) -> _Found:
    # Two values add up to no more than twice the largest.
    if amounts := tuple(amount + 2 for amount in (5, 10) if amount + 2 <= 2 * board.n_values):
        yield Constraint("negative-xv", (), amounts)


def _values(board: Geometry, one: Constraint) -> _Found:
    yield Constraint(one.kind, one.cells, tuple(value + 1 for value in one.numbers))


def _look_and_say(board: Geometry, one: Constraint) -> _Found:
    yield Constraint(one.kind, one.cells, tuple(number + at % 2 for at, number in enumerate(one.numbers)))


def _counting_circles(board: Geometry, one: Constraint) -> _Found:
    """Yield that each value comes never or as often as it says; 0 is in no circle, and nothing above their number."""
    cells = one.cells[0]
    held = _SYMBOLS[1 : min(board.n_values, len(cells) + 1)]
    yield Constraint("regex", one.cells, (), f"[{held}]*")
    for times, symbol in enumerate(held, 1):
        yield Constraint("regex", one.cells, (), f"[^{symbol}]*|([^{symbol}]*{symbol}){{{times}}}[^{symbol}]*")


def _index(cell: int, others: Sequence[int], holds: str, more: int = 1) -> _Found:
    """Yield that a cell says a place among others, from 1, and what holds of its value and the one there."""
    yield Constraint("relation", ((cell, cell),), (), f"{1 + more} <= a <= {len(others) + more}")
    yield from (
        Constraint("relation", ((cell, other),), (), holds.format(place=place + more))
        for place, other in enumerate(others, 1)
        if other != cell
    )


def _numbered_room(board: Geometry, one: Constraint) -> _Found:
    cells, value = one.cells[0], one.numbers[0] + 1
    yield from _index(cells[0], cells, f"a != {{place}} or b == {value}")
    # The first cell says itself where it is 1.
    yield Constraint("relation", ((cells[0], cells[0]),), (), f"a != 2 or a == {value}")


def indexer(board: Geometry, one: Constraint, first: int = 0) -> _Found:
    """Yield relations that say what an indexer does, on any rectangle.

    Args:
        board: with values from 1.
        one: a `row-indexer` or a `column-indexer`.
        first: the value that 1 stands for, 0 or 1.
    """
    more = 1 - first
    rows, columns = board.shape
    for cell in one.cells[0]:
        row, column = divmod(cell, columns)
        if one.kind == "row-indexer":
            line, place = range(column, rows * columns, columns), row + 1
        else:
            line, place = range(row * columns, (row + 1) * columns), column + 1
        yield from _index(cell, line, f"(a == {{place}}) == (b == {place + more})", more)


def _slingshot(board: Geometry, one: Constraint) -> _Found:
    first, second, *others = one.cells[0]
    symbols = _SYMBOLS[: board.n_values]
    places = symbols[1 : len(others) + 1]
    yield Constraint("regex", ((second,),), (), f"[{places}]")
    twice = "|".join(2 * symbol for symbol in symbols)
    for place, other in zip(places, others, strict=False):
        yield Constraint("regex", ((second, first, other),), (), f"[^{place}]..|{place}({twice})")


def _regex(board: Geometry, one: Constraint) -> _Found:
    """Move the symbols of values, but not the numbers of repetitions; a letter is a value from 10 on."""
    moved, is_number = "", False
    for letter in one.expression:
        is_number = letter == "{" or (is_number and letter != "}")
        is_value = letter.isascii() and letter.isalnum() and not is_number
        # The first symbol, 1, is the value after 0.
        moved += ("0" + _SYMBOLS)[int(letter, 36) + 1] if is_value and letter != "Z" else letter
    yield Constraint("regex", one.cells, (), moved)


_TRANSLATIONS: dict[str, _Translation] = {
    **AUTOMATA,
    **dict.fromkeys(("cage", "sum", "little-killer"), _sum),
    **dict.fromkeys(("row-indexer", "column-indexer"), indexer),
    **dict.fromkeys(("quadruple", "hidden-skyscraper"), _values),
    "weighted-sum": _weighted,
    "arrow": _arrow,
    "double-arrow": _double_arrow,
    "zipper": _zipper,
    "equal-sums": _equal_sums,
    "region-sums": _region_sums,
    "ratio": _ratio,
    "xv": _xv,
    "negative-xv": _negative_xv,
    "look-and-say": _look_and_say,
    "counting-circles": _counting_circles,
    "numbered-room": _numbered_room,
    "slingshot": _slingshot,
    "regex": _regex,
}
