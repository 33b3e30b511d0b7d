"""The command hint."""

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sudoku_encode.cli import hint_text, options
from sudoku_encode.cli.answers import Outcome
from sudoku_encode.cli.pictures import put, refuse_terminal
from sudoku_encode.cli.printing import prefix
from sudoku_encode.cli.reading import PuzzleInput
from sudoku_encode.cli.records import stopped_status
from sudoku_encode.cli.remarks import remark
from sudoku_encode.errors import SudokuError, plural
from sudoku_encode.puzzles.step import Step
from sudoku_encode.questions.techniques.table import TECHNIQUES, chosen
from sudoku_encode.render.table import DRAWINGS
from sudoku_encode.run.events import Event, emit

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.errors import StoppedError
    from sudoku_encode.formats.entries import Located
    from sudoku_encode.methods.asking import Numbered
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.questions.hinting import SolvePath

    # What was found, or what stopped it, and the seconds that took.
    Answer = tuple[SolvePath | StoppedError, float]


def command(
    given: options.PuzzleOptions,
    *,
    every: Annotated[bool, typer.Option("--all", help="All steps to the end, each a line.")] = False,
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
        typer.Option(
            "--assume-unique", help="Use techniques too that take for granted that a puzzle has one solution."
        ),
    ] = False,
    techniques: Annotated[
        bool, typer.Option("--techniques", help="List the techniques, from simple to hard, and do nothing else.")
    ] = False,
    to: Annotated[
        str, typer.Option(help="What to print: text, or a picture in another form.", **options.one_of(DRAWINGS))
    ] = "text",
    limits: options.LimitOptions,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Print the next step by which each puzzle is solved by hand: what the simplest technique finds, and why.

    A sentence says which technique, in which cells, why, and what goes or is placed; below it is the board, where stars
    are at the cells that the step is about, a minus before what goes, and a plus before what is placed. Steps are sound
    for puzzles with several solutions too, but for those of --assume-unique.

    A setter who wants to know where a puzzle gets hard looks at all steps: hint puzzle.txt --all; whether there is an
    X-wing as it stands: hint puzzle.txt --technique X-wing.

    The exit status is 1 where a puzzle is seen to have no solution, and 3 where no technique finds anything, or none to
    the end with --all; so it is with a puzzle that has several solutions.
    """
    if as_json and to != "text":
        raise SudokuError(f"--json is for steps as data, --to {to} for a picture: leave one of them out")
    if techniques:
        _list_techniques(given, every or assume_unique or bool(technique) or as_json or to != "text")
        return
    if every and to != "text":
        raise SudokuError(f"--to {to} is a picture of one step: leave out --all")
    if technique and assume_unique:
        raise SudokuError("--assume-unique is for all techniques: one that is named is used anyway")
    from sudoku_encode.questions.hint_asking import hints_each

    refuse_terminal(to)
    source, pool = PuzzleInput(given), work.pool()
    printer = _Printer(source, Outcome(), "json" if as_json else to, every)
    rows = chosen(technique or None, assume_unique)

    def ask(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, Answer]]":
        most = None if every else 1
        for item, found, seconds in hints_each(puzzles, rows, limits.limits(), most, printer.observe, pool):
            yield item, (found, seconds)

    for one, answer in source.answered(ask):
        printer.end(one, answer)
    raise typer.Exit(printer.outcome.status(source))


def _list_techniques(given: options.PuzzleOptions, others: bool) -> None:
    if others or any(value is not None and value != [] for value in given):
        raise SudokuError("--techniques lists the techniques, and takes no puzzle and no other option")
    for line in hint_text.table():
        print(line)


class _Printer:
    """Prints steps, and how it ended with each puzzle.

    Args:
        source: where the puzzles are from.
        outcome: takes what the exit status depends on.
        form: `json` or a key of DRAWINGS.
        every: whether all steps are wanted.
    """

    def __init__(self, source: PuzzleInput, outcome: Outcome, form: str, every: bool) -> None:
        self.source, self.outcome, self.form, self.every = source, outcome, form, every
        # The number of the puzzle whose steps are printed now, and how many it has had.
        self._puzzle, self._n_steps = 0, 0

    def observe(self, item: "Numbered", event: Event) -> None:
        """Print a step of many as it comes; pass on what else happens."""
        if not isinstance(event, Step):
            emit(event)
            return
        if not self.every:
            return
        number, puzzle = item
        if self._puzzle != number:
            # What was read before it, and is no puzzle, has its place before these steps.
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

    def end(self, one: "Located", answer: "Answer | None") -> None:
        """Print how it ended with a puzzle, the step alone where one is wanted, or what is wrong with the puzzle."""
        from sudoku_encode.api.drawn import picture_of_hint
        from sudoku_encode.questions.hinting import SolvePath

        found, seconds = answer if answer is not None else (None, None)
        known = found if isinstance(found, SolvePath) else None
        status, reason = _status(one, found)
        shown = known is not None and bool(known.steps) and not self.every
        status = "step" if shown else status
        self.outcome.note_status(status)
        self.outcome.incomplete |= status == "stuck"
        if found is not None and known is None:
            remark(f"{prefix(one.number, self.source)}stopped: {reason}")
        if self.form == "json":
            self._record(one, known, status, reason, seconds)
        elif shown and known is not None and self.form != "text":
            put(picture_of_hint(known.steps[0]), self.form, self.source.many)
        elif known is not None:
            self._text(one, known, shown, reason)
        elif self.source.many:
            print(f"# puzzle {one.number}: {status}: {reason}")

    def _heading(self, one: "Located") -> None:
        if self.source.many:
            name = getattr(one.entry.found, "name", "")
            print(f"# puzzle {one.number}{': ' + name if name else ''}")

    def _text(self, one: "Located", found: "SolvePath", shown: bool, reason: str) -> None:
        if self._puzzle != one.number:
            self._heading(one)
        if shown:
            print(f"{found.steps[0]}\n{hint_text.drawing(found.steps[0])}")
            return
        if found.ended == "contradiction":
            print(f"no solution: {reason}")
        elif found.ended == "stuck":
            print(f"stuck: {reason}")
        else:
            number = len(found.steps)
            hardest = f" in {number} {plural('step', number)}; the hardest is {found.hardest}" if number else ""
            print(f"solved{hardest}" if number else "solved: no cell is blank")
        if self.every and found.ended != "contradiction":
            print(hint_text.end(found))

    def _record(
        self, one: "Located", found: "SolvePath | None", status: str, reason: str, seconds: float | None
    ) -> None:
        record: dict[str, Any] = one.place.record(status, None, seconds)
        if status == "step" and found is not None:
            record |= step_record(found.steps[0].step(), found.puzzle.geometry)
        elif status == "bad input":
            record |= {"reason": reason}
        else:
            steps = self._n_steps if self._puzzle == one.number else 0
            blanks = None if found is None else found.n_blanks
            hardest = None if found is None else found.hardest or None
            record |= {"steps": steps, "hardest": hardest, "blanks": blanks, "reason": reason or None}
        print(json.dumps(record), flush=True)


def _status(one: "Located", found: "SolvePath | StoppedError | None") -> tuple[str, str]:
    """Return a word for how it ended with a puzzle, and a reason if there is one."""
    from sudoku_encode.questions.hinting import CONTRADICTION, STUCK, SolvePath

    if found is None:
        return "bad input", str(getattr(one.entry.found, "message", ""))
    if not isinstance(found, SolvePath):
        return stopped_status(str(found)), str(found)
    if found.ended == CONTRADICTION:
        return "no solution", found.reason
    if found.ended == STUCK:
        blanks = f"{found.n_blanks} {plural('blank', found.n_blanks)} left"
        return "stuck", f"{blanks}, and none of the techniques finds anything; a puzzle with several solutions ends so"
    return found.ended, ""


def step_record(step: Step, board: "Geometry") -> dict[str, Any]:
    """Return the fields of a step's record after its first keys."""
    known = step.record(board)
    return {
        "step": step.data["step"],
        "technique": step.rule,
        "family": step.data["family"],
        "cells": known["because"],
        "pattern": Step("", removes=step.data["pattern"]).record(board)["removes"],
        "removes": known["removes"],
        "places": known["places"],
        "text": step.text,
    }
