"""What the command check prints: drawings and sentences, or records."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_encode.cli.records import as_json as json_text
from sudoku_encode.cli.records import status, stopped_status
from sudoku_encode.formats.place import Place
from sudoku_encode.methods.question import Answer, BlockAnswer
from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown, Verdict
from sudoku_encode.questions.verdict_words import sentences, sub_puzzle_sentence
from sudoku_encode.render.text import draw
from sudoku_encode.run.counting import Count

if TYPE_CHECKING:
    from sudoku_encode.puzzles.geometry import Geometry
    from sudoku_encode.puzzles.puzzle import Grids, Puzzle

_WORDS = ("no solution", "unique", "several")


def answer_lines(answer: Answer | BlockAnswer, as_json: bool) -> tuple[set[str], str]:
    """Return the words for some of many puzzles, and their lines: a word each, or a short record each."""
    if isinstance(answer, BlockAnswer):
        counts = np.minimum(answer.counts, 2).tolist()
        words = {_WORDS[count] for count in set(counts)}
        if not as_json:
            return words, "".join([f"{_WORDS[count]}\n" for count in counts])
        return words, _block_records(answer, counts)
    word = _word(answer.count)
    reason = answer.count.stopped if answer.count is not None else str(getattr(answer.entry.found, "message", ""))
    if as_json:
        known = word in _WORDS
        record = answer.located.place.record(word, answer.method or None, answer.seconds)
        return {word}, json_text(record | {"reason": None if known else reason}) + "\n"
    shown = word if word in _WORDS else f"# puzzle {answer.located.number}: {word}: {reason}"
    return {word} - {"bad input"}, f"{shown}\n"


def _word(count: Count | None) -> str:
    """Say in a word what a count up to 2 tells."""
    if count is not None and count.value > 1:
        return "several"
    return status(count, False)


def _block_records(answer: BlockAnswer, counts: list[int]) -> str:
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


def record_of(puzzle: "Puzzle", verdict: Verdict, place: Place, seconds: float) -> dict[str, Any]:
    """Return the record of a puzzle that was checked in detail."""
    names = partial(_names, puzzle.geometry)
    if isinstance(verdict, Unique):
        smaller = verdict.sub_puzzle
        return place.record("unique", "auto", seconds) | {
            "solution": verdict.solution.tolist(),
            "redundant": names(verdict.redundant),
            "undecided": names(verdict.undecided),
            **_of_constraints(puzzle, verdict),
            "minimal": verdict.minimal,
            "minimized": None if smaller is None else smaller.puzzle.givens.tolist(),
            "minimized_is_minimal": None if smaller is None else smaller.minimal,
            "seed": None if smaller is None else smaller.seed,
        }
    if isinstance(verdict, Several):
        return place.record("several", "auto", seconds) | {
            "first": verdict.first.tolist(),
            "second": verdict.second.tolist(),
            "differing": names(verdict.differing),
            "count": verdict.count.value,
            "complete": verdict.count.complete,
            "towards": verdict.wanted.tolist(),
            "extra": dict(zip(names(verdict.extra), verdict.wanted[list(verdict.extra)].tolist(), strict=True)),
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


def _of_constraints(puzzle: "Puzzle", verdict: Unique) -> dict[str, list[str]]:
    """Return the fields that puzzles with constraints have besides."""
    if not puzzle.constraints:
        return {}
    can_go, undecided = (
        [one.text(puzzle.geometry) for one in some]
        for some in (verdict.constraints.constraints, verdict.constraints.undecided)
    )
    return {"redundant_constraints": can_go, "undecided_constraints": undecided}


def _names(board: "Geometry", cells: Sequence[int]) -> list[str]:
    return [board.cell_name(cell) for cell in cells]


def text_of(puzzle: "Puzzle", verdict: Verdict, certificate: str | None, *, ascii: bool) -> str:
    """Return what is printed of a puzzle that was checked in detail, without a newline at the end."""
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
