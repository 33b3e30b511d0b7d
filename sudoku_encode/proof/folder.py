"""A certificate is a folder of six files; reading them trusts nothing.

certificate.json   what the others hold: how many solutions, clauses and lemmas; and what made them
puzzle.json        the puzzle
formula.cnf        its extended encoding, every clause once, in DIMACS
solutions.txt      the solutions, one a line: one symbol a cell, or numbers separated by commas
blocked.cnf        formula.cnf and one blocking clause for each solution
proof.drat         a DRAT proof, as text, that blocked.cnf has no model
"""

import json
from collections.abc import Iterator
from pathlib import Path

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import read_one, read_text
from sudoku_encode.proof.plain import Clause
from sudoku_encode.puzzle import Grids, Puzzle

CERTIFICATE, PUZZLE, FORMULA, SOLUTIONS, BLOCKED, PROOF = FILES = (
    "certificate.json",
    "puzzle.json",
    "formula.cnf",
    "solutions.txt",
    "blocked.cnf",
    "proof.drat",
)
# What the certificate counts.
FIGURES = ("solutions", "clauses", "lemmas")
# No file of a certificate is read beyond this.
MAX_BYTES = 1 << 30


def text(folder: Path, name: str) -> str:
    """Return a file of a certificate.

    Raises:
        FormatError: it is missing, too large or not ASCII.
    """
    path = folder / name
    try:
        if path.stat().st_size > MAX_BYTES:
            raise FormatError(f"more than {MAX_BYTES >> 20} MB", str(path))
        return path.read_bytes().decode("ascii")
    except UnicodeDecodeError as error:
        raise FormatError("this is not ASCII text", str(path)) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", str(path)) from error


def figures(folder: Path) -> dict[str, int]:
    """Return the numbers that the certificate gives, by their names.

    Raises:
        FormatError: it does not give them.
    """
    try:
        found = json.loads(text(folder, CERTIFICATE))
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is no JSON: {error}", str(folder / CERTIFICATE)) from error
    if not isinstance(found, dict) or any(type(found.get(name)) is not int for name in FIGURES):
        raise FormatError(f"an object with the whole numbers {', '.join(FIGURES)} is needed", str(folder / CERTIFICATE))
    return {name: found[name] for name in FIGURES}


def puzzle(folder: Path) -> Puzzle:
    """Return the puzzle.

    Raises:
        FormatError: there is none, or more than one.
    """
    text(folder, PUZZLE)
    return read_one(str(folder / PUZZLE), format="json")


def solutions(folder: Path, of: Puzzle) -> list[Grids]:
    """Return the grids of the file, whatever they are.

    Raises:
        FormatError: a line is no full grid of the board.
    """
    lines = text(folder, SOLUTIONS)
    if not lines.strip():
        return []
    board = of.geometry
    form = "line" if "," not in lines else "csv"
    found = []
    for number, entry in enumerate(
        read_text(
            lines, str(folder / SOLUTIONS), board=board.name, rules=board.rule_names, alphabet="1-G", format=form
        ),
        start=1,
    ):
        if isinstance(entry, FormatError):
            raise entry
        if not entry.givens.all():
            raise FormatError(f"grid {number} has a blank", str(folder / SOLUTIONS))
        found.append(entry.givens)
    return found


def clauses(folder: Path, name: str) -> Iterator[tuple[int, Clause]]:
    """Yield the clauses of a DIMACS file, each with its line.

    Raises:
        FormatError: no header, a line that is no clause, a variable above the header's, another number of clauses.
    """
    source, header, count = str(folder / name), None, 0
    for line, words in enumerate(map(str.split, text(folder, name).split("\n")), start=1):
        if not words or words[0] == "c":
            continue
        if header is None:
            if len(words) != 4 or words[:2] != ["p", "cnf"] or not all(word.isdigit() for word in words[2:]):
                raise FormatError("a header `p cnf VARIABLES CLAUSES` is needed before any clause", source, line)
            header = int(words[2]), int(words[3])
            continue
        yield line, literals(words, source, line, header[0])
        count += 1
    if header is None or count != header[1]:
        raise FormatError(f"{count} clauses, and the header says {header[1] if header else 'nothing'}", source)


def literals(words: list[str], source: str, line: int, highest: int) -> Clause:
    """Return the literals of a line that ends in 0.

    Raises:
        FormatError: it is no such line.
    """
    numbers = [word.removeprefix("-") for word in words]
    if words[-1:] != ["0"] or not all(len(number) < 10 and number.isdigit() for number in numbers):
        raise FormatError("a clause is numbers, with a 0 at the end only", source, line)
    found = [int(word) for word in words[:-1]]
    if any(not 0 < abs(literal) <= highest for literal in found):
        raise FormatError(f"a literal is 0, or above {highest}", source, line)
    return frozenset(found)
