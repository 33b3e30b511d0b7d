"""Pictures in other forms than SVG: each shows the same values in the same places."""

import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image

import sudoku_encode as se
from sudoku_encode.errors import SudokuError
from sudoku_encode.puzzles.constraints.table import CONSTRAINTS
from sudoku_encode.render.drawing import drawing
from sudoku_encode.render.picture import Picture, picture
from sudoku_encode.render.png import pixels
from sudoku_encode.render.table import DRAWINGS, PAPERS, PLAIN
from tests.helpers.browser import DESKTOP, PHONE, needs_chromium, opened
from tests.helpers.golden_pictures import SMALL, SOLUTION, TEXT
from tests.helpers.pdf import pymupdf

BOARDS = ["6x6:2x3", "9x9", "16x16", "25x25", "jigsaw:AAABBACBBBACCCDECDDDEEEED", "4x4x4", "corner:4", "sudokube:4"]
PDFLATEX = shutil.which("pdflatex")


def some(name: str, title: str = "") -> Picture:
    """Return a picture of a board with a value in every third cell, half of them givens."""
    board = se.board(name)
    values = np.where(np.arange(board.n_cells) % 3 == 0, np.arange(board.n_cells) % board.n_values + 1, 0)
    givens = np.where(np.arange(board.n_cells) % 2 == 0, values, 0)
    return picture(se.Puzzle.of(board, givens), solution=values, title=title)


def numbers(shown: Sequence[str]) -> list[int]:
    return sorted(int(word) for word in shown if word.isdecimal())


def grid_of(page: Any, n: int) -> list[list[str]]:
    """Return what is in the cells of the only n x n board of a page, found by where its words and lines are."""
    frame = pymupdf().Rect()
    for path in page.get_drawings():
        frame |= path["rect"]
    side = frame.width / n
    cells = [["."] * n for _ in range(n)]
    for x, y, to_x, to_y, word, *_ in page.get_text("words"):
        if frame.contains(pymupdf().Point((x + to_x) / 2, (y + to_y) / 2)):
            cells[int(((y + to_y) / 2 - frame.y0) / side)][int(((x + to_x) / 2 - frame.x0) / side)] = word
    return cells


@pytest.mark.parametrize("form", DRAWINGS)
@pytest.mark.parametrize("name", BOARDS)
def test_every_form_and_board(form: str, name: str) -> None:
    """Every form draws every board."""
    made = drawing([some(name)], form)

    assert isinstance(made.content, bytes) == DRAWINGS[form].is_bytes
    assert len(bytes(made)) > 100


@pytest.mark.parametrize("form", DRAWINGS)
def test_stable_files(form: str) -> None:
    """The same picture makes the same file."""
    assert drawing([some("9x9")], form) == drawing([some("9x9")], form)


@pytest.mark.parametrize("name", BOARDS)
def test_pdf_words(name: str) -> None:
    """The words of a PDF are the values."""
    shown = some(name)
    (page,) = pymupdf().open(stream=bytes(drawing([shown], "pdf")), filetype="pdf")
    # Labels of layers have digits too, which are smaller.
    sizes = [
        (span["size"], span["text"])
        for block in page.get_text("dict")["blocks"]
        for line in block.get("lines", ())
        for span in line["spans"]
    ]
    largest = [text for size, text in sizes if "=" not in text and ":" not in text]
    values = (shown.givens | shown.values).tolist()

    assert numbers(largest) == sorted(value for value in values if value)


def test_pdf_cells() -> None:
    """A PDF has the puzzle in its cells."""
    (page,) = pymupdf().open(stream=bytes(se.draw(TEXT, "pdf")), filetype="pdf")

    assert "".join(map("".join, grid_of(page, 9))) == TEXT.replace("0", ".")


def test_pdf_pages() -> None:
    """A PDF has as many puzzles on a page as wanted and answers after them."""
    shown = [some("9x9", f"Number {number}") for number in range(5)]
    solved = tuple(picture(se.read(TEXT), solution=se.read(SOLUTION).givens, title="An answer") for _ in range(2))
    details = PLAIN._replace(per_page=2, paper="letter", answers=solved)
    pages = list(pymupdf().open(stream=bytes(drawing(shown, "pdf", details)), filetype="pdf"))
    titles = [re.findall(r"Number \d|An answer", page.get_text()) for page in pages]

    assert titles == [["Number 0", "Number 1"], ["Number 2", "Number 3"], ["Number 4"], ["An answer"] * 2]
    assert {(page.rect.width, page.rect.height) for page in pages} == {PAPERS["letter"]}
    words = [word[4] for word in pages[-1].get_text("words") if word[4].isdecimal()]
    assert numbers(words) == sorted(map(int, SOLUTION * 2))


