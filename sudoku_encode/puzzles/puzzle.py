"""Puzzles, and the definition of a solution."""

import zlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_encode.errors import FormatError, InternalError, has_surrogates, plural, short
from sudoku_encode.puzzles.arrays import as_array, freeze
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint, Constraint
from sudoku_encode.puzzles.constraints.hidden import fillings
from sudoku_encode.puzzles.constraints.parsing import bind_all, checked_constraints
from sudoku_encode.puzzles.geometry import Cells, Geometry, with_hidden
from sudoku_encode.puzzles.showing import shown_as_html, shown_as_svg

Grids = NDArray[np.uint8]
Candidates = NDArray[np.bool_]
# Fewer grids than these are looked at in one call of numpy, whatever memory it takes.
_FEW_GRIDS = 8
# Of a constraint that is broken: some are very long, such as automata.
_SHOWN_CHARACTERS = 100
_NO_CONSTRAINTS: tuple[Constraint, ...] = ()


@dataclass(frozen=True, eq=False, repr=False, init=False)
class Puzzle:
    """A board with givens. Givens that clash make a puzzle with no solution; they are not an error.

    Puzzles are equal when their boards, givens, pencilmarks and constraints are. The name and the original do not
    count: they say where a puzzle is from, not what it asks, and two of one content are solved once.

    Arrays are copied, and cannot be written into: a puzzle never changes. `dataclasses.replace` makes another.
    On a board with values from 0, such as `9x9:0-8`, they hold 1 to n and 0 for a blank as on any other.

    Attributes:
        geometry: the board.
        givens: uint8 (n_cells,); 0 is a blank.
        pencilmarks: bool (n_cells, n_values), or None: what a blank may still hold, where the puzzle says so (Sukaku).
        name: what the source calls it.
        constraints: what must hold besides that the cells of each unit differ; see `puzzles.constraint`.
        original: the JSON of its f-puzzles object, with drawings and texts, for writing it back; else empty.

    >>> from sudoku_encode import Puzzle, board
    >>> Puzzle(board("4x4"), [1, 2, 3, 4] + 12 * [0])
    Puzzle('4x4', 4 givens)
    """

    geometry: Geometry
    givens: Grids
    pencilmarks: Candidates | None
    name: str
    constraints: tuple[Constraint, ...]
    original: str

    _repr_html_, _repr_svg_ = shown_as_html, shown_as_svg

    def __init__(
        self,
        geometry: Geometry,
        givens: ArrayLike | None = None,
        pencilmarks: ArrayLike | None = None,
        name: str = "",
        constraints: Iterable[Constraint | str] = _NO_CONSTRAINTS,
        original: str = "",
    ) -> None:
        """Make a puzzle from anything that numpy takes; without givens the empty board.

        Args:
            geometry: the board.
            givens: a value for each cell, 0 for a blank: whole numbers (n_cells,), or in the shape of the board.
            pencilmarks: bool (n_cells, n_values), or in the shape of the board with an axis for the values after it.
            name: what the source calls it.
            constraints: themselves, or lines of their text.
            original: the JSON of its f-puzzles object, if it was read from one.

        Raises:
            FormatError: not a board; not one whole number per cell; a value out of range; pencilmarks that are not
                truth values, or of another shape; a constraint that does not fit the board; a name that is not text.
        """
        if not isinstance(name, str):
            raise FormatError(f"{short(repr(name))} is not a name of a puzzle; expected text")
        if not isinstance(original, str):
            raise FormatError(f"{short(repr(original))} is not an original of a puzzle; expected text")
        if has_surrogates(name):
            raise FormatError(f"invalid name {short(name)}: half of a surrogate pair is not a character")
        put = object.__setattr__
        put(self, "geometry", require_board(geometry))
        put(self, "givens", checked_values(givens, geometry))
        put(self, "pencilmarks", None if pencilmarks is None else _checked_marks(pencilmarks, geometry))
        put(self, "name", name)
        put(self, "original", original)
        put(self, "constraints", () if constraints is _NO_CONSTRAINTS else checked_constraints(constraints, geometry))

    @staticmethod
    def of(
        geometry: Geometry,
        givens: ArrayLike | None = None,
        pencilmarks: ArrayLike | None = None,
        name: str = "",
        constraints: Iterable[Constraint | str] = _NO_CONSTRAINTS,
    ) -> "Puzzle":
        """Return `Puzzle(geometry, givens, pencilmarks, name, constraints)`."""
        return Puzzle(geometry, givens, pencilmarks, name, constraints)

    @cached_property
    def _content(self) -> tuple[Geometry, bytes, bytes | None, tuple[Constraint, ...]]:
        marks = None if self.pencilmarks is None else self.pencilmarks.tobytes()
        return self.geometry, self.givens.tobytes(), marks, self.constraints

    def __eq__(self, other: object) -> bool:
        """Compare boards, givens, pencilmarks and constraints."""
        return isinstance(other, Puzzle) and self._content == other._content

    def __repr__(self) -> str:
        """Return the board and how many givens there are on one short line."""
        marks = "" if self.pencilmarks is None else ", pencilmarks"
        if self.constraints:
            marks += f", {len(self.constraints)} {plural('constraint', len(self.constraints))}"
        name = f", {short(self.name, 30)!r}" if self.name else ""
        return f"Puzzle({short(self.geometry.name, 30)!r}, {np.count_nonzero(self.givens)} givens{marks}{name})"

    @cached_property
    def _hash(self) -> int:
        return hash(self._content)

    def __hash__(self) -> int:
        """Hash what is compared."""
        return self._hash

    def __reduce__(self) -> "tuple[Callable[..., Puzzle], tuple[object, ...]]":
        """Pickle what makes the puzzle, in little room, and nothing derived."""
        marks = None if self.pencilmarks is None else _packed(self.givens, self.pencilmarks)
        original = zlib.compress(self.original.encode("utf-8", "surrogatepass")) if self.original else b""
        givens = _deflated(self.givens.tobytes())
        return _unpickled, (self.geometry, givens, marks, self.name, self.constraints, original)

    @cached_property
    def blanks(self) -> NDArray[np.intp]:
        """The cells without a given, ascending, in a frozen array."""
        return freeze(np.flatnonzero(self.givens == 0))

    @cached_property
    def candidates(self) -> Candidates:
        """The candidates of each cell by its own given or pencilmarks alone: a frozen bool (n_cells, n_values)."""
        allowed = _one_hot(self.givens, self.geometry.n_values)
        blank = self.givens == 0
        allowed[blank] = True if self.pencilmarks is None else self.pencilmarks[blank]
        return freeze(allowed)

    @property
    def has_givens_alone(self) -> bool:
        """Whether it has only givens: neither pencilmarks nor constraints."""
        return self.pencilmarks is None and not self.constraints

    @cached_property
    def placed(self) -> tuple[BoundConstraint, ...]:
        """The constraints on the board."""
        return tuple(bind_all(self.constraints, self.geometry))

    @cached_property
    def extended(self) -> "Puzzle":
        """The puzzle on the board with its hidden cells, which have no givens; itself if it has no hidden cells."""
        board = self.placed[0].board if self.constraints else self.geometry
        more = board.n_cells - self.geometry.n_cells
        if not more:
            return self
        marks = self.pencilmarks
        if marks is not None:
            marks = np.vstack([marks, np.ones((more, board.n_values), np.bool_)])
        return Puzzle(board, np.pad(self.givens, (0, more)), marks, self.name, self.constraints)

    @property
    def on_grid(self) -> "Puzzle":
        """The puzzle on its board without hidden cells; see `extended`."""
        board = with_hidden(self.geometry, 0)
        if board is self.geometry:
            return self
        marks = None if self.pencilmarks is None else self.pencilmarks[: board.n_cells]
        return Puzzle(board, self.givens[: board.n_cells], marks, self.name, self.constraints)

    @cached_property
    def from_one(self) -> "Puzzle":
        """The puzzle with values from 1 that has the same solutions as arrays."""
        if self.geometry.first:
            return self
        constraints = dict.fromkeys(part.constraint for bound in self.placed for part in bound.from_one)
        return Puzzle(self.geometry.from_one, self.givens, self.pencilmarks, self.name, constraints)

    @property
    def clash(self) -> tuple[int, int] | None:
        """Two peers with the same given, if there are any."""
        (pair,) = first_clashes(self.geometry, self.givens[None])
        return None if pair is None else (pair[0], pair[1])


