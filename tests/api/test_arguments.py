"""People see help of one screen, and errors without the inside of the package."""

import inspect
import pydoc
import re
import traceback
import typing
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import sudoku_encode as se
from sudoku_encode.errors import InternalError
from sudoku_encode.methods import limited_calls

HOME = str(Path(se.__file__).parent)
FUNCTIONS = [name for name in se.__all__ if inspect.isfunction(getattr(se, name))]
EMPTY = "." * 81
# `generate` has an argument for each property of a puzzle.
MOST_LINES = dict.fromkeys(FUNCTIONS, 40) | {"generate": 60}


NINE = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79"


@pytest.mark.parametrize("name", FUNCTIONS)
def test_help_fits_a_screen(name: str) -> None:
    """Help is about a screen of 80 columns, besides the example, whose lines are those of a program."""
    lines = pydoc.plain(pydoc.render_doc(getattr(se, name))).splitlines()[2:]
    assert len(lines) <= MOST_LINES[name]
    example = next(number for number, line in enumerate(lines) if line.lstrip().startswith(">>>"))
    assert [line for line in lines[:example] if len(line) > 80] == []


@pytest.mark.parametrize("name", FUNCTIONS)
def test_signature_as_written(name: str) -> None:
    """A signature has the names of types as they are written, and the defaults; type hints are types."""
    function = getattr(se, name)
    text = str(inspect.signature(function))
    assert not re.search(r"sudoku_encode|collections\.abc|Union|typing|'[A-Z]", text)
    hints = typing.get_type_hints(function, localns={"Executor": object})
    assert not any(isinstance(hint, str) for hint in hints.values())


def test_signature_of_count() -> None:
    """The signature of `count` is what its file says."""
    signature = inspect.signature(se.count)
    assert str(signature.parameters["puzzle"]) == "puzzle: PuzzleLike"
    assert str(signature.parameters["limits"]) == "limits: Limits = Limits()"
    assert str(signature.parameters["named"]) == "**named: Unpack[MethodNames]"
    assert signature.parameters["limits"].default == se.Limits()
    assert str(signature).endswith("-> Count")
    assert signature.bind(EMPTY, "sat").arguments == {"puzzle": EMPTY, "method": "sat"}


def frames_of(call: Callable[[], object]) -> list[str]:
    """Return the frames of this package in the traceback of an error, and of the errors behind it."""
    with pytest.raises(Exception) as raised:  # noqa: PT011  -- any error
        call()
    shown = traceback.TracebackException.from_exception(raised.value)
    frames, behind = [*shown.stack], shown
    while behind := behind.__cause__ or (None if behind.__suppress_context__ else behind.__context__):  # type: ignore[assignment]
        frames += behind.stack
    return [f"{frame.filename}:{frame.lineno}" for frame in frames if frame.filename.startswith(HOME)]


WRONG: dict[str, Callable[[], object]] = {
    "no file": lambda: se.count("hello"),
    "no board": lambda: se.board("7y"),
    "no method": lambda: se.count(EMPTY, "sat:foo"),
    "a wrong limit": lambda: se.solve(EMPTY, limits=5),  # type: ignore[arg-type]
    "a wrong name": lambda: se.solve(EMPTY, limt=5),  # type: ignore[call-arg]
    "a wrong value of a name": lambda: se.solve(EMPTY, timeout=-1),
    "no encoding": lambda: se.encode(EMPTY, "foo"),
    "a wrong cell": lambda: se.count([[None] * 8 + [0.5]] * 9),
    "lists of different lengths": lambda: se.count([[1], [1, 2]]),
    "cannot create a folder for solutions": lambda: next(se.read_solutions("instances")),
    "a stopped iteration": lambda: list(se.solutions(EMPTY, limit=3)),
    "a stopped iteration elsewhere": lambda: list(se.solutions(EMPTY, limit=3, executor="threads:2")),
    "not many": lambda: list(se.count_all(5)),
    "a method that cannot explain": lambda: list(se.explain(EMPTY, "sat")),
    "no puzzle to verify": lambda: next(se.verify("hello")),
    "too many clues": lambda: next(se.generate("9x9", clues=90)),
    "no violation": lambda: list(se.violations("hello", "hello")),
    "no kind of constraint": lambda: se.Puzzle(se.board("4x4"), constraints=["bad r1c1"]),
    "no cell of a constraint": lambda: se.Puzzle(se.board("4x4"), constraints=["cage 3 r9c9"]),
    "no place to write": lambda: se.encode(EMPTY).save("/nonexistent/p.cnf"),
    "no cell to assume": lambda: se.encode(EMPTY).assuming({"r99c1": 3}),
    "no grid to block": lambda: se.encode(EMPTY).blocking([[1]]),
    "no model": lambda: se.encode(EMPTY).decode([9999]),
    "half a count": lambda: se.count(EMPTY, limit=3) + 1,
}


@pytest.mark.parametrize("case", WRONG)
def test_short_tracebacks(case: str) -> None:
    """An error shows three frames of this package at most: the caller's line says where the mistake is."""
    assert len(frames_of(WRONG[case])) <= 3


def test_internal_errors_keep_frames(monkeypatch: pytest.MonkeyPatch) -> None:
    """A bug shows where it is."""

    def fail(*_: Any, **__: Any) -> None:
        raise InternalError("a bug")

    monkeypatch.setattr(limited_calls, "solve", fail)
    frames = frames_of(lambda: se.solve(EMPTY))
    assert any("answers.py" in frame for frame in frames)


def test_generators_close() -> None:
    """An iteration can be ended early, as that of any generator."""
    puzzles: Any = se.read_all(f"{EMPTY}\n{EMPTY}")
    assert next(puzzles).geometry == se.board("9x9")
    counts: Any = se.count_all([EMPTY] * 3, limit=2)
    assert str(next(counts)) == "at least 2"
    counts.close()
    assert next(counts, None) is None


def test_short_limits_and_options() -> None:
    """Limits and options show what is set."""
    assert repr(se.Limits()) == "Limits()"
    assert repr(se.Limits(seconds=2)) == "Limits(seconds=2)"
    assert repr(se.Options(seed=0, amo="ladder")) == "Options(amo='ladder', seed=0)"


def test_names_of_the_command() -> None:
    """Functions take the options of their commands by the same names, one value as well as a list."""
    assert [*se.rate(NINE, figure="steps").figures] == ["steps"]
    assert se.hint(NINE, technique="naked single") is not None
    assert len(se.sample(NINE, number=2, seed=1)) == 2
    assert se.encode(NINE, reduce="singles").cnf.n_variables == 0  # type: ignore[call-arg]
    with pytest.raises(se.MethodError, match="rate: figure= is the same as figures=; give it once"):
        se.rate(NINE, figure="steps", figures=["nodes"])
    with pytest.raises(TypeError, match="unexpected keyword argument 'figure'"):
        se.count(NINE, figure="steps")  # type: ignore[call-arg]
