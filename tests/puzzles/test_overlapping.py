"""Boards of several squares: names, cells, counts by every method, texts, pictures, and what must be refused."""

import json
from collections.abc import Callable, Sequence
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Solver

from sudoku_encode import Limits, Puzzle, count, generate, prove, verify
from sudoku_encode import board as named
from sudoku_encode.api.puzzles import as_puzzle
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import FormatError, GeometryError, MethodError
from sudoku_encode.formats.reading import ReadOptions, read, read_text
from sudoku_encode.formats.writing import write_all
from sudoku_encode.methods.calls import solutions
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.geometry import Geometry
from sudoku_encode.puzzles.joined_boards import OVERLAPS
from sudoku_encode.puzzles.neighbours import neighbours, squares, straight
from sudoku_encode.puzzles.puzzle import violations
from sudoku_encode.render.text import draw
from tests.helpers import certificate_reader
from tests.helpers.command import Command
from tests.helpers.known_puzzles import known

SAMURAI = named("samurai")
SAMURAI_PUZZLE = known("known-counts/samurai.txt").puzzle
SMALL = known("small/4x4-twodoku.txt").puzzle


def solutions_by_hand(givens: Sequence[int]) -> int:
    """Count the grids of two 4x4 boards that share a box, from rows and columns alone, cell by cell."""
    places = [
        (row, column) for row in range(6) for column in range(6) if (row < 4 and column < 4) or min(row, column) > 1
    ]
    values = dict(zip(places, givens, strict=True))

    def in_one_unit(one: tuple[int, int], other: tuple[int, int]) -> bool:
        for top in (0, 2):
            if all(top <= at < top + 4 for at in (*one, *other)):
                same_box = all((a - top) // 2 == (b - top) // 2 for a, b in zip(one, other, strict=True))
                if one[0] == other[0] or one[1] == other[1] or same_box:
                    return True
        return False

    def fill(left: list[tuple[int, int]]) -> int:
        if not left:
            return 1
        place, *rest = left
        found = 0
        for value in range(1, 5):
            if all(values[at] != value for at in places if at != place and in_one_unit(place, at)):
                values[place] = value
                found += fill(rest)
                values[place] = 0
        return found

    return fill([place for place in places if not values[place]])


def test_samurai_figures() -> None:
    """A samurai has 369 cells 131 units and 3906 pairs of peers."""
    assert (SAMURAI.n_cells, SAMURAI.n_units, len(SAMURAI.edges)) == (369, 131, 3906)
    assert SAMURAI.frame == (21, 21)
    # Five boards of 27 units, of which four boxes are shared.
    assert len({tuple(sorted(unit)) for rule in SAMURAI.rules for unit in rule.units.tolist()}) == 5 * 27 - 4


@pytest.mark.parametrize(
    ("encoding", "clauses"),
    [
        # Values of a cell and of a unit once, and what each excludes; 3906 * 9 pairs, 369 * 36 in a cell.
        ("minimal", 369 + 3906 * 9),
        ("efficient", 369 + 369 * 36 + 3906 * 9),
        ("extended", 369 + 369 * 36 + 131 * 9 + 3906 * 9),
    ],
)
def test_samurai_clauses(encoding: str, clauses: int) -> None:
    """The clauses of an empty samurai are as many as its units say."""
    cnf = encode(Puzzle.of(SAMURAI), encoding).cnf
    assert (cnf.n_variables, len(list(cnf))) == (3321, clauses)


@pytest.mark.parametrize("method", ["sat", "cp-sat", "search", "exact-cover", "frontier", "norvig2006"])
def test_published_samurai(method: str) -> None:
    """A published samurai has one solution."""
    assert count(SAMURAI_PUZZLE, method).value == 1


@pytest.mark.slow
def test_shared_box() -> None:
    """Two boards that share a box have as many grids as are found by hand."""
    assert solutions_by_hand(SMALL.givens.tolist()) == 144
    found = next(iter(verify(SMALL, "all")))
    assert (found.status, found.value) == ("confirmed", 144)
    assert len(found.families) >= 5


@pytest.mark.parametrize(
    "puzzle",
    [SAMURAI_PUZZLE, SMALL, *(known(f"small/{name}.txt").puzzle for name in ("3x4-latin-empty", "4x6-jigsaw"))],
)
def test_misfit_methods(puzzle: Puzzle) -> None:
    """A method for squares or cubes refuses such a board by its name."""
    refusing = [name for name, method in METHODS.items() if method.unsupported_reason(puzzle.geometry)]
    for_squares = {"sat:triads", "placements", "felgenhauer2006", "gtsps-3.1", "gtsps-4.2", "hbpnp", "block-world-1"}
    assert for_squares | {"jana2021", "jana2023-v1", "jana2023-v2-joined"} <= set(refusing)
    for name in refusing:
        with pytest.raises(MethodError, match=f"method {name.replace('+', '.')} does not fit"):
            count(puzzle, name)


@pytest.mark.slow
@pytest.mark.parametrize(
    "case",
    [*("small/4x4-twodoku.txt", "small/3x4-latin-empty.txt", "small/4x6-jigsaw.txt", "known-counts/samurai.txt")],
)
def test_certificate(case: str, tmp_path: Path) -> None:
    """A certificate is checked by a reader that shares no code."""
    prove(known(case).puzzle, tmp_path / "certificate")
    assert certificate_reader.check(tmp_path / "certificate") == known(case).count


@pytest.mark.parametrize("name", [*OVERLAPS, "latin:3x5:7", "9x9+windoku@0,0;3,3"])
def test_reader_units(name: str) -> None:
    """The reader of certificates has the same units."""
    _, n_values, rules = certificate_reader.board(certificate_reader.SHORT_NAMES.get(name, name))
    board = named(name)
    assert n_values == board.n_values
    for rule, units in rules.items():
        of_rule = [unit for one in board.rules if one.name == rule for unit in one.units.tolist()]
        assert sorted(map(sorted, of_rule)) == sorted(map(sorted, units))


def test_one_square() -> None:
    """A board of one square is the square."""
    assert named("9x9@0,0") is named("9x9")


@pytest.mark.parametrize("name", OVERLAPS)
def test_short_name(name: str) -> None:
    """A name is short for places in any order."""
    square, _, places = OVERLAPS[name].squares.partition("@")
    backwards = f"{square}@{'; '.join(reversed(places.split(';')))}"
    assert named(backwards) is named(name)
    assert named(name).name == name


def test_disjoint_boards() -> None:
    """Boards that share no cell are counted apart."""
    two = named("4x4@0,0;4,4")
    assert (two.n_cells, len(two.edges)) == (32, 2 * 56)
    givens = [1, 2, 3, 4, *[0] * 12, 1, 2, 3, 4, *[0] * 12]
    assert count(Puzzle.of(two, givens), "search").value == 12**2


def test_copied_rules() -> None:
    """Extra rules and maps are copied with their board."""
    assert named("9x9+diagonals@0,0;6,6").n_units == 2 * 29 - 1
    assert named("jigsaw:AABBAABBCCDDCCDD@0,0;2,2").rule_names == ("row", "column", "region")
    assert named("latin:3x3@0,0;2,2").n_cells == 17


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("9x9@0,0;-1,3", "'-1,3' is not a place of a board; write ROW,COLUMN;ROW,COLUMN"),
        ("9x9@0,0;6", "'6' is not a place of a board"),
        ("9x9@", "'' is not a place of a board"),
        ("9x9@0,0;6,6;0,0", "two boards at 0,0"),
        ("9x9@1,0;6,6", "no board begins at row 0, from which places are counted"),
        ("9x9@0,1;6,6", "no board begins at column 0"),
        ("9x9@0,0;0,12", r"column 9 \(from 0\) is in no board; move them together"),
        ("4x4x4@0,0;1,1", "only boards of rows and columns can overlap"),
        ("100x100@0,0;1,1", "at most 1 boards of 100x100, not 2"),
        ("9x9@0,0;9999,9999", "is in no board"),
        (f"4x4@{';'.join(f'0,{at}' for at in range(101))}", "at most 100 boards of 4x4, not 101"),
        ("9x9@0,0;6,6@0,0", "only one @, after a board of rows and columns"),
        ("samurai@0,0", "only boards of rows and columns can overlap"),
        ("@" * 100_000, "only one @"),
        ("nonsense@0,0", "no board is called 'nonsense'"),
    ],
)
def test_bad_names(name: str, message: str) -> None:
    """A bad name of boards is one line that says what is wrong."""
    with pytest.raises(GeometryError, match=message) as caught:
        named(name)
    assert "\n" not in str(caught.value)


