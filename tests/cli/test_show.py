"""The command show: forms by name and by suffix, one file or many, solutions, and what has no effect."""

import os
import pty
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import sudoku_encode as se
from sudoku_encode.render.table import DRAWINGS
from tests.helpers.command import Command
from tests.helpers.golden_pictures import SMALL, SOLUTION, TEXT
from tests.helpers.pdf import pymupdf

NONE = "55" + "." * 79
BEGINNINGS = {"text": "┌", "svg": "<svg ", "png": "\x89PNG", "pdf": "%PDF-", "tikz": r"\documentclass", "html": "<!DOC"}


@pytest.mark.parametrize("form", DRAWINGS)
def test_form_by_suffix(run: Command, tmp_path: Path, form: str) -> None:
    """The suffix of the output says the form."""
    path = tmp_path / f"a{DRAWINGS[form].suffix}"
    ran = run("show", TEXT, "-o", path)

    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert path.read_bytes().startswith(BEGINNINGS[form].encode("latin-1" if form == "png" else "utf-8"))


def test_form_printed_or_compressed(run: Command, tmp_path: Path) -> None:
    """A form is printed too and may be compressed."""
    printed = run("show", TEXT, "--to", "svg")
    assert run("show", TEXT, "-o", tmp_path / "a.svg.gz").status == 0
    unpacked = subprocess.run(["gzip", "-dc", tmp_path / "a.svg.gz"], capture_output=True, check=True).stdout

    assert printed.out.encode() == unpacked


def test_solution_drawn_apart(run: Command) -> None:
    """A solution is drawn apart from givens."""
    root = ET.fromstring(run("show", TEXT, "--solution", "--to", "svg").out)
    kinds = {kind: len(root.findall(f".//{{*}}g[@class='{kind}']/{{*}}text")) for kind in ("given", "solution")}

    assert kinds == {"given": 81 - TEXT.count("0"), "solution": TEXT.count("0")}


def test_no_solution_status(run: Command) -> None:
    """Where there is no solution the puzzle is drawn and the status says so."""
    ran = run("show", NONE, "--solution")

    assert ran.status == 1
    assert ran.err == "no solution: r1c1 and r1c2 are peers and both hold 5\n"
    assert ran.lines[1] == "│ 5 5 . │ . . . │ . . . │"


def test_compare_two_grids(run: Command, tmp_path: Path) -> None:
    """Two grids are compared."""
    other = tmp_path / "other.txt"
    other.write_text(SOLUTION[:-1] + "1\n")
    ran = run("show", SOLUTION, "--against", other)

    assert (ran.status, ran.err) == (0, "1 cell of 81 differs\n")
    assert ran.lines[11].endswith(" 6! │")
    assert ran.out.count("!") == 1
    assert run("show", SOLUTION, "--against", SOLUTION).err == "0 cells of 81 differ\n"


def test_highlights(run: Command) -> None:
    """Cells and units are highlighted."""
    root = ET.fromstring(run("show", TEXT, "--to", "svg", "--cells", "r1c1, r9c9", "--units", "row 3,box 9").out)

    assert len(root.findall(".//{*}g[@class='cell-highlighted']/{*}rect")) == 2
    assert len(root.findall(".//{*}g[@class='unit']/{*}rect")) == 18


def test_sheets_with_answers(run: Command, tmp_path: Path) -> None:
    """Many puzzles are sheets with answers at the end."""
    path = tmp_path / "a.pdf"
    puzzles: list[str | Path] = [TEXT, SMALL / "9x9-jigsaw.txt", SMALL / "6x6.txt"]
    ran = run("show", *puzzles, "--per-page", "2", "--paper", "letter", "--answers", "-o", path)
    pages = pymupdf().open(path)

    assert (ran.status, ran.err) == (0, "")
    assert len(pages) == 4
    assert pages[0].rect.width == 612
    digits = [sum(word[4].isdecimal() for word in page.get_text("words")) for page in pages]
    # Titles have the same numbers on both.
    blanks = [len(se.read(puzzle).blanks) for puzzle in puzzles]
    assert [digits[2] - digits[0], digits[3] - digits[1]] == [blanks[0] + blanks[1], blanks[2]]


def test_many_svg_files(run: Command, tmp_path: Path) -> None:
    """Many puzzles as SVG are files of a folder."""
    batch = tmp_path / "batch.sdm"
    batch.write_text(f"{TEXT}\n" * 11)
    folder = tmp_path / "pictures"
    refused = run("show", batch, "-o", tmp_path / "a.svg")
    ran = run("show", batch, "-o", f"{folder}/")

    assert (refused.status, refused.err) == (
        2,
        "sudoku-encode: there are many puzzles: give a folder to write each as svg to, such as -o pictures/\n",
    )
    assert (ran.status, ran.err) == (0, "")
    assert sorted(path.name for path in folder.iterdir()) == [f"{number:02}.svg" for number in range(1, 12)]


