"""CNF files: written, solved by other programs, decoded with the file alone."""

import gzip
import json
import lzma
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import zstandard
from pysat.formula import CNF
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders import cnf_file
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.errors import FormatError
from sudoku_encode.formula import solver_output
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command
from tests.helpers.puzzles import CLASH, JANA, PUZZLE, SEVERAL, SOLUTION

ESCARGOT = "100007090030020008009600500005300900010080002600004000300000010040000007007000300"


def model_of(path: Path) -> list[int]:
    """Solve a file with PySAT's own reader of DIMACS."""
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(path)).clauses) as solver:
        assert solver.solve()
        return list(solver.get_model() or [])


def outside(program: list[str], path: Path) -> subprocess.CompletedProcess[str]:
    if not shutil.which(program[0]):
        pytest.skip(f"{program[0]} is not installed")
    return subprocess.run([*program, str(path)], capture_output=True, text=True, check=False)


@pytest.mark.parametrize("reduction", ["none", "givens", "singles"])
@pytest.mark.parametrize("encoding", list(ENCODINGS))
def test_file_decodes_alone(run: Command, tmp_path: Path, encoding: str, reduction: str) -> None:
    """A file decodes by itself."""
    if reduction != "none" and "reduce" not in ENCODINGS[encoding].options:
        pytest.skip("takes no reduction")
    path, printed = tmp_path / "a.cnf", tmp_path / "model"
    run("encode", ESCARGOT, "--encoding", encoding, "--reduce", reduction, "-o", path)
    printed.write_text(f"s SATISFIABLE\nv {' '.join(map(str, model_of(path)))} 0\n")

    ran = run("decode", path, printed, "--exit-status", 10)

    assert (ran.status, ran.err) == (0, "")
    assert ran.out == "162857493534129678789643521475312986913586742628794135356478219241935867897261354\n"


@pytest.mark.parametrize("suffix", ["", ".gz", ".xz", ".zst"])
def test_compression_by_suffix(run: Command, tmp_path: Path, suffix: str) -> None:
    """The suffix chooses the compression."""
    path, plain = tmp_path / f"a.cnf{suffix}", tmp_path / "b.cnf"
    run("encode", ESCARGOT, "-o", path)
    run("encode", ESCARGOT, "-o", plain)

    unpack: dict[str, Callable[[bytes], bytes]] = {
        "": bytes,
        ".gz": gzip.decompress,
        ".xz": lzma.decompress,
        ".zst": _unpack_zstandard,
    }
    assert unpack[suffix](path.read_bytes()) == plain.read_bytes()
    assert (cnf_file.load_encoding(str(path)).literals == cnf_file.load_encoding(str(plain)).literals).all()


def _unpack_zstandard(data: bytes) -> bytes:
    with zstandard.ZstdDecompressor().stream_reader(data) as stream:
        return bytes(stream.read())


@pytest.mark.parametrize(
    "program", [["cadical", "-q"], ["picosat"], ["cryptominisat5", "--verb=0"], ["clasp", "--verbose=0"]]
)
def test_jana_by_outside_solver(run: Command, tmp_path: Path, program: list[str]) -> None:
    """Jana table 2 goes through an outside solver."""
    path, printed = tmp_path / "jana.cnf", tmp_path / "printed"
    run("encode", JANA, "--reduce", "givens", "-o", path)
    ran = outside(program, path)
    printed.write_text(ran.stdout)

    decoded = run("decode", path, printed, "--exit-status", ran.returncode)

    assert decoded.status == 0
    assert decoded.out == run("convert", JANA.with_name("jana-2023-table-1.txt"), "--to", "line").lines[-1] + "\n"


def test_jana_by_clasp(run: Command, tmp_path: Path) -> None:
    """Jana table 2 goes through clasp in Python."""
    path, printed = tmp_path / "jana.cnf", tmp_path / "printed"
    run("encode", JANA, "--reduce", "none", "-o", path)
    clasp = [sys.executable, "-m", "clingo", "--mode=clasp", "--verbose=0", str(path)]
    ran = subprocess.run(clasp, capture_output=True, text=True, check=False)
    printed.write_text(ran.stdout)

    decoded = run("decode", path, printed)

    assert decoded.status == 0
    assert decoded.out == run("convert", JANA.with_name("jana-2023-table-1.txt"), "--to", "line").lines[-1] + "\n"


