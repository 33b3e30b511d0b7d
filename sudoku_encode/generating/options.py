"""The options of random puzzles, why a puzzle with them is impossible, and the symmetries of patterns of givens."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.random import RandomState
from numpy.typing import NDArray

from sudoku_encode.errors import MethodError, SudokuError
from sudoku_encode.generating.table import FAMILIES, GENERATORS, KINDS, SYMMETRIES
from sudoku_encode.placements.structure import side
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline

Cells = NDArray[np.intp]


def _diagonal(cells: Cells) -> Cells:
    return np.swapaxes(cells, 0, 1)


# By name: functions that move an array of cells in the shape of the board.
MOVES: dict[str, Callable[[Cells], Cells]] = {
    "point": np.flip,
    "mirror": lambda cells: np.flip(cells, -1),
    "diagonal": _diagonal,
    "last diagonal": lambda cells: np.swapaxes(cells, -1, -2),
    "quarter": np.rot90,
}


def sides(board: Geometry) -> tuple[int, ...]:
    """Return how many cells a board has along each axis, including the missing ones of overlapping boards."""
    return board.frame if board.places else board.shape


def orbits(board: Geometry, symmetry: str) -> list[list[int]]:
    """Return the cells in groups that must be given or blank together, in scan order, by a key of SYMMETRIES.

    `point` turns a square by half or inverts a cube, `mirror` flips the last axis, `diagonal` swaps the first two axes,
    `quarter` turns them by 90 degrees, `full` is all of these.

    Raises:
        MethodError: boards overlap so that a cell would be moved to a place without a cell.
    """
    cells: Cells = np.full(sides(board), -1)
    places = tuple(np.array(board.coordinates).T)
    cells[places] = smallest = np.arange(board.n_cells)
    moves = [MOVES[move](cells)[places] for move in SYMMETRIES[symmetry].moves]
    if any((move < 0).any() for move in moves):
        raise MethodError(f"the cells of {board.name} do not have symmetry {symmetry}")
    smallest = smallest.copy()
    changed = bool(moves)
    while changed:
        before = smallest.copy()
        for move in moves:
            smallest = np.minimum(smallest, smallest[move])
            np.minimum.at(smallest, move, smallest.copy())
        changed = not np.array_equal(smallest, before)
    order = np.argsort(smallest, kind="stable")
    starts = np.flatnonzero(np.diff(smallest[order])) + 1
    return [group.tolist() for group in np.split(order, starts)]


def shuffled_orbits(board: Geometry, symmetry: str, rng: RandomState) -> list[list[int]]:
    """Return the groups of `orbits` in random order."""
    groups = orbits(board, symmetry)
    return [groups[number] for number in rng.permutation(len(groups)).tolist()]


# Options.

# While a puzzle is generated, several times as many solutions are listed repeatedly.
MAX_SOLUTIONS = 10_000


@dataclass(frozen=True)
class Aim:
    """The range that a figure of a puzzle must be in; `questions.rating` measures it."""

    text: str  # as it is written: `FIGURE:LOW-HIGH`
    low: float  # the lower end
    high: float  # the upper end
    measure: Callable[[Puzzle, Deadline], float | None]  # returns the figure of a puzzle, None if it is not known
    of_constraints: bool  # whether it is a figure of puzzles with constraints too
    word: str = ""  # the word or words for difficulty that the range was written as; empty if it was not
    word_of: Callable[[float], str] = "".format  # returns the word for the difficulty of a figure

    @property
    def name(self) -> str:
        """The name of the figure."""
        return self.text.partition(":")[0]


@dataclass(frozen=True)
class GenerateOptions:
    """The properties of the puzzles to generate."""

    clues: int | None = None  # how many givens; None for as few as one pass of removals leaves
    solutions: int = 1  # exactly how many
    # Whether no given can go without adding solutions. Without `clues` that is always so; with `clues` both must hold.
    # With a symmetry, no group of givens can go.
    minimal: bool = False
    symmetry: str = "none"  # of the pattern of givens, a key of `SYMMETRIES`
    kind: str = "usual"  # of the cube that the puzzle is made from, a key of `KINDS`
    uniform: bool = False  # whether every solution of the board is equally likely to be the start of an attempt
    aim: Aim | None = None  # the range of a figure, or None
    constraints: tuple[Constraint, ...] = ()  # of every puzzle
    # Kinds of constraints, of `PLACED`, and how many of each to put where the solution satisfies them.
    placed: tuple[tuple[str, int], ...] = ()
    family: str | None = None  # a key of `FAMILIES`; None for puzzles with an exact number of solutions

    @property
    def must_be_minimal(self) -> bool:
        """Whether all givens must be needed."""
        return self.minimal or self.clues is None

    def check(self, board: Geometry, method: str) -> None:
        """Raise MethodError, with the reason, if there is no such puzzle, or the method cannot generate it."""
        if self.clues is not None and not 0 <= self.clues <= board.n_cells:
            raise MethodError(f"{self.clues} clues on {board.name}: it has {board.n_cells} cells")
        if self.solutions < 1:
            raise MethodError(f"{self.solutions} solutions: a puzzle made from a solution has at least 1 solution")
        if self.solutions > MAX_SOLUTIONS:
            raise MethodError(f"{self.solutions} solutions are too many to list them; at most {MAX_SOLUTIONS}")
        if self.aim is not None and self.solutions != 1:
            raise MethodError(f"a puzzle with {self.solutions} solutions has no rating")
        if self.aim is not None and self.aim.word and self.clues == board.n_cells:
            raise MethodError(f"difficulty {self.aim.word}: a full grid has none; expected fewer clues")
        if self.symmetry not in SYMMETRIES:
            raise MethodError(f"not a symmetry: {self.symmetry!r}; choose from {', '.join(SYMMETRIES)}")
        if SYMMETRIES[self.symmetry].needs_equal_sides and len(set(sides(board))) > 1:
            raise MethodError(f"symmetry {self.symmetry} needs equal sides")
        if self.clues is not None and not _is_sum(self.clues, map(len, orbits(board, self.symmetry))):
            raise MethodError(f"no pattern of {self.clues} clues has symmetry {self.symmetry} on {board.name}")
        if method not in GENERATORS:
            raise MethodError(f"not a generator: {method!r}; choose from {', '.join(GENERATORS)}")
        if method == "keck2022" and (self.solutions != 1 or self.symmetry != "none"):
            raise MethodError("keck2022 makes puzzles with one solution and without symmetry; use --method sat")
        self._check_family(method)
        self._check_origin(board, method)
        self._check_constraints(method)

    def _check_family(self, method: str) -> None:
        """Raise MethodError if another option has no effect on a family."""
        if self.family is None:
            return
        if self.family not in FAMILIES:
            raise MethodError(f"not a family: {self.family!r}; choose from {', '.join(FAMILIES)}")
        unused = {
            "solutions": self.solutions != 1,
            "minimal": self.minimal,
            "symmetry": self.symmetry != "none",
            "rating": self.aim is not None,
            f"method {method}": method != "sat",
        }
        for option, is_given in unused.items():
            if is_given:
                raise MethodError(f"{option} has no effect on the family {self.family}")

    def _check_constraints(self, method: str) -> None:
        """Raise MethodError if another option does not support constraints."""
        if not (self.constraints or self.placed):
            return
        kinds = ", ".join(
            dict.fromkeys([*(constraint.kind for constraint in self.constraints), *(kind for kind, _ in self.placed)])
        )
        units_only = self.aim is not None and not self.aim.of_constraints
        figure = f"a rating by {self.aim.name}" if self.aim is not None else ""
        for subject, is_used in (("method keck2022", method == "keck2022"), (figure, units_only)):
            if is_used:
                raise MethodError(f"{subject} does not support constraints: {kinds}")
        fixed = {"uniform": self.uniform, f"kind {self.kind}": self.kind != "usual"}
        for subject, is_used in fixed.items():
            if is_used and self.constraints:
                raise MethodError(f"{subject} chooses solutions regardless of constraints: {kinds}")

    def _check_origin(self, board: Geometry, method: str) -> None:
        """Raise MethodError if the method cannot start from such full grids."""
        if self.kind not in KINDS:
            raise MethodError(f"not a kind of cube: {self.kind!r}; choose from {', '.join(KINDS)}")
        if self.kind != "usual" and side(board) != 3:
            rules = ", ".join(board.rule_names)
            raise MethodError(f"kind {self.kind} is for 9x9x9 with all six rules; this is {board.name} with {rules}")
        if self.kind != "usual" and method != "sat":
            raise MethodError(f"{method} makes its own cubes, not of kind {self.kind}; use --method sat")
        if self.uniform and (method != "sat" or self.kind != "usual"):
            other = f"method {method}" if method != "sat" else f"kind {self.kind}"
            raise MethodError(f"{other} chooses solutions in its own way, which is not uniform")


def clue_count(board: Geometry, clues: int | None, blanks: int | None, family: str | None = None) -> int | None:
    """Return the number of givens, from that number or the number of blanks; None for as few as possible.

    Holes get the number of blanks that is hardest to fill if neither is given.

    Raises:
        SudokuError: both are given, there are not as many cells, or the hardest number is not known.
    """
    if clues is not None and blanks is not None:
        raise SudokuError("clues and blanks: give only one of them")
    if clues is None and blanks is None and family in ("holes", "balanced"):
        blanks = _hardest_blanks(board)
    if blanks is None:
        return clues
    if blanks > board.n_cells:
        raise SudokuError(f"{blanks} blanks on {board.name}: it has {board.n_cells} cells")
    return board.n_cells - blanks


# The number of blanks of 9x9x9 at which solvers took longest; see docs/internals/measurements.md.
_HARDEST_CUBE = 698


def is_latin_square(board: Geometry) -> bool:
    """Return whether the units are the rows and columns of a square with as many values."""
    n = board.n_values
    return board.shape == (n, n) and len(board.rules) == 2 and board.is_tiled_by([(1, n), (n, 1)])


def _hardest_blanks(board: Geometry) -> int:
    """Return about how many holes are hardest to fill, or raise SudokuError if it is not known."""
    # Latin squares of sides 25 to 35 take most conflicts with 1.6 to 1.8 n ** 1.55 holes, as docs/families.md measures.
    if is_latin_square(board):
        hardest: float = 1.7 * float(board.n_values) ** 1.55
        return min(board.n_cells, round(hardest))
    if side(board) == 3:
        return _HARDEST_CUBE
    raise SudokuError(f"the hardest number of blanks is not known for {board.name}: give --blanks")


def _is_sum(number: int, sizes: Iterable[int]) -> bool:
    """Check whether some of the sizes add up to a number."""
    sums = 1
    for size in sizes:
        sums |= sums << size
    return bool(sums >> number & 1)
