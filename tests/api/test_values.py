"""Public data are values: nonsense is refused where it comes in, and nobody can change them afterwards."""

import copy
import dataclasses
import inspect
import pickle
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
import pytest

import sudoku_encode as se
from sudoku_encode.formats.table import TEXT_FORMATS

FOUR, CUBE = se.board("4x4"), se.board("4x4x4")
TEXT = "1234341221434..."
SOLVED = [1, 2, 3, 4, 3, 4, 1, 2, 2, 1, 4, 3, 4, 3, 2, 1]
EVERY = np.ones((16, 4), bool)


def test_reused_mask() -> None:
    """Puzzles of one reused mask keep their own candidates."""
    mask, puzzles = EVERY.copy(), []
    for value in range(4):
        mask[0] = False
        mask[0, value] = True
        puzzles.append(se.Puzzle.of(FOUR, pencilmarks=mask))
    mask[:] = False

    assert [se.candidates(puzzle).values(0) for puzzle in puzzles] == [[1], [2], [3], [4]]
    # 288 grids, and no value is more likely in a corner than another.
    assert [se.count(puzzle).value for puzzle in puzzles] == [72] * 4


WRONG_PUZZLES: dict[str, tuple[dict[str, Any], str]] = {
    "a value above the largest": ({"givens": [12] + [0] * 15}, "r1c1 = 12; values on 4x4 go from 1 to 4"),
    "a negative value": ({"givens": [0, -1] + [0] * 14}, "r1c2 = -1"),
    "halves": ({"givens": np.full(16, 1.5)}, "whole numbers, not float64"),
    "whole floats": ({"givens": np.zeros(16)}, "whole numbers, not float64"),
    "NaN": ({"givens": np.full(16, np.nan)}, "whole numbers, not float64"),
    "truth values for givens": ({"givens": np.zeros(16, bool)}, "whole numbers, not bool"),
    "objects": ({"givens": np.zeros(16, object)}, "whole numbers, not object"),
    "text": ({"givens": "1" * 16}, "whole numbers"),
    "a value too few": ({"givens": [0] * 15}, "15 values for the 16 cells of 4x4"),
    "nothing": ({"givens": []}, "0 values for the 16 cells"),
    "another shape": ({"givens": np.zeros((8, 2), int)}, "shape (8, 2) for 4x4; expected (16,) or (4, 4)"),
    "a column": ({"givens": np.zeros((16, 1), int)}, "shape (16, 1)"),
    "a square for a cube": (
        {"geometry": CUBE, "givens": np.zeros((8, 8), int)},
        "shape (8, 8) for 4x4x4; expected (64,) or (4, 4, 4)",
    ),
    "ragged givens": ({"givens": [[1, 2], [3]]}, "different lengths"),
    "masked givens": ({"givens": np.ma.masked_equal(np.ones(16, int), 1)}, "masked array"),
    "lists of values": ({"pencilmarks": [[3, 4, 0, 0]] * 16}, "pencilmarks must be truth values, not int64"),
    "short lists of values": ({"pencilmarks": [[3, 4]] * 16}, "pencilmarks must be truth values"),
    "ragged lists of values": ({"pencilmarks": [[3, 4], [1]] * 8}, "different lengths"),
    "sets of values": ({"pencilmarks": [{3, 4}] * 16}, "pencilmarks must be truth values, not object"),
    "zeros and ones": ({"pencilmarks": np.ones((16, 4), np.uint8)}, "truth values, not uint8"),
    "values first": ({"pencilmarks": EVERY.T}, "shape (4, 16) for 4x4; expected (16, 4)"),
    "the name of a board": ({"geometry": "4x4"}, "'4x4' is not a board; expected one such as board('9x9')"),
    "a number for a name": ({"name": 7}, "7 is not a name of a puzzle"),
    "half a character": ({"name": "a\ud800"}, r"invalid name a\ud800"),
    "a constraint for a list": ({"constraints": "odd r1c1"}, "'odd r1c1' is not a list; expected one such as"),
    "a number for a constraint": ({"constraints": [7]}, "7 is not a constraint"),
    "a constraint beside the board": ({"constraints": ["odd r9c9"]}, "odd: 4x4 has no cell 'r9c9'"),
}


