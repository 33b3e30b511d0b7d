"""A record for each puzzle, in its place: its answer, or what is wrong with it; as text, JSON or a line of a table.

Of many puzzles with answers in arrays the records are text that differs in a few places, not an object each. In a file
they are `NAME.part` until all are there, and a later run can go on after them.
"""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import repeat
from typing import TYPE_CHECKING, Any

from sudoku_encode.cli.answers import Outcome, reasons_of, unproved, why_none
from sudoku_encode.cli.printing import Printer, plain_text, prefix, progress
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.remarks import quiet, remark
from sudoku_encode.errors import FormatError, StoppedError
from sudoku_encode.formats.place import FIRST_KEYS
from sudoku_encode.run.counting import INTERRUPTED, OUT_OF_MEMORY, Count

if TYPE_CHECKING:
    from sudoku_encode.cli.comparison import Comparison
    from sudoku_encode.cli.resuming import RunFile
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.methods.asking import OnEvent
    from sudoku_encode.methods.question import Answer, BlockAnswer, Question
    from sudoku_encode.puzzles.puzzle import Grids
    from sudoku_encode.storage.journal import Results

# Of how many puzzles without a solution that is said on standard error, with the reason.
_MOST_REASONS = 100
_STOPPED = {"time limit": "timeout", OUT_OF_MEMORY: "memory", INTERRUPTED: "interrupted"}


def status(count: Count | None, solve: bool) -> str:
    """Say in a word what is known of a puzzle.

    Args:
        count: how many solutions; None where it is no puzzle.
        solve: whether a solution was wanted, and not their number.
    """
    if count is None:
        return "bad input"
    if not count.complete:
        return stopped_status(count.stopped)
    if not count.value:
        return "no solution"
    return "solved" if solve else "unique" if count.value == 1 else "several"


def stopped_status(reason: str) -> str:
    """Say in a word what stopped an answer."""
    return "limit" if reason.startswith("limit of ") else _STOPPED.get(reason, "stopped")


