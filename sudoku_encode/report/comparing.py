"""Read the cases for many methods, and write what the methods say together."""

import json
import os
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import FormatError, StoppedError, plural, printable
from sudoku_encode.report.printing import progress
from sudoku_encode.report.reading import PuzzleArguments, PuzzleInput
from sudoku_encode.report.streams import complain, output_is_closed, remark
from sudoku_encode.run.counting import Count
from sudoku_encode.run.events import Progress, emit

if TYPE_CHECKING:
    from sudoku_encode.formats.place import Place
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.run.pools import Pool
    from sudoku_encode.verifying import Case, Report, Shrunk
    from sudoku_encode.verifying.record import Record


@dataclass
class CaseReader:
    """Reads the cases that the arguments of a command name.

    Attributes:
        given: the options for the puzzles.
        methods: the names of the methods to run.
        enough: after how many families that say the same the other methods are not run; None to run all methods.
        inputs: the files that were read.
        bad: whether an error in a puzzle was reported.
        is_named: whether a user named the methods, so that those left out are remarked on.
        faulty: the records of unreadable puzzles, each with the number of cases before it.
    """

    given: PuzzleArguments
    methods: tuple[str, ...]
    enough: int | None
    inputs: list[str | Path] = field(default_factory=list)
    bad: bool = False
    is_named: bool = False
    faulty: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    _n_cases: int = 0

    def all(self) -> "list[Case]":
        """Return the cases of all arguments."""
        return [case for argument in self.given.puzzles or [""] for case in self.of(argument)]

    def remark_left_out(self, cases: "list[Case]") -> None:
        """Remark on the named methods that cannot do some of the cases."""
        if self.is_named:
            for text, number in Counter(self._left_out(cases)).items():
                remark(f"{text} ({number:,} {plural('puzzle', number)})" if len(cases) > 1 else text)

    def _left_out(self, cases: "list[Case]") -> Iterator[str]:
        """Yield a sentence for each method that cannot do a case."""
        from sudoku_encode.methods.calls import find_method, unsupported_reason

        for case in cases:
            for name in self.methods:
                if name in case.methods:
                    continue
                # `auto` is left out because it is one of the others.
                if reason := unsupported_reason(find_method(name), case.puzzle):
                    yield f"method {name} does not fit {case.puzzle.geometry.name}: {reason}"

    def _note(self, place: "Place", error: FormatError) -> None:
        """Keep the record of an unreadable puzzle."""
        self.bad = True
        self.faulty.append((self._n_cases, place.record("bad input") | {"reason": error.message}))

    def of(self, argument: str) -> "Iterator[Case]":
        """Yield the cases of an argument; errors are reported on standard error."""
        from sudoku_encode.formats.known_counts import NAME
        from sudoku_encode.formats.place import Place
        from sudoku_encode.verifying.cases import of_source

        free = self.given.board is None and self.given.rules is None and not self.given.constraints
        for case in of_source(argument, self._read, self.methods, free):
            if isinstance(case, FormatError):
                self._note(Place(case.source or argument, case.line), case)
                complain(case)
                continue
            if case.expected:
                self.inputs += [case.expected.home / NAME, case.expected.home / case.expected.file]
            self._n_cases += 1
            yield replace(case, enough=self.enough)

    def _read(self, source: str) -> "Iterator[tuple[Place, str, Puzzle]]":
        from sudoku_encode.formats.known_counts import NAME, home_of

        record = PuzzleInput(self.given._replace(puzzles=[source] if source else None))
        file = Path(source) if os.path.isfile(source) else None  # noqa: PTH113  -- a text may be too long for a name
        self.inputs += [*record.inputs, *([home / NAME] if file and (home := home_of(file)) else [])]
        for item in record.entries():
            puzzle = item.entry.content
            if isinstance(puzzle, FormatError):
                self._note(item.place, puzzle)
                continue
            name = str(file) if file else puzzle.name or puzzle.geometry.name
            yield item.place, f"{name}#{item.number}" if record.many else name, puzzle
        self.bad |= record.bad


