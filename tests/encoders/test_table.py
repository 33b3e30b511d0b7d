"""The tables of encodings, model formats and SAT solvers: each row names what is there, and everything reads them."""

import json
import re
from pkgutil import resolve_name

import pytest
from pysat.solvers import SolverNames

from sudoku_encode.encoders.encoding import unsupported_reason
from sudoku_encode.encoders.reduction import VariableScheme
from sudoku_encode.encoders.table import DEFAULT_ENCODING, DEFAULT_FORMAT, ENCODINGS, MODEL_FORMATS, REDUCTIONS
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles import boards
from sudoku_encode.solvers.table import DEFAULT_PROVER, DEFAULT_SOLVER, PROVERS, SAT_SOLVERS
from tests.helpers.command import Command

FUNCTIONS = sorted(
    {encoder.encode for encoder in ENCODINGS.values()}
    | {encoder.unsupported_reason for encoder in ENCODINGS.values() if encoder.unsupported_reason}
    | {form.save for form in MODEL_FORMATS.values()}
    | {form.chunks for form in MODEL_FORMATS.values() if form.chunks}
    | set(AT_MOST_ONE.values())
)


def test_rows_and_defaults() -> None:
    """Each row is found by its name and the defaults are rows."""
    for table in (ENCODINGS, MODEL_FORMATS, SAT_SOLVERS):
        assert [row.name for row in table.values()] == list(table)
    assert DEFAULT_ENCODING in ENCODINGS
    assert DEFAULT_FORMAT in MODEL_FORMATS
    assert DEFAULT_SOLVER in SAT_SOLVERS
    assert DEFAULT_PROVER in PROVERS


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_exist(name: str) -> None:
    """A function that a row names is there."""
    assert callable(resolve_name(name))


@pytest.mark.parametrize("name", sorted({encoder.variables for encoder in ENCODINGS.values()}))
def test_variable_modules(name: str) -> None:
    """A meaning of variables has literals and a sentence for the file."""
    scheme = resolve_name(name)

    assert isinstance(scheme, VariableScheme)
    assert callable(scheme.candidate_literals)
    assert "=" not in scheme.numbering.format(n=9, bits=4).partition(":")[0]


def test_variable_kinds() -> None:
    """Two meanings of variables are two kinds."""
    pairs = {(encoder.kind, encoder.variables) for encoder in ENCODINGS.values()}

    assert len({kind for kind, _ in pairs}) == len({name for _, name in pairs}) == len(pairs)


def test_options_exist() -> None:
    """Options of rows are those that there are."""
    assert {option for encoder in ENCODINGS.values() for option in encoder.options} == {"amo", "duplicates", "reduce"}
    taken = {option for form in MODEL_FORMATS.values() for option in form.options}
    assert taken == {"encoding", "reduce", "amo", "duplicates", "show", "seed", "cubes", "assume", "block"}


def test_solver_names() -> None:
    """The solvers are PySAT's names for them."""
    names = {name for value in vars(SolverNames).values() if isinstance(value, tuple) for name in value}

    assert set(SAT_SOLVERS) <= names


@pytest.mark.parametrize(
    ("command", "table"),
    [
        ("encode", MODEL_FORMATS),
        ("encode", ENCODINGS),
        ("encode", AT_MOST_ONE),
        ("encode", REDUCTIONS),
        ("prove", PROVERS),
    ],
)
def test_choices_in_help(run: Command, command: str, table: list[str]) -> None:
    """The choices in the help are the rows."""
    assert set(table) <= set(re.findall(r"[\w-]+", run(command, "--help").out))


def test_solvers_in_method(run: Command) -> None:
    """A method on a SAT solver names all of them."""
    assert set(SAT_SOLVERS) <= set(re.findall(r"[\w-]+", run("methods", "sat").out))


def test_formats_listed(run: Command) -> None:
    """The list of formats says of each model format what it is."""
    said = " ".join(run("info", "--formats").out.split())

    assert all(f"{form.name} models {form.summary}" in said for form in MODEL_FORMATS.values())


@pytest.mark.parametrize("name", ["9x9", "6x6", "4x4x4"])
def test_info_sizes(run: Command, name: str) -> None:
    """Info has the size of each encoding that fits."""
    (line,) = run("info", "--board", name, "--json").lines

    assert [size["encoding"] for size in json.loads(line)["encodings"]] == [
        row for row in ENCODINGS if not unsupported_reason(row, boards.board(name))
    ]


def test_encodings_are_methods() -> None:
    """Each encoding is a method."""
    assert [name for name in METHODS if name.startswith("sat:")] == [f"sat:{name}" for name in ENCODINGS]
