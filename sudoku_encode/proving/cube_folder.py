"""The files of a certificate in cubes; reading them trusts nothing.

certificate.json     how many solutions, clauses and cubes there are; and what made them. It is written last
puzzle.json          the puzzle
formula.cnf          its extended encoding
cubes.txt            a line for each cube: its number, its literals, 0
cover.lrat           a proof that formula.cnf and the negation of every cube have no model
leaves/NUMBER.txt    the solutions in a cube, one a line
leaves/NUMBER.lrat.gz  a proof that there are no more: that formula.cnf, the literals of the cube as clauses, and a
                     blocking clause for each of these solutions have no model

A proof knows clauses by their place: those of formula.cnf first, then the others in the order of their files.
`docs/certificates.md` describes the files in full.
"""

import os
import zlib
from pathlib import Path

import numpy as np

from sudoku_encode.encoders.cubes import Cube
from sudoku_encode.errors import FormatError, short
from sudoku_encode.proving import folder as files
from sudoku_encode.proving import numbers, plain
from sudoku_encode.proving.numbers import DELETE, Numbers
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.storage import outputs

# More would take too long to compare with each other.
MAX_CUBES = 20_000
FIGURES = ("solutions", "clauses", "cubes")
# Files of a certificate of another kind, which would be taken for a part of this one.
_OTHERS = (files.SOLUTIONS, files.BLOCKED, files.PROOF, files.DRAT, files.CANDIDATES)


def is_in_cubes(folder: Path) -> bool:
    """Say whether a folder has a certificate in cubes."""
    return (folder / files.CUBES).exists()


def leaf(number: int, suffix: str) -> str:
    """Return the name of a file of a cube, within the folder."""
    return f"{files.LEAVES}/{number:06}{suffix}"


def check_names(folder: Path, cubes: dict[int, Cube]) -> None:
    """Check that each cube has its two files, and that there are no others.

    Raises:
        FormatError: there are.
    """
    if extra := [name for name in _OTHERS if (folder / name).exists()]:
        raise FormatError(f"{extra[0]} does not belong to a certificate in cubes", str(folder))
    expected = {leaf(number, suffix) for number in cubes for suffix in (files.LEAF_SOLUTIONS, files.LEAF_PROOF)}
    home = folder / files.LEAVES
    try:
        found = {f"{files.LEAVES}/{path.name}" for path in home.iterdir()}
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror or error}", str(home)) from error
    if extra := sorted(found - expected):
        raise FormatError("no cube has this file", str(folder / extra[0]))
    if missing := sorted(expected - found):
        raise FormatError("this file of a cube is missing", str(folder / missing[0]))


def read_cubes(folder: Path, puzzle: Puzzle) -> dict[int, Cube]:
    """Return the cubes by their numbers, which ascend.

    Raises:
        FormatError: a line is no cube, or two of them have a solution in common, as far as they say.
    """
    path, found = folder / files.CUBES, dict[int, Cube]()
    for at, row in enumerate(files.data(path).split(b"\n"), start=1):
        if not row.strip(b" \t\r"):
            continue
        try:
            number, cube = _numbered_cube(row, puzzle)
            if number <= max(found, default=0):
                raise FormatError(f"cube {number} comes after {max(found)}")
            found[number] = cube
            if len(found) > MAX_CUBES:
                raise FormatError(f"more than {MAX_CUBES:,} cubes")
        except FormatError as error:
            raise FormatError(error.message, str(path), at) from None
    _check_disjoint(found, str(path))
    return found


