"""The table of constraints: the meaning of each kind in a line, and its text.

It loads nothing. The code of a kind is in `constraints/KIND.py`, with hyphens as underscores. All functions take a
`puzzles.constraint.BoundConstraint`:

- `violated(c, values)` returns whether a full grid breaks it: the definition, in plain Python.
- `lower(c)` yields primitives, of `constraints/primitives.py`, that hold together exactly in the other grids.
- `scope(c)`, if these are not the cells that it names: the cells on whose values it depends.
- `unfit(c)`, if the table does not say it all: why it cannot be on a board; an empty text if it can.
- `impossible(c)`, if numbers can be out of reach: why no values satisfy it; an empty text if some may. Such a
  constraint is refused, except as one of several alternatives.
"""

from typing import NamedTuple

from sudoku_encode.puzzles.table import Table, brief

_ANY: tuple[int, None] = (1, None)


class Kind(NamedTuple):
    """A row of the table.

    Attributes:
        summary: its meaning, in a line.
        form: the form of its text.
        example: one on the board `example_board`.
        numbers: the least and the most numbers.
        lists: the least and the most lists of cells; None for any number.
        sizes: the least and the most cells of each list; the last one is for all lists that follow.
        repeats: whether a cell may be in a list twice.
        has_expression: whether it has an expression and a colon in place of numbers.
        has_alternatives: whether it has other constraints in place of numbers and cells.
        needs: a property of the board: `lines` (rows and columns, also of a cube), `grid` (of a rectangle), `boxes`.
        example_board: the name of the board of the example.
    """

    summary: str
    form: str
    example: str
    numbers: tuple[int, int] = (0, 0)
    lists: tuple[int, int | None] = (1, 1)
    sizes: tuple[tuple[int, int | None], ...] = (_ANY,)
    repeats: bool = False
    has_expression: bool = False
    has_alternatives: bool = False
    needs: str = ""
    example_board: str = "9x9"

    def __repr__(self) -> str:
        """Return its summary on one short line."""
        return brief(self)


_PAIR, _LINE = ((2, 2),), ((2, None),)
_NONE: tuple[int, int] = (0, 0)

