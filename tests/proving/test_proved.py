"""The proved counter: its theorems assume nothing, its proof fails with a fault, and its program counts and refuses."""

import json
import re
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from sudoku_encode.errors import InternalError, MethodError, SudokuError
from sudoku_encode.proving import CertificateError, count_orders, counts, plain, prove, proved, recount, theorem
from sudoku_encode.proving.counts import rules_text
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.run.limits import Deadline
from tests.helpers.command import Command
from tests.helpers.constraint_cases import all_cases, has_hidden_cells, puzzle_of
from tests.helpers.known_puzzles import known
from tests.helpers.long_searches import TEN_THOUSAND, of

MISSING = proved.missing_compilers()
pytestmark = pytest.mark.skipif(bool(MISSING), reason=MISSING)

# Text of the programs, with faults: each could make an answer wrong, so the proof has to fail.
FAULTS = {
    "others keep the value": ("States", "(v, N.ldiff s others :: S') :: later", "(v, s :: S') :: later"),
    "sorting drops equal sets": ("Counter", "if s <=? t then (s, S) else", "if s =? t then (s, S') else"),
    "values that a constraint tells apart are sorted": ("Counter", "if d =? c then", "if true then"),
    "automata stay where they are": ("Counter", "(sorted cl T ++ marks')", "(sorted cl T ++ marks)"),
    "values are alike at one mark": (
        "Automata",
        "if list_eq_dec N.eq_dec x y then",
        "if N.eq_dec (hd 0 x) (hd 0 y) then",
    ),
    "a sum is not tested at its end": ("Constraints", "Some (total =? 0)%Z", "Some true"),
    "symmetries may change peers": (
        "Symmetries",
        "(image moves (N.land all (peers units c)) =? N.land all (peers units d))",
        "true",
    ),
    "symmetries are unchecked": ("Counter", "if idle A' && every (symmetry units k') t then", "if idle A' then"),
    "cells of constraints in another order": ("Recount", "&& forallb (descends (N.of_nat k)) A", "&& true"),
    "short orders": ("Recount", "(N.of_nat (List.length order) =? cells r) &&", "true &&"),
    "rules are not compared": ("Recount", "if String.eqb rules_txt (text r) then", "if true then"),
    "clauses of constraints are left out": (
        "Clauses",
        "match constraints r with [] => true | _ :: _ => false end",
        "true",
    ),
    "hints with several literals": ("Listed", "forallb (same_literal l) rest &&", "true &&"),
    "steps are not checked": ("Listed", "contradicts known (negated (derived s)) (hints s) &&", "true &&"),
}


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which Coq has checked all proofs."""
    folder = shutil.copytree(proved.build().parent, tmp_path_factory.mktemp("proofs") / "all")
    proved.prove(["Boards"], folder)
    return folder


@pytest.mark.slow
def test_no_assumptions(scratch: Path, tmp_path: Path) -> None:
    """Coq proves every theorem, and none assumes anything; a theorem without a proof is noticed."""
    assert proved.unproved_theorems(scratch, ["Assumptions"]) == []
    stated = {name for path in scratch.glob("*.v") for name in re.findall(r"^Theorem (\w+)", path.read_text(), re.M)}
    assert stated == set(re.findall(r"^Print Assumptions (\w+)\.", (scratch / "Assumptions.v").read_text(), re.M))
    copy = shutil.copytree(scratch, tmp_path / "copy")
    text = (copy / "Boards.v").read_text()
    assumed = text.replace("Proof. apply plain_count_correct. vm_compute. reflexivity. Qed.", "Admitted.")
    assert assumed != text
    (copy / "Boards.v").write_text(assumed)
    assert proved.unproved_theorems(copy, proved.THEOREMS) == ["four"]


def test_page() -> None:
    """The statements on the page are those of the proofs, word by word."""
    page = (Path(__file__).parents[2] / "docs" / "internals" / "proved.md").read_text()
    statements = re.findall(r"^```coq\n(.*?)^```", page, re.MULTILINE | re.DOTALL)
    proofs = "".join(path.read_text() for path in proved.SOURCES.glob("*.v"))
    assert len(statements) > 5
    assert [statement for statement in statements if statement not in proofs] == []


@pytest.mark.slow
@pytest.mark.thorough
def test_faults_fail_proof(scratch: Path, tmp_path: Path) -> None:
    """Coq refuses each program with a fault."""
    copy = shutil.copytree(scratch, tmp_path / "copy")
    for file, old, new in FAULTS.values():
        text = (scratch / f"{file}.v").read_text()
        assert text.count(old) == 1
        (copy / f"{file}.v").write_text(text.replace(old, new))
        with pytest.raises(InternalError, match="coqc refuses"):
            proved.prove([file], copy)


def empty(name: str) -> Puzzle:
    """An empty board."""
    return Puzzle(board(name), np.zeros(board(name).n_cells, np.int64))


def in_rows(puzzle: Puzzle) -> list[int]:
    """All cells in reading order."""
    return list(range(puzzle.geometry.n_cells))


def in_columns(puzzle: Puzzle) -> list[int]:
    """All cells of a square, column by column."""
    return np.arange(puzzle.geometry.n_cells).reshape(puzzle.geometry.shape).T.ravel().tolist()


def constrained(name: str, *constraints: str) -> Puzzle:
    """An empty board with constraints."""
    return Puzzle.of(board(name), constraints=constraints)


# With each kind of line of rules.txt; some cells are read twice, some after later ones.
CONSTRAINED: list[tuple[Puzzle, Callable[[Puzzle], Sequence[int]], int]] = [
    (constrained("4x4", "sum 7 r1c1 r2c2 r3c3"), in_rows, 60),
    (constrained("4x4", "sum 1 r1c1*2 r4c4*-1", "quadruple 3 3 r1c2 r1c3 r2c2 r2c3"), in_columns, 14),
    (constrained("4x4", "thermometer r3c1 r2c1 r1c1"), in_rows, 48),
    (constrained("4x4", "automaton 1>1,2>0 3>2,14>0 !: r1c1 r2c3 r1c1 r4c4"), in_columns, 9),
]

COUNTS: list[tuple[Puzzle, Callable[[Puzzle], Sequence[int]], int]] = [
    (empty("4x4"), in_rows, 288),
    (empty("6x6"), in_columns, 28_200_960),
    (empty("4x4x4"), in_rows, 768),
    (empty("latin:5x5"), in_rows, 161_280),
    (empty("latin:3x4"), in_rows, 576),
    (known("small/5x5-jigsaw-empty.txt").puzzle, in_rows, known("small/5x5-jigsaw-empty.txt").count),
    (known("small/4x4-sukaku.json").puzzle, in_rows, known("small/4x4-sukaku.json").count),
    (known("small/4x4-no-candidate.txt").puzzle, in_rows, 0),
    (known("small/9x9-clash.txt").puzzle, in_rows, 0),
    (known("papers/gtsps-fig-4.9.sdk").puzzle, in_columns, 127),
    (of("9x9", TEN_THOUSAND), lambda puzzle: in_rows(puzzle)[::-1], 10_810),
]


@pytest.mark.parametrize(("puzzle", "order", "number"), [*COUNTS, *CONSTRAINED])
def test_counts(puzzle: Puzzle, order: Callable[[Puzzle], Sequence[int]], number: int) -> None:
    """The proved program counts what is known."""
    assert proved.count(rules_text(puzzle), order(puzzle)) == number


def test_kinds_of_constraints() -> None:
    """The proved program counts what the plain recount counts, in another order, for kinds of constraints."""
    for number, case in enumerate(case for case in all_cases()[::6] if not has_hidden_cells(case)):
        puzzle = puzzle_of(case)
        with suppress(MethodError):  # no recount supports it
            rules = rules_text(puzzle)
            orders = np.random.default_rng(number).permuted(np.tile(np.arange(puzzle.geometry.n_cells), (2, 1)), axis=1)
            *_, last = recount.layers(recount.read_rules(rules.splitlines()), orders[0].tolist(), {})
            assert proved.count(rules, orders[1].tolist()) == sum(last.values())


def rows_swapped(cells: Sequence[int], first: int, second: int) -> list[int]:
    """The images of cells of a 6x6 board if two rows change places."""
    rows = {first: second, second: first}
    return [rows.get(cell // 6, cell // 6) * 6 + cell % 6 for cell in cells]


def test_symmetries() -> None:
    """Rows may be swapped inside a band after a column; rows of two bands, and half of a column, may not."""
    puzzle = empty("6x6")
    rules, order = rules_text(puzzle), in_columns(puzzle)
    swaps = {6 * k: [rows_swapped(order[6 * k :], row, row + 1) for row in (0, 2, 4)] for k in range(1, 6)}
    assert proved.count(rules, order, swaps) == 28_200_960
    for wrong in ({12: [rows_swapped(order[12:], 1, 2)]}, {9: [rows_swapped(order[9:], 4, 5)[::-1]]}):
        with pytest.raises(SudokuError, match="a symmetry that does not hold"):
            proved.count(rules, order, swaps | wrong)


SHORT, TWICE = [*range(15)], [*range(15), 0]


@pytest.mark.parametrize("order", [SHORT, TWICE, [*SHORT, 16], [*range(16), 3], [*range(17)], [-1, *SHORT], []])
def test_refused_orders(order: list[int]) -> None:
    """An order without each cell exactly once is refused."""
    with pytest.raises(SudokuError, match=r"an order without each cell once|a negative number"):
        proved.count(rules_text(empty("4x4")), order)


def changed(old: str, new: str, text: str) -> str:
    """The text with a change."""
    assert old in text
    return text.replace(old, new, 1)


@pytest.mark.parametrize(
    "change",
    [
        partial(changed, "values 4\n", "values  4\n"),
        partial(changed, "values 4\n", "values 04\n"),
        partial(changed, "values 4\n", "values 0x4\n"),
        partial(changed, "values 4\n", "values 4\n\n"),
        partial(changed, "values 4\n", "values 4 \n"),
        partial(changed, "values 4\n", "values 4\nvalues 4\n"),
        partial(changed, "cells 16\nvalues 4\n", "values 4\ncells 16\n"),
        partial(changed, "unit 0 1 2 3\n", "unit 0 1 2 16\n"),
        partial(changed, "unit 0 1 2 3\n", "unit -1 0 1 2\n"),
        partial(changed, "unit 0 1 2 3\n", "units 0 1 2 3\n"),
        partial(changed, "unit 0 1 2 3\n", "unit 0 1 2 3\r\n"),
        partial(changed, "unit 0 1 2 3\n", "unit 0 1 2 3.0\n"),
        lambda text: text + "allowed\n",
        lambda text: text + "allowed 16 1\n",
        lambda text: text + "sum 4 0 1 16 1\n",
        lambda text: text + "sum 4 0 1 1\n",
        lambda text: text + "sum 4 0 1 1 +1\n",
        lambda text: text + "pairs 0 1 1\n",
        lambda text: text + "sequence 1 0 0 0 1\n",
    ],
)
def test_refused_rules(change: Callable[[str], str]) -> None:
    """Rules in any other form than the one that the theorem speaks of are refused."""
    with pytest.raises(SudokuError, match="refused by the proved program"):
        proved.count(change(rules_text(empty("4x4"))), range(16))


def test_refused_kinds(tmp_path: Path) -> None:
    """Lists with constraints, and certificates in cubes or by bands are refused before anything is compiled."""
    prove(Puzzle.of(board("4x4"), constraints=["odd r4c4"]), tmp_path / "list", Deadline())
    counts.prove(of("9x9", TEN_THOUSAND), tmp_path / "bands", Deadline())
    (tmp_path / "cubes").mkdir()
    shutil.copy(tmp_path / "list/puzzle.json", tmp_path / "cubes")
    (tmp_path / "cubes/cubes.txt").touch()
    for name, reason in {
        "list": "no constraints",
        "bands": "by bands",
        "cubes": "in cubes",
    }.items():
        with pytest.raises(MethodError, match=reason):
            proved.check(tmp_path / name)


def test_check_by_proved(run: Command, tmp_path: Path) -> None:
    """`prove --check --proved` has certificates of counts and of lists checked by the proved programs too."""
    sum_of_six = ["--count", "--constraint", "sum 6 r1c1 r2c2"]
    for options, name, number in (([], "proved checker", 288), (sum_of_six, "proved recount", 48)):
        assert run("prove", *options, "--board", "4x4", "-o", tmp_path).status == 0
        record = json.loads(run("prove", "--check", tmp_path, "--proved", "--json").out)
        assert (record["count"], record["checkers"][-1]) == (number, name)
    with pytest.raises(CertificateError, match="refused by the proved program"):
        proved.count("cells 1\n", [])


def planned(puzzle: Puzzle) -> Sequence[int]:
    """The order that `prove --count` would choose."""
    return count_orders.plan(puzzle.geometry, counts.rules_of(puzzle), puzzle.candidates, Deadline()).order


THEOREMS: list[tuple[Puzzle, Callable[[Puzzle], Sequence[int]], int]] = [
    *COUNTS[:3],
    COUNTS[5],
    (known("known-counts/oklibrary.sdm#1").puzzle, planned, 1),
    *CONSTRAINED,
]


@pytest.mark.slow
def test_theorems(scratch: Path, tmp_path: Path) -> None:
    """Coq's kernel computes the proofs of what is known about squares, a cube, a jigsaw and Latin squares."""
    copy, parts = (
        shutil.copytree(scratch, tmp_path / "copy"),
        ["From Coq Require Import NArith ZArith List.", "From Proved Require Import Rules Recount."],
    )
    for number, (puzzle, order, n_solutions) in enumerate(THEOREMS):
        statement = theorem.text(puzzle, order(puzzle), n_solutions).split("End Recount.\n")[1]
        parts += [f"Module P{number}.", statement, f"End P{number}."]
    (copy / "Theorems.v").write_text("\n".join(parts))
    assert proved.prove(["Theorems"], copy).split("\n") == [*[proved.CLOSED] * len(THEOREMS), ""]
    forged = [*parts[:1], *parts[1:2], theorem.text(empty("4x4"), range(16), 289).split("End Recount.\n")[1]]
    (copy / "Theorems.v").write_text("\n".join(forged))
    with pytest.raises(InternalError, match="coqc refuses"):
        proved.prove(["Theorems"], copy)