def first_clashes(board: Geometry, givens: Grids) -> list[list[int] | None]:
    """Return for each of some puzzles on a board two peers with the same given, or None without a clash."""
    if not len(board.edges):
        return [None] * len(givens)
    first, second = np.ascontiguousarray(board.edges.T)
    # Cells are rows here, which are copied much faster than single values.
    values = np.ascontiguousarray(givens.T)
    both = (values[first] == values[second]) & (values[first] != 0)
    pairs: list[list[int]] = board.edges[both.argmax(axis=0)].tolist()
    return [pair if clashes else None for pair, clashes in zip(pairs, both.any(axis=0).tolist(), strict=True)]


def require_board(board: Geometry) -> Geometry:
    """Return a board that a caller gave, after a check of its type.

    Raises:
        FormatError: it is something else, such as the name of a board.
    """
    if not isinstance(board, Geometry):
        raise FormatError(f"{short(repr(board))} is not a board; expected one such as board('9x9')")
    return board


def checked_values(values: ArrayLike | None, board: Geometry) -> Grids:
    """Return a frozen copy of values for the cells of a board, uint8 (n_cells,), 0 for a blank.

    They may be in the shape of the board; None stands for blanks alone.

    Raises:
        FormatError: not one whole number per cell, or a value out of range.
    """
    if values is None:
        return freeze(np.zeros(board.n_cells, np.uint8))
    array = as_array(values, "values")
    # An empty list is an array of floats.
    if array.size and array.dtype.kind not in "iu":
        raise FormatError(f"values must be whole numbers, not {array.dtype}")
    if array.size != board.n_cells:
        raise FormatError(f"{array.size} values for the {board.n_cells} cells of {board.name}")
    flat = array.reshape(-1)
    if array.shape not in ((board.n_cells,), board.shape):
        raise FormatError(
            f"values of shape {array.shape} for {board.name}; expected ({board.n_cells},) or {board.shape}"
        )
    if flat.max() > board.n_values or flat.min() < 0:
        cell = int(np.argmax((flat < 0) | (flat > board.n_values)))
        name = board.cell_name(cell)
        raise FormatError(f"{name} = {flat[cell]}; values on {board.name} go from 1 to {board.n_values}")
    return freeze(flat.astype(np.uint8))


