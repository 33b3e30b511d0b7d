"""State machines of ISS strings: their bits, and the automata that accept the same."""

import base64
from itertools import product

import numpy as np
import pytest

from sudoku_encode import Puzzle, board, read
from sudoku_encode.errors import FormatError
from sudoku_encode.formats.iss_automata import (
    constraint_of,
    machine_of,
    token_of,
)
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles.constraints.constraint import Constraint
from sudoku_encode.puzzles.constraints.written_automata import StateMachine
from sudoku_encode.puzzles.geometry import Geometry

Moves = list[tuple[int, int, int]]


def accepts(machine: StateMachine, line: tuple[int, ...]) -> bool:
    states = set(machine.starts)
    for value in line:
        states = {to for state, read_value, to in machine.moves if state in states and read_value == value}
    return bool(states & machine.ends)


def random_machine(rng: np.random.RandomState, n_states: int, n: int, n_moves: int) -> StateMachine:
    moves = {(int(a), int(v) + 1, int(b)) for a, v, b in rng.randint((n_states, n, n_states), size=(n_moves, 3))}
    ends = {int(state) for state in rng.randint(n_states, size=2)}
    return StateMachine(tuple(sorted(moves)), frozenset({0, int(rng.randint(n_states))}), frozenset(ends))


@pytest.mark.parametrize("seed", range(40))
def test_automaton_of_machine(seed: int) -> None:
    """The automaton accepts the lines that the machine accepts and no others."""
    rng = np.random.RandomState(seed)
    n, length = [(3, 5), (4, 3), (2, 7), (2, 10)][seed % 4]
    lines, wanted = list(product(range(1, n + 1), repeat=length)), set[tuple[int, ...]]()
    while not wanted:
        machine = random_machine(rng, 4 + seed % 3, n + 1, 8 + seed % 6)
        wanted = {line for line in lines if accepts(machine, line)}
    words = constraint_of(machine, [range(length)], n).expression
    assert {line for line in lines if not is_broken(words, line, n)} == wanted
    # As the bits of a machine it comes back as one that accepts the same.
    again = machine_of(token_of(words, n), n)
    assert {line for line in lines if accepts(again, line)} == wanted


# The lines of 1 and 2 whose last value but one is 1; and, with each state twice, those that hold a 1.
BEFORE_LAST = StateMachine(((0, 1, 0), (0, 2, 0), (0, 1, 1), (1, 1, 2), (1, 2, 2)), frozenset([0]), frozenset([2]))
TWICE = ((0, 2, 1), (1, 2, 0), (0, 1, 2), (1, 1, 3), (2, 1, 3), (2, 2, 2), (3, 1, 2), (3, 2, 3))
HOLDS_1 = StateMachine(TWICE, frozenset([0]), frozenset([2, 3]))
WORDS = [
    (BEFORE_LAST, 9, "1>1,2>0 1>2,2>3 !1>2,2>3 !1>1,2>0"),
    (HOLDS_1, 9, "1>1,2>0 !.>1"),
    # For short lines the states of each cell take fewer words.
    (BEFORE_LAST, 2, "1>1 .>2 !"),
    # The lines 11 and 22.
    (
        StateMachine(((0, 1, 1), (0, 2, 2), (1, 1, 3), (2, 2, 3)), frozenset([0]), frozenset([3])),
        2,
        "1>1,2>2 1>3 2>3 !",
    ),
]


@pytest.mark.parametrize(("machine", "length", "words"), WORDS)
def test_words_of_machine(machine: StateMachine, length: int, words: str) -> None:
    """States that no line tells apart are one word."""
    assert constraint_of(machine, [range(length)], 2).expression == words


def is_broken(words: str, line: tuple[int, ...], n: int) -> bool:
    puzzle = Puzzle.of(Geometry("row", (1, len(line)), n, ()), constraints=[line_of(words, len(line))])
    return puzzle.placed[0].violated(line)


def line_of(words: str, length: int) -> Constraint:
    return Constraint("automaton", (tuple(range(length)),), (), words)


@pytest.mark.parametrize("seed", range(20))
def test_several_lists(seed: int) -> None:
    """A machine reads several lists of cells with a break between them."""
    rng = np.random.RandomState(seed)
    n, sizes = 3, ((2, 2), (1, 0, 2), (0, 3), (3, 1, 0))[seed % 4]
    lines, wanted = list(product(range(1, n + 1), repeat=sum(sizes))), set[tuple[int, ...]]()
    while not wanted:
        machine = random_machine(rng, 5, n + 1, 14)
        wanted = {line for line in lines if accepts(machine, with_breaks(line, sizes, n + 1))}
    ends = np.cumsum(sizes)
    segments = [range(end - size, end) for end, size in zip(ends, sizes, strict=True)]
    found = constraint_of(machine, segments, n)
    assert found.kind == "automaton"
    assert {line for line in lines if not is_broken(found.expression, line, n)} == wanted


