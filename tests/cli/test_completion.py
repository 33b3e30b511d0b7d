"""Completion, in the shells themselves where they are installed."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from sudoku_encode.cli.table import COMMANDS
from sudoku_encode.encoders.table import ENCODINGS, MODEL_FORMATS
from sudoku_encode.formats.table import TEXT_FORMATS
from sudoku_encode.formula.table import AT_MOST_ONE
from sudoku_encode.methods.table import METHODS
from sudoku_encode.puzzles.boards import NAMES, board
from sudoku_encode.reproduce.table import PAPERS
from sudoku_encode.solvers.table import PROVERS, SAT_SOLVERS
from tests.helpers.command import Command
from tests.helpers.imported_modules import HEAVY, loaded_by

# The beginning of a line, and the last words that it may have.
COMPLETED = {
    "": set(COMMANDS),
    "so": {"solve"},
    "solve --board ": set(NAMES),
    "solve --board 9x9x9": {"9x9x9", "9x9x9:literal"},
    "count --rules row,c": {"row,column"},
    "count --rules row-x,box-x": {"row-x,box-xy", "row-x,box-xz"},
    "count --method ": set(METHODS),
    "solve --method se": {"search"},
    "explain --method ": {name for name, method in METHODS.items() if method.explains},
    "verify --methods sat,cp": {"sat,cp-sat", "sat,cp-sat-bool"},
    "encode --to ": set(MODEL_FORMATS),
    "encode --encoding ": {*ENCODINGS, "all"},
    "encode --amo ": {*AT_MOST_ONE, "all"},
    "count --amo ": set(AT_MOST_ONE),
    "convert --to ": set(TEXT_FORMATS),
    "count --sat-solver ": set(SAT_SOLVERS),
    "count --option amo=": {f"amo={name}" for name in AT_MOST_ONE},
    "count --option s": {*(f"sat-solver={name}" for name in SAT_SOLVERS), "seed="},
    "solve --option w": {"workers="},
    "methods jana2021": {"jana2021"},
    "prove --sat-solver ": set(PROVERS),
    "reproduce ": {*PAPERS, "all"},
    "decode --t": {"--trust-status", "--to"},
    "show 'a file with blanks' --alphabet 0": {"0-8", "0-F", "0-O", "0-Z"},
    "--vers": {"--version"},
    "--show-completion ": {"bash", "zsh", "fish"},
    # Then the shell completes names of files.
    "solve inst": set(),
    "encode -o ": set(),
    "no-such-command x": set(),
}
# Bash takes what is between colons and equals signs for words of their own.
PIECES = {
    "solve --board 9x9x9:": {"literal"},
    "solve --board 9x9x9:l": {"literal"},
    "solve --board=9x9x9:l": {"literal"},
    "solve --board=25": {"25x25"},
    "solve --method sat:t": {"triads"},
}
WHOLE = {"solve --board 9x9x9:l": {"9x9x9:literal"}, "count --method sat:t": {"sat:triads"}}

BASH = """
. "$SCRIPT"
COMP_LINE="sudoku-encode $LINE" COMP_POINT=$((14 + ${#LINE}))
_sudoku_encode_completion sudoku-encode
printf '%s\\n' "${COMPREPLY[@]}"
"""
# What zsh is told to show is printed in place of it.
ZSH = """
compdef() { }
_files() { }
_arguments() { print -r -- $1 }
eval "$(sudoku-encode --show-completion zsh)"
words=(sudoku-encode ${(z)LINE})
[[ -z $LINE || $LINE == *' ' ]] && words+=('')
CURRENT=$#words
_sudoku_encode_completion
"""
FISH = """
sudoku-encode --show-completion fish | source
complete -C "sudoku-encode $LINE"
"""


@pytest.fixture
def program(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder where the program has its name, and is found by it."""
    path = tmp_path / "bin" / "sudoku-encode"
    path.parent.mkdir()
    path.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m sudoku_encode "$@"\n')
    path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{path.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join(sys.path))
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / "empty").mkdir()
    monkeypatch.chdir(tmp_path / "empty")


@pytest.fixture(scope="module")
def bash_script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What bash is told with `eval`, in a file: the program need not start to say it again for each line."""
    script = tmp_path_factory.mktemp("bash") / "script"
    command = [sys.executable, "-m", "sudoku_encode", "--show-completion", "bash"]
    script.write_bytes(subprocess.run(command, capture_output=True, check=True).stdout)
    return script


def shell(line: str, *words: str, script: Path | None = None) -> set[str]:
    """Run a shell that completes a line, and return what it prints."""
    if not shutil.which(words[0]):
        pytest.skip(f"{words[0]} is not installed")
    variables = {"LINE": line, "SCRIPT": str(script)}
    ran = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **variables})
    assert not ran.stderr
    return {line for line in ran.stdout.splitlines() if line}


@pytest.mark.parametrize(("line", "expected"), COMPLETED.items())
def test_completed_line(run: Command, monkeypatch: pytest.MonkeyPatch, line: str, expected: set[str]) -> None:
    """The program says how a line may go on, as the script for bash asks it."""
    monkeypatch.setenv("COMP_WORDS", f"sudoku-encode {line}")
    monkeypatch.setenv("_SUDOKU_ENCODE_COMPLETE", "complete_bash")
    ran = run()
    assert (ran.status, ran.err) == (0, "")
    assert {word for word in ran.lines if word} == expected


# Of the lines above those that a shell takes apart in another way.
OF_SHELLS = (
    "",
    "so",
    "count --method ",
    "verify --methods sat,cp",
    "show 'a file with blanks' --alphabet 0",
    "solve inst",
)


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize(("line", "expected"), [*((line, COMPLETED[line]) for line in OF_SHELLS), *PIECES.items()])
def test_bash(line: str, expected: set[str], bash_script: Path) -> None:
    """Bash completes."""
    assert shell(line, "bash", "--norc", "-c", BASH, script=bash_script) == expected


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize("line", ["so", "solve --board 9x9x9", "count --method sat:t", "reproduce ", "solve inst"])
def test_zsh(line: str) -> None:
    """Zsh completes."""
    shown = " ".join(shell(line, "zsh", "-f", "-c", ZSH))
    words = re.findall(r'"([^"]*)"(?:\:"[^"]*")?', shown)
    assert {word.replace("\\", "") for word in words} == (COMPLETED | WHOLE)[line]


@pytest.mark.usefixtures("program")
@pytest.mark.parametrize(("line", "expected"), [*COMPLETED.items(), *WHOLE.items()])
def test_fish(line: str, expected: set[str]) -> None:
    """Fish completes."""
    assert {word.split("\t")[0] for word in shell(line, "fish", "--no-config", "-c", FISH)} == expected


@pytest.mark.usefixtures("program")
def test_script_of_calling_shell(run: Command) -> None:
    """The script is for the shell that asks."""
    ran = subprocess.run(
        ["bash", "--norc", "-c", "sudoku-encode --show-completion; true"], capture_output=True, text=True, check=True
    )
    assert ran.stdout == run("--show-completion", "bash").out
    assert "complete -o default -F" in ran.stdout


def test_unknown_shell(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """A shell that is not known is refused."""
    ran = run("--show-completion", "tcsh")
    assert (ran.status, ran.out) == (2, "")
    assert "'tcsh' is not one of 'bash', 'zsh', 'fish'" in ran.err
    monkeypatch.setattr("shellingham.detect_shell", lambda: ("tcsh", "/bin/tcsh"))
    ran = run("--show-completion")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err == "sudoku-encode: --show-completion: tcsh is not supported; give bash, zsh or fish\n"


def test_shell_must_be_named(run: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a shell one must be named."""
    monkeypatch.delenv("SHELL", raising=False)
    monkeypatch.setattr("shellingham.detect_shell", raises_no_shell)
    ran = run("--show-completion")
    assert (ran.status, ran.out) == (2, "")
    assert ran.err.endswith("cannot detect the calling shell; give bash, zsh or fish\n")


def raises_no_shell() -> None:
    import shellingham

    raise shellingham.ShellDetectionFailure


def test_light_completion() -> None:
    """Completion loads the command that is completed and nothing that does the work."""
    code = (
        "import os\nfrom sudoku_encode.cli import main\n"
        "os.environ.update(COMP_WORDS='sudoku-encode count --method s', _SUDOKU_ENCODE_COMPLETE='complete_bash')\n"
        "sys.argv = ['sudoku-encode']\ntry: main()\nexcept SystemExit as end: assert end.code == 0"
    )
    loaded = loaded_by(code)
    assert not {name.split(".")[0] for name in loaded} & (HEAVY | {"rich"})
    assert {name for name in COMMANDS if f"sudoku_encode.cli.{name}" in loaded} == {"count"}


@pytest.mark.parametrize("name", [name for name in NAMES if not name.endswith(":")])
def test_board_completion(name: str) -> None:
    """A board that is completed is one."""
    assert board(name).n_cells
