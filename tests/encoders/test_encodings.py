"""Encodings: their sizes are those of the literature, and each has exactly the solutions of the puzzle."""

import copy
import pickle
from functools import cache
from math import ceil, log2
from pathlib import Path

import numpy as np
import pytest
from pysat.solvers import Solver

from sudoku_encode.encoders import direct
from sudoku_encode.encoders.blocking import blocking
from sudoku_encode.encoders.encoding import Encoding, encode, unsupported_reason
from sudoku_encode.encoders.reduction import reduce
from sudoku_encode.encoders.table import ENCODINGS, REDUCTIONS
from sudoku_encode.errors import FormatError, MethodError
from sudoku_encode.formula.cardinality import pattern_of
from sudoku_encode.puzzles.boards import board
from sudoku_encode.puzzles.geometry import Geometry, Rule
from sudoku_encode.puzzles.puzzle import Puzzle, violations
from sudoku_encode.puzzles.shapes import square
from sudoku_encode.run.limits import Deadline
from sudoku_encode.solvers import sat
from tests.helpers.formulas import (
    clasp_models,
    clauses_of,
    combinations_of_options,
    expected,
    models,
    models_of,
    read_strict,
    text_of,
)
from tests.helpers.plain_search import by_hand
from tests.helpers.puzzles import CLASHES, LOOSE, PUZZLES, STRIP, TOP_TEN, puzzle_of

# Values, cells, units, and pairs of peers, known beforehand.
FIGURES = {
    "4x4": (4, 16, 12, 56),
    "6x6": (6, 36, 18, 216),
    "9x9": (9, 81, 27, 810),
    "16x16": (16, 256, 48, 4992),
    "25x25": (25, 625, 75, 20000),
    "4x4x4": (4, 64, 96, 384),
    "9x9x9": (9, 729, 486, 13122),
}
# Printed clause counts, in the order of the boards above; duplicates are pairs that two units share.
PRINTED = {
    ("minimal", True): (304, 1656, 8829, 92416, 563125, 2368, 158193),
    ("minimal", False): (240, 1332, 7371, 80128, 500625, 1600, 118827),
    ("efficient", True): (400, 2196, 11745, 123136, 750625, 2752, 184437),
    ("efficient", False): (336, 1872, 10287, 110848, 688125, 1984, 145071),
    ("extended", True): (448, 2304, 11988, 123904, 752500, 3136, 188811),
    ("extended", False): (384, 1980, 10530, 111616, 690000, 2368, 149445),
    ("dual", False): (144, 648, 3159, 31488, 189375, 768, 30618),
    ("colouring", False): (240, 1332, 7371, 80128, 500625, 1600, 118827),
}
# Clauses and literals as the OKlibrary prints them.
OKLIBRARY = [
    ("005000108000500030000089400009014002000000000200360700007290000080005000304000600", 10554, 23352),
    ("800050002003040800004807300500090008060000090100020005001609500005080900300010004", 10558, 23356),
    ("400300608005001030016040007070000080000002000051006370002090800000100000000004009", 10555, 23353),
    ("100000002090400050006000700050903000000070000000850040700000600030009080002000001", 10551, 23349),
]

STRIP_1D = Geometry("two cells of three values", (1, 2), 3, (Rule("row", np.array([[0, 1]], np.int32)),))


def solutions(encoded: Encoding) -> set[tuple[int, ...]]:
    # A limit, so that an encoding whose models do not decode ends here too.
    found = [tuple(grid.tolist()) for batch in sat.solutions(encoded, Deadline(2000), "minisat22") for grid in batch]
    assert len(found) == len(set(found))
    return set(found)


def n_solutions(encoded: Encoding) -> int:
    return len(solutions(encoded))


