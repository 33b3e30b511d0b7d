"""`save_model`: any model format by one function, and an option that a format does not take is refused by its name."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import sudoku_encode as se
from sudoku_encode.encoders.cnf_file import load_encoding
from sudoku_encode.encoders.encoding import encode
from sudoku_encode.encoders.model_files import ModelOptions, model_format, save_model
from sudoku_encode.encoders.table import DEFAULT_FORMAT, MODEL_FORMATS
from sudoku_encode.errors import MethodError, SudokuError
from sudoku_encode.puzzles import boards
from sudoku_encode.puzzles.puzzle import Puzzle
from tests.helpers.command import Command

ONE_GIVEN = [1] + [0] * 15
# For every option a value that is not what happens anyway.
VALUES: dict[str, Any] = {
    "encoding": "log",
    "reduce": "singles",
    "amo": "ladder",
    "duplicates": True,
    "show": True,
    "seed": 7,
    "cubes": 3,
    "assume": {"r1c2": 3},
    "block": "1234341221434321",
}


def puzzle() -> Puzzle:
    return Puzzle.of(boards.board("4x4"), ONE_GIVEN)


def given(option: str, **others: Any) -> ModelOptions:
    if option == "block":
        return ModelOptions(**others, blocked=[[int(digit) for digit in VALUES[option]]])
    return ModelOptions(**{**others, "reduction" if option == "reduce" else option: VALUES[option]})


@pytest.mark.parametrize("form", MODEL_FORMATS.values(), ids=MODEL_FORMATS)
def test_format_by_suffix(form: Any) -> None:
    """A suffix stands for the first format that has it compressed or not."""
    for suffix in form.suffixes:
        first = next(row.name for row in MODEL_FORMATS.values() if suffix in row.suffixes)
        assert model_format(f"some/where.x/a{suffix}").name == first
        assert model_format(Path(f"a{suffix}.gz")).name == first
        assert model_format(f"a{suffix}", form.name).name == form.name


@pytest.mark.parametrize("path", ["-", "a", "a.gz", ".opb"])
def test_default_format(path: str) -> None:
    """A name without a suffix stands for the default."""
    assert model_format(path).name == DEFAULT_FORMAT


@pytest.mark.parametrize("path", ["a.foo", "a.foo.gz", "a.cp-sat"])
def test_unknown_suffix(path: str) -> None:
    """A suffix that no format has is refused unless the format is named."""
    with pytest.raises(MethodError, match=f"{path}: no model format ends in"):
        model_format(path)
    assert model_format(path, "opb").name == "opb"


@pytest.mark.parametrize("form", MODEL_FORMATS)
def test_same_as_command(run: Command, tmp_path: Path, form: str) -> None:
    """The library writes what the command writes and says what it says."""
    suffix = MODEL_FORMATS[form].suffixes[0]
    ours, theirs = tmp_path / f"ours{suffix}", tmp_path / f"theirs{suffix}"

    saved = save_model(puzzle(), ours, form)
    ran = run("encode", "1" + "0" * 15, "--board", "4x4", "--to", form, "-o", theirs)

    assert ours.read_bytes() == theirs.read_bytes() != b""
    assert ran.err == f"{theirs}: {saved}\n"
    assert (saved.path, saved.form) == (str(ours), form)
    assert all(f"{number:,} {name}" in str(saved) for name, number in saved.figures.items())


@pytest.mark.parametrize("form", [form.name for form in MODEL_FORMATS.values() if form.chunks])
def test_text_size(tmp_path: Path, form: str) -> None:
    """The figure of a text is its size."""
    saved = save_model(puzzle(), tmp_path / "a", form)

    assert saved.figures == {"bytes": (tmp_path / "a").stat().st_size}


def test_cnf_header_size(tmp_path: Path) -> None:
    """The figures of a CNF are those of its header."""
    saved = save_model(puzzle(), tmp_path / "a.cnf", options=ModelOptions("efficient", "none", "ladder"))

    assert f"\np cnf {saved.figures['variables']} {saved.figures['clauses']}\n" in (tmp_path / "a.cnf").read_text()
    assert saved.description == "efficient, ladder"


# The forms that may be reduced.
REDUCED = [name for name, form in MODEL_FORMATS.items() if "reduce" in form.options]


@pytest.mark.parametrize(
    ("form", "option"), [(form.name, option) for form in MODEL_FORMATS.values() for option in sorted(form.options)]
)
def test_used_option(tmp_path: Path, form: str, option: str) -> None:
    """An option that a format takes changes the file."""
    plain, other = tmp_path / "plain.txt", tmp_path / "other.txt"
    reduction = "none" if "reduce" in MODEL_FORMATS[form].options else None
    save_model(puzzle(), plain, form, ModelOptions(reduction=reduction))
    save_model(puzzle(), other, form, given(option, reduction=reduction))

    assert plain.read_bytes() != other.read_bytes()


@pytest.mark.parametrize(
    ("form", "option"),
    [(form.name, option) for form in MODEL_FORMATS.values() for option in VALUES if option not in form.options],
)
def test_unused_option(tmp_path: Path, form: str, option: str) -> None:
    """An option that a format does not take is refused by its name."""
    with pytest.raises(MethodError, match=f"^model format {form} takes no option {option}; .*cnf.* takes? it$"):
        save_model(puzzle(), tmp_path / "a.txt", form, given(option))
    assert not list(tmp_path.iterdir())


def test_unused_encoding_option(tmp_path: Path) -> None:
    """An option that an encoding does not take is refused by its name too."""
    with pytest.raises(MethodError, match="encoding order takes no option amo"):
        save_model(puzzle(), tmp_path / "a.cnf", options=ModelOptions("order", amo="ladder"))
    assert not list(tmp_path.iterdir())


def test_command_refuses_the_same(run: Command, tmp_path: Path) -> None:
    """The command refuses what the library refuses."""
    ran = run("encode", "--board", "4x4", "--encoding", "log", "-o", tmp_path / "a.opb")

    assert (ran.status, ran.out, ran.err) == (
        2,
        "",
        "sudoku-encode: model format opb takes no option encoding; cnf, icnf, wcnf, wcnf-old take it\n",
    )


def test_unknown_format(tmp_path: Path) -> None:
    """A format that is none is refused with those there are."""
    with pytest.raises(MethodError, match="no model format is called 'cmf'; choose from cnf, cp-sat, "):
        save_model(puzzle(), tmp_path / "a", "cmf")


@pytest.mark.parametrize("form", [form.name for form in MODEL_FORMATS.values() if "reduce" in form.options])
def test_unknown_reduction(tmp_path: Path, form: str) -> None:
    """A reduction that is none is refused by every format."""
    with pytest.raises(MethodError, match="no reduction is called 'all'; choose from none, givens, singles"):
        save_model(puzzle(), tmp_path / "a.txt", form, ModelOptions(reduction="all"))
    assert not list(tmp_path.iterdir())


def test_cp_sat_needs_file() -> None:
    """A CP-SAT model needs a file."""
    with pytest.raises(SudokuError, match=r"a CP-SAT model needs a file: -o NAME\.pbtxt"):
        save_model(puzzle(), "-", "cp-sat")


def test_contradiction_remark(tmp_path: Path) -> None:
    """A contradiction is in the remark."""
    saved = save_model(Puzzle.of(boards.board("4x4"), [1, 1] + [0] * 14), tmp_path / "a.cnf")

    # The file has the whole puzzle: its two givens are unit clauses beside those of the empty board.
    assert str(saved) == "extended, 64 variables, 386 clauses; no solution: r1c1 and r1c2 are peers and both hold 1"


@pytest.mark.parametrize("reduction", ["givens", "singles"])
@pytest.mark.parametrize("form", REDUCED)
def test_contradiction_remark_all_forms(tmp_path: Path, form: str, reduction: str) -> None:
    """A contradiction is in the remark on every form that is reduced."""
    clash = Puzzle.of(boards.board("4x4"), [1, 1] + [0] * 14)
    saved = save_model(clash, tmp_path / "a.txt", form, ModelOptions(reduction=reduction))

    assert "; no solution: r1c1 and r1c2 are peers and both hold 1" in str(saved)


@pytest.mark.parametrize("form", REDUCED)
def test_whole_by_default(tmp_path: Path, form: str) -> None:
    """By default a model is whole."""
    given = Puzzle.of(boards.board("4x4"), [1, 2, 0, 0, 3] + [0] * 11)
    save_model(given, tmp_path / "default.txt", form)
    save_model(given, tmp_path / "whole.txt", form, ModelOptions(reduction="none"))

    assert (tmp_path / "default.txt").read_bytes() == (tmp_path / "whole.txt").read_bytes()


def test_givens_by_default() -> None:
    """By default givens are unit clauses and fixed domains."""
    text = "12..34..........", "4x4"
    empty, whole = se.encode("." * 16, board="4x4").cnf.clauses, se.encode(text[0], board="4x4").cnf.clauses

    assert whole == [*empty, [1], [6], [19], [24]]
    domains = [list(variable.domain) for variable in se.cp_model(text[0], board="4x4").model.proto.variables]
    assert domains == [[1, 1], [2, 2], [1, 4], [1, 4], [3, 3], [4, 4], *[[1, 4]] * 10]


@pytest.mark.parametrize(
    ("options", "constraints"),
    [
        (ModelOptions(), ()),
        (ModelOptions("order"), ()),
        (ModelOptions("minimal", amo="ladder"), ()),
        (ModelOptions("efficient", duplicates=True), ()),
        (ModelOptions(seed=3), ()),
        (ModelOptions(), ("cage 8 r2c3 r2c4 r3c4", "thermometer r4c1-r4c3")),
    ],
)
def test_singles_remark(tmp_path: Path, options: ModelOptions, constraints: tuple[str, ...]) -> None:
    """The remark on a whole CNF says the size of what singles leave."""
    given = Puzzle.of(boards.board("4x4"), [1] + [0] * 15, constraints=constraints)
    whole = save_model(given, tmp_path / "whole.cnf", options=options)
    left = save_model(given, tmp_path / "left.cnf", options=replace(options, reduction="singles"))

    header = (tmp_path / "left.cnf").read_text(encoding="ascii").partition("\np cnf ")[2].split()[:2]
    assert [str(number) for number in left.figures.values()] == header
    assert str(whole).endswith(f"; --reduce singles would leave {header[0]} variables, {int(header[1]):,} clauses")
    assert "--reduce" not in str(left)


def test_singles_remark_when_decided(tmp_path: Path) -> None:
    """The remark says where singles would leave nothing and nothing of what takes none."""
    easy = Puzzle.of(boards.board("4x4"), [1, 2, 0, 0, 3, 4, 0, 0, 0, 1, 2] + [0] * 5)
    solved = "; --reduce singles would leave 0 variables, 0 clauses, since singles solve the puzzle"

    assert str(save_model(easy, tmp_path / "a.cnf")).endswith(solved)
    assert str(save_model(easy, tmp_path / "a.cnf", options=ModelOptions("triads"))).endswith(" clauses")
    assert str(save_model(easy, tmp_path / "a.opb")).endswith(" bytes")
    left = save_model(easy, tmp_path / "a.cnf", options=ModelOptions(reduction="singles"))
    assert str(left).endswith("nothing is left for a solver, since the reduction solves the puzzle")


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_save_and_load(tmp_path: Path, suffix: str) -> None:
    """An encoding is saved and loaded by path or name."""
    encoded, path = encode(puzzle(), "order"), tmp_path / f"a.cnf{suffix}"

    encoded.save(path)
    back = load_encoding(path)

    assert (back.name, back.kind) == ("order", "order")
    assert (back.literals == encoded.literals).all()
    assert (load_encoding(str(path)).puzzle.givens == puzzle().givens).all()
