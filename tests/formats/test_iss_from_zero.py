"""ISS strings with values from 0: each constraint holds in the grids in which its definition for such values does."""

import re
from collections.abc import Callable
from itertools import combinations, pairwise, permutations, product

import pytest

from sudoku_encode import Puzzle, read
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_types import table_key
from sudoku_encode.formats.iss_writing import text_of

pytestmark = pytest.mark.filterwarnings("ignore:NFA|Sandwich|Cage")

# The values of a grid from 0, row by row.
Grid = list[list[int]]
Holds = Callable[[Grid], bool]


def grids(rows: int, columns: int, n: int) -> list[Grid]:
    """Return all grids whose rows and columns have no value twice."""
    lines = [list(line) for line in permutations(range(n), columns)]
    found = ([*grid] for grid in product(lines, repeat=rows))
    return [grid for grid in found if all(len({*column}) == rows for column in zip(*grid, strict=True))]


# Of the thousands of the larger shapes some are enough.
GRIDS = {
    shape: grids(*shape)[::step]
    for shape, step in (((2, 3, 4), 3), ((3, 3, 4), 11), ((2, 3, 6), 11), ((2, 4, 5), 11), ((2, 4, 4), 3))
}


def nearby(grid: Grid) -> list[tuple[int, int]]:
    """Return the values of neighbours."""
    pairs = [pair for row in grid for pair in pairwise(row)]
    return pairs + [pair for column in zip(*grid, strict=True) for pair in pairwise(column)]


def is_black(a: int, b: int) -> bool:
    return a == 2 * b or b == 2 * a


def room(line: list[int], value: int) -> bool:
    return 1 <= line[0] <= len(line) and line[line[0] - 1] == value


def indexed(line: list[int], at: int, values: int) -> bool:
    """Return whether the cell at a place, from 0, says where the value of that place from 1 is."""
    return 1 <= line[at] <= len(line) and line[line[at] - 1] == at + 1


def slung(first: int, second: int, *others: int) -> bool:
    return 1 <= second <= len(others) and others[second - 1] == first


def matches(pattern: str, *values: int) -> bool:
    return re.fullmatch(pattern, "".join(map(str, values))) is not None


def token(pattern: str) -> str:
    from base64 import urlsafe_b64encode

    return urlsafe_b64encode(pattern.encode()).decode().rstrip("=")


LINE = "R1C1~R1C2~R1C3~R2C3~R2C2"


def sums_first(line: list[int], amount: int) -> bool:
    return 1 <= line[0] <= len(line) and sum(line[: line[0]]) == amount


def seen(line: list[int]) -> int:
    """Return how many are greater than all before; 0 is no skyscraper."""
    return sum(value > max(line[:at], default=0) for at, value in enumerate(line))


def inside(values: list[int]) -> int:
    """Return the sum between the smallest and the largest."""
    first, last = sorted((values.index(min(values)), values.index(max(values))))
    return sum(values[first + 1 : last])


def subsets(values: list[int]) -> list[tuple[int, ...]]:
    return [some for size in range(1, len(values) + 1) for some in combinations(values, size)]


def is_cut(values: list[int], amount: int) -> bool:
    """Return whether values are pieces of that sum, wherever a 0 belongs to."""
    return not values or any(
        sum(values[:end]) == amount and is_cut(values[end:], amount) for end in range(1, len(values) + 1)
    )


def circles(g: Grid) -> list[int]:
    return [g[0][0], g[1][1], g[0][2]]


def line_of(g: Grid) -> list[int]:
    return [g[0][0], g[0][1], g[0][2], g[1][2], g[1][1]]


