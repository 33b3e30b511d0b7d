"""Files for VeriPB: accepted by a checker of the tests, for puzzles of every kind, and refused when changed."""

import re
from collections.abc import Callable
from functools import cache
from itertools import combinations
from pathlib import Path
from tempfile import mkdtemp

import pytest

import sudoku_encode as se
from sudoku_encode.errors import MethodError, SudokuError
from sudoku_encode.proving import check, folder, making, prove, veripb
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from tests.helpers import veripb_reader
from tests.helpers.certificate_reader import Clause
from tests.helpers.command import Command
from tests.helpers.forged_certificates import PUZZLES as SMALL
from tests.helpers.known_puzzles import INSTANCES

ONE_GIVEN = Puzzle.of(board("4x4"), [1] + [0] * 15)
PUZZLES: dict[str, Callable[[], Puzzle]] = {
    "4x4-one-given": lambda: ONE_GIVEN,
    **{name: make for name, make in SMALL.items() if name != "4x4-empty"},
    # Units with fewer cells than values.
    "latin:2x3:4": lambda: Puzzle.of(board("latin:2x3:4"), [1, 2, 0, 0, 0, 0]),
    # A variable of no cell that the grid does not determine; auxiliary ones that it does.
    "4x4-hidden": lambda: Puzzle.of(board("4x4"), [1, 2, 3, 4] + [0] * 12, constraints=["thermometer r2c1 h1"]),
    "4x4-connected": lambda: Puzzle.of(board("4x4"), [1] + [0] * 15, constraints=["connected 4 r1c1-r4c4"]),
}


@cache
def certificate(name: str) -> tuple[Path, int]:
    """Return the folder of a certificate with files for VeriPB, which no test changes, and how many solutions."""
    home = Path(mkdtemp())
    return home, prove(PUZZLES[name](), home, Deadline(), to_veripb=True).count


@pytest.mark.parametrize("name", PUZZLES)
def test_accepted(name: str) -> None:
    """The proof shows as many solutions as the certificate."""
    home, count = certificate(name)
    assert veripb_reader.check(home) == count == check(home).count


@pytest.mark.parametrize("name", PUZZLES)
def test_same_clauses(name: str) -> None:
    """The constraints, written as clauses, are those of the CNF."""
    home, _ = certificate(name)
    lines = [line for line in (home / "formula.cnf").read_text().splitlines() if line[:1] not in "cp"]
    formula = {tuple(sorted(map(int, line.split()[:-1]))) for line in lines}
    problem = veripb_reader.read_opb(home / "formula.opb")
    assert {clause for each in problem.constraints for clause in clauses(each)} == formula
    cells = PUZZLES[name]().geometry
    assert problem.preserved == set(range(1, cells.n_cells * cells.n_values + 1))


def clauses(constraint: veripb_reader.Constraint) -> list[Clause]:
    """Return a constraint whose coefficients are 1 as clauses: of so many literals one must be true."""
    assert set(constraint.terms.values()) <= {1}
    width = len(constraint.terms) - constraint.degree + 1
    return [tuple(sorted(each)) for each in combinations(constraint.terms, width)]


# Changes of a proof of 72 solutions: a pattern, and the text in its place.
CHANGES = {
    "solution-twice": (r"(solx [^;]*;\n)solx [^;]*;\n", r"\1\1"),
    "not-a-solution": ("solx x1 x6", "solx x1 x7"),
    "solution-without-a-cell": ("solx x1 x6 ", "solx x1 "),
    "solution-only-excluded": (r"solx x1 (x[^;]*) ;", r"rup 1 ~x1 >= 1 : ~ ;"),
    "other-number": ("COMPLETE 72", "COMPLETE 73"),
    "none": ("ENUMERATION_COMPLETE 72", "UNSAT"),
    "other-contradiction": (r"COMPLETE 72 : \d+", "COMPLETE 72 : 1"),
    "hint-missing": (r"(?s)(.*rup >= 1 : ~ )\d+ ", r"\1"),
    "empty-lemma-missing": (r"rup >= 1 : [^;]*;\n", ""),
    "literal-missing": (r"rup 1 ~?x\d+ (1 ~?x\d+ >= 1)", r"rup \1"),
    "unknown-rule": ("pol ", "a "),
}


