"""True candidates as text: the board with the values of each cell, and their shares as colours and as numbers."""

import os
import re
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sudoku_encode.cli.streams import has_lines
from sudoku_encode.errors import plural

if TYPE_CHECKING:
    from sudoku_encode.questions.candidates import TrueCandidates

COLOURS = ("auto", "always", "never")
# Of the 256 colours of terminals, from what few solutions have to what most have; they are seen on black and on white.
_SHADES = (245, 32, 37, 34, 172, 202, 196)


def in_colour(wanted: str) -> bool:
    """Say whether to print colours; see NO_COLOR at no-color.org."""
    return wanted == "always" or (wanted == "auto" and sys.stdout.isatty() and not os.environ.get("NO_COLOR"))


def drawing(found: "TrueCandidates", coloured: bool) -> str:
    """Return the board with what was found, and the numbers of solutions below it, if they were counted."""
    from sudoku_encode.render.text import draw

    board = found.puzzle.geometry
    text = draw(board, found.puzzle.givens, candidates=found.seen, ascii=not has_lines())
    if coloured and found.shares is not None and found.total is not None and found.total.value:
        text = "".join(_shaded(text, found))
    if found.shares is None or found.total is None:
        return text
    least = "" if found.complete else "at least "
    lines = [text, f"{found.total} {plural('solution', found.total.value)}"]
    for cell in range(board.n_cells):
        values = found.values(cell)
        if len(values) > 1:
            shares = ", ".join(f"{value}: {least}{found.shares[cell, value - 1]}" for value in values)
            lines.append(f"{board.cell_name(cell)}  {shares}")
    return "\n".join(lines)


def _shaded(text: str, found: "TrueCandidates") -> Iterator[str]:
    """Yield a drawing with a colour for each value of the cells with several, which stand in it in their order."""
    cell, total = -1, 0 if found.total is None else found.total.value
    for line in text.splitlines(keepends=True):
        # A line above a layer has digits that are no values.
        if line[0] not in "│|":
            yield line
            continue
        for token in re.split(r"([0-9,()]+)", line):
            if not re.fullmatch(r"[0-9,()]+", token):
                yield token
                continue
            cell += 1
            values = found.values(cell)
            if len(values) < 2:
                yield token
                continue
            assert found.shares is not None
            shades = (_shade(int(found.shares[cell, value - 1]), total) for value in values)
            gap = "," if "," in token else ""
            yield gap.join(f"\033[38;5;{shade}m{value}\033[0m" for shade, value in zip(shades, values, strict=True))


def _shade(share: int, total: int) -> int:
    return _SHADES[min(len(_SHADES) - 1, share * len(_SHADES) // total)]
