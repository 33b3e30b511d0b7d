"""Records, one for each puzzle in its place: its answer or error, as text, JSON or CSV; comparison with a table.

For batches with answers in arrays, records are texts that differ in a few places, not objects. A file of records is
called `NAME.part` until it is complete, and a later run can continue it.
"""

import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import INTERRUPTED, FormatError, InternalError, StoppedError, SudokuError
from sudoku_encode.formats.place import FIRST_KEYS, Place
from sudoku_encode.report.printing import Printer, as_json, grid_texts, prefix, progress
from sudoku_encode.report.printing import row as csv_row
from sudoku_encode.report.reading import Outcome, PuzzleInput, no_solution_reason, reasons_of, unproved
from sudoku_encode.report.streams import STATS, Choices, quiet, remark
from sudoku_encode.run.counting import Count
from sudoku_encode.run.status import Status, status_of_count

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.answers import BatchAnswer, BatchQuestion, PuzzleAnswer
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.report.resuming import RunFile
    from sudoku_encode.report.table_output import TableOutput
    from sudoku_encode.storage.journal import Results


# The answer for a puzzle, in words and as an exit status.


# Standard error names at most this many puzzles without a solution, with the reasons.
_MOST_REASONS = 100


def status(count: Count | None, solve: bool) -> str:
    """Return the status of a puzzle.

    Args:
        count: the number of solutions; None for an invalid puzzle.
        solve: whether a solution was requested, not the number of solutions.
    """
    if count is None:
        return "bad input"
    return Status.SOLVED if solve and count.complete and count.value else status_of_count(count)