def compare(
    cases: CaseReader, limits: "Limits", pool: "Pool", output: str, *, resume: bool, as_json: bool, shrink: bool
) -> int:
    """Run the methods on each puzzle and print what they say together; return the exit status.

    Args:
        cases: the puzzles and their methods.
        limits: for each method on each puzzle.
        pool: where they run.
        output: a file that gets the records too, or `-`.
        resume: continue an unfinished run in that file.
        as_json: print records.
        shrink: look for the smallest puzzle with each fault.
    """
    from sudoku_encode.storage.journal import open_results
    from sudoku_encode.storage.outputs import refuse_inputs
    from sudoku_encode.verifying.record import STATUSES, records

    selected = cases.all()
    faulty = cases.faulty if as_json else []
    if cases.bad and not selected:
        # The errors were reported already.
        _print_faulty(faulty, len(selected))
        return 2
    refuse_inputs(cases.inputs, output, f"{output}.part")
    smallest = partial(_smallest, limits=limits) if shrink else None
    tally: Counter[str] = Counter()
    begun, many, stopped = time.monotonic(), len(selected) > 1, ""
    with open_results(output, resume) as journal:
        cases.remark_left_out(selected)
        try:
            with progress("running methods ...", total=lambda: len(selected)) as shown:
                for case, record in records(selected, journal, limits, pool, sentences, smallest):
                    shown.hide()
                    tally[record["status"]] += 1
                    # With standard output closed, the file still gets all results.
                    if not (journal and output_is_closed()):
                        _print_faulty(faulty, tally.total() - 1)
                        print(json.dumps(record) if as_json else sentences(case, record, many), flush=True)
                    shown.advance(1)
        except (KeyboardInterrupt, StoppedError) as reason:
            stopped = str(reason) or "interrupted"
            advice = journal.advice() if journal else ""
            remark(f"{stopped}: {tally.total():,} of {len(selected):,} puzzles are done{advice}")
        else:
            _print_faulty(faulty, len(selected))
            if journal:
                journal.finish()
    if many:
        parts = ", ".join(f"{tally[status]} {status}" for status in STATUSES)
        remark(f"{tally.total()} puzzles: {parts}; {time.monotonic() - begun:.1f} s")
    return 2 if cases.bad else 1 if tally["disagree"] else 3 if stopped or tally["unconfirmed"] else 0


def _print_faulty(faulty: list[tuple[int, dict[str, Any]]], n_before: int) -> None:
    """Print the records of the unreadable puzzles up to a case, and take them from the list."""
    while faulty and faulty[0][0] <= n_before:
        print(json.dumps(faulty.pop(0)[1]), flush=True)


def _smallest(report: "Report", limits: "Limits") -> "list[Shrunk]":
    """Return the smallest puzzle that shows each fault, if the fault occurs again."""
    from sudoku_encode.verifying import shrink

    emit(Progress("shrinking ..."))
    shrunk = [shrink(report, fault, limits) for fault in report.faults]
    return [record for record in shrunk if record is not None]


# Results as text, from this run or from the file of an earlier one.


def sentences(case: "Case", record: "Record", many: bool = False) -> str:
    """Return a record as lines for people; with many puzzles, a confirmed one takes a single line."""
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
        text = f"{fault['method']} {fault['kind']}: {fault['text']}"
        lines.append(f"smallest found in {fault['tries']} tries: {text}")
        lines.append(f"    {fault['command'] or '(its pencilmarks or constraints are needed)'}")
    lines.append(f"{f'{case.name}: ' if many else ''}{_verdict(case, record, many)}")
    # A record in a file, or an error of a library, may contain unprintable characters.
    return "\n".join(printable(text) for text in "\n".join(lines).split("\n"))


def _runs(record: "Record") -> Iterator[str]:
    yield f"{'method':<21} {'family':<13} {'solutions':>18} {'seconds':>8} {'MB':>6}  status"
    for run in record["runs"]:
        used = f"{run['seconds']:8.2f} {run['memory'] / 1e6:6.0f}"
        yield f"{run['method']:<21} {run['family']:<13} {_total(run):>18} {used}  {_claim(run)}".rstrip()


def _claim(run: "Record") -> str:
    if not run["complete"]:
        return run["stopped"] or ""
    return "complete (listed)" if run["listed"] else "complete (counted)"


def _total(counted: "Record") -> str:
    return str(Count(counted["count"], counted["complete"]))


def _verdict(case: "Case", record: "Record", many: bool) -> str:
    from sudoku_encode.methods.calls import lowered_to_units
    from sudoku_encode.verifying import WRONG

    total, families = _total(record), record["independent"]
    if record["status"] == "disagree":
        wrong = ", ".join(dict.fromkeys(fault["method"] for fault in record["faults"] if fault["kind"] in WRONG))
        sentence = f"disagree: {wrong} wrong" if wrong else "disagree"
        sentence += f"; {record['mismatch']}" if record["mismatch"] else ""
        return f"{sentence}; {total} by {_joined(families)}" if families else sentence
    if record["status"] == "confirmed":
        agreed = sum(run["complete"] for run in record["runs"])
        # `definitions` does not share even this.
        exception = (
            " except the translation of constraints into primitives"
            if lowered_to_units(case.puzzle).constraints
            else ""
        )
        shared = f"{len(families)} families that share no code{exception} ({', '.join(families)})"
        return f"confirmed: {total}, by {agreed} methods of {shared}{_expected(case, many)}{_failed(record)}"
    by = f" only by {_joined(families)}" if families else ""
    return f"unconfirmed: {total}{by}"


def _failed(record: "Record") -> str:
    """Return the methods without an answer although others agree, since many people read only the verdict."""
    failed = [f"{run['method']} ({run['failure']})" for run in record["runs"] if run["failure"]]
    return f"; without {_joined(failed)}" if failed else ""


def _expected(case: "Case", many: bool) -> str:
    if case.expected is None:
        return ""
    return "; as expected" if many else f"; as expected ({case.expected.source})"


def _joined(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
