"""Solvers without guessing: they apply, again and again, the first technique that yields a deduction.

`pencil-paper` uses singles, locked candidates and subsets; `logic` also fish and wings. They are incomplete: every
value that they fill in is forced, and they stop when no technique yields a deduction.

Source: chapter 4 of the GTSPS thesis (A Novel Graph Theoretic Sudoku Solver), the pencil-and-paper solver [46], and
    Andrew Stuart's solver [49], which also uses X-wing, swordfish, XY-wing and XYZ-wing.
Differs: the thesis gives neither the order of the techniques nor the size of the subsets; here simpler ones go first,
    and a subset has 4 members at most. Its "etc." for [49] is left out. Its Table 4.7 calls both guess based; as it
    describes them they do not guess, which agrees with its own counts of puzzles on which they fail.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from sudoku_encode.errors import StoppedError
from sudoku_encode.papers.marks import Deduction, Marks, values_of
from sudoku_encode.papers.techniques import LOGIC, SINGLES, Technique
from sudoku_encode.puzzles.dead_ends import NONE, dead_end
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.puzzle import Grids, Puzzle
from sudoku_encode.puzzles.step import Step


def unsupported_reason(board: Geometry) -> str:
    """Return why a board has no unit that holds every value, or an empty string.

    Without such a unit only singles can be found.
    """
    return "" if board.full_rules else "it needs a rule whose units hold every value"


def steps(marks: Marks, tick: Callable[[], None], techniques: Sequence[Technique] = LOGIC) -> Iterator[Deduction]:
    """Apply the first technique that yields a deduction, until none does; yield each deduction once it is applied.

    The steps end at once when a cell has no candidate or a unit no place for a value: see `Marks.broken`.
    """
    if marks.broken(range(len(marks.masks))):
        return
    applied = True
    while applied:
        applied = False
        for technique in techniques:
            for step in technique(marks, tick):
                tick()
                marks.apply(step)
                yield step
                if marks.broken([cell for cell, _ in step.removed]):
                    return
                applied = True
                # A single does not invalidate the other singles of this pass.
                if technique not in SINGLES:
                    break
            if applied:
                break


def ended(marks: Marks) -> str:
    """Return the state of a puzzle: `solved`, `contradiction` or `stuck: K blanks left`."""
    if marks.broken(range(len(marks.masks))):
        return "contradiction"
    return f"stuck: {len(marks.blanks)} blanks left" if marks.blanks else "solved"


def solutions(puzzle: Puzzle, tick: Callable[[], None], techniques: Sequence[Technique] = LOGIC) -> Iterator[Grids]:
    """Yield the solution if the techniques fill every cell, which proves that it is the only one.

    Raises:
        StoppedError: no technique applies, and cells are blank.
    """
    if puzzle.clash is not None:
        return
    marks = Marks.of(puzzle)
    for _ in steps(marks, tick, techniques):
        pass
    end = ended(marks)
    if end == "solved":
        yield np.array([[mask.bit_length() for mask in marks.masks]], np.uint8)
    elif end != "contradiction":
        raise StoppedError(end)


def explain(puzzle: Puzzle, tick: Callable[[], None], techniques: Sequence[Technique] = LOGIC) -> Iterator[Step]:
    """Yield each step, and at the end `solved`, the contradiction with its cells, or `stuck: K blanks left`."""
    marks = Marks.of(puzzle)
    yield Step("", "candidates", data={"candidates": [values_of(mask) for mask in marks.masks]})
    for number, step in enumerate(steps(marks, tick, techniques), start=1):
        yield Step(
            f"{number}. {step.text(puzzle.geometry)}",
            "place" if step.placed else "remove",
            step.technique,
            because=step.cells,
            places=(step.placed,) if step.placed else (),
            removes=step.removed,
            data={"values": step.values, "where": step.where},
        )
    grid = [0 if cell in marks.blanks else mask.bit_length() for cell, mask in enumerate(marks.masks)]
    data = {"grid": grid, "candidates": [values_of(mask) for mask in marks.masks]}
    end = ended(marks)
    if end == "contradiction":
        bits = 1 << np.arange(puzzle.geometry.n_values, dtype=object)
        candidates = np.array(marks.masks, object)[:, None] & bits != 0
        why, cells = dead_end(puzzle.geometry, candidates.astype(bool))
        yield Step(f"no solution: {why}", "end", "contradiction", cells, data={**data, **NONE})
        return
    solved = {"solutions": 1, "complete": True} if end == "solved" else {}
    yield Step(end, "end", data={**data, **solved})
