"""Completion in a shell: the script that a shell reads once, and the answers to what that script asks.

typer does both, for zsh and fish as it stands. Its script for bash cannot complete words with a colon or an equals
sign, such as `9x9x9:literal` or `--method=sat`, since bash takes those for several words; so that script is here.
"""

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sudoku_encode.errors import SudokuError, short

if TYPE_CHECKING:
    from typer._click import Command

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "sudoku-encode"
# Set by the scripts when they ask for completions.
VARIABLE = "_SUDOKU_ENCODE_COMPLETE"

# It sends the line up to the cursor. What bash takes for words of their own, up to the last colon or equals sign of the
# last word, is not to be repeated in the completions.
_BASH = f"""\
_sudoku_encode_completion() {{
    local IFS=$'\\n' line="${{COMP_LINE:0:COMP_POINT}}" breaks="${{COMP_WORDBREAKS//[^:=]/}}"
    local word="${{line##*[[:space:]]}}" before=""
    [[ $word == -*=* ]] && word="${{word#*=}}"
    [[ $breaks && $word == *[$breaks]* ]] && before="${{word%"${{word##*[$breaks]}}"}}"
    COMPREPLY=($(env COMP_WORDS="$line" {VARIABLE}=complete_bash "$1" 2>/dev/null))
    COMPREPLY=("${{COMPREPLY[@]#"$before"}}")
}}

complete -o default -F _sudoku_encode_completion {PROGRAM}"""


def script(shell: str) -> str:
    """Return what a shell has to read; `shell` is one of SHELLS."""
    if shell == "bash":
        return _BASH
    from typer import completion

    return completion.get_completion_script(  # type: ignore[attr-defined]
        prog_name=PROGRAM, complete_var=VARIABLE, shell=shell
    )


def calling_shell() -> str:
    """Return the name of the shell that runs this program.

    Raises:
        SudokuError: it is none of SHELLS, or there is none.
    """
    import shellingham  # comes with typer

    try:
        name: str = shellingham.detect_shell()[0]
    except (shellingham.ShellDetectionFailure, OSError):
        name = os.path.basename(os.environ.get("SHELL", ""))  # noqa: PTH119
    if name not in SHELLS:
        called = f"{name} is not one of these" if name else "it is not known which shell runs this"
        raise SudokuError(f"--show-completion bash, zsh or fish: say which; {called}")
    return name


def answer(command: "Command") -> int:
    """Print the completions that a shell asks for in the environment, and return the exit status."""
    from typer._click.shell_completion import split_arg_string
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    completion_init()
    line = os.environ.get("COMP_WORDS", "")
    # The number of the word at the cursor, from 0; bash itself would count the pieces between colons.
    os.environ["COMP_CWORD"] = str(len(split_arg_string(line)) - (not line.endswith(" ")))
    try:
        return shell_complete(command, {}, PROGRAM, VARIABLE, os.environ[VARIABLE])
    except SystemExit as end:
        # How fish is told whether there is anything.
        return int(end.code or 0)


def explanation(text: str | None) -> str:
    """Return the beginning of a help text, short enough to stand beside a word in a shell's list."""
    return short(re.split(r"(?<=[a-z)])[.:;] ", text or "")[0].removesuffix("."), 60)


def each_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return what `typer.Option` needs as `autocompletion` for one of some names."""
    choices = list(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in choices if name.startswith(incomplete)]

    return complete


def several_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the same for some of the names, separated by commas."""
    choices = list(names)

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        named = before.split(",")
        return [f"{before}{comma}{name}" for name in choices if name.startswith(last) and name not in named]

    return complete
