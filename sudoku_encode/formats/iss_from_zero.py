"""Translates constraints of ISS strings with values from 0 to values from 1: each value is one more here.

Constraints that only compare values stay unchanged. Sums grow by the number of their cells; constraints that their kind
cannot express become a `weighted-sum`, a `relation`, a `regex` or an `automaton`.

Source: sigh/Interactive-Sudoku-Solver, js/solver/sudoku_builder.js and js/solver/handlers.js: the values that
    each type counts with, if they begin at 0; js/solver/handlers.js: a 0 for `Skyscraper`, `Lunchbox` and others.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import Any

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_automata import automaton_text
from sudoku_encode.formats.table import ALPHABETS, DEFAULT_ALPHABET
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.outside_clues import Sandwich, Skyscraper, XSum
from sudoku_encode.puzzles.constraints.parsing import bind
from sudoku_encode.puzzles.constraints.primitives import Steps
from sudoku_encode.puzzles.constraints.sets import CountDistinct
from sudoku_encode.puzzles.constraints.sums import Lunchbox, RellikCage
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.neighbours import neighbours

_Constraints = Iterator[Constraint]
_Translate = Callable[[Geometry, Constraint], _Constraints]


def _automaton(board: Geometry, constraint: Constraint) -> _Constraints:
    """Yield an automaton that accepts values from 1 if the kind accepts those that are one less."""
    (*first, last), kind = constraint.cells, constraint.kind
    if kind in _DIFFER and len(last) > 1:
        yield Constraint("extra-region", constraint.cells)
    cells = (*last, *(cell for listed in first for cell in listed))
    text = _automaton_text(kind, constraint.numbers, len(cells), board.n_values)
    yield Constraint("automaton", (cells,), (), text)


@lru_cache(maxsize=256)
def _automaton_text(kind: str, numbers: tuple[int, ...], size: int, n: int) -> str:
    """Return the expression of the automaton of a kind."""
    steps = _STEPS[kind](*numbers, n, size)
    return automaton_text(size, n, steps._replace(step=lambda state, value: steps.step(state, value - 1)))


def _parts_of_sum(amount: int, *, is_loop: bool) -> Steps[tuple[int, int, bool]]:
    """Return the steps over a line, or a loop, that can be cut into parts of a sum; a 0 may end or begin a part."""
    if amount < 1:
        raise FormatError(f"the sum of a part is {amount}, below 1")
    # The sum so far, by its remainder; where cuts may be by that remainder, since a cell is not cut; and whether there
    # is more than 0: a loop of 0 alone has no part.
    start = (0, (1 << amount) - 1 if is_loop else 1, not is_loop)

    def step(state: tuple[int, int, bool], value: int) -> tuple[int, int, bool] | None:
        total, cuts, is_some = state
        for part in range(1, value):
            cuts &= ~(1 << (total + part) % amount)
        return ((total + value) % amount, cuts, is_some or value > 0) if cuts else None

    return Steps(start, step, lambda state: state[0] == 0 and state[2])


# From the number of a constraint, the largest value and the number of cells to the steps over values from 0.
_STEPS: dict[str, Callable[..., Steps[Any]]] = {
    "x-sum": lambda amount, n, size: XSum.steps(amount),
    "skyscraper": lambda number, n, size: Skyscraper.steps(number),
    "sandwich": lambda amount, n, size: Sandwich.steps((0, n - 1), amount),
    "lunchbox": lambda amount, n, size: Lunchbox.steps(amount),
    "rellik-cage": lambda number, n, size: RellikCage.steps(number),
    "count-distinct": lambda n, size: CountDistinct.steps(size - 1),
    "sum-line": lambda amount, n, size: _parts_of_sum(amount, is_loop=False),
    "sum-loop": lambda amount, n, size: _parts_of_sum(amount, is_loop=True),
}
# Kinds whose cells differ.
_DIFFER = ("lunchbox", "rellik-cage")


_SYMBOLS = ALPHABETS[DEFAULT_ALPHABET]
# These types count values from the smallest constraint.
BY_PLACE = ("Pair", "PairX", "Binary", "BinaryX", "NFA")
_SAME = {
    "thermometer",
    "whispers",
    "renban",
    "modular",
    "between",
    "lockout",
    "palindrome",
    "difference",
    "greater",
    "extra-region",
    "same-values",
    "equality-cage",
    "non-consecutive",
    "anti-knight",
    "anti-king",
    "diagonal",
    "disjoint-groups",
    "windoku",
    "global-modular",
    "relation",
}


def translated(board: Geometry, typed: Sequence[tuple[str, Constraint]]) -> _Constraints:
    """Yield constraints of values from 1 for those of values from 0.

    Args:
        board: with the values from 1.
        typed: constraints, each with the type that it was read from.

    Raises:
        FormatError: a constraint has no translation; the message names its type.
    """
    marked = {
        tuple(sorted(constraint.cells[0])) for _, constraint in typed if constraint.kind in ("difference", "ratio")
    }
    for name, constraint in typed:
        if name in BY_PLACE or constraint.kind in _SAME:
            yield constraint
        elif constraint.kind in ("negative-difference", "negative-ratio"):
            yield from _without_dot(board, constraint, marked)
        elif constraint.kind in _TRANSLATIONS:
            try:
                yield from _TRANSLATIONS[constraint.kind](board, constraint)
            except FormatError as error:
                raise FormatError(f"{name}: {error.message}") from error
        else:
            raise FormatError(f"{name}: with values from 0 it is not read")


def _sum(board: Geometry, constraint: Constraint) -> _Constraints:
    yield Constraint(
        constraint.kind, constraint.cells, tuple(amount + len(constraint.cells[0]) for amount in constraint.numbers)
    )


def _weighted(board: Geometry, constraint: Constraint) -> _Constraints:
    amount, *coefficients = constraint.numbers
    yield Constraint("weighted-sum", constraint.cells, (amount + sum(coefficients), *coefficients))


def _balanced(cells: Sequence[int], others: Sequence[int], times: Sequence[int] = ()) -> Constraint:
    """Return the constraint that two sums are equal; the right cells are multiplied by their numbers in `times`."""
    coefficients = [*[1] * len(cells), *(-number for number in times or [1] * len(others))]
    added: Counter[int] = Counter()
    for cell, coefficient in zip([*cells, *others], coefficients, strict=True):
        added[cell] += coefficient
    return Constraint("weighted-sum", (tuple(added),), (sum(coefficients), *added.values()))


def _arrow(board: Geometry, constraint: Constraint) -> _Constraints:
    circle, line = constraint.cells
    powers = [10**power for power in reversed(range(len(circle)))]
    yield constraint if sum(powers) == len(line) else _balanced(line, circle, powers)


def _double_arrow(board: Geometry, constraint: Constraint) -> _Constraints:
    first, *middle, last = constraint.cells[0]
    yield constraint if len(middle) == 2 else _balanced((first, last), middle)


def _zipper(board: Geometry, constraint: Constraint) -> _Constraints:
    cells, half = constraint.cells[0], len(constraint.cells[0]) // 2
    if len(cells) % 2 == 0:
        yield constraint
    else:
        yield from (_balanced((cells[at], cells[-1 - at]), (cells[half],)) for at in range(half))


def _equal_sums(board: Geometry, constraint: Constraint) -> _Constraints:
    by_size: dict[int, list[tuple[int, ...]]] = {}
    for part in constraint.cells:
        by_size.setdefault(len(part), []).append(part)
    for parts in by_size.values():
        if len(parts) > 1:
            yield Constraint("equal-sums", tuple(parts))
    first, *others = by_size.values()
    yield from (_balanced(first[0], parts[0]) for parts in others)


def _region_sums(board: Geometry, constraint: Constraint) -> _Constraints:
    """Cut the line at the borders of boxes."""
    box_of, cells = bind(constraint, board).boxes, constraint.cells[0]
    cuts = [at for at in range(1, len(cells)) if box_of[cells[at]] != box_of[cells[at - 1]]]
    parts = tuple(cells[start:end] for start, end in zip([0, *cuts], [*cuts, len(cells)], strict=True))
    if len({len(part) for part in parts}) == 1:
        yield constraint
    else:
        yield from _equal_sums(board, Constraint("equal-sums", parts))


_BLACK = "a-1 == 2*(b-1) or b-1 == 2*(a-1)"


def _ratio(board: Geometry, constraint: Constraint) -> _Constraints:
    yield Constraint("relation", constraint.cells, (), _BLACK)


def _without_dot(board: Geometry, constraint: Constraint, marked: set[tuple[int, ...]]) -> _Constraints:
    """Yield the relation of neighbours without a dot; negative constraints do not know these black dots."""
    expression = "|a-b| != 1" if constraint.kind == "negative-difference" else f"not ({_BLACK})"
    yield from (Constraint("relation", (pair,), (), expression) for pair in neighbours(board) if pair not in marked)


def _xv(board: Geometry, constraint: Constraint) -> _Constraints:
    yield Constraint("xv", constraint.cells, (constraint.numbers[0] + 2,))


def _negative_xv(board: Geometry, constraint: Constraint) -> _Constraints:
    # Two values add up to at most twice the largest.
    if amounts := tuple(amount + 2 for amount in (5, 10) if amount + 2 <= 2 * board.n_values):
        yield Constraint("negative-xv", (), amounts)


def _values(board: Geometry, constraint: Constraint) -> _Constraints:
    yield Constraint(constraint.kind, constraint.cells, tuple(value + 1 for value in constraint.numbers))


def _look_and_say(board: Geometry, constraint: Constraint) -> _Constraints:
    yield Constraint(
        constraint.kind, constraint.cells, tuple(number + at % 2 for at, number in enumerate(constraint.numbers))
    )


def _counting_circles(board: Geometry, constraint: Constraint) -> _Constraints:
    """Yield regexes: a value v appears never or v times; 0 and values above the number of circles never."""
    cells = constraint.cells[0]
    symbols = _SYMBOLS[1 : min(board.n_values, len(cells) + 1)]
    yield Constraint("regex", constraint.cells, (), f"[{symbols}]*")
    for times, symbol in enumerate(symbols, 1):
        yield Constraint("regex", constraint.cells, (), f"[^{symbol}]*|([^{symbol}]*{symbol}){{{times}}}[^{symbol}]*")


def _index(cell: int, others: Sequence[int], holds: str, more: int = 1) -> _Constraints:
    """Yield relations of a cell that holds a place among others, from 1, and of the value at that place."""
    yield Constraint("relation", ((cell, cell),), (), f"{1 + more} <= a <= {len(others) + more}")
    yield from (
        Constraint("relation", ((cell, other),), (), holds.format(place=place + more))
        for place, other in enumerate(others, 1)
        if other != cell
    )


def _numbered_room(board: Geometry, constraint: Constraint) -> _Constraints:
    cells, value = constraint.cells[0], constraint.numbers[0] + 1
    yield from _index(cells[0], cells, f"a != {{place}} or b == {value}")
    # If the first cell holds 1, it is its own target.
    yield Constraint("relation", ((cells[0], cells[0]),), (), f"a != 2 or a == {value}")


def indexer(board: Geometry, constraint: Constraint, first: int = 0) -> _Constraints:
    """Yield relations equivalent to an indexer, on any rectangle.

    Args:
        board: with values from 1.
        constraint: a `row-indexer` or a `column-indexer`.
        first: the value that 1 stands for, 0 or 1.
    """
    more = 1 - first
    rows, columns = board.shape
    for cell in constraint.cells[0]:
        row, column = divmod(cell, columns)
        if constraint.kind == "row-indexer":
            line, place = range(column, rows * columns, columns), row + 1
        else:
            line, place = range(row * columns, (row + 1) * columns), column + 1
        yield from _index(cell, line, f"(a == {{place}}) == (b == {place + more})", more)


def _slingshot(board: Geometry, constraint: Constraint) -> _Constraints:
    first, second, *others = constraint.cells[0]
    symbols = _SYMBOLS[: board.n_values]
    places = symbols[1 : len(others) + 1]
    yield Constraint("regex", ((second,),), (), f"[{places}]")
    twice = "|".join(2 * symbol for symbol in symbols)
    for place, other in zip(places, others, strict=False):
        yield Constraint("regex", ((second, first, other),), (), f"[^{place}]..|{place}({twice})")


def _regex(board: Geometry, constraint: Constraint) -> _Constraints:
    """Move the symbols of values, but not the numbers of repetitions; a letter is a value from 10 on."""
    moved, is_number = "", False
    for letter in constraint.expression:
        is_number = letter == "{" or (is_number and letter != "}")
        is_value = letter.isascii() and letter.isalnum() and not is_number
        # The first symbol, 1, is the value after 0.
        moved += ("0" + _SYMBOLS)[int(letter, 36) + 1] if is_value and letter != "Z" else letter
    yield Constraint("regex", constraint.cells, (), moved)


_TRANSLATIONS: dict[str, _Translate] = {
    **dict.fromkeys(_STEPS, _automaton),
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
