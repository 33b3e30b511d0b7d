"""`Or` and `And` of ISS strings: what is between them and their `End`.

Of the parts of an `Or` at least one holds, of an `And` all do; one may be in another. Clues at both ends of a row,
givens of two cells, and a table or an expression for several lines are short for a part each: directly in an `Or` they
are refused, since they could be meant as one.

Source: sigh/Interactive-Sudoku-Solver, js/sudoku_constraint.js: Or and And.
"""

from collections.abc import Callable, Sequence
from itertools import pairwise, product
from math import prod
from typing import NamedTuple, Union

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import iss_types as types
from sudoku_encode.puzzles.constraint import Constraint

# An And of several Or is as many alternatives as there are choices of one part of each.
MOST_ALTERNATIVES = 256
_MOST_NESTED = 20


class Item(NamedTuple):
    """A part of an ISS string.

    Attributes:
        type: such as `Thermo`; empty for givens.
        arguments: what follows it.
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
            # Two points in a row are nothing.
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
    """Return the constraints of an `Or` or an `And`: an `either`, or what holds in any case.

    Args:
        group: it.
        read: from a part that is no group to its constraints.

    Raises:
        FormatError: a part cannot be read.
    """
    if group.type == "And":
        # What all hold are constraints of their own, not one of alternatives.
        return [one for part in group.parts for one in _held(part, read)]
    alternatives = list(dict.fromkeys(_alternatives(group, "", read)))
    if not all(alternatives):
        return []
    return list(alternatives[0]) if len(alternatives) == 1 else [Constraint("either", alternatives=tuple(alternatives))]


def _held(part: Part, read: Read) -> Sequence[Constraint]:
    return constraints_of(part, read) if isinstance(part, Group) else _of_item(part, "And", read)


def _alternatives(part: Part, within: str, read: Read) -> list[tuple[Constraint, ...]]:
    """Return the constraints of each alternative that a part is."""
    if isinstance(part, Item):
        return [tuple(_of_item(part, within, read))]
    some = [_alternatives(one, part.type, read) for one in part.parts]
    number = sum(map(len, some)) if part.type == "Or" else prod(map(len, some))
    if number > MOST_ALTERNATIVES:
        raise FormatError(f"{number:,} alternatives; up to {MOST_ALTERNATIVES} are read")
    if part.type == "Or":
        return [alternative for found in some for alternative in found]
    return [tuple(dict.fromkeys(one for found in chosen for one in found)) for chosen in product(*some)]


def _of_item(item: Item, within: str, read: Read) -> Sequence[Constraint]:
    name = item.type
    try:
        if name and name in (*types.ABOUT_BOARDS, *types.ABOUT_OTHERS):
            raise FormatError("it is about the whole puzzle, and is not read in Or and And")
        if within == "Or" and _number(item) > 1:
            raise FormatError("an Or has several of it in one part; write each as a part, or all in an And")
        return read(item)
    except FormatError as error:
        raise FormatError(f"{name or 'givens'}: {error.message}") from error


def _number(item: Item) -> int:
    """Return how many constraints a part is there."""
    name, arguments = item
    if name in types.TABLES or name in ("Regex", "NFA"):
        # Between lists of cells is an empty word, or after _ a name for people.
        are_cells = [one[:1] not in ("", "_") for one in ("", *arguments[1:])]
        return sum(is_cell and not was_cell for was_cell, is_cell in pairwise(are_cells))
    return 1 if name and name not in types.OUTSIDE else len([one for one in arguments[bool(name) :] if one])
