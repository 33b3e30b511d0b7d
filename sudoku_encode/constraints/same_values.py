"""Same values: each list of cells holds the same values, each as often as the others do."""

from collections.abc import Iterator, Sequence

from sudoku_encode.constraints.primitives import Primitive, automaton, relation
from sudoku_encode.puzzles.constraint import Placed, Values


def violated(here: Placed, values: Values) -> bool:
    """Say whether two lists do not."""
    return len({tuple(sorted(values[cell] for cell in cells)) for cells in here.lists}) > 1


def lower(here: Placed) -> Iterator[Primitive]:
    """Yield that single cells are equal; for longer lists automata, which count a value in the first and another."""
    first, *others = here.lists
    for cells in others:
        if len(first) == 1:
            yield relation(first[0], cells[0], here.n, lambda a, b: a == b)
        else:
            # What both lists have is equal anyway.
            both = set(first) & set(cells)
            left, right = ([cell for cell in some if cell not in both] for some in (first, cells))
            if left:
                yield from (_as_often(left, right, here.n, value) for value in range(1, here.n + 1))


def unfit(here: Placed) -> str:
    """Refuse lists of different lengths."""
    sizes = sorted({len(cells) for cells in here.lists})
    return "" if len(sizes) == 1 else f"lists of {' and '.join(map(str, sizes))} cells; all should be equally long"


def _as_often(left: Sequence[int], right: Sequence[int], n: int, counted: int) -> Primitive:
    def step(state: tuple[int, int], value: int) -> tuple[int, int] | None:
        read, more = state
        return read + 1, more + (value == counted) * (1 if read < len(left) else -1)

    return automaton([*left, *right], n, (0, 0), step, lambda state: state[1] == 0)