CONSTRAINTS: Table[Kind] = Table(
    {
        # Sums and sets.
        "cage": Kind(
            "the cells all differ, and add up to the sum where there is one",
            "cage [SUM] CELLS",
            "cage 15 r1c1 r1c2 r2c1",
            numbers=(0, 1),
        ),
        "sum": Kind(
            "the cells add up to the sum; they may be equal", "sum SUM CELLS", "sum 15 r1c1 r1c2 r2c1", numbers=(1, 1)
        ),
        "little-killer": Kind(
            "the cells of a diagonal add up to the sum; they may be equal",
            "little-killer SUM CELLS",
            "little-killer 20 r1c4-r4c1",
            numbers=(1, 1),
        ),
        "arrow": Kind(
            "the circle, of one to three digits, is the sum of the cells along the arrow",
            "arrow CIRCLE / CELLS",
            "arrow r1c1 / r1c2 r2c3",
            lists=(2, 2),
            sizes=((1, 3), _ANY),
            repeats=True,
        ),
        "double-arrow": Kind(
            "the two ends add up to as much as the cells between them",
            "double-arrow CELLS",
            "double-arrow r1c1-r1c5",
            sizes=((3, None),),
            repeats=True,
        ),
        "equal-sums": Kind(
            "each list of cells adds up to the same",
            "equal-sums CELLS / CELLS / ...",
            "equal-sums r1c1 r1c2 / r2c1 r2c2",
            lists=(2, None),
            repeats=True,
        ),
        "region-sums": Kind(
            "the cells of the line add up to the same in each box that it passes, each time that it does",
            "region-sums CELLS",
            "region-sums r1c2-r1c5",
            sizes=_LINE,
            needs="boxes",
        ),
        "zipper": Kind(
            "cells as far from the middle of the line add up to the same, and to the middle cell if there is one",
            "zipper CELLS",
            "zipper r1c1-r1c5",
            sizes=_LINE,
        ),
        "weighted-sum": Kind(
            "the cells, each times its coefficient, add up to the sum; they may be equal",
            "weighted-sum SUM COEFFICIENTS CELLS",
            "weighted-sum 4 1 1 -2 r1c1 r1c2 r2c1",
            numbers=(2, 101),
        ),
        "sum-line": Kind(
            "the line can be cut into pieces that each add up to the sum",
            "sum-line SUM CELLS",
            "sum-line 10 r1c1-r1c5",
            numbers=(1, 1),
        ),
        "sum-loop": Kind(
            "the line goes on from its last cell to the first, and can be cut into pieces that each add up to the sum",
            "sum-loop SUM CELLS",
            "sum-loop 10 r1c1 r1c2 r2c2 r2c1",
            numbers=(1, 1),
            sizes=_LINE,
        ),
        "lunchbox": Kind(
            "the cells differ, and those between the smallest and the largest of them add up to the sum",
            "lunchbox SUM CELLS",
            "lunchbox 11 r1c2 r1c1 r2c1 r2c2",
            numbers=(1, 1),
        ),
        "rellik-cage": Kind(
            "the cells differ, and no set of them adds up to the number",
            "rellik-cage NUMBER CELLS",
            "rellik-cage 9 r1c1 r1c2 r2c1",
            numbers=(1, 1),
        ),
        "equality-cage": Kind(
            "the cells differ, none is the middle value; as many are odd as even, and low as high",
            "equality-cage CELLS",
            "equality-cage r1c1 r1c2 r2c1 r2c2",
        ),
        "same-values": Kind(
            "each list of cells holds the same values, each as often",
            "same-values CELLS / CELLS / ...",
            "same-values r1c1 r1c2 / r5c5 r6c5",
            lists=(2, None),
        ),
        # Pairs.
        "difference": Kind(
            "two cells differ by the number, by default 1 (a white dot)",
            "difference [NUMBER] CELL CELL",
            "difference 1 r1c1 r1c2",
            numbers=(0, 1),
            sizes=_PAIR,
        ),
        "ratio": Kind(
            "one cell is the number times the other, by default 2 (a black dot)",
            "ratio [NUMBER] CELL CELL",
            "ratio 2 r1c1 r1c2",
            numbers=(0, 1),
            sizes=_PAIR,
        ),
        "xv": Kind(
            "two cells add up to the sum: 10 for an X, 5 for a V",
            "xv SUM CELL CELL",
            "xv 10 r1c1 r1c2",
            numbers=(1, 1),
            sizes=_PAIR,
        ),
        "greater": Kind(
            "each cell is greater than the next", "greater CELLS", "greater r1c1 r1c2", sizes=_LINE, repeats=True
        ),
        "clone": Kind(
            "the cells of the lists are equal one by one",
            "clone CELLS / CELLS",
            "clone r1c1 r1c2 / r5c5 r5c6",
            lists=(2, 2),
            repeats=True,
        ),
        "palindrome": Kind(
            "the line reads the same from both ends",
            "palindrome CELLS",
            "palindrome r1c1-r4c4",
            sizes=_LINE,
            repeats=True,
        ),
        # Of all neighbours.
        "non-consecutive": Kind(
            "neighbours do not differ by 1, but those that a `difference` marks",
            "non-consecutive",
            "non-consecutive",
            lists=_NONE,
            needs="lines",
        ),
        "negative-difference": Kind(
            "neighbours that no `difference` or `ratio` marks do not differ by any of the numbers (by default 1)",
            "negative-difference [NUMBERS]",
            "negative-difference 1",
            numbers=(0, 9),
            lists=_NONE,
            needs="lines",
        ),
        "negative-ratio": Kind(
            "of neighbours that no `ratio` or `difference` marks, neither is a number times the other (by default 2)",
            "negative-ratio [NUMBERS]",
            "negative-ratio 2",
            numbers=(0, 9),
            lists=_NONE,
            needs="lines",
        ),
        "negative-xv": Kind(
            "neighbours that no `xv` marks add up to none of the numbers (by default 5 and 10)",
            "negative-xv [NUMBERS]",
            "negative-xv",
            numbers=(0, 9),
            lists=_NONE,
            needs="lines",
        ),
        "anti-knight": Kind(
            "cells a knight's move apart differ", "anti-knight", "anti-knight", lists=_NONE, needs="lines"
        ),
        "anti-king": Kind(
            "cells that touch differ, at a side or a corner", "anti-king", "anti-king", lists=_NONE, needs="lines"
        ),
        "diagonal": Kind(
            "the cells of both long diagonals differ; of the one that rises to the right (1), or the other (-1)",
            "diagonal [1 OR -1]",
            "diagonal 1",
            numbers=(0, 1),
            lists=_NONE,
            needs="grid",
        ),
        "disjoint-groups": Kind(
            "cells in the same place of their boxes differ",
            "disjoint-groups",
            "disjoint-groups",
            lists=_NONE,
            needs="boxes",
        ),
        "windoku": Kind(
            "the cells of each window differ: as large as boxes, with a line of cells around each",
            "windoku",
            "windoku",
            lists=_NONE,
            needs="grid",
        ),
        "space-diagonals": Kind(
            "the cells of each long diagonal of a cube differ",
            "space-diagonals",
            "space-diagonals",
            lists=_NONE,
            example_board="4x4x4",
        ),
        "plane-diagonals": Kind(
            "the cells of both long diagonals of each plane of a cube differ",
            "plane-diagonals",
            "plane-diagonals",
            lists=_NONE,
            example_board="4x4x4",
        ),
        "equal-planes": Kind(
            "planes of a cube across an axis (1 is x, 2 is y, 3 is z) are equal; they are numbered from 0",
            "equal-planes AXIS PLANE PLANE",
            "equal-planes 3 0 1",
            numbers=(3, 100),
            lists=_NONE,
            example_board="4x4x4",
        ),
        "anti-taxicab": Kind(
            "equal values d are not d steps apart, along sides",
            "anti-taxicab",
            "anti-taxicab",
            lists=_NONE,
            needs="lines",
        ),
        "global-entropy": Kind(
            "each 2x2 square has a low, a middle and a high value",
            "global-entropy",
            "global-entropy",
            lists=_NONE,
            needs="grid",
        ),
        "global-modular": Kind(
            "each 2x2 square has values of each remainder by the number, by default 3",
            "global-modular [NUMBER]",
            "global-modular",
            numbers=(0, 1),
            lists=_NONE,
            needs="grid",
        ),
        # Cells by themselves, and sets of cells.
        "odd": Kind("the cells are odd", "odd CELLS", "odd r1c1"),
        "even": Kind("the cells are even", "even CELLS", "even r1c1"),
        "values": Kind(
            "each cell holds one of the values", "values VALUES CELLS", "values 2 5 r1c1 r1c2", numbers=(1, 64)
        ),
        "minimum": Kind(
            "each cell is smaller than its neighbours that are not marked so too",
            "minimum CELLS",
            "minimum r2c2",
            needs="lines",
        ),
        "maximum": Kind(
            "each cell is greater than its neighbours that are not marked so too",
            "maximum CELLS",
            "maximum r2c2",
            needs="lines",
        ),
        "extra-region": Kind("the cells all differ", "extra-region CELLS", "extra-region r2c2-r4c4", sizes=_LINE),
        "quadruple": Kind(
            "the values are in the cells, each at least as often as it is named",
            "quadruple VALUES CELLS",
            "quadruple 3 5 r1c1 r1c2 r2c1 r2c2",
            numbers=(1, 9),
        ),
        "counting-circles": Kind(
            "of the cells as many hold a value as the value says, or none",
            "counting-circles CELLS",
            "counting-circles r1c1 r2c4 r5c5",
        ),
        "look-and-say": Kind(
            "as many cells as the number hold the value that follows it, for each pair of numbers",
            "look-and-say NUMBER VALUE ... CELLS",
            "look-and-say 1 6 2 7 r1c1 r2c1 r3c3",
            numbers=(2, 40),
        ),
        "count-distinct": Kind(
            "the first cell says how many different values the others hold",
            "count-distinct CELL / CELLS",
            "count-distinct r3c3 / r2c2-r2c4",
            lists=(2, 2),
            sizes=((1, 1), _ANY),
        ),
        "slingshot": Kind(
            "the second cell says which of the cells that follow it holds the value of the first",
            "slingshot CELLS",
            "slingshot r1c1-r1c5",
            sizes=((3, None),),
        ),
        "dutch-flatmates": Kind(
            "above each middle value there is a 1, or below it the largest value",
            "dutch-flatmates",
            "dutch-flatmates",
            lists=_NONE,
            needs="grid",
        ),
        # Lines.
        "thermometer": Kind(
            "each cell is greater than the one before, from the bulb on",
            "thermometer CELLS",
            "thermometer r1c1-r1c4",
            sizes=_LINE,
            repeats=True,
        ),
        "slow-thermometer": Kind(
            "no cell is smaller than the one before, from the bulb on",
            "slow-thermometer CELLS",
            "slow-thermometer r1c1-r1c4",
            sizes=_LINE,
            repeats=True,
        ),
        "whispers": Kind(
            "neighbours on the line differ by at least the number (by default half of the values: 5 on 9x9)",
            "whispers [NUMBER] CELLS",
            "whispers 5 r1c1-r1c4",
            numbers=(0, 1),
            sizes=_LINE,
            repeats=True,
        ),
        "renban": Kind("the values are consecutive and differ, in any order", "renban CELLS", "renban r1c1-r1c4"),
        "nabner": Kind("any two values on the line differ by at least 2", "nabner CELLS", "nabner r1c1-r1c4"),
        "entropic": Kind(
            "any three cells in a row on the line are a low, a middle and a high value",
            "entropic CELLS",
            "entropic r1c1-r1c4",
            sizes=_LINE,
        ),
        "modular": Kind(
            "any m cells in a row on the line have different remainders by m, 3 where there is no number",
            "modular [NUMBER] CELLS",
            "modular 3 r1c1-r1c4",
            numbers=(0, 1),
            sizes=_LINE,
        ),
        "parity-line": Kind(
            "neighbours on the line are odd and even in turn",
            "parity-line CELLS",
            "parity-line r1c1-r1c4",
            sizes=_LINE,
            repeats=True,
        ),
        "between": Kind(
            "the cells between the ends of the line lie strictly between their values",
            "between CELLS",
            "between r1c1-r1c4",
            sizes=_LINE,
        ),
        "lockout": Kind(
            "the ends differ by at least the number (by default 4), and no other cell of the line lies "
            "between them or is equal to one",
            "lockout [NUMBER] CELLS",
            "lockout 4 r1c1-r1c4",
            numbers=(0, 1),
            sizes=_LINE,
        ),
        # Clues beside rows and columns, which are read from the clue on.
        "sandwich": Kind(
            "the cells between the board's smallest and largest value, each of which is there once, add up to the sum",
            "sandwich SUM CELLS",
            "sandwich 17 r1c1-r1c9",
            numbers=(1, 1),
            sizes=_LINE,
        ),
        "x-sum": Kind(
            "the first X cells add up to the sum, where X is the first of them",
            "x-sum SUM CELLS",
            "x-sum 12 r1c1-r1c9",
            numbers=(1, 1),
        ),
        "skyscraper": Kind(
            "as many cells as the number are greater than all before them",
            "skyscraper NUMBER CELLS",
            "skyscraper 3 r1c1-r1c9",
            numbers=(1, 1),
        ),
        "hidden-skyscraper": Kind(
            "the first cell that is not greater than all before it holds the value",
            "hidden-skyscraper VALUE CELLS",
            "hidden-skyscraper 8 r1c1-r1c9",
            numbers=(1, 1),
        ),
        "numbered-room": Kind(
            "the X-th cell holds the value, where X is the first cell",
            "numbered-room VALUE CELLS",
            "numbered-room 4 r1c1-r1c9",
            numbers=(1, 1),
        ),
        # Cells that say where values are.
        "row-indexer": Kind(
            "a cell of row r with value v says that r is in row v of its column",
            "row-indexer CELLS",
            "row-indexer r1c1",
            needs="grid",
        ),
        "column-indexer": Kind(
            "a cell of column c with value v says that c is in column v of its row",
            "column-indexer CELLS",
            "column-indexer r1c1",
            needs="grid",
        ),
        "box-indexer": Kind(
            "the p-th cell of a box with value v says that p is in the v-th cell of the box",
            "box-indexer CELLS",
            "box-indexer r1c1",
            needs="boxes",
        ),
        # Of other constraints.
        "either": Kind(
            "at least one of the alternatives holds: constraints of other kinds, with `&` between those of one "
            "alternative. Each alternative means what it does in a puzzle without other constraints",
            "either CONSTRAINT & ... | CONSTRAINT & ... | ...",
            "either cage 7 r1c1 r1c2 | thermometer r1c1-r1c3 & values 2 r1c1",
            lists=_NONE,
            has_alternatives=True,
        ),
        # One's own.
        "relation": Kind(
            "of neighbours on the line, a and b, the expression is true (n is the largest value)",
            "relation EXPRESSION: CELLS",
            "relation |a-b| >= 3: r1c1-r1c4",
            sizes=_LINE,
            repeats=True,
            has_expression=True,
        ),
        "pairs": Kind(
            "of neighbours on the line, the second holds a value of those that are written after that of the first",
            "pairs WORDS: CELLS",
            "pairs 134 25: r1c1 r1c2",
            sizes=_LINE,
            repeats=True,
            has_expression=True,
        ),
        "regex": Kind(
            "the values along the line, as symbols of a puzzle, match the regular expression",
            "regex EXPRESSION: CELLS",
            "regex [1-4]*9.*: r1c1-r1c9",
            repeats=True,
            has_expression=True,
        ),
        "automaton": Kind(
            "from the first word on, the values along the line lead from word to word, as moves say, and to one with !",
            "automaton MOVES: CELLS",
            "automaton 1234>0,9>1 !.>1: r1c1-r1c9",
            repeats=True,
            has_expression=True,
        ),
    }
)
"""The kinds of constraints, by the name that a line of text begins with.

>>> CONSTRAINTS["thermometer"].form
'thermometer CELLS'
"""