@pytest.mark.parametrize("case", WRONG_PUZZLES)
@pytest.mark.parametrize("make", [se.Puzzle, se.Puzzle.of, lambda **wrong: replace(se.Puzzle(FOUR), **wrong)])
def test_bad_puzzle(case: str, make: Callable[..., se.Puzzle]) -> None:
    """A wrong puzzle is refused in one line."""
    wrong, words = WRONG_PUZZLES[case]
    arguments = wrong if "geometry" in wrong or "lambda" in repr(make) else {"geometry": FOUR, **wrong}
    with pytest.raises(se.FormatError) as raised:
        make(**arguments)

    assert words in str(raised.value)
    assert len(str(raised.value).splitlines()) == 1


def test_shaped_givens() -> None:
    """Givens and pencilmarks in the shape of the board are in the order of its cells."""
    rows = np.array(SOLVED).reshape(4, 4)
    marks = np.arange(16)[:, None] % 3 != np.arange(4)[None]

    assert se.Puzzle(FOUR, rows) == se.Puzzle(FOUR, np.asfortranarray(rows)) == se.Puzzle(FOUR, SOLVED)
    assert se.Puzzle(FOUR, None, marks.reshape(4, 4, 4)) == se.Puzzle(FOUR, None, marks.tolist())
    assert se.Puzzle(FOUR, None, marks).candidates.tolist() == marks.tolist()
    assert se.Puzzle(CUBE, np.arange(64).reshape(4, 4, 4) % 5).givens.tolist() == (np.arange(64) % 5).tolist()


def mutable_puzzle() -> tuple[se.Puzzle, list[Any]]:
    givens, marks, constraints = np.array(SOLVED, np.uint8), EVERY.copy(), ["odd r1c1"]
    return se.Puzzle(FOUR, givens, marks, "name", constraints), [givens, marks, constraints]


def mutable_rule() -> tuple[se.Rule, list[Any]]:
    units = np.arange(16, dtype=np.int32).reshape(4, 4)
    return se.Rule("row", units), [units]


def mutable_board() -> tuple[se.Geometry, list[Any]]:
    shape, rules = [4, 4], [*FOUR.rules]
    return se.Geometry("own", shape, 4, rules), [shape, rules]  # type: ignore[arg-type]


def remade(value: Any) -> tuple[Any, list[Any]]:
    """Return a dataclass made anew of fields that can be written into, and these."""
    made: dict[str, Any] = {}
    for field in dataclasses.fields(value):
        held = getattr(value, field.name)
        if isinstance(held, np.ndarray):
            made[field.name] = held.copy()
        elif field.name in ("groups", "steps", "redundant", "clash", "extra", "checkers", "because", "runs", "faults"):
            made[field.name] = list(held)
        elif isinstance(held, dict):
            made[field.name] = dict(held)
    return replace(value, **made), list(made.values())


def proof(folder: Path) -> tuple[se.Certificate, se.CheckedCount, se.CheckedCandidates]:
    made = se.prove(TEXT, folder / "count", board="4x4")
    se.prove_candidates(TEXT, folder / "all", board="4x4")
    return made, se.check_certificate(folder / "count"), se.check_candidates(folder / "all")


def examples(folder: Path) -> dict[str, tuple[Any, list[Any]]]:
    """Return by the name of each public type a value of it, and what it was made of that can be changed."""
    certificate, checked, candidates = proof(folder)
    grid, several = np.array(SOLVED, np.uint8), se.check("1" + "." * 15, board="4x4")
    plain: dict[str, Any] = {
        "Count": se.Count(3, True),
        "Limits": se.Limits(3),
        "Options": se.Options(seed=3),
        "Encoding": se.encode(TEXT, reduction="none"),
        "Cnf": se.encode(TEXT, reduction="none").cnf,
        "CpModel": se.cp_model(TEXT, "cp-sat-bool"),
        "CheckedEncoding": checked_encoding(folder),
        "Report": next(se.verify(TEXT, ["sat", "search"])),
        "Certificate": certificate,
        "CheckedCount": checked,
        "CheckedCandidates": candidates,
        "GeneratedPuzzle": next(se.generate("4x4", seed=1)),
        "MethodChosen": se.MethodChosen("sat"),
        "Symmetry": se.symmetries(TEXT),
        "SymmetryMap": se.same(TEXT, TEXT),
        "Kinds": se.kinds(TEXT),
        "BrokenSymmetry": se.break_symmetry("." * 16, board="4x4"),
        "RuleSets": se.rules_with(TEXT, 1, board="4x4"),
        "SolverFigures": se.SolverFigures("cadical195", 729, 8829, 12, 40, 2310, 0, 0.0021),
        "Progress": se.Progress("text"),
        "Remark": se.Remark("text"),
        "Step": se.Step("text", because=(1,), data={"a": 1}),
        "TrueCandidates": se.candidates(TEXT, counts=True),
        "Samples": se.sample(TEXT, 3, seed=1),
        "Unique": se.check(TEXT, seed=1),
        "Several": several,
        "NoSolution": se.check("11" + "." * 14, board="4x4"),
        "Unknown": se.Unknown("time limit", grid),
        "Hint": se.hint(TEXT),
        "SolvePath": se.hints(TEXT),
        "Rating": se.rate(TEXT, figures=["backdoor"]),
        "Figure": se.rate(TEXT, figures=["backdoor"]).figures["backdoor"],
        "Drawing": se.draw(TEXT),
    }
    own = {"Puzzle": mutable_puzzle(), "Rule": mutable_rule(), "Geometry": mutable_board()}
    return own | {"Grid": (se.Grid(FOUR, grid), [grid])} | {name: remade(value) for name, value in plain.items()}