def test_cell_names() -> None:
    """Cells are named by row and column of the rectangle around all."""
    assert [SAMURAI.cell_name(cell) for cell in (0, 9, 368)] == ["r1c1", "r1c13", "r21c21"]
    with pytest.raises(GeometryError, match="samurai has no cell 'r1c10'"):
        SAMURAI.cell_number("r1c10")


def test_neighbours() -> None:
    """Cells are neighbours where the rectangle has them side by side."""
    # A samurai is the same on its side, so there are as many pairs below each other.
    rows = [[column for row, column in SAMURAI.places if row == at] for at in range(21)]
    beside = sum(b - a == 1 for row in rows for a, b in pairwise(row))
    assert len(neighbours(SAMURAI)) == 2 * beside
    assert straight(SAMURAI, *(SAMURAI.cell_number(name) for name in ("r7c7", "r7c10"))) == list(range(114, 118))
    with pytest.raises(GeometryError, match="goes over places where samurai has no cell"):
        straight(SAMURAI, SAMURAI.cell_number("r1c9"), SAMURAI.cell_number("r1c13"))
    covered = {place for square in squares(SAMURAI) for place in square}
    assert covered == set(range(369))


def test_constraints() -> None:
    """Constraints over two boards hold by their definition."""
    puzzle = Puzzle.of(SMALL.geometry, SMALL.givens, constraints=["thermometer r2c4 r3c5", "minimum r5c4"])
    grids = np.concatenate(list(solutions(SMALL, "search", Limits().start())))
    wanted = sum(not list(violations(puzzle, grid)) for grid in grids)
    assert 0 < wanted < 144
    assert [count(puzzle, method).value for method in ("sat", "cp-sat")] == [wanted, wanted]


