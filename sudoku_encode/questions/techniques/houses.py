"""The rule of 45: the cells of a house, one or several adjoining units, have a known sum, and so have cages in it.

The difference is the sum of the cells of the house that no cage covers, its *innies*, less those of cages that reach
out of it, its *outies*. On 9x9 the values of a unit sum to 45.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sudoku_encode.papers.marks import Layout
from sudoku_encode.puzzles.constraints.primitives import Sum
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.neighbours import has_lines, neighbours
from sudoku_encode.questions.techniques.fillings import Together
from sudoku_encode.questions.techniques.words import join_words

# The most units of a house, the most houses of a rule, and the most cells of which the sum is remainder.
_MOST_UNITS, _MOST_HOUSES, _MOST_CELLS = 4, 200, 12
# The most constraints that a reason names.
_MOST_NAMED = 3


class House(NamedTuple):
    """Adjoining units of one rule that share no cell and hold every value."""

    name: str
    cells: frozenset[int]
    n_units: int


class Balance(NamedTuple):
    """The sum that a house leaves for some cells."""

    sum: Sum
    together: Together  # the sum, and the pairs of its cells that see each other
    house: str  # its name
    why: str  # in words


def balances(layout: Layout, board: Geometry, sums: Sequence[tuple[str, Sum]]) -> Iterator[Balance]:
    """Yield the sums that houses leave for few cells beside other sums, given with the texts of their constraints.

    Args:
        layout: of the board with all units.
        board: the grid of the puzzle, on which units adjoin.
        sums: of which houses are parts.
    """
    positive = [(text, _positive(part)) for text, part in sums if len(part.cells) > 1]
    seen: set[tuple[frozenset[tuple[int, int]], int]] = set()
    for house in _houses(layout, board) if positive else ():
        for reaches_out in (False, True):
            balance = _balance(layout, board, house, positive, reaches_out)
            if balance is None:
                continue
            key = frozenset(zip(balance.sum.cells, balance.sum.coefficients, strict=True)), balance.sum.total
            if key not in seen:
                seen.add(key)
                yield balance


def _positive(part: Sum) -> Sum:
    """Return a sum with most coefficients positive."""
    if sum(coefficient > 0 for coefficient in part.coefficients) * 2 >= len(part.cells):
        return part
    return Sum(part.cells, tuple(-coefficient for coefficient in part.coefficients), -part.total, part.distinct)


def _houses(layout: Layout, board: Geometry) -> Iterator[House]:
    beside = neighbours(board) if has_lines(board) else ()
    for rule in dict.fromkeys(unit.rule for unit in layout.full_units):
        units = [unit for unit in layout.full_units if unit.rule is rule]
        home = {cell: number for number, unit in enumerate(units) for cell in unit.cells}
        adjoining: dict[int, set[int]] = {number: set() for number in range(len(units))}
        for cell, other in beside:
            if cell in home and other in home and home[cell] != home[other]:
                adjoining[home[cell]].add(home[other])
                adjoining[home[other]].add(home[cell])
        groups = [frozenset([number]) for number in range(len(units))]
        n_houses = 0
        for size in range(1, min(_MOST_UNITS, len(units) - 1) + 1):
            n_houses += len(groups)
            if n_houses > _MOST_HOUSES and size > 1:
                break
            for group in groups:
                chosen = [units[number] for number in sorted(group)]
                name = join_words([unit.name for unit in chosen])
                yield House(name, frozenset(cell for unit in chosen for cell in unit.cells), size)
            larger = {group | {number} for group in groups for near in group for number in adjoining[near] - group}
            groups = sorted(larger, key=sorted)


def _balance(
    layout: Layout, board: Geometry, house: House, sums: Sequence[tuple[str, Sum]], reaches_out: bool
) -> Balance | None:
    """Return the sum that a house leaves beside those that are in it or, if they may reach out, mostly in it."""
    covered: set[int] = set()
    chosen: list[tuple[str, Sum]] = []
    for text, part in sorted(sums, key=lambda pair: (_outside(pair[1], house), -len(pair[1].cells))):
        cells = {cell for cell, factor in zip(part.cells, part.coefficients, strict=True) if factor > 0}
        outside = _outside(part, house)
        if cells & covered or outside * 2 >= len(cells) or (outside and not reaches_out):
            continue
        covered |= cells
        chosen.append((text, part))
    n = board.n_values
    rest, total = dict.fromkeys(sorted(house.cells), 1), house.n_units * n * (n + 1) // 2
    amount = 0
    for _, part in chosen:
        amount += part.total
        for cell, factor in zip(part.cells, part.coefficients, strict=True):
            rest[cell] = rest.get(cell, 0) - factor
    terms = {cell: factor for cell, factor in rest.items() if factor}
    if not chosen or not 0 < len(terms) <= _MOST_CELLS:
        return None
    remainder = Sum(tuple(terms), tuple(terms.values()), total - amount)
    return Balance(remainder, Together.of([remainder], layout.peers), house.name, _why(board, house, chosen, remainder))


def _outside(part: Sum, house: House) -> int:
    """Return how many cells of a sum that count positive lie outside a house."""
    terms = zip(part.cells, part.coefficients, strict=True)
    return sum(factor > 0 and cell not in house.cells for cell, factor in terms)


def _why(board: Geometry, house: House, chosen: Sequence[tuple[str, Sum]], remainder: Sum) -> str:
    shift = board.first - 1
    n, size = board.n_values, len(house.cells)
    total = house.n_units * n * (n + 1) // 2 + shift * size
    amount = sum(part.total + shift * sum(part.coefficients) for _, part in chosen)
    names = [f"`{text}`" for text, _ in chosen[:_MOST_NAMED]]
    if len(chosen) > _MOST_NAMED:
        names[-1:] = [f"{len(chosen) - _MOST_NAMED + 1} more constraints"]
    says = f"the cells of {house.name} sum to {total}, and those of {join_words(names)} to {amount}"
    if len(remainder.cells) == 1 and remainder.coefficients[0] in (1, -1):
        return says
    rest = remainder.total + shift * sum(remainder.coefficients)
    return f"{says}, which leaves {_equation(board, remainder)} = {rest}"


def _equation(board: Geometry, remainder: Sum) -> str:
    """Return the left side of a sum, such as `r1c1 + r1c2 - 2*r3c3`."""
    words: list[str] = []
    for cell, factor in sorted(zip(remainder.cells, remainder.coefficients, strict=True), key=lambda term: -term[1]):
        sign = "-" if factor < 0 else "+" if words else ""
        name = board.cell_name(cell) if abs(factor) == 1 else f"{abs(factor)}*{board.cell_name(cell)}"
        words.append(f"{sign} {name}".strip() if words else f"{sign}{name}")
    return " ".join(words)