def checked_encoding(folder: Path) -> se.CheckedEncoding:
    """Return the result of checking a CNF."""
    se.encode(TEXT).save(folder / "formula.cnf")
    return se.check_encoding(folder / "formula.cnf")


def arrays(value: Any, seen: set[int]) -> Iterator[np.ndarray]:
    """Yield every array that the public attributes of a value lead to."""
    if id(value) in seen:
        return
    seen.add(id(value))
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from arrays(one, seen)
    elif isinstance(value, Mapping):
        yield from arrays(list(value.values()), seen)
    elif type(value).__module__.startswith("sudoku_encode") and not isinstance(value, type):
        public = (name for name in dir(value) if not name.startswith("_"))
        # Of an answer that is not complete, and of a unit that is not too large, there is no such thing.
        missing = {"exact", "model", "decode_all"}
        for name in public:
            held = None if name in missing else getattr(value, name)
            if not callable(held):
                yield from arrays(held, seen)


def state(value: Any) -> bytes:
    """Return all that the public attributes of a value say, as bytes."""
    return repr([(one.shape, one.tolist()) for one in arrays(value, set())]).encode() + repr(value).encode()


def scramble(parts: list[Any]) -> None:
    for part in parts:
        if isinstance(part, np.ndarray):
            part[...] = part.flat[0] if part.size else 0
            part.flat[: part.size // 2] = 0
        else:
            part.clear()


def test_types_are_values(tmp_path: Path) -> None:
    """Public data types are values."""
    made = examples(tmp_path)
    public = {name: getattr(se, name) for name in se.__all__}
    types = {name for name, one in public.items() if isinstance(one, type) and dataclasses.is_dataclass(one)}
    assert types == set(made)

    for name, (value, parts) in made.items():
        assert type(value) is public[name], name
        before = state(value)
        scramble(parts)
        assert state(value) == before, name
        # A model of OR-Tools cannot be copied, nor can a formula, of which PySAT takes a copy as its clauses.
        others = [] if name in ("CpModel", "Cnf", "Encoding") else [pickle.loads(pickle.dumps(value))]
        others += [] if name in ("CpModel", "Cnf") else [copy.deepcopy(value)]
        for one in (value, *others):
            assert state(one) == before, name
            for array in arrays(one, set()):
                assert not array.flags.writeable, name
                with pytest.raises(ValueError, match="read-only"):
                    array[...] = 0


def test_frozen_board_data() -> None:
    """What is derived of a board cannot be changed."""
    for board in (
        FOUR,
        CUBE,
        se.board("samurai"),
        se.board("corner:4"),
        FOUR.with_more([se.Rule("two", np.array([[0, 15]], np.int32))]),
    ):
        derived: list[np.ndarray] = [board.units_of_cells, board.edges, *board.peers, *board.peer_table]
        assert not any(array.flags.writeable for array in [*derived, *(rule.units for rule in board.rules)])
        assert isinstance(board.cell_numbers, MappingProxyType)
        assert isinstance(board.cells_by_coordinates, MappingProxyType)


ROW = se.Rule("row", np.arange(16, dtype=np.int32).reshape(4, 4))
WRONG_BOARDS: dict[str, tuple[Callable[[], object], str]] = {
    "a cell beside the board": (
        lambda: se.Geometry("own", (2, 4), 4, (ROW,)),
        "own: rule row has a cell 15; there are 8 cells, from 0",
    ),
    "a negative cell": (lambda: se.Rule("row", [[0, -1]]), "cells -1 to 0"),  # type: ignore[arg-type]
    "half a cell": (lambda: se.Rule("row", [[0.5]]), "dtype float64"),  # type: ignore[arg-type]
    "one unit": (lambda: se.Rule("row", np.arange(4, dtype=np.int32)), "units of shape (4,)"),
    "units of many sizes": (lambda: se.Rule("row", [[0], [1, 2]]), "lists of different lengths"),  # type: ignore[arg-type]
    "a number for a rule": (lambda: se.Geometry("own", (4, 4), 4, (7,)), "7 is not a Rule"),  # type: ignore[arg-type]
    "no values": (lambda: se.Geometry("own", (4, 4), 0, (ROW,)), "0 values; expected 1 to 255"),
    "true values": (lambda: se.Geometry("own", (4, 4), True, (ROW,)), "True values"),
    "half a side": (lambda: se.Geometry("own", (4, 4.5), 4, ()), "shape (4, 4.5)"),  # type: ignore[arg-type]
    "a side": (lambda: se.Geometry("own", 4, 4, ()), "shape 4; expected whole numbers"),  # type: ignore[arg-type]
    "few places": (lambda: se.Geometry("own", (16,), 4, (), places=((0, 0),)), "1 places for 16 cells"),
    "a number for a name": (lambda: se.Geometry(7, (4, 4), 4, ()), "7 is not a name of a board"),  # type: ignore[arg-type]
    "half a character": (lambda: se.Geometry("\ud800", (4, 4), 4, ()), "is not a name of a board"),
}


@pytest.mark.parametrize("case", WRONG_BOARDS)
def test_bad_board(case: str) -> None:
    """A wrong board is refused."""
    make, words = WRONG_BOARDS[case]
    with pytest.raises(se.GeometryError) as raised:
        make()
    assert words in str(raised.value)


def test_bad_grid_or_formula() -> None:
    """A wrong grid or formula is refused."""
    with pytest.raises(se.FormatError, match="r1c1 = 300"):
        se.Grid(FOUR, [300] * 16)  # type: ignore[arg-type]
    with pytest.raises(se.FormatError, match="'4x4' is not a board"):
        se.Grid("4x4", SOLVED)  # type: ignore[arg-type]
    for wrong in ((2.5, ()), (2, (7,)), (2, 7), (True, ())):
        with pytest.raises(se.FormatError):
            se.Cnf(*wrong)


# The names of puzzles come from files, in which a name may be anything.
@pytest.mark.parametrize("name", ["a\nb", "\0", "\x1b[31m", "# board: 9x9", '"', "ä", "\U0001f600", "\\ud800", "]]>&<"])
def test_any_name_written(name: str, tmp_path: Path) -> None:
    """A puzzle of any name is written in every format."""
    puzzle = se.Puzzle(FOUR, SOLVED, name=name)
    forms = [form for form, row in TEXT_FORMATS.items() if row.unsupported_reason(FOUR) is None]
    assert {"json", "iss", "f-puzzles", "sudokupad"} <= set(forms)
    for form in forms:
        se.write(puzzle, tmp_path / form, form)
        read = se.read(tmp_path / form, format=form, board=FOUR)
        assert read.candidates.tolist() == puzzle.candidates.tolist(), form


def test_half_character_in_json() -> None:
    """Half a character in the name of a file of JSON becomes a space."""
    puzzle = se.read('{"board": "4x4", "name": "a\\ud800b", "givens": [' + ", ".join(map(str, SOLVED)) + "]}")

    assert puzzle.name == "a b"


# Valid arguments of the parameters without a default.
REQUIRED: dict[str, Any] = {
    "puzzle": TEXT,
    "first": TEXT,
    "second": TEXT,
    "puzzles": TEXT,
    "source": TEXT,
    "grid": TEXT,
    "board": "4x4",
    "name": "4x4",
    "cells": "r1c1",
    "start": 0,
    "solutions": 1,
    "step": lambda state, value: value,
    "accepts": bool,
    "function": lambda value: value > 1,
    "model": se.cp_model(TEXT, board="4x4"),
}
# Arguments of any type: a grid, or a table of cells.
UNCHECKED = ("blocked", "candidates")
FUNCTIONS = [name for name in se.__all__ if inspect.isfunction(getattr(se, name))]


class Strange:
    """A type that no function takes."""

    def __repr__(self) -> str:
        return "Strange()"


def asked(function: Callable[..., Any], /, **arguments: object) -> None:
    """Call a function, and read what it yields: some errors, such as those of `verify`, come then."""
    answer = function(**arguments)
    if isinstance(answer, Iterator):
        next(answer)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_wrong_argument_type(name: str, tmp_path: Path) -> None:
    """An argument of a wrong type is one clear error."""
    function = getattr(se, name)
    parameters = inspect.signature(function).parameters
    assert parameters

    names = {one.name for one in parameters.values() if one.kind is not one.VAR_KEYWORD}
    needed = {name for name in names if parameters[name].default is inspect.Parameter.empty}
    given = {one: str(tmp_path) if one in ("path", "folder") else REQUIRED[one] for one in needed}
    # An automaton may start in anything.
    for parameter in names - {"start"}:
        with pytest.raises(se.SudokuError) as raised:
            asked(function, **{**given, parameter: Strange()})
        assert "Strange()" in str(raised.value) or parameter in UNCHECKED, parameter
        assert len(str(raised.value).splitlines()) == 1


def test_text_or_number() -> None:
    """Texts and numbers are not taken for each other."""
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"rules": "row"}, "rules='row': expected a list of texts or None"),
        ({"rules": [1]}, r"rules=\[1\]: expected a list of texts"),
        ({"limits": 5}, "limits=5: expected limits like Limits"),
        ({"limits": None}, "limits=None: expected limits"),
        ({"options": {"seed": 1}}, "options={'seed': 1}: expected options like"),
        ({"board": 4}, "board=4: expected text or a board like"),
        ({"on_event": 3}, "on_event=3: expected a function"),
    ]
    for named, words in wrong:
        with pytest.raises(se.SudokuError, match=words):
            se.count(TEXT, **named)
    for seed in (1.5, True, "1"):
        with pytest.raises(se.MethodError, match="expected a whole number or None"):
            se.check(TEXT, seed=seed)  # type: ignore[arg-type]
    with pytest.raises(se.MethodError, match="counts='no': expected True or False"):
        se.candidates(TEXT, counts="no")  # type: ignore[arg-type]


