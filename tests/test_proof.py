"""Certificates: made and accepted for puzzles of every kind, and refused, each for its own reason, when changed."""

import json
import shutil
import sys
from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from command import Command
from hypothesis import given
from hypothesis import strategies as st
from known import INSTANCES, known
from listing import different

from sudoku_encode import proof
from sudoku_encode.boards import board
from sudoku_encode.encoders import encode
from sudoku_encode.errors import FormatError, InternalError, MethodError, Stopped, SudokuError
from sudoku_encode.methods import solutions
from sudoku_encode.proof import PROVERS, check, checking, folder, plain, prove
from sudoku_encode.proof.checking import Refused
from sudoku_encode.proof.core import core
from sudoku_encode.proof.plain import clauses
from sudoku_encode.puzzle import Puzzle
from sudoku_encode.result import Budget

AI = ("escargot", "killer-application", "lucky-diamond", "worm-hole", "labyrinth")
CASES = (
    *(f"papers/inkala/{name}.txt" for name in AI),
    *("papers/gtsps-fig-4.2.ss", "papers/gtsps-fig-4.9.sdk", "papers/jana-2023-table-2.txt"),
    *("small/16x16.txt", "small/4x4-none.txt", "small/9x9-clash.txt", "small/4x4-no-candidate.txt"),
    *("small/9x9-complete.sdm", "small/9x9-complete-wrong.sdm", "small/4x4-sukaku.json", "small/4x4-empty.txt"),
    *("small/9x9-jigsaw.txt", "small/9x9-diagonals-windoku.txt", "small/4x4x4-literal-empty.txt"),
    *("papers/jana-2023-table-2.txt row-z,box-xy,box-yz", "small/4x4x4-three-givens.json"),
)


@pytest.mark.parametrize("name", CASES)
def test_a_certificate_proves_the_known_number(name: str, tmp_path: Path) -> None:
    case = known(name)
    made = prove(case.puzzle, tmp_path, Budget.of(seconds=60))
    found = check(tmp_path)
    assert made.count == found.count == case.count
    assert made.lemmas == found.lemmas
    assert found.puzzle.geometry.rule_names == case.puzzle.geometry.rule_names
    assert {path.name for path in tmp_path.iterdir()} == set(folder.FILES)


@pytest.mark.parametrize("solver", PROVERS)
def test_every_prover_s_proof_is_accepted(solver: str, tmp_path: Path) -> None:
    case = known("papers/inkala/escargot.txt")
    assert prove(case.puzzle, tmp_path, Budget(), solver).count == check(tmp_path).count == 1


@pytest.mark.parametrize("solver", ["maplesat", "minisat22", "kissat404", "magic"])
def test_other_solvers_are_refused(solver: str, tmp_path: Path) -> None:
    with pytest.raises(MethodError, match="no proof that can be trusted"):
        prove(known("small/4x4-empty.txt").puzzle, tmp_path, Budget(), solver)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["4x4", "6x6", "5x5+diagonals", "4x4x4", "4x4x4:literal", "9x9", "9x9+windoku"])
def test_the_plain_encoding_has_the_clauses_of_the_encoder(name: str) -> None:
    puzzle = Puzzle.of(board(name), [1] + [0] * (board(name).n_cells - 1))
    chunks = encode(puzzle, reduction="none").cnf.chunks()
    encoded = [frozenset(clause) for chunk in chunks for clause in chunk.tolist()]
    assert len(set(encoded)) == len(encoded)
    assert set(encoded) == set(plain.clauses(puzzle))


def lines(path: Path) -> list[str]:
    return path.read_text().splitlines()


def write(path: Path, text: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in text))


def change_a_grid(at: Path) -> None:
    text = lines(at / "solutions.txt")
    # Two values of the last line, which is a grid.
    text[-1] = text[-1][1] + text[-1][0] + text[-1][2:]
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


def drop_the_last_line_of_the_proof(at: Path) -> None:
    write(at / "proof.drat", lines(at / "proof.drat")[:-1])


def empty_the_proof_but_its_end(at: Path) -> None:
    write(at / "proof.drat", ["0"])


def claim_another_number(at: Path) -> None:
    figures = json.loads((at / "certificate.json").read_text())
    (at / "certificate.json").write_text(json.dumps(figures | {"solutions": figures["solutions"] + 1}))