@pytest.mark.parametrize(("encoding", "duplicates"), PRINTED)
@pytest.mark.parametrize("name", FIGURES)
def test_clause_counts(name: str, encoding: str, duplicates: bool) -> None:
    """Clause counts are those printed and those of the formula."""
    n, cells, units, edges = FIGURES[name]
    pairs = n * (n - 1) // 2
    unit_pairs = units * n * pairs if duplicates else n * edges
    formula = {
        "minimal": cells + unit_pairs,
        "efficient": cells + cells * pairs + unit_pairs,
        "extended": cells + cells * pairs + unit_pairs + units * n,
        "dual": cells * pairs + units * n,
        "colouring": cells + unit_pairs,
    }[encoding]

    encoded = encode(Puzzle.of(board(name)), encoding, reduction="none", duplicates=duplicates)

    assert encoded.cnf.n_clauses == formula == PRINTED[encoding, duplicates][list(FIGURES).index(name)]
    assert encoded.cnf.n_variables == cells * n
    assert encoded.n_auxiliary == 0


@pytest.mark.parametrize(("name", "encoding"), [("9x9", "extended"), ("4x4x4", "extended"), ("6x6", "minimal")])
def test_counts_are_lines(name: str, encoding: str) -> None:
    """A clause count is the number of lines written."""
    for duplicates in (False, True):
        encoded = encode(Puzzle.of(board(name)), encoding, reduction="none", duplicates=duplicates)
        n_variables, clauses = read_strict(text_of(encoded.cnf))
        assert len(clauses) == encoded.cnf.n_clauses == PRINTED[encoding, duplicates][list(FIGURES).index(name)]
        assert {abs(literal) for clause in clauses for literal in clause} == set(range(1, n_variables + 1))
        assert (len(set(map(tuple, map(sorted, clauses)))) == len(clauses)) is not duplicates


@pytest.mark.parametrize(
    ("amo", "n_variables", "n_clauses"),
    [
        ("pairwise", 729, 10530),
        ("sequential", 3321, 7776),
        ("product", 2673, 8100),
        ("commander", 1701, 6399),
        ("bitwise", 2025, 11988),
        ("ladder", 3969, 11988),
    ],
)
def test_at_most_one_9x9(amo: str, n_variables: int, n_clauses: int) -> None:
    """Each at most one gives the 9x9 its known size."""
    encoded = encode(Puzzle.of(square(9)), "extended", reduction="none", amo=amo)

    assert (encoded.cnf.n_variables, encoded.cnf.n_clauses) == (n_variables, n_clauses)
    assert encoded.n_auxiliary == n_variables - 729
    if amo != "pairwise":
        pattern = pattern_of(amo, 9)
        # One for each cell, and one for each value of each of the 27 units.
        sets = 81 + 27 * 9
        assert n_variables == 729 + sets * pattern.n_auxiliary
        # By commanders the 3 pairs of a row's three cells in a box are excluded directly, for row and box but once.
        shared = 27 * 3 * 9 if amo == "commander" else 0
        assert n_clauses == sets * len(pattern.clauses) + 81 + 27 * 9 - shared


