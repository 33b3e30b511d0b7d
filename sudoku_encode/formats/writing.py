"""Puzzles and solutions as text."""

from collections.abc import Iterable, Iterator
from itertools import chain

import numpy as np
from numpy.typing import ArrayLike

from sudoku_encode.errors import FormatError, GeometryError
from sudoku_encode.formats.entries import PuzzleBatch
from sudoku_encode.formats.lines import NO_CONSTRAINT
from sudoku_encode.formats.reading import read_text
from sudoku_encode.formats.table import MAX_SYMBOLS, TEXT_FORMATS, alphabet_names, text_format
from sudoku_encode.formats.text import implementation
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.grid import Grid
from sudoku_encode.puzzles.puzzle import Candidates, Puzzle

# This number of puzzles is read back to see whether they need a header. No coincidence of layouts takes more of them.
_WINDOW_PUZZLES = 101


def write(geometry: Geometry, values: ArrayLike, format: str, *, pencilmarks: Candidates | None = None) -> str:
    """Return one puzzle or solution as text, without a header and without a newline at the end.

    Args:
        geometry: the board.
        values: one value per cell, 0 for a blank.
        format: a key of TEXT_FORMATS.
        pencilmarks: bool (n_cells, n_values), the candidates of the blanks.

    Raises:
        FormatError: no such format, or it cannot hold the board or the pencilmarks; the message says which can.
    """
    puzzle = Puzzle.of(geometry, values, pencilmarks=pencilmarks)
    _check(puzzle, format)
    return implementation(format).write(puzzle)


def grid_text(grid: Grid) -> str:
    """Return a grid on one line: a symbol for each cell, or numbers if there are more values than symbols."""
    return write(grid.geometry, grid.values, "line" if grid.geometry.n_values <= MAX_SYMBOLS else "csv")


def write_all(puzzles: Iterable[Puzzle | PuzzleBatch], format: str) -> Iterator[str]:
    """Yield segments of text that together are a file with the puzzles, in their order; see `writes_batches`.

    A line `# board: NAME` (and `# rules:`, `# alphabet:`) goes before the puzzles whose text alone would not say so:
    it is left out when the text is read back as the same puzzles without it, and comes back whenever the board changes.
    Up to a hundred puzzles are taken before the first is written.

    Raises:
        FormatError: as `write`.
    """
    if text_format(format).is_document:
        functions, checked = implementation(format), _checked(_one_by_one(puzzles), format)
        if functions.write_all:
            yield from functions.write_all(checked)
        else:
            yield from (functions.write(puzzle) + "\n" for puzzle in checked)
    else:
        yield from _headed(iter(puzzles) if writes_batches(format) else _one_by_one(puzzles), format)


def _one_by_one(puzzles: Iterable[Puzzle | PuzzleBatch]) -> Iterator[Puzzle]:
    for item in puzzles:
        yield from ([item] if isinstance(item, Puzzle) else item.puzzles())


def writes_batches(format: str) -> bool:
    """Return whether `write_all` takes batches of puzzles too, which it writes much faster.

    Raises:
        FormatError: no such format.
    """
    text_format(format)
    return implementation(format).write_lines is not None


def refusal(puzzle: Puzzle, format: str) -> FormatError | None:
    """Return why a format cannot hold a puzzle; None if it can.

    Raises:
        FormatError: no such format.
    """
    text_format(format)
    try:
        _check(puzzle, format)
        if not puzzle.has_givens_alone:
            # Some functions see what they cannot write only as they come to it.
            implementation(format).write(puzzle)
    except FormatError as error:
        return error
    return None


def losses(puzzle: Puzzle, format: str) -> list[str]:
    """Return sentences about what is another puzzle, if only by its form, when a format's text of it is read back."""
    row = TEXT_FORMATS[format]
    changes = [] if row.holds_names or not puzzle.name else [f"the name is left out, since format {format} has none"]
    if puzzle.has_givens_alone and row.layouts != ("sukaku",):
        return changes
    try:
        (back,) = read_text("".join(write_all([puzzle], format)))
    except (FormatError, GeometryError, ValueError) as error:
        return [*changes, f"its text is not read back: {error}"]
    if not isinstance(back, Puzzle):
        return [*changes, f"its text is not read back: {back}"]
    return changes + _differences(puzzle, back)


def _differences(puzzle: Puzzle, back: Puzzle) -> list[str]:
    """Return how a puzzle differs from the one that its text is read back as."""
    before, after = puzzle.givens > 0, back.givens > 0
    changes = {
        "givens are written as cells with one candidate": bool((before & ~after).any()),
        "cells with one candidate are read back as givens": bool((after & ~before).any()),
    }
    if not any(changes.values()) and not np.array_equal(back.candidates, puzzle.candidates):
        changes["candidates that givens exclude are left out"] = back.constraints == puzzle.constraints
    if lost := sorted({one.kind for one in puzzle.constraints} - {one.kind for one in back.constraints}):
        changes[f"written in another form: {', '.join(lost)}"] = True
    return [text for text, is_so in changes.items() if is_so]


def _checked(puzzles: Iterable[Puzzle], format: str) -> Iterator[Puzzle]:
    for puzzle in puzzles:
        _check(puzzle, format)
        yield puzzle


