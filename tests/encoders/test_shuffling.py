"""A seed gives the same formula in another order and under other names, and nothing else changes."""

import hashlib
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pysat.formula import CNF
from pysat.solvers import Solver

import sudoku_encode as se
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.encoders.encoding import Encoding
from sudoku_encode.encoders.table import ENCODINGS
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.formula.table import AT_MOST_ONE
from tests.helpers.command import Command
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import ESCARGOT, ESCARGOT_SOLUTION, puzzle_of

# Of the file of the empty 4x4 board by seed: the same on every machine, with every version of numpy.
CLAUSES_SHA256 = {
    0: "39f4b5ac692f4bc3",
    7: "920d665e554739a5",
    2**31 - 1: "3f51e42bbcc228b4",
}


def clauses(encoding: Encoding) -> Counter[tuple[int, ...]]:
    return Counter(tuple(sorted(clause)) for clause in encoding.cnf)


def written(encoding: Encoding, path: Path) -> list[str]:
    encoding.save(path)
    return path.read_text().splitlines()


@pytest.mark.parametrize("encoding", list(ENCODINGS))
@pytest.mark.parametrize("reduction", ["none", "singles"])
def test_shuffled_file_decodes(run: Command, tmp_path: Path, encoding: str, reduction: str) -> None:
    """A file of any encoding has as many solutions and decodes."""
    if reduction != "none" and "reduce" not in ENCODINGS[encoding].options:
        pytest.skip("takes no reduction")
    puzzle = puzzle_of("4x4", "1" + "0" * 15)
    path = tmp_path / "a.cnf"
    se.encode(puzzle, encoding, reduction=reduction, seed=3).save(path)
    loaded = load_encoding(path)

    # Counted by PySAT's own reader and the meaning that the file's comments give to the variables.
    grids, printed = set(), []
    with Solver("minisat22", bootstrap_with=CNF(from_file=str(path)).clauses) as solver:
        while solver.solve():
            model = list(solver.get_model() or [])
            model += [-variable for variable in range(len(model) + 1, loaded.cnf.n_variables + 1)]
            printed.append(f"v {' '.join(map(str, model))} 0\n")
            truth = {abs(literal): literal > 0 for literal in model}
            solver.add_clause([-variable if truth[variable] else variable for variable in loaded.projection.tolist()])
            grids.add(loaded.decode(model).values.tobytes())

    ran = run("decode", path, stdin="".join(printed))
    assert (ran.status, ran.err) == (0, "")
    assert len(grids) == len(printed) == len(set(ran.lines)) == 72
    assert grids == {grid.tobytes() for grid in np.array(list(by_hand(puzzle)), np.uint8)}


@pytest.mark.parametrize("amo", AT_MOST_ONE)
def test_projection_kept(tmp_path: Path, amo: str) -> None:
    """The projection is still what tells solutions apart."""
    plain, mixed = (
        se.encode(puzzle_of("4x4"), "efficient", reduction="none", amo=amo, seed=seed) for seed in (None, 9)
    )

    shown = [line for line in written(mixed, tmp_path / "a.cnf") if line.startswith("c p show")]

    assert len(shown) == bool(plain.n_auxiliary)
    assert len(mixed.projection) == len(plain.projection)
    assert mixed.n_auxiliary == plain.n_auxiliary
    assert shown == [f"c p show {' '.join(map(str, [*mixed.projection.tolist(), 0]))}"] * len(shown)


@given(st.integers(0, 2**31 - 1), st.sampled_from(list(ENCODINGS)))
@settings(max_examples=25, deadline=None)
def test_same_formula(seed: int, name: str) -> None:
    """A shuffled formula is the same formula under other names."""
    plain, mixed = (
        se.encode(puzzle_of("4x4", "1" + "0" * 15), name),
        se.encode(puzzle_of("4x4", "1" + "0" * 15), name, seed=seed),
    )
    assert (mixed.cnf.n_variables, mixed.cnf.n_clauses) == (plain.cnf.n_variables, plain.cnf.n_clauses)
    # The literals of cells lead from one to the other, where no variable is auxiliary.
    old, new = plain.literals.ravel(), mixed.literals.ravel()
    names = dict(zip(np.concatenate([old, -old]).tolist(), np.concatenate([new, -new]).tolist(), strict=True))
    if not plain.n_auxiliary:
        renamed = Counter(tuple(sorted(names[literal] for literal in clause)) for clause in plain.cnf)
        assert renamed == clauses(mixed)
    assert sorted(map(len, mixed.cnf)) == sorted(map(len, plain.cnf))
    assert sum(mixed.cnf.sizes.values()) == mixed.cnf.n_clauses


def test_each_part() -> None:
    """Each part is shuffled."""
    plain, mixed = (se.encode(puzzle_of("9x9"), reduction="none", seed=seed) for seed in (None, 1))
    widths = [len(clause) for clause in mixed.cnf]
    pairs = [clause for clause in mixed.cnf if len(clause) == 2]

    assert widths != sorted(widths)
    assert sum(first != second for first, second in pairwise(widths)) > 200
    assert 0.4 < np.mean(mixed.literals > 0) < 0.6
    assert 0.4 < np.mean([abs(first) < abs(second) for first, second in pairs]) < 0.6
    assert abs(np.corrcoef(np.abs(mixed.literals).ravel(), np.abs(plain.literals).ravel())[0, 1]) < 0.2


