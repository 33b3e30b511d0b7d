"""Write measured runs of methods on puzzles: a record for each, then a table and a cactus plot of all."""

import json
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import FormatError, MethodError, SudokuError, plural
from sudoku_encode.formats.place import FIRST_KEYS
from sudoku_encode.report.answers import puzzle_of
from sudoku_encode.report.printing import as_json, progress, row
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import STATS, remark
from sudoku_encode.run.status import INCOMPLETE, Status

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.questions.benchmark import MeasuredRun, Setup
    from sudoku_encode.run.asking import Answer, Numbered
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool
    from sudoku_encode.storage.journal import Results

# The files in a folder.
RUNS, TABLE, PLOT = "runs.jsonl", "table.md", "cactus.svg"
_COLUMNS = ("setup", "ended", "of", "median s", "PAR-2 s", "conflicts", "propagations", "variables", "clauses")
# The columns of a record as CSV between the first keys and the work of the solver.
_FIELDS = ("setup", "count", "complete", "reason")

Record = dict[str, Any]


@dataclass(frozen=True)
class Benchmark:
    """The setups, the question and the limits of a benchmark.

    Attributes:
        setups: the methods with their options.
        solve: whether to find one solution; else all are counted.
        limits: for each run.
        pool: the processes of the runs.
    """

    setups: "list[Setup]"
    solve: bool
    limits: "Limits"
    pool: "Pool"


def write_benchmark(source: PuzzleInput, benchmark: Benchmark, form: str, folder: Path | None, resume: bool) -> int:
    """Measure each setup on each puzzle, write the records, the table and the plot, and return the exit status.

    Args:
        source: the puzzles.
        benchmark: the setups and limits.
        form: of standard output: `text` for the table, or `json` or `csv` for a record of each run.
        folder: for the files, or None.
        resume: whether to continue an unfinished run in the folder.
    """
    items = list(source.entries())
    puzzles = [item for item in items if not isinstance(item.entry.content, FormatError)]
    if form == "csv":
        print(",".join([*FIRST_KEYS, *_FIELDS, *STATS]))
    for item in items:
        if isinstance(item.entry.content, FormatError):
            record = item.place.record(Status.BAD_INPUT)
            _print_record(record | {"reason": item.entry.content.message}, form)
    records: list[Record] = []
    interrupted = False
    with _runs_file(folder, resume) as journal:
        earlier = _earlier(journal, puzzles, benchmark)
        try:
            with progress("measuring ...", total=lambda: len(benchmark.setups) * len(puzzles)) as shown:
                for record, is_new in _all_runs(puzzles, benchmark, earlier):
                    if is_new and journal:
                        journal.put(json.dumps(record))
                    records.append(record)
                    shown.hide()
                    _print_record(record, form)
                    shown.advance(1)
        except KeyboardInterrupt:
            interrupted = True
            advice = journal.advice() if journal else ""
            remark(f"interrupted: {len(records):,} {plural('run', len(records))} ended{advice}")
        else:
            if journal:
                journal.finish()
    _remark_refused(records)
    if form == "text":
        print("\n".join(_aligned(summary(records, benchmark))))
    if folder and not interrupted:
        _write_files(folder, records, benchmark)
    disagreeing = list(disagreements(records))
    for text in disagreeing:
        remark(text)
    incomplete = interrupted or any(record["status"] in INCOMPLETE for record in records)
    return 2 if source.bad else 1 if disagreeing else 3 if incomplete else 0


@contextmanager
def _runs_file(folder: Path | None, resume: bool) -> "Iterator[Results | None]":
    """Open the file of the records in a folder."""
    from sudoku_encode.storage.journal import open_results

    if folder is None:
        yield None
        return
    if not resume and folder.is_dir() and any((folder / name).exists() for name in (RUNS, TABLE, PLOT)):
        raise SudokuError(f"{folder} contains measured runs; give -o another folder, or continue with --resume")
    folder.mkdir(parents=True, exist_ok=True)
    with open_results(str(folder / RUNS), resume) as journal:
        yield journal


