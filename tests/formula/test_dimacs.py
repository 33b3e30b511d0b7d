"""DIMACS: the text is byte for byte what a plain program would write, and strict readers accept it."""

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sudoku_encode.encoders.encoding import encode
from sudoku_encode.errors import InternalError, MethodError
from sudoku_encode.formula import cnf as cnf_module
from sudoku_encode.formula import dimacs
from sudoku_encode.formula.cnf import Cnf, Group
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle
from sudoku_encode.puzzles.shapes import square
from tests.helpers.formulas import clasp_models, expected, random_group, read_strict, text_of

TWO_BY_TWO = Geometry("pair", (1, 2), 2, (Rule("row", np.array([[0, 1]], np.int32)),))


def test_tiny_text() -> None:
    """Two cells and two values give exactly this text."""
    encoded = encode(Puzzle.of(TWO_BY_TWO, [0, 2]), "extended", reduction="none")

    assert text_of(encoded.cnf, "two cells").decode() == (
        "c two cells\n"
        "p cnf 4 9\n"
        # Each cell a value; each value a cell.
        "1 2 0\n3 4 0\n"
        "1 3 0\n2 4 0\n"
        # No cell two values; no value in two cells.
        "-1 -2 0\n-3 -4 0\n"
        "-1 -3 0\n-2 -4 0\n"
        # The given.
        "4 0\n"
    )


def test_no_clauses() -> None:
    """A formula without clauses is a header."""
    assert text_of(Cnf(3, ())) == b"p cnf 3 0\n"
    assert text_of(Cnf(0, ())) == b"p cnf 0 0\n"


def test_unused_variables(tmp_path: Path) -> None:
    """The header counts variables that no clause uses."""
    text = text_of(Cnf.of(5, [Group.of("one", [[1]])]))

    assert text == b"p cnf 5 1\n1 0\n"
    assert clasp_models(text, tmp_path) == 16


def _number_with(digits: int, chance: np.random.Generator, shape: tuple[int, ...]) -> "np.ndarray":
    return chance.integers(10 ** (digits - 1), 10**digits, shape)


@st.composite
def pairs(draw: st.DrawFn) -> Group:
    """Pairs over tables of each shape that the writer treats in its own way."""
    chance = np.random.default_rng(draw(st.integers(0, 10**6)))
    rows, columns, most = draw(st.integers(2, 24)), draw(st.integers(1, 40)), draw(st.integers(1, 5))
    shape = draw(st.sampled_from(["even rows", "few uneven rows", "runs of columns", "any"]))
    digits = chance.integers(1, most + 1, rows)
    sign = chance.choice([-1, 1], (rows, 1))
    if shape == "runs of columns":
        start = chance.integers(1, 10**most)
        table = (np.arange(start, start + columns) + np.zeros((rows, 1), int)) * sign
    elif shape == "any":
        table = chance.integers(1, 10**most, (rows, columns)) * chance.choice([-1, 1], (rows, columns))
    else:
        table = np.stack([_number_with(int(d), chance, (columns,)) for d in digits]) * sign
        if shape == "few uneven rows":
            table[-1] = chance.integers(1, 10**most, columns) * chance.choice([-1, 1], columns)
    m = draw(st.integers(1, 40))
    last = rows - 1 if shape == "few uneven rows" and rows > 1 else rows
    pattern = chance.integers(1, last + 1, (m, 2)) * chance.choice([-1, 1], (m, 2))
    pattern[0, 0] = rows
    return Group("pairs", pattern.astype(np.int32), table.astype(np.int32))


@given(groups=st.lists(pairs(), min_size=1, max_size=3), piece=st.sampled_from([16, 100, 1000, 1 << 18]))
@settings(derandomize=True, max_examples=100, deadline=None)
def test_pairs(groups: list[Group], piece: int) -> None:
    """Pairs are written as a plain program would."""
    _assert_plain(groups, piece)


@given(
    shapes=st.lists(
        st.tuples(
            st.integers(0, 10**6),
            st.integers(1, 8),
            st.integers(1, 30),
            st.integers(1, 6),
            st.integers(1, 9),
            st.sampled_from([9, 10, 99, 100, 1000, 99_999, 123_456]),
        ),
        min_size=1,
        max_size=4,
    ),
    piece=st.sampled_from([16, 100, 1000, 1 << 18]),
)
@settings(derandomize=True, max_examples=100, deadline=None)
def test_any_width(shapes: list[tuple[int, int, int, int, int, int]], piece: int) -> None:
    """Clauses of any width are written as a plain program would."""
    _assert_plain([random_group(*shape) for shape in shapes], piece)


def _assert_plain(groups: list[Group], piece: int, extra: int = 0) -> None:
    """Compare the text with the plain one; the clauses of a group in any order when pieces are small."""
    formula = Cnf.of(max(int(np.abs(group.table).max()) for group in groups) + extra, groups)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dimacs, "_CHUNK_BYTES", piece)
        patch.setattr(cnf_module, "_CHUNK_LITERALS", piece)
        text = text_of(formula)
    wanted = expected(formula)
    assert text.split(b"\n")[0] == wanted.split(b"\n")[0]
    at = 1
    got, want = text.split(b"\n"), wanted.split(b"\n")
    for group in formula.groups:
        end = at + group.n_clauses
        assert sorted(got[at:end]) == sorted(want[at:end])
        at = end
    assert got[at:] == want[at:] == [b""]


def test_row_order() -> None:
    """One row of the table keeps its order."""
    formula = Cnf.of(120, [Group("g", np.array([[-1, -2]], np.int32), np.array([[8, 9, 10], [98, 99, 100]], np.int32))])

    assert text_of(formula) == b"p cnf 120 3\n-8 -98 0\n-9 -99 0\n-10 -100 0\n"


