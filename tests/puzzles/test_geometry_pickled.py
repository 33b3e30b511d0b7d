"""Boards and puzzles are values: equal by content, small in a pickle, and in another process what they were."""

import pickle
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import cached_property, lru_cache
from itertools import groupby
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.shapes import cube, jigsaw, square
from sudoku_encode.search.part import split
from tests.helpers.known_puzzles import KNOWN
from tests.helpers.puzzles import JIGSAW_4, KINDS_OF_BOARDS

Value = TypeVar("Value")
MAP_4 = "aaabacbbccbdcddd"
SMALL_BYTES = 1000

# As `boards.board` gives them, by names that are theirs or only mean them.
NAMED: dict[str, tuple[str, list[str] | None]] = {
    "4x4": ("4x4", None),
    "the usual box": ("6x6:2x3", None),
    "another box": ("6x6:3x2", None),
    "no boxes": ("9x9", ["row", "column"]),
    "rules in another order": ("9x9", ["box", "row"]),
    "all rules": ("9x9", ["row", "column", "box"]),
    "extra rules": ("9x9+windoku+diagonals", None),
    "half an extra rule": ("9x9+diagonals", ["row", "column", "diagonal"]),
    "cube": ("9x9x9", None),
    "cube of four rules": ("9x9x9", ["row-x", "row-y", "row-z", "box-xy"]),
    "literal cube": ("4x4x4:literal", None),
    "Latin cube": ("latin:5x5x5", None),
    "jigsaw": (f"jigsaw:{MAP_4}", None),
    "jigsaw without columns": (f"jigsaw:{MAP_4}", ["row", "region"]),
    "large": ("25x25x25", None),
}


def by_hand() -> dict[str, Geometry]:
    """Return boards that no name gives, some of them under a name that means another."""
    plain = square(9)
    turned = replace(plain.rules[2], units=plain.rules[2].units[::-1].copy())
    return {
        "one unit": Geometry("strip", (1, 3), 4, (Rule("row", np.array([[0, 1, 2]], np.int32)),)),
        "rules in another order": replace(plain, rules=plain.rules[::-1]),
        "units in another order": replace(plain, rules=(*plain.rules[:2], turned)),
        "another box": replace(square(6), box=(3, 2)),
        "fewer values": replace(square(4), n_values=3),
        "a name of a box": replace(square(6), name="6x6:3x2"),
        "a jigsaw of a free name": jigsaw(JIGSAW_4, "mine"),
        "a jigsaw of another map's name": jigsaw(JIGSAW_4, "jigsaw:aaaabbbbccccdddd"),
        "a jigsaw of a file's name": jigsaw(JIGSAW_4, "jigsaw:map.txt"),
        "too large for a name": cube(36).with_rules(["row-x"]),
    }


def copied(value: Value) -> Value:
    again: Value = pickle.loads(pickle.dumps(value))
    return again


def used(puzzle: Puzzle) -> Puzzle:
    """Return the puzzle when all that is derived from it and its board has been asked for."""
    for of in (puzzle.geometry, puzzle):
        derived = [name for name, value in vars(type(of)).items() if isinstance(value, cached_property)]
        assert {name for name in derived if getattr(of, name) is not None} <= set(vars(of))
    return puzzle


def some_puzzles() -> Iterator[Puzzle]:
    """Yield puzzles on all kinds of boards, with and without givens, pencilmarks and names."""
    random = np.random.default_rng(15)
    for geometry in (*(board(*name) for name in NAMED.values()), *by_hand().values()):
        shape, n = (geometry.n_cells, geometry.n_values), geometry.n_values
        givens = np.where(random.random(shape[0]) < 0.3, random.integers(1, n + 1, shape[0]), 0)
        yield Puzzle.of(geometry)
        yield Puzzle.of(geometry, givens, name="Inkala")
        yield Puzzle.of(geometry, givens, pencilmarks=random.random((shape[0], n)) < 0.5)
        yield Puzzle.of(geometry, pencilmarks=np.ones((shape[0], n), bool), name="a name")


