"""A folder with all solutions of a puzzle in files of about a million, and `manifest.json`, which says what is there.

The files are in the order of their names, and each solution is in one of them. The manifest is written last: a folder
without one is not complete.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sudoku_encode.errors import FormatError, GeometryError, SudokuError
from sudoku_encode.formats.grid_files import check_form, grids_of
from sudoku_encode.formats.json_objects import refuse_unknown, unique_keys
from sudoku_encode.formats.lines import Setting
from sudoku_encode.formats.table import GRID_FILES
from sudoku_encode.formats.text.json import read_json, write_json
from sudoku_encode.puzzles.arrays import grid_hashes
from sudoku_encode.puzzles.puzzle import Grids, Puzzle, fault
from sudoku_encode.storage.folder_files import Digest, file_fault

MANIFEST = "manifest.json"
# The kind and version of the JSON object.
KIND, VERSION = "solutions of a puzzle", 1
_KEYS = ("kind", "version", "board", "rules", "puzzle", "method", "form", "solutions", "complete", "files")
FILE_NAME = re.compile(r"part-(\d{6,})\.(" + "|".join(map(re.escape, GRID_FILES)) + ")")
_MAX_BYTES = 1 << 28


@dataclass(frozen=True)
class GridFile:
    """A file of a folder."""

    name: str  # the name of the file
    solutions: int  # the number of its solutions
    digest: Digest  # its size and SHA-256

    @property
    def record(self) -> dict[str, Any]:
        """The entry of the file in the manifest."""
        size, sha256 = self.digest
        return {"file": self.name, "solutions": self.solutions, "bytes": size, "sha256": sha256}


@dataclass(frozen=True)
class Manifest:
    """The contents of a manifest."""

    puzzle: Puzzle  # the puzzle of the solutions
    method: str  # the method that found them
    form: str  # a key of GRID_FILES
    files: tuple[GridFile, ...]  # the files in their order

    @property
    def solutions(self) -> int:
        """The number of solutions."""
        return sum(file.solutions for file in self.files)

    def text(self) -> str:
        """Return the text of the file, with a line for each part."""
        record = {**header(self.puzzle, self.method, self.form), "solutions": self.solutions, "complete": True}
        lines = ",\n".join(json.dumps(file.record) for file in self.files)
        return f'{json.dumps(record)[:-1]}, "files": [\n{lines}\n]}}\n'


def header(puzzle: Puzzle, method: str, form: str) -> dict[str, Any]:
    """Return the first keys of a manifest: the puzzle, its method and the form of the files."""
    board = puzzle.geometry
    return {
        "kind": KIND,
        "version": VERSION,
        "board": board.name,
        "rules": list(board.rule_names),
        "puzzle": json.loads(write_json(puzzle)),
        "method": method,
        "form": form,
    }


def file_name(number: int, form: str) -> str:
    """Return the name of a file, by its number from 1.

    >>> file_name(17, "txt.zst")
    'part-000017.txt.zst'
    """
    return f"part-{number:06}.{form}"


def is_solution_folder(path: Path) -> bool:
    """Check whether a folder contains a manifest of solutions."""
    return (path / MANIFEST).is_file()


def read_manifest(folder: Path) -> Manifest:
    """Return the manifest of a folder.

    Raises:
        FormatError: there is no manifest, or it is not valid.
    """
    path = folder / MANIFEST
    try:
        if path.stat().st_size > _MAX_BYTES:
            raise FormatError(f"more than {_MAX_BYTES >> 20} MB are not a manifest", str(path))
        record = json.loads(path.read_text("utf-8"), object_pairs_hook=unique_keys)
        return _manifest(record, path)
    except FormatError as error:
        raise error if error.source else FormatError(error.message, str(path)) from None
    except FileNotFoundError:
        raise FormatError(f"no {MANIFEST}: this is not a folder of all solutions of a puzzle", str(folder)) from None
    except OSError as error:
        raise FormatError(f"cannot be read: {error.strerror}", str(path)) from error
    except (ValueError, LookupError, TypeError, RecursionError, AttributeError) as error:
        raise FormatError("this is not a manifest of solutions", str(path)) from error


def _manifest(record: dict[str, Any], path: Path) -> Manifest:
    if record["kind"] != KIND:
        raise FormatError("this is not a manifest of solutions", str(path))
    refuse_unknown(record, _KEYS, "a manifest of solutions")
    if record["version"] != VERSION:
        raise FormatError(f"a manifest of version {record['version']}; this program reads {VERSION}", str(path))
    if not isinstance(record["form"], str):
        raise TypeError
    (entry,) = read_json(json.dumps(record["puzzle"]), Setting(str(path)))
    if isinstance(entry.content, FormatError):
        raise entry.content
    puzzle = entry.content
    files = tuple(map(_file, record["files"]))
    names = [file_name(number, record["form"]) for number in range(1, len(files) + 1)]
    if record["complete"] is not True or [file.name for file in files] != names:
        raise FormatError("this is not a manifest of all solutions: it does not list the files in order", str(path))
    manifest = Manifest(puzzle, str(record["method"]), record["form"], files)
    if record["solutions"] != manifest.solutions:
        raise FormatError(
            f"{record['solutions']:,} solutions, but those of its files are {manifest.solutions:,}", str(path)
        )
    if [record["board"], record["rules"]] != [puzzle.geometry.name, list(puzzle.geometry.rule_names)]:
        raise FormatError("its board is not that of its puzzle", str(path))
    return manifest


def _file(record: dict[str, Any]) -> GridFile:
    refuse_unknown(record, ("file", "solutions", "bytes", "sha256"), "a file in a manifest")
    solutions, size = record["solutions"], record["bytes"]
    if type(solutions) is not int or type(size) is not int or solutions < 1:
        raise ValueError
    return GridFile(str(record["file"]), solutions, Digest(size, str(record["sha256"])))


def read_solutions(folder: Path) -> Iterator[Grids]:
    """Yield all solutions in a folder, (m, n_cells) at a time, in order, each checked.

    Raises:
        FormatError: the folder has no manifest; a file is missing, cut, changed or listed twice; it has another number
            of solutions than the manifest says, a grid that is not a solution, or a solution twice.
        SudokuError: a package that its files need is not installed.
    """
    manifest, seen = read_manifest(folder), dict[str, str]()
    try:
        check_form(manifest.form)
    except FormatError as error:
        raise FormatError(error.message, str(folder / MANIFEST)) from None
    for file in manifest.files:
        path = folder / file.name
        if wrong := file_fault(path, file.digest):
            raise FormatError(wrong, str(path))
        if (other := seen.setdefault(file.digest.sha256, file.name)) != file.name:
            raise FormatError(f"it repeats {other}", str(path))
        yield from _checked(manifest, file, path)


def check_solutions(folder: Path) -> int:
    """Read all solutions in a folder, check that no solution is in two files, and return their number.

    That takes 8 bytes of memory for each.

    Raises:
        FormatError: as `read_solutions`; a solution is in two files; the folder contains a file of the same kind that
            the manifest does not name, which a program that reads all files would read.
        SudokuError: a package that its files need is not installed.
    """
    manifest = read_manifest(folder)
    check_names(folder, manifest)
    hashes = [grid_hashes(grids) for grids in read_solutions(folder)]
    if not hashes:
        return 0
    every = np.sort(np.concatenate(hashes))
    twice = every[1:][every[1:] == every[:-1]]
    if len(twice):
        _refuse_equal(manifest, folder, twice)
    return len(every)


def check_names(folder: Path, manifest: Manifest) -> None:
    """Refuse a file like those of a folder that its manifest does not name.

    Raises:
        FormatError: there is one.
    """
    names = {file.name for file in manifest.files}
    for path in sorted(folder.iterdir()):
        if FILE_NAME.fullmatch(path.name) and path.name not in names:
            raise FormatError(f"{MANIFEST} does not name this file", str(path))


def _refuse_equal(manifest: Manifest, folder: Path, repeated: NDArray[np.uint64]) -> None:
    """Refuse a solution that is in two files, among those with some marks, which different ones may share."""
    seen: dict[bytes, str] = {}
    for file in manifest.files:
        for grids in grids_of(folder / file.name, manifest.form, manifest.puzzle.geometry):
            for grid in grids[np.isin(grid_hashes(grids), repeated)]:
                if (first := seen.setdefault(grid.tobytes(), file.name)) != file.name:
                    raise FormatError(f"it contains a solution that is in {first} too", str(folder / file.name))


def _checked(manifest: Manifest, file: GridFile, path: Path) -> Iterator[Grids]:
    puzzle, n_read, seen = manifest.puzzle, 0, []
    for grids in grids_of(path, manifest.form, puzzle.geometry):
        if wrong := fault(puzzle, grids):
            raise FormatError(wrong, str(path))
        n_read += len(grids)
        seen.append(grid_hashes(grids))
        yield grids
    if n_read != file.solutions:
        raise FormatError(f"it contains {n_read:,} solutions, not {file.solutions:,}", str(path))
    if len(np.unique(np.concatenate(seen))) < n_read:
        raise FormatError("it contains a solution twice", str(path))


def givens_of(folder: Path, setting: Setting) -> Iterator[tuple[Puzzle, Grids]]:
    """Yield the puzzle of a folder with some of its solutions, as puzzles without a blank.

    Raises:
        FormatError: as `read_solutions`; the caller asks for another board.
        SudokuError: the caller gives an option that the files determine.
    """
    for option, value in (("--from", setting.format), ("--alphabet", setting.alphabet), ("--rules", setting.rules)):
        if value is not None:
            raise SudokuError(f"{option} has no effect on {folder}, which determines it")
    puzzle = read_manifest(folder).puzzle
    try:
        board = setting.known_board()
    except GeometryError as error:
        raise SudokuError(str(error)) from error
    if board is not None and board != puzzle.geometry:
        raise FormatError(f"its solutions are of {puzzle.geometry.name}, not of {board.name}", setting.source)
    for grids in read_solutions(folder):
        yield puzzle, grids