def test_indexer_refused() -> None:
    """An indexer is refused where a board has no rows."""
    with pytest.raises(FormatError, match="it needs as many rows as values, unlike samurai"):
        Puzzle.of(SAMURAI, constraints=["row-indexer r1c1"])
    with pytest.raises(FormatError, match="it needs boxes of the same shape, unlike samurai"):
        Puzzle.of(SAMURAI, constraints=["disjoint-groups"])
    assert Puzzle.of(SAMURAI, constraints=["box-indexer r1c1"]).constraints
    with pytest.raises(FormatError, match="boxes or regions that share no cell"):
        Puzzle.of(named("4x4@0,0;1,1"), constraints=["box-indexer r1c1"])


TEXTS = {
    "blank outside": (
        "\n".join("".join(row).rstrip() for row in ["1234  ", "....  ", "......", "......", "  ....", "  ...."]),
        SMALL,
    ),
    "dashes outside": ("1234--\n....--\n......\n......\n--....\n--....", SMALL),
    "separated": ("1 2 3 4\n. . . .\n. . . . . .\n. . . . . .\n    . . . .\n    . . . .", SMALL),
    "numbers": ("1 2 3 4 - -\n0 0 0 0 - -\n0 0 0 0 0 0\n0 0 0 0 0 0\n- - 0 0 0 0\n- - 0 0 0 0", SMALL),
    "dots outside": ("1234..\n......\n......\n......\n......\n......", SMALL),
    "cells alone": ("1234\n....\n......\n......\n....\n....", SMALL),
    "indented": ("  1234\n  ....\n  ......\n  ......\n    ....\n    ....", SMALL),
    "a line": ("1234" + 24 * ".", SMALL),
}


@pytest.mark.parametrize("way", TEXTS)
def test_reading(way: str) -> None:
    """Rows are read in every way to show what is outside."""
    text, puzzle = TEXTS[way]
    assert read(text + "\n", board=puzzle.geometry) == puzzle