def _checked_marks(marks: ArrayLike, board: Geometry) -> Candidates:
    """Return a frozen copy of pencilmarks, bool (n_cells, n_values)."""
    array, shape = as_array(marks, "pencilmarks"), (board.n_cells, board.n_values)
    # Lists of values would pass for truth values, under which [3, 4, 0, 0] is {1, 2}.
    if array.dtype != np.bool_:
        raise FormatError(
            f"pencilmarks must be truth values, not {array.dtype}: expected a bool array of shape {shape}, "
            "in which [cell, value - 1] is True where the cell may hold the value"
        )
    if array.shape not in (shape, (*board.shape, board.n_values)):
        raise FormatError(f"pencilmarks of shape {array.shape} for {board.name}; expected {shape}")
    return freeze(array.reshape(shape).copy())


def require_plain(puzzle: Puzzle) -> None:
    """Refuse a puzzle with constraints, for code that knows only units and candidates and would count too much.

    Raises:
        InternalError: the puzzle has constraints.
    """
    if puzzle.constraints:
        raise InternalError(f"constraints would be ignored here: {puzzle!r}")


def _unpickled(
    geometry: Geometry,
    givens: bytes,
    marks: bytes | None,
    name: str,
    constraints: tuple[Constraint, ...],
    original: bytes = b"",
) -> Puzzle:
    values = np.frombuffer(zlib.decompress(givens), np.uint8).copy()
    pencilmarks = None if marks is None else _unpacked(values, marks, geometry.n_values)
    text = zlib.decompress(original).decode("utf-8", "surrogatepass") if original else ""
    return Puzzle(geometry, values, pencilmarks, name, constraints, text)


def _packed(givens: Grids, marks: Candidates) -> bytes:
    """Return pencilmarks, compressed. Those of a given are mostly its value: then they are not kept."""
    rows = marks ^ _one_hot(givens, marks.shape[1])
    return _deflated(np.packbits(rows[_blanks_first(givens)]).tobytes())


def _unpacked(givens: Grids, packed: bytes, n_values: int) -> Candidates:
    """Return the pencilmarks that were packed."""
    marks = _one_hot(givens, n_values)
    bits = np.unpackbits(np.frombuffer(zlib.decompress(packed), np.uint8), count=marks.size)
    marks[_blanks_first(givens)] ^= bits.reshape(marks.shape).astype(bool)
    return marks


def _deflated(data: bytes) -> bytes:
    # Blanks come in runs; that anything else repeats is chance, and to say where costs more than it saves.
    packer = zlib.compressobj(strategy=zlib.Z_RLE)
    return packer.compress(data) + packer.flush()


def _one_hot(givens: Grids, n_values: int) -> Candidates:
    """Return for each cell its given alone, bool (n_cells, n_values); nothing for a blank."""
    return np.asarray(givens[:, None] == np.arange(1, n_values + 1, dtype=np.uint8))


