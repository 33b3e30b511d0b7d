"""Solution files of a 0/1 program of ours.

Tried with the programs themselves: glpsol 5.0 (-w and -o), CBC 2.10 (`solu`), HiGHS 1.15 and 1.16 (raw, sparse and both
styles of glpsol), SCIP 10 (`write solution`). A file of Gurobi's has the same lines, a name and its value.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import chain

import numpy as np

from sudoku_encode.encoders.answer import Answer, first_missing, from_truth
from sudoku_encode.encoders.forms.common import integer, read_heading
from sudoku_encode.errors import FormatError, short
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.storage import files

# How far from 0 or 1 a value may be: solvers take 1e-5 to 1e-9 for whole.
TOLERANCE = 1e-5
_NUMBER = re.compile(r"[-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]{1,3})?")
# A variable of ours and its value, after its column and a mark in some files: `0 x_1 1 0`, `1 x_1 * 1 0 1`.
_PAIR = re.compile(r"(?:\*\*\s+)?(?:[0-9]+\s+)?x_([1-9][0-9]{0,8})\s+(?:\*\s+)?(\S+)(?:\s.*)?")
# An auxiliary variable of constraints.
_AUXILIARY = re.compile(r"(?:\*\*\s+)?(?:[0-9]+\s+)?y_[0-9]{1,9}\s+(?:\*\s+)?[-+0-9.eE]+(?:\s.*)?")
_OTHER_PAIR = re.compile(r"(?:\*\*\s+)?(?:[0-9]+\s+)?[A-Za-z_][^\s:]*\s+(?:\*\s+)?[-+0-9.eE]+(?:\s.*)?")

# The status, after which glpsol and CBC write values even where there is no solution. In a file of HiGHS it follows its
# heading; elsewhere such words are the status of the values, not of the program.
_SATISFIABLE = re.compile(
    "Model status: Optimal|Optimal - objective value .*|solution status: optimal solution found"
    "|Status: +INTEGER (?:OPTIMAL|NON-OPTIMAL)"
)
_UNSATISFIABLE = re.compile(
    "Model status: Infeasible|(?:Infeasible|Integer infeasible) - objective value .*|solution status: infeasible"
    "|Status: +INTEGER EMPTY"
)
# What else these programs write.
_PASSED_OVER = re.compile(
    r"#.*|c(?: .*)?|None|Feasible|Infeasible|Model status.*|Objective .*|objective value: .*|solution status: .*"
    r"|no solution available|(?:StoppedError|Unbounded)[^:]* - objective value .*"
    r"|(?:Problem|Rows|Columns|Non-zeros|Objective|Status): .*|Problem:|No\. +(?:Row|Column) name .*|-{6} -+ .*"
)
_RELAXED = re.compile(r"s (?:bas|ipt) .*|Status: +(?:OPTIMAL|FEASIBLE|UNDEFINED|INFEASIBLE.*|UNBOUNDED)")


@dataclass
class _Found:
    """What a solution file says, as far as it is read."""

    claims: set[bool] = field(default_factory=set)
    values: dict[int, float] = field(default_factory=dict)
    cut_off: str = ""


def read(model: str, output: str) -> Answer:
    """Read what a solver of integer programs says: its status, and the values of the variables; those left out are 0.

    Raises:
        FormatError: no such file, a value that is neither 0 nor 1, a variable twice, two statuses.
    """
    # The two forms begin their comments differently.
    first = next(files.read_lines(model), "")
    puzzle, source = read_heading(model, first[:1]), files.source_name(output)
    numbered = _lines(output)
    found = _Found()
    head = list(_up_to_kind(numbered))
    last = head[-1][1] if head else ""
    if last.startswith("s mip "):
        _read_columns(chain(head[-1:], numbered), found, source, puzzle)
    else:
        _read_pairs(chain(head, numbered), found, source)
    if len(found.claims) > 1:
        raise FormatError("the file has two statuses that contradict each other", source)
    return _answer(puzzle, found, source)


def _lines(output: str) -> Iterator[tuple[int, str]]:
    """Yield the lines that are not blank with their numbers; HiGHS's status together with its heading."""
    heading = ""
    for number, line in enumerate(files.read_lines(output), 1):
        text = line.strip()
        if text == "Model status":
            heading = "Model status: "
        elif text:
            yield number, heading + text
            heading = ""


def _up_to_kind(lines: Iterator[tuple[int, str]]) -> Iterator[tuple[int, str]]:
    """Yield the lines up to the first that is no comment, by which the kinds of files differ."""
    for number, line in lines:
        yield number, line
        if line != "c" and not line.startswith("c "):
            return


