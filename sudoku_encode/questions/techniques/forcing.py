"""Forcing chains: all candidates of a cell, or all places of a value in a unit, lead to the same.

A chain goes from a candidate that is true: what it sees is false, so the partners of that are true, and so on; each
step follows from the one before alone. What every candidate of a cell, or every place in a unit, makes false goes.

Source: HoDoKu, Forcing Chains (hodoku.sourceforge.net/en/tech_last.php); SudokuWiki, Cell and Unit Forcing Chains.
Differs: for any board. That a candidate leads to a contradiction is found as an AIC.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.questions.techniques.links import Links, members


class _Reach(NamedTuple):
    """What follows from a candidate.

    Attributes:
        false: what it makes false.
        before: for what follows, the candidate that it follows from.
    """

    false: int
    before: dict[tuple[int, bool], int]


def forcing_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Each candidate of a cell, or each place of a value in a unit, leads by a chain to the same being false."""
    links = Links.of(marks)
    n = links.n_values
    reached: dict[int, _Reach] = {}
    sources = [
        (f"{links.board.cell_name(cell)} must be one of its candidates", [cell * n + value for value in members(mask)])
        for cell, mask in enumerate(links.masks)
        if mask.bit_count() > 2
    ]
    sources += [(f"{value} must be somewhere in {unit.name}", list(some)) for unit, value, some in links.places]
    for says, starts in sorted(sources, key=lambda source: len(source[1])):
        tick()
        common = links.live
        for start in starts:
            if start not in reached:
                reached[start] = _from(links, start)
            common &= reached[start].false
            if not common:
                break
        if common and len(starts) > 2:
            yield _shortest(links, says, starts, common, reached)
            return


def _from(links: Links, start: int) -> _Reach:
    """Follow all chains from a candidate that is true."""
    before: dict[tuple[int, bool], int] = {}
    partners = links.partners
    was_true, was_false = 1 << start, 0
    true = [start]
    while true:
        new_true = []
        for candidate in true:
            new = links.sees(candidate) & ~was_false
            was_false |= new
            for other in members(new):
                before[other, False] = candidate
                follow = partners.get(other, 0) & ~was_true
                was_true |= follow
                for following in members(follow):
                    before[following, True] = other
                    new_true.append(following)
        true = new_true
    return _Reach(was_false, before)


def _shortest(links: Links, says: str, starts: list[int], common: int, reached: dict[int, _Reach]) -> Deduction:
    """Return the deduction about the target with the shortest chains."""
    paths = {target: [_path(reached[start].before, start, target) for start in starts] for target in members(common)}
    target = min(paths, key=lambda one: sum(map(len, paths[one])))
    said = []
    for path in paths[target]:
        steps = [
            f"{links.board.cell_name(links.cell(candidate))} is {'not ' if at % 2 else ''}{links.value(candidate)}"
            for at, candidate in enumerate(path)
        ]
        said.append(f"if {steps[0]}, then {', then '.join(steps[1:])}")
    pattern = list(dict.fromkeys(candidate for path in paths[target] for candidate in path[:-1]))
    return links.found("forcing chain", 1 << target, pattern, f"{says}; {'; '.join(said)}")


def _path(before: dict[tuple[int, bool], int], start: int, target: int) -> list[int]:
    """Return the candidates from a start that is true to a target that is false, true and false by turns."""
    path, state = [target], (target, False)
    while state != (start, True):
        path.append(before[state])
        state = before[state], not state[1]
    return path[::-1]