@pytest.mark.parametrize("per_page", range(1, 13))
def test_pdf_margins(per_page: int) -> None:
    """Nothing on a page is outside or on another picture."""
    shown = [some(BOARDS[at % len(BOARDS)], "A title") for at in range(per_page)]
    (page,) = pymupdf().open(stream=bytes(drawing(shown, "pdf", PLAIN._replace(per_page=per_page))), filetype="pdf")
    words = np.array([word[:4] for word in page.get_text("words")])
    inside = pymupdf().Rect(20, 20, page.rect.x1 - 20, page.rect.y1 - 20)

    assert all(inside.contains(path["rect"]) for path in page.get_drawings())
    assert all(inside.contains(pymupdf().Rect(*word)) for word in words)
    left, top, right, bottom = words.T[:, :, None]
    x, y = ((words[:, :2] + words[:, 2:]) / 2).T
    # Whether each word, by rows, holds the middle of each.
    holds = (left <= x) & (x < right) & (top <= y) & (y < bottom)
    assert not np.tril(holds, -1).any()


def test_embedded_digits() -> None:
    """Digits are there on a machine without fonts."""
    empty = image(pixels(str(se.draw("." * 81)), system_fonts=False))
    given = image(pixels(str(se.draw("5" + "." * 80)), system_fonts=False))
    different = np.argwhere((empty != given).any(axis=2))
    # Margins are half a cell.
    side = len(empty) / 10
    low, high = different.min(axis=0) / side - 0.5, different.max(axis=0) / side - 0.5

    assert (low > 0.2).all()
    assert (high < 0.8).all()
    assert high[0] - low[0] > 0.4


def test_grey() -> None:
    """A given and a solution differ in grey too."""
    # The first cell alone, without its borders; a margin is half a cell.
    first = slice(46, 114)
    given = image(bytes(se.draw("5" + "." * 80, "png")))[first, first].mean(axis=2)
    solved = image(bytes(se.draw("." * 81, "png", solution="5" + "." * 80)))[first, first].mean(axis=2)

    assert (given < 128).sum() > 1.4 * (solved < 128).sum() > 0


def image(png: bytes) -> NDArray[np.int_]:
    return np.asarray(Image.open(BytesIO(png)).convert("RGB"), int)


@pytest.mark.skipif(PDFLATEX is None, reason="no pdflatex is installed")
def test_tikz(tmp_path: Path) -> None:
    """TikZ compiles to the same values in the same cells."""
    assert PDFLATEX is not None
    title = r"50% of #1_a & {b} \c ~ ^ $x$ é ß Ω <|>"
    shown = [
        picture(se.read(TEXT), solution=se.read(SOLUTION).givens, cells=[0], units=["row 1"], against=[1] * 81),
        picture(se.read(TEXT)),
        *(some(name, title) for name in BOARDS),
    ]
    drawing(shown, "tikz").save(tmp_path / "a.tex")
    command = [PDFLATEX, "-interaction=nonstopmode", "-halt-on-error", "a.tex"]
    ran = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)

    assert ran.returncode == 0, ran.stdout[-2000:]
    assert "Overfull" not in ran.stdout
    pages = pymupdf().open(tmp_path / "a.pdf")
    assert len(pages) == len(shown)
    assert "".join(map("".join, grid_of(pages[1], 9))) == TEXT.replace("0", ".")


@pytest.mark.slow
@needs_chromium
@pytest.mark.parametrize("size", [DESKTOP, PHONE])
def test_page(tmp_path: Path, size: tuple[int, int]) -> None:
    """A page shows several boards and none is cut off."""
    # A cube would be one to turn: see render/test_cubes_on_pages.py.
    boards = [name for name in BOARDS if not se.board(name).is_cube]
    drawing([some(name, f"{name} <b>") for name in boards], "html").save(tmp_path / "a.html")

    with opened(tmp_path / "a.html", size) as page:
        shown = page.locator("svg.sudoku").filter(visible=True)
        boxes = shown.evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
        assert len(boxes) == len(boards)
        assert all(box["left"] >= 0 and box["right"] <= size[0] and box["width"] > 100 for box in boxes)
        given = page.locator("svg.sudoku .given").first
        assert given.evaluate("one => getComputedStyle(one).fill") == "rgb(26, 26, 26)"
        page.emulate_media(color_scheme="dark")
        assert given.evaluate("one => getComputedStyle(one).fill") == "rgb(242, 242, 242)"
        page.emulate_media(color_scheme="dark", media="print")
        assert given.evaluate("one => getComputedStyle(one).fill") == "rgb(26, 26, 26)"


KILLER = se.Puzzle(
    se.board("4x4", ["row", "box"]),
    [1, *[0] * 15],
    name="Four & more, by A",
    constraints=["cage 5 r1c2 r1c3", "anti-king"],
)