@pytest.mark.parametrize(("k", "n_variables", "n_clauses"), [(2, 128, 496), (3, 1215, 7695), (4, 6144, 60672)])
def test_triads_size(k: int, n_variables: int, n_clauses: int) -> None:
    """Triads have the known size."""
    n = k * k
    cells = n * n * (1 + n * (n - 1) // 2)
    definitions = 2 * n * k * n * (1 + (k + 1) * k // 2)
    families = 4 * n * n * (1 + k * (k - 1) // 2)
    encoded = encode(Puzzle.of(square(n)), "triads")

    assert encoded.cnf.n_clauses == n_clauses == cells + definitions + families
    assert encoded.cnf.n_variables == n_variables == n**3 + 2 * n * k * n
    assert encoded.n_auxiliary == 2 * n * k * n


@pytest.mark.parametrize("name", ["4x4", "9x9", "6x6:3x2", "4x4x4", "16x16"])
def test_order_and_log_variables(name: str) -> None:
    """Order and log have the variables of their definition."""
    geometry = board(name)
    n, cells, edges = geometry.n_values, geometry.n_cells, len(geometry.edges)
    bits = ceil(log2(n))
    order = encode(Puzzle.of(geometry), "order", reduction="none")
    log = encode(Puzzle.of(geometry), "log", reduction="none")

    assert (order.cnf.n_variables, order.cnf.n_clauses) == (cells * (n - 1), cells * (n - 2) + edges * n)
    assert (log.cnf.n_variables, log.cnf.n_clauses) == (cells * bits, cells * (2**bits - n) + edges * n)


def test_order_and_log_after_reduction() -> None:
    """Order and log number what reduction leaves."""
    puzzle = puzzle_of("9x9", TOP_TEN["escargot"][0])
    sizes = reduce(puzzle, "givens").candidates.sum(axis=1).tolist()

    assert encode(puzzle, "order", reduction="givens").cnf.n_variables == sum(size - 1 for size in sizes)
    assert encode(puzzle, "log", reduction="givens").cnf.n_variables == sum(ceil(log2(size)) for size in sizes)


@pytest.mark.parametrize("name", TOP_TEN)
def test_one_pass_of_givens(name: str) -> None:
    """One pass over the givens leaves what kwon and jain count."""
    text, n_variables, with_duplicates, without = TOP_TEN[name]
    puzzle = puzzle_of("9x9", text)
    encoded = encode(puzzle, "extended", reduction="givens")
    repeated = encode(puzzle, "extended", reduction="givens", duplicates=True)

    assert (encoded.cnf.n_variables, repeated.cnf.n_variables) == (n_variables, n_variables)
    assert (encoded.cnf.n_clauses, repeated.cnf.n_clauses) == (without, with_duplicates)


@pytest.mark.parametrize(("text", "n_clauses", "n_literals"), OKLIBRARY)
def test_oklibrary_sizes(text: str, n_clauses: int, n_literals: int) -> None:
    """Puzzles have the sizes that the oklibrary prints."""
    encoded = encode(puzzle_of("9x9", text), "extended", reduction="none")

    assert encoded.cnf.n_clauses == n_clauses
    assert sum(chunk.size for chunk in encoded.cnf.chunks()) == n_literals
    assert encoded.cnf.sizes["given"] == 81 - text.count("0")


@cache
def all_288() -> set[tuple[int, ...]]:
    return set(by_hand(Puzzle.of(square(4))))


@pytest.mark.parametrize(
    ("encoding", "level", "amo"),
    [
        pytest.param(*options, marks=[pytest.mark.slow] if at % 3 else [])
        for at, options in enumerate(combinations_of_options())
    ],
)
def test_options_find_288(encoding: str, level: str, amo: str) -> None:
    """Every choice of options finds the 288 grids."""
    found = solutions(encode(Puzzle.of(square(4)), encoding, reduction=level, amo=amo))

    assert found == all_288()


@pytest.mark.slow
@pytest.mark.parametrize("name", PUZZLES)
def test_options_find_solutions(name: str) -> None:
    """Every choice of options has exactly the solutions of the puzzle."""
    puzzle = PUZZLES[name]()
    wanted = set(by_hand(puzzle))
    assert wanted
    used = set()
    # Every other one, and the others on the next board.
    for encoding, level, amo in combinations_of_options()[list(PUZZLES).index(name) % 2 :: 2]:
        if not unsupported_reason(encoding, puzzle.geometry):
            assert solutions(encode(puzzle, encoding, reduction=level, amo=amo)) == wanted, (encoding, level, amo)
            used.add(encoding)

    assert used >= {"efficient", "extended", "order", "log"}


@pytest.mark.parametrize("name", CLASHES)
@pytest.mark.parametrize(("encoding", "level"), sorted({case[:2] for case in combinations_of_options()}))
def test_contradiction_has_no_model(name: str, encoding: str, level: str) -> None:
    """A contradiction has no model."""
    encoded = encode(CLASHES[name](), encoding, reduction=level)

    # Found by the reduction or not, the clauses themselves allow nothing.
    assert len(models(encoded)) == 0
    assert solutions(encoded) == set()
    if level == "singles":
        assert encoded.contradiction


@pytest.mark.parametrize(("encoding", "level"), sorted({case[:2] for case in combinations_of_options()}))
def test_loose_cell_without_candidate(encoding: str, level: str) -> None:
    """A loose cell without a candidate has no model."""
    puzzle = Puzzle.of(LOOSE, pencilmarks=[[True] * 2, [True] * 2, [False] * 2])
    if unsupported_reason(encoding, LOOSE):
        with pytest.raises(MethodError, match=r"in no unit|short|units of 2 cells|just the rules"):
            encode(puzzle, encoding, reduction=level)
    else:
        assert len(models(encode(puzzle, encoding, reduction=level))) == 0


def test_contradiction_text(tmp_path: Path) -> None:
    """The text of a contradiction is a formula that every solver takes."""
    text = text_of(encode(CLASHES["equal givens"]()).cnf)

    assert text == b"p cnf 1 2\n1 0\n-1 0\n"
    assert clasp_models(text, tmp_path) == 0


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_outside_counter_288(encoding: str, tmp_path: Path) -> None:
    """An outside counter finds the 288 grids in the file."""
    text = text_of(encode(Puzzle.of(square(4)), encoding).cnf, "a remark")
    read_strict(text)

    assert clasp_models(text, tmp_path) == 288


# What a reduction does is the same for all encodings: on each board each of them has another one.
@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "encoding", "level"),
    [
        (name, encoding, list(REDUCTIONS)[(board + number) % len(REDUCTIONS)])
        for board, name in enumerate(["6x6", "diagonals", "short units", "4x4x4", "4x4, pencilmarks"])
        for number, encoding in enumerate(["extended", "order", "log"])
    ],
)
def test_outside_counter(name: str, encoding: str, level: str, tmp_path: Path) -> None:
    """An outside counter finds the solutions in the file."""
    puzzle = PUZZLES[name]()
    text = text_of(encode(puzzle, encoding, reduction=level).cnf)
    read_strict(text)
    assert clasp_models(text, tmp_path) == len(set(by_hand(puzzle)))


@pytest.mark.parametrize(
    ("encoding", "geometry", "reason"),
    [
        ("minimal", STRIP, "r1c1 is in no unit of 4 cells, so it could hold two values"),
        ("minimal", board("4x4+windoku", ["window"]), "r1c1 is in no unit of 4 cells"),
        ("minimal", LOOSE, "r1c3 is in no unit of 2 cells"),
        ("colouring", STRIP, "r1c1 is in no unit of 4 cells"),
        ("dual", STRIP, "rule row has units of 3 cells for 4 values"),
        ("dual", LOOSE, "r1c3 is in no unit of 2 cells"),
        ("dual", board("4x4x4:literal"), "rule row-x has units of 16 cells for 4 values"),
        ("triads", board("6x6"), "square boxes"),
        ("triads", board("4x4x4"), "square boxes"),
        ("triads", board("9x9+diagonals"), "just the rules row, column and box"),
        ("triads", board("9x9", ["row", "box"]), "just the rules row, column and box"),
        ("triads", board("jigsaw:aaabacbbccbdcddd"), "square boxes"),
        ("triads", board("4x4:1x4"), "square boxes"),
    ],
    ids=lambda value: value.name if isinstance(value, Geometry) else None,
)
def test_misfit_encoding_refused(encoding: str, geometry: Geometry, reason: str) -> None:
    """An encoding that is wrong on a board is refused with the reason."""
    with pytest.raises(MethodError, match=f"encoding {encoding} does not fit .*{reason}"):
        encode(Puzzle.of(geometry), encoding)


@pytest.mark.parametrize(
    ("groups", "geometry", "true_count", "models_without_refusal"),
    [
        # Two cells of three values each hold some values, none in common: 12 ways, of which 6 are single values.
        (("alo-cell", "amo-unit"), STRIP_1D, 6, 12),
        # The loose cell holds 1, 2 or both.
        (("alo-cell", "amo-unit"), LOOSE, 4, 6),
        # Nothing says that a cell holds a value, or that two differ.
        (("amo-cell", "alo-unit"), STRIP_1D, 6, 16),
        # The loose cell holds 1, 2 or neither.
        (("amo-cell", "alo-unit"), LOOSE, 4, 6),
    ],
)
def test_refusals_are_needed(
    groups: tuple[str, ...], geometry: Geometry, true_count: int, models_without_refusal: int
) -> None:
    """The refusals are needed."""
    puzzle = Puzzle.of(geometry)
    wrong, _ = direct.direct_encoder(*groups)(puzzle, reduce(puzzle, "none"), "pairwise", False)

    assert len(list(by_hand(puzzle))) == true_count == n_solutions(encode(puzzle, "efficient"))
    assert len(models_of(wrong)) == models_without_refusal


@pytest.mark.parametrize("name", ["minimal", "dual", "colouring"])
@pytest.mark.parametrize(
    "geometry", [board("4x4", ["row"]), board("4x4x4", ["row-x"]), board("jigsaw:aaabacbbccbdcddd")]
)
def test_full_boards_accepted(name: str, geometry: Geometry) -> None:
    """Boards whose units are all full and cover all cells are accepted."""
    assert unsupported_reason(name, geometry) == ""


@pytest.mark.parametrize(
    ("encoding", "options", "message"),
    [
        ("nope", {}, "no encoding is called 'nope'; choose from minimal, efficient, extended"),
        ("extended", {"amo": "nope"}, "no at-most-one is called 'nope'; choose from pairwise, sequential"),
        ("extended", {"reduction": "nope"}, "no reduction is called 'nope'; choose from none, givens, singles"),
        ("extended", {"amo": "product", "duplicates": True}, "duplicate pairs need amo pairwise"),
        ("colouring", {"duplicates": True}, "encoding colouring takes no option duplicates"),
        ("colouring", {"amo": "ladder"}, "encoding colouring takes no option amo"),
        ("order", {"amo": "ladder"}, "encoding order takes no option amo"),
        ("log", {"duplicates": True}, "encoding log takes no option duplicates"),
        ("triads", {"amo": "bitwise"}, "encoding triads takes no option amo"),
        ("triads", {"reduction": "singles"}, "encoding triads takes no option reduce"),
        ("triads", {"duplicates": True}, "encoding triads takes no option duplicates"),
    ],
)
def test_impossible_option(encoding: str, options: dict[str, object], message: str) -> None:
    """An option that cannot be met is refused."""
    with pytest.raises(MethodError, match=message):
        encode(Puzzle.of(square(4)), encoding, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_decoded_model_is_solution(encoding: str) -> None:
    """A decoded model is a solution."""
    puzzle = puzzle_of("4x4", "1000000000000002")
    encoded = encode(puzzle, encoding)
    grids = encoded.decode_all(models(encoded))

    assert {tuple(grid) for grid in grids.tolist()} == set(by_hand(puzzle))
    assert grids.dtype == np.uint8
    assert not [fault for grid in grids for fault in violations(puzzle, grid)]


def test_bad_cells_decode_blank() -> None:
    """A cell with no value or two decodes as blank."""
    encoded = encode(Puzzle.of(STRIP_1D), "extended", reduction="none")
    # Variables 1..3 are the first cell, 4..6 the second.
    several = np.zeros((3, 7), bool)
    several[0, [2, 6]] = several[1, [1, 2, 4]] = several[2, [5]] = True

    assert encoded.decode_all(several).tolist() == [[2, 3], [0, 1], [0, 2]]
    assert encoded.holds(several)[1].tolist() == [[True, True, False], [True, False, False]]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_outside_solver_decodes(encoding: str) -> None:
    """A solver of others takes the formula and its models decode."""
    puzzle = puzzle_of("4x4", "1000000000000002")
    encoded = encode(puzzle, encoding)
    with Solver(bootstrap_with=encoded.cnf) as solver:
        grids = [encoded.decode(model).values for model in solver.enum_models()]

    assert {tuple(grid.tolist()) for grid in grids} == set(by_hand(puzzle))
    assert {(grid.shape, grid.dtype.name) for grid in grids} == {((16,), "uint8")}


@pytest.mark.parametrize("encoding", ["extended", "log", "order"])
def test_partial_models(encoding: str) -> None:
    """A model may leave out what is false and be any iterable of whole numbers."""
    puzzle = puzzle_of("4x4", "1000000000000002")
    encoded = encode(puzzle, encoding, reduction="none")
    model = (np.flatnonzero(models(encoded)[0]) + 0).tolist()
    grid = encoded.decode(model).values.tolist()

    assert tuple(grid) in set(by_hand(puzzle))
    for same in (tuple(model), iter(model), set(model), np.array(model, np.int32), [*model, model[-1]]):
        assert encoded.decode(same).values.tolist() == grid


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ([1, 65], "literal 65 is out of range: this CNF has 64 variables"),
        ([1, -65], "literal -65 is out of range: this CNF has 64 variables"),
        ([1, 0], "literal 0 is out of range: this CNF has 64 variables"),
        ([1 << 40], "literal 1099511627776 is out of range"),
        ([5, 3, -5], "the model has both 5 and -5"),
        ([-5, 3, 5], "the model has both 5 and -5"),
        (None, "there is no model to decode"),
    ],
)
def test_foreign_model(model: list[int] | None, message: str) -> None:
    """A model of another formula is refused."""
    encoded = encode(Puzzle.of(square(4)), reduction="none")
    for decode in (encoded.decode, encoded.decode_with_faults):
        with pytest.raises(FormatError, match=f"^{message}"):
            decode(model)  # type: ignore[arg-type]


