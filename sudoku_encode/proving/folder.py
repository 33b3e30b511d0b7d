"""A certificate is a folder of six files, plain ones of at most 256 MB each; reading them trusts nothing.

certificate.json   how many solutions, clauses and lemmas the others contain; and what made them
puzzle.json        the puzzle
formula.cnf        its extended encoding, every clause once, in DIMACS
solutions.txt      the solutions, one a line: one symbol a cell, or numbers separated by commas
blocked.cnf        formula.cnf and one blocking clause for each solution
proof.lrat         a proof, with hints, that blocked.cnf has no model; or in its place
proof.drat         a DRAT proof, text or binary, whose lemmas follow by unit propagation

Two more are for VeriPB, if they are wanted: formula.opb and proof.pbp.

`docs/internals/certificates.md` describes the files in full, for authors of other checkers.
"""

import json
import os
import re
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.bulk import LETTERS
from sudoku_encode.formats.json_objects import refuse_unknown, unique_keys
from sudoku_encode.formats.reading import ReadOptions, read_text
from sudoku_encode.formats.symbols import unpack
from sudoku_encode.formats.text.json import KEYS
from sudoku_encode.formats.writing import write
from sudoku_encode.proving import numbers
from sudoku_encode.proving.numbers import DELETE, Numbers
from sudoku_encode.puzzles.puzzle import Candidates, Grids, Puzzle

CERTIFICATE, PUZZLE, FORMULA, SOLUTIONS, BLOCKED, PROOF = FILES = (
    "certificate.json",
    "puzzle.json",
    "formula.cnf",
    "solutions.txt",
    "blocked.cnf",
    "proof.lrat",
)
DRAT = "proof.drat"
# For VeriPB: see `veripb`.
OPB, PBP = "formula.opb", "proof.pbp"
# In a certificate of true candidates: these.
CANDIDATES = "candidates.json"
# In a certificate in cubes: the cubes, the proof that nothing is outside them, and a folder with the files of each
# cube, its solutions and its proof, or how to count them again; see `cube_folder`.
CUBES, COVER, LEAVES = "cubes.txt", "cover.lrat", "leaves"
LEAF_SOLUTIONS, LEAF_PROOF, LEAF_COUNT = LEAF_SUFFIXES = (".txt", ".lrat.gz", ".json")
# In a certificate of a count: the puzzle in numbers, and how it is counted; see `counts`.
RULES, COUNT = "rules.txt", "count.json"
# Beside it perhaps: the same as a theorem for Coq; see `theorem`.
THEOREM = "theorem.v"
# Making a certificate replaces these, or removes them, and the files of cubes.
WRITTEN = (*FILES, DRAT, OPB, PBP, CANDIDATES, CUBES, COVER, RULES, COUNT, THEOREM)
# The numbers in certificate.json.
FIGURES = ("solutions", "clauses", "lemmas")
# No file of a certificate is read beyond this.
MAX_BYTES = 1 << 28
# More would take too much memory to check.
MAX_STEPS, MAX_CLAUSES = 4_000_000, 5_000_000
# Of puzzle.json and certificate.json.
MAX_JSON_BYTES = 1 << 25


# Clauses of one width, a clause a row, the literals of each in ascending order; and the number of each in its file.
Rows = tuple[Numbers, NDArray[np.intp]]


@dataclass(frozen=True, eq=False)
class Formula:
    """A CNF as it stands in a file."""

    path: Path  # the file
    text: bytes  # its content
    values: Numbers  # int32: the literals of all clauses, each with a 0 at its end

    def line(self, clause: int) -> int:
        """Return the line (from 1) of a clause (from 0)."""
        return numbers.line_of(self.text, numbers.header(self.text, "")[2], clause)

    def rows_by_width(self) -> dict[int, Rows]:
        """Return the clauses by their width."""
        starts = numbers.clause_starts(self.values)
        widths = np.diff(np.append(starts, len(self.values))) - 1
        by_width = np.argsort(widths, kind="stable")
        ends = np.cumsum(np.bincount(widths))
        rows_by_width = {}
        for width in np.flatnonzero(np.bincount(widths)).tolist():
            chosen = by_width[ends[width - 1] if width else 0 : ends[width]]
            rows_by_width[width] = np.sort(self.values[starts[chosen][:, None] + np.arange(width)], axis=1), chosen
        return rows_by_width


