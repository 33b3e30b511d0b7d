"""A folder of models, one for each of many puzzles, and the manifest that lists them."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_encode.cli.printing import progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import first_fields
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import FormatError, Stopped, plural
from sudoku_encode.run.counting import INTERRUPTED

if TYPE_CHECKING:
    from sudoku_encode.encoders.batch import ModelJob, Saved
    from sudoku_encode.encoders.saving import ModelOptions
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.storage.journal import Results

MANIFEST = "manifest.jsonl"
# What a model has, as far as it is counted.
_SIZES = ("variables", "clauses", "constraints", "bytes")


class Writing(NamedTuple):
    """How the models are written.

    Attributes:
        resume: go on with the manifest of a run that was stopped; what it lists is not written again.
        at_a_time: how many models are written at a time.
        as_json: whether the lines of the manifest are printed too.
    """

    resume: bool
    at_a_time: int
    as_json: bool


def write_models(
    folder: Path,
    source: PuzzleInput,
    form: str,
    suffix: str,
    options: "ModelOptions",
    how: Writing,
) -> int:
    """Write each puzzle as a model in a folder, and the manifest; return the exit status.

    Args:
        folder: made if there is none.
        source: the puzzles.
        form: a key of MODEL_FORMATS.
        suffix: of the files.
        options: what else is chosen.
        how: how they are written.

    Raises:
        SudokuError: a model would be written over an input, the manifest is of other puzzles, or a file cannot be
            written.
    """
    from sudoku_encode.encoders.batch import ModelJob, numbered_name, save_each
    from sudoku_encode.storage import outputs
    from sudoku_encode.storage.journal import results

    outputs.folder(folder)
    read = list(source.entries())
    paths = [folder / numbered_name(one.number, len(read), suffix) for one in read]
    written = {path.name for path in folder.iterdir()} & {*(path.name for path in paths), MANIFEST}
    outputs.refuse_inputs(source.inputs, *(folder / name for name in written))
    begun, sizes, statuses = time.monotonic(), Counter[str](), Counter[str]()
    with results(str(folder / MANIFEST), how.resume) as journal:
        assert journal is not None
        statuses.update(_listed(journal, read))
        rest = list(zip(read, paths, strict=True))[statuses.total() :]
        jobs = [
            ModelJob(one.number, one.entry.found, path, form, options)
            for one, path in rest
            if not isinstance(one.entry.found, FormatError)
        ]
        try:
            with progress("encoding ...", total=lambda: len(read)) as shown:
                shown.advance(statuses.total())
                for record in _records(rest, save_each(jobs, how.at_a_time)):
                    shown.hide()
                    line = json.dumps(record)
                    journal.put(line)
                    if how.as_json:
                        print(line, flush=True)
                    statuses[record["status"]] += 1
                    sizes.update({key: record.get(key, 0) for key in _SIZES})
                    shown.advance(1)
        except (KeyboardInterrupt, Stopped) as reason:
            done = f"{statuses.total():,} of {len(read):,} puzzles are done"
            remark(f"{str(reason) or INTERRUPTED}: {done}{journal.advice()}")
            return 3
        journal.finish()
    n_models = statuses["written"]
    figures = [f"{n_models:,} {plural('model', n_models)}", *(f"{sizes[key]:,} {key}" for key in _SIZES if sizes[key])]
    remark(f"{folder}/: {', '.join(figures)}, {time.monotonic() - begun:.1f} s; {MANIFEST} lists them")
    return 2 if statuses["bad input"] or statuses["refused"] else 0


def _listed(journal: "Results", read: "list[Located]") -> list[str]:
    """Return the statuses in the manifest of a run that was stopped.

    Raises:
        SudokuError: it is no manifest of these puzzles.
    """
    statuses = []
    for number, line in enumerate(journal.lines):
        try:
            record = json.loads(line)
            place, status = [record[key] for key in ("file", "line", "puzzle")], str(record["status"])
        except (ValueError, LookupError, TypeError, RecursionError):
            raise journal.fault(number + 1, "this is no line of a manifest") from None
        if number >= len(read) or place != [read[number].source, read[number].entry.line, read[number].number]:
            raise journal.fault(number + 1, "this run has another puzzle here; are the puzzles the same?")
        statuses.append(status)
    return statuses


def _records(
    rest: "list[tuple[Located, Path]]", saved: "Iterator[tuple[ModelJob, Saved, float]]"
) -> Iterator[dict[str, Any]]:
    """Yield a line of the manifest for each puzzle, also for what is none."""
    from sudoku_encode.encoders.saving import SavedModel

    for one, path in rest:
        if isinstance(one.entry.found, FormatError):
            yield first_fields(one, "bad input") | {"reason": one.entry.found.message}
            continue
        ((job, found, seconds),) = islice(saved, 1)
        if isinstance(found, Stopped):
            # Ctrl-C ends all; nothing else stops what has no limits.
            raise found
        if not isinstance(found, SavedModel):
            yield first_fields(one, "refused", job.form, seconds) | {"reason": str(found)}
            continue
        fields = {"path": path.name, "model": found.description, **found.figures}
        yield first_fields(one, "written", job.form, seconds) | fields | {"reason": found.contradiction or None}
