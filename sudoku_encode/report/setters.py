"""Write the answers for setters: verdicts, steps by hand, and figures of difficulty."""

import math
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sudoku_encode.errors import plural
from sudoku_encode.puzzles.step import Step
from sudoku_encode.questions.table import FIGURES
from sudoku_encode.report.answers import AnswerReport, line_of, puzzle_of
from sudoku_encode.report.printing import as_json, grid_texts, prefix, row
from sudoku_encode.report.reading import PuzzleInput
from sudoku_encode.report.streams import has_lines, remark
from sudoku_encode.run.asking import Answer, Numbered
from sudoku_encode.run.events import Event, emit
from sudoku_encode.run.status import INCOMPLETE, Status, status_of_count

if TYPE_CHECKING:
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.answers import BatchAnswer, PuzzleAnswer
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.questions.checking import CheckQuestion, Unique, Verdict
    from sudoku_encode.questions.hinting import Hint, SolvePath
    from sudoku_encode.questions.rating import Rating
    from sudoku_encode.render.picture import Picture
    from sudoku_encode.run.counting import Count
    from sudoku_encode.run.limits import Limits


class CheckReport(AnswerReport["Verdict"]):
    """Writes verdicts with their details.

    Args:
        source: where the puzzles are from.
        form: `text`, `json` or `csv`.
        question: what was asked.
        prove: the folder for a certificate of a puzzle without a solution; None for no certificate.
        limits: for the certificate.
    """

    doing = "checking ..."
    columns = ("reason",)
    negative = frozenset((Status.NO_SOLUTION, Status.SEVERAL))

    def __init__(
        self,
        source: PuzzleInput,
        form: str,
        question: "CheckQuestion | None" = None,
        prove: str | None = None,
        limits: "Limits | None" = None,
    ) -> None:
        super().__init__(source, form)
        self.question, self.prove, self.limits = question, prove, limits
        self.certificate: str | None = None

    def write_words(self, answered: "Iterable[PuzzleAnswer | BatchAnswer]") -> int:
        """Write a word or a short record for each of many puzzles, and return the exit status."""
        from sudoku_encode.methods.answers import BatchAnswer

        self.print_header()
        with self.display() as shown:
            for answer in answered:
                shown.hide()
                sys.stdout.write(self._words(answer))
                if not isinstance(answer, BatchAnswer):
                    sys.stdout.flush()
                shown.advance(len(answer.counts) if isinstance(answer, BatchAnswer) else 1)
        return self.exit_status()

    def _words(self, answer: "PuzzleAnswer | BatchAnswer") -> str:
        """Return the lines for a puzzle or a batch of them."""
        import numpy as np

        from sudoku_encode.methods.answers import BatchAnswer

        if isinstance(answer, BatchAnswer):
            counts = np.minimum(answer.counts, 2).tolist()
            self.seen |= {_WORDS[count] for count in set(counts)}
            if self.table is not None:
                self.table.put(answer.located, _batch_columns(answer, counts))
                return ""
            if self.form == "text":
                return "".join([f"{_WORDS[count]}\n" for count in counts])
            return _batch_records(answer, counts, self.form)
        word = _word(answer.count)
        if word != Status.BAD_INPUT:
            self.seen.add(word)
        reason = answer.count.stopped if answer.count is not None else str(getattr(answer.entry.content, "message", ""))
        reason = "" if word in _WORDS else reason
        if self.form == "text":
            return f"# puzzle {answer.located.number}: {word}: {reason}\n" if reason else f"{word}\n"
        record = answer.located.place.record(word, answer.method or None, answer.seconds) | {"reason": reason or None}
        if self.table is not None:
            record["givens"] = None if word == Status.BAD_INPUT else line_of(puzzle_of(answer.located))
            self.table.put(answer.located, {name: [value] for name, value in record.items()})
            return ""
        return f"{as_json(record) if self.form == 'json' else row(record.values())}\n"

    def put(self, item: "SourceItem", answer: "Answer[Verdict] | None") -> None:
        """Write the verdict; certify first that there is no solution, if that was asked for."""
        from sudoku_encode.questions.checking import NoSolution

        self.certificate = None
        if answer is not None and isinstance(answer.value, NoSolution) and self.prove is not None:
            self.certificate = _certify(self.source, item.number, answer.value.puzzle, self.prove, self.limits)
        super().put(item, answer)

    def heading(self, item: "SourceItem") -> str:
        """Return the number of the puzzle."""
        return f"# puzzle {item.number}"

    def reason(self, item: "SourceItem", answer: "Answer[Verdict]") -> str:
        """Return why the check ended early, or in a table why there is no solution; the details say that otherwise."""
        return answer.stopped or (super().reason(item, answer) if self.form in ("csv", "table") else "")

    def remark(self, answer: "Answer[Verdict]", reason: str) -> str:
        """Return why the check stopped, or which options had no effect."""
        if answer.stopped:
            return f"not known; stopped: {reason}"
        if self.question is not None and self.question.seed is not None and answer.status != Status.UNIQUE:
            return "nothing to minimize: the puzzle is not unique"
        if self.question is not None and self.question.towards is not None and answer.status != Status.SEVERAL:
            return "no extra givens are needed: the puzzle is unique"
        if self.prove is not None and answer.status != Status.NO_SOLUTION:
            return "nothing clashes, so there is no certificate"
        return ""

    def fields(self, item: "SourceItem", answer: "Answer[Verdict] | None", reason: str) -> dict[str, Any]:
        """Return the details of the verdict."""
        if answer is None or answer.value is None or answer.stopped:
            return {"reason": reason}
        fields = verdict_fields(puzzle_of(item), answer.value)
        return fields | {"certificate": self.certificate} if "clash" in fields else fields

    def text(self, item: "SourceItem", answer: "Answer[Verdict]", value: "Verdict") -> str:
        """Return drawings and sentences."""
        return verdict_text(puzzle_of(item), value, self.certificate, ascii=not has_lines())