def test_broken_model_named() -> None:
    """What keeps a model from being a solution is named."""
    encoded = encode(puzzle_of("4x4", "1000000000000000"), reduction="none")
    wrong = [4 * cell + value for cell, value in enumerate(map(int, "2143341212344321"))]

    assert encoded.decode_with_faults(wrong)[0].tolist() == [int(value) for value in "2143341212344321"]
    assert encoded.decode_with_faults(wrong)[1][-1] == "r1c1 holds 2, its given is 1"
    grid, faults = encoded.decode_with_faults([1, 2, *wrong[1:-1]])
    assert (grid[0], grid[15]) == (0, 0)
    assert faults == ["r1c1 holds 1 and 2", "r4c4 holds no value"]
    solution = np.flatnonzero(models(encoded)[0]).tolist()
    assert encoded.decode_with_faults(solution)[1] == []


@pytest.mark.parametrize(
    "name", ["4x4", "100x100+diagonals+windoku", "16x16x16", "jigsaw:AABBBBCAAABBCCADDDCCEEDDCEEFFDEEFFFF"]
)
def test_short_repr(name: str) -> None:
    """An encoding is shown on one short line."""
    for encoded in (
        encode(Puzzle.of(board(name)), "dual" if name.startswith("100") else "extended", reduction="none"),
        encode(Puzzle.of(square(4)), "extended", amo="sequential"),
        encode(Puzzle.of(Geometry("evil\nname", (2, 2), 2, square(2).rules))),
    ):
        for shown in (repr(encoded), repr(encoded.cnf)):
            assert f"{encoded.cnf.n_clauses:,} clauses" in shown
            assert len(shown) <= 100
            assert "\n" not in shown


