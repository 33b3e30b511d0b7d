"""A certificate is a folder of six files, plain ones of at most 256 MB each; reading them trusts nothing.

certificate.json   what the others hold: how many solutions, clauses and lemmas; and what made them
puzzle.json        the puzzle
formula.cnf        its extended encoding, every clause once, in DIMACS
solutions.txt      the solutions, one a line: one symbol a cell, or numbers separated by commas
blocked.cnf        formula.cnf and one blocking clause for each solution
proof.drat         a DRAT proof, as text, that blocked.cnf has no model
"""

import json
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from sudoku_encode.errors import FormatError
from sudoku_encode.formats import read_text
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
# No file of a certificate is read beyond this, and no line of a formula or a proof beyond a million literals.
MAX_BYTES, MAX_LINE = 1 << 28, 1 << 23
# What is read as a whole: the puzzle, the figures; and the solutions, as `formats` does.
MAX_SMALL, MAX_SOLUTIONS = 1 << 25, 1 << 27


@contextmanager
def _opened(folder: Path, name: str) -> Iterator[BinaryIO]:
    """Open a file of a certificate, if it is a plain one: a pipe or a device has no end."""
    path = folder / name
    try:
        # Opening a pipe waits for somebody who writes to it.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY), "rb") as file:
            there = os.fstat(file.fileno())
            if not stat.S_ISREG(there.st_mode):
                raise FormatError("this is no plain file", str(path))
            if there.st_size > MAX_BYTES:
                raise FormatError(f"more than {MAX_BYTES >> 20} MB", str(path))
            yield file
    except UnicodeDecodeError as error:
        raise FormatError("this is not ASCII text", str(path)) from error
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", str(path)) from error


def size(folder: Path, name: str) -> int:
    """Return how many bytes a file of a certificate has; raises as `lines`."""
    with _opened(folder, name) as file:
        return os.fstat(file.fileno()).st_size


def text(folder: Path, name: str, most: int = MAX_SMALL) -> str:
    """Return a file of a certificate.

    Raises:
        FormatError: it is missing, no plain file, too large or not ASCII.
    """
    with _opened(folder, name) as file:
        found = file.read(most + 1)
        if len(found) > most:
            raise FormatError(f"more than {most >> 20} MB", str(folder / name))
        return found.decode("ascii")


def lines(folder: Path, name: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the words of the lines of a formula or proof, but of blank ones and comments, with their numbers.

    Raises:
        FormatError: the file is missing, no plain file, too large or not ASCII.
    """
    with _opened(folder, name) as file:
        number = 0
        while line := file.readline(MAX_LINE):
            number += 1
            if len(line) == MAX_LINE:
                raise FormatError(f"more than {MAX_LINE >> 20} MB on a line", str(folder / name), number)
            words = line.decode("ascii").split()
            if words and words[0] != "c":
                yield number, words


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
    entry, *more = read_text(text(folder, PUZZLE), str(folder / PUZZLE), format="json")
    if isinstance(entry, FormatError):
        raise entry
    if more:
        raise FormatError(f"{len(more) + 1} puzzles where one is needed", str(folder / PUZZLE))
    return entry


def solutions(folder: Path, of: Puzzle) -> list[Grids]:
    """Return the grids of the file, whatever they are.

    Raises:
        FormatError: a line is no full grid of the board.
    """
    listed = text(folder, SOLUTIONS, MAX_SOLUTIONS)
    if not listed.strip():
        return []
    form = "line" if "," not in listed else "csv"
    entries = read_text(listed, str(folder / SOLUTIONS), board=of.geometry, alphabet="1-G", format=form)
    found = []
    for number, entry in enumerate(entries, start=1):
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
    for line, words in lines(folder, name):
        if header is None:
            if len(words) != 4 or words[:2] != ["p", "cnf"] or not all(map(_is_number, words[2:])):
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
    if words[-1:] != ["0"] or not all(map(_is_number, numbers)):
        raise FormatError("a clause is numbers, with a 0 at the end only", source, line)
    found = [int(word) for word in words[:-1]]
    if any(not 0 < abs(literal) <= highest for literal in found):
        raise FormatError(f"a literal is 0, or above {highest}", source, line)
    return frozenset(found)


def _is_number(word: str) -> bool:
    """Say whether a word is a number of a DIMACS file; ASCII is all that comes here."""
    return len(word) < 10 and word.isdigit()
