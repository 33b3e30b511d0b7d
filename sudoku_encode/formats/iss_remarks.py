"""What a person should know of how an ISS string is read: where a type means more, or less, than its name says."""

from collections.abc import Iterator, Sequence

from sudoku_encode.errors import plural
from sudoku_encode.formats.iss_boards import Items, Shape, boxes_of


def remarks_of(items: Items, shape: Shape) -> tuple[str, ...]:
    """Return what is to be said of a string that was read.

    Args:
        items: types, and what follows each.
        shape: what the string says of its board.
    """
    found = (text for name, arguments in items for text in _of_type(name, arguments, shape))
    return tuple(dict.fromkeys([*found, *_of_several({name for name, _ in items}, shape)]))


def _of_type(name: str, arguments: Sequence[str], shape: Shape) -> Iterator[str]:
    cells = [word.upper() for word in arguments]
    if name == "Cage" and len(set(cells[1:])) < len(cells[1:]):
        yield "Cage: a cell that is in a cage twice counts twice in its sum"
    elif name == "AllDifferent" and len(set(cells)) < len(cells):
        yield "AllDifferent: a cell that is there twice is read as once"
    elif name == "Whisper" and cells[:1] and cells[0].startswith("R") and (shape.n_values + 1) // 2 != 5:
        yield f"Whisper: without a number cells differ by at least 5, with {shape.n_values} values too"
    elif name == "Sandwich" and len(cells) > 1:
        if (shape.columns if cells[1].startswith("R") else shape.rows) < shape.n_values:
            yield "Sandwich: on a line without all values it is between the smallest and the largest of the line"
    elif name == "Jigsaw" and cells:
        # Capital and small letters are different regions.
        yield from _of_layout(arguments[-1], shape)
    elif name == "NFA":
        yield "NFA: its state machine is read as a regular expression or an automaton"
    elif name == "Shape" and shape.first == 0:
        yield f"Shape: values 0 to {shape.n_values - 1} are read as 1 to {shape.n_values}"
    elif name == "SearchPriority":
        yield "SearchPriority: not read, since it says where that program searches first"


def _of_layout(layout: str, shape: Shape) -> Iterator[str]:
    if len(set(layout)) == 1:
        yield "Jigsaw: one region of all cells says nothing"
        return
    counts = [layout.count(symbol) for symbol in dict.fromkeys(layout)]
    for count in counts:
        if count != shape.region_size:
            yield f"Jigsaw: {count} {plural('cell', count)} are in no region, since a region has {shape.region_size}"
    if shape.has_boxes and boxes_of(shape):
        yield "Jigsaw: without NoBoxes its regions hold beside the boxes"


def _of_several(names: set[str], shape: Shape) -> Iterator[str]:
    if "RegionSumLine" in names and "Jigsaw" not in names and not (shape.has_boxes and boxes_of(shape)):
        yield "RegionSumLine: there are no boxes or regions, so that it says nothing"
    if {"AntiConsecutive", "WhiteDot"} <= names:
        yield "AntiConsecutive: it holds of cells with a WhiteDot too, so that there is no solution"