def test_numpy_numbers() -> None:
    """Numbers of numpy are taken for Python's own."""
    limits = se.Limits(np.int64(5), np.float32(1.5), np.uint32(1 << 30))  # type: ignore[arg-type]
    fields = [getattr(limits, field.name) for field in dataclasses.fields(limits)]
    assert fields == [5, 1.5, 1 << 30]
    assert [type(value) for value in fields] == [int, float, int]
    assert type(se.Options(seed=np.int16(3)).seed) is int  # type: ignore[arg-type]
    assert se.sample(TEXT, np.int64(2), seed=np.int64(1)).grids.shape == (2, 16)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("name", "value"),
    [(name, value) for name in ("solutions", "memory") for value in (True, 1.5, np.float64(2), "2", 0, np.array([1]))]
    + [("seconds", value) for value in (True, np.True_, float("nan"), float("inf"), np.nan, -1, "2", np.array([1, 2]))],
)
def test_bad_limits(name: str, value: object) -> None:
    """What is not a limit is refused."""
    with pytest.raises(se.MethodError, match="it must be"):
        se.Limits(**{name: value})  # type: ignore[arg-type]


COMPLETE, INCOMPLETE = se.Count(127, True), se.Count(5, False, "time limit")
# What may be done with a number, as text: the same must come out for a complete count.
OPERATIONS = (
    *(
        "{} == 127",
        "127 == {}",
        "{} != 127",
        "{} == 5",
        "{} < 128",
        "{} <= 127",
        "{} > 127",
        "127 >= {}",
        "{} == 127.0",
    ),
    *("{} + 1", "1 + {}", "{} - 1", "1 - {}", "{} * 2", "2 * {}", "{} / 2", "2 / {}", "{} // 10", "1000 // {}"),
    *("{} % 10", "1000 % {}", "divmod({}, 10)", "{} ** 2", "2 ** {}", "-{}", "abs({})", "round({}, -1)", "{} * 0.5"),
    *("int({})", "float({})", "bool({})", "sum([{}, {}])", "hash({})", "range(200)[{}]", "[0] * {}", "hex({})"),
    *("{} + np.int64(1)", "np.int64(1) + {}", "np.int64(127) == {}", "{} == np.uint8(127)", "np.float64(.5) * {}"),
    *("{} - np.int8(100)", "max({}, 3) + 0", "sorted([{}, 300])[0] + 0", "{} in [127]", "[0, 1][bool({})]", "{} and 7"),
    *("f'{{{}:,}}'", "f'{{{}:>8}}'", "f'{{{}}}'", "f'{{{}:.2f}}'", "f'{{{}:05d}}'", "'%d' % {}", "str({})"),
    *("np.array([127, 3]).tolist() == [{}, 3]", "(np.array([127, 3]) == {}).tolist()"),
)