@pytest.mark.parametrize("format", ["line", "grid", "numbers", "csv", "json", "sukaku"])
@pytest.mark.parametrize("puzzle", [SAMURAI_PUZZLE, SMALL, Puzzle.of(named("16x16@0,0;12,12"), [16, 1, *[0] * 494])])
def test_round_trip(format: str, puzzle: Puzzle) -> None:
    """What is written is read back."""
    text = "".join(write_all([puzzle, puzzle], format))
    found = list(read_text(text))
    if format == "sukaku":
        assert [np.array_equal(one.candidates, puzzle.candidates) for one in found if isinstance(one, Puzzle)] == [
            True
        ] * 2
    else:
        assert found == [puzzle, puzzle]


def test_samurai_recognised() -> None:
    """A samurai is known by what is outside."""
    text = "".join(write_all([SAMURAI_PUZZLE], "grid"))
    assert not text.startswith("#")
    assert read(text).geometry is SAMURAI
    assert read("".join(write_all([SAMURAI_PUZZLE], "numbers"))).geometry is SAMURAI


# A butterfly has no places outside, and is known by its name alone.
@pytest.mark.parametrize("name", [name for name in OVERLAPS if name != "butterfly"])
def test_empty_board_recognised(name: str) -> None:
    """An empty board is known by what is outside."""
    rows = [["-"] * named(name).frame[1] for _ in range(named(name).frame[0])]
    for row, column in named(name).places:
        rows[row][column] = "."
    assert read("\n".join(map("".join, rows)) + "\n").geometry is named(name)


def test_ambiguous_blanks() -> None:
    """Where blanks do not say what is outside both boards are named."""
    text = "".join(write_all([SAMURAI_PUZZLE], "numbers")).replace("0", "-")
    with pytest.raises(
        FormatError, match="21 lines of 21 symbols may be 21x21 or samurai; say which with --board 21x21"
    ):
        read(text)
    assert read(text, board="samurai") == SAMURAI_PUZZLE
    assert read(f"# board: samurai\n{text}") == SAMURAI_PUZZLE


@pytest.mark.parametrize(
    ("row", "message", "column"),
    [
        ("1234-5", "r1c6 is in no board of 4x4@0,0;2,2, but not blank", 6),
        ("12 4--", "r1c3 is empty; a blank is . or 0", 3),
        ("1274--", "'7' is too large; values on 4x4@0,0;2,2 go from 1 to 4", 3),
        ("12", "r1c3 is empty", 3),
        ("1234567", "7 symbols where row 1 of 4x4@0,0;2,2 needs 6, or 4 without those outside", None),
    ],
)
def test_wrong_row(row: str, message: str, column: int | None) -> None:
    """A wrong row is named with its place."""
    with pytest.raises(FormatError) as caught:
        read(f"{row}\n....--\n......\n......\n--....\n--....\n", board="4x4@0,0;2,2")
    assert message in caught.value.message
    assert (caught.value.line, caught.value.column) == (1, column)


@pytest.mark.parametrize("case", ["known-counts/samurai.txt", "small/4x4-twodoku.txt", "small/4x6-jigsaw.txt"])
def test_decoded_answer(run: Command, case: str, tmp_path: Path) -> None:
    """A solvers answer to a CNF is decoded."""
    puzzle, model = known(case).puzzle, tmp_path / "model.cnf"
    formula = encode(puzzle, reduction="none")
    formula.save(model)
    with Solver("cadical153", bootstrap_with=[list(clause) for clause in formula.cnf]) as solver:
        assert solver.solve()
        answer = " ".join(map(str, solver.get_model()))
    ran = run("decode", model, stdin=f"s SATISFIABLE\nv {answer} 0\n")
    assert (ran.status, ran.err) == (0, "")
    [grid] = ran.lines
    assert list(violations(puzzle, [int(symbol) for symbol in grid])) == []


