"""Other styles of writing a puzzle: random puzzles in each are read back, and what fits two readings is refused."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.errors import FormatError
from sudoku_encode.formats.reading import ReadOptions, read_text
from sudoku_encode.formats.styles import STYLES
from sudoku_encode.puzzles.puzzle import Puzzle

Grid = list[list[int]]
LINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"
ROWS = [LINE[start : start + 9] for start in range(0, 81, 9)]


def symbols(grid: Grid, blank: str = ".") -> list[str]:
    """Return the rows as symbols."""
    return ["".join(str(value) if value else blank for value in row) for row in grid]


def numbers(grid: Grid, blank: str = "0", separator: str = ", ") -> list[str]:
    """Return the rows as numbers."""
    return [separator.join(str(value) if value else blank for value in row) for row in grid]


def drawn(grid: Grid, bar: str = "|") -> str:
    """Return a drawing with the bars of boxes."""
    n = len(grid)
    high, wide = {4: (2, 2), 6: (2, 3), 9: (3, 3)}[n]
    lines = []
    for number, row in enumerate(symbols(grid)):
        if number and number % high == 0:
            lines.append(bar.join("-" * wide for _ in range(n // wide)))
        lines.append(bar.join(row[start : start + wide] for start in range(0, n, wide)))
    return "\n".join(lines)


def givens(grid: Grid) -> list[tuple[int, int, int]]:
    """Return the row, column and value of each given, from 1."""
    return [(r, c, value) for r, row in enumerate(grid, 1) for c, value in enumerate(row, 1) if value]


def cells(grid: Grid, delimiter: str) -> str:
    """Return a table with a cell in each field, blanks empty."""
    return "\n".join(numbers(grid, "", delimiter))


# The texts of a puzzle, by what they are; the first word is the style that reads them, `-` where a format does.
SMALL: dict[str, Callable[[Grid], str]] = {
    "blanks e": lambda grid: "\n".join(symbols(grid, "e")),
    "blanks #": lambda grid: "\n".join(symbols(grid, "#")),
    "- middle dots": lambda grid: "\n".join(symbols(grid, "\u00b7")),
    "- squares": lambda grid: "".join(symbols(grid, "\u25a1")),
    "- wide digits": lambda grid: "".join(symbols(grid)).translate({ord("0") + d: 0xFF10 + d for d in range(10)}),
    "- Arabic digits": lambda grid: "".join(symbols(grid)).translate({ord("0") + d: 0x0660 + d for d in range(10)}),
    "- comment with %": lambda grid: "\n".join(["% easy", *symbols(grid)]),
    "- comment with //": lambda grid: "// easy\n" + "".join(symbols(grid)),
    "- comment with ;": lambda grid: "; easy\n" + "".join(symbols(grid)),
    "- end of file": lambda grid: "".join(symbols(grid)) + "\n\x1a",
    "titles title": lambda grid: "\n".join(["An easy one", *symbols(grid)]),
    "titles size": lambda grid: "\n".join([str(len(grid)), *numbers(grid, "0", " ")]),
    "titles two sizes": lambda grid: "\n".join([f"{len(grid)} {len(grid)}", *numbers(grid, "0", " ")]),
    "titles fence": lambda grid: "\n".join(["```", *symbols(grid), "```"]),
    "labels R1:": lambda grid: "\n".join(f"R{at}: {row}" for at, row in enumerate(symbols(grid), 1)),
    "labels letters": lambda grid: "\n".join(
        f"{chr(64 + at)} {' '.join(row)}" for at, row in enumerate(symbols(grid), 1)
    ),
    "labels YAML": lambda grid: "\n".join(f"- {row}" for row in symbols(grid)),
    "bars !": lambda grid: drawn(grid, "!"),
    "rest rating": lambda grid: "".join(symbols(grid)) + ";7.1;abc",
    "rest tab": lambda grid: "".join(symbols(grid)) + "\tED=7.1",
    "rest name": lambda grid: "".join(symbols(grid)) + " Golden Nugget",
    "rest number": lambda grid: "12. " + "".join(symbols(grid)),
    "rest quoted": lambda grid: '"' + "".join(symbols(grid)) + '",',
    "rest numbers": lambda grid: " ".join(numbers(grid, "0", " ")) + "\t0.36",
    "rows /": lambda grid: "/".join(symbols(grid, "0")),
    "rows escaped": lambda grid: r"\n".join(symbols(grid, "0")),
    "cells tabs": lambda grid: cells(grid, "\t"),
    "cells semicolons": lambda grid: cells(grid, ";"),
    "cells quoted": lambda grid: "\n".join(",".join(f'"{value or ""}"' for value in row) for row in grid),
    "cells comma at the end": lambda grid: "\n".join(f"{row}," for row in numbers(grid)),
    "cells markdown": lambda grid: "\n".join(
        [
            "|" + "a|" * len(grid),
            "|" + "---|" * len(grid),
            *(f"| {' | '.join(str(v or ' ') for v in row)} |" for row in grid),
        ]
    ),
    "arrays Python": lambda grid: "board = [\n" + "\n".join(f"    [{row}]," for row in numbers(grid)) + "\n]",
    "arrays None": lambda grid: "[" + ",\n".join(f"[{row}]" for row in numbers(grid, "None")) + "]",
    "arrays C": lambda grid: (
        f"int grid[{len(grid)}][{len(grid)}] = {{" + ",\n".join(f"{{{row}}}" for row in numbers(grid)) + "};"
    ),
    "arrays numpy": lambda grid: "[" + "\n ".join(f"[{row}]" for row in numbers(grid, "0", " ")) + "]",
    "arrays MATLAB": lambda grid: "A = [" + ";\n".join(numbers(grid, "0", " ")) + "];",
    "arrays MiniZinc": lambda grid: "start=[|" + "\n|".join(numbers(grid, "_")) + "|];",
    "arrays Prolog": lambda grid: "problem(1, [" + ",\n".join(f"[{row}]" for row in numbers(grid, "_", ",")) + "]).",
    "arrays texts": lambda grid: "char *rows[] = {" + ", ".join(f'"{row}"' for row in symbols(grid)) + "};",
    "- JSON rows": lambda grid: json.dumps(symbols(grid)),
    "- JSON symbols": lambda grid: json.dumps([list(row) for row in symbols(grid)]),
    "- JSON empty texts": lambda grid: json.dumps([[str(value or "") for value in row] for row in grid]),
    "- JSON grid": lambda grid: json.dumps({"grid": grid}),
    "- JSON clues": lambda grid: json.dumps({"clues": grid}),
    "- JSON rows in board": lambda grid: json.dumps({"board": symbols(grid)}),
    "- JSON dosuku": lambda grid: json.dumps({"newboard": {"grids": [{"value": grid, "difficulty": "Easy"}]}}),
    "markup table": lambda grid: (
        "<table>"
        + "".join("<tr>" + "".join(f"<td>{value or ''}</td>" for value in row) + "</tr>" for row in grid)
        + "</table>"
    ),
    "markup rows": lambda grid: "<s>" + "".join(f"<row>{row}</row>" for row in symbols(grid, "0")) + "</s>",
    "markup attribute": lambda grid: f'<game puzzle="{"".join(symbols(grid, "0"))}" level="2"/>',
    "janko sections": lambda grid: "\n".join(
        ["[begin]", "puzzle sudoku", f"size {len(grid)}", "[problem]", *numbers(grid, "-", " "), "[end]"]
    ),
}
NINE: dict[str, Callable[[Grid], str]] = {
    "triples": lambda grid: "\n".join(" ".join(map(str, triple)) for triple in givens(grid)),
    "triples counted": lambda grid: "\n".join(
        [str(len(givens(grid))), *(" ".join(map(str, triple)) for triple in givens(grid))]
    ),
    "triples from 0": lambda grid: "\n".join(f"{r - 1},{c - 1},{value}" for r, c, value in givens(grid)),
    "facts ASP": lambda grid: " ".join(f"cell({r},{c},{value})." for r, c, value in givens(grid)),
    "facts assigned": lambda grid: "\n".join(f"grid[{r - 1}][{c - 1}] = {value};" for r, c, value in givens(grid)),
    "units": lambda grid: "\n".join(f"{r}{c}{value} 0" for r, c, value in givens(grid)),
    "units counted": lambda grid: (
        f"p cnf 729 {len(givens(grid))}\n"
        + "\n".join(f"{81 * (r - 1) + 9 * (c - 1) + value} 0" for r, c, value in givens(grid))
    ),
    "marks braces": lambda grid: "\n".join(
        " ".join(f"({value})" if value else "{123456789}" for value in row) for row in grid
    ),
    "spaces grid": lambda grid: "\n".join(symbols(grid, " ")),
    "spaces line": lambda grid: "".join(symbols(grid, " ")),
    "- drawn": lambda grid: drawn(grid).replace("|", "\u2502").replace("-", "\u2500"),
}


@st.composite
def grids(draw: st.DrawFn, n: int) -> Grid:
    """Return a grid with the value n, and givens in the first and the last row and column, which tell its size."""
    high = {4: 2, 6: 2, 9: 3}[n]
    wide = n // high
    order = draw(st.permutations(range(1, n + 1)))
    full = [[order[(wide * (r % high) + r // high + c) % n] for c in range(n)] for r in range(n)]
    is_kept = draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))
    corner = {0, n - 1}
    for r, row in enumerate(full):
        for c, value in enumerate(row):
            if not (is_kept[n * r + c] or value == n or (r in corner and c in corner)):
                row[c] = 0
    return full


def values(grid: Grid) -> list[int]:
    """Return the values of all cells."""
    return [value for row in grid for value in row]


@pytest.mark.parametrize("style", SMALL)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(data=st.data())
def test_style_is_read_back(style: str, data: st.DataObject) -> None:
    """A puzzle in a style is read back, on boards of three sizes."""
    grid = data.draw(st.sampled_from((4, 6, 9)).flatmap(grids))
    text = SMALL[style](grid)
    (puzzle,) = read_all(text)
    assert isinstance(puzzle, Puzzle), puzzle
    assert puzzle.givens.tolist() == values(grid)
    assert puzzle.geometry.name == f"{len(grid)}x{len(grid)}"


@pytest.mark.parametrize("style", NINE)
@settings(derandomize=True, max_examples=15, deadline=None)
@given(grid=grids(9))
def test_style_of_9x9(style: str, grid: Grid) -> None:
    """A puzzle in a style for 9x9 is read back."""
    (puzzle,) = read_all(NINE[style](grid))
    assert isinstance(puzzle, Puzzle), puzzle
    assert puzzle.givens.tolist() == values(grid)
    assert puzzle.geometry.name == "9x9"


def test_style_of_the_table() -> None:
    """Each style of the table is tried here, and reads its own texts when it is asked for."""
    texts = {**SMALL, **NINE}
    grid = [[int(symbol) if symbol != "." else 0 for symbol in row] for row in ROWS]
    for style in STYLES:
        own = [make(grid) for name, make in texts.items() if name.split()[0] == style]
        assert own, style
        for text in own:
            (puzzle,) = read_all(text, format=style)
            assert isinstance(puzzle, Puzzle)
            assert puzzle.givens.tolist() == values(grid)


def read_all(text: str, **options: str) -> list[Puzzle | FormatError]:
    """Return the puzzles of a text, and the errors in the place of some."""
    return list(read_text(text, "here", ReadOptions(**options)))


DRAWN_TITLES = "\n".join(["Puzzle:", *ROWS, "", "Solution:", *[("123456789" * 2)[at : at + 9] for at in range(9)]])
LAYERS = "\n".join(f"Layer {at}\n1...\n.2..\n..3.\n...4" for at in range(4))
AREAS = ["1 2 2 2", "1 1 1 2", "3 3 4 4", "3 3 4 4"]
JANKO = "\n".join(
    ["[begin]", "puzzle sudoku", "size 4", "[problem]", "1 - - -", *["- - - -"] * 3, "[areas]", *AREAS, "[end]"]
)
KSUDOKU = (
    '<!DOCTYPE ksudoku>\n<ksudoku><game><puzzle><graph order="4" type="sudoku" specific-type="XSudoku"/>'
    "<values>b_c_____________</values></puzzle></game></ksudoku>"
)
CELLS = "<s>" + "".join(f'<cell row="{r}" col="{r}" value="9"/>' for r in range(9)) + "</s>"
JIGSAW = """
+---+-----------+
| 1 | .   .   . |
|   +-------+   |
| .   .   . | . |
+-------+---+---+
| .   . | .   . |
| .   . | .   . |
+-------+-------+"""
FRAME = ",0,1,2,3,4,5,6,7,8\n" + "\n".join(f"{at}," + ",".join(row.replace(".", "0")) for at, row in enumerate(ROWS))
HEXADECIMAL = "\n".join("ABCDEFGHIJKLMNOP"[at:] + "-" * at for at in range(16))


@pytest.mark.parametrize(
    ("text", "name", "beginning"),
    [
        (DRAWN_TITLES, "9x9", LINE),
        (LAYERS, "4x4x4", "1....2....3....4"),
        (JANKO, "jigsaw:abbbaaabccddccdd", "1..............."),
        (KSUDOKU, "4x4+diagonals", "1.......2......."),
        (CELLS, "9x9", "9.........9"),
        (JIGSAW, "jigsaw:abbbaaabccddccdd", "1..............."),
        (
            JIGSAW.replace("|", "\u2502").replace("-", "\u2500").replace("+", "\u253c"),
            "jigsaw:abbbaaabccddccdd",
            "1...",
        ),
        ("| 1 | . | . | . |\n" * 4, "4x4", "1...1...1...1..."),
        (HEXADECIMAL, "16x16", "123456789"),
        ("12|..|.6\n" * 6, "6x6:3x2", "12...612...6"),
        ("12 .. .6\n" * 6, "6x6:3x2", "12...612...6"),
        ("12...6\n12...6\n12...6\n\n12...6\n12...6\n12...6\n", "6x6:3x2", "12...612...6"),
        ("120 006\n" * 6, "6x6", "12...612...6"),
        ("given(1,1,1).\n% given(1,3,4).\ngiven(9,9,9). // given(1,4,2)\ngiven(2,3,4).", "9x9", "1..........4"),
        ("int g[N][N] = { /* {1,1,1,1}, */ {1,0,0,0},\n{0,0,0,0},\n{0,0,2,0},\n{0,0,0,4}};", "4x4", "1.........2....4"),
        ("col,row,value\n1,2,5\n3,1,6\n9,9,1\n2,1,4", "9x9", ".46......5"),
        ("c1,c2,c3,c4\n1,,,\n,,2,\n,,,\n,,,4", "4x4", "1.....2........4"),
        ("\n".join("1.2.3.4.4.3.2.1."), "4x4", "1.2.3.4.4.3.2.1."),
        (
            f"regions = {[[0, 1, 1, 1], [0, 0, 0, 1], *[[2, 2, 3, 3]] * 2]}\ng = {[[4, 0, 0, 0], *[[0] * 4] * 3]}",
            "",
            "4...",
        ),
    ],
    ids=range(19),
)
def test_board_of_a_style(text: str, name: str, beginning: str) -> None:
    """A style tells the board where the text shows it."""
    puzzle, *others = read_all(text)
    assert not others
    assert isinstance(puzzle, Puzzle)
    assert puzzle.geometry.name == (name or "jigsaw:abbbaaabccddccdd")
    shown = "".join(str(value) if value else "." for value in puzzle.givens.tolist())
    assert shown.startswith(beginning)


def refused(text: str, **options: str) -> str:
    """Return the error of a text that is refused as a whole."""
    with pytest.raises(FormatError) as caught:
        read_all(text, **options)
    return str(caught.value)


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("\n".join(ROWS * 9), "9 grids of 9x9 may be 9 puzzles, or the layers of one 9x9x9"),
        ("2 3\n" + "\n".join(["1....6"] * 6), "boxes of 2 rows and 3 columns, or of 3 and 2; say which with --board"),
        (f"{LINE} {LINE[::-1]} x", "two puzzles on a line"),
        ("\n".join(["and both long diagonals", *ROWS]), "may be a rule (diagonal), which is not read"),
        ("\n".join(f"y = {at}\n1...\n.2..\n..3.\n...4" for at in range(4)), "layers along y"),
        (FRAME, "may be a 10x10 grid, or 9x9 with the numbers of its rows and columns"),
        ("\n".join(["1 1 3", "2 2 3", "3 3 4", "4 4 1"]), "do not tell the size of the board; say it with --board 4x4"),
        ("\n".join(["2 2 9", "3 3 9", "4 4 8", "5 5 7"]), "may count from 0 or from 1 on 9x9"),
        ("1 1 9\n1 1 8\n9 9 1\n2 2 2", "row 1, column 1 has two values, 9 and 8"),
        ("111 0\n222 0\n333 0\n444 0\n555 0", "may be 100 r + 10 c + v, or 81 (r-1) + 9 (c-1) + v"),
        ("p cnf 999 3\n111 0\n222 0\n333 0\n444 0\n555 0", "5 clauses where the header says 3"),
        ("[begin]\npuzzle kakuro\n[problem]\n1 - - -\n- - - -\n- - - -\n- - - -", "a kakuro of janko.at"),
        (KSUDOKU.replace("XSudoku", "Jigsaw"), "a sudoku of KSudoku; only its plain squares are read"),
        (KSUDOKU.replace("b_c", "b_z"), "<values> must have 16 letters from b"),
        ("1 2..3..4.....1.2", "'1' beside 15 symbols may be a number, or cells of 4x4"),
        (f"{LINE[:-3]} 8.9", "may be a number, or cells of 9x9"),
        ("\n".join(f"{at} {row[:8]}" for at, row in enumerate(ROWS, 1)), "groups of 1 and 8 symbols in each row"),
        ("cage(1,1,1).\ncage(1,2,1).\ncage(9,9,2).\ncage(9,8,2).", "make no puzzle"),
        ("-given(1,2,3).\n-given(1,3,3).\n-given(9,9,1).", "make no puzzle"),
        ("given(1,1,5).\ngiven(9,9,9).\ngiven(4,4,4).\nless(1,3,1,4).", "3 numbers where 4x4 needs 4"),
        (
            "even = [[0,1,0,1],[1,0,1,0],[0,1,0,1],[1,0,1,0]]\ng = [[1,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]]",
            "may be a constraint",
        ),
        ("1...\n....\n..2.\n....\nnext\n1...........2...", "make no puzzle"),
        ("x=[|\n1,2,3,4|\n0,0,0,0|\n0,0,0,0|\n0,0,0,0|\n4,3,2,1|];", "make no puzzle"),
        ("```\n1...\n....\n..2.\n....\n\nAAAB\nACBB\nCCDB\nCDDD\n```", "make no puzzle"),
        ("| a | b | c | d |\n|---|---|---|---|\n| 1 | | | |\n| | | | |\n| | | 2 | |", "make no puzzle"),
        ('[\n"a": [1,0,0,0],[0,0,0,0],[0,0,0,0],[0,0,0,2]]', "not JSON"),
    ],
    ids=range(26),
)
def test_refused_styles(text: str, what: str) -> None:
    """A text that fits two readings, or is only a part of a puzzle, is refused."""
    assert what in refused(text)


def test_asked_for_another_style() -> None:
    """A text that is not in the style that is asked for is refused, with what the style is."""
    assert "this is not units: unit clauses of a CNF" in refused(LINE, format="units")


def test_board_settles_styles() -> None:
    """The board of the caller settles what fits two readings."""
    assert len(read_all("\n".join(ROWS * 9), board="9x9")) == 9
    (framed,) = read_all(FRAME, board="9x9")
    assert isinstance(framed, Puzzle)
    assert framed.givens.tolist() == values([[int(s) if s != "." else 0 for s in row] for row in ROWS])
    (tall,) = read_all("3 2\n" + "\n".join(["1....6"] * 6), board="6x6:3x2")
    assert isinstance(tall, Puzzle)
    assert tall.geometry.name == "6x6:3x2"


def test_words_beside_puzzles() -> None:
    """Lines with other words are read many at once, each in its place, with one remark; an odd one is an error."""
    lines = [f"{number:05x} {LINE} {number / 10}" for number in range(3000)]
    lines[1500] = "nothing to read here"
    lines[2000] = f"another place {LINE}"
    remarks: list[str] = []
    results = list(read_text("\n".join(lines), "here", remarked=remarks.append))
    assert [at for at, result in enumerate(results) if isinstance(result, FormatError)] == [1500]
    shown = {tuple(result.givens.tolist()) for result in results if isinstance(result, Puzzle)}
    assert shown == {tuple(int(symbol) if symbol != "." else 0 for symbol in LINE)}
    assert len([text for text in remarks if "other words of the lines are left out" in text]) == 1


def test_candidates_on_a_line() -> None:
    """A line of candidates is known by the places of its digits, so that no board need be said."""
    marks = "".join("".join(str(d) if symbol in (".", str(d)) else "." for d in range(1, 10)) for symbol in LINE)
    (puzzle,) = read_all(marks)
    assert isinstance(puzzle, Puzzle)
    assert puzzle.geometry.name == "9x9"
    assert puzzle.candidates.sum() == 30 + 51 * 9
    assert "may be" in refused("1" * 729)


# Objects of JSON say their boards themselves.
OBJECTS = {"- JSON grid", "- JSON clues", "- JSON rows in board", "- JSON dosuku"}


@pytest.mark.parametrize("style", [style for style in (*SMALL, *NINE) if style not in OBJECTS])
def test_directives_before_a_style(style: str) -> None:
    """Lines that say the board and a constraint hold for the puzzle of any style after them, and not in between."""
    grid = [[int(symbol) if symbol != "." else 0 for symbol in row] for row in ROWS]
    text = {**SMALL, **NINE}[style](grid)
    (puzzle,) = read_all(f"# board: 9x9+diagonals\n# constraint: odd r1c1\n{text}")
    assert isinstance(puzzle, Puzzle)
    assert puzzle.geometry.name == "9x9+diagonals"
    assert len(puzzle.constraints) == 1
    assert puzzle.givens.tolist() == values(grid)
