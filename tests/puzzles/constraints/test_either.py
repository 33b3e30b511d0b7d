"""Alternatives: their text, what they mean, and that both forms of their primitives say it."""

from collections.abc import Iterator

import numpy as np
import pytest

from sudoku_encode import Puzzle, board, count, read, solutions
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.writing import write_all
from sudoku_encode.proving.plain import holds
from sudoku_encode.puzzles.constraints import disjunction
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.disjunction import sequential_automaton
from sudoku_encode.puzzles.constraints.lowering import forget, lower_puzzle
from sudoku_encode.puzzles.constraints.parsing import bind, parse
from sudoku_encode.puzzles.constraints.primitives import NEVER, Automaton, Clause, Primitive, Relation, primitive_cells
from sudoku_encode.puzzles.constraints.templates import expanded
from sudoku_encode.puzzles.puzzle import violations
from tests.helpers.command import Command
from tests.helpers.constraint_cases import CASES, Case, identified, puzzle_of
from tests.helpers.constraint_grids import SMALL, all_models, allowed_grids, grids_of

OWN = [case for case in CASES["either"] if case in SMALL]
NINE = board("9x9")


def test_signs_in_expressions() -> None:
    """Signs of an expression are none between alternatives."""
    lines = ["relation | a-b | > 2: r1c1 r1c2", "odd r1c1", "regex 1|2|(3|4).*: r2c1-r2c3", "pairs 12: r1c1 r1c2"]
    first, second, third, fourth = (parse(line, NINE) for line in lines)
    found = parse(f"either  {lines[0]} & {lines[1]} | {lines[2]}  |  {lines[3]}", NINE)
    assert found == Constraint("either", alternatives=((first, second), (third,), (fourth,)))
    assert parse(found.text(NINE), NINE) == found


REFUSED = {
    "either odd r1c1": "either: expected two alternatives or more, each with a constraint",
    "either": "either: a constraint is missing beside | or &; write either CONSTRAINT & ...",
    "either odd r1c1 | | even r1c1": "either: a constraint is missing beside | or &",
    "either odd r1c1 & | even r1c1": "either: a constraint is missing beside | or &",
    "either odd r1c1 | evn r1c1": "either: not a kind of constraint: 'evn'; the nearest are even,",
    "either cage 50 r1c1-r1c5 & odd r1c1 | xv 1 r1c1 r1c2": "cage: 5 different values add up to 15 to 35, never",
    "either odd r1c1 | numbered-room 10 r1c1-r1c9": "either: numbered-room: not a value: 10 (1 to 9)",
    "either odd r1c1 | either odd r1c1 | odd r1c2": "either: an alternative must not contain alternatives",
    "exactly-one": "exactly-one: a constraint is missing beside | or &; write exactly-one CONSTRAINT & ...",
    "exactly-one odd r1c1": "exactly-one: expected two alternatives or more, each with a constraint",
    "exactly-one odd r1c1 | either odd r1c1 | odd r1c2": "exactly-one: an alternative must not contain alternatives",
    "exactly-one odd r1c1 | anti-king & anti-knight & anti-taxicab & non-consecutive": "more than 200,000 transitions",
    "either odd r1c1 | anti-king & anti-knight & anti-taxicab & non-consecutive": "more than 200,000 transitions",
}


@pytest.mark.parametrize("text", REFUSED)
def test_not_alternatives(text: str) -> None:
    """What are no alternatives is refused in one line."""
    with pytest.raises(FormatError) as caught:
        parse(text, NINE)
    assert REFUSED[text] in str(caught.value)
    assert "\n" not in str(caught.value)


def test_foreign_constraints() -> None:
    """Constraints that are made elsewhere are looked at too."""
    odd, pair = Constraint("odd", ((0,),)), Constraint("difference", ((0, 1),))
    for wrong, reason in {
        Constraint("either"): "it needs alternatives",
        Constraint("odd", ((0,),), alternatives=((odd,), (pair,))): "odd: it has no alternatives",
        Constraint("either", ((0,),), alternatives=((odd,), (pair,))): "it takes no cells",
        Constraint("either", alternatives=((odd,), ())): "each with a constraint",
        Constraint("either", alternatives=((Constraint("odd", ((9999,),)),), (pair,))): "odd: cell 9999 is not on 9x9",
        Constraint("either", alternatives=((Constraint("either", alternatives=((odd,), (pair,))),), (pair,))): (
            "an alternative must not contain alternatives"
        ),
    }.items():
        with pytest.raises(FormatError, match=reason):
            Puzzle.of(NINE, constraints=[wrong])