def test_bad_puzzle_alone(run: Command, tmp_path: Path) -> None:
    """A bad puzzle among many leaves the others."""
    batch = tmp_path / "batch.sdm"
    batch.write_text(f"{TEXT}\nbad\n{TEXT}\n")
    ran = run("show", batch, "--to", "html", "-o", tmp_path / "a.html")

    assert ran.status == 2
    assert "batch.sdm:2" in ran.err
    assert (tmp_path / "a.html").read_text().count("<svg ") == 2


def test_input_kept(run: Command, tmp_path: Path) -> None:
    """An input is never overwritten."""
    puzzle = tmp_path / "1.svg"
    puzzle.write_text(TEXT)
    for arguments in ([puzzle, "-o", puzzle], [puzzle, "-o", tmp_path], [TEXT, "--against", puzzle, "-o", puzzle]):
        ran = run("show", *arguments)
        assert ran.status == 2
        assert "would be overwritten" in ran.err
    assert puzzle.read_text() == TEXT


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--to", "svg", "-o", "a.png"], "a.png is the name of a png file, but --to says svg"),
        (
            ["-o", "a.gif"],
            "a.gif: no form of output has the suffix .gif; choose one with --to: .txt (text), .svg (svg)",
        ),
        (["--to", "svg", "--per-page", "2"], "--per-page is for pdf, not for svg"),
        (["--to", "png", "--paper", "a4"], "--paper is for pdf, not for png"),
        (["--to", "svg", "--ascii"], "--ascii is for text, not for svg"),
        (["--to", "svg", "--answers"], "--answers is for pdf, not for svg: see --solution"),
        (["--to", "pdf", "--answers", "--solution"], "--answers and --solution"),
        (["--solution", "--candidates"], "--candidates has no effect with --solution"),
        (["--timeout", "3"], "--timeout and --memory are for --solution and --answers"),
        (["--cells", "r1c10"], "9x9 has no cell r1c10"),
        (["--units", "row 10"], "9x9 has no unit 'row 10'"),
        (["--against", "1234"], "1234: no such file"),
        (["--to", "svg", "--axis", "z"], "9x9 is a square and has no layers"),
        ([TEXT, "--against", TEXT], "--against is for a single puzzle, not for many"),
        (["--to", "gif"], "'gif' is not one of 'text', 'svg'"),
    ],
)
def test_unused_options(run: Command, arguments: list[str], message: str) -> None:
    """What has no effect or no meaning is refused."""
    ran = run("show", TEXT, *arguments)

    assert (ran.status, ran.out) == (2, "")
    assert message in " ".join(ran.err.split())


@pytest.mark.parametrize("command", ["show", "hint", "candidates"])
def test_no_bytes_on_terminal(command: str) -> None:
    """Bytes are not printed on a terminal."""
    main, other = pty.openpty()
    try:
        ran = subprocess.run(
            [sys.executable, "-m", "sudoku_encode", command, TEXT, "--to", "png"],
            stdout=other,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    finally:
        os.close(other)
        os.close(main)

    assert ran.returncode == 2
    assert ran.stderr == "sudoku-encode: png is not text: give -o FILE.png, or redirect to a file with >\n"


@pytest.mark.parametrize("command", ["hint", "candidates"])
def test_hints_and_candidates(run: Command, command: str, tmp_path: Path) -> None:
    """Hints and candidates are drawn in every form."""
    for form in DRAWINGS:
        if not DRAWINGS[form].is_bytes:
            ran = run(command, TEXT, "--to", form)
            assert (ran.status, ran.err) == (0, "")
            assert BEGINNINGS[form] in ran.out
    batch = tmp_path / "batch.sdm"
    batch.write_text(f"{TEXT}\n{TEXT}\n")
    refused = run(command, batch, "--to", "pdf")
    assert refused.status == 2
    assert "--to pdf is for a single puzzle here, not for many" in refused.err


@pytest.mark.parametrize("option", ["--cells", "--units"])
def test_empty_option(run: Command, option: str) -> None:
    """An option that names nothing is refused."""
    ran = run("show", TEXT, option, " ,")
    assert (ran.status, ran.err) == (2, f"sudoku-encode: {option}: the list is empty\n")


def test_page_names(run: Command, tmp_path: Path) -> None:
    """A page is named after the puzzle, or else after its file."""
    named = SMALL.parent / "variants" / "f-puzzles.jsonl"
    single, several = tmp_path / "single.html", tmp_path / "several.html"
    assert run("show", SMALL / "6x6.txt", "-o", single).status == 0
    assert run("show", named, SMALL / "6x6.txt", "-o", several).status == 0

    assert "<title>6x6.txt, 6x6</title>" in single.read_text()
    text = several.read_text()
    assert "<h2>1. Ripples, by Philip Newman</h2>" in text
    assert "<h2>24. 6x6.txt, 6x6</h2>" in text
    assert text.count('<article class="puzzle" id="puzzle-') == 24
