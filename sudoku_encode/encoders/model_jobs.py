"""Write many models, each a file in a folder, in parallel."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory

from sudoku_encode.encoders import model_comments
from sudoku_encode.encoders.model_files import ModelOptions, SavedModel, save_models
from sudoku_encode.encoders.reduction import batch_size
from sudoku_encode.encoders.table import DEFAULT_ENCODING, ENCODINGS, MODEL_FORMATS, ModelFormat
from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.each import BATCH_ITEMS, each
from sudoku_encode.run.pools import Pool
from sudoku_encode.storage.folder_files import PackedFiles, pack_files, unpack_files
from sudoku_encode.storage.outputs import make_temporary

# Limit of the candidates of puzzles whose models an executor returns together, since models may be large.
_SENT_CANDIDATES = 1 << 18


@dataclass(frozen=True, eq=False)
class ModelJob:
    """A model to be written."""

    number: int  # of its puzzle
    puzzle: Puzzle  # as it was read
    path: Path  # of the file
    form: str  # a key of MODEL_FORMATS
    options: ModelOptions  # further options


# The written model, or the reason why it was not written.
Saved = SavedModel | MethodError | StoppedError


def save_each(jobs: Sequence[ModelJob], pool: Pool) -> Iterator[tuple[ModelJob, Saved, float]]:
    """Write models in parallel; yield each job with the written model, or the reason why not, and the seconds.

    The time of work for many puzzles at once counts for the first of them.

    Raises:
        SudokuError: a file cannot be written.
    """
    for form, options in {(job.form, job.options) for job in jobs}:
        _load(MODEL_FORMATS[form], options)
    if pool.is_here:
        answers: Iterator[tuple[ModelJob, Saved, float]] = each(_saved, jobs, pool=pool)
        return answers
    return _saved_elsewhere(jobs, pool)


def _saved_elsewhere(jobs: Sequence[ModelJob], pool: Pool) -> Iterator[tuple[ModelJob, Saved, float]]:
    """Make models on an executor, and write them here."""
    answers: Iterator[tuple[ModelJob, tuple[SavedModel, PackedFiles] | MethodError | StoppedError, float]]
    largest = max((job.puzzle.geometry.n_cells * job.puzzle.geometry.n_values for job in jobs), default=1)
    chunk = max(1, min(BATCH_ITEMS, _SENT_CANDIDATES // largest))
    answers = each(_sent, jobs, pool=pool, chunk=chunk, types=(tuple, MethodError))
    for job, answer, seconds in answers:
        if not isinstance(answer, tuple):
            yield job, answer, seconds
            continue
        saved, parcel = answer
        unpack_files(parcel, job.path.parent, [job.path.name])
        yield job, replace(saved, path=str(job.path)), seconds


def _sent(jobs: list[ModelJob]) -> Iterator[tuple[SavedModel, PackedFiles] | MethodError]:
    """Make models, and yield each with its packed file."""
    with make_temporary(TemporaryDirectory) as home:
        for saved in _saved([replace(job, path=Path(home) / job.path.name) for job in jobs]):
            if isinstance(saved, MethodError):
                yield saved
                continue
            path = Path(saved.path)
            parcel = pack_files([path])
            path.unlink()
            yield saved, parcel


def _load(form: ModelFormat, options: ModelOptions) -> None:
    """Load the functions that write a model, so that forked processes need not."""
    encoder = ENCODINGS[options.encoding or DEFAULT_ENCODING]
    of_cnf = (encoder.encode, encoder.variables, model_comments.__name__) if "encoding" in form.options else ()
    for name in filter(None, (form.save, form.chunks, *of_cnf)):
        resolve_name(name)


def _saved(jobs: list[ModelJob]) -> Iterator[SavedModel | MethodError]:
    """Write models; yield them in order, but make those of one kind together."""
    alike: dict[tuple[Geometry, str, ModelOptions], list[ModelJob]] = {}
    for job in jobs:
        alike.setdefault(_kind(job), []).append(job)
    saved = {kind: _saved_alike(jobs_of_kind) for kind, jobs_of_kind in alike.items()}
    for job in jobs:
        yield next(saved[_kind(job)])


def _kind(job: ModelJob) -> tuple[Geometry, str, ModelOptions]:
    return job.puzzle.geometry, job.form, job.options


def _saved_alike(jobs: list[ModelJob]) -> Iterator[SavedModel | MethodError]:
    """Write models of puzzles on one board, in one format and with the same options."""
    size, done = batch_size(jobs[0].puzzle.geometry), 0
    while batch := jobs[done : done + size]:
        puzzles, paths = [job.puzzle for job in batch], [str(job.path) for job in batch]
        try:
            for saved in save_models(puzzles, paths, batch[0].form, batch[0].options):
                done += 1
                yield saved
        except MethodError as error:
            # A puzzle that does not fit does not stop the others.
            done += 1
            yield error


def numbered_name(number: int, total: int) -> str:
    """Return the name of a file, without its suffix, such that names sort as their numbers.

    >>> numbered_name(7, 1465)
    '0007'
    """
    return f"{number:0{len(str(total))}}"
