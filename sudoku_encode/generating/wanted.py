"""What a random puzzle should be, and why there can be none."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sudoku_encode.errors import MethodError, SudokuError
from sudoku_encode.generating.symmetry import orbits, sides
from sudoku_encode.generating.table import GENERATORS, KINDS, SYMMETRIES
from sudoku_encode.placements.structure import side
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline

# While a puzzle is generated, several times as many solutions are listed again and again.
MAX_SOLUTIONS = 10_000


@dataclass(frozen=True)
class Aim:
    """A range that a figure of a puzzle should be in; what measures it belongs to a room above.

    Attributes:
        text: as it is written: `FIGURE:LOW-HIGH`.
        low: the least that is wanted.
        high: the most.
        measure: returns the figure of a puzzle, None where it is not known.
    """

    text: str
    low: float
    high: float
    measure: Callable[[Puzzle, Deadline], float | None]


@dataclass(frozen=True)
class Wanted:
    """What a puzzle should be.

    Attributes:
        clues: how many givens; None for as few as one pass of removals leaves.
        solutions: exactly how many.
        minimal: no given can go without adding solutions. So it is without `clues`; with `clues` both must hold.
            With a symmetry, no group of givens can go.
        symmetry: of the pattern of givens, a key of `SYMMETRIES`.
        kind: of the cube that it is cut out of, a key of `KINDS`.
        uniform: whether each solution of the board is as likely to be the one that an attempt starts from.
        aim: what a figure of it should be, or None.
        constraints: that each has.
        placed: kinds of constraints, keys of `PLACED`, and how many of each are put where its solution fulfils them.
    """

    clues: int | None = None
    solutions: int = 1
    minimal: bool = False
    symmetry: str = "none"
    kind: str = "usual"
    uniform: bool = False
    aim: Aim | None = None
    constraints: tuple[Constraint, ...] = ()
    placed: tuple[tuple[str, int], ...] = ()

    @property
    def must_be_minimal(self) -> bool:
        """Whether no given may be left that could go."""
        return self.minimal or self.clues is None

    def check(self, board: Geometry, method: str) -> None:
        """Raise MethodError, with the reason, when there can be no such puzzle, or the method cannot generate it."""
        if self.clues is not None and not 0 <= self.clues <= board.n_cells:
            raise MethodError(f"{self.clues} clues on {board.name}: it has {board.n_cells} cells")
        if self.solutions < 1:
            raise MethodError("a puzzle that is cut out of a solution has at least 1 solution")
        if self.solutions > MAX_SOLUTIONS:
            raise MethodError(f"{self.solutions} solutions are too many to list them; at most {MAX_SOLUTIONS}")
        if self.aim is not None and self.solutions != 1:
            raise MethodError(f"a puzzle with {self.solutions} solutions has no rating")
        if self.symmetry not in SYMMETRIES:
            raise MethodError(f"no symmetry is called {self.symmetry!r}; choose from {', '.join(SYMMETRIES)}")
        if SYMMETRIES[self.symmetry].needs_equal_sides and len(set(sides(board))) > 1:
            raise MethodError(f"symmetry {self.symmetry} needs equal sides")
        if self.clues is not None and not _is_sum(self.clues, map(len, orbits(board, self.symmetry))):
            raise MethodError(f"no pattern of {self.clues} clues has symmetry {self.symmetry} on {board.name}")
        if method not in GENERATORS:
            raise MethodError(f"no generator is called {method!r}; choose from {', '.join(GENERATORS)}")
        if method == "keck2022" and (self.solutions != 1 or self.symmetry != "none"):
            raise MethodError("keck2022 makes puzzles with one solution and without symmetry; use --method sat")
        self._check_origin(board, method)
        self._check_constraints(method)

    def _check_constraints(self, method: str) -> None:
        """Raise MethodError where something that is wanted takes no constraints."""
        if not (self.constraints or self.placed):
            return
        kinds = ", ".join(dict.fromkeys([*(one.kind for one in self.constraints), *(kind for kind, _ in self.placed)]))
        for what, given in (("method keck2022", method == "keck2022"), ("a rating", self.aim is not None)):
            if given:
                raise MethodError(f"{what} takes no constraints; these are wanted: {kinds}")
        fixed = {"uniform": self.uniform, f"kind {self.kind}": self.kind != "usual"}
        for what, given in fixed.items():
            if given and self.constraints:
                raise MethodError(f"{what} chooses solutions that know no constraints; these are given: {kinds}")

    def _check_origin(self, board: Geometry, method: str) -> None:
        """Raise MethodError where the method cannot choose such full grids to begin with."""
        if self.kind not in KINDS:
            raise MethodError(f"no kind of cube is called {self.kind!r}; choose from {', '.join(KINDS)}")
        if self.kind != "usual" and side(board) != 3:
            rules = ", ".join(board.rule_names)
            raise MethodError(f"kind {self.kind} is for 9x9x9 with all six rules; this is {board.name} with {rules}")
        if self.kind != "usual" and method != "sat":
            raise MethodError(f"{method} makes cubes of its own, not of kind {self.kind}; use --method sat")
        if self.uniform and (method != "sat" or self.kind != "usual"):
            other = f"method {method}" if method != "sat" else f"kind {self.kind}"
            raise MethodError(f"{other} chooses solutions in a way of its own, which is not uniform")


def clues_of(board: Geometry, clues: int | None, blanks: int | None) -> int | None:
    """Return the number of givens, where that or the number of blanks is wanted; else None.

    Raises:
        SudokuError: both are, or there are not as many cells.
    """
    if blanks is None:
        return clues
    if clues is not None:
        raise SudokuError("clues and blanks say the same thing: give one of them")
    if blanks > board.n_cells:
        raise SudokuError(f"{blanks} blanks on {board.name}: it has {board.n_cells} cells")
    return board.n_cells - blanks


def _is_sum(number: int, sizes: Iterable[int]) -> bool:
    """Say whether some of the sizes add up to a number."""
    sums = 1
    for size in sizes:
        sums |= sums << size
    return bool(sums >> number & 1)