def _headed(items: Iterator[Puzzle | PuzzleBatch], format: str) -> Iterator[str]:
    window, items = _split(items, _WINDOW_PUZZLES)
    needed = not _reads_back(window, format)
    last: Puzzle | None = None
    row = TEXT_FORMATS[format]
    gap = "" if row.is_one_line else "\n"
    functions = implementation(format)
    for item in chain(window, items):
        # All puzzles of a batch have the board of the first, and no constraint.
        puzzle = item if isinstance(item, Puzzle) else next(item.puzzles())
        _check(puzzle, format)
        changed = last is None or _identity(last.geometry) != _identity(puzzle.geometry)
        header = _header(puzzle.geometry, format, again=last is not None) if changed and (needed or last) else ""
        if not row.holds_constraints and (() if last is None else last.constraints) != puzzle.constraints:
            header += constraint_lines(puzzle)
        if isinstance(item, PuzzleBatch) and functions.write_lines:
            yield header + functions.write_lines(item.board, item.givens)
        else:
            yield (gap if last is not None else "") + header + functions.write(puzzle) + "\n"
        last = puzzle


def _split(items: Iterator[Puzzle | PuzzleBatch], n: int) -> tuple[list[Puzzle], Iterator[Puzzle | PuzzleBatch]]:
    """Return the first n puzzles, or all if they are fewer, and the items that follow."""
    first: list[Puzzle] = []
    while len(first) < n and (item := next(items, None)) is not None:
        if isinstance(item, Puzzle):
            first.append(item)
            continue
        end = min(n - len(first), len(item))
        first += item.part(0, end).puzzles()
        if end < len(item):
            items = chain([item.part(end, len(item))], items)
    return first, items


def _reads_back(puzzles: list[Puzzle], format: str) -> bool:
    """Check whether the text of the puzzles is read as the same puzzles without a header."""
    boards_seen = {_identity(puzzle.geometry) for puzzle in puzzles}
    if any(puzzle.constraints for puzzle in puzzles) and not TEXT_FORMATS[format].holds_constraints:
        return False
    if len(boards_seen) > 1 or (len(puzzles) == _WINDOW_PUZZLES and _needs_alphabet(puzzles[0].geometry, format)):
        return False  # a later puzzle may have letters only, and look like another alphabet
    for puzzle in puzzles:
        _check(puzzle, format)
    gap = "\n" if TEXT_FORMATS[format].is_one_line else "\n\n"
    remarks: list[str] = []
    try:
        text = gap.join(map(implementation(format).write, puzzles))
        contents = list(read_text(text, remarked=remarks.append))
    except (FormatError, GeometryError):
        return False
    # A text that is known by its beginning is not taken for another board's with other values.
    by_beginning = TEXT_FORMATS[format].begins is not None
    return (
        not remarks
        and len(contents) == len(puzzles)
        and all(_same(content, puzzle, by_beginning) for content, puzzle in zip(contents, puzzles, strict=True))
    )


def _same(content: Puzzle | FormatError, puzzle: Puzzle, only_board: bool) -> bool:
    return (
        isinstance(content, Puzzle)
        and _identity(content.geometry) == _identity(puzzle.geometry)
        and (only_board or np.array_equal(content.candidates, puzzle.candidates))
    )


def _identity(geometry: Geometry) -> tuple[str, tuple[str, ...]]:
    return geometry.name, geometry.rule_names


def _header(geometry: Geometry, format: str, again: bool) -> str:
    """Return the directives that make the text that follows this board's, whatever came before if `again`."""
    lines = [f"# board: {geometry.name}"]
    if again or boards.board(geometry.name, files=False).rule_names != geometry.rule_names:
        lines.append(f"# rules: {','.join(geometry.rule_names)}")
    if _needs_alphabet(geometry, format):
        lines.append(f"# alphabet: {alphabet_names(geometry.n_values)[0]}")
    return "\n".join([*lines, ""])


def constraint_lines(puzzle: Puzzle) -> str:
    """Return the directives with the constraints of the puzzle that follows, or that it has none."""
    texts = [constraint.text(puzzle.geometry) for constraint in puzzle.constraints] or [NO_CONSTRAINT]
    return "".join(f"# constraint: {text}\n" for text in texts)


def _needs_alphabet(geometry: Geometry, format: str) -> bool:
    """Check whether letters stand for values, so that a line `# alphabet:` is needed."""
    return not TEXT_FORMATS[format].has_numbers and geometry.n_values > 9 and geometry.first == 1


def _check(puzzle: Puzzle, format: str) -> None:
    """Raise FormatError if the format cannot hold the puzzle."""
    row, board = text_format(format), puzzle.geometry
    if puzzle.pencilmarks is not None and not row.holds_pencilmarks:
        able = [name for name in _able(board) if TEXT_FORMATS[name].holds_pencilmarks]
        raise FormatError(f"format {format} cannot hold pencilmarks; {_listed(able)} can")
    if row.is_document or row.holds_constraints:
        kinds = {constraint.kind for constraint in puzzle.constraints}
        if alien := sorted(kind for kind in kinds if not row.holds_kind(kind)):
            able = [name for name in _able(board) if all(map(TEXT_FORMATS[name].holds_kind, kinds))]
            what = "constraints" if not row.holds_constraints else f"constraints of the kind {alien[0]}"
            raise FormatError(f"format {format} cannot hold {what}; {_listed(able)} can")
    if reason := row.unsupported_reason(board):
        able = _able(board)
        raise FormatError(f"format {format} {reason}, so it cannot hold {board.name}; these can: {', '.join(able)}")
    fault = implementation(format).fault
    if fault and (reason := fault(puzzle)):
        raise FormatError(f"format {format} cannot hold this puzzle: {reason}")


def _listed(names: list[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _able(board: Geometry) -> list[str]:
    return [name for name, row in TEXT_FORMATS.items() if row.unsupported_reason(board) is None]
