"""What MiniZinc prints for a model of ours: one solution, or several with -a or -n."""

import re

from sudoku_encode.encoders.answer import Answer, from_values
from sudoku_encode.encoders.forms.common import integer, read_heading
from sudoku_encode.errors import FormatError, short
from sudoku_encode.storage import files

_SEPARATOR, _ALL_FOUND = "-" * 10, "=" * 10
_CLAIMS = {
    "=====UNSATISFIABLE=====": False,
    "=====UNKNOWN=====": None,
    "=====ERROR=====": None,
    "=====UNBOUNDED=====": None,
    "=====UNSATorUNBOUNDED=====": None,
}
# The array as --output-mode dzn and json write it; else the output is the numbers alone.
_ARRAY = re.compile(r'(?:^|[{,;\s])"?x"?\s*[=:]\s*(?:array1d\([^,()]*,\s*)?\[([^][]*)\]')
# What there may be of a grid whose end is missing.
_BEGUN = re.compile(r'[{\s]*"?x?"?\s*[=:]*\s*(?:array1d\([0-9. ]*,?\s*)?\[?[-+0-9\s,]*[]);}\s]*')


def read(model: str, output: str) -> Answer:
    """Read the grids, each with a line of ten dashes after it, and `=====UNSATISFIABLE=====` or the like.

    Raises:
        FormatError: a word that is no number, or not a number for each cell.
    """
    puzzle, source = read_heading(model, "%"), files.source_name(output)
    grids: list[list[int]] = []
    claims: set[bool | None] = set()
    lines: list[str] = []
    start = 1
    for number, line in enumerate(files.read_lines(output), 1):
        text = line.strip()
        if text == _SEPARATOR:
            grids.append(_values("".join(lines), puzzle.geometry.n_cells, source, start))
            lines, start = [], number + 1
        elif text in _CLAIMS:
            claims.add(_CLAIMS[text])
        elif text and text != _ALL_FOUND and not text.startswith("%"):
            start = start if lines else number
            lines.append(line)
    if len(claims) > 1:
        raise FormatError("MiniZinc says different things of the answer", source)
    if lines and not _BEGUN.fullmatch("".join(lines)):
        raise FormatError(f"{short(lines[0].strip())!r} is no grid of this model", source, start)
    claim = claims.pop() if claims else None
    return from_values(puzzle, claim, grids, f"no line {_SEPARATOR} follows it" if lines else "")


def _values(text: str, n_cells: int, source: str, number: int) -> list[int]:
    found = _ARRAY.search(text)
    words = (found[1].replace(",", " ") if found else text).split()
    values = [integer(word, source, number) for word in words]
    if len(values) != n_cells:
        raise FormatError(f"{len(values)} values for the {n_cells} cells of this model", source, number)
    return values
