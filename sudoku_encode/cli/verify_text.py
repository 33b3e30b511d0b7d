"""The result of `verify` for a puzzle as text: of this run or, from a file, of an earlier one."""

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from sudoku_encode.errors import printable
from sudoku_encode.run.counting import Count

if TYPE_CHECKING:
    from sudoku_encode.verifying import Case
    from sudoku_encode.verifying.record import Record


def sentences(case: "Case", record: "Record", many: bool = False) -> str:
    """Return a record as lines for people; of many puzzles, those that are confirmed take one line."""
    from sudoku_encode.verifying.record import line

    lines = []
    if not many or record["status"] != "confirmed":
        lines += [f"\n{case.name}"] if many else []
        lines += _runs(record)
    for fault in record["faults"]:
        lines.append(f"{fault['method']} {fault['kind']}: {fault['text']}")
        if fault["grid"] is not None:
            lines.append(f"    {line(case.puzzle, fault['grid'])}")
    for fault in record["smallest"]:
        found = f"{fault['method']} {fault['kind']}: {fault['text']}"
        lines.append(f"smallest found in {fault['tries']} tries: {found}")
        lines.append(f"    {fault['command'] or '(its pencilmarks or constraints are needed)'}")
    lines.append(f"{f'{case.name}: ' if many else ''}{_verdict(case, record, many)}")
    # A record of a file, and an error of a library, may have characters that cannot be printed.
    return "\n".join(printable(text) for text in "\n".join(lines).split("\n"))


def _runs(record: "Record") -> Iterator[str]:
    yield f"{'method':<21} {'family':<13} {'solutions':>18} {'seconds':>8} {'MB':>6}  says"
    for run in record["runs"]:
        used = f"{run['seconds']:8.2f} {run['memory'] / 1e6:6.0f}"
        yield f"{run['method']:<21} {run['family']:<13} {_total(run):>18} {used}  {_claim(run)}".rstrip()


def _claim(run: "Record") -> str:
    if not run["complete"]:
        return run["stopped"] or ""
    return "that is all" if run["listed"] else "that is all, counted"


def _total(counted: "Record") -> str:
    return str(Count(counted["count"], counted["complete"]))


def _verdict(case: "Case", record: "Record", many: bool) -> str:
    from sudoku_encode.methods.calls import in_units
    from sudoku_encode.verifying import WRONG

    total, families = _total(record), record["independent"]
    if record["status"] == "disagree":
        wrong = ", ".join(dict.fromkeys(fault["method"] for fault in record["faults"] if fault["kind"] in WRONG))
        sentence = f"disagree: {wrong} wrong" if wrong else "disagree"
        sentence += f"; {record['mismatch']}" if record["mismatch"] else ""
        return f"{sentence}; {total} by {_joined(families)}" if families else sentence
    if record["status"] == "confirmed":
        agreed = sum(run["complete"] for run in record["runs"])
        # `definitions` shares not even this.
        but = " but what constraints are lowered to" if in_units(case.puzzle).constraints else ""
        shared = f"{len(families)} families that share no code{but} ({', '.join(families)})"
        return f"confirmed: {total}, by {agreed} methods of {shared}{_expected(case, many)}{_failed(record)}"
    by = f" by {_joined(families)} alone" if families else ""
    return f"unconfirmed: {total}{by}"


def _failed(record: "Record") -> str:
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
