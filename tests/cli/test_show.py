"""The command show: forms by name and by suffix, one file or many, solutions, and what has no effect."""

import os
import pty
import subprocess
import sys
import xml.etree.ElementTree as ET
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

import sudoku_encode as se
from sudoku_encode.render.table import DRAWINGS
from tests.helpers.command import Command
from tests.helpers.golden_pictures import SMALL, SOLUTION, TEXT

pymupdf: Any = import_module("pymupdf")
NONE = "55" + "." * 79
BEGINNINGS = {"text": "┌", "svg": "<svg ", "png": "\x89PNG", "pdf": "%PDF-", "tikz": r"\documentclass", "html": "<!DOC"}


@pytest.mark.parametrize("form", DRAWINGS)
def test_the_suffix_of_the_output_says_the_form(run: Command, tmp_path: Path, form: str) -> None:
    path = tmp_path / f"a{DRAWINGS[form].suffix}"
    ran = run("show", TEXT, "-o", path)

    assert (ran.status, ran.out, ran.err) == (0, "", "")
    assert path.read_bytes().startswith(BEGINNINGS[form].encode("latin-1" if form == "png" else "utf-8"))


def test_a_form_is_printed_too_and_may_be_compressed(run: Command, tmp_path: Path) -> None:
    printed = run("show", TEXT, "--to", "svg")
    assert run("show", TEXT, "-o", tmp_path / "a.svg.gz").status == 0
    unpacked = subprocess.run(["gzip", "-dc", tmp_path / "a.svg.gz"], capture_output=True, check=True).stdout

    assert printed.out.encode() == unpacked


def test_a_solution_is_drawn_apart_from_givens(run: Command) -> None:
    root = ET.fromstring(run("show", TEXT, "--solution", "--to", "svg").out)
    kinds = {kind: len(root.findall(f".//{{*}}g[@class='{kind}']/{{*}}text")) for kind in ("given", "solution")}

    assert kinds == {"given": 81 - TEXT.count("0"), "solution": TEXT.count("0")}


def test_where_there_is_no_solution_the_puzzle_is_drawn_and_the_status_says_so(run: Command) -> None:
    ran = run("show", NONE, "--solution")

    assert ran.status == 1
    assert ran.err == "no solution: r1c1 and r1c2 are peers and both hold 5\n"
    assert ran.lines[1] == "│ 5 5 . │ . . . │ . . . │"


def test_two_grids_are_compared(run: Command, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text(SOLUTION[:-1] + "1\n")
    ran = run("show", SOLUTION, "--against", other)

    assert (ran.status, ran.err) == (0, "1 cell of 81 differs\n")
    assert ran.lines[11].endswith(" 6! │")
    assert ran.out.count("!") == 1
    assert run("show", SOLUTION, "--against", SOLUTION).err == "0 cells of 81 differ\n"


def test_cells_and_units_are_highlighted(run: Command) -> None:
    root = ET.fromstring(run("show", TEXT, "--to", "svg", "--cells", "r1c1, r9c9", "--units", "row 3,box 9").out)

    assert len(root.findall(".//{*}g[@class='cell-highlighted']/{*}rect")) == 2
    assert len(root.findall(".//{*}g[@class='unit']/{*}rect")) == 18


def test_many_puzzles_are_sheets_with_answers_at_the_end(run: Command, tmp_path: Path) -> None:
    path = tmp_path / "a.pdf"
    puzzles: list[str | Path] = [TEXT, SMALL / "9x9-jigsaw.txt", SMALL / "6x6.txt"]
    ran = run("show", *puzzles, "--per-page", "2", "--paper", "letter", "--answers", "-o", path)
    pages = pymupdf.open(path)

    assert (ran.status, ran.err) == (0, "")
    assert len(pages) == 4
    assert pages[0].rect.width == 612
    digits = [sum(word[4].isdecimal() for word in page.get_text("words")) for page in pages]
    # Titles have the same numbers on both.
    blanks = [len(se.read(puzzle).blanks) for puzzle in puzzles]
    assert [digits[2] - digits[0], digits[3] - digits[1]] == [blanks[0] + blanks[1], blanks[2]]


def test_many_puzzles_as_svg_are_files_of_a_folder(run: Command, tmp_path: Path) -> None:
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


def test_a_bad_puzzle_among_many_leaves_the_others(run: Command, tmp_path: Path) -> None:
    batch = tmp_path / "batch.sdm"
    batch.write_text(f"{TEXT}\nbad\n{TEXT}\n")
    ran = run("show", batch, "--to", "html", "-o", tmp_path / "a.html")

    assert ran.status == 2
    assert "batch.sdm:2" in ran.err
    assert (tmp_path / "a.html").read_text().count("<svg ") == 2


def test_an_input_is_never_overwritten(run: Command, tmp_path: Path) -> None:
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
        (["--to", "svg", "-o", "a.png"], "a.png is the name of a png file, and --to says svg"),
        (["-o", "a.gif"], "a.gif: no form has the suffix .gif; name one with --to: .txt (text), .svg (svg)"),
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
def test_what_has_no_effect_or_no_meaning_is_refused(run: Command, arguments: list[str], message: str) -> None:
    ran = run("show", TEXT, *arguments)

    assert (ran.status, ran.out) == (2, "")
    assert message in " ".join(ran.err.split())


@pytest.mark.parametrize("command", ["show", "hint", "candidates"])
def test_bytes_are_not_printed_on_a_terminal(command: str) -> None:
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
def test_hints_and_candidates_are_drawn_in_every_form(run: Command, command: str, tmp_path: Path) -> None:
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
def test_an_option_that_names_nothing_is_refused(run: Command, option: str) -> None:
    ran = run("show", TEXT, option, " ,")
    assert (ran.status, ran.err) == (2, f"sudoku-encode: {option} names none\n")
