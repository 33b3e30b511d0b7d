"""Other styles of writing a puzzle: random puzzles in each are read back, and what fits two readings is refused."""

import json
from collections.abc import Callable

import pytest
from hypothesis import given
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
    for at, row in enumerate(symbols(grid)):
        if at and at % high == 0:
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
    kept = draw(st.lists(st.booleans(), min_size=n * n, max_size=n * n))
    corner = {0, n - 1}
    return [
        [value if kept[n * r + c] or value == n or (r in corner and c in corner) else 0 for c, value in enumerate(row)]
        for r, row in enumerate(full)
    ]


def values(grid: Grid) -> list[int]:
    """Return the values of all cells."""
    return [value for row in grid for value in row]


@pytest.mark.parametrize("style", SMALL)
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
