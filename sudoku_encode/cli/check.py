"""The command check: whether puzzles are unique, and the details for setters."""

import json
import sys
from collections.abc import Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NamedTuple

import typer

from sudoku_encode.cli import options
from sudoku_encode.cli.printing import prefix, progress
from sudoku_encode.cli.reading import PuzzleInput, status_of_all
from sudoku_encode.cli.records import as_json as json_text
from sudoku_encode.cli.records import status, stopped_status
from sudoku_encode.cli.streams import has_lines, remark
from sudoku_encode.errors import SudokuError
from sudoku_encode.formats.place import Place
from sudoku_encode.run.counting import Count

if TYPE_CHECKING:
    from collections.abc import Iterator

    from sudoku_encode.cli.reading import Numbered
    from sudoku_encode.formats.entries import SourceItem
    from sudoku_encode.methods.answers import BatchAnswer, PuzzleAnswer
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle
    from sudoku_encode.questions.checking import CheckOptions, Unique, Verdict
    from sudoku_encode.run.limits import Limits


def command(
    given: options.PuzzleOptions,
    *,
    minimize: Annotated[
        bool,
        typer.Option("--minimize", help="For a unique puzzle, print a minimal sub-puzzle."),
    ] = False,
    seed: Annotated[
        int | None,
        typer.Option(
            min=0,
            max=2**32 - 1,
            help="The order in which --minimize removes givens: each seed may lead to another sub-puzzle. By default "
            "0.",
            show_default=False,
        ),
    ] = None,
    towards: Annotated[
        str | None,
        typer.Option(
            metavar="SOLUTION",
            help="For a puzzle with several solutions, the one that extra givens should single out: a file or the "
            "text. By default the first one found.",
            show_default=False,
        ),
    ] = None,
    prove: Annotated[
        str | None,
        typer.Option(
            metavar="FOLDER",
            help="For a puzzle without a solution, certify that the clashing givens exclude all; see `prove`.",
            show_default=False,
        ),
    ] = None,
    details: Annotated[
        bool, typer.Option("--details", help="Print for each of many puzzles the same details as for one.")
    ] = False,
    limits: options.LimitOptions,
    as_json: options.Json = False,
    work: options.WorkOptions,
) -> None:
    """Check whether each puzzle has one solution, several or none, and answer a setter's follow-up questions.

    For many puzzles it prints one word per puzzle, unless --details is given. The exit status is 0 if all are unique, 1
    if one is not, and 3 if that is unknown.

    Details:

    One solution: which givens and constraints are redundant, one at a time. Several: two solutions with their
    differences, the number of solutions if it is quick to count, and extra givens that make the puzzle unique. None:
    clashing givens. The search for as few givens as possible ends after --timeout, by default ten seconds; only a
    proved minimum is called the fewest.
    """
    if seed is not None and not minimize:
        raise SudokuError("--seed has no effect without --minimize")
    source = PuzzleInput(given)
    located = source.located()
    first = next(located)
    located = chain([first], located)
    if not source.many or details:
        wishes = _CheckOptions((seed or 0) if minimize else None, towards, prove)
        seen = _in_detail(source, located, wishes, limits.limits(), as_json, work)
    else:
        for name, value in (("--minimize", minimize), ("--towards", towards), ("--prove", prove)):
            if value:
                raise SudokuError(f"{name} is for one puzzle, or for many with --details")
        seen = _many(source, located, limits.limits(2), as_json, work)
    raise typer.Exit(status_of_all(seen, source))


def _many(
    source: PuzzleInput, located: "Iterator[SourceItem]", limits: "Limits", as_json: bool, work: options.WorkOptions
) -> set[str]:
    """Print a word or a short record for each puzzle, and return the set of words."""
    from sudoku_encode.methods.answers import BatchAnswer, Question, answers
    from sudoku_encode.methods.options import Options
    from sudoku_encode.run.events import emit

    question, seen = Question("auto", limits, Options(), pool=work.pool()), set[str]()
    with progress("checking ...", total=source.total) as shown:
        for answer in answers(located, question, lambda item, event: emit(event)):
            shown.hide()
            words, text = answer_lines(answer, as_json)
            seen |= words
            sys.stdout.write(text)
            if not isinstance(answer, BatchAnswer):
                sys.stdout.flush()
            shown.advance(len(answer.counts) if isinstance(answer, BatchAnswer) else 1)
    return seen