def _certify(source: PuzzleInput, number: int, puzzle: "Puzzle", folder: str, limits: "Limits | None") -> str | None:
    """Certify that a puzzle has no solution, and return the folder; None if that was stopped."""
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving.batches import certify_each
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.solvers.table import DEFAULT_PROVER

    path = source.folder_of(Path(folder), number)
    # The check proved that there is no solution, so a single one would show a fault.
    within = Limits(1) if limits is None else replace(limits, solutions=1)
    ((_, answer),) = certify_each([(number, puzzle)], lambda number: path, within, DEFAULT_PROVER)
    if isinstance(answer, StoppedError):
        remark(f"{prefix(number, source)}not certified; stopped: {answer}")
        return None
    _, checked = answer
    remark(f"{path}: {checked.count} solutions, proved; checked by {' and '.join(checked.checkers)}")
    return str(path)


_WORDS = (Status.NO_SOLUTION, Status.UNIQUE, Status.SEVERAL)


def _word(count: "Count | None") -> Status:
    """Return the status of a puzzle whose solutions were counted up to 2; two are enough to know."""
    if count is None:
        return Status.BAD_INPUT
    return Status.SEVERAL if count.value > 1 else status_of_count(count)


def _batch_columns(answer: "BatchAnswer", counts: list[int]) -> dict[str, Sequence[Any]]:
    """Return the columns of a batch by the names of the fields."""
    located, n = answer.located, len(counts)
    return {
        "file": [located.source] * n,
        "line": answer.block.lines.tolist(),
        "puzzle": range(located.number, located.number + n),
        "name": [None] * n,
        "status": [_WORDS[count] for count in counts],
        "method": [answer.method] * n,
        "seconds": [round(answer.seconds, 6)] * n,
        "givens": grid_texts(answer.block.board, answer.block.givens, "csv"),
        "reason": [None] * n,
    }


