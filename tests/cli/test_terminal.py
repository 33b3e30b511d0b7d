"""What the program says of itself, and what it shows on a terminal."""

import os
import re
import subprocess
import sys
from importlib.metadata import version

import pytest

import sudoku_encode
from tests.helpers.command import Command

PROGRAM = [sys.executable, "-m", "sudoku_encode"]
# Escape sequences that set a colour, of letters or behind them.
COLOUR = re.compile(rb"\x1b\[(?:[0-9;]*;)?(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])(?:;[0-9;]*)?m")


def on_a_terminal(*arguments: str, **environment: str) -> tuple[int, bytes]:
    """Run the program where all streams are a terminal; return its status and all that it prints."""
    import pty

    ours, theirs = pty.openpty()
    variables = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "FORCE_COLOR")}
    with subprocess.Popen(
        [*PROGRAM, *arguments],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**variables, "TERM": "xterm-256color", **environment},
    ) as process:
        os.close(theirs)
        printed = b""
        # The system reports an error once the program has ended.
        while True:
            try:
                printed += (piece := os.read(ours, 1 << 16))
            except OSError:
                break
            if not piece:
                break
    os.close(ours)
    return process.returncode, printed


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--help"], 0),
        (["solve", "--no-such-option"], 2),
        pytest.param(["count", "--board", "9x9", "--method", "sat", "--timeout", "0.5"], 3, marks=pytest.mark.slow),
        pytest.param(
            ["verify", "1234341221434321", "1...............", "--methods", "sat,norvig2006"], 0, marks=pytest.mark.slow
        ),
    ],
)
def test_no_colour(arguments: list[str], status: int) -> None:
    """No colour is used where none is wanted."""
    ended, printed = on_a_terminal(*arguments, NO_COLOR="1")
    assert ended == status
    assert printed
    assert not COLOUR.search(printed)


def test_dumb_terminal() -> None:
    """A terminal that cannot move its cursor gets plain text."""
    status, printed = on_a_terminal("count", "--board", "9x9", "--method", "sat", "--timeout", "0.5", TERM="dumb")
    assert status == 3
    assert b"at least" in printed
    assert b"\x1b" not in printed


def test_versions(run: Command) -> None:
    """The versions say what an answer depends on."""
    ran = run("--version")
    assert (ran.status, ran.err) == (0, "")
    assert ran.lines[0] == f"sudoku-encode {sudoku_encode.__version__}"
    assert ran.lines[1] == "Python {}.{}.{}".format(*sys.version_info)
    assert set(ran.lines) >= {f"{name} {version(name)}" for name in ("ortools", "python-sat", "numba", "numpy")}
    assert all(len(line.split(" ")) == 2 for line in ran.lines)


def test_missing_package(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that is not there is left out."""
    monkeypatch.setattr("sudoku_encode.cli.app._PACKAGES", ("numpy", "no-such-package"))
    assert [line.split()[0] for line in run("--version").lines] == ["sudoku-encode", "Python", "numpy"]


def test_large_model_shown(run: Command) -> None:
    """A terminal shows what is done with a large model, and for how long; a file of messages has nothing of it."""
    status, printed = on_a_terminal("solve", "--board", "16x16", "--method", "sat")
    assert status == 0
    assert re.search(rb"solving by cadical195: 4,096 variables, [0-9,]+ clauses \.\.\. [0-9]+ s", printed)
    assert run("solve", "--board", "16x16", "--method", "sat").err == ""


def test_listing_shown(run: Command) -> None:
    """A listing shows that it searches, and its grids stand on lines of their own."""
    status, printed = on_a_terminal("enumerate", "1...............", "--board", "4x4", "--limit", "5")
    plain = re.sub(rb"\x1b\[[0-9;?]*[a-zA-Z]", b"", printed)
    assert status == 3
    assert b"searching ..." in plain
    assert len(re.findall(rb"(?<=[\r\n])[1-4]{16}(?=\r?\n)", plain)) == 5
    assert run("enumerate", "1...............", "--board", "4x4", "--limit", "5").err.startswith("by search\n")


@pytest.mark.parametrize(
    ("method", "part"), [("sat", "solving by cadical195: 4,096 variables"), ("cp-sat", "solving by cp-sat: 256")]
)
def test_progress_of_large_models(method: str, part: str) -> None:
    """Observers in Python get the same, but nothing of a small model."""
    texts: list[str] = []

    def observe(event: object) -> None:
        texts.extend([event.text] if isinstance(event, sudoku_encode.Progress) else [])

    assert sudoku_encode.solve("." * 256, method, board="16x16", on_event=observe)
    assert any(text.startswith(part) for text in texts)
    texts.clear()
    assert sudoku_encode.solve("." * 81, method, board="9x9", on_event=observe)
    assert not any(text.startswith("solving by") for text in texts)
