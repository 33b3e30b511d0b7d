"""Certificates: made and accepted for puzzles of every kind, and refused, each for its own reason, when changed."""

import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import FormatError, InternalError, MethodError, StoppedError, SudokuError
from sudoku_encode.methods.calls import solutions
from sudoku_encode.proving import (
    check,
    checkers,
    folder,
    hints,
    hints_kernel,
    hints_writing_kernel,
    making,
    numbers,
    plain,
    prove,
    rup,
)
from sudoku_encode.proving.checking import CertificateError
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run import kernels
from sudoku_encode.run.limits import Deadline, Limits
from sudoku_encode.solvers.table import PROVERS
from tests.helpers.command import Command
from tests.helpers.forged_certificates import clauses, cnf, line
from tests.helpers.known_puzzles import INSTANCES, known
from tests.helpers.solution_sets import different

CASES = (
    *("papers/gtsps-fig-4.2.ss", "papers/keck-cubic.txt"),
    *("small/4x4-none.txt", "small/9x9-clash.txt", "small/4x4-no-candidate.txt", "small/9x9-complete.sdm"),
    *("small/9x9-complete-wrong.sdm", "small/4x4-sukaku.json"),
    *("small/4x4x4-literal-empty.txt", "small/4x4x4-three-givens.json"),
)
LARGE_CASES = (
    *("papers/inkala/escargot.txt", "papers/gtsps-fig-4.9.sdk", "papers/jana-2023-table-2.txt"),
    *("papers/jana-2023-table-2.txt row-z,box-xy,box-yz", "small/16x16.txt"),
    *("small/4x4-empty.txt", "small/9x9-jigsaw.txt", "small/9x9-diagonals-windoku.txt"),
)
# Of 72 solutions.
ONE = Puzzle.of(board("4x4"), [1] + [0] * 15)


@pytest.mark.parametrize("name", [*CASES, *(pytest.param(name, marks=pytest.mark.slow) for name in LARGE_CASES)])
def test_known_number(name: str, tmp_path: Path) -> None:
    """A certificate proves the known number."""
    case = known(name)
    made = prove(case.puzzle, tmp_path, Limits(seconds=600).start())
    found = check(tmp_path)
    assert made.count == found.count == case.count
    assert made.lemmas == found.lemmas
    assert found.puzzle.geometry.rule_names == case.puzzle.geometry.rule_names
    assert {path.name for path in tmp_path.iterdir()} == set(folder.FILES)


@pytest.mark.slow
@pytest.mark.parametrize("solver", PROVERS)
def test_each_prover(solver: str, tmp_path: Path) -> None:
    """Every prover's proof is accepted."""
    made = prove(ONE, tmp_path, Deadline(), solver)
    assert made.count == check(tmp_path).count == 72
    assert made.lemmas > 20


@pytest.mark.parametrize("solver", ["maplesat", "minisat22", "kissat404", "magic"])
def test_other_solvers(solver: str, tmp_path: Path) -> None:
    """Other solvers are refused."""
    with pytest.raises(MethodError, match=r"the proofs of .* cannot be trusted"):
        prove(known("small/4x4-empty.txt").puzzle, tmp_path, Deadline(), solver)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "name", ["4x4", "6x6", "5x5+diagonals", "4x4x4", "4x4x4:literal", "9x9", "9x9+windoku", "6x6+windoku"]
)
def test_plain_encoding(name: str) -> None:
    """The plain encoding has the clauses of the encoder."""
    puzzle = Puzzle.of(board(name), [1] + [0] * (board(name).n_cells - 1))
    chunks = encode(puzzle, reduction="none").cnf.chunks()
    encoded = [frozenset(clause) for chunk in chunks for clause in chunk.tolist()]
    assert len(set(encoded)) == len(encoded)
    assert set(encoded) == {frozenset(clause) for rows in plain.clauses(puzzle) for clause in rows.tolist()}


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def write(path: Path, text: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in text))


def change_a_grid(at: Path) -> None:
    text = lines(at / "solutions.txt")
    # Two values of the last line, which is a grid.
    text[-1] = text[-1][1] + text[-1][0] + text[-1][2:]
    write(at / "solutions.txt", text)


def break_a_rule(at: Path) -> None:
    text = lines(at / "solutions.txt")
    # The first cell of Fig. 4.9 is blank, so that no given changes.
    text[-1] = text[-1][1] + text[-1][1:]
    write(at / "solutions.txt", text)


def repeat_a_grid(at: Path) -> None:
    text = lines(at / "solutions.txt")
    write(at / "solutions.txt", [*text, text[-1]])


