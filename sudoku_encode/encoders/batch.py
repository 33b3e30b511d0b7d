"""Many models side by side, each a file in a folder, on all cores."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path

from sudoku_encode.encoders.reduction import Reduction, batch_size, reduce_all
from sudoku_encode.encoders.saving import ModelOptions, SavedModel, level_of_model, save_model
from sudoku_encode.encoders.table import MODEL_FORMATS
from sudoku_encode.errors import MethodError, Stopped
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.each import each


@dataclass(frozen=True, eq=False)
class ModelJob:
    """A model to be written.

    Attributes:
        number: of its puzzle.
        puzzle: as it was read.
        path: where to.
        form: a key of MODEL_FORMATS.
        options: what else is chosen.
    """

    number: int
    puzzle: Puzzle
    path: Path
    form: str
    options: ModelOptions


# What was written, or why it was not.
Saved = SavedModel | MethodError | Stopped


def save_each(jobs: Iterable[ModelJob], processes: int) -> Iterator[tuple[ModelJob, Saved, float]]:
    """Write each model, some at a time; yield it with what was written, or why not, and the seconds that took.

    Raises:
        SudokuError: a file cannot be written.
    """

    def save(some: list[ModelJob]) -> Iterator[SavedModel | MethodError | Stopped]:
        for job, left in _reduced(some):
            try:
                yield save_model(job.puzzle, job.path, job.form, job.options, left)
            except MethodError as error:
                # One board that does not fit stops no other puzzle.
                yield error

    answers: Iterator[tuple[ModelJob, Saved, float]] = each(save, jobs, processes=processes)
    return answers


def _reduced(jobs: Iterable[ModelJob]) -> Iterator[tuple[ModelJob, Reduction | None]]:
    """Yield each model with what is left of its puzzle, which is found for many at once; None where all is left."""
    for (board, level), alike in groupby(jobs, lambda job: (job.puzzle.geometry, _level(job))):
        while some := list(islice(alike, batch_size(board))):
            left = [None] * len(some) if level == "none" else reduce_all([job.puzzle for job in some], level)
            yield from zip(some, left, strict=True)


def _level(job: ModelJob) -> str:
    return level_of_model(MODEL_FORMATS[job.form], job.options)


def numbered_name(number: int, total: int) -> str:
    """Return the name of a file, without its suffix, such that names sort as their numbers.

    >>> numbered_name(7, 1465)
    '0007'
    """
    return f"{number:0{len(str(total))}}"