# a + 2 b is 2 or 4.
SUM_2 = table_key([[a + 2 * b in (2, 4) for b in range(4)] for a in range(4)])
ODD = "([02].)*[13]?|.{2,3}[^0-2].*"
CASES: dict[str, tuple[tuple[int, int, int], Holds]] = {
    # Sums.
    ".Cage~3~R1C1~R1C2~R2C2": ((2, 3, 4), lambda g: g[0][0] + g[0][1] + g[1][1] == 3 and g[0][0] != g[1][1]),
    ".Cage~0~R1C1~R2C2": ((2, 3, 4), lambda g: g[0][0] != g[1][1]),
    ".Cage~4~R1C1~R1C2~R2C2~R2C2": (
        (2, 3, 4),
        lambda g: g[0][0] + g[0][1] + 2 * g[1][1] == 4 and g[0][0] != g[1][1],
    ),
    ".Sum~2~R1C1~R2C2.Sum~4~R1C2~R2C1~R2C3": (
        (2, 3, 4),
        lambda g: g[0][0] + g[1][1] == 2 and g[0][1] + g[1][0] + g[1][2] == 4,
    ),
    ".Sum~-1_=_1_1_-2~R1C1~R1C2~R2C3": ((2, 3, 4), lambda g: g[0][0] + g[0][1] - 2 * g[1][2] == -1),
    ".LittleKiller~3~R1C1": ((3, 3, 4), lambda g: g[0][0] + g[1][1] + g[2][2] == 3),
    ".Arrow~R1C1~R1C2~R2C2": ((2, 3, 4), lambda g: g[0][0] == g[0][1] + g[1][1]),
    ".Arrow~R1C1~R2C3": ((2, 3, 4), lambda g: g[0][0] == g[1][2]),
    ".PillArrow~2~R1C1~R1C2~R2C2~R2C1~R2C3~R1C3": (
        (2, 3, 6),
        lambda g: 10 * g[0][0] + g[0][1] == sum(g[1]) + g[0][2],
    ),
    ".PillArrow~2~R1C1~R1C2~R2C3": ((2, 3, 4), lambda g: 10 * g[0][0] + g[0][1] == g[1][2]),
    f".DoubleArrow~{LINE}": ((2, 3, 4), lambda g: g[0][0] + g[1][1] == g[0][1] + g[0][2] + g[1][2]),
    f".Zipper~{LINE}": ((2, 3, 4), lambda g: g[0][0] + g[1][1] == g[0][1] + g[1][2] == g[0][2]),
    ".Zipper~R1C1~R1C2~R1C3~R2C3": ((2, 3, 4), lambda g: g[0][0] + g[1][2] == g[0][1] + g[0][2]),
    ".EqualSum~R1C1~R1C2~-~R2C1~R2C2~R2C3~-~R1C3": (
        (2, 3, 4),
        lambda g: g[0][0] + g[0][1] == sum(g[1]) == g[0][2],
    ),
    ".EqualSum~R1C1~R1C2~-~R2C1~R2C3~-~R1C3~R2C3": (
        (2, 3, 4),
        lambda g: g[0][0] + g[0][1] == g[1][0] + g[1][2] == g[0][2] + g[1][2],
    ),
    # Pairs.
    ".X~R1C1~R1C2": ((2, 3, 6), lambda g: False),
    ".V~R1C1~R1C2~R2C2": ((2, 3, 6), lambda g: g[0][0] + g[0][1] == 5 == g[0][1] + g[1][1]),
    ".StrictXV": ((2, 3, 6), lambda g: all(a + b != 5 for a, b in nearby(g))),
    ".StrictXV.V~R1C2~R1C3": (
        (2, 3, 6),
        lambda g: [pair for pair in nearby(g) if sum(pair) == 5] == [(g[0][1], g[0][2])] and g[0][1] + g[0][2] == 5,
    ),
    ".BlackDot~R1C1~R2C1~R1C2": ((2, 3, 4), lambda g: is_black(g[0][0], g[1][0]) and is_black(g[0][0], g[0][1])),
    ".WhiteDot~R1C1~R1C2": ((2, 3, 4), lambda g: abs(g[0][0] - g[0][1]) == 1),
    ".StrictKropki.BlackDot~R1C1~R1C2.WhiteDot~R1C2~R1C3": (
        (2, 3, 6),
        lambda g: (
            is_black(g[0][0], g[0][1])
            and abs(g[0][1] - g[0][2]) == 1
            and not any(is_black(a, b) or abs(a - b) == 1 for a, b in nearby(g)[2:])
        ),
    ),
    ".StrictKropki": ((2, 3, 4), lambda g: not any(is_black(a, b) or abs(a - b) == 1 for a, b in nearby(g))),
    ".AntiConsecutive": ((2, 3, 4), lambda g: not any(abs(a - b) == 1 for a, b in nearby(g))),
    f".Pair~{SUM_2}~~R1C1~R1C2~R1C3": (
        (2, 3, 4),
        lambda g: all(a + 2 * b in (2, 4) for a, b in ((g[0][0], g[0][1]), (g[0][1], g[0][2]))),
    ),
    # What only compares values.
    ".Thermo~R1C1~R2C1~R2C2": ((2, 3, 4), lambda g: g[0][0] < g[1][0] < g[1][1]),
    ".Whisper~2~R1C1~R1C2~R2C3": ((2, 3, 4), lambda g: abs(g[0][0] - g[0][1]) > 1 and abs(g[0][1] - g[1][2]) > 1),
    ".Renban~R1C1~R2C2~R1C3": (
        (2, 4, 5),
        lambda g: len({g[0][0], g[1][1], g[0][2]}) == 3 and max(v := [g[0][0], g[1][1], g[0][2]]) - min(v) == 2,
    ),
    f".Modular~3~{LINE}": (
        (2, 4, 5),
        lambda g: all(len({v % 3 for v in line_of(g)[at : at + 3]}) == 3 for at in range(3)),
    ),
    ".EqualityCage~R1C1~R1C2~R2C2~R2C3": (
        (2, 4, 5),
        lambda g: (
            len({*(v := [g[0][0], g[0][1], g[1][1], g[1][2]])}) == 4
            and sum(one % 2 for one in v) == 2
            and sorted(one > 2 for one in v) == [False, False, True, True]
            and 2 not in v
        ),
    ),
    ".SameValues~2~R1C1~R1C2~R2C3~R2C4": ((2, 4, 5), lambda g: {*g[0][:2]} == {*g[1][2:]}),
    ".Between~R1C1~R1C2~R2C3": (
        (2, 3, 4),
        lambda g: min(g[0][0], g[1][2]) < g[0][1] < max(g[0][0], g[1][2]),
    ),
    ".Lockout~2~R1C1~R1C2~R2C3": (
        (2, 3, 4),
        lambda g: abs(g[0][0] - g[1][2]) >= 2 and not min(g[0][0], g[1][2]) <= g[0][1] <= max(g[0][0], g[1][2]),
    ),
    ".Palindrome~R1C1~R1C2~R2C3": ((2, 3, 4), lambda g: g[0][0] == g[1][2]),
    ".GreaterThan~R1C1~R1C2": ((2, 3, 4), lambda g: g[0][0] > g[0][1]),
    ".AllDifferent~R1C1~R2C2~R1C3": ((2, 3, 4), lambda g: len({g[0][0], g[1][1], g[0][2]}) == 3),
    ".AntiKnight": ((2, 3, 4), lambda g: g[0][0] != g[1][2] and g[0][2] != g[1][0]),
    ".AntiKing": (
        (2, 3, 4),
        lambda g: all(g[0][a] != g[1][b] for a, b in ((0, 1), (1, 0), (1, 2), (2, 1))),
    ),
    ".Diagonal~1": ((3, 3, 4), lambda g: len({g[0][2], g[1][1], g[2][0]}) == 3),
    ".GlobalMod": ((2, 3, 4), lambda g: all(len({v % 3 for row in g for v in row[at : at + 2]}) == 3 for at in (0, 1))),
    # Values by their names.
    ".Quad~R1C2~0~3": ((2, 3, 4), lambda g: {0, 3} <= {*g[0][1:], *g[1][1:]}),
    ".ContainAtLeast~0_0_2~R1C1~R1C2~R2C2~R2C3": (
        (2, 3, 4),
        lambda g: (v := [*g[0][:2], *g[1][1:]]).count(0) == 2 and v.count(2) >= 1,
    ),
    ".ContainExact~0_1~R1C1~R1C2~R2C2~R2C3": (
        (2, 3, 4),
        lambda g: (v := [*g[0][:2], *g[1][1:]]).count(0) == 1 and v.count(1) == 1,
    ),
    ".LookAndSay~0213~R1C1~R1C2~R2C2": ((2, 3, 4), lambda g: (v := [*g[0][:2], g[1][1]]).count(3) == 1 and 2 not in v),
    ".CountingCircles~R1C1~R2C2~R1C3": (
        (2, 4, 5),
        lambda g: all(value and circles(g).count(value) == value for value in circles(g)),
    ),
    f".Regex~{token(ODD)}~{LINE}": ((2, 3, 4), lambda g: matches(ODD, *line_of(g))),
    # Clues beside the grid, and cells that say places.
    ".HiddenSkyscraper~R1~2~0": (
        (2, 3, 6),
        lambda g: all(
            next((v for at, v in enumerate(line) if at and v < max(line[:at])), -1) == value
            for line, value in ((g[0], 2), (g[0][::-1], 0))
        ),
    ),
    ".NumberedRoom~R1~4~.NumberedRoom~R2~~0": ((2, 3, 6), lambda g: room(g[0], 4) and room(g[1][::-1], 0)),
    ".NumberedRoom~R1~1~": ((2, 3, 6), lambda g: room(g[0], 1)),
    ".NumberedRoom~C1~3~": ((2, 3, 4), lambda g: room([g[0][0], g[1][0]], 3)),
    ".Indexing~C~R1C1~R2C3": ((2, 3, 4), lambda g: indexed(g[0], 0, 4) and indexed(g[1], 2, 4)),
    ".Indexing~R~R1C1~R3C2": (
        (3, 3, 4),
        lambda g: indexed([row[0] for row in g], 0, 3) and indexed([row[1] for row in g], 2, 3),
    ),
    ".Indexing~R~R2C2": ((2, 4, 5), lambda g: indexed([row[1] for row in g], 1, 5)),
    ".XSum~R1~6~3": ((2, 3, 6), lambda g: sums_first(g[0], 6) and sums_first(g[0][::-1], 3)),
    ".XSum~R2~1~": ((2, 3, 4), lambda g: sums_first(g[1], 1)),
    ".Skyscraper~R1~2~.Skyscraper~R2~~1": ((2, 4, 5), lambda g: seen(g[0]) == 2 and seen(g[1][::-1]) == 1),
    ".Sandwich~3~R1": ((2, 4, 4), lambda g: inside(g[0]) == 3),
    ".Sandwich~3~R2": ((2, 4, 5), lambda g: inside(g[1]) == 3),
    f".Lunchbox~3~{LINE}": ((2, 4, 5), lambda g: len({*line_of(g)}) == 5 and inside(line_of(g)) == 3),
    ".RellikCage~3~R1C1~R1C2~R2C3": (
        (2, 4, 5),
        lambda g: len({*(v := [*g[0][:2], g[1][2]])}) == 3 and not any(sum(some) == 3 for some in subsets(v)),
    ),
    ".CountDistinct~R2C4~R1C1~R1C2~R2C1~R2C2": ((2, 4, 5), lambda g: len({*g[0][:2], *g[1][:2]}) == g[1][3]),
    ".CountDistinct~R1C1~R1C1~R2C2~R1C3": ((2, 4, 5), lambda g: len({g[0][0], g[1][1], g[0][2]}) == g[0][0]),
    f".SumLine~4~{LINE}": ((2, 4, 5), lambda g: is_cut(line_of(g), 4)),
    ".SumLine~4~R1C1~R1C2~R1C3~R2C3~R2C2~R2C1~LOOP": (
        (2, 3, 6),
        lambda g: any(is_cut((r := [*g[0], *g[1][::-1]])[at:] + r[:at], 4) for at in range(6)),
    ),
    ".SumLine~3~R1C1~R2C2~LOOP": ((2, 3, 4), lambda g: g[0][0] + g[1][1] in (3, 6)),
    f".ValueIndexing~{LINE}": ((2, 3, 4), lambda g: slung(*line_of(g))),
}