def with_breaks(line: tuple[int, ...], sizes: tuple[int, ...], value: int) -> tuple[int, ...]:
    rest, found = list(line), list[int]()
    for at, size in enumerate(sizes):
        found += ([value] if at else []) + rest[:size]
        rest = rest[size:]
    return tuple(found)


def test_random_machines_vary() -> None:
    """Most random machines accept some lines and refuse others."""
    rng, lines = np.random.RandomState(0), list(product((1, 2, 3), repeat=4))
    counts = [sum(accepts(random_machine(rng, 5, 3, 8), line) for line in lines) for _ in range(50)]
    assert sum(0 < count < len(lines) for count in counts) > 25


def token(*fields: tuple[int, int]) -> str:
    text = "".join(f"{number:0{size}b}" for number, size in fields if size)
    held = bytes(int(text[at : at + 8].ljust(8, "0"), 2) for at in range(0, len(text), 8))
    return base64.urlsafe_b64encode(held).decode().rstrip("=")


# Values 1 to 3; from state 0, which is a good end, 1 leads to 1 and 3 to 2; from state 1, which is one, 2 leads to 0.
MOVES = ((0, 1, 1), (0, 3, 2), (1, 2, 0))
HEAD = [(1, 4), (2, 4), (1, 2), (1, 2), (1, 1)]
PACKED = token((1, 2), *HEAD, (0b101, 3), (1, 2), (2, 2), (0b010, 3), (0, 2), (0, 3))
PLAIN = token((0, 2), *HEAD, (2, 4), (2, 2), (0, 2), (1, 2), (2, 2), (2, 2), (1, 2), (1, 2), (0, 2), (0, 2))


@pytest.mark.parametrize("text", [PACKED, PLAIN])
def test_bit_forms(text: str) -> None:
    """Both forms of bits are read."""
    assert machine_of(text, 9) == StateMachine(MOVES, frozenset([0]), frozenset([0, 1]))


def test_one_automaton_a_line() -> None:
    """A machine is read as an automaton for each of its lines."""
    with pytest.warns(UserWarning, match="NFA: its state machine is read as a deterministic automaton"):
        puzzle = read(f".NFA~{PACKED}~_Name~R1C1~R1C2~R1C3~~R2C1~R2C2")
    # 12 again and again, or 12 and then 1; a 3 leads to no good end.
    assert [one.text(puzzle.geometry) for one in puzzle.constraints] == [
        "automaton !1>1 !2>0: r1c1-r1c3",
        "automaton !1>1 !2>0: r2c1 r2c2",
    ]
    with pytest.warns(UserWarning, match="NFA"):
        assert read("".join(write_all([puzzle], "iss"))).constraints == puzzle.constraints


REFUSED = {
    ".NFA~~R1C1": "its state machine is cut off",
    ".NFA~abc!~R1C1": "'abc!' is not a state machine in base 64",
    f".NFA~{token((2, 2), *HEAD)}~R1C1": "is not a state machine in base 64",
    f".NFA~{PACKED[:2]}~R1C1": "its state machine is cut off",
    f".Shape~2x2.NFA~{token((1, 2), (1, 4), (3, 4))}~R1C1": "over 4 symbols, where there are 2 values and a break",
    f".NFA~{token((1, 2), *HEAD[:3], (0, 2), (0, 1), (0, 3))}~R1C1": "its state machine accepts no line of 1 cells",
    f".NFA~{PACKED}~_Name~R1C1~-~R1C2": "its state machine accepts no line of 2 cells",
}


@pytest.mark.parametrize("text", REFUSED)
def test_not_a_machine(text: str) -> None:
    """What is no machine is refused."""
    with pytest.raises(FormatError) as caught:
        read(text)
    assert REFUSED[text] in str(caught.value)


def test_automaton_of_large_machine() -> None:
    """A machine with many states accepts what it should."""
    machine = random_machine(np.random.RandomState(1), 12, 9, 100)
    found = constraint_of(machine, [range(4)], 9)
    assert found.kind == "automaton"
    lines = list(product(range(1, 10), repeat=4))[::7]
    allowed = [line for line in lines if not is_broken(found.expression, line, 9)]
    assert allowed == [line for line in lines if accepts(machine, line)]
    assert 0 < len(allowed) < len(lines)


def test_machine_too_large() -> None:
    """A machine that is too large is refused."""
    machine = random_machine(np.random.RandomState(1), 300, 9, 3000)
    with pytest.raises(FormatError, match="its state machine"):
        constraint_of(machine, [range(9)], 9)


def test_symbols_of_large_board() -> None:
    """An automaton on a board with more values uses their symbols."""
    machine = StateMachine(((0, 10, 1), (0, 12, 1), (1, 1, 2)), frozenset([0]), frozenset([2]))
    words = constraint_of(machine, [range(2)], 12).expression
    assert words == "AC>1 1>2 !"
    assert Puzzle.of(board("12x12"), constraints=[f"automaton {words}: r1c1 r1c2"]).constraints