CHANGES: dict[Callable[[Path], None], str] = {
    change_a_grid: r"solutions\.txt: grid 127 is no solution: r1c2 holds 2, its given is 5",
    repeat_a_grid: r"solutions\.txt: grid 128 is grid 127 again",
    drop_a_grid: r"blocked\.cnf: .*blocks what is no listed solution",
    drop_a_clause: r"formula\.cnf: 1 clauses of the puzzle are missing, such as \(r9c8 is 2\)",
    add_a_clause: r"formula\.cnf: .* the puzzle does not say \(r1c1 is 1 or r1c1 is 2\)",
    drop_a_clause_of_the_blocked: r"blocked\.cnf: 1 clauses of formula\.cnf are missing",
    drop_a_blocking_clause: r"blocked\.cnf: solution \d+ is not blocked",
    block_one_too_many: r"blocked\.cnf: .*blocks what is no listed solution",
    block_twice: r"blocked\.cnf: .*blocks what is no listed solution",
    drop_the_last_line_of_the_proof: r"proof\.drat: it does not end in the empty clause",
    empty_the_proof_but_its_end: r"proof\.drat: dratify( in Rust)? does not accept it",
    claim_another_number: r"certificate\.json: it says 128 solutions, and 127 are there",
}


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One of Fig. 4.9, with 127 solutions."""
    made = tmp_path_factory.mktemp("certificate")
    prove(known("papers/gtsps-fig-4.9.sdk").puzzle, made, Budget())
    return made


@pytest.mark.parametrize(("change", "reason"), CHANGES.items(), ids=lambda part: getattr(part, "__name__", ""))
def test_a_changed_certificate_is_refused_for_its_own_reason(
    change: Callable[[Path], None], reason: str, certificate: Path, tmp_path: Path
) -> None:
    at = tmp_path / "changed"
    shutil.copytree(certificate, at)
    change(at)
    with pytest.raises(Refused, match=reason):
        check(at)


def test_every_line_of_a_proof_counts(certificate: Path, tmp_path: Path) -> None:
    for number in range(0, len(lines(certificate / "proof.drat")), 10):
        at = tmp_path / str(number)
        shutil.copytree(certificate, at)
        text = lines(at / "proof.drat")
        write(at / "proof.drat", text[:number] + text[number + 1 :])
        # What is left may still be a proof; then the certificate's own number gives it away.
        with pytest.raises(
            Refused, match=r"dratify( in Rust)? does not accept it|certificate\.json: it says \d+ lemmas"
        ):
            check(at)


@pytest.mark.parametrize("name", folder.FILES)
def test_a_missing_file_is_named(name: str, certificate: Path, tmp_path: Path) -> None:
    at = tmp_path / "part"
    shutil.copytree(certificate, at)
    (at / name).unlink()
    with pytest.raises(FormatError, match=name):
        check(at)


@pytest.mark.parametrize("name", folder.FILES)
@pytest.mark.parametrize("text", [b"", b"\xff\xfe", b"p cnf 1 1\n1 0\n", b"[" * 100_000, b"1 2 3 x 0\n", b"d\n0\n"])
def test_nonsense_in_any_file_is_one_clear_error(name: str, text: bytes, certificate: Path, tmp_path: Path) -> None:
    at = tmp_path / "nonsense"
    shutil.copytree(certificate, at)
    (at / name).write_bytes(text)
    with pytest.raises(SudokuError) as error:
        check(at)
    assert len(str(error.value).splitlines()) == 1


def test_too_many_solutions_and_too_little_time_stop_it(tmp_path: Path) -> None:
    with pytest.raises(Stopped, match="limit of 100"):
        prove(known("papers/gtsps-fig-4.9.sdk").puzzle, tmp_path, Budget(100))
    with pytest.raises(Stopped, match="time limit"):
        prove(Puzzle.of(board("9x9")), tmp_path, Budget.of(seconds=0.5))
    assert list(tmp_path.iterdir()) == []


def test_a_solver_that_loses_a_solution_does_not_get_a_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    puzzle = known("papers/gtsps-fig-4.9.sdk").puzzle
    some = [batch[:1] for batch in solutions(puzzle, "sat")]
    assert len(different(some)) < 127
    monkeypatch.setattr(proof, "solutions", lambda *arguments: iter(some))
    with pytest.raises(InternalError, match="a solution is left"):
        prove(puzzle, tmp_path, Budget())
    assert list(tmp_path.iterdir()) == []


def test_the_command_certifies_and_checks(run: Command, tmp_path: Path) -> None:
    ran = run("prove", INSTANCES / "papers" / "gtsps-fig-4.9.sdk", "-o", tmp_path / "c")
    assert (ran.status, ran.lines) == (0, ["exactly 127 solutions, proved"])
    assert "lemmas" in ran.err
    assert "dratify" in ran.err
    again = run("prove", "--check", tmp_path / "c", "--json")
    assert again.status == 0
    report = json.loads(again.out)
    assert (report["solutions"], report["proved"], report["checkers"]) == (127, True, ["dratify in Rust", "dratify"])
    drop_a_clause(tmp_path / "c")
    refused = run("prove", "--check", tmp_path / "c")
    assert (refused.status, refused.lines) == (1, ["refused"])
    assert "formula.cnf" in refused.err


def test_each_puzzle_of_a_batch_has_a_folder(run: Command, tmp_path: Path) -> None:
    ran = run("prove", INSTANCES / "known-counts" / "tdoku-none.sdm", "-o", tmp_path)
    assert ran.status == 1
    assert set(ran.lines) == {"exactly 0 solutions, proved"}
    assert {path.name for path in tmp_path.iterdir()} == {str(number + 1) for number in range(len(ran.lines))}


def test_what_cannot_be_proved_in_time_is_exit_3(run: Command, tmp_path: Path) -> None:
    ran = run("prove", "--board", "9x9", "--timeout", "0.3", "-o", tmp_path / "c")
    assert ran.status == 3
    assert ran.out == ""
    assert "not proved; stopped: time limit" in ran.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--check", "no-such-folder"], "no-such-folder"),
        (["--check", ".", "--board", "4x4"], "--check takes a folder and no puzzle"),
        (["--board", "4x4", "--sat-solver", "maplesat"], "no proof that can be trusted"),
        ([], "no puzzle"),
    ],
)
def test_bad_use_is_one_line(run: Command, arguments: list[str], words: str) -> None:
    ran = run("prove", *arguments)
    assert ran.status == 2
    assert words in ran.err
    assert len(ran.err.splitlines()) == 1


def models(formula: list[frozenset[int]], n: int) -> int:
    worlds = (set(world) for world in product(*((v, -v) for v in range(1, n + 1))))
    return sum(all(clause & world for clause in formula) for world in worlds)


@given(st.lists(st.frozensets(st.integers(-4, 4).filter(bool), max_size=3), max_size=12))
def test_the_core_of_a_formula_has_a_model_where_the_formula_has_one(formula: list[frozenset[int]]) -> None:
    found = core(formula)
    assert set(found) <= set(formula)
    assert bool(models(found, 4)) == bool(models(formula, 4))


def test_the_core_leaves_out_what_propagation_satisfies() -> None:
    puzzle = known("papers/gtsps-fig-4.9.sdk").puzzle
    whole = list(clauses(puzzle))
    assert len(core(whole)) < len(whole) / 4
    # A contradiction that propagation finds needs no more than that.
    clash = [frozenset(clause) for clause in ([1], [-1, 2], [-2], [3, 4], [-3, 4])]
    assert core(clash) == clash[:3]


def test_a_proof_is_checked_by_whoever_there_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    prove(known("papers/gtsps-fig-4.9.sdk").puzzle, tmp_path, Budget())
    assert check(tmp_path).checkers == ("dratify in Rust", "dratify")
    monkeypatch.setattr(checking, "_QUICK", 0)
    assert check(tmp_path).checkers == ("dratify in Rust",)
    monkeypatch.setitem(sys.modules, "cdclkit", None)
    assert check(tmp_path).checkers == ("dratify",)


def test_a_certificate_is_not_written_through_links(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.write_text("mine")
    (tmp_path / "certificate").mkdir()
    (tmp_path / "certificate" / "proof.drat").symlink_to(other)
    prove(known("papers/gtsps-fig-4.2.ss").puzzle, tmp_path / "certificate", Budget())
    assert other.read_text() == "mine"
    assert check(tmp_path / "certificate").count == 1
