"""A folder with a model for each of many puzzles, and a manifest that lists them."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_encode.encoders.table import ALL
from sudoku_encode.errors import INTERRUPTED, FormatError, StoppedError, SudokuError, plural
from sudoku_encode.report.printing import progress
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import remark

if TYPE_CHECKING:
    from sudoku_encode.encoders.model_files import ModelOptions
    from sudoku_encode.encoders.model_jobs import ModelJob, Saved
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.report.resuming import RunFile
    from sudoku_encode.run.pools import Pool
    from sudoku_encode.storage.journal import Results

MANIFEST = "manifest.jsonl"
# The sizes that are summed over the models.
_SIZES = ("variables", "clauses", "constraints", "bytes")


class Writing(NamedTuple):
    """How the models are written.

    Attributes:
        resume: continue the manifest of a stopped run; the models listed there are not written again.
        pool: where models are made, and how many at a time.
        as_json: whether to print the lines of the manifest too.
    """

    resume: bool
    pool: "Pool"
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
        folder: created if it does not exist.
        source: the puzzles.
        form: a key of MODEL_FORMATS.
        suffix: of the files.
        options: of the models.
        how: how they are written.

    Raises:
        SudokuError: a model would overwrite an input, the manifest belongs to other puzzles, or a file cannot be
            written.
    """
    from sudoku_encode.encoders.model_jobs import save_each
    from sudoku_encode.report.resuming import RunFile, options_read
    from sudoku_encode.storage import files, outputs
    from sudoku_encode.storage.journal import Journal, open_results

    planned = list(_manifest_lines(folder, list(source.entries()), form, suffix, options))
    outputs.make_folder(folder)
    names = {MANIFEST, *(item.job.path.name for item in planned if item.job)}
    outputs.refuse_inputs(source.inputs, *(path for path in folder.iterdir() if path.name in names))
    if others := sum(path.name.endswith(suffix) and path.name not in names for path in folder.iterdir()):
        remark(f"{folder}/ contains {others:,} other {plural('model', others)}, not of this run")
    begun, sizes, statuses = time.monotonic(), Counter[str](), Counter[str]()
    reason: str | None = "there are no puzzles"
    compression = Path(f"model{suffix}").suffix
    to = f"{form}{compression if compression in files.SUFFIXES else ''}"
    settings = {"command": "encode", "--to": to, **_model_settings(options), **options_read(source.given)}
    with open_results(str(folder / MANIFEST), how.resume) as journal, ExitStack() as at_end:
        assert isinstance(journal, Journal)
        run = at_end.enter_context(closing(RunFile(journal, settings)))
        statuses.update(_resumed_statuses(journal, planned, run))
        rest = planned[statuses.total() :]
        try:
            with progress("encoding ...", total=lambda: len(planned)) as shown:
                shown.advance(statuses.total())
                for record in _records(rest, save_each([item.job for item in rest if item.job], how.pool)):
                    line, number = json.dumps(record), statuses.total()
                    run.note(number + 1, planned[number].located.item)
                    journal.put(line)
                    if how.as_json:
                        shown.hide()
                        print(line, flush=True)
                    statuses[record["status"]] += 1
                    reason = record["reason"]
                    sizes.update({key: record.get(key, 0) for key in _SIZES})
                    shown.advance(1)
        except (KeyboardInterrupt, StoppedError) as error:
            done = f"{statuses.total():,} of {len(planned):,} models are done"
            remark(f"{str(error) or INTERRUPTED}: {done}{journal.advice()}")
            return 3
        n_models = statuses["written"]
        if not n_models:
            journal.discard()
            run.remove()
            raise SudokuError(f"no model was written: {reason}")
        journal.finish()
        run.remove()
    figures = [f"{n_models:,} {plural('model', n_models)}", *(f"{sizes[key]:,} {key}" for key in _SIZES if sizes[key])]
    remark(f"{folder}/: {', '.join(figures)}, {time.monotonic() - begun:.1f} s; {MANIFEST} lists them")
    # With `all` it is not an error that one encoding does not support an option of the others.
    return 2 if statuses["bad input"] or (statuses["refused"] and ALL not in (options.encoding, options.amo)) else 0