def arrays_of(puzzle: Puzzle) -> list[object]:
    """Return all of a puzzle in plain lists."""
    board, marks = puzzle.geometry, puzzle.pencilmarks
    rules = [(rule.name, rule.units.dtype.str, rule.units.tolist()) for rule in board.rules]
    alike = puzzle.givens.dtype.str, puzzle.givens.flags.writeable, marks is None or (marks.dtype.str, marks.tolist())
    plain = board.name, board.shape, board.n_values, board.box, rules, puzzle.name, puzzle.givens.tolist()
    return [*plain, *alike]


def as_seen_there(puzzles: list[Puzzle]) -> list[tuple[Puzzle, list[object], bool]]:
    """Return, in another process, the puzzles, their content, and whether their boards are those that `board` gives."""
    return [(puzzle, arrays_of(puzzle), is_shared(puzzle.geometry)) for puzzle in puzzles]


def is_shared(geometry: Geometry) -> bool:
    try:
        return board(geometry.name, geometry.rule_names, files=False) is geometry
    except Exception:
        return False


def test_puzzles_in_processes() -> None:
    """Puzzles are in another process what they were."""
    puzzles = [used(puzzle) for puzzle in some_puzzles() if puzzle.geometry.n_cells < 1000]
    with ProcessPoolExecutor(1, get_context("spawn")) as pool:
        seen = pool.submit(as_seen_there, puzzles).result()

    assert len(seen) == len(puzzles) > 60
    for puzzle, (again, there, shared) in zip(puzzles, seen, strict=True):
        assert there == arrays_of(puzzle) == arrays_of(again)
        assert (again, hash(again)) == (puzzle, hash(puzzle))
        assert shared == is_shared(puzzle.geometry)
        assert (again.geometry is puzzle.geometry) == shared


@pytest.mark.parametrize("name", NAMED)
def test_named_board(name: str) -> None:
    """A board of a name comes back as the very same."""
    geometry = board(*NAMED[name])

    assert copied(geometry) is geometry is board(geometry.name, geometry.rule_names)
    assert len(pickle.dumps(geometry)) < 200


@pytest.mark.parametrize("name", by_hand())
def test_unnamed_board(name: str) -> None:
    """A board that no name gives comes back equal and as one object."""
    geometry = by_hand()[name]
    first, second = copied(geometry), copied(by_hand()[name])

    assert first is second
    assert (first, hash(first)) == (geometry, hash(geometry))


def test_names_of_one_board() -> None:
    """Many names of one board give one object."""
    assert board("6x6") is board("6x6:2x3") is board(" 6x6 ", ["box", "row", "column"])
    assert board("9x9", ["row", "box"]) is board("9x9:3x3", ["box", "row"])
    assert board(f"jigsaw:{MAP_4}") is board(f"jigsaw:{MAP_4[:8]}\n{MAP_4[8:]}")