def test_copies() -> None:
    """A copy of an encoding is as good as the encoding."""
    encoded = encode(puzzle_of("4x4", "1000000000000002"))

    for copied in (copy.copy(encoded), copy.deepcopy(encoded), pickle.loads(pickle.dumps(encoded))):
        assert list(copied.cnf) == list(encoded.cnf)
        assert copied.cnf.n_clauses == encoded.cnf.n_clauses
        assert (copied.decode_all(models(copied)) == encoded.decode_all(models(encoded))).all()


@pytest.mark.parametrize(("encoding", "level"), sorted({case[:2] for case in combinations_of_options()}))
def test_blocking_clause(encoding: str, level: str) -> None:
    """A blocking clause excludes its solution and no other."""
    puzzle = puzzle_of("4x4", "1000000000000002")
    encoded = encode(puzzle, encoding, reduction=level)
    wanted = set(by_hand(puzzle))
    for grid in sorted(wanted)[:5]:
        clause = encoded.blocking_clause(np.array(grid, np.uint8), puzzle.blanks)
        assert all(type(literal) is int for literal in clause)
        assert len(clause) == len({abs(literal) for literal in clause})
        with Solver(name="minisat22", bootstrap_with=[*clauses_of(encoded), clause]) as solver:
            found = [np.array([0, *model]) > 0 for model in solver.enum_models()]
        assert {tuple(row) for row in encoded.decode_all(np.array(found)).tolist()} == wanted - {grid}
        with Solver(name="minisat22", bootstrap_with=clauses_of(encoded)) as solver:
            assert solver.solve([-literal for literal in clause])
            model = solver.get_model()
        assert set(blocking(encoded, puzzle.givens, infer=False).clause(model)) == set(clause)
        assert set(blocking(encoded, puzzle.givens).clause(model)) < set(clause)


