"""A grid: a value for each cell of a board."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.puzzles.arrays import restore_frozen
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import checked_values, require_board
from sudoku_encode.puzzles.showing import show, shown_as_html, shown_as_svg


@dataclass(frozen=True, eq=False, repr=False)
class Grid:
    """A solution: a value for each cell of a board. It prints as a line of text.

    Its length and its items are those of `array`: the rows of a square, the layers of a cube, the cells of boards that
    overlap. On a board with values from 0, arrays hold 1 to n as on any other; text has the numbers from 0.

    Attributes:
        geometry: the board.
        values: uint8 (n_cells,), in the order of the cells: a read-only copy.

    Raises:
        FormatError: not a board, or not one value of the board per cell.

    >>> import sudoku_encode as se
    >>> grid = se.solve("1...............", board="4x4")
    >>> grid[0, 0], grid.shape, len(grid), [int(row.sum()) for row in grid]
    (1, (4, 4), 4, [10, 10, 10, 10])
    """

    geometry: Geometry
    values: NDArray[np.uint8]

    def __post_init__(self) -> None:
        object.__setattr__(self, "values", checked_values(self.values, require_board(self.geometry)))

    __setstate__ = restore_frozen
    _repr_html_, _repr_svg_ = shown_as_html, shown_as_svg

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the board, such as (9, 9) or (9, 9, 9); (n_cells,) where boards overlap."""
        return self.geometry.shape

    @property
    def array(self) -> NDArray[np.uint8]:
        """The values in the shape of the board, such as (9, 9) or (9, 9, 9); in cell order where boards overlap."""
        return self.values.reshape(self.geometry.shape)

    def __len__(self) -> int:
        """Return the number of rows, or of layers of a cube."""
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        """Yield the rows, or the layers of a cube, as arrays."""
        return iter(self.array)

    @overload
    def __getitem__(self, place: tuple[int, int] | tuple[int, int, int]) -> int: ...

    @overload
    def __getitem__(self, place: Any) -> Any: ...

    def __getitem__(self, place: Any) -> Any:
        """Return the value at some coordinates, counted from 0; for part of them a part of `array`.

        Raises:
            IndexError: there is no such cell.
        """
        if self.geometry.places and isinstance(place, tuple):
            if place not in self.geometry.cells_by_coordinates:
                raise IndexError(f"{self.geometry.name} has no cell at {place}")
            return int(self.values[self.geometry.cells_by_coordinates[place]])
        part = self.array[place]
        return part if isinstance(part, np.ndarray) else int(part)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> NDArray[Any]:
        """Return the values in the shape of the board, for numpy: a copy unless `copy` is False."""
        return np.array(self.array, dtype=dtype, copy=copy is not False)

    def __eq__(self, other: object) -> bool:
        """Compare boards and values."""
        return (
            isinstance(other, Grid)
            and self.geometry == other.geometry
            and self.values.tobytes() == other.values.tobytes()
        )

    def __hash__(self) -> int:
        """Hash the board and the values."""
        return hash((self.geometry, self.values.tobytes()))

    def __str__(self) -> str:
        """Return it as text on one line."""
        return show("grid_text", self)

    def __repr__(self) -> str:
        """Return the board and the values on one short line."""
        text = str(self)
        return f"Grid({self.geometry.name[:30]!r}, {text if len(text) <= 50 else text[:47] + '...'})"
