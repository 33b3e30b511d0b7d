"""What Knuth's dlx1 prints: `1:` and the options of a solution, a line each, such as ` c0 u0.1 u4.1 (2 of 5)`."""

import re

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.encoders.answer import Answer, first_missing, from_truth
from sudoku_encode.encoders.forms.common import read_heading
from sudoku_encode.errors import FormatError, short
from sudoku_encode.storage import files

_NUMBER = re.compile(r"[0-9]+:")
_NO_SOLUTION = re.compile(r"Altogether 0 solutions,? .*")
_OPTION = re.compile(r"(?:c[0-9]+|u[0-9]+\.[0-9]+)(?: (?:c[0-9]+|u[0-9]+\.[0-9]+))*(?: \([0-9]+ of [0-9]+\))?")


def read(model: str, output: str) -> Answer:
    """Read the solutions that dlx1 prints, each after a line with its number.

    Raises:
        FormatError: a line that is no option, a cell or value that is none of the board's.
    """
    puzzle, source = read_heading(model, "|"), files.source_name(output)
    held: list[NDArray[np.bool_]] = []
    claim: bool | None = None
    timed_out = False
    for number, line in enumerate(files.read_lines(output), 1):
        text = line.strip()
        if _NUMBER.fullmatch(text):
            held.append(np.zeros_like(puzzle.candidates))
        elif _NO_SOLUTION.fullmatch(text):
            # It says so too where its time was over before.
            claim = None if timed_out else False
        elif text == "TIMEOUT!":
            timed_out = True
        elif _OPTION.fullmatch(text):
            held = held or [np.zeros_like(puzzle.candidates)]
            cells, values = (
                {int(word) for word in re.findall(what, text)} for what in (r"c([0-9]{1,9})", r"\.([0-9]{1,9})")
            )
            n_cells, n = puzzle.candidates.shape
            if len(cells) != 1 or len(values) != 1 or max(cells) >= n_cells or not 1 <= min(values) <= n:
                raise FormatError(f"{short(text)!r} is no option of this model", source, number)
            held[-1][min(cells), min(values) - 1] = True
        elif text and not text.startswith(("(", "Altogether ", "after ")):
            raise FormatError(f"{short(text)!r} is no line of dlx1", source, number)
    missing = first_missing(puzzle, held[-1], held[-1]) if held else ""
    if missing:
        return from_truth(puzzle, claim, held[:-1], f"it has no option of {missing}")
    return from_truth(puzzle, claim, held)
