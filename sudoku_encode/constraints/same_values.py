"""Same values: all lists of cells hold the same values, each equally often."""

from collections.abc import Iterator, Sequence

from sudoku_encode.constraints.primitives import Primitive, automaton, relation
from sudoku_encode.puzzles.constraint import BoundConstraint, Values


def violated(c: BoundConstraint, values: Values) -> bool:
    """Return whether two lists hold different values."""
    return len({tuple(sorted(values[cell] for cell in cells)) for cells in c.lists}) > 1


def lower(c: BoundConstraint) -> Iterator[Primitive]:
    """Yield equalities for lists of one cell; for longer lists an automaton that counts each value in two lists."""
    first, *others = c.lists
    for cells in others:
        if len(first) == 1:
            yield relation(first[0], cells[0], c.n, lambda a, b: a == b)
        else:
            # Cells in both lists count the same in both.
            both = set(first) & set(cells)
            rest, other_rest = (
                [cell for cell in cells_of_list if cell not in both] for cells_of_list in (first, cells)
            )
            if rest:
                yield from (_as_often(rest, other_rest, c.n, value) for value in range(1, c.n + 1))


def unfit(c: BoundConstraint) -> str:
    """Return why the lists cannot hold the same values: they differ in length."""
    sizes = sorted({len(cells) for cells in c.lists})
    return (
        "" if len(sizes) == 1 else f"lists of {' and '.join(map(str, sizes))} cells; expected lists of the same length"
    )


def _as_often(cells: Sequence[int], others: Sequence[int], n: int, counted: int) -> Primitive:
    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        read, more = state
        return read + 1, more + (value == counted) * (1 if read < len(cells) else -1)

    return automaton([*cells, *others], n, (0, 0), step, lambda state: state[1] == 0)