def _key(record: Record) -> tuple[Any, ...]:
    """Return the fields that identify a run."""
    return record["setup"], record["file"], record["line"], record["puzzle"], record["question"]


def _earlier(
    journal: "Results | None", items: "Sequence[SourceItem]", benchmark: Benchmark
) -> dict[tuple[Any, ...], Record]:
    """Return the records of an earlier run by their keys; raise SudokuError if one belongs to another benchmark."""
    planned = {_key(_place(item, setup, benchmark)) for item in items for setup in benchmark.setups}
    earlier = {}
    for number, line in enumerate(journal.lines if journal else (), start=1):
        assert journal
        try:
            record = json.loads(line)
            key = _key(record)
        except (ValueError, KeyError, TypeError) as error:
            raise journal.fault(number, "not a record of bench") from error
        if key not in planned:
            raise journal.fault(number, "this run belongs to another puzzle, setup, question or limit")
        earlier[key] = record
    return earlier


def _place(item: "SourceItem", setup: "Setup", benchmark: Benchmark) -> Record:
    """Return the first keys of the record of a run, without an answer, and the keys that identify it."""
    from sudoku_encode.formats.writing import write_all

    # This text contains the whole puzzle.
    content = [*write_all([puzzle_of(item)], "json"), benchmark.solve, *asdict(benchmark.limits).values()]
    question = sha256(json.dumps(content).encode()).hexdigest()
    return item.place.record("", setup.method) | {"setup": str(setup), "question": question}


def _all_runs(
    items: "Sequence[SourceItem]", benchmark: Benchmark, earlier: dict[tuple[Any, ...], Record]
) -> Iterator[tuple[Record, bool]]:
    """Yield the record of each run, and whether it is new."""
    for setup in benchmark.setups:
        new: list[SourceItem] = []
        for item in items:
            record = earlier.get(_key(_place(item, setup, benchmark)))
            if record is None:
                new.append(item)
            else:
                yield record, False
        for record in _new_runs(new, setup, benchmark):
            yield record, True


def _new_runs(items: "Sequence[SourceItem]", setup: "Setup", benchmark: Benchmark) -> Iterator[Record]:
    """Run a setup on puzzles, and yield the record of each run in their order."""
    from sudoku_encode.questions.benchmark import MeasureQuestion
    from sudoku_encode.run.asking import ask_each

    question = MeasureQuestion(setup, benchmark.solve)
    refused: dict[int, str] = {}
    for item in items:
        try:
            question.require(puzzle_of(item))
        except MethodError as error:
            refused[item.number] = str(error)
    fitting: Iterable[Numbered] = [(item.number, puzzle_of(item)) for item in items if item.number not in refused]
    answers = ask_each(question, fitting, benchmark.limits, benchmark.pool, lambda item, event: None)
    for item in items:
        place = _place(item, setup, benchmark)
        if item.number in refused:
            yield place | _answer_fields(None) | {"status": Status.REFUSED, "reason": refused[item.number]}
            continue
        _, answer = next(answers)
        if answer.status == Status.INTERRUPTED:
            raise KeyboardInterrupt
        yield place | _answer_fields(answer)


def _answer_fields(answer: "Answer[MeasuredRun] | None") -> Record:
    """Return the fields of a record about the answer; None if the method does not fit the puzzle."""
    if answer is None:
        return {"count": None, "complete": False, "reason": None, "work": None}
    run = answer.value
    # A run whose process was ended took all of its time.
    seconds = answer.seconds if run is None else run.seconds
    return {
        "status": answer.status,
        "seconds": round(seconds, 6),
        "count": None if run is None else run.count.value,
        "complete": run is not None and run.count.complete,
        "reason": answer.stopped or None,
        "work": None if run is None or run.work is None else run.work.fields,
    }