def test_minisat_result_file(run: Command, tmp_path: Path) -> None:
    """MiniSat's result file is read."""
    path, printed = tmp_path / "a.cnf", tmp_path / "printed"
    run("encode", PUZZLE, "--reduce", "none", "-o", path)
    printed.write_text(f"SAT\n{' '.join(map(str, model_of(path)))} 0\n")

    assert run("decode", path, printed).out == SOLUTION + "\n"


def test_bare_list_on_stdin(run: Command, tmp_path: Path) -> None:
    """A bare list is read from standard input."""
    path = tmp_path / "a.cnf"
    run("encode", PUZZLE, "--reduce", "none", "-o", path)

    assert run("decode", path, stdin=str(model_of(path))).out == SOLUTION + "\n"


def test_several_models(run: Command, tmp_path: Path) -> None:
    """Several models give several grids."""
    path = tmp_path / "a.cnf"
    run("encode", SEVERAL, "-o", path)
    clasp = [sys.executable, "-m", "clingo", "--mode=clasp", "--verbose=1", "-n", "0", str(path)]
    ran = subprocess.run(clasp, capture_output=True, text=True, check=False)

    decoded = run("decode", path, stdin=ran.stdout)

    assert decoded.status == 0
    assert len(set(decoded.lines)) == len(decoded.lines) == 127


def test_broken_rule_named(run: Command, tmp_path: Path) -> None:
    """A model that breaks a rule is told what is wrong."""
    path = tmp_path / "a.cnf"
    run("encode", "--board", "9x9", "--reduce", "none", "-o", path)
    swapped = SOLUTION[1] + SOLUTION[0] + SOLUTION[2:]
    model = [cell * 9 + int(value) for cell, value in enumerate(swapped)]

    ran = run("decode", path, stdin=f"v {' '.join(map(str, model))} 0\n")

    assert (ran.status, ran.out) == (1, "")
    assert "r1c2 and r8c2 of one column both hold" in ran.err or "of one column both hold 3" in ran.err


def test_broken_given_named(run: Command, tmp_path: Path) -> None:
    """A model against a given is told so."""
    path = tmp_path / "a.cnf"
    run("encode", PUZZLE, "--reduce", "none", "-o", path)
    relabelled = SOLUTION.translate(str.maketrans("123456789", "234567891"))
    model = [cell * 9 + int(value) for cell, value in enumerate(relabelled)]

    ran = run("decode", path, stdin=f"v {' '.join(map(str, model))} 0\n")

    assert ran.status == 1
    assert "r1c1 holds 6, its given is 5" in ran.err


def test_foreign_answer_short(run: Command, tmp_path: Path) -> None:
    """An answer to another model takes ten lines and JSON has all that is wrong."""
    run("encode", "." * 81, "-o", tmp_path / "a.cnf")
    (tmp_path / "model").write_text("s SATISFIABLE\nv 1 0\n")

    ran = run("decode", tmp_path / "a.cnf", tmp_path / "model")
    assert len(ran.err.splitlines()) == 10
    assert ran.err.endswith("not a solution: 71 more faults\n")

    ran = run("decode", tmp_path / "a.cnf", tmp_path / "model", "--json")
    assert len(json.loads(ran.out)["faults"]) == 80


def test_cells_with_two_or_no_values(run: Command, tmp_path: Path) -> None:
    """Cells with two values or none are named."""
    path = tmp_path / "a.cnf"
    run("encode", "--board", "4x4", "--reduce", "none", "-o", path)

    ran = run("decode", path, "--json", stdin="v 1 2 0\n")

    faults = json.loads(ran.out)["faults"]
    assert ran.status == 1
    assert "r1c1 holds 1 and 2" in faults
    assert "r4c4 holds no value" in faults