_BLANK = re.compile(rb"[ \t\r]")
_LEAF_FILE = re.compile(r"[0-9]{6,9}(\.txt|\.lrat\.gz|\.json)|\..*\.part")
# Opening a pipe would wait until another program writes to it. Windows has neither flag, and no pipes among the files.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)


@contextmanager
def _opened(path: Path) -> Iterator[BinaryIO]:
    """Open a file of a certificate, if it is a plain one: a pipe or a device may have no end."""
    try:
        with open(path, "rb", opener=lambda name, flags: os.open(name, flags | _AT_ONCE)) as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise FormatError("this is not a plain file", str(path))
            if status.st_size > MAX_BYTES:
                raise FormatError(f"more than {MAX_BYTES >> 20} MB", str(path))
            yield file
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", str(path)) from error


def size(path: Path) -> int:
    """Return how many bytes a file of a certificate has; raises as `data`."""
    with _opened(path) as file:
        return os.fstat(file.fileno()).st_size


def data(path: Path, most: int = MAX_BYTES) -> bytes:
    """Return the content of a file of a certificate.

    Raises:
        FormatError: it is missing, not a plain file, or too large.
    """
    with _opened(path) as file:
        content = file.read(most + 1)
        if len(content) > most:
            raise FormatError(f"more than {most >> 20} MB", str(path))
        return content


def _ascii(path: Path) -> str:
    try:
        return data(path, MAX_JSON_BYTES).decode("ascii")
    except UnicodeDecodeError as error:
        raise FormatError("this is not ASCII text", str(path)) from error


def json_of(path: Path) -> Any:
    """Return the content of a JSON file that has one reading only: no key twice, no NaN, and 0 without a sign."""

    def refused(word: str) -> int:
        raise FormatError(f"{word} is not a number here")

    def whole(word: str) -> int:
        return refused(word) if word == "-0" else int(word)

    try:
        return json.loads(_ascii(path), object_pairs_hook=unique_keys, parse_int=whole, parse_constant=refused)
    except FormatError as error:
        raise error if error.source else FormatError(error.message, str(path)) from None
    except (ValueError, RecursionError) as error:
        raise FormatError(f"this is not JSON: {error}", str(path)) from error


def figures(folder: Path, names: tuple[str, ...] = FIGURES) -> dict[str, int]:
    """Return the numbers that the certificate gives, by their names.

    Raises:
        FormatError: one is missing.
    """
    path = folder / CERTIFICATE
    content = json_of(path)
    if not isinstance(content, dict) or any(type(content.get(name)) is not int for name in names):
        raise FormatError(f"expected an object with the whole numbers {', '.join(names)}", str(path))
    return {name: content[name] for name in names}


def puzzle(folder: Path) -> Puzzle:
    """Return the puzzle.

    Raises:
        FormatError: there is not exactly one puzzle; or a key is unknown or there twice: then a reader could take it
            for another puzzle than the proved one.
    """
    path = folder / PUZZLE
    item = json_of(path)
    if not isinstance(item, dict) or not {"board", "givens"} <= set(item):
        raise FormatError("expected an object with board and givens", str(path))
    try:
        refuse_unknown(item, KEYS, "a puzzle")
    except FormatError as error:
        raise FormatError(error.message, str(path)) from None
    (entry,) = read_text(_ascii(path), str(path), ReadOptions(format="json"))
    if isinstance(entry, FormatError):
        raise entry
    _check_plain(item, entry, str(path))
    return entry