def drop_a_grid(at: Path) -> None:
    write(at / "solutions.txt", lines(at / "solutions.txt")[:-1])


def recount(text: list[str], by: int) -> list[str]:
    """Mend the header, so that only the change itself is wrong."""
    header = next(number for number, line in enumerate(text) if line.startswith("p cnf"))
    words = text[header].split()
    return [*text[:header], " ".join([*words[:3], str(int(words[3]) + by)]), *text[header + 1 :]]


def drop_a_clause(at: Path) -> None:
    write(at / "formula.cnf", recount(lines(at / "formula.cnf")[:-1], -1))


def add_a_clause(at: Path) -> None:
    write(at / "formula.cnf", recount([*lines(at / "formula.cnf"), "1 2 0"], 1))


def drop_a_clause_of_the_blocked(at: Path) -> None:
    text = lines(at / "blocked.cnf")
    write(at / "blocked.cnf", recount([text[0], *text[2:]], -1))


def drop_a_blocking_clause(at: Path) -> None:
    write(at / "blocked.cnf", recount(lines(at / "blocked.cnf")[:-1], -1))


def block_one_too_many(at: Path) -> None:
    text = lines(at / "blocked.cnf")
    literals = text[-1].split()
    # Another value in the first cell of the clause: what this blocks is no listed solution.
    first = int(literals[0])
    write(at / "blocked.cnf", recount([*text, " ".join([str(first + (1 if first % 9 else -1)), *literals[1:]])], 1))


def block_twice(at: Path) -> None:
    text = lines(at / "blocked.cnf")
    write(at / "blocked.cnf", recount([*text, text[-1]], 1))


def drop_the_last_step(at: Path) -> None:
    write(at / "proof.lrat", lines(at / "proof.lrat")[:-1])


def leave_only_the_last_step(at: Path) -> None:
    write(at / "proof.lrat", lines(at / "proof.lrat")[-1:])


def take_a_hint_away(at: Path) -> None:
    *others, last = lines(at / "proof.lrat")
    number, empty, *hints = last.split()
    write(at / "proof.lrat", [*others, " ".join([number, empty, *hints[1:]])])


def delete_a_clause_that_is_used(at: Path) -> None:
    *others, last = lines(at / "proof.lrat")
    write(at / "proof.lrat", [*others, f"{int(last.split()[0]) - 1} d {last.split()[2]} 0", last])


def number_a_step_twice(at: Path) -> None:
    first, second, *others = lines(at / "proof.lrat")
    write(at / "proof.lrat", [first, f"{first.split()[0]} {second.split(None, 1)[1]}", *others])


def add_a_lemma_by_rat(at: Path) -> None:
    text = lines(at / "proof.lrat")
    last = int(text[-1].split()[0])
    write(at / "proof.lrat", [*text[:-1], f"{last} -1 0 -1 2 0", f"{last + 1} {text[-1].split(None, 1)[1]}"])


def put_another_proof_beside_it(at: Path) -> None:
    write(at / "proof.drat", ["0"])


def exchange_two_clauses(at: Path) -> None:
    text = lines(at / "blocked.cnf")
    write(at / "blocked.cnf", [text[0], text[-1], *text[2:-1], text[1]])


def claim_another_number(at: Path) -> None:
    figures = json.loads((at / "certificate.json").read_text())
    (at / "certificate.json").write_text(json.dumps(figures | {"solutions": figures["solutions"] + 1}))


