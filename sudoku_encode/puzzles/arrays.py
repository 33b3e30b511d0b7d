"""Types of arrays, named by their elements; their meaning and shape are documented at each use. Also repeated grids.

Boards, puzzles and answers are values, so their arrays are `frozen`: nobody can write into them, nor into their memory.
"""

import sys
from dataclasses import fields
from functools import lru_cache
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sudoku_encode.errors import FormatError

A = TypeVar("A", bound=NDArray[Any])

Bools = NDArray[np.bool_]
Int16s = NDArray[np.int16]
Int32s = NDArray[np.int32]
Int64s = NDArray[np.int64]
Intps = NDArray[np.intp]
Uint16s = NDArray[np.uint16]
Uint32s = NDArray[np.uint32]
Uint64s = NDArray[np.uint64]
Floats = NDArray[np.float64]

_LARGEST_HASH = 2**64 - 1


def is_frozen(array: NDArray[Any]) -> bool:
    """Check whether neither an array nor the one whose memory it is part of can be written into."""
    base = array.base
    return not array.flags.writeable and (base is None or (isinstance(base, np.ndarray) and is_frozen(base)))


def as_array(values: ArrayLike, what: str) -> NDArray[Any]:
    """Return values as an array, which may be the caller's own; `what` they are is for errors.

    Raises:
        FormatError: lists of different lengths, or a masked array.
    """
    # Whoever made one has loaded its module, which few programs do.
    if "numpy.ma" in sys.modules and isinstance(values, np.ma.MaskedArray):
        raise FormatError(f"{what} in a masked array, whose mask would be lost; expected one without, see its filled()")
    try:
        return np.asarray(values)
    except (ValueError, TypeError, OverflowError) as error:
        raise FormatError(f"{what} in lists of different lengths are not an array") from error


def frozen(array: A) -> A:
    """Return an array that nobody can write into: itself where it is one already, else a copy."""
    if type(array) is np.ndarray and is_frozen(array):
        return array
    copy: Any = np.array(array)
    return freeze(cast(A, copy))


def freeze(array: A) -> A:
    """Return the same array, which nobody can write into from now on; for one that was just made."""
    array.setflags(write=False)
    return array


def freeze_fields(value: object) -> None:
    """Make the fields of a dataclass nobody else's: arrays `frozen`, lists tuples, dictionaries copied.

    It is the `__post_init__` of those that hold arrays.
    """
    for field in fields(value):  # type: ignore[arg-type]
        content = getattr(value, field.name)
        if isinstance(content, np.ndarray):
            object.__setattr__(value, field.name, frozen(content))
        elif isinstance(content, list):
            object.__setattr__(value, field.name, tuple(content))
        elif isinstance(content, dict):
            object.__setattr__(value, field.name, dict(content))


def restore_frozen(value: object, state: dict[str, Any]) -> None:
    """Set what was pickled of an object; arrays can be written into when they are unpickled, and are frozen again.

    It is the `__setstate__` of what has `freeze_fields`.
    """
    for name, content in state.items():
        object.__setattr__(value, name, freeze(content) if isinstance(content, np.ndarray) else content)


def has_repeats(grids: NDArray[Any]) -> bool:
    """Check whether two grids (m, n_cells) are equal; wrong for about one in 2**64 pairs of different ones."""
    return len(np.unique(grid_hashes(grids))) < len(grids)


def grid_hashes(grids: NDArray[Any]) -> NDArray[np.uint64]:
    """Return a number for each grid (m, n_cells), the same for about one in 2**64 pairs of different grids."""
    factors = _hash_factors(grids.shape[1])
    if len(grids) == 1:
        # A call of numpy for each cell would take ten times as long.
        number = 0
        for value, factor in zip(grids[0].tolist(), factors.tolist(), strict=True):
            number = (number ^ value) * factor & _LARGEST_HASH
            number ^= number >> 29
        return np.array([number], np.uint64)
    mixed = np.zeros(len(grids), np.uint64)
    for column, factor in zip(grids.T, factors, strict=True):
        mixed = (mixed ^ column) * factor
        mixed ^= mixed >> np.uint64(29)
    return mixed


@lru_cache(maxsize=8)
def _hash_factors(n_cells: int) -> NDArray[np.uint64]:
    """Return an odd number of 64 bits for each cell."""
    return np.random.default_rng(0).integers(1, 2**63, n_cells, np.uint64) * np.uint64(2) + np.uint64(1)