def _numbered_cube(row: bytes, puzzle: Puzzle) -> tuple[int, Cube]:
    values, n = numbers.read(row, "").tolist(), puzzle.geometry.n_values
    literals = values[1:-1]
    if len(values) < 2 or values[-1] != 0 or DELETE in values or min(values[:-1]) < 1:
        text = short(row.decode("ascii", "replace"))
        raise FormatError(f"{text!r} is no cube: its number, its literals above 0, and 0")
    cells = [(literal - 1) // n for literal in literals]
    if max(literals, default=0) > puzzle.geometry.n_cells * n or len(set(cells)) < len(cells):
        raise FormatError(f"cube {values[0]} has a literal of no cell, or two of one cell")
    return values[0], tuple((cell, (literal - 1) % n + 1) for cell, literal in zip(cells, literals, strict=True))


def data_lines(path: Path) -> list[bytes]:
    """Return the lines of a file that are not blank; raises as `folder.data`."""
    return [line for line in files.data(path).split(b"\n") if line.strip()]


def _check_disjoint(cubes: dict[int, Cube], source: str) -> None:
    """Refuse two cubes that give no cell two different values: a solution in both would be counted twice."""
    column = {cell: at for at, cell in enumerate(sorted({cell for cube in cubes.values() for cell, _ in cube}))}
    rows = np.zeros((len(cubes), len(column)), np.uint8)
    for row, cube in zip(rows, cubes.values(), strict=True):
        for cell, value in cube:
            row[column[cell]] = value
    names = list(cubes)
    for number, row in enumerate(rows[:-1]):
        own = np.flatnonzero(row)
        others = rows[number + 1 :, own]
        together = ((others == 0) | (others == row[own])).all(axis=1)
        if together.any():
            other = names[number + 1 + int(np.argmax(together))]
            raise FormatError(f"the cubes {names[number]} and {other} are not disjoint", source)


def literals(puzzle: Puzzle, cube: Cube) -> list[int]:
    """Return the literals of a cube: variables of `formula.cnf`."""
    return [cell * puzzle.geometry.n_values + value for cell, value in cube]


def cubes_text(puzzle: Puzzle, cubes: dict[int, Cube]) -> bytes:
    """Return the file of some cubes."""
    rows = (" ".join(map(str, [number, *literals(puzzle, cubes[number]), 0])) for number in sorted(cubes))
    return "".join(f"{row}\n" for row in rows).encode("ascii")


def covering(formula: Numbers, puzzle: Puzzle, cubes: dict[int, Cube]) -> Numbers:
    """Return the clauses that have no model if each solution is in a cube, each with a 0 at its end."""
    negated = [-literal for number in sorted(cubes) for literal in [*literals(puzzle, cubes[number]), 0]]
    return np.concatenate([formula, np.array(negated, np.int32)])


def blocked(formula: Numbers, puzzle: Puzzle, cube: Cube, grids: Grids) -> Numbers:
    """Return the clauses that have no model if some solutions are all that are in a cube, each with a 0 at its end."""
    units = np.zeros((len(cube), 2), np.int32)
    units[:, 0] = literals(puzzle, cube)
    blocking = np.pad(plain.blocking(puzzle, grids), ((0, 0), (0, 1)))
    return np.concatenate([formula, units.ravel(), blocking.ravel()])


def proof(folder: Path, number: int) -> Numbers:
    """Return the numbers of the proof of a cube.

    Raises:
        FormatError: it is missing, no gzip file, too large, or has a word that is no number.
    """
    path = folder / leaf(number, files.LEAF_PROOF)
    packed, unpacking = files.data(path), zlib.decompressobj(31)
    try:
        text = unpacking.decompress(packed, files.MAX_BYTES + 1)
    except zlib.error as error:
        raise FormatError(f"this is no gzip file: {error}", str(path)) from error
    if len(text) > files.MAX_BYTES:
        raise FormatError(f"more than {files.MAX_BYTES >> 20} MB", str(path))
    if not unpacking.eof or unpacking.unused_data:
        raise FormatError("this is no whole gzip file", str(path))
    return files.read_steps(text, str(path))


def write_whole(path: Path, content: bytes) -> None:
    """Write a file that gets its name only when it is complete.

    Raises:
        SudokuError: it cannot be written.
        StoppedError: the disk is full.
    """
    part = path.with_name(f".{path.name}.{os.urandom(6).hex()}.part")
    try:
        part.write_bytes(content)
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise outputs.unwritable(path, error) from error