def test_meaning() -> None:
    """An alternative means what it does in a puzzle without other constraints."""
    # r1c2 is a minimum too, and the pair of the dot is none that the negative constraint leaves out.
    marked = "either minimum r1c1 | values 4 r1c3", "minimum r1c2", "difference 1 r2c1 r2c2"
    found = lower_puzzle(Puzzle.of(board("4x4"), constraints=marked)).primitives
    alone = lower_puzzle(Puzzle.of(board("4x4"), constraints=marked[:1])).primitives
    assert alone[0] in found
    puzzle = Puzzle.of(board("4x4"), constraints=["either minimum r1c1 | values 4 r1c3"])
    assert [here.scope_cells for here in puzzle.placed] == [(0, 1, 2, 4)]


def test_small_alternatives_lowered() -> None:
    """Small alternatives are clauses relations or one automaton."""

    def made(line: str) -> list[Primitive]:
        return list(bind(parse(line, NINE), NINE).primitives())

    assert made("either values 5 r1c1 | values 5 6 r1c2") == [Clause(((0, 5), (1, 5), (1, 6)))]
    both = made(f"either values 1 {' '.join(NINE.cell_names[:6])} | values 2 r9c9 & values 3 r9c8")
    assert both[:2] == [Clause(((0, 1), (80, 2))), Clause(((0, 1), (79, 3)))]
    assert len(both) == 12
    (pair,) = made("either difference r1c1 r1c2 | ratio r1c1 r1c2")
    assert isinstance(pair, Relation)
    (few,) = made("either cage 15 r1c1-r1c5 | thermometer r1c1-r1c5")
    assert isinstance(few, Automaton)
    assert few.cells == (0, 1, 2, 3, 4)
    (more,) = made("either sum 15 r1c1-r1c4 & even r1c1 | sum 15 r1c1-r4c1")
    assert isinstance(more, Automaton)
    assert more.cells == (0, 1, 2, 3, 0, 0, 9, 18, 27)


