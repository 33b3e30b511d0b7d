"""How several pictures are put on paper."""

from typing import NamedTuple

# The sides of a sheet in points, of which an inch has 72.
PAPERS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}


class Sheet(NamedTuple):
    """How pictures are put on sheets, in forms that have sheets.

    Attributes:
        per_page: how many at most.
        paper: a key of PAPERS.
    """

    per_page: int = 1
    paper: str = "a4"