def _batch_records(answer: "BatchAnswer", counts: list[int], form: str) -> str:
    """Return the records of a batch, as texts that differ in a few places."""
    located, seconds = answer.located, round(answer.seconds, 6)
    numbers = range(located.number, located.number + len(counts))
    rows = zip(answer.block.lines.tolist(), numbers, counts, strict=True)
    if form == "csv":
        begin, ends = row([located.source]), [row([None, word, answer.method, seconds, None]) for word in _WORDS]
        return "".join([f"{begin},{line},{number},{ends[count]}\n" for line, number, count in rows])
    begin, method = f'{{"file": {as_json(located.source)}, "line": ', as_json(answer.method)
    ends = [
        f', "name": null, "status": "{word}", "method": {method}, "seconds": {seconds}, "reason": null}}\n'
        for word in _WORDS
    ]
    return "".join([f'{begin}{line}, "puzzle": {number}{ends[count]}' for line, number, count in rows])


def verdict_fields(puzzle: "Puzzle", verdict: "Verdict") -> dict[str, Any]:
    """Return the fields of a verdict's record after the first keys."""
    from sudoku_encode.questions.checking import NoSolution, Several, Unique

    names, listed = partial(_names, puzzle.geometry), puzzle.geometry.listed
    if isinstance(verdict, Unique):
        smaller = verdict.sub_puzzle
        return {
            "solution": listed(verdict.solution),
            "redundant": names(verdict.redundant),
            "undecided": names(verdict.undecided),
            **_of_constraints(puzzle, verdict),
            "minimal": verdict.minimal,
            "minimized": None if smaller is None else listed(smaller.puzzle.givens),
            "minimized_is_minimal": None if smaller is None else smaller.minimal,
            "seed": None if smaller is None else smaller.seed,
        }
    if isinstance(verdict, Several):
        return {
            "first": listed(verdict.first),
            "second": listed(verdict.second),
            "differing": names(verdict.differing),
            "count": verdict.count.value,
            "complete": verdict.count.complete,
            "towards": listed(verdict.wanted),
            "extra": dict(zip(names(verdict.extra), listed(verdict.wanted[list(verdict.extra)]), strict=True)),
            "fewest": verdict.fewest,
        }
    assert isinstance(verdict, NoSolution)
    fields = {"clash": names(verdict.clash), "irreducible": verdict.irreducible, "smallest": verdict.smallest}
    if verdict.parts is not None:
        fields["clashes"] = [
            {
                "givens": names([cell for cell, _ in clash.givens]),
                "units": list(clash.units),
                "constraints": list(clash.constraints),
            }
            for clash in verdict.parts.clashes
        ]
        fields |= {"smallest_clash": verdict.parts.smallest, "all_clashes": verdict.parts.complete}
    return fields


def _of_constraints(puzzle: "Puzzle", verdict: "Unique") -> dict[str, list[str]]:
    """Return the additional fields for a puzzle with constraints."""
    if not puzzle.constraints:
        return {}
    can_go, undecided = (
        [item.text(puzzle.geometry) for item in some]
        for some in (verdict.constraints.constraints, verdict.constraints.undecided)
    )
    return {"redundant_constraints": can_go, "undecided_constraints": undecided}


def _names(board: "Geometry", cells: Sequence[int]) -> list[str]:
    return [board.cell_name(cell) for cell in cells]


def verdict_text(puzzle: "Puzzle", verdict: "Verdict", certificate: str | None, *, ascii: bool) -> str:
    """Return the printed text for a puzzle checked in detail, without a newline at the end."""
    from sudoku_encode.questions.checking import Several, Unique, Unknown, sentences, sub_puzzle_sentence
    from sudoku_encode.render.text import draw

    if isinstance(verdict, Unknown):
        return "\n".join(sentences(verdict))

    def drawn(values: "Grids", marked: Sequence[int]) -> str:
        return draw(puzzle.geometry, values, ascii=ascii, marked=marked)

    if isinstance(verdict, Unique):
        lines = ["unique", drawn(verdict.solution, ()), *sentences(verdict)]
        if verdict.redundant:
            lines.insert(2, drawn(puzzle.givens, verdict.redundant))
        if (smaller := verdict.sub_puzzle) is not None:
            lines += [drawn(smaller.puzzle.givens, ()), sub_puzzle_sentence(smaller)]
    elif isinstance(verdict, Several):
        cells = verdict.differing
        of = f"{verdict.count} solutions" if verdict.count.complete else f"{verdict.count} solutions found"
        lines = ["several", f"{of}; two of them differ in {len(cells)} cells (*):"]
        lines += [drawn(verdict.first, cells), drawn(verdict.second, cells), *sentences(verdict)]
    else:
        lines = ["no solution", drawn(puzzle.givens, verdict.clash), *sentences(verdict)]
        lines += [f"certified in {certificate}"] if certificate else []
    return "\n".join(lines)