def test_nested_json() -> None:
    """JSON may nest the rows of the rectangle."""
    rows: list[list[int | None]] = [[1, 2, 3, 4, None, None], [0] * 6, [0] * 6, [0] * 6, [0] * 6, [0] * 6]
    assert read(json.dumps({"board": "4x4@0,0;2,2", "givens": rows})) == SMALL
    rows[5][0] = 3
    with pytest.raises(FormatError, match="r6c1 is in no board of 4x4@0,0;2,2, but not blank"):
        read(json.dumps({"board": "4x4@0,0;2,2", "givens": rows}))


def test_too_few_rows() -> None:
    """Too few rows are refused."""
    with pytest.raises(FormatError, match="a block of 3 lines; 4x4@0,0;2,2 needs 6 lines of 6 symbols"):
        list(read_text("# board: 4x4@0,0;2,2\n1234\n....\n......\n"))


def test_drawing() -> None:
    """Places outside are not drawn."""
    assert draw(SMALL.geometry, SMALL.givens, ascii=True).splitlines() == [
        "+-----+-----+",
        "| 1 2 | 3 4 |",
        "| . . | . . |",
        "+-----+-----+-----+",
        "| . . | . . | . . |",
        "| . . | . . | . . |",
        "+-----+-----+-----+",
        "      | . . | . . |",
        "      | . . | . . |",
        "      +-----+-----+",
    ]


def test_generated() -> None:
    """A puzzle is made and has one solution."""
    made = next(iter(generate("twodoku", seed=5))).puzzle
    assert made.geometry is named("twodoku")
    assert count(made, "search", limits=Limits(solutions=2)).value == 1


def test_impossible_symmetry() -> None:
    """A symmetry that the cells do not have is refused."""
    with pytest.raises(MethodError, match="the cells of gattai-3 do not have symmetry point"):
        next(iter(generate("gattai-3", seed=1, symmetry="point")))
    made = next(iter(generate("4x4@0,0;2,2", seed=1, symmetry="point"))).puzzle
    given = {place for place, value in zip(made.geometry.places, made.givens, strict=True) if value}
    assert given == {(5 - row, 5 - column) for row, column in given}


@pytest.mark.parametrize(
    ("name", "shape", "n_values", "units"),
    [
        ("latin:6x9", (6, 9), 9, 15),
        ("latin:3x3:5", (3, 3), 5, 6),
        ("jigsaw:4x6:AAABBBAAABBBAACCBBCCCCCC", (4, 6), 8, 13),
    ],
)
def test_rectangles(name: str, shape: tuple[int, int], n_values: int, units: int) -> None:
    """A rectangle has short lines where there are more values."""
    board = named(name)
    assert (board.name, board.shape, board.n_values, board.n_units) == (name, shape, n_values, units)


@pytest.mark.parametrize(
    ("name", "same"),
    [
        ("jigsaw:4x4:AABBAABBCCDDCCDD", "jigsaw:AABBAABBCCDDCCDD"),
        ("latin:9x9:9", "latin:9x9"),
        ("latin:6x9:9", "latin:6x9"),
    ],
)
def test_unique_names(name: str, same: str) -> None:
    """A board has one name."""
    assert named(name) is named(same)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("latin:6x9:8", "latin:6x9: a line of 9 cells needs at least 9 values, not 8"),
        ("latin:1x4", "a board needs sides of at least 2, not 1x4"),
        ("latin:4x101", "the sides and the values may be at most 100"),
        ("latin:4x4:999", "the sides and the values may be at most 100"),
        ("jigsaw:4x6:AAAA", "a 4x6 region map needs 24 symbols, this one has 4"),
        (
            "jigsaw:2x4:AABBCCDD",
            "a 2x4 region map needs regions of equally many cells, at least 4; this one has 4 regions",
        ),
        ("jigsaw:2x4:AAAAABBB", "regions of equally many cells"),
    ],
)
def test_bad_rectangle(name: str, message: str) -> None:
    """A bad rectangle is one line that says what is wrong."""
    with pytest.raises(GeometryError, match=message):
        named(name)


def test_rectangle_map(tmp_path: Path) -> None:
    """A map of a rectangle may be in a file."""
    file = tmp_path / "map.txt"
    file.write_text("# three regions\nAAABBB\nAAABBB\nAACCBB\nCCCCCC\n", encoding="utf-8")
    assert named(f"jigsaw:4x6:{file}") is named("jigsaw:4x6:AAABBBAAABBBAACCBBCCCCCC")
    file.write_text("# board: jigsaw:4x6:AAABBBAAABBBAACCBBCCCCCC\n........................\n", encoding="utf-8")
    assert named(f"jigsaw:{file}") is named("jigsaw:4x6:AAABBBAAABBBAACCBBCCCCCC")