def _check_plain(item: dict[str, Any], puzzle: Puzzle, source: str) -> None:
    """Refuse forms that `formats` reads but another checker might read otherwise: a certificate has one form only."""
    board = item["board"]
    if not isinstance(board, str) or not re.fullmatch("[!-~]+", board):
        raise FormatError("expected a board name of printable ASCII characters without spaces", source)
    if _has_zeros_in_front(board):
        raise FormatError(f"a number in {board[:60]!r} has a leading zero; write {puzzle.geometry.name[:60]!r}", source)
    if item["givens"] != json.loads(write(puzzle.geometry, puzzle.givens, "json"))["givens"]:
        raise FormatError("expected givens as lists of lists of numbers, nested as the board is", source)
    for constraint, line in zip(puzzle.constraints, item.get("constraints", []), strict=False):
        if constraint.text(puzzle.geometry) != line:
            raise FormatError(f"{line[:60]!r} is not the plain form, {constraint.text(puzzle.geometry)!r}", source)
    if len(item.get("constraints", [])) != len(puzzle.constraints):
        raise FormatError("a constraint appears twice", source)
    for key in ("rules", "pencilmarks"):
        if not isinstance(item.get(key, []), list):
            raise FormatError(f"expected a list for {key}", source)
    if "pencilmarks" in item and len(item["pencilmarks"]) != puzzle.geometry.n_cells:
        raise FormatError("pencilmarks are nested too deeply; expected a list for each cell", source)
    if len(set(item.get("rules", []))) < len(item.get("rules", [])):
        raise FormatError("a rule appears twice", source)


def _has_zeros_in_front(board: str) -> bool:
    """Return whether a number in a board's name begins with 0; the digits of a jigsaw or isodoku are not numbers."""
    base, places = match.groups() if (match := re.fullmatch(r"(.*)@([0-9,;]*)", board)) else (board, "")
    if base.startswith(("jigsaw:", "isodoku:")):
        sides = re.match(r"jigsaw:([0-9]+x[0-9]+):", base)
        base = sides[1] if sides else ""
    return bool(re.search("(?<![0-9])0[0-9]", f"{base} {places}"))


def check_kind(folder: Path, *, of_candidates: bool) -> None:
    """Refuse a folder with files of another kind of certificate: a person would take it for one of that kind.

    Raises:
        FormatError: there is such a file.
    """
    others = [*((OPB, PBP) if of_candidates else (CANDIDATES,)), CUBES, COVER, RULES, COUNT, THEOREM]
    names = [name for name in others if os.path.lexists(folder / name)]
    names += [path.relative_to(folder).as_posix() for path in leaf_files(folder)]
    if names:
        kind = "true candidates" if of_candidates else "a number of solutions without cubes"
        raise FormatError(f"{names[0]} does not belong to a certificate of {kind}", str(folder))


def candidates(folder: Path, of: Puzzle) -> Candidates:
    """Return the candidates that a certificate lists, bool (n_cells, n_values).

    Raises:
        FormatError: they are missing, or are not an ascending list of values for each cell.
    """
    path, n = folder / CANDIDATES, of.geometry.n_values
    lists = json_of(path)
    if not isinstance(lists, list) or len(lists) != of.geometry.n_cells:
        raise FormatError(f"expected a list of {of.geometry.n_cells} lists, one for each cell", str(path))
    listed = np.zeros((of.geometry.n_cells, n), bool)
    for cell, values in enumerate(lists):
        numbers_only = isinstance(values, list) and all(type(value) is int and 1 <= value <= n for value in values)
        if not numbers_only or sorted(set(values)) != values:
            raise FormatError(f"cell {cell + 1}: expected an ascending list of values from 1 to {n}", str(path))
        listed[cell, np.array(values, np.intp) - 1] = True
    return listed


def leaf_files(folder: Path) -> list[Path]:
    """Return the files of cubes, and incomplete ones of an interrupted run."""
    home = folder / LEAVES
    if home.is_symlink() or not home.is_dir():
        return []
    return sorted(path for path in home.iterdir() if _LEAF_FILE.fullmatch(path.name))