class Records:
    """Writes the answers for the puzzles.

    Args:
        source: where the puzzles are from.
        outcome: collects statuses for the exit status.
        solve: whether to print solutions, else their numbers.
        form: `text`, `json` or `csv`; `table` for the table of the input with columns added.
        to: the format of solutions as text.
        journal: the output file; None for standard output.
        comparison: compares solutions with those beside the puzzles in a table, for --compare.
        table: writes the table of the input, for --add.
        stats: whether records contain the figures of the solver.
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
        table: "TableOutput | None" = None,
        stats: bool = False,
    ) -> None:
        self.stats = stats
        self.source, self.outcome, self.solve, self.form, self.to = source, outcome, solve, form, to
        self.journal, self.comparison, self.table = journal, comparison, table
        self._n_named = self._n_unnamed = 0
        self._printer = Printer(to, None if journal is None else journal.write)
        self._run: RunFile | None = None
        self.header = ""
        if form == "csv":
            middle = ["solution", *(["compared"] if comparison else [])] if solve else ["count", "complete"]
            self.header = ",".join([*FIRST_KEYS, "givens", *middle, "reason", *(STATS if stats else ())])

    def write_all(
        self,
        located: "Iterator[SourceItem]",
        question: "BatchQuestion",
        choices: Choices,
    ) -> None:
        """Compute and write the answers, except for puzzles whose records are in the file already.

        Args:
            located: the puzzles.
            question: the question for each puzzle.
            choices: collects the methods that were chosen and the figures of solvers.

        Raises:
            SudokuError: the file contains other records.
        """
        try:
            self._write_all(located, question, choices)
        finally:
            if self._run:
                self._run.close()
        if self.comparison:
            self.comparison.report()

    def _write_all(self, located: "Iterator[SourceItem]", question: "BatchQuestion", choices: Choices) -> None:
        from sudoku_encode.methods.answers import BatchAnswer, answers

        located, n_done = self._unanswered(located, question)
        try:
            with progress("solving ..." if self.solve else "counting ...", total=self.source.total) as shown:
                shown.advance(n_done)
                for answer in answers(located, question, choices.observe):
                    if not self.journal:
                        shown.hide()
                    if isinstance(answer, BatchAnswer):
                        self._note(answer.located)
                        self._block(answer, choices.take())
                    elif not self.journal or _is_done(answer):
                        # In a file the next run takes its place.
                        self._note(answer.located)
                        self._single(answer, choices)
                    n_answered = len(answer.counts) if isinstance(answer, BatchAnswer) else _is_done(answer)
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
            if self._n_unnamed:
                puzzles = "1 more puzzle has" if self._n_unnamed == 1 else f"{self._n_unnamed:,} more puzzles have"
                advice = "; --json and --csv show why" if self.form == "text" else ""
                remark(f"{puzzles} no solution{advice}")

    def _note(self, located: "SourceItem") -> None:
        """Note the puzzles of the next records."""
        if self._run:
            self._run.note(located.number, located.item)

    def _settings(self, question: "BatchQuestion") -> dict[str, Any]:
        """Return, by name, the options that change a record."""
        from sudoku_encode.report.resuming import options_read, question_options

        forms = {"--to": self.to, "--json": self.form == "json", "--csv": self.form == "csv"}
        forms["--add"] = ",".join(self.table.names) if self.table else None
        return (
            question_options(question) | options_read(self.source.given) | forms | {"--compare": bool(self.comparison)}
        )

    def _unanswered(
        self, located: "Iterator[SourceItem]", question: "BatchQuestion"
    ) -> "tuple[Iterator[SourceItem], int]":
        """Return the puzzles without a record, and the number of those with one; write the header."""
        if self.table:
            located = self.table.begin(located)
        n_done, header = 0, self.header
        if self.journal:
            from sudoku_encode.report.resuming import Earlier, RunFile
            from sudoku_encode.storage.journal import Journal

            earlier = Earlier.read(self.journal, self.solve, self.form, self.to, self.header, self.outcome, self.table)
            if isinstance(self.journal, Journal):
                with_answers, with_rows = bool(self.comparison), bool(self.table)
                self._run = RunFile(self.journal, self._settings(question), with_answers, with_rows)
            located, n_done = earlier.unanswered(located, self._run), earlier.n_records
            self._printer.announced = earlier.announced or self._printer.announced
            header = "" if earlier.has_header else header
            if earlier.has_header or n_done:
                return located, n_done
        if self._run and (header or self.table):
            self._run.begin()
        if self.table and self.table.header:
            self.table.put_header()
        elif header:
            self._lines([header])
        return located, n_done

    def _single(self, answer: "PuzzleAnswer", choices: Choices) -> None:
        entry, count = answer.entry, answer.count
        number, word = answer.located.number, status(answer.count, self.solve)
        if isinstance(entry.content, FormatError) or count is None:
            reason = str(getattr(entry.content, "message", ""))
            shown = f"{word}: {reason}"
        else:
            self.outcome.note(count)
            shown = word
            reason, is_none = count.stopped, count.complete and not count.value
            is_named = bool(self._n_to_name(1)) if is_none else not count.complete
            if is_none and (is_named or self.form != "text"):
                reason = no_solution_reason(entry.content).removeprefix(": ")
            if is_named:
                remark(f"{prefix(number, self.source)}{self._sentence(count, reason)}")
        if self.form == "text":
            if self.comparison:
                self.comparison.of_entry(answer)
            self._text(answer, shown)
            if self.stats and (figures := choices.take_figures()):
                remark(f"{prefix(number, self.source)}{figures}")
            choices.take()
        else:
            more = choices.take()
            record = self._record(answer, word, reason) | (_columns_of_work(more) if self.form != "json" else {})
            if self.table:
                # The row of an error has its status and place, and else nothing.
                is_error = isinstance(entry.content, FormatError)
                filled = (*Place._fields, "status", "reason") if is_error else record
                columns = {name: [value if name in filled else None] for name, value in record.items()}
                self.table.put(answer.located, columns)
            else:
                self._lines([as_json(record | more)] if self.form == "json" else [csv_row(record.values())])
        if not self.journal:
            sys.stdout.flush()

    def _record(self, answer: "PuzzleAnswer", word: str, reason: str) -> dict[str, Any]:
        """Return the record of a puzzle, with its status and the reason for that."""
        count, puzzle = answer.count, answer.entry.content
        record = answer.located.place.record(word, answer.method or None, answer.seconds)

        def shown(grid: "Grids | None") -> Any:
            if grid is None or isinstance(puzzle, FormatError):
                return None
            board = puzzle.geometry
            return board.listed(grid) if self.form == "json" else grid_texts(board, grid[None], self.form)[0]

        if self.form != "json":
            record["givens"] = shown(getattr(puzzle, "givens", None))
        if self.solve:
            record["solution"] = shown(answer.grid)
            if self.comparison:
                record["compared"] = self.comparison.of_entry(answer)
        else:
            record |= {
                "count": None if count is None else count.value,
                "complete": count is not None and count.complete,
            }
        record["reason"] = reason or None
        if count is not None and count.estimate and self.form == "json":
            estimate = count.estimate
            # JSON knows no number above the largest float.
            record |= (
                {"estimate": estimate.solutions, "estimate_error": estimate.error}
                if estimate.log10 is None
                else {"estimate_log10": estimate.log10}
            )
        return record

    def _sentence(self, count: Count, reason: str) -> str:
        """Return the remark on a puzzle that is not solved, or whose count is 0 or incomplete, with the reason."""
        if count.complete:
            return f"no solution{': ' if reason else ''}{reason}"
        return f"not solved: {reason}" if self.solve else unproved(count)

    def _n_to_name(self, n_puzzles: int) -> int:
        """Return how many of n puzzles without a solution to name on standard error; the others are only counted."""
        if quiet.get():
            return 0
        n_named = min(n_puzzles, _MOST_REASONS - self._n_named)
        self._n_named += n_named
        self._n_unnamed += n_puzzles - n_named
        return n_named

    def _text(self, answer: "PuzzleAnswer", word: str) -> None:
        number, count, puzzle = answer.located.number, answer.count, answer.entry.content
        if self.solve and answer.grid is not None and not isinstance(puzzle, FormatError):
            self._printer.grid(puzzle, answer.grid)
        elif count is not None and not self.solve:
            self._lines([str(count)])
        elif self.source.many:
            self._lines([f"# puzzle {number}: {word}"])

    def _block(self, answer: "BatchAnswer", more: dict[str, Any]) -> None:
        import numpy as np

        counts = answer.counts
        self.outcome.negative |= bool((counts == 0).any())
        self.outcome.incomplete |= answer.limit is not None and bool((counts == answer.limit).any())
        none = np.flatnonzero(counts == 0)
        named = none[: self._n_to_name(len(none))].tolist()
        rows_ = named if self.form == "text" else none.tolist()
        texts = reasons_of(answer.block.board, answer.block.givens[rows_]) if rows_ else []
        reasons = dict(zip(rows_, texts, strict=True))
        for row in named:
            remark(f"puzzle {answer.located.number + row}: no solution{': ' if reasons[row] else ''}{reasons[row]}")
        comparisons = self.comparison.of_block(answer) if self.comparison else None
        if self.form == "text":
            self._block_text(answer)
        elif self.table:
            columns = self._columns(answer, reasons, comparisons)
            self.table.put(answer.located, {name: columns[name]() for name in self.table.names})
        else:
            more = more if self.form == "json" else _columns_of_work(more)
            self._lines(self._block_rows(answer, reasons, more, comparisons))

    def _block_text(self, answer: "BatchAnswer") -> None:
        import numpy as np

        if not self.solve:
            texts = {value: str(answer.count_of(value)) for value in np.unique(answer.counts).tolist()}
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
        self, answer: "BatchAnswer", reasons: dict[int, str], more: dict[str, Any], comparisons: list[str] | None
    ) -> Iterator[str]:
        """Yield the records of a batch in JSON or CSV, with reasons by row, and comparisons for --compare."""
        located, seconds = answer.located, round(answer.seconds, 6)
        begin, middles, ends = self._fields_text({"file": located.source}), {}, {}
        for value in set(answer.counts.tolist()):
            count = answer.count_of(value)
            word = status(count, self.solve)
            middles[value] = self._fields_text(
                {"name": None, "status": word, "method": answer.method, "seconds": seconds}
            )
            ends[value] = self._end(count, count.stopped, more)
        lines, numbers = answer.block.lines.tolist(), range(located.number, located.number + len(answer.counts))
        board, is_csv = answer.block.board, self.form == "csv"
        solutions = grid_texts(board, answer.grids, self.form) if self.solve else repeat("")
        givens = grid_texts(board, answer.block.givens, self.form) if is_csv else repeat("")
        rows = zip(lines, numbers, answer.counts.tolist(), givens, solutions, comparisons or repeat(""), strict=False)
        for row, (line, number, value, puzzle, solution, word) in enumerate(rows):
            end = ends[value] if value else self._end(answer.count_of(0), reasons[row], more)
            if self.form == "json":
                shown = f'"solution": {solution if value else "null"}, ' if self.solve else ""
                shown += f'"compared": "{word}", ' if word else ""
                yield f'{{{begin}, "line": {line}, "puzzle": {number}, {middles[value]}, {shown}{end}}}'
            else:
                shown = f"{solution if value else ''}," if self.solve else ""
                shown += f"{word}," if word else ""
                yield f"{begin},{line},{number},{middles[value]},{puzzle},{shown}{end}"

    def _columns(
        self, answer: "BatchAnswer", reasons: dict[int, str], comparisons: list[str] | None
    ) -> dict[str, Callable[[], Sequence[Any]]]:
        """Return by name what makes the columns of a batch."""
        located, block, values = answer.located, answer.block, answer.counts.tolist()
        n, counts = len(values), {value: answer.count_of(value) for value in set(values)}
        words = {value: status(count, self.solve) for value, count in counts.items()}
        stopped = {value: count.stopped or None for value, count in counts.items()}

        def solutions() -> list[str | None]:
            texts = grid_texts(block.board, answer.grids, "csv")
            return [text if value else None for text, value in zip(texts, values, strict=True)]

        return {
            "file": lambda: [located.source] * n,
            "line": block.lines.tolist,
            "puzzle": lambda: range(located.number, located.number + n),
            "name": lambda: [None] * n,
            "status": lambda: [words[value] for value in values],
            "method": lambda: [answer.method] * n,
            "seconds": lambda: [round(answer.seconds, 6)] * n,
            "givens": lambda: grid_texts(block.board, block.givens, "csv"),
            "solution": solutions,
            "compared": lambda: comparisons or [],
            "count": lambda: values,
            "complete": lambda: [counts[value].complete for value in values],
            **{name: lambda: [None] * n for name in STATS},
            "reason": lambda: [stopped[value] if value else reasons[row] or None for row, value in enumerate(values)],
        }

    def _end(self, count: Count, reason: str, more: dict[str, Any]) -> str:
        """Return the last fields of a record in a batch."""
        number: dict[str, Any] = {} if self.solve else {"count": count.value, "complete": count.complete}
        return self._fields_text({**number, "reason": reason or None, **more})

    def _fields_text(self, fields: dict[str, Any]) -> str:
        """Return some fields of a record as text, without the braces of the record."""
        return as_json(fields)[1:-1] if self.form == "json" else csv_row(fields.values())

    def _lines(self, lines: "list[str] | Iterator[str]") -> None:
        text = "".join(f"{line}\n" for line in lines)
        if self.journal:
            self.journal.write(text.encode())
        else:
            sys.stdout.write(text)


def _columns_of_work(more: dict[str, Any]) -> dict[str, Any]:
    """Return the work of a solver as columns, if the additional fields of a record contain it."""
    return (more["work"] or dict.fromkeys(STATS)) if "work" in more else {}


def _is_done(answer: "PuzzleAnswer") -> bool:
    """Return whether a puzzle was answered before Ctrl-C."""
    return answer.count is None or answer.count.stopped != INTERRUPTED


# Comparison with the solutions in a table.

SAME, OTHER, WRONG, NONE = "same", "another solution", "wrong", "none"


# Standard error names at most this many wrong solutions; the records contain all.
_MOST_REMARKS = 20


class Comparison:
    """Compares the solutions of puzzles with those in a table, and counts the results.

    Args:
        outcome: becomes negative if a solution in the table is wrong.
    """

    def __init__(self, outcome: Outcome) -> None:
        self.outcome, self.words = outcome, Counter[str]()

    def of_entry(self, answer: "PuzzleAnswer") -> str:
        """Return how the solution beside a puzzle compares with ours."""
        puzzle = answer.entry.content
        if isinstance(puzzle, FormatError) or not answer.entry.answer:
            return self._noted(answer.located.place, NONE)
        grid = _grid(puzzle, answer.entry.answer)
        same = grid is not None and answer.grid is not None and bool((grid == answer.grid).all())
        return self._noted(answer.located.place, SAME if same else _judged(puzzle, grid))

    def of_block(self, answer: "BatchAnswer") -> list[str]:
        """Return the same for each puzzle of a batch."""
        import numpy as np

        block = answer.block
        if block.answers is None:
            self.words[NONE] += len(block)
            return [NONE] * len(block)
        words = np.full(len(block), SAME, object)
        for row in np.flatnonzero((block.answers != answer.grids).any(axis=1) | (answer.counts == 0)).tolist():
            theirs = block.answers[row]
            # Zeros stand for a missing or unreadable solution.
            line, number = int(block.lines[row]), answer.located.number + row
            word = _judged(answer.puzzle(row), theirs if theirs.any() else None)
            words[row] = self._noted(Place(answer.located.source, line, number), word)
        same: list[str] = words.tolist()
        self.words[SAME] += same.count(SAME)
        return same

    def _noted(self, place: Place, word: str) -> str:
        self.words[word] += 1
        if word == WRONG:
            self.outcome.negative = True
            if self.words[WRONG] <= _MOST_REMARKS:
                remark(f"{place.file}:{place.line}: puzzle {place.puzzle}: the solution in the table is wrong")
        return word

    def report(self) -> None:
        """Remark the results of the comparison.

        Raises:
            SudokuError: the table contains no solutions.
        """
        if self.words.total() == self.words[NONE]:
            raise SudokuError("--compare: no puzzle has a solution beside it; a table needs a column for them")
        parts = [f"{self.words[word]:,} {name}" for word, name in _NAMES.items() if self.words[word]]
        remark(f"compared with the solutions beside the puzzles: {', '.join(parts)}")


_NAMES = {SAME: "the same", OTHER: "another solution", WRONG: "wrong", NONE: "without one that can be read"}


def _grid(puzzle: "Puzzle", text: str) -> "Grids | None":
    """Return the grid in a text, (n_cells,); None if it contains none."""
    from sudoku_encode.formats.reading import ReadOptions, read_text

    try:
        (parsed,) = read_text(text, "solution", ReadOptions(board=puzzle.geometry))
    except (SudokuError, ValueError):
        return None
    return None if isinstance(parsed, FormatError) else parsed.givens


def _judged(puzzle: "Puzzle", grid: "Grids | None") -> str:
    """Return whether another grid is also a solution."""
    from sudoku_encode.puzzles.puzzle import check

    if grid is None:
        return NONE
    try:
        check(puzzle, grid[None])
    except InternalError:
        return WRONG
    return OTHER