@pytest.mark.parametrize("format", ["line", "grid", "numbers", "csv", "json", "sukaku"])
@pytest.mark.parametrize("name", ["latin:3x4", "jigsaw:4x6:AAABBBAAABBBAACCBBCCCCCC", "latin:12x10"])
def test_rectangle_round_trip(format: str, name: str) -> None:
    """A rectangle that is written is read back."""
    board: Geometry = boards.board(name)
    puzzle = Puzzle.of(board, [1, 2, *[0] * (board.n_cells - 2)])
    found = list(read_text("".join(write_all([puzzle, puzzle], format))))
    assert [isinstance(one, Puzzle) and np.array_equal(one.candidates, puzzle.candidates) for one in found] == [
        True
    ] * 2


# Boards that overlap as fields between commas and as lists of JSON.

FRAMED = [name for name in OVERLAPS if len(named(name).places) < named(name).frame[0] * named(name).frame[1]]


def framed(puzzle: Puzzle, blank: object, outside: object) -> list[list[object]]:
    """Return the rows of the rectangle around all boards."""
    rows, columns = puzzle.geometry.frame
    found = [[outside] * columns for _ in range(rows)]
    for (row, column), value in zip(puzzle.geometry.places, puzzle.givens.tolist(), strict=True):
        found[row][column] = value or blank
    return found


def as_csv(rows: Sequence[Sequence[object]], *, in_one_line: bool = False) -> str:
    lines = [",".join(map(str, row)) for row in rows]
    return ",".join(lines) if in_one_line else "\n".join(lines) + "\n"


def as_json(rows: Sequence[Sequence[object]], *, in_one_line: bool = False) -> str:
    return json.dumps([value for row in rows for value in row] if in_one_line else rows)


