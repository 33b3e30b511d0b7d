"""Certificates of true candidates: checked by other code, and refused when one candidate is changed."""

import json
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.puzzles.puzzle import violations
from tests.helpers.command import Command
from tests.helpers.known_puzzles import INSTANCES

FIG_4_9 = INSTANCES / "papers" / "gtsps-fig-4.9.sdk"
N = 9
# Of 4x4, with 5 solutions.
FIVE = "1.3..2.........."


@pytest.fixture(scope="module")
def right(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of a puzzle with 127 solutions."""
    folder = tmp_path_factory.mktemp("right")
    assert se.prove_candidates(FIG_4_9, folder).complete
    return folder


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A certificate of a puzzle with few cells and 5 solutions."""
    folder = tmp_path_factory.mktemp("small")
    assert se.prove_candidates(FIVE, folder, board="4x4").complete
    return folder


@pytest.fixture
def at(right: Path, tmp_path: Path) -> Path:
    """A copy of it, to be changed."""
    return Path(shutil.copytree(right, tmp_path / "copy"))


def lists(at: Path) -> list[list[int]]:
    found: list[list[int]] = json.loads((at / "candidates.json").read_text())
    return found


def change(at: Path, cell: int, value: int) -> None:
    """Put a candidate into the list, or take it out."""
    found = lists(at)
    found[cell] = sorted({*found[cell]} ^ {value})
    (at / "candidates.json").write_text(json.dumps(found))


def change_the_clause(at: Path, literal: int) -> None:
    """Put a literal into the clause of what is not listed, or take it out. It is the last one."""
    *lines, last = (at / "blocked.cnf").read_text().splitlines()
    literals = sorted({*map(int, last.split()[:-1])} ^ {literal})
    (at / "blocked.cnf").write_text("\n".join([*lines, " ".join(map(str, [*literals, 0])), ""]))


@pytest.mark.slow
def test_lists_match(right: Path) -> None:
    """A certificate lists what all solutions say."""
    puzzle = se.read(FIG_4_9)
    grids = np.concatenate(list(se.solutions(puzzle).batches()))
    checked = se.check_candidates(right)

    assert checked.seen.tolist() == (grids[:, :, None] == np.arange(1, N + 1)).any(axis=0).tolist()
    assert "plain checker" in checked.checkers
    assert lists(right) == [sorted(set(column)) for column in grids.T.tolist()]
    for line in (right / "solutions.txt").read_text().split():
        assert not list(violations(puzzle, np.array(list(line), int)))


def test_changed_candidate(small: Path, tmp_path: Path) -> None:
    """One changed candidate is refused."""
    at = Path(shutil.copytree(small, tmp_path / "copy"))
    whole = (small / "candidates.json").read_text()
    reasons = []
    for cell, value in [*product(range(16), range(1, 5))][::3]:
        change(at, cell, value)
        with pytest.raises(
            se.CertificateError, match=r"candidates\.json: r\dc\d = \d is in (none of the solutions|a solution)"
        ) as caught:
            se.check_candidates(at)
        reasons.append(" is in none of the solutions" in str(caught.value))
        (at / "candidates.json").write_text(whole)
    assert 0 < sum(reasons) < len(reasons)


def test_missing_candidate(at: Path) -> None:
    """A candidate too few is refused wherever else it is taken out."""
    # r1c1 is 2 or 7: without the solutions that have 7 there, and with it in the clause, only the proof is wrong.
    change(at, 0, 7)
    change_the_clause(at, 7)
    grids = [line for line in (at / "solutions.txt").read_text().split() if line[0] != "7"]
    (at / "solutions.txt").write_text("".join(f"{line}\n" for line in grids))
    held = [sorted({int(grid[cell]) for grid in grids}) for cell in range(81)]
    for cell, (before, after) in enumerate(zip(lists(at), held, strict=True)):
        for value in {*before} ^ {*after}:
            change(at, cell, value)
            change_the_clause(at, cell * N + value)
    figures = json.loads((at / "certificate.json").read_text())
    (at / "certificate.json").write_text(json.dumps(figures | {"solutions": len(grids)}))

    with pytest.raises(se.CertificateError, match=r"proof\.lrat"):
        se.check_candidates(at)


def test_extra_candidate(at: Path) -> None:
    """A candidate too many is refused wherever else it is put in."""
    change(at, 0, 3)
    change_the_clause(at, 3)
    with pytest.raises(se.CertificateError, match="r1c1 = 3 is in none of the solutions here"):
        se.check_candidates(at)


def drop_a_literal(at: Path) -> None:
    change_the_clause(at, 3)


def add_a_literal(at: Path) -> None:
    change_the_clause(at, 2)


def break_a_solution(at: Path) -> None:
    text = (at / "solutions.txt").read_text()
    (at / "solutions.txt").write_text(("7" if text[0] == "2" else "2") + text[1:])


def drop_the_clause(at: Path) -> None:
    header, *lines, _ = (at / "blocked.cnf").read_text().split("p cnf", 1)[1].splitlines()
    variables, clauses = header.split()
    (at / "blocked.cnf").write_text("\n".join([f"p cnf {variables} {int(clauses) - 1}", *lines, ""]))


@pytest.mark.parametrize(
    ("spoil", "message"),
    [
        (drop_a_literal, "is not the clause of the candidates that are not listed"),
        (add_a_literal, "is not the clause of the candidates that are not listed"),
        (break_a_solution, "grid 1 is not a solution"),
        (drop_the_clause, "no clause says that a candidate that is not listed is true"),
    ],
)
def test_spoilt_certificate(at: Path, spoil: Callable[[Path], None], message: str) -> None:
    """What is spoilt is refused."""
    spoil(at)
    with pytest.raises(se.CertificateError, match=message):
        se.check_candidates(at)


@pytest.mark.parametrize(
    "text", ["[]", "{}", "no", f"[{'[1], ' * 80}[0]]", f"[{'[1], ' * 80}[2, 1]]", f"[{'[1], ' * 80}[true]]"]
)
def test_bad_list(at: Path, text: str) -> None:
    """A list that is none is bad input."""
    (at / "candidates.json").write_text(text)
    with pytest.raises(se.FormatError, match=r"candidates\.json"):
        se.check_candidates(at)


def test_other_kind(small: Path, tmp_path: Path) -> None:
    """A certificate of one kind is none of the other."""
    with pytest.raises(se.CertificateError, match="does not block a listed solution"):
        se.check_certificate(small)
    se.prove(FIVE, tmp_path, board="4x4")
    with pytest.raises(se.FormatError, match=r"candidates\.json"):
        se.check_candidates(tmp_path)
    se.prove_candidates(FIVE, tmp_path, board="4x4")
    se.prove(FIVE, tmp_path, board="4x4")
    assert not (tmp_path / "candidates.json").exists()


@pytest.mark.parametrize(
    ("puzzle", "board"),
    [
        ("1234341221434321", "4x4"),
        ("11..............", "4x4"),
        ("12..3....4......", "4x4"),
        ("." * 16, "4x4"),
        ("1" + "." * 63, "4x4x4"),
        pytest.param("12.." + "." * 32, "6x6", marks=pytest.mark.slow),
    ],
)
def test_proved_is_found(tmp_path: Path, puzzle: str, board: str) -> None:
    """What is proved is what was found."""
    found = se.prove_candidates(puzzle, tmp_path, board=board)
    assert se.check_candidates(tmp_path).seen.tolist() == se.candidates(puzzle, "sat", board=board).seen.tolist()
    assert found.seen.any() == (se.count(puzzle, board=board).value > 0)


def test_command(run: Command, tmp_path: Path) -> None:
    """The command writes checks and refuses."""
    made = run("candidates", FIVE, "--board", "4x4", "--prove", tmp_path / "c")
    checked = run("candidates", "--check", tmp_path / "c")

    assert (made.status, checked.status) == (0, 0)
    assert checked.out == made.out
    assert "checked by plain checker" in made.err
    change(tmp_path / "c", 0, 1)
    refused = run("candidates", "--check", tmp_path / "c")
    assert (refused.status, refused.out) == (1, "refused\n")
    assert "r1c1 = 1 is in a solution, but not listed" in refused.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((FIG_4_9, "--prove", "c", "--counts"), "not the numbers of --counts"),
        ((FIG_4_9, "--prove", "c", "--method", "frontier"), "which only counts"),
        ((FIG_4_9, "--check", "c"), "the folder contains the puzzle"),
        (("--check", "c", "--method", "sat"), "the folder contains the puzzle"),
    ],
)
def test_unused_options(run: Command, arguments: tuple[str | Path, ...], message: str) -> None:
    """Options without effect are refused."""
    ran = run("candidates", *arguments)
    assert ran.status == 2
    assert message in ran.err