class _CheckOptions(NamedTuple):
    """The options for puzzles checked in detail."""

    seed: int | None
    towards: str | None
    prove: str | None

    def wishes(self, first: "SourceItem") -> "CheckOptions":
        """Return the options of the check; with --towards, `first` is the only puzzle.

        Raises:
            SudokuError: the solution of --towards is not a grid of the puzzle's board.
        """
        from sudoku_encode.formats.reading import read
        from sudoku_encode.puzzles.puzzle import Puzzle
        from sudoku_encode.questions.checking import CheckOptions

        puzzle = next(first.singles()).entry.content
        if self.towards is None or not isinstance(puzzle, Puzzle):
            return CheckOptions(self.seed)
        return CheckOptions(self.seed, read(self.towards, board=puzzle.geometry).givens)


def _in_detail(
    source: PuzzleInput,
    located: "Iterator[SourceItem]",
    details: _CheckOptions,
    limits: "Limits",
    as_json: bool,
    work: options.WorkOptions,
) -> set[str]:
    """Print the details of each puzzle, and return the statuses."""
    from sudoku_encode.puzzles.puzzle import Puzzle
    from sudoku_encode.questions.checking import NoSolution, check_each

    first = next(located)
    if details.towards is not None and source.many:
        raise SudokuError("--towards is for one puzzle: another has other solutions")
    wishes, seen, pool = details.wishes(first), set[str](), work.pool()

    def checked(puzzles: "Iterator[Numbered]") -> "Iterator[tuple[Numbered, tuple[Verdict, float]]]":
        for item, answer, seconds in check_each(puzzles, limits, wishes, pool):
            yield item, (answer, seconds)

    with progress("checking ...", total=source.total) as shown:
        for item, answer in source.answered(checked, chain([first], located)):
            shown.advance(1)
            shown.hide()
            puzzle = item.entry.content
            if answer is None or not isinstance(puzzle, Puzzle):
                _print_bad(item, source, as_json)
                continue
            verdict, seconds = answer
            record, certificate = record_of(puzzle, verdict, item.place, seconds), None
            if isinstance(verdict, NoSolution) and details.prove is not None:
                certificate = _certificate(source, item.number, verdict.puzzle, details.prove, limits)
            seen.add(record["status"])
            if "clash" in record:
                record["certificate"] = certificate
            if as_json:
                print(json.dumps(record), flush=True)
            else:
                heading = f"# puzzle {item.number}\n" if source.many else ""
                print(heading + text_of(puzzle, verdict, certificate, ascii=not has_lines()), flush=True)
            _remark(verdict, details, prefix(item.number, source))
    return seen


def _print_bad(item: "SourceItem", source: PuzzleInput, as_json: bool) -> None:
    """Print an invalid puzzle in its place; the error was already reported on standard error."""
    message = getattr(item.entry.content, "message", "")
    if as_json:
        print(json.dumps(item.place.record("bad input") | {"reason": message}), flush=True)
    elif source.many:
        print(f"# puzzle {item.number}: bad input: {message}", flush=True)


def _remark(verdict: "Verdict", details: _CheckOptions, before: str) -> None:
    """Remark on standard error why the check stopped, and which options had no effect."""
    from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown

    if isinstance(verdict, Unknown):
        remark(f"{before}not known; stopped: {verdict.why}")
        return
    if details.seed is not None and not isinstance(verdict, Unique):
        remark(f"{before}nothing to minimize: the puzzle is not unique")
    if details.towards is not None and not isinstance(verdict, Several):
        remark(f"{before}no extra givens are needed: the puzzle is unique")
    if details.prove is not None and not isinstance(verdict, NoSolution):
        remark(f"{before}nothing clashes, so there is no certificate")


