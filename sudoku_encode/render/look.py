"""How shapes of a class look: colours, lines and letters."""

from typing import NamedTuple


class Look(NamedTuple):
    """How the shapes of a class look.

    Attributes:
        says: what the class is for.
        fill: colour of an area or a text; empty for none. Lines are never filled.
        stroke: colour of a line; empty for none.
        width: of a line.
        bold: whether a text is.
        square: whether lines end half their width after their ends, so that corners are closed.
        round: whether lines have round ends and corners.
        dashes: how long a dash and the gap after it are, and so on in turn; empty for a line without gaps.
        opacity: from 0 to 1; what is below shows through.
    """

    says: str
    fill: str = ""
    stroke: str = ""
    width: float = 0.0
    bold: bool = False
    square: bool = False
    round: bool = False
    dashes: tuple[float, ...] = ()
    opacity: float = 1.0
