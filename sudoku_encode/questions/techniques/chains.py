"""Chains of implications, each end of which is true if the other is not: X-chains, XY-chains, and AIC.

A chain goes from candidate to candidate: if this one is false, its partner is true, so what that sees is false, and so
on. If its first candidate being false makes its last one true, one of both is true, and what sees both goes. An X-chain
keeps to one value and has its partners in units; an XY-chain goes through cells with two candidates; an alternating
inference chain (AIC) takes every link.

Source: HoDoKu, Chains and Loops (hodoku.sourceforge.net/en/tech_chains.php); Sudopedia, X-Chain, XY-Chain and
    Alternating Inference Chain.
Differs: for any board; the shortest chain is taken, and of a loop only what one chain in it gives. Links are between
    single candidates, not groups.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.questions.techniques.links import Links, members


class _Chain(NamedTuple):
    """The candidates of a chain, false and true by turns; and what goes."""

    candidates: list[int]
    removed: int


def x_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A chain through the two places of a value in units: one of its ends is true."""
    links = Links.of(marks)
    yield from _shortest("X-chain", links, links.partners_by_place, links.sight.same_value, tick)


def xy_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A chain through cells with two candidates: one of its ends is true."""
    links = Links.of(marks)
    yield from _shortest("XY-chain", links, links.partners_by_cell, links.sight.same_value, tick)


def alternating_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A chain through cells with two candidates and units with two places: one of its ends is true."""
    links = Links.of(marks)
    yield from _shortest("AIC", links, links.partners, links.sight.all, tick)


def _shortest(
    technique: str, links: Links, partners: Mapping[int, int], seen: Callable[[int], int], tick: Tick
) -> Iterator[Deduction]:
    """Find a chain with as few links as there are.

    Args:
        technique: its name.
        links: all links.
        partners: the strong links that it may take.
        seen: the weak links that it may take.
        tick: is called for each candidate that a chain may begin with.
    """
    linked = 0
    for candidate in partners:
        linked |= 1 << candidate
    best: _Chain | None = None
    for start in partners:
        tick()
        longest = len(best.candidates) - 1 if best else len(partners) + 2
        best = _from(start, links, partners, lambda candidate: seen(candidate) & linked, longest) or best
    if best:
        why = _why(links, best.candidates)
        yield links.found(technique, best.removed, best.candidates, why)


def _from(
    start: int, links: Links, partners: Mapping[int, int], seen: Callable[[int], int], longest: int
) -> _Chain | None:
    """Return a shortest chain from a candidate that has up to `longest` candidates, if there is one."""
    before: dict[tuple[int, bool], int] = {}
    view = links.sees(start)
    was_true, was_false = 0, 1 << start
    false, length = [start], 2
    while false and length <= longest:
        true = []
        for candidate in false:
            new = partners[candidate] & ~was_true
            was_true |= new
            for other in members(new):
                before[other, True] = candidate
                removed = view & links.sight.all(other) if length > 2 else 0
                if removed:
                    return _Chain(_back(before, other), removed)
                true.append(other)
        false = []
        for candidate in true:
            new = seen(candidate) & ~was_false
            was_false |= new
            for other in members(new):
                before[other, False] = candidate
                false.append(other)
        length += 2
    return None


def _back(before: Mapping[tuple[int, bool], int], end: int) -> list[int]:
    """Return the candidates from the first to the last, which is true."""
    chain, state = [end], (end, True)
    while state in before:
        chain.append(before[state])
        state = before[state], not state[1]
    return chain[::-1]


def _why(links: Links, chain: list[int]) -> str:
    """Follow a chain in words."""
    said = [
        f"{links.board.cell_name(links.cell(candidate))} is {'' if at % 2 else 'not '}{links.value(candidate)}"
        for at, candidate in enumerate(chain)
    ]
    first, last = said[0].replace(" not", ""), said[-1]
    ends = f"{first} in any case" if first == last else f"{first}, or {last}"
    return f"if {said[0]}, then {', then '.join(said[1:])}; {ends}"