def test_jigsaw_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A jigsaw from a file is pickled as its map."""
    file = tmp_path / "regions"
    file.write_text("\n".join(MAP_4[row : row + 4] for row in range(0, 16, 4)))
    read = board(f"jigsaw:{file}")
    data = pickle.dumps(read)
    # Nor is a file read that happens to have the map as its name.
    (tmp_path / MAP_4).write_text("aaaabbbbccccdddd")
    monkeypatch.chdir(tmp_path)
    file.unlink()

    assert MAP_4.encode() in data
    assert b"regions" not in data
    assert pickle.loads(data) is read


def test_equal_boards() -> None:
    """Boards of one name and other units are not equal."""
    plain = square(9)
    others = [
        by_hand()["rules in another order"],
        by_hand()["units in another order"],
        plain.with_rules(["row", "box"]),
        replace(plain, n_values=8),
        replace(plain, box=None),
        replace(plain, name="nine"),
        replace(plain, rules=(*plain.rules[:2], replace(plain.rules[2], name="region"))),
        jigsaw(sorted(9 * list(range(9))), "9x9"),
    ]

    assert plain == square(9)
    assert hash(plain) == hash(square(9))
    for other in others:
        assert plain != other
        assert other != plain
    assert len({plain, square(9), *others}) == len(others) + 1
    # Regions of one name, and so of one hash.
    one, other = (jigsaw(regions, "mine") for regions in (JIGSAW_4, sorted(4 * list(range(4)))))
    assert hash(one) == hash(other)
    assert one != other


def test_equal_rules() -> None:
    """Rules are equal by name and units."""
    row = square(4).rules[0]

    assert row == Rule("row", row.units.copy()) != Rule("line", row.units)
    assert hash(row) == hash(Rule("row", row.units.copy()))
    assert row != Rule("row", row.units[:2])
    assert row != Rule("row", row.units.T.copy())


def test_equal_puzzles() -> None:
    """Puzzles are equal by board givens and pencilmarks whatever their names."""
    marks = np.ones((16, 4), bool)
    fewer = marks.copy()
    fewer[3, 2] = False
    puzzle = Puzzle.of(square(4), [1] + [0] * 15)
    same = [Puzzle.of(square(4), [1] + [0] * 15, name="Inkala"), copied(puzzle)]
    others = [
        Puzzle.of(square(4), [2] + [0] * 15),
        Puzzle.of(square(4).with_rules(["row"]), [1] + [0] * 15),
        Puzzle.of(square(4), [1] + [0] * 15, marks),
        Puzzle.of(square(4), [1] + [0] * 15, fewer),
    ]

    assert {puzzle, *same} == {puzzle}
    assert len({puzzle, *others}) == 5
    assert [copied(one).name for one in same] == ["Inkala", ""]


def test_caches() -> None:
    """What is kept by board is found by a board that came back."""
    calls = []

    @lru_cache
    def peers_of(geometry: Geometry) -> int:
        calls.append(geometry)
        return len(geometry.edges)

    for one, other in ((board("9x9"), square(9)), (by_hand()["fewer values"], by_hand()["fewer values"])):
        calls.clear()
        assert len({peers_of(one), peers_of(other), peers_of(copied(one))}) == 1
        assert len(calls) == 1
    batch = [Puzzle.of(geometry) for geometry in (square(4), board("4x4"), copied(square(4)), square(6))]
    assert [len(list(group)) for _, group in groupby(batch, key=lambda puzzle: puzzle.geometry)] == [3, 1]


@pytest.mark.parametrize("name", [*KINDS_OF_BOARDS, "25x25x25"])
def test_nothing_derived(name: str) -> None:
    """A pickle holds nothing that is derived."""
    make: Callable[[], Geometry] = KINDS_OF_BOARDS.get(name, lambda: cube(25))
    before = pickle.dumps(Puzzle.of(make()))

    assert len(pickle.dumps(used(Puzzle.of(make())))) == len(before)


@pytest.mark.parametrize("name", ["9x9", "9x9x9"])
def test_small_pickles(name: str) -> None:
    """Known puzzles and their parts are small in a pickle."""
    cases = [case for case in KNOWN if case.board == name][::12]
    sizes = [0]
    for case in cases:
        parts = split(used(case.puzzle), 64)
        sizes += [len(pickle.dumps(used(puzzle))) for puzzle in (case.puzzle, *parts)]
        assert [copied(part) for part in parts] == parts

    assert len(cases) > 3
    assert max(sizes) < SMALL_BYTES


def test_small_pencilmarks() -> None:
    """Any pencilmarks of a cube are small in a pickle."""
    random = np.random.default_rng(3)
    for share in (0.1, 0.3, 0.5, 0.7, 0.9):
        puzzle = Puzzle.of(board("9x9x9"), pencilmarks=random.random((729, 9)) < share)
        assert len(pickle.dumps(puzzle)) < SMALL_BYTES
        assert copied(puzzle) == puzzle
