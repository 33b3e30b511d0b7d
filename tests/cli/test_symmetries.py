"""The options about symmetry of info, count, convert and encode."""

import json
from pathlib import Path

import numpy as np

import sudoku_encode as se
from tests.helpers.command import Command

FIRST, IMAGE, OTHER = "1...........3...", "...4.......2....", "12.............."


def test_symmetries(run: Command) -> None:
    """Their number and generators are printed, and are numbers in JSON."""
    result = run("info", FIRST, "--symmetry")
    assert result.lines[:3] == [
        "8 symmetries: 4 maps of cells, times 2 renamings of values",
        "generators:",
        "(2 4)",
    ]
    record = json.loads(run("info", FIRST, "--symmetry", "--json").out)
    assert (record["order"], record["complete"], len(record["generators"])) == (8, True, 3)
    assert record["generators"][0] == {"cells": list(range(16)), "values": [1, 4, 3, 2]}


def test_symmetries_with_constraints(run: Command) -> None:
    """With constraints there may be more symmetries."""
    result = run("info", "--board", "4x4", "--constraint", "cage 5 r1c1 r1c2", "--symmetry")
    assert result.out.startswith("at least 8 symmetries: 8 maps of cells, times 1 renaming of values\n")


def test_same(run: Command) -> None:
    """A map is printed, or that the puzzles differ with exit status 1."""
    same, other = run("info", FIRST, "--same", IMAGE), run("info", FIRST, "--same", OTHER)
    assert (same.status, same.out.startswith("same: (r1c1 ")) == (0, True)
    assert (other.status, other.out) == (1, "different\n")
    record = json.loads(run("info", FIRST, "--same", IMAGE, "--json").out)
    by = se.SymmetryMap(np.array(record["map"]["cells"]), np.array([0, *record["map"]["values"]]))
    assert by.grid(se.read(FIRST).givens).tolist() == se.read(IMAGE).givens.tolist()


def test_kinds(run: Command) -> None:
    """The number of kinds is printed, and a remark has the sizes."""
    result = run("count", "--board", "4x4", "--up-to-symmetry")
    assert (result.status, result.out) == (0, "2\n")
    assert result.err == "288 solutions, 3,072 symmetries; of each kind: 192, 96\n"
    record = json.loads(run("count", "--board", "4x4", "--up-to-symmetry", "--json").out)
    assert (record["status"], record["kinds"], record["sizes"]) == ("several", 2, [192, 96])


def test_kinds_stopped(run: Command) -> None:
    """No number is printed if the time is over."""
    result = run("count", "--board", "9x9", "--up-to-symmetry", "--timeout", "0.1")
    assert (result.status, result.out) == (3, "")


def test_one_of_each_kind(run: Command) -> None:
    """Canonical forms that are equal are written once, and equal puzzles too."""
    lines = [FIRST, IMAGE, OTHER, FIRST]
    assert run("convert", *lines, "--unique").lines == lines[:3]
    result = run("convert", *lines, "--canonical", "--unique")
    assert (result.status, len(result.lines)) == (0, 2)
    assert result.err == "2 puzzles left out, each equal to one before\n"
    assert all(se.same(line, form) for line, form in zip((FIRST, OTHER), result.lines, strict=True))


def test_no_canonical_form(run: Command, tmp_path: Path) -> None:
    """A puzzle without a canonical form is named, and the others are written."""
    file = tmp_path / "puzzles.txt"
    file.write_text(f"# constraint: sum 5 r1c1 h1\n{FIRST}\n\n# constraint: none\n{OTHER}\n", encoding="utf-8")
    result = run("convert", file, "--canonical")
    assert (result.status, len(result.lines)) == (2, 1)
    assert "puzzle 1: a canonical form of a puzzle with hidden cells is not possible" in result.err


def test_broken_symmetry(run: Command, tmp_path: Path) -> None:
    """The file has the promised solutions and says what was added, and a folder is refused."""
    file = tmp_path / "p.cnf"
    result = run("encode", "--board", "4x4", "--break-symmetry", "-o", file)
    assert result.err.startswith("symmetry broken: 24 ways to name the values and 2 maps of cells; 1 of 48 solutions")
    text = file.read_text(encoding="utf-8")
    assert f"\nc {result.err.splitlines()[0]}\n" in text
    assert "c givens r1c1 1 2 3 4\n" in text
    assert "c constraint thermometer r3c1 r4c1\n" in text
    assert len(list(se.solutions(se.load_encoding(file).puzzle))) == 288 // 48
    assert run("encode", "--board", "4x4", "--break-symmetry", "-o", f"{tmp_path}/").status == 2


def test_options_without_effect(run: Command) -> None:
    """Options that would be ignored are refused."""
    for command in (
        ("info", FIRST, "--symmetry", "--same", IMAGE),
        ("info", FIRST, "--symmetry", "--encodings", "all"),
        ("info", "--boards", "--symmetry"),
        ("count", FIRST, "--up-to-symmetry", "--limit", "2"),
        ("encode", "--check", "x.cnf", "--break-symmetry"),
    ):
        assert run(*command).status == 2


def test_canonical_batch(run: Command, tmp_path: Path) -> None:
    """A file of 9x9 puzzles is written as their forms, also of those with clashes, and each once with --unique."""
    lines = ["." * 79 + "12", "21" + "." * 79, "33" + "." * 79, "." * 72 + "5.......5", "." * 81]
    file = tmp_path / "puzzles.txt"
    file.write_text("\n".join(lines * 30), encoding="utf-8")
    result = run("convert", file, "--canonical", "--unique")
    assert (result.status, result.err) == (0, "146 puzzles left out, each equal to one before\n")
    forms = ["".join(map(str, se.canonical(line).givens)).replace("0", ".") for line in lines]
    assert forms[0] == forms[1] == lines[0]
    assert result.lines == [forms[0], *forms[2:]]
    assert run("convert", file, "--canonical").lines == forms * 30