CHANGES: dict[Callable[[Path], None], str] = {
    change_a_grid: r"solutions\.txt: grid 127 is not a solution: r1c2 holds 2, its given is 5",
    break_a_rule: r"solutions\.txt: grid 127 is not a solution: r1c1 and r1c2 of one row both hold \d",
    repeat_a_grid: r"solutions\.txt: grid 128 repeats grid 127",
    drop_a_grid: r"blocked\.cnf: .*does not block a listed solution",
    drop_a_clause: r"formula\.cnf: 1 clauses of the puzzle are missing, such as \(r9c8 is 2\)",
    add_a_clause: r"formula\.cnf: .* \(r1c1 is 1 or r1c1 is 2\) is not a clause of the puzzle",
    drop_a_clause_of_the_blocked: r"blocked\.cnf: 1 clauses of the puzzle are missing, such as \(r1c1 is 1",
    drop_a_blocking_clause: r"blocked\.cnf: solution \d+ is not blocked",
    block_one_too_many: r"blocked\.cnf: .*does not block a listed solution",
    block_twice: r"blocked\.cnf: line \d+: .* appears twice",
    drop_the_last_step: r"proof\.lrat: the plain checker does not accept it: it does not end in the empty clause",
    leave_only_the_last_step: r"proof\.lrat: the plain checker does not accept it: step \d+: there is no clause \d+",
    take_a_hint_away: r"proof\.lrat: the plain checker does not accept it: step \d+: \[\] does not follow",
    delete_a_clause_that_is_used: r"proof\.lrat: the plain checker does not accept it: .* there is no clause \d+",
    number_a_step_twice: r"proof\.lrat: the plain checker does not accept it: step \d+: its number is not above \d+",
    add_a_lemma_by_rat: r"proof\.lrat: the plain checker does not accept it: step \d+: there is no clause -1",
    exchange_two_clauses: r"proof\.lrat: the plain checker does not accept it: .* does not follow from its hints",
    claim_another_number: r"certificate\.json: it says 128 solutions, but there are 127",
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of Fig. 4.9, with 127 solutions."""
    made = tmp_path_factory.mktemp("certificate")
    prove(known("papers/gtsps-fig-4.9.sdk").puzzle, made, Deadline())
    return made


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of few cells, with 72 solutions."""
    made = tmp_path_factory.mktemp("small")
    prove(ONE, made, Deadline())
    return made


@pytest.mark.parametrize(("change", "reason"), CHANGES.items(), ids=lambda part: getattr(part, "__name__", ""))
def test_changed_certificate(change: Callable[[Path], None], reason: str, certificate: Path, tmp_path: Path) -> None:
    """A changed certificate is refused for its own reason."""
    at = tmp_path / "changed"
    shutil.copytree(certificate, at)
    change(at)
    with pytest.raises(CertificateError, match=reason):
        check(at)


def test_every_step_counts(certificate: Path, tmp_path: Path) -> None:
    """Every step of a proof counts."""
    for number in range(0, len(lines(certificate / "proof.lrat")), 120):
        at = tmp_path / str(number)
        shutil.copytree(certificate, at)
        text = lines(at / "proof.lrat")
        write(at / "proof.lrat", text[:number] + text[number + 1 :])
        with pytest.raises(
            CertificateError, match=r"the plain checker does not accept it: step \d+: there is no clause \d+"
        ):
            check(at)


def test_two_proofs(certificate: Path, tmp_path: Path) -> None:
    """Two proofs are refused where one is needed."""
    at = tmp_path / "two"
    shutil.copytree(certificate, at)
    put_another_proof_beside_it(at)
    with pytest.raises(FormatError, match=r"both proof\.lrat and proof\.drat exist"):
        check(at)


@pytest.mark.parametrize(
    ("puzzle", "words"),
    [
        (
            '{"board": "4x4", "givens": GIVENS, "pencilmark": []}',
            '"pencilmark" is not a key of a puzzle; did you mean "pencilmarks"',
        ),
        ('{"board": "4x4", "board": "4x4", "givens": GIVENS}', 'the key "board" appears twice'),
        ('{"board": "4x4", "givens": GIVENS, "rules": ["row", "colum", "box"]}', "4x4 has no rule 'colum'"),
        ('{"board": "4x4", "givens": GIVENS, "rules": "row"}', '"rules" must be a list of strings'),
        ('{"givens": GIVENS}', "expected an object with board and givens"),
        ("GIVENS", "expected an object with board and givens"),
        ('[{"board": "4x4", "givens": GIVENS}]', "expected an object with board and givens"),
        ('{"board": "4x4", "givens": GIVENS}', "expected givens as lists of lists"),
        (
            '{"board": "4x4", "givens": [[1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, null]]}',
            "expected givens as lists",
        ),
        ('{"board": " 4x4 ", "givens": NESTED}', "expected a board name of printable ASCII"),
        ('{"board": "", "givens": NESTED}', "expected a board name of printable ASCII"),
        ('{"board": null, "givens": NESTED}', "expected a board name of printable ASCII"),
        (r'{"board": "\u0664x\u0664", "givens": NESTED}', "expected a board name of printable ASCII"),
        ('{"board": "4x4", "givens": NESTED, "rules": null}', "expected a list for rules"),
        ('{"board": "4x4", "givens": NESTED, "rules": ["row", "row", "column", "box"]}', "a rule appears twice"),
        ('{"board": "4x4", "givens": NESTED, "pencilmarks": null}', "expected a list for pencilmarks"),
        ('{"board": "04x04", "givens": NESTED}', "a number in '04x04' has a leading zero; write '4x4'"),
        ('{"board": "4x4:02x2", "givens": NESTED}', "has a leading zero"),
        ('{"board": "4x4", "givens": NESTED, "name": "a", "solution": "1"}', '"solution" is not a key of a puzzle'),
        ('{"board": "4x4", "givens": [[1, -0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}', "-0 is not a number"),
        ('{"board": "4x4", "givens": [[1, 0.0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}', "0.0 in givens"),
        ('{"board": "4x4", "givens": [[true, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]}', "true in givens"),
        ('{"board": "4x4", "givens": NESTED, "pencilmarks": MARKS}', "pencilmarks are nested too deeply"),
        ('{"board": "4x4", "givens": NESTED} {}', "this is not JSON: Extra data"),
    ],
)
def test_ambiguous_puzzle(puzzle: str, words: str, small: Path, tmp_path: Path) -> None:
    """A puzzle that people may read as another is refused."""
    at = Path(shutil.copytree(small, tmp_path / "ambiguous"))
    nested = str([[1, 0, 0, 0], [0] * 4, [0] * 4, [0] * 4])
    marks = str([[[1, 2, 3, 4]] * 4] * 4)
    puzzle = puzzle.replace("GIVENS", str([1] + [0] * 15)).replace("NESTED", nested).replace("MARKS", marks)
    (at / "puzzle.json").write_text(puzzle)
    with pytest.raises(FormatError, match=rf"puzzle\.json.*{words}"):
        check(at)


@pytest.mark.parametrize("name", folder.FILES)
def test_missing_file(name: str, certificate: Path, tmp_path: Path) -> None:
    """A missing file is named."""
    at = tmp_path / "part"
    shutil.copytree(certificate, at)
    (at / name).unlink()
    with pytest.raises(FormatError, match=name):
        check(at)


@pytest.mark.parametrize("name", folder.FILES)
@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"p cnf 1 1\n1 0\n", b"[" * 100_000, b"1 2 3 x 0\n", b"d\n0\n"])
def test_nonsense(name: str, text: bytes, small: Path, tmp_path: Path) -> None:
    """Nonsense in any file is one clear error."""
    at = tmp_path / "nonsense"
    shutil.copytree(small, at)
    (at / name).write_bytes(text)
    with pytest.raises(SudokuError) as error:
        check(at)
    assert len(str(error.value).splitlines()) == 1