def _read_columns(lines: Iterator[tuple[int, str]], found: _Found, source: str, puzzle: Puzzle) -> None:
    """Read what glpsol -w writes: `s mip ROWS COLUMNS STATUS OBJECTIVE`, `i ROW VALUE`, `j COLUMN VALUE`, `e o f`.

    Of a puzzle with constraints the columns after those of the cells are auxiliary variables.
    """
    number, line = next(lines)
    words = line.split()
    if len(words) != 6 or words[4] not in "ofnu":
        raise FormatError(f"{short(line)!r} is no status of glpsol", source, number)
    found.claims |= {"o": {True}, "f": {True}, "n": {False}, "u": set[bool]()}[words[4]]
    for number, line in lines:
        if line == "e o f":
            break
        pair = re.fullmatch(r"[ij] ([1-9][0-9]{0,8}) (\S+)", line)
        if not pair:
            raise FormatError(f"{short(line)!r} is no line of a solution that glpsol -w writes", source, number)
        if line[0] == "j" and not (puzzle.constraints and int(pair[1]) > puzzle.candidates.size):
            _add(found, int(pair[1]), pair[2], source, number)
    else:
        found.cut_off = "it does not end with `e o f`"


def _read_pairs(lines: Iterator[tuple[int, str]], found: _Found, source: str) -> None:
    """Read what the others write: a name and its value a line, after a status."""
    columns, others, listed = 0, 0, False
    for number, line in lines:
        pair = _PAIR.fullmatch(line)
        if pair:
            _add(found, int(pair[1]), pair[2], source, number)
        elif line.startswith(("# Rows", "# Dual")) or (listed and line.startswith("Integer feasib")):
            # What follows are the rows or how exact it is, and in programs that are not integer the columns once more.
            listed = False
            break
        elif _RELAXED.fullmatch(line):
            raise FormatError("this is a solution of the relaxation: solve it as an integer program", source, number)
        elif line.startswith("# Columns "):
            # HiGHS 1.16 writes `# Columns -16 sparse` where 1.15 wrote `# Columns -16`.
            columns = abs(integer(line[10:].removesuffix(" sparse"), source, number))
        elif _AUXILIARY.fullmatch(line):
            others += 1
        elif not _is_status(line, found) and not _PASSED_OVER.fullmatch(line) and not _OTHER_PAIR.fullmatch(line):
            raise FormatError(f"{short(line)!r} is no line of a solution of an integer program", source, number)
        listed |= line.startswith("No. ") and "Column name" in line
    if len(found.values) + others < columns:
        found.cut_off = f"it has {len(found.values) + others} of {columns} columns"
    elif listed:
        found.cut_off = "the list of columns has no end"


def _is_status(line: str, found: _Found) -> bool:
    """Take a line into account that says whether there is a solution."""
    claims = {claim for claim, words in ((True, _SATISFIABLE), (False, _UNSATISFIABLE)) if words.fullmatch(line)}
    found.claims |= claims
    return bool(claims)


def _add(found: _Found, variable: int, value: str, source: str, number: int) -> None:
    if variable in found.values:
        raise FormatError(f"x_{variable} has two values", source, number)
    if not _NUMBER.fullmatch(value):
        raise FormatError(f"{short(value)!r} is no value of x_{variable}", source, number)
    found.values[variable] = float(value)


def _answer(puzzle: Puzzle, found: _Found, source: str) -> Answer:
    claim = found.claims.pop() if found.claims else None
    n, shape = puzzle.candidates.size, puzzle.candidates.shape
    strange = next((variable for variable in found.values if variable > n), 0)
    if strange:
        raise FormatError(f"x_{strange} is none of this model, which has {n} variables", source)
    truth, named = (np.zeros(n, bool) for _ in range(2))
    for variable, value in found.values.items():
        truth[variable - 1], named[variable - 1] = value > TOLERANCE, True
        if min(abs(value), abs(value - 1)) > TOLERANCE and claim is not False:
            raise FormatError(
                f"x_{variable} is {value:g}, which is neither 0 nor 1 to within {TOLERANCE:g}: was it solved as an "
                "integer program?",
                source,
            )
    held = truth.reshape(shape)
    if claim is False:
        # Some programs write values even where there is no solution; those of one would contradict them.
        is_solution = not any(model.faults for model in from_truth(puzzle, claim, [held]).models)
        return from_truth(puzzle, claim, [held] if is_solution else [])
    missing = first_missing(puzzle, held, named.reshape(shape)) if found.values else ""
    cut_off = found.cut_off or (f"{missing} has no variable at 1" if missing else "")
    return from_truth(puzzle, claim, [] if cut_off or not found.values else [held], cut_off)
