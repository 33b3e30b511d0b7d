"""A folder of models, one for each of many puzzles, and the manifest that lists them."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from dataclasses import asdict, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from sudoku_encode.cli.printing import progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import remark
from sudoku_encode.encoders.table import ALL
from sudoku_encode.errors import FormatError, StoppedError, SudokuError, plural
from sudoku_encode.run.counting import INTERRUPTED

if TYPE_CHECKING:
    from sudoku_encode.cli.resuming import RunFile
    from sudoku_encode.encoders.batch import ModelJob, Saved
    from sudoku_encode.encoders.saving import ModelOptions
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.run.pools import Pool
    from sudoku_encode.storage.journal import Results

MANIFEST = "manifest.jsonl"
# What a model has, as far as it is counted.
_SIZES = ("variables", "clauses", "constraints", "bytes")


class Writing(NamedTuple):
    """How the models are written.

    Attributes:
        resume: go on with the manifest of a run that was stopped; what it lists is not written again.
        pool: where they are made, and how many at a time.
        as_json: whether the lines of the manifest are printed too.
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
    from sudoku_encode.cli.resuming import RunFile, options_read
    from sudoku_encode.encoders.batch import save_each
    from sudoku_encode.storage import files, outputs
    from sudoku_encode.storage.journal import Journal, results

    planned = list(_planned(folder, list(source.entries()), form, suffix, options))
    outputs.folder(folder)
    names = {MANIFEST, *(one.job.path.name for one in planned if one.job)}
    outputs.refuse_inputs(source.inputs, *(path for path in folder.iterdir() if path.name in names))
    if others := sum(path.name.endswith(suffix) and path.name not in names for path in folder.iterdir()):
        remark(f"{folder}/ has {others:,} other {plural('model', others)}, not of this run")
    begun, sizes, statuses = time.monotonic(), Counter[str](), Counter[str]()
    reason: str | None = "there is no puzzle"
    compression = Path(f"model{suffix}").suffix
    to = f"{form}{compression if compression in files.SUFFIXES else ''}"
    asked = {"command": "encode", "--to": to, **_asked(options), **options_read(source.given)}
    with results(str(folder / MANIFEST), how.resume) as journal, ExitStack() as at_end:
        assert isinstance(journal, Journal)
        run = at_end.enter_context(closing(RunFile(journal, asked)))
        statuses.update(_listed(journal, planned, run))
        rest = planned[statuses.total() :]
        try:
            with progress("encoding ...", total=lambda: len(planned)) as shown:
                shown.advance(statuses.total())
                for record in _records(rest, save_each([one.job for one in rest if one.job], how.pool)):
                    line, number = json.dumps(record), statuses.total()
                    run.note(number + 1, planned[number].located.found)
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
    # Of all encodings it is no fault of the puzzle that one takes no option that others take.
    return 2 if statuses["bad input"] or (statuses["refused"] and ALL not in (options.encoding, options.amo)) else 0


class _Planned(NamedTuple):
    """A line of the manifest: a puzzle and the model to be written of it, or what is no puzzle."""

    located: "Located"
    job: "ModelJob | None"


def _planned(
    folder: Path, read: "list[Located]", form: str, suffix: str, options: "ModelOptions"
) -> Iterator[_Planned]:
    """Yield what is to be written: of each puzzle a model, or one for each variant where all are wanted."""
    from sudoku_encode.encoders.batch import ModelJob, numbered_name
    from sudoku_encode.encoders.variants import unfit, variants

    many, spread, boards = len(read) > 1, ALL in (options.encoding, options.amo), set()
    for one in read:
        puzzle = one.entry.found
        if isinstance(puzzle, FormatError):
            yield _Planned(one, None)
            continue
        if options.encoding == ALL and puzzle.geometry not in boards:
            boards.add(puzzle.geometry)
            for name, reason in unfit(puzzle.geometry).items():
                remark(f"no {name}: {reason}")
        for variant in variants(options.encoding, options.amo, puzzle.geometry):
            number = numbered_name(one.number, len(read)) if many or not spread else ""
            name = "-".join(part for part in (number, variant.name if spread else "") if part)
            chosen = replace(options, encoding=variant.encoding, amo=variant.amo)
            yield _Planned(one, ModelJob(one.number, puzzle, folder / f"{name}{suffix}", form, chosen))


def _asked(options: "ModelOptions") -> dict[str, Any]:
    """Return by their names the options that change a model."""
    chosen = asdict(options)
    chosen["reduce"] = chosen.pop("reduction")
    return {f"--{name}": value for name, value in chosen.items()}


def _listed(journal: "Results", planned: list[_Planned], run: "RunFile") -> list[str]:
    """Return the statuses in the manifest of a run that was stopped.

    Raises:
        SudokuError: it is no manifest of these puzzles.
    """
    statuses = []
    for number, line in enumerate(journal.lines):
        if number < len(planned):
            run.check(number + 1, planned[number].located, 1)
        try:
            record = json.loads(line)
            fields = [record[key] for key in ("file", "line", "puzzle", "status")]
            fields += [record.get("path"), record.get("options")]
        except (ValueError, LookupError, TypeError, RecursionError, AttributeError):
            raise journal.fault(number + 1, "this is no line of a manifest") from None
        one, job = planned[number] if number < len(planned) else (None, None)
        wanted = [job.path.name, job.options.given] if job and fields[3] == "written" else [None, None]
        if one is None or fields != [one.source, one.entry.line, one.number, fields[3], *wanted]:
            raise journal.fault(number + 1, "this run writes another model here; are the puzzles and options the same?")
        if job and fields[3] == "written" and not _has_content(job.path):
            raise journal.fault(number + 1, f"{job.path.name} is missing or empty; remove this file to start again")
        statuses.append(str(fields[3]))
    return statuses


def _has_content(path: Path) -> bool:
    """Check whether a file is there and not empty."""
    try:
        return path.stat().st_size > 0
    except OSError:
        return False


def _records(rest: list[_Planned], saved: "Iterator[tuple[ModelJob, Saved, float]]") -> Iterator[dict[str, Any]]:
    """Yield the lines of the manifest, also for what is no puzzle."""
    from sudoku_encode.encoders.saving import SavedModel

    for one, wanted in rest:
        if isinstance(one.entry.found, FormatError) or wanted is None:
            yield one.place.record("bad input") | {"reason": getattr(one.entry.found, "message", None)}
            continue
        ((job, found, seconds),) = islice(saved, 1)
        if isinstance(found, StoppedError):
            # Ctrl-C; nothing else stops what has no limits.
            raise found
        if not isinstance(found, SavedModel):
            remark(f"no {job.path.name}: {found}")
            yield one.place.record("refused", job.form, seconds) | {"reason": str(found)}
            continue
        fields = {"path": job.path.name, "model": found.description, "options": job.options.given, **found.figures}
        yield one.place.record("written", job.form, seconds) | fields | {"reason": found.contradiction or None}
