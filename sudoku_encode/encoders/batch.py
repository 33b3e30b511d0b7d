"""Many models side by side, each a file in a folder, on all cores."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from pkgutil import resolve_name
from tempfile import TemporaryDirectory

from sudoku_encode.encoders import cnf_comments
from sudoku_encode.encoders.reduction import batch_size
from sudoku_encode.encoders.saving import ModelOptions, SavedModel, save_models
from sudoku_encode.encoders.table import DEFAULT_ENCODING, ENCODINGS, MODEL_FORMATS, ModelFormat
from sudoku_encode.errors import MethodError, StoppedError
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.each import CHUNK_ITEMS, each
from sudoku_encode.run.pools import Pool
from sudoku_encode.storage.outputs import temporary
from sudoku_encode.storage.parcels import Parcel, packed, unpack

# Models come back from an executor together until their puzzles have this many candidates: they may be large.
_SENT_CANDIDATES = 1 << 18


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
Saved = SavedModel | MethodError | StoppedError


def save_each(jobs: Sequence[ModelJob], pool: Pool) -> Iterator[tuple[ModelJob, Saved, float]]:
    """Write each model, some at a time; yield it with what was written, or why not, and the seconds that took.

    What is made for many puzzles at once counts for the first of them.

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
    """Do what `save_each` does where an executor makes the models: they come here and are written here."""
    made: Iterator[tuple[ModelJob, tuple[SavedModel, Parcel] | MethodError | StoppedError, float]]
    largest = max((job.puzzle.geometry.n_cells * job.puzzle.geometry.n_values for job in jobs), default=1)
    chunk = max(1, min(CHUNK_ITEMS, _SENT_CANDIDATES // largest))
    made = each(_sent, jobs, pool=pool, chunk=chunk, types=(tuple, MethodError))
    for job, found, seconds in made:
        if not isinstance(found, tuple):
            yield job, found, seconds
            continue
        saved, parcel = found
        unpack(parcel, job.path.parent, [job.path.name])
        yield job, replace(saved, path=str(job.path)), seconds


def _sent(jobs: list[ModelJob]) -> Iterator[tuple[SavedModel, Parcel] | MethodError]:
    """Make models, and yield each with its file, which is sent to where it belongs."""
    with temporary(TemporaryDirectory) as home:
        for saved in _saved([replace(job, path=Path(home) / job.path.name) for job in jobs]):
            if isinstance(saved, MethodError):
                yield saved
                continue
            path = Path(saved.path)
            parcel = packed([path])
            path.unlink()
            yield saved, parcel


def _load(form: ModelFormat, options: ModelOptions) -> None:
    """Load what writes a model, so that processes made from this one need not."""
    encoder = ENCODINGS[options.encoding or DEFAULT_ENCODING]
    of_cnf = (encoder.encode, encoder.variables, cnf_comments.__name__) if "encoding" in form.options else ()
    for name in filter(None, (form.save, form.chunks, *of_cnf)):
        resolve_name(name)


def _saved(jobs: list[ModelJob]) -> Iterator[SavedModel | MethodError]:
    """Write models in their order, those of one kind together, whatever comes between them."""
    alike: dict[tuple[Geometry, str, ModelOptions], list[ModelJob]] = {}
    for job in jobs:
        alike.setdefault(_kind(job), []).append(job)
    saved = {kind: _saved_alike(some) for kind, some in alike.items()}
    for job in jobs:
        yield next(saved[_kind(job)])


def _kind(job: ModelJob) -> tuple[Geometry, str, ModelOptions]:
    return job.puzzle.geometry, job.form, job.options


def _saved_alike(jobs: list[ModelJob]) -> Iterator[SavedModel | MethodError]:
    """Write models of puzzles on one board, in one form and with the same options."""
    size, done = batch_size(jobs[0].puzzle.geometry), 0
    while some := jobs[done : done + size]:
        puzzles, paths = [job.puzzle for job in some], [str(job.path) for job in some]
        try:
            for saved in save_models(puzzles, paths, some[0].form, some[0].options):
                done += 1
                yield saved
        except MethodError as error:
            # One board that does not fit stops no other puzzle.
            done += 1
            yield error


def numbered_name(number: int, total: int) -> str:
    """Return the name of a file, without its suffix, such that names sort as their numbers.

    >>> numbered_name(7, 1465)
    '0007'
    """
    return f"{number:0{len(str(total))}}"
