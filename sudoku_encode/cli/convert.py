"""The command convert: puzzles in another text format."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING, Annotated

import typer

from sudoku_encode.cli import options
from sudoku_encode.errors import FormatError, SudokuError, plural
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.report.reading import Outcome, PuzzleInput
from sudoku_encode.report.streams import complain, remark

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import PuzzleBatch, SourceItem
    from sudoku_encode.puzzles.arrays import Bools
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle


def command(
    given: options.PuzzleOptions,
    *,
    to: Annotated[
        str,
        typer.Option(
            help="The format to write, such as grid, csv or f-puzzles; all: sudoku-encode info --formats.",
            **options.one_of(TEXT_FORMATS),
        ),
    ] = "line",
    canonical: Annotated[
        bool,
        typer.Option(
            "--canonical",
            help="Write the canonical form of each puzzle, which is the same for all that only a symmetry of the board "
            "or names of values tell apart.",
        ),
    ] = False,
    unique: Annotated[
        bool, typer.Option("--unique", help="Write each puzzle once, in the place of its first.")
    ] = False,
    output: options.Output = "-",
) -> None:
    """Write puzzles in another text format.

    A puzzle that the format cannot hold is left out: standard error names it with the reason, and the exit status is 2.
    A remark lists the details that other puzzles lose, such as their names.

    Details:

    `--canonical --unique` writes one puzzle of each kind. The canonical form has the name of its puzzle. With
    constraints, two puzzles of one kind may have different forms if their constraints are written differently. `info
    --same` decides it for two puzzles.
    """
    from sudoku_encode.formats.writing import write_all
    from sudoku_encode.storage import files
    from sudoku_encode.storage.outputs import refuse_inputs

    source = PuzzleInput(given)
    refuse_inputs(source.inputs, output)
    lost = Counter[str]()
    puzzles = _writable(source, to, lost, canonical)
    if unique:
        puzzles = _each_once(puzzles)
    # Without a puzzle no file is written.
    first = next(puzzles, None)
    if first is not None:
        with files.writing(output) as write:
            for text in write_all(chain([first], puzzles), to):
                write(text.encode())
    for text, number in lost.items():
        remark(f"{text} ({number:,} {plural('puzzle', number)})" if source.many else text)
    raise typer.Exit(Outcome().status(source))


def _writable(source: PuzzleInput, to: str, lost: Counter[str], canonical: bool) -> "Iterator[Puzzle | PuzzleBatch]":
    """Yield the puzzles, or their canonical forms, that a format can hold; others are reported with their places."""
    from sudoku_encode.formats.entries import PuzzleBatch
    from sudoku_encode.formats.writing import refusal, writes_batches

    for located in source.located():
        batch = located.item
        # Its puzzles have givens only, on one board: the format holds all or none.
        if isinstance(batch, PuzzleBatch) and writes_batches(to) and not refusal(next(batch.puzzles()), to):
            yield _canonical_batch(batch) if canonical else batch
        else:
            yield from _writable_singles(source, located, to, lost, canonical)


def _writable_singles(
    source: PuzzleInput, located: "SourceItem", to: str, lost: Counter[str], canonical: bool
) -> "Iterator[Puzzle]":
    """Yield the puzzles of an item as `_writable` does, one by one."""
    from sudoku_encode.formats.writing import losses, refusal

    for item in located.singles():
        puzzle = item.entry.content
        if isinstance(puzzle, FormatError):
            continue
        try:
            if reason := refusal(puzzle, to):
                raise reason
            form = _canonical(puzzle) if canonical else puzzle
        except SudokuError as error:
            if not source.many:
                raise
            source.bad = True
            complain(f"{item.place.text}: puzzle {item.number}: {error}")
            continue
        lost.update(losses(puzzle, to))
        yield form


def _canonical(puzzle: "Puzzle") -> "Puzzle":
    from sudoku_encode.api.symmetries import canonical

    return canonical(puzzle)


def _canonical_batch(batch: "PuzzleBatch") -> "PuzzleBatch":
    from sudoku_encode.api.symmetries import canonical_batch

    return canonical_batch(batch)


def _each_once(puzzles: "Iterable[Puzzle | PuzzleBatch]") -> "Iterator[Puzzle | PuzzleBatch]":
    """Yield the first of all equal puzzles, and remark how many were left out."""
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Puzzle

    # Puzzles with givens alone are stored as their bytes.
    seen, givens, n_equal = set[Puzzle](), defaultdict[Geometry, set[bytes]](set), 0
    for item in puzzles:
        if not isinstance(item, Puzzle):
            is_first = _first_of_all(item.givens, givens[item.board])
            n_equal += len(item) - int(is_first.sum())
            if is_first.any():
                yield replace(item, givens=item.givens[is_first], lines=item.lines[is_first], answers=None, rows=None)
            continue
        if item.has_givens_alone:
            is_new = bool(_first_of_all(item.givens[None], givens[item.geometry]).all())
        else:
            is_new = item not in seen
            seen.add(item)
        n_equal += not is_new
        if is_new:
            yield item
    if n_equal:
        remark(f"{n_equal:,} {plural('puzzle', n_equal)} left out, each equal to one before")


def _first_of_all(rows: "Grids", seen: set[bytes]) -> "Bools":
    """Return for each row whether it is not in a set, into which it goes."""
    import numpy as np

    is_first = np.empty(len(rows), bool)
    for number, row in enumerate(rows):
        before = len(seen)
        seen.add(row.tobytes())
        is_first[number] = len(seen) > before
    return is_first
