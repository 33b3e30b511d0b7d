"""The text of alternatives: `|` stands between them, and `&` between constraints that hold together."""

from sudoku_encode.errors import FormatError
from sudoku_encode.puzzles.constraint_kinds import CONSTRAINTS


def split(text: str) -> list[list[str]]:
    """Return the lines of constraints of each alternative.

    Both signs are words of their own. In an expression, which goes up to its colon, they mean what they mean there.

    Raises:
        FormatError: there is no constraint where there should be one.

    >>> split("cage 7 r1c1 r1c2 & odd r1c1 | relation |a-b| > 2: r1c1-r1c3")
    [['cage 7 r1c1 r1c2', 'odd r1c1'], ['relation |a-b| > 2: r1c1-r1c3']]
    """
    found: list[list[list[str]]] = [[[]]]
    in_expression = False
    for word in text.split():
        line = found[-1][-1]
        if in_expression:
            in_expression = ":" not in word
        elif not line and word in CONSTRAINTS:
            in_expression = CONSTRAINTS[word].has_expression
        if word == "|" and not in_expression:
            found.append([[]])
        elif word == "&" and not in_expression:
            found[-1].append([])
        else:
            line.append(word)
    if not all(line for lines in found for line in lines):
        raise FormatError(
            "a constraint is missing beside | or &; write either CONSTRAINT & ... | CONSTRAINT & ... | ..."
        )
    return [[" ".join(line) for line in lines] for lines in found]