class Records:
    """Writes the answers to a question that is asked of each puzzle.

    Args:
        source: where the puzzles are from.
        outcome: takes what the exit status depends on.
        solve: whether solutions are printed, else their numbers.
        form: `text`, `json` or `csv`.
        to: the format of solutions as text.
        journal: what they are written to; None for standard output.
        comparison: compares solutions with those that a table has beside its puzzles, if that is wanted.
    """

    def __init__(
        self,
        source: PuzzleInput,
        outcome: Outcome,
        solve: bool,
        form: str,
        to: str | None = None,
        journal: "Results | None" = None,
        comparison: "Comparison | None" = None,
    ) -> None:
        self.source, self.outcome, self.solve, self.form, self.to = source, outcome, solve, form, to
        self.journal, self.comparison = journal, comparison
        self._n_said = self._n_unsaid = 0
        self._printer = Printer(to, None if journal is None else journal.write)
        self._run: RunFile | None = None
        self.header = ""
        if form == "csv":
            middle = ["solution", *(["compared"] if comparison else [])] if solve else ["count", "complete"]
            self.header = ",".join([*FIRST_KEYS, *middle, "reason"])

    def write_all(
        self,
        located: "Iterator[Located]",
        question: "Question",
        on_event: "OnEvent",
        more: Callable[[], dict[str, Any]] = dict,
    ) -> None:
        """Ask for the answers and write each; what is in the file already is neither asked for nor written.

        Args:
            located: what was read.
            question: what is asked of each puzzle.
            on_event: called with a puzzle and what happens meanwhile.
            more: returns what is added to the next object of JSON.

        Raises:
            SudokuError: the file has other records.
        """
        try:
            self._write_all(located, question, on_event, more)
        finally:
            if self._run:
                self._run.close()
        if self.comparison:
            self.comparison.report()

    def _write_all(
        self,
        located: "Iterator[Located]",
        question: "Question",
        on_event: "OnEvent",
        more: Callable[[], dict[str, Any]],
    ) -> None:
        from sudoku_encode.methods.answers import answers
        from sudoku_encode.methods.question import BlockAnswer

        located, n_done = self._unanswered(located, question)
        try:
            with progress("solving ..." if self.solve else "counting ...", total=self.source.total) as shown:
                shown.advance(n_done)
                for answer in answers(located, question, on_event):
                    if not self.journal:
                        shown.hide()
                    if isinstance(answer, BlockAnswer):
                        self._note(answer.located)
                        self._block(answer, more())
                    elif not self.journal or _is_done(answer):
                        # In a file the next run takes its place.
                        self._note(answer.located)
                        self._single(answer, more())
                    n_answered = len(answer.counts) if isinstance(answer, BlockAnswer) else _is_done(answer)
                    n_done += n_answered
                    shown.advance(n_answered)
        except (KeyboardInterrupt, StoppedError) as reason:
            if not self.journal:
                raise
            self.outcome.incomplete = True
            remark(f"{str(reason) or INTERRUPTED}: {n_done:,} puzzles are done{self.journal.advice()}")
        else:
            if self.journal:
                self.journal.finish()
            if self._run:
                self._run.remove()
        finally:
            if self._n_unsaid:
                puzzles = "1 more puzzle has" if self._n_unsaid == 1 else f"{self._n_unsaid:,} more puzzles have"
                advice = "; --json and --csv say why" if self.form == "text" else ""
                remark(f"{puzzles} no solution{advice}")

    def _note(self, located: "Located") -> None:
        """Note of which puzzles the next records are."""
        if self._run:
            self._run.note(located.number, located.found)

    def _asked(self, question: "Question") -> dict[str, Any]:
        """Return by their names the options that change a record."""
        from sudoku_encode.cli.resuming import options_asked, options_read

        forms = {"--to": self.to, "--json": self.form == "json", "--csv": self.form == "csv"}
        return options_asked(question) | options_read(self.source.given) | forms | {"--compare": bool(self.comparison)}

    def _unanswered(self, located: "Iterator[Located]", question: "Question") -> "tuple[Iterator[Located], int]":
        """Return what was read without what has a record already, and how many these are; write the header."""
        n_done, header = 0, self.header
        if self.journal:
            from sudoku_encode.cli.resuming import Earlier, RunFile
            from sudoku_encode.storage.journal import Journal

            earlier = Earlier.read(self.journal, self.solve, self.form, self.to, self.header, self.outcome)
            if isinstance(self.journal, Journal):
                self._run = RunFile(self.journal, self._asked(question), with_answers=bool(self.comparison))
            located, n_done = earlier.unanswered(located, self._run), earlier.n_records
            self._printer.announced = earlier.announced or self._printer.announced
            header = "" if earlier.has_header else header
        if header:
            if self._run:
                self._run.begin()
            self._lines([header])
        return located, n_done

    def _single(self, answer: "Answer", more: dict[str, Any]) -> None:
        entry, count = answer.entry, answer.count
        number, word = answer.located.number, status(answer.count, self.solve)
        if isinstance(entry.found, FormatError) or count is None:
            reason = str(getattr(entry.found, "message", ""))
            shown = f"{word}: {reason}"
        else:
            self.outcome.note(count)
            shown = word
            reason, is_none = count.stopped, count.complete and not count.value
            is_said = bool(self._n_to_say(1)) if is_none else not count.complete
            if is_none and (is_said or self.form != "text"):
                reason = why_none(entry.found).removeprefix(": ")
            if is_said:
                remark(f"{prefix(number, self.source)}{self._sentence(count, reason)}")
        compared = self.comparison.of_entry(answer) if self.comparison else None
        if self.form == "text":
            self._text(answer, shown)
        else:
            record = answer.located.place.record(word, answer.method or None, answer.seconds)
            if self.solve:
                record["solution"] = None if answer.grid is None else answer.grid.tolist()
                if self.comparison:
                    record["compared"] = compared
            else:
                record |= {
                    "count": None if count is None else count.value,
                    "complete": count is not None and count.complete,
                }
            record["reason"] = reason or None
            self._lines([as_json(record | more)] if self.form == "json" else [row(record.values())])
        if not self.journal:
            sys.stdout.flush()

    def _sentence(self, count: Count, reason: str) -> str:
        """Return the remark on a puzzle that is not solved, or whose count is 0 or not complete, with the reason."""
        if count.complete:
            return f"no solution{': ' if reason else ''}{reason}"
        return f"not solved: {reason}" if self.solve else unproved(count)

    def _n_to_say(self, n_puzzles: int) -> int:
        """Return how many of some puzzles without a solution are named on standard error; the others are counted."""
        if quiet.get():
            return 0
        said = min(n_puzzles, _MOST_REASONS - self._n_said)
        self._n_said += said
        self._n_unsaid += n_puzzles - said
        return said

    def _text(self, answer: "Answer", word: str) -> None:
        number, count, found = answer.located.number, answer.count, answer.entry.found
        if self.solve and answer.grid is not None and not isinstance(found, FormatError):
            self._printer.grid(found, answer.grid)
        elif count is not None and not self.solve:
            self._lines([str(count)])
        elif self.source.many:
            self._lines([f"# puzzle {number}: {word}"])

    def _block(self, answer: "BlockAnswer", more: dict[str, Any]) -> None:
        import numpy as np

        counts = answer.counts
        self.outcome.negative |= bool((counts == 0).any())
        self.outcome.incomplete |= answer.limit is not None and bool((counts == answer.limit).any())
        none = np.flatnonzero(counts == 0)
        said = none[: self._n_to_say(len(none))].tolist()
        wanted = said if self.form == "text" else none.tolist()
        texts = reasons_of(answer.block.board, answer.block.givens[wanted]) if wanted else []
        reasons = dict(zip(wanted, texts, strict=True))
        for row in said:
            remark(f"puzzle {answer.located.number + row}: no solution{': ' if reasons[row] else ''}{reasons[row]}")
        compared = self.comparison.of_block(answer) if self.comparison else None
        if self.form == "text":
            self._block_text(answer)
        else:
            self._lines(self._block_rows(answer, reasons, more if self.form == "json" else {}, compared))

    def _block_text(self, answer: "BlockAnswer") -> None:
        import numpy as np

        if not self.solve:
            texts = {value: str(answer.known(value)) for value in np.unique(answer.counts).tolist()}
            self._lines([texts[value] for value in answer.counts.tolist()])
            return
        start, puzzle = 0, answer.puzzle(0)
        for end in [*np.flatnonzero(answer.counts == 0).tolist(), len(answer.counts)]:
            if start < end:
                self._printer.grids(puzzle, answer.grids[start:end])
            if end < len(answer.counts):
                self._lines([f"# puzzle {answer.located.number + end}: no solution"])
            start = end + 1

    def _block_rows(
        self, answer: "BlockAnswer", reasons: dict[int, str], more: dict[str, Any], compared: list[str] | None
    ) -> Iterator[str]:
        """Yield the records of a block, in JSON or for a table.

        Args:
            answer: for the block.
            reasons: why a row has no solution.
            more: what is added to an object of JSON.
            compared: how the solution of each row compares, if that is wanted.
        """
        located, seconds = answer.located, round(answer.seconds, 6)
        begin, middles, ends = self._piece({"file": located.source}), {}, {}
        for value in set(answer.counts.tolist()):
            count = answer.known(value)
            word = status(count, self.solve)
            middles[value] = self._piece({"name": None, "status": word, "method": answer.method, "seconds": seconds})
            ends[value] = self._end(count, count.stopped, more)
        lines, numbers = answer.block.lines.tolist(), range(located.number, located.number + len(answer.counts))
        solutions = grid_texts(answer.grids, self.form) if self.solve else repeat("")
        rows = zip(lines, numbers, answer.counts.tolist(), solutions, compared or repeat(""), strict=False)
        for row, (line, number, value, solution, word) in enumerate(rows):
            end = ends[value] if value else self._end(answer.known(0), reasons[row], more)
            if self.form == "json":
                shown = f'"solution": {solution if value else "null"}, ' if self.solve else ""
                shown += f'"compared": "{word}", ' if word else ""
                yield f'{{{begin}, "line": {line}, "puzzle": {number}, {middles[value]}, {shown}{end}}}'
            else:
                shown = f"{solution if value else ''}," if self.solve else ""
                shown += f"{word}," if word else ""
                yield f"{begin},{line},{number},{middles[value]},{shown}{end}"

    def _end(self, count: Count, reason: str, more: dict[str, Any]) -> str:
        """Return the last fields of a record of a block."""
        number: dict[str, Any] = {} if self.solve else {"count": count.value, "complete": count.complete}
        return self._piece({**number, "reason": reason or None, **more})

    def _piece(self, fields: dict[str, Any]) -> str:
        """Return some fields of a record as text, without what is around a record."""
        return as_json(fields)[1:-1] if self.form == "json" else row(fields.values())

    def _lines(self, lines: "list[str] | Iterator[str]") -> None:
        text = "".join(f"{line}\n" for line in lines)
        if self.journal:
            self.journal.write(text.encode())
        else:
            sys.stdout.write(text)


