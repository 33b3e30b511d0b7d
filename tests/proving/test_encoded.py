"""Files of `encode` are compared with their puzzles: right ones are accepted, and wrong ones refused."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.encoders.table import ENCODINGS, REDUCTIONS
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.proving import encoded
from tests.helpers.command import Command
from tests.helpers.constraint_cases import puzzle_of

FIG_4_9 = "051009483090008060060010702605001200000204000002700005000002070020100050478500020"
# Boards, the rules to keep if not all, and encodings that fit.
BOARDS = (
    ("6x6:2x3", None, ("extended", "dual")),
    ("latin:5x5", None, ("minimal", "order")),
    ("4x4x4", None, ("extended",)),
    ("4x4+diagonals", None, ("extended", "log")),
    ("6x6", ("row", "box"), ("efficient",)),
    ("4x4", ("column",), ("minimal", "dual")),
)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "p.cnf"


def ways(encoding: str) -> list[str]:
    return list(AT_MOST_ONE) if "amo" in ENCODINGS[encoding].options else ["pairwise"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_encodings(encoding: str, path: Path) -> None:
    """Each encoding, way to write at-most-one and reduction of a puzzle has exactly its solutions."""
    reductions = REDUCTIONS if "reduce" in ENCODINGS[encoding].options else ("none",)
    for amo in ways(encoding):
        for reduction in reductions:
            seed = 7 if amo in ("pairwise", "commander") else None
            se.encode("1......2........", encoding, reduction=reduction, amo=amo, seed=seed, board="4x4").save(path)
            assert se.check_encoding(path).proved, (amo, reduction)


@pytest.mark.parametrize("amo", AT_MOST_ONE)
def test_large_sets(amo: str, path: Path) -> None:
    """At-most-one of more members than are written by pairs is accepted, also shuffled."""
    for seed in (None, 3):
        se.encode("1" + 24 * ".", amo=amo, seed=seed, board="latin:5x5").save(path)
        assert se.check_encoding(path).proved


@pytest.mark.parametrize(("board", "rules", "encodings"), BOARDS)
def test_boards(board: str, rules: tuple[str, ...] | None, encodings: tuple[str, ...], path: Path) -> None:
    """Boards of every kind are accepted, also with some of their rules."""
    for encoding in encodings:
        se.encode(se.Puzzle.of(se.board(board)), encoding, board=None, rules=rules).save(path)
        assert se.check_encoding(path).proved


@pytest.mark.parametrize("amo", AT_MOST_ONE)
def test_9x9(amo: str, path: Path) -> None:
    """A 9x9 puzzle is compared by compiled code; all its clauses follow without a solver."""
    se.encode(FIG_4_9, amo=amo).save(path)
    checked = se.check_encoding(path, FIG_4_9)
    assert checked.proved
    assert checked.too_many.by["solver"] == checked.lost.by["solver"] == 0
    assert checked.too_many.clauses == 11_988 + np.count_nonzero(se.read(FIG_4_9).givens)


CONSTRAINTS = (
    ("1x4", 6, ("cage 14 r1c1-r1c4",)),
    ("1x3", 5, ("sum <=8 r1c1-r1c3",)),
    ("1x4", 4, ("equal-sums r1c1 / r1c2 / r1c3 r1c4",)),
    ("1x3", 5, ("greater r1c1-r1c3",)),
    ("4x4", 4, ("anti-king",)),
    ("2x3", 3, ("region-run 1 r1c1 / r1c2-r1c3 / r1c2 r2c2 r2c1",)),
    ("1x4", 3, ("connected <=2 1 2 r1c1-r1c3",)),
    ("1x2", 4, ("either odd r1c1 | slow-thermometer r1c1 r1c2 r1c1",)),
)


@pytest.mark.parametrize("case", CONSTRAINTS)
def test_constraints(case: tuple[str, int, tuple[str, ...]], path: Path) -> None:
    """Constraints are accepted, whose auxiliary variables differ from those of the plain clauses."""
    puzzle = puzzle_of(case)
    encoding = se.encode(puzzle, reduction="singles", seed=1 if "cage" in case[2][0] else None)
    encoding.save(path)
    assert encoded.check(encoded.read(str(path)), puzzle, encoding).proved


def test_values_from_0(path: Path) -> None:
    """On a board with values from 0 sentences and sums are about its numbers."""
    se.encode("# constraint: cage 1 r4c3 r4c4\n0...............", board="4x4:0-3").save(path)
    assert se.check_encoding(path).proved
    add(path, [[-1]])
    with pytest.raises(se.EncodingError, match=r"\(r1c1 is not 0\) excludes a solution"):
        se.check_encoding(path)


def test_no_solution(path: Path) -> None:
    """The formula of a puzzle without a solution is accepted, however the reduction wrote that."""
    for reduction in REDUCTIONS:
        se.encode("11..............", reduction=reduction, board="4x4").save(path)
        assert se.check_encoding(path).proved


# Changed files.


def clauses_of(path: Path) -> tuple[list[str], list[list[int]]]:
    """Return the lines before the clauses, and the clauses."""
    lines = path.read_text().splitlines()
    start = next(number for number, line in enumerate(lines) if line.startswith("p ")) + 1
    return lines[:start], [[int(word) for word in line.split()[:-1]] for line in lines[start:]]


def write(path: Path, head: list[str], clauses: list[list[int]]) -> None:
    _, _, n_variables, _ = head[-1].split()
    lines = [*head[:-1], f"p cnf {n_variables} {len(clauses)}", *(" ".join(map(str, [*c, 0])) for c in clauses)]
    path.write_text("\n".join(lines) + "\n")


def add(path: Path, more: list[list[int]]) -> None:
    head, clauses = clauses_of(path)
    write(path, head, [*clauses, *more])


def dropped(clauses: list[list[int]], source: random.Random, n: int) -> None:
    clauses.pop(source.randrange(len(clauses)))


def flipped(clauses: list[list[int]], source: random.Random, n: int) -> None:
    clause = source.choice(clauses)
    clause[source.randrange(len(clause))] *= -1


def added(clauses: list[list[int]], source: random.Random, n: int) -> None:
    clauses.append([source.choice((-1, 1)) * source.randint(1, n) for _ in range(source.randint(1, 3))])


def swapped(clauses: list[list[int]], source: random.Random, n: int) -> None:
    clause = source.choice(clauses)
    clause[source.randrange(len(clause))] = source.choice((-1, 1)) * source.randint(1, n)


CHANGES: tuple[Callable[[list[list[int]], random.Random, int], None], ...] = (dropped, flipped, added, swapped)


def assignments(encoding: se.Encoding, clauses: list[list[int]]) -> list[list[int]]:
    """Return the assignments of the variables of cells in models of some clauses."""
    from pysat.solvers import Solver

    projection, found = encoding.projection.tolist(), list[list[int]]()
    with Solver(bootstrap_with=[*clauses, *([-variable, variable] for variable in projection)]) as solver:
        while solver.solve():
            true = set(solver.get_model())
            found.append([variable if variable in true else -variable for variable in projection])
            solver.add_clause([-literal for literal in found[-1]])
            # One more than the 12 of the board is enough to see that there are others.
            if len(found) > 12:
                break
    return sorted(found)


@pytest.mark.parametrize("encoding", ["extended, sequential", "minimal", "log"])
def test_changes(encoding: str, path: Path) -> None:
    """A file is refused if and only if a change of a clause changes its solutions."""
    name, _, amo = encoding.partition(", ")
    encoding_of = se.encode(".........", name, amo=amo or "pairwise", board="latin:3x3")
    encoding_of.save(path)
    head, clauses = clauses_of(path)
    expected = assignments(encoding_of, clauses)
    assert len(expected) == 12
    source, verdicts = random.Random(1), {True: 0, False: 0}
    for number in range(20):
        changed = [list(clause) for clause in clauses]
        CHANGES[number % len(CHANGES)](changed, source, encoding_of.cnf.n_variables)
        write(path, head, changed)
        is_same = assignments(encoding_of, changed) == expected
        verdicts[is_same] += 1
        assert accepts(path) == is_same, (number, set(map(tuple, changed)) ^ set(map(tuple, clauses)))
    assert min(verdicts.values()) >= 3


def accepts(path: Path) -> bool:
    try:
        return se.check_encoding(path).proved
    except se.EncodingError:
        return False


# What a file may be besides the formula of the puzzle in its comments.


@pytest.fixture
def extended(path: Path) -> Path:
    se.encode("1...............", board="4x4").save(path)
    return path


def test_another_puzzle(extended: Path) -> None:
    """A file is compared with the puzzle that is given, not with the one in its comments."""
    with pytest.raises(se.EncodingError, match=r"solution too many: \(r1c2 is 2\) does not follow"):
        se.check_encoding(extended, "12..............", board="4x4")
    with pytest.raises(se.EncodingError, match=r"line 393: the clause \(r1c1 is 1\) excludes a solution"):
        se.check_encoding(extended, board="4x4")
    with pytest.raises(se.FormatError, match="name another board"):
        se.check_encoding(extended, board="6x6")


def test_no_difference(extended: Path) -> None:
    """Clauses that each cell has a value and each value a cell do not suffice to count in units."""
    head, clauses = clauses_of(extended)
    write(extended, head, [clause for clause in clauses if len(clause) != 2])
    with pytest.raises(se.EncodingError, match="solution too many"):
        se.check_encoding(extended)


def test_broken_constraint(path: Path) -> None:
    """A solution too many that breaks a constraint is told by the constraint."""
    puzzle = se.read("# constraint: cage 6 r1c2 r1c3\n1...............", board="4x4")
    se.encode("1...............", board="4x4").save(path)
    with pytest.raises(se.EncodingError, match=r"solution too many: .*cage 6 r1c2 r1c3"):
        se.check_encoding(path, puzzle)


def test_without_comments(extended: Path) -> None:
    """For a file without comments the caller names the puzzle and its encoding."""
    se.encode("1...............", "log", seed=5, board="4x4").save(extended)
    head, clauses = clauses_of(extended)
    write(extended, head[-1:], clauses)
    with pytest.raises(se.FormatError, match="do not name the board"):
        se.check_encoding(extended)
    assert se.check_encoding(extended, "1...............", "log", seed=5, board="4x4").proved
    with pytest.raises(se.EncodingError):
        se.check_encoding(extended, "1...............", "log", seed=6, board="4x4")


def test_wrong_comments(extended: Path) -> None:
    """Comments that give variables another meaning, or a projection of other variables, are refused."""
    se.encode("1...............", reduction="singles", board="4x4").save(extended)
    text = extended.read_text()
    extended.write_text(text.replace("c cell r1c1 = 1", "c cell r1c1 = 2"))
    with pytest.raises(se.EncodingError, match="solution too many"):
        se.check_encoding(extended)
    se.encode("1...............", amo="sequential", board="4x4").save(extended)
    extended.write_text(extended.read_text().replace("c p show 1 2 3", "c p show 1 2"))
    with pytest.raises(se.EncodingError, match="wrongly lacks variable 3"):
        se.check_encoding(extended)


def test_not_proved(extended: Path) -> None:
    """If auxiliary variables of an outside program are not understood, solutions are tried, and nothing is proved."""
    source, hidden = random.Random(3), range(65, 85)
    true = {variable: source.random() < 0.5 for variable in hidden}
    clauses = [[source.choice((-1, 1)) * v for v in source.sample(hidden, 3)] for _ in range(400)]
    head, own = clauses_of(extended)
    head[-1] = head[-1].replace("cnf 64", "cnf 84")
    write(extended, head, own + [c for c in clauses if any(true[abs(x)] == (x > 0) for x in c)][:90])
    checked = se.check_encoding(extended)
    assert (checked.proved, checked.too_many.undecided, checked.lost.tested) == (False, "", 72)
    assert checked.lost.undecided
    assert "not proved" in repr(checked)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("p cnf 2 1\n1 2 0\n", "do not name the board"),
        ("c board 4x4\np cnf 64 2\n1 2 0\n", "1 clauses, but the header says 2"),
        ("c board 4x4\np cnf 64 1\n1 65 0\n", ":3: not a literal of a CNF with 64 variables: 65"),
        ("c board 4x4\np cnf 64 1\n1 2\n", "the 0 after the last clause is missing"),
        ("c board 4x4\n1 2 0\n", "a header `p cnf VARIABLES CLAUSES` is needed"),
        ("c board 4x4\np cnf 63 0\n", "do not match the candidates or the header"),
    ],
)
def test_no_cnf(text: str, message: str, path: Path) -> None:
    """A file that is not the CNF of a puzzle is bad input."""
    path.write_text(text)
    with pytest.raises(se.FormatError, match=message):
        se.check_encoding(path)


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        ([], 0, ["no solution too many: 449 clauses", "no solution lost: 385 clauses"]),
        (["12..............", "--board", "4x4"], 1, ["refused", "(r1c2 is 2) does not follow"]),
        (["--show"], 2, ["--show has no effect with --check"]),
        (["--amo", "ladder"], 2, ["amo='ladder' has no effect on a file whose comments name the encoding"]),
        (["--encoding", "all"], 2, ["expected the name of an encoding instead of all"]),
        (["--timeout", "0"], 3, ["not proved; stopped: time limit"]),
    ],
)
def test_command(arguments: list[str], status: int, words: list[str], extended: Path, run: Command) -> None:
    """The command prints both directions, or why the file is refused; the exit status tells which."""
    ran = run("encode", "--check", str(extended), *arguments)
    assert ran.status == status
    for word in words:
        assert word in ran.out + ran.err


def test_limits(extended: Path, run: Command) -> None:
    """Limits hold for a check, and have no effect on writing a file."""
    assert se.check_encoding(extended, timeout=60).proved
    with pytest.raises(se.StoppedError, match="time limit"):
        se.check_encoding(extended, timeout=0)
    with pytest.raises(se.MethodError, match="takes no limit on solutions"):
        se.check_encoding(extended, limit=2)
    ran = run("encode", "--board", "4x4", "--timeout", 5)
    assert (ran.status, "--timeout has no effect without --check" in ran.err) == (2, True)


def test_record(extended: Path, run: Command) -> None:
    """The JSON object tells how the clauses follow."""
    ran = run("encode", "--check", str(extended), "--json")
    record = json.loads(ran.out)
    assert (record["status"], record["proved"], record["lost"]["clauses"]) == ("proved", True, 385)
    add(extended, [[2]])
    record = json.loads(run("encode", "--check", str(extended), "--json").out)
    assert (record["status"], record["proved"]) == ("refused", False)
    assert "the clause (r1c1 is 2) excludes a solution" in record["reason"]