@pytest.mark.parametrize(
    "text", [pytest.param(text, marks=[pytest.mark.slow] if at % 3 else []) for at, text in enumerate(CASES)]
)
def test_translated_constraints(text: str) -> None:
    """A grid breaks no constraint exactly where the definition of values from 0 holds, written and read back too."""
    (rows, columns, n), holds = CASES[text]
    puzzle = read(f".Shape~{rows}x{columns}~0-{n - 1}.NoBoxes{text}")
    found = [grid for grid in GRIDS[rows, columns, n] if not is_broken(puzzle, grid)]
    assert found == [grid for grid in GRIDS[rows, columns, n] if holds(grid)]
    assert len(found) < len(GRIDS[rows, columns, n])
    again = read(text_of(puzzle))
    assert found == [grid for grid in GRIDS[rows, columns, n] if not is_broken(again, grid)]


def is_broken(puzzle: Puzzle, grid: Grid) -> bool:
    values = [value + 1 for row in grid for value in row]
    return any(here.violated(values) for here in puzzle.placed)


def test_cases_not_trivial() -> None:
    """Cases hold in some grids but where a sum is too large."""
    empty = [text for text, (shape, holds) in CASES.items() if not any(map(holds, GRIDS[shape]))]
    assert empty == [".X~R1C1~R1C2"]


