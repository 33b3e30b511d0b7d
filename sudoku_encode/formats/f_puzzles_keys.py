"""What the keys of f-puzzles mean: the constraints by their keys, and what else an object has."""

from collections.abc import Mapping
from typing import NamedTuple


class Key(NamedTuple):
    """A key of f-puzzles whose value says constraints of one kind.

    Attributes:
        kind: a key of CONSTRAINTS.
        form: what its value is. `flag`: true. Otherwise a list of objects with `cell` (`marks`: all of them are one
            constraint; `outside`: a cell beside the grid, and `value`; `diagonal`: the same with `direction`), with
            `cells` (`cells`; `xv`; `quadruple`: and `values`; `clone`: and `cloneCells`; `arrow`: and `lines`), or
            with `lines`.
        has_value: whether an object may have a number, `value`.
        is_set: whether the order of the cells means nothing, so that one that is there twice counts once.
    """

    kind: str
    form: str
    has_value: bool = False
    is_set: bool = False


KEYS: Mapping[str, Key] = {
    "antiknight": Key("anti-knight", "flag"),
    "antiking": Key("anti-king", "flag"),
    "disjointgroups": Key("disjoint-groups", "flag"),
    "nonconsecutive": Key("non-consecutive", "flag"),
    "odd": Key("odd", "marks"),
    "even": Key("even", "marks"),
    "minimum": Key("minimum", "marks"),
    "maximum": Key("maximum", "marks"),
    "sandwichsum": Key("sandwich", "outside", has_value=True),
    "xsum": Key("x-sum", "outside", has_value=True),
    "skyscraper": Key("skyscraper", "outside", has_value=True),
    "littlekillersum": Key("little-killer", "diagonal", has_value=True),
    "killercage": Key("cage", "cells", has_value=True, is_set=True),
    "extraregion": Key("extra-region", "cells", is_set=True),
    "difference": Key("difference", "cells", has_value=True),
    "ratio": Key("ratio", "cells", has_value=True),
    "xv": Key("xv", "xv", has_value=True),
    "rowindexer": Key("row-indexer", "cells", is_set=True),
    "columnindexer": Key("column-indexer", "cells", is_set=True),
    "boxindexer": Key("box-indexer", "cells", is_set=True),
    "quadruple": Key("quadruple", "quadruple"),
    "clone": Key("clone", "clone"),
    "arrow": Key("arrow", "arrow"),
    "thermometer": Key("thermometer", "lines"),
    "slowthermometer": Key("slow-thermometer", "lines"),
    "palindrome": Key("palindrome", "lines"),
    "renban": Key("renban", "lines", is_set=True),
    "whispers": Key("whispers", "lines", has_value=True),
    "regionsumline": Key("region-sums", "lines"),
    "betweenline": Key("between", "lines"),
    "lockout": Key("lockout", "lines", has_value=True),
    "entropicline": Key("entropic", "lines"),
    "modularline": Key("modular", "lines", has_value=True),
    "nabner": Key("nabner", "lines", is_set=True),
    "doublearrow": Key("double-arrow", "lines"),
    "zipperline": Key("zipper", "lines"),
}
KEY_OF_KIND = {key.kind: name for name, key in KEYS.items()}

# In the list `negative`: that what is not marked so does not hold.
NEGATIVE = {"difference": "negative-difference", "ratio": "negative-ratio", "xv": "negative-xv"}
# What is drawn; where it is no picture of a constraint, it may stand for a rule.
DRAWN = {"line": "line", "rectangle": "rectangle", "circle": "circle", "text": "text", "cage": "outline"}
# What an object of these has where a program drew it as the picture of a constraint that is there as well.
IS_PICTURE = ("fromConstraint", "isNewConstraint", "fromRangskSolver")
# Of the whole puzzle, or of how it is shown and solved by hand.
OTHER = {
    *("size", "grid", "title", "author", "ruleset", "solution", "negative", "diagonal+", "diagonal-"),
    *("successMessage", "msgcorrect", "highlightConflicts", "disabledlogic", "truecandidatesoptions"),
    *("fogofwar", "foglight"),
}
# The diagonals that go down and up from left to right.
DIAGONALS = {"diagonal-": -1, "diagonal+": 1}

# The names of what a cell of the grid says of the puzzle; the others are what a player noted, and colours.
CELL_MEANING = ("value", "given", "region", "givenPencilMarks")
# The names of what an object of a constraint may say of it; see LOOKS for the others.
MEANING = ("cell", "cells", "lines", "value", "values", "cloneCells", "direction")
# Their colours and sizes, and what programs note of how they came to be.
LOOKS = (
    *("outlineC", "baseC", "fontC", "lineC", "fillC", "size", "width", "height", "angle", "opacity", "text"),
    *("isNewConstraint", "fromConstraint", "fromRangskSolver", "isLLConstraint"),
)
USED_BY_FORM = {
    "marks": {"cell"},
    "outside": {"cell", "value"},
    "diagonal": {"cell", "cells", "direction", "value"},
    "cells": {"cells"},
    "xv": {"cells", "value"},
    "quadruple": {"cells", "values"},
    "clone": {"cells", "cloneCells"},
    "arrow": {"cells", "lines"},
    "lines": {"lines"},
}
# Steps of rows and columns.
DIRECTIONS = {"UL": (-1, -1), "UR": (-1, 1), "DL": (1, -1), "DR": (1, 1)}
# What the letters of a pair mean.
XV_SUMS = {"X": 10, "V": 5}
# Of lines that the site itself does not know, and that a program draws as pictures for it.
LINE_COLOURS = {
    "slowthermometer": "#6495ed",
    "renban": "#f067f0",
    "whispers": "#67f067",
    "regionsumline": "#2ecbff",
    "entropicline": "#ffccaa",
    "modularline": "#55aaaa",
    "nabner": "#c9c883",
    "doublearrow": "#c54b8b",
    "zipperline": "#cdb1ec",
}