def worked(operation: str, value: object) -> object:
    return eval(operation.format("value", "value"), {"value": value, "np": np})


@pytest.mark.parametrize("operation", OPERATIONS)
def test_complete_count_as_number(operation: str) -> None:
    """A complete count is used like its number."""
    expected = worked(operation, 127)
    found = worked(operation, COMPLETE)

    assert found == expected
    assert not isinstance(found, (np.integer, se.Count))


NOT_NUMBERS = ("hash({})", "f'{{{}}}'", "f'{{{}:>8}}'", "str({})")


@pytest.mark.parametrize("operation", [one for one in OPERATIONS if one not in NOT_NUMBERS])
def test_incomplete_count_refused(operation: str) -> None:
    """A count that is not complete is not a number."""
    with pytest.raises(se.IncompleteError, match=r"at least 5 solutions \(time limit\); use \.value"):
        worked(operation, INCOMPLETE)


def test_comparing_counts() -> None:
    """Counts compare with each other and with nothing else."""
    assert se.Count(7, True) == se.Count(7, True, "said before")
    assert hash(se.Count(7, True)) == hash(se.Count(7, True, "said before"))
    assert se.Count(7, True) != se.Count(8, True)
    assert INCOMPLETE == se.Count(5, False, "time limit") != se.Count(5, False, "limit of 5")
    assert len({INCOMPLETE, se.Count(5, False, "time limit"), se.Count(5, True)}) == 2
    assert se.Count(5, True) != INCOMPLETE
    assert se.Count(5, True) != INCOMPLETE
    assert COMPLETE != "127"
    assert INCOMPLETE != "at least 5"
    assert COMPLETE is not None
    assert {COMPLETE: "a"}[127] == {127: "a"}[COMPLETE] == "a"  # type: ignore[index]
    # Beyond the 64 bits of numpy.
    assert COMPLETE * np.int64(10**18) == 127 * 10**18
    assert not se.Count(0, True)
    for other in ("128", None, [1]):
        with pytest.raises(TypeError):
            _ = other > COMPLETE
        with pytest.raises(TypeError):
            _ = COMPLETE + other
    with pytest.raises(se.IncompleteError):
        _ = INCOMPLETE < COMPLETE
    assert (f"{INCOMPLETE}", f"{INCOMPLETE:>14}", str(INCOMPLETE)) == ("at least 5", "    at least 5", "at least 5")


