"""The command convert: puzzles in another text format."""

from collections import Counter
from collections.abc import Iterable, Iterator
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
    from sudoku_encode.puzzles.puzzle import Puzzle


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
        as_it_is = not canonical and writes_batches(to)
        if isinstance(batch, PuzzleBatch) and as_it_is and not refusal(next(batch.puzzles()), to):
            yield batch
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


def _singles(puzzles: "Iterable[Puzzle | PuzzleBatch]") -> "Iterator[Puzzle]":
    """Yield puzzles one by one."""
    from sudoku_encode.puzzles.puzzle import Puzzle

    for item in puzzles:
        yield from (item,) if isinstance(item, Puzzle) else item.puzzles()


def _each_once(puzzles: "Iterable[Puzzle | PuzzleBatch]") -> "Iterator[Puzzle]":
    """Yield the first of all equal puzzles, and remark how many were left out."""
    from sudoku_encode.puzzles.puzzle import Puzzle

    seen, n_equal = set[Puzzle](), 0
    for puzzle in _singles(puzzles):
        n_equal += puzzle in seen
        if puzzle not in seen:
            seen.add(puzzle)
            yield puzzle
    if n_equal:
        remark(f"{n_equal:,} {plural('puzzle', n_equal)} left out, each equal to one before")