def _certificate(source: PuzzleInput, number: int, puzzle: "Puzzle", folder: str, limits: "Limits") -> str | None:
    """Certify that a puzzle has no solution, and return the folder; None if that was stopped."""
    from sudoku_encode.errors import StoppedError
    from sudoku_encode.proving.batches import certify_each
    from sudoku_encode.proving.folder import WRITTEN
    from sudoku_encode.run.limits import Limits
    from sudoku_encode.solvers.table import DEFAULT_PROVER
    from sudoku_encode.storage.outputs import refuse_inputs

    path = Path(folder) / str(number) if source.many else Path(folder)
    refuse_inputs(source.inputs, *(path / name for name in WRITTEN))
    # The check proved that there is no solution, so a single one would show a fault.
    within = Limits(1, limits.seconds, limits.memory)
    ((_, answer),) = certify_each([(number, puzzle)], lambda number: path, within, DEFAULT_PROVER)
    if isinstance(answer, StoppedError):
        remark(f"{prefix(number, source)}not certified; stopped: {answer}")
        return None
    _, checked = answer
    remark(f"{path}: {checked.count} solutions, proved; checked by {' and '.join(checked.checkers)}")
    return str(path)


# Drawings and sentences, or records.

_WORDS = ("no solution", "unique", "several")


def answer_lines(answer: "PuzzleAnswer | BatchAnswer", as_json: bool) -> tuple[set[str], str]:
    """Return the words for a batch of puzzles, and their lines with a word or a short record each."""
    import numpy as np

    from sudoku_encode.methods.answers import BatchAnswer

    if isinstance(answer, BatchAnswer):
        counts = np.minimum(answer.counts, 2).tolist()
        words = {_WORDS[count] for count in set(counts)}
        if not as_json:
            return words, "".join([f"{_WORDS[count]}\n" for count in counts])
        return words, _block_records(answer, counts)
    word = _word(answer.count)
    reason = answer.count.stopped if answer.count is not None else str(getattr(answer.entry.content, "message", ""))
    if as_json:
        record = answer.located.place.record(word, answer.method or None, answer.seconds)
        return {word}, json_text(record | {"reason": None if word in _WORDS else reason}) + "\n"
    shown = word if word in _WORDS else f"# puzzle {answer.located.number}: {word}: {reason}"
    return {word} - {"bad input"}, f"{shown}\n"


def _word(count: Count | None) -> str:
    """Return the word for a count up to 2."""
    if count is not None and count.value > 1:
        return "several"
    return status(count, False)


def _block_records(answer: "BatchAnswer", counts: list[int]) -> str:
    located, seconds = answer.located, round(answer.seconds, 6)
    begin = f'{{"file": {json_text(located.source)}, "line": '  # type: ignore[arg-type]
    method = json_text(answer.method)  # type: ignore[arg-type]
    ends = [
        f', "name": null, "status": "{word}", "method": {method}, "seconds": {seconds}, "reason": null}}\n'
        for word in _WORDS
    ]
    numbers = range(located.number, located.number + len(counts))
    rows = zip(answer.block.lines.tolist(), numbers, counts, strict=True)
    return "".join([f'{begin}{line}, "puzzle": {number}{ends[count]}' for line, number, count in rows])


def record_of(puzzle: "Puzzle", verdict: "Verdict", place: Place, seconds: float) -> dict[str, Any]:
    """Return the record of a puzzle checked in detail."""
    from sudoku_encode.questions.checking import NoSolution, Several, Unique

    names, listed = partial(_names, puzzle.geometry), puzzle.geometry.listed
    if isinstance(verdict, Unique):
        smaller = verdict.sub_puzzle
        return place.record("unique", "auto", seconds) | {
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
        return place.record("several", "auto", seconds) | {
            "first": listed(verdict.first),
            "second": listed(verdict.second),
            "differing": names(verdict.differing),
            "count": verdict.count.value,
            "complete": verdict.count.complete,
            "towards": listed(verdict.wanted),
            "extra": dict(zip(names(verdict.extra), listed(verdict.wanted[list(verdict.extra)]), strict=True)),
            "fewest": verdict.fewest,
        }
    if isinstance(verdict, NoSolution):
        return place.record("no solution", "auto", seconds) | {
            "clash": names(verdict.clash),
            "irreducible": verdict.irreducible,
            "smallest": verdict.smallest,
            "certificate": None,
        }
    return place.record(stopped_status(verdict.why), "auto", seconds) | {"reason": verdict.why}


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


def text_of(puzzle: "Puzzle", verdict: "Verdict", certificate: str | None, *, ascii: bool) -> str:
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