def test_region_sums() -> None:
    """Region sums are balanced by the cells of each part."""
    puzzle = read(".Shape~4x4~0-3.RegionSumLine~R1C1~R1C2~R1C3~R2C3~R3C4.RegionSumLine~R4C1~R4C2~R4C3~R4C4")
    board = puzzle.geometry.from_one
    assert [one.constraint.text(board) for bound in puzzle.placed for one in bound.from_one] == [
        "equal-sums r1c1 r1c2 / r1c3 r2c3",
        "weighted-sum 1 1 1 -1 r1c1 r1c2 r3c4",
        "region-sums r4c1-r4c4",
    ]


GIVENS = ".Shape~2x3~0-5.NoBoxes.~R1C1_0~R1C2_5~R2C1_0_1_2"


def test_givens_plus_one() -> None:
    """In arrays givens and pencilmarks are one more."""
    puzzle = read(GIVENS)
    assert puzzle.givens.tolist() == [1, 6, 0, 0, 0, 0]
    assert puzzle.candidates[3].tolist() == [True, True, True, False, False, False]


def test_more_values_than_cells() -> None:
    """More values than a side has cells may begin at 0 too."""
    puzzle = read(".Shape~9x9~0-9.~R1C1_9")
    assert (puzzle.geometry.name, int(puzzle.givens[0])) == ("latin:9x9:0-9", 10)
    assert [one.kind for one in puzzle.constraints] == ["extra-region"] * 9


