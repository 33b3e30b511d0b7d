"""From the parts of an ISS string to a board, givens, pencilmarks and constraints."""

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.iss_alternatives import Group, Item, constraints_of, grouped
from sudoku_encode.formats.iss_boards import board_of, shape_of
from sudoku_encode.formats.iss_constraints import READERS, Reader, least_arguments
from sudoku_encode.formats.iss_from_zero import translated
from sudoku_encode.formats.iss_regions import readers_for, refuse_two
from sudoku_encode.formats.iss_replicate import expanded
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle


def items_of(text: str) -> list[Item]:
    """Cut an ISS string into its parts; white space in it means nothing.

    Raises:
        FormatError: it does not begin with a point, or has types that no constraint says; the message names all of
            them.
    """
    before, *parts = "".join(text.split()).split(".")
    if before:
        raise FormatError(f"{short(before, 20)!r} before the first point; an ISS string begins with one")
    items = [Item(name, tuple(arguments)) for name, *arguments in (part.split("~") for part in parts)]
    refuse_two(items)
    if any(item.type == "Replicate" for item in items):
        items = [Item(name, tuple(arguments)) for name, arguments in expanded(items, shape_of(items))]
    known = {*types.ABOUT_BOARDS, *types.GROUPS, *READERS}
    names = dict.fromkeys(item.type for item in items if item.type not in known)
    if unsupported := [name for name in names if name in types.UNSUPPORTED]:
        raise FormatError(f"no constraint says what {', '.join(unsupported)} of this ISS string is")
    if names:
        raise FormatError(f"{short(next(iter(names)), 30)!r} is no type of ISS strings")
    return items


def puzzle_of(items: Sequence[Item], setting: Setting, name: str = "") -> Puzzle:
    """Return the puzzle of an ISS string.

    Args:
        items: its parts.
        setting: what the caller says of it.
        name: of the puzzle.

    Raises:
        FormatError: a part cannot be read, or does not fit the board.
        GeometryError: there is no such board.
    """
    shape = shape_of(items)
    board, constraints = board_of(shape, items, setting)
    allowed = np.ones((board.n_cells, board.n_values), bool)
    found: list[tuple[str, Constraint]] = []
    readers = {**READERS, **readers_for(board, shape, items)}
    for item in grouped(items):
        try:
            if isinstance(item, Group):
                constraints += constraints_of(item, partial(_in_group, board, readers, shape.first))
            elif item.type == "":
                for argument in item.arguments:
                    _restrict(allowed, board, argument, shape.first)
            elif item.type in readers:
                found += _constraints(board, readers, item)
        except FormatError as error:
            raise FormatError(f"{item.type or 'givens'}: {error.message}") from error
    if any(item.type == "AntiConsecutive" for item in items):
        # There it holds of all neighbours, here not of those with a dot.
        dots = [one.cells for _, one in found if one.kind == "difference"]
        found += [("AntiConsecutive", Constraint("relation", cells, (), "|a-b| != 1")) for cells in dots]
    constraints += (one for _, one in found) if shape.first == 1 else translated(board, found)
    single = allowed.sum(axis=1) == 1
    givens = np.where(single, allowed.argmax(axis=1) + 1, 0)
    marks = None if (single | allowed.all(axis=1)).all() else allowed
    return Puzzle.of(board, givens, marks, name, constraints)


def _constraints(board: Geometry, readers: Mapping[str, Reader], item: Item) -> list[tuple[str, Constraint]]:
    if len(item.arguments) < least_arguments(item.type):
        raise FormatError("its cells are missing")
    return [(item.type, one) for one in readers[item.type](board, item.arguments)]


def _in_group(board: Geometry, readers: Mapping[str, Reader], first: int, item: Item) -> list[Constraint]:
    """Return the constraints of a part of an Or or And; of givens what the cells may hold."""
    if not item.type:
        return [_values(board, argument, first) for argument in item.arguments]
    found = _constraints(board, readers, item)
    return [one for _, one in found] if first == 1 else list(translated(board, found))


def _values(board: Geometry, argument: str, first: int) -> Constraint:
    name, *values = argument.split("_")
    if not values:
        raise FormatError(f"{short(argument, 20)!r} has no value; write R1C1_5, or R1C1_5_6 for several")
    numbers = {types.number_of(text) + 1 - first for text in values}
    return Constraint("values", (types.cells_of(board, [name]),), tuple(sorted(numbers)))


def _restrict(
    allowed: np.ndarray[tuple[int, ...], np.dtype[np.bool_]], board: Geometry, argument: str, first: int
) -> None:
    name, *values = argument.split("_")
    row = np.zeros(board.n_values, bool)
    for text in values:
        if not 0 <= (value := types.number_of(text)) - first < board.n_values:
            last = first + board.n_values - 1
            raise FormatError(f"{name} = {value}; values on {board.name} go from {first} to {last}")
        row[value - first] = True
    if not values:
        raise FormatError(f"{short(argument, 20)!r} has no value; write R1C1_5, or R1C1_5_6 for pencilmarks")
    allowed[types.cells_of(board, [name])[0]] &= row