@pytest.mark.slow
@pytest.mark.thorough
def test_theorem_by_command(run: Command, tmp_path: Path) -> None:
    """`prove --to rocq` writes a theorem that Coq checks; another number, or an assumption, is refused."""
    record = json.loads(run("prove", "--to", "rocq", "--board", "4x4", "-o", tmp_path, "--json").out)
    assert (record["count"], record["checkers"][-1]) == (288, "Coq")
    path = tmp_path / "theorem.v"
    path.write_text(path.read_text().replace("288", "289"))
    assert "theorem.v: not the theorem" in run("prove", "--check", tmp_path).err
    path.write_text("Axiom solutions : False. Print Assumptions solutions.")
    with pytest.raises(CertificateError, match=r"theorem\.v: refused by Coq: Axioms: solutions : False"):
        theorem.run_coq(tmp_path)


@pytest.mark.parametrize(
    ("puzzle", "reason"),
    [
        (constrained("4x4", "sum 6 r1c1 h1"), "no hidden cells"),
        (empty("latin:9x9"), "at most 128,000 states"),
    ],
)
def test_refused_theorems(puzzle: Puzzle, reason: str, tmp_path: Path) -> None:
    """A puzzle that the proofs do not support, or that is too large for the kernel, is refused."""
    with pytest.raises(MethodError, match=reason):
        theorem.prove(puzzle, tmp_path, Deadline())


