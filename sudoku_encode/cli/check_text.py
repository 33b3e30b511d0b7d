"""What the command check prints: drawings and sentences, or records."""

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from sudoku_encode.cli.records import as_json as json_text
from sudoku_encode.cli.records import status, stopped_status
from sudoku_encode.errors import plural
from sudoku_encode.formats.place import Place
from sudoku_encode.methods.question import Answer, BlockAnswer
from sudoku_encode.questions.checking import NoSolution, Several, Unique, Unknown, Verdict
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
    reason = answer.count.stopped if answer.count else str(getattr(answer.entry.found, "message", ""))
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


def _names(board: "Geometry", cells: Sequence[int]) -> list[str]:
    return [board.cell_name(cell) for cell in cells]


def text_of(puzzle: "Puzzle", verdict: Verdict, certificate: str | None, *, ascii: bool) -> str:
    """Return what is printed of a puzzle that was checked in detail, without a newline at the end."""
    if isinstance(verdict, Unknown):
        return f"not known: {verdict.why}" + (", after one solution was found" if verdict.solution is not None else "")

    def drawn(values: "Grids", marked: Sequence[int]) -> str:
        return draw(puzzle.geometry, values, ascii=ascii, marked=marked)

    names = partial(_names, puzzle.geometry)
    if isinstance(verdict, Unique):
        lines = ["unique", drawn(verdict.solution, ()), *_unique_lines(puzzle, verdict, names)]
        if verdict.redundant:
            lines.insert(2, drawn(puzzle.givens, verdict.redundant))
        if (smaller := verdict.sub_puzzle) is not None:
            lines += [drawn(smaller.puzzle.givens, ()), _sub_puzzle_line(smaller.puzzle, smaller.minimal, smaller.seed)]
    elif isinstance(verdict, Several):
        cells = verdict.differing
        of = f"{verdict.count} solutions" if verdict.count.complete else f"{verdict.count} solutions found"
        lines = ["several", f"{of}; two of them differ in {len(cells)} cells (*):"]
        lines += [drawn(verdict.first, cells), drawn(verdict.second, cells), *_several_lines(verdict, names)]
    else:
        lines = ["no solution", drawn(puzzle.givens, verdict.clash), *_clash_lines(verdict, names)]
        lines += [f"certified in {certificate}"] if certificate else []
    return "\n".join(lines)


def _unique_lines(puzzle: "Puzzle", verdict: Unique, names: Any) -> list[str]:
    n_givens = int(np.count_nonzero(puzzle.givens))
    lines = []
    if verdict.redundant:
        lines.append(
            f"{len(verdict.redundant)} of {n_givens} givens can go (*), one at a time: "
            + ", ".join(names(verdict.redundant))
        )
    if verdict.undecided:
        lines.append(f"not known whether these can go: {', '.join(names(verdict.undecided))}")
    elif not verdict.redundant:
        lines.append(f"minimal: none of its {n_givens} givens can go")
    return lines


def _sub_puzzle_line(puzzle: "Puzzle", minimal: bool, seed: int) -> str:
    n_givens = int(np.count_nonzero(puzzle.givens))
    proved = "minimal" if minimal else "not known to be minimal"
    return f"sub-puzzle with {n_givens} {plural('given', n_givens)}, {proved}, of seed {seed}"


def _several_lines(verdict: Several, names: Any) -> list[str]:
    extra = list(verdict.extra)
    values = zip(names(extra), verdict.wanted[extra].tolist(), strict=True)
    which = "the first solution" if np.array_equal(verdict.wanted, verdict.first) else "the wanted solution"
    givens = ", ".join(f"{name} = {value}" for name, value in values)
    most, proof = ("", ", and no fewer do") if verdict.fewest else ("at most ", "")
    leaves = "leaves" if len(extra) == 1 else "leave"
    return [f"{most}{len(extra)} extra {plural('given', len(extra))} {leaves} {which} alone{proof}: {givens}"]


def _clash_lines(verdict: NoSolution, names: Any) -> list[str]:
    n = len(verdict.clash)
    if not n:
        return ["no given is to blame: the board, with the pencilmarks of blanks, has no solution"]
    if not verdict.irreducible:
        return [f"some of these {n} {plural('given', n)} clash (*): {', '.join(names(verdict.clash))}"]
    size = "no fewer clash" if verdict.smallest else "none of them can be left out; fewer others may clash"
    return [
        f"{n} {plural('given', n)} {'clash' if n > 1 else 'clashes'} (*): {', '.join(names(verdict.clash))}; {size}"
    ]