def test_limits(tmp_path: Path) -> None:
    """Too many solutions and too little time stop it."""
    with pytest.raises(StoppedError, match="limit of 100"):
        prove(known("papers/gtsps-fig-4.9.sdk").puzzle, tmp_path, Deadline(100))
    with pytest.raises(StoppedError, match="time limit"):
        prove(Puzzle.of(board("9x9")), tmp_path, Limits(seconds=0.5).start())
    assert list(tmp_path.iterdir()) == []


def test_lossy_solver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A solver that loses a solution does not get a certificate."""
    puzzle = known("papers/gtsps-fig-4.9.sdk").puzzle
    some = [batch[:1] for batch in solutions(puzzle, "sat")]
    assert len(different(some)) < 127
    monkeypatch.setattr(making, "solutions", lambda *arguments: iter(some))
    with pytest.raises(InternalError, match="a solution is left"):
        prove(puzzle, tmp_path, Deadline())
    assert list(tmp_path.iterdir()) == []


def test_command(run: Command, tmp_path: Path) -> None:
    """The command certifies and checks."""
    ran = run("prove", INSTANCES / "papers" / "gtsps-fig-4.9.sdk", "-o", tmp_path / "c")
    assert (ran.status, ran.lines) == (0, ["exactly 127 solutions, proved"])
    assert "lemmas" in ran.err
    assert "dratify" in ran.err
    again = run("prove", "--check", tmp_path / "c", "--json")
    assert again.status == 0
    report = json.loads(again.out)
    assert (report["count"], report["proved"], report["checkers"]) == (127, True, ["plain checker", "dratify"])
    drop_a_clause(tmp_path / "c")
    refused = run("prove", "--check", tmp_path / "c")
    assert (refused.status, refused.lines) == (1, ["refused"])
    assert "formula.cnf" in refused.err


def test_folders_of_batch(run: Command, tmp_path: Path) -> None:
    """Each puzzle of a batch has a folder."""
    batch, folders = tmp_path / "batch.txt", tmp_path / "folders"
    batch.write_text("12..3....4......\n11..............\n12..3....4.....1\n")
    ran = run("prove", batch, "--board", "4x4", "-o", folders)
    assert ran.status == 1
    assert ran.lines == ["exactly 0 solutions, proved"] * 3
    assert {path.name for path in folders.iterdir()} == {"1", "2", "3"}


def test_timeout(run: Command, tmp_path: Path) -> None:
    """What cannot be proved in time is exit 3."""
    ran = run("prove", "--board", "9x9", "--timeout", "0.3", "-o", tmp_path / "c")
    assert ran.status == 3
    assert ran.out == ""
    assert "not proved; stopped: time limit" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--check", "no-such-folder"], "no-such-folder"),
        (["--check", ".", "--board", "4x4"], "--check takes a folder but no puzzle"),
        (["--board", "4x4", "--sat-solver", "maplesat"], "'maplesat' is not one of 'cadical103'"),
        ([], "no puzzle"),
    ],
)
def test_bad_use(run: Command, arguments: list[str], words: str) -> None:
    """Bad use is one line."""
    ran = run("prove", *arguments)
    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


def test_large_proofs(certificate: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Large proofs are checked by compiled code."""
    assert check(certificate).checkers == ("plain checker", "dratify")
    compiled = checkers.COMPILED._replace(least=0)
    monkeypatch.setattr(checkers, "CHECKERS", (checkers.PLAIN, compiled, checkers.DRATIFY))
    assert check(certificate).checkers == ("plain checker", "compiled checker", "dratify")
    monkeypatch.setattr(checkers, "CHECKERS", (checkers.PLAIN._replace(most=0), compiled))
    assert check(certificate).checkers == ("compiled checker",)


