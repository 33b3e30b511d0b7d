"""The tables of generators, kinds and symmetries. Imports nothing heavy: --help reads this."""

from typing import NamedTuple


class Generator(NamedTuple):
    """A way to find the solution of each puzzle, and to remove givens from it.

    Attributes:
        summary: in a few words.
        board: the name of the default board.
    """

    summary: str
    board: str = "9x9"


GENERATORS = {
    "sat": Generator("by a SAT solver, any board"),
    "keck2022": Generator(
        "Keck's backtracking, for small boards; the default board is his, latin:4x4x4", "latin:4x4x4"
    ),
}


# By name, from which 9x9x9 cubes with all six rules puzzles are made; `usual` is for all other boards too.
KINDS = {
    "usual": "a regular grid, shuffled and refilled; most of these are uniform",
    "uniform": "cubes whose nine values have one pattern of signs",
    "mixed": "cubes whose values have several, one of 13 classes drawn evenly",
}


class Family(NamedTuple):
    """A family of instances for solvers.

    Attributes:
        summary: in a few words.
        status: what a SAT solver must answer.
    """

    summary: str
    status: str = "SATISFIABLE"


FAMILIES = {
    "holes": Family("blanks at random in a random solution, any number of solutions"),
    "balanced": Family("blanks in a random solution, nearly equally many in the units of each rule"),
    "unsat": Family(
        "no solution: a given of a unique puzzle, or of holes, is changed; no two givens clash", "UNSATISFIABLE"
    ),
}


# The kinds of constraints that `generate --with` takes: those with a `placing`, whose classes --help does not load.
PLACED = (
    "cage",
    "little-killer",
    "arrow",
    "difference",
    "ratio",
    "xv",
    "palindrome",
    "odd",
    "even",
    "thermometer",
    "whispers",
    "renban",
    "between",
)


class Symmetry(NamedTuple):
    """A symmetry of the pattern of givens.

    Attributes:
        summary: in a few words.
        moves: the moves that generate it, names of `options.MOVES`.
        needs_equal_sides: whether it is only for boards with equal sides.
    """

    summary: str
    moves: tuple[str, ...]
    needs_equal_sides: bool = False


SYMMETRIES = {
    "none": Symmetry("any pattern", ()),
    "point": Symmetry("half a turn", ("point",)),
    "mirror": Symmetry("left and right", ("mirror",)),
    "diagonal": Symmetry("rows and columns", ("diagonal",), needs_equal_sides=True),
    "quarter": Symmetry("quarter turns", ("quarter",), needs_equal_sides=True),
    "full": Symmetry("all of these", ("mirror", "diagonal", "last diagonal"), needs_equal_sides=True),
}
