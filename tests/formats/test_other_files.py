"""Files for something else than puzzles say what they are, and which command reads them."""

import json
from pathlib import Path

import pytest

import sudoku_encode as se
from sudoku_encode.encoders.table import MODEL_FORMATS
from sudoku_encode.formats.other_files import refuse_other_file
from tests.helpers.command import Command
from tests.helpers.valid_inputs import SEEDS

PUZZLE = "12..............", "4x4"
# Texts of other programs, each with a part of the message about it.
TEXTS = {
    "a CNF, not a puzzle; `sudoku-encode decode FILE ANSWER --puzzle PUZZLE`": (
        "p cnf 3 2\n1 -2 0\n2 3 0\n",
        "c from elsewhere\nc\np  cnf  9  1\n\n1 0\nc and\n1\n2 0\n",
        "p inccnf\n1 0\n1 2 0\na 1 0\n",
    ),
    "a WCNF": ("p wcnf 3 2 10\n10 1 -2 0\n", "c new\nh 1 -2 0\n1 2 0\n"),
    "a graph": ("c a\np edge 3 2\ne 1 2\n", "p col 3 2\ne 1 2\n"),
    "an OPB model": ("* #variable= 2 #constraint= 1\n1 x1 +1 x2 >= 1;\n", "min: 1 x1;\n+1 x1 +1 ~x2 >= 1 ;\n"),
    "an MPS model": ("NAME sudoku\nROWS\n N obj\nCOLUMNS\n", "* a\nNAME\nOBJSENSE\n    MAX\nROWS\n N o\n"),
    "an LP model": ("\\ a\nMinimize\n obj: x\nSubject To\n c: x >= 1\nEnd\n", "max x\nst\n c: x >= 1\n"),
    "an SMT-LIB script": ("; a\n(set-logic QF_BV)\n", "(declare-const a Int)\n"),
    "an XCSP3 model": ('<?xml version="1.0"?>\n<instance format="XCSP3" type="CSP">\n<variables/></instance>\n',),
    "a FlatZinc model": ("var 1..9: x :: output_var;\nconstraint int_ne(x, y);\nsolve satisfy;\n",),
    "a solver's answer to a model, not a puzzle; `sudoku-encode decode MODEL FILE`": (
        "c cadical\ns SATISFIABLE\nv 1 -2 3 0\n",
        "v 1 -2 -3 4 5\nv 6 0\n",
        "SAT\n1 -2 -3 0\n",
        "s UNSATISFIABLE\n",
        "UNSAT\n",
        "1 -2 -3 4 5 0\n",
        "status: OPTIMAL\nsolution: 1\n",
    ),
    "a DRAT proof": ("1 2 3 0\n-1 2 0\nd 1 2 3 0\n0\n", "d 1 2 0\n0\n"),
    "an LRAT proof": ("10 1 2 0 3 4 0\n10 d 3 0\n11 0 10 5 0\n", "10 -1 2 0 3 4 0\n11 0 10 5 0\n"),
    "the manifest of a folder of solutions": ('{"kind": "solutions of a puzzle", "version": 1}\n',),
    "a part of a certificate": ('{\n "solutions": 1,\n "clauses": 2\n}\n',),
}


@pytest.mark.parametrize(("part", "text"), [(part, text) for part, texts in TEXTS.items() for text in texts])
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_others_named(part: str, text: str, newline: str) -> None:
    """A text for something else is named in one line with a command."""
    with pytest.raises(se.FormatError) as error:
        list(se.read_all(text.replace("\n", newline)))
    assert part in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("form", MODEL_FORMATS)
def test_own_models_named(form: str, tmp_path: Path, run: Command) -> None:
    """Each format of models is known, whatever the name of the file."""
    path = tmp_path / f"model{MODEL_FORMATS[form].suffixes[-1]}"
    se.save_model(PUZZLE[0], path, form, board=PUZZLE[1])
    moved = path.rename(tmp_path / "a puzzle.txt")
    result = run("count", str(moved))
    what = "a CNF" if form in ("cnf", "icnf") else f"a model in the format {form}"
    assert (result.status, result.out) == (2, "")
    assert f"{what}, not a puzzle; `sudoku-encode decode '{moved}' ANSWER` reads" in result.err


@pytest.mark.parametrize(
    "title", ["SAT", "v 1", "UNSAT", "NAME\nROWS", "min", "c", "s", "var x", "status: unique", "d 1"]
)
def test_titles_free(title: str) -> None:
    """A title above a puzzle is not taken for the first line of something else."""
    refuse_other_file(f"{title}\n1...............\n".encode(), "text")


@pytest.mark.parametrize("text", ["p cnf 999 2\n115 0\n123 0\n", "115 0\n123 0\n", "c a\np cnf 9 1\n1 0\n"])
def test_single_literals_free(text: str) -> None:
    """A file of single literals may be the givens of a puzzle, and is not called a CNF."""
    refuse_other_file(text.encode(), "text")


def test_puzzles_free() -> None:
    """No text of a puzzle is called something else."""
    for text in SEEDS["puzzles"]():
        refuse_other_file(text, "text")


@pytest.mark.parametrize("name", ["count", "solve", "check", "rate", "info", "hint", "verify"])
def test_records_named(name: str, tmp_path: Path, run: Command) -> None:
    """The records of a command are not read as puzzles."""
    path = tmp_path / "records.json"
    path.write_text(run(name, PUZZLE[0], "--board", "4x4", "--json").out)
    result = run("count", str(path))
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert "a file of records (--json), not a puzzle; give the file of the puzzles" in result.err


def test_generated_records_read(tmp_path: Path, run: Command) -> None:
    """Records of generate contain puzzles, also where the first has none."""
    path = tmp_path / "records.json"
    written = run("generate", "--board", "4x4", "--seed", "1", "--json").out
    failed = {**json.loads(written), "status": "not reached", "givens": None, "solution": None}
    path.write_text(f"{json.dumps(failed)}\n{written}")
    assert run("count", str(path)).out.splitlines()[-1] == "1"


@pytest.mark.parametrize(
    ("file", "part"),
    [
        ("certificate.json", "a folder with a certificate; `sudoku-encode prove --check "),
        ("candidates.json", "a folder with a certificate of true candidates; `sudoku-encode candidates --check "),
        ("1/certificate.json", "a folder of certificates of several puzzles"),
        ("manifest.jsonl", "a folder of models; `sudoku-encode decode MODEL ANSWER`"),
        ("part-000001.txt", "a folder of solutions that are not all listed; `sudoku-encode enumerate --resume`"),
        ("puzzle.txt", "this is a directory; give a file with puzzles"),
    ],
)
def test_folders_named(file: str, part: str, tmp_path: Path, run: Command) -> None:
    """A folder in place of a puzzle says what it is for."""
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).touch()
    result = run("count", str(tmp_path))
    assert (result.status, result.err.count("\n")) == (2, 1)
    assert part in result.err


def test_candidates_named(tmp_path: Path, run: Command) -> None:
    """The candidates of a certificate name the command that checks it."""
    for name, text in (("certificate.json", "{}"), ("candidates.json", "[[1], [2]]")):
        (tmp_path / name).write_text(text)
    assert "`sudoku-encode candidates --check FOLDER`" in run("count", str(tmp_path / "candidates.json")).err