class _ManifestLine(NamedTuple):
    """A line of the manifest: a puzzle with the model to write, or an invalid puzzle."""

    located: "SourceItem"
    job: "ModelJob | None"


def _manifest_lines(
    folder: Path, read: "list[SourceItem]", form: str, suffix: str, options: "ModelOptions"
) -> Iterator[_ManifestLine]:
    """Yield the lines of the manifest: a model for each puzzle, or with `all` one for each variant."""
    from sudoku_encode.encoders.encoding import unsupported_encodings, variants
    from sudoku_encode.encoders.model_jobs import ModelJob, numbered_name

    many, spread, boards = len(read) > 1, ALL in (options.encoding, options.amo), set()
    for item in read:
        puzzle = item.entry.content
        if isinstance(puzzle, FormatError):
            yield _ManifestLine(item, None)
            continue
        if options.encoding == ALL and puzzle.geometry not in boards:
            boards.add(puzzle.geometry)
            for name, reason in unsupported_encodings(puzzle.geometry).items():
                remark(f"no {name}: {reason}")
        for variant in variants(options.encoding, options.amo, puzzle.geometry):
            number = numbered_name(item.number, len(read)) if many or not spread else ""
            name = "-".join(part for part in (number, variant.name if spread else "") if part)
            chosen = replace(options, encoding=variant.encoding, amo=variant.amo, about=item.entry.about)
            yield _ManifestLine(item, ModelJob(item.number, puzzle, folder / f"{name}{suffix}", form, chosen))


def _model_settings(options: "ModelOptions") -> dict[str, Any]:
    """Return, by name, the options that change a model."""
    chosen = asdict(options)
    del chosen["about"]
    chosen["reduce"] = chosen.pop("reduction")
    return {f"--{name}": value for name, value in chosen.items()}


def _resumed_statuses(journal: "Results", planned: list[_ManifestLine], run: "RunFile") -> list[str]:
    """Return the statuses in the manifest of a stopped run, after a check that it belongs to these puzzles."""
    statuses = []
    for number, line in enumerate(journal.lines):
        if number < len(planned):
            run.check(number + 1, planned[number].located, 1)
        try:
            record = json.loads(line)
            fields = [record[key] for key in ("file", "line", "puzzle", "status")]
            fields += [record.get("path"), record.get("options")]
        except (ValueError, LookupError, TypeError, RecursionError, AttributeError):
            raise journal.fault(number + 1, "not a line of a manifest") from None
        item, job = planned[number] if number < len(planned) else (None, None)
        expected = [job.path.name, job.options.given] if job and fields[3] == "written" else [None, None]
        if item is None or fields != [item.source, item.entry.line, item.number, fields[3], *expected]:
            raise journal.fault(
                number + 1, "this run writes a different model here; are the puzzles and options the same?"
            )
        if job and fields[3] == "written" and not _has_content(job.path):
            raise journal.fault(number + 1, f"{job.path.name} is missing or empty; remove this file to start again")
        statuses.append(str(fields[3]))
    return statuses


def _has_content(path: Path) -> bool:
    """Return whether a file exists and is not empty."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _records(rest: list[_ManifestLine], saved: "Iterator[tuple[ModelJob, Saved, float]]") -> Iterator[dict[str, Any]]:
    """Yield the lines of the manifest, including those for invalid puzzles."""
    from sudoku_encode.encoders.model_files import SavedModel

    for item, planned_job in rest:
        if isinstance(item.entry.content, FormatError) or planned_job is None:
            yield item.place.record("bad input") | {"reason": getattr(item.entry.content, "message", None)}
            continue
        ((job, model, seconds),) = islice(saved, 1)
        if isinstance(model, StoppedError):
            # Only Ctrl-C stops work without limits.
            raise model
        if not isinstance(model, SavedModel):
            remark(f"no {job.path.name}: {model}")
            yield item.place.record("refused", job.form, seconds) | {"reason": str(model)}
            continue
        fields = {
            "path": job.path.name,
            "model": model.description,
            "options": job.options.given,
            **model.figures,
        }
        yield item.place.record("written", job.form, seconds) | fields | {"reason": model.contradiction or None}