REFUSED = {
    ".Shape~9x9~0-8.~R1C1_9": "givens: R1C1 = 9; values on 9x9:0-8 go from 0 to 8",
    ".Shape~9x9~2-10.~R1C1_2": "Shape 9x9~2-10: there are 9 to 16 values, from 0 or 1",
    ".Shape~9x9~0-7": "Shape 9x9~0-7: there are 9 to 16 values, from 0 or 1",
    ".Shape~9x9~0-8.Entropic~R1C1~R1C2": "entropic: it has no meaning with values from 0",
    ".Shape~9x9~0-8.GlobalEntropy": "global-entropy: it has no meaning with values from 0",
    ".Shape~9x9~0-8.AntiTaxicab": "anti-taxicab: it has no meaning with values from 0",
    ".Shape~9x9~0-8.DutchFlatmates": "dutch-flatmates: it has no meaning with values from 0",
    ".Shape~9x9~0-8.SumLine~0~R1C1~R1C2": "sum-line: the sum of a part is 0; expected 1 or more",
    ".Shape~4x4~0-3.XSum~R1~99~": "x-sum: no values of its cells are accepted",
}


@pytest.mark.parametrize("text", REFUSED)
def test_refusals(text: str) -> None:
    """What has no meaning with values from 0 is refused."""
    with pytest.raises(FormatError) as caught:
        read(text)
    assert REFUSED[text] in str(caught.value)


def test_alternatives() -> None:
    """Alternatives keep their values too."""
    puzzle = read(".Shape~4x4~0-3.Or.~R1C1_0.And.Cage~3~R1C1~R1C2.Thermo~R1C1~R1C2.End.End")
    (line,) = [one.text(puzzle.geometry) for one in puzzle.constraints]
    assert line == "either values 0 r1c1 | cage 3 r1c1 r1c2 & thermometer r1c1 r1c2"