@pytest.mark.slow
def test_without_compiled_code(tmp_path: Path) -> None:
    """Small certificates need no compiler and compiled code finds the same hints."""
    puzzle = INSTANCES / "papers" / "gtsps-fig-4.9.sdk"
    program = f"""
import sys
from pathlib import Path
from sudoku_encode.formats.reading import read
from sudoku_encode.proving import check, hints, prove
from sudoku_encode.run.limits import Deadline, Limits
puzzle = read({str(puzzle)!r})
prove(puzzle, Path("python"), Deadline())
check(Path("python"))
print("numba" in sys.modules)
hints._COMPILED_FROM_NUMBERS = 0
prove(puzzle, Path("compiled"), Deadline())
print("numba" in sys.modules)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert ran.stdout.split() == ["False", "True"]
    assert (tmp_path / "python" / "proof.lrat").read_bytes() == (tmp_path / "compiled" / "proof.lrat").read_bytes()


def test_no_compiler(certificate: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, messages: list[str]) -> None:
    """Where nothing can be compiled certificates are made and checked."""
    monkeypatch.setattr(kernels, "unavailable", lambda: "not today")
    monkeypatch.setattr(hints, "_COMPILED_FROM_NUMBERS", 0)
    monkeypatch.setattr(hints, "compiled_kernels", lambda: (hints_kernel, hints_writing_kernel))
    assert prove(known("papers/gtsps-fig-4.2.ss").puzzle, tmp_path, Deadline()).count == 1
    monkeypatch.setattr(checkers, "PLAIN", checkers.PLAIN._replace(most=0))
    assert check(tmp_path).checkers == ("plain checker",)
    assert [remark.split(":")[-1] for remark in messages] == [" not today"] * 2


def as_drat(at: Path, proof: list[str], lemmas: int) -> None:
    """Put a proof in the place of the one with hints."""
    (at / "proof.lrat").unlink()
    write(at / "proof.drat", proof)
    figures = json.loads((at / "certificate.json").read_text())
    (at / "certificate.json").write_text(json.dumps(figures | {"lemmas": lemmas}))


def lemmas_of(at: Path) -> list[list[int]]:
    found = [[int(word) for word in step.split()[1:]] for step in lines(at / "proof.lrat")]
    return [lemma[: lemma.index(0)] for lemma in found]


def binary(lemmas: list[list[int]]) -> bytes:
    text = bytearray()
    for lemma in lemmas:
        text += b"a"
        for literal in [*lemma, 0]:
            number = 2 * abs(literal) + (literal < 0)
            while number > 127:
                text.append(number & 127 | 128)
                number >>= 7
            text.append(number)
    return bytes(text)


@pytest.mark.parametrize("form", ["lines", "one line", "binary", "with deletions", "without its end"])
def test_drat(form: str, certificate: Path, tmp_path: Path) -> None:
    """A DRAT proof is given hints and checked."""
    at = tmp_path / "drat"
    shutil.copytree(certificate, at)
    lemmas = lemmas_of(at)
    text = [line(lemma) for lemma in lemmas]
    deletions = [f"d {line(clause)}" for clause in clauses((at / "blocked.cnf").read_bytes())]
    match form:
        case "one line":
            text = [" ".join(text)]
        case "with deletions":
            # Passed over: all of it follows all the same.
            text = deletions + text
        case "without its end":
            text = text[:-1]
    as_drat(at, text, len(lemmas) - (form == "without its end"))
    if form == "binary":
        (at / "proof.drat").write_bytes(binary(lemmas))
    found = check(at)
    assert (found.count, found.lemmas) == (127, len(lemmas) - (form == "without its end"))


@pytest.mark.parametrize(
    ("proof", "reason"),
    [
        (["0"], r"lemma 1 \(the empty one\) does not follow by unit propagation \(RUP\)"),
        ([], "lead to no contradiction"),
        (["-1 0", "0"], r"lemma \d \(.*\) does not follow by unit propagation \(RUP\)"),
        (["730 -1 0", "730 -2 0", "-730 1 2 0", "0"], "not a literal of a formula with 729 variables: 730"),
        (["1 d 2 0", "0"], "variables: d"),
        (["d 1", "0"], "lead to no contradiction"),
        (["1 2"], "its last 0 is missing"),
        (["1 x 0"], "not a whole number of at most 9 digits: 'x'"),
    ],
)
def test_bad_drat(proof: list[str], reason: str, certificate: Path, tmp_path: Path) -> None:
    """A DRAT proof that is none is refused."""
    at = tmp_path / "drat"
    shutil.copytree(certificate, at)
    as_drat(at, proof, len(proof))
    with pytest.raises(SudokuError, match=rf"proof\.drat.*{reason}"):
        check(at)


@pytest.mark.parametrize("proof", [b"a\2", b"b\2\0", b"a\xff\xff\xff\xff\xff\x01\0", b"a\1\0", b"\0", b"a\2\0a"])
def test_broken_binary(proof: bytes, certificate: Path, tmp_path: Path) -> None:
    """A broken binary proof is one clear error."""
    at = tmp_path / "drat"
    shutil.copytree(certificate, at)
    as_drat(at, [], 0)
    (at / "proof.drat").write_bytes(proof + (b"" if b"\0" in proof else b"\0a"))
    with pytest.raises(FormatError, match="this is not a binary DRAT proof"):
        check(at)


@pytest.mark.skipif(shutil.which("cadical") is None, reason="cadical is not installed")
@pytest.mark.parametrize("form", ["--binary", "--no-binary"])
def test_outside_solver(form: str, certificate: Path, tmp_path: Path) -> None:
    """The proof of a solver outside is taken."""
    at = tmp_path / "cadical"
    shutil.copytree(certificate, at)
    as_drat(at, [], 0)
    command = ["cadical", "-q", form, str(at / "blocked.cnf"), str(at / "proof.drat")]
    subprocess.run(command, check=False, stdout=subprocess.PIPE)
    lemmas = len(folder.lemmas(at, 729)[folder.lemmas(at, 729) == 0])
    figures = json.loads((at / "certificate.json").read_text())
    (at / "certificate.json").write_text(json.dumps(figures | {"lemmas": lemmas}))
    found = check(at)
    assert (found.count, found.lemmas) == (127, lemmas)
    assert lemmas > 100


@pytest.mark.skipif(shutil.which("cake_lpr") is None, reason="cake_lpr is not installed")
@pytest.mark.parametrize(("n_dropped", "verdict"), [(0, "s VERIFIED UNSAT\n"), (1, "")])
def test_verified_checker(n_dropped: int, verdict: str, certificate: Path, tmp_path: Path) -> None:
    """A verified checker accepts the proof, and refuses it for a CNF without the last blocking clause."""
    header, *clauses = [line for line in lines(certificate / "blocked.cnf") if not line.startswith("c")]
    words = header.split()
    words[3] = str(int(words[3]) - n_dropped)
    write(tmp_path / "blocked.cnf", [" ".join(words), *clauses[: len(clauses) - n_dropped]])
    command = ["cake_lpr", str(tmp_path / "blocked.cnf"), str(certificate / "proof.lrat")]
    # Its exit status is 0 also for a proof that it refuses.
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == verdict


def test_standalone_checker(certificate: Path, tmp_path: Path) -> None:
    """The plain checker stands alone."""
    copied = tmp_path / "rup.py"
    shutil.copy(rup.__file__, copied)
    command = [sys.executable, "-I", *map(str, (copied, certificate / "blocked.cnf", certificate / "proof.lrat"))]
    ran = subprocess.run(command, capture_output=True, text=True, check=True)
    assert ran.stdout == f"VERIFIED: {len(lines(certificate / 'proof.lrat'))} clauses derived\n"
    assert len([text for text in lines(copied) if text.strip()]) < 100


@given(st.lists(st.sampled_from(["1", "-23", "456", "0", "d", "999999999"]), max_size=40), st.randoms())
@settings(max_examples=50, deadline=None)
def test_number_reader(words: list[str], rng: random.Random) -> None:
    """Numbers are read alike whatever stands between them and wherever the text is cut."""
    text = "".join(word + "".join(rng.choices(" \t\r\n", k=rng.randint(1, 9))) for word in words).encode()
    wanted = [numbers.DELETE if word == "d" else int(word) for word in words]
    for piece in (1, 2, 3, 7, 1 << 22):
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(numbers, "_SEGMENT_BYTES", piece)
            assert numbers.read(text, "").tolist() == wanted


def test_compared_is_refuted() -> None:
    """What was compared with the puzzle is what must be refuted."""
    # However a file is read, no other clauses may come in by reading it once more.
    text, values = b"p cnf 2 2\n1 0\n-1 0\n", numbers.read(b"1 0 -2 0", "")
    refutation = checkers.Refutation(
        folder.Formula(Path("blocked.cnf"), text, values), 2, numbers.read(b"3 0 1 2 0", "")
    )
    for checker in checkers.CHECKERS:
        with pytest.raises(rup.ProofError):
            checker.run(refutation)


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        ("proof.lrat", lambda text: text + b"\f\n", r"digits: '\\x0c'"),
        ("formula.cnf", lambda text: text.replace(b" 0\n", b" 00\n"), "digits: '00'"),
        ("formula.cnf", lambda text: text.replace(b"p cnf 64", b"p cnf 64 64"), "a header `p cnf"),
        (
            "formula.cnf",
            lambda text: text.replace(b"p cnf 64", b"p cnf 63"),
            "not a literal of a formula with 63 variables: 64",
        ),
        ("blocked.cnf", lambda text: b"p cnf 64 60000000\n" + b"0 " * 9, "more than 5,000,000 clauses"),
        ("proof.lrat", lambda text: b"0 d 1 0 " + text, "step 0: its number is not above 0"),
        ("proof.lrat", lambda text: b"-7 d 1 0 " + text, "step -7: its number is not above 0"),
        ("proof.lrat", lambda text: b"d d 0 " + text, "does not accept it"),
        ("proof.lrat", lambda text: b"9999 999999999 1 -1 0 1 0 " + text, "variable above 64"),
        ("solutions.txt", lambda text: text.replace(b"\n", b" "), "grid 1: expected one value for each of 16 cells"),
        ("solutions.txt", lambda text: b"1,2,3,4," * 3 + b"1,2,3,4\n", "grid 1: expected one value"),
    ],
)
def test_ambiguous_text(name: str, change: Callable[[bytes], bytes], words: str, tmp_path: Path) -> None:
    """What could be read in two ways is refused."""
    prove(Puzzle.of(board("4x4"), [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 4]), tmp_path, Deadline())
    (tmp_path / name).write_bytes(change((tmp_path / name).read_bytes()))
    with pytest.raises(SudokuError, match=rf"{re.escape(name)}.*{words}"):
        check(tmp_path)


@pytest.mark.parametrize(
    "end", ["\v", *(pytest.param(end, marks=pytest.mark.slow) for end in ("\f", "\r", "\x1c", "\x1e", "\x85"))]
)
def test_comment_without_clause(end: str, certificate: Path, tmp_path: Path) -> None:
    """No clause hides in a comment."""
    at = tmp_path / "hidden"
    shutil.copytree(certificate, at)
    text = (at / "blocked.cnf").read_bytes()
    # What some readers take for the end of a line is none here.
    (at / "blocked.cnf").write_bytes(text + f"c hidden:{end}1 0\nc and{end}-1 0\n".encode("latin-1"))
    assert check(at).count == 127
    number = len(clauses(text))
    write(at / "proof.lrat", [f"{number + 3} 0 {number + 1} {number + 2} 0"])
    with pytest.raises(CertificateError, match=f"there is no clause {number + 1}"):
        check(at)


def test_other_writing(certificate: Path, tmp_path: Path) -> None:
    """A formula may be written in other ways."""
    at = tmp_path / "other"
    shutil.copytree(certificate, at)
    found = clauses((at / "blocked.cnf").read_bytes())
    turned = [clause[::-1] for clause in found]
    text = cnf(turned, 729).decode().replace(" 0\n", "\r\n 0 ")
    (at / "blocked.cnf").write_text(f"c a comment\n{text}\nc another\n", newline="")
    write(at / "formula.cnf", ["p cnf 729 11029", " ".join(line(clause) for clause in found[: len(found) - 127])])
    write(at / "solutions.txt", lines(at / "solutions.txt")[::-1])
    with pytest.raises(FormatError, match=rf"{len(found) - 127} clauses, but the header says 11029"):
        check(at)
    write(at / "formula.cnf", [f"p cnf 729 {len(found) - 127}", *lines(at / "formula.cnf")[1:]])
    assert check(at).count == 127


@pytest.mark.parametrize("name", ["puzzle.json", "proof.drat"])
def test_puzzle_kept(name: str, run: Command, tmp_path: Path) -> None:
    """A puzzle in the folder to be written is not replaced."""
    (tmp_path / name).write_text('{"board": "4x4", "givens": [1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0]}')
    (tmp_path / "link").symlink_to(name)
    for puzzle in (tmp_path / name, tmp_path / "link"):
        ran = run("prove", puzzle, "-o", tmp_path)
        assert (ran.status, ran.out, len(ran.err.splitlines())) == (2, "", 1)
        assert "which would be overwritten" in ran.err
    assert {path.name for path in tmp_path.iterdir()} == {name, "link"}
    ran = run("prove", tmp_path / name, "-o", tmp_path / name)
    assert (ran.status, len(ran.err.splitlines())) == (2, 1)
    assert "cannot create the folder" in ran.err


def test_no_links(tmp_path: Path) -> None:
    """A certificate is not written through links."""
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "certificate").mkdir()
    (tmp_path / "certificate" / "proof.lrat").symlink_to(other)
    prove(known("papers/gtsps-fig-4.2.ss").puzzle, tmp_path / "certificate", Deadline())
    assert other.read_text() == "mine"
    assert check(tmp_path / "certificate").count == 1


def test_right_certificates_kept(run: Command, tmp_path: Path) -> None:
    """Certificates that are there and right are kept."""
    puzzles, folder = tmp_path / "puzzles", tmp_path / "all"
    puzzles.write_text("1234............\n1.3..2....4.....\n1234............\n")
    assert run("prove", puzzles, "--board", "4x4", "-o", folder).status == 0
    proofs = [folder / str(number) / "proof.lrat" for number in (1, 2, 3)]
    times = [proof.stat().st_mtime_ns for proof in proofs]
    proofs[0].unlink()
    # What cannot be read is made anew.
    (folder / "2" / "puzzle.json").write_text("{")
    ran = run("prove", puzzles, "--board", "4x4", "-o", folder, "--resume")

    assert (ran.status, ran.lines) == (0, [f"exactly {n} solutions, proved" for n in (12, 2, 12)])
    assert [proof.stat().st_mtime_ns == before for proof, before in zip(proofs, times, strict=True)] == [
        False,
        False,
        True,
    ]
    assert run("prove", "--check", folder / "2").status == 0


@pytest.mark.parametrize("more", [[], pytest.param(["--cubes", 4], marks=pytest.mark.slow)])
def test_foreign_certificate(run: Command, tmp_path: Path, more: list[object]) -> None:
    """A certificate of another puzzle is not gone on with."""
    one, other = ("1...............", "2...............")
    assert run("prove", one, *more, "-o", tmp_path / "c").status == 0
    before = {path: path.read_bytes() for path in (tmp_path / "c").rglob("*") if path.is_file()}
    for again in ([other], [one, "--constraint", "odd r1c2"], [one, "--rules", "row,column"]):
        ran = run("prove", *again, *more, "-o", tmp_path / "c", "--resume")
        assert (ran.status, ran.out, len(ran.err.splitlines())) == (2, "", 1)
        assert f"{tmp_path / 'c' / 'puzzle.json'}: not the puzzle of this run" in ran.err
    assert before == {path: path.read_bytes() for path in (tmp_path / "c").rglob("*") if path.is_file()}
    assert run("prove", one, *more, "-o", tmp_path / "c", "--resume").out == "exactly 72 solutions, proved\n"
    assert run("prove", other, *more, "-o", tmp_path / "c").out == "exactly 72 solutions, proved\n"


@pytest.mark.parametrize(
    ("option", "value"), [("-o", "x"), ("--sat-solver", "cadical153"), ("--limit", 5), ("-j", 2), ("--resume", None)]
)
def test_unused_option(run: Command, option: str, value: object) -> None:
    """An option that a check does not use is refused."""
    ran = run("prove", "--check", "folder", option, *([] if value is None else [value]))
    assert (ran.status, ran.out) == (2, "")
    assert f"{option} has no effect with --check" in ran.err
