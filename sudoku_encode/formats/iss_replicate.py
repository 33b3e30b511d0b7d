"""`Replicate` of ISS strings: the parts up to its `End` are copied, so that one cell of them comes to each of some.

Source: sigh/Interactive-Sudoku-Solver, js/sudoku_constraint.js and js/solver/sudoku_builder.js: `Replicate`, how its
    cells are written and which types may be in it.
"""

from collections.abc import Iterator, Sequence

from sudoku_encode.errors import FormatError, short
from sudoku_encode.formats import iss_types as types
from sudoku_encode.formats.iss_boards import Shape

_Item = tuple[str, Sequence[str]]
# What holds of the whole board, or is said by a line of it, is not moved.
_NOT_INSIDE = {*types.FLAGS, *types.OUTSIDE, *types.ABOUT_BOARDS, "Diagonal", "LittleKiller", "Sandwich"} - {""}
# Their first argument is no cell, whatever it looks like.
_TOKENS = {*types.TABLES, "Regex", "NFA"}
# Of a group with its copies: more than a line for each pair of cells of a 9x9.
_MAX_PARTS = 20_000


def expanded(items: Sequence[_Item], shape: Shape) -> list[_Item]:
    """Return the parts of a string with copies in the place of each `Replicate`.

    Args:
        items: types, and what follows each; groups begin with `Or`, `And` or `Replicate`, and stop with `End`.
        shape: what the string says of its board.

    Raises:
        FormatError: a group has no end, or a part cannot be moved so.
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
    """Yield a group, or its copies: where they are one choice among others, as a group of their own."""
    if head[0] != "Replicate":
        yield from (head, *parts, end)
        return
    if wrong := next((name for name, _ in parts if name in _NOT_INSIDE), None):
        raise FormatError(f"Replicate: {wrong} is none of what can be moved")
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
    """Yield how many rows and columns each copy is moved: a bit in base 64 for each cell from the first one on."""
    key, first = (*arguments, "", "")[:2]
    row, column = _place(first or "R1C1", shape)
    for at, bit in enumerate(types.bits_of(key)):
        if bit:
            to_row, to_column = divmod(row * shape.columns + column + at, shape.columns)
            if to_row >= shape.rows:
                raise FormatError(f"{short(key, 20)!r} names a cell that is not on the board")
            yield to_row - row, to_column - column


def _moved(item: _Item, step: tuple[int, int], shape: Shape) -> _Item:
    name, arguments = item
    kept = arguments[: name in _TOKENS]
    return name, (*kept, *(_moved_name(word, step, shape) for word in arguments[len(kept) :]))


def _moved_name(word: str, step: tuple[int, int], shape: Shape) -> str:
    """Return the name of a cell, and the values after it, further along; other words as they are."""
    name, bar, values = word.partition("_")
    if not types.is_cell(name):
        return word
    row, column = (at + by for at, by in zip(_place(name, shape), step, strict=True))
    if not (0 <= row < shape.rows and 0 <= column < shape.columns):
        raise FormatError(f"a copy of {name} is not on the board")
    return f"R{types.SYMBOLS[row + 1]}C{types.SYMBOLS[column + 1]}{bar}{values}"


def _place(name: str, shape: Shape) -> tuple[int, int]:
    place = types.place_of(name)
    if place is None or place[0] >= shape.rows or place[1] >= shape.columns:
        raise FormatError(f"{short(name, 20)!r} is no cell")
    return place
