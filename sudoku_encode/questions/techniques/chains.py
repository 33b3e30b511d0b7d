"""Colouring and chains: candidates linked by implications.

*Simple colouring*: the candidates of a value that are linked by pairs have two colours, and one colour is true.

*X-chains, XY-chains and AIC*: a chain goes from candidate to candidate: if this one is false, its partner is true, so
the candidates that it sees are false, and so on. If the first candidate being false makes the last one true, one of
them is true, and the candidates that see both go. An X-chain uses one value and partners in units; an XY-chain goes
through cells with two candidates; an alternating inference chain (AIC) uses every link.

*Forcing chains*: a chain goes from a true candidate: the candidates that it sees are false, so their partners are
true, and so on; each step follows from the one before alone. The candidates that every candidate of a cell, or every
place of a value in a unit, makes false go.

Source: HoDoKu, Coloring (hodoku.sourceforge.net/en/tech_col.php), Chains and Loops (tech_chains.php) and Forcing
    Chains (tech_last.php); Sudopedia, Simple Colors, X-Chain, XY-Chain and Alternating Inference Chain; SudokuWiki,
    Cell and Unit Forcing Chains.
Differs: for any board. A pair is the only two places of a value in any unit that holds every value. The shortest chain
    is taken, and of a loop only one chain in it. Links are between single candidates, not groups. A candidate that
    leads to a contradiction is found as an AIC, not as a forcing chain.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.questions.techniques import words
from sudoku_encode.questions.techniques.links import Links, members


def simple_colouring(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """The pairs of a value form a chain in two colours: candidates that see both go; a colour that sees itself goes."""
    links = Links.of(marks)
    for value in range(1, links.n_values + 1):
        tick()
        uncoloured = {end for pair in links.pairs_of_value.get(value, ()) for end in pair.ends}
        while uncoloured:
            colours = _colours_from(links, min(uncoloured))
            uncoloured -= set(members(colours[0] | colours[1]))
            yield from _colour_deductions(links, value, colours)


def _colours_from(links: Links, start: int) -> tuple[int, int]:
    """Return the candidates of either colour, from one of them."""
    colours = [1 << start, 0]
    stack = [(start, 0)]
    while stack:
        candidate, colour = stack.pop()
        new = links.partners_by_place.get(candidate, 0) & ~colours[1 - colour]
        colours[1 - colour] |= new
        stack += [(other, 1 - colour) for other in members(new)]
    return colours[0], colours[1]


def _colour_deductions(links: Links, value: int, colours: tuple[int, int]) -> Iterator[Deduction]:
    names = [words.cell_names(links.board, map(links.cell, members(colour))) for colour in colours]
    shown = links.board.shown(value)
    either = f"by the units where {shown} has two places, either all of {names[0]} or all of {names[1]} are {shown}"
    if colours[0].bit_count() == colours[1].bit_count() == 1:
        either = f"either {names[0]} or {names[1]} is {shown}"
    pattern = [*members(colours[0] | colours[1])]
    for colour in colours:
        for candidate in members(colour):
            if clash := links.sees(candidate) & colour:
                two = words.cell_names(links.board, (links.cell(candidate), next(members(clash)) // links.n_values))
                yield links.deduction("simple colouring", colour, pattern, f"{either}; {two} cannot both be {shown}")
                return
    seen = [0, 0]
    for number, colour in enumerate(colours):
        for candidate in members(colour):
            seen[number] |= links.sees(candidate)
    removed = seen[0] & seen[1] & ~(colours[0] | colours[1]) & links.of_value[value]
    if removed:
        yield links.deduction(
            "simple colouring", removed, pattern, f"{either}, and each removed candidate sees one of each"
        )


class _Chain(NamedTuple):
    """The candidates of a chain, alternately false and true, and the set of candidates that go."""

    candidates: list[int]
    removed: int


def x_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A chain through the two places of a value in units: one of its ends is true."""
    links = Links.of(marks)
    yield from _shortest_chain("X-chain", links, links.partners_by_place, links.sight.same_value, tick)


def xy_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A chain through cells with two candidates: one of its ends is true."""
    links = Links.of(marks)
    yield from _shortest_chain("XY-chain", links, links.partners_by_cell, links.sight.same_value, tick)


def alternating_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A chain through cells with two candidates and units with two places: one of its ends is true."""
    links = Links.of(marks)
    yield from _shortest_chain("AIC", links, links.partners, links.sight.all, tick)