@pytest.mark.parametrize("low", [9_990, 99_990, 999_990])
@pytest.mark.parametrize("width", [1, 2, 3])
def test_growing_numbers(low: int, width: int) -> None:
    """Numbers that gain a digit on the way are whole."""
    table = np.arange(low, low + 20, dtype=np.int32)[None] + np.arange(width, dtype=np.int32)[:, None]
    signs = np.where(np.arange(width) % 2, -1, 1)

    _assert_plain([Group("g", (signs * np.arange(1, width + 1)).astype(np.int32)[None], table)], 1 << 18)


@pytest.mark.slow
@pytest.mark.parametrize("width", [2, 3])
@pytest.mark.thorough
def test_eight_digits(width: int) -> None:
    """Numbers of eight digits are whole."""
    table = np.array([[1, 9_999_999, 10_000_001]] * width, np.int32) + np.arange(width, dtype=np.int32)[:, None]

    _assert_plain([Group("g", -np.arange(1, width + 1, dtype=np.int32)[None], table)], 1 << 18)


def test_large_pairs() -> None:
    """Large pairs are whole over many pieces."""
    # More than one buffer of pairs, in rows of two lengths.
    board = Puzzle.of(square(9))
    formula = encode(board, "extended", reduction="none").cnf

    text = text_of(formula)

    assert sorted(text.split(b"\n")) == sorted(expected(formula).split(b"\n"))
    assert len(read_strict(text)[1]) == 10_530


@pytest.mark.parametrize(
    "comment",
    ["caf\u00e9", "two\nlines", "tab\there", "bell\a", "return\r"],
)
def test_misleading_comment(comment: str) -> None:
    """A comment that a reader could take for clauses is refused."""
    pieces: list[bytes] = []

    with pytest.raises(InternalError, match="not a safe comment line"):
        dimacs.write(Cnf(1, ()), lambda piece: pieces.append(bytes(piece)), ["fine", comment])
    assert pieces == []


@pytest.mark.parametrize("comment", ["x" * 1000, "x" * 5000, "p shown " + "1 " * 999])
def test_long_comment(comment: str) -> None:
    """A comment that is longer than readers take is an error of the input."""
    pieces: list[bytes] = []

    with pytest.raises(MethodError, match="a comment of a CNF has at most 999"):
        dimacs.write(Cnf(1, ()), lambda piece: pieces.append(bytes(piece)), ["fine", comment])
    assert pieces == []


def test_comments_and_projection() -> None:
    """Comments stand before the header and the projection may be long."""
    show = "p show " + " ".join(map(str, range(1, 3000))) + " 0"
    text = text_of(Cnf(1, ()), "x" * 997, show, "")

    assert text == f"c {'x' * 997}\nc {show}\nc \np cnf 1 0\n".encode()
    assert read_strict(text) == (1, [])


@pytest.mark.parametrize(
    "text",
    [
        b"p cnf 2 1\n1 -2 0",
        b"p cnf 2 2\n1 -2 0\n",
        b"p cnf 2 0\n1 -2 0\n",
        b"p cnf 1 1\n1 -2 0\n",
        b"p cnf 2 1\n1  -2 0\n",
        b"p cnf 2 1\n1 -2 0 \n",
        b"p cnf 2 1\n 1 -2 0\n",
        b"p cnf 2 1\n1 -2\n",
        b"p cnf 2 2\n1 0 2 0\n",
        b"p cnf 2 1\n1\t-2 0\n",
        b"p cnf 2 1\r\n1 -2 0\r\n",
        b"p  cnf 2 1\n1 -2 0\n",
        b"p cnf 2 1\n+1 -2 0\n",
        b"p cnf 2 1\n01 -2 0\n",
        b"p cnf 2 1\n1 -2 0\n%\n0\n",
        b"1 -2 0\n",
        b"c " + b"x" * 998 + b"\np cnf 2 0\n",
        b"c caf\xc3\xa9\np cnf 2 0\n",
        b"p cnf 2 1\n\n1 -2 0\n",
    ],
)
def test_strict_reader(text: bytes) -> None:
    """The strict reader of these tests is strict."""
    with pytest.raises(ValueError, match=r".+"):
        read_strict(text)


CONTRADICTION = [1, 1, *[0] * 14]
READERS = {
    "cadical": ["cadical", "-q"],
    "minisat": ["minisat", "-verb=0"],
    "picosat": ["picosat"],
    "cryptominisat5": ["cryptominisat5", "--verb", "0"],
    "clasp": ["clasp", "--verbose=0"],
}


@pytest.mark.parametrize(("givens", "exit_code"), [([1, *[0] * 15], 10), (CONTRADICTION, 20)])
@pytest.mark.parametrize("reader", READERS)
def test_outside_solvers(reader: str, givens: list[int], exit_code: int, tmp_path: Path) -> None:
    """Outside solvers read the file."""
    if shutil.which(READERS[reader][0]) is None:
        pytest.skip(f"{reader} is not installed")
    file = tmp_path / "puzzle.cnf"
    for encoding in ("extended", "log"):
        for reduction in ("none", "singles"):
            encoded = encode(Puzzle.of(square(4), givens), encoding, reduction=reduction)
            file.write_bytes(text_of(encoded.cnf, "p show 1 2 3 0", "a remark"))
            done = subprocess.run([*READERS[reader], str(file)], capture_output=True, timeout=60, check=False)
            assert done.returncode == exit_code, done.stdout.decode() + done.stderr.decode()