@needs_chromium
@pytest.mark.parametrize(("size", "beside"), [((1280, 800), True), ((640, 480), True), (PHONE, False)])
def test_puzzle_page(tmp_path: Path, size: tuple[int, int], beside: bool) -> None:
    """A board fits the window, and its clues are beside it where there is room."""
    drawing([picture(KILLER)], "html").save(tmp_path / "a.html")

    with opened(tmp_path / "a.html", size) as page:
        assert page.title() == page.inner_text("h1") == "Four & more, by A"
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        board, clues = page.locator("svg").bounding_box(), page.locator(".clues").bounding_box()
        assert board is not None
        assert clues is not None
        assert board["width"] > 250
        assert board["y"] + board["height"] <= size[1]
        assert (clues["x"] > board["x"] + board["width"]) == beside
        assert (clues["y"] >= board["y"] + board["height"]) != beside


@needs_chromium
def test_clues_as_text(tmp_path: Path) -> None:
    """A page names the rules, the givens and the constraints in words."""
    drawing([picture(KILLER)], "html").save(tmp_path / "a.html")

    with opened(tmp_path / "a.html") as page:
        label = "Four & more, by A: 4x4, 1 given, 15 blanks, 2 constraints"
        assert page.get_by_role("img", name=label).count() == 1
        page.click("summary")
        assert list(filter(None, page.inner_text(".clues").split("\n"))) == [
            "Values 1 to 4. No value occurs twice in a row or box. Values may repeat in a column.",
            "1 given",
            "r1c1 = 1",
            "cage",
            f"{CONSTRAINTS['cage'].summary.capitalize()}.",
            "5: r1c2 r1c3",
            "anti-king",
            f"{CONSTRAINTS['anti-king'].summary.capitalize()}.",
        ]


@needs_chromium
def test_solution_on_demand(tmp_path: Path) -> None:
    """A page hides the solution until it is asked for, also on paper."""
    solution = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
    shown = picture(se.read("1...............", board="4x4"), solution=solution)
    drawing([shown], "html").save(tmp_path / "a.html")

    with opened(tmp_path / "a.html") as page:
        digits = page.locator("svg .solution text").filter(visible=True)
        assert (digits.count(), page.locator("pre").is_visible()) == (0, False)
        page.get_by_label("Show the solution").check()
        assert digits.count() == 15
        page.click("summary >> text=Solution as text")
        assert page.inner_text("pre") == "1234\n3412\n2143\n4321"
        page.emulate_media(media="print")
        assert (digits.count(), page.get_by_label("Show the solution").is_visible()) == (15, False)
        page.emulate_media(media="screen")
        page.get_by_label("Show the solution").uncheck()
        page.emulate_media(media="print")
        assert (digits.count(), page.locator("pre").is_visible()) == (0, False)


@pytest.mark.parametrize(
    ("shown", "hidden"),
    [
        (se.draw("1...............", "html", board="4x4"), False),
        (se.draw("1...............", "html", board="4x4", solution="1234341221434321"), True),
        (se.draw("1...............", "html", board="4x4", against="1234341221434321"), False),
        (se.draw(se.read("1234341221434321"), "html"), False),
        (se.draw(next(iter(se.solutions("1...............", board="4x4"))), "html"), False),
        (se.draw(se.candidates("123434122143432.", board="4x4"), "html"), False),
    ],
)
def test_hidden_solutions(shown: se.Drawing, hidden: bool) -> None:
    """Only the solution of a puzzle is hidden."""
    assert ("Show the solution" in str(shown)) == hidden


def test_text_signs() -> None:
    """Text has signs where it has no colours."""
    puzzle = se.read("1...............", board="4x4")
    shown = picture(
        puzzle, solution=list(map(int, "1234341221434321")), cells=["r1c1"], units=["row 1"], against=[1] * 16
    )
    plain = str(drawing([shown], "text"))
    coloured = str(drawing([shown], "text", PLAIN._replace(coloured=True)))

    assert plain.splitlines()[1] == "│ 1-* 2-! │ 3-! 4-! │"
    assert re.sub("\033\\[[0-9;]*m", "", coloured) == plain
    assert "\033[1;33m1-*\033[0m" in coloured


@pytest.mark.parametrize(("form", "module"), [("pdf", "reportlab"), ("png", "resvg_py"), ("png", "reportlab")])
def test_missing_library(monkeypatch: pytest.MonkeyPatch, form: str, module: str) -> None:
    """A library that is missing is named."""
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(
        SudokuError, match=rf"{form} needs the package .* \(extra \"pictures\" of this installation\): pip install '"
    ):
        se.draw(TEXT, form)


def test_unused_detail() -> None:
    """A detail that a form does not use is refused."""
    with pytest.raises(SudokuError, match="svg does not use per_page"):
        drawing([some("9x9")], "svg", PLAIN._replace(per_page=2))
    with pytest.raises(SudokuError, match="png is for one picture, not 2"):
        drawing([some("9x9")] * 2, "png")


@pytest.mark.slow
def test_odd_letters() -> None:
    """A letter that no font has stops nothing."""
    for form in DRAWINGS:
        assert se.draw(SMALL / "6x6.txt", form, title="数独 \x07 Ω")