class HintReport(AnswerReport["SolvePath"]):
    """Writes steps, and how they end for each puzzle.

    Args:
        source: where the puzzles are from.
        form: `json` or a key of DRAWINGS.
        every: whether to print all steps.
    """

    doing = ""
    incomplete = INCOMPLETE | {Status.STUCK}

    def __init__(self, source: PuzzleInput, form: str, every: bool) -> None:
        super().__init__(source, form)
        self.every = every
        # The number of the current puzzle, and the number of its steps so far.
        self._puzzle, self._n_steps = 0, 0

    def observe(self, item: Numbered, event: Event) -> None:
        """Print a step of --all as it comes; emit other events."""
        if not isinstance(event, Step):
            emit(event)
            return
        if not self.every:
            return
        number, puzzle = item
        if self._puzzle != number:
            self.put_before(number)
            self._puzzle, self._n_steps = number, 0
            if self.form == "text" and self.source.many:
                print(super().heading(self.source.waiting[number]))
        self._n_steps += 1
        if self.form == "json":
            record = self.source.waiting[number].place.record(Status.STEP)
            print(as_json(record | step_fields(event, puzzle.geometry)), flush=True)
        else:
            print(f"{event.data['step']}. {event.text}", flush=True)

    def heading(self, item: "SourceItem") -> str:
        """Return the number and the name of the puzzle, unless they are printed above its steps."""
        return "" if self._puzzle == item.number else super().heading(item)

    def reason(self, item: "SourceItem", answer: "Answer[SolvePath]") -> str:
        """Return why the steps end, if that is not the solution."""
        if answer.value is None or answer.status not in (Status.STUCK, Status.NO_SOLUTION):
            return answer.stopped
        if answer.status == Status.NO_SOLUTION:
            return answer.value.reason
        blanks = f"{answer.value.n_blanks} {plural('blank', answer.value.n_blanks)} left"
        return f"{blanks}, and no technique applies; this is normal for a puzzle with several solutions"

    def remark(self, answer: "Answer[SolvePath]", reason: str) -> str:
        """Return why the work ended early."""
        return f"stopped: {reason}" if answer.stopped else ""

    def fields(self, item: "SourceItem", answer: "Answer[SolvePath] | None", reason: str) -> dict[str, Any]:
        """Return the fields of the only requested step, or how the steps end."""
        if answer is None:
            return {"reason": reason}
        path = answer.value
        if answer.status == Status.STEP and path is not None:
            return step_fields(path.steps[0].step(), path.puzzle.geometry)
        return {
            "steps": self._n_steps if self._puzzle == item.number else 0,
            "hardest": None if path is None else path.hardest or None,
            "blanks": None if path is None else path.n_blanks,
            "reason": reason or None,
        }

    def picture(self, value: "SolvePath") -> "Picture | None":
        """Return the picture of the only requested step."""
        from sudoku_encode.api.drawing import picture_of_hint

        return picture_of_hint(value.steps[0]) if value.steps and not self.every else None

    def text(self, item: "SourceItem", answer: "Answer[SolvePath]", value: "SolvePath") -> str:
        """Return the only requested step, or how the steps end."""
        if answer.status == Status.STEP:
            return f"{value.steps[0]}\n{hint_drawing(value.steps[0])}"
        if answer.status == Status.NO_SOLUTION:
            return f"no solution: {value.reason}"
        if answer.status == Status.STUCK:
            ends = f"stuck: {self.reason(item, answer)}"
        else:
            number = len(value.steps)
            hardest = f" in {number} {plural('step', number)}; the hardest is {value.hardest}"
            ends = f"solved{hardest}" if number else "solved: no cell is blank"
        return f"{ends}\n{_end_drawing(value)}" if self.every else ends


def step_fields(step: Step, board: "Geometry") -> dict[str, Any]:
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


_LEGEND = "*: cells of the step; -4: removed; +4: placed"