@pytest.mark.parametrize("change", CHANGES)
def test_changed_proof_refused(change: str, tmp_path: Path) -> None:
    """A changed proof is refused."""
    home, _ = certificate("4x4-one-given")
    text = (home / "proof.pbp").read_text()
    changed = re.sub(*CHANGES[change], text, count=1)
    assert changed != text
    (tmp_path / "proof.pbp").write_text(changed)
    (tmp_path / "formula.opb").write_bytes((home / "formula.opb").read_bytes())
    with pytest.raises(veripb_reader.InvalidProofError):
        veripb_reader.check(tmp_path)


def test_proof_of_another_program(tmp_path: Path) -> None:
    """Deletions, and steps after the empty clause, are left out."""
    prove(ONE_GIVEN, tmp_path, Deadline())
    proof = (tmp_path / "proof.lrat").read_text()
    (tmp_path / "proof.lrat").write_text(f"9000 d 1 2 0\n{proof}9001 1 0 1 0\n9002 d 3 0\n")
    veripb.write(tmp_path, making.whole_of(ONE_GIVEN))
    assert veripb_reader.check(tmp_path) == 72


def test_other_certificates_refused(tmp_path: Path) -> None:
    """A certificate in cubes, of candidates or of a count has no such file."""
    checks: dict[str, Callable[[Path], object]] = {
        "cubes": se.check_certificate,
        "candidates": se.check_candidates,
        "count": se.check_certificate,
    }
    se.prove("1" + "." * 15, tmp_path / "cubes", board="4x4", cubes=2, executor="processes:1")
    se.prove_candidates("1" + "." * 15, tmp_path / "candidates", board="4x4")
    se.prove("1" + "." * 15, tmp_path / "count", board="4x4", count=True)
    for name, check_again in checks.items():
        check_again(tmp_path / name)
        (tmp_path / name / folder.PBP).write_text("")
        with pytest.raises(SudokuError, match=r"proof\.pbp"):
            check_again(tmp_path / name)


def test_proof_without_hints(tmp_path: Path) -> None:
    """A certificate with a DRAT proof has no hints to make the files from."""
    prove(ONE_GIVEN, tmp_path, Deadline())
    (tmp_path / "proof.lrat").rename(tmp_path / "proof.drat")
    with pytest.raises(MethodError, match=r"VeriPB's proof is made from proof\.lrat, which is missing"):
        veripb.write(tmp_path, making.whole_of(ONE_GIVEN))


def test_command(run: Command, tmp_path: Path) -> None:
    """The command writes the files, also to an earlier certificate, and refuses another puzzle's constraints."""
    arguments = ("prove", INSTANCES / "small/4x4-sukaku.json", "-o", tmp_path / "out")
    assert run(*arguments).status == 0
    assert not (tmp_path / "out" / folder.OPB).exists()
    assert run(*arguments, "--resume", "--to", "veripb").status == 0
    assert f"exactly {veripb_reader.check(tmp_path / 'out')} solutions, proved" in run(*arguments, "--resume").out
    (tmp_path / "out" / folder.OPB).write_bytes((certificate("4x4")[0] / folder.OPB).read_bytes())
    refused = run("prove", "--check", tmp_path / "out")
    assert refused.status == 1
    assert "formula.opb: these are not the constraints of the puzzle" in refused.err
    assert run(*arguments).status == 0
    assert not (tmp_path / "out" / folder.OPB).exists()


@pytest.mark.parametrize(("option", "reason"), [("--count", "counts all solutions"), ("--cubes=4", "the whole puzzle")])
def test_options_refused(option: str, reason: str, run: Command, tmp_path: Path) -> None:
    """VeriPB's files need a list of solutions and one proof."""
    result = run("prove", "1" + "." * 15, "--to", "veripb", option, "-o", tmp_path / "out")
    assert result.status == 2
    assert "has no effect with" in result.err
    assert reason in result.err
    assert not (tmp_path / "out").exists()


def test_function(tmp_path: Path) -> None:
    """The function takes the option, and refuses what has no effect."""
    assert se.prove("1" + "." * 15, tmp_path, board="4x4", to="veripb").count == veripb_reader.check(tmp_path)
    with pytest.raises(MethodError, match="has no effect with count=True, which lists no solutions"):
        se.prove("1" + "." * 15, tmp_path, board="4x4", to="veripb", count=True)
    with pytest.raises(SudokuError, match="to='lrat': choose from rocq, veripb"):
        se.prove("1" + "." * 15, tmp_path, board="4x4", to="lrat")
