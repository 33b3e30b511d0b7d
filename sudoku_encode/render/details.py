"""What else may be said about a form: how pictures go on paper, and what a terminal can show."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from sudoku_encode.render.picture import Picture

# The sides of a sheet in points, of which an inch has 72.
PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}


class Details(NamedTuple):
    """How pictures are drawn. A form uses what its row of DRAWINGS names.

    Attributes:
        per_page: how many at most are on a page.
        paper: a key of PAPERS.
        answers: pictures for pages of their own at the end.
        ascii: whether lines are made of `+`, `-` and `|` alone.
        coloured: whether text has colours, as terminals take them.
    """

    per_page: int = 1
    paper: str = "a4"
    answers: "tuple[Picture, ...]" = ()
    ascii: bool = False
    coloured: bool = False


PLAIN = Details()
