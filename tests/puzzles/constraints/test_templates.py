"""Templates: constraints that differ only in their cells have the same primitives, over their cells."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from sudoku_encode import Puzzle, board
from sudoku_encode.formats.reading import read_all
from sudoku_encode.puzzles.constraints import expansions, templates
from sudoku_encode.puzzles.constraints.constraint import BoundConstraint, Constraint
from sudoku_encode.puzzles.constraints.lowering import forget
from sudoku_encode.puzzles.constraints.primitives import (
    Automaton,
    Clause,
    CutLine,
    Domain,
    Primitive,
    SumBetween,
    Unit,
    Visible,
    automaton,
)
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.puzzles.constraints.templates import expanded
from tests.helpers.constraint_cases import all_cases, puzzle_of

VARIANTS = Path(__file__).parents[3] / "instances" / "variants"


def _puzzles() -> Iterator[Puzzle]:
    """Yield the cases of all kinds, and the puzzles of setters."""
    yield from map(puzzle_of, all_cases())
    for name in ("iss.txt", "f-puzzles.jsonl"):
        yield from (puzzle for puzzle in read_all(VARIANTS / name) if isinstance(puzzle, Puzzle))


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_primitives_as_lowered() -> None:
    """The primitives of each constraint are those of `lower`, in the same order, also where there is a template."""
    forget()
    placed = [bound for puzzle in _puzzles() for bound in puzzle.placed]
    lowered = [list(bound.lower()) for bound in placed]
    for _ in range(2):
        for bound, expected in zip(placed, lowered, strict=True):
            assert list(bound.primitives()) == expected, bound
    assert {bound.name for bound in placed} == set(CONSTRAINTS)


class _Corner(BoundConstraint):
    """A kind that looks at its board although it names none of its properties in `needs`."""

    name = "corner"

    def lower(self) -> Iterator[Primitive]:
        """Yield the last cell of the board."""
        yield Domain(self.board.n_cells - 1, 1)


class _Crowd(_Corner):
    """A kind that looks at the other constraints."""

    def lower(self) -> Iterator[Primitive]:
        """Yield as many clauses as there are constraints."""
        yield from (Clause(((0, number + 1),)) for number in range(len(self.others)))


def test_kind_with_board() -> None:
    """A kind that looks at its board, or at other constraints, is lowered on them."""
    forget()
    first, second = Constraint("corner", ((0, 1),)), Constraint("corner", ((2, 3),))
    four, nine = board("4x4"), board("9x9")
    for _ in range(2):
        assert list(_Corner(four, first).primitives()) == [Domain(15, 1)]
        assert list(_Corner(nine, second).primitives()) == [Domain(80, 1)]
        assert list(_Crowd(four, first, (first,)).primitives()) == [Clause(((0, 1),))]
        assert list(_Crowd(four, second, ()).primitives()) == []


def test_templates_per_pattern() -> None:
    """Constraints share a template where the same of their cells are equal, and only there."""
    forget()
    cells = ["r1c1 / r1c2 r1c3", "r4c4 / r2c1 r3c3", "r1c1 / r1c1 r1c2", "r1c1 / r1c2"]
    for number, listed in zip((1, 1, 2, 3), cells, strict=True):
        (bound,) = Puzzle(board("4x4"), constraints=[f"count-distinct {listed}"]).placed
        assert list(bound.primitives()) == list(bound.lower())
        assert len(templates.store.templates) == number


def test_bounded_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The store is emptied when it is full, and a template that is larger than the store is not stored."""
    forget()
    monkeypatch.setattr(templates, "MOST_STORED", 20)
    sizes = []
    for length in (2, 3, 4, 5, 6, 7, 8, 9):
        (bound,) = Puzzle(board("9x9"), constraints=[f"thermometer r1c1-r1c{length}"]).placed
        assert list(bound.primitives()) == list(bound.lower())
        sizes.append((len(templates.store.templates), templates.store.size))
    assert sizes == [(1, 2), (2, 5), (3, 9), (4, 14), (5, 20), (1, 7), (2, 15), (1, 9)]
    (bound,) = Puzzle(board("9x9"), constraints=["x-sum 20 r1c1-r1c9"]).placed
    assert list(bound.primitives()) == list(bound.lower())
    assert (len(templates.store.templates), templates.store.size) == sizes[-1]
    forget()


def _counter(counted: int) -> Primitive:
    """Return the automaton of three cells of which one holds a value."""
    return automaton(range(3), 4, 0, lambda seen, value: seen + (value == counted), lambda seen: seen == 1)


def test_equal_automata() -> None:
    """Equal automata have the same hash, and those that accept other values are not equal."""
    assert isinstance(_counter(1), Automaton)
    assert len({_counter(1), _counter(2), _counter(3), _counter(1)}) == 3
    assert hash(_counter(1)) == hash(_counter(1))


def test_start_of_none() -> None:
    """A start that is None is a state, unlike a next state that is None."""
    ascending = automaton(
        [5, 6], 3, None, lambda last, value: value if value > (last or 1) else None, lambda last: last == 3
    )
    assert ascending == Automaton((5, 6), (((0, 2, 0),), ((0, 3, 0),)))


def test_unit_over_its_cells() -> None:
    """The unit of a template gets the cells of the constraint."""
    forget()
    for cells in ((3, 1), (7, 8)):
        (bound,) = Puzzle(board("4x4"), constraints=[Constraint("renban", (cells,))]).placed
        assert bound.primitives()[0] == Unit(cells, "renban")


@pytest.mark.parametrize("n", [4, 5])
@pytest.mark.parametrize("cells", [(3, 1, 7), (0, 5, 2), (4, 4, 1)])
def test_expanded_over_cells(cells: tuple[int, ...], n: int) -> None:
    """Automata that stand for primitives are made once for those over other cells, and anew for other values."""
    for primitive in (Visible(cells, 1, 2), CutLine(cells, 5, True), SumBetween(cells, (1, 4), 2, 3)):
        assert expanded([primitive, primitive], n) == [*expansions.parts_of(primitive, n)] * 2
        assert expanded([primitive], n, (type(primitive),)) == [primitive]
