"""The command hint: the steps to solve a puzzle by hand."""

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.pictures import put, refuse_terminal
from sudoku_encode.cli.printing import prefix
from sudoku_encode.cli.reading import Outcome, PuzzleInput
from sudoku_encode.cli.records import stopped_status
from sudoku_encode.cli.streams import has_lines, remark
from sudoku_encode.errors import SudokuError, plural
from sudoku_encode.puzzles.step import Step
from sudoku_encode.questions.techniques.table import TECHNIQUES, choose_techniques
from sudoku_encode.render.table import DRAWINGS
from sudoku_encode.run.events import Event, emit

if TYPE_CHECKING:
    from sudoku_encode.questions.hinting import Hint, SolvePath


if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.limited_calls import Numbered
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.questions.hinting import SolvePath

    # The steps, or the error that stopped the search, and the seconds.
    TimedAnswer = tuple[SolvePath | StoppedError, float]


def command(
    given: options.PuzzleOptions,
    *,
    every: Annotated[bool, typer.Option("--all", help="Print all steps to the end, one per line.")] = False,
    technique: Annotated[
        list[str] | None,
        typer.Option(
            help="The only technique to use, by its name in --techniques; may be repeated.",
            show_default=False,
            **options.one_of(TECHNIQUES),
        ),
    ] = None,
    assume_unique: Annotated[
        bool,
        typer.Option("--assume-unique", help="Also use techniques that assume a unique solution."),
    ] = False,
    techniques: Annotated[
        bool, typer.Option("--techniques", help="Only list the techniques, from simple to hard.")
    ] = False,
    to: Annotated[
        str, typer.Option(help="The form of the output: text or a picture.", **options.one_of(DRAWINGS))
    ] = "text",
    limits: options.LimitOptions,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Print the next step to solve each puzzle by hand, by the simplest technique that applies, and the reason for it.

    To see where a puzzle gets hard, look at all steps: hint puzzle.txt --all. To test whether there is an X-wing in a
    puzzle as it is: hint puzzle.txt --technique X-wing.

    The exit status is 1 if a puzzle turns out to have no solution, and 3 if no technique applies, with --all before the
    end; this is so for a puzzle with several solutions.

    Details:

    A sentence names the technique, the cells, the reason, and the removed or placed candidates; in the board below it,
    stars mark the cells of the step, a minus each removed candidate, and a plus each placed one. Steps are also valid
    for puzzles with several solutions, except those of --assume-unique.
    """
    if as_json and to != "text":
        raise SudokuError(f"--json prints steps as data, --to {to} a picture: leave out one of them")
    if techniques:
        _list_techniques(given, every or assume_unique or bool(technique) or as_json or to != "text")
        return
    if every and to != "text":
        raise SudokuError(f"--to {to} draws a single step: leave out --all")
    if technique and assume_unique:
        raise SudokuError("--assume-unique has no effect with --technique, which is used anyway")
    from sudoku_encode.questions.hinting import hints_each

    refuse_terminal(to)
    source, pool = PuzzleInput(given), work.pool()
    printer = _Printer(source, Outcome(), "json" if as_json else to, every)
    rows = choose_techniques(technique or None, assume_unique)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, TimedAnswer]]":
        most = None if every else 1
        for item, answer, seconds in hints_each(puzzles, rows, limits.limits(), most, printer.observe, pool):
            yield item, (answer, seconds)

    for item, timed in source.answered(ask):
        printer.end(item, timed)
    raise typer.Exit(printer.outcome.status(source))


def _list_techniques(given: options.PuzzleOptions, others: bool) -> None:
    if others or any(value is not None and value != [] for value in given):
        raise SudokuError("--techniques only lists the techniques: leave out puzzles and other options")
    for line in table():
        print(line)


class _Printer:
    """Prints steps, and how they end for each puzzle.

    Args:
        source: where the puzzles are from.
        outcome: collects statuses for the exit status.
        form: `json` or a key of DRAWINGS.
        every: whether to print all steps.
    """

    def __init__(self, source: PuzzleInput, outcome: Outcome, form: str, every: bool) -> None:
        self.source, self.outcome, self.form, self.every = source, outcome, form, every
        # The number of the current puzzle, and the number of its steps so far.
        self._puzzle, self._n_steps = 0, 0

    def observe(self, item: "Numbered", event: Event) -> None:
        """Print a step of --all as it comes; emit other events."""
        if not isinstance(event, Step):
            emit(event)
            return
        if not self.every:
            return
        number, puzzle = item
        if self._puzzle != number:
            # Invalid puzzles before this one come before these steps.
            while (first := next(iter(self.source.waiting))) < number:
                self.end(self.source.waiting.pop(first), None)
            self._puzzle, self._n_steps = number, 0
            if self.form == "text":
                self._heading(self.source.waiting[number])
        self._n_steps += 1
        if self.form == "json":
            record = self.source.waiting[number].place.record("step")
            print(json.dumps(record | step_record(event, puzzle.geometry)), flush=True)
        else:
            print(f"{event.data['step']}. {event.text}", flush=True)

    def end(self, item: "SourceItem", timed: "TimedAnswer | None") -> None:
        """Print how the steps end for a puzzle, its only requested step, or the error in the puzzle."""
        from sudoku_encode.api.drawing import picture_of_hint
        from sudoku_encode.questions.hinting import SolvePath

        answer, seconds = timed if timed is not None else (None, None)
        path = answer if isinstance(answer, SolvePath) else None
        status, reason = _status(item, answer)
        shown = path is not None and bool(path.steps) and not self.every
        status = "step" if shown else status
        self.outcome.note_status(status)
        self.outcome.incomplete |= status == "stuck"
        if answer is not None and path is None:
            remark(f"{prefix(item.number, self.source)}stopped: {reason}")
        if self.form == "json":
            self._record(item, path, status, reason, seconds)
        elif shown and path is not None and self.form != "text":
            put(picture_of_hint(path.steps[0]), self.form, self.source.many)
        elif path is not None:
            self._text(item, path, shown, reason)
        elif self.source.many:
            print(f"# puzzle {item.number}: {status}: {reason}")

    def _heading(self, item: "SourceItem") -> None:
        if self.source.many:
            name = getattr(item.entry.content, "name", "")
            print(f"# puzzle {item.number}{': ' + name if name else ''}")

    def _text(self, item: "SourceItem", path: "SolvePath", shown: bool, reason: str) -> None:
        if self._puzzle != item.number:
            self._heading(item)
        if shown:
            print(f"{path.steps[0]}\n{drawing(path.steps[0])}")
            return
        if path.ended == "contradiction":
            print(f"no solution: {reason}")
        elif path.ended == "stuck":
            print(f"stuck: {reason}")
        else:
            number = len(path.steps)
            hardest = f" in {number} {plural('step', number)}; the hardest is {path.hardest}" if number else ""
            print(f"solved{hardest}" if number else "solved: no cell is blank")
        if self.every and path.ended != "contradiction":
            print(end(path))

    def _record(
        self, item: "SourceItem", path: "SolvePath | None", status: str, reason: str, seconds: float | None
    ) -> None:
        record: dict[str, Any] = item.place.record(status, None, seconds)
        if status == "step" and path is not None:
            record |= step_record(path.steps[0].step(), path.puzzle.geometry)
        elif status == "bad input":
            record |= {"reason": reason}
        else:
            steps = self._n_steps if self._puzzle == item.number else 0
            blanks = None if path is None else path.n_blanks
            hardest = None if path is None else path.hardest or None
            record |= {"steps": steps, "hardest": hardest, "blanks": blanks, "reason": reason or None}
        print(json.dumps(record), flush=True)


def _status(item: "SourceItem", answer: "SolvePath | StoppedError | None") -> tuple[str, str]:
    """Return the status of a puzzle, and its reason if there is one."""
    from sudoku_encode.questions.hinting import CONTRADICTION, STUCK, SolvePath

    if answer is None:
        return "bad input", str(getattr(item.entry.content, "message", ""))
    if not isinstance(answer, SolvePath):
        return stopped_status(str(answer)), str(answer)
    if answer.ended == CONTRADICTION:
        return "no solution", answer.reason
    if answer.ended == STUCK:
        blanks = f"{answer.n_blanks} {plural('blank', answer.n_blanks)} left"
        return "stuck", f"{blanks}, and no technique applies; this is so for a puzzle with several solutions"
    return answer.ended, ""


def step_record(step: Step, board: "Geometry") -> dict[str, Any]:
    """Return the fields of a step's record after its first keys."""
    record = step.record(board)
    return {
        "step": step.data["step"],
        "technique": step.rule,
        "family": step.data["family"],
        "cells": record["because"],
        "pattern": Step("", removes=step.data["pattern"]).record(board)["removes"],
        "removes": record["removes"],
        "places": record["places"],
        "text": step.text,
    }


# Steps as text: a sentence, and the board with small digits and marks.

LEGEND = "*: cells of the step; -4: removed; +4: placed"


def drawing(hint: "Hint") -> str:
    """Return the board before a step, with a star at its cells, a minus at removed and a plus at placed candidates."""
    import numpy as np

    from sudoku_encode.render.text import draw

    board = hint.puzzle.geometry
    removed, placed = set(hint.removes), set(hint.places)
    gap = "," if board.n_values > 9 else ""
    texts = {}
    # Hidden cells are not on the board.
    for cell in {cell for cell, _ in removed | placed if cell < board.n_cells}:
        marked = [
            f"{'+' if (cell, value) in placed else '-' if (cell, value) in removed else ''}{board.shown(value)}"
            for value in (np.flatnonzero(hint.candidates[cell]) + 1).tolist()
        ]
        texts[cell] = gap.join(marked)
    cells = sorted(cell for cell in set(hint.cells) if cell < board.n_cells)
    text = draw(board, hint.values, candidates=hint.candidates, ascii=not has_lines(), marked=cells, texts=texts)
    return f"{text}\n{LEGEND}"


def table() -> Iterator[str]:
    """Yield a line for each technique, from simple to hard."""
    rows = TECHNIQUES.values()
    names, families = max(len(row.name) for row in rows), max(len(row.family) for row in rows)
    for row in rows:
        unique = " Only with --assume-unique." if row.assumes_unique else ""
        yield f"{row.name:<{names}}  {row.family:<{families}}  {row.says}{unique}"


def end(answer: "SolvePath") -> str:
    """Return the board after the steps."""
    from sudoku_encode.render.text import draw

    candidates = answer.left if answer.n_blanks else None
    return draw(answer.puzzle.geometry, answer.values, candidates=candidates, ascii=not has_lines())
