"""What `verify` is asked to check, and what is known of it."""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from sudoku_encode.errors import MethodError
from sudoku_encode.formats.known_counts import Known, expected, home_of, load
from sudoku_encode.methods.calls import find
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Limits

ALL = "all"


@dataclass(frozen=True, eq=False)
class Case:
    """A puzzle to cross-check.

    Attributes:
        name: for people.
        puzzle: the puzzle.
        methods: the names of the methods to run.
        known: what is known of it, if anything is.
    """

    name: str
    puzzle: Puzzle
    methods: tuple[str, ...]
    known: Known | None = None


def chosen(text: str) -> tuple[str, ...]:
    """Return the methods that a list with commas names, each once; all for `all`.

    Raises:
        MethodError: there is no such method, or none is named.
    """
    names = dict.fromkeys(name.strip() for name in text.split(",") if name.strip())
    if not names:
        raise MethodError(f"no method given; choose from {', '.join(METHODS)}, {ALL}")
    for name in names:
        if name != ALL and not find(name).family:
            raise MethodError(f"method {name} picks another one, and says nothing of its own to compare")
    return tuple(METHODS) if ALL in names else tuple(names)


def accepting(board: Geometry, names: Iterable[str] = METHODS) -> tuple[str, ...]:
    """Return those of some methods that can do a board: they list or count, and what they need is installed."""
    compared = (METHODS[name] for name in names if METHODS[name].is_evidence)
    return tuple(method.name for method in compared if method.installed and not method.refuses(board))


def of_known(known: Known, names: Iterable[str] = METHODS) -> Case:
    """Return a known puzzle as a case, with those of some methods that can do its board."""
    return Case(known.name, known.puzzle, accepting(known.puzzle.geometry, names), known)


def of_puzzle(name: str, puzzle: Puzzle, names: Iterable[str] = METHODS) -> Case:
    """Return a puzzle as a case, with those of some methods that can do its board."""
    return Case(name, puzzle, accepting(puzzle.geometry, names))


def of_puzzles(
    puzzles: Iterable[tuple[int, Puzzle]],
    name: Callable[[int, Puzzle], str],
    file: Path | None,
    names: Iterable[str] = METHODS,
    any_rules: bool = True,
) -> Iterator[Case]:
    """Yield puzzles as cases, with what is known of them.

    Args:
        puzzles: with their numbers, from 1.
        name: of a puzzle of which nothing is known.
        file: where they are from; a `known.toml` in or above its folder says what is known.
        names: of methods; those that can do a board are taken.
        any_rules: whether what is known under other rules is a case too.
    """
    wanted = tuple(names)
    for number, puzzle in puzzles:
        entries = known_of(file, number, puzzle, any_rules) if file else []
        yield from (of_known(known, wanted) for known in entries)
        if not entries:
            yield of_puzzle(name(number, puzzle), puzzle, wanted)


def question(case: Case, limits: Limits, shrink: bool) -> str:
    """Return a digest of all that is asked: the board and its rules, the puzzle, what is expected, methods and limits.

    Two results with the same digest answer the same question, whatever the puzzle's file is called.
    """
    puzzle, known = case.puzzle, case.known
    board, marks = puzzle.geometry, puzzle.pencilmarks
    asked = {
        "board": [board.name, board.shape, board.n_values, [[rule.name, rule.units.tolist()] for rule in board.rules]],
        "givens": puzzle.givens.tolist(),
        "pencilmarks": None if marks is None else marks.astype(int).tolist(),
        "expected": None if known is None else [known.count, known.solutions],
        "methods": case.methods,
        "limits": asdict(limits),
        "shrink": shrink,
    }
    return sha256(json.dumps(asked).encode()).hexdigest()


def known_of(file: Path, number: int, puzzle: Puzzle, any_rules: bool) -> list[Known]:
    """Return what is known of a puzzle of a file, under the rules that it has here or under any."""
    entries = [known for known in expected(file) if known.index == number]
    return entries if any_rules else [known for known in entries if _board(known.puzzle) == _board(puzzle)]


def _board(puzzle: Puzzle) -> tuple[str, tuple[str, ...]]:
    return puzzle.geometry.name, puzzle.geometry.rule_names


def of_folder(folder: Path, names: Iterable[str] = METHODS) -> tuple[Iterator[Case], list[str]] | None:
    """Return the known puzzles of a folder, and its files of which nothing is known; None without `known.toml`."""
    home = home_of(folder / "any")
    if home is None:
        return None
    below = folder.resolve()
    entries = [known for known in load(home) if (home / known.file).resolve().is_relative_to(below)]
    files = {(home / known.file).resolve() for known in entries}
    others = sorted(file for file in below.rglob("*") if file.is_file() and file not in files and file.parent != home)
    return (of_known(known, names) for known in entries), [str(file.relative_to(below)) for file in others]