# What a solver may print about models of the empty 4x4 board, one of which is given by its true variables.
ONE = "v " + " ".join(str(cell * 4 + int(value)) for cell, value in enumerate("1234341221434321")) + " 0\n"
OTHER = "v " + " ".join(str(cell * 4 + int(value)) for cell, value in enumerate("1234341243212143")) + " 0\n"
MODELS = {
    "none": "",
    "one": ONE,
    "cut": ONE[:-8] + "\n",
    "several": ONE + OTHER,
    "several, cut": ONE + OTHER[:-8] + "\n",
}
CLAIMS = {
    "sat": ["s SATISFIABLE\n"],
    "unsat": ["s UNSATISFIABLE\n"],
    "unknown": ["s UNKNOWN\n"],
    "none": [""],
    "contradictory": ["s SATISFIABLE\n", "s UNSATISFIABLE\n"],
}
NO_ANSWER, NOT_BOTH, CONTRADICTION = "contains no answer", "accepted only ", "contradict each other"
# By what the output claims and the models that it has: what comes out for each exit status of the solver, where that
# is not given, means neither (0, 137), satisfiable (10), satisfiable in full (30), unsatisfiable (20).
STATUSES = (None, 0, 137, 10, 30, 20)
G, CUT, NO, C = (0, ""), (3, "cut off"), (2, "no model is printed"), (2, CONTRADICTION)
N, HALF = (3, NO_ANSWER), (3, NOT_BOTH)
SAID = (3, "the exit status is ")
TABLE = {
    ("sat", "none"): (NO, NO, NO, NO, NO, C),
    ("sat", "one"): (G, G, G, G, G, C),
    ("sat", "cut"): (CUT, CUT, CUT, CUT, CUT, C),
    ("sat", "several"): (G, G, G, G, G, C),
    ("sat", "several, cut"): (CUT, CUT, CUT, CUT, CUT, C),
    ("unsat", "none"): (HALF, SAID, SAID, C, C, (1, "no solution")),
    ("unsat", "one"): (C, C, C, C, C, C),
    ("unsat", "cut"): (C, C, C, C, C, C),
    ("unsat", "several"): (C, C, C, C, C, C),
    ("unsat", "several, cut"): (C, C, C, C, C, C),
    ("unknown", "none"): (N, N, N, NO, NO, HALF),
    ("unknown", "one"): (G, G, G, G, G, C),
    ("unknown", "cut"): (CUT, CUT, CUT, CUT, CUT, C),
    ("unknown", "several"): (G, G, G, G, G, C),
    ("unknown", "several, cut"): (CUT, CUT, CUT, CUT, CUT, C),
    ("none", "none"): (N, N, N, NO, NO, HALF),
    ("none", "one"): (G, G, G, G, G, C),
    ("none", "cut"): (CUT, CUT, CUT, CUT, CUT, C),
    ("none", "several"): (G, G, G, G, G, C),
    ("none", "several, cut"): (CUT, CUT, CUT, CUT, CUT, C),
    **{("contradictory", models): ((2, "says both"),) * 6 for models in MODELS},
}


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The CNF of the empty 4x4 board."""
    path = tmp_path_factory.mktemp("empty") / "a.cnf"
    encode(Puzzle.of(boards.board("4x4")), reduction="none").save(path)
    return path


def test_claims_table_complete() -> None:
    """The table of what a solver may say is whole."""
    assert set(TABLE) == {(claim, models) for claim in CLAIMS for models in MODELS}
    assert {len(row) for row in TABLE.values()} == {len(STATUSES)}


@pytest.mark.parametrize("exit_status", STATUSES)
@pytest.mark.parametrize(("claim", "models"), list(TABLE))
def test_claims_against_evidence(run: Command, empty: Path, claim: str, models: str, exit_status: int | None) -> None:
    """What a solver says is believed only where nothing speaks against it."""
    first, *last = CLAIMS[claim]
    status, said = TABLE[claim, models][STATUSES.index(exit_status)]
    more = [] if exit_status is None else ["--exit-status", exit_status]

    ran = run("decode", empty, *more, stdin=first + MODELS[models] + "".join(last))

    grids = {"one": 1, "several": 2, "several, cut": 1}.get(models, 0) if status in (0, 3) else 0
    assert ran.status == status
    # One line for people, and in it what is wrong.
    assert ran.err.count("\n") == (1 if said else 0)
    assert said in ran.err
    # The board is announced in front of the first grid.
    assert len([line for line in ran.lines if not line.startswith("#")]) == grids


@pytest.mark.parametrize(
    ("printed", "exit_status", "status", "said"),
    [
        ("UNSAT\n", 20, 1, "no solution"),
        ("UNSATISFIABLE\n", 20, 1, "no solution"),
        ("INDETERMINATE\n", 0, 3, "no answer"),
        ("s SATISFIABLE\ns UNKNOWN\n", 10, 2, "both satisfiable and unknown"),
        ("hello\n", None, 2, "not a literal"),
        ("v 1 -1 0\n", 10, 2, "both"),
        ("v 65 0\n", 10, 2, "64 variables"),
    ],
)
def test_odd_claims(run: Command, empty: Path, printed: str, exit_status: int | None, status: int, said: str) -> None:
    """Other words of a solver are read or refused in one line."""
    more = [] if exit_status is None else ["--exit-status", exit_status]

    ran = run("decode", empty, *more, stdin=printed)

    assert ran.status == status
    assert said in ran.err
    assert ran.err.count("\n") == 1


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"p cnf 1 1\n1 0\n",
        b"c board 9x9\n",
        b"c board 9x9\np cnf x y\n",
        b"c board nine\np cnf 1 1\n",
        b"c board 4x4\nc cell r1c1 from 5: 1 2\np cnf 64 0\n",
        b"c board 4x4\nc cell r9c9 = 1\np cnf 64 0\n",
        b"c board 4x4\nc kind nonsense\np cnf 64 0\n",
        b"c board 4x4\nc givens r1c1 7 . . .\np cnf 64 0\n",
        b"c board 4x4\nc cell\np cnf 64 0\n",
        bytes(range(256)),
    ],
)
def test_foreign_file(run: Command, tmp_path: Path, content: bytes) -> None:
    """A file that is not ours is refused."""
    path = tmp_path / "a.cnf"
    path.write_bytes(content)

    ran = run("decode", path, stdin="v 1 0\n")

    assert (ran.status, ran.out) == (2, "")
    assert ran.err.count("\n") == 1
    assert str(path) in ran.err


def test_contradiction_without_models(run: Command, tmp_path: Path) -> None:
    """A contradiction is a CNF without models."""
    path = tmp_path / "a.cnf"
    told = run("encode", CLASH, "-o", path)

    with Solver("minisat22", bootstrap_with=CNF(from_file=str(path)).clauses) as solver:
        assert not solver.solve()
    assert "r1c1 and r1c2 are peers and both hold 5" in told.err


def test_short_comments_and_projection() -> None:
    """Comments are short and the projection is there only when it is needed."""
    puzzle = Puzzle.of(boards.board("16x16x16"))
    lines = list(encode(puzzle, reduction="none").comments())
    auxiliary = list(encode(Puzzle.of(boards.board("9x9")), amo="sequential", reduction="none").comments())
    shown = list(encode(Puzzle.of(boards.board("4x4"))).comments(show=True))

    assert len(lines) < 10
    assert auxiliary[-1] == f"p show {' '.join(map(str, [*range(1, 730), 0]))}"
    assert shown[-1] == f"p show {' '.join(map(str, [*range(1, 65), 0]))}"
    assert not [line for line in lines if line.startswith("p show")]


@pytest.mark.parametrize(
    "board", ["6x6:3x2", "16x16", "4x4x4", "4x4x4:literal", "9x9+diagonals+windoku", "7x7", "jigsaw:1122112233443344"]
)
def test_comments_hold_puzzle(tmp_path: Path, board: str) -> None:
    """Comments carry the puzzle."""
    rng = np.random.default_rng(7)
    geometry = boards.board(board)
    geometry = geometry.with_rules(geometry.rule_names[1:])
    givens = rng.integers(0, geometry.n_values + 1, geometry.n_cells)
    marks = rng.random((geometry.n_cells, geometry.n_values)) < 0.9
    path = str(tmp_path / "a.cnf")
    encode(Puzzle.of(geometry, givens, pencilmarks=marks), "efficient", reduction="none").save(path)

    back = cnf_file.load_encoding(path)

    assert (back.puzzle.geometry.name, back.puzzle.geometry.rule_names) == (board, geometry.rule_names)
    assert (back.puzzle.givens == givens).all()
    assert back.puzzle.pencilmarks is not None
    assert (back.puzzle.pencilmarks == marks).all()


def test_folder_for_many(run: Command, tmp_path: Path) -> None:
    """A folder takes many puzzles and one file does not."""
    batch = tmp_path / "batch.sdm"
    batch.write_text(f"{PUZZLE}\n{SEVERAL}\n")

    refused = run("encode", batch, "-o", tmp_path / "one.cnf")
    written = run("encode", batch, "-o", f"{tmp_path}/models/", "--to", "opb")

    assert refused.status == 2
    assert "folder" in refused.err
    assert written.status == 0
    assert sorted(path.name for path in (tmp_path / "models").glob("*.opb")) == ["1.opb", "2.opb"]


def test_unfinished_file_removed(tmp_path: Path) -> None:
    """Nothing is left of a file that could not be finished."""
    from sudoku_encode.storage import files

    def write_half() -> None:
        with files.writing(str(tmp_path / "a.cnf")) as write:
            write(b"p cnf 1 1\n")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_half()
    assert not list(tmp_path.iterdir())


def test_claim_and_model_parsed() -> None:
    """A claim and a model are parsed."""
    output = solver_output.parse(["c hello", "s SATISFIABLE", "v 1 -2", "v 3 0"], "here")

    assert output == solver_output.Output(True, ((1, -2, 3),), False)


def test_unknown_claim() -> None:
    """An unknown claim is refused with its line."""
    with pytest.raises(FormatError, match="here:2"):
        solver_output.parse(["c hello", "s MAYBE"], "here")


def test_claim_in_pipe(run: Command, empty: Path) -> None:
    """A word in a pipe is trusted where that is asked for."""
    assert run("decode", empty, stdin="s UNSATISFIABLE\n").status == 3
    trusted = run("decode", empty, "--trust-status", stdin="s UNSATISFIABLE\n")
    assert (trusted.status, trusted.out) == (1, "")
    assert run("decode", empty, "--trust-status", stdin="c killed\n").status == 3
    both = run("decode", empty, "--trust-status", "--exit-status", 20, stdin="s UNSATISFIABLE\n")
    assert (both.status, both.out) == (2, "")
    assert "give only one of them" in both.err


# As version 0.2 wrote the 2x2 board with one given: by default, what singles leave of it; and the whole of it.
_HEAD = (
    "c sudoku-encode 0.2.0\nc board 2x2\nc rules row column\nc encoding extended\nc kind direct\nc givens r1c1 1 .\n"
)
_REDUCED = f"{_HEAD}c cell r1c1 = 1\nc cell r1c2 = 2\nc cell r2c1 = 2\nc cell r2c2 = 1\np cnf 0 0\n"
_WHOLE = (
    f"{_HEAD}c variable cell * 2 + value: the cell holds the value; cells are numbered from 0 in reading order\n"
    "p cnf 8 25\n1 2 0\n3 4 0\n5 6 0\n7 8 0\n1 3 0\n2 4 0\n5 7 0\n6 8 0\n1 5 0\n2 6 0\n3 7 0\n4 8 0\n-1 -2 0\n-3 -4 0\n"
    "-5 -6 0\n-7 -8 0\n-1 -3 0\n-2 -4 0\n-5 -7 0\n-6 -8 0\n-1 -5 0\n-2 -6 0\n-3 -7 0\n-4 -8 0\n1 0\n"
)


@pytest.mark.parametrize(
    ("written", "reduction", "answer"),
    [(_REDUCED, "singles", "s SATISFIABLE\nv 0\n"), (_WHOLE, "none", "s SATISFIABLE\nv 1 -2 -3 4 -5 6 7 -8 0\n")],
)
def test_old_version_files(run: Command, tmp_path: Path, written: str, reduction: str, answer: str) -> None:
    """Files of the version before decode and are written as they were."""
    before, now = tmp_path / "before.cnf", tmp_path / "now.cnf"
    before.write_text(written, encoding="ascii")
    run("encode", "1...", "--board", "2x2", "--reduce", reduction, "-o", now)

    assert now.read_text(encoding="ascii") == written
    assert run("decode", before, stdin=answer).lines == ["1221"]


# CNFs whose comments another program dropped.


def without_comments(path: Path) -> Path:
    bare = path.with_suffix(".bare.cnf")
    bare.write_text("".join(line for line in path.read_text().splitlines(keepends=True) if not line.startswith("c")))
    return bare


@pytest.mark.parametrize("seed", [[], ["--seed", "5"]])
@pytest.mark.parametrize("way", [[], ["--encoding", "log", "--reduce", "singles"], ["--amo", "sequential"]])
def test_named_puzzle_decodes(run: Command, tmp_path: Path, way: list[str], seed: list[str]) -> None:
    """With a puzzle and an encoding, answers are decoded for a CNF without comments, and without any CNF."""
    path, printed = tmp_path / "a.cnf", tmp_path / "model"
    run("encode", ESCARGOT, *way, *seed, "-o", path)
    bare = without_comments(path)
    printed.write_text(f"s SATISFIABLE\nv {' '.join(map(str, model_of(bare)))} 0\n")
    right = "162857493534129678789643521475312986913586742628794135356478219241935867897261354\n"

    for arguments in ([bare, printed], [printed], [bare, "-"], [bare], []):
        ran = run("decode", *arguments, "--puzzle", ESCARGOT, *way, *seed, stdin=printed.read_bytes())
        assert (ran.status, ran.out, ran.err) == (0, right, ""), arguments
    loaded = se.load_encoding(
        bare,
        ESCARGOT,
        "log" if "log" in way else "extended",
        reduction="singles" if "singles" in way else "none",
        amo="sequential" if "sequential" in way else "pairwise",
        seed=5 if seed else None,
    )
    assert f"{loaded.decode(model_of(bare))}\n" == right


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["bare.cnf", "answer"], "bare.cnf: its comments do not name the board; name its puzzle with --puzzle"),
        (["bare.cnf", "answer", "--board", "6x6"], "bare.cnf:1: 64 variables, but the encoding extended of this puzzle "
         "has 216; is it another puzzle or board?"),
        (["bare.cnf", "answer", "--board", "4x4", "--encoding", "log"], "64 variables, but the encoding log of this "
         "puzzle has 32; --encoding minimal --reduce none or "),
        (["a.cnf", "answer", "--board", "4x4"], "a.cnf:2: its comments name the board and the puzzle"),
        (["headless.cnf", "answer", "--board", "4x4"], "headless.cnf: not a CNF: it lacks the header `p cnf"),
        (["a.cnf", "answer", "--encoding", "log"], "--encoding has no effect without --puzzle or --board"),
        (["a.cnf", "answer", "--constraint", "odd r1c1"], "--constraint has no effect without --puzzle or --board"),
        (["-", "-", "--board", "4x4"], "the model and the answer cannot both be standard input"),
        (["answer", "--puzzle", "two"], "--puzzle: 2 puzzles where one is needed"),
        (["answer", "--puzzle", "absent.txt"], "absent.txt: no such file"),
        (["answer", "--board", "4x4", "--encoding", "log", "--amo", "ladder"], "encoding log takes no option amo"),
        (["a.cnf", "far"], "far: literal 3000 is out of range: this CNF has 64 variables"),
        (["far", "--board", "4x4"], "far: literal 3000 is out of range: this CNF has 64 variables"),
    ],
)  # fmt: skip
def test_wrong_name_refused(
    run: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], part: str
) -> None:
    """Another puzzle than that of the CNF, or one too many, is refused in one line."""
    monkeypatch.chdir(tmp_path)
    run("encode", "1...............", "--board", "4x4", "-o", "a.cnf")
    without_comments(Path("a.cnf")).rename("bare.cnf")
    Path("headless.cnf").write_text("1 2 0\n")
    Path("answer").write_text("v 1 2 0\n")
    Path("far").write_text("v 1 3000 0\n")
    Path("two").write_text("1...............\n2...............\n")
    ran = run("decode", *arguments)
    assert (ran.status, ran.out, ran.err.count("\n")) == (2, "", 1)
    assert part in ran.err


def test_named_in_python(tmp_path: Path) -> None:
    """`load_encoding` takes an empty board, and refuses an encoding without a puzzle."""
    se.encode("1...............", board="4x4").save(tmp_path / "a.cnf")
    bare = without_comments(tmp_path / "a.cnf")
    assert se.load_encoding(bare, board="4x4").puzzle == se.read("................", board="4x4")
    with pytest.raises(se.SudokuError, match="name='log' has no effect without a puzzle or a board"):
        se.load_encoding(bare, name="log")
    with pytest.raises(FormatError, match="64 variables, but the encoding extended of this puzzle has 729"):
        se.load_encoding(bare, board="9x9")