def test_blocking_clause_length() -> None:
    """A blocking clause has one literal for each blank."""
    puzzle = puzzle_of("4x4", "1000000000000000")
    encoded = encode(puzzle, "extended", reduction="none")
    grid = next(by_hand(puzzle))

    clause = encoded.blocking_clause(np.array(grid, np.uint8), puzzle.blanks)

    assert clause == [-(4 * cell + grid[cell]) for cell in range(1, 16)]


@pytest.mark.parametrize(("encoding", "level", "amo"), combinations_of_options())
def test_projection(encoding: str, level: str, amo: str) -> None:
    """The projection is the variables that say what cells hold."""
    encoded = encode(puzzle_of("4x4", "1000000000000002"), encoding, reduction=level, amo=amo)
    used = sorted({abs(literal) for literal in encoded.literals.ravel().tolist()} - {0})

    assert encoded.projection.tolist() == used
    assert encoded.projection.dtype == np.int32
    assert encoded.n_auxiliary == encoded.cnf.n_variables - len(used)
    assert (encoded.n_auxiliary > 0) == (encoding == "triads" or amo not in ("pairwise", "product", "commander"))


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_assumptions(encoding: str) -> None:
    """Assumptions are plain integers that fix the givens."""
    encoded = encode(Puzzle.of(square(4)), encoding, reduction="none")
    givens = np.zeros((3, 16), np.uint8)
    givens[0, [0, 15]], givens[2, 3] = (1, 2), 4
    rows = list(encoded.assumptions(givens))

    assert len(rows) == 3
    assert rows[1] == []
    assert all(type(literal) is int for row in rows for literal in row)
    with Solver(name="minisat22", bootstrap_with=[*clauses_of(encoded), *([literal] for literal in rows[0])]) as solver:
        assert len(list(solver.enum_models())) == len(list(by_hand(Puzzle.of(square(4), givens[0]))))


def test_encoding_name() -> None:
    """The name of an encoding says what was chosen."""
    assert encode(Puzzle.of(square(4)), "efficient", amo="ladder").name == "efficient, ladder"
    assert encode(Puzzle.of(square(4)), "efficient", duplicates=True).name == "efficient, duplicates"
    assert encode(Puzzle.of(square(4))).name == "extended"


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_row_matches_encoding(encoding: str) -> None:
    """An encoding is of the name and kind that its row says."""
    encoded = encode(Puzzle.of(square(4)), encoding)

    assert (encoded.name, encoded.kind) == (encoding, ENCODINGS[encoding].kind)


def test_default_encoding() -> None:
    """The default is extended by pairs after singles."""
    puzzle = puzzle_of("9x9", TOP_TEN["escargot"][0])
    chosen = encode(puzzle, "extended", reduction="singles", amo="pairwise")

    assert text_of(encode(puzzle).cnf) == text_of(chosen.cnf)
    assert sorted(text_of(chosen.cnf).split(b"\n")) == sorted(expected(chosen.cnf).split(b"\n"))