def _blanks_first(givens: Grids) -> NDArray[np.intp]:
    return np.argsort(givens > 0, kind="stable")


def violations(puzzle: Puzzle, grid: ArrayLike) -> Iterator[str]:
    """Yield every fault that keeps a grid of n_cells values from being a solution: the specification of a solution.

    A fault is a sentence: a value missing or out of range, a given changed, a value twice in a unit, a constraint that
    does not hold.
    """
    board = puzzle.geometry
    values = as_array(grid, "values of a grid").ravel().tolist()
    if len(values) != board.n_cells:
        yield f"{len(values)} values for {board.n_cells} cells"
        return
    for cell, value in enumerate(values):
        given = int(puzzle.givens[cell])
        if not 1 <= value <= board.n_values:
            expected = f"not a value from {board.first} to {board.last}"
            yield f"{board.cell_name(cell)} holds {board.shown(value)}, {expected}"
        elif given and value != given:
            yield f"{board.cell_name(cell)} holds {board.shown(value)}, its given is {board.shown(given)}"
        elif puzzle.pencilmarks is not None and not given and not puzzle.pencilmarks[cell, value - 1]:
            yield f"{board.cell_name(cell)} holds {board.shown(value)}, which its pencilmarks exclude"
    for rule in board.rules:
        for unit in rule.units.tolist():
            seen: dict[int, int] = {}
            for cell in unit:
                if values[cell] in seen:
                    first, second = board.cell_name(seen[values[cell]]), board.cell_name(cell)
                    yield f"{first} and {second} of one {rule.name} both hold {board.shown(values[cell])}"
                seen[values[cell]] = cell
    # Constraints are defined for values alone.
    if min(values) >= 1 and max(values) <= board.n_values:
        yield from _broken_constraints(puzzle, values)


def _broken_constraints(puzzle: Puzzle, values: list[int]) -> Iterator[str]:
    """Yield a sentence for each constraint that a full grid breaks, and one for those that name hidden cells."""
    in_grid, hidden = by_hidden_cells(puzzle)
    for constraint in in_grid:
        if constraint.violated(values):
            yield f"it breaks `{short(constraint.constraint.text(puzzle.geometry), _SHOWN_CHARACTERS)}`"
    if hidden and not can_be_filled(hidden, values):
        texts = "; ".join(constraint.constraint.text(puzzle.geometry) for constraint in hidden)
        yield f"no values of the hidden cells satisfy `{short(texts, _SHOWN_CHARACTERS)}`"


def first_violated(puzzle: Puzzle, values: list[int]) -> BoundConstraint | None:
    """Return a constraint that a full grid breaks; if all values of hidden cells break some, the first with any."""
    in_grid, hidden = by_hidden_cells(puzzle)
    if violated := next((constraint for constraint in in_grid if constraint.violated(values)), None):
        return violated
    return hidden[0] if hidden and not can_be_filled(hidden, values) else None


def by_hidden_cells(puzzle: Puzzle) -> tuple[list[BoundConstraint], list[BoundConstraint]]:
    """Return the constraints whose cells are all on the puzzle's board, and the others, which name hidden cells."""
    n_cells = puzzle.geometry.n_cells
    in_grid: list[BoundConstraint] = []
    hidden: list[BoundConstraint] = []
    for constraint in puzzle.placed:
        names_hidden = constraint.board.n_cells > n_cells and max(constraint.scope_cells, default=0) >= n_cells
        (hidden if names_hidden else in_grid).append(constraint)
    return in_grid, hidden


def can_be_filled(hidden: list[BoundConstraint], values: list[int]) -> bool:
    """Check whether hidden cells can have values with those of the grid, by the constraints that name them."""
    return next(fillings(hidden, values), None) is not None


def check(puzzle: Puzzle, grids: Grids, givens: Grids | None = None) -> None:
    """Check a batch of solutions, (m, n_cells), at once, as `violations` would one by one.

    Each grid may have more givens than the puzzle.

    Raises:
        InternalError: a grid is not a solution; the message says why.
    """
    if reason := fault(puzzle, grids, givens):
        raise InternalError(f"a solver returned {reason}")


