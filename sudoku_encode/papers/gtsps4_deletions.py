"""What is deleted from G of GTSPS 4.1, one step after another in the order of the text, and why.

Vertices of too low a degree go round by round. Then, since a minigrid of which one vertex is left must have that vertex
in every solution, whatever is not joined to it goes; the minigrid that was the last to come down to one vertex is taken
next. What is left then goes by `gtsps4_lines.delete_unsupported`, so that the end is the same.

Source: thesis, "A Novel Graph Theoretic Sudoku Solver" (GTSPS), section 4.1, from Fig. 4.3 to Fig. 4.6.
Differs: the text deletes 3f of its example for its degree; here it goes since it is not joined to 9a, and its degree is
    said beside that. Where all vertices of a minigrid are deleted there is no solution, and it ends.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from sudoku_encode.papers.gtsps4 import Graph
from sudoku_encode.papers.gtsps4_lines import (
    Kept,
    Line,
    degrees,
    delete_without_clique,
    delete_without_neighbour,
    low_degrees,
)
from sudoku_encode.puzzles.arrays import Bools


@dataclass(frozen=True, eq=False)
class Deletion:
    """Vertices that are deleted together.

    Attributes:
        rule: a word or two for it.
        why: in a sentence, before the names of the vertices.
        reasons: the vertices that are the reason.
        vertices: those that go, ascending.
        degrees: of these vertices before they go.
    """

    rule: str
    why: str
    reasons: tuple[int, ...]
    vertices: tuple[int, ...]
    degrees: tuple[int, ...]


def by_degree(made: Graph, kept: Kept, tick: Callable[[], None]) -> Iterator[Deletion]:
    """Delete round by round, from `kept`, the vertices with fewer neighbours than a minigrid has adjacent ones."""
    least = sum(made.shape) - 2
    while True:
        tick()
        each = degrees(made.lines, kept, tick)
        gone = low_degrees(each, kept, least)
        if not any(one.any() for one in gone):
            return
        yield _deleted(made, kept, gone, "degree", f"degree below {least}", (), tick)


def by_structure(made: Graph, kept: Kept, tick: Callable[[], None]) -> Iterator[Deletion]:
    """Delete from `kept` what the text deletes after the degrees."""
    waiting = [number for number, one in enumerate(kept) if np.count_nonzero(one) == 1]
    while waiting and all(one.any() for one in kept):
        tick()
        number = waiting.pop(0)
        gone, reasons, alone = _not_joined(made, kept, number)
        if reasons:
            left = [f"{made.name(vertex)} of {made.minigrids[one].label}" for one, vertex in reasons.items()]
            why = f"all that is left: {', '.join(left)}; not joined to {'it' if len(left) == 1 else 'both'}"
            yield _deleted(made, kept, gone, "one vertex left", why, tuple(reasons.values()), tick)
        if alone is not None:
            # The rest of this minigrid's lines is looked at again after those of the new one.
            waiting = [alone, number, *waiting]
    for rule, delete, why in (
        ("no neighbour", delete_without_neighbour, "no neighbour in some adjacent minigrid"),
        ("no clique", delete_without_clique, "no clique with the row or the column of minigrids"),
    ):
        before = [one.copy() for one in kept]
        delete(made.lines, kept, tick)
        gone = [old & ~new for old, new in zip(before, kept, strict=True)]
        if any(one.any() for one in gone):
            yield _deleted(made, before, gone, rule, why, (), tick)


def _deleted(
    made: Graph, kept: Kept, gone: Kept, rule: str, why: str, reasons: tuple[int, ...], tick: Callable[[], None]
) -> Deletion:
    """Delete, and return what was."""
    each = np.concatenate(degrees(made.lines, kept, tick))
    vertices = np.flatnonzero(np.concatenate(gone))
    for number, old in enumerate(gone):
        kept[number] &= ~old
    return Deletion(rule, why, reasons, tuple(vertices.tolist()), tuple(each[vertices].tolist()))


def _not_joined(made: Graph, kept: Kept, number: int) -> tuple[Kept, dict[int, int], int | None]:
    """Find what is not joined to the only vertex of a minigrid, in its row and its column of minigrids.

    Returns:
        What is to go; the minigrids that are the reason, this one and others with one vertex, each with that vertex;
        and the first minigrid that comes down to one vertex by that, after which nothing more is looked at.
    """
    gone = [np.zeros_like(one) for one in kept]
    reasons: dict[int, int] = {}
    for line in (line for line in made.lines if number in line.numbers):
        single = {other: _only(kept[other]) for other in line.numbers if np.count_nonzero(kept[other]) == 1}
        for target in line.numbers:
            if target in single:
                continue
            lost = kept[target] & ~_joined(made, line, number, single[number], target)
            by = {number: int(made.starts[number]) + single[number]} if lost.any() else {}
            for other, at in single.items():
                more = kept[target] & ~lost & ~_joined(made, line, other, at, target)
                # Only what comes down to one vertex by both is worth a step of both.
                if other != number and more.any() and np.count_nonzero(kept[target] & ~lost & ~more) == 1:
                    lost, by = lost | more, {**by, number: int(made.starts[number]) + single[number]}
                    by[other] = int(made.starts[other]) + at
            gone[target] |= lost
            reasons |= by
            if lost.any() and np.count_nonzero(kept[target] & ~lost) == 1:
                return gone, reasons, target
    return gone, reasons, None


def _only(kept: Bools) -> int:
    return int(np.flatnonzero(kept)[0])


def _joined(made: Graph, line: Line, number: int, at: int, target: int) -> Bools:
    """Say which permutations of a minigrid match one of another in the same line."""
    one, other = line.numbers.index(number), line.numbers.index(target)
    found: Bools = line.match[one, other][line.of[one][at]][line.of[other]]
    return found