@pytest.fixture
def read_in_turn(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Make an automaton of every disjunction, which reads all primitives one after another."""
    monkeypatch.setattr(disjunction, "MOST_COMBINATIONS", 0)
    monkeypatch.setattr(disjunction, "MOST_CLAUSES", 0)
    forget()
    yield
    forget()


@pytest.mark.usefixtures("read_in_turn")
@pytest.mark.parametrize("case", OWN, ids=identified)
def test_automaton_form(case: Case) -> None:
    """An automaton that reads alternatives in turn says the same."""
    puzzle = puzzle_of(case)
    expected = sorted(allowed_grids(puzzle))
    assert sorted(all_models(encode(puzzle, "efficient", reduction="none"))) == expected
    assert sorted(grids_of(puzzle, "cp-sat")) == expected


# Regions and connected cells are not read cell by cell.
KINDS = sorted(CASES.keys() - {"either", "chaos-construction", "connected"})


@pytest.mark.parametrize("kind", KINDS)
def test_each_primitive_read(kind: str) -> None:
    """Every primitive is read as it is meant."""
    for case in [case for case in CASES[kind] if case in SMALL]:
        n = case[1]
        lowered = [part for bound in puzzle_of(case).placed for part in bound.primitives()]
        for primitive in {*expanded(lowered, n)} - {NEVER}:
            cells = primitive_cells(primitive)
            if not 0 < n ** len(cells) < 50_000:
                continue
            tried = np.indices((n,) * len(cells)).reshape(len(cells), -1) + 1
            held, m = dict(zip(cells, tried, strict=True)), tried.shape[1]
            np.testing.assert_array_equal(
                holds(sequential_automaton([[primitive]], n), held, m), holds(primitive, held, m)
            )


def test_differing_cells_by_pairs() -> None:
    """Of many values cells that differ are read pair by pair."""
    geometry = board("16x16")
    (here,) = Puzzle.of(geometry, constraints=["either cage 60 r1c1-r1c8 | cage 68 r1c1-r1c8 & odd r1c1"]).placed
    (found,) = here.primitives()
    assert isinstance(found, Automaton)
    assert len(found.cells) == 2 * (7 * 8 + 8) + 1
    rng = np.random.RandomState(0)
    grids = np.array([rng.permutation(16)[:8] + 1 for _ in range(6000)] + [rng.randint(1, 17, 8) for _ in range(2000)])
    broken = [here.violated([*grid, *248 * [1]]) for grid in grids.tolist()]
    np.testing.assert_array_equal(~holds(found, dict(enumerate(grids.T)), len(grids)), broken)
    assert 0 < broken.count(False) < 1000


@pytest.mark.parametrize(
    ("first", "second"),
    [
        # In one table, and read in turn.
        (["thermometer r4c1-r6c1"], ["arrow r3c6 / r4c5 r5c5", "even r6c1"]),
        (["thermometer r3c1 r4c2 r5c3", "sum 12 r6c1 r6c3 r6c5"], ["palindrome r3c1 r4c4 r5c6"]),
    ],
    ids=["few cells", "more cells"],
)
def test_inclusion_exclusion(first: list[str], second: list[str]) -> None:
    """The number of grids with one or the other is that of each less that of both."""
    geometry = board("6x6")
    givens = [int(symbol) for symbol in "123456" + "456123" + 24 * "0"]
    asked = f"either {' & '.join(first)} | {' & '.join(second)}"

    def number(*constraints: str, method: str = "search") -> int:
        return count(Puzzle.of(geometry, givens, constraints=constraints), method).value

    expected = number(*first) + number(*second) - number(*first, *second)
    assert number(*first, *second) > 0
    assert expected < number()
    assert [number(asked, method=method) for method in ("search", "sat", "cp-sat")] == [expected] * 3


def test_text_formats() -> None:
    """Strings say alternatives and other formats refuse them."""
    lines = ["either odd r1c1 & thermometer r1c1 r1c2 | values 1 2 r1c1 r1c2 | cage 5 r1c1 r1c2"]
    puzzle = Puzzle.of(board("4x4"), constraints=lines)
    text = "".join(write_all([puzzle], "iss"))
    assert text == (
        ".Shape~4x4.Or.And.~R1C1_1_3.Thermo~R1C1~R1C2.End.And.~R1C1_1_2~R1C2_1_2.End.Cage~5~R1C1~R1C2.End\n"
    )
    assert count(read(text), "sat") == count(puzzle, "cp-sat")
    for form, reason in {
        "f-puzzles": "f-puzzles has no `either`",
        "sudokupad": "SudokuPad's own links cannot contain `either`; --to iss writes it",
        "killer": "cannot hold constraints of the kind either",
    }.items():
        with pytest.raises(FormatError, match=reason):
            list(write_all([puzzle], form))
    for inside in ("minimum r1c1", "negative-xv"):
        with pytest.raises(FormatError, match=f"an ISS string cannot express {inside.split()[0]}"):
            list(write_all([Puzzle.of(board("4x4"), constraints=[f"either {inside} | odd r1c1"])], "iss"))


def test_hints(run: Command) -> None:
    """Hints look at alternatives."""
    asked = ("hint", "--board", "4x4", "1...............", "--constraint")
    first = run(*asked, "either values 2 r1c1 | values 3 r1c2").out
    assert "only one way is left to satisfy it, so r1c2 is not 2 or 4" in first
    more = run(*asked, "either cage 4 r1c1 r1c2 & odd r2c1 | thermometer r1c1-r1c3 & values 2 r2c2").out
    assert "the removed candidates are in no way to fill its cells, so r1c2 is not 4" in more


def test_exactly_one() -> None:
    """Of alternatives that always hold, never, or together, exactly one is counted."""
    same, never = "same-values r1c1 r1c2 / r1c2 r1c1", "sum 40 r1c2 r1c3"
    for text, number in {
        f"exactly-one {same} | odd r1c1": 144,
        f"exactly-one {same} | {never}": 288,
        f"exactly-one {same} | same-values r1c2 r1c1 / r1c1 r1c2": 0,
        f"exactly-one odd r1c1 | {never}": 144,
        "exactly-one odd r1c1 | values 1 3 r1c1": 0,
        "exactly-one odd r1c1 | even r1c1": 288,
        # Of the 12 pairs of values there 8 have one odd value. A row has two.
        "exactly-one odd r1c1 | odd r1c2": 192,
        "exactly-one odd r1c1 | odd r1c2 | odd r1c3 | odd r1c4": 0,
        "exactly-one odd r1c1 & odd r1c2 | odd r1c1 & odd r1c3 | odd r1c1 & odd r1c4": 144,
    }.items():
        puzzle = Puzzle.of(board("4x4"), constraints=[text])
        assert [count(puzzle, method).value for method in ("search", "sat", "cp-sat")] == 3 * [number], text


@pytest.mark.parametrize("most", [60_000, 1])
def test_exactly_one_in_turn(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A table of all values and an automaton that counts alternatives say the same."""
    monkeypatch.setattr(disjunction, "MOST_COMBINATIONS", most)
    forget()
    lines = "exactly-one sum 5 r1c1 r1c2 & odd r1c1 | whispers 2 r1c1 r2c3 | renban r1c1 r2c2 r3c3", "odd r1c1"
    puzzle = Puzzle.of(board("4x4"), constraints=lines)
    expected = [
        grid for grid in solutions(Puzzle.of(board("4x4")), "search") if not list(violations(puzzle, grid.values))
    ]
    assert count(puzzle, "sat").value == len(expected) > 0
    forget()
