"""The result of `verify` for a puzzle as a JSON object, the record; a run that writes a file of them can be resumed."""

import json
import shlex
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from sudoku_encode.formats.writing import write
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Limits
from sudoku_encode.run.pools import Pool
from sudoku_encode.storage.journal import Results
from sudoku_encode.verifying import verify
from sudoku_encode.verifying.cases import Case, question
from sudoku_encode.verifying.report import CONFIRMED, DISAGREE, UNCONFIRMED, Fault, Report
from sudoku_encode.verifying.shrink import Shrunk

Record = dict[str, Any]
Show = Callable[[Case, Record], object]
STATUSES = (CONFIRMED, UNCONFIRMED, DISAGREE)


def record(case: Case, question_digest: str, report: Report, smallest: list[Shrunk]) -> Record:
    """Return the record of a case; `question_digest` is the digest of its question."""
    place = case.place._replace(name=case.name)
    return place.record(report.status, None, sum(run.seconds for run in report.runs)) | {
        "question": question_digest,
        "count": report.value,
        "complete": report.complete,
        "independent": list(report.families),
        "expected": report.expected,
        "mismatch": report.mismatch or None,
        "runs": [
            {
                "method": run.method,
                "family": run.family,
                "count": run.count.value,
                "complete": run.count.complete,
                "listed": run.listed,
                "stopped": run.count.stopped or None,
                "failure": run.failure or None,
                "seconds": round(run.seconds, 4),
                "memory": run.memory,
                "work": None if run.figures is None else run.figures.fields,
            }
            for run in report.runs
        ],
        "faults": [_fault(fault) for fault in report.faults],
        "smallest": [
            {
                **_fault(shrunk.fault),
                "methods": list(shrunk.methods),
                "tries": shrunk.tries,
                "board": shrunk.report.puzzle.geometry.name,
                "rules": list(shrunk.report.puzzle.geometry.rule_names),
                "givens": shrunk.report.puzzle.givens.tolist(),
                "command": _command(shrunk),
            }
            for shrunk in smallest
        ],
    }


def _fault(fault: Fault) -> Record:
    return {
        "method": fault.method,
        "kind": fault.kind,
        "text": fault.text,
        "grid": None if fault.grid is None else fault.grid.tolist(),
        "witness": fault.witness or None,
    }


def _command(shrunk: Shrunk) -> str | None:
    """Return the command that shows a fault again; None if it needs pencilmarks or constraints."""
    puzzle = shrunk.report.puzzle
    if not puzzle.has_givens_alone:
        return None
    board = puzzle.geometry
    words = ["sudoku-encode", "verify", "--board", board.name, "--rules", ",".join(board.rule_names)]
    words += ["--methods", ",".join(shrunk.methods)]
    # Without a puzzle it is the empty board.
    words += [line(puzzle, puzzle.givens)] if puzzle.givens.any() else []
    return shlex.join(words)


def records(
    cases: Sequence[Case],
    journal: Results | None,
    limits: Limits,
    pool: Pool,
    show: Show,
    smallest: Callable[[Report], list[Shrunk]] | None = None,
) -> Iterator[tuple[Case, Record]]:
    """Yield the record of each case: first those that the journal has, then new ones, which are put there.

    A line of the journal on which `show`, which shows a record to a person, raises an error is not a record. `smallest`
    returns the smallest puzzles on which the faults of a report show.

    Raises:
        SudokuError: the journal is not of these cases.
        StoppedError: the disk is full.
    """
    questions = [question(case, limits, smallest is not None) for case in cases]
    earlier = list(_earlier_records(cases, questions, journal, show)) if journal else []
    yield from zip(cases, earlier, strict=False)
    rest = cases[len(earlier) :]
    reports = verify(rest, limits, pool) if rest else ()
    for case, question_digest, report in zip(rest, questions[len(earlier) :], reports, strict=True):
        new_record = record(case, question_digest, report, smallest(report) if smallest else [])
        if journal:
            journal.put(json.dumps(new_record))
        yield case, new_record


def _earlier_records(cases: Sequence[Case], questions: list[str], journal: Results, show: Show) -> Iterator[Record]:
    """Yield the records of an earlier run."""
    for number, text in enumerate(journal.lines, start=1):
        if number > len(cases):
            raise journal.fault(number, f"the file contains more results than the {len(cases)} puzzles of this run")
        try:
            yield parse(text, cases[number - 1], questions[number - 1], show)
        except ValueError as error:
            raise journal.fault(number, str(error)) from error


def parse(text: bytes, case: Case, question_digest: str, show: Show) -> Record:
    """Return the record of a case in a line of an earlier run's file; see `records`.

    Raises:
        ValueError: it is not a record, or answers another question.
    """
    try:
        parsed: Record = json.loads(text)
        its_question, is_valid = parsed["question"], parsed["status"] in STATUSES
        # This raises an error where a field is missing or of a wrong type.
        show(case, parsed)
    except Exception as error:
        raise ValueError("not a record of verify") from error
    if not is_valid:
        raise ValueError("not a record of verify")
    if its_question != question_digest:
        raise ValueError("this result belongs to another run: with another puzzle, board or limit, or other methods")
    return parsed


def line(puzzle: Puzzle, values: Any) -> str:
    """Return a grid, a wrong one too, on one line."""
    board, grid = puzzle.geometry, np.asarray(values)
    if (grid > board.n_values).any():
        return " ".join(map(str, grid.tolist()))
    return write(board, grid, "line" if board.n_values <= 35 else "csv").replace("\n", " / ")