def sparse(name: str) -> Puzzle:
    """Return a puzzle with the values 1 to 9 in some cells."""
    board = named(name)
    return Puzzle.of(board, [cell // 3 % 9 + 1 if cell % 3 == 0 else 0 for cell in range(board.n_cells)])


@pytest.mark.parametrize("in_one_line", [False, True])
@pytest.mark.parametrize("name", FRAMED)
def test_full_fields(name: str, in_one_line: bool) -> None:
    """Fields and lists with nothing outside are boards that overlap."""
    puzzle = sparse(name)
    texts = [
        as_csv(framed(puzzle, 0, ""), in_one_line=in_one_line),
        as_csv(framed(puzzle, ".", "-"), in_one_line=in_one_line),
        as_json(framed(puzzle, 0, None), in_one_line=in_one_line),
    ]
    for text in texts:
        for board in (None, name):
            (found,) = read_text(text, "here", ReadOptions(board=board))
            assert isinstance(found, Puzzle)
            assert found.geometry is puzzle.geometry
            assert found.givens.tolist() == puzzle.givens.tolist()


@pytest.mark.parametrize("in_one_line", [False, True])
@pytest.mark.parametrize("name", OVERLAPS)
def test_one_blank_symbol(name: str, in_one_line: bool) -> None:
    """One blank inside and outside is refused with the boards named."""
    puzzle = sparse(name)
    rows, columns = puzzle.geometry.frame
    texts = [
        as_csv(framed(puzzle, "", ""), in_one_line=in_one_line),
        as_csv(framed(puzzle, 0, 0), in_one_line=in_one_line),
        as_json(framed(puzzle, 0, 0), in_one_line=in_one_line),
        as_json(framed(puzzle, None, None), in_one_line=in_one_line),
    ]
    for text in texts:
        if rows == columns:
            with pytest.raises(FormatError, match=rf"may be {rows}x{columns}.* or --board .*{name}"):
                list(read_text(text, "here"))
            (square,) = read_text(text, "here", ReadOptions(board=f"{rows}x{columns}"))
            assert isinstance(square, Puzzle)
            assert square.geometry.shape == (rows, columns)
        (found,) = read_text(text, "here", ReadOptions(board=name))
        assert isinstance(found, Puzzle)
        assert found.givens.tolist() == puzzle.givens.tolist()


@pytest.mark.parametrize("write", [as_csv, as_json])
def test_square_meant(write: Callable[..., str]) -> None:
    """A larger value or one outside shows that a square is meant."""
    for row, column, value in ((0, 0, 21), (0, 10, 5)):
        rows = framed(sparse("samurai"), 0, 0)
        rows[row][column] = value
        for in_one_line in (False, True):
            (found,) = read_text(write(rows, in_one_line=in_one_line), "here")
            assert isinstance(found, Puzzle)
            assert found.geometry.name == "21x21"
            assert found.givens[21 * row + column] == value
            with pytest.raises(FormatError):
                list(read_text(write(rows, in_one_line=in_one_line), "here", ReadOptions(board="samurai")))


def test_small_boards() -> None:
    """Fields of small boards that overlap are read where the board is given."""
    text = "1,2,3,4,,\n3,4,1,2,,\n,,,,,\n,,,,,\n,,,,,\n,,,,,\n"
    (found,) = read_text(text, "here", ReadOptions(board="4x4@0,0;2,2"))
    assert isinstance(found, Puzzle)
    assert count(found).value == solutions_by_hand(found.givens.tolist()) == 48
    with pytest.raises(FormatError, match="here:1: 5 fields where row 1 of 4x4@0,0;2,2 needs 6, or 4"):
        list(read_text(text.replace("4,,\n", "4,\n"), "here", ReadOptions(board="4x4@0,0;2,2")))
    with pytest.raises(FormatError, match="here:1:10: r1c6 is in no board of"):
        list(read_text(text.replace("4,,\n", "4,,7\n"), "here", ReadOptions(board="4x4@0,0;2,2")))


def test_table_refused() -> None:
    """A table with a column of boards that overlap is refused."""
    line = as_csv(framed(sparse("samurai"), ".", "."), in_one_line=True).replace(",", "")
    with pytest.raises(FormatError, match="may be 21x21 or samurai"):
        list(read_text(f"id,puzzle\n1,{line}\n", "here"))
    for name in OVERLAPS:
        line = "".join(symbol for row in framed(sparse(name), 0, 0) for symbol in map(str, row))
        with pytest.raises(FormatError, match=r"may be .* or --board |boards that overlap in a table"):
            list(read_text(f"puzzle\n{line}\n", "here"))
        if len(line) > named(name).n_cells:
            with pytest.raises(FormatError, match="boards that overlap in a table"):
                list(read_text(f"puzzle\n{line}\n", "here", ReadOptions(board=name)))


@pytest.mark.parametrize("shape", ["nested", "flat"])
@pytest.mark.parametrize("name", OVERLAPS)
def test_arrays(name: str, shape: str) -> None:
    """Arrays are read by the rule of lists in JSON."""
    puzzle = sparse(name)
    array = np.array(framed(puzzle, 0, 0))
    rows, columns = array.shape
    for values in (array, array.tolist()) if shape == "nested" else (array.ravel(), array.ravel().tolist()):
        assert as_puzzle(values, name) == puzzle
        if rows == columns:
            with pytest.raises(FormatError, match=rf"may be {rows}x{columns}.*{name}.*; say which with board="):
                as_puzzle(values)
            assert as_puzzle(values, f"{rows}x{columns}").geometry.shape == (rows, columns)
        else:
            assert as_puzzle(values) == puzzle


def test_array_value_outside() -> None:
    """An array with a value outside is a square or refused."""
    array = np.array(framed(sparse("samurai"), 0, 0))
    array[0, 10] = 5
    assert as_puzzle(array).geometry.name == "21x21"
    with pytest.raises(FormatError, match="r1c11 is in no board of samurai, but not blank"):
        as_puzzle(array, "samurai")
    array[0, 10] = -1
    with pytest.raises(FormatError, match="r1c11 is in no board of samurai, but not blank"):
        as_puzzle(array, "samurai")