PUZZLES = ("small/4x4-empty.txt", "small/6x6.txt", "papers/gtsps-fig-4.9.sdk", "small/4x4-sukaku.json")


@pytest.mark.parametrize("name", PUZZLES)
def test_clauses(name: str) -> None:
    """The clauses of the theorem are those of `formula.cnf`."""
    puzzle = known(name).puzzle
    clauses = proved.clauses(rules_text(puzzle), np.flatnonzero(puzzle.givens).tolist())
    expected = {tuple(row) for table in plain.each_once(puzzle).values() for row in table.tolist()}
    assert {tuple(sorted(clause)) for clause in clauses} == expected


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of Fig. 4.9, with 127 solutions."""
    folder = tmp_path_factory.mktemp("certificate")
    prove(known("papers/gtsps-fig-4.9.sdk").puzzle, folder, Deadline())
    return folder


def test_listed(certificate: Path, tmp_path: Path) -> None:
    """The proved checker accepts a certificate, also without the files that it does not need."""
    copy = shutil.copytree(certificate, tmp_path / "copy")
    (copy / "certificate.json").unlink()
    (copy / "formula.cnf").unlink()
    assert proved.check_listed(copy) == 127


@pytest.mark.parametrize("name", ["small/4x4-none.txt", "small/4x4-sukaku.json", "small/5x5-latin-reduced.csv"])
def test_other_listed(name: str, tmp_path: Path) -> None:
    """The proved checker accepts certificates of other boards, of pencilmarks, and without solutions."""
    case = known(name)
    prove(case.puzzle, tmp_path, Deadline())
    assert proved.check_listed(tmp_path) == case.count


def lines_changed(name: str, change: Callable[[list[str]], list[str]], folder: Path) -> None:
    """Change the lines of a file."""
    (folder / name).write_text("".join(change((folder / name).read_text().splitlines(keepends=True))))


@pytest.mark.parametrize(
    "change",
    [
        partial(lines_changed, "solutions.txt", lambda lines: lines[1:]),
        partial(lines_changed, "solutions.txt", lambda lines: [*lines, lines[0]]),
        partial(lines_changed, "solutions.txt", lambda lines: [*lines[1:], lines[0][8::-1] + lines[0][9:]]),
        partial(lines_changed, "blocked.cnf", lambda lines: [line for line in lines if line != "-1 -2 0\n"]),
        partial(lines_changed, "proof.lrat", lambda lines: lines[:-1]),
        partial(lines_changed, "proof.lrat", lambda lines: lines[1:]),
        partial(lines_changed, "proof.lrat", lambda lines: ["20000 0 1 0\n"]),
        partial(lines_changed, "proof.lrat", lambda lines: ["20000 0 30000 0\n"]),
        partial(lines_changed, "proof.lrat", lambda lines: ["20000 0 -1 0\n"]),
        partial(lines_changed, "proof.lrat", lambda lines: ["-1 1 0 1 0\n", *lines]),
    ],
)
def test_forged_listed(change: Callable[[Path], None], certificate: Path, tmp_path: Path) -> None:
    """The proved checker refuses a certificate with another list, another formula or another proof."""
    copy = shutil.copytree(certificate, tmp_path / "copy")
    change(copy)
    with pytest.raises(SudokuError, match="refused by the proved program"):
        proved.check_listed(copy)