def fault(puzzle: Puzzle, grids: Grids, givens: Grids | None = None) -> str:
    """Return the fault of the first grid that is not a solution; empty if all are solutions. See `check`."""
    board = puzzle.geometry
    if grids.shape[1:] != (board.n_cells,):
        return f"{grids.shape} values, not grids of {board.n_cells} cells"
    wrong = are_wrong(puzzle, grids)
    if givens is not None:
        wrong |= ((givens != 0) & (givens != grids)).any(axis=1)
    if not wrong.any():
        return ""
    reason = next(violations(puzzle, grids[np.argmax(wrong)]), "it changes a given")
    return f"a grid that is not a solution: {reason}"


def are_wrong(puzzle: Puzzle, grids: Grids) -> NDArray[np.bool_]:
    """Return for each grid (m, n_cells) whether it is wrong, bool (m,)."""
    wrong = not_allowed(puzzle, grids) | breaks_rule(puzzle.geometry, grids)
    in_grid, hidden = by_hidden_cells(puzzle)
    if len(grids) == 1 and not wrong[0]:
        values = grids[0].tolist()
        wrong[0] = any(constraint.violated(values) for constraint in in_grid)
    else:
        for constraint in in_grid:
            wrong[~wrong] = breaks_constraint(constraint, grids[~wrong])
    if hidden:
        wrong[~wrong] = [not can_be_filled(hidden, grid) for grid in grids[~wrong].tolist()]
    return wrong


def breaks_constraint(constraint: BoundConstraint, grids: Grids) -> NDArray[np.bool_]:
    """Return for each full grid (m, n_cells) whether it breaks a constraint, bool (m,)."""
    cells = np.array(constraint.scope_cells, np.intp)
    if not len(grids):
        return np.zeros(0, bool)
    if not len(cells):
        return np.full(len(grids), constraint.violated(grids[0].tolist()))
    # Many grids have few different values in its cells, and its definition is plain Python.
    values = np.ascontiguousarray(grids[:, cells])
    as_bytes = values.view(np.dtype((np.void, values.shape[1] * values.itemsize))).ravel()
    _, first, group = np.unique(as_bytes, return_index=True, return_inverse=True)
    broken = [constraint.violated(grid) for grid in grids[first].tolist()]
    return np.array(broken, bool)[group]


def not_allowed(puzzle: Puzzle, grids: Grids) -> NDArray[np.bool_]:
    """Return for each grid whether a cell has no value, or one that its given or pencilmarks exclude, bool (m,)."""
    n = puzzle.geometry.n_values
    given = np.flatnonzero(puzzle.givens)
    wrong: NDArray[np.bool_] = (grids[:, given] != puzzle.givens[given]).any(axis=1)
    # Such values are rare.
    if len(grids) and (grids.min() < 1 or grids.max() > n):
        wrong |= ((grids < 1) | (grids > n)).any(axis=1)
    if puzzle.pencilmarks is not None:
        values = np.clip(grids, 1, n).astype(np.intp) - 1
        wrong |= ~puzzle.candidates[np.arange(puzzle.geometry.n_cells), values].all(axis=1)
    return wrong


def breaks_rule(geometry: Geometry, grids: Grids) -> NDArray[np.bool_]:
    """Return for each grid whether some unit holds a value twice, bool (m,)."""
    broken = np.zeros(len(grids), bool)
    n = geometry.n_values
    if len(grids) and n < 64 and grids.min() >= 1 and grids.max() <= n:
        # Bit v for value v, a row for each cell: then all grids are looked at in a few operations on whole rows.
        width = next(np.dtype(f"u{size}") for size in (2, 4, 8) if n < 8 * size)
        bits = np.left_shift(width.type(1), np.ascontiguousarray(grids.T), dtype=width)
        for rule in geometry.rules:
            joined = _joined(bits, rule.units)
            if rule.units.shape[1] == n:
                broken |= np.bitwise_and.reduce(joined, axis=0) != width.type(2 ** (n + 1) - 2)
            else:
                broken |= (np.bitwise_count(joined) < rule.units.shape[1]).any(axis=0)
        return broken
    for rule in geometry.rules:
        values = np.sort(grids[:, rule.units], axis=2)
        broken |= (values[:, :, 1:] == values[:, :, :-1]).any(axis=(1, 2))
    return broken


def _joined(bits: NDArray[Any], units: Cells) -> NDArray[Any]:
    """Return the bits of the cells of each unit together, (units, m), from those of each cell (n_cells, m)."""
    if bits.shape[1] < _FEW_GRIDS:
        return np.asarray(np.bitwise_or.reduce(bits[units], axis=1))
    # One cell of each unit after the other takes less memory at a time.
    joined: NDArray[Any] = bits[units[:, 0]]
    for cells in units.T[1:]:
        joined |= bits[cells]
    return joined