def test_stable_seed(tmp_path: Path) -> None:
    """A seed gives the same bytes everywhere and another seed others."""
    digests = {}
    for seed in CLAUSES_SHA256:
        lines = written(se.encode(puzzle_of("4x4"), reduction="none", seed=seed), tmp_path / "a.cnf")
        text = "\n".join(lines[lines.index("c kind direct") + 1 :])
        digests[seed] = hashlib.sha256(text.encode()).hexdigest()[:16]
    assert digests == CLAUSES_SHA256


def test_comments(tmp_path: Path) -> None:
    """The file says what it is and its lines are short."""
    lines = written(se.encode(puzzle_of("latin:2x2:36"), "log", reduction="none", seed=4), tmp_path / "a.cnf")
    comments = [line for line in lines if line.startswith("c ")]

    assert "c seed 4" in comments
    assert max(map(len, comments)) <= 999
    assert sum(line.startswith("c cell r1c1: ") for line in comments) == 2
    assert (load_encoding(tmp_path / "a.cnf").seed, load_encoding(tmp_path / "a.cnf").kind) == (4, "log")


def test_command_and_library(run: Command, tmp_path: Path) -> None:
    """The command and the library write the same."""
    ran = run("encode", ESCARGOT, "--seed", 11, "-o", tmp_path / "a.cnf")
    se.encode(ESCARGOT, seed=11).save(tmp_path / "b.cnf")
    saved = se.save_model(ESCARGOT, tmp_path / "c.cnf", seed=11)

    assert ran.err.startswith(f"{tmp_path}/a.cnf: extended, seed 11, ")
    assert str(saved).startswith("extended, seed 11, ")
    assert len({(tmp_path / name).read_bytes() for name in ("a.cnf", "b.cnf", "c.cnf")}) == 1
    with Solver(bootstrap_with=se.encode(ESCARGOT, seed=11).cnf) as solver:
        assert solver.solve()
        grid = se.encode(ESCARGOT, seed=11).decode(solver.get_model())
    assert str(grid) == ESCARGOT_SOLUTION


def test_contradiction(run: Command, tmp_path: Path) -> None:
    """A contradiction may be shuffled too."""
    clash = ("11" + "0" * 14, "--board", "4x4", "--reduce", "singles")
    assert run("encode", *clash, "--seed", 1, "-o", tmp_path / "a.cnf").status == 0

    assert run("decode", tmp_path / "a.cnf", "--exit-status", 20, stdin="s UNSATISFIABLE\n").status == 1


def test_decided_puzzle(run: Command, tmp_path: Path) -> None:
    """A puzzle that singles decide may be shuffled too."""
    decided = ("1234341221434...", "--board", "4x4", "--reduce", "singles")
    assert run("encode", *decided, "--seed", 1, "-o", tmp_path / "a.cnf").status == 0

    assert run("decode", tmp_path / "a.cnf", stdin="s SATISFIABLE\nv 0\n").out == "1234341221434321\n"


@pytest.mark.parametrize("seed", ["-1", "2147483648", "x"])
def test_seed_range(run: Command, tmp_path: Path, seed: str) -> None:
    """A seed out of range is refused."""
    ran = run("encode", "--board", "4x4", "--seed", seed, "-o", tmp_path / "a.cnf")

    assert (ran.status, ran.out, list(tmp_path.iterdir())) == (2, "", [])
    if seed != "x":
        with pytest.raises(MethodError, match="is not from 0 to 2147483647"):
            se.encode("1" + "." * 15, board="4x4", seed=int(seed))


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("c seed 5", "c seed x", "seed"),
        ("c cell r1c2: ", "c cell r9c9: ", "cannot be understood"),
        ("c cell r1c2: 1=", "c cell r1c2: 2=", "value 2 again"),
        ("c cell r1c2: 1=", "c cell r1c2: 1=--", "cannot be understood"),
        ("c cell r1c2: 1=", "c cell r1c2: 1=0&", "is not a literal"),
        ("c cell r1c2: 1=", "c cell r1c2: 1=99&", "do not match the header"),
        ("c cell r1c2: 1=", "c cell r1c2: 7=", "not a value: 7"),
        ("c cell r1c2: ", "c comment ", "no comment names the variables of r1c2"),
        ("p cnf 64", "p cnf 60", "do not match the header"),
    ],
)
def test_damaged_map(tmp_path: Path, old: str, new: str, said: str) -> None:
    """A damaged map is refused."""
    path = tmp_path / "a.cnf"
    lines = written(se.encode(puzzle_of("4x4"), reduction="none", seed=5), path)
    path.write_text("\n".join(line.replace(old, new, 1) for line in lines))

    with pytest.raises(FormatError, match=said):
        load_encoding(path)