def _shortest_chain(
    technique: str, links: Links, partners: Mapping[int, int], seen: Callable[[int], int], tick: Tick
) -> Iterator[Deduction]:
    """Yield the deduction of a chain with the fewest links among strong links `partners` and weak links `seen`."""
    linked = 0
    for candidate in partners:
        linked |= 1 << candidate
    best: _Chain | None = None
    for start in partners:
        tick()
        longest = len(best.candidates) - 1 if best else len(partners) + 2
        best = _chain_from(start, links, partners, lambda candidate: seen(candidate) & linked, longest) or best
    if best:
        why = _chain_reason(links, best.candidates)
        yield links.deduction(technique, best.removed, best.candidates, why)


def _chain_from(
    start: int, links: Links, partners: Mapping[int, int], seen: Callable[[int], int], longest: int
) -> _Chain | None:
    """Return a shortest chain with up to `longest` candidates from a candidate, if there is one."""
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
                    return _Chain(_chain_to(before, other), removed)
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


def _chain_to(before: Mapping[tuple[int, bool], int], end: int) -> list[int]:
    """Return the candidates of a chain from the first to the last, which is true."""
    chain, state = [end], (end, True)
    while state in before:
        chain.append(before[state])
        state = before[state], not state[1]
    return chain[::-1]


def _chain_reason(links: Links, chain: list[int]) -> str:
    """Return a chain in words."""
    states = [
        f"{links.board.cell_name(links.cell(candidate))} is {'' if number % 2 else 'not '}{links.shown(candidate)}"
        for number, candidate in enumerate(chain)
    ]
    first, last = states[0].replace(" not", ""), states[-1]
    ends = f"{first} in any case" if first == last else f"{first}, or {last}"
    return f"if {states[0]}, then {', then '.join(states[1:])}; {ends}"


class _Reach(NamedTuple):
    """The consequences of a candidate."""

    false: int  # the set of candidates that it makes false
    before: dict[tuple[int, bool], int]  # for each consequence, the candidate that it follows from


def forcing_chain(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Each candidate of a cell, or each place of a value in a unit, makes the same candidate false by a chain."""
    links = Links.of(marks)
    n = links.n_values
    reached: dict[int, _Reach] = {}
    sources = [
        (f"{links.board.cell_name(cell)} must be one of its candidates", [cell * n + value for value in members(mask)])
        for cell, mask in enumerate(links.masks)
        if mask.bit_count() > 2
    ]
    sources += [
        (f"{links.board.shown(value)} must be somewhere in {unit.name}", list(its_places))
        for unit, value, its_places in links.places
    ]
    for says, starts in sorted(sources, key=lambda source: len(source[1])):
        tick()
        common = links.live
        for start in starts:
            if start not in reached:
                reached[start] = _reach_of(links, start)
            common &= reached[start].false
            if not common:
                break
        if common and len(starts) > 2:
            yield _shortest_forcing(links, says, starts, common, reached)
            return


def _reach_of(links: Links, start: int) -> _Reach:
    """Return all consequences of a true candidate."""
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


def _shortest_forcing(links: Links, says: str, starts: list[int], common: int, reached: dict[int, _Reach]) -> Deduction:
    """Return the deduction about the candidate with the shortest chains."""
    paths = {target: [_path(reached[start].before, start, target) for start in starts] for target in members(common)}
    target = min(paths, key=lambda goal: sum(map(len, paths[goal])))
    chains = []
    for path in paths[target]:
        steps = [
            f"{links.board.cell_name(links.cell(candidate))} is {'not ' if number % 2 else ''}{links.shown(candidate)}"
            for number, candidate in enumerate(path)
        ]
        chains.append(f"if {steps[0]}, then {', then '.join(steps[1:])}")
    pattern = list(dict.fromkeys(candidate for path in paths[target] for candidate in path[:-1]))
    return links.deduction("forcing chain", 1 << target, pattern, f"{says}; {'; '.join(chains)}")


def _path(before: dict[tuple[int, bool], int], start: int, target: int) -> list[int]:
    """Return the candidates from a true start to a false target, alternately true and false."""
    path, state = [target], (target, False)
    while state != (start, True):
        path.append(before[state])
        state = before[state], not state[1]
    return path[::-1]