def _is_done(answer: "Answer") -> bool:
    """Say whether a puzzle was answered before Ctrl-C."""
    return answer.count is None or answer.count.stopped != INTERRUPTED


def as_json(record: dict[str, Any]) -> str:
    """Return a record as an object of JSON."""
    # Imported here, as `csv` is: they take long to load, and text needs neither.
    import json

    return json.dumps(record)


def row(values: Iterable[Any]) -> str:
    """Return some values as they stand in a line of a table; a list is a grid, as one field."""
    import csv
    import io

    text = io.StringIO()
    # Without the second field the writer would put quotes around an empty first one; without these ends of a line it
    # would put none around a text that has one.
    csv.writer(text, lineterminator="\r\n").writerow([*map(_field, values), ""])
    return text.getvalue().removesuffix(",\r\n")


def _field(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, str):
        return plain_text(value)
    return " ".join(map(str, value)) if isinstance(value, list) else value


def grid_texts(grids: "Grids", form: str) -> list[str]:
    """Return the text of each grid, (m, n_cells), as a list of JSON or as a field of a table."""
    gap = ", " if form == "json" else " "
    n_cells = grids.shape[1]
    if not len(grids) or grids.max() > 9:
        texts = [gap.join(map(str, grid.tolist())) for grid in grids]
        return [f"[{text}]" for text in texts] if form == "json" else texts
    import numpy as np

    # Digits at equal distances in a text that is otherwise the same.
    pattern = gap.join("0" * n_cells)
    pattern = f"[{pattern}]" if form == "json" else pattern
    text = np.tile(np.frombuffer(pattern.encode(), np.uint8), (len(grids), 1))
    start, step = pattern.index("0"), len(gap) + 1
    text[:, start : start + step * n_cells : step] += grids
    whole, width = text.tobytes().decode(), len(pattern)
    return [whole[at : at + width] for at in range(0, len(whole), width)]
