"""W-wing: two cells of the same two values, joined by a unit where one of these has two places.

Source: HoDoKu, W-Wing (hodoku.sourceforge.net/en/tech_wings.php); Sudopedia, W-Wing.
"""

from collections.abc import Iterator
from itertools import combinations

from sudoku_encode.papers.marks import Deduction, Marks
from sudoku_encode.papers.techniques import Tick
from sudoku_encode.questions.techniques.links import Links, members


def w_wing(marks: Marks, tick: Tick) -> Iterator[Deduction]:
    """Two cells are x or y each; each sees one of two places of x in a unit: one of the cells is y."""
    links = Links.of(marks)
    cells: dict[int, list[int]] = {}
    for cell in links.two_valued:
        cells.setdefault(links.masks[cell], []).append(cell)
    for mask, some in cells.items():
        for one, other in combinations(some, 2):
            tick()
            values = tuple(members(mask))
            for x, y in (values, values[::-1]):
                yield from _w_wing(links, (one, other), x, y)


def _w_wing(links: Links, cells: tuple[int, int], x: int, y: int) -> Iterator[Deduction]:
    n = links.n_values
    # It is a naked pair where the cells see each other.
    one_x, other_x = (cell * n + x for cell in cells)
    one_y, other_y = (cell * n + y for cell in cells)
    removed = links.sees(one_y) & links.sees(other_y)
    sees_one, sees_other = links.sees(one_x), links.sees(other_x)
    if not removed or sees_one >> other_x & 1:
        return
    for pair in links.pairs_of_value.get(x + 1, ()):
        for near, far in pair.turns():
            if sees_one >> near & 1 and sees_other >> far & 1:
                name = links.board.cell_name
                one, other, place, its = (links.cell(each) for each in (one_x, other_x, near, far))
                why = (
                    f"both {name(one)} and {name(other)} are {x + 1} or {y + 1}, and they are not both {x + 1}, since "
                    f"{pair.unit.name} has {x + 1} at {name(place)}, which sees {name(one)}, or at {name(its)}, which "
                    f"sees {name(other)}; one of them is {y + 1}"
                )
                yield links.found("W-wing", removed, (one_x, one_y, other_x, other_y, near, far), why, pair.unit.name)
                return