def _print_record(record: Record, form: str) -> None:
    """Print a record as JSON or CSV."""
    if form == "json":
        print(as_json(record))
    elif form == "csv":
        first = [record.get(name) for name in (*FIRST_KEYS, *_FIELDS)]
        print(row([*first, *(record.get("work") or dict.fromkeys(STATS)).values()]))
    sys.stdout.flush()


def _remark_refused(records: Sequence[Record]) -> None:
    """Remark on the methods that do not fit some puzzles."""
    for reason, n in Counter(record["reason"] for record in records if record["status"] == Status.REFUSED).items():
        remark(f"{reason} ({n:,} {plural('run', n)} left out)")


# All runs together.


def summary(records: Sequence[Record], benchmark: Benchmark) -> list[list[str]]:
    """Return the rows of the table: the names of the columns, and then a row for each setup.

    PAR-2 is the mean of the seconds, where a run that did not end counts twice its limit; without a limit it is the
    mean. The work is the median over the runs that ended.
    """
    rows = [list(_COLUMNS)]
    for setup in map(str, benchmark.setups):
        runs = [record for record in records if record["setup"] == setup and record["status"] != Status.REFUSED]
        ended = [record for record in runs if record["complete"]]
        seconds = [record["seconds"] for record in ended]
        penalty = [2 * (benchmark.limits.seconds or record["seconds"]) for record in runs if not record["complete"]]
        cells = [setup, str(len(ended)), str(len(runs)), _median(seconds, "{:.4g}")]
        cells.append(f"{statistics.fmean([*seconds, *penalty]):.4g}" if runs else "-")
        work = [record["work"] for record in ended if record["work"]]
        for name in _COLUMNS[5:]:
            cells.append(_median([each[name] for each in work if each[name] is not None], "{:,.0f}"))
        rows.append(cells)
    return rows


def _median(values: Sequence[float], form: str) -> str:
    """Return the median of numbers as text, or `-` without any."""
    return form.format(statistics.median(values)) if values else "-"


def _aligned(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    """Yield the rows as lines of text: the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for first, *rest in rows:
        cells = [first.ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(rest, widths[1:], strict=True))]
        yield "  ".join(cells)


def disagreements(records: Sequence[Record]) -> Iterator[str]:
    """Yield a sentence for each puzzle with a complete answer that another run contradicts."""
    by_puzzle = defaultdict(list)
    for record in records:
        if record["count"] is not None:
            by_puzzle[record["puzzle"]].append(record)
    for puzzle, runs in by_puzzle.items():
        exact = {record["count"]: record["setup"] for record in runs if record["complete"]}
        most = max(runs, key=lambda record: record["count"])
        if not exact:
            continue
        least = min(exact)
        if most["count"] > least:
            yield (
                f"puzzle {puzzle}: {exact[least]} says {least}, but {most['setup']} "
                f"{'says' if most['complete'] else 'found'} {most['count']}"
            )


def _write_files(folder: Path, records: Sequence[Record], benchmark: Benchmark) -> None:
    """Write the table and the plot."""
    from sudoku_encode.render.plots import Plot, Series, svg
    from sudoku_encode.storage.files import writing

    header, *rows = summary(records, benchmark)
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    with writing(str(folder / TABLE)) as put:
        put("".join(f"| {' | '.join(line)} |\n" for line in lines).encode())
    series = []
    for colour, setup in enumerate(map(str, benchmark.setups)):
        runs = [record for record in records if record["setup"] == setup and record["complete"]]
        seconds = sorted(record["seconds"] for record in runs)
        series.append(Series(setup, tuple(range(1, len(seconds) + 1)), tuple(seconds), colour, joined=True))
    title = "Puzzles solved within a time" if benchmark.solve else "Puzzles counted within a time"
    # The limit is drawn if a run reached it.
    limit = benchmark.limits.seconds if any(record["status"] == Status.TIMEOUT for record in records) else None
    also = () if limit is None else (limit,)
    plot = Plot(title, "puzzles", "seconds for each puzzle", tuple(series), log=True, limit=limit, also=also)
    with writing(str(folder / PLOT)) as put:
        put(svg(plot).encode())
