"""`encode --encoding all` and `--amo all`: each that fits, a file each."""

import json
from pathlib import Path

import pytest

from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.encoders.encoding import encode, unsupported_encodings, unsupported_reason, variants
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.errors import MethodError
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.puzzles import boards
from tests.helpers.command import Command
from tests.helpers.puzzles import CLASH, ESCARGOT, PUZZLE, SEVERAL, puzzle_of

WITH_AMO = [name for name, encoder in ENCODINGS.items() if "amo" in encoder.options]


def files(folder: Path) -> set[str]:
    """Return the names of the models in a folder; the manifest says the same."""
    names = {path.name for path in folder.iterdir() if path.name != "manifest.jsonl"}
    lines = [json.loads(line) for line in (folder / "manifest.jsonl").read_text().splitlines()]
    assert {line["path"] for line in lines if line["status"] == "written"} == names
    return names


@pytest.mark.parametrize("board", ["9x9", "4x4x4", "9x9+diagonals", "6x6:2x3"])
def test_all_fitting_encodings(board: str) -> None:
    """All encodings are those that fit the board."""
    geometry = boards.board(board)
    fitting = [name for name in ENCODINGS if not unsupported_reason(name, geometry)]

    assert [variant.encoding for variant in variants("all", None, geometry)] == fitting
    assert set(unsupported_encodings(geometry)) == set(ENCODINGS) - set(fitting)
    assert all(unsupported_encodings(geometry).values())


def test_variants_differ() -> None:
    """Each variant can be encoded and no two are alike."""
    geometry = boards.board("9x9")
    found = variants("all", "all", geometry)

    assert len(set(found)) == len(found) == len(WITH_AMO) * len(AT_MOST_ONE) + len(ENCODINGS) - len(WITH_AMO)
    assert len({variant.name for variant in found}) == len(found)
    for variant in found:
        assert encode(puzzle_of("9x9", ESCARGOT), variant.encoding or "", amo=variant.amo or "pairwise").cnf.n_clauses


def test_single_name() -> None:
    """What is not all is itself."""
    geometry = boards.board("4x4x4")
    assert variants(None, None, geometry) == [(None, None)]
    assert variants("log", "ladder", geometry) == [("log", "ladder")]
    with pytest.raises(MethodError, match="encoding log takes no option amo"):
        variants("log", "all", geometry)
    assert variants(None, "all", geometry) == [(None, amo) for amo in AT_MOST_ONE]


def test_file_names(run: Command, tmp_path: Path) -> None:
    """Each encoding is a file named after it."""
    ran = run("encode", PUZZLE, "--encoding", "all", "-o", f"{tmp_path}/")

    assert (ran.status, ran.out) == (0, "")
    assert files(tmp_path) == {f"{name}.cnf" for name in ENCODINGS}
    for name in ENCODINGS:
        assert load_encoding(tmp_path / f"{name}.cnf").name == name
    assert ran.err.startswith(f"{tmp_path}/: {len(ENCODINGS)} models, ")


@pytest.mark.slow
def test_many_puzzles(run: Command, tmp_path: Path) -> None:
    """Each way of each encoding of many puzzles is a file."""
    batch = tmp_path / "batch.sdm"
    batch.write_text(f"{PUZZLE}\n{SEVERAL}\n")
    folder = tmp_path / "models"
    folder.mkdir()

    assert run("encode", batch, "--encoding", "all", "--amo", "all", "--seed", 3, "-o", folder).status == 0

    names = [variant.name for variant in variants("all", "all", boards.board("9x9"))]
    assert files(folder) == {f"{number}-{name}.cnf" for number in (1, 2) for name in names}


def test_misfit_named(run: Command, tmp_path: Path) -> None:
    """What does not fit is named with the reason."""
    ran = run("encode", "--board", "9x9+diagonals", "--encoding", "all", "--amo", "ladder", "-o", f"{tmp_path}/")

    assert ran.status == 0
    assert "no triads: it needs just the rules" in ran.err or "no triads: " in ran.err
    assert "no log-ladder.cnf: encoding log takes no option amo" in ran.err
    assert files(tmp_path) == {f"{name}-ladder.cnf" for name in WITH_AMO}


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--encoding", "all"], "there are many models: give a folder"),
        (["--amo", "all", "-o", "a.cnf"], "there are many models: give a folder"),
        (["--encoding", "all", "-o", "a.opb"], "model format opb takes no option encoding"),
        (["--encoding", "all", "--to", "opb", "-o", "models/"], "model format opb takes no option encoding"),
        (["--encoding", "al", "-o", "models/"], "'all'"),
        (["--encoding", "log", "--amo", "all", "-o", "models/"], "encoding log takes no option amo"),
        (["--encoding", "log", "--amo", "ladder", "-o", "models/"], "encoding log takes no option amo"),
    ],
)
def test_refusals(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str
) -> None:
    """What cannot be is refused."""
    monkeypatch.chdir(tmp_path)
    ran = run("encode", PUZZLE, *arguments)

    assert (ran.status, ran.out) == (2, "")
    assert said in ran.err
    assert not list(tmp_path.rglob("*.*"))


def test_nothing_written(run: Command, tmp_path: Path) -> None:
    """Nothing written is an error."""
    refused = ["--duplicates", "--amo", "ladder", "--encoding", "all"]

    ran = run("encode", PUZZLE, *refused, "-o", f"{tmp_path}/")

    assert ran.status == 2
    assert ran.err.splitlines()[-1].startswith("sudoku-encode: no model was written: ")


def test_contradiction(run: Command, tmp_path: Path) -> None:
    """A contradiction has models of all encodings too."""
    assert run("encode", CLASH, "--encoding", "all", "-o", f"{tmp_path}/").status == 0
    assert len(files(tmp_path)) == len(ENCODINGS)


def test_foreign_puzzle_kept(run: Command, tmp_path: Path) -> None:
    """A puzzle in the folder is not written over."""
    puzzle = tmp_path / "log.cnf"
    puzzle.write_text(PUZZLE)

    ran = run("encode", puzzle, "--encoding", "all", "-o", f"{tmp_path}/")

    assert ran.status == 2
    assert puzzle.read_text() == PUZZLE