def hint_drawing(hint: "Hint") -> str:
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
    return f"{text}\n{_LEGEND}"


def _end_drawing(path: "SolvePath") -> str:
    """Return the board after the steps."""
    from sudoku_encode.render.text import draw

    candidates = path.left if path.n_blanks else None
    return draw(path.puzzle.geometry, path.values, candidates=candidates, ascii=not has_lines())


class RateReport(AnswerReport["Rating"]):
    """Writes figures of difficulty.

    Args:
        source: where the puzzles are from.
        form: `text`, `json` or `csv`.
        names: of the requested figures.
        sort: the figure to sort by, or None.
    """

    doing = "rating ..."
    negative = frozenset((Status.NO_SOLUTION, Status.SEVERAL))

    def __init__(self, source: PuzzleInput, form: str, names: tuple[str, ...], sort: str | None) -> None:
        super().__init__(source, form)
        self.names, self.sort = names, sort
        # The word for difficulty, which the technique stands for.
        word = ("difficulty",) if "technique" in names else ()
        self.columns = (*names, *word, "reason")
        self.added = {**dict.fromkeys(names, float), **dict.fromkeys(word, str), "reason": str}
        # The texts of the puzzles to sort, with the values to sort by.
        self._waiting: list[tuple[float, str]] = []
        self._key = math.inf

    def write(self, answered: "Iterable[tuple[SourceItem, Answer[Rating] | None]]") -> int:
        """Write the figures, sorted in the end if that was asked for, even after Ctrl-C."""
        try:
            return super().write(answered)
        finally:
            # Ties stay in the order of reading.
            for _, text in sorted(self._waiting, key=lambda pair: pair[0]):
                print(text)
            sys.stdout.flush()

    def put(self, item: "SourceItem", answer: "Answer[Rating] | None") -> None:
        """Write the figures, or keep them until all puzzles are rated."""
        value = None
        if self.sort is not None and answer is not None and answer.value is not None:
            value = answer.value.figures[self.sort].value
        self._key = math.inf if value is None else value
        super().put(item, answer)

    def print(self, text: str) -> None:
        """Print a text, or keep it to be sorted."""
        if self.sort is None:
            super().print(text)
        elif text:
            self._waiting.append((self._key, text))

    def reason(self, item: "SourceItem", answer: "Answer[Rating]") -> str:
        """Return why a figure is not known."""
        return answer.stopped

    def remark(self, answer: "Answer[Rating]", reason: str) -> str:
        """Return why a figure is not known."""
        return f"not all known; stopped: {reason}" if reason else ""

    def fields(self, item: "SourceItem", answer: "Answer[Rating] | None", reason: str) -> dict[str, Any]:
        """Return the number of solutions in a word, and the figures."""
        if answer is None:
            return {"reason": reason}
        rating, figures = answer.value, None
        if rating is not None:
            figures = {
                name: {"value": figure.value, **figure.data, "reason": figure.reason or None}
                for name, figure in rating.figures.items()
            }
        return {
            "solutions": rating and rating.status,
            "difficulty": rating and rating.difficulty,
            "figures": figures,
            "reason": reason or None,
        }

    def rows(self, answer: "Answer[Rating] | None", reason: str) -> Iterator[list[Any]]:
        """Yield a row with the values of the figures."""
        rating = None if answer is None else answer.value
        values = [None if rating is None else rating.figures[name].value for name in self.names]
        word = [rating and rating.difficulty] if "technique" in self.names else []
        yield [*values, *word, reason or None]

    def text(self, item: "SourceItem", answer: "Answer[Rating]", value: "Rating") -> str:
        """Return the figures, a line each."""
        lines = [value.status]
        if value.difficulty is not None:
            lines.append(f"{'difficulty':<{_WIDTH}}  {value.difficulty}")
        for figure in value.figures.values():
            text = figure.text if figure.value is not None else f"not known: {figure.reason}"
            if figure.value is None and figure.reason != value.stopped:
                text = f"not computed: {figure.reason}"
            lines.append(f"{figure.name:<{_WIDTH}}  {text}")
        return "\n".join(lines)


_WIDTH = max(map(len, (*FIGURES, "difficulty")))
