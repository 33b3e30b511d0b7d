"""Simple colouring: the candidates of a value that are linked by pairs have two colours, and one colour is true.

Source: HoDoKu, Coloring (hodoku.sourceforge.net/en/tech_col.php); Sudopedia, Simple Colors.
Differs: for any board; a pair is the only two places of the value in any unit that holds every value.
"""

from collections.abc import Iterator

from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.questions.techniques import words
from sudoku_encode.questions.techniques.links import Links, members


def simple_colouring(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """A value's pairs make a chain in two colours: what sees both goes; a colour that sees itself goes."""
    links = Links.of(marks)
    for value in range(1, links.n_values + 1):
        tick()
        left = {end for pair in links.pairs_of_value.get(value, ()) for end in pair.ends}
        while left:
            colours = _coloured(links, min(left))
            left -= set(members(colours[0] | colours[1]))
            yield from _of_colours(links, value, colours)


def _coloured(links: Links, start: int) -> tuple[int, int]:
    """Return the candidates of either colour, from one of them."""
    colours = [1 << start, 0]
    stack = [(start, 0)]
    while stack:
        candidate, colour = stack.pop()
        new = links.partners_by_place.get(candidate, 0) & ~colours[1 - colour]
        colours[1 - colour] |= new
        stack += [(other, 1 - colour) for other in members(new)]
    return colours[0], colours[1]


def _of_colours(links: Links, value: int, colours: tuple[int, int]) -> Iterator[Deduction]:
    names = [words.cells(links.board, map(links.cell, members(colour))) for colour in colours]
    either = f"by the units where {value} has two places, either all of {names[0]} or all of {names[1]} are {value}"
    if colours[0].bit_count() == colours[1].bit_count() == 1:
        either = f"either {names[0]} or {names[1]} is {value}"
    pattern = [*members(colours[0] | colours[1])]
    for colour in colours:
        for one in members(colour):
            if clash := links.sees(one) & colour:
                two = words.cells(links.board, (links.cell(one), next(members(clash)) // links.n_values))
                yield links.found("simple colouring", colour, pattern, f"{either}; {two} cannot both be {value}")
                return
    seen = [0, 0]
    for at, colour in enumerate(colours):
        for one in members(colour):
            seen[at] |= links.sees(one)
    removed = seen[0] & seen[1] & ~(colours[0] | colours[1]) & links.of_value[value]
    if removed:
        yield links.found("simple colouring", removed, pattern, f"{either}, and what goes sees one of each")
