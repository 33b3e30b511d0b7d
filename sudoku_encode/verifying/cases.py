"""The puzzles that `verify` checks, with the methods to run and the known counts."""

import json
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.formats.known_counts import KnownCount, expected, home_of, load
from sudoku_encode.formats.place import NOWHERE, Place
from sudoku_encode.methods.calls import find_method, unsupported_reason
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.events import Remark, emit
from sudoku_encode.run.limits import Limits

ALL = "all"
# Where no method is named, this number of families that share no code is enough to confirm a count.
ENOUGH_FAMILIES = 3
# The methods that are compared where none is named.
COMPARED = tuple(name for name, method in METHODS.items() if not method.only_if_named)
# Yields the puzzles of a file or a text, each with its place and its name for people.
Read = Callable[[str], Iterable[tuple[Place, str, Puzzle]]]


@dataclass(frozen=True, eq=False)
class Case:
    """A puzzle to cross-check."""

    name: str  # for people
    puzzle: Puzzle
    methods: tuple[str, ...]  # the names of the methods to run
    expected: KnownCount | None = None  # its known count and solutions, if there are any
    place: Place = NOWHERE  # where it is from
    enough: int | None = None  # after how many families that say the same no more methods run; None to run all


def chosen(text: str) -> tuple[str, ...]:
    """Return the methods that a list with commas names, each once; for `all` those that need not be named.

    Raises:
        MethodError: there is no such method, or none is named.
    """
    names = dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise MethodError(f"no method given; choose from {', '.join(METHODS)}, {ALL}")
    for name in names:
        if name != ALL and not find_method(name).family:
            raise MethodError(f"method {name} picks another method, so it has no answer of its own to compare")
    every = dict.fromkeys(COMPARED) if ALL in names else {}
    return tuple(name for name in every | names if name != ALL)


def accepting(puzzle: Puzzle, names: Iterable[str] = COMPARED) -> tuple[str, ...]:
    """Return those of some methods that can do a puzzle: they list or count, and their packages are installed."""
    compared = (METHODS[name] for name in names if METHODS[name].is_evidence)
    return tuple(method.name for method in compared if method.installed and not unsupported_reason(method, puzzle))


def of_known(entry: KnownCount, names: Iterable[str] = COMPARED) -> Case:
    """Return a known puzzle as a case, with those of some methods that can do its board."""
    place = Place(str(entry.home / entry.file), None, entry.index, entry.name)
    return Case(entry.name, entry.puzzle, accepting(entry.puzzle, names), entry, place)


def of_puzzle(name: str, puzzle: Puzzle, names: Iterable[str] = COMPARED, place: Place = NOWHERE) -> Case:
    """Return a puzzle as a case, with those of some methods that can do its board."""
    return Case(name, puzzle, accepting(puzzle, names), None, place)


def of_source(
    source: str, read: Read, names: Iterable[str] = COMPARED, any_rules: bool = True
) -> Iterator[Case | FormatError]:
    """Yield the puzzles of a file, of a text, or of all files in and below a folder, with their known counts.

    If a `known.toml` in or above a folder lists puzzles, only these are yielded, and a Remark names the other files. Of
    the named methods those that can do a board are taken; a known count under other rules is a case too if `any_rules`.

    Yields:
        A case for each puzzle; an error at the point where a file cannot be read.
    """
    methods = tuple(names)
    # Unlike `Path.is_dir` it raises no error for a text that is too long for a name.
    if not os.path.isdir(source):  # noqa: PTH112
        yield from _of_file(source, read, methods, any_rules)
        return
    folder = Path(source)
    if home := home_of(folder / "any"):
        yield from _of_known_folder(source, home, methods)
        return
    files = _files(folder)
    if not files:
        yield FormatError("this folder contains no files", source)
    for file in files:
        yield from _of_file(str(file), read, methods, any_rules)


def _files(folder: Path) -> list[Path]:
    """Return the files in and below a folder, sorted."""
    # Unlike `Path.is_file` it raises no error for a link to a file that may not be read.
    return sorted(file for file in folder.rglob("*") if os.path.isfile(file))  # noqa: PTH113


def _of_file(source: str, read: Read, names: tuple[str, ...], any_rules: bool) -> Iterator[Case | FormatError]:
    file = Path(source) if os.path.isfile(source) else None  # noqa: PTH113
    try:
        for place, name, puzzle in read(source):
            entries = known_of(file, place.puzzle or 1, puzzle, any_rules) if file else []
            yield from (of_known(known, names) for known in entries)
            if not entries:
                yield of_puzzle(name, puzzle, names, place)
    except FormatError as error:
        # One bad file among many does not stop the others.
        yield error


def _of_known_folder(folder: str, home: Path, names: tuple[str, ...]) -> Iterator[Case]:
    below = Path(folder).resolve()
    entries = [known for known in load(home) if (home / known.file).resolve().is_relative_to(below)]
    yield from (of_known(known, names) for known in entries)
    files = {(home / known.file).resolve() for known in entries}
    others = [file for file in _files(below) if file not in files and file.parent != home]
    if others:
        left_out = ", ".join(str(file.relative_to(below)) for file in others)
        emit(Remark(f"{folder}: left out {left_out}, since no count of it is known"))


def question(case: Case, limits: Limits, shrink: bool) -> str:
    """Return a digest of the question: the board and its rules, the puzzle, the known count, methods and limits.

    Two results with the same digest answer the same question, whatever the puzzle's file is called.
    """
    puzzle, expected = case.puzzle, case.expected
    board, marks = puzzle.geometry, puzzle.pencilmarks
    fields = {
        "board": [board.name, board.shape, board.n_values, [[rule.name, rule.units.tolist()] for rule in board.rules]],
        "givens": puzzle.givens.tolist(),
        "pencilmarks": None if marks is None else marks.astype(int).tolist(),
        **({"constraints": [one.text(board) for one in puzzle.constraints]} if puzzle.constraints else {}),
        "expected": None if expected is None else [expected.count, expected.solutions],
        "methods": case.methods,
        **({} if case.enough is None else {"enough": case.enough}),
        "limits": asdict(limits),
        "shrink": shrink,
    }
    return sha256(json.dumps(fields).encode()).hexdigest()


def known_of(file: Path, number: int, puzzle: Puzzle, any_rules: bool) -> list[KnownCount]:
    """Return the known counts of a puzzle of a file, under the rules that it has here or under any."""
    entries = [known for known in expected(file) if known.index == number]
    return entries if any_rules else [known for known in entries if _board(known.puzzle) == _board(puzzle)]


def _board(puzzle: Puzzle) -> tuple[object, ...]:
    return puzzle.geometry.name, puzzle.geometry.rule_names, puzzle.constraints
