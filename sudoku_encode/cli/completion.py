"""Completion in a shell: the script that a shell reads once, and the answers to that script.

typer does both for zsh and fish. Its script for bash cannot complete words with a colon or an equals sign, such as
`9x9x9:literal` or `--method=sat`, since bash splits those into several words; so our script for bash is here.

This is the only file that imports private modules of typer: since typer contains its own copy of click, no public
module exports the types of help and completion.
"""

import os
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import typer

from sudoku_encode.errors import SudokuError, short

if TYPE_CHECKING:
    from typer._click import Command as Command  # noqa: PLC0414
    from typer._click import Context as Context  # noqa: PLC0414
    from typer._click.shell_completion import CompletionItem as CompletionItem  # noqa: PLC0414

SHELLS = ("bash", "zsh", "fish")
PROGRAM = "sudoku-encode"
# Set by the scripts when they ask for completions.
VARIABLE = "_SUDOKU_ENCODE_COMPLETE"

# It sends the line up to the cursor. The completions must not repeat the part of the last word up to its last colon or
# equals sign, which bash treats as separate words.
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
    """Return the script for a shell in SHELLS."""
    if shell == "bash":
        return _BASH
    from typer import completion

    return completion.get_completion_script(  # type: ignore[attr-defined]
        prog_name=PROGRAM, complete_var=VARIABLE, shell=shell
    )


def calling_shell() -> str:
    """Return the name of the shell that runs this program.

    Raises:
        SudokuError: not in SHELLS, or unknown.
    """
    import shellingham  # comes with typer

    try:
        name: str = shellingham.detect_shell()[0]
    except (shellingham.ShellDetectionFailure, OSError):
        name = os.path.basename(os.environ.get("SHELL", ""))  # noqa: PTH119
    if name not in SHELLS:
        reason = f"{name} is not supported" if name else "cannot detect the calling shell"
        raise SudokuError(f"--show-completion: {reason}; give bash, zsh or fish")
    return name


def completion_items(texts: dict[str, str]) -> "list[CompletionItem]":
    """Return completions with their help texts."""
    from typer._click.shell_completion import CompletionItem

    return [CompletionItem(name, help=text) for name, text in texts.items()]


def answer(command: "Command") -> int:
    """Print the completions requested by a shell in the environment, and return the exit status."""
    from typer._click.shell_completion import split_arg_string
    from typer._completion_classes import completion_init
    from typer.completion import shell_complete

    completion_init()
    line = os.environ.get("COMP_WORDS", "")
    # The number of the word at the cursor, from 0; bash itself would count the segments between colons.
    os.environ["COMP_CWORD"] = str(len(split_arg_string(line)) - (not line.endswith(" ")))
    try:
        return shell_complete(command, {}, PROGRAM, VARIABLE, os.environ[VARIABLE])
    except SystemExit as end:
        # It tells fish whether there are completions.
        return int(end.code or 0)


def short_help(text: str | None) -> str:
    """Return the beginning of a help text, short enough for a shell's list."""
    return short(re.split(r"(?<=[a-z)])[.:;] ", text or "")[0].removesuffix("."), 60)


def each_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the `autocompletion` for `typer.Option` that completes one of some names."""
    choices = list(names)

    def complete(incomplete: str) -> list[str]:
        return [name for name in choices if name.startswith(incomplete)]

    return complete


def several_of(names: Iterable[str]) -> Callable[[str], list[str]]:
    """Return the `autocompletion` that completes some of the names, separated by commas."""
    choices = list(names)

    def complete(incomplete: str) -> list[str]:
        before, comma, last = incomplete.rpartition(",")
        named = before.split(",")
        return [f"{before}{comma}{name}" for name in choices if name.startswith(last) and name not in named]

    return complete


def one_of(names: Iterable[str], endings: tuple[str, ...] = ()) -> dict[str, Any]:
    """Return arguments for `typer.Option` with choices, such as the keys of a table.

    A choice may be followed by one of the endings.
    """
    choices = list(names)

    def parse(text: str) -> str:
        ending = next((ending for ending in endings if text.endswith(ending)), "")
        if text.removesuffix(ending) not in choices:
            from difflib import get_close_matches

            near = "".join(f"; did you mean {name!r}?" for name in get_close_matches(text, choices, n=1))
            raise typer.BadParameter(f"{text!r} is not one of {', '.join(map(repr, choices))}{near or '.'}")
        return text

    return {"parser": parse, "metavar": f"[{'|'.join(choices)}]", "autocompletion": each_of(choices)}
