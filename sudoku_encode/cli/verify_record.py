"""The result of `verify` for a puzzle: as a JSON object, the record; and a record, also of an earlier run, as text."""

import json
import shlex
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import printable
from sudoku_encode.run.counting import Count

if TYPE_CHECKING:
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.verifying import Case, Fault, Report, Shrunk

Record = dict[str, Any]
STATUSES = ("confirmed", "unconfirmed", "disagree")


def record(case: "Case", question: str, report: "Report", smallest: "list[Shrunk]") -> Record:
    """Return the record of a case; `question` is the digest of what was asked."""
    return {
        "puzzle": case.name,
        "question": question,
        "status": report.status,
        "count": report.value,
        "complete": report.complete,
        "independent": list(report.families),
        "expected": report.expected,
        "mismatch": report.mismatch or None,
        "runs": [
            {
                "method": run.method,
                "family": run.family,
                "count": run.found.value,
                "complete": run.found.complete,
                "listed": run.listed,
                "stopped": run.found.stopped or None,
                "failure": run.failure or None,
                "seconds": round(run.seconds, 4),
                "memory": run.memory,
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


def _fault(fault: "Fault") -> Record:
    return {
        "method": fault.method,
        "kind": fault.kind,
        "text": fault.text,
        "grid": None if fault.grid is None else fault.grid.tolist(),
        "witness": fault.witness or None,
    }


def _command(shrunk: "Shrunk") -> str | None:
    """Return the command that shows a fault again; there is none where pencilmarks are needed."""
    puzzle = shrunk.report.puzzle
    if puzzle.pencilmarks is not None:
        return None
    board = puzzle.geometry
    words = ["sudoku-encode", "verify", "--board", board.name, "--rules", ",".join(board.rule_names)]
    words += ["--methods", ",".join(shrunk.methods)]
    # Without a puzzle it is the empty board.
    words += [_line(puzzle, puzzle.givens)] if puzzle.givens.any() else []
    return shlex.join(words)


def parse(text: bytes, case: "Case", question: str) -> Record:
    """Return the record of a case in a line of an earlier run's file.

    Raises:
        ValueError: it is none, or answers another question.
    """
    try:
        found: Record = json.loads(text)
        its_question, known = found["question"], found["status"] in STATUSES
        # This raises an error where a field is missing or of a wrong type.
        sentences(case, found, many=False)
    except Exception as error:
        raise ValueError("this is no result of verify") from error
    if not known:
        raise ValueError("this is no result of verify")
    if its_question != question:
        raise ValueError("this is the result of another question: another puzzle, board, limit, or other methods")
    return found


def sentences(case: "Case", record: Record, many: bool) -> str:
    """Return a record as lines for people; of many puzzles, those that are confirmed take one line."""
    lines = []
    if not many or record["status"] != "confirmed":
        lines += [f"\n{case.name}"] if many else []
        lines += _runs(record)
    for fault in record["faults"]:
        lines.append(f"{fault['method']} {fault['kind']}: {fault['text']}")
        if fault["grid"] is not None:
            lines.append(f"    {_line(case.puzzle, fault['grid'])}")
    for fault in record["smallest"]:
        found = f"{fault['method']} {fault['kind']}: {fault['text']}"
        lines.append(f"smallest found in {fault['tries']} tries: {found}")
        lines.append(f"    {fault['command'] or '(its pencilmarks are needed)'}")
    lines.append(f"{f'{case.name}: ' if many else ''}{_verdict(case, record, many)}")
    # A record of a file, and an error of a library, may have characters that cannot be printed.
    return "\n".join(printable(line) for line in "\n".join(lines).split("\n"))


def _runs(record: Record) -> Iterator[str]:
    yield f"{'method':<21} {'family':<13} {'solutions':>18} {'seconds':>8} {'MB':>6}  says"
    for run in record["runs"]:
        used = f"{run['seconds']:8.2f} {run['memory'] / 1e6:6.0f}"
        yield f"{run['method']:<21} {run['family']:<13} {_total(run):>18} {used}  {_claim(run)}".rstrip()


def _claim(run: Record) -> str:
    if not run["complete"]:
        return run["stopped"] or ""
    return "that is all" if run["listed"] else "that is all, counted"


def _total(counted: Record) -> str:
    return str(Count(counted["count"], counted["complete"]))


def _verdict(case: "Case", record: Record, many: bool) -> str:
    from sudoku_encode.verifying import WRONG

    total, families = _total(record), record["independent"]
    if record["status"] == "disagree":
        wrong = ", ".join(dict.fromkeys(fault["method"] for fault in record["faults"] if fault["kind"] in WRONG))
        sentence = f"disagree: {wrong} wrong" if wrong else "disagree"
        sentence += f"; {record['mismatch']}" if record["mismatch"] else ""
        return f"{sentence}; {total} by {_joined(families)}" if families else sentence
    if record["status"] == "confirmed":
        agreed = sum(run["complete"] for run in record["runs"])
        shared = f"{len(families)} families that share no code ({', '.join(families)})"
        return f"confirmed: {total}, by {agreed} methods of {shared}{_expected(case, many)}{_failed(record)}"
    by = f" by {_joined(families)} alone" if families else ""
    return f"unconfirmed: {total}{by}"


def _failed(record: Record) -> str:
    """Return the methods that gave no answer where others agree, since many people read the verdict only."""
    failed = [f"{run['method']} ({run['failure']})" for run in record["runs"] if run["failure"]]
    return f"; without {_joined(failed)}" if failed else ""


def _expected(case: "Case", many: bool) -> str:
    if case.known is None:
        return ""
    return "; as expected" if many else f"; as expected ({case.known.source})"


def _joined(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last


def _line(puzzle: "Puzzle", values: Any) -> str:
    """Return a grid, a wrong one too, on one line."""
    import numpy as np

    from sudoku_encode.formats.writing import write

    board, grid = puzzle.geometry, np.asarray(values)
    if (grid > board.n_values).any():
        return " ".join(map(str, grid.tolist()))
    return write(board, grid, "line" if board.n_values <= 35 else "csv").replace("\n", " / ")
