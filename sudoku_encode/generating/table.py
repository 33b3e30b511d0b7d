"""The tables of generators and symmetries. Light: a program's help lists them and loads nothing else."""

from typing import NamedTuple


class Generator(NamedTuple):
    """How the solution of each puzzle is found, and givens are removed from it.

    Attributes:
        summary: in a few words.
        board: the name of the board that is taken where none is named.
    """

    summary: str
    board: str = "9x9"


GENERATORS = {
    "sat": Generator("by a SAT solver, any board"),
    "keck2022": Generator("Keck's backtracking, for small boards; by default on his, latin:4x4x4", "latin:4x4x4"),
}


# By name, which 9x9x9 cubes with all six rules puzzles are cut out of; `usual` is for all other boards too.
KINDS = {
    "usual": "a regular grid, shuffled and refilled; most of these are uniform",
    "uniform": "cubes whose nine values have one pattern of signs",
    "mixed": "cubes whose values have several, one of 13 classes drawn evenly",
}


class PlacedKind(NamedTuple):
    """A kind of constraint that is put where a random solution fulfils it.

    Attributes:
        lengths: how few and how many cells a line has; of other kinds (0, 0).
        needs_lines: whether it needs neighbouring cells.
    """

    lengths: tuple[int, int] = (0, 0)
    needs_lines: bool = True


PLACED = {
    "cage": PlacedKind(),
    "thermometer": PlacedKind((3, 6)),
    "arrow": PlacedKind((3, 4)),
    "difference": PlacedKind(),
    "ratio": PlacedKind(),
    "xv": PlacedKind(),
    "whispers": PlacedKind((3, 6)),
    "renban": PlacedKind((3, 5)),
    "palindrome": PlacedKind((3, 5)),
    "little-killer": PlacedKind(),
    "odd": PlacedKind(needs_lines=False),
    "even": PlacedKind(needs_lines=False),
    "between": PlacedKind((3, 5)),
}
"""The kinds of constraints that `generate --with` takes."""


class Symmetry(NamedTuple):
    """A symmetry of the pattern of givens.

    Attributes:
        summary: in a few words.
        moves: what generates it, by their names in `symmetry.MOVES`.
        needs_equal_sides: whether it is for boards with equal sides only.
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
