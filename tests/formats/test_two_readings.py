"""Texts that fit two readings: values from 0, alphabets, sizes in comments, and grids with their regions."""

import itertools
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import sudoku_encode as se
from sudoku_encode import count
from sudoku_encode.errors import FormatError
from sudoku_encode.formats import stream
from sudoku_encode.formats.entries import Entry, PuzzleBatch, one_by_one
from sudoku_encode.formats.reading import ReadOptions, read_entries, read_text
from sudoku_encode.formats.symbols import most_of_a_value
from sudoku_encode.formats.table import alphabet_names, alphabet_symbols
from sudoku_encode.formats.writing import write_all
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command

SIDES = {4: (2, 2), 6: (2, 3), 9: (3, 3), 10: (2, 5), 12: (3, 4), 16: (4, 4), 25: (5, 5)}
ORDER = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
DOUBT = "0 may be a blank or a value"
Cells = list[list[int | None]]


def from_zero(n: int) -> Cells:
    """Return a puzzle with the values 0 to n - 1, None for a blank; 0 is given at least once, n nowhere."""
    rows, columns = SIDES[n]
    grid = [[(columns * (r % rows) + r // rows + c) % n for c in range(n)] for r in range(n)]
    return [[None if (r + c) % 3 == 1 else value for c, value in enumerate(row)] for r, row in enumerate(grid)]


def in_lines(cells: Cells, gap: str, blank: str) -> str:
    return "\n".join(gap.join(blank if value is None else str(value) for value in row) for row in cells)


def flat(cells: Cells) -> list[int | None]:
    return [value for row in cells for value in row]


NUMBERS: dict[str, Callable[[Cells], str]] = {
    "numbers": lambda cells: in_lines(cells, " ", "."),
    "numbers and dashes": lambda cells: in_lines(cells, " ", "-"),
    "two digits": lambda cells: in_lines(cells, " ", "..").replace("..", "__"),
    "csv rows": lambda cells: in_lines(cells, ",", ""),
    "csv rows with dots": lambda cells: in_lines(cells, ", ", "."),
    "csv line": lambda cells: in_lines([flat(cells)], ",", ""),
    "json": json.dumps,
    "json flat": lambda cells: json.dumps(flat(cells)),
    "json object": lambda cells: json.dumps({"givens": cells}),
    "json column": lambda cells: json.dumps({"Puzzle": flat(cells)}),
}
SYMBOLS: dict[str, Callable[[Cells], str]] = {
    "line": lambda cells: in_lines([flat(cells)], "", "."),
    "line of x": lambda cells: in_lines([flat(cells)], "", "x"),
    "grid": lambda cells: in_lines(cells, "", "_"),
    "borders": lambda cells: "+---+\n" + "\n".join(f"|{row}|" for row in in_lines(cells, "", "*").split("\n")),
    "json string": lambda cells: json.dumps({"puzzle": in_lines([flat(cells)], "", ".")}),
    "table": lambda cells: "id,puzzle\n1," + in_lines([flat(cells)], "", "."),
}
FORMS = [(n, form) for n in SIDES for form in (*NUMBERS, *(SYMBOLS if n < 10 else ()))]


def only(text: str, **options: object) -> Puzzle:
    (puzzle,) = read_text(text, "here", ReadOptions(**options))  # type: ignore[arg-type]
    assert isinstance(puzzle, Puzzle), str(puzzle)
    return puzzle


def entries(text: str, **options: object) -> list[Entry]:
    # A text of one line may be an argument too short to be taken for a puzzle.
    path = Path("text")
    path.write_text(text)
    return list(one_by_one(read_entries(path, **options)))  # type: ignore[arg-type]


def refusal(text: str, **options: object) -> str:
    with pytest.raises(FormatError) as caught:
        list(read_text(text, "here", ReadOptions(**options)))  # type: ignore[arg-type]
    return str(caught.value)


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(("n", "form"), FORMS)
def test_zero_and_other_blank(n: int, form: str) -> None:
    """Zeros beside another blank are refused until an alphabet says what they are."""
    cells = from_zero(n)
    text = (NUMBERS | SYMBOLS)[form](cells)
    if form == "two digits":
        text = "\n".join(" ".join(f"{part:>02}" for part in line.split()) for line in text.split("\n"))
    message = refusal(text)
    assert DOUBT in message
    first, last = (f"1-{ORDER[n]}", f"0-{ORDER[n - 1]}")
    assert f"--alphabet {first} or --alphabet {last}" in message
    from_one = [0 if value is None else value + 1 for value in flat(cells)]
    assert only(text, alphabet=last).givens.tolist() == from_one
    assert only(text, alphabet=first).givens.tolist() == [value or 0 for value in flat(cells)]


@pytest.mark.parametrize(("n", "form"), FORMS)
def test_zeros_are_blanks(n: int, form: str) -> None:
    """The largest value or many zeros show that zeros are blanks."""
    if form == "two digits":
        form = "numbers"
    cells = [list(row) for row in from_zero(n)]
    cells[0][1] = n
    write = (NUMBERS | SYMBOLS)[form]
    if n < 10 or form in NUMBERS:
        assert only(write(cells)).givens.tolist() == [value or 0 for value in flat(cells)]
    many = [[0 if value in (1, 2) else value for value in row] for row in from_zero(n)]
    assert sum(value == 0 for value in flat(many)) > n
    assert only(write(many)).givens.tolist() == [value or 0 for value in flat(many)]


@pytest.mark.parametrize("form", [form for form in (*NUMBERS, *SYMBOLS) if form != "two digits"])
@pytest.mark.parametrize("n", SIDES)
def test_full_grid_from_zero(n: int, form: str) -> None:
    """A full grid from zero is refused until an alphabet says so."""
    if n > 9 and form in SYMBOLS:
        form = "numbers"
    rows, columns = SIDES[n]
    grid: Cells = [[(columns * (r % rows) + r // rows + c) % n for c in range(n)] for r in range(n)]
    text = (NUMBERS | SYMBOLS)[form](grid)
    assert DOUBT in refusal(text)
    assert only(text, alphabet=f"0-{ORDER[n - 1]}").givens.tolist() == [(value or 0) + 1 for value in flat(grid)]
    assert only(text, alphabet=f"1-{ORDER[n]}").givens.tolist() == flat(grid)
    # One 0 more than a value can have.
    grid[0][next(c for c, value in enumerate(grid[0]) if value)] = 0
    assert only((NUMBERS | SYMBOLS)[form](grid)).givens.tolist() == flat(grid)


def test_full_grids_in_bulk() -> None:
    """Full grids from zero are errors in their places in bulk."""
    grid = "0123230110323210"
    results = entries("\n".join(["1000" + "0" * 12, grid, "1234341221434320"] * 700))
    assert [(entry.line or 0) % 3 for entry in results if isinstance(entry.content, FormatError)] == [2] * 700


@pytest.mark.parametrize("format", ["csv", "numbers", "json", "sdm"])
def test_few_blanks_round_trip(format: str) -> None:
    """What is written with few blanks is read back."""
    n = 9 if format == "sdm" else 4
    grid = [
        value or 0
        for value in flat(
            [[(SIDES[n][1] * (r % SIDES[n][0]) + r // SIDES[n][0] + c) % n for c in range(n)] for r in range(n)]
        )
    ]
    puzzle = Puzzle.of(boards.board(f"{n}x{n}"), grid)
    assert only("".join(write_all([puzzle], format))).givens.tolist() == grid


@pytest.mark.parametrize("name", ["samurai", "9x9x9", "jigsaw:AAABACBBCCDBCDDD"])
def test_value_count_bound(name: str) -> None:
    """No value is in more cells than the rows that cover a board."""
    board = boards.board(name)
    rows = {"samurai": 45, "9x9x9": 81}.get(name, 4)
    assert most_of_a_value(board) <= rows < board.n_cells


def test_count_by_alphabet() -> None:
    """The count under each alphabet is that of the grids by hand."""
    rows = list(itertools.permutations(range(4)))
    grids = [
        sum(four, ())
        for four in itertools.product(rows, repeat=4)
        if all(len(set(column)) == 4 for column in zip(*four, strict=True))
        and all(len({*four[r][c : c + 2], *four[r + 1][c : c + 2]}) == 4 for r in (0, 2) for c in (0, 2))
    ]
    assert len(grids) == 288
    puzzle = [None, 0, 3, None, 0, None, None, 1, 2, 3, 1, 0, None, None, 0, 2]
    text = json.dumps(puzzle)
    fitting = [grid for grid in grids if all(given in (None, value) for given, value in zip(puzzle, grid, strict=True))]
    assert count(only(text, alphabet="0-3")).value == len(fitting)
    less = [value or None for value in puzzle]
    from_one = [grid for grid in grids if all(one in (None, v + 1) for one, v in zip(less, grid, strict=True))]
    assert count(only(text, alphabet="1-4")).value == len(from_one)


def test_line_in_doubt() -> None:
    """A line in doubt is an error in its place and the others are read as a block."""
    # The last has the largest value; the one before has one symbol for blanks.
    lines = ["1234" + "." * 12, ".03.0..12310..02", "12" + "0" * 14, "0.4." + "0" * 4 + "." * 8]
    Path("batch").write_text("\n".join(lines * 500))
    found = list(read_entries(Path("batch")))
    assert all(isinstance(item, PuzzleBatch) for item in found[::2])
    results = list(one_by_one(found))
    assert len(results) == 2000
    for at, entry in enumerate(results):
        assert isinstance(entry.content, FormatError) == (at % 4 == 1)
        assert entry.line == at + 1


def test_table_from_zero(run: Command) -> None:
    """A table counts from zero in its solutions too."""
    solution = "1032" + "3201" + "2310" + "0123"
    Path("table.csv").write_text(f"puzzle,solution\n.{solution[1:]},{solution}\n..32{solution[4:]},{solution}\n")
    assert run("solve", "table.csv").status == 2
    ran = run("solve", "table.csv", "--alphabet", "0-3", "--to", "line")
    assert ran.out.split()[-2:] == [solution.translate(str.maketrans("0123", "1234"))] * 2
    assert "differ" not in ran.err


def test_9x9_documents() -> None:
    """Documents of 9x9 with zeros and blanks are refused too."""
    line = "0" + "." * 79 + "8"
    assert DOUBT in refusal(f":0000:x:{line}:::")
    assert DOUBT in refusal(f'<opensudoku><game data="{line}"/></opensudoku>')
    given = [{"value": 0, "given": True}, *[{}] * 15]
    assert DOUBT in refusal(json.dumps({"size": 4, "grid": [given[at : at + 4] for at in range(0, 16, 4)]}))
    regions = [[[r + a, c + b] for a in (0, 1) for b in (0, 1)] for r in (0, 2) for c in (0, 2)]
    cells = [{"value": "0"}, *[{}] * 15]
    item = {"cells": [cells[at : at + 4] for at in range(0, 16, 4)], "regions": regions}
    assert DOUBT in refusal(json.dumps(item))
    item["cells"][3][3] = {"value": "4"}  # type: ignore[index]
    assert only(json.dumps(item)).givens.tolist() == [*[0] * 15, 4]


# Alphabets.


@pytest.mark.parametrize("n", [10, 16, 25, 36, 49])
def test_zero_first_or_last(n: int) -> None:
    """Zero may be the first or the last of the symbols of any board."""
    last = f"1-{ORDER[n - 1]}0"
    for name, symbols in {
        f"0-{ORDER[n - 1]}": ORDER[:n],
        last: ORDER[1:n] + "0",
        f"1-{ORDER[n]}": ORDER[1 : n + 1],
    }.items():
        assert alphabet_symbols(name) == symbols
        text = symbols + "." * (n * n - n)
        assert only(text, alphabet=name).givens.tolist() == [*range(1, n + 1), *[0] * (n * n - n)]
        assert only(f"# alphabet: {name}\n{text}").givens.tolist()[:n] == [*range(1, n + 1)]
    message = refusal(ORDER[1:n] + "0" + "." * (n * n - n))
    assert DOUBT in message
    assert last in message


@pytest.mark.parametrize("n", [4, 6, 9, 10, 12, 15, 20, 25, 36, 49])
def test_alphabet_length(n: int) -> None:
    """An alphabet with another number of symbols is refused with those that fit."""
    for name in ("1-G", "0-F", "A-P"):
        message = refusal("." * (n * n), alphabet=name)
        assert f"alphabet {name} has 16 symbols, and {n}x{n} {n} values; write {alphabet_names(n)[0]}" in message
    for name in alphabet_names(n):
        assert only("." * (n * n), alphabet=name).geometry.n_values == n


@pytest.mark.parametrize("header", ["1-9", "0-8", "A-H"])
def test_short_alphabet_on_a_line(header: str) -> None:
    """An alphabet of too few symbols is refused from a line too."""
    assert "and 16x16 16 values; write 1-G" in refusal(f"# alphabet: {header}\n" + "." * 256)


def test_offered_alphabets() -> None:
    """No alphabet is offered that makes a blank of a zero beside other blanks."""
    message = refusal(ORDER[1:16] + "0" + "." * 240)
    assert "say which with --alphabet 0-F, or write numbers" in message
    assert "with --alphabet 1-F0 0 is the last value" in message
    assert "1-G" not in message


def test_36x36_ending_in_zero() -> None:
    """A 36x36 that ends in zero is not read as if zero were a blank."""
    text = ORDER[1:36] + "0" + ("1" + "." * 35) * 35
    for header in ("", "# alphabet: 1-G\n"):
        message = refusal(header + text)
        assert DOUBT in message
        assert "1-G, 0-F" not in message
    assert only(text, alphabet="1-Z0").givens.tolist()[34:38] == [35, 36, 1, 0]


def test_letters_round_trip() -> None:
    """Written letters are read back on boards of every size."""
    for n in (12, 16, 20, 25, 36):
        puzzle = Puzzle.of(boards.board(f"{n}x{n}", ["row"]), [n, *[0] * (n * n - 1)])
        text = "".join(write_all([puzzle], "line"))
        assert f"# alphabet: 1-{ORDER[n]}\n" in text
        assert only(text).givens.tolist() == puzzle.givens.tolist()
        # Files of version 0.2 have this name on every board.
        assert only(text.replace(f"1-{ORDER[n]}", "1-G")).givens.tolist() == puzzle.givens.tolist()


# Comments that say the board.


@pytest.mark.parametrize(
    ("comment", "board"),
    [
        # The width of a box before its height: boxes 3 wide and 4 high are 4 rows and 3 columns.
        ("# size=12 box=3x4", "12x12:4x3"),
        ("#size=12 box=4x3", "12x12"),
        ("# Size=12, Box = 3x4; seed=7", "12x12:4x3"),
        ("# box=6*2", "12x12:2x6"),
        ("# box=3x4\n# size=12", "12x12:4x3"),
        ("# size=12", "12x12"),
    ],
)
@pytest.mark.parametrize("in_bulk", [False, True])
def test_size_and_box_comment(comment: str, board: str, in_bulk: bool) -> None:
    """A size and a box in a comment name the board."""
    n = 12
    text = "." * (n * n) if in_bulk else "\n".join([". " * n] * n)
    assert only(f"{comment}\n{text}").geometry.name == boards.board(board).name
    six = only("# size=6 box=2x3\n" + "." * 36).geometry
    # Rows 1 to 3, columns 1 and 2.
    assert sorted(map(sorted, six.rules[2].units.tolist()))[0] == [0, 1, 6, 7, 12, 13]


def test_contradicting_comment() -> None:
    """A comment that contradicts the grid itself or the caller is refused."""
    line = "." * 144
    assert "12x12 board needs 12" in refusal(f"# size=12 box=3x3\n{line}")
    assert "9x9 needs" in refusal(f"# size=9 box=3x3\n{line}")
    message = refusal(f"# size=12 box=3x4\n{line}", board="12x12:3x4")
    assert "the header says 12x12:4x3, and --board 12x12; leave out one of them" in message
    assert only(f"# size=12 box=3x4\n{line}", board="12x12:4x3").geometry.name == "12x12:4x3"
    assert only(f"# size=12 box=4x3\n{line}", board="latin:12x12").geometry.name == "latin:12x12"


@pytest.mark.parametrize(
    "comment",
    [
        *("# variant: diagonal", "# box=3", "# board = 9x9+diagonals", "#regions=aabb", "# size=12 boxes=3x4"),
        *("# block=3x4", "# blocks=3x4", "# box_width=3 box_height=4", "# boxsize=3x4", "# size=9 variant=diagonal"),
        *("# Size: 12, Box: 3x4, seed: 7", "# size=12 box=3x4 and more", "# size=12 box=3x4 box=4x3"),
    ],
)
def test_near_setting_remarked(comment: str) -> None:
    """A comment that looks like a setting is remarked on once."""
    first, second = entries(f"# a comment\n{comment}\n{'.' * 81}\n{comment}\n{'.' * 81}\n")
    assert [len(first.remarks), len(second.remarks)] == [1, 0]
    assert first.remarks[0].startswith("line 2: `" + comment)
    (grid,) = entries(f"{comment}\n" + "\n".join(["." * 9] * 9))
    assert len(grid.remarks) == 1


@pytest.mark.parametrize(
    "comment",
    [
        *("# file size=81 bytes", "# bounding box: 64x48", "# page size=4x6", "# size: 9 puzzles", "# size=12"),
        *("# size=6 difficulty=hard", "# a big box, 3x4"),
    ],
)
def test_prose_sets_nothing(comment: str) -> None:
    """Prose and a size alone set nothing."""
    before = "# board: 9x9+diagonals\n# constraint: anti-knight\n"
    line = "." * 81
    for text, board in ((f"{comment}\n{line}", "9x9"), (f"{before}{comment}\n{line}", "9x9+diagonals")):
        (entry,) = entries(text)
        assert isinstance(entry.content, Puzzle)
        assert entry.content.geometry.name == board
        assert len(entry.content.constraints) == text.count("constraint")
        assert entry.remarks == ()
    first, second = entries(f"{before}{line}\n{comment}\n{line}")
    assert isinstance(first.content, Puzzle)
    assert isinstance(second.content, Puzzle)
    assert first.content == second.content


@pytest.mark.parametrize("in_bulk", [False, True])
def test_header_keeps_board_line(in_bulk: bool) -> None:
    """A header never changes what a board line says."""
    text = "." * 81 if in_bulk else "\n".join(["." * 9] * 9)
    before = "# board: 9x9+diagonals\n"
    more = "" if in_bulk else "# constraint: anti-knight\n"
    found = [entry.content for entry in entries(f"{before}{more}# size=9 box=3x3\n{text}\n# box=3x3\n{text}")]
    assert found == [only(f"{before}{more}{text}")] * 2
    assert refusal(f"{before}# size=12 box=3x4\n{text}") == (
        "here:2: the header says 12x12:4x3, and a line `# board:` 9x9+diagonals; leave out one of them"
    )
    lines = text.count("\n")
    assert f"here:{lines + 3}: the header says" in refusal(f"{before}{text}\n# box=2x3\n{text}")


def test_header_after_puzzles() -> None:
    """A header after puzzles begins anew where no line says the board."""
    nine, six = "." * 81, "." * 36
    texts = entries(f"# constraint: anti-knight\n{nine}\n# size=6 box=2x3\n{six}\n# box=3x3\n{nine}")
    found = [entry.content for entry in texts]
    assert found == [only(f"# constraint: anti-knight\n{nine}"), only(f"# board: 6x6:3x2\n{six}"), only(nine)]


def test_header_leftovers() -> None:
    """A header says what else it has that is not read."""
    (entry,) = entries("# size=9 box=3x3 variant=diagonal\n" + "." * 81)
    assert entry.remarks[0].startswith("line 1: variant in `# size=9 box=3x3 variant=diagonal` is not read")


@pytest.mark.parametrize(
    "key",
    [
        "constraint",
        "rule",
        "cages",
        "candidates",
        "diagonal",
        "type",
        "map",
        "layout",
        "alphabet",
        "regions",
        "box_width",
    ],
)
def test_setting_like_columns(key: str) -> None:
    """Columns and keys that look like settings are remarked on."""
    (entry,) = entries(f"puzzle,{key}\n{'.' * 16},aabb\n")
    assert f"columns that are not read: {key};" in entry.remarks[0]
    # These are nearly keys that are read.
    if key not in ("constraint", "rule", "regions"):
        (entry,) = entries(json.dumps({"puzzle": "." * 16, key: ["aabb"]}))
        assert f"not read: '{key}'" in entry.remarks[0]
    (entry,) = entries(json.dumps({"puzzle": "." * 16, key: None}))
    assert entry.remarks == ()


def test_two_puzzles_in_record() -> None:
    """Two puzzles in a record are refused and a number is not one."""
    line = "1" + "." * 15
    assert "the columns puzzle and quiz are both a puzzle" in refusal(f"puzzle,quiz\n{line},{line}\n")
    assert '"puzzle" and "quiz" are both a puzzle' in refusal(json.dumps({"puzzle": line, "quiz": line}))
    for text in (f"puzzle,givens\n7,{line}\n", json.dumps({"puzzle": 7, "givens": line})):
        assert only(text).givens.tolist() == [1, *[0] * 15]
    assert only(json.dumps({"puzzle": line, "givens": None})) == only(line)


def test_harmless_columns() -> None:
    """Other comments columns and keys draw no remark."""
    (entry,) = entries("# count: 1, difficulty=hard; see https://example.org/?a=b\n" + "." * 81)
    assert entry.remarks == ()
    (entry,) = entries('{"puzzle": "' + "." * 81 + '", "difficulty": 3}')
    assert entry.remarks == ()
    (entry,) = entries("puzzle,board\n" + "." * 81 + ",9x9+diagonals\n")
    assert "columns that are not read: board" in entry.remarks[0]
    (entry,) = entries('{"puzzle": "' + "." * 81 + '", "variant": "diagonal"}')
    assert "not read: 'variant'" in entry.remarks[0]


# Grids with their regions.

SMALL_MAP = "AAABACBBCCDBCDDD"


def winding_map(n: int) -> list[int]:
    """Return rows as regions, of which the first two exchange their ends."""
    regions = [cell // n for cell in range(n * n)]
    regions[n - 1], regions[n] = 1, 0
    return regions


def rows_of(symbols: list[str], n: int, gap: str = "") -> str:
    return "\n".join(gap.join(symbols[at : at + n]) for at in range(0, n * n, n))


@pytest.mark.parametrize("n", range(4, 17))
def test_grid_and_regions_jigsaw(n: int) -> None:
    """A grid and its regions are one jigsaw in every form and size."""
    regions, givens = winding_map(n), [n, *[0] * (n * n - 2), 1]
    expected = boards.board("jigsaw:" + "".join(ORDER[1:][region] for region in regions))
    dots = [str(value or ".") for value in givens]
    letters, numbers = [chr(65 + region) for region in regions], [str(region + 1) for region in regions]
    from_nought = [str(region) for region in regions]
    nested = [[values[at : at + n] for at in range(0, n * n, n)] for values in (givens, regions)]
    texts = [
        f"{rows_of(dots, n, ' ')}\n{gap}{rows_of(last, n, space)}"
        for gap in ("", "\n", "# the regions\n")
        for last, space in ((letters, ""), (letters, " "), (numbers, " "), (from_nought, " "))
    ]
    texts += [
        rows_of(dots, n, ",") + "\n\n" + rows_of(numbers, n, ","),
        ",".join(dots) + "\n" + ",".join(numbers),
        json.dumps(nested),
        json.dumps([givens, regions]),
        json.dumps([nested[0], ["".join(letters[at : at + n]) for at in range(0, n * n, n)]]),
        json.dumps({"givens": nested[0], "regions": nested[1]}),
    ]
    if n < 10:
        texts += ["".join(dots) + "\n" + "".join(letters), rows_of(dots, n) + "\n" + rows_of(numbers, n)]
    for text in texts:
        (entry,) = entries(text)
        assert isinstance(entry.content, Puzzle)
        board = entry.content.geometry
        assert sorted(map(sorted, board.rules[2].units.tolist())) == sorted(
            map(sorted, expected.rules[2].units.tolist())
        )
        assert entry.content.givens.tolist() == givens
        if '"regions"' not in text:
            assert "is read as the regions of a jigsaw" in entry.remarks[-1]


def test_two_grid_jigsaw_solutions() -> None:
    """The jigsaw of two grids has the solutions that are found by hand."""
    rows = list(itertools.permutations(range(1, 5)))
    grids = [
        sum(four, ())
        for four in itertools.product(rows, repeat=4)
        if all(len(set(column)) == 4 for column in zip(*four, strict=True))
    ]
    regions = "AAABABBBCCCDDCDD"
    fitting = [
        grid
        for grid in grids
        if grid[0] == 1 and all(len({v for v, s in zip(grid, regions, strict=True) if s == r}) == 4 for r in "ABCD")
    ]
    assert count(only("1" + "." * 15 + "\n" + regions)).value == len(fitting) > 0


CLUE, OTHER, SOLUTION, FAULTY = "1" + "." * 15, "..2." * 4, "1234341221434321", "AABBAACBDACBDDDC"


def test_several_pairs() -> None:
    """Several pairs may follow each other."""
    for form in (lambda grid: grid, lambda grid: rows_of(list(grid), 4) + "\n"):
        found = [entry.content for entry in entries("\n".join(map(form, [CLUE, SMALL_MAP, OTHER, SMALL_MAP])))]
        names = [puzzle.geometry.name for puzzle in found if isinstance(puzzle, Puzzle)]
        assert names == ["jigsaw:aaabacbbccdbcddd"] * 2


@pytest.mark.parametrize(
    ("grids", "wrong", "what"),
    [
        ((SMALL_MAP, CLUE), 0, "regions of a jigsaw before any puzzle"),
        ((CLUE, SMALL_MAP, OTHER), 2, "no regions after this grid"),
        ((CLUE, SMALL_MAP, SOLUTION), 2, "no regions after this grid"),
        ((CLUE, SOLUTION, SMALL_MAP), 1, "not the regions of a jigsaw"),
        ((CLUE, SMALL_MAP, SMALL_MAP), 2, "regions of a jigsaw after other regions"),
        ((CLUE, SMALL_MAP, OTHER, SOLUTION), 3, "not the regions of a jigsaw"),
        ((CLUE, SMALL_MAP, OTHER, FAULTY), 3, "A has 5 cells"),
        ((CLUE, FAULTY, OTHER, FAULTY), 1, "A has 5 cells"),
        ((SMALL_MAP,), 0, "this looks like the regions of a jigsaw, not a puzzle"),
    ],
)
def test_maps_out_of_place(grids: list[str], wrong: int, what: str) -> None:
    """Maps that are not one after each puzzle are refused."""
    # In lines, line N is grid N.
    for text, line in (("\n".join(grids), wrong + 1), ("\n".join(rows_of(list(g), 4) for g in grids), 4 * wrong + 1)):
        assert refusal(text).startswith(f"here:{line}: ")
        assert what in refusal(text)


@pytest.mark.parametrize("between", ["# rules: row,column", "# constraint: cage 3 r1c1 r1c2", "# alphabet: 1-4"])
def test_map_parted_from_puzzle(between: str) -> None:
    """A map that a setting parts from its puzzle is refused."""
    digits = "1112132233423444"
    for text in (f"{CLUE}\n{between}\n{digits}\n", f"{rows_of(list(CLUE), 4)}\n{between}\n{rows_of(list(digits), 4)}"):
        first, second = entries(text)
        assert isinstance(first.content, Puzzle)
        assert "looks like the regions of a jigsaw, not a puzzle" in str(second.content)


def test_late_map() -> None:
    """A map far down in a file of lines is refused in its place."""
    shifted = [SOLUTION[4 * at :] + SOLUTION[: 4 * at] for at in range(4)]
    lines = [*shifted * 2500, "1112132233423444", CLUE]
    results = entries("\n".join(lines))
    assert [entry.line for entry in results if isinstance(entry.content, FormatError)] == [10001]
    assert "looks like the regions" in str(results[10000].content)
    assert all(isinstance(entry.content, Puzzle) for entry in entries("\n".join(lines), board="4x4"))


def test_many_pairs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Many pairs are read though the beginning of the file ends within one."""
    monkeypatch.setattr(stream, "BEGINNING_BYTES", 169)
    # 16 symbols and a newline: the beginning has whole pairs, or a puzzle more.
    for before in ("", "# sixteen letter\n"):
        lines = (before + f"{CLUE}\n{SMALL_MAP}\n" * 101).splitlines(keepends=True)
        pieces = iter([line.encode() for line in lines])
        results = list(one_by_one(stream.read(pieces, ReadOptions().setting("here"))))
        assert len(results) == 101
        names = {entry.content.geometry.name for entry in results if isinstance(entry.content, Puzzle)}
        assert names == {"jigsaw:aaabacbbccdbcddd"}


def test_regions_section() -> None:
    """A section with the regions is remarked on."""
    for name in ("Regions", "Region", "Jigsaw", "map", "Layout", "Boxes", "Areas"):
        (entry,) = entries(f"[Puzzle]\n{rows_of(list(CLUE), 4)}\n[{name}]\n{rows_of(list(SMALL_MAP), 4)}")
        assert entry.remarks[0].startswith(f"line 6: the section [{name}] is not read")
    (entry,) = entries(f"[Puzzle]\n{rows_of(list(CLUE), 4)}\n[State]\n{rows_of(list(SMALL_MAP), 4)}")
    assert entry.remarks == ()


def test_json_regions_line() -> None:
    """Regions in JSON may be a line of symbols."""
    flat = only(json.dumps({"puzzle": CLUE, "regions": SMALL_MAP}))
    rows = [list(SMALL_MAP[at : at + 4]) for at in range(0, 16, 4)]
    assert flat == only(json.dumps({"puzzle": CLUE, "regions": rows}))
    assert flat.geometry.name == "jigsaw:aaabacbbccdbcddd"


@pytest.mark.parametrize("second", ["1234341221434321", "1234234134124123"])
def test_solution_after_puzzle(second: str) -> None:
    """A solution after a puzzle is a puzzle."""
    # The other is a Latin square, whose boxes are wrong.
    for text in (f"1{'.' * 15}\n{second}", f"1...\n....\n....\n....\n\n{rows_of(list(second), 4)}"):
        first, last = entries(text)
        assert isinstance(first.content, Puzzle)
        assert isinstance(last.content, Puzzle)
        assert last.content.givens.tolist() == [int(symbol) for symbol in second]
        assert first.remarks == last.remarks == ()


@pytest.mark.parametrize(
    ("second", "what"),
    [
        ("1212343412123434", "may be a puzzle, or the regions of a jigsaw"),
        ("AABBAACBDACBDDDC", "looks like the regions of a jigsaw, but A has 5 cells; each must have 4"),
    ],
)
def test_grid_between_map_and_puzzle(second: str, what: str) -> None:
    """A second grid between a map and a puzzle is refused."""
    assert what in refusal(f"1{'.' * 15}\n{second}")
    assert what in refusal(f"1...\n....\n....\n....\n\n{rows_of(list(second), 4)}")


def test_map_as_puzzle() -> None:
    """A map is a puzzle where the board is said and a remark says so."""
    text = f"1{'.' * 15}\n1112132233423444"
    for found in (entries(text, board="4x4"), entries(f"# board: 4x4\n{text}")):
        assert [entry.content.geometry.name for entry in found if isinstance(entry.content, Puzzle)] == ["4x4"] * 2
        assert "looks like the regions of a jigsaw, but is read as a puzzle" in found[0].remarks[0]


def test_split_region() -> None:
    """A region in two pieces is remarked on wherever the map is from."""
    apart, whole = "1221112233443344", "AAABACBBCCDBCDDD"
    what = "region of the jigsaw in several pieces: that of r1c1 in 2"
    (asked,) = entries("." * 16, board=f"jigsaw:{apart}")
    said, again = entries(f"# board: jigsaw:{apart}\n{'.' * 16}\n{'.' * 16}")
    (below,) = entries("." * 16 + "\n" + apart)
    assert asked.remarks == said.remarks == below.remarks[:1] == (what,)
    assert again.remarks == ()
    assert entries("." * 16, board=f"jigsaw:{whole}")[0].remarks == ()


def test_not_a_map() -> None:
    """Regions that are not a map are refused."""
    item = {"puzzle": "." * 16, "regions": [[0, 1], [2, 3]]}
    assert '"regions" must be the region of each cell' in refusal(json.dumps(item))


def test_json_object_zero() -> None:
    """An object that names its board has 0 for a blank as version 0 2 wrote it."""
    givens = [1, 2, 3, 0, 3, 0, 1, 2, 2, 1, 0, 3, 0, 3, 2, 1]
    assert se.read(json.dumps({"board": "4x4", "givens": givens})).givens.tolist() == givens
    with pytest.raises(se.FormatError, match="0 may be a blank or a value"):
        se.read(json.dumps({"board": "4x4", "givens": [None, *givens[1:]]}))
    with pytest.raises(se.FormatError, match="0 may be a blank or a value"):
        se.read(json.dumps(givens))