def test_bad_counts() -> None:
    """What is not a count is refused."""
    for wrong in ((-1, True), (1.0, True), (True, True), ("1", True), (1, 1), (1, True, None)):
        with pytest.raises(se.FormatError):
            se.Count(*wrong)
    assert type(se.Count(np.int64(3), True).value) is int  # type: ignore[arg-type]


def test_limited_count_is_not_total() -> None:
    """A count that was limited is not taken for the number of solutions."""
    unique, several = se.count(TEXT), se.count("1" + "." * 15, limits=se.Limits(1))

    assert unique == 1
    with pytest.raises(se.IncompleteError, match=r"at least 1 solution \(limit of 1\)"):
        assert several == 1


def test_masked_arrays() -> None:
    """A mask of an array is not lost in silence."""
    masked = np.ma.array([int(value) for value in "1234341221434321"], mask=[False] + 15 * [True])
    calls: list[Callable[[], object]] = [
        lambda: se.count(masked),
        lambda: se.encode(TEXT, blocked=[masked]),
        lambda: se.encode(TEXT, blocked=masked[None]),
        lambda: se.draw(TEXT, solution=masked),
        lambda: list(se.violations(TEXT, masked)),
        lambda: se.Rule("row", np.ma.array([[0, 1], [2, 3]])),
    ]
    for call in calls:
        with pytest.raises(se.SudokuError, match="in a masked array, whose mask would be lost"):
            call()


def test_surrogate_in_name() -> None:
    """No file can have half of a surrogate pair in its name."""
    for call in (
        lambda: se.save_model(TEXT, "\ud800.cnf"),
        lambda: se.load_encoding("\ud800.cnf"),
        lambda: se.prove(TEXT, "\ud800"),
        lambda: se.draw(TEXT).save("\ud800.svg"),
    ):
        with pytest.raises(se.SudokuError, match="not a possible file name"):
            call()