def solutions(folder: Path, of: Puzzle, name: str = SOLUTIONS) -> Grids:
    """Return the grids of a file, whether they are solutions or not, as uint8 (m, n_cells).

    Raises:
        FormatError: a line is not a full grid of the board.
    """
    path, n, n_cells = folder / name, of.geometry.n_values, of.geometry.n_cells
    # A carriage return is nothing before a newline, and wrong elsewhere, as any other blank than these is.
    lines = data(path).replace(b"\r\n", b"\n").split(b"\n")
    rows = [row for line in lines if (row := line.strip(b" \t"))]
    if n <= LETTERS:
        short = next((at for at, line in enumerate(rows) if len(line) != n_cells), None)
        values = unpack(b"".join(rows).decode("latin-1"), n).astype(np.int32)
    else:
        short = next(
            (at for at, line in enumerate(rows) if line.count(b",") != n_cells - 1 or _BLANK.search(line)), None
        )
        values = numbers.read(b"\n".join(rows).replace(b",", b" "), str(path))
    if short is not None or len(values) != len(rows) * n_cells:
        raise FormatError(f"grid {(short or 0) + 1}: expected one value for each of {n_cells} cells", str(path))
    wrong = np.flatnonzero((values < 1) | (values > n))
    if len(wrong):
        raise FormatError(f"grid {wrong[0] // n_cells + 1} has a cell without a value from 1 to {n}", str(path))
    grids: Grids = values.astype(np.uint8).reshape(-1, n_cells)
    return grids


def formula(folder: Path, name: str, n_variables: int) -> Formula:
    """Return the clauses of a DIMACS file.

    Raises:
        FormatError: no header, a word that is not a number, a variable above the header's or `n_variables`, a different
            number of clauses than in the header, or too many.
    """
    path = folder / name
    text = data(path)
    highest, count, start = numbers.header(text, str(path))
    if count > MAX_CLAUSES:
        raise FormatError(f"more than {MAX_CLAUSES:,} clauses, too many to be checked", str(path))
    values = numbers.read(text, str(path), start)
    _check_literals(values, min(highest, n_variables), str(path))
    if (n_clauses := int(np.count_nonzero(values == 0))) != count:
        raise FormatError(f"{n_clauses} clauses, but the header says {count}", str(path))
    return Formula(path, text, values)


def _check_literals(values: Numbers, highest: int, source: str) -> None:
    """Refuse a text that does not end in 0, or with a literal above a number."""
    if len(values) and values[-1] != 0:
        raise FormatError("its last 0 is missing", source)
    # Not np.abs: the smallest number has no opposite.
    wrong = np.flatnonzero((values > highest) | (values < -highest))
    if len(wrong):
        word = "d" if values[wrong[0]] == DELETE else int(values[wrong[0]])
        raise FormatError(f"not a literal of a formula with {highest} variables: {word}", source)


def steps(folder: Path, name: str = PROOF) -> Numbers:
    """Return the numbers of a proof with hints.

    Raises:
        FormatError: it is missing, has a word that is not a number, or more than MAX_STEPS steps.
    """
    path = folder / name
    return read_steps(data(path), str(path))


def read_steps(proof: bytes, source: str) -> Numbers:
    """Return the numbers of the text of a proof with hints; raises as `steps`."""
    values = numbers.read(proof, source)
    _check_steps(int(np.count_nonzero(values == 0)) // 2, source)
    return values


def _check_steps(number: int, source: str) -> None:
    if number > MAX_STEPS:
        raise FormatError(f"more than {MAX_STEPS:,} steps, too many to be checked", source)


def lemmas(folder: Path, n_variables: int) -> Numbers:
    """Return the clauses that the DRAT proof adds, each with a 0 at its end; its deletions are ignored.

    Raises:
        FormatError: it is missing, not a DRAT proof, uses a variable that the formula does not have, or has more than
            MAX_STEPS steps.
    """
    path = folder / DRAT
    proof = data(path)
    # In a binary proof every clause ends in a NUL.
    values = numbers.read_binary(proof, str(path)) if b"\0" in proof else numbers.read(proof, str(path))
    starts = numbers.clause_starts(values)
    _check_steps(len(starts), str(path))
    deleted = values[starts] == DELETE if len(starts) else np.empty(0, bool)
    added = values[~np.repeat(deleted, np.diff([*starts.tolist(), len(values)]))] if len(starts) else values
    _check_literals(added, n_variables, str(path))
    return added
