"""Reads an ISS string: its parts, groups and copies of parts, and from them a puzzle."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise, product
from math import prod
from typing import NamedTuple, Union

import numpy as np

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.iss_boards import Shape, board_of, readers_for, refuse_contradictions, shape_of
from sudoku_encode.formats.iss_constraints import LEAST_ARGUMENTS, READERS, Reader
from sudoku_encode.formats.lines import Setting
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle

# `Or` and `And`: at least one part of an `Or` holds, all parts of an `And` hold; they may be nested. Clues at both ends
# of a row, givens of two cells, and a table or an expression for several lines are abbreviations of several parts: they
# are refused directly in an `Or`, since they could be meant as one.
# Source: sigh/Interactive-Sudoku-Solver, js/sudoku_constraint.js: Or and And.

# An And of several Or is as many alternatives as there are choices of one part of each.
MOST_ALTERNATIVES = 256
_MOST_NESTED = 20


class Item(NamedTuple):
    """A part of an ISS string.

    Attributes:
        type: such as `Thermo`; empty for givens.
        arguments: the words after it.
    """

    type: str
    arguments: tuple[str, ...]


class Group(NamedTuple):
    """An `Or` or an `And`.

    Attributes:
        type: which.
        parts: in it.
    """

    type: str
    parts: tuple["Part", ...]


Part = Union[Item, Group]  # noqa: UP007  -- it refers to itself
Read = Callable[[Item], Sequence[Constraint]]


def grouped(items: Sequence[Item]) -> list[Part]:
    """Return the parts of a string, those up to an `End` as one.

    Raises:
        FormatError: an `Or`, an `And` or an `End` is alone, or nothing is in it.
    """
    open_groups: list[tuple[str, list[Part]]] = [("", [])]
    for item in items:
        name, parts = open_groups[-1]
        if item.type in ("Or", "And"):
            if len(open_groups) > _MOST_NESTED:
                raise FormatError(f"more than {_MOST_NESTED} Or and And in each other")
            open_groups.append((item.type, []))
        elif item.type != "End":
            # A part between two points may be empty.
            parts += [item] if item.type or item.arguments else []
        elif not (name and parts):
            raise FormatError(f"{name} is empty" if name else "an End without its Or or And")
        else:
            open_groups.pop()
            open_groups[-1][1].append(Group(name, tuple(parts)))
    if len(open_groups) > 1:
        raise FormatError(f"{open_groups[-1][0]} without its End")
    return open_groups[0][1]


def constraints_of(group: Group, read: Read) -> list[Constraint]:
    """Return the constraints of an `Or` or an `And`: an `either`, or the constraints that hold in any case.

    Args:
        group: the group.
        read: from a part that is not a group to its constraints.

    Raises:
        FormatError: a part cannot be read.
    """
    if group.type == "And":
        # The parts of an And are separate constraints, not alternatives.
        return [constraint for part in group.parts for constraint in _constraints_of_part(part, read)]
    alternatives = list(dict.fromkeys(_alternatives(group, "", read)))
    if not all(alternatives):
        return []
    return list(alternatives[0]) if len(alternatives) == 1 else [Constraint("either", alternatives=tuple(alternatives))]


def _constraints_of_part(part: Part, read: Read) -> Sequence[Constraint]:
    return constraints_of(part, read) if isinstance(part, Group) else _of_item(part, "And", read)


def _alternatives(part: Part, within: str, read: Read) -> list[tuple[Constraint, ...]]:
    """Return the alternatives of a part, each as its constraints."""
    if isinstance(part, Item):
        return [tuple(_of_item(part, within, read))]
    lists = [_alternatives(inner, part.type, read) for inner in part.parts]
    number = sum(map(len, lists)) if part.type == "Or" else prod(map(len, lists))
    if number > MOST_ALTERNATIVES:
        raise FormatError(f"{number:,} alternatives; up to {MOST_ALTERNATIVES} are read")
    if part.type == "Or":
        return [alternative for alternatives in lists for alternative in alternatives]
    return [tuple(dict.fromkeys(chain.from_iterable(choice))) for choice in product(*lists)]


def _of_item(item: Item, within: str, read: Read) -> Sequence[Constraint]:
    name = item.type
    try:
        if name and name in (*types.ABOUT_BOARDS, *types.ABOUT_OTHERS, "FullRankTies"):
            raise FormatError("it is about the whole puzzle, and is not read in Or and And")
        if within == "Or" and _number(item) > 1:
            raise FormatError("an Or has several of it in one part; write each as a part, or all in an And")
        return read(item)
    except FormatError as error:
        raise FormatError(f"{name or 'givens'}: {error.message}") from error


def _number(item: Item) -> int:
    """Return the number of constraints that a part stands for in that program."""
    name, arguments = item
    if name in types.TABLES or name in ("Regex", "NFA"):
        # Lists of cells are separated by an empty word, or by a name for people after _.
        are_cells = [one[:1] not in ("", "_") for one in ("", *arguments[1:])]
        return sum(is_cell and not was_cell for was_cell, is_cell in pairwise(are_cells))
    return 1 if name and name not in types.OUTSIDE else len([one for one in arguments[bool(name) :] if one])


# `Replicate`: the parts up to its `End` are copied, so that one of their cells moves to each of some cells.
# Source: sigh/Interactive-Sudoku-Solver, js/sudoku_constraint.js and js/solver/sudoku_builder.js: `Replicate`, how its
#     cells are written and which types may be in it.

_Item = tuple[str, Sequence[str]]
# Types about the whole board or about one of its lines cannot be moved.
_NOT_INSIDE = {*types.FLAGS, *types.OUTSIDE, *types.ABOUT_BOARDS, "Diagonal", "LittleKiller", "Sandwich"} - {""}
# Their first argument is never a cell, even if it looks like one.
_TOKENS = {*types.TABLES, "Regex", "NFA"}
# The most parts of a group with its copies: more than a line for each pair of cells of a 9x9.
_MAX_PARTS = 20_000


def expanded(items: Sequence[_Item], shape: Shape) -> list[_Item]:
    """Return the parts of a string with copies in the place of each `Replicate`.

    Args:
        items: types, each with its arguments; groups begin with `Or`, `And` or `Replicate`, and stop with `End`.
        shape: the shape of its board.

    Raises:
        FormatError: a group has no end, or a part cannot be moved.
    """
    open_groups: list[tuple[_Item, list[_Item]]] = []
    parts: list[_Item] = []
    for item in items:
        if item[0] in ("Or", "And", "Replicate"):
            open_groups.append((item, parts))
            parts = []
        elif item[0] == "End" and open_groups:
            head, before = open_groups.pop()
            is_choice = bool(open_groups) and open_groups[-1][0][0] == "Or"
            parts = [*before, *_closed(head, parts, item, shape, is_choice)]
        else:
            parts.append(item)
    if open_groups:
        raise FormatError(f"{open_groups[-1][0][0]} has no End")
    return parts


def _closed(head: _Item, parts: list[_Item], end: _Item, shape: Shape, is_choice: bool) -> Iterator[_Item]:
    """Yield a group, or its copies: as a group of their own if they are one choice among others."""
    if head[0] != "Replicate":
        yield from (head, *parts, end)
        return
    if wrong := next((name for name, _ in parts if name in _NOT_INSIDE), None):
        raise FormatError(f"Replicate: {wrong} cannot be moved")
    try:
        steps = list(_steps(head[1], shape))
        # Parts that name no cell are the same in each copy, so that groups in groups may have any number of them.
        if len(steps) * len(parts) > _MAX_PARTS:
            raise FormatError(f"{len(steps)} copies of {len(parts):,} parts; expected at most {_MAX_PARTS:,} in all")
        copies = [_moved(item, step, shape) for step in steps for item in parts]
    except FormatError as error:
        raise FormatError(f"Replicate: {error.message}") from error
    yield from (("And", ()), *copies, ("End", ())) if is_choice else copies


def _steps(arguments: Sequence[str], shape: Shape) -> Iterator[tuple[int, int]]:
    """Yield the rows and columns by which each copy is moved: a bit in base 64 for each cell from the first on."""
    key, first = (*arguments, "", "")[:2]
    row, column = _place(first or "R1C1", shape)
    for place, bit in enumerate(types.bits_of(key)):
        if bit:
            to_row, to_column = divmod(row * shape.columns + column + place, shape.columns)
            if to_row >= shape.rows:
                raise FormatError(f"{short(key, 20)!r} names a cell that is not on the board")
            yield to_row - row, to_column - column


def _moved(item: _Item, step: tuple[int, int], shape: Shape) -> _Item:
    name, arguments = item
    tokens = arguments[: name in _TOKENS]
    return name, (*tokens, *(_moved_name(word, step, shape) for word in arguments[len(tokens) :]))


def _moved_name(word: str, step: tuple[int, int], shape: Shape) -> str:
    """Return the name of a cell, and the values after it, moved by a step; other words unchanged."""
    name, bar, values = word.partition("_")
    if types.is_hidden(name):
        raise FormatError("a hidden cell cannot be moved")
    if not types.is_cell(name):
        return word
    row, column = (at + by for at, by in zip(_place(name, shape), step, strict=True))
    if not (0 <= row < shape.rows and 0 <= column < shape.columns):
        raise FormatError(f"a copy of {name} is not on the board")
    return f"R{types.SYMBOLS[row + 1]}C{types.SYMBOLS[column + 1]}{bar}{values}"


def _place(name: str, shape: Shape) -> tuple[int, int]:
    place = types.place_of(name)
    if place is None or place[0] >= shape.rows or place[1] >= shape.columns:
        raise FormatError(f"{short(name, 20)!r} is not a cell")
    return place


_TYPES = {*types.ABOUT_BOARDS, *types.GROUPS, *READERS}


def items_of(text: str) -> list[Item]:
    """Cut an ISS string into its parts; white space in it has no meaning.

    Raises:
        FormatError: it does not begin with a point, or has types that are not read; the message names all of them.
    """
    before, *parts = "".join(text.split()).split(".")
    if before:
        raise FormatError(f"{short(before, 20)!r} before the first point; an ISS string begins with one")
    items = [Item(name, tuple(arguments)) for name, *arguments in [part.split("~") for part in parts]]
    kinds = dict.fromkeys([item.type for item in items])
    refuse_contradictions(items)
    if not kinds.keys().isdisjoint(types.WITH_HIDDEN_CELLS):
        shape = shape_of(items)
        names_of_hidden = types.hidden_names(items, (shape.rows, shape.columns))
        items = [_with_hidden_names(item, names_of_hidden) for item in items]
    if "Replicate" in kinds:
        items = [Item(name, tuple(arguments)) for name, arguments in expanded(items, shape_of(items))]
        kinds = dict.fromkeys([item.type for item in items])
    if (unknown := next((name for name in kinds if name not in _TYPES), None)) is not None:
        raise FormatError(f"{short(unknown, 30)!r} is not a type of ISS strings")
    return items


def _with_hidden_names(item: Item, names: Mapping[str, str]) -> Item:
    """Return a part with the names of hidden cells that `types.hidden_names` gives."""
    arguments = []
    for number, word in enumerate(item.arguments):
        name, bar, values = word.partition("_")
        is_token = number == 0 and item.type in _TOKENS
        replaced = not is_token and name in names and (not item.type or not bar)
        arguments.append(f"{names[name]}{bar}{values}" if replaced else word)
    return Item(item.type, tuple(arguments))


def puzzle_of(items: Sequence[Item], setting: Setting, name: str = "") -> Puzzle:
    """Return the puzzle of an ISS string.

    Args:
        items: its parts.
        setting: the options of the caller.
        name: the name of the puzzle.

    Raises:
        FormatError: a part cannot be read, or does not fit the board.
        GeometryError: there is no such board.
    """
    shape = shape_of(items)
    board, constraints = board_of(shape, items, setting)
    # The sets of values of the cells that the string names, bit v - 1 for value v.
    sets: dict[int, int] = {}
    typed: list[Constraint] = []
    readers = READERS if not (own := readers_for(board, shape, items)) else {**READERS, **own}
    for item in grouped(items):
        try:
            if isinstance(item, Group):
                constraints += constraints_of(item, partial(_in_group, board, readers))
            elif item.type == "":
                for argument in item.arguments:
                    if types.is_hidden(argument.partition("_")[0]):
                        constraints.append(_values(board, argument))
                    else:
                        _restrict(sets, board, argument)
            elif item.type in readers:
                typed += _constraints(board, readers, item)
        except FormatError as error:
            raise FormatError(f"{item.type or 'givens'}: {error.message}") from error
    constraints += typed
    if any(item.type == "AntiConsecutive" for item in items):
        # There it holds for all neighbours, but `non-consecutive` not for those with a dot.
        dots = [dot.cells for dot in typed if dot.kind == "difference"]
        constraints += (Constraint("relation", cells, (), "|a-b| != 1") for cells in dots)
    return Puzzle(board, *_givens_and_marks(sets, board), name, constraints)


def _givens_and_marks(sets: Mapping[int, int], board: Geometry) -> tuple[Grids, Candidates | None]:
    """Return the givens, cells with a set of one value, and pencilmarks if another set has not all values."""
    every = (1 << board.n_values) - 1
    givens = np.zeros(board.n_cells, np.uint8)
    needs_marks = False
    for cell, values in sets.items():
        if values.bit_count() == 1:
            givens[cell] = values.bit_length()
        else:
            needs_marks |= values != every
    if not needs_marks:
        return givens, None
    of_cells = np.array([sets.get(cell, every) for cell in range(board.n_cells)])
    return givens, of_cells[:, None] >> np.arange(board.n_values) & 1 == 1


def _constraints(board: Geometry, readers: Mapping[str, Reader], item: Item) -> Iterator[Constraint]:
    if len(item.arguments) < LEAST_ARGUMENTS[item.type]:
        raise FormatError("its cells are missing")
    return readers[item.type](board, item.arguments)


def _in_group(board: Geometry, readers: Mapping[str, Reader], item: Item) -> list[Constraint]:
    """Return the constraints of a part of an Or or And; givens become constraints on the values of cells."""
    if not item.type:
        return [_values(board, argument) for argument in item.arguments]
    return list(_constraints(board, readers, item))


def _values(board: Geometry, argument: str) -> Constraint:
    name, *values = argument.split("_")
    if not values:
        raise FormatError(f"{short(argument, 20)!r} has no value; write R1C1_5, or R1C1_5_6 for several")
    return Constraint("values", (types.cells_of(board, [name]),), tuple(sorted(set(map(types.number_of, values)))))


def _restrict(sets: dict[int, int], board: Geometry, argument: str) -> None:
    name, *values = argument.split("_")
    allowed = 0
    for text in values:
        if not board.first <= (value := types.number_of(text)) <= board.last:
            raise FormatError(f"{name} = {value}; values on {board.name} go from {board.first} to {board.last}")
        allowed |= 1 << value - board.first
    if not values:
        raise FormatError(f"{short(argument, 20)!r} has no value; write R1C1_5, or R1C1_5_6 for pencilmarks")
    cell = types.cell_of(board, name)
    sets[cell] = sets.get(cell, allowed) & allowed
